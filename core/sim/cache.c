// SPDX-License-Identifier: GPL-2.0-or-later
// The write path: program units on their way to the media, visible before (cache) or after it.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/cache.h"

#define CACHE_BYTES (16u << 20)
#define RESIDENCE_NS (5 * NVP_NS_PER_MS)	/* data stay in the cache so long at least */
#define PARALLEL_UNITS 8

static uint64_t unit_argument(const struct nvp_unit *u)
{
	return (uint64_t)u->generation << 32 | u->id;
}

static struct nvp_unit *unit_of(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_unit *u = &w->cache->unit[(uint32_t)argument];

	return u->state != NVP_UNIT_FREE && u->generation == argument >> 32 ? u : NULL;
}

int nvp_cache_new(struct nvp_sim *w)
{
	struct nvp_cache_state *s = calloc(1, sizeof(*s));
	uint32_t unit_bytes;

	if (!s)
		return -ENOMEM;
	w->cache = s;
	s->unit_blocks = w->profile->awupf_z + 1U;
	unit_bytes = s->unit_blocks * w->arena->header->lba_bytes;
	s->nr_cached_max = (uint32_t)nvp_min_u64(CACHE_BYTES / unit_bytes, 4096);
	s->nr_units = s->nr_cached_max + NVP_MAX_COMMANDS;
	s->unit = calloc(s->nr_units, sizeof(*s->unit));
	s->free = calloc(s->nr_units, sizeof(*s->free));
	s->index = calloc(NVP_CACHE_INDEX, sizeof(*s->index));
	if (!s->unit || !s->free || !s->index)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->nr_units; i++) {
		s->unit[i].id = i;
		s->free[s->nr_units - 1 - i] = i;
	}
	s->nr_free = s->nr_units;
	s->oldest = s->newest = NVP_NO_UNIT;
	return 0;
}

