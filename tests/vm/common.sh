# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the scripts of the virtual bench; sourced, not run.
# VM is the folder of everything that was fetched (build/vm), OUT the folder of the build to test.

PATH=$PATH:/usr/sbin:/sbin
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
BUILD=$(realpath -m "${BUILD:-$top/build}")
OUT=$(realpath -m "${OUT:-$BUILD}")
VM=${VM:-$BUILD/vm}
mkdir -p "$VM"

# 3: the bench itself is broken, as the program's own exit code says it.
die() {
	echo "${0##*/}: $*" >&2
	exit 3
}

# 77: cannot be done here, which the test steps count as skipped.
need() {
	local p
	for p; do
		command -v "$p" > /dev/null || {
			echo "${0##*/}: '$p' is missing: make deps SET=check" >&2
			exit 77
		}
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}
