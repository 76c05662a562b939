// SPDX-License-Identifier: GPL-2.0-or-later
// A scripted PCIe function: registers, an admin queue that answers at once, a virtual clock.

#include "tests/unit/mock_bar.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/controller.h"
#include "core/drive/prepare.h"
#include "tests/unit/unit.h"

static uint64_t mock_now(void *context)
{
	return ((struct mock_bar *)context)->now_ns;
}

static bool watched(const struct nvp_wait *wait)
{
	for (unsigned i = 0; i < wait->nr_watch; i++)
		if ((*wait->watch[i].phase_byte & 1) == wait->watch[i].expected_phase)
			return true;
	return false;
}

static int mock_wait(void *context, const struct nvp_wait *wait)
{
	struct mock_bar *mock = context;

	for (;;) {
		if (mock->vectors & wait->vectors)
			return NVP_WOKEN_VECTOR;
		if (watched(wait))
			return NVP_WOKEN_PHASE;
		if (!wait->nr_watch || !mock->on_wait || !mock->on_wait(mock))
			break;
	}
	if (wait->until_ns > mock->now_ns)
		mock->now_ns = wait->until_ns;
	return NVP_WOKEN_TIME;
}

/* --- memory ------------------------------------------------------------------------------- */

uint8_t *mock_bar_memory(struct mock_bar *mock, uint64_t iova, size_t bytes)
{
	for (unsigned i = 0; i < mock->nr_map; i++)
		if (iova >= mock->map[i].iova &&
		    iova + bytes <= mock->map[i].iova + mock->map[i].bytes)
			return mock->map[i].va + (iova - mock->map[i].iova);
	return NULL;
}

static int mock_dma_map(void *bar, void *va, size_t bytes, uint64_t *iova)
{
	struct mock_bar *mock = bar;

	if (mock->nr_map == MOCK_MAX_MAPS)
		return -ENOSPC;
	*iova = mock->next_iova;
	mock->next_iova += bytes + 0x100000;
	mock->map[mock->nr_map].va = va;
	mock->map[mock->nr_map].bytes = bytes;
	mock->map[mock->nr_map++].iova = *iova;
	return 0;
}

static int mock_dma_unmap(void *bar, uint64_t iova)
{
	struct mock_bar *mock = bar;

	for (unsigned i = 0; i < mock->nr_map; i++) {
		if (mock->map[i].iova != iova)
			continue;
		mock->map[i] = mock->map[--mock->nr_map];
		return 0;
	}
	return -ENOENT;
}

/* --- queues ------------------------------------------------------------------------------- */

bool mock_bar_fetch(struct mock_bar *mock, unsigned qid, struct nvp_sqe *sqe)
{
	struct mock_queue *q = &mock->queue[qid];
	const uint8_t *entry;

	if (!q->sq || q->sq_head == q->sq_tail)
		return false;
	entry = mock_bar_memory(mock, q->sq + 64ull * q->sq_head, 64);
	if (!entry)
		return false;
	memcpy(sqe, entry, 64);
	q->sq_head = (q->sq_head + 1) % q->sq_entries;
	return true;
}

void mock_bar_write_cqe(struct mock_bar *mock, unsigned cqid, uint32_t slot, const void *cqe)
{
	uint8_t *entry = mock_bar_memory(mock, mock->queue[cqid].cq + 16ull * slot, 16);

	CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
	memcpy(entry, cqe, 16);
}

static void post(struct mock_bar *mock, unsigned cqid, const uint8_t cqe[16])
{
	struct mock_queue *q = &mock->queue[cqid];

	mock_bar_write_cqe(mock, cqid, q->cq_tail, cqe);
	if (++q->cq_tail == q->cq_entries) {
		q->cq_tail = 0;
		q->phase ^= 1;
	}
}

static void make_cqe(struct mock_bar *mock, unsigned cqid, uint16_t sqid, uint16_t sqhd,
		     uint16_t cid, uint16_t status_field, uint32_t dw0)
{
	uint8_t cqe[16] = { 0 };

	nvp_put_le32(cqe, dw0);
	nvp_put_le16(cqe + 8, sqhd);
	nvp_put_le16(cqe + 10, sqid);
	nvp_put_le16(cqe + 12, cid);
	nvp_put_le16(cqe + 14, (uint16_t)(status_field << 1 | mock->queue[cqid].phase));
	post(mock, cqid, cqe);
}

