// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the decoders of logs, features and events: good, short and lying data.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libnvme.h>

#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/nvme/features.h"
#include "tests/unit/unit.h"

union any_out {
	struct nvp_supported_logs supported;
	struct nvp_error_entry error;
	struct nvp_smart smart;
	struct nvp_firmware_slots slots;
	struct nvp_effects effects;
	struct nvp_feature_effects features;
};

#define WRAP(name, member)								\
	static int call_ ## name(const void *b, size_t n, union any_out *out)		\
	{										\
		return nvp_decode_ ## name(b, n, &out->member);				\
	}
WRAP(supported_logs, supported)
WRAP(error_entry, error)
WRAP(smart, smart)
WRAP(firmware_slots, slots)
WRAP(effects, effects)
WRAP(feature_effects, features)

static const struct {
	int (*call)(const void *b, size_t n, union any_out *out);
	size_t bytes, out_bytes;
} decoders[] = {
	{ call_supported_logs, 1024, sizeof(struct nvp_supported_logs) },
	{ call_error_entry, 64, sizeof(struct nvp_error_entry) },
	{ call_smart, 512, sizeof(struct nvp_smart) },
	{ call_firmware_slots, 512, sizeof(struct nvp_firmware_slots) },
	{ call_effects, 4096, sizeof(struct nvp_effects) },
	{ call_feature_effects, 1024, sizeof(struct nvp_feature_effects) },
};

static void short_data_is_refused_and_zeroed(void)
{
	static union any_out out;

	for (size_t d = 0; d < NVP_ARRAY_SIZE(decoders); d++) {
		size_t full = decoders[d].bytes;

		for (size_t n = 0; n <= full + 1; n += n + 9 < full ? 7 : 1) {
			uint8_t *bytes = malloc(n ? n : 1);
			int rc;

			CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
			memset(bytes, 0xff, n);
			memset(&out, 0xaa, sizeof(out));
			rc = decoders[d].call(bytes, n, &out);
			CU_ASSERT_EQUAL(rc, n < full ? -EMSGSIZE : 0);
			if (rc)
				CU_ASSERT_TRUE(nvp_all_zero(&out, decoders[d].out_bytes));
			free(bytes);
		}
	}
}

static void error_entry(void)
{
	uint8_t b[64];
	struct nvp_error_entry out;

	for (unsigned i = 0; i < 64; i++)
		b[i] = (uint8_t)(i + 1);
	nvp_put_le16(b + 12, 0x8005);		/* phase set: is not part of the status */
	CU_ASSERT_EQUAL(nvp_decode_error_entry(b, sizeof(b), &out), 0);
	CU_ASSERT_EQUAL(out.count, UINT64_C(0x0807060504030201));
	CU_ASSERT_TRUE(out.sqid == 0x0a09 && out.cid == 0x0c0b);
	CU_ASSERT_TRUE(nvp_status_is(&out.status, 0, 2) && out.status.dnr);
	CU_ASSERT_EQUAL(out.location, 0x100f);
	CU_ASSERT_EQUAL(out.lba, UINT64_C(0x1817161514131211));
	CU_ASSERT_EQUAL(out.nsid, 0x1c1b1a19);
	CU_ASSERT_TRUE(out.vendor_log == 29 && out.transport == 30);
	CU_ASSERT_EQUAL(out.command_specific, UINT64_C(0x2827262524232221));
	CU_ASSERT_EQUAL(out.transport_specific, 0x2a29);
}

static bool counter_is(const struct nvp_u128 *c, unsigned first)
{
	uint64_t low = 0, high = 0;

	for (unsigned i = 8; i > 0; i--) {
		low = low << 8 | ((first + i - 1) & 0xff);
		high = high << 8 | ((first + 8 + i - 1) & 0xff);
	}
	return c->low == low && c->high == high;
}

