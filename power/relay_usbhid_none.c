// SPDX-License-Identifier: GPL-2.0-or-later
// USB relay boards without hidapi: the address is known, and refused with what to do.

#include <errno.h>

#include "power/relay.h"

static void *open_it(const char *address, struct nvp_err *err)
{
	nvp_err_set(err, NVP_ERR_UNSUPPORTED, -ENOSYS,
		    "relay usbhid:%.60s: this program was built without hidapi", address);
	nvp_err_advice(err, "install libhidapi-dev and build it again");
	return NULL;
}

static void close_it(void *device)
{
	(void)device;
}

static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	(void)device;
	(void)action;
	return nvp_err_set(err, NVP_ERR_UNSUPPORTED, -ENOSYS, "relay usbhid: built without hidapi");
}

const struct nvp_relay_ops nvp_relay_usbhid = {
	.scheme = "usbhid",
	.help = "usbhid:SERIAL[/CHANNEL]   (not in this build: it needs libhidapi-dev)",
	.open = open_it,
	.close = close_it,
	.set = set,
};
