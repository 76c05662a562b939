/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel wrote to its log while a case ran: evidence beside a fail. */
#ifndef NVP_RUN_KLOG_H
#define NVP_RUN_KLOG_H

#include <stdbool.h>

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
#define NVP_KLOG_ALARM_BYTES 200
struct nvp_klog_alarm {
	unsigned nr;				/* lines that alarm, all of them */
	char first[NVP_KLOG_ALARM_BYTES];	/* text of the first one, cut to that */
	char reset[NVP_KLOG_ALARM_BYTES];	/* first line that tells of a reset; "": none */
};
/* controller: whose resets count, as the kernel names it ("nvme0"); NULL or "": nobody's. */
void nvp_klog_take(int fd, const char *controller, struct nvp_text *members,
		   struct nvp_klog_alarm *alarm);

/* Is it a line of a kernel in trouble: an Oops, a hung task, an error of the PCI Express link? */
bool nvp_klog_alarms(const char *text);
/* Does it tell that the kernel's driver reset, lost or took off this controller? */
bool nvp_klog_resets(const char *text, const char *controller);

#endif
