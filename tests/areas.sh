#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# areas.sh NAME=DIR...: a table of verdicts, a row an area, a column a run directory. In each place stand
# pass/fail/waived/skip/broken: how many; waived are fails that a waiver argues for, the others are not in fail.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: areas.sh NAME=DIR..." >&2; exit 2; }

for arg; do
	jq -r --arg run "${arg%%=*}" 'select(.type == "case.end") |
		[$run, (.case | split(".")[0]), if .waiver then "waived" else .verdict end] | @tsv' \
		"${arg#*=}/events.jsonl"
done | awk -F '\t' -v names="$(printf '%s\t' "${@%%=*}")" '
	{ n[$2, $1, $3]++; n["all", $1, $3]++; area[$2] }
	END {
		runs = split(names, run, "\t") - 1
		split("pass fail waived skip broken", word, " ")
		printf "%-14s", "area"
		for (r = 1; r <= runs; r++)
			printf "  %-16s", run[r]
		print "\n(pass/fail/waived/skip/broken)"
		na = sorted_names(area, sorted)
		sorted[++na] = "all"
		for (a = 1; a <= na; a++) {
			printf "%-14s", sorted[a]
			for (r = 1; r <= runs; r++) {
				cell = ""
				for (i = 1; i <= 5; i++)
					cell = cell (i > 1 ? "/" : "") n[sorted[a], run[r], word[i]] + 0
				printf "  %-16s", cell == "0/0/0/0/0" ? "-" : cell
			}
			print ""
		}
	}
	# mawk has no asorti
	function sorted_names(from, to,   k, i, c) {
		for (k in from) {
			for (i = c; i > 0 && to[i] > k; i--)
				to[i + 1] = to[i]
			to[i + 1] = k
			c++
		}
		return c
	}' | sed 's/ *$//'
