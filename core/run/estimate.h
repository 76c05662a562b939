/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run will write and how long it will take, said before it begins. */
#ifndef NVP_RUN_ESTIMATE_H
#define NVP_RUN_ESTIMATE_H

#include <nvproof/power.h>

#include "core/run/plan.h"

struct nvp_estimate {
	unsigned nr_data;	/* cases that write data */
	unsigned nr_erase;	/* of them: that may format, sanitize or delete: every block is lost */
	uint64_t bytes;		/* by write commands, at most; beside what is erased */
	uint64_t seconds;	/* of wall time, about: drives differ by much */
};

/* Of what the plan holds and allow (NVP_IMPACT_* bits) lets through; campaign may be NULL. */
struct nvp_estimate nvp_estimate(const struct nvp_plan *plan, uint32_t allow,
				 const struct nvp_campaign_options *campaign);
/* "at most 3.2 GiB written by 40 cases, 5 of them may erase all of it; about 12 minutes" */
#define NVP_ESTIMATE_TEXT_BYTES 160
const char *nvp_estimate_text(const struct nvp_estimate *estimate, char *text);

#endif
