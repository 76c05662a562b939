/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A supply's voltage along a straight line: brown-outs and slow rises. */
#ifndef NVP_POWER_RELAY_RAMP_H
#define NVP_POWER_RELAY_RAMP_H

#include <stdint.h>

#include <nvproof/clock.h>

#include "power/relay.h"

#define NVP_RAMP_MOST_STEPS 1000u

struct nvp_relay_ramp {
	uint32_t from_mv, to_mv;	/* both are set, from_mv at the beginning */
	uint64_t duration_ns;		/* from the first to the last of them */
	uint32_t steps;			/* 1 to NVP_RAMP_MOST_STEPS; 1: a jump at the end */
};

struct nvp_relay_ramp_result {
	uint32_t set;		/* voltages that were set */
	uint32_t skipped;	/* steps whose time was over before the supply was free again */
	uint64_t late_ns;	/* the most that a step began after its time */
	uint64_t end_ns;	/* when the last one was taken, on that clock */
};

/*
 * Each step has its own time, counted from the beginning: a slow supply makes the line coarser, not
 * longer. to_mv is always set. 0 or a negative errno with *err: -EOPNOTSUPP (a kind of relay whose
 * voltage cannot be set), -EINVAL, or the device's. *result says how far it came then, too.
 */
int nvp_relay_ramp(const struct nvp_relay_ops *ops, void *device,
		   const struct nvp_relay_ramp *ramp, const struct nvp_clock *clock,
		   struct nvp_relay_ramp_result *result, struct nvp_err *err);

#endif
