/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Power: relays as a case and the campaign see them. */
#ifndef NVPROOF_POWER_H
#define NVPROOF_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/err.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A relay that switches the supply of one drive, by its address (DESIGN section 2): "sim",
 * "gpiod:CHIP/LINE", "exec:PROGRAM", ... Requests are asynchronous: arm returns at once, the
 * caller goes on submitting and reaping, poll delivers what happened.
 */
struct nvp_relay;
struct nvp_drive;
struct nvp_replay;		/* power/campaign.h */
struct nvp_failed_cycle;	/* power/campaign.h */

enum nvp_power_action { NVP_POWER_OFF = 0, NVP_POWER_ON = 1 };

enum nvp_power_when_kind {
	NVP_POWER_NOW = 0,
	NVP_POWER_AT,		/* at a time of the drive's clock */
	NVP_POWER_ON_COMMAND,	/* when the n-th command of an opcode is exposed */
};

struct nvp_power_when {
	enum nvp_power_when_kind kind;
	uint64_t at_ns;		/* NVP_POWER_AT */
	uint8_t opcode;		/* NVP_POWER_ON_COMMAND: I/O opcode */
	uint64_t nth;		/* NVP_POWER_ON_COMMAND: from 1 */
};

/* How far a request has come; each step is delivered once, in this order. */
enum nvp_power_step {
	NVP_POWER_NOTHING = 0,
	NVP_POWER_COMMANDED,	/* given to the device */
	NVP_POWER_DONE,		/* the device says it has switched */
	NVP_POWER_READ_BACK,	/* the state was read from the device (those that can) */
	NVP_POWER_FAILED,	/* the device did not do it: nvp_relay_err; nothing follows */
};

/* 0 or a negative errno: -EBUSY while another request is under way. */
int nvp_power_arm(struct nvp_relay *relay, enum nvp_power_action action,
		  const struct nvp_power_when *when, struct nvp_err *err);
/* The next step of the request; its time on the drive's clock in *at_ns. Never waits. */
enum nvp_power_step nvp_power_poll(struct nvp_relay *relay, uint64_t *at_ns);

/* What may stand behind "?" in an address: "lcus:/dev/ttyUSB0?channel=2&off-ms=500". */
struct nvp_relay_settings {
	bool active_low;	/* on is the low level, or the released relay */
	uint32_t off_ms;	/* the supply stays off so long at least: 0 to 60000 */
	uint32_t settle_ms;	/* from the device's answer until the contact is at rest: 0 to 10000 */
	uint32_t channel;	/* 1 to 64; 0: not given */
};

/* A kind of relay, one file each in power/. Required: scheme, help, one of the three opens, close, set. */
struct nvp_relay_ops {
	const char *scheme;	/* "sim", "gpiod", ... */
	const char *help;	/* one line: the form of the address */
	void *(*open)(const char *address, struct nvp_err *err);
	void (*close)(void *device);
	int (*set)(void *device, enum nvp_power_action action, struct nvp_err *err);
	/* optional: read the state back; 1 on, 0 off, or a negative errno */
	int (*state)(void *device, struct nvp_err *err);
	/* instead of open: what switches one drive of ours; address: what stands behind "scheme:" */
	void *(*open_for)(const char *address, struct nvp_drive *drive, struct nvp_err *err);
	/* optional: of a supply whose voltage can be set; 0 or a negative errno */
	int (*set_millivolts)(void *device, uint32_t mv, struct nvp_err *err);
	/* optional: what the supply measures at its output, in mV, or a negative errno */
	int (*millivolts)(void *device, struct nvp_err *err);
	/* instead of open: what has to know active_low and channel before it drives anything */
	void *(*open_as)(const char *address, const struct nvp_relay_settings *settings,
			 struct nvp_err *err);
	/*
	 * optional: set only asks, and this tells what came of it, each step once; never waits.
	 * *at_ns: of the drive's clock. FAILED: *err. Without it set is done when it returns.
	 */
	enum nvp_power_step (*poll)(void *device, uint64_t *at_ns, struct nvp_err *err);
};

