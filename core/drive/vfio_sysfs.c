// SPDX-License-Identifier: GPL-2.0-or-later
// Where a PCI function sits, who drives it, and what keeps it from being opened through VFIO.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sys/syscall.h>
#include <linux/capability.h>

#include "core/base/parse.h"
#include "core/drive/kernel.h"
#include "core/drive/vfio.h"

#define CLASS_NVME   0x010802u	/* class code of an NVM Express I/O controller */
#define CLASS_BRIDGE 0x06u
#define MEMLOCK_LEAST_BYTES (64ULL << 20)

static int usage(struct nvp_err *err, int code, const char *bdf, const char *what)
{
	return nvp_err_set(err, NVP_ERR_USAGE, code, "drive \"pci:%s\": %s", bdf, what);
}

/* The last part of where a link leads; empty when there is no such link. */
static void link_name(const char *root, const char *path, char *name, size_t bytes)
{
	char full[PATH_MAX], target[PATH_MAX];
	const char *last;
	ssize_t nr = -1;

	name[0] = '\0';
	if ((size_t)snprintf(full, sizeof(full), "%s%s", root, path) < sizeof(full))
		nr = readlink(full, target, sizeof(target) - 1);
	if (nr < 0)
		return;
	target[nr] = '\0';
	last = strrchr(target, '/');
	snprintf(name, bytes, "%s", last ? last + 1 : target);
}

void nvp_vfio_driver(const char *root, const char *bdf, char *driver, size_t bytes)
{
	char path[128];

	snprintf(path, sizeof(path), NVP_PCI_DEVICES "/%s/driver", bdf);
	link_name(root, path, driver, bytes);
}

int nvp_vfio_put(const char *root, const char *path, const char *text)
{
	char full[PATH_MAX];
	int fd, rc = 0;

	if ((size_t)snprintf(full, sizeof(full), "%s%s", root, path) >= sizeof(full))
		return -ENAMETOOLONG;
	fd = open(full, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

static bool read_class(const char *root, const char *bdf, uint64_t *class)
{
	char path[128], line[32];

	snprintf(path, sizeof(path), NVP_PCI_DEVICES "/%s/class", bdf);
	return !nvp_read_line(root, path, line, sizeof(line)) &&
	       !nvp_parse_u64_range(line, 0, 0xffffff, class);
}

/* The folder that holds the function's is the port's, unless it is that of a root bus. */
static void find_port(const char *root, struct nvp_vfio_place *place)
{
	char path[PATH_MAX], resolved[PATH_MAX], *slash;
	struct nvp_bdf port;

	snprintf(path, sizeof(path), "%s" NVP_PCI_DEVICES "/%s", root, place->bdf);
	if (!realpath(path, resolved))
		return;
	slash = strrchr(resolved, '/');
	if (!slash)
		return;
	*slash = '\0';
	slash = strrchr(resolved, '/');
	if (slash && strlen(slash + 1) < sizeof(place->port) && !nvp_parse_bdf(slash + 1, &port))
		snprintf(place->port, sizeof(place->port), "%.15s", slash + 1);
}

/* A bridge in the group does no DMA of its own; every other function shares what is mapped. */
static int check_members(const char *root, const struct nvp_vfio_place *place, struct nvp_err *err)
{
	char path[PATH_MAX];
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s" NVP_PCI_DEVICES "/%s/iommu_group/devices", root,
		 place->bdf);
	dir = opendir(path);
	if (!dir)
		return usage(err, -errno, place->bdf, "its IOMMU group cannot be read");
	while (!rc && (entry = readdir(dir))) {
		uint64_t class = 0;

		if (entry->d_name[0] == '.' || !strcmp(entry->d_name, place->bdf))
			continue;
		if (read_class(root, entry->d_name, &class) && class >> 16 == CLASS_BRIDGE)
			continue;
		rc = nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY,
				 "refused: pci:%s shares IOMMU group %u with %.40s", place->bdf,
				 place->group, entry->d_name);
		nvp_err_advice(err, "move it to a slot whose port isolates it (ACS)");
	}
	closedir(dir);
	return rc;
}

static int find_group(const char *root, struct nvp_vfio_place *place, struct nvp_err *err)
{
	char path[128], name[32];
	uint64_t group;

	snprintf(path, sizeof(path), NVP_PCI_DEVICES "/%s/iommu_group", place->bdf);
	link_name(root, path, name, sizeof(name));
	if (nvp_parse_u64_range(name, 0, INT_MAX, &group)) {
		usage(err, -ENODEV, place->bdf, "it has no IOMMU group, so there is no VFIO");
		nvp_err_advice(err, "turn on VT-d or AMD-Vi in the firmware and boot with "
				    "intel_iommu=on or amd_iommu=on");
		return -ENODEV;
	}
	place->group = (unsigned)group;
	return 0;
}

int nvp_vfio_find(const char *root, const char *address, struct nvp_vfio_place *place,
		  struct nvp_err *err)
{
	char path[PATH_MAX];
	struct nvp_bdf bdf;
	uint64_t class;
	int rc;

