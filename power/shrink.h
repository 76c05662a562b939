/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a replay is made smaller: one run, the search, and what makes a history simpler. */
#ifndef NVP_POWER_SHRINK_H
#define NVP_POWER_SHRINK_H

#include "power/replay.h"

#define NVP_SHRINK_PLACES 16u
#define NVP_SHRINK_SLOT	  32u	/* blocks of a slot of a campaign */

/* What one run has to tell. */
struct nvp_shrink_listener {
	uint8_t class_id;
	bool failed;
	uint64_t first_lba, nr_lbas;
	uint32_t block[NVP_SHRINK_PLACES];	/* that failed, one of each slot */
	unsigned nr_blocks;
	struct nvp_text *story;			/* NULL: not wanted */
};

/* shrink_run.c: 1 it fails with the listener's class, 0 not, or a negative errno. */
int nvp_shrink_run(const struct nvp_replay_file *file, const char *address, uint64_t seed,
		   struct nvp_shrink_listener *l, struct nvp_err *err);

struct nvp_shrink_search {
	struct nvp_replay_file *best;
	struct nvp_shrink *s;
	char address[NVP_REPLAY_ADDRESS_BYTES - 32];	/* room for the seed */
	uint64_t seed;
	uint32_t block[NVP_SHRINK_PLACES];	/* that failed in the best one */
	unsigned nr_blocks;
	uint64_t blocks;	/* of the ranges of all runs: what they cost */
	bool sharp_tried;	/* a supply that goes at once */
	int rc;			/* no memory */
};

/* shrink.c */
/* If the changed copy fails it is the best one; it is ours or gone after this. */
bool nvp_shrink_keep(struct nvp_shrink_search *x, struct nvp_replay_file *changed);
/* Of the best one; NULL: no memory, and the search ends. */
struct nvp_replay_file *nvp_shrink_copy(struct nvp_shrink_search *x);
/* shrink_leap.c: true when one of them fails, and is the best one now. */
bool nvp_shrink_of_one_block(struct nvp_shrink_search *x);
/* Slots that nothing uses are closed up, so that the range can be short. */
void nvp_shrink_compact(struct nvp_replay_file *file);
/* A cycle of this one operation, after another one. */
bool nvp_shrink_is_alone(const struct nvp_replay *r, uint32_t i);

/* shrink_simpler.c */
void nvp_shrink_simpler_ops(struct nvp_shrink_search *x);
void nvp_shrink_simpler_shape(struct nvp_shrink_search *x);
void nvp_shrink_simpler_cut(struct nvp_shrink_search *x);

#endif