/* Byte i is i (mod 256), so that each counter shows where it was read. */
static void smart(void)
{
	uint8_t b[512];
	struct nvp_smart out;

	for (unsigned i = 0; i < 512; i++)
		b[i] = (uint8_t)i;
	CU_ASSERT_EQUAL(nvp_decode_smart(b, sizeof(b), &out), 0);
	CU_ASSERT_TRUE(out.critical_warning == 0 && out.composite_temperature_k == 0x0201);
	CU_ASSERT_TRUE(out.available_spare_pct == 3 && out.spare_threshold_pct == 4);
	CU_ASSERT_TRUE(out.percentage_used == 5 && out.egcws == 6);
	CU_ASSERT_TRUE(counter_is(&out.data_units_read, 32));
	CU_ASSERT_TRUE(counter_is(&out.data_units_written, 48));
	CU_ASSERT_TRUE(counter_is(&out.host_reads, 64));
	CU_ASSERT_TRUE(counter_is(&out.host_writes, 80));
	CU_ASSERT_TRUE(counter_is(&out.busy_minutes, 96));
	CU_ASSERT_TRUE(counter_is(&out.power_cycles, 112));
	CU_ASSERT_TRUE(counter_is(&out.power_on_hours, 128));
	CU_ASSERT_TRUE(counter_is(&out.unsafe_shutdowns, 144));
	CU_ASSERT_TRUE(counter_is(&out.media_errors, 160));
	CU_ASSERT_TRUE(counter_is(&out.error_log_entries, 176));
	CU_ASSERT_EQUAL(out.warning_temp_minutes, 0xc3c2c1c0);
	CU_ASSERT_EQUAL(out.critical_temp_minutes, 0xc7c6c5c4);
	for (unsigned i = 0; i < 8; i++)
		CU_ASSERT_EQUAL(out.sensor_k[i], (0xc9 + 2 * i) << 8 | (0xc8 + 2 * i));
}

static void counters_are_exact(void)
{
	struct nvp_u128 zero = { 0 }, one = { .low = 1 }, carry = { .high = 1 };
	struct nvp_u128 most = { .low = UINT64_MAX, .high = UINT64_MAX };
	struct nvp_u128 d;

	CU_ASSERT_EQUAL(nvp_u128_compare(&zero, &zero), 0);
	CU_ASSERT_EQUAL(nvp_u128_compare(&one, &zero), 1);
	CU_ASSERT_EQUAL(nvp_u128_compare(&one, &carry), -1);
	CU_ASSERT_EQUAL(nvp_u128_compare(&most, &carry), 1);
	CU_ASSERT_EQUAL(nvp_u128_compare(&most, &most), 0);
	d = nvp_u128_minus(&carry, &one);
	CU_ASSERT_TRUE(d.low == UINT64_MAX && d.high == 0);
	d = nvp_u128_minus(&zero, &one);
	CU_ASSERT_EQUAL(nvp_u128_compare(&d, &most), 0);
	d = nvp_u128_minus(&most, &most);
	CU_ASSERT_EQUAL(nvp_u128_compare(&d, &zero), 0);
}

static void firmware_slots(void)
{
	uint8_t b[512] = { 0xb9 };	/* reserved bits 3 and 7 set: slot 1 now, slot 3 next */
	struct nvp_firmware_slots out;

	memcpy(b + 8, "1.0     ", 8);
	memcpy(b + 24, "\xff" "2345678", 8);
	memcpy(b + 56, "seven\0\0\0X", 9);
	CU_ASSERT_EQUAL(nvp_decode_firmware_slots(b, sizeof(b), &out), 0);
	CU_ASSERT_TRUE(out.active_slot == 1 && out.next_slot == 3);
	CU_ASSERT_STRING_EQUAL(out.revision[0], "1.0");
	CU_ASSERT_STRING_EQUAL(out.revision[1], "");
	CU_ASSERT_STRING_EQUAL(out.revision[2], "?2345678");
	CU_ASSERT_STRING_EQUAL(out.revision[6], "seven");
}

static void dword_logs(void)
{
	uint8_t b[4096];
	struct nvp_supported_logs supported;
	struct nvp_effects effects;
	struct nvp_feature_effects features;

	for (unsigned i = 0; i < 1024; i++)
		nvp_put_le32(b + 4 * i, 0x10000 + i);
	CU_ASSERT_EQUAL(nvp_decode_supported_logs(b, sizeof(b), &supported), 0);
	CU_ASSERT_EQUAL(nvp_decode_effects(b, sizeof(b), &effects), 0);
	CU_ASSERT_EQUAL(nvp_decode_feature_effects(b, sizeof(b), &features), 0);
	for (unsigned i = 0; i < 256; i++) {
		CU_ASSERT_EQUAL(supported.lid[i], 0x10000 + i);
		CU_ASSERT_EQUAL(effects.admin[i], 0x10000 + i);
		CU_ASSERT_EQUAL(effects.io[i], 0x10100 + i);
		CU_ASSERT_EQUAL(features.fid[i], 0x10000 + i);
	}
}

