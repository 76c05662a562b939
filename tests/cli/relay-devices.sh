#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# relay-devices.sh: addresses of power devices that are wrong, or of what is not there: one line, and
# the right exit code. Nothing is begun then.
set -u

run() {
	local want=$1 code=0
	nvproof powerloss sim: --relay "$2" --cycles 1 -o out > text 2> err || code=$?
	echo "== --relay $2 -> $code"
	[ $code = "$want" ] || { echo "expected $want"; cat text err; exit 1; }
	[ "$(wc -l < err)" = 1 ] || { echo "one line was expected:"; cat err; exit 1; }
	cat err
	rm -rf out
}

run 2 scpi:
run 2 scpi:nowhere
run 2 scpi:127.0.0.1:66000
run 2 scpi:127.0.0.1:5025/100
run 2 'scpi:127.0.0.1:5025/2?channel=3'
run 2 scpi:/dev/null
run 2 scpi:/dev/usbtmc987
run 3 scpi:127.0.0.1:1
run 2 quarch:ttyUSB0
run 2 quarch:/dev/null
run 2 quarch:/dev/ttyUSB987/2
run 2 quarch:192.0.2.1:9760
run 3 quarch:127.0.0.1:1
run 2 lcus:192.0.2.1:23
run 2 lcus:/dev/null
run 2 'lcus:/dev/ttyUSB987?channel=2'
run 2 'lcus:/dev/null?channel=9'
# what boards there are is this machine's affair
nvproof powerloss sim: --relay usbhid:ZZZZZ/1 --cycles 1 -o out > /dev/null 2> err
[ $? = 3 ] || { cat err; exit 1; }
[ "$(wc -l < err)" = 1 ] && grep -qE 'no such board: seen .*; |built without hidapi; ' err || { cat err; exit 1; }
