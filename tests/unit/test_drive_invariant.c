// SPDX-License-Identifier: GPL-2.0-or-later
// Each standing invariant, broken on purpose by a scripted function.

#include <nvproof/build.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "tests/unit/mock_bar.h"
#include "tests/unit/unit.h"

/* An open mock with nr Flushes outstanding on queue 1, fetched by it. */
static struct mock_bar *with_commands(unsigned nr, uint16_t *cid)
{
	struct mock_bar *m = malloc(sizeof(*m));
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_sqe sqe;

	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	mock_bar_set_up(m);
	CU_ASSERT_TRUE_FATAL(mock_bar_open(m));
	for (unsigned i = 0; i < nr; i++)
		CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, &cid[i]), 0);
	CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(m->drive)), 0);
	while (mock_bar_fetch(m, 1, &sqe))
		;
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	return m;
}

static int reap(struct mock_bar *m)
{
	struct nvp_cpl cpl;

	return nvp_reap(nvp_io_cq(m->drive), &cpl);
}

/* Exactly this one was broken, once, and its site is a line of the invariants. */
static void only(struct mock_bar *m, enum nvp_invariant invariant)
{
	CU_ASSERT_EQUAL(m->nr_broken, 1);
	CU_ASSERT_EQUAL(m->broken[invariant], 1);
	CU_ASSERT_EQUAL(strncmp(m->site, "core/drive/invariants.c:", 24), 0);
	m->nr_broken = 0;
	memset(m->broken, 0, sizeof(m->broken));
}

static void done(struct mock_bar *m)
{
	mock_bar_close(m);
	free(m);
}

static void every_one_has_name_and_section(void)
{
	for (int i = 0; i < NVP_NR_INVARIANTS; i++) {
		CU_ASSERT_TRUE(strlen(nvp_invariant_name((enum nvp_invariant)i)) >= 3);
		CU_ASSERT_EQUAL(strncmp(nvp_invariant_section((enum nvp_invariant)i), "NVMe ", 5),
				0);
	}
}

static void sqid_of_nobody(void)
{
	uint16_t cid[1];
	struct mock_bar *m = with_commands(1, cid);

	mock_bar_complete(m, 1, 5, 1, cid[0], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_SQID);
	/* The admin queue exists, and yet it is no queue of this CQ. */
	mock_bar_complete(m, 1, 0, 1, cid[0], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_SQID);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(m->drive), 1);
	done(m);
}

static void cid_that_was_never_given(void)
{
	uint16_t cid[1];
	struct mock_bar *m = with_commands(1, cid);

	mock_bar_complete(m, 1, 1, 1, (uint16_t)(cid[0] + 100), 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_CID);
	done(m);
}

static void cid_that_no_doorbell_exposed(void)
{
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct mock_bar *m = with_commands(0, NULL);
	uint16_t cid;

	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, &cid), 0);
	mock_bar_complete(m, 1, 1, 0, cid, 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_CID);
	done(m);
}

static void second_completion(void)
{
	uint16_t cid[2];
	struct mock_bar *m = with_commands(2, cid);

	mock_bar_complete(m, 1, 1, 2, cid[0], 0);
	mock_bar_complete(m, 1, 1, 2, cid[0], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_ONCE);
	done(m);
}

