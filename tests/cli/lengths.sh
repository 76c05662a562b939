# SPDX-License-Identifier: GPL-2.0-or-later
# A drive that lies about lengths and numbers of entries (core/sim/lies.c): whatever it says, info and the cases that
# read it end by themselves, with a verdict. Sanitizers see what is read beyond the end.
. "$HERE/common.bash"
need jq
numbers=$(grep -cE '^	\{ (true|false), 0x' "$TOP/core/sim/lies.c")
must "the table of lies" test "$numbers" -gt 20
for ((at = 0; at < numbers; at++)); do
	for value in 0 255 0xffffffffffffffff; do
		drive=sim:profile=ocp,ns=2,defect=length-lies:at=$at:value=$value
		nvproof info "$drive" > out 2> err || echo "info $drive: exit $?: $(head -n 1 err)"
	done
	nvproof run "$drive" -c 'identify.*' -c 'log.*' --trace none --quiet -o "run-$at" > out 2> err
	code=$?
	[ $code -le 1 ] || [ $code = 3 ] || echo "run $drive: exit $code: $(head -n 1 err)"
	jq -r 'select(.type == "case.end" and (.reason // "" | test("^(crash|hang)"))) | "\(.case): \(.reason)"' "run-$at/events.jsonl" |
		sed "s|^|$drive: |"
	! grep -m 1 -E 'Sanitizer|runtime error' err || echo "in run $drive"
done
