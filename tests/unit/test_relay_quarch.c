// SPDX-License-Identifier: GPL-2.0-or-later
// A Quarch module as a relay, against a model of one behind a pseudo-terminal and behind telnet.

#include <errno.h>
#include <string.h>

#include "power/relay_quarch.h"
#include "tests/unit/relay_far.h"
#include "tests/unit/unit.h"

static const struct nvp_relay_ops *ops = &nvp_relay_quarch;

static void begin(struct far *far, struct far_device *d)
{
	memset(far, 0, sizeof(*far));
	far->model = d;
	far->take = far_quarch;
	if (d->telnet)
		far_tcp(far);
	else
		far_tty(far);
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

/* The whole way, on a serial port and by telnet. */
static void down_and_up(int telnet, enum far_fault fault)
{
	struct far_device d = { .on = 1, .telnet = telnet, .fault = fault };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 0);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(err.code, 0);
	ops->close(relay);
	far_stop(&far);
	/* Before every change all signals are set to go at once. */
	CU_ASSERT_STRING_EQUAL(d.order, "source 7;source 7;down;source 7;up;");
	if (telnet)	/* both options of the other end were refused, once each */
		CU_ASSERT_EQUAL(d.telnet, 22);
}

static void serial_and_telnet(void)
{
	down_and_up(0, FAR_HEALTHY);
	down_and_up(0, FAR_PIECES);
	down_and_up(1, FAR_HEALTHY);
}

static void a_power_module_has_rails_alone(void)
{
	struct far_device d = { .rails = 1 };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 0);
	ops->close(relay);
	far_stop(&far);
	CU_ASSERT_STRING_EQUAL(d.order, "up;down;");
}

/* Port 2 of an array: its address stands in the echo, with the prompt's own character in it. */
static void a_port_of_an_array(void)
{
	struct far_device d = { .on = 14 };
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
	ops->close(relay);
	CU_ASSERT_EQUAL(d.on, 10);
	snprintf(address, sizeof(address), "%s/5", far.address);
	CU_ASSERT_PTR_NULL(ops->open(address, &err));
	says(&err, NVP_ERR_BROKEN, "\"*IDN?\" was refused: expected the module's name");
	far_stop(&far);
}

static void fails(enum far_fault fault, const char *about, uint32_t deadline_ms, int code,
		  const char *part)
{
	struct far_device d = { .on = 1 };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	nvp_quarch_deadline(relay, deadline_ms);
	d.about = about;
	d.fault = fault;
	CU_ASSERT_EQUAL(strchr(about, '?') ? ops->state(relay, &err) :
					     ops->set(relay, NVP_POWER_OFF, &err), code);
	says(&err, NVP_ERR_BROKEN, part);
	d.fault = FAR_HEALTHY;
	nvp_quarch_deadline(relay, 2000);
	/* A late answer of the last command is in front of this one's echo. */
	CU_ASSERT_EQUAL(ops->state(relay, &err), !strstr(d.order, "down"));
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(err.code, 0);
	ops->close(relay);
	far_stop(&far);
}

static void faults_of_a_command(void)
{
	fails(FAR_REFUSE, "run:power down", 2000, -EREMOTEIO,
	      "\"run:power down\" was refused: expected OK, seen \"FAIL: 0x21 -Fixture");
	fails(FAR_REFUSE, "source 7", 2000, -EREMOTEIO, "\"signal:all:source 7\" was refused");
	fails(FAR_MUTE, "run:power down", 30, -ETIMEDOUT, "\"run:power down\" was not answered");
	fails(FAR_LATE, "run:power down", 30, -ETIMEDOUT, "\"run:power down\" was not answered");
	fails(FAR_LATE, "run:power?", 30, -ETIMEDOUT, "\"run:power?\" was not answered");
	fails(FAR_HALF, "run:power?", 30, -ETIMEDOUT,
	      "answered to the end: expected an answer within 30 ms, seen \"PLUGGED");
	fails(FAR_GARBAGE, "run:power?", 2000, -EPROTO,
	      "expected PLUGGED, PULLED, ON or OFF, seen");
	fails(FAR_GARBAGE, "run:power down", 2000, -EPROTO,
	      "got an answer that makes no sense: expected OK");
	fails(FAR_ENDLESS, "run:power?", 2000, -EMSGSIZE,
	      "no end in the answer to \"run:power?\"");
}

