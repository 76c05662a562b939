// SPDX-License-Identifier: GPL-2.0-or-later
// Giving commands to a queue: CID, PRPs, the entry in the ring, the doorbell.

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/door.h"

#define MAX_LIST_PAGES 64

static bool sq_full(const struct nvp_sq *sq)
{
	uint32_t next = sq->tail + 1 == sq->entries ? 0 : sq->tail + 1;

	return sq->ring ? next == sq->head : sq->nr_outstanding + 1 >= sq->entries;
}

/* List pages of the controller's page size for this flight; they stay with it. */
static int list_room(struct nvp_flight *flight, size_t nr_pages, size_t page_bytes)
{
	struct nvp_drive *drive = flight->sq->drive;
	/* One page more where pages of the controller are larger than what memory aligns to. */
	size_t bytes = (nr_pages + (page_bytes > NVP_PAGE_BYTES)) * page_bytes;
	uint64_t iova;
	uint8_t *memory;

	if (flight->list_bytes >= bytes)
		return 0;
	memory = drive->base->buf_alloc(drive->base_backend, bytes, &iova);
	if (!memory)
		return -ENOMEM;
	if (flight->list_memory)
		drive->base->buf_free(drive->base_backend, flight->list_memory, flight->list_bytes);
	flight->list_memory = memory;
	flight->list_iova = iova;
	flight->list_bytes = bytes;
	return 0;
}

static int fill_prps(struct nvp_flight *flight, const struct nvp_cmd *cmd)
{
	struct nvp_drive *drive = flight->sq->drive;
	size_t page_bytes = drive->facts.page_bytes;
	uint64_t iova = nvp_buf_iova(cmd->data, cmd->data_offset);
	struct nvp_prp_data data = {
		.iova = iova & ~(uint64_t)(page_bytes - 1),
		.offset = iova & (page_bytes - 1),
		.bytes = cmd->data_bytes,
		.page_bytes = page_bytes,
	};
	struct nvp_prp_list_page pages[MAX_LIST_PAGES];
	size_t nr = nvp_prp_list_pages(data.offset, data.bytes, page_bytes);
	struct nvp_prp prp;
	int rc = 0;

	if (nr > MAX_LIST_PAGES)
		return -EINVAL;
	if (nr) {
		size_t skip;

		rc = list_room(flight, nr, page_bytes);
		if (rc)
			return rc;
		skip = (size_t)(-flight->list_iova & (page_bytes - 1));
		for (size_t i = 0; i < nr; i++)
			pages[i] = (struct nvp_prp_list_page){
				.entries = flight->list_memory + skip + i * page_bytes,
				.iova = flight->list_iova + skip + i * page_bytes,
			};
	}
	rc = nvp_prp_build(&data, pages, nr, &prp);
	if (rc)
		return rc;
	nvp_sqe_set_qw(&flight->sqe, 6, prp.prp1);
	nvp_sqe_set_qw(&flight->sqe, 8, prp.prp2);
	return 0;
}

static int check_room(struct nvp_drive *drive, const struct nvp_buf *buf, size_t offset,
		      size_t bytes, const char *what)
{
	size_t room = buf ? nvp_buf_bytes(buf) : 0;

	if (!buf || (offset <= room && bytes <= room - offset))
		return 0;
	return nvp_drive_fail(drive, NVP_ERR_BROKEN, -EINVAL,
			      "command of %zu bytes%s at offset %zu: the buffer has %zu", bytes,
			      what, offset, room);
}

int nvp_check_room(struct nvp_drive *drive, const struct nvp_cmd *cmd)
{
	int rc = check_room(drive, cmd->raw_dptr ? NULL : cmd->data, cmd->data_offset,
			    cmd->data_bytes, "");

	return rc ? rc : check_room(drive, cmd->meta, cmd->meta_offset, cmd->meta_bytes,
				    " of metadata");
}

static uint32_t move_tail(struct nvp_sq *sq)
{
	uint32_t slot = sq->tail;

	sq->tail = sq->tail + 1 == sq->entries ? 0 : sq->tail + 1;
	return slot;
}

