// SPDX-License-Identifier: GPL-2.0-or-later
// Fuzzes what reads an event log: any lines make a report, a document and a console without a crash.

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes);

struct readers {
	struct nvp_report *report;
	struct nvp_console *console;
};

static void one_line(const struct readers *to, const char *line)
{
	int rc = nvp_report_feed(to->report, line);

	if (rc && rc != -EBADMSG && rc != -ENOMEM)
		abort();
	nvp_console_feed(to->console, 0, line);
}

static void all_lines(const struct readers *to, char *text)
{
	char *at = text;

	for (char *line; (line = strsep(&at, "\n"));)
		one_line(to, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes)
{
	char *text = malloc(nr_bytes + 1);
	FILE *sink = fopen("/dev/null", "w");
	const struct nvp_console_options options = { .result = sink, .verbose = true };
	struct readers to = { .report = nvp_report_new(), .console = nvp_console_new(&options) };
	struct nvp_totals totals;

	if (!text || !sink || !to.report || !to.console)
		abort();
	memcpy(text, input, nr_bytes);
	text[nr_bytes] = '\0';
	all_lines(&to, text);
	nvp_report_totals(to.report, &totals);
	if (!totals.ended && totals.exit_code == 0)
		abort();
	nvp_report_json(to.report, sink);
	nvp_console_end(to.console, "folder");
	nvp_console_free(to.console);
	nvp_report_free(to.report);
	fclose(sink);
	free(text);
	return 0;
}
