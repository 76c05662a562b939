// SPDX-License-Identifier: GPL-2.0-or-later
// The console while a run goes on: verdict lines as they come, one live line, a summary.

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "core/report/console.h"

#define DRIVES_MOST 1024

struct nvp_console {
	struct nvp_console_options o;
	struct nvp_report **reports;	/* by place of the drive; NULL where nothing came yet */
	unsigned nr_reports;
	uint64_t nr_printed;		/* TAP numbers */
	bool live_shown;
	bool said;			/* that the result stream is broken */
	bool tap_begun;
};

struct nvp_console *nvp_console_new(const struct nvp_console_options *options)
{
	struct nvp_console *console = calloc(1, sizeof(*console));

	if (console)
		console->o = *options;
	return console;
}

void nvp_console_free(struct nvp_console *console)
{
	if (!console)
		return;
	for (unsigned i = 0; i < console->nr_reports; i++)
		nvp_report_free(console->reports[i]);
	free(console->reports);
	free(console);
}

static struct nvp_report *report_of(struct nvp_console *c, unsigned drive)
{
	struct nvp_report **grown;

	if (drive >= DRIVES_MOST)
		return NULL;
	if (drive >= c->nr_reports) {
		grown = reallocarray(c->reports, drive + 1, sizeof(*grown));
		if (!grown)
			return NULL;
		while (c->nr_reports <= drive)
			grown[c->nr_reports++] = NULL;
		c->reports = grown;
	}
	if (!c->reports[drive]) {
		c->reports[drive] = nvp_report_new();
		if (c->reports[drive])
			c->reports[drive]->keep_all = c->o.verbose;
	}
	return c->reports[drive];
}

/* ---- the live line ---- */

static void clear_live(struct nvp_console *c)
{
	if (!c->live_shown)
		return;
	fputs("\r\033[K", c->o.live);
	fflush(c->o.live);
	c->live_shown = false;
}

static unsigned columns(FILE *terminal)
{
	struct winsize size;

	if (ioctl(fileno(terminal), TIOCGWINSZ, &size) || !size.ws_col)
		return 80;
	return size.ws_col;
}

static void show_live(struct nvp_console *c, const struct nvp_report *r)
{
	const struct nvp_case_result *running = &r->cases[r->nr_results - 1];
	struct nvp_totals sum = { .ended = true }, one;
	char line[256];
	int width = (int)columns(c->o.live) - 1;

	for (unsigned i = 0; i < c->nr_reports; i++) {
		if (!c->reports[i])
			continue;
		nvp_report_totals(c->reports[i], &one);
		nvp_totals_add(&sum, &one);
	}
	/* The case that runs counts as broken until its end is known. */
	snprintf(line, sizeof(line), "[%zu/%" PRIu64 "] %u pass, %u fail, %u skip  %.120s",
		 r->nr_results, r->nr_cases, sum.pass, sum.fail, sum.skip,
		 running->id ? running->id : "");
	fputs("\r\033[K", c->o.live);
	if (width < (int)strlen(line) && width > 0)
		line[width] = '\0';
	nvp_put_plain(c->o.live, line);
	fflush(c->o.live);
	c->live_shown = true;
}

/* ---- the result ---- */

/* Flush what was printed; the first failure is returned, all later ones are silent. */
static int checked(struct nvp_console *c)
{
	int code;

	if (!c->o.result)
		return 0;
	errno = 0;
	if (!fflush(c->o.result) && !ferror(c->o.result))
		return 0;
	code = errno ? -errno : -EIO;
	if (c->said)
		return 0;
	c->said = true;
	return code;
}

static const char *drive_name(const struct nvp_console *c, const struct nvp_report *r)
{
	if (!c->o.show_drive)
		return NULL;
	return r->drive.serial ? r->drive.serial : "?";
}

static void print_case(struct nvp_console *c, const struct nvp_report *r,
		       const struct nvp_case_result *result)
{
	struct nvp_style style = { .colour = c->o.colour, .verbose = c->o.verbose,
				   .drive = drive_name(c, r) };

	c->nr_printed++;
	if (!c->o.result)
		return;
	if (c->o.tap)
		nvp_print_tap(c->o.result, style.drive, c->nr_printed, result);
	else if (!c->o.quiet)
		nvp_print_case(c->o.result, &style, result);
}

