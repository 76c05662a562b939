# SPDX-License-Identifier: GPL-2.0-or-later
# The commands of a run again: of failing cases, of all, of none; by case; from a torn file.
. "$HERE/common.bash"
need jq
drive=sim:defect=abort-result-inverted
code 1 run $drive -c 'abort.*' -o fail
code 0 trace fail
mask < code.out
must "the command" grep -q ' Abort ' code.out
code 0 trace fail --json
must "the same as JSON" jq -e '.schema == "nvproof.trace/1" and (.lines | length) > 3 and (.lines[0] | .case and .tick and .text)' code.out > /dev/null
code 0 trace fail -c 'identify.*'
cat code.out
code 0 run sim: -c 'abort.*' -o none --trace none
show trace none
code 0 run sim: -c 'abort.*' -c 'identify.reserved*' -o all --trace all
code 0 trace all
must "every case" test "$(grep -c '^[a-z]*\.' code.out)" -ge 4
code 0 trace all --case 'identify.*'
must "one case" test "$(grep -c '^[a-z]*\.' code.out)" = 1
must "with its commands" grep -q Identify code.out
must "trace.bin" test -s all/trace.bin
truncate -s -40 all/trace.bin
code 3 trace all
cat code.err
must "what came before" grep -q Identify code.out
head -c 128 /dev/urandom > all/trace.bin
code 3 trace all
cat code.err
truncate -s 100 all/trace.bin
code 3 trace all
cat code.err
