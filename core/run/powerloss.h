/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A failed cycle of a campaign: what is kept of it in the run directory. */
#ifndef NVP_RUN_POWERLOSS_H
#define NVP_RUN_POWERLOSS_H

#include <nvproof/power.h>

#include "core/run/ctx.h"

/*
 * Write the cycle as cycle-N.replay; on a simulated drive it is made smaller first, and its tale
 * becomes a table. class_id: enum nvp_class of power/judge.h. What cannot be kept becomes a note.
 */
void nvp_powerloss_keep(struct nvp_t *t, const struct nvp_campaign_options *options,
			const struct nvp_failed_cycle *failed, uint32_t cycle, uint8_t class_id);
/* "table" event: name, lines, and JSON or NULL. */
void nvp_t_event_table(struct nvp_t *t, const char *name, const char *text, const char *json);

#endif
