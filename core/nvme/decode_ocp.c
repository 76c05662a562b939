// SPDX-License-Identifier: GPL-2.0-or-later
// Logs of OCP drives and the list of UUIDs that names their vendor-specific values.

#include <nvproof/decode.h>
#include <nvproof/ocp.h>

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/nvme/fields.h"

#define GUID_BYTES 16
#define VERSION_BYTES 2
#define GET(type, key) ((type)nvp_field_get(t, b, key))

/* The GUIDs are numbers: the lowest byte comes first in the log. */
static const struct {
	uint8_t lid;
	uint32_t bytes;
	uint8_t guid[GUID_BYTES];
} logs[] = {
	{ NVP_OCP_LOG_SMART, 512,	/* AFD514C97C6F4F9CA4F2BFEA2810AFC5 */
	  { 0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
	    0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf } },
	{ NVP_OCP_LOG_ERROR_RECOVERY, 512,	/* 5A1983BA3DFD4DABAE3430FE2131D944 */
	  { 0x44, 0xd9, 0x31, 0x21, 0xfe, 0x30, 0x34, 0xae,
	    0xab, 0x4d, 0xfd, 0x3d, 0xba, 0x83, 0x19, 0x5a } },
	{ NVP_OCP_LOG_LATENCY, 512,	/* 85D45E58D4E643709C6C84D08CC07A92 */
	  { 0x92, 0x7a, 0xc0, 0x8c, 0xd0, 0x84, 0x6c, 0x9c,
	    0x70, 0x43, 0xe6, 0xd4, 0x58, 0x5e, 0xd4, 0x85 } },
	{ NVP_OCP_LOG_CAPABILITIES, 4096,	/* B7053C914B58495D98C9E1D10D054297 */
	  { 0x97, 0x42, 0x05, 0x0d, 0xd1, 0xe1, 0xc9, 0x98,
	    0x5d, 0x49, 0x58, 0x4b, 0x91, 0x3c, 0x05, 0xb7 } },
	{ NVP_OCP_LOG_UNSUPPORTED, 4096,	/* C7BB98B7D0324863BB2C23990E9C722F */
	  { 0x2f, 0x72, 0x9c, 0x0e, 0x99, 0x23, 0x2c, 0xbb,
	    0x63, 0x48, 0x32, 0xd0, 0xb7, 0x98, 0xbb, 0xc7 } },
};

/* UUIDs stand in the list as they are written. */
static const uint8_t uuid[16] = {
	0xc1, 0x94, 0xd5, 0x5b, 0xe0, 0x94, 0x47, 0x94,
	0xa2, 0x1d, 0x29, 0x99, 0x8f, 0x56, 0xbe, 0x6f,
};

uint32_t nvp_ocp_log_bytes(uint8_t lid)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(logs); i++)
		if (logs[i].lid == lid)
			return logs[i].bytes;
	return 0;
}

const uint8_t *nvp_ocp_guid(uint8_t lid)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(logs); i++)
		if (logs[i].lid == lid)
			return logs[i].guid;
	return NULL;
}

const uint8_t *nvp_ocp_uuid(void)
{
	return uuid;
}

bool nvp_ocp_is(uint8_t lid, const void *bytes, size_t nr_bytes)
{
	uint32_t log_bytes = nvp_ocp_log_bytes(lid);

	return log_bytes && nr_bytes >= log_bytes &&
	       !memcmp((const uint8_t *)bytes + log_bytes - GUID_BYTES, nvp_ocp_guid(lid),
		       GUID_BYTES);
}

uint16_t nvp_ocp_version(uint8_t lid, const void *bytes, size_t nr_bytes)
{
	uint32_t log_bytes = nvp_ocp_log_bytes(lid);

	if (!log_bytes || nr_bytes < log_bytes)
		return 0;
	return nvp_le16((const uint8_t *)bytes + log_bytes - GUID_BYTES - VERSION_BYTES);
}

static struct nvp_u128 get_u128(const uint8_t *b, const char *key)
{
	const uint8_t *at = b + nvp_field_find(&nvp_fields_ocp_smart, key)->offset;

	return (struct nvp_u128){ .low = nvp_le64(at), .high = nvp_le64(at + 8) };
}

int nvp_decode_ocp_smart(const void *bytes, size_t nr_bytes, struct nvp_ocp_smart *out)
{
	const struct nvp_field_table *t = &nvp_fields_ocp_smart;
	const uint8_t *b = bytes;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	out->media_bytes_written = get_u128(b, "media_bytes_written");
	out->media_bytes_read = get_u128(b, "media_bytes_read");
	out->plp_starts = get_u128(b, "plp_starts");
	out->endurance_bytes = get_u128(b, "endurance_bytes");
	out->soft_ecc_errors = GET(uint64_t, "soft_ecc_errors");
	out->unrecoverable_reads = GET(uint64_t, "unrecoverable_reads");
	out->pcie_correctable_errors = GET(uint64_t, "pcie_correctable_errors");
	out->link_retrainings = GET(uint64_t, "link_retrainings");
	out->power_state_changes = GET(uint64_t, "power_state_changes");
	out->unaligned_io = GET(uint64_t, "unaligned_io");
	out->nuse_lbas = GET(uint64_t, "nuse");
	out->incomplete_shutdowns = GET(uint32_t, "incomplete_shutdowns");
	out->capacitor_health_pct = GET(uint16_t, "capacitor_health");
	out->free_blocks_pct = GET(uint8_t, "free_blocks");
	out->version = GET(uint16_t, "version");
	return 0;
}

int nvp_decode_uuid_list(const void *bytes, size_t nr_bytes, struct nvp_uuid_list *out)
{
	static const uint8_t none[16];
	const uint8_t *b = bytes;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < NVP_IDENTIFY_BYTES)
		return -EMSGSIZE;
	for (; out->nr < NVP_ARRAY_SIZE(out->uuid); out->nr++) {
		const uint8_t *entry = b + 32 * (out->nr + 1);

		if (!memcmp(entry + 16, none, sizeof(none)))
			break;
		out->association[out->nr] = entry[0] & 3;
		memcpy(out->uuid[out->nr], entry + 16, 16);
	}
	return 0;
}
