// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of blocks with metadata: where they lie, what moves them, what belongs to what.

#include <stdio.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/pi.h>

#include "core/base/bits.h"
#include "power/lb.h"
#include "tests/unit/unit.h"

#define LBA 0x1234567890u

static struct nvp_lb_format format(uint8_t type, bool first, uint16_t meta_bytes, bool extended)
{
	return (struct nvp_lb_format){
		.lba_bytes = 512,
		.pi = { .type = type, .first = first, .meta_bytes = meta_bytes },
		.extended = extended,
	};
}

/* FLBAS bit 4, DPS bits 3:0; without metadata neither says anything. */
static void identify_gives_the_format(void)
{
	struct nvp_ns ns = { .id = { .lba_bytes = 4096, .metadata_bytes = 64, .flbas = 0x12,
				     .dps = 0x0b } };
	struct nvp_lb_format f = nvp_lb_format_of(&ns), other;

	CU_ASSERT_EQUAL(f.lba_bytes, 4096);
	CU_ASSERT_EQUAL(f.pi.type, 3);
	CU_ASSERT(f.pi.first && f.extended);
	CU_ASSERT_EQUAL(nvp_lb_row_bytes(&f), 4160);
	CU_ASSERT_EQUAL(nvp_lb_all_bytes(&f), 4160);
	ns.id.flbas = 2;
	other = nvp_lb_format_of(&ns);
	CU_ASSERT_EQUAL(nvp_lb_row_bytes(&other), 4096);
	CU_ASSERT_EQUAL(nvp_lb_all_bytes(&other), 4160);
	CU_ASSERT_FALSE(nvp_lb_same_format(&f, &other));
	ns.id.flbas = 0x12;
	for (uint8_t bit = 0; bit < 4; bit++) {
		ns.id.dps = 0x0b ^ 1u << bit;
		other = nvp_lb_format_of(&ns);
		CU_ASSERT_FALSE(nvp_lb_same_format(&f, &other));
	}
	ns.id.dps = 0x0b;
	other = nvp_lb_format_of(&ns);
	CU_ASSERT(nvp_lb_same_format(&f, &other));
	ns.id.metadata_bytes = 0;
	other = nvp_lb_format_of(&ns);
	CU_ASSERT(!other.pi.type && !other.pi.first && !other.extended);
}

/* PRACT = 1 and the tags of the first block, of type 3 the one that counts for all. */
static void write_zeroes_asks_for_protection(void)
{
	for (uint8_t type = 0; type < 4; type++) {
		struct nvp_lb_format f = format(type, false, 8, false);
		struct nvp_cmd cmd = nvp_lb_write_zeroes(&f, 7, LBA, 3);

		CU_ASSERT_EQUAL(nvp_sqe_opcode(&cmd.sqe), NVP_IO_WRITE_ZEROES);
		CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd.sqe, 12), 3u | (type ? 1u << 29 : 0));
		CU_ASSERT_EQUAL(nvp_sqe_dw(&cmd.sqe, 14),
				type == 1 || type == 2 ? (uint32_t)LBA : 0);
	}
}

static void stamps_fill_a_row(void)
{
	const struct nvp_stamp stamp = { .run = 5, .lba = LBA, .seq = 77, .nsid = 1 };
	struct nvp_lb_format f = format(1, true, 64, true);
	struct nvp_stamp_found found;
	uint8_t row[512 + 64];

	nvp_lb_stamp_row(&f, row, &stamp);
	CU_ASSERT_EQUAL(nvp_stamp_check(row, 512, &stamp, &found), NVP_STAMP_GOOD);
	CU_ASSERT_EQUAL(nvp_stamp_meta_check(row + 512, &f.pi, row, 512, &stamp),
			NVP_STAMP_META_GOOD);
	row[512 + 63] ^= 1;
	CU_ASSERT_EQUAL(nvp_stamp_meta_check(row + 512, &f.pi, row, 512, &stamp),
			NVP_STAMP_META_BYTES);
}

