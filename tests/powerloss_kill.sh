#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# powerloss_kill.sh [N]: a campaign on a drive in a file is ended by SIGKILL at N random moments (200
# unless given) and gone on with from its journal. On a healthy drive nothing may fail; with a defect
# that was planted before the kill it is still found in most of them, and never on the healthy one.
# Counted: operations whose acknowledgement had not reached the journal.
set -u
cd "$(dirname "$0")/.." || exit 1
n=${1:-200}
out=${OUT:-build}
defect=${DEFECT:-flush-lies}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0 resumed=0 found=0 planted=0 open=0 told=0

complain() {
	failed=$((failed + 1))
	echo "kill $i: $1"
	tail -n 40 "$tmp/$2.log"
}

# A campaign that never ends by itself, its whole group killed after so many milliseconds.
begin_and_kill() {
	local address=$1 ms=$2 pid
	setsid "$out/nvproof" powerloss "$address" --cycles 1000000 --seed "$i" -o "$tmp/a" > "$tmp/a.log" 2>&1 &
	pid=$!
	sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
	kill -KILL -- "-$pid" 2> /dev/null
	wait "$pid" 2> /dev/null
}

count() {
	local line
	line=$(grep -o 'the journal tells of [0-9]* operations, [0-9]* more may have been issued, [0-9]* in all' "$tmp/b/events.jsonl") || return 0
	resumed=$((resumed + 1))
	set -- $line
	told=$((told + $5))
	open=$((open + ${13}))
}

for i in $(seq 1 "$n"); do
	rm -rf "$tmp"/*
	planting=$((i % 4 == 0))
	address=sim:image=$tmp/drive
	[ $planting = 0 ] || address+=,defect=$defect
	begin_and_kill "$address" $((120 + RANDOM % 900))
	[ -s "$tmp/a/journal.bin" ] || continue
	first=$(grep -c '"verdict":"fail"\|"severity":"fail"' "$tmp/a/events.jsonl")
	"$out/nvproof" powerloss "$address" --cycles 1 --seed "$i" --resume "$tmp/a" -o "$tmp/b" > "$tmp/b.log" 2>&1
	rc=$?
	count
	if [ $planting = 0 ]; then
		[ "$first" = 0 ] || complain "the healthy drive failed before the kill" a
		case $rc in
		0) ;;
		3) grep -q 'no verdict\|nothing was tested' "$tmp/b.log" || complain "resuming gave $rc" b ;;
		*) complain "resuming gave $rc" b ;;
		esac
	else
		planted=$((planted + 1))
		found=$((found + (rc == 1 || first > 0)))
		[ $rc = 0 ] || [ $rc = 1 ] || [ $rc = 3 ] || complain "resuming gave $rc" b
	fi
done
echo "powerloss_kill: $n kills, $resumed resumed: $told operations in their last cycles, $open without an acknowledgement in the journal; $defect found in $found of $planted"
[ $resumed -gt 0 ] && [ $((found * 2)) -ge "$planted" ] && [ $failed = 0 ]
