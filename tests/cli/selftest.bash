# SPDX-License-Identifier: GPL-2.0-or-later
# What the selftest_*.sh scripts share: they run test-only cases and look at the events of the run.

set -u
failed=0

# selftest DIR EXIT ARGUMENT...: a run into DIR that must end with this code
selftest() {
	local dir=$1 expected=$2 rc=0
	shift 2
	nvproof-selftest run "$@" -o "$dir" > "$dir.out" 2> "$dir.err" || rc=$?
	[ $rc = "$expected" ] || complain "run $*: exit $rc, expected $expected" "$dir.out" "$dir.err"
}

complain() {
	echo "FAIL $1" >&2
	shift
	for file; do [ ! -e "$file" ] || tail -n 5 "$file" >&2; done
	failed=1
}

# event DIR FILTER: some event of the run passes the jq filter
event() { jq -e -s "any(.[]; $2)" "$1/events.jsonl" > /dev/null 2>&1; }
has() { event "$1" "$2" || complain "$1 has no event with: $2"; }
has_not() { ! event "$1" "$2" || complain "$1 has an event with: $2"; }

# verdict DIR CASE VERDICT [START OF THE REASON]
verdict() {
	local got
	got=$(jq -r --arg c "runner.$2" 'select(.type == "case.end" and .case == $c) | .verdict + " " + .reason' "$1/events.jsonl")
	[[ $got == "$3 ${4:-}"* ]] || complain "$1: $2 is '$got', expected '$3 ${4:-}'"
}

# traced DIR CASE: the case's trace is in the events
traced() { has "$1" ".type == \"trace\" and .case == \"runner.$2\""; }

# ended DIR EXIT: run.end is there, and its counts are those of the cases
ended() {
	jq -e -s --argjson code "$2" '(map(select(.type == "case.end"))) as $ends | (.[-1]) as $total |
		$total.type == "run.end" and $total.exit_code == $code and
		($ends | map(select(.verdict == "pass")) | length) == $total.pass and
		($ends | map(select(.verdict == "fail" and (.waiver | not))) | length) == $total.fail and
		($ends | map(select(.verdict == "fail" and .waiver)) | length) == $total.waived and
		($ends | map(select(.verdict == "skip")) | length) == $total.skip and
		($ends | map(select(.verdict == "broken")) | length) == $total.broken and
		($ends | length) + $total.not_run == .[0].nr_cases and
		(map(.seq) == [range(0; length)])' "$1/events.jsonl" > /dev/null 2>&1 ||
		complain "$1: run.end with code $2 that sums up the cases" "$1/events.jsonl"
}

finish() { exit $failed; }
