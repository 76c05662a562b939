// SPDX-License-Identifier: GPL-2.0-or-later
// The registry: what it refuses, how it reads older records, how it sorts and expands.

#include <errno.h>
#include <string.h>

#include "core/run/plan.h"
#include "tests/unit/unit.h"

#define SPEC { .document = "NVMe Base", .revision = "2.0", .section = "1.1" }

static void nothing(struct nvp_t *t)
{
	(void)t;
}

/* A good record that a test spoils in one place. */
static struct nvp_case good(const char *id)
{
	return (struct nvp_case){ NVP_CASE, .id = id, .title = "it holds", .spec = SPEC,
				  .run = nothing };
}

static struct nvp_registry *make(const struct nvp_case *cases, size_t nr, struct nvp_err *err)
{
	const struct nvp_suite suite = {
		.abi = NVP_CASE_ABI, .record_bytes = sizeof(struct nvp_case), .name = "made",
		.cases = cases, .nr_cases = nr,
	};
	const struct nvp_suite *const suites[] = { &suite, NULL };

	memset(err, 0, sizeof(*err));
	return nvp_registry_new(suites, err);
}

static void refused(const struct nvp_case *one, const char *word)
{
	struct nvp_err err;
	struct nvp_registry *r = make(one, 1, &err);

	CU_ASSERT_PTR_NULL(r);
	CU_ASSERT_NOT_EQUAL(err.code, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, word));
	nvp_registry_free(r);
}

