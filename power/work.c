// SPDX-License-Identifier: GPL-2.0-or-later
// The work of a cycle: what is given to the drive until the cut, and how it was answered.

#include "power/engine.h"

#include <errno.h>

#define MORE_OPS	200000u /* behind the moment of the cut */

static bool next_op(const struct nvp_camp *c, struct nvp_op *op)
{
	const struct nvp_replay *replay = c->options->replay;

	if (replay) {
		if (c->nr_ops >= c->replay_end - c->replay_first)
			return false;
		*op = replay->ops[c->replay_first + c->nr_ops];
		return true;
	}
	if (c->nr_ops >= c->plan.cut.after_ops + MORE_OPS)
		return false;
	nvp_workload_op(&c->plan.work, c->nr_ops, op);
	return true;
}

/* As many as there is room for, up to number `limit`; a row of one queue is one ring. */
int nvp_camp_post_some(struct nvp_camp *c, uint32_t limit)
{
	struct nvp_op op;
	unsigned queue = 0;
	int rc = 0;

	while (!rc && c->nr_ops < limit && next_op(c, &op)) {
		unsigned to = op.queue % c->nr_queues;

		if (op.barrier && c->nr_busy)
			break;
		if (c->nr_ops > c->nr_rung && (to != queue || op.cache))
			rc = nvp_camp_ring(c, queue);
		/* once the cut is under way it would wait for an answer that never comes */
		if (!rc && op.cache && limit != UINT32_MAX && c->toggled != c->nr_ops) {
			c->toggled = c->nr_ops;
			rc = nvp_camp_toggle(c, op.cache == NVP_SWITCH_ON);
		}
		queue = to;
		if (!rc)
			rc = nvp_camp_post(c, &op);
		if (!rc && op.kind == NVP_ORACLE_FLUSH && c->nr_ops == limit)
			break;
	}
	if (rc && rc != -ENOSPC)
		return rc;
	return nvp_camp_ring(c, queue);
}

/* Until so many operations were exposed. */
int nvp_camp_load(struct nvp_camp *c)
{
	uint64_t budget_ns = nvp_drive_budget_ns(c->drive, NVP_TIME_IO);
	uint64_t until_ns = nvp_clock_deadline_ns(c->clock, budget_ns);
	uint32_t before = UINT32_MAX;

	while (c->nr_rung < c->plan.cut.after_ops) {
		int rc = nvp_camp_post_some(c, c->plan.cut.after_ops);

		if (!rc)
			rc = nvp_camp_reap(c);
		if (rc < 0)
			return rc;
		if (c->nr_rung == before && !c->nr_busy)
			break; /* a replay that has no more */
		if (rc || c->nr_rung != before)
			until_ns = nvp_clock_deadline_ns(c->clock, budget_ns);
		before = c->nr_rung;
		if (!rc && c->nr_rung < c->plan.cut.after_ops)
			nvp_camp_wait(c, nvp_camp_now(c) + NVP_CAMP_STEP_NS);
		if (nvp_camp_now(c) > until_ns)
			return -ETIMEDOUT;
	}
	return 0;
}

/* P4: the drive takes writes again. Those that the loss of power itself ended do not count. */
void nvp_camp_check_writable(struct nvp_camp *c)
{
	const struct nvp_finding finding = {
		.class = NVP_CLASS_METADATA,
		.severity = NVP_SEVERITY_FAIL,
		.said_by = NVP_SAID_BY_SPEC,
	};

	for (uint32_t i = 0; i < c->nr_ops; i++) {
		const struct nvp_history_op *h = &c->ops[i];

		if (!h->ack || h->late || h->ack_ns > c->cut_ns || h->op.kind != NVP_ORACLE_WRITE ||
		    h->op.beyond || !(h->sct || h->sc) || (!h->sct && h->sc <= NVP_SC_SQ_DELETION))
			continue;
		c->record.classes[finding.class]++;
		nvp_camp_say(c, &finding, c->nsid, c->first_lba + h->op.block, 1,
			     "a write of %u blocks at LBA %llu is refused with %u/%02xh",
			     h->op.nlb_z + 1u, (unsigned long long)(c->first_lba + h->op.block),
			     h->sct, h->sc);
		return;
	}
}

void nvp_camp_count_ops(struct nvp_camp *c)
{
	for (uint32_t i = 0; i < c->nr_ops; i++) {
		const struct nvp_history_op *h = &c->ops[i];

		c->record.issued += h->posted;
		c->record.acked += h->ack && !h->sct && !h->sc;
		c->record.refused += h->ack && (h->sct || h->sc);
	}
	c->result->issued += c->record.issued;
	c->result->acked += c->record.acked;
	c->result->late_acks += c->record.late_acks;
}
