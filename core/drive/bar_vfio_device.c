// SPDX-License-Identifier: GPL-2.0-or-later
// The files of VFIO: container and group, the device, its BAR, its interrupts, DMA mappings.

#include "core/drive/bar_vfio_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/vfio.h>

#define MAX_VECTORS 256u
#define MAX_CAPABILITIES 48

static int failed(struct nvp_vfio *v, struct nvp_err *err, const char *what)
{
	int code = errno ? -errno : -EIO;

	nvp_err_set(err, NVP_ERR_BROKEN, code, "pci:%s: %s: %s", v->place.bdf, what,
		    strerror(-code));
	return code;
}

/* --- container and group ------------------------------------------------------------------ */

static void default_ranges(struct nvp_iova *iova)
{
	/* 39 bits, the least that IOMMUs have, without the window of message interrupts. */
	iova->range[0] = (struct nvp_iova_range){ 0, 0xfedfffff };
	iova->range[1] = (struct nvp_iova_range){ 0xfef00000, (1ULL << 39) - 1 };
	iova->nr_ranges = 2;
}

static void take_ranges(struct nvp_iova *iova,
			const struct vfio_iommu_type1_info_cap_iova_range *cap)
{
	iova->nr_ranges = 0;
	for (unsigned i = 0; i < cap->nr_iovas && iova->nr_ranges < NVP_IOVA_RANGES; i++)
		iova->range[iova->nr_ranges++] = (struct nvp_iova_range){
			cap->iova_ranges[i].start, cap->iova_ranges[i].end,
		};
}

static void learn_ranges(struct nvp_vfio *v)
{
	uint8_t page[4096] __attribute__((aligned(8))) = { 0 };
	struct vfio_iommu_type1_info *info = (struct vfio_iommu_type1_info *)page;
	uint32_t at;

	default_ranges(&v->iova);
	info->argsz = sizeof(page);
	if (ioctl(v->container, VFIO_IOMMU_GET_INFO, info) || !(info->flags & VFIO_IOMMU_INFO_CAPS))
		return;
	for (at = info->cap_offset; at && at < sizeof(page) - 64;) {
		struct vfio_info_cap_header *cap = (struct vfio_info_cap_header *)(page + at);

		if (cap->id == VFIO_IOMMU_TYPE1_INFO_CAP_IOVA_RANGE)
			take_ranges(&v->iova, (const void *)cap);
		at = cap->next;
	}
}

static int open_group_file(struct nvp_vfio *v, struct nvp_err *err)
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/vfio/%u", v->place.group);
	v->group = open(path, O_RDWR | O_CLOEXEC);
	if (v->group >= 0)
		return 0;
	if (errno == EBUSY)
		return nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY,
				   "drive \"pci:%s\" is open in another process", v->place.bdf);
	return failed(v, err, path);
}

