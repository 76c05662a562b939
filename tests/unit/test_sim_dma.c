// SPDX-License-Identifier: GPL-2.0-or-later
// Host memory as the simulated drive reaches it: PRPs right and wrong, the map, bus mastering.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/sim/mechanism.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define PAGE 4096u
#define OFFSET_INVALID 0x013
#define TRANSFER_ERROR 0x004

/* A read or write of nr blocks at LBA 0 with these pointers. */
static unsigned with_prps(struct sim_host *h, bool write, unsigned nr, uint64_t prp1, uint64_t prp2)
{
	struct nvp_cmd cmd = write ? nvp_build_write(1, 0, (uint16_t)(nr - 1), 512) :
				     nvp_build_read(1, 0, (uint16_t)(nr - 1), 512);

	cmd.raw_dptr = true;
	nvp_sqe_set_qw(&cmd.sqe, 6, prp1);
	nvp_sqe_set_qw(&cmd.sqe, 8, prp2);
	return sim_host_status(sim_host_io(h, cmd));
}

/* 128 KiB with known bytes on the drive; h->data is free afterwards. */
static bool prepare(struct sim_host *h, uint8_t *expected)
{
	nvp_rand_fill(h->data, 131072, 7);
	memcpy(expected, h->data, 131072);
	return !sim_host_status(sim_host_io(h, nvp_build_write(1, 0, 255, 512)));
}

static void put_list(struct sim_host *h, unsigned at, uint64_t value)
{
	nvp_put_le64(h->list + at, value);
}

static void one_two_and_many_pages_at_any_offset(void)
{
	static const unsigned offsets[] = { 0, 4, 512, 2048, 4092 };
	static uint8_t expected[131072];
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:") && prepare(&h, expected)) {
		for (size_t o = 0; o < NVP_ARRAY_SIZE(offsets); o++) {
			for (unsigned nr = 1; nr <= 256; nr = nr * 2 + 1) {
				unsigned bytes = nr * 512, first = PAGE - offsets[o];
				unsigned rest = bytes > first ? bytes - first : 0;
				uint64_t prp2 = rest > PAGE ? h.list_iova + 8 : h.data_iova + PAGE;

				sim_host_fill(&h, 0xcc);
				for (unsigned i = 0; i * PAGE < rest; i++)
					put_list(&h, 8 + 8 * i, h.data_iova + (i + 1) * PAGE);
				CU_ASSERT_EQUAL(with_prps(&h, false, nr, h.data_iova + offsets[o],
							  prp2), 0);
				CU_ASSERT_EQUAL(memcmp(h.data + offsets[o], expected, bytes), 0);
				CU_ASSERT_EQUAL(h.data[offsets[o] + bytes], 0xcc);
				if (offsets[o])
					CU_ASSERT_EQUAL(h.data[offsets[o] - 1], 0xcc);
			}
		}
		CU_ASSERT_EQUAL(nvp_sim_dma_faults(h.sim, NULL), 0);
	}
	sim_host_close(&h);
}

static void pages_may_be_in_any_order(void)
{
	static uint8_t expected[131072];
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:") && prepare(&h, expected)) {
		for (unsigned i = 0; i < 31; i++)
			put_list(&h, 8 * i, h.data_iova + (40 - i) * PAGE);
		CU_ASSERT_EQUAL(with_prps(&h, false, 256, h.data_iova, h.list_iova), 0);
		CU_ASSERT_EQUAL(memcmp(h.data, expected, PAGE), 0);
		for (unsigned i = 0; i < 31; i++)
			CU_ASSERT_EQUAL(memcmp(h.data + (40 - i) * PAGE,
					       expected + (i + 1) * PAGE, PAGE), 0);
	}
	sim_host_close(&h);
}