static void sqhd_outside_the_queue(void)
{
	uint16_t cid[2];
	struct mock_bar *m = with_commands(2, cid);

	mock_bar_complete(m, 1, 1, MOCK_IO_ENTRIES, cid[0], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_SQHD);
	mock_bar_complete(m, 1, 1, 2, cid[1], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	done(m);
}

static void sqhd_past_the_tail_or_back(void)
{
	uint16_t cid[3];
	struct mock_bar *m = with_commands(3, cid);

	mock_bar_complete(m, 1, 1, 4, cid[0], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_SQHD);
	mock_bar_complete(m, 1, 1, 2, cid[1], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	mock_bar_complete(m, 1, 1, 1, cid[2], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_SQHD);
	done(m);
}

static void phase_of_the_last_pass(void)
{
	uint16_t cid[1];
	struct mock_bar *m = with_commands(1, cid);
	struct nvp_cpl cpl;
	uint8_t cqe[16] = { 0 };

	nvp_put_le16(cqe + 8, 1);
	nvp_put_le16(cqe + 10, 1);
	nvp_put_le16(cqe + 12, cid[0]);
	mock_bar_write_cqe(m, 1, 0, cqe);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(m->drive), cid[0], &cpl), -ETIMEDOUT);
	only(m, NVP_INVARIANT_PHASE);
	/* Said once, not at each later timeout. */
	CU_ASSERT_EQUAL(nvp_reap_until(nvp_io_cq(m->drive), m->now_ns + 1000, &cpl), 0);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	done(m);
}

static void entry_in_the_wrong_slot(void)
{
	uint16_t cid[1];
	struct mock_bar *m = with_commands(1, cid);
	struct nvp_cpl cpl;
	uint8_t cqe[16] = { 0 };

	nvp_put_le16(cqe + 8, 1);
	nvp_put_le16(cqe + 10, 1);
	nvp_put_le16(cqe + 12, cid[0]);
	cqe[14] = 1;
	mock_bar_write_cqe(m, 1, 1, cqe);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(m->drive), cid[0], &cpl), -ETIMEDOUT);
	only(m, NVP_INVARIANT_PHASE);
	done(m);
}

static void status_that_is_reserved_or_of_a_host(void)
{
	uint16_t cid[4];
	struct mock_bar *m = with_commands(4, cid);

	mock_bar_complete(m, 1, 1, 4, cid[0], 4 << 8 | 1);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_STATUS);
	mock_bar_complete(m, 1, 1, 4, cid[1], 3 << 8 | 0x71);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_STATUS);
	/* Path and vendor statuses that a controller may give. */
	mock_bar_complete(m, 1, 1, 4, cid[2], 3 << 8 | 0x02);
	mock_bar_complete(m, 1, 1, 4, cid[3], 7 << 8 | 0x71);
	CU_ASSERT_EQUAL(reap(m), 1);
	CU_ASSERT_EQUAL(reap(m), 1);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	done(m);
}

