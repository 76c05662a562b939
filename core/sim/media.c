// SPDX-License-Identifier: GPL-2.0-or-later
// The media: blocks in slots that are written out of place and made visible by one store.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/sim/cut.h"

struct free_slots {
	uint64_t *slot;			/* handed out once and free again; a stack */
	uint64_t nr, room;
};

struct nvp_media_state {
	struct free_slots free[NVP_ARENA_POOLS];
	uint64_t extent, extent_end;	/* of the map: known to be in memory, that stays */
};

static struct nvp_sim_ns *namespace_of(struct nvp_sim *w, uint64_t map_index)
{
	return &w->ns[map_index / w->arena->header->map_stride];
}

/* What the map points to is in use; of the slots handed out so far all others are free. */
static int find_free_slots(struct nvp_sim *w)
{
	struct nvp_sim_arena *a = w->arena;
	uint64_t *used[NVP_ARENA_POOLS], first = 0, end;
	bool enough = true;

	for (unsigned pool = 0; pool < NVP_ARENA_POOLS; pool++) {
		struct free_slots *f = &w->media->free[pool];

		f->room = a->header->slots_used[pool] + 1024;
		f->slot = malloc(f->room * sizeof(*f->slot));
		used[pool] = calloc(a->header->slots_used[pool] / 64 + 1, sizeof(*used[pool]));
		enough = enough && f->slot && used[pool];
	}
	for (; enough && nvp_arena_next_extent(a, &first, &end); first = end) {
		for (uint64_t i = first; i < end; i++) {
			uint64_t number = NVP_SLOT_NUMBER(a->map[i]);
			unsigned pool = NVP_SLOT_POOL(a->map[i]);

			if (NVP_MAP_KIND(a->map[i]) != NVP_MAP_UNWRITTEN)
				namespace_of(w, i)->nr_used++;
			if (NVP_MAP_KIND(a->map[i]) == NVP_MAP_DATA &&
			    number < a->header->slots_used[pool])
				used[pool][number / 64] |= UINT64_C(1) << (number % 64);
		}
	}
	for (unsigned pool = 0; pool < NVP_ARENA_POOLS; pool++) {
		struct free_slots *f = &w->media->free[pool];

		for (uint64_t n = enough ? a->header->slots_used[pool] : 0; n-- > 0;)
			if (!(used[pool][n / 64] >> (n % 64) & 1))
				f->slot[f->nr++] = NVP_SLOT(pool, n);
		free(used[pool]);
	}
	return enough ? 0 : -ENOMEM;
}

int nvp_media_new(struct nvp_sim *w)
{
	w->media = calloc(1, sizeof(*w->media));
	if (!w->media)
		return -ENOMEM;
	nvp_arena_redo_apply(w->arena);
	nvp_namespaces_load(w);
	if (find_free_slots(w))
		return -ENOMEM;
	nvp_namespaces_tidy(w);
	return 0;
}

void nvp_media_free(struct nvp_sim *w)
{
	if (!w->media)
		return;
	for (unsigned pool = 0; pool < NVP_ARENA_POOLS; pool++)
		free(w->media->free[pool].slot);
	free(w->media);
	w->media = NULL;
}

/* ---- slots ---- */

uint64_t nvp_media_slot_take(struct nvp_sim *w, uint32_t lba_bytes)
{
	struct nvp_arena_header *h = w->arena->header;
	unsigned pool = lba_bytes != 512;
	struct free_slots *f = &w->media->free[pool];
	uint64_t number = h->slots_used[pool];

	if (f->nr)
		return f->slot[--f->nr];
	if (number >= h->nr_slots[pool]) {
		fputs("nvproof: the simulated drive has no free slot left\n", stderr);
		abort();	/* the spare is larger than all that can be in flight */
	}
	nvp_arena_store(&h->slots_used[pool], number + 1);
	return NVP_SLOT(pool, number);
}

void nvp_media_slot_give(struct nvp_sim *w, uint64_t slot)
{
	struct free_slots *f = &w->media->free[NVP_SLOT_POOL(slot)];

	if (f->nr == f->room) {
		uint64_t *more = realloc(f->slot, 2 * f->room * sizeof(*more));

		if (!more)
			return;		/* found again at the next power-on */
		f->slot = more;
		f->room *= 2;
	}
	f->slot[f->nr++] = slot;
}

