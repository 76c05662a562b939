# SPDX-License-Identifier: GPL-2.0-or-later
# The life of a waiver: written from a failed run, refused until it has evidence, and its end.
. "$HERE/common.bash"
need jq xmllint
drive=sim:defect=abort-result-inverted
code 1 run $drive -c 'abort.*' -o failed -q
code 0 report failed --waiver-skeleton
mask < code.out | tee skeleton
show run $drive -c 'abort.*' --waive skeleton -o refused
must "no run directory" test ! -e refused
sed 's/^evidence =$/evidence = the answer to an Abort of nothing was seen in the trace/' skeleton > known
show run $drive -c 'abort.*' --waive known -o waived -q
show report waived --waiver-skeleton
show report failed --waiver-skeleton --json

echo '# each end is a warning: on the console, in run.json and in JUnit'
# warned DIR WORDS
warned() {
	must "$1: run.json says: $2" jq -e --arg w "$2" '[.notes[] | select(.level == "warning" and (.text | contains($w)))] | length == 1' \
		$1/run.json > /dev/null
	must "$1: JUnit says: $2" test "$(xmllint --xpath "count(//testsuite/system-out[contains(., \"$2\")])" $1/junit.xml)" = 1
	must "$1: a report says it again" eval "nvproof report $1 -q 2>&1 | grep -q \"$2\""
}
waiver() { printf '[waiver %s]\ncase = %s\nevidence = seen\n%b\n' "$@"; }
waiver day 'abort.missing-*' 'expires = 2020-02-29' > day
waiver build 'abort.missing-*' 'firmware = NVPE0.9\nuntil-firmware-changes = yes' > build
waiver idle 'abort.running-*' 'expires = 2999-12-31' > idle
show run $drive -c 'abort.*' --waive day -o day.d -q
warned day.d 'has expired on 2020-02-29'
show run $drive -c 'abort.*' --waive build -o build.d -q
warned build.d 'it was for firmware NVPE0.9, this is NVPE1.0'
show run $drive -c 'abort.*' --waive known --waive idle -o idle.d -q
warned idle.d 'is not needed'
must "which waiver it was" jq -e '[.cases[] | select(.waiver)] | length == 1' idle.d/run.json > /dev/null

echo '# what is no waiver'
bad() { printf "$1" > bad; show run sim: --waive bad; }
bad '[waiver a]\ncase = abort.*\nexpires = 2999-12-31\n'
bad '[waiver a]\ncase = abort.*\nevidence = x\n'
bad '[waiver a]\ncase = abort.*\nevidence = x\nexpires = 2999-12-31\nuntil-firmware-changes = yes\n'
bad '[waiver a]\ncase = abort.*\nevidence = x\nexpires = 2023-02-29\n'
bad '[waiver a]\ncase = abort.*\nevidence =\nexpires = 2999-12-31\n'
