// SPDX-License-Identifier: GPL-2.0-or-later
// Wrong drives that bring back versions of before, or deallocate too much.

#include "core/sim/cut_damage.h"

#include <stdlib.h>
#include <string.h>

#include <nvproof/cmd.h>

#include "core/sim/cache.h"

/* ---- versions of before ---- */

/* What a block held in an earlier power cycle, when it was written in this one. */
void nvp_cut_resurrects(struct nvp_sim *w)
{
	struct nvp_cut_state *s = w->cut;
	uint64_t first = s->nr_old > NVP_CUT_BLOCKS ? s->nr_old - NVP_CUT_BLOCKS : 0;

	for (uint64_t i = first; i < s->nr_old; i++) {
		const struct nvp_cut_old *old = &s->old[i % NVP_CUT_BLOCKS];
		const struct nvp_cut_old *newest = nvp_cut_before(s, old->was.map_index, 0);

		if (old->cycle < nvp_cut_cycle(w) && old->was.kind == NVP_MAP_DATA &&
		    newest->cycle == nvp_cut_cycle(w)) {
			nvp_block_restore(w, &old->was);
			return;
		}
	}
}

static void copy_saved(struct nvp_saved_block *to, const struct nvp_saved_block *from)
{
	uint8_t *bytes = to->bytes;

	*to = *from;
	to->bytes = bytes ? bytes : nvp_cache_must(malloc(NVP_SAVED_BYTES));
	if (from->kind == NVP_MAP_DATA)
		memcpy(to->bytes, from->bytes, NVP_SAVED_BYTES);
}

/* One cut later a block that nobody wrote is what it was before its last write. */
void nvp_cut_regresses(struct nvp_sim *w)
{
	struct nvp_cut_state *s = w->cut;
	uint64_t number = nvp_cut_pick(w, NVP_IO_WRITE, 1, 0);
	const struct nvp_cut_old *old;

	if (s->has_later && w->arena->map[s->later.map_index] == s->later_entry)
		nvp_block_restore(w, &s->later);
	s->has_later = false;
	old = number ? nvp_cut_before(s, nvp_cut_op_of(w, number)->first, 0) : NULL;
	if (!old)
		return;
	copy_saved(&s->later, &old->was);
	s->later_entry = w->arena->map[old->was.map_index];
	s->has_later = true;
}

static void flips_of(struct nvp_sim *w, uint8_t opcode)
{
	struct nvp_cut_state *s = w->cut;
	uint64_t number = nvp_cut_pick(w, opcode, 1, 0);
	const struct nvp_cut_old *old;

	old = number ? nvp_cut_before(s, nvp_cut_op_of(w, number)->first, 0) : NULL;
	if (!old)
		return;
	copy_saved(&s->flips, &old->was);
	s->has_flips = true;
}

void nvp_cut_unstable(struct nvp_sim *w)
{
	flips_of(w, NVP_IO_WRITE);
}

void nvp_cut_unstable_unmap(struct nvp_sim *w)
{
	flips_of(w, NVP_IO_DSM);
}

/* ---- trims ---- */

/* What came back is older than what stood there when it was deallocated. */
void nvp_cut_reverts_trim(struct nvp_sim *w)
{
	uint64_t number = nvp_cut_pick(w, NVP_IO_DSM, 1, 0);

	for (uint32_t i = 0; number && i < nvp_cut_op_of(w, number)->nr_lbas; i++) {
		uint64_t index = nvp_cut_op_of(w, number)->first + i;
		const struct nvp_cut_old *older = nvp_cut_before(w->cut, index, 1);

		if (older && older->was.kind == NVP_MAP_DATA &&
		    !nvp_cut_touched_since(w->cut, number, index))
			nvp_block_restore(w, &older->was);
	}
}

void nvp_cut_trims_neighbour(struct nvp_sim *w)
{
	struct nvp_cut_state *s = w->cut;

	for (uint64_t i = s->nr_ops; i > nvp_cut_oldest(s); i--) {
		const struct nvp_cut_op *op = &s->op[(i - 1) % NVP_CUT_OPS];
		uint64_t behind = op->first + op->nr_lbas;

		if (op->opcode != NVP_IO_DSM || nvp_cut_touched_since(s, i, behind) ||
		    NVP_MAP_KIND(w->arena->map[behind]) != NVP_MAP_DATA)
			continue;
		nvp_block_put(w, behind, NVP_MAP_UNWRITTEN, NULL);
		return;
	}
}

/* The journal of trims is applied once more, over what was written after them. */
void nvp_cut_replays_trims(struct nvp_sim *w)
{
	struct nvp_cut_state *s = w->cut;

	for (uint64_t i = nvp_cut_oldest(s); i < s->nr_ops; i++) {
		const struct nvp_cut_op *op = &s->op[i % NVP_CUT_OPS];

		for (uint32_t j = 0; op->opcode == NVP_IO_DSM && j < op->nr_lbas; j++)
			if (nvp_cut_touched_since(s, i + 1, op->first + j))
				nvp_block_put(w, op->first + j, NVP_MAP_UNWRITTEN, NULL);
	}
}
