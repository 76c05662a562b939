/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Program units, and the index of the blocks that are cached. */
#ifndef NVP_SIM_CACHE_H
#define NVP_SIM_CACHE_H

#include "core/sim/mechanism.h"

#define NVP_NO_UNIT UINT32_MAX
#define NVP_CACHE_INDEX (1u << 17)	/* places in the index, a power of two */

enum nvp_unit_state { NVP_UNIT_FREE = 0, NVP_UNIT_WAITING, NVP_UNIT_PROGRAMMING };

/*
 * Blocks that become visible together. A unit of the cache is visible from its insertion on and
 * is written to the media some time later; one that is written through is visible when published.
 */
struct nvp_unit {
	uint32_t id, generation;
	enum nvp_unit_state state;
	enum nvp_map_kind kind;
	bool visible;			/* cached */
	bool published;			/* only a torn unit lives on after it */
	uint64_t first;			/* map index */
	uint32_t nr;			/* blocks */
	uint32_t sectors_done;
	uint64_t sequence;
	uint32_t cmd_slot;		/* of a unit that is written through */
	uint32_t nsid;
	uint16_t sqid;			/* of its command */
	uint32_t older, newer;
	uint64_t superseded[NVP_ARENA_REDO_MAX / 64];
	uint32_t lba_bytes, meta_bytes;	/* of its namespace */
	uint8_t *bytes, *meta;		/* kept for the next unit with this id */
	size_t room_bytes, room_meta_bytes;
	uint64_t *slot;
};

struct nvp_cache_place {
	uint64_t key;			/* map index + 1; 0: free */
	uint32_t unit;
};

struct nvp_cache_state {
	struct nvp_unit *unit;
	uint32_t nr_units, unit_blocks;
	uint32_t nr_begun;		/* units that were ever used; the first ones */
	uint32_t *free, nr_free;	/* those of them that are free; a stack */
	uint32_t oldest, newest;
	uint32_t nr_cached, nr_cached_max, nr_cached_blocks;
	uint32_t nr_programming;	/* cached units being written */
	uint64_t next_sequence, write_back_upto;
	uint64_t first_at_loss;		/* sequence of the oldest unit when the power went */
	bool timer_runs;
	bool stopped;			/* the power is going: nothing is written back any more */
	bool frozen;			/* the same by a defect */
	struct nvp_cache_place *index;
};

/* ---- unit.c ---- */

/* The next nr blocks of c, as the newest unit. */
struct nvp_unit *nvp_unit_new(struct nvp_sim *w, const struct nvp_sim_cmd *c, uint32_t nr);
void nvp_unit_drop(struct nvp_sim *w, struct nvp_unit *u);
/* By events: each sector, then publish; then the cache goes on, or the command it is of. */
void nvp_unit_start(struct nvp_sim *w, struct nvp_unit *u);
void nvp_unit_program_rest(struct nvp_sim *w, struct nvp_unit *u);	/* all at once */
void nvp_unit_publish(struct nvp_sim *w, struct nvp_unit *u);

/* ---- cache.c ---- */

void nvp_cache_go_on(struct nvp_sim *w);			/* start what may be written back */
void nvp_cache_write_step(struct nvp_sim *w, uint64_t slot);	/* the next unit of a command */

/* ---- cache_index.c ---- */

uint32_t nvp_cache_index_get(const struct nvp_cache_state *s, uint64_t map_index);
void nvp_cache_index_set(struct nvp_cache_state *s, uint64_t map_index, uint32_t unit);
/* Only when it still names this unit. */
void nvp_cache_index_remove(struct nvp_cache_state *s, uint64_t map_index, uint32_t unit);
/* Does this unit reach the media although the power is gone? */
bool nvp_cache_survives(const struct nvp_sim *w, const struct nvp_unit *u);
/* memory, or the end of the process: a drive that ran out of memory has no honest way on. */
void *nvp_cache_must(void *memory);

#endif
