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
for plan in smoke regression full; do code 0 run sim: --plan "$TOP/cases/plans/$plan.plan" --dry-run; done
code 0 run sim: --plan "$TOP/cases/plans/smoke.plan" -o smoke
