// SPDX-License-Identifier: GPL-2.0-or-later
// Every outcome of a small history, one after the other: orders, effect sets, values.

#include "tests/unit/oracle_slow.h"

#include <string.h>

#define MAX_OPS	   NVP_SLOW_MAX_OPS
#define MAX_BLOCKS NVP_SLOW_MAX_BLOCKS

enum { OLD = 0, DATA = MAX_BLOCKS, ZEROES = DATA + MAX_OPS * MAX_BLOCKS, ONES, UNC, UNMAPPED };

unsigned nvp_slow_code(const struct nvp_oracle_content *c)
{
	switch (c->what) {
	case NVP_ORACLE_OLD:
		return OLD + c->block;
	case NVP_ORACLE_DATA:
		return DATA + c->op * MAX_BLOCKS + c->block;
	case NVP_ORACLE_ZEROES:
		return ZEROES;
	case NVP_ORACLE_ONES:
		return ONES;
	case NVP_ORACLE_UNC:
		return UNC;
	default:
		return UNMAPPED;
	}
}

struct nvp_oracle_content nvp_slow_content(unsigned code)
{
	static const enum nvp_oracle_what special[] = {
		NVP_ORACLE_ZEROES,
		NVP_ORACLE_ONES,
		NVP_ORACLE_UNC,
		NVP_ORACLE_UNMAPPED,
	};

	if (code >= ZEROES)
		return (struct nvp_oracle_content){ .what = special[code - ZEROES] };
	if (code >= DATA)
		return (struct nvp_oracle_content){
			.what = NVP_ORACLE_DATA,
			.op = (code - DATA) / MAX_BLOCKS,
			.block = (code - DATA) % MAX_BLOCKS,
		};
	return (struct nvp_oracle_content){ .what = NVP_ORACLE_OLD, .block = code };
}

struct work {
	const struct nvp_slow_history *h;
	struct nvp_slow_set *set;
	int data[MAX_OPS]; /* the operations that change blocks, not refused */
	int nr;
	bool before[MAX_OPS][MAX_OPS]; /* acknowledged before submitted */
	bool durable[MAX_OPS][MAX_BLOCKS];
	uint32_t source[MAX_OPS][MAX_BLOCKS]; /* codes that a copy can carry to each block */
	uint8_t unit[MAX_OPS][MAX_BLOCKS];    /* blocks that come or stay together */
	bool serial[MAX_OPS];
	int order[MAX_OPS];
};

static const struct nvp_slow_op *op_of(const struct work *w, int i)
{
	return &w->h->op[w->data[i]];
}

static bool touches(const struct nvp_slow_op *o, int x)
{
	return x >= o->block && x < o->block + o->nr;
}

static bool acked(const struct nvp_slow_op *o)
{
	return o->ack != NVP_SLOW_NEVER && o->end == NVP_SLOW_OK;
}

/* The moment after which the operation does nothing any more. */
static int over(const struct nvp_slow_history *h, const struct nvp_slow_op *o)
{
	int end = o->ack;

	for (unsigned i = 0; i < h->nr; i++)
		if (h->op[i].kind == NVP_SLOW_RESET && h->op[i].sub > o->sub && h->op[i].sub < end)
			end = h->op[i].sub;
	return end;
}

/* --- durability ------------------------------------------------------------------------------- */

/* Was the cache switched off for good between `since` (what may have switched it on) and `t`? */
static bool off_between(const struct nvp_slow_history *h, int since, int t)
{
	for (unsigned i = 0; i < h->nr; i++) {
		const struct nvp_slow_op *o = &h->op[i];

		if (o->kind == NVP_ORACLE_CACHE_OFF && acked(o) && o->sub > since && o->ack < t)
			return true;
		if (o->kind == NVP_SLOW_RESET && !h->wce && o->sub >= since && o->sub < t)
			return true;
	}
	return false;
}

static bool maybe_on(const struct nvp_slow_history *h, int t)
{
	if (h->wce && !off_between(h, -1, t))
		return true;
	for (unsigned i = 0; i < h->nr; i++) {
		const struct nvp_slow_op *o = &h->op[i];

		if (o->kind == NVP_ORACLE_CACHE_ON && o->sub <= t && !off_between(h, over(h, o), t))
			return true;
		if (o->kind == NVP_SLOW_RESET && h->wce && o->sub <= t &&
		    !off_between(h, o->sub, t))
			return true;
	}
	return false;
}

static bool off_all_along(const struct nvp_slow_history *h, const struct nvp_slow_op *o)
{
	for (int t = o->sub; t <= o->ack; t++)
		if (maybe_on(h, t))
			return false;
	return true;
}

