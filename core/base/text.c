// SPDX-License-Identifier: GPL-2.0-or-later
// Growing text, XML quoting, and texts of what drives say.

#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"

#define FIRST_CAPACITY 256

void nvp_text_free(struct nvp_text *t)
{
	free(t->text);
	memset(t, 0, sizeof(*t));
}

void nvp_text_clear(struct nvp_text *t)
{
	t->length = 0;
	t->failed = false;
	if (t->text)
		t->text[0] = '\0';
}

const char *nvp_text_str(const struct nvp_text *t)
{
	return t->text ? t->text : "";
}

/* Room for nr_bytes more and the NUL. */
static bool make_room(struct nvp_text *t, size_t nr_bytes)
{
	size_t needed, capacity = t->capacity ? t->capacity : FIRST_CAPACITY;
	char *grown;

	if (t->failed)
		return false;
	if (__builtin_add_overflow(t->length, nr_bytes, &needed) || needed >= SIZE_MAX / 2) {
		t->failed = true;
		return false;
	}
	needed++;
	if (needed <= t->capacity)
		return true;
	while (capacity < needed)
		capacity *= 2;
	grown = realloc(t->text, capacity);
	if (!grown) {
		t->failed = true;
		return false;
	}
	t->text = grown;
	t->capacity = capacity;
	return true;
}

void nvp_text_add_n(struct nvp_text *t, const char *bytes, size_t nr_bytes)
{
	if (!nr_bytes || !make_room(t, nr_bytes))
		return;
	memcpy(t->text + t->length, bytes, nr_bytes);
	t->length += nr_bytes;
	t->text[t->length] = '\0';
}

void nvp_text_add(struct nvp_text *t, const char *string)
{
	nvp_text_add_n(t, string, strlen(string));
}

void nvp_text_addv(struct nvp_text *t, const char *format, va_list args)
{
	va_list again;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0) {
		t->failed = true;
		return;
	}
	if (!make_room(t, (size_t)length))
		return;
	vsnprintf(t->text + t->length, (size_t)length + 1, format, args);
	t->length += (size_t)length;
}

void nvp_text_addf(struct nvp_text *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	nvp_text_addv(t, format, args);
	va_end(args);
}

/* What a lead byte promises: length of the sequence, its first bits, the smallest code for it. */
static size_t utf8_lead(uint8_t lead, uint32_t *bits, uint32_t *least)
{
	if (lead >= 0xc2 && lead <= 0xdf) {
		*bits = lead & 0x1f;
		*least = 0x80;
		return 2;
	}
	if ((lead & 0xf0) == 0xe0) {
		*bits = lead & 0x0f;
		*least = 0x800;
		return 3;
	}
	if (lead >= 0xf0 && lead <= 0xf4) {
		*bits = lead & 0x07;
		*least = 0x10000;
		return 4;
	}
	return 0;
}

size_t nvp_utf8_step(const char *string, uint32_t *code)
{
	const uint8_t *s = (const uint8_t *)string;
	uint32_t bits, least;
	size_t length;

	*code = s[0];
	if (s[0] < 0x80)
		return s[0] ? 1 : 0;
	*code = NVP_UTF8_BAD;
	length = utf8_lead(s[0], &bits, &least);
	if (!length)
		return 1;
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)	/* the NUL at the end stops here too */
			return 1;
		bits = bits << 6 | (s[i] & 0x3f);
	}
	if (bits < least || bits > 0x10ffff || (bits >= 0xd800 && bits <= 0xdfff))
		return 1;
	*code = bits;
	return length;
}

void nvp_text_add_xml(struct nvp_text *t, const char *string)
{
	uint32_t code;
	size_t step;

	for (; (step = nvp_utf8_step(string, &code)) != 0; string += step) {
		if (code == '&')
			nvp_text_add(t, "&amp;");
		else if (code == '<')
			nvp_text_add(t, "&lt;");
		else if (code == '>')
			nvp_text_add(t, "&gt;");
		else if (code == '"')
			nvp_text_add(t, "&quot;");
		else if (code == '\'')
			nvp_text_add(t, "&apos;");
		else if (code == '\t' || code == '\n' || code == '\r')
			nvp_text_addf(t, "&#%u;", (unsigned)code);	/* attributes keep it so */
		else if (code < 0x20 || code == NVP_UTF8_BAD || code == 0xfffe || code == 0xffff)
			nvp_text_add(t, "\xef\xbf\xbd");
		else
			nvp_text_add_n(t, string, step);
	}
}

const char *nvp_u128_text(const uint8_t bytes[16], char *text)
{
	uint32_t limb[4];
	char digits[40];
	size_t nr = sizeof(digits);
	bool more = true;

	for (int i = 0; i < 4; i++)
		limb[i] = nvp_le32(bytes + 4 * i);
	digits[--nr] = '\0';
	while (more) {
		uint64_t rest = 0;

		more = false;
		for (int i = 3; i >= 0; i--) {
			rest = rest << 32 | limb[i];
			limb[i] = (uint32_t)(rest / 10);
			rest %= 10;
			more |= limb[i] != 0;
		}
		digits[--nr] = (char)('0' + rest);
	}
	memcpy(text, digits + nr, sizeof(digits) - nr);
	return text;
}

const char *nvp_ascii_text(const void *bytes, size_t nr_bytes, char *text)
{
	const uint8_t *b = bytes;

	while (nr_bytes && (b[nr_bytes - 1] == ' ' || b[nr_bytes - 1] == '\0'))
		nr_bytes--;
	for (size_t i = 0; i < nr_bytes; i++)
		text[i] = (char)(b[i] >= 0x20 && b[i] <= 0x7e ? b[i] : '?');
	text[nr_bytes] = '\0';
	return text;
}
