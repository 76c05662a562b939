# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by guest scripts that look at many things; sourced there.

passed=0
failed=0

# counted NAME COMMAND...: one line and one count; what the program said stands below a failure.
counted() {
	local name=$1
	shift
	if "$@" > /tmp/counted.out 2>&1; then
		passed=$((passed + 1))
		echo "ok: $name"
	else
		failed=$((failed + 1))
		echo "not ok: $name"
		cat /tmp/counted.out err out 2> /dev/null | head -n 20 | sed 's/^/    /'
	fi
}

counted_end() {
	echo "@counts passed=$passed failed=$failed skipped=0"
	[ $failed = 0 ] && [ $passed -gt 0 ]
}
