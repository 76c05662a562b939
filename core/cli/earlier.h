/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `run --resume DIR` and `--failed-from DIR`: what an earlier run leaves to be run. */
#ifndef NVP_CLI_EARLIER_H
#define NVP_CLI_EARLIER_H

#include "core/cli/command.h"
#include "core/report/report.h"
#include "core/run/run.h"

/* Everything that a request borrows from an earlier run; begins as zeros. */
struct nvp_earlier {
	struct nvp_report *report;
	struct nvp_words ids;
	const char *address;
};

/*
 * Read the directory that an option names, if one does, and fill the request: cases, and what the
 * command line does not give of drive, seed, order, policy, spec and rounds. 0, or a negative errno with
 * program->err set.
 */
int nvp_earlier_read(struct nvp_earlier *earlier, struct nvp_program *program,
		     struct nvp_run_request *request);
void nvp_earlier_free(struct nvp_earlier *earlier);

#endif