/* What is of no case, and what cannot wait for the end of one. */
static void print_warning(struct nvp_console *c, const struct nvp_event *e)
{
	const char *level = nvp_event_text(e, NULL, "level");
	bool now = nvp_event_bool(e, "now");

	if (!c->o.warnings || (!now && (e->case_id || !nvp_note_warns(level))))
		return;
	clear_live(c);
	fputs("nvproof: ", c->o.warnings);
	if (nvp_note_warns(level)) {
		nvp_put_plain(c->o.warnings, level);
		fputs(": ", c->o.warnings);
	}
	nvp_put_plain(c->o.warnings, nvp_event_text(e, NULL, "text"));
	fputc('\n', c->o.warnings);
}

static int print_event(struct nvp_console *c, struct nvp_report *r, const struct nvp_event *e)
{
	struct nvp_style style = { .colour = c->o.colour, .drive = drive_name(c, r) };

	switch (e->type) {
	case NVP_EVENT_DRIVE:
		if (c->o.quiet || c->o.tap || !c->o.result)
			return 0;
		clear_live(c);
		nvp_print_drive(c->o.result, &style, r);
		return checked(c);
	case NVP_EVENT_CASE_BEGIN:
		if (c->o.live && r->nr_results)
			show_live(c, r);
		return 0;
	case NVP_EVENT_CASE_END:
		clear_live(c);
		if (r->nr_results)
			print_case(c, r, &r->cases[r->nr_results - 1]);
		return checked(c);
	case NVP_EVENT_NOTE:
		print_warning(c, e);
		return 0;
	default:
		return 0;
	}
}

static int feed_bytes(struct nvp_console *c, unsigned drive, const char *line, size_t nr_bytes)
{
	struct nvp_report *r = report_of(c, drive);
	struct nvp_event event;
	int rc;

	if (!r)
		return -ENOMEM;
	if (c->o.tap && c->o.result && !c->tap_begun) {
		fputs("TAP version 13\n", c->o.result);
		c->tap_begun = true;
	}
	rc = nvp_report_take_line(r, line, nr_bytes, &event, NULL);
	if (rc)
		return rc;
	rc = print_event(c, r, &event);
	nvp_event_free(&event);
	return rc;
}

int nvp_console_feed(struct nvp_console *c, unsigned drive, const char *line)
{
	int rc = feed_bytes(c, drive, line, strlen(line));

	return rc == -EBADMSG ? 0 : rc;	/* a report says which line it is */
}

struct replay {
	struct nvp_console *console;
	unsigned drive;
	int rc;			/* of the result stream */
};

static int replay_line(void *context, const char *line, size_t nr_bytes, uint64_t number)
{
	struct replay *replay = context;
	int rc = feed_bytes(replay->console, replay->drive, line, nr_bytes);

	(void)number;
	if (!rc || rc == -EBADMSG || rc == -ENOMEM)
		return rc;
	replay->rc = rc;	/* said once: reading goes on for the summary's sake */
	return 0;
}

int nvp_console_replay(struct nvp_console *console, unsigned drive, const char *dir)
{
	struct replay replay = { .console = console, .drive = drive };
	int rc;

	if (!report_of(console, drive))		/* a run without a single line counts, too */
		return -ENOMEM;
	rc = nvp_event_lines(dir, replay_line, &replay, NULL);
	/* A bad line ends it: nvp_report_read says which. */
	return replay.rc ? replay.rc : rc == -EBADMSG ? 0 : rc;
}

/* A case without its end has not been printed yet. */
static void print_unended(struct nvp_console *c, struct nvp_report *r)
{
	nvp_report_settle(r);
	for (size_t i = 0; i < r->nr_results; i++)
		if (!r->cases[i].ended)
			print_case(c, r, &r->cases[i]);
}

int nvp_console_end(struct nvp_console *c, const char *dir)
{
	uint64_t not_run = 0;
	unsigned nr = 0;

	clear_live(c);
	if (!c->o.result)
		return 0;
	for (unsigned i = 0; i < c->nr_reports; i++) {	/* without holes from here on */
		if (!c->reports[i])
			continue;
		c->reports[nr] = c->reports[i];
		print_unended(c, c->reports[nr]);
		not_run += nvp_report_not_run(c->reports[nr++]);
	}
	c->nr_reports = nr;
	nvp_reports_sort((const struct nvp_report **)c->reports, nr);
	if (c->o.tap) {
		if (!c->tap_begun)
			fputs("TAP version 13\n", c->o.result);
		fprintf(c->o.result, "1..%" PRIu64 "\n", c->nr_printed + not_run);
	} else {
		if (!c->o.quiet)
			fputc('\n', c->o.result);
		nvp_print_summary(c->o.result, (const struct nvp_report *const *)c->reports, nr,
				  c->o.quiet || c->nr_printed > 20, dir);
	}
	return checked(c);
}
