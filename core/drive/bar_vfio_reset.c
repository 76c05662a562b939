// SPDX-License-Identifier: GPL-2.0-or-later
// Resets of a function through VFIO, and finding it again after a reset or lost power.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/vfio.h>

#include "core/drive/bar_vfio_device.h"

#define DEVCAP_FLR	 (1u << 28)	/* PCI Express Base 5.0, 7.5.3.3 */
#define PMCSR		 4u		/* 7.5.2.2 */
#define PMCSR_D3HOT	 3u
#define D3_DELAY_NS	 (10 * NVP_NS_PER_MS)	/* 5.3.1.4: 10 ms from D3hot */
#define PROBE_NS	 (10 * NVP_NS_PER_MS)
#define LOOK_NS		 (100 * NVP_NS_PER_MS)	/* between looks at the bus */
#define HOT_MOST	 64u

static bool has_flr(struct nvp_vfio *v)
{
	unsigned at = nvp_vfio_capability(v, NVP_PCI_CAP_EXPRESS);
	uint32_t capabilities;

	return v->can_reset && at && !nvp_vfio_config_read(v, at + 4, 4, &capabilities) &&
	       capabilities & DEVCAP_FLR;
}

/* How many functions a reset of the bus would hit; 0: it cannot be done. */
static unsigned hit_by_hot_reset(struct nvp_vfio *v)
{
	size_t bytes = sizeof(struct vfio_pci_hot_reset_info) +
		       HOT_MOST * sizeof(struct vfio_pci_dependent_device);
	struct vfio_pci_hot_reset_info *info = calloc(1, bytes);
	unsigned nr = 0;

	if (!info)
		return 0;
	info->argsz = (uint32_t)bytes;
	if (v->device >= 0 && !ioctl(v->device, VFIO_DEVICE_GET_PCI_HOT_RESET_INFO, info))
		nr = info->count;
	else if (errno == ENOSPC)
		nr = HOT_MOST + 1;
	free(info);
	return nr;
}

uint32_t nvp_vfio_resets(struct nvp_vfio *v)
{
	uint32_t resets = 0;

	if (has_flr(v))
		resets |= 1u << NVP_RESET_FUNCTION;
	/* What is lost with the link is what is below the port, as with a reset of its bus. */
	if (hit_by_hot_reset(v) == 1)
		resets |= 1u << NVP_RESET_HOT |
			  (uint32_t)nvp_vfio_link_can("", &v->place) << NVP_RESET_LINK;
	if (nvp_vfio_capability(v, NVP_PCI_CAP_PM))
		resets |= 1u << NVP_RESET_D3;
	return resets;
}

static int hot_reset(struct nvp_vfio *v, struct nvp_err *err)
{
	struct vfio_pci_hot_reset *reset;
	unsigned hit = hit_by_hot_reset(v);
	int rc;

	if (hit != 1)
		return nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY,
				   "a reset of the bus would hit %u functions", hit);
	reset = calloc(1, sizeof(*reset) + sizeof(reset->group_fds[0]));
	if (!reset)
		return -ENOMEM;
	reset->argsz = (uint32_t)(sizeof(*reset) + sizeof(reset->group_fds[0]));
	reset->count = 1;
	reset->group_fds[0] = v->group;
	rc = ioctl(v->device, VFIO_DEVICE_PCI_HOT_RESET, reset) ? -errno : 0;
	free(reset);
	/* The bus was reset, and the kernel sees no link: who comes back finds out. */
	return rc == -ENOTTY ? 0 : rc;
}

static int link_down(struct nvp_vfio *v, struct nvp_err *err)
{
	unsigned hit = hit_by_hot_reset(v);

	if (hit != 1)
		return nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY,
				   "without its link %u functions would be lost", hit);
	return nvp_vfio_link_reset("", &v->place, nvp_clock_real(), err);
}

static int through_d3(struct nvp_vfio *v)
{
	unsigned at = nvp_vfio_capability(v, NVP_PCI_CAP_PM);
	int rc = at ? 0 : -EOPNOTSUPP;

	if (!rc)
		rc = nvp_vfio_config_write(v, at + PMCSR, 2, PMCSR_D3HOT);
	if (!rc)
		rc = nvp_clock_pass(&v->clock, D3_DELAY_NS);
	if (!rc)
		rc = nvp_vfio_config_write(v, at + PMCSR, 2, 0);
	return rc ? rc : nvp_clock_pass(&v->clock, D3_DELAY_NS);
}

