// SPDX-License-Identifier: GPL-2.0-or-later
// What is recorded in the Persistent Event log: the data of each type of event (5.16.1.14.1).

#include "core/sim/persistent_event.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/commands.h"
#include "core/sim/erase.h"
#include "core/sim/logs.h"
#include "core/sim/manage.h"

#define SNAPSHOT_NS (24 * 3600 * NVP_NS_PER_S)	/* of power-on time: at least one in each */
#define FORMAT_INCOMPLETE 0x02			/* of Format NVM Status */

static struct nvp_pel_context *context_of(const struct nvp_sim *w)
{
	return &w->commands->manage->events;
}

static uint32_t dword(const struct nvp_sim_cmd *c, unsigned dw)
{
	return nvp_le32(c->sqe + 4 * dw);
}

/* ---- what the drive does by itself ---- */

static void snapshot_due(struct nvp_sim *w, uint64_t plan);

static void snapshot(struct nvp_sim *w)
{
	struct nvp_pel_context *context = context_of(w);
	uint8_t smart[NVP_PEL_DATA_BYTES] = { 0 };

	nvp_log_fill_smart(w, smart);
	if (!nvp_defect(w, NVP_HOOK_PEL_NO_SNAPSHOT))
		nvp_pel_add(w, NVP_PEL_SNAPSHOT, smart, sizeof(smart));
	nvp_event_add(w, NVP_SCOPE_DEVICE, SNAPSHOT_NS, snapshot_due, ++context->snapshot);
}

static void snapshot_due(struct nvp_sim *w, uint64_t plan)
{
	if (plan == context_of(w)->snapshot)
		snapshot(w);
}

/* Firmware Revision, and the descriptor of this controller. */
static void add_reset(struct nvp_sim *w, bool formats)
{
	uint8_t data[8 + 36] = { 0 };
	struct nvp_firmware_state *firmware = &w->commands->manage->firmware;

	memcpy(data, nvp_firmware_running(w), 8);
	if (nvp_defect(w, NVP_HOOK_PEL_RESET_FIRMWARE))
		memcpy(data, "OTHER1.0", 8);
	nvp_put_le16(data + 8, w->cntlid);
	data[8 + 2] = firmware->activated;
	data[8 + 3] = formats;
	nvp_put_le32(data + 8 + 16, (uint32_t)nvp_counted(w, NVP_COUNT_POWER_CYCLES));
	nvp_put_le64(data + 8 + 20, nvp_counted(w, NVP_COUNT_POWER_ON_NS) / NVP_NS_PER_MS);
	nvp_time_fill(w, data + 8 + 28);
	nvp_pel_add(w, NVP_PEL_RESET, data, sizeof(data));
	firmware->activated = false;
}

void nvp_pel_power_on(struct nvp_sim *w, bool lost)
{
	if (!nvp_sim_has_persistent_events(w))
		return;
	if (nvp_defect(w, NVP_HOOK_PEL_LOST_POWER))
		nvp_pel_forget(w);
	context_of(w)->reset_ns = nvp_sim_now(w);
	if (lost)
		nvp_pel_hardware_error(w, NVP_PEL_POWER_LOST);
	add_reset(w, false);
	snapshot(w);
}

void nvp_pel_reset(struct nvp_sim *w, bool formats)
{
	if (!nvp_sim_has_persistent_events(w))
		return;
	if (!nvp_defect(w, NVP_HOOK_PEL_CONTEXT_KEPT))
		nvp_pel_release(w);
	if (nvp_defect(w, NVP_HOOK_PEL_LOST_RESET))
		nvp_pel_forget(w);
	context_of(w)->reset_ns = nvp_sim_now(w);
	add_reset(w, formats);
}

/* An unexpected loss of power has how many there were; a fatal status nothing more. */
void nvp_pel_hardware_error(struct nvp_sim *w, enum nvp_pel_hardware_error code)
{
	uint8_t data[4 + 16] = { 0 };
	uint32_t bytes = code == NVP_PEL_POWER_LOST ? sizeof(data) : 4;

	nvp_put_le16(data, (uint16_t)code);
	nvp_counter_get(w, NVP_COUNT_UNSAFE_SHUTDOWNS, data + 4);
	nvp_pel_add(w, NVP_PEL_HARDWARE_ERROR, data, bytes);
}

/* ---- what hosts ask for ---- */

void nvp_pel_command_done(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	struct nvp_firmware_state *firmware = &w->commands->manage->firmware;
	uint8_t data[22] = { 0 };

	if (c->sqid || c->opcode != NVP_ADMIN_FIRMWARE_COMMIT)
		return;
	memcpy(data, firmware->before, 8);
	memcpy(data + 8, nvp_firmware_wanted(w, c), 8);
	data[16] = dword(c, 10) >> 3 & 7;
	data[17] = dword(c, 10) & 7;
	if (!nvp_defect(w, NVP_HOOK_PEL_FIRMWARE)) {
		data[18] = c->sct;
		data[19] = c->sc;
	}
	nvp_pel_add(w, NVP_PEL_FIRMWARE_COMMIT, data, sizeof(data));
}

