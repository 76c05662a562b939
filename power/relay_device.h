/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A relay that is open: its kind, its device, and what stood behind "?" in its address. */
#ifndef NVP_POWER_RELAY_DEVICE_H
#define NVP_POWER_RELAY_DEVICE_H

#include "power/relay.h"

#define NVP_RELAY_ADDRESS_BYTES 200u
#define NVP_RELAY_OFF_MS 100u	/* the supply stays off so long at least, unless off-ms says else */

struct nvp_relay_device {
	const struct nvp_relay_ops *ops;
	void *device;
	struct nvp_relay_settings settings;
};

/*
 * The address without "?key=value&..", and what those say. 0, or -EINVAL with *err: no such kind of
 * relay, no such key, a value that cannot be.
 */
int nvp_relay_address(const char *address, const struct nvp_relay_ops **ops,
		      char rest[NVP_RELAY_ADDRESS_BYTES], struct nvp_relay_settings *settings,
		      struct nvp_err *err);

/* Open by address, for this drive (only "sim" asks; else NULL). 0 or a negative errno with *err. */
int nvp_relay_device_open(struct nvp_relay_device *relay, const char *address,
			  struct nvp_drive *drive, struct nvp_err *err);
void nvp_relay_device_close(struct nvp_relay_device *relay);
int nvp_relay_device_set(struct nvp_relay_device *relay, enum nvp_power_action action,
			 struct nvp_err *err);
/* 1 on, 0 off, or a negative errno: -EOPNOTSUPP, the kind cannot be asked. */
int nvp_relay_device_state(struct nvp_relay_device *relay, struct nvp_err *err);

#endif
