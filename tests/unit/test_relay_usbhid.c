// SPDX-License-Identifier: GPL-2.0-or-later
// USB relay boards: found, switched and read back, against boards with the faults that people
// report. The boards do what their free firmware does; time is a number, so no retry waits.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "power/relay_usbhid_board.h"
#include "tests/unit/unit.h"

struct board {
	const char *product;
	char serial[6];
	uint8_t on;		/* bit n: channel n + 1 */
	int absent;		/* off the bus */
	int open_code, get_code;
	unsigned garbled;	/* so many reports come with a spoiled serial */
	unsigned deaf;		/* so many commands are acknowledged and do nothing */
	unsigned drop_after;	/* the n-th command takes it off the bus; 0: none */
	unsigned back_at_ms;	/* and then it is there again; 0: never */
	unsigned commands, foreign, opened;
};

#define BOARD(product_, serial_, ...) { .product = product_, .serial = serial_, __VA_ARGS__ }

struct bus {
	struct board board[3];
	unsigned nr;
	uint64_t now_ns;
	int list_code;
};

static struct bus *bus;		/* of the test that runs: handles are its boards */

static int there(struct board *b)
{
	if (b->absent && b->back_at_ms && bus->now_ns >= b->back_at_ms * NVP_NS_PER_MS)
		b->absent = 0;
	return !b->absent;
}

static int list(void *context, struct nvp_hid_found *found, unsigned most)
{
	unsigned n = 0;

	CU_ASSERT_PTR_EQUAL(context, bus);
	for (unsigned i = 0; i < bus->nr && n < most; i++) {
		if (!there(&bus->board[i]))
			continue;
		snprintf(found[n].path, sizeof(found[n].path), "/dev/hidraw%u", i);
		snprintf(found[n].product, sizeof(found[n].product), "%s", bus->board[i].product);
		n++;
	}
	return bus->list_code ? bus->list_code : (int)n;
}

static int open_path(void *context, const char *path, void **handle)
{
	struct board *b = &((struct bus *)context)->board[path[strlen(path) - 1] - '0'];

	if (b->open_code)
		return b->open_code;
	b->opened++;
	*handle = b;
	return 0;
}

static void close_handle(void *handle)
{
	((struct board *)handle)->opened--;
}

static int get(void *handle, uint8_t report[NVP_HID_REPORT])
{
	struct board *b = handle;

	if (!there(b))
		return -ENODEV;
	if (b->get_code)
		return b->get_code;
	memset(report, 0, NVP_HID_REPORT);
	memcpy(report, b->serial, 6);
	report[7] = b->on;
	if (b->garbled) {
		b->garbled--;
		report[0] = 0x97;
		report[7] = (uint8_t)~b->on;
	}
	return 0;
}

static int send_report(void *handle, const uint8_t report[NVP_HID_REPORT])
{
	struct board *b = handle;

	if (!there(b))
		return -ENODEV;
	if (strncmp(b->product, "USBRelay", 8))
		b->foreign++;
	b->commands++;
	if (b->drop_after == b->commands) {
		b->absent = 1;
		b->on = 0;	/* its coils are fed by the bus */
		return -EPROTO;
	}
	if (b->deaf) {
		b->deaf--;
		return 0;
	}
	if (report[0] == 0xff && report[1])
		b->on |= (uint8_t)(1u << (report[1] - 1));
	else if (report[0] == 0xfd && report[1])
		b->on &= (uint8_t)~(1u << (report[1] - 1));
	return 0;
}

static uint64_t now_ns(void *context)
{
	return ((struct bus *)context)->now_ns;
}

static int wait_it(void *context, const struct nvp_wait *wait)
{
	((struct bus *)context)->now_ns = wait->until_ns;
	return NVP_WOKEN_TIME;
}

/* Everything of one test: a bus with boards, the clock, the relay. */
struct bench {
	struct bus bus;
	struct nvp_clock clock;
	struct nvp_hid_io io;
	struct nvp_hid_board *relay;
	struct nvp_err err;
};

static void begin(struct bench *b, const char *address)
{
	bus = &b->bus;
	b->clock = (struct nvp_clock){ .now_ns = now_ns, .wait = wait_it, .context = bus,
				       .virtual_time = true };
	b->io = (struct nvp_hid_io){ .list = list, .open = open_path, .close = close_handle,
				     .get = get, .set = send_report, .context = bus };
	b->relay = nvp_hid_board_open(&b->io, &b->clock, address, &b->err);
}

static void end(struct bench *b)
{
	nvp_hid_board_close(b->relay);
	for (unsigned i = 0; i < b->bus.nr; i++) {
		CU_ASSERT_EQUAL(b->bus.board[i].opened, 0);
		CU_ASSERT_EQUAL(b->bus.board[i].foreign, 0);
	}
}

