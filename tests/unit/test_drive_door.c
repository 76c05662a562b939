// SPDX-License-Identifier: GPL-2.0-or-later
// The door on a scripted function: submitting, reaping, raw entries, interrupts.

#include <nvproof/build.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/prepare.h"
#include "tests/unit/mock_bar.h"
#include "tests/unit/unit.h"

/* --- submitting and reaping --------------------------------------------------------------- */

static void submit_does_not_ring(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_sq *sq;
	uint64_t value = 0;

	OPEN(m);
	sq = nvp_io_sq(m->drive);
	for (unsigned i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(nvp_submit(sq, &cmd, NULL), 0);
	CU_ASSERT_EQUAL(mock_bar_writes(m, DOORBELL(1, 0), NULL), 0);
	CU_ASSERT_FALSE(nvp_at_baseline(m->drive));
	CU_ASSERT_EQUAL(nvp_ring_tail(sq), 0);
	CU_ASSERT_EQUAL(mock_bar_writes(m, DOORBELL(1, 0), &value), 1);
	CU_ASSERT_EQUAL(value, 3);
	CU_ASSERT_EQUAL(nvp_sq_outstanding(sq), 3);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(m->drive), 3);
	DONE(m);
}

static void one_slot_stays_empty(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	struct nvp_sq *sq;

	OPEN(m);
	sq = nvp_io_sq(m->drive);
	for (unsigned i = 0; i < MOCK_IO_ENTRIES - 1; i++)
		CU_ASSERT_EQUAL(nvp_submit(sq, &cmd, NULL), 0);
	CU_ASSERT_EQUAL(nvp_submit(sq, &cmd, NULL), -ENOSPC);
	CU_ASSERT_EQUAL(nvp_ring_tail(sq), 0);
	CU_ASSERT_TRUE(mock_bar_serve(m));
	CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(m->drive), &cpl), 1);
	CU_ASSERT_EQUAL(nvp_submit(sq, &cmd, NULL), 0);
	CU_ASSERT_EQUAL(nvp_submit(sq, &cmd, NULL), -ENOSPC);
	DONE(m);
}

static void cids_go_round_and_skip_what_is_out(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	uint16_t held, cid, last = 0;
	struct nvp_cpl cpl;
	struct nvp_sqe sqe;
	bool repeated = false;

	OPEN(m);
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, &held), 0);
	CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(m->drive)), 0);
	CU_ASSERT_TRUE(mock_bar_fetch(m, 1, &sqe));
	for (unsigned i = 0; i < 70000; i++) {
		m->nr_log = 0;
		if (nvp_submit(nvp_io_sq(m->drive), &cmd, &cid) ||
		    nvp_ring_tail(nvp_io_sq(m->drive)) || !mock_bar_serve(m) ||
		    nvp_reap(nvp_io_cq(m->drive), &cpl) != 1) {
			CU_FAIL("one command");
			break;
		}
		repeated |= cid == held || cid == 0xffff || (i && cid == last) || cpl.cid != cid;
		last = cid;
	}
	CU_ASSERT_FALSE(repeated);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	DONE(m);
}

static void others_are_kept_for_later(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	struct nvp_cq *cq;
	struct nvp_sq *sq;
	uint16_t cid[3];
	struct nvp_sqe sqe;

	OPEN(m);
	sq = nvp_io_sq(m->drive);
	cq = nvp_io_cq(m->drive);
	for (unsigned i = 0; i < 3; i++)
		nvp_submit(sq, &cmd, &cid[i]);
	nvp_ring_tail(sq);
	while (mock_bar_fetch(m, 1, &sqe))
		;
	mock_bar_complete(m, 1, 1, 3, cid[2], 0);
	mock_bar_complete(m, 1, 1, 3, cid[0], 0x4002);
	mock_bar_complete(m, 1, 1, 3, cid[1], 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(sq, cid[1], &cpl), 0);
	CU_ASSERT_EQUAL(cpl.cid, cid[1]);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(m->drive), 0);
	CU_ASSERT_EQUAL(nvp_reap(cq, &cpl), 1);
	CU_ASSERT_EQUAL(cpl.cid, cid[2]);
	CU_ASSERT_EQUAL(nvp_wait_cid(sq, cid[0], &cpl), 0);
	CU_ASSERT_EQUAL(cpl.status.sc, 2);
	CU_ASSERT_TRUE(cpl.status.dnr);
	CU_ASSERT_EQUAL(nvp_reap(cq, &cpl), 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(sq, cid[0], &cpl), -EINVAL);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	DONE(m);
}

