// SPDX-License-Identifier: GPL-2.0-or-later
// Handing a function to vfio-pci and back: driver_override, unbind, probe; never one in use.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/drive/kernel.h"
#include "core/drive/vfio.h"

#define OURS "vfio-pci"

/* --- is it free? -------------------------------------------------------------------------- */

/* The name that the kernel's driver gave to the controller: "nvme0". */
static bool kernel_name(const char *root, const char *bdf, char *name, size_t bytes)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s" NVP_PCI_DEVICES "/%s/nvme", root, bdf);
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir))) {
		found = !strncmp(entry->d_name, "nvme", 4) && strlen(entry->d_name) < bytes;
		if (found)
			snprintf(name, bytes, "%s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static int refuse_use(const char *bdf, int in_use, const char *text, struct nvp_err *err)
{
	nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY, "refused: pci:%s %s", bdf,
		    in_use > 1 ? "is in use" : "holds something");
	nvp_err_seen(err, "%s", text);
	nvp_err_advice(err, "%s", in_use > 1 ? "no option overrides this" :
					       "--force, if it may be lost");
	return -EBUSY;
}

static int check_free(const char *root, const char *bdf, bool force, struct nvp_err *err)
{
	struct nvp_kernel_prepared *kernel;
	char name[32], path[48], text[200];
	int in_use;

	/* No name: the driver has it but made nothing of it, as of a drive that does not answer. */
	if (!kernel_name(root, bdf, name, sizeof(name)))
		return 0;
	snprintf(path, sizeof(path), "/dev/%s", name);
	kernel = nvp_kernel_prepare(root, path, err);
	if (!kernel)
		return nvp_err_set(err, NVP_ERR_USAGE, -EIO, "drive \"pci:%s\"", bdf);
	in_use = nvp_kernel_in_use(kernel, text, sizeof(text));
	nvp_kernel_discard(kernel);
	if (in_use > 1 || (in_use && !force))
		return refuse_use(bdf, in_use, text, err);
	return 0;
}

/* --- handing over ------------------------------------------------------------------------- */

static int put(const char *root, const char *bdf, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), NVP_PCI_DEVICES "/%s/%s", bdf, file);
	return nvp_vfio_put(root, path, text);
}

/* From whoever has it to the driver that the override names; empty: to whom the kernel chooses. */
static int move(const char *root, const char *bdf, const char *override, struct nvp_err *err)
{
	char driver[32];
	const char *step = "driver_override";
	int rc = put(root, bdf, "driver_override", override[0] ? override : "\n");

	nvp_vfio_driver(root, bdf, driver, sizeof(driver));
	if (!rc && driver[0]) {
		step = "driver/unbind";
		rc = put(root, bdf, step, bdf);
	}
	if (!rc) {
		step = "drivers_probe";
		rc = nvp_vfio_put(root, "/sys/bus/pci/drivers_probe", bdf);
	}
	if (!rc)
		return 0;
	nvp_err_set(err, rc == -EACCES || rc == -EPERM ? NVP_ERR_USAGE : NVP_ERR_BROKEN, rc,
		    "pci:%s: %s: %s", bdf, step, strerror(-rc));
	if (rc == -EACCES || rc == -EPERM)
		nvp_err_advice(err, "run as root");
	return rc;
}

/* Half a hand-over would leave the drive with nobody: signals wait until it is done. */
static void hold_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

/* The lock is held. */
static int take(const char *root, struct nvp_vfio_place *place, bool force, struct nvp_err *err)
{
	sigset_t before;
	int rc = check_free(root, place->bdf, force, err);

	if (rc)
		return rc;
	hold_signals(&before);
	rc = move(root, place->bdf, OURS, err);
	nvp_vfio_driver(root, place->bdf, place->driver, sizeof(place->driver));
	if (strcmp(place->driver, OURS)) {
		if (!rc)
			rc = nvp_err_set(err, NVP_ERR_BROKEN, -EIO,
					 "pci:%s: vfio-pci did not take it; see the kernel's log",
					 place->bdf);
		move(root, place->bdf, "", NULL);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

int nvp_vfio_bind(const char *root, struct nvp_vfio_place *place, bool force, struct nvp_err *err)
{
	char path[PATH_MAX];
	int lock, rc;

	if (!strcmp(place->driver, OURS))
		return 0;
	snprintf(path, sizeof(path), "%s/sys/bus/pci/drivers/" OURS, root);
	if (access(path, F_OK)) {
		nvp_err_set(err, NVP_ERR_USAGE, -ENOENT,
			    "pci:%s: the driver vfio-pci is not loaded", place->bdf);
		nvp_err_advice(err, "modprobe vfio-pci");
		return -ENOENT;
	}
	lock = nvp_vfio_lock(root, place, err);
	if (lock < 0)
		return lock;
	rc = take(root, place, force, err);
	close(lock);
	return rc;
}

/* The file of a group can be open once: whoever has it works with the drive. */
static int check_closed(const char *root, const struct nvp_vfio_place *place, struct nvp_err *err)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/vfio/%u", root, place->group);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 && errno == EBUSY)
		return nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY,
				   "refused: pci:%s is open in another process", place->bdf);
	if (fd >= 0)
		close(fd);
	return 0;
}

