// SPDX-License-Identifier: GPL-2.0-or-later
// The event contract held in place, and the reader against lines of unknown origin.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/report/event.h"
#include "tests/unit/unit.h"

/* Written out a second time on purpose: a key that is renamed, re-used or lost fails here. */
static const char *const contract[][2] = {
	{ "run.begin", "version seed$ nr_cases nr_drives shuffle policy? spec? host{} plan[]?" },
	{ "drive", "serial model firmware address path[] nvme_version nr_ns allow[] in_use? "
		   "facts{} host{}?" },
	{ "case.begin", "number title impact[] spec{} round? rounds?" },
	{ "check", "site ok authority spec{}? words? condition? expected seen trace[]? invariant? "
		   "announced?" },
	{ "note", "level text" },
	{ "measure", "name value unit state?" },
	{ "series", "name unit file state?" },
	{ "undo", "id what sqe data?" },
	{ "undone", "id ok text?" },
	{ "power", "action state" },
	{ "reset", "kind reason" },
	{ "klog", "host{}" },
	{ "pcie.delta", "register before# after#" },
	{ "finding", "class text count? lba$?" },
	{ "snapshot", "name file? text?" },
	{ "trace", "tick$ text" },
	{ "case.end", "verdict reason site? checks checks_failed warnings duration_ns$ wall_ms "
		      "waiver? rounds_passed? flaky? interrupted?" },
	{ "run.end", "pass fail skip broken warned waived not_run exit_code reason? wall_ms" },
	{ "table", "name text data{}?" },
};

static void types_and_keys_are_those_of_the_contract(void)
{
	CU_ASSERT_EQUAL(sizeof(contract) / sizeof(contract[0]), NVP_NR_EVENT_TYPES);
	for (int type = 0; type < NVP_NR_EVENT_TYPES; type++) {
		const char *keys = nvp_event_keys((enum nvp_event_type)type);

		CU_ASSERT_STRING_EQUAL(nvp_event_name((enum nvp_event_type)type),
				       contract[type][0]);
		/* New keys may follow; what was there stays. */
		CU_ASSERT_EQUAL(strncmp(keys, contract[type][1], strlen(contract[type][1])), 0);
	}
	CU_ASSERT_PTR_NULL(nvp_event_name(NVP_NR_EVENT_TYPES));
	CU_ASSERT_PTR_NULL(nvp_event_keys(NVP_NR_EVENT_TYPES));
}

static void verdicts_have_the_words_of_the_contract(void)
{
	CU_ASSERT_STRING_EQUAL(nvp_verdict_name(NVP_PASS), "pass");
	CU_ASSERT_STRING_EQUAL(nvp_verdict_name(NVP_FAIL), "fail");
	CU_ASSERT_STRING_EQUAL(nvp_verdict_name(NVP_SKIP), "skip");
	CU_ASSERT_STRING_EQUAL(nvp_verdict_name(NVP_BROKEN), "broken");
	CU_ASSERT_PTR_NULL(nvp_verdict_name(NVP_NR_VERDICTS));
}

#define COMMON "\"v\":1,\"seq\":3,\"wall_utc\":\"2026-11-30T17:41:49.000000001Z\",\"t_ns\":77"

static int parse(const char *line, struct nvp_event *event, struct nvp_err *err)
{
	memset(err, 0, sizeof(*err));
	return nvp_event_parse(line, strlen(line), event, err);
}

static void an_event_gives_its_values(void)
{
	struct nvp_text json = { 0 };
	struct nvp_event e;
	struct nvp_err err;

	CU_ASSERT_EQUAL_FATAL(parse("{" COMMON ",\"type\":\"check\",\"drive\":\"S\",\"case\":\"a.b\","
				    "\"site\":\"f:1\",\"ok\":false,\"authority\":\"spec\","
				    "\"spec\":{\"section\":\"5\"},\"expected\":\"x\",\"seen\":\"\\u00e4\","
				    "\"trace\":[\"18446744073709551615\",7,null],\"new\":{\"a\":[1]}}",
				    &e, &err), 0);
	CU_ASSERT_EQUAL(e.type, NVP_EVENT_CHECK);
	CU_ASSERT_EQUAL(e.seq, 3);
	CU_ASSERT_EQUAL(e.t_ns, 77);
	CU_ASSERT_STRING_EQUAL(e.drive, "S");
	CU_ASSERT_STRING_EQUAL(e.case_id, "a.b");
	CU_ASSERT_FALSE(nvp_event_bool(&e, "ok"));
	CU_ASSERT_STRING_EQUAL(nvp_event_text(&e, "spec", "section"), "5");
	CU_ASSERT_PTR_NULL(nvp_event_text(&e, "spec", "field"));
	CU_ASSERT_PTR_NULL(nvp_event_text(&e, "ok", "field"));
	CU_ASSERT_STRING_EQUAL(nvp_event_text(&e, NULL, "seen"), "\xc3\xa4");
	CU_ASSERT_EQUAL(nvp_event_nr(&e, NULL, "trace"), 3);
	CU_ASSERT_STRING_EQUAL(nvp_event_item(&e, NULL, "trace", 0), "18446744073709551615");
	CU_ASSERT_STRING_EQUAL(nvp_event_item(&e, NULL, "trace", 1), "7");
	CU_ASSERT_PTR_NULL(nvp_event_item(&e, NULL, "trace", 2));
	CU_ASSERT_PTR_NULL(nvp_event_item(&e, NULL, "trace", 3));
	nvp_event_add_json(&e, "new", &json);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&json), "{\"a\":[1]}");
	nvp_text_free(&json);
	nvp_event_free(&e);
}

