// SPDX-License-Identifier: GPL-2.0-or-later
// What every field table can do: find, get, put, and print a field as text or JSON.

#include "core/nvme/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"

#define FIRST_INEXACT_BIT 53	/* wider numbers are decimal strings in JSON (DESIGN, "Events") */

const struct nvp_field *nvp_field_find(const struct nvp_field_table *table, const char *key)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		if (!strcmp(table->rows[i].key, key))
			return &table->rows[i];
	return NULL;
}

/* A wrong key is a mistake in our own sources: stop where it was made. */
static const struct nvp_field *must_find(const struct nvp_field_table *table, const char *key,
					 size_t most_bytes)
{
	const struct nvp_field *field = nvp_field_find(table, key);

	if (!field || field->bytes > most_bytes) {
		fprintf(stderr, "nvproof: bug: field table %s: no %s field '%s'\n", table->name,
			most_bytes <= 8 ? "number" : "text", key);
		abort();
	}
	return field;
}

static unsigned width_of(const struct nvp_field *field)
{
	return field->width_bits ? field->width_bits : 8u * field->bytes;
}

static uint64_t number_of(const struct nvp_field *field, const uint8_t *structure)
{
	uint64_t value = nvp_le_n(structure + field->offset, field->bytes);

	return nvp_bits(value, field->low_bit, width_of(field));
}

uint64_t nvp_field_get(const struct nvp_field_table *table, const void *bytes, const char *key)
{
	return number_of(must_find(table, key, 8), bytes);
}

void nvp_field_put(const struct nvp_field_table *table, void *bytes, const char *key,
		   uint64_t value)
{
	const struct nvp_field *field = must_find(table, key, 8);
	uint8_t *at = (uint8_t *)bytes + field->offset;
	uint64_t mask = nvp_bits(UINT64_MAX, 0, width_of(field)) << field->low_bit;
	uint64_t old = nvp_le_n(at, field->bytes);

	nvp_put_le_n(at, field->bytes, (old & ~mask) | (value << field->low_bit & mask));
}

void nvp_field_put_text(const struct nvp_field_table *table, void *bytes, const char *key,
			const char *text)
{
	const struct nvp_field *field = must_find(table, key, SIZE_MAX);
	uint8_t *at = (uint8_t *)bytes + field->offset;
	size_t length = strnlen(text, field->bytes);

	memset(at, field->format == NVP_FIELD_ASCII ? ' ' : 0, field->bytes);
	memcpy(at, text, length);
}

static bool all_zero(const struct nvp_field *field, const uint8_t *structure)
{
	if (field->width_bits)
		return number_of(field, structure) == 0;
	return nvp_all_zero(structure + field->offset, field->bytes);
}

/* A string that ends at its first NUL or at the end of the field; printable or '?'. */
static void add_nul_text(const struct nvp_field *field, const uint8_t *at, char *text)
{
	nvp_ascii_text(at, strnlen((const char *)at, field->bytes), text);
}

static void hex_digits(const uint8_t *at, size_t nr_bytes, char *text)
{
	for (size_t i = 0; i < nr_bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", at[i]);
}

/* The value of a field that is no plain number as words; text holds 1025 bytes. */
static void words_of(const struct nvp_field *field, const uint8_t *structure, char *text)
{
	const uint8_t *at = structure + field->offset;
	uint64_t value;

	switch (field->format) {
	case NVP_FIELD_ASCII:
		nvp_ascii_text(at, field->bytes, text);
		return;
	case NVP_FIELD_NUL:
		add_nul_text(field, at, text);
		return;
	case NVP_FIELD_U128:
		nvp_u128_text(at, text);
		return;
	case NVP_FIELD_VERSION:
		value = number_of(field, structure);
		sprintf(text, "%u.%u.%u", (unsigned)(value >> 16), (unsigned)(value >> 8 & 0xff),
			(unsigned)(value & 0xff));
		return;
	default:
		hex_digits(at, field->bytes, text);
		return;
	}
}

static bool is_number(const struct nvp_field *field)
{
	return field->format == NVP_FIELD_DEC || field->format == NVP_FIELD_HEX ||
	       field->format == NVP_FIELD_KELVIN || field->format == NVP_FIELD_FLAG;
}

static void add_number_text(const struct nvp_field *field, uint64_t value, struct nvp_text *out)
{
	if (field->format == NVP_FIELD_HEX)
		nvp_text_addf(out, "0x%" PRIx64, value);
	else if (field->format == NVP_FIELD_FLAG)
		nvp_text_add(out, value ? "yes" : "no");
	else if (field->format == NVP_FIELD_KELVIN)
		nvp_text_addf(out, "%" PRIu64 " K (%" PRId64 " C)", value, (int64_t)value - 273);
	else
		nvp_text_addf(out, "%" PRIu64, value);
}

static void add_text_line(const struct nvp_field *field, const uint8_t *structure,
			  struct nvp_text *out)
{
	char text[2 * 512 + 1];

	nvp_text_addf(out, "%s%-*s : ", field->width_bits ? "  " : "", field->width_bits ? 46 : 48,
		      field->title);
	if (field->zero_means_absent && all_zero(field, structure)) {
		nvp_text_add(out, "not reported\n");
		return;
	}
	if (is_number(field)) {
		add_number_text(field, number_of(field, structure), out);
	} else {
		words_of(field, structure, text);
		nvp_text_add(out, text);
	}
	if (field->unit)
		nvp_text_addf(out, " %s%s", strchr("0123456789", field->unit[0]) ? "x " : "",
			      field->unit);
	nvp_text_add(out, "\n");
}

static void add_json_member(const struct nvp_field *field, const uint8_t *structure,
			    struct nvp_text *out)
{
	char text[2 * 512 + 1];
	uint64_t value;

	if (field->zero_means_absent && all_zero(field, structure)) {
		nvp_json_raw(out, field->key, "null");
		return;
	}
	if (!is_number(field)) {
		words_of(field, structure, text);
		nvp_json_string(out, field->key, text);
		return;
	}
	value = number_of(field, structure);
	if (field->format == NVP_FIELD_FLAG)
		nvp_json_bool(out, field->key, value != 0);
	else if (field->format == NVP_FIELD_HEX)
		nvp_json_hex(out, field->key, value);
	else if (width_of(field) > FIRST_INEXACT_BIT)
		nvp_json_big(out, field->key, value);
	else
		nvp_json_u64(out, field->key, value);
}

static bool is_inside(const struct nvp_field *field, size_t nr_bytes)
{
	return (size_t)field->offset + field->bytes <= nr_bytes;
}

void nvp_fields_text(const struct nvp_field_table *table, const void *bytes, size_t nr_bytes,
		     struct nvp_text *out)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		if (is_inside(&table->rows[i], nr_bytes))
			add_text_line(&table->rows[i], bytes, out);
}

void nvp_fields_json(const struct nvp_field_table *table, const void *bytes, size_t nr_bytes,
		     struct nvp_text *out)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		if (is_inside(&table->rows[i], nr_bytes))
			add_json_member(&table->rows[i], bytes, out);
}
