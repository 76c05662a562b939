// SPDX-License-Identifier: GPL-2.0-or-later
// The verdict rules: who may fail a case, what comes first, what a case without checks is.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/ctx.h"
#include "tests/unit/unit.h"

static const struct nvp_case record = {
	.id = "io.made",
	.spec = { .document = "NVM Command Set", .revision = "1.0", .section = "3.2.4" },
};

/* What was sent, one event a line: its type and its members. */
struct seen {
	struct nvp_text text;
	unsigned nr[NVP_NR_EVENT_TYPES];
	unsigned counted_failed;
};

static void take(void *context, enum nvp_event_type type, uint64_t t_ns, const char *members,
		 bool counts_failed)
{
	struct seen *s = context;

	(void)t_ns;
	s->nr[type]++;
	s->counted_failed += counts_failed;
	nvp_text_addf(&s->text, "%s {%s}\n", nvp_event_name(type), members);
}

struct fixture {
	struct seen seen;
	struct nvp_t_out out;
	struct nvp_t t;
};

static struct nvp_t *begin(struct fixture *f, const char *policy)
{
	memset(f, 0, sizeof(*f));
	f->out = (struct nvp_t_out){ .context = &f->seen, .event = take };
	f->t = (struct nvp_t){
		.out = &f->out, .record = &record, .id = record.id, .policy = policy,
	};
	nvp_t_begin(&f->t);
	return &f->t;
}

static bool told(const struct fixture *f, const char *words)
{
	return strstr(nvp_text_str(&f->seen.text), words) != NULL;
}

static void end(struct fixture *f)
{
	nvp_t_free(&f->t);
	nvp_text_free(&f->seen.text);
}

static void a_case_that_checks_is_a_pass_and_one_that_does_not_is_broken(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	nvp_check(t, 1 + 1 == 2, "arithmetic");
	nvp_t_settle_checks(t);
	CU_ASSERT_EQUAL(t->result.verdict, NVP_PASS);
	CU_ASSERT_EQUAL(t->result.checks, 1);
	CU_ASSERT_STRING_EQUAL(t->result.reason, "");
	end(&f);
	t = begin(&f, NULL);
	nvp_note(t, "a note is no check");
	nvp_measure(t, "ready", 1.5, "ms");
	nvp_t_settle_checks(t);
	CU_ASSERT_EQUAL(t->result.verdict, NVP_BROKEN);
	CU_ASSERT_PTR_NOT_NULL(strstr(t->result.reason, "no check"));
	end(&f);
}

static void the_first_fail_gives_the_reason(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);
	uint64_t field = 4;

	CU_ASSERT_FALSE(nvp_check_eq(t, field, 5));
	CU_ASSERT_FALSE(nvp_check(t, field == 9, "something else"));
	CU_ASSERT_FALSE(nvp_t_ended(t));
	nvp_t_settle_checks(t);
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	CU_ASSERT_STRING_EQUAL(t->result.reason, "expected 5 (0x5), seen field = 4 (0x4)");
	CU_ASSERT_PTR_NOT_NULL(strstr(t->result.site, "tests/unit/test_check.c:"));
	CU_ASSERT_EQUAL(t->result.checks, 2);
	CU_ASSERT_EQUAL(t->result.checks_failed, 2);
	CU_ASSERT_EQUAL(f.seen.counted_failed, 2);
	CU_ASSERT_TRUE(told(&f, "\"section\":\"3.2.4\""));
	CU_ASSERT_TRUE(told(&f, "\"condition\":\"field == 5\""));
	end(&f);
}

static void require_ends_the_case(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	CU_ASSERT_FALSE(nvp_check_at(t, "cases/x.c", 7, true, false, NULL, "a", "b"));
	CU_ASSERT_TRUE(nvp_t_ended(t));
	CU_ASSERT_STRING_EQUAL(t->result.site, "cases/x.c:7");
	end(&f);
}

