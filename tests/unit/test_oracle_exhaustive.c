// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle against the slow checker: small histories, all or a part, and random larger ones.
// NVP_ORACLE_FULL=1 takes all: 20 minutes, 16 of them for five operations. Without it each set is
// thinned to seconds.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rand.h"
#include "tests/unit/oracle_replay.h"
#include "tests/unit/unit.h"

#define MAX_TYPES 80

/* What an operation can be; when it was submitted and how it ended comes later. */
struct type {
	uint8_t kind, block, nr, source;
	bool fua;
};

struct set {
	struct type type[MAX_TYPES];
	unsigned nr;
	unsigned ops, blocks;
	uint64_t seed; /* thinning: 1 of `stride` is looked at */
	uint64_t stride;
	uint64_t histories, checked;
	uint64_t bad;
	struct nvp_slow_history h;
	unsigned mirrored[MAX_TYPES];
	unsigned chosen[NVP_SLOW_MAX_OPS];
	uint8_t gap[NVP_SLOW_MAX_OPS]; /* behind which submission it was completed */
};

static void add_type(struct set *s, struct type t)
{
	s->type[s->nr++] = t;
}

static void add_ranges(struct set *s, uint8_t kind, bool fua)
{
	for (uint8_t first = 0; first < s->blocks; first++)
		for (uint8_t nr = 1; first + nr <= s->blocks; nr++)
			add_type(s, (struct type){
					    .kind = kind, .block = first, .nr = nr, .fua = fua });
}

static void add_copies(struct set *s)
{
	for (uint8_t to = 0; to < s->blocks; to++)
		for (uint8_t from = 0; from < s->blocks; from++)
			for (uint8_t nr = 1; to + nr <= s->blocks && from + nr <= s->blocks; nr++)
				if (to != from)
					add_type(s, (struct type){ .kind = NVP_ORACLE_COPY,
								   .block = to,
								   .nr = nr,
								   .source = from });
}

/* Left and right exchanged: the rules know no direction. */
static void find_mirrors(struct set *s)
{
	for (unsigned i = 0; i < s->nr; i++) {
		struct type m = s->type[i];

		if (m.nr)
			m.block = (uint8_t)(s->blocks - m.nr - m.block);
		if (m.kind == NVP_ORACLE_COPY)
			m.source = (uint8_t)(s->blocks - m.nr - m.source);
		for (unsigned j = 0; j < s->nr; j++)
			if (!memcmp(&m, &s->type[j], sizeof(m)))
				s->mirrored[i] = j;
	}
}

static bool is_mirror_of_earlier(const struct set *s)
{
	for (unsigned i = 0; i < s->ops; i++) {
		unsigned a = s->chosen[i], b = s->mirrored[a];

		if (a != b)
			return b < a;
	}
	return false;
}

/* Two submitted one right after the other may change places: one order of them is enough. */
static bool is_swapped(const struct set *s)
{
	for (unsigned i = 0; i + 1 < s->ops; i++) {
		bool between =
			s->h.op[i].kind == NVP_SLOW_RESET || s->h.op[i + 1].kind == NVP_SLOW_RESET;

		for (unsigned j = 0; j <= i; j++)
			between |= s->gap[j] == i;
		if (!between && s->chosen[i] > s->chosen[i + 1])
			return true;
	}
	return false;
}

static void look(struct set *s)
{
	static const struct {
		unsigned strict, u, awu;
	} forms[] = { { 0, 2, 2 }, { 1, 2, 3 }, { 0, 3, 1 } };
	uint64_t key = ++s->histories;

	if (s->stride > 1 && nvp_rand_mix(key ^ s->seed) % s->stride)
		return;
	s->checked++;
	for (unsigned f = 0; f < 2; f++) {
		unsigned form = s->stride > 1 && f ? 2 : f;

		s->h.strict = forms[form].strict;
		s->h.u = forms[form].u;
		s->h.awu = forms[form].awu;
		s->h.acwu = 2;
		s->h.cut = true;
		if (!nvp_slow_agree(&s->h) && ++s->bad)
			return;
		if (s->h.op[s->ops - 1].kind != NVP_SLOW_RESET)
			continue;
		s->h.cut = false;
		if (!nvp_slow_agree(&s->h) && ++s->bad)
			return;
	}
}

