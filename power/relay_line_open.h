/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between relay_line.c and relay_line_open.c: the line itself. */
#ifndef NVP_POWER_RELAY_LINE_OPEN_H
#define NVP_POWER_RELAY_LINE_OPEN_H

#include "power/relay_line.h"

enum nvp_line_way { NVP_LINE_TTY = 0, NVP_LINE_TCP, NVP_LINE_USBTMC };

struct nvp_line {
	struct nvp_line_form form;
	char address[128];
	enum nvp_line_way way;
	int fd;			/* -1: not open */
	bool stale;		/* begin opens it anew */
	bool was_open;		/* what is missing now was there: the rig is at fault */
	uint8_t telnet;		/* enum telnet_state of relay_line.c */
	uint8_t telnet_verb;
	uint64_t until_ns;	/* CLOCK_MONOTONIC: end of the exchange */
	size_t length;		/* of buffer */
	char asked[64];		/* the command that was sent last, for texts */
	char buffer[NVP_LINE_MOST_TEXT];
};

/* Sets fd; waits until until_ns at most. 0 or a negative errno with *err. */
int nvp_line_connect(struct nvp_line *line, struct nvp_err *err);
/*
 * poll(2) for events until until_ns; with USBTMC the driver is told that time instead. 0,
 * -ETIMEDOUT, -ENODEV or another negative errno.
 */
int nvp_line_wait(const struct nvp_line *line, short events);

#endif
