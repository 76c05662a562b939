// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the builders: each command byte by byte. Bytes that a row does not name must be 0.

#include <stdio.h>
#include <string.h>

#include <nvproof/build.h>

#include "tests/unit/unit.h"

/* Bytes that differ from 0; ends with an offset of NVP_SQE_BYTES. */
struct byte_at {
	uint8_t offset, value;
};

#define END { NVP_SQE_BYTES, 0 }

static void check_bytes(const struct nvp_cmd *cmd, const struct byte_at *expected)
{
	uint8_t want[NVP_SQE_BYTES] = { 0 };

	for (; expected->offset < NVP_SQE_BYTES; expected++)
		want[expected->offset] = expected->value;
	for (unsigned i = 0; i < NVP_SQE_BYTES; i++) {
		if (cmd->sqe.bytes[i] != want[i]) {
			printf("\n    byte %u is %02x, expected %02x\n", i, cmd->sqe.bytes[i], want[i]);
			CU_FAIL("wrong byte");
		}
	}
	CU_ASSERT_PTR_NULL(cmd->data);
	CU_ASSERT_EQUAL(cmd->data_offset, 0);
	CU_ASSERT_EQUAL(cmd->time_class, NVP_TIME_DEFAULT);
	CU_ASSERT_FALSE(cmd->raw_cid);
}

static void check(struct nvp_cmd cmd, enum nvp_dir dir, size_t data_bytes, bool raw_dptr,
		  const struct byte_at *expected)
{
	check_bytes(&cmd, expected);
	CU_ASSERT_EQUAL(cmd.dir, dir);
	CU_ASSERT_EQUAL(cmd.data_bytes, data_bytes);
	CU_ASSERT_EQUAL(cmd.raw_dptr, raw_dptr);
}

#define CHECK(cmd, dir, data_bytes, raw_dptr, ...)					\
	check(cmd, NVP_DIR_ ## dir, data_bytes, raw_dptr,				\
	      (const struct byte_at[]) { __VA_ARGS__, END })

static void raw_sets_opcode_and_nsid_only(void)
{
	CHECK(nvp_build_raw(0xc1, 0x11223344), NONE, 0, false,
	      { 0, 0xc1 }, { 4, 0x44 }, { 5, 0x33 }, { 6, 0x22 }, { 7, 0x11 });
}

/* Base 2.0, 5.17: CNS Dword 10 bits 7:0, CNTID 31:16; CSI Dword 11 bits 31:24. */
static void identify(void)
{
	CHECK(nvp_build_identify(0x1c, 0xfffffffe, 0xabcd, 0x02, 0x1234), FROM_DRIVE, 4096, false,
	      { 0, 0x06 }, { 4, 0xfe }, { 5, 0xff }, { 6, 0xff }, { 7, 0xff },
	      { 40, 0x1c }, { 42, 0xcd }, { 43, 0xab },
	      { 44, 0x34 }, { 45, 0x12 }, { 47, 0x02 });
}

/* Base 2.0, 5.16: LID 7:0, LSP 14:8, RAE 15, NUMDL 31:16; NUMDU Dword 11 15:0; LPOL, LPOU. */
static void get_log(void)
{
	CHECK(nvp_build_get_log(0x02, NVP_NSID_ALL, 512, 0, false, 0), FROM_DRIVE, 512, false,
	      { 0, 0x02 }, { 4, 0xff }, { 5, 0xff }, { 6, 0xff }, { 7, 0xff },
	      { 40, 0x02 }, { 42, 0x7f });
	CHECK(nvp_build_get_log(0x0d, 0, 0x01020304, UINT64_C(0x8877665544332210), true, 0x55),
	      FROM_DRIVE, 0x01020304, false,
	      { 0, 0x02 }, { 40, 0x0d }, { 41, 0xd5 },
	      { 42, 0xc0 }, { 43, 0x80 }, { 44, 0x40 },		/* 004080C0h dwords, 0-based */
	      { 48, 0x10 }, { 49, 0x22 }, { 50, 0x33 }, { 51, 0x44 },
	      { 52, 0x55 }, { 53, 0x66 }, { 54, 0x77 }, { 55, 0x88 });
	/* LSP is seven bits wide and must not reach RAE; no bytes wrap NUMD. */
	CHECK(nvp_build_get_log(0x01, 0, 0, 0, false, 0xff), FROM_DRIVE, 0, false,
	      { 0, 0x02 }, { 40, 0x01 }, { 41, 0x7f }, { 42, 0xff }, { 43, 0xff },
	      { 44, 0xff }, { 45, 0xff });
}

