// SPDX-License-Identifier: GPL-2.0-or-later
// The output of a bench power supply, by SCPI over raw TCP or USBTMC.

#include "power/relay_scpi.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/parse.h"
#include "power/relay_line.h"

#define MOST_CHANNELS 99u
#define MOST_ERRORS   32u	/* a queue of errors that does not end is a fault of its own */
#define MOST_MV	      1000000u

struct nvp_scpi {
	struct nvp_line *line;
	char name[128];		/* as the user wrote it */
	char maker[32];		/* first field of *IDN? */
	unsigned channel;	/* 0: the only one */
};

int nvp_scpi_bool(const char *answer)
{
	if (!strcmp(answer, "1") || !strcmp(answer, "+1") || !strcasecmp(answer, "ON"))
		return 1;
	if (!strcmp(answer, "0") || !strcmp(answer, "+0") || !strcasecmp(answer, "OFF"))
		return 0;
	return -EPROTO;
}

int nvp_scpi_millivolts(const char *answer)
{
	double volts;

	if (nvp_parse_double(answer, &volts))
		return -EPROTO;
	/* A supply that is off may measure a little below nothing. */
	if (volts < -1 || volts * 1000 > MOST_MV)
		return -ERANGE;
	return volts < 0 ? 0 : (int)(volts * 1000 + 0.5);
}

int nvp_scpi_error(const char *answer, int *code)
{
	uint64_t number;
	char digits[8];
	size_t n = strcspn(answer, ",");
	bool negative = answer[0] == '-', sign = negative || answer[0] == '+';

	if (n <= sign || n >= sizeof(digits))
		return -EPROTO;
	snprintf(digits, sizeof(digits), "%.*s", (int)(n - sign), answer + sign);
	if (nvp_parse_u64_range(digits, 0, 99999, &number))
		return -EPROTO;
	*code = negative ? -(int)number : (int)number;
	return 0;
}

/* One command or query, with the end of a message. */
static int say(struct nvp_scpi *s, const char *text, struct nvp_err *err)
{
	char message[128];
	int n = snprintf(message, sizeof(message), "%s\n", text);

	return nvp_line_send(s->line, message, (size_t)n, err);
}

/* A query and its answer, without spaces round it. answer holds NVP_LINE_MOST_TEXT bytes. */
static int ask(struct nvp_scpi *s, const char *query, char *answer, struct nvp_err *err)
{
	int rc = say(s, query, err);

	if (!rc)
		rc = nvp_line_read(s->line, '\n', answer, err);
	if (!rc)
		memmove(answer, nvp_line_trim(answer), strlen(nvp_line_trim(answer)) + 1);
	return rc;
}

static int no_sense(struct nvp_scpi *s, int code, const char *query, const char *expected,
		    const char *answer, struct nvp_err *err)
{
	nvp_line_distrust(s->line);
	nvp_err_set(err, NVP_ERR_BROKEN, code, "relay scpi:%s: the answer to %s makes no sense",
		    s->name, query);
	nvp_err_expected(err, "%s", expected);
	nvp_err_seen(err, "\"%.80s\"", answer);
	nvp_err_advice(err, "is it a SCPI power supply, that port, that channel?");
	return code;
}

/*
 * Empty the queue of errors; the first one of it is the answer to what was just asked for. With
 * doing NULL they are old ones, and forgotten.
 */
static int drain_errors(struct nvp_scpi *s, const char *doing, struct nvp_err *err)
{
	char answer[NVP_LINE_MOST_TEXT], first[100] = "";
	int code;

	for (unsigned i = 0; i < MOST_ERRORS; i++) {
		int rc = ask(s, "SYST:ERR?", answer, err);

		if (rc)
			return rc;
		if (nvp_scpi_error(answer, &code))
			return no_sense(s, -EPROTO, "SYST:ERR?", "0,\"No error\" or another",
					answer, err);
		if (!code)
			break;
		if (!first[0])
			snprintf(first, sizeof(first), "%.99s", answer);
		if (i == MOST_ERRORS - 1)
			return no_sense(s, -EPROTO, "SYST:ERR?", "an end of the errors", answer,
					err);
	}
	if (!doing || !first[0])
		return 0;
	nvp_err_set(err, NVP_ERR_BROKEN, -EREMOTEIO, "relay scpi:%s: \"%s\" was refused", s->name,
		    doing);
	nvp_err_seen(err, "%s", first);
	nvp_err_advice(err, "is it that channel, is it locked or in protection? see its display");
	return -EREMOTEIO;
}

/*
 * The command of this supply for its channel: SCPI's channel list is what most take; Rigol's take
 * the name of the channel before the value.
 */
static const char *output(const struct nvp_scpi *s, const char *value, char *text, size_t bytes)
{
	const char *query = value ? "" : "?";

	if (!value)
		value = "";
	if (!s->channel)
		snprintf(text, bytes, "OUTP%s%s%s", query, *value ? " " : "", value);
	else if (!strncasecmp(s->maker, "RIGOL", 5))
		snprintf(text, bytes, "OUTP%s CH%u%s%s", query, s->channel, *value ? "," : "",
			 value);
	else
		snprintf(text, bytes, "OUTP%s %s%s(@%u)", query, value, *value ? "," : "",
			 s->channel);
	return text;
}

static int read_state(struct nvp_scpi *s, struct nvp_err *err)
{
	char query[48], answer[NVP_LINE_MOST_TEXT];
	int rc = ask(s, output(s, NULL, query, sizeof(query)), answer, err);

	if (rc)
		return rc;
	rc = nvp_scpi_bool(answer);
	return rc < 0 ? no_sense(s, rc, query, "1 or 0", answer, err) : rc;
}

