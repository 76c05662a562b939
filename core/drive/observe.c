// SPDX-License-Identifier: GPL-2.0-or-later
// What passes the door changes what the controller knows: queues made and deleted, resets by hand.

#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/drive/door.h"

/* --- queues made and deleted -------------------------------------------------------------- */

static uint16_t sqe_qid(const struct nvp_sqe *sqe)
{
	return (uint16_t)nvp_sqe_dw(sqe, 10);
}

/* The object whose memory a Create names; an id alone is not enough, there may be several. */
static struct nvp_cq *cq_at(struct nvp_drive *drive, uint64_t iova)
{
	for (struct nvp_cq *cq = drive->cqs; cq; cq = cq->next)
		if (cq->ring->iova == iova)
			return cq;
	return NULL;
}

static struct nvp_sq *sq_at(struct nvp_drive *drive, uint64_t iova)
{
	for (struct nvp_sq *sq = drive->sqs; sq; sq = sq->next)
		if (sq->ring->iova == iova)
			return sq;
	return NULL;
}

/*
 * Before a Create goes out its ring starts anew: the controller may use it before we have seen
 * the completion. A queue that is live keeps what it has (a Create of it ought to fail).
 */
void nvp_observe_post(struct nvp_sq *sq, const struct nvp_sqe *sqe)
{
	struct nvp_drive *drive = sq->drive;
	struct nvp_cq *cq;

	if (sq != drive->admin_sq)
		return;
	if (nvp_sqe_opcode(sqe) == NVP_ADMIN_CREATE_CQ) {
		cq = cq_at(drive, nvp_sqe_qw(sqe, 6));
		if (cq && cq->state != NVP_QUEUE_LIVE)
			nvp_cq_rewind(cq);
	} else if (nvp_sqe_opcode(sqe) == NVP_ADMIN_CREATE_SQ) {
		sq = sq_at(drive, nvp_sqe_qw(sqe, 6));
		if (sq && sq->state != NVP_QUEUE_LIVE)
			nvp_sq_rewind(sq);
	}
}

static void created_cq(struct nvp_drive *drive, const struct nvp_sqe *sqe)
{
	uint16_t qid = sqe_qid(sqe);
	struct nvp_cq *cq = cq_at(drive, nvp_sqe_qw(sqe, 6));

	if (!nvp_bitmap_get(drive->live_cq, qid))
		drive->nr_live_cq++;
	nvp_bitmap_set(drive->live_cq, qid);
	if (cq)
		cq->state = NVP_QUEUE_LIVE;
}

static void created_sq(struct nvp_drive *drive, const struct nvp_sqe *sqe)
{
	uint16_t qid = sqe_qid(sqe);
	struct nvp_sq *sq = sq_at(drive, nvp_sqe_qw(sqe, 6));

	if (!nvp_bitmap_get(drive->live_sq, qid))
		drive->nr_live_sq++;
	nvp_bitmap_set(drive->live_sq, qid);
	nvp_bitmap_clear(drive->dead_sq, qid);
	if (sq)
		sq->state = NVP_QUEUE_LIVE;
}

/* What was completed before the Delete counts; what was not is given up (section 5.7). */
static void deleted_sq(struct nvp_drive *drive, uint16_t qid)
{
	struct nvp_sq *sq = nvp_drive_find_sq(drive, qid);

	if (qid == 0) /* whatever the drive says: the admin queue goes with a reset only */
		return;
	if (sq && sq->state == NVP_QUEUE_LIVE) {
		nvp_cq_drain(sq->cq);
		nvp_flights_cancel(sq);
		sq->state = NVP_QUEUE_DELETED;
	}
	if (nvp_bitmap_get(drive->live_sq, qid))
		drive->nr_live_sq--;
	nvp_bitmap_clear(drive->live_sq, qid);
	nvp_bitmap_set(drive->dead_sq, qid);
}

static void silence(struct nvp_cq *cq, enum nvp_queue_state state)
{
	if (cq->state == NVP_QUEUE_LIVE) {
		nvp_cq_drain(cq);
		cq->drive->base->ring_clear(cq->drive->base_backend, cq->ring);
		cq->quiet = true;
	}
	cq->state = state;
}

