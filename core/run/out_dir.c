// SPDX-License-Identifier: GPL-2.0-or-later
// Run directories: new or empty, one for each drive.

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/run/slot.h"

#define DEFAULT_PARENT "nvproof-runs"

/* A serial number as the name of a folder: what the drive says is not trusted with slashes. */
static const char *folder_name(const char *serial, char name[64])
{
	size_t n = 0;

	for (; serial[n] && n < 63; n++)
		name[n] = isalnum((unsigned char)serial[n]) || strchr("-_.", serial[n]) ? serial[n] :
											  '_';
	name[n] = '\0';
	if (!n)
		name[1] = '\0';
	if (!n || name[0] == '.')
		name[0] = '_';
	return name;
}

static int cannot_make(struct nvp_err *err, const char *path)
{
	int rc = -errno;

	nvp_err_set(err, NVP_ERR_BROKEN, rc, "make the run directory %.140s: %s", path,
		    strerror(-rc));
	return rc;
}

/* mkdir -p */
static int make_parents(char *path, struct nvp_err *err)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int rc;

		*slash = '\0';
		rc = mkdir(path, 0777) && errno != EEXIST ? cannot_make(err, path) : 0;
		*slash = '/';
		if (rc)
			return rc;
	}
	return 0;
}

/* 1 empty, 0 not, or a negative errno. */
static int is_empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int empty = 1;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			empty = 0;
	}
	closedir(dir);
	return empty;
}

static int make_given(struct nvp_run *run, struct nvp_err *err)
{
	const char *given = run->request->out_dir;
	int empty;

	if (!*given || strlen(given) >= sizeof(run->top) - 80)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "-o: no usable name of a folder");
	snprintf(run->top, sizeof(run->top), "%s", given);
	for (size_t n = strlen(run->top); n > 1 && run->top[n - 1] == '/'; n--)
		run->top[n - 1] = '\0';
	if (make_parents(run->top, err))
		return err && err->code ? err->code : -EIO;
	if (!mkdir(run->top, 0777))
		return 0;
	if (errno != EEXIST)
		return cannot_make(err, run->top);
	empty = is_empty(run->top);
	if (empty == -ENOTDIR)
		return nvp_err_set(err, NVP_ERR_USAGE, -ENOTDIR, "-o %.160s: not a folder", given);
	if (empty < 0) {
		errno = -empty;
		return cannot_make(err, run->top);
	}
	if (!empty) {
		nvp_err_set(err, NVP_ERR_USAGE, -ENOTEMPTY, "-o %.160s: the folder is not empty",
			    given);
		nvp_err_advice(err, "a run directory is new or empty");
		return -ENOTEMPTY;
	}
	return 0;
}

/* nvproof-runs/TIME-SERIAL, or TIME-N-drives; a number behind it when that exists. */
static int make_default(struct nvp_run *run, struct nvp_err *err)
{
	char stamp[32], name[64], what[96];
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &utc);
	if (run->nr_slots == 1)
		snprintf(what, sizeof(what), "%s",
			 folder_name(nvp_prepared_serial(run->slots[0].prepared), name));
	else
		snprintf(what, sizeof(what), "%zu-drives", run->nr_slots);
	if (mkdir(DEFAULT_PARENT, 0777) && errno != EEXIST)
		return cannot_make(err, DEFAULT_PARENT);
	for (unsigned n = 1; n < 1000; n++) {
		int length = snprintf(run->top, sizeof(run->top), DEFAULT_PARENT "/%s-%s", stamp, what);

		if (n > 1)
			snprintf(run->top + length, sizeof(run->top) - (size_t)length, "-%u", n);
		if (!mkdir(run->top, 0777))
			return 0;
		if (errno != EEXIST)
			break;
	}
	return cannot_make(err, run->top);
}

int nvp_out_dirs(struct nvp_run *run, struct nvp_err *err)
{
	int rc = run->request->out_dir ? make_given(run, err) : make_default(run, err);

	for (size_t i = 0; !rc && i < run->nr_slots; i++) {
		struct nvp_slot *slot = &run->slots[i];
		char name[64];

		if (run->nr_slots == 1) {
			snprintf(slot->dir, sizeof(slot->dir), "%s", run->top);
			continue;
		}
		folder_name(nvp_prepared_serial(slot->prepared), name);
		if (snprintf(slot->dir, sizeof(slot->dir), "%s/%s", run->top, name) >=
		    (int)sizeof(slot->dir))
			return nvp_err_set(err, NVP_ERR_USAGE, -ENAMETOOLONG, "-o: the name is too long");
		if (mkdir(slot->dir, 0777))
			rc = cannot_make(err, slot->dir);
	}
	return rc;
}
