// SPDX-License-Identifier: GPL-2.0-or-later
// The table of rows against the cases that name them.

#include "core/cli/rows.h"

#include <stdio.h>
#include <string.h>

#include <nvproof/case.h>

#include "tests/unit/unit.h"

extern const struct nvp_suite *const nvp_suites[];

static void rows_are_unique_and_numbered_in_their_area(void)
{
	CU_ASSERT_EQUAL(nvp_nr_rows, 272);
	for (size_t i = 0; i < nvp_nr_rows; i++) {
		const struct nvp_row *row = &nvp_row_table[i];
		unsigned number = 0, before = 0;

		CU_ASSERT_PTR_EQUAL(nvp_row_find(row->id), row);
		CU_ASSERT_EQUAL(sscanf(row->id + 4, "%2u", &number), 1);
		if (i && !strncmp(row->id, row[-1].id, 4))
			CU_ASSERT_EQUAL(sscanf(row[-1].id + 4, "%2u", &before), 1);
		CU_ASSERT_EQUAL(number, before + 1);
	}
	CU_ASSERT_PTR_NULL(nvp_row_find("IDY-99"));
}

static void cases_name_known_rows_only(void)
{
	for (const struct nvp_suite *const *s = nvp_suites; *s; s++) {
		for (size_t i = 0; i < (*s)->nr_cases; i++) {
			for (const char *const *r = (*s)->cases[i].rows; r && *r; r++) {
				if (!nvp_row_find(*r))
					printf("%s names %s\n", (*s)->cases[i].id, *r);
				CU_ASSERT_PTR_NOT_NULL(nvp_row_find(*r));
			}
		}
	}
}

CU_TestInfo nvp_unit_rows[] = {
	{ "rows_are_unique_and_numbered_in_their_area",
	  rows_are_unique_and_numbered_in_their_area },
	{ "cases_name_known_rows_only", cases_name_known_rows_only },
	CU_TEST_INFO_NULL,
};
