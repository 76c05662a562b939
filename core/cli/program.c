// SPDX-License-Identifier: GPL-2.0-or-later
// From the command line to a command, and from its end to an exit code.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/parse.h"
#include "core/cli/command.h"
#include "core/report/report.h"
#include "core/run/version.h"

/* ---- errors ---- */

/* Was a JSON document asked for, even when the rest of the command line could not be read? */
static bool wants_json(const struct nvp_program *p)
{
	for (int i = 1; i < p->argc; i++)
		if (!strcmp(p->argv[i], "--json"))
			return true;
	return p->options.json;
}

static void put_error(struct nvp_program *p, int exit_code)
{
	struct nvp_text json = { 0 };
	char line[800];

	nvp_err_text(&p->err, line, sizeof(line));
	fprintf(stderr, "nvproof: %s\n", line);
	if (p->printed || !wants_json(p))
		return;
	nvp_json_begin(&json, NULL, '{');
	nvp_json_string(&json, "schema", "nvproof.error/1");
	nvp_json_string(&json, "error", line);
	nvp_json_u64(&json, "exit_code", (uint64_t)exit_code);
	nvp_json_end(&json, '}');
	nvp_put_json(p, &json);
	nvp_text_free(&json);
}

/*
 * A closed stream would give its number to the next file that is opened, and verdicts would be
 * written into it. -EBADF when standard output is closed.
 */
static int guard_streams(void)
{
	bool closed[3];

	for (int fd = 0; fd < 3; fd++)
		closed[fd] = fcntl(fd, F_GETFD) < 0;
	for (int fd = 0; fd < 3; fd++) {
		if (closed[fd] && open("/dev/null", fd ? O_WRONLY : O_RDONLY) != fd)
			return -EBADF;
	}
	/* A reader that goes away is an error of write, not the end of a run that has things to undo. */
	signal(SIGPIPE, SIG_IGN);
	return closed[1] ? -EBADF : 0;
}

/* ---- commands ---- */

static const char *command_name(const void *list, size_t i)
{
	return ((const struct nvp_command *)list)[i].name;
}

const struct nvp_command *nvp_command_find(const char *name)
{
	for (const struct nvp_command *c = nvp_command_table; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

const char *nvp_command_nearest(const char *name)
{
	size_t nr = 0;

	while (nvp_command_table[nr].name)
		nr++;
	return nvp_nearest(name, command_name, nvp_command_table, nr);
}

static int unknown_command(struct nvp_program *p, const char *name)
{
	const char *near = nvp_command_nearest(name);

	nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "unknown command '%.80s'", name);
	if (near)
		nvp_err_advice(&p->err, "did you mean '%s'?", near);
	else
		nvp_err_advice(&p->err, "'nvproof help' lists them");
	return 2;
}

static int check_operands(struct nvp_program *p, const struct nvp_command *c)
{
	if (p->nr_operands < c->least)
		return nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "usage: nvproof %s %s", c->name,
				   c->operands);
	if (p->nr_operands > c->most) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "'%.80s' is one word too many",
			    p->operand[c->most]);
		nvp_err_advice(&p->err, "usage: nvproof %s%s%s", c->name, c->operands[0] ? " " : "",
			       c->operands);
		return -EINVAL;
	}
	return 0;
}

static int run_command(struct nvp_program *p)
{
	const struct nvp_options *o = &p->options;
	const char *name = o->words.nr ? o->words.word[0] : NULL;
	const struct nvp_command *c;

	if (o->version) {
		struct nvp_text text = { 0 };
		int rc;

		nvp_text_addf(&text, "nvproof %s\n", nvp_tool_version());
		rc = nvp_put_result(p, &text);
		nvp_text_free(&text);
		return rc;
	}
	if (!name && !o->help) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "no command");
		nvp_err_advice(&p->err, "'nvproof help' lists them, 'nvproof run sim:' is a start");
		return 2;
	}
	c = nvp_command_find(name ? name : "help");
	if (!c)
		return unknown_command(p, name);
	p->operand = o->words.word + (name ? 1 : 0);
	p->nr_operands = o->words.nr - (name ? 1 : 0);
	if (o->help) {		/* `run --help` is `help run` */
		p->operand = o->words.word;
		p->nr_operands = name && strcmp(name, "help") ? 1 : 0;
		return nvp_cmd_help(p);
	}
	if (nvp_options_complete(&p->options, c->bit, c->name, environ, &p->err) ||
	    check_operands(p, c) || nvp_plugins_load(p))
		return nvp_err_exit_code(p->err.kind);
	return c->run(p);
}

int nvp_cli_main(int argc, char *const *argv, const struct nvp_suite *const *suites)
{
	struct nvp_program program = { .argc = argc, .argv = argv, .suites = suites };
	int code;

	if (guard_streams()) {
		fputs("nvproof: standard output is closed\n", stderr);
		return 3;
	}
	if (nvp_options_parse(&program.options, argc, argv, &program.err))
		code = nvp_err_exit_code(program.err.kind);
	else
		code = run_command(&program);
	if (program.err.code) {
		code = nvp_worse_exit_code(code, nvp_err_exit_code(program.err.kind));
		put_error(&program, code);
	}
	nvp_options_free(&program.options);
	return code;
}
