// SPDX-License-Identifier: GPL-2.0-or-later
// A SCPI power supply as a relay, against a model of one on a port of this machine.

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "power/relay_scpi.h"
#include "tests/unit/relay_far.h"
#include "tests/unit/unit.h"

static const struct nvp_relay_ops *ops = &nvp_relay_scpi;

static void begin(struct far *far, struct far_device *d)
{
	memset(far, 0, sizeof(*far));
	far->model = d;
	far->take = far_scpi;
	far_tcp(far);
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

static void off_and_on_and_read_back(void)
{
	struct far_device d = { .on = 1, .volts_mv = { 12000 }, .errors = "-410,\"Old\"" };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(ops->millivolts(relay, &err), 12000);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 0);
	CU_ASSERT_EQUAL(ops->millivolts(relay, &err), 0);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(err.code, 0);
	ops->close(relay);
	far_stop(&far);
	CU_ASSERT_EQUAL(d.on, 1);
	CU_ASSERT_EQUAL(far.connections, 1);
}

/* Channel 2 alone switches, in the two ways in which supplies name it. */
static void a_channel(void)
{
	static const char *const names[] = { "ACME,PS-3,0001,1.0", "RIGOL TECHNOLOGIES,DP832,1,2" };

	for (unsigned i = 0; i < 2; i++) {
		struct far_device d = { .on = 14, .name = names[i], .limit_mv = 15000,
					.volts_mv = { 1, 2000, 3300, 4000 } };
		struct nvp_err err = { 0 };
		char address[80];
		struct far far;
		void *relay;

		begin(&far, &d);
		snprintf(address, sizeof(address), "%s/2", far.address);
		relay = ops->open(address, &err);
		CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
		CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
		CU_ASSERT_EQUAL(ops->state(relay, &err), 0);
		CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
		CU_ASSERT_EQUAL(ops->millivolts(relay, &err), 3300);
		CU_ASSERT_EQUAL(ops->set_millivolts(relay, 3135, &err), 0);
		CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
		CU_ASSERT_EQUAL(err.code, 0);
		ops->close(relay);
		far_stop(&far);
		CU_ASSERT_EQUAL(d.on, 10);
		CU_ASSERT_EQUAL(d.volts_mv[1], 2000);
		CU_ASSERT_EQUAL(d.volts_mv[2], 3135);
	}
}

static void voltages_out_of_range_or_not_taken(void)
{
	struct far_device d = { .on = 1, .limit_mv = 13000, .volts_mv = { 12000 } };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(ops->set_millivolts(relay, 9500, &err), 0);
	CU_ASSERT_EQUAL(ops->millivolts(relay, &err), 9500);
	CU_ASSERT_EQUAL(ops->set_millivolts(relay, 13001, &err), -EREMOTEIO);
	says(&err, NVP_ERR_BROKEN, "\"VOLT 13.001\" was refused: seen -222,\"Data out of range\"");
	d.fault = FAR_STUCK;
	CU_ASSERT_EQUAL(ops->set_millivolts(relay, 12000, &err), -ERANGE);
	says(&err, NVP_ERR_BROKEN, "expected 12000 mV, seen 9500 mV");
	ops->close(relay);
	far_stop(&far);
}

/* One fault after the device was opened healthy; what set says of it. */
static void set_fails(enum far_fault fault, const char *about, uint32_t deadline_ms, int code,
		      const char *part)
{
	struct far_device d = { .on = 1 };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	nvp_scpi_deadline(relay, deadline_ms);
	d.about = about;
	d.fault = fault;
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), code);
	says(&err, NVP_ERR_BROKEN, part);
	/* Once it is well again, so is the relay: nothing of the old exchange is left. */
	d.fault = FAR_HEALTHY;
	d.errors[0] = '\0';
	nvp_scpi_deadline(relay, 2000);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 0);
	CU_ASSERT_EQUAL(err.code, 0);
	ops->close(relay);
	far_stop(&far);
	CU_ASSERT_EQUAL(d.on, 0);
}

