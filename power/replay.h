/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of a replay, for what reads, writes, runs and shrinks it. */
#ifndef NVP_POWER_REPLAY_H
#define NVP_POWER_REPLAY_H

#include <nvproof/power_replay.h>

#include "power/campaign.h"

#define NVP_REPLAY_MOST_OPS 1000000u
#define NVP_REPLAY_ADDRESS_BYTES 400u

struct nvp_replay_file {
	char drive[NVP_REPLAY_ADDRESS_BYTES];
	bool has_class;
	uint8_t class_id;
	char rules[24], policy[12];	/* "": not said */
	uint32_t nsid;
	uint64_t first_lba, nr_lbas;
	uint64_t seed;
	struct nvp_replay replay;	/* .ops is ours: .op */
	struct nvp_op *op;
	uint32_t room;
};

/* A copy with its own operations; NULL: no memory. */
struct nvp_replay_file *nvp_replay_copy(const struct nvp_replay_file *file);
/* Room for one more, zeroed; NULL: no memory. */
struct nvp_op *nvp_replay_add(struct nvp_replay_file *file);
/* First operation of the last cycle. */
uint32_t nvp_replay_last(const struct nvp_replay *replay);
void nvp_replay_remove(struct nvp_replay_file *file, uint32_t first, uint32_t nr);

const char *nvp_replay_op_word(enum nvp_oracle_kind kind);	/* NULL: none */
const char *nvp_replay_reset_word(unsigned reset);	/* NULL: out of range */

/* replay_story.c: the admin command of the phase, and how it ended: a line, or none. */
void nvp_replay_tell_admin(const struct nvp_failed_cycle *failed, struct nvp_text *out);

/* What happened in a cycle to the block that is wrong, for people. */
void nvp_replay_story(const struct nvp_failed_cycle *failed, uint8_t class_id,
		      struct nvp_text *out);

#endif
