/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal: what was issued, the order of acknowledgements, what was found; append-only. */
#ifndef NVP_POWER_JOURNAL_H
#define NVP_POWER_JOURNAL_H

#include <nvproof/err.h>

#include "power/workload.h"

/*
 * An operation takes the lowest free slot of NVP_JOURNAL_SLOTS when it is posted and gives it back
 * with its acknowledgement, so one byte names the one that is acknowledged, and the reader knows
 * which it is. Operations of a cycle are numbered from 0 as they are posted; the number of the
 * first stands in the plan (seq). Frames: length, type, CRC-32C. What is not framed yet when the
 * process dies is lost: those operations are in flight; credits tell how many there can be.
 */
#define NVP_JOURNAL_SLOTS 256u

/* How the namespace was formatted, beside lba_bytes (NVM Command Set 1.0, 4.1.5.1). */
struct nvp_journal_format {
	uint16_t metadata_bytes;
	bool extended, pi_first;
	uint8_t pi_type;
};

struct nvp_journal_begin {
	uint64_t run, seed;
	uint32_t nsid, lba_bytes;
	uint64_t first_lba;	/* of the window */
	struct nvp_oracle_facts facts;
	char serial[21], model[41], firmware[9];
	uint32_t first_cycle;	/* what comes before it another journal told; 0: nothing */
	uint64_t first_seq;	/* number in the run of what is written first, to fill the range */
	const char *version;	/* of the program; NULL when read from an older one */
	uint64_t nsze_lbas;	/* of the namespace; 0: an older journal, which does not tell */
	struct nvp_journal_format format;
};

struct nvp_journal_cycle {
	uint32_t cycle;
	uint64_t seq;		/* number in the run of the cycle's first operation */
	uint64_t first_lba;	/* of the window in this cycle */
	bool wce;
	struct nvp_workload_plan plan;
};

enum nvp_journal_event {
	NVP_JOURNAL_CACHE_OFF_SUBMITTED = 0, NVP_JOURNAL_CACHE_OFF_DONE,
	NVP_JOURNAL_CACHE_ON_SUBMITTED, NVP_JOURNAL_CACHE_ON_DONE,
	NVP_JOURNAL_SHUTDOWN_BEGUN, NVP_JOURNAL_SHUTDOWN_DONE,
	NVP_JOURNAL_RESET,	/* complete: what is outstanding is retired */
	NVP_JOURNAL_CUT,	/* before the relay is told */
	NVP_JOURNAL_CUT_CONFIRMED,	/* all-ones or link down were seen: history ends */
	NVP_JOURNAL_BACK,	/* the drive is ready again */
	NVP_JOURNAL_VERIFIED,	/* the cycle was judged; value: fails */
	NVP_JOURNAL_NR_EVENTS
};

/* What a block holds that was settled otherwise than its newest operation says. */
struct nvp_journal_settled {
	uint32_t block;
	uint64_t version;	/* as the ledger packs it (power/ledger.h) */
};

struct nvp_journal;
/* sync: fdatasync with each credit and event. NULL and *err. */
struct nvp_journal *nvp_journal_new(const char *path, const struct nvp_journal_begin *begin,
				    bool sync, struct nvp_err *err);
/* Writes what is buffered. 0 or the first negative errno since it was made. */
int nvp_journal_close(struct nvp_journal *journal);

/* All return 0 or a negative errno, and do nothing on NULL. */
int nvp_journal_cycle(struct nvp_journal *journal, const struct nvp_journal_cycle *cycle);
/* Before the doorbell: the next nr operations, on one queue, are exposed by one ring. */
int nvp_journal_ring(struct nvp_journal *journal, uint32_t nr);
/* After the completion entry was read. */
int nvp_journal_ack(struct nvp_journal *journal, uint8_t slot);
int nvp_journal_error(struct nvp_journal *journal, uint8_t slot, uint8_t sct, uint8_t sc);
int nvp_journal_event(struct nvp_journal *journal, enum nvp_journal_event event, uint64_t value);
int nvp_journal_settled(struct nvp_journal *journal, const struct nvp_journal_settled *settled,
			uint32_t nr);

/* Reading back: calls in the order of the file; all optional. */
struct nvp_journal_reader {
	void *context;
	void (*begin)(void *context, const struct nvp_journal_begin *begin);
	void (*cycle)(void *context, const struct nvp_journal_cycle *cycle);
	void (*ring)(void *context, uint32_t nr);
	/* op: number in the cycle; status type and code 0: acknowledged with success */
	void (*ack)(void *context, uint32_t op, uint8_t sct, uint8_t sc);
	void (*event)(void *context, enum nvp_journal_event event, uint64_t value);
	void (*settled)(void *context, const struct nvp_journal_settled *settled, uint32_t nr);
	/* The rest of this cycle cannot be read; the next calls are of a later cycle. */
	void (*damaged)(void *context, uint64_t offset);
};
struct nvp_journal_end {
	uint32_t cycles;	/* begun */
	uint32_t credit;	/* operations of the last cycle that may have been issued */
	bool torn;		/* the last frame was cut off and left away */
	uint32_t damaged;	/* places in the middle */
};
int nvp_journal_read(const char *path, const struct nvp_journal_reader *reader,
		     struct nvp_journal_end *end, struct nvp_err *err);

#endif
