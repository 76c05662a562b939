/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine of a campaign: its state, and the steps that its files offer each other. */
#ifndef NVP_POWER_ENGINE_H
#define NVP_POWER_ENGINE_H

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/stamp.h"
#include "power/campaign.h"
#include "power/lb.h"
#include "power/ledger.h"

#define NVP_CAMP_SLOTS	  NVP_JOURNAL_SLOTS
#define NVP_CAMP_QUEUES	  16u
#define NVP_CAMP_CANARIES 24u
#define NVP_CAMP_NSIDS	  64u
#define NVP_CAMP_STEP_NS  (2 * NVP_NS_PER_US) /* between two looks, while there is work */

/* An operation on its way: its buffer, and what its completions said. */
struct nvp_camp_slot {
	struct nvp_lb_buf buf;
	uint32_t op; /* in the history */
	uint8_t left; /* completions that are still to come */
	uint8_t nr; /* commands: 2 of a fused pair */
	bool busy;
	uint8_t sct, sc; /* what the operation ended with so far */
	uint8_t opcode; /* of the last command */
};

struct nvp_camp_queue {
	struct nvp_sq *sq;
	struct nvp_cq *cq;
	bool own; /* made by us; else the baseline's pair */
	uint16_t depth;
	uint16_t outstanding; /* commands */
};

/* What must be the same when the drive comes back. */
struct nvp_camp_identity {
	char sn[21], mn[41], fr[9];
	uint32_t nn, nsid;
	uint64_t nsze_lbas, ncap_lbas;
	uint32_t lba_bytes;
	uint16_t metadata_bytes;
	uint8_t flbas, eui64[8], nguid[16];
};

struct nvp_camp_read;
struct nvp_camp_counters {
	bool known;
	uint64_t unsafe_shutdowns, power_cycles, media_errors, data_units_written;
	uint8_t critical_warning;
};

/* A block that nobody writes. */
struct nvp_camp_canary {
	uint32_t nsid;
	uint64_t lba;
	uint64_t version; /* STAMP and the like, or FOREIGN */
	bool bad; /* told already */
};

/* Of a block of the window, beside its version. */
#define NVP_CAMP_FLAG_TRIMMED 1u /* a Deallocate was last there: it may be taken late */
#define NVP_CAMP_FLAG_ACKED   2u /* what it holds was acknowledged */
#define NVP_CAMP_FLAG_RECENT  4u /* touched in the cycle before */
#define NVP_CAMP_FLAG_TOUCHED 8u /* by the cycle that is judged */
#define NVP_CAMP_FLAG_SAMPLED 16u /* to be read though nothing touched it */

/* What one cycle is to be. */
struct nvp_camp_plan {
	struct nvp_workload_plan work;
	struct nvp_cut cut;
	double fraction; /* of the phase's length, where the cut falls; can pass 1 a little */
	bool clean; /* the shutdown is waited for */
	bool abrupt;
	enum nvp_reset reset; /* NVP_NR_RESETS: a cut of the supply */
	unsigned more_cuts; /* before the drive is ready again */
	uint16_t queues, depth;
};

/* How long what an admin command does goes on. */
struct nvp_camp_length {
	uint64_t seen_ns; /* the longest that went to its end; 0: none yet */
	uint64_t least_ns; /* before that: the longest that a cut ended */
};

/* Firmware that the phase about it downloads. */
struct nvp_camp_firmware {
	uint8_t slot; /* for it; 0: there is none, or no image is known */
	uint32_t piece_bytes;
	uint32_t nr_pieces; /* that were there before the one on its way */
	struct nvp_buf *image;
	char new[9]; /* its revision */
	struct nvp_firmware_slots before;
};

struct nvp_camp {
	struct nvp_drive *drive;
	const struct nvp_clock *clock;
	const struct nvp_campaign_options *options;
	const struct nvp_campaign_out *out;
	struct nvp_campaign_result *result;
	struct nvp_err *err;
	struct nvp_relay *relay;
	struct nvp_journal *journal;

	uint64_t run, seed;
	uint32_t nsid, most_blocks;
	struct nvp_lb_format format;
	struct nvp_oracle_facts facts;
	uint64_t range_first, range_lbas; /* that may be written */
	uint64_t first_lba; /* of the window; facts.first_lba too */
	uint64_t *ledger; /* version of each block of the window */
	uint8_t *initial; /* for the oracle */
	uint8_t *flags; /* NVP_CAMP_FLAG_* of each block */
	uint32_t phases, workloads; /* that the drive can do */
	uint32_t kinds;
	uint16_t copy_blocks;
	bool has_dulbe; /* NSFEAT bit 2 */
	struct nvp_camp_identity identity;
	struct nvp_camp_counters counters;
	struct nvp_camp_canary canary[NVP_CAMP_CANARIES];
	unsigned nr_canaries;
	uint64_t longest_ns[NVP_ORACLE_NR_KINDS]; /* completion of each kind so far */
	uint64_t shutdown_ns, reset_ns, ready_ns;
	struct nvp_buf *page; /* for logs */

