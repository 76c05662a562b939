// SPDX-License-Identifier: GPL-2.0-or-later
// Which durable blocks a wrong drive damages, and tools to do it with.

#include "core/sim/cut_damage.h"

#include <string.h>

#include <nvproof/cmd.h>

#include "core/base/bits.h"
#include "core/base/rand.h"

#define CANDIDATES 16

uint64_t nvp_cut_chance(const struct nvp_sim *w, const char *purpose, uint64_t object, uint64_t n)
{
	return nvp_rand_below(w->config->seed, purpose, object, nvp_cut_cycle(w), n);
}

/* ---- victims: what the host may count on, and nobody wrote again ---- */

uint64_t nvp_cut_oldest(const struct nvp_cut_state *s)
{
	return s->nr_ops > NVP_CUT_OPS ? s->nr_ops - NVP_CUT_OPS : 0;
}

static bool touches(const struct nvp_cut_op *op, uint64_t map_index)
{
	return map_index >= op->first && map_index - op->first < op->nr_lbas;
}

/* Some operation from number `from` on has to do with the block. */
bool nvp_cut_touched_since(const struct nvp_cut_state *s, uint64_t from, uint64_t map_index)
{
	for (uint64_t i = from; i < s->nr_ops; i++)
		if (touches(&s->op[i % NVP_CUT_OPS], map_index))
			return true;
	return false;
}

/* One of the newest durable operations of a kind; its number + 1, 0: none. Not this one. */
uint64_t nvp_cut_pick(const struct nvp_sim *w, uint8_t opcode, uint32_t least_lbas, uint64_t but)
{
	const struct nvp_cut_state *s = w->cut;
	uint64_t found[CANDIDATES];
	unsigned nr = 0;

	for (uint64_t i = s->nr_ops; i > nvp_cut_oldest(s) && nr < CANDIDATES; i--) {
		const struct nvp_cut_op *op = &s->op[(i - 1) % NVP_CUT_OPS];

		if (op->durable && op->opcode == opcode && op->nr_lbas >= least_lbas && i != but &&
		    !nvp_cut_touched_since(s, i, op->first))
			found[nr++] = i;
	}
	return nr ? found[nvp_cut_chance(w, "cut.victim", opcode, nr)] : 0;
}

const struct nvp_cut_op *nvp_cut_op_of(const struct nvp_sim *w, uint64_t number)
{
	return &w->cut->op[(number - 1) % NVP_CUT_OPS];
}

/* The first block of a written victim, as it is now. */
bool nvp_cut_take_block(struct nvp_sim *w, struct nvp_saved_block *block, uint64_t *number)
{
	*number = nvp_cut_pick(w, NVP_IO_WRITE, 1, 0);
	if (!*number)
		return false;
	nvp_block_save(w, nvp_cut_op_of(w, *number)->first, block);
	return block->kind == NVP_MAP_DATA;
}

void nvp_cut_bring_back(struct nvp_sim *w, uint64_t map_index, unsigned n)
{
	const struct nvp_cut_old *old = nvp_cut_before(w->cut, map_index, n);

	if (old)
		nvp_block_restore(w, &old->was);
}

/* Blocks of an operation from one on that were not written since. */
void nvp_cut_bring_back_op(struct nvp_sim *w, uint64_t number, uint32_t from)
{
	const struct nvp_cut_op *op = nvp_cut_op_of(w, number);

	for (uint32_t i = from; i < op->nr_lbas; i++)
		if (!nvp_cut_touched_since(w->cut, number, op->first + i))
			nvp_cut_bring_back(w, op->first + i, 0);
}

void nvp_cut_flip_bits(struct nvp_sim *w, struct nvp_saved_block *block, uint64_t nr)
{
	uint32_t lba_bytes = nvp_block_ns(w, block->map_index)->lba_bytes;

	for (uint64_t i = 0; i < nr; i++) {
		uint64_t bit = nvp_cut_chance(w, "cut.bit", i, lba_bytes * 8);

		block->bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
	}
	nvp_block_restore(w, block);
}

/* The first eighths are of one version, the rest of the other. */
void nvp_cut_mix(struct nvp_saved_block *block, const struct nvp_saved_block *rest,
		uint32_t lba_bytes, uint64_t eighths)
{
	uint32_t at = lba_bytes / 8 * (uint32_t)nvp_min_u64(eighths, 7);

	if (rest && rest->kind == NVP_MAP_DATA)
		memcpy(block->bytes + at, rest->bytes + at, lba_bytes - at);
	else
		memset(block->bytes + at, 0, lba_bytes - at);
}