static void a_policy_warns_until_it_is_asked_for(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	nvp_check_by(t, NVP_POLICY("sane"), false, "odd");
	nvp_t_settle_checks(t);
	CU_ASSERT_EQUAL(t->result.verdict, NVP_PASS);
	CU_ASSERT_EQUAL(t->result.warnings, 1);
	CU_ASSERT_EQUAL(t->result.checks_failed, 0);
	CU_ASSERT_TRUE(told(&f, "\"authority\":\"policy\",\"words\":\"sane\""));
	CU_ASSERT_TRUE(told(&f, "\"level\":\"warning\""));
	end(&f);

	t = begin(&f, "sane");
	nvp_check_by(t, NVP_POLICY("sane"), false, "odd");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	CU_ASSERT_EQUAL(strncmp(t->result.reason, "policy sane:", 12), 0);
	CU_ASSERT_EQUAL(t->result.warnings, 0);
	end(&f);

	t = begin(&f, "sane");
	nvp_check_by(t, NVP_POLICY("strict"), false, "odd");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_PASS);
	end(&f);

	t = begin(&f, "strict");
	nvp_check_by(t, NVP_POLICY("sane"), false, "odd");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	end(&f);
}

static void a_claim_fails_and_says_whose(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	nvp_check_by(t, NVP_CLAIM("profile ocp"), false, "not so");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	CU_ASSERT_TRUE(told(&f, "\"authority\":\"claim\",\"words\":\"profile ocp\""));
	CU_ASSERT_FALSE(told(&f, "\"spec\":"));
	end(&f);
}

static void a_check_can_rest_on_another_section(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	nvp_check_by(t, NVP_SPEC("NVMe Base", "2.0", "5.17", "VER"), true, "fine");
	CU_ASSERT_TRUE(told(&f, "\"spec\":{\"document\":\"NVMe Base\",\"revision\":\"2.0\","
				"\"section\":\"5.17\",\"field\":\"VER\"}"));
	end(&f);
}

static void fail_and_broken_keep_their_order(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	nvp_check(t, false, "first");
	nvp_broken_at(t, "x.c", 1, "then this");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	CU_ASSERT_TRUE(nvp_t_ended(t));
	CU_ASSERT_TRUE(told(&f, "then this"));
	end(&f);

	t = begin(&f, NULL);
	nvp_broken_at(t, "x.c", 1, "the rig went away");
	nvp_check(t, false, "because of that");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_BROKEN);
	CU_ASSERT_STRING_EQUAL(t->result.reason, "the rig went away");
	end(&f);
}

static void a_skip_yields_to_what_is_worse(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	nvp_skip_at(t, "x.c", 1, "not here");
	nvp_t_settle_checks(t);
	CU_ASSERT_EQUAL(t->result.verdict, NVP_SKIP);
	CU_ASSERT_STRING_EQUAL(t->result.reason, "not here");
	nvp_check(t, false, "found by what was deferred");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	end(&f);

	t = begin(&f, NULL);
	nvp_check(t, false, "first");
	nvp_skip_at(t, "x.c", 1, "not here");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	end(&f);
}

