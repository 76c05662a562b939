// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle and the slow checker side by side on one history.

#include "tests/unit/oracle_replay.h"

#include <stdio.h>

static struct nvp_oracle_facts facts_of(const struct nvp_slow_history *h)
{
	struct nvp_oracle_facts f = {
		.nr_blocks = h->nr_blocks,
		.vwc = h->vwc,
		.wce = h->wce,
		.dulbe = h->dulbe,
		.dlfeat = (uint8_t)h->dlfeat,
		.multiple_atomicity = h->multiple,
		.rules = h->plp	  ? NVP_ORACLE_ENTERPRISE_PLP
			 : h->raw ? NVP_ORACLE_RAW_SPEC
				  : NVP_ORACLE_CLIENT_VWC,
		.policy = h->strict ? NVP_ORACLE_STRICT : NVP_ORACLE_SPEC,
	};

	if (h->boundary) {
		f.nsabp = true;
		f.nabsn_z = f.nabspf_z = (uint16_t)(h->boundary - 1);
		f.nawun_z = (uint16_t)(h->awu - 1);
		f.nawupf_z = (uint16_t)(h->u - 1);
		f.nacwu_z = (uint16_t)(h->acwu - 1);
	} else {
		f.awun_z = (uint16_t)(h->awu - 1);
		f.awupf_z = (uint16_t)(h->u - 1);
		f.acwu_z = (uint16_t)(h->acwu - 1);
	}
	return f;
}

/* Numbers of the oracle are not those of the history: a copy takes two, a reset none. */
static bool event(struct nvp_oracle *o, const struct nvp_slow_history *h, unsigned i, uint16_t t,
		  uint32_t *number)
{
	const struct nvp_slow_op *op = &h->op[i];
	struct nvp_oracle_cmd cmd = {
		.kind = (enum nvp_oracle_kind)op->kind,
		.fua = op->fua,
		.nlb_z = (uint16_t)(op->nr ? op->nr - 1 : 0),
		.block = op->block,
		.source = op->source,
	};
	int64_t n;

	if (op->kind == NVP_SLOW_RESET)
		return op->sub != t || !nvp_oracle_reset(o, t);
	if (op->sub == t) {
		n = nvp_oracle_submit(o, t, &cmd);
		if (n < 0)
			return false;
		number[i] = (uint32_t)n;
	}
	if (op->ack == t) {
		static const uint8_t status[][2] = { { 0, 0 }, { 0, 6 }, { 0, 0x80 } };
		const uint8_t *s = status[op->end];

		return !nvp_oracle_complete(o, t, number[i], s[0], s[1]);
	}
	return true;
}

static struct nvp_oracle *replay(const struct nvp_slow_history *h, uint32_t *number)
{
	struct nvp_oracle_facts f = facts_of(h);
	struct nvp_oracle *o = nvp_oracle_new(&f, NULL);
	bool good = o;
	uint16_t last = 0;

	for (unsigned i = 0; i < h->nr; i++) {
		last = h->op[i].sub > last ? h->op[i].sub : last;
		if (h->op[i].ack != NVP_SLOW_NEVER && h->op[i].ack > last)
			last = h->op[i].ack;
	}
	for (uint16_t t = 0; good && t <= last; t++)
		for (unsigned i = 0; good && i < h->nr; i++)
			if (h->op[i].sub == t || h->op[i].ack == t)
				good = event(o, h, i, t, number);
	if (good && h->cut)
		good = !nvp_oracle_cut(o, last + 1u);
	if (good)
		return o;
	nvp_oracle_free(o);
	return NULL;
}

struct nvp_oracle *nvp_slow_replay(const struct nvp_slow_history *h)
{
	uint32_t number[NVP_SLOW_MAX_OPS] = { 0 };

	return replay(h, number);
}

void nvp_slow_print(const struct nvp_slow_history *h)
{
	static const char *const kinds[] = { "write",	 "cas",	 "zeroes", "uncor",
					     "dealloc",	 "copy", "read",   "flush",
					     "shutdown", "off",	 "on",	   "reset" };

	printf("\n  u=%u awu=%u acwu=%u boundary=%u vwc=%d wce=%d strict=%d plp=%d raw=%d dulbe=%d "
	       "multiple=%d dlfeat=%u %s\n",
	       h->u, h->awu, h->acwu, h->boundary, h->vwc, h->wce, h->strict, h->plp, h->raw,
	       h->dulbe, h->multiple, h->dlfeat, h->cut ? "cut" : "no cut");
	for (unsigned i = 0; i < h->nr; i++) {
		const struct nvp_slow_op *o = &h->op[i];

		printf("  %u: %s%s %u+%u from %u: %u..%u end %u\n", i, kinds[o->kind],
		       o->fua ? " fua" : "", o->block, o->nr, o->source, o->sub, o->ack, o->end);
	}
}

