// SPDX-License-Identifier: GPL-2.0-or-later
// The write path: program units on their way to the media, visible before (cache) or after it.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/cache.h"
#include "core/sim/erase.h"
#include "core/sim/cut.h"

#define CACHE_BYTES (16u << 20)
#define RESIDENCE_NS (5 * NVP_NS_PER_MS)	/* data stay in the cache so long at least */
#define PARALLEL_UNITS 8
#define LARGE_BLOCKS 4096			/* a deallocation that is worth looking for holes */

int nvp_cache_new(struct nvp_sim *w)
{
	struct nvp_cache_state *s = calloc(1, sizeof(*s));
	uint32_t unit_bytes;

	if (!s)
		return -ENOMEM;
	w->cache = s;
	s->unit_blocks = w->profile->awupf_z + 1U;
	unit_bytes = s->unit_blocks * w->config->lba_bytes;
	s->nr_cached_max = (uint32_t)nvp_min_u64(CACHE_BYTES / unit_bytes, 4096);
	s->nr_units = s->nr_cached_max + NVP_MAX_COMMANDS;
	s->unit = calloc(s->nr_units, sizeof(*s->unit));
	s->free = calloc(s->nr_units, sizeof(*s->free));
	s->index = calloc(NVP_CACHE_INDEX, sizeof(*s->index));
	if (!s->unit || !s->free || !s->index)
		return -ENOMEM;
	s->oldest = s->newest = NVP_NO_UNIT;
	return 0;
}

void nvp_cache_free(struct nvp_sim *w)
{
	if (!w->cache)
		return;
	for (uint32_t i = 0; i < w->cache->nr_begun; i++) {
		free(w->cache->unit[i].bytes);
		free(w->cache->unit[i].meta);
		free(w->cache->unit[i].slot);
	}
	free(w->cache->unit);
	free(w->cache->free);
	free(w->cache->index);
	free(w->cache);
	w->cache = NULL;
}

bool nvp_cache_empty(const struct nvp_sim *w)
{
	return !w->cache->nr_cached;
}

bool nvp_cache_lookup(const struct nvp_sim *w, uint64_t map_index, enum nvp_map_kind *kind,
		      const uint8_t **block, const uint8_t **meta)
{
	uint32_t id = nvp_cache_index_get(w->cache, map_index);
	const struct nvp_unit *u;

	if (id == NVP_NO_UNIT)
		return false;
	u = &w->cache->unit[id];
	*kind = u->kind;
	*block = u->kind == NVP_MAP_DATA ? u->bytes + (map_index - u->first) * u->lba_bytes : NULL;
	*meta = u->kind == NVP_MAP_DATA && u->meta_bytes ?
		u->meta + (map_index - u->first) * u->meta_bytes : NULL;
	return true;
}

/* ---- write back ---- */

/* The oldest units first, some at a time, up to the one that was newest when it was asked for. */
void nvp_cache_go_on(struct nvp_sim *w)
{
	struct nvp_cache_state *s = w->cache;

	if (nvp_sanitize_holds_cache(w))
		return;
	for (uint32_t id = s->frozen || s->stopped ? NVP_NO_UNIT : s->oldest;
	     id != NVP_NO_UNIT && s->nr_programming < PARALLEL_UNITS;
	     id = s->unit[id].newer) {
		struct nvp_unit *u = &s->unit[id];

		if (u->sequence > s->write_back_upto)
			break;
		if (u->visible && u->state == NVP_UNIT_WAITING)
			nvp_unit_start(w, u);
	}
}

void nvp_cache_write_back(struct nvp_sim *w)
{
	w->cache->write_back_upto = w->cache->next_sequence;
	nvp_cache_go_on(w);
}

static void residence_over(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_cache_state *s = w->cache;

	s->timer_runs = false;
	s->write_back_upto = nvp_max_u64(s->write_back_upto, argument);
	nvp_cache_go_on(w);
	if (s->nr_cached && s->next_sequence > argument) {
		s->timer_runs = true;
		nvp_event_add(w, NVP_SCOPE_DEVICE, RESIDENCE_NS, residence_over, s->next_sequence);
	}
}

/* ---- the WRITE and ZERO steps ---- */

enum mode { THROUGH, CACHED, PROTECTED };

