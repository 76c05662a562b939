// SPDX-License-Identifier: GPL-2.0-or-later
// Wrong drives that lose what nobody wrote lately.

#include "core/sim/cut_damage.h"

#include <stdlib.h>

#include <nvproof/cmd.h>

#include "core/base/bits.h"

/* ---- what nobody wrote lately ---- */

static bool is_cold(const struct nvp_sim *w, uint64_t map_index)
{
	return NVP_MAP_KIND(w->arena->map[map_index]) == NVP_MAP_DATA &&
	       !nvp_cut_touched_since(w->cut, nvp_cut_oldest(w->cut), map_index);
}

/* Any one of them, of a namespace that no recent operation was for; index + 1, 0: none. */
static uint64_t pick_cold(struct nvp_sim *w, bool quiet_namespace)
{
	uint64_t first = 0, end, nr = 0, found = 0;

	for (; nvp_arena_next_extent(w->arena, &first, &end); first = end) {
		for (uint64_t i = first; i < end; i++) {
			uint64_t newest = w->cut->nr_ops;

			if (!is_cold(w, i) || (quiet_namespace && (!newest ||
			    nvp_cut_op_of(w, newest)->nsid == nvp_block_ns(w, i)->nsid)))
				continue;
			if (!nvp_cut_chance(w, "cut.cold", i, ++nr))
				found = i + 1;
		}
	}
	return found;
}

void nvp_cut_cold_zeroed(struct nvp_sim *w)
{
	uint64_t found = pick_cold(w, false);

	if (found)
		nvp_block_put(w, found - 1, NVP_MAP_ZERO, NULL);
}

void nvp_cut_cold_rots(struct nvp_sim *w)
{
	struct nvp_saved_block block = { 0 };
	uint64_t found = pick_cold(w, false);

	if (found) {
		nvp_block_save(w, found - 1, &block);
		nvp_cut_flip_bits(w, &block,
				  nvp_defect_value(w, NVP_HOOK_CUT_COLD_ROTS, "bits", 3));
	}
	free(block.bytes);
}

void nvp_cut_other_namespace(struct nvp_sim *w)
{
	uint64_t found = pick_cold(w, true);

	if (found)
		nvp_block_put(w, found - 1, NVP_MAP_UNWRITTEN, NULL);
}

void nvp_cut_third_lost(struct nvp_sim *w)
{
	uint64_t first = 0, end;

	for (; nvp_arena_next_extent(w->arena, &first, &end); first = end)
		for (uint64_t i = first; i < end; i++)
			if (NVP_MAP_KIND(w->arena->map[i]) == NVP_MAP_DATA &&
			    !nvp_cut_chance(w, "cut.third", i, 3))
				nvp_block_put(w, i, NVP_MAP_UNWRITTEN, NULL);
}

/* A piece of the map that holds a recent write. */
void nvp_cut_extent_lost(struct nvp_sim *w)
{
	uint64_t entries = nvp_defect_value(w, NVP_HOOK_CUT_EXTENT_LOST, "entries", 256);
	uint64_t number = nvp_cut_pick(w, NVP_IO_WRITE, 1, 0), first;
	const struct nvp_sim_ns *ns;

	if (!number || !entries)
		return;
	ns = nvp_block_ns(w, nvp_cut_op_of(w, number)->first);
	first = (nvp_cut_op_of(w, number)->first - ns->map_first) / entries * entries;
	for (uint64_t lba = first; lba < nvp_min_u64(first + entries, ns->nr_lbas); lba++)
		if (NVP_MAP_KIND(w->arena->map[ns->map_first + lba]) == NVP_MAP_DATA)
			nvp_block_put(w, ns->map_first + lba, NVP_MAP_UNWRITTEN, NULL);
}
