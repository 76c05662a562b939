// SPDX-License-Identifier: GPL-2.0-or-later
// Tables of the cases by section, by area and by row.

#include "core/cli/cases_by.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cli/rows.h"

struct line {
	char group[120];
	const char *id;
};

/* Numbers inside of words by their value: section 5.9 before 5.17. */
static int compare_natural(const char *a, const char *b)
{
	while (*a && *b) {
		size_t da = strspn(a, "0123456789"), db = strspn(b, "0123456789");
		int way;

		if (da && db) {
			way = da != db ? (da < db ? -1 : 1) : strncmp(a, b, da);
			if (way)
				return way;
			a += da;
			b += db;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return (*a != '\0') - (*b != '\0');
}

static int by_group(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int way = compare_natural(x->group, y->group);

	return way ? way : strcmp(x->id, y->id);
}

static void set_group(struct line *line, const char *by, const struct nvp_case *c)
{
	line->id = c->id;
	if (!strcmp(by, "area"))
		snprintf(line->group, sizeof(line->group), "%.*s", (int)strcspn(c->id, "."), c->id);
	else
		snprintf(line->group, sizeof(line->group), "%s %s, %s", c->spec.document,
			 c->spec.revision, c->spec.section);
}

static void add_group(struct nvp_text *out, bool json, const struct line *lines, size_t nr)
{
	if (json) {
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "name", lines->group);
		nvp_json_begin(out, "cases", '[');
		for (size_t i = 0; i < nr; i++)
			nvp_json_string(out, NULL, lines[i].id);
		nvp_json_end(out, ']');
		nvp_json_end(out, '}');
		return;
	}
	nvp_text_addf(out, "%s  (%zu)\n", lines->group, nr);
	for (size_t i = 0; i < nr; i++)
		nvp_text_addf(out, "    %s\n", lines[i].id);
}

static int add_groups(const char *by, const struct nvp_plan *plan, bool json, struct nvp_text *out)
{
	struct line *lines = calloc(plan->nr + 1, sizeof(*lines));
	const struct nvp_case *last = NULL;
	size_t nr = 0;

	if (!lines)
		return -ENOMEM;
	for (size_t i = 0; i < plan->nr; i++) {
		if (plan->items[i].record != last)
			set_group(&lines[nr++], by, plan->items[i].record);
		last = plan->items[i].record;
	}
	qsort(lines, nr, sizeof(*lines), by_group);
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && !strcmp(lines[i].group, lines[end].group);)
			end++;
		add_group(out, json, &lines[i], end - i);
	}
	free(lines);
	return 0;
}

static bool has_row(const struct nvp_case *c, const char *row)
{
	for (const char *const *r = c->rows; r && *r; r++)
		if (!strcmp(row, *r))
			return true;
	return false;
}

static bool plan_has_row(const struct nvp_plan *plan, const char *row)
{
	for (size_t i = 0; i < plan->nr; i++)
		if (has_row(plan->items[i].record, row))
			return true;
	return false;
}

static void add_row(const struct nvp_row *row, const struct nvp_plan *plan, bool json,
		    struct nvp_text *out)
{
	const char *why = row->why ? row->why : "its case is gone";
	const struct nvp_case *last = NULL;
	size_t nr = 0;

	if (json) {
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "name", row->id);
		nvp_json_string(out, "about", row->about);
		nvp_json_begin(out, "cases", '[');
	} else {
		nvp_text_addf(out, "%s  %s\n", row->id, row->about);
	}
	for (size_t i = 0; i < plan->nr; i++) {
		const struct nvp_case *c = plan->items[i].record;

		if (c == last || !has_row(c, row->id))
			continue;
		last = c;
		nr++;
		if (json)
			nvp_json_string(out, NULL, c->id);
		else
			nvp_text_addf(out, "    %s\n", c->id);
	}
	if (json)
		nvp_json_end(out, ']');
	if (json && !nr)
		nvp_json_string(out, "why", why);
	else if (!nr)
		nvp_text_addf(out, "    - %s\n", why);
	if (json)
		nvp_json_end(out, '}');
}

/* Of a part of the cases only the rows that they have: the others may well have a case. */
static size_t add_rows(const struct nvp_plan *plan, bool part, bool json, struct nvp_text *out)
{
	size_t covered = 0;

	for (size_t i = 0; i < nvp_nr_rows; i++) {
		bool has = plan_has_row(plan, nvp_row_table[i].id);

		covered += has;
		if (has || !part)
			add_row(&nvp_row_table[i], plan, json, out);
	}
	return covered;
}

int nvp_cases_by(const char *by, const struct nvp_plan *plan, bool part, bool json,
		 struct nvp_text *out)
{
	bool rows = !strcmp(by, "row");
	size_t covered = 0;
	int rc = 0;

	if (json) {
		nvp_json_string(out, "by", by);
		nvp_json_begin(out, "groups", '[');
	}
	if (rows)
		covered = add_rows(plan, part, json, out);
	else
		rc = add_groups(by, plan, json, out);
	if (json)
		nvp_json_end(out, ']');
	else if (rows)
		nvp_text_addf(out, "%zu of %zu rows have a case%s\n", covered, nvp_nr_rows,
			      part ? " among these" : "");
	return rc;
}
