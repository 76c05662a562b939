# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: drives that are somebody's. Each is refused with the right word and code, and not one of
# its bytes changes; what is free is tested.
. "$VM_SCRIPTS/guest.sh"
. "$VM_SCRIPTS/counted.sh"
drive_up || exit 3
cd /tmp || exit 3

bytes_of() { dd if="/dev/$1" bs=1M iflag=direct status=none | cksum; }

# refused NAME WORDS DRIVE [options]: exit 4, WORDS in the one line, both namespaces as they were
refused() {
	local name=$1 words=$2 drive=$3 rc=0 before after
	shift 3
	before=$(bytes_of nvme0n1) 
	"$NVPROOF" run "$drive" --serial S0 --allow data,erase -c 'io.*' "$@" > out 2> err || rc=$?
	after=$(bytes_of nvme0n1)
	counted "$name" test "$rc" = 4 -a "$(grep -c '^nvproof: ' err)" = 1 -a "$before" = "$after"
	counted "$name: says $words" grep -qF -- "$words" err
	rm -rf nvproof-runs
}

# ends CODE NAME WORDS ARGUMENTS...: that exit code, WORDS in what it says
ends() {
	local code=$1 name=$2 words=$3 rc=0
	shift 3
	"$NVPROOF" "$@" > out 2> err || rc=$?
	counted "$name" test "$rc" = "$code"
	[ -z "$words" ] || counted "$name: says $words" grep -qF -- "$words" err out
	rm -rf nvproof-runs
}

clean() { wipefs -qa /dev/nvme0n1; blockdev --rereadpt /dev/nvme0n1 2> /dev/null; }

modprobe -a ext4 dm-mod loop
mkdir -p /tmp/mnt

mkfs.ext4 -qF /dev/nvme0n1
refused "a file system that is not mounted" "ext4" /dev/nvme0n1
refused "its controller" "ext4" /dev/nvme0
refused "another namespace of it" "ext4" /dev/nvme0n2
# read-only: a mounted ext4 writes by itself, later
mount -o ro /dev/nvme0n1 /tmp/mnt
refused "a mounted file system" "is mounted on /tmp/mnt" /dev/nvme0n1
refused "a mounted file system, forced" "is mounted on /tmp/mnt" /dev/nvme0n1 --force
refused "a mounted file system, through the generic device" "is mounted on /tmp/mnt" /dev/ng0n1 --force
ends 0 "reading where it is mounted" "" run /dev/nvme0n1 -c 'identify.*' --waive "$VM_SCRIPTS/qemu.waivers"
umount /tmp/mnt
clean

mkswap -q /dev/nvme0n1
refused "a swap area" "swap" /dev/nvme0n1
swapon /dev/nvme0n1
refused "swap in use, forced" "is used for swap" /dev/nvme0n1 --force
swapoff /dev/nvme0n1
clean

dmsetup create held --table "0 2048 linear /dev/nvme0n1 0" --noudevsync
refused "a holder, forced" "is held by dm-0" /dev/nvme0n1 --force
dmsetup remove held --noudevsync

losetup /dev/loop7 /dev/nvme0n1
refused "a loop device on it, forced" "is held by loop7" /dev/nvme0n1 --force
losetup -d /dev/loop7

# md superblock 1.2 at 4 KiB: magic, major version 1; at byte 128 of it data size, at 144 its own sector
printf '\374\116\053\251\001\000\000\000' | dd of=/dev/nvme0n1 bs=1 seek=4096 status=none
printf '\010' | dd of=/dev/nvme0n1 bs=1 seek=$((4096 + 144)) status=none
sync
refused "a member of a RAID" "linux_raid_member" /dev/nvme0n1
clean

# LVM's label of a physical volume in sector 1: the sector's number, its checksum, offset and type, a UUID
printf 'LABELONE\001\0\0\0\0\0\0\0\245\250\347\075\040\0\0\0LVM2 0010123456789abcdefghijklmnopqrstuv' |
	dd of=/dev/nvme0n1 bs=512 seek=1 conv=sync status=none
sync
refused "a physical volume of LVM" "LVM2_member" /dev/nvme0n1
clean

