// SPDX-License-Identifier: GPL-2.0-or-later
// Submission and completion queues: doorbells, arbitration, fetch, completion entries, interrupts.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/mechanism.h"

#define FETCH_NS 50

int nvp_queues_new(struct nvp_sim *w)
{
	w->queues = calloc(1, sizeof(*w->queues));
	if (!w->queues)
		return -ENOMEM;
	nvp_queues_reset(w);
	return 0;
}

void nvp_queues_free(struct nvp_sim *w)
{
	free(w->queues);
	w->queues = NULL;
}

void nvp_queues_reset(struct nvp_sim *w)
{
	struct nvp_queue_state *q = w->queues;
	struct nvp_queue_state old = *q;

	memset(q, 0, sizeof(*q));
	for (unsigned i = 0; i < NVP_MAX_QUEUES; i++) {
		q->sq[i].newest = NVP_NO_COMMAND;
		q->cq[i].first_waiting = q->cq[i].last_waiting = NVP_NO_COMMAND;
	}
	q->stopped = old.stopped;
	if (nvp_defect(w, NVP_HOOK_REG_RESET_KEEPS_HEAD))
		q->sq[0].head = old.sq[0].head;
	if (!nvp_defect(w, NVP_HOOK_REG_RESET_KEEPS_QUEUES))
		return;
	for (unsigned i = 1; i < NVP_MAX_QUEUES; i++) {
		q->sq[i] = old.sq[i];
		q->sq[i].newest = NVP_NO_COMMAND;
		q->sq[i].nr_commands = 0;
		q->cq[i] = old.cq[i];
		q->cq[i].first_waiting = q->cq[i].last_waiting = NVP_NO_COMMAND;
	}
}

void nvp_queues_admin(struct nvp_sim *w, uint64_t asq, uint32_t sq_size, uint64_t acq,
		      uint32_t cq_size)
{
	struct nvp_queue_state *q = w->queues;
	uint32_t head = q->sq[0].head < sq_size ? q->sq[0].head : 0;	/* 0 in a good drive */

	q->cq[0] = (struct nvp_cq){
		.exists = true, .interrupts = true, .size = cq_size, .base = acq, .phase = 1,
		.nr_sqs = 1, .first_waiting = NVP_NO_COMMAND, .last_waiting = NVP_NO_COMMAND,
	};
	q->sq[0] = (struct nvp_sq){
		.exists = true, .size = sq_size, .base = asq, .head = head, .tail = head,
		.newest = NVP_NO_COMMAND,
	};
}

bool nvp_sim_sq_exists(const struct nvp_sim *w, uint16_t qid)
{
	return qid < NVP_MAX_QUEUES && w->queues->sq[qid].exists;
}

void nvp_queues_stop(struct nvp_sim *w)
{
	w->queues->stopped = true;
}

/* ---- fetch ---- */

void nvp_sq_update(struct nvp_sim *w, struct nvp_sq *sq)
{
	unsigned i = (unsigned)(sq - w->queues->sq);
	uint64_t bit = UINT64_C(1) << (i % 64);

	if (sq->exists && !sq->deleting && !sq->stuck && sq->head != sq->tail)
		w->queues->pending[i / 64] |= bit;
	else
		w->queues->pending[i / 64] &= ~bit;
}

/* The next SQ from `from` on, going round, that has something to fetch; -1: none. */
static int next_pending(const struct nvp_queue_state *q, unsigned from)
{
	const unsigned nr_words = NVP_ARRAY_SIZE(q->pending);
	unsigned word = from / 64;
	uint64_t bits = q->pending[word] & (UINT64_MAX << (from % 64));

	for (unsigned i = 0; i <= nr_words; i++) {
		if (bits)
			return (int)(word * 64 + (unsigned)__builtin_ctzll(bits));
		word = (word + 1) % nr_words;
		bits = q->pending[word];
	}
	return -1;
}

/* An I/O queue of this priority that has something to fetch: the one after that served last. */
static struct nvp_sq *next_of(struct nvp_sim *w, unsigned priority)
{
	struct nvp_queue_state *q = w->queues;

