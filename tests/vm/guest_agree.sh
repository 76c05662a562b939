# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: nvme-cli and nvproof read the same structures of the same drive, field by field: QEMU's
# controller, and the kernel's own target over TCP, which keeps an error log.
. "$VM_SCRIPTS/guest.sh"
. "$VM_SCRIPTS/counted.sh"
drive_up || exit 3
target_up || exit 3
cd /tmp || exit 3

# judged NAME PROGRAM FILES...: a program over agree.jq tells lines that differ, then what it compared
judged() {
	local name=$1 program=$2
	shift 2
	jq -rn -L "$VM_SCRIPTS" --slurpfile ours info.json "$@" "include \"agree\"; $program" > out 2> err
	counted "$name: $(tail -n 1 out)" awk 'END { exit !(NR == 1 && $1 == "compared" && $2 > 0) }' out
}

# same NAME THEIRS OURS NEW [PART]: no key of theirs differs; they have keys at all
same() {
	judged "$1" "$3 as \$o | (\$theirs[0]$5) as \$t | differ(\$t; \$o; $4), \"compared \\(counted(\$t))\"" \
		--slurpfile theirs "$2"
}

# each structure of the controller DEVICE with namespaces ID...
agree() {
	local device=$1 name=${1##*/} n=0 id i
	shift
	nvme error-log "/dev/$name" -o json > error.json
	nvme smart-log "/dev/$name" -o json > before.json
	"$NVPROOF" info "$device" --json > info.json
	nvme smart-log "/dev/$name" -o json > after.json
	nvme id-ctrl "/dev/$name" -o json > id-ctrl.json
	same "$name Identify Controller" id-ctrl.json '$ours[0].identify_controller' '{}'
	for ((i = 0; i < $(jq '.psds | length' id-ctrl.json); i++)); do
		same "$name power state $i" id-ctrl.json "(\$ours[0].power_states[$i] | .flags = (if .mxps then 1 else 0 end) + (if .nops then 2 else 0 end))" power_state ".psds[$i]"
	done
	judged "$name SMART" 'outside($t[0]; $after[0]; $ours[0].smart; smart), "compared \(counted($t[0]))"' \
		--slurpfile t before.json --slurpfile after after.json
	# reading itself makes entries, where a target refuses what is optional: by their number
	for i in $(jq '.errors[].error_count | select(. != 0)' error.json); do
		same "$name error $i" error.json "(\$ours[0].error_log[] | select(.error_count | canonical == $i) | .phase_tag = .phase | .status_field |= (hex / 2 | floor))" error "| .errors[] | select(.error_count == $i)"
	done
	for id; do
		nvme id-ns "/dev/$name" -n "$id" -o json > id-ns.json
		same "$name Identify Namespace $id" id-ns.json "\$ours[0].namespaces[$n].identify_namespace" '{}'
		for ((i = 0; i < $(jq '.lbafs | length' id-ns.json); i++)); do
			same "$name namespace $id format $i" id-ns.json "\$ours[0].namespaces[$n].lba_formats[$i]" '{ ds: "lbads" }' ".lbafs[$i]"
		done
		features "$name" ".namespaces[$n].features" "$id"
		n=$((n + 1))
	done
	features "$name" .features 0
}

# "get-feature:0x06 (Volatile Write Cache), Current value:0x00000001", or the value without 0x
features() {
	local name=$1 path=$2 nsid=$3 fid ours theirs
	jq -r "$path[] | \"\(.fid) \(.value)\"" info.json > features
	while read -r fid ours; do
		theirs=$(nvme get-feature "/dev/$name" -n "$nsid" -f "$fid" | sed -n 's/.*value: *\(0x\)\?\([0-9a-f]*\).*/\2/p')
		echo "nvme-cli $theirs, nvproof $ours" > out
		counted "$name feature $fid of namespace $nsid: $ours" test -n "$theirs" -a $((ours)) = $((16#0$theirs))
	done < features
	counted "$name has features of namespace $nsid" test -s features
}

agree /dev/nvme0 1 2
nvme io-passthru /dev/nvme1n1 -o 2 -n 1 --cdw10=0xfffffff0 --cdw11=1 -l 512 -r > out 2> err
agree /dev/nvme1 1
counted "an entry of the error log was compared" test -n "$(jq '.errors[].error_count | select(. != 0)' error.json)"
counted_end
