/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the commands that run cases share: the request of the options, and the way to its results. */
#ifndef NVP_CLI_RUN_WITH_H
#define NVP_CLI_RUN_WITH_H

#include "core/cli/command.h"
#include "core/run/run.h"

/* 0, or a negative errno with program->err. Strings are borrowed from the options. */
int nvp_run_request_of(struct nvp_program *program, struct nvp_run_request *request);
/* Run, print, write the reports. The exit code. */
int nvp_run_with(struct nvp_program *program, const struct nvp_registry *registry,
		 const struct nvp_run_request *request);

#endif
