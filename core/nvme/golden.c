// SPDX-License-Identifier: GPL-2.0-or-later
// Golden Identify files: the items of each structure, and how they are written.

#include "core/nvme/golden.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/grow.h"

#define PIECE_BYTES 100		/* of a value on one line: inih cuts lines at 200 */
#define GAP_BYTES 16

const struct nvp_golden_kind nvp_golden_kinds[] = {
	{ .name = "controller", .cns = 0x01, .table = &nvp_fields_id_ctrl,
	  .element = &nvp_fields_power_state, .element_name = "psd", .elements_at = 2048,
	  .nr_elements = 32 },
	{ .name = "controller_nvm", .cns = 0x06, .table = &nvp_fields_id_ctrl_nvm },
	{ .name = "command_sets", .cns = 0x1c },
	{ .name = "active_namespaces", .cns = 0x02 },
	{ .name = "namespace", .cns = 0x00, .per_namespace = true, .table = &nvp_fields_id_ns,
	  .element = &nvp_fields_lba_format, .element_name = "lbaf", .elements_at = 128,
	  .nr_elements = 64 },
	{ .name = "namespace_independent", .cns = 0x08, .per_namespace = true,
	  .table = &nvp_fields_id_ns_independent },
	{ .name = "namespace_nvm", .cns = 0x05, .per_namespace = true },
	{ .name = NULL }
};

/* What is another on each drive of one model, or changes while it works. */
static const char *const default_masks[] = {
	"controller.sn", "controller.fr", "controller.subnqn", "controller.fguid",
	"controller.unvmcap", "namespace.*.nuse", "namespace.*.nguid", "namespace.*.eui64",
};

/* ---- items ---- */

struct items {
	struct nvp_golden_item *item;
	size_t nr, room;
	uint8_t covered[NVP_GOLDEN_BYTES];	/* bits of each byte that an item has */
	bool failed;
};

static struct nvp_golden_item *add_item(struct items *s, uint16_t offset, uint16_t bytes,
					uint8_t low_bit, uint8_t width_bits)
{
	unsigned end = width_bits ? low_bit + (unsigned)width_bits : 8u * bytes;

	struct nvp_golden_item *item;

	if (!nvp_grow((void **)&s->item, s->nr, &s->room, sizeof(*s->item))) {
		s->failed = true;
		return NULL;
	}
	item = &s->item[s->nr++];
	*item = (struct nvp_golden_item){ .offset = offset, .bytes = bytes, .low_bit = low_bit,
					  .width_bits = width_bits };
	for (unsigned bit = low_bit; bit < end; bit++)
		s->covered[offset + bit / 8] |= (uint8_t)(1 << bit % 8);
	return item;
}

/* Is this part of a value that stands there as a whole? */
static bool is_repeated(const struct nvp_field_table *table, const struct nvp_field *field)
{
	for (size_t i = 0; field->width_bits && i < table->nr_rows; i++) {
		const struct nvp_field *other = &table->rows[i];

		if (!other->width_bits && other->offset <= field->offset &&
		    other->offset + other->bytes >= field->offset + field->bytes)
			return true;
	}
	return false;
}

static void add_table(struct items *s, const struct nvp_field_table *table, uint16_t at,
		      const char *element)
{
	for (size_t i = 0; i < table->nr_rows; i++) {
		const struct nvp_field *field = &table->rows[i];
		struct nvp_golden_item *item;

		if (is_repeated(table, field))
			continue;
		item = add_item(s, (uint16_t)(at + field->offset), field->bytes, field->low_bit,
				field->width_bits);
		if (!item)
			return;
		item->format = field->format;
		item->only_if_set = element != NULL;
		snprintf(item->name, sizeof(item->name), "%s%s%s", element ? element : "",
			 element ? "." : "", field->key);
	}
}

