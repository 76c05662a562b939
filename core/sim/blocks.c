// SPDX-License-Identifier: GPL-2.0-or-later
// Blocks of the media taken aside and put back, for what a loss of power undoes or damages.

#include "core/sim/cut.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/cache.h"

struct nvp_sim_ns *nvp_block_ns(struct nvp_sim *w, uint64_t map_index)
{
	return &w->ns[map_index / w->arena->header->map_stride];
}

void nvp_block_save(struct nvp_sim *w, uint64_t map_index, struct nvp_saved_block *block)
{
	const struct nvp_sim_ns *ns = nvp_block_ns(w, map_index);

	block->map_index = map_index;
	block->kind = NVP_MAP_KIND(w->arena->map[map_index]);
	if (block->kind != NVP_MAP_DATA)
		return;
	if (!block->bytes)
		block->bytes = nvp_cache_must(malloc(NVP_SAVED_BYTES));
	nvp_media_read_block(w, map_index, block->bytes,
			     ns->meta_bytes ? block->bytes + ns->lba_bytes : NULL);
}

void nvp_block_put(struct nvp_sim *w, uint64_t map_index, enum nvp_map_kind kind,
		   const uint8_t *bytes)
{
	const struct nvp_sim_ns *ns = nvp_block_ns(w, map_index);
	uint64_t slot = 0, entry;

	if (kind == NVP_MAP_DATA) {
		slot = nvp_media_slot_take(w, ns->lba_bytes);
		for (uint32_t sector = 0; sector < ns->lba_bytes / 512; sector++)
			nvp_media_program(w, slot, sector, bytes + sector * 512);
		nvp_media_seal(w, slot, map_index, bytes + ns->lba_bytes, ns->meta_bytes);
	}
	entry = NVP_MAP_ENTRY(kind, slot);
	nvp_media_publish(w, &map_index, &entry, 1);
}

void nvp_block_restore(struct nvp_sim *w, const struct nvp_saved_block *block)
{
	nvp_block_put(w, block->map_index, block->kind, block->bytes);
}
