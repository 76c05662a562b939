# SPDX-License-Identifier: GPL-2.0-or-later
# A campaign that is interrupted: its cycles count, their table is there, and --resume goes on.
. "$HERE/common.bash"
need jq
nvproof powerloss sim:image=one.img --cycles 1000000 -o first --trace none > out 2> err &
campaign=$!
until [ "$(grep -c '"confirmed"' first/events.jsonl 2> /dev/null)" -ge 5 ] 2> /dev/null; do
	kill -0 $campaign || exit 1
done
kill -INT $campaign
wait $campaign
echo "= $?"
cat err
sed -nE 's/^(broken .*) after [0-9]+ of/\1 after N of/p' out
must "a table of what was done" grep -qE '^ *all +[0-9]+ +[0-9]+ +0 ' out
must "no trace: nothing went wrong" sh -c '! grep -q doorbell out'
done=$(jq '.cases[0].tables[] | select(.name == "power loss") | .data.all.cuts' first/run.json)
must "several cycles" [ "$done" -ge 5 ]
code 0 powerloss sim:image=one.img --cycles $((done + 3)) --resume first -o on
must "it goes on after what is proven" jq -e '.cases[0].tables[] | select(.name == "power loss") | .data.all.cuts <= 4' on/run.json > /dev/null
