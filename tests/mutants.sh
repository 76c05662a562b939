#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mutants.sh: has every check been seen to fail? Runs all cases on the healthy simulated drive (each
# passes or is skipped) and on a drive with each defect: the cases whose `.catches` names it fail, on
# one form of the drive at least. All of it with --policy sane, so that what the specification only
# recommends is seen to fail too.
# What campaigns say of a defect of power loss has one of the classes of its row, and the first cycle
# that said it is printed; power_defects.sh asks the command itself about those that cases show without.
# Bad are: a case that no defect can fail, a defect that no case catches, and more open check sites
# (never made to fail by any defect) than tests/mutants.expect permits. DEFECT=glob takes a part;
# EVERY=N each Nth defect, for slow builds;
# ALL=yes runs every case on each wrong drive, not only those that name the defect (about an hour).
set -euo pipefail
cd "$(dirname "$0")/.."
OUT=$(realpath "${OUT:-build}")
glob=${DEFECT:-*}
every=${EVERY:-1}
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
rm -f "$work/bad" "$work/unknown"
[ -n "${WORK:-}" ] || trap 'rm -rf "$work"' EXIT
nvproof=$OUT/nvproof
bad=0 good=0

complain() {
	echo "BAD  $*" | tee -a "$work/bad"
	bad=$((bad + 1))
}

"$nvproof" cases --json > "$work/cases.json"
"$nvproof" defects --json > "$work/defects.json"
jq -r '.cases[].id' "$work/cases.json" > "$work/cases"
# what leaves a cut unconfirmed makes cycles broken, no case fail: power_defects.sh and cli/powerloss.sh show that
jq -r '.defects[] | select(.classes != "RIG_INVALID") | .name' "$work/defects.json" | sort > "$work/defects"
# A name in .catches may carry parameters: stuck-phase:after=3
jq -r '.cases[] | .id as $c | (.catches // [])[] | [., $c] | @tsv' "$work/cases.json" | sort -u > "$work/pairs"
[ -s "$work/cases" ] && [ -s "$work/defects" ] || { echo "mutants: no cases or no defects" >&2; exit 1; }

# forms of the drive; a defect is first looked for on the first, then on the others
forms='sim: sim:ns=2 sim:lba=4096 sim:vwc=off sim:profile=minimal sim:profile=ocp sim:pi=1'

# golden_of ADDRESS: the golden Identify file of that form without a defect
golden_of() {
	local form
	form=$(sed -E 's/,?defect=[^,]*//; s/:,/:/' <<< "$1")
	echo "$GOLDEN_DIR/golden-${form//[^a-z0-9=]/_}"
}
export -f golden_of
export GOLDEN_DIR=$work
for form in $forms; do
	rm -f "$(golden_of "$form")"
	"$nvproof" info "$form" --save "$(golden_of "$form")" > /dev/null
done

# run_one FOLDER ADDRESS [CASE...]: a run; leaves FOLDER.rc, .verdicts (case, verdict, reason) and .fired
run_one() {
	local to=$1 address=$2 rc=0 globs=() c
	shift 2
	for c; do globs+=(-c "$c"); done
	"$NVPROOF" run "$address" --golden "$(golden_of "$address")" "${globs[@]}" --policy sane --trace none --quiet -o "$to" > "$to.out" 2> "$to.err" || rc=$?
	echo $rc > "$to.rc"
	jq -r 'if .type == "case.end" then ["V", .case, .verdict, .reason // ""]
		elif .type == "check" and .ok == false then ["S", .site]
		elif .type == "finding" and .severity == "fail" then ["F", .class, .cycle, .case] else empty end | @tsv' \
		"$to/events.jsonl" 2> /dev/null |
		awk -F '\t' -v to="$to" 'BEGIN { suffix["V"] = ".verdicts"; suffix["S"] = ".fired"; suffix["F"] = ".findings" }
			{ out = to suffix[$1]; sub(/^[VSF]\t/, ""); print > out }' || true
	touch "$to.verdicts" "$to.fired" "$to.findings"
	rm -rf "$to"
}
export -f run_one
export NVPROOF=$nvproof

# runs what stands in the file, one a line: folder, address, cases
run_all() { xargs -P 2 -d '\n' -I '{}' bash -c 'run_one $1' run_one '{}' < "$1"; }
folder() { echo "$work/$1-${2//[^a-z0-9=]/_}"; }

