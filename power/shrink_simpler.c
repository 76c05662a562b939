// SPDX-License-Identifier: GPL-2.0-or-later
// What makes a history that fails simpler: smaller operations, one queue, an earlier cut.

#include "power/shrink.h"

#include "core/base/bits.h"

static void set_length(struct nvp_op *op, uint32_t from, uint32_t nr)
{
	if (op->beyond) /* it ends where the namespace does */
		from = op->nlb_z + 1u - nr;
	op->block += from;
	op->source += from;
	op->nlb_z = (uint16_t)(nr - 1);
}

/* A cycle in which only the cut counts. */
static void idle_cycle(struct nvp_shrink_search *x, uint32_t i)
{
	const struct nvp_op *now = &x->best->op[i];
	struct nvp_replay_file *less;

	if (!nvp_shrink_is_alone(&x->best->replay, i) || now->kind == NVP_ORACLE_FLUSH ||
	    !(less = nvp_shrink_copy(x)))
		return;
	less->op[i] = (struct nvp_op){ .kind = NVP_ORACLE_FLUSH, .next = now->next };
	nvp_shrink_keep(x, less);
}

/* Each operation: one block of it, half of it, no FUA, no barrier, the first queue. */
static void simpler_op(struct nvp_shrink_search *x, uint32_t i)
{
	const struct {
		bool one, second_half, half, fua, barrier, queue;
	} changes[] = {
		{ .one = true }, { .half = true }, { .second_half = true }, { .fua = true },
		{ .barrier = true }, { .queue = true },
	};

	for (size_t k = 0; k < NVP_ARRAY_SIZE(changes) && !x->rc; k++) {
		const struct nvp_op *now = &x->best->op[i];
		uint32_t nr = now->nlb_z + 1u;
		struct nvp_replay_file *less;

		if ((changes[k].fua && !now->fua) || (changes[k].barrier && !now->barrier) ||
		    (changes[k].queue && !now->queue) || (k < 3 && nr == 1) ||
		    (changes[k].half && nr == 2))
			continue;
		less = nvp_shrink_copy(x);
		if (!less)
			return;
		if (changes[k].one)
			set_length(&less->op[i], 0, 1);
		if (changes[k].half)
			set_length(&less->op[i], 0, nr / 2);
		if (changes[k].second_half)
			set_length(&less->op[i], nr / 2, nr - nr / 2);
		less->op[i].fua &= !changes[k].fua;
		less->op[i].barrier &= !changes[k].barrier;
		if (changes[k].queue)
			less->op[i].queue = 0;
		/* halves again, as long as it helps */
		if (nvp_shrink_keep(x, less) && (changes[k].half || changes[k].second_half))
			k--;
	}
}

void nvp_shrink_simpler_ops(struct nvp_shrink_search *x)
{
	for (uint32_t i = 0; i < x->best->replay.nr_ops && !x->rc; i++) {
		idle_cycle(x, i);
		simpler_op(x, i);
	}
}

void nvp_shrink_simpler_shape(struct nvp_shrink_search *x)
{
	struct nvp_replay_file *less;

	if (x->best->replay.queues > 1 && (less = nvp_shrink_copy(x))) {
		less->replay.queues = 1;
		for (uint32_t i = 0; i < less->replay.nr_ops; i++)
			less->op[i].queue = 0;
		nvp_shrink_keep(x, less);
	}
	if (x->best->replay.depth > 1 && (less = nvp_shrink_copy(x))) {
		less->replay.depth = 1;
		nvp_shrink_keep(x, less);
	}
	for (uint32_t i = 1; i < x->best->replay.nr_ops && !x->rc; i++) {
		if (!x->best->op[i].next || !(less = nvp_shrink_copy(x)))
			continue;
		less->op[i].next = false;
		less->replay.cut.after_ops = less->replay.nr_ops - nvp_replay_last(&less->replay);
		nvp_shrink_keep(x, less);
	}
	if (x->best->replay.cut.more_cuts && (less = nvp_shrink_copy(x))) {
		less->replay.cut.more_cuts = 0;
		nvp_shrink_keep(x, less);
	}
	if (x->best->replay.phase != NVP_PHASE_WRITES && !x->best->replay.cut.clean &&
	    (less = nvp_shrink_copy(x))) {
		less->replay.phase = NVP_PHASE_WRITES;
		nvp_shrink_keep(x, less);
	}
}

/* The cut armed behind the last operation, so many ns later. */
static bool cut_behind(struct nvp_shrink_search *x, uint64_t delay_ns)
{
	const struct nvp_cut *now = &x->best->replay.cut;
	uint32_t nr = x->best->replay.nr_ops - nvp_replay_last(&x->best->replay);
	struct nvp_replay_file *last;

	if (now->after_ops == nr && now->delay_ns == delay_ns)
		return true;
	last = nvp_shrink_copy(x);
	if (!last)
		return false;
	last->replay.cut.after_ops = nr;
	last->replay.cut.delay_ns = delay_ns;
	return nvp_shrink_keep(x, last);
}

/* Simplest is a cut behind all that is done, at once or when all is still; else the earliest. */
void nvp_shrink_simpler_cut(struct nvp_shrink_search *x)
{
	if (cut_behind(x, 0) || cut_behind(x, NVP_REPLAY_STILL_NS))
		return;
	for (bool again = true; again && x->best->replay.cut.delay_ns && !x->rc;) {
		struct nvp_replay_file *less = nvp_shrink_copy(x);

		if (!less)
			return;
		less->replay.cut.delay_ns = 0;
		if (nvp_shrink_keep(x, less))
			return;
		less = nvp_shrink_copy(x);
		if (!less)
			return;
		less->replay.cut.delay_ns /= 2;
		again = nvp_shrink_keep(x, less);
	}
}
