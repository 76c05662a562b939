# SPDX-License-Identifier: GPL-2.0-or-later
# What scripts in the guest share; sourced there.

# controller_of SERIAL: the kernel's name for it ("nvme0"); probing is asynchronous, any of them may be first.
controller_of() {
	local file
	for file in /sys/class/nvme/nvme*/serial; do
		[ "$(tr -d ' ' 2> /dev/null < "$file")" != "$1" ] || basename "$(dirname "$file")"
	done
}

# drive_up [SERIAL]: the driver is a module, nothing touches the drives before this; waits for S0 or that one.
drive_up() {
	local i name
	modprobe nvme
	for ((i = 0; i < 100; i++)); do
		name=$(controller_of "${1:-S0}")
		[ -n "$name" ] && [ -b "/dev/${name}n1" ] && [ -b "/dev/${name}n2" ] && [ -c "/dev/ng${name#nvme}n1" ] &&
			return 0
		sleep 0.1
	done
	echo "no NVMe drive with the serial number ${1:-S0} appeared" >&2
	return 1
}

# A controller that is not ours nor QEMU's: the kernel's NVMe target over TCP, on a drive in memory. Serial T0.
target_up() {
	local nvmet=/sys/kernel/config/nvmet i
	modprobe -a nvmet-tcp nvme-tcp
	modprobe null_blk nr_devices=1 memory_backed=1 gb=1
	mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
	mkdir -p $nvmet/subsystems/nqn.bench/namespaces/1 $nvmet/ports/1
	echo 1 > $nvmet/subsystems/nqn.bench/attr_allow_any_host
	echo T0 > $nvmet/subsystems/nqn.bench/attr_serial
	echo -n /dev/nullb0 > $nvmet/subsystems/nqn.bench/namespaces/1/device_path
	echo 1 > $nvmet/subsystems/nqn.bench/namespaces/1/enable
	echo ipv4 > $nvmet/ports/1/addr_adrfam
	echo tcp > $nvmet/ports/1/addr_trtype
	echo 127.0.0.1 > $nvmet/ports/1/addr_traddr
	echo 4420 > $nvmet/ports/1/addr_trsvcid
	ln -s $nvmet/subsystems/nqn.bench $nvmet/ports/1/subsystems/nqn.bench
	nvme connect -t tcp -n nqn.bench -a 127.0.0.1 -s 4420 > /tmp/connect.out 2>&1 || cat /tmp/connect.out
	for ((i = 0; i < 100; i++)); do
		[ -b "/dev/$(controller_of T0)n1" ] && return 0
		sleep 0.1
	done
	echo "the target did not appear" >&2
	return 1
}
