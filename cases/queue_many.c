// SPDX-License-Identifier: GPL-2.0-or-later
// As many queues as there are, all of them full, and their priorities.

#include <string.h>

#include "cases/queues.h"

#define FIRST 2u		/* 1 is the baseline pair */
#define MOST_QUEUES 128u
#define MOST_BLOCKS 2048u	/* in flight at a time, over all queues */

struct many {
	struct nvp_sq *sq[MOST_QUEUES];
	struct nvp_cq *cq[MOST_QUEUES];
	unsigned nr;
	uint32_t entries;	/* of each submission queue */
};

/* All pairs that were allocated but the first, with so many entries that MOST_BLOCKS fill them. */
static bool many_new(struct nvp_t *t, struct many *m)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	unsigned pairs = facts->nr_io_sq < facts->nr_io_cq ? facts->nr_io_sq : facts->nr_io_cq;
	uint32_t most = facts->cap.mqes_z + 1u;

	memset(m, 0, sizeof(*m));
	if (!queue_needs(t, FIRST, FIRST))
		return false;
	pairs = pairs - FIRST + 1 < MOST_QUEUES ? pairs - FIRST + 1 : MOST_QUEUES;
	m->entries = MOST_BLOCKS / pairs + 1;
	m->entries = m->entries < most ? m->entries : most;
	for (m->nr = 0; m->nr < pairs; m->nr++) {
		uint16_t qid = (uint16_t)(FIRST + m->nr);

		if (!queue_cq(t, qid, m->entries, -1, &m->cq[m->nr]) ||
		    !queue_sq(t, qid, m->entries, m->cq[m->nr], &m->sq[m->nr]))
			return false;
	}
	return true;
}

static bool many_delete(struct nvp_t *t, const struct many *m)
{
	for (unsigned q = 0; q < m->nr; q++)
		if (!queue_delete(t, m->sq[q], m->cq[q]))
			return false;
	return true;
}

/* QUE-14. Every queue that was allocated can be made and used while all others are there. */
static void every_queue_works(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, nvp_t_ns(t)->id.lba_bytes);
	struct many m;

	if (!buf || !many_new(t, &m))
		return;
	for (unsigned q = 0; q < m.nr; q++)
		if (!queue_post_read(t, m.sq[q], q, buf, NULL))
			return;
	for (unsigned q = 0; q < m.nr; q++)
		nvp_done(t, nvp_ring_tail(m.sq[q]));
	for (unsigned q = 0; q < m.nr; q++)
		if (!queue_take(t, m.cq[q], 1))
			return;
	nvp_measure(t, "queues", m.nr + FIRST - 1, "pairs");
	many_delete(t, &m);
}

/* Every queue full with commands of one block; block i goes through queue i + shift. */
static bool move_all(struct nvp_t *t, const struct many *m, const struct case_region *region,
		     uint8_t opcode, unsigned shift, struct nvp_buf *buf)
{
	for (uint32_t i = 0; i < region->lbas; i++) {
		struct nvp_cmd cmd = case_transfer(opcode, region, i, 1, buf);

		if (!CASE_TRAVELS(t, nvp_submit(m->sq[(i + shift) % m->nr], &cmd, NULL)))
			return false;
	}
	for (unsigned q = 0; q < m->nr; q++)
		if (!CASE_TRAVELS(t, nvp_ring_tail(m->sq[q])))
			return false;
	for (unsigned q = 0; q < m->nr; q++)
		if (!queue_take(t, m->cq[q], m->entries - 1))
			return false;
	return true;
}

/* IOC-24. All queues are full at once, with writes and then with reads: all come through. */
static void full_queues_lose_nothing(struct nvp_t *t)
{
	struct nvp_buf *data, *seen;
	struct case_region region;
	struct many m;

	if (!many_new(t, &m) || !case_region(t, m.nr * (m.entries - 1), &region))
		return;
	data = nvp_t_buf(t, (size_t)region.lbas * region.lba_bytes);
	seen = nvp_t_buf(t, (size_t)region.lbas * region.lba_bytes);
	if (!data || !seen)
		return;
	nvp_buf_fill_pattern(data, nvp_t_rand(t, "data", 0));
	if (!move_all(t, &m, &region, NVP_IO_WRITE, 0, data) ||
	    !move_all(t, &m, &region, NVP_IO_READ, 1, seen))
		return;
	nvp_check_bytes(t, nvp_buf_data(seen), nvp_buf_data(data), nvp_buf_bytes(data));
	many_delete(t, &m);
}

/*
 * QUE-10. Any QPRIO is taken; the field counts with weighted round robin only (5.5). A queue of each
 * priority works.
 */
static void any_priority_is_taken(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, nvp_t_ns(t)->id.lba_bytes);
	struct nvp_cpl cpl;
	struct nvp_sq *sq;
	struct nvp_cq *cq;

	if (!buf || !queue_needs(t, FIRST, FIRST) || !queue_cq(t, FIRST, 8, -1, &cq))
		return;
	for (uint8_t priority = 0; priority < 4; priority++) {
		if (!queue_sq_of(t, FIRST, 8, priority, cq, &sq) ||
		    !queue_post_read(t, sq, priority, buf, NULL))
			return;
		nvp_done(t, nvp_ring_tail(sq));
		if (!queue_take(t, cq, 1))
			return;
		nvp_done(t, nvp_sq_delete(sq, &cpl));
		CASE_OK(t, &cpl);
	}
	queue_delete(t, NULL, cq);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "queue.every-queue-works",
		.title = "All queues that were allocated can be made and used at the same time",
		.spec = { "NVMe Base", "2.0", "5.27.1.5", "Number of Queues" },
		.rows = NVP_LIST("QUE-14"),
		.needs = QUEUE_NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("last-queue-not-served"),
		.run = every_queue_works,
	}, {
		NVP_CASE,
		.id = "queue.full-queues-lose-nothing",
		.title = "With all queues full of writes, then of reads, each command has its own "
			 "data",
		.spec = { "NVMe Base", "2.0", "3.3.1.2.1", "Full Queue" },
		.rows = NVP_LIST("IOC-24", "QUE-14"),
		.needs = QUEUE_NEEDS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_DATA,
		.catches = NVP_LIST("full-queue-loses-a-command", "last-queue-not-served",
				    "data-short"),
		.run = full_queues_lose_nothing,
	}, {
		NVP_CASE,
		.id = "queue.any-priority-is-taken",
		.title = "Without weighted round robin the priority of a queue is not looked at",
		.spec = { "NVMe Base", "2.0", "5.5", "QPRIO" },
		.rows = NVP_LIST("QUE-10"),
		.needs = QUEUE_NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("create-sq-priority-refused"),
		.run = any_priority_is_taken,
	},
};

NVP_SUITE(queue_many, cases);