static int check_ours(const char *root, struct nvp_vfio_place *place, struct nvp_err *err)
{
	nvp_vfio_driver(root, place->bdf, place->driver, sizeof(place->driver));
	if (!strcmp(place->driver, OURS))
		return 0;
	nvp_err_set(err, NVP_ERR_USAGE, -ENODEV, "pci:%s is not with vfio-pci", place->bdf);
	nvp_err_seen(err, "%s", place->driver[0] ? place->driver : "no driver");
	return -ENODEV;
}

int nvp_vfio_unbind(const char *root, struct nvp_vfio_place *place, struct nvp_err *err)
{
	sigset_t before;
	int lock = nvp_vfio_lock(root, place, err), rc;

	if (lock < 0)
		return lock;
	/* Under the lock: one that was handed back meanwhile is not taken from its new owner. */
	rc = check_ours(root, place, err);
	if (!rc)
		rc = check_closed(root, place, err);
	if (!rc) {
		hold_signals(&before);
		rc = move(root, place->bdf, "", err);
		nvp_vfio_driver(root, place->bdf, place->driver, sizeof(place->driver));
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	close(lock);
	if (!rc && !place->driver[0]) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENODEV, "pci:%s: no driver took it back",
			    place->bdf);
		nvp_err_advice(err, "modprobe nvme");
		return -ENODEV;
	}
	return rc;
}

/* --- after power came back ---------------------------------------------------------------- */

/* Nobody but us is offered the function while the bus is looked at again. */
static int look_again(const char *root, const struct nvp_vfio_place *place)
{
	char path[128], autoprobe[8] = "1";
	int rc;

	nvp_read_line(root, "/sys/bus/pci/drivers_autoprobe", autoprobe, sizeof(autoprobe));
	rc = nvp_vfio_put(root, "/sys/bus/pci/drivers_autoprobe", "0");
	if (rc)
		return rc;
	if (!place->driver[0] || !strcmp(place->driver, OURS))
		put(root, place->bdf, "remove", "1");
	if (place->port[0])
		snprintf(path, sizeof(path), NVP_PCI_DEVICES "/%s/rescan", place->port);
	else
		snprintf(path, sizeof(path), "/sys/bus/pci/rescan");
	rc = nvp_vfio_put(root, path, "1");
	nvp_vfio_put(root, "/sys/bus/pci/drivers_autoprobe", autoprobe);
	return rc;
}

int nvp_vfio_rescan(const char *root, struct nvp_vfio_place *place, struct nvp_err *err)
{
	char address[NVP_BDF_BYTES + 4];
	sigset_t before;
	int rc;

	nvp_vfio_driver(root, place->bdf, place->driver, sizeof(place->driver));
	hold_signals(&before);
	rc = look_again(root, place);
	if (rc)
		nvp_err_set(err, NVP_ERR_BROKEN, rc, "pci:%s: rescan: %s", place->bdf,
			    strerror(-rc));
	else if (place->port[0])
		nvp_vfio_below(root, place->port, place->bdf);
	snprintf(address, sizeof(address), "pci:%s", place->bdf);
	if (!rc)
		rc = nvp_vfio_find(root, address, place, err);
	/* Where the kernel was quicker its driver has it: taken back unless somebody uses it. */
	if (!rc && strcmp(place->driver, OURS))
		rc = take(root, place, true, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc ? rc : nvp_vfio_ready(root, place, err);
}
