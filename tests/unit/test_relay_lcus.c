// SPDX-License-Identifier: GPL-2.0-or-later
// A serial relay board as a relay: what it sees on its line, behind a pseudo-terminal.

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "power/relay.h"
#include "tests/unit/relay_far.h"
#include "tests/unit/unit.h"

static const struct nvp_relay_ops *ops = &nvp_relay_lcus;

/* The board: four bytes make a command; one with a wrong sum or mark is none. */
struct board {
	size_t length;
	uint8_t bytes[4];
	unsigned on, commands, nonsense;
};

static void take(struct far *far, const uint8_t *bytes, size_t nr_bytes)
{
	struct board *b = far->model;

	for (size_t i = 0; i < nr_bytes; i++) {
		b->bytes[b->length++] = bytes[i];
		if (b->length < 4)
			continue;
		b->length = 0;
		if (b->bytes[0] != 0xa0 || b->bytes[1] < 1 || b->bytes[1] > 8 || b->bytes[2] > 1 ||
		    (uint8_t)(b->bytes[0] + b->bytes[1] + b->bytes[2]) != b->bytes[3]) {
			b->nonsense++;
			continue;
		}
		b->on &= ~(1u << b->bytes[1]);
		b->on |= (unsigned)b->bytes[2] << b->bytes[1];
		__atomic_add_fetch(&b->commands, 1, __ATOMIC_RELEASE);
	}
}

/* The board answers nothing: it has to be watched. Far longer than it ever takes. */
static void wait_for(struct board *b, unsigned commands)
{
	for (unsigned ms = 0; ms < 10000; ms++) {
		if (__atomic_load_n(&b->commands, __ATOMIC_ACQUIRE) + b->nonsense >= commands)
			return;
		usleep(1000);
	}
}

static void begin(struct far *far, struct board *b)
{
	memset(far, 0, sizeof(*far));
	far->model = b;
	far->take = take;
	far_tty(far);
}

static void its_channel_alone(unsigned channel)
{
	struct board b = { .on = 0x1fe & ~(1u << 4) };
	struct nvp_err err = { 0 };
	char address[80];
	struct far far;
	void *relay;

	begin(&far, &b);
	snprintf(address, sizeof(address), channel ? "%s/%u" : "%s", far.address, channel);
	relay = ops->open(address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	channel = channel ? channel : 1;
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	wait_for(&b, 1);
	CU_ASSERT_EQUAL(b.on, (0x1fe & ~(1u << 4)) & ~(1u << channel));
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	wait_for(&b, 2);
	CU_ASSERT_EQUAL(b.on, (0x1fe & ~(1u << 4)) | 1u << channel);
	CU_ASSERT_EQUAL(b.nonsense, 0);
	CU_ASSERT_EQUAL(err.code, 0);
	CU_ASSERT_PTR_NULL(ops->state);
	ops->close(relay);
	far_stop(&far);
}

static void channels(void)
{
	its_channel_alone(0);
	its_channel_alone(1);
	its_channel_alone(4);
	its_channel_alone(8);
}

/* The line as the board wants it, and DTR left alone when the tool goes. */
static void the_line(void)
{
	struct board b = { 0 };
	struct nvp_err err = { 0 };
	struct termios tio = { 0 };
	struct far far;
	void *relay;

	begin(&far, &b);
	CU_ASSERT_EQUAL(tcgetattr(far.slave, &tio), 0);
	tio.c_cflag |= HUPCL | CSTOPB;
	CU_ASSERT_EQUAL(tcsetattr(far.slave, TCSANOW, &tio), 0);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(tcgetattr(far.slave, &tio), 0);
	CU_ASSERT_EQUAL(cfgetospeed(&tio), B9600);
	CU_ASSERT_EQUAL(cfgetispeed(&tio), B9600);
	CU_ASSERT_EQUAL(tio.c_cflag & (CSIZE | PARENB | CSTOPB | CRTSCTS), CS8);
	CU_ASSERT_EQUAL(tio.c_cflag & (HUPCL | CLOCAL), CLOCAL);
	CU_ASSERT_EQUAL(tio.c_lflag & (ICANON | ECHO | ISIG), 0);
	CU_ASSERT_EQUAL(tio.c_oflag & OPOST, 0);
	ops->close(relay);
	far_stop(&far);
}

static void says(struct nvp_err *err, enum nvp_err_kind kind, const char *part)
{
	char line[700];

	nvp_err_text(err, line, sizeof(line));
	if (!strstr(line, part))
		printf("\"%s\" is not in \"%s\"\n", part, line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, part));
	CU_ASSERT_EQUAL(err->kind, kind);
	memset(err, 0, sizeof(*err));
}

static void bad_addresses_and_a_board_that_goes(void)
{
	struct board b = { 0 };
	struct nvp_err err = { 0 };
	char address[80];
	struct far far;
	void *relay;

	CU_ASSERT_PTR_NULL(ops->open("192.0.2.1:23", &err));
	says(&err, NVP_ERR_USAGE, "no such form of address: expected /dev/NAME");
	CU_ASSERT_PTR_NULL(ops->open("/dev/zero/1", &err));
	says(&err, NVP_ERR_USAGE, "relay lcus:/dev/zero: is not a tty");
	CU_ASSERT_PTR_NULL(ops->open("/dev/ttyUSB987/1", &err));
	says(&err, NVP_ERR_USAGE, "No such file or directory");
	begin(&far, &b);
	snprintf(address, sizeof(address), "%s/9", far.address);
	CU_ASSERT_PTR_NULL(ops->open(address, &err));
	says(&err, NVP_ERR_USAGE, "channel \"9\": expected 1 to 8");
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	far_stop(&far);
	CU_ASSERT_TRUE(ops->set(relay, NVP_POWER_ON, &err) < 0);
	says(&err, NVP_ERR_BROKEN, "is it plugged in");
	ops->close(relay);
}

/* Somebody who may not open the port, whoever runs this test. */
static void no_permission(void)
{
	struct board b = { 0 };
	struct nvp_err err = { 0 };
	struct far far;
	int status = 0;
	pid_t pid;

	begin(&far, &b);
	CU_ASSERT_EQUAL(chmod(far.address, 0), 0);
	pid = fork();
	if (!pid) {
		if ((!geteuid() && setuid(65534)) || ops->open(far.address, &err))
			_exit(1);
		_exit(err.code != -EACCES || err.kind != NVP_ERR_BROKEN ||
		      strncmp(err.advice, "be root, or in the group", 24) ? 2 : 0);
	}
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_EQUAL(status, 0);
	far_stop(&far);
}

CU_TestInfo nvp_unit_relay_lcus[] = {
	{ "channels", channels },
	{ "the line", the_line },
	{ "no permission", no_permission },
	{ "bad addresses, and a board that goes", bad_addresses_and_a_board_that_goes },
	CU_TEST_INFO_NULL,
};
