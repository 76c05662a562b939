/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A timestamp of our own for a case, and the one of before afterwards. */
#ifndef NVP_CASES_TIMESTAMP_H
#define NVP_CASES_TIMESTAMP_H

#include "cases/common.h"

#define TIMESTAMP_ORIGIN_RESET 0
#define TIMESTAMP_ORIGIN_SET 1
#define TIMESTAMP_SOME_DAY_MS 1700000000000ULL	/* in November 2023 */

/* Both have to succeed. */
static inline bool timestamp_get(struct nvp_t *t, struct nvp_timestamp *time)
{
	struct nvp_buf *buf = nvp_t_buf(t, 8);
	struct nvp_cmd cmd = nvp_build_get_features(0x0e, 0, 0, 0);
	struct nvp_cpl cpl;

	cmd.data = buf;
	if (!buf || !CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) ||
	    !CASE_SUCCEEDS(t, &cpl))
		return false;
	nvp_decode_timestamp(nvp_buf_data(buf), 8, time);
	return true;
}

static inline void timestamp_fill(struct nvp_buf *buf, uint64_t ms)
{
	for (unsigned i = 0; i < 8; i++)
		nvp_buf_data(buf)[i] = i < 6 ? (uint8_t)(ms >> 8 * i) : 0;
}

static inline bool timestamp_set(struct nvp_t *t, uint64_t ms)
{
	struct nvp_buf *buf = nvp_t_buf(t, 8);
	struct nvp_cmd cmd = nvp_build_set_features(0x0e, 0, false, 0);
	struct nvp_cpl cpl;

	if (!buf)
		return false;
	timestamp_fill(buf, ms);
	cmd.data = buf;
	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) &&
	       CASE_SUCCEEDS(t, &cpl);
}

/* What the timestamp would be without us: kept in a buffer, with the time of the clock. */
struct timestamp_kept {
	struct nvp_timestamp time;
	uint64_t at_ns;
};

/* Deferred: the time of before and what has passed since; one that was never set stays ours. */
static inline void timestamp_give_back(struct nvp_t *t, void *context)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	struct nvp_buf *buf = context;
	struct nvp_cmd cmd = nvp_build_set_features(0x0e, 0, false, 0);
	struct timestamp_kept kept;
	struct nvp_cpl cpl;

	memcpy(&kept, nvp_buf_data(buf), sizeof(kept));
	if (kept.time.origin != TIMESTAMP_ORIGIN_SET)
		return;
	timestamp_fill(buf, kept.time.ms + (nvp_clock_now_ns(clock) - kept.at_ns) / NVP_NS_PER_MS);
	cmd.data = buf;
	(void)nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl);
}

/* The timestamp is TIMESTAMP_SOME_DAY_MS, until the end of the case; false: it has ended. */
static inline bool timestamp_begin(struct nvp_t *t)
{
	struct timestamp_kept kept = { .at_ns = 0 };
	struct nvp_buf *buf = nvp_t_buf(t, sizeof(kept));

	if (!(nvp_t_facts(t)->ctrl.oncs & 1 << 6)) {
		nvp_skip_at(t, __FILE__, __LINE__, "the drive has no timestamp (ONCS bit 6)");
		return false;
	}
	if (!buf || !timestamp_get(t, &kept.time))
		return false;
	kept.at_ns = nvp_clock_now_ns(nvp_drive_clock(nvp_t_drive(t)));
	memcpy(nvp_buf_data(buf), &kept, sizeof(kept));
	nvp_defer(t, timestamp_give_back, buf);
	return timestamp_set(t, TIMESTAMP_SOME_DAY_MS);
}

#endif
