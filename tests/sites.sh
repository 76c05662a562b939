#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sites.sh: every check site of the sources, one a line: FILE FIRST-LINE LAST-LINE. A site is a use of
# a check or require macro in cases/ (also through a macro that cases/ defines itself), or of
# NVP_INVARIANT in core/drive; a call may take several lines, of which compilers report the first or
# the last.
set -eu
cd "$(dirname "$0")/.."

sites() {
	local pattern=$1
	shift
	[ -e "${1:-}" ] || return 0
	awk -v pattern="$pattern" '
		FNR == 1 { depth = 0; define = 0 }
		{
			line = $0
			gsub(/\\./, "", line); gsub(/"[^"]*"/, "", line); gsub(/\047[^\047]*\047/, "", line)
			gsub(/\/\*[^*]*\*\//, "", line); sub(/\/\/.*/, "", line)
			if (define || line ~ /^[ \t]*#/) {
				define = $0 ~ /\\$/
				next
			}
			if (line ~ /^[ \t]*\/?\*/)
				next
			while (length(line)) {
				if (!depth) {
					if (!match(line, pattern))
						break
					line = substr(line, RSTART + RLENGTH)
					first = FNR
					depth = 1
				}
				if (!match(line, /[()]/))
					break
				depth += substr(line, RSTART, 1) == "(" ? 1 : -1
				line = substr(line, RSTART + 1)
				if (!depth)
					print FILENAME, first, FNR
			}
		}' "$@"
}

# names of macros that hold a check: their uses are the sites, not their definitions
own_macros() {
	cat /dev/null cases/*.[ch] 2> /dev/null | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' |
		sed -nE 's/^[ \t]*#[ \t]*define[ \t]+([A-Za-z0-9_]+)\(.*nvp_(check|require)[a-z0-9_]*[ \t]*\(.*/\1/p' | paste -sd '|'
}

# `nvp_done_at` and the like are no checks: they tell a command that did not travel.
checks='nvp_(check|require)[a-z0-9_]*'
own=$(own_macros)
shopt -s nullglob
cases=(cases/*.[ch])
{
	[ ${#cases[@]} = 0 ] || sites "(^|[^A-Za-z0-9_])($checks${own:+|$own})[ \t]*\\(" "${cases[@]}"
	sites '(^|[^A-Za-z0-9_])NVP_INVARIANT[ \t]*\(' core/drive/*.c
} | sort -u
