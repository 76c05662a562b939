// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of a campaign's statistics: bounds against numbers from tables, counts against known cycles.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <nvproof/clock.h>
#include <nvproof/power_stats.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "power/judge.h"
#include "power/stats.h"
#include "tests/unit/unit.h"

/* Solved from the binomial sum with exact arithmetic elsewhere. */
static void bounds_are_those_of_clopper_and_pearson(void)
{
	static const struct {
		uint32_t cuts, failed;
		double bound;
	} known[] = {
		{ 1, 0, 0.95 },
		{ 20, 0, 0.13910834066826522 },
		{ 59, 0, 0.04950760988822694 },
		{ 100, 0, 0.029513049607039987 },
		{ 1000, 0, 0.002991249545095276 },
		{ 10000, 0, 0.0002995283597765907 },
		{ 100, 1, 0.046559811453538984 },
		{ 100, 2, 0.06161920039604068 },
		{ 20, 5, 0.45558240400174876 },
		{ 2, 1, 0.9746794344808963 },
		{ 1000, 3, 0.007735244718479472 },
		{ 20, 20, 1 },
		{ 0, 0, 1 },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(known); i++)
		CU_ASSERT_DOUBLE_EQUAL(nvp_stats_bound(known[i].cuts, known[i].failed),
				       known[i].bound, known[i].bound * 1e-9);
	for (uint32_t failed = 0; failed < 50; failed++)
		CU_ASSERT(nvp_stats_bound(1000000, failed) < nvp_stats_bound(1000000, failed + 1));
}

static void percentiles_are_nearest_ranks(void)
{
	static const uint64_t values[] = { 15, 20, 35, 40, 50 };

	CU_ASSERT_EQUAL(nvp_stats_percentile(values, 5, 5), 15);
	CU_ASSERT_EQUAL(nvp_stats_percentile(values, 5, 30), 20);
	CU_ASSERT_EQUAL(nvp_stats_percentile(values, 5, 40), 20);
	CU_ASSERT_EQUAL(nvp_stats_percentile(values, 5, 50), 35);
	CU_ASSERT_EQUAL(nvp_stats_percentile(values, 5, 100), 50);
	CU_ASSERT_EQUAL(nvp_stats_percentile(values, 5, 0), 15);
	CU_ASSERT_EQUAL(nvp_stats_percentile(values, 0, 50), 0);
}

static struct nvp_stats *sample(void)
{
	struct nvp_stats *s = nvp_stats_new();

	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	/* 100 cuts under writes: 40 of them could lose something, 10 did, 1 failed, 2 late each */
	for (uint32_t i = 0; i < 100; i++) {
		struct nvp_campaign_cycle c = { .cycle = i, .phase = NVP_PHASE_WRITES,
			.confirmed = true, .can_lose = i < 40, .late_acks = 2, .issued = 64,
			.acked = 60, .in_flight = 4, .nr_read = 8,
			.ready_ns = (100 - i) * NVP_NS_PER_MS };

		if (i < 10) {
			c.classes[NVP_CLASS_OK_VOLATILE_LOSS] = 3;
			c.lost_age_ns = i < 5 ? 9999 : i < 9 ? 10000 : 5 * NVP_NS_PER_S;
		}
		if (i == 77) {
			c.fails = 2;
			c.classes[NVP_CLASS_LOST_FLUSHED] = 5;
		}
		CU_ASSERT_EQUAL(nvp_stats_add(s, &c), 0);
	}
	/* 4 shutdowns, one of which was not confirmed, though it is said to have failed */
	for (uint32_t i = 0; i < 4; i++) {
		struct nvp_campaign_cycle c = { .cycle = 100 + i, .phase = NVP_PHASE_SHUTDOWN,
			.confirmed = i != 3, .clean = i < 2, .fails = i == 3 };

		CU_ASSERT_EQUAL(nvp_stats_add(s, &c), 0);
	}
	return s;
}

static void cycles_are_counted_by_phase(void)
{
	struct nvp_stats *s = sample();
	const struct nvp_stats_phase *w = &s->phase[NVP_PHASE_WRITES];
	const struct nvp_stats_phase *d = &s->phase[NVP_PHASE_SHUTDOWN];

	CU_ASSERT_EQUAL(w->cuts, 100);
	CU_ASSERT_EQUAL(w->confirmed, 100);
	CU_ASSERT_EQUAL(w->failed, 1);
	CU_ASSERT_EQUAL(w->late_acks, 200);
	CU_ASSERT_EQUAL(w->could_lose, 40);
	CU_ASSERT_EQUAL(w->lost, 10);
	CU_ASSERT_EQUAL(w->classes[NVP_CLASS_OK_VOLATILE_LOSS], 30);
	CU_ASSERT_EQUAL(w->ages[0], 5);
	CU_ASSERT_EQUAL(w->ages[1], 4);
	CU_ASSERT_EQUAL(w->ages[NVP_STATS_AGES - 1], 1);
	CU_ASSERT_EQUAL(d->cuts, 4);
	CU_ASSERT_EQUAL(d->confirmed, 3);
	CU_ASSERT_EQUAL(d->failed, 0);
	CU_ASSERT_EQUAL(d->clean, 2);
	CU_ASSERT_EQUAL(d->clean_lost, 0);
	CU_ASSERT_EQUAL(s->all.cuts, 104);
	CU_ASSERT_EQUAL(s->all.confirmed, 103);
	CU_ASSERT_EQUAL(s->phase[NVP_PHASE_TRIM].cuts, 0);
	nvp_stats_free(s);
}

