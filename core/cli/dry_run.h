/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `run --dry-run`: the plan and what it would do to each drive, without a look at any drive. */
#ifndef NVP_CLI_DRY_RUN_H
#define NVP_CLI_DRY_RUN_H

#include "core/cli/command.h"
#include "core/run/run.h"

/* Print the plan of the request, as text or with --json as a document. The exit code. */
int nvp_dry_run(struct nvp_program *program, const struct nvp_registry *registry,
		const struct nvp_run_request *request);

#endif
