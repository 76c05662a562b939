// SPDX-License-Identifier: GPL-2.0-or-later
// Models of devices by their published commands: a SCPI power supply (SCPI-1999), a Quarch module
// (what its maker's own programs send and wait for). Written without a look at power/relay_*.c.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tests/unit/relay_far.h"

static int is_about(const struct far_device *d, enum far_fault fault, const char *command)
{
	return d->fault == fault && d->about && strcasestr(command, d->about);
}

/* An answer goes its way, with what is wrong with this device. */
static void answer(struct far *far, const char *command, const char *text)
{
	struct far_device *d = far->model;
	/* Once the answer is out the test goes on, and may change what is wrong. */
	int then_close = is_about(d, FAR_IDLE, command);

	if (is_about(d, FAR_MUTE, command))
		return;
	if (is_about(d, FAR_LATE, command)) {
		snprintf(d->late, sizeof(d->late), "%s", text);
		d->late_on = far->connections;
		return;
	}
	if (is_about(d, FAR_HALF, command)) {
		char half[200];

		snprintf(half, sizeof(half), "%.*s", (int)strcspn(text, "\r\n"), text);
		far_say(far, half);
	} else if (is_about(d, FAR_GARBAGE, command)) {
		far_say(far, "\x02\xff~noise~\r\n>");
	} else if (is_about(d, FAR_NUL, command)) {
		far_say_bytes(far, text, strcspn(text, "\r\n"));
		far_say_bytes(far, "\0more\n>", 7);
	} else if (d->fault == FAR_PIECES) {
		far_say_in_pieces(far, text);
	} else {
		if (d->telnet)	/* NOP may stand anywhere (RFC 854) */
			far_say(far, "\xff\xf1");
		far_say(far, text);
	}
	if (then_close)
		far_hang_up(far);
}

static void give_late(struct far *far)
{
	struct far_device *d = far->model;

	/* On a connection that was closed since nobody hears it. */
	if (d->late[0] && d->late_on == far->connections)
		far_say(far, d->late);
	d->late[0] = '\0';
}

/* The channel in "OUTP ON,(@2)", "OUTP? CH2", "SOUR2:VOLT 1"; 0: none; 4 and more: no such one. */
static unsigned channel_of(const char *text)
{
	const char *at = strstr(text, "(@");

	if (at)
		return (unsigned)strtoul(at + 2, NULL, 10);
	at = strstr(text, "CH");
	if (at)
		return (unsigned)strtoul(at + 2, NULL, 10);
	return strncmp(text, "SOUR", 4) ? 0 : (unsigned)strtoul(text + 4, NULL, 10);
}

static void queue_error(struct far_device *d, const char *text)
{
	if (!d->errors[0])
		snprintf(d->errors, sizeof(d->errors), "%s", text);
}

static void scpi_query(struct far *far, const char *text)
{
	struct far_device *d = far->model;
	unsigned channel = channel_of(text);
	char out[200] = "";

	if (channel > 3) {	/* an error answers nothing */
		queue_error(d, "-241,\"Hardware missing\"");
		return;
	}
	if (!strcmp(text, "*IDN?"))
		snprintf(out, sizeof(out), "%s", d->name ? d->name : "ACME,PS-1,0001,1.0");
	else if (!strcmp(text, "SYST:ERR?"))
		snprintf(out, sizeof(out), "%s", d->errors[0] ? d->errors : "+0,\"No error\"");
	else if (!strncmp(text, "OUTP?", 5))
		snprintf(out, sizeof(out), "%u", d->on >> channel & 1);
	else if (strstr(text, "VOLT?"))
		snprintf(out, sizeof(out), "%+.5E",
			 !strstr(text, "MEAS") || d->on >> channel & 1 ?
				 d->volts_mv[channel] / 1e3 : -2e-3);
	else
		queue_error(d, "-113,\"Undefined header\"");
	if (!strcmp(text, "SYST:ERR?") && d->fault != FAR_ENDLESS)
		d->errors[0] = '\0';
	if (out[0])
		answer(far, text, strcat(out, "\n"));
}

