// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of field tables: layout against libnvme's structures, get and put, text and JSON.

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>
#include <libnvme.h>

#include "core/base/bits.h"
#include "core/nvme/features.h"
#include "core/nvme/fields.h"
#include "tests/unit/unit.h"

/*
 * A member of libnvme's structure. key NULL: reserved, vendor specific, or a part with a table of
 * its own, so that no row may stand for the whole of it.
 */
struct member {
	const char *name, *key;
	size_t offset, bytes;
};

#define M2(type, member_, key_)								\
	{ .name = #member_, .key = key_, .offset = offsetof(struct type, member_),	\
	  .bytes = sizeof(((struct type *)NULL)->member_) }
#define M(member_) M2(STRUCT, member_, #member_)	/* our key is libnvme's name */
#define AS(member_, key_) M2(STRUCT, member_, key_)
#define GAP(member_) M2(STRUCT, member_, NULL)

#define STRUCT nvme_id_ctrl
static const struct member id_ctrl[] = {
	M(vid), M(ssvid), M(sn), M(mn), M(fr), M(rab), M(ieee), M(cmic), M(mdts), M(cntlid), M(ver),
	M(rtd3r), M(rtd3e), M(oaes), M(ctratt), M(rrls), GAP(rsvd102), M(cntrltype), M(fguid),
	M(crdt1), M(crdt2), M(crdt3), GAP(rsvd134), M(nvmsr), M(vwci), M(mec), M(oacs), M(acl),
	M(aerl), M(frmw), M(lpa), M(elpe), M(npss), M(avscc), M(apsta), M(wctemp), M(cctemp),
	M(mtfa), M(hmpre), M(hmmin), M(tnvmcap), M(unvmcap), M(rpmbs), M(edstt), M(dsto), M(fwug),
	M(kas), M(hctma), M(mntmt), M(mxtmt), M(sanicap), M(hmminds), M(hmmaxd), M(nsetidmax),
	M(endgidmax), M(anatt), M(anacap), M(anagrpmax), M(nanagrpid), M(pels), M(domainid),
	GAP(rsvd358), M(megcap), GAP(rsvd384), M(sqes), M(cqes), M(maxcmd), M(nn), M(oncs),
	M(fuses), M(fna), M(vwc), M(awun), M(awupf), M(icsvscc), M(nwpc), M(acwu), M(ocfs),
	M(sgls), M(mnan), M(maxdna), M(maxcna), GAP(rsvd564), M(subnqn), GAP(rsvd1024),
	M(ioccsz), M(iorcsz), M(icdoff), M(fcatt), M(msdbd), M(ofcs), M(dctype), GAP(rsvd1807),
	GAP(psd), GAP(vs),
};
#undef STRUCT

#define STRUCT nvme_id_ns
static const struct member id_ns[] = {
	M(nsze), M(ncap), M(nuse), M(nsfeat), M(nlbaf), M(flbas), M(mc), M(dpc), M(dps), M(nmic),
	M(rescap), M(fpi), M(dlfeat), M(nawun), M(nawupf), M(nacwu), M(nabsn), M(nabo), M(nabspf),
	M(noiob), M(nvmcap), M(npwg), M(npwa), M(npdg), M(npda), M(nows), M(mssrl), M(mcl),
	M(msrc), GAP(rsvd81), M(nulbaf), GAP(rsvd83), M(anagrpid), GAP(rsvd96), M(nsattr),
	M(nvmsetid), M(endgid), M(nguid), M(eui64), GAP(lbaf),
	GAP(lbstm),	/* belongs to CNS 05h; vendor specific here */
	GAP(vs),
};
#undef STRUCT

#define STRUCT nvme_lbaf
static const struct member lbaf[] = { M(ms), AS(ds, "lbads"), AS(rp, NULL) };
#undef STRUCT

#define STRUCT nvme_id_psd
static const struct member psd[] = {
	M(mp), GAP(rsvd2), GAP(flags), M(enlat), M(exlat), GAP(rrt), GAP(rrl), GAP(rwt), GAP(rwl),
	M(idlp), GAP(ips), GAP(rsvd19), M(actp), GAP(apws), GAP(rsvd23),
};
#undef STRUCT