void nvp_cache_free(struct nvp_sim *w)
{
	if (!w->cache)
		return;
	for (uint32_t i = 0; w->cache->unit && i < w->cache->nr_units; i++) {
		free(w->cache->unit[i].bytes);
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
		      const uint8_t **block)
{
	uint32_t id = nvp_cache_index_get(w->cache, map_index);
	const struct nvp_unit *u;

	if (id == NVP_NO_UNIT)
		return false;
	u = &w->cache->unit[id];
	*kind = u->kind;
	*block = u->bytes + (map_index - u->first) * w->arena->header->lba_bytes;
	return true;
}

/* ---- units ---- */

static struct nvp_unit *new_unit(struct nvp_sim *w, const struct nvp_sim_cmd *c, uint32_t nr)
{
	struct nvp_cache_state *s = w->cache;
	uint32_t lba_bytes = w->arena->header->lba_bytes;
	struct nvp_unit *u = &s->unit[s->free[--s->nr_free]];

	u->first = c->ns->map_first + c->slba + c->done_lbas;
	u->nr = nr;
	u->kind = c->step == NVP_STEP_WRITE ? NVP_MAP_DATA :
		  c->deallocate ? NVP_MAP_UNWRITTEN : NVP_MAP_ZERO;
	u->state = NVP_UNIT_WAITING;
	u->visible = false;
	u->published = false;
	u->sequence = ++s->next_sequence;
	u->sectors_done = 0;
	memset(u->superseded, 0, sizeof(u->superseded));
	if (u->kind == NVP_MAP_DATA) {
		if (!u->bytes)
			u->bytes = nvp_cache_must(malloc((size_t)s->unit_blocks * lba_bytes));
		if (!u->slot)
			u->slot = nvp_cache_must(malloc(s->unit_blocks * sizeof(*u->slot)));
		memcpy(u->bytes, (c->media ? c->media : c->data) + (size_t)c->done_lbas * lba_bytes,
		       (size_t)nr * lba_bytes);
	}
	u->older = s->newest;
	u->newer = NVP_NO_UNIT;
	if (s->newest != NVP_NO_UNIT)
		s->unit[s->newest].newer = u->id;
	else
		s->oldest = u->id;
	s->newest = u->id;
	return u;
}

/* Slots of blocks that were begun: all of them once a sector was programmed. */
static uint32_t slots_held(const struct nvp_sim *w, const struct nvp_unit *u)
{
	uint32_t sectors = w->arena->header->lba_bytes / 512;

	if (u->kind != NVP_MAP_DATA || u->published)
		return 0;
	return (u->sectors_done + sectors - 1) / sectors;
}

static void drop_unit(struct nvp_sim *w, struct nvp_unit *u)
{
	struct nvp_cache_state *s = w->cache;

	for (uint32_t i = 0; i < slots_held(w, u); i++)
		nvp_media_slot_give(w, u->slot[i]);
	if (u->visible) {
		for (uint32_t i = 0; i < u->nr; i++)
			nvp_cache_index_remove(s, u->first + i, u->id);
		s->nr_cached--;
		s->nr_cached_blocks -= u->nr;
	}
	if (u->state == NVP_UNIT_PROGRAMMING && u->visible)
		s->nr_programming--;
	if (u->older != NVP_NO_UNIT)
		s->unit[u->older].newer = u->newer;
	else
		s->oldest = u->newer;
	if (u->newer != NVP_NO_UNIT)
		s->unit[u->newer].older = u->older;
	else
		s->newest = u->older;
	u->state = NVP_UNIT_FREE;
	u->generation++;
	s->free[s->nr_free++] = u->id;
}

/*
 * Newer data of the same blocks are on the media now: what older units in the cache still hold of
 * them must not be written over it.
 */
static void supersede_older(struct nvp_sim *w, const struct nvp_unit *u)
{
	struct nvp_cache_state *s = w->cache;

	for (uint32_t id = u->older; id != NVP_NO_UNIT; id = s->unit[id].older) {
		struct nvp_unit *old = &s->unit[id];
		uint64_t first = nvp_max_u64(old->first, u->first);
		uint64_t end = nvp_min_u64(old->first + old->nr, u->first + u->nr);

		if (!old->visible && !old->published)
			continue;
		for (uint64_t i = first; i < end; i++) {
			old->superseded[(i - old->first) / 64] |=
				UINT64_C(1) << ((i - old->first) % 64);
			nvp_cache_index_remove(s, i, old->id);
		}
	}
}

static bool is_superseded(const struct nvp_unit *u, uint32_t i)
{
	return u->superseded[i / 64] >> (i % 64) & 1;
}

/* The whole unit counts from here on: one store, or one record that counts by one store. */
static void publish_blocks(struct nvp_sim *w, struct nvp_unit *u)
{
	uint64_t index[NVP_ARENA_REDO_MAX], entry[NVP_ARENA_REDO_MAX];
	uint32_t nr = 0;

	for (uint32_t i = 0; i < u->nr; i++) {
		uint64_t slot = u->kind == NVP_MAP_DATA ? u->slot[i] : 0;

		if (is_superseded(u, i)) {
			if (u->kind == NVP_MAP_DATA)
				nvp_media_slot_give(w, slot);
			continue;
		}
		if (u->kind == NVP_MAP_DATA)
			nvp_media_seal(w, slot, u->first + i);
		index[nr] = u->first + i;
		entry[nr++] = NVP_MAP_ENTRY(u->kind, slot);
	}
	nvp_media_publish(w, index, entry, nr);
	u->published = true;
	supersede_older(w, u);
}

/* Program what is missing of a unit, without time passing. */
static void program_rest(struct nvp_sim *w, struct nvp_unit *u)
{
	uint32_t per_block = w->arena->header->lba_bytes / 512;

	while (u->kind == NVP_MAP_DATA && u->sectors_done < u->nr * per_block) {
		uint32_t block = u->sectors_done / per_block, sector = u->sectors_done % per_block;

		if (!sector)
			u->slot[block] = nvp_media_slot_take(w);
		nvp_media_program(w, u->slot[block], sector,
				  u->bytes + (size_t)u->sectors_done * 512);
		u->sectors_done++;
	}
}

/* ---- programming: one event for each sector, one to publish ---- */

static void start_write_back(struct nvp_sim *w, uint64_t argument);
static void write_step(struct nvp_sim *w, uint64_t slot);

static void publish(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_unit *u = unit_of(w, argument);
	struct nvp_sim_cmd *c;

	if (!u)
		return;
	if (!u->published)
		publish_blocks(w, u);
	if (u->visible) {
		drop_unit(w, u);
		start_write_back(w, 0);
		return;
	}
	c = nvp_engine_cmd(w, u->cmd_slot);
	c->visible = true;
	c->done_lbas += u->nr;
	drop_unit(w, u);
	write_step(w, c->slot);
}

/* A wrong drive: the unit counts after its first sector, the rest is written in place. */
static void publish_torn(struct nvp_sim *w, struct nvp_unit *u)
{
	uint32_t per_block = w->arena->header->lba_bytes / 512;
	uint8_t block[4096];

	for (uint32_t i = 0; i < u->nr; i++) {
		if (i)
			u->slot[i] = nvp_media_slot_take(w);
		nvp_media_read_block(w, u->first + i, block);
		for (uint32_t sector = i ? 0 : 1; sector < per_block; sector++)
			nvp_media_program(w, u->slot[i], sector, block + sector * 512);
	}
	publish_blocks(w, u);
}

static void program(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_unit *u = unit_of(w, argument);
	uint32_t per_block = w->arena->header->lba_bytes / 512;
	bool torn = nvp_defect(w, NVP_HOOK_MEDIA_TORN);
	uint32_t block, sector;

	if (!u)
		return;
	block = u->sectors_done / per_block;
	sector = u->sectors_done % per_block;
	if (!sector && !u->published)
		u->slot[block] = nvp_media_slot_take(w);
	if (!u->published || !is_superseded(u, block))
		nvp_media_program(w, u->slot[block], sector,
				  u->bytes + (size_t)u->sectors_done * 512);
	if (u->published && !is_superseded(u, block))
		nvp_media_seal(w, u->slot[block], u->first + block);
	u->sectors_done++;
	if (torn && u->sectors_done == 1 && u->nr * per_block > 1)
		publish_torn(w, u);
	if (u->sectors_done < u->nr * per_block)
		nvp_event_add(w, NVP_SCOPE_DEVICE, w->profile->program_ns, program, argument);
	else
		nvp_event_add(w, NVP_SCOPE_DEVICE, w->profile->program_ns / 4, publish, argument);
}

static void start_unit(struct nvp_sim *w, struct nvp_unit *u)
{
	u->state = NVP_UNIT_PROGRAMMING;
	if (u->visible)
		w->cache->nr_programming++;
	nvp_event_add(w, NVP_SCOPE_DEVICE, w->profile->program_ns,
		      u->kind == NVP_MAP_DATA ? program : publish, unit_argument(u));
}

/* ---- write back ---- */

/* The oldest units first, some at a time, up to the one that was newest when it was asked for. */
static void start_write_back(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_cache_state *s = w->cache;

	(void)argument;
	for (uint32_t id = s->oldest; id != NVP_NO_UNIT && s->nr_programming < PARALLEL_UNITS;
	     id = s->unit[id].newer) {
		struct nvp_unit *u = &s->unit[id];

		if (u->sequence > s->write_back_upto)
			break;
		if (u->visible && u->state == NVP_UNIT_WAITING)
			start_unit(w, u);
	}
}

void nvp_cache_write_back(struct nvp_sim *w)
{
	w->cache->write_back_upto = w->cache->next_sequence;
	start_write_back(w, 0);
}

static void residence_over(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_cache_state *s = w->cache;

	s->timer_runs = false;
	s->write_back_upto = nvp_max_u64(s->write_back_upto, argument);
	start_write_back(w, 0);
	if (s->nr_cached && s->next_sequence > argument) {
		s->timer_runs = true;
		nvp_event_add(w, NVP_SCOPE_DEVICE, RESIDENCE_NS, residence_over, s->next_sequence);
	}
}

/* ---- the WRITE and ZERO steps ---- */

enum mode { THROUGH, CACHED, PROTECTED };

static enum mode mode_of(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	bool weak = nvp_defect(w, NVP_HOOK_PLP_WEAK);
	bool fua = c->fua && !nvp_defect(w, NVP_HOOK_FUA_IGNORED);

	if (w->config->plp)
		return weak ? CACHED : PROTECTED;
	if (w->config->vwc == NVP_VWC_ABSENT || !w->live.write_cache || fua)
		return THROUGH;
	return CACHED;
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
	u = new_unit(w, c, nr);
	if (is_protected) {
		program_rest(w, u);
		publish_blocks(w, u);
		drop_unit(w, u);
	} else {
		insert(w, u);
	}
	c->visible = true;
	c->done_lbas += nr;
	write_step(w, slot);
}

static void write_step(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);
	struct nvp_unit *u;

	if (c->done_lbas == c->nr_lbas) {
		nvp_engine_next(w, c);
		return;
	}
	if (mode_of(w, c) != THROUGH) {
		nvp_event_add_cmd(w, c, w->profile->cache_ns, insert_step);
		return;
	}
	u = new_unit(w, c, next_blocks(w, c));
	u->cmd_slot = c->slot;
	start_unit(w, u);
}

