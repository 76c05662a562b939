/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports: made from event lines and nothing else. */
#ifndef NVP_REPORT_REPORT_H
#define NVP_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <nvproof/err.h>

/* Totals of one or several runs; verdict counts are of cases. */
struct nvp_totals {
	unsigned pass, fail, skip, broken, warned, waived, not_run;
	unsigned flaky;		/* cases that passed in some rounds of --repeat and not in others */
	bool ended;		/* every run had its run.end */
	int exit_code;		/* of the run, by DESIGN section 2 (3 when run.end is missing) */
};

/* One run directory as it grows: feed it the lines of events.jsonl in order. */
struct nvp_report;
struct nvp_report *nvp_report_new(void);
void nvp_report_free(struct nvp_report *report);
/* 0, or -EBADMSG (not an event: the line is skipped and counted) or -ENOMEM. */
int nvp_report_feed(struct nvp_report *report, const char *line);

/*
 * Read DIR/events.jsonl. A torn or bad line: 0, all that came before is in the report, and *err
 * says at which line. -ENOENT and the like when there is no such file.
 */
int nvp_report_read(struct nvp_report *report, const char *dir, struct nvp_err *err);

void nvp_report_totals(const struct nvp_report *report, struct nvp_totals *totals);
/* sum begins as { .ended = true }; the exit code is the stronger of the two. */
void nvp_totals_add(struct nvp_totals *sum, const struct nvp_totals *one);
/* By the precedence of DESIGN section 2: 4, 2, 130 and 143, 1, 3, 0. */
int nvp_worse_exit_code(int a, int b);

/* Write DIR/run.json and DIR/junit.xml (to a temporary name, then renamed). */
int nvp_report_write(const struct nvp_report *report, const char *dir, struct nvp_err *err);
/* Several runs, ascending by serial number: the order in which totals are written. */
void nvp_reports_sort(const struct nvp_report **reports, unsigned nr);
/* The document of run.json to a stream: schema "nvproof.run/1", of several "nvproof.runs/1". */
int nvp_report_json(const struct nvp_report *report, FILE *out);
int nvp_reports_json(const struct nvp_report *const *reports, unsigned nr, FILE *out);
/* Totals of several runs above their folders: DIR/run.json and DIR/junit.xml. */
int nvp_report_write_totals(const struct nvp_report *const *reports, unsigned nr, const char *dir,
			    struct nvp_err *err);
/* A JUnit file of one or several runs at any place. */
int nvp_report_write_junit(const struct nvp_report *const *reports, unsigned nr, const char *path,
			   struct nvp_err *err);

/* How the console shows a run: verdict lines as they come, then a summary. */
struct nvp_console;
struct nvp_console_options {
	FILE *result;		/* verdict lines and summary; NULL: none (--json) */
	FILE *live;		/* the live line; NULL: none (no terminal, --quiet) */
	FILE *warnings;		/* warnings of the run that belong to no case; NULL: none */
	bool colour;
	bool quiet;		/* summary only */
	bool tap;		/* TAP version 13 instead of verdict lines and summary */
	bool show_drive;	/* several drives: lines begin with the serial */
	bool verbose;		/* also the checks of passing cases */
};
struct nvp_console *nvp_console_new(const struct nvp_console_options *options);
void nvp_console_free(struct nvp_console *console);
/* -EPIPE, -ENOSPC and the like when the result stream cannot be written: said once. */
int nvp_console_feed(struct nvp_console *console, unsigned drive, const char *line);
/* Feed DIR/events.jsonl as far as it is good. 0, an error of the result stream, or of reading. */
int nvp_console_replay(struct nvp_console *console, unsigned drive, const char *dir);
/* Summary of everything fed; dir is printed as the place of the results. */
int nvp_console_end(struct nvp_console *console, const char *dir);

#endif
