// SPDX-License-Identifier: GPL-2.0-or-later
// Operations on their way: commands, doorbells, completions, in the order of one counter.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "power/engine.h"

#define CID_SECOND 0x100u /* of a fused pair; bits 7:0 are the slot, 15:9 the queue */
#define FEATURE_CACHE 0x06
#define FUSE_FIRST 1u
#define FUSE_SECOND 2u

/* ---- queues ---- */

static int make_queue(struct nvp_camp *c, unsigned i)
{
	struct nvp_camp_queue *q = &c->queue[i];
	uint16_t qid = (uint16_t)(i + 1);
	struct nvp_cpl cpl;
	int rc;

	if (!i) {
		*q = (struct nvp_camp_queue){
			.sq = nvp_io_sq(c->drive), .cq = nvp_io_cq(c->drive),
		};
		return 0;
	}
	if (!q->cq) {
		uint32_t entries = nvp_sq_entries(nvp_io_sq(c->drive));

		q->cq = nvp_cq_new(c->drive, qid, entries, -1);
		q->sq = q->cq ? nvp_sq_new(c->drive, qid, entries, q->cq) : NULL;
		q->own = true;
	}
	if (!q->sq)
		return -ENOMEM;
	q->outstanding = 0;
	rc = nvp_cq_create(q->cq, &cpl);
	if (!rc && nvp_cpl_ok(&cpl))
		rc = nvp_sq_create(q->sq, &cpl);
	return rc ? rc : nvp_cpl_ok(&cpl) ? 0 : -EPROTO;
}

/* After each baseline: as many as the plan asks for and the drive gives. */
int nvp_camp_queues_make(struct nvp_camp *c)
{
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);
	unsigned most = (unsigned)nvp_min_u64(facts->nr_io_sq, facts->nr_io_cq);
	uint32_t entries = nvp_sq_entries(nvp_io_sq(c->drive));

	c->nr_queues = 0;
	most = (unsigned)nvp_min_u64(nvp_min_u64(most, NVP_CAMP_QUEUES), c->plan.queues);
	if (!most)
		most = 1;
	for (unsigned i = 0; i < most; i++) {
		int rc = make_queue(c, i);

		if (rc)
			return nvp_camp_door(c, rc, "creating queues");
		c->queue[i].depth =
			(uint16_t)nvp_min_u64(c->plan.depth, nvp_max_u64(1, entries - 1));
		c->nr_queues++;
	}
	return 0;
}

/* Between the cycles no queue of ours is known to the drive: only memory goes. */
void nvp_camp_queues_drop(struct nvp_camp *c)
{
	for (unsigned i = 1; i < NVP_CAMP_QUEUES; i++) {
		nvp_sq_free(c->queue[i].sq);
		nvp_cq_free(c->queue[i].cq);
		c->queue[i] = (struct nvp_camp_queue){ 0 };
	}
	c->nr_queues = 0;
}

/* ---- an operation becomes commands ---- */

struct nvp_stamp nvp_camp_stamp(const struct nvp_camp *c, const struct nvp_op *op, uint64_t seq,
				uint32_t index)
{
	return (struct nvp_stamp){
		.run = c->run,
		.lba = c->first_lba + op->block + index,
		.seq = seq,
		.nsid = c->nsid,
		.cycle = c->cycle,
		.index = (uint16_t)index,
		.op_nlb_z = op->nlb_z,
		.queue = op->queue,
		.kind = (uint8_t)op->kind,
		.flags = op->fua,
	};
}

/* From block `first` of the slot on; a compare expects what the operation before it wrote. */
static void fill(struct nvp_camp *c, struct nvp_camp_slot *slot, uint32_t first,
		 const struct nvp_op *op, uint64_t seq)
{
	for (uint32_t i = 0; i <= (uint32_t)op->nlb_z + op->beyond; i++) {
		struct nvp_stamp stamp = nvp_camp_stamp(c, op, seq, i);

		nvp_lb_stamp(&c->format, &slot->buf, first + i, &stamp);
	}
}

/* The blocks of an operation, which lie in its slot from `first` on. */
static struct nvp_cmd transfer(const struct nvp_camp *c, uint8_t opcode,
			       const struct nvp_camp_slot *slot, const struct nvp_op *op,
			       uint32_t first)
{
	return nvp_lb_command(&c->format, opcode, c->nsid, c->first_lba + op->block,
			      (uint16_t)(op->nlb_z + op->beyond), &slot->buf, first);
}