/* A list that begins near the end of its page goes on in the page that its last entry names. */
static void a_list_goes_on_in_another_page(void)
{
	static uint8_t expected[131072];
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:") && prepare(&h, expected)) {
		sim_host_fill(&h, 0);
		put_list(&h, PAGE - 24, h.data_iova + 1 * PAGE);
		put_list(&h, PAGE - 16, h.data_iova + 2 * PAGE);
		put_list(&h, PAGE - 8, h.list_iova + 2 * PAGE);
		for (unsigned i = 3; i < 32; i++)
			put_list(&h, 2 * PAGE + 8 * (i - 3), h.data_iova + i * PAGE);
		CU_ASSERT_EQUAL(with_prps(&h, false, 256, h.data_iova, h.list_iova + PAGE - 24), 0);
		CU_ASSERT_EQUAL(memcmp(h.data, expected, 131072), 0);

		/* exactly so many entries as the page has room for: the last one is data */
		sim_host_fill(&h, 0);
		put_list(&h, PAGE - 8, h.data_iova + 3 * PAGE);
		CU_ASSERT_EQUAL(with_prps(&h, false, 32, h.data_iova, h.list_iova + PAGE - 24), 0);
		CU_ASSERT_EQUAL(memcmp(h.data, expected, 4 * PAGE), 0);

		put_list(&h, PAGE - 8, h.list_iova + 2 * PAGE + 8);	/* may have no offset */
		CU_ASSERT_EQUAL(with_prps(&h, false, 256, h.data_iova, h.list_iova + PAGE - 24),
				OFFSET_INVALID);
	}
	sim_host_close(&h);
}

static void offsets_that_are_not_allowed(void)
{
	static uint8_t expected[131072];
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:") && prepare(&h, expected)) {
		CU_ASSERT_EQUAL(with_prps(&h, false, 1, h.data_iova + 1, 0), OFFSET_INVALID);
		CU_ASSERT_EQUAL(with_prps(&h, false, 1, h.data_iova + 2, 0), OFFSET_INVALID);
		CU_ASSERT_EQUAL(with_prps(&h, false, 16, h.data_iova, h.data_iova + PAGE + 4),
				OFFSET_INVALID);
		CU_ASSERT_EQUAL(with_prps(&h, false, 16, h.data_iova, h.data_iova + PAGE + 2048),
				OFFSET_INVALID);
		CU_ASSERT_EQUAL(with_prps(&h, false, 64, h.data_iova, h.list_iova + 4),
				OFFSET_INVALID);
		for (unsigned i = 0; i < 8; i++)
			put_list(&h, 8 * i, h.data_iova + (i + 1) * PAGE);
		put_list(&h, 24, h.data_iova + 4 * PAGE + 8);
		memset(h.data, 0x77, PAGE);
		CU_ASSERT_EQUAL(with_prps(&h, false, 64, h.data_iova, h.list_iova), OFFSET_INVALID);
		CU_ASSERT_EQUAL(h.data[0], 0x77);	/* nothing moves before all is known good */
		/* a write that fails so leaves the blocks alone */
		memset(h.data, 0x78, 8 * PAGE);
		CU_ASSERT_EQUAL(with_prps(&h, true, 64, h.data_iova, h.list_iova), OFFSET_INVALID);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(1, 0, 63, 512))), 0);
		CU_ASSERT_EQUAL(memcmp(h.data, expected, 8 * PAGE), 0);
	}
	sim_host_close(&h);
}