static void scpi_command(struct far *far, const char *text)
{
	struct far_device *d = far->model;
	unsigned channel = channel_of(text), bit = 1u << channel;
	const char *volts = strstr(text, "VOLT ");

	if (channel > 3)
		queue_error(d, "-241,\"Hardware missing\"");
	else if (is_about(d, FAR_REFUSE, text))
		queue_error(d, "-221,\"Settings conflict\"");
	else if (d->fault == FAR_STUCK)
		return;
	else if (!strncmp(text, "OUTP", 4) && strstr(text, "ON"))
		d->on |= bit;
	else if (!strncmp(text, "OUTP", 4) && strstr(text, "OFF"))
		d->on &= ~bit;
	else if (volts && strtod(volts + 5, NULL) * 1000 > d->limit_mv + 0.5)
		queue_error(d, "-222,\"Data out of range\"");
	else if (volts)
		d->volts_mv[channel] = (unsigned)(strtod(volts + 5, NULL) * 1000 + 0.5);
	else
		queue_error(d, "-113,\"Undefined header\"");
}

static void scpi_line(struct far *far, char *text)
{
	struct far_device *d = far->model;

	d->commands++;
	if (d->fault == FAR_ENDLESS)
		queue_error(d, "-350,\"Queue overflow\"");
	give_late(far);
	if (is_about(d, FAR_CLOSE, text))
		far_hang_up(far);
	else if (strchr(text, '?'))
		scpi_query(far, text);
	else
		scpi_command(far, text);
}

void far_scpi(struct far *far, const uint8_t *bytes, size_t nr_bytes)
{
	struct far_device *d = far->model;

	far_lines(far, &d->lines, bytes, nr_bytes, scpi_line);
}

/* --- Quarch: echo, answer, prompt ------------------------------------------------------------- */

static const char *quarch_switch(struct far_device *d, const char *command, unsigned port)
{
	unsigned bit = 1u << port;

	if (!strncasecmp(command, "signal:all:source 7", 19)) {
		if (d->rails)
			return "FAIL: 0x12 -Unknown command";
		strncat(d->order, "source 7;", sizeof(d->order) - strlen(d->order) - 1);
		return "OK";
	}
	if (strncasecmp(command, "run:power up", 12) && strncasecmp(command, "run:power down", 14))
		return "FAIL: 0x12 -Unknown command";
	strncat(d->order, command[10] == 'u' ? "up;" : "down;",
		sizeof(d->order) - strlen(d->order) - 1);
	if (d->fault != FAR_STUCK)
		d->on = command[10] == 'u' ? d->on | bit : d->on & ~bit;
	return "OK";
}

static void quarch_line(struct far *far, char *text)
{
	struct far_device *d = far->model;
	const char *at = strchr(text, '<'), *out;
	unsigned port = at ? (unsigned)strtoul(at + 1, NULL, 10) : 0;
	char whole[600];

	d->commands++;
	give_late(far);
	if (is_about(d, FAR_CLOSE, text)) {
		far_hang_up(far);
		return;
	}
	if (port > 3)
		out = "FAIL: 0x3A -No module at that address";
	else if (is_about(d, FAR_REFUSE, text))
		out = "FAIL: 0x21 -Fixture is not there";
	else if (!strncasecmp(text, "*idn?", 5))
		out = d->name ? d->name : "Family: Torridon System\r\nName: Drive module";
	else if (!strncasecmp(text, "run:power?", 10))
		out = d->rails ? (d->on >> port & 1 ? "ON" : "OFF") :
				 (d->on >> port & 1 ? "PLUGGED" : "PULLED");
	else
		out = quarch_switch(d, text, port);
	if (is_about(d, FAR_ENDLESS, text))
		for (unsigned i = 0; i < 40; i++)
			far_say(far, "and so on, and so on, and so on, and so on, ");
	snprintf(whole, sizeof(whole), "%s\r\n", text);
	far_say(far, whole);
	snprintf(whole, sizeof(whole), "%s\r\n>", out);
	answer(far, text, whole);
}

void far_quarch(struct far *far, const uint8_t *bytes, size_t nr_bytes)
{
	struct far_device *d = far->model;

	if (d->telnet == 1) {	/* WILL ECHO, DO NAWS, a sub-negotiation, a banner */
		far_say(far, "\xff\xfb\x01\xff\xfd\x1f\xff\xfa\x18\x01\xff\xf0Quarch\r\n>");
		d->telnet = 2;
	}
	for (size_t i = 0; i < nr_bytes; i++) {
		static const uint8_t refusals[2][3] = { { 255, 254, 1 }, { 255, 252, 31 } };

		for (unsigned r = 0; r < 2; r++)
			if (i + 3 <= nr_bytes && !memcmp(bytes + i, refusals[r], 3))
				d->telnet += 10;
		if (bytes[i] == 255)
			i += 2;
		else
			far_lines(far, &d->lines, bytes + i, 1, quarch_line);
	}
}