static void unknown_types_and_keys_are_no_error(void)
{
	struct nvp_event e;
	struct nvp_err err;

	CU_ASSERT_EQUAL_FATAL(parse("{" COMMON ",\"type\":\"of.tomorrow\",\"x\":null}", &e, &err),
			      0);
	CU_ASSERT_EQUAL(e.type, -1);
	CU_ASSERT_STRING_EQUAL(e.type_name, "of.tomorrow");
	CU_ASSERT_FALSE(nvp_event_has(&e, "x"));
	nvp_event_free(&e);
}

static const struct {
	const char *line, *why;
} bad_lines[] = {
	{ "", "no JSON" },
	{ "{", "ends too early" },
	{ "[]", "not a JSON object" },
	{ "null", "no JSON" },
	{ "{}", "version 1" },
	{ "{" COMMON "}", "missing" },
	{ "{" COMMON ",\"type\":\"note\",\"level\":\"info\",\"text\":\"x\"} x", "no JSON" },
	{ "{" COMMON ",\"type\":\"note\",\"level\":\"info\",\"text\":\"x\"", "ends too early" },
	{ "{" COMMON ",\"type\":\"note\",\"level\":\"info\",\"text\":\"\xff\"}", "no JSON" },
	{ "{\"v\":2,\"seq\":0,\"wall_utc\":\"\",\"t_ns\":0,\"type\":\"x\"}", "version 1" },
	{ "{\"v\":1,\"seq\":-1,\"wall_utc\":\"\",\"t_ns\":0,\"type\":\"x\"}", "missing" },
	{ "{\"v\":1,\"seq\":\"z\",\"wall_utc\":\"\",\"t_ns\":0,\"type\":\"x\"}", "missing" },
	{ "{\"v\":1,\"seq\":1,\"wall_utc\":\"\",\"t_ns\":0,\"type\":\"a\\u0000b\"}", "missing" },
	{ "{" COMMON ",\"type\":\"note\",\"level\":\"info\"}", "without \"text\"" },
	{ "{" COMMON ",\"type\":\"note\",\"level\":\"info\",\"text\":null}", "without \"text\"" },
	{ "{" COMMON ",\"type\":\"note\",\"level\":\"info\",\"text\":[]}", "another form" },
	{ "{" COMMON ",\"type\":\"trace\",\"tick\":5,\"text\":\"x\"}", "\"tick\" in another form" },
	{ "{" COMMON ",\"type\":\"trace\",\"tick\":\"0x5\",\"text\":\"x\"}", "\"tick\"" },
	{ "{" COMMON ",\"type\":\"trace\",\"tick\":\"\",\"text\":\"x\"}", "\"tick\"" },
	{ "{" COMMON ",\"type\":\"pcie.delta\",\"register\":\"a\",\"before\":\"0x1\",\"after\":\"1\"}",
	  "\"after\"" },
	{ "{" COMMON ",\"type\":\"klog\",\"host\":[]}", "\"host\"" },
	{ "{" COMMON ",\"type\":\"finding\",\"class\":\"a\",\"text\":\"b\",\"lba\":9}", "\"lba\"" },
	{ "{" COMMON ",\"type\":\"measure\",\"name\":\"a\",\"value\":NaN,\"unit\":\"ms\"}",
	  "not finite" },
	{ "{" COMMON ",\"type\":\"x\",\"a\":[{\"b\":-Infinity}]}", "not finite" },
	{ "{" COMMON ",\"type\":\"x\",\"a\":1e999}", "not finite" },
	{ "{\"a\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}", "no JSON" },
};

static void bad_lines_are_refused_with_the_reason(void)
{
	for (size_t i = 0; i < sizeof(bad_lines) / sizeof(bad_lines[0]); i++) {
		struct nvp_event e;
		struct nvp_err err;
		int rc = parse(bad_lines[i].line, &e, &err);

		CU_ASSERT_EQUAL(rc, -EBADMSG);
		if (!rc)
			nvp_event_free(&e);
		if (!strstr(err.what, bad_lines[i].why)) {
			printf("\n    %s: %s\n", bad_lines[i].line, err.what);
			CU_FAIL("another reason");
		}
	}
}

static void a_nul_inside_a_line_is_refused(void)
{
	static const char line[] = "{" COMMON ",\"type\":\"x\"}\0{}";
	struct nvp_event e;
	struct nvp_err err = { 0 };

	CU_ASSERT_EQUAL(nvp_event_parse(line, sizeof(line) - 1, &e, &err), -EBADMSG);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "NUL"));
}

extern CU_TestInfo nvp_unit_event[];
CU_TestInfo nvp_unit_event[] = {
	{ "types_and_keys_are_those_of_the_contract", types_and_keys_are_those_of_the_contract },
	{ "verdicts_have_the_words_of_the_contract", verdicts_have_the_words_of_the_contract },
	{ "an_event_gives_its_values", an_event_gives_its_values },
	{ "unknown_types_and_keys_are_no_error", unknown_types_and_keys_are_no_error },
	{ "bad_lines_are_refused_with_the_reason", bad_lines_are_refused_with_the_reason },
	{ "a_nul_inside_a_line_is_refused", a_nul_inside_a_line_is_refused },
	CU_TEST_INFO_NULL
};
