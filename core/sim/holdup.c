// SPDX-License-Identifier: GPL-2.0-or-later
// Stored energy (plp=on): what was acknowledged is written to the flash while it lasts.

#include "core/sim/cut.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/cache.h"

#define KEPT_BYTES (16u << 20)	/* memory behind the stored energy */
#define KEPT_UNITS 4096u	/* a power of two */
#define RESIDENCE_NS (5 * NVP_NS_PER_MS)
#define PARALLEL_UNITS 8

/*
 * What is protected counts at once, so that a drive whose process was killed has it: the arena is
 * its memory and its flash. Kept here is what was there before, until the flash would have the new
 * data; when the energy ends too early, it comes back.
 */
struct kept {
	uint64_t since_ns;
	uint32_t nr, sectors, bytes;
	struct nvp_saved_block *block;	/* nr */
};

struct nvp_holdup_state {
	struct kept kept[KEPT_UNITS];
	uint32_t first, nr;
	uint64_t bytes;
	uint32_t most_sectors;		/* of a unit, since there was none */
	bool holding;			/* the rail is gone, the flash is being written */
	bool idle;			/* .. and has nothing to write at the moment */
	bool over;			/* the energy is used up */
};

int nvp_holdup_new(struct nvp_sim *w)
{
	if (!w->config->plp || w->holdup)
		return 0;
	w->holdup = calloc(1, sizeof(*w->holdup));
	return w->holdup ? 0 : -ENOMEM;
}

static struct kept *at(struct nvp_holdup_state *h, uint32_t i)
{
	return &h->kept[(h->first + i) % KEPT_UNITS];
}

static void forget(struct nvp_holdup_state *h, struct kept *k)
{
	for (uint32_t i = 0; i < k->nr; i++)
		free(k->block[i].bytes);
	free(k->block);
	h->bytes -= k->bytes;
	*k = (struct kept){ 0 };
	if (!--h->nr)
		h->most_sectors = 0;
}

static void forget_oldest(struct nvp_holdup_state *h)
{
	forget(h, at(h, 0));
	h->first = (h->first + 1) % KEPT_UNITS;
}

void nvp_holdup_free(struct nvp_sim *w)
{
	if (!w->holdup)
		return;
	while (w->holdup->nr)
		forget_oldest(w->holdup);
	free(w->holdup);
	w->holdup = NULL;
}

static uint64_t round_ns(const struct nvp_sim *w, uint32_t sectors)
{
	return (uint64_t)(sectors + 1) * w->profile->program_ns;
}

/*
 * The model takes no more into its memory than half of its energy writes: the other half is for
 * what is on its way. (A drive with less energy than its model has, by key or defect, does so too.)
 */
static bool full(const struct nvp_sim *w)
{
	const struct nvp_holdup_state *h = w->holdup;

	return h->nr == KEPT_UNITS || h->bytes > KEPT_BYTES ||
	       (h->nr / PARALLEL_UNITS + 1) * round_ns(w, h->most_sectors) >
		       w->profile->rail_ns[NVP_RAIL_HOLD_UP] / 2;
}

/* What has been in the memory for its time is on the flash; so is what it has no room for. */
static void settle(struct nvp_sim *w)
{
	struct nvp_holdup_state *h = w->holdup;

	while (h->nr && (at(h, 0)->since_ns + RESIDENCE_NS <= w->now_ns || full(w)))
		forget_oldest(h);
}

static void write_out(struct nvp_sim *w, uint64_t nr_done);

void nvp_holdup_keep(struct nvp_sim *w, const struct nvp_unit *u)
{
	struct nvp_holdup_state *h = w->holdup;
	struct kept *k;

	if (!h->holding)
		settle(w);
	k = at(h, h->nr++);
	k->since_ns = w->now_ns;
	k->nr = u->nr;
	k->sectors = u->kind == NVP_MAP_DATA ? u->nr * (u->lba_bytes / 512) : 1;
	h->most_sectors = (uint32_t)nvp_max_u64(h->most_sectors, k->sectors);
	k->block = nvp_cache_must(calloc(u->nr, sizeof(*k->block)));
	for (uint32_t i = 0; i < u->nr; i++) {
		nvp_block_save(w, u->first + i, &k->block[i]);
		k->bytes += k->block[i].bytes ? NVP_SAVED_BYTES : 64;
	}
	h->bytes += k->bytes;
	if (h->holding && h->idle)
		write_out(w, 0);
}

/* As many units as the flash takes at a time are done; the next ones. */
static void write_out(struct nvp_sim *w, uint64_t nr_done)
{
	struct nvp_holdup_state *h = w->holdup;
	uint32_t sectors = 0, nr;

	for (; nr_done && h->nr; nr_done--)
		forget_oldest(h);
	h->idle = !h->nr;
	if (h->idle)
		return;
	nr = h->nr < PARALLEL_UNITS ? h->nr : PARALLEL_UNITS;
	for (uint32_t i = 0; i < nr; i++)
		sectors = at(h, i)->sectors > sectors ? at(h, i)->sectors : sectors;
	nvp_event_add(w, NVP_SCOPE_DEVICE, round_ns(w, sectors), write_out, nr);
}

static void used_up(struct nvp_sim *w, uint64_t argument)
{
	(void)argument;
	w->holdup->over = true;
	nvp_rail_kill(w);
}

void nvp_holdup_begin(struct nvp_sim *w)
{
	uint64_t hold_up_ns = w->config->rail_ns[NVP_RAIL_HOLD_UP];

	if (!w->holdup)
		return;
	settle(w);
	w->holdup->holding = true;
	if (nvp_defect(w, NVP_HOOK_PLP_HOLD_UP))
		hold_up_ns = nvp_defect_value(w, NVP_HOOK_PLP_HOLD_UP, "us", 20) * NVP_NS_PER_US;
	nvp_event_add(w, NVP_SCOPE_RAIL, hold_up_ns, used_up, 0);
	write_out(w, 0);
}

void nvp_holdup_power_lost(struct nvp_sim *w)
{
	struct nvp_holdup_state *h = w->holdup;

	if (!h)
		return;
	if (h->nr && h->over)
		nvp_count(w, NVP_COUNT_INCOMPLETE_SHUTDOWNS, 1);
	while (h->nr && h->over) {
		struct kept *k = at(h, h->nr - 1);

		for (uint32_t i = k->nr; i > 0; i--)
			nvp_block_restore(w, &k->block[i - 1]);
		forget(h, k);
	}
	while (h->nr)
		forget_oldest(h);
	h->holding = h->idle = h->over = false;
}
