// SPDX-License-Identifier: GPL-2.0-or-later
// The plan: which cases of the registry run, and in what order.

#include "core/run/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/checksum.h"
#include "core/base/parse.h"
#include "core/base/rand.h"

const char *nvp_id_variant(const char *id)
{
	const char *at = strchr(id, '@');

	return at ? at + 1 : NULL;
}

bool nvp_id_match(const char *glob, const char *id)
{
	const char *at = strchr(id, '@');
	char base[256];

	if (nvp_glob_match(glob, id))
		return true;
	if (!at || (size_t)(at - id) >= sizeof(base))
		return false;
	memcpy(base, id, (size_t)(at - id));
	base[at - id] = '\0';
	return nvp_glob_match(glob, base);
}

static const char *registry_name(const void *list, size_t i)
{
	return nvp_registry_id(list, i);
}

/* How much of a glob stands in an id: its area, and each word of it with three letters or more. */
static unsigned words_in_common(const char *glob, const char *id)
{
	size_t area = strcspn(glob, ".");
	unsigned common = 0;
	char copy[128], *save = NULL;

	if (glob[area] && !strncmp(glob, id, area + 1))
		common++;
	snprintf(copy, sizeof(copy), "%s", glob);
	for (char *word = strtok_r(copy, ".-*?[]@", &save); word;
	     word = strtok_r(NULL, ".-*?[]@", &save))
		common += strlen(word) >= 3 && strstr(id, word);
	return common;
}

/* By spelling; a glob, or a word far from every id, by the words that it shares with one. */
const char *nvp_registry_nearest(const struct nvp_registry *registry, const char *word)
{
	const char *near = nvp_nearest(word, registry_name, registry, nvp_registry_nr(registry));
	unsigned most = 0;

	if (near)
		return near;
	for (size_t i = 0; i < nvp_registry_nr(registry); i++) {
		unsigned common = words_in_common(word, nvp_registry_id(registry, i));

		if (common > most) {
			most = common;
			near = nvp_registry_id(registry, i);
		}
	}
	return near;
}

static int check_glob(const struct nvp_registry *registry, const char *glob, struct nvp_err *err)
{
	const char *near;

	for (size_t i = 0; i < nvp_registry_nr(registry); i++) {
		if (nvp_id_match(glob, nvp_registry_id(registry, i)))
			return 0;
	}
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "no case matches '%.120s'", glob);
	near = nvp_registry_nearest(registry, glob);
	if (near)
		nvp_err_advice(err, "the nearest is %s", near);
	else
		nvp_err_advice(err, "'nvproof cases' lists them");
	return -EINVAL;
}

static bool listed(const struct nvp_run_request *request, const char *id)
{
	for (size_t i = 0; i < request->nr_ids; i++) {
		if (!strcmp(request->ids[i], id))
			return true;
	}
	return request->nr_ids == 0;
}

/* An id of an earlier run that this program does not know would be lost silently. */
static int check_ids(const struct nvp_registry *registry, const struct nvp_run_request *request,
		     struct nvp_err *err)
{
	for (size_t i = 0; i < request->nr_ids; i++) {
		size_t k = 0;

		while (k < nvp_registry_nr(registry) &&
		       strcmp(nvp_registry_id(registry, k), request->ids[i]))
			k++;
		if (k == nvp_registry_nr(registry))
			return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
					   "the earlier run has a case %.120s, this program has none",
					   request->ids[i]);
	}
	return 0;
}

/* ---- rules of single cases ---- */

static int bad_rule(const struct nvp_case_rule *rule, struct nvp_err *err, const char *why,
		    const char *word)
{
	return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s: %s '%.120s'", rule->where, why, word);
}

/* Is this word one of a list "a, b"? */
static bool in_list(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (*list) {
		size_t nr = strcspn(list, ", ");

		if (nr == length && !strncmp(list, word, nr))
			return true;
		list += nr;
		list += strspn(list, ", ");
	}
	return false;
}

/* Every variant that the rule names is one of a case that it is for. */
static int check_variants(const struct nvp_case_rule *rule,
			  const struct nvp_registry *registry, struct nvp_err *err)
{
	const char *at = rule->variants;

	while (at && *at) {
		size_t nr = strcspn(at, ", ");
		bool known = false;
		char word[80];

		snprintf(word, sizeof(word), "%.*s", (int)(nr < 79 ? nr : 79), at);
		for (size_t i = 0; i < nvp_registry_nr(registry) && !known; i++) {
			const char *id = nvp_registry_id(registry, i);
			const char *variant = nvp_id_variant(id);

			known = variant && !strcmp(variant, word) && nvp_id_match(rule->glob, id);
		}
		if (!known)
			return bad_rule(rule, err, "no case of the rule has the variant", word);
		at += nr;
		at += strspn(at, ", ");
	}
	return 0;
}

