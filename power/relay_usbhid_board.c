// SPDX-License-Identifier: GPL-2.0-or-later
// A USB relay board: found by the serial that it tells, switched, and always read back.
//
// Feature report 1: bytes 0 to 4 the serial, byte 7 a bit for each relay that is on. A report that
// is sent begins with FFh (on) or FDh (off) and the channel; USB's acknowledgement says nothing.

#include "power/relay_usbhid_board.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/parse.h"
#include "core/base/text.h"

#define SERIAL_BYTES 5u
#define MOST_RELAYS  8u
#define ON	     0xff
#define OFF	     0xfd
#define STATE_BYTE   7
#define RETRY_NS     (100 * NVP_NS_PER_MS)
#define NAME	     "USBRelay"

struct nvp_hid_board {
	const struct nvp_hid_io *io;
	const struct nvp_clock *clock;
	void *handle;			/* NULL: gone for now */
	char serial[SERIAL_BYTES + 1];
	unsigned channel;		/* from 1 */
};

/* What stands in the way of the board that is looked for. */
struct look {
	unsigned boards;	/* with another serial */
	int code;		/* of one that could not be opened or asked; 0 */
	char path[64];		/* of that one */
	char serials[64];	/* "6QMBS, ?AAMZ" */
};

static bool same_serial(const struct nvp_hid_board *b, const uint8_t report[NVP_HID_REPORT])
{
	char serial[SERIAL_BYTES + 1] = "";

	/* Shorter ones end with a NUL byte. */
	memcpy(serial, report, SERIAL_BYTES);
	return !strcmp(serial, b->serial);
}

static void remember(struct look *look, const uint8_t report[NVP_HID_REPORT])
{
	char serial[SERIAL_BYTES + 1];
	size_t n = strlen(look->serials);

	nvp_ascii_text(report, SERIAL_BYTES, serial);
	snprintf(look->serials + n, sizeof(look->serials) - n, "%s\"%s\"", n ? ", " : "", serial);
	look->boards++;
}

/* "USBRelay4" has four; without a number eight are the most. 0: another device. */
static unsigned relays_of(const struct nvp_hid_found *found)
{
	uint64_t n;

	if (strncmp(found->product, NAME, strlen(NAME)))
		return 0;
	if (nvp_parse_u64_range(found->product + strlen(NAME), 1, MOST_RELAYS, &n))
		return MOST_RELAYS;
	return (unsigned)n;
}

static int no_such_channel(const struct nvp_hid_board *b, unsigned relays, struct nvp_err *err)
{
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay usbhid:%s: channel %u", b->serial,
		    b->channel);
	nvp_err_expected(err, "1 to %u, as the board has", relays);
	return -EINVAL;
}

static int two_boards(const struct nvp_hid_board *b, struct nvp_err *err)
{
	nvp_err_set(err, NVP_ERR_BROKEN, -EEXIST, "relay usbhid:%s: two boards tell that serial",
		    b->serial);
	nvp_err_advice(err, "unplug one, or give it another: usbrelay %s_0=ABCDE", b->serial);
	return -EEXIST;
}

static int not_found(const struct nvp_hid_board *b, const struct look *look, struct nvp_err *err)
{
	int code = look->code ? look->code : -ENODEV;

	nvp_err_set(err, NVP_ERR_BROKEN, code, "relay usbhid:%s: no such board", b->serial);
	if (look->code)
		nvp_err_seen(err, "%s: %s", look->path, strerror(-look->code));
	else
		nvp_err_seen(err, "%s", look->boards ? look->serials : "no relay board at all");
	if (look->code == -EACCES || look->code == -EPERM)
		nvp_err_advice(err, "be root, or give yourself the device with a udev rule");
	else
		nvp_err_advice(err, "plug it in again, without a hub; lsusb lists %04x:%04x",
			       NVP_HID_VENDOR, NVP_HID_PRODUCT);
	return code;
}

/* Is it this one? Its handle is kept when it is the first, else closed. 0 or a negative errno. */
static int look_at(struct nvp_hid_board *b, const struct nvp_hid_found *found, struct look *look,
		   struct nvp_err *err)
{
	uint8_t report[NVP_HID_REPORT];
	unsigned relays = relays_of(found);
	void *handle = NULL;
	int rc;

	if (!relays)
		return 0;
	rc = b->io->open(b->io->context, found->path, &handle);
	if (!rc)
		rc = b->io->get(handle, report);
	if (rc) {
		look->code = rc;
		snprintf(look->path, sizeof(look->path), "%.63s", found->path);
	} else if (!same_serial(b, report)) {
		remember(look, report);
	} else if (b->channel > relays) {
		rc = no_such_channel(b, relays, err);
	} else if (b->handle) {
		rc = two_boards(b, err);
	} else {
		b->handle = handle;
		return 0;
	}
	if (handle)
		b->io->close(handle);
	return err && err->code ? rc : 0;
}

static void let_go(struct nvp_hid_board *b)
{
	if (b->handle)
		b->io->close(b->handle);
	b->handle = NULL;
}