	for (unsigned i = 1; i <= NVP_MAX_QUEUES; i++) {
		unsigned qid = (q->last[priority] + i) % NVP_MAX_QUEUES;
		unsigned its = q->sq[qid].priority;

		if (!its && nvp_defect(w, NVP_HOOK_ARB_URGENT_IGNORED))
			its = 1;
		if (qid && its == priority && q->pending[qid / 64] >> (qid % 64) & 1) {
			q->last[priority] = qid;
			return &q->sq[qid];
		}
	}
	return NULL;
}

/*
 * Weighted round robin with urgent priority class (3.4.4.2): the admin queue, urgent queues, then
 * as many commands of each priority as its weight says.
 */
static struct nvp_sq *arbitrate_weighted(struct nvp_sim *w)
{
	struct nvp_queue_state *q = w->queues;
	struct nvp_sq *sq = q->pending[0] & 1 ? q->sq : next_of(w, 0);

	for (unsigned pass = 0; pass < 2; pass++) {
		for (unsigned priority = 1; !sq && priority < 4; priority++) {
			sq = q->credit[priority] ? next_of(w, priority) : NULL;
			q->credit[priority] -= sq != NULL;
		}
		for (unsigned priority = 1; !sq && priority < 4; priority++)
			q->credit[priority] = nvp_defect(w, NVP_HOOK_ARB_WEIGHTS_IGNORED) ? 1 :
					      w->live.weight_z[priority] + 1u;
	}
	return sq;
}

static bool io_runs(const struct nvp_queue_state *q)
{
	for (unsigned i = 1; i < NVP_MAX_QUEUES; i++)
		if (q->sq[i].exists && (q->sq[i].nr_commands || q->sq[i].head != q->sq[i].tail))
			return true;
	return false;
}

/* Round robin with the arbitration burst (NVMe Base 2.0, 3.4.4.1); the admin queue has its turn. */
static struct nvp_sq *arbitrate(struct nvp_sim *w)
{
	struct nvp_queue_state *q = w->queues;
	unsigned limit = w->live.arbitration_burst >= 7 ? UINT32_MAX :
			 1U << w->live.arbitration_burst;
	bool starves = nvp_defect(w, NVP_HOOK_ARB_STARVES);
	bool same = !starves && q->pending[q->turn / 64] >> (q->turn % 64) & 1 && q->burst < limit;
	int next;

	if (nvp_registers_cc(w) >> 11 & 7)
		return arbitrate_weighted(w);
	if (!same) {
		next = next_pending(q, starves ? 0 : (q->turn + 1) % NVP_MAX_QUEUES);
		if (!next && nvp_defect(w, NVP_HOOK_ARB_ADMIN_LAST) && io_runs(q))
			next = next_pending(q, 1);
		if (next < 0 || (!next && nvp_defect(w, NVP_HOOK_ARB_ADMIN_LAST) && io_runs(q)))
			return NULL;
		q->turn = (unsigned)next;
		q->burst = 0;
	}
	q->burst++;
	return &q->sq[q->turn];
}

static void link_command(struct nvp_sim *w, struct nvp_sq *sq, struct nvp_sim_cmd *c)
{
	c->linked = true;
	c->older = sq->newest;
	c->newer = NVP_NO_COMMAND;
	if (sq->newest != NVP_NO_COMMAND)
		nvp_engine_cmd(w, sq->newest)->newer = c->slot;
	sq->newest = c->slot;
	sq->nr_commands++;
}

static void fetch(struct nvp_sim *w, uint64_t argument);

void nvp_queues_kick(struct nvp_sim *w)
{
	struct nvp_queue_state *q = w->queues;

	if (q->fetching || q->stopped || q->paused || next_pending(q, 0) < 0 ||
	    !nvp_registers_ready(w) || !nvp_config_master(w))
		return;
	q->fetching = true;
	nvp_event_add(w, NVP_SCOPE_CONTROLLER, FETCH_NS, fetch, 0);
}

