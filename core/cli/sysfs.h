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
	uint64_t block_bytes;	/* of its format; 0 when not known */
};

#define NVP_LISTED_NS_MOST 128

/* Texts are printable ASCII, and empty where nothing is known. */
struct nvp_listed_drive {
	char address[72];	/* "/dev/nvme0"; "pci:0000:01:00.0" that the kernel's driver has not */
	char serial[64], model[64], firmware[32];
	char transport[16];	/* "pcie", "tcp" */
	char transport_address[64];	/* "0000:01:00.0", or where a fabric leads */
	char slot[16];		/* its number on the chassis, as the platform says */
	char link[64];		/* "8.0 GT/s PCIe x2 of 16.0 GT/s PCIe x4": now, and what it can */
	char driver[32];	/* "nvme", "vfio-pci" */
	char state[16];		/* "live" */
	char format[32];	/* bytes of a block: "512", "512 4096" */
	char in_use[128];	/* "nvme0n1p1 is mounted on /"; not filled by nvp_list_drives */
	uint64_t bytes;		/* of all its namespaces together */
	struct nvp_listed_ns ns[NVP_LISTED_NS_MOST];
	size_t nr_ns;		/* the first ones, if there are more */
};

/*
 * The controllers below SYSFS/class/nvme, ascending by number, then the NVMe functions of
 * SYSFS/bus/pci that another driver has, or none; *drives is the caller's to free (NULL when there
 * is none: that is no error). 0 or a negative errno with *err.
 */
int nvp_list_drives(const char *sysfs, struct nvp_listed_drive **drives, size_t *nr,
		    struct nvp_err *err);

#endif