/*
 * Open by address; drive is what "sim" switches. NULL and *err: NVP_ERR_USAGE for a scheme that
 * does not exist (the text names those that do). Borrowed drive; free with nvp_relay_close.
 */
struct nvp_relay *nvp_relay_open(const char *address, struct nvp_drive *drive,
				 struct nvp_err *err);
void nvp_relay_close(struct nvp_relay *relay);
/* Why the last request failed, or that none did (code 0); borrowed. */
const struct nvp_err *nvp_relay_err(const struct nvp_relay *relay);
/* 1 on, 0 off, or a negative errno with *err: -EOPNOTSUPP, this kind cannot be asked. */
int nvp_relay_state(struct nvp_relay *relay, struct nvp_err *err);
/* Does a relay of this address stay as it was left when nobody has it open? Not a GPIO line. */
bool nvp_relay_keeps(const char *address);
/* Is there such a kind of relay? 0, or -EINVAL with *err as above; nothing is opened. */
int nvp_relay_check(const char *address, struct nvp_err *err);

/*
 * The keeper: a process in a session of its own that holds relays for others, so that power comes
 * back whatever ends them, SIGKILL included. A relay is off while all of its clients want it off;
 * one that closes its socket, or dies, wants nothing any more, and without the supervisor nothing is
 * off. The least time off is kept always. Start it before any process that is to use it.
 */
struct nvp_keeper;
/* NULL and *err when one of the relays cannot be opened; all are on then. */
struct nvp_keeper *nvp_keeper_start(const char *const *addresses, size_t nr, struct nvp_err *err);
/* A descriptor for a client of a relay (from 0), whose address is "keeper:FD"; a negative errno. */
int nvp_keeper_client(struct nvp_keeper *keeper, uint32_t relay);
/* The descriptor that a child of the caller has to close: it would keep the keeper from ending. */
int nvp_keeper_control(const struct nvp_keeper *keeper);
/* Power is on again when it returns 0; -ETIMEDOUT: it tries on, by itself. NULL does nothing. */
int nvp_keeper_stop(struct nvp_keeper *keeper);

/* The campaign tells of each command that it exposed, for NVP_POWER_ON_COMMAND. */
void nvp_relay_exposed(struct nvp_relay *relay, uint8_t opcode);

/* --- a campaign: cycles of work, cut, recovery and proof (DESIGN section 4) ------------------- */

/* What the drive is doing when the power goes. Order and names are fixed: journals hold them. */
enum nvp_phase {
	NVP_PHASE_WRITES = 0,
	NVP_PHASE_FLUSH,
	NVP_PHASE_TRIM,
	NVP_PHASE_ZEROES,
	NVP_PHASE_IDLE,		/* after a burst */
	NVP_PHASE_POWER_ON,	/* cut, power on, cut again: before or just after it is ready */
	NVP_PHASE_SHUTDOWN,	/* after CC.SHN, before and after CSTS.SHST = 10b */
	NVP_PHASE_RESET,	/* a reset is under way */
	NVP_PHASE_FORMAT,
	NVP_PHASE_SANITIZE,
	NVP_PHASE_FIRMWARE,
	NVP_PHASE_NAMESPACE,
	NVP_PHASE_SELF_TEST,
	NVP_NR_PHASES
};
const char *nvp_phase_name(enum nvp_phase phase);	/* "writes" ..; NULL out of range */

enum nvp_workload {
	NVP_WORKLOAD_SEQUENTIAL = 0,
	NVP_WORKLOAD_RANDOM,	/* one size, one place each */
	NVP_WORKLOAD_MIXED,	/* all sizes, some FUA, some flushes */
	NVP_WORKLOAD_QUEUES,	/* mixed, over many queues */
	NVP_WORKLOAD_FUA,	/* FUA alone */
	NVP_WORKLOAD_FLUSH,	/* a flush every few writes */
	NVP_WORKLOAD_TRIM,	/* deallocate beside writes */
	NVP_WORKLOAD_ZEROES,	/* write zeroes beside writes */
	NVP_WORKLOAD_ATOMIC,	/* exactly the atomic unit, and one more */
	NVP_WORKLOAD_BOUNDARY,	/* across the atomic boundary, where there is one */
	NVP_WORKLOAD_COMPARE,	/* fused compare and write: right and wrong ones */
	NVP_WORKLOAD_COPY,
	NVP_WORKLOAD_OVERLAP,	/* overlapping writes in flight, no flush */
	NVP_WORKLOAD_UNCORRECTABLE,	/* write uncorrectable beside writes */
	NVP_WORKLOAD_FUA_READS,	/* reads with FUA: what they read has to stay */
	NVP_WORKLOAD_TOGGLE,	/* the write cache is switched off and on */
	/* beside writes others across the end of the namespace, which are refused; only by name: it
	 * puts the window there */
	NVP_WORKLOAD_REFUSED,
	NVP_NR_WORKLOADS
};
const char *nvp_workload_name(enum nvp_workload workload);