/* Into the ring, through guard and trace. The tail moves on. */
static int post(struct nvp_sq *sq, const struct nvp_sqe *sqe, uint32_t *slot)
{
	struct nvp_drive *drive = sq->drive;
	char words[64];
	int rc;

	nvp_observe_post(sq, sqe);
	rc = drive->ops->post(drive->backend, sq->ring, sq->tail, sqe);
	if (rc == -EPERM)
		return nvp_drive_fail(drive, NVP_ERR_DENIED, rc, "%s needs --allow %s",
				      nvp_opcode_name(sq->qid == 0, nvp_sqe_opcode(sqe)),
				      nvp_impact_words(drive->guard.missing, words, sizeof(words)));
	if (rc)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "post to queue %u", sq->qid);
	*slot = move_tail(sq);
	return 0;
}

static void take_off(struct nvp_flight *flight, uint32_t slot)
{
	struct nvp_sq *sq = flight->sq;

	flight->slot = slot;
	flight->state = NVP_FLIGHT_POSTED;
	flight->sub_tick = flight->start_ns = 0;
	nvp_flights_add(&sq->pending, flight);
	sq->nr_outstanding++;
	sq->drive->nr_outstanding++;
	if (flight->buf) {
		flight->buf->in_flight++;
		flight->buf->uses++;
	}
	if (flight->meta) {
		flight->meta->in_flight++;
		flight->meta->uses++;
	}
}

static int submit_checks(struct nvp_sq *sq, const struct nvp_cmd *cmd)
{
	if (sq->state != NVP_QUEUE_LIVE)
		return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, -EINVAL,
				      "submission queue %u was not created", sq->qid);
	if (sq_full(sq))
		return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, -ENOSPC,
				      "submission queue %u is full", sq->qid);
	return nvp_check_room(sq->drive, cmd);
}

/* The entry's addresses, and the entry to where it goes. */
static int place(struct nvp_flight *flight, const struct nvp_cmd *cmd, uint32_t *slot)
{
	struct nvp_sq *sq = flight->sq;
	int rc = 0;

	if (!sq->ring) {
		rc = nvp_depth_post(flight, cmd);
		if (!rc)
			*slot = move_tail(sq);
		return rc;
	}
	if (cmd->meta)
		nvp_sqe_set_qw(&flight->sqe, 4, nvp_buf_iova(cmd->meta, cmd->meta_offset));
	if (cmd->data && cmd->data_bytes && !cmd->raw_dptr)
		rc = fill_prps(flight, cmd);
	if (rc)
		return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, rc, "no PRPs for %zu bytes",
				      cmd->data_bytes);
	return post(sq, &flight->sqe, slot);
}

int nvp_submit_flight(struct nvp_sq *sq, const struct nvp_cmd *cmd, bool snapshot,
		      struct nvp_flight **out)
{
	struct nvp_flight *flight;
	uint16_t cid = nvp_sqe_cid(&cmd->sqe);
	uint32_t slot;
	int rc = submit_checks(sq, cmd);

	if (rc)
		return rc;
	if (!cmd->raw_cid && !nvp_flight_pick_cid(sq, &cid))
		return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, -ENOSPC,
				      "no free command identifier on queue %u", sq->qid);
	flight = nvp_flight_new(sq);
	if (!flight)
		return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, -ENOMEM,
				      "no memory for a command");
	flight->sqe = cmd->sqe;
	nvp_sqe_set_cid(&flight->sqe, cid);
	flight->time_class = cmd->time_class;
	flight->dir = cmd->dir;
	flight->buf = cmd->data;
	flight->data_offset = cmd->data_offset;
	flight->data_bytes = cmd->data_bytes;
	flight->meta = cmd->meta;
	flight->error = 0;
	nvp_flight_insert(flight, cid);
	rc = place(flight, cmd, &slot);
	if (rc) {
		flight->buf = flight->meta = NULL;
		nvp_flight_release(flight);
		return rc;
	}
	flight->snapshot = snapshot && cmd->data && cmd->dir == NVP_DIR_FROM_DRIVE &&
			   !cmd->raw_dptr && !cmd->data->in_flight;
	if (flight->snapshot)
		nvp_buf_snapshot(cmd->data, cmd->data_offset, cmd->data_bytes, &flight->before_crc,
				 &flight->behind_crc);
	take_off(flight, slot);
	*out = flight;
	return 0;
}