static void says(struct bench *b, enum nvp_err_kind kind, int code, const char *part)
{
	char line[700];

	nvp_err_text(&b->err, line, sizeof(line));
	if (!strstr(line, part))
		printf("\"%s\" is not in \"%s\"\n", part, line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, part));
	CU_ASSERT_EQUAL(b->err.kind, kind);
	CU_ASSERT_EQUAL(b->err.code, code);
	memset(&b->err, 0, sizeof(b->err));
}

static void its_board_and_channel_alone(void)
{
	struct bench b = { .bus = { .nr = 3, .board = {
		BOARD("Joystick", "6QMBS", .on = 0xff),	/* the same vendor and product */
		BOARD("USBRelay4", "BITFT", .on = 0xff),
		BOARD("USBRelay8", "6QMBS", .on = 0xff),
	} } };

	begin(&b, "6QMBS/3");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.relay);
	CU_ASSERT_EQUAL(nvp_hid_board_state(b.relay, &b.err), 1);
	CU_ASSERT_EQUAL(nvp_hid_board_set(b.relay, NVP_POWER_OFF, &b.err), 0);
	CU_ASSERT_EQUAL(nvp_hid_board_state(b.relay, &b.err), 0);
	CU_ASSERT_EQUAL(b.bus.board[2].on, 0xfb);
	CU_ASSERT_EQUAL(nvp_hid_board_set(b.relay, NVP_POWER_ON, &b.err), 0);
	CU_ASSERT_EQUAL(b.bus.board[2].on, 0xff);
	CU_ASSERT_EQUAL(b.bus.board[0].on & b.bus.board[1].on, 0xff);
	CU_ASSERT_EQUAL(b.bus.board[2].commands, 2);
	CU_ASSERT_EQUAL(b.err.code, 0);
	end(&b);
}

static void an_acknowledgement_is_not_believed(void)
{
	struct bench b = { .bus = { .nr = 1, .board = { BOARD("USBRelay1", "6QMBS", .on = 1) } } };

	begin(&b, "6QMBS");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.relay);
	b.bus.board[0].deaf = 3;
	CU_ASSERT_EQUAL(nvp_hid_board_set(b.relay, NVP_POWER_OFF, &b.err), 0);
	CU_ASSERT_EQUAL(b.bus.board[0].commands, 4);
	CU_ASSERT_EQUAL(b.bus.board[0].on, 0);
	b.bus.board[0].deaf = 1000;
	CU_ASSERT_EQUAL(nvp_hid_board_set(b.relay, NVP_POWER_ON, &b.err), -EREMOTEIO);
	says(&b, NVP_ERR_BROKEN, -EREMOTEIO,
	     "channel 1 did not switch: expected on, seen off, as it says itself; tried 20 times");
	CU_ASSERT_TRUE(b.bus.now_ns < 2600 * NVP_NS_PER_MS);
	end(&b);
}

/* A spoiled report has a spoiled state too: it never counts as read back. */
static void garbled_reports(void)
{
	struct bench b = { .bus = { .nr = 1, .board = { BOARD("USBRelay2", "6QMBS", .on = 3) } } };

	begin(&b, "6QMBS/2");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.relay);
	b.bus.board[0].garbled = 1;
	CU_ASSERT_EQUAL(nvp_hid_board_state(b.relay, &b.err), 1);
	b.bus.board[0].garbled = 1;
	b.bus.board[0].deaf = 1;
	CU_ASSERT_EQUAL(nvp_hid_board_set(b.relay, NVP_POWER_OFF, &b.err), 0);
	CU_ASSERT_EQUAL(b.bus.board[0].on, 1);
	b.bus.board[0].garbled = 1;
	b.bus.board[0].get_code = 0;
	memcpy(b.bus.board[0].serial, "\x97QMBS", 6);
	CU_ASSERT_TRUE(nvp_hid_board_state(b.relay, &b.err) < 0);
	says(&b, NVP_ERR_BROKEN, -ENODEV, "no such board: seen \"?QMBS\"; plug it in again");
	end(&b);
}

