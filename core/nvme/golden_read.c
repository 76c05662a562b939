// SPDX-License-Identifier: GPL-2.0-or-later
// Golden Identify files: from the file back to the bytes of each structure, and comparing.

#include <nvproof/golden.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/err.h>

#include "core/base/bits.h"
#include "core/base/grow.h"
#include "core/base/ini.h"
#include "core/base/parse.h"
#include "core/nvme/golden.h"

struct structure {
	struct nvp_golden_structure shown;
	char name[48];
	const struct nvp_golden_kind *kind;
	struct nvp_golden_item *items;
	size_t nr_items;
	size_t *taken;		/* by item: bytes of its value so far; SIZE_MAX: none yet */
	uint8_t bytes[NVP_GOLDEN_BYTES];
};

struct nvp_golden {
	char model[44], firmware[12];
	uint64_t version;
	char **masks;
	size_t nr_masks, room_masks;
	struct structure **structures;
	size_t nr_structures, room_structures;
};

static int bad(const struct nvp_ini_entry *e, struct nvp_err *err, const char *why)
{
	return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s:%u: %.60s: %s", e->path, e->line,
			   e->key, why);
}

static int no_memory(struct nvp_err *err)
{
	return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the golden file");
}

/* ---- values ---- */

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Two hex digits at text, or -1. */
static int hex_byte(const char *text)
{
	int high = hex_digit(text[0]), low = high < 0 ? -1 : hex_digit(text[1]);

	return low < 0 ? -1 : high << 4 | low;
}

/* Undo \xx; the number of bytes, or -1 when there are more than room or an escape is wrong. */
static long unescape(const char *text, uint8_t *out, size_t room)
{
	size_t nr = 0;

	while (*text) {
		int byte = *text == '\\' ? hex_byte(text + 1) : (unsigned char)*text;

		if (byte < 0 || nr == room)
			return -1;
		out[nr++] = (uint8_t)byte;
		text += *text == '\\' ? 3 : 1;
	}
	return (long)nr;
}

static long from_hex(const char *text, uint8_t *out, size_t room)
{
	size_t nr = 0;

	for (; *text; text += 2) {
		int byte = hex_byte(text);

		if (byte < 0 || nr == room)
			return -1;
		out[nr++] = (uint8_t)byte;
	}
	return (long)nr;
}

static int put_number(struct structure *s, const struct nvp_golden_item *item,
		      const struct nvp_ini_entry *e, struct nvp_err *err)
{
	unsigned width = item->width_bits ? item->width_bits : 8u * item->bytes;
	uint64_t most = nvp_bits(UINT64_MAX, 0, width), value, old;
	uint8_t *at = s->bytes + item->offset;

	if (nvp_parse_u64_range(e->value, 0, most, &value))
		return bad(e, err, "no number that this field can hold");
	old = nvp_le_n(at, item->bytes);
	nvp_put_le_n(at, item->bytes, (old & ~(most << item->low_bit)) | value << item->low_bit);
	return 0;
}

/* Text or bytes: the first line fills the field with its padding, further ones go on. */
static int put_bytes(struct structure *s, size_t i, const struct nvp_ini_entry *e,
		     struct nvp_err *err)
{
	const struct nvp_golden_item *item = &s->items[i];
	bool text = item->format == NVP_FIELD_ASCII || item->format == NVP_FIELD_NUL;
	uint8_t *at = s->bytes + item->offset;
	long nr;

	if (s->taken[i] == SIZE_MAX) {
		memset(at, item->format == NVP_FIELD_ASCII ? ' ' : 0, item->bytes);
		s->taken[i] = 0;
	}
	nr = (text ? unescape : from_hex)(e->value, at + s->taken[i], item->bytes - s->taken[i]);
	if (nr < 0)
		return bad(e, err, text ? "the text is too long, or \\ is not followed by two digits" :
					  "no row of hex digits that this field can hold");
	s->taken[i] += (size_t)nr;
	return 0;
}