static struct nvp_cmd data_command(struct nvp_camp *c, struct nvp_camp_slot *slot,
				   const struct nvp_op *op, uint64_t seq)
{
	uint64_t lba = c->first_lba + op->block;
	struct nvp_cmd cmd;

	switch (op->kind) {
	case NVP_ORACLE_FLUSH:
		return nvp_build_flush(c->nsid);
	case NVP_ORACLE_WRITE_ZEROES:
		cmd = nvp_lb_write_zeroes(&c->format, c->nsid, lba, op->nlb_z);
		break;
	case NVP_ORACLE_WRITE_UNCORRECTABLE:
		return nvp_build_write_uncorrectable(c->nsid, lba, op->nlb_z);
	case NVP_ORACLE_DEALLOCATE:
		nvp_build_dsm_range(nvp_buf_data(slot->buf.data), 0, op->nlb_z + 1u, lba);
		cmd = nvp_build_dsm(c->nsid, 0, true, false, false);
		cmd.data = slot->buf.data;
		return cmd;
	case NVP_ORACLE_READ_FUA:
		cmd = transfer(c, NVP_IO_READ, slot, op, 0);
		nvp_cmd_set_fua(&cmd);
		return cmd;
	case NVP_ORACLE_COPY:
		memset(nvp_buf_data(slot->buf.data), 0, 32);
		nvp_build_copy_range(nvp_buf_data(slot->buf.data), c->first_lba + op->source,
				     op->nlb_z);
		cmd = nvp_build_copy(c->nsid, lba, 0, 0);
		cmd.data = slot->buf.data;
		break;
	default:
		fill(c, slot, 0, op, seq);
		cmd = transfer(c, NVP_IO_WRITE, slot, op, 0);
	}
	if (op->fua)
		nvp_cmd_set_fua(&cmd);
	return cmd;
}

static int submit(struct nvp_camp *c, unsigned queue, unsigned id, bool second, struct nvp_cmd *cmd)
{
	int rc;

	cmd->raw_cid = true;
	nvp_sqe_set_cid(&cmd->sqe, (uint16_t)(queue << 9 | (second ? CID_SECOND : 0) | id));
	rc = nvp_submit(c->queue[queue].sq, cmd, NULL);
	if (!rc) {
		c->slot[id].nr++;
		c->slot[id].left++;
		c->slot[id].opcode = nvp_sqe_opcode(&cmd->sqe);
		c->queue[queue].outstanding++;
	}
	return rc;
}

/* The pair takes one buffer: what is compared, then what is written. */
static int submit_pair(struct nvp_camp *c, unsigned queue, unsigned id, const struct nvp_op *op,
		       uint64_t seq)
{
	struct nvp_camp_slot *slot = &c->slot[id];
	uint32_t behind = op->nlb_z + 1u;
	const struct nvp_op *before = c->nr_ops ? &c->ops[c->nr_ops - 1].op : op;
	struct nvp_cmd cmd = transfer(c, NVP_IO_COMPARE, slot, op, 0);
	int rc;

	fill(c, slot, 0, op->wrong_compare ? op : before, op->wrong_compare ? seq : seq - 1);
	fill(c, slot, behind, op, seq);
	nvp_cmd_set_fuse(&cmd, FUSE_FIRST);
	rc = submit(c, queue, id, false, &cmd);
	if (rc)
		return rc;
	cmd = transfer(c, NVP_IO_WRITE, slot, op, behind);
	if (op->fua)
		nvp_cmd_set_fua(&cmd);
	nvp_cmd_set_fuse(&cmd, FUSE_SECOND);
	return submit(c, queue, id, true, &cmd);
}

struct nvp_lb_buf *nvp_camp_slot_buf(struct nvp_camp *c, unsigned id)
{
	struct nvp_lb_buf *buf = &c->slot[id].buf;

	if (!buf->data && nvp_lb_buf_new(c->drive, &c->format, 2 * c->most_blocks, buf))
		return NULL;
	return buf;
}

static int free_slot(struct nvp_camp *c)
{
	for (unsigned i = 0; i < NVP_CAMP_SLOTS; i++)
		if (!c->slot[i].busy)
			return nvp_camp_slot_buf(c, i) ? (int)i : -ENOMEM;
	return -ENOSPC;
}

static struct nvp_history_op *history_room(struct nvp_camp *c)
{
	if (c->nr_ops == c->room_ops) {
		uint32_t room = c->room_ops ? c->room_ops * 2 : 256;
		void *grown = realloc(c->ops, room * sizeof(*c->ops));

		if (!grown)
			return NULL;
		c->ops = grown;
		c->room_ops = room;
	}
	return &c->ops[c->nr_ops];
}

