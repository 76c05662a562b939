# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: USB relay boards that the kernel believes in, switched through hidapi and hidraw.
# usbrelay, where it is installed, says whether the boards are such as others know them.
set -u
cd /tmp || exit 1
modprobe -a uhid hid-generic || exit 1
[ -c /dev/uhid ] || { echo "no /dev/uhid" >&2; exit 1; }
export NVP_UHID=1
if command -v usbrelay > /dev/null; then
	export NVP_UHID_OTHER='usbrelay 2> /dev/null'
fi
"${NVPROOF%/*}/unit" 'relay_uhid*' > unit.out
rc=$?
cat unit.out
# Without the kernel's board the tests have nothing to look at, and pass.
grep -q "a board of the kernel's was switched" unit.out || {
	echo '@counts passed=0 failed=1 skipped=0'
	rc=1
}
exit $rc
