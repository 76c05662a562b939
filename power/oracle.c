// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle's history: operations submitted and acknowledged, and what happens between.

#include "power/oracle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "power/oracle_impl.h"

struct nvp_oracle *nvp_oracle_new(const struct nvp_oracle_facts *facts, const uint8_t *initial)
{
	struct nvp_oracle *o = calloc(1, sizeof(*o));

	if (!o || !facts->nr_blocks)
		goto fail;
	o->facts = *facts;
	o->strict_units = o->use_d5 = facts->policy == NVP_ORACLE_STRICT;
	o->cache_off = !facts->wce;
	if (initial) {
		o->initial = malloc(facts->nr_blocks);
		if (!o->initial)
			goto fail;
		memcpy(o->initial, initial, facts->nr_blocks);
	}
	return o;
fail:
	free(o);
	return NULL;
}

void nvp_oracle_free(struct nvp_oracle *o)
{
	if (!o)
		return;
	free(o->initial);
	free(o->ops);
	free(o->by_block);
	free(o->settled);
	free(o);
}

static int advance(struct nvp_oracle *o, uint64_t tick)
{
	if (o->cut || (o->pos && tick < o->tick))
		return -EINVAL;
	if (o->pos && tick == o->tick)
		return 0;
	if (o->pos == NVP_ORACLE_NEVER - 1)
		return -EOVERFLOW;
	o->tick = tick;
	o->pos++;
	return 0;
}

static bool in_range(const struct nvp_oracle *o, uint32_t block, uint16_t nlb_z)
{
	return block < o->facts.nr_blocks && nlb_z < o->facts.nr_blocks - block;
}

static bool room(struct nvp_oracle *o)
{
	struct nvp_oracle_op *more;
	uint32_t max;

	if (o->nr_ops + 2 <= o->max_ops)
		return true;
	max = o->max_ops ? o->max_ops * 2 : 64;
	more = realloc(o->ops, max * sizeof(*more));
	if (!more)
		return false;
	o->ops = more;
	o->max_ops = max;
	return true;
}

int64_t nvp_oracle_submit(struct nvp_oracle *o, uint64_t tick, const struct nvp_oracle_cmd *cmd)
{
	struct nvp_oracle_op *op;
	uint32_t number;
	int rc;

	if (cmd->kind >= NVP_ORACLE_NR_KINDS ||
	    (cmd->kind <= NVP_ORACLE_READ_FUA && !in_range(o, cmd->block, cmd->nlb_z)) ||
	    (cmd->kind == NVP_ORACLE_COPY && !in_range(o, cmd->source, cmd->nlb_z)))
		return -EINVAL;
	if (o->nr_ops >= UINT32_MAX / 2 - 2)
		return -EOVERFLOW;
	if (!room(o))
		return -ENOMEM;
	rc = advance(o, tick);
	if (rc)
		return rc;
	number = o->nr_ops++;
	op = &o->ops[number];
	*op = (struct nvp_oracle_op){
		.block = cmd->kind <= NVP_ORACLE_READ_FUA ? cmd->block : 0,
		.nlb_z = cmd->kind <= NVP_ORACLE_READ_FUA ? cmd->nlb_z : 0,
		.kind = (uint8_t)cmd->kind,
		.sub = o->pos,
		.ack = NVP_ORACLE_NEVER,
	};
	/* Write Uncorrectable and Dataset Management have no such bit (3.2.7, 3.2.3) */
	if (cmd->fua && (cmd->kind <= NVP_ORACLE_WRITE_ZEROES || cmd->kind == NVP_ORACLE_COPY))
		op->flags = NVP_OP_FUA;
	if (cmd->kind == NVP_ORACLE_COPY)
		o->ops[o->nr_ops++] = (struct nvp_oracle_op){
			.block = cmd->source,
			.kind = NVP_ORACLE_COPY,
			.flags = NVP_OP_SOURCE,
		};
	if (cmd->kind == NVP_ORACLE_CACHE_ON) {
		o->cache_off = false;
		o->on_activity = o->pos;
		o->nr_on++;
	}
	o->nr_reads += cmd->kind == NVP_ORACLE_READ_FUA;
	o->sorted = false;
	return number;
}

/*
 * Statuses that are given before anything is executed: invalid opcode, field, namespace; command
 * sequence error; access denied; namespace write protected; LBA out of range; reservation conflict;
 * 1/81h, invalid protection information; of a fused pair, failed or missing partner, and a failed
 * compare.
 */