/* Find it among all that are there. 0 or a negative errno with *err. */
static int find(struct nvp_hid_board *b, struct nvp_err *err)
{
	struct nvp_hid_found found[NVP_HID_MOST_BOARDS];
	struct look look = { 0 };
	struct nvp_err own = { 0 };
	int n = b->io->list(b->io->context, found, NVP_HID_MOST_BOARDS), rc = 0;

	for (int i = 0; i < n && !rc; i++)
		rc = look_at(b, &found[i], &look, &own);
	if (n < 0)
		rc = nvp_err_set(&own, NVP_ERR_BROKEN, n, "relay usbhid:%s: list of devices: %s",
				 b->serial, strerror(-n));
	else if (!rc && !b->handle)
		rc = not_found(b, &look, &own);
	if (rc)
		let_go(b);
	if (rc && err && !err->code)
		*err = own;
	return rc;
}

/* The report of this board. -EPROTO: another serial than before, so nothing of it is believed. */
static int read_report(struct nvp_hid_board *b, uint8_t report[NVP_HID_REPORT],
		       struct nvp_err *err)
{
	int rc = b->handle ? 0 : find(b, err);
	char serial[SERIAL_BYTES + 1];

	if (!rc) {
		rc = b->io->get(b->handle, report);
		if (rc)
			nvp_err_set(err, NVP_ERR_BROKEN, rc, "relay usbhid:%s: read: %s", b->serial,
				    strerror(-rc));
	}
	if (rc)
		return rc;
	if (same_serial(b, report))
		return 0;
	nvp_err_set(err, NVP_ERR_BROKEN, -EPROTO, "relay usbhid:%s: its report is garbled",
		    b->serial);
	nvp_err_expected(err, "its serial in front");
	nvp_err_seen(err, "\"%s\"", nvp_ascii_text(report, SERIAL_BYTES, serial));
	return -EPROTO;
}

static int read_state(struct nvp_hid_board *b, struct nvp_err *err)
{
	uint8_t report[NVP_HID_REPORT];
	int rc = read_report(b, report, err);

	return rc ? rc : report[STATE_BYTE] >> (b->channel - 1) & 1;
}

/* One try: sent, and read back. */
static int switch_once(struct nvp_hid_board *b, enum nvp_power_action action, struct nvp_err *err)
{
	uint8_t report[NVP_HID_REPORT] = { action == NVP_POWER_ON ? ON : OFF, (uint8_t)b->channel };
	int rc = b->handle ? 0 : find(b, err);

	if (rc)
		return rc;
	rc = b->io->set(b->handle, report);
	if (rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "relay usbhid:%s: send: %s", b->serial,
				   strerror(-rc));
	rc = read_state(b, err);
	if (rc < 0 || rc == (action == NVP_POWER_ON))
		return rc < 0 ? rc : 0;
	nvp_err_set(err, NVP_ERR_BROKEN, -EREMOTEIO, "relay usbhid:%s: channel %u did not switch",
		    b->serial, b->channel);
	nvp_err_expected(err, "%s", action == NVP_POWER_ON ? "on" : "off");
	nvp_err_seen(err, "%s, as it says itself", rc ? "on" : "off");
	return -EREMOTEIO;
}

/* Again and again until the deadline; the text is that of the last try. action NULL: read it. */
static int persist(struct nvp_hid_board *b, const enum nvp_power_action *action,
		   struct nvp_err *err)
{
	const struct nvp_clock *clock = b->clock;
	uint64_t until = nvp_clock_deadline_ns(clock, NVP_HID_DEADLINE_MS * NVP_NS_PER_MS);
	unsigned tries = 0;

	for (;;) {
		struct nvp_err last = { 0 };
		int rc = action ? switch_once(b, *action, &last) : read_state(b, &last);

		tries++;
		if (rc >= 0)
			return rc;
		let_go(b);
		if (nvp_clock_now_ns(clock) + RETRY_NS >= until) {
			nvp_err_advice(&last, "tried %u times: plug it in again, feed the coils "
				       "from a supply of their own", tries);
			if (err && !err->code)
				*err = last;
			return rc;
		}
		nvp_clock_pass(clock, RETRY_NS);
	}
}

int nvp_hid_board_set(struct nvp_hid_board *board, enum nvp_power_action action,
		      struct nvp_err *err)
{
	return persist(board, &action, err);
}

int nvp_hid_board_state(struct nvp_hid_board *board, struct nvp_err *err)
{
	return persist(board, NULL, err);
}

/* "SERIAL" or "SERIAL/CHANNEL". */
static int parse(struct nvp_hid_board *b, const char *address, struct nvp_err *err)
{
	size_t n = strcspn(address, "/");
	uint64_t channel = 1;

	if (!n || n > SERIAL_BYTES ||
	    (address[n] && nvp_parse_u64_range(address + n + 1, 1, MOST_RELAYS, &channel))) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
			    "relay usbhid:%.60s: no such form of address", address);
		nvp_err_expected(err, "SERIAL/CHANNEL: at most %u letters, a channel from 1 to %u",
				 SERIAL_BYTES, MOST_RELAYS);
		return -EINVAL;
	}
	memcpy(b->serial, address, n);
	b->channel = (unsigned)channel;
	return 0;
}

struct nvp_hid_board *nvp_hid_board_open(const struct nvp_hid_io *io,
					 const struct nvp_clock *clock, const char *address,
					 struct nvp_err *err)
{
	struct nvp_hid_board *b = calloc(1, sizeof(*b));

	if (!b) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "relay usbhid:%.60s", address);
		return NULL;
	}
	b->io = io;
	b->clock = clock;
	if (parse(b, address, err) || find(b, err)) {
		free(b);
		return NULL;
	}
	return b;
}

void nvp_hid_board_close(struct nvp_hid_board *board)
{
	if (!board)
		return;
	let_go(board);
	free(board);
}
