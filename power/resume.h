/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a journal says of a campaign that ended in the middle. */
#ifndef NVP_POWER_RESUME_H
#define NVP_POWER_RESUME_H

#include "power/engine.h"

/* A thing of the last cycle, in its order. */
enum nvp_resume_what { NVP_RESUME_RING = 0, NVP_RESUME_ACK, NVP_RESUME_EVENT };

struct nvp_resume_entry {
	uint8_t what;
	uint8_t sct, sc;
	uint32_t arg;	/* how many; which operation; which event */
};

#define NVP_RESUME_SPANS 8u

struct nvp_resume {
	bool has_begin, has_cycle, failed; /* failed: no memory */
	struct nvp_journal_begin begin;
	struct nvp_journal_cycle cycle;	/* the last */
	struct nvp_journal_end end;
	bool verified;	/* the last cycle was judged to its end */
	bool was_reset;	/* a cycle ended with a reset: what is cached goes with the process */
	uint32_t nr_blocks;
	uint64_t *before;	/* versions when the last cycle began */
	uint64_t *after;	/* and as they were settled since */
	uint64_t *moved;	/* of the window of the next cycle, if it moves; 0: not told */
	uint8_t *flags;		/* NVP_CAMP_FLAG_* */
	uint32_t stands[NVP_RESUME_SPANS][2];	/* cycles that were judged, first and last of each span */
	unsigned nr_spans;	/* can be more than there is room for */
	uint8_t *known;		/* of each block: has it a version */
	uint32_t unknown;	/* how many have none */
	struct nvp_resume_entry *entry;
	size_t nr_entries, room;
};

/* 0, or a negative errno with *err. Free in any case. */
int nvp_resume_read(struct nvp_resume *r, const char *path, struct nvp_err *err);
void nvp_resume_free(struct nvp_resume *r);
/* "0-4, 6-9": the cycles whose verdict stands; text at least 200 bytes. */
const char *nvp_resume_stands(const struct nvp_resume *r, char text[200]);

/*
 * The last cycle into the campaign's history and oracle: everything that may have been issued, what
 * was acknowledged, then a loss of power. How many operations have no acknowledgement there, or a
 * negative errno.
 */
int64_t nvp_resume_play(const struct nvp_resume *r, struct nvp_camp *c);

#endif
