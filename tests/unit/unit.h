/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the unit test program knows of its suites; the list itself is written by make. */
#ifndef NVP_TESTS_UNIT_H
#define NVP_TESTS_UNIT_H

#include <CUnit/CUnit.h>

/* tests/unit/test_<name>.c defines `CU_TestInfo nvp_unit_<name>[]`, ended by CU_TEST_INFO_NULL. */
struct nvp_unit_suite {
	const char *name;
	CU_TestInfo *tests;
};

extern const struct nvp_unit_suite nvp_unit_suites[];	/* ended by a NULL name */

#endif
