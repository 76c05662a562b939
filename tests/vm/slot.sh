#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slot.sh PORT on|off: in the guest, the power of the slot below PORT, by Power Controller Control
# (PCI Express Base 5.0, 7.5.3.10, bit 10). Off is as sudden as it sounds.
set -eu
case $2 in
off) setpci -s "$1" CAP_EXP+18.w=0400:0400 ;;
on) setpci -s "$1" CAP_EXP+18.w=0000:0400 ;;
*) exit 2 ;;
esac
