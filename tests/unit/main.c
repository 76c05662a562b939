// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the unit tests: unit [GLOB], where GLOB picks suites (`parse*`) or tests (`parse/*size*`).

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tests/unit/unit.h"

static bool wanted(const char *glob, const char *suite, const char *test)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", suite, test);
	return !fnmatch(glob, suite, 0) || !fnmatch(glob, path, 0);
}

/* Returns how many tests were added, or -1. A suite of which no test is wanted is not added. */
static int add_suite(const struct nvp_unit_suite *us, const char *glob)
{
	CU_pSuite suite = NULL;
	int added = 0;

	for (const CU_TestInfo *ti = us->tests; ti->pName; ti++) {
		if (!wanted(glob, us->name, ti->pName))
			continue;
		if (!suite)
			suite = CU_add_suite(us->name, NULL, NULL);
		if (!suite || !CU_add_test(suite, ti->pName, ti->pTestFunc)) {
			fprintf(stderr, "unit: cannot add %s/%s: %s\n", us->name, ti->pName,
				CU_get_error_msg());
			return -1;
		}
		added++;
	}
	return added;
}

/* CUnit's own return codes are 0 when assertions fail and when a suite did not run: count instead. */
static bool all_good(CU_ErrorCode ran, unsigned int expected)
{
	return ran == CUE_SUCCESS && !CU_get_number_of_failures() &&
	       !CU_get_number_of_suites_failed() && !CU_get_number_of_tests_failed() &&
	       CU_get_number_of_tests_run() == expected;
}

int main(int argc, char **argv)
{
	const char *glob = argc > 1 ? argv[1] : "*";
	unsigned int expected = 0;
	unsigned int failed;
	CU_ErrorCode ran;
	bool good;

	if (argc > 2) {
		fprintf(stderr, "usage: unit [GLOB]\n");
		return 2;
	}
	if (CU_initialize_registry() != CUE_SUCCESS) {
		fprintf(stderr, "unit: %s\n", CU_get_error_msg());
		return 3;
	}
	for (const struct nvp_unit_suite *us = nvp_unit_suites; us->name; us++) {
		int added = add_suite(us, glob);

		if (added < 0)
			return 3;
		expected += (unsigned int)added;
	}
	if (!expected) {
		fprintf(stderr, "unit: no test matches '%s'\n", glob);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);	/* a crash must not hide the name of its test */
	CU_basic_set_mode(CU_BRM_VERBOSE);
	ran = CU_basic_run_tests();

	/* Read before the registry goes: cleaning it up zeroes the counters. */
	good = all_good(ran, expected);
	failed = CU_get_number_of_tests_failed();
	if (!good && !failed)
		failed = 1;
	CU_cleanup_registry();
	printf("\n@counts passed=%u failed=%u skipped=0\n",
	       expected > failed ? expected - failed : 0, failed);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
