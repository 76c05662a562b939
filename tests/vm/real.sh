#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# real.sh [NAME...]: what nvproof does with drives that are not its own, each guest_NAME.sh in a guest of its
# own (default: all but cuts, which takes ten minutes). Prints what each looked at; the last line counts.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$here/drives.sh"
. "$here/nbd.sh"

[ $# -gt 0 ] || set -- safety agree metadata others vfio usb_relay relay
[ -x "$OUT/nvproof" ] && [ -x "$OUT/nvproof-selftest" ] || die "$OUT/nvproof or $OUT/nvproof-selftest is not built"
images=$(mktemp -d "$VM/images.XXXXXX")
to=$BUILD/vm/real
trap 'nbd_end; rm -rf "$images"' EXIT
mkdir -p "$to"
passed=0
failed=0
skipped=0
for name; do
	rm -rf "${to:?}/$name" "$images"/*
	mkdir -p "$to/$name"
	if [ "$name" = cuts ]; then
		truncate -s 32M "$images/nbd"
		nbd_begin "$images/nbd" unit=4096 || die "nbdkit did not come up"
		nbd_drives "$images/nbd-second"
	else
		NS1=$([ $name != metadata ] || echo ms=8,mset=0,pi=1) bench_drives "$images" 512
		truncate -s 32M "$images/512-ns1"
	fi
	cat > "$to/$name.sh" <<-EOG
		export VM_SCRIPTS=$here NVPROOF=$OUT/nvproof PARTS="${PARTS:-}"
		bash $here/guest_$name.sh > /mnt/out/log 2>&1
	EOG
	SHARE=$to/$name LIMIT=${LIMIT:-900} "$here/boot" "$to/$name.sh" "${drives[@]}" || true
	nbd_end
	sed "s/^/$name: /" "$to/$name/log" 2> /dev/null || true
	counts=$(sed -n 's/^@counts passed=\([0-9]*\) failed=\([0-9]*\) .*/\1 \2/p' "$to/$name/log" 2> /dev/null | tail -n 1)
	[ -n "$counts" ] || {
		echo "real: guest_$name.sh did not come to its end; see $to/$name" >&2
		counts="0 1"
	}
	[ ! -e "$to/$name/crashed" ] || {
		echo "$name: skip: the emulator crashed, and all of it was done once more: see $to/$name"
		skipped=$((skipped + 1))
	}
	passed=$((passed + ${counts% *}))
	failed=$((failed + ${counts#* }))
done
echo "@counts passed=$passed failed=$failed skipped=$skipped"
[ $failed = 0 ]
