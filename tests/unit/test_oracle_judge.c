// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the failure classes: each from a history that ends in it, with who says so.

#include <string.h>

#include "power/judge.h"
#include "tests/unit/oracle_story.h"
#include "tests/unit/unit.h"

/* A hundred blocks and more. */
static struct nvp_oracle_facts usual(void)
{
	return story_facts(256);
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

static struct nvp_oracle_seen old(uint32_t block)
{
	return (struct nvp_oracle_seen){ .block = block, .content = { NVP_ORACLE_OLD, 0, block } };
}

static struct nvp_oracle_seen data(uint32_t block, uint32_t op)
{
	return (struct nvp_oracle_seen){ .block = block,
					 .content = { NVP_ORACLE_DATA, op, block } };
}

static struct nvp_oracle_seen special(uint32_t block, enum nvp_oracle_what what)
{
	return (struct nvp_oracle_seen){ .block = block, .content = { what, 0, 0 } };
}

static struct nvp_oracle_seen form(uint32_t block, enum nvp_oracle_form which)
{
	return (struct nvp_oracle_seen){ .block = block, .form = which };
}

static struct nvp_finding judge(struct story *s, struct nvp_oracle_seen seen)
{
	struct nvp_finding f = { 0 };
	int fails = nvp_judge(s->o, &seen, 1, &f);

	CU_ASSERT_EQUAL(fails, f.severity == NVP_SEVERITY_FAIL);
	return f;
}

static void is(struct nvp_finding f, enum nvp_class class, enum nvp_severity severity,
	       enum nvp_said_by said_by)
{
	CU_ASSERT_STRING_EQUAL(nvp_class_name(f.class), nvp_class_name(class));
	CU_ASSERT_EQUAL(f.severity, severity);
	CU_ASSERT_EQUAL(f.said_by, said_by);
}

#define FAILS(f, class)	  is(f, NVP_CLASS_##class, NVP_SEVERITY_FAIL, NVP_SAID_BY_SPEC)
#define INFORMS(f, class) is(f, NVP_CLASS_##class, NVP_SEVERITY_INFO, NVP_SAID_BY_SPEC)

static void a_loss_is_named_after_its_rule(void)
{
	for (unsigned rule = NVP_ORACLE_D1; rule <= NVP_ORACLE_NO_LOSS; rule++) {
		static const enum nvp_class class[] = {
			[NVP_ORACLE_D1] = NVP_CLASS_LOST_ACKED,
			[NVP_ORACLE_D2] = NVP_CLASS_LOST_FUA,
			[NVP_ORACLE_D3] = NVP_CLASS_LOST_FLUSHED,
			[NVP_ORACLE_D4] = NVP_CLASS_LOST_SHUTDOWN,
			[NVP_ORACLE_D5] = NVP_CLASS_LOST_ACKED,
			[NVP_ORACLE_D6] = NVP_CLASS_LOST_ACKED,
			[NVP_ORACLE_D7] = NVP_CLASS_LOST_FUA,
			[NVP_ORACLE_NO_LOSS] = NVP_CLASS_LOST_ACKED,
		};
		static const enum nvp_oracle_kind after[] = {
			[NVP_ORACLE_D3] = NVP_ORACLE_FLUSH,
			[NVP_ORACLE_D4] = NVP_ORACLE_SHUTDOWN,
			[NVP_ORACLE_D5] = NVP_ORACLE_CACHE_OFF,
			[NVP_ORACLE_D7] = NVP_ORACLE_READ_FUA,
			[NVP_ORACLE_NO_LOSS] = 0,
		};
		struct nvp_oracle_facts f = usual();
		struct nvp_finding found;
		struct story s;
		uint32_t w;

		f.vwc = rule != NVP_ORACLE_D1;
		f.rules = rule == NVP_ORACLE_D6 ? NVP_ORACLE_ENTERPRISE_PLP : NVP_ORACLE_CLIENT_VWC;
		f.policy = rule == NVP_ORACLE_D5 ? NVP_ORACLE_STRICT : NVP_ORACLE_SPEC;
		s = begin(&f);
		w = done(&s, NVP_ORACLE_WRITE, 3, 1, rule == NVP_ORACLE_D2);
		if (after[rule])
			done(&s, after[rule], 3, 1, true);
		if (rule == NVP_ORACLE_NO_LOSS) {
			CU_ASSERT_EQUAL(nvp_oracle_reset(s.o, ++s.tick), 0);
		} else {
			cut(&s);
		}
		found = judge(&s, old(3));
		is(found, class[rule], NVP_SEVERITY_FAIL,
		   rule == NVP_ORACLE_D5   ? NVP_SAID_BY_POLICY
		   : rule == NVP_ORACLE_D6 ? NVP_SAID_BY_CLAIM
					   : NVP_SAID_BY_SPEC);
		CU_ASSERT_EQUAL(found.rule, rule);
		CU_ASSERT_EQUAL(found.op, w);
		is(judge(&s, data(3, w)), NVP_CLASS_OK, NVP_SEVERITY_NONE, NVP_SAID_BY_SPEC);
		nvp_oracle_free(s.o);
	}
}

static void a_loss_after_switching_the_cache_off_warns(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);

