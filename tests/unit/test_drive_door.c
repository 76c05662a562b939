// SPDX-License-Identifier: GPL-2.0-or-later
// The door's own rules on a scripted function: the controller's life, queues, completions, data.

#include <nvproof/build.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/prepare.h"
#include "tests/unit/mock_bar.h"
#include "tests/unit/unit.h"

#define DOORBELL(qid, head) (NVP_REG_DOORBELLS + 4u * (2u * (qid) + (head)))

/* One mock for each test: too large for the stack of some. */
#define WITH_MOCK(m)                             \
	struct mock_bar *m = malloc(sizeof(*m)); \
	CU_ASSERT_PTR_NOT_NULL_FATAL(m);         \
	mock_bar_set_up(m)
#define OPEN(m)                          \
	do {                             \
		if (!mock_bar_open(m)) { \
			free(m);         \
			return;          \
		}                        \
	} while (0)
#define DONE(m)                    \
	do {                       \
		mock_bar_close(m); \
		free(m);           \
	} while (0)

static struct nvp_cmd read_cmd(struct nvp_buf *buf, size_t bytes)
{
	struct nvp_cmd cmd = nvp_build_read(1, 0, (uint16_t)(bytes / 512 - 1), 512);

	cmd.data = buf;
	return cmd;
}

/* --- the controller's life ---------------------------------------------------------------- */

static void enable_writes_the_admin_queue_before_cc(void)
{
	WITH_MOCK(m);
	uint64_t order[4] = { NVP_REG_AQA, NVP_REG_ASQ, NVP_REG_ACQ, NVP_REG_CC };
	unsigned at = 0;

	OPEN(m);
	for (unsigned i = 0; i < m->nr_log && at < 4; i++) {
		if (!m->log[i].write)
			continue;
		CU_ASSERT_EQUAL(m->log[i].offset, order[at]);
		at++;
	}
	CU_ASSERT_EQUAL(at, 4);
	CU_ASSERT_EQUAL(m->cc, 1u | 6u << 16 | 4u << 20);
	CU_ASSERT_EQUAL(m->aqa, 63u << 16 | 63u);
	CU_ASSERT_EQUAL(m->asq & 4095, 0);
	CU_ASSERT_EQUAL(m->acq & 4095, 0);
	CU_ASSERT_NOT_EQUAL(m->asq, m->acq);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	CU_ASSERT_EQUAL(nvp_drive_facts(m->drive)->nr_io_sq, 4);
	CU_ASSERT_EQUAL(nvp_drive_facts(m->drive)->nr_io_cq, 4);
	CU_ASSERT_FALSE(nvp_drive_facts(m->drive)->has_ctrl_nvm);
	CU_ASSERT_STRING_EQUAL(nvp_drive_facts(m->drive)->ctrl.sn, "MOCK");
	DONE(m);
}

static void enabled_controller_is_disabled_first(void)
{
	WITH_MOCK(m);

	m->cc = 0x460001;
	m->csts = 1;
	OPEN(m);
	for (unsigned i = 0; i < m->nr_log; i++) {
		if (!m->log[i].write)
			continue;
		CU_ASSERT_EQUAL(m->log[i].offset, NVP_REG_CC);
		CU_ASSERT_EQUAL(m->log[i].value, 0x460000);
		break;
	}
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	DONE(m);
}

static void close_shuts_down_and_disables(void)
{
	WITH_MOCK(m);

	OPEN(m);
	mock_bar_close(m);
	CU_ASSERT_EQUAL(m->cc & 1, 0);
	CU_ASSERT_EQUAL(m->cc >> 14 & 3, 1);
	free(m);
}

static void drive_that_is_never_ready_opens_and_says_so(void)
{
	WITH_MOCK(m);
	struct nvp_enable enable;
	uint64_t ready_ns = 0;

	m->never_ready = true;
	OPEN(m);
	CU_ASSERT_FALSE(nvp_at_baseline(m->drive));
	CU_ASSERT_EQUAL(nvp_drive_err(m->drive)->code, -ETIMEDOUT);
	CU_ASSERT_EQUAL(nvp_ctrl_disable(m->drive, NULL), 0);
	nvp_enable_defaults(m->drive, &enable);
	CU_ASSERT_EQUAL(nvp_ctrl_enable(m->drive, &enable, &ready_ns), -ETIMEDOUT);
	/* CAP.TO is 1 s: waited for longer than that, and not for ever. */
	CU_ASSERT_TRUE(ready_ns >= NVP_NS_PER_S && ready_ns <= 4 * NVP_NS_PER_S);
	DONE(m);
}

static void drive_that_refuses_its_queue_opens_and_says_so(void)
{
	WITH_MOCK(m);

	m->fail_opcode = NVP_ADMIN_CREATE_CQ;
	OPEN(m);
	CU_ASSERT_FALSE(nvp_at_baseline(m->drive));
	CU_ASSERT_EQUAL(nvp_drive_err(m->drive)->code, -EPROTO);
	m->fail_opcode = 0;
	CU_ASSERT_EQUAL(nvp_baseline(m->drive), 0);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	DONE(m);
}