#define STRUCT nvme_id_ctrl_nvm
static const struct member id_ctrl_nvm[] = {
	M(vsl), M(wzsl), M(wusl), M(dmrl), M(dmrsl), M(dmsl), GAP(rsvd16),
};
#undef STRUCT

#define STRUCT nvme_id_independent_id_ns
static const struct member id_ns_independent[] = {
	M(nsfeat), M(nmic), M(rescap), M(fpi), M(anagrpid), M(nsattr), GAP(rsvd9), M(nvmsetid),
	M(endgid), M(nstat), GAP(rsvd15),
};
#undef STRUCT

#define STRUCT nvme_error_log_page
static const struct member error_entry[] = {
	M(error_count), M(sqid), AS(cmdid, "cid"), M(status_field),
	AS(parm_error_location, "parameter_error_location"), M(lba), M(nsid), AS(vs, "vendor_log"),
	M(trtype), GAP(rsvd), AS(cs, "command_specific"),
	AS(trtype_spec_info, "transport_specific"), GAP(rsvd2),
};
#undef STRUCT

#define STRUCT nvme_smart_log
static const struct member smart[] = {
	M(critical_warning), AS(temperature, "composite_temperature"),
	AS(avail_spare, "available_spare"), AS(spare_thresh, "spare_threshold"),
	AS(percent_used, "percentage_used"), AS(endu_grp_crit_warn_sumry, "egcws"), GAP(rsvd7),
	M(data_units_read), M(data_units_written), M(host_reads), M(host_writes),
	AS(ctrl_busy_time, "busy_minutes"), M(power_cycles), M(power_on_hours),
	M(unsafe_shutdowns), M(media_errors), AS(num_err_log_entries, "error_log_entries"),
	AS(warning_temp_time, "warning_temp_minutes"),
	AS(critical_comp_time, "critical_temp_minutes"), AS(temp_sensor[0], "sensor1"),
	AS(temp_sensor[1], "sensor2"), AS(temp_sensor[2], "sensor3"), AS(temp_sensor[3], "sensor4"),
	AS(temp_sensor[4], "sensor5"), AS(temp_sensor[5], "sensor6"), AS(temp_sensor[6], "sensor7"),
	AS(temp_sensor[7], "sensor8"), AS(thm_temp1_trans_count, "thermal1_count"),
	AS(thm_temp2_trans_count, "thermal2_count"), AS(thm_temp1_total_time, "thermal1_seconds"),
	AS(thm_temp2_total_time, "thermal2_seconds"), GAP(rsvd232),
};
#undef STRUCT

#define STRUCT nvme_firmware_slot
static const struct member firmware_slot[] = {
	M(afi), GAP(rsvd1), AS(frs[0], "frs1"), AS(frs[1], "frs2"), AS(frs[2], "frs3"),
	AS(frs[3], "frs4"), AS(frs[4], "frs5"), AS(frs[5], "frs6"), AS(frs[6], "frs7"), GAP(rsvd2),
};
#undef STRUCT

#define STRUCT nvme_persistent_event_log
static const struct member persistent_log[] = {
	M(lid), GAP(rsvd1), M(tnev), M(tll), M(rv), GAP(rsvd17), M(lhl), M(ts), M(poh), M(pcc),
	M(vid), M(ssvid), M(sn), M(mn), M(subnqn), M(gen_number), M(rci), GAP(rsvd378), M(seb),
};
#undef STRUCT

#define STRUCT nvme_persistent_event_entry
static const struct member persistent_event[] = {
	M(etype), M(etype_rev), M(ehl), M(ehai), M(cntlid), M(ets), M(pelpid), GAP(rsvd16),
	M(vsil), M(el),
};
#undef STRUCT

struct layout {
	const struct nvp_field_table *table;
	const struct member *members;
	size_t nr, struct_bytes;
};

#define LAYOUT(table_, members_, type)							\
	{ .table = &table_, .members = members_, .nr = NVP_ARRAY_SIZE(members_),		\
	  .struct_bytes = sizeof(struct type) }