void nvp_media_program(struct nvp_sim *w, uint64_t slot, uint32_t sector, const uint8_t *bytes)
{
	memcpy(nvp_arena_data(w->arena, slot) + sector * 512, bytes, 512);
	nvp_count(w, NVP_COUNT_MEDIA_SECTORS, 1);
}

void nvp_media_seal(struct nvp_sim *w, uint64_t slot, uint64_t map_index, const uint8_t *meta,
		    uint32_t meta_bytes)
{
	struct nvp_arena_slot *s = nvp_arena_slot(w->arena, slot);

	s->meta_bytes = meta_bytes;
	if (meta_bytes)
		memcpy(s->meta, meta, meta_bytes);
	s->crc32c = nvp_arena_slot_crc(w->arena, slot);
	s->owner = map_index + 1;
}

/* The map no longer points to old: its slot is free, and the block may have become used. */
static void replaced(struct nvp_sim *w, uint64_t map_index, uint64_t old, uint64_t entry)
{
	struct nvp_sim_ns *ns = namespace_of(w, map_index);

	if (NVP_MAP_KIND(old) == NVP_MAP_DATA && old != entry)
		nvp_media_slot_give(w, NVP_MAP_SLOT(old));
	ns->nr_used += NVP_MAP_KIND(entry) != NVP_MAP_UNWRITTEN;
	ns->nr_used -= NVP_MAP_KIND(old) != NVP_MAP_UNWRITTEN;
}

void nvp_media_publish(struct nvp_sim *w, const uint64_t *index, const uint64_t *entry, uint32_t nr)
{
	struct nvp_sim_arena *a = w->arena;
	uint64_t old[NVP_ARENA_REDO_MAX];

	nvp_cut_publishing(w, index, nr);
	for (uint32_t i = 0; i < nr; i++)
		old[i] = a->map[index[i]];
	if (nr == 1) {
		nvp_arena_store(&a->map[index[0]], entry[0]);
	} else if (nr) {
		for (uint32_t i = 0; i < nr; i++) {
			a->redo->row[i].index = index[i];
			a->redo->row[i].entry = entry[i];
		}
		nvp_arena_store(&a->redo->count, nr);
		nvp_arena_redo_apply(a);
	}
	for (uint32_t i = 0; i < nr; i++)
		replaced(w, index[i], old[i], entry[i]);
}

/* Work in small steps asks the same again and again, and a long extent takes long to be found. */
static bool next_extent(struct nvp_sim *w, uint64_t *at, uint64_t *end)
{
	struct nvp_media_state *m = w->media;

	if (*at < m->extent || *at >= m->extent_end) {
		if (!nvp_arena_next_extent(w->arena, at, end))
			return false;
		m->extent = *at;
		m->extent_end = *end;
	}
	*end = m->extent_end;
	return true;
}

uint64_t nvp_media_purge(struct nvp_sim *w, uint64_t first, uint64_t end, uint64_t entry,
			 enum nvp_map_kind keep)
{
	uint64_t index[NVP_ARENA_REDO_MAX], become[NVP_ARENA_REDO_MAX];
	uint64_t at = first, extent_end;
	uint32_t nr = 0;

	for (; at < end && next_extent(w, &at, &extent_end); at = extent_end) {
		for (; at < extent_end && at < end; at++) {
			enum nvp_map_kind kind = NVP_MAP_KIND(w->arena->map[at]);

			if (kind == NVP_MAP_UNWRITTEN || kind == keep ||
			    w->arena->map[at] == entry)
				continue;
			if (nr == NVP_ARENA_REDO_MAX) {
				nvp_media_publish(w, index, become, nr);
				return at;
			}
			become[nr] = entry;
			index[nr++] = at;
		}
	}
	nvp_media_publish(w, index, become, nr);
	return end;
}

uint64_t nvp_media_fill(struct nvp_sim *w, uint64_t first, uint64_t end, uint64_t entry)
{
	uint64_t index[NVP_ARENA_REDO_MAX], become[NVP_ARENA_REDO_MAX];
	uint32_t nr = 0;

	for (; first < end && nr < NVP_ARENA_REDO_MAX; first++) {
		become[nr] = entry;
		index[nr++] = first;
	}
	nvp_media_publish(w, index, become, nr);
	return first;
}

/* ---- read ---- */

