// SPDX-License-Identifier: GPL-2.0-or-later
// The supply of the drive: power-on from the arena, and the time-line of losing power.

#include <errno.h>
#include <stdlib.h>

#include "core/base/bits.h"
#include "core/sim/cache.h"
#include "core/sim/cut.h"
#include "core/sim/persistent_event.h"

enum rail { RAIL_OFF, RAIL_FALLING, RAIL_ON };

struct nvp_rail_state {
	enum rail rail;
	bool link_up;
};

bool nvp_rail_link_up(const struct nvp_sim *w)
{
	return w->rail->link_up;
}

bool nvp_sim_powered(const struct nvp_sim *sim)
{
	return sim->rail->rail == RAIL_ON;
}

/*
 * A shutdown was announced: a loss of power is no longer unsafe. Or it is running again
 * (SMART / Health log, Unsafe Shutdowns; NVMe Base 2.0, 5.16.1.3).
 */
void nvp_rail_shutdown(struct nvp_sim *w, bool announced)
{
	nvp_arena_store(&w->arena->header->powered, announced ? 0 : 1);
}

/* Losses of power without a shutdown: this one makes the count go up by so much. */
static uint64_t unsafe_count(const struct nvp_sim *w)
{
	if (nvp_defect(w, NVP_HOOK_UNSAFE_MISSING))
		return 0;
	return nvp_defect(w, NVP_HOOK_UNSAFE_TWICE) ? 2 : 1;
}

/* What a wrong drive does when it starts after a loss of power without a shutdown. */
static void after_cut(struct nvp_sim *w)
{
	if (nvp_defect(w, NVP_HOOK_COUNTERS_LOST)) {
		w->arena->header->counter[NVP_COUNT_HOST_WRITES].count = 0;
		w->arena->header->counter[NVP_COUNT_SECTORS_WRITTEN].count = 0;
	}
	for (uint32_t i = 0; i < w->nr_ns; i++) {
		struct nvp_sim_ns *ns = &w->ns[i];

		if (ns->active && nvp_defect(w, NVP_HOOK_CUT_CAPACITY)) {
			ns->nr_lbas /= 2;
			ns->capacity_lbas /= 2;
			ns->nr_used = nvp_min_u64(ns->nr_used, ns->nr_lbas);
		}
		if (nvp_defect(w, NVP_HOOK_CUT_EUI)) {
			ns->eui64[7] ^= 0xff;
			ns->nguid[15] ^= 0xff;
			ns->uuid[15] ^= 0xff;
		}
	}
}

static int power_on(struct nvp_sim *w, struct nvp_err *err)
{
	bool was_cut = w->arena->header->powered;
	struct nvp_arena_header *h = w->arena->header;
	int rc;

	nvp_sim_parts_free(w);
	nvp_events_restart(w);
	if (h->powered) {
		nvp_count(w, NVP_COUNT_UNSAFE_SHUTDOWNS, unsafe_count(w));
		if (w->config->plp)
			nvp_count(w, NVP_COUNT_PLP_STARTS, 1);
		if (w->config->plp && nvp_defect(w, NVP_HOOK_PLP_WEAK))
			nvp_count(w, NVP_COUNT_INCOMPLETE_SHUTDOWNS, 1);
	}
	if (!nvp_defect(w, NVP_HOOK_CYCLES_STUCK))
		nvp_count(w, NVP_COUNT_POWER_CYCLES, 1);
	nvp_arena_store(&h->powered, 1);
	w->counted_until_ns = w->now_ns;
	nvp_cut_power_on(w, was_cut);
	rc = nvp_sim_parts_new(w, err);
	if (!rc)
		nvp_pel_power_on(w, was_cut);
	if (!rc && was_cut)
		after_cut(w);
	w->rail->rail = rc ? RAIL_OFF : RAIL_ON;
	return rc;
}

int nvp_rail_new(struct nvp_sim *w, struct nvp_err *err)
{
	w->rail = calloc(1, sizeof(*w->rail));
	if (!w->rail)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "power on the simulated drive");
	w->rail->link_up = true;
	return power_on(w, err);
}

