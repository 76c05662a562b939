// SPDX-License-Identifier: GPL-2.0-or-later
// What happened inside one case, and which part of it a report keeps.

#include "core/report/case_details.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/parse.h"

#define TICKS_MOST 256	/* trace numbers of one check */
#define LINES_FAR 2	/* of those shown, at most so many from further back */

void nvp_details_spec(const struct nvp_event *e, struct nvp_text *out)
{
	const char *document = nvp_event_text(e, "spec", "document");
	const char *revision = nvp_event_text(e, "spec", "revision");
	const char *section = nvp_event_text(e, "spec", "section");
	const char *field = nvp_event_text(e, "spec", "field");

	if (!document)
		return;
	nvp_text_add(out, document);
	if (revision)
		nvp_text_addf(out, " %s", revision);
	if (section)
		nvp_text_addf(out, ", %s", section);
	if (field)
		nvp_text_addf(out, " %s", field);
}

static const char *scratch_text(struct nvp_open_case *o, const struct nvp_event *e,
				const char *key)
{
	return nvp_pool_text(&o->scratch, nvp_event_text(e, NULL, key));
}

static void take_ticks(struct nvp_open_case *o, const struct nvp_event *e,
		       struct nvp_check_line *c)
{
	size_t nr = nvp_event_nr(e, NULL, "trace");
	uint64_t *ticks;

	nr = nr < TICKS_MOST ? nr : TICKS_MOST;
	ticks = nvp_pool_alloc(&o->scratch, nr * sizeof(*ticks));
	for (size_t i = 0; ticks && i < nr; i++) {
		const char *word = nvp_event_item(e, NULL, "trace", i);

		if (word && nvp_parse_u64(word, &ticks[c->nr_ticks]) == 0)
			c->nr_ticks++;
	}
	c->ticks = ticks;
}

static void take_check(struct nvp_open_case *o, const struct nvp_event *e)
{
	struct nvp_check_line *c;
	struct nvp_text basis = { 0 };

	if (!nvp_grow((void **)&o->check, o->nr_check, &o->room_check, sizeof(*o->check))) {
		o->scratch.failed = true;
		return;
	}
	c = &o->check[o->nr_check++];
	memset(c, 0, sizeof(*c));
	c->ok = nvp_event_bool(e, "ok");
	c->announced = nvp_event_bool(e, "announced");
	c->site = scratch_text(o, e, "site");
	c->authority = scratch_text(o, e, "authority");
	c->condition = scratch_text(o, e, "condition");
	c->expected = scratch_text(o, e, "expected");
	c->seen = scratch_text(o, e, "seen");
	c->invariant = scratch_text(o, e, "invariant");
	nvp_details_spec(e, &basis);
	c->basis = basis.length ? nvp_pool_text(&o->scratch, nvp_text_str(&basis)) :
				  scratch_text(o, e, "words");
	nvp_text_free(&basis);
	take_ticks(o, e, c);
}

static void add_note(struct nvp_open_case *o, const char *level, const char *text)
{
	struct nvp_note_line *n;

	if (!nvp_grow((void **)&o->note, o->nr_note, &o->room_note, sizeof(*o->note))) {
		o->scratch.failed = true;
		return;
	}
	n = &o->note[o->nr_note++];
	n->level = nvp_pool_text(&o->scratch, level);
	n->text = nvp_pool_text(&o->scratch, text);
}

static void take_finding(struct nvp_open_case *o, const struct nvp_event *e)
{
	const char *class = nvp_event_text(e, NULL, "class");
	const char *words = nvp_event_text(e, NULL, "text");
	struct nvp_text text = { 0 };

	nvp_text_addf(&text, "%s: %s", class ? class : "", words ? words : "");
	add_note(o, "finding", nvp_text_str(&text));
	nvp_text_free(&text);
}

static void take_measure(struct nvp_open_case *o, const struct nvp_event *e)
{
	static const char *const members[] = { "name", "value", "unit", "state" };
	struct nvp_text json = { 0 }, value = { 0 };

	if (!nvp_grow((void **)&o->measure, o->nr_measure, &o->room_measure,
		      sizeof(*o->measure))) {
		o->scratch.failed = true;
		return;
	}
	nvp_json_begin(&json, NULL, '{');
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (!nvp_event_has(e, members[i]))
			continue;
		nvp_text_clear(&value);
		nvp_event_add_json(e, members[i], &value);
		nvp_json_raw(&json, members[i], nvp_text_str(&value));
	}
	nvp_json_end(&json, '}');
	o->measure[o->nr_measure++] = nvp_pool_text(&o->scratch, nvp_text_str(&json));
	o->scratch.failed |= json.failed || value.failed;
	nvp_text_free(&json);
	nvp_text_free(&value);
}

