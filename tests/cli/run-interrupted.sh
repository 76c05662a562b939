# SPDX-License-Identifier: GPL-2.0-or-later
# An interrupted run: the running case broken, the rest not run, in every form of the report.
. "$HERE/common.bash"
need jq xmllint
interrupted() { nvproof-selftest run sim: -c runner.is-interrupted -c runner.passes -c runner.warns "$@"; }
interrupted -o text > out 2> err
echo "= $?"
cat err
grep -E '^(broken|pass|fail|skip)|pass,' out | mask
interrupted -o json --json > out 2> err
must "one document" jq -se 'length == 1 and .[0].totals.exit_code == 130' out > /dev/null
jq -c .totals out
grep -A 1 'class.*not-run' json/junit.xml | grep -v -e --
grep -o '<testsuite name.*skipped="[0-9]*"' json/junit.xml
must "valid XML" xmllint --noout json/junit.xml
interrupted -o tap --tap > out 2> err
grep -E '^(ok|not ok|1\.\.)' out