void nvp_rail_kill(struct nvp_sim *w)
{
	if (w->rail->rail == RAIL_OFF)
		return;
	nvp_count(w, NVP_COUNT_POWER_ON_NS, 0);
	nvp_cache_power_lost(w);
	nvp_holdup_power_lost(w);
	nvp_cut_damage(w);
	for (unsigned scope = 0; scope < NVP_NR_SCOPES; scope++)
		nvp_event_end_scope(w, (enum nvp_scope)scope);
	nvp_queues_reset(w);
	nvp_engine_reset(w);
	nvp_sim_cut_after_event(w, 0);
	w->rail->rail = RAIL_OFF;
	w->rail->link_up = false;
}

void nvp_rail_free(struct nvp_sim *w)
{
	if (!w->rail)
		return;
	nvp_rail_kill(w);
	free(w->rail);
	w->rail = NULL;
}

/* ---- the time-line of an off command ---- */

static void detected(struct nvp_sim *w, uint64_t argument)
{
	(void)argument;
	nvp_queues_stop(w);
	w->cache->stopped = true;	/* no new program is begun on a falling supply */
	nvp_cut_detected(w);
	nvp_holdup_begin(w);
}

static void link_lost(struct nvp_sim *w, uint64_t argument)
{
	(void)argument;
	w->rail->link_up = false;
}

static void dead(struct nvp_sim *w, uint64_t argument)
{
	(void)argument;
	nvp_rail_kill(w);
}

static void link_trained(struct nvp_sim *w, uint64_t argument)
{
	(void)argument;
	w->rail->link_up = true;
}

/* A wrong drive that does not come up any more; or not this time. */
static bool stays_dead(const struct nvp_sim *w)
{
	uint64_t cuts = w->cut ? w->cut->nr_cuts : 0;

	return (nvp_defect(w, NVP_HOOK_CUT_DEAD) &&
		cuts >= nvp_defect_value(w, NVP_HOOK_CUT_DEAD, "cuts", 3)) ||
	       (nvp_defect(w, NVP_HOOK_CUT_DEAD_ONCE) &&
		cuts == nvp_defect_value(w, NVP_HOOK_CUT_DEAD_ONCE, "cuts", 2));
}

int nvp_sim_power(struct nvp_sim *sim, bool on)
{
	const uint64_t *rail_ns = sim->config->rail_ns;
	int rc;

	if (!on) {
		if (sim->rail->rail != RAIL_ON || nvp_defect(sim, NVP_HOOK_POWER_OFF_IGNORED))
			return 0;
		if (sim->cut)
			sim->cut->falling = true;
		sim->rail->rail = RAIL_FALLING;
		nvp_event_add(sim, NVP_SCOPE_RAIL, rail_ns[NVP_RAIL_DETECT], detected, 0);
		nvp_event_add(sim, NVP_SCOPE_RAIL, rail_ns[NVP_RAIL_LINK_DOWN], link_lost, 0);
		if (!sim->holdup)	/* else it lives as long as its energy */
			nvp_event_add(sim, NVP_SCOPE_RAIL, rail_ns[NVP_RAIL_DEAD], dead, 0);
		return 0;
	}
	if (sim->rail->rail == RAIL_ON)
		return 0;
	nvp_rail_kill(sim);	/* came back before it was dead: it restarts all the same */
	rc = power_on(sim, NULL);
	if (!rc && !stays_dead(sim))
		nvp_event_add(sim, NVP_SCOPE_RAIL, rail_ns[NVP_RAIL_POWER_ON] +
			      rail_ns[NVP_RAIL_TRAIN], link_trained, 0);
	return rc;
}

int nvp_sim_reset(struct nvp_sim *sim, enum nvp_reset kind)
{
	bool function_only = kind == NVP_RESET_FUNCTION || kind == NVP_RESET_D3;

	if (kind == NVP_RESET_CONTROLLER || kind >= NVP_RESET_SUBSYSTEM)
		return -EOPNOTSUPP;
	if (!sim->rail->link_up || sim->rail->rail == RAIL_OFF)
		return -ENODEV;
	sim->reset_kind = (uint8_t)kind;
	if (nvp_defect(sim, NVP_HOOK_FUNCTION_RESET_DROPS))
		nvp_cache_drop_all(sim);
	nvp_registers_hard_reset(sim);
	sim->reset_kind = NVP_RESET_CONTROLLER;
	nvp_config_reset(sim, function_only);
	return 0;
}
