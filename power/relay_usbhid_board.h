/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A USB relay board of the kind 16c0:05df "USBRelayN", without the library that reaches it. */
#ifndef NVP_POWER_RELAY_USBHID_BOARD_H
#define NVP_POWER_RELAY_USBHID_BOARD_H

#include <stdint.h>

#include <nvproof/clock.h>

#include "power/relay.h"

#define NVP_HID_VENDOR	    0x16c0
#define NVP_HID_PRODUCT	    0x05df	/* others have it too: the name decides */
#define NVP_HID_REPORT	    8u		/* bytes of its feature report */
#define NVP_HID_MOST_BOARDS 16u
#define NVP_HID_DEADLINE_MS 2000u	/* of one command with its retries */

/* One device that the library found. */
struct nvp_hid_found {
	char path[64];		/* "/dev/hidraw3" */
	char product[32];	/* "USBRelay2" */
};

/* How boards are reached; all calls give 0 (or what they say) or a negative errno. */
struct nvp_hid_io {
	/* those of vendor and product; the number written, at most `most` */
	int (*list)(void *context, struct nvp_hid_found *found, unsigned most);
	int (*open)(void *context, const char *path, void **handle);
	void (*close)(void *handle);
	/* feature report 1 is read, feature report 0 is sent */
	int (*get)(void *handle, uint8_t report[NVP_HID_REPORT]);
	int (*set)(void *handle, const uint8_t report[NVP_HID_REPORT]);
	void *context;
};

struct nvp_hid_board;

/*
 * "SERIAL[/CHANNEL]": the five letters that the board itself tells. io and clock are borrowed. NULL
 * with *err: usage (no such form, no such channel), broken (no such board, no permission, two with
 * that serial).
 */
struct nvp_hid_board *nvp_hid_board_open(const struct nvp_hid_io *io,
					 const struct nvp_clock *clock, const char *address,
					 struct nvp_err *err);
void nvp_hid_board_close(struct nvp_hid_board *board);
/*
 * Switch, and read back. What fails, or is not what was asked for, is tried again every 100 ms for
 * NVP_HID_DEADLINE_MS, each time on a board looked for anew: boards drop off the bus when a coil
 * switches, and come back. 0 or a negative errno with *err.
 */
int nvp_hid_board_set(struct nvp_hid_board *board, enum nvp_power_action action,
		      struct nvp_err *err);
/* 1 on, 0 off, or a negative errno with *err; with retries as above. */
int nvp_hid_board_state(struct nvp_hid_board *board, struct nvp_err *err);

#endif
