// SPDX-License-Identifier: GPL-2.0-or-later
// Write Uncorrectable, Copy and fused pairs of the simulated drive: over loss of power, in bulk,
// and between other commands.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/sim/sim.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define BLOCKS 16	/* two program units */

static unsigned io(struct sim_host *h, struct nvp_cmd cmd)
{
	return sim_host_status(sim_host_io(h, cmd));
}

static bool write_fua(struct sim_host *h, uint64_t slba, unsigned nr, uint8_t value)
{
	struct nvp_cmd cmd = nvp_build_write(1, slba, (uint16_t)(nr - 1), 512);

	memset(h->data, value, nr * 512);
	nvp_cmd_set_fua(&cmd);
	return io(h, cmd) == 0;
}

static void check_arena(struct sim_host *h)
{
	struct nvp_err err = { 0 };

	CU_ASSERT_EQUAL(nvp_sim_arena_check(h->arena, &err), 0);
}

static void marks_outlive_power(void)
{
	static const char *const addresses[] = { "sim:size=16M", "sim:size=16M,vwc=off",
						 "sim:size=16M,lba=4096" };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		uint32_t lba = strstr(addresses[i], "4096") ? 4096 : 512;
		struct sim_host h = { 0 };

		if (!sim_host_open(&h, addresses[i]))
			continue;
		CU_ASSERT_EQUAL(io(&h, nvp_build_write_uncorrectable(1, 3, 299)), 0);
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 302, 0, lba)), 0x281);
		CU_ASSERT_EQUAL(io(&h, nvp_build_flush(1)), 0);
		CU_ASSERT_TRUE(sim_host_power_cycle(&h));
		check_arena(&h);
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 2, 0, lba)), 0);
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 3, 0, lba)), 0x281);
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 302, 0, lba)), 0x281);
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 303, 0, lba)), 0);
		sim_host_close(&h);
	}
}

/* One cut in the middle of marking two units: each is marked as a whole, or as it was. */
static bool cut_once(const char *address, uint64_t cut)
{
	struct nvp_cmd mark = nvp_build_write_uncorrectable(1, 0, BLOCKS - 1);
	struct sim_host h = { 0 };
	unsigned marked[2] = { 0 };
	bool was_cut;

	if (!sim_host_open(&h, address))
		return false;
	CU_ASSERT_TRUE(write_fua(&h, 0, BLOCKS, 0x5a));
	nvp_sim_cut_after_event(h.sim, cut);
	sim_host_post(&h, &h.io, &mark);
	sim_host_pass(&h, NVP_NS_PER_S);
	was_cut = !nvp_sim_powered(h.sim);
	nvp_sim_power(h.sim, false);
	sim_host_pass(&h, NVP_NS_PER_S);
	check_arena(&h);
	nvp_sim_power(h.sim, true);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_TRUE(sim_host_enable(&h) && sim_host_create_queues(&h));
	for (unsigned b = 0; b < BLOCKS; b++) {
		unsigned status = io(&h, nvp_build_read(1, b, 0, 512));

		CU_ASSERT(status == 0x281 || (status == 0 && h.data[0] == 0x5a));
		marked[b / 8] += status == 0x281;
	}
	CU_ASSERT(marked[0] % 8 == 0 && marked[1] % 8 == 0);
	sim_host_close(&h);
	return was_cut;
}

static void marking_is_cut_anywhere(void)
{
	static const char *const addresses[] = { "sim:size=16M", "sim:size=16M,vwc=off" };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		uint64_t cut = 1;

		while (cut < 500 && cut_once(addresses[i], cut))
			cut++;
		CU_ASSERT(cut > 4 && cut < 500);
	}
}

/* As many blocks as MCL permits, from ranges of which some repeat; over the whole write path. */
static void copies_of_full_size(void)
{
	static const char *const addresses[] = { "sim:size=16M", "sim:size=16M,lba=4096",
						 "sim:size=16M,vwc=absent" };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		uint32_t lba = strstr(addresses[i], "4096") ? 4096 : 512;
		struct sim_host h = { 0 };

		if (!sim_host_open(&h, addresses[i]))
			continue;
		for (unsigned b = 0; b < 64; b++) {
			memset(h.data, (int)b + 1, lba);
			CU_ASSERT_EQUAL(io(&h, nvp_build_write(1, b, 0, lba)), 0);
		}
		for (unsigned r = 0; r < 8; r++)
			nvp_build_copy_range(h.data + 32 * r, r * 4, 31);
		CU_ASSERT_EQUAL(io(&h, nvp_build_copy(1, 1000, 7, 0)), 0);
		for (unsigned b = 0; b < 256; b += 5) {
			CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 1000 + b, 0, lba)), 0);
			CU_ASSERT_EQUAL(h.data[lba - 1], b / 32 * 4 + b % 32 + 1);
		}
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 1256, 0, lba)), 0);
		CU_ASSERT_EQUAL(h.data[0], 0);
		sim_host_close(&h);
	}
}

/* ---- fused ---- */

static struct nvp_cmd half(struct sim_host *h, struct nvp_cmd cmd, unsigned fuse, unsigned page)
{
	nvp_cmd_set_fuse(&cmd, fuse);
	nvp_sqe_set_qw(&cmd.sqe, 6, h->data_iova + 4096 * page);
	cmd.raw_dptr = true;
	return cmd;
}

/* Into the queue without the doorbell. */
static void post_silently(struct sim_host *h, const struct nvp_cmd *cmd)
{
	struct nvp_sqe sqe = cmd->sqe;

	nvp_sqe_set_cid(&sqe, h->next_cid++);
	memcpy(h->io.sq + h->io.tail * NVP_SQE_BYTES, sqe.bytes, NVP_SQE_BYTES);
	h->io.tail = (h->io.tail + 1) % SIM_HOST_DEPTH;
}

