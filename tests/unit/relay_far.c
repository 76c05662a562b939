// SPDX-License-Identifier: GPL-2.0-or-later
// The thread at the other end of a relay's line.

#include "tests/unit/relay_far.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void welcome(struct far *far)
{
	int fd = accept(far->listener, NULL, NULL);

	if (fd < 0)
		return;
	if (far->fd >= 0)
		close(far->fd);
	far->fd = fd;
	far->connections++;
}

static void *run(void *context)
{
	struct far *far = context;

	for (;;) {
		struct pollfd p[3] = { { .fd = far->stop[0], .events = POLLIN },
				       { .fd = far->listener, .events = POLLIN },
				       { .fd = far->fd, .events = POLLIN } };
		uint8_t bytes[256];
		ssize_t n;

		poll(p, 3, -1);
		if (p[0].revents)
			return NULL;
		if (p[1].revents) {
			welcome(far);
			continue;
		}
		if (!p[2].revents)
			continue;
		n = read(far->fd, bytes, sizeof(bytes));
		if (n > 0)
			far->take(far, bytes, (size_t)n);
		else
			far_hang_up(far);
	}
}

static void begin(struct far *far)
{
	if (pipe(far->stop) || pthread_create(&far->thread, NULL, run, far))
		abort();
}

void far_tcp(struct far *far)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t bytes = sizeof(at);

	far->fd = far->slave = -1;
	far->listener = socket(AF_INET, SOCK_STREAM, 0);
	if (far->listener < 0 || bind(far->listener, (struct sockaddr *)&at, sizeof(at)) ||
	    listen(far->listener, 4) ||
	    getsockname(far->listener, (struct sockaddr *)&at, &bytes))
		abort();
	snprintf(far->address, sizeof(far->address), "127.0.0.1:%u", ntohs(at.sin_port));
	begin(far);
}

void far_tty(struct far *far)
{
	far->listener = -1;
	if (openpty(&far->fd, &far->slave, far->address, NULL, NULL))
		abort();
	begin(far);
}

void far_stop(struct far *far)
{
	if (write(far->stop[1], "", 1) != 1)
		abort();
	pthread_join(far->thread, NULL);
	far_hang_up(far);
	if (far->listener >= 0)
		close(far->listener);
	close(far->stop[0]);
	close(far->stop[1]);
}

void far_say_bytes(struct far *far, const char *bytes, size_t nr_bytes)
{
	ssize_t n = far->fd >= 0 ? write(far->fd, bytes, nr_bytes) : 0;

	(void)n;	/* whoever went does not hear it */
}

void far_say(struct far *far, const char *text)
{
	far_say_bytes(far, text, strlen(text));
}

void far_say_in_pieces(struct far *far, const char *text)
{
	for (; *text; text++) {
		char piece[2] = { *text, '\0' };

		far_say(far, piece);
		poll(NULL, 0, 1);
	}
}

void far_hang_up(struct far *far)
{
	if (far->slave >= 0)
		close(far->slave);
	if (far->fd >= 0)
		close(far->fd);
	far->slave = -1;
	__atomic_store_n(&far->fd, -1, __ATOMIC_RELEASE);
}

void far_lines(struct far *far, struct far_lines *lines, const uint8_t *bytes, size_t nr_bytes,
	       void (*line)(struct far *far, char *text))
{
	for (size_t i = 0; i < nr_bytes; i++) {
		if (bytes[i] != '\n' && lines->length < sizeof(lines->text) - 1) {
			if (bytes[i] != '\r')
				lines->text[lines->length++] = (char)bytes[i];
			continue;
		}
		lines->text[lines->length] = '\0';
		lines->length = 0;
		line(far, lines->text);
	}
}
