// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof info DRIVE`: open for reading, print, close.

#include <nvproof/drive_ops.h>

#include <stdio.h>
#include <string.h>

#include "core/cli/golden_save.h"
#include "core/cli/info.h"
#include "core/cli/output.h"

static void add_head(struct nvp_text *out, bool json, const char *address, const char *in_use)
{
	if (json) {
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "schema", "nvproof.info/1");
		nvp_json_string(out, "address", address);
		nvp_json_string(out, "in_use", in_use[0] ? in_use : NULL);
		return;
	}
	nvp_text_addf(out, "Drive %s\n", address);
	if (in_use[0])
		nvp_text_addf(out, "In use: %s\n", in_use);
}

/* What could not be had, behind the rest. */
static void add_notes(struct nvp_text *out, bool json, const char *notes)
{
	if (json)
		nvp_json_begin(out, "notes", '[');
	else if (notes[0])
		nvp_text_add(out, "\nNot available\n");
	while (*notes) {
		size_t length = strcspn(notes, "\n");
		char line[300];

		snprintf(line, sizeof(line), "%.*s", (int)length, notes);
		if (json)
			nvp_json_string(out, NULL, line);
		else
			nvp_text_addf(out, "  %s\n", line);
		notes += length + 1;
	}
	if (json) {
		nvp_json_end(out, ']');
		nvp_json_end(out, '}');
	}
}

static int print(struct nvp_program *p, struct nvp_prepared *prepared, struct nvp_drive *drive)
{
	struct nvp_text out = { 0 }, notes = { 0 };
	bool json = p->options.json;
	char in_use[200] = "";
	int rc;

	nvp_prepared_in_use(prepared, in_use, sizeof(in_use));
	add_head(&out, json, p->operand[0], in_use);
	nvp_info_add(drive, json, &out, &notes);
	add_notes(&out, json, nvp_text_str(&notes));
	rc = json ? nvp_put_json(p, &out) : nvp_put_result(p, &out);
	nvp_text_free(&out);
	nvp_text_free(&notes);
	return rc;
}

int nvp_cmd_info(struct nvp_program *p)
{
	struct nvp_prepared *prepared;
	struct nvp_drive *drive;
	int rc;

	prepared = nvp_drive_prepare(p->operand[0], p->options.seed, 0, &p->err);
	if (!prepared)
		return nvp_err_exit_code(p->err.kind);
	drive = nvp_drive_open(prepared, NULL, (unsigned)p->options.timeout_scale, &p->err);
	if (drive) {
		nvp_drive_permit(drive, NVP_IMPACT_READ);
		rc = p->options.save ? nvp_golden_save(p, drive) : print(p, prepared, drive);
		nvp_drive_close(drive);
	} else {
		rc = nvp_err_exit_code(p->err.kind);
	}
	nvp_drive_discard(prepared);
	return rc;
}
