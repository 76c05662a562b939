# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: a namespace with protection information in metadata of its own buffer, through the kernel's
# driver and through ours.
. "$VM_SCRIPTS/guest.sh"
. "$VM_SCRIPTS/counted.sh"
cd /tmp || exit 3
drive_up || exit 3
modprobe vfio-pci
bdf=$(cat /sys/class/nvme/nvme0/address)

# cases DRIVE NAME: none fails or is broken but by a waiver, and metadata was moved at all
cases() {
	local rc=0
	"$NVPROOF" run "$1" --serial S0 --allow state,data,reset --waive "$VM_SCRIPTS/qemu.waivers" \
		-c 'protection.*' -o "/mnt/out/$2" > out 2> err || rc=$?
	counted "$2: $(grep ' pass, ' out)" test $rc = 0
	counted "$2: metadata moves" grep -q '^pass *protection.right-information-passes' out
}
cases /dev/nvme0n1 kernel
"$NVPROOF" bind "pci:$bdf" > out 2> err
cases "pci:$bdf" vfio
counted_end
