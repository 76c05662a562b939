/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of status codes (NVMe Base 2.0, 3.3.3.2.1; NVM Command Set 1.0; ZNS 1.1). */
#ifndef NVP_NVME_STATUS_TABLE_H
#define NVP_NVME_STATUS_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct nvp_status_row {
	uint8_t sct, sc;
	const char *name;	/* as the specification names it */
	const char *sentence;	/* what it means, and whether trying again can help */
};

extern const struct nvp_status_row nvp_status_rows[];
extern const size_t nvp_nr_status_rows;

#endif
