#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest, after the cases: the drive must still serve the guest's own reads and writes, past its
# page cache, and the kernel must have nothing to say about itself or the drive.
set -u
. "$(dirname "$0")/guest.sh"
name=$(controller_of S0)
bad=0
check() {
	local what=$1
	shift
	if "$@" > /tmp/after.out 2>&1; then echo "ok: $what"; else
		echo "not ok: $what"
		sed 's/^/    /' /tmp/after.out
		bad=1
	fi
}

head -c 4M /dev/urandom > /tmp/written
round_trip() {
	dd if=/tmp/written of="$1" bs=64k oflag=direct conv=fsync status=none &&
		dd if="$1" of=/tmp/read bs=64k count=64 iflag=direct status=none &&
		cmp /tmp/written /tmp/read
}
kernel_content() {
	! dmesg | grep -nE 'Oops|BUG:|WARNING:|Call Trace|general protection|hung task|nvme.*(I/O .*timeout|controller is down|Removing after|Abort status)'
}
check "the guest writes and reads /dev/${name}n1" round_trip "/dev/${name}n1"
check "the guest writes and reads /dev/${name}n2" round_trip "/dev/${name}n2"
check "Identify still answers" nvme id-ctrl "/dev/$name"
check "SMART log still answers" nvme smart-log "/dev/$name"
check "the controller is live" grep -qx live "/sys/class/nvme/$name/state"
check "the kernel log is clean" kernel_content
exit $bad
