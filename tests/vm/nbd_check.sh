#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# nbd_check.sh: the disk of the bench's relay tests, looked at by qemu-io alone: what a cut may take it takes,
# what was flushed or written with FUA stays, and each fault breaks that.
set -u
. "$(dirname "$0")/common.sh"
. "$here/nbd.sh"
. "$here/counted.sh"
need nbdkit qemu-io python3
work=$(mktemp -d)
trap 'nbd_end; rm -rf "$work"' EXIT
cd "$work" || exit 1

io() { qemu-io -t writeback -f raw "nbd+unix:///?socket=$nbd_socket" "$@" > io.out 2>&1; }
# Blocks of 4 KiB that hold the byte $1 everywhere, out of 256
holding() {
	/usr/bin/python3 -c '
import sys
disk = open("disk", "rb").read()
want = bytes([int(sys.argv[1], 16)]) * 4096
print(sum(disk[at:at + 4096] == want for at in range(0, len(disk), 4096)))' "$1"
}
fresh() {
	nbd_end
	truncate -s 0 disk
	truncate -s 1M disk
	nbd_begin disk "$@"
}
cut_now() { nbd_tell freeze && nbd_tell "cut $1" && nbd_tell thaw; }
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ] || { echo "$1 is not from $2 to $3"; return 1; }; }

flushed_stays() { fresh unit=4096 && io -c 'write -P 0x11 0 1M' -c flush && cut_now 1 && between "$(holding 11)" 256 256; }
fua_stays() { fresh unit=4096 && io -c 'write -f -P 0x11 0 1M' && cut_now 1 && between "$(holding 11)" 256 256; }
# io flushes when it ends: the cut has to come before
unflushed_goes_in_part() {
	fresh unit=4096 || return 1
	python3 "$here/nbd_client.py" "$nbd_socket" 'write 0x22 0 1048576' &
	wait $!
	cut_now "$1" && between "$(holding 22)" 90 166 && between $(($(holding 22) + $(holding 00))) 256 256
}
held_fails() {
	fresh unit=4096 hold=600 && nbd_tell freeze || return 1
	python3 "$here/nbd_client.py" "$nbd_socket" 'write 0x33 0 4096' > held.out 2>&1 &
	local held=$!
	until nbd_tell held > /dev/null; do kill -0 $held || return 1; done
	nbd_tell "cut 1" && nbd_tell thaw
	! wait $held && grep -q 'error 5' held.out && between "$(holding 33)" 0 0
}
held_for_too_long_fails() {
	fresh unit=4096 && nbd_tell freeze || return 1
	! python3 "$here/nbd_client.py" "$nbd_socket" 'write 0x33 0 4096' > held.out 2>&1 || return 1
	nbd_tell thaw && grep -q 'error 5' held.out && between "$(holding 33)" 0 0
}
out_of_order() { fresh unit=4096 && ! nbd_tell "cut 1"; }
drops() { fresh unit=4096 fault=drops && io -c 'write -P 0x11 0 1M' -c flush && cut_now 1 && between "$(holding 11)" 128 250; }
tears() {
	fresh unit=4096 fault=tears || return 1
	python3 "$here/nbd_client.py" "$nbd_socket" 'write 0x22 0 1048576'
	cut_now 1 && between $(($(holding 22) + $(holding 00))) 0 20
}
old() {
	fresh unit=4096 fault=old && io -c 'write -P 0x11 0 1M' -c flush -c 'write -P 0x22 0 1M' -c flush || return 1
	cut_now 1 && between "$(holding 11)" 8 80 && between $(($(holding 11) + $(holding 22))) 256 256
}
misplaces() {
	fresh unit=4096 fault=misplaces && cut_now 1 || return 1
	for at in $(seq 0 2 254); do echo "write 0x44 $((at * 4096)) 4096"; done > ops
	mapfile -t ops < ops
	python3 "$here/nbd_client.py" "$nbd_socket" "${ops[@]}" flush
	between "$(holding 44)" 100 128
	local n=0 at
	for at in $(seq 1 2 255); do
		[ "$(od -An -v -tx1 -j $((at * 4096)) -N 1 disk)" = " 44" ] && n=$((n + 1))
	done
	between "$n" 1 40
}

counted "what was flushed stays" flushed_stays
counted "what was written with FUA stays" fua_stays
for seed in 1 2 3; do counted "about half of what was not flushed goes, seed $seed" unflushed_goes_in_part $seed; done
counted "a request that is held over a cut fails, and is nowhere" held_fails
counted "held for too long it fails without one" held_for_too_long_fails
counted "no cut without a freeze" out_of_order
for fault in drops tears old misplaces; do counted "fault $fault" $fault; done
counted_end
