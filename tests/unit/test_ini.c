// SPDX-License-Identifier: GPL-2.0-or-later
// INI files: entries with their line, and every way of being cut silently refused.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/ini.h"
#include "core/base/text.h"
#include "tests/unit/unit.h"

static int note_entry(void *context, const struct nvp_ini_entry *entry, struct nvp_err *err)
{
	if (!strcmp(entry->key, "stop"))
		return nvp_err_set(err, NVP_ERR_USAGE, -EDOM, "stopped at %u", entry->line);
	nvp_text_addf(context, "%u[%s]%s=%s\n", entry->line, entry->section, entry->key,
		      entry->value);
	return 0;
}

/* What reading these bytes gave; *rc and *err as the call left them. */
static void read_bytes(const char *bytes, size_t nr, struct nvp_text *seen, int *rc,
		       struct nvp_err *err)
{
	char path[] = "/tmp/nvp-ini-XXXXXX";
	int fd = mkstemp(path);

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_FATAL(write(fd, bytes, nr) == (ssize_t)nr);
	close(fd);
	memset(err, 0, sizeof(*err));
	*rc = nvp_ini_read(path, note_entry, seen, err);
	unlink(path);
}

static void entries_come_with_section_and_line(void)
{
	static const char text[] = "# top\na = 1\n\n[waiver one]\n  case=x.*   ; why\n\tb= 2 3\r\n";
	struct nvp_text seen = { 0 };
	struct nvp_err err;
	int rc;

	read_bytes(text, strlen(text), &seen, &rc, &err);
	CU_ASSERT_EQUAL(rc, 0);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&seen),
			       "2[]a=1\n5[waiver one]case=x.*\n6[waiver one]b=2 3\n");
	nvp_text_free(&seen);
}

static void refused(const char *bytes, size_t nr, const char *part)
{
	struct nvp_text seen = { 0 };
	struct nvp_err err;
	int rc;

	read_bytes(bytes, nr, &seen, &rc, &err);
	CU_ASSERT_EQUAL(rc, -EINVAL);
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, part));
	nvp_text_free(&seen);
}

static void what_the_library_would_cut_is_refused(void)
{
	char line[400] = "a=1\nb=";

	memset(line + 6, 'x', 196);
	refused(line, strlen(line), ":2: the line is longer");
	refused("[0123456789012345678901234567890123456789012345678X]\na=1\n", 57, ":1: the section");
	refused("a=1\nb=\0c\n", 9, ":2: a NUL");
	refused("a=1\nnonsense\nb=2\n", 17, ":2: neither");
	refused("[open\na=1\n", 10, ":1: neither");
}

static void the_longest_line_and_section_are_taken_whole(void)
{
	char line[400] = "[0123456789012345678901234567890123456789012345678]\nb=";
	struct nvp_text seen = { 0 };
	struct nvp_err err;
	int rc;

	memset(line + strlen(line), 'x', 195);
	read_bytes(line, strlen(line), &seen, &rc, &err);
	CU_ASSERT_EQUAL(rc, 0);
	CU_ASSERT_EQUAL(strlen(nvp_text_str(&seen)), 1 + 51 + 2 + 195 + 1);
	nvp_text_free(&seen);
}

static void an_error_of_the_taker_ends_it(void)
{
	struct nvp_text seen = { 0 };
	struct nvp_err err;
	int rc;

	read_bytes("a=1\nstop=\nb=2\n", 14, &seen, &rc, &err);
	CU_ASSERT_EQUAL(rc, -EDOM);
	CU_ASSERT_STRING_EQUAL(err.what, "stopped at 2");
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&seen), "1[]a=1\n");
	nvp_text_free(&seen);
}

static void a_file_that_is_not_there_is_named(void)
{
	struct nvp_err err = { 0 };

	CU_ASSERT_EQUAL(nvp_ini_read("/nonexistent/x.ini", note_entry, NULL, &err), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "/nonexistent/x.ini"));
}

extern CU_TestInfo nvp_unit_ini[];
CU_TestInfo nvp_unit_ini[] = {
	{ "entries_come_with_section_and_line", entries_come_with_section_and_line },
	{ "what_the_library_would_cut_is_refused", what_the_library_would_cut_is_refused },
	{ "the_longest_line_and_section_are_taken_whole",
	  the_longest_line_and_section_are_taken_whole },
	{ "an_error_of_the_taker_ends_it", an_error_of_the_taker_ends_it },
	{ "a_file_that_is_not_there_is_named", a_file_that_is_not_there_is_named },
	CU_TEST_INFO_NULL
};
