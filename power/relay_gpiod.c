// SPDX-License-Identifier: GPL-2.0-or-later
// A relay, transistor or e-fuse on a GPIO line. The line falls back to what the kernel likes as soon as
// nobody holds it: wire it so that a released line gives power.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "power/gpio.h"
#include "power/relay.h"

static void *open_as(const char *address, const struct nvp_relay_settings *settings,
		     struct nvp_err *err)
{
	const char *slash = strrchr(address, '/');
	char chip[80], number[16];
	const char *line = slash ? slash + 1 : "";

	if (settings->channel && !slash) {
		snprintf(number, sizeof(number), "%u", settings->channel);
		slash = address + strlen(address);
		line = number;
	}
	if (!slash || slash == address || !line[0] || (size_t)(slash - address) >= sizeof(chip)) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay gpiod:%.80s", address);
		nvp_err_expected(err, "gpiod:CHIP/LINE: the chip's name, number or label, the line's "
				      "number or name");
		return NULL;
	}
	snprintf(chip, sizeof(chip), "%.*s", (int)(slash - address), address);
	return nvp_gpio_open(chip, line, settings->active_low, err);
}

static void close_it(void *device)
{
	nvp_gpio_close(device);
}

static int say(int rc, const char *what, struct nvp_err *err)
{
	if (rc < 0) {
		nvp_err_set(err, NVP_ERR_BROKEN, rc, "relay gpiod: %s the line: %s", what,
			    strerror(-rc));
		if (rc == -ENODEV || rc == -ENXIO)
			nvp_err_advice(err, "the chip is gone: is its adapter still plugged in");
	}
	return rc;
}

static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	return say(nvp_gpio_set(device, action == NVP_POWER_ON), "driving", err);
}

static int state(void *device, struct nvp_err *err)
{
	return say(nvp_gpio_get(device), "reading", err);
}

const struct nvp_relay_ops nvp_relay_gpiod = {
	.scheme = "gpiod",
	.help = "gpiod:CHIP/LINE   a GPIO line; ?active-low=1 where low gives power",
	.open_as = open_as,
	.close = close_it,
	.set = set,
	.state = state,
};