static void faults_of_a_command(void)
{
	set_fails(FAR_REFUSE, "OUTP OFF", 2000, -EREMOTEIO,
		  "\"OUTP OFF\" was refused: seen -221,\"Settings conflict\"; is it that channel");
	set_fails(FAR_MUTE, "SYST", 30, -ETIMEDOUT,
		  "\"SYST:ERR?\" was not answered: expected an answer within 30 ms");
	set_fails(FAR_HALF, "SYST", 30, -ETIMEDOUT,
		  "answered to the end: expected an answer within 30 ms, seen \"+0,\"No");
	set_fails(FAR_LATE, "SYST", 30, -ETIMEDOUT, "was not answered:");
	set_fails(FAR_GARBAGE, "SYST", 2000, -EPROTO, "the answer to SYST:ERR? makes no sense");
	set_fails(FAR_CLOSE, "OUTP", 2000, -ENODEV,
		  "the other end closed the connection; is it still on");
	set_fails(FAR_ENDLESS, NULL, 2000, -EPROTO,
		  "expected an end of the errors, seen \"-350");
}

/* A half answer that would be a whole one: "1" without its end is not yet believed. */
static void state_is_read_whole_or_not_at_all(void)
{
	struct far_device d = { .on = 1, .fault = FAR_PIECES };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	d.about = "OUTP?";
	d.fault = FAR_HALF;
	nvp_scpi_deadline(relay, 30);
	CU_ASSERT_EQUAL(ops->state(relay, &err), -ETIMEDOUT);
	says(&err, NVP_ERR_BROKEN, "seen \"1\"");
	nvp_scpi_deadline(relay, 2000);
	d.fault = FAR_GARBAGE;
	CU_ASSERT_EQUAL(ops->state(relay, &err), -EPROTO);
	says(&err, NVP_ERR_BROKEN, "expected 1 or 0, seen \"");
	d.fault = FAR_NUL;
	CU_ASSERT_EQUAL(ops->state(relay, &err), -EPROTO);
	says(&err, NVP_ERR_BROKEN, "expected 1 or 0, seen \"1?more\"");
	/* It took the command, and its output did not switch: that is what is read. */
	d.fault = FAR_STUCK;
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	ops->close(relay);
	far_stop(&far);
}

static void an_idle_connection_may_be_closed(void)
{
	struct far_device d = { .on = 1 };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	d.about = "OUTP?";
	d.fault = FAR_IDLE;
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	while (__atomic_load_n(&far.fd, __ATOMIC_ACQUIRE) >= 0)
		usleep(1000);
	d.fault = FAR_HEALTHY;
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(err.code, 0);
	far_stop(&far);		/* and now for good */
	CU_ASSERT_EQUAL(far.connections, 2);
	CU_ASSERT_TRUE(ops->set(relay, NVP_POWER_ON, &err) < 0);
	says(&err, NVP_ERR_BROKEN, "Connection refused; nothing listens there");
	ops->close(relay);
}

static void refused(const char *address, uint32_t deadline_ms, enum nvp_err_kind kind,
		    const char *part)
{
	struct nvp_err err = { 0 };

	CU_ASSERT_PTR_NULL(nvp_scpi_open(address, deadline_ms, &err));
	says(&err, kind, part);
}

static void addresses(void)
{
	refused("", 0, NVP_ERR_USAGE, "no such form of address: expected /dev/NAME");
	refused("127.0.0.1", 0, NVP_ERR_USAGE, "no such form of address");
	refused("127.0.0.1:", 0, NVP_ERR_USAGE, "no such form of address");
	refused("127.0.0.1:0", 0, NVP_ERR_USAGE, "no such form of address");
	refused("127.0.0.1:65536", 0, NVP_ERR_USAGE, "no such form of address");
	refused(":5025", 0, NVP_ERR_USAGE, "no such form of address");
	refused("::1:5025", 0, NVP_ERR_USAGE, "no such form of address");
	refused("127.0.0.1:5025/0", 0, NVP_ERR_USAGE, "channel \"0\": expected 1 to 99");
	refused("127.0.0.1:5025/2x", 0, NVP_ERR_USAGE, "channel \"2x\"");
	refused("127.0.0.1:1", 0, NVP_ERR_BROKEN, "Connection refused; nothing listens there");
	refused("[::1]:1", 0, NVP_ERR_BROKEN, "relay scpi:[::1]:1: ");
	refused("/dev/usbtmc987", 0, NVP_ERR_USAGE, "No such file or directory; is it plugged in?");
	refused("/dev/null", 0, NVP_ERR_USAGE,
		"is no USBTMC instrument: expected /dev/usbtmc0, .. or HOST:PORT");
}