static int take_item(struct structure *s, const struct nvp_ini_entry *e, struct nvp_err *err)
{
	for (size_t i = 0; i < s->nr_items; i++) {
		if (strcmp(s->items[i].name, e->key))
			continue;
		if (!nvp_golden_item_is_number(&s->items[i]))
			return put_bytes(s, i, e, err);
		if (s->taken[i] != SIZE_MAX)
			return bad(e, err, "is given twice");
		s->taken[i] = 0;
		return put_number(s, &s->items[i], e, err);
	}
	return bad(e, err, "no field of this structure");
}

/* ---- sections ---- */

static const struct nvp_golden_kind *kind_of(const char *section, uint32_t *nsid)
{
	size_t length = strcspn(section, ".");
	uint64_t number = 0;

	for (const struct nvp_golden_kind *kind = nvp_golden_kinds; kind->name; kind++) {
		if (strlen(kind->name) != length || strncmp(kind->name, section, length))
			continue;
		if (kind->per_namespace != (section[length] == '.'))
			return NULL;
		if (kind->per_namespace &&
		    nvp_parse_u64_range(section + length + 1, 1, UINT32_MAX - 1, &number))
			return NULL;
		*nsid = (uint32_t)number;
		return kind;
	}
	return NULL;
}

static void free_structure(struct structure *s)
{
	if (!s)
		return;
	free(s->items);
	free(s->taken);
	free(s);
}

static struct structure *new_structure(const struct nvp_golden_kind *kind, const char *section,
				       uint32_t nsid)
{
	struct structure *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->kind = kind;
	snprintf(s->name, sizeof(s->name), "%s", section);
	s->shown = (struct nvp_golden_structure){ .name = s->name, .cns = kind->cns,
						  .csi = kind->csi, .nsid = nsid };
	if (!nvp_golden_items(kind, &s->items, &s->nr_items))
		s->taken = calloc(s->nr_items, sizeof(*s->taken));
	if (!s->taken) {
		free_structure(s);
		return NULL;
	}
	for (size_t i = 0; i < s->nr_items; i++)
		s->taken[i] = SIZE_MAX;
	return s;
}

static struct structure *structure_of(struct nvp_golden *g, const struct nvp_ini_entry *e,
				      struct nvp_err *err)
{
	const struct nvp_golden_kind *kind;
	struct structure *s;
	uint32_t nsid;

	for (size_t i = 0; i < g->nr_structures; i++)
		if (!strcmp(g->structures[i]->name, e->section))
			return g->structures[i];
	kind = kind_of(e->section, &nsid);
	if (!kind) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s:%u: [%s] is no Identify structure",
			    e->path, e->line, e->section);
		return NULL;
	}
	s = nvp_grow((void **)&g->structures, g->nr_structures, &g->room_structures,
		     sizeof(*g->structures)) ? new_structure(kind, e->section, nsid) : NULL;
	if (!s) {
		no_memory(err);
		return NULL;
	}
	g->structures[g->nr_structures++] = s;
	return s;
}

static int take_head(struct nvp_golden *g, const struct nvp_ini_entry *e, struct nvp_err *err)
{
	bool model = !strcmp(e->key, "model");
	char *to = model ? g->model : g->firmware;
	size_t room = (model ? sizeof(g->model) : sizeof(g->firmware)) - 1;
	long nr;

	if (!strcmp(e->key, "version")) {
		if (nvp_parse_u64_range(e->value, NVP_GOLDEN_VERSION, NVP_GOLDEN_VERSION,
					&g->version))
			return bad(e, err, "this version of the file is not known here");
		return 0;
	}
	if (!model && strcmp(e->key, "firmware"))
		return bad(e, err, "[golden] has version, model and firmware");
	nr = unescape(e->value, (uint8_t *)to, room);
	if (nr < 0)
		return bad(e, err, "the text is too long, or \\ is not followed by two digits");
	to[nr] = '\0';
	return 0;
}