static void a_status_is_compared_by_type_and_code(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);
	struct nvp_cpl cpl = {
		.status = { .sct = 0, .sc = 0x0b, .dnr = true }, .sub_tick = 17, .ack_tick = 21,
	};

	CU_ASSERT_TRUE(nvp_check_status(t, &cpl, NVP_ANY({ 0, 0x02 }, { 0, 0x0b })));
	CU_ASSERT_FALSE(nvp_check_ok(t, &cpl));
	cpl.status.sct = 1;
	CU_ASSERT_FALSE(nvp_check_status(t, &cpl, NVP_ANY({ 0, 0x02 }, { 0, 0x0b })));
	CU_ASSERT_TRUE(told(&f, "\"trace\":[17,21]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(t->result.reason, "0/0Bh"));
	end(&f);
}

static void bytes_show_where_they_differ(void)
{
	static const uint8_t want[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);
	uint8_t got[16];

	memcpy(got, want, sizeof(got));
	CU_ASSERT_TRUE(nvp_check_bytes(t, got, want, sizeof(got)));
	got[10] = 0xff;
	got[15] = 0xff;
	CU_ASSERT_FALSE(nvp_check_bytes(t, got, want, sizeof(got)));
	CU_ASSERT_STRING_EQUAL(t->result.reason,
			       "expected bytes at byte 10: 0b 0c 0d 0e 0f 10, "
			       "seen got at byte 10: ff 0c 0d 0e 0f ff (2 of 16 bytes differ)");
	end(&f);
}

static void ranges_include_their_ends(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	CU_ASSERT_TRUE(nvp_check_range(t, 3, 3, 5));
	CU_ASSERT_TRUE(nvp_check_range(t, 5, 3, 5));
	CU_ASSERT_FALSE(nvp_check_range(t, 6, 3, 5));
	CU_ASSERT_FALSE(nvp_check_range(t, 2, 3, 5));
	end(&f);
}

static void a_broken_invariant_fails_unless_it_was_announced(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	nvp_announce(t, NVP_INVARIANT_SQHD, 1);
	nvp_t_broken_invariant(t, NVP_INVARIANT_SQHD, "core/drive/i.c:9", "a", "b");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_PASS);
	CU_ASSERT_TRUE(told(&f, "\"ok\":true"));
	CU_ASSERT_TRUE(told(&f, "\"announced\":true"));
	nvp_t_broken_invariant(t, NVP_INVARIANT_SQHD, "core/drive/i.c:9", "a", "b");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	CU_ASSERT_STRING_EQUAL(t->result.site, "core/drive/i.c:9");
	CU_ASSERT_TRUE(told(&f, "\"ok\":false"));
	nvp_t_settle_announced(t);
	CU_ASSERT_EQUAL(f.seen.nr[NVP_EVENT_NOTE], 0);
	end(&f);

	t = begin(&f, NULL);
	nvp_t_broken_invariant(t, NVP_INVARIANT_CID, "core/drive/i.c:9", "a", "b");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	CU_ASSERT_TRUE(told(&f, "\"invariant\":\"cid\""));
	end(&f);
}

static void what_was_announced_and_did_not_happen_is_a_note(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	nvp_announce(t, NVP_INVARIANT_GUARD, 2);
	nvp_check(t, true, "fine");
	nvp_t_settle_checks(t);
	nvp_t_settle_announced(t);
	CU_ASSERT_EQUAL(t->result.verdict, NVP_PASS);
	CU_ASSERT_EQUAL(f.seen.nr[NVP_EVENT_NOTE], 1);
	CU_ASSERT_TRUE(told(&f, "guard"));
	end(&f);
}

static void append(struct nvp_t *t, void *context)
{
	nvp_note(t, "%s", (const char *)context);
}

static void deferred_functions_run_last_first(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);
	char names[20][8];

	for (unsigned i = 0; i < 20; i++) {
		snprintf(names[i], sizeof(names[i]), "d%02u.", i);
		nvp_defer(t, append, names[i]);
	}
	nvp_t_unwind(t);
	CU_ASSERT_EQUAL(f.seen.nr[NVP_EVENT_NOTE], 20);
	for (unsigned i = 1; i < 20; i++)
		CU_ASSERT(strstr(f.seen.text.text, names[i]) < strstr(f.seen.text.text, names[i - 1]));
	nvp_t_unwind(t);
	CU_ASSERT_EQUAL(f.seen.nr[NVP_EVENT_NOTE], 20);
	end(&f);
}

