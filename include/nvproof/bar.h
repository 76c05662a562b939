/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BAR contract: the little that our own controller driver needs of a PCIe function. */
#ifndef NVPROOF_BAR_H
#define NVPROOF_BAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/clock.h>
#include <nvproof/err.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Resets, from the gentlest; which of them a function has is in nvp_bar_ops.resets. */
enum nvp_reset {
	NVP_RESET_CONTROLLER = 0,	/* CC.EN 1 to 0 (NVMe Base 2.0 section 3.7.2); done by the driver, not here */
	NVP_RESET_FUNCTION,		/* PCIe Function Level Reset */
	NVP_RESET_HOT,			/* Secondary Bus Reset of the port above */
	NVP_RESET_LINK,			/* Link Disable and enable */
	NVP_RESET_D3,			/* D3hot and back to D0 */
	NVP_RESET_SUBSYSTEM,		/* NSSR = 4E564D65h; done by the driver, not here */
	NVP_NR_RESETS
};

/* A memory access of the function outside everything that was mapped for it. */
struct nvp_dma_fault {
	uint64_t iova;
	uint32_t bytes;
	bool write;		/* true: the function wanted to write to memory */
};

/* What the driver gives to open; all borrowed. */
struct nvp_bar_open {
	const char *address;	/* "sim:..." or "pci:0000:01:00.0" */
	void *prepared;		/* what .prepare returned in the supervisor; NULL if it has none */
};

/*
 * One implementation each in core/drive/bar_sim.c and (later) bar_vfio.c. Every slot but those
 * marked optional is required. `bar` is what open returned. Nothing here knows NVMe.
 */
struct nvp_bar_ops {
	const char *scheme;	/* "sim", "pci" */
	const char *help;	/* one line for the address help */

	void *(*open)(const struct nvp_bar_open *open, struct nvp_err *err);
	void (*close)(void *bar);

	/*
	 * Registers. bytes is 4 or 8; an 8-byte access may be done as two of 4, low first
	 * (PCIe Transport 1.0, 3.1). Offsets need not be aligned: nothing is validated here. A
	 * function that is gone reads as all-ones and never raises SIGBUS.
	 */
	uint64_t (*read)(void *bar, uint64_t offset, unsigned bytes);
	void (*write)(void *bar, uint64_t offset, unsigned bytes, uint64_t value);
	uint64_t (*bar_bytes)(void *bar);

	/* Configuration space; bytes is 1, 2 or 4; offset 0 to 4095. 0 or -ENODEV. */
	int (*config_read)(void *bar, unsigned offset, unsigned bytes, uint32_t *value);
	int (*config_write)(void *bar, unsigned offset, unsigned bytes, uint32_t value);

	/* Page-aligned host memory made reachable; stays mapped until unmap or close. */
	int (*dma_map)(void *bar, void *va, size_t bytes, uint64_t *iova);
	int (*dma_unmap)(void *bar, uint64_t iova);
	/* optional: accesses outside the map since open, and the last of them */
	uint64_t (*dma_faults)(void *bar, struct nvp_dma_fault *last);

	/* Interrupt vectors that can be waited for (0: poll only); take: fired since last asked? */
	unsigned (*nr_vectors)(void *bar);
	bool (*vector_take)(void *bar, unsigned vector);

	/* Bit n: enum nvp_reset n can be done by .reset (CONTROLLER and SUBSYSTEM never). */
	uint32_t (*resets)(void *bar);
	int (*reset)(void *bar, enum nvp_reset kind, struct nvp_err *err);

	/*
	 * After power came back: make the function usable again (Command register, MSI-X, and if
	 * need be close, rescan, open), until the clock shows until_ns. DMA mappings are kept.
	 * 0, -ETIMEDOUT, or -ENODEV when it is another device.
	 */
	int (*reattach)(void *bar, uint64_t until_ns, struct nvp_err *err);

	/* The function's time; borrowed until close. All waiting goes through it. */
	const struct nvp_clock *(*clock)(void *bar);

	/*
	 * optional: what must exist before the worker is forked and survive it (the simulated
	 * drive's arena). Called in the supervisor; the result goes to open in every worker.
	 */
	void *(*prepare)(const char *address, uint64_t seed, unsigned position, struct nvp_err *err);
	void (*discard)(void *prepared);
	const char *(*prepared_serial)(void *prepared);
	const char *(*prepared_model)(void *prepared);

	/* optional: the supply of the function is simulated and switched here (relay address "sim"). */
	int (*power)(void *bar, bool on);

	/* optional: how the last reattach that succeeded did it, a constant text; NULL before one */
	const char *(*came_back)(void *bar);
};

#ifdef __cplusplus
}
#endif
#endif
