// SPDX-License-Identifier: GPL-2.0-or-later
// What the guard lets through: impacts by the bytes alone, refusal at the point of issue.

#include <nvproof/build.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/wrap.h"
#include "tests/unit/mock_bar.h"
#include "tests/unit/unit.h"

#define STATE NVP_IMPACT_STATE
#define DATA NVP_IMPACT_DATA
#define ERASE NVP_IMPACT_ERASE
#define RESET NVP_IMPACT_RESET
#define FIRMWARE NVP_IMPACT_FIRMWARE
#define PERMANENT NVP_IMPACT_PERMANENT

static struct nvp_sqe entry(uint8_t opcode, uint32_t dw10, uint32_t dw11)
{
	struct nvp_sqe sqe = { { opcode } };

	nvp_sqe_set_dw(&sqe, 10, dw10);
	nvp_sqe_set_dw(&sqe, 11, dw11);
	return sqe;
}

static void admin_commands_have_their_impact(void)
{
	static const struct { uint8_t opcode; uint32_t dw10, dw11, impact; } rows[] = {
		{ 0x06, 1, 0, 0 },			/* Identify */
		{ 0x02, 0x02, 0, 0 },			/* SMART */
		{ 0x02, 0x07, 0, 0 },			/* telemetry, the old capture */
		{ 0x02, 0x07 | 1 << 8, 0, STATE },	/* a new one */
		{ 0x02, 0x0d | 1 << 8, 0, STATE },	/* establish a context */
		{ 0x0a, 0, 0, 0 }, { 0x0c, 0, 0, 0 }, { 0x08, 0, 0, 0 },
		{ 0x09, 0x06, 1, STATE },
		{ 0x09, 0x84, 1, STATE },		/* write protect, may be lifted */
		{ 0x09, 0x84, 2, STATE | PERMANENT },
		{ 0x09, 0x84, 3, STATE | PERMANENT },
		{ 0x09, 0x85, 3 << 3, STATE | PERMANENT },
		{ 0x09, 0xbf, 0, STATE },
		{ 0x09, 0xc0, 0, STATE | ERASE | FIRMWARE },
		{ 0x00, 0, 0, STATE }, { 0x01, 0, 0, STATE },
		{ 0x04, 0, 0, STATE }, { 0x05, 0, 0, STATE },
		{ 0x0d, 0, 0, ERASE }, { 0x80, 0, 0, ERASE }, { 0x84, 0, 0, ERASE },
		{ 0x10, 0, 0, FIRMWARE }, { 0x11, 0, 0, FIRMWARE },
		{ 0x81, 0, 0, ERASE | FIRMWARE }, { 0x82, 0, 0, 0 },
		{ 0x24, 0, 0, PERMANENT },
		{ 0x3f, 0, 0, ERASE | FIRMWARE }, { 0xc0, 0, 0, ERASE | FIRMWARE },
		{ 0xff, 0, 0, ERASE | FIRMWARE },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		struct nvp_sqe sqe = entry(rows[i].opcode, rows[i].dw10, rows[i].dw11);

		CU_ASSERT_EQUAL(nvp_impact_admin(&sqe), rows[i].impact);
	}
}

static void io_commands_have_their_impact(void)
{
	static const uint8_t reads[] = { 0x00, 0x02, 0x05, 0x0c, 0x0e, 0x12, 0x7a };
	static const uint8_t writes[] = { 0x01, 0x04, 0x08, 0x09, 0x19, 0x79, 0x7d };

	for (unsigned opcode = 0; opcode < 256; opcode++) {
		struct nvp_sqe sqe = entry((uint8_t)opcode, 0, 0);
		uint32_t impact = nvp_impact_io(&sqe);
		bool read = memchr(reads, (int)opcode, sizeof(reads)) || opcode == 0x18;
		bool write = memchr(writes, (int)opcode, sizeof(writes)) || opcode == 0x1d;
		bool reservation = opcode == 0x0d || opcode == 0x11 || opcode == 0x15;
		uint32_t expected = read ? 0 : write ? DATA : reservation ? STATE
								          : ERASE | FIRMWARE;

		CU_ASSERT_EQUAL(impact, expected);
	}
}

static void register_writes_have_their_impact(void)
{
	CU_ASSERT_EQUAL(nvp_impact_register(NVP_REG_INTMS, 4), STATE);
	CU_ASSERT_EQUAL(nvp_impact_register(NVP_REG_CC, 4), RESET);
	CU_ASSERT_EQUAL(nvp_impact_register(NVP_REG_NSSR, 4), RESET);
	CU_ASSERT_EQUAL(nvp_impact_register(NVP_REG_AQA, 4), RESET);
	CU_ASSERT_EQUAL(nvp_impact_register(0x64, 4), RESET);			/* NSSD */
	CU_ASSERT_EQUAL(nvp_impact_register(NVP_REG_DOORBELLS, 4), STATE);
	/* A wide or unaligned write reaches its neighbours. */
	CU_ASSERT_EQUAL(nvp_impact_register(NVP_REG_INTMC, 8), STATE | RESET);
	CU_ASSERT_EQUAL(nvp_impact_register(NVP_REG_INTMC + 1, 4), STATE | RESET);
	CU_ASSERT_EQUAL(nvp_impact_register(0x200, 4), ERASE | FIRMWARE | RESET);
	CU_ASSERT_EQUAL(nvp_impact_register(UINT64_MAX - 1, 4) & RESET, RESET);
	CU_ASSERT_EQUAL(nvp_impact_config(0x10, 4), RESET);
}

