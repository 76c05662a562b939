// SPDX-License-Identifier: GPL-2.0-or-later
// Leaps of shrinking: everything goes at once but what has to do with one block that failed.

#include "power/shrink.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"

#define MOST_FEW	12u
#define SLOT		NVP_SHRINK_SLOT
#define LEAST_BLOCKS	128u /* of a range: a campaign cuts it in slots of 32 */
#define SHARP_KEYS	"detect-us=0,dead-us=1"
#define SHARP_PLACES	2u
#define SHARP_MOMENTS	24u
#define SHARP_STEP_NS	(5 * UINT64_C(1000))

static bool touches(const struct nvp_op *op, uint32_t block)
{
	if (op->kind == NVP_ORACLE_FLUSH)
		return true;
	return op->kind <= NVP_ORACLE_COPY &&
	       ((block >= op->block && block - op->block <= op->nlb_z) ||
		(op->kind == NVP_ORACLE_COPY && block >= op->source &&
		 block - op->source <= op->nlb_z));
}

/* Slots that nothing uses are closed up, so that the range can be short: a try is cheap then. */
void nvp_shrink_compact(struct nvp_replay_file *less)
{
	uint32_t to[2 * NVP_WORKLOAD_MOST_BLOCKS / SLOT] = { 0 }, nr = 0;

	for (uint32_t i = 0; i < less->replay.nr_ops; i++) {
		const struct nvp_op *op = &less->op[i];

		for (uint32_t b = op->block / SLOT; b <= (op->block + op->nlb_z) / SLOT; b++)
			to[b] = 1;
		for (uint32_t b = op->source / SLOT;
		     op->kind == NVP_ORACLE_COPY && b <= (op->source + op->nlb_z) / SLOT; b++)
			to[b] = 1;
	}
	for (uint32_t b = 0; b < NVP_ARRAY_SIZE(to); b++)
		to[b] = to[b] ? nr++ * SLOT : 0;
	for (uint32_t i = 0; i < less->replay.nr_ops; i++) {
		struct nvp_op *op = &less->op[i];

		op->block = to[op->block / SLOT] + op->block % SLOT;
		op->source = to[op->source / SLOT] + op->source % SLOT;
	}
	less->nr_lbas = nvp_min_u64(less->nr_lbas, nvp_max_u64(LEAST_BLOCKS, nr * SLOT));
}

bool nvp_shrink_is_alone(const struct nvp_replay *r, uint32_t i)
{
	bool first = !i || r->ops[i].next, last = i + 1 == r->nr_ops || r->ops[i + 1].next;

	return first && last && r->nr_ops > 1;
}

/* One operation less; a cycle that would be empty gets a Flush, which changes no block. */
static void leave_out(struct nvp_replay_file *less, uint32_t i)
{
	if (nvp_shrink_is_alone(&less->replay, i))
		less->op[i] = (struct nvp_op){ .kind = NVP_ORACLE_FLUSH,
					       .next = less->op[i].next };
	else
		nvp_replay_remove(less, i, 1);
}

/* A leap: only what has to do with one block that failed; one after the other if it must be. */
static struct nvp_replay_file *leap(struct nvp_shrink_search *x, uint32_t block, unsigned how)
{
	struct nvp_replay_file *less = nvp_shrink_copy(x);

	for (uint32_t at = less ? less->replay.nr_ops : 0; at > 0; at--)
		if (!touches(&less->op[at - 1], block))
			leave_out(less, at - 1);
	if (!less || !less->replay.nr_ops || less->replay.nr_ops == x->best->replay.nr_ops) {
		nvp_replay_free(less);
		return NULL;
	}
	if (how)
		less->replay.cut.after_ops = less->replay.nr_ops - nvp_replay_last(&less->replay);
	if (how == 1)
		less->replay.cut.delay_ns = NVP_REPLAY_STILL_NS;
	if (how == 2) {
		less->replay.cut.delay_ns = 0;
		less->replay.depth = less->replay.queues = 1;
	}
	nvp_shrink_compact(less);
	return less;
}

/*
 * What goes wrong with an operation on its way needs time from the off command until the drive
 * notices: this one and so many before it, one after the other while the supply goes.
 */
static struct nvp_replay_file *last_few(struct nvp_shrink_search *x, uint32_t block, uint32_t nr)
{
	struct nvp_replay_file *less = nvp_shrink_copy(x);
	uint32_t at = less ? less->replay.nr_ops : 0;
	uint32_t last = less ? nvp_replay_last(&less->replay) : 0;

