#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# power_defects.sh [GLOB]: every defect of power loss against `nvproof powerloss`: it is found, with a class that its row
# names, and the cycle that showed it is printed. Tried in turn, until one shows it: cuts, resets, the
# phases that erase, and these with a policy, for what no sentence forbids.
set -u
cd "$(dirname "$0")/.." || exit 1
OUT=$(realpath "${OUT:-build}")
glob=${1:-*}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OUT work

# What a campaign cannot see, because it does not save features, or comes too late: the cases that name it do
# (mutants.sh).
by_cases=' cut-blends-saved-features cut-forgets-counters cut-loses-saved-features cut-trim-shows-older
	shutdown-completes-early '

# ways to look, the quick ones first
ways='--cycles 60 --stop-on-fail
--cycles 60 --workload refused --policy sane --stop-on-fail
--cycles 600
--cycles 200 --resets
--cycles 100 --phase format,sanitize,firmware,namespace,self-test
--cycles 100 --phase format,sanitize --policy sane'
export ways

# "class cycle" of the first finding with one of the classes, and a tab, and all classes said
said() {
	jq -r 'select(.type == "finding" and .severity == "fail") | "\(.class) \(.cycle)"' "$1/events.jsonl" | sort -s -n -k 2 |
		awk -v classes="$2" '
			BEGIN { n = split(classes, word, "|"); for (i = 1; i <= n; i++) wanted[word[i]] }
			!($1 in seen) { seen[$1]; all = all " " $1 }
			$1 in wanted && first == "" { first = $1 " " $2 }
			END { print (first == "" ? "-" : first) "\t" all }'
}

look() {
	local d=$1 classes=$2 way code first all
	while read -r way; do
		rm -rf "${work:?}/$d"
		code=0
		# shellcheck disable=SC2086 -- the way is words
		"$OUT/nvproof" powerloss "sim:defect=$d" $way --trace none --quiet -o "$work/$d" > /dev/null 2>&1 || code=$?
		if [ "$classes" = RIG_INVALID ] && [ $code = 3 ]; then
			first="RIG_INVALID 0"
		else
			IFS=$'\t' read -r first all < <(said "$work/$d" "$classes")
		fi
		[ "$first" = - ] || break
	done <<< "$ways"
	rm -rf "${work:?}/$d"
	printf '%s\t%s\t%s\t%s\n' "$d" "$first" "$way" "${all:- nothing}"
}
export -f look said

"$OUT/nvproof" defects --json | jq -r '.defects[] | select(.classes) | [.name, .classes] | @tsv' |
	while IFS=$'\t' read -r d classes; do
		# shellcheck disable=SC2053 -- a glob is meant
		[[ $d != $glob ]] || printf '%s\t%s\n' "$d" "$classes"
	done > "$work/defects"
xargs -P "$(nproc)" -L 1 bash -c 'look "$1" "$2"' look < "$work/defects" > "$work/all"

passed=0 failed=0 skipped=0
echo "defect                                   class                cycle  by"
while IFS=$'\t' read -r d first way all; do
	if [ "$first" != - ]; then
		printf '%-40s %-20s %5s  powerloss %s\n' "$d" "${first% *}" "${first#* }" "$way"
		passed=$((passed + 1))
	elif [[ $by_cases == *[[:space:]]$d[[:space:]]* ]]; then
		printf '%-40s %s\n' "$d" "no campaign sees it; its cases do"
		skipped=$((skipped + 1))
	else
		printf 'BAD  %s: a campaign says%s, its row says %s\n' "$d" "$all" "$(awk -F '\t' -v d="$d" '$1 == d { print $2 }' "$work/defects")"
		failed=$((failed + 1))
	fi
done < <(sort "$work/all")
echo "@counts passed=$passed failed=$failed skipped=$skipped"
[ $failed = 0 ] && [ $passed -gt 0 ]
