# SPDX-License-Identifier: GPL-2.0-or-later
# What is there, and what a drive says: text and JSON from one table agree.
. "$HERE/common.bash"
need jq
code 0 list
tail -n 1 code.out
code 0 list --json
must "drives and the simulated one" jq -e '.schema == "nvproof.list/1" and (.drives | type) == "array" and .simulated.address == "sim:"' code.out > /dev/null
code 0 info sim:ns=2,serial=SN-OF-TEST,lba=4096 --json
jq -c '[keys[]], [.identify_controller.sn, .registers.vs, (.namespaces | map(.nsid)), (.smart | has("power_cycles")), (.notes | length)]' code.out
cp code.out info.json
code 0 info sim:ns=2,serial=SN-OF-TEST,lba=4096
must "the serial number" grep -qE '^Serial Number +: SN-OF-TEST$' code.out
must "two namespaces" test "$(grep -cE '^Namespace [0-9]+$' code.out)" = 2
must "as many fields as JSON members" test \
	"$(jq '[.registers, .identify_controller, .smart, .namespaces[].identify_namespace | length] | add' info.json)" -le "$(grep -c ' : ' code.out)"
must "nothing was allowed to change" test ! -s code.err
