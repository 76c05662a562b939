// SPDX-License-Identifier: GPL-2.0-or-later
// What a drive says about itself: one list of structures, one way to print each.

#include "core/cli/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/nvme/features.h"

#define POWER_STATES_OFFSET 2048	/* PSD0 in Identify Controller (5.17.2.1) */
#define LBA_FORMATS_OFFSET 128		/* LBAF0 in Identify Namespace (NVM Command Set 1.0, 4.1.5.1) */
#define LOG_BYTES 512			/* SMART and Firmware Slot logs */
#define ERROR_ENTRY_BYTES 64		/* of the Error Information log; a page of Identify holds 64 */

enum source { IDENTIFY, LOG_PAGE };

/* A structure that is fetched with one command. */
struct structure {
	const char *key, *title;
	const struct nvp_field_table *table;
	enum source source;
	uint8_t number;			/* CNS or LID */
	size_t bytes;
	/* Arrays inside of it; NULL: none. */
	void (*more)(struct nvp_text *out, bool json, const uint8_t *bytes);
};

struct info {
	struct nvp_drive *drive;
	struct nvp_buf *buf;
	struct nvp_text *out, *notes;
	bool json;
};

void nvp_info_section(struct nvp_text *out, bool json, const char *key, const char *title,
		      const struct nvp_field_table *table, const void *bytes, size_t nr_bytes)
{
	if (json) {
		nvp_json_begin(out, key, '{');
		nvp_fields_json(table, bytes, nr_bytes, out);
		nvp_json_end(out, '}');
		return;
	}
	nvp_text_addf(out, "\n%s\n", title);
	nvp_fields_text(table, bytes, nr_bytes, out);
}

/* An array inside of a structure: a section for each of its first nr elements. */
static void add_array(struct nvp_text *out, bool json, const char *key, const char *title,
		      const struct nvp_field_table *table, const uint8_t *at, unsigned nr)
{
	if (json)
		nvp_json_begin(out, key, '[');
	for (unsigned i = 0; i < nr; i++) {
		char words[40];

		snprintf(words, sizeof(words), "%s %u", title, i);
		nvp_info_section(out, json, NULL, words, table, at + i * table->bytes,
				 table->bytes);
	}
	if (json)
		nvp_json_end(out, ']');
}

static void add_power_states(struct nvp_text *out, bool json, const uint8_t *bytes)
{
	add_array(out, json, "power_states", "Power State", &nvp_fields_power_state,
		  bytes + POWER_STATES_OFFSET,
		  nvp_min_u64(nvp_field_get(&nvp_fields_id_ctrl, bytes, "npss"), 31) + 1);
}

static void add_formats(struct nvp_text *out, bool json, const uint8_t *bytes)
{
	add_array(out, json, "lba_formats", "LBA Format", &nvp_fields_lba_format,
		  bytes + LBA_FORMATS_OFFSET,
		  nvp_min_u64(nvp_field_get(&nvp_fields_id_ns, bytes, "nlbaf"), 63) + 1);
}

static const struct structure of_controller[] = {
	{ .key = "identify_controller", .title = "Identify Controller",
	  .table = &nvp_fields_id_ctrl, .source = IDENTIFY, .number = 0x01,
	  .bytes = NVP_IDENTIFY_BYTES, .more = add_power_states },
	{ .key = "identify_controller_nvm", .title = "Identify Controller, NVM Command Set",
	  .table = &nvp_fields_id_ctrl_nvm, .source = IDENTIFY, .number = 0x06,
	  .bytes = NVP_IDENTIFY_BYTES },
	{ .key = "smart", .title = "SMART / Health Information", .table = &nvp_fields_smart,
	  .source = LOG_PAGE, .number = 0x02, .bytes = LOG_BYTES },
	{ .key = "firmware_slots", .title = "Firmware Slot Information",
	  .table = &nvp_fields_firmware_slot, .source = LOG_PAGE, .number = 0x03,
	  .bytes = LOG_BYTES },
};

static const struct structure of_namespace[] = {
	{ .key = "identify_namespace", .title = "Identify Namespace", .table = &nvp_fields_id_ns,
	  .source = IDENTIFY, .number = 0x00, .bytes = NVP_IDENTIFY_BYTES, .more = add_formats },
	{ .key = "identify_namespace_independent",
	  .title = "Identify Namespace, independent of the command set",
	  .table = &nvp_fields_id_ns_independent, .source = IDENTIFY, .number = 0x08,
	  .bytes = NVP_IDENTIFY_BYTES },
};

/* Send; false and a note when there is no good answer: many structures are optional. */
static bool fetch(struct info *i, const char *title, const struct nvp_cmd *cmd, struct nvp_cpl *cpl)
{
	char status[NVP_STATUS_TEXT_BYTES];

	if (nvp_exec_admin(i->drive, cmd, cpl)) {
		nvp_err_text(nvp_drive_err(i->drive), status, sizeof(status));
		nvp_text_addf(i->notes, "%s: %s\n", title, status);
		return false;
	}
	if (nvp_cpl_ok(cpl))
		return true;
	nvp_text_addf(i->notes, "%s: the drive answered %s\n", title,
		      nvp_status_text(&cpl->status, status));
	return false;
}

