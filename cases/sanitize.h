/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps of the cases of Sanitize: begin one, follow it, and never leave one that runs. */
#ifndef NVP_CASES_SANITIZE_H
#define NVP_CASES_SANITIZE_H

#include "cases/erase.h"

#define SANITIZE_NEEDS (NVP_NEED_SANITIZE | NVP_NEED_NAMESPACE)
#define SANITIZE_LID 0x81

static inline bool sanitize_log(struct nvp_t *t, struct nvp_buf *buf, struct nvp_sanitize_log *log)
{
	if (!case_log(t, SANITIZE_LID, 512, buf))
		return false;
	nvp_decode_sanitize_log(nvp_buf_data(buf), 512, log);
	return true;
}

/* SANICAP bits 0 to 2: crypto erase (action 4), block erase (2), overwrite (3). */
static inline bool sanitize_has(struct nvp_t *t, uint8_t action)
{
	uint32_t sanicap = nvp_t_facts(t)->ctrl.sanicap;

	return sanicap >> (action == 4 ? 0 : action == 2 ? 1 : 2) & 1;
}

static inline bool sanitize_can(struct nvp_t *t, uint8_t action)
{
	if (sanitize_has(t, action))
		return true;
	nvp_skip_at(t, __FILE__, __LINE__, "SANICAP is 0x%08x: the drive has no sanitize action %u",
		    nvp_t_facts(t)->ctrl.sanicap, action);
	return false;
}

/* The quickest operation that the drive has. */
static inline struct nvp_cmd sanitize_any(struct nvp_t *t, bool no_deallocate)
{
	uint8_t action = sanitize_has(t, 4) ? 4 : sanitize_has(t, 2) ? 2 : 3;

	return nvp_build_sanitize(action, true, 1, false, no_deallocate, 0);
}

/* Until none is in progress; bounded by the budget of its time class. */
static inline bool sanitize_wait(struct nvp_t *t, struct nvp_buf *buf, struct nvp_sanitize_log *log)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	uint64_t until_ns = nvp_clock_deadline_ns(nvp_drive_clock(drive),
						  nvp_drive_budget_ns(drive, NVP_TIME_SANITIZE));

	while (sanitize_log(t, buf, log)) {
		if (log->status != 2)
			return true;
		if (nvp_clock_now_ns(nvp_drive_clock(drive)) >= until_ns) {
			nvp_broken_at(t, __FILE__, __LINE__, "still in progress, SPROG %u",
				      log->progress);
			return false;
		}
		nvp_clock_pass(nvp_drive_clock(drive), 100 * NVP_NS_PER_MS);
	}
	return false;
}

/* However the case ends: what it began is over, and a failure mode is left. */
static inline void sanitize_settle(struct nvp_t *t, void *context)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_cmd get = nvp_build_get_log(SANITIZE_LID, NVP_NSID_ALL, 512, 0, false, 0);
	struct nvp_cmd leave = nvp_build_sanitize(1, false, 0, false, false, 0);
	uint64_t until_ns = nvp_clock_deadline_ns(nvp_drive_clock(drive),
						  nvp_drive_budget_ns(drive, NVP_TIME_SANITIZE));
	struct nvp_cpl cpl;

	get.data = context;
	while (nvp_clock_now_ns(nvp_drive_clock(drive)) < until_ns) {
		if (nvp_exec_admin(drive, &get, &cpl) || !nvp_cpl_ok(&cpl))
			return;
		if ((nvp_buf_data(get.data)[2] & 7) == 3)
			(void)nvp_exec_admin(drive, &leave, &cpl);
		if ((nvp_buf_data(get.data)[2] & 7) != 2)
			return;
		nvp_clock_pass(nvp_drive_clock(drive), 100 * NVP_NS_PER_MS);
	}
}

/* Begin; it has to be accepted. buf: 512 bytes, for the log. */
static inline bool sanitize_start(struct nvp_t *t, const struct nvp_cmd *sanitize,
				  struct nvp_buf *buf)
{
	struct nvp_cpl cpl;

	nvp_defer(t, sanitize_settle, buf);
	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), sanitize, &cpl)) &&
	       CASE_SUCCEEDS(t, &cpl);
}

#endif