static enum mode mode_of(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	if (w->config->plp)
		return nvp_cut_unprotected(w, c) ? CACHED : PROTECTED;
	if (w->config->vwc == NVP_VWC_ABSENT)
		return THROUGH;
	return nvp_cut_cached(w, c) ? CACHED : THROUGH;
}

/* Units are as large as what must be atomic; a larger command with no data needs fewer. */
static uint32_t next_blocks(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	uint32_t left = c->nr_lbas - c->done_lbas;
	uint32_t most = w->cache->unit_blocks;

	if (c->step == NVP_STEP_ZERO && c->nr_lbas > most)
		most = NVP_ARENA_REDO_MAX;
	return left < most ? left : most;
}

static bool has_room(const struct nvp_cache_state *s)
{
	return s->nr_cached < s->nr_cached_max &&
	       s->nr_cached_blocks + NVP_ARENA_REDO_MAX <= NVP_CACHE_INDEX / 2;
}

static void insert(struct nvp_sim *w, struct nvp_unit *u)
{
	struct nvp_cache_state *s = w->cache;

	u->visible = true;
	s->nr_cached++;
	s->nr_cached_blocks += u->nr;
	for (uint32_t i = 0; i < u->nr; i++)
		nvp_cache_index_set(s, u->first + i, u->id);
	if (s->nr_cached > s->nr_cached_max / 2)
		nvp_cache_write_back(w);
	if (!s->timer_runs)
		nvp_event_add(w, NVP_SCOPE_DEVICE, RESIDENCE_NS, residence_over, u->sequence);
	s->timer_runs = true;
}

/* The step of one unit that needs no time on the media. */
static void insert_step(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);
	bool is_protected = mode_of(w, c) == PROTECTED;
	uint32_t nr = next_blocks(w, c);
	struct nvp_unit *u;

	if (!is_protected && !has_room(w->cache)) {
		nvp_cache_write_back(w);
		nvp_event_add_cmd(w, c, w->profile->program_ns, insert_step);
		return;
	}
	u = nvp_unit_new(w, c, nr);
	if (is_protected) {
		nvp_unit_program_rest(w, u);
		nvp_holdup_keep(w, u);
		nvp_unit_publish(w, u);
		nvp_unit_drop(w, u);
	} else {
		insert(w, u);
	}
	c->visible = true;
	c->done_lbas += nr;
	nvp_cache_write_step(w, slot);
}

/*
 * Deallocating what was never written changes nothing: go over it at once, up to the next part of
 * the map that was ever written and the next block that is on its way there.
 */
static void skip_unwritten(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_cache_state *s = w->cache;
	uint64_t first = c->ns->map_first + c->slba + c->done_lbas;
	uint64_t end = c->ns->map_first + c->slba + c->nr_lbas, extent = first, extent_end;

	if (nvp_arena_next_extent(w->arena, &extent, &extent_end))
		end = nvp_min_u64(end, extent);
	for (uint32_t id = s->oldest; id != NVP_NO_UNIT && end > first; id = s->unit[id].newer) {
		const struct nvp_unit *u = &s->unit[id];

		if (u->first + u->nr > first)
			end = nvp_min_u64(end, nvp_max_u64(u->first, first));
	}
	c->done_lbas += (uint32_t)(end - first);
}

void nvp_cache_write_step(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);
	struct nvp_unit *u;

	if (c->step == NVP_STEP_ZERO && c->deallocate && c->nr_lbas > LARGE_BLOCKS)
		skip_unwritten(w, c);
	if (c->done_lbas == c->nr_lbas) {
		nvp_engine_next(w, c);
		return;
	}
	if (mode_of(w, c) != THROUGH) {
		nvp_event_add_cmd(w, c, w->profile->cache_ns, insert_step);
		return;
	}
	u = nvp_unit_new(w, c, next_blocks(w, c));
	u->cmd_slot = c->slot;
	nvp_unit_start(w, u);
}

static void write_again(struct nvp_sim *w, uint64_t slot)
{
	nvp_cache_write(w, nvp_engine_cmd(w, (uint32_t)slot));
}