	*place = (struct nvp_vfio_place){ 0 };
	if (strncmp(address, "pci:", 4) || nvp_parse_bdf(address + 4, &bdf)) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "drive \"%.80s\": no PCI address",
			    address);
		nvp_err_advice(err, "nearest valid form: pci:0000:01:00.0");
		return -EINVAL;
	}
	snprintf(place->bdf, sizeof(place->bdf), "%04x:%02x:%02x.%x", bdf.domain & 0xffff, bdf.bus,
		 bdf.device, bdf.function);
	snprintf(path, sizeof(path), "%s" NVP_PCI_DEVICES "/%s", root, place->bdf);
	if (access(path, F_OK)) {
		usage(err, -ENODEV, place->bdf, "there is no such PCI function");
		nvp_err_advice(err, "nvproof list names those of the drives");
		return -ENODEV;
	}
	if (!read_class(root, place->bdf, &class) || class != CLASS_NVME)
		return usage(err, -ENODEV, place->bdf, "is no NVMe controller");
	nvp_vfio_driver(root, place->bdf, place->driver, sizeof(place->driver));
	find_port(root, place);
	rc = find_group(root, place, err);
	return rc ? rc : check_members(root, place, err);
}

int nvp_vfio_below(const char *root, const char *port, char bdf[NVP_BDF_BYTES])
{
	char path[PATH_MAX];
	struct dirent *entry;
	unsigned nr = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s" NVP_PCI_DEVICES "/%s", root, port);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		struct nvp_bdf parsed;
		uint64_t class;

		if (strlen(entry->d_name) >= NVP_BDF_BYTES ||
		    nvp_parse_bdf(entry->d_name, &parsed) ||
		    !read_class(root, entry->d_name, &class) || class != CLASS_NVME)
			continue;
		snprintf(bdf, NVP_BDF_BYTES, "%.15s", entry->d_name);
		nr++;
	}
	if (dir)
		closedir(dir);
	return nr == 1 ? 0 : -ENODEV;
}

/* --- can it be opened? -------------------------------------------------------------------- */

static int check_driver(const char *root, const struct nvp_vfio_place *place, struct nvp_err *err)
{
	char path[PATH_MAX];

	if (!strcmp(place->driver, "vfio-pci"))
		return 0;
	nvp_err_set(err, NVP_ERR_USAGE, -EBUSY, "drive \"pci:%s\": %s%s has it, not vfio-pci",
		    place->bdf, place->driver[0] ? "the driver " : "no driver",
		    place->driver);
	snprintf(path, sizeof(path), "%s/sys/bus/pci/drivers/vfio-pci", root);
	if (access(path, F_OK))
		nvp_err_advice(err, "modprobe vfio-pci, then nvproof bind pci:%s", place->bdf);
	else
		nvp_err_advice(err, "nvproof bind pci:%s hands it over", place->bdf);
	return -EBUSY;
}

static int check_file(const char *root, const char *file, const char *module, struct nvp_err *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", root, file);
	if (!access(path, R_OK | W_OK))
		return 0;
	if (errno == ENOENT || errno == ENOTDIR) {
		nvp_err_set(err, NVP_ERR_USAGE, -ENOENT, "%s does not exist", file);
		nvp_err_advice(err, "modprobe %s", module);
		return -ENOENT;
	}
	nvp_err_set(err, NVP_ERR_USAGE, -EACCES, "%s: no permission to open it", file);
	nvp_err_advice(err, "run as root, or give %s to your user", file);
	return -EACCES;
}

bool nvp_vfio_memlock_short(uint64_t limit_bytes, bool may_pass_limit)
{
	return !may_pass_limit && limit_bytes < MEMLOCK_LEAST_BYTES;
}

/* CAP_IPC_LOCK in the effective set: the limit is not asked for then. */
static bool may_pass_limit(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return !syscall(SYS_capget, &header, data) &&
	       data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective & CAP_TO_MASK(CAP_IPC_LOCK);
}

static int check_memlock(struct nvp_err *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    !nvp_vfio_memlock_short(limit.rlim_cur, may_pass_limit()))
		return 0;
	nvp_err_set(err, NVP_ERR_USAGE, -ENOMEM,
		    "only %llu KiB of memory may be locked, too little for DMA",
		    (unsigned long long)limit.rlim_cur / 1024);
	nvp_err_advice(err, "ulimit -l unlimited (memlock in /etc/security/limits.conf)");
	return -ENOMEM;
}

int nvp_vfio_ready(const char *root, const struct nvp_vfio_place *place, struct nvp_err *err)
{
	char file[64];
	int rc = check_driver(root, place, err);

	snprintf(file, sizeof(file), "/dev/vfio/%u", place->group);
	if (!rc)
		rc = check_file(root, "/dev/vfio/vfio", "vfio-pci", err);
	if (!rc)
		rc = check_file(root, file, "vfio-pci", err);
	return rc ? rc : check_memlock(err);
}

int nvp_vfio_lock(const char *root, const struct nvp_vfio_place *place, struct nvp_err *err)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s" NVP_PCI_DEVICES "/%s", root, place->bdf);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return nvp_err_set(err, NVP_ERR_USAGE, -errno, "drive \"pci:%s\": %s", place->bdf,
				   strerror(errno));
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY, "drive \"pci:%s\": another nvproof works on it",
		    place->bdf);
	close(fd);
	return -EBUSY;
}
