// SPDX-License-Identifier: GPL-2.0-or-later
// junit.xml: one element a line, valid XML whatever a drive says.

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/report/model.h"

static void add_attribute(struct nvp_text *out, const char *name, const char *value)
{
	nvp_text_addf(out, " %s=\"", name);
	nvp_text_add_xml(out, value ? value : "");
	nvp_text_add(out, "\"");
}

static void add_number(struct nvp_text *out, const char *name, uint64_t value)
{
	nvp_text_addf(out, " %s=\"%" PRIu64 "\"", name, value);
}

static void add_seconds(struct nvp_text *out, uint64_t ms)
{
	nvp_text_addf(out, " time=\"%" PRIu64 ".%03u\"", ms / 1000, (unsigned)(ms % 1000));
}

/* What people need beside the message: every failed check, the trace, the kernel's lines. */
static void add_proof(struct nvp_text *out, const struct nvp_case_result *c)
{
	struct nvp_text text = { 0 };

	for (size_t i = 0; i < c->nr_check; i++) {
		const struct nvp_check_line *k = &c->check[i];

		if (k->ok)
			continue;
		nvp_text_addf(&text, "%s (%s: %s): expected %s, seen %s\n", k->site ?: "",
			      k->authority ?: "", k->basis ?: "", k->expected ?: "",
			      k->seen ?: "");
	}
	for (size_t i = 0; i < c->nr_trace; i++)
		nvp_text_addf(&text, "%s\n", c->trace[i].text ?: "");
	for (size_t i = 0; i < c->nr_kernel; i++)
		nvp_text_addf(&text, "kernel: %s\n", c->kernel[i] ?: "");
	nvp_text_add_xml(out, nvp_text_str(&text));
	out->failed |= text.failed;
	nvp_text_free(&text);
}

static void add_result(struct nvp_text *out, const struct nvp_case_result *c)
{
	struct nvp_text words = { 0 };
	const char *element = c->verdict == NVP_FAIL ? "failure" : "error";

	if (c->verdict == NVP_SKIP || (c->verdict == NVP_FAIL && c->waiver)) {
		if (c->waiver)
			nvp_text_addf(&words, "fail (waived by %s): ", c->waiver);
		nvp_text_add(&words, c->reason ?: "");
		nvp_text_add(out, "<skipped");
		add_attribute(out, "message", nvp_text_str(&words));
		nvp_text_add(out, "/>\n");
	} else if (c->verdict != NVP_PASS) {
		nvp_text_addf(out, "<%s", element);
		add_attribute(out, "message", c->reason);
		if (c->spec)
			add_attribute(out, "type", c->spec);
		nvp_text_add(out, ">");
		add_proof(out, c);
		nvp_text_addf(out, "</%s>\n", element);
	}
	out->failed |= words.failed;
	nvp_text_free(&words);
}

/* Warnings (and findings) go to <system-out>, whatever the verdict. */
static void add_warnings(struct nvp_text *out, const struct nvp_note_line *note, size_t nr)
{
	bool any = false;

	for (size_t i = 0; i < nr; i++) {
		const struct nvp_note_line *n = &note[i];

		if (!nvp_note_warns(n->level))
			continue;
		nvp_text_add(out, any ? "&#10;" : "<system-out>");
		nvp_text_add_xml(out, n->level);
		nvp_text_add(out, ": ");
		nvp_text_add_xml(out, n->text ? n->text : "");
		any = true;
	}
	if (any)
		nvp_text_add(out, "</system-out>\n");
}

static void add_testcase(struct nvp_text *out, const struct nvp_case_result *c)
{
	const char *id = c->id ? c->id : "";
	char area[64], round[48];
	struct nvp_text name = { 0 };

	nvp_text_addf(&name, "%s%s%s", id, nvp_case_round_text(c, round),
		      nvp_case_ends_flaky(c) ? " (flaky)" : "");
	snprintf(area, sizeof(area), "%.*s", (int)strcspn(id, "."), id);
	nvp_text_add(out, "<testcase");
	add_attribute(out, "classname", area);
	add_attribute(out, "name", nvp_text_str(&name));
	out->failed |= name.failed;
	nvp_text_free(&name);
	add_seconds(out, c->wall_ms);
	nvp_text_add(out, ">\n");
	add_result(out, c);
	add_warnings(out, c->note, c->nr_note);
	nvp_text_add(out, "</testcase>\n");
}

/* Their names are not in the events: only how many they are. */
static void add_not_run(struct nvp_text *out, uint64_t i, uint64_t nr)
{
	nvp_text_addf(out, "<testcase classname=\"not-run\" name=\"case %" PRIu64 " of %" PRIu64
		      " that did not run\" time=\"0.000\">\n", i + 1, nr);
	nvp_text_add(out, "<skipped message=\"not run\"/>\n</testcase>\n");
}

static void add_counts(struct nvp_text *out, const struct nvp_totals *t)
{
	uint64_t all = (uint64_t)t->pass + t->fail + t->skip + t->broken + t->waived + t->not_run;

	add_number(out, "tests", all);
	add_number(out, "failures", t->fail);
	add_number(out, "errors", t->broken);
	add_number(out, "skipped", (uint64_t)t->skip + t->waived + t->not_run);
}

static void add_property(struct nvp_text *out, const char *name, const char *value)
{
	if (!value)
		return;
	nvp_text_add(out, "<property");
	add_attribute(out, "name", name);
	add_attribute(out, "value", value);
	nvp_text_add(out, "/>\n");
}

static void add_suite(struct nvp_text *out, const struct nvp_report *r)
{
	struct nvp_totals totals;
	char seed[24];

	nvp_report_totals(r, &totals);
	snprintf(seed, sizeof(seed), "%" PRIu64, r->seed);
	nvp_text_add(out, "<testsuite");
	add_attribute(out, "name", r->drive.serial ? r->drive.serial : "nvproof");
	add_counts(out, &totals);
	add_seconds(out, r->wall_ms);
	if (r->begin_utc)
		add_attribute(out, "timestamp", r->begin_utc);
	nvp_text_add(out, ">\n<properties>\n");
	add_property(out, "version", r->version);
	add_property(out, "seed", seed);
	add_property(out, "spec", r->spec);
	add_property(out, "address", r->drive.address);
	add_property(out, "model", r->drive.model);
	add_property(out, "firmware", r->drive.firmware);
	add_property(out, "problem", r->problem);
	nvp_text_add(out, "</properties>\n");
	for (size_t i = 0; i < r->nr_results; i++)
		add_testcase(out, &r->cases[i]);
	for (uint64_t i = 0; i < totals.not_run; i++)
		add_not_run(out, i, totals.not_run);
	add_warnings(out, r->note, r->nr_note);	/* of the run: waivers that ended, ... */
	nvp_text_add(out, "</testsuite>\n");
}

int nvp_junit_add(const struct nvp_report *const *reports, size_t nr, struct nvp_text *out)
{
	struct nvp_totals sum = { .ended = true }, one;
	uint64_t wall_ms = 0;

	for (size_t i = 0; i < nr; i++) {
		nvp_report_totals(reports[i], &one);
		nvp_totals_add(&sum, &one);
		wall_ms = reports[i]->wall_ms > wall_ms ? reports[i]->wall_ms : wall_ms;
	}
	nvp_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nvproof\"");
	add_counts(out, &sum);
	add_seconds(out, wall_ms);
	nvp_text_add(out, ">\n");
	for (size_t i = 0; i < nr; i++)
		add_suite(out, reports[i]);
	nvp_text_add(out, "</testsuites>\n");
	return out->failed ? -ENOMEM : 0;
}
