// SPDX-License-Identifier: GPL-2.0-or-later
// `run --dry-run`: the plan and what it would do to each drive, without a look at any drive.

#include "core/cli/dry_run.h"

#include <string.h>

#include "core/run/estimate.h"
#include "core/run/plan.h"

#define DESTROYS (NVP_IMPACT_DATA | NVP_IMPACT_ERASE)
#define IMPACT_BYTES 120

/* What may be done: a drive is only told apart by its address, for it is not opened. */
static uint32_t allowed(const struct nvp_run_request *request, size_t drive)
{
	return strncmp(request->addresses[drive], "sim:", 4) ? request->allow : UINT32_MAX;
}

struct counts {
	unsigned runs, left_out;
	uint32_t impact;	/* of all that run */
};

static struct counts count(const struct nvp_plan *plan, uint32_t allow)
{
	struct counts c = { 0 };

	for (size_t i = 0; i < plan->nr; i++) {
		uint32_t impact = plan->items[i].record->impact;

		if (impact & ~allow) {
			c.left_out++;
			continue;
		}
		c.runs++;
		c.impact |= impact;
	}
	return c;
}

static const char *impact_text(uint32_t impact, char text[IMPACT_BYTES])
{
	nvp_impact_text(impact, text, IMPACT_BYTES);
	return text;
}

/* ---- text ---- */

static void add_line(struct nvp_text *out, const struct nvp_plan_item *item, uint32_t allow)
{
	char words[IMPACT_BYTES];
	uint32_t impact = item->record->impact;

	nvp_text_addf(out, "%-8s%-46s  %s", impact & ~allow ? "leave" : "send", item->id,
		      impact_text(impact, words));
	if (item->rounds > 1)
		nvp_text_addf(out, ", %u times", item->rounds);
	if (impact & ~allow)
		nvp_text_addf(out, " (not allowed: %s)", impact_text(impact & ~allow, words));
	nvp_text_add(out, "\n");
}

static void add_drive(struct nvp_text *out, const struct nvp_plan *plan, const char *address,
		      uint32_t allow)
{
	struct nvp_estimate estimate = nvp_estimate(plan, allow, NULL);
	char words[IMPACT_BYTES], text[NVP_ESTIMATE_TEXT_BYTES];
	struct counts c = count(plan, allow);

	nvp_text_addf(out, "drive   %s\n", address);
	for (size_t i = 0; i < plan->nr; i++) {
		if (plan->items[i].round == 1)
			add_line(out, &plan->items[i], allow);
	}
	nvp_text_addf(out, "\n%u would run, %u not allowed; done to %s: %s\n", c.runs, c.left_out,
		      address, c.runs ? impact_text(c.impact, words) : "nothing");
	if (c.impact & DESTROYS)
		nvp_text_addf(out, "what is stored on it would be lost: %s\n",
			      nvp_estimate_text(&estimate, text));
	else
		nvp_text_add(out, "what is stored on it would stay\n");
}

/* ---- JSON ---- */

static void add_json_drive(struct nvp_text *out, const struct nvp_plan *plan, const char *address,
			   uint32_t allow)
{
	struct nvp_estimate estimate = nvp_estimate(plan, allow, NULL);
	struct counts c = count(plan, allow);
	char words[IMPACT_BYTES];

	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "address", address);
	nvp_json_u64(out, "would_run", c.runs);
	nvp_json_u64(out, "not_allowed", c.left_out);
	nvp_json_string(out, "impact", impact_text(c.impact, words));
	nvp_json_bool(out, "data_lost", c.impact & DESTROYS);
	nvp_json_big(out, "bytes_at_most", estimate.bytes);
	nvp_json_u64(out, "erasing_cases", estimate.nr_erase);
	nvp_json_u64(out, "seconds_about", estimate.seconds);
	nvp_json_begin(out, "cases", '[');
	for (size_t i = 0; i < plan->nr; i++) {
		const struct nvp_plan_item *item = &plan->items[i];

		if (item->round != 1)
			continue;
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "id", item->id);
		nvp_json_string(out, "impact", impact_text(item->record->impact, words));
		nvp_json_u64(out, "rounds", item->rounds);
		nvp_json_bool(out, "allowed", !(item->record->impact & ~allow));
		nvp_json_end(out, '}');
	}
	nvp_json_end(out, ']');
	nvp_json_end(out, '}');
}

static void add_json(struct nvp_text *out, const struct nvp_plan *plan,
		     const struct nvp_run_request *request)
{
	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "schema", "nvproof.dry-run/1");
	nvp_json_big(out, "seed", request->seed);
	nvp_json_begin(out, "drives", '[');
	for (size_t i = 0; i < request->nr_drives; i++)
		add_json_drive(out, plan, request->addresses[i], allowed(request, i));
	nvp_json_end(out, ']');
	nvp_json_end(out, '}');
}

int nvp_dry_run(struct nvp_program *program, const struct nvp_registry *registry,
		const struct nvp_run_request *request)
{
	struct nvp_text out = { 0 };
	struct nvp_plan plan;
	int code;

	if (nvp_plan_make(&plan, registry, request, &program->err))
		return nvp_err_exit_code(program->err.kind);
	if (program->options.json) {
		add_json(&out, &plan, request);
		code = nvp_put_json(program, &out);
	} else {
		nvp_text_add(&out, "dry run: nothing is sent, no drive is opened\n");
		for (size_t i = 0; i < request->nr_drives; i++)
			add_drive(&out, &plan, request->addresses[i], allowed(request, i));
		code = nvp_put_result(program, &out);
	}
	nvp_text_free(&out);
	nvp_plan_free(&plan);
	return code;
}
