// SPDX-License-Identifier: GPL-2.0-or-later
// Metadata and protection information: the host's arithmetic, and the simulated drive over a cut.

#include <stdio.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/pi.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/sim/arena.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define META 0x40000u

static unsigned io(struct sim_host *h, struct nvp_cmd cmd)
{
	return sim_host_status(sim_host_io(h, cmd));
}

/* ---- the host's side ---- */

static void eight_bytes_are_big_endian(void)
{
	const struct nvp_pi_layout last = { 512, 16, false }, first = { 512, 16, true };
	const struct nvp_pi pi = { 0x1122, 0x3344, 0x55667788 };
	static const uint8_t expected[8] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };
	uint8_t meta[16] = { 0 };
	struct nvp_pi back;

	nvp_pi_put(&last, meta, &pi);
	CU_ASSERT_EQUAL(memcmp(meta + 8, expected, 8), 0);
	CU_ASSERT_EQUAL(meta[7], 0);
	nvp_pi_put(&first, meta, &pi);
	CU_ASSERT_EQUAL(memcmp(meta, expected, 8), 0);
	back = nvp_pi_get(&last, meta);
	CU_ASSERT_TRUE(back.guard == 0x1122 && back.application == 0x3344 &&
		       back.reference == 0x55667788);
}

/* The guard of 32 bytes of 00h, FFh and rising is known from T10's examples of CRC-16 T10-DIF. */
static void guard_covers_what_is_in_front_of_it(void)
{
	const struct nvp_pi_layout last = { 512, 64, false }, first = { 512, 64, true };
	const struct nvp_pi_layout small = { 32, 8, false };
	uint8_t block[512], meta[64] = { 0 };
	uint16_t guard;

	memset(block, 0xff, 32);
	CU_ASSERT_EQUAL(nvp_pi_guard(&small, block, meta), 0xa293);
	for (unsigned i = 0; i < 32; i++)
		block[i] = (uint8_t)i;
	CU_ASSERT_EQUAL(nvp_pi_guard(&small, block, meta), 0x0224);
	nvp_rand_fill(block, sizeof(block), 1);
	guard = nvp_pi_guard(&last, block, meta);
	meta[55] ^= 1;
	CU_ASSERT_NOT_EQUAL(nvp_pi_guard(&last, block, meta), guard);
	meta[55] ^= 1;
	meta[56] ^= 1;			/* the guard itself */
	CU_ASSERT_EQUAL(nvp_pi_guard(&last, block, meta), guard);
	guard = nvp_pi_guard(&first, block, meta);
	meta[20] ^= 1;
	CU_ASSERT_EQUAL(nvp_pi_guard(&first, block, meta), guard);
}

/* ---- the drive ---- */

static struct nvp_cmd with_meta(const struct sim_host *h, struct nvp_cmd cmd)
{
	nvp_cmd_set_mptr(&cmd, h->data_iova + META);
	return cmd;
}

/* The Metadata Pointer is a dword address; with PSDT 01b any byte. */
static void metadata_pointer_alignment(void)
{
	struct sim_host h = { 0 };
	uint8_t sgl1[16];

	if (sim_host_open(&h, "sim:size=16M,meta=8")) {
		for (unsigned at = 0; at < 8; at++) {
			struct nvp_cmd cmd = nvp_build_read(1, 0, 3, 512);

			nvp_cmd_set_mptr(&cmd, h.data_iova + META + at);
			CU_ASSERT_EQUAL(io(&h, cmd), at % 4 ? 0x02 : 0);
			nvp_build_sgl(sgl1, NVP_SGL_DATA_BLOCK, h.data_iova, 2048);
			nvp_cmd_set_sgl(&cmd, sgl1);
			CU_ASSERT_EQUAL(io(&h, cmd), 0);
		}
	}
	sim_host_close(&h);
}

static void mdts_counts_extended_metadata(void)
{
	struct sim_host h = { 0 };
	uint32_t blocks;

	if (sim_host_open(&h, "sim:size=16M,lba=4096,meta=64,mset=on")) {
		blocks = (4096u << h.sim->profile->mdts) / (4096 + 64);
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, (uint16_t)blocks, 4160)), 0x02);
		blocks = blocks < 200 ? blocks : 200;
		CU_ASSERT_EQUAL(io(&h, nvp_build_read(1, 0, (uint16_t)(blocks - 1), 4160)), 0);
	}
	sim_host_close(&h);
}

/*
 * A cut at any event of an overwrite: each block has old data with old metadata, or new with new
 * (what is written together becomes visible together).
 */