static void head_doorbell_at_a_quarter_or_when_empty(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	uint64_t value = 0;
	struct nvp_cpl cpl;

	OPEN(m);
	for (unsigned i = 0; i < 40; i++)
		nvp_submit(nvp_io_sq(m->drive), &cmd, NULL);
	nvp_ring_tail(nvp_io_sq(m->drive));
	while (mock_bar_serve(m))
		;
	for (unsigned i = 1; i <= 40; i++) {
		CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(m->drive), &cpl), 1);
		CU_ASSERT_EQUAL(mock_bar_writes(m, DOORBELL(1, 1), &value), i / 16 + (i == 40));
	}
	CU_ASSERT_EQUAL(value, 40);
	nvp_cq_hold_head(nvp_io_cq(m->drive), true);
	nvp_submit(nvp_io_sq(m->drive), &cmd, NULL);
	nvp_ring_tail(nvp_io_sq(m->drive));
	mock_bar_serve(m);
	CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(m->drive), &cpl), 1);
	CU_ASSERT_EQUAL(mock_bar_writes(m, DOORBELL(1, 1), &value), 3);
	CU_ASSERT_EQUAL(nvp_ring_head(nvp_io_cq(m->drive)), 0);
	CU_ASSERT_EQUAL(mock_bar_writes(m, DOORBELL(1, 1), &value), 4);
	CU_ASSERT_EQUAL(value, 41);
	DONE(m);
}

static void phase_inverts_over_many_passes(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;

	OPEN(m);
	for (unsigned i = 0; i < 5 * MOCK_IO_ENTRIES; i++) {
		m->nr_log = 0;
		CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, NULL), 0);
		CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(m->drive)), 0);
		CU_ASSERT_TRUE(mock_bar_serve(m));
		CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(m->drive), &cpl), 1);
		CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(m->drive), &cpl), 0);
	}
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	DONE(m);
}

static void late_answer_after_a_timeout_is_delivered(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;

	OPEN(m);
	CU_ASSERT_EQUAL(nvp_exec_io(m->drive, &cmd, &cpl), -ETIMEDOUT);
	CU_ASSERT_TRUE(m->now_ns >= nvp_drive_budget_ns(m->drive, NVP_TIME_IO));
	CU_ASSERT_EQUAL(nvp_drive_outstanding(m->drive), 1);
	CU_ASSERT_TRUE(mock_bar_serve(m));
	CU_ASSERT_EQUAL(nvp_reap_until(nvp_io_cq(m->drive), m->now_ns, &cpl), 1);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(m->drive), 0);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	DONE(m);
}

static bool serve_on_wait(struct mock_bar *mock)
{
	return mock_bar_serve(mock);
}

static void waiting_ends_with_the_entry(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	uint64_t begin_ns;

	OPEN(m);
	m->on_wait = serve_on_wait;
	begin_ns = m->now_ns;
	CU_ASSERT_EQUAL(nvp_exec_io(m->drive, &cmd, &cpl), 0);
	CU_ASSERT_TRUE(m->now_ns - begin_ns < NVP_NS_PER_MS);
	CU_ASSERT_TRUE(m->heartbeats >= 1);
	CU_ASSERT_TRUE(cpl.ack_tick > cpl.sub_tick);
	CU_ASSERT_TRUE(cpl.latency_ns > 0 && cpl.latency_ns < NVP_NS_PER_MS);
	DONE(m);
}

static void long_real_waits_send_heartbeats(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	unsigned before;

	m->clock.virtual_time = false;
	OPEN(m);
	before = m->heartbeats;
	CU_ASSERT_EQUAL(nvp_exec_io(m->drive, &cmd, &cpl), -ETIMEDOUT);
	CU_ASSERT_TRUE(m->heartbeats - before >= 30);
	DONE(m);
}

static void gone_drive_ends_the_wait(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;

	OPEN(m);
	m->gone = true;
	CU_ASSERT_EQUAL(nvp_exec_io(m->drive, &cmd, &cpl), -ENODEV);
	CU_ASSERT_EQUAL(nvp_baseline(m->drive), -ENODEV);
	DONE(m);
}

/* --- raw ---------------------------------------------------------------------------------- */

