// SPDX-License-Identifier: GPL-2.0-or-later
// The table of options, and what follows from it: parsing, defaults, help.

#include "core/cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/clock.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/parse.h"

static const char *const groupings[] = { "section", "area", "row", NULL };
static const char *const policies[] = { "spec", "sane", "strict", NULL };
static const char *const revisions[] = { "1.4", "2.0", "2.1", NULL };
static const char *const rule_sets[] = { "client-vwc", "enterprise-plp", "ocp", "raw-spec", NULL };
static const char *const working_sets[] = { "hot", "span", "full", NULL };
static const char *const traces[] = { "fail", "all", "none", NULL };

#define AT(member) .offset = offsetof(struct nvp_options, member)
#define OF(what) .commands = (what)
#define RUNS (NVP_OF_RUN | NVP_OF_POWERLOSS)

const struct nvp_option nvp_option_table[] = {
	{ .name = "allow", .kind = NVP_OPTION_LIST, .argument = "LIST", AT(allow),
	  OF(RUNS | NVP_OF_RESTORE),
	  .command_line_only = true,
	  .help = "what may happen to a real drive: state,data,erase,reset,power,firmware or all" },
	{ .name = "bash", .kind = NVP_OPTION_FLAG, AT(bash), OF(NVP_OF_HELP),
	  .help = "the completion of bash, to be sourced" },
	{ .name = "by", .kind = NVP_OPTION_CHOICE, .argument = "WHAT", .choices = groupings, AT(by),
	  OF(NVP_OF_CASES),
	  .help = "a table by section of the specification, area, or row of the test table" },
	{ .name = "case", .letter = 'c', .kind = NVP_OPTION_LIST, .argument = "GLOB", AT(cases),
	  OF(NVP_OF_CASES | NVP_OF_RUN | NVP_OF_TRACE),
	  .help = "cases whose id matches; may be given several times" },
	{ .name = "cases", .kind = NVP_OPTION_LIST, .argument = "FILE", AT(plugins),
	  OF(NVP_OF_CASES | NVP_OF_RUN),
	  .help = "more cases, from a shared object that exports nvp_suite" },
	{ .name = "config", .kind = NVP_OPTION_TEXT, .argument = "FILE", AT(config),
	  OF(NVP_OF_ALL), .help = "options from an INI file: name = value" },
	{ .name = "cycles", .kind = NVP_OPTION_NUMBER, .argument = "N", .default_text = "200",
	  .low = 1, .high = 10000000, AT(cycles), OF(NVP_OF_POWERLOSS),
	  .help = "so many cuts; with no fail in N the 95 % bound is about 3/N a cut" },
	{ .name = "depth", .kind = NVP_OPTION_NUMBER, .argument = "N", .default_text = "0",
	  .high = 256, AT(depth), OF(NVP_OF_POWERLOSS),
	  .help = "commands outstanding on a queue; 0: by the workload" },
	{ .name = "dry-run", .kind = NVP_OPTION_FLAG, AT(dry_run), OF(NVP_OF_RUN),
	  .command_line_only = true,
	  .help = "print the cases and what each does to the drive; send nothing" },
	{ .name = "failed-from", .kind = NVP_OPTION_TEXT, .argument = "DIR", AT(failed_from),
	  OF(NVP_OF_RUN), .command_line_only = true,
	  .help = "the cases that failed or were broken in the run in DIR" },
	{ .name = "first-cycle", .kind = NVP_OPTION_NUMBER, .argument = "N", .default_text = "0",
	  .high = UINT32_MAX, AT(first_cycle), OF(NVP_OF_POWERLOSS),
	  .help = "number of the first cycle: what it does follows from it and the seed" },
	{ .name = "force", .kind = NVP_OPTION_FLAG, AT(force),
	  OF(RUNS | NVP_OF_BIND | NVP_OF_RESTORE),
	  .command_line_only = true,
	  .help = "also a drive that has a file system signature or a partition table" },
	{ .name = "golden", .kind = NVP_OPTION_TEXT, .argument = "FILE", AT(golden), OF(NVP_OF_RUN),
	  .help = "compare Identify with the file that 'info --save' wrote" },
	{ .name = "help", .letter = 'h', .kind = NVP_OPTION_FLAG, AT(help), OF(NVP_OF_ALL),
	  .command_line_only = true, .help = "this text" },
	{ .name = "journal-sync", .kind = NVP_OPTION_FLAG, AT(journal_sync), OF(NVP_OF_POWERLOSS),
	  .help = "the journal is on its disk before the drive acts: host and drive share a supply" },
	{ .name = "json", .kind = NVP_OPTION_FLAG, AT(json), OF(NVP_OF_ALL & ~NVP_OF_HELP),
	  .help = "exactly one JSON document on standard output, for errors too" },
	{ .name = "junit", .kind = NVP_OPTION_TEXT, .argument = "FILE", AT(junit),
	  OF(RUNS | NVP_OF_REPORT), .help = "JUnit XML, beside the one in the run directory" },
	{ .name = "man", .kind = NVP_OPTION_FLAG, AT(man), OF(NVP_OF_HELP),
	  .help = "the manual page" },
	{ .name = "max-time", .kind = NVP_OPTION_TIME, .argument = "TIME", .low = 1,
	  .high = 365ull * 86400 * NVP_NS_PER_S, AT(max_wall_ns), OF(NVP_OF_RUN),
	  .help = "begin no case after so long: 90s, 10m, 2h" },
	{ .name = "max-volatile", .kind = NVP_OPTION_NUMBER, .argument = "N",
	  .default_text = "1000000", .low = 1, .high = UINT32_MAX, AT(max_volatile),
	  OF(NVP_OF_POWERLOSS), .help = "a flush after so many operations at most" },
	{ .name = "nsid", .kind = NVP_OPTION_NUMBER, .argument = "N", .default_text = "0",
	  .high = 0xfffffffe, AT(nsid), OF(NVP_OF_POWERLOSS),
	  .help = "the namespace that is written; 0: the first one, or that of the address" },
	{ .name = "off-ms", .kind = NVP_OPTION_NUMBER, .argument = "MS", .default_text = "100",
	  .low = 1, .high = 3600000, AT(off_ms),
	  OF(NVP_OF_POWERLOSS | NVP_OF_POWER),
	  .help = "how long the supply stays off" },
	{ .name = "on-fail", .kind = NVP_OPTION_TEXT, .argument = "PROGRAM", AT(on_fail),
	  OF(RUNS),
	  .help = "call it with run directory and case id when a case fails" },
	{ .name = "ops", .kind = NVP_OPTION_NUMBER, .argument = "N", .default_text = "64",
	  .low = 1, .high = 100000000, AT(ops), OF(NVP_OF_POWERLOSS),
	  .help = "operations before the cut, at most" },
	{ .name = "output", .letter = 'o', .kind = NVP_OPTION_TEXT, .argument = "DIR", AT(output),
	  OF(RUNS),
	  .help = "run directory, new or empty (default: nvproof-runs/TIME-SERIAL)" },
	{ .name = "phase", .kind = NVP_OPTION_LIST, .argument = "LIST", AT(phases),
	  OF(NVP_OF_POWERLOSS),
	  .help = "what the cut falls into: writes,flush,trim,zeroes,idle,power-on,shutdown,reset,.." },
	{ .name = "plan", .kind = NVP_OPTION_TEXT, .argument = "FILE", AT(plan), OF(NVP_OF_RUN),
	  .command_line_only = true,
	  .help = "options of a run from an INI file, allow among them (cases/plans/)" },
	{ .name = "policy", .kind = NVP_OPTION_CHOICE, .argument = "NAME", .choices = policies,
	  AT(policy), OF(RUNS),
	  .help = "a policy whose checks count as fails: sane or strict" },
	{ .name = "queues", .kind = NVP_OPTION_NUMBER, .argument = "N", .default_text = "0",
	  .high = 16, AT(queues), OF(NVP_OF_POWERLOSS),
	  .help = "submission queues; 0: by the workload" },
	{ .name = "quiet", .letter = 'q', .kind = NVP_OPTION_FLAG, AT(quiet),
	  OF(RUNS | NVP_OF_REPORT), .help = "the summary alone" },
	{ .name = "range", .kind = NVP_OPTION_TEXT, .argument = "LBA:COUNT", AT(range),
	  OF(NVP_OF_POWERLOSS), .help = "blocks that may be written; nothing outside of it is" },
	{ .name = "relay", .kind = NVP_OPTION_TEXT, .argument = "ADDR", AT(relay),
	  OF(NVP_OF_POWERLOSS),
	  .help = "what switches the supply of the drive (default: sim for a simulated drive)" },
	{ .name = "repeat", .kind = NVP_OPTION_NUMBER, .argument = "N", .default_text = "1",
	  .low = 1, .high = 100000, AT(repeat), OF(NVP_OF_RUN),
	  .help = "run each case N times; one that passes and fails is flaky" },
	{ .name = "replay", .kind = NVP_OPTION_TEXT, .argument = "FILE", AT(replay),
	  OF(NVP_OF_POWERLOSS), .command_line_only = true,
	  .help = "run the one cycle of a replay file, as cycle-N.replay of a failed campaign" },
	{ .name = "resets", .kind = NVP_OPTION_FLAG, AT(resets), OF(NVP_OF_POWERLOSS),
	  .help = "controller resets of all kinds instead of cuts: nothing acknowledged may go" },
	{ .name = "resume", .kind = NVP_OPTION_TEXT, .argument = "DIR", AT(resume),
	  OF(NVP_OF_RUN | NVP_OF_POWERLOSS), .command_line_only = true,
	  .help = "go on with the run in DIR: cases without a verdict; a campaign by its journal" },
	{ .name = "root", .kind = NVP_OPTION_TEXT, .argument = "DIR", AT(root), OF(NVP_OF_DOCTOR),
	  .help = "look at DIR/sys, DIR/proc and DIR/dev instead of this machine's" },
	{ .name = "rules", .kind = NVP_OPTION_CHOICE, .argument = "SET", .choices = rule_sets,
	  .default_text = "client-vwc", AT(rules), OF(NVP_OF_POWERLOSS),
	  .help = "what the drive is held to: client-vwc, enterprise-plp, ocp or raw-spec" },
	{ .name = "save", .kind = NVP_OPTION_TEXT, .argument = "FILE", AT(save), OF(NVP_OF_INFO),
	  .command_line_only = true,
	  .help = "write Identify to a new file, for 'run --golden'" },
	{ .name = "scrub", .kind = NVP_OPTION_NUMBER, .argument = "K", .default_text = "100",
	  .low = 1, .high = 1000000, AT(scrub), OF(NVP_OF_POWERLOSS),
	  .help = "every K cycles all blocks of the range are read" },
	{ .name = "seed", .kind = NVP_OPTION_NUMBER, .argument = "N", .default_text = "1",
	  .high = UINT64_MAX, AT(seed), OF(RUNS | NVP_OF_INFO),
	  .help = "every random choice is keyed by it" },
	{ .name = "serial", .kind = NVP_OPTION_LIST, .argument = "SN", AT(serials),
	  OF(RUNS | NVP_OF_RESTORE), .command_line_only = true,
	  .help = "the serial number of the real drive that --allow is meant for" },
	{ .name = "set", .kind = NVP_OPTION_CHOICE, .argument = "WHICH", .choices = working_sets,
	  .default_text = "hot", AT(working_set), OF(NVP_OF_POWERLOSS),
	  .help = "working set: hot stays in one place, span and full go over the range" },
	{ .name = "shuffle", .kind = NVP_OPTION_FLAG, AT(shuffle), OF(NVP_OF_RUN),
	  .help = "run the cases in an order that the seed decides" },
	{ .name = "spec", .kind = NVP_OPTION_CHOICE, .argument = "VERSION", .choices = revisions,
	  AT(spec), OF(NVP_OF_RUN),
	  .help = "expect what NVMe 1.4, 2.0 or 2.1 says (default: the drive's own version)" },
	{ .name = "stop-on-fail", .kind = NVP_OPTION_FLAG, AT(stop_on_fail), OF(RUNS),
	  .help = "do not run the rest after the first fail" },
	{ .name = "tap", .kind = NVP_OPTION_FLAG, AT(tap), OF(RUNS | NVP_OF_REPORT),
	  .help = "TAP version 13 instead of text" },
	{ .name = "timeout-scale", .kind = NVP_OPTION_NUMBER, .argument = "N",
	  .default_text = "1", .low = 1, .high = 1000, AT(timeout_scale),
	  OF(RUNS | NVP_OF_INFO | NVP_OF_RESTORE), .help = "every deadline takes N times as long" },
	{ .name = "trace", .kind = NVP_OPTION_CHOICE, .argument = "WHICH", .choices = traces,
	  .default_text = "fail", AT(trace), OF(RUNS),
	  .help = "commands to keep: of cases that fail, all, or none" },
	{ .name = "verbose", .letter = 'v', .kind = NVP_OPTION_FLAG, AT(verbose),
	  OF(RUNS | NVP_OF_REPORT | NVP_OF_CASES | NVP_OF_DEFECTS),
	  .help = "more about each case" },
	{ .name = "version", .kind = NVP_OPTION_FLAG, AT(version), OF(NVP_OF_ALL),
	  .command_line_only = true, .help = "the version of the program" },
	{ .name = "waive", .kind = NVP_OPTION_LIST, .argument = "FILE", AT(waive_files),
	  OF(RUNS), .help = "waivers: known fails that do not count, with their evidence" },
	{ .name = "waiver-skeleton", .kind = NVP_OPTION_FLAG, AT(waiver_skeleton), OF(NVP_OF_REPORT),
	  .help = "a file for --waive from the fails, evidence left to be filled in" },
	{ .name = "wear-limit", .kind = NVP_OPTION_NUMBER, .argument = "N", .default_text = "100",
	  .high = 255, AT(wear_limit), OF(RUNS),
	  .help = "destroy no data on a real drive that has used N % of its endurance (SMART)" },
	{ .name = "workload", .kind = NVP_OPTION_LIST, .argument = "LIST", AT(workloads),
	  OF(NVP_OF_POWERLOSS),
	  .help = "sequential,random,mixed,queues,fua,flush,trim,zeroes,atomic,copy,.." },
};
const size_t nvp_nr_options = NVP_ARRAY_SIZE(nvp_option_table);
_Static_assert(NVP_ARRAY_SIZE(nvp_option_table) <= NVP_OPTIONS_MOST, "origin[] is too short");

