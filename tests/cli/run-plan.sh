# SPDX-License-Identifier: GPL-2.0-or-later
# Plan files: options of a run from a file, weaker than the command line; errors with file and line.
. "$HERE/common.bash"
printf '[plan]\ncase = abort.missing-*, register.version-*\nrepeat = 2\nseed = 9\n' > my.plan
NVPROOF_SEED=4 show run sim: --plan my.plan -o a
show run sim: --plan my.plan --repeat 1 --seed 3 -c 'register.version-*' -o b
bad() { printf '%b' "$1" > bad.plan; show run sim: --plan bad.plan; }
bad '[plan]\n\nreapeat = 2\n'
bad 'repeat = many\n'
bad 'seed = 1\nseed = 2\n'
bad 'serial = X\n'
bad '[cases]\nx = 1\n'
bad 'no entry\n'
bad '[plan]\ncase = nowhere.*\n'
show run sim: --plan missing.plan

echo '# what holds for single cases'
cat > single.plan << 'END'
[plan]
case = abort.missing-*, doorbell.invalid-*
[case often]
case = abort.*
repeat = 3
[case two of them]
case = doorbell.invalid-values-*
variants = tail-is-size, tail-is-ffff
END
show run sim: --plan single.plan --dry-run
show run sim: --plan single.plan --repeat 2 --dry-run
code 0 run sim: --plan single.plan -q -o single
must "three rounds" test "$(grep -c '"type":"case.end".*abort.missing' single/events.jsonl)" = 3
one() { printf '[case x]\n%b' "$1" > bad.plan; show run sim: --plan bad.plan; }
one 'repeat = 2\n'
one 'case = nowhere.*\n'
one 'case = abort.*\nvariants = tail-is-size\n'
one 'case = abort.*\nrepeat = 0\n'
one 'case = abort.*\nrepaet = 2\n'
one 'case = abort.*\ncase = io.*\n'
for plan in smoke regression full; do code 0 run sim: --plan "$TOP/cases/plans/$plan.plan" --dry-run; done
code 0 run sim: --plan "$TOP/cases/plans/smoke.plan" -o smoke