static const struct layout layouts[] = {
	LAYOUT(nvp_fields_id_ctrl, id_ctrl, nvme_id_ctrl),
	LAYOUT(nvp_fields_id_ns, id_ns, nvme_id_ns),
	LAYOUT(nvp_fields_lba_format, lbaf, nvme_lbaf),
	LAYOUT(nvp_fields_power_state, psd, nvme_id_psd),
	LAYOUT(nvp_fields_id_ctrl_nvm, id_ctrl_nvm, nvme_id_ctrl_nvm),
	LAYOUT(nvp_fields_id_ns_independent, id_ns_independent, nvme_id_independent_id_ns),
	LAYOUT(nvp_fields_error_entry, error_entry, nvme_error_log_page),
	LAYOUT(nvp_fields_smart, smart, nvme_smart_log),
	LAYOUT(nvp_fields_firmware_slot, firmware_slot, nvme_firmware_slot),
	LAYOUT(nvp_fields_persistent_log, persistent_log, nvme_persistent_event_log),
	LAYOUT(nvp_fields_persistent_event, persistent_event, nvme_persistent_event_entry),
};

/*
 * Rows that libnvme lacks or has wrong, with the section they rest on. In 1.3 it has all of these
 * structures right; a row that matches no member must be named here, or the test fails.
 */
static const struct { const char *table, *key, *section; } not_in_libnvme[] = {
	{ "none", "none", "" },
};

static const struct nvp_field_table *const dword_tables[] = {
	&nvp_fields_supported_log, &nvp_fields_command_effects, &nvp_fields_feature_effects,
};

static bool is_excused(const struct layout *l, const char *key)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(not_in_libnvme); i++)
		if (!strcmp(not_in_libnvme[i].table, l->table->name) &&
		    !strcmp(not_in_libnvme[i].key, key))
			return true;
	return false;
}

static const struct member *member_at(const struct layout *l, size_t offset, size_t bytes)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->members[i].offset == offset && l->members[i].bytes == bytes)
			return &l->members[i];
	return NULL;
}

/* A whole row is the member of that key; a bit row lies in some member of exactly its container. */
static bool row_is_right(const struct layout *l, const struct nvp_field *row)
{
	const struct member *m = member_at(l, row->offset, row->bytes);

	if (row->width_bits)
		return m != NULL;
	return m && m->key && !strcmp(m->key, row->key);
}

static void every_row_stands_where_libnvme_has_it(void)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(layouts); i++) {
		const struct layout *l = &layouts[i];

		CU_ASSERT_EQUAL(l->table->bytes, l->struct_bytes);
		for (size_t r = 0; r < l->table->nr_rows; r++) {
			const char *key = l->table->rows[r].key;

			if (row_is_right(l, &l->table->rows[r]) == is_excused(l, key)) {
				printf("\n    %s: %s\n", l->table->name, key);
				CU_FAIL("layout differs from libnvme, or is excused without need");
			}
		}
	}
}

static bool has_row(const struct layout *l, const struct member *m)
{
	for (size_t r = 0; r < l->table->nr_rows; r++) {
		const struct nvp_field *row = &l->table->rows[r];

		if (row->offset == m->offset && row->bytes == m->bytes)
			return true;
	}
	return false;
}

static bool is_reserved(const struct member *m)
{
	return !strncmp(m->name, "rsvd", 4) || !strcmp(m->name, "vs") ||
	       !strcmp(m->name, "lbstm") || !strcmp(m->name, "psd") || !strcmp(m->name, "lbaf");
}

/* The member lists above cover each structure byte for byte, and each member has a row. */
static void no_field_is_missing(void)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(layouts); i++) {
		const struct layout *l = &layouts[i];
		size_t at = 0;

		for (size_t m = 0; m < l->nr; m++) {
			CU_ASSERT_EQUAL(l->members[m].offset, at);
			at += l->members[m].bytes;
			if (has_row(l, &l->members[m]) ==
			    (is_reserved(&l->members[m]) && !l->members[m].key)) {
				printf("\n    %s: %s\n", l->table->name, l->members[m].name);
				CU_FAIL("no row for this member");
			}
		}
		CU_ASSERT_EQUAL(at, l->struct_bytes);
	}
}