static void take_trace(struct nvp_open_case *o, const struct nvp_event *e)
{
	struct nvp_trace_line *t;

	if (!nvp_grow((void **)&o->trace, o->nr_trace, &o->room_trace, sizeof(*o->trace))) {
		o->scratch.failed = true;
		return;
	}
	t = &o->trace[o->nr_trace++];
	t->tick = nvp_event_u64(e, "tick", 0);
	t->text = scratch_text(o, e, "text");
}

static void take_table(struct nvp_open_case *o, const struct nvp_event *e)
{
	struct nvp_table_text *t;
	struct nvp_text json = { 0 };

	if (!nvp_grow((void **)&o->table, o->nr_table, &o->room_table, sizeof(*o->table))) {
		o->scratch.failed = true;
		return;
	}
	t = &o->table[o->nr_table++];
	t->name = scratch_text(o, e, "name");
	t->text = scratch_text(o, e, "text");
	t->json = NULL;
	if (nvp_event_has(e, "data")) {
		nvp_event_add_json(e, "data", &json);
		t->json = nvp_pool_text(&o->scratch, nvp_text_str(&json));
		o->scratch.failed |= json.failed;
		nvp_text_free(&json);
	}
}

static void take_klog(struct nvp_open_case *o, const struct nvp_event *e)
{
	size_t nr = nvp_event_nr(e, "host", "lines");

	for (size_t i = 0; i < nr; i++) {
		if (!nvp_grow((void **)&o->kernel, o->nr_kernel, &o->room_kernel,
			      sizeof(*o->kernel))) {
			o->scratch.failed = true;
			return;
		}
		o->kernel[o->nr_kernel++] =
			nvp_pool_text(&o->scratch, nvp_event_item(e, "host", "lines", i));
	}
}

void nvp_details_take(struct nvp_open_case *o, const struct nvp_event *e)
{
	switch (e->type) {
	case NVP_EVENT_CHECK:
		take_check(o, e);
		break;
	case NVP_EVENT_NOTE:
		add_note(o, nvp_event_text(e, NULL, "level"), nvp_event_text(e, NULL, "text"));
		break;
	case NVP_EVENT_FINDING:
		take_finding(o, e);
		break;
	case NVP_EVENT_MEASURE:
		take_measure(o, e);
		break;
	case NVP_EVENT_TRACE:
		take_trace(o, e);
		break;
	case NVP_EVENT_TABLE:
		take_table(o, e);
		break;
	case NVP_EVENT_KLOG:
		take_klog(o, e);
		break;
	default:
		break;
	}
}

static void keep_checks(const struct nvp_open_case *o, struct nvp_case_result *r, bool keep_all,
			struct nvp_pool *pool)
{
	struct nvp_check_line *kept = nvp_pool_alloc(pool, o->nr_check * sizeof(*kept));

	r->check = kept;
	for (size_t i = 0; kept && i < o->nr_check; i++) {
		const struct nvp_check_line *from = &o->check[i];
		struct nvp_check_line *to = &kept[r->nr_check];
		uint64_t *ticks;

		if (from->ok && !keep_all)
			continue;
		*to = *from;
		to->site = nvp_pool_text(pool, from->site);
		to->authority = nvp_pool_text(pool, from->authority);
		to->basis = nvp_pool_text(pool, from->basis);
		to->condition = nvp_pool_text(pool, from->condition);
		to->expected = nvp_pool_text(pool, from->expected);
		to->seen = nvp_pool_text(pool, from->seen);
		to->invariant = nvp_pool_text(pool, from->invariant);
		ticks = nvp_pool_alloc(pool, from->nr_ticks * sizeof(*ticks));
		if (ticks)
			memcpy(ticks, from->ticks, from->nr_ticks * sizeof(*ticks));
		else
			to->nr_ticks = 0;
		to->ticks = ticks;
		r->nr_check++;
	}
}

static bool names(const struct nvp_check_line *check, uint64_t tick)
{
	for (size_t k = 0; k < check->nr_ticks; k++)
		if (check->ticks[k] == tick)
			return true;
	return false;
}

