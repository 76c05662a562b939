// SPDX-License-Identifier: GPL-2.0-or-later
// run.json: the whole run as one document.

#include <errno.h>
#include <stdio.h>

#include "core/report/model.h"

static void add_optional(struct nvp_text *out, const char *key, const char *value)
{
	if (value)
		nvp_json_string(out, key, value);
}

static void add_optional_raw(struct nvp_text *out, const char *key, const char *json)
{
	if (json)
		nvp_json_raw(out, key, json);
}

static void add_check(struct nvp_text *out, const struct nvp_check_line *c)
{
	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "site", c->site);
	nvp_json_string(out, "authority", c->authority);
	add_optional(out, "basis", c->basis);
	add_optional(out, "condition", c->condition);
	add_optional(out, "invariant", c->invariant);
	nvp_json_bool(out, "ok", c->ok);
	if (c->announced)
		nvp_json_bool(out, "announced", true);
	nvp_json_string(out, "expected", c->expected);
	nvp_json_string(out, "seen", c->seen);
	nvp_json_begin(out, "trace", '[');
	for (size_t i = 0; i < c->nr_ticks; i++)
		nvp_json_big(out, NULL, c->ticks[i]);
	nvp_json_end(out, ']');
	nvp_json_end(out, '}');
}

static void add_notes(struct nvp_text *out, const struct nvp_note_line *notes, size_t nr)
{
	nvp_json_begin(out, "notes", '[');
	for (size_t i = 0; i < nr; i++) {
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "level", notes[i].level);
		nvp_json_string(out, "text", notes[i].text);
		nvp_json_end(out, '}');
	}
	nvp_json_end(out, ']');
}

static void add_tables(struct nvp_text *out, const struct nvp_case_result *c)
{
	nvp_json_begin(out, "tables", '[');
	for (size_t i = 0; i < c->nr_table; i++) {
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "name", c->table[i].name);
		add_optional_raw(out, "data", c->table[i].json);
		nvp_json_end(out, '}');
	}
	nvp_json_end(out, ']');
}

static void add_case(struct nvp_text *out, const struct nvp_case_result *c)
{
	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "id", c->id);
	add_optional(out, "title", c->title);
	nvp_json_string(out, "verdict", nvp_verdict_name(c->verdict));
	nvp_json_string(out, "reason", c->reason);
	add_optional(out, "waiver", c->waiver);
	add_optional(out, "site", c->site);
	nvp_json_bool(out, "ended", c->ended);
	nvp_json_u64(out, "number", c->number);
	add_optional_raw(out, "impact", c->impact_json);
	add_optional_raw(out, "spec", c->spec_json);
	nvp_json_u64(out, "checks", c->checks);
	nvp_json_u64(out, "checks_failed", c->checks_failed);
	nvp_json_u64(out, "warnings", c->warnings);
	nvp_json_big(out, "duration_ns", c->duration_ns);
	nvp_json_u64(out, "wall_ms", c->wall_ms);
	if (c->rounds > 1) {
		nvp_json_u64(out, "round", c->round);
		nvp_json_u64(out, "rounds", c->rounds);
		nvp_json_u64(out, "rounds_passed", c->rounds_passed);
		nvp_json_bool(out, "flaky", c->flaky);
	}
	nvp_json_begin(out, "failed", '[');
	for (size_t i = 0; i < c->nr_check; i++)
		if (!c->check[i].ok)
			add_check(out, &c->check[i]);
	nvp_json_end(out, ']');
	add_notes(out, c->note, c->nr_note);
	nvp_json_begin(out, "measures", '[');
	for (size_t i = 0; i < c->nr_measure; i++)
		nvp_json_raw(out, NULL, c->measure[i]);
	nvp_json_end(out, ']');
	if (c->nr_table)
		add_tables(out, c);
	if (c->nr_kernel) {
		nvp_json_begin(out, "kernel", '[');
		for (size_t i = 0; i < c->nr_kernel; i++)
			nvp_json_string(out, NULL, c->kernel[i]);
		nvp_json_end(out, ']');
	}
	nvp_json_begin(out, "trace", '[');
	for (size_t i = 0; i < c->nr_trace; i++) {
		nvp_json_begin(out, NULL, '{');
		nvp_json_big(out, "tick", c->trace[i].tick);
		nvp_json_string(out, "text", c->trace[i].text);
		nvp_json_end(out, '}');
	}
	nvp_json_end(out, ']');
	nvp_json_end(out, '}');
}

static void add_totals(struct nvp_text *out, const struct nvp_totals *t)
{
	nvp_json_begin(out, "totals", '{');
	nvp_json_u64(out, "pass", t->pass);
	nvp_json_u64(out, "fail", t->fail);
	nvp_json_u64(out, "skip", t->skip);
	nvp_json_u64(out, "broken", t->broken);
	nvp_json_u64(out, "warned", t->warned);
	nvp_json_u64(out, "waived", t->waived);
	nvp_json_u64(out, "flaky", t->flaky);
	nvp_json_u64(out, "not_run", t->not_run);
	nvp_json_bool(out, "complete", t->ended);
	nvp_json_u64(out, "exit_code", (uint64_t)t->exit_code);
	nvp_json_end(out, '}');
}

static void add_run(struct nvp_text *out, const struct nvp_report *r)
{
	struct nvp_totals totals;

	nvp_report_totals(r, &totals);
	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "schema", "nvproof.run/1");
	add_optional(out, "version", r->version);
	add_optional(out, "begin_utc", r->begin_utc);
	add_optional(out, "end_utc", r->end_utc);
	nvp_json_u64(out, "wall_ms", r->wall_ms);
	nvp_json_big(out, "seed", r->seed);
	nvp_json_bool(out, "shuffle", r->shuffle);
	add_optional(out, "policy", r->policy);
	add_optional(out, "spec", r->spec);
	nvp_json_u64(out, "nr_cases", r->nr_cases);
	add_totals(out, &totals);
	add_optional(out, "reason", r->end_reason);
	add_optional(out, "problem", r->problem);
	add_optional_raw(out, "drive", r->drive.json);
	add_optional_raw(out, "host", r->host_json);
	nvp_json_begin(out, "cases", '[');
	for (size_t i = 0; i < r->nr_results; i++)
		add_case(out, &r->cases[i]);
	nvp_json_end(out, ']');
	add_notes(out, r->note, r->nr_note);
	nvp_json_end(out, '}');
}

int nvp_run_json_add(const struct nvp_report *const *reports, size_t nr, struct nvp_text *out)
{
	struct nvp_totals sum = { .ended = true }, one;
	struct nvp_text compact = { 0 };
	int rc;

	if (nr == 1) {
		add_run(&compact, reports[0]);
	} else {
		for (size_t i = 0; i < nr; i++) {
			nvp_report_totals(reports[i], &one);
			nvp_totals_add(&sum, &one);
		}
		nvp_json_begin(&compact, NULL, '{');
		nvp_json_string(&compact, "schema", "nvproof.runs/1");
		add_totals(&compact, &sum);
		nvp_json_begin(&compact, "runs", '[');
		for (size_t i = 0; i < nr; i++)
			add_run(&compact, reports[i]);
		nvp_json_end(&compact, ']');
		nvp_json_end(&compact, '}');
	}
	/* Read back by the library: what leaves here is one valid document. */
	rc = compact.failed ? -ENOMEM : nvp_json_pretty(nvp_text_str(&compact), out);
	nvp_text_free(&compact);
	return rc;
}
