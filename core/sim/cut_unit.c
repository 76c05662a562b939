// SPDX-License-Identifier: GPL-2.0-or-later
// Wrong drives that tear what is being written when the power goes.

#include "core/sim/cut_damage.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/cache.h"

#define PAGE_BLOCKS 4		/* on each side of what was being programmed */

/* ---- units that were on their way ---- */

static bool superseded(const struct nvp_unit *u, uint32_t i)
{
	return u->superseded[i / 64] >> (i % 64) & 1;
}

static void put_part(struct nvp_sim *w, const struct nvp_unit *u, uint32_t i, uint64_t eighths)
{
	struct nvp_saved_block old = { 0 };
	uint8_t bytes[NVP_SAVED_BYTES];
	struct nvp_saved_block block = { .map_index = u->first + i, .kind = NVP_MAP_DATA,
					 .bytes = bytes };

	memcpy(bytes, u->bytes + (size_t)i * u->lba_bytes, u->lba_bytes);
	if (u->meta_bytes)
		memcpy(bytes + u->lba_bytes, u->meta + (size_t)i * u->meta_bytes, u->meta_bytes);
	nvp_block_save(w, u->first + i, &old);
	if (eighths < 8)
		nvp_cut_mix(&block, &old, u->lba_bytes, eighths);
	if (u->meta_bytes && nvp_defect(w, NVP_HOOK_CUT_TEARS_META_FLIGHT)) {
		if (old.kind == NVP_MAP_DATA)
			memcpy(bytes + u->lba_bytes, old.bytes + u->lba_bytes, u->meta_bytes);
		else
			nvp_media_no_metadata(w, nvp_block_ns(w, u->first), bytes + u->lba_bytes);
	}
	free(old.bytes);
	nvp_block_restore(w, &block);
}

/* What shares the page of flash with it cannot be read any more. */
static void pages_lost(struct nvp_sim *w, const struct nvp_unit *u)
{
	const struct nvp_sim_ns *ns = nvp_block_ns(w, u->first);
	uint64_t first = nvp_max_u64(ns->map_first + PAGE_BLOCKS, u->first) - PAGE_BLOCKS;
	uint64_t end = nvp_min_u64(ns->map_first + ns->nr_lbas, u->first + u->nr + PAGE_BLOCKS);

	for (uint64_t i = first; i < end; i++)
		if ((i < u->first || i >= u->first + u->nr) &&
		    NVP_MAP_KIND(w->arena->map[i]) == NVP_MAP_DATA)
			nvp_block_put(w, i, NVP_MAP_MARKED, NULL);
}

bool nvp_cut_tears(struct nvp_sim *w, struct nvp_unit *u)
{
	struct nvp_cut_state *s = w->cut;
	uint32_t from = 0, end = 0;
	uint64_t eighths = 8;

	if (!s || !w->arena->header->powered || u->published || u->kind != NVP_MAP_DATA ||
	    u->state != NVP_UNIT_PROGRAMMING)
		return false;
	s->damaging = true;
	if (nvp_defect(w, NVP_HOOK_CUT_PAGES_LOST))
		pages_lost(w, u);
	if (nvp_defect(w, NVP_HOOK_CUT_TEARS_FLIGHT)) {
		eighths = nvp_defect_value(w, NVP_HOOK_CUT_TEARS_FLIGHT, "eighths", 4);
		end = 1;
	}
	if (nvp_defect(w, NVP_HOOK_CUT_TEARS_META_FLIGHT) && u->meta_bytes)
		end = u->nr;
	if (nvp_defect(w, NVP_HOOK_CUT_TEARS_UNIT) && u->nr > 1)
		end = (u->nr + 1) / 2;
	if (nvp_defect(w, NVP_HOOK_CUT_TEARS_UNIT_BACK) && u->nr > 1) {
		from = u->nr / 2;
		end = u->nr;
	}
	for (uint32_t i = from; i < end; i++)
		if (!superseded(u, i))
			put_part(w, u, i, eighths);
	s->damaging = false;
	return end;
}

void nvp_cut_detected(struct nvp_sim *w)
{
	struct nvp_cache_state *s = w->cache;
	uint32_t id = s->oldest;

	while (id != NVP_NO_UNIT) {
		struct nvp_unit *u = &s->unit[id];

		id = u->newer;
		if (nvp_cut_tears(w, u) ||
		    (u->published && nvp_defect(w, NVP_HOOK_MEDIA_TORN)))
			nvp_unit_drop(w, u);	/* its command never completes */
	}
}
