// SPDX-License-Identifier: GPL-2.0-or-later
// Scatter gather lists: the builder, and the simulated drive as it follows lists right and wrong.

#include <errno.h>
#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define LISTS 0x80000u		/* of the data: descriptors */
#define BLOCKS 64u
#define BYTES (BLOCKS * 512u)

/* ---- the builder ---- */

static void one_piece_stands_in_the_command(void)
{
	const struct nvp_sgl_piece piece = { NVP_SGL_DATA_BLOCK, 0x1122334455667788, 0x99aabbcc };
	static const uint8_t expected[16] = { 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
					      0xcc, 0xbb, 0xaa, 0x99 };
	struct nvp_cmd cmd = nvp_build_read(1, 0, 0, 512);
	uint8_t sgl1[16];

	memset(sgl1, 0xff, sizeof(sgl1));
	CU_ASSERT_EQUAL(nvp_build_sgl_list(&piece, 1, NULL, 0, sgl1), 0);
	CU_ASSERT_EQUAL(memcmp(sgl1, expected, 16), 0);
	nvp_cmd_set_sgl(&cmd, sgl1);
	CU_ASSERT_EQUAL(memcmp(cmd.sqe.bytes + 24, expected, 16), 0);
	CU_ASSERT_EQUAL(cmd.sqe.bytes[1], 0x40);
	CU_ASSERT_TRUE(cmd.raw_dptr);
	CU_ASSERT_EQUAL(nvp_build_sgl_list(&piece, 0, NULL, 0, sgl1), -EINVAL);
}

static void many_pieces_are_chained(void)
{
	uint8_t memory[3][64], sgl1[16];
	struct nvp_sgl_segment segment[3];
	struct nvp_sgl_piece piece[10];

	for (unsigned i = 0; i < 3; i++)
		segment[i] = (struct nvp_sgl_segment){ memory[i], 0x1000 * (i + 1), 4 };
	for (unsigned i = 0; i < 10; i++)
		piece[i] = (struct nvp_sgl_piece){ NVP_SGL_DATA_BLOCK, i, 100 + i };

	/* 3 + pointer, 3 + pointer, 4 */
	CU_ASSERT_EQUAL(nvp_build_sgl_list(piece, 10, segment, 3, sgl1), 0);
	CU_ASSERT_EQUAL(sgl1[15], NVP_SGL_SEGMENT);
	CU_ASSERT_EQUAL(nvp_le64(sgl1), 0x1000);
	CU_ASSERT_EQUAL(nvp_le32(sgl1 + 8), 64);
	CU_ASSERT_EQUAL(nvp_le64(memory[0] + 32), 2);
	CU_ASSERT_EQUAL(memory[0][63], NVP_SGL_SEGMENT);
	CU_ASSERT_EQUAL(nvp_le64(memory[0] + 48), 0x2000);
	CU_ASSERT_EQUAL(nvp_le32(memory[0] + 56), 64);
	CU_ASSERT_EQUAL(memory[1][63], NVP_SGL_LAST_SEGMENT);
	CU_ASSERT_EQUAL(nvp_le32(memory[1] + 56), 64);
	CU_ASSERT_EQUAL(nvp_le64(memory[2] + 48), 9);
	CU_ASSERT_EQUAL(memory[2][63], NVP_SGL_DATA_BLOCK);

	/* what just fits needs no second segment */
	CU_ASSERT_EQUAL(nvp_build_sgl_list(piece, 4, segment, 3, sgl1), 0);
	CU_ASSERT_EQUAL(sgl1[15], NVP_SGL_LAST_SEGMENT);
	CU_ASSERT_EQUAL(nvp_le32(sgl1 + 8), 64);
	CU_ASSERT_EQUAL(nvp_build_sgl_list(piece, 10, segment, 2, sgl1), -ENOSPC);
	CU_ASSERT_EQUAL(nvp_build_sgl_list(piece, 2, NULL, 0, sgl1), -ENOSPC);
	segment[0].nr = 1;
	CU_ASSERT_EQUAL(nvp_build_sgl_list(piece, 2, segment, 3, sgl1), -EINVAL);
}

/* ---- the drive ---- */

static unsigned status_of(struct sim_host *h, bool write, const uint8_t sgl1[16])
{
	struct nvp_cmd cmd = write ? nvp_build_write(1, 0, BLOCKS - 1, 512) :
				     nvp_build_read(1, 0, BLOCKS - 1, 512);

	nvp_cmd_set_sgl(&cmd, sgl1);
	return sim_host_status(sim_host_io(h, cmd));
}

