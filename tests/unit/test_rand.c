// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of keyed random numbers. A change of fixed values breaks saved seeds.

#include <stdlib.h>
#include <string.h>

#include "core/base/rand.h"
#include "tests/unit/unit.h"

/* The first outputs of SplitMix64 seeded with 0 and with 1234567, as published. */
static void mix_is_splitmix64(void)
{
	CU_ASSERT_EQUAL(nvp_rand_mix(0), UINT64_C(0xe220a8397b1dcdaf));
	CU_ASSERT_EQUAL(nvp_rand_mix(UINT64_C(0x9e3779b97f4a7c15)), UINT64_C(0x6e789e6aa1b965f4));
	CU_ASSERT_EQUAL(nvp_rand_mix(1234567), UINT64_C(6457827717110365317));
}

static void each_input_matters(void)
{
	uint64_t base = nvp_rand(1, "cut.subset", 2, 3);

	CU_ASSERT_EQUAL(nvp_rand(1, "cut.subset", 2, 3), base);
	CU_ASSERT_NOT_EQUAL(nvp_rand(2, "cut.subset", 2, 3), base);
	CU_ASSERT_NOT_EQUAL(nvp_rand(1, "cut.subseT", 2, 3), base);
	CU_ASSERT_NOT_EQUAL(nvp_rand(1, "cut.subset", 3, 3), base);
	CU_ASSERT_NOT_EQUAL(nvp_rand(1, "cut.subset", 2, 4), base);
	CU_ASSERT_NOT_EQUAL(nvp_rand(1, "cut.subset", 3, 2), base);
	CU_ASSERT_NOT_EQUAL(nvp_rand(2, "cut.subset", 1, 3), base);
}

static void values_stay_for_ever(void)
{
	uint8_t bytes[11];
	static const uint8_t filled[11] = {
		0x45, 0xce, 0xab, 0x7e, 0x97, 0xc2, 0xb4, 0xb8, 0xfe, 0xc8, 0x8e,
	};

	CU_ASSERT_EQUAL(nvp_rand(1, "cut.subset", 2, 3), UINT64_C(0x17db51d7d6864bc));
	CU_ASSERT_EQUAL(nvp_rand_below(1, "slot", 7, 0, 1000), 553);
	CU_ASSERT_EQUAL(nvp_rand_permute(42, 5, 1000), 614);
	nvp_rand_fill(bytes, sizeof(bytes), 7);
	CU_ASSERT_EQUAL(memcmp(bytes, filled, sizeof(bytes)), 0);
}

static void below_is_in_range_and_even(void)
{
	static const uint64_t bounds[] = { 2, 3, 7, 10, 16, 17 };

	CU_ASSERT_EQUAL(nvp_rand_below(1, "x", 0, 0, 0), 0);
	CU_ASSERT_EQUAL(nvp_rand_below(1, "x", 0, 0, 1), 0);
	for (size_t b = 0; b < sizeof(bounds) / sizeof(bounds[0]); b++) {
		unsigned count[17] = { 0 };
		unsigned mean = (unsigned)(20000 / bounds[b]);

		for (uint64_t i = 0; i < 20000; i++) {
			uint64_t v = nvp_rand_below(9, "even", i, b, bounds[b]);

			CU_ASSERT_FATAL(v < bounds[b]);
			count[v]++;
		}
		/* Six standard deviations; the numbers are fixed, so this never flickers. */
		for (uint64_t v = 0; v < bounds[b]; v++) {
			long long off = (long long)count[v] - mean;

			CU_ASSERT_TRUE(off * off < 36ll * mean);
		}
	}
	CU_ASSERT_TRUE(nvp_rand_below(1, "huge", 0, 0, UINT64_MAX) < UINT64_MAX);
}

static void fill_depends_on_the_key_alone(void)
{
	uint8_t a[40], b[40], part[13];

	nvp_rand_fill(a, sizeof(a), 5);
	nvp_rand_fill(b, sizeof(b), 5);
	CU_ASSERT_EQUAL(memcmp(a, b, sizeof(a)), 0);
	nvp_rand_fill(part, sizeof(part), 5);
	CU_ASSERT_EQUAL(memcmp(a, part, sizeof(part)), 0);
	nvp_rand_fill(b, sizeof(b), 6);
	CU_ASSERT_NOT_EQUAL(memcmp(a, b, 8), 0);
	/* Not the same stream shifted by one word. */
	nvp_rand_fill(b, sizeof(b), 5 + UINT64_C(0x9e3779b97f4a7c15));
	CU_ASSERT_NOT_EQUAL(memcmp(a + 8, b, 8), 0);
}

static void check_permutation(uint64_t key, uint64_t nr)
{
	uint8_t *seen = calloc(nr, 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
	for (uint64_t k = 0; k < nr; k++) {
		uint64_t v = nvp_rand_permute(key, k, nr);

		CU_ASSERT_FATAL(v < nr);
		CU_ASSERT_FALSE(seen[v]);
		seen[v] = 1;
	}
	free(seen);
}

static void permute_visits_each_once(void)
{
	for (uint64_t nr = 1; nr <= 130; nr++)
		for (uint64_t key = 0; key < 5; key++)
			check_permutation(key, nr);
	check_permutation(1, 4095);
	check_permutation(2, 4096);
	check_permutation(3, 4097);
	check_permutation(4, 100003);
	/* The largest there is: no overflow, no loop without end. */
	CU_ASSERT_TRUE(nvp_rand_permute(1, 0, UINT64_MAX) < UINT64_MAX);
	CU_ASSERT_TRUE(nvp_rand_permute(1, UINT64_MAX - 1, UINT64_MAX) < UINT64_MAX);
}

/* Over many keys the first element falls everywhere, and neighbours do not stay neighbours. */
static void permute_depends_on_the_key(void)
{
	unsigned count[10] = { 0 };
	unsigned steps = 0;

	for (uint64_t key = 0; key < 10000; key++)
		count[nvp_rand_permute(key, 0, 10)]++;
	for (int v = 0; v < 10; v++)
		CU_ASSERT_TRUE(count[v] > 800 && count[v] < 1200);
	for (uint64_t k = 0; k + 1 < 1000; k++)
		steps += nvp_rand_permute(77, k, 1000) + 1 == nvp_rand_permute(77, k + 1, 1000);
	CU_ASSERT_TRUE(steps < 10);
}

CU_TestInfo nvp_unit_rand[] = {
	{ "mix_is_splitmix64", mix_is_splitmix64 },
	{ "each_input_matters", each_input_matters },
	{ "values_stay_for_ever", values_stay_for_ever },
	{ "below_is_in_range_and_even", below_is_in_range_and_even },
	{ "fill_depends_on_the_key_alone", fill_depends_on_the_key_alone },
	{ "permute_visits_each_once", permute_visits_each_once },
	{ "permute_depends_on_the_key", permute_depends_on_the_key },
	CU_TEST_INFO_NULL,
};