	write(&s, 3, 1);
	done(&s, NVP_ORACLE_CACHE_OFF, 0, 0, false);
	cut(&s);
	is(judge(&s, old(3)), NVP_CLASS_LOST_ACKED, NVP_SEVERITY_WARN, NVP_SAID_BY_POLICY);
	nvp_oracle_free(s.o);
}

static void cached_data_may_be_lost_in_any_order(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	struct nvp_oracle_seen seen[] = { old(0), data(1, 1) };
	struct nvp_finding found[2];

	write(&s, 0, 1);
	write(&s, 1, 1);
	cut(&s);
	CU_ASSERT_EQUAL(nvp_judge(s.o, seen, 2, found), 0);
	INFORMS(found[0], OK_VOLATILE_LOSS);
	CU_ASSERT(found[0].reordered);
	CU_ASSERT_EQUAL(found[1].class, NVP_CLASS_OK);
	seen[0] = data(0, 0);
	seen[1] = old(1);
	CU_ASSERT_EQUAL(nvp_judge(s.o, seen, 2, found), 0);
	INFORMS(found[1], OK_VOLATILE_LOSS);
	CU_ASSERT(!found[1].reordered);
	nvp_oracle_free(s.o);
}

static void torn_units_and_legal_mixes(void)
{
	for (unsigned acked = 0; acked < 2; acked++)
		for (unsigned policy = 0; policy < 3; policy++) {
			struct nvp_oracle_facts f = usual();
			struct nvp_oracle_seen seen[] = { old(0), data(1, 0) };
			struct nvp_finding found[2];
			struct story s;
			int fails;

			f.policy = (enum nvp_oracle_policy)policy;
			s = begin(&f);
			if (acked)
				write(&s, 0, 2);
			else
				sub(&s, NVP_ORACLE_WRITE, 0, 2, false);
			cut(&s);
			fails = nvp_judge(s.o, seen, 2, found);
			if (!acked) {
				CU_ASSERT_EQUAL(fails, 1);
				FAILS(found[found[0].class ? 0 : 1], TORN_ATOMIC);
			} else {
				static const enum nvp_severity how[] = {
					NVP_SEVERITY_INFO,
					NVP_SEVERITY_WARN,
					NVP_SEVERITY_FAIL,
				};

				CU_ASSERT_EQUAL(fails, policy == 2);
				is(found[0], NVP_CLASS_PARTIAL_CACHED, how[policy],
				   NVP_SAID_BY_POLICY);
			}
			nvp_oracle_free(s.o);
		}
}

static void above_the_unit_a_mix_is_legal(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	struct nvp_oracle_seen seen[] = { old(0), data(1, 0), old(2) };
	struct nvp_finding found[3];

	sub(&s, NVP_ORACLE_WRITE, 0, 3, false);
	cut(&s);
	CU_ASSERT_EQUAL(nvp_judge(s.o, seen, 3, found), 0);
	INFORMS(found[0], MIX);
	CU_ASSERT_EQUAL(found[1].class, NVP_CLASS_OK);
	INFORMS(found[2], MIX);
	nvp_oracle_free(s.o);
}

