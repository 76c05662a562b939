// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the builders and decoders for contents, firmware, namespaces and Copy, byte by byte.

#include <errno.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "tests/unit/unit.h"

static void check_dwords(const struct nvp_cmd *cmd, uint8_t opcode, uint32_t nsid, uint32_t dw10,
			 uint32_t dw11, uint32_t dw12, size_t data_bytes)
{
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd->sqe, 0), opcode);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd->sqe, 1), nsid);
	for (unsigned n = 2; n < 10; n++)
		CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd->sqe, n), 0);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd->sqe, 10), dw10);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd->sqe, 11), dw11);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd->sqe, 12), dw12);
	for (unsigned n = 13; n < 16; n++)
		CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd->sqe, n), 0);
	CU_ASSERT_EQUAL(cmd->data_bytes, data_bytes);
	CU_ASSERT_EQUAL(cmd->dir, data_bytes ? NVP_DIR_TO_DRIVE : NVP_DIR_NONE);
}

static void contents(void)
{
	struct nvp_cmd cmd = nvp_build_format(1, 0x25, true, 3, true, 2);

	check_dwords(&cmd, 0x80, 1, 0x2575, 0, 0, 0);
	CU_ASSERT_EQUAL(cmd.time_class, NVP_TIME_FORMAT);
	cmd = nvp_build_sanitize(3, true, 2, true, true, 0xdeadbeef);
	check_dwords(&cmd, 0x84, 0, 0x32b, 0xdeadbeef, 0, 0);
	cmd = nvp_build_self_test(0xffffffff, 0xf);
	check_dwords(&cmd, 0x14, 0xffffffff, 0xf, 0, 0, 0);
}

static void firmware_and_namespaces(void)
{
	struct nvp_cmd cmd = nvp_build_firmware_download(4096, 8192);

	check_dwords(&cmd, 0x11, 0, 1023, 2048, 0, 4096);
	cmd = nvp_build_firmware_commit(3, 2, true);
	check_dwords(&cmd, 0x10, 0, 0x8000001a, 0, 0, 0);
	cmd = nvp_build_ns_create(2);
	check_dwords(&cmd, 0x0d, 0, 0, 0x02000000, 0, 4096);
	cmd = nvp_build_ns_delete(7);
	check_dwords(&cmd, 0x0d, 7, 1, 0, 0, 0);
	cmd = nvp_build_ns_attachment(7, false);
	check_dwords(&cmd, 0x15, 7, 0, 0, 0, 4096);
	cmd = nvp_build_ns_attachment(7, true);
	check_dwords(&cmd, 0x15, 7, 1, 0, 0, 4096);
}

static void copy(void)
{
	struct nvp_cmd cmd = nvp_build_copy(1, 0x0000000887654321, 2, 0);
	uint8_t range[32], want[32] = { 0 };

	check_dwords(&cmd, 0x19, 1, 0x87654321, 8, 2, 96);
	cmd = nvp_build_copy(1, 0, 0, 1);
	check_dwords(&cmd, 0x19, 1, 0, 0, 0x100, 40);
	memset(range, 0xee, sizeof(range));
	nvp_build_copy_range(range, 0x1122334455667788, 0xabcd);
	memcpy(want + 8, "\x88\x77\x66\x55\x44\x33\x22\x11\xcd\xab", 10);
	CU_ASSERT_EQUAL(memcmp(range, want, sizeof(want)), 0);
}

static void protection_fields(void)
{
	struct nvp_cmd cmd = nvp_build_read(1, 0, 0, 512);

	nvp_cmd_set_prinfo(&cmd, NVP_PRACT | NVP_PRCHK_GUARD);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd.sqe, 12), 12u << 26);
	nvp_cmd_set_prinfo(&cmd, NVP_PRCHK_REF);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd.sqe, 12), 1u << 26);
	nvp_cmd_set_tags(&cmd, 0x01020304, 0x5566, 0xffff);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd.sqe, 14), 0x01020304);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd.sqe, 15), 0xffff5566);
	nvp_cmd_set_mptr(&cmd, 0x1122334455667788);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd.sqe, 4), 0x55667788);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd.sqe, 5), 0x11223344);
}