	/* the cycle */
	uint32_t cycle;
	struct nvp_camp_plan plan;
	struct nvp_campaign_cycle record;
	struct nvp_oracle *oracle;
	uint32_t replay_first, replay_end; /* operations of the replay that are its */
	uint64_t tick;
	uint64_t seq; /* of its operation 0 */
	struct nvp_history_op *ops;
	uint32_t nr_ops, room_ops;
	uint32_t nr_rung; /* operations that were exposed */
	uint32_t toggled; /* operation that the cache was switched before last */
	struct nvp_camp_slot slot[NVP_CAMP_SLOTS];
	unsigned nr_slots, nr_busy;
	struct nvp_camp_queue queue[NVP_CAMP_QUEUES];
	unsigned nr_queues;
	bool cut_done; /* completions from here on are late */
	uint64_t cut_ns;
	unsigned power_losses; /* of this cycle */
	bool may_count_unsafe; /* a shutdown was begun and not seen complete */

	/* the admin command of the phase */
	struct nvp_cmd admin_cmd;
	uint16_t admin_cid;
	bool admin_sent, admin_acked, admin_refused;
	uint64_t admin_ns; /* when it was given */
	struct nvp_said said[NVP_SAID_MOST]; /* of the cycle */
	uint32_t nr_said;
	struct nvp_camp_firmware firmware;
	struct nvp_camp_length admin_length[NVP_NR_PHASES][NVP_CUT_VARIANTS];
	uint64_t gone_ns; /* from the off command until nothing answers, at least; 0: not seen */
	uint64_t alive_ns; /* from the off command to the last submission that was answered */
	uint32_t nsids[NVP_CAMP_NSIDS]; /* allocated before it */
	unsigned nr_nsids;
	bool refill; /* before the next cycle: nothing is known of the blocks */

	bool resumed; /* .record is of the cycle that a journal went on from: it counts */
	uint32_t first_after; /* with a journal to go on from: the cycle after its last; else 0 */

	struct nvp_past_cycle past[NVP_PAST_CYCLES]; /* the newest first */
	uint32_t nr_past;

	/* verification */
	struct nvp_history_block *blocks;
	uint32_t nr_blocks, room_blocks;
	unsigned rig_failures;
};

/* issue.c: operations on their way */
int nvp_camp_queues_make(struct nvp_camp *c);
void nvp_camp_queues_drop(struct nvp_camp *c);
/* Memory of slot id, at least most_blocks twice; NULL: no memory. */
struct nvp_lb_buf *nvp_camp_slot_buf(struct nvp_camp *c, unsigned id);
/* Give operation op (the next of the cycle) to its queue, not exposed yet. -ENOSPC: no room now. */
int nvp_camp_post(struct nvp_camp *c, const struct nvp_op *op);
/* Expose what was posted to this queue. */
int nvp_camp_ring(struct nvp_camp *c, unsigned queue);
/* Switch the volatile write cache, now. */
int nvp_camp_toggle(struct nvp_camp *c, bool on);
/* Take what is complete on any queue: how many, or a negative errno. */
int nvp_camp_reap(struct nvp_camp *c);
/* Wait for a completion on any queue, at most until. */
void nvp_camp_wait(struct nvp_camp *c, uint64_t until_ns);
/* Until nothing is outstanding. 0, -ETIMEDOUT, -ENODEV. */
int nvp_camp_drain(struct nvp_camp *c);
/* What is outstanding will never complete. */
void nvp_camp_forget(struct nvp_camp *c);
/* The stamp of a block of an operation of this cycle. */
struct nvp_stamp nvp_camp_stamp(const struct nvp_camp *c, const struct nvp_op *op, uint64_t seq,
				uint32_t index);

/* phase.c: what the cycles are about */
uint32_t nvp_camp_phases(struct nvp_camp *c);
void nvp_camp_plan_cycle(struct nvp_camp *c);

/* work.c: as many operations as there is room for, up to number `limit`. */
int nvp_camp_post_some(struct nvp_camp *c, uint32_t limit);
/* Until so many as the plan of the cut says were exposed. */
int nvp_camp_load(struct nvp_camp *c);
void nvp_camp_count_ops(struct nvp_camp *c);
/* A write that was refused, though nothing is wrong with it, is a finding. */
void nvp_camp_check_writable(struct nvp_camp *c);

/* cycle.c: one cycle, from the first command to the last block that was judged */
int nvp_camp_cycle(struct nvp_camp *c);