void mock_bar_complete(struct mock_bar *mock, unsigned cqid, uint16_t sqid, uint16_t sqhd,
		       uint16_t cid, uint16_t status_field)
{
	make_cqe(mock, cqid, sqid, sqhd, cid, status_field, 0);
}

bool mock_bar_serve(struct mock_bar *mock)
{
	struct nvp_sqe sqe;

	if (!mock_bar_fetch(mock, 1, &sqe))
		return false;
	mock_bar_complete(mock, 1, 1, (uint16_t)mock->queue[1].sq_head, nvp_sqe_cid(&sqe), 0);
	return true;
}

static void identify(struct mock_bar *mock, const struct nvp_sqe *sqe)
{
	uint8_t *data = mock_bar_memory(mock, nvp_sqe_qw(sqe, 6), 4096);

	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	memset(data, 0, 4096);
	switch (nvp_sqe_dw(sqe, 10) & 0xff) {
	case 0x00:
		nvp_put_le64(data, 1000); /* NSZE */
		nvp_put_le64(data + 8, 1000);
		data[130] = 9; /* LBAF0.LBADS */
		break;
	case 0x01:
		memcpy(data + 4, "MOCK                ", 20);
		nvp_put_le32(data + 516, 16); /* NN */
		break;
	case 0x03:
		data[0] = 4;	/* NIDT: Command Set Identifier */
		data[1] = 1;
		data[4] = mock->csi[nvp_sqe_dw(sqe, 1) % 16];
		break;
	case 0x06:
		data[0] = 5;	/* VSL */
		break;
	case 0x02:
		for (unsigned i = 0; nvp_sqe_dw(sqe, 1) == 0 && i < 1024; i++)
			nvp_put_le32(data + 4 * i, mock->nsids[i]);
		break;
	}
}

static void follow_create(struct mock_bar *mock, const struct nvp_sqe *sqe)
{
	unsigned qid = nvp_sqe_dw(sqe, 10) & 0xffff;
	struct mock_queue *q = &mock->queue[qid % MOCK_MAX_QUEUES];
	uint32_t entries = (nvp_sqe_dw(sqe, 10) >> 16) + 1;

	switch (nvp_sqe_opcode(sqe)) {
	case NVP_ADMIN_CREATE_CQ:
		q->cq = nvp_sqe_qw(sqe, 6);
		q->cq_entries = entries;
		q->cq_head = q->cq_tail = 0;
		q->phase = 1;
		break;
	case NVP_ADMIN_CREATE_SQ:
		q->sq = nvp_sqe_qw(sqe, 6);
		q->sq_entries = entries;
		q->sq_head = q->sq_tail = 0;
		break;
	}
}

static void serve_admin(struct mock_bar *mock)
{
	struct nvp_sqe sqe;

	while (!mock->mute_admin && mock_bar_fetch(mock, 0, &sqe)) {
		uint32_t dw0 = nvp_sqe_opcode(&sqe) == NVP_ADMIN_SET_FEATURES ? 0x00030003 : 0;
		bool fail = mock->fail_opcode && nvp_sqe_opcode(&sqe) == mock->fail_opcode;

		mock->admin[mock->nr_admin++ % 64] = sqe;
		if (nvp_sqe_opcode(&sqe) == NVP_ADMIN_ASYNC_EVENT)
			continue;
		if (!fail && nvp_sqe_opcode(&sqe) == NVP_ADMIN_IDENTIFY)
			identify(mock, &sqe);
		else if (!fail)
			follow_create(mock, &sqe);
		make_cqe(mock, 0, 0, (uint16_t)mock->queue[0].sq_head, nvp_sqe_cid(&sqe),
			 fail ? 0x4002 : 0, dw0);
	}
}

/* --- registers ---------------------------------------------------------------------------- */

static uint64_t mock_read(void *bar, uint64_t offset, unsigned bytes)
{
	struct mock_bar *mock = bar;
	uint64_t value = 0;

	mock->now_ns += 1000;
	switch (offset) {
	case NVP_REG_CAP:
		value = mock->cap;
		break;
	case NVP_REG_VS:
		value = mock->vs;
		break;
	case NVP_REG_CC:
		value = mock->cc;
		break;
	case NVP_REG_CSTS:
		value = mock->csts;
		break;
	case NVP_REG_AQA:
		value = mock->aqa;
		break;
	case NVP_REG_ASQ:
		value = mock->asq;
		break;
	case NVP_REG_ACQ:
		value = mock->acq;
		break;
	}
	if (mock->gone)
		value = UINT64_MAX;
	if (bytes == 4)
		value &= UINT32_MAX;
	if (mock->nr_log < MOCK_MAX_LOG)
		mock->log[mock->nr_log++] = (struct mock_access){ false, offset, bytes, value };
	return value;
}