static void check_sane(const struct nvp_field_table *t)
{
	for (size_t i = 0; i < t->nr_rows; i++) {
		const struct nvp_field *row = &t->rows[i];
		bool number = row->format == NVP_FIELD_DEC || row->format == NVP_FIELD_HEX ||
			      row->format == NVP_FIELD_FLAG || row->format == NVP_FIELD_KELVIN ||
			      row->format == NVP_FIELD_VERSION;

		CU_ASSERT_TRUE(row->key[0] && row->title[0] && row->section[0]);
		CU_ASSERT_EQUAL(strspn(row->key, "abcdefghijklmnopqrstuvwxyz0123456789_"),
				strlen(row->key));
		CU_ASSERT_TRUE(row->bytes >= 1 && row->bytes <= 512);
		CU_ASSERT_TRUE((size_t)row->offset + row->bytes <= t->bytes);
		CU_ASSERT_TRUE(row->low_bit + row->width_bits <= 8 * row->bytes);
		CU_ASSERT_TRUE(!number || row->bytes <= 8);
		CU_ASSERT_TRUE(number || !row->width_bits);
		CU_ASSERT_TRUE((row->format == NVP_FIELD_U128) == (row->bytes == 16 &&
			       row->format != NVP_FIELD_BYTES));
		CU_ASSERT_TRUE((row->format != NVP_FIELD_FLAG) || row->width_bits == 1);
		for (size_t j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(t->rows[j].key, row->key);
	}
}

/* Flags of one byte never overlap, and lie in the field above them. */
static void check_bits(const struct nvp_field_table *t)
{
	for (size_t i = 0; i < t->nr_rows; i++) {
		const struct nvp_field *a = &t->rows[i];

		for (size_t j = i + 1; a->width_bits && j < t->nr_rows; j++) {
			const struct nvp_field *b = &t->rows[j];

			if (!b->width_bits || a->offset != b->offset)
				continue;
			CU_ASSERT_EQUAL(a->bytes, b->bytes);
			CU_ASSERT_TRUE(a->low_bit + a->width_bits <= b->low_bit ||
				       b->low_bit + b->width_bits <= a->low_bit);
		}
	}
}

static void tables_are_sane(void)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(layouts); i++) {
		check_sane(layouts[i].table);
		check_bits(layouts[i].table);
	}
	for (size_t i = 0; i < NVP_ARRAY_SIZE(dword_tables); i++) {
		check_sane(dword_tables[i]);
		check_bits(dword_tables[i]);
	}
	for (unsigned fid = 0; fid < 256; fid++) {
		const struct nvp_field_table *t = nvp_fields_feature((uint8_t)fid);

		if (t) {
			CU_ASSERT_EQUAL(t->bytes, 4);
			check_sane(t);
			check_bits(t);
		}
	}
}

static void put_and_get_leave_neighbours_alone(void)
{
	const struct nvp_field_table *t = &nvp_fields_id_ctrl;

	for (size_t i = 0; i < t->nr_rows; i++) {
		const struct nvp_field *row = &t->rows[i];
		unsigned width = row->width_bits ? row->width_bits : 8u * row->bytes;
		uint8_t *bytes;

		if (row->bytes > 8)
			continue;
		bytes = malloc(t->bytes);
		CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
		memset(bytes, 0xff, t->bytes);
		nvp_field_put(t, bytes, row->key, 0);
		CU_ASSERT_EQUAL(nvp_field_get(t, bytes, row->key), 0);
		/* Exactly the bits of the field became 0. */
		CU_ASSERT_EQUAL(~nvp_le_n(bytes + row->offset, row->bytes) &
				nvp_bits(UINT64_MAX, 0, 8u * row->bytes),
				nvp_bits(UINT64_MAX, 0, width) << row->low_bit);
		nvp_field_put(t, bytes, row->key, UINT64_MAX);
		for (size_t b = 0; b < t->bytes; b++)
			CU_ASSERT_FATAL(bytes[b] == 0xff);
		CU_ASSERT_EQUAL(nvp_field_get(t, bytes, row->key), nvp_bits(UINT64_MAX, 0, width));
		free(bytes);
	}
}

