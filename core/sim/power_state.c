// SPDX-License-Identifier: GPL-2.0-or-later
// Power states (NVMe Base 2.0, 8.15): descriptors, idle transitions (5.27.1.9), the way back on I/O.

#include <string.h>

#include "core/base/bits.h"
#include "core/nvme/fields.h"
#include "core/sim/commands.h"
#include "core/sim/manage.h"

#define APST_ENTRIES 32

static const struct {
	uint16_t centiwatts;
	bool idle;			/* a non-operational state */
	uint32_t enter_us, exit_us;
} states[] = {
	{ 2500, false, 0, 0 }, { 1500, false, 50, 50 }, { 900, false, 100, 100 },
	{ 100, true, 2000, 3000 }, { 10, true, 10000, 25000 },
};

static struct nvp_power_state *state(const struct nvp_sim *w)
{
	return &w->commands->manage->power;
}

unsigned nvp_sim_npss(const struct nvp_sim *w)
{
	return w->profile->optional_commands ? NVP_ARRAY_SIZE(states) - 1 : 0;
}

/* Each state takes no more power than the one before, and is slower. */
void nvp_power_states_fill(const struct nvp_sim *w, uint8_t *data)
{
	unsigned npss = nvp_sim_npss(w);

	for (unsigned ps = 0; ps <= npss; ps++) {
		uint8_t *psd = data + 2048 + 32 * ps;
		unsigned rank = nvp_defect(w, NVP_HOOK_PWR_RANK) && ps ? 31 : ps;
		unsigned mp = nvp_defect(w, NVP_HOOK_PWR_MP) && ps == 1 ? 2600 :
			      states[ps].centiwatts;

		nvp_field_put(&nvp_fields_power_state, psd, "mp", npss ? mp : 800);
		nvp_field_put(&nvp_fields_power_state, psd, "nops", states[ps].idle);
		nvp_field_put(&nvp_fields_power_state, psd, "enlat", states[ps].enter_us);
		nvp_field_put(&nvp_fields_power_state, psd, "exlat", states[ps].exit_us);
		nvp_field_put(&nvp_fields_power_state, psd, "rrt", rank);
		nvp_field_put(&nvp_fields_power_state, psd, "rrl", rank);
		nvp_field_put(&nvp_fields_power_state, psd, "rwt", rank);
		nvp_field_put(&nvp_fields_power_state, psd, "rwl", rank);
	}
}

/* Idle Time Prior to Transition, and the state to go to, of an entry; 0 ns: it has none. */
static uint64_t itpt_ns(uint64_t entry)
{
	return (entry >> 8 & 0xffffff) * NVP_NS_PER_MS;
}

static unsigned itps(uint64_t entry)
{
	return (unsigned)(entry >> 3 & 31);
}

static uint64_t entry_of(const struct nvp_sim *w, unsigned ps)
{
	return nvp_le64(state(w)->apst + 8 * ps);
}

static void idle_over(struct nvp_sim *w, uint64_t argument);

/* When the drive has been idle long enough, as the table says for the state it is in. */
static void arm(struct nvp_sim *w)
{
	struct nvp_power_state *s = state(w);
	uint64_t entry = entry_of(w, w->live.power_state);
	uint64_t due_ns = s->active_ns + itpt_ns(entry);

	if (s->armed || !(nvp_feature_value(w, NVP_FID_APST) & 1) || !itpt_ns(entry) ||
	    nvp_defect(w, NVP_HOOK_APST_NEVER))
		return;
	s->armed = true;
	nvp_event_add(w, NVP_SCOPE_CONTROLLER,
		      due_ns > nvp_sim_now(w) ? due_ns - nvp_sim_now(w) : 0, idle_over, 0);
}

static void idle_over(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_power_state *s = state(w);
	uint64_t entry = entry_of(w, w->live.power_state);

	(void)argument;
	s->armed = false;
	if (!(nvp_feature_value(w, NVP_FID_APST) & 1) || !itpt_ns(entry))
		return;
	if (nvp_sim_now(w) >= s->active_ns + itpt_ns(entry)) {
		nvp_feature_put(w, NVP_FID_POWER, itps(entry));
		s->active_ns = nvp_sim_now(w);
	}
	arm(w);
}

void nvp_power_activity(struct nvp_sim *w)
{
	state(w)->active_ns = nvp_sim_now(w);
	arm(w);
}

void nvp_power_reset(struct nvp_sim *w)
{
	memset(state(w), 0, sizeof(*state(w)));
	state(w)->active_ns = nvp_sim_now(w);
}

void nvp_power_set(struct nvp_sim *w, unsigned ps)
{
	if (ps < NVP_ARRAY_SIZE(states) && !states[ps].idle)
		state(w)->last_operational = (uint8_t)ps;
}

bool nvp_power_idle(const struct nvp_sim *w)
{
	unsigned ps = w->live.power_state;

	return ps <= nvp_sim_npss(w) && states[ps].idle;
}

/* 8.15.1: I/O ends a non-operational state; the drive takes its time for that. */
bool nvp_power_wakes(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	unsigned ps = w->live.power_state;

	if (!nvp_power_idle(w) || nvp_defect(w, NVP_HOOK_PWR_NO_WAKE))
		return false;
	nvp_feature_put(w, NVP_FID_POWER, state(w)->last_operational);
	c->delay_ns = states[ps].exit_us * NVP_NS_PER_US;
	return true;
}

/* ---- autonomous transitions and thermal management as features ---- */

static enum nvp_step apst_came(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	c->then = NULL;
	for (unsigned ps = 0; ps < APST_ENTRIES; ps++) {
		uint64_t entry = nvp_le64(c->data + 8 * ps);
		unsigned to = itps(entry);

		if (itpt_ns(entry) && (to > nvp_sim_npss(w) || !states[to].idle) &&
		    !nvp_defect(w, NVP_HOOK_APST_TARGET_OK))
			return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD);
	}
	memcpy(state(w)->apst, c->data, sizeof(state(w)->apst));
	nvp_feature_put(w, NVP_FID_APST, nvp_le32(c->sqe + 44) & 1);
	nvp_power_activity(w);
	return NVP_STEP_COMPLETE;
}

enum nvp_step nvp_power_set_apst(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	nvp_sim_cmd_data(w, c, sizeof(state(w)->apst));
	c->then = apst_came;
	return NVP_STEP_FROM_HOST;
}

enum nvp_step nvp_power_get_apst(struct nvp_sim *w, struct nvp_sim_cmd *c, bool current)
{
	uint8_t *data = nvp_sim_cmd_data(w, c, sizeof(state(w)->apst));

	if (nvp_defect(w, NVP_HOOK_APST_ENABLE))
		c->dw0 = 0;
	if (current && !nvp_defect(w, NVP_HOOK_APST_LOST))
		memcpy(data, state(w)->apst, sizeof(state(w)->apst));
	return NVP_STEP_TO_HOST;
}

/* 5.27.1.13: both 0, or within the limits, TMT1 below TMT2. */
bool nvp_power_thermal_valid(const struct nvp_sim *w, uint32_t dw11)
{
	uint32_t tmt[2] = { dw11 >> 16, dw11 & 0xffff };

	for (unsigned i = 0; i < 2; i++)
		if (tmt[i] && (tmt[i] < NVP_SIM_MNTMT_K || tmt[i] > NVP_SIM_MXTMT_K) &&
		    !nvp_defect(w, NVP_HOOK_HCTM_RANGE_OK))
			return false;
	return !tmt[0] || !tmt[1] || tmt[0] < tmt[1] || nvp_defect(w, NVP_HOOK_HCTM_ORDER_OK);
}
