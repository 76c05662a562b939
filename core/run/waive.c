// SPDX-License-Identifier: GPL-2.0-or-later
// Waiver files: reading them strictly, and matching them.

#include "core/run/waive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/bits.h"
#include "core/base/ini.h"
#include "core/base/parse.h"
#include "core/run/plan.h"

/* Keys of a waiver that are plain texts, and where they go. */
static const struct {
	const char *key;
	size_t offset;
} text_keys[] = {
	{ "case", offsetof(struct nvp_waiver, case_glob) },
	{ "model", offsetof(struct nvp_waiver, model) },
	{ "firmware", offsetof(struct nvp_waiver, firmware) },
	{ "path", offsetof(struct nvp_waiver, path) },
	{ "class", offsetof(struct nvp_waiver, failure_class) },
	{ "evidence", offsetof(struct nvp_waiver, evidence) },
	{ "bug", offsetof(struct nvp_waiver, bug) },
	{ "expires", offsetof(struct nvp_waiver, expires) },
};

#define UNTIL_KEY "until-firmware-changes"

static const char *key_name(const void *list, size_t i)
{
	(void)list;
	return i < NVP_ARRAY_SIZE(text_keys) ? text_keys[i].key : UNTIL_KEY;
}

static int bad(const struct nvp_ini_entry *e, struct nvp_err *err, const char *why)
{
	return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s:%u: %s", e->path, e->line, why);
}

static int bad_waiver(const struct nvp_waiver *w, struct nvp_err *err, const char *why)
{
	return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s: waiver '%s' %s", w->file, w->name, why);
}

/* The waiver of this section; a new one when the section is new. NULL and *err otherwise. */
static struct nvp_waiver *waiver_of(struct nvp_waivers *waivers, const struct nvp_ini_entry *e,
				    struct nvp_err *err)
{
	const char *name = e->section + strlen("waiver ");
	struct nvp_waiver *grown;

	if (strncmp(e->section, "waiver ", strlen("waiver ")) || !*name) {
		bad(e, err, "only sections [waiver NAME] stand in a waiver file");
		return NULL;
	}
	for (size_t i = 0; i < waivers->nr; i++) {
		if (!strcmp(waivers->list[i].name, name)) {
			if (i + 1 == waivers->nr && waivers->list[i].file == e->path)
				return &waivers->list[i];
			nvp_err_set(err, NVP_ERR_USAGE, -EEXIST, "%s:%u: a second waiver '%s'",
				    e->path, e->line, name);
			return NULL;
		}
	}
	grown = realloc(waivers->list, (waivers->nr + 1) * sizeof(*grown));
	if (!grown) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for waivers");
		return NULL;
	}
	waivers->list = grown;
	grown[waivers->nr] = (struct nvp_waiver){
		.name = strdup(name), .file = e->path, .line = e->line,
	};
	return grown[waivers->nr].name ? &grown[waivers->nr++] : NULL;
}

static int take_text(struct nvp_waiver *w, size_t i, const struct nvp_ini_entry *e,
		     struct nvp_err *err)
{
	char **field = (char **)(void *)((char *)w + text_keys[i].offset);

	if (*field)
		return bad(e, err, "this key stands twice in one waiver");
	if (!*e->value)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s:%u: %s= has no value", e->path,
				   e->line, e->key);
	*field = strdup(e->value);
	return *field ? 0 : nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for waivers");
}

static int take_entry(void *context, const struct nvp_ini_entry *e, struct nvp_err *err)
{
	struct nvp_waiver *w = waiver_of(context, e, err);
	const char *near;

	if (!w)
		return err && err->code ? err->code : -ENOMEM;
	for (size_t i = 0; i < NVP_ARRAY_SIZE(text_keys); i++) {
		if (!strcmp(e->key, text_keys[i].key))
			return take_text(w, i, e, err);
	}
	if (!strcmp(e->key, UNTIL_KEY)) {
		if (nvp_parse_bool(e->value, &w->until_firmware_changes))
			return bad(e, err, UNTIL_KEY " is yes or no");
		return 0;
	}
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s:%u: a waiver has no key '%.60s'", e->path,
		    e->line, e->key);
	near = nvp_nearest(e->key, key_name, NULL, NVP_ARRAY_SIZE(text_keys) + 1);
	if (near)
		nvp_err_advice(err, "did you mean '%s'?", near);
	return -EINVAL;
}

