// SPDX-License-Identifier: GPL-2.0-or-later
// Create and Delete I/O Submission and Completion Queue (NVMe Base 2.0, 5.4 to 5.7).

#include <nvproof/cmd.h>

#include "core/base/bits.h"
#include "core/sim/mechanism.h"

struct create {
	uint16_t qid;
	uint32_t size;
	uint64_t base;
	uint32_t dw11;
};

static struct create decode(const struct nvp_sim_cmd *c)
{
	uint32_t dw10 = nvp_le32(c->sqe + 40);

	return (struct create){
		.qid = (uint16_t)dw10,
		.size = (dw10 >> 16) + 1,
		.base = nvp_le64(c->sqe + 24),
		.dw11 = nvp_le32(c->sqe + 44),
	};
}

/*
 * What both creations check: entry size set in CC, QSIZE, contiguous, base on a page. 0, or the
 * status as sct << 8 | sc.
 */
static unsigned check_shape(struct nvp_sim *w, const struct create *q, unsigned entry_shift,
			    unsigned wanted_shift)
{
	bool size_ok = q->size >= 2 && q->size <= w->profile->mqes_z + 1U;

	if (entry_shift != wanted_shift && !nvp_defect(w, NVP_HOOK_QUE_ENTRY_SIZE_OK))
		return NVP_SCT_COMMAND << 8 | NVP_SC_QUEUE_SIZE;
	if (!size_ok && !nvp_defect(w, NVP_HOOK_QUE_SIZE_UNCHECKED))
		return NVP_SCT_COMMAND << 8 | NVP_SC_QUEUE_SIZE;
	if (!(q->dw11 & 1) && !nvp_defect(w, NVP_HOOK_QUE_NONCONTIGUOUS_OK))
		return NVP_SC_INVALID_FIELD;
	if (nvp_bits(q->base, 0, nvp_registers_page_shift(w)) &&
	    !nvp_defect(w, NVP_HOOK_QUE_OFFSET_OK))
		return NVP_SC_PRP_OFFSET;
	return 0;
}

static bool qid_ok(struct nvp_sim *w, uint16_t qid, uint16_t nr, bool exists)
{
	if (!qid)
		return nvp_defect(w, NVP_HOOK_QUE_QID_ZERO_OK);
	if (qid > nr && (qid >= NVP_MAX_QUEUES || !nvp_defect(w, NVP_HOOK_QUE_QID_ABOVE_OK)))
		return false;
	return !exists || nvp_defect(w, NVP_HOOK_QUE_DUPLICATE_OK);
}

static enum nvp_step status(struct nvp_sim_cmd *c, unsigned sct_sc)
{
	return nvp_sim_fail(c, (uint8_t)(sct_sc >> 8), (uint8_t)sct_sc);
}

static enum nvp_step create_cq(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct create q = decode(c);
	struct nvp_cq *cq = &w->queues->cq[q.qid < NVP_MAX_QUEUES ? q.qid : 0];
	uint16_t vector = (uint16_t)(q.dw11 >> 16);
	bool interrupts = q.dw11 & 2;
	unsigned wrong;

	if (!qid_ok(w, q.qid, w->live.nr_cqs, cq->exists))
		return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_QUEUE_ID);
	wrong = check_shape(w, &q, nvp_registers_cc(w) >> 20 & 15, 4);
	if (wrong)
		return status(c, wrong);
	if (interrupts && vector >= nvp_sim_nr_vectors(w)) {
		if (!nvp_defect(w, NVP_HOOK_QUE_VECTOR_OK))
			return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_INTERRUPT_VECTOR);
		interrupts = false;
		vector = 0;
	}
	if (!q.qid || cq->exists)	/* a wrong drive says yes and keeps what it has */
		return NVP_STEP_COMPLETE;
	*cq = (struct nvp_cq){
		.exists = true, .interrupts = interrupts, .qid = q.qid, .vector = vector,
		.size = q.size, .base = q.base, .phase = 1, .first_waiting = NVP_NO_COMMAND,
		.last_waiting = NVP_NO_COMMAND,
	};
	return NVP_STEP_COMPLETE;
}

