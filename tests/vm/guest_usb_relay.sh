# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: devices that the kernel believes in: USB relay boards (hidapi, hidraw) and a SCPI power
# supply on USBTMC. usbrelay, where it is installed, says whether the boards are such as others know.
set -u
cd /tmp || exit 1
modprobe -a uhid hid-generic vhci-hcd usbtmc || exit 1
[ -c /dev/uhid ] || { echo "no /dev/uhid" >&2; exit 1; }
export NVP_UHID=1 NVP_VHCI=1
if command -v usbrelay > /dev/null; then
	export NVP_UHID_OTHER='usbrelay 2> /dev/null'
fi
"${NVPROOF%/*}/unit" 'relay_u*' > unit.out
rc=$?
cat unit.out
# Without the kernel's device the tests have nothing to look at, and pass.
for what in "a board" "an instrument"; do
	grep -q "$what of the kernel's was switched" unit.out || {
		echo "$what was not switched"
		echo '@counts passed=0 failed=1 skipped=0'
		rc=1
	}
done
exit $rc
