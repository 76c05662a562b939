// SPDX-License-Identifier: GPL-2.0-or-later
// Queues as the host sees them: memory, bookkeeping, Create and Delete.

#include <nvproof/build.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/drive/door.h"

struct nvp_sq *nvp_admin_sq(struct nvp_drive *drive)
{
	return drive->admin_sq;
}
struct nvp_cq *nvp_admin_cq(struct nvp_drive *drive)
{
	return drive->admin_cq;
}
struct nvp_sq *nvp_io_sq(struct nvp_drive *drive)
{
	return drive->io_sq;
}
struct nvp_cq *nvp_io_cq(struct nvp_drive *drive)
{
	return drive->io_cq;
}
uint16_t nvp_cq_id(const struct nvp_cq *cq)
{
	return cq->qid;
}
uint16_t nvp_sq_id(const struct nvp_sq *sq)
{
	return sq->qid;
}
uint32_t nvp_cq_entries(const struct nvp_cq *cq)
{
	return cq->entries;
}
uint32_t nvp_sq_entries(const struct nvp_sq *sq)
{
	return sq->entries;
}
uint64_t nvp_cq_iova(const struct nvp_cq *cq)
{
	return cq->ring ? cq->ring->iova : 0;
}
uint64_t nvp_sq_iova(const struct nvp_sq *sq)
{
	return sq->ring ? sq->ring->iova : 0;
}
unsigned nvp_sq_outstanding(const struct nvp_sq *sq)
{
	return sq->nr_outstanding;
}
void nvp_cq_hold_head(struct nvp_cq *cq, bool hold)
{
	cq->hold_head = hold;
}

/* Several objects may have one id; the one that the controller knows comes first. */
struct nvp_sq *nvp_drive_find_sq(struct nvp_drive *drive, uint16_t qid)
{
	struct nvp_sq *found = NULL;

	for (struct nvp_sq *sq = drive->sqs; sq; sq = sq->next)
		if (sq->qid == qid && (!found || sq->state == NVP_QUEUE_LIVE))
			found = sq;
	return found;
}

struct nvp_cq *nvp_drive_find_cq(struct nvp_drive *drive, uint16_t qid)
{
	struct nvp_cq *found = NULL;

	for (struct nvp_cq *cq = drive->cqs; cq; cq = cq->next)
		if (cq->qid == qid && (!found || cq->state == NVP_QUEUE_LIVE))
			found = cq;
	return found;
}

void nvp_sq_rewind(struct nvp_sq *sq)
{
	sq->head = sq->tail = sq->tail_rung = 0;
	sq->drive->base->ring_clear(sq->drive->base_backend, sq->ring);
}

void nvp_cq_rewind(struct nvp_cq *cq)
{
	cq->head = cq->unrung = 0;
	cq->phase = 1;
	cq->quiet = false;
	cq->drive->base->ring_clear(cq->drive->base_backend, cq->ring);
	memset(cq->taken, 0, (size_t)cq->ring->entries * NVP_CQE_BYTES);
}

static int cq_ring(struct nvp_cq *cq, uint32_t entries)
{
	const struct nvp_drive_ops *base = cq->drive->base;
	uint64_t iova;

	cq->taken = calloc(entries, NVP_CQE_BYTES);
	if (!cq->taken)
		return -ENOMEM;
	cq->ring = base->ring_new(cq->drive->base_backend, entries, NVP_CQE_BYTES, &iova);
	if (!cq->ring) {
		free(cq->taken);
		cq->taken = NULL;
		return -ENOMEM;
	}
	cq->ring->qid = cq->qid;
	cq->entries = entries;
	cq->phase_base = base->phase_byte(cq->drive->base_backend, cq->ring, 0);
	cq->phase = 1;
	return 0;
}

