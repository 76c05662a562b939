#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# total.sh RESULTS...: prints `N passed, N failed, N skipped` over the results files; ends with 1 when
# something failed, when nothing passed, or when a file is missing.
set -u
cat "$@" | awk '
	$1 == "PASS" { p += $3 }
	$1 == "FAIL" { f += $3 }
	$1 == "SKIP" { s += $3 }
	END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p == 0 }'
status=("${PIPESTATUS[@]}")
[ "${status[0]}" = 0 ] && [ "${status[1]}" = 0 ]
