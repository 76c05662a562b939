// SPDX-License-Identifier: GPL-2.0-or-later
// Bytes with a device: sent whole, read up to an end, each exchange within its deadline.

#include "power/relay_line_open.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/usb/tmc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nvproof/clock.h>

#include "core/base/parse.h"

#define USBTMC_LEAST_MS 100u	/* the driver refuses less */

/* RFC 854: what follows a byte FFh. */
enum telnet_state { TELNET_TEXT = 0, TELNET_IAC, TELNET_OPTION, TELNET_SUB, TELNET_SUB_IAC };
enum { SE = 240, SB = 250, WILL = 251, WONT = 252, DO = 253, DONT = 254, IAC = 255 };

static uint64_t now_ns(void)
{
	return nvp_clock_now_ns(nvp_clock_real());
}

/*
 * poll(2) of the USBTMC driver knows service requests only: read and write wait, for as long as the
 * driver is told, which is what is left of the exchange.
 */
static int bound_usbtmc(const struct nvp_line *line)
{
	uint64_t now = now_ns();
	uint32_t left_ms;

	if (now >= line->until_ns)
		return -ETIMEDOUT;
	left_ms = (uint32_t)((line->until_ns - now) / NVP_NS_PER_MS) + 1;
	if (left_ms < USBTMC_LEAST_MS)
		left_ms = USBTMC_LEAST_MS;
	return ioctl(line->fd, USBTMC_IOCTL_SET_TIMEOUT, &left_ms) ? -ENODEV : 0;
}

int nvp_line_wait(const struct nvp_line *line, short events)
{
	struct pollfd p = { .fd = line->fd, .events = events };

	if (line->way == NVP_LINE_USBTMC)
		return bound_usbtmc(line);

	for (;;) {
		uint64_t now = now_ns();
		int rc;

		if (now >= line->until_ns)
			return -ETIMEDOUT;
		rc = poll(&p, 1, (int)((line->until_ns - now) / NVP_NS_PER_MS) + 1);
		if (rc < 0 && errno != EINTR)
			return -errno;
		if (rc <= 0)
			continue;
		/* What was sent before the other end went can still be read. */
		if (p.revents & events)
			return 0;
		return -ENODEV;
	}
}

struct nvp_line *nvp_line_open(const char *address, const struct nvp_line_form *form,
			       struct nvp_err *err)
{
	struct nvp_line *line = calloc(1, sizeof(*line));

	if (!line) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "relay %s:%s", form->scheme, address);
		return NULL;
	}
	line->form = *form;
	line->fd = -1;
	if (!form->deadline_ms)
		line->form.deadline_ms = NVP_LINE_DEADLINE_MS;
	if (strlen(address) >= sizeof(line->address) || (address[0] != '/' && !form->tcp)) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
			    "relay %s:%.100s: no such form of address", form->scheme, address);
		nvp_err_expected(err, "/dev/NAME%s", form->tcp ? " or HOST:PORT" : "");
		free(line);
		return NULL;
	}
	strcpy(line->address, address);
	line->way = address[0] != '/' ? NVP_LINE_TCP : form->baud ? NVP_LINE_TTY : NVP_LINE_USBTMC;
	line->until_ns = now_ns() + line->form.deadline_ms * NVP_NS_PER_MS;
	if (nvp_line_connect(line, err)) {
		free(line);
		return NULL;
	}
	return line;
}

void nvp_line_close(struct nvp_line *line)
{
	if (!line)
		return;
	if (line->fd >= 0)
		close(line->fd);
	free(line);
}

void nvp_line_deadline(struct nvp_line *line, uint32_t deadline_ms)
{
	line->form.deadline_ms = deadline_ms;
}

void nvp_line_distrust(struct nvp_line *line)
{
	line->stale = true;
}

static int gone(struct nvp_line *line, int code, struct nvp_err *err)
{
	line->stale = true;
	nvp_err_set(err, NVP_ERR_BROKEN, code, "relay %s:%s: %s", line->form.scheme, line->address,
		    line->way == NVP_LINE_TCP ? "the other end closed the connection" :
						"it is gone");
	nvp_err_advice(err, "%s, then look at the drive's power",
		       line->way == NVP_LINE_TCP ? "is it still on, is another program using it?" :
						   "plug it in again, try another cable or port");
	return code;
}

