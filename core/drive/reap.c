// SPDX-License-Identifier: GPL-2.0-or-later
// Taking completions: from ring memory, through the invariants, to whoever waits for them.

#include <nvproof/decode.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/drive/door.h"

static uint8_t phase_at(const struct nvp_cq *cq, uint32_t slot)
{
	/* Acquire: the rest of the entry is read after its phase. */
	return __atomic_load_n(cq->phase_base + (size_t)slot * NVP_CQE_BYTES, __ATOMIC_ACQUIRE) & 1;
}

static bool entry_there(const struct nvp_cq *cq)
{
	return phase_at(cq, cq->head) == cq->phase;
}

/* For a completion that belongs to no command: something to deliver it with. */
static struct nvp_flight *stray(struct nvp_cq *cq)
{
	struct nvp_flight *flight = cq->strays;

	if (flight) {
		cq->strays = flight->next;
		flight->next = NULL;
		return flight;
	}
	return calloc(1, sizeof(*flight));
}

static void advance(struct nvp_cq *cq)
{
	if (++cq->head == cq->entries) {
		cq->head = 0;
		cq->phase ^= 1;
	}
	cq->unrung++;
	if (cq->hold_head)
		return;
	if (cq->unrung * 4 >= cq->entries || !entry_there(cq))
		nvp_ring_head(cq);
}

static void land(struct nvp_flight *flight, struct nvp_cpl *cpl)
{
	struct nvp_sq *sq = flight->sq;

	cpl->sub_tick = flight->sub_tick;
	cpl->latency_ns = nvp_drive_now_ns(sq->drive) - flight->start_ns;
	nvp_bitmap_set(sq->completed, flight->cid);
	nvp_check_memory(sq->drive, flight);
	nvp_flight_end(flight, NVP_FLIGHT_DONE);
}

int nvp_cq_take(struct nvp_cq *cq, struct nvp_flight **out)
{
	struct nvp_drive *drive = cq->drive;
	uint8_t *cqe = cq->taken + (size_t)cq->head * NVP_CQE_BYTES;
	struct nvp_flight *flight;
	struct nvp_cpl cpl;
	struct nvp_sq *sq;

	if (!cq->ring)
		return nvp_depth_take(cq, out);
	if (cq->quiet || !entry_there(cq))
		return 0;
	drive->ops->peek(drive->backend, cq->ring, cq->head, cqe);
	nvp_decode_cqe(cqe, &cpl);
	nvp_drive_take_tick(drive);
	cpl.ack_tick = nvp_drive_last_tick(drive);
	cpl.sub_tick = cpl.latency_ns = 0;
	cpl.has_queue_fields = true;

	flight = nvp_check_identity(cq, &cpl, &sq);
	if (sq)
		nvp_check_sqhd(sq, &cpl);
	nvp_check_status(drive, flight ? &flight->sqe : NULL, &cpl);
	nvp_check_dma(drive);
	if (flight) {
		land(flight, &cpl);
	} else {
		flight = stray(cq);
		if (!flight)
			return -ENOMEM;
	}
	flight->cpl = cpl;
	flight->state = NVP_FLIGHT_DONE;
	advance(cq);
	if (flight->sq)
		nvp_observe_completion(flight);
	*out = flight;
	return 1;
}

void nvp_cq_drain(struct nvp_cq *cq)
{
	struct nvp_flight *flight;

	while (nvp_cq_take(cq, &flight) > 0)
		nvp_flights_add(&cq->kept, flight);
}

void nvp_cq_check_phase(struct nvp_cq *cq)
{
	uint8_t cqe[NVP_CQE_BYTES];

	if (cq->quiet || !cq->ring)
		return;
	for (uint32_t slot = 0; slot < cq->entries; slot++) {
		cq->drive->base->peek(cq->drive->base_backend, cq->ring, slot, cqe);
		/* Entries arrive in order: with the next one there, those behind it may be too. */
		if (entry_there(cq))
			return;
		nvp_check_phase_slot(cq, slot, cqe);
	}
}