static void metadata_is_never_torn_from_its_block(void)
{
	unsigned old = 0, new = 0;

	for (unsigned n = 1; n < 60; n++) {
		struct sim_host h = { 0 };
		struct nvp_cmd cmd = nvp_build_write(1, 16, 3, 512);

		if (!sim_host_open(&h, "sim:size=16M,meta=8,vwc=off,plp=off"))
			return;
		memset(h.data, 0x11, 2048);
		memset(h.data + META, 0x11, 32);
		CU_ASSERT_EQUAL(io(&h, with_meta(&h, cmd)), 0);
		memset(h.data, 0x22, 2048);
		memset(h.data + META, 0x22, 32);
		nvp_sim_cut_after_event(h.sim, n);
		cmd = with_meta(&h, cmd);
		sim_host_post(&h, &h.io, &cmd);
		sim_host_pass(&h, NVP_NS_PER_S);
		sim_host_power_cycle(&h);
		memset(h.data, 0, 2048);
		memset(h.data + META, 0, 32);
		CU_ASSERT_EQUAL(io(&h, with_meta(&h, nvp_build_read(1, 16, 3, 512))), 0);
		for (unsigned i = 0; i < 4; i++) {
			uint8_t first = h.data[i * 512];

			CU_ASSERT_TRUE(first == 0x11 || first == 0x22);
			for (unsigned k = 0; k < 512; k++)
				if (h.data[i * 512 + k] != first)
					CU_FAIL_FATAL("a torn block");
			for (unsigned k = 0; k < 8; k++)
				CU_ASSERT_EQUAL(h.data[META + i * 8 + k], first);
			old += first == 0x11;
			new += first == 0x22;
		}
		sim_host_close(&h);
	}
	CU_ASSERT_TRUE(old && new);
}

/* What an image was made with stands when it is opened again, and must not differ. */
static void the_format_of_an_image_stays(void)
{
	static const char image[] = "/tmp/nvproof-unit-protection.img";
	struct nvp_sim_arena *arena;
	struct sim_host h = { 0 };
	struct nvp_err err = { 0 };
	char address[128];

	remove(image);
	snprintf(address, sizeof(address), "sim:size=16M,lba=4096,meta=64,pi=2,pil=on,mset=on,image=%s",
		 image);
	if (sim_host_open(&h, address)) {
		CU_ASSERT_EQUAL(h.sim->ns[0].format, 4);
		sim_host_close(&h);
		snprintf(address, sizeof(address), "sim:image=%s", image);
		h = (struct sim_host){ 0 };
		if (sim_host_open(&h, address)) {
			CU_ASSERT_TRUE(h.sim->ns[0].meta_bytes == 64 && h.sim->ns[0].pi_type == 2);
			CU_ASSERT_TRUE(h.sim->ns[0].pi_first && h.sim->ns[0].meta_extended);
		}
	}
	sim_host_close(&h);
	snprintf(address, sizeof(address), "sim:pi=1,image=%s", image);
	arena = nvp_sim_arena_new(address, 1, 0, &err);
	CU_ASSERT_PTR_NULL(arena);
	if (arena)
		nvp_sim_arena_free(arena);
	remove(image);
}

/* Type 2 tags count over the end of 32 bits; Verify goes on counting over its own pieces. */
static void reference_tags_wrap(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd cmd;

	if (sim_host_open(&h, "sim:size=16M,pi=2")) {
		nvp_rand_fill(h.data, 150 * 512, 4);
		for (unsigned i = 0; i < 300; i += 150) {
			cmd = with_meta(&h, nvp_build_write(1, i, 149, 512));
			nvp_cmd_set_prinfo(&cmd, NVP_PRACT);
			nvp_cmd_set_tags(&cmd, 0xfffffff0 + i, 7, 0);
			CU_ASSERT_EQUAL(io(&h, cmd), 0);
		}
		cmd = with_meta(&h, nvp_build_read(1, 15, 1, 512));
		CU_ASSERT_EQUAL(io(&h, cmd), 0);
		CU_ASSERT_EQUAL(memcmp(h.data + META + 4, "\xff\xff\xff\xff", 4), 0);
		CU_ASSERT_EQUAL(memcmp(h.data + META + 12, "\0\0\0\0", 4), 0);
		cmd = nvp_build_verify(1, 0, 299);
		nvp_cmd_set_prinfo(&cmd, NVP_PRCHK_GUARD | NVP_PRCHK_REF);
		nvp_cmd_set_tags(&cmd, 0xfffffff0, 0, 0);
		CU_ASSERT_EQUAL(io(&h, cmd), 0);
		nvp_cmd_set_tags(&cmd, 0xfffffff1, 0, 0);
		CU_ASSERT_EQUAL(io(&h, cmd), 0x284);
		nvp_cmd_set_prinfo(&cmd, NVP_PRACT);
		CU_ASSERT_EQUAL(io(&h, cmd), 0x181);
	}
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_protection[] = {
	{ "eight bytes are big-endian", eight_bytes_are_big_endian },
	{ "guard covers what is in front of it", guard_covers_what_is_in_front_of_it },
	{ "metadata pointer alignment", metadata_pointer_alignment },
	{ "MDTS counts extended metadata", mdts_counts_extended_metadata },
	{ "metadata is never torn from its block", metadata_is_never_torn_from_its_block },
	{ "the format of an image stays", the_format_of_an_image_stays },
	{ "reference tags wrap", reference_tags_wrap },
	CU_TEST_INFO_NULL,
};
