// SPDX-License-Identifier: GPL-2.0-or-later
// Completion entries of the simulated drive, room for them, and the interrupts they raise.

#include "core/base/bits.h"
#include "core/sim/mechanism.h"

#define INTERRUPT_NS 100

static void fire(struct nvp_sim *w, uint64_t vector)
{
	w->queues->vector[vector].scheduled = false;
	w->queues->vector[vector].held_back = 0;
	if (!vector || !nvp_defect(w, NVP_HOOK_INT_VECTOR))
		nvp_msix_fire(w, (unsigned)vector);
	if (vector && vector + 1 < nvp_sim_nr_vectors(w) &&
	    (nvp_defect(w, NVP_HOOK_INT_VECTOR) || nvp_defect(w, NVP_HOOK_INT_TWO_VECTORS)))
		nvp_msix_fire(w, (unsigned)vector + 1);
}

static void fire_timed(struct nvp_sim *w, uint64_t vector)
{
	w->queues->vector[vector].timed = false;
	if (w->queues->vector[vector].held_back)
		fire(w, vector);
}

/* Interrupt coalescing holds for I/O queues only (NVMe Base 2.0, 5.27.1.6). */
static bool is_coalesced(const struct nvp_sim *w, const struct nvp_cq *cq)
{
	unsigned v = cq->vector;
	bool off = w->live.coalescing_off[v / 64] >> (v % 64) & 1;

	return w->live.coalescing_time_100us && !nvp_defect(w, NVP_HOOK_INT_COALESCE_IGNORED) &&
	       (cq->qid || nvp_defect(w, NVP_HOOK_INT_COALESCE_ADMIN)) &&
	       (!off || nvp_defect(w, NVP_HOOK_INT_COALESCE_CD));
}

/* What a wrong drive does not tell the host. */
static bool is_forgotten(const struct nvp_sim *w, const struct nvp_cq *cq)
{
	if (cq->qid && cq->used > 1 && nvp_defect(w, NVP_HOOK_INT_EDGE))
		return true;
	for (unsigned q = 1; q < cq->qid && nvp_defect(w, NVP_HOOK_INT_SHARED); q++)
		if (w->queues->cq[q].exists && w->queues->cq[q].vector == cq->vector)
			return true;
	return false;
}

static void interrupt(struct nvp_sim *w, const struct nvp_cq *cq)
{
	uint8_t threshold_z = nvp_defect(w, NVP_HOOK_INT_COALESCE_TIME) ?
			      UINT8_MAX : w->live.coalescing_threshold_z;
	unsigned v = cq->vector;

	if (is_forgotten(w, cq))
		return;
	if (cq->qid && nvp_defect(w, NVP_HOOK_CQE_NO_INTERRUPT) &&
	    nvp_defect_nth(w, NVP_HOOK_CQE_NO_INTERRUPT))
		return;
	if (is_coalesced(w, cq) && ++w->queues->vector[v].held_back <= threshold_z) {
		if (!w->queues->vector[v].timed && !nvp_defect(w, NVP_HOOK_INT_COALESCE_STUCK))
			nvp_event_add(w, NVP_SCOPE_CONTROLLER,
				      w->live.coalescing_time_100us * 100 * NVP_NS_PER_US,
				      fire_timed, v);
		w->queues->vector[v].timed = true;
		return;
	}
	if (!w->queues->vector[v].scheduled)
		nvp_event_add(w, NVP_SCOPE_CONTROLLER, INTERRUPT_NS, fire, v);
	w->queues->vector[v].scheduled = true;
}

/* The entry is written with its phase last, so that a host that polls never sees half of it. */
static void put_cqe(struct nvp_sim *w, struct nvp_cq *cq, const uint8_t cqe[16])
{
	uint64_t at = cq->base + (uint64_t)cq->tail * 16;

	if (!nvp_dma_write(w, at, cqe, 12) || !nvp_dma_write(w, at + 12, cqe + 12, 4)) {
		nvp_registers_fatal(w);
		return;
	}
	if (cq->used < cq->size)
		cq->used++;
	if (++cq->tail >= cq->size) {
		cq->tail = 0;
		if (!nvp_defect(w, NVP_HOOK_CQE_PHASE_STUCK))
			cq->phase = !cq->phase;
	}
	if (cq->interrupts)
		interrupt(w, cq);
	else if (nvp_defect(w, NVP_HOOK_INT_DISABLED))
		nvp_msix_fire(w, 0);
}

static bool wrong(struct nvp_sim *w, const struct nvp_sim_cmd *c, enum nvp_hook hook)
{
	return c->sqid && nvp_defect(w, hook) && nvp_defect_nth(w, hook);
}

