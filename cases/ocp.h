/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is this an OCP drive? No bit of Identify says so: its own logs do. */
#ifndef NVP_CASES_OCP_H
#define NVP_CASES_OCP_H

#include "cases/common.h"

#define CASE_OCP NVP_CLAIM("OCP Datacenter NVMe SSD")

/*
 * An OCP log, if the drive has it: *there says so. From 2.0 on (LPA bit 5) log 00h lists it; an
 * older drive is asked. False when the case ended.
 */
static inline bool case_ocp_log(struct nvp_t *t, uint8_t lid, struct nvp_buf *buf, bool *there)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_get_log(lid, NVP_NSID_ALL,
							      nvp_ocp_log_bytes(lid), 0, true, 0),
					    buf);
	struct nvp_supported_logs logs;
	struct nvp_cpl cpl;

	*there = false;
	if (nvp_t_facts(t)->ctrl.lpa & 1 << 5) {
		if (!case_log(t, 0x00, 1024, buf))
			return false;
		nvp_decode_supported_logs(nvp_buf_data(buf), 1024, &logs);
		if (!(logs.lid[lid] & 1))
			return true;
		if (!CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) ||
		    !CASE_SUCCEEDS(t, &cpl))
			return false;
		*there = true;
		return true;
	}
	if (!CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)))
		return false;
	*there = nvp_cpl_ok(&cpl);
	return true;
}

/* One of its logs with the right GUID makes an OCP drive; the case is skipped on any other. */
static inline bool case_needs_ocp(struct nvp_t *t, struct nvp_buf *buf)
{
	static const uint8_t lids[] = { NVP_OCP_LOG_SMART, NVP_OCP_LOG_ERROR_RECOVERY,
					NVP_OCP_LOG_CAPABILITIES };

	for (size_t i = 0; i < sizeof(lids); i++) {
		bool there;

		if (!case_ocp_log(t, lids[i], buf, &there))
			return false;
		if (there && nvp_ocp_is(lids[i], nvp_buf_data(buf), nvp_ocp_log_bytes(lids[i])))
			return true;
	}
	nvp_skip_at(t, __FILE__, __LINE__, "no log C0h, C1h or C4h with the GUID of OCP");
	return false;
}

#endif
