// SPDX-License-Identifier: GPL-2.0-or-later
// Log pages 00h 01h 02h 03h 05h 12h as values (NVMe Base 2.0 section 5.16.1).

#include <nvproof/decode.h>

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "core/nvme/fields.h"
#include "core/nvme/names.h"

#define GET(type, key) ((type)nvp_field_get(t, b, key))

static void le32_array(const void *bytes, size_t nr, uint32_t *out)
{
	for (size_t i = 0; i < nr; i++)
		out[i] = nvp_le32((const uint8_t *)bytes + 4 * i);
}

int nvp_decode_supported_logs(const void *bytes, size_t nr_bytes, struct nvp_supported_logs *out)
{
	memset(out, 0, sizeof(*out));
	if (nr_bytes < 1024)
		return -EMSGSIZE;
	le32_array(bytes, 256, out->lid);
	return 0;
}

int nvp_decode_effects(const void *bytes, size_t nr_bytes, struct nvp_effects *out)
{
	memset(out, 0, sizeof(*out));
	if (nr_bytes < 4096)
		return -EMSGSIZE;
	le32_array(bytes, 256, out->admin);
	le32_array((const uint8_t *)bytes + 1024, 256, out->io);
	return 0;
}

int nvp_decode_feature_effects(const void *bytes, size_t nr_bytes, struct nvp_feature_effects *out)
{
	memset(out, 0, sizeof(*out));
	if (nr_bytes < 1024)
		return -EMSGSIZE;
	le32_array(bytes, 256, out->fid);
	return 0;
}

int nvp_decode_error_entry(const void *b, size_t nr_bytes, struct nvp_error_entry *out)
{
	const struct nvp_field_table *t = &nvp_fields_error_entry;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	out->count = GET(uint64_t, "error_count");
	out->sqid = GET(uint16_t, "sqid");
	out->cid = GET(uint16_t, "cid");
	out->status = nvp_status_from_cqe(GET(uint16_t, "status_field"));
	out->location = GET(uint16_t, "parameter_error_location");
	out->lba = GET(uint64_t, "lba");
	out->nsid = GET(uint32_t, "nsid");
	out->vendor_log = GET(uint8_t, "vendor_log");
	out->transport = GET(uint8_t, "trtype");
	out->command_specific = GET(uint64_t, "command_specific");
	out->transport_specific = GET(uint16_t, "transport_specific");
	return 0;
}

int nvp_u128_compare(const struct nvp_u128 *a, const struct nvp_u128 *b)
{
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return 0;
}

struct nvp_u128 nvp_u128_minus(const struct nvp_u128 *a, const struct nvp_u128 *b)
{
	return (struct nvp_u128) {
		.low = a->low - b->low,
		.high = a->high - b->high - (a->low < b->low),
	};
}

static struct nvp_u128 get_u128(const void *bytes, const char *key)
{
	const uint8_t *at = (const uint8_t *)bytes + nvp_field_find(&nvp_fields_smart, key)->offset;

	return (struct nvp_u128) { .low = nvp_le64(at), .high = nvp_le64(at + 8) };
}

int nvp_decode_smart(const void *b, size_t nr_bytes, struct nvp_smart *out)
{
	const struct nvp_field_table *t = &nvp_fields_smart;
	const uint8_t *sensor;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	out->critical_warning = GET(uint8_t, "critical_warning");
	out->composite_temperature_k = GET(uint16_t, "composite_temperature");
	out->available_spare_pct = GET(uint8_t, "available_spare");
	out->spare_threshold_pct = GET(uint8_t, "spare_threshold");
	out->percentage_used = GET(uint8_t, "percentage_used");
	out->egcws = GET(uint8_t, "egcws");
	out->data_units_read = get_u128(b, "data_units_read");
	out->data_units_written = get_u128(b, "data_units_written");
	out->host_reads = get_u128(b, "host_reads");
	out->host_writes = get_u128(b, "host_writes");
	out->busy_minutes = get_u128(b, "busy_minutes");
	out->power_cycles = get_u128(b, "power_cycles");
	out->power_on_hours = get_u128(b, "power_on_hours");
	out->unsafe_shutdowns = get_u128(b, "unsafe_shutdowns");
	out->media_errors = get_u128(b, "media_errors");
	out->error_log_entries = get_u128(b, "error_log_entries");
	out->warning_temp_minutes = GET(uint32_t, "warning_temp_minutes");
	out->critical_temp_minutes = GET(uint32_t, "critical_temp_minutes");
	sensor = (const uint8_t *)b + nvp_field_find(t, "sensor1")->offset;
	for (size_t i = 0; i < NVP_ARRAY_SIZE(out->sensor_k); i++)
		out->sensor_k[i] = nvp_le16(sensor + 2 * i);
	return 0;
}

int nvp_decode_firmware_slots(const void *b, size_t nr_bytes, struct nvp_firmware_slots *out)
{
	const struct nvp_field_table *t = &nvp_fields_firmware_slot;
	const uint8_t *revision;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	out->active_slot = GET(uint8_t, "active_slot");
	out->next_slot = GET(uint8_t, "next_slot");
	revision = (const uint8_t *)b + nvp_field_find(t, "frs1")->offset;
	for (size_t i = 0; i < NVP_ARRAY_SIZE(out->revision); i++)
		nvp_ascii_text(revision + 8 * i, 8, out->revision[i]);
	return 0;
}

static const char *const log_names[256] = {
	[0x00] = "Supported Log Pages",
	[0x01] = "Error Information",
	[0x02] = "SMART / Health Information",
	[0x03] = "Firmware Slot Information",
	[0x04] = "Changed Namespace List",
	[0x05] = "Commands Supported and Effects",
	[0x06] = "Device Self-test",
	[0x07] = "Telemetry Host-Initiated",
	[0x08] = "Telemetry Controller-Initiated",
	[0x09] = "Endurance Group Information",
	[0x0a] = "Predictable Latency Per NVM Set",
	[0x0b] = "Predictable Latency Event Aggregate",
	[0x0c] = "Asymmetric Namespace Access",
	[0x0d] = "Persistent Event Log",
	[0x0e] = "LBA Status Information",
	[0x0f] = "Endurance Group Event Aggregate",
	[0x10] = "Media Unit Status",
	[0x11] = "Supported Capacity Configuration List",
	[0x12] = "Feature Identifiers Supported and Effects",
	[0x13] = "NVMe-MI Commands Supported and Effects",
	[0x14] = "Command and Feature Lockdown",
	[0x15] = "Boot Partition",
	[0x16] = "Rotational Media Information",
	[0x20] = "FDP Configurations",
	[0x21] = "Reclaim Unit Handle Usage",
	[0x22] = "FDP Statistics",
	[0x23] = "FDP Events",
	[0x70] = "Discovery",
	[0x80] = "Reservation Notification",
	[0x81] = "Sanitize Status",
	[0xbf] = "Changed Zone List",
};

static const char *const numbered[256] = { NVP_NAMES_256("log ") };

const char *nvp_log_name(uint8_t lid)
{
	return log_names[lid] ? log_names[lid] : numbered[lid];
}
