/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way through VFIO: where a function sits, whose it is, handing it over, and its addresses. */
#ifndef NVP_DRIVE_VFIO_H
#define NVP_DRIVE_VFIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/drive_ops.h>

/* As in kernel.h, all files are read and written below root: "" on a real system. */

#define NVP_BDF_BYTES 16
#define NVP_PCI_DEVICES "/sys/bus/pci/devices"

struct nvp_vfio_place {
	char bdf[NVP_BDF_BYTES];	/* "0000:01:00.0" */
	char port[NVP_BDF_BYTES];	/* the port above; empty on a root bus */
	char driver[32];		/* that is bound; empty: none */
	unsigned group;			/* of the IOMMU */
};

/* --- vfio_sysfs.c ------------------------------------------------------------------------- */

/*
 * From "pci:0000:01:00.0" to the function. 0, or one line: no such form, no such function, no NVMe
 * controller, no IOMMU (usage), or other functions in its IOMMU group (refused).
 */
int nvp_vfio_find(const char *root, const char *address, struct nvp_vfio_place *place,
		  struct nvp_err *err);
/* Can it be opened: vfio-pci bound, device files there and ours, memory that may be locked? */
int nvp_vfio_ready(const char *root, const struct nvp_vfio_place *place, struct nvp_err *err);
/* An NVMe controller below this port, when there is one alone: 0 and its address, or -ENODEV. */
int nvp_vfio_below(const char *root, const char *port, char bdf[NVP_BDF_BYTES]);
/* Is a limit of locked memory (RLIMIT_MEMLOCK, bytes) too small for a run? */
bool nvp_vfio_memlock_short(uint64_t limit_bytes, bool may_pass_limit);
/* Read the name of the driver that is bound now; empty when none is. */
void nvp_vfio_driver(const char *root, const char *bdf, char *driver, size_t bytes);
/* The folder of the function, locked against other nvproofs until closed, or a refusal. */
int nvp_vfio_lock(const char *root, const struct nvp_vfio_place *place, struct nvp_err *err);
/* Write text into the file root/path. 0 or a negative errno. */
int nvp_vfio_put(const char *root, const char *path, const char *text);

/* --- vfio_bind.c -------------------------------------------------------------------------- */

/*
 * Hand the function to vfio-pci. Refused when a block device of it is mounted, swap or held,
 * whatever is forced, and without force when it carries a signature. A hand-over that fails is
 * taken back. 0 also when vfio-pci has it already.
 */
int nvp_vfio_bind(const char *root, struct nvp_vfio_place *place, bool force, struct nvp_err *err);
/* Back to the kernel's driver. Refused while somebody has it open. */
int nvp_vfio_unbind(const char *root, struct nvp_vfio_place *place, struct nvp_err *err);
/*
 * The function came back without its configuration: take it out of the kernel's list and have the
 * port looked at again, with nobody but vfio-pci allowed to take it. The file must be closed.
 */
int nvp_vfio_rescan(const char *root, struct nvp_vfio_place *place, struct nvp_err *err);

/* --- vfio_prepare.c ----------------------------------------------------------------------- */

struct nvp_vfio_prepared {
	struct nvp_vfio_place place;
	int lock_fd;
	int in_use;			/* as nvp_prepared_in_use, learned with the rest */
	char in_use_text[160];
	char serial[24], model[48];	/* printable, without padding */
};

struct nvp_vfio_prepared *nvp_vfio_prepare(const char *root, const char *address,
					   struct nvp_err *err);
void nvp_vfio_discard(struct nvp_vfio_prepared *prepared);
/* Serial, model and signatures, from the drive itself. */
void nvp_vfio_learn(struct nvp_vfio_prepared *prepared, struct nvp_drive *drive);
/*
 * A drive of two ports: is it used through a controller that the kernel's driver has? As
 * nvp_in_use, of the first controller in this NVM subsystem; subnqn empty: nobody knows, 0.
 */
int nvp_vfio_other_port(const char *root, const char *subnqn, char *text, size_t bytes);

/* --- vfio_link.c -------------------------------------------------------------------------- */

/*
 * May the port above take the link down and up (Link Disable: PCI Express Base 5.0, 7.5.3.7)? It
 * has to be a downstream port that reports an active link, and no slot of the kernel's hot-plug
 * driver, which would take the loss of the link for a removal.
 */
bool nvp_vfio_link_can(const char *root, const struct nvp_vfio_place *place);
/*
 * Do that. The link is enabled again whatever happened. Returns once it is active, or was waited
 * for as long as the kernel does: whoever looks for the function finds out. 0, -ENODEV,
 * -EOPNOTSUPP, or -ETIMEDOUT when the link stayed active; *err says which port.
 */
int nvp_vfio_link_reset(const char *root, const struct nvp_vfio_place *place,
			const struct nvp_clock *clock, struct nvp_err *err);

/* --- vfio_iova.c -------------------------------------------------------------------------- */

struct nvp_iova_range {
	uint64_t first, last;
};

struct nvp_iova_map {
	uint64_t iova;
	uint64_t bytes;
	void *va;
};

#define NVP_IOVA_RANGES 16

/* Addresses given out, and what they lead to; zero-initialise, set range, free with _clear. */
struct nvp_iova {
	struct nvp_iova_range range[NVP_IOVA_RANGES];	/* that the IOMMU can translate */
	unsigned nr_ranges;
	struct nvp_iova_map *map;	/* ascending by iova */
	size_t nr, room;
	uint64_t next;		/* where the search begins: an address just freed rests for long */
};

/*
 * Find room for bytes (a multiple of 4096), with a page on both sides that stays unmapped, and
 * note va. 0 and *iova (never 0), -EINVAL, -ENOMEM, -ENOSPC.
 */
int nvp_iova_take(struct nvp_iova *iova, void *va, uint64_t bytes, uint64_t *address);
/* 0 and what it was, or -ENOENT. */
int nvp_iova_give(struct nvp_iova *iova, uint64_t address, struct nvp_iova_map *was);
void nvp_iova_clear(struct nvp_iova *iova);

/* --- bar_vfio.c --------------------------------------------------------------------------- */

extern const struct nvp_bar_ops nvp_bar_vfio;
extern const struct nvp_drive_ops nvp_drive_pci;

#endif
