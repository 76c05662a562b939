// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof run`: a request from the options, and a sink that prints and writes reports.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/cli/dry_run.h"
#include "core/cli/earlier.h"
#include "core/cli/output.h"
#include "core/cli/run_with.h"

/* What the sink keeps while the runner runs. */
struct sink {
	struct nvp_program *program;
	struct nvp_console *console;
	struct nvp_report **reports;	/* by place of the drive; NULL until it is done */
	unsigned nr_drives;
	char *top;			/* where the results are */
	int output;			/* first error of standard output */
	struct nvp_err files;		/* first error of a report file */
};

static void take_event(void *context, unsigned drive, const char *dir, const char *line)
{
	struct sink *s = context;
	int rc;

	(void)dir;
	rc = nvp_console_feed(s->console, drive, line);
	if (rc && !s->output)
		s->output = rc;
}

/* From the file, not from what was heard: what a report says later is what it says now. */
static int drive_done(void *context, unsigned drive, const char *dir)
{
	struct sink *s = context;
	struct nvp_report *report;
	int rc;

	if (drive >= s->nr_drives || s->reports[drive])
		return -EINVAL;
	report = nvp_report_new();
	if (!report)
		return nvp_err_set(&s->files, NVP_ERR_BROKEN, -ENOMEM, "report %s: out of memory",
				   dir);
	s->reports[drive] = report;
	rc = nvp_report_read(report, dir, &s->files);
	if (!rc)
		rc = nvp_report_write(report, dir, &s->files);
	return rc;
}

/* The reports without holes (a drive that never ran has none), in their order. */
static unsigned reports_of(const struct sink *s, const struct nvp_report **list)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < s->nr_drives; i++)
		if (s->reports[i])
			list[nr++] = s->reports[i];
	nvp_reports_sort(list, nr);
	return nr;
}

static int all_done(void *context, const char *top)
{
	struct sink *s = context;
	const struct nvp_report **list = calloc(s->nr_drives, sizeof(*list));
	unsigned nr;
	int rc = 0;

	free(s->top);
	s->top = top ? strdup(top) : NULL;
	if (!list)
		return -ENOMEM;
	nr = reports_of(s, list);
	if (s->nr_drives > 1 && nr && top)
		rc = nvp_report_write_totals(list, nr, top, &s->files);
	free(list);
	return rc;
}

static enum nvp_trace_mode trace_mode(const char *word)
{
	if (!strcmp(word, "all"))
		return NVP_TRACE_ALL;
	return strcmp(word, "none") ? NVP_TRACE_FAIL : NVP_TRACE_NONE;
}

int nvp_run_request_of(struct nvp_program *p, struct nvp_run_request *request)
{
	const struct nvp_options *o = &p->options;

	*request = (struct nvp_run_request){
		.addresses = p->operand,
		.nr_drives = p->nr_operands,
		.globs = o->cases.word,
		.nr_globs = o->cases.nr,
		.serials = o->serials.word,
		.nr_serials = o->serials.nr,
		.force = o->force,
		.shuffle = o->shuffle,
		.stop_on_fail = o->stop_on_fail,
		.seed = o->seed,
		.timeout_scale = (unsigned)o->timeout_scale,
		.wear_limit_percent = (unsigned)o->wear_limit,
		.trace = trace_mode(o->trace),
		.policy = o->policy && strcmp(o->policy, "spec") ? o->policy : NULL,
		.waive_files = o->waive_files.word,
		.nr_waive_files = o->waive_files.nr,
		.out_dir = o->output,
		.argc = p->argc,
		.argv = p->argv,
		.repeat = (unsigned)o->repeat,
		.max_wall_ns = o->max_wall_ns,
		.on_fail = o->on_fail,
		.rules = o->case_rules,
		.nr_rules = o->nr_case_rules,
		.golden = o->golden,
		.spec_version = nvp_spec_version(o->spec),
	};
	for (size_t i = 0; i < o->allow.nr; i++) {
		uint32_t more = 0;

		if (nvp_impact_parse(o->allow.word[i], &more, &p->err))
			return -EINVAL;
		request->allow |= more;
	}
	if (o->json && o->tap)
		return nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL,
				   "--json and --tap exclude each other");
	return 0;
}

/* Summary or document, and the JUnit file that was asked for. The exit code of all that. */
static int finish(struct nvp_program *p, struct sink *s)
{
	const struct nvp_report **list = calloc(s->nr_drives, sizeof(*list));
	unsigned nr;
	int code = 0;

	if (!list)
		return nvp_out_of_memory(p);
	nr = reports_of(s, list);
	if (nr && p->options.junit)
		nvp_report_write_junit(list, nr, p->options.junit, &s->files);
	if (nr && !s->output)
		s->output = nvp_console_end(s->console, s->top);
	if (nr && p->options.json)
		code = nvp_put_reports(p, list, nr);
	if (s->output)
		code = nvp_output_failed(p, s->output);
	p->printed |= nr > 0;
	free(list);
	if (s->files.code) {
		s->files.kind = NVP_ERR_BROKEN;	/* whatever is missing, it is no word of the user's */
		if (!p->err.code)
			p->err = s->files;
		else
			nvp_put_warning(&s->files);
		code = nvp_worse_exit_code(code, 3);
	}
	return code;
}

int nvp_run_with(struct nvp_program *p, const struct nvp_registry *registry,
		 const struct nvp_run_request *request)
{
	struct sink sink = { .program = p, .nr_drives = (unsigned)request->nr_drives };
	const struct nvp_run_sink calls = {
		.context = &sink, .event = take_event, .drive_done = drive_done,
		.all_done = all_done,
	};
	struct nvp_console_options options = nvp_console_defaults(p, request->nr_drives);
	int code;

	sink.reports = calloc(sink.nr_drives, sizeof(*sink.reports));
	if (p->options.json)
		options.result = NULL;	/* one document at the end instead */
	sink.console = nvp_console_new(&options);
	if (!sink.reports || !sink.console) {
		code = nvp_out_of_memory(p);
	} else {
		fflush(NULL);	/* nothing that a forked process could print a second time */
		code = nvp_run(registry, request, &calls, &p->err);
		code = nvp_worse_exit_code(code, finish(p, &sink));
	}
	for (unsigned i = 0; sink.reports && i < sink.nr_drives; i++)
		nvp_report_free(sink.reports[i]);
	free(sink.reports);
	nvp_console_free(sink.console);
	free(sink.top);
	return code;
}

/* An earlier run can name the drive; without one the command line has to. */
static int check_drives(struct nvp_program *p, const struct nvp_run_request *request)
{
	if (request->nr_drives)
		return 0;
	return nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "usage: nvproof run DRIVE...");
}

int nvp_cmd_run(struct nvp_program *p)
{
	struct nvp_registry *registry;
	struct nvp_run_request request;
	struct nvp_earlier earlier = { 0 };
	int code;

	if (nvp_run_request_of(p, &request))
		return nvp_err_exit_code(p->err.kind);
	if (nvp_earlier_read(&earlier, p, &request) || check_drives(p, &request)) {
		nvp_earlier_free(&earlier);
		return nvp_err_exit_code(p->err.kind);
	}
	registry = nvp_registry_new(p->suites, &p->err);
	if (!registry) {
		nvp_earlier_free(&earlier);
		return nvp_err_exit_code(p->err.kind);
	}
	code = p->options.dry_run ? nvp_dry_run(p, registry, &request) :
				    nvp_run_with(p, registry, &request);
	nvp_registry_free(registry);
	nvp_earlier_free(&earlier);
	return code;
}
