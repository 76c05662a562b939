#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# coverage.sh: which lines the tests ran, by folder, from what a build with D=cov left beside its objects.
# Files below half are named, as they are where the next test is worth most.
set -euo pipefail
cd "$(dirname "$0")/.."
OUT=$(realpath "${OUT:?}")
find "$OUT/obj" -name '*.gcda' | sort |
	while read -r data; do
		gcov -n -o "$(dirname "$data")" "$data" 2> /dev/null
	done |
	awk -F "[':% ]+" '
		/^File / { file = $2 }
		/^Lines executed/ && file ~ /^(core|cases|pcie|power)\/.*\.c$/ {
			split($0, part, /executed:|% of /); lines = part[3]; ran = lines * part[2] / 100
			folder = file; sub(/\/[^\/]*$/, "", folder)
			all[folder] += lines; hit[folder] += ran; top = file; sub(/\/.*/, "", top)
			total[top] += lines; done[top] += ran
			if (part[2] < 50) low[++nr] = sprintf("  %5.1f %%  %5d lines  %s", part[2], lines, file)
			file = ""
		}
		END {
			for (f in all) printf "%-14s %5.1f %% of %5d lines\n", f, 100 * hit[f] / all[f], all[f] | "sort"
			close("sort")
			for (i = 1; i <= nr; i++) { if (i == 1) print "below half:"; print low[i] }
			n = 0
			for (f in total) { printf "line coverage of %s/: %.1f %% of %d lines\n", f, 100 * done[f] / total[f], total[f]; n++ }
			printf "@counts passed=%d failed=%d skipped=0\n", n, n == 0
			exit n == 0
		}'
