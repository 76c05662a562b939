// SPDX-License-Identifier: GPL-2.0-or-later
// Messages between supervisor and worker over one socket.

#include "core/run/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

int nvp_wire_send(int fd, const struct nvp_message *message, const char *body)
{
	size_t length = body ? strlen(body) : 0;
	struct iovec parts[2] = {
		{ .iov_base = (void *)(uintptr_t)message, .iov_len = sizeof(*message) },
		{ .iov_base = (void *)(uintptr_t)body, .iov_len = length },
	};
	struct msghdr header = { .msg_iov = parts, .msg_iovlen = length ? 2 : 1 };

	if (length >= NVP_BODY_BYTES)
		return -EMSGSIZE;
	while (sendmsg(fd, &header, MSG_NOSIGNAL) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

int nvp_wire_receive(int fd, struct nvp_received *received)
{
	struct iovec parts[2] = {
		{ .iov_base = &received->message, .iov_len = sizeof(received->message) },
		{ .iov_base = received->body, .iov_len = sizeof(received->body) - 1 },
	};
	struct msghdr header = { .msg_iov = parts, .msg_iovlen = 2 };
	ssize_t got;

	do {
		got = recvmsg(fd, &header, 0);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == ECONNRESET ? 0 : -errno;
	if (got == 0)
		return 0;
	if ((size_t)got < sizeof(received->message) || (header.msg_flags & MSG_TRUNC))
		return -EBADMSG;
	received->body[(size_t)got - sizeof(received->message)] = '\0';
	return 1;
}

int nvp_wire_answer(int fd, enum nvp_answer answer)
{
	uint32_t word = answer;
	ssize_t sent;

	do {
		sent = send(fd, &word, sizeof(word), MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

int nvp_wire_wait_answer(int fd)
{
	uint32_t word;
	ssize_t got;

	do {
		got = recv(fd, &word, sizeof(word), 0);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if (got != (ssize_t)sizeof(word))
		return -EPIPE;
	return word == NVP_ANSWER_GO ? NVP_ANSWER_GO : NVP_ANSWER_STOP;
}
