/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel wrote to its log while a case ran: evidence beside a fail. */
#ifndef NVP_RUN_KLOG_H
#define NVP_RUN_KLOG_H

#include "core/base/text.h"

/* Open the kernel's log at its end, never waiting. A file descriptor, or a negative errno. */
int nvp_klog_open(void);
/* Forget what was written so far: a case begins. fd may be negative. */
void nvp_klog_skip(int fd);
/*
 * The members of a `klog` event, all of it under "host": the lines since the last skip, at most
 * NVP_KLOG_LINES of them, or why there are none (fd is the negative errno of nvp_klog_open). A
 * record is what one read gives: "6,1234,5678901,-;text\n KEY=value\n", 5678901 in us since boot.
 */
#define NVP_KLOG_LINES 200
void nvp_klog_take(int fd, struct nvp_text *members);

#endif
