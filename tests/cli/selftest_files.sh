# SPDX-License-Identifier: GPL-2.0-or-later
# Run directories, trace.bin, a file system that is full, several drives.
. "$HERE/selftest.bash"

# --- where results may go ---
mkdir empty full && touch full/something && touch file
selftest empty 0 sim: -c runner.passes
selftest full 2 sim: -c runner.passes
grep -q 'not empty' full.err || complain "why -o is refused" full.err
[ "$(ls full)" = something ] || complain "a folder that is not empty stays as it is"
selftest file 2 sim: -c runner.passes
nvproof-selftest run sim: -c runner.passes -o a/b/c > nested.out 2>&1 || complain "-o a/b/c" nested.out
[ -s a/b/c/events.jsonl ] || complain "folders above are made"
for i in 1 2 3; do nvproof-selftest run sim: -c runner.passes > default.out 2>&1 || complain "run without -o" default.out; done
[ "$(ls nvproof-runs | wc -l)" = 3 ] || complain "three runs, three folders: $(ls nvproof-runs)"

# --- trace.bin: a header of 128 bytes, then records of 128 with ascending ticks ---
selftest all 1 sim: -c runner.passes -c runner.fails --trace all
[ "$(head -c 8 all/trace.bin)" = NVPTRACE ] || complain "magic of trace.bin"
size=$(stat -c %s all/trace.bin)
[ $((size % 128)) = 0 ] && [ "$size" -gt 1280 ] || complain "trace.bin holds $size bytes"
od -An -v -t u8 -w128 -j 128 all/trace.bin | awk '$1 != NR { exit 1 }' || complain "ticks of trace.bin from 1, without a gap"
selftest some 1 sim: -c runner.passes -c runner.fails
[ ! -e some/trace.bin ] || complain "trace.bin without --trace all"

# --- a file that cannot grow: no verdict is printed that is not in the file, exit 3 ---
# (the limit is of all files of the process: its output goes through pipes)
{ nvproof-selftest run sim: -c runner.fills-the-disk -c runner.passes -c runner.announces-for-nothing -o grown \
	2>&1 >&3 | cat > grown.err; echo "${PIPESTATUS[0]}" > grown.rc; } 3>&1 | cat > grown.out
[ "$(cat grown.rc)" = 3 ] || complain "exit $(cat grown.rc) when events.jsonl cannot grow" grown.err
grep -q 'grown/events.jsonl: File too large' grown.err || complain "the error names the file" grown.err
grep -q 'runner.announces-for-nothing' grown.out || complain "what was in the file before is printed" grown.out
grep -qE '^pass +runner.(fills-the-disk|passes)' grown.out && complain "a verdict that is not in the file is printed" grown.out
jq -e -s '(map(.seq) == [range(0; length)])' grown/events.jsonl > /dev/null ||
	complain "the file ends with a whole line" grown/events.jsonl

# --- several drives at once ---
selftest two 1 sim:serial=ONE sim:serial=TWO,seed=5 -c runner.passes -c runner.fails -c runner.crashes-by-abort
for d in ONE TWO; do
	ended two/$d 1
	verdict two/$d crashes-by-abort broken
	verdict two/$d passes pass
	has two/$d ".type == \"run.begin\" and .nr_drives == 2 and .drive == \"$d\""
done
[ -s two/run.json ] && [ -s two/TWO/run.json ] || complain "totals above, run.json for each"
selftest same 2 sim:serial=ONE sim:serial=ONE -c runner.passes
grep -q 'same serial number ONE' same.err || complain "why two drives are refused" same.err
[ ! -e same ] || complain "a refused run makes no folder"

# A usage error of the second drive ends the run before the first begins.
selftest odd 2 sim: sim:siez=1G -c runner.passes
[ ! -e odd ] || complain "a usage error makes no folder"
finish
