// SPDX-License-Identifier: GPL-2.0-or-later
// The smallest host there is: one admin and one I/O queue pair over the drive's registers.

#include "tests/unit/sim_host.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <CUnit/CUnit.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"

#define PAGE 4096u
#define MEMORY_BYTES (4u << 20)
#define LIST_OFFSET (8 * PAGE)
#define DATA_OFFSET (16 * PAGE)
#define GUARD_BYTE 0x5a
#define WAIT_NS (30 * NVP_NS_PER_S)

static void queue_init(struct sim_host *h, struct sim_host_queue *q, uint16_t qid)
{
	unsigned page = qid ? 4 : 1;

	memset(q, 0, sizeof(*q));
	q->qid = qid;
	q->sq = h->memory + page * PAGE;
	q->sq_iova = h->iova + page * PAGE;
	q->cq = q->sq + PAGE;
	q->cq_iova = q->sq_iova + PAGE;
	q->phase = 1;
	memset(q->sq, 0, 2 * PAGE);
}

static uint64_t reg(struct sim_host *h, uint64_t offset, unsigned bytes)
{
	return nvp_sim_bar_read(h->sim, offset, bytes);
}

static void set_reg(struct sim_host *h, uint64_t offset, unsigned bytes, uint64_t value)
{
	nvp_sim_bar_write(h->sim, offset, bytes, value);
}

void sim_host_pass(struct sim_host *h, uint64_t ns)
{
	nvp_clock_pass(nvp_sim_clock(h->sim), ns);
}

static bool wait_ready(struct sim_host *h, unsigned ready)
{
	for (unsigned i = 0; i < 10000; i++) {
		if ((reg(h, NVP_REG_CSTS, 4) & 1) == ready)
			return true;
		sim_host_pass(h, NVP_NS_PER_MS);
	}
	return false;
}

bool sim_host_enable(struct sim_host *h)
{
	bool ready;

	queue_init(h, &h->admin, 0);
	queue_init(h, &h->io, 1);
	nvp_sim_config_write(h->sim, 4, 2, 0x0006);	/* memory and bus master */
	set_reg(h, NVP_REG_AQA, 4, (SIM_HOST_DEPTH - 1) << 16 | (SIM_HOST_DEPTH - 1));
	set_reg(h, NVP_REG_ASQ, 8, h->admin.sq_iova);
	set_reg(h, NVP_REG_ACQ, 8, h->admin.cq_iova);
	set_reg(h, NVP_REG_CC, 4, 0x00460001);
	ready = wait_ready(h, 1);
	CU_ASSERT_TRUE(ready || h->quiet);
	return ready;
}

bool sim_host_disable(struct sim_host *h)
{
	bool ready;

	set_reg(h, NVP_REG_CC, 4, 0x00460000);
	ready = wait_ready(h, 0);
	CU_ASSERT_TRUE(ready || h->quiet);
	return ready;
}

bool sim_host_create_queues(struct sim_host *h)
{
	struct nvp_cmd cq = nvp_build_create_cq(1, SIM_HOST_DEPTH - 1, h->io.cq_iova, true, false,
						0);
	struct nvp_cmd sq = nvp_build_create_sq(1, SIM_HOST_DEPTH - 1, h->io.sq_iova, true, 0, 1);
	bool made;

	cq.raw_dptr = sq.raw_dptr = true;
	made = sim_host_status(sim_host_admin(h, cq)) == 0 &&
	       sim_host_status(sim_host_admin(h, sq)) == 0;
	CU_ASSERT_TRUE(made || h->quiet);
	return made;
}

bool sim_host_reset(struct sim_host *h)
{
	return sim_host_disable(h) && sim_host_enable(h) && sim_host_create_queues(h);
}

bool sim_host_power_cycle(struct sim_host *h)
{
	nvp_sim_power(h->sim, false);
	sim_host_pass(h, NVP_NS_PER_S);
	nvp_sim_power(h->sim, true);
	sim_host_pass(h, NVP_NS_PER_S);
	return sim_host_enable(h) && sim_host_create_queues(h);
}

bool sim_host_power_on(struct sim_host *h)
{
	struct nvp_err err = { 0 };
	char text[512];

	h->sim = nvp_sim_new(h->arena, &err);
	h->memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!h->sim || h->memory == MAP_FAILED ||
	    nvp_sim_dma_map(h->sim, h->memory, MEMORY_BYTES, &h->iova)) {
		printf("%s\n", nvp_err_text(&err, text, sizeof(text)));
		CU_FAIL("the drive has no power");
		return false;
	}
	h->list = h->memory + LIST_OFFSET;
	h->list_iova = h->iova + LIST_OFFSET;
	h->data = h->memory + DATA_OFFSET;
	h->data_iova = h->iova + DATA_OFFSET;
	memset(h->data - PAGE, GUARD_BYTE, PAGE);
	memset(h->data + SIM_HOST_DATA_BYTES, GUARD_BYTE, PAGE);
	return sim_host_enable(h) && sim_host_create_queues(h);
}

