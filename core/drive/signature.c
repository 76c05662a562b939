// SPDX-License-Identifier: GPL-2.0-or-later
// What is written on a block device, as libblkid sees it. The one file that calls libblkid.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <blkid/blkid.h>

#include "core/drive/kernel.h"

static void describe(blkid_probe probe, char *text, size_t bytes)
{
	const char *value = NULL;

	if (!blkid_probe_lookup_value(probe, "PTTYPE", &value, NULL))
		snprintf(text, bytes, "a partition table (%s)", value);
	else if (!blkid_probe_lookup_value(probe, "TYPE", &value, NULL))
		snprintf(text, bytes, "the signature of %s", value);
	else
		snprintf(text, bytes, "a signature");
}

int nvp_signature(const char *device, char *text, size_t bytes)
{
	blkid_probe probe;
	int rc;

	errno = 0;
	probe = blkid_new_probe_from_filename(device);
	if (!probe)
		return errno ? -errno : -EIO;
	blkid_probe_enable_partitions(probe, 1);
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE);
	errno = 0;
	/* fullprobe: what two kinds claim is no reason to see none. 1: nothing. */
	rc = blkid_do_fullprobe(probe);
	if (rc == 0)
		describe(probe, text, bytes);
	else if (rc < 0)
		rc = errno ? -errno : -EIO;
	blkid_free_probe(probe);
	return rc < 0 ? rc : !rc;
}
