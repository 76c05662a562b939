// SPDX-License-Identifier: GPL-2.0-or-later
// Get Log Page (NVMe Base 2.0, 5.16): which logs there are, and which bytes of them are given.

#include "core/sim/commands.h"

#include <nvproof/ocp.h>

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/logs.h"
#include "core/sim/manage.h"
#include "core/sim/mechanism.h"
#include "core/sim/ocp.h"
#include "core/sim/persistent_event.h"

#define NUMD_IGNORED_BYTES 4096u

struct log {
	uint8_t lid;
	uint32_t bytes;		/* 0: nvp_log_bytes() says it */
	void (*fill)(struct nvp_sim *w, uint8_t *data);
};

static void fill_supported(struct nvp_sim *w, uint8_t *data)
{
	for (unsigned lid = 0; lid < 256; lid++) {
		bool there = nvp_log_bytes(w, (uint8_t)lid) != 0;

		if (lid == 0x02 && nvp_defect(w, NVP_HOOK_LOG_SUPPORTED))
			there = false;
		nvp_put_le32(data + 4 * lid, there);	/* LSUPP; IOS 0 */
		if (there && lid == NVP_LOG_PERSISTENT_EVENT)
			data[4 * lid + 2] = 1;	/* ECRH: action 11b (2.1, 5.1.12.1.14.1) */
	}
}

static void fill_effects(struct nvp_sim *w, uint8_t *data)
{
	for (unsigned opcode = 0; opcode < 256; opcode++) {
		const struct nvp_sim_command *admin = nvp_admin_command(w, (uint8_t)opcode);
		const struct nvp_sim_command *io = nvp_io_command(w, (uint8_t)opcode);

		if (opcode == NVP_IO_FLUSH && nvp_defect(w, NVP_HOOK_LOG_EFFECTS))
			io = NULL;
		if (opcode == NVP_ADMIN_FORMAT && nvp_defect(w, NVP_HOOK_FMT_EFFECTS))
			admin = NULL;
		if (opcode == NVP_ADMIN_SANITIZE && nvp_defect(w, NVP_HOOK_SAN_EFFECTS))
			admin = NULL;
		if (admin)
			nvp_put_le32(data + 4 * opcode, NVP_EFFECT_CSUPP | admin->effects);
		if (io)
			nvp_put_le32(data + 1024 + 4 * opcode, NVP_EFFECT_CSUPP | io->effects);
	}
}

/* FSUPP and the scope, whose bits are those of a command's (5.16.1.18). */
static void fill_feature_effects(struct nvp_sim *w, uint8_t *data)
{
	for (unsigned fid = 0; fid < 256; fid++) {
		const struct nvp_sim_feature *f = nvp_feature_find(w, (uint8_t)fid);

		if (fid == NVP_FID_POWER && nvp_defect(w, NVP_HOOK_LOG_FID))
			f = NULL;
		if (f)
			nvp_put_le32(data + 4 * fid, 1u | (f->ns_specific ? NVP_EFFECT_SCOPE_NS :
							   NVP_EFFECT_SCOPE_CONTROLLER));
	}
}

static const struct log logs[] = {
	{ 0x00, 1024, fill_supported },
	{ 0x01, 0, nvp_log_fill_errors },
	{ 0x02, 512, nvp_log_fill_smart },
	{ 0x03, 512, nvp_log_fill_firmware },
	{ 0x04, 4096, nvp_log_fill_changed_ns },
	{ 0x05, 4096, fill_effects },
	{ 0x06, 564, nvp_log_fill_self_test },
	{ NVP_LOG_TELEMETRY_HOST, NVP_TELEMETRY_BYTES, nvp_log_fill_telemetry_host },
	{ NVP_LOG_TELEMETRY_CONTROLLER, 0, nvp_log_fill_telemetry_controller },
	{ NVP_LOG_PERSISTENT_EVENT, 0, nvp_log_fill_persistent },
	{ 0x12, 1024, fill_feature_effects },
	{ 0x81, 512, nvp_log_fill_sanitize },
	{ NVP_OCP_LOG_SMART, 512, nvp_ocp_fill_smart },
	{ NVP_OCP_LOG_ERROR_RECOVERY, 512, nvp_ocp_fill_error_recovery },
	{ NVP_OCP_LOG_CAPABILITIES, 4096, nvp_ocp_fill_capabilities },
	{ NVP_OCP_LOG_UNSUPPORTED, 4096, nvp_ocp_fill_unsupported },
};

static bool is_there(const struct nvp_sim *w, uint8_t lid)
{
	if (lid >= NVP_OCP_LOG_SMART)
		return w->profile->ocp;
	if (lid == 0x04)
		return nvp_sim_has_ns_management(w);
	if (lid == 0x81)
		return w->profile->sanicap & 7;
	if (lid == NVP_LOG_PERSISTENT_EVENT)
		return nvp_sim_has_persistent_events(w);
	if (lid == NVP_LOG_TELEMETRY_HOST || lid == NVP_LOG_TELEMETRY_CONTROLLER)
		return nvp_sim_has_telemetry(w);
	return lid != 0x06 || nvp_sim_has_self_test(w);
}

static const struct log *find(const struct nvp_sim *w, uint8_t lid)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(logs); i++)
		if (logs[i].lid == lid && is_there(w, lid))
			return &logs[i];
	return NULL;
}