static void deleted_cq(struct nvp_drive *drive, uint16_t qid)
{
	struct nvp_cq *cq = nvp_drive_find_cq(drive, qid);

	if (qid == 0)
		return;
	if (cq)
		silence(cq, NVP_QUEUE_DELETED);
	if (nvp_bitmap_get(drive->live_cq, qid))
		drive->nr_live_cq--;
	nvp_bitmap_clear(drive->live_cq, qid);
}

void nvp_observe_completion(struct nvp_flight *flight)
{
	struct nvp_drive *drive = flight->sq->drive;
	const struct nvp_sqe *sqe = &flight->sqe;

	if (flight->sq != drive->admin_sq || !nvp_cpl_ok(&flight->cpl))
		return;
	switch (nvp_sqe_opcode(sqe)) {
	case NVP_ADMIN_CREATE_CQ:
		created_cq(drive, sqe);
		break;
	case NVP_ADMIN_CREATE_SQ:
		created_sq(drive, sqe);
		break;
	case NVP_ADMIN_DELETE_SQ:
		deleted_sq(drive, sqe_qid(sqe));
		break;
	case NVP_ADMIN_DELETE_CQ:
		deleted_cq(drive, sqe_qid(sqe));
		break;
	}
}

/* --- resets ------------------------------------------------------------------------------- */

void nvp_drive_queues_gone(struct nvp_drive *drive)
{
	/* What was completed before still counts (its memory is ours); the rest is given up. */
	for (struct nvp_cq *cq = drive->cqs; cq; cq = cq->next)
		if (!cq->quiet)
			nvp_cq_drain(cq);
	for (struct nvp_sq *sq = drive->sqs; sq; sq = sq->next) {
		nvp_flights_cancel(sq);
		sq->state = NVP_QUEUE_NEW;
	}
	for (struct nvp_cq *cq = drive->cqs; cq; cq = cq->next)
		silence(cq, NVP_QUEUE_NEW);
	for (unsigned i = 0; i < sizeof(drive->live_sq); i++)
		drive->live_sq[i] = drive->live_cq[i] = drive->dead_sq[i] = 0;
	drive->nr_live_sq = drive->nr_live_cq = 0;
	drive->baseline = false;
	drive->disabling = false;
	nvp_drive_free_doomed(drive);
}

/* The controller starts at slot 0 of what ASQ and ACQ name: ours, unless a case changed them. */
static void admin_begins(struct nvp_drive *drive)
{
	nvp_sq_rewind(drive->admin_sq);
	nvp_cq_rewind(drive->admin_cq);
	drive->admin_sq->state = NVP_QUEUE_LIVE;
	drive->admin_cq->state = NVP_QUEUE_LIVE;
}

/* The dword at `at` as the write leaves it, if the write touches all of it. */
static bool written(uint64_t offset, unsigned bytes, uint64_t value, uint64_t at, uint32_t *dword)
{
	if (at < offset || at + 4 > offset + bytes)
		return false;
	*dword = (uint32_t)(value >> 8 * (at - offset));
	return true;
}

void nvp_observe_reg_write(struct nvp_drive *drive, uint64_t offset, unsigned bytes, uint64_t value)
{
	uint32_t dword;

	if (written(offset, bytes, value, NVP_REG_CC, &dword)) {
		bool was = drive->cc & 1, is = dword & 1;

		drive->cc = dword;
		drive->baseline = false;
		if (was && !is)
			drive->disabling = true;
		else if (!was && is && drive->admin_sq)
			admin_begins(drive);
	}
	if (written(offset, bytes, value, NVP_REG_NSSR, &dword) ||
	    written(offset, bytes, value, NVP_REG_AQA, &dword) ||
	    written(offset, bytes, value, NVP_REG_ASQ, &dword) ||
	    written(offset, bytes, value, NVP_REG_ACQ, &dword))
		drive->baseline = false;
}

void nvp_observe_reg_read(struct nvp_drive *drive, uint64_t offset, unsigned bytes, uint64_t value)
{
	uint32_t csts;

	if (drive->disabling && written(offset, bytes, value, NVP_REG_CSTS, &csts) &&
	    csts != UINT32_MAX && !(csts & 1))
		nvp_drive_queues_gone(drive);
}
