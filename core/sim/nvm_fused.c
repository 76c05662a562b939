// SPDX-License-Identifier: GPL-2.0-or-later
// Fused Compare and Write: two commands that follow each other in a queue are one
// (NVMe Base 2.0 section 3.4.2, NVM Command Set 1.0 section 2.1.3).

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/commands.h"
#include "core/sim/mechanism.h"

#define FUSE_FIRST 1
#define FUSE_SECOND 2
#define LOOK_AGAIN_NS 50	/* the second command is in the queue and not fetched yet */

static unsigned fuse_of(const struct nvp_sim_cmd *c)
{
	return c->sqe[1] & 3;
}

bool nvp_sim_has_fused(const struct nvp_sim *w)
{
	return w->profile->optional_commands && !nvp_defect(w, NVP_HOOK_IO_FUSE_OK);
}

static enum nvp_step missing(struct nvp_sim_cmd *c)
{
	nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_FUSED_MISSING, 0, 8);
	c->dnr = false;		/* with the other half it may well succeed */
	return NVP_STEP_COMPLETE;
}

/* The same namespace, SLBA and NLB. */
static bool same_range(const struct nvp_sim_cmd *a, const struct nvp_sim_cmd *b)
{
	return a->nsid == b->nsid && !memcmp(a->sqe + 40, b->sqe + 40, 8) &&
	       nvp_le16(a->sqe + 48) == nvp_le16(b->sqe + 48);
}

static bool is_compare_and_write(const struct nvp_sim *w, const struct nvp_sim_cmd *first,
				 const struct nvp_sim_cmd *second)
{
	bool opcodes = first->opcode == NVP_IO_COMPARE && second->opcode == NVP_IO_WRITE;

	return (opcodes || nvp_defect(w, NVP_HOOK_FUSED_OPCODE_OK)) &&
	       (same_range(first, second) || nvp_defect(w, NVP_HOOK_FUSED_RANGE_OK));
}

/* The command behind it in its queue decides; it is always checked later than this one. */
static enum nvp_step check_first(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	const struct nvp_sq *sq = &w->queues->sq[c->sqid];
	bool more = sq->head != sq->tail && !sq->deleting && !sq->stuck;
	struct nvp_sim_cmd *next;

	if (c->newer == NVP_NO_COMMAND && more) {
		c->then = check_first;
		c->delay_ns = LOOK_AGAIN_NS;
		return NVP_STEP_DELAY;
	}
	next = c->newer == NVP_NO_COMMAND ? NULL : nvp_engine_cmd(w, c->newer);
	if (!next || fuse_of(next) != FUSE_SECOND)
		return nvp_defect(w, NVP_HOOK_FUSED_FIRST_ALONE) ? nvp_commands_io(w, c) :
								   missing(c);
	c->fused = NVP_FUSED_FIRST;
	c->partner = next->slot;
	c->partner_generation = next->generation;
	next->fused = NVP_FUSED_WAITS;
	if (!is_compare_and_write(w, c, next)) {
		next->fused = NVP_FUSED_INVALID;
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 0, 8);
	}
	if (nvp_le16(c->sqe + 48) > w->profile->awupf_z)	/* ACWU */
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_ATOMIC_UNIT, 12, 0);
	return nvp_commands_io(w, c);
}

static enum nvp_step check_second(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	switch (c->fused) {
	case NVP_FUSED_WAITS:
		return NVP_STEP_HELD;
	case NVP_FUSED_GOES:
		if (nvp_defect(w, NVP_HOOK_FUSED_DROPS))
			return NVP_STEP_COMPLETE;
		return nvp_commands_io(w, c);
	case NVP_FUSED_FAILED:
		nvp_sim_fail(c, NVP_SCT_GENERIC, nvp_defect(w, NVP_HOOK_FUSED_STATUS) ?
			     NVP_SC_ABORT_REQUESTED : NVP_SC_FUSED_FAILED);
		c->dnr = false;
		return NVP_STEP_COMPLETE;
	case NVP_FUSED_INVALID:
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 0, 8);
	default:
		return nvp_defect(w, NVP_HOOK_FUSED_SECOND_ALONE) ? nvp_commands_io(w, c) :
								    missing(c);
	}
}

