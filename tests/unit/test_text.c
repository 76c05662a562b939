// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of growing text, JSON and XML quoting, and texts of what drives say.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "tests/unit/unit.h"

static void empty_text_is_a_string(void)
{
	struct nvp_text t = { 0 };

	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t), "");
	nvp_text_add(&t, "");
	nvp_text_add_n(&t, NULL, 0);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t), "");
	nvp_text_clear(&t);
	nvp_text_free(&t);
}

static void text_grows_and_is_cleared(void)
{
	struct nvp_text t = { 0 };

	for (int i = 0; i < 10000; i++)
		nvp_text_addf(&t, "%d,", i % 10);
	CU_ASSERT_EQUAL(t.length, 20000);
	CU_ASSERT_EQUAL(strlen(t.text), 20000);
	CU_ASSERT_EQUAL(memcmp(t.text + 19996, "8,9,", 4), 0);
	CU_ASSERT_FALSE(t.failed);
	nvp_text_clear(&t);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t), "");
	nvp_text_add_n(&t, "abc", 2);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t), "ab");
	nvp_text_free(&t);
	CU_ASSERT_PTR_NULL(t.text);
}

static void failed_text_stays_valid(void)
{
	struct nvp_text t = { 0 };

	nvp_text_add(&t, "kept");
	nvp_text_add_n(&t, "x", SIZE_MAX / 2);	/* refused before a byte is read */
	CU_ASSERT_TRUE(t.failed);
	nvp_text_add(&t, "dropped");
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t), "kept");
	nvp_text_free(&t);
}

static void json_commas_and_nesting(void)
{
	struct nvp_text t = { 0 };

	nvp_json_begin(&t, NULL, '{');
	nvp_json_string(&t, "a", "x");
	nvp_json_begin(&t, "list", '[');
	nvp_json_u64(&t, NULL, 1);
	nvp_json_u64(&t, NULL, 2);
	nvp_json_begin(&t, NULL, '{');
	nvp_json_end(&t, '}');
	nvp_json_begin(&t, NULL, '[');
	nvp_json_end(&t, ']');
	nvp_json_string(&t, NULL, ",");
	nvp_json_string(&t, NULL, "{");
	nvp_json_end(&t, ']');
	nvp_json_bool(&t, "t", true);
	nvp_json_bool(&t, "f", false);
	nvp_json_string(&t, "n", NULL);
	nvp_json_raw(&t, "r", "{\"q\":[]}");
	nvp_json_end(&t, '}');
	nvp_text_add(&t, "\n");
	nvp_json_begin(&t, NULL, '{');
	nvp_json_end(&t, '}');
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t),
			       "{\"a\":\"x\",\"list\":[1,2,{},[],\",\",\"{\"],\"t\":true,\"f\":false,"
			       "\"n\":null,\"r\":{\"q\":[]}}\n{}");
	nvp_text_free(&t);
}

static void json_numbers_are_exact(void)
{
	struct nvp_text t = { 0 };

	nvp_json_begin(&t, NULL, '[');
	nvp_json_u64(&t, NULL, 9007199254740991);
	nvp_json_u64(&t, NULL, 9007199254740992);	/* no number any more */
	nvp_json_i64(&t, NULL, -5);
	nvp_json_i64(&t, NULL, INT64_MIN);
	nvp_json_big(&t, NULL, UINT64_MAX);
	nvp_json_hex(&t, NULL, UINT64_C(0xFEDCBA9876543210));
	nvp_json_hex(&t, NULL, 0);
	nvp_json_end(&t, ']');
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t),
			       "[9007199254740991,\"9007199254740992\",-5,\"-9223372036854775808\","
			       "\"18446744073709551615\",\"0xfedcba9876543210\",\"0x0\"]");
	nvp_text_free(&t);
}

static void check_double(double value, const char *text)
{
	struct nvp_text t = { 0 };

	nvp_json_double(&t, NULL, value);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t), text);
	nvp_text_free(&t);
}

static void json_doubles_read_back_the_same(void)
{
	static const double values[] = { 0.1, 1.0 / 3, 1e300, 5e-324, -2.5, 123456789.123456789 };

	check_double(0.1, "0.1");
	check_double(-2.5, "-2.5");
	check_double(0, "0");
	check_double(1e21, "1e+21");
	check_double(NAN, "null");
	check_double(INFINITY, "null");
	check_double(-INFINITY, "null");
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct nvp_text t = { 0 };

		nvp_json_double(&t, NULL, values[i]);
		CU_ASSERT_TRUE(strtod(nvp_text_str(&t), NULL) == values[i]);
		nvp_text_free(&t);
	}
}

