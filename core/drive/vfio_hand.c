// SPDX-License-Identifier: GPL-2.0-or-later
// `bind` and `unbind` as the program asks for them: any form of address, and what came of it.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/drive/kernel.h"
#include "core/drive/vfio.h"

#define ADDRESS_BYTES 80

/* "/dev/nvme0" and "/dev/nvme0n1" stand for the function that the kernel has them from. */
static int pci_address(const char *drive, char address[ADDRESS_BYTES], struct nvp_err *err)
{
	struct nvp_kernel_drive kernel;
	char path[128], bdf[64];
	int rc;

	if (drive[0] != '/') {
		snprintf(address, ADDRESS_BYTES, "%s", drive);
		return 0;
	}
	rc = nvp_kernel_find("", drive, &kernel, err);
	if (rc)
		return rc;
	snprintf(path, sizeof(path), "/sys/class/nvme/%.30s/address", kernel.controller);
	rc = nvp_read_line("", path, bdf, sizeof(bdf));
	nvp_kernel_forget(&kernel);
	if (rc)
		return nvp_err_set(err, NVP_ERR_USAGE, -ENODEV, "drive \"%s\": is on no PCI bus",
				   drive);
	snprintf(address, ADDRESS_BYTES, "pci:%s", bdf);
	return 0;
}

static int find(const char *drive, struct nvp_vfio_place *place, struct nvp_err *err)
{
	char address[ADDRESS_BYTES];
	int rc = pci_address(drive, address, err);

	return rc ? rc : nvp_vfio_find("", address, place, err);
}

static void tell(const struct nvp_vfio_place *place, struct nvp_handed *out)
{
	snprintf(out->address, sizeof(out->address), "pci:%s", place->bdf);
	snprintf(out->driver, sizeof(out->driver), "%s", place->driver);
	out->iommu_group = place->group;
}

int nvp_drive_bind(const char *drive, bool force, struct nvp_handed *out, struct nvp_err *err)
{
	struct nvp_vfio_place place = { 0 };
	int rc = find(drive, &place, err);

	if (!rc)
		rc = nvp_vfio_bind("", &place, force, err);
	tell(&place, out);
	return rc;
}

int nvp_drive_unbind(const char *drive, struct nvp_handed *out, struct nvp_err *err)
{
	struct nvp_vfio_place place = { 0 };
	int rc = find(drive, &place, err);

	if (!rc)
		rc = nvp_vfio_unbind("", &place, err);
	tell(&place, out);
	return rc;
}
