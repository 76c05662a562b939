/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring as backends with queues of ours keep it: memory, size, and which queue it is for. */
#ifndef NVP_DRIVE_RING_H
#define NVP_DRIVE_RING_H

#include <stddef.h>
#include <stdint.h>

struct nvp_ring {
	uint8_t *memory;	/* page aligned, mapped for the drive */
	size_t bytes;		/* of the mapping */
	uint64_t iova;
	uint32_t entries;
	unsigned entry_bytes;	/* 64 or 16 */
	uint16_t qid;		/* set by the door; what trace and guard call it */
};

#endif
