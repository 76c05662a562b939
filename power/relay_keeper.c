// SPDX-License-Identifier: GPL-2.0-or-later
// A relay that the keeper holds: requests go through a socket, and what came of them comes back.

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "core/base/parse.h"
#include "power/keeper.h"
#include "power/relay.h"

#define STATE_MS 10000

struct client {
	int fd;
	uint32_t id; /* of the newest request */
};

static void *open_it(const char *address, struct nvp_err *err)
{
	struct client *c = calloc(1, sizeof(*c));
	uint64_t fd;

	if (c && !nvp_parse_u64_range(address, 0, INT32_MAX, &fd)) {
		c->fd = (int)fd;
		return c;
	}
	free(c);
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay keeper:%.40s", address);
	nvp_err_expected(err, "the number of a descriptor; it is given to a worker, not by hand");
	return NULL;
}

/* The socket stays: another relay of this worker may be opened over it. Off is not left behind. */
static void close_it(void *device)
{
	struct client *c = device;
	const struct nvp_keeper_request on = {
		.word = NVP_KEEPER_SET, .action = NVP_POWER_ON, .id = 0,
	};

	send(c->fd, &on, sizeof(on), MSG_DONTWAIT | MSG_NOSIGNAL);
	free(c);
}

static int gone(struct nvp_err *err)
{
	return nvp_err_set(err, NVP_ERR_BROKEN, -EPIPE,
			   "the process that holds the relays has ended");
}

static int ask(struct client *c, const struct nvp_keeper_request *request, struct nvp_err *err)
{
	if (send(c->fd, request, sizeof(*request), MSG_NOSIGNAL) != (ssize_t)sizeof(*request))
		return gone(err);
	return 0;
}

static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	struct client *c = device;
	const struct nvp_keeper_request request = {
		.word = NVP_KEEPER_SET, .action = action, .id = ++c->id,
	};

	return ask(c, &request, err);
}

/* 1: an answer to the newest request; 0: none is there; or a negative errno. */
static int take(struct client *c, struct nvp_keeper_answer *answer, struct nvp_err *err)
{
	ssize_t nr;

	do {
		nr = recv(c->fd, answer, sizeof(*answer), MSG_DONTWAIT);
		if (nr < 0 && (errno == EAGAIN || errno == EINTR))
			return 0;
		if (nr != (ssize_t)sizeof(*answer))
			return gone(err);
	} while (answer->id != c->id);
	answer->err.file = __FILE__;
	return 1;
}

static enum nvp_power_step poll_it(void *device, uint64_t *at_ns, struct nvp_err *err)
{
	struct nvp_keeper_answer answer;
	int rc = take(device, &answer, err);

	if (rc <= 0)
		return rc ? NVP_POWER_FAILED : NVP_POWER_NOTHING;
	*at_ns = answer.at_ns;
	if (answer.step == NVP_POWER_FAILED && err)
		*err = answer.err;
	return (enum nvp_power_step)answer.step;
}

static int state(void *device, struct nvp_err *err)
{
	struct client *c = device;
	const struct nvp_keeper_request request = { .word = NVP_KEEPER_STATE, .id = ++c->id };
	struct pollfd ready = { .fd = c->fd, .events = POLLIN };
	struct nvp_keeper_answer answer;
	int rc = ask(c, &request, err);

	while (!rc && poll(&ready, 1, STATE_MS) == 1) {
		rc = take(c, &answer, err);
		if (rc > 0) {
			if (answer.state < 0 && err && answer.err.code)
				*err = answer.err;
			return answer.state;
		}
	}
	return rc < 0 ? rc : nvp_err_set(err, NVP_ERR_BROKEN, -ETIMEDOUT,
					 "the state of the relay: no answer in %d s",
					 STATE_MS / 1000);
}

const struct nvp_relay_ops nvp_relay_keeper = {
	.scheme = "keeper",
	.help = NULL, /* nobody gives it by hand */
	.open = open_it,
	.close = close_it,
	.set = set,
	.state = state,
	.poll = poll_it,
};