static struct nvp_oracle_content translated(unsigned code, const uint32_t *number)
{
	struct nvp_oracle_content c = nvp_slow_content(code);

	if (c.what == NVP_ORACLE_DATA)
		c.op = number[c.op];
	return c;
}

/* Contents that this history can speak of; the others neither checker can allow. */
static uint32_t alphabet(const struct nvp_slow_history *h)
{
	uint32_t codes = 0;
	struct nvp_oracle_content c;

	for (unsigned special = 0; special < 4; special++)
		codes |= 1u << nvp_slow_code(&(struct nvp_oracle_content){
				 .what = (enum nvp_oracle_what)(NVP_ORACLE_ZEROES + special) });
	for (c.block = 0; c.block < h->nr_blocks; c.block++) {
		c.what = NVP_ORACLE_OLD;
		codes |= 1u << nvp_slow_code(&c);
		c.what = NVP_ORACLE_DATA;
		for (c.op = 0; c.op < h->nr; c.op++)
			if (h->op[c.op].kind <= NVP_ORACLE_COMPARE_WRITE)
				codes |= 1u << nvp_slow_code(&c);
	}
	return codes;
}

static bool complain(const struct nvp_slow_history *h, const char *what, unsigned a, unsigned b,
		     unsigned c, bool slow)
{
	nvp_slow_print(h);
	printf("  %s: codes %u %u %u, slow says %s\n", what, a, b, c, slow ? "yes" : "no");
	return false;
}

static bool agree_each(struct nvp_oracle *o, const struct nvp_slow_history *h,
		       const struct nvp_slow_set *set, const uint32_t *number)
{
	uint32_t codes = alphabet(h);

	for (uint32_t x = 0; x < h->nr_blocks; x++)
		for (uint32_t left = codes; left; left &= left - 1) {
			unsigned code = (unsigned)__builtin_ctz(left);
			struct nvp_oracle_reading r = { x, translated(code, number) };
			bool slow = set->each[x] >> code & 1;

			if (nvp_oracle_allows(o, &r) != slow)
				return complain(h, "alone", x, code, 0, slow);
		}
	return true;
}

/* What no block holds alone is in no tuple; so only tuples of what each may hold are asked. */
static bool agree_together(struct nvp_oracle *o, const struct nvp_slow_history *h,
			   const struct nvp_slow_set *set, const uint32_t *number)
{
	unsigned n = h->nr_blocks;

	for (uint32_t a = set->each[0]; a; a &= a - 1)
		for (uint32_t b = n > 1 ? set->each[1] : 1; b; b &= b - 1)
			for (uint32_t c = n > 2 ? set->each[2] : 1; c; c &= c - 1) {
				unsigned i = (unsigned)__builtin_ctz(a),
					 j = (unsigned)__builtin_ctz(b);
				unsigned k = (unsigned)__builtin_ctz(c);
				struct nvp_oracle_reading r[] = {
					{ 0, translated(i, number) },
					{ 1, translated(j, number) },
					{ 2, translated(k, number) },
				};
				bool slow = nvp_slow_has(set, i + 32 * j + 1024 * k);

				if ((nvp_oracle_check(o, r, n, NULL) == NVP_ORACLE_ALLOWED) != slow)
					return complain(h, "together", i, j, k, slow);
			}
	return true;
}

bool nvp_slow_agree(const struct nvp_slow_history *h)
{
	uint32_t number[NVP_SLOW_MAX_OPS] = { 0 };
	struct nvp_oracle *o = replay(h, number);
	struct nvp_slow_set set;
	bool good;

	if (!o)
		return complain(h, "refused", 0, 0, 0, true);
	nvp_slow_allowed(h, &set);
	good = set.senseless ||
	       (agree_each(o, h, &set, number) && agree_together(o, h, &set, number));
	nvp_oracle_free(o);
	return good;
}
