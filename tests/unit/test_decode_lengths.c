// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of decoders against drives that lie about lengths and counts, each at the end of its memory.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "core/nvme/fields.h"
#include "tests/unit/unit.h"

/* A copy of exactly nr bytes, so that the sanitizer sees the first byte read behind them. */
static uint8_t *exact(const void *bytes, size_t nr)
{
	uint8_t *copy = malloc(nr ? nr : 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	memcpy(copy, bytes, nr);
	return copy;
}

union any_out {
	struct nvp_self_test_log self_test;
	struct nvp_sanitize_log sanitize;
	struct nvp_controller_list controllers;
	struct nvp_timestamp timestamp;
	struct nvp_ocp_smart ocp;
	struct nvp_uuid_list uuids;
	struct nvp_persistent_log persistent;
};

#define WRAP(name, member)								\
	static int call_ ## name(const void *b, size_t n, union any_out *out)		\
	{										\
		return nvp_decode_ ## name(b, n, &out->member);				\
	}
WRAP(self_test_log, self_test)
WRAP(sanitize_log, sanitize)
WRAP(controller_list, controllers)
WRAP(timestamp, timestamp)
WRAP(ocp_smart, ocp)
WRAP(uuid_list, uuids)
WRAP(persistent_log, persistent)

static const struct {
	int (*call)(const void *b, size_t n, union any_out *out);
	size_t bytes, out_bytes;
} decoders[] = {
	{ call_self_test_log, 564, sizeof(struct nvp_self_test_log) },
	{ call_sanitize_log, 512, sizeof(struct nvp_sanitize_log) },
	{ call_controller_list, 4096, sizeof(struct nvp_controller_list) },
	{ call_timestamp, 8, sizeof(struct nvp_timestamp) },
	{ call_ocp_smart, 512, sizeof(struct nvp_ocp_smart) },
	{ call_uuid_list, 4096, sizeof(struct nvp_uuid_list) },
	{ call_persistent_log, 512, sizeof(struct nvp_persistent_log) },
};

static void short_data_is_refused_and_zeroed(void)
{
	static uint8_t ones[4096];
	static union any_out out;

	memset(ones, 0xff, sizeof(ones));
	for (size_t d = 0; d < NVP_ARRAY_SIZE(decoders); d++) {
		for (size_t n = 0; n <= decoders[d].bytes; n++) {
			uint8_t *bytes = exact(ones, n);
			int rc;

			memset(&out, 0xa5, sizeof(out));
			rc = decoders[d].call(bytes, n, &out);
			CU_ASSERT_EQUAL(rc, n < decoders[d].bytes ? -EMSGSIZE : 0);
			if (rc)
				CU_ASSERT_TRUE(nvp_all_zero(&out, decoders[d].out_bytes));
			free(bytes);
		}
	}
}

/* The Controller List has room for 2047 identifiers (NVMe Base 2.0, 4.4.1). */
static void controller_lists(void)
{
	static const struct {
		unsigned says, nr;
		bool overrun;
	} lies[] = {
		{ 0, 0, false }, { 1, 1, false }, { 2046, 2046, false }, { 2047, 2047, false },
		{ 2048, 2047, true }, { 0x7fff, 2047, true }, { 0xffff, 2047, true },
	};
	static struct nvp_controller_list out;
	static uint8_t list[4096];

	for (unsigned i = 0; i < 2047; i++)
		nvp_put_le16(list + 2 + 2 * i, (uint16_t)(i + 1));
	for (size_t i = 0; i < NVP_ARRAY_SIZE(lies); i++) {
		uint8_t *bytes;

		nvp_put_le16(list, (uint16_t)lies[i].says);
		bytes = exact(list, sizeof(list));
		CU_ASSERT_EQUAL(nvp_decode_controller_list(bytes, sizeof(list), &out), 0);
		CU_ASSERT_EQUAL(out.nr, lies[i].nr);
		CU_ASSERT_EQUAL(out.overrun, lies[i].overrun);
		CU_ASSERT_TRUE(out.ascending);
		if (out.nr)
			CU_ASSERT_EQUAL(out.id[out.nr - 1], out.nr);
		free(bytes);
	}
}

/* A UUID List that never ends: 127 entries are all that 4096 bytes hold (5.17.2.13). */
static void uuid_list_without_an_end(void)
{
	static struct nvp_uuid_list out;
	static uint8_t list[4096];
	uint8_t *bytes;

	memset(list, 0xff, sizeof(list));
	bytes = exact(list, sizeof(list));
	CU_ASSERT_EQUAL(nvp_decode_uuid_list(bytes, sizeof(list), &out), 0);
	CU_ASSERT_EQUAL(out.nr, 127);
	CU_ASSERT_EQUAL(out.association[126], 3);
	free(bytes);
}

/* Descriptors of each length fill the structure, the last one passes its end (5.17.2.3). */
static void descriptors_at_the_end(void)
{
	static struct nvp_ns_descriptors out;

	for (unsigned nidl = 1; nidl < 256; nidl++) {
		uint8_t *bytes = exact((uint8_t[4096]) { 0 }, 4096);
		unsigned at = 0, nr = 0;

		for (; at + 4 <= 4096; at += 4 + nidl) {
			bytes[at] = 0xe0;
			bytes[at + 1] = (uint8_t)nidl;
			nr += at + 4 + nidl <= 4096;
		}
		CU_ASSERT_EQUAL(nvp_decode_ns_descriptors(bytes, 4096, &out), 0);
		CU_ASSERT_EQUAL(out.nr, nr);
		CU_ASSERT_EQUAL(out.nr_unknown, nr);
		CU_ASSERT_EQUAL(out.overrun, at > 4096);
		free(bytes);
	}
}

/* NLBAF, NULBAF and FLBAS say anything: the format in use stays one of 64 (NVM 1.0, 4.1.5.1). */
static void formats(void)
{
	static struct nvp_id_ns out;
	uint8_t *bytes = exact((uint8_t[4096]) { 0 }, 4096);

	for (unsigned nlbaf = 0; nlbaf < 256; nlbaf++) {
		for (unsigned flbas = 0; flbas < 256; flbas++) {
			bytes[25] = (uint8_t)nlbaf;
			bytes[26] = (uint8_t)flbas;
			bytes[128 + 4 * (flbas & 15) + 2] = (uint8_t)(flbas + nlbaf);
			nvp_field_put(&nvp_fields_id_ns, bytes, "nulbaf", 255 - nlbaf);
			CU_ASSERT_EQUAL(nvp_decode_id_ns(bytes, 4096, &out), 0);
			CU_ASSERT_TRUE(out.format_index < NVP_ARRAY_SIZE(out.lbaf));
		}
	}
	free(bytes);
}

/* Lengths of a persistent event that do not fit what there is, or one another, are refused. */
static void lying_persistent_events(void)
{
	static const struct {
		uint8_t ehl;
		uint16_t vsil, el;
		size_t bytes;
		int rc;
	} rows[] = {
		{ 21, 0, 0, 24, 0 }, { 21, 0, 8, 32, 0 }, { 21, 8, 8, 32, 0 }, { 29, 0, 8, 40, 0 },
		{ 21, 0, 8, 31, -EMSGSIZE }, { 21, 9, 8, 64, -EMSGSIZE },
		{ 20, 0, 8, 64, -EMSGSIZE }, { 0, 0, 8, 64, -EMSGSIZE },
		{ 255, 0, 0, 64, -EMSGSIZE }, { 255, 0, 0, 258, 0 },
		{ 21, 0, 0xffff, 64, -EMSGSIZE }, { 21, 0xffff, 0xffff, 64, -EMSGSIZE },
		{ 255, 0xffff, 0xffff, 0xffff, -EMSGSIZE }, { 21, 0, 0, 23, -EMSGSIZE },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		uint8_t whole[65536] = { 0x0b, 1, rows[i].ehl };
		struct nvp_persistent_event event;
		uint8_t *bytes;

		nvp_put_le16(whole + 20, rows[i].vsil);
		nvp_put_le16(whole + 22, rows[i].el);
		bytes = exact(whole, rows[i].bytes);
		CU_ASSERT_EQUAL(nvp_decode_persistent_event(bytes, rows[i].bytes, &event),
				rows[i].rc);
		CU_ASSERT_EQUAL(event.bytes, rows[i].rc ? 0 : rows[i].ehl + 3u + rows[i].el);
		CU_ASSERT_TRUE(rows[i].rc ? !event.data :
			       event.data == bytes + rows[i].ehl + 3 + rows[i].vsil);
		free(bytes);
	}
	CU_ASSERT_STRING_EQUAL(nvp_persistent_event_name(0x0b), "Set Feature");
	CU_ASSERT_STRING_EQUAL(nvp_persistent_event_name(0x00), "reserved");
	CU_ASSERT_STRING_EQUAL(nvp_persistent_event_name(0xff), "reserved");
}

/* Every field of every table, of data that ends anywhere: what is not there is left out. */
static void tables_of_data_that_ends_early(void)
{
	static const struct nvp_field_table *const tables[] = {
		&nvp_fields_id_ns_independent, &nvp_fields_power_state, &nvp_fields_lba_format,
		&nvp_fields_error_entry, &nvp_fields_smart, &nvp_fields_ocp_smart,
		&nvp_fields_firmware_slot, &nvp_fields_persistent_log, &nvp_fields_persistent_event,
	};
	static uint8_t ones[4096];

	memset(ones, 0xff, sizeof(ones));
	for (size_t i = 0; i < NVP_ARRAY_SIZE(tables); i++) {
		size_t before = 0;

		for (size_t n = 0; n <= nvp_min_u64(tables[i]->bytes, 600); n++) {
			struct nvp_text text = { 0 };
			uint8_t *bytes = exact(ones, n);
			size_t lines = 0;

			nvp_fields_text(tables[i], bytes, n, &text);
			for (const char *c = n ? nvp_text_str(&text) : ""; *c; c++)
				lines += *c == '\n';
			CU_ASSERT_TRUE(lines >= before);
			before = lines;
			nvp_text_free(&text);
			free(bytes);
		}
		CU_ASSERT_TRUE(before > 0);
	}
}

CU_TestInfo nvp_unit_decode_lengths[] = {
	{ "short_data_is_refused_and_zeroed", short_data_is_refused_and_zeroed },
	{ "controller_lists", controller_lists },
	{ "uuid_list_without_an_end", uuid_list_without_an_end },
	{ "descriptors_at_the_end", descriptors_at_the_end },
	{ "formats", formats },
	{ "tables_of_data_that_ends_early", tables_of_data_that_ends_early },
	{ "lying_persistent_events", lying_persistent_events },
	CU_TEST_INFO_NULL,
};