/* The old memory is kept aside, so that what the controller still writes there is noticed. */
int nvp_cq_replace_ring(struct nvp_cq *cq, uint32_t entries)
{
	struct nvp_drive *drive = cq->drive;
	struct nvp_ring *old = cq->ring;
	uint8_t *taken = cq->taken;

	if (cq_ring(cq, entries)) {
		cq->ring = old;
		cq->taken = taken;
		return -ENOMEM;
	}
	free(taken);
	if (drive->nr_buried == NVP_MAX_BURIED) {
		drive->base->ring_free(drive->base_backend, drive->buried[0]);
		memmove(drive->buried, drive->buried + 1,
			(NVP_MAX_BURIED - 1) * sizeof(*drive->buried));
		drive->nr_buried--;
	}
	drive->buried[drive->nr_buried++] = old;
	nvp_cq_rewind(cq);
	return 0;
}

int nvp_sq_replace_ring(struct nvp_sq *sq, uint32_t entries)
{
	const struct nvp_drive_ops *base = sq->drive->base;
	struct nvp_ring *old = sq->ring;
	uint64_t iova;

	sq->ring = base->ring_new(sq->drive->base_backend, entries, NVP_SQE_BYTES, &iova);
	if (!sq->ring) {
		sq->ring = old;
		return -ENOMEM;
	}
	sq->ring->qid = sq->qid;
	sq->entries = entries;
	base->ring_free(sq->drive->base_backend, old);
	nvp_sq_rewind(sq);
	return 0;
}

struct nvp_cq *nvp_cq_new(struct nvp_drive *drive, uint16_t qid, uint32_t entries, int vector)
{
	struct nvp_cq *cq;

	if (nvp_drive_need(drive, NVP_PATH_QUEUES, "a queue of one's own"))
		return NULL;
	if (!entries || entries > NVP_NR_QIDS) {
		nvp_drive_fail(drive, NVP_ERR_BROKEN, -EINVAL,
			       "completion queue of %u entries: 1 to 65536 can be made", entries);
		return NULL;
	}
	cq = calloc(1, sizeof(*cq));
	if (cq) {
		cq->drive = drive;
		cq->qid = qid;
		cq->vector = vector;
		nvp_flights_init_list(&cq->kept);
	}
	if (!cq || cq_ring(cq, entries)) {
		nvp_drive_fail(drive, NVP_ERR_BROKEN, -ENOMEM,
			       "completion queue %u: no memory for %u entries", qid, entries);
		free(cq);
		return NULL;
	}
	cq->next = drive->cqs;
	drive->cqs = cq;
	return cq;
}

struct nvp_sq *nvp_sq_new(struct nvp_drive *drive, uint16_t qid, uint32_t entries,
			  struct nvp_cq *cq)
{
	struct nvp_sq *sq;
	uint64_t iova;

	if (nvp_drive_need(drive, NVP_PATH_QUEUES, "a queue of one's own"))
		return NULL;
	if (!entries || entries > NVP_NR_QIDS || !cq) {
		nvp_drive_fail(drive, NVP_ERR_BROKEN, -EINVAL,
			       "submission queue of %u entries: 1 to 65536 and a completion queue",
			       entries);
		return NULL;
	}
	sq = calloc(1, sizeof(*sq));
	if (!sq)
		goto no_memory;
	sq->drive = drive;
	sq->qid = qid;
	sq->entries = entries;
	sq->cq = cq;
	sq->ring = drive->base->ring_new(drive->base_backend, entries, NVP_SQE_BYTES, &iova);
	if (!sq->ring || nvp_flights_init(sq))
		goto no_memory;
	sq->ring->qid = qid;
	/* Each starts elsewhere: a completion that went to the wrong queue fits nobody there. */
	sq->next_cid = (uint16_t)(qid * 0x9e37u);
	cq->nr_sqs++;
	sq->next = drive->sqs;
	drive->sqs = sq;
	return sq;

no_memory:
	if (sq) {
		if (sq->ring)
			drive->base->ring_free(drive->base_backend, sq->ring);
		nvp_flights_destroy(sq);
		free(sq);
	}
	nvp_drive_fail(drive, NVP_ERR_BROKEN, -ENOMEM,
		       "submission queue %u: no memory for %u entries", qid, entries);
	return NULL;
}