static void put_shifts_to_the_place(void)
{
	const struct nvp_field_table *t = &nvp_fields_id_ctrl;
	uint8_t bytes[4096] = { 0 };

	nvp_field_put(t, bytes, "frmw_slots", 2);
	CU_ASSERT_EQUAL(bytes[260], 0x04);
	nvp_field_put(t, bytes, "frmw_slots", 0xfd);	/* loses its upper bits */
	CU_ASSERT_EQUAL(bytes[260], 0x0a);
	CU_ASSERT_EQUAL(nvp_field_get(t, bytes, "frmw_slots"), 5);
	nvp_field_put(t, bytes, "rpmbs_total", 0x5a);
	CU_ASSERT_EQUAL(nvp_le32(bytes + 312), 0x005a0000);
	nvp_field_put(t, bytes, "nn", 0x01020304);
	CU_ASSERT_EQUAL(memcmp(bytes + 516, "\x04\x03\x02\x01", 4), 0);
	nvp_field_put(t, bytes, "ieee", 0x123456);
	CU_ASSERT_EQUAL(memcmp(bytes + 72, "\0\x56\x34\x12\0", 5), 0);
}

static void texts_are_padded_and_cut(void)
{
	const struct nvp_field_table *t = &nvp_fields_id_ctrl;
	uint8_t bytes[4096];
	char longer[300];

	memset(bytes, 0xee, sizeof(bytes));
	nvp_field_put_text(t, bytes, "sn", "SN1");
	CU_ASSERT_EQUAL(memcmp(bytes + 4, "SN1                 ", 20), 0);
	CU_ASSERT_EQUAL(bytes[3], 0xee);
	CU_ASSERT_EQUAL(bytes[24], 0xee);
	nvp_field_put_text(t, bytes, "fr", "123456789");
	CU_ASSERT_EQUAL(memcmp(bytes + 64, "12345678", 8), 0);
	CU_ASSERT_EQUAL(bytes[72], 0xee);
	nvp_field_put_text(t, bytes, "subnqn", "nqn.x");
	CU_ASSERT_EQUAL(memcmp(bytes + 768, "nqn.x\0\0", 7), 0);
	CU_ASSERT_EQUAL(bytes[1023], 0);
	CU_ASSERT_EQUAL(bytes[1024], 0xee);
	memset(longer, 'q', sizeof(longer));
	longer[299] = '\0';
	nvp_field_put_text(t, bytes, "subnqn", longer);
	CU_ASSERT_EQUAL(bytes[1023], 'q');
	CU_ASSERT_EQUAL(bytes[1024], 0xee);
}

static void find_knows_every_key(void)
{
	CU_ASSERT_PTR_NULL(nvp_field_find(&nvp_fields_smart, "nothing"));
	CU_ASSERT_EQUAL(nvp_field_find(&nvp_fields_smart, "sensor8")->offset, 214);
}

static void text_of_a_firmware_log(void)
{
	uint8_t bytes[512] = { 0x21 };
	struct nvp_text out = { 0 };

	memcpy(bytes + 8, "1.0     ", 8);
	memcpy(bytes + 16, "2\x1b[0m   ", 8);
	nvp_fields_text(&nvp_fields_firmware_slot, bytes, 24, &out);	/* the rest is left out */
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&out),
		"Active Firmware Info                             : 0x21\n"
		"  Active slot                                    : 1\n"
		"  Slot to be activated at the next reset         : 2\n"
		"Firmware Revision for Slot 1                     : 1.0\n"
		"Firmware Revision for Slot 2                     : 2?[0m\n");
	nvp_text_clear(&out);
	nvp_json_begin(&out, NULL, '{');
	nvp_fields_json(&nvp_fields_firmware_slot, bytes, 32, &out);
	nvp_json_end(&out, '}');
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&out),
		"{\"afi\":\"0x21\",\"active_slot\":1,\"next_slot\":2,\"frs1\":\"1.0\","
		"\"frs2\":\"2?[0m\",\"frs3\":null}");
	nvp_text_free(&out);
}

