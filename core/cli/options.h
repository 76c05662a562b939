/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One table of options: parsing, help, defaults, environment and configuration file come from it. */
#ifndef NVP_CLI_OPTIONS_H
#define NVP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/err.h>

#include "core/base/text.h"
#include "core/report/pool.h"
#include "core/run/run.h"

/* A list of words, in the order given; the words are borrowed. */
struct nvp_words {
	const char **word;
	size_t nr, room;
};

/* Which commands take an option. */
enum nvp_command_bit {
	NVP_OF_LIST = 1 << 0,
	NVP_OF_INFO = 1 << 1,
	NVP_OF_CASES = 1 << 2,
	NVP_OF_DEFECTS = 1 << 3,
	NVP_OF_RUN = 1 << 4,
	NVP_OF_REPORT = 1 << 5,
	NVP_OF_TRACE = 1 << 6,
	NVP_OF_HELP = 1 << 7,
	NVP_OF_DOCTOR = 1 << 8,
	NVP_OF_NEW_CASE = 1 << 9,
	NVP_OF_BUNDLE = 1 << 10,
	NVP_OF_POWERLOSS = 1 << 11,
	NVP_OF_BIND = 1 << 12,
	NVP_OF_UNBIND = 1 << 13,
	NVP_OF_RESTORE = 1 << 14,
	NVP_OF_POWER = 1 << 15,
	NVP_OF_ALL = (1 << 16) - 1,
};

/* Where a value came from; the stronger wins, a list is replaced as a whole. */
enum nvp_origin {
	NVP_FROM_DEFAULT = 0,
	NVP_FROM_CONFIG,
	NVP_FROM_ENVIRONMENT,
	NVP_FROM_PLAN,		/* the file of --plan, which the command line names */
	NVP_FROM_COMMAND_LINE,
};

#define NVP_OPTIONS_MOST 96

struct nvp_options {
	bool help, version, json, quiet, tap, verbose;
	bool force, shuffle, stop_on_fail, dry_run;
	struct nvp_words cases, serials, allow, waive_files;
	const char *policy, *trace, *output, *junit, *config;
	const char *by, *root;
	bool man, bash;
	struct nvp_words plugins;
	const char *resume, *failed_from, *plan, *on_fail;
	const char *spec, *golden, *save;
	bool waiver_skeleton;
	uint64_t seed, timeout_scale, repeat, max_wall_ns, wear_limit;

	/* powerloss */
	struct nvp_words phases, workloads;
	const char *relay, *rules, *range, *working_set, *replay;
	bool resets, journal_sync;
	uint64_t cycles, off_ms, scrub, max_volatile, ops, queues, depth, first_cycle, nsid;

	struct nvp_case_rule *case_rules;	/* of single cases, from the plan */
	size_t nr_case_rules, room_case_rules;
	struct nvp_words words;		/* command and operands */
	uint8_t origin[NVP_OPTIONS_MOST];	/* enum nvp_origin, by place in the table */
	struct nvp_pool pool;		/* words that came from a file or were cut from one */
};

enum nvp_option_kind {
	NVP_OPTION_FLAG = 0,	/* bool; on the command line without a value, or =yes, =no */
	NVP_OPTION_TEXT,	/* const char * */
	NVP_OPTION_LIST,	/* struct nvp_words: may be given several times */
	NVP_OPTION_NUMBER,	/* uint64_t, between low and high */
	NVP_OPTION_CHOICE,	/* const char *, one of choices */
	NVP_OPTION_TIME,	/* uint64_t, ns, between low and high */
};

struct nvp_option {
	const char *name;	/* "timeout-scale"; NVPROOF_TIMEOUT_SCALE in the environment */
	char letter;		/* 0: none */
	enum nvp_option_kind kind;
	const char *argument;	/* "FILE"; NULL for a flag */
	const char *help;	/* one line, no full stop */
	const char *default_text;	/* parsed like a given value; NULL: none */
	const char *const *choices;	/* NULL-ended */
	uint64_t low, high;
	size_t offset;		/* in struct nvp_options */
	uint32_t commands;	/* enum nvp_command_bit */
	bool command_line_only;	/* never from --config or the environment */
};

/* Ascending by name. */
extern const struct nvp_option nvp_option_table[];
extern const size_t nvp_nr_options;

/*
 * Fill options from the defaults and the command line (argv[0] is not looked at). Every word that
 * is no option lands in options->words. Strings of argv are borrowed. -EINVAL: *err has the line.
 */
int nvp_options_parse(struct nvp_options *options, int argc, char *const *argv,
		      struct nvp_err *err);
/*
 * Then, for one command: the environment, the file of --config (where a section is "", "nvproof"
 * or the name of a command), and the check that every option given belongs to the command.
 */
int nvp_options_complete(struct nvp_options *options, uint32_t command, const char *command_name,
			 char *const *environment, struct nvp_err *err);
void nvp_options_free(struct nvp_options *options);

/* Set one value; where is how errors call it ("--seed", "NVPROOF_SEED", "x.ini:3: seed"). */
int nvp_option_set(struct nvp_options *options, const struct nvp_option *option,
		   const char *value, enum nvp_origin origin, const char *where,
		   struct nvp_err *err);
/* By name, or NULL; by letter, or NULL. */
const struct nvp_option *nvp_option_find(const char *name);
/* The nearest name among the options of these commands, or NULL. */
const char *nvp_option_nearest(const char *name, uint32_t commands);
/* "NVPROOF_TIMEOUT_SCALE"; text holds at least 64 bytes. */
const char *nvp_option_variable(const struct nvp_option *option, char *text);

/* A choice of --spec as NVP_VERSION; 0 for NULL and every other word. */
uint32_t nvp_spec_version(const char *word);

/* The lines of help of the options of a command, and how else options can be given. */
void nvp_options_help(uint32_t command, struct nvp_text *out);
void nvp_options_elsewhere(struct nvp_text *out);

/* Append a word; false without memory. */
bool nvp_words_add(struct nvp_words *words, const char *word);

#endif
