/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sudden loss of power inside a case, and blocks whose fate is known before it. */
#ifndef NVP_CASES_POWERLOSS_H
#define NVP_CASES_POWERLOSS_H

#include <nvproof/drive_ops.h>
#include <nvproof/power.h>
#include <nvproof/rig.h>

#include "cases/common.h"

/* Campaigns take any format; what cases write themselves has no metadata. */
#define POWERLOSS_NEEDS (NVP_NEED_REGISTERS | NVP_NEED_QUEUES | NVP_NEED_RESETS | \
			 NVP_NEED_NAMESPACE)
#define POWERLOSS_PLAIN_NEEDS (POWERLOSS_NEEDS | NVP_NEED_NO_METADATA)
#define POWERLOSS_IMPACT (NVP_IMPACT_STATE | NVP_IMPACT_DATA | NVP_IMPACT_RESET | NVP_IMPACT_POWER)

#define POWERLOSS_OFF_NS (500 * NVP_NS_PER_MS)
#define POWERLOSS_LIMIT_NS (20 * NVP_NS_PER_S)

/* The supply of the drive under test; NULL: skipped, there is no relay. */
static inline struct nvp_relay *powerloss_relay(struct nvp_t *t)
{
	const struct nvp_campaign_options *campaign = nvp_t_rig(t)->campaign;
	const char *address = campaign ? campaign->relay : NULL;
	struct nvp_relay *relay;

	if (!address && nvp_drive_path(nvp_t_drive(t)) & NVP_PATH_SIMULATED)
		address = "sim";
	relay = address ? nvp_relay_open(address, nvp_t_drive(t), NULL) : NULL;
	if (!relay)
		nvp_skip_at(t, __FILE__, __LINE__, "no relay switches the supply of this drive");
	return relay;
}

static inline bool powerloss_switch(struct nvp_t *t, struct nvp_relay *relay,
				    enum nvp_power_action action)
{
	const struct nvp_power_when now = { .kind = NVP_POWER_NOW };
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	uint64_t until_ns = nvp_clock_deadline_ns(clock, POWERLOSS_LIMIT_NS);
	int rc = nvp_power_arm(relay, action, &now, NULL);

	while (!rc && nvp_power_poll(relay, NULL) != NVP_POWER_DONE) {
		rc = nvp_clock_now_ns(clock) < until_ns ? 0 : -1;
		nvp_clock_pass(clock, NVP_NS_PER_MS);
	}
	if (rc)
		nvp_broken_at(t, __FILE__, __LINE__, "the relay did not switch");
	return !rc;
}

/* Off, seen to be gone, on, usable again. False: the case has ended. */
static inline bool powerloss_cycle(struct nvp_t *t, struct nvp_relay *relay)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	const struct nvp_clock *clock = nvp_drive_clock(drive);
	uint64_t until_ns = nvp_clock_deadline_ns(clock, POWERLOSS_LIMIT_NS);
	uint32_t csts = 0;
	int rc;

	if (!powerloss_switch(t, relay, NVP_POWER_OFF))
		return false;
	while (!nvp_reg_read32(drive, NVP_REG_CSTS, &csts) && csts != UINT32_MAX) {
		if (nvp_clock_now_ns(clock) >= until_ns) {
			nvp_broken_at(t, __FILE__, __LINE__, "the supply did not go");
			return false;
		}
		nvp_clock_pass(clock, NVP_NS_PER_MS);
	}
	nvp_clock_pass(clock, POWERLOSS_OFF_NS);
	if (!powerloss_switch(t, relay, NVP_POWER_ON))
		return false;
	until_ns = nvp_clock_deadline_ns(clock, POWERLOSS_LIMIT_NS);
	rc = nvp_drive_reattach(drive, until_ns);
	if (!rc)
		rc = nvp_baseline(drive);
	nvp_check_at(t, __FILE__, __LINE__, true, !rc, NULL, "the drive comes back",
		     "it did not: error %d", -rc);
	return !rc;
}

static inline bool powerloss_cut(struct nvp_t *t)
{
	struct nvp_relay *relay = powerloss_relay(t);
	bool back = relay && powerloss_cycle(t, relay);

	if (relay)
		nvp_relay_close(relay);
	return back;
}

static inline bool powerloss_flush(struct nvp_t *t, uint32_t nsid)
{
	struct nvp_cmd cmd = nvp_build_flush(nsid);
	struct nvp_cpl cpl;

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

#endif