uint32_t nvp_log_bytes(const struct nvp_sim *w, uint8_t lid)
{
	const struct log *log = find(w, lid);

	if (!log)
		return 0;
	if (lid == NVP_LOG_PERSISTENT_EVENT)
		return nvp_pel_bytes(w);
	if (lid == NVP_LOG_TELEMETRY_CONTROLLER)
		return nvp_telemetry_controller_bytes(w);
	return log->bytes ? log->bytes : (w->profile->elpe_z + 1u) * 64;
}

static enum nvp_step invalid_field(struct nvp_sim_cmd *c, unsigned dword, unsigned bit)
{
	return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, dword, bit);
}

/* Log Page Offset inside the log; false: c has the status. */
static bool take_offset(struct nvp_sim *w, struct nvp_sim_cmd *c, uint32_t log_bytes,
			uint64_t *offset)
{
	bool by_index = nvp_le32(c->sqe + 56) >> 23 & 1;

	*offset = nvp_le64(c->sqe + 48);
	if (by_index) {		/* no log has entries that can be addressed (IOS is 0) */
		invalid_field(c, 14, 23);
		return false;
	}
	if (*offset > log_bytes && nvp_defect(w, NVP_HOOK_LOG_LPO_END_OK))
		*offset = log_bytes;
	if ((*offset & 3 && !nvp_defect(w, NVP_HOOK_LOG_LPO_UNALIGNED_OK)) ||
	    nvp_telemetry_bad_offset(w, c->sqe[40], *offset) || *offset > log_bytes) {
		invalid_field(c, 12, 0);
		return false;
	}
	if (nvp_defect(w, NVP_HOOK_LOG_LPO_IGNORED))
		*offset = 0;
	return true;
}

/* Reading a log with RAE=0 is what tells the drive that the host knows. */
static enum nvp_step log_given(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	bool retain = nvp_le32(c->sqe + 40) >> 15 & 1;

	c->then = NULL;
	if (!retain || nvp_defect(w, NVP_HOOK_EVT_RAE))
		nvp_event_log_read(w, c->sqe[40]);
	if (c->sqe[40] == 0x04 && !retain)
		nvp_changed_ns_read(w);
	if (c->sqe[40] == NVP_LOG_TELEMETRY_CONTROLLER)
		nvp_telemetry_read(w, retain);
	if (c->sqe[40] == NVP_LOG_PERSISTENT_EVENT && nvp_defect(w, NVP_HOOK_PEL_NOT_KEPT))
		nvp_pel_release(w);
	return NVP_STEP_COMPLETE;
}

/* The whole log, then the asked part to the front; behind the log's end are zeroes. */
static enum nvp_step give(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct log *log)
{
	uint8_t lid = c->sqe[40];
	uint64_t bytes = ((nvp_le16(c->sqe + 42) | (uint64_t)nvp_le16(c->sqe + 44) << 16) + 1) * 4;
	uint32_t log_bytes = nvp_log_bytes(w, lid);
	uint64_t offset, part;
	uint8_t *data;

	if (!take_offset(w, c, log_bytes, &offset))
		return NVP_STEP_COMPLETE;
	if (nvp_pel_header_only(c)) {
		offset = 0;
		bytes = NVP_PEL_HEADER_BYTES;
	}
	if (nvp_sim_above_mdts(w, bytes))
		return invalid_field(c, 10, 16);
	if (bytes > log_bytes && nvp_defect(w, NVP_HOOK_LOG_BEYOND_REFUSED))
		return invalid_field(c, 10, 16);
	if (nvp_defect(w, NVP_HOOK_LOG_NUMD))
		bytes = nvp_max_u64(bytes, NUMD_IGNORED_BYTES);
	if (bytes > NVP_LOG_MOST_BYTES)
		bytes = NVP_LOG_MOST_BYTES;	/* only without the check of MDTS */
	data = nvp_sim_cmd_data(w, c, (uint32_t)nvp_max_u64(bytes, log_bytes));
	nvp_telemetry_asked(w, lid, c->sqe[41] & 0x7f);
	if (log && (bytes <= log_bytes || !nvp_defect(w, NVP_HOOK_LOG_BEYOND_EMPTY)))
		log->fill(w, data);
	nvp_lie_about_length(w, true, lid, data);
	part = nvp_min_u64(bytes, log_bytes - offset);
	memmove(data, data + offset, part);
	memset(data + part, 0, bytes - part);
	c->data_bytes = (uint32_t)bytes;
	c->then = log_given;
	return NVP_STEP_TO_HOST;
}

enum nvp_step nvp_sim_get_log(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint8_t lid = c->sqe[40];
	const struct log *log = find(w, lid);
	bool fresh = false;
	enum nvp_step step;

	if (!log && !nvp_defect(w, NVP_HOOK_LOG_LID_OK))
		return nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_LOG_PAGE, 10, 0);
	if (c->nsid && c->nsid != NVP_NSID_ALL && !nvp_defect(w, NVP_HOOK_LOG_NSID_OK))
		return invalid_field(c, 1, 0);	/* every log is of the controller */
	if (lid >= NVP_OCP_LOG_SMART && nvp_ocp_bad_uuid_index(w, c))
		return invalid_field(c, 14, 0);
	if (log && lid == NVP_LOG_PERSISTENT_EVENT && !nvp_pel_begin(w, c, &fresh))
		return NVP_STEP_COMPLETE;
	step = give(w, c, log);
	if (step == NVP_STEP_COMPLETE && fresh)
		nvp_pel_release(w);
	return step;
}
