// SPDX-License-Identifier: GPL-2.0-or-later
// Power loss: a campaign of cuts, and its twin of resets, with every block proven afterwards.

#include <nvproof/power.h>
#include <nvproof/rig.h>

#include "cases/common.h"

/* What the powerloss command asked for; else a short campaign over all that the drive can. */
static void campaign(struct nvp_t *t)
{
	const struct nvp_rig *rig = nvp_t_rig(t);
	const struct nvp_campaign_options options = { .cycles = 16 };
	struct nvp_campaign_result result;

	nvp_check_powerloss(t, rig->campaign ? rig->campaign : &options, &result);
}

/* The same for phases whose command erases, or is about firmware: these need to be allowed. */
static void campaign_admin(struct nvp_t *t)
{
	const struct nvp_rig *rig = nvp_t_rig(t);
	const struct nvp_campaign_options options = {
		.cycles = 10,
		.phases = 1u << NVP_PHASE_FORMAT | 1u << NVP_PHASE_SANITIZE |
			  1u << NVP_PHASE_FIRMWARE | 1u << NVP_PHASE_NAMESPACE |
			  1u << NVP_PHASE_SELF_TEST,
	};
	struct nvp_campaign_result result;

	nvp_check_powerloss(t, rig->campaign ? rig->campaign : &options, &result);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "powerloss.campaign",
		.title = "What was acknowledged and durable is there after the power was cut",
		.spec = { "NVM Command Set", "1.0", "2.1.4.2.1", NULL },
		.needs = NVP_NEED_REGISTERS | NVP_NEED_QUEUES | NVP_NEED_RESETS |
			 NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_DATA | NVP_IMPACT_RESET |
			  NVP_IMPACT_POWER,
		.time_class = NVP_TIME_POWER,
		.wall_budget_s = 120,
		.catches = NVP_LIST("flush-lies", "cut-slows-ready", "cut-not-counted"),
		.run = campaign,
	},
	{
		NVP_CASE,
		.id = "powerloss.campaign-admin",
		.title = "A cut during Format, Sanitize, Firmware Commit, namespace management or "
			 "a self-test leaves the old or the new state",
		.spec = { "NVMe Base", "2.0", "5", NULL },
		.needs = NVP_NEED_REGISTERS | NVP_NEED_QUEUES | NVP_NEED_RESETS |
			 NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_DATA | NVP_IMPACT_RESET |
			  NVP_IMPACT_POWER | NVP_IMPACT_ERASE | NVP_IMPACT_FIRMWARE,
		.time_class = NVP_TIME_SANITIZE,
		.wall_budget_s = 120,
		.catches = NVP_LIST("flush-lies", "cut-counted-twice",
				     "selftest-short-survives-reset",
				     "log-firmware-revision-differs", "sanitize-keeps-data"),
		.run = campaign_admin,
	},
};

NVP_SUITE(powerloss, cases);