enum nvp_working_set { NVP_SET_HOT = 0, NVP_SET_SPAN, NVP_SET_FULL };

/* Zero-initialised is a valid short campaign over all that the drive can. */
struct nvp_campaign_options {
	uint64_t seed;
	uint32_t cycles;	/* 0: 20 */
	uint32_t phases;	/* bit n: enum nvp_phase; 0: all but those that erase */
	uint32_t workloads;	/* bit n: enum nvp_workload; 0: all that the drive can */
	enum nvp_working_set working_set;
	const char *policy;	/* NULL or "spec", "sane", "strict" */
	const char *rules;	/* NULL: client-vwc; "enterprise-plp", "ocp", "raw-spec" */
	uint32_t nsid;		/* 0: the first active one */
	uint64_t first_lba;	/* of the range that is written; with nr_lbas 0: chosen */
	uint64_t nr_lbas;
	uint32_t ops;		/* operations before the cut, about; 0: 64 */
	uint32_t max_volatile;	/* operations between flushes at most; 0: 1 M */
	uint16_t queues, depth;	/* 0: by the workload */
	uint64_t off_ns;	/* the supply stays off so long; 0: 100 ms */
	uint32_t scrub;		/* the whole range is verified every so many cycles; 0: 100 */
	bool stop_on_fail;
	bool resets;		/* controller resets of all kinds instead of cuts: no relay */
	const char *relay;	/* NULL: sim on a simulated drive, else refused */
	const char *journal;	/* path; "": journal.bin in the run directory; NULL: none */
	bool journal_sync;
	const char *resume;	/* path of a journal to go on from; NULL */
	uint32_t first_cycle;	/* number of the first cycle: 0, unless one cycle is looked at */
	const uint32_t *end_asked;	/* not 0, set atomically by whom else: no cycle begins; NULL */
	struct nvp_campaign_result *shared;	/* the result once more, for another process; NULL */
	const struct nvp_replay *replay;	/* NULL; else its operations and its cut, once */
};

#define NVP_CAMPAIGN_CLASSES 32	/* room for enum nvp_class of power/judge.h */

/* One thing that is not as it should be, or worth saying. */
struct nvp_campaign_finding {
	uint32_t cycle;
	enum nvp_phase phase;
	enum nvp_workload workload;
	uint8_t class_id;	/* enum nvp_class */
	const char *class_name;	/* "LOST_FLUSHED" */
	const char *source;	/* where the rule stands */
	uint8_t severity;	/* 1 information, 2 warning, 3 fail, 4 the cycle says nothing */
	uint8_t said_by;	/* 0 specification, 1 claim, 2 policy */
	uint32_t nsid;
	uint64_t lba;		/* UINT64_MAX: the drive as a whole */
	uint32_t count;		/* blocks of this class in this cycle */
	const char *text;	/* one line */
};