static void words_name_every_impact(void)
{
	char text[80];

	CU_ASSERT_STRING_EQUAL(nvp_impact_words(0, text, sizeof(text)), "read");
	CU_ASSERT_STRING_EQUAL(nvp_impact_words(ERASE | FIRMWARE, text, sizeof(text)),
			       "erase,firmware");
	CU_ASSERT_STRING_EQUAL(nvp_impact_words(NVP_IMPACT_ALL | PERMANENT, text, sizeof(text)),
			       "state,data,erase,reset,power,firmware,permanent");
}

/* --- at the door -------------------------------------------------------------------------- */

static struct mock_bar *guarded(uint32_t impacts)
{
	struct mock_bar *m = malloc(sizeof(*m));

	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	mock_bar_set_up(m);
	CU_ASSERT_TRUE_FATAL(mock_bar_open(m));
	nvp_drive_permit(m->drive, impacts);
	return m;
}

static void done(struct mock_bar *m)
{
	mock_bar_close(m);
	free(m);
}

static unsigned refusals(const struct mock_bar *m)
{
	struct nvp_trace_record record;
	unsigned nr = 0;

	for (uint64_t tick = 1; tick <= nvp_trace_last_tick(m->trace); tick++)
		if (nvp_trace_get(m->trace, tick, &record) && record.kind == NVP_TRACE_REFUSED)
			nr += record.result == -EPERM;
	return nr;
}

static void refused_command_never_reaches_the_ring(void)
{
	struct mock_bar *m = guarded(NVP_IMPACT_READ);
	struct nvp_sq *sq = nvp_io_sq(m->drive);
	struct nvp_buf *buf = nvp_buf_new(m->drive, 512);
	struct nvp_cmd cmd = nvp_build_write(1, 0, 0, 512);
	const uint8_t *ring = mock_bar_memory(m, nvp_sq_iova(sq), 64);
	struct nvp_cpl cpl;
	char text[400];

	cmd.data = buf;
	CU_ASSERT_EQUAL(nvp_exec_io(m->drive, &cmd, &cpl), -EPERM);
	CU_ASSERT_EQUAL(nvp_drive_err(m->drive)->kind, NVP_ERR_DENIED);
	nvp_err_text(nvp_drive_err(m->drive), text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "Write needs --allow data");
	CU_ASSERT_TRUE(nvp_all_zero(ring, 64));
	CU_ASSERT_EQUAL(nvp_drive_outstanding(m->drive), 0);
	CU_ASSERT_EQUAL(refusals(m), 1);
	CU_ASSERT_EQUAL(nvp_post_raw(sq, &cmd.sqe), -EPERM);
	CU_ASSERT_EQUAL(refusals(m), 2);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	/* The same entry, allowed. */
	nvp_drive_permit(m->drive, DATA);
	CU_ASSERT_EQUAL(nvp_submit(sq, &cmd, NULL), 0);
	CU_ASSERT_EQUAL(ring[0], 1);
	done(m);
}

static void unknown_opcode_needs_erase_and_firmware(void)
{
	struct mock_bar *m = guarded(NVP_IMPACT_ALL & ~FIRMWARE);
	struct nvp_cmd cmd = nvp_build_raw(0xc1, 0);
	struct nvp_cpl cpl;

	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), -EPERM);
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(m->drive), &cmd, NULL), -EPERM);
	nvp_drive_permit(m->drive, ERASE | FIRMWARE);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
	done(m);
}

static void permanent_is_not_part_of_all(void)
{
	struct mock_bar *m = guarded(NVP_IMPACT_ALL);
	struct nvp_cmd cmd = nvp_build_set_features(0x84, 1, false, 3);
	struct nvp_cpl cpl;

	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), -EPERM);
	cmd = nvp_build_raw(NVP_ADMIN_LOCKDOWN, 0);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), -EPERM);
	cmd = nvp_build_set_features(0x06, 0, false, 1);
	CU_ASSERT_EQUAL(nvp_exec_admin(m->drive, &cmd, &cpl), 0);
	done(m);
}

