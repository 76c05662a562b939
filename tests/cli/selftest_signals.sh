# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-C, SIGTERM and SIGKILL of the program: what was changed is given back or stands in the file.
. "$HERE/selftest.bash"

selftest int 130 sim: -c runner.is-interrupted -c runner.passes -c runner.warns
verdict int is-interrupted broken 'interrupted by SIGINT'
has_not int '.case == "runner.passes"'
has int '.type == "undone" and .ok'
has int '.type == "run.end" and .not_run == 2 and .exit_code == 130'
[ -s int/run.json ] && [ -s int/junit.xml ] || complain "reports of an interrupted run"
ended int 130

selftest term 143 sim: -c runner.is-terminated -c runner.passes
verdict term is-terminated broken 'interrupted by SIGTERM'
traced term is-terminated
ended term 143

# Nothing of the run is left when its supervisor is killed, and the last line of the file is whole.
nvproof-selftest run sim: -c runner.kills-the-supervisor -o kill > kill.out 2>&1
rc=$?
[ $rc = 137 ] || complain "exit $rc after SIGKILL" kill.out
jq -e -s '.[-1].type == "undo" and (.[-1].sqe | length) == 128' kill/events.jsonl > /dev/null ||
	complain "the open undo is the last event" kill/events.jsonl
[ "$(tail -c 1 kill/events.jsonl | od -An -c | tr -d ' ')" = '\n' ] || complain "the last line is whole"
rc=0
nvproof-selftest report kill > report.out 2>&1 || rc=$?
[ $rc = 3 ] || complain "report of a run without its end: exit $rc" report.out
finish