int nvp_vfio_reset(struct nvp_vfio *v, enum nvp_reset kind, struct nvp_err *err)
{
	int rc = -EOPNOTSUPP;

	if (v->device < 0)
		rc = -ENODEV;
	else if (kind == NVP_RESET_FUNCTION)
		rc = ioctl(v->device, VFIO_DEVICE_RESET) ? -errno : 0;
	else if (kind == NVP_RESET_HOT)
		rc = hot_reset(v, err);
	else if (kind == NVP_RESET_LINK)
		rc = link_down(v, err);
	else if (kind == NVP_RESET_D3)
		rc = through_d3(v);
	if (rc)
		nvp_err_set(err, NVP_ERR_BROKEN, rc, "pci:%s: reset: %s", v->place.bdf,
			    strerror(-rc));
	return rc;
}

/* --- finding it again --------------------------------------------------------------------- */

/* CAP is neither 0 nor all-ones, and the hardware has memory space and bus master on. */
static bool answers(struct nvp_vfio *v)
{
	uint32_t command = nvp_vfio_config_real(v, NVP_PCI_COMMAND, 2);
	uint64_t cap;

	return v->regs && (command & NVP_PCI_COMMAND_ON) == NVP_PCI_COMMAND_ON &&
	       nvp_vfio_load(v->regs, 4, &cap) && cap && cap != UINT32_MAX;
}

/*
 * Closing the device has the kernel restore the configuration that it saved when it was opened,
 * payload sizes and all; the group stays in its container, and so do the DMA mappings.
 */
static bool open_again(struct nvp_vfio *v)
{
	struct nvp_err ignored = { 0 };

	nvp_vfio_close_device(v);
	if (!nvp_vfio_open_device(v, &ignored))
		return answers(v);
	nvp_vfio_close_device(v);
	return false;
}

/* The long way: all files closed, the function enumerated anew, every mapping made again. */
static int enumerate_again(struct nvp_vfio *v, struct nvp_err *err)
{
	int rc;

	nvp_vfio_close_device(v);
	nvp_vfio_close_group(v);
	rc = nvp_vfio_rescan("", &v->place, err);
	if (!rc)
		rc = nvp_vfio_open_group(v, err);
	for (size_t i = 0; !rc && i < v->iova.nr; i++)
		rc = nvp_vfio_map(v, &v->iova.map[i]);
	if (!rc)
		rc = nvp_vfio_open_device(v, err);
	if (!rc && !answers(v))
		rc = -ENODEV;
	return rc;
}

/* 0: the bus shows it; -ETIMEDOUT; -ENODEV: it is another; -ENOENT: taken off the bus meanwhile. */
static int wait_for_id(struct nvp_vfio *v, uint64_t until_ns, struct nvp_err *err)
{
	uint32_t id;

	for (;;) {
		id = nvp_vfio_config_real(v, NVP_PCI_ID, 4);
		if (id != UINT32_MAX)
			break;
		if (v->device < 0)
			return -ENOENT;
		if (nvp_clock_now_ns(&v->clock) >= until_ns)
			return -ETIMEDOUT;
		/* On the function's clock, which lets it go when the kernel wants it back. */
		nvp_clock_pass(&v->clock, PROBE_NS);
	}
	if (id == v->id)
		return 0;
	return nvp_err_set(err, NVP_ERR_BROKEN, -ENODEV, "pci:%s is another function now",
			   v->place.bdf);
}

static int came_back(struct nvp_vfio *v, const char *how)
{
	v->came_back = how;
	return 0;
}

int nvp_vfio_reattach(struct nvp_vfio *v, uint64_t until_ns, struct nvp_err *err)
{
	int rc = wait_for_id(v, until_ns, err);

	if (rc == -ENODEV)
		return rc;
	/* Still on the bus, and wanted by somebody: no loss of power, and not ours any more. */
	if (!rc && v->taken)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENODEV,
				   "pci:%s was taken from vfio-pci meanwhile", v->place.bdf);
	if (!rc) {
		/* A reset that the kernel made kept the configuration; lost power did not. */
		if (answers(v) && !nvp_vfio_revive(v) && answers(v))
			return came_back(v, "file kept, Command and MSI-X written again");
		if (v->group >= 0 && open_again(v))
			return came_back(v, "file opened again, configuration restored by that");
	}
	/* Also when its file shows nothing: it may have been enumerated under a new one. */
	do {
		rc = enumerate_again(v, NULL);
		if (!rc) {
			came_back(v, "removed, enumerated and opened anew");
			return wait_for_id(v, until_ns, err);
		}
		nvp_clock_pass(nvp_clock_real(), LOOK_NS);
	} while (nvp_clock_now_ns(&v->clock) < until_ns);
	return nvp_err_set(err, NVP_ERR_BROKEN, -ETIMEDOUT, "pci:%s: does not answer: %s",
			   v->place.bdf, strerror(-rc));
}