# a partition table with one partition of Linux, from sector 2048 on
printf '\000\000\000\000\203\000\000\000\000\010\000\000\000\020\000\000' | dd of=/dev/nvme0n1 bs=1 seek=446 status=none
printf '\125\252' | dd of=/dev/nvme0n1 bs=1 seek=510 status=none
sync
blockdev --rereadpt /dev/nvme0n1
refused "a partition table" "partition table" /dev/nvme0n1
mkfs.ext4 -qF /dev/nvme0n1p1
mount -o ro /dev/nvme0n1p1 /tmp/mnt
refused "a mounted partition, forced" "nvme0n1p1 is mounted on /tmp/mnt" /dev/nvme0n1 --force
umount /tmp/mnt
wipefs -qa /dev/nvme0n1p1
clean

before=$(bytes_of nvme0n1)
ends 0 "what would be done" "" run /dev/nvme0n1 --dry-run --serial S0 --allow data -c 'io.*'
counted "it says what is lost" grep -q 'what is stored on it would be lost' out
counted "and does nothing" test "$before" = "$(bytes_of nvme0n1)"
ends 4 "a worn drive" "of the drive's endurance is used" run /dev/nvme0n1 --serial S0 --allow data --wear-limit 0 -c 'io.*'
counted "and does nothing to it" test "$before" = "$(bytes_of nvme0n1)"
ends 0 "reading a worn drive" "" run /dev/nvme0n1 --wear-limit 0 -c 'identify.*' --waive "$VM_SCRIPTS/qemu.waivers"
ends 4 "another serial" "is not the drive that --serial names" run /dev/nvme0n1 --serial OTHER --allow data -c 'io.*'

"$NVPROOF" run /dev/nvme0n1 -c 'identify.*' --repeat 200 -o /tmp/first > first.out 2>&1 &
first=$!
for _ in $(seq 100); do
	grep -q '"case.end"' /tmp/first/events.jsonl 2> /dev/null && break
	sleep 0.1
done
ends 4 "a second nvproof on it" "another nvproof" run /dev/nvme0n1 -c 'identify.*'
ends 4 "a second one on its other namespace" "another nvproof" run /dev/nvme0n2 -c 'identify.*'
kill -INT $first
wait $first
counted "the first one ends by its signal" test $? = 130

ends 2 "no NVMe device" "no NVMe" run /dev/null
ends 2 "a partition of a drive that has none" "does not exist" run /dev/nvme0n1p1
ends 2 "no such drive" "does not exist" run /dev/nvme7n1
rc=0
setpriv --reuid 65534 --clear-groups "$NVPROOF" run /dev/nvme0n1 -o /tmp/nobody > out 2> err || rc=$?
counted "no permission" test $rc = 2
counted "no permission: says so" grep -q 'no permission' err

# a run that was killed between a change and its way back
value() { nvme get-feature /dev/nvme0 -f 6 | sed -n 's/.*value: *//p'; }
before=$(value)
"$NVPROOF" run /dev/nvme0n1 --serial S0 --allow state -c feature.write-cache-follows-identify -o /tmp/whole > out 2> err
mkdir /tmp/killed
sed '/"type":"undo"/q' /tmp/whole/events.jsonl > /tmp/killed/events.jsonl
nvme set-feature /dev/nvme0 -f 6 -v 0 > /dev/null
counted "the setting is another one" test "$(value)" != "$before"
ends 4 "giving back without a word" "--allow state --serial S0" restore /tmp/killed
ends 4 "going on without giving back" "nvproof restore /tmp/killed" run --resume /tmp/killed
ends 0 "giving back" "" restore /tmp/killed --allow state --serial S0
counted "it says what" grep -q '^restored .*Volatile Write Cache' out
counted "the setting is as it was" test "$(value)" = "$before"
ends 0 "nothing is left" "" restore /tmp/killed
counted "it says so" grep -q 'every change was given back' out

address=$(basename "$(readlink -f /sys/class/nvme/nvme0/device)")
ends 0 "the list" "" list --json
counted "one drive, its driver and capacity" jq -e --arg at "$address" '.drives | length == 1 and .[0].serial == "S0"
	and .[0].driver == "nvme" and .[0].transport_address == $at and .[0].format == "512" and .[0].in_use == ""
	and (.[0].capacity_bytes | tonumber) > 0' out
echo 1 > "/sys/bus/pci/devices/$address/remove"
ends 2 "a namespace that vanished" "does not exist" run /dev/nvme0n1
counted_end
