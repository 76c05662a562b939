// SPDX-License-Identifier: GPL-2.0-or-later
// Logs, features and the UUID of the OCP Datacenter NVMe SSD specification, version 2.0.

#include "core/sim/ocp.h"

#include <nvproof/ocp.h>

#include <string.h>

#include "core/base/bits.h"
#include "core/nvme/fields.h"
#include "core/sim/commands.h"

#define PUT(key, value) nvp_field_put(&nvp_fields_ocp_smart, data, key, value)
#define NO_PLP 0xffff			/* Capacitor Health of a drive without protection */
#define DRIVE_WRITES 1825		/* endurance: one write of the whole drive a day, five years */
#define NR_UUIDS 1

/* Version and GUID, the last 18 bytes of each log. */
static void put_end(const struct nvp_sim *w, uint8_t *data, uint8_t lid, uint16_t version)
{
	uint8_t *guid = data + nvp_ocp_log_bytes(lid) - 16;

	memcpy(guid, nvp_ocp_guid(lid), 16);
	if (nvp_defect(w, NVP_HOOK_OCP_GUID) &&
	    nvp_defect_value(w, NVP_HOOK_OCP_GUID, "log", lid) == lid)
		guid[0] ^= 1;
	nvp_put_le16(guid - 2, nvp_defect(w, NVP_HOOK_OCP_VERSION) ? 0 : version);
}

/* A counter times unit_bytes; the counters of a run are far from 2^64. */
static void put_count(struct nvp_sim *w, uint8_t *data, const char *key, enum nvp_counter which,
		      unsigned unit_bytes)
{
	nvp_put_le64(data + nvp_field_find(&nvp_fields_ocp_smart, key)->offset,
		     nvp_counted(w, which) * unit_bytes);
}

void nvp_ocp_fill_smart(struct nvp_sim *w, uint8_t *data)
{
	uint64_t used = 0;

	for (uint32_t i = 0; i < w->nr_ns; i++)
		used += w->ns[i].nr_used;
	put_count(w, data, "media_bytes_written", NVP_COUNT_MEDIA_SECTORS, 512);
	if (nvp_defect(w, NVP_HOOK_OCP_SMART_DOWN))
		nvp_put_le64(data, UINT64_C(1) << 40 >> nvp_min_u64(w->commands->smart_reads++, 40));
	put_count(w, data, "media_bytes_read", NVP_COUNT_SECTORS_READ, 512);
	PUT("bad_user_normalized", 100);
	PUT("bad_system_normalized", 100);
	PUT("dssd_major", 2);
	PUT("free_blocks", 100);
	PUT("capacitor_health", !w->config->plp || nvp_defect(w, NVP_HOOK_OCP_NO_PLP) ? NO_PLP :
	    100);
	PUT("incomplete_shutdowns", (uint32_t)nvp_counted(w, NVP_COUNT_INCOMPLETE_SHUTDOWNS));
	PUT("nuse", used);
	if (!nvp_defect(w, NVP_HOOK_OCP_STARTS))
		put_count(w, data, "plp_starts", NVP_COUNT_PLP_STARTS, 1);
	nvp_put_le64(data + nvp_field_find(&nvp_fields_ocp_smart, "endurance_bytes")->offset,
		     w->config->size_bytes * DRIVE_WRITES);
	PUT("power_state_changes", nvp_counted(w, NVP_COUNT_POWER_STATES));
	if (nvp_defect(w, NVP_HOOK_OCP_RESERVED))
		data[300] = 0xa5;
	put_end(w, data, NVP_OCP_LOG_SMART, 3);
}

/* After a panic a controller reset is enough, and nothing more is to be done. */
void nvp_ocp_fill_error_recovery(struct nvp_sim *w, uint8_t *data)
{
	nvp_put_le16(data, (uint16_t)nvp_min_u64(w->profile->enable_ns / 1000000, 0xffff));
	data[2] = 1 << 0;		/* Panic Reset Action: NVMe controller reset */
	data[3] = 1 << 0;		/* Device Recovery Action: none required */
	nvp_put_le32(data + 12, 1 << 1);	/* Device Capabilities: panic shows as CSTS.CFS */
	put_end(w, data, NVP_OCP_LOG_ERROR_RECOVERY, 2);
}

void nvp_ocp_fill_capabilities(struct nvp_sim *w, uint8_t *data)
{
	nvp_put_le16(data, 1);			/* PCIe ports */
	nvp_put_le16(data + 4, 0x3);		/* Write Zeroes, with DEAC */
	nvp_put_le16(data + 8, 0x3);		/* Dataset Management, with AD */
	nvp_put_le16(data + 10, 0x7);		/* Write Uncorrectable, one block to the most */
	nvp_put_le16(data + 12, 0x1);		/* fused Compare and Write */
	nvp_put_le16(data + 14, 25);		/* least valid DSSD power state: watts */
	data[16] = 0x80 | 25;
	put_end(w, data, NVP_OCP_LOG_CAPABILITIES, 1);
}

/* What a simulated drive has none of, by the names of the requirements: management interfaces. */
void nvp_ocp_fill_unsupported(struct nvp_sim *w, uint8_t *data)
{
	nvp_put_le16(data, 0);
	put_end(w, data, NVP_OCP_LOG_UNSUPPORTED, 1);
}

void nvp_ocp_fill_uuid_list(const struct nvp_sim *w, uint8_t *data)
{
	memcpy(data + 32 + 16, nvp_ocp_uuid(), 16);
	if (nvp_defect(w, NVP_HOOK_OCP_UUID))
		data[32 + 16] ^= 1;
}

bool nvp_ocp_bad_uuid_index(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	return w->profile->ocp && (c->sqe[56] & 0x7f) > NR_UUIDS &&
	       !nvp_defect(w, NVP_HOOK_OCP_UUID_OK);
}

bool nvp_ocp_take_value(const struct nvp_sim *w, uint8_t fid, uint32_t dw11, uint32_t *value)
{
	switch (fid) {
	case NVP_OCP_FID_PLP_MODE:
		*value = dw11 >> 30;
		return *value || nvp_defect(w, NVP_HOOK_OCP_MODE_OK);
	case NVP_OCP_FID_CLEAR_PCIE:	/* no error was counted; it has no value to read */
		*value = 0;
		return true;
	default:
		*value = dw11 >> 16;
		return true;
	}
}
