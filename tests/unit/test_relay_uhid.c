// SPDX-License-Identifier: GPL-2.0-or-later
// A USB relay board that the kernel believes in (/dev/uhid): hidapi, hidraw and the way of reports
// through them are the real ones. It makes a device, so it runs where NVP_UHID is set: the bench.

#include <errno.h>
#include <fcntl.h>
#include <linux/uhid.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nvproof/clock.h>

#include "power/relay.h"
#include "tests/unit/unit.h"

#define BOOT_NS (20 * NVP_NS_PER_S) /* the kernel's own way from a device to a node, at most */

struct board {
	pthread_t thread;
	int fd, stop[2];
	const char *product, *serial;
	uint8_t on;
	/* what is wrong: so many reads are garbled or refused, commands without effect, and the
	 * command at which it goes off the bus and comes back */
	unsigned garbled, refused, deaf, drop_at, commands;
};

static void put(struct board *b, const struct uhid_event *event)
{
	if (write(b->fd, event, sizeof(*event)) != (ssize_t)sizeof(*event))
		abort();
}

/* One feature report of eight bytes, without a number. */
static void plug_in(struct board *b)
{
	static const uint8_t descriptor[] = { 0x06, 0x00, 0xff, 0x09, 0x01, 0xa1, 0x01, 0x15,
					      0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, 0x08,
					      0x09, 0x00, 0xb2, 0x02, 0x01, 0xc0 };
	struct uhid_event event = { .type = UHID_CREATE2 };
	struct uhid_create2_req *c = &event.u.create2;

	snprintf((char *)c->name, sizeof(c->name), "%s", b->product);
	memcpy(c->rd_data, descriptor, sizeof(descriptor));
	c->rd_size = sizeof(descriptor);
	c->bus = 3;	/* BUS_USB */
	c->vendor = 0x16c0;
	c->product = 0x05df;
	put(b, &event);
}

static void answer_get(struct board *b, const struct uhid_get_report_req *request)
{
	struct uhid_event event = { .type = UHID_GET_REPORT_REPLY };
	struct uhid_get_report_reply_req *r = &event.u.get_report_reply;

	/* As the USB driver does it: who asks for number 0 gets that number in front. */
	uint8_t *data = r->data + !request->rnum;

	r->id = request->id;
	r->size = (uint16_t)(8 + !request->rnum);
	memcpy(data, b->serial, 5);
	data[7] = b->on;
	if (b->garbled) {
		b->garbled--;
		data[2] = 0x80;
		data[7] = (uint8_t)~b->on;
	} else if (b->refused) {
		b->refused--;
		r->err = EPROTO;
	}
	put(b, &event);
}

static void answer_set(struct board *b, const struct uhid_set_report_req *request)
{
	struct uhid_event event = { .type = UHID_SET_REPORT_REPLY };
	/* In front the number of the report: 0. */
	uint8_t what = request->data[1], channel = request->data[2];

	event.u.set_report_reply.id = request->id;
	put(b, &event);
	if (++b->commands == b->drop_at) {
		event = (struct uhid_event){ .type = UHID_DESTROY };
		put(b, &event);
		b->on = 0;
		plug_in(b);
	} else if (b->deaf) {
		b->deaf--;
	} else if (request->size >= 3 && channel >= 1 && channel <= 8) {
		uint8_t bit = (uint8_t)(1u << (channel - 1));

		b->on = what == 0xff ? b->on | bit : what == 0xfd ? b->on & (uint8_t)~bit : b->on;
	}
}

static void *run(void *context)
{
	struct board *b = context;

	for (;;) {
		struct pollfd p[2] = { { .fd = b->stop[0], .events = POLLIN },
				       { .fd = b->fd, .events = POLLIN } };
		struct uhid_event event;

		poll(p, 2, -1);
		if (p[0].revents)
			return NULL;
		if (read(b->fd, &event, sizeof(event)) < 0)
			continue;
		if (event.type == UHID_GET_REPORT)
			answer_get(b, &event.u.get_report);
		else if (event.type == UHID_SET_REPORT)
			answer_set(b, &event.u.set_report);
	}
}

