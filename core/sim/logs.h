/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log pages that are made in files of their own; data is zeroed and of the log's size. */
#ifndef NVP_SIM_LOGS_H
#define NVP_SIM_LOGS_H

#include "core/nvme/fields.h"
#include "core/sim/world.h"

#define NVP_LOG_MOST_BYTES (4u << 20)

void nvp_log_fill_errors(struct nvp_sim *w, uint8_t *data);	/* 01h, (ELPE + 1) * 64 bytes */
void nvp_log_fill_smart(struct nvp_sim *w, uint8_t *data);	/* 02h, 512 bytes */

#endif
