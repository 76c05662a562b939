/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function opened through VFIO: container, group, device file, interrupts, registers. */
#ifndef NVP_DRIVE_BAR_VFIO_DEVICE_H
#define NVP_DRIVE_BAR_VFIO_DEVICE_H

#include <signal.h>

#include "core/drive/vfio.h"

struct nvp_vfio {
	struct nvp_vfio_place place;
	int container, group, device;	/* -1: closed */
	uint8_t *regs;			/* BAR0; NULL: not mapped, and reads are all-ones */
	uint64_t regs_bytes;
	uint64_t config_offset;		/* of configuration space in the device file */
	int sysfs_config;		/* the same as the hardware has it; -1: not ours to read */
	uint32_t id;			/* vendor and device */
	int request_fd;			/* fires when the kernel wants the function back */
	unsigned nr_vectors;
	int *vector_fd;
	bool can_reset;			/* VFIO_DEVICE_RESET does something */
	bool taken;			/* the kernel wanted it back and has it; not opened since */
	const char *came_back;		/* how the last reattach did it; NULL before one */
	struct nvp_iova iova;
	struct nvp_clock clock;
	struct sigaction before;	/* who had SIGBUS */
};

/* --- bar_vfio_device.c -------------------------------------------------------------------- */

/* Container, group, and which addresses the IOMMU has. 0 or *err. */
int nvp_vfio_open_group(struct nvp_vfio *v, struct nvp_err *err);
/* Device file, BAR, interrupts, bus mastering; the group is open. */
int nvp_vfio_open_device(struct nvp_vfio *v, struct nvp_err *err);
/* The function may be taken away from here on; DMA mappings stay as long as the group is open. */
void nvp_vfio_close_device(struct nvp_vfio *v);
void nvp_vfio_close_group(struct nvp_vfio *v);
/* Memory space and bus mastering on, interrupts set anew: what a reset or lost power undid. */
int nvp_vfio_revive(struct nvp_vfio *v);
/* One mapping in the IOMMU. 0 or a negative errno. */
int nvp_vfio_map(struct nvp_vfio *v, const struct nvp_iova_map *map);
int nvp_vfio_unmap(struct nvp_vfio *v, const struct nvp_iova_map *map);

/* Configuration space through VFIO, which keeps some of it to itself. 0 or -ENODEV. */
int nvp_vfio_config_read(struct nvp_vfio *v, unsigned offset, unsigned bytes, uint32_t *value);
int nvp_vfio_config_write(struct nvp_vfio *v, unsigned offset, unsigned bytes, uint32_t value);
/* As the hardware has it; all-ones when it does not answer. */
uint32_t nvp_vfio_config_real(struct nvp_vfio *v, unsigned offset, unsigned bytes);
/* Where a capability is, or 0. */
unsigned nvp_vfio_capability(struct nvp_vfio *v, unsigned id);

/* --- bar_vfio_access.c -------------------------------------------------------------------- */

/* One access of 1, 2, 4 or 8 bytes to mapped registers; false when it raised SIGBUS. */
bool nvp_vfio_load(const volatile uint8_t *at, unsigned bytes, uint64_t *value);
bool nvp_vfio_store(volatile uint8_t *at, unsigned bytes, uint64_t value);
void nvp_vfio_catch_sigbus(struct sigaction *before);
void nvp_vfio_release_sigbus(const struct sigaction *before);

/* --- bar_vfio_reset.c --------------------------------------------------------------------- */

uint32_t nvp_vfio_resets(struct nvp_vfio *v);
int nvp_vfio_reset(struct nvp_vfio *v, enum nvp_reset kind, struct nvp_err *err);
int nvp_vfio_reattach(struct nvp_vfio *v, uint64_t until_ns, struct nvp_err *err);

/* PCI Local Bus 3.0, 6.1 and 6.2.2; PCI Express Base 5.0, 7.5.1 */
#define NVP_PCI_ID	     0x00
#define NVP_PCI_COMMAND	     0x04
#define NVP_PCI_COMMAND_ON   0x6u	/* memory space, bus master */
#define NVP_PCI_BAR0	     0x10
#define NVP_PCI_CAPABILITIES 0x34
#define NVP_PCI_CAP_PM	     0x01
#define NVP_PCI_CAP_EXPRESS  0x10

#endif
