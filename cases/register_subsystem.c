// SPDX-License-Identifier: GPL-2.0-or-later
// NVM Subsystem Reset: what the right value in NSSR does, and others do not.

#include "cases/common.h"

#define CSTS_RDY (1u << 0)
#define CSTS_NSSRO (1u << 4)

static bool supported(struct nvp_t *t)
{
	if (nvp_resets(nvp_t_drive(t)) >> NVP_RESET_SUBSYSTEM & 1)
		return true;
	nvp_skip_at(t, __FILE__, __LINE__, "the subsystem cannot be reset here (CAP.NSSRS)");
	return false;
}

static bool read_csts(struct nvp_t *t, uint32_t *csts)
{
	return CASE_TRAVELS(t, nvp_reg_read32(nvp_t_drive(t), NVP_REG_CSTS, csts));
}

/* NSSRO is cleared by writing 1 to it; other bits are left as they are. */
static bool clear_nssro(struct nvp_t *t, uint32_t *csts)
{
	return CASE_TRAVELS(t, nvp_reg_write32(nvp_t_drive(t), NVP_REG_CSTS, CSTS_NSSRO)) &&
	       read_csts(t, csts);
}

/*
 * REG-13. 4E564D65h in NSSR resets the subsystem: the controller comes back usable, CSTS.NSSRO says
 * that it happened, and a 1 written there clears it.
 */
static void subsystem_reset_is_noted(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	uint32_t csts;

	if (!supported(t) || !clear_nssro(t, &csts))
		return;
	nvp_done(t, nvp_reset(drive, NVP_RESET_SUBSYSTEM));
	if (!read_csts(t, &csts))
		return;
	nvp_check(t, csts & CSTS_NSSRO, "CSTS %08Xh after a reset of the subsystem", csts);
	if (!clear_nssro(t, &csts))
		return;
	nvp_check(t, !(csts & CSTS_NSSRO), "CSTS %08Xh after 1 was written to NSSRO", csts);
	nvp_check(t, csts & CSTS_RDY, "CSTS %08Xh: not ready after that write", csts);
}

/* REG-14. Any other value in NSSR has no effect: the controller stays ready and goes on. */
static void other_values_do_nothing(struct nvp_t *t)
{
	static const uint32_t values[] = { 0x00000000, 0x4e564d64, 0x656d564e, 0xffffffff };
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cpl cpl;
	uint32_t csts;

	if (!buf || !supported(t) || !clear_nssro(t, &csts))
		return;
	nvp_defer(t, case_reset_at_end, NULL);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		nvp_done(t, nvp_reg_write32(nvp_t_drive(t), NVP_REG_NSSR, values[i]));
		if (!read_csts(t, &csts))
			return;
		nvp_require(t, csts & CSTS_RDY && !(csts & CSTS_NSSRO),
			    "CSTS %08Xh after %08Xh in NSSR", csts, values[i]);
	}
	if (!case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "register.subsystem-reset-is-noted",
		.title = "4E564D65h in NSSR resets the subsystem, and CSTS.NSSRO says so",
		.spec = { "NVMe Base", "2.0", "3.1.3.8", "NSSRC" },
		.rows = NVP_LIST("REG-13"),
		.needs = NVP_NEED_REGISTERS | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_RESET | NVP_IMPACT_STATE,
		.catches = NVP_LIST("nssr-ignored", "nssr-not-noted", "nssro-not-cleared",
				    "csts-rdy-writable"),
		.run = subsystem_reset_is_noted,
	}, {
		NVP_CASE,
		.id = "register.other-values-in-nssr-do-nothing",
		.title = "Only 4E564D65h in NSSR resets the subsystem",
		.spec = { "NVMe Base", "2.0", "3.1.3.8", "NSSRC" },
		.rows = NVP_LIST("REG-14"),
		.needs = NVP_NEED_REGISTERS | NVP_NEED_RESETS | NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_RESET | NVP_IMPACT_STATE,
		.catches = NVP_LIST("nssr-any-value-resets"),
		.run = other_values_do_nothing,
	},
};

NVP_SUITE(register_subsystem, cases);
