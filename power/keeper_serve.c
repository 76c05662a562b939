// SPDX-License-Identifier: GPL-2.0-or-later
// The keeper from inside: what is wanted of each relay, what it is, and the time between the two.

#include "power/keeper.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <nvproof/clock.h>

#include "core/base/bits.h"
#include "power/relay_device.h"

#define MOST_RELAYS  64u
#define MOST_CLIENTS 64u
#define RETRY_NS     NVP_NS_PER_S
#define MOST_RETRIES 600u /* of giving power back to a drive that nobody asks for any more */

struct relay {
	struct nvp_relay_device device;
	bool on;
	bool settling; /* the device has switched, the contact is not at rest yet */
	uint64_t switched_ns, retry_ns;
	unsigned retries; /* of switching on, in a row */
	struct nvp_err err; /* of the last that failed */
};

struct client {
	int fd;
	uint32_t relay;
	enum nvp_power_action want;
	bool pending; /* has asked, and was not told the end */
	bool commanded; /* was told that much */
	uint32_t id;
};

struct keeper {
	int control; /* -1: the supervisor is gone */
	struct relay *relay;
	size_t nr_relays;
	struct client client[MOST_CLIENTS];
	size_t nr_clients;
};

static uint64_t now_ns(void)
{
	return nvp_clock_now_ns(nvp_clock_real());
}

/* ---- answers ---- */