/* Damage: a failure, but for what no sentence protects above the unit. */
static void damage_by_unit_and_policy(void)
{
	static const enum nvp_oracle_form forms[] = { NVP_ORACLE_TORN, NVP_ORACLE_DAMAGED };
	static const enum nvp_class classes[] = { NVP_CLASS_TORN_SUBLB, NVP_CLASS_BITROT };

	for (unsigned i = 0; i < 2; i++)
		for (unsigned policy = 0; policy < 3; policy++) {
			struct nvp_oracle_facts f = usual();
			struct story s;

			f.policy = (enum nvp_oracle_policy)policy;
			s = begin(&f);
			sub(&s, NVP_ORACLE_WRITE, 0, 2, false);
			sub(&s, NVP_ORACLE_WRITE, 10, 3, false);
			cut(&s);
			is(judge(&s, form(0, forms[i])), classes[i], NVP_SEVERITY_FAIL,
			   NVP_SAID_BY_SPEC);
			is(judge(&s, form(10, forms[i])), classes[i],
			   policy ? NVP_SEVERITY_FAIL : NVP_SEVERITY_WARN, NVP_SAID_BY_POLICY);
			is(judge(&s, form(99, forms[i])), classes[i], NVP_SEVERITY_FAIL,
			   NVP_SAID_BY_SPEC);
			nvp_oracle_free(s.o);
		}
}

static void read_errors(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	struct nvp_oracle_seen seen[] = { special(200, NVP_ORACLE_UNC),
					  special(201, NVP_ORACLE_UNC) };
	struct nvp_finding found[2];
	struct nvp_oracle_seen one = special(200, NVP_ORACLE_UNC);

	done(&s, NVP_ORACLE_WRITE, 150, 1, true);
	sub(&s, NVP_ORACLE_WRITE, 0, 2, false);
	sub(&s, NVP_ORACLE_WRITE, 80, 3, false);
	cut(&s);
	FAILS(judge(&s, special(150, NVP_ORACLE_UNC)), UNREADABLE); /* durable */
	FAILS(judge(&s, special(0, NVP_ORACLE_UNC)), UNREADABLE);   /* a unit in flight */
	FAILS(judge(&s, special(20, NVP_ORACLE_UNC)), UNREADABLE);  /* near one */
	is(judge(&s, special(81, NVP_ORACLE_UNC)), NVP_CLASS_UNREADABLE, NVP_SEVERITY_WARN,
	   NVP_SAID_BY_POLICY); /* above the unit */
	is(judge(&s, one), NVP_CLASS_UNREADABLE, NVP_SEVERITY_WARN, NVP_SAID_BY_SPEC);
	one.recurs = true;
	FAILS(judge(&s, one), UNREADABLE);
	CU_ASSERT_EQUAL(nvp_judge(s.o, seen, 2, found), 1); /* a second one in one cycle */
	FAILS(found[1], UNREADABLE);
	nvp_oracle_free(s.o);
}

static void data_of_another_place_or_time(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	struct nvp_oracle_seen wrong = data(3, 0);
	uint32_t w = write(&s, 7, 1), refused, cas;

	refused = sub(&s, NVP_ORACLE_WRITE, 5, 1, false);
	CU_ASSERT_EQUAL(nvp_oracle_complete(s.o, ++s.tick, refused, 0, 0x80), 0);
	cas = sub(&s, NVP_ORACLE_COMPARE_WRITE, 6, 1, false);
	CU_ASSERT_EQUAL(nvp_oracle_complete(s.o, ++s.tick, cas, 2, 0x85), 0);
	cut(&s);
	wrong.content.block = 7; /* stamp says 7, at 3 */
	FAILS(judge(&s, wrong), FLYING);
	FAILS(judge(&s, form(3, NVP_ORACLE_OTHER_LBA)), FLYING);
	FAILS(judge(&s, form(3, NVP_ORACLE_OTHER_NS)), CROSS_NS);
	FAILS(judge(&s, form(3, NVP_ORACLE_OTHER_RUN)), STALE_RESURRECT);
	FAILS(judge(&s, form(3, NVP_ORACLE_UNKNOWN_SEQ)), PHANTOM);
	FAILS(judge(&s, data(3, 1000)), PHANTOM);
	FAILS(judge(&s, data(3, w)), PHANTOM); /* says that it is of block 3, which w never wrote */
	is(judge(&s, data(5, refused)), NVP_CLASS_REFUSED_BUT_WRITTEN, NVP_SEVERITY_WARN,
	   NVP_SAID_BY_POLICY);
	FAILS(judge(&s, data(6, cas)), REFUSED_BUT_WRITTEN);
	wrong = form(3, NVP_ORACLE_UNKNOWN_SEQ);
	wrong.journal_damaged = true;
	is(judge(&s, wrong), NVP_CLASS_JOURNAL_INVALID, NVP_SEVERITY_INVALID, NVP_SAID_BY_POLICY);
	nvp_oracle_free(s.o);
}

