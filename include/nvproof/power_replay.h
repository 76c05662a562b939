/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays: a cycle of a campaign as a file that can be read, run again and made smaller. */
#ifndef NVPROOF_POWER_REPLAY_H
#define NVPROOF_POWER_REPLAY_H

#include <nvproof/power.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A text file, one word and its values a line, '#' begins a comment:
 *   nvproof-replay 1
 *   drive sim:defect=NAME,seed=1     where it failed; for the reader, and for tests
 *   class LOST_FLUSHED               what it fails with
 *   rules client-vwc, policy spec    what the oracle went by
 *   nsid 1, range LBA COUNT, seed N
 *   phase writes, queues N, depth N
 *   cut OPS NS [clean] [abrupt] [twice|thrice] | reset KIND OPS NS
 *                                    armed once OPS operations were exposed, NS later
 *   then the operations: write BLOCK COUNT, compare-write, zeroes, uncorrectable, deallocate,
 *   copy BLOCK COUNT SOURCE, flush; each with any of: fua, wrong, barrier, queue N, next
 * next: the cycle before it ends, cut when all is still and verified; the cut line is of the last.
 * Blocks count from the first of the range.
 */
struct nvp_replay_file;
struct nvp_text;	/* core/base/text.h */

/* NULL and *err: cannot be read, or the line that is wrong. Free with nvp_replay_free. */
struct nvp_replay_file *nvp_replay_read(const char *path, struct nvp_err *err);
struct nvp_replay_file *nvp_replay_parse(const char *text, struct nvp_err *err);
void nvp_replay_free(struct nvp_replay_file *file);
void nvp_replay_text(const struct nvp_replay_file *file, struct nvp_text *out);

/* Set the options of a campaign that runs it, once; they borrow from the file. */
void nvp_replay_apply(const struct nvp_replay_file *file, struct nvp_campaign_options *options);
const char *nvp_replay_drive(const struct nvp_replay_file *file);	/* "": not said */
const char *nvp_replay_class(const struct nvp_replay_file *file);	/* "": not said */

/* The cycle that failed and those before it; class_id: what it failed with. NULL: no memory. */
struct nvp_replay_file *nvp_replay_of(const struct nvp_failed_cycle *failed, uint8_t class_id,
				      const struct nvp_campaign_options *options);

/* How a replay is made smaller. */
struct nvp_shrink {
	const char *address;	/* of the simulated drive that it failed on */
	uint64_t seed;		/* of it, where the address has none */
	uint32_t most_runs;	/* 0: 400 */
	void (*heartbeat)(void *context);	/* NULL, or called before each run */
	void *context;
	/* out */
	uint32_t runs;
	uint32_t ops_before, ops;
};

/*
 * Run it again and again, each time on a new simulated drive of that address, with fewer and
 * smaller operations as long as it fails with its class. The smallest that fails replaces *file;
 * story gets its tale in about ten lines. 0; -ENOENT: it does not fail again, *file is as it was;
 * or a negative errno with *err.
 */
int nvp_replay_shrink(struct nvp_replay_file *file, struct nvp_shrink *shrink,
		      struct nvp_text *story, struct nvp_err *err);
/* Once, on a new simulated drive: 1 it fails with its class, 0 not, or a negative errno. */
int nvp_replay_fails(const struct nvp_replay_file *file, const char *address, uint64_t seed,
		     struct nvp_text *story, struct nvp_err *err);

#ifdef __cplusplus
}
#endif
#endif
