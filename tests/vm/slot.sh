#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slot.sh PORT on|off|out: in the guest, the power of the slot below PORT, by Power Controller Control
# (PCI Express Base 5.0, 7.5.3.10, bit 10). Off is as sudden as it sounds. Out is off, and then the function
# is taken out of the kernel's list, as its hot-plug driver does: behind our back, for that waits until
# whoever has the function lets it go.
set -eu
case $2 in
off) setpci -s "$1" CAP_EXP+18.w=0400:0400 ;;
out)
	setpci -s "$1" CAP_EXP+18.w=0400:0400
	for function in "/sys/bus/pci/devices/$1"/*:*.?; do
		[ ! -e "$function/class" ] || echo 1 > "$function/remove" &
	done
	;;
on) setpci -s "$1" CAP_EXP+18.w=0000:0400 ;;
*) exit 2 ;;
esac
