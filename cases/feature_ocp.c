// SPDX-License-Identifier: GPL-2.0-or-later
// Features of the OCP Datacenter NVMe SSD specification, and the limits that it asks for.

#include "cases/ocp.h"

/* Back to the mode or interval in the buffer: Dword 11 as it has to be set. */
static void set_back(struct nvp_t *t, void *context)
{
	struct nvp_cpl cpl;
	uint32_t old[2];

	memcpy(old, nvp_buf_data(context), sizeof(old));
	(void)case_set_feature(t, (uint8_t)old[0], 0, false, old[1], &cpl);
}

/* Remember how to give the feature back; its value is not Dword 11, so no undo can be written. */
static bool give_back(struct nvp_t *t, uint8_t fid, uint32_t dw11)
{
	struct nvp_buf *kept = nvp_t_buf(t, 8);
	uint32_t old[2] = { fid, dw11 };

	if (!kept)
		return false;
	memcpy(nvp_buf_data(kept), old, sizeof(old));
	nvp_defer(t, set_back, kept);
	return true;
}

/*
 * TEL-10. What the drive does when its protection has failed: the mode that is set is the mode that
 * is read, and mode 0 is reserved.
 */
static void plp_failure_mode_is_kept(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_cpl cpl;
	uint32_t old, now;

	if (!buf || !case_needs_ocp(t, buf) ||
	    !case_feature_value(t, NVP_OCP_FID_PLP_MODE, 0, &old) ||
	    !give_back(t, NVP_OCP_FID_PLP_MODE, (old & 3) << 30))
		return;
	for (uint32_t mode = NVP_OCP_PLP_READ_ONLY; mode <= NVP_OCP_PLP_NORMAL; mode++) {
		if (!case_set_feature(t, NVP_OCP_FID_PLP_MODE, 0, false, mode << 30, &cpl))
			return;
		CASE_OK(t, &cpl);
		if (!case_feature_value(t, NVP_OCP_FID_PLP_MODE, 0, &now))
			return;
		nvp_check_eq_by(t, CASE_OCP, now & 3, mode);
	}
	if (!case_set_feature(t, NVP_OCP_FID_PLP_MODE, 0, false, 0, &cpl))
		return;
	nvp_check_status_by(t, CASE_OCP, &cpl, CASE_INVALID_FIELD);
}

/* TEL-10. The interval is read as it was set: in bits 15:0, or where Set Features has it. */
static void plp_check_interval_is_kept(struct nvp_t *t)
{
	static const uint16_t minutes[] = { 30, 5 };
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_cpl cpl;
	uint32_t old, now;

	if (!buf || !case_needs_ocp(t, buf) ||
	    !case_feature_value(t, NVP_OCP_FID_PLP_CHECK, 0, &old) ||
	    !give_back(t, NVP_OCP_FID_PLP_CHECK, old >> 16 ? old : old << 16))
		return;
	for (size_t i = 0; i < sizeof(minutes) / sizeof(minutes[0]); i++) {
		if (!case_set_feature(t, NVP_OCP_FID_PLP_CHECK, 0, false,
				      (uint32_t)minutes[i] << 16, &cpl))
			return;
		CASE_OK(t, &cpl);
		if (!case_feature_value(t, NVP_OCP_FID_PLP_CHECK, 0, &now))
			return;
		nvp_check_by(t, CASE_OCP, now == minutes[i] || now == (uint32_t)minutes[i] << 16,
			     "set %u minutes, read 0x%x", minutes[i], now);
	}
}

/* TEL-11. At least four event requests may wait. */
static void enough_event_requests(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);

	if (!buf || !case_needs_ocp(t, buf))
		return;
	nvp_check_by(t, CASE_OCP, nvp_t_facts(t)->ctrl.aerl_z >= 3,
		     "AERL lets %u event requests wait", nvp_t_facts(t)->ctrl.aerl_z + 1u);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "feature.ocp-plp-failure-mode-is-kept",
		.title = "EOL/PLP Failure Mode takes modes 1 to 3 and refuses 0",
		.spec = { "OCP Datacenter NVMe SSD", "2.0", "feature C2h", NULL },
		.rows = NVP_LIST("TEL-10"),
		/* the guard knows no vendor-specific feature: each may be the worst there is */
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_ERASE | NVP_IMPACT_FIRMWARE,
		.catches = NVP_LIST("ocp-feature-set-ignored", "ocp-plp-mode-reserved-accepted"),
		.run = plp_failure_mode_is_kept,
	}, {
		NVP_CASE,
		.id = "feature.ocp-plp-check-interval-is-kept",
		.title = "PLP Health Check Interval is read as it was set",
		.spec = { "OCP Datacenter NVMe SSD", "2.0", "feature C6h", NULL },
		.rows = NVP_LIST("TEL-10"),
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_ERASE | NVP_IMPACT_FIRMWARE,
		.catches = NVP_LIST("ocp-feature-set-ignored"),
		.run = plp_check_interval_is_kept,
	}, {
		NVP_CASE,
		.id = "identify.ocp-aerl-is-large-enough",
		.title = "An OCP drive lets four or more event requests wait",
		.spec = { "OCP Datacenter NVMe SSD", "2.0", "Asynchronous Event Request", "AERL" },
		.rows = NVP_LIST("TEL-11"),
		.catches = NVP_LIST("ocp-aerl-too-small"),
		.run = enough_event_requests,
	},
};

NVP_SUITE(feature_ocp, cases);