static void self_test_log(void)
{
	uint8_t log[564] = { 0x02, 0xb2 };
	struct nvp_self_test_log out;

	log[4] = 0x27;
	log[5] = 3;
	log[6] = 0x0f;
	log[8] = 0x34, log[9] = 0x12;
	log[16] = 5;
	log[20] = 0x78;
	log[28] = 2, log[29] = 0x81;
	log[4 + 28 * 19] = 0x0f;
	CU_ASSERT_EQUAL(nvp_decode_self_test_log(log, sizeof(log), &out), 0);
	CU_ASSERT_EQUAL(out.current, 2);
	CU_ASSERT_EQUAL(out.percent_done, 0x32);
	CU_ASSERT_EQUAL(out.result[0].result, 7);
	CU_ASSERT_EQUAL(out.result[0].code, 2);
	CU_ASSERT_EQUAL(out.result[0].segment, 3);
	CU_ASSERT_EQUAL(out.result[0].valid, 0xf);
	CU_ASSERT_EQUAL(out.result[0].power_on_hours, 0x1234);
	CU_ASSERT_EQUAL(out.result[0].nsid, 5);
	CU_ASSERT_EQUAL(out.result[0].failing_lba, 0x78);
	CU_ASSERT_EQUAL(out.result[0].sct, 2);
	CU_ASSERT_EQUAL(out.result[0].sc, 0x81);
	CU_ASSERT_EQUAL(out.result[19].result, 0xf);
	CU_ASSERT_EQUAL(nvp_decode_self_test_log(log, sizeof(log) - 1, &out), -EMSGSIZE);
	CU_ASSERT_EQUAL(out.current, 0);
}

static void sanitize_log(void)
{
	uint8_t log[512] = { 0xff, 0x7f, 0x12, 0x01, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0,
			     4, 0, 0, 0, 5, 0, 0, 0, 0xff, 0xff, 0xff, 0xff };
	struct nvp_sanitize_log out;

	CU_ASSERT_EQUAL(nvp_decode_sanitize_log(log, sizeof(log), &out), 0);
	CU_ASSERT_EQUAL(out.progress, 0x7fff);
	CU_ASSERT_EQUAL(out.status, 2);
	CU_ASSERT_EQUAL(out.passes, 2);
	CU_ASSERT_TRUE(out.global_data_erased);
	CU_ASSERT_EQUAL(out.cdw10, 4);
	CU_ASSERT_EQUAL(out.overwrite_s, 1);
	CU_ASSERT_EQUAL(out.block_erase_s, 2);
	CU_ASSERT_EQUAL(out.crypto_erase_s, 3);
	CU_ASSERT_EQUAL(out.overwrite_nd_s, 4);
	CU_ASSERT_EQUAL(out.block_erase_nd_s, 5);
	CU_ASSERT_EQUAL(out.crypto_erase_nd_s, 0xffffffff);
	CU_ASSERT_EQUAL(nvp_decode_sanitize_log(log, 511, &out), -EMSGSIZE);
}

static void controller_list(void)
{
	static uint8_t list[4096] = { 3, 0, 1, 0, 2, 0, 0xff, 0x00 };
	struct nvp_controller_list out;

	CU_ASSERT_EQUAL(nvp_decode_controller_list(list, sizeof(list), &out), 0);
	CU_ASSERT_EQUAL(out.nr, 3);
	CU_ASSERT_EQUAL(out.id[2], 0xff);
	CU_ASSERT_TRUE(out.ascending);
	CU_ASSERT_FALSE(out.overrun);
	list[2] = 2;
	nvp_decode_controller_list(list, sizeof(list), &out);
	CU_ASSERT_FALSE(out.ascending);
	list[0] = list[1] = 0xff;
	nvp_decode_controller_list(list, sizeof(list), &out);
	CU_ASSERT_TRUE(out.overrun);
	CU_ASSERT_EQUAL(out.nr, 2047);
	CU_ASSERT_EQUAL(nvp_decode_controller_list(list, 4095, &out), -EMSGSIZE);
}

static void timestamp(void)
{
	const uint8_t bytes[8] = { 1, 2, 3, 4, 5, 6, 0x03, 0xff };
	struct nvp_timestamp out;

	CU_ASSERT_EQUAL(nvp_decode_timestamp(bytes, 8, &out), 0);
	CU_ASSERT_EQUAL(out.ms, 0x060504030201);
	CU_ASSERT_TRUE(out.stopped);
	CU_ASSERT_EQUAL(out.origin, 1);
	CU_ASSERT_EQUAL(nvp_decode_timestamp(bytes, 7, &out), -EMSGSIZE);
}

CU_TestInfo nvp_unit_manage[] = {
	{ "Format, Sanitize and self-test are built to the byte", contents },
	{ "firmware and namespace commands are built to the byte", firmware_and_namespaces },
	{ "Copy and its ranges are built to the byte", copy },
	{ "protection information fields go where they belong", protection_fields },
	{ "the self-test log is decoded", self_test_log },
	{ "the sanitize log is decoded", sanitize_log },
	{ "a controller list is decoded and bounded", controller_list },
	{ "the timestamp is decoded", timestamp },
	CU_TEST_INFO_NULL,
};
