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

#endif
