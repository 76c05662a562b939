// SPDX-License-Identifier: GPL-2.0-or-later
// Program units: made of a part of a command, programmed sector by sector, published as a whole.

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/cache.h"

/* The data of the command, and its metadata: zeroes where the command brings none. */
static void take_data(struct nvp_sim *w, struct nvp_unit *u, const struct nvp_sim_cmd *c)
{
	size_t bytes = (size_t)u->nr * u->lba_bytes, meta_bytes = (size_t)u->nr * u->meta_bytes;
	size_t done = c->done_lbas;

	if (u->room_bytes < bytes) {
		u->room_bytes = (size_t)w->cache->unit_blocks * u->lba_bytes;
		free(u->bytes);
		u->bytes = nvp_cache_must(malloc(u->room_bytes));
	}
	if (u->room_meta_bytes < meta_bytes) {
		u->room_meta_bytes = (size_t)w->cache->unit_blocks * u->meta_bytes;
		free(u->meta);
		u->meta = nvp_cache_must(malloc(u->room_meta_bytes));
	}
	if (!u->slot)
		u->slot = nvp_cache_must(malloc(w->cache->unit_blocks * sizeof(*u->slot)));
	memcpy(u->bytes, (c->media ? c->media : c->data) + done * u->lba_bytes, bytes);
	if (meta_bytes && c->meta)
		memcpy(u->meta, c->meta + done * u->meta_bytes, meta_bytes);
	else if (meta_bytes)
		memset(u->meta, 0, meta_bytes);
}

struct nvp_unit *nvp_unit_new(struct nvp_sim *w, const struct nvp_sim_cmd *c, uint32_t nr)
{
	struct nvp_cache_state *s = w->cache;
	uint32_t id = s->nr_free ? s->free[--s->nr_free] : s->nr_begun++;
	struct nvp_unit *u = &s->unit[id];