static bool prepare(struct sim_host *h, uint8_t *expected)
{
	nvp_rand_fill(h->data, BYTES, 7);
	memcpy(expected, h->data, BYTES);
	return !sim_host_status(sim_host_io(h, nvp_build_write(1, 0, BLOCKS - 1, 512)));
}

static uint64_t list_iova(const struct sim_host *h, unsigned segment)
{
	return h->data_iova + LISTS + 4096 * segment;
}

static void put(struct sim_host *h, unsigned segment, unsigned i, uint8_t identifier,
		uint64_t address, uint32_t bytes)
{
	nvp_build_sgl(h->data + LISTS + 4096 * segment + 16 * i, identifier, address, bytes);
}

/* Pieces of random sizes at random places, in a chain of random segments, read and written. */
static void random_lists_move_the_data(void)
{
	static uint8_t expected[BYTES], seen[BYTES];
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:") || !prepare(&h, expected)) {
		sim_host_close(&h);
		return;
	}
	for (unsigned round = 0; round < 50; round++) {
		unsigned nr = 1 + (unsigned)(nvp_rand(1, "nr", round, 0) % 40);
		unsigned room = 2 + (unsigned)(nvp_rand(1, "room", round, 0) % 9), at = 0, left = BYTES;
		struct nvp_sgl_segment segment[64];
		struct nvp_sgl_piece piece[40];
		uint8_t sgl1[16];

		for (unsigned i = 0; i < 64; i++)
			segment[i] = (struct nvp_sgl_segment){ h.data + LISTS + 4096 * i,
							       list_iova(&h, i), room };
		for (unsigned i = 0; i < nr; i++) {
			unsigned bytes = (unsigned)(nvp_rand(1, "bytes", round, i) % (left + 1));

			at += (unsigned)(nvp_rand(1, "gap", round, i) % 7000);
			bytes = i + 1 == nr ? left : bytes / 4;
			piece[i] = (struct nvp_sgl_piece){ NVP_SGL_DATA_BLOCK, h.data_iova + at, bytes };
			at += bytes;
			left -= bytes;
		}
		CU_ASSERT_EQUAL_FATAL(nvp_build_sgl_list(piece, nr, segment, 64, sgl1), 0);
		memset(h.data, 0x5c, LISTS);
		CU_ASSERT_EQUAL(status_of(&h, false, sgl1), 0);
		for (unsigned i = 0, done = 0; i < nr; done += piece[i++].bytes)
			memcpy(seen + done, h.data + (piece[i].address - h.data_iova),
			       piece[i].bytes);
		CU_ASSERT_EQUAL(memcmp(seen, expected, BYTES), 0);
		nvp_rand_fill(expected, BYTES, round + 100);
		for (unsigned i = 0, done = 0; i < nr; done += piece[i++].bytes)
			memcpy(h.data + (piece[i].address - h.data_iova), expected + done,
			       piece[i].bytes);
		CU_ASSERT_EQUAL(status_of(&h, true, sgl1), 0);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(1, 0, BLOCKS - 1,
									       512))), 0);
		CU_ASSERT_EQUAL(memcmp(h.data, expected, BYTES), 0);
	}
	CU_ASSERT_EQUAL(nvp_sim_dma_faults(h.sim, NULL), 0);
	sim_host_close(&h);
}