static void register_and_config_writes_are_refused(void)
{
	struct mock_bar *m = guarded(STATE | DATA);
	uint32_t value;

	m->argument = 0;
	CU_ASSERT_EQUAL(nvp_reg_write32(m->drive, NVP_REG_CC, 0), -EPERM);
	CU_ASSERT_EQUAL(nvp_reg_write64(m->drive, NVP_REG_INTMC, 0), -EPERM);
	CU_ASSERT_EQUAL(nvp_reg_write32(m->drive, NVP_REG_NSSR, 0x4e564d65), -EPERM);
	CU_ASSERT_EQUAL(nvp_config_write(m->drive, 4, 2, 0), -EPERM);
	CU_ASSERT_EQUAL(nvp_reset(m->drive, NVP_RESET_FUNCTION), -EPERM);
	CU_ASSERT_EQUAL(nvp_ctrl_disable(m->drive, NULL), -EPERM);
	CU_ASSERT_EQUAL(nvp_ctrl_shutdown(m->drive, false, NULL), -EPERM);
	CU_ASSERT_EQUAL(m->cc & 1, 1);
	CU_ASSERT_EQUAL(m->argument, 0);
	CU_ASSERT_EQUAL(refusals(m), 7);
	CU_ASSERT_EQUAL(nvp_reg_read32(m->drive, NVP_REG_CC, &value), 0);
	CU_ASSERT_EQUAL(nvp_config_read(m->drive, 4, 2, &value), 0);
	CU_ASSERT_EQUAL(value, 402);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	done(m);
}

static void baseline_needs_no_permission(void)
{
	struct mock_bar *m = guarded(STATE | DATA | RESET);

	CU_ASSERT_EQUAL(nvp_ctrl_disable(m->drive, NULL), 0);
	nvp_drive_permit(m->drive, NVP_IMPACT_READ);
	CU_ASSERT_EQUAL(nvp_baseline(m->drive), 0);
	CU_ASSERT_TRUE(nvp_at_baseline(m->drive));
	CU_ASSERT_EQUAL(refusals(m), 0);
	done(m);
}

/* A ring that is named as one kind of queue and used as the other needs what both would need. */
static void ring_of_two_meanings_needs_both(void)
{
	struct mock_bar *m = guarded(NVP_IMPACT_READ);
	struct nvp_cq *cq = nvp_cq_new(m->drive, 0, 4, -1);
	struct nvp_sq *sq = nvp_sq_new(m->drive, 0, 4, cq);
	struct nvp_sqe sqe = entry(NVP_ADMIN_IDENTIFY, 1, 0);

	/* Identify as an I/O opcode is unknown. */
	CU_ASSERT_EQUAL(nvp_post_raw(sq, &sqe), -EPERM);
	nvp_drive_permit(m->drive, RESET);
	CU_ASSERT_EQUAL(nvp_reg_write32(m->drive, NVP_REG_ASQ, (uint32_t)nvp_sq_iova(sq)), 0);
	CU_ASSERT_EQUAL(nvp_reg_write32(m->drive, NVP_REG_ASQ + 4,
					(uint32_t)(nvp_sq_iova(sq) >> 32)), 0);
	CU_ASSERT_EQUAL(nvp_post_raw(sq, &sqe), 0);
	nvp_drive_permit(m->drive, RESET | ERASE);
	CU_ASSERT_EQUAL(nvp_reg_write64(m->drive, NVP_REG_ASQ,
					nvp_sq_iova(nvp_io_sq(m->drive))), 0);
	sqe = entry(NVP_IO_READ, 0, 0);
	CU_ASSERT_EQUAL(nvp_post_raw(nvp_io_sq(m->drive), &sqe), 0);
	sqe = entry(NVP_ADMIN_FIRMWARE_COMMIT, 0, 0);
	CU_ASSERT_EQUAL(nvp_post_raw(nvp_io_sq(m->drive), &sqe), -EPERM);
	/* 0Dh reserves as I/O command and deletes namespaces as admin command. */
	nvp_drive_permit(m->drive, STATE);
	sqe = entry(0x0d, 0, 0);
	CU_ASSERT_EQUAL(nvp_post_raw(nvp_io_sq(m->drive), &sqe), -EPERM);
	nvp_drive_permit(m->drive, STATE | ERASE);
	CU_ASSERT_EQUAL(nvp_post_raw(nvp_io_sq(m->drive), &sqe), 0);
	done(m);
}

CU_TestInfo nvp_unit_drive_guard[] = {
	{ "admin_commands_have_their_impact", admin_commands_have_their_impact },
	{ "io_commands_have_their_impact", io_commands_have_their_impact },
	{ "register_writes_have_their_impact", register_writes_have_their_impact },
	{ "words_name_every_impact", words_name_every_impact },
	{ "refused_command_never_reaches_the_ring", refused_command_never_reaches_the_ring },
	{ "unknown_opcode_needs_erase_and_firmware", unknown_opcode_needs_erase_and_firmware },
	{ "permanent_is_not_part_of_all", permanent_is_not_part_of_all },
	{ "register_and_config_writes_are_refused", register_and_config_writes_are_refused },
	{ "baseline_needs_no_permission", baseline_needs_no_permission },
	{ "ring_of_two_meanings_needs_both", ring_of_two_meanings_needs_both },
	CU_TEST_INFO_NULL,
};
