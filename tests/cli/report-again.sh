# SPDX-License-Identifier: GPL-2.0-or-later
# A report from the events alone says what the run said, and writes the same files.
. "$HERE/common.bash"
drive=sim:defect=abort-result-inverted
code 1 run $drive -c 'abort.*' -c io.namespaces-are-separate -o run
cp code.out first
cp -r run kept
rm run/run.json run/junit.xml
code 1 report run
must "the same words" diff first code.out
must "the same run.json" cmp kept/run.json run/run.json
must "the same junit.xml" cmp kept/junit.xml run/junit.xml
code 1 report run --json
must "the same document" cmp kept/run.json code.out

code 1 run $drive sim:serial=GOOD -c 'abort.*' -o runs
cp -r runs kept-runs
rm -r runs/run.json runs/junit.xml runs/*/run.json runs/*/junit.xml
code 1 report runs
must "the same totals" diff -r kept-runs runs
# of two drives the lines may have come mixed; the summary is the same
tail -n 4 code.out | mask
code 1 report runs --tap
tail -n 1 code.out
code 1 report runs -q --junit two.xml
must "the same JUnit" cmp two.xml runs/junit.xml
code 0 report runs/GOOD

# a folder that holds runs is none itself, and nothing is written into what lies there
code 0 run sim: -c 'register.v*' -o shelf/one
rm shelf/one/run.json shelf/one/junit.xml
code 2 report shelf
must "nothing is written" test "$(find shelf -type f)" = shelf/one/events.jsonl
cp -r shelf/one runs/other
code 1 report runs -q
must "a strange run is left out" test "$(grep -c ' pass, ' code.out)" = 3
must "and left alone" test ! -e runs/other/run.json
mkdir pipe && mkfifo pipe/events.jsonl
code 2 report pipe
code 2 trace pipe