bool nvp_words_add(struct nvp_words *words, const char *word)
{
	if (!nvp_grow((void **)&words->word, words->nr, &words->room, sizeof(*words->word)))
		return false;
	words->word[words->nr++] = word;
	return true;
}

void nvp_options_free(struct nvp_options *options)
{
	for (size_t i = 0; i < nvp_nr_options; i++) {
		if (nvp_option_table[i].kind == NVP_OPTION_LIST)
			free(((struct nvp_words *)((char *)options +
						   nvp_option_table[i].offset))->word);
	}
	free(options->words.word);
	free(options->case_rules);
	nvp_pool_free(&options->pool);
}

const struct nvp_option *nvp_option_find(const char *name)
{
	for (size_t i = 0; i < nvp_nr_options; i++)
		if (!strcmp(name, nvp_option_table[i].name))
			return &nvp_option_table[i];
	return NULL;
}

static const struct nvp_option *find_letter(char letter)
{
	for (size_t i = 0; letter && i < nvp_nr_options; i++)
		if (nvp_option_table[i].letter == letter)
			return &nvp_option_table[i];
	return NULL;
}

static const char *name_of(const void *list, size_t i)
{
	return ((const char *const *)list)[i];
}

const char *nvp_option_nearest(const char *name, uint32_t commands)
{
	const char *names[NVP_OPTIONS_MOST];
	size_t nr = 0;

	for (size_t i = 0; i < nvp_nr_options; i++)
		if (nvp_option_table[i].commands & commands)
			names[nr++] = nvp_option_table[i].name;
	return nvp_nearest(name, name_of, names, nr);
}

