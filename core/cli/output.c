// SPDX-License-Identifier: GPL-2.0-or-later
// Results on standard output, and what is said when they do not get there.

#include "core/cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/report/event.h"

int nvp_output_failed(struct nvp_program *p, int rc)
{
	nvp_err_set(&p->err, NVP_ERR_BROKEN, rc, "write to standard output: %s", strerror(-rc));
	return 3;
}

int nvp_out_of_memory(struct nvp_program *p)
{
	nvp_err_set(&p->err, NVP_ERR_BROKEN, -ENOMEM, "out of memory");
	return 3;
}

void nvp_put_warning(const struct nvp_err *err)
{
	char line[800];

	fprintf(stderr, "nvproof: warning: %s\n", nvp_err_text(err, line, sizeof(line)));
}

int nvp_put_result(struct nvp_program *p, const struct nvp_text *text)
{
	p->printed = true;
	if (text->failed)
		return nvp_output_failed(p, -ENOMEM);
	errno = 0;
	if (fwrite(nvp_text_str(text), 1, text->length, stdout) != text->length || fflush(stdout))
		return nvp_output_failed(p, errno ? -errno : -EIO);
	return 0;
}

int nvp_put_json(struct nvp_program *p, const struct nvp_text *json)
{
	struct nvp_text pretty = { 0 };
	int rc;

	if (json->failed || nvp_json_pretty(nvp_text_str(json), &pretty))
		pretty.failed = true;
	rc = nvp_put_result(p, &pretty);
	nvp_text_free(&pretty);
	return rc;
}

int nvp_put_reports(struct nvp_program *p, const struct nvp_report *const *reports, unsigned nr)
{
	int rc;

	p->printed = true;
	rc = nvp_reports_json(reports, nr, stdout);
	return rc ? nvp_output_failed(p, rc) : 0;
}

static bool has_colour(void)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no && no[0]) && term && strcmp(term, "dumb");
}

static bool has_live_line(const struct nvp_program *p)
{
	const char *term = getenv("TERM");

	return !p->options.quiet && isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
}

struct nvp_console_options nvp_console_defaults(const struct nvp_program *p, size_t nr_drives)
{
	return (struct nvp_console_options){
		.result = stdout,
		.live = has_live_line(p) ? stderr : NULL,
		.warnings = stderr,
		.colour = has_colour(),
		.quiet = p->options.quiet,
		.tap = p->options.tap,
		.verbose = p->options.verbose,
		.show_drive = nr_drives > 1,
	};
}
