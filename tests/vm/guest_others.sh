# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: somebody resets the controller, or takes it off, while cases run through the kernel's driver. No
# case may say that the drive failed, none may hang, and the kernel's lines stand beside what is broken.
. "$VM_SCRIPTS/guest.sh"
. "$VM_SCRIPTS/counted.sh"
drive_up || exit 3
cd /tmp || exit 3

# begin DIR GLOB [options]: cases in the background, until the first of them is over
begin() {
	local dir=$1 glob=$2 i
	shift 2
	"$NVPROOF" run /dev/nvme0n1 --serial S0 --allow state,data -c "$glob" --waive "$VM_SCRIPTS/qemu.waivers" \
		-o "/mnt/out/$dir" "$@" > out 2> err &
	run=$!
	for ((i = 0; i < 100; i++)); do
		grep -q '"case.end"' "/mnt/out/$dir/events.jsonl" 2> /dev/null && return 0
		kill -0 $run 2> /dev/null || return 1
		sleep 0.1
	done
	return 1
}

# The block device of a controller's first namespace: "nvme0n1" of the path nvme0c1n1, or of itself.
block_of() { ls "/sys/class/nvme/$1" | sed -n 's/^\(nvme[0-9]*\)\(c[0-9]*\)\{0,1\}\(n1\)$/\1\3/p'; }
of() { jq -s "$2" "/mnt/out/$1/events.jsonl"; }
none_fails() { [ "$(of "$1" '[.[] | select(.type == "case.end" and .verdict == "fail" and (has("waiver") | not))] | length')" = 0 ]; }
broken() { of "$1" '[.[] | select(.type == "case.end" and .verdict == "broken")] | length'; }

# resets while features are changed and data is written, one case behind the other
counted "cases begin" begin reset 'io.*' -c 'feature.*' --repeat 6
for i in $(seq 6); do
	echo 1 > /sys/class/nvme/nvme0/reset_controller
	sleep 2
done
rc=0
wait $run || rc=$?
counted "resets by somebody: exit 3 (it was $rc), $(broken reset) broken" test $rc = 3
counted "resets by somebody: no fail" none_fails reset
counted "resets by somebody: cases before or after pass" \
	test "$(of reset '[.[] | select(.type == "case.end" and .verdict == "pass")] | length')" -gt 0
counted "resets by somebody: the kernel's lines are there" \
	jq -es 'any(.[]; .type == "klog" and any(.host.lines[]; test("nvme nvme0: ")))' /mnt/out/reset/events.jsonl
counted "resets by somebody: the drive is as before" "$NVPROOF" run /dev/nvme0n1 -c 'io.first*' -c 'identify.*' \
	--serial S0 --allow data --waive "$VM_SCRIPTS/qemu.waivers" -o /mnt/out/again

# the same with many commands under way
counted "commands at once begin" begin depth 'io.commands-at-once-keep-their-data' --repeat 60
for i in $(seq 6); do
	echo 1 > /sys/class/nvme/nvme0/reset_controller
	sleep 2
done
rc=0
wait $run || rc=$?
counted "resets under commands at once: exit 3 (it was $rc), $(broken depth) broken" test $rc = 3
counted "resets under commands at once: no fail" none_fails depth

# Taken off. The kernel of Debian 12 has a fault of its own: the last close of a controller that was removed
# frees its shadow doorbells (which only emulated controllers have) of a device that is gone. So one more process
# keeps it open until the guest goes off.
sleep infinity 9<> /dev/nvme0 &
address=$(basename "$(readlink -f /sys/class/nvme/nvme0/device)")
counted "cases begin once more" begin removed 'io.*' -c 'feature.*' -c 'log.*' --repeat 6
echo 1 > "/sys/bus/pci/devices/$address/remove"
begun=$SECONDS
rc=0
wait $run || rc=$?
took=$((SECONDS - begun))
counted "taken off: exit 3 (it was $rc), $(broken removed) broken" test $rc = 3
counted "taken off: ended by itself, in $took s" test $rc -lt 128
counted "taken off: no fail" none_fails removed
counted "taken off: at least one is broken" test "$(broken removed)" -gt 0
counted "taken off: its end is in the events" \
	jq -es 'any(.[]; .type == "run.end")' /mnt/out/removed/events.jsonl
echo 1 > /sys/bus/pci/rescan
# Its old number is still held, so controller and namespaces have different ones now.
for i in $(seq 100); do
	name=$(controller_of S0)
	[ -n "$name" ] && [ "$(cat "/sys/class/nvme/$name/state")" = live ] && [ -b "/dev/$(block_of "$name")" ] && break
	sleep 0.1
done
counted "back again, as $name: cases pass" "$NVPROOF" run "/dev/$name" -c 'io.first*' -c 'identify.*' \
	--serial S0 --allow data --waive "$VM_SCRIPTS/qemu.waivers" -o /mnt/out/back
counted_end
