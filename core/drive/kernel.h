/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way through the kernel's driver: what it refuses, what sysfs knows, who uses the drive. */
#ifndef NVP_DRIVE_KERNEL_H
#define NVP_DRIVE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/drive_ops.h>

/*
 * Everything that is read below /sys, /proc and /dev is read below root: "" on a real system,
 * a folder with made-up files in tests.
 */

#define NVP_KERNEL_MAX_NS 1024

/* A namespace that the kernel made a block device of. */
struct nvp_kernel_ns {
	uint32_t nsid;
	char name[32];		/* "nvme0n1" */
};

/* What sysfs says of one drive (kernel_sysfs.c). */
struct nvp_kernel_drive {
	char address[128];	/* as the user gave it, links resolved: "/dev/nvme0n1" */
	char controller[32];	/* "nvme0" */
	char serial[64];
	char model[64];
	char subsystem[256];	/* its NQN; empty when the kernel does not say */
	uint32_t only_nsid;	/* address was a namespace: its NSID; else 0 */
	unsigned nr_ns;
	struct nvp_kernel_ns *ns;	/* all of the controller, ascending by NSID */
	/*
	 * Every namespace of the NVM subsystem, through whichever controller: a Format, a Sanitize
	 * or a reset reaches them all, so all must be free, also when one alone was named.
	 */
	unsigned nr_all;
	struct nvp_kernel_ns *all;
};

/*
 * Fill *out from a device path. 0, or a usage error of one line: does not exist, no permission,
 * no NVMe device, a partition. nvp_kernel_forget frees what out holds.
 */
int nvp_kernel_find(const char *root, const char *path, struct nvp_kernel_drive *out,
		    struct nvp_err *err);
void nvp_kernel_forget(struct nvp_kernel_drive *drive);

/* Small files below root: 0 and the first line without its newline, or a negative errno. */
int nvp_read_line(const char *root, const char *path, char *line, size_t bytes);

/*
 * Who uses the block devices of drive->all (in_use.c): 2 mounted, swap or held, 1 a signature or
 * partition table, 0 nothing. text says by what: "nvme0n1p1 is mounted on /home".
 */
int nvp_in_use(const char *root, const struct nvp_kernel_drive *drive, char *text, size_t bytes);

/*
 * Does the file system with this device number lie on a namespace of the drive, a partition of one,
 * or on something made of them (lies_on.c)? text says "/srv is on nvme0n1p1".
 */
bool nvp_lies_on(const char *root, const struct nvp_kernel_drive *drive, unsigned major,
		 unsigned minor, char *text, size_t bytes);

/* 1 and what was found ("the signature of ext4"), 0 nothing, or a negative errno (signature.c). */
int nvp_signature(const char *device, char *text, size_t bytes);

/*
 * Commands that the kernel's driver must not be given, whatever is allowed (kernel_refuse.c):
 * why, or NULL. io false: an admin command.
 */
const char *nvp_kernel_refusal(bool io, const struct nvp_sqe *sqe);

/*
 * What came back: result as the ioctl gave it (0, a positive status field, or a negative errno).
 * 0 and the drive's answer in *status; or -EIO, -ENODEV, -EINVAL and why in *reason.
 */
int nvp_kernel_answer(int result, uint64_t elapsed_ns, uint64_t timeout_ns,
		      struct nvp_status *status, const char **reason);

/* For nvp_drive_prepare: find, lock (nobody else's nvproof has it), and keep. NULL and *err. */
struct nvp_kernel_prepared;
struct nvp_kernel_prepared *nvp_kernel_prepare(const char *root, const char *path,
					       struct nvp_err *err);
void nvp_kernel_discard(struct nvp_kernel_prepared *prepared);
const char *nvp_kernel_serial(const struct nvp_kernel_prepared *prepared);
const char *nvp_kernel_model(const struct nvp_kernel_prepared *prepared);
const char *nvp_kernel_controller(const struct nvp_kernel_prepared *prepared);
int nvp_kernel_in_use(const struct nvp_kernel_prepared *prepared, char *text, size_t bytes);
bool nvp_kernel_holds(const struct nvp_kernel_prepared *prepared, unsigned major, unsigned minor,
		      char *text, size_t bytes);

#endif
