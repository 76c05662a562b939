/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the console: what verdict lines, summaries and TAP look like. */
#ifndef NVP_REPORT_CONSOLE_H
#define NVP_REPORT_CONSOLE_H

#include <stdio.h>

#include "core/report/model.h"

/* How lines are dressed. */
struct nvp_style {
	bool colour;
	bool verbose;		/* passing checks and measures too */
	const char *drive;	/* put before each line; NULL: not */
};

/* Print text with everything that could steer a terminal replaced by '?'; NULL prints nothing. */
void nvp_put_plain(FILE *out, const char *text);

/* "drive   SERIAL, MODEL, ..." */
void nvp_print_drive(FILE *out, const struct nvp_style *style, const struct nvp_report *report);
/* The verdict line, and below it what proves a verdict that is no pass and no skip. */
void nvp_print_case(FILE *out, const struct nvp_style *style, const struct nvp_case_result *c);
/* Counts of several runs, what failed (with names), and where the results are (dir may be NULL). */
void nvp_print_summary(FILE *out, const struct nvp_report *const *reports, size_t nr, bool names,
		       const char *dir);

/* TAP: one test; number from 1. The plan is printed last. */
void nvp_print_tap(FILE *out, const char *drive, uint64_t number,
		   const struct nvp_case_result *c);

#endif
