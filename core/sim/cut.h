/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sudden loss of power: stored energy, and what a wrong drive makes of one. */
#ifndef NVP_SIM_CUT_H
#define NVP_SIM_CUT_H

#include "core/base/firmware_image.h"
#include "core/sim/mechanism.h"

struct nvp_unit;

/* ---- blocks.c: blocks of the media taken aside and put back ---- */

#define NVP_SAVED_BYTES (4096u + NVP_ARENA_META_BYTES)

struct nvp_saved_block {
	uint64_t map_index;
	enum nvp_map_kind kind;
	uint8_t *bytes;		/* NVP_SAVED_BYTES: data, then metadata; or NULL */
};

struct nvp_sim_ns *nvp_block_ns(struct nvp_sim *w, uint64_t map_index);
/* What is on the media. block->bytes is allocated when it is needed, and used again. */
void nvp_block_save(struct nvp_sim *w, uint64_t map_index, struct nvp_saved_block *block);
/* bytes: data, then metadata; only for NVP_MAP_DATA. */
void nvp_block_put(struct nvp_sim *w, uint64_t map_index, enum nvp_map_kind kind,
		   const uint8_t *bytes);
void nvp_block_restore(struct nvp_sim *w, const struct nvp_saved_block *block);

/* ---- holdup.c: plp=on ---- */

int nvp_holdup_new(struct nvp_sim *w);
void nvp_holdup_free(struct nvp_sim *w);
/* A protected unit is about to count. */
void nvp_holdup_keep(struct nvp_sim *w, const struct nvp_unit *u);
void nvp_holdup_begin(struct nvp_sim *w);	/* the drive has noticed; ends in nvp_rail_kill */
void nvp_holdup_power_lost(struct nvp_sim *w);

/* ---- cut.c: what a wrong drive has to remember ---- */

#define NVP_CUT_OPS 256		/* operations that are remembered, the newest ones */
#define NVP_CUT_BLOCKS 512	/* blocks of before, the newest ones */

/* A command that was answered. */
struct nvp_cut_op {
	uint8_t opcode;
	bool durable;		/* its host may count on it */
	bool after_trim;
	uint32_t nr_lbas;
	uint64_t first;		/* map index */
	uint64_t nsid;
	uint64_t done_ns;
};

struct nvp_cut_old {
	struct nvp_saved_block was;
	uint64_t cycle, at_ns;
};

struct nvp_cut_state {
	struct nvp_cut_op op[NVP_CUT_OPS];	/* op[i % NVP_CUT_OPS], i from 0 to nr_ops - 1 */
	uint64_t nr_ops;
	struct nvp_cut_old old[NVP_CUT_BLOCKS];	/* the same; what publishing replaced */
	uint64_t nr_old;
	bool damaging;			/* what is published now is damage, not data */
	uint64_t nr_cuts;		/* unsafe ones that this process saw */
	bool after_cut;			/* the last loss of power came without a shutdown */
	uint32_t enables;		/* since power-on */
	uint64_t power_on_ns;
	bool falling;			/* the rail is going */
	unsigned nr_trims;		/* Dataset Managements that run */
	struct nvp_saved_block later;	/* comes back at the next cut, unless overwritten */
	uint64_t later_entry;
	struct nvp_saved_block flips;	/* every second read of this block gives this */
	bool has_later, has_flips, flip;
	struct nvp_saved_block late[8];	/* lands after a reset */
	uint32_t nr_late;
	uint64_t commit_ns;		/* when the last one was answered; 0: none since power-on */
	uint8_t *download;		/* of firmware, that outlives the power; NULL: none */
	uint64_t pieces[NVP_FIRMWARE_MOST_BYTES / NVP_FIRMWARE_PIECE_BYTES / 64];
	uint32_t stuck_nsid;		/* of a Format that a loss of power ended */
	uint64_t stuck_ns;		/* when that was */
};

/* NULL unless a defect that has to do with power is there. */
int nvp_cut_new(struct nvp_sim *w);
void nvp_cut_free(struct nvp_sim *w);
void nvp_cut_power_on(struct nvp_sim *w, bool after_cut);
/* An enable, and it is one that ends with CFS. */
bool nvp_cut_fatal(const struct nvp_sim *w);
/* A unit is about to count. */
void nvp_cut_publishing(struct nvp_sim *w, const uint64_t *index, uint32_t nr);
/* At the check step of an I/O command. */
void nvp_cut_began(struct nvp_sim *w, const struct nvp_sim_cmd *c);
void nvp_cut_done(struct nvp_sim *w, const struct nvp_sim_cmd *c);
void nvp_cut_read(struct nvp_sim *w, const struct nvp_sim_cmd *c, uint8_t *bytes);
/* A controller reset: writes that are not done are dropped by an honest drive. */
void nvp_cut_reset(struct nvp_sim *w);
uint64_t nvp_cut_cycle(const struct nvp_sim *w);
/* What the block held before its n-th newest change (0: the newest); NULL: not known. */
const struct nvp_cut_old *nvp_cut_before(const struct nvp_cut_state *s, uint64_t map_index,
					 unsigned n);

/* ---- cut_admin.c ---- */

/* A Format of it is never over. */
bool nvp_cut_format_stuck(const struct nvp_sim *w, uint32_t nsid);
/* An admin command was answered with success. */
void nvp_cut_admin_done(struct nvp_sim *w, const struct nvp_sim_cmd *c);

/* ---- cut_damage.c ---- */

/* The power is gone and the cache is decided. */
void nvp_cut_damage(struct nvp_sim *w);
/* A unit that was on its way to the media: true when its end was decided here. */
bool nvp_cut_tears(struct nvp_sim *w, struct nvp_unit *u);
/* The supply falls: a wrong drive stops what it is programming. */
void nvp_cut_detected(struct nvp_sim *w);

/* ---- cut_cache.c: wrong ideas of what has to be on the media ---- */

bool nvp_cut_unprotected(const struct nvp_sim *w, const struct nvp_sim_cmd *c);	/* plp=on */
/* The write may stay in the cache; plp=off, and there is one. */
bool nvp_cut_cached(const struct nvp_sim *w, const struct nvp_sim_cmd *c);
/* The flush that begins covers units up to this sequence. */
uint64_t nvp_cut_flush_upto(struct nvp_sim *w, const struct nvp_sim_cmd *c);
/* Some flushes leave units out; this one? */
bool nvp_cut_flush_is_partial(const struct nvp_sim *w);
bool nvp_cut_flush_covers(const struct nvp_sim *w, const struct nvp_sim_cmd *c,
			  const struct nvp_unit *u);

#endif