static int check_rules(const struct nvp_registry *registry,
		       const struct nvp_run_request *request, struct nvp_err *err)
{
	for (size_t i = 0; i < request->nr_rules; i++) {
		const struct nvp_case_rule *rule = &request->rules[i];
		bool matches = false;
		int rc;

		if (!rule->glob)
			return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
					   "%s: the section has no case =", rule->where);
		for (size_t k = 0; k < nvp_registry_nr(registry) && !matches; k++)
			matches = nvp_id_match(rule->glob, nvp_registry_id(registry, k));
		if (!matches)
			return bad_rule(rule, err, "no case matches", rule->glob);
		rc = check_variants(rule, registry, err);
		if (rc)
			return rc;
	}
	return 0;
}

/* A rule that names variants leaves the others of its cases out. */
static bool left_out(const struct nvp_run_request *request, const char *id)
{
	const char *variant = nvp_id_variant(id);

	for (size_t i = 0; variant && i < request->nr_rules; i++) {
		const struct nvp_case_rule *rule = &request->rules[i];

		if (rule->variants && nvp_id_match(rule->glob, id) &&
		    !in_list(rule->variants, variant))
			return true;
	}
	return false;
}

/* The last rule that says it, else what holds for all. */
static uint32_t rounds_of(const struct nvp_run_request *request, const char *id)
{
	uint32_t rounds = request->repeat ? request->repeat : 1;

	for (size_t i = 0; i < request->nr_rules; i++) {
		if (request->rules[i].repeat && nvp_id_match(request->rules[i].glob, id))
			rounds = request->rules[i].repeat;
	}
	return rounds;
}

static bool wanted(const struct nvp_run_request *request, const char *id)
{
	if (!listed(request, id) || left_out(request, id))
		return false;
	for (size_t i = 0; i < request->nr_globs; i++) {
		if (nvp_id_match(request->globs[i], id))
			return true;
	}
	return request->nr_globs == 0;
}

/* The place of a case in a shuffle is a hash of the seed and its id: others do not move it. */
struct shuffled {
	struct nvp_plan_item item;
	uint64_t key;
};

static int by_key(const void *a, const void *b)
{
	const struct shuffled *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return strcmp(x->item.id, y->item.id);
}

static int shuffle(struct nvp_plan *plan, uint64_t seed)
{
	struct shuffled *list = calloc(plan->nr + 1, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < plan->nr; i++) {
		const char *id = plan->items[i].id;

		list[i].item = plan->items[i];
		list[i].key = nvp_rand(seed, "run.shuffle", nvp_crc32c(id, strlen(id)), 0);
	}
	qsort(list, plan->nr, sizeof(*list), by_key);
	for (size_t i = 0; i < plan->nr; i++)
		plan->items[i] = list[i].item;
	free(list);
	return 0;
}

/* Each case as often as it runs, one run behind the other: their verdicts are compared. */
static int repeat(struct nvp_plan *plan, const struct nvp_run_request *request,
		  struct nvp_err *err)
{
	struct nvp_plan_item *items;
	size_t nr = 0, next = 0;

	for (size_t i = 0; i < plan->nr && nr <= NVP_PLAN_MOST; i++)
		nr += rounds_of(request, plan->items[i].id);
	if (nr > NVP_PLAN_MOST) {
		nvp_err_set(err, NVP_ERR_USAGE, -E2BIG, "the plan is too long: %zu cases, %u times",
			    plan->nr, request->repeat ? request->repeat : 1);
		nvp_err_expected(err, "at most %u in all", NVP_PLAN_MOST);
		return -E2BIG;
	}
	items = calloc(nr, sizeof(*items));
	if (!items)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the plan");
	for (size_t i = 0; i < plan->nr; i++) {
		uint32_t rounds = rounds_of(request, plan->items[i].id);

		for (uint32_t round = 1; round <= rounds; round++) {
			items[next] = plan->items[i];
			items[next].round = round;
			items[next++].rounds = rounds;
		}
	}
	free(plan->items);
	plan->items = items;
	plan->nr = nr;
	return 0;
}

int nvp_plan_make(struct nvp_plan *plan, const struct nvp_registry *registry,
		  const struct nvp_run_request *request, struct nvp_err *err)
{
	plan->nr = 0;
	plan->items = calloc(nvp_registry_nr(registry) + 1, sizeof(*plan->items));
	if (!plan->items)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the plan");
	for (size_t i = 0; i < request->nr_globs; i++) {
		if (check_glob(registry, request->globs[i], err))
			goto failed;
	}
	if (check_ids(registry, request, err) || check_rules(registry, request, err))
		goto failed;
	for (size_t i = 0; i < nvp_registry_nr(registry); i++) {
		if (wanted(request, nvp_registry_id(registry, i)))
			plan->items[plan->nr++] = (struct nvp_plan_item){
				.record = nvp_registry_case(registry, i),
				.id = nvp_registry_id(registry, i),
			};
	}
	if (!plan->nr) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "there is no case to run");
		goto failed;
	}
	if (request->shuffle && shuffle(plan, request->seed)) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the plan");
		goto failed;
	}
	if (repeat(plan, request, err))
		goto failed;
	return 0;
failed:
	nvp_plan_free(plan);
	return err && err->code ? err->code : -EINVAL;
}

void nvp_plan_free(struct nvp_plan *plan)
{
	free(plan->items);
	plan->items = NULL;
	plan->nr = 0;
}
