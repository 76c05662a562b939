/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log pages that are made in files of their own; data is zeroed and of the log's size. */
#ifndef NVP_SIM_LOGS_H
#define NVP_SIM_LOGS_H

#include "core/nvme/fields.h"
#include "core/sim/world.h"

#define NVP_LOG_MOST_BYTES (4u << 20)

void nvp_log_fill_errors(struct nvp_sim *w, uint8_t *data);	/* 01h, (ELPE + 1) * 64 bytes */
#define NVP_LOG_TELEMETRY_HOST 0x07
#define NVP_LOG_TELEMETRY_CONTROLLER 0x08
#define NVP_TELEMETRY_BYTES 3584	/* header and three data areas */

bool nvp_sim_has_telemetry(const struct nvp_sim *w);
/*
 * An Unrecovered Read Error: the drive captures its state. It is the cause that a host can bring
 * about by commands of the specification alone (Write Uncorrectable, Read), on any drive.
 */
void nvp_telemetry_media_error(struct nvp_sim *w);
void nvp_telemetry_read(struct nvp_sim *w, bool retain);	/* log 08h was given */
void nvp_telemetry_power_on(struct nvp_sim *w);
uint32_t nvp_telemetry_controller_bytes(const struct nvp_sim *w);	/* of log 08h */
void nvp_telemetry_header(const struct nvp_sim *w, uint8_t lid, uint8_t *data);	/* zeroed, 512 */
/* Makes a new capture when this read asks for one (telemetry.c). */
void nvp_telemetry_asked(struct nvp_sim *w, uint8_t lid, uint8_t lsp);
/* An offset inside a 512-byte block of a telemetry log. */
bool nvp_telemetry_bad_offset(const struct nvp_sim *w, uint8_t lid, uint64_t offset);
void nvp_log_fill_telemetry_host(struct nvp_sim *w, uint8_t *data);
void nvp_log_fill_telemetry_controller(struct nvp_sim *w, uint8_t *data);

void nvp_log_fill_smart(struct nvp_sim *w, uint8_t *data);	/* 02h, 512 bytes */

#endif