/* The trace lines that the first failed check names: how many, and the place of the last. */
static size_t find_named(const struct nvp_open_case *o, const struct nvp_check_line *check,
			 size_t *last)
{
	size_t nr = 0;

	for (size_t i = 0; check && i < o->nr_trace; i++) {
		if (names(check, o->trace[i].tick)) {
			*last = i;
			nr++;
		}
	}
	return nr;
}

static const struct nvp_check_line *first_failed(const struct nvp_case_result *r)
{
	for (size_t i = 0; i < r->nr_check; i++)
		if (!r->check[i].ok && r->check[i].nr_ticks)
			return &r->check[i];
	return NULL;
}

/*
 * What led to the first failed check: the lines before the last one that it names, and what it
 * names from further back. Without such a check the last lines of all.
 */
static void keep_trace(const struct nvp_open_case *o, struct nvp_case_result *r,
		       struct nvp_pool *pool)
{
	const struct nvp_check_line *check = first_failed(r);
	size_t last = o->nr_trace, window = NVP_TRACE_LINES_SHOWN, nr = 0, begin;
	struct nvp_trace_line *kept = nvp_pool_alloc(pool, window * sizeof(*kept));

	if (!kept || !o->nr_trace)
		return;
	last--;
	if (find_named(o, check, &last))
		window -= LINES_FAR;
	else
		check = NULL;
	begin = last + 1 > window ? last + 1 - window : 0;
	for (size_t i = 0; i <= last; i++) {
		bool far = check && nr < LINES_FAR && names(check, o->trace[i].tick);

		if (i < begin && !far)
			continue;
		kept[nr].tick = o->trace[i].tick;
		kept[nr++].text = nvp_pool_text(pool, o->trace[i].text);
	}
	r->trace = kept;
	r->nr_trace = nr;
}

static void keep_tables(const struct nvp_open_case *o, struct nvp_case_result *r,
			struct nvp_pool *pool)
{
	struct nvp_table_text *kept = nvp_pool_alloc(pool, o->nr_table * sizeof(*kept));

	r->table = kept;
	r->nr_table = kept ? o->nr_table : 0;
	for (size_t i = 0; i < r->nr_table; i++) {
		kept[i].name = nvp_pool_text(pool, o->table[i].name);
		kept[i].text = nvp_pool_text(pool, o->table[i].text);
		kept[i].json = nvp_pool_text(pool, o->table[i].json);
	}
}

/* Texts in an array of their own; NULL and 0 without memory. */
static const char *const *keep_texts(const char *const *texts, size_t *nr, struct nvp_pool *pool)
{
	const char **kept = nvp_pool_alloc(pool, *nr * sizeof(*kept));

	if (!kept)
		*nr = 0;
	for (size_t i = 0; i < *nr; i++)
		kept[i] = nvp_pool_text(pool, texts[i]);
	return kept;
}

void nvp_details_keep(const struct nvp_open_case *o, struct nvp_case_result *r, bool keep_all,
		      struct nvp_pool *pool)
{
	struct nvp_note_line *notes;

	keep_checks(o, r, keep_all, pool);
	notes = nvp_pool_alloc(pool, o->nr_note * sizeof(*notes));
	for (size_t i = 0; notes && i < o->nr_note; i++) {
		notes[i].level = nvp_pool_text(pool, o->note[i].level);
		notes[i].text = nvp_pool_text(pool, o->note[i].text);
	}
	r->note = notes;
	r->nr_note = notes ? o->nr_note : 0;
	r->nr_measure = o->nr_measure;
	r->measure = keep_texts(o->measure, &r->nr_measure, pool);
	r->nr_kernel = o->nr_kernel;
	r->kernel = keep_texts(o->kernel, &r->nr_kernel, pool);
	keep_tables(o, r, pool);
	if (r->verdict == NVP_FAIL || r->verdict == NVP_BROKEN)
		keep_trace(o, r, pool);
}

void nvp_details_clear(struct nvp_open_case *o)
{
	nvp_pool_free(&o->scratch);
	o->nr_check = o->nr_note = o->nr_measure = o->nr_trace = o->nr_table = o->nr_kernel = 0;
	o->is_open = false;
}

void nvp_details_free(struct nvp_open_case *o)
{
	nvp_details_clear(o);
	free(o->check);
	free(o->note);
	free(o->measure);
	free(o->trace);
	free(o->table);
	free(o->kernel);
	memset(o, 0, sizeof(*o));
}
