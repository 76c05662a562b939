// SPDX-License-Identifier: GPL-2.0-or-later
// Wrapper that records everything that passes between door and drive, in both directions.

#include <string.h>

#include "core/base/bits.h"
#include "core/drive/ring.h"
#include "core/drive/wrap.h"

void nvp_wrap_record(struct nvp_wrap *wrap, enum nvp_trace_kind kind, uint16_t qid, uint64_t a,
		     uint64_t b, const void *payload, uint32_t bytes, int result)
{
	struct nvp_trace_record record;

	if (!wrap->trace)
		return;
	record.drive_ns = nvp_clock_now_ns(wrap->clock);
	record.case_number = wrap->case_number;
	record.qid = qid;
	record.kind = (uint16_t)kind;
	record.bytes = bytes;
	record.result = result;
	record.a = a;
	record.b = b;
	memset(record.payload + bytes, 0, sizeof(record.payload) - bytes);
	memset(record.reserved, 0, sizeof(record.reserved));
	if (bytes)
		memcpy(record.payload, payload, bytes);
	nvp_trace_put(wrap->trace, &record);
}

static int trace_post(void *backend, struct nvp_ring *sq, uint32_t slot, const struct nvp_sqe *sqe)
{
	struct nvp_wrap *w = backend;

	nvp_wrap_record(w, NVP_TRACE_SQE, sq->qid, slot, 0, sqe, NVP_SQE_BYTES, 0);
	return w->next->post(w->next_backend, sq, slot, sqe);
}

static void trace_peek(void *backend, struct nvp_ring *cq, uint32_t slot, void *cqe)
{
	struct nvp_wrap *w = backend;

	w->next->peek(w->next_backend, cq, slot, cqe);
	nvp_wrap_record(w, NVP_TRACE_CQE, cq->qid, slot, 0, cqe, NVP_CQE_BYTES, 0);
}

static int trace_doorbell(void *backend, uint16_t qid, bool head, uint32_t value)
{
	struct nvp_wrap *w = backend;

	nvp_wrap_record(w, NVP_TRACE_DOORBELL, qid, qid | (uint64_t)head << 16, value, NULL, 0, 0);
	return w->next->doorbell(w->next_backend, qid, head, value);
}

/* The kernel gives status and Dword 0: the entry is made of these two. */
static void made_entry(uint8_t cqe[NVP_CQE_BYTES], const struct nvp_cpl *cpl)
{
	memset(cqe, 0, NVP_CQE_BYTES);
	nvp_put_le32(cqe, cpl->dw0);
	nvp_put_le16(cqe + 14, (uint16_t)(nvp_status_to_field(&cpl->status) << 1));
}

static int trace_exec(void *backend, const struct nvp_exec *exec, struct nvp_cpl *cpl,
		      struct nvp_err *err)
{
	struct nvp_wrap *w = backend;
	uint8_t cqe[NVP_CQE_BYTES] = { 0 };
	int rc;

	nvp_wrap_record(w, NVP_TRACE_SQE, !exec->admin, 0, 0, exec->sqe, NVP_SQE_BYTES, 0);
	rc = w->next->exec(w->next_backend, exec, cpl, err);
	if (!rc)
		made_entry(cqe, cpl);
	nvp_wrap_record(w, NVP_TRACE_CQE, !exec->admin, 0, 0, cqe, rc ? 0 : NVP_CQE_BYTES, rc);
	return rc;
}

static int trace_exec_post(void *backend, const struct nvp_exec *exec, uint64_t tag,
			   struct nvp_err *err)
{
	struct nvp_wrap *w = backend;

	nvp_wrap_record(w, NVP_TRACE_SQE, 1, 0, 0, exec->sqe, NVP_SQE_BYTES, 0);
	return w->next->exec_post(w->next_backend, exec, tag, err);
}

static int trace_exec_send(void *backend, struct nvp_err *err)
{
	struct nvp_wrap *w = backend;

	nvp_wrap_record(w, NVP_TRACE_SENT, 1, 0, 0, NULL, 0, 0);
	return w->next->exec_send(w->next_backend, err);
}

static int trace_exec_take(void *backend, struct nvp_exec_end *end)
{
	struct nvp_wrap *w = backend;
	uint8_t cqe[NVP_CQE_BYTES];

	if (!w->next->exec_take(w->next_backend, end))
		return 0;
	made_entry(cqe, &end->cpl);
	nvp_put_le16(cqe + 12, end->cid);
	nvp_wrap_record(w, NVP_TRACE_CQE, 1, 0, 0, cqe, end->error ? 0 : NVP_CQE_BYTES, end->error);
	return 1;
}

static int trace_reg_read(void *backend, uint64_t offset, unsigned bytes, uint64_t *value)
{
	struct nvp_wrap *w = backend;
	int rc = w->next->reg_read(w->next_backend, offset, bytes, value);

	nvp_wrap_record(w, NVP_TRACE_REG_READ, 0, offset, *value, NULL, 0, rc);
	return rc;
}

static int trace_reg_write(void *backend, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct nvp_wrap *w = backend;

	nvp_wrap_record(w, NVP_TRACE_REG_WRITE, 0, offset, value, NULL, 0, 0);
	return w->next->reg_write(w->next_backend, offset, bytes, value);
}

static int trace_config_read(void *backend, unsigned offset, unsigned bytes, uint32_t *value)
{
	struct nvp_wrap *w = backend;
	int rc = w->next->config_read(w->next_backend, offset, bytes, value);

	nvp_wrap_record(w, NVP_TRACE_CONFIG_READ, 0, offset, *value, NULL, 0, rc);
	return rc;
}

static int trace_config_write(void *backend, unsigned offset, unsigned bytes, uint32_t value)
{
	struct nvp_wrap *w = backend;

	nvp_wrap_record(w, NVP_TRACE_CONFIG_WRITE, 0, offset, value, NULL, 0, 0);
	return w->next->config_write(w->next_backend, offset, bytes, value);
}

static int trace_reset(void *backend, enum nvp_reset kind, struct nvp_err *err)
{
	struct nvp_wrap *w = backend;

	nvp_wrap_record(w, NVP_TRACE_RESET, 0, kind, 0, NULL, 0, 0);
	return w->next->reset(w->next_backend, kind, err);
}

static int trace_power(void *backend, bool on)
{
	struct nvp_wrap *w = backend;

	nvp_wrap_record(w, NVP_TRACE_POWER, 0, on, 0, NULL, 0, 0);
	return w->next->power(w->next_backend, on);
}

const struct nvp_drive_ops nvp_wrap_trace_ops = {
	.name = "trace",
	.help = "records what passes",
	.exec = trace_exec,
	.exec_post = trace_exec_post,
	.exec_send = trace_exec_send,
	.exec_take = trace_exec_take,
	.post = trace_post,
	.peek = trace_peek,
	.doorbell = trace_doorbell,
	.reg_read = trace_reg_read,
	.reg_write = trace_reg_write,
	.config_read = trace_config_read,
	.config_write = trace_config_write,
	.reset = trace_reset,
	.power = trace_power,
};
