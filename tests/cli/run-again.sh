# SPDX-License-Identifier: GPL-2.0-or-later
# An earlier run goes on: the cases without a verdict, or those that went wrong.
. "$HERE/common.bash"
need jq
plan() { jq -c 'select(.type == "run.begin") | [.seed, .shuffle, .plan]' "$1/events.jsonl"; }

code 1 run sim:defect=abort-result-inverted -c 'abort.*' --seed 7 --stop-on-fail -o stopped
plan stopped
show run --resume stopped -o rest
plan rest
show run --failed-from stopped -o failed
must "the same plan as a resume of the whole" jq -e -s 'map(select(.type == "case.end")) | length == 1' failed/events.jsonl > /dev/null

# a run that died inside its second case: that one has no verdict
code 0 run sim: -c 'abort.*' --repeat 2 -o whole
mkdir torn
sed -n '1,/"case.end"/p' whole/events.jsonl > torn/events.jsonl
printf '{"v":1,"seq"' >> torn/events.jsonl
code 0 run --resume torn -o torn-rest
must "both rounds of all three" test "$(jq -r 'select(.type == "case.end").case' torn-rest/events.jsonl | wc -l)" = 6
# one that a signal cut off has none either
sed -E '/"case.end"/s/\}$/,"interrupted":true}/' whole/events.jsonl > torn/events.jsonl
code 0 run --resume torn -o cut-rest
must "all of them" test "$(jq -r 'select(.type == "case.end").case' cut-rest/events.jsonl | wc -l)" = 6

show run --resume whole
show run --failed-from whole
show run --resume no-such-dir
show run --resume whole --failed-from whole
show run sim: sim: --resume stopped
show run sim:serial=OTHER --resume stopped
show run
