// SPDX-License-Identifier: GPL-2.0-or-later
// NVMe controllers and namespaces from sysfs.

#include "core/cli/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/base/text.h"

#define SECTOR_BYTES 512	/* of the attribute "size", whatever the format */
#define CLASS_NVME "0x010802"	/* NVM Express I/O controller (PCI Code and ID Assignment 1.11, 1.2) */

struct listed {
	struct nvp_listed_drive *drives;
	size_t nr;
};

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

/* 0 when there is no such number, or a larger one. */
static uint64_t read_number(const char *folder, const char *name, uint64_t most)
{
	char word[32];
	uint64_t value;

	read_attribute(folder, name, word, sizeof(word));
	return nvp_parse_u64_range(word, 0, most, &value) ? 0 : value;
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

		if (!is_namespace(entry->d_name, ns->name, sizeof(ns->name)))
			continue;
		nvp_text_addf(&path, "%s/%s", folder, entry->d_name);
		ns->bytes = SECTOR_BYTES *
			    read_number(nvp_text_str(&path), "size", UINT64_MAX / SECTOR_BYTES);
		ns->block_bytes = read_number(nvp_text_str(&path), "queue/logical_block_size",
					      UINT32_MAX);
		nvp_text_free(&path);
		drive->nr_ns++;
	}
	if (dir)
		closedir(dir);
	qsort(drive->ns, drive->nr_ns, sizeof(drive->ns[0]), by_ns);
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* All namespaces together: bytes, and which sizes of blocks there are. */
static void add_up(struct nvp_listed_drive *drive)
{
	uint64_t sizes[NVP_LISTED_NS_MOST], last = 0;
	size_t at = 0;

	for (size_t i = 0; i < drive->nr_ns; i++) {
		drive->bytes += drive->ns[i].bytes;
		sizes[i] = drive->ns[i].block_bytes;
	}
	qsort(sizes, drive->nr_ns, sizeof(sizes[0]), by_size);
	for (size_t i = 0; i < drive->nr_ns && at < sizeof(drive->format); i++) {
		if (sizes[i] != last)
			at += (size_t)snprintf(drive->format + at, sizeof(drive->format) - at,
					       "%s%" PRIu64, at ? " " : "", sizes[i]);
		last = sizes[i];
	}
}

/* ---- PCI ---- */

