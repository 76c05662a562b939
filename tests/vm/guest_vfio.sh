#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest (real.sh vfio): who may have the drive, deep queues, resets and lost power of the slot in the
# middle of I/O, the drive taken away by the kernel, a killed run. PARTS="resets power" picks some of it.
set -u
. "$VM_SCRIPTS/guest.sh"
. "$VM_SCRIPTS/counted.sh"
cd /tmp
drive_up || exit 3
modprobe vfio-pci
bdf=$(cat /sys/class/nvme/nvme0/address)
drive=pci:$bdf
function=/sys/bus/pci/devices/$bdf
export NVP_SLOT="bash $VM_SCRIPTS/slot.sh $(basename "$(dirname "$(realpath "$function")")")"

# says CODE TEXT COMMAND...: the command ends with CODE and says TEXT
says() {
	local code=$1 text=$2 rc=0
	shift 2
	timeout 400 "$@" > said 2>&1 || rc=$?
	[ $rc = "$code" ] && grep -qF -e "$text" said && return
	echo "exit $rc, expected $code and '$text'"
	tail -n 12 said
	return 1
}
# rough NAME: one of the cases that only the test program has (tests/cases/rough.c)
rough() {
	rm -rf "/mnt/out/$1"
	says 0 "1 pass" "$NVPROOF-selftest" run $drive -c "runner.rough-$1" --allow all --serial S0 --force -o "/mnt/out/$1"
}
# rough_behind NAME: the same in the background, in the middle of its case when this is over, and in it until
# `ended`; pid is its leader.
rough_behind() {
	local i
	rm -rf run.$1 enough
	NVP_UNTIL=$PWD/enough setsid "$NVPROOF-selftest" run $drive -c "runner.rough-$1" --allow all --serial S0 --force \
		-o run.$1 > behind 2>&1 &
	pid=$!
	for ((i = 0; i < 1200; i++)); do
		grep -q '"case.begin"' run.$1/events.jsonl 2> /dev/null && return
		kill -0 $pid 2> /dev/null || break
		sleep 0.1
	done
	counted "the run in the background began its case" false
	sed 's/^/    /' behind
}
# ended CODE: the run in the background ends, with CODE
ended() {
	local rc=0
	touch enough
	wait $pid || rc=$?
	[ $rc = "$1" ] || { echo "exit $rc, expected $1"; tail -n 20 behind; return 1; }
}
driver_is() { [ "$(basename "$(readlink $function/driver)")" = "$1" ]; }
bound() { driver_is vfio-pci || says 0 "vfio-pci has it" "$NVPROOF" bind $drive; }
times() { grep -ho "$2" "/mnt/out/$1/events.jsonl" | sort -u -k3,4 | sed 's/^/    /'; }

# Nobody while it is used, none but one of us at a time.
part_owners() {
	counted "not handed over: the line says what to do" says 2 "nvproof bind $drive" "$NVPROOF" run $drive
	counted "another function is no drive" says 2 "no NVMe controller" "$NVPROOF" bind pci:0000:00:1f.2
	mkswap /dev/nvme0n2 > /dev/null && swapon /dev/nvme0n2
	counted "swap is never handed over" says 4 "is used for swap" "$NVPROOF" bind /dev/nvme0 --force
	swapoff /dev/nvme0n2
	counted "a signature: only by force" says 4 "--force" "$NVPROOF" bind $drive
	counted "what was refused is still with nvme" driver_is nvme
	counted "handed over by force" says 0 "vfio-pci has it" "$NVPROOF" bind /dev/nvme0 --force
	counted "handed over twice" says 0 "vfio-pci has it" "$NVPROOF" bind $drive
	counted "our own driver sees the signature" says 4 "namespace 2 carries the signature of swap" \
		"$NVPROOF" run $drive -c 'io.*' --allow data --serial S0
	counted "another serial number" says 4 "serial S9" "$NVPROOF" run $drive -c 'io.*' --allow data --serial S9 --force
	rough_behind deep-queues-carry-data
	counted "a second of us" says 4 "another nvproof works on it" "$NVPROOF" run $drive -c 'identify.*'
	counted "not handed back while it is used" says 4 "another nvproof works on it" "$NVPROOF" unbind $drive
	counted "the run in the background passed all the same" ended 0
	counted "handed back" says 0 "nvme has it" "$NVPROOF" unbind $drive
	drive_up
	dd if=/dev/zero of=/dev/nvme0n2 bs=64k count=1 oflag=direct status=none
}