	while (at > last && (less->op[at - 1].kind == NVP_ORACLE_FLUSH ||
			     !touches(&less->op[at - 1], block)))
		at--;
	if (at < last + nr || less->replay.nr_ops <= nr) {
		nvp_replay_free(less);
		return NULL;
	}
	nvp_replay_remove(less, at, less->replay.nr_ops - at);
	nvp_replay_remove(less, last, at - nr - last);
	for (uint32_t i = last; i < less->replay.nr_ops; i++)
		less->op[i].queue = 0;
	less->replay.depth = less->replay.queues = 1;
	less->replay.cut.after_ops = 1;
	less->replay.cut.delay_ns = 0;
	nvp_shrink_compact(less);
	return less;
}

/* True when the changed one, if there is one, fails. */
static bool leaps(struct nvp_shrink_search *x, struct nvp_replay_file *less)
{
	return less && nvp_shrink_keep(x, less);
}

/* ---- a supply that goes at once ---- */

/*
 * What has to do with the block, one after the other, and a Flush that writes out what is cached;
 * the cut so long after the last of them was given.
 */
static struct nvp_replay_file *at_moment(struct nvp_shrink_search *x, uint32_t block, bool flush,
					 uint64_t delay_ns)
{
	struct nvp_replay_file *less = nvp_shrink_copy(x);
	struct nvp_op *last;
	uint32_t first;

	if (!less)
		return NULL;
	first = nvp_replay_last(&less->replay);
	for (uint32_t at = less->replay.nr_ops; at > first; at--)
		if (less->op[at - 1].kind == NVP_ORACLE_FLUSH ||
		    !touches(&less->op[at - 1], block))
			leave_out(less, at - 1);
	last = flush && less->replay.nr_ops ? nvp_replay_add(less) : NULL;
	if (!less->replay.nr_ops || (flush && !last) ||
	    less->replay.nr_ops >= x->best->replay.nr_ops) {
		nvp_replay_free(less);
		return NULL;
	}
	if (last)
		last->kind = NVP_ORACLE_FLUSH;
	for (uint32_t i = first; i < less->replay.nr_ops; i++)
		less->op[i].queue = 0;
	less->replay.depth = less->replay.queues = 1;
	less->replay.cut.after_ops = less->replay.nr_ops - nvp_replay_last(&less->replay);
	less->replay.cut.delay_ns = delay_ns;
	nvp_shrink_compact(less);
	return less;
}

/*
 * A drive lives on for a while after the off command, so what is under way at its end takes many
 * operations to be reached. With a supply that goes at once the moment of the cut says it alone.
 * Tried once: it is another drive, and what was found on this one has to be found there.
 */
static bool with_sharp_supply(struct nvp_shrink_search *x, const uint32_t *block, unsigned nr)
{
	size_t length = strlen(x->address), room = sizeof(x->address) - length;
	const char *comma = x->address[length - 1] == ':' ? "" : ",";

	if (x->sharp_tried || strstr(x->address, "detect-us=") || strstr(x->address, "dead-us="))
		return false;
	x->sharp_tried = true;
	if ((size_t)snprintf(x->address + length, room, "%s" SHARP_KEYS, comma) < room)
		for (unsigned i = 0; i < nr && i < SHARP_PLACES; i++)
			for (unsigned k = 0; k < 2 * SHARP_MOMENTS && !x->rc; k++)
				if (leaps(x, at_moment(x, block[i], !(k % 2),
						       k / 2 * SHARP_STEP_NS)))
					return true;
	x->address[length] = '\0';
	return false;
}

bool nvp_shrink_of_one_block(struct nvp_shrink_search *x)
{
	uint32_t block[NVP_SHRINK_PLACES];
	unsigned nr = x->nr_blocks;

	memcpy(block, x->block, sizeof(block));
	for (unsigned how = 3; how > 0; how--)
		for (unsigned i = 0; i < nr && !x->rc; i++)
			if (leaps(x, leap(x, block[i], how - 1)))
				return true;
	for (uint32_t few = 1; few <= MOST_FEW; few++)
		for (unsigned i = 0; i < nr && !x->rc; i++)
			if (leaps(x, last_few(x, block[i], few)))
				return true;
	return with_sharp_supply(x, block, nr);
}
