/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counts behind the table of a campaign, shared by what counts and what prints. */
#ifndef NVP_POWER_STATS_H
#define NVP_POWER_STATS_H

#include <nvproof/power_stats.h>

#define NVP_STATS_AGES 7u /* below 10 us, 100 us, 1 ms, 10 ms, 100 ms, 1 s; and older */

/* Times of one kind, sorted when they are asked for. */
struct nvp_stats_times {
	uint64_t *values;
	uint32_t nr, room;
	bool sorted;
};

enum nvp_stats_time {
	NVP_STATS_LINK = 0,
	NVP_STATS_READY,
	NVP_STATS_FIRST_READ,
	NVP_STATS_NR_TIMES
};

struct nvp_stats_phase {
	uint32_t cuts, confirmed;
	uint32_t failed; /* confirmed cycles with a fail */
	uint64_t late_acks, in_flight, issued, acked, nr_read;
	uint64_t classes[NVP_CAMPAIGN_CLASSES]; /* blocks */
	uint32_t could_lose, lost;	/* cycles */
	uint32_t clean, clean_lost;
	uint32_t ages[NVP_STATS_AGES]; /* cycles, by the oldest that a cache lost */
	struct nvp_stats_times times[NVP_STATS_NR_TIMES];
};

struct nvp_stats {
	struct nvp_stats_phase phase[NVP_NR_PHASES];
	struct nvp_stats_phase all;
};

extern const char *const nvp_stats_age_words[NVP_STATS_AGES];

#endif
