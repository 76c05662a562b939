// SPDX-License-Identifier: GPL-2.0-or-later
// The door to relays: addresses, requests that wait for their moment, steps that are delivered.

#include "power/relay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/clock.h>
#include <nvproof/drive.h>

struct nvp_relay {
	const struct nvp_relay_ops *ops;
	void *device;
	const struct nvp_clock *clock;
	bool armed;		/* a request waits for its moment */
	enum nvp_power_action action;
	struct nvp_power_when when;
	uint64_t seen;		/* commands of the opcode that were exposed since it was armed */
	uint64_t at_ns;		/* of the step to be delivered next */
	enum nvp_power_step reached, told;
};

static const struct nvp_relay_ops *const kinds[] = {
	&nvp_relay_sim,
	&nvp_relay_scpi,
	&nvp_relay_quarch,
	&nvp_relay_lcus,
	&nvp_relay_usbhid,
	NULL
};

const struct nvp_relay_ops *const *nvp_relay_kinds(void)
{
	return kinds;
}

static const struct nvp_relay_ops *find(const char *address, size_t length)
{
	for (size_t i = 0; kinds[i]; i++)
		if (strlen(kinds[i]->scheme) == length &&
		    !strncmp(kinds[i]->scheme, address, length))
			return kinds[i];
	return NULL;
}

static void no_such_scheme(const char *address, size_t length, struct nvp_err *err)
{
	char list[160] = "";

	for (size_t i = 0, at = 0; kinds[i] && at < sizeof(list) - 1; i++)
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s", i ? ", " : "",
				       kinds[i]->scheme);
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "no kind of relay \"%.*s\"", (int)length,
		    address);
	nvp_err_expected(err, "one of %s", list);
}

int nvp_relay_check(const char *address, struct nvp_err *err)
{
	size_t length = strcspn(address, ":");

	if (find(address, length))
		return 0;
	no_such_scheme(address, length, err);
	return -EINVAL;
}

struct nvp_relay *nvp_relay_open(const char *address, struct nvp_drive *drive, struct nvp_err *err)
{
	size_t length = strcspn(address, ":");
	const char *rest = address + length + (address[length] == ':');
	const struct nvp_relay_ops *ops = find(address, length);
	struct nvp_relay *relay;

	if (!ops) {
		no_such_scheme(address, length, err);
		return NULL;
	}
	relay = calloc(1, sizeof(*relay));
	if (!relay) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "relay %s", address);
		return NULL;
	}
	relay->ops = ops;
	relay->clock = nvp_drive_clock(drive);
	relay->device = ops->open_for ? ops->open_for(rest, drive, err) : ops->open(rest, err);
	if (!relay->device) {
		free(relay);
		return NULL;
	}
	return relay;
}

void nvp_relay_close(struct nvp_relay *relay)
{
	if (!relay)
		return;
	relay->ops->close(relay->device);
	free(relay);
}

/* The moment has come. */
static int fire(struct nvp_relay *relay, struct nvp_err *err)
{
	int rc = relay->ops->set(relay->device, relay->action, err);

	relay->armed = false;
	relay->at_ns = nvp_clock_now_ns(relay->clock);
	relay->told = NVP_POWER_NOTHING;
	relay->reached = NVP_POWER_NOTHING;
	if (!rc)
		relay->reached = relay->ops->state ? NVP_POWER_READ_BACK : NVP_POWER_DONE;
	return rc;
}

int nvp_power_arm(struct nvp_relay *relay, enum nvp_power_action action,
		  const struct nvp_power_when *when, struct nvp_err *err)
{
	if (relay->armed || relay->told < relay->reached)
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBUSY,
				   "relay: another request is under way");
	relay->action = action;
	relay->when = *when;
	relay->seen = 0;
	relay->armed = true;
	return when->kind == NVP_POWER_NOW ? fire(relay, err) : 0;
}

void nvp_relay_exposed(struct nvp_relay *relay, uint8_t opcode)
{
	if (relay->armed && relay->when.kind == NVP_POWER_ON_COMMAND &&
	    opcode == relay->when.opcode && ++relay->seen == relay->when.nth)
		fire(relay, NULL);
}

/* A state that cannot be read, or is not what was asked for, is never delivered as read back. */
static bool reads_back(struct nvp_relay *relay)
{
	return relay->ops->state(relay->device, NULL) == (relay->action == NVP_POWER_ON);
}

enum nvp_power_step nvp_power_poll(struct nvp_relay *relay, uint64_t *at_ns)
{
	if (relay->armed && relay->when.kind == NVP_POWER_AT &&
	    nvp_clock_now_ns(relay->clock) >= relay->when.at_ns)
		fire(relay, NULL);
	if (relay->told >= relay->reached)
		return NVP_POWER_NOTHING;
	if (relay->told + 1 == NVP_POWER_READ_BACK && !reads_back(relay)) {
		relay->reached = relay->told;
		return NVP_POWER_NOTHING;
	}
	relay->told++;
	if (at_ns)
		*at_ns = relay->at_ns;
	return relay->told;
}