static void make_cqe(struct nvp_sim *w, const struct nvp_sim_cmd *c, uint8_t cqe[16])
{
	const struct nvp_sq *sq = &w->queues->sq[c->sqid];
	const struct nvp_cq *cq = &w->queues->cq[c->cqid];
	uint32_t head = sq->exists ? sq->head : c->sq_head;
	uint16_t sqid = c->sqid, cid = c->cid, status;
	uint8_t sct = c->sct, sc = c->sc;
	bool dnr = c->dnr;

	if (wrong(w, c, NVP_HOOK_CQE_CID_WRONG))
		cid ^= 0x4000;
	if (nvp_defect(w, NVP_HOOK_CQE_CID_TRUNCATED))
		cid &= 0xff;
	if (wrong(w, c, NVP_HOOK_CQE_SQID_WRONG))
		sqid++;
	if (nvp_defect(w, NVP_HOOK_QUE_SHARED_CQ_SQID) && cq->nr_sqs > 1)
		sqid = c->cqid;
	if (wrong(w, c, NVP_HOOK_CQE_SQHD_WRONG))
		head = sq->size;
	if (nvp_defect(w, NVP_HOOK_CQE_SQHD_STUCK) && c->sqid)
		head = 0;
	if (wrong(w, c, NVP_HOOK_CQE_STATUS_RESERVED))
		sct = 5;
	if (wrong(w, c, NVP_HOOK_CQE_STATUS_HOST)) {
		sct = 3;
		sc = 0x71;
	}
	if (wrong(w, c, NVP_HOOK_CQE_DNR_ON_SUCCESS))
		dnr = true;
	status = (uint16_t)(sc | (sct & 7) << 8 | (c->more ? 1U << 13 : 0) |
			    (dnr ? 1U << 14 : 0));
	nvp_put_le32(cqe, c->dw0);
	nvp_put_le32(cqe + 4, c->dw1);
	nvp_put_le16(cqe + 8, (uint16_t)head);
	nvp_put_le16(cqe + 10, sqid);
	nvp_put_le16(cqe + 12, cid);
	nvp_put_le16(cqe + 14, (uint16_t)(status << 1 | cq->phase));
}

/* With another command of its queue that is still running; each at most once. */
static void swap_cids(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t slot = w->queues->sq[c->sqid].newest;

	while (slot != NVP_NO_COMMAND && !c->swapped) {
		struct nvp_sim_cmd *other = nvp_engine_cmd(w, slot);
		uint16_t cid = c->cid;

		slot = other->older;
		if (other == c || other->swapped)
			continue;
		c->cid = other->cid;
		other->cid = cid;
		c->swapped = other->swapped = true;
	}
}

void nvp_queues_write_cqe(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_cq *cq = &w->queues->cq[c->cqid];
	uint8_t cqe[16];

	nvp_commands_done(w, c);
	if (wrong(w, c, NVP_HOOK_CQE_CIDS_SWAPPED))
		swap_cids(w, c);
	make_cqe(w, c, cqe);
	put_cqe(w, cq, cqe);
	if (wrong(w, c, NVP_HOOK_CQE_TWICE)) {
		cqe[14] = (uint8_t)((cqe[14] & ~1) | cq->phase);
		put_cqe(w, cq, cqe);
	}
}

void nvp_queues_stale(struct nvp_sim *w, uint64_t cid)
{
	struct nvp_cq *cq = &w->queues->cq[0];
	uint8_t cqe[16] = { 0 };

	nvp_put_le16(cqe + 12, (uint16_t)cid);
	cqe[14] = cq->phase;
	if (cq->exists)
		put_cqe(w, cq, cqe);
}

static void wait_for_room(struct nvp_sim *w, struct nvp_cq *cq, struct nvp_sim_cmd *c)
{
	c->state = NVP_CMD_WAIT_CQ;
	c->next_waiting = NVP_NO_COMMAND;
	if (cq->last_waiting == NVP_NO_COMMAND)
		cq->first_waiting = c->slot;
	else
		nvp_engine_cmd(w, cq->last_waiting)->next_waiting = c->slot;
	cq->last_waiting = c->slot;
}

void nvp_queues_post(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);
	struct nvp_cq *cq = &w->queues->cq[c->cqid];
	bool full = cq->used >= cq->size - 1 && !nvp_defect(w, NVP_HOOK_QUE_OVERRUN);

	if (!cq->exists) {
		nvp_engine_release(w, c);
		return;
	}
	if (full && !w->queues->sq[c->sqid].deleting) {
		wait_for_room(w, cq, c);
		return;
	}
	/* of a queue being deleted, a completion without room is implied by that of Delete */
	if (!full && !wrong(w, c, NVP_HOOK_QUE_COMMAND_LOST))
		nvp_queues_write_cqe(w, c);
	nvp_engine_release(w, c);
}

void nvp_queues_drop_waiting(struct nvp_sim *w, uint16_t sqid)
{
	struct nvp_cq *cq = &w->queues->cq[w->queues->sq[sqid].cqid];
	uint32_t slot = cq->first_waiting;

	cq->first_waiting = cq->last_waiting = NVP_NO_COMMAND;
	while (slot != NVP_NO_COMMAND) {
		struct nvp_sim_cmd *c = nvp_engine_cmd(w, slot);

		slot = c->next_waiting;
		if (c->sqid == sqid)
			nvp_engine_release(w, c);
		else
			wait_for_room(w, cq, c);
	}
}

void nvp_queues_post_waiting(struct nvp_sim *w, struct nvp_cq *cq)
{
	while (cq->first_waiting != NVP_NO_COMMAND && cq->used < cq->size - 1) {
		struct nvp_sim_cmd *c = nvp_engine_cmd(w, cq->first_waiting);

		cq->first_waiting = c->next_waiting;
		if (cq->first_waiting == NVP_NO_COMMAND)
			cq->last_waiting = NVP_NO_COMMAND;
		c->state = NVP_CMD_DONE;
		nvp_queues_write_cqe(w, c);
		nvp_engine_release(w, c);
	}
}
