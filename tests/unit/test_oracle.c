// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the oracle: the vectors of its definition, and what it refuses to be told.

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "power/oracle.h"
#include "tests/unit/oracle_story.h"
#include "tests/unit/unit.h"

/* Sixteen blocks. */
static struct nvp_oracle_facts usual(void)
{
	return story_facts(16);
}

static uint32_t write(struct story *s, uint32_t block, uint16_t nr)
{
	return done(s, NVP_ORACLE_WRITE, block, nr, false);
}

static void flush(struct story *s)
{
	done(s, NVP_ORACLE_FLUSH, 0, 0, false);
}

static void cut(struct story *s)
{
	CU_ASSERT_EQUAL(nvp_oracle_cut(s->o, ++s->tick), 0);
}

#define OLD	 -1
#define ZERO	 -2
#define ONES	 -3
#define UNC	 -4
#define UNMAPPED -5

static struct nvp_oracle_reading reading(uint32_t block, int what)
{
	struct nvp_oracle_reading r = { .block = block };

	r.content.block = block;
	if (what >= 0) {
		r.content.what = NVP_ORACLE_DATA;
		r.content.op = (uint32_t)what;
	} else {
		r.content.what =
			what == OLD ? NVP_ORACLE_OLD
				    : (enum nvp_oracle_what)(NVP_ORACLE_ZEROES + (ZERO - what));
	}
	return r;
}

/* The block may hold exactly these, of all that there is. */
static void only(struct story *s, uint32_t block, unsigned nr, const int *what)
{
	struct nvp_oracle_content all[32];

	CU_ASSERT_EQUAL(nvp_oracle_allowed(s->o, block, all, 32), nr);
	for (unsigned i = 0; i < nr; i++) {
		struct nvp_oracle_reading r = reading(block, what[i]);

		CU_ASSERT(nvp_oracle_allows(s->o, &r));
	}
}
#define ONLY(s, block, ...) \
	only(s, block, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), (int[]){ __VA_ARGS__ })

static bool pair(struct story *s, int first, int second)
{
	struct nvp_oracle_reading r[] = { reading(0, first), reading(1, second) };

	return nvp_oracle_check(s->o, r, 2, NULL) == NVP_ORACLE_ALLOWED;
}

static void end(struct story *s)
{
	nvp_oracle_free(s->o);
}

static void v1_a_unit_in_flight_is_whole_or_nothing(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	int w1 = (int)write(&s, 0, 2), w2;

	flush(&s);
	w2 = (int)sub(&s, NVP_ORACLE_WRITE, 0, 2, false);
	cut(&s);
	CU_ASSERT(pair(&s, w1, w1));
	CU_ASSERT(pair(&s, w2, w2));
	CU_ASSERT(!pair(&s, w1, w2));
	CU_ASSERT(!pair(&s, w2, w1));
	CU_ASSERT(!pair(&s, OLD, OLD));
	end(&s);
}

static void v2_above_the_unit_any_mix_of_old_and_new(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	int w1 = (int)write(&s, 0, 4), w2;

	flush(&s);
	w2 = (int)sub(&s, NVP_ORACLE_WRITE, 0, 4, false);
	cut(&s);
	for (unsigned mix = 0; mix < 16; mix++) {
		struct nvp_oracle_reading r[4];

		for (unsigned x = 0; x < 4; x++)
			r[x] = reading(x, mix >> x & 1 ? w2 : w1);
		CU_ASSERT_EQUAL(nvp_oracle_check(s.o, r, 4, NULL), NVP_ORACLE_ALLOWED);
		r[mix % 4] = reading(mix % 4, OLD);
		CU_ASSERT_EQUAL(nvp_oracle_check(s.o, r, 4, NULL), NVP_ORACLE_REJECTED);
	}
	end(&s);
}

