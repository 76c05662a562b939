// SPDX-License-Identifier: GPL-2.0-or-later
// The option table: parsing, precedence of its sources, what is refused, help.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/cli/command.h"
#include "core/cli/options.h"
#include "tests/unit/unit.h"

/* Parse these words (NULL-ended, argv[0] included) and complete them for a command. */
static int parse(struct nvp_options *o, uint32_t command, char *const *environment,
		 struct nvp_err *err, char *const *argv)
{
	int argc = 0, rc;

	while (argv[argc])
		argc++;
	memset(err, 0, sizeof(*err));
	rc = nvp_options_parse(o, argc, argv, err);
	return rc ? rc : nvp_options_complete(o, command, "run", environment, err);
}

#define ARGV(...) ((char *const[]){ "nvproof", __VA_ARGS__, NULL })
#define ENV(...) ((char *const[]){ __VA_ARGS__, NULL })

static void every_form_of_an_option_is_taken(void)
{
	struct nvp_options o;
	struct nvp_err err;

	CU_ASSERT_EQUAL(parse(&o, NVP_OF_RUN, NULL, &err,
			      ARGV("run", "--seed", "7", "-qv", "-c", "a.*", "-cb", "--case=c=d",
				   "sim:", "--timeout-scale=3", "-oDIR", "--shuffle=no",
				   "--policy=strict", "--", "-x")), 0);
	CU_ASSERT_EQUAL(o.seed, 7);
	CU_ASSERT_TRUE(o.quiet && o.verbose && !o.shuffle && !o.json);
	CU_ASSERT_EQUAL_FATAL(o.cases.nr, 3);
	CU_ASSERT_STRING_EQUAL(o.cases.word[0], "a.*");
	CU_ASSERT_STRING_EQUAL(o.cases.word[1], "b");
	CU_ASSERT_STRING_EQUAL(o.cases.word[2], "c=d");
	CU_ASSERT_EQUAL(o.timeout_scale, 3);
	CU_ASSERT_STRING_EQUAL(o.output, "DIR");
	CU_ASSERT_STRING_EQUAL(o.policy, "strict");
	CU_ASSERT_EQUAL_FATAL(o.words.nr, 3);
	CU_ASSERT_STRING_EQUAL(o.words.word[0], "run");
	CU_ASSERT_STRING_EQUAL(o.words.word[1], "sim:");
	CU_ASSERT_STRING_EQUAL(o.words.word[2], "-x");
	nvp_options_free(&o);
}

static void defaults_come_from_the_table(void)
{
	struct nvp_options o;
	struct nvp_err err;

	CU_ASSERT_EQUAL(parse(&o, NVP_OF_RUN, NULL, &err, ARGV("run")), 0);
	CU_ASSERT_EQUAL(o.seed, 1);
	CU_ASSERT_EQUAL(o.timeout_scale, 1);
	CU_ASSERT_STRING_EQUAL(o.trace, "fail");
	CU_ASSERT_PTR_NULL(o.policy);
	CU_ASSERT_EQUAL(o.cases.nr, 0);
	nvp_options_free(&o);
}

static void refused(uint32_t command, char *const *environment, char *const *argv,
		    const char *line)
{
	struct nvp_options o;
	struct nvp_err err;
	char text[600];

	CU_ASSERT_EQUAL(parse(&o, command, environment, &err, argv), -EINVAL);
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	nvp_err_text(&err, text, sizeof(text));
	if (strcmp(text, line)) {
		printf("\n    %s\n    %s\n", text, line);
		CU_FAIL("another line");
	}
	nvp_options_free(&o);
}

