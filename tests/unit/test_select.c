// SPDX-License-Identifier: GPL-2.0-or-later
// Which cases are chosen, in what order, and the spoken reasons of those that do not apply.

#include <errno.h>
#include <string.h>

#include "core/base/text.h"
#include "core/run/estimate.h"
#include "core/run/plan.h"
#include "tests/unit/unit.h"

static void nothing(struct nvp_t *t)
{
	(void)t;
}

#define ONE(name) { NVP_CASE, .id = name, .title = "it holds", .run = nothing,	\
		    .spec = { .document = "NVMe Base", .revision = "2.0", .section = "1" } }

static const struct nvp_case cases[] = {
	ONE("admin.one"), ONE("admin.two"), ONE("io.read-at-the-end"), ONE("io.write"),
	ONE("queue.full"), ONE("queue.wrap"), ONE("register.reset"),
	{ NVP_CASE, .id = "io.sizes", .title = "it holds", .run = nothing,
	  .variants = NVP_LIST("small", "large"),
	  .spec = { .document = "NVMe Base", .revision = "2.0", .section = "1" } },
};

static struct nvp_registry *registry(void)
{
	static const struct nvp_suite suite = {
		.abi = NVP_CASE_ABI, .record_bytes = sizeof(struct nvp_case), .name = "made",
		.cases = cases, .nr_cases = sizeof(cases) / sizeof(cases[0]),
	};
	static const struct nvp_suite *const suites[] = { &suite, NULL };

	return nvp_registry_new(suites, NULL);
}

static size_t chosen(const char *a, const char *b)
{
	const char *globs[] = { a, b };
	struct nvp_run_request request = { .globs = globs, .nr_globs = b ? 2 : a ? 1 : 0 };
	struct nvp_registry *r = registry();
	struct nvp_err err = { 0 };
	struct nvp_plan plan;
	size_t nr = nvp_plan_make(&plan, r, &request, &err) ? 0 : plan.nr;

	CU_ASSERT_EQUAL(nr == 0, err.code != 0);
	nvp_plan_free(&plan);
	nvp_registry_free(r);
	return nr;
}

static void globs_choose_ids_and_families_of_variants(void)
{
	CU_ASSERT_EQUAL(chosen(NULL, NULL), 9);
	CU_ASSERT_EQUAL(chosen("*", NULL), 9);
	CU_ASSERT_EQUAL(chosen("admin.*", NULL), 2);
	CU_ASSERT_EQUAL(chosen("admin.*", "io.write"), 3);
	CU_ASSERT_EQUAL(chosen("admin.*", "admin.one"), 2);
	CU_ASSERT_EQUAL(chosen("io.sizes", NULL), 2);
	CU_ASSERT_EQUAL(chosen("io.sizes@large", NULL), 1);
	CU_ASSERT_EQUAL(chosen("*@small", NULL), 1);
}

static void a_repeated_case_stands_in_a_row(void)
{
	const char *globs[] = { "admin.*" };
	struct nvp_run_request request = { .globs = globs, .nr_globs = 1, .repeat = 3 };
	struct nvp_registry *r = registry();
	struct nvp_err err = { 0 };
	struct nvp_plan plan;

	CU_ASSERT_FATAL(nvp_plan_make(&plan, r, &request, &err) == 0);
	CU_ASSERT_EQUAL(plan.nr, 6);
	for (unsigned i = 0; i < 6; i++) {
		CU_ASSERT_STRING_EQUAL(plan.items[i].id, i < 3 ? "admin.one" : "admin.two");
		CU_ASSERT_EQUAL(plan.items[i].round, i % 3 + 1);
		CU_ASSERT_EQUAL(plan.items[i].rounds, 3);
	}
	nvp_plan_free(&plan);
	request.repeat = NVP_PLAN_MOST / 2 + 1;
	CU_ASSERT_EQUAL(nvp_plan_make(&plan, r, &request, &err), -E2BIG);
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	nvp_registry_free(r);
}

