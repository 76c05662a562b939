// SPDX-License-Identifier: GPL-2.0-or-later
// From events to what a report knows of a run.

#include "core/report/model.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/report/case_details.h"

struct nvp_report *nvp_report_new(void)
{
	return calloc(1, sizeof(struct nvp_report));
}

void nvp_report_free(struct nvp_report *report)
{
	if (!report)
		return;
	nvp_details_free(&report->open);
	nvp_pool_free(&report->pool);
	free(report->cases);
	free(report->note);
	free(report->plan);
	free(report);
}

/* A member as JSON, kept; NULL when it is absent. */
static const char *keep_json(struct nvp_report *r, const struct nvp_event *e, const char *key)
{
	struct nvp_text text = { 0 };
	const char *kept = NULL;

	if (!nvp_event_has(e, key))
		return NULL;
	nvp_event_add_json(e, key, &text);
	if (text.failed)
		r->pool.failed = true;
	else
		kept = nvp_pool_text(&r->pool, nvp_text_str(&text));
	nvp_text_free(&text);
	return kept;
}

static const char *keep(struct nvp_report *r, const struct nvp_event *e, const char *key)
{
	return nvp_pool_text(&r->pool, nvp_event_text(e, NULL, key));
}

static void take_plan(struct nvp_report *r, const struct nvp_event *e)
{
	size_t nr = nvp_min_u64(nvp_event_nr(e, NULL, "plan"), NVP_CASES_MOST);

	r->nr_plan = 0;
	for (size_t i = 0; i < nr; i++) {
		const char *id = nvp_event_item(e, NULL, "plan", i);

		if (!id)
			continue;
		if (!nvp_grow((void **)&r->plan, r->nr_plan, &r->room_plan, sizeof(*r->plan)) ||
		    !(r->plan[r->nr_plan] = nvp_pool_text(&r->pool, id))) {
			r->pool.failed = true;
			return;
		}
		r->nr_plan++;
	}
}

static void take_run_begin(struct nvp_report *r, const struct nvp_event *e)
{
	r->has_begin = true;
	r->version = keep(r, e, "version");
	r->policy = keep(r, e, "policy");
	r->spec = keep(r, e, "spec");
	r->begin_utc = nvp_pool_text(&r->pool, e->wall_utc);
	r->host_json = keep_json(r, e, "host");
	r->seed = nvp_event_u64(e, "seed", 0);
	r->nr_cases = nvp_min_u64(nvp_event_u64(e, "nr_cases", 0), NVP_CASES_MOST);
	r->nr_drives = nvp_event_u64(e, "nr_drives", 0);
	r->shuffle = nvp_event_bool(e, "shuffle");
	take_plan(r, e);
}

static void take_drive(struct nvp_report *r, const struct nvp_event *e)
{
	static const char *const members[] = {
		"serial", "model", "firmware", "address", "path", "nvme_version", "nr_ns", "allow",
		"in_use", "facts",
	};
	struct nvp_text json = { 0 }, value = { 0 };

	r->drive.serial = keep(r, e, "serial");
	r->drive.model = keep(r, e, "model");
	r->drive.firmware = keep(r, e, "firmware");
	r->drive.address = keep(r, e, "address");
	r->drive.nvme_version = keep(r, e, "nvme_version");
	r->drive.in_use = keep(r, e, "in_use");
	for (size_t i = 0; i < nvp_event_nr(e, NULL, "path"); i++)
		r->drive.simulated |= !strcmp(nvp_event_item(e, NULL, "path", i) ?: "", "simulated");
	nvp_json_begin(&json, NULL, '{');
	for (size_t i = 0; i < NVP_ARRAY_SIZE(members); i++) {
		if (!nvp_event_has(e, members[i]))
			continue;
		nvp_text_clear(&value);
		nvp_event_add_json(e, members[i], &value);
		nvp_json_raw(&json, members[i], nvp_text_str(&value));
	}
	nvp_json_end(&json, '}');
	r->drive.json = nvp_pool_text(&r->pool, nvp_text_str(&json));
	r->pool.failed |= json.failed || value.failed;
	nvp_text_free(&json);
	nvp_text_free(&value);
}

static struct nvp_case_result *current(struct nvp_report *r)
{
	return r->open.is_open ? &r->cases[r->nr_results - 1] : NULL;
}

/* A new case, with the verdict that it has if nothing more is heard of it. */
static struct nvp_case_result *add_case(struct nvp_report *r, const struct nvp_event *e)
{
	struct nvp_case_result *c;
	struct nvp_text spec = { 0 };

	nvp_report_settle(r);
	if (!nvp_grow((void **)&r->cases, r->nr_results, &r->room_results, sizeof(*r->cases))) {
		r->pool.failed = true;
		return NULL;
	}
	c = &r->cases[r->nr_results++];
	memset(c, 0, sizeof(*c));
	c->id = nvp_pool_text(&r->pool, e->case_id ? e->case_id : "");
	c->title = keep(r, e, "title");
	c->spec_json = keep_json(r, e, "spec");
	c->impact_json = keep_json(r, e, "impact");
	c->number = nvp_event_u64(e, "number", 0);
	c->round = nvp_event_u64(e, "round", 0);
	c->rounds = nvp_event_u64(e, "rounds", 0);
	c->verdict = NVP_BROKEN;
	c->reason = "the events end inside this case";
	nvp_details_spec(e, &spec);
	c->spec = spec.length ? nvp_pool_text(&r->pool, nvp_text_str(&spec)) : NULL;
	nvp_text_free(&spec);
	r->open.is_open = true;
	return c;
}

