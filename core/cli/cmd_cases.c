// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof cases`: the records of the cases, as text and as JSON.

#include <stdio.h>

#include "core/cli/cases_by.h"
#include "core/cli/command.h"
#include "core/cli/output.h"
#include "core/run/plan.h"
#include "core/run/run.h"

static void add_list(struct nvp_text *out, const char *key, const char *const *list)
{
	nvp_json_begin(out, key, '[');
	for (; list && *list; list++)
		nvp_json_string(out, NULL, *list);
	nvp_json_end(out, ']');
}

static void add_version(struct nvp_text *out, const char *key, uint32_t version)
{
	char text[40];

	if (!version)
		return;
	snprintf(text, sizeof(text), "%u.%u.%u", version >> 16, version >> 8 & 0xff,
		 version & 0xff);
	nvp_json_string(out, key, text);
}

static void add_json(struct nvp_text *out, const struct nvp_case *c)
{
	char words[300];

	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "id", c->id);
	nvp_json_string(out, "title", c->title);
	nvp_json_begin(out, "spec", '{');
	nvp_json_string(out, "document", c->spec.document);
	nvp_json_string(out, "revision", c->spec.revision);
	nvp_json_string(out, "section", c->spec.section);
	if (c->spec.field)
		nvp_json_string(out, "field", c->spec.field);
	nvp_json_end(out, '}');
	add_list(out, "rows", c->rows);
	add_version(out, "since", c->since);
	add_version(out, "until", c->until);
	nvp_needs_text(c->needs, words, sizeof(words));
	nvp_json_string(out, "needs", words);
	nvp_impact_text(c->impact, words, sizeof(words));
	nvp_json_string(out, "impact", words);
	add_list(out, "catches", c->catches);
	add_list(out, "variants", c->variants);
	nvp_json_end(out, '}');
}

static void add_labelled(struct nvp_text *out, const char *label, const char *text)
{
	if (text[0])
		nvp_text_addf(out, "    %-9s %s\n", label, text);
}

static void add_words(struct nvp_text *out, const char *label, const char *const *list)
{
	if (!list || !*list)
		return;
	nvp_text_addf(out, "    %-9s", label);
	for (; *list; list++)
		nvp_text_addf(out, " %s", *list);
	nvp_text_add(out, "\n");
}

static void add_text(struct nvp_text *out, const struct nvp_case *c, bool verbose)
{
	char words[300];

	nvp_text_addf(out, "%-46s  %s\n", c->id, c->title);
	if (!verbose)
		return;
	nvp_text_addf(out, "    %-9s %s %s, %s%s%s\n", "spec", c->spec.document, c->spec.revision,
		      c->spec.section, c->spec.field ? " " : "",
		      c->spec.field ? c->spec.field : "");
	add_words(out, "rows", c->rows);
	nvp_needs_text(c->needs, words, sizeof(words));
	add_labelled(out, "needs", words);
	nvp_impact_text(c->impact, words, sizeof(words));
	add_labelled(out, "impact", words);
	add_words(out, "variants", c->variants);
	add_words(out, "catches", c->catches);
}

/* One entry for each record: its variants stand next to each other in a plan that is not shuffled. */
static void add_cases(struct nvp_program *p, const struct nvp_plan *plan, struct nvp_text *out)
{
	const struct nvp_case *last = NULL;

	for (size_t i = 0; i < plan->nr; i++) {
		const struct nvp_case *c = plan->items[i].record;

		if (c == last)
			continue;
		last = c;
		if (p->options.json)
			add_json(out, c);
		else
			add_text(out, c, p->options.verbose);
	}
}

static int print_plan(struct nvp_program *p, const struct nvp_plan *plan)
{
	const struct nvp_options *o = &p->options;
	struct nvp_text out = { 0 };
	int rc = 0;

	if (o->json) {
		nvp_json_begin(&out, NULL, '{');
		nvp_json_string(&out, "schema", o->by ? "nvproof.cases-by/1" : "nvproof.cases/1");
	}
	if (o->by) {
		rc = nvp_cases_by(o->by, plan, o->cases.nr > 0, o->json, &out);
	} else if (o->json) {
		nvp_json_begin(&out, "cases", '[');
		add_cases(p, plan, &out);
		nvp_json_end(&out, ']');
	} else {
		add_cases(p, plan, &out);
	}
	if (o->json)
		nvp_json_end(&out, '}');
	if (rc)
		rc = nvp_out_of_memory(p);
	else
		rc = o->json ? nvp_put_json(p, &out) : nvp_put_result(p, &out);
	nvp_text_free(&out);
	return rc;
}

int nvp_cmd_cases(struct nvp_program *p)
{
	const struct nvp_run_request request = {
		.globs = p->options.cases.word, .nr_globs = p->options.cases.nr,
	};
	struct nvp_registry *registry = nvp_registry_new(p->suites, &p->err);
	struct nvp_plan plan;
	int rc;

	if (!registry)
		return nvp_err_exit_code(p->err.kind);
	if (nvp_plan_make(&plan, registry, &request, &p->err)) {
		rc = nvp_err_exit_code(p->err.kind);
	} else {
		rc = print_plan(p, &plan);
		nvp_plan_free(&plan);
	}
	nvp_registry_free(registry);
	return rc;
}
