/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of the defect tables: what the catalogue shows, and the hook that does it. */
#ifndef NVP_SIM_DEFECTS_H
#define NVP_SIM_DEFECTS_H

#include "core/sim/hooks.h"
#include "core/sim/sim.h"

struct nvp_defect_row {
	struct nvp_sim_defect shown;
	uint16_t hook;		/* enum nvp_hook */
};

/* One array a part, each ended by a row without a name. */
extern const struct nvp_defect_row nvp_defects_register[];
extern const struct nvp_defect_row nvp_defects_queue[];
extern const struct nvp_defect_row nvp_defects_completion[];
extern const struct nvp_defect_row nvp_defects_transfer[];
extern const struct nvp_defect_row nvp_defects_protection[];
extern const struct nvp_defect_row nvp_defects_interrupt[];
extern const struct nvp_defect_row nvp_defects_identify[];
extern const struct nvp_defect_row nvp_defects_feature[];
extern const struct nvp_defect_row nvp_defects_log[];
extern const struct nvp_defect_row nvp_defects_io[];
extern const struct nvp_defect_row nvp_defects_io_optional[];
extern const struct nvp_defect_row nvp_defects_firmware[];
extern const struct nvp_defect_row nvp_defects_ocp[];
extern const struct nvp_defect_row nvp_defects_manage[];
extern const struct nvp_defect_row nvp_defects_selftest[];
extern const struct nvp_defect_row nvp_defects_format[];
extern const struct nvp_defect_row nvp_defects_sanitize[];

extern const struct nvp_defect_row nvp_defects_power_cache[];
extern const struct nvp_defect_row nvp_defects_power_data[];
extern const struct nvp_defect_row nvp_defects_power_admin[];
extern const struct nvp_defect_row nvp_defects_power_drive[];
extern const struct nvp_defect_row nvp_defects_namespace[];
extern const struct nvp_defect_row nvp_defects_telemetry[];
extern const struct nvp_defect_row nvp_defects_persistent[];

#endif
