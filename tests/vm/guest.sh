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

# A second controller that is not ours: the kernel's NVMe target over TCP, on a drive in memory. /dev/nvme1.
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
		[ -b /dev/nvme1n1 ] && return 0
		sleep 0.1
	done
	echo "the target did not appear" >&2
	return 1
}