static bool is_durable(const struct nvp_slow_history *h, const struct nvp_slow_op *o, int x)
{
	if (!acked(o))
		return false;
	if (!h->cut || !h->vwc || h->plp || o->fua || off_all_along(h, o))
		return true;
	for (unsigned i = 0; i < h->nr; i++) {
		const struct nvp_slow_op *f = &h->op[i];

		if (!acked(f) || f->sub <= o->ack)
			continue;
		if (f->kind == NVP_ORACLE_FLUSH || f->kind == NVP_ORACLE_SHUTDOWN)
			return true;
		if (f->kind == NVP_ORACLE_CACHE_OFF && h->strict && !h->raw)
			return true;
		if (f->kind == NVP_ORACLE_READ_FUA && touches(f, x))
			return true;
	}
	return false;
}

/* --- units ------------------------------------------------------------------------------------ */

static bool fits(const struct nvp_slow_history *h, const struct nvp_slow_op *o, unsigned limit)
{
	unsigned b = h->boundary;

	return o->nr == 1 ||
	       (o->nr <= limit && (!b || o->block / b == (o->block + o->nr - 1u) / b));
}

static void units(struct work *w, int i)
{
	const struct nvp_slow_history *h = w->h;
	const struct nvp_slow_op *o = op_of(w, i);
	bool fused = o->kind == NVP_ORACLE_COMPARE_WRITE;
	bool write = o->kind != NVP_ORACLE_DEALLOCATE && o->kind != NVP_ORACLE_WRITE_UNCORRECTABLE;
	bool whole = write && fits(h, o, h->u) && (!fused || fits(h, o, h->acwu));

	w->serial[i] = write && fits(h, o, fused ? h->acwu : h->awu);
	for (int x = 0; x < MAX_BLOCKS; x++) {
		w->unit[i][x] = (uint8_t)(1u << x);
		for (int y = 0; y < MAX_BLOCKS; y++) {
			bool part = write && !fused && h->multiple && h->boundary &&
				    (unsigned)x / h->boundary == (unsigned)y / h->boundary;

			if ((whole || part) && touches(o, x) && touches(o, y) &&
			    (h->strict || !acked(o)))
				w->unit[i][x] |= (uint8_t)(1u << y);
		}
	}
}

/* --- orders ----------------------------------------------------------------------------------- */

/* Calls back with each order of the operations in which none stands before one it must follow. */
static void orders(struct work *w, int depth, unsigned used, void (*with)(struct work *w))
{
	if (depth == w->nr) {
		with(w);
		return;
	}
	for (int i = 0; i < w->nr; i++) {
		bool early = used >> i & 1;

		for (int j = 0; j < w->nr; j++)
			early |= !(used >> j & 1) && w->before[j][i];
		if (early)
			continue;
		w->order[depth] = i;
		orders(w, depth + 1, used | 1u << i, with);
	}
}

/* --- what copies carry ------------------------------------------------------------------------ */

static uint32_t dealloc_codes(const struct nvp_slow_history *h)
{
	uint32_t codes = h->dlfeat == 1	  ? 1u << ZEROES
			 : h->dlfeat == 2 ? 1u << ONES
					  : 1u << ZEROES | 1u << ONES;

	return codes | (h->dulbe ? 1u << UNMAPPED : 0);
}

/* Codes that the operation leaves at x, with its own source in the copy's case. */
static uint32_t gives(const struct work *w, int i, int x)
{
	const struct nvp_slow_op *o = op_of(w, i);

	switch (o->kind) {
	case NVP_ORACLE_WRITE:
	case NVP_ORACLE_COMPARE_WRITE:
		return 1u << (DATA + w->data[i] * MAX_BLOCKS + x);
	case NVP_ORACLE_WRITE_ZEROES:
		return 1u << ZEROES | (w->h->dulbe && w->h->dlfeat == 1 ? 1u << UNMAPPED : 0);
	case NVP_ORACLE_WRITE_UNCORRECTABLE:
		return 1u << UNC;
	case NVP_ORACLE_DEALLOCATE:
		return dealloc_codes(w->h);
	default:
		return w->source[i][x];
	}
}

/*
 * Who can have written what a reader sees as this order goes on: bit i the operation, the bit above
 * them nobody. What a copy brought is whatever that copy can have read, in any order.
 */
static void watch_copies(struct work *w)
{
	uint32_t writer[MAX_BLOCKS], readable = ~(1u << UNC | 1u << UNMAPPED);

	for (int x = 0; x < MAX_BLOCKS; x++)
		writer[x] = 1u << MAX_OPS;
	for (int k = 0; k < w->nr; k++) {
		int i = w->order[k];
		const struct nvp_slow_op *o = op_of(w, i);
		uint32_t was[MAX_BLOCKS];

		memcpy(was, writer, sizeof(was));
		for (int x = o->block; x < o->block + o->nr; x++) {
			int from = o->source + x - o->block;

			for (int j = 0; o->kind == NVP_ORACLE_COPY && j < w->nr; j++)
				if (was[from] >> j & 1)
					w->source[i][x] |= gives(w, j, from) & readable;
			if (o->kind == NVP_ORACLE_COPY && was[from] >> MAX_OPS)
				w->source[i][x] |= 1u << (OLD + from);
			if (!acked(o) || o->kind == NVP_ORACLE_DEALLOCATE)
				writer[x] |= 1u << i;
			else
				writer[x] = 1u << i;
		}
	}
}