int nvp_camp_post(struct nvp_camp *c, const struct nvp_op *op)
{
	unsigned queue = op->queue % c->nr_queues;
	bool pair = op->kind == NVP_ORACLE_COMPARE_WRITE;
	struct nvp_history_op *h = history_room(c);
	uint64_t seq = c->seq + c->nr_ops;
	struct nvp_camp_slot *slot;
	struct nvp_cmd cmd;
	int id, rc;

	if (!h)
		return -ENOMEM;
	if (op->beyond && c->first_lba + op->block + op->nlb_z + 1 != c->identity.nsze_lbas)
		return nvp_err_set(c->err, NVP_ERR_USAGE, -EINVAL,
				   "a write that is to cross the end of the namespace ends at LBA %llu, "
				   "inside it: give a window that ends with the namespace",
				   (unsigned long long)(c->first_lba + op->block + op->nlb_z));
	if (c->queue[queue].outstanding + 1u + pair > c->queue[queue].depth + (pair ? 1u : 0u))
		return -ENOSPC;
	id = free_slot(c);
	if (id < 0)
		return id;
	slot = &c->slot[id];
	slot->nr = slot->left = 0;
	slot->sct = slot->sc = 0;
	slot->op = c->nr_ops;
	if (pair) {
		rc = submit_pair(c, queue, (unsigned)id, op, seq);
	} else {
		cmd = data_command(c, slot, op, seq);
		rc = submit(c, queue, (unsigned)id, false, &cmd);
	}
	if (rc)
		return rc;
	slot->busy = true;
	c->nr_busy++;
	*h = (struct nvp_history_op){ .op = *op, .opcode = slot->opcode };
	h->op.queue = (uint16_t)queue;
	c->nr_ops++;
	return 0;
}

/* ---- exposed, acknowledged ---- */

static int expose(struct nvp_camp *c, uint32_t i, uint64_t sub)
{
	struct nvp_history_op *h = &c->ops[i];
	struct nvp_oracle_cmd cmd = {
		.kind = h->op.kind,
		.fua = h->op.fua,
		.nlb_z = h->op.nlb_z,
		.block = h->op.block,
		.source = h->op.source,
	};
	int64_t number;

	h->sub = sub;
	h->sub_ns = nvp_camp_now(c);
	h->posted = true;
	number = nvp_oracle_submit(c->oracle, sub, &cmd);
	if (number < 0)
		return (int)number;
	h->oracle_op = (uint32_t)number;
	return 0;
}

/*
 * The tick is taken and everything noted before the doorbell is written: a submission is never
 * late. (What the drive does between the two is then no earlier than it says.)
 */
int nvp_camp_ring(struct nvp_camp *c, unsigned queue)
{
	uint32_t first = c->nr_rung, nr = c->nr_ops - c->nr_rung;
	uint64_t sub;
	int rc = 0;

	if (!nr)
		return 0;
	sub = ++c->tick;
	for (uint32_t i = first; !rc && i < c->nr_ops; i++)
		rc = expose(c, i, sub);
	c->nr_rung = c->nr_ops;
	if (!rc)
		rc = nvp_journal_ring(c->journal, nr);
	if (rc)
		return nvp_err_set(c->err, NVP_ERR_BROKEN, rc, "cycle %u: the history", c->cycle);
	rc = nvp_ring_tail(c->queue[queue].sq);
	for (uint32_t i = first; c->relay && i < c->nr_ops; i++)
		nvp_relay_exposed(c->relay, c->ops[i].opcode);
	return rc == -ENODEV ? 0 : rc;
}

static int finished(struct nvp_camp *c, unsigned id)
{
	struct nvp_camp_slot *slot = &c->slot[id];
	struct nvp_history_op *h = &c->ops[slot->op];
	int rc;

	h->ack = ++c->tick;
	h->ack_ns = nvp_camp_now(c);
	h->sct = slot->sct;
	h->sc = slot->sc;
	h->late = c->cut_done;
	if (!h->late && h->sub_ns > c->cut_ns)
		c->alive_ns = nvp_max_u64(c->alive_ns, h->sub_ns - c->cut_ns);
	slot->busy = false;
	c->nr_busy--;
	rc = nvp_oracle_complete(c->oracle, h->ack, h->oracle_op, h->sct, h->sc);
	if (!rc)
		rc = h->sct || h->sc ? nvp_journal_error(c->journal, (uint8_t)id, h->sct, h->sc) :
				       nvp_journal_ack(c->journal, (uint8_t)id);
	return rc;
}

/*
 * The second of a pair says how it ended: when the first fails it says no more than that. If it
 * claims success all the same, the first counts: a write whose compare failed is not done (3.2.1).
 */