# --- the healthy drive ------------------------------------------------------------------------------

if [ "$glob" = '*' ]; then
	for form in $forms; do
		echo "$(folder healthy "$form") $form"
	done > "$work/jobs.healthy"
	run_all "$work/jobs.healthy"
	while read -r to form; do
		if [ "$(cat "$to.rc")" = 0 ]; then good=$((good + 1)); else
			complain "healthy $form: exit $(cat "$to.rc") $(tail -n 1 "$to.err")"
		fi
		while IFS=$'\t' read -r c verdict reason; do
			case $verdict in
			pass | skip) ;;
			*) complain "healthy $form: $c is $verdict: $reason" ;;
			esac
		done < "$to.verdicts"
	done < "$work/jobs.healthy"
fi

# --- each defect, against the cases that name it ----------------------------------------------------------

# what is to be seen: defect (with parameters), case; and the defects that no case names
while IFS=$'\t' read -r d c; do
	# shellcheck disable=SC2053 -- a glob is meant
	[[ ${d%%:*} == $glob ]] || continue
	if grep -qxF -e "${d%%:*}" "$work/defects"; then
		printf '%s\t%s\n' "$d" "$c"
	else
		echo "$c names the defect '$d', which does not exist" >> "$work/unknown"
	fi
done < "$work/pairs" > "$work/wanted"
if [ "$every" != 1 ]; then
	awk -v n="$every" 'NR % n == 0' "$work/defects" > "$work/taken"
	awk -F '\t' 'FNR == NR { taken[$1]; next } { d = $1; sub(/:.*/, "", d) } d in taken' "$work/taken" "$work/wanted" > "$work/some"
	mv "$work/some" "$work/wanted"
	mv "$work/taken" "$work/defects"
fi
if [ -e "$work/unknown" ]; then
	while read -r line; do complain "$line"; done < "$work/unknown"
fi
{
	cut -f 1 "$work/wanted" | sort -u
	while read -r d; do
		# shellcheck disable=SC2053 -- a glob is meant
		[[ $d != $glob ]] || grep -qE "^$d(:|	)" "$work/wanted" || echo "$d"
	done < "$work/defects"
} | sort -u > "$work/mutants"

# with DEFECT=glob, `sim:defect=d` and `sim:ns=2,defect=d` are what to run by hand
address_of() { local form=$1; [ "$form" = sim: ] && echo "sim:defect=$2" || echo "$form,defect=$2"; }
while read -r d; do
	by=
	[ "${ALL:-no}" = yes ] || by=$(awk -F '\t' -v d="$d" '$1 == d { printf " %s", $2 }' "$work/wanted")
	echo "$(folder "$d" sim:) $(address_of sim: "$d")$by"	# that no case names: all of them
done < "$work/mutants" > "$work/jobs.sim:"
run_all "$work/jobs.sim:"

# verdict_of FILE CASE: fail if any variant failed, else the first variant's verdict and reason
verdict_of() {
	awk -F '\t' -v c="$2" '$1 == c || index($1, c "@") == 1 { if ($2 == "fail") fail = 1; if (first == "") first = $2 ": " $3 }
		END { print fail ? "fail" : first == "" ? "not run" : first }' "$1"
}
: > "$work/caught"
sort "$work/wanted" > "$work/left"
for form in $forms; do
	if [ "$form" != sim: ]; then
		awk -F '\t' '{ by[$1] = by[$1] " " $2 } END { for (d in by) print d "\t" by[d] }' "$work/left" | sort |
			while IFS=$'\t' read -r d by; do echo "$(folder "$d" "$form") $(address_of "$form" "$d")$by"; done > "$work/jobs.$form"
		run_all "$work/jobs.$form"
	fi
	while IFS=$'\t' read -r d c; do
		seen=$(verdict_of "$(folder "$d" "$form").verdicts" "$c")
		if [ "$seen" = fail ]; then
			printf '%s\t%s\tF\n' "$d" "$c" >> "$work/caught"
		else
			[ "$form" != sim: ] || printf '%s\t%s\t%s\n' "$d" "$c" "$seen" >> "$work/why"
			printf '%s\t%s\n' "$d" "$c"
		fi
	done < "$work/left" > "$work/left.new"
	mv "$work/left.new" "$work/left"
