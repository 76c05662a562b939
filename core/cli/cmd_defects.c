// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof defects`: what a simulated drive can be told to do wrong.

#include <string.h>

#include "core/cli/command.h"
#include "core/sim/sim.h"

static void add_json(struct nvp_text *out)
{
	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "schema", "nvproof.defects/1");
	nvp_json_begin(out, "defects", '[');
	for (const struct nvp_sim_defect *d = nvp_sim_defects(); d->name; d++) {
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "name", d->name);
		nvp_json_string(out, "sentence", d->sentence);
		nvp_json_string(out, "section", d->section);
		nvp_json_string(out, "area", d->area);
		if (d->parameters)
			nvp_json_string(out, "parameters", d->parameters);
		if (d->shape)
			nvp_json_string(out, "shape", d->shape);
		if (d->class_words)
			nvp_json_string(out, "classes", d->class_words);
		nvp_json_end(out, '}');
	}
	nvp_json_end(out, ']');
	nvp_json_end(out, '}');
}

static void add_text(struct nvp_text *out, bool verbose)
{
	for (const struct nvp_sim_defect *d = nvp_sim_defects(); d->name; d++) {
		nvp_text_addf(out, "%-36s  %s\n", d->name, d->sentence);
		if (!verbose)
			continue;
		nvp_text_addf(out, "    %-10s %s\n    %-10s %s\n", "section", d->section, "area",
			      d->area);
		if (d->parameters)
			nvp_text_addf(out, "    %-10s %s\n", "parameters", d->parameters);
		if (d->shape)
			nvp_text_addf(out, "    %-10s sim:%s unless you say otherwise\n", "shape", d->shape);
		if (d->class_words)
			nvp_text_addf(out, "    %-10s %s\n", "class", d->class_words);
	}
	nvp_text_add(out, "\nA drive with one: nvproof run sim:defect=NAME\n");
}

int nvp_cmd_defects(struct nvp_program *p)
{
	struct nvp_text out = { 0 };
	int rc;

	if (p->options.json)
		add_json(&out);
	else
		add_text(&out, p->options.verbose);
	rc = p->options.json ? nvp_put_json(p, &out) : nvp_put_result(p, &out);
	nvp_text_free(&out);
	return rc;
}
