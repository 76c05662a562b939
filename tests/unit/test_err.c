// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the error object.

#include <errno.h>
#include <string.h>

#include <nvproof/err.h>

#include "tests/unit/unit.h"

static void first_error_wins(void)
{
	struct nvp_err err = { 0 };
	int line = __LINE__ + 1;
	int rc = nvp_err_set(&err, NVP_ERR_USAGE, -EINVAL, "open %s", "sim:szie=1G");

	CU_ASSERT_EQUAL(rc, -EINVAL);
	nvp_err_seen(&err, "key '%s'", "szie");
	rc = nvp_err_set(&err, NVP_ERR_BROKEN, -EIO, "second");
	nvp_err_seen(&err, "other");
	nvp_err_expected(&err, "a known key");
	CU_ASSERT_EQUAL(rc, -EIO);
	CU_ASSERT_EQUAL(err.code, -EINVAL);
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	CU_ASSERT_EQUAL(err.line, line);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.file, "test_err.c"));
	CU_ASSERT_STRING_EQUAL(err.what, "open sim:szie=1G");
	CU_ASSERT_STRING_EQUAL(err.seen, "key 'szie'");
	CU_ASSERT_STRING_EQUAL(err.expected, "a known key");
}

static void null_object_is_allowed(void)
{
	CU_ASSERT_EQUAL(nvp_err_set(NULL, NVP_ERR_BROKEN, -ENOMEM, "x"), -ENOMEM);
	nvp_err_expected(NULL, "x");
	nvp_err_seen(NULL, "x");
	nvp_err_advice(NULL, "x");
}

static void texts_need_an_error(void)
{
	struct nvp_err err = { 0 };

	nvp_err_expected(&err, "x");
	nvp_err_seen(&err, "x");
	nvp_err_advice(&err, "x");
	CU_ASSERT_EQUAL(err.expected[0] | err.seen[0] | err.advice[0], 0);
}

static void check_text(const char *expected, const char *seen, const char *advice, const char *line)
{
	struct nvp_err err = { 0 };
	char text[512];

	nvp_err_set(&err, NVP_ERR_USAGE, -EINVAL, "WHAT");
	nvp_err_expected(&err, "%s", expected);
	nvp_err_seen(&err, "%s", seen);
	nvp_err_advice(&err, "%s", advice);
	CU_ASSERT_STRING_EQUAL(nvp_err_text(&err, text, sizeof(text)), line);
}

static void text_joins_what_is_there(void)
{
	check_text("", "", "", "WHAT");
	check_text("E", "", "", "WHAT: expected E");
	check_text("", "S", "", "WHAT: seen S");
	check_text("", "", "A", "WHAT; A");
	check_text("E", "S", "A", "WHAT: expected E, seen S; A");
}

static void text_is_one_clean_line(void)
{
	struct nvp_err err = { 0 };
	char text[8];

	nvp_err_set(&err, NVP_ERR_BROKEN, -EIO, "a\nb\033[c%s", "and more");
	nvp_err_text(&err, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "a?b?[ca");
}

static void long_texts_are_cut(void)
{
	struct nvp_err err = { 0 };
	char longer[400], text[1000];

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	nvp_err_set(&err, NVP_ERR_BROKEN, -EIO, "%s", longer);
	nvp_err_expected(&err, "%s", longer);
	nvp_err_seen(&err, "%s", longer);
	nvp_err_advice(&err, "%s", longer);
	CU_ASSERT_EQUAL(strlen(err.what), sizeof(err.what) - 1);
	CU_ASSERT_EQUAL(strlen(err.expected), sizeof(err.expected) - 1);
	CU_ASSERT_EQUAL(strlen(err.seen), sizeof(err.seen) - 1);
	CU_ASSERT_EQUAL(strlen(err.advice), sizeof(err.advice) - 1);
	CU_ASSERT_EQUAL(strlen(nvp_err_text(&err, text, sizeof(text))),
			199 + 11 + 119 + 7 + 159 + 2 + 159);
}

static void exit_codes(void)
{
	CU_ASSERT_EQUAL(nvp_err_exit_code(NVP_ERR_NONE), 0);
	CU_ASSERT_EQUAL(nvp_err_exit_code(NVP_ERR_USAGE), 2);
	CU_ASSERT_EQUAL(nvp_err_exit_code(NVP_ERR_BROKEN), 3);
	CU_ASSERT_EQUAL(nvp_err_exit_code(NVP_ERR_UNSUPPORTED), 3);
	CU_ASSERT_EQUAL(nvp_err_exit_code(NVP_ERR_REFUSED), 4);
	CU_ASSERT_EQUAL(nvp_err_exit_code(NVP_ERR_DENIED), 4);
}

CU_TestInfo nvp_unit_err[] = {
	{ "first_error_wins", first_error_wins },
	{ "null_object_is_allowed", null_object_is_allowed },
	{ "texts_need_an_error", texts_need_an_error },
	{ "text_joins_what_is_there", text_joins_what_is_there },
	{ "text_is_one_clean_line", text_is_one_clean_line },
	{ "long_texts_are_cut", long_texts_are_cut },
	{ "exit_codes", exit_codes },
	CU_TEST_INFO_NULL,
};
