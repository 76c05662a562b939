#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cuts.sh [N]: N cuts (default 10,000) of honest simulated drives, in campaigns of 250 over all forms below, all phases
# and workloads, each campaign with a seed of its own, two at once. One fail or one broken run is a false one: its run
# directory is kept and named. At the end: cuts by phase and by workload, and cycles a second on one core.
set -u
cd "$(dirname "$0")/.." || exit 1
OUT=$(realpath "${OUT:-build}")
N=${1:-10000}
EACH=250
FIRST_SEED=${FIRST_SEED:-1}
top=$(mktemp -d) || exit 1
trap 'rmdir "$top" 2> /dev/null' EXIT
export OUT top EACH N FIRST_SEED

# drive | options; phases that erase or change firmware have to be named
erasing=format,sanitize,firmware,namespace,self-test
forms="sim:|
sim:profile=client|
sim:profile=ocp|--rules ocp
sim:profile=minimal|
sim:vwc=off|--policy sane
sim:lba=4096|--policy sane
sim:ns=2|--set span
sim:|--phase $erasing
sim:cache-loss=all|--rules raw-spec
sim:cache-loss=newest|--max-volatile 50
sim:pi=1|--policy sane
sim:pi=1,lba=4096,plp=on|--rules enterprise-plp
sim:profile=client|--phase $erasing
sim:detect-us=2000|--set full
sim:profile=ocp|--phase $erasing --rules enterprise-plp
sim:ns=2|--phase $erasing
sim:pi=2,meta=64,lba=4096,mset=on|
sim:meta=8,mset=on|--phase $erasing,trim,zeroes
sim:pi=3,meta=64,lba=4096,pil=on|--workload copy,trim,zeroes,compare,overlap --rules raw-spec
sim:|--workload copy,overlap,compare
sim:|--workload refused --policy sane
sim:hold-up-us=3000|--workload mixed,boundary,atomic --policy sane"
export forms

one() {
	local i=$1 form drive options dir=$top/$1 cycles seconds code=0
	form=$(sed -n "$((i % $(wc -l <<< "$forms") + 1))p" <<< "$forms")
	drive=${form%%|*} options=${form#*|}
	cycles=$((N - i * EACH < EACH ? N - i * EACH : EACH))
	TIMEFORMAT='%U %S'
	# shellcheck disable=SC2086 -- the options are words
	seconds=$({ time "$OUT/nvproof" powerloss "$drive" $options --seed $((FIRST_SEED + i)) --cycles "$cycles" \
		--trace none --quiet -o "$dir" > "$dir.out" 2> "$dir.err"; } 2>&1) || code=$?
	if [ $code != 0 ]; then
		echo "FAIL exit $code: nvproof powerloss $drive $options --seed $((FIRST_SEED + i)) --cycles $cycles: see $dir"
		head -n 4 "$dir.err"
		return
	fi
	echo "time $seconds"
	jq -r --arg form "$drive $options" 'select(.type == "power" and .action == "cut")
		| "cut\t\($form)\t\(.phase)\t\(.workload)\t\(.state)"' "$dir/events.jsonl" | sort | uniq -c
	rm -rf "$dir" "$dir.out" "$dir.err"
}
export -f one

# what a cycle costs by itself: eight operations at most before the cut, on a window of 512 blocks
small() {
	local seconds
	TIMEFORMAT='%U %S'
	seconds=$({ time "$OUT/nvproof" powerloss sim: --range 4096:512 --ops 8 --depth 8 --queues 1 --seed "$FIRST_SEED" \
		--cycles 2000 --trace none --quiet -o "$top/small" > /dev/null 2>&1; } 2>&1) || { echo "FAIL exit $? of small cycles: see $top/small" && return; }
	rm -rf "$top/small"
	awk '{ printf "%.0f cycles a second on one core, of small ones\n", 2000 / ($1 + $2) }' <<< "$seconds"
}

# What the tool has for itself at most, and the simulated drive apart from it (its arena is shared memory), looked at
# while a campaign goes over 30.72 TB; the limit itself is tested by cli/powerloss-memory.sh.
memory() {
	local pid
	"$OUT/nvproof" powerloss sim:size=30720G --set full --seed "$FIRST_SEED" --cycles 300 --trace none --quiet \
		-o "$top/memory" > /dev/null 2>&1 &
	pid=$!
	while kill -0 $pid 2> /dev/null; do
		# shellcheck disable=SC2046 -- each is a number
		cat /proc/$pid/status $(printf '/proc/%s/status ' $(cat /proc/$pid/task/*/children 2> /dev/null)) 2> /dev/null
		sleep 0.05
	done | awk '
		$1 == "RssAnon:" && $2 > own { own = $2 }
		$1 == "RssShmem:" && $2 > arena { arena = $2 }
		END { printf "%.0f MiB at most of the tool on 30.72 TB, beside %.0f MiB of the simulated drive\n",
			own / 1024, arena / 1024 }'
	wait $pid || { echo "FAIL exit $? on 30.72 TB: see $top/memory" && return; }
	rm -rf "$top/memory"
}

{
	small
	memory
	seq 0 $(((N + EACH - 1) / EACH - 1)) | xargs -P "$(nproc)" -I{} bash -c 'one {}'
} | awk -F '\t' '
	/^[0-9]+ (cycles a second|MiB)/ { print; next }
	/^FAIL/ || /^nvproof:/ { print; if (/^FAIL/) failed++; next }
	/^time/ { split($0, part, " "); cpu += part[2] + part[3]; next }
	{ n = $1; sub(/ *cut.*/, "", n); cuts += n; form[$2] += n; phase[$3] += n; work[$4] += n; if ($5 == "confirmed") sure += n }
	END {
		for (f in form) printf "%8d  %s\n", form[f], f | "sort -k 2"
		close("sort -k 2")
		for (p in phase) printf "%8d  cut during %s\n", phase[p], p | "sort -rn"
		close("sort -rn")
		for (w in work) printf "%8d  of workload %s\n", work[w], w | "sort -rn"
		close("sort -rn")
		printf "%d cuts, %d confirmed, %d campaigns with a false fail; %.0f cycles a second on one core\n", \
			cuts, sure, failed, cpu ? cuts / cpu : 0
		printf "@counts passed=%d failed=%d skipped=0\n", cuts, failed
		exit failed > 0 || cuts == 0
	}'
