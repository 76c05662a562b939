#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# suite.sh [GLOB]: the cases (all, unless a glob is given) on each controller of drives.sh, through the kernel
# and, where there is a function to hand over, through VFIO; then the guest's own I/O on the first of them.
# Prints a table, a row an area, beside the simulated drive. Ends with 0 only when no run had a fail that is
# not waived or anything broken, and the guest's I/O and kernel log are good.
#
#   FORMS="512 nvmet"  which controllers (default: all)
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$here/drives.sh"

glob=${1:-*}
to=$BUILD/vm/suite
rm -rf "$to"
mkdir -p "$to"
FORMS=${FORMS:-${bench_all[*]}}
export FORMS
rc=0
# what the guest does by itself afterwards it does on the controller of form 512
[[ " $FORMS " != *" 512 "* ]] || export AFTER=$here/after.sh
TO=$to LIMIT=${LIMIT:-2400} WAY="kernel pci" "$here/run" "$glob" || rc=$?

# The tool must have decided something: a run directory without an end is the bench's failure.
table=()
for form in $FORMS; do
	for way in kernel pci; do
		[ "$form-$way" != nvmet-pci ] || continue
		run=$form-$way
		jq -es 'any(.[]; .type == "run.end")' "$to/$run/events.jsonl" > /dev/null 2>&1 || {
			echo "suite: no complete events.jsonl came back in $run" >&2
			exit 3
		}
		! jq -r 'select(.type == "case.end" and .verdict == "broken") | .case' "$to/$run/events.jsonl" |
			grep . | sed "s/^/suite: broken on $run: /" >&2 || rc=3
		table+=("$run=$to/$run")
	done
done
"$OUT/nvproof" run sim: -c "$glob" -o "$to/sim" > "$to/sim.log" || echo "suite: the simulated drive ended with $?" >&2
"$top/tests/areas.sh" "sim=$to/sim" "${table[@]}"
exit $rc
