#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# powerloss.sh: the command's words and exit codes: usage, an honest drive, wrong ones, rigs that fail.
set -u

# what a run says that is the same each time: verdict lines and findings
run() {
	local want=$1 code=0
	shift
	nvproof powerloss "$@" --trace none > out 2> err || code=$?
	echo "== powerloss $* -> $code"
	[ $code = "$want" ] || { echo "expected $want"; cat out err; exit 1; }
	grep -E '^(pass|fail|skip|broken) ' out | cut -c 1-150
	sed -E 's/^/err: /' err | grep -v '^err: $' | head -n 3
}

run 2 sim: --phase lunch
run 2 sim: --workload tea,random
run 2 sim: --relay gpoid:0/3
run 2 sim: --range 5
run 2 sim: --range 99999999999:5 --cycles 2 -o range
[ ! -e range ] || exit 1
run 2 sim:ns=2 --nsid 3 -o range
run 2 sim: --nsid 4294967295
run 2 sim: --cycles 0
run 2 sim: --off-ms -1
run 2 sim: --scrub 0
run 2 sim: --max-volatile many
run 2 sim: --rules house
run 2 sim: --policy lenient
run 2 /dev/nvme7
run 0 sim: --cycles 12 -o honest
run 0 sim:profile=ocp --cycles 12 --rules ocp -o ocp
run 0 sim:ns=2 --nsid 2 --cycles 4 -o second
run 0 sim: --resets --cycles 8 -o resets
run 1 sim:defect=flush-lies --cycles 4 -o lies
run 1 sim:defect=reset-drops-cache --resets --cycles 4 -o drops
run 0 sim:defect=cut-fails-sanitize --phase sanitize --cycles 2 -o failed
run 1 sim:defect=cut-fails-sanitize --phase sanitize --cycles 2 --policy sane -o sane
run 1 sim:defect=cut-kills-drive --cycles 8 -o dead
! grep -q crash out || { echo "a dead drive is no crash of the tool"; exit 1; }
run 4 sim:defect=cut-changes-serial --cycles 4 -o other
run 3 sim:defect=power-off-ignored --cycles 8 -o rig
run 3 sim:profile=minimal --workload copy --cycles 2 -o none
# relays: addresses that are none, and a program that cannot switch
run 2 sim: --relay exec:
run 2 sim: --relay exec:/nowhere
run 2 sim: --relay 'exec:/bin/true?often=1'
run 2 sim: --relay 'exec:/bin/true?off-ms=70000'
run 2 sim: --relay slot:04.0
run 2 sim: --relay gpiod:relay
run 3 sim: --relay exec:/bin/false
[ ! -e nvproof-runs ] || { echo "a run was begun"; exit 1; }
# writes across the end of the namespace: the window has to be there
run 3 sim: --workload refused --cycles 3 --range 0:5000 -o not-at-the-end
cp "$TOP/tests/power/refused-range-written.replay" .
run 3 sim:size=2GiB --replay refused-range-written.replay -o other-size
