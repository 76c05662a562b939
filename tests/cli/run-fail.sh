# SPDX-License-Identifier: GPL-2.0-or-later
# A drive that breaks a rule: the line of the case, section, expected and seen, and the trace.
. "$HERE/common.bash"
drive=sim:defect=abort-result-inverted
show run $drive -c 'abort.*' -o text
must "trace lines" grep -qE '^ +[0-9]+ +[0-9.]+ us  .*Abort' show.out
show run $drive -c 'abort.*' -o tap --tap
show run $drive -c 'abort.*' -o stop --stop-on-fail
show run $drive -c 'abort.*' -o quiet -q

cat > known.waivers << 'END'
[waiver abort-of-nothing]
case = abort.missing-*
evidence = the defect of this test
expires = 2999-12-31
END
show run $drive -c 'abort.*' -o waived --waive known.waivers
