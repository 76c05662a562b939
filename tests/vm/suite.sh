#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# suite.sh [GLOB]: the cases (all, unless a glob is given) on QEMU's controller, through the kernel and
# through VFIO, then the guest's own I/O on the same drive. Prints a table of areas beside the simulated
# drive's. Ends with 0 only when nvproof ended with 0 both ways and the guest's I/O and kernel log are good.
set -euo pipefail
. "$(dirname "$0")/common.sh"

glob=${1:-*}
to=$BUILD/vm/suite
rm -rf "$to"
mkdir -p "$to"
rc=0
AFTER=$here/after.sh TO=$to LIMIT=${LIMIT:-1500} WAY="kernel pci" "$here/run" "$glob" || rc=$?

# The tool must have decided something: a run directory without an end is the bench's failure.
for run in run run-pci; do
	jq -es 'any(.[]; .type == "run.end")' "$to/$run/events.jsonl" > /dev/null 2>&1 || {
		echo "suite: no complete events.jsonl came back in $run" >&2
		exit 3
	}
done
"$OUT/nvproof" run sim: -c "$glob" -o "$to/sim" > "$to/sim.log" || echo "suite: the simulated drive ended with $?" >&2
"$top/tests/areas.sh" "sim:=$to/sim" "QEMU (kernel)=$to/run" "QEMU (pci)=$to/run-pci"
exit $rc