static void begin(struct board *b)
{
	b->fd = open("/dev/uhid", O_RDWR | O_CLOEXEC);
	if (b->fd < 0 || pipe(b->stop))
		abort();
	plug_in(b);
	if (pthread_create(&b->thread, NULL, run, b))
		abort();
}

static void end(struct board *b)
{
	if (write(b->stop[1], "", 1) != 1)
		abort();
	pthread_join(b->thread, NULL);
	close(b->fd);	/* and the device is gone */
	close(b->stop[0]);
	close(b->stop[1]);
}

/* The node of a new device is there a little after it. */
static void *open_when_there(const char *address, struct nvp_err *err)
{
	const struct nvp_clock *clock = nvp_clock_real();
	uint64_t until = nvp_clock_deadline_ns(clock, BOOT_NS);

	for (;;) {
		void *relay;

		memset(err, 0, sizeof(*err));
		relay = nvp_relay_usbhid.open(address, err);
		if (relay || err->code == -EINVAL || nvp_clock_now_ns(clock) > until)
			return relay;
		nvp_clock_pass(clock, 50 * NVP_NS_PER_MS);
	}
}

/* What the other program says of a channel: "6QMBS_2=1". */
static void other_sees(const char *line)
{
	const char *other = getenv("NVP_UHID_OTHER");
	char text[512] = "";
	FILE *pipe_of;

	if (!other)
		return;
	pipe_of = popen(other, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(pipe_of);
	text[fread(text, 1, sizeof(text) - 1, pipe_of)] = '\0';
	CU_ASSERT_EQUAL(pclose(pipe_of), 0);
	if (!strstr(text, line))
		printf("%s: \"%s\" is not in \"%s\"\n", other, line, text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, line));
}

static const struct nvp_relay_ops *ops = &nvp_relay_usbhid;

static void through_the_kernel(void)
{
	struct board b = { .product = "USBRelay2", .serial = "6QMBS", .on = 3 };
	struct nvp_err err = { 0 };
	void *relay;

	if (!getenv("NVP_UHID"))
		return;
	begin(&b);
	relay = open_when_there("6QMBS/2", &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(b.on, 1);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 0);
	other_sees("6QMBS_1=1");
	other_sees("6QMBS_2=0");
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(b.on, 3);
	other_sees("6QMBS_2=1");
	CU_ASSERT_EQUAL(b.commands, 2);
	ops->close(relay);
	CU_ASSERT_PTR_NULL(ops->open("6QMBS/3", &err));
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	end(&b);
	printf("a board of the kernel's was switched ");
}

static void faults_through_the_kernel(void)
{
	struct board b = { .product = "USBRelay8", .serial = "6QMBS" };
	struct nvp_err err = { 0 };
	void *relay;

	if (!getenv("NVP_UHID"))
		return;
	begin(&b);
	relay = open_when_there("6QMBS/8", &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	b.garbled = 1;
	CU_ASSERT_EQUAL(ops->state(relay, &err), 0);
	b.refused = 1;
	CU_ASSERT_EQUAL(ops->state(relay, &err), 0);
	b.deaf = 2;
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(b.on, 0x80);
	CU_ASSERT_EQUAL(b.commands, 3);
	b.drop_at = 4;
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(b.on, 0x80);
	CU_ASSERT_TRUE(b.commands >= 5);
	CU_ASSERT_EQUAL(err.code, 0);
	end(&b);	/* pulled out in the middle of a campaign */
	CU_ASSERT_TRUE(ops->set(relay, NVP_POWER_OFF, &err) < 0);
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_BROKEN);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.advice, "plug it in again"));
	ops->close(relay);
}

/* Everywhere: no board, and one line that says so. */
static void no_board(void)
{
	struct nvp_err err = { 0 };

	CU_ASSERT_PTR_NULL(ops->open("ZZZZZ/1", &err));
	CU_ASSERT_TRUE(err.kind == NVP_ERR_BROKEN || err.kind == NVP_ERR_UNSUPPORTED);
	CU_ASSERT_TRUE(strlen(err.advice) > 0);
}

CU_TestInfo nvp_unit_relay_uhid[] = {
	{ "no board", no_board },
	{ "through the kernel", through_the_kernel },
	{ "faults through the kernel", faults_through_the_kernel },
	CU_TEST_INFO_NULL,
};
