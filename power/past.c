// SPDX-License-Identifier: GPL-2.0-or-later
// A cycle that failed is handed to who asked for it, with what the cycles before it did.

#include <stdlib.h>
#include <string.h>

#include "power/engine.h"

void nvp_camp_hand_over(struct nvp_camp *c)
{
	const struct nvp_failed_cycle failed = {
		.cycle = c->cycle,
		.phase = c->plan.work.phase,
		.workload = c->plan.work.workload,
		.plan = c->plan.work,
		.cut = c->plan.cut,
		.facts = &c->facts,
		.oracle = c->oracle,
		.nsid = c->nsid,
		.format = c->format,
		.first_lba = c->first_lba,
		.seq = c->seq,
		.run = c->run,
		.ops = c->ops,
		.nr_ops = c->nr_ops,
		.blocks = c->blocks,
		.nr_blocks = c->nr_blocks,
		.queues = c->plan.queues,
		.depth = c->plan.depth,
		.past = c->past,
		.nr_past = c->nr_past,
		.admin = {
			.given = c->record.of_admin,
			.acked = c->admin_acked,
			.refused = c->admin_refused,
			.opcode = c->admin_cmd.sqe.bytes[0],
			.dw10 = nvp_sqe_dw(&c->admin_cmd.sqe, 10),
		},
		.said = c->said,
		.nr_said = c->nr_said,
		.drive = c->drive,
	};

	if (c->record.fails && c->out && c->out->failed)
		c->out->failed(c->out->context, &failed);
}

void nvp_camp_past_forget(struct nvp_camp *c)
{
	for (unsigned i = 0; i < NVP_PAST_CYCLES; i++)
		free(c->past[i].ops);
	memset(c->past, 0, sizeof(c->past));
	c->nr_past = 0;
}

/* The cycle is over. One that cannot be remembered ends what can be told of those before it. */
void nvp_camp_past_keep(struct nvp_camp *c)
{
	struct nvp_op *ops = NULL;

	if (c->nr_ops && c->nr_ops <= NVP_PAST_OPS && c->record.confirmed && !c->refill)
		ops = malloc(c->nr_ops * sizeof(*ops));
	if (!ops) {
		nvp_camp_past_forget(c);
		return;
	}
	for (uint32_t i = 0; i < c->nr_ops; i++)
		ops[i] = c->ops[i].op;
	free(c->past[NVP_PAST_CYCLES - 1].ops);
	memmove(&c->past[1], &c->past[0], (NVP_PAST_CYCLES - 1) * sizeof(c->past[0]));
	c->past[0] = (struct nvp_past_cycle){ ops, c->nr_ops };
	if (c->nr_past < NVP_PAST_CYCLES)
		c->nr_past++;
}
