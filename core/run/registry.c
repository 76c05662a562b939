// SPDX-License-Identifier: GPL-2.0-or-later
// The cases that are linked in or loaded: copied, checked, expanded by variant, sorted.

#include "core/run/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/parse.h"

struct entry {
	const struct nvp_case *record;
	char *id;
};

struct nvp_registry {
	struct nvp_case *records;
	size_t nr_records;
	struct entry *entries;
	size_t nr_entries;
};

/* DESIGN section 2, "Case ids"; "runner" is the area of the test-only cases. */
static const char *const areas[] = {
	"abort", "admin", "arbitration", "atomic", "directive", "doorbell", "dptr", "event",
	"feature", "firmware", "format", "fuzz", "identify", "interrupt", "io", "log", "namespace",
	"pcie", "perf", "powerloss", "powerstate", "protection", "queue", "register", "reservation",
	"runner", "sanitize", "selftest", "telemetry", "timeout", "zoned",
};

static const char *area_name(const void *list, size_t i)
{
	(void)list;
	return areas[i];
}

static int check_area(const struct nvp_suite *suite, const char *id, struct nvp_err *err)
{
	const char *dot = strchr(id, '.'), *near;
	char area[32];

	snprintf(area, sizeof(area), "%.*s", (int)(dot ? dot - id : (long)strlen(id)), id);
	for (size_t i = 0; dot && i < NVP_ARRAY_SIZE(areas); i++) {
		if (!strcmp(area, areas[i]))
			return 0;
	}
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "cases of '%s': '%.100s' begins with no area",
		    suite->name, id);
	near = nvp_nearest(area, area_name, NULL, NVP_ARRAY_SIZE(areas));
	if (near)
		nvp_err_advice(err, "did you mean '%s'?", near);
	return -EINVAL;
}

/* Small letters, digits, '.', '-' only: an id is a file name, a glob and a word of XML. */
static bool plain(const char *word)
{
	return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789.-")];
}

static bool empty(const char *text)
{
	return !text || !*text;
}

static const char *what_is_missing(const struct nvp_case *c)
{
	if (empty(c->title))
		return "title";
	if (empty(c->spec.document) || empty(c->spec.revision) || empty(c->spec.section))
		return "spec";
	return c->run ? NULL : "run function";
}

static int check_record(const struct nvp_suite *suite, size_t i, const struct nvp_case *c,
			struct nvp_err *err)
{
	const char *missing;

	if (empty(c->id) || !plain(c->id))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "cases of '%s': record %zu has no id of small letters, digits, '-' and '.'",
				   suite->name, i);
	if (c->record_bytes != suite->record_bytes)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "case %s: its record says %zu bytes, its suite %zu", c->id,
				   c->record_bytes, suite->record_bytes);
	missing = what_is_missing(c);
	if (missing)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "case %s has no %s", c->id, missing);
	for (const char *const *v = c->variants; v && *v; v++) {
		if (!plain(*v))
			return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
					   "case %s: '%.60s' is no name of a variant", c->id, *v);
	}
	return check_area(suite, c->id, err);
}

static int check_suite(const struct nvp_suite *suite, struct nvp_err *err)
{
	if (suite->abi != NVP_CASE_ABI) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "cases of '%s' are of another ABI",
			    suite->name);
		nvp_err_expected(err, "%u", NVP_CASE_ABI);
		nvp_err_seen(err, "%u", suite->abi);
		nvp_err_advice(err, "build them against this version of nvproof");
		return -EINVAL;
	}
	if (suite->record_bytes < offsetof(struct nvp_case, title) ||
	    suite->record_bytes % _Alignof(struct nvp_case))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "cases of '%s': a record cannot have %zu bytes", suite->name,
				   suite->record_bytes);
	return 0;
}

static size_t nr_variants(const struct nvp_case *c)
{
	size_t nr = 0;

	while (c->variants && c->variants[nr])
		nr++;
	return nr;
}

/* Copy what both sides know of each record; fields that an older one lacks are zero. */
static int take_suite(struct nvp_registry *r, const struct nvp_suite *suite, struct nvp_err *err)
{
	size_t known = nvp_min_u64(suite->record_bytes, sizeof(struct nvp_case));
	struct nvp_case *grown;

	if (check_suite(suite, err))
		return -EINVAL;
	grown = realloc(r->records, (r->nr_records + suite->nr_cases + 1) * sizeof(*grown));
	if (!grown)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for cases");
	r->records = grown;
	for (size_t i = 0; i < suite->nr_cases; i++) {
		struct nvp_case *c = &r->records[r->nr_records];

		memset(c, 0, sizeof(*c));
		memcpy(c, (const char *)suite->cases + i * suite->record_bytes, known);
		if (check_record(suite, i, c, err))
			return -EINVAL;
		r->nr_records++;
	}
	return 0;
}

static int add_entry(struct nvp_registry *r, const struct nvp_case *c, const char *variant)
{
	struct entry *e = &r->entries[r->nr_entries];
	int rc = variant ? asprintf(&e->id, "%s@%s", c->id, variant) : asprintf(&e->id, "%s", c->id);

	if (rc < 0)
		return -ENOMEM;
	e->record = c;
	r->nr_entries++;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->id, ((const struct entry *)b)->id);
}

static int expand(struct nvp_registry *r, struct nvp_err *err)
{
	size_t nr = 0;

	for (size_t i = 0; i < r->nr_records; i++)
		nr += nr_variants(&r->records[i]) + 1;
	r->entries = calloc(nr + 1, sizeof(*r->entries));
	if (!r->entries)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for cases");
	for (size_t i = 0; i < r->nr_records; i++) {
		const struct nvp_case *c = &r->records[i];
		size_t variants = nr_variants(c);
		int rc = variants ? 0 : add_entry(r, c, NULL);

		for (size_t v = 0; !rc && v < variants; v++)
			rc = add_entry(r, c, c->variants[v]);
		if (rc)
			return nvp_err_set(err, NVP_ERR_BROKEN, rc, "out of memory for cases");
	}
	qsort(r->entries, r->nr_entries, sizeof(*r->entries), by_id);
	for (size_t i = 1; i < r->nr_entries; i++) {
		if (!strcmp(r->entries[i - 1].id, r->entries[i].id))
			return nvp_err_set(err, NVP_ERR_USAGE, -EEXIST,
					   "two cases have the id %s", r->entries[i].id);
	}
	return 0;
}

struct nvp_registry *nvp_registry_new(const struct nvp_suite *const *suites, struct nvp_err *err)
{
	struct nvp_registry *r = calloc(1, sizeof(*r));
	int rc = 0;

	if (!r) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for cases");
		return NULL;
	}
	for (; !rc && *suites; suites++)
		rc = take_suite(r, *suites, err);
	if (!rc)
		rc = expand(r, err);
	if (rc) {
		nvp_registry_free(r);
		return NULL;
	}
	return r;
}

void nvp_registry_free(struct nvp_registry *registry)
{
	if (!registry)
		return;
	for (size_t i = 0; i < registry->nr_entries; i++)
		free(registry->entries[i].id);
	free(registry->entries);
	free(registry->records);
	free(registry);
}

size_t nvp_registry_nr(const struct nvp_registry *registry)
{
	return registry->nr_entries;
}

const struct nvp_case *nvp_registry_case(const struct nvp_registry *registry, size_t i)
{
	return i < registry->nr_entries ? registry->entries[i].record : NULL;
}

const char *nvp_registry_id(const struct nvp_registry *registry, size_t i)
{
	return i < registry->nr_entries ? registry->entries[i].id : NULL;
}