const char *nvp_option_variable(const struct nvp_option *option, char *text)
{
	size_t length = (size_t)snprintf(text, 64, "NVPROOF_%s", option->name);

	for (size_t i = 0; i < length; i++)
		text[i] = text[i] == '-' ? '_' : (char)toupper((unsigned char)text[i]);
	return text;
}

/* ---- one value ---- */

static int no_memory(struct nvp_err *err)
{
	return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "options: out of memory");
}

/* "1.4, 2.0 or 2.1": of numbers the nearest is no better guess than another. */
static void expect_choices(const struct nvp_option *o, size_t nr, struct nvp_err *err)
{
	struct nvp_text list = { 0 };

	for (size_t i = 0; i < nr; i++)
		nvp_text_addf(&list, "%s%s", o->choices[i],
			      i + 2 < nr ? ", " : i + 2 == nr ? " or " : "");
	nvp_err_expected(err, "%s", nvp_text_str(&list));
	nvp_text_free(&list);
}

static int set_choice(const struct nvp_option *o, const char *value, const char **to,
		      const char *where, struct nvp_err *err)
{
	const char *near;
	size_t nr = 0;

	for (; o->choices[nr]; nr++) {
		if (!strcmp(value, o->choices[nr])) {
			*to = o->choices[nr];
			return 0;
		}
	}
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s: '%.60s' is no %s", where, value, o->name);
	near = nvp_nearest(value, name_of, o->choices, nr);
	if (near && isalpha((unsigned char)near[0]))
		nvp_err_advice(err, "did you mean '%s'?", near);
	else
		expect_choices(o, nr, err);
	return -EINVAL;
}