/* Fetch and print. */
static void add_structure(struct info *i, const struct structure *s, uint32_t nsid)
{
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (s->source == IDENTIFY)
		cmd = nvp_build_identify(s->number, nsid, 0, 0, 0);
	else
		cmd = nvp_build_get_log(s->number, NVP_NSID_ALL, (uint32_t)s->bytes, 0, true, 0);
	cmd.data = i->buf;
	nvp_buf_fill(i->buf, 0);
	if (!fetch(i, s->title, &cmd, &cpl))
		return;
	nvp_info_section(i->out, i->json, s->key, s->title, s->table, nvp_buf_data(i->buf),
			 s->bytes);
	if (s->more)
		s->more(i->out, i->json, nvp_buf_data(i->buf));
}

/* The entries of the error log that were ever written: Error Count 0 is none (5.16.1.2). */
static void add_errors(struct info *i)
{
	uint32_t nr = (uint32_t)nvp_min_u64(nvp_drive_facts(i->drive)->ctrl.elpe_z + 1u,
					    NVP_IDENTIFY_BYTES / ERROR_ENTRY_BYTES);
	struct nvp_cmd cmd = nvp_build_get_log(0x01, NVP_NSID_ALL, nr * ERROR_ENTRY_BYTES, 0, true,
					       0);
	const uint8_t *entry = nvp_buf_data(i->buf);
	struct nvp_cpl cpl;

	cmd.data = i->buf;
	nvp_buf_fill(i->buf, 0);
	if (!fetch(i, "Error Information", &cmd, &cpl))
		return;
	if (i->json)
		nvp_json_begin(i->out, "error_log", '[');
	for (; nr; nr--, entry += ERROR_ENTRY_BYTES)
		if (nvp_field_get(&nvp_fields_error_entry, entry, "error_count"))
			nvp_info_section(i->out, i->json, NULL, "Error Information",
					 &nvp_fields_error_entry, entry, ERROR_ENTRY_BYTES);
	if (i->json)
		nvp_json_end(i->out, ']');
}

/* A namespace has these of its own (5.27.1, figure with the scope of each). */
static bool of_a_namespace(uint8_t fid)
{
	return fid == 0x05 || (fid >= 0x82 && fid <= 0x84);
}

static void add_feature_json(struct nvp_text *out, uint8_t fid, uint32_t dw0,
			     const struct nvp_field_table *table, const uint8_t value[4])
{
	nvp_json_begin(out, table->name, '{');
	nvp_json_u64(out, "fid", fid);
	nvp_json_hex(out, "value", dw0);
	nvp_fields_json(table, value, 4, out);
	nvp_json_end(out, '}');
}

/* Current values of what fits into Dword 11. A feature that is not supported is left out. */
static void add_features(struct info *i, uint32_t nsid)
{
	if (i->json)
		nvp_json_begin(i->out, "features", '{');
	for (unsigned fid = 1; fid < 256; fid++) {
		const struct nvp_field_table *table = nvp_fields_feature((uint8_t)fid);
		struct nvp_cmd cmd;
		struct nvp_cpl cpl;
		char title[80];
		uint8_t value[4];

		if (!table || of_a_namespace((uint8_t)fid) != (nsid != 0))
			continue;
		cmd = nvp_build_get_features((uint8_t)fid, nsid, 0, 0);
		if (nvp_exec_admin(i->drive, &cmd, &cpl) || !nvp_cpl_ok(&cpl))
			continue;
		nvp_put_le32(value, cpl.dw0);
		snprintf(title, sizeof(title), "Feature %02xh, %s: 0x%08" PRIx32, fid, table->name,
			 cpl.dw0);
		if (i->json)
			add_feature_json(i->out, (uint8_t)fid, cpl.dw0, table, value);
		else
			nvp_info_section(i->out, false, NULL, title, table, value, sizeof(value));
	}
	if (i->json)
		nvp_json_end(i->out, '}');
}

static void add_namespaces(struct info *i)
{
	const struct nvp_facts *facts = nvp_drive_facts(i->drive);

	if (i->json)
		nvp_json_begin(i->out, "namespaces", '[');
	for (unsigned n = 0; n < facts->nr_all_ns; n++) {
		uint32_t nsid = facts->ns[n].nsid;

		if (i->json) {
			nvp_json_begin(i->out, NULL, '{');
			nvp_json_u64(i->out, "nsid", nsid);
		} else {
			nvp_text_addf(i->out, "\nNamespace %" PRIu32 "\n", nsid);
		}
		for (size_t k = 0; k < NVP_ARRAY_SIZE(of_namespace); k++)
			add_structure(i, &of_namespace[k], nsid);
		add_features(i, nsid);
		if (i->json)
			nvp_json_end(i->out, '}');
	}
	if (i->json)
		nvp_json_end(i->out, ']');
}

void nvp_info_add(struct nvp_drive *drive, bool json, struct nvp_text *out,
		  struct nvp_text *notes)
{
	unsigned char registers[NVP_REGISTER_IMAGE_BYTES];
	struct info info = { .drive = drive, .out = out, .notes = notes, .json = json };

	if (!nvp_read_registers(drive, registers))
		nvp_info_section(out, json, "registers", "Registers", &nvp_fields_registers,
				 registers, sizeof(registers));
	else
		nvp_text_add(notes, "Registers: cannot be read this way to the drive\n");
	info.buf = nvp_buf_new(drive, NVP_IDENTIFY_BYTES);
	if (!info.buf) {
		out->failed = true;
		return;
	}
	for (size_t k = 0; k < NVP_ARRAY_SIZE(of_controller); k++)
		add_structure(&info, &of_controller[k], 0);
	add_errors(&info);
	add_features(&info, 0);
	add_namespaces(&info);
	nvp_buf_free(info.buf);
}
