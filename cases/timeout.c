// SPDX-License-Identifier: GPL-2.0-or-later
// Recovery: a controller in fatal status is usable again after a reset.

#include "cases/common.h"

#define CC_EN (1u << 0)
#define CSTS_RDY (1u << 0)
#define CSTS_CFS (1u << 1)
#define LOOK_NS (10 * NVP_NS_PER_MS)

/* Until CSTS shows RDY or CFS, at most as long as CAP.TO; *csts is what it was last. */
static bool wait_for_answer(struct nvp_t *t, uint32_t *csts)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	uint64_t limit_ns = nvp_t_facts(t)->cap.to_500ms * 500 * NVP_NS_PER_MS;
	uint64_t until_ns = nvp_clock_deadline_ns(clock, limit_ns);

	for (;;) {
		if (!CASE_TRAVELS(t, nvp_reg_read32(nvp_t_drive(t), NVP_REG_CSTS, csts)))
			return false;
		if (*csts & (CSTS_RDY | CSTS_CFS) || nvp_clock_now_ns(clock) >= until_ns)
			return true;
		if (!CASE_TRAVELS(t, nvp_clock_pass(clock, LOOK_NS)))
			return false;
	}
}

/*
 * TMO-03. A controller is enabled with admin queues of one entry, which cannot be. What it does
 * then is open; if it says so by CSTS.CFS, a controller reset with good values ends that status and
 * the controller works.
 */
static void reset_ends_fatal_status(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_cpl cpl;
	uint32_t cc, csts;
	int rc;

	if (!buf)
		return;
	nvp_done(t, nvp_reg_read32(drive, NVP_REG_CC, &cc));
	nvp_defer(t, case_reset_at_end, NULL);
	nvp_done(t, nvp_ctrl_disable(drive, NULL));
	nvp_done(t, nvp_reg_write32(drive, NVP_REG_AQA, 0));
	nvp_done(t, nvp_reg_write32(drive, NVP_REG_CC, cc | CC_EN));
	if (!wait_for_answer(t, &csts))
		return;
	if (!(csts & CSTS_CFS))
		nvp_skip(t, "the drive does not answer a bad enable with fatal status (CSTS %08Xh)",
			 csts);
	rc = nvp_reset(drive, NVP_RESET_CONTROLLER);
	nvp_done(t, nvp_reg_read32(drive, NVP_REG_CSTS, &csts));
	nvp_require(t, csts & CSTS_RDY && !(csts & CSTS_CFS), "CSTS %08Xh after the reset", csts);
	nvp_done(t, rc);
	if (!case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "timeout.reset-ends-fatal-status",
		.title = "A controller in fatal status works again after a controller reset",
		.spec = { "NVMe Base", "2.0", "9.5", "CSTS.CFS" },
		.rows = NVP_LIST("TMO-03"),
		.needs = NVP_NEED_REGISTERS | NVP_NEED_RESETS | NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_RESET | NVP_IMPACT_STATE,
		.catches = NVP_LIST("csts-cfs-stuck"),
		.run = reset_ends_fatal_status,
	},
};

NVP_SUITE(timeout, cases);