/* --- outcomes --------------------------------------------------------------------------------- */

/* The codes of x when exactly these operations took effect there: what can be last. */
static uint32_t last_codes(const struct work *w, bool after[MAX_OPS][MAX_OPS],
			   const uint8_t *effect, int x)
{
	uint32_t codes = 0;
	bool any = false;

	for (int i = 0; i < w->nr; i++) {
		bool last = effect[i] >> x & 1;

		any |= last;
		for (int j = 0; j < w->nr; j++)
			last &= !((effect[j] >> x & 1) && after[i][j]);
		if (last)
			codes |= gives(w, i, x);
	}
	return any ? codes : 1u << (OLD + x);
}

static void add(struct work *w, const uint32_t *codes)
{
	unsigned n = w->h->nr_blocks;
	uint32_t none = 1;

	for (unsigned x = 0; x < n; x++)
		if (!codes[x])
			return;
	for (unsigned x = 0; x < n; x++)
		w->set->each[x] |= codes[x];
	for (uint32_t a = codes[0]; a; a &= a - 1)
		for (uint32_t b = n > 1 ? codes[1] : none; b; b &= b - 1)
			for (uint32_t c = n > 2 ? codes[2] : none; c; c &= c - 1) {
				unsigned t = (unsigned)__builtin_ctz(a) +
					     32 * (unsigned)__builtin_ctz(b) +
					     1024 * (unsigned)__builtin_ctz(c);

				w->set->bit[t / 64] |= UINT64_C(1) << t % 64;
			}
}

/* Is this a set of blocks where the operation can have taken effect? */
static bool possible(const struct work *w, int i, unsigned effect)
{
	const struct nvp_slow_op *o = op_of(w, i);

	for (int x = 0; x < MAX_BLOCKS; x++) {
		bool in = effect >> x & 1;

		if (in && (!touches(o, x) || (effect & w->unit[i][x]) != w->unit[i][x]))
			return false;
		/* a Deallocate may leave a block as it is, however durable */
		if (!in && w->durable[i][x] && o->kind != NVP_ORACLE_DEALLOCATE)
			return false;
	}
	return true;
}

static void effects(struct work *w, bool after[MAX_OPS][MAX_OPS], uint8_t *effect, int i)
{
	uint32_t codes[MAX_BLOCKS];

	if (i < w->nr) {
		for (unsigned e = 0; e < 1u << MAX_BLOCKS; e++) {
			if (!possible(w, i, e))
				continue;
			effect[i] = (uint8_t)e;
			effects(w, after, effect, i + 1);
		}
		return;
	}
	for (unsigned x = 0; x < w->h->nr_blocks; x++)
		codes[x] = last_codes(w, after, effect, (int)x);
	add(w, codes);
}

/* One order of the serial ones; the others follow only what ends before they begin. */
static void outcomes(struct work *w)
{
	bool after[MAX_OPS][MAX_OPS];
	uint8_t effect[MAX_OPS];

	memcpy(after, w->before, sizeof(after));
	for (int a = 0; a < w->nr; a++)
		for (int b = a + 1; b < w->nr; b++)
			if (w->serial[w->order[a]] && w->serial[w->order[b]])
				after[w->order[a]][w->order[b]] = true;
	for (int k = 0; k < w->nr; k++)
		for (int i = 0; i < w->nr; i++)
			for (int j = 0; j < w->nr; j++)
				after[i][j] |= after[i][k] && after[k][j];
	effects(w, after, effect, 0);
}

void nvp_slow_allowed(const struct nvp_slow_history *h, struct nvp_slow_set *set)
{
	struct work w = { .h = h, .set = set };
	uint32_t source[MAX_OPS][MAX_BLOCKS];

	memset(set, 0, sizeof(*set));
	for (unsigned i = 0; i < h->nr; i++) {
		const struct nvp_slow_op *o = &h->op[i];

		if (o->kind <= NVP_ORACLE_COPY &&
		    !(o->ack != NVP_SLOW_NEVER && o->end == NVP_SLOW_REFUSED))
			w.data[w.nr++] = (int)i;
	}
	for (int i = 0; i < w.nr; i++) {
		for (int j = 0; j < w.nr; j++)
			w.before[i][j] = over(h, op_of(&w, i)) < op_of(&w, j)->sub;
		for (int x = 0; x < MAX_BLOCKS; x++)
			w.durable[i][x] =
				touches(op_of(&w, i), x) && is_durable(h, op_of(&w, i), x);
		units(&w, i);
	}
	do {
		memcpy(source, w.source, sizeof(source));
		orders(&w, 0, 0, watch_copies);
	} while (memcmp(source, w.source, sizeof(source)));
	for (int i = 0; i < w.nr; i++)
		for (int x = 0; x < MAX_BLOCKS; x++)
			set->senseless |= op_of(&w, i)->kind == NVP_ORACLE_COPY &&
					  touches(op_of(&w, i), x) && !w.source[i][x];
	if (set->senseless)
		return;
	orders(&w, 0, 0, outcomes);
}
