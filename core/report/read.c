// SPDX-License-Identifier: GPL-2.0-or-later
// Reading event lines: from the runner as they come, or from a run directory of unknown origin.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/report/model.h"

/* Remember the first bad line in words. */
static int bad_line(struct nvp_report *r, struct nvp_err *err, const char *why)
{
	if (!r->nr_bad_lines++)
		r->problem = nvp_pool_text(&r->pool, why);
	return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG, "%s", why);
}

int nvp_report_take_line(struct nvp_report *r, const char *line, size_t nr_bytes,
			 struct nvp_event *event, struct nvp_err *err)
{
	struct nvp_err why = { 0 };
	char text[160];
	int rc = nvp_event_parse(line, nr_bytes, event, &why);

	if (rc == -EBADMSG)
		return bad_line(r, err, why.what);
	if (!rc && event->seq != r->next_seq) {
		snprintf(text, sizeof(text), "expected seq %" PRIu64 ", seen %" PRIu64
			 ": lines are missing", r->next_seq, event->seq);
		r->next_seq = event->seq + 1;
		nvp_event_free(event);
		return bad_line(r, err, text);
	}
	if (!rc) {
		r->next_seq++;
		rc = nvp_report_take(r, event);
		if (rc)
			nvp_event_free(event);
	}
	return rc ? nvp_err_set(err, NVP_ERR_BROKEN, rc, "out of memory") : 0;
}

static int feed_bytes(struct nvp_report *r, const char *line, size_t nr_bytes,
		      struct nvp_err *err)
{
	struct nvp_event event;
	int rc = nvp_report_take_line(r, line, nr_bytes, &event, err);

	if (!rc)
		nvp_event_free(&event);
	return rc;
}

int nvp_report_feed(struct nvp_report *report, const char *line)
{
	return feed_bytes(report, line, strlen(line), NULL);
}

/*
 * The next line without its newline into text. 1; 0 at the end; -ENODATA when the end comes inside
 * a line (it is torn); -EFBIG when the line is longer than an event can be; or a read error.
 */
static int next_line(FILE *file, struct nvp_text *text)
{
	char part[4096];
	size_t nr = 0;
	int c = EOF;

	nvp_text_clear(text);
	while (text->length + nr <= NVP_EVENT_LINE_BYTES && (c = getc_unlocked(file)) != EOF &&
	       c != '\n') {
		part[nr++] = (char)c;
		if (nr == sizeof(part)) {
			nvp_text_add_n(text, part, nr);
			nr = 0;
		}
	}
	nvp_text_add_n(text, part, nr);
	if (text->failed)
		return -ENOMEM;
	if (text->length > NVP_EVENT_LINE_BYTES)
		return -EFBIG;
	if (c == '\n')
		return 1;
	if (ferror(file))
		return -EIO;
	return text->length ? -ENODATA : 0;
}

int nvp_event_lines(const char *dir, int (*take)(void *context, const char *line, size_t nr_bytes,
						 uint64_t number),
		    void *context, struct nvp_err *err)
{
	struct nvp_text path = { 0 }, line = { 0 };
	uint64_t number = 0;
	struct stat kind;
	FILE *file;
	int rc = 1;

	nvp_text_addf(&path, "%s/events.jsonl", dir);
	if (!stat(nvp_text_str(&path), &kind) && !S_ISREG(kind.st_mode)) {
		rc = nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s is no file",
				 nvp_text_str(&path));
		nvp_text_free(&path);
		return rc;
	}
	file = fopen(nvp_text_str(&path), "re");
	if (!file) {
		bool absent = errno == ENOENT || errno == ENOTDIR;

		rc = nvp_err_set(err, absent ? NVP_ERR_USAGE : NVP_ERR_BROKEN, -errno,
				 "open %s: %s", nvp_text_str(&path), strerror(errno));
		nvp_text_free(&path);
		return rc;
	}
	while (rc > 0) {
		number++;
		rc = next_line(file, &line);
		if (rc == -ENODATA)
			nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG,
				    "%s line %" PRIu64 ": torn, the file ends inside it",
				    nvp_text_str(&path), number);
		else if (rc == -EFBIG)
			nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG,
				    "%s line %" PRIu64 ": longer than 1 MiB", nvp_text_str(&path),
				    number);
		else if (rc < 0)
			nvp_err_set(err, NVP_ERR_BROKEN, rc, "read %s: %s", nvp_text_str(&path),
				    strerror(-rc));
		if (rc > 0)
			rc = take(context, nvp_text_str(&line), line.length, number) ?: 1;
	}
	fclose(file);
	nvp_text_free(&path);
	nvp_text_free(&line);
	return rc == -ENODATA || rc == -EFBIG ? -EBADMSG : rc;
}

struct read_state {
	struct nvp_report *report;
	const char *dir;
	struct nvp_err *err;
};

static int take_line(void *context, const char *line, size_t nr_bytes, uint64_t number)
{
	struct read_state *s = context;
	struct nvp_err why = { 0 };
	int rc = feed_bytes(s->report, line, nr_bytes, &why);

	if (rc)
		nvp_err_set(s->err, NVP_ERR_BROKEN, rc, "%s/events.jsonl line %" PRIu64 ": %s",
			    s->dir, number, why.what);
	return rc;
}

int nvp_report_read(struct nvp_report *report, const char *dir, struct nvp_err *err)
{
	struct nvp_err found = { 0 };
	struct read_state state = { .report = report, .dir = dir, .err = &found };
	int rc = nvp_event_lines(dir, take_line, &state, &found);

	nvp_report_settle(report);
	if (found.code && err && !err->code)
		*err = found;
	if (rc != -EBADMSG)
		return rc;
	/* What was in the words of the line alone now says which line it is. */
	report->problem = nvp_pool_text(&report->pool, found.what);
	report->nr_bad_lines += !report->nr_bad_lines;
	return 0;
}
