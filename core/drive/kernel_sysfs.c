// SPDX-License-Identifier: GPL-2.0-or-later
// From a device path to the controller, its serial number and its namespaces, as sysfs has them.

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/parse.h"
#include "core/drive/kernel.h"

int nvp_read_line(const char *root, const char *path, char *line, size_t bytes)
{
	char full[PATH_MAX];
	FILE *file;
	int rc = 0;

	if ((size_t)snprintf(full, sizeof(full), "%s%s", root, path) >= sizeof(full))
		return -ENAMETOOLONG;
	file = fopen(full, "re");
	if (!file)
		return -errno;
	if (!fgets(line, (int)bytes, file))
		rc = ferror(file) ? -EIO : -ENODATA;
	fclose(file);
	if (!rc)
		line[strcspn(line, "\n")] = '\0';
	return rc;
}

/* "nvme0", "nvme0n1" or "nvme0c1n1": numbers after "nvme", "c" and "n"; -1 where there is none. */
struct parts {
	long controller, path, ns;
};

static bool number_after(const char **at, const char *word, long *value)
{
	size_t length = strlen(word);
	char *end;

	if (strncmp(*at, word, length) || !isdigit((unsigned char)(*at)[length]))
		return false;
	*value = strtol(*at + length, &end, 10);
	*at = end;
	return true;
}

static bool split_name(const char *name, struct parts *parts)
{
	*parts = (struct parts){ -1, -1, -1 };
	if (!number_after(&name, "nvme", &parts->controller))
		return false;
	number_after(&name, "c", &parts->path);
	number_after(&name, "n", &parts->ns);
	return *name == '\0';
}

static int usage(struct nvp_err *err, int code, const char *path, const char *what)
{
	return nvp_err_set(err, NVP_ERR_USAGE, code, "drive \"%s\": %s", path, what);
}

static int check_node(const char *root, const char *path, struct nvp_err *err)
{
	char full[PATH_MAX];

	if ((size_t)snprintf(full, sizeof(full), "%s%s", root, path) >= sizeof(full))
		return usage(err, -ENAMETOOLONG, path, "the path is too long");
	if (access(full, F_OK))
		return usage(err, -errno, path,
			     errno == EACCES ? "no permission" : "does not exist");
	if (access(full, R_OK | W_OK)) {
		usage(err, -EACCES, path, "no permission to open it");
		nvp_err_advice(err, "run as root");
		return -EACCES;
	}
	return 0;
}

/* --- namespaces --------------------------------------------------------------------------- */

struct ns_list {
	struct nvp_kernel_ns *ns;
	unsigned nr;
};

static int add_ns(struct ns_list *list, uint32_t nsid, const char *name)
{
	struct nvp_kernel_ns *ns;

	for (unsigned i = 0; i < list->nr; i++)
		if (!strcmp(list->ns[i].name, name))
			return 0;
	if (list->nr == NVP_KERNEL_MAX_NS)
		return -E2BIG;
	ns = realloc(list->ns, (list->nr + 1) * sizeof(*ns));
	if (!ns)
		return -ENOMEM;
	list->ns = ns;
	ns += list->nr++;
	ns->nsid = nsid;
	snprintf(ns->name, sizeof(ns->name), "%s", name);
	return 0;
}

static int read_nsid(const char *root, const char *folder, const char *name, uint32_t *nsid)
{
	char path[PATH_MAX], line[32];
	uint64_t value;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s/nsid", folder, name) >= sizeof(path))
		return -ENAMETOOLONG;
	if (nvp_read_line(root, path, line, sizeof(line)) ||
	    nvp_parse_u64_range(line, 1, UINT32_MAX, &value))
		return -ENOENT;
	*nsid = (uint32_t)value;
	return 0;
}

/*
 * Namespaces below a controller. With multipath the controller has hidden "nvme0c0n1" and the
 * block device is "nvmeSn1" of the subsystem S: the same number behind n, below the subsystem.
 */
static int list_ns(const char *root, const char *controller, struct ns_list *list)
{
	char folder[PATH_MAX], full[PATH_MAX];
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	snprintf(folder, sizeof(folder), "/sys/class/nvme/%s", controller);
	if ((size_t)snprintf(full, sizeof(full), "%s%s", root, folder) >= sizeof(full))
		return -ENAMETOOLONG;
	dir = opendir(full);
	if (!dir)
		return -errno;
	while (!rc && (entry = readdir(dir))) {
		struct parts parts;
		char name[32];
		uint32_t nsid;

		if (!split_name(entry->d_name, &parts) || parts.ns < 0 ||
		    read_nsid(root, folder, entry->d_name, &nsid))
			continue;
		/* The hidden path node nvmeScCnN stands for the device nvmeSnN. */
		snprintf(name, sizeof(name), "nvme%ldn%ld", parts.controller, parts.ns);
		rc = add_ns(list, nsid, name);
	}
	closedir(dir);
	return rc;
}

static int compare_ns(const void *a, const void *b)
{
	const struct nvp_kernel_ns *x = a, *y = b;

	return x->nsid < y->nsid ? -1 : x->nsid > y->nsid;
}

/* --- the controller ----------------------------------------------------------------------- */

