# SPDX-License-Identifier: GPL-2.0-or-later
# 30.72 TB that nobody wrote yet: oracle, journal and verification in 256 MiB, and what the simulated drive needs for
# its bookkeeping with them. RLIMIT_DATA counts what a process has for itself; the drive's arena is shared memory.
. "$HERE/common.bash"
campaign() { nvproof powerloss sim:size=30720G --set full --cycles 30 --trace none --quiet "$@"; }
if nm -D "$(command -v nvproof)" | grep -q __asan; then
	echo "AddressSanitizer has memory of its own" >&2
	exit 77
fi
(ulimit -d 262144 && campaign -o enough) > out 2>&1
echo "= $?"
(ulimit -d 4096 && campaign -o scarce) > out 2>&1
echo "= $? with 4 MiB: the limit is felt"
