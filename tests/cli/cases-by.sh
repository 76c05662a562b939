# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of the cases by section, by area and by row name every case, and no other.
. "$HERE/common.bash"
need jq
show cases --by area -c 'identify.reserved*' -c 'abort.m*'
show cases --by section -c 'identify.reserved*' -c 'register.version*'
show cases --by row -c 'queue.batches*'
show cases --by row -c 'queue.batches*' --json
show cases --by rows
code 0 cases --json
jq -r '.cases[].id' code.out | sort > ids
# a case may stand outside of the table of rows
jq -r '.cases[] | select(.rows | length > 0).id' code.out | sort > ids.row
for by in section area row; do
	code 0 cases --by $by --json
	[ $by != row ] || mv ids.row ids
	must "every case by $by" diff ids <(jq -r '.groups[].cases[]' code.out | sort -u)
done
must "272 rows, each with a case or a reason" jq -e '(.groups | length) == 272 and
	all(.groups[]; ((.cases | length) > 0) != (.why != null)) and all(.groups[]; .why != "its case is gone")' code.out > /dev/null