/* What was planned as "ROUNDS id", a line for each first round. */
static void planned(const struct nvp_case_rule *rules, size_t nr_rules, struct nvp_text *out,
		    struct nvp_err *err)
{
	const char *globs[] = { "io.sizes", "io.write", "admin.one" };
	struct nvp_run_request request = { .globs = globs, .nr_globs = 3, .repeat = 2,
					   .rules = rules, .nr_rules = nr_rules };
	struct nvp_registry *r = registry();
	struct nvp_plan plan;

	memset(err, 0, sizeof(*err));
	if (!nvp_plan_make(&plan, r, &request, err)) {
		for (size_t i = 0; i < plan.nr; i += plan.items[i].rounds)
			nvp_text_addf(out, "%u %s\n", plan.items[i].rounds, plan.items[i].id);
		nvp_plan_free(&plan);
	}
	nvp_registry_free(r);
}

static void rules_are_for_the_cases_that_they_name(void)
{
	static const struct nvp_case_rule rules[] = {
		{ .where = "a", .glob = "io.*", .repeat = 5 },
		{ .where = "b", .glob = "io.sizes", .variants = "large, huge" },
		{ .where = "c", .glob = "io.write", .repeat = 1 },
	};
	struct nvp_text out = { 0 };
	struct nvp_err err;

	planned(rules, 1, &out, &err);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&out),
			       "2 admin.one\n5 io.sizes@large\n5 io.sizes@small\n5 io.write\n");
	nvp_text_clear(&out);
	planned(rules, 3, &out, &err);
	CU_ASSERT_STRING_EQUAL(err.what, "b: no case of the rule has the variant 'huge'");
	CU_ASSERT_EQUAL(out.length, 0);
	planned(&rules[2], 1, &out, &err);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&out),
			       "2 admin.one\n2 io.sizes@large\n2 io.sizes@small\n1 io.write\n");
	nvp_text_free(&out);
}

static void rules_choose_variants(void)
{
	static const struct nvp_case_rule large = { .where = "x", .glob = "*", .variants = "large" };
	static const struct nvp_case_rule none = { .where = "y", .glob = "nothing.*" };
	static const struct nvp_case_rule empty = { .where = "z" };
	struct nvp_text out = { 0 };
	struct nvp_err err;

	planned(&large, 1, &out, &err);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&out),
			       "2 admin.one\n2 io.sizes@large\n2 io.write\n");
	planned(&none, 1, &out, &err);
	CU_ASSERT_STRING_EQUAL(err.what, "y: no case matches 'nothing.*'");
	planned(&empty, 1, &out, &err);
	CU_ASSERT_STRING_EQUAL(err.what, "z: the section has no case =");
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	nvp_text_free(&out);
}

static void ids_of_an_earlier_run_are_taken_exactly(void)
{
	const char *ids[] = { "io.sizes@large", "admin.two" }, *unknown[] = { "io.sizes" };
	struct nvp_run_request request = { .ids = ids, .nr_ids = 2 };
	struct nvp_registry *r = registry();
	struct nvp_err err = { 0 };
	struct nvp_plan plan;

	CU_ASSERT_FATAL(nvp_plan_make(&plan, r, &request, &err) == 0);
	CU_ASSERT_EQUAL(plan.nr, 2);
	CU_ASSERT_STRING_EQUAL(plan.items[0].id, "admin.two");
	CU_ASSERT_STRING_EQUAL(plan.items[1].id, "io.sizes@large");
	nvp_plan_free(&plan);
	request.ids = unknown;
	request.nr_ids = 1;
	CU_ASSERT_EQUAL(nvp_plan_make(&plan, r, &request, &err), -EINVAL);
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	nvp_registry_free(r);
}

static void a_glob_without_a_case_names_the_nearest(void)
{
	const char *globs[] = { "admin.one", "io.wriet" };
	struct nvp_run_request request = { .globs = globs, .nr_globs = 2 };
	struct nvp_registry *r = registry();
	struct nvp_err err = { 0 };
	struct nvp_plan plan;

	CU_ASSERT_NOT_EQUAL(nvp_plan_make(&plan, r, &request, &err), 0);
	CU_ASSERT_EQUAL(nvp_err_exit_code(err.kind), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "io.wriet"));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.advice, "io.write"));
	nvp_registry_free(r);
}