int nvp_submit(struct nvp_sq *sq, const struct nvp_cmd *cmd, uint16_t *cid)
{
	struct nvp_flight *flight;
	int rc = nvp_submit_flight(sq, cmd, false, &flight);

	if (!rc && cid)
		*cid = flight->cid;
	return rc;
}

int nvp_post_raw(struct nvp_sq *sq, const struct nvp_sqe *sqe)
{
	struct nvp_flight *flight;
	uint32_t slot;
	int rc = nvp_drive_need(sq->drive, NVP_PATH_QUEUES, "an entry of one's own");

	if (rc)
		return rc;
	flight = nvp_flight_new(sq);
	if (!flight)
		return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, -ENOMEM,
				      "no memory for a command");
	flight->sqe = *sqe;
	flight->time_class = NVP_TIME_DEFAULT;
	flight->dir = NVP_DIR_NONE;
	flight->buf = flight->meta = NULL;
	flight->data_bytes = 0;
	flight->snapshot = false;
	nvp_flight_insert(flight, nvp_sqe_cid(sqe));
	rc = post(sq, sqe, &slot);
	if (rc) {
		nvp_flight_release(flight);
		return rc;
	}
	take_off(flight, slot);
	return 0;
}

/* --- doorbells ---------------------------------------------------------------------------- */

static int ring(struct nvp_drive *drive, uint16_t qid, bool head, uint32_t value)
{
	int rc = drive->ops->doorbell(drive->backend, qid, head, value);

	if (rc == -ENODEV)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc,
				      "doorbell of queue %u: the drive is gone", qid);
	if (rc)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "doorbell of queue %u", qid);
	return 0;
}

/*
 * What lies between the last tail and the new one is the controller's from now on. `tick` is
 * that of the doorbell: it was taken before the write, the write was done after.
 */
static void expose(struct nvp_sq *sq, uint32_t value, uint64_t tick, uint64_t now_ns)
{
	uint32_t span = (value + sq->entries - sq->tail_rung) % sq->entries;
	struct nvp_flights left;
	struct nvp_flight *flight;

	nvp_flights_init_list(&left);
	while ((flight = nvp_flights_take(&sq->pending))) {
		if ((flight->slot + sq->entries - sq->tail_rung) % sq->entries >= span) {
			nvp_flights_add(&left, flight);
			continue;
		}
		flight->state = NVP_FLIGHT_EXPOSED;
		flight->sub_tick = tick;
		flight->start_ns = now_ns;
	}
	nvp_flights_init_list(&sq->pending);
	if (left.first) {
		sq->pending.first = left.first;
		sq->pending.end = left.end;
	}
}

static int ring_tail(struct nvp_sq *sq, uint32_t value)
{
	struct nvp_drive *drive = sq->drive;
	uint64_t tick =
		drive->trace ? nvp_trace_last_tick(drive->trace) + 1 : nvp_drive_take_tick(drive);

	/* Before the write: a simulated drive may run to its end inside of it. */
	if (value < sq->entries) {
		expose(sq, value, tick, nvp_drive_now_ns(drive));
		sq->tail_rung = value;
	}
	if (!sq->ring)
		return nvp_depth_send(drive);
	return ring(drive, sq->qid, false, value);
}

int nvp_ring_tail(struct nvp_sq *sq)
{
	return ring_tail(sq, sq->tail);
}

int nvp_ring_tail_raw(struct nvp_sq *sq, uint32_t value)
{
	int rc = nvp_drive_need(sq->drive, NVP_PATH_QUEUES, "a doorbell");

	return rc ? rc : ring_tail(sq, value);
}

int nvp_ring_head(struct nvp_cq *cq)
{
	if (!cq->ring)
		return 0;
	cq->unrung = 0;
	return ring(cq->drive, cq->qid, true, cq->head);
}

int nvp_ring_head_raw(struct nvp_cq *cq, uint32_t value)
{
	int rc = nvp_drive_need(cq->drive, NVP_PATH_QUEUES, "a doorbell");

	return rc ? rc : ring(cq->drive, cq->qid, true, value);
}

int nvp_ring_any(struct nvp_drive *drive, uint16_t qid, bool head, uint32_t value)
{
	int rc = nvp_drive_need(drive, NVP_PATH_QUEUES, "a doorbell");

	return rc ? rc : ring(drive, qid, head, value);
}
