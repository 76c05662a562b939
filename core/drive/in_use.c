// SPDX-License-Identifier: GPL-2.0-or-later
// Is this drive somebody's? Mounts, swap, holders, and what is written on it.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/drive/kernel.h"

/* A block device, whole or partition, that must not be in use. */
struct device {
	char name[32];
	char number[32];  /* "259:1" */
	char folder[160]; /* in sysfs */
};

struct search {
	const char *root;
	char *text;
	size_t bytes;
};

static int found(const struct search *s, const struct device *device, const char *how,
		 const char *what)
{
	snprintf(s->text, s->bytes, "%s %s %s", device->name, how, what);
	return 2;
}

/* mountinfo writes a space as \040, and so on (proc(5)). */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] && text[3]) {
			*to++ = (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + text[3] - '0');
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

static int check_mounts(const struct search *s, const struct device *device)
{
	char path[PATH_MAX], *line = NULL;
	size_t capacity = 0;
	FILE *file;
	int rc = 0;

	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", s->root);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (!rc && getline(&line, &capacity, file) > 0) {
		char number[32], where[PATH_MAX], source[PATH_MAX] = "", dev[64];
		char *dash = strstr(line, " - ");

		if (sscanf(line, "%*s %*s %31s %*s %4095s", number, where) != 2)
			continue;
		/* btrfs and others mount under a number of their own: then the source names it. */
		if (dash)
			sscanf(dash, " - %*s %4095s", source);
		snprintf(dev, sizeof(dev), "/dev/%s", device->name);
		unescape(where);
		if (!strcmp(number, device->number) || !strcmp(source, dev))
			rc = found(s, device, "is mounted on", where);
	}
	free(line);
	fclose(file);
	return rc;
}

static int check_swap(const struct search *s, const struct device *device)
{
	char path[PATH_MAX], line[PATH_MAX + 64], dev[64];
	FILE *file;
	int rc = 0;

	snprintf(path, sizeof(path), "%s/proc/swaps", s->root);
	snprintf(dev, sizeof(dev), "/dev/%s", device->name);
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? 0 : -errno; /* a kernel without swap has no such file */
	while (!rc && fgets(line, sizeof(line), file)) {
		line[strcspn(line, " \t\n")] = '\0';
		if (!strcmp(line, dev))
			rc = found(s, device, "is used for", "swap");
	}
	fclose(file);
	return rc;
}

static int check_holders(const struct search *s, const struct device *device)
{
	char path[PATH_MAX];
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s%s/holders", s->root, device->folder);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while (!rc && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			rc = found(s, device, "is held by", entry->d_name);
	closedir(dir);
	return rc;
}

/* A loop device is no holder in the kernel's eyes, though a file system may lie on it. */
static int check_loops(const struct search *s, const struct device *device)
{
	char path[PATH_MAX], backing[PATH_MAX], dev[64];
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/class/block", s->root);
	snprintf(dev, sizeof(dev), "/dev/%s", device->name);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (!rc && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "loop", 4))
			continue;
		snprintf(path, sizeof(path), "/sys/class/block/%.64s/loop/backing_file",
			 entry->d_name);
		if (!nvp_read_line(s->root, path, backing, sizeof(backing)) && !strcmp(backing, dev))
			rc = found(s, device, "is held by", entry->d_name);
	}
	closedir(dir);
	return rc;
}

static int check_device(const struct search *s, struct device *device)
{
	char path[PATH_MAX];
	int rc;

	snprintf(path, sizeof(path), "%s/dev", device->folder);
	rc = nvp_read_line(s->root, path, device->number, sizeof(device->number));
	if (!rc)
		rc = check_mounts(s, device);
	if (!rc)
		rc = check_swap(s, device);
	if (!rc)
		rc = check_holders(s, device);
	if (!rc)
		rc = check_loops(s, device);
	return rc;
}

static int check_partitions(const struct search *s, const char *name)
{
	char path[PATH_MAX];
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/class/block/%s", s->root, name);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (!rc && (entry = readdir(dir))) {
		struct device part = { 0 };
		size_t length = strlen(name);

		if (strncmp(entry->d_name, name, length) || entry->d_name[length] != 'p' ||
		    strlen(entry->d_name) >= sizeof(part.name))
			continue;
		snprintf(part.name, sizeof(part.name), "%.31s", entry->d_name);
		snprintf(part.folder, sizeof(part.folder), "/sys/class/block/%s/%s", name,
			 part.name);
		rc = check_device(s, &part);
	}
	closedir(dir);
	return rc;
}

/*
 * The kernel's own word: an exclusive open fails while the device or a partition of it is mounted
 * in any mount namespace, is swap, or belongs to dm or md. The lists above name who; this finds
 * what they cannot show, such as a mount inside a container.
 */
static int check_claim(const struct search *s, const struct device *whole)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/%s", s->root, whole->name);
	fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);
	if (fd < 0 && errno == EBUSY)
		return found(s, whole, "is claimed by",
			     "something this process cannot see (a mount in a container?)");
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* What could not be looked at counts as used: nobody knows that it is not. */
static int unsure(const struct search *s, const char *name, int code)
{
	snprintf(s->text, s->bytes, "%s cannot be examined: %s", name, strerror(-code));
	return 2;
}

int nvp_in_use(const char *root, const struct nvp_kernel_drive *drive, char *text, size_t bytes)
{
	struct search s = { .root = root, .text = text, .bytes = bytes };
	int signature = 0;

	if (bytes)
		text[0] = '\0';
	for (unsigned i = 0; i < drive->nr_all; i++) {
		struct device whole = { 0 };
		int rc;

		snprintf(whole.name, sizeof(whole.name), "%s", drive->all[i].name);
		snprintf(whole.folder, sizeof(whole.folder), "/sys/class/block/%s", whole.name);
		rc = check_device(&s, &whole);
		if (!rc)
			rc = check_partitions(&s, whole.name);
		if (!rc)
			rc = check_claim(&s, &whole);
		if (rc)
			return rc < 0 ? unsure(&s, whole.name, rc) : rc;
	}
	for (unsigned i = 0; i < drive->nr_all && !signature; i++) {
		char device[PATH_MAX], what[64];
		int rc;

		snprintf(device, sizeof(device), "%s/dev/%s", root, drive->all[i].name);
		rc = nvp_signature(device, what, sizeof(what));
		if (rc < 0)
			snprintf(what, sizeof(what), "something that cannot be read (%s)",
				 strerror(-rc));
		if (rc) {
			snprintf(text, bytes, "%s carries %s", drive->all[i].name, what);
			signature = 1;
		}
	}
	return signature;
}

int nvp_drive_used_by(const char *address, char *text, size_t bytes)
{
	struct nvp_kernel_drive drive;
	struct nvp_err err = { 0 };
	int rc;

	text[0] = '\0';
	if (address[0] != '/')
		return 0;
	if (nvp_kernel_find("", address, &drive, &err)) {
		nvp_err_text(&err, text, bytes);
		return err.code;
	}
	rc = nvp_in_use("", &drive, text, bytes);
	nvp_kernel_forget(&drive);
	return rc;
}