static void sq_destroy(struct nvp_sq *sq)
{
	struct nvp_drive *drive = sq->drive;

	for (struct nvp_sq **at = &drive->sqs; *at; at = &(*at)->next) {
		if (*at == sq) {
			*at = sq->next;
			break;
		}
	}
	nvp_flights_cancel(sq);
	nvp_flights_destroy(sq);
	sq->cq->nr_sqs--;
	if (sq->cq->last_sq == sq)
		sq->cq->last_sq = NULL;
	if (sq->ring)
		drive->base->ring_free(drive->base_backend, sq->ring);
	free(sq);
}

static void cq_destroy(struct nvp_cq *cq)
{
	struct nvp_drive *drive = cq->drive;
	struct nvp_flight *flight;

	for (struct nvp_cq **at = &drive->cqs; *at; at = &(*at)->next) {
		if (*at == cq) {
			*at = cq->next;
			break;
		}
	}
	while ((flight = nvp_flights_take(&cq->kept)))
		free(flight); /* strays only: those of a queue went with it */
	while ((flight = cq->strays)) {
		cq->strays = flight->next;
		free(flight);
	}
	if (cq->ring)
		drive->base->ring_free(drive->base_backend, cq->ring);
	free(cq->taken);
	free(cq);
}

/* The controller may still read it: it knows of no other queues than those that are live. */
static bool sq_held(const struct nvp_sq *sq)
{
	return sq->state == NVP_QUEUE_LIVE;
}

static bool cq_held(const struct nvp_cq *cq)
{
	return cq->state == NVP_QUEUE_LIVE || cq->nr_sqs;
}

void nvp_sq_free(struct nvp_sq *sq)
{
	if (!sq || sq->own)
		return;
	sq->doomed = true;
	if (!sq_held(sq))
		sq_destroy(sq);
}

void nvp_cq_free(struct nvp_cq *cq)
{
	if (!cq || cq->own)
		return;
	cq->doomed = true;
	if (!cq_held(cq))
		cq_destroy(cq);
}

void nvp_drive_free_doomed(struct nvp_drive *drive)
{
	struct nvp_sq *sq, *next_sq;
	struct nvp_cq *cq, *next_cq;

	for (sq = drive->sqs; sq; sq = next_sq) {
		next_sq = sq->next;
		if (sq->doomed && !sq_held(sq))
			sq_destroy(sq);
	}
	for (cq = drive->cqs; cq; cq = next_cq) {
		next_cq = cq->next;
		if (cq->doomed && !cq_held(cq))
			cq_destroy(cq);
	}
}

/* own_too: the drive is being closed; whatever is left goes. */
void nvp_drive_free_queues(struct nvp_drive *drive, bool own_too)
{
	for (struct nvp_sq *sq = drive->sqs; sq; sq = sq->next) {
		sq->doomed |= own_too || !sq->own;
		if (own_too) {
			nvp_flights_cancel(sq);
			sq->state = NVP_QUEUE_NEW;
		}
	}
	for (struct nvp_cq *cq = drive->cqs; cq; cq = cq->next) {
		cq->doomed |= own_too || !cq->own;
		if (own_too)
			cq->state = NVP_QUEUE_NEW;
	}
	nvp_drive_free_doomed(drive);
}

/* --- Create and Delete: what they change is seen when they pass (observe.c) --------------- */

int nvp_cq_create(struct nvp_cq *cq, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd =
		nvp_build_create_cq(cq->qid, (uint16_t)(cq->entries - 1), nvp_cq_iova(cq), true,
				    cq->vector >= 0, cq->vector >= 0 ? (uint16_t)cq->vector : 0);

	cmd.raw_dptr = true;
	return nvp_exec_admin(cq->drive, &cmd, cpl);
}

int nvp_sq_create(struct nvp_sq *sq, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = nvp_build_create_sq(sq->qid, (uint16_t)(sq->entries - 1),
						 nvp_sq_iova(sq), true, 0, sq->cq->qid);

	cmd.raw_dptr = true;
	return nvp_exec_admin(sq->drive, &cmd, cpl);
}

int nvp_cq_delete(struct nvp_cq *cq, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = nvp_build_delete_cq(cq->qid);

	return nvp_exec_admin(cq->drive, &cmd, cpl);
}

int nvp_sq_delete(struct nvp_sq *sq, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = nvp_build_delete_sq(sq->qid);

	return nvp_exec_admin(sq->drive, &cmd, cpl);
}
