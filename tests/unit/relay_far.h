/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other end of a relay's line: a thread behind a pseudo-terminal or a port of 127.0.0.1. */
#ifndef NVP_TESTS_RELAY_FAR_H
#define NVP_TESTS_RELAY_FAR_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct far {
	pthread_t thread;
	int listener;	/* -1: a pseudo-terminal */
	int fd;		/* the connection, or the terminal's master side; -1: none */
	int slave;	/* kept open, so that the terminal is not hung up between two users */
	int stop[2];	/* a pipe */
	unsigned connections;
	char address[64];	/* what the relay is given */
	void *model;
	/* Bytes came; called in the thread. */
	void (*take)(struct far *far, const uint8_t *bytes, size_t nr_bytes);
};

/* Begin; far->model and far->take are set by the caller before. */
void far_tcp(struct far *far);
void far_tty(struct far *far);
/* End the thread; what it wrote may be read after this. */
void far_stop(struct far *far);

/* From take: answer; close the connection (a tty: unplug it). */
void far_say(struct far *far, const char *text);
void far_say_bytes(struct far *far, const char *bytes, size_t nr_bytes);
void far_say_in_pieces(struct far *far, const char *text);
void far_hang_up(struct far *far);

/* Lines of a text protocol: bytes are added, each whole line is handed on without its end. */
struct far_lines {
	size_t length;
	char text[256];
};
void far_lines(struct far *far, struct far_lines *lines, const uint8_t *bytes, size_t nr_bytes,
	       void (*line)(struct far *far, char *text));

/* The models: what the device is, what is wrong with it, what was seen of it. */
enum far_fault {
	FAR_HEALTHY = 0,
	FAR_MUTE,	/* no answer to `about` */
	FAR_HALF,	/* the answer to `about` has no end */
	FAR_PIECES,	/* every answer comes byte by byte */
	FAR_GARBAGE,	/* the answer to `about` is noise */
	FAR_REFUSE,	/* `about` is refused, with the device's own error */
	FAR_STUCK,	/* all is well, says the device, and nothing switches */
	FAR_LATE,	/* the answer to `about` comes when the next command has come */
	FAR_CLOSE,	/* `about` ends the connection */
	FAR_NUL,	/* .. has a NUL byte and more before its end */
	FAR_IDLE,	/* the connection is closed after the answer to `about` */
	FAR_ENDLESS,	/* scpi: errors without end; quarch: an answer without a prompt */
};

struct far_device {
	enum far_fault fault;
	const char *about;	/* a part of the command's text */
	unsigned on;		/* bit n: channel n, from 1; bit 0: that without a number */
	unsigned volts_mv[4];
	unsigned limit_mv;	/* scpi: higher voltages are an error */
	unsigned commands;	/* that came */
	char order[512];	/* of the commands that switch: "source 7;down;" */
	const char *name;	/* scpi: *IDN?; quarch: the module's kind */
	int rails;		/* quarch: a power module */
	int telnet;		/* quarch: options are negotiated first */
	char errors[200], late[200];
	unsigned late_on;	/* the connection on which that was asked for */
	struct far_lines lines;
};
void far_scpi(struct far *far, const uint8_t *bytes, size_t nr_bytes);
void far_quarch(struct far *far, const uint8_t *bytes, size_t nr_bytes);

#endif
