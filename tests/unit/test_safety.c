// SPDX-License-Identifier: GPL-2.0-or-later
// What may be done to a real drive, exit codes, and which of two weighs more.

#include <stdio.h>
#include <string.h>

#include "core/run/slot.h"
#include "tests/unit/unit.h"

static const char *const right[] = { "OTHER", "S123" };
static const char *const wrong[] = { "OTHER" };

static struct nvp_safety drive(int in_use)
{
	return (struct nvp_safety){
		.address = "/dev/nvme7n1", .serial = "S123", .in_use = in_use,
		.in_use_text = "mounted on /srv",
	};
}

/* What is judged of a request; the line for the user goes to text. */
static int judge(int in_use, const struct nvp_run_request *request, char text[400])
{
	struct nvp_safety d = drive(in_use);
	struct nvp_err err = { 0 };
	int rc = nvp_safety_judge(&d, request, &err);

	nvp_err_text(&err, text, 400);
	CU_ASSERT_EQUAL(rc != 0, nvp_err_exit_code(err.kind) == 4);
	return rc;
}

static void reading_needs_no_confirmation(void)
{
	struct nvp_run_request request = { 0 };
	char text[400];

	CU_ASSERT_EQUAL(judge(0, &request, text), 0);
	CU_ASSERT_EQUAL(judge(1, &request, text), 0);
	CU_ASSERT_EQUAL(judge(2, &request, text), 0);
}

static void a_wrong_serial_is_refused_even_for_reading(void)
{
	struct nvp_run_request request = { .serials = wrong, .nr_serials = 1 };
	char text[400];

	CU_ASSERT_NOT_EQUAL(judge(0, &request, text), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "--serial S123"));
	request.force = true;
	CU_ASSERT_NOT_EQUAL(judge(0, &request, text), 0);
}

static void a_change_needs_the_serial(void)
{
	struct nvp_run_request request = { .allow = NVP_IMPACT_STATE, .force = true };
	char text[400];

	CU_ASSERT_NOT_EQUAL(judge(0, &request, text), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "--serial S123"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "/dev/nvme7n1"));
	request.serials = right;
	request.nr_serials = 2;
	CU_ASSERT_EQUAL(judge(0, &request, text), 0);
}

static void a_signature_needs_force(void)
{
	struct nvp_run_request request = {
		.allow = NVP_IMPACT_STATE, .serials = right, .nr_serials = 2,
	};
	char text[400];

	CU_ASSERT_NOT_EQUAL(judge(1, &request, text), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "--force"));
	request.force = true;
	CU_ASSERT_EQUAL(judge(1, &request, text), 0);
}

static void a_drive_in_use_is_refused_whatever_is_forced(void)
{
	struct nvp_run_request request = {
		.allow = NVP_IMPACT_STATE, .serials = right, .nr_serials = 2, .force = true,
	};
	char text[400];

	CU_ASSERT_NOT_EQUAL(judge(2, &request, text), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "mounted on /srv"));
}

/* A new simulated drive has used 0 %: that is below 1 and not below 0. */
static void wear_is_what_smart_says(void)
{
	struct nvp_err err = { 0 };
	struct nvp_prepared *prepared = nvp_drive_prepare("sim:", 1, 0, &err);
	struct nvp_drive *drive = nvp_drive_open(prepared, NULL, 1, &err);
	char why[300] = "";

	CU_ASSERT_PTR_NOT_NULL_FATAL(drive);
	nvp_drive_permit(drive, NVP_IMPACT_READ);
	CU_ASSERT_FALSE(nvp_safety_worn(drive, 1, why, sizeof(why)));
	CU_ASSERT_STRING_EQUAL(why, "");
	CU_ASSERT_TRUE(nvp_safety_worn(drive, 0, why, sizeof(why)));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "--wear-limit"));
	nvp_drive_close(drive);
	nvp_drive_discard(prepared);
}

static void exit_codes_have_their_precedence(void)
{
	static const int order[] = { 4, 2, 130, 143, 1, 3, 0 };

	for (size_t a = 0; a < 7; a++) {
		for (size_t b = a; b < 7; b++) {
			CU_ASSERT_EQUAL(nvp_worse_exit(order[a], order[b]), order[a]);
			CU_ASSERT_EQUAL(nvp_worse_exit(order[b], order[a]), order[a]);
		}
	}
}

CU_TestInfo nvp_unit_safety[] = {
	{ "reading_needs_no_confirmation", reading_needs_no_confirmation },
	{ "a_wrong_serial_is_refused_even_for_reading", a_wrong_serial_is_refused_even_for_reading },
	{ "a_change_needs_the_serial", a_change_needs_the_serial },
	{ "a_signature_needs_force", a_signature_needs_force },
	{ "a_drive_in_use_is_refused_whatever_is_forced",
	  a_drive_in_use_is_refused_whatever_is_forced },
	{ "wear_is_what_smart_says", wear_is_what_smart_says },
	{ "exit_codes_have_their_precedence", exit_codes_have_their_precedence },
	CU_TEST_INFO_NULL,
};
