// SPDX-License-Identifier: GPL-2.0-or-later
// What has to be there for real drives, each with the command that mends it.

#include "core/cli/doctor.h"

#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nvproof/drive_ops.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/cli/sysfs.h"

/* What user-space queues and io_uring need at once; less is refused at the first run. */
#define LOCKED_BYTES_LEAST (64u << 20)

/* The beginning of a file, without its last newline; false when it cannot be read. */
static bool read_file(const char *root, const char *path, char *text, size_t bytes)
{
	char full[400];
	ssize_t got;
	int fd;

	snprintf(full, sizeof(full), "%s%s", root, path);
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, bytes - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	if (got > 0 && text[got - 1] == '\n')
		text[got - 1] = '\0';
	return got > 0;
}

static bool exists(const char *root, const char *path, int how)
{
	char full[400];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return !access(full, how);
}

/* How many paths match, and how many of them may be read and written. */
static size_t count(const char *root, const char *pattern, size_t *usable)
{
	char full[400];
	glob_t found;
	size_t nr;

	*usable = 0;
	snprintf(full, sizeof(full), "%s%s", root, pattern);
	if (glob(full, 0, NULL, &found))
		return 0;
	nr = found.gl_pathc;
	for (size_t i = 0; i < nr; i++)
		*usable += !access(found.gl_pathv[i], R_OK | W_OK);
	globfree(&found);
	return nr;
}

#define SAY(line, ...) snprintf((line)->seen, sizeof((line)->seen), __VA_ARGS__)

static void look_kernel(const char *root, struct nvp_diagnosis *line)
{
	char release[100] = "";
	unsigned major = 0, minor = 0;

	line->what = "kernel";
	if (!read_file(root, "/proc/sys/kernel/osrelease", release, sizeof(release)) ||
	    sscanf(release, "%u.%u", &major, &minor) != 2) {
		line->health = NVP_HEALTH_WARN;
		line->mend = "mount -t proc proc /proc";
		SAY(line, "its release cannot be read");
		return;
	}
	SAY(line, "%.90s", release);
	if (major > 5 || (major == 5 && minor >= 19))
		return;
	line->health = NVP_HEALTH_WARN;
	line->mend = "apt-get install linux-image-amd64";
	SAY(line, "%.60s: before 5.19 there is no queue depth through the kernel driver", release);
}

/* The one that this program runs with, whatever root shows. */
static void look_library(const char *root, struct nvp_diagnosis *line)
{
	(void)root;
	line->what = "libnvme";
	if (nvp_kernel_library_fits(nvp_kernel_library())) {
		SAY(line, "version 1, as the calls need it");
		return;
	}
	line->health = NVP_HEALTH_BAD;
	line->mend = "apt-get install --reinstall libnvme1";
	SAY(line, "%.60s: the calls through the kernel's driver need version 1",
	    nvp_kernel_library());
}

static void look_iommu(const char *root, struct nvp_diagnosis *line)
{
	size_t usable, nr = count(root, "/sys/kernel/iommu_groups/*", &usable);

	line->what = "iommu";
	SAY(line, "%zu groups", nr);
	if (nr)
		return;
	line->health = NVP_HEALTH_WARN;
	line->mend = "add 'intel_iommu=on' or 'amd_iommu=on' to GRUB_CMDLINE_LINUX, update-grub, reboot";
	SAY(line, "off or not there: no drive can be given to user space");
}

static void look_vfio(const char *root, struct nvp_diagnosis *line)
{
	line->what = "vfio-pci";
	SAY(line, "loaded");
	if (exists(root, "/sys/bus/pci/drivers/vfio-pci", F_OK) &&
	    exists(root, "/dev/vfio/vfio", R_OK | W_OK))
		return;
	line->health = NVP_HEALTH_WARN;
	line->mend = "modprobe vfio-pci";
	SAY(line, "not loaded");
	if (!exists(root, "/sys/bus/pci/drivers/vfio-pci", F_OK))
		return;
	line->mend = "chmod 666 /dev/vfio/vfio";
	SAY(line, "loaded, but /dev/vfio/vfio cannot be opened");
}

static void look_permissions(const char *root, struct nvp_diagnosis *line)
{
	size_t usable, nr = count(root, "/dev/nvme[0-9]*", &usable);

	line->what = "permissions";
	SAY(line, "%zu of %zu device files of drives can be opened", usable, nr);
	if (usable == nr)
		return;
	line->health = NVP_HEALTH_BAD;
	line->mend = "run nvproof with sudo";
}

