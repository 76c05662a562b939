/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two large structures of Identify, 4096 bytes each, which the caller has zeroed. */
#ifndef NVP_SIM_IDENTIFY_H
#define NVP_SIM_IDENTIFY_H

#include "core/sim/world.h"

void nvp_identify_controller_fill(const struct nvp_sim *w, uint8_t *data);	/* CNS 01h */
void nvp_identify_common_fill(const struct nvp_sim *w, uint8_t *data);	/* NSID FFFFFFFFh */
void nvp_identify_ns_fill(const struct nvp_sim *w, const struct nvp_sim_ns *ns, uint8_t *data);

#endif
