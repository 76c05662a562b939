// SPDX-License-Identifier: GPL-2.0-or-later
// The media: blocks in slots that are written out of place and made visible by one store.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/rand.h"
#include "core/sim/mechanism.h"

struct nvp_media_state {
	uint64_t *free;			/* slots that were handed out and are free again; a stack */
	uint64_t nr_free, room;
};

static void name_namespace(struct nvp_sim *w, struct nvp_sim_ns *ns)
{
	const struct nvp_arena_header *h = w->arena->header;
	uint64_t drive = nvp_crc32c(h->serial, sizeof(h->serial));

	nvp_put_le64(ns->eui64, nvp_rand(h->made_with_seed, "eui64", drive, ns->nsid));
	ns->eui64[0] = NVP_SIM_OUI >> 16;	/* in the order of transmission */
	ns->eui64[1] = NVP_SIM_OUI >> 8 & 0xff;
	ns->eui64[2] = NVP_SIM_OUI & 0xff;
	nvp_put_le64(ns->nguid, nvp_rand(h->made_with_seed, "nguid", drive, ns->nsid));
	memcpy(ns->nguid + 8, ns->eui64, 8);
	nvp_put_le64(ns->uuid, nvp_rand(h->made_with_seed, "uuid.0", drive, ns->nsid));
	nvp_put_le64(ns->uuid + 8, nvp_rand(h->made_with_seed, "uuid.1", drive, ns->nsid));
	ns->uuid[6] = (ns->uuid[6] & 0x0f) | 0x40;	/* RFC 4122, version 4 */
	ns->uuid[8] = (ns->uuid[8] & 0x3f) | 0x80;
}

static void find_namespaces(struct nvp_sim *w)
{
	const struct nvp_arena_header *h = w->arena->header;
	uint64_t share = h->nr_map / h->nr_ns;

	w->nr_ns = h->nr_ns;
	for (uint32_t i = 0; i < h->nr_ns; i++) {
		struct nvp_sim_ns *ns = &w->ns[i];

		*ns = (struct nvp_sim_ns){
			.nsid = i + 1,
			.active = true,
			.nr_lbas = share,
			.lba_bytes = h->lba_bytes,
			.lba_shift = h->lba_bytes == 512 ? 9 : 12,
			.map_first = i * share,
		};
		name_namespace(w, ns);
	}
}

static struct nvp_sim_ns *namespace_of(struct nvp_sim *w, uint64_t map_index)
{
	return &w->ns[map_index / w->ns[0].nr_lbas];
}

struct nvp_sim_ns *nvp_sim_ns(struct nvp_sim *w, uint32_t nsid)
{
	if (!nsid || nsid > w->nr_ns || !w->ns[nsid - 1].active)
		return NULL;
	return &w->ns[nsid - 1];
}

/* What the map points to is in use; of the slots handed out so far all others are free. */
static int find_free_slots(struct nvp_sim *w)
{
	struct nvp_sim_arena *a = w->arena;
	uint64_t nr = a->header->slots_used, first = 0, end;
	uint64_t *used = calloc(nr / 64 + 1, sizeof(*used));

	w->media->room = nr + 1024;
	w->media->free = malloc(w->media->room * sizeof(*w->media->free));
	if (!used || !w->media->free) {
		free(used);
		return -ENOMEM;
	}
	for (; nvp_arena_next_extent(a, &first, &end); first = end) {
		for (uint64_t i = first; i < end; i++) {
			uint64_t slot = NVP_MAP_SLOT(a->map[i]);

			if (NVP_MAP_KIND(a->map[i]) != NVP_MAP_UNWRITTEN)
				namespace_of(w, i)->nr_used++;
			if (NVP_MAP_KIND(a->map[i]) == NVP_MAP_DATA && slot < nr)
				used[slot / 64] |= UINT64_C(1) << (slot % 64);
		}
	}
	for (uint64_t slot = nr; slot > 0; slot--)
		if (!(used[(slot - 1) / 64] >> ((slot - 1) % 64) & 1))
			w->media->free[w->media->nr_free++] = slot - 1;
	free(used);
	return 0;
}

