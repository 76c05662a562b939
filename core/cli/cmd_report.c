// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof report DIR`: a run again from its events, whole or torn.

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cli/output.h"
#include "core/cli/waiver_skeleton.h"
#include "core/report/event.h"

#define RUNS_MOST 64
#define FOLDER_NAME_MOST 63	/* a longer serial number is cut */

/* The run directories of a report: DIR itself, or the folders of its drives. */
struct runs {
	char *dir[RUNS_MOST];
	struct nvp_report *report[RUNS_MOST];
	unsigned nr;
};

static bool has_events(const char *dir)
{
	struct nvp_text path = { 0 };
	bool yes;

	nvp_text_addf(&path, "%s/events.jsonl", dir);
	yes = access(nvp_text_str(&path), F_OK) == 0;
	nvp_text_free(&path);
	return yes;
}

/* ---- is a folder one of a run of several drives? ---- */

struct first {
	const char *folder;
	bool known, same;
};

/* As the run names it: what is in a serial number and not good in a name became '_'. */
static bool is_named_by(const char *folder, const char *serial)
{
	size_t n = strlen(folder);

	for (size_t i = 0; i < n; i++) {
		if (!serial[i])
			return n == 1 && folder[0] == '_';
		if (folder[i] != serial[i] && folder[i] != '_')
			return false;
	}
	return !serial[n] || n == FOLDER_NAME_MOST;
}

static int take_first(void *context, const char *line, size_t nr_bytes, uint64_t number)
{
	struct first *first = context;
	struct nvp_event e;

	(void)number;
	if (!nvp_event_parse(line, nr_bytes, &e, NULL)) {
		first->known = e.drive != NULL;
		first->same = e.drive && is_named_by(first->folder, e.drive);
		nvp_event_free(&e);
	}
	return -ECANCELED;	/* one line is enough */
}

/*
 * Does TOP/FOLDER belong to the run whose totals stand in TOP? Another run that lies there has
 * the events of a drive that its name is not. Of a torn or empty file nothing is known.
 */
static struct first look_at(const char *path, const char *folder)
{
	struct first first = { .folder = folder };

	nvp_event_lines(path, take_first, &first, NULL);
	return first;
}

/* ---- the runs ---- */

static int add_run(struct runs *runs, const char *dir)
{
	runs->dir[runs->nr] = strdup(dir);
	runs->report[runs->nr] = nvp_report_new();
	if (runs->dir[runs->nr] && runs->report[runs->nr]) {
		runs->nr++;
		return 0;
	}
	free(runs->dir[runs->nr]);
	nvp_report_free(runs->report[runs->nr]);
	return -ENOMEM;
}

/* The folders of the drives of one run; the number of those that are surely that goes to *sure. */
static int add_folders(struct runs *runs, const char *top, struct dirent *const *entries, int nr,
		       unsigned *sure)
{
	struct nvp_text path = { 0 };
	int rc = 0;

	for (int i = 0; !rc && i < nr; i++) {
		const char *name = entries[i]->d_name;
		struct first first;

		nvp_text_clear(&path);
		nvp_text_addf(&path, "%s/%s", top, name);
		if (name[0] == '.' || !has_events(nvp_text_str(&path)))
			continue;
		first = look_at(nvp_text_str(&path), name);
		if (first.known && !first.same)
			continue;
		*sure += first.known;
		rc = runs->nr < RUNS_MOST ? add_run(runs, nvp_text_str(&path)) : -E2BIG;
	}
	nvp_text_free(&path);
	return rc;
}

static int find_runs(struct runs *runs, const char *top, struct nvp_err *err)
{
	struct dirent **entries;
	unsigned sure = 0;
	int nr, rc;

	if (has_events(top))
		return add_run(runs, top) ? nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM,
							"report %s: out of memory", top) : 0;
	nr = scandir(top, &entries, NULL, alphasort);
	if (nr < 0)
		return nvp_err_set(err, NVP_ERR_USAGE, -errno, "read %s: %s", top,
				   strerror(errno));
	rc = add_folders(runs, top, entries, nr, &sure);
	for (int i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
	if (rc == -E2BIG)
		return nvp_err_set(err, NVP_ERR_USAGE, rc, "%s holds more than %d drives", top,
				   RUNS_MOST);
	if (rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "report %s: out of memory", top);
	if (!sure)
		return nvp_err_set(err, NVP_ERR_USAGE, -ENOENT,
				   "%s is no run directory: neither it nor the folder of a drive "
				   "in it has an events.jsonl", top);
	return 0;
}

/* Read everything and write run.json and junit.xml; what is wrong is said and the rest goes on. */
static int read_runs(struct nvp_program *p, struct runs *runs)
{
	int code = 0;

	for (unsigned i = 0; i < runs->nr; i++) {
		struct nvp_err torn = { 0 };
		struct nvp_totals totals;

		if (nvp_report_read(runs->report[i], runs->dir[i], &torn)) {
			p->err = torn;
			return 3;
		}
		if (torn.code) {
			nvp_put_warning(&torn);
			code = nvp_worse_exit_code(code, 3);
		}
		nvp_report_totals(runs->report[i], &totals);
		code = nvp_worse_exit_code(code, totals.exit_code);
		nvp_report_write(runs->report[i], runs->dir[i], &p->err);
	}
	return code;
}

static int print_runs(struct nvp_program *p, const struct runs *runs,
		      const struct nvp_report *const *reports, const char *top)
{
	struct nvp_console_options options = nvp_console_defaults(p, runs->nr);
	struct nvp_console *console;
	int rc = 0;

	if (p->options.json)
		return nvp_put_reports(p, reports, runs->nr);
	options.live = NULL;
	console = nvp_console_new(&options);
	if (!console)
		return nvp_out_of_memory(p);
	p->printed = true;
	for (unsigned i = 0; i < runs->nr; i++) {
		int one = nvp_console_replay(console, i, runs->dir[i]);

		rc = rc ? rc : one;
	}
	if (!rc)
		rc = nvp_console_end(console, top);
	nvp_console_free(console);
	return rc ? nvp_output_failed(p, rc) : 0;
}

int nvp_cmd_report(struct nvp_program *p)
{
	const struct nvp_report *reports[RUNS_MOST];
	const char *top = p->operand[0];
	struct runs runs = { 0 };
	int code;

	if (find_runs(&runs, top, &p->err)) {
		code = nvp_err_exit_code(p->err.kind);
		goto out;
	}
	code = read_runs(p, &runs);
	memcpy(reports, runs.report, sizeof(reports));
	nvp_reports_sort(reports, runs.nr);
	if (runs.nr > 1)
		nvp_report_write_totals(reports, runs.nr, top, &p->err);
	if (p->options.junit)
		nvp_report_write_junit(reports, runs.nr, p->options.junit, &p->err);
	if (p->options.waiver_skeleton)
		code = nvp_waiver_skeleton(p, reports, runs.nr);
	else
		code = nvp_worse_exit_code(code, print_runs(p, &runs, reports, top));
out:
	for (unsigned i = 0; i < runs.nr; i++) {
		free(runs.dir[i]);
		nvp_report_free(runs.report[i]);
	}
	return code;
}
