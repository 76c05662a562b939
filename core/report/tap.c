// SPDX-License-Identifier: GPL-2.0-or-later
// One case as a line of the Test Anything Protocol, version 13.

#include <inttypes.h>
#include <string.h>

#include "core/report/console.h"

/* A description: '#' would begin a directive. */
static void put_words(FILE *out, const char *text)
{
	for (size_t part; text && *text; text += part) {
		char piece[64];

		if (*text == '#') {
			fputs("\\#", out);
			part = 1;
			continue;
		}
		part = strcspn(text, "#");
		part = part < sizeof(piece) - 1 ? part : sizeof(piece) - 1;
		while (part > 1 && ((unsigned char)text[part] & 0xc0) == 0x80)
			part--;		/* never inside a character */
		memcpy(piece, text, part);
		piece[part] = '\0';
		nvp_put_plain(out, piece);
	}
}

static void put_yaml(FILE *out, const char *key, const char *value)
{
	struct nvp_text quoted = { 0 };

	nvp_text_add_json(&quoted, value ? value : "");
	fprintf(out, "  %s: %s\n", key, nvp_text_str(&quoted));
	nvp_text_free(&quoted);
}

void nvp_print_tap(FILE *out, const char *drive, uint64_t number, const struct nvp_case_result *c)
{
	char round[48];
	bool good = c->verdict == NVP_PASS || c->verdict == NVP_SKIP;

	fprintf(out, "%s %" PRIu64 " - ", good ? "ok" : "not ok", number);
	if (drive) {
		put_words(out, drive);
		fputc(' ', out);
	}
	put_words(out, c->id);
	put_words(out, nvp_case_round_text(c, round));
	if (nvp_case_ends_flaky(c))
		put_words(out, " (flaky)");
	if (c->verdict == NVP_SKIP) {
		fputs(" # SKIP ", out);
		put_words(out, c->reason);
	} else if (c->verdict == NVP_FAIL && c->waiver) {
		fputs(" # TODO waived by ", out);	/* TODO: a failure that is not counted */
		put_words(out, c->waiver);
	}
	fputc('\n', out);
	if (good)
		return;
	fputs("  ---\n", out);
	put_yaml(out, "verdict", nvp_verdict_name(c->verdict));
	put_yaml(out, "reason", c->reason);
	for (size_t i = 0; i < c->nr_check; i++) {
		if (c->check[i].ok)
			continue;
		put_yaml(out, "site", c->check[i].site);
		put_yaml(out, "expected", c->check[i].expected);
		put_yaml(out, "seen", c->check[i].seen);
		break;
	}
	fputs("  ...\n", out);
}
