#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# headers.sh: every public header compiles alone, as C and as C++, warnings as errors, and twice over.
set -u
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-gcc}
CXX=${CXX:-g++}
flags=(-Wall -Wextra -Werror -Wundef -Wvla -Wformat=2 -fsyntax-only -I include)
passed=0 failed=0

one() {
	local what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $what"
	fi
}

as_c() { printf '#include <nvproof/%s>\n#include <nvproof/%s>\n' "$1" "$1" | $CC -std=gnu11 -Wshadow -Wmissing-prototypes -Wstrict-prototypes "${flags[@]}" -x c -; }
# without -Wshadow: a function beside a struct of its name (as stat) is usual in C, a warning in C++ alone
as_cxx() { printf '#include <nvproof/%s>\n#include <nvproof/%s>\n' "$1" "$1" | "$CXX" -std=c++17 "${flags[@]}" -x c++ -; }

for h in include/nvproof/*.h; do
	h=${h##*/}
	one "$h as C" as_c "$h"
	one "$h as C++" as_cxx "$h"
done
echo "@counts passed=$passed failed=$failed skipped=0"
[ $failed = 0 ] && [ $passed -gt 0 ]