static void v3_cached_versions_may_all_be_there(void)
{
	for (unsigned form = 0; form < 4; form++) {
		struct nvp_oracle_facts f = usual();
		struct story s;
		int w1, w2;

		f.vwc = form != 1;
		f.rules = form == 2   ? NVP_ORACLE_ENTERPRISE_PLP
			  : form == 3 ? NVP_ORACLE_OCP
				      : NVP_ORACLE_CLIENT_VWC;
		s = begin(&f);
		w1 = (int)write(&s, 0, 1);
		w2 = (int)write(&s, 0, 1);
		cut(&s);
		if (form)
			ONLY(&s, 0, w2);
		else
			ONLY(&s, 0, OLD, w1, w2);
		end(&s);
	}
}

static void v4_fua_is_durable(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	int w1 = (int)done(&s, NVP_ORACLE_WRITE, 0, 1, true), w2 = (int)write(&s, 0, 1);

	cut(&s);
	ONLY(&s, 0, w1, w2);
	end(&s);
}

static void v6_a_flush_in_flight_adds_nothing(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	int w1 = (int)write(&s, 0, 1);

	sub(&s, NVP_ORACLE_FLUSH, 0, 0, false);
	cut(&s);
	ONLY(&s, 0, OLD, w1);
	end(&s);
}

static void v8_zeroes_with_fua_are_durable(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);

	write(&s, 0, 1);
	flush(&s);
	done(&s, NVP_ORACLE_WRITE_ZEROES, 0, 1, true);
	cut(&s);
	ONLY(&s, 0, ZERO);
	end(&s);
	f.dulbe = true;
	s = begin(&f);
	done(&s, NVP_ORACLE_WRITE_ZEROES, 0, 1, true);
	cut(&s);
	ONLY(&s, 0, ZERO, UNMAPPED);
	end(&s);
}

static void v9_uncorrectable_needs_a_flush(void)
{
	for (int flushed = 0; flushed < 2; flushed++) {
		struct nvp_oracle_facts f = usual();
		struct story s = begin(&f);
		int w1 = (int)write(&s, 0, 1);

		flush(&s);
		done(&s, NVP_ORACLE_WRITE_UNCORRECTABLE, 0, 1, true); /* it has no FUA bit */
		if (flushed)
			flush(&s);
		cut(&s);
		if (flushed)
			ONLY(&s, 0, UNC);
		else
			ONLY(&s, 0, w1, UNC);
		end(&s);
	}
}

static void v12_a_failed_compare_writes_nothing(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	int w1 = (int)write(&s, 0, 1);
	uint32_t cas;

	flush(&s);
	cas = sub(&s, NVP_ORACLE_COMPARE_WRITE, 0, 1, false);
	CU_ASSERT_EQUAL(nvp_oracle_complete(s.o, ++s.tick, cas, 2, 0x85), 0);
	cut(&s);
	ONLY(&s, 0, w1);
	end(&s);
}

static void v16_a_reset_is_no_excuse(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	int w2;

	write(&s, 0, 1);
	flush(&s);
	w2 = (int)write(&s, 0, 1);
	CU_ASSERT_EQUAL(nvp_oracle_reset(s.o, ++s.tick), 0);
	ONLY(&s, 0, w2);
	/* and it makes nothing durable either */
	cut(&s);
	ONLY(&s, 0, 0, w2);
	end(&s);
}

static void v17_what_completes_behind_the_ring_of_a_flush_is_not_covered(void)
{
	for (int covered = 0; covered < 2; covered++) {
		struct nvp_oracle_facts f = usual();
		struct story s = begin(&f);
		uint32_t w = sub(&s, NVP_ORACLE_WRITE, 0, 1, false), fl;

		if (covered)
			ack(&s, w);
		fl = sub(&s, NVP_ORACLE_FLUSH, 0, 0, false);
		if (!covered)
			ack(&s, w);
		ack(&s, fl);
		cut(&s);
		if (covered)
			ONLY(&s, 0, (int)w);
		else
			ONLY(&s, 0, OLD, (int)w);
		end(&s);
	}
}

