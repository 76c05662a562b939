// SPDX-License-Identifier: GPL-2.0-or-later
// What a wrong drive does to its media when the power goes without a shutdown.

#include "core/sim/cut_damage.h"

#include <stdlib.h>
#include <string.h>

#include <nvproof/cmd.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/base/stamp.h"
#include "core/sim/cache.h"
#include "core/sim/manage.h"

#define NEVER_GIVEN (UINT64_C(1) << 30)	/* so far ahead no campaign comes */

static void revert(struct nvp_sim *w, uint8_t opcode)
{
	uint64_t number = nvp_cut_pick(w, opcode, 1, 0);

	if (number)
		nvp_cut_bring_back_op(w, number, 0);
}

static void reverts(struct nvp_sim *w)
{
	revert(w, NVP_IO_WRITE);
}

static void reverts_in_test(struct nvp_sim *w)
{
	if (nvp_self_test_runs(w))
		reverts(w);
}

static void reverts_zeroes(struct nvp_sim *w)
{
	revert(w, NVP_IO_WRITE_ZEROES);
}

static void reverts_mark(struct nvp_sim *w)
{
	revert(w, NVP_IO_WRITE_UNCORRECTABLE);
}

static void loses_tail(struct nvp_sim *w)
{
	uint64_t number = nvp_cut_pick(w, NVP_IO_WRITE, w->cache->unit_blocks + 1, 0);

	if (number)
		nvp_cut_bring_back_op(w, number, w->cache->unit_blocks);
}

static void loses_large(struct nvp_sim *w)
{
	uint32_t least = (uint32_t)nvp_defect_value(w, NVP_HOOK_CUT_LOSES_LARGE, "blocks", 8);
	uint64_t number = nvp_cut_pick(w, NVP_IO_WRITE, least, 0);

	if (number)
		nvp_cut_bring_back_op(w, number, 0);
}

/* The map is loaded as it was some time ago. */
static void loses_recent(struct nvp_sim *w)
{
	uint64_t ms = nvp_defect_value(w, NVP_HOOK_CUT_LOSES_RECENT, "ms", 700);
	struct nvp_cut_state *s = w->cut;
	uint64_t first = s->nr_old > NVP_CUT_BLOCKS ? s->nr_old - NVP_CUT_BLOCKS : 0;

	for (uint64_t i = s->nr_old; i > first; i--) {
		const struct nvp_cut_old *old = &s->old[(i - 1) % NVP_CUT_BLOCKS];

		if (old->at_ns + ms * NVP_NS_PER_MS < w->now_ns || old->at_ns < s->power_on_ns)
			break;
		nvp_block_restore(w, &old->was);
	}
}

/* ---- one block ---- */

static void becomes(struct nvp_sim *w, enum nvp_map_kind kind)
{
	uint64_t number = nvp_cut_pick(w, NVP_IO_WRITE, 1, 0);

	if (number)
		nvp_block_put(w, nvp_cut_op_of(w, number)->first, kind, NULL);
}

static void zeroes(struct nvp_sim *w)
{
	becomes(w, NVP_MAP_ZERO);
}

static void unmaps(struct nvp_sim *w)
{
	becomes(w, NVP_MAP_UNWRITTEN);
}

static void unreadable(struct nvp_sim *w)
{
	becomes(w, NVP_MAP_MARKED);
}

static void bit_rot(struct nvp_sim *w)
{
	struct nvp_saved_block block = { 0 };
	uint64_t number;

	if (nvp_cut_take_block(w, &block, &number))
		nvp_cut_flip_bits(w, &block, nvp_defect_value(w, NVP_HOOK_CUT_BIT_ROT, "bits", 1));
	free(block.bytes);
}

static void overwrites(struct nvp_sim *w, bool random)
{
	struct nvp_saved_block block = { 0 };
	uint64_t number;

	if (nvp_cut_take_block(w, &block, &number)) {
		if (random)
			nvp_rand_fill(block.bytes, NVP_SAVED_BYTES, nvp_cut_cycle(w));
		else
			memset(block.bytes, 0xff, NVP_SAVED_BYTES);
		nvp_block_restore(w, &block);
	}
	free(block.bytes);
}

static void ones(struct nvp_sim *w)
{
	overwrites(w, false);
}

static void garbage(struct nvp_sim *w)
{
	overwrites(w, true);
}

