# SPDX-License-Identifier: GPL-2.0-or-later
# The catalogues: text for people, JSON for programs, both of the same records.
. "$HERE/common.bash"
need jq
show cases -c abort.missing-commands-are-not-aborted -v
show cases -c abort.missing-commands-are-not-aborted --json
code 0 cases
cp code.out text
code 0 cases --json
must "the same ids" diff <(awk '{ print $1 }' text) <(jq -r '.cases[].id' code.out)
must "complete records" jq -e 'all(.cases[]; .id and .title and .spec.document and .spec.section and .impact and (.rows | type) == "array" and (.catches | length) > 0)' code.out > /dev/null
code 0 defects
cp code.out text
code 0 defects --json
must "the same names" diff <(awk 'NF && $1 != "A" { print $1 }' text) <(jq -r '.defects[].name' code.out)
must "sections and areas" jq -e '.schema == "nvproof.defects/1" and all(.defects[]; .name and .sentence and .section and .area)' code.out > /dev/null
