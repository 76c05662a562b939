# SPDX-License-Identifier: GPL-2.0-or-later
# The bench's drives; sourced. bench_drives DIR makes sparse images in DIR and fills $drives with the
# arguments of QEMU. Controller S0 sits alone below its own root port, so that its slot can be switched:
#   /dev/nvme0n1  the namespace under test
#                 (NS1: more properties of it, as ms=8,pi=1)
#   /dev/nvme0n2  what the guest itself writes and reads, to see that the drive still serves it

bench_bdf=0000:01:00.0	# of S0: the first bus behind the first port

bench_drives() {
	local dir=$1
	truncate -s 256M "$dir/ns1"
	truncate -s 64M "$dir/ns2"
	drives=(-device pcie-root-port,id=rp0,chassis=1,slot=1
		-device nvme,id=n0,serial=S0,bus=rp0
		# Never nvme,drive=: every Copy fails then. Without discard=unmap deallocation does nothing.
		# Without eui64-default a namespace has no identifier at all, which the specification does not allow.
		-drive "file=$dir/ns1,if=none,id=d1,format=raw,discard=unmap" \
			-device "nvme-ns,drive=d1,bus=n0,nsid=1,eui64-default=on${NS1:+,$NS1}"
		-drive "file=$dir/ns2,if=none,id=d2,format=raw,discard=unmap" \
			-device nvme-ns,drive=d2,bus=n0,nsid=2,eui64-default=on)
}
