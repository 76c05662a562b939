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

static bool wanted(const struct nvp_run_request *request, const char *id)
{
	if (!listed(request, id))
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
	uint32_t rounds = request->repeat ? request->repeat : 1;
	size_t nr = plan->nr * rounds;
	struct nvp_plan_item *items;

	if (rounds > NVP_PLAN_MOST || nr > NVP_PLAN_MOST) {
		nvp_err_set(err, NVP_ERR_USAGE, -E2BIG, "the plan is too long: %zu cases, %u times",
			    plan->nr, rounds);
		nvp_err_expected(err, "at most %u in all", NVP_PLAN_MOST);
		return -E2BIG;
	}
	items = calloc(nr, sizeof(*items));
	if (!items)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the plan");
	for (size_t i = 0; i < nr; i++) {
		items[i] = plan->items[i / rounds];
		items[i].round = (uint32_t)(i % rounds) + 1;
		items[i].rounds = rounds;
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
	if (check_ids(registry, request, err))
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
