// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof trace DIR`: commands, completions and register accesses as lines.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/parse.h"
#include "core/cli/output.h"
#include "core/report/model.h"
#include "core/run/plan.h"
#include "core/run/trace_file.h"

#define FLUSH_BYTES (1u << 16)

/* Lines on their way out: a heading where the case changes, or one JSON document. */
struct lines {
	struct nvp_program *program;
	const char *dir;
	struct nvp_text out;
	struct nvp_text last;		/* id of the case that the last line belonged to */
	uint64_t nr;
	bool stopped;			/* standard output failed */
	struct nvp_err bad;		/* first bad line of the events */
};

static bool wanted(const struct lines *l, const char *id)
{
	const struct nvp_words *globs = &l->program->options.cases;

	for (size_t i = 0; i < globs->nr; i++)
		if (nvp_id_match(globs->word[i], id))
			return true;
	return globs->nr == 0;
}

static void add_line(struct lines *l, const char *id, uint64_t tick, const char *text)
{
	if (l->stopped || !wanted(l, id))
		return;
	if (l->program->options.json) {
		nvp_json_begin(&l->out, NULL, '{');
		nvp_json_string(&l->out, "case", id);
		nvp_json_big(&l->out, "tick", tick);
		nvp_json_string(&l->out, "text", text);
		nvp_json_end(&l->out, '}');
	} else {
		if (!l->nr || strcmp(nvp_text_str(&l->last), id)) {
			nvp_text_addf(&l->out, "%s%s\n", l->nr ? "\n" : "", id);
			nvp_text_clear(&l->last);
			nvp_text_add(&l->last, id);
		}
		nvp_text_addf(&l->out, "  %s\n", text);
		if (l->out.length >= FLUSH_BYTES && !l->stopped) {	/* a whole run is long */
			l->stopped = nvp_put_result(l->program, &l->out) != 0;
			nvp_text_clear(&l->out);
		}
	}
	l->nr++;
}

/* ---- from the events: what was kept of failing cases ---- */

static int take_event(void *context, const char *line, size_t nr_bytes, uint64_t number)
{
	struct lines *l = context;
	struct nvp_event e;
	int rc;

	rc = nvp_event_parse(line, nr_bytes, &e, NULL);
	if (rc == -EBADMSG)
		nvp_err_set(&l->bad, NVP_ERR_BROKEN, rc, "%s/events.jsonl line %" PRIu64
			    ": no event", l->dir, number);
	if (rc)
		return rc;
	if (e.type == NVP_EVENT_TRACE) {
		const char *text = nvp_event_text(&e, NULL, "text");

		add_line(l, e.case_id ? e.case_id : "", nvp_event_u64(&e, "tick", 0),
			 text ? text : "");
	}
	nvp_event_free(&e);
	return 0;
}

/* ---- from trace.bin: everything ---- */

static const char *id_of(const struct nvp_report *report, uint32_t number)
{
	for (size_t i = report->nr_results; i > 0; i--)
		if (report->cases[i - 1].number == number)
			return report->cases[i - 1].id;
	return "(no case)";
}

static int check_header(const struct nvp_trace_file_header *header, const char *path,
			struct nvp_err *err)
{
	if (memcmp(header->magic, NVP_TRACE_FILE_MAGIC, sizeof(header->magic)))
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG, "%s is no trace", path);
	if (header->version != NVP_TRACE_FILE_VERSION ||
	    header->record_bytes != sizeof(struct nvp_trace_record))
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG,
				   "%s: version %" PRIu32 " with records of %" PRIu32
				   " bytes is not known here", path, header->version,
				   header->record_bytes);
	return 0;
}

static int read_records(struct lines *l, FILE *file, const char *path,
			const struct nvp_report *report)
{
	struct nvp_trace_file_header header;
	struct nvp_trace_record record;
	char text[NVP_TRACE_TEXT_BYTES];
	size_t nr;

	if (fread(&header, sizeof(header), 1, file) != 1)
		return nvp_err_set(&l->bad, NVP_ERR_BROKEN, -EBADMSG,
				   "%s is shorter than its header", path);
	if (check_header(&header, path, &l->bad))
		return -EBADMSG;
	while ((nr = fread(&record, 1, sizeof(record), file)) == sizeof(record)) {
		if (record.bytes > sizeof(record.payload))
			record.bytes = sizeof(record.payload);
		add_line(l, id_of(report, record.case_number), record.tick,
			 nvp_trace_text(&record, text));
	}
	if (ferror(file) || nr)
		return nvp_err_set(&l->bad, NVP_ERR_BROKEN, -EBADMSG,
				   ferror(file) ? "read %s: error" :
				   "%s: the last record is torn", path);
	return 0;
}

static int read_all(struct lines *l, struct nvp_err *err)
{
	struct nvp_text path = { 0 };
	struct nvp_report *report;
	FILE *file;
	int rc;

	nvp_text_addf(&path, "%s/trace.bin", l->dir);
	file = fopen(nvp_text_str(&path), "re");
	if (file) {
		report = nvp_report_new();
		rc = report ? nvp_report_read(report, l->dir, err) : -ENOMEM;
		if (!rc)
			read_records(l, file, nvp_text_str(&path), report);
		nvp_report_free(report);
		fclose(file);
	} else {
		rc = nvp_event_lines(l->dir, take_event, l, err);
		if (rc == -EBADMSG && !l->bad.code)
			l->bad = *err;
		rc = rc == -EBADMSG ? 0 : rc;
	}
	nvp_text_free(&path);
	return rc;
}

/* ---- the command ---- */

static int print(struct nvp_program *p, struct lines *l)
{
	struct nvp_text json = { 0 };
	int rc;

	if (!p->options.json) {
		if (!l->nr)
			nvp_text_add(&l->out, p->options.cases.nr ?
					      "No trace of these cases was kept.\n" :
					      "No trace was kept: no case failed, or the run had "
					      "--trace none.\n");
		return l->stopped ? 3 : nvp_put_result(p, &l->out);
	}
	nvp_json_begin(&json, NULL, '{');
	nvp_json_string(&json, "schema", "nvproof.trace/1");
	nvp_json_begin(&json, "lines", '[');
	nvp_text_add(&json, nvp_text_str(&l->out));
	nvp_json_end(&json, ']');
	nvp_json_end(&json, '}');
	json.failed |= l->out.failed;
	rc = nvp_put_json(p, &json);
	nvp_text_free(&json);
	return rc;
}

int nvp_cmd_trace(struct nvp_program *p)
{
	struct lines lines = { .program = p, .dir = p->operand[0] };
	struct nvp_err err = { 0 };
	int code;

	if (read_all(&lines, &err)) {
		p->err = err;
		code = nvp_err_exit_code(err.kind);
	} else {
		code = print(p, &lines);
		if (lines.bad.code) {
			nvp_put_warning(&lines.bad);
			code = nvp_worse_exit_code(code, 3);
		}
	}
	nvp_text_free(&lines.out);
	nvp_text_free(&lines.last);
	return code;
}