	u->id = id;
	u->first = c->ns->map_first + c->slba + c->done_lbas;
	u->nr = nr;
	u->kind = c->step == NVP_STEP_WRITE ? NVP_MAP_DATA :
		  c->mark ? NVP_MAP_MARKED : c->deallocate ? NVP_MAP_UNWRITTEN : NVP_MAP_ZERO;
	u->state = NVP_UNIT_WAITING;
	u->visible = false;
	u->published = false;
	u->sequence = ++s->next_sequence;
	u->nsid = c->ns->nsid;
	u->sqid = c->sqid;
	u->sectors_done = 0;
	u->lba_bytes = c->ns->lba_bytes;
	u->meta_bytes = c->ns->meta_bytes;
	memset(u->superseded, 0, sizeof(u->superseded));
	if (u->kind == NVP_MAP_DATA)
		take_data(w, u, c);
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
static uint32_t slots_held(const struct nvp_unit *u)
{
	uint32_t sectors = u->lba_bytes / 512;

	if (u->kind != NVP_MAP_DATA || u->published)
		return 0;
	return (u->sectors_done + sectors - 1) / sectors;
}

void nvp_unit_drop(struct nvp_sim *w, struct nvp_unit *u)
{
	struct nvp_cache_state *s = w->cache;

	for (uint32_t i = 0; i < slots_held(u); i++)
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
 * Newer data of the same blocks are on the media now: what other units in the cache still hold of
 * them must not be written over it. The order is the one that a reader sees: a unit in the cache
 * counts from when it came there, one that went past it counts from now, after all that is there.
 */
static void supersede_older(struct nvp_sim *w, const struct nvp_unit *u)
{
	struct nvp_cache_state *s = w->cache;

	for (uint32_t id = u->visible ? u->older : s->newest; id != NVP_NO_UNIT;
	     id = s->unit[id].older) {
		struct nvp_unit *old = &s->unit[id];
		uint64_t first = nvp_max_u64(old->first, u->first);
		uint64_t end = nvp_min_u64(old->first + old->nr, u->first + u->nr);

		if (old == u || (!old->visible && !old->published))
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

static void seal(struct nvp_sim *w, const struct nvp_unit *u, uint32_t i)
{
	nvp_media_seal(w, u->slot[i], u->first + i,
		       u->meta_bytes ? u->meta + (size_t)i * u->meta_bytes : NULL, u->meta_bytes);
}

/* The whole unit counts from here on: one store, or one record that counts by one store. */
void nvp_unit_publish(struct nvp_sim *w, struct nvp_unit *u)
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
			seal(w, u, i);
		index[nr] = u->first + i;
		entry[nr++] = NVP_MAP_ENTRY(u->kind, slot);
	}
	nvp_media_publish(w, index, entry, nr);
	u->published = true;
	supersede_older(w, u);
}

/* Program what is missing of a unit, without time passing. */
void nvp_unit_program_rest(struct nvp_sim *w, struct nvp_unit *u)
{
	uint32_t per_block = u->lba_bytes / 512;

	while (u->kind == NVP_MAP_DATA && u->sectors_done < u->nr * per_block) {
		uint32_t block = u->sectors_done / per_block, sector = u->sectors_done % per_block;

		if (!sector)
			u->slot[block] = nvp_media_slot_take(w, u->lba_bytes);
		nvp_media_program(w, u->slot[block], sector,
				  u->bytes + (size_t)u->sectors_done * 512);
		u->sectors_done++;
	}
}

/* ---- programming: one event for each sector, one to publish ---- */

static uint64_t unit_argument(const struct nvp_unit *u)
{
	return (uint64_t)u->generation << 32 | u->id;
}

static struct nvp_unit *unit_of(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_unit *u = &w->cache->unit[(uint32_t)argument];

	return u->state != NVP_UNIT_FREE && u->generation == argument >> 32 ? u : NULL;
}

static void publish(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_unit *u = unit_of(w, argument);
	struct nvp_sim_cmd *c;

	if (!u)
		return;
	if (!u->published)
		nvp_unit_publish(w, u);
	if (u->visible) {
		nvp_unit_drop(w, u);
		nvp_cache_go_on(w);
		return;
	}
	c = nvp_engine_cmd(w, u->cmd_slot);
	c->visible = true;
	c->done_lbas += u->nr;
	nvp_unit_drop(w, u);
	nvp_cache_write_step(w, c->slot);
}

/* A wrong drive: the unit counts after its first sector, the rest is written in place. */
static void publish_torn(struct nvp_sim *w, struct nvp_unit *u)
{
	uint32_t per_block = u->lba_bytes / 512;
	uint8_t block[4096];

	for (uint32_t i = 0; i < u->nr; i++) {
		if (i)
			u->slot[i] = nvp_media_slot_take(w, u->lba_bytes);
		nvp_media_read_block(w, u->first + i, block, NULL);
		for (uint32_t sector = i ? 0 : 1; sector < per_block; sector++)
			nvp_media_program(w, u->slot[i], sector, block + sector * 512);
	}
	nvp_unit_publish(w, u);
}

static void program(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_unit *u = unit_of(w, argument);
	uint32_t per_block = u ? u->lba_bytes / 512 : 1;
	bool torn = nvp_defect(w, NVP_HOOK_MEDIA_TORN);
	uint32_t block, sector;

	if (!u)
		return;
	block = u->sectors_done / per_block;
	sector = u->sectors_done % per_block;
	if (!sector && !u->published)
		u->slot[block] = nvp_media_slot_take(w, u->lba_bytes);
	if (!u->published || !is_superseded(u, block))
		nvp_media_program(w, u->slot[block], sector,
				  u->bytes + (size_t)u->sectors_done * 512);
	if (u->published && !is_superseded(u, block))
		seal(w, u, block);
	u->sectors_done++;
	if (torn && u->sectors_done == 1 && u->nr * per_block > 1)
		publish_torn(w, u);
	if (u->sectors_done < u->nr * per_block)
		nvp_event_add(w, NVP_SCOPE_DEVICE, w->profile->program_ns, program, argument);
	else
		nvp_event_add(w, NVP_SCOPE_DEVICE, w->profile->program_ns / 4, publish, argument);
}

void nvp_unit_start(struct nvp_sim *w, struct nvp_unit *u)
{
	u->state = NVP_UNIT_PROGRAMMING;
	if (u->visible)
		w->cache->nr_programming++;
	nvp_event_add(w, NVP_SCOPE_DEVICE, w->profile->program_ns,
		      u->kind == NVP_MAP_DATA ? program : publish, unit_argument(u));
}
