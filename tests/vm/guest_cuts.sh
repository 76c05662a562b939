#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest (real.sh cuts): the supply of QEMU's drive cut under work, with a volatile cache behind it that loses
# what it may (nbd_volatile.c), and one that loses more: each fault is found, and has one of its classes.
# PARTS="honest old" picks some of it.
set -u
. "$VM_SCRIPTS/guest.sh"
. "$VM_SCRIPTS/counted.sh"
cd /tmp
drive_up || exit 3
modprobe -a vfio-pci virtio_console
bdf=$(cat /sys/class/nvme/nvme0/address)
drive=pci:$bdf
export NBD_PORT
NBD_PORT=$(basename "$(dirname "$(realpath "/sys/bus/pci/devices/$bdf")")")
control=/dev/$(basename "$(dirname "$(grep -lx nbd /sys/class/virtio-ports/*/name)")")
fault() { exec 3<> "$control" && echo "fault $1" >&3 && read -r -t 10 answer <&3 && exec 3>&- && [ "$answer" = ok ]; }

# campaign NAME CUTS OPTION...: all of them seen
campaign() {
	local name=$1 cuts=$2
	shift 2
	rm -rf "/mnt/out/$name"
	timeout 600 "$NVPROOF" powerloss "$drive" --relay "exec:$VM_SCRIPTS/nbd_relay.sh" --allow all --serial S0 --force \
		--trace none --cycles "$cuts" -o "/mnt/out/$name" "$@" > said 2>&1
	[ "$(jq -r 'select(.type == "measure" and .name == "confirmed") | .value' "/mnt/out/$name/events.jsonl")" = "$cuts" ] ||
		{ tail -n 20 said; return 1; }
}
# What QEMU itself does wrong, and is found each time: it counts neither losses of power nor power cycles
# (ACCOUNTING), and its writes know no FUA (hw/nvme/ctrl.c, nvme_do_write: the bit is not looked at; LOST_FUA).
classes() {
	jq -r 'select(.type == "finding" and .severity == "fail") | .class' "/mnt/out/$1/events.jsonl" | sort -u |
		grep -vxE 'ACCOUNTING|LOST_FUA' | paste -sd '|'
}
honest() {
	fault none && campaign honest 20 --phase writes,flush,idle,shutdown,power-on || return 1
	[ -z "$(classes honest)" ] || { classes honest; tail -n 30 said; return 1; }
}
lost_something() { grep -q 'positive control: unflushed data was lost in [1-9]' said || { grep -i 'control' said; return 1; }; }
# found FAULT CLASS|CLASS..: one of these at least
found() {
	fault "$1" && campaign "$1" 6 --phase writes,flush --workload flush,mixed || return 1
	[[ "|$(classes "$1")|" =~ \|($2)\| ]] || { echo "$1: $(classes "$1")"; tail -n 30 said; return 1; }
	echo "$1: $(classes "$1")"
	fault none
}
wrong_order() {
	fault none && NBD_ORDER=wrong campaign wrong 6 --phase writes --workload flush || return 1
	[[ "|$(classes wrong)|" == *LOST_* ]] || { tail -n 30 said; return 1; }
}

counted "handed over" "$NVPROOF" bind "$drive" --force
for part in ${PARTS:-honest drops tears old misplaces wrong}; do
	case $part in
	honest)
		counted "twenty cuts of an honest cache, nothing lost that may not be" honest
		counted "and it did lose what it may" lost_something
		;;
	drops) counted "flushes that leave something behind" found drops 'LOST_FLUSHED|LOST_ACKED|STALE_RESURRECT' ;;
	tears) counted "blocks torn at 512 bytes" found tears 'TORN_SUBLB|BITROT' ;;
	old) counted "flushed data that is old again" found old 'LOST_FLUSHED|STALE_RESURRECT|REGRESSED' ;;
	misplaces) counted "writes that go elsewhere" found misplaces 'FLYING|PHANTOM|COLLATERAL|LOST_FLUSHED' ;;
	wrong) counted "in the wrong order the bench itself loses data" wrong_order ;;
	esac
done
counted_end