/* Whole, with a good checksum, and of no command: a number that was never given. */
static void invents(struct nvp_sim *w)
{
	struct nvp_saved_block block = { 0 };
	struct nvp_stamp_found found;
	uint64_t number;

	if (nvp_cut_take_block(w, &block, &number)) {
		const struct nvp_sim_ns *ns = nvp_block_ns(w, block.map_index);
		const struct nvp_stamp here = { .nsid = ns->nsid,
						.lba = block.map_index - ns->map_first };

		nvp_stamp_check(block.bytes, ns->lba_bytes, &here, &found);
		found.stamp.seq += NEVER_GIVEN;
		nvp_stamp_fill(block.bytes, ns->lba_bytes, &found.stamp);
		nvp_block_restore(w, &block);
	}
	free(block.bytes);
}

static void loses_after_commit(struct nvp_sim *w)
{
	if (nvp_cut_after_commit(w))
		reverts(w);
}

static void tears_block(struct nvp_sim *w)
{
	struct nvp_saved_block block = { 0 };
	uint64_t number;

	if (nvp_cut_take_block(w, &block, &number)) {
		const struct nvp_cut_old *old = nvp_cut_before(w->cut, block.map_index, 0);

		nvp_cut_mix(&block, old ? &old->was : NULL,
			    nvp_block_ns(w, block.map_index)->lba_bytes,
			    nvp_defect_value(w, NVP_HOOK_CUT_TEARS_BLOCK, "eighths", 4));
		nvp_block_restore(w, &block);
	}
	free(block.bytes);
}

/* Metadata of the version before with the data of now; without metadata nothing. */
static void tears_metadata(struct nvp_sim *w)
{
	struct nvp_saved_block block = { 0 };
	uint64_t number;

	if (nvp_cut_take_block(w, &block, &number)) {
		const struct nvp_sim_ns *ns = nvp_block_ns(w, block.map_index);
		const struct nvp_cut_old *old = nvp_cut_before(w->cut, block.map_index, 0);

		if (old && old->was.kind == NVP_MAP_DATA)
			memcpy(block.bytes + ns->lba_bytes, old->was.bytes + ns->lba_bytes,
			       ns->meta_bytes);
		else
			memset(block.bytes + ns->lba_bytes, 0, ns->meta_bytes);
		nvp_block_restore(w, &block);
	}
	free(block.bytes);
}

/* The block is data still, its metadata that of a deallocated one: nothing checks it any more. */
static void unmaps_metadata(struct nvp_sim *w)
{
	struct nvp_saved_block block = { 0 };
	uint64_t number;

	if (nvp_cut_take_block(w, &block, &number)) {
		const struct nvp_sim_ns *ns = nvp_block_ns(w, block.map_index);

		nvp_media_no_metadata(w, ns, block.bytes + ns->lba_bytes);
		nvp_block_restore(w, &block);
	}
	free(block.bytes);
}

/* ---- other places ---- */

/* The block also stands where another write went, or one further. */
static void fly(struct nvp_sim *w, bool leaves)
{
	struct nvp_saved_block block = { 0 };
	uint64_t number, other, home;

	if (nvp_cut_take_block(w, &block, &number)) {
		home = block.map_index;
		other = nvp_cut_pick(w, NVP_IO_WRITE, 1, number);
		block.map_index = other && nvp_cut_op_of(w, other)->first != home &&
				  nvp_cut_op_of(w, other)->nsid == nvp_cut_op_of(w, number)->nsid ?
				  nvp_cut_op_of(w, other)->first : home + 1;
		nvp_block_restore(w, &block);
		if (leaves)
			nvp_cut_bring_back(w, home, 0);
	}
	free(block.bytes);
}

static void copies_elsewhere(struct nvp_sim *w)
{
	fly(w, false);
}

static void moves_elsewhere(struct nvp_sim *w)
{
	fly(w, true);
}

static void crosses_namespaces(struct nvp_sim *w)
{
	struct nvp_saved_block block = { 0 };
	uint64_t number;

	if (nvp_cut_take_block(w, &block, &number)) {
		const struct nvp_sim_ns *from = nvp_block_ns(w, block.map_index), *to = NULL;
		uint64_t lba = block.map_index - from->map_first;

		for (uint32_t i = 0; i < w->nr_ns && !to; i++)
			if (w->ns[i].active && &w->ns[i] != from && lba < w->ns[i].nr_lbas &&
			    w->ns[i].lba_bytes == from->lba_bytes)
				to = &w->ns[i];
		if (to) {
			block.map_index = to->map_first + lba;
			nvp_block_restore(w, &block);
		}
	}
	free(block.bytes);
}