static void a_glob_far_from_every_id_names_one_of_its_words(void)
{
	struct nvp_registry *r = registry();

	CU_ASSERT_STRING_EQUAL(nvp_registry_nearest(r, "io.*-sizes-of-anything"), "io.sizes@large");
	CU_ASSERT_STRING_EQUAL(nvp_registry_nearest(r, "admin.nothing-of-the-kind-*"), "admin.one");
	CU_ASSERT_PTR_NULL(nvp_registry_nearest(r, "xyzzy.plugh-frotz"));
	nvp_registry_free(r);
}

/* The order of a shuffle as one text, of the cases that the glob leaves. */
static void order(char *text, size_t bytes, const char *glob, uint64_t seed)
{
	struct nvp_run_request request = {
		.globs = &glob, .nr_globs = 1, .shuffle = true, .seed = seed,
	};
	struct nvp_registry *r = registry();
	struct nvp_plan plan;

	text[0] = '\0';
	CU_ASSERT_EQUAL_FATAL(nvp_plan_make(&plan, r, &request, NULL), 0);
	for (size_t i = 0; i < plan.nr; i++)
		snprintf(text + strlen(text), bytes - strlen(text), "%s ", plan.items[i].id);
	nvp_plan_free(&plan);
	nvp_registry_free(r);
}

static void a_shuffle_is_decided_by_the_seed_alone(void)
{
	char a[400], b[400];
	unsigned different = 0;

	order(a, sizeof(a), "*", 1);
	order(b, sizeof(b), "*", 1);
	CU_ASSERT_STRING_EQUAL(a, b);
	for (uint64_t seed = 2; seed < 12; seed++) {
		order(b, sizeof(b), "*", seed);
		CU_ASSERT_EQUAL(strlen(a), strlen(b));	/* the same cases */
		different += strcmp(a, b) != 0;
	}
	CU_ASSERT(different >= 9);
}

static void leaving_a_case_out_moves_no_other(void)
{
	char all[400], some[400];
	const char *at;

	order(all, sizeof(all), "*", 5);
	order(some, sizeof(some), "[!q]*", 5);
	at = all;
	for (char *word = strtok(some, " "); word; word = strtok(NULL, " ")) {
		at = strstr(at, word);
		CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	}
}

static void impacts_are_words(void)
{
	struct nvp_err err = { 0 };
	uint32_t impact = 99;
	char text[80];

	CU_ASSERT_EQUAL(nvp_impact_parse("state,data", &impact, &err), 0);
	CU_ASSERT_EQUAL(impact, NVP_IMPACT_STATE | NVP_IMPACT_DATA);
	CU_ASSERT_EQUAL(nvp_impact_parse("read", &impact, &err), 0);
	CU_ASSERT_EQUAL(impact, 0);
	CU_ASSERT_EQUAL(nvp_impact_parse("all", &impact, &err), 0);
	CU_ASSERT_FALSE(impact & NVP_IMPACT_PERMANENT);
	CU_ASSERT_TRUE(impact & NVP_IMPACT_FIRMWARE);
	CU_ASSERT_NOT_EQUAL(nvp_impact_parse("state,erace", &impact, &err), 0);
	CU_ASSERT_EQUAL(impact, NVP_IMPACT_ALL);	/* left alone */
	CU_ASSERT_PTR_NOT_NULL(strstr(err.advice, "erase"));
	CU_ASSERT_NOT_EQUAL(nvp_impact_parse("", &impact, NULL), 0);
	CU_ASSERT_NOT_EQUAL(nvp_impact_parse("state,", &impact, NULL), 0);
	nvp_impact_text(NVP_IMPACT_STATE | NVP_IMPACT_RESET, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "state, reset");
	nvp_impact_text(0, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "read");
	nvp_needs_text(NVP_NEED_REGISTERS | NVP_NEED_QUEUES, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "registers, own queues");
}

