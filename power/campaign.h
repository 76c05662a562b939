/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of a campaign: what a cycle ran, for those who shrink, replay and pack it. */
#ifndef NVP_POWER_CAMPAIGN_H
#define NVP_POWER_CAMPAIGN_H

#include <nvproof/drive_ops.h>
#include <nvproof/power.h>

#include "power/journal.h"
#include "power/judge.h"
#include "power/lb.h"

#define NVP_CUT_VARIANTS 4u

/* The moment of a cut: what came first of these. */
struct nvp_cut {
	uint32_t after_ops;	/* armed when so many operations were exposed */
	uint64_t delay_ns;	/* from there to the off command */
	bool clean;		/* NVP_PHASE_SHUTDOWN: not before it was seen complete */
	bool abrupt;		/* and its kind: CC.SHN = 10b */
	uint8_t more_cuts;	/* before the drive is ready again */
	bool is_reset;		/* .reset instead of a cut */
	uint8_t reset;		/* enum nvp_reset */
	uint64_t command_ns;	/* phases of admin commands: from the off command to theirs; 0: before it */
	uint8_t variant;	/* .. and which of the phase's commands, below NVP_CUT_VARIANTS */
};

/*
 * Explicit cycles: instead of what the workload makes. Ascending in the order of submission; .next
 * begins another cycle. The last one is cut as .cut says, those before it when all is still.
 */
struct nvp_replay {
	enum nvp_phase phase;
	const struct nvp_op *ops;
	uint32_t nr_ops;
	uint16_t queues, depth;
	struct nvp_cut cut;
};

/* Behind the last operation of a cycle: what is cached is written then, on most drives. */
#define NVP_REPLAY_STILL_NS (20 * NVP_NS_PER_MS)

/* First operation of cycle n (0: the first one), *end: behind its last. */
uint32_t nvp_replay_cycle(const struct nvp_replay *replay, uint32_t n, uint32_t *end);
uint32_t nvp_replay_cycles(const struct nvp_replay *replay);

/* One operation of a history. Ticks of one counter; ack 0: no completion was seen. */
struct nvp_history_op {
	struct nvp_op op;
	uint64_t sub, ack;
	uint8_t sct, sc;
	bool late;		/* its completion was found after the cut */
	bool posted;		/* it may have reached the drive */
	uint8_t opcode;		/* of its last command */
	uint64_t sub_ns, ack_ns;	/* drive clock: for people */
	uint32_t oracle_op;	/* its number there */
};

/* One block that was read after the cut. */
struct nvp_history_block {
	struct nvp_oracle_seen seen;
	struct nvp_finding finding;
	uint64_t was, is;	/* versions in the ledger before the cycle, and read now */
	uint64_t data;		/* of .is, whatever metadata lies beside it */
	enum nvp_stamp_meta_state meta;
	bool cold;		/* no operation of the cycle touches it */
	bool late;		/* data at the first reading, deallocated at the next */
};

/* What the cycles before did, as far as it is remembered: over the same blocks, all confirmed. */
#define NVP_PAST_CYCLES 3u
#define NVP_PAST_OPS	4096u	/* a longer one is not remembered, nor what was before it */

struct nvp_past_cycle {
	struct nvp_op *ops;
	uint32_t nr_ops;
};

/* What a fail said in words: the first of its class in the cycle. */
#define NVP_SAID_MOST	4u
#define NVP_SAID_BYTES	400u

struct nvp_said {
	uint8_t class_id;
	const char *source;	/* document, revision, section; a literal */
	char text[NVP_SAID_BYTES];
};

/* The admin command that the phase is about. */
struct nvp_failed_admin {
	bool given;
	bool acked, refused;	/* neither: no completion of it was seen */
	uint8_t opcode;
	uint32_t dw10;
};

struct nvp_failed_cycle {
	uint32_t cycle;
	enum nvp_phase phase;
	enum nvp_workload workload;
	struct nvp_workload_plan plan;
	struct nvp_cut cut;
	const struct nvp_oracle_facts *facts;
	struct nvp_oracle *oracle;	/* of the cycle, still there */
	uint32_t nsid;
	struct nvp_lb_format format;
	uint64_t first_lba;
	uint64_t seq;			/* of operation 0 */
	uint64_t run;
	const struct nvp_history_op *ops;
	uint32_t nr_ops;
	const struct nvp_history_block *blocks;
	uint32_t nr_blocks;
	uint16_t queues, depth;
	const struct nvp_past_cycle *past;	/* the newest first */
	uint32_t nr_past;
	struct nvp_failed_admin admin;
	const struct nvp_said *said;
	uint32_t nr_said;
	/*
	 * At its baseline, nothing written since the cut; or dead. With no blocks, behind an admin
	 * command that erases, it may have been formatted once more.
	 */
	struct nvp_drive *drive;
};

#endif