static void v18_of_two_concurrent_durable_ones_either_is_last(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	uint32_t a = sub(&s, NVP_ORACLE_WRITE, 0, 2, true),
		 b = sub(&s, NVP_ORACLE_WRITE, 0, 2, true);

	ack(&s, a);
	ack(&s, b);
	cut(&s);
	ONLY(&s, 0, (int)a, (int)b);
	CU_ASSERT(pair(&s, (int)a, (int)a));
	CU_ASSERT(pair(&s, (int)b, (int)b));
	CU_ASSERT(!pair(&s, (int)a, (int)b)); /* O1: no interleaving of two within AWUN */
	end(&s);
}

static void v20_acknowledged_with_the_cache_off_is_durable(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s;
	int w;

	f.wce = false;
	s = begin(&f);
	w = (int)write(&s, 0, 1);
	done(&s, NVP_ORACLE_CACHE_ON, 0, 0, false);
	cut(&s);
	ONLY(&s, 0, w);
	end(&s);
	/* switched on while the write was under way: as if it was on */
	s = begin(&f);
	w = (int)sub(&s, NVP_ORACLE_WRITE, 0, 1, false);
	done(&s, NVP_ORACLE_CACHE_ON, 0, 0, false);
	ack(&s, (uint32_t)w);
	cut(&s);
	ONLY(&s, 0, OLD, w);
	end(&s);
}

static void v22_what_a_reset_retired_does_not_come_back(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	int w2;

	sub(&s, NVP_ORACLE_WRITE, 0, 1, false);
	CU_ASSERT_EQUAL(nvp_oracle_reset(s.o, ++s.tick), 0);
	w2 = (int)write(&s, 0, 1);
	flush(&s);
	cut(&s);
	ONLY(&s, 0, w2);
	end(&s);
}

static void v23_compare_and_write_in_the_cache(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	int cas = (int)done(&s, NVP_ORACLE_COMPARE_WRITE, 0, 1, false);

	cut(&s);
	ONLY(&s, 0, OLD, cas);
	end(&s);
}

static void a_shutdown_seen_complete_makes_durable(void)
{
	for (int seen = 0; seen < 2; seen++) {
		struct nvp_oracle_facts f = usual();
		struct story s = begin(&f);
		int w = (int)write(&s, 0, 1);
		uint32_t shutdown = sub(&s, NVP_ORACLE_SHUTDOWN, 0, 0, false);

		if (seen)
			ack(&s, shutdown);
		cut(&s);
		if (seen)
			ONLY(&s, 0, w);
		else
			ONLY(&s, 0, OLD, w);
		end(&s);
	}
}

static void switching_the_cache_off_counts_under_strict(void)
{
	for (unsigned form = 0; form < 3; form++) {
		struct nvp_oracle_facts f = usual();
		struct story s;
		int w;

		f.policy = form ? NVP_ORACLE_STRICT : NVP_ORACLE_SPEC;
		f.rules = form == 2 ? NVP_ORACLE_RAW_SPEC : NVP_ORACLE_CLIENT_VWC;
		s = begin(&f);
		w = (int)write(&s, 0, 1);
		done(&s, NVP_ORACLE_CACHE_OFF, 0, 0, false);
		cut(&s);
		if (form == 1)
			ONLY(&s, 0, w);
		else
			ONLY(&s, 0, OLD, w);
		end(&s);
	}
}

static void a_read_with_fua_commits_what_it_reads(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	int w = (int)write(&s, 0, 2);

	done(&s, NVP_ORACLE_READ_FUA, 1, 1, true);
	cut(&s);
	ONLY(&s, 0, OLD, w);
	ONLY(&s, 1, w);
	end(&s);
}

static void deallocated_is_a_set(void)
{
	static const struct {
		uint8_t dlfeat;
		bool dulbe;
		unsigned nr;
		int what[5];
	} rows[] = {
		{ 0, false, 3, { 0, ZERO, ONES } },
		{ 1, false, 2, { 0, ZERO } },
		{ 2, false, 2, { 0, ONES } },
		{ 1, true, 3, { 0, ZERO, UNMAPPED } },
	};

	for (unsigned i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		struct nvp_oracle_facts f = usual();
		struct story s;

		f.dlfeat = rows[i].dlfeat;
		f.dulbe = rows[i].dulbe;
		s = begin(&f);
		write(&s, 0, 1);
		flush(&s);
		done(&s, NVP_ORACLE_DEALLOCATE, 0, 1, false);
		flush(&s);
		cut(&s);
		only(&s, 0, rows[i].nr, rows[i].what);
		end(&s);
	}
}

