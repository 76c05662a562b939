# SPDX-License-Identifier: GPL-2.0-or-later
# Event logs that are cut, damaged or made up: the line is named, what came before is reported, exit 3.
. "$HERE/common.bash"
code 0 run sim: -c 'abort.*' -o run
events=run/events.jsonl
lines=$(wc -l < $events)

# the same with another end; words and line must be in the warning
damaged() {
	local what=$1
	echo "--- $what"
	code 3 report torn
	sed -E 's/ line [0-9]+:/ line N:/' code.err
	grep -E 'pass,|run did not end' code.out | mask
	must "run.json tells it too" grep -q '"problem": "torn/events.jsonl line ' torn/run.json
}

mkdir torn
head -c -20 $events > torn/events.jsonl
damaged "the last line is torn"
must "the number of the line" grep -q " line $lines:" code.err
head -n 5 $events > torn/events.jsonl
printf 'garbage\n' >> torn/events.jsonl
tail -n +6 $events >> torn/events.jsonl
damaged "a line of garbage: what follows is not believed"
must "the number of the line" grep -q " line 6:" code.err
sed 7d $events > torn/events.jsonl
damaged "a line is missing"
must "the number of the line" grep -q " line 7:" code.err
{ head -n 3 $events; head -c 2000000 /dev/zero | tr '\0' x; } > torn/events.jsonl
damaged "an endless line"
{ head -n 3 $events; printf '{"v":1,\0}\n'; } > torn/events.jsonl
damaged "a NUL"
{ head -n 3 $events; printf '{"v":1,"seq":3,"wall_utc":"x","t_ns":0,"type":"note","level":"note","text":"\xff"}\n'; } > torn/events.jsonl
damaged "bytes that are no UTF-8"
{ head -n 3 $events; printf '%0100000d\n' 0 | tr 0 '['; } > torn/events.jsonl
damaged "a deep nest"

echo "--- whole lines, but no end"
head -n $((lines - 1)) $events > torn/events.jsonl
code 3 report torn
must "no warning: every line is good" test ! -s code.err
mask < code.out | tail -n 3

echo "--- nothing at all"
: > torn/events.jsonl
code 3 report torn
mask < code.out | tail -n 3

echo "--- text that would steer a terminal"
sed 's/"reason":""/"reason":"\\u001b[2J\\u009b1m \\u202e x"/' $events > torn/events.jsonl
code 0 report torn
must "no control characters" test "$(LC_ALL=C tr -d '\n\t -~\200-\377' < code.out | wc -c)" = 0
grep -m 1 '^pass' code.out
must "valid XML" sh -c 'command -v xmllint > /dev/null || exit 0; xmllint --noout torn/junit.xml'
