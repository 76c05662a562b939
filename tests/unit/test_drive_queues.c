// SPDX-License-Identifier: GPL-2.0-or-later
// The door on a scripted function: queues of one's own, and data.

#include <nvproof/build.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/prepare.h"
#include "tests/unit/mock_bar.h"
#include "tests/unit/unit.h"

static struct nvp_cmd read_cmd(struct nvp_buf *buf, size_t bytes)
{
	struct nvp_cmd cmd = nvp_build_read(1, 0, (uint16_t)(bytes / 512 - 1), 512);

	cmd.data = buf;
	return cmd;
}

/* --- queues of one's own ------------------------------------------------------------------ */

static void queue_made_by_hand_is_known(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct nvp_cq *cq;
	struct nvp_sq *sq;
	uint16_t cid;

	OPEN(m);
	cq = nvp_cq_new(m->drive, 2, 8, -1);
	sq = nvp_sq_new(m->drive, 3, 4, cq);
	cmd = nvp_build_flush(1);
	CU_ASSERT_EQUAL(nvp_submit(sq, &cmd, NULL), -EINVAL);
	cmd = nvp_build_create_cq(2, 7, nvp_cq_iova(cq), true, false, 0);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
	/* And one that was posted raw. */
	cmd = nvp_build_create_sq(3, 3, nvp_sq_iova(sq), true, 0, 2);
	nvp_sqe_set_cid(&cmd.sqe, 0x7777);
	CU_ASSERT_EQUAL(nvp_post_raw(nvp_admin_sq(m->drive), &cmd.sqe), 0);
	CU_ASSERT_EQUAL(nvp_ring_tail(nvp_admin_sq(m->drive)), 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_admin_sq(m->drive), 0x7777, &cpl), 0);
	CU_ASSERT_FALSE(nvp_at_baseline(m->drive));
	cmd = nvp_build_flush(1);
	CU_ASSERT_EQUAL(nvp_submit(sq, &cmd, &cid), 0);
	CU_ASSERT_EQUAL(nvp_ring_tail(sq), 0);
	mock_bar_complete(m, 2, 3, 1, cid, 0);
	CU_ASSERT_EQUAL(nvp_reap(cq, &cpl), 1);
	CU_ASSERT_EQUAL(cpl.sqid, 3);
	cmd = nvp_build_delete_sq(3);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
	cmd = nvp_build_delete_cq(2);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	DONE(m);
}

static void failed_create_changes_nothing(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	struct nvp_cq *cq;
	struct nvp_sq *sq;

	OPEN(m);
	cq = nvp_cq_new(m->drive, 2, 1, 0);
	m->fail_opcode = NVP_ADMIN_CREATE_CQ;
	CU_ASSERT_EQUAL(nvp_cq_create(cq, &cpl), 0);
	CU_ASSERT_FALSE(nvp_cpl_ok(&cpl));
	sq = nvp_sq_new(m->drive, 2, 65536, cq);
	CU_ASSERT_PTR_NOT_NULL_FATAL(sq);
	CU_ASSERT_EQUAL(nvp_submit(sq, &cmd, NULL), -EINVAL);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	CU_ASSERT_PTR_NULL(nvp_cq_new(m->drive, 2, 0, 0));
	CU_ASSERT_PTR_NULL(nvp_cq_new(m->drive, 2, 65537, 0));
	nvp_drive_free_case_memory(m->drive);
	DONE(m);
}

static void live_queue_memory_stays_until_delete(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct nvp_cq *cq;
	struct nvp_sq *sq;
	uint64_t iova;

	OPEN(m);
	cq = nvp_cq_new(m->drive, 2, 8, -1);
	sq = nvp_sq_new(m->drive, 2, 8, cq);
	iova = nvp_sq_iova(sq);
	nvp_cq_create(cq, &cpl);
	nvp_sq_create(sq, &cpl);
	nvp_sq_free(sq);
	nvp_cq_free(cq);
	nvp_drive_free_case_memory(m->drive);
	CU_ASSERT_PTR_NOT_NULL(mock_bar_memory(m, iova, 64));
	cmd = nvp_build_delete_sq(2);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
	nvp_drive_free_case_memory(m->drive);
	CU_ASSERT_PTR_NULL(mock_bar_memory(m, iova, 64));
	/* A reset lets go of it as well. */
	cq = nvp_cq_new(m->drive, 3, 8, -1);
	iova = nvp_cq_iova(cq);
	nvp_cq_create(cq, &cpl);
	nvp_cq_free(cq);
	CU_ASSERT_PTR_NOT_NULL(mock_bar_memory(m, iova, 64));
	CU_ASSERT_EQUAL(nvp_reset(m->drive, NVP_RESET_CONTROLLER), 0);
	CU_ASSERT_PTR_NULL(mock_bar_memory(m, iova, 64));
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	DONE(m);
}