static void wrong_lists_are_refused_and_move_nothing(void)
{
	static uint8_t expected[BYTES];
	struct sim_host h = { 0 };
	uint8_t sgl1[16];

	if (!sim_host_open(&h, "sim:") || !prepare(&h, expected)) {
		sim_host_close(&h);
		return;
	}
	memset(h.data, 0x77, LISTS);
	nvp_build_sgl(sgl1, NVP_SGL_DATA_BLOCK, h.data_iova, BYTES - 1);
	CU_ASSERT_EQUAL(status_of(&h, false, sgl1), 0x0f);
	nvp_build_sgl(sgl1, NVP_SGL_DATA_BLOCK, h.data_iova, BYTES + 1);
	CU_ASSERT_EQUAL(status_of(&h, false, sgl1), 0x0f);
	nvp_build_sgl(sgl1, NVP_SGL_DATA_BLOCK, h.data_iova, UINT32_MAX);
	CU_ASSERT_EQUAL(status_of(&h, false, sgl1), 0x0f);
	nvp_build_sgl(sgl1, NVP_SGL_BIT_BUCKET, 0, BYTES);
	CU_ASSERT_EQUAL(status_of(&h, true, sgl1), 0x0f);	/* no data in it for a write */
	for (unsigned type = 4; type < 16; type++) {
		nvp_build_sgl(sgl1, (uint8_t)(type << 4), h.data_iova, BYTES);
		CU_ASSERT_EQUAL(status_of(&h, false, sgl1), 0x11);
	}
	/* a segment that points to itself: nothing but empty blocks, for ever */
	put(&h, 0, 0, NVP_SGL_DATA_BLOCK, 0, 0);
	put(&h, 0, 1, NVP_SGL_SEGMENT, list_iova(&h, 0), 32);
	nvp_build_sgl(sgl1, NVP_SGL_SEGMENT, list_iova(&h, 0), 32);
	CU_ASSERT_EQUAL(status_of(&h, false, sgl1), 0x0e);
	/* and one of a length that no memory has */
	nvp_build_sgl(sgl1, NVP_SGL_LAST_SEGMENT, list_iova(&h, 0), 0xfffffff0);
	put(&h, 0, 1, NVP_SGL_DATA_BLOCK, 0, 0);
	memset(h.data + LISTS + 32, 0, 4096);
	CU_ASSERT_NOT_EQUAL(status_of(&h, false, sgl1), 0);
	CU_ASSERT_EQUAL(nvp_sim_dma_faults(h.sim, NULL), 0);
	nvp_build_sgl(sgl1, NVP_SGL_LAST_SEGMENT, 0x8000, 32);	/* outside the map */
	CU_ASSERT_EQUAL(status_of(&h, false, sgl1), 0x04);
	CU_ASSERT_EQUAL(nvp_sim_dma_faults(h.sim, NULL), 1);
	for (unsigned i = 0; i < LISTS; i++)
		if (h.data[i] != 0x77) {
			CU_FAIL("data moved by a list that was refused");
			break;
		}
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(1, 0, BLOCKS - 1, 512))), 0);
	CU_ASSERT_EQUAL(memcmp(h.data, expected, BYTES), 0);
	sim_host_close(&h);
}

/* Any bytes at all: the drive answers, and reaches no memory but what the list names. */
static void any_bytes_are_survived(void)
{
	struct sim_host h = { 0 };
	uint8_t sgl1[16];

	if (sim_host_open(&h, "sim:")) {
		for (unsigned round = 0; round < 500; round++) {
			nvp_rand_fill(h.data + LISTS, 4096, round);
			for (unsigned i = 0; i < 256; i++) {
				uint8_t *d = h.data + LISTS + 16 * i;

				nvp_put_le64(d, h.data_iova + nvp_le16(d) % LISTS);
				nvp_put_le32(d + 8, nvp_le16(d + 8) % 2048);
				d[15] = (uint8_t)(d[15] % 5 << 4);
			}
			nvp_build_sgl(sgl1, round % 2 ? NVP_SGL_SEGMENT : NVP_SGL_LAST_SEGMENT,
				      list_iova(&h, 0) + 16 * (round % 200), 16 * (round % 50));
			(void)status_of(&h, round % 3, sgl1);
			CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, 0x1c, 4), 1);
		}
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
	}
	sim_host_close(&h);
}

static void a_command_without_data_ignores_its_sgl(void)
{
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct sim_host h = { 0 };

	nvp_cmd_set_psdt(&cmd, 1);
	cmd.raw_dptr = true;
	if (sim_host_open(&h, "sim:")) {
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, cmd)), 0);
		nvp_cmd_set_psdt(&cmd, 3);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, cmd)), 2);
	}
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_sgl[] = {
	{ "one piece stands in the command", one_piece_stands_in_the_command },
	{ "many pieces are chained", many_pieces_are_chained },
	{ "random lists move the data", random_lists_move_the_data },
	{ "wrong lists are refused and move nothing", wrong_lists_are_refused_and_move_nothing },
	{ "any bytes are survived", any_bytes_are_survived },
	{ "a command without data ignores its SGL", a_command_without_data_ignores_its_sgl },
	CU_TEST_INFO_NULL,
};