/* One line of the text that begins with this title. */
static void check_line(const struct nvp_field_table *t, const uint8_t *bytes, const char *title,
		       const char *value)
{
	struct nvp_text out = { 0 };
	char start[128], line[256];
	const char *at;

	nvp_fields_text(t, bytes, t->bytes, &out);
	snprintf(start, sizeof(start), "%-48s : ", title);
	at = strstr(nvp_text_str(&out), start);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	snprintf(line, sizeof(line), "%s%s\n", start, value);
	if (strncmp(at, line, strlen(line))) {
		printf("\n    %.100s\n", at);
		CU_FAIL("other text");
	}
	nvp_text_free(&out);
}

static void text_of_each_format(void)
{
	uint8_t b[4096] = { 0 }, s[512] = { 0 }, n[4096] = { 0 };

	nvp_put_le32(b + 80, 0x00020001);
	nvp_put_le32(b + 84, 500);
	nvp_put_le16(b + 266, 343);
	nvp_put_le32(b + 272, 3);
	b[280] = 1;
	b[295] = 1;
	memcpy(b + 768, "nqn.a\0hidden", 12);
	check_line(&nvp_fields_id_ctrl, b, "Version", "2.0.1");
	check_line(&nvp_fields_id_ctrl, b, "RTD3 Resume Latency", "500 us");
	check_line(&nvp_fields_id_ctrl, b, "RTD3 Entry Latency", "not reported");
	check_line(&nvp_fields_id_ctrl, b, "Warning Composite Temperature Threshold", "343 K (70 C)");
	check_line(&nvp_fields_id_ctrl, b, "Host Memory Buffer Preferred Size", "3 x 4 KiB");
	check_line(&nvp_fields_id_ctrl, b, "Total NVM Capacity",
		   "1329227995784915872903807060280344577 bytes");
	check_line(&nvp_fields_id_ctrl, b, "NVM Subsystem NVMe Qualified Name", "nqn.a");
	check_line(&nvp_fields_id_ctrl, b, "FRU Globally Unique Identifier", "not reported");
	b[520] = 0x04;
	check_line(&nvp_fields_id_ctrl, b, "  Dataset Management", "yes");
	check_line(&nvp_fields_id_ctrl, b, "  Compare", "no");
	memset(s + 32, 0xff, 16);
	check_line(&nvp_fields_smart, s, "Data Units Read",
		   "340282366920938463463374607431768211455 x 512000 bytes");
	nvp_put_le16(s + 1, 0);
	check_line(&nvp_fields_smart, s, "Composite Temperature", "0 K (-273 C)");
	memcpy(n + 120, "\x00\x01\x02\x03\xfc\xfd\xfe\xff", 8);
	check_line(&nvp_fields_id_ns, n, "IEEE Extended Unique Identifier", "00010203fcfdfeff");
}

/* The text is JSON for an outside parser, with one member for each row. */
static struct json_object *parsed(const struct nvp_field_table *t, const uint8_t *bytes)
{
	struct nvp_text out = { 0 };
	struct json_object *object;

	nvp_json_begin(&out, NULL, '{');
	nvp_fields_json(t, bytes, t->bytes, &out);
	nvp_json_end(&out, '}');
	object = json_tokener_parse(nvp_text_str(&out));
	nvp_text_free(&out);
	CU_ASSERT_PTR_NOT_NULL_FATAL(object);
	CU_ASSERT_EQUAL((size_t)json_object_object_length(object), t->nr_rows);
	return object;
}

static void json_has_every_row(void)
{
	uint8_t bytes[4096];

	for (size_t i = 0; i < NVP_ARRAY_SIZE(layouts); i++) {
		for (int fill = 0; fill < 256; fill += 51) {
			memset(bytes, fill, sizeof(bytes));
			json_object_put(parsed(layouts[i].table, bytes));
		}
	}
}

static const char *json_text_of(struct json_object *object, const char *key)
{
	struct json_object *member = NULL;

	CU_ASSERT_TRUE_FATAL(json_object_object_get_ex(object, key, &member));
	return json_object_to_json_string_ext(member, JSON_C_TO_STRING_PLAIN);
}