enum nvp_step nvp_fused_check(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	switch (fuse_of(c)) {
	case FUSE_FIRST:
		return check_first(w, c);
	case FUSE_SECOND:
		return check_second(w, c);
	default:
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 0, 8);
	}
}

/* The second command of this first one, while it is not done and was not stopped. */
static struct nvp_sim_cmd *second_of(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	struct nvp_sim_cmd *second;

	if (c->fused != NVP_FUSED_FIRST)
		return NULL;
	second = nvp_engine_cmd(w, c->partner);
	if (second->generation != c->partner_generation ||
	    (second->state != NVP_CMD_HELD && second->state != NVP_CMD_CHECK))
		return NULL;
	return second;
}

struct nvp_sim_cmd *nvp_fused_first_done(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_sim_cmd *second = second_of(w, c);
	bool goes = (!c->sct && !c->sc) || (c->sct == NVP_SCT_MEDIA &&
					    nvp_defect(w, NVP_HOOK_FUSED_WRITES));

	c->fused = NVP_FUSED_NOT;
	if (!second)
		return NULL;
	if (second->fused == NVP_FUSED_WAITS)
		second->fused = goes ? NVP_FUSED_GOES : NVP_FUSED_FAILED;
	return second->state == NVP_CMD_HELD ? second : NULL;
}

/* ---- nobody comes between the two ---- */

/* Locks of pairs that are done, or were stopped, are gone. */
static void drop_locks(struct nvp_sim *w)
{
	struct nvp_commands *s = w->commands;

	for (unsigned i = 0; i < s->nr_locks;) {
		const struct nvp_sim_cmd *c = nvp_engine_cmd(w, s->lock[i].slot);
		bool over = c->generation != s->lock[i].generation || c->state == NVP_CMD_DONE ||
			    c->state == NVP_CMD_WAIT_CQ;

		if (over)
			s->lock[i] = s->lock[--s->nr_locks];
		else
			i++;
	}
}

static bool meets(uint64_t first, uint64_t end, const struct nvp_sim_cmd *c)
{
	uint64_t start = c->ns->map_first + c->slba;

	return start < end && first < start + c->nr_lbas;
}

/* Another command is in the middle of writing some of these blocks. */
static bool being_written(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	uint64_t first = c->ns->map_first + c->slba, end = first + c->nr_lbas;

	for (unsigned q = 1; q < NVP_MAX_QUEUES; q++) {
		uint32_t slot = w->queues->sq[q].exists ? w->queues->sq[q].newest : NVP_NO_COMMAND;

		while (slot != NVP_NO_COMMAND) {
			const struct nvp_sim_cmd *other = nvp_engine_cmd(w, slot);
			bool writes = other->step == NVP_STEP_WRITE || other->step == NVP_STEP_ZERO;

			slot = other->older;
			if (other != c && other->state == NVP_CMD_STEP && writes &&
			    !other->held_back && meets(first, end, other))
				return true;
		}
	}
	return false;
}

bool nvp_fused_holds_back(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	struct nvp_commands *s = w->commands;

	if (!s->nr_locks)
		return false;
	drop_locks(w);
	for (unsigned i = 0; i < s->nr_locks; i++)
		if (s->lock[i].slot != c->slot && meets(s->lock[i].first, s->lock[i].end, c))
			return true;
	return false;
}

bool nvp_fused_lock(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	const struct nvp_sim_cmd *second = second_of(w, c);
	struct nvp_commands *s = w->commands;

	if (!second || nvp_defect(w, NVP_HOOK_FUSED_SPLIT))
		return true;
	if (nvp_fused_holds_back(w, c) || s->nr_locks == NVP_MAX_LOCKS || being_written(w, c))
		return false;
	s->lock[s->nr_locks++] = (struct nvp_fused_lock){
		.slot = second->slot,
		.generation = second->generation,
		.first = c->ns->map_first + c->slba,
		.end = c->ns->map_first + c->slba + c->nr_lbas,
	};
	return true;
}
