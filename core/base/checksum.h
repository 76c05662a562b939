/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CRC32C and T10-DIF, through ISA-L. */
#ifndef NVP_BASE_CHECKSUM_H
#define NVP_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli), as iSCSI and NVMe/TCP digests use it; "123456789" gives E3069283h. */
uint32_t nvp_crc32c(const void *bytes, size_t nr_bytes);

/* CRC-16 T10-DIF, initial value 0: the 16-bit guard (NVM Command Set 1.0 section 5.2.1.1). */
uint16_t nvp_crc16_t10dif(const void *bytes, size_t nr_bytes);
/* The same over bytes that follow those that gave crc. */
uint16_t nvp_crc16_t10dif_go_on(uint16_t crc, const void *bytes, size_t nr_bytes);

#endif