/* Bits without a name in bytes where others have one. */
static void add_bits(struct items *s, unsigned offset)
{
	for (unsigned bit = 0; bit < 8;) {
		unsigned low = bit;
		struct nvp_golden_item *item;

		while (bit < 8 && !(s->covered[offset] >> bit & 1))
			bit++;
		if (bit == low) {
			bit++;
			continue;
		}
		item = add_item(s, (uint16_t)offset, 1, (uint8_t)low, (uint8_t)(bit - low));
		if (!item)
			return;
		item->format = NVP_FIELD_HEX;
		item->only_if_set = true;
		snprintf(item->name, sizeof(item->name), "byte_%u_bit_%u", offset, low);
	}
}

/* Bytes without a name, up to 16 of them at a time. */
static void add_gaps(struct items *s)
{
	for (unsigned i = 0; i < NVP_GOLDEN_BYTES;) {
		unsigned end = i;
		struct nvp_golden_item *item;

		while (end < NVP_GOLDEN_BYTES && !s->covered[end] &&
		       end / GAP_BYTES == i / GAP_BYTES)
			end++;
		if (end == i) {
			add_bits(s, i++);
			continue;
		}
		item = add_item(s, (uint16_t)i, (uint16_t)(end - i), 0, 0);
		if (!item)
			return;
		item->format = NVP_FIELD_BYTES;
		item->only_if_set = true;
		snprintf(item->name, sizeof(item->name), "bytes_%u", i);
		i = end;
	}
}

int nvp_golden_items(const struct nvp_golden_kind *kind, struct nvp_golden_item **items,
		     size_t *nr)
{
	struct items *s = calloc(1, sizeof(*s));
	int rc;

	*items = NULL;
	*nr = 0;
	if (!s)
		return -ENOMEM;
	if (kind->table)
		add_table(s, kind->table, 0, NULL);
	for (unsigned i = 0; kind->element && i < kind->nr_elements; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%.12s%u", kind->element_name, i);
		add_table(s, kind->element,
			  (uint16_t)(kind->elements_at + i * kind->element->bytes), name);
	}
	add_gaps(s);
	rc = s->failed ? -ENOMEM : 0;
	if (rc)
		free(s->item);
	else
		*items = s->item, *nr = s->nr;
	free(s);
	return rc;
}

/* ---- values ---- */

bool nvp_golden_item_is_number(const struct nvp_golden_item *item)
{
	return item->format != NVP_FIELD_ASCII && item->format != NVP_FIELD_NUL &&
	       item->format != NVP_FIELD_U128 && item->format != NVP_FIELD_BYTES;
}

static uint64_t number_of(const struct nvp_golden_item *item, const uint8_t *structure)
{
	return nvp_bits(nvp_le_n(structure + item->offset, item->bytes), item->low_bit,
			item->width_bits ? item->width_bits : 8u * item->bytes);
}

static bool is_zero(const struct nvp_golden_item *item, const uint8_t *structure)
{
	if (nvp_golden_item_is_number(item))
		return number_of(item, structure) == 0;
	return nvp_all_zero(structure + item->offset, item->bytes);
}

/* Letters as they are; what INI files give a meaning, and what cannot be seen, as \xx. */
static void add_escaped(struct nvp_text *out, const uint8_t *at, size_t nr_bytes)
{
	for (size_t i = 0; i < nr_bytes; i++) {
		bool edge = i == 0 || i + 1 == nr_bytes;

		if (at[i] < ' ' || at[i] > '~' || strchr("\\;", at[i]) ||
		    (at[i] == ' ' && edge))
			nvp_text_addf(out, "\\%02x", at[i]);
		else
			nvp_text_addf(out, "%c", at[i]);
	}
}

static size_t text_length(const struct nvp_golden_item *item, const uint8_t *at)
{
	uint8_t pad = item->format == NVP_FIELD_ASCII ? ' ' : 0;
	size_t length = item->bytes;

	while (length && at[length - 1] == pad)
		length--;
	return length;
}

/* Bytes from..from+n of the value. */
static void add_piece(struct nvp_text *out, const struct nvp_golden_item *item,
		      const uint8_t *at, size_t nr_bytes)
{
	if (item->format == NVP_FIELD_ASCII || item->format == NVP_FIELD_NUL) {
		add_escaped(out, at, nr_bytes);
		return;
	}
	for (size_t i = 0; i < nr_bytes; i++)
		nvp_text_addf(out, "%02x", at[i]);
}