static void outside_the_map_is_recorded_and_answered(void)
{
	struct nvp_dma_fault fault;
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		CU_ASSERT_EQUAL(nvp_sim_dma_faults(h.sim, NULL), 0);
		CU_ASSERT_EQUAL(with_prps(&h, false, 1, 0x5000, 0), TRANSFER_ERROR);
		CU_ASSERT_EQUAL(nvp_sim_dma_faults(h.sim, &fault), 1);
		CU_ASSERT_EQUAL(fault.iova, 0x5000);
		CU_ASSERT_EQUAL(fault.bytes, 512);
		CU_ASSERT_TRUE(fault.write);
		CU_ASSERT_EQUAL(with_prps(&h, true, 1, 0x6000, 0), TRANSFER_ERROR);
		CU_ASSERT_EQUAL(nvp_sim_dma_faults(h.sim, &fault), 2);
		CU_ASSERT_FALSE(fault.write);
		CU_ASSERT_EQUAL(with_prps(&h, false, 64, h.data_iova, 0x7000), TRANSFER_ERROR);
		CU_ASSERT_EQUAL(nvp_sim_dma_faults(h.sim, &fault), 3);
		CU_ASSERT_EQUAL(fault.iova, 0x7000);
		CU_ASSERT_FALSE(fault.write);
		/* the last byte of the area and the first behind it */
		CU_ASSERT_EQUAL(with_prps(&h, false, 8, h.iova + (4u << 20) - PAGE, 0), 0);
		CU_ASSERT_EQUAL(with_prps(&h, false, 8, h.iova + (4u << 20), 0), TRANSFER_ERROR);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
	}
	sim_host_close(&h);
}

static void the_map_is_page_wise_and_ends_with_unmap(void)
{
	struct sim_host h = { 0 };
	uint8_t *page = aligned_alloc(PAGE, 2 * PAGE);
	uint64_t a, b;

	CU_ASSERT_PTR_NOT_NULL_FATAL(page);
	if (sim_host_open(&h, "sim:")) {
		CU_ASSERT_EQUAL(nvp_sim_dma_map(h.sim, page + 8, PAGE, &a), -EINVAL);
		CU_ASSERT_EQUAL(nvp_sim_dma_map(h.sim, page, 100, &a), -EINVAL);
		CU_ASSERT_EQUAL(nvp_sim_dma_map(h.sim, page, PAGE, &a), 0);
		CU_ASSERT_EQUAL(nvp_sim_dma_map(h.sim, page + PAGE, PAGE, &b), 0);
		CU_ASSERT_TRUE(a && b && a % PAGE == 0 && b % PAGE == 0);
		CU_ASSERT_TRUE(b > a + PAGE);	/* never side by side */
		CU_ASSERT_EQUAL(with_prps(&h, false, 8, a, 0), 0);
		CU_ASSERT_EQUAL(with_prps(&h, false, 16, a, b), 0);
		CU_ASSERT_EQUAL(nvp_sim_dma_unmap(h.sim, a), 0);
		CU_ASSERT_EQUAL(nvp_sim_dma_unmap(h.sim, a), -ENOENT);
		CU_ASSERT_EQUAL(with_prps(&h, false, 8, a, 0), TRANSFER_ERROR);
		CU_ASSERT_EQUAL(with_prps(&h, false, 8, b, 0), 0);
	}
	sim_host_close(&h);
	free(page);
}

static void no_sgl_and_no_fused_commands(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:profile=minimal")) {
		for (unsigned bit = 0; bit < 8; bit++) {
			struct nvp_cmd io = nvp_build_flush(1), admin = nvp_build_abort(1, 0);
			bool reserved = bit >= 2 && bit <= 5;

			io.sqe.bytes[1] |= (uint8_t)(1u << bit);
			admin.sqe.bytes[1] |= (uint8_t)(1u << bit);
			CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, io)), reserved ? 0 : 2);
			CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h, admin)),
					reserved ? 0 : 2);
		}
	}
	sim_host_close(&h);
}

/* Without Bus Master the drive does not fetch; the commands wait for it. */
static void bus_mastering_can_be_taken_away(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd flush = nvp_build_flush(1);
	struct nvp_cpl cpl;

	if (sim_host_open(&h, "sim:")) {
		nvp_sim_config_write(h.sim, 4, 2, 2);
		sim_host_post(&h, &h.io, &flush);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.io));
		nvp_sim_config_write(h.sim, 4, 2, 6);
		CU_ASSERT_TRUE(sim_host_reap(&h, &h.io, &cpl));
		CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, 0x1c, 4), 1);
	}
	sim_host_close(&h);
}