static void check_json(const char *string, const char *quoted)
{
	struct nvp_text t = { 0 };

	nvp_text_add_json(&t, string);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t), quoted);
	nvp_text_free(&t);
}

#define BAD "\xef\xbf\xbd"

static void json_strings_are_always_valid(void)
{
	check_json("", "\"\"");
	check_json("a\"b\\c/", "\"a\\\"b\\\\c/\"");
	check_json("\n\t\r\b\x01\x1f\x7f", "\"\\n\\t\\u000d\\u0008\\u0001\\u001f\\u007f\"");
	check_json("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
	check_json("\x80", "\"" BAD "\"");
	check_json("\xff" "a", "\"" BAD "a\"");
	check_json("\xc3", "\"" BAD "\"");			/* cut off by the end */
	check_json("\xe2\x82", "\"" BAD BAD "\"");
	check_json("\xe2\x82x", "\"" BAD BAD "x\"");
	check_json("\xc0\xaf", "\"" BAD BAD "\"");		/* overlong '/' */
	check_json("\xe0\x80\xaf", "\"" BAD BAD BAD "\"");
	check_json("\xf0\x80\x80\xaf", "\"" BAD BAD BAD BAD "\"");
	check_json("\xed\xa0\x80", "\"" BAD BAD BAD "\"");	/* surrogate */
	check_json("\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\"");	/* beyond U+10FFFF */
	check_json("\xf5\x80\x80\x80", "\"" BAD BAD BAD BAD "\"");
}

static void xml_strings_are_always_valid(void)
{
	struct nvp_text t = { 0 };

	nvp_text_add_xml(&t, "<a b=\"c\" d='e'>&\n\t\x01\x1b\xef\xbf\xbf\xed\xa0\x80\xc3\xa9");
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&t),
			       "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;&#10;&#9;" BAD BAD BAD
			       BAD BAD BAD "\xc3\xa9");
	nvp_text_free(&t);
}

static void check_u128(const uint8_t bytes[16], const char *decimal)
{
	char text[40];

	CU_ASSERT_STRING_EQUAL(nvp_u128_text(bytes, text), decimal);
}

static void u128_is_exact(void)
{
	uint8_t bytes[16] = { 0 };

	check_u128(bytes, "0");
	bytes[0] = 10;
	check_u128(bytes, "10");
	bytes[0] = 0;
	bytes[8] = 1;
	check_u128(bytes, "18446744073709551616");
	memset(bytes, 0xff, 8);
	bytes[8] = 0;
	check_u128(bytes, "18446744073709551615");
	memset(bytes, 0xff, 16);
	check_u128(bytes, "340282366920938463463374607431768211455");
	memset(bytes, 0, 16);
	bytes[15] = 0x80;
	check_u128(bytes, "170141183460469231731687303715884105728");
}

static void ascii_of_a_drive_is_tamed(void)
{
	char text[21];
	char *exact = malloc(3);	/* so that ASan sees a read behind it */

	CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
	memcpy(exact, "abc", 3);
	CU_ASSERT_STRING_EQUAL(nvp_ascii_text(exact, 3, text), "abc");
	free(exact);
	CU_ASSERT_STRING_EQUAL(nvp_ascii_text("SN 1        ", 12, text), "SN 1");
	CU_ASSERT_STRING_EQUAL(nvp_ascii_text("ab\0\0 \0", 6, text), "ab");
	CU_ASSERT_STRING_EQUAL(nvp_ascii_text("\0a\x1b[2J\x7f\xff", 8, text), "?a?[2J??");
	CU_ASSERT_STRING_EQUAL(nvp_ascii_text("        ", 8, text), "");
	CU_ASSERT_STRING_EQUAL(nvp_ascii_text("xyz", 0, text), "");
	CU_ASSERT_STRING_EQUAL(nvp_ascii_text("12345678901234567890", 20, text),
			       "12345678901234567890");
}

CU_TestInfo nvp_unit_text[] = {
	{ "empty_text_is_a_string", empty_text_is_a_string },
	{ "text_grows_and_is_cleared", text_grows_and_is_cleared },
	{ "failed_text_stays_valid", failed_text_stays_valid },
	{ "json_commas_and_nesting", json_commas_and_nesting },
	{ "json_numbers_are_exact", json_numbers_are_exact },
	{ "json_doubles_read_back_the_same", json_doubles_read_back_the_same },
	{ "json_strings_are_always_valid", json_strings_are_always_valid },
	{ "xml_strings_are_always_valid", xml_strings_are_always_valid },
	{ "u128_is_exact", u128_is_exact },
	{ "ascii_of_a_drive_is_tamed", ascii_of_a_drive_is_tamed },
	CU_TEST_INFO_NULL,
};
