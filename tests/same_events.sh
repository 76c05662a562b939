#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# same_events.sh A B: two run directories of one seed must hold equal events, but for the keys that
# may differ: wall_utc, wall_ms and everything under "host". Prints the first differences.
set -euo pipefail
[ $# = 2 ] || { echo "usage: same_events.sh DIR DIR" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Numbers stay as they were written: jq would round what passes 2^53, and such are strings by contract.
for side in 0 1; do
	dir=$1
	shift
	jq -cS 'walk(if type == "object" then del(.wall_utc, .wall_ms, .host) else . end)' "$dir/events.jsonl" \
		> "$work/$side"
done
[ -s "$work/0" ] || { echo "same_events: no events" >&2; exit 1; }
diff -U 0 "$work/0" "$work/1" > "$work/diff" || { head -n 20 "$work/diff"; exit 1; }
echo "$(wc -l < "$work/0") events are equal"
