#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# times.sh: all cases on the simulated drive in each profile: counts and seconds, to be read. No time is asserted.
set -u
cd "$(dirname "$0")/.."
nvproof=$(realpath "${OUT:-build}")/nvproof
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
for profile in enterprise client ocp minimal; do
	rc=0
	"$nvproof" run "sim:profile=$profile" -q -o "$work/$profile" > "$work/out" 2> "$work/err" || rc=$?
	printf '%-12s %s\n' "$profile" "$(head -n 1 "$work/out" "$work/err" 2> /dev/null | grep -E 'pass|nvproof' | head -n 1)"
	if [ $rc = 0 ]; then passed=$((passed + 1)); else
		failed=$((failed + 1))
		echo "             exit $rc"
	fi
done
echo "@counts passed=$passed failed=$failed skipped=0"
[ $failed = 0 ]
