// SPDX-License-Identifier: GPL-2.0-or-later
// Options from the environment and from the file of --config, and whether they belong to the command.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/ini.h"
#include "core/base/parse.h"
#include "core/cli/command.h"
#include "core/cli/options.h"
#include "core/run/plan.h"

static int refuse_elsewhere(const struct nvp_option *o, const char *where, struct nvp_err *err)
{
	return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s: --%s is taken from the command line alone",
			   where, o->name);
}

/* ---- the environment ---- */

#define PREFIX "NVPROOF_"

static const char *variable_of(const void *list, size_t i)
{
	return ((const char (*)[64])list)[i];
}

static int unknown_variable(const char *variable, struct nvp_err *err)
{
	char names[NVP_OPTIONS_MOST][64];
	const char *near;
	size_t nr = 0;

	for (size_t i = 0; i < nvp_nr_options; i++)
		if (!nvp_option_table[i].command_line_only)
			nvp_option_variable(&nvp_option_table[i], names[nr++]);
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "environment variable '%.60s' is no option",
		    variable);
	near = nvp_nearest(variable, variable_of, names, nr);
	if (near)
		nvp_err_advice(err, "did you mean '%s'?", near);
	return -EINVAL;
}

static int take_variable(struct nvp_options *options, uint32_t command, const char *entry,
			 struct nvp_err *err)
{
	size_t length = strcspn(entry, "=");
	char variable[64], name[64];
	int written;

	written = snprintf(variable, sizeof(variable), "%.*s",
			   (int)(length < 1000 ? length : 1000), entry);
	if (written < 0 || (size_t)written >= sizeof(variable))
		return unknown_variable(variable, err);
	for (size_t i = 0; i < nvp_nr_options; i++) {
		const struct nvp_option *o = &nvp_option_table[i];

		if (strcmp(nvp_option_variable(o, name), variable))
			continue;
		if (o->command_line_only)
			return refuse_elsewhere(o, variable, err);
		/* What belongs to other commands is no concern of this one, and empty is absent. */
		if (!(o->commands & command) || !entry[length] || !entry[length + 1])
			return 0;
		return nvp_option_set(options, o, entry + length + 1, NVP_FROM_ENVIRONMENT,
				      variable, err);
	}
	return unknown_variable(variable, err);
}

static int take_environment(struct nvp_options *options, uint32_t command,
			    char *const *environment, struct nvp_err *err)
{
	int rc = 0;

	for (; environment && *environment && !rc; environment++)
		if (!strncmp(*environment, PREFIX, strlen(PREFIX)))
			rc = take_variable(options, command, *environment, err);
	return rc;
}

/* ---- the file ---- */

struct config {
	struct nvp_options *options;
	uint32_t command;
	uint64_t seen;		/* options that the file has given, by place in the table */
};

static int check_section(const struct nvp_ini_entry *entry, const struct nvp_command **of,
			 struct nvp_err *err)
{
	const char *near;

	*of = NULL;
	if (!entry->section[0] || !strcmp(entry->section, "nvproof"))
		return 0;
	*of = nvp_command_find(entry->section);
	if (*of)
		return 0;
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s:%u: section [%s] is no command", entry->path,
		    entry->line, entry->section);
	near = nvp_command_nearest(entry->section);
	if (near)
		nvp_err_advice(err, "did you mean [%s]?", near);
	return -EINVAL;
}

static int take_entry(void *context, const struct nvp_ini_entry *entry, struct nvp_err *err)
{
	const struct nvp_option *o = nvp_option_find(entry->key);
	struct config *c = context;
	const struct nvp_command *of;
	const char *near;
	char where[160];
	uint64_t bit;
	int rc = check_section(entry, &of, err);

	if (rc)
		return rc;
	snprintf(where, sizeof(where), "%.100s:%u: %.40s", entry->path, entry->line, entry->key);
	if (!o || (of && !(o->commands & of->bit))) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s is no option%s%s", where,
			    of ? " of " : "", of ? of->name : "");
		near = nvp_option_nearest(entry->key, of ? of->bit : NVP_OF_ALL);
		if (near)
			nvp_err_advice(err, "did you mean '%s'?", near);
		return -EINVAL;
	}
	if (o->command_line_only || !strcmp(o->name, "config"))
		return refuse_elsewhere(o, where, err);
	if (of ? of->bit != c->command : !(o->commands & c->command))
		return 0;
	bit = 1ull << (o - nvp_option_table);
	if (o->kind != NVP_OPTION_LIST && (c->seen & bit))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s is given twice", where);
	c->seen |= bit;
	return nvp_option_set(c->options, o, entry->value, NVP_FROM_CONFIG, where, err);
}

/* ---- the plan ---- */

/* What only the one at the keyboard can say: which drive it is, and where things go. */
static bool is_of_plan(const struct nvp_option *o)
{
	return (o->commands & NVP_OF_RUN) && (!o->command_line_only || !strcmp(o->name, "allow")) &&
	       strcmp(o->name, "config");
}

#define RULE "case "

static const char *key_of(const void *list, size_t i)
{
	return ((const char *const *)list)[i];
}

/* The rule of this section: sections have names, since ids would be cut in them. */
static struct nvp_case_rule *rule_of(struct nvp_options *options, const struct nvp_ini_entry *entry,
				     struct nvp_err *err)
{
	struct nvp_case_rule *rule;
	char where[200], tail[60];
	int length = snprintf(tail, sizeof(tail), ": [%.49s]", entry->section);

