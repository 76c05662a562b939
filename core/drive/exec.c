// SPDX-License-Identifier: GPL-2.0-or-later
// One command at a time: through a queue of ours, or through a backend that has its own.

#include <nvproof/decode.h>

#include <errno.h>

#include "core/drive/door.h"

int nvp_exec(struct nvp_sq *sq, const struct nvp_cmd *cmd, struct nvp_cpl *cpl)
{
	struct nvp_flight *flight;
	uint16_t cid;
	int rc;

	*cpl = (struct nvp_cpl){ 0 };
	rc = nvp_submit_flight(sq, cmd, true, &flight);
	if (rc)
		return rc;
	cid = flight->cid;
	rc = nvp_ring_tail(sq);
	return rc ? rc : nvp_wait_cid(sq, cid, cpl);
}

/* --- a backend without queues of ours ----------------------------------------------------- */

int nvp_exec_refuse_raw(struct nvp_drive *drive, const struct nvp_cmd *cmd)
{
	if (cmd->raw_dptr)
		return nvp_drive_fail(
			drive, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
			"the kernel builds the PRPs: the command's own cannot be sent");
	if (cmd->raw_cid)
		return nvp_drive_fail(
			drive, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
			"the kernel chooses the CID: the command's own cannot be sent");
	return 0;
}

int nvp_exec_failed(struct nvp_drive *drive, bool admin, const struct nvp_cmd *cmd, int rc,
		    const struct nvp_err *err)
{
	const char *name = nvp_opcode_name(admin, nvp_sqe_opcode(&cmd->sqe));
	char text[200];

	if (rc == -EPERM)
		return nvp_drive_fail(drive, NVP_ERR_DENIED, rc, "%s needs --allow %s", name,
				      nvp_impact_words(drive->guard.missing, text, sizeof(text)));
	return nvp_drive_fail(drive, rc == -EOPNOTSUPP ? NVP_ERR_UNSUPPORTED : NVP_ERR_BROKEN, rc,
			      "%s: %s", name,
			      err->code ? nvp_err_text(err, text, sizeof(text)) : "not done");
}

static uint64_t budget_ns(const struct nvp_drive *drive, bool admin, const struct nvp_cmd *cmd)
{
	enum nvp_time_class class = cmd->time_class;

	if (class == NVP_TIME_DEFAULT)
		class = admin ? NVP_TIME_ADMIN : NVP_TIME_IO;
	return nvp_drive_budget_ns(drive, class);
}

void nvp_exec_fill(struct nvp_exec *exec, const struct nvp_cmd *cmd)
{
	if (cmd->data) {
		exec->dir = cmd->dir;
		exec->data = nvp_buf_data(cmd->data) + cmd->data_offset;
		exec->data_bytes = cmd->data_bytes;
	}
	if (cmd->meta) {
		exec->meta = nvp_buf_data(cmd->meta) + cmd->meta_offset;
		exec->meta_bytes = cmd->meta_bytes;
	}
}

static int exec_whole(struct nvp_drive *drive, bool admin, const struct nvp_cmd *cmd,
		      struct nvp_cpl *cpl)
{
	struct nvp_flight flight = {
		.sqe = cmd->sqe,
		.dir = cmd->dir,
		.buf = cmd->data,
		.data_offset = cmd->data_offset,
		.data_bytes = cmd->data_bytes,
		.meta = cmd->meta,
		.snapshot = cmd->data && cmd->dir == NVP_DIR_FROM_DRIVE,
	};
	struct nvp_exec exec = {
		.admin = admin, .sqe = &cmd->sqe, .timeout_ns = budget_ns(drive, admin, cmd),
	};
	struct nvp_err err = { 0 };
	int rc = nvp_exec_refuse_raw(drive, cmd);
	uint64_t begin_ns, sub_tick;

	if (!rc)
		rc = nvp_check_room(drive, cmd);
	if (rc)
		return rc;
	nvp_exec_fill(&exec, cmd);
	if (flight.snapshot)
		nvp_buf_snapshot(cmd->data, cmd->data_offset, cmd->data_bytes, &flight.before_crc,
				 &flight.behind_crc);
	begin_ns = nvp_drive_now_ns(drive);
	nvp_drive_take_tick(drive);
	sub_tick = nvp_drive_last_tick(drive) + (drive->trace != NULL);
	rc = drive->ops->exec(drive->backend, &exec, cpl, &err);
	nvp_drive_heartbeat(drive);
	if (rc)
		return nvp_exec_failed(drive, admin, cmd, rc, &err);
	nvp_drive_take_tick(drive);
	cpl->sub_tick = sub_tick;
	cpl->ack_tick = nvp_drive_last_tick(drive);
	cpl->latency_ns = nvp_drive_now_ns(drive) - begin_ns;
	nvp_check_status(drive, &cmd->sqe, cpl);
	nvp_check_memory(drive, &flight);
	return 0;
}

static int exec_on(struct nvp_drive *drive, bool admin, struct nvp_sq *sq,
		   const struct nvp_cmd *cmd, struct nvp_cpl *cpl)
{
	*cpl = (struct nvp_cpl){ 0 };
	if (cmd->dir != NVP_DIR_NONE && cmd->data_bytes && !cmd->data && !cmd->raw_dptr)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, -EINVAL,
				      "%s moves %zu bytes: the command has no buffer",
				      nvp_opcode_name(admin, nvp_sqe_opcode(&cmd->sqe)),
				      cmd->data_bytes);
	if (drive->base->exec)
		return exec_whole(drive, admin, cmd, cpl);
	if (!sq)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, -EINVAL,
				      "the controller was not enabled");
	return nvp_exec(sq, cmd, cpl);
}

int nvp_exec_admin(struct nvp_drive *drive, const struct nvp_cmd *cmd, struct nvp_cpl *cpl)
{
	return exec_on(drive, true, drive->admin_sq, cmd, cpl);
}

int nvp_exec_io(struct nvp_drive *drive, const struct nvp_cmd *cmd, struct nvp_cpl *cpl)
{
	return exec_on(drive, false, drive->io_sq, cmd, cpl);
}