static void events_and_capabilities(void)
{
	struct nvp_async_event event = nvp_decode_async_event(0x00040002);
	struct nvp_feature_caps caps = nvp_decode_feature_caps(0);

	CU_ASSERT_TRUE(event.type == 2 && event.info == 0 && event.lid == 4);
	event = nvp_decode_async_event(0xffedcbf9);	/* reserved bits set */
	CU_ASSERT_TRUE(event.type == 1 && event.info == 0xcb && event.lid == 0xed);
	CU_ASSERT_FALSE(caps.saveable || caps.ns_specific || caps.changeable);
	caps = nvp_decode_feature_caps(1);
	CU_ASSERT_TRUE(caps.saveable && !caps.ns_specific && !caps.changeable);
	caps = nvp_decode_feature_caps(2);
	CU_ASSERT_TRUE(!caps.saveable && caps.ns_specific && !caps.changeable);
	caps = nvp_decode_feature_caps(0xfffffff4);
	CU_ASSERT_TRUE(!caps.saveable && !caps.ns_specific && caps.changeable);
}

static void names(void)
{
	CU_ASSERT_STRING_EQUAL(nvp_feature_name(NVME_FEAT_FID_VOLATILE_WC), "Volatile Write Cache");
	CU_ASSERT_STRING_EQUAL(nvp_feature_name(NVME_FEAT_FID_HOST_ID), "Host Identifier");
	CU_ASSERT_STRING_EQUAL(nvp_feature_name(0xc1), "feature C1h");
	CU_ASSERT_STRING_EQUAL(nvp_feature_name(0x00), "feature 00h");
	CU_ASSERT_STRING_EQUAL(nvp_log_name(NVME_LOG_LID_SMART), "SMART / Health Information");
	CU_ASSERT_STRING_EQUAL(nvp_log_name(NVME_LOG_LID_FID_SUPPORTED_EFFECTS),
			       "Feature Identifiers Supported and Effects");
	CU_ASSERT_STRING_EQUAL(nvp_log_name(0xff), "log FFh");
	for (unsigned i = 0; i < 256; i++) {
		CU_ASSERT_PTR_NOT_NULL(nvp_feature_name((uint8_t)i));
		CU_ASSERT_PTR_NOT_NULL(nvp_log_name((uint8_t)i));
	}
}

/* Exactly the numbers known here have a name, and each its own. */
static void check_named(const char *(*name)(uint8_t), const char *prefix, const uint8_t *numbers,
			size_t nr)
{
	for (unsigned i = 0; i < 256; i++) {
		bool is_numbered = !strncmp(name((uint8_t)i), prefix, strlen(prefix));
		bool named = memchr(numbers, (int)i, nr) != NULL;

		CU_ASSERT_EQUAL(is_numbered, !named);
		for (unsigned j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(name((uint8_t)i), name((uint8_t)j));
	}
}

static void each_known_number_has_a_name(void)
{
	static const uint8_t features[] = {
		0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
		0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1d, 0x1e, 0x7d, 0x7e,
		0x7f, 0x80, 0x81, 0x82, 0x83, 0x84,
	};
	static const uint8_t logs[] = {
		0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
		0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x20, 0x21, 0x22, 0x23, 0x70, 0x80, 0x81,
		0xbf,
	};

	check_named(nvp_feature_name, "feature ", features, sizeof(features));
	check_named(nvp_log_name, "log ", logs, sizeof(logs));
}

/* Sizes of the data structures of features, by libnvme's own where it has them. */
static void data_of_features(void)
{
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x03, 0, true), sizeof(struct nvme_lba_range_type));
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x0c, 0, true), sizeof(struct nvme_feat_auto_pst));
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x0d, 0, false), 4096);
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x0d, 0, true), 0);
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x0e, 0, true), sizeof(struct nvme_timestamp));
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x13, 0, true), sizeof(struct nvme_plm_config));
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x16, 0, true),
			sizeof(struct nvme_feat_host_behavior));
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x7e, 0, true), sizeof(struct nvme_host_metadata));
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x81, 0, false), 8);
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x81, 1, false), 16);
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0x07, 1, false), 0);
	CU_ASSERT_EQUAL(nvp_feature_data_bytes(0xc0, 1, false), 0);
}

CU_TestInfo nvp_unit_decode_log[] = {
	{ "short_data_is_refused_and_zeroed", short_data_is_refused_and_zeroed },
	{ "error_entry", error_entry },
	{ "smart", smart },
	{ "counters_are_exact", counters_are_exact },
	{ "firmware_slots", firmware_slots },
	{ "dword_logs", dword_logs },
	{ "events_and_capabilities", events_and_capabilities },
	{ "names", names },
	{ "each_known_number_has_a_name", each_known_number_has_a_name },
	{ "data_of_features", data_of_features },
	CU_TEST_INFO_NULL,
};
