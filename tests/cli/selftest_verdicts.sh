# SPDX-License-Identifier: GPL-2.0-or-later
# Checks, policies, invariants, the guard, skips, waivers and --stop-on-fail, end to end.
. "$HERE/selftest.bash"

selftest plain 1 sim: -c 'runner.breaks-*' -c runner.announces-for-nothing -c runner.checks-nothing -c runner.fails \
	-c runner.is-stopped-by-the-guard -c runner.passes -c runner.skips -c runner.warns
verdict plain passes pass
verdict plain warns pass
verdict plain skips skip 'nothing to see here'
verdict plain fails fail 'expected 42 (0x2a), seen answer = 41 (0x29)'
traced plain fails
verdict plain checks-nothing broken 'the case made no check'
verdict plain is-stopped-by-the-guard skip
has plain '.type == "case.end" and .case == "runner.is-stopped-by-the-guard" and (.reason | test("--allow state"))'
verdict plain breaks-a-policy pass
has plain '.type == "case.end" and .case == "runner.breaks-a-policy" and .warnings == 1 and .checks_failed == 0'
verdict plain breaks-an-invariant fail
has plain '.type == "check" and .case == "runner.breaks-an-invariant" and .invariant == "dma" and (.ok | not) and (.announced | not)'
verdict plain breaks-what-it-announced pass
has plain '.type == "check" and .case == "runner.breaks-what-it-announced" and .invariant == "dma" and .ok and .announced'
verdict plain breaks-more-than-it-announced fail
verdict plain announces-for-nothing pass
has plain '.type == "note" and .case == "runner.announces-for-nothing" and (.text | test("sqhd"))'
has plain '.type == "check" and .case == "runner.fails" and (.site | test("^tests/cases/runner.c:[0-9]+$")) and (.trace | length) == 1'
ended plain 1

selftest sane 1 sim: -c runner.breaks-a-policy --policy sane
verdict sane breaks-a-policy fail 'policy sane: expected'

selftest nothing 3 sim: -c runner.skips
has nothing '.type == "run.end" and .reason == "nothing was tested"'

selftest stopped 1 sim: -c runner.fails -c runner.passes -c runner.warns --stop-on-fail
has stopped '.type == "run.end" and .not_run == 2'
ended stopped 1

# --- waivers ---
waiver() { printf '[waiver %s]\ncase=%s\nevidence=seen by hand\n%s\n' "$@"; }
waiver known runner.fails expires=2999-12-31 > known
selftest known.d 0 sim: -c runner.fails -c runner.passes --waive known
verdict known.d fails fail
has known.d '.type == "case.end" and .case == "runner.fails" and .waiver == "known"'
ended known.d 0

waiver old runner.fails expires=2020-01-01 > old
selftest old.d 1 sim: -c runner.fails -c runner.passes --waive old
has old.d '.type == "note" and .level == "warning" and (.text | test("old.*expired"))'

waiver needless runner.passes expires=2999-12-31 > needless
selftest needless.d 0 sim: -c runner.passes --waive needless
has needless.d '.type == "note" and .level == "warning" and (.text | test("needless.*not needed"))'

waiver other runner.fails "$(printf 'model=QEMU*\nexpires=2999-12-31')" > other
selftest other.d 1 sim: -c runner.fails --waive other

waiver firmware runner.fails "$(printf 'firmware=9.9\nuntil-firmware-changes=yes')" > firmware
selftest firmware.d 1 sim: -c runner.fails --waive firmware
has firmware.d '.type == "note" and .level == "warning" and (.text | test("firmware 9.9"))'

waiver bad runner.fials expires=2999-12-31 > bad
selftest bad.d 2 sim: -c runner.fails --waive bad
grep -q 'runner.fails' bad.d.err || complain "the nearest case is named" bad.d.err
[ ! -e bad.d ] || complain "a usage error makes no run directory"
finish
