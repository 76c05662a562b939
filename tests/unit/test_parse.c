// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of parsing: good words give the number, bad ones an error and leave the value alone.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/parse.h"
#include "tests/unit/unit.h"

#define UNTOUCHED UINT64_C(0x5555)

struct number_row {
	const char *text;
	int rc;
	uint64_t value;
};

static void check_rows(const struct number_row *rows, size_t nr,
		       int (*parse)(const char *text, uint64_t *value))
{
	for (size_t i = 0; i < nr; i++) {
		uint64_t value = UNTOUCHED;
		int rc = parse(rows[i].text, &value);

		if (rc != rows[i].rc || value != (rc ? UNTOUCHED : rows[i].value)) {
			printf("\n    '%s' gave %d and %llu\n", rows[i].text, rc,
			       (unsigned long long)value);
			CU_FAIL("parsed wrongly");
		}
	}
}

#define CHECK_ROWS(rows, parse) check_rows(rows, sizeof(rows) / sizeof((rows)[0]), parse)

static void u64(void)
{
	static const struct number_row rows[] = {
		{ "0", 0, 0 }, { "7", 0, 7 }, { "007", 0, 7 }, { "0x1F", 0, 31 },
		{ "0x09abcdef", 0, 0x09abcdef }, { "0x09ABCDEF", 0, 0x09abcdef }, { "0x`", -EINVAL, 0 },
		{ "0x@", -EINVAL, 0 }, { "0xG", -EINVAL, 0 }, { "0x/", -EINVAL, 0 }, { "0x:", -EINVAL, 0 },
		{ "0Xff", 0, 255 },
		{ "18446744073709551615", 0, UINT64_MAX }, { "0xffffffffffffffff", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 }, { "0x10000000000000000", -ERANGE, 0 },
		{ "99999999999999999999999", -ERANGE, 0 },
		{ "99999999999999999999999z", -EINVAL, 0 },
		{ "", -EINVAL, 0 }, { " 1", -EINVAL, 0 }, { "1 ", -EINVAL, 0 }, { "+1", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 }, { "1a", -EINVAL, 0 }, { "0x", -EINVAL, 0 }, { "0xg", -EINVAL, 0 },
		{ "a", -EINVAL, 0 }, { "1.0", -EINVAL, 0 }, { "1e3", -EINVAL, 0 },
	};

	CHECK_ROWS(rows, nvp_parse_u64);
}

static void u64_range(void)
{
	uint64_t value = UNTOUCHED;

	CU_ASSERT_EQUAL(nvp_parse_u64_range("4", 5, 9, &value), -ERANGE);
	CU_ASSERT_EQUAL(nvp_parse_u64_range("10", 5, 9, &value), -ERANGE);
	CU_ASSERT_EQUAL(nvp_parse_u64_range("x", 5, 9, &value), -EINVAL);
	CU_ASSERT_EQUAL(value, UNTOUCHED);
	CU_ASSERT_EQUAL(nvp_parse_u64_range("5", 5, 9, &value), 0);
	CU_ASSERT_EQUAL(value, 5);
	CU_ASSERT_EQUAL(nvp_parse_u64_range("9", 5, 9, &value), 0);
	CU_ASSERT_EQUAL(value, 9);
}

static void size(void)
{
	static const struct number_row rows[] = {
		{ "0", 0, 0 }, { "512", 0, 512 }, { "512B", 0, 512 }, { "4K", 0, 4096 },
		{ "4k", 0, 4096 }, { "4KiB", 0, 4096 }, { "4kB", 0, 4000 }, { "1M", 0, 1 << 20 },
		{ "1MiB", 0, 1 << 20 }, { "1MB", 0, 1000000 }, { "1G", 0, 1 << 30 },
		{ "1.5G", 0, 1610612736 }, { "0.5K", 0, 512 }, { "1.92TB", 0, 1920000000000 },
		{ "2T", 0, UINT64_C(2) << 40 }, { "1PiB", 0, UINT64_C(1) << 50 },
		{ "16383P", 0, UINT64_C(16383) << 50 }, { "16384P", -ERANGE, 0 },
		{ "18446744073709551615", 0, UINT64_MAX }, { "18446744073709551616", -ERANGE, 0 },
		{ "1.1G", -EINVAL, 0 },		/* no whole number of bytes */
		{ "1.5", -EINVAL, 0 }, { "1.", -EINVAL, 0 }, { ".5G", -EINVAL, 0 },
		{ "1.5.5G", -EINVAL, 0 }, { "", -EINVAL, 0 }, { "G", -EINVAL, 0 },
		{ "1 G", -EINVAL, 0 }, { "1KB", -EINVAL, 0 }, { "1g", -EINVAL, 0 },
		{ "1GiBs", -EINVAL, 0 }, { "-1G", -EINVAL, 0 }, { "0x10", -EINVAL, 0 },
		{ "0.99999999999999999999999G", -ERANGE, 0 },
	};

	CHECK_ROWS(rows, nvp_parse_size);
}

