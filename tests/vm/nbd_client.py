# SPDX-License-Identifier: GPL-2.0-or-later
"""nbd_client.py SOCKET OP...: `write BYTE OFFSET COUNT` and `flush`, one after the other, and no flush at the end,
which is what qemu-io would do. Speaks the NBD protocol's fixed newstyle handshake and simple replies."""
import socket
import struct
import sys

s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
stream = s.makefile("rwb")


def take(form):
    return struct.unpack(form, stream.read(struct.calcsize(form)))


def put(form, *values):
    stream.write(struct.pack(form, *values))
    stream.flush()


assert take(">8s8s") == (b"NBDMAGIC", b"IHAVEOPT")
flags, = take(">H")
put(">I", flags & 3)  # fixed newstyle; and no zeroes behind the export's flags
no_zeroes = flags & 2
put(">8sII", b"IHAVEOPT", 1, 0)  # NBD_OPT_EXPORT_NAME: the default export
size, flags = take(">QH")
if not no_zeroes:
    stream.read(124)
handle = 0
for op in sys.argv[2:]:
    word = op.split()
    handle += 1
    if word[0] == "flush":
        put(">IHHQQI", 0x25609513, 0, 3, handle, 0, 0)
    else:
        byte, offset, count = (int(w, 0) for w in word[1:])
        stream.write(struct.pack(">IHHQQI", 0x25609513, 0, 1, handle, offset, count))
        put("%ds" % count, bytes([byte]) * count)
    magic, error, back = take(">IIQ")
    assert (magic, back) == (0x67446698, handle)
    if error:
        sys.exit("%s: error %d" % (op, error))
