# SPDX-License-Identifier: GPL-2.0-or-later
# The bench's drives; sourced. bench_drives DIR FORM... makes sparse images in DIR and fills $drives with the
# arguments of QEMU: for each form a controller with two namespaces, the first under test, alone below a root
# port of its own, so that its slot can be switched and its IOMMU group holds nothing else.
#   512       as most drives come (NS1: more properties of its first namespace, as ms=8,pi=1)
#   4096      larger blocks
#   metadata  8 bytes in a buffer of their own, protection information of type 1
#   extended  64 bytes behind the data of each block, protection information of type 2 in the first of them
#   zoned     64 zones of 4 MiB, 3 MiB of each usable; 8 open, 16 active
#   nvmet     the kernel's NVMe target over TCP; the guest makes it (target_up in guest.sh)

bench_all=(512 4096 metadata extended zoned nvmet)

# Serial number, properties of the first namespace, and of the second; no controller of QEMU: the serial alone.
bench_form() {
	case $1 in
	512) echo "S0|${NS1:-}|" ;;
	4096) echo "S1|logical_block_size=4096,physical_block_size=4096|logical_block_size=4096,physical_block_size=4096" ;;
	metadata) echo "S2|ms=8,mset=0,pi=1|ms=16,mset=0" ;;
	extended) echo "S3|logical_block_size=4096,physical_block_size=4096,ms=64,mset=1,pi=2,pil=1|ms=8,mset=1" ;;
	zoned) echo "S4|zoned=on,zoned.zone_size=4M,zoned.zone_capacity=3M,zoned.max_open=8,zoned.max_active=16|" ;;
	nvmet) echo T0 ;;
	*) die "form '$1': one of ${bench_all[*]}" ;;
	esac
}

# bench_ns DIR FORM NSID SIZE PROPERTIES. Never nvme,drive=: every Copy fails then. Without discard=unmap
# deallocation does nothing. Without eui64-default a namespace has no identifier at all, which the
# specification does not allow.
bench_ns() {
	truncate -s "$4" "$1/$2-ns$3"
	drives+=(-drive "file=$1/$2-ns$3,if=none,id=d$2-$3,format=raw,discard=unmap"
		-device "nvme-ns,drive=d$2-$3,bus=n$2,nsid=$3,eui64-default=on${5:+,$5}")
}

bench_drives() {
	local dir=$1 slot=0 form words serial first second
	shift
	drives=()
	for form; do
		words=$(bench_form "$form") || exit 3
		[ "$form" != nvmet ] || continue
		IFS='|' read -r serial first second <<< "$words"
		slot=$((slot + 1))
		drives+=(-device "pcie-root-port,id=rp$slot,chassis=1,slot=$slot"
			-device "nvme,id=n$form,serial=$serial,bus=rp$slot")
		bench_ns "$dir" "$form" 1 256M "$first"
		bench_ns "$dir" "$form" 2 64M "$second"
	done
}