static void take_case_begin(struct nvp_report *r, const struct nvp_event *e)
{
	add_case(r, e);
}

static void take_case_end(struct nvp_report *r, const struct nvp_event *e)
{
	struct nvp_case_result *c = current(r);
	const char *word = nvp_event_text(e, NULL, "verdict");

	if (!c || !e->case_id || strcmp(c->id ? c->id : "", e->case_id))
		c = add_case(r, e);
	if (!c)
		return;
	c->ended = true;
	c->reason = keep(r, e, "reason");
	c->verdict = NVP_BROKEN;	/* for a word that this version does not know, too */
	for (int v = 0; word && v < NVP_NR_VERDICTS; v++)
		if (!strcmp(word, nvp_verdict_name((enum nvp_verdict)v)))
			c->verdict = (enum nvp_verdict)v;
	c->site = keep(r, e, "site");
	c->waiver = keep(r, e, "waiver");
	c->checks = nvp_event_u64(e, "checks", 0);
	c->checks_failed = nvp_event_u64(e, "checks_failed", 0);
	c->warnings = nvp_event_u64(e, "warnings", 0);
	c->duration_ns = nvp_event_u64(e, "duration_ns", 0);
	c->wall_ms = nvp_event_u64(e, "wall_ms", 0);
	c->rounds_passed = nvp_event_u64(e, "rounds_passed", 0);
	c->interrupted = nvp_event_bool(e, "interrupted");
	c->flaky = nvp_event_bool(e, "flaky");
	nvp_report_settle(r);
}

/* What the kernel says of this machine is not about a drive that is simulated in it. */
static void take_detail(struct nvp_report *r, const struct nvp_event *e)
{
	if (r->open.is_open && !(e->type == NVP_EVENT_KLOG && r->drive.simulated))
		nvp_details_take(&r->open, e);
}

/* Notes (and findings, snapshots) outside of a case belong to the run. */
static void take_note(struct nvp_report *r, const struct nvp_event *e)
{
	struct nvp_note_line *n;

	if (r->open.is_open && e->case_id) {
		nvp_details_take(&r->open, e);
		return;
	}
	if (!nvp_grow((void **)&r->note, r->nr_note, &r->room_note, sizeof(*r->note))) {
		r->pool.failed = true;
		return;
	}
	n = &r->note[r->nr_note++];
	n->level = keep(r, e, "level");
	n->text = keep(r, e, "text");
}

static bool is_exit_code(uint64_t code)
{
	return code <= 4 || code == 130 || code == 143;
}

static void take_run_end(struct nvp_report *r, const struct nvp_event *e)
{
	uint64_t code = nvp_event_u64(e, "exit_code", UINT64_MAX);

	nvp_report_settle(r);
	r->has_end = true;
	r->exit_code = is_exit_code(code) ? (int)code : 3;
	r->end_reason = keep(r, e, "reason");
	r->end_utc = nvp_pool_text(&r->pool, e->wall_utc);
	r->not_run = nvp_min_u64(nvp_event_u64(e, "not_run", 0), NVP_CASES_MOST);
	r->wall_ms = nvp_event_u64(e, "wall_ms", 0);
}

static void (*const takers[NVP_NR_EVENT_TYPES])(struct nvp_report *, const struct nvp_event *) = {
	[NVP_EVENT_RUN_BEGIN] = take_run_begin,
	[NVP_EVENT_DRIVE] = take_drive,
	[NVP_EVENT_CASE_BEGIN] = take_case_begin,
	[NVP_EVENT_CHECK] = take_detail,
	[NVP_EVENT_NOTE] = take_note,
	[NVP_EVENT_MEASURE] = take_detail,
	[NVP_EVENT_FINDING] = take_detail,
	[NVP_EVENT_KLOG] = take_detail,
	[NVP_EVENT_TRACE] = take_detail,
	[NVP_EVENT_CASE_END] = take_case_end,
	[NVP_EVENT_RUN_END] = take_run_end,
	[NVP_EVENT_TABLE] = take_detail,
};

int nvp_report_take(struct nvp_report *r, const struct nvp_event *event)
{
	if (event->type >= 0 && takers[event->type])
		takers[event->type](r, event);
	return r->pool.failed || r->open.scratch.failed ? -ENOMEM : 0;
}

void nvp_report_settle(struct nvp_report *r)
{
	struct nvp_case_result *c = current(r);

	if (c)
		nvp_details_keep(&r->open, c, r->keep_all, &r->pool);
	nvp_details_clear(&r->open);
}

bool nvp_note_warns(const char *level)
{
	return level && strcmp(level, "note") && strcmp(level, "info");
}

bool nvp_case_fails(const struct nvp_case_result *c)
{
	return c->verdict == NVP_FAIL && !c->waiver;
}

const char *nvp_case_verdict_text(const struct nvp_case_result *c)
{
	if (c->verdict == NVP_FAIL && c->waiver)
		return "fail (waived)";
	return nvp_verdict_name(c->verdict);
}

const char *nvp_case_round_text(const struct nvp_case_result *c, char *text)
{
	text[0] = '\0';
	if (c->rounds > 1)
		snprintf(text, 48, " %" PRIu64 "/%" PRIu64, c->round, c->rounds);
	return text;
}

bool nvp_case_ends_flaky(const struct nvp_case_result *c)
{
	return c->flaky && c->rounds > 1 && c->round == c->rounds;
}

uint64_t nvp_report_not_run(const struct nvp_report *r)
{
	if (r->has_end)
		return r->not_run;
	return r->nr_cases > r->nr_results ? r->nr_cases - r->nr_results : 0;
}
