/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing text, and quoting for JSON and XML. */
#ifndef NVP_BASE_TEXT_H
#define NVP_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Zero-initialised is an empty text. `text` is NULL or NUL-terminated and owned by the object
 * until nvp_text_free. When memory runs out the object remembers it (`failed`), drops further
 * additions and stays valid: check once at the end.
 */
struct nvp_text {
	char *text;
	size_t length;
	size_t capacity;
	bool failed;
};

void nvp_text_free(struct nvp_text *t);
void nvp_text_clear(struct nvp_text *t);		/* keeps the memory */
const char *nvp_text_str(const struct nvp_text *t);	/* never NULL */
void nvp_text_add(struct nvp_text *t, const char *string);
void nvp_text_add_n(struct nvp_text *t, const char *bytes, size_t nr_bytes);
void nvp_text_addf(struct nvp_text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void nvp_text_addv(struct nvp_text *t, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/*
 * JSON pieces, written in order; the caller writes no commas: nvp_json_* puts one before any
 * member that follows another. key NULL inside an array. Strings need not be valid UTF-8 (bad
 * bytes become U+FFFD).
 */
void nvp_json_begin(struct nvp_text *t, const char *key, char open);	/* '{' or '[' */
void nvp_json_end(struct nvp_text *t, char close);			/* '}' or ']' */
void nvp_json_string(struct nvp_text *t, const char *key, const char *value); /* NULL: null */
void nvp_json_u64(struct nvp_text *t, const char *key, uint64_t value);	/* a number: only below 2^53 */
void nvp_json_i64(struct nvp_text *t, const char *key, int64_t value);
void nvp_json_bool(struct nvp_text *t, const char *key, bool value);
void nvp_json_double(struct nvp_text *t, const char *key, double value); /* NaN, infinity: null */
void nvp_json_big(struct nvp_text *t, const char *key, uint64_t value);	/* decimal string */
void nvp_json_hex(struct nvp_text *t, const char *key, uint64_t value);	/* "0x.." string */
void nvp_json_raw(struct nvp_text *t, const char *key, const char *json);

/* The string as JSON with its quotes. */
void nvp_text_add_json(struct nvp_text *t, const char *string);
/* The string for XML content or attributes; characters that XML 1.0 forbids become U+FFFD. */
void nvp_text_add_xml(struct nvp_text *t, const char *string);

/*
 * One character of a NUL-terminated string: its code, and how many bytes it takes (0 at the end).
 * A byte that is no part of well-formed UTF-8 gives NVP_UTF8_BAD and 1.
 */
#define NVP_UTF8_BAD UINT32_MAX
size_t nvp_utf8_step(const char *string, uint32_t *code);

/* 16 bytes, little-endian, as an exact decimal number; text holds at least 40 bytes. */
const char *nvp_u128_text(const uint8_t bytes[16], char *text);

/* bytes bytes of drive-supplied ASCII to a NUL-terminated string: trailing spaces and NULs cut,
 * anything outside 20h-7Eh shown as '?'; text holds at least nr_bytes + 1. */
const char *nvp_ascii_text(const void *bytes, size_t nr_bytes, char *text);

#endif