static void the_next_case_begins_with_nothing(void)
{
	struct fixture f;
	struct nvp_t *t = begin(&f, NULL);

	nvp_announce(t, NVP_INVARIANT_SQID, 3);
	nvp_check_at(t, "x.c", 1, true, false, NULL, "a", "b");
	nvp_t_begin(t);
	CU_ASSERT_FALSE(nvp_t_ended(t));
	nvp_t_broken_invariant(t, NVP_INVARIANT_SQID, "i.c:1", "a", "b");
	CU_ASSERT_EQUAL(t->result.verdict, NVP_FAIL);
	CU_ASSERT_EQUAL(t->result.checks, 1);
	end(&f);
}

static void selectors_of_features_are_kept(void)
{
	/* Temperature Threshold: TMPSEL and THSEL choose, TMPTH is the value. */
	CU_ASSERT_EQUAL(nvp_feature_selector(0x04), 0x003f0000);
	CU_ASSERT_EQUAL(nvp_feature_restore_dw11(0x04, 0x00110000 | 300, 355), 0x00110000 | 355);
	CU_ASSERT_EQUAL(nvp_feature_selector(0x06), 0);
	CU_ASSERT_EQUAL(nvp_feature_restore_dw11(0x06, 0, 1), 1);
	/* Interrupt Vector Configuration: IV chooses, CD is the value. */
	CU_ASSERT_EQUAL(nvp_feature_restore_dw11(0x09, 0x00010003, 0x00000000), 0x00000003);
}

static uint32_t way_back(const struct nvp_id_ns *id)
{
	struct nvp_cmd cmd = nvp_format_of(1, id);

	return nvp_sqe_dw(&cmd.sqe, 10);
}

/* Protection that DPC does not offer, or that has no room, is left out of the way back. */
static void way_back_asks_for_what_can_be(void)
{
	struct nvp_id_ns id = { .format_index = 2, .flbas = 0x12, .metadata_bytes = 8,
				.dpc = 0x1b, .dps = 0x0a };

	CU_ASSERT_EQUAL(way_back(&id), 0x2 | 1 << 4 | 2 << 5 | 1 << 8);
	id.dps = 3;
	CU_ASSERT_EQUAL(way_back(&id), 0x2 | 1 << 4);
	id.dps = 5;
	CU_ASSERT_EQUAL(way_back(&id), 0x2 | 1 << 4);
	id.dps = 1;
	id.metadata_bytes = 0;
	CU_ASSERT_EQUAL(way_back(&id), 0x2 | 1 << 4);
}

CU_TestInfo nvp_unit_check[] = {
	{ "way_back_asks_for_what_can_be", way_back_asks_for_what_can_be },
	{ "a_case_that_checks_is_a_pass_and_one_that_does_not_is_broken",
	  a_case_that_checks_is_a_pass_and_one_that_does_not_is_broken },
	{ "the_first_fail_gives_the_reason", the_first_fail_gives_the_reason },
	{ "require_ends_the_case", require_ends_the_case },
	{ "a_policy_warns_until_it_is_asked_for", a_policy_warns_until_it_is_asked_for },
	{ "a_claim_fails_and_says_whose", a_claim_fails_and_says_whose },
	{ "a_check_can_rest_on_another_section", a_check_can_rest_on_another_section },
	{ "fail_and_broken_keep_their_order", fail_and_broken_keep_their_order },
	{ "a_skip_yields_to_what_is_worse", a_skip_yields_to_what_is_worse },
	{ "a_status_is_compared_by_type_and_code", a_status_is_compared_by_type_and_code },
	{ "bytes_show_where_they_differ", bytes_show_where_they_differ },
	{ "ranges_include_their_ends", ranges_include_their_ends },
	{ "a_broken_invariant_fails_unless_it_was_announced",
	  a_broken_invariant_fails_unless_it_was_announced },
	{ "what_was_announced_and_did_not_happen_is_a_note",
	  what_was_announced_and_did_not_happen_is_a_note },
	{ "deferred_functions_run_last_first", deferred_functions_run_last_first },
	{ "the_next_case_begins_with_nothing", the_next_case_begins_with_nothing },
	{ "selectors_of_features_are_kept", selectors_of_features_are_kept },
	CU_TEST_INFO_NULL,
};