/* One Read of 512 bytes at data_offset; the function writes one byte at `at` from the data. */
static bool write_at_from_data(struct mock_bar *m)
{
	struct nvp_sqe sqe;
	uint8_t *byte;

	if (!mock_bar_fetch(m, 1, &sqe))
		return false;
	byte = mock_bar_memory(m, nvp_sqe_qw(&sqe, 6) + m->argument, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(byte);
	*byte ^= 0x11;
	mock_bar_complete(m, 1, 1, (uint16_t)m->queue[1].sq_head, nvp_sqe_cid(&sqe), 0);
	return true;
}

static unsigned guard_breaks(int64_t at, size_t buf_bytes, size_t offset)
{
	struct mock_bar *m = with_commands(0, NULL);
	struct nvp_buf *buf = nvp_buf_new(m->drive, buf_bytes);
	struct nvp_cmd cmd = nvp_build_read(1, 0, 0, 512);
	struct nvp_cpl cpl;
	unsigned broken;

	m->on_wait = write_at_from_data;
	m->argument = (uint64_t)at;
	cmd.data = buf;
	cmd.data_offset = offset;
	CU_ASSERT_EQUAL(nvp_exec_io(m->drive, &cmd, &cpl), 0);
	broken = m->broken[NVP_INVARIANT_GUARD];
	CU_ASSERT_EQUAL(m->nr_broken, broken);
	/* Mended: it is said once. */
	nvp_buf_free(buf);
	CU_ASSERT_EQUAL(m->nr_broken, broken);
	done(m);
	return broken;
}

static void data_outside_of_its_buffer(void)
{
	CU_ASSERT_EQUAL(guard_breaks(0, 4096, 0), 0);
	CU_ASSERT_EQUAL(guard_breaks(511, 4096, 0), 0);
	CU_ASSERT_EQUAL(guard_breaks(512, 4096, 0), 1); /* behind the length asked */
	CU_ASSERT_EQUAL(guard_breaks(4095, 4096, 0), 1);
	CU_ASSERT_EQUAL(guard_breaks(-1, 4096, 512), 1); /* in front of the data */
	CU_ASSERT_EQUAL(guard_breaks(-1, 4096, 0), 1);	 /* in front of the buffer */
	CU_ASSERT_EQUAL(guard_breaks(-4096, 4096, 0), 1);
	CU_ASSERT_EQUAL(guard_breaks(4096, 4096, 0), 1); /* behind the buffer */
	CU_ASSERT_EQUAL(guard_breaks(8191, 4096, 0), 1);
	CU_ASSERT_EQUAL(guard_breaks(512, 512, 0), 1); /* rest of the last page */
	CU_ASSERT_EQUAL(guard_breaks(4095, 512, 0), 1);
}

static void overrun_by_a_raw_address_is_seen_at_the_end(void)
{
	struct mock_bar *m = with_commands(0, NULL);
	struct nvp_buf *buf = nvp_buf_new(m->drive, 4096);

	mock_bar_memory(m, nvp_buf_iova(buf, 0) + 4096, 1)[0] ^= 1;
	nvp_drive_free_case_memory(m->drive);
	only(m, NVP_INVARIANT_GUARD);
	done(m);
}

static void access_outside_of_the_map(void)
{
	uint16_t cid[2];
	struct mock_bar *m = with_commands(2, cid);

	m->faults = 1;
	m->fault = (struct nvp_dma_fault){ .iova = 0x1234, .bytes = 16, .write = true };
	mock_bar_complete(m, 1, 1, 2, cid[0], 0x04);
	mock_bar_complete(m, 1, 1, 2, cid[1], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_DMA);
	CU_ASSERT_PTR_NOT_NULL(strstr(m->seen, "0x1234"));
	CU_ASSERT_EQUAL(reap(m), 1);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	done(m);
}

static void completion_of_a_deleted_queue(void)
{
	struct mock_bar *m = with_commands(0, NULL);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	struct nvp_cq *cq = nvp_cq_new(m->drive, 2, 8, -1);
	struct nvp_sq *sq = nvp_sq_new(m->drive, 2, 8, cq);
	uint16_t cid;

	nvp_cq_create(cq, &cpl);
	nvp_sq_create(sq, &cpl);
	nvp_submit(sq, &cmd, &cid);
	nvp_ring_tail(sq);
	CU_ASSERT_EQUAL(nvp_sq_delete(sq, &cpl), 0);
	mock_bar_complete(m, 2, 2, 1, cid, 0);
	CU_ASSERT_EQUAL(nvp_reap(cq, &cpl), 1);
	only(m, NVP_INVARIANT_LATE);
	/* Also when the object is gone, and when nobody reaps. */
	nvp_sq_free(sq);
	mock_bar_complete(m, 2, 2, 1, cid, 0);
	nvp_drive_free_case_memory(m->drive);
	only(m, NVP_INVARIANT_LATE);
	done(m);
}

static void completion_of_before_the_reset(void)
{
	uint16_t cid[1];
	struct mock_bar *m = with_commands(1, cid);

	CU_ASSERT_EQUAL(nvp_reset(m->drive, NVP_RESET_CONTROLLER), 0);
	mock_bar_complete(m, 1, 1, 0, cid[0], 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	only(m, NVP_INVARIANT_LATE);
	done(m);
}

static void entry_in_a_queue_that_is_gone(void)
{
	struct mock_bar *m = with_commands(0, NULL);
	struct nvp_cq *cq = nvp_cq_new(m->drive, 2, 8, -1);
	uint64_t io_cq = nvp_cq_iova(nvp_io_cq(m->drive));
	uint64_t admin_cq = nvp_cq_iova(nvp_admin_cq(m->drive));
	struct nvp_enable enable;
	struct nvp_cpl cpl;

	/* A deleted queue's memory. */
	nvp_cq_create(cq, &cpl);
	CU_ASSERT_EQUAL(nvp_cq_delete(cq, &cpl), 0);
	mock_bar_memory(m, nvp_cq_iova(cq), 128)[50] = 1;
	nvp_drive_free_case_memory(m->drive);
	only(m, NVP_INVARIANT_LATE);
	/* After the reset, the I/O queue's before it is made again, and the old admin queue's. */
	nvp_ctrl_disable(m->drive, NULL);
	mock_bar_memory(m, io_cq, 1024)[1023] = 1;
	CU_ASSERT_EQUAL(nvp_baseline(m->drive), 0);
	only(m, NVP_INVARIANT_LATE);
	CU_ASSERT_NOT_EQUAL(nvp_cq_iova(nvp_admin_cq(m->drive)), admin_cq);
	mock_bar_memory(m, admin_cq, 1024)[16] = 1;
	nvp_drive_free_case_memory(m->drive);
	only(m, NVP_INVARIANT_LATE);
	/* What was there when the controller stopped is no late entry, and is not lost. */
	nvp_enable_defaults(m->drive, &enable);
	mock_bar_complete(m, 1, 9, 0, 0, 0);
	CU_ASSERT_EQUAL(nvp_ctrl_disable(m->drive, NULL), 0);
	only(m, NVP_INVARIANT_SQID);
	CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(m->drive), &cpl), 1);
	CU_ASSERT_EQUAL(nvp_baseline(m->drive), 0);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	done(m);
}

