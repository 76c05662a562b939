# SPDX-License-Identifier: GPL-2.0-or-later
# Verdict lines of a good drive, a skip with its reason, several drives, quiet.
. "$HERE/common.bash"
show run sim: -c identify.reserved-cns-is-refused -c io.namespaces-are-separate -o one
must "files" test -s one/events.jsonl -a -s one/run.json -a -s one/junit.xml
code 0 run sim:serial=A sim:serial=B -c identify.reserved-cns-is-refused -o two
mask < code.out | sort	# the lines of two drives come as they finish
must "a folder for each drive, totals above" test -s two/A/events.jsonl -a -s two/B/run.json -a -s two/run.json -a -s two/junit.xml
show run sim: -c identify.reserved-cns-is-refused -o quiet -q
show run sim: -c io.namespaces-are-separate -o skipped
code 0 run sim: -c identify.reserved-cns-is-refused
must "a folder of its own under nvproof-runs" test -s nvproof-runs/*/events.jsonl
must "no live line where no terminal is" test ! -s code.err
