// SPDX-License-Identifier: GPL-2.0-or-later
// Does a file system lie on this drive? Also below device mapper and md, and where its number says nothing.

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/drive/kernel.h"

#define LAYERS 8u /* of dm and md, one on the other */

/* A namespace of the drive, or a partition of one. */
static bool is_part(const struct nvp_kernel_drive *drive, const char *name)
{
	for (unsigned i = 0; i < drive->nr_all; i++) {
		size_t length = strlen(drive->all[i].name);

		if (!strncmp(name, drive->all[i].name, length) &&
		    (!name[length] ||
		     (name[length] == 'p' && isdigit((unsigned char)name[length + 1]))))
			return true;
	}
	return false;
}

/* The device itself, or what it is made of; the name of the part is left in part. */
static bool belongs(const char *root, const struct nvp_kernel_drive *drive, const char *name,
		    unsigned layers, char part[64])
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = is_part(drive, name);
	DIR *dir;

	if (found || !layers) {
		snprintf(part, 64, "%.63s", name);
		return found;
	}
	snprintf(path, sizeof(path), "%s/sys/class/block/%.63s/slaves", root, name);
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			found = belongs(root, drive, entry->d_name, layers - 1, part);
	if (dir)
		closedir(dir);
	return found;
}

static void last_name(const char *path, char name[64])
{
	const char *slash = strrchr(path, '/');

	snprintf(name, 64, "%.63s", slash ? slash + 1 : path);
}

/* Where it is mounted, and the device that the mount names: btrfs and others have no number of one. */
static void look_at_mounts(const char *root, const char *number, char where[PATH_MAX], char name[64])
{
	char path[PATH_MAX], source[PATH_MAX], resolved[PATH_MAX], *line = NULL;
	size_t capacity = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	file = fopen(path, "re");
	while (file && !where[0] && getline(&line, &capacity, file) > 0) {
		char its[32], *dash = strstr(line, " - ");

		if (sscanf(line, "%*s %*s %31s %*s %4095s", its, path) != 2 || strcmp(its, number))
			continue;
		snprintf(where, PATH_MAX, "%s", path);
		if (name[0] || !dash || sscanf(dash, " - %*s %4000s", source) != 1)
			continue;
		snprintf(path, sizeof(path), "%s%.4000s", strncmp(source, "/dev/", 5) ? "" : root,
			 source);
		last_name(realpath(path, resolved) ? resolved : source, name);
	}
	free(line);
	if (file)
		fclose(file);
}

bool nvp_lies_on(const char *root, const struct nvp_kernel_drive *drive, unsigned major,
		 unsigned minor, char *text, size_t bytes)
{
	char path[PATH_MAX], resolved[PATH_MAX], where[PATH_MAX] = "", number[32];
	char name[64] = "", part[64];

	snprintf(number, sizeof(number), "%u:%u", major, minor);
	snprintf(path, sizeof(path), "%s/sys/dev/block/%s", root, number);
	if (realpath(path, resolved))
		last_name(resolved, name);
	look_at_mounts(root, number, where, name);
	if (!name[0] || !belongs(root, drive, name, LAYERS, part))
		return false;
	snprintf(text, bytes, "%.300s is on %s", where[0] ? where : "it", part);
	return true;
}