static void a_copy_brings_what_its_source_held(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	struct nvp_oracle_cmd copy = { .kind = NVP_ORACLE_COPY, .block = 4, .source = 0 };
	struct nvp_oracle_reading r = { 4, { NVP_ORACLE_DATA, write(&s, 0, 1), 0 } };
	int64_t n = nvp_oracle_submit(s.o, ++s.tick, &copy);

	ack(&s, (uint32_t)n);
	write(&s, 0, 1);
	flush(&s);
	cut(&s);
	CU_ASSERT(nvp_oracle_allows(s.o, &r));
	CU_ASSERT_EQUAL(nvp_oracle_allowed(s.o, 4, NULL, 0), 1);
	end(&s);
}

static void boundaries_and_effective_values(void)
{
	/* NAWUPF 0 is "as the controller's"; the controller's value holds across a boundary */
	static const struct {
		uint16_t awupf_z, nawupf_z, nabspf_z, nabo;
		uint64_t first_lba;
		uint32_t block;
		uint16_t nr;
		bool nsabp, whole;
	} rows[] = {
		{ 1, 3, 0, 0, 0, 0, 4, true, true },  { 1, 3, 0, 0, 0, 0, 4, false, false },
		{ 1, 0, 3, 0, 0, 3, 2, true, true },  { 0, 3, 3, 0, 0, 3, 2, true, false },
		{ 0, 3, 3, 0, 1, 3, 2, true, true },  { 0, 3, 3, 1, 0, 3, 2, true, true },
		{ 0, 3, 3, 1, 0, 0, 2, true, false }, { 0, 3, 3, 0, 0, 4, 4, true, true },
		{ 3, 1, 0, 0, 0, 0, 4, true, true },
	};

	for (unsigned i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		struct nvp_oracle_facts f = usual();
		struct nvp_oracle_reading r[2];
		struct story s;
		int w;

		f.awupf_z = rows[i].awupf_z;
		f.nawupf_z = rows[i].nawupf_z;
		f.nabspf_z = rows[i].nabspf_z;
		f.nabo = rows[i].nabo;
		f.first_lba = rows[i].first_lba;
		f.nsabp = rows[i].nsabp;
		s = begin(&f);
		w = (int)sub(&s, NVP_ORACLE_WRITE, rows[i].block, rows[i].nr, false);
		cut(&s);
		r[0] = reading(rows[i].block, w);
		r[1] = reading(rows[i].block + 1, OLD);
		CU_ASSERT_EQUAL(nvp_oracle_check(s.o, r, 2, NULL) == NVP_ORACLE_REJECTED,
				rows[i].whole);
		end(&s);
	}
}

static void a_settlement_after_a_reset_excludes_what_was_not_there(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	struct nvp_oracle_reading r;
	int w1 = (int)write(&s, 0, 1), w2 = (int)sub(&s, NVP_ORACLE_WRITE, 0, 1, false);

	CU_ASSERT_EQUAL(nvp_oracle_reset(s.o, ++s.tick), 0);
	ONLY(&s, 0, w1, w2);
	r = reading(0, w1);
	CU_ASSERT_EQUAL(nvp_oracle_settle(s.o, ++s.tick, 0, &r.content), 0);
	ONLY(&s, 0, w1);
	cut(&s);
	ONLY(&s, 0, OLD, w1); /* still in the cache, but the other one is over */
	end(&s);
}