static void write_cc(struct mock_bar *mock, uint32_t value)
{
	bool was = mock->cc & 1, is = value & 1;

	mock->cc = value;
	if (!was && is) {
		struct mock_queue *q = &mock->queue[0];

		*q = (struct mock_queue){
			.sq = mock->asq,
			.cq = mock->acq,
			.phase = 1,
			.sq_entries = (mock->aqa & 0xfff) + 1,
			.cq_entries = (mock->aqa >> 16 & 0xfff) + 1,
		};
		mock->csts = mock->never_ready ? 0 : 1;
	} else if (was && !is) {
		memset(mock->queue, 0, sizeof(mock->queue));
		mock->csts = mock->never_idle ? 1 : 0;
	}
	if (value >> 14 & 3)
		mock->csts = (mock->csts & ~0xcu) | 0x8;
}

static void ring(struct mock_bar *mock, uint64_t number, uint32_t value)
{
	struct mock_queue *q = &mock->queue[number / 2 % MOCK_MAX_QUEUES];

	if (number & 1) {
		q->cq_head = value;
		return;
	}
	q->sq_tail = value;
	if (number == 0)
		serve_admin(mock);
}

static void mock_write(void *bar, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct mock_bar *mock = bar;

	mock->now_ns += 1000;
	if (mock->nr_log < MOCK_MAX_LOG)
		mock->log[mock->nr_log++] = (struct mock_access){ true, offset, bytes, value };
	if (mock->gone)
		return;
	switch (offset) {
	case NVP_REG_CC:
		write_cc(mock, (uint32_t)value);
		break;
	case NVP_REG_AQA:
		mock->aqa = (uint32_t)value;
		break;
	case NVP_REG_ASQ:
		mock->asq = value;
		break;
	case NVP_REG_ACQ:
		mock->acq = value;
		break;
	default:
		if (offset >= NVP_REG_DOORBELLS)
			ring(mock, (offset - NVP_REG_DOORBELLS) / (4ull << (mock->cap >> 32 & 15)),
			     (uint32_t)value);
	}
}

static uint64_t mock_bar_bytes(void *bar)
{
	(void)bar;
	return 0x2000;
}

static int mock_config_read(void *bar, unsigned offset, unsigned bytes, uint32_t *value)
{
	(void)bar;
	*value = offset * 100 + bytes;
	return 0;
}

static int mock_config_write(void *bar, unsigned offset, unsigned bytes, uint32_t value)
{
	struct mock_bar *mock = bar;

	mock->argument = (uint64_t)offset << 40 | (uint64_t)bytes << 32 | value;
	return 0;
}

static uint64_t mock_dma_faults(void *bar, struct nvp_dma_fault *last)
{
	struct mock_bar *mock = bar;

	*last = mock->fault;
	return mock->faults;
}

static unsigned mock_nr_vectors(void *bar)
{
	return ((struct mock_bar *)bar)->nr_vectors;
}

static bool mock_vector_take(void *bar, unsigned vector)
{
	struct mock_bar *mock = bar;
	bool fired = mock->vectors >> vector & 1;

	mock->vectors &= ~(1ull << vector);
	return fired;
}

static uint32_t mock_resets(void *bar)
{
	(void)bar;
	return 1u << NVP_RESET_FUNCTION;
}

static int mock_reset(void *bar, enum nvp_reset kind, struct nvp_err *err)
{
	struct mock_bar *mock = bar;

	(void)err;
	if (kind != NVP_RESET_FUNCTION)
		return -EOPNOTSUPP;
	mock->cc = mock->csts = 0;
	memset(mock->queue, 0, sizeof(mock->queue));
	return 0;
}

static int mock_reattach(void *bar, uint64_t until_ns, struct nvp_err *err)
{
	(void)bar;
	(void)until_ns;
	(void)err;
	return 0;
}

static const char *mock_came_back(void *bar)
{
	return ((struct mock_bar *)bar)->came_back;
}

static void *mock_open(const struct nvp_bar_open *open, struct nvp_err *err)
{
	(void)err;
	return open->prepared;
}