static void delete_gives_up_what_is_outstanding(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	struct nvp_cq *cq;
	struct nvp_sq *sq;
	uint16_t cid[2];

	OPEN(m);
	cq = nvp_cq_new(m->drive, 2, 8, -1);
	sq = nvp_sq_new(m->drive, 2, 8, cq);
	nvp_cq_create(cq, &cpl);
	nvp_sq_create(sq, &cpl);
	nvp_submit(sq, &cmd, &cid[0]);
	nvp_submit(sq, &cmd, &cid[1]);
	nvp_ring_tail(sq);
	mock_bar_complete(m, 2, 2, 2, cid[1], 0x08); /* before the Delete: that counts */
	CU_ASSERT_EQUAL(nvp_sq_delete(sq, &cpl), 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(sq, cid[0], &cpl), -ECANCELED);
	CU_ASSERT_EQUAL(nvp_wait_cid(sq, cid[1], &cpl), 0);
	CU_ASSERT_EQUAL(cpl.status.sc, 8);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	DONE(m);
}

/* --- data --------------------------------------------------------------------------------- */

static void prps_reach_every_byte(void)
{
	WITH_MOCK(m);
	static const struct {
		size_t offset, bytes;
	} rows[] = {
		{ 0, 512 },	{ 0, 4096 },	   { 512, 4096 }, { 0, 8192 },
		{ 4, 8192 },	{ 0, 12288 },	   { 4092, 5 },	  { 100 * 4, 600 * 4096 },
		{ 0, 2 << 20 }, { 3072, 8 << 20 },
	};
	struct nvp_buf *buf;

	OPEN(m);
	buf = nvp_buf_new(m->drive, 16 << 20);
	for (size_t r = 0; r < NVP_ARRAY_SIZE(rows); r++) {
		struct nvp_cmd cmd = read_cmd(buf, 512);
		struct nvp_sqe sqe;
		uint64_t list, at;
		size_t left;

		cmd.data_offset = rows[r].offset;
		cmd.data_bytes = rows[r].bytes;
		CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, NULL), 0);
		nvp_ring_tail(nvp_io_sq(m->drive));
		CU_ASSERT_TRUE_FATAL(mock_bar_fetch(m, 1, &sqe));
		/* Walk what a controller would walk. */
		at = nvp_buf_iova(buf, rows[r].offset);
		CU_ASSERT_EQUAL(nvp_sqe_qw(&sqe, 6), at);
		left = rows[r].bytes - nvp_min_u64(rows[r].bytes, 4096 - at % 4096);
		at += rows[r].bytes - left;
		list = nvp_sqe_qw(&sqe, 8);
		if (left && left <= 4096) {
			CU_ASSERT_EQUAL(list, at);
			left = 0;
		}
		for (size_t i = 0; left; i++) {
			uint8_t *entry = mock_bar_memory(m, list + 8 * i, 8);
			size_t here = nvp_min_u64(left, 4096);

			CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
			if (i == 511 && left > 4096) {
				list = nvp_le64(entry);
				i = (size_t)-1;
				continue;
			}
			if (nvp_le64(entry) != at) {
				CU_ASSERT_EQUAL(nvp_le64(entry), at);
				break;
			}
			at += here;
			left -= here;
		}
		CU_ASSERT_EQUAL(left, 0);
	}
	DONE(m);
}

