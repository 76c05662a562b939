// SPDX-License-Identifier: GPL-2.0-or-later
// A serial relay board with a CH340 (LCUS-1, -2, -4, -8): four bytes, and no answer.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "power/relay.h"
#include "power/relay_line.h"

#define MOST_CHANNELS 8u

struct lcus {
	struct nvp_line *line;
	uint8_t channel;	/* from 1 */
};

static void close_it(void *device)
{
	struct lcus *l = device;

	nvp_line_close(l->line);
	free(l);
}

static void *open_it(const char *address, struct nvp_err *err)
{
	const struct nvp_line_form form = { .scheme = "lcus", .baud = 9600 };
	struct lcus *l = calloc(1, sizeof(*l));
	unsigned channel = 0;
	char place[128];

	if (!l) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "relay lcus:%s", address);
		return NULL;
	}
	if (!nvp_line_channel("lcus", address, MOST_CHANNELS, place, sizeof(place), &channel, err))
		l->line = nvp_line_open(place, &form, err);
	if (!l->line) {
		free(l);
		return NULL;
	}
	l->channel = channel ? (uint8_t)channel : 1;
	return l;
}

/*
 * Start mark, channel, what to do, and the sum of the three. Nobody answers: that the bytes have
 * left this machine is all that can be known, so there is no state to be read back.
 */
static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	struct lcus *l = device;
	uint8_t on = action == NVP_POWER_ON;
	uint8_t message[4] = { 0xa0, l->channel, on, (uint8_t)(0xa0 + l->channel + on) };
	int rc = nvp_line_begin(l->line, err);

	if (!rc)
		rc = nvp_line_send(l->line, message, sizeof(message), err);
	if (!rc)
		rc = nvp_line_drained(l->line, err);
	return rc;
}

const struct nvp_relay_ops nvp_relay_lcus = {
	.scheme = "lcus",
	.help = "lcus:/dev/ttyUSB0[/CHANNEL]   a serial relay board; it answers nothing",
	.open = open_it,
	.close = close_it,
	.set = set,
};