/* Visit the controllers that the kernel has; ends with the first result that is not 0. */
static int each_controller(const char *root,
			   int (*visit)(const char *root, const char *name, void *context),
			   void *context)
{
	char full[PATH_MAX];
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	if ((size_t)snprintf(full, sizeof(full), "%s/sys/class/nvme", root) >= sizeof(full))
		return -ENAMETOOLONG;
	dir = opendir(full);
	if (!dir)
		return -errno;
	while (!rc && (entry = readdir(dir))) {
		struct parts parts;

		if (split_name(entry->d_name, &parts) && parts.ns < 0)
			rc = visit(root, entry->d_name, context);
	}
	closedir(dir);
	return rc;
}

struct owner {
	const char *ns_name;
	struct nvp_kernel_drive *out;
};

/* 1 when this controller has the namespace among its own. */
static int owns(const char *root, const char *name, void *context)
{
	struct owner *owner = context;
	struct ns_list list = { 0 };
	int rc = 0;

	if (!list_ns(root, name, &list)) {
		for (unsigned i = 0; i < list.nr && !rc; i++) {
			if (strcmp(list.ns[i].name, owner->ns_name))
				continue;
			snprintf(owner->out->controller, sizeof(owner->out->controller), "%.30s",
				 name);
			owner->out->only_nsid = list.ns[i].nsid;
			rc = 1;
		}
	}
	free(list.ns);
	return rc;
}

static void read_attribute(const char *root, const char *controller, const char *attribute,
			   char *value, size_t bytes)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/class/nvme/%.30s/%s", controller, attribute);
	if (nvp_read_line(root, path, value, bytes))
		value[0] = '\0';
}

struct neighbours {
	const struct nvp_kernel_drive *drive;
	struct ns_list list;
};

/* Add the namespaces of a controller of the same NVM subsystem. */
static int add_neighbour(const char *root, const char *name, void *context)
{
	struct neighbours *n = context;
	char subsystem[sizeof(n->drive->subsystem)];

	read_attribute(root, name, "subsysnqn", subsystem, sizeof(subsystem));
	if (strcmp(name, n->drive->controller) &&
	    (!subsystem[0] || strcmp(subsystem, n->drive->subsystem)))
		return 0;
	return list_ns(root, name, &n->list);
}

/* Serial, namespaces, and those of the whole subsystem. */
static int fill(const char *root, struct nvp_kernel_drive *out)
{
	struct neighbours n = { .drive = out };
	struct ns_list own = { 0 };
	int rc = list_ns(root, out->controller, &own);

	out->ns = own.ns;
	out->nr_ns = own.nr;
	read_attribute(root, out->controller, "serial", out->serial, sizeof(out->serial));
	read_attribute(root, out->controller, "model", out->model, sizeof(out->model));
	read_attribute(root, out->controller, "subsysnqn", out->subsystem, sizeof(out->subsystem));
	/* Padded with spaces, as Identify has it. */
	for (size_t i = strlen(out->serial); i && out->serial[i - 1] == ' '; i--)
		out->serial[i - 1] = '\0';
	for (size_t i = strlen(out->model); i && out->model[i - 1] == ' '; i--)
		out->model[i - 1] = '\0';
	if (!rc)
		rc = each_controller(root, add_neighbour, &n);
	out->all = n.list.ns;
	out->nr_all = n.list.nr;
	if (!rc && out->nr_ns > 1)
		qsort(out->ns, out->nr_ns, sizeof(*out->ns), compare_ns);
	return rc;
}

/* The generic character device "ng0n1" stands for the namespace of the block device "nvme0n1". */
static void block_name(const char *name, char *block, size_t bytes)
{
	snprintf(block, bytes, "%s%s", strncmp(name, "ng", 2) ? "" : "nvme",
		 strncmp(name, "ng", 2) ? name : name + 2);
}

int nvp_kernel_find(const char *root, const char *path, struct nvp_kernel_drive *out,
		    struct nvp_err *err)
{
	char resolved[PATH_MAX], sysfs[PATH_MAX];
	const char *inside = path;
	char name[64];
	struct parts parts;
	int rc = check_node(root, path, err);

	*out = (struct nvp_kernel_drive){ 0 };
	if (rc)
		return rc;
	snprintf(sysfs, sizeof(sysfs), "%s%s", root, path);
	if (realpath(sysfs, resolved) && !strncmp(resolved, root, strlen(root)))
		inside = resolved + strlen(root);
	block_name(strrchr(inside, '/') ? strrchr(inside, '/') + 1 : inside, name, sizeof(name));
	if (strncmp(inside, "/dev/", 5) || !split_name(name, &parts) || parts.path >= 0) {
		usage(err, -ENODEV, path, "is no NVMe controller or namespace");
		nvp_err_advice(err, "nearest valid form: /dev/nvme0 or /dev/nvme0n1");
		return -ENODEV;
	}
	snprintf(out->address, sizeof(out->address), "/dev/%s", name);
	if (parts.ns >= 0)
		rc = each_controller(root, owns, &(struct owner){ .ns_name = name, .out = out });
	else
		snprintf(out->controller, sizeof(out->controller), "%.30s", name);
	if (!out->controller[0] || fill(root, out) || !out->serial[0]) {
		nvp_kernel_forget(out);
		return usage(err, -ENODEV, path, "the kernel knows no such NVMe drive");
	}
	return 0;
}

void nvp_kernel_forget(struct nvp_kernel_drive *drive)
{
	free(drive->ns);
	free(drive->all);
	drive->ns = drive->all = NULL;
	drive->nr_ns = drive->nr_all = 0;
}