static void check_late_ring(struct nvp_drive *drive, struct nvp_ring *ring, uint32_t entries)
{
	uint8_t cqe[NVP_CQE_BYTES];
	bool dirty = false;

	for (uint32_t slot = 0; slot < entries; slot++) {
		drive->base->peek(drive->base_backend, ring, slot, cqe);
		nvp_check_late_entry(drive, ring->qid, slot, cqe);
		for (unsigned i = 0; i < NVP_CQE_BYTES; i++)
			dirty |= cqe[i];
	}
	if (dirty)
		drive->base->ring_clear(drive->base_backend, ring);
}

void nvp_drive_check_late(struct nvp_drive *drive)
{
	for (struct nvp_cq *cq = drive->cqs; cq; cq = cq->next)
		if (cq->quiet)
			check_late_ring(drive, cq->ring, cq->entries);
	for (unsigned i = 0; i < drive->nr_buried; i++)
		check_late_ring(drive, drive->buried[i], drive->buried[i]->entries);
}

/* --- delivery ----------------------------------------------------------------------------- */

static int deliver(struct nvp_cq *cq, struct nvp_flight *flight, struct nvp_cpl *cpl)
{
	int rc = flight->error ? nvp_depth_error(flight) : 1;

	*cpl = rc > 0 ? flight->cpl : (struct nvp_cpl){ 0 };
	if (flight->sq) {
		nvp_flight_release(flight);
	} else {
		flight->next = cq->strays;
		cq->strays = flight;
	}
	return rc;
}

int nvp_reap(struct nvp_cq *cq, struct nvp_cpl *cpl)
{
	struct nvp_flight *flight = cq->kept.first ? nvp_flights_take(&cq->kept) : NULL;
	int rc = flight ? 1 : nvp_cq_take(cq, &flight);

	if (rc <= 0)
		*cpl = (struct nvp_cpl){ 0 };
	if (rc < 0)
		return nvp_drive_fail(cq->drive, NVP_ERR_BROKEN, rc, "no memory for a completion");
	if (rc == 0)
		return 0;
	rc = deliver(cq, flight, cpl);
	nvp_drive_heartbeat(cq->drive);
	return rc;
}

/* Wait until the next entry of cq is there: 1, 0 (time), -ENODEV. */
static int wait_entry(struct nvp_cq *cq, uint64_t until_ns)
{
	struct nvp_drive *drive = cq->drive;

	if (!cq->ring)
		return nvp_depth_wait(cq, until_ns);
	for (;;) {
		struct nvp_watch watch = {
			.phase_byte = cq->phase_base + (size_t)cq->head * NVP_CQE_BYTES,
			.expected_phase = cq->phase,
		};
		struct nvp_wait wait = {
			.watch = &watch,
			.nr_watch = 1,
			.until_ns = until_ns,
			.vectors = cq->vector >= 0 && cq->vector < 64 &&
						   drive->path & NVP_PATH_INTERRUPTS
					   ? 1ULL << cq->vector
					   : 0,
		};
		int woken;

		if (!cq->quiet && entry_there(cq))
			return 1;
		if (nvp_drive_now_ns(drive) >= until_ns)
			return nvp_drive_gone(drive) ? -ENODEV : 0;
		woken = nvp_drive_wait(drive, &wait);
		if (woken < 0)
			return !cq->quiet && entry_there(cq) ? 1 : -ENODEV;
		/* Remembered for nvp_vector_take; else it would end every later wait at once. */
		if (wait.vectors &&
		    drive->base->vector_take(drive->base_backend, (unsigned)cq->vector))
			drive->vectors_seen |= wait.vectors;
	}
}

