// SPDX-License-Identifier: GPL-2.0-or-later
// Wrapper that refuses, at the point of issue, what was not allowed.

#include <nvproof/decode.h>

#include <errno.h>

#include "core/drive/ring.h"
#include "core/drive/wrap.h"

/* 0, or -EPERM with the refusal in the trace and what it would have needed in guard->missing. */
static int judge(struct nvp_wrap *w, uint32_t impacts, uint16_t qid, uint64_t a, uint64_t b,
		 const void *payload, uint32_t bytes)
{
	if (nvp_guard_lets(w, impacts))
		return 0;
	w->missing = impacts & ~w->permitted;
	nvp_wrap_record(w, NVP_TRACE_REFUSED, qid, a, b, payload, bytes, -EPERM);
	return -EPERM;
}

/*
 * Admin or I/O? A ring is the admin queue when ASQ says so, whatever id its owner gave it. Where
 * id and ASQ disagree an entry could be executed as either: it needs what both would need.
 */
static uint32_t entry_impacts(const struct nvp_wrap *w, const struct nvp_ring *sq,
			      const struct nvp_sqe *sqe)
{
	bool by_id = sq->qid == 0;
	bool by_address = w->asq_known ? sq->iova == w->asq : by_id;

	if (by_id && by_address)
		return nvp_impact_admin(sqe);
	if (!by_id && !by_address)
		return nvp_impact_io(sqe);
	return nvp_impact_admin(sqe) | nvp_impact_io(sqe);
}

static int guard_post(void *backend, struct nvp_ring *sq, uint32_t slot, const struct nvp_sqe *sqe)
{
	struct nvp_wrap *w = backend;
	int rc = judge(w, entry_impacts(w, sq, sqe), sq->qid, slot, 0, sqe, NVP_SQE_BYTES);

	return rc ? rc : w->next->post(w->next_backend, sq, slot, sqe);
}

static int guard_exec(void *backend, const struct nvp_exec *exec, struct nvp_cpl *cpl,
		      struct nvp_err *err)
{
	struct nvp_wrap *w = backend;
	uint32_t impacts = exec->admin ? nvp_impact_admin(exec->sqe) : nvp_impact_io(exec->sqe);
	int rc = judge(w, impacts, !exec->admin, 0, 0, exec->sqe, NVP_SQE_BYTES);

	return rc ? rc : w->next->exec(w->next_backend, exec, cpl, err);
}

static int guard_exec_post(void *backend, const struct nvp_exec *exec, uint64_t tag,
			   struct nvp_err *err)
{
	struct nvp_wrap *w = backend;
	int rc = judge(w, nvp_impact_io(exec->sqe), 1, 0, 0, exec->sqe, NVP_SQE_BYTES);

	return rc ? rc : w->next->exec_post(w->next_backend, exec, tag, err);
}

/* What it hands over was judged when it was posted. */
static int guard_exec_send(void *backend, struct nvp_err *err)
{
	struct nvp_wrap *w = backend;

	return w->next->exec_send(w->next_backend, err);
}

static int guard_exec_take(void *backend, struct nvp_exec_end *end)
{
	struct nvp_wrap *w = backend;

	return w->next->exec_take(w->next_backend, end);
}

static void guard_peek(void *backend, struct nvp_ring *cq, uint32_t slot, void *cqe)
{
	struct nvp_wrap *w = backend;

	w->next->peek(w->next_backend, cq, slot, cqe);
}

/* Doorbells expose entries that were judged when they were posted. */
static int guard_doorbell(void *backend, uint16_t qid, bool head, uint32_t value)
{
	struct nvp_wrap *w = backend;

	return w->next->doorbell(w->next_backend, qid, head, value);
}

static int guard_reg_read(void *backend, uint64_t offset, unsigned bytes, uint64_t *value)
{
	struct nvp_wrap *w = backend;

	return w->next->reg_read(w->next_backend, offset, bytes, value);
}

/* Keep up with ASQ, which may be written in one piece or in two. */
static void follow_asq(struct nvp_wrap *w, uint64_t offset, unsigned bytes, uint64_t value)
{
	uint64_t asq = w->asq;

	for (unsigned i = 0; i < bytes; i++) {
		uint64_t at = offset + i - NVP_REG_ASQ;

		if (at >= 8)
			continue;
		asq &= ~(0xffULL << 8 * at);
		asq |= (value >> 8 * i & 0xff) << 8 * at;
		w->asq_known = true;
	}
	w->asq = asq & ~0xfffULL;
}

static int guard_reg_write(void *backend, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct nvp_wrap *w = backend;
	int rc = judge(w, nvp_impact_register(offset, bytes), 0, offset, value, NULL, 0);

	if (rc)
		return rc;
	follow_asq(w, offset, bytes, value);
	return w->next->reg_write(w->next_backend, offset, bytes, value);
}

static int guard_config_read(void *backend, unsigned offset, unsigned bytes, uint32_t *value)
{
	struct nvp_wrap *w = backend;

	return w->next->config_read(w->next_backend, offset, bytes, value);
}

static int guard_config_write(void *backend, unsigned offset, unsigned bytes, uint32_t value)
{
	struct nvp_wrap *w = backend;
	int rc = judge(w, nvp_impact_config(offset, bytes), 0, offset, value, NULL, 0);

	return rc ? rc : w->next->config_write(w->next_backend, offset, bytes, value);
}

static int guard_reset(void *backend, enum nvp_reset kind, struct nvp_err *err)
{
	struct nvp_wrap *w = backend;
	int rc = judge(w, NVP_IMPACT_RESET, 0, kind, 0, NULL, 0);

	return rc ? rc : w->next->reset(w->next_backend, kind, err);
}

static int guard_power(void *backend, bool on)
{
	struct nvp_wrap *w = backend;
	int rc = judge(w, NVP_IMPACT_POWER, 0, on, 0, NULL, 0);

	return rc ? rc : w->next->power(w->next_backend, on);
}

const struct nvp_drive_ops nvp_wrap_guard_ops = {
	.name = "guard",
	.help = "refuses what was not allowed",
	.exec = guard_exec,
	.exec_post = guard_exec_post,
	.exec_send = guard_exec_send,
	.exec_take = guard_exec_take,
	.post = guard_post,
	.peek = guard_peek,
	.doorbell = guard_doorbell,
	.reg_read = guard_reg_read,
	.reg_write = guard_reg_write,
	.config_read = guard_config_read,
	.config_write = guard_config_write,
	.reset = guard_reset,
	.power = guard_power,
};
