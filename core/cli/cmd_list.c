// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof list`: the NVMe drives of this machine, and the one that is always there.

#include <nvproof/drive_ops.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/bits.h"
#include "core/cli/command.h"
#include "core/cli/sysfs.h"

enum column_kind { TEXT, BYTES };

/* What is told of a drive, in this order, as text and as JSON. */
static const struct column {
	const char *key, *head;		/* head NULL: in JSON only */
	enum column_kind kind;
	size_t offset;
} columns[] = {
#define COLUMN(key, head, kind, member) { key, head, kind, offsetof(struct nvp_listed_drive, member) }
	COLUMN("address", "drive", TEXT, address),
	COLUMN("serial", "serial", TEXT, serial),
	COLUMN("model", "model", TEXT, model),
	COLUMN("firmware", "firmware", TEXT, firmware),
	COLUMN("capacity_bytes", "capacity", BYTES, bytes),
	COLUMN("format", "format", TEXT, format),
	COLUMN("transport", NULL, TEXT, transport),
	COLUMN("transport_address", "at", TEXT, transport_address),
	COLUMN("slot", "slot", TEXT, slot),
	COLUMN("link", "link", TEXT, link),
	COLUMN("driver", "driver", TEXT, driver),
	COLUMN("state", "state", TEXT, state),
	COLUMN("in_use", "in use", TEXT, in_use),
#undef COLUMN
};
#define NR_COLUMNS NVP_ARRAY_SIZE(columns)

/* Tenths of a GB, as drives are sold. */
static void add_size(struct nvp_text *out, uint64_t bytes)
{
	uint64_t tenths = bytes / 100000000;

	nvp_text_addf(out, "%" PRIu64 ".%u GB", tenths / 10, (unsigned)(tenths % 10));
}

static const char *text_of(const struct nvp_listed_drive *drive, const struct column *c)
{
	return (const char *)drive + c->offset;
}

static uint64_t bytes_of(const struct nvp_listed_drive *drive, const struct column *c)
{
	return *(const uint64_t *)(const void *)((const char *)drive + c->offset);
}

/* ---- JSON ---- */

static void add_namespaces(struct nvp_text *out, const struct nvp_listed_drive *d)
{
	nvp_json_begin(out, "namespaces", '[');
	for (size_t i = 0; i < d->nr_ns; i++) {
		char address[40];

		snprintf(address, sizeof(address), "/dev/%s", d->ns[i].name);
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "address", address);
		nvp_json_big(out, "size_bytes", d->ns[i].bytes);
		nvp_json_u64(out, "block_bytes", d->ns[i].block_bytes);
		nvp_json_end(out, '}');
	}
	nvp_json_end(out, ']');
}

static void add_json(struct nvp_text *out, const struct nvp_listed_drive *drives, size_t nr)
{
	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "schema", "nvproof.list/1");
	nvp_json_begin(out, "drives", '[');
	for (size_t i = 0; i < nr; i++) {
		nvp_json_begin(out, NULL, '{');
		for (size_t k = 0; k < NR_COLUMNS; k++) {
			if (columns[k].kind == BYTES)
				nvp_json_big(out, columns[k].key, bytes_of(&drives[i], &columns[k]));
			else
				nvp_json_string(out, columns[k].key, text_of(&drives[i], &columns[k]));
		}
		add_namespaces(out, &drives[i]);
		nvp_json_end(out, '}');
	}
	nvp_json_end(out, ']');
	nvp_json_begin(out, "simulated", '{');
	nvp_json_string(out, "address", "sim:");
	nvp_json_end(out, '}');
	nvp_json_end(out, '}');
}

/* ---- text ---- */

/* A cell, or with drive NULL the head of its column; "-" where nothing is known. */
static void add_cell(struct nvp_text *cell, const struct nvp_listed_drive *drive,
		     const struct column *c)
{
	nvp_text_clear(cell);
	if (!drive)
		nvp_text_add(cell, c->head);
	else if (c->kind == TEXT)
		nvp_text_add(cell, text_of(drive, c));
	else if (bytes_of(drive, c))
		add_size(cell, bytes_of(drive, c));
	if (!cell->length)
		nvp_text_add(cell, "-");
}

static void add_row(struct nvp_text *out, const struct nvp_listed_drive *drive,
		    const size_t width[NR_COLUMNS])
{
	struct nvp_text cell = { 0 };

	for (size_t k = 0; k < NR_COLUMNS; k++) {
		if (!columns[k].head)
			continue;
		add_cell(&cell, drive, &columns[k]);
		nvp_text_addf(out, "%-*s%s", k + 1 < NR_COLUMNS ? (int)width[k] : 0,
			      nvp_text_str(&cell), k + 1 < NR_COLUMNS ? "  " : "\n");
	}
	nvp_text_free(&cell);
}

static void add_text(struct nvp_text *out, const struct nvp_listed_drive *drives, size_t nr)
{
	size_t width[NR_COLUMNS] = { 0 };
	struct nvp_text cell = { 0 };

	for (size_t k = 0; k < NR_COLUMNS; k++) {
		for (size_t i = 0; i <= nr && columns[k].head; i++) {
			add_cell(&cell, i < nr ? &drives[i] : NULL, &columns[k]);
			width[k] = nvp_max_u64(width[k], cell.length);
		}
	}
	nvp_text_free(&cell);
	if (nr)
		add_row(out, NULL, width);
	for (size_t i = 0; i < nr; i++) {
		const struct nvp_listed_drive *d = &drives[i];

		add_row(out, d, width);
		for (size_t k = 0; k < d->nr_ns; k++) {
			nvp_text_addf(out, "  /dev/%-10s  ", d->ns[k].name);
			add_size(out, d->ns[k].bytes);
			nvp_text_addf(out, ", blocks of %" PRIu64 " bytes\n", d->ns[k].block_bytes);
		}
	}
	if (!nr)
		nvp_text_add(out, "This machine shows no NVMe drive.\n");
	nvp_text_add(out, "A simulated drive is always there: sim: (nvproof help run)\n");
}

int nvp_cmd_list(struct nvp_program *p)
{
	struct nvp_listed_drive *drives;
	struct nvp_text out = { 0 };
	size_t nr;
	int rc;

	if (nvp_list_drives("/sys", &drives, &nr, &p->err))
		return nvp_err_exit_code(p->err.kind);
	for (size_t i = 0; i < nr; i++)
		nvp_drive_used_by(drives[i].address, drives[i].in_use, sizeof(drives[i].in_use));
	if (p->options.json)
		add_json(&out, drives, nr);
	else
		add_text(&out, drives, nr);
	rc = p->options.json ? nvp_put_json(p, &out) : nvp_put_result(p, &out);
	nvp_text_free(&out);
	free(drives);
	return rc;
}
