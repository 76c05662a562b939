// SPDX-License-Identifier: GPL-2.0-or-later
// One block: what is durable there, what can still matter there, what each operation gives there.

#include <errno.h>
#include <stdlib.h>

#include "power/oracle_impl.h"

static int by_first_block(const void *a, const void *b, void *ops)
{
	const struct nvp_oracle_op *all = ops;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	if (all[i].block != all[j].block)
		return all[i].block < all[j].block ? -1 : 1;
	return i < j ? -1 : i > j;
}

/* Data operations and reads with FUA, by their first block. */
int nvp_oracle_sort(struct nvp_oracle *o)
{
	uint32_t *list;

	if (o->sorted)
		return 0;
	list = realloc(o->by_block, (o->nr_ops + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	o->by_block = list;
	o->nr_by_block = 0;
	o->longest = 1;
	for (uint32_t i = 0; i < o->nr_ops; i++) {
		const struct nvp_oracle_op *op = &o->ops[i];

		if (op->kind > NVP_ORACLE_READ_FUA || op->flags & NVP_OP_SOURCE)
			continue;
		list[o->nr_by_block++] = i;
		if (op->nlb_z >= o->longest)
			o->longest = op->nlb_z + 1u;
	}
	qsort_r(list, o->nr_by_block, sizeof(*list), by_first_block, o->ops);
	o->sorted = true;
	return 0;
}

/* Where the operations begin that can touch the block; they end where one begins above it. */
static uint32_t lower(const struct nvp_oracle *o, uint32_t block)
{
	uint32_t lowest = block >= o->longest ? block - o->longest + 1 : 0;
	uint32_t low = 0, high = o->nr_by_block;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (o->ops[o->by_block[mid]].block < lowest)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

#define for_each_touching(o, op, at, x)                                                          \
	for (uint32_t at = lower(o, x);                                                          \
	     at < (o)->nr_by_block && ((op) = &(o)->ops[(o)->by_block[at]])->block <= (x); at++) \
		if (nvp_op_touches(op, x))

static bool read_with_fua(const struct nvp_oracle *o, const struct nvp_oracle_op *op,
			  uint32_t block)
{
	const struct nvp_oracle_op *read;

	if (!o->nr_reads)
		return false;
	for_each_touching(o, read, at, block) if (read->kind == NVP_ORACLE_READ_FUA &&
						  read->flags & NVP_OP_ACKED &&
						  nvp_op_before(op, read)) return true;
	return false;
}

/* The rule with the plainest sentence first: a loss is named after it. */
enum nvp_oracle_rule nvp_oracle_durable(const struct nvp_oracle *o, const struct nvp_oracle_op *op,
					uint32_t block)
{
	const struct nvp_oracle_facts *f = &o->facts;

	if (!(op->flags & NVP_OP_ACKED))
		return NVP_ORACLE_NOT_DURABLE;
	if (!o->cut)
		return NVP_ORACLE_NO_LOSS;
	if (op->flags & NVP_OP_FUA)
		return NVP_ORACLE_D2;
	if (op->ack < o->flush_sub)
		return NVP_ORACLE_D3;
	if (op->ack < o->shutdown_sub)
		return NVP_ORACLE_D4;
	if (!f->vwc || op->flags & NVP_OP_CACHE_OFF)
		return NVP_ORACLE_D1;
	if (read_with_fua(o, op, block))
		return NVP_ORACLE_D7;
	if (f->rules == NVP_ORACLE_ENTERPRISE_PLP || f->rules == NVP_ORACLE_OCP)
		return NVP_ORACLE_D6;
	if (o->use_d5 && f->rules != NVP_ORACLE_RAW_SPEC && op->ack < o->cache_off_sub)
		return NVP_ORACLE_D5;
	return NVP_ORACLE_NOT_DURABLE;
}

static bool same(const struct nvp_oracle_content *a, const struct nvp_oracle_content *b)
{
	if (a->what != b->what)
		return false;
	if (a->what == NVP_ORACLE_OLD)
		return a->block == b->block;
	return a->what != NVP_ORACLE_DATA || (a->op == b->op && a->block == b->block);
}

bool nvp_oracle_initial_is(const struct nvp_oracle *o, uint32_t block,
			   const struct nvp_oracle_content *content)
{
	struct nvp_oracle_content initial = {
		.what = o->initial ? (enum nvp_oracle_what)o->initial[block] : NVP_ORACLE_OLD,
		.block = block,
	};

	return same(&initial, content);
}

/* Deallocated blocks: DLFEAT bits 2:0, and 2/87h when feature 05h asks for it. */
static bool is_deallocated_value(const struct nvp_oracle_facts *f, enum nvp_oracle_what what)
{
	unsigned value = f->dlfeat & 7;

	if (what == NVP_ORACLE_ZEROES)
		return value != 2;
	if (what == NVP_ORACLE_ONES)
		return value != 1;
	return what == NVP_ORACLE_UNMAPPED && f->dulbe;
}

/* Copies under way in a question about a copy. */
struct chain {
	const struct chain *up;
	uint32_t op, source;
};

static bool on_chain(const struct chain *c, uint32_t op, uint32_t source)
{
	for (; c; c = c->up)
		if (c->op == op && c->source == source)
			return true;
	return false;
}

/* Took effect for a reader as soon as it was acknowledged; a Deallocate need not. */
static bool definite(const struct nvp_oracle_op *q)
{
	return nvp_op_is_data(q) && q->flags & NVP_OP_ACKED && q->kind != NVP_ORACLE_DEALLOCATE;
}

/* Settled otherwise: read after p was over, and it was not there. */
static bool excluded(const struct nvp_oracle *o, uint32_t p, uint32_t block);

/*
 * Can copy `number` have read this content at the source block? p can have been there when it was
 * submitted before the copy was over and nothing definite lies between it and the copy. Each block
 * and each copy is looked at by itself: what they say together is not used, which allows more.
 */
static bool source_is(const struct nvp_oracle *o, uint32_t number, uint32_t source,
		      const struct chain *up, const struct nvp_oracle_content *content)
{
	const struct nvp_oracle_op *copy = &o->ops[number], *p, *q;
	const struct chain here = { .up = up, .op = number, .source = source };
	bool initial = nvp_oracle_initial_is(o, source, content);

	if (on_chain(up, number, source))
		return false; /* asked already, further up */
	if (content->what == NVP_ORACLE_UNC || content->what == NVP_ORACLE_UNMAPPED)
		return false; /* such a copy does not succeed, and writes nothing there */
	for_each_touching(o, p, at, source)
	{
		uint32_t number_p = o->by_block[at];
		bool covered = false;

		initial &= !(definite(p) && nvp_op_before(p, copy));
		if (!nvp_op_is_data(p) || p->flags & NVP_OP_REFUSED || p->sub > copy->ack ||
		    number_p == number || excluded(o, number_p, source))
			continue;
		for_each_touching(o, q, at_q, source) covered |=
			definite(q) && nvp_op_before(p, q) && nvp_op_before(q, copy);
		if (covered)
			continue;
		if (p->kind == NVP_ORACLE_COPY
			    ? source_is(o, number_p, p[1].block + (source - p->block), &here,
					content)
			    : nvp_oracle_gives(o, number_p, source, content))
			return true;
	}
	return initial;
}

/* One of the values that the operation can leave in the block when it takes effect there. */
bool nvp_oracle_gives(const struct nvp_oracle *o, uint32_t number, uint32_t block,
		      const struct nvp_oracle_content *content)
{
	const struct nvp_oracle_op *op = &o->ops[number];
	const struct nvp_oracle_facts *f = &o->facts;

	switch (op->kind) {
	case NVP_ORACLE_WRITE:
	case NVP_ORACLE_COMPARE_WRITE:
		return content->what == NVP_ORACLE_DATA && content->op == number &&
		       content->block == block;
	case NVP_ORACLE_WRITE_ZEROES:
		/* it may deallocate on any Write Zeroes when that reads as zeroes (3.2.8) */
		return content->what == NVP_ORACLE_ZEROES ||
		       (content->what == NVP_ORACLE_UNMAPPED && f->dulbe && (f->dlfeat & 7) == 1);
	case NVP_ORACLE_WRITE_UNCORRECTABLE:
		return content->what == NVP_ORACLE_UNC;
	case NVP_ORACLE_DEALLOCATE:
		return is_deallocated_value(f, content->what);
	case NVP_ORACLE_COPY:
		return source_is(o, number, op[1].block + (block - op->block), NULL, content);
	default:
		return false;
	}
}

static bool excluded(const struct nvp_oracle *o, uint32_t p, uint32_t block)
{
	const struct nvp_oracle_op *op = &o->ops[p];

	if (!o->nr_settled || op->flags & NVP_OP_ACKED)
		return false;
	for (uint32_t i = 0; i < o->nr_settled; i++) {
		const struct nvp_oracle_settled *s = &o->settled[i];

		if (s->block == block && op->ack < s->pos &&
		    !nvp_oracle_gives(o, p, block, &s->content))
			return true;
	}
	return false;
}

static bool unit_excluded(const struct nvp_oracle *o, uint32_t p, uint32_t first, uint32_t last)
{
	for (uint32_t x = first; o->nr_settled && x <= last; x++)
		if (excluded(o, p, x))
			return true;
	return false;
}

/* In effect at one block of a unit: at all of it. A Deallocate may always do nothing. */
static bool is_must(const struct nvp_oracle *o, const struct nvp_oracle_op *op, uint32_t first,
		    uint32_t last)
{
	if (op->kind == NVP_ORACLE_DEALLOCATE)
		return false;
	for (uint32_t x = first; x <= last; x++)
		if (nvp_oracle_durable(o, op, x))
			return true;
	return false;
}

static bool push(struct nvp_oracle_lives *lives, struct nvp_oracle_live live)
{
	if (lives->nr == lives->max) {
		uint32_t max = lives->max ? lives->max * 2 : 64;
		struct nvp_oracle_live *more = realloc(lives->v, max * sizeof(*more));

		if (!more)
			return false;
		lives->v = more;
		lives->max = max;
	}
	lives->v[lives->nr++] = live;
	return true;
}

bool nvp_oracle_collect(const struct nvp_oracle *o, uint32_t block, uint32_t node,
			struct nvp_oracle_lives *lives)
{
	uint32_t begin = lives->nr, kept = begin, newest_must = 0;
	const struct nvp_oracle_op *op;

	for_each_touching(o, op, at, block)
	{
		struct nvp_oracle_live live = { .op = o->by_block[at], .node = node };
		uint32_t first, last;

		if (!nvp_op_is_data(op) || op->flags & NVP_OP_REFUSED)
			continue;
		nvp_oracle_unit(o, op, block, &first, &last);
		if (unit_excluded(o, live.op, first, last))
			continue;
		live.unit = first;
		live.must = is_must(o, op, first, last);
		live.last = true;
		if (live.must && op->sub > newest_must)
			newest_must = op->sub;
		if (!push(lives, live))
			return false;
	}
	/* superseded: acknowledged before a durable one was submitted */
	for (uint32_t i = begin; i < lives->nr; i++)
		if (o->ops[lives->v[i].op].ack >= newest_must)
			lives->v[kept++] = lives->v[i];
	lives->nr = kept;
	return true;
}