/* A day of the calendar, written YYYY-MM-DD. */
static bool is_day(const char *text)
{
	struct tm day = { .tm_hour = 12 };
	struct tm given;
	const char *end;
	char again[16];

	if (strlen(text) != 10)
		return false;
	end = strptime(text, "%Y-%m-%d", &day);
	if (!end || *end)
		return false;
	given = day;
	timegm(&day);	/* 31 February becomes another day */
	return day.tm_mday == given.tm_mday && day.tm_mon == given.tm_mon &&
	       strftime(again, sizeof(again), "%Y-%m-%d", &day) == 10 && !strcmp(again, text);
}

static int check_waiver(const struct nvp_waiver *w, const struct nvp_registry *registry,
			struct nvp_err *err)
{
	bool matches = false;

	if (!w->case_glob)
		return bad_waiver(w, err, "has no case=");
	if (!w->evidence)
		return bad_waiver(w, err, "has no evidence=");
	if (!w->expires == !w->until_firmware_changes)
		return bad_waiver(w, err, "needs either expires=YYYY-MM-DD or " UNTIL_KEY "=yes");
	if (w->expires && !is_day(w->expires))
		return bad_waiver(w, err, "expires on no day: expires=YYYY-MM-DD");
	if (w->until_firmware_changes && !w->firmware)
		return bad_waiver(w, err, "names no firmware= that could change");
	if (w->path && strcmp(w->path, "kernel") && strcmp(w->path, "pci") &&
	    strcmp(w->path, "sim") && strcmp(w->path, "*"))
		return bad_waiver(w, err, "has an unknown path=: kernel, pci, sim or *");
	for (size_t i = 0; i < nvp_registry_nr(registry) && !matches; i++)
		matches = nvp_id_match(w->case_glob, nvp_registry_id(registry, i));
	if (!matches) {
		const char *near = nvp_registry_nearest(registry, w->case_glob);

		bad_waiver(w, err, "matches no case");
		nvp_err_seen(err, "case=%.100s", w->case_glob);
		if (near)
			nvp_err_advice(err, "the nearest is %s", near);
		return -EINVAL;
	}
	return 0;
}

int nvp_waivers_read(struct nvp_waivers *waivers, const char *const *files, size_t nr_files,
		     const struct nvp_registry *registry, struct nvp_err *err)
{
	int rc = 0;

	*waivers = (struct nvp_waivers){ 0 };
	for (size_t i = 0; !rc && i < nr_files; i++)
		rc = nvp_ini_read(files[i], take_entry, waivers, err);
	for (size_t i = 0; !rc && i < waivers->nr; i++)
		rc = check_waiver(&waivers->list[i], registry, err);
	if (rc)
		nvp_waivers_free(waivers);
	return rc;
}

void nvp_waivers_free(struct nvp_waivers *waivers)
{
	for (size_t i = 0; i < waivers->nr; i++) {
		struct nvp_waiver *w = &waivers->list[i];

		for (size_t k = 0; k < NVP_ARRAY_SIZE(text_keys); k++)
			free(*(char **)(void *)((char *)w + text_keys[k].offset));
		free(w->name);
	}
	free(waivers->list);
	*waivers = (struct nvp_waivers){ 0 };
}

static bool fits(const char *glob, const char *word)
{
	return !glob || nvp_glob_match(glob, word);
}

enum nvp_waiver_match nvp_waiver_match(const struct nvp_waiver *waiver, const char *id,
				       const struct nvp_waiver_drive *drive)
{
	if (!nvp_id_match(waiver->case_glob, id) || !fits(waiver->model, drive->model) ||
	    !fits(waiver->path, drive->path))
		return NVP_WAIVER_OTHER;
	if (!fits(waiver->firmware, drive->firmware))
		return waiver->until_firmware_changes ? NVP_WAIVER_FIRMWARE_CHANGED :
							NVP_WAIVER_OTHER;
	/* Days of this form sort as text. */
	if (waiver->expires && strcmp(drive->today, waiver->expires) > 0)
		return NVP_WAIVER_EXPIRED;
	return NVP_WAIVER_COUNTS;
}
