# SPDX-License-Identifier: GPL-2.0-or-later
# What scripts in the guest share; sourced there.

# The driver is a module: nothing touches the drive before this.
drive_up() {
	local i
	modprobe nvme
	for ((i = 0; i < 100; i++)); do
		[ -b /dev/nvme0n1 ] && [ -b /dev/nvme0n2 ] && [ -c /dev/ng0n1 ] && return 0
		sleep 0.1
	done
	echo "no NVMe drive appeared" >&2
	return 1
}
