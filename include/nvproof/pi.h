/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protection information with a 16-bit guard: eight bytes of a block's metadata, as values. */
#ifndef NVPROOF_PI_H
#define NVPROOF_PI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NVP_PI_BYTES 8

/* NVM Command Set 1.0, 5.2.1: the guard is CRC-16 T10-DIF; all three are big-endian in memory. */
struct nvp_pi {
	uint16_t guard;
	uint16_t application;
	uint32_t reference;
};

/* Of the namespace: how large a block is, and at which end of its metadata the eight bytes are. */
struct nvp_pi_layout {
	uint32_t lba_bytes;
	uint16_t meta_bytes;	/* 8 or more */
	bool first;		/* DPS bit 3: the first eight bytes, else the last */
};

/* What the guard of this block has to be: over its data and the metadata in front of the guard. */
uint16_t nvp_pi_guard(const struct nvp_pi_layout *layout, const void *block, const void *meta);
/* To and from the metadata of one block. */
void nvp_pi_put(const struct nvp_pi_layout *layout, void *meta, const struct nvp_pi *pi);
struct nvp_pi nvp_pi_get(const struct nvp_pi_layout *layout, const void *meta);

#ifdef __cplusplus
}
#endif
#endif
