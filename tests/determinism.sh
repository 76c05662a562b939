#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# determinism.sh [SHUFFLES]: two runs with one seed have equal events; runs in shuffled order (20 unless
# said otherwise) have the verdicts of the ordered run, whatever the seed of the shuffle.
set -euo pipefail
cd "$(dirname "$0")/.."
OUT=$(realpath "${OUT:-build}")
shuffles=${1:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OUT work
passed=0 failed=0

verdict() {
	local what=$1
	shift
	if "$@"; then passed=$((passed + 1)) && echo "ok   $what"; else failed=$((failed + 1)) && echo "FAIL $what"; fi
}

# the folder and its name differ on purpose: neither may show in the events
run() { "$OUT/nvproof" run "${@:2}" -o "$work/$1" > "$work/$1.log" 2>&1 || echo "exit $?" >> "$work/$1.log"; }
export -f run
same() {
	run one "$@" && run another-name "$@"
	local rc=0
	tests/same_events.sh "$work/one" "$work/another-name" || { tail -n 3 "$work/one.log"; rc=1; }
	rm -rf "$work/one" "$work/another-name"
	return $rc
}
verdict "seed 1 twice" same sim:
verdict "seed 7 twice, two namespaces" same sim:ns=2 --seed 7
verdict "seed 7 twice, shuffled" same sim: --seed 7 --shuffle

verdicts() { jq -r 'select(.type == "case.end") | [.case, .verdict] | @tsv' "$work/$1/events.jsonl" | sort; }
export -f verdicts

# Each is compared with the ordered run of the same seed: the order alone may differ.
shuffled() {
	local n=$1
	run "ordered-$n" sim: --seed "$n" && run "shuffled-$n" sim: --seed "$n" --shuffle
	verdicts "ordered-$n" > "$work/ordered-$n.txt"
	verdicts "shuffled-$n" > "$work/shuffled-$n.txt"
	[ -s "$work/ordered-$n.txt" ] && diff "$work/ordered-$n.txt" "$work/shuffled-$n.txt" > "$work/shuffled-$n.diff" && : > "$work/shuffled-$n.ok"
	rm -rf "$work/ordered-$n" "$work/shuffled-$n"
}
export -f shuffled
seq 1 "$shuffles" | xargs -P 2 -n 1 bash -c 'shuffled "$1"' shuffled || true
for n in $(seq 1 "$shuffles"); do
	verdict "shuffle with seed $n" test -e "$work/shuffled-$n.ok"
	[ -e "$work/shuffled-$n.ok" ] || { cat "$work/shuffled-$n.diff" || true; tail -n 3 "$work/shuffled-$n.log"; }
done
echo "@counts passed=$passed failed=$failed skipped=0"
[ $failed = 0 ] && [ $passed -gt 0 ]
