// SPDX-License-Identifier: GPL-2.0-or-later
// Features with a life of their own: the timestamp, and thermal management.

#include "cases/timestamp.h"

#define PAUSE_NS (2 * NVP_NS_PER_S)

/*
 * FEA-22. A timestamp that was set says so, is not before what was set, and counts on unless it
 * says that it may have stopped. How fast is no figure of the specification: between half and
 * twice of what passed here it should be.
 */
static void timestamp_counts(struct nvp_t *t)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	struct nvp_timestamp first, second;
	uint64_t pause_ms = PAUSE_NS / NVP_NS_PER_MS;

	if (!timestamp_begin(t) || !timestamp_get(t, &first))
		return;
	nvp_check(t, first.origin == TIMESTAMP_ORIGIN_SET, "origin %u after Set Features", first.origin);
	nvp_check(t, first.ms >= TIMESTAMP_SOME_DAY_MS, "set to %llu, reads %llu", TIMESTAMP_SOME_DAY_MS,
		  (unsigned long long)first.ms);
	if (!CASE_TRAVELS(t, nvp_clock_pass(clock, PAUSE_NS)) || !timestamp_get(t, &second))
		return;
	nvp_check(t, second.ms >= first.ms, "%llu after %llu", (unsigned long long)second.ms,
		  (unsigned long long)first.ms);
	nvp_check(t, second.stopped || second.ms > first.ms,
		  "%llu ms for %llu ms, and it does not say that it stopped",
		  (unsigned long long)(second.ms - first.ms), (unsigned long long)pause_ms);
	nvp_measure(t, "counted", (double)(second.ms - first.ms), "ms");
}

/*
 * FEA-22. After a controller reset the timestamp is what it would be without it, or it starts
 * from 0 and its origin says so.
 */
static void timestamp_tells_of_a_reset(struct nvp_t *t)
{
	struct nvp_timestamp after;

	if (!timestamp_begin(t))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!timestamp_get(t, &after))
		return;
	nvp_check(t, after.origin == TIMESTAMP_ORIGIN_RESET || after.ms >= TIMESTAMP_SOME_DAY_MS,
		  "%llu ms with origin %u, set was %llu", (unsigned long long)after.ms,
		  after.origin, TIMESTAMP_SOME_DAY_MS);
}

/*
 * FEA-23. The first thermal management temperature lies below the second, both inside MNTMT to
 * MXTMT; anything else is refused.
 */
static void thermal_limits_hold(struct nvp_t *t)
{
	const struct nvp_id_ctrl *ctrl = &nvp_t_facts(t)->ctrl;
	uint32_t low = ctrl->mntmt_k, high = ctrl->mxtmt_k, value;
	struct nvp_cpl cpl;

	if (!(ctrl->hctma & 1))
		nvp_skip(t, "the drive has no thermal management by the host (HCTMA bit 0)");
	if (!low || high <= low)
		nvp_skip(t, "MNTMT %u and MXTMT %u leave no choice", low, high);
	const uint32_t bad[] = { high << 16 | low, high << 16 | high, (low - 1) << 16 | high,
				 low << 16 | (high + 1) };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!case_set_refused(t, 0x10, bad[i], &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
	if (!nvp_change_feature(t, 0x10, 0, low << 16 | high, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
	    !case_feature_value(t, 0x10, 0, &value))
		return;
	nvp_check_eq(t, value, low << 16 | high);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "feature.timestamp-counts",
		.title = "A timestamp that was set counts on, and its origin says that it was set",
		.spec = { "NVMe Base", "2.0", "5.27.1.11", NULL },
		.rows = NVP_LIST("FEA-22"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("timestamp-origin-wrong", "timestamp-set-ignored",
				    "timestamp-stands-still", "timestamp-goes-back"),
		.run = timestamp_counts,
	}, {
		NVP_CASE,
		.id = "feature.timestamp-tells-of-a-reset",
		.title = "After a reset the timestamp goes on, or its origin says that it did not",
		.spec = { "NVMe Base", "2.0", "5.27.1.11", "Timestamp Origin" },
		.rows = NVP_LIST("FEA-22"),
		.needs = NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("timestamp-restarts-silently"),
		.run = timestamp_tells_of_a_reset,
	}, {
		NVP_CASE,
		.id = "feature.thermal-limits-hold",
		.title = "Thermal management temperatures outside their limits or order are refused",
		.spec = { "NVMe Base", "2.0", "5.27.1.13", "TMT1" },
		.rows = NVP_LIST("FEA-23"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("thermal-order-unchecked", "thermal-range-unchecked",
				    "feature-set-ignored"),
		.run = thermal_limits_hold,
	},
};

NVP_SUITE(feature_time, cases);