int nvp_vfio_open_group(struct nvp_vfio *v, struct nvp_err *err)
{
	struct vfio_group_status status = { .argsz = sizeof(status) };
	int rc;

	v->container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
	if (v->container < 0)
		return failed(v, err, "/dev/vfio/vfio");
	if (ioctl(v->container, VFIO_GET_API_VERSION) != VFIO_API_VERSION ||
	    !ioctl(v->container, VFIO_CHECK_EXTENSION, VFIO_TYPE1v2_IOMMU)) {
		nvp_err_set(err, NVP_ERR_BROKEN, -EOPNOTSUPP, "VFIO has no type 1 IOMMU here");
		nvp_err_advice(err, "modprobe vfio_iommu_type1");
		return -EOPNOTSUPP;
	}
	rc = open_group_file(v, err);
	if (rc)
		return rc;
	if (ioctl(v->group, VFIO_GROUP_GET_STATUS, &status))
		return failed(v, err, "VFIO group status");
	if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE)) {
		nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY,
			    "refused: a driver of the kernel has another member of IOMMU group %u",
			    v->place.group);
		return -EBUSY;
	}
	if (ioctl(v->group, VFIO_GROUP_SET_CONTAINER, &v->container))
		return failed(v, err, "VFIO group into container");
	if (ioctl(v->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		return failed(v, err, "VFIO IOMMU");
	learn_ranges(v);
	return 0;
}

void nvp_vfio_close_group(struct nvp_vfio *v)
{
	if (v->group >= 0)
		close(v->group);
	if (v->container >= 0)
		close(v->container);
	v->group = v->container = -1;
}

int nvp_vfio_map(struct nvp_vfio *v, const struct nvp_iova_map *map)
{
	struct vfio_iommu_type1_dma_map dma = {
		.argsz = sizeof(dma),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.vaddr = (uint64_t)(uintptr_t)map->va,
		.iova = map->iova,
		.size = map->bytes,
	};

	return ioctl(v->container, VFIO_IOMMU_MAP_DMA, &dma) ? -errno : 0;
}

int nvp_vfio_unmap(struct nvp_vfio *v, const struct nvp_iova_map *map)
{
	struct vfio_iommu_type1_dma_unmap dma = {
		.argsz = sizeof(dma), .iova = map->iova, .size = map->bytes,
	};

	return ioctl(v->container, VFIO_IOMMU_UNMAP_DMA, &dma) ? -errno : 0;
}

/* --- configuration space ------------------------------------------------------------------ */

int nvp_vfio_config_read(struct nvp_vfio *v, unsigned offset, unsigned bytes, uint32_t *value)
{
	*value = UINT32_MAX >> (32 - 8 * bytes);
	if (v->device < 0)
		return -ENODEV;
	if (pread(v->device, value, bytes, (off_t)(v->config_offset + offset)) != (ssize_t)bytes)
		return -ENODEV;
	return 0;
}

int nvp_vfio_config_write(struct nvp_vfio *v, unsigned offset, unsigned bytes, uint32_t value)
{
	if (v->device < 0)
		return -ENODEV;
	if (pwrite(v->device, &value, bytes, (off_t)(v->config_offset + offset)) != (ssize_t)bytes)
		return -ENODEV;
	return 0;
}

uint32_t nvp_vfio_config_real(struct nvp_vfio *v, unsigned offset, unsigned bytes)
{
	uint32_t value = 0;

	if (v->sysfs_config >= 0 &&
	    pread(v->sysfs_config, &value, bytes, offset) == (ssize_t)bytes)
		return value;
	value = UINT32_MAX >> (32 - 8 * bytes);
	/* A file that a user may read to its 64th byte only; what is gone answers neither. */
	if (v->sysfs_config < 0 || offset >= 64)
		nvp_vfio_config_read(v, offset, bytes, &value);
	return value;
}

unsigned nvp_vfio_capability(struct nvp_vfio *v, unsigned id)
{
	uint32_t at, found;

	if (nvp_vfio_config_read(v, NVP_PCI_CAPABILITIES, 1, &at))
		return 0;
	for (unsigned i = 0; at >= 0x40 && i < MAX_CAPABILITIES; i++) {
		if (nvp_vfio_config_read(v, at, 1, &found))
			return 0;
		if (found == id)
			return at;
		if (nvp_vfio_config_read(v, at + 1, 1, &at))
			return 0;
		at &= 0xfc;
	}
	return 0;
}

/* --- interrupts --------------------------------------------------------------------------- */

static int set_irqs(struct nvp_vfio *v, unsigned index, const int *fds, unsigned nr)
{
	struct vfio_irq_set *set = calloc(1, sizeof(*set) + nr * sizeof(*fds));
	int rc;

	if (!set)
		return -ENOMEM;
	set->argsz = (uint32_t)(sizeof(*set) + nr * sizeof(*fds));
	set->flags = VFIO_IRQ_SET_ACTION_TRIGGER |
		     (nr ? VFIO_IRQ_SET_DATA_EVENTFD : VFIO_IRQ_SET_DATA_NONE);
	set->index = index;
	set->count = nr;
	if (nr)
		memcpy(set->data, fds, nr * sizeof(*fds));
	rc = ioctl(v->device, VFIO_DEVICE_SET_IRQS, set) ? -errno : 0;
	free(set);
	return rc;
}

static unsigned count_irqs(struct nvp_vfio *v, unsigned index)
{
	struct vfio_irq_info info = { .argsz = sizeof(info), .index = index };

	return ioctl(v->device, VFIO_DEVICE_GET_IRQ_INFO, &info) ? 0 : info.count;
}

static int make_eventfds(struct nvp_vfio *v)
{
	unsigned nr = count_irqs(v, VFIO_PCI_MSIX_IRQ_INDEX);

	if (v->vector_fd) /* opened again: the files stay */
		return 0;
	v->vector_fd = calloc(nr ? nr : 1, sizeof(*v->vector_fd));
	if (!v->vector_fd)
		return -ENOMEM;
	for (; v->nr_vectors < nr && v->nr_vectors < MAX_VECTORS; v->nr_vectors++) {
		v->vector_fd[v->nr_vectors] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (v->vector_fd[v->nr_vectors] < 0)
			return -errno;
	}
	v->request_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return v->request_fd < 0 ? -errno : 0;
}

static int arm_interrupts(struct nvp_vfio *v)
{
	int rc = make_eventfds(v);
	uint64_t request;

	/* That it was wanted back before it was given back says nothing of now. */
	if (!rc && read(v->request_fd, &request, sizeof(request)) < 0 && errno != EAGAIN)
		rc = -errno;

	/* MSI-X of fewer vectors than the table has is fine; what the host lacks is left out. */
	while (!rc && v->nr_vectors) {
		rc = set_irqs(v, VFIO_PCI_MSIX_IRQ_INDEX, v->vector_fd, v->nr_vectors);
		if (rc != -ENOSPC && rc != -EBUSY)
			break;
		close(v->vector_fd[--v->nr_vectors]);
		rc = 0;
	}
	if (!rc && count_irqs(v, VFIO_PCI_REQ_IRQ_INDEX))
		rc = set_irqs(v, VFIO_PCI_REQ_IRQ_INDEX, &v->request_fd, 1);
	return rc;
}

/* --- the device --------------------------------------------------------------------------- */

int nvp_vfio_revive(struct nvp_vfio *v)
{
	uint32_t command;
	int rc = nvp_vfio_config_read(v, NVP_PCI_COMMAND, 2, &command);

	/* Writing memory space on where the hardware lost it has the kernel restore the BARs. */
	if (!rc)
		rc = nvp_vfio_config_write(v, NVP_PCI_COMMAND, 2, command | NVP_PCI_COMMAND_ON);
	if (rc || !v->nr_vectors)
		return rc;
	set_irqs(v, VFIO_PCI_MSIX_IRQ_INDEX, NULL, 0);
	return set_irqs(v, VFIO_PCI_MSIX_IRQ_INDEX, v->vector_fd, v->nr_vectors);
}

static int map_regs(struct nvp_vfio *v, struct nvp_err *err)
{
	struct vfio_region_info bar = { .argsz = sizeof(bar), .index = VFIO_PCI_BAR0_REGION_INDEX };
	struct vfio_region_info config = { .argsz = sizeof(config),
					   .index = VFIO_PCI_CONFIG_REGION_INDEX };
	void *regs;

	if (ioctl(v->device, VFIO_DEVICE_GET_REGION_INFO, &config) ||
	    ioctl(v->device, VFIO_DEVICE_GET_REGION_INFO, &bar))
		return failed(v, err, "VFIO regions");
	v->config_offset = config.offset;
	if (!(bar.flags & VFIO_REGION_INFO_FLAG_MMAP) || bar.size < 0x1000)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENODEV, "pci:%s: BAR0 cannot be mapped",
				   v->place.bdf);
	regs = mmap(NULL, bar.size, PROT_READ | PROT_WRITE, MAP_SHARED, v->device,
		    (off_t)bar.offset);
	if (regs == MAP_FAILED)
		return failed(v, err, "map BAR0");
	v->regs = regs;
	v->regs_bytes = bar.size;
	return 0;
}