# What can be seen of it while vfio-pci has it, and what keeps a user from it.
part_views() {
	counted "list says who has it" says 0 "vfio-pci" "$NVPROOF" list
	counted "info asks it through our own driver" says 0 "QEMU NVMe Ctrl" "$NVPROOF" info $drive
	counted "too little memory that may be locked: the line says what to do" says 2 "ulimit -l unlimited" \
		setpriv --bounding-set -ipc_lock prlimit --memlock=1048576 "$NVPROOF" info $drive
	counted "enough of it will do, without the right to pass the limit" says 0 "QEMU NVMe Ctrl" \
		setpriv --bounding-set -ipc_lock prlimit --memlock=268435456 "$NVPROOF" info $drive
}

part_deep() {
	counted "eight queues of 256 carry data" rough deep-queues-carry-data
	counted "what will be lost, how much is written and for how long are said first" said_first
}
said_first() {
	grep -q 'allowed on serial S0: .*will be lost: at most 64 MiB written by 1 case; about 1 minute$' said
}

part_resets() {
	counted "resets of all kinds in the middle of I/O" rough resets-lose-nothing
	times resets-lose-nothing 'reset [0-9] took [0-9]* ms'
}

part_power() {
	counted "the slot's power lost twenty times" rough lost-power-is-recovered
	$NVP_SLOT on
	times lost-power-is-recovered 'usable again after [0-9]* ms'
	counted "its file was kept, not enumerated anew" came_back "opened again"
	NVP_SLOT_OFF=out counted "the function taken out of the kernel's list with it, twenty times" \
		rough lost-power-is-recovered
	counted "enumerated anew" came_back "enumerated and opened anew"
}
came_back() { grep -h "the drive came back: .*$1" /mnt/out/lost-power-is-recovered/events.jsonl; }

# The kernel wants its function back while we work with it: we let go at once, and the run says so.
take_away() { timeout 60 bash -c "echo $bdf > /sys/bus/pci/drivers/vfio-pci/unbind"; }
has_none() { [ ! -e $function/driver ]; }
part_taken() {
	rough_behind deep-queues-carry-data
	counted "the kernel is given its function back" take_away
	counted "the run ended with 3" ended 3
	counted "what was taken from us stays taken" has_none
	echo $bdf > /sys/bus/pci/drivers_probe
}

kill_it() {
	rough_behind deep-queues-carry-data
	kill -9 -- -$pid
	wait $pid 2> /dev/null
	# The worker may still be on its way out of the kernel: gone is who has let the lock go.
	timeout 60 flock $function true
}
# After SIGKILL of all our processes the kernel has stopped the drive, and the next run finds it in order.
part_killed() {
	kill_it
	counted "a run after one that was killed" says 0 "0 fail" \
		"$NVPROOF" run $drive -c 'identify.*' --waive "$VM_SCRIPTS/qemu.waivers"
	kill_it
	counted "handed back after one that was killed" says 0 "nvme has it" "$NVPROOF" unbind $drive
}

for part in ${PARTS:-owners views deep resets power taken killed}; do
	[ $part = owners ] || bound || break
	part_$part
done
driver_is nvme || counted "handed back at the end" says 0 "nvme has it" "$NVPROOF" unbind $drive
counted "the kernel's driver has it" drive_up
counted "the guest's own I/O is good" bash "$VM_SCRIPTS/after.sh"
counted_end