/* Protection information of a block all of `value`, beside metadata all of `rest`. */
struct blank {
	uint8_t value, rest;
	int guard;		/* -1: the right one */
	uint16_t application;
	uint32_t reference;
	bool good[4];		/* by type; [0]: there is no protection information */
};

static void blank_blocks_have_their_metadata(void)
{
	const uint32_t low = (uint32_t)LBA;
	const struct blank rows[] = {
		/* deallocated: all ones, or the right guard with tags of ones */
		{ 0x00, 0x00, 0xffff, 0xffff, 0xffffffff, { true, true, true, true } },
		{ 0x00, 0x00, -1, 0xffff, 0xffffffff, { true, true, true, true } },
		{ 0xff, 0xff, 0xffff, 0xffff, 0xffffffff, { true, true, true, true } },
		{ 0xff, 0xff, 0x1234, 0xffff, 0xffffffff, { true, false, false, false } },
		/* written zeroes: of a block of the window; type 3 as the command said */
		{ 0x00, 0x00, -1, 0, low, { true, true, true, false } },
		{ 0x00, 0x00, -1, 0, low + 99, { true, true, true, false } },
		{ 0x00, 0x00, -1, 0, low + 100, { true, false, false, false } },
		{ 0x00, 0x00, -1, 0, low - 1, { true, false, false, false } },
		{ 0x00, 0x00, -1, 0, 0, { true, false, false, true } },
		{ 0x00, 0x00, -1, 1, low, { true, false, false, false } },
		{ 0x00, 0x00, 0x4321, 0, low, { true, false, false, false } },
		{ 0x00, 0x00, 0xffff, 0, 0, { true, false, false, false } },
		/* tags of ones are both or none */
		{ 0x00, 0x00, -1, 0xffff, low, { true, false, false, false } },
		/* metadata that is no protection information: 00h or FFh */
		{ 0x00, 0x5a, -1, 0xffff, 0xffffffff, { false, false, false, false } },
	};

	for (unsigned n = 0; n < NVP_ARRAY_SIZE(rows) * 4 * 2; n++) {
		const struct blank *b = &rows[n / 8];
		uint8_t type = n / 2 % 4, data[512], meta[64];
		struct nvp_lb_format f = format(type, n % 2, sizeof(meta), false);
		const struct nvp_pi_layout layout = { 512, sizeof(meta), n % 2 };
		struct nvp_pi pi = { .application = b->application, .reference = b->reference };

		memset(data, b->value, sizeof(data));
		memset(meta, b->rest, sizeof(meta));
		pi.guard = b->guard < 0 ? nvp_pi_guard(&layout, data, meta) : (uint16_t)b->guard;
		if (type)
			nvp_pi_put(&layout, meta, &pi);
		CU_ASSERT_EQUAL(nvp_lb_blank_meta(&f, data, meta, LBA, 100), b->good[type]);
		if (nvp_lb_blank_meta(&f, data, meta, LBA, 100) != b->good[type])
			printf("row %u type %u first %u\n", n / 8, type, n % 2);
	}
}

/* One block of metadata half 00h and half FFh is of nobody. */
static void blank_metadata_is_of_one_kind(void)
{
	struct nvp_lb_format f = format(0, false, 8, true);
	uint8_t data[512] = { 0 }, meta[8] = { 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff };

	CU_ASSERT_FALSE(nvp_lb_blank_meta(&f, data, meta, 0, 100));
	memset(meta, 0xff, sizeof(meta));
	CU_ASSERT(nvp_lb_blank_meta(&f, data, meta, 0, 100));
}

CU_TestInfo nvp_unit_lb[] = {
	{ "identify gives the format", identify_gives_the_format },
	{ "write zeroes asks for protection", write_zeroes_asks_for_protection },
	{ "stamps fill a row", stamps_fill_a_row },
	{ "blank blocks have their metadata", blank_blocks_have_their_metadata },
	{ "blank metadata is of one kind", blank_metadata_is_of_one_kind },
	CU_TEST_INFO_NULL,
};