static void a_queue_outside_the_map_is_fatal(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd flush = nvp_build_flush(1);

	if (sim_host_open(&h, "sim:")) {
		h.sim->queues->cq[1].base = 0x9000;
		sim_host_post(&h, &h.io, &flush);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, 0x1c, 4), 3);
		CU_ASSERT_TRUE(nvp_sim_dma_faults(h.sim, NULL) > 0);
		CU_ASSERT_TRUE(sim_host_reset(&h));
		CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, 0x1c, 4), 1);
	}
	sim_host_close(&h);
}

/* Queue memory at a multiple of 8 KiB of the data area. */
static void place(struct sim_host *h, struct sim_host_queue *q, uint16_t qid, unsigned offset)
{
	*q = (struct sim_host_queue){
		.qid = qid,
		.sq = h->data + offset,
		.sq_iova = h->data_iova + offset,
		.cq = h->data + offset + 8192,
		.cq_iova = h->data_iova + offset + 8192,
		.phase = 1,
	};
	memset(q->sq, 0, 16384);
}

/* With MPS 1 a page is 8 KiB: 16 blocks need one pointer, 32 need PRP2, more need a list. */
static void larger_memory_pages(void)
{
	static uint8_t expected[131072];
	struct sim_host h = { 0 };
	uint64_t at;

	if (sim_host_open(&h, "sim:") && prepare(&h, expected)) {
		sim_host_disable(&h);
		nvp_sim_bar_write(h.sim, 0x14, 4, 0x00460081);
		sim_host_pass(&h, NVP_NS_PER_S);
		/* the host's admin queues are not at a multiple of 8 KiB */
		CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, 0x1c, 4), 2);

		nvp_sim_bar_write(h.sim, 0x14, 4, 0);
		sim_host_pass(&h, NVP_NS_PER_S);
		place(&h, &h.admin, 0, 0x80000);
		place(&h, &h.io, 1, 0x90000);
		nvp_sim_bar_write(h.sim, 0x28, 8, h.admin.sq_iova);
		nvp_sim_bar_write(h.sim, 0x30, 8, h.admin.cq_iova);
		nvp_sim_bar_write(h.sim, 0x14, 4, 0x00460081);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, 0x1c, 4), 1);
		CU_ASSERT_TRUE_FATAL(sim_host_create_queues(&h));
		at = h.data_iova;
		CU_ASSERT_EQUAL(at % 8192, 0);
		CU_ASSERT_EQUAL(with_prps(&h, false, 16, at, 0), 0);
		CU_ASSERT_EQUAL(memcmp(h.data, expected, 8192), 0);
		CU_ASSERT_EQUAL(with_prps(&h, false, 32, at, at + 4 * 8192), 0);
		CU_ASSERT_EQUAL(memcmp(h.data + 4 * 8192, expected + 8192, 8192), 0);
		CU_ASSERT_EQUAL(with_prps(&h, false, 32, at, at + 4096), OFFSET_INVALID);
	}
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_dma[] = {
	{ "one, two and many pages at any offset", one_two_and_many_pages_at_any_offset },
	{ "pages may be in any order", pages_may_be_in_any_order },
	{ "a list goes on in another page", a_list_goes_on_in_another_page },
	{ "offsets that are not allowed", offsets_that_are_not_allowed },
	{ "outside the map is recorded and answered", outside_the_map_is_recorded_and_answered },
	{ "the map is page-wise and ends with unmap", the_map_is_page_wise_and_ends_with_unmap },
	{ "no SGL and no fused commands", no_sgl_and_no_fused_commands },
	{ "bus mastering can be taken away", bus_mastering_can_be_taken_away },
	{ "a queue outside the map is fatal", a_queue_outside_the_map_is_fatal },
	{ "larger memory pages", larger_memory_pages },
	CU_TEST_INFO_NULL,
};
