// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the oracle: what was refused, or never seen complete, makes nothing durable.

#include <string.h>

#include "power/oracle.h"
#include "tests/unit/unit.h"

/* A write that is acknowledged, then `kind` that ends as given, then the cut: may the old stay? */
static bool old_may_stay(enum nvp_oracle_kind kind, bool completed, uint8_t sct, uint8_t sc)
{
	const struct nvp_oracle_facts facts = { .nr_blocks = 4, .vwc = true, .wce = true };
	const struct nvp_oracle_cmd write = { .kind = NVP_ORACLE_WRITE, .block = 1 };
	const struct nvp_oracle_cmd then = { .kind = kind };
	const struct nvp_oracle_reading old = {
		.block = 1, .content = { .what = NVP_ORACLE_OLD, .block = 1 } };
	const struct nvp_oracle_reading new = {
		.block = 1, .content = { .what = NVP_ORACLE_DATA, .op = 0, .block = 1 } };
	struct nvp_oracle *o = nvp_oracle_new(&facts, NULL);
	int64_t number;
	bool may;

	CU_ASSERT_PTR_NOT_NULL_FATAL(o);
	CU_ASSERT_EQUAL(nvp_oracle_submit(o, 1, &write), 0);
	CU_ASSERT_EQUAL(nvp_oracle_complete(o, 2, 0, 0, 0), 0);
	number = nvp_oracle_submit(o, 3, &then);
	CU_ASSERT(number > 0);
	CU_ASSERT_EQUAL(completed ? nvp_oracle_complete(o, 4, (uint32_t)number, sct, sc) : 0, 0);
	CU_ASSERT_EQUAL(nvp_oracle_cut(o, 5), 0);
	CU_ASSERT(nvp_oracle_allows(o, &new));
	may = nvp_oracle_allows(o, &old);
	nvp_oracle_free(o);
	return may;
}

/* NVM Express Base 2.0, 7.1: a Flush that succeeded; others promise nothing. */
static void a_flush_that_fails_promises_nothing(void)
{
	CU_ASSERT_FALSE(old_may_stay(NVP_ORACLE_FLUSH, true, 0, 0));
	CU_ASSERT_TRUE(old_may_stay(NVP_ORACLE_FLUSH, true, 0, 0x06));
	CU_ASSERT_TRUE(old_may_stay(NVP_ORACLE_FLUSH, true, 0, 0x04));
	CU_ASSERT_TRUE(old_may_stay(NVP_ORACLE_FLUSH, false, 0, 0));
}

/* Base 2.0, 3.6: complete when CSTS.SHST = 10b was seen. */
static void a_shutdown_not_seen_complete_promises_nothing(void)
{
	CU_ASSERT_FALSE(old_may_stay(NVP_ORACLE_SHUTDOWN, true, 0, 0));
	CU_ASSERT_TRUE(old_may_stay(NVP_ORACLE_SHUTDOWN, true, 0, 0x06));
	CU_ASSERT_TRUE(old_may_stay(NVP_ORACLE_SHUTDOWN, false, 0, 0));
}

CU_TestInfo nvp_unit_oracle_refused[] = {
	{ "a flush that fails promises nothing", a_flush_that_fails_promises_nothing },
	{ "a shutdown not seen complete promises nothing",
	  a_shutdown_not_seen_complete_promises_nothing },
	CU_TEST_INFO_NULL,
};
