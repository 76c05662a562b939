/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues of a case's own, for the cases of areas queue and arbitration. */
#ifndef NVP_CASES_QUEUES_H
#define NVP_CASES_QUEUES_H

#include "cases/common.h"

/* Completions that are due have this long to come, all together. */
static inline uint64_t queue_deadline_ns(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);

	return nvp_clock_deadline_ns(nvp_drive_clock(drive),
				     nvp_drive_budget_ns(drive, NVP_TIME_IO));
}

static inline bool queue_needs(struct nvp_t *t, unsigned nr_sq, unsigned nr_cq)
{
	const struct nvp_facts *facts = nvp_t_facts(t);

	if (facts->nr_io_sq >= nr_sq && facts->nr_io_cq >= nr_cq)
		return true;
	nvp_skip_at(t, __FILE__, __LINE__, "the drive has %u submission and %u completion queues",
		    facts->nr_io_sq, facts->nr_io_cq);
	return false;
}

static inline bool queue_cq(struct nvp_t *t, uint16_t qid, uint32_t entries, int vector,
		      struct nvp_cq **cq)
{
	struct nvp_cpl cpl;

	*cq = nvp_cq_new(nvp_t_drive(t), qid, entries, vector);
	if (!*cq) {
		nvp_broken_at(t, __FILE__, __LINE__, "no memory for a queue");
		return false;
	}
	return CASE_TRAVELS(t, nvp_cq_create(*cq, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

/* Of this priority (QPRIO, 0: urgent). */
static inline bool queue_sq_of(struct nvp_t *t, uint16_t qid, uint32_t entries, uint8_t priority,
			       struct nvp_cq *cq, struct nvp_sq **sq)
{
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	*sq = nvp_sq_new(nvp_t_drive(t), qid, entries, cq);
	if (!*sq) {
		nvp_broken_at(t, __FILE__, __LINE__, "no memory for a queue");
		return false;
	}
	cmd = nvp_build_create_sq(qid, (uint16_t)(entries - 1), nvp_sq_iova(*sq), true, priority,
				  nvp_cq_id(cq));
	cmd.raw_dptr = true;
	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) &&
	       CASE_SUCCEEDS(t, &cpl);
}

static inline bool queue_sq(struct nvp_t *t, uint16_t qid, uint32_t entries, struct nvp_cq *cq,
			    struct nvp_sq **sq)
{
	return queue_sq_of(t, qid, entries, 0, cq, sq);
}

static inline bool queue_delete(struct nvp_t *t, struct nvp_sq *sq, struct nvp_cq *cq)
{
	struct nvp_cpl cpl;

	return (!sq || (CASE_TRAVELS(t, nvp_sq_delete(sq, &cpl)) && CASE_SUCCEEDS(t, &cpl))) &&
	       (!cq || (CASE_TRAVELS(t, nvp_cq_delete(cq, &cpl)) && CASE_SUCCEEDS(t, &cpl)));
}

/* One read of one block, posted and not yet exposed. */
static inline bool queue_post_read(struct nvp_t *t, struct nvp_sq *sq, uint64_t slba, struct nvp_buf *buf,
		      uint16_t *cid)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_cmd cmd = nvp_build_read(ns->nsid, slba, 0, ns->id.lba_bytes);

	cmd.data = buf;
	return CASE_TRAVELS(t, nvp_submit(sq, &cmd, cid));
}

/* Take nr completions, each a success. */
static inline bool queue_take(struct nvp_t *t, struct nvp_cq *cq, unsigned nr)
{
	uint64_t until_ns = queue_deadline_ns(t);

	for (unsigned i = 0; i < nr; i++) {
		struct nvp_cpl cpl;
		int rc = nvp_reap_until(cq, until_ns, &cpl);

		if (!CASE_TRAVELS(t, rc))
			return false;
		if (!nvp_check(t, rc == 1, "%u of %u completions came", i, nr))
			return false;
		if (!CASE_SUCCEEDS(t, &cpl))
			return false;
		nvp_check_by(t, CASE_SHOULD, !cpl.status.dnr, "a success with Do Not Retry = 1");
	}
	return true;
}

#define QUEUE_NEEDS (NVP_NEED_QUEUES | NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)

#endif