/* A drive that has everything. */
static struct nvp_facts rich_facts(struct nvp_ns *ns)
{
	struct nvp_facts f = { .version = NVP_VERSION(2, 0, 0), .nr_ns = 2, .ns = ns };

	ns[0] = (struct nvp_ns){ .nsid = 1, .id = { .lba_bytes = 512 } };
	ns[1] = (struct nvp_ns){ .nsid = 2, .id = { .lba_bytes = 512 } };
	f.ctrl.oncs = 0xffff;
	f.ctrl.oacs = 0xffff;
	f.ctrl.lpa = 0xff;
	f.ctrl.vwc = 1;
	f.ctrl.mdts = 5;
	return f;
}

static bool applies(const struct nvp_case *c, const struct nvp_facts *facts, uint32_t path,
		    uint32_t allow, char *reason)
{
	return nvp_case_applies(c, facts, 0, path, allow, reason, 200);
}

static void each_need_has_its_reason(void)
{
	struct nvp_ns ns[2];
	struct nvp_facts rich = rich_facts(ns), poor = { .version = NVP_VERSION(2, 0, 0) };
	char reason[200];

	for (unsigned bit = 0; bit <= 21; bit++) {
		struct nvp_case c = { .needs = UINT64_C(1) << bit };

		CU_ASSERT_TRUE(applies(&c, &rich, UINT32_MAX, 0, reason));
		reason[0] = '\0';
		CU_ASSERT_FALSE(applies(&c, &poor, 0, 0, reason));
		CU_ASSERT(strlen(reason) > 15);
		nvp_needs_text(c.needs, reason, sizeof(reason));
		CU_ASSERT(strlen(reason) > 0);
	}
	ns[0].id.metadata_bytes = 8;
	CU_ASSERT_FALSE(applies(&(struct nvp_case){ .needs = NVP_NEED_NO_METADATA }, &rich, 0, 0,
				reason));
	rich.ctrl.oncs = 0xfffe;
	CU_ASSERT_FALSE(applies(&(struct nvp_case){ .needs = NVP_NEED_COMPARE }, &rich, 0, 0,
				reason));
	CU_ASSERT_STRING_EQUAL(reason, "ONCS bit 0 is clear: the drive has no Compare");
}

static void versions_bound_a_rule_on_both_sides(void)
{
	struct nvp_facts f = { .version = NVP_VERSION(1, 4, 0) };
	struct nvp_case c = { .since = NVP_VERSION(1, 4, 0), .until = NVP_VERSION(1, 4, 0) };
	char reason[200];

	CU_ASSERT_TRUE(applies(&c, &f, 0, 0, reason));
	f.version = NVP_VERSION(1, 3, 0);
	CU_ASSERT_FALSE(applies(&c, &f, 0, 0, reason));
	CU_ASSERT_PTR_NOT_NULL(strstr(reason, "since NVMe 1.4"));
	f.version = NVP_VERSION(2, 0, 0);
	CU_ASSERT_FALSE(applies(&c, &f, 0, 0, reason));
	CU_ASSERT_PTR_NOT_NULL(strstr(reason, "until NVMe 1.4"));
	CU_ASSERT_TRUE(nvp_case_applies(&c, &f, NVP_VERSION(1, 4, 0), 0, 0, reason, 200));
	CU_ASSERT_FALSE(nvp_case_applies(&c, &f, NVP_VERSION(2, 1, 0), 0, 0, reason, 200));
	CU_ASSERT_STRING_EQUAL(reason, "the rule held until NVMe 1.4, --spec is 2.1");
}

static void what_is_not_allowed_names_the_words_that_allow_it(void)
{
	struct nvp_facts f = { .version = NVP_VERSION(2, 0, 0) };
	struct nvp_case c = { .impact = NVP_IMPACT_DATA | NVP_IMPACT_ERASE | NVP_IMPACT_STATE };
	char reason[200];

	CU_ASSERT_TRUE(applies(&c, &f, 0, NVP_IMPACT_ALL, reason));
	CU_ASSERT_FALSE(applies(&c, &f, 0, NVP_IMPACT_STATE, reason));
	CU_ASSERT_PTR_NOT_NULL(strstr(reason, "--allow data,erase "));
	c.impact = NVP_IMPACT_PERMANENT;
	CU_ASSERT_FALSE(applies(&c, &f, 0, NVP_IMPACT_ALL, reason));
}