static void open_sysfs_config(struct nvp_vfio *v)
{
	char path[64];

	if (v->sysfs_config >= 0)
		close(v->sysfs_config);
	snprintf(path, sizeof(path), NVP_PCI_DEVICES "/%s/config", v->place.bdf);
	v->sysfs_config = open(path, O_RDONLY | O_CLOEXEC);
}

int nvp_vfio_open_device(struct nvp_vfio *v, struct nvp_err *err)
{
	struct vfio_device_info info = { .argsz = sizeof(info) };
	uint32_t command;
	int rc;

	v->device = ioctl(v->group, VFIO_GROUP_GET_DEVICE_FD, v->place.bdf);
	if (v->device < 0)
		return failed(v, err, "VFIO device");
	if (ioctl(v->device, VFIO_DEVICE_GET_INFO, &info))
		return failed(v, err, "VFIO device info");
	v->taken = false;
	v->can_reset = info.flags & VFIO_DEVICE_FLAGS_RESET;
	open_sysfs_config(v);
	rc = map_regs(v, err);
	if (rc)
		return rc;
	rc = nvp_vfio_config_read(v, NVP_PCI_COMMAND, 2, &command);
	if (!rc)
		rc = nvp_vfio_config_write(v, NVP_PCI_COMMAND, 2, command | NVP_PCI_COMMAND_ON);
	if (!rc)
		rc = arm_interrupts(v);
	if (rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "pci:%s: interrupts: %s", v->place.bdf,
				   strerror(-rc));
	return 0;
}

void nvp_vfio_close_device(struct nvp_vfio *v)
{
	if (v->regs)
		munmap(v->regs, v->regs_bytes);
	v->regs = NULL;
	if (v->device >= 0)
		close(v->device);
	v->device = -1;
}