static void ids_ascend_and_variants_stand_for_themselves(void)
{
	struct nvp_case cases[] = { good("queue.b"), good("admin.z"), good("io.v") };
	struct nvp_registry *r;
	struct nvp_err err;

	cases[2].variants = NVP_LIST("two", "one");
	r = make(cases, 3, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT_EQUAL(nvp_registry_nr(r), 4);
	CU_ASSERT_STRING_EQUAL(nvp_registry_id(r, 0), "admin.z");
	CU_ASSERT_STRING_EQUAL(nvp_registry_id(r, 1), "io.v@one");
	CU_ASSERT_STRING_EQUAL(nvp_registry_id(r, 2), "io.v@two");
	CU_ASSERT_STRING_EQUAL(nvp_registry_id(r, 3), "queue.b");
	CU_ASSERT_PTR_EQUAL(nvp_registry_case(r, 1), nvp_registry_case(r, 2));
	CU_ASSERT_STRING_EQUAL(nvp_registry_case(r, 1)->id, "io.v");
	CU_ASSERT_PTR_NULL(nvp_registry_id(r, 4));
	CU_ASSERT_PTR_NULL(nvp_registry_case(r, 4));
	nvp_registry_free(r);
}

static void a_missing_text_is_refused_by_name(void)
{
	struct nvp_case c = good("io.a");

	c.title = NULL;
	refused(&c, "title");
	c = good("io.a");
	c.title = "";
	refused(&c, "title");
	c = good("io.a");
	c.spec.section = NULL;
	refused(&c, "spec");
	c = good("io.a");
	c.spec.document = "";
	refused(&c, "spec");
	c = good("io.a");
	c.run = NULL;
	refused(&c, "run function");
	c = good(NULL);
	refused(&c, "no id");
	c = good("");
	refused(&c, "no id");
}

static void an_id_is_plain_and_begins_with_an_area(void)
{
	struct nvp_case c = good("io.With-Capitals");
	struct nvp_err err;

	refused(&c, "no id");
	c = good("io.with@variant");
	refused(&c, "no id");
	c = good("noarea");
	refused(&c, "no area");
	c = good("identifi.x");
	CU_ASSERT_PTR_NULL(make(&c, 1, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.advice, "identify"));
	c = good("io.a");
	c.variants = NVP_LIST("good", "not good");
	refused(&c, "not good");
}

static void two_of_one_id_are_refused(void)
{
	struct nvp_case cases[] = { good("io.a"), good("io.b"), good("io.a") };
	struct nvp_err err;

	CU_ASSERT_PTR_NULL(make(cases, 3, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "io.a"));
	CU_ASSERT_EQUAL(err.code, -EEXIST);
}

static void another_abi_is_refused(void)
{
	const struct nvp_case c = good("io.a");
	const struct nvp_suite suite = {
		.abi = NVP_CASE_ABI + 1, .record_bytes = sizeof(c), .name = "plugin", .cases = &c,
		.nr_cases = 1,
	};
	const struct nvp_suite *const suites[] = { &suite, NULL };
	struct nvp_err err = { 0 };

	CU_ASSERT_PTR_NULL(nvp_registry_new(suites, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "plugin"));
	CU_ASSERT_EQUAL(nvp_err_exit_code(err.kind), 2);
}

/* A record of a later version: the same fields, then one that this version does not know. */
struct later_case {
	struct nvp_case known;
	uint64_t new_field;
};

static void records_of_another_size_are_read(void)
{
	struct later_case later[2] = {
		{ .known = good("io.a"), .new_field = UINT64_MAX },
		{ .known = good("io.b"), .new_field = UINT64_MAX },
	};
	const struct nvp_suite suite = {
		.abi = NVP_CASE_ABI, .record_bytes = sizeof(later[0]), .name = "later",
		.cases = &later[0].known, .nr_cases = 2,
	};
	const struct nvp_suite *const suites[] = { &suite, NULL };
	struct nvp_err err = { 0 };
	struct nvp_registry *r;

	later[0].known.record_bytes = later[1].known.record_bytes = sizeof(later[0]);
	r = nvp_registry_new(suites, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT_EQUAL(nvp_registry_nr(r), 2);
	CU_ASSERT_STRING_EQUAL(nvp_registry_id(r, 1), "io.b");
	CU_ASSERT_PTR_EQUAL(nvp_registry_case(r, 1)->run, nothing);
	nvp_registry_free(r);
	/* A record that contradicts its suite would be read at the wrong places. */
	later[1].known.record_bytes = sizeof(struct nvp_case);
	CU_ASSERT_PTR_NULL(nvp_registry_new(suites, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "io.b"));
}

static void an_older_record_has_zeroes_for_what_it_lacks(void)
{
	/* As if .run had been the newest field: without it the record must be refused, not read past. */
	const struct nvp_case c = good("io.a");
	char old[offsetof(struct nvp_case, run)] __attribute__((aligned(8)));
	const struct nvp_suite suite = {
		.abi = NVP_CASE_ABI, .record_bytes = sizeof(old), .name = "older",
		.cases = (const struct nvp_case *)(const void *)old, .nr_cases = 1,
	};
	const struct nvp_suite *const suites[] = { &suite, NULL };
	struct nvp_err err = { 0 };
	size_t bytes = sizeof(old);

	memcpy(old, &c, sizeof(old));
	memcpy(old, &bytes, sizeof(bytes));
	CU_ASSERT_PTR_NULL(nvp_registry_new(suites, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "run function"));
}

static void the_linked_cases_are_a_registry(void)
{
	extern const struct nvp_suite *const nvp_suites[];
	struct nvp_err err = { 0 };
	struct nvp_registry *r = nvp_registry_new(nvp_suites, &err);
	char text[300];

	if (!r)
		printf("%s\n", nvp_err_text(&err, text, sizeof(text)));
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT(nvp_registry_nr(r) > 0);
	nvp_registry_free(r);
}

CU_TestInfo nvp_unit_registry[] = {
	{ "ids_ascend_and_variants_stand_for_themselves",
	  ids_ascend_and_variants_stand_for_themselves },
	{ "a_missing_text_is_refused_by_name", a_missing_text_is_refused_by_name },
	{ "an_id_is_plain_and_begins_with_an_area", an_id_is_plain_and_begins_with_an_area },
	{ "two_of_one_id_are_refused", two_of_one_id_are_refused },
	{ "another_abi_is_refused", another_abi_is_refused },
	{ "records_of_another_size_are_read", records_of_another_size_are_read },
	{ "an_older_record_has_zeroes_for_what_it_lacks",
	  an_older_record_has_zeroes_for_what_it_lacks },
	{ "the_linked_cases_are_a_registry", the_linked_cases_are_a_registry },
	CU_TEST_INFO_NULL,
};