static void what_is_wrong_is_named_with_the_nearest_name(void)
{
	refused(NVP_OF_RUN, NULL, ARGV("run", "--sede", "1"),
		"unknown option '--sede'; did you mean '--seed'?");
	refused(NVP_OF_RUN, NULL, ARGV("run", "--zzzzzzzzzz"),
		"unknown option '--zzzzzzzzzz'; 'nvproof help' lists them");
	refused(NVP_OF_RUN, NULL, ARGV("run", "-Z"),
		"unknown option '-Z'; 'nvproof help' lists them");
	refused(NVP_OF_RUN, NULL, ARGV("run", "--seed"), "--seed needs a value: N");
	refused(NVP_OF_RUN, NULL, ARGV("run", "-c"), "-c needs a value: GLOB");
	refused(NVP_OF_RUN, NULL, ARGV("run", "-c", ""), "-c: the value is empty");
	refused(NVP_OF_RUN, NULL, ARGV("run", "--seed", "-1"),
		"--seed: expected a number from 0 to 18446744073709551615, seen '-1'");
	refused(NVP_OF_RUN, NULL, ARGV("run", "--seed", "18446744073709551616"),
		"--seed: expected a number from 0 to 18446744073709551615, seen "
		"'18446744073709551616'");
	refused(NVP_OF_RUN, NULL, ARGV("run", "--timeout-scale", "1001"),
		"--timeout-scale: expected a number from 1 to 1000, seen '1001'");
	refused(NVP_OF_RUN, NULL, ARGV("run", "--shuffle=perhaps"),
		"--shuffle: 'perhaps' is neither yes nor no");
	refused(NVP_OF_RUN, NULL, ARGV("run", "--trace", "al"),
		"--trace: 'al' is no trace; did you mean 'all'?");
	refused(NVP_OF_LIST, NULL, ARGV("list", "--shuffle"),
		"'run' takes no option --shuffle; 'nvproof help run' lists them");
}

static void a_stronger_source_wins(void)
{
	char path[] = "/tmp/nvp-config-XXXXXX", variable[64];
	static const char file[] = "seed = 5\ntimeout-scale = 5\n[run]\ncase = a,b\ncase = c\n"
				   "policy = sane\nwaive = w\n[cases]\ncase = other\n";
	int fd = mkstemp(path);
	struct nvp_options o;
	struct nvp_err err;

	CU_ASSERT_FATAL(fd >= 0 && write(fd, file, strlen(file)) == (ssize_t)strlen(file));
	close(fd);
	snprintf(variable, sizeof(variable), "NVPROOF_CONFIG=%s", path);
	CU_ASSERT_EQUAL(parse(&o, NVP_OF_RUN,
			      ENV("NVPROOF_TIMEOUT_SCALE=6", "NVPROOF_SEED=6", "OTHER=1",
				  "NVPROOF_WAIVE=x,y", "NVPROOF_QUIET=", variable),
			      &err, ARGV("run", "--seed=7")), 0);
	CU_ASSERT_EQUAL(o.seed, 7);
	CU_ASSERT_EQUAL(o.timeout_scale, 6);
	CU_ASSERT_STRING_EQUAL(o.policy, "sane");
	CU_ASSERT_EQUAL_FATAL(o.cases.nr, 3);
	CU_ASSERT_STRING_EQUAL(o.cases.word[1], "b");
	CU_ASSERT_STRING_EQUAL(o.cases.word[2], "c");
	CU_ASSERT_EQUAL_FATAL(o.waive_files.nr, 2);	/* the whole list, not more of it */
	CU_ASSERT_STRING_EQUAL(o.waive_files.word[1], "y");
	CU_ASSERT_FALSE(o.quiet);
	nvp_options_free(&o);
	unlink(path);
}

static void permissions_come_from_the_command_line_alone(void)
{
	static const char *const names[] = { "allow", "serial", "force" };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(names); i++)
		CU_ASSERT_TRUE(nvp_option_find(names[i])->command_line_only);
	refused(NVP_OF_RUN, ENV("NVPROOF_ALLOW=data"), ARGV("run"),
		"NVPROOF_ALLOW: --allow is taken from the command line alone");
	refused(NVP_OF_RUN, ENV("NVPROOF_FORCE=1"), ARGV("run"),
		"NVPROOF_FORCE: --force is taken from the command line alone");
	refused(NVP_OF_RUN, ENV("NVPROOF_SEDE=1"), ARGV("run"),
		"environment variable 'NVPROOF_SEDE' is no option; did you mean 'NVPROOF_SEED'?");
	refused(NVP_OF_RUN, ENV("NVPROOF_SEED=x"), ARGV("run"),
		"NVPROOF_SEED: expected a number from 0 to 18446744073709551615, seen 'x'");
}

