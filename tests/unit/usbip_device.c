// SPDX-License-Identifier: GPL-2.0-or-later
// A USB device made of messages: USB/IP as Documentation/usb/usbip_protocol.rst of Linux tells it,
// and on it a USBTMC instrument (USBTMC 1.0, sections 3 and 4).

#include "tests/unit/usbip_device.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CMD_SUBMIT = 1, CMD_UNLINK, RET_SUBMIT, RET_UNLINK };

/* All in network order. */
struct message {
	uint32_t command, seqnum, devid, direction, ep;
	uint32_t word[5];	/* flags or status, length, .. */
	uint8_t setup[8];
};

static const uint8_t device_descriptor[18] = { 18,	1,    0x00, 0x02, 0, 0, 0, 64, 0x34,
					       0x12, 0x78, 0x56, 0x00, 0x01, 0, 0, 0,  1 };
/* One interface of class FEh, subclass 3, with a bulk endpoint each way. */
static const uint8_t config_descriptor[32] = {
	9, 2, 32, 0, 1, 1, 0, 0xc0, 0,
	9, 4, 0, 0, 2, 0xfe, 3, 0, 0,
	7, 5, 0x01, 2, 0x00, 0x02, 0,
	7, 5, 0x82, 2, 0x00, 0x02, 0,
};

static void all_of(int fd, void *bytes, size_t n, int out)
{
	for (uint8_t *at = bytes; n;) {
		ssize_t did = out ? write(fd, at, n) : read(fd, at, n);

		if (did <= 0)	/* pulled out */
			pthread_exit(NULL);
		at += did;
		n -= (size_t)did;
	}
}

/* The answer to a request, with data when it was a read. */
static void done(struct usbip_device *d, uint32_t seqnum, int status, uint32_t length, void *data)
{
	struct message m = { .command = htonl(RET_SUBMIT), .seqnum = htonl(seqnum) };

	m.word[0] = htonl((uint32_t)status);
	m.word[1] = htonl(length);
	all_of(d->fd, &m, sizeof(m), 1);
	if (data)
		all_of(d->fd, data, length, 1);
}

/* Requests to endpoint 0: what Linux asks of a new device, and what its usbtmc driver does. */
static void control(struct usbip_device *d, uint32_t seqnum, const uint8_t setup[8], uint32_t want)
{
	uint8_t data[64] = { 0 };
	const void *from = data;
	uint32_t length = 0;

	if (!(setup[0] & 0x80)) {	/* set configuration, clear a halt */
		done(d, seqnum, 0, 0, NULL);
		return;
	}
	if (setup[1] == 6 && setup[3] == 1) {
		from = device_descriptor;
		length = sizeof(device_descriptor);
	} else if (setup[1] == 6 && setup[3] == 2) {
		from = config_descriptor;
		length = sizeof(config_descriptor);
	} else if (setup[0] == 0xa1 && setup[1] == 7) {	/* GET_CAPABILITIES */
		length = 24;
		data[0] = 1;
	} else if (setup[0] == 0xa1 && (setup[1] == 5 || setup[1] == 6)) {	/* clear: done */
		d->clears += setup[1] == 5;
		length = setup[1] - 4u;
		data[0] = 1;
	} else if (setup[0] == 0xa2) {	/* abort a transfer: there is none (81h) */
		length = setup[1] & 1 ? 2 : 8;
		data[0] = 0x81;
	} else if (setup[1] == 0) {
		length = 2;
	} else {
		done(d, seqnum, -EPIPE, 0, NULL);
		return;
	}
	memcpy(data, from, length);
	done(d, seqnum, 0, length < want ? length : want, data);
}

/* A read of the host is answered when the instrument has said something. */
static void answer(struct usbip_device *d)
{
	uint8_t bytes[12 + 512] = { 2, d->tag, (uint8_t)~d->tag };
	ssize_t n;

	if (!d->waiting)
		return;
	n = read(d->answers, bytes + 12, 500);
	if (n <= 0)
		return;
	bytes[4] = (uint8_t)n;
	bytes[5] = (uint8_t)(n >> 8);
	bytes[8] = 1;	/* end of message */
	done(d, d->waiting, 0, (uint32_t)(12 + ((n + 3) & ~3)), bytes);
	d->waiting = 0;
}

static void bulk_out(struct usbip_device *d, uint32_t seqnum, uint8_t *bytes, uint32_t length)
{
	uint32_t n = bytes[4] | (uint32_t)bytes[5] << 8;

	if (length < 12 || (bytes[1] ^ bytes[2]) != 0xff)
		abort();
	if (bytes[0] == 2)	/* REQUEST_DEV_DEP_MSG_IN */
		d->tag = bytes[1];
	done(d, seqnum, 0, length, NULL);
	if (bytes[0] == 1 && 12 + n <= length)
		far_scpi(&d->far, bytes + 12, n);
}

static void take(struct usbip_device *d)
{
	uint8_t bytes[2048];
	struct message m;
	uint32_t seqnum, length;

	all_of(d->fd, &m, sizeof(m), 0);
	seqnum = ntohl(m.seqnum);
	length = ntohl(m.word[1]);
	if (ntohl(m.command) == CMD_UNLINK) {
		int held = d->waiting == ntohl(m.word[0]);

		if (held)
			d->waiting = 0;
		m = (struct message){ .command = htonl(RET_UNLINK), .seqnum = htonl(seqnum) };
		m.word[0] = htonl(held ? (uint32_t)-ECONNRESET : 0);
		all_of(d->fd, &m, sizeof(m), 1);
	} else if (!ntohl(m.ep)) {
		if (!ntohl(m.direction) && length)
			all_of(d->fd, bytes, length, 0);
		control(d, seqnum, m.setup, length < sizeof(bytes) ? length : sizeof(bytes));
	} else if (!ntohl(m.direction)) {
		if (length > sizeof(bytes))
			abort();
		all_of(d->fd, bytes, length, 0);
		bulk_out(d, seqnum, bytes, length);
	} else {
		d->waiting = seqnum;
	}
}

static void *run(void *context)
{
	struct usbip_device *d = context;

	for (;;) {
		struct pollfd p[2] = { { .fd = d->stop[0], .events = POLLIN },
				       { .fd = d->fd, .events = POLLIN } };

		poll(p, 2, -1);
		if (p[0].revents)
			return NULL;
		take(d);
		answer(d);
	}
}

int usbip_plug_in(struct usbip_device *d, struct far_device *model)
{
	static const char *const attach = "/sys/devices/platform/vhci_hcd.0/attach";
	int ends[2], pipe_of[2];
	FILE *file = fopen(attach, "w");

	memset(d, 0, sizeof(*d));
	if (!file || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || pipe(d->stop) ||
	    pipe2(pipe_of, O_NONBLOCK))
		return -1;
	d->fd = ends[0];
	d->far.model = model;
	d->far.fd = pipe_of[1];
	d->far.slave = d->far.listener = -1;
	d->answers = pipe_of[0];
	if (pthread_create(&d->thread, NULL, run, d))
		abort();
	/* port, socket, device id, speed 3: high */
	fprintf(file, "0 %d 1 3", ends[1]);
	if (fclose(file))
		return -1;
	close(ends[1]);
	return 0;
}

void usbip_pull_out(struct usbip_device *d)
{
	if (write(d->stop[1], "", 1) != 1)
		abort();
	shutdown(d->fd, SHUT_RDWR);
	pthread_join(d->thread, NULL);
	close(d->fd);
	close(d->answers);
	close(d->far.fd);
	close(d->stop[0]);
	close(d->stop[1]);
}
