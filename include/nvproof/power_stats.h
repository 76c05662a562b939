/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What many cycles of a campaign say together: the table at its end. */
#ifndef NVPROOF_POWER_STATS_H
#define NVPROOF_POWER_STATS_H

#include <nvproof/power.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Cycles are counted by phase: bounds of different phases are never taken together (README). */
struct nvp_stats;
struct nvp_text;	/* core/base/text.h */

struct nvp_stats *nvp_stats_new(void);	/* NULL: no memory; free with nvp_stats_free */
void nvp_stats_free(struct nvp_stats *stats);
/* 0 or -ENOMEM: then the cycle is not in its percentiles. */
int nvp_stats_add(struct nvp_stats *stats, const struct nvp_campaign_cycle *cycle);

/*
 * The exact one-sided 95 % upper bound of the probability that a cut fails, when `failed` of
 * `cuts` independent ones did (Clopper and Pearson); without a failure 1 - 0.05^(1/cuts).
 * cuts 0, or all of them failed: 1.
 */
double nvp_stats_bound(uint32_t cuts, uint32_t failed);
/* The smallest of nr values, ascending, that percent of them do not pass (nearest rank); 0: none. */
uint64_t nvp_stats_percentile(const uint64_t *values, uint32_t nr, double percent);

/* The table for people, lines ended by newlines; and the same as members of a JSON object. */
void nvp_stats_text(struct nvp_stats *stats, struct nvp_text *out);
void nvp_stats_json(struct nvp_stats *stats, struct nvp_text *out);

#ifdef __cplusplus
}
#endif
#endif
