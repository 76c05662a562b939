// SPDX-License-Identifier: GPL-2.0-or-later
// Waiver files: strict reading, and what a waiver covers and when it ends.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/run/waive.h"
#include "tests/unit/unit.h"

static void nothing(struct nvp_t *t)
{
	(void)t;
}

static const struct nvp_case cases[] = {
	{ NVP_CASE, .id = "io.write", .title = "it holds", .run = nothing,
	  .spec = { .document = "d", .revision = "1", .section = "1" } },
	{ NVP_CASE, .id = "log.smart", .title = "it holds", .run = nothing,
	  .variants = NVP_LIST("a", "b"),
	  .spec = { .document = "d", .revision = "1", .section = "1" } },
};

static struct nvp_registry *registry(void)
{
	static const struct nvp_suite suite = {
		.abi = NVP_CASE_ABI, .record_bytes = sizeof(struct nvp_case), .name = "made",
		.cases = cases, .nr_cases = 2,
	};
	static const struct nvp_suite *const suites[] = { &suite, NULL };

	return nvp_registry_new(suites, NULL);
}

/* Read a waiver file with this content; 0 or what nvp_waivers_read gave. */
static int read_text(const char *content, struct nvp_waivers *waivers, struct nvp_err *err)
{
	char path[] = "/tmp/nvproof-waive-XXXXXX";
	const char *files[] = { path };
	struct nvp_registry *r = registry();
	int fd = mkstemp(path), rc;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(write(fd, content, strlen(content)), (ssize_t)strlen(content));
	close(fd);
	memset(err, 0, sizeof(*err));
	rc = nvp_waivers_read(waivers, files, 1, r, err);
	for (size_t i = 0; i < waivers->nr; i++)
		waivers->list[i].file = "gone";
	unlink(path);
	nvp_registry_free(r);
	return rc;
}

static void refused(const char *content, const char *word)
{
	struct nvp_waivers waivers;
	struct nvp_err err;
	char text[400];

	CU_ASSERT_NOT_EQUAL(read_text(content, &waivers, &err), 0);
	CU_ASSERT_EQUAL(nvp_err_exit_code(err.kind), 2);
	nvp_err_text(&err, text, sizeof(text));
	if (!strstr(text, word))
		printf("'%s' is not in '%s'\n", word, text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, word));
	CU_ASSERT_EQUAL(waivers.nr, 0);
}

#define ENOUGH "case=io.write\nevidence=seen by hand\nexpires=2030-01-01\n"

static void a_whole_waiver_is_read(void)
{
	struct nvp_waivers waivers;
	struct nvp_err err;

	CU_ASSERT_EQUAL_FATAL(
		read_text("# why\n[waiver first]\ncase = log.*\nmodel = QEMU*\nfirmware = 1.0\n"
			  "path = kernel\nclass = wrong-status\nevidence = nvme get-log shows it\n"
			  "bug = https://example.org/1\nuntil-firmware-changes = yes\n"
			  "[waiver second]\n" ENOUGH, &waivers, &err), 0);
	CU_ASSERT_EQUAL_FATAL(waivers.nr, 2);
	CU_ASSERT_STRING_EQUAL(waivers.list[0].name, "first");
	CU_ASSERT_STRING_EQUAL(waivers.list[0].model, "QEMU*");
	CU_ASSERT_STRING_EQUAL(waivers.list[0].evidence, "nvme get-log shows it");
	CU_ASSERT_STRING_EQUAL(waivers.list[0].bug, "https://example.org/1");
	CU_ASSERT_TRUE(waivers.list[0].until_firmware_changes);
	CU_ASSERT_PTR_NULL(waivers.list[1].model);
	CU_ASSERT_STRING_EQUAL(waivers.list[1].expires, "2030-01-01");
	nvp_waivers_free(&waivers);
}

static void a_waiver_without_its_parts_is_refused(void)
{
	refused("[waiver w]\nevidence=e\nexpires=2030-01-01\n", "no case=");
	refused("[waiver w]\ncase=io.write\nexpires=2030-01-01\n", "no evidence=");
	refused("[waiver w]\ncase=io.write\nevidence=e\n", "expires=YYYY-MM-DD");
	refused("[waiver w]\n" ENOUGH "firmware=1\nuntil-firmware-changes=yes\n",
		"either expires=");
	refused("[waiver w]\ncase=io.write\nevidence=e\nuntil-firmware-changes=yes\n",
		"no firmware=");
	refused("[waiver w]\ncase=io.write\nevidence=\nexpires=2030-01-01\n", "no value");
}