uint32_t nvp_spec_version(const char *word)
{
	for (size_t i = 0; word && revisions[i]; i++)
		if (!strcmp(word, revisions[i]))
			return NVP_VERSION(word[0] - '0', word[2] - '0', 0);
	return 0;
}

static int set_number(const struct nvp_option *o, const char *value, uint64_t *to,
		      const char *where, struct nvp_err *err)
{
	if (!nvp_parse_u64_range(value, o->low, o->high, to))
		return 0;
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s", where);
	nvp_err_expected(err, "a number from %" PRIu64 " to %" PRIu64, o->low, o->high);
	nvp_err_seen(err, "'%.60s'", value);
	return -EINVAL;
}

static int set_time(const struct nvp_option *o, const char *value, uint64_t *to,
		    const char *where, struct nvp_err *err)
{
	if (!nvp_parse_duration(value, to) && *to >= o->low && *to <= o->high)
		return 0;
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s", where);
	nvp_err_expected(err, "a time like 90s, 10m or 2h");
	nvp_err_seen(err, "'%.60s'", value);
	return -EINVAL;
}

/* Words of a file or of the environment are separated by commas, with or without space. */
static int add_list(struct nvp_options *options, struct nvp_words *list, const char *value,
		    bool split, struct nvp_err *err)
{
	for (;;) {
		size_t length = split ? strcspn(value, ",") : strlen(value), trimmed = length;
		size_t begin = split ? strspn(value, " ") : 0;
		char *word = nvp_pool_alloc(&options->pool, length + 1);

		if (!word)
			return no_memory(err);
		while (split && trimmed > begin && value[trimmed - 1] == ' ')
			trimmed--;
		if (trimmed > begin) {
			memcpy(word, value + begin, trimmed - begin);
			if (!nvp_words_add(list, word))
				return no_memory(err);
		}
		value += length;
		if (!*value)
			return 0;
		value++;
	}
}