static int no_answer(struct nvp_line *line, struct nvp_err *err)
{
	line->stale = true;
	nvp_err_set(err, NVP_ERR_BROKEN, -ETIMEDOUT, "relay %s:%s: \"%s\" was not %s",
		    line->form.scheme, line->address, line->asked,
		    line->length ? "answered to the end" : "answered");
	nvp_err_expected(err, "an answer within %u ms", line->form.deadline_ms);
	if (line->length)
		nvp_err_seen(err, "\"%.*s\"", (int)line->length, line->buffer);
	nvp_err_advice(err, "is it on, is it that kind of device, that port?");
	return -ETIMEDOUT;
}

/* read(2) for each way: bytes, 0 (nothing now), -ENODEV (gone) or another negative errno. */
static ssize_t get(struct nvp_line *line, void *bytes, size_t most)
{
	ssize_t n = read(line->fd, bytes, most);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 :
		       errno == ETIMEDOUT		  ? -ETIMEDOUT :
							    -ENODEV;
	/* A tty with VMIN 0 says 0 for nothing, and for hung up: poll tells these apart. */
	return n || line->way != NVP_LINE_TCP ? n : -ENODEV;
}

/* A refusal of an option: WILL is answered with DONT, DO with WONT (RFC 854, 1143). */
static void refuse_option(const struct nvp_line *line, uint8_t option)
{
	uint8_t answer[3] = { IAC, line->telnet_verb == WILL ? DONT : WONT, option };
	ssize_t ignored = 0;

	/* An answer that does not fit now is no loss: the option stays off. */
	if (line->telnet_verb == WILL || line->telnet_verb == DO)
		ignored = send(line->fd, answer, sizeof(answer), MSG_NOSIGNAL);
	(void)ignored;
}

/* One byte from the other end: is it text? */
static bool is_text(struct nvp_line *line, uint8_t byte)
{
	switch (line->telnet) {
	case TELNET_TEXT:
		if (byte == IAC)
			line->telnet = TELNET_IAC;
		return byte != IAC;
	case TELNET_IAC:
		line->telnet_verb = byte;
		line->telnet = byte == SB ? TELNET_SUB : byte >= WILL && byte <= DONT ?
			       TELNET_OPTION : TELNET_TEXT;
		return byte == IAC;
	case TELNET_OPTION:
		refuse_option(line, byte);
		line->telnet = TELNET_TEXT;
		return false;
	case TELNET_SUB:
		if (byte == IAC)
			line->telnet = TELNET_SUB_IAC;
		return false;
	default:
		line->telnet = byte == SE ? TELNET_TEXT : TELNET_SUB;
		return false;
	}
}

/* USBTMC marks the end of a message by a bit (1.0, table 9); some leave out the line end then. */
static void end_message(struct nvp_line *line)
{
	uint8_t attributes = 0;

	if (line->length == sizeof(line->buffer) || line->buffer[line->length - 1] == '\n')
		return;
	if (!ioctl(line->fd, USBTMC_IOCTL_MSG_IN_ATTR, &attributes) && attributes & 1)
		line->buffer[line->length++] = '\n';
}

/* More of the answer. 0 or a negative errno. */
static int fill(struct nvp_line *line)
{
	uint8_t bytes[NVP_LINE_MOST_TEXT];
	size_t most = sizeof(line->buffer) - line->length;
	ssize_t n;
	int rc;

	rc = nvp_line_wait(line, POLLIN);
	if (rc)
		return rc;
	n = get(line, bytes, most);
	if (n < 0)
		return (int)n;
	/* Readable, and nothing there: a tty whose other end went. */
	if (!n && line->way == NVP_LINE_TTY)
		return -ENODEV;
	for (ssize_t i = 0; i < n; i++)
		if (!line->form.telnet || line->way != NVP_LINE_TCP || is_text(line, bytes[i]))
			line->buffer[line->length++] = bytes[i] ? (char)bytes[i] : '?';
	if (n && line->way == NVP_LINE_USBTMC)
		end_message(line);
	return 0;
}

/* What came in unasked, or late; -ENODEV: the other end went meanwhile. */
static int drop(struct nvp_line *line)
{
	struct pollfd p = { .fd = line->fd, .events = 0 };
	uint8_t bytes[256];
	ssize_t n = 1;

	line->length = 0;
	if (line->way == NVP_LINE_USBTMC)	/* nothing comes unasked, and read(2) would wait */
		return 0;
	while (n > 0) {
		n = get(line, bytes, sizeof(bytes));
		for (ssize_t i = 0; i < n; i++)
			if (line->form.telnet && line->way == NVP_LINE_TCP)
				is_text(line, bytes[i]);
	}
	/* A tty that hung up says 0 as well. */
	if (!n && poll(&p, 1, 0) > 0 && p.revents)
		return -ENODEV;
	return (int)n;
}

