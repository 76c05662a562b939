// SPDX-License-Identifier: GPL-2.0-or-later
// I/O commands of the simulated drive against NVM Command Set 1.0, 3.2, and NVMe Base 2.0, 7.1.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

static const char *const addresses[] = {
	"sim:size=16M", "sim:size=16M,lba=4096", "sim:size=16M,ns=2", "sim:size=16M,vwc=off",
	"sim:size=16M,vwc=absent", "sim:size=16M,profile=minimal",
};

static uint32_t lba_bytes(const char *address)
{
	return strstr(address, "lba=4096") ? 4096 : 512;
}

static uint64_t nsze(struct sim_host *h)
{
	sim_host_admin(h, nvp_build_identify(0, 1, 0, 0, 0));
	return nvp_le64(h->data);
}

static unsigned io(struct sim_host *h, struct nvp_cmd cmd)
{
	return sim_host_status(sim_host_io(h, cmd));
}

/* Write a pattern of its key, read it back into other bytes. */
static void write_and_read(struct sim_host *h, uint64_t slba, uint16_t nlb_z, uint32_t lba)
{
	size_t bytes = (nlb_z + 1u) * lba;
	static uint8_t expected[131072];

	nvp_rand_fill(expected, bytes, slba);
	memcpy(h->data, expected, bytes);
	CU_ASSERT_EQUAL(io(h, nvp_build_write(1, slba, nlb_z, lba)), 0);
	sim_host_fill(h, 0xa5);
	CU_ASSERT_EQUAL(io(h, nvp_build_read(1, slba, nlb_z, lba)), 0);
	CU_ASSERT_EQUAL(memcmp(h->data, expected, bytes), 0);
	CU_ASSERT_EQUAL(h->data[bytes], 0xa5);
}

static void data(void)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		uint32_t lba = lba_bytes(addresses[i]);
		struct sim_host h = { 0 };
		uint64_t last;

		if (!sim_host_open(&h, addresses[i]))
			continue;
		last = nsze(&h) - 1;
		write_and_read(&h, 0, 0, lba);
		write_and_read(&h, last, 0, lba);
		write_and_read(&h, 3, 6, lba);
		write_and_read(&h, 100, (uint16_t)(131072 / lba - 1), lba);	/* MDTS */
		sim_host_close(&h);
	}
}

static void ranges(void)
{
	static const uint8_t opcodes[] = {
		NVP_IO_READ, NVP_IO_WRITE, NVP_IO_COMPARE, NVP_IO_WRITE_ZEROES,
	};
	struct sim_host h = { 0 };
	uint64_t end;

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	end = nsze(&h);
	for (size_t i = 0; i < sizeof(opcodes); i++) {
		struct nvp_cmd at_end = nvp_build_read(1, end - 1, 0, 512);
		struct nvp_cmd past = nvp_build_read(1, end, 0, 512);
		struct nvp_cmd across = nvp_build_read(1, end - 1, 1, 512);
		struct nvp_cmd top = nvp_build_read(1, UINT64_MAX, 7, 512);
		struct nvp_cmd upper = nvp_build_read(1, UINT64_C(0x100000000), 0, 512);

		memset(h.data, 0, 4096);
		at_end.sqe.bytes[0] = past.sqe.bytes[0] = across.sqe.bytes[0] = opcodes[i];
		top.sqe.bytes[0] = upper.sqe.bytes[0] = opcodes[i];
		CU_ASSERT_EQUAL(io(&h, at_end), 0);
		CU_ASSERT_EQUAL(io(&h, past), 0x80);
		CU_ASSERT_EQUAL(io(&h, across), 0x80);
		CU_ASSERT_EQUAL(io(&h, top), 0x80);
		CU_ASSERT_EQUAL(io(&h, upper), 0x80);
	}
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, 255, 512)), 0);	/* 128 KiB */
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, 256, 512)), 0x02);
	CU_ASSERT_EQUAL(io(&h, nvp_build_write(1, 0, 256, 512)), 0x02);
	CU_ASSERT_EQUAL(io(&h, nvp_build_compare(1, 0, 256, 512)), 0x02);
	CU_ASSERT_EQUAL(io(&h, nvp_build_write_zeroes(1, 0, 4095, false)), 0);
	sim_host_close(&h);
}

