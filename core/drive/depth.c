// SPDX-License-Identifier: GPL-2.0-or-later
// Several I/O commands at once where the queues are the kernel's: the baseline pair without rings.

#include <nvproof/decode.h>

#include <errno.h>
#include <stdlib.h>

#include "core/drive/door.h"

/* As the door's own wait cuts long waits, so that a slow command is not taken for a hang. */
#define SLICE_NS NVP_NS_PER_S
/* At its timeout the kernel aborts, waits as long again, and resets: then it comes back. */
#define KERNEL_TIMEOUTS 3

int nvp_depth_open(struct nvp_drive *drive)
{
	unsigned depth = drive->base->depth ? drive->base->depth(drive->base_backend) : 0;
	struct nvp_cq *cq;
	struct nvp_sq *sq;

	if (!depth)
		return 0;
	cq = calloc(1, sizeof(*cq));
	sq = calloc(1, sizeof(*sq));
	if (!cq || !sq) {
		free(cq);
		free(sq);
		return -ENOMEM;
	}
	*cq = (struct nvp_cq){ .drive = drive, .qid = 1, .entries = depth + 1, .vector = -1,
			       .state = NVP_QUEUE_LIVE, .own = true, .nr_sqs = 1 };
	*sq = (struct nvp_sq){ .drive = drive, .qid = 1, .entries = depth + 1, .cq = cq,
			       .state = NVP_QUEUE_LIVE, .own = true };
	nvp_flights_init_list(&cq->kept);
	drive->io_cq = drive->cqs = cq;
	drive->io_sq = drive->sqs = sq;
	return nvp_flights_init(sq);
}

uint64_t nvp_depth_budget_ns(const struct nvp_drive *drive, enum nvp_time_class time_class)
{
	return nvp_drive_budget_ns(drive, time_class == NVP_TIME_DEFAULT ? NVP_TIME_IO :
									time_class);
}

int nvp_depth_post(struct nvp_flight *flight, const struct nvp_cmd *cmd)
{
	struct nvp_drive *drive = flight->sq->drive;
	struct nvp_exec exec = {
		.sqe = &flight->sqe,
		.timeout_ns = nvp_depth_budget_ns(drive, cmd->time_class),
	};
	struct nvp_err err = { 0 };
	int rc = nvp_exec_refuse_raw(drive, cmd);

	if (rc)
		return rc;
	nvp_exec_fill(&exec, cmd);
	rc = drive->ops->exec_post(drive->backend, &exec, (uintptr_t)flight, &err);
	return rc ? nvp_exec_failed(drive, false, cmd, rc, &err) : 0;
}

int nvp_depth_send(struct nvp_drive *drive)
{
	struct nvp_err err = { 0 };
	char text[200];
	int rc = drive->ops->exec_send(drive->backend, &err);

	return rc ? nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "%s",
				   nvp_err_text(&err, text, sizeof(text))) : 0;
}

int nvp_depth_take(struct nvp_cq *cq, struct nvp_flight **out)
{
	struct nvp_drive *drive = cq->drive;
	struct nvp_exec_end end;
	struct nvp_flight *flight;

	if (!drive->ops->exec_take(drive->backend, &end))
		return 0;
	flight = (struct nvp_flight *)(uintptr_t)end.tag;
	nvp_drive_take_tick(drive);
	end.cpl.ack_tick = nvp_drive_last_tick(drive);
	end.cpl.sub_tick = flight->sub_tick;
	end.cpl.latency_ns = nvp_drive_now_ns(drive) - flight->start_ns;
	end.cpl.cid = flight->cid;
	flight->error = end.error;
	flight->reason = end.reason;
	flight->cpl = end.cpl;
	if (!end.error)
		nvp_check_status(drive, &flight->sqe, &end.cpl);
	nvp_check_memory(drive, flight);
	nvp_flight_end(flight, NVP_FLIGHT_DONE);
	*out = flight;
	return 1;
}

int nvp_depth_wait(struct nvp_cq *cq, uint64_t until_ns)
{
	struct nvp_drive *drive = cq->drive;

	for (;;) {
		uint64_t now_ns = nvp_drive_now_ns(drive), slice_ns = until_ns;
		int rc;

		if (now_ns < until_ns && until_ns - now_ns > SLICE_NS)
			slice_ns = now_ns + SLICE_NS;
		rc = drive->base->exec_wait(drive->base_backend, slice_ns);
		nvp_drive_heartbeat(drive);
		if (rc || slice_ns == until_ns)
			return rc;
	}
}

uint64_t nvp_depth_deadline_ns(const struct nvp_flight *flight)
{
	const struct nvp_drive *drive = flight->sq->drive;

	return nvp_clock_deadline_ns(drive->clock, KERNEL_TIMEOUTS *
				     nvp_depth_budget_ns(drive, flight->time_class));
}

int nvp_depth_late(const struct nvp_flight *flight)
{
	return nvp_drive_fail(flight->sq->drive, NVP_ERR_BROKEN, -EIO,
			      "the kernel did not give %s (CID %u) back, not at its timeout either",
			      nvp_opcode_name(false, nvp_sqe_opcode(&flight->sqe)), flight->cid);
}

int nvp_depth_error(struct nvp_flight *flight)
{
	int rc = flight->error;

	return nvp_drive_fail(flight->sq->drive, NVP_ERR_BROKEN, rc, "%s: %s",
			      nvp_opcode_name(false, nvp_sqe_opcode(&flight->sqe)),
			      flight->reason);
}

/*
 * The memory of a command is the drive's until the kernel has given it back: what a case left
 * running is waited for, and its answers go to nobody.
 */
int nvp_depth_drain(struct nvp_drive *drive)
{
	struct nvp_sq *sq = drive->io_sq;
	struct nvp_flight *flight;
	uint64_t until_ns;
	int rc = 0;

	if (!sq || sq->ring || !sq->nr_outstanding)
		return 0;
	if (sq->pending.first)
		rc = nvp_ring_tail(sq);
	until_ns = nvp_clock_deadline_ns(drive->clock, KERNEL_TIMEOUTS *
					 nvp_depth_budget_ns(drive, NVP_TIME_IO));
	while (!rc && sq->nr_outstanding) {
		rc = nvp_depth_wait(sq->cq, until_ns);
		if (!rc)
			return nvp_drive_fail(drive, NVP_ERR_BROKEN, -EIO,
					      "the kernel does not give %u commands back",
					      sq->nr_outstanding);
		rc = rc < 0 ? rc : 0;
		while (!rc && nvp_depth_take(sq->cq, &flight))
			nvp_flight_release(flight);
	}
	return rc;
}
