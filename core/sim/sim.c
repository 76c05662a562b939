// SPDX-License-Identifier: GPL-2.0-or-later
// The world of one simulated drive: made, accessed through its BAR, and waited for.

#include "core/sim/sim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/bits.h"
#include "core/sim/cut.h"

#define ACCESS_NS 1000

static uint64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NVP_NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* With clock=real the drive's time is that of the machine, moved to where the drive's was. */
static uint64_t real_now(const struct nvp_sim *w)
{
	return nvp_max_u64(w->now_ns, monotonic_ns() + w->real_offset_ns);
}

void nvp_sim_tick(struct nvp_sim *w)
{
	nvp_event_run_until(w, w->config->real_clock ? real_now(w) : w->now_ns + ACCESS_NS);
}

/* ---- life ---- */

int nvp_sim_parts_new(struct nvp_sim *w, struct nvp_err *err)
{
	int rc = nvp_engine_new(w);

	rc = rc ? rc : nvp_holdup_new(w);
	rc = rc ? rc : nvp_cut_new(w);
	rc = rc ? rc : nvp_media_new(w);
	rc = rc ? rc : nvp_cache_new(w);
	rc = rc ? rc : nvp_registers_new(w);
	rc = rc ? rc : nvp_queues_new(w);
	rc = rc ? rc : nvp_msix_new(w);
	rc = rc ? rc : nvp_config_new(w);
	if (rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "power on the simulated drive");
	memset(w->fired, 0, sizeof(w->fired));
	memset(w->defect_seen, 0, sizeof(w->defect_seen));
	return nvp_commands_power_on(w, err);
}

void nvp_sim_parts_free(struct nvp_sim *w)
{
	nvp_commands_free(w);
	nvp_config_free(w);
	nvp_msix_free(w);
	nvp_queues_free(w);
	nvp_registers_free(w);
	nvp_cache_free(w);
	nvp_media_free(w);
	nvp_engine_free(w);
}

struct nvp_sim *nvp_sim_new(struct nvp_sim_arena *arena, struct nvp_err *err)
{
	struct nvp_sim *w;

	if (arena->in_use) {
		nvp_err_set(err, NVP_ERR_BROKEN, -EBUSY, "power on the simulated drive");
		nvp_err_seen(err, "it is running already");
		return NULL;
	}
	w = calloc(1, sizeof(*w));
	if (!w || !(w->clock = calloc(1, sizeof(*w->clock)))) {
		free(w);
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "power on the simulated drive");
		return NULL;
	}
	w->arena = arena;
	w->config = &arena->config;
	w->profile = arena->config.profile;
	w->now_ns = arena->header->now_ns;
	w->real_offset_ns = w->now_ns - monotonic_ns();
	w->nr_io_queues = w->profile->nr_io_queues;
	w->cntlid = 1;
	arena->in_use = true;
	if (nvp_events_new(w) || nvp_dma_new(w)) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "power on the simulated drive");
		nvp_sim_free(w);
		return NULL;
	}
	if (nvp_rail_new(w, err)) {
		nvp_sim_free(w);
		return NULL;
	}
	return w;
}

void nvp_sim_free(struct nvp_sim *sim)
{
	if (!sim)
		return;
	nvp_rail_free(sim);
	nvp_sim_parts_free(sim);
	nvp_holdup_free(sim);
	nvp_cut_free(sim);
	nvp_dma_free(sim);
	nvp_events_free(sim);
	sim->arena->in_use = false;
	free(sim->clock);
	free(sim);
}

bool nvp_sim_has_io_queues(const struct nvp_sim *w)
{
	for (unsigned i = 1; i < NVP_MAX_QUEUES; i++)
		if (w->queues->sq[i].exists || w->queues->cq[i].exists)
			return true;
	return false;
}

/* ---- BAR0 ---- */

static bool reachable(const struct nvp_sim *w, uint64_t offset, unsigned bytes)
{
	return nvp_rail_link_up(w) && nvp_config_memory(w) && offset <= NVP_BAR_BYTES - bytes;
}

uint64_t nvp_sim_bar_bytes(const struct nvp_sim *sim)
{
	(void)sim;
	return NVP_BAR_BYTES;
}

uint64_t nvp_sim_bar_read(struct nvp_sim *sim, uint64_t offset, unsigned bytes)
{
	nvp_sim_tick(sim);
	if (!reachable(sim, offset, bytes))
		return bytes == 8 ? UINT64_MAX : UINT32_MAX;
	if (offset < NVP_BAR_DOORBELLS)
		return nvp_registers_read(sim, offset, bytes);
	return offset < NVP_BAR_MSIX_TABLE ? 0 : nvp_msix_read(sim, offset, bytes);
}

void nvp_sim_bar_write(struct nvp_sim *sim, uint64_t offset, unsigned bytes, uint64_t value)
{
	nvp_sim_tick(sim);
	if (!reachable(sim, offset, bytes))
		return;
	if (offset < NVP_BAR_MSIX_TABLE)
		nvp_registers_write(sim, offset, bytes, value);
	else
		nvp_msix_write(sim, offset, bytes, value);
}

/* ---- the clock ---- */

static uint64_t clock_now(void *context)
{
	struct nvp_sim *w = context;

	return w->config->real_clock ? real_now(w) : w->now_ns;
}

/* What a wait ended with, or NVP_WOKEN_TIME when nothing of it happened yet. */
static enum nvp_woken happened(const struct nvp_sim *w, const struct nvp_wait *wait)
{
	if (w->fired[0] & wait->vectors)
		return NVP_WOKEN_VECTOR;
	for (unsigned i = 0; i < wait->nr_watch; i++)
		if ((*wait->watch[i].phase_byte & 1) == wait->watch[i].expected_phase)
			return NVP_WOKEN_PHASE;
	return NVP_WOKEN_TIME;
}

static void sleep_until(const struct nvp_sim *w, uint64_t drive_ns)
{
	uint64_t at = drive_ns - w->real_offset_ns;
	struct timespec ts = { .tv_sec = (time_t)(at / NVP_NS_PER_S),
			       .tv_nsec = (long)(at % NVP_NS_PER_S) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static int clock_wait(void *context, const struct nvp_wait *wait)
{
	struct nvp_sim *w = context;
	enum nvp_woken woken;

	if (wait->until_ns == NVP_NEVER_NS)
		return -EINVAL;
	while (!(woken = happened(w, wait))) {
		uint64_t next = nvp_event_next_ns(w);

		if (next > wait->until_ns) {
			if (w->config->real_clock && wait->until_ns > real_now(w))
				sleep_until(w, wait->until_ns);
			nvp_sim_set_now(w, wait->until_ns);
			return NVP_WOKEN_TIME;
		}
		if (w->config->real_clock && next > real_now(w))
			sleep_until(w, next);
		nvp_event_run_one(w);
	}
	return woken;
}

const struct nvp_clock *nvp_sim_clock(struct nvp_sim *sim)
{
	*sim->clock = (struct nvp_clock){
		.now_ns = clock_now,
		.wait = clock_wait,
		.context = sim,
		.virtual_time = !sim->config->real_clock,
	};
	return sim->clock;
}