/* Previous Timestamp, and Milliseconds Since Reset; the event has the new one. */
void nvp_pel_timestamp(struct nvp_sim *w, const uint8_t before[8])
{
	uint8_t data[16];

	memcpy(data, before, 8);
	if (nvp_defect(w, NVP_HOOK_PEL_TIMESTAMP))
		nvp_time_fill(w, data);
	nvp_put_le64(data + 8, (nvp_sim_now(w) - context_of(w)->reset_ns) / NVP_NS_PER_MS);
	nvp_pel_add(w, NVP_PEL_TIMESTAMP, data, sizeof(data));
}

void nvp_pel_namespace(struct nvp_sim *w, const struct nvp_sim_cmd *c, const struct nvp_sim_ns *ns)
{
	uint8_t data[48] = { 0 };

	nvp_put_le32(data, dword(c, 10));
	nvp_put_le32(data + 44, NVP_NSID_ALL);
	if (ns) {
		nvp_put_le64(data + 8, ns->nr_lbas);
		nvp_put_le64(data + 24, ns->capacity_lbas);
		data[32] = (uint8_t)((ns->format & 0xf) | ns->meta_extended << 4);
		data[33] = (uint8_t)(ns->pi_type | ns->pi_first << 3);
		data[34] = ns->shared;
		nvp_put_le32(data + 44, nvp_defect(w, NVP_HOOK_PEL_NAMESPACE) ? 0 : ns->nsid);
	}
	nvp_pel_add(w, NVP_PEL_NAMESPACE, data, sizeof(data));
}

void nvp_pel_format_start(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	uint8_t data[12] = { 0 };

	nvp_put_le32(data, c->nsid);
	data[4] = w->profile->fna;
	nvp_put_le32(data + 8, nvp_defect(w, NVP_HOOK_PEL_FORMAT) ? ~dword(c, 10) : dword(c, 10));
	nvp_pel_add(w, NVP_PEL_FORMAT_START, data, sizeof(data));
}

void nvp_pel_format_done(struct nvp_sim *w, const struct nvp_sim_cmd *c, uint32_t nsid,
			 unsigned left)
{
	uint8_t data[12] = { 0 };

	nvp_put_le32(data, nsid);
	data[4] = (uint8_t)left;
	data[5] = c ? 0 : FORMAT_INCOMPLETE;
	if (c)
		nvp_put_le16(data + 8, (uint16_t)(c->sc << 1 | c->sct << 9 | c->dnr << 15));
	if (nvp_defect(w, NVP_HOOK_PEL_FORMAT_STATUS))
		nvp_put_le16(data + 8, NVP_SC_INTERNAL << 1);
	nvp_pel_add(w, NVP_PEL_FORMAT_DONE, data, sizeof(data));
}

void nvp_pel_sanitize_start(struct nvp_sim *w, uint32_t cdw10, uint32_t cdw11)
{
	uint8_t data[12];

	nvp_put_le32(data, w->profile->sanicap);
	nvp_put_le32(data + 4, nvp_defect(w, NVP_HOOK_PEL_SANITIZE) ? 0 : cdw10);
	nvp_put_le32(data + 8, cdw11);
	nvp_pel_add(w, NVP_PEL_SANITIZE_START, data, sizeof(data));
}

/* SPROG and SSTAT as the Sanitize Status log has them now. */
void nvp_pel_sanitize_done(struct nvp_sim *w)
{
	uint8_t log[512] = { 0 }, data[8] = { 0 };

	nvp_log_fill_sanitize(w, log);
	memcpy(data, log, nvp_defect(w, NVP_HOOK_PEL_SANITIZE_STATUS) ? 2 : 4);
	nvp_pel_add(w, NVP_PEL_SANITIZE_DONE, data, sizeof(data));
}

/* Dwords 10 and 11, no memory. */
void nvp_pel_set_feature(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	uint8_t data[12];

	nvp_put_le32(data, nvp_defect(w, NVP_HOOK_PEL_FEATURE_SHORT) ? 1 : 2);
	memcpy(data + 4, c->sqe + 40, 8);
	if (nvp_defect(w, NVP_HOOK_PEL_FEATURE))
		data[8] ^= 1;
	nvp_pel_add(w, NVP_PEL_SET_FEATURE, data, sizeof(data));
}

void nvp_pel_telemetry(struct nvp_sim *w, const uint8_t header[512])
{
	nvp_pel_add(w, NVP_PEL_TELEMETRY, header, 512);
}