/* ---- all of them ---- */

static const struct {
	enum nvp_hook hook;
	void (*damage)(struct nvp_sim *w);
} damages[] = {
	{ NVP_HOOK_CUT_REVERTS, reverts },
	{ NVP_HOOK_CUT_REVERTS_IN_TEST, reverts_in_test },
	{ NVP_HOOK_CUT_REVERTS_ZEROES, reverts_zeroes },
	{ NVP_HOOK_CUT_REVERTS_TRIM, nvp_cut_reverts_trim },
	{ NVP_HOOK_CUT_REVERTS_MARK, reverts_mark },
	{ NVP_HOOK_CUT_LOSES_TAIL, loses_tail },
	{ NVP_HOOK_CUT_LOSES_LARGE, loses_large },
	{ NVP_HOOK_CUT_LOSES_RECENT, loses_recent },
	{ NVP_HOOK_CUT_ZEROES, zeroes },
	{ NVP_HOOK_CUT_UNMAPS, unmaps },
	{ NVP_HOOK_CUT_ONES, ones },
	{ NVP_HOOK_CUT_BIT_ROT, bit_rot },
	{ NVP_HOOK_CUT_GARBAGE, garbage },
	{ NVP_HOOK_CUT_UNREADABLE, unreadable },
	{ NVP_HOOK_CUT_TEARS_BLOCK, tears_block },
	{ NVP_HOOK_CUT_INVENTS, invents },
	{ NVP_HOOK_CUT_TEARS_METADATA, tears_metadata },
	{ NVP_HOOK_CUT_UNMAPS_METADATA, unmaps_metadata },
	{ NVP_HOOK_CUT_COPIES_ELSEWHERE, copies_elsewhere },
	{ NVP_HOOK_CUT_MOVES_ELSEWHERE, moves_elsewhere },
	{ NVP_HOOK_CUT_CROSSES_NS, crosses_namespaces },
	{ NVP_HOOK_CUT_RESURRECTS, nvp_cut_resurrects },
	{ NVP_HOOK_CUT_REGRESSES, nvp_cut_regresses },
	{ NVP_HOOK_CUT_UNSTABLE, nvp_cut_unstable },
	{ NVP_HOOK_CUT_UNSTABLE_UNMAP, nvp_cut_unstable_unmap },
	{ NVP_HOOK_CUT_TRIMS_NEIGHBOUR, nvp_cut_trims_neighbour },
	{ NVP_HOOK_CUT_REPLAYS_TRIMS, nvp_cut_replays_trims },
	{ NVP_HOOK_CUT_COLD_ZEROED, nvp_cut_cold_zeroed },
	{ NVP_HOOK_CUT_COLD_ROTS, nvp_cut_cold_rots },
	{ NVP_HOOK_CUT_OTHER_NS, nvp_cut_other_namespace },
	{ NVP_HOOK_CUT_THIRD_LOST, nvp_cut_third_lost },
	{ NVP_HOOK_CUT_EXTENT_LOST, nvp_cut_extent_lost },
	{ NVP_HOOK_CUT_FORMAT_STUCK, nvp_cut_sticks_format },
	{ NVP_HOOK_CUT_HALF_DOWNLOAD, nvp_firmware_cut_half_download },
	{ NVP_HOOK_CUT_DOWNLOAD_STAYS, nvp_firmware_cut_keeps_download },
	{ NVP_HOOK_CUT_TEARS_SLOT, nvp_firmware_cut_tears_slot },
	{ NVP_HOOK_CUT_LOSES_COMMIT, loses_after_commit },
};

void nvp_cut_damage(struct nvp_sim *w)
{
	struct nvp_cut_state *s = w->cut;

	if (!s || !w->arena->header->powered)
		return;
	s->nr_cuts++;
	s->damaging = true;
	s->has_flips = false;
	for (size_t i = 0; i < NVP_ARRAY_SIZE(damages); i++)
		if (nvp_defect(w, damages[i].hook))
			damages[i].damage(w);
	s->damaging = false;
}
