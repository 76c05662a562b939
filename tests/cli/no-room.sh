# SPDX-License-Identifier: GPL-2.0-or-later
# Results that cannot be written: a clear line, exit 3, and what was run is not lost.
. "$HERE/common.bash"

# no SPACE ARG...: standard output is full
no_space() {
	nvproof "$@" > /dev/full 2> err
	echo "$* > /dev/full = $?: $(cat err)"
}
no_space list
no_space help
no_space cases
no_space defects --json
no_space info sim:
no_space run sim: -c 'abort.*' -o full
must "the run is whole" grep -q '"type":"run.end"' full/events.jsonl
must "its report too" test -s full/run.json
no_space report full
no_space run sim: -c 'abort.*' -o full-json --json
must "the run is whole" test -s full-json/run.json

nvproof list >&- 2> err
echo "list >&- = $?: $(cat err)"
nvproof run sim: -c 'abort.*' -o closed >&- 2> err
echo "run >&- = $?: $(cat err)"
must "nothing was begun" test ! -e closed

# the reader goes away: the run goes on to its end
(
	trap '' PIPE
	nvproof run sim: -c 'abort.*' -o pipe 2> err
	echo "run | (gone) = $?: $(cat err)" > pipe.code
) | :
cat pipe.code
must "the run is whole" grep -q '"type":"run.end"' pipe/events.jsonl

printf 'x\n' > file
show run sim: -c 'abort.*' -o file/run
show run sim: -c 'abort.*' -o made/of/folders
show run sim: -c 'abort.*' -o junit --junit file/x.xml
must "the run is whole" test -s junit/run.json
