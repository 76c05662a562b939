/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report knows of a run: made from its events, read by every form of output. */
#ifndef NVP_REPORT_MODEL_H
#define NVP_REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/report/event.h"
#include "core/report/pool.h"
#include "core/report/report.h"

/* Trace lines that are shown beside a failing case. */
#define NVP_TRACE_LINES_SHOWN 8
/* Lines of the kernel's log there: the last ones. */
#define NVP_KERNEL_LINES_SHOWN 8
/* No plan is longer; a larger number in a file is not believed. */
#define NVP_CASES_MOST 100000

struct nvp_check_line {
	const char *site;		/* "cases/identify.c:120" */
	const char *authority;		/* "spec" "claim" "policy" */
	const char *basis;		/* "NVMe Base 2.0, 5.17.2.1 VER", or whose claim */
	const char *condition;		/* as in the source; may be NULL */
	const char *expected, *seen;
	const char *invariant;		/* its name; NULL: an ordinary check */
	const uint64_t *ticks;		/* trace records that prove it */
	size_t nr_ticks;
	bool ok;
	bool announced;			/* an invariant whose break the case had announced */
};

struct nvp_note_line {
	const char *level, *text;	/* "note", "warning", "finding" */
};
/* Is it more than information: shown beside a pass, too? */
bool nvp_note_warns(const char *level);

/* What a case measured, for people: lines ended by newlines; and as JSON, or NULL. */
struct nvp_table_text {
	const char *name, *text, *json;
};

struct nvp_trace_line {
	uint64_t tick;
	const char *text;
};

struct nvp_case_result {
	const char *id, *title;
	const char *spec;		/* "NVMe Base 2.0, 5.17.2.1 VER" */
	const char *spec_json, *impact_json;
	uint64_t number;		/* place in the plan, as trace records carry it */
	bool ended;			/* had its case.end */
	enum nvp_verdict verdict;	/* NVP_BROKEN until then */
	const char *reason, *site, *waiver;	/* site and waiver NULL: none */
	uint64_t checks, checks_failed, warnings, duration_ns, wall_ms;
	uint64_t round, rounds;		/* of --repeat; rounds 0: it ran once */
	uint64_t rounds_passed;		/* of those up to this one */
	bool interrupted;		/* cut off by a signal: its verdict says nothing of the drive */
	bool flaky;			/* it passed in some of them and not in others */

	/* Failed checks (with keep_all every check), notes, measures as JSON, trace lines chosen. */
	const struct nvp_check_line *check;
	size_t nr_check;
	const struct nvp_note_line *note;
	size_t nr_note;
	const char *const *measure;
	size_t nr_measure;
	const struct nvp_trace_line *trace;
	size_t nr_trace;
	const struct nvp_table_text *table;
	size_t nr_table;
	const char *const *kernel;	/* its log's lines meanwhile; of a real drive only */
	size_t nr_kernel;
};

/* The drive event; all NULL when there was none. */
struct nvp_report_drive {
	const char *serial, *model, *firmware, *address, *nvme_version, *in_use;
	const char *json;		/* members but the common keys and host */
	bool simulated;
};

/* Details of the case that is running: growing arrays, their texts in scratch. */
struct nvp_open_case {
	bool is_open;
	struct nvp_pool scratch;
	struct nvp_check_line *check;
	size_t nr_check, room_check;
	struct nvp_note_line *note;
	size_t nr_note, room_note;
	const char **measure;
	size_t nr_measure, room_measure;
	struct nvp_trace_line *trace;
	size_t nr_trace, room_trace;
	struct nvp_table_text *table;
	size_t nr_table, room_table;
	const char **kernel;
	size_t nr_kernel, room_kernel;
};

struct nvp_report {
	struct nvp_pool pool;
	bool keep_all;			/* set by its maker: passing checks are kept too */

	bool has_begin;
	const char *version, *policy, *spec, *begin_utc, *end_utc, *host_json;
	uint64_t seed, nr_cases, nr_drives;
	bool shuffle;
	const char **plan;		/* ids in their order, each once; older events have none */
	size_t nr_plan, room_plan;
	struct nvp_report_drive drive;

	struct nvp_case_result *cases;	/* in the order of their case.begin */
	size_t nr_results, room_results;
	struct nvp_open_case open;	/* of cases[nr_results - 1] */
	struct nvp_note_line *note;	/* outside of cases */
	size_t nr_note, room_note;

	bool has_end;
	int exit_code;
	const char *end_reason;
	uint64_t not_run, wall_ms;

	uint64_t next_seq;
	uint64_t nr_bad_lines;
	const char *problem;		/* of the first bad line; NULL: none */
};

/*
 * Parse a line, check that none is missing before it, and feed it; *event is the caller's to free
 * when 0 is returned. -EBADMSG (the line is skipped and counted) or -ENOMEM.
 */
int nvp_report_take_line(struct nvp_report *report, const char *line, size_t nr_bytes,
			 struct nvp_event *event, struct nvp_err *err);
/* Feed an event that is parsed already. 0 or -ENOMEM. */
int nvp_report_take(struct nvp_report *report, const struct nvp_event *event);
/* No more events come: a case that is still open keeps what it has. */
void nvp_report_settle(struct nvp_report *report);

/* Is it shown as failed, and does it count: fail without a waiver. */
bool nvp_case_fails(const struct nvp_case_result *result);
/* "pass", "fail", "fail (waived)", ... */
const char *nvp_case_verdict_text(const struct nvp_case_result *result);
/* " 2/3", or "" for a case that runs once; text holds 48 bytes. */
const char *nvp_case_round_text(const struct nvp_case_result *result, char *text);
/* Is it the last round of a flaky case, which speaks for all of them? */
bool nvp_case_ends_flaky(const struct nvp_case_result *result);
/* Cases of the plan that did not begin. */
uint64_t nvp_report_not_run(const struct nvp_report *report);

/* junit.c, run_json.c: the documents. 0 or -ENOMEM. */
int nvp_junit_add(const struct nvp_report *const *reports, size_t nr, struct nvp_text *out);
int nvp_run_json_add(const struct nvp_report *const *reports, size_t nr, struct nvp_text *out);

#endif
