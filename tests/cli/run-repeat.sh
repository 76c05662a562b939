# SPDX-License-Identifier: GPL-2.0-or-later
# Each case several times: k/N, the mark of a flaky case in every report; a limit of time; a dry run.
. "$HERE/common.bash"
need jq
show run sim: -c 'register.version-*' --repeat 2 -o pass
show run sim:defect=cqe-posted-twice -c 'identify.claimed-*' -c 'dptr.low-bits-*' --repeat 2 -o flaky
jq -c 'select(.type == "case.begin") | [.case, .round, .rounds]' flaky/events.jsonl
jq -c 'select(.type == "case.end") | [.verdict, .rounds_passed, .flaky]' flaky/events.jsonl
must "the mark in run.json" jq -e '.totals.flaky > 0 and any(.cases[]; .flaky and .round == 2)' flaky/run.json > /dev/null
must "the mark in junit.xml" grep -q ' 2/2 (flaky)"' flaky/junit.xml
code 1 run sim:defect=cqe-posted-twice -c 'dptr.low-bits-*' --repeat 2 -o tap --tap
must "the mark in TAP" grep -q '2/2 (flaky)' code.out
show run sim: --repeat 0
show run sim: -c 'abort.*' --repeat 100000

code 0 run sim: -c 'register.*' --repeat 1000 --max-time 500ms -o limited
must "the reason" test "$(jq -r 'select(.type == "run.end").reason' limited/events.jsonl)" = "the time of --max-time is up"
must "cases that did not run" jq -e 'select(.type == "run.end") | .not_run > 0' limited/events.jsonl > /dev/null
show run sim: --max-time 5x
show run sim: --max-time 0

show run /dev/no-such-drive sim: -c 'register.version-*' -c io.writes-read-back --dry-run --repeat 2 -o dry
must "no directory" test ! -e dry
show run /dev/no-such-drive -c io.writes-read-back --dry-run --allow data
code 0 run /dev/no-such-drive -c io.writes-read-back --dry-run --json
must "a document" jq -e '.drives[0] | .not_allowed == 1 and (.cases[0].allowed | not) and (.data_lost | not)' code.out > /dev/null
echo '# a power-on begins the timestamps anew: an event may look like one of the round before, to the byte'
show run sim: -c powerloss.shutdown-loses-nothing -c log.persistent-event-of-a-namespace --repeat 3 -q -o twins