static void buffer_in_flight_stays_mapped(void)
{
	WITH_MOCK(m);
	struct nvp_buf *buf;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	uint64_t iova;

	OPEN(m);
	buf = nvp_buf_new(m->drive, 4096);
	iova = nvp_buf_iova(buf, 0);
	CU_ASSERT_EQUAL(iova % 4096, 0);
	cmd = read_cmd(buf, 4096);
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, NULL), 0);
	nvp_ring_tail(nvp_io_sq(m->drive));
	nvp_buf_free(buf);
	nvp_drive_free_case_memory(m->drive);
	CU_ASSERT_PTR_NOT_NULL(mock_bar_memory(m, iova, 4096));
	CU_ASSERT_TRUE(mock_bar_serve(m));
	CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(m->drive), &cpl), 1);
	CU_ASSERT_PTR_NULL(mock_bar_memory(m, iova, 4096));

	buf = nvp_buf_new(m->drive, 4096);
	iova = nvp_buf_iova(buf, 0);
	cmd = read_cmd(buf, 4096);
	nvp_submit(nvp_io_sq(m->drive), &cmd, NULL);
	nvp_ring_tail(nvp_io_sq(m->drive));
	nvp_drive_free_case_memory(m->drive);
	CU_ASSERT_PTR_NOT_NULL(mock_bar_memory(m, iova, 4096));
	CU_ASSERT_EQUAL(nvp_reset(m->drive, NVP_RESET_CONTROLLER), 0);
	CU_ASSERT_PTR_NULL(mock_bar_memory(m, iova, 4096));
	DONE(m);
}

static void data_must_fit_its_buffer(void)
{
	WITH_MOCK(m);
	struct nvp_buf *buf;
	struct nvp_cmd cmd;

	OPEN(m);
	buf = nvp_buf_new(m->drive, 512);
	cmd = read_cmd(buf, 1024);
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, NULL), -EINVAL);
	cmd = read_cmd(buf, 512);
	cmd.data_offset = 1;
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, NULL), -EINVAL);
	cmd.data_offset = SIZE_MAX;
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, NULL), -EINVAL);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(m->drive), 0);
	CU_ASSERT_PTR_NULL(nvp_buf_new(m->drive, 0));
	CU_ASSERT_PTR_NULL(nvp_buf_new(m->drive, (64u << 20) + 1));
	DONE(m);
}

static void patterns_are_found_again(void)
{
	WITH_MOCK(m);
	struct nvp_buf *buf;

	OPEN(m);
	buf = nvp_buf_new(m->drive, 1003);
	CU_ASSERT_EQUAL(nvp_buf_find_not(buf, 0, 1003, 0), -1);
	nvp_buf_fill_pattern(buf, 42);
	CU_ASSERT_EQUAL(nvp_buf_pattern_mismatch(buf, 42, 0, 1003), -1);
	CU_ASSERT_EQUAL(nvp_buf_pattern_mismatch(buf, 42, 5, 990), -1);
	CU_ASSERT_TRUE(nvp_buf_pattern_mismatch(buf, 43, 0, 1003) >= 0);
	nvp_buf_data(buf)[1002] ^= 0x80;
	CU_ASSERT_EQUAL(nvp_buf_pattern_mismatch(buf, 42, 0, 1003), 1002);
	CU_ASSERT_EQUAL(nvp_buf_pattern_mismatch(buf, 42, 1002, 1), 1002);
	CU_ASSERT_EQUAL(nvp_buf_pattern_mismatch(buf, 42, 0, 1002), -1);
	nvp_buf_fill(buf, 9);
	nvp_buf_data(buf)[77] = 0;
	CU_ASSERT_EQUAL(nvp_buf_find_not(buf, 0, 1003, 9), 77);
	CU_ASSERT_EQUAL(nvp_buf_find_not(buf, 78, 5000, 9), -1);
	DONE(m);
}

CU_TestInfo nvp_unit_drive_queues[] = {
	{ "queue_made_by_hand_is_known", queue_made_by_hand_is_known },
	{ "failed_create_changes_nothing", failed_create_changes_nothing },
	{ "live_queue_memory_stays_until_delete", live_queue_memory_stays_until_delete },
	{ "delete_gives_up_what_is_outstanding", delete_gives_up_what_is_outstanding },
	{ "prps_reach_every_byte", prps_reach_every_byte },
	{ "buffer_in_flight_stays_mapped", buffer_in_flight_stays_mapped },
	{ "data_must_fit_its_buffer", data_must_fit_its_buffer },
	{ "patterns_are_found_again", patterns_are_found_again },
	CU_TEST_INFO_NULL,
};
