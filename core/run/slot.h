/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The supervisor's view of a run: one slot for each drive, and what all of them share. */
#ifndef NVP_RUN_SLOT_H
#define NVP_RUN_SLOT_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/run/boundary.h"
#include "core/run/log.h"
#include "core/run/plan.h"
#include "core/run/waive.h"
#include "core/run/wire.h"

/* Shared between the supervisor and every worker of one drive; made before the first fork. */
struct nvp_shared {
	_Atomic uint64_t beats;		/* renews the wall budget; only the worker writes it */
	uint32_t end_asked;		/* atomic: a campaign ends with the cycle that runs */
	uint64_t next_undo_id;
	struct nvp_snapshot snapshot;
	uint32_t evidence_of;		/* number of the first round of the last case with evidence */
	/* The case whose verdict is only not told yet because evidence is being taken; 0: none. */
	_Atomic uint32_t decided_number;
	struct nvp_case_result decided;
};

/* Why the supervisor killed a worker. */
enum nvp_fate {
	NVP_FATE_NONE = 0,
	NVP_FATE_HANG,
	NVP_FATE_INTERRUPTED,
	NVP_FATE_ENDS,		/* by itself, but it took its time */
};

struct nvp_counts {
	unsigned verdict[NVP_NR_VERDICTS];	/* waived fails are not among NVP_FAIL */
	unsigned warned, waived;
};

/* What one waiver met on one drive. */
struct nvp_waiver_use {
	bool waived, passed, expired, firmware_changed;
};

struct nvp_run;

struct nvp_slot {
	struct nvp_run *run;
	unsigned position;
	struct nvp_prepared *prepared;
	bool simulated;
	const char *path;		/* "kernel", "pci", "sim": for waivers */
	uint32_t allow;			/* NVP_IMPACT_* bits */
	char in_use[160];		/* empty: not in use */
	char dir[PATH_MAX];
	struct nvp_log log;
	struct nvp_trace *trace;	/* NULL with --trace none */
	int trace_fd;			/* --trace all: trace.bin; -1 */
	uint64_t trace_next, trace_lost;
	struct nvp_shared *shared;

	/* the worker; pid 0: none */
	pid_t pid;
	int fd;				/* of the supervisor; -1: closed */
	int relay_fd;			/* in the worker: its client of the keeper; -1: none */
	enum nvp_fate fate;
	bool goodbye;			/* it ended because there was nothing left to do */
	bool asked_anew;		/* it ended so that the drive is opened again */
	bool recovery;			/* it only replays undos */
	unsigned fruitless;		/* workers in a row that began no case */
	char why[NVP_REASON_BYTES];	/* why no more workers are started; empty: none of it */
	uint64_t last_beats, quiet_ns, budget_ns;
	uint64_t dying_ns;		/* since it was killed and did not end */

	/* the case that runs, and where the next worker goes on */
	size_t next;			/* index of the first case that was not begun */
	bool in_case;
	uint32_t number;
	uint64_t begin_t_ns, last_t_ns, begin_wall_ns;
	uint32_t checks, checks_failed, warnings;
	uint32_t rounds_passed, rounds_wrong;	/* of the case, in the rounds so far */
	int klog_fd;			/* the kernel's log, or a negative errno */
	uint32_t klog_of;		/* first round of the last case whose kernel lines were told */
	uint32_t on_fail_of;		/* first round of the last case that --on-fail was called for */

	/* what the drive said of itself */
	bool told;
	char model[41], firmware[9];

	struct nvp_undo *undos;		/* open ones, in order */
	size_t nr_undos, room_undos;
	struct nvp_counts counts;
	struct nvp_waiver_use *waiver_use;	/* one for each waiver */
	bool stop, done, refused;
	int exit_code;
};