/* Base 2.0, 5.15: FID 7:0, SEL 10:8. */
static void get_features(void)
{
	CHECK(nvp_build_get_features(0x04, 0, 2, 0x00150000), NONE, 0, false,
	      { 0, 0x0a }, { 40, 0x04 }, { 41, 0x02 }, { 46, 0x15 });
	CHECK(nvp_build_get_features(0x03, 1, 0xff, 0), FROM_DRIVE, 4096, false,
	      { 0, 0x0a }, { 4, 1 }, { 40, 0x03 }, { 41, 0x07 });
	CHECK(nvp_build_get_features(0x0e, 0, 3, 0), NONE, 0, false,
	      { 0, 0x0a }, { 40, 0x0e }, { 41, 0x03 });
	CHECK(nvp_build_get_features(0x81, 0, 0, 1), FROM_DRIVE, 16, false,
	      { 0, 0x0a }, { 40, 0x81 }, { 44, 0x01 });
	CHECK(nvp_build_get_features(0x0d, 0, 0, 0), FROM_DRIVE, 4096, false,
	      { 0, 0x0a }, { 40, 0x0d });
}

/* Base 2.0, 5.27: FID 7:0, SV 31. */
static void set_features(void)
{
	CHECK(nvp_build_set_features(0x06, 0, false, 1), NONE, 0, false,
	      { 0, 0x09 }, { 40, 0x06 }, { 44, 0x01 });
	CHECK(nvp_build_set_features(0x07, 0, true, 0x00030002), NONE, 0, false,
	      { 0, 0x09 }, { 40, 0x07 }, { 43, 0x80 }, { 44, 0x02 }, { 46, 0x03 });
	CHECK(nvp_build_set_features(0x0e, 0, false, 0), TO_DRIVE, 8, false,
	      { 0, 0x09 }, { 40, 0x0e });
	CHECK(nvp_build_set_features(0x0d, 0, false, 1), NONE, 0, false,
	      { 0, 0x09 }, { 40, 0x0d }, { 44, 0x01 });
}

/*
 * Base 2.0, 5.4 and 5.5: QID 15:0, QSIZE 31:16; CQ: PC 0, IEN 1, IV 31:16; SQ: PC 0, QPRIO 2:1,
 * CQID 31:16.
 */
static void create_queues(void)
{
	CHECK(nvp_build_create_cq(0x0102, 0x03ff, UINT64_C(0x1122334455667000), true, true, 0x0708),
	      NONE, 0, true,
	      { 0, 0x05 }, { 25, 0x70 }, { 26, 0x66 }, { 27, 0x55 }, { 28, 0x44 }, { 29, 0x33 },
	      { 30, 0x22 }, { 31, 0x11 }, { 40, 0x02 }, { 41, 0x01 }, { 42, 0xff }, { 43, 0x03 },
	      { 44, 0x03 }, { 46, 0x08 }, { 47, 0x07 });
	CHECK(nvp_build_create_cq(1, 1, 0x1000, false, true, 0), NONE, 0, true,
	      { 0, 0x05 }, { 25, 0x10 }, { 40, 1 }, { 42, 1 }, { 44, 0x02 });
	CHECK(nvp_build_create_cq(1, 1, 0x1000, true, false, 0), NONE, 0, true,
	      { 0, 0x05 }, { 25, 0x10 }, { 40, 1 }, { 42, 1 }, { 44, 0x01 });
	CHECK(nvp_build_create_sq(2, 0x3f, 0x2000, true, 2, 0x0a0b), NONE, 0, true,
	      { 0, 0x01 }, { 25, 0x20 }, { 40, 2 }, { 42, 0x3f }, { 44, 0x05 }, { 46, 0x0b },
	      { 47, 0x0a });
	CHECK(nvp_build_create_sq(2, 0x3f, 0x2000, false, 0xff, 1), NONE, 0, true,
	      { 0, 0x01 }, { 25, 0x20 }, { 40, 2 }, { 42, 0x3f }, { 44, 0x06 }, { 46, 1 });
}

static void delete_queues(void)
{
	CHECK(nvp_build_delete_cq(0x1234), NONE, 0, false,
	      { 0, 0x04 }, { 40, 0x34 }, { 41, 0x12 });
	CHECK(nvp_build_delete_sq(0x1234), NONE, 0, false, { 40, 0x34 }, { 41, 0x12 });
}

/* Base 2.0, 5.1: SQID 15:0, CID 31:16. */
static void abort_and_event(void)
{
	CHECK(nvp_build_abort(0x0102, 0x0304), NONE, 0, false,
	      { 0, 0x08 }, { 40, 0x02 }, { 41, 0x01 }, { 42, 0x04 }, { 43, 0x03 });
	CHECK(nvp_build_async_event(), NONE, 0, false, { 0, 0x0c });
}

#define SLBA UINT64_C(0x0123456789abcdef)
#define SLBA_BYTES { 40, 0xef }, { 41, 0xcd }, { 42, 0xab }, { 43, 0x89 },		\
	{ 44, 0x67 }, { 45, 0x45 }, { 46, 0x23 }, { 47, 0x01 }

/* NVM Command Set 1.0, 3.2: SLBA Dwords 10 and 11, NLB Dword 12 bits 15:0. */
static void transfers(void)
{
	CHECK(nvp_build_read(7, SLBA, 7, 512), FROM_DRIVE, 4096, false,
	      { 0, 0x02 }, { 4, 7 }, SLBA_BYTES, { 48, 7 });
	CHECK(nvp_build_write(7, SLBA, 0, 4096), TO_DRIVE, 4096, false,
	      { 0, 0x01 }, { 4, 7 }, SLBA_BYTES);
	CHECK(nvp_build_compare(7, SLBA, 0xffff, 4096), TO_DRIVE, 65536 * 4096ul, false,
	      { 0, 0x05 }, { 4, 7 }, SLBA_BYTES, { 48, 0xff }, { 49, 0xff });
}

