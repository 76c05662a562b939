#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest (real.sh relay): a campaign on a drive that is not simulated, over the keeper and the relay of the
# slot. QEMU's drive keeps what it acknowledged and counts no loss of power: ACCOUNTING is all that may be found.
set -u
. "$VM_SCRIPTS/guest.sh"
. "$VM_SCRIPTS/counted.sh"
cd /tmp
drive_up || exit 3
modprobe vfio-pci
bdf=$(cat /sys/class/nvme/nvme0/address)
drive=pci:$bdf
port=$(basename "$(dirname "$(realpath "/sys/bus/pci/devices/$bdf")")")

# campaign NAME RELAY OPTION...: its exit code in $code, what it said in said
campaign() {
	local name=$1 relay=$2
	shift 2
	rm -rf "/mnt/out/$name"
	code=0
	timeout 400 "$NVPROOF" powerloss "$drive" --relay "$relay" --allow all --serial S0 --force --trace none \
		-o "/mnt/out/$name" "$@" > said 2>&1 || code=$?
}
cut_and_back() {
	campaign slot "slot:$port" --cycles 12 --phase writes,flush,idle,shutdown,reset,power-on
	[ "$(jq -r 'select(.type == "measure" and .name == "confirmed") | .value' /mnt/out/slot/events.jsonl)" = 12 ] ||
		{ tail -n 20 said; return 1; }
}
found() { jq -r 'select(.type == "finding" and .severity == "fail") | .class' "/mnt/out/$1/events.jsonl" | sort -u | paste -sd ' '; }
only_accounting() { [ "$(found slot)" = ACCOUNTING ] || { found slot; tail -n 30 said; return 1; }; }
switches_nothing() {
	campaign nothing exec:/bin/true --cycles 5
	[ $code = 3 ] && grep -q "the supply did not go in 3 cycles" said || { echo "exit $code"; tail -n 12 said; return 1; }
}
slot_is() { [ "$((0x$(setpci -s "$port" CAP_EXP+18.w) >> 10 & 1))" = "$1" ]; }
# At most so many tenths of a second until the slot is so.
slot_becomes() {
	for _ in $(seq "$2"); do
		! slot_is "$1" || return 0
		sleep 0.1
	done
	echo "the slot is not so after $2 tenths of a second"
	return 1
}
# All of ours dies in the middle of a cut; the keeper is in a session of its own.
killed_while_off() {
	rm -rf /mnt/out/killed
	setsid "$NVPROOF" powerloss "$drive" --relay "slot:$port?off-ms=1" --allow all --serial S0 --force --trace none \
		--off-ms 2000 --cycles 100 --phase writes -o /mnt/out/killed > behind 2>&1 &
	pid=$!
	slot_becomes 1 600 || { cat behind; return 1; }
	kill -9 -- -$pid
	wait $pid 2> /dev/null
	slot_becomes 0 100
}

counted "handed over" "$NVPROOF" bind "$drive" --force
counted "twelve cuts, each seen" cut_and_back
counted "no block lost, and QEMU's counters told of" only_accounting
counted "a relay that switches nothing is broken, not good" switches_nothing
for n in 1 2 3; do
	counted "power is back after SIGKILL of all, time $n" killed_while_off
	timeout 60 flock "/sys/bus/pci/devices/$bdf" true
done
counted "a relay by hand" "$NVPROOF" power cycle "slot:$port" --off-ms 300
counted "handed back" "$NVPROOF" unbind "$drive"
counted_end