static int take(struct nvp_camp *c, unsigned queue, const struct nvp_cpl *cpl)
{
	unsigned id = cpl->cid & 0xff;
	struct nvp_camp_slot *slot = &c->slot[id];
	uint64_t *longest;

	if (cpl->cid >> 9 != queue || !slot->busy || !slot->left)
		return 0; /* of nobody: the standing invariants have said so */
	if (c->queue[queue].outstanding)
		c->queue[queue].outstanding--;
	slot->left--;
	if (cpl->cid & CID_SECOND ? cpl->status.sct || cpl->status.sc : !slot->sct && !slot->sc) {
		slot->sct = cpl->status.sct;
		slot->sc = cpl->status.sc;
	}
	longest = &c->longest_ns[c->ops[slot->op].op.kind];
	*longest = nvp_max_u64(*longest, cpl->latency_ns);
	return slot->left ? 0 : finished(c, id);
}

int nvp_camp_reap(struct nvp_camp *c)
{
	struct nvp_cpl cpl;
	int nr = 0, rc;

	for (unsigned q = 0; q < c->nr_queues; q++) {
		while ((rc = nvp_reap(c->queue[q].cq, &cpl)) > 0) {
			rc = take(c, q, &cpl);
			if (rc)
				return nvp_err_set(c->err, NVP_ERR_BROKEN, rc,
						   "cycle %u: the history", c->cycle);
			nr++;
		}
		if (rc < 0)
			return rc;
	}
	return nr;
}

/*
 * The write cache, switched while commands are on their way: an event of the history, and no
 * operation of its own.
 */
int nvp_camp_toggle(struct nvp_camp *c, bool on)
{
	struct nvp_cmd cmd = nvp_build_set_features(FEATURE_CACHE, 0, false, on);
	const struct nvp_oracle_cmd event = {
		.kind = on ? NVP_ORACLE_CACHE_ON : NVP_ORACLE_CACHE_OFF,
	};
	struct nvp_cpl cpl;
	int64_t number = nvp_oracle_submit(c->oracle, ++c->tick, &event);
	int rc = number < 0 ? (int)number : 0;

	if (!rc)
		rc = nvp_journal_event(c->journal, on ? NVP_JOURNAL_CACHE_ON_SUBMITTED :
							NVP_JOURNAL_CACHE_OFF_SUBMITTED, 0);
	if (!rc)
		rc = nvp_exec_admin(c->drive, &cmd, &cpl);
	if (rc)
		return rc;
	rc = nvp_oracle_complete(c->oracle, ++c->tick, (uint32_t)number, cpl.status.sct,
				 cpl.status.sc);
	if (!rc && nvp_cpl_ok(&cpl))
		rc = nvp_journal_event(c->journal, on ? NVP_JOURNAL_CACHE_ON_DONE :
							NVP_JOURNAL_CACHE_OFF_DONE, 0);
	return rc;
}

void nvp_camp_wait(struct nvp_camp *c, uint64_t until_ns)
{
	const struct nvp_wait wait = { .until_ns = until_ns };

	/* no watch: queues are looked at between short waits */
	c->clock->wait(c->clock->context, &wait);
}

int nvp_camp_drain(struct nvp_camp *c)
{
	uint64_t budget_ns = nvp_drive_budget_ns(c->drive, NVP_TIME_IO);
	uint64_t until_ns = nvp_clock_deadline_ns(c->clock, budget_ns);
	uint64_t step_ns = NVP_NS_PER_US;

	while (c->nr_busy) {
		int rc = nvp_camp_reap(c);

		if (rc < 0)
			return rc;
		if (rc) {
			step_ns = NVP_NS_PER_US;
			until_ns = nvp_clock_deadline_ns(c->clock, budget_ns);
			continue;
		}
		if (nvp_camp_now(c) >= until_ns)
			return nvp_camp_gone(c) ? -ENODEV : -ETIMEDOUT;
		nvp_camp_wait(c, nvp_camp_now(c) + step_ns);
		step_ns = nvp_min_u64(step_ns * 2, 50 * NVP_NS_PER_US);
	}
	return 0;
}

/* What the door has kept of before belongs to nobody any more. */
void nvp_camp_forget(struct nvp_camp *c)
{
	struct nvp_cpl cpl;

	for (unsigned q = 0; q < c->nr_queues; q++)
		while (nvp_reap(c->queue[q].cq, &cpl) > 0)
			;
	for (unsigned i = 0; i < NVP_CAMP_SLOTS; i++) {
		c->slot[i].busy = false;
		c->slot[i].left = 0;
	}
	for (unsigned q = 0; q < NVP_CAMP_QUEUES; q++)
		c->queue[q].outstanding = 0;
	c->nr_busy = 0;
}