static void refused_config(const char *file, const char *line)
{
	char name[] = "/tmp/nvp-config-XXXXXX", option[64], text[600];
	int fd = mkstemp(name);
	struct nvp_options o;
	struct nvp_err err;

	CU_ASSERT_FATAL(fd >= 0 && write(fd, file, strlen(file)) == (ssize_t)strlen(file));
	close(fd);
	snprintf(option, sizeof(option), "--config=%s", name);
	CU_ASSERT_EQUAL(parse(&o, NVP_OF_RUN, NULL, &err, ARGV("run", option)), -EINVAL);
	nvp_err_text(&err, text, sizeof(text));
	if (strncmp(text, name, strlen(name)) || strcmp(text + strlen(name), line)) {
		printf("\n    %s\n    %s\n", text, line);
		CU_FAIL("another line");
	}
	nvp_options_free(&o);
	unlink(name);
}

static void a_wrong_file_is_refused_with_its_line(void)
{
	refused_config("seed = 1\nsede = 1\n", ":2: sede is no option; did you mean 'seed'?");
	refused_config("[run]\nseed = 1\nseed = 2\n", ":3: seed is given twice");
	refused_config("seed = x\n", ":1: seed: expected a number from 0 to 18446744073709551615, "
				     "seen 'x'");
	refused_config("[rin]\nseed = 1\n", ":2: section [rin] is no command; did you mean [run]?");
	refused_config("[list]\nseed = 1\n", ":2: seed is no option of list");
	refused_config("serial = X\n", ":1: serial: --serial is taken from the command line alone");
	refused_config("config = X\n", ":1: config: --config is taken from the command line alone");
	refused_config("[run\n", ":1: neither [section], key = value nor a comment");
}

static void every_option_has_its_texts_and_stands_in_order(void)
{
	struct nvp_text help = { 0 };

	nvp_options_help(NVP_OF_ALL, &help);
	for (size_t i = 0; i < nvp_nr_options; i++) {
		const struct nvp_option *o = &nvp_option_table[i];
		char line[80];

		CU_ASSERT_TRUE(!i || strcmp(nvp_option_table[i - 1].name, o->name) < 0);
		CU_ASSERT_TRUE(o->help && o->help[0] && o->commands);
		CU_ASSERT_EQUAL(o->kind == NVP_OPTION_FLAG, o->argument == NULL);
		CU_ASSERT_EQUAL(o->kind == NVP_OPTION_CHOICE, o->choices != NULL);
		CU_ASSERT_PTR_EQUAL(nvp_option_find(o->name), o);
		snprintf(line, sizeof(line), "--%s", o->name);
		CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&help), line));
		for (size_t k = 0; o->letter && k < i; k++)
			CU_ASSERT_NOT_EQUAL(nvp_option_table[k].letter, o->letter);
	}
	nvp_text_free(&help);
}

static void every_command_has_its_texts_and_stands_in_order(void)
{
	uint32_t bits = 0;

	for (const struct nvp_command *c = nvp_command_table; c->name; c++) {
		CU_ASSERT_TRUE(c == nvp_command_table || strcmp(c[-1].name, c->name) < 0);
		CU_ASSERT_TRUE(c->title && c->title[0] && c->run && c->least <= c->most);
		CU_ASSERT_EQUAL(bits & c->bit, 0);
		bits |= c->bit;
	}
	CU_ASSERT_EQUAL(bits, NVP_OF_ALL);
	CU_ASSERT_STRING_EQUAL(nvp_command_nearest("lsit"), "list");
}

extern CU_TestInfo nvp_unit_options[];
CU_TestInfo nvp_unit_options[] = {
	{ "every_form_of_an_option_is_taken", every_form_of_an_option_is_taken },
	{ "defaults_come_from_the_table", defaults_come_from_the_table },
	{ "what_is_wrong_is_named_with_the_nearest_name",
	  what_is_wrong_is_named_with_the_nearest_name },
	{ "a_stronger_source_wins", a_stronger_source_wins },
	{ "permissions_come_from_the_command_line_alone",
	  permissions_come_from_the_command_line_alone },
	{ "a_wrong_file_is_refused_with_its_line", a_wrong_file_is_refused_with_its_line },
	{ "every_option_has_its_texts_and_stands_in_order",
	  every_option_has_its_texts_and_stands_in_order },
	{ "every_command_has_its_texts_and_stands_in_order",
	  every_command_has_its_texts_and_stands_in_order },
	CU_TEST_INFO_NULL
};
