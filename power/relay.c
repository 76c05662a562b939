// SPDX-License-Identifier: GPL-2.0-or-later
// The door to relays: addresses, requests that wait for their moment, steps that are delivered.

#include "power/relay_device.h"

#include <errno.h>
#include <stdlib.h>

#include <nvproof/clock.h>
#include <nvproof/drive.h>

struct nvp_relay {
	struct nvp_relay_device device;
	const struct nvp_clock *clock;
	bool armed;		/* a request waits for its moment */
	bool waits;		/* for the end of one that the device was asked for */
	enum nvp_power_action action;
	struct nvp_power_when when;
	uint64_t seen;		/* commands of the opcode that were exposed since it was armed */
	uint64_t at_ns;		/* of the step to be delivered next */
	enum nvp_power_step reached, told;
	struct nvp_err err;	/* of a request that failed */
};

static const struct nvp_relay_ops *const kinds[] = {
	&nvp_relay_sim,
	&nvp_relay_gpiod,
	&nvp_relay_exec,
	&nvp_relay_slot,
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

int nvp_relay_check(const char *address, struct nvp_err *err)
{
	char rest[NVP_RELAY_ADDRESS_BYTES];
	struct nvp_relay_settings settings;
	const struct nvp_relay_ops *ops;

	return nvp_relay_address(address, &ops, rest, &settings, err);
}

bool nvp_relay_keeps(const char *address)
{
	char rest[NVP_RELAY_ADDRESS_BYTES];
	struct nvp_relay_settings settings;
	const struct nvp_relay_ops *ops;

	return !nvp_relay_address(address, &ops, rest, &settings, NULL) && !ops->open_as;
}

struct nvp_relay *nvp_relay_open(const char *address, struct nvp_drive *drive, struct nvp_err *err)
{
	struct nvp_relay *relay = calloc(1, sizeof(*relay));

	if (!relay) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "relay %s", address);
		return NULL;
	}
	relay->clock = drive ? nvp_drive_clock(drive) : nvp_clock_real();
	if (nvp_relay_device_open(&relay->device, address, drive, err)) {
		free(relay);
		return NULL;
	}
	return relay;
}

void nvp_relay_close(struct nvp_relay *relay)
{
	if (!relay)
		return;
	nvp_relay_device_close(&relay->device);
	free(relay);
}

const struct nvp_err *nvp_relay_err(const struct nvp_relay *relay)
{
	return &relay->err;
}

int nvp_relay_state(struct nvp_relay *relay, struct nvp_err *err)
{
	return nvp_relay_device_state(&relay->device, err);
}

/* The moment has come. */
static int fire(struct nvp_relay *relay)
{
	int rc = nvp_relay_device_set(&relay->device, relay->action, &relay->err);

	relay->armed = false;
	relay->at_ns = nvp_clock_now_ns(relay->clock);
	relay->told = relay->reached = NVP_POWER_NOTHING;
	relay->waits = !rc && relay->device.ops->poll;
	if (rc || relay->waits)
		return rc;
	relay->reached = relay->device.ops->state ? NVP_POWER_READ_BACK : NVP_POWER_DONE;
	return 0;
}

int nvp_power_arm(struct nvp_relay *relay, enum nvp_power_action action,
		  const struct nvp_power_when *when, struct nvp_err *err)
{
	int rc;

	if (relay->armed || relay->waits || relay->told < relay->reached)
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBUSY,
				   "relay: another request is under way");
	relay->err = (struct nvp_err){ 0 };
	relay->action = action;
	relay->when = *when;
	relay->seen = 0;
	relay->armed = true;
	rc = when->kind == NVP_POWER_NOW ? fire(relay) : 0;
	if (rc && err && !err->code)
		*err = relay->err;
	return rc;
}

void nvp_relay_exposed(struct nvp_relay *relay, uint8_t opcode)
{
	if (relay->armed && relay->when.kind == NVP_POWER_ON_COMMAND &&
	    opcode == relay->when.opcode && ++relay->seen == relay->when.nth)
		fire(relay);
}

/* A state that cannot be read, or is not what was asked for, is never delivered as read back. */
static bool reads_back(struct nvp_relay *relay)
{
	return nvp_relay_device_state(&relay->device, NULL) == (relay->action == NVP_POWER_ON);
}

/* What a device that is only asked has told since; a late read back of before is nobody's. */
static enum nvp_power_step poll_device(struct nvp_relay *relay, uint64_t *at_ns)
{
	enum nvp_power_step step;

	step = relay->device.ops->poll(relay->device.device, &relay->at_ns, &relay->err);
	if (step != NVP_POWER_NOTHING && at_ns)
		*at_ns = relay->at_ns;
	if (step >= NVP_POWER_DONE)
		relay->waits = false;
	return step;
}

/* A moment that came and went wrong is told once, by whomever it was noticed. */
static bool failed(struct nvp_relay *relay)
{
	bool now = relay->err.code && !relay->armed && relay->told == NVP_POWER_NOTHING &&
		   relay->reached == NVP_POWER_NOTHING && !relay->waits;

	if (now)
		relay->told = relay->reached = NVP_POWER_FAILED;
	return now;
}

enum nvp_power_step nvp_power_poll(struct nvp_relay *relay, uint64_t *at_ns)
{
	if (relay->armed && relay->when.kind == NVP_POWER_AT &&
	    nvp_clock_now_ns(relay->clock) >= relay->when.at_ns)
		fire(relay);
	if (failed(relay))
		return NVP_POWER_FAILED;
	if (relay->device.ops->poll)
		return relay->armed ? NVP_POWER_NOTHING : poll_device(relay, at_ns);
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
