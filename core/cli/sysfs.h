/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel says about the NVMe controllers of this machine, without opening any of them. */
#ifndef NVP_CLI_SYSFS_H
#define NVP_CLI_SYSFS_H

#include <stddef.h>
#include <stdint.h>

#include <nvproof/err.h>

struct nvp_listed_ns {
	char name[32];		/* "nvme0n1" */
	uint64_t bytes;
};

#define NVP_LISTED_NS_MOST 128

struct nvp_listed_drive {
	char name[32];		/* "nvme0" */
	char serial[64], model[64], firmware[32];	/* printable ASCII */
	char transport[16];	/* "pcie", "tcp"; empty when not known */
	char address[64];	/* "0000:01:00.0", or where a fabric leads */
	char state[16];		/* "live" */
	struct nvp_listed_ns ns[NVP_LISTED_NS_MOST];
	size_t nr_ns;		/* the first ones, if there are more */
};

/*
 * The controllers below SYSFS/class/nvme, ascending by number; *drives is the caller's to free
 * (NULL when there is none: that is no error). 0 or a negative errno with *err.
 */
int nvp_list_drives(const char *sysfs, struct nvp_listed_drive **drives, size_t *nr,
		    struct nvp_err *err);

#endif