static void duration(void)
{
	static const struct number_row rows[] = {
		{ "0", 0, 0 }, { "10s", 0, UINT64_C(10000000000) }, { "10", 0, UINT64_C(10000000000) },
		{ "3ms", 0, 3000000 }, { "5us", 0, 5000 }, { "7ns", 0, 7 },
		{ "2m", 0, UINT64_C(120000000000) }, { "2min", 0, UINT64_C(120000000000) },
		{ "1h", 0, UINT64_C(3600000000000) }, { "1d", 0, UINT64_C(86400000000000) },
		{ "1.5us", 0, 1500 }, { "0.25", 0, 250000000 },
		{ "0.5ns", -EINVAL, 0 }, { "1 s", -EINVAL, 0 }, { "s", -EINVAL, 0 }, { "", -EINVAL, 0 },
		{ "1S", -EINVAL, 0 }, { "-1s", -EINVAL, 0 }, { "300000d", -ERANGE, 0 },
	};

	CHECK_ROWS(rows, nvp_parse_duration);
}

static void boolean(void)
{
	static const char *const yes[] = { "on", "yes", "true", "1" };
	static const char *const no[] = { "off", "no", "false", "0" };
	bool value;

	for (int i = 0; i < 4; i++) {
		value = false;
		CU_ASSERT_EQUAL(nvp_parse_bool(yes[i], &value), 0);
		CU_ASSERT_TRUE(value);
		CU_ASSERT_EQUAL(nvp_parse_bool(no[i], &value), 0);
		CU_ASSERT_FALSE(value);
	}
	value = true;
	CU_ASSERT_EQUAL(nvp_parse_bool("", &value), -EINVAL);
	CU_ASSERT_EQUAL(nvp_parse_bool("of", &value), -EINVAL);
	CU_ASSERT_EQUAL(nvp_parse_bool("2", &value), -EINVAL);
	CU_ASSERT_TRUE(value);
}

static void real_number(void)
{
	static const char *const bad[] = {
		"", " 1", "1 ", "nan", "inf", "-inf", "0x10", "1,5", "1e", "--1", "e5", ".", "1.5.5",
	};
	double value = 0;

	CU_ASSERT_EQUAL(nvp_parse_double("-1.5e3", &value), 0);
	CU_ASSERT_TRUE(value == -1500);
	CU_ASSERT_EQUAL(nvp_parse_double(".5", &value), 0);
	CU_ASSERT_TRUE(value == 0.5);
	CU_ASSERT_EQUAL(nvp_parse_double("1e999", &value), -ERANGE);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(nvp_parse_double(bad[i], &value), -EINVAL);
	CU_ASSERT_TRUE(value == 0.5);
}

static void bdf(void)
{
	static const char *const bad[] = {
		"", "01:00", "01:00.", "1:2:3:0.0", "0000:01:00.0x", "0000:01:00.00", "001:00.0", "01:000.0",
		":01:00.0", "g1:00.0", "01:00.0 ", "000000000:01:00.0", "01-00.0", "0000:01.00.0",
	};
	struct nvp_bdf got = { 0 };

	CU_ASSERT_EQUAL(nvp_parse_bdf("0001:5e:1f.7", &got), 0);
	CU_ASSERT_TRUE(got.domain == 1 && got.bus == 0x5e && got.device == 0x1f && got.function == 7);
	CU_ASSERT_EQUAL(nvp_parse_bdf("C0:02.1", &got), 0);
	CU_ASSERT_TRUE(got.domain == 0 && got.bus == 0xc0 && got.device == 2 && got.function == 1);
	CU_ASSERT_EQUAL(nvp_parse_bdf("10000:e1:00.0", &got), 0);	/* a VMD domain */
	CU_ASSERT_EQUAL(got.domain, 0x10000);
	CU_ASSERT_EQUAL(nvp_parse_bdf("0000:01:20.0", &got), -ERANGE);
	CU_ASSERT_EQUAL(nvp_parse_bdf("0000:01:00.8", &got), -ERANGE);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(nvp_parse_bdf(bad[i], &got), -EINVAL);
	CU_ASSERT_EQUAL(got.domain, 0x10000);
}

