#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sites.sh: every check site of the sources, one a line: FILE FIRST-LINE LAST-LINE. A site is a use of
# a check or require macro in cases/, or of NVP_INVARIANT in core/drive; a call may take several lines,
# of which compilers report the first or the last.
set -eu
cd "$(dirname "$0")/.."

sites() {
	local pattern=$1
	shift
	[ -e "$1" ] || return 0
	awk -v pattern="$pattern" '
		FNR == 1 { depth = 0 }
		{
			line = $0
			gsub(/\\./, "", line); gsub(/"[^"]*"/, "", line); gsub(/\047[^\047]*\047/, "", line)
			gsub(/\/\*[^*]*\*\//, "", line); sub(/\/\/.*/, "", line)
			if (line ~ /^[ \t]*#/ || line ~ /^[ \t]*\/?\*/)
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

{
	sites '(^|[^A-Za-z0-9_])nvp_(check|require)[a-z0-9_]*[ \t]*\(' cases/*.c
	sites '(^|[^A-Za-z0-9_])NVP_INVARIANT[ \t]*\(' core/drive/*.c
} | sort -u