static void what_broke_before_anybody_listened_is_told_later(void)
{
	struct mock_bar *m = with_commands(0, NULL);
	struct nvp_observer observer = { 0 };
	unsigned before;

	nvp_drive_observe(m->drive, NULL);
	mock_bar_complete(m, 1, 9, 0, 0, 0);
	CU_ASSERT_EQUAL(reap(m), 1);
	before = m->nr_broken;
	CU_ASSERT_EQUAL(before, 0);
	mock_bar_listen(m, &observer);
	nvp_drive_observe(m->drive, &observer);
	only(m, NVP_INVARIANT_SQID);
	nvp_drive_observe(m->drive, &observer);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	done(m);
}

CU_TestInfo nvp_unit_drive_invariant[] = {
	{ "every_one_has_name_and_section", every_one_has_name_and_section },
	{ "sqid_of_nobody", sqid_of_nobody },
	{ "cid_that_was_never_given", cid_that_was_never_given },
	{ "cid_that_no_doorbell_exposed", cid_that_no_doorbell_exposed },
	{ "second_completion", second_completion },
	{ "sqhd_outside_the_queue", sqhd_outside_the_queue },
	{ "sqhd_past_the_tail_or_back", sqhd_past_the_tail_or_back },
	{ "phase_of_the_last_pass", phase_of_the_last_pass },
	{ "entry_in_the_wrong_slot", entry_in_the_wrong_slot },
	{ "status_that_is_reserved_or_of_a_host", status_that_is_reserved_or_of_a_host },
	{ "data_outside_of_its_buffer", data_outside_of_its_buffer },
	{ "overrun_by_a_raw_address_is_seen_at_the_end",
	  overrun_by_a_raw_address_is_seen_at_the_end },
	{ "access_outside_of_the_map", access_outside_of_the_map },
	{ "completion_of_a_deleted_queue", completion_of_a_deleted_queue },
	{ "completion_of_before_the_reset", completion_of_before_the_reset },
	{ "entry_in_a_queue_that_is_gone", entry_in_a_queue_that_is_gone },
	{ "what_broke_before_anybody_listened_is_told_later",
	  what_broke_before_anybody_listened_is_told_later },
	CU_TEST_INFO_NULL,
};