/* A cycle as it went; what the table is made of. Times are the drive's, 0: not measured. */
struct nvp_campaign_cycle {
	uint32_t cycle;
	enum nvp_phase phase;
	enum nvp_workload workload;
	bool confirmed;		/* the cut: all-ones or link down were seen */
	bool clean;		/* a shutdown was complete before it: nothing may be lost */
	bool can_lose;		/* cache on, no protection claimed, unflushed data: loss is possible */
	uint32_t issued, acked, refused, late_acks;
	uint32_t in_flight;	/* at the cut */
	uint32_t volatile_ops;	/* acknowledged and not durable at the cut */
	uint32_t nr_read, nr_undecided;	/* blocks */
	uint32_t classes[NVP_CAMPAIGN_CLASSES];	/* blocks by class */
	uint32_t fails, warnings;
	uint64_t lost_age_ns;	/* of the oldest acknowledged operation that a cache lost; 0: none */
	uint64_t planned_ns, offset_ns;	/* of the cut, from the beginning of the phase */
	uint64_t link_ns;	/* power on to configuration space */
	uint64_t ready_ns;	/* CC.EN = 1 to CSTS.RDY = 1 */
	uint64_t first_read_ns;	/* power on to the first block read */
	bool of_admin;		/* the phase is about an admin command, and it was given */
	bool inside;		/* .. and what it does was not over at the cut */
};

/* Where a campaign tells what happens, as it happens; all borrowed for the call; all optional. */
struct nvp_campaign_out {
	void *context;
	void (*finding)(void *context, const struct nvp_campaign_finding *finding);
	void (*cycle)(void *context, const struct nvp_campaign_cycle *cycle);
	void (*note)(void *context, bool warning, const char *text);
	/* A cycle with a fail, frozen: what ran and what was read (power/campaign.h). */
	void (*failed)(void *context, const struct nvp_failed_cycle *failed);
};

enum nvp_campaign_end {
	NVP_CAMPAIGN_DONE = 0,
	NVP_CAMPAIGN_STOPPED,	/* on the first fail, as asked */
	NVP_CAMPAIGN_DEAD,	/* the drive did not come back */
	NVP_CAMPAIGN_OTHER_DRIVE,	/* another serial came back: refused, exit 4 */
	NVP_CAMPAIGN_RIG,	/* the supply did not go, three times */
	NVP_CAMPAIGN_ERROR,	/* *err */
	NVP_CAMPAIGN_ASKED,	/* somebody asked it to end: the cycles so far count */
};

struct nvp_campaign_result {
	enum nvp_campaign_end end;
	uint32_t cycles, confirmed;	/* that were begun; whose cut was confirmed */
	uint32_t late_acks;
	uint64_t issued, acked, blocks_read;
	uint32_t fails, warnings;	/* findings */
	uint32_t classes[NVP_CAMPAIGN_CLASSES];	/* blocks by class */
	uint32_t could_lose, lost;	/* positive control: cycles where loss was possible; seen */
	uint32_t clean, clean_lost;	/* negative control */
	uint32_t skipped_phases, skipped_workloads;	/* bits: the drive has no such command */
	uint64_t drive_ns;		/* how long it took, drive clock */
	uint32_t admin, admin_inside;	/* cuts after an admin command; before its work was over */
};

/*
 * Run. 0, or a negative errno with *err (usage: bad options; unsupported). The drive comes back at
 * its baseline unless it is dead or the end says otherwise.
 */
int nvp_campaign_run(struct nvp_drive *drive, const struct nvp_campaign_options *options,
		     const struct nvp_campaign_out *out, struct nvp_campaign_result *result,
		     struct nvp_err *err);

/*
 * Can a campaign with these options go on from options->resume, on the drive with this serial number
 * ("": not known yet), on this namespace (NULL: not known yet)? 0, or a negative errno with *err:
 * another drive is a refusal; another seed, other rules, another namespace or range, and a namespace
 * that was formatted otherwise since, are usage errors. Nothing is opened but the journal.
 */
struct nvp_ns;
int nvp_campaign_resume_check(const struct nvp_campaign_options *options, const char *serial,
			      const struct nvp_ns *ns, struct nvp_err *err);

/* The same from a case: findings become checks at the caller's site, cycles become events. */
struct nvp_t;
void nvp_powerloss_at(struct nvp_t *t, const char *file, int line,
		      const struct nvp_campaign_options *options,
		      struct nvp_campaign_result *result);
#define nvp_check_powerloss(t, options, result) \
	nvp_powerloss_at((t), __FILE__, __LINE__, (options), (result))

#ifdef __cplusplus
}
#endif
#endif
