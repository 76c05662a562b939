// SPDX-License-Identifier: GPL-2.0-or-later
// Counting verdicts, and the exit code of a run or of several.

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/report/model.h"

/* Strongest first (DESIGN section 2, "Exit codes"). */
static const int precedence[] = { 4, 2, 130, 143, 1, 3, 0 };

static size_t rank(int code)
{
	size_t i = 0;

	while (i < NVP_ARRAY_SIZE(precedence) - 1 && precedence[i] != code)
		i++;
	return i;
}

int nvp_worse_exit_code(int a, int b)
{
	return rank(a) <= rank(b) ? a : b;
}

static void count_case(const struct nvp_case_result *c, struct nvp_totals *t)
{
	t->flaky += nvp_case_ends_flaky(c);
	switch (c->verdict) {
	case NVP_PASS:
		t->pass++;
		t->warned += c->warnings > 0;
		break;
	case NVP_FAIL:
		t->fail += !c->waiver;
		t->waived += c->waiver != NULL;
		break;
	case NVP_SKIP:
		t->skip++;
		break;
	default:
		t->broken++;
	}
}

void nvp_report_totals(const struct nvp_report *r, struct nvp_totals *t)
{
	memset(t, 0, sizeof(*t));
	for (size_t i = 0; i < r->nr_results; i++)
		count_case(&r->cases[i], t);
	t->not_run = (unsigned)nvp_report_not_run(r);
	t->ended = r->has_end;
	t->exit_code = r->has_end ? r->exit_code : 3;
}

void nvp_totals_add(struct nvp_totals *sum, const struct nvp_totals *one)
{
	sum->pass += one->pass;
	sum->fail += one->fail;
	sum->skip += one->skip;
	sum->broken += one->broken;
	sum->warned += one->warned;
	sum->waived += one->waived;
	sum->flaky += one->flaky;
	sum->not_run += one->not_run;
	sum->ended = sum->ended && one->ended;
	sum->exit_code = nvp_worse_exit_code(sum->exit_code, one->exit_code);
}

static int by_serial(const void *a, const void *b)
{
	const char *x = (*(const struct nvp_report *const *)a)->drive.serial;
	const char *y = (*(const struct nvp_report *const *)b)->drive.serial;

	return strcmp(x ? x : "", y ? y : "");
}

void nvp_reports_sort(const struct nvp_report **reports, unsigned nr)
{
	if (nr)
		qsort(reports, nr, sizeof(*reports), by_serial);
}
