#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# own_mutants.sh: mistakes put into copies of our own proof (oracle, judge, journal, statistics): each
# must make one of its unit tests fail, and the copy without any must pass.
set -u
cd "$(dirname "$0")/.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
base='core/base/text.c core/base/json_text.c core/base/rand.c core/base/checksum.c core/base/err.c core/base/parse.c core/base/stamp.c core/base/stamp_meta.c'
sources="power/oracle*.c power/judge*.c power/journal*.c power/stats.c power/ledger.c power/workload.c"
suites='oracle_refused journal oracle oracle_judge oracle_exhaustive'

# file | what is wrong | sed program; the program must change the file
mutants='
power/oracle_impl.h|submission and acknowledgement are swapped|s/return p->ack < q->sub;/return p->sub < q->ack;/
power/oracle_live.c|a flush covers what was acknowledged after it was given|s/op->ack < o->flush_sub/op->sub < o->flush_sub/
power/oracle.c|a flush counts from its completion|s/o->flush_sub = op->sub;/o->flush_sub = op->ack;/
power/oracle.c|a flush that failed counts|s/if (success \&\& op->sub > o->flush_sub)/if (op->sub > o->flush_sub)/
power/oracle.c|a settlement is forgotten|s/o->nr_settled++\]/o->nr_settled]/
power/oracle.c|a reset retires nothing|/^int nvp_oracle_reset/,/^}/s/retire(o);//
power/oracle.c|a shutdown that was not seen complete counts|s/if (success \&\& op->sub > o->shutdown_sub)/if (op->sub > o->shutdown_sub)/
power/oracle.c|the cache comes on again unseen after a reset|/^int nvp_oracle_reset/,/^}/s/o->cache_off = false;/o->cache_off = true;/
power/journal.c|the credit comes after the doorbell|s/j->credit = j->rung + NVP_JOURNAL_BATCH;/j->credit = j->rung - nr;/
power/journal.c|a ring of many is written as one more|s/(uint8_t)(nr - 2)/(uint8_t)(nr - 1)/
power/journal.c|an error is written as an acknowledgement|s/code(j, 7, 3);/code(j, 0, 1);/
power/journal.c|the slots of one cycle are kept for the next|/^int nvp_journal_cycle/,/^}/s/j->slots = .*;//
power/journal_read.c|a reset keeps its slots|s/event == NVP_JOURNAL_RESET ||/0 ||/
power/journal_read.c|damage is not looked for|s/frame->number >= r->next/0/
power/journal_read.c|the number of a frame is not looked at|s/|| frame.number != r.next/|| 0/
power/journal_read.c|after damage the same cycle goes on|s/if (r->lost)$/if (0)/
power/journal_format.c|the highest free slot is taken|s/__builtin_ffsll((long long)~slots->used\[i\]) - 1/(~slots->used[i] ? 63 - __builtin_clzll(~slots->used[i]) : -1)/
'

flags="-std=gnu11 -D_GNU_SOURCE -O1 -I $tmp/tree/include -I $tmp/tree $(pkg-config --cflags cunit json-c libisal)"
mkdir -p "$tmp/tree" && cp -R include core power tests "$tmp/tree/" || exit 1
{
	echo '#include "tests/unit/unit.h"'
	for s in $suites; do echo "extern CU_TestInfo nvp_unit_$s[];"; done
	echo 'const struct nvp_unit_suite nvp_unit_suites[] = {'
	for s in $suites; do echo "	{ \"$s\", nvp_unit_$s },"; done
	echo '	{ 0, 0 } };'
} > "$tmp/tree/suites.c"

# compile FOLDER FILE...: an object of each below FOLDER
compile() {
	local to=$1 f
	shift
	for f; do
		mkdir -p "$to/${f%/*}"
		# shellcheck disable=SC2086
		(cd "$tmp/tree" && ${CC:-gcc} $flags -c -o "$to/${f%.c}.o" "$f") >> "$tmp/build.log" 2>&1 || return 1
	done
}

# link PROGRAM FOLDER: what is in FOLDER stands before the good objects
link() {
	local o list=
	for o in $(cd "$tmp/good.o" && find . -name '*.o'); do
		if [ -e "$2/$o" ]; then list+=" $2/$o"; else list+=" $tmp/good.o/$o"; fi
	done
	# shellcheck disable=SC2046,SC2086
	${CC:-gcc} -o "$1" $list $(pkg-config --libs cunit json-c libisal) -lm >> "$tmp/build.log" 2>&1
}

# build PROGRAM FILE: with this file as it stands in the tree now
build() {
	rm -rf "$tmp/bad.o"
	: > "$tmp/build.log"
	case $2 in
	*.h) compile "$tmp/bad.o" $power && link "$1" "$tmp/bad.o" ;;
	*) compile "$tmp/bad.o" "$2" && link "$1" "$tmp/bad.o" ;;
	esac
}

power=$(echo $sources)
tests=tests/unit/main.c
for s in $suites; do tests+=" tests/unit/test_$s.c"; done
# shellcheck disable=SC2086
good() { compile "$tmp/good.o" ./suites.c $power $base $tests tests/unit/oracle_*.c && link "$1" "$tmp/none"; }

# The exhaustive suite alone takes longer than all others: it is asked only when the others pass.
fails() {
	local s
	for s in $suites; do
		(cd "$tmp/tree" && timeout 120 "$1" "$s") > "$tmp/test.log" 2>&1 || return 0
	done
	return 1
}

if ! good "$tmp/good" || fails "$tmp/good"; then
	cat "$tmp/build.log"
	tail -n 30 "$tmp/test.log"
	echo 'the copy without a mistake does not pass'
	exit 1
fi
while IFS='|' read -r file what program; do
	[ -n "$file" ] || continue
	sed "$program" "$file" > "$tmp/tree/$file"
	if cmp -s "$file" "$tmp/tree/$file"; then
		echo "stale: $what: nothing in $file changes"
		failed=$((failed + 1))
	elif ! build "$tmp/bad" "$file"; then
		echo "does not build: $what"
		tail -n 3 "$tmp/build.log"
		failed=$((failed + 1))
	elif fails "$tmp/bad"; then
		echo "caught: $what"
		passed=$((passed + 1))
	else
		echo "NOT CAUGHT: $what ($file)"
		failed=$((failed + 1))
	fi
	cp "$file" "$tmp/tree/$file"
done <<< "$mutants"
echo "@counts passed=$passed failed=$failed skipped=0"
[ $failed = 0 ] && [ $passed -gt 0 ]
