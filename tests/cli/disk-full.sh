# SPDX-License-Identifier: GPL-2.0-or-later
# A disk that fills up while the cases run: a clear line, exit 3, no printed verdict that the events lack.
. "$HERE/common.bash"
need unshare jq
cat > inside << 'END'
mkdir small && mount -t tmpfs -o size=64k none small || exit 77
nvproof run sim: -o small/run > out 2> err
echo $? > code
cp small/run/events.jsonl . || exit 1
END
unshare -m bash inside || unshare -rm bash inside || { echo "no file system can be mounted here" >&2; exit 77; }
must "exit 3" test "$(cat code)" = 3
sed -E 's/[0-9]+/N/g' err | grep -o 'No space left on device' | head -n 1
jq -Rr 'fromjson? | select(.type == "case.end") | .case' events.jsonl | sort > in-events
awk '$1 == "pass" || $1 == "skip" || $1 == "fail" { print $2 }' out | sort > printed
must "some were printed" test -s printed
must "every printed verdict is in the events" test -z "$(comm -23 printed in-events)"