bool sim_host_open(struct sim_host *h, const char *address)
{
	bool quiet = h->quiet;
	struct nvp_err err = { 0 };
	char text[512];

	memset(h, 0, sizeof(*h));
	h->quiet = quiet;
	h->arena = nvp_sim_arena_new(address, 1, 0, &err);
	if (h->arena)
		return sim_host_power_on(h);
	printf("%s: %s\n", address, nvp_err_text(&err, text, sizeof(text)));
	CU_FAIL("the drive does not open");
	return false;
}

void sim_host_close(struct sim_host *h)
{
	if (h->sim)
		nvp_sim_free(h->sim);
	if (h->arena)
		nvp_sim_arena_free(h->arena);
	if (h->memory && h->memory != MAP_FAILED)
		munmap(h->memory, MEMORY_BYTES);
}

void sim_host_fill(struct sim_host *h, uint8_t value)
{
	memset(h->data, value, SIM_HOST_DATA_BYTES);
}

/* PRP1, PRP2 and one list page over h->data (NVMe Base 2.0 section 4.1.1). */
static void set_prps(struct sim_host *h, struct nvp_sqe *sqe, size_t bytes)
{
	size_t pages = (bytes + PAGE - 1) / PAGE;

	nvp_sqe_set_qw(sqe, 6, pages ? h->data_iova : 0);
	nvp_sqe_set_qw(sqe, 8, pages == 2 ? h->data_iova + PAGE : pages > 2 ? h->list_iova : 0);
	for (size_t i = 1; i < pages && i <= PAGE / 8; i++)
		nvp_put_le64(h->list + 8 * (i - 1), h->data_iova + i * PAGE);
}

uint16_t sim_host_post(struct sim_host *h, struct sim_host_queue *q, const struct nvp_cmd *cmd)
{
	struct nvp_sqe sqe = cmd->sqe;

	if (!cmd->raw_cid)
		nvp_sqe_set_cid(&sqe, h->next_cid++);
	if (!cmd->raw_dptr)
		set_prps(h, &sqe, cmd->data_bytes);
	memcpy(q->sq + q->tail * NVP_SQE_BYTES, sqe.bytes, NVP_SQE_BYTES);
	q->tail = (q->tail + 1) % SIM_HOST_DEPTH;
	set_reg(h, NVP_REG_DOORBELLS + q->qid * 8u, 4, q->tail);
	return nvp_sqe_cid(&sqe);
}

bool sim_host_has_completion(struct sim_host *h, const struct sim_host_queue *q)
{
	(void)h;
	return (q->cq[q->head * NVP_CQE_BYTES + 14] & 1) == q->phase;
}

bool sim_host_reap(struct sim_host *h, struct sim_host_queue *q, struct nvp_cpl *cpl)
{
	const struct nvp_clock *clock = nvp_sim_clock(h->sim);
	const struct nvp_watch watch = {
		.phase_byte = q->cq + q->head * NVP_CQE_BYTES + 14,
		.expected_phase = (uint8_t)q->phase,
	};
	const struct nvp_wait wait = {
		.watch = &watch,
		.nr_watch = 1,
		.until_ns = nvp_clock_deadline_ns(clock, WAIT_NS),
	};

	if (!sim_host_has_completion(h, q) && clock->wait(clock->context, &wait) < 0)
		return false;
	if (!sim_host_has_completion(h, q))
		return false;
	nvp_decode_cqe(q->cq + q->head * NVP_CQE_BYTES, cpl);
	q->head = (q->head + 1) % SIM_HOST_DEPTH;
	if (!q->head)
		q->phase ^= 1;
	set_reg(h, NVP_REG_DOORBELLS + q->qid * 8u + 4, 4, q->head);
	return true;
}

static struct nvp_cpl execute(struct sim_host *h, struct sim_host_queue *q,
			      const struct nvp_cmd *cmd)
{
	struct nvp_cpl cpl = { .status = { .sct = 7, .sc = 0xff } };
	uint16_t cid = sim_host_post(h, q, cmd);
	bool there = sim_host_reap(h, q, &cpl);

	if (h->quiet)
		return cpl;
	CU_ASSERT_TRUE(there);
	CU_ASSERT_EQUAL(cpl.cid, cid);
	return cpl;
}

struct nvp_cpl sim_host_admin(struct sim_host *h, struct nvp_cmd cmd)
{
	return execute(h, &h->admin, &cmd);
}

struct nvp_cpl sim_host_io(struct sim_host *h, struct nvp_cmd cmd)
{
	return execute(h, &h->io, &cmd);
}