static void answer(const struct client *c, enum nvp_power_step step, uint64_t at_ns, int state,
		   const struct nvp_err *err)
{
	struct nvp_keeper_answer a = {
		.id = c->id, .step = step, .state = state, .at_ns = at_ns,
	};

	if (err)
		a.err = *err;
	/* one that reads nothing for hundreds of answers misses some, and holds up nobody */
	send(c->fd, &a, sizeof(a), MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* To all that wait for this relay to be so. */
static void tell(struct keeper *k, size_t relay, enum nvp_power_action want,
		 enum nvp_power_step step, uint64_t at_ns, const struct nvp_err *err)
{
	for (size_t i = 0; i < k->nr_clients; i++) {
		struct client *c = &k->client[i];

		if (c->relay != relay || !c->pending || c->want != want ||
		    (step == NVP_POWER_COMMANDED && c->commanded))
			continue;
		if (step == NVP_POWER_DONE && !c->commanded)
			answer(c, NVP_POWER_COMMANDED, at_ns, 0, NULL);
		answer(c, step, at_ns, want == NVP_POWER_ON, err);
		c->commanded = true;
		if (step == NVP_POWER_READ_BACK || step == NVP_POWER_FAILED)
			c->pending = false;
		if (step == NVP_POWER_FAILED)
			c->want = NVP_POWER_ON; /* what could not be switched off is not tried again */
	}
}

/* ---- what is wanted ---- */

static enum nvp_power_action wanted(const struct keeper *k, size_t relay)
{
	size_t nr = 0;

	for (size_t i = 0; i < k->nr_clients; i++) {
		if (k->client[i].relay != relay)
			continue;
		if (k->client[i].want == NVP_POWER_ON)
			return NVP_POWER_ON;
		nr++;
	}
	return nr && k->control >= 0 ? NVP_POWER_OFF : NVP_POWER_ON;
}

/* The contact is at rest: it is done, and read back where that can be. */
static void settled(struct keeper *k, size_t i)
{
	struct relay *r = &k->relay[i];
	enum nvp_power_action is = r->on ? NVP_POWER_ON : NVP_POWER_OFF;
	int state;

	r->settling = false;
	tell(k, i, is, NVP_POWER_DONE, now_ns(), NULL);
	state = nvp_relay_device_state(&r->device, NULL);
	if (state == r->on)
		tell(k, i, is, NVP_POWER_READ_BACK, now_ns(), NULL);
	for (size_t c = 0; c < k->nr_clients; c++)
		if (k->client[c].relay == i && k->client[c].want == is)
			k->client[c].pending = false;
}

static void switch_it(struct keeper *k, size_t i, enum nvp_power_action to)
{
	struct relay *r = &k->relay[i];

	tell(k, i, to, NVP_POWER_COMMANDED, now_ns(), NULL);
	r->err = (struct nvp_err){ 0 };
	if (nvp_relay_device_set(&r->device, to, &r->err)) {
		tell(k, i, to, NVP_POWER_FAILED, now_ns(), &r->err);
		if (to == NVP_POWER_OFF) {
			/* it may have switched all the same: only an "on" makes it known again */
			r->on = false;
			r->switched_ns = now_ns();
			return;
		}
		r->retry_ns = now_ns() + RETRY_NS;
		r->retries++;
		return;
	}
	r->retries = 0;
	r->on = to == NVP_POWER_ON;
	r->settling = true;
	r->switched_ns = now_ns();
}

/* Bring a relay nearer to what is wanted; when to look again, or NVP_NEVER_NS. */
static uint64_t work(struct keeper *k, size_t i)
{
	struct relay *r = &k->relay[i];
	enum nvp_power_action to = wanted(k, i);
	uint64_t due_ns = 0;

	if (r->settling) {
		due_ns = r->switched_ns + r->device.settings.settle_ms * NVP_NS_PER_MS;
		if (now_ns() < due_ns)
			return due_ns;
		settled(k, i);
	}
	if ((to == NVP_POWER_ON) == r->on) {
		settled(k, i);
		return NVP_NEVER_NS;
	}
	if (to == NVP_POWER_ON)
		due_ns = r->switched_ns + r->device.settings.off_ms * NVP_NS_PER_MS;
	due_ns = nvp_max_u64(due_ns, r->retries ? r->retry_ns : 0);
	if (now_ns() < due_ns)
		return due_ns;
	switch_it(k, i, to);
	return now_ns();
}

/* ---- who comes and goes ---- */

static void leave(struct keeper *k, size_t i)
{
	close(k->client[i].fd);
	k->client[i] = k->client[--k->nr_clients];
}

static void join(struct keeper *k, uint32_t relay, int fd)
{
	if (relay >= k->nr_relays || k->nr_clients == MOST_CLIENTS) {
		close(fd);
		return;
	}
	k->client[k->nr_clients++] = (struct client){
		.fd = fd, .relay = relay, .want = NVP_POWER_ON,
	};
}

static void hear_control(struct keeper *k)
{
	struct nvp_keeper_request request;
	struct iovec part = { .iov_base = &request, .iov_len = sizeof(request) };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room;
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes,
				  .msg_controllen = sizeof(room.bytes) };
	ssize_t nr = recvmsg(k->control, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *c = nr > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	int fd;

	if (nr < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (nr <= 0) {
		close(k->control);
		k->control = -1;
		return;
	}
	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return;
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	if (nr == (ssize_t)sizeof(request) && request.word == NVP_KEEPER_CLIENT)
		join(k, request.relay, fd);
	else
		close(fd);
}

static void tell_state(struct keeper *k, const struct client *c)
{
	struct nvp_err err = { 0 };
	int state = nvp_relay_device_state(&k->relay[c->relay].device, &err);

	answer(c, NVP_POWER_READ_BACK, now_ns(), state, &err);
}

/* False: it is gone. */
static bool hear_client(struct keeper *k, struct client *c)
{
	struct nvp_keeper_request request;
	ssize_t nr = recv(c->fd, &request, sizeof(request), MSG_DONTWAIT);

	if (nr < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (nr != (ssize_t)sizeof(request))
		return false;
	c->id = request.id;
	if (request.word == NVP_KEEPER_STATE)
		tell_state(k, c);
	if (request.word != NVP_KEEPER_SET)
		return true;
	c->want = request.action ? NVP_POWER_ON : NVP_POWER_OFF;
	c->pending = true;
	c->commanded = false;
	return true;
}

/* ---- the whole ---- */

static int open_all(struct keeper *k, const char *const *addresses, size_t nr, struct nvp_err *err)
{
	if (nr > MOST_RELAYS)
		return nvp_err_set(err, NVP_ERR_USAGE, -E2BIG, "%zu relays", nr);
	k->relay = calloc(nr ? nr : 1, sizeof(*k->relay));
	if (!k->relay)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "memory for relays");
	for (size_t i = 0; i < nr; i++) {
		struct relay *r = &k->relay[i];
		int rc = nvp_relay_device_open(&r->device, addresses[i], NULL, err);

		if (!rc) {
			k->nr_relays = i + 1;
			rc = nvp_relay_device_set(&r->device, NVP_POWER_ON, err);
		}
		if (rc)
			return rc;
		r->on = true;
	}
	return 0;
}

static bool may_end(const struct keeper *k)
{
	if (k->control >= 0 || k->nr_clients)
		return false;
	for (size_t i = 0; i < k->nr_relays; i++)
		if ((!k->relay[i].on && k->relay[i].retries < MOST_RETRIES) ||
		    k->relay[i].settling)
			return false;
	return true;
}

/* Until something is said or due: whole milliseconds, rounded up. */
static void wait_and_hear(struct keeper *k, uint64_t due_ns)
{
	struct pollfd ready[MOST_CLIENTS + 1];
	uint64_t now = now_ns();
	struct timespec rest = { 0 };
	size_t nr = k->nr_clients;

	if (due_ns > now) {
		rest.tv_sec = (time_t)((due_ns - now) / NVP_NS_PER_S);
		rest.tv_nsec = (long)((due_ns - now) % NVP_NS_PER_S);
	}
	for (size_t i = 0; i < nr; i++)
		ready[i] = (struct pollfd){ .fd = k->client[i].fd, .events = POLLIN };
	ready[nr] = (struct pollfd){ .fd = k->control, .events = POLLIN };
	if (ppoll(ready, nr + 1, due_ns == NVP_NEVER_NS ? NULL : &rest, NULL) <= 0)
		return;
	/* from the last on: who leaves is replaced by one that was asked already */
	for (size_t i = nr; i > 0; i--)
		if (ready[i - 1].revents && !hear_client(k, &k->client[i - 1]))
			leave(k, i - 1);
	if (ready[nr].revents)
		hear_control(k);
}

void nvp_keeper_serve(int control, const char *const *addresses, size_t nr)
{
	struct keeper k = { .control = control };
	struct client first = { .fd = control };
	struct nvp_err err = { 0 };
	int rc = open_all(&k, addresses, nr, &err);

	answer(&first, rc ? NVP_POWER_FAILED : NVP_POWER_COMMANDED, now_ns(), 0, &err);
	while (!rc && !may_end(&k)) {
		uint64_t due_ns = NVP_NEVER_NS;

		for (size_t i = 0; i < k.nr_relays; i++)
			due_ns = nvp_min_u64(due_ns, work(&k, i));
		if (!may_end(&k))
			wait_and_hear(&k, due_ns);
	}
	for (size_t i = 0; i < k.nr_relays; i++)
		nvp_relay_device_close(&k.relay[i].device);
	free(k.relay);
}