/* Submissions at 10, 20, ..; completions of gap g at 10 * (g + 1) + 1 and up. */
static void endings(struct set *s, unsigned i)
{
	struct nvp_slow_op *op = &s->h.op[i];
	bool data = op->kind <= NVP_ORACLE_COPY;

	if (s->bad)
		return;
	if (i == s->ops) {
		if (!is_swapped(s))
			look(s);
		return;
	}
	op->sub = (uint16_t)(10 * (i + 1));
	op->end = NVP_SLOW_OK;
	s->gap[i] = UINT8_MAX;
	if (op->kind == NVP_SLOW_RESET) {
		op->ack = op->sub;
		endings(s, i + 1);
		return;
	}
	op->ack = NVP_SLOW_NEVER;
	endings(s, i + 1);
	for (unsigned gap = i; gap < s->ops; gap++) {
		if (gap > i && s->h.op[gap].kind == NVP_SLOW_RESET)
			break; /* a reset ends it */
		s->gap[i] = (uint8_t)gap;
		op->ack = (uint16_t)(10 * (gap + 1) + 1 + i);
		op->end = NVP_SLOW_OK;
		endings(s, i + 1);
		if (data && gap + 1 < s->ops) {
			op->end = NVP_SLOW_ERROR; /* behind the last submission: as never */
			endings(s, i + 1);
		}
		if (data && gap == i) {
			op->end = NVP_SLOW_REFUSED; /* when does not matter */
			endings(s, i + 1);
		}
	}
	s->gap[i] = UINT8_MAX;
}

static void all_types(struct set *s, unsigned i)
{
	if (s->bad)
		return;
	if (i == s->ops) {
		if (!is_mirror_of_earlier(s))
			endings(s, 0);
		return;
	}
	for (unsigned t = 0; t < s->nr; t++) {
		const struct type *type = &s->type[t];

		s->chosen[i] = t;
		s->h.op[i] = (struct nvp_slow_op){ .kind = type->kind,
						   .block = type->block,
						   .nr = type->nr,
						   .source = type->source,
						   .fua = type->fua };
		all_types(s, i + 1);
	}
}

static void run(struct set *s, const char *name, uint64_t stride)
{
	const char *full = getenv("NVP_ORACLE_FULL"), *other = getenv("NVP_ORACLE_STRIDE");

	s->h.nr = s->ops;
	s->h.nr_blocks = s->blocks;
	s->h.vwc = s->h.wce = true;
	s->h.dlfeat = 1;
	s->seed = 77;
	s->stride = full && *full == '1' ? 1 : other ? strtoull(other, NULL, 10) : stride;
	find_mirrors(s);
	all_types(s, 0);
	printf("oracle: %u operations over %u blocks, %s: %llu histories, %llu compared\n", s->ops,
	       s->blocks, name, (unsigned long long)s->histories, (unsigned long long)s->checked);
	CU_ASSERT_EQUAL(s->bad, 0);
	CU_ASSERT(s->checked > 0);
}

static void three_operations_over_three_blocks(void)
{
	struct set s = { .ops = 3, .blocks = 3 };

	add_ranges(&s, NVP_ORACLE_WRITE, false);
	add_ranges(&s, NVP_ORACLE_WRITE, true);
	add_ranges(&s, NVP_ORACLE_COMPARE_WRITE, false);
	add_ranges(&s, NVP_ORACLE_WRITE_ZEROES, false);
	add_ranges(&s, NVP_ORACLE_WRITE_ZEROES, true);
	add_ranges(&s, NVP_ORACLE_WRITE_UNCORRECTABLE, false);
	add_ranges(&s, NVP_ORACLE_DEALLOCATE, false);
	add_ranges(&s, NVP_ORACLE_READ_FUA, false);
	add_copies(&s);
	for (uint8_t kind = NVP_ORACLE_FLUSH; kind <= NVP_SLOW_RESET; kind++)
		add_type(&s, (struct type){ .kind = kind });
	run(&s, "whole alphabet", 1000);
}

static void four_operations_over_two_blocks(void)
{
	struct set s = { .ops = 4, .blocks = 2 };

	add_ranges(&s, NVP_ORACLE_WRITE, false);
	add_ranges(&s, NVP_ORACLE_WRITE, true);
	add_ranges(&s, NVP_ORACLE_WRITE_ZEROES, false);
	add_ranges(&s, NVP_ORACLE_DEALLOCATE, false);
	add_type(&s, (struct type){ .kind = NVP_ORACLE_FLUSH });
	add_type(&s, (struct type){ .kind = NVP_SLOW_RESET });
	run(&s, "writes, flush, zeroes, deallocate, reset", 1000);
}

static void five_operations_over_two_blocks(void)
{
	struct set s = { .ops = 5, .blocks = 2 };

	add_ranges(&s, NVP_ORACLE_WRITE, false);
	add_ranges(&s, NVP_ORACLE_WRITE, true);
	add_type(&s, (struct type){ .kind = NVP_ORACLE_FLUSH });
	run(&s, "writes and flush", 4000);
}

/* --- random ones ------------------------------------------------------------------------------ */

