/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes with a device over a tty, TCP or USBTMC, with a deadline for each exchange. */
#ifndef NVP_POWER_RELAY_LINE_H
#define NVP_POWER_RELAY_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/err.h>

#define NVP_LINE_DEADLINE_MS 2000u	/* of one exchange: a few commands and their answers */
#define NVP_LINE_MOST_TEXT   1024	/* bytes of an answer */

struct nvp_line;

/* How a kind of relay speaks; scheme is borrowed as long as the line lives. */
struct nvp_line_form {
	const char *scheme;	/* "scpi": stands first in every text */
	uint32_t baud;		/* of a tty, 8N1: 9600, 19200, 115200; 0: /dev/.. is USBTMC */
	bool tcp;		/* HOST:PORT is a form of its address */
	bool telnet;		/* over TCP: options are refused and left out (RFC 854) */
	uint32_t deadline_ms;	/* 0: NVP_LINE_DEADLINE_MS */
};

/*
 * "/dev/NAME", "HOST:PORT", "[IPV6]:PORT". NULL with *err: usage (no such form, no such file, not a
 * tty), broken (no permission, in use, refused, no answer). Resolving a host's name has the
 * resolver's deadline, not ours. A tty is held with flock(2) and left with HUPCL off, so that DTR
 * does not fall when it is closed; it rises when it is opened.
 */
struct nvp_line *nvp_line_open(const char *address, const struct nvp_line_form *form,
			       struct nvp_err *err);
void nvp_line_close(struct nvp_line *line);

/* Of the exchanges that begin from now on. */
void nvp_line_deadline(struct nvp_line *line, uint32_t deadline_ms);

/*
 * Begin an exchange: its deadline starts, what arrived since the last one is dropped. After an
 * exchange that did not end well the line is opened anew first, so that an answer that comes late
 * is never taken for another's. 0 or a negative errno with *err.
 */
int nvp_line_begin(struct nvp_line *line, struct nvp_err *err);
/* The last exchange gave no sense: the next one begins with the line opened anew. */
void nvp_line_distrust(struct nvp_line *line);

/* The whole of it, given to the kernel. 0 or a negative errno with *err. */
int nvp_line_send(struct nvp_line *line, const void *bytes, size_t nr_bytes, struct nvp_err *err);
/* All bytes have left the machine (a tty's queue is empty). 0 or a negative errno with *err. */
int nvp_line_drained(struct nvp_line *line, struct nvp_err *err);
/*
 * Everything up to the character `end`, which is left out; NUL-terminated, a NUL byte becomes '?'.
 * 0, or a negative errno with *err: -ETIMEDOUT (what arrived stands in the text), -ENODEV (closed,
 * unplugged), -EMSGSIZE (no end in NVP_LINE_MOST_TEXT bytes). text holds NVP_LINE_MOST_TEXT bytes.
 */
int nvp_line_read(struct nvp_line *line, char end, char *text, struct nvp_err *err);

/*
 * Cut a trailing "/N" off a copy of the address: 1 to most; 0 when there is none. place holds bytes
 * bytes. 0, or -EINVAL with *err.
 */
int nvp_line_channel(const char *scheme, const char *address, unsigned most, char *place,
		     size_t bytes, unsigned *channel, struct nvp_err *err);

/* Without spaces and line ends on both sides, in place. */
char *nvp_line_trim(char *text);

#endif