static void what_a_settlement_excluded_is_a_resurrection(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	struct nvp_oracle_seen was = old(3);
	uint32_t w = sub(&s, NVP_ORACLE_WRITE, 3, 1, false);

	CU_ASSERT_EQUAL(nvp_oracle_reset(s.o, ++s.tick), 0);
	CU_ASSERT_EQUAL(nvp_oracle_settle(s.o, ++s.tick, 3, &was.content), 0);
	cut(&s);
	FAILS(judge(&s, data(3, w)), STALE_RESURRECT);
	nvp_oracle_free(s.o);
}

static void zeroes_from_nowhere_and_deallocated_values(void)
{
	struct nvp_oracle_facts f = usual();
	struct nvp_oracle_seen again = special(9, NVP_ORACLE_ZEROES);
	struct story s = begin(&f);

	done(&s, NVP_ORACLE_WRITE, 3, 1, true);
	done(&s, NVP_ORACLE_DEALLOCATE, 9, 1, false);
	done(&s, NVP_ORACLE_DEALLOCATE, 4, 1, false);
	done(&s, NVP_ORACLE_WRITE, 4, 1, true);
	flush(&s);
	cut(&s);
	FAILS(judge(&s, special(3, NVP_ORACLE_ZEROES)), LOST_TO_UNMAP);
	FAILS(judge(&s, special(20, NVP_ORACLE_ZEROES)), LOST_TO_UNMAP);
	FAILS(judge(&s, special(9, NVP_ORACLE_ONES)), LOST_TO_UNMAP);	  /* DLFEAT says zeroes */
	FAILS(judge(&s, special(9, NVP_ORACLE_UNMAPPED)), LOST_TO_UNMAP); /* DULBE is off */
	FAILS(judge(&s, special(4, NVP_ORACLE_ZEROES)), LOST_FUA);	  /* older than the write */
	CU_ASSERT_EQUAL(judge(&s, again).class, NVP_CLASS_OK);
	again.reread_differs = true;
	FAILS(judge(&s, again), UNSTABLE_UNMAP);
	nvp_oracle_free(s.o);
}

static void unstable_and_torn_from_its_protection(void)
{
	struct nvp_oracle_facts f = usual();
	struct story s = begin(&f);
	struct nvp_oracle_seen seen = data(3, done(&s, NVP_ORACLE_WRITE, 3, 1, true));

	cut(&s);
	seen.reread_differs = true;
	FAILS(judge(&s, seen), UNSTABLE);
	seen.reread_differs = false;
	seen.pi_bad = true;
	FAILS(judge(&s, seen), PI_TORN);
	nvp_oracle_free(s.o);
}

/* Metadata is written with its block (2.1.6), whatever size the command has and how far it came. */
static void metadata_is_torn_in_flight_too(void)
{
	for (unsigned policy = 0; policy < 3; policy++) {
		struct nvp_oracle_facts f = usual();
		struct nvp_oracle_seen unit, above;
		struct story s;

		f.policy = (enum nvp_oracle_policy)policy;
		s = begin(&f);
		unit = data(0, sub(&s, NVP_ORACLE_WRITE, 0, 2, false));
		above = data(10, sub(&s, NVP_ORACLE_WRITE, 10, 3, false));
		cut(&s);
		CU_ASSERT_EQUAL(judge(&s, above).class, NVP_CLASS_OK);
		unit.pi_bad = above.pi_bad = true;
		FAILS(judge(&s, unit), PI_TORN);
		FAILS(judge(&s, above), PI_TORN);
		nvp_oracle_free(s.o);
	}
	CU_ASSERT_STRING_EQUAL(nvp_class_source(NVP_CLASS_PI_TORN), "NVM Command Set 1.0, 2.1.6");
}

static void stability_between_reads_and_cuts(void)
{
	FAILS(nvp_judge_again(NVP_JUDGE_NEXT_READ, true, false, false), UNSTABLE);
	FAILS(nvp_judge_again(NVP_JUDGE_NEXT_READ, true, true, false), UNSTABLE_UNMAP);
	is(nvp_judge_again(NVP_JUDGE_NEXT_READ, true, false, true), NVP_CLASS_LATE_UNMAP,
	   NVP_SEVERITY_WARN, NVP_SAID_BY_SPEC);
	FAILS(nvp_judge_again(NVP_JUDGE_NEXT_CUT, true, false, false), REGRESSED);
	is(nvp_judge_again(NVP_JUDGE_NEXT_CUT, false, false, false), NVP_CLASS_REGRESSED,
	   NVP_SEVERITY_WARN, NVP_SAID_BY_POLICY);
	FAILS(nvp_judge_again(NVP_JUDGE_COLD, true, false, false), COLLATERAL);
}