static unsigned reap(struct sim_host *h)
{
	struct nvp_cpl cpl = { .status = { .sct = 7, .sc = 0xff } };

	CU_ASSERT_TRUE(sim_host_reap(h, &h->io, &cpl));
	return sim_host_status(cpl);
}

/* Pairs at each place of the ring; each compares with what the one before it wrote. */
static void pairs_at_all_places(void)
{
	static const char *const addresses[] = { "sim:size=16M", "sim:size=16M,vwc=off",
						 "sim:size=16M,vwc=absent" };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		struct sim_host h = { 0 };

		if (!sim_host_open(&h, addresses[i]))
			continue;
		CU_ASSERT_TRUE(write_fua(&h, 40, 8, 0));
		for (unsigned n = 0; n < SIM_HOST_DEPTH + 1; n++) {
			struct nvp_cmd compare = half(&h, nvp_build_compare(1, 40, 7, 512), 1, 0);
			struct nvp_cmd write = half(&h, nvp_build_write(1, 40, 7, 512), 2, 1);

			memset(h.data, (int)n, 4096);
			memset(h.data + 4096, (int)n + 1, 4096);
			post_silently(&h, &compare);
			sim_host_post(&h, &h.io, &write);
			CU_ASSERT_EQUAL(reap(&h), 0);
			CU_ASSERT_EQUAL(reap(&h), 0);
			CU_ASSERT_EQUAL(io(&h, nvp_build_flush(1)), 0);	/* an odd place next */
		}
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 40, 7, 512)), 0);
		CU_ASSERT_EQUAL(h.data[4095], SIM_HOST_DEPTH + 1);
		sim_host_close(&h);
	}
}

static void pairs_that_cannot_be(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd compare, write;

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	compare = half(&h, nvp_build_compare(1, 40, 8, 512), 1, 0);	/* above ACWU */
	write = half(&h, nvp_build_write(1, 40, 8, 512), 2, 0);
	nvp_sqe_set_qw(&compare.sqe, 8, h.data_iova + 4096);
	nvp_sqe_set_qw(&write.sqe, 8, h.data_iova + 4096);
	post_silently(&h, &compare);
	sim_host_post(&h, &h.io, &write);
	CU_ASSERT_EQUAL(reap(&h), 0x14);
	CU_ASSERT_EQUAL(reap(&h), 0x09);
	compare = half(&h, nvp_build_compare(1, UINT64_MAX, 0, 512), 1, 0);
	write = half(&h, nvp_build_write(1, UINT64_MAX, 0, 512), 2, 0);
	post_silently(&h, &compare);
	sim_host_post(&h, &h.io, &write);
	CU_ASSERT_EQUAL(reap(&h), 0x80);
	CU_ASSERT_EQUAL(reap(&h), 0x09);
	/* a first, a first, a second: the middle one has its pair */
	memset(h.data, 0, 512);
	compare = half(&h, nvp_build_compare(1, 40, 0, 512), 1, 0);
	write = half(&h, nvp_build_write(1, 40, 0, 512), 2, 0);
	post_silently(&h, &compare);
	post_silently(&h, &compare);
	sim_host_post(&h, &h.io, &write);
	CU_ASSERT_EQUAL(reap(&h), 0x0a);
	CU_ASSERT_EQUAL(reap(&h), 0);
	CU_ASSERT_EQUAL(reap(&h), 0);
	sim_host_close(&h);
}

/*
 * A write of the same blocks behind a pair: it comes after both or before both. With the cache
 * off each takes long, and the drive has all three at a time.
 */
static void writes_do_not_come_between(void)
{
	for (unsigned before = 0; before < 2; before++) {
		struct sim_host h = { 0 };
		struct nvp_cmd compare, write, other;
		unsigned bad = 0;

		if (!sim_host_open(&h, "sim:size=16M,vwc=absent"))
			continue;
		CU_ASSERT_TRUE(write_fua(&h, 40, 8, 0));
		memset(h.data, 0, 4096);
		memset(h.data + 4096, 0x11, 4096);
		memset(h.data + 8192, 0x22, 4096);
		compare = half(&h, nvp_build_compare(1, 40, 7, 512), 1, 0);
		write = half(&h, nvp_build_write(1, 40, 7, 512), 2, 1);
		other = half(&h, nvp_build_write(1, 40, 7, 512), 0, 2);
		if (before)
			post_silently(&h, &other);
		post_silently(&h, &compare);
		if (before) {
			sim_host_post(&h, &h.io, &write);
		} else {
			post_silently(&h, &write);
			sim_host_post(&h, &h.io, &other);
		}
		for (unsigned i = 0; i < 3; i++)
			bad += reap(&h) != 0;
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 40, 7, 512)), 0);
		/* the pair failed after the other write, or the other write came last */
		CU_ASSERT(bad == 0 || bad == 2);
		CU_ASSERT_EQUAL(h.data[0], 0x22);
		sim_host_close(&h);
	}
}

CU_TestInfo nvp_unit_sim_io_optional[] = {
	{ "marks_outlive_power", marks_outlive_power },
	{ "marking_is_cut_anywhere", marking_is_cut_anywhere },
	{ "copies_of_full_size", copies_of_full_size },
	{ "pairs_at_all_places", pairs_at_all_places },
	{ "pairs_that_cannot_be", pairs_that_cannot_be },
	{ "writes_do_not_come_between", writes_do_not_come_between },
	CU_TEST_INFO_NULL
};