/*
 * Metadata of a block that has none: zeroes, and protection information that is not checked
 * (NVM Command Set 1.0, 3.2.3.2.1 and 5.2.1.5).
 */
void nvp_media_no_metadata(const struct nvp_sim *w, const struct nvp_sim_ns *ns, uint8_t *meta)
{
	memset(meta, 0, ns->meta_bytes);
	if (ns->pi_type && !nvp_defect(w, NVP_HOOK_PI_DEALLOCATED))
		memset(meta + (ns->pi_first ? 0 : ns->meta_bytes - 8), 0xff, 8);
}

static enum nvp_map_kind media_block(struct nvp_sim *w, const struct nvp_sim_ns *ns,
				     uint64_t map_index, uint8_t *bytes, uint8_t *meta)
{
	uint64_t entry = w->arena->map[map_index];

	if (NVP_MAP_KIND(entry) != NVP_MAP_DATA) {
		uint32_t pattern = NVP_MAP_KIND(entry) == NVP_MAP_PATTERN ? (uint32_t)entry : 0;

		for (uint32_t at = 0; at < ns->lba_bytes; at += 4)
			nvp_put_le32(bytes + at, pattern);
		if (meta)
			nvp_media_no_metadata(w, ns, meta);
		return NVP_MAP_KIND(entry);
	}
	memcpy(bytes, nvp_arena_data(w->arena, NVP_MAP_SLOT(entry)), ns->lba_bytes);
	if (meta)
		memcpy(meta, nvp_arena_slot(w->arena, NVP_MAP_SLOT(entry))->meta, ns->meta_bytes);
	return NVP_MAP_DATA;
}

void nvp_media_read_block(struct nvp_sim *w, uint64_t map_index, uint8_t *bytes, uint8_t *meta)
{
	media_block(w, namespace_of(w, map_index), map_index, bytes, meta);
}

static void read_one(struct nvp_sim *w, struct nvp_sim_cmd *c, uint32_t i, uint8_t *bytes,
		     bool cached)
{
	uint64_t map_index = c->ns->map_first + c->slba + i;
	uint8_t *meta = c->meta ? c->meta + (size_t)i * c->ns->meta_bytes : NULL;
	const uint8_t *block, *block_meta;
	enum nvp_map_kind kind;

	if (!cached || !nvp_cache_lookup(w, map_index, &kind, &block, &block_meta)) {
		kind = media_block(w, c->ns, map_index, bytes, meta);
	} else if (kind == NVP_MAP_DATA) {
		memcpy(bytes, block, c->ns->lba_bytes);
		if (meta)
			memcpy(meta, block_meta, c->ns->meta_bytes);
	} else {
		memset(bytes, 0, c->ns->lba_bytes);
		if (meta)
			nvp_media_no_metadata(w, c->ns, meta);
	}
	if (kind == NVP_MAP_MARKED && !c->nr_marked++)
		c->first_marked = c->slba + i;
	if (kind != NVP_MAP_UNWRITTEN)
		return;
	if (!c->nr_unmapped++)
		c->first_unmapped = c->slba + i;
	if (nvp_defect(w, NVP_HOOK_DLFEAT_PATTERN) ||
	    w->defect_seen[NVP_HOOK_DEALLOCATED_VARIES] & 1)
		memset(bytes, 0xff, c->ns->lba_bytes);
}

void nvp_media_read(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t *bytes)
{
	bool cached = !nvp_cache_empty(w) && !nvp_defect(w, NVP_HOOK_MEDIA_STALE_READ);

	c->nr_unmapped = 0;
	c->nr_marked = 0;
	for (uint32_t i = 0; i < c->nr_lbas; i++)
		read_one(w, c, i, bytes + (uint64_t)i * c->ns->lba_bytes, cached);
	nvp_cut_read(w, c, bytes);
	if (c->nr_unmapped && nvp_defect(w, NVP_HOOK_DEALLOCATED_VARIES))
		w->defect_seen[NVP_HOOK_DEALLOCATED_VARIES]++;
	if (nvp_defect(w, NVP_HOOK_MEDIA_BIT_FLIP)) {
		uint64_t lba = nvp_defect_value(w, NVP_HOOK_MEDIA_BIT_FLIP, "lba", 0);

		if (lba >= c->slba && lba - c->slba < c->nr_lbas)
			bytes[(lba - c->slba) * c->ns->lba_bytes + 100] ^= 0x10;
	}
}
