// SPDX-License-Identifier: GPL-2.0-or-later
// nvproof.1 and the completion of bash: nothing in them is written twice.

#include "core/cli/manual.h"

#include <string.h>

#include "core/cli/command.h"
#include "core/run/version.h"

/* ---- the manual page ---- */

/* Text for roff: a hyphen stays one, a line never begins as a request. */
static void add_roff_n(struct nvp_text *out, const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		if ((!i || text[i - 1] == '\n') && (text[i] == '.' || text[i] == '\''))
			nvp_text_add(out, "\\&");
		if (text[i] == '\\')
			nvp_text_add(out, "\\e");
		else if (text[i] == '-')
			nvp_text_add(out, "\\-");
		else
			nvp_text_add_n(out, &text[i], 1);
	}
}

static void add_roff(struct nvp_text *out, const char *text)
{
	add_roff_n(out, text, strlen(text));
}

static void add_option(struct nvp_text *out, const struct nvp_option *o)
{
	nvp_text_add(out, ".TP\n");
	if (o->letter)
		nvp_text_addf(out, "\\fB\\-%c\\fR, ", o->letter);
	nvp_text_add(out, "\\fB");
	add_roff(out, "--");
	add_roff(out, o->name);
	nvp_text_add(out, "\\fR");
	if (o->argument)
		nvp_text_addf(out, " \\fI%s\\fR", o->argument);
	nvp_text_add(out, "\n");
	add_roff(out, o->help);
	if (o->default_text) {
		nvp_text_add(out, " (default: ");
		add_roff(out, o->default_text);
		nvp_text_add(out, ")");
	}
	nvp_text_add(out, ".");
	if (!(~o->commands & (NVP_OF_ALL & ~NVP_OF_HELP))) {
		nvp_text_add(out, "\n");
		return;
	}
	nvp_text_add(out, " Of:");
	for (const struct nvp_command *c = nvp_command_table; c->name; c++) {
		if (!(o->commands & c->bit))
			continue;
		nvp_text_add(out, " ");
		add_roff(out, c->name);
	}
	nvp_text_add(out, ".\n");
}

/* Text of help: an empty line begins a paragraph. */
static void add_paragraphs(struct nvp_text *out, const char *text)
{
	for (const char *end; *text; text = end) {
		end = strstr(text, "\n\n");
		if (!end)
			end = text + strlen(text);
		add_roff_n(out, text, (size_t)(end - text));
		if (*end) {
			nvp_text_add(out, "\n.sp\n");
			end += 2;
		}
	}
}

void nvp_manual_page(struct nvp_text *out)
{
	struct nvp_text elsewhere = { 0 };

	nvp_text_add(out, ".TH NVPROOF 1 \"\" \"nvproof ");
	add_roff(out, nvp_tool_version());
	nvp_text_add(out, "\" \"User Commands\"\n.ad l\n.SH NAME\nnvproof \\- proof test for NVMe drives\n"
			  ".SH SYNOPSIS\n.B nvproof\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n"
			  ".SH COMMANDS\n");
	for (const struct nvp_command *c = nvp_command_table; c->name; c++) {
		nvp_text_add(out, ".TP\n\\fB");
		add_roff(out, c->name);
		nvp_text_addf(out, "\\fR %s\n", c->operands);
		add_roff(out, c->title);
		nvp_text_add(out, ".\n");
		if (!c->text)
			continue;
		nvp_text_add(out, ".sp\n");
		add_paragraphs(out, c->text);
	}
	nvp_text_add(out, ".SH OPTIONS\n");
	for (size_t i = 0; i < nvp_nr_options; i++)
		add_option(out, &nvp_option_table[i]);
	nvp_text_add(out, ".SH ENVIRONMENT\n");
	nvp_options_elsewhere(&elsewhere);
	add_roff(out, nvp_text_str(&elsewhere));
	nvp_text_free(&elsewhere);
	nvp_text_add(out, ".TP\n\\fBNO_COLOR\\fR\nWhen set and not empty, no colour is used.\n");
}

/* ---- bash ---- */

/* What can stand behind an option; its letter too. */
static void add_values(struct nvp_text *out, const struct nvp_option *o)
{
	nvp_text_add(out, "\t");
	if (o->letter)
		nvp_text_addf(out, "-%c|", o->letter);
	nvp_text_addf(out, "--%s) ", o->name);
	if (o->kind == NVP_OPTION_CHOICE) {
		nvp_text_add(out, "words='");
		for (size_t i = 0; o->choices[i]; i++)
			nvp_text_addf(out, "%s%s", i ? " " : "", o->choices[i]);
		nvp_text_add(out, "'");
	} else if (!strcmp(o->argument, "FILE") || !strcmp(o->argument, "PROGRAM")) {
		nvp_text_add(out, "kind=-f");
	} else if (!strcmp(o->argument, "DIR")) {
		nvp_text_add(out, "kind=-d");
	} else if (!strcmp(o->name, "case")) {
		nvp_text_add(out, "words=$(nvproof cases 2> /dev/null | cut -d' ' -f1)");
	} else {
		nvp_text_add(out, "return");
	}
	nvp_text_add(out, " ;;\n");
}

static void add_command_words(struct nvp_text *out, const struct nvp_command *c)
{
	nvp_text_addf(out, "\t%s)\n\t\twords='", c->name);
	for (size_t i = 0; i < nvp_nr_options; i++)
		if (nvp_option_table[i].commands & c->bit)
			nvp_text_addf(out, "--%s ", nvp_option_table[i].name);
	nvp_text_add(out, "'\n");
	if (!strncmp(c->operands, "DRIVE", 5))
		nvp_text_add(out, "\t\t[[ $now == -* ]] || words=\"sim: $(compgen -G '/dev/nvme[0-9]*')\"\n");
	else if (!strcmp(c->operands, "DIR"))
		nvp_text_add(out, "\t\t[[ $now == -* ]] || kind=-d\n");
	else if (!strcmp(c->operands, "[COMMAND]"))
		nvp_text_add(out, "\t\t[[ $now == -* ]] || words=$commands\n");
	nvp_text_add(out, "\t\t;;\n");
}

void nvp_manual_bash(struct nvp_text *out)
{
	nvp_text_add(out, "# Completion of bash for nvproof, made from its tables by"
			  " `nvproof help --bash`.\n_nvproof() {\n"
			  "\tlocal now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}"
			  " words= kind= commands='");
	for (const struct nvp_command *c = nvp_command_table; c->name; c++)
		nvp_text_addf(out, "%s%s", c == nvp_command_table ? "" : " ", c->name);
	nvp_text_add(out, "'\n\tCOMPREPLY=()\n\tcase $before in\n");
	for (size_t i = 0; i < nvp_nr_options; i++)
		if (nvp_option_table[i].argument)
			add_values(out, &nvp_option_table[i]);
	nvp_text_add(out, "\tesac\n\t[[ -n $words$kind ]] || case $COMP_CWORD:${COMP_WORDS[1]} in\n"
			  "\t1:*) words=$commands ;;\n\tesac\n"
			  "\t[[ -n $words$kind ]] || case ${COMP_WORDS[1]} in\n");
	for (const struct nvp_command *c = nvp_command_table; c->name; c++)
		add_command_words(out, c);
	nvp_text_add(out, "\tesac\n"
			  "\tif [[ -n $kind ]]; then\n"
			  "\t\tmapfile -t COMPREPLY < <(compgen $kind -- \"$now\")\n"
			  "\telse\n"
			  "\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$now\")\n"
			  "\tfi\n}\ncomplete -o filenames -F _nvproof nvproof\n");
}
