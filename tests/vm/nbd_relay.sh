#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# nbd_relay.sh on|off|state: in the guest, a relay (exec:) that takes power from the drive and from the volatile
# cache behind it, in the one order that loses nothing which was acknowledged: the disk stops answering, then the
# slot goes, and only when the function is seen to be gone the cache forgets. NBD_ORDER=wrong forgets first:
# what is acknowledged in between is lost, and that is what it is for.
set -eu
port=$NBD_PORT
function=$(ls -d "/sys/bus/pci/devices/$port"/*:*.? 2> /dev/null | head -n 1)
tell() {
	local answer
	echo "$*" >&3
	read -r -t 10 answer <&3
	[ "$answer" = ok ] || { echo "the disk says $answer"; exit 1; }
}
slot() { setpci -s "$port" "CAP_EXP+18.w=$1:0400"; }
gone() { for _ in $(seq 100); do [ "$(setpci -s "${function##*/}" 0.l 2> /dev/null)" != ffffffff ] || return 0; done; echo "the function is still there"; exit 1; }
control=$(dirname "$(grep -lx nbd /sys/class/virtio-ports/*/name)")
seed=$(date +%s%N)
case $1 in
state) [ $((0x$(setpci -s "$port" CAP_EXP+18.w) >> 10 & 1)) = 0 ] && echo on || echo off ;;
off)
	exec 3<> "/dev/${control##*/}"
	tell freeze
	if [ "${NBD_ORDER:-}" = wrong ]; then
		tell "cut $seed"
		tell thaw
		sleep 0.2
		slot 0400
		gone
	else
		slot 0400
		gone
		tell "cut $seed"
	fi
	;;
on)
	exec 3<> "/dev/${control##*/}"
	slot 0000
	tell thaw
	;;
esac
