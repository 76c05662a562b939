// SPDX-License-Identifier: GPL-2.0-or-later
// Arbitration: who is served when several submission queues have something to do.

#include "cases/common.h"

#define QUEUES 4u
#define FIRST_QID 2u

struct seen {
	unsigned first, last;	/* places in the order of completions, from 1; 0: none */
	unsigned nr;
};

/* Four submission queues of one completion queue. */
static bool queues_new(struct nvp_t *t, uint32_t entries, struct nvp_sq *sq[QUEUES],
		       struct nvp_cq **cq)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_cpl cpl;

	*cq = nvp_cq_new(drive, FIRST_QID, QUEUES * entries, -1);
	if (!*cq) {
		nvp_broken_at(t, __FILE__, __LINE__, "no memory for a queue");
		return false;
	}
	if (!CASE_TRAVELS(t, nvp_cq_create(*cq, &cpl)) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	for (unsigned i = 0; i < QUEUES; i++) {
		sq[i] = nvp_sq_new(drive, (uint16_t)(FIRST_QID + i), entries, *cq);
		if (!sq[i]) {
			nvp_broken_at(t, __FILE__, __LINE__, "no memory for a queue");
			return false;
		}
		if (!CASE_TRAVELS(t, nvp_sq_create(sq[i], &cpl)) || !CASE_SUCCEEDS(t, &cpl))
			return false;
	}
	return true;
}

static bool collect(struct nvp_t *t, struct nvp_cq *cq, unsigned nr, struct seen seen[QUEUES])
{
	struct nvp_drive *drive = nvp_t_drive(t);
	uint64_t until_ns = nvp_clock_deadline_ns(nvp_drive_clock(drive),
						  nvp_drive_budget_ns(drive, NVP_TIME_IO));

	for (unsigned i = 1; i <= nr; i++) {
		struct nvp_cpl cpl;
		int rc = nvp_reap_until(cq, until_ns, &cpl);
		struct seen *s;

		if (!CASE_TRAVELS(t, rc) ||
		    !nvp_check(t, rc == 1, "%u of %u completions came", i - 1, nr) ||
		    !CASE_SUCCEEDS(t, &cpl))
			return false;
		if (cpl.sqid < FIRST_QID || cpl.sqid >= FIRST_QID + QUEUES)
			continue;	/* a standing invariant has said so */
		s = &seen[cpl.sqid - FIRST_QID];
		s->first = s->first ? s->first : i;
		s->last = i;
		s->nr++;
	}
	return true;
}

/*
 * ARB-01. Round robin: with four queues full, each has had something done before any other is
 * through. How evenly is a measure.
 */
static void no_queue_waits_for_the_end_of_another(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	struct nvp_cmd cmd = nvp_build_flush(nvp_t_ns(t)->nsid);
	uint32_t entries = facts->cap.mqes_z + 1u;
	struct seen seen[QUEUES] = { { 0 } };
	unsigned earliest_last = UINT32_MAX, latest_first = 0;
	struct nvp_sq *sq[QUEUES];
	struct nvp_cq *cq;
	struct nvp_cpl cpl;

	if (facts->nr_io_sq < FIRST_QID + QUEUES - 1 || facts->nr_io_cq < FIRST_QID)
		nvp_skip(t, "the drive has %u I/O queues", facts->nr_io_sq);
	entries = entries / QUEUES < 128 ? entries / QUEUES : 128;
	if (entries < 16)
		nvp_skip(t, "queues have %u entries at most", facts->cap.mqes_z + 1u);
	if (!queues_new(t, entries, sq, &cq))
		return;
	for (unsigned i = 0; i < QUEUES; i++)
		for (uint32_t k = 0; k + 1 < entries; k++)
			nvp_done(t, nvp_submit(sq[i], &cmd, NULL));
	for (unsigned i = 0; i < QUEUES; i++)
		nvp_done(t, nvp_ring_tail(sq[i]));
	if (!collect(t, cq, QUEUES * (entries - 1), seen))
		return;
	for (unsigned i = 0; i < QUEUES; i++) {
		nvp_check_eq(t, seen[i].nr, entries - 1);
		latest_first = seen[i].first > latest_first ? seen[i].first : latest_first;
		earliest_last = seen[i].last < earliest_last ? seen[i].last : earliest_last;
	}
	nvp_measure(t, "latest_first_completion", latest_first, "commands");
	nvp_check_by(t, CASE_SHOULD, latest_first < earliest_last,
		     "a queue was served for the first time when another was through");
	for (unsigned i = 0; i < QUEUES; i++) {
		nvp_done(t, nvp_sq_delete(sq[i], &cpl));
		CASE_OK(t, &cpl);
	}
	nvp_done(t, nvp_cq_delete(cq, &cpl));
	CASE_OK(t, &cpl);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "arbitration.no-queue-waits-for-the-end-of-another",
		.title = "With several queues full each is served before another is through",
		.spec = { "NVMe Base", "2.0", "3.4.4.1", "Round Robin Arbitration" },
		.rows = NVP_LIST("ARB-01"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("arbitration-starves-queues", "io-command-lost",
				    "shared-cq-sqid-wrong"),
		.run = no_queue_waits_for_the_end_of_another,
	},
};

NVP_SUITE(arbitration, cases);
