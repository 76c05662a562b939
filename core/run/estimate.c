// SPDX-License-Identifier: GPL-2.0-or-later
// What a run will write at most, and about how long it takes, from the impact of its cases.

#include "core/run/estimate.h"

#include <stdio.h>

#include "core/base/bits.h"

/*
 * The most that a case of each sort wrote on a drive with blocks of 512 bytes was 4 MiB, and 107
 * MiB where it cuts power or resets again and again. Eight times that for blocks of 4096 bytes,
 * rounded up.
 */
#define CASE_BYTES  (64ULL << 20)
#define CYCLE_BYTES (1ULL << 30)

/* A campaign's largest operation, and the window that a cycle may have to write anew. */
#define OP_BYTES     (64ULL << 10)
#define WINDOW_BYTES (16ULL << 20)
#define MANY_OPS     64u
#define MANY_CYCLES  20u
#define CYCLE_S	     3u		/* beside the time without power: recovery and verification */

static uint64_t seconds_of(const struct nvp_case *record)
{
	static const uint64_t seconds[NVP_NR_TIME_CLASSES] = {
		[NVP_TIME_FORMAT] = 60, [NVP_TIME_SANITIZE] = 600, [NVP_TIME_POWER] = 60,
	};
	uint64_t s = (unsigned)record->time_class < NVP_NR_TIME_CLASSES ?
			     seconds[record->time_class] : 0;

	if (record->impact & NVP_IMPACT_DATA &&
	    record->impact & (NVP_IMPACT_POWER | NVP_IMPACT_RESET))
		s = nvp_max_u64(s, 60);
	return nvp_max_u64(s, 2);
}

static void add(struct nvp_estimate *e, const struct nvp_case *record)
{
	e->seconds += seconds_of(record);
	if (!(record->impact & (NVP_IMPACT_DATA | NVP_IMPACT_ERASE)))
		return;
	e->nr_data++;
	e->nr_erase += (record->impact & NVP_IMPACT_ERASE) != 0;
	e->bytes += record->impact & (NVP_IMPACT_POWER | NVP_IMPACT_RESET) ? CYCLE_BYTES :
									     CASE_BYTES;
}

struct nvp_estimate nvp_estimate(const struct nvp_plan *plan, uint32_t allow,
				 const struct nvp_campaign_options *campaign)
{
	struct nvp_estimate e = { 0 };

	for (size_t i = 0; i < plan->nr; i++)
		if (!(plan->items[i].record->impact & ~allow))
			add(&e, plan->items[i].record);
	if (campaign && e.nr_data) {
		uint64_t cycles = campaign->cycles ? campaign->cycles : MANY_CYCLES;
		uint64_t ops = campaign->ops ? campaign->ops : MANY_OPS;

		e.bytes = cycles * (ops * OP_BYTES + WINDOW_BYTES);
		e.seconds = cycles * (CYCLE_S + campaign->off_ns / NVP_NS_PER_S);
	}
	return e;
}

const char *nvp_estimate_text(const struct nvp_estimate *e, char *text)
{
	bool large = e->bytes >= 1ULL << 30;
	char erases[60] = "";
	uint64_t minutes = (e->seconds + 59) / 60;

	if (e->nr_erase)
		snprintf(erases, sizeof(erases), ", %u of them may erase all of it", e->nr_erase);
	snprintf(text, NVP_ESTIMATE_TEXT_BYTES,
		 "at most %.*f %s written by %u case%s%s; about %llu minute%s", large,
		 (double)e->bytes / (double)(1ULL << (large ? 30 : 20)), large ? "GiB" : "MiB",
		 e->nr_data, e->nr_data == 1 ? "" : "s",
		 erases, (unsigned long long)minutes, minutes == 1 ? "" : "s");
	return text;
}