static void look_memory(const char *root, struct nvp_diagnosis *line)
{
	char limits[4000], soft[32] = "";
	const char *at = NULL;
	uint64_t bytes = UINT64_MAX;

	line->what = "locked-memory";
	if (read_file(root, "/proc/self/limits", limits, sizeof(limits)))
		at = strstr(limits, "Max locked memory");
	if (!at || sscanf(at, "Max locked memory %31s", soft) != 1 ||
	    (strcmp(soft, "unlimited") && nvp_parse_u64(soft, &bytes))) {
		line->health = NVP_HEALTH_WARN;
		line->mend = "mount -t proc proc /proc";
		SAY(line, "its limit cannot be read");
		return;
	}
	if (bytes == UINT64_MAX)
		SAY(line, "unlimited");
	else
		SAY(line, "%" PRIu64 " KiB", bytes >> 10);
	if (bytes >= LOCKED_BYTES_LEAST)
		return;
	line->health = NVP_HEALTH_WARN;
	line->mend = "ulimit -l unlimited";
}

static void look_gpio(const char *root, struct nvp_diagnosis *line)
{
	size_t usable, nr = count(root, "/dev/gpiochip*", &usable);

	line->what = "gpio";
	SAY(line, "%zu of %zu chips can be opened", usable, nr);
	if (nr && usable == nr)
		return;
	line->health = NVP_HEALTH_WARN;
	line->mend = "usermod -aG gpio $USER";
	if (nr)
		return;
	line->mend = "modprobe gpio-sim";
	SAY(line, "no chip: relays on GPIO lines need one");
}

static void look_governor(const char *root, struct nvp_diagnosis *line)
{
	static const char pattern[] = "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor";
	size_t usable, nr = count(root, pattern, &usable), slow = 0;
	char full[400], word[32];
	glob_t found;

	line->what = "governor";
	SAY(line, nr ? "performance" : "the processor's frequency is not scaled");
	snprintf(full, sizeof(full), "%s%s", root, pattern);
	if (!nr || glob(full, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		slow += read_file("", found.gl_pathv[i], word, sizeof(word)) &&
			strcmp(word, "performance");
	globfree(&found);
	if (!slow)
		return;
	line->health = NVP_HEALTH_WARN;
	line->mend = "cpupower frequency-set -g performance";
	SAY(line, "%zu of %zu processors do not stay at their highest frequency", slow, nr);
}

static void look_poll(const char *root, struct nvp_diagnosis *line)
{
	char word[32];
	uint64_t nr = 0;

	line->what = "poll-queues";
	if (!read_file(root, "/sys/module/nvme/parameters/poll_queues", word, sizeof(word))) {
		line->health = NVP_HEALTH_WARN;
		line->mend = "modprobe nvme poll_queues=4";
		SAY(line, "the kernel's nvme driver is not loaded");
		return;
	}
	if (!nvp_parse_u64(word, &nr) && nr) {
		SAY(line, "%" PRIu64, nr);
		return;
	}
	line->health = NVP_HEALTH_WARN;
	line->mend = "echo options nvme poll_queues=4 > /etc/modprobe.d/nvproof.conf, then reboot";
	SAY(line, "none: low latencies through the kernel cannot be measured by polling");
}

static void look_drives(const char *root, struct nvp_diagnosis *line)
{
	struct nvp_listed_drive *drives = NULL;
	struct nvp_err err = { 0 };
	const char *dead = NULL;
	char sysfs[300];
	size_t nr = 0;

	line->what = "drives";
	snprintf(sysfs, sizeof(sysfs), "%s/sys", root);
	if (nvp_list_drives(sysfs, &drives, &nr, &err)) {
		line->health = NVP_HEALTH_BAD;
		line->mend = "mount -t sysfs sysfs /sys";
		SAY(line, "cannot be listed: %.100s", err.what);
		return;
	}
	for (size_t i = 0; i < nr; i++)
		if (drives[i].address[0] == '/' && strcmp(drives[i].state, "live"))
			dead = drives[i].address;
	if (dead) {
		line->health = NVP_HEALTH_BAD;
		line->mend = "echo 1 > /sys/class/nvme/NAME/reset_controller";
		SAY(line, "%zu, of which %s is not live", nr, dead);
	} else if (nr) {
		SAY(line, "%zu, all live", nr);
	} else {
		line->health = NVP_HEALTH_WARN;
		line->mend = "echo 1 > /sys/bus/pci/rescan";
		SAY(line, "none; the simulated drive sim: is always there");
	}
	free(drives);
}

size_t nvp_doctor(const char *root, struct nvp_diagnosis lines[NVP_DIAGNOSES_MOST])
{
	static void (*const looks[])(const char *root, struct nvp_diagnosis *line) = {
		look_kernel, look_library, look_iommu, look_vfio, look_permissions, look_memory,
		look_gpio, look_governor, look_poll, look_drives,
	};

	_Static_assert(NVP_ARRAY_SIZE(looks) <= NVP_DIAGNOSES_MOST, "too many lines");
	for (size_t i = 0; i < NVP_ARRAY_SIZE(looks); i++) {
		memset(&lines[i], 0, sizeof(lines[i]));
		looks[i](root, &lines[i]);
	}
	return NVP_ARRAY_SIZE(looks);
}
