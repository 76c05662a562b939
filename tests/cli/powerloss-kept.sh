# SPDX-License-Identifier: GPL-2.0-or-later
# A campaign that fails: the cycle is kept, shrunk, told, run again by its replay, and packed.
. "$HERE/common.bash"
need jq tar
drive=sim:defect=flush-lies
code 1 powerloss $drive --cycles 3 --phase writes --workload mixed --seed 7 -o first
must "a story" grep -q 'shortest history that fails, of [0-9]* operations, in [0-9]* runs: LOST_FLUSHED in 3 operations$' code.out
must "a table" grep -q '^ *all  *3  *3  *[1-3] ' code.out
must "the table as JSON" jq -e '[.cases[0].tables[] | select(.name == "power loss") | .data.all.cuts] == [3]' first/run.json > /dev/null
replay=$(ls first/cycle-*.replay | head -n 1)
number=${replay#first/cycle-}
number=${number%.replay}
grep -E '^(nvproof-replay|class|queues|depth|write|flush)' "$replay" | sed 's/^write .*/write/'
code 1 powerloss "$(sed -n "s/^drive //p" "$replay")" --replay "$replay" -o second
must "the same class" grep -q 'LOST_FLUSHED' code.out
code 0 powerloss sim: --replay "$replay" -o third
code 0 bundle first "$number"
tar tf first/bundle-cycle-"$number".tar | sed -E 's/cycle-[0-9]+/cycle-N/g;s/(lba|candidate)-[0-9]+/\1-N/' | uniq
code 1 report first
must "the table again" grep -q 'negative control\|positive control' code.out
show bundle first "$number"
show bundle first 77777
show bundle first one
show bundle nowhere 1
show powerloss sim: --replay nowhere.replay
printf 'nvproof-replay 1\nrange 0 128\nwipe 0 1\n' > bad.replay
show powerloss sim: --replay bad.replay
show powerloss sim: --resume nowhere
code 0 powerloss sim:image=one.img --cycles 2 -o good
code 0 powerloss sim:image=one.img --cycles 2 --resume good -o done
must "what was done is looked at once more" jq -e '.cases[0].tables[] | select(.name == "power loss") | .data.all.cuts == 1' done/run.json > /dev/null
code 0 powerloss sim:image=one.img --cycles 4 --resume done -o on
must "it goes on after what is proven" jq -e '.cases[0].tables[] | select(.name == "power loss") | .data.all.cuts == 2' on/run.json > /dev/null
code 3 powerloss sim:image=one.img --cycles 2 --resume good -o early
must "an earlier journal accuses nobody" grep -q 'no verdict: [0-9]* blocks hold what was written after the journal ends' early/events.jsonl
show powerloss sim:serial=OTHER --cycles 4 --resume good -o other
show powerloss sim:image=one.img --resume good --seed 2 -o other
show powerloss sim:image=one.img --resume good --rules ocp -o other
show powerloss sim:image=one.img --resume good --policy strict -o other
show powerloss sim:image=one.img --resume good --nsid 2 -o other
show powerloss sim:image=one.img --resume good --range 0:64 -o other
code 0 powerloss sim:image=two.img,meta=8,mset=on --cycles 2 -o formatted
show powerloss sim:image=three.img --resume formatted -o other
must "nothing was begun" [ ! -e other ]
