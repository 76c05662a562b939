// SPDX-License-Identifier: GPL-2.0-or-later
// The Persistent Event log as values: its header, and one event after the other.

#include <nvproof/decode.h>

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "core/nvme/fields.h"

#define GET(type, key) ((type)nvp_field_get(t, b, key))
#define LHL_FROM 20	/* Log Header Length counts from here */
#define EHL_FROM 3	/* Event Header Length */

static const uint8_t *at(const struct nvp_field_table *t, const uint8_t *b, const char *key)
{
	return b + nvp_field_find(t, key)->offset;
}

int nvp_decode_persistent_log(const void *bytes, size_t nr_bytes, struct nvp_persistent_log *out)
{
	const struct nvp_field_table *t = &nvp_fields_persistent_log;
	const uint8_t *b = bytes;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	out->lid = GET(uint8_t, "lid");
	out->nr_events = GET(uint32_t, "tnev");
	out->bytes = GET(uint64_t, "tll");
	out->revision = GET(uint8_t, "rv");
	out->header_bytes = LHL_FROM + GET(uint32_t, "lhl");
	nvp_decode_timestamp(at(t, b, "ts"), 8, &out->time);
	out->power_on_hours = (struct nvp_u128){ .low = nvp_le64(at(t, b, "poh")),
						 .high = nvp_le64(at(t, b, "poh") + 8) };
	out->power_cycles = GET(uint64_t, "pcc");
	out->vid = GET(uint16_t, "vid");
	out->ssvid = GET(uint16_t, "ssvid");
	nvp_ascii_text(at(t, b, "sn"), 20, out->sn);
	nvp_ascii_text(at(t, b, "mn"), 40, out->mn);
	nvp_ascii_text(at(t, b, "subnqn"), 256, out->subnqn);
	out->generation = GET(uint16_t, "gen_number");
	out->existed = GET(bool, "rci_exists");
	memcpy(out->supported, at(t, b, "seb"), sizeof(out->supported));
	return 0;
}

int nvp_decode_persistent_event(const void *bytes, size_t nr_bytes,
				struct nvp_persistent_event *out)
{
	const struct nvp_field_table *t = &nvp_fields_persistent_event;
	const uint8_t *b = bytes;
	size_t header, length, vendor;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	header = EHL_FROM + GET(size_t, "ehl");
	length = GET(size_t, "el");
	vendor = GET(size_t, "vsil");
	if (header < t->bytes || header + length > nr_bytes || vendor > length)
		return -EMSGSIZE;
	out->type = GET(uint8_t, "etype");
	out->revision = GET(uint8_t, "etype_rev");
	out->cntlid = GET(uint16_t, "cntlid");
	nvp_decode_timestamp(at(t, b, "ets"), 8, &out->time);
	out->port_type = GET(uint8_t, "port_type");
	out->port = GET(uint16_t, "pelpid");
	out->data = b + header + vendor;
	out->data_bytes = (uint32_t)(length - vendor);
	out->bytes = (uint32_t)(header + length);
	return 0;
}

static const char *const event_names[] = {
	[0x01] = "SMART / Health Log Snapshot",
	[0x02] = "Firmware Commit",
	[0x03] = "Timestamp Change",
	[0x04] = "Power-on or Reset",
	[0x05] = "NVM Subsystem Hardware Error",
	[0x06] = "Change Namespace",
	[0x07] = "Format NVM Start",
	[0x08] = "Format NVM Completion",
	[0x09] = "Sanitize Start",
	[0x0a] = "Sanitize Completion",
	[0x0b] = "Set Feature",
	[0x0c] = "Telemetry Log Create",
	[0x0d] = "Thermal Excursion",
};

const char *nvp_persistent_event_name(uint8_t type)
{
	if (type < NVP_ARRAY_SIZE(event_names) && event_names[type])
		return event_names[type];
	return type == 0xde ? "Vendor Specific" : type == 0xdf ? "TCG Defined" : "reserved";
}