int nvp_line_begin(struct nvp_line *line, struct nvp_err *err)
{
	line->until_ns = now_ns() + line->form.deadline_ms * NVP_NS_PER_MS;
	/* A connection that was closed while nobody spoke is no fault: many instruments do so. */
	if (line->stale || line->fd < 0 || drop(line) < 0) {
		line->stale = true;
		return nvp_line_connect(line, err);
	}
	return 0;
}

int nvp_line_send(struct nvp_line *line, const void *bytes, size_t nr_bytes, struct nvp_err *err)
{
	const char *next = bytes;
	size_t left = nr_bytes;

	snprintf(line->asked, sizeof(line->asked), "%.*s", (int)nr_bytes, next);
	line->asked[strcspn(line->asked, "\r\n")] = '\0';
	for (char *c = line->asked; *c; c++)
		if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e)
			*c = '?';
	while (left) {
		int rc = nvp_line_wait(line, POLLOUT);
		ssize_t n;

		if (rc == -ETIMEDOUT)
			return no_answer(line, err);
		if (rc)
			return gone(line, rc, err);
		n = line->way == NVP_LINE_TCP ? send(line->fd, next, left, MSG_NOSIGNAL) :
						write(line->fd, next, left);
		if (n < 0 && errno == ETIMEDOUT)
			return no_answer(line, err);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return gone(line, -ENODEV, err);
		if (n > 0) {
			next += n;
			left -= (size_t)n;
		}
	}
	return 0;
}

int nvp_line_drained(struct nvp_line *line, struct nvp_err *err)
{
	int queued = 0;

	while (line->way == NVP_LINE_TTY) {
		struct pollfd p = { .fd = line->fd, .events = 0 };

		if (ioctl(line->fd, TIOCOUTQ, &queued) || (poll(&p, 1, 0) > 0 && p.revents))
			return gone(line, -ENODEV, err);
		if (!queued)
			break;
		if (now_ns() >= line->until_ns)
			return no_answer(line, err);
		poll(&p, 1, 1);		/* no event tells that the queue is empty */
	}
	return 0;
}

int nvp_line_read(struct nvp_line *line, char end, char *text, struct nvp_err *err)
{
	for (;;) {
		char *at = memchr(line->buffer, end, line->length);
		int rc;

		if (at) {
			size_t n = (size_t)(at - line->buffer);

			memcpy(text, line->buffer, n);
			text[n] = '\0';
			line->length -= n + 1;
			memmove(line->buffer, at + 1, line->length);
			return 0;
		}
		if (line->length == sizeof(line->buffer)) {
			line->stale = true;
			nvp_err_set(err, NVP_ERR_BROKEN, -EMSGSIZE,
				    "relay %s:%s: no end in the answer to \"%s\"",
				    line->form.scheme, line->address, line->asked);
			nvp_err_seen(err, "\"%.60s\" ..", line->buffer);
			nvp_err_advice(err, "is it that kind of device, that port?");
			return -EMSGSIZE;
		}
		rc = fill(line);
		if (rc == -ETIMEDOUT)
			return no_answer(line, err);
		if (rc)
			return gone(line, rc, err);
	}
}

int nvp_line_channel(const char *scheme, const char *address, unsigned most, char *place,
		     size_t bytes, unsigned *channel, struct nvp_err *err)
{
	const char *slash = strrchr(address, '/');
	uint64_t number = 0;
	struct stat st;

	*channel = 0;
	/* /dev/pts/5 is a tty, /dev/ttyUSB0/5 is not: the fifth channel of one. */
	if (address[0] == '/' && !stat(address, &st))
		slash = NULL;
	if (slash && (slash == address || !isdigit((unsigned char)slash[1])))
		slash = NULL;
	if (slash && nvp_parse_u64_range(slash + 1, 1, most, &number)) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay %s:%s: channel \"%s\"", scheme,
			    address, slash + 1);
		nvp_err_expected(err, "1 to %u", most);
		return -EINVAL;
	}
	*channel = (unsigned)number;
	snprintf(place, bytes, "%.*s", slash ? (int)(slash - address) : (int)strlen(address),
		 address);
	return 0;
}

char *nvp_line_trim(char *text)
{
	size_t n = strlen(text);

	while (n && isspace((unsigned char)text[n - 1]))
		text[--n] = '\0';
	return text + strspn(text, " \t\r\n");
}