void nvp_cache_write(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	c->done_lbas = 0;
	c->held_back = nvp_fused_holds_back(w, c);
	if (c->held_back) {
		nvp_event_add_cmd(w, c, w->profile->cache_ns, write_again);
		return;
	}
	if (nvp_defect(w, NVP_HOOK_MEDIA_LOST_WRITE) && c->step == NVP_STEP_WRITE &&
	    nvp_defect_nth(w, NVP_HOOK_MEDIA_LOST_WRITE))
		c->done_lbas = c->nr_lbas;
	if (nvp_defect(w, NVP_HOOK_MEDIA_MISDIRECTED) && c->step == NVP_STEP_WRITE &&
	    nvp_defect_nth(w, NVP_HOOK_MEDIA_MISDIRECTED) &&
	    c->slba + c->nr_lbas < c->ns->nr_lbas)
		c->slba++;
	nvp_cache_write_step(w, c->slot);
}

/* ---- flush ---- */

/* A wrong drive writes out a part only; true: it still has something to write. */
static bool flush_part(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	struct nvp_cache_state *s = w->cache;
	bool found = false;

	for (uint32_t id = s->oldest; id != NVP_NO_UNIT; id = s->unit[id].newer) {
		struct nvp_unit *u = &s->unit[id];

		if (!u->visible || u->sequence > c->flush_upto || !nvp_cut_flush_covers(w, c, u))
			continue;
		found = true;
		if (u->state == NVP_UNIT_WAITING && s->nr_programming < PARALLEL_UNITS)
			nvp_unit_start(w, u);
	}
	return found;
}

static bool flush_all(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	struct nvp_cache_state *s = w->cache;
	uint32_t id = s->oldest;

	while (id != NVP_NO_UNIT && !s->unit[id].visible)
		id = s->unit[id].newer;
	if (id == NVP_NO_UNIT || s->unit[id].sequence > c->flush_upto)
		return false;
	s->write_back_upto = nvp_max_u64(s->write_back_upto, c->flush_upto);
	nvp_cache_go_on(w);
	return true;
}

static void flush_step(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);

	if (!(nvp_cut_flush_is_partial(w) ? flush_part(w, c) : flush_all(w, c)) ||
	    nvp_defect(w, NVP_HOOK_FLUSH_EARLY))
		nvp_engine_next(w, c);
	else
		nvp_event_add_cmd(w, c, w->profile->flush_ns, flush_step);
}

void nvp_cache_flush(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	c->flush_upto = nvp_cut_flush_upto(w, c);
	nvp_event_add_cmd(w, c, w->profile->flush_ns, flush_step);
}

/* ---- what ends without being written ---- */

static void drop_where(struct nvp_sim *w, bool visible_too, const struct nvp_sim_cmd *only)
{
	struct nvp_cache_state *s = w->cache;
	uint32_t id = s->oldest;

	while (id != NVP_NO_UNIT) {
		struct nvp_unit *u = &s->unit[id];

		id = u->newer;
		if (u->visible ? visible_too : !only || u->cmd_slot == only->slot)
			nvp_unit_drop(w, u);
	}
}

void nvp_cache_drop_command(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	drop_where(w, false, c);
}

void nvp_cache_drop_unseen(struct nvp_sim *w)
{
	drop_where(w, false, NULL);
}

void nvp_cache_drop_all(struct nvp_sim *w)
{
	drop_where(w, true, NULL);
}

void nvp_cache_drop_range(struct nvp_sim *w, uint64_t first, uint64_t end)
{
	struct nvp_cache_state *s = w->cache;
	uint32_t id = s->oldest;

	while (id != NVP_NO_UNIT) {
		struct nvp_unit *u = &s->unit[id];

		id = u->newer;
		if (u->visible && u->first < end && u->first + u->nr > first)
			nvp_unit_drop(w, u);
	}
}

void nvp_cache_power_lost(struct nvp_sim *w)
{
	struct nvp_cache_state *s = w->cache;
	uint32_t id = s->oldest;

	if (id != NVP_NO_UNIT)
		s->first_at_loss = s->unit[id].sequence;
	while (id != NVP_NO_UNIT) {
		struct nvp_unit *u = &s->unit[id];

		id = u->newer;
		if (nvp_cut_tears(w, u)) {
			nvp_unit_drop(w, u);
			continue;
		}
		if (u->visible && !u->published && nvp_cache_survives(w, u)) {
			nvp_unit_program_rest(w, u);
			nvp_unit_publish(w, u);
		}
		nvp_unit_drop(w, u);
	}
}