static void gone_drive_does_not_open(void)
{
	WITH_MOCK(m);
	struct nvp_err err = { 0 };

	m->gone = true;
	m->prepared = nvp_prepared_of(&mock_drive_ops, m, "mock:", "MOCK");
	m->drive = nvp_drive_open(m->prepared, NULL, 1, &err);
	CU_ASSERT_PTR_NULL(m->drive);
	CU_ASSERT_EQUAL(err.code, -ENODEV);
	DONE(m);
}

static void enable_takes_its_options(void)
{
	WITH_MOCK(m);
	struct nvp_enable enable;
	struct nvp_cmd cmd = nvp_build_get_features(1, 0, 0, 0);
	struct nvp_cpl cpl;

	OPEN(m);
	CU_ASSERT_EQUAL(nvp_ctrl_disable(m->drive, NULL), 0);
	nvp_enable_defaults(m->drive, &enable);
	enable.asq_entries = 2;
	enable.acq_entries = 3;
	enable.mps = 1;
	enable.ams = 7;
	CU_ASSERT_EQUAL(nvp_ctrl_enable(m->drive, &enable, NULL), 0);
	CU_ASSERT_EQUAL(m->aqa, 2u << 16 | 1u);
	CU_ASSERT_EQUAL(m->cc, 1u | 1u << 7 | 7u << 11 | 6u << 16 | 4u << 20);
	CU_ASSERT_EQUAL(nvp_drive_facts(m->drive)->page_bytes, 8192);
	/* Round both rings several times: 2 and 3 entries have no common pass. */
	for (unsigned i = 0; i < 20; i++) {
		CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
		CU_ASSERT_TRUE(nvp_cpl_ok(&cpl));
	}
	CU_ASSERT_FALSE(nvp_at_baseline(m->drive));
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	DONE(m);
}

static void enable_can_keep_the_admin_registers(void)
{
	WITH_MOCK(m);
	struct nvp_enable enable;
	struct nvp_cmd cmd = nvp_build_get_features(1, 0, 0, 0);
	struct nvp_cpl cpl;
	uint64_t asq, acq;

	OPEN(m);
	asq = m->asq;
	acq = m->acq;
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(nvp_ctrl_disable(m->drive, NULL), 0);
	nvp_enable_defaults(m->drive, &enable);
	enable.keep_admin_registers = true;
	m->nr_log = 0;
	CU_ASSERT_EQUAL(nvp_ctrl_enable(m->drive, &enable, NULL), 0);
	CU_ASSERT_EQUAL(mock_bar_writes(m, NVP_REG_AQA, NULL), 0);
	CU_ASSERT_EQUAL(mock_bar_writes(m, NVP_REG_ASQ, NULL), 0);
	CU_ASSERT_EQUAL(m->asq, asq);
	CU_ASSERT_EQUAL(m->acq, acq);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
	CU_ASSERT_TRUE(nvp_cpl_ok(&cpl));
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	DONE(m);
}

static void reset_by_hand_is_seen(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	uint32_t csts;
	uint16_t cid;

	OPEN(m);
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, &cid), 0);
	CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(m->drive)), 0);
	CU_ASSERT_EQUAL(nvp_reg_write32(m->drive, NVP_REG_CC, m->cc & ~1u), 0);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(m->drive), 1);
	CU_ASSERT_EQUAL(nvp_reg_read32(m->drive, NVP_REG_CSTS, &csts), 0);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(m->drive), 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(m->drive), cid, &cpl), -ECANCELED);
	CU_ASSERT_EQUAL(nvp_exec_io(m->drive, &cmd, &cpl), -EINVAL);
	CU_ASSERT_FALSE(nvp_at_baseline(m->drive));
	/* And the enable by hand: same admin memory, from slot 0 on. */
	CU_ASSERT_EQUAL(nvp_reg_write32(m->drive, NVP_REG_CC, m->cc | 1u), 0);
	cmd = nvp_build_get_features(1, 0, 0, 0);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(nvp_baseline(m->drive), 0);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	CU_ASSERT_EQUAL(m->nr_broken, 0);
	DONE(m);
}

static void function_reset_ends_at_the_baseline(void)
{
	WITH_MOCK(m);
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	uint16_t cid;

	OPEN(m);
	CU_ASSERT_EQUAL(nvp_resets(m->drive),
			1u << NVP_RESET_FUNCTION | 1u << NVP_RESET_CONTROLLER);
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, &cid), 0);
	CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(m->drive)), 0);
	CU_ASSERT_EQUAL(nvp_reset(m->drive, NVP_RESET_FUNCTION), 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(m->drive), cid, &cpl), -ECANCELED);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(m->drive), cid, &cpl), -EINVAL);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	/* One that nobody asks for is forgotten with the case. */
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, &cid), 0);
	CU_ASSERT_EQUAL(nvp_reset(m->drive, NVP_RESET_FUNCTION), 0);
	nvp_drive_free_case_memory(m->drive);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(m->drive), cid, &cpl), -EINVAL);
	CU_ASSERT_EQUAL(nvp_reset(m->drive, NVP_RESET_HOT), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_reset(m->drive, NVP_RESET_SUBSYSTEM), -EOPNOTSUPP);
	DONE(m);
}

