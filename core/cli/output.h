/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands that print runs have in common. */
#ifndef NVP_CLI_OUTPUT_H
#define NVP_CLI_OUTPUT_H

#include "core/cli/command.h"
#include "core/report/report.h"

/* Console on standard output by the options; the live line only on a terminal, colour too. */
struct nvp_console_options nvp_console_defaults(const struct nvp_program *program, size_t nr_drives);

/* One JSON document of these runs on standard output. 0 or 3. */
int nvp_put_reports(struct nvp_program *program, const struct nvp_report *const *reports,
		    unsigned nr);

/* Record why and return 3; rc is a negative errno. */
int nvp_output_failed(struct nvp_program *program, int rc);
int nvp_out_of_memory(struct nvp_program *program);

/* "nvproof: warning: ..." on standard error. */
void nvp_put_warning(const struct nvp_err *err);

#endif