static void the_drive_as_a_whole(void)
{
	static const struct nvp_drive_after good = {
		.cut_confirmed = true,
		.came_back = true,
		.identity_same = true,
		.canaries_good = true,
		.ready_ms = 100,
		.ready_limit_ms = 100,
		.unsafe_shutdowns = 1,
		.power_cycles = 1,
	};
	struct nvp_drive_after d = good;
	struct nvp_finding f[4];

	CU_ASSERT_EQUAL(nvp_judge_drive(&d, f), 0);
	d.cut_confirmed = d.came_back = false;
	CU_ASSERT_EQUAL(nvp_judge_drive(&d, f), 1);
	is(f[0], NVP_CLASS_RIG_INVALID, NVP_SEVERITY_INVALID, NVP_SAID_BY_POLICY);
	d.cut_confirmed = true;
	CU_ASSERT_EQUAL(nvp_judge_drive(&d, f), 1);
	FAILS(f[0], DEAD);
	d = good;
	d.identity_same = false;
	d.ready_ms = 101;
	d.unsafe_shutdowns = 0;
	CU_ASSERT_EQUAL(nvp_judge_drive(&d, f), 3);
	FAILS(f[0], METADATA);
	FAILS(f[1], SLOW_READY);
	FAILS(f[2], ACCOUNTING);
	d = good;
	d.clean_shutdown = true; /* then the counter must stand still */
	CU_ASSERT_EQUAL(nvp_judge_drive(&d, f), 1);
	FAILS(f[0], ACCOUNTING);
	d.unsafe_shutdowns = 0;
	CU_ASSERT_EQUAL(nvp_judge_drive(&d, f), 0);
	d.media_errors = 1;
	CU_ASSERT_EQUAL(nvp_judge_drive(&d, f), 1);
	is(f[0], NVP_CLASS_ACCOUNTING, NVP_SEVERITY_WARN, NVP_SAID_BY_POLICY);
}

static void each_class_has_a_name_and_a_source(void)
{
	for (int c = 0; c < NVP_NR_CLASSES; c++) {
		CU_ASSERT(strlen(nvp_class_name((enum nvp_class)c)) >= 2);
		CU_ASSERT(c == NVP_CLASS_OK || strlen(nvp_class_source((enum nvp_class)c)) > 10);
		for (int d = 0; d < c; d++)
			CU_ASSERT(strcmp(nvp_class_name((enum nvp_class)c),
					 nvp_class_name((enum nvp_class)d)));
	}
}

CU_TestInfo nvp_unit_oracle_judge[] = {
	{ "a_loss_is_named_after_its_rule", a_loss_is_named_after_its_rule },
	{ "a_loss_after_switching_the_cache_off_warns",
	  a_loss_after_switching_the_cache_off_warns },
	{ "cached_data_may_be_lost_in_any_order", cached_data_may_be_lost_in_any_order },
	{ "torn_units_and_legal_mixes", torn_units_and_legal_mixes },
	{ "above_the_unit_a_mix_is_legal", above_the_unit_a_mix_is_legal },
	{ "damage_by_unit_and_policy", damage_by_unit_and_policy },
	{ "read_errors", read_errors },
	{ "data_of_another_place_or_time", data_of_another_place_or_time },
	{ "what_a_settlement_excluded_is_a_resurrection",
	  what_a_settlement_excluded_is_a_resurrection },
	{ "zeroes_from_nowhere_and_deallocated_values",
	  zeroes_from_nowhere_and_deallocated_values },
	{ "unstable_and_torn_from_its_protection", unstable_and_torn_from_its_protection },
	{ "metadata_is_torn_in_flight_too", metadata_is_torn_in_flight_too },
	{ "stability_between_reads_and_cuts", stability_between_reads_and_cuts },
	{ "the_drive_as_a_whole", the_drive_as_a_whole },
	{ "each_class_has_a_name_and_a_source", each_class_has_a_name_and_a_source },
	CU_TEST_INFO_NULL,
};
