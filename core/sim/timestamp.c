// SPDX-License-Identifier: GPL-2.0-or-later
// The Timestamp feature (NVMe Base 2.0, 5.27.1.11, 8.22): milliseconds that the host has set.

#include "core/base/bits.h"
#include "core/sim/commands.h"
#include "core/sim/manage.h"
#include "core/sim/persistent_event.h"

#define MS_MASK 0xffffffffffffULL
#define ORIGIN_RESET 0
#define ORIGIN_SET 1

static struct nvp_time_state *state(const struct nvp_sim *w)
{
	return &w->commands->manage->time;
}

bool nvp_sim_has_timestamp(const struct nvp_sim *w)
{
	return w->profile->optional_commands;
}

/* It counts on over resets; with the power it is gone, and counts from 0. */
void nvp_time_power_on(struct nvp_sim *w)
{
	state(w)->since_ns = nvp_sim_now(w);
}

void nvp_time_reset(struct nvp_sim *w)
{
	if (nvp_defect(w, NVP_HOOK_TIME_RESTARTS)) {
		state(w)->ms = 0;
		state(w)->since_ns = nvp_sim_now(w);
	}
}

uint64_t nvp_time_ms(const struct nvp_sim *w)
{
	const struct nvp_time_state *s = state(w);
	uint64_t passed = (nvp_sim_now(w) - s->since_ns) / NVP_NS_PER_MS;

	if (nvp_defect(w, NVP_HOOK_TIME_STANDS))
		passed = 0;
	if (nvp_defect(w, NVP_HOOK_TIME_BACK))
		passed = 0 - passed;
	return (s->ms + passed) & MS_MASK;
}

void nvp_time_fill(const struct nvp_sim *w, uint8_t data[8])
{
	bool set = state(w)->set && !nvp_defect(w, NVP_HOOK_TIME_ORIGIN);

	nvp_put_le_n(data, 6, nvp_time_ms(w));
	data[6] = (uint8_t)((set ? ORIGIN_SET : ORIGIN_RESET) << 1);
	data[7] = 0;
}

static enum nvp_step came(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint8_t before[8];

	c->then = NULL;
	if (nvp_defect(w, NVP_HOOK_TIME_SET_IGNORED))
		return NVP_STEP_COMPLETE;
	nvp_time_fill(w, before);
	state(w)->ms = nvp_le_n(c->data, 6);
	state(w)->since_ns = nvp_sim_now(w);
	state(w)->set = true;
	nvp_pel_timestamp(w, before);
	return NVP_STEP_COMPLETE;
}

enum nvp_step nvp_time_set(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	nvp_sim_cmd_data(w, c, 8);
	c->then = came;
	return NVP_STEP_FROM_HOST;
}

enum nvp_step nvp_time_get(struct nvp_sim *w, struct nvp_sim_cmd *c, bool current)
{
	uint8_t *data = nvp_sim_cmd_data(w, c, 8);

	if (current)
		nvp_time_fill(w, data);
	return NVP_STEP_TO_HOST;
}
