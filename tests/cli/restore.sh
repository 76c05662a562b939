# SPDX-License-Identifier: GPL-2.0-or-later
# A run that was killed leaves changes open: restore gives them back, says what it could not, and a second
# one finds nothing.
. "$HERE/common.bash"
need jq
code 0 run sim:image=drive.img,serial=S1 -c feature.arbitration-reads-back -o whole
# killed between the change and its way back, in the middle of writing a line
mkdir killed
sed '/"type":"undo"/q' whole/events.jsonl > killed/events.jsonl
printf '{"v":1,"seq"' >> killed/events.jsonl
show restore killed
show restore killed
must "the file goes on without a gap" jq -es '[.[].seq] == [range(length)]' killed/events.jsonl > /dev/null
must "what was given back is in it" jq -es '.[-1] | .type == "undone" and .ok' killed/events.jsonl > /dev/null
show restore whole

# what the drive refuses is said, and stays open
sed '/"type":"undo"/q' whole/events.jsonl | sed -E 's/"sqe":"..(.{126})"/"sqe":"c0\1"/' > killed/events.jsonl
show restore killed
show restore killed --json
must "open still" jq -es 'map(select(.type == "undone" and .ok)) == []' killed/events.jsonl > /dev/null

# another drive, and what is no run
sed -i 's/serial=S1/serial=S2/' killed/events.jsonl
show restore killed
show restore nothing
show restore
code 0 run sim: sim:serial=OTHER -c feature.arbitration-reads-back -o two > /dev/null
show restore two

# going on with a run on a real drive that still has something to give back
sed -i -e 's/sim:image=drive.img,serial=S2/\/dev\/nvme9/' killed/events.jsonl
show run --resume killed