static void raw_entries_are_sent_as_they_are(void)
{
	WITH_MOCK(m);
	struct nvp_sqe sqe, sent;
	struct nvp_sq *sq;
	struct nvp_cpl cpl;

	OPEN(m);
	sq = nvp_io_sq(m->drive);
	memset(sqe.bytes, 0xa5, sizeof(sqe.bytes));
	CU_ASSERT_EQUAL(nvp_post_raw(sq, &sqe), 0);
	CU_ASSERT_EQUAL(nvp_post_raw(sq, &sqe), 0); /* the same CID twice */
	CU_ASSERT_EQUAL(nvp_sq_outstanding(sq), 2);
	CU_ASSERT_EQUAL(nvp_ring_tail_raw(sq, 1), 0);
	CU_ASSERT_TRUE(mock_bar_fetch(m, 1, &sent));
	CU_ASSERT_EQUAL(memcmp(sent.bytes, sqe.bytes, 64), 0);
	CU_ASSERT_FALSE(mock_bar_fetch(m, 1, &sent));
	mock_bar_complete(m, 1, 1, 1, 0xa5a5, 0x4001);
	CU_ASSERT_EQUAL(nvp_wait_cid(sq, 0xa5a5, &cpl), 0);
	CU_ASSERT_EQUAL(nvp_sq_outstanding(sq), 1);
	CU_ASSERT_EQUAL(nvp_ring_tail_raw(sq, 2), 0);
	mock_bar_complete(m, 1, 1, 2, 0xa5a5, 0x4001);
	CU_ASSERT_EQUAL(nvp_wait_cid(sq, 0xa5a5, &cpl), 0);
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	DONE(m);
}

static void any_doorbell_and_register_passes(void)
{
	WITH_MOCK(m);
	uint64_t value = 0;

	OPEN(m);
	CU_ASSERT_EQUAL(nvp_ring_tail_raw(nvp_io_sq(m->drive), 0x12345678), 0);
	CU_ASSERT_EQUAL(mock_bar_writes(m, DOORBELL(1, 0), &value), 1);
	CU_ASSERT_EQUAL(value, 0x12345678);
	CU_ASSERT_EQUAL(nvp_ring_any(m->drive, 0xffff, true, 3), 0);
	CU_ASSERT_EQUAL(mock_bar_writes(m, NVP_REG_DOORBELLS + 4ull * (2 * 0xffff + 1), &value), 1);
	CU_ASSERT_EQUAL(nvp_reg_write64(m->drive, 0x33, 0x1122334455667788), 0);
	CU_ASSERT_EQUAL(mock_bar_writes(m, 0x33, &value), 1);
	CU_ASSERT_EQUAL(value, 0x1122334455667788);
	DONE(m);
}

static void doorbells_follow_the_stride(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);

	m->cap |= 2ull << 32;
	OPEN(m);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	nvp_submit(nvp_io_sq(m->drive), &cmd, NULL);
	nvp_ring_tail(nvp_io_sq(m->drive));
	CU_ASSERT_EQUAL(mock_bar_writes(m, NVP_REG_DOORBELLS + 16 * 2, NULL), 1);
	DONE(m);
}

/* --- interrupts --------------------------------------------------------------------------- */

static void vector_taken_while_waiting_is_remembered(void)
{
	WITH_MOCK(m);
	struct nvp_cpl cpl;
	struct nvp_cq *cq;

	OPEN(m);
	cq = nvp_cq_new(m->drive, 2, 8, 2);
	nvp_cq_create(cq, &cpl);
	CU_ASSERT_FALSE(nvp_vector_take(m->drive, 2));
	m->vectors = 1 << 2;
	CU_ASSERT_EQUAL(nvp_reap_until(cq, m->now_ns + 1000000, &cpl), 0);
	CU_ASSERT_EQUAL(m->vectors, 0);
	CU_ASSERT_TRUE(nvp_vector_take(m->drive, 2));
	CU_ASSERT_FALSE(nvp_vector_take(m->drive, 2));
	DONE(m);
}

CU_TestInfo nvp_unit_drive_door[] = {
	{ "submit_does_not_ring", submit_does_not_ring },
	{ "one_slot_stays_empty", one_slot_stays_empty },
	{ "cids_go_round_and_skip_what_is_out", cids_go_round_and_skip_what_is_out },
	{ "others_are_kept_for_later", others_are_kept_for_later },
	{ "head_doorbell_at_a_quarter_or_when_empty", head_doorbell_at_a_quarter_or_when_empty },
	{ "phase_inverts_over_many_passes", phase_inverts_over_many_passes },
	{ "late_answer_after_a_timeout_is_delivered", late_answer_after_a_timeout_is_delivered },
	{ "waiting_ends_with_the_entry", waiting_ends_with_the_entry },
	{ "long_real_waits_send_heartbeats", long_real_waits_send_heartbeats },
	{ "gone_drive_ends_the_wait", gone_drive_ends_the_wait },
	{ "raw_entries_are_sent_as_they_are", raw_entries_are_sent_as_they_are },
	{ "any_doorbell_and_register_passes", any_doorbell_and_register_passes },
	{ "doorbells_follow_the_stride", doorbells_follow_the_stride },
	{ "vector_taken_while_waiting_is_remembered", vector_taken_while_waiting_is_remembered },
	CU_TEST_INFO_NULL,
};
