// SPDX-License-Identifier: GPL-2.0-or-later
// The catalogue of defects, sorted, and what an address switches on.

#include "core/sim/defects.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/sim/world.h"

#define MAX_DEFECTS 768

static const struct nvp_defect_row *const parts[] = {
	nvp_defects_register, nvp_defects_queue, nvp_defects_completion, nvp_defects_transfer,
	nvp_defects_protection, nvp_defects_interrupt,
	nvp_defects_identify, nvp_defects_feature, nvp_defects_log, nvp_defects_io,
	nvp_defects_io_optional, nvp_defects_ocp, nvp_defects_firmware, nvp_defects_manage,
	nvp_defects_selftest, nvp_defects_power_cache, nvp_defects_power_data,
	nvp_defects_power_admin, nvp_defects_power_drive, nvp_defects_format,
	nvp_defects_sanitize, nvp_defects_namespace, nvp_defects_telemetry,
	nvp_defects_persistent,
};

/* The parts in the order of names; made once from const tables, never changed after that. */
static struct nvp_sim_defect catalogue[MAX_DEFECTS + 1];
static uint16_t hook_of[MAX_DEFECTS];
static size_t nr_defects;
static pthread_once_t catalogue_once = PTHREAD_ONCE_INIT;

static int by_name(const void *a, const void *b)
{
	const struct nvp_defect_row *const *x = a, *const *y = b;

	return strcmp((*x)->shown.name, (*y)->shown.name);
}

static void make_catalogue(void)
{
	const struct nvp_defect_row *sorted[MAX_DEFECTS];

	for (size_t p = 0; p < NVP_ARRAY_SIZE(parts); p++) {
		for (const struct nvp_defect_row *row = parts[p]; row->shown.name; row++) {
			if (nr_defects == MAX_DEFECTS)
				abort();	/* raise MAX_DEFECTS */
			sorted[nr_defects++] = row;
		}
	}
	qsort(sorted, nr_defects, sizeof(sorted[0]), by_name);
	for (size_t i = 0; i < nr_defects; i++) {
		catalogue[i] = sorted[i]->shown;
		hook_of[i] = sorted[i]->hook;
	}
}

const struct nvp_sim_defect *nvp_sim_defects(void)
{
	pthread_once(&catalogue_once, make_catalogue);
	return catalogue;
}

static const char *name_of(const void *list, size_t i)
{
	const struct nvp_sim_defect *defects = list;

	return defects[i].name;
}

/* Which parameter of the list "k=v:k=v" has this key: 0, 1, .. or -1; its default in *value. */
static int parameter_find(const char *list, const char *key, uint64_t *value)
{
	size_t key_bytes = strlen(key);
	int index = 0;

	for (const char *p = list; p && *p; index++) {
		size_t length = strcspn(p, ":");

		if (length > key_bytes && !strncmp(p, key, key_bytes) && p[key_bytes] == '=') {
			char number[24];

			snprintf(number, sizeof(number), "%.*s", (int)(length - key_bytes - 1),
				 p + key_bytes + 1);
			return nvp_parse_u64(number, value) ? -1 : index;
		}
		p += length;
		p += *p == ':';
	}
	return -1;
}

/* All defaults, in the order of the list. */
static void parameter_defaults(const char *list, uint64_t value[NVP_DEFECT_PARAMETERS])
{
	char copy[128];
	char *save = NULL;
	unsigned i = 0;

	snprintf(copy, sizeof(copy), "%s", list ? list : "");
	for (char *pair = strtok_r(copy, ":", &save); pair && i < NVP_DEFECT_PARAMETERS;
	     pair = strtok_r(NULL, ":", &save)) {
		char *key, *number;

		nvp_split_pair(pair, &key, &number);
		if (!number || nvp_parse_u64(number, &value[i++]))
			abort();	/* a table row that cannot be */
	}
}

static int parameter_set(const struct nvp_sim_defect *defect, struct nvp_defect_active *active,
			 char *pair, struct nvp_err *err)
{
	uint64_t unused;
	char *key, *number;
	int index;

	nvp_split_pair(pair, &key, &number);
	index = parameter_find(defect->parameters, key, &unused);
	if (index < 0) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "defect=%s has no parameter '%s'",
			    defect->name, key);
		if (defect->parameters)
			nvp_err_advice(err, "it takes %s", defect->parameters);
		return -EINVAL;
	}
	if (!number || nvp_parse_u64(number, &active->value[index]) ||
	    (!strcmp(key, "nth") && !active->value[index])) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "defect=%s: %s", defect->name, key);
		nvp_err_expected(err, "%s", !strcmp(key, "nth") ? "a number from 1" : "a number");
		nvp_err_seen(err, "'%s'", number ? number : "");
		return -EINVAL;
	}
	return 0;
}

static int defect_find(const char *name, size_t *row, struct nvp_err *err)
{
	const struct nvp_sim_defect *defects = nvp_sim_defects();
	const char *near;

	for (size_t i = 0; i < nr_defects; i++) {
		if (!strcmp(defects[i].name, name)) {
			*row = i;
			return 0;
		}
	}
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "unknown defect '%s'", name);
	near = nvp_nearest(name, name_of, defects, nr_defects);
	if (near)
		nvp_err_advice(err, "did you mean '%s'?", near);
	else
		nvp_err_advice(err, "'nvproof defects' lists them");
	return -EINVAL;
}

int nvp_defect_add(struct nvp_defect_set *set, const char *text, struct nvp_err *err)
{
	struct nvp_defect_active active = { .hook = NVP_HOOK_NONE };
	const struct nvp_sim_defect *defect;
	char copy[256];
	char *save = NULL;
	const char *name;
	size_t row;

	if (set->nr == NVP_DEFECT_MAX)
		return nvp_err_set(err, NVP_ERR_USAGE, -E2BIG,
				   "defect=%s: only %d defects at once", text, NVP_DEFECT_MAX);
	if (strlen(text) >= sizeof(copy))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "defect=%.40s..: too long", text);
	strcpy(copy, text);
	name = strtok_r(copy, ":", &save);
	if (defect_find(name ? name : "", &row, err))
		return -EINVAL;
	defect = &nvp_sim_defects()[row];
	active.row = (uint16_t)row;
	active.hook = hook_of[row];
	parameter_defaults(defect->parameters, active.value);
	for (char *pair = strtok_r(NULL, ":", &save); pair; pair = strtok_r(NULL, ":", &save)) {
		if (parameter_set(defect, &active, pair, err))
			return -EINVAL;
	}
	set->active[set->nr++] = active;
	set->mask[active.hook / 64] |= UINT64_C(1) << (active.hook % 64);
	return 0;
}

uint64_t nvp_defect_value(const struct nvp_sim *w, enum nvp_hook hook, const char *key,
			  uint64_t otherwise)
{
	const struct nvp_defect_set *set = &w->config->defects;

	for (unsigned i = 0; i < set->nr; i++) {
		const struct nvp_defect_active *active = &set->active[i];
		uint64_t unused;
		int index;

		if (active->hook != hook)
			continue;
		index = parameter_find(nvp_sim_defects()[active->row].parameters, key, &unused);
		return index < 0 ? otherwise : active->value[index];
	}
	return otherwise;
}

bool nvp_defect_nth(struct nvp_sim *w, enum nvp_hook hook)
{
	if (!nvp_defect(w, hook))
		return false;
	return ++w->defect_seen[hook] % nvp_defect_value(w, hook, "nth", 1) == 0;
}
