// SPDX-License-Identifier: GPL-2.0-or-later
// Runs unit tests without CUnit, on another byte order or width: every test of the list, each counted.

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

static struct {
	unsigned long asserts;
	unsigned wrong;		/* in the test that runs */
	jmp_buf out;
} state;

void nvp_portable_assert(int holds, int fatal, const char *condition, const char *file, int line)
{
	state.asserts++;
	if (holds)
		return;
	if (state.wrong++ < 10)
		printf("    %s:%d  %s\n", file, line, condition);
	if (fatal)
		longjmp(state.out, 1);
}

/* Does every condition hold? */
static int good(const CU_TestInfo *test)
{
	state.wrong = 0;
	if (!setjmp(state.out))
		test->pTestFunc();
	return !state.wrong;
}

int main(void)
{
	unsigned passed = 0, failed = 0;

	for (const struct nvp_unit_suite *suite = nvp_unit_suites; suite->name; suite++) {
		for (const CU_TestInfo *test = suite->tests; test->pName; test++) {
			if (good(test)) {
				passed++;
				continue;
			}
			printf("FAIL %s/%s\n", suite->name, test->pName);
			failed++;
		}
	}
	printf("%zu-bit, %s byte first: %lu conditions\n@counts passed=%u failed=%u skipped=0\n",
	       8 * sizeof(void *), *(const char *)&(const int){ 1 } ? "lowest" : "highest",
	       state.asserts, passed, failed);
	return failed || !passed ? EXIT_FAILURE : EXIT_SUCCESS;
}
