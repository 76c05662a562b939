// SPDX-License-Identifier: GPL-2.0-or-later
// The relay of a simulated drive: it switches the drive's own rail, inside the worker.

#include <errno.h>

#include <nvproof/drive_ops.h>

#include "power/relay.h"

static void *open_for(const char *address, struct nvp_drive *drive, struct nvp_err *err)
{
	if (address[0]) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay sim:%s", address);
		nvp_err_expected(err, "nothing behind \"sim\"");
		return NULL;
	}
	if (!(nvp_drive_path(drive) & NVP_PATH_POWER)) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay sim on a drive that is real");
		nvp_err_advice(err, "give the relay that its supply hangs on: --relay ADDR");
		return NULL;
	}
	return drive;
}

static void close_it(void *device)
{
	(void)device;
}

static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	int rc = nvp_drive_power(device, action == NVP_POWER_ON);
	char text[300];

	if (rc)
		nvp_err_set(err, NVP_ERR_BROKEN, rc, "%s",
			    nvp_err_text(nvp_drive_err(device), text, sizeof(text)));
	return rc;
}

const struct nvp_relay_ops nvp_relay_sim = {
	.scheme = "sim",
	.help = "sim   the rail of a simulated drive",
	.open_for = open_for,
	.close = close_it,
	.set = set,
};
