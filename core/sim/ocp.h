/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What profile ocp has beside NVMe: logs C0h C1h C4h C5h, features C2h C3h C6h, a UUID list. */
#ifndef NVP_SIM_OCP_H
#define NVP_SIM_OCP_H

#include "core/sim/world.h"

/* Each fills a log of its size, zeroed before. */
void nvp_ocp_fill_smart(struct nvp_sim *w, uint8_t *data);
void nvp_ocp_fill_error_recovery(struct nvp_sim *w, uint8_t *data);
void nvp_ocp_fill_capabilities(struct nvp_sim *w, uint8_t *data);
void nvp_ocp_fill_unsupported(struct nvp_sim *w, uint8_t *data);
/* Identify CNS 17h, 4096 bytes. */
void nvp_ocp_fill_uuid_list(const struct nvp_sim *w, uint8_t *data);

/* The UUID index of a command for a vendor-specific log or feature names no entry of the list. */
bool nvp_ocp_bad_uuid_index(const struct nvp_sim *w, const struct nvp_sim_cmd *c);
/* Set Features of a FID from C0h on: checks Dword 11 and takes the value from it. False: refused. */
bool nvp_ocp_take_value(const struct nvp_sim *w, uint8_t fid, uint32_t dw11, uint32_t *value);

#endif
