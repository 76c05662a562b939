# SPDX-License-Identifier: GPL-2.0-or-later
# The same option from the command line, the environment and a file, and which one wins.
. "$HERE/common.bash"
need jq
cat > run.ini << 'END'
# for every command
timeout-scale = 2
[run]
seed = 5
case = abort.missing-*, register.version-*
quiet = yes
[cases]
case = identify.*
END
seed_and_cases() {
	echo "$1: $(jq -rs '[(map(select(.type == "run.begin"))[0].seed)] + map(select(.type == "case.begin").case) | join(" ")' "$2/events.jsonl")"
}
code 0 run sim: --config run.ini -o a
seed_and_cases "the file" a
must "quiet" test "$(grep -c ^pass code.out)" = 0
NVPROOF_SEED=6 code 0 run sim: --config run.ini -o b
seed_and_cases "environment and file" b
NVPROOF_SEED=6 NVPROOF_CONFIG=run.ini NVPROOF_QUIET=no code 0 run sim: --seed 0x7 -c abort.missing-* -o c
seed_and_cases "all three" c
must "not quiet" grep -q ^pass code.out
NVPROOF_OUTPUT=d code 0 run sim: -c 'abort.missing-*'
must "NVPROOF_OUTPUT" test -s d/events.jsonl
NVPROOF_JSON=yes code 2 run sim: --sede
must "NVPROOF_JSON holds for errors of the command line too" jq -e .error code.out > /dev/null
code 0 run sim: -c 'register.*' --shuffle --seed 3 -o e
code 0 run sim: -c 'register.*' --seed 3 -o f
must "shuffled" test "$(grep ^pass code.out)" != "$(nvproof report e | grep ^pass)"
must "the same cases" test "$(grep ^pass code.out | sort)" = "$(nvproof report e | grep ^pass | sort)"