static void namespaces(void)
{
	struct sim_host h = { 0 };
	uint32_t nn;

	if (!sim_host_open(&h, "sim:size=16M,ns=2"))
		return;
	sim_host_admin(&h, nvp_build_identify(1, 0, 0, 0, 0));
	nn = nvp_le32(h.data + 516);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(0, 0, 0, 512)), 0x0b);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(nn + 1, 0, 0, 512)), 0x0b);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(NVP_NSID_ALL, 0, 0, 512)), 0x0b);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(3, 0, 0, 512)), 0x02);	/* inactive */
	CU_ASSERT_EQUAL(io(&h, nvp_build_flush(1)), 0);
	CU_ASSERT_EQUAL(io(&h, nvp_build_flush(NVP_NSID_ALL)), 0);	/* VWC bits 2:1 are 11b */
	CU_ASSERT_EQUAL(io(&h, nvp_build_flush(0)), 0x0b);
	CU_ASSERT_EQUAL(io(&h, nvp_build_flush(nn + 1)), 0x0b);
	CU_ASSERT_EQUAL(io(&h, nvp_build_flush(3)), 0x02);
	memset(h.data, 0x11, 512);
	CU_ASSERT_EQUAL(io(&h, nvp_build_write(1, 5, 0, 512)), 0);
	memset(h.data, 0x22, 512);
	CU_ASSERT_EQUAL(io(&h, nvp_build_write(2, 5, 0, 512)), 0);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 5, 0, 512)), 0);
	CU_ASSERT_EQUAL(h.data[0], 0x11);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(2, 5, 0, 512)), 0);
	CU_ASSERT_EQUAL(h.data[0], 0x22);
	sim_host_close(&h);
}

static void compare(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	memset(h.data, 0x33, 4096);
	CU_ASSERT_EQUAL(io(&h, nvp_build_write(1, 8, 7, 512)), 0);
	CU_ASSERT_EQUAL(io(&h, nvp_build_compare(1, 8, 7, 512)), 0);
	h.data[4095] ^= 1;
	CU_ASSERT_EQUAL(io(&h, nvp_build_compare(1, 8, 7, 512)), 0x285);
	CU_ASSERT_EQUAL(io(&h, nvp_build_compare(1, 8, 6, 512)), 0);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 8, 7, 512)), 0);	/* nothing changed */
	CU_ASSERT_EQUAL(h.data[4095], 0x33);
	sim_host_close(&h);
}

static void write_zeroes(void)
{
	for (unsigned deac = 0; deac < 2; deac++) {
		struct sim_host h = { 0 };

		if (!sim_host_open(&h, "sim:size=16M"))
			return;
		memset(h.data, 0x44, 8192);
		CU_ASSERT_EQUAL(io(&h, nvp_build_write(1, 0, 15, 512)), 0);
		CU_ASSERT_EQUAL(io(&h, nvp_build_write_zeroes(1, 3, 4, deac)), 0);
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, 15, 512)), 0);
		CU_ASSERT_EQUAL(h.data[3 * 512 - 1], 0x44);
		CU_ASSERT_TRUE(nvp_all_zero(h.data + 3 * 512, 5 * 512));
		CU_ASSERT_EQUAL(h.data[8 * 512], 0x44);
		/* only deallocated blocks are errors with DULBE */
		sim_host_admin(&h, nvp_build_set_features(5, 1, false, 0x10000));
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, 15, 512)), deac ? 0x287u : 0u);
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, 2, 512)), 0);
		sim_host_close(&h);
	}
}