static uint64_t draw(uint64_t n, const char *what, unsigned i, uint64_t below)
{
	return nvp_rand_below(n, what, i, 0, below);
}

static void random_op(struct nvp_slow_history *h, unsigned i, uint64_t n)
{
	struct nvp_slow_op *o = &h->op[i];
	unsigned nr = 1 + (unsigned)draw(n, "nr", i, h->nr_blocks);

	/* half of them writes and flushes */
	o->kind = draw(n, "usual", i, 2)
			  ? (uint8_t)(draw(n, "flush", i, 4) ? NVP_ORACLE_WRITE : NVP_ORACLE_FLUSH)
			  : (uint8_t)draw(n, "kind", i, NVP_SLOW_RESET + 1);
	o->fua = o->kind != NVP_ORACLE_WRITE_UNCORRECTABLE && o->kind != NVP_ORACLE_DEALLOCATE &&
		 o->kind <= NVP_ORACLE_COPY && !draw(n, "fua", i, 4);
	o->nr = (uint8_t)nr;
	o->block = (uint8_t)draw(n, "block", i, h->nr_blocks - nr + 1);
	o->source = (uint8_t)draw(n, "source", i, h->nr_blocks - nr + 1);
	if (o->kind == NVP_ORACLE_COPY && o->source == o->block)
		o->kind = NVP_ORACLE_WRITE;
	if (o->kind > NVP_ORACLE_READ_FUA)
		o->nr = o->block = 0;
	o->sub = (uint16_t)(10 * (i + 1));
	o->ack = (uint16_t)(o->sub + 1 + i + 10 * draw(n, "ack", i, 3));
	o->end = o->kind <= NVP_ORACLE_COPY && !draw(n, "end", i, 6)
			 ? (uint8_t)(1 + draw(n, "how", i, 2))
			 : NVP_SLOW_OK;
	if (!draw(n, "never", i, 5))
		o->ack = NVP_SLOW_NEVER;
	if (o->kind == NVP_SLOW_RESET)
		o->ack = o->sub;
}

static void random_history(struct nvp_slow_history *h, uint64_t n)
{
	*h = (struct nvp_slow_history){
		.nr = 3 + (unsigned)draw(n, "ops", 0, 3),
		.nr_blocks = 1 + (unsigned)draw(n, "blocks", 0, 3),
		.cut = true,
		.u = 1 + (unsigned)draw(n, "u", 0, 3),
		.awu = 1 + (unsigned)draw(n, "awu", 0, 3),
		.acwu = 1 + (unsigned)draw(n, "acwu", 0, 3),
		.boundary = draw(n, "bounded", 0, 3) ? 0 : 2,
		.vwc = draw(n, "vwc", 0, 8),
		.strict = draw(n, "strict", 0, 2),
		.plp = !draw(n, "plp", 0, 8),
		.raw = !draw(n, "raw", 0, 4),
		.dulbe = !draw(n, "dulbe", 0, 4),
		.multiple = draw(n, "multiple", 0, 2),
		.dlfeat = (unsigned)draw(n, "dlfeat", 0, 3),
	};
	h->wce = h->vwc && draw(n, "wce", 0, 4);
	for (unsigned i = 0; i < h->nr; i++)
		random_op(h, i, n);
	/* a reset ends what is outstanding */
	for (unsigned i = 0; i < h->nr; i++)
		for (unsigned j = i + 1; j < h->nr; j++)
			if (h->op[j].kind == NVP_SLOW_RESET && h->op[i].kind != NVP_SLOW_RESET &&
			    h->op[i].ack > h->op[j].sub)
				h->op[i].ack = NVP_SLOW_NEVER;
	if (h->op[h->nr - 1].kind == NVP_SLOW_RESET)
		h->cut = draw(n, "cut", 0, 2);
}

static void random_histories(void)
{
	const char *full = getenv("NVP_ORACLE_FULL"), *other = getenv("NVP_ORACLE_RANDOM");
	uint64_t nr = full && *full == '1' ? 1000000 : other ? strtoull(other, NULL, 10) : 20000, n;
	struct nvp_slow_history h;

	for (n = 0; n < nr; n++) {
		random_history(&h, n + 1);
		if (!nvp_slow_agree(&h))
			break;
	}
	printf("oracle: %llu random histories compared\n", (unsigned long long)n);
	CU_ASSERT_EQUAL(n, nr);
}

CU_TestInfo nvp_unit_oracle_exhaustive[] = {
	{ "random_histories", random_histories },
	{ "three_operations_over_three_blocks", three_operations_over_three_blocks },
	{ "four_operations_over_two_blocks", four_operations_over_two_blocks },
	{ "five_operations_over_two_blocks", five_operations_over_two_blocks },
	CU_TEST_INFO_NULL,
};