static void it_says_ok_and_does_not_switch(void)
{
	struct far_device d = { .on = 1, .fault = FAR_STUCK };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	ops->close(relay);
	far_stop(&far);
}

static void unplugged(void)
{
	struct far_device d = { .on = 1 };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	begin(&far, &d);
	relay = ops->open(far.address, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	d.about = "run:power down";
	d.fault = FAR_CLOSE;
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), -ENODEV);
	says(&err, NVP_ERR_BROKEN, "it is gone; plug it in again, try another cable or port");
	/* Still gone: that file was there, so it is the rig that is broken, not the address. */
	CU_ASSERT_TRUE(ops->set(relay, NVP_POWER_ON, &err) < 0);
	says(&err, NVP_ERR_BROKEN, "; is it plugged in");
	ops->close(relay);
	far_stop(&far);
}

static void refused(const char *address, uint32_t deadline_ms, enum nvp_err_kind kind,
		    const char *part)
{
	struct nvp_err err = { 0 };

	CU_ASSERT_PTR_NULL(nvp_quarch_open(address, deadline_ms, &err));
	says(&err, kind, part);
}

static void what_is_no_module(void)
{
	struct far_device d = { .about = "*idn", .fault = FAR_MUTE };
	struct nvp_err err = { 0 };
	struct far far;
	void *relay;

	refused("/dev/null", 0, NVP_ERR_USAGE, "is not a tty; give the serial port");
	refused("/dev/ttyUSB987", 0, NVP_ERR_USAGE, "No such file or directory; is it plugged in?");
	refused("192.0.2.1:9760", 0, NVP_ERR_USAGE,
		"takes frames, not text: expected the telnet port: quarch:192.0.2.1:23");
	refused("ttyUSB0", 0, NVP_ERR_USAGE, "expected /dev/NAME, HOST:PORT");
	begin(&far, &d);
	refused(far.address, 30, NVP_ERR_BROKEN, "\"*IDN?\" was not answered");
	d.fault = FAR_REFUSE;
	d.about = "source 7";
	refused(far.address, 0, NVP_ERR_BROKEN, "\"signal:all:source 7\" was refused");
	/* Half a command of somebody else spoils the first greeting alone. */
	d.fault = FAR_HEALTHY;
	memcpy(d.lines.text, "run:po", 6);
	d.lines.length = 6;
	relay = nvp_quarch_open(far.address, 300, &err);
	CU_ASSERT_PTR_NOT_NULL(relay);
	refused(far.address, 0, NVP_ERR_BROKEN, "another program holds it");
	if (relay)
		ops->close(relay);
	far_stop(&far);
}

static void answers(void)
{
	char echo[] = " >run:POWER? <2>\r", other[] = "OK\r", longer[] = "run:power? <2> x";

	CU_ASSERT_EQUAL(nvp_quarch_power("PLUGGED"), 1);
	CU_ASSERT_EQUAL(nvp_quarch_power("on"), 1);
	CU_ASSERT_EQUAL(nvp_quarch_power("PULLED"), 0);
	CU_ASSERT_EQUAL(nvp_quarch_power("OFF"), 0);
	CU_ASSERT_EQUAL(nvp_quarch_power("OK"), -EPROTO);
	CU_ASSERT_EQUAL(nvp_quarch_power("PLUGGED\r\nOK"), -EPROTO);
	CU_ASSERT_EQUAL(nvp_quarch_power(""), -EPROTO);
	CU_ASSERT_TRUE(nvp_quarch_is_echo(echo, "run:power? <2>"));
	CU_ASSERT_FALSE(nvp_quarch_is_echo(other, "run:power? <2>"));
	CU_ASSERT_FALSE(nvp_quarch_is_echo(longer, "run:power? <2>"));
}

CU_TestInfo nvp_unit_relay_quarch[] = {
	{ "serial and telnet", serial_and_telnet },
	{ "a power module has rails alone", a_power_module_has_rails_alone },
	{ "a port of an array", a_port_of_an_array },
	{ "faults of a command", faults_of_a_command },
	{ "it says OK and does not switch", it_says_ok_and_does_not_switch },
	{ "unplugged", unplugged },
	{ "what is no module", what_is_no_module },
	{ "answers", answers },
	CU_TEST_INFO_NULL,
};