static void the_table_says_what_was_counted(void)
{
	static const char *const lines[] = {
		"writes         100       100       1    4.66 %       200     10/40  50.0 ms   100 ms\n",
		"shutdown         4         3       0    63.2 %         0         -        -        -\n",
		"all            104       103       1    4.52 %       200     10/40  50.0 ms   100 ms\n",
		"  writes     OK_VOLATILE_LOSS 30, LOST_FLUSHED 5\n",
		"  writes            5        4        0        0        0        0        1\n",
		"CC.EN to CSTS.RDY                 p50 50.0 ms, p90 90.0 ms, p99 99.0 ms, most 100 ms\n",
		"positive control: unflushed data was lost in 10 of 40 cycles where it could be\n",
		"negative control: 0 of 2 clean shutdowns lost something\n",
	};
	struct nvp_stats *s = sample();
	struct nvp_text text = { 0 };
	const char *at;

	nvp_stats_text(s, &text);
	at = nvp_text_str(&text);
	for (size_t i = 0; i < NVP_ARRAY_SIZE(lines); i++) {
		at = strstr(at, lines[i]);
		CU_ASSERT_PTR_NOT_NULL(at);
		if (!at) {
			printf("missing: %s%s", lines[i], nvp_text_str(&text));
			break;
		}
	}
	CU_ASSERT_PTR_NULL(strstr(nvp_text_str(&text), "trim"));
	nvp_text_free(&text);
	nvp_stats_free(s);
}

static void json_says_the_same(void)
{
	static const char *const parts[] = {
		"\"phase\":\"writes\",\"cuts\":100,\"confirmed\":100,\"failed\":1,\"bound95\":0.0465",
		"\"classes\":{\"OK_VOLATILE_LOSS\":\"30\",\"LOST_FLUSHED\":\"5\"},"
		"\"loss_age\":[5,4,0,0,0,0,1]",
		"\"ready_ns\":{\"measured\":100,\"p50\":\"50000000\",\"p90\":\"90000000\","
		"\"p99\":\"99000000\",\"max\":\"100000000\"}",
		"\"all\":{\"cuts\":104",
	};
	struct nvp_stats *s = sample();
	struct nvp_text text = { 0 };

	nvp_json_begin(&text, NULL, '{');
	nvp_stats_json(s, &text);
	nvp_json_end(&text, '}');
	for (size_t i = 0; i < NVP_ARRAY_SIZE(parts); i++) {
		CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&text), parts[i]));
		if (!strstr(nvp_text_str(&text), parts[i]))
			printf("missing: %s in %s\n", parts[i], nvp_text_str(&text));
	}
	nvp_text_free(&text);
	nvp_stats_free(s);
}

/* A drive that never loses what it may lose is not the proof of anything: that is said. */
static void a_control_that_is_missing_is_said(void)
{
	struct nvp_campaign_cycle c = { .phase = NVP_PHASE_IDLE, .confirmed = true,
					.can_lose = true };
	struct nvp_stats *s = nvp_stats_new();
	struct nvp_text text = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	nvp_stats_text(s, &text);
	CU_ASSERT_EQUAL(text.length, 0);
	nvp_stats_add(s, &c);
	nvp_stats_text(s, &text);
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&text), "0 of 1 cycles where it could be: these "
				      "cuts show nothing of a volatile cache"));
	nvp_text_free(&text);
	nvp_stats_free(s);
}

CU_TestInfo nvp_unit_stats[] = {
	{ "bounds are those of Clopper and Pearson", bounds_are_those_of_clopper_and_pearson },
	{ "percentiles are nearest ranks", percentiles_are_nearest_ranks },
	{ "cycles are counted by phase", cycles_are_counted_by_phase },
	{ "the table says what was counted", the_table_says_what_was_counted },
	{ "JSON says the same", json_says_the_same },
	{ "a control that is missing is said", a_control_that_is_missing_is_said },
	CU_TEST_INFO_NULL,
};