static size_t value_length(const struct nvp_golden_item *item, const uint8_t *at)
{
	bool text = item->format == NVP_FIELD_ASCII || item->format == NVP_FIELD_NUL;

	return text ? text_length(item, at) : item->bytes;
}

static void add_number(struct nvp_text *out, const struct nvp_golden_item *item,
		       const uint8_t *structure)
{
	bool hex = item->format == NVP_FIELD_HEX || item->format == NVP_FIELD_VERSION;

	nvp_text_addf(out, hex ? "0x%" PRIx64 : "%" PRIu64, number_of(item, structure));
}

void nvp_golden_value(const struct nvp_golden_item *item, const uint8_t *structure,
		      struct nvp_text *out)
{
	const uint8_t *at = structure + item->offset;

	if (nvp_golden_item_is_number(item))
		add_number(out, item, structure);
	else
		add_piece(out, item, at, value_length(item, at));
}

/* ---- the file ---- */

void nvp_golden_add_head(struct nvp_text *out, const char *model, const char *firmware)
{
	nvp_text_add(out,
		     "# Golden Identify file of nvproof: what a drive said of itself. A later run compares with\n"
		     "# it: nvproof run DRIVE --golden FILE -c identify.matches-golden-file\n"
		     "# Fields named by an ignore line (a glob) are not compared; what has no line here is 0.\n"
		     "# A value that goes on in the next line has its key there again; \\3b is the byte 3Bh.\n\n"
		     "[golden]\n");
	nvp_text_addf(out, "version = %d\nmodel = ", NVP_GOLDEN_VERSION);
	add_escaped(out, (const uint8_t *)model, strlen(model));
	nvp_text_add(out, "\nfirmware = ");
	add_escaped(out, (const uint8_t *)firmware, strlen(firmware));
	nvp_text_add(out, "\n\n[mask]\n");
	for (size_t i = 0; i < NVP_ARRAY_SIZE(default_masks); i++)
		nvp_text_addf(out, "ignore = %s\n", default_masks[i]);
}

static void add_lines(struct nvp_text *out, const struct nvp_golden_item *item,
		      const uint8_t *structure)
{
	const uint8_t *at = structure + item->offset;
	size_t length = value_length(item, at), most = PIECE_BYTES / 4;

	if (nvp_golden_item_is_number(item)) {
		nvp_text_addf(out, "%s = ", item->name);
		add_number(out, item, structure);
		nvp_text_add(out, "\n");
		return;
	}
	for (size_t from = 0; from == 0 || from < length; from += most) {
		size_t rest = length - from;

		/* Most texts need no escapes: as long as one fits, it stays on one line. */
		most = length <= 40 ? 40 : PIECE_BYTES / 4;
		nvp_text_addf(out, "%s = ", item->name);
		add_piece(out, item, at + from, rest < most ? rest : most);
		nvp_text_add(out, "\n");
	}
}

int nvp_golden_add(struct nvp_text *out, const struct nvp_golden_kind *kind, uint32_t nsid,
		   const uint8_t *structure)
{
	struct nvp_golden_item *items;
	size_t nr, written = 0;
	int rc = nvp_golden_items(kind, &items, &nr);

	if (rc)
		return rc;
	nvp_text_addf(out, "\n[%s", kind->name);
	if (kind->per_namespace)
		nvp_text_addf(out, ".%" PRIu32, nsid);
	nvp_text_add(out, "]\n");
	for (size_t i = 0; i < nr; i++) {
		if (items[i].only_if_set && is_zero(&items[i], structure))
			continue;
		add_lines(out, &items[i], structure);
		written++;
	}
	if (!written)	/* a section without a line is none to whoever reads the file */
		add_lines(out, &items[0], structure);
	free(items);
	return out->failed ? -ENOMEM : 0;
}
