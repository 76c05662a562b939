/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several I/O commands at once through the kernel: io_uring commands on /dev/ngXnY (Linux 5.19). */
#ifndef NVP_DRIVE_KERNEL_DEPTH_H
#define NVP_DRIVE_KERNEL_DEPTH_H

#include <nvproof/drive_ops.h>

#include "core/drive/kernel.h"

struct nvp_kernel_depth;

/* As many commands as the baseline pair of our own driver takes. */
#define NVP_KERNEL_DEPTH 63

/*
 * For the namespaces of drive that may be sent to (only_nsid, else all). NULL where the kernel or
 * the machine does not offer it, and *why (static) says which: one command at a time works then.
 */
struct nvp_kernel_depth *nvp_kernel_depth_new(const char *root,
					      const struct nvp_kernel_drive *drive,
					      const char **why);
/* Waits for what the kernel still has. */
void nvp_kernel_depth_free(struct nvp_kernel_depth *depth);

/* The ops of drive_ops.h. What may not be sent at all the caller has refused (kernel_refuse.c). */
int nvp_kernel_depth_post(struct nvp_kernel_depth *depth, const struct nvp_exec *exec, uint64_t tag,
			  struct nvp_err *err);
int nvp_kernel_depth_send(struct nvp_kernel_depth *depth, struct nvp_err *err);
int nvp_kernel_depth_take(struct nvp_kernel_depth *depth, struct nvp_exec_end *end);
int nvp_kernel_depth_wait(struct nvp_kernel_depth *depth, uint64_t until_ns);

#endif
