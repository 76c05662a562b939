/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PCIe function and link of a drive. */
#ifndef NVPROOF_PCIE_H
#define NVPROOF_PCIE_H

#include <stdint.h>

#include <nvproof/err.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NVP_CONFIG_BYTES 4096

/* One PCI function: its configuration space, through whatever reaches it. */
struct nvp_pcie;

/* A way to configuration space, one file each in pcie/. Required: scheme, open, close, read. */
struct nvp_pcie_ops {
	const char *scheme;
	void *(*open)(const char *address, struct nvp_err *err);
	void (*close)(void *function);
	/* bytes is 1, 2 or 4; offset 0 to 4095. 0, or -ENODEV (reads as all-ones) or -EACCES. */
	int (*read)(void *function, unsigned offset, unsigned bytes, uint32_t *value);
	/* optional */
	int (*write)(void *function, unsigned offset, unsigned bytes, uint32_t value);
};

#ifdef __cplusplus
}
#endif
#endif