static void it_drops_off_the_bus_and_comes_back(void)
{
	struct bench b = { .bus = { .nr = 1, .board = { BOARD("USBRelay2", "6QMBS") } } };

	begin(&b, "6QMBS/2");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.relay);
	b.bus.board[0].drop_after = 1;
	b.bus.board[0].back_at_ms = 1200;
	CU_ASSERT_EQUAL(nvp_hid_board_set(b.relay, NVP_POWER_ON, &b.err), 0);
	CU_ASSERT_EQUAL(b.bus.board[0].on, 2);
	CU_ASSERT_TRUE(b.bus.now_ns >= 1200 * NVP_NS_PER_MS);
	/* This time for good. */
	b.bus.board[0].drop_after = 3;
	b.bus.board[0].back_at_ms = 0;
	CU_ASSERT_EQUAL(nvp_hid_board_set(b.relay, NVP_POWER_OFF, &b.err), -ENODEV);
	says(&b, NVP_ERR_BROKEN, -ENODEV, "no such board: seen no relay board at all; plug it in");
	CU_ASSERT_EQUAL(nvp_hid_board_state(b.relay, &b.err), -ENODEV);
	says(&b, NVP_ERR_BROKEN, -ENODEV, "no such board");
	/* Whoever has it back has it back. */
	b.bus.board[0].absent = 0;
	CU_ASSERT_EQUAL(nvp_hid_board_set(b.relay, NVP_POWER_ON, &b.err), 0);
	CU_ASSERT_EQUAL(b.err.code, 0);
	end(&b);
}

static void protocol_errors_now_and_then(void)
{
	struct bench b = { .bus = { .nr = 1, .board = { BOARD("USBRelay2", "6QMBS") } } };

	begin(&b, "6QMBS/2");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.relay);
	b.bus.board[0].get_code = -EPROTO;
	CU_ASSERT_EQUAL(nvp_hid_board_state(b.relay, &b.err), -EPROTO);
	says(&b, NVP_ERR_BROKEN, -EPROTO, "seen /dev/hidraw0: Protocol error");
	b.bus.board[0].get_code = 0;
	CU_ASSERT_EQUAL(nvp_hid_board_state(b.relay, &b.err), 0);
	CU_ASSERT_EQUAL(b.err.code, 0);
	end(&b);
}

static void refused(struct bus on, const char *address, enum nvp_err_kind kind, int code,
		    const char *part)
{
	struct bench b = { .bus = on };

	begin(&b, address);
	CU_ASSERT_PTR_NULL(b.relay);
	says(&b, kind, code, part);
	end(&b);
}

static void what_cannot_be_opened(void)
{
	struct bus none = { .nr = 0 }, other = { .nr = 2, .board = {
		BOARD("USBRelay1", "BITFT"), BOARD("USBRelay1", "\x97QMB\x01") } };
	struct bus twins = { .nr = 2, .board = {
		BOARD("USBRelay1", "6QMBS"), BOARD("USBRelay2", "6QMBS") } };
	struct bus locked = { .nr = 1, .board = {
		BOARD("USBRelay1", "6QMBS", .open_code = -EACCES) } };
	struct bus joystick = { .nr = 1, .board = { BOARD("Joystick", "6QMBS") } };
	struct bus blind = { .list_code = -EIO };
	struct bus small = { .nr = 1, .board = { BOARD("USBRelay2", "6QMBS") } };

	refused(none, "", NVP_ERR_USAGE, -EINVAL, "form of address: expected SERIAL/CHANNEL");
	refused(none, "6QMBSX/1", NVP_ERR_USAGE, -EINVAL, "at most 5 letters");
	refused(none, "6QMBS/", NVP_ERR_USAGE, -EINVAL, "a channel from 1 to 8");
	refused(none, "6QMBS/9", NVP_ERR_USAGE, -EINVAL, "a channel from 1 to 8");
	refused(none, "6QMBS/0", NVP_ERR_USAGE, -EINVAL, "a channel from 1 to 8");
	refused(none, "6QMBS/1", NVP_ERR_BROKEN, -ENODEV, "seen no relay board at all");
	refused(joystick, "6QMBS/1", NVP_ERR_BROKEN, -ENODEV, "seen no relay board at all");
	refused(other, "6QMBS/1", NVP_ERR_BROKEN, -ENODEV, "seen \"BITFT\", \"?QMB?\"; plug it in");
	refused(twins, "6QMBS/1", NVP_ERR_BROKEN, -EEXIST, "two boards tell that serial; unplug");
	refused(locked, "6QMBS/1", NVP_ERR_BROKEN, -EACCES,
		"seen /dev/hidraw0: Permission denied; be root, or give yourself the device");
	refused(small, "6QMBS/3", NVP_ERR_USAGE, -EINVAL, "channel 3: expected 1 to 2");
	refused(blind, "6QMBS/1", NVP_ERR_BROKEN, -EIO, "list of devices: Input/output error");
}

CU_TestInfo nvp_unit_relay_usbhid[] = {
	{ "its board and channel alone", its_board_and_channel_alone },
	{ "an acknowledgement is not believed", an_acknowledgement_is_not_believed },
	{ "garbled reports", garbled_reports },
	{ "it drops off the bus and comes back", it_drops_off_the_bus_and_comes_back },
	{ "protocol errors now and then", protocol_errors_now_and_then },
	{ "what cannot be opened", what_cannot_be_opened },
	CU_TEST_INFO_NULL,
};
