/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the portable unit tests use of CUnit, for targets that CUnit is not packaged for. */
#ifndef NVP_PORTABLE_CUNIT_H
#define NVP_PORTABLE_CUNIT_H

/* As the header of the library is: what it compares is not warned about. */
#pragma GCC system_header

#include <string.h>

typedef struct {
	const char *pName;
	void (*pTestFunc)(void);
} CU_TestInfo;

#define CU_TEST_INFO_NULL { NULL, NULL }

/* main.c: count and tell a condition; a fatal one that does not hold ends the test. */
void nvp_portable_assert(int holds, int fatal, const char *condition, const char *file, int line);

#define CU_ASSERT(c) nvp_portable_assert(!!(c), 0, #c, __FILE__, __LINE__)
#define CU_ASSERT_FATAL(c) nvp_portable_assert(!!(c), 1, #c, __FILE__, __LINE__)
#define CU_FAIL(words) nvp_portable_assert(0, 0, words, __FILE__, __LINE__)
#define CU_FAIL_FATAL(words) nvp_portable_assert(0, 1, words, __FILE__, __LINE__)
#define CU_ASSERT_TRUE(c) CU_ASSERT(c)
#define CU_ASSERT_TRUE_FATAL(c) CU_ASSERT_FATAL(c)
#define CU_ASSERT_FALSE(c) CU_ASSERT(!(c))
#define CU_ASSERT_FALSE_FATAL(c) CU_ASSERT_FATAL(!(c))
#define CU_ASSERT_EQUAL(a, b) CU_ASSERT((a) == (b))
#define CU_ASSERT_EQUAL_FATAL(a, b) CU_ASSERT_FATAL((a) == (b))
#define CU_ASSERT_NOT_EQUAL(a, b) CU_ASSERT((a) != (b))
#define CU_ASSERT_NOT_EQUAL_FATAL(a, b) CU_ASSERT_FATAL((a) != (b))
#define CU_ASSERT_PTR_EQUAL(a, b) CU_ASSERT((const void *)(a) == (const void *)(b))
#define CU_ASSERT_PTR_NOT_EQUAL(a, b) CU_ASSERT((const void *)(a) != (const void *)(b))
#define CU_ASSERT_PTR_NULL(p) CU_ASSERT((p) == NULL)
#define CU_ASSERT_PTR_NULL_FATAL(p) CU_ASSERT_FATAL((p) == NULL)
#define CU_ASSERT_PTR_NOT_NULL(p) CU_ASSERT((p) != NULL)
#define CU_ASSERT_PTR_NOT_NULL_FATAL(p) CU_ASSERT_FATAL((p) != NULL)
#define CU_ASSERT_STRING_EQUAL(a, b) CU_ASSERT(!strcmp((a), (b)))
#define CU_ASSERT_STRING_EQUAL_FATAL(a, b) CU_ASSERT_FATAL(!strcmp((a), (b)))
#define CU_ASSERT_STRING_NOT_EQUAL(a, b) CU_ASSERT(strcmp((a), (b)) != 0)
#define CU_ASSERT_NSTRING_EQUAL(a, b, n) CU_ASSERT(!strncmp((a), (b), (n)))
#define CU_ASSERT_DOUBLE_EQUAL(a, b, by) CU_ASSERT((a) - (b) <= (by) && (b) - (a) <= (by))

#endif