static void subsystem_reset_writes_nssr(void)
{
	WITH_MOCK(m);
	struct nvp_trace_record record;
	uint64_t value = 0, begin;
	bool recorded = false;

	m->cap |= 1ull << 36;
	OPEN(m);
	CU_ASSERT_TRUE(nvp_resets(m->drive) & 1u << NVP_RESET_SUBSYSTEM);
	begin = nvp_trace_last_tick(m->trace);
	CU_ASSERT_EQUAL(nvp_reset(m->drive, NVP_RESET_SUBSYSTEM), 0);
	CU_ASSERT_EQUAL(mock_bar_writes(m, NVP_REG_NSSR, &value), 1);
	CU_ASSERT_EQUAL(value, 0x4e564d65);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	for (uint64_t tick = begin + 1; tick <= nvp_trace_last_tick(m->trace); tick++)
		if (nvp_trace_get(m->trace, tick, &record) && record.kind == NVP_TRACE_RESET)
			recorded = record.a == NVP_RESET_SUBSYSTEM;
	CU_ASSERT_TRUE(recorded);
	DONE(m);
}

static void newer_drive_is_asked_for_its_command_set(void)
{
	WITH_MOCK(m);

	m->vs = NVP_VERSION(2, 0, 0);
	OPEN(m);
	CU_ASSERT_TRUE(nvp_drive_facts(m->drive)->has_ctrl_nvm);
	CU_ASSERT_EQUAL(nvp_drive_facts(m->drive)->ctrl_nvm.vsl, 5);
	DONE(m);
}

static void facts_survive_a_drive_that_lies(void)
{
	WITH_MOCK(m);
	static const uint32_t nsids[] = { 7, 3, 3, NVP_NSID_ALL, 5 };
	const struct nvp_facts *facts;

	memcpy(m->nsids, nsids, sizeof(nsids));
	OPEN(m);
	facts = nvp_drive_facts(m->drive);
	CU_ASSERT_EQUAL_FATAL(facts->nr_ns, 3);
	CU_ASSERT_EQUAL(facts->ns[0].nsid, 3);
	CU_ASSERT_EQUAL(facts->ns[1].nsid, 5);
	CU_ASSERT_EQUAL(facts->ns[2].nsid, 7);
	/* A full list that says the same whatever it is asked for must end all the same. */
	for (unsigned i = 0; i < 1024; i++)
		m->nsids[i] = i + 1;
	CU_ASSERT_EQUAL(nvp_baseline(m->drive), 0);
	CU_ASSERT_EQUAL(facts->nr_ns, 1024);
	m->fail_opcode = NVP_ADMIN_IDENTIFY;
	CU_ASSERT_EQUAL(nvp_baseline(m->drive), 0);
	CU_ASSERT_EQUAL(facts->nr_ns, 0);
	DONE(m);
}

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
	{ "enable_writes_the_admin_queue_before_cc", enable_writes_the_admin_queue_before_cc },
	{ "enabled_controller_is_disabled_first", enabled_controller_is_disabled_first },
	{ "close_shuts_down_and_disables", close_shuts_down_and_disables },
	{ "drive_that_is_never_ready_opens_and_says_so",
	  drive_that_is_never_ready_opens_and_says_so },
	{ "drive_that_refuses_its_queue_opens_and_says_so",
	  drive_that_refuses_its_queue_opens_and_says_so },
	{ "gone_drive_does_not_open", gone_drive_does_not_open },
	{ "enable_takes_its_options", enable_takes_its_options },
	{ "enable_can_keep_the_admin_registers", enable_can_keep_the_admin_registers },
	{ "reset_by_hand_is_seen", reset_by_hand_is_seen },
	{ "function_reset_ends_at_the_baseline", function_reset_ends_at_the_baseline },
	{ "subsystem_reset_writes_nssr", subsystem_reset_writes_nssr },
	{ "newer_drive_is_asked_for_its_command_set", newer_drive_is_asked_for_its_command_set },
	{ "facts_survive_a_drive_that_lies", facts_survive_a_drive_that_lies },
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
	{ "queue_made_by_hand_is_known", queue_made_by_hand_is_known },
	{ "failed_create_changes_nothing", failed_create_changes_nothing },
	{ "live_queue_memory_stays_until_delete", live_queue_memory_stays_until_delete },
	{ "delete_gives_up_what_is_outstanding", delete_gives_up_what_is_outstanding },
	{ "prps_reach_every_byte", prps_reach_every_byte },
	{ "buffer_in_flight_stays_mapped", buffer_in_flight_stays_mapped },
	{ "data_must_fit_its_buffer", data_must_fit_its_buffer },
	{ "patterns_are_found_again", patterns_are_found_again },
	{ "vector_taken_while_waiting_is_remembered", vector_taken_while_waiting_is_remembered },
	CU_TEST_INFO_NULL,
};
