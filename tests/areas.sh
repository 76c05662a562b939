#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# areas.sh NAME=DIR...: a table of verdicts, a row an area, a column a run directory.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: areas.sh NAME=DIR..." >&2; exit 2; }

for arg; do
	jq -r --arg run "${arg%%=*}" 'select(.type == "case.end") |
		[$run, (.case | split(".")[0]), .verdict + (if .waiver then " (waived)" else "" end)] | @tsv' \
		"${arg#*=}/events.jsonl"
done | awk -F '\t' -v names="$(printf '%s\t' "${@%%=*}")" '
	{ n[$2, $1, $3]++; area[$2]; verdict[$3] }
	END {
		runs = split(names, run, "\t") - 1
		printf "%-14s", "area"
		for (r = 1; r <= runs; r++)
			printf "  %-36s", run[r]
		print ""
		order = split("pass fail fail_(waived) broken skip", v, " ")
		na = asorti_(area, sorted)
		for (a = 1; a <= na; a++) {
			printf "%-14s", sorted[a]
			for (r = 1; r <= runs; r++) {
				cell = ""
				for (i = 1; i <= order; i++) {
					word = v[i]; sub("_", " ", word)
					if (n[sorted[a], run[r], word])
						cell = cell (cell ? ", " : "") n[sorted[a], run[r], word] " " word
				}
				printf "  %-36s", cell ? cell : "-"
			}
			print ""
		}
	}
	# mawk has no asorti
	function asorti_(from, to,   k, i, j, c) {
		for (k in from) {
			for (i = c; i > 0 && to[i] > k; i--)
				to[i + 1] = to[i]
			to[i + 1] = k
			c++
		}
		return c
	}' | sed 's/ *$//'