	for (size_t i = 0; i < options->nr_case_rules; i++) {
		const char *has = options->case_rules[i].where;

		if (strlen(has) > (size_t)length && !strcmp(has + strlen(has) - length, tail))
			return &options->case_rules[i];
	}
	snprintf(where, sizeof(where), "%.100s:%u%s", entry->path, entry->line, tail);
	if (nvp_grow((void **)&options->case_rules, options->nr_case_rules, &options->room_case_rules,
		     sizeof(*options->case_rules))) {
		rule = &options->case_rules[options->nr_case_rules];
		*rule = (struct nvp_case_rule){ .where = nvp_pool_text(&options->pool, where) };
		if (rule->where) {
			options->nr_case_rules++;
			return rule;
		}
	}
	nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the plan");
	return NULL;
}

/* case = GLOB, repeat = N, variants = A, B; whether they fit is seen when the plan is made. */
static int take_rule(struct nvp_options *options, const struct nvp_ini_entry *entry,
		     const char *where, struct nvp_err *err)
{
	static const char *const keys[] = { "case", "repeat", "variants" };
	struct nvp_case_rule *rule = rule_of(options, entry, err);
	uint64_t repeat;
	const char **text;

	if (!rule)
		return err->code;
	if (!strcmp(entry->key, "repeat")) {
		if (rule->repeat)
			return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s is given twice", where);
		if (nvp_parse_u64_range(entry->value, 1, NVP_PLAN_MOST, &repeat)) {
			nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s", where);
			nvp_err_expected(err, "a number from 1 to %u", NVP_PLAN_MOST);
			nvp_err_seen(err, "'%.60s'", entry->value);
			return -EINVAL;
		}
		rule->repeat = (unsigned)repeat;
		return 0;
	}
	if (strcmp(entry->key, "case") && strcmp(entry->key, "variants")) {
		const char *near = nvp_nearest(entry->key, key_of, keys, NVP_ARRAY_SIZE(keys));

		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s is no key of a single case", where);
		nvp_err_advice(err, "did you mean '%s'?", near ? near : "case");
		return -EINVAL;
	}
	text = strcmp(entry->key, "case") ? &rule->variants : &rule->glob;
	if (*text || !entry->value[0])
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s is %s", where,
				   *text ? "given twice" : "empty");
	*text = nvp_pool_text(&options->pool, entry->value);
	return *text ? 0 : nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the plan");
}

static int take_plan_entry(void *context, const struct nvp_ini_entry *entry, struct nvp_err *err)
{
	const struct nvp_option *o = nvp_option_find(entry->key);
	struct config *c = context;
	const char *near;
	char where[160];
	uint64_t bit;

	snprintf(where, sizeof(where), "%.100s:%u: %.40s", entry->path, entry->line, entry->key);
	if (!strncmp(entry->section, RULE, strlen(RULE)) && entry->section[strlen(RULE)])
		return take_rule(c->options, entry, where, err);
	if (entry->section[0] && strcmp(entry->section, "plan"))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "%s:%u: a plan has sections [plan] and [case NAME], not [%s]",
				   entry->path, entry->line, entry->section);
	if (!o || !(o->commands & NVP_OF_RUN)) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s is no option of run", where);
		near = nvp_option_nearest(entry->key, NVP_OF_RUN);
		if (near)
			nvp_err_advice(err, "did you mean '%s'?", near);
		return -EINVAL;
	}
	if (!is_of_plan(o))
		return refuse_elsewhere(o, where, err);
	bit = 1ull << (o - nvp_option_table);
	if (o->kind != NVP_OPTION_LIST && (c->seen & bit))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s is given twice", where);
	c->seen |= bit;
	return nvp_option_set(c->options, o, entry->value, NVP_FROM_PLAN, where, err);
}

/* The command line is stronger than the plan, for single cases too. */
static void drop_weaker_rules(struct nvp_options *options)
{
	size_t at = (size_t)(nvp_option_find("repeat") - nvp_option_table);

	for (size_t i = 0; i < options->nr_case_rules; i++)
		if (options->origin[at] == NVP_FROM_COMMAND_LINE)
			options->case_rules[i].repeat = 0;
}

/* ---- the command ---- */

static int check_command(const struct nvp_options *options, uint32_t command,
			 const char *command_name, struct nvp_err *err)
{
	for (size_t i = 0; i < nvp_nr_options; i++) {
		const struct nvp_option *o = &nvp_option_table[i];
		const char *near;

		if (options->origin[i] != NVP_FROM_COMMAND_LINE || (o->commands & command))
			continue;
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "'%s' takes no option --%s", command_name,
			    o->name);
		near = nvp_option_nearest(o->name, command);
		if (near)
			nvp_err_advice(err, "did you mean '--%s'?", near);
		else
			nvp_err_advice(err, "'nvproof help %s' lists them", command_name);
		return -EINVAL;
	}
	return 0;
}

int nvp_options_complete(struct nvp_options *options, uint32_t command, const char *command_name,
			 char *const *environment, struct nvp_err *err)
{
	struct config config = { .options = options, .command = command };
	int rc = check_command(options, command, command_name, err);

	if (!rc)
		rc = take_environment(options, command, environment, err);
	if (!rc && options->plan) {
		rc = nvp_ini_read(options->plan, take_plan_entry, &config, err);
		config.seen = 0;
		drop_weaker_rules(options);
	}
	if (!rc && options->config)
		rc = nvp_ini_read(options->config, take_entry, &config, err);
	return rc;
}
