/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside a worker: evidence of the first fail of a case, as `snapshot` events and files. */
#ifndef NVP_RUN_EVIDENCE_H
#define NVP_RUN_EVIDENCE_H

#include "core/run/worker.h"

/* Of one run of one case. */
struct nvp_evidence {
	uint32_t number;	/* of the case, from 1 */
	bool logs_wait;		/* until the drive is back at its baseline */
};

/*
 * After the case and before the drive is brought back. Does nothing unless the case failed, and
 * with several rounds only in the first that did. Registers are read at once; logs (01h, 02h, 03h,
 * RAE set, NVMe Base 2.0 section 5.16) when nothing is outstanding and the drive is at its
 * baseline. What cannot be had becomes a note; the verdict is never touched.
 */
void nvp_evidence_at_fail(struct nvp_worker *w, const struct nvp_plan_item *item, uint32_t number,
			  struct nvp_evidence *e);
/* After the drive was brought back (rc 0), or was not: the logs that had to wait. */
void nvp_evidence_settled(struct nvp_worker *w, struct nvp_evidence *e, int rc);

#endif
