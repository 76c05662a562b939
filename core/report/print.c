// SPDX-License-Identifier: GPL-2.0-or-later
// What verdict lines and summaries look like.

#include <inttypes.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/report/console.h"

#define VERDICT_WIDTH 7
#define ID_WIDTH 46
#define CHECKS_SHOWN 3
#define INDENT "        "

static const char *const colours[NVP_NR_VERDICTS] = {
	[NVP_PASS] = "\033[32m",
	[NVP_FAIL] = "\033[1;31m",
	[NVP_SKIP] = "\033[36m",
	[NVP_BROKEN] = "\033[1;35m",
};

void nvp_put_plain(FILE *out, const char *text)
{
	uint32_t code;
	size_t step;

	for (; text && (step = nvp_utf8_step(text, &code)) != 0; text += step) {
		/* Controls, C1 controls, and what turns the direction of writing. */
		if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == NVP_UTF8_BAD ||
		    (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
			fputc('?', out);
		else
			fwrite(text, 1, step, out);
	}
}

static void begin_line(FILE *out, const struct nvp_style *style)
{
	if (!style->drive)
		return;
	nvp_put_plain(out, style->drive);
	fputs("  ", out);
}

void nvp_print_drive(FILE *out, const struct nvp_style *style, const struct nvp_report *r)
{
	const struct nvp_report_drive *d = &r->drive;
	const struct {
		const char *before, *text;
	} parts[] = {
		{ "", d->address }, { ", serial ", d->serial }, { ", ", d->model },
		{ ", firmware ", d->firmware }, { ", NVMe ", d->nvme_version },
	};

	begin_line(out, style);
	fprintf(out, "%-*s", VERDICT_WIDTH, "drive");
	for (size_t i = 0; i < NVP_ARRAY_SIZE(parts); i++) {
		if (!parts[i].text || !parts[i].text[0])
			continue;
		fputs(parts[i].before, out);
		nvp_put_plain(out, parts[i].text);
	}
	fputc('\n', out);
}

static void detail(FILE *out, const char *label, const char *text)
{
	fprintf(out, INDENT "  %-10s", label);
	nvp_put_plain(out, text);
	fputc('\n', out);
}

/* What the verdict line has said already (said may be NULL) is not said again. */
static void print_check(FILE *out, const struct nvp_check_line *k, const char *said)
{
	bool again = said && strstr(said, k->expected ? k->expected : "") &&
		     strstr(said, k->seen ? k->seen : "");

	fputs(INDENT, out);
	nvp_put_plain(out, k->site);
	if (k->invariant) {
		fputs("  invariant ", out);
		nvp_put_plain(out, k->invariant);
	}
	if (k->authority && strcmp(k->authority, "spec")) {
		fputs("  ", out);
		nvp_put_plain(out, k->authority);
	}
	if (k->basis) {
		fputs("  ", out);
		nvp_put_plain(out, k->basis);
	}
	fputc('\n', out);
	if (k->condition && k->condition[0] && (!k->expected || strcmp(k->condition, k->expected)))
		detail(out, "check", k->condition);
	if (!again && k->expected && k->expected[0])
		detail(out, "expected", k->expected);
	if (!again && k->seen && k->seen[0])
		detail(out, "seen", k->seen);
}

/* Has an earlier failed check the same site: the same line of the case in a loop? */
static bool is_repeated(const struct nvp_case_result *c, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!c->check[k].ok && c->check[k].site && c->check[i].site &&
		    !strcmp(c->check[k].site, c->check[i].site))
			return true;
	return false;
}

/* The first failed checks, and the trace lines that prove them. */
static void print_proof(FILE *out, const struct nvp_case_result *c)
{
	uint64_t shown = 0, failed = 0;

	for (size_t i = 0; i < c->nr_check; i++) {
		if (c->check[i].ok)
			continue;
		failed++;
		if (shown < CHECKS_SHOWN && !is_repeated(c, i)) {
			print_check(out, &c->check[i], failed == 1 ? c->reason : NULL);
			shown++;
		}
	}
	if (failed > shown)
		fprintf(out, INDENT "and %" PRIu64 " more failed check%s\n", failed - shown,
			failed - shown > 1 ? "s" : "");
	if (c->nr_trace)
		fprintf(out, INDENT "trace\n");
	for (size_t i = 0; i < c->nr_trace; i++) {
		fputs(INDENT "  ", out);
		nvp_put_plain(out, c->trace[i].text);
		fputc('\n', out);
	}
}

static void print_kernel(FILE *out, const struct nvp_case_result *c)
{
	size_t from = c->nr_kernel > NVP_KERNEL_LINES_SHOWN ?
			      c->nr_kernel - NVP_KERNEL_LINES_SHOWN : 0;

	if (c->nr_kernel)
		fprintf(out, INDENT "kernel log%s\n", from ? ", its last lines" : "");
	for (size_t i = from; i < c->nr_kernel; i++) {
		fputs(INDENT "  ", out);
		nvp_put_plain(out, c->kernel[i]);
		fputc('\n', out);
	}
}

/* Notes: warnings always, the rest when asked for or beside a verdict that needs explaining. */
static void print_notes(FILE *out, const struct nvp_case_result *c, bool all)
{
	for (size_t i = 0; i < c->nr_note; i++) {
		const struct nvp_note_line *n = &c->note[i];
		if (!all && !nvp_note_warns(n->level))
			continue;
		fputs(INDENT, out);
		nvp_put_plain(out, n->level ? n->level : "note");
		fputs(": ", out);
		nvp_put_plain(out, n->text);
		fputc('\n', out);
	}
}