static void dataset_management(void)
{
	struct sim_host h = { 0 };
	uint64_t end;

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	end = nsze(&h);
	memset(h.data, 0x55, 16384);
	CU_ASSERT_EQUAL(io(&h, nvp_build_write(1, 0, 31, 512)), 0);
	/* hints alone change nothing */
	for (unsigned attributes = 0; attributes < 4; attributes++) {
		nvp_build_dsm_range(h.data, 0, 32, 0);
		CU_ASSERT_EQUAL(io(&h, nvp_build_dsm(1, 0, false, attributes & 1,
						     attributes & 2)), 0);
	}
	nvp_build_dsm_range(h.data, 0, 4, 2);
	nvp_build_dsm_range(h.data + 16, 0, 0, 20);
	nvp_build_dsm_range(h.data + 32, 0xff, 3, 10);
	CU_ASSERT_EQUAL(io(&h, nvp_build_dsm(1, 2, true, true, true)), 0);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, 31, 512)), 0);
	for (unsigned block = 0; block < 32; block++) {
		bool gone = (block >= 2 && block < 6) || (block >= 10 && block < 13);

		CU_ASSERT_EQUAL(h.data[block * 512], gone ? 0 : 0x55);
		CU_ASSERT_EQUAL(h.data[block * 512 + 511], gone ? 0 : 0x55);
	}
	/* a range past the end: nothing of the list is done */
	nvp_build_dsm_range(h.data, 0, 1, 0);
	nvp_build_dsm_range(h.data + 16, 0, 2, end - 1);
	CU_ASSERT_EQUAL(io(&h, nvp_build_dsm(1, 1, true, false, false)), 0x80);
	nvp_build_dsm_range(h.data + 16, 0, UINT32_MAX, UINT64_MAX - 5);
	CU_ASSERT_EQUAL(io(&h, nvp_build_dsm(1, 1, true, false, false)), 0x80);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, 0, 512)), 0);
	CU_ASSERT_EQUAL(h.data[0], 0x55);
	for (unsigned i = 0; i < 256; i++)
		nvp_build_dsm_range(h.data + 16 * i, 0, 1, 2 * i);
	CU_ASSERT_EQUAL(io(&h, nvp_build_dsm(1, 255, true, false, false)), 0);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, 1, 512)), 0);
	CU_ASSERT_EQUAL(h.data[0], 0);
	CU_ASSERT_EQUAL(h.data[512], 0x55);
	sim_host_close(&h);
}

static void deallocated_error(void)
{
	struct sim_host h = { 0 };
	struct nvp_error_entry error;

	if (!sim_host_open(&h, "sim:size=16M,ns=2"))
		return;
	memset(h.data, 0x66, 4096);
	CU_ASSERT_EQUAL(io(&h, nvp_build_write(1, 0, 7, 512)), 0);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 4, 7, 512)), 0);
	sim_host_admin(&h, nvp_build_set_features(5, 1, false, 0x10000));
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, 7, 512)), 0);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 4, 7, 512)), 0x287);
	sim_host_admin(&h, nvp_build_get_log(1, 0, 64, 0, true, 0));
	nvp_decode_error_entry(h.data, 64, &error);
	CU_ASSERT_EQUAL(error.lba, 8);
	CU_ASSERT_EQUAL(io(&h, nvp_build_read(2, 4, 7, 512)), 0);	/* of namespace 1 alone */
	sim_host_close(&h);
}

static void access_bits(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd cmd;

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	memset(h.data, 0x77, 512);
	cmd = nvp_build_write(1, 9, 0, 512);
	nvp_cmd_set_fua(&cmd);
	nvp_cmd_set_lr(&cmd);
	CU_ASSERT_EQUAL(io(&h, cmd), 0);
	cmd = nvp_build_read(1, 9, 0, 512);
	nvp_cmd_set_fua(&cmd);
	nvp_cmd_set_lr(&cmd);
	sim_host_fill(&h, 0);
	CU_ASSERT_EQUAL(io(&h, cmd), 0);
	CU_ASSERT_EQUAL(h.data[511], 0x77);
	for (unsigned fuse = 1; fuse < 4; fuse++) {	/* one half alone, and a reserved value */
		cmd = nvp_build_read(1, 9, 0, 512);
		nvp_cmd_set_fuse(&cmd, fuse);
		CU_ASSERT_EQUAL(io(&h, cmd), fuse < 3 ? 0x0a : 0x02);
	}
	cmd = nvp_build_read(1, 9, 0, 512);
	nvp_cmd_set_psdt(&cmd, 3);	/* reserved; 1 and 2 are SGLs */
	CU_ASSERT_EQUAL(io(&h, cmd), 0x02);
	sim_host_close(&h);
}

static void optional_commands(void)
{
	static const uint8_t opcodes[] = { NVP_IO_COMPARE, NVP_IO_WRITE_ZEROES, NVP_IO_DSM };
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M,profile=minimal"))
		return;
	for (size_t i = 0; i < sizeof(opcodes); i++)
		CU_ASSERT_EQUAL(io(&h, nvp_build_raw(opcodes[i], 1)), 0x01);
	CU_ASSERT_EQUAL(io(&h, nvp_build_flush(1)), 0);
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_nvm[] = {
	{ "data", data },
	{ "ranges", ranges },
	{ "namespaces", namespaces },
	{ "compare", compare },
	{ "write_zeroes", write_zeroes },
	{ "dataset_management", dataset_management },
	{ "deallocated_error", deallocated_error },
	{ "access_bits", access_bits },
	{ "optional_commands", optional_commands },
	CU_TEST_INFO_NULL
};
