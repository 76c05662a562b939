# SPDX-License-Identifier: GPL-2.0-or-later
# A case that kills its process, or loops, is broken with its trace; the cases behind it still run.
. "$HERE/selftest.bash"

selftest deaths 3 sim: -c 'runner.crashes-*' -c runner.exits -c runner.hangs-in-a-loop -c runner.passes -c runner.warns
verdict deaths crashes-by-abort broken 'crash: the worker was ended by SIGABRT'
verdict deaths crashes-by-signal broken 'crash: the worker was ended by SIGUSR2'
verdict deaths exits broken 'crash: the worker ended by itself with exit code 0'
verdict deaths hangs-in-a-loop broken 'hang: no call to the drive came back for 1 s'
verdict deaths passes pass
verdict deaths warns pass
for c in crashes-by-abort crashes-by-signal exits hangs-in-a-loop; do
	traced deaths $c
	has deaths ".type == \"trace\" and .case == \"runner.$c\" and (.text | test(\"Identify\"))"
done
has_not deaths '.type == "trace" and .case == "runner.passes"'
ended deaths 3

# A child that the dead worker leaves behind holds the socket open, and nobody waits for it.
selftest child 3 sim: -c runner.leaves-a-child -c runner.passes
child=$(jq -r 'select(.type == "note" and .case == "runner.leaves-a-child").text | ltrimstr("child ")' child/events.jsonl)
kill "$child" || complain "the child is gone: nothing was tested"
verdict child leaves-a-child broken 'crash: the worker was ended by SIGUSR2'
verdict child passes pass
ended child 3

# Deaths are as repeatable as all else.
selftest again 3 sim: -c 'runner.crashes-*' -c runner.exits -c runner.hangs-in-a-loop -c runner.passes -c runner.warns
"$TOP/tests/same_events.sh" deaths again > same.out 2>&1 || complain "two runs with one seed differ" same.out

# The drive that the next worker opens is the same: what was changed is given back first.
selftest undo 3 sim: -c runner.changes-features-and-crashes -c runner.threshold-is-the-default
verdict undo changes-features-and-crashes broken 'crash:'
verdict undo threshold-is-the-default pass
jq -e -s '(map(select(.type == "undo") | .id)) == [1, 2, 3] and
	(map(select(.type == "undone" and .ok) | .id)) == [3, 2, 1] and
	(map(select(.type == "undo") | .sqe | length == 128) | all)' undo/events.jsonl > /dev/null ||
	complain "three undos, replayed from the last" undo/events.jsonl
ended undo 3

# Without a trace there are no trace events, and nothing else changes.
selftest silent 3 sim: -c runner.crashes-by-abort -c runner.passes --trace none
verdict silent crashes-by-abort broken 'crash:'
has_not silent '.type == "trace"'

# A drive that does not become ready: what its registers show is judged, the rest has nothing to stand on.
selftest limp 1 sim:defect=csts-rdy-late:ms=60000 -c runner.passes -c register.ready-follows-enable
verdict limp passes broken 'the drive does not come to its baseline: CSTS is 0h'
has limp '.type == "case.end" and .case == "register.ready-follows-enable" and .verdict == "fail"'
ended limp 1

# No worker can be started any more: the run ends, and says so.
selftest last 3 sim: -c runner.announces-for-nothing -c runner.takes-the-descriptors -c runner.warns
verdict last takes-the-descriptors broken 'crash:'
has last '.type == "run.end" and .not_run == 1 and (.reason | test("start a worker: Too many open files"))'

# A fail weighs more than what is broken.
selftest both 1 sim: -c runner.crashes-by-abort -c runner.fails
ended both 1
finish
