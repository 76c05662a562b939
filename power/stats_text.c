// SPDX-License-Identifier: GPL-2.0-or-later
// The table of a campaign, as lines and as JSON.

#include "power/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "power/judge.h"

static const struct {
	const char *label, *key;
} time_words[NVP_STATS_NR_TIMES] = {
	[NVP_STATS_LINK] = { "power on to configuration space", "link_ns" },
	[NVP_STATS_READY] = { "CC.EN to CSTS.RDY", "ready_ns" },
	[NVP_STATS_FIRST_READ] = { "power on to first read", "first_read_ns" },
};

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t percentile(struct nvp_stats_times *t, double percent)
{
	if (!t->sorted && t->nr)
		qsort(t->values, t->nr, sizeof(*t->values), compare);
	t->sorted = true;
	return nvp_stats_percentile(t->values, t->nr, percent);
}

/* Three digits and a unit; text holds 16 bytes. */
static const char *time_text(uint64_t ns, char text[16])
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double value = (double)ns;
	unsigned unit = 0;

	for (; value >= 999.5 && unit < NVP_ARRAY_SIZE(units) - 1; unit++)
		value /= 1000;
	snprintf(text, 16, "%.*f %s", !unit || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value,
		 units[unit]);
	return text;
}

/* "2.95 %"; "-" when nothing was confirmed. */
static const char *bound_text(const struct nvp_stats_phase *p, char text[16])
{
	double percent = 100 * nvp_stats_bound(p->confirmed, p->failed);

	if (!p->confirmed)
		snprintf(text, 16, "-");
	else
		snprintf(text, 16, "%.*f %%", percent < 0.1 ? 4 : percent < 10 ? 2 : 1, percent);
	return text;
}

/* ---- lines ---- */

static void row(struct nvp_text *out, const char *name, struct nvp_stats_phase *p)
{
	char bound[16], lost[32] = "-", half[16], most[16];
	struct nvp_stats_times *ready = &p->times[NVP_STATS_READY];

	if (p->could_lose)
		snprintf(lost, sizeof(lost), "%" PRIu32 "/%" PRIu32, p->lost, p->could_lose);
	nvp_text_addf(out,
		      "%-10s %7" PRIu32 " %9" PRIu32 " %7" PRIu32 " %9s %9" PRIu64 " %9s %8s %8s\n",
		      name, p->cuts, p->confirmed, p->failed, bound_text(p, bound), p->late_acks, lost,
		      ready->nr ? time_text(percentile(ready, 50), half) : "-",
		      ready->nr ? time_text(percentile(ready, 100), most) : "-");
}

static void classes(struct nvp_text *out, const char *name, const struct nvp_stats_phase *p)
{
	bool first = true;

	for (unsigned i = NVP_CLASS_OK + 1; i < NVP_NR_CLASSES; i++) {
		if (!p->classes[i])
			continue;
		if (first)
			nvp_text_addf(out, "  %-10s ", name);
		nvp_text_addf(out, "%s%s %" PRIu64, first ? "" : ", ",
			      nvp_class_name((enum nvp_class)i), p->classes[i]);
		first = false;
	}
	if (!first)
		nvp_text_add(out, "\n");
}

static uint32_t nr_ages(const struct nvp_stats_phase *p)
{
	uint32_t nr = 0;

	for (unsigned i = 0; i < NVP_STATS_AGES; i++)
		nr += p->ages[i];
	return nr;
}

static void ages(struct nvp_text *out, const char *name, const struct nvp_stats_phase *p)
{
	if (!nr_ages(p))
		return;
	nvp_text_addf(out, "  %-10s", name);
	for (unsigned i = 0; i < NVP_STATS_AGES; i++)
		nvp_text_addf(out, "%9" PRIu32, p->ages[i]);
	nvp_text_add(out, "\n");
}

/* A part of the table with a line for each phase that has something there. */
static void part(struct nvp_text *out, const struct nvp_stats *s, const char *title,
		 void (*line)(struct nvp_text *, const char *, const struct nvp_stats_phase *))
{
	struct nvp_text lines = { 0 };

	for (unsigned i = 0; i < NVP_NR_PHASES; i++)
		line(&lines, nvp_phase_name((enum nvp_phase)i), &s->phase[i]);
	if (lines.length)
		nvp_text_addf(out, "%s\n%s", title, lines.text);
	out->failed |= lines.failed;
	nvp_text_free(&lines);
}

static void ages_part(struct nvp_text *out, const struct nvp_stats *s)
{
	struct nvp_text title = { 0 };

	nvp_text_add(&title, "oldest acknowledged operation that a cache lost, in cycles\n  ");
	nvp_text_addf(&title, "%-10s", "");
	for (unsigned i = 0; i < NVP_STATS_AGES; i++)
		nvp_text_addf(&title, "%9s", nvp_stats_age_words[i]);
	part(out, s, nvp_text_str(&title), ages);
	nvp_text_free(&title);
}

