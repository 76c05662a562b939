#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# step.sh NAME COMMAND...: one step of `make check`. Appends `PASS|FAIL|SKIP NAME COUNT` to $RESULTS
# and always ends with 0, so that the next step runs; total.sh says in the end whether all was good.
#
# A command ends with 0 (good), 77 (cannot be done here) or anything else (bad). One that runs many
# tests prints `@counts passed=N failed=N skipped=N` as its last such line; else the step counts as one.
set -u
name=$1
shift
log=$RESULTS.d/$name.log
mkdir -p "$RESULTS.d"
start=$(date +%s%N)
"$@" > "$log" 2>&1 < /dev/null
rc=$?
took=$((($(date +%s%N) - start) / 1000000))

passed=0 failed=0 skipped=0 counted=no
if line=$(grep -E '^@counts passed=[0-9]+ failed=[0-9]+ skipped=[0-9]+$' "$log" | tail -n 1) && [ -n "$line" ]; then
	read -r passed failed skipped < <(sed 's/[^0-9 ]//g' <<< "$line")
	counted=yes
fi
case $counted,$rc in
no,0) passed=1 ;;
no,77) skipped=1 ;;
no,*) failed=1 ;;
# What was counted and the exit code have to agree: a harness that ran nothing, or died late, is bad.
yes,0) [ $((passed + failed + skipped)) -gt 0 ] || failed=1 ;;
yes,*) [ "$failed" -gt 0 ] || failed=1 ;;
esac

[ "$passed" = 0 ] || echo "PASS $name $passed" >> "$RESULTS"
[ "$failed" = 0 ] || echo "FAIL $name $failed" >> "$RESULTS"
[ "$skipped" = 0 ] || echo "SKIP $name $skipped" >> "$RESULTS"
word=ok
[ "$skipped" = 0 ] || [ "$passed" != 0 ] || word=skip
[ "$failed" = 0 ] || word=FAIL
printf '%-5s %-24s %5d passed %3d failed %3d skipped %7d.%01d s\n' "$word" "$name" "$passed" "$failed" "$skipped" \
	$((took / 1000)) $((took % 1000 / 100))
[ $word = ok ] || tail -n "$([ $word = FAIL ] && echo 60 || echo 3)" "$log" | sed 's/^/      | /'
exit 0
