/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of damage by a loss of power say to each other. */
#ifndef NVP_SIM_CUT_DAMAGE_H
#define NVP_SIM_CUT_DAMAGE_H

#include "core/sim/cut.h"

/* ---- cut_pick.c ---- */

/* Below n, by the seed, the cut, and what it is about. */
uint64_t nvp_cut_chance(const struct nvp_sim *w, const char *purpose, uint64_t object, uint64_t n);
/* Number of the oldest operation that is remembered. */
uint64_t nvp_cut_oldest(const struct nvp_cut_state *s);
/* Some operation from number `from` on has to do with the block. */
bool nvp_cut_touched_since(const struct nvp_cut_state *s, uint64_t from, uint64_t map_index);
/* One of the newest durable operations of a kind, not `but`; its number + 1, 0: none. */
uint64_t nvp_cut_pick(const struct nvp_sim *w, uint8_t opcode, uint32_t least_lbas, uint64_t but);
/* By number + 1. */
const struct nvp_cut_op *nvp_cut_op_of(const struct nvp_sim *w, uint64_t number);
/* The first block of a written victim, as it is now; block->bytes is the caller's to free. */
bool nvp_cut_take_block(struct nvp_sim *w, struct nvp_saved_block *block, uint64_t *number);
/* The version before the n-th newest change, if it is known. */
void nvp_cut_bring_back(struct nvp_sim *w, uint64_t map_index, unsigned n);
/* Blocks of an operation from one on that were not written since. */
void nvp_cut_bring_back_op(struct nvp_sim *w, uint64_t number, uint32_t from);
/* Flips so many bits and writes the block back. */
void nvp_cut_flip_bits(struct nvp_sim *w, struct nvp_saved_block *block, uint64_t nr);
/* Behind so many eighths the block becomes the other one; NULL: zeroes. */
void nvp_cut_mix(struct nvp_saved_block *block, const struct nvp_saved_block *rest,
		 uint32_t lba_bytes, uint64_t eighths);

/* ---- cut_history.c, cut_cold.c: damages ---- */

void nvp_cut_resurrects(struct nvp_sim *w);
void nvp_cut_regresses(struct nvp_sim *w);
void nvp_cut_unstable(struct nvp_sim *w);
void nvp_cut_unstable_unmap(struct nvp_sim *w);
void nvp_cut_reverts_trim(struct nvp_sim *w);
void nvp_cut_trims_neighbour(struct nvp_sim *w);
void nvp_cut_replays_trims(struct nvp_sim *w);
void nvp_cut_cold_zeroed(struct nvp_sim *w);
void nvp_cut_cold_rots(struct nvp_sim *w);
void nvp_cut_other_namespace(struct nvp_sim *w);
void nvp_cut_third_lost(struct nvp_sim *w);
void nvp_cut_extent_lost(struct nvp_sim *w);

/* ---- cut_admin.c ---- */

void nvp_cut_sticks_format(struct nvp_sim *w);
/* A Firmware Commit was answered shortly before. */
bool nvp_cut_after_commit(const struct nvp_sim *w);

#endif
