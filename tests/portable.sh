#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# portable.sh TRIPLET [EMULATOR]: the unit tests of bytes and words (core/base and core/nvme without
# outside libraries) built by TRIPLET-gcc, static, and run here, by an emulator where one is named (not
# every kernel runs programs of 32 bits).
# For s390x-linux-gnu, whose highest byte comes first, and i686-linux-gnu, whose pointers have 32 bits.
set -euo pipefail
cd "$(dirname "$0")/.."
triplet=$1 emulator=${2:-}
work=${OUT:-build}/portable/$triplet
suites='build clock decode_id decode_log err field_bits manage parse prp rand status text'
mkdir -p "$work"
# libnvme's layouts are headers alone; nothing else of this machine's include folder may be seen
rm -rf "$work/include" && mkdir "$work/include"
ln -s "$(pkg-config --variable=includedir libnvme)/nvme" "$work/include/nvme"
ln -s "$(pkg-config --variable=includedir libnvme)/libnvme.h" "$work/include/libnvme.h"
{
	echo '#include "tests/unit/unit.h"'
	for s in $suites; do echo "extern CU_TestInfo nvp_unit_$s[];"; done
	echo 'const struct nvp_unit_suite nvp_unit_suites[] = {'
	for s in $suites; do echo "	{ \"$s\", nvp_unit_$s },"; done
	echo '	{ 0, 0 }'
	echo '};'
} > "$work/suites.c"
sources=("$work/suites.c" tests/portable/main.c)
for s in $suites; do sources+=("tests/unit/test_$s.c"); done
for f in core/base/*.c core/nvme/*.c; do
	case $f in
	# ISA-L, inih, liburing, json-c, and what stands on them
	core/base/checksum.c | core/base/firmware_image.c | core/base/ini.c | core/base/stamp*.c | core/base/uring*.c | core/nvme/golden*.c | core/nvme/pi.c) ;;
	*) sources+=("$f") ;;
	esac
done
"$triplet-gcc" -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -static \
	-I include -I . -isystem tests/portable -isystem "$work/include" -o "$work/unit" "${sources[@]}" -lm
$emulator "$work/unit"