/* SYSFS/bus/pci/slots/3/address is "0000:01:00": the device without its function. */
static void read_slot(const char *sysfs, struct nvp_listed_drive *drive)
{
	struct nvp_text folder = { 0 };
	struct dirent *entry;
	DIR *dir;

	nvp_text_addf(&folder, "%s/bus/pci/slots", sysfs);
	dir = opendir(nvp_text_str(&folder));
	while (dir && !drive->slot[0] && (entry = readdir(dir))) {
		struct nvp_text slot = { 0 };
		char address[32];
		size_t length;

		nvp_text_addf(&slot, "%s/%s", nvp_text_str(&folder), entry->d_name);
		read_attribute(nvp_text_str(&slot), "address", address, sizeof(address));
		nvp_text_free(&slot);
		length = strlen(address);
		if (length && !strncmp(drive->transport_address, address, length) &&
		    drive->transport_address[length] == '.')
			snprintf(drive->slot, sizeof(drive->slot), "%.15s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	nvp_text_free(&folder);
}

static void read_link(const char *device, struct nvp_listed_drive *drive)
{
	char now[20], width[4], most[20], widest[4];

	read_attribute(device, "current_link_speed", now, sizeof(now));
	read_attribute(device, "current_link_width", width, sizeof(width));
	read_attribute(device, "max_link_speed", most, sizeof(most));
	read_attribute(device, "max_link_width", widest, sizeof(widest));
	if (!now[0] || !width[0])
		return;
	snprintf(drive->link, sizeof(drive->link), "%s x%s", now, width);
	if (most[0] && widest[0] && (strcmp(now, most) || strcmp(width, widest)))
		snprintf(drive->link, sizeof(drive->link), "%s x%s of %s x%s", now, width, most,
			 widest);
}

/* What the function below the drive says; nothing for a fabric. */
static void read_function(const char *sysfs, struct nvp_listed_drive *drive)
{
	struct nvp_text device = { 0 }, link = { 0 };
	char target[256];
	ssize_t length;

	nvp_text_addf(&device, "%s/bus/pci/devices/%s", sysfs, drive->transport_address);
	read_link(nvp_text_str(&device), drive);
	nvp_text_addf(&link, "%s/driver", nvp_text_str(&device));
	length = readlink(nvp_text_str(&link), target, sizeof(target) - 1);
	if (length > 0) {
		target[length] = '\0';
		snprintf(drive->driver, sizeof(drive->driver), "%.31s", basename(target));
	}
	read_slot(sysfs, drive);
	nvp_text_free(&device);
	nvp_text_free(&link);
}

/* ---- the list ---- */

static struct nvp_listed_drive *add_drive(struct listed *list)
{
	struct nvp_listed_drive *grown = reallocarray(list->drives, list->nr + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	list->drives = grown;
	memset(&grown[list->nr], 0, sizeof(*grown));
	return &grown[list->nr++];
}

static int add_controller(const char *sysfs, const char *name, struct listed *list)
{
	struct nvp_listed_drive *drive;
	struct nvp_text folder = { 0 };

	if (strncmp(name, "nvme", 4) || strlen(name) > 31)
		return 0;
	drive = add_drive(list);
	if (!drive)
		return -ENOMEM;
	const struct {
		const char *attribute;
		char *text;
		size_t bytes;
	} texts[] = {
		{ "serial", drive->serial, sizeof(drive->serial) },
		{ "model", drive->model, sizeof(drive->model) },
		{ "firmware_rev", drive->firmware, sizeof(drive->firmware) },
		{ "transport", drive->transport, sizeof(drive->transport) },
		{ "address", drive->transport_address, sizeof(drive->transport_address) },
		{ "state", drive->state, sizeof(drive->state) },
	};

	snprintf(drive->address, sizeof(drive->address), "/dev/%.31s", name);
	nvp_text_addf(&folder, "%s/class/nvme/%s", sysfs, name);
	for (size_t i = 0; i < NVP_ARRAY_SIZE(texts); i++)
		read_attribute(nvp_text_str(&folder), texts[i].attribute, texts[i].text,
			       texts[i].bytes);
	read_namespaces(nvp_text_str(&folder), drive);
	nvp_text_free(&folder);
	add_up(drive);
	if (!strcmp(drive->transport, "pcie"))
		read_function(sysfs, drive);
	return 0;
}

/* An NVMe function that no controller of the list stands for. */
static int add_function(const char *sysfs, const char *name, struct listed *list)
{
	struct nvp_listed_drive *drive;
	struct nvp_text folder = { 0 };
	char class[16];

	nvp_text_addf(&folder, "%s/bus/pci/devices/%s", sysfs, name);
	read_attribute(nvp_text_str(&folder), "class", class, sizeof(class));
	nvp_text_free(&folder);
	if (strcmp(class, CLASS_NVME) || strlen(name) >= sizeof(drive->transport_address))
		return 0;
	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(list->drives[i].transport_address, name))
			return 0;
	drive = add_drive(list);
	if (!drive)
		return -ENOMEM;
	snprintf(drive->transport_address, sizeof(drive->transport_address), "%.63s", name);
	snprintf(drive->address, sizeof(drive->address), "pci:%.63s", name);
	snprintf(drive->transport, sizeof(drive->transport), "pcie");
	read_function(sysfs, drive);
	return 0;
}

/* Give each entry of SYSFS/FOLDER to add; no such folder is no entry. */
static int each(const char *sysfs, const char *folder, struct listed *list,
		int (*add)(const char *sysfs, const char *name, struct listed *list),
		struct nvp_err *err)
{
	struct nvp_text path = { 0 };
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	nvp_text_addf(&path, "%s/%s", sysfs, folder);
	dir = opendir(nvp_text_str(&path));
	if (!dir && errno != ENOENT)
		rc = nvp_err_set(err, NVP_ERR_BROKEN, -errno, "read %s: %s", nvp_text_str(&path),
				 strerror(errno));
	while (dir && !rc && (entry = readdir(dir))) {
		if (entry->d_name[0] != '.' && add(sysfs, entry->d_name, list))
			rc = nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "list drives: out of memory");
	}
	if (dir)
		closedir(dir);
	nvp_text_free(&path);
	return rc;
}

static int by_address(const void *a, const void *b)
{
	return strverscmp(((const struct nvp_listed_drive *)a)->address,
			  ((const struct nvp_listed_drive *)b)->address);
}

int nvp_list_drives(const char *sysfs, struct nvp_listed_drive **drives, size_t *nr,
		    struct nvp_err *err)
{
	struct listed list = { 0 };
	int rc = each(sysfs, "class/nvme", &list, add_controller, err);

	if (!rc)
		rc = each(sysfs, "bus/pci/devices", &list, add_function, err);
	if (rc) {
		free(list.drives);
		list = (struct listed){ 0 };
	}
	if (list.nr)
		qsort(list.drives, list.nr, sizeof(*list.drives), by_address);
	*drives = list.drives;
	*nr = list.nr;
	return rc;
}