int nvp_reap_until(struct nvp_cq *cq, uint64_t until_ns, struct nvp_cpl *cpl)
{
	int rc = nvp_reap(cq, cpl);

	if (rc)
		return rc;
	rc = wait_entry(cq, until_ns);
	if (rc < 0)
		return nvp_drive_fail(cq->drive, NVP_ERR_BROKEN, rc, "the drive is gone");
	if (rc == 0) {
		nvp_cq_check_phase(cq);
		return 0;
	}
	return nvp_reap(cq, cpl);
}

static uint64_t flight_budget_ns(const struct nvp_flight *flight)
{
	enum nvp_time_class class = flight->time_class;

	if (class == NVP_TIME_DEFAULT)
		class = flight->sq->qid == 0 ? NVP_TIME_ADMIN : NVP_TIME_IO;
	return nvp_drive_budget_ns(flight->sq->drive, class);
}

static int timed_out(struct nvp_sq *sq, const struct nvp_flight *flight)
{
	struct nvp_drive *drive = sq->drive;

	if (!sq->ring)
		return nvp_depth_late(flight);
	nvp_cq_check_phase(sq->cq);
	return nvp_drive_fail(drive, NVP_ERR_BROKEN, -ETIMEDOUT,
			      "no completion of %s (queue %u, CID %u) within %llu ms",
			      nvp_opcode_name(sq->qid == 0, nvp_sqe_opcode(&flight->sqe)), sq->qid,
			      flight->cid,
			      (unsigned long long)(flight_budget_ns(flight) / NVP_NS_PER_MS));
}

/* The state that a waiter finds its command in: 1 delivered, 0 still out, or a negative errno. */
static int collect(struct nvp_sq *sq, uint16_t cid, struct nvp_cpl *cpl)
{
	struct nvp_flight *flight = nvp_flight_find(sq, cid, 1u << NVP_FLIGHT_DONE);

	if (flight) {
		nvp_flights_remove(&sq->cq->kept, flight);
		return deliver(sq->cq, flight, cpl);
	}
	if (nvp_flight_find(sq, cid, 1u << NVP_FLIGHT_POSTED | 1u << NVP_FLIGHT_EXPOSED))
		return 0;
	flight = nvp_flight_find(sq, cid, 1u << NVP_FLIGHT_CANCELLED);
	if (!flight)
		return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, -EINVAL,
				      "no command with CID %u on queue %u", cid, sq->qid);
	nvp_flight_release(flight);
	return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, -ECANCELED,
			      "the command was given up by a reset or a Delete");
}

int nvp_wait_cid(struct nvp_sq *sq, uint16_t cid, struct nvp_cpl *cpl)
{
	struct nvp_flight *flight;
	uint64_t until_ns = 0;
	int rc;

	*cpl = (struct nvp_cpl){ 0 };
	for (;;) {
		rc = collect(sq, cid, cpl);
		if (rc) {
			nvp_drive_heartbeat(sq->drive);
			return rc < 0 ? rc : 0;
		}
		if (!until_ns) {
			flight = nvp_flight_find(sq, cid, ~0u);
			until_ns = sq->ring ? nvp_clock_deadline_ns(sq->drive->clock,
								    flight_budget_ns(flight)) :
					      nvp_depth_deadline_ns(flight);
		}
		rc = wait_entry(sq->cq, until_ns);
		if (rc < 0)
			return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, rc, "the drive is gone");
		if (rc == 0)
			return timed_out(sq, nvp_flight_find(sq, cid, ~0u));
		rc = nvp_cq_take(sq->cq, &flight);
		if (rc < 0)
			return nvp_drive_fail(sq->drive, NVP_ERR_BROKEN, rc,
					      "no memory for a completion");
		nvp_flights_add(&sq->cq->kept, flight);
	}
}

bool nvp_vector_take(struct nvp_drive *drive, unsigned vector)
{
	bool seen = vector < 64 && drive->vectors_seen >> vector & 1;

	if (seen)
		drive->vectors_seen &= ~(1ULL << vector);
	if (!(drive->path & NVP_PATH_INTERRUPTS))
		return false;
	return drive->base->vector_take(drive->base_backend, vector) || seen;
}
