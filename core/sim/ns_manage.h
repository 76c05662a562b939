/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Namespace Management and Attachment, the lists of Identify that belong to them, log 04h. */
#ifndef NVP_SIM_NS_MANAGE_H
#define NVP_SIM_NS_MANAGE_H

#include "core/sim/world.h"

#define NVP_CHANGED_NS_MOST 1024	/* entries of log 04h */

/* Volatile: a reset forgets what was not read. */
struct nvp_ns_changes {
	uint64_t changed[NVP_MAX_NAMESPACES / 64];	/* bit k: NSID k + 1 */
};

/* The profile has the two commands. */
bool nvp_sim_has_ns_management(const struct nvp_sim *w);
nvp_step_fn nvp_sim_ns_management;		/* 5.23 */
nvp_step_fn nvp_sim_ns_attachment;		/* 5.22 */

/* Of the drive, and what no namespace takes of it; bytes. */
uint64_t nvp_sim_total_bytes(const struct nvp_sim *w);
uint64_t nvp_sim_unallocated_bytes(const struct nvp_sim *w);

/* CNS 10h; CNS 12h (nsid) and 13h (nsid 0), from CNTLID `first` on. data is zeroed. */
void nvp_ns_fill_allocated(const struct nvp_sim *w, uint32_t above, uint8_t *data);
void nvp_ns_fill_controllers(const struct nvp_sim *w, uint32_t nsid, uint16_t first, uint8_t *data);

void nvp_log_fill_changed_ns(struct nvp_sim *w, uint8_t *data);	/* 04h, 4096 bytes */
/* The host read log 04h with RAE=0. */
void nvp_changed_ns_read(struct nvp_sim *w);
void nvp_ns_changes_reset(struct nvp_sim *w);
/* What Identify says of this namespace has changed: log 04h, and the event if it is wanted. */
void nvp_ns_changed(struct nvp_sim *w, uint32_t nsid);

#endif
