# SPDX-License-Identifier: GPL-2.0-or-later
# --json is exactly one document, JUnit is valid with one element a line, and all agree on the counts.
. "$HERE/common.bash"
need jq xmllint
drive=sim:defect=abort-result-inverted
code 1 run $drive -c 'abort.*' -c io.namespaces-are-separate -o run --json --junit extra.xml
must "one document" jq -se 'length == 1 and .[0].schema == "nvproof.run/1"' code.out > /dev/null
must "it is run.json" cmp -s code.out run/run.json
must "the extra file is junit.xml" cmp -s extra.xml run/junit.xml
must "nothing on standard error" test ! -s code.err
must "valid XML" xmllint --noout run/junit.xml
must "one element a line" test "$(grep -c '^<' run/junit.xml)" = "$(wc -l < run/junit.xml)"
jq -c '.totals' run/run.json
jq -r '.cases[] | [.id, .verdict, .reason] | @tsv' run/run.json | sed -E 's/[0-9]+ \(0x[0-9a-f]+\)/N/g'
must "a proof" jq -e '.cases[] | select(.verdict == "fail") | (.failed | length > 0) and (.trace | length > 0)' run/run.json > /dev/null
grep -oE '<testsuite name.* skipped="[0-9]+"' run/junit.xml
grep -cE '^<failure ' run/junit.xml
grep -E '^<skipped ' run/junit.xml

code 1 run $drive sim:serial=GOOD -c 'abort.*' -o runs --json
must "one document of two runs" jq -se 'length == 1 and .[0].schema == "nvproof.runs/1" and (.[0].runs | length) == 2' code.out > /dev/null
must "it is run.json above" cmp -s code.out runs/run.json
must "valid XML of two suites" xmllint --noout runs/junit.xml
must "two suites" test "$(grep -c '^<testsuite ' runs/junit.xml)" = 2

code 2 run sim: --json --tap -c 'abort.*'
