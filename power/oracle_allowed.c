// SPDX-License-Identifier: GPL-2.0-or-later
// All that one block may hold, listed.

#include <stdlib.h>

#include "power/oracle_impl.h"

/* Blocks whose data can have come to the block: itself, and along copies. */
struct origins {
	uint32_t *block;
	uint32_t nr, max;
};

static bool add_origin(struct origins *g, uint32_t block)
{
	for (uint32_t i = 0; i < g->nr; i++)
		if (g->block[i] == block)
			return true;
	if (g->nr == g->max) {
		uint32_t max = g->max ? g->max * 2 : 8;
		uint32_t *more = realloc(g->block, max * sizeof(*more));

		if (!more)
			return false;
		g->block = more;
		g->max = max;
	}
	g->block[g->nr++] = block;
	return true;
}

static bool find_origins(const struct nvp_oracle *o, uint32_t block, struct origins *g)
{
	if (!add_origin(g, block))
		return false;
	for (uint32_t done = 0; done < g->nr; done++)
		for (uint32_t i = 0; i < o->nr_ops; i++) {
			const struct nvp_oracle_op *op = &o->ops[i];

			if (op->kind == NVP_ORACLE_COPY && nvp_op_is_data(op) &&
			    nvp_op_touches(op, g->block[done]) &&
			    !add_origin(g, op[1].block + (g->block[done] - op->block)))
				return false;
		}
	return true;
}

struct list {
	struct nvp_oracle *o;
	uint32_t block;
	struct nvp_oracle_content *contents;
	uint32_t nr, max;
};

static void offer(struct list *l, enum nvp_oracle_what what, uint32_t op, uint32_t block)
{
	struct nvp_oracle_reading r = { l->block, { what, op, block } };

	if (!nvp_oracle_allows(l->o, &r))
		return;
	if (l->nr < l->max)
		l->contents[l->nr] = r.content;
	l->nr++;
}

uint32_t nvp_oracle_allowed(struct nvp_oracle *o, uint32_t block,
			    struct nvp_oracle_content *contents, uint32_t max)
{
	struct list l = { .o = o, .block = block, .contents = contents, .max = max };
	struct origins g = { 0 };

	for (unsigned what = NVP_ORACLE_ZEROES; what <= NVP_ORACLE_UNMAPPED; what++)
		offer(&l, (enum nvp_oracle_what)what, 0, 0);
	if (find_origins(o, block, &g))
		for (uint32_t at = 0; at < g.nr; at++) {
			offer(&l, NVP_ORACLE_OLD, 0, g.block[at]);
			for (uint32_t i = 0; i < o->nr_ops; i++)
				if (o->ops[i].kind <= NVP_ORACLE_COMPARE_WRITE &&
				    nvp_op_touches(&o->ops[i], g.block[at]))
					offer(&l, NVP_ORACLE_DATA, i, g.block[at]);
		}
	free(g.block);
	return l.nr;
}
