// SPDX-License-Identifier: GPL-2.0-or-later
// USB relay boards through hidapi (its hidraw flavour): every call of that library is here.

#include <errno.h>
#include <hidapi/hidapi.h>
#include <stdio.h>
#include <string.h>

#include "power/relay_usbhid_board.h"

/* hidapi tells what went wrong as text alone; the errno of the call behind it is still there. */
static int failed(void)
{
	return errno ? -errno : -EIO;
}

static int list(void *context, struct nvp_hid_found *found, unsigned most)
{
	struct hid_device_info *all = hid_enumerate(NVP_HID_VENDOR, NVP_HID_PRODUCT), *d;
	unsigned n = 0;

	(void)context;
	for (d = all; d && n < most; d = d->next) {
		snprintf(found[n].path, sizeof(found[n].path), "%s", d->path ? d->path : "");
		snprintf(found[n].product, sizeof(found[n].product), "%.31ls",
			 d->product_string ? d->product_string : L"");
		n++;
	}
	hid_free_enumeration(all);
	return (int)n;
}

static int open_path(void *context, const char *path, void **handle)
{
	(void)context;
	errno = 0;
	*handle = hid_open_path(path);
	return *handle ? 0 : failed();
}

static void close_handle(void *handle)
{
	hid_close(handle);
}

/* The reports have no number; the 1 that is asked for is not echoed by the board. */
static int get(void *handle, uint8_t report[NVP_HID_REPORT])
{
	uint8_t bytes[NVP_HID_REPORT + 1] = { 1 };
	int n;

	errno = 0;
	n = hid_get_feature_report(handle, bytes, sizeof(bytes));
	if (n < 0)
		return failed();
	if (n < (int)NVP_HID_REPORT)
		return -EPROTO;
	memcpy(report, bytes, NVP_HID_REPORT);
	return 0;
}

static int send_report(void *handle, const uint8_t report[NVP_HID_REPORT])
{
	uint8_t bytes[NVP_HID_REPORT + 1] = { 0 };

	memcpy(bytes + 1, report, NVP_HID_REPORT);
	errno = 0;
	return hid_send_feature_report(handle, bytes, sizeof(bytes)) < 0 ? failed() : 0;
}

static void *open_it(const char *address, struct nvp_err *err)
{
	static const struct nvp_hid_io io = {
		.list = list,
		.open = open_path,
		.close = close_handle,
		.get = get,
		.set = send_report,
	};

	return nvp_hid_board_open(&io, nvp_clock_real(), address, err);
}

static void close_it(void *device)
{
	nvp_hid_board_close(device);
}

static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	return nvp_hid_board_set(device, action, err);
}

static int state(void *device, struct nvp_err *err)
{
	return nvp_hid_board_state(device, err);
}

const struct nvp_relay_ops nvp_relay_usbhid = {
	.scheme = "usbhid",
	.help = "usbhid:SERIAL[/CHANNEL]   a USB relay board, 16c0:05df \"USBRelay1\" to \"8\"",
	.open = open_it,
	.close = close_it,
	.set = set,
	.state = state,
};