int nvp_option_set(struct nvp_options *options, const struct nvp_option *o, const char *value,
		   enum nvp_origin origin, const char *where, struct nvp_err *err)
{
	uint8_t *set_by = &options->origin[o - nvp_option_table];
	void *to = (char *)options + o->offset;
	bool stronger = origin > *set_by, flag = false;
	const char *word = value;
	uint64_t number = 0;
	int rc = 0;

	/* A value that a stronger one replaces has to be right all the same. */
	if (o->kind != NVP_OPTION_FLAG && !value[0])
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s: the value is empty", where);
	if (o->kind == NVP_OPTION_FLAG && nvp_parse_bool(value, &flag))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s: '%.60s' is neither yes nor no",
				   where, value);
	if (o->kind == NVP_OPTION_NUMBER)
		rc = set_number(o, value, &number, where, err);
	if (o->kind == NVP_OPTION_TIME)
		rc = set_time(o, value, &number, where, err);
	if (o->kind == NVP_OPTION_CHOICE)
		rc = set_choice(o, value, &word, where, err);
	if (rc || origin < *set_by)
		return rc;
	*set_by = (uint8_t)origin;
	switch (o->kind) {
	case NVP_OPTION_FLAG:
		*(bool *)to = flag;
		return 0;
	case NVP_OPTION_NUMBER:
	case NVP_OPTION_TIME:
		*(uint64_t *)to = number;
		return 0;
	case NVP_OPTION_LIST:
		if (stronger)
			((struct nvp_words *)to)->nr = 0;
		return add_list(options, to, value, origin != NVP_FROM_COMMAND_LINE, err);
	default:
		*(const char **)to = nvp_pool_text(&options->pool, word);
		return *(const char **)to ? 0 : no_memory(err);
	}
}

/* ---- the command line ---- */

struct arguments {
	int argc, next;
	char *const *argv;
};

static int unknown_option(const char *word, const char *name, struct nvp_err *err)
{
	const char *near = nvp_option_nearest(name, NVP_OF_ALL);

	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "unknown option '%.80s'", word);
	if (near)
		nvp_err_advice(err, "did you mean '--%s'?", near);
	else
		nvp_err_advice(err, "'nvproof help' lists them");
	return -EINVAL;
}