static bool is_refusal(const struct nvp_oracle_op *op, uint8_t sct, uint8_t sc)
{
	static const uint8_t generic[] = { 0x01, 0x02, 0x0b, 0x15, 0x20, 0x80, 0x83 };

	if (sct == 1)
		return sc == 0x81;
	if (op->kind == NVP_ORACLE_COMPARE_WRITE &&
	    ((sct == 2 && sc == 0x85) || (sct == 0 && (sc == 0x09 || sc == 0x0a))))
		return true;
	return sct == 0 && memchr(generic, sc, sizeof(generic));
}

/* A switch-off counts only when no switch-on can have come after it. */
static void cache_switched(struct nvp_oracle *o, const struct nvp_oracle_op *op, bool success)
{
	if (op->kind == NVP_ORACLE_CACHE_ON) {
		o->on_activity = o->pos;
		o->nr_on--;
		return;
	}
	if (!success)
		return;
	o->cache_off_sub = op->sub > o->cache_off_sub ? op->sub : o->cache_off_sub;
	if (!o->cache_off && !o->nr_on && o->on_activity < op->sub) {
		o->cache_off = true;
		o->off_since = o->pos;
	}
}

static void completed(struct nvp_oracle *o, struct nvp_oracle_op *op, bool success)
{
	switch (op->kind) {
	case NVP_ORACLE_FLUSH:
		if (success && op->sub > o->flush_sub)
			o->flush_sub = op->sub;
		break;
	case NVP_ORACLE_SHUTDOWN:
		if (success && op->sub > o->shutdown_sub)
			o->shutdown_sub = op->sub;
		break;
	case NVP_ORACLE_CACHE_OFF:
	case NVP_ORACLE_CACHE_ON:
		cache_switched(o, op, success);
		break;
	default:
		if (success && o->cache_off && o->off_since < op->sub)
			op->flags |= NVP_OP_CACHE_OFF;
	}
}

int nvp_oracle_complete(struct nvp_oracle *o, uint64_t tick, uint32_t number, uint8_t sct,
			uint8_t sc)
{
	bool success = !sct && !sc;
	struct nvp_oracle_op *op;
	int rc;

	if (number >= o->nr_ops)
		return -EINVAL;
	op = &o->ops[number];
	if (op->flags & NVP_OP_SOURCE || op->ack != NVP_ORACLE_NEVER)
		return -EINVAL;
	rc = advance(o, tick);
	if (rc)
		return rc;
	op->ack = o->pos;
	op->flags |= (uint8_t)(success			 ? NVP_OP_ACKED
			       : is_refusal(op, sct, sc) ? NVP_OP_RETIRED | NVP_OP_REFUSED
							 : NVP_OP_RETIRED);
	completed(o, op, success);
	return 0;
}

/* What has no completion is over: no later effect (retirement). */
static void retire(struct nvp_oracle *o)
{
	for (uint32_t i = 0; i < o->nr_ops; i++) {
		struct nvp_oracle_op *op = &o->ops[i];

		if (op->ack != NVP_ORACLE_NEVER || op->flags & NVP_OP_SOURCE)
			continue;
		op->ack = o->pos;
		op->flags |= NVP_OP_RETIRED;
	}
}

/* Features that were not saved are at their default again (Base 2.0, 3.7.2). */
int nvp_oracle_reset(struct nvp_oracle *o, uint64_t tick)
{
	int rc = advance(o, tick);

	if (rc)
		return rc;
	retire(o);
	if (o->facts.wce)
		o->cache_off = false;
	else if (!o->cache_off) {
		o->cache_off = true;
		o->off_since = o->pos;
	}
	o->nr_on = 0;
	o->on_activity = o->pos;
	return 0;
}

int nvp_oracle_cut(struct nvp_oracle *o, uint64_t tick)
{
	int rc = advance(o, tick);

	if (rc)
		return rc;
	retire(o);
	o->cut = true;
	return 0;
}

int nvp_oracle_settle(struct nvp_oracle *o, uint64_t tick, uint32_t block,
		      const struct nvp_oracle_content *content)
{
	int rc;

	if (block >= o->facts.nr_blocks)
		return -EINVAL;
	if (o->nr_settled == o->max_settled) {
		uint32_t max = o->max_settled ? o->max_settled * 2 : 16;
		struct nvp_oracle_settled *more = realloc(o->settled, max * sizeof(*more));

		if (!more)
			return -ENOMEM;
		o->settled = more;
		o->max_settled = max;
	}
	rc = advance(o, tick);
	if (rc)
		return rc;
	o->settled[o->nr_settled++] = (struct nvp_oracle_settled){
		.block = block,
		.pos = o->pos,
		.content = *content,
	};
	return 0;
}