static void recovery(struct nvp_text *out, struct nvp_stats_phase *all)
{
	static const double percents[] = { 50, 90, 99, 100 };
	char text[16];

	for (unsigned i = 0; i < NVP_STATS_NR_TIMES; i++) {
		if (!all->times[i].nr)
			continue;
		nvp_text_addf(out, "%-33s", time_words[i].label);
		for (unsigned k = 0; k < NVP_ARRAY_SIZE(percents); k++)
			nvp_text_addf(out, " %s %s%s", k == 3 ? "most" : k == 2 ? "p99" :
				      k == 1 ? "p90" : "p50",
				      time_text(percentile(&all->times[i], percents[k]), text),
				      k == 3 ? "\n" : ",");
	}
}

static void controls(struct nvp_text *out, const struct nvp_stats_phase *all)
{
	if (all->could_lose)
		nvp_text_addf(out, "positive control: unflushed data was lost in %" PRIu32 " of %"
			      PRIu32 " cycles where it could be%s\n", all->lost, all->could_lose,
			      all->lost ? "" : ": these cuts show nothing of a volatile cache");
	else if (all->confirmed)
		nvp_text_add(out, "positive control: none, no cycle had anything to lose\n");
	if (all->clean)
		nvp_text_addf(out, "negative control: %" PRIu32 " of %" PRIu32
			      " clean shutdowns lost something\n", all->clean_lost, all->clean);
}

void nvp_stats_text(struct nvp_stats *s, struct nvp_text *out)
{
	if (!s->all.cuts)
		return;
	nvp_text_addf(out, "%-10s %7s %9s %7s %9s %9s %9s %8s %8s\n", "phase", "cuts", "confirmed",
		      "failed", "95% bound", "late acks", "loss seen", "RDY p50", "RDY most");
	for (unsigned i = 0; i < NVP_NR_PHASES; i++)
		if (s->phase[i].cuts)
			row(out, nvp_phase_name((enum nvp_phase)i), &s->phase[i]);
	row(out, "all", &s->all);
	part(out, s, "blocks by class", classes);
	ages_part(out, s);
	recovery(out, &s->all);
	controls(out, &s->all);
}

/* ---- JSON ---- */

static void json_times(struct nvp_text *out, struct nvp_stats_phase *p)
{
	static const struct {
		const char *key;
		double percent;
	} points[] = { { "p50", 50 }, { "p90", 90 }, { "p99", 99 }, { "max", 100 } };

	for (unsigned i = 0; i < NVP_STATS_NR_TIMES; i++) {
		if (!p->times[i].nr)
			continue;
		nvp_json_begin(out, time_words[i].key, '{');
		nvp_json_u64(out, "measured", p->times[i].nr);
		for (unsigned k = 0; k < NVP_ARRAY_SIZE(points); k++)
			nvp_json_big(out, points[k].key,
				     percentile(&p->times[i], points[k].percent));
		nvp_json_end(out, '}');
	}
}

static void json_phase(struct nvp_text *out, const char *key, const char *name,
		       struct nvp_stats_phase *p)
{
	nvp_json_begin(out, key, '{');
	if (name)
		nvp_json_string(out, "phase", name);
	nvp_json_u64(out, "cuts", p->cuts);
	nvp_json_u64(out, "confirmed", p->confirmed);
	nvp_json_u64(out, "failed", p->failed);
	nvp_json_double(out, "bound95", nvp_stats_bound(p->confirmed, p->failed));
	nvp_json_big(out, "late_acks", p->late_acks);
	nvp_json_big(out, "in_flight", p->in_flight);
	nvp_json_big(out, "issued", p->issued);
	nvp_json_big(out, "acked", p->acked);
	nvp_json_big(out, "blocks_read", p->nr_read);
	nvp_json_u64(out, "could_lose", p->could_lose);
	nvp_json_u64(out, "lost", p->lost);
	nvp_json_u64(out, "clean", p->clean);
	nvp_json_u64(out, "clean_lost", p->clean_lost);
	nvp_json_begin(out, "classes", '{');
	for (unsigned i = NVP_CLASS_OK + 1; i < NVP_NR_CLASSES; i++)
		if (p->classes[i])
			nvp_json_big(out, nvp_class_name((enum nvp_class)i), p->classes[i]);
	nvp_json_end(out, '}');
	nvp_json_begin(out, "loss_age", '[');
	for (unsigned i = 0; i < NVP_STATS_AGES; i++)
		nvp_json_u64(out, NULL, p->ages[i]);
	nvp_json_end(out, ']');
	json_times(out, p);
	nvp_json_end(out, '}');
}

void nvp_stats_json(struct nvp_stats *s, struct nvp_text *out)
{
	nvp_json_begin(out, "phases", '[');
	for (unsigned i = 0; i < NVP_NR_PHASES; i++)
		if (s->phase[i].cuts)
			json_phase(out, NULL, nvp_phase_name((enum nvp_phase)i), &s->phase[i]);
	nvp_json_end(out, ']');
	json_phase(out, "all", NULL, &s->all);
	nvp_json_begin(out, "loss_age_below", '[');
	for (unsigned i = 0; i < NVP_STATS_AGES; i++)
		nvp_json_string(out, NULL, nvp_stats_age_words[i]);
	nvp_json_end(out, ']');
}