struct nvp_run {
	const struct nvp_run_request *request;
	const struct nvp_run_sink *sink;
	struct nvp_plan plan;
	struct nvp_waivers waivers;
	struct nvp_golden *golden;	/* NULL: none was given */
	struct nvp_keeper *keeper;	/* of the relay; NULL: none, or the simulated one */
	struct nvp_slot *slots;
	size_t nr_slots;
	char today[16];
	char top[PATH_MAX];
	uint64_t begin_wall_ns;
	int signal_fd;
	struct nvp_received *received;	/* the message that is looked at */
	bool time_is_up;		/* cases were left out because of max_wall_ns */
	int signal;			/* the first SIGINT, SIGTERM or SIGHUP, or 0 */
	bool abandon;			/* a second one: no recovery either */
	struct nvp_err *err;
};

/* CLOCK_MONOTONIC: for wall budgets and wall_ms only. */
uint64_t nvp_wall_ns(void);

/* Add an event and hand it to the sink; nothing once the file could not be written. */
void nvp_slot_event(struct nvp_slot *slot, enum nvp_event_type type, uint64_t t_ns,
		    const char *members);
/* A note that people get at once, whatever else is printed: the answer to a signal. */
void nvp_slot_tell(struct nvp_slot *slot, const char *text);
void nvp_slot_note(struct nvp_slot *slot, const char *level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* receive.c: one message of the worker. */
void nvp_slot_receive(struct nvp_slot *slot, const struct nvp_received *received);
/* The case that ran has this result: trace, waiver, case.end, counts. */
void nvp_slot_case_end(struct nvp_slot *slot, struct nvp_case_result *result, uint64_t t_ns);

/* on_fail.c: call the program of the request, and wait for it; a failure of it is a warning. */
void nvp_on_fail(struct nvp_slot *slot, const char *id);

/* trace_out.c */
int nvp_trace_out_open(struct nvp_slot *slot, struct nvp_err *err);
void nvp_trace_out_follow(struct nvp_slot *slot);
void nvp_trace_out_close(struct nvp_slot *slot);
/* The last records of a case as `trace` events. */
void nvp_trace_out_tell(struct nvp_slot *slot, uint32_t number);

/* describe.c: members of events; the caller frees the text. */
void nvp_describe_run(struct nvp_text *members, const struct nvp_run *run);
void nvp_describe_drive(struct nvp_text *members, const struct nvp_slot *slot,
			struct nvp_drive *drive);
void nvp_describe_case(struct nvp_text *members, const struct nvp_plan_item *item,
		       uint32_t number);

/* safety.c: what may be done to this drive; -EPERM with *err (refused, exit 4) or 0. */
struct nvp_safety {	/* a real drive; all borrowed */
	const char *address, *serial;
	int in_use;		/* as nvp_prepared_in_use says */
	const char *in_use_text;
};
int nvp_safety_judge(const struct nvp_safety *drive, const struct nvp_run_request *request,
		     struct nvp_err *err);
int nvp_safety_check(struct nvp_slot *slot, const struct nvp_run_request *request,
		     struct nvp_err *err);

/* Percentage Used is at or above the limit, or cannot be read: why, and what to do. */
bool nvp_safety_worn(struct nvp_drive *drive, unsigned limit_percent, char *why, size_t bytes);

/* out_dir.c: make the run directory and one below it for each of several drives. */
int nvp_out_dirs(struct nvp_run *run, struct nvp_err *err);

/* supervise.c: run until every slot is done. */
void nvp_supervise(struct nvp_run *run);
/* Heed a SIGINT, SIGTERM or SIGHUP that has come, if one has: workers are ended. */
void nvp_take_signal(struct nvp_run *run);

/* finish.c */
void nvp_slot_finish(struct nvp_slot *slot);
/* The first of two exit codes in the precedence of DESIGN section 2. */
int nvp_worse_exit(int a, int b);

/* worker.c: what a forked worker does; fd is its end of the socket. Never returns. */
_Noreturn void nvp_worker_main(struct nvp_slot *slot, int fd);

#endif