/* Who are you: four fields with commas between (IEEE 488.2, 10.14). */
static int greet(struct nvp_scpi *s, struct nvp_err *err)
{
	char answer[NVP_LINE_MOST_TEXT];
	int rc = nvp_line_begin(s->line, err);

	if (!rc)
		rc = ask(s, "*IDN?", answer, err);
	if (rc)
		return rc;
	if (!strchr(answer, ','))
		return no_sense(s, -EPROTO, "*IDN?", "MAKER,MODEL,SERIAL,VERSION", answer, err);
	snprintf(s->maker, sizeof(s->maker), "%.*s", (int)strcspn(answer, ","), answer);
	rc = drain_errors(s, NULL, err);
	if (!rc)
		rc = read_state(s, err);
	return rc < 0 ? rc : 0;
}

static void close_it(void *device)
{
	struct nvp_scpi *s = device;

	nvp_line_close(s->line);
	free(s);
}

struct nvp_scpi *nvp_scpi_open(const char *address, uint32_t deadline_ms, struct nvp_err *err)
{
	const struct nvp_line_form form = { .scheme = "scpi", .tcp = true,
					    .deadline_ms = deadline_ms };
	struct nvp_scpi *s = calloc(1, sizeof(*s));
	char place[128];

	if (!s) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "relay scpi:%s", address);
		return NULL;
	}
	snprintf(s->name, sizeof(s->name), "%s", address);
	if (!nvp_line_channel("scpi", address, MOST_CHANNELS, place, sizeof(place), &s->channel,
			      err))
		s->line = nvp_line_open(place, &form, err);
	if (!s->line || greet(s, err)) {
		close_it(s);
		return NULL;
	}
	return s;
}

void nvp_scpi_deadline(struct nvp_scpi *s, uint32_t deadline_ms)
{
	nvp_line_deadline(s->line, deadline_ms);
}

static void *open_it(const char *address, struct nvp_err *err)
{
	return nvp_scpi_open(address, 0, err);
}

/* The command, and then its errors: an empty queue says that it was taken. */
static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	struct nvp_scpi *s = device;
	char command[48];
	int rc = nvp_line_begin(s->line, err);

	output(s, action == NVP_POWER_ON ? "ON" : "OFF", command, sizeof(command));
	if (!rc)
		rc = say(s, command, err);
	return rc ? rc : drain_errors(s, command, err);
}

static int state(void *device, struct nvp_err *err)
{
	struct nvp_scpi *s = device;
	int rc = nvp_line_begin(s->line, err);

	return rc ? rc : read_state(s, err);
}

/* "VOLT" and "MEAS:VOLT?" with the channel where this supply wants it; volts may be NULL. */
static void voltage(const struct nvp_scpi *s, const char *head, const char *volts, char *text,
		    size_t bytes)
{
	bool rigol = !strncasecmp(s->maker, "RIGOL", 5);

	if (!volts)
		volts = "";
	if (!s->channel)
		snprintf(text, bytes, "%s%s%s", head, *volts ? " " : "", volts);
	else if (rigol && !strncmp(head, "VOLT", 4))
		snprintf(text, bytes, "SOUR%u:%s%s%s", s->channel, head, *volts ? " " : "", volts);
	else if (rigol)
		snprintf(text, bytes, "%s CH%u", head, s->channel);
	else
		snprintf(text, bytes, "%s %s%s(@%u)", head, volts, *volts ? "," : "", s->channel);
}

static int read_volts(struct nvp_scpi *s, const char *head, struct nvp_err *err)
{
	char query[48], answer[NVP_LINE_MOST_TEXT];
	int rc;

	voltage(s, head, NULL, query, sizeof(query));
	rc = ask(s, query, answer, err);
	if (rc)
		return rc;
	rc = nvp_scpi_millivolts(answer);
	return rc < 0 ? no_sense(s, rc, query, "volts", answer, err) : rc;
}

static int millivolts(void *device, struct nvp_err *err)
{
	struct nvp_scpi *s = device;
	int rc = nvp_line_begin(s->line, err);

	return rc ? rc : read_volts(s, "MEAS:VOLT?", err);
}

static int set_millivolts(void *device, uint32_t mv, struct nvp_err *err)
{
	/* Supplies round to their step, 20 mV for the coarse ones; more is another voltage. */
	const int round_mv = 20;
	struct nvp_scpi *s = device;
	char command[48], volts[16];
	int rc;

	if (mv > MOST_MV)
		return nvp_err_set(err, NVP_ERR_USAGE, -ERANGE, "relay scpi:%s: %u mV", s->name,
				   mv);
	snprintf(volts, sizeof(volts), "%u.%03u", mv / 1000, mv % 1000);
	voltage(s, "VOLT", volts, command, sizeof(command));
	rc = nvp_line_begin(s->line, err);
	if (!rc)
		rc = say(s, command, err);
	if (!rc)
		rc = drain_errors(s, command, err);
	if (!rc)
		rc = read_volts(s, "VOLT?", err);
	if (rc < 0)
		return rc;
	if (abs(rc - (int)mv) <= round_mv)
		return 0;
	nvp_err_set(err, NVP_ERR_BROKEN, -ERANGE, "relay scpi:%s: the voltage was not taken",
		    s->name);
	nvp_err_expected(err, "%u mV", mv);
	nvp_err_seen(err, "%d mV", rc);
	nvp_err_advice(err, "is there a limit set in the supply?");
	return -ERANGE;
}

const struct nvp_relay_ops nvp_relay_scpi = {
	.scheme = "scpi",
	.help = "scpi:HOST:PORT[/CHANNEL], scpi:/dev/usbtmc0   the output of a bench power supply",
	.open = open_it,
	.close = close_it,
	.set = set,
	.state = state,
	.set_millivolts = set_millivolts,
	.millivolts = millivolts,
};