static void commands_without_data(void)
{
	CHECK(nvp_build_flush(NVP_NSID_ALL), NONE, 0, false,
	      { 4, 0xff }, { 5, 0xff }, { 6, 0xff }, { 7, 0xff });
	CHECK(nvp_build_write_zeroes(1, SLBA, 0x0102, true), NONE, 0, false,
	      { 0, 0x08 }, { 4, 1 }, SLBA_BYTES, { 48, 0x02 }, { 49, 0x01 }, { 51, 0x02 });
	CHECK(nvp_build_write_zeroes(1, SLBA, 0x0102, false), NONE, 0, false,
	      { 0, 0x08 }, { 4, 1 }, SLBA_BYTES, { 48, 0x02 }, { 49, 0x01 });
	CHECK(nvp_build_verify(1, SLBA, 3), NONE, 0, false,
	      { 0, 0x0c }, { 4, 1 }, SLBA_BYTES, { 48, 3 });
	CHECK(nvp_build_write_uncorrectable(1, SLBA, 3), NONE, 0, false,
	      { 0, 0x04 }, { 4, 1 }, SLBA_BYTES, { 48, 3 });
}

/* NVM Command Set 1.0, 3.2.3: NR Dword 10 bits 7:0; IDR 0, IDW 1, AD 2 of Dword 11. */
static void dataset_management(void)
{
	static const uint8_t want[16] = {
		0x04, 0x03, 0x02, 0x01, 0x08, 0x07, 0x06, 0x05,
		0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01,
	};
	uint8_t range[17];

	CHECK(nvp_build_dsm(1, 255, true, false, false), TO_DRIVE, 4096, false,
	      { 0, 0x09 }, { 4, 1 }, { 40, 0xff }, { 44, 0x04 });
	CHECK(nvp_build_dsm(1, 0, false, true, false), TO_DRIVE, 16, false,
	      { 0, 0x09 }, { 4, 1 }, { 44, 0x02 });
	CHECK(nvp_build_dsm(1, 1, false, false, true), TO_DRIVE, 32, false,
	      { 0, 0x09 }, { 4, 1 }, { 40, 1 }, { 44, 0x01 });
	range[16] = 0xee;
	nvp_build_dsm_range(range, 0x01020304, 0x05060708, SLBA);
	CU_ASSERT_EQUAL(memcmp(range, want, sizeof(want)), 0);
	CU_ASSERT_EQUAL(range[16], 0xee);
}

static void bits_that_are_set_later(void)
{
	struct nvp_cmd cmd = nvp_build_write(1, 0, 0x1234, 512);

	nvp_cmd_set_fua(&cmd);
	check_bytes(&cmd, (const struct byte_at[]) {
		{ 0, 1 }, { 4, 1 }, { 48, 0x34 }, { 49, 0x12 }, { 51, 0x40 }, END });
	nvp_cmd_set_lr(&cmd);
	nvp_cmd_set_fuse(&cmd, 2);
	nvp_cmd_set_psdt(&cmd, 1);
	nvp_sqe_set_cid(&cmd.sqe, 0xa1b2);
	check_bytes(&cmd, (const struct byte_at[]) {
		{ 0, 1 }, { 1, 0x42 }, { 2, 0xb2 }, { 3, 0xa1 }, { 4, 1 }, { 48, 0x34 },
		{ 49, 0x12 }, { 51, 0xc0 }, END });
	nvp_cmd_set_fuse(&cmd, 1);
	nvp_cmd_set_psdt(&cmd, 2);
	CU_ASSERT_EQUAL(cmd.sqe.bytes[1], 0x81);
	CU_ASSERT_EQUAL(nvp_sqe_cid(&cmd.sqe), 0xa1b2);
	CU_ASSERT_EQUAL(nvp_sqe_opcode(&cmd.sqe), 1);
	nvp_sqe_set_qw(&cmd.sqe, 6, SLBA);
	CU_ASSERT_EQUAL(nvp_sqe_qw(&cmd.sqe, 6), SLBA);
	CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd.sqe, 6), 0x89abcdef);
}

CU_TestInfo nvp_unit_build[] = {
	{ "raw_sets_opcode_and_nsid_only", raw_sets_opcode_and_nsid_only },
	{ "identify", identify },
	{ "get_log", get_log },
	{ "get_features", get_features },
	{ "set_features", set_features },
	{ "create_queues", create_queues },
	{ "delete_queues", delete_queues },
	{ "abort_and_event", abort_and_event },
	{ "transfers", transfers },
	{ "commands_without_data", commands_without_data },
	{ "dataset_management", dataset_management },
	{ "bits_that_are_set_later", bits_that_are_set_later },
	CU_TEST_INFO_NULL,
};
