// SPDX-License-Identifier: GPL-2.0-or-later
// CRC32C and T10-DIF: the only file that calls ISA-L.

#include "core/base/checksum.h"

#include <limits.h>

#include <isa-l.h>

uint32_t nvp_crc32c(const void *bytes, size_t nr_bytes)
{
	const uint8_t *at = bytes;
	uint32_t crc = UINT32_MAX;

	/* ISA-L takes an int and a pointer that is not const, and writes nothing. */
	while (nr_bytes) {
		size_t part = nr_bytes < INT_MAX ? nr_bytes : (size_t)INT_MAX & ~(size_t)4095;

		crc = crc32_iscsi((unsigned char *)(uintptr_t)at, (int)part, crc);
		at += part;
		nr_bytes -= part;
	}
	return ~crc;
}

uint16_t nvp_crc16_t10dif(const void *bytes, size_t nr_bytes)
{
	return crc16_t10dif(0, bytes, nr_bytes);
}

uint16_t nvp_crc16_t10dif_go_on(uint16_t crc, const void *bytes, size_t nr_bytes)
{
	return crc16_t10dif(crc, bytes, nr_bytes);
}
