// SPDX-License-Identifier: GPL-2.0-or-later
// JSON pieces written in order into a growing text.

#include "core/base/text.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_INEXACT (UINT64_C(1) << 53)	/* from here on a reader's double rounds */

void nvp_text_add_json(struct nvp_text *t, const char *string)
{
	uint32_t code;
	size_t step;

	nvp_text_add(t, "\"");
	for (; (step = nvp_utf8_step(string, &code)) != 0; string += step) {
		if (code == '"' || code == '\\')
			nvp_text_addf(t, "\\%c", (int)code);
		else if (code == '\n')
			nvp_text_add(t, "\\n");
		else if (code == '\t')
			nvp_text_add(t, "\\t");
		else if (code < 0x20 || code == 0x7f)
			nvp_text_addf(t, "\\u%04x", (unsigned)code);
		else if (code == NVP_UTF8_BAD)
			nvp_text_add(t, "\xef\xbf\xbd");
		else
			nvp_text_add_n(t, string, step);
	}
	nvp_text_add(t, "\"");
}

/* The last byte tells whether this member follows another: no state is kept beside the text. */
static void begin_member(struct nvp_text *t, const char *key)
{
	if (t->length && !strchr("{[:,\n ", t->text[t->length - 1]))
		nvp_text_add(t, ",");
	if (key) {
		nvp_text_add_json(t, key);
		nvp_text_add(t, ":");
	}
}

void nvp_json_begin(struct nvp_text *t, const char *key, char open)
{
	begin_member(t, key);
	nvp_text_add_n(t, &open, 1);
}

void nvp_json_end(struct nvp_text *t, char close)
{
	nvp_text_add_n(t, &close, 1);
}

void nvp_json_raw(struct nvp_text *t, const char *key, const char *json)
{
	begin_member(t, key);
	nvp_text_add(t, json);
}

void nvp_json_string(struct nvp_text *t, const char *key, const char *value)
{
	begin_member(t, key);
	if (value)
		nvp_text_add_json(t, value);
	else
		nvp_text_add(t, "null");
}

void nvp_json_u64(struct nvp_text *t, const char *key, uint64_t value)
{
	if (value >= FIRST_INEXACT) {	/* another type rather than another number */
		nvp_json_big(t, key, value);
		return;
	}
	begin_member(t, key);
	nvp_text_addf(t, "%" PRIu64, value);
}

void nvp_json_i64(struct nvp_text *t, const char *key, int64_t value)
{
	bool exact = value > -(int64_t)FIRST_INEXACT && value < (int64_t)FIRST_INEXACT;

	begin_member(t, key);
	nvp_text_addf(t, exact ? "%" PRId64 : "\"%" PRId64 "\"", value);
}

void nvp_json_bool(struct nvp_text *t, const char *key, bool value)
{
	nvp_json_raw(t, key, value ? "true" : "false");
}

void nvp_json_double(struct nvp_text *t, const char *key, double value)
{
	locale_t c, old;
	char text[40];

	if (!isfinite(value)) {
		nvp_json_raw(t, key, "null");
		return;
	}
	c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	old = uselocale(c);
	for (int digits = 15; digits <= 17; digits++) {	/* the shortest that reads back the same */
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	uselocale(old);
	freelocale(c);
	nvp_json_raw(t, key, text);
}

void nvp_json_big(struct nvp_text *t, const char *key, uint64_t value)
{
	begin_member(t, key);
	nvp_text_addf(t, "\"%" PRIu64 "\"", value);
}

void nvp_json_hex(struct nvp_text *t, const char *key, uint64_t value)
{
	begin_member(t, key);
	nvp_text_addf(t, "\"0x%" PRIx64 "\"", value);
}