static void fetch(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_queue_state *q = w->queues;
	struct nvp_sim_cmd *c;
	struct nvp_sq *sq;

	(void)argument;
	q->fetching = false;
	if (q->stopped || q->paused || !nvp_config_master(w))
		return;
	sq = arbitrate(w);
	if (!sq)
		return;
	if (sq->qid && sq->head == sq->size - 1 && nvp_defect(w, NVP_HOOK_QUE_WRAP_LOST)) {
		sq->head = 0;
		nvp_sq_update(w, sq);
		nvp_queues_kick(w);
		return;
	}
	c = nvp_engine_alloc(w, sq == q->sq);
	if (!c)
		return;		/* tried again when a command ends */
	if (!nvp_dma_read(w, sq->base + (uint64_t)sq->head * 64, c->sqe, sizeof(c->sqe))) {
		nvp_engine_release(w, c);
		nvp_registers_fatal(w);
		return;
	}
	if (++sq->head >= sq->size)
		sq->head = 0;
	nvp_sq_update(w, sq);
	c->sqid = sq->qid;
	c->cqid = sq->cqid;
	c->opcode = c->sqe[0];
	c->cid = nvp_le16(c->sqe + 2);
	c->nsid = nvp_le32(c->sqe + 4);
	c->sq_head = (uint16_t)sq->head;
	c->fetched_ns = w->now_ns;
	link_command(w, sq, c);
	nvp_event_add_cmd(w, c, w->profile->command_ns, nvp_engine_check);
	nvp_queues_kick(w);
}

/* ---- doorbells ---- */

static void doorbell_error(struct nvp_sim *w, bool no_such_queue, uint16_t qid)
{
	if (nvp_defect(w, NVP_HOOK_DBL_NO_EVENT))
		return;
	if (nvp_defect(w, NVP_HOOK_DBL_WRONG_EVENT))
		no_such_queue = !no_such_queue;
	nvp_commands_doorbell_error(w, no_such_queue, qid);
}

static void cq_head(struct nvp_sim *w, struct nvp_cq *cq, uint32_t head)
{
	uint32_t taken = (head + cq->size - cq->head) % cq->size;

	if (head >= cq->size || taken > cq->used) {
		doorbell_error(w, false, cq->qid);
		return;
	}
	cq->head = head;
	cq->used -= taken;
	nvp_queues_post_waiting(w, cq);
}

static void sq_tail(struct nvp_sim *w, struct nvp_sq *sq, uint32_t tail)
{
	if (tail >= sq->size) {
		doorbell_error(w, false, sq->qid);
		return;
	}
	if (sq->qid && nvp_defect(w, NVP_HOOK_DBL_SWALLOWED) &&
	    nvp_defect_nth(w, NVP_HOOK_DBL_SWALLOWED))
		return;
	if (sq->qid > 1 && sq->qid == w->live.nr_sqs && nvp_defect(w, NVP_HOOK_QUE_LAST_UNSERVED))
		return;
	sq->tail = tail;
	if (sq->qid && (tail + 1) % sq->size == sq->head && nvp_defect(w, NVP_HOOK_QUE_FULL_LOST))
		sq->head = (sq->head + 1) % sq->size;
	nvp_sq_update(w, sq);
	nvp_queues_kick(w);
}

/* Bits 31:16 are reserved and not looked at (NVMe PCIe Transport 1.0, 3.1.2). */
void nvp_queues_doorbell(struct nvp_sim *w, uint16_t qid, bool cq, uint32_t value)
{
	struct nvp_queue_state *q = w->queues;

	value &= 0xffff;
	if (qid >= NVP_MAX_QUEUES || !(cq ? q->cq[qid].exists : q->sq[qid].exists)) {
		doorbell_error(w, true, qid);
		if (nvp_defect(w, NVP_HOOK_DBL_STRAY_KILLS)) {
			q->sq[1].stuck = true;
			nvp_sq_update(w, &q->sq[1]);
		}
		return;
	}
	if (cq)
		cq_head(w, &q->cq[qid], value);
	else if (!q->sq[qid].deleting)
		sq_tail(w, &q->sq[qid], value);
}