static void glob(void)
{
	CU_ASSERT_TRUE(nvp_glob_match("identify.*", "identify.version"));
	CU_ASSERT_TRUE(nvp_glob_match("*", ""));
	CU_ASSERT_TRUE(nvp_glob_match("a?c", "abc"));
	CU_ASSERT_TRUE(nvp_glob_match("[ab]c", "bc"));
	CU_ASSERT_FALSE(nvp_glob_match("identify", "identify.version"));
	CU_ASSERT_FALSE(nvp_glob_match("*.x", "a.y"));
	CU_ASSERT_FALSE(nvp_glob_match("[!a]", "a"));
}

static void pair(void)
{
	char both[] = "defect=name:k=v", alone[] = "word", empty[] = "key=";
	char *key, *value;

	nvp_split_pair(both, &key, &value);
	CU_ASSERT_STRING_EQUAL(key, "defect");
	CU_ASSERT_STRING_EQUAL(value, "name:k=v");
	nvp_split_pair(alone, &key, &value);
	CU_ASSERT_STRING_EQUAL(key, "word");
	CU_ASSERT_PTR_NULL(value);
	nvp_split_pair(empty, &key, &value);
	CU_ASSERT_STRING_EQUAL(key, "key");
	CU_ASSERT_STRING_EQUAL(value, "");
}

static const char *word_at(const void *list, size_t i)
{
	return ((const char *const *)list)[i];
}

static const char *near_key(const char *word)
{
	static const char *const keys[] = {
		"size", "lba", "ns", "controllers", "seed", "vwc", "profile", "identify.version",
	};

	return nvp_nearest(word, word_at, keys, sizeof(keys) / sizeof(keys[0]));
}

static void nearest(void)
{
	char longer[200];

	CU_ASSERT_PTR_NOT_NULL_FATAL(near_key("szie"));
	CU_ASSERT_STRING_EQUAL(near_key("szie"), "size");
	CU_ASSERT_STRING_EQUAL(near_key("sed"), "seed");
	CU_ASSERT_STRING_EQUAL(near_key("VWC"), "vwc");
	/* Of three letters one step is near: a swap of neighbours is one step, other two are not. */
	CU_ASSERT_PTR_NOT_NULL_FATAL(near_key("lab"));
	CU_ASSERT_STRING_EQUAL(near_key("lab"), "lba");
	CU_ASSERT_STRING_EQUAL(near_key("bla"), "lba");
	CU_ASSERT_PTR_NULL(near_key("abl"));
	CU_ASSERT_PTR_NULL(near_key("xyb"));
	CU_ASSERT_STRING_EQUAL(near_key("contollers"), "controllers");
	CU_ASSERT_STRING_EQUAL(near_key("idetify.verson"), "identify.version");
	CU_ASSERT_STRING_EQUAL(near_key("ident"), "identify.version");
	CU_ASSERT_PTR_NULL(near_key("banana"));
	CU_ASSERT_PTR_NULL(near_key(""));
	CU_ASSERT_PTR_NULL(near_key("q"));
	memset(longer, 's', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	CU_ASSERT_PTR_NULL(near_key(longer));
}

CU_TestInfo nvp_unit_parse[] = {
	{ "u64", u64 },
	{ "u64_range", u64_range },
	{ "size", size },
	{ "duration", duration },
	{ "boolean", boolean },
	{ "real_number", real_number },
	{ "bdf", bdf },
	{ "glob", glob },
	{ "pair", pair },
	{ "nearest", nearest },
	CU_TEST_INFO_NULL,
};