/* Option o as given by where; attached is its value in the same word, or NULL. */
static int take_option(struct nvp_options *options, const struct nvp_option *o, const char *where,
		       const char *attached, struct arguments *args, struct nvp_err *err)
{
	const char *value = attached;

	if (!value && o->kind == NVP_OPTION_FLAG)
		value = "yes";
	/* An option is no value: `-o --json` would make a folder of that name. */
	if (!value && args->next < args->argc && strncmp(args->argv[args->next], "--", 2))
		value = args->argv[args->next++];
	if (!value)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s needs a value: %s", where,
				   o->argument);
	return nvp_option_set(options, o, value, NVP_FROM_COMMAND_LINE, where, err);
}

static int take_long(struct nvp_options *options, const char *word, struct arguments *args,
		     struct nvp_err *err)
{
	size_t length = strcspn(word + 2, "=");
	const char *attached = word[2 + length] ? word + 2 + length + 1 : NULL;
	const struct nvp_option *o;
	char name[64], where[70];

	snprintf(name, sizeof(name), "%.*s", (int)(length < 60 ? length : 60), word + 2);
	snprintf(where, sizeof(where), "--%s", name);
	o = nvp_option_find(name);
	if (!o)
		return unknown_option(where, name, err);
	return take_option(options, o, where, attached, args, err);
}

/* -q, -qv, -c GLOB, -cGLOB */
static int take_letters(struct nvp_options *options, const char *word, struct arguments *args,
			struct nvp_err *err)
{
	for (const char *at = word + 1; *at; at++) {
		const struct nvp_option *o = find_letter(*at);
		char where[3] = { '-', *at, '\0' };
		int rc;

		if (!o)
			return unknown_option(word, word + 1, err);
		if (o->kind != NVP_OPTION_FLAG)
			return take_option(options, o, where, at[1] ? at + 1 : NULL, args, err);
		rc = take_option(options, o, where, NULL, args, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int set_defaults(struct nvp_options *options, struct nvp_err *err)
{
	for (size_t i = 0; i < nvp_nr_options; i++) {
		const struct nvp_option *o = &nvp_option_table[i];
		int rc = 0;

		if (o->default_text)
			rc = nvp_option_set(options, o, o->default_text, NVP_FROM_DEFAULT, o->name,
					    err);
		if (rc)
			return rc;
	}
	return 0;
}

int nvp_options_parse(struct nvp_options *options, int argc, char *const *argv,
		      struct nvp_err *err)
{
	struct arguments args = { .argc = argc, .next = 1, .argv = argv };
	bool words_only = false;
	int rc;

	memset(options, 0, sizeof(*options));
	rc = set_defaults(options, err);
	while (!rc && args.next < argc) {
		const char *word = argv[args.next++];

		if (words_only || word[0] != '-' || !word[1])
			rc = nvp_words_add(&options->words, word) ? 0 : no_memory(err);
		else if (!strcmp(word, "--"))
			words_only = true;
		else if (word[1] == '-')
			rc = take_long(options, word, &args, err);
		else
			rc = take_letters(options, word, &args, err);
	}
	return rc;
}

/* ---- help ---- */

void nvp_options_help(uint32_t command, struct nvp_text *out)
{
	for (size_t i = 0; i < nvp_nr_options; i++) {
		const struct nvp_option *o = &nvp_option_table[i];
		char left[48];

		if (!(o->commands & command))
			continue;
		snprintf(left, sizeof(left), "%s%c%s--%s%s%s", o->letter ? "-" : " ",
			 o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
			 o->argument ? " " : "", o->argument ? o->argument : "");
		nvp_text_addf(out, "  %-24s  %s", left, o->help);
		if (o->default_text)
			nvp_text_addf(out, " (default: %s)", o->default_text);
		nvp_text_add(out, "\n");
	}
}

void nvp_options_elsewhere(struct nvp_text *out)
{
	const char *between = "Every option but";

	for (size_t i = 0; i < nvp_nr_options; i++) {
		if (!nvp_option_table[i].command_line_only)
			continue;
		nvp_text_addf(out, "%s --%s", between, nvp_option_table[i].name);
		between = ",";
	}
	nvp_text_add(out, " can also stand in\nthe environment (NVPROOF_TIMEOUT_SCALE=2) or in the file "
			  "of --config\n(timeout-scale = 2). The command line is stronger, then the "
			  "environment; there, lists\nare separated by commas.\n");
}
