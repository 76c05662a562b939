#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mutants.sh: has every check been seen to fail? Runs all cases on the healthy simulated drive (each
# passes or is skipped), and each defect against the cases whose `.catches` names it (each fails).
# Bad are: a case that no defect can fail, a defect that no case catches, and more open check sites
# (never made to fail by any defect) than tests/mutants.expect permits. DEFECT=glob takes a part.
set -euo pipefail
cd "$(dirname "$0")/.."
OUT=$(realpath "${OUT:-build}")
glob=${DEFECT:-*}
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${WORK:-}" ] || trap 'rm -rf "$work"' EXIT
nvproof=$OUT/nvproof
bad=0 good=0

complain() {
	echo "BAD  $*"
	bad=$((bad + 1))
}

"$nvproof" cases --json > "$work/cases.json"
"$nvproof" defects --json > "$work/defects.json"
jq -r '.cases[].id' "$work/cases.json" > "$work/cases"
jq -r '.defects[].name' "$work/defects.json" | sort > "$work/defects"
# A name in .catches may carry parameters: stuck-phase:after=3
jq -r '.cases[] | .id as $c | (.catches // [])[] | [., $c] | @tsv' "$work/cases.json" | sort -u > "$work/pairs"
[ -s "$work/cases" ] && [ -s "$work/defects" ] || { echo "mutants: no cases or no defects" >&2; exit 1; }

# --- the healthy drive ------------------------------------------------------------------------------

healthy='sim: sim:lba=4096 sim:ns=2 sim:vwc=off sim:profile=minimal'

# run_one FOLDER ADDRESS [CASE...]: a run whose events are kept; its exit code goes beside them
run_one() {
	local to=$1 address=$2 rc=0 globs=() c
	shift 2
	for c; do globs+=(-c "$c"); done
	"$NVPROOF" run "$address" "${globs[@]}" -o "$to" > "$to.out" 2> "$to.err" || rc=$?
	echo $rc > "$to.rc"
}
export -f run_one
export NVPROOF=$nvproof

verdicts() { jq -r 'select(.type == "case.end") | [.case, .verdict, .reason // ""] | @tsv' "$1/events.jsonl"; }

if [ "$glob" = '*' ]; then
	for address in $healthy; do
		printf '%s\0' "$work/healthy-${address//[^a-z0-9=]/_}" "$address"
	done | xargs -0 -n 2 -P 2 bash -c 'run_one "$@"' run_one
	for address in $healthy; do
		to=$work/healthy-${address//[^a-z0-9=]/_}
		if [ "$(cat "$to.rc")" = 0 ]; then good=$((good + 1)); else
			complain "healthy $address: exit $(cat "$to.rc")"
			tail -n 5 "$to.err"
		fi
		[ -e "$to/events.jsonl" ] || continue
		while IFS=$'\t' read -r c verdict reason; do
			case $verdict in
			pass | skip) ;;
			*) complain "healthy $address: $c is $verdict: $reason" ;;
			esac
		done < <(verdicts "$to")
	done
fi

# --- each defect --------------------------------------------------------------------------------------

cut -f 1 "$work/pairs" | sort -u > "$work/caught-by-name"
while read -r d; do
	# shellcheck disable=SC2053 -- a glob is meant
	[[ ${d%%:*} == $glob ]] || continue
	mapfile -t by < <(awk -F '\t' -v d="$d" '$1 == d { print $2 }' "$work/pairs")
	echo "$work/d-$d sim:defect=$d ${by[*]}"
done < "$work/caught-by-name" > "$work/jobs"
xargs -P 2 -d '\n' -n 1 bash -c 'run_one $1' run_one < "$work/jobs"

: > "$work/seen"
while read -r to address by; do
	d=${address#sim:defect=}
	grep -qx -e "${d%%:*}" "$work/defects" || { complain "${by%% *} names the defect '$d', which does not exist"; continue; }
	[ -e "$to/events.jsonl" ] || { complain "$d: no run: $(tail -n 1 "$to.err")"; continue; }
	verdicts "$to" > "$to.verdicts"
	for c in $by; do
		# any variant that fails will do
		if awk -F '\t' -v c="$c" '($1 == c || index($1, c "@") == 1) && $2 == "fail" { hit = 1 } END { exit !hit }' "$to.verdicts"; then
			good=$((good + 1))
			printf '%s\t%s\tF\n' "$d" "$c" >> "$work/seen"
		else
			what=$(awk -F '\t' -v c="$c" '$1 == c || index($1, c "@") == 1 { print $2 ": " $3; exit }' "$to.verdicts")
			complain "$d: $c should fail, it is ${what:-not run}"
			printf '%s\t%s\t!\n' "$d" "$c" >> "$work/seen"
		fi
	done
done < "$work/jobs"

if [ "$glob" = '*' ]; then
	while read -r d; do
		grep -qE "^$d(:|$)" "$work/caught-by-name" || complain "no case catches the defect $d"
	done < "$work/defects"
	while read -r c; do
		awk -F '\t' -v c="$c" '$2 == c { hit = 1 } END { exit !hit }' "$work/pairs" || complain "no defect can fail the case $c"
	done < "$work/cases"
fi

# --- the matrix ---------------------------------------------------------------------------------------

echo
echo "Defects against the cases that name them: F the case failed, ! it did not."
awk -F '\t' '
	FILENAME ~ /cases$/ { id[++n] = $1; next }
	{ seen[$1, $2] = $3; if (!($1 in known)) { known[$1]; d[++m] = $1 } }
	END {
		printf "%-44s ", ""
		for (i = 1; i <= n; i++) printf "%s", i % 10 ? (i % 5 ? " " : ".") : int(i / 10) % 10
		print ""
		for (j = 1; j <= m; j++) {
			row = ""
			for (i = 1; i <= n; i++) row = row ((d[j], id[i]) in seen ? seen[d[j], id[i]] : "\302\267")
			printf "%-44s %s\n", d[j], row
		}
		print ""
		for (i = 1; i <= n; i++) printf "%4d %s\n", i, id[i]
	}' "$work/cases" "$work/seen"

# --- open check sites -----------------------------------------------------------------------------------

tests/sites.sh > "$work/sites"
cat "$work"/d-*/events.jsonl 2> /dev/null | jq -r 'select(.type == "check" and .ok == false) | .site' | sort -u |
	sed -E 's,^.*/((cases|core/drive)/),\1,; s/:([0-9]+)$/ \1/' > "$work/fired"
awk 'FNR == NR { fired[$1] = fired[$1] " " $2; next }
	{
		n = split(fired[$1], at, " "); hit = 0
		for (i = 1; i <= n; i++)
			if (at[i] + 0 >= $2 && at[i] + 0 <= $3)
				hit = 1
		if (!hit)
			print $1 ":" $2
	}' "$work/fired" "$work/sites" > "$work/open"
sites=$(wc -l < "$work/sites") open=$(wc -l < "$work/open")
echo
echo "Check sites: $sites, open (no defect has made them fail): $open"
sed 's/^/  /' "$work/open"
if [ "$glob" = '*' ]; then
	allowed=$(cat tests/mutants.expect)
	[ "$sites" -gt 0 ] || complain "the sources hold no check site"
	if [ "$open" -gt "$allowed" ]; then
		complain "$open open check sites, tests/mutants.expect permits $allowed"
	else
		good=$((good + 1))
		[ "$open" = "$allowed" ] || echo "tests/mutants.expect may go down from $allowed to $open"
	fi
fi
echo "@counts passed=$good failed=$bad skipped=0"
[ $bad = 0 ]
