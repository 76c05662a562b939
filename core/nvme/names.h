/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 256 literals "PREFIX 00h" to "PREFIX FFh": names, without a buffer, for what has none. */
#ifndef NVP_NVME_NAMES_H
#define NVP_NVME_NAMES_H

#define NVP_NAMES_16(prefix, high)							\
	prefix high "0h", prefix high "1h", prefix high "2h", prefix high "3h",		\
	prefix high "4h", prefix high "5h", prefix high "6h", prefix high "7h",		\
	prefix high "8h", prefix high "9h", prefix high "Ah", prefix high "Bh",		\
	prefix high "Ch", prefix high "Dh", prefix high "Eh", prefix high "Fh"

#define NVP_NAMES_256(prefix)								\
	NVP_NAMES_16(prefix, "0"), NVP_NAMES_16(prefix, "1"), NVP_NAMES_16(prefix, "2"),	\
	NVP_NAMES_16(prefix, "3"), NVP_NAMES_16(prefix, "4"), NVP_NAMES_16(prefix, "5"),	\
	NVP_NAMES_16(prefix, "6"), NVP_NAMES_16(prefix, "7"), NVP_NAMES_16(prefix, "8"),	\
	NVP_NAMES_16(prefix, "9"), NVP_NAMES_16(prefix, "A"), NVP_NAMES_16(prefix, "B"),	\
	NVP_NAMES_16(prefix, "C"), NVP_NAMES_16(prefix, "D"), NVP_NAMES_16(prefix, "E"),	\
	NVP_NAMES_16(prefix, "F")

#endif
