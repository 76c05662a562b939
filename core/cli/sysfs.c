// SPDX-License-Identifier: GPL-2.0-or-later
// NVMe controllers and namespaces from sysfs.

#include "core/cli/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/parse.h"
#include "core/base/text.h"

#define SECTOR_BYTES 512	/* of the attribute "size", whatever the format */

/* An attribute without spaces at its end; empty when there is none. What drives say is not trusted. */
static void read_attribute(const char *folder, const char *name, char *text, size_t bytes)
{
	struct nvp_text path = { 0 };
	char raw[256];
	size_t nr = 0;
	FILE *file;

	text[0] = '\0';
	nvp_text_addf(&path, "%s/%s", folder, name);
	file = fopen(nvp_text_str(&path), "re");
	nvp_text_free(&path);
	if (!file)
		return;
	nr = fread(raw, 1, bytes - 1 < sizeof(raw) ? bytes - 1 : sizeof(raw), file);
	fclose(file);
	while (nr && raw[nr - 1] == '\n')
		nr--;
	nvp_ascii_text(raw, nr, text);
}

/* "nvme0n1", or with multipath "nvme0c1n1", which the device node "nvme0n1" leads to. */
static bool is_namespace(const char *entry, char *node, size_t bytes)
{
	unsigned subsystem, controller, ns;
	int end = 0;

	if (sscanf(entry, "nvme%uc%un%u%n", &subsystem, &controller, &ns, &end) == 3 &&
	    !entry[end]) {
		snprintf(node, bytes, "nvme%un%u", subsystem, ns);
		return true;
	}
	end = 0;
	if (sscanf(entry, "nvme%un%u%n", &controller, &ns, &end) != 2 || !end || entry[end])
		return false;
	snprintf(node, bytes, "nvme%un%u", controller, ns);
	return true;
}

static int by_ns(const void *a, const void *b)
{
	return strverscmp(((const struct nvp_listed_ns *)a)->name,
			  ((const struct nvp_listed_ns *)b)->name);
}

static void read_namespaces(const char *folder, struct nvp_listed_drive *drive)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && drive->nr_ns < NVP_LISTED_NS_MOST && (entry = readdir(dir))) {
		struct nvp_listed_ns *ns = &drive->ns[drive->nr_ns];
		struct nvp_text path = { 0 };
		uint64_t sectors = 0;
		char size[32];

		if (!is_namespace(entry->d_name, ns->name, sizeof(ns->name)))
			continue;
		nvp_text_addf(&path, "%s/%s", folder, entry->d_name);
		read_attribute(nvp_text_str(&path), "size", size, sizeof(size));
		nvp_text_free(&path);
		if (nvp_parse_u64_range(size, 0, UINT64_MAX / SECTOR_BYTES, &sectors))
			sectors = 0;
		ns->bytes = sectors * SECTOR_BYTES;
		drive->nr_ns++;
	}
	if (dir)
		closedir(dir);
	qsort(drive->ns, drive->nr_ns, sizeof(drive->ns[0]), by_ns);
}

static void read_drive(const char *class, const char *name, struct nvp_listed_drive *drive)
{
	struct nvp_text folder = { 0 };

	memset(drive, 0, sizeof(*drive));
	snprintf(drive->name, sizeof(drive->name), "%.31s", name);
	nvp_text_addf(&folder, "%s/%s", class, name);
	read_attribute(nvp_text_str(&folder), "serial", drive->serial, sizeof(drive->serial));
	read_attribute(nvp_text_str(&folder), "model", drive->model, sizeof(drive->model));
	read_attribute(nvp_text_str(&folder), "firmware_rev", drive->firmware,
		       sizeof(drive->firmware));
	read_attribute(nvp_text_str(&folder), "transport", drive->transport,
		       sizeof(drive->transport));
	read_attribute(nvp_text_str(&folder), "address", drive->address, sizeof(drive->address));
	read_attribute(nvp_text_str(&folder), "state", drive->state, sizeof(drive->state));
	read_namespaces(nvp_text_str(&folder), drive);
	nvp_text_free(&folder);
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(((const struct nvp_listed_drive *)a)->name,
			  ((const struct nvp_listed_drive *)b)->name);
}

int nvp_list_drives(const char *sysfs, struct nvp_listed_drive **drives, size_t *nr,
		    struct nvp_err *err)
{
	struct nvp_listed_drive *grown;
	struct nvp_text class = { 0 };
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	*drives = NULL;
	*nr = 0;
	nvp_text_addf(&class, "%s/class/nvme", sysfs);
	dir = opendir(nvp_text_str(&class));
	/* No class: the driver is not loaded, so there is no drive of the kernel's. */
	if (!dir && errno != ENOENT)
		rc = nvp_err_set(err, NVP_ERR_BROKEN, -errno, "read %s: %s", nvp_text_str(&class),
				 strerror(errno));
	while (dir && !rc && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "nvme", 4) || strlen(entry->d_name) > 31)
			continue;
		grown = reallocarray(*drives, *nr + 1, sizeof(*grown));
		if (!grown) {
			rc = nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "list drives: out of memory");
			break;
		}
		*drives = grown;
		read_drive(nvp_text_str(&class), entry->d_name, &grown[(*nr)++]);
	}
	if (dir)
		closedir(dir);
	nvp_text_free(&class);
	if (*nr)
		qsort(*drives, *nr, sizeof(**drives), by_name);
	if (rc) {
		free(*drives);
		*drives = NULL;
		*nr = 0;
	}
	return rc;
}