int nvp_media_new(struct nvp_sim *w)
{
	w->media = calloc(1, sizeof(*w->media));
	if (!w->media)
		return -ENOMEM;
	nvp_arena_redo_apply(w->arena);
	find_namespaces(w);
	return find_free_slots(w);
}

void nvp_media_free(struct nvp_sim *w)
{
	if (!w->media)
		return;
	free(w->media->free);
	free(w->media);
	w->media = NULL;
}

/* ---- slots ---- */

uint64_t nvp_media_slot_take(struct nvp_sim *w)
{
	struct nvp_arena_header *h = w->arena->header;
	uint64_t slot;

	if (w->media->nr_free)
		return w->media->free[--w->media->nr_free];
	slot = h->slots_used;
	if (slot >= h->nr_slots) {
		fputs("nvproof: the simulated drive has no free slot left\n", stderr);
		abort();	/* the spare is larger than all that can be in flight */
	}
	nvp_arena_store(&h->slots_used, slot + 1);
	return slot;
}

void nvp_media_slot_give(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_media_state *m = w->media;

	if (m->nr_free == m->room) {
		uint64_t *more = realloc(m->free, 2 * m->room * sizeof(*more));

		if (!more)
			return;		/* found again at the next power-on */
		m->free = more;
		m->room *= 2;
	}
	m->free[m->nr_free++] = slot;
}

static uint8_t *slot_bytes(struct nvp_sim *w, uint64_t slot)
{
	return w->arena->data + slot * w->arena->header->lba_bytes;
}

void nvp_media_program(struct nvp_sim *w, uint64_t slot, uint32_t sector, const uint8_t *bytes)
{
	memcpy(slot_bytes(w, slot) + sector * 512, bytes, 512);
	nvp_count(w, NVP_COUNT_MEDIA_SECTORS, 1);
}

void nvp_media_seal(struct nvp_sim *w, uint64_t slot, uint64_t map_index)
{
	struct nvp_arena_slot *s = &w->arena->slot[slot];

	s->crc32c = nvp_crc32c(slot_bytes(w, slot), w->arena->header->lba_bytes);
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

/* ---- read ---- */

static enum nvp_map_kind media_block(struct nvp_sim *w, uint64_t map_index, uint8_t *bytes)
{
	uint64_t entry = w->arena->map[map_index];
	uint32_t lba_bytes = w->arena->header->lba_bytes;

	if (NVP_MAP_KIND(entry) == NVP_MAP_DATA)
		memcpy(bytes, slot_bytes(w, NVP_MAP_SLOT(entry)), lba_bytes);
	else
		memset(bytes, 0, lba_bytes);
	return NVP_MAP_KIND(entry);
}

void nvp_media_read_block(struct nvp_sim *w, uint64_t map_index, uint8_t *bytes)
{
	media_block(w, map_index, bytes);
}

static void read_one(struct nvp_sim *w, struct nvp_sim_cmd *c, uint32_t i, uint8_t *bytes,
		     bool cached)
{
	uint64_t map_index = c->ns->map_first + c->slba + i;
	enum nvp_map_kind kind;
	const uint8_t *block;

	if (!cached || !nvp_cache_lookup(w, map_index, &kind, &block))
		kind = media_block(w, map_index, bytes);
	else if (kind == NVP_MAP_DATA)
		memcpy(bytes, block, c->ns->lba_bytes);
	else
		memset(bytes, 0, c->ns->lba_bytes);
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
	if (c->nr_unmapped && nvp_defect(w, NVP_HOOK_DEALLOCATED_VARIES))
		w->defect_seen[NVP_HOOK_DEALLOCATED_VARIES]++;
	if (nvp_defect(w, NVP_HOOK_MEDIA_BIT_FLIP)) {
		uint64_t lba = nvp_defect_value(w, NVP_HOOK_MEDIA_BIT_FLIP, "lba", 0);

		if (lba >= c->slba && lba - c->slba < c->nr_lbas)
			bytes[(lba - c->slba) * c->ns->lba_bytes + 100] ^= 0x10;
	}
}
