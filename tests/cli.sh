#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cli.sh [GLOB]: runs the scripts of tests/cli whose name matches, each in its own empty folder with the
# program on the PATH and $OUT, $TOP, $HERE (tests/cli) set. A script ends with 0, 1 or 77. When NAME.out stands beside
# NAME.sh, what the script printed must equal it; GOLDEN=1 writes it again instead.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
glob=${1:-*}
OUT=$(realpath "${OUT:-$top/build}")
export OUT TOP=$top HERE=$top/tests/cli PATH=$OUT:$PATH LC_ALL=C.UTF-8 TZ=UTC TERM=dumb
unset "${!NVPROOF_@}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

run_one() {
	local script=$1 name rc golden
	name=$(basename "$script" .sh)
	golden=${script%.sh}.out
	mkdir -p "$work/$name"
	(cd "$work/$name" && timeout 120 bash "$script") > "$work/$name.out" 2> "$work/$name.err" < /dev/null
	rc=$?
	if [ $rc = 0 ] && [ -e "$golden" ]; then
		if [ -n "${GOLDEN:-}" ]; then
			cp "$work/$name.out" "$golden"
		elif ! diff -u "$golden" "$work/$name.out" > "$work/$name.diff"; then
			echo "what $name printed differs from $name.out (make golden writes it again):"
			head -n 40 "$work/$name.diff"
			rc=1
		fi
	fi
	case $rc in
	0) passed=$((passed + 1)) && echo "ok   $name" ;;
	77) skipped=$((skipped + 1)) && echo "skip $name: $(tail -n 1 "$work/$name.err")" ;;
	*)
		failed=$((failed + 1))
		echo "FAIL $name (exit $rc)"
		[ -e "$work/$name.diff" ] || tail -n 20 "$work/$name.out" | sed 's/^/  out| /'
		tail -n 20 "$work/$name.err" | sed 's/^/  err| /'
		;;
	esac
}

for script in "$top"/tests/cli/*.sh; do
	name=$(basename "$script" .sh)
	# shellcheck disable=SC2053 -- a glob is meant
	if [ -e "$script" ] && [[ $name == $glob ]]; then
		run_one "$script"
	fi
done
echo "@counts passed=$passed failed=$failed skipped=$skipped"
[ $failed = 0 ] && [ $((passed + skipped)) -gt 0 ]