static int take_mask(struct nvp_golden *g, const struct nvp_ini_entry *e, struct nvp_err *err)
{
	if (strcmp(e->key, "ignore") || !e->value[0])
		return bad(e, err, "[mask] has ignore = a glob of fields");
	if (!nvp_grow((void **)&g->masks, g->nr_masks, &g->room_masks, sizeof(*g->masks)))
		return no_memory(err);
	g->masks[g->nr_masks] = strdup(e->value);
	return g->masks[g->nr_masks] ? (g->nr_masks++, 0) : no_memory(err);
}

static int take_entry(void *context, const struct nvp_ini_entry *e, struct nvp_err *err)
{
	struct nvp_golden *g = context;
	struct structure *s;

	if (!strcmp(e->section, "golden"))
		return take_head(g, e, err);
	if (!g->version)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "%s:%u: a golden file begins with [golden] and version = %d",
				   e->path, e->line, NVP_GOLDEN_VERSION);
	if (!strcmp(e->section, "mask"))
		return take_mask(g, e, err);
	s = structure_of(g, e, err);
	return s ? take_item(s, e, err) : err->code;
}

/* ---- reading ---- */

struct nvp_golden *nvp_golden_read(const char *path, struct nvp_err *err)
{
	struct nvp_golden *g = calloc(1, sizeof(*g));
	struct nvp_err own = { 0 };

	if (!err)
		err = &own;
	if (!g) {
		no_memory(err);
		return NULL;
	}
	if (nvp_ini_read(path, take_entry, g, err))
		goto failed;
	if (!g->model[0] || !g->nr_structures) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s: no golden Identify file: it has no %s",
			    path, g->model[0] ? "structure" : "model =");
		goto failed;
	}
	return g;
failed:
	nvp_golden_free(g);
	return NULL;
}

void nvp_golden_free(struct nvp_golden *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->nr_structures; i++)
		free_structure(g->structures[i]);
	for (size_t i = 0; i < g->nr_masks; i++)
		free(g->masks[i]);
	free(g->structures);
	free(g->masks);
	free(g);
}

const char *nvp_golden_model(const struct nvp_golden *g)
{
	return g->model;
}

const char *nvp_golden_firmware(const struct nvp_golden *g)
{
	return g->firmware;
}

const struct nvp_golden_structure *nvp_golden_structure(const struct nvp_golden *g, size_t i)
{
	return i < g->nr_structures ? &g->structures[i]->shown : NULL;
}

/* ---- comparing ---- */

static bool is_ignored(const struct nvp_golden *g, const char *name)
{
	for (size_t i = 0; i < g->nr_masks; i++)
		if (nvp_glob_match(g->masks[i], name))
			return true;
	return false;
}

int nvp_golden_compare(const struct nvp_golden *g, size_t i, const void *bytes,
		       void (*tell)(void *context, const struct nvp_golden_field *field),
		       void *context)
{
	const struct structure *s = g->structures[i];
	struct nvp_text want = { 0 }, seen = { 0 };
	bool failed = false;

	for (size_t k = 0; k < s->nr_items && !failed; k++) {
		char name[sizeof(s->name) + sizeof(s->items[k].name)];
		struct nvp_golden_field field = { .name = name };

		snprintf(name, sizeof(name), "%s.%s", s->name, s->items[k].name);
		nvp_text_clear(&want);
		nvp_text_clear(&seen);
		nvp_golden_value(&s->items[k], s->bytes, &want);
		nvp_golden_value(&s->items[k], bytes, &seen);
		failed = want.failed || seen.failed;
		field.same = !strcmp(nvp_text_str(&want), nvp_text_str(&seen));
		field.ignored = is_ignored(g, name);
		field.want = nvp_text_str(&want);
		field.seen = nvp_text_str(&seen);
		tell(context, &field);
	}
	nvp_text_free(&want);
	nvp_text_free(&seen);
	return failed ? -ENOMEM : 0;
}