void nvp_cache_write(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	c->done_lbas = 0;
	if (nvp_defect(w, NVP_HOOK_MEDIA_LOST_WRITE) && c->step == NVP_STEP_WRITE &&
	    nvp_defect_nth(w, NVP_HOOK_MEDIA_LOST_WRITE))
		c->done_lbas = c->nr_lbas;
	if (nvp_defect(w, NVP_HOOK_MEDIA_MISDIRECTED) && c->step == NVP_STEP_WRITE &&
	    nvp_defect_nth(w, NVP_HOOK_MEDIA_MISDIRECTED) &&
	    c->slba + c->nr_lbas < c->ns->nr_lbas)
		c->slba++;
	write_step(w, c->slot);
}

/* ---- flush ---- */

static void flush_step(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);
	struct nvp_cache_state *s = w->cache;
	uint32_t id = s->oldest;

	while (id != NVP_NO_UNIT && !s->unit[id].visible)
		id = s->unit[id].newer;
	if (id == NVP_NO_UNIT || s->unit[id].sequence > c->flush_upto) {
		nvp_engine_next(w, c);
		return;
	}
	s->write_back_upto = nvp_max_u64(s->write_back_upto, c->flush_upto);
	start_write_back(w, 0);
	nvp_event_add_cmd(w, c, w->profile->flush_ns, flush_step);
}

void nvp_cache_flush(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	c->flush_upto = nvp_defect(w, NVP_HOOK_FLUSH_LIES) ? 0 : w->cache->next_sequence;
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
			drop_unit(w, u);
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

void nvp_cache_power_lost(struct nvp_sim *w)
{
	struct nvp_cache_state *s = w->cache;
	uint32_t id = s->oldest;

	while (id != NVP_NO_UNIT) {
		struct nvp_unit *u = &s->unit[id];

		id = u->newer;
		if (u->visible && !u->published && nvp_cache_survives(w, u)) {
			program_rest(w, u);
			publish_blocks(w, u);
		}
		drop_unit(w, u);
	}
}