/* admin.c, admin_after.c: phases about admin commands */
uint32_t nvp_camp_admin_phases(struct nvp_camp *c);
/* Make the command ready, with what has to be asked before; give it, and do not wait. */
int nvp_camp_admin_prepare(struct nvp_camp *c);
int nvp_camp_admin_give(struct nvp_camp *c);
void nvp_camp_admin_poll(struct nvp_camp *c);
void nvp_camp_admin_cut(struct nvp_camp *c);
bool nvp_camp_is_admin(enum nvp_phase phase);
uint64_t nvp_camp_admin_alive_ns(const struct nvp_camp *c);
/* How many commands the phase of the plan is about in turn. */
unsigned nvp_camp_admin_variants(const struct nvp_camp *c);
/* admin_firmware.c: may this revision run, beside the one before the cut? */
bool nvp_camp_firmware_may_run(const struct nvp_camp *c, const char *revision);
/* How long what the command of the plan does goes on, as far as is known. */
uint64_t nvp_camp_admin_length_ns(const struct nvp_camp *c);
/* After recovery. 0: verify; 1: the contents are gone by right, and were looked at. */
int nvp_camp_admin_after(struct nvp_camp *c);

/* campaign.c: what the window holds, into the journal */
int nvp_camp_journal_window(struct nvp_camp *c);

/* resume.c: the state of a campaign from its journal, and what its end left on the drive judged */
int nvp_camp_resume(struct nvp_camp *c);

/* recover.c */
void nvp_camp_identity_take(const struct nvp_camp *c, struct nvp_camp_identity *identity);
int nvp_camp_counters_take(struct nvp_camp *c, struct nvp_camp_counters *counters);
/* Is the volatile cache on now? Fills facts.wce. */
int nvp_camp_cache_state(struct nvp_camp *c);
/* Is it an error now to read a deallocated block? */
bool nvp_camp_dulbe(struct nvp_camp *c);
/* Make it again what facts.dulbe says. */
int nvp_camp_dulbe_keep(struct nvp_camp *c);
/* Power on, ready, the same drive, the counters. 0; -ENODEV: dead; -EXDEV: another drive. */
int nvp_camp_recover(struct nvp_camp *c);

/* supply.c: off now, and on; off and gone and on and ready */
int nvp_camp_power(struct nvp_camp *c, enum nvp_power_action action);
/* The relay's reason becomes the campaign's. Returns its negative errno. */
int nvp_camp_relay_failed(struct nvp_camp *c);
int nvp_camp_power_cycle(struct nvp_camp *c);
/*
 * The cuts of the plan while it comes up, then power on and ready, whatever that takes. -ENODEV:
 * dead, and said so. *sure_losses: that have to be counted; *on_ns: when the supply came back.
 */
int nvp_camp_revive(struct nvp_camp *c, unsigned *sure_losses, uint64_t *on_ns);
bool nvp_camp_gone(struct nvp_camp *c);

/* survey.c: what the drive can, and where the window lies; memory for it */
int nvp_camp_look_at_drive(struct nvp_camp *c);
void nvp_camp_place_window(struct nvp_camp *c);
enum nvp_oracle_rules nvp_camp_rules(const char *word);
enum nvp_oracle_policy nvp_camp_policy(const struct nvp_campaign_options *options);

/* past.c: what failed is handed on, with what the cycles before did */
void nvp_camp_hand_over(struct nvp_camp *c);
void nvp_camp_past_keep(struct nvp_camp *c);
void nvp_camp_past_forget(struct nvp_camp *c);

/* classify.c: what a block that was read is taken for */
void nvp_camp_classify(const struct nvp_camp *c, const struct nvp_camp_read *read, uint32_t block,
		       struct nvp_oracle_seen *seen);

/* verify.c: read, judge, settle */
int nvp_camp_verify(struct nvp_camp *c, bool everything);
/* Read the whole window, whatever it holds. */
int nvp_camp_learn(struct nvp_camp *c);
int nvp_camp_canaries_learn(struct nvp_camp *c);
/* After the window was moved from old_first_lba. */
int nvp_camp_canaries_left(struct nvp_camp *c, uint64_t old_first_lba);
/* Compare them; those that are not as they were are findings. 0 or a negative errno. */
int nvp_camp_canaries_check(struct nvp_camp *c);

/* read.c: many blocks of one namespace, as fast as it goes */
struct nvp_camp_read {
	uint64_t lba; /* ascending over the array */
	uint64_t version; /* out: FOREIGN when data and metadata do not belong together */
	uint64_t data; /* out: the version that the data alone are */
	enum nvp_oracle_form form; /* out */
	uint8_t sct, sc; /* out: of a read that failed */
	bool meta_bad; /* out: the metadata is not of these data */
	enum nvp_stamp_meta_state meta; /* out: why */
	struct nvp_stamp_found found; /* out: of data */
};
int nvp_camp_read(struct nvp_camp *c, uint32_t nsid, struct nvp_camp_read *reads, uint32_t nr);

/* say.c: findings and notes */
void nvp_camp_say(struct nvp_camp *c, const struct nvp_finding *finding, uint32_t nsid,
		  uint64_t lba, uint32_t count, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
void nvp_camp_note(struct nvp_camp *c, bool warning, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The door's reason into *err. Returns rc. */
int nvp_camp_door(struct nvp_camp *c, int rc, const char *what);

static inline uint64_t nvp_camp_now(const struct nvp_camp *c)
{
	return nvp_clock_now_ns(c->clock);
}

#endif
