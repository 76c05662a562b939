// SPDX-License-Identifier: GPL-2.0-or-later
// Opening what a relay is spoken to through: a tty, a TCP connection, a USBTMC instrument.

#include "power/relay_line_open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/usb/tmc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "core/base/parse.h"

/* What a user can do about an error of open or connect. */
static int cannot_open(const struct nvp_line *line, int code, struct nvp_err *err)
{
	bool missing = code == -ENOENT || code == -ENOTDIR || code == -EISDIR;

	nvp_err_set(err, missing && !line->was_open ? NVP_ERR_USAGE : NVP_ERR_BROKEN, code,
		    "relay %s:%s: %s", line->form.scheme, line->address, strerror(-code));
	if (missing)
		nvp_err_advice(err, "is it plugged in? ls /dev shows its name");
	else if (code == -EACCES || code == -EPERM)
		nvp_err_advice(err, "be root, or in the group that may use it: ls -l %s",
			       line->address);
	else if (code == -ECONNREFUSED)
		nvp_err_advice(err, "nothing listens there: is remote control on, that port?");
	else if (code == -ETIMEDOUT || code == -EHOSTUNREACH || code == -ENETUNREACH)
		nvp_err_advice(err, "is it on, is it that address? ping it");
	else if (code == -EWOULDBLOCK || code == -EBUSY)
		nvp_err_advice(err, "another program holds it: fuser %s names it", line->address);
	else
		nvp_err_advice(err, "is it plugged in and on?");
	return code;
}

static speed_t speed_of(uint32_t baud)
{
	return baud == 9600 ? B9600 : baud == 19200 ? B19200 : B115200;
}

/* Raw, 8N1, no flow control, modem lines ignored, and DTR stays when it is closed. */
static int make_raw(int fd, uint32_t baud)
{
	struct termios tio, now;

	if (tcgetattr(fd, &tio))
		return -errno;
	cfmakeraw(&tio);
	tio.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS | HUPCL);
	tio.c_cflag |= CLOCAL | CREAD;
	tio.c_cc[VMIN] = 0;
	tio.c_cc[VTIME] = 0;
	if (cfsetspeed(&tio, speed_of(baud)) || tcsetattr(fd, TCSANOW, &tio))
		return -errno;
	/* tcsetattr is content when any of it could be done. */
	if (tcgetattr(fd, &now))
		return -errno;
	if (cfgetospeed(&now) != speed_of(baud) || now.c_cflag & HUPCL)
		return -ENOTSUP;
	return tcflush(fd, TCIOFLUSH) ? -errno : 0;
}

static int open_tty(struct nvp_line *line, struct nvp_err *err)
{
	int rc;

	line->fd = open(line->address, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (line->fd < 0)
		return cannot_open(line, -errno, err);
	if (!isatty(line->fd)) {
		nvp_err_set(err, NVP_ERR_USAGE, -ENOTTY, "relay %s:%s: is not a tty",
			    line->form.scheme, line->address);
		nvp_err_advice(err, "give the serial port that it hangs on: /dev/ttyUSB0, ..");
		return -ENOTTY;
	}
	if (flock(line->fd, LOCK_EX | LOCK_NB))
		return cannot_open(line, -errno, err);
	rc = make_raw(line->fd, line->form.baud);
	return rc ? cannot_open(line, rc, err) : 0;
}

static int open_usbtmc(struct nvp_line *line, struct nvp_err *err)
{
	uint32_t timeout_ms = NVP_LINE_DEADLINE_MS;

	line->fd = open(line->address, O_RDWR | O_CLOEXEC);
	if (line->fd < 0)
		return cannot_open(line, -errno, err);
	if (ioctl(line->fd, USBTMC_IOCTL_SET_TIMEOUT, &timeout_ms)) {
		int code = -errno;

		nvp_err_set(err, NVP_ERR_USAGE, code, "relay %s:%s: is no USBTMC instrument",
			    line->form.scheme, line->address);
		nvp_err_expected(err, "/dev/usbtmc0, ..%s", line->form.tcp ? " or HOST:PORT" : "");
		return code;
	}
	/* What an exchange that was broken off left behind in the instrument; not all can do it. */
	if (line->stale)
		ioctl(line->fd, USBTMC_IOCTL_CLEAR);
	return 0;
}

/* "HOST:PORT" or "[IPV6]:PORT", cut in two. */
static int split_host(const struct nvp_line *line, char *host, char *port, struct nvp_err *err)
{
	const char *colon = strrchr(line->address, ':');
	const char *begin = line->address, *end = colon;
	uint64_t number;

	if (begin[0] == '[' && colon && colon[-1] == ']') {
		begin++;
		end--;
	}
	if (!colon || end <= begin || nvp_parse_u64_range(colon + 1, 1, 65535, &number) ||
	    (begin == line->address && memchr(begin, ':', (size_t)(end - begin)))) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay %s:%s: no such form of address",
			    line->form.scheme, line->address);
		nvp_err_expected(err, "/dev/NAME, HOST:PORT or [IPV6]:PORT");
		return -EINVAL;
	}
	memcpy(host, begin, (size_t)(end - begin));
	host[end - begin] = '\0';
	strcpy(port, colon + 1);
	return 0;
}

/* One address of the host. 0 or a negative errno; fd is closed again when it fails. */
static int connect_one(struct nvp_line *line, const struct addrinfo *to)
{
	int fd = socket(to->ai_family, to->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
			to->ai_protocol);
	int code = 0, one = 1;
	socklen_t bytes = sizeof(code);

	if (fd < 0)
		return -errno;
	line->fd = fd;
	if (connect(fd, to->ai_addr, to->ai_addrlen)) {
		code = errno;
		if (code == EINPROGRESS) {
			code = -nvp_line_wait(line, POLLOUT);
			if (!code || code == ENODEV)
				getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &bytes);
		}
	}
	if (!code && setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
		code = errno;
	if (code) {
		close(fd);
		line->fd = -1;
	}
	return -code;
}

static int open_tcp(struct nvp_line *line, struct nvp_err *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list, *to;
	char host[sizeof(line->address)], port[8];
	int rc = split_host(line, host, port, err);

	if (rc)
		return rc;
	rc = getaddrinfo(host, port, &hints, &list);
	if (rc) {
		nvp_err_set(err, NVP_ERR_BROKEN, -EHOSTUNREACH, "relay %s:%s: %s",
			    line->form.scheme, line->address, gai_strerror(rc));
		nvp_err_advice(err, "give the instrument's IP address");
		return -EHOSTUNREACH;
	}
	rc = -EHOSTUNREACH;
	for (to = list; to && rc; to = to->ai_next)
		rc = connect_one(line, to);
	freeaddrinfo(list);
	return rc ? cannot_open(line, rc, err) : 0;
}

int nvp_line_connect(struct nvp_line *line, struct nvp_err *err)
{
	int rc;

	if (line->fd >= 0)
		close(line->fd);
	line->fd = -1;
	line->length = 0;
	line->telnet = 0;
	if (line->way == NVP_LINE_TCP)
		rc = open_tcp(line, err);
	else
		rc = line->way == NVP_LINE_TTY ? open_tty(line, err) : open_usbtmc(line, err);
	if (rc && line->fd >= 0) {
		close(line->fd);
		line->fd = -1;
	}
	if (rc)
		return rc;
	line->was_open = true;
	line->stale = false;
	return 0;
}
