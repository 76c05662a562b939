// SPDX-License-Identifier: GPL-2.0-or-later
// The door on a scripted function: how the controller comes, goes, and is brought back.

#include <nvproof/build.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/prepare.h"
#include "tests/unit/mock_bar.h"
#include "tests/unit/unit.h"

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

/* How a drive came back is told once in a case, and again when it changes. */
static void way_back_is_told(void)
{
	WITH_MOCK(m);
	static const char *const ways[] = { NULL, "file kept", "file kept", "opened anew", NULL };
	static const unsigned notes[] = { 0, 1, 1, 2, 2 };

	OPEN(m);
	for (unsigned i = 0; i < NVP_ARRAY_SIZE(ways); i++) {
		m->came_back = ways[i];
		CU_ASSERT_EQUAL(nvp_drive_reattach(m->drive, NVP_NS_PER_S), 0);
		CU_ASSERT_EQUAL(m->notes, notes[i]);
	}
	CU_ASSERT_STRING_EQUAL(m->note, "the drive came back: opened anew");
	m->came_back = ways[3];
	nvp_drive_set_case(m->drive, 2);
	CU_ASSERT_EQUAL(nvp_drive_reattach(m->drive, NVP_NS_PER_S), 0);
	CU_ASSERT_EQUAL(m->notes, 3);
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

/* A zoned namespace takes writes by other rules: never the one under test, and still looked at. */
static void namespaces_of_other_command_sets_come_last(void)
{
	WITH_MOCK(m);
	static const uint32_t nsids[] = { 1, 3, 5, 7 };
	const struct nvp_facts *facts;

	memcpy(m->nsids, nsids, sizeof(nsids));
	m->csi[1] = m->csi[5] = 2;
	OPEN(m);
	facts = nvp_drive_facts(m->drive);
	CU_ASSERT_EQUAL(facts->nr_ns, 4); /* CAP.CSS bit 6 is 0: there are no others */
	m->cap |= 1ull << 43;
	mock_bar_close(m);
	mock_bar_open(m);
	facts = nvp_drive_facts(m->drive);
	CU_ASSERT_EQUAL(facts->nr_ns, 2);
	CU_ASSERT_EQUAL_FATAL(facts->nr_all_ns, 4);
	CU_ASSERT_EQUAL(facts->ns[0].nsid, 3);
	CU_ASSERT_EQUAL(facts->ns[1].nsid, 7);
	CU_ASSERT_EQUAL(facts->ns[2].nsid, 1);
	CU_ASSERT_EQUAL(facts->ns[3].nsid, 5);
	DONE(m);
}

/* Not PRP 0: the drive would be told to write there. */
static void data_command_without_a_buffer_is_refused(void)
{
	WITH_MOCK(m);
	struct nvp_cmd admin = nvp_build_identify(1, 0, 0, 0, 0);
	struct nvp_cmd read = nvp_build_read(1, 0, 7, 512);
	char text[200];
	struct nvp_cpl cpl;

	OPEN(m);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &admin, &cpl), -EINVAL);
	nvp_err_text(nvp_drive_err(m->drive), text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "Identify moves 4096 bytes: the command has no buffer"));
	CU_ASSERT_EQUAL(nvp_exec_io(m->drive, &read, &cpl), -EINVAL);
	admin = nvp_build_get_features(1, 0, 0, 0);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &admin, &cpl), 0);
	DONE(m);
}

CU_TestInfo nvp_unit_drive_life[] = {
	{ "data_command_without_a_buffer_is_refused", data_command_without_a_buffer_is_refused },
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
	{ "way_back_is_told", way_back_is_told },
	{ "subsystem_reset_writes_nssr", subsystem_reset_writes_nssr },
	{ "newer_drive_is_asked_for_its_command_set", newer_drive_is_asked_for_its_command_set },
	{ "facts_survive_a_drive_that_lies", facts_survive_a_drive_that_lies },
	{ "namespaces_of_other_command_sets_come_last",
	  namespaces_of_other_command_sets_come_last },
	CU_TEST_INFO_NULL,
};