/* Line by line, so that nothing but its newlines steers the terminal. */
static void print_table(FILE *out, const char *text)
{
	struct nvp_text line = { 0 };

	while (text && *text) {
		size_t length = strcspn(text, "\n");

		nvp_text_clear(&line);
		nvp_text_add_n(&line, text, length);
		fputs(INDENT, out);
		nvp_put_plain(out, nvp_text_str(&line));
		fputc('\n', out);
		text += length + (text[length] == '\n');
	}
	nvp_text_free(&line);
}

static void print_all(FILE *out, const struct nvp_case_result *c)
{
	for (size_t i = 0; i < c->nr_check; i++)
		if (c->check[i].ok)
			print_check(out, &c->check[i], NULL);
	for (size_t i = 0; i < c->nr_measure; i++) {
		fputs(INDENT "measure ", out);
		nvp_put_plain(out, c->measure[i]);
		fputc('\n', out);
	}
}

void nvp_print_case(FILE *out, const struct nvp_style *style, const struct nvp_case_result *c)
{
	const char *word = nvp_case_verdict_text(c), *id = c->id ? c->id : "";
	bool wrong = c->verdict == NVP_FAIL || c->verdict == NVP_BROKEN;
	char round[48];
	int pad = ID_WIDTH - (int)strlen(id) - (int)strlen(nvp_case_round_text(c, round));

	begin_line(out, style);
	fprintf(out, "%s%s%s%*s", style->colour ? colours[c->verdict] : "", word,
		style->colour ? "\033[0m" : "",
		VERDICT_WIDTH > (int)strlen(word) ? VERDICT_WIDTH - (int)strlen(word) : 1, "");
	nvp_put_plain(out, id);
	fputs(round, out);
	if (c->reason && c->reason[0]) {
		fprintf(out, "%*s", pad > 2 ? pad : 2, "");
		nvp_put_plain(out, c->reason);
	}
	fputc('\n', out);
	if (nvp_case_ends_flaky(c))
		fprintf(out, INDENT "flaky: passed %" PRIu64 "/%" PRIu64 "\n", c->rounds_passed,
			c->rounds);
	if (wrong && c->waiver) {
		fputs(INDENT "waiver ", out);
		nvp_put_plain(out, c->waiver);
		fputc('\n', out);
	}
	if (wrong && (!c->waiver || style->verbose))
		print_proof(out, c);
	if ((wrong && !c->waiver) || style->verbose)
		print_kernel(out, c);
	print_notes(out, c, style->verbose || (wrong && !c->waiver));
	if (style->verbose)
		print_all(out, c);
	for (size_t i = 0; i < c->nr_table; i++)
		print_table(out, c->table[i].text);
}

static void print_counts(FILE *out, const struct nvp_totals *t)
{
	fprintf(out, "%u pass, %u fail, %u skip, %u broken", t->pass, t->fail, t->skip, t->broken);
	if (t->waived)
		fprintf(out, ", %u fail (waived)", t->waived);
	if (t->flaky)
		fprintf(out, ", %u flaky", t->flaky);
	if (t->warned)
		fprintf(out, ", %u with warnings", t->warned);
	if (t->not_run)
		fprintf(out, ", %u not run", t->not_run);
}

static void print_names(FILE *out, const struct nvp_report *const *reports, size_t nr,
			enum nvp_verdict verdict)
{
	for (size_t i = 0; i < nr; i++) {
		for (size_t k = 0; k < reports[i]->nr_results; k++) {
			const struct nvp_case_result *c = &reports[i]->cases[k];
			char round[48];

			if (c->verdict != verdict)
				continue;
			fprintf(out, "%-*s", VERDICT_WIDTH, nvp_case_verdict_text(c));
			nvp_put_plain(out, c->waiver ? " " : "");
			nvp_put_plain(out, c->id);
			fputs(nvp_case_round_text(c, round), out);
			if (nr > 1) {
				fputs(" on ", out);
				nvp_put_plain(out, reports[i]->drive.serial);
			}
			fputc('\n', out);
		}
	}
}

static void print_ends(FILE *out, const struct nvp_report *r, bool name)
{
	if (name && ((r->end_reason && r->end_reason[0]) || !r->has_end)) {
		nvp_put_plain(out, r->drive.serial);
		fputs(": ", out);
	}
	if (!r->has_end)
		fputs("the run did not end: its events have no run.end\n", out);
	else if (r->end_reason && r->end_reason[0]) {
		nvp_put_plain(out, r->end_reason);
		fputc('\n', out);
	}
}

void nvp_print_summary(FILE *out, const struct nvp_report *const *reports, size_t nr, bool names,
		       const char *dir)
{
	struct nvp_totals sum = { .ended = true }, one;
	uint64_t wall_ms = 0;

	if (names) {
		print_names(out, reports, nr, NVP_FAIL);
		print_names(out, reports, nr, NVP_BROKEN);
	}
	for (size_t i = 0; i < nr; i++) {
		nvp_report_totals(reports[i], &one);
		nvp_totals_add(&sum, &one);
		wall_ms = nvp_max_u64(wall_ms, reports[i]->wall_ms);
		if (nr > 1) {
			nvp_put_plain(out, reports[i]->drive.serial);
			fputs(": ", out);
			print_counts(out, &one);
			fputc('\n', out);
		}
	}
	if (nr > 1)
		fputs("all: ", out);
	print_counts(out, &sum);
	fprintf(out, " in %" PRIu64 ".%03u s", wall_ms / 1000, (unsigned)(wall_ms % 1000));
	if (nr && reports[0]->has_begin)
		fprintf(out, ", seed %" PRIu64, reports[0]->seed);
	fputc('\n', out);
	for (size_t i = 0; i < nr; i++)
		print_ends(out, reports[i], nr > 1);
	if (dir)
		fprintf(out, "results: %s\n", dir);
}
