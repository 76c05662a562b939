/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of commands, and what each of them gets. */
#ifndef NVP_CLI_COMMAND_H
#define NVP_CLI_COMMAND_H

#include <nvproof/case.h>
#include <nvproof/err.h>

#include "core/cli/options.h"

/* All state of the program. */
struct nvp_program {
	int argc;
	char *const *argv;
	const struct nvp_suite *const *suites;	/* NULL-ended */
	struct nvp_options options;
	const char *const *operand;	/* words behind the command */
	size_t nr_operands;
	struct nvp_err err;		/* printed at the end; its kind gives the exit code */
	bool printed;			/* the result is out: with --json no error document follows */
};

struct nvp_command {
	const char *name;
	uint32_t bit;			/* enum nvp_command_bit */
	const char *operands;		/* "DRIVE...", "" */
	unsigned least, most;		/* how many operands; most 0: none */
	const char *title;		/* one line, no full stop */
	const char *text;		/* more for `help COMMAND`; lines ended by \n, or NULL */
	/* The exit code; with program->err set the stronger of that one's and this. */
	int (*run)(struct nvp_program *program);
};

/* Ascending by name, ended by a NULL name. */
extern const struct nvp_command nvp_command_table[];
const struct nvp_command *nvp_command_find(const char *name);
const char *nvp_command_nearest(const char *name);

int nvp_cmd_list(struct nvp_program *program);
int nvp_cmd_info(struct nvp_program *program);
int nvp_cmd_bind(struct nvp_program *program);
int nvp_cmd_unbind(struct nvp_program *program);
int nvp_cmd_bundle(struct nvp_program *program);
int nvp_cmd_cases(struct nvp_program *program);
int nvp_cmd_defects(struct nvp_program *program);
int nvp_cmd_power(struct nvp_program *program);
int nvp_cmd_powerloss(struct nvp_program *program);
int nvp_cmd_run(struct nvp_program *program);
int nvp_cmd_restore(struct nvp_program *program);
int nvp_cmd_report(struct nvp_program *program);
int nvp_cmd_trace(struct nvp_program *program);
int nvp_cmd_doctor(struct nvp_program *program);
int nvp_cmd_new_case(struct nvp_program *program);
int nvp_cmd_help(struct nvp_program *program);

/* Append the suites of --cases to program->suites. 0, or a negative errno with program->err. */
int nvp_plugins_load(struct nvp_program *program);

/* Everything of the program but its list of suites. Returns the exit code. */
int nvp_cli_main(int argc, char *const *argv, const struct nvp_suite *const *suites);

/*
 * Print a result on standard output: text as it is, or a JSON document. 0, or 3 with
 * program->err set when it could not be written.
 */
int nvp_put_result(struct nvp_program *program, const struct nvp_text *text);
/* Indent a JSON document first. */
int nvp_put_json(struct nvp_program *program, const struct nvp_text *json);

#endif