/* A port whose queue is full: Linux drops whoever calls, as a host that is off. */
static void a_host_that_does_not_answer(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int listener = socket(AF_INET, SOCK_STREAM, 0), caller[4];
	socklen_t bytes = sizeof(at);
	char address[40];

	CU_ASSERT_EQUAL_FATAL(bind(listener, (struct sockaddr *)&at, sizeof(at)), 0);
	CU_ASSERT_EQUAL_FATAL(listen(listener, 0), 0);
	CU_ASSERT_EQUAL_FATAL(getsockname(listener, (struct sockaddr *)&at, &bytes), 0);
	for (unsigned i = 0; i < 4; i++) {
		caller[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		connect(caller[i], (struct sockaddr *)&at, sizeof(at));
	}
	snprintf(address, sizeof(address), "127.0.0.1:%u", ntohs(at.sin_port));
	refused(address, 100, NVP_ERR_BROKEN, "Connection timed out; is it on, is it that addr");
	for (unsigned i = 0; i < 4; i++)
		close(caller[i]);
	close(listener);
}

static void what_is_no_power_supply(void)
{
	struct far_device d = { .name = "220 ftp.example ready" };
	struct far far;
	char address[80];

	begin(&far, &d);
	refused(far.address, 0, NVP_ERR_BROKEN, "the answer to *IDN? makes no sense: expected MA");
	d.name = NULL;
	d.about = "*IDN?";
	d.fault = FAR_MUTE;
	refused(far.address, 30, NVP_ERR_BROKEN, "\"*IDN?\" was not answered");
	d.fault = FAR_HEALTHY;
	snprintf(address, sizeof(address), "%s/7", far.address);
	refused(address, 300, NVP_ERR_BROKEN, "\"OUTP? (@7)\" was not answered");
	far_stop(&far);
}

static void answers(void)
{
	int code = 7;

	CU_ASSERT_EQUAL(nvp_scpi_bool("1"), 1);
	CU_ASSERT_EQUAL(nvp_scpi_bool("ON"), 1);
	CU_ASSERT_EQUAL(nvp_scpi_bool("+0"), 0);
	CU_ASSERT_EQUAL(nvp_scpi_bool("Off"), 0);
	CU_ASSERT_EQUAL(nvp_scpi_bool(""), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_bool("00"), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_bool("10"), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_bool("1,0"), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_millivolts("+1.19987E+01"), 11999);
	CU_ASSERT_EQUAL(nvp_scpi_millivolts("3.3"), 3300);
	CU_ASSERT_EQUAL(nvp_scpi_millivolts("-0.004"), 0);
	CU_ASSERT_EQUAL(nvp_scpi_millivolts("-5"), -ERANGE);
	CU_ASSERT_EQUAL(nvp_scpi_millivolts("9.91E37"), -ERANGE);
	CU_ASSERT_EQUAL(nvp_scpi_millivolts("12.0V"), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_millivolts(""), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_error("0,\"No error\"", &code), 0);
	CU_ASSERT_EQUAL(code, 0);
	CU_ASSERT_EQUAL(nvp_scpi_error("-113,\"Undefined header\"", &code), 0);
	CU_ASSERT_EQUAL(code, -113);
	CU_ASSERT_EQUAL(nvp_scpi_error("+301", &code), 0);
	CU_ASSERT_EQUAL(code, 301);
	CU_ASSERT_EQUAL(nvp_scpi_error("No error", &code), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_error("-", &code), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_error("", &code), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_error("--1,", &code), -EPROTO);
	CU_ASSERT_EQUAL(nvp_scpi_error("1234567890", &code), -EPROTO);
}

CU_TestInfo nvp_unit_relay_scpi[] = {
	{ "off and on, and read back", off_and_on_and_read_back },
	{ "a channel", a_channel },
	{ "voltages out of range or not taken", voltages_out_of_range_or_not_taken },
	{ "faults of a command", faults_of_a_command },
	{ "state is read whole or not at all", state_is_read_whole_or_not_at_all },
	{ "an idle connection may be closed", an_idle_connection_may_be_closed },
	{ "addresses", addresses },
	{ "a host that does not answer", a_host_that_does_not_answer },
	{ "what is no power supply", what_is_no_power_supply },
	{ "answers", answers },
	CU_TEST_INFO_NULL,
};