static void what_makes_no_history_is_refused(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	struct nvp_oracle_cmd cmd = { .kind = NVP_ORACLE_WRITE, .block = 15, .nlb_z = 1 };
	uint32_t w;

	CU_ASSERT_EQUAL(nvp_oracle_submit(s.o, 1, &cmd), -EINVAL);
	cmd.block = UINT32_MAX;
	CU_ASSERT_EQUAL(nvp_oracle_submit(s.o, 1, &cmd), -EINVAL);
	cmd.kind = NVP_ORACLE_NR_KINDS;
	CU_ASSERT_EQUAL(nvp_oracle_submit(s.o, 1, &cmd), -EINVAL);
	cmd = (struct nvp_oracle_cmd){ .kind = NVP_ORACLE_COPY, .block = 0, .source = 16 };
	CU_ASSERT_EQUAL(nvp_oracle_submit(s.o, 1, &cmd), -EINVAL);
	s.tick = 10;
	w = sub(&s, NVP_ORACLE_WRITE, 0, 1, false);
	CU_ASSERT_EQUAL(nvp_oracle_complete(s.o, 5, w, 0, 0), -EINVAL);
	CU_ASSERT_EQUAL(nvp_oracle_complete(s.o, 12, w + 1, 0, 0), -EINVAL);
	CU_ASSERT_EQUAL(nvp_oracle_complete(s.o, 12, w, 0, 0), 0);
	CU_ASSERT_EQUAL(nvp_oracle_complete(s.o, 13, w, 0, 0), -EINVAL);
	s.tick = 20;
	cut(&s);
	cmd = (struct nvp_oracle_cmd){ .kind = NVP_ORACLE_WRITE };
	CU_ASSERT_EQUAL(nvp_oracle_submit(s.o, 30, &cmd), -EINVAL);
	CU_ASSERT_PTR_NULL(nvp_oracle_new(&(struct nvp_oracle_facts){ 0 }, NULL));
	end(&s);
}

CU_TestInfo nvp_unit_oracle[] = {
	{ "v1_a_unit_in_flight_is_whole_or_nothing", v1_a_unit_in_flight_is_whole_or_nothing },
	{ "v2_above_the_unit_any_mix_of_old_and_new", v2_above_the_unit_any_mix_of_old_and_new },
	{ "v3_cached_versions_may_all_be_there", v3_cached_versions_may_all_be_there },
	{ "v4_fua_is_durable", v4_fua_is_durable },
	{ "v6_a_flush_in_flight_adds_nothing", v6_a_flush_in_flight_adds_nothing },
	{ "v8_zeroes_with_fua_are_durable", v8_zeroes_with_fua_are_durable },
	{ "v9_uncorrectable_needs_a_flush", v9_uncorrectable_needs_a_flush },
	{ "v12_a_failed_compare_writes_nothing", v12_a_failed_compare_writes_nothing },
	{ "v16_a_reset_is_no_excuse", v16_a_reset_is_no_excuse },
	{ "v17_what_completes_behind_the_ring_of_a_flush_is_not_covered",
	  v17_what_completes_behind_the_ring_of_a_flush_is_not_covered },
	{ "v18_of_two_concurrent_durable_ones_either_is_last",
	  v18_of_two_concurrent_durable_ones_either_is_last },
	{ "v20_acknowledged_with_the_cache_off_is_durable",
	  v20_acknowledged_with_the_cache_off_is_durable },
	{ "v22_what_a_reset_retired_does_not_come_back",
	  v22_what_a_reset_retired_does_not_come_back },
	{ "v23_compare_and_write_in_the_cache", v23_compare_and_write_in_the_cache },
	{ "a_shutdown_seen_complete_makes_durable", a_shutdown_seen_complete_makes_durable },
	{ "switching_the_cache_off_counts_under_strict",
	  switching_the_cache_off_counts_under_strict },
	{ "a_read_with_fua_commits_what_it_reads", a_read_with_fua_commits_what_it_reads },
	{ "deallocated_is_a_set", deallocated_is_a_set },
	{ "a_copy_brings_what_its_source_held", a_copy_brings_what_its_source_held },
	{ "boundaries_and_effective_values", boundaries_and_effective_values },
	{ "a_settlement_after_a_reset_excludes_what_was_not_there",
	  a_settlement_after_a_reset_excludes_what_was_not_there },
	{ "what_makes_no_history_is_refused", what_makes_no_history_is_refused },
	CU_TEST_INFO_NULL,
};