/* What is not allowed is not counted; a campaign counts by its cycles. */
static void estimate_counts_what_may_run(void)
{
	static const struct nvp_case read = { .impact = NVP_IMPACT_STATE },
		data = { .impact = NVP_IMPACT_DATA },
		cuts = { .impact = NVP_IMPACT_DATA | NVP_IMPACT_POWER },
		format = { .impact = NVP_IMPACT_ERASE, .time_class = NVP_TIME_FORMAT };
	struct nvp_plan_item items[] = { { .record = &read }, { .record = &data },
					 { .record = &cuts }, { .record = &format } };
	const struct nvp_plan plan = { .items = items, .nr = 4 };
	const struct nvp_campaign_options campaign = { .cycles = 100, .ops = 1024,
						       .off_ns = 2 * NVP_NS_PER_S };
	struct nvp_estimate e = nvp_estimate(&plan, NVP_IMPACT_STATE, NULL);
	char text[NVP_ESTIMATE_TEXT_BYTES];

	CU_ASSERT_EQUAL(e.nr_data, 0);
	CU_ASSERT_EQUAL(e.bytes, 0);
	e = nvp_estimate(&plan, NVP_IMPACT_STATE | NVP_IMPACT_DATA, NULL);
	CU_ASSERT_EQUAL(e.nr_data, 1);
	CU_ASSERT_STRING_EQUAL(nvp_estimate_text(&e, text),
			       "at most 64 MiB written by 1 case; about 1 minute");
	e = nvp_estimate(&plan, NVP_IMPACT_ALL, NULL);
	CU_ASSERT_EQUAL(e.seconds, 2 + 2 + 60 + 60);
	CU_ASSERT_STRING_EQUAL(nvp_estimate_text(&e, text),
			       "at most 1.1 GiB written by 3 cases, 1 of them may erase all of it; "
			       "about 3 minutes");
	e = nvp_estimate(&(struct nvp_plan){ .items = items + 2, .nr = 1 }, NVP_IMPACT_ALL,
			 &campaign);
	CU_ASSERT_STRING_EQUAL(nvp_estimate_text(&e, text),
			       "at most 7.8 GiB written by 1 case; about 9 minutes");
}

CU_TestInfo nvp_unit_select[] = {
	{ "estimate_counts_what_may_run", estimate_counts_what_may_run },
	{ "globs_choose_ids_and_families_of_variants", globs_choose_ids_and_families_of_variants },
	{ "a_repeated_case_stands_in_a_row", a_repeated_case_stands_in_a_row },
	{ "rules_are_for_the_cases_that_they_name", rules_are_for_the_cases_that_they_name },
	{ "rules_choose_variants", rules_choose_variants },
	{ "ids_of_an_earlier_run_are_taken_exactly", ids_of_an_earlier_run_are_taken_exactly },
	{ "a_glob_without_a_case_names_the_nearest", a_glob_without_a_case_names_the_nearest },
	{ "a_glob_far_from_every_id_names_one_of_its_words",
	  a_glob_far_from_every_id_names_one_of_its_words },
	{ "a_shuffle_is_decided_by_the_seed_alone", a_shuffle_is_decided_by_the_seed_alone },
	{ "leaving_a_case_out_moves_no_other", leaving_a_case_out_moves_no_other },
	{ "impacts_are_words", impacts_are_words },
	{ "each_need_has_its_reason", each_need_has_its_reason },
	{ "versions_bound_a_rule_on_both_sides", versions_bound_a_rule_on_both_sides },
	{ "what_is_not_allowed_names_the_words_that_allow_it",
	  what_is_not_allowed_names_the_words_that_allow_it },
	CU_TEST_INFO_NULL,
};