static void mock_close(void *bar)
{
	(void)bar;
}

static const struct nvp_clock *mock_clock(void *bar)
{
	return &((struct mock_bar *)bar)->clock;
}

static const struct nvp_bar_ops mock_bar_ops = {
	.scheme = "mock",
	.help = "a scripted function",
	.open = mock_open,
	.close = mock_close,
	.read = mock_read,
	.write = mock_write,
	.bar_bytes = mock_bar_bytes,
	.config_read = mock_config_read,
	.config_write = mock_config_write,
	.dma_map = mock_dma_map,
	.dma_unmap = mock_dma_unmap,
	.dma_faults = mock_dma_faults,
	.nr_vectors = mock_nr_vectors,
	.vector_take = mock_vector_take,
	.resets = mock_resets,
	.reset = mock_reset,
	.reattach = mock_reattach,
	.clock = mock_clock,
	.came_back = mock_came_back,
};

static void *mock_drive_open(const struct nvp_drive_open *open, struct nvp_err *err)
{
	return nvp_controller_open(&mock_bar_ops, open, 0, err);
}

const struct nvp_drive_ops mock_drive_ops = {
	.name = "mock",
	.help = "a scripted function",
	.open = mock_drive_open,
	NVP_CONTROLLER_SLOTS,
};

/* --- for tests ---------------------------------------------------------------------------- */

static void on_broken(void *context, enum nvp_invariant invariant, const char *site,
		      const char *expected, const char *seen)
{
	struct mock_bar *mock = context;

	(void)expected;
	mock->broken[invariant]++;
	mock->nr_broken++;
	snprintf(mock->site, sizeof(mock->site), "%s", site);
	snprintf(mock->seen, sizeof(mock->seen), "%s", seen);
}

static void on_heartbeat(void *context)
{
	((struct mock_bar *)context)->heartbeats++;
}

static void on_note(void *context, const char *text)
{
	struct mock_bar *mock = context;

	mock->notes++;
	snprintf(mock->note, sizeof(mock->note), "%s", text);
}

void mock_bar_listen(struct mock_bar *mock, struct nvp_observer *observer)
{
	*observer = (struct nvp_observer){
		.context = mock,
		.broken = on_broken,
		.note = on_note,
		.heartbeat = on_heartbeat,
	};
}

void mock_bar_set_up(struct mock_bar *mock)
{
	memset(mock, 0, sizeof(*mock));
	mock->clock = (struct nvp_clock){
		.now_ns = mock_now,
		.wait = mock_wait,
		.context = mock,
		.virtual_time = true,
	};
	/* MQES 1023, CQR, TO 1 s, CSS NVM, MPSMAX 64 KiB */
	mock->cap = 1023 | 1ull << 16 | 2ull << 24 | 1ull << 37 | 4ull << 52;
	mock->vs = NVP_VERSION(1, 4, 0);
	mock->next_iova = 0x10000000;
	mock->nsids[0] = 1;
	mock->nr_vectors = 4;
}

bool mock_bar_open(struct mock_bar *mock)
{
	struct nvp_observer observer;
	struct nvp_err err = { 0 };

	mock_bar_listen(mock, &observer);
	mock->trace = nvp_trace_new(1024);
	mock->prepared = nvp_prepared_of(&mock_drive_ops, mock, "mock:", "MOCK");
	mock->drive = nvp_drive_open(mock->prepared, mock->trace, 1, &err);
	CU_ASSERT_PTR_NOT_NULL(mock->drive);
	if (!mock->drive) {
		mock_bar_close(mock);
		return false;
	}
	nvp_drive_permit(mock->drive, NVP_IMPACT_ALL | NVP_IMPACT_PERMANENT);
	nvp_drive_observe(mock->drive, &observer);
	return true;
}

void mock_bar_close(struct mock_bar *mock)
{
	nvp_drive_close(mock->drive);
	nvp_drive_discard(mock->prepared);
	nvp_trace_free(mock->trace);
	CU_ASSERT_EQUAL(mock->nr_map, 0);
	mock->drive = NULL;
	mock->prepared = NULL;
	mock->trace = NULL;
}

unsigned mock_bar_writes(const struct mock_bar *mock, uint64_t offset, uint64_t *value)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < mock->nr_log; i++) {
		if (!mock->log[i].write || mock->log[i].offset != offset)
			continue;
		nr++;
		if (value)
			*value = mock->log[i].value;
	}
	return nr;
}
