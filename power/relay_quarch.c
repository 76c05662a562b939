// SPDX-License-Identifier: GPL-2.0-or-later
// A Quarch breaker or power module, by its text commands over a serial port or telnet.
//
// The module echoes a command with a line end, answers, and ends the answer with its prompt '>'.
// What it was told is believed after "OK", and its power after it was asked for it.

#include "power/relay_quarch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "power/relay_line.h"

#define MOST_PORTS	24u	/* of an array controller */
#define BAUD		19200u	/* of a module's serial port, as it leaves the factory */
#define PORT_FRAMED	":9760"	/* frames of its own, not text */

struct nvp_quarch {
	struct nvp_line *line;
	char name[128];		/* as the user wrote it */
	unsigned port;		/* of an array controller; 0: the module itself */
	bool rails_only;	/* a power module: it has rails, no signals to be joined */
};

int nvp_quarch_power(const char *answer)
{
	if (!strcasecmp(answer, "PLUGGED") || !strcasecmp(answer, "ON"))
		return 1;
	if (!strcasecmp(answer, "PULLED") || !strcasecmp(answer, "OFF"))
		return 0;
	return -EPROTO;
}

bool nvp_quarch_is_echo(char *line, const char *command)
{
	char *text = nvp_line_trim(line);

	while (*text == '>' || *text == ' ')
		text++;
	return !strcasecmp(text, command);
}

/* Send, find the echo, take what is between it and the prompt. text: NVP_LINE_MOST_TEXT bytes. */
static int exchange(struct nvp_quarch *q, const char *what, char *text, struct nvp_err *err)
{
	char command[64], message[sizeof(command) + 2];
	int rc;

	if (q->port)
		snprintf(command, sizeof(command), "%s <%u>", what, q->port);
	else
		snprintf(command, sizeof(command), "%s", what);
	snprintf(message, sizeof(message), "%s\r\n", command);
	rc = nvp_line_send(q->line, message, strlen(message), err);
	/* What stands before the echo is a banner, or the late answer to another command. */
	while (!rc) {
		rc = nvp_line_read(q->line, '\n', text, err);
		if (!rc && nvp_quarch_is_echo(text, command))
			break;
	}
	if (!rc)
		rc = nvp_line_read(q->line, '>', text, err);
	if (!rc)
		memmove(text, nvp_line_trim(text), strlen(nvp_line_trim(text)) + 1);
	return rc;
}

static int not_ok(struct nvp_quarch *q, const char *what, const char *expected, const char *text,
		  struct nvp_err *err)
{
	bool failed = !strncasecmp(text, "FAIL", 4);

	if (!failed)
		nvp_line_distrust(q->line);
	nvp_err_set(err, NVP_ERR_BROKEN, failed ? -EREMOTEIO : -EPROTO,
		    "relay quarch:%s: \"%s\" %s", q->name, what,
		    failed ? "was refused" : "got an answer that makes no sense");
	nvp_err_expected(err, "%s", expected);
	nvp_err_seen(err, "\"%.100s\"", text);
	nvp_err_advice(err, failed ? "is it that port, is a fixture or drive in it?" :
				     "is it a Quarch module, is another program using it?");
	return failed ? -EREMOTEIO : -EPROTO;
}

static int command(struct nvp_quarch *q, const char *what, struct nvp_err *err)
{
	char text[NVP_LINE_MOST_TEXT];
	int rc = exchange(q, what, text, err);

	if (rc || !strcmp(text, "OK"))
		return rc;
	return not_ok(q, what, "OK", text, err);
}

static int read_power(struct nvp_quarch *q, bool *rails, struct nvp_err *err)
{
	char text[NVP_LINE_MOST_TEXT];
	int rc = exchange(q, "run:power?", text, err);

	if (rc)
		return rc;
	rc = nvp_quarch_power(text);
	if (rc < 0)
		return not_ok(q, "run:power?", "PLUGGED, PULLED, ON or OFF", text, err);
	if (rails)
		*rails = !strcasecmp(text, "ON") || !strcasecmp(text, "OFF");
	return rc;
}

/* Who are you, which kind, and can all signals go at once? */
static int greet(struct nvp_quarch *q, struct nvp_err *err)
{
	char text[NVP_LINE_MOST_TEXT];
	int rc = nvp_line_begin(q->line, err);

	if (!rc)
		rc = exchange(q, "*IDN?", text, err);
	if (rc)
		return rc;
	if (!text[0] || !strncasecmp(text, "FAIL", 4))
		return not_ok(q, "*IDN?", "the module's name and version", text, err);
	rc = read_power(q, &q->rails_only, err);
	if (rc < 0)
		return rc;
	return q->rails_only ? 0 : command(q, "signal:all:source 7", err);
}

static void close_it(void *device)
{
	struct nvp_quarch *q = device;

	nvp_line_close(q->line);
	free(q);
}

static bool framed(const char *place, struct nvp_err *err)
{
	size_t n = strlen(place), tail = strlen(PORT_FRAMED);

	if (place[0] == '/' || n < tail || strcmp(place + n - tail, PORT_FRAMED))
		return false;
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
		    "relay quarch:%s: that port takes frames, not text", place);
	nvp_err_expected(err, "the telnet port: quarch:%.*s:23", (int)(n - tail), place);
	return true;
}

struct nvp_quarch *nvp_quarch_open(const char *address, uint32_t deadline_ms, struct nvp_err *err)
{
	const struct nvp_line_form form = { .scheme = "quarch", .baud = BAUD, .tcp = true,
					    .telnet = true, .deadline_ms = deadline_ms };
	struct nvp_quarch *q = calloc(1, sizeof(*q));
	struct nvp_err first = { 0 };
	char place[128];

	if (!q) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "relay quarch:%s", address);
		return NULL;
	}
	snprintf(q->name, sizeof(q->name), "%s", address);
	if (!nvp_line_channel("quarch", address, MOST_PORTS, place, sizeof(place), &q->port,
			      err) && !framed(place, err))
		q->line = nvp_line_open(place, &form, err);
	/*
	 * Half a command of whoever spoke to a serial port before is still in the module, and
	 * spoils the first of ours, with its echo: so there is a second greeting.
	 */
	if (q->line && !(greet(q, &first) && greet(q, err)))
		return q;
	close_it(q);
	return NULL;
}

void nvp_quarch_deadline(struct nvp_quarch *q, uint32_t deadline_ms)
{
	nvp_line_deadline(q->line, deadline_ms);
}

static void *open_it(const char *address, struct nvp_err *err)
{
	return nvp_quarch_open(address, 0, err);
}

/*
 * Source 7 is "at once": without it the signals follow their hot-plug delays, and the drive sees
 * an orderly removal. It is said each time, since a module that was restarted has forgotten it.
 */
static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	struct nvp_quarch *q = device;
	int rc = nvp_line_begin(q->line, err);

	if (!rc && !q->rails_only)
		rc = command(q, "signal:all:source 7", err);
	if (!rc)
		rc = command(q, action == NVP_POWER_ON ? "run:power up" : "run:power down", err);
	return rc;
}

static int state(void *device, struct nvp_err *err)
{
	struct nvp_quarch *q = device;
	int rc = nvp_line_begin(q->line, err);

	return rc ? rc : read_power(q, NULL, err);
}

const struct nvp_relay_ops nvp_relay_quarch = {
	.scheme = "quarch",
	.help = "quarch:/dev/ttyUSB0[/PORT], quarch:HOST:23   a Quarch breaker or power module",
	.open = open_it,
	.close = close_it,
	.set = set,
	.state = state,
};
