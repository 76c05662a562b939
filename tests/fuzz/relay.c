// SPDX-License-Identifier: GPL-2.0-or-later
// Fuzzes what reads a power device: its line (telnet's options among the text), and its answers.

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "power/relay_line_open.h"
#include "power/relay_quarch.h"
#include "power/relay_scpi.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes);

static void answers(char *text)
{
	int code = 12345, rc;

	rc = nvp_scpi_bool(text);
	if (rc != 0 && rc != 1 && rc != -EPROTO)
		abort();
	rc = nvp_scpi_millivolts(text);
	if (rc < 0 && rc != -EPROTO && rc != -ERANGE)
		abort();
	/* A refusal leaves the code alone. */
	if (nvp_scpi_error(text, &code) ? code != 12345 : code > 99999 || code < -99999)
		abort();
	rc = nvp_quarch_power(text);
	if (rc != 0 && rc != 1 && rc != -EPROTO)
		abort();
	if (nvp_quarch_is_echo(text, "run:power?") && !strcasestr(text, "run:power?"))
		abort();
}

/* The bytes come out as text: never longer than they were, never with the end in it. */
static void line(const uint8_t *input, size_t nr_bytes, char end)
{
	static char text[NVP_LINE_MOST_TEXT];
	struct nvp_line l = { .form = { .scheme = "fuzz", .telnet = true, .deadline_ms = 1000 },
			      .way = NVP_LINE_TCP, .until_ns = UINT64_MAX / 2 };
	size_t out = 0;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends))
		abort();
	l.fd = ends[0];
	if (write(ends[1], input, nr_bytes) != (ssize_t)nr_bytes || shutdown(ends[1], SHUT_WR))
		abort();
	while (!nvp_line_read(&l, end, text, NULL)) {
		out += strlen(text) + 1;
		if (strchr(text, end) || out > nr_bytes)
			abort();
		answers(text);
	}
	if (!l.stale)	/* the end of the connection, or no end in sight */
		abort();
	close(ends[0]);
	close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes)
{
	char *text = malloc(nr_bytes + 1);

	if (!text)
		return 0;
	memcpy(text, input, nr_bytes);
	text[nr_bytes] = '\0';
	answers(text);
	answers(nvp_line_trim(text));
	free(text);
	line(input, nr_bytes, '\n');
	line(input, nr_bytes, '>');
	return 0;
}