done
good=$((good + $(wc -l < "$work/caught")))
while IFS=$'\t' read -r d c; do
	complain "$d: $c should fail, it is $(awk -F '\t' -v d="$d" -v c="$c" '$1 == d && $2 == c { print $3 }' "$work/why")"
	printf '%s\t%s\t!\n' "$d" "$c" >> "$work/caught"
done < "$work/left"

# --- the class of what was lost: defect, class, cycle, case; "-" when what was said has none of its row ---

while read -r d; do
	words=$(jq -r --arg d "${d%%:*}" '.defects[] | select(.name == $d) | .classes // empty' "$work/defects.json")
	[ -n "$words" ] && [ "$words" != RIG_INVALID ] || continue
	for form in $forms; do
		[ ! -s "$(folder "$d" "$form").findings" ] || cat "$(folder "$d" "$form").findings"
	done | awk -F '\t' -v d="$d" -v words="$words" '
		BEGIN { n = split(words, w, "|"); for (i = 1; i <= n; i++) named[w[i]] }
		$1 in named { if (!hit || $2 < least) { least = $2; line = $1 "\t" $2 "\t" $3 } hit = 1 }
		!($1 in named) && !($1 in seen) { seen[$1]; others = others " " $1 }
		END { if (hit) print d "\t" line; else if (NR) print d "\t-\t-\t" others }'
done < "$work/mutants" > "$work/classes"
while IFS=$'\t' read -r d class cycle what; do
	if [ "$class" = - ]; then
		complain "$d: campaigns say$what, its row names another class"
	else
		good=$((good + 1))
	fi
done < "$work/classes"

if [ "$glob" = '*' ] && [ "$every" = 1 ]; then
	cut -f 1 "$work/wanted" | sed 's/:.*//' | sort -u > "$work/named"
	while read -r d; do
		unasked=$(awk -F '\t' '$2 == "fail" { printf " %s", $1 }' "$(folder "$d" sim:).verdicts")
		complain "no case names the defect $d${unasked:+; these fail:$unasked}"
	done < <(grep -vxF -f "$work/named" "$work/defects")
	while read -r c; do
		complain "no defect can fail the case $c"
	done < <(cut -f 2 "$work/wanted" | sort -u | grep -vxF -f - "$work/cases")
fi

# --- the matrix ---------------------------------------------------------------------------------------

# what else failed or broke under a defect is not asked for, but worth knowing
while read -r d; do
	awk -F '\t' -v d="$d" '{ sub(/@.*/, "", $1) } $2 == "fail" { print d "\t" $1 "\tf" } $2 == "broken" { print d "\t" $1 "\tb" }' \
		"$(folder "$d" sim:).verdicts"
done < "$work/mutants" > "$work/seen"
cat "$work/caught" >> "$work/seen"

echo
echo "Defects against cases: F failed and names the defect, ! names it and did not fail;"
echo "not asked for: f failed, b broken."
awk -F '\t' '
	FILENAME ~ /cases$/ { id[++n] = $1; next }
	FILENAME ~ /mutants$/ { d[++m] = $1; next }
	{ seen[$1, $2] = $3 }
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
	}' "$work/cases" "$work/mutants" "$work/seen"

if [ -s "$work/classes" ]; then
	echo
	echo "Defects of power loss: the class that campaigns gave, and in which cycle first."
	awk -F '\t' '{ printf "%-40s %-20s %5s  %s\n", $1, $2, $3, $4 }' "$work/classes"
fi

# --- open check sites -----------------------------------------------------------------------------------

tests/sites.sh > "$work/sites"
rm -f "$work"/healthy-*.fired
sort -u "$work"/*.fired |
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
if [ "$glob" = '*' ] && [ "$every" = 1 ]; then
	allowed=$(cat tests/mutants.expect)
	[ "$sites" -gt 0 ] || complain "the sources hold no check site"
	if [ "$open" -gt "$allowed" ]; then
		complain "$open open check sites, tests/mutants.expect permits $allowed"
	else
		good=$((good + 1))
		[ "$open" = "$allowed" ] || echo "tests/mutants.expect may go down from $allowed to $open"
	fi
fi
# once more where the eye ends up
[ $bad = 0 ] || { echo; cat "$work/bad"; }
echo "@counts passed=$good failed=$bad skipped=0"
[ $bad = 0 ]