/* What can pass 2^53 is a decimal string, masks are "0x..", counters are exact. */
static void json_of_each_format(void)
{
	uint8_t n[4096] = { 0 }, s[512] = { 0 };
	struct json_object *object;

	nvp_put_le64(n, UINT64_MAX);
	nvp_put_le16(n + 34, 7);
	n[24] = 0x04;
	object = parsed(&nvp_fields_id_ns, n);
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "nsze"), "\"18446744073709551615\"");
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "ncap"), "\"0\"");
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "nawun"), "7");
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "nsfeat"), "\"0x4\"");
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "nsfeat_dulbe"), "true");
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "nsfeat_thin"), "false");
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "eui64"), "null");
	json_object_put(object);
	memset(s + 176, 0xff, 16);
	nvp_put_le16(s + 1, 310);
	object = parsed(&nvp_fields_smart, s);
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "error_log_entries"),
			       "\"340282366920938463463374607431768211455\"");
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "composite_temperature"), "310");
	CU_ASSERT_STRING_EQUAL(json_text_of(object, "sensor1"), "null");
	json_object_put(object);
}

/* Exactly nr bytes of memory, so that ASan sees a read behind them. */
static void short_structures_are_cut_honestly(void)
{
	const struct nvp_field_table *t = &nvp_fields_smart;
	size_t last = 0;

	for (size_t nr = 0; nr <= t->bytes; nr++) {
		uint8_t *bytes = calloc(nr ? nr : 1, 1);
		struct nvp_text text = { 0 }, json = { 0 };

		CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
		nvp_fields_text(t, bytes, nr, &text);
		nvp_fields_json(t, bytes, nr, &json);
		CU_ASSERT_TRUE(text.length >= last);
		last = text.length;
		nvp_text_free(&text);
		nvp_text_free(&json);
		free(bytes);
	}
	CU_ASSERT_TRUE(last > 1000);
}

static void values_of_features(void)
{
	uint8_t dw[4];

	nvp_put_le32(dw, 0x00030007);
	CU_ASSERT_EQUAL(nvp_field_get(nvp_fields_feature(0x07), dw, "nsq"), 7);
	CU_ASSERT_EQUAL(nvp_field_get(nvp_fields_feature(0x07), dw, "ncq"), 3);
	nvp_put_le32(dw, 0x00150157);
	CU_ASSERT_EQUAL(nvp_field_get(nvp_fields_feature(0x04), dw, "tmpth"), 343);
	CU_ASSERT_EQUAL(nvp_field_get(nvp_fields_feature(0x04), dw, "tmpsel"), 5);
	CU_ASSERT_EQUAL(nvp_field_get(nvp_fields_feature(0x04), dw, "thsel"), 1);
	nvp_put_le32(dw, 0x04030207);
	CU_ASSERT_EQUAL(nvp_field_get(nvp_fields_feature(0x01), dw, "ab"), 7);
	CU_ASSERT_EQUAL(nvp_field_get(nvp_fields_feature(0x01), dw, "hpw"), 4);
	CU_ASSERT_PTR_NULL(nvp_fields_feature(0x0e));
	CU_ASSERT_PTR_NULL(nvp_fields_feature(0xc0));
}

CU_TestInfo nvp_unit_fields[] = {
	{ "every_row_stands_where_libnvme_has_it", every_row_stands_where_libnvme_has_it },
	{ "no_field_is_missing", no_field_is_missing },
	{ "tables_are_sane", tables_are_sane },
	{ "put_and_get_leave_neighbours_alone", put_and_get_leave_neighbours_alone },
	{ "put_shifts_to_the_place", put_shifts_to_the_place },
	{ "texts_are_padded_and_cut", texts_are_padded_and_cut },
	{ "find_knows_every_key", find_knows_every_key },
	{ "text_of_a_firmware_log", text_of_a_firmware_log },
	{ "text_of_each_format", text_of_each_format },
	{ "json_has_every_row", json_has_every_row },
	{ "json_of_each_format", json_of_each_format },
	{ "short_structures_are_cut_honestly", short_structures_are_cut_honestly },
	{ "values_of_features", values_of_features },
	CU_TEST_INFO_NULL,
};