static void a_wrong_word_is_refused_with_the_nearest(void)
{
	refused("[waiver w]\n" ENOUGH "modle=x\n", "model");
	refused("[waiver w]\n" ENOUGH "path=usb\n", "path=");
	refused("[waiver w]\n" ENOUGH "case=io.*\n", "twice");
	refused("[waver w]\n" ENOUGH, "[waiver NAME]");
	refused(ENOUGH, "[waiver NAME]");
	refused("[waiver w]\n" ENOUGH "[waiver x]\n" ENOUGH "[waiver w]\n" ENOUGH, "second waiver");
	refused("[waiver w]\ncase=io.wirte\nevidence=e\nexpires=2030-01-01\n", "io.write");
}

static void a_day_is_a_day_of_the_calendar(void)
{
	refused("[waiver w]\ncase=io.*\nevidence=e\nexpires=2030-02-31\n", "no day");
	refused("[waiver w]\ncase=io.*\nevidence=e\nexpires=tomorrow\n", "no day");
	refused("[waiver w]\ncase=io.*\nevidence=e\nexpires=2030-1-1\n", "no day");
}

static void what_would_be_cut_silently_is_refused(void)
{
	char content[600];

	snprintf(content, sizeof(content), "[waiver w]\ncase=io.*\nexpires=2030-01-01\n"
		 "evidence=%0300d\n", 7);
	refused(content, "longer than 197");
	snprintf(content, sizeof(content), "[waiver %060d]\n" ENOUGH, 7);
	refused(content, "longer than 49");
	refused("[waiver w]\ncase=io.*\n  more\n", "neither");
}

static void a_waiver_covers_what_all_its_globs_match(void)
{
	struct nvp_waiver w = {
		.case_glob = (char *)"log.*", .model = (char *)"QEMU*", .path = (char *)"kernel",
		.expires = (char *)"2026-12-01",
	};
	struct nvp_waiver_drive drive = {
		.model = "QEMU NVMe Ctrl", .firmware = "7.2", .path = "kernel",
		.today = "2026-12-01",
	};

	CU_ASSERT_EQUAL(nvp_waiver_match(&w, "log.smart@a", &drive), NVP_WAIVER_COUNTS);
	CU_ASSERT_EQUAL(nvp_waiver_match(&w, "io.write", &drive), NVP_WAIVER_OTHER);
	drive.path = "sim";
	CU_ASSERT_EQUAL(nvp_waiver_match(&w, "log.smart@a", &drive), NVP_WAIVER_OTHER);
	w.path = (char *)"*";
	CU_ASSERT_EQUAL(nvp_waiver_match(&w, "log.smart@a", &drive), NVP_WAIVER_COUNTS);
	drive.model = "other";
	CU_ASSERT_EQUAL(nvp_waiver_match(&w, "log.smart@a", &drive), NVP_WAIVER_OTHER);
	drive.model = "QEMU";
	drive.today = "2026-12-02";
	CU_ASSERT_EQUAL(nvp_waiver_match(&w, "log.smart@a", &drive), NVP_WAIVER_EXPIRED);
}

static void a_waiver_can_end_with_the_firmware(void)
{
	struct nvp_waiver w = {
		.case_glob = (char *)"io.write", .firmware = (char *)"1.0",
		.until_firmware_changes = true,
	};
	struct nvp_waiver_drive drive = {
		.model = "m", .firmware = "1.0", .path = "sim", .today = "2099-01-01",
	};

	CU_ASSERT_EQUAL(nvp_waiver_match(&w, "io.write", &drive), NVP_WAIVER_COUNTS);
	drive.firmware = "1.1";
	CU_ASSERT_EQUAL(nvp_waiver_match(&w, "io.write", &drive), NVP_WAIVER_FIRMWARE_CHANGED);
	w.until_firmware_changes = false;
	w.expires = (char *)"2100-01-01";
	CU_ASSERT_EQUAL(nvp_waiver_match(&w, "io.write", &drive), NVP_WAIVER_OTHER);
}

CU_TestInfo nvp_unit_waive[] = {
	{ "a_whole_waiver_is_read", a_whole_waiver_is_read },
	{ "a_waiver_without_its_parts_is_refused", a_waiver_without_its_parts_is_refused },
	{ "a_wrong_word_is_refused_with_the_nearest", a_wrong_word_is_refused_with_the_nearest },
	{ "a_day_is_a_day_of_the_calendar", a_day_is_a_day_of_the_calendar },
	{ "what_would_be_cut_silently_is_refused", what_would_be_cut_silently_is_refused },
	{ "a_waiver_covers_what_all_its_globs_match", a_waiver_covers_what_all_its_globs_match },
	{ "a_waiver_can_end_with_the_firmware", a_waiver_can_end_with_the_firmware },
	CU_TEST_INFO_NULL,
};