static enum nvp_step create_sq(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct create q = decode(c);
	struct nvp_sq *sq = &w->queues->sq[q.qid < NVP_MAX_QUEUES ? q.qid : 0];
	uint16_t cqid = (uint16_t)(q.dw11 >> 16);
	unsigned wrong;

	if (!qid_ok(w, q.qid, w->live.nr_sqs, sq->exists))
		return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_QUEUE_ID);
	if (!cqid || cqid > w->live.nr_cqs)
		return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_QUEUE_ID);
	if (!w->queues->cq[cqid].exists) {
		if (!nvp_defect(w, NVP_HOOK_QUE_CQ_MISSING_OK))
			return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_CQ_INVALID);
		return NVP_STEP_COMPLETE;
	}
	if (q.dw11 & 6 && nvp_defect(w, NVP_HOOK_QUE_PRIORITY_REFUSED))
		return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD);
	wrong = check_shape(w, &q, nvp_registers_cc(w) >> 16 & 15, 6);
	if (wrong)
		return status(c, wrong);
	if (!q.qid || sq->exists)
		return NVP_STEP_COMPLETE;
	*sq = (struct nvp_sq){
		.exists = true, .qid = q.qid, .cqid = cqid, .size = q.size, .base = q.base,
		.priority = q.dw11 >> 1 & 3, .newest = NVP_NO_COMMAND,
	};
	w->queues->cq[cqid].nr_sqs++;
	return NVP_STEP_COMPLETE;
}

/* The slot after the last entry, in memory that is the host's again. */
static void write_dead_cq(struct nvp_sim *w, uint64_t qid)
{
	const struct nvp_cq *cq = &w->queues->cq[qid];
	uint8_t cqe[16] = { 0 };

	nvp_put_le16(cqe + 10, (uint16_t)qid);
	cqe[14] = cq->phase;
	if (!cq->exists)
		(void)nvp_dma_write(w, cq->base + (uint64_t)cq->tail * 16, cqe, sizeof(cqe));
}

static enum nvp_step delete_cq(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint16_t qid = (uint16_t)nvp_le32(c->sqe + 40);

	if (!qid || qid >= NVP_MAX_QUEUES || !w->queues->cq[qid].exists) {
		if (nvp_defect(w, NVP_HOOK_QUE_DELETE_MISSING_OK))
			return NVP_STEP_COMPLETE;
		return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_QUEUE_ID);
	}
	if (w->queues->cq[qid].nr_sqs) {
		if (nvp_defect(w, NVP_HOOK_QUE_CQ_DELETE_BUSY_OK))
			return NVP_STEP_COMPLETE;
		return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_QUEUE_DELETION);
	}
	w->queues->cq[qid].exists = false;
	if (nvp_defect(w, NVP_HOOK_QUE_DEAD_CQ_WRITTEN))
		nvp_event_add(w, NVP_SCOPE_CONTROLLER, 50 * NVP_NS_PER_US, write_dead_cq, qid);
	return NVP_STEP_COMPLETE;
}

static void remove_sq(struct nvp_sim *w, uint16_t qid)
{
	struct nvp_sq *sq = &w->queues->sq[qid];

	for (uint32_t slot = sq->newest; slot != NVP_NO_COMMAND;) {
		struct nvp_sim_cmd *late = nvp_engine_cmd(w, slot);

		late->linked = false;
		slot = late->older;
	}
	sq->newest = NVP_NO_COMMAND;
	sq->nr_commands = 0;
	w->queues->cq[sq->cqid].nr_sqs--;
	sq->exists = false;
	sq->deleting = false;
	nvp_sq_update(w, sq);
}

/* No completion of the queue may come after that of Delete: it waits for those on their way. */
static enum nvp_step delete_sq_wait(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint16_t qid = (uint16_t)nvp_le32(c->sqe + 40);

	if (w->queues->sq[qid].nr_commands) {
		c->then = delete_sq_wait;
		c->delay_ns = NVP_NS_PER_US;
		return NVP_STEP_DELAY;
	}
	remove_sq(w, qid);
	return NVP_STEP_COMPLETE;
}

static enum nvp_step delete_sq(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint16_t qid = (uint16_t)nvp_le32(c->sqe + 40);
	struct nvp_sq *sq = &w->queues->sq[qid < NVP_MAX_QUEUES ? qid : 0];
	uint32_t slot;

	if (!qid || qid >= NVP_MAX_QUEUES || !sq->exists || sq->deleting) {
		if (nvp_defect(w, NVP_HOOK_QUE_DELETE_MISSING_OK))
			return NVP_STEP_COMPLETE;
		return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_QUEUE_ID);
	}
	if (nvp_defect(w, NVP_HOOK_QUE_DELETE_LATE_CQE)) {
		remove_sq(w, qid);
		return NVP_STEP_COMPLETE;
	}
	sq->deleting = true;
	nvp_sq_update(w, sq);
	nvp_queues_drop_waiting(w, qid);
	for (slot = sq->newest; slot != NVP_NO_COMMAND;) {
		struct nvp_sim_cmd *other = nvp_engine_cmd(w, slot);

		slot = other->older;
		nvp_sim_cmd_abort(w, other, 0, NVP_SC_SQ_DELETION);
	}
	return delete_sq_wait(w, c);
}

enum nvp_step nvp_queues_admin_command(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	switch (c->opcode) {
	case 0x00:
		return delete_sq(w, c);
	case 0x01:
		return create_sq(w, c);
	case 0x04:
		return delete_cq(w, c);
	default:
		return create_cq(w, c);
	}
}
