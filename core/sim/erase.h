/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Format NVM and Sanitize: what they keep, and what the other commands ask them. */
#ifndef NVP_SIM_ERASE_H
#define NVP_SIM_ERASE_H

#include "core/sim/world.h"

/* ---- format.c (NVMe Base 2.0, 5.14) ---- */

nvp_step_fn nvp_sim_format_nvm;
/* The command ended, or was stopped: its namespaces are no longer being formatted. */
void nvp_format_done(struct nvp_sim *w, const struct nvp_sim_cmd *c);
/* A controller-level reset: a format that ran has stopped where it was. */
void nvp_format_reset(struct nvp_sim *w);
/* Format Progress Indicator of Identify Namespace: percent that remain, bit 7 set. */
uint8_t nvp_format_progress(const struct nvp_sim *w, const struct nvp_sim_ns *ns);
/* An I/O command may not touch this namespace now. */
bool nvp_format_refuses(const struct nvp_sim *w, const struct nvp_sim_ns *ns);
bool nvp_engine_formats(const struct nvp_sim *w);	/* any namespace is being formatted */

/* ---- sanitize.c (NVMe Base 2.0, 5.24, 8.21, 5.16.1.25) ---- */

/* What survives: committed at each slice, so that power-on goes on where it was. */
struct nvp_sanitize_record {
	uint8_t status;			/* SSTAT bits 2:0 */
	uint8_t passes, slice;		/* done of the operation, and of the pass */
	uint8_t failure_left;		/* Exit Failure Mode came */
	uint32_t cdw10;
	uint32_t pattern;
	uint64_t written;		/* sectors that hosts had written when it was done */
};

struct nvp_sanitize_state {
	struct nvp_sanitize_record record;
	uint32_t nsid;			/* zero-based: where in the slice it is */
	uint64_t position;		/* map index */
};

nvp_step_fn nvp_sim_sanitize;
void nvp_sanitize_power_on(struct nvp_sim *w);
void nvp_sanitize_reset(struct nvp_sim *w);
/* A wrong drive holds back what is cached until it is done. */
bool nvp_sanitize_holds_cache(const struct nvp_sim *w);
/* True: c has the status. */
bool nvp_sanitize_refuses(struct nvp_sim *w, struct nvp_sim_cmd *c);
void nvp_log_fill_sanitize(struct nvp_sim *w, uint8_t *data);	/* 81h, 512 bytes */

#endif
