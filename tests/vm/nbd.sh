# SPDX-License-Identifier: GPL-2.0-or-later
# A disk with a volatile cache for QEMU (nbd_volatile.c); sourced. nbd_begin FILE PARAMETER..., nbd_tell WORD..,
# nbd_end; $nbd_socket and $nbd_control are its two sockets.

nbd_pid=
nbd_begin() {
	local file=$1 dir
	shift
	[ -e "$VM/nbd_volatile.so" ] && [ "$VM/nbd_volatile.so" -nt "$here/nbd_volatile.c" ] ||
		cc -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -shared -fPIC -pthread -o "$VM/nbd_volatile.so" "$here/nbd_volatile.c" ||
		return 1
	dir=$(mktemp -d) # not below $VM: the path of a socket has 107 characters at most
	nbd_dir=$dir nbd_socket=$dir/disk nbd_control=$dir/control
	nbdkit -f -U "$nbd_socket" "$VM/nbd_volatile.so" file="$file" control="$nbd_control" "$@" &
	nbd_pid=$!
	until [ -S "$nbd_socket" ] && [ -S "$nbd_control" ]; do
		kill -0 $nbd_pid 2> /dev/null || return 1
		sleep 0.05
	done
}
# nbd_drives FILE: arguments of QEMU: a drive over it, alone below a root port, blocks of 4096 bytes, FILE is its second
# namespace; and its control in the guest.
nbd_drives() {
	truncate -s 16M "$1"
	drives=(-device "pcie-root-port,id=rp1,chassis=1,slot=1" -device "nvme,id=n0,serial=S0,bus=rp1"
		-drive "file=nbd+unix:///?socket=$nbd_socket,if=none,id=d0,format=raw,discard=unmap"
		-device "nvme-ns,drive=d0,bus=n0,nsid=1,logical_block_size=4096,physical_block_size=4096,eui64-default=on"
		-drive "file=$1,if=none,id=d1,format=raw,discard=unmap" -device "nvme-ns,drive=d1,bus=n0,nsid=2,eui64-default=on"
		-device virtio-serial-pci -chardev "socket,id=nbd,path=$nbd_control"
		-device "virtserialport,chardev=nbd,name=nbd")
}
nbd_tell() {
	/usr/bin/python3 -c '
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall((sys.argv[2] + "\n").encode())
answer = s.makefile().readline().strip()
print(answer)
sys.exit(answer != "ok")' "$nbd_control" "$*"
}
nbd_end() {
	[ -n "$nbd_pid" ] || return 0
	kill $nbd_pid 2> /dev/null
	wait $nbd_pid 2> /dev/null
	rm -rf "$nbd_dir"
	nbd_pid=
}
