// SPDX-License-Identifier: GPL-2.0-or-later
// SGLs built by hand: data in pieces of any size and place, bit buckets, and lists that are wrong.

#include <string.h>

#include "cases/common.h"

#define PIECES_MAX 40
#define SEGMENTS 3
#define ROOM_BYTES 1024		/* of one segment, in a page of its own */

/* Command blocks and memory of one case: a row of data, and room where the pieces of it lie. */
struct sgl {
	struct case_region region;
	struct nvp_buf *row, *seen, *room, *lists;
	uint32_t bytes;			/* of the data */
	struct nvp_sgl_piece piece[PIECES_MAX];
	size_t at[PIECES_MAX];		/* where each piece begins in room */
	unsigned nr;
	uint8_t sgl1[NVP_SGL_BYTES];
};

static bool has_sgls(struct nvp_t *t)
{
	return nvp_t_facts(t)->ctrl.sgls & 3;
}

/* Data blocks need addresses and lengths of whole dwords (SGLS bits 1:0 are 10b). */
static bool dwords_only(struct nvp_t *t)
{
	return (nvp_t_facts(t)->ctrl.sgls & 3) == 2;
}

/* Some blocks with known data; false: the case has ended. */
static bool sgl_new(struct nvp_t *t, struct sgl *s, uint32_t lbas)
{
	*s = (struct sgl){ .bytes = 0 };
	if (!has_sgls(t)) {
		nvp_skip_at(t, __FILE__, __LINE__, "SGLS bits 1:0 are 00b: the drive takes no SGLs");
		return false;
	}
	if (lbas > case_max_lbas(t))
		lbas = case_max_lbas(t);
	if (!case_region(t, lbas, &s->region))
		return false;
	s->bytes = lbas * s->region.lba_bytes;
	s->row = nvp_t_buf(t, s->bytes);
	s->seen = nvp_t_buf(t, s->bytes);
	s->room = nvp_t_buf(t, (size_t)s->bytes * 2 + 8192 * PIECES_MAX);
	s->lists = nvp_t_buf(t, SEGMENTS * (size_t)4096);
	if (!s->row || !s->seen || !s->room || !s->lists)
		return false;
	nvp_buf_fill_pattern(s->row, nvp_t_rand(t, "data", 0));
	return case_write(t, &s->region, 0, lbas, s->row);
}

static void add(struct sgl *s, uint8_t identifier, size_t at, uint32_t bytes)
{
	bool data = identifier == NVP_SGL_DATA_BLOCK;

	s->at[s->nr] = at;
	s->piece[s->nr++] = (struct nvp_sgl_piece){
		.identifier = identifier,
		.address = data ? nvp_buf_iova(s->room, at) : 0,
		.bytes = bytes,
	};
}

/*
 * The list in sgl1 and in up to SEGMENTS segments with room for so many descriptors each (0: in
 * sgl1 alone).
 */
static void build(struct sgl *s, unsigned descriptors)
{
	struct nvp_sgl_segment segment[SEGMENTS];

	for (unsigned i = 0; i < SEGMENTS; i++)
		segment[i] = (struct nvp_sgl_segment){
			.entries = nvp_buf_data(s->lists) + (SEGMENTS - 1 - i) * (size_t)4096,
			.iova = nvp_buf_iova(s->lists, (SEGMENTS - 1 - i) * (size_t)4096),
			.nr = descriptors,
		};
	(void)nvp_build_sgl_list(s->piece, s->nr, segment, descriptors ? SEGMENTS : 0, s->sgl1);
}

/* Between the pieces and bytes in a row; bit buckets count, or are left out, and stay as they are. */
static void gather(const struct sgl *s, uint8_t *linear, bool from_room, bool buckets_count)
{
	uint32_t done = 0;

	for (unsigned i = 0; i < s->nr; i++) {
		uint8_t *piece = nvp_buf_data(s->room) + s->at[i];
		bool data = s->piece[i].identifier == NVP_SGL_DATA_BLOCK;

		if (data && from_room)
			memcpy(linear + done, piece, s->piece[i].bytes);
		else if (data)
			memcpy(piece, linear + done, s->piece[i].bytes);
		if (data || buckets_count)
			done += s->piece[i].bytes;
	}
}

static struct nvp_cmd command(const struct sgl *s, uint8_t opcode)
{
	struct nvp_cmd cmd = case_transfer(opcode, &s->region, 0, s->region.lbas, NULL);

	nvp_cmd_set_sgl(&cmd, s->sgl1);
	return cmd;
}

/* Bytes of room that are not EEh although no piece lies there; a read must leave none. */
static unsigned stray_bytes(const struct sgl *s)
{
	const uint8_t *room = nvp_buf_data(s->room);
	unsigned stray = 0;

	for (size_t at = 0; at < nvp_buf_bytes(s->room); at++) {
		bool inside = room[at] == 0xee;

		for (unsigned i = 0; i < s->nr && !inside; i++)
			inside = s->piece[i].identifier == NVP_SGL_DATA_BLOCK && at >= s->at[i] &&
				 at < s->at[i] + s->piece[i].bytes;
		stray += !inside;
	}
	return stray;
}

/* Read the blocks through the list; false: the case has ended. */
static bool reads_through(struct nvp_t *t, struct sgl *s)
{
	struct nvp_cmd cmd = command(s, NVP_IO_READ);
	struct nvp_cpl cpl;

	nvp_buf_fill(s->room, 0xee);
	if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	memcpy(nvp_buf_data(s->seen), nvp_buf_data(s->row), s->bytes);
	gather(s, nvp_buf_data(s->seen), true, true);
	nvp_check_bytes(t, nvp_buf_data(s->seen), nvp_buf_data(s->row), s->bytes);
	return nvp_check(t, !stray_bytes(s), "bytes outside the pieces were written");
}

/* Write other data through the list, and look at it in the ordinary way. */
static bool writes_through(struct nvp_t *t, struct sgl *s, uint64_t index)
{
	struct nvp_cmd cmd = command(s, NVP_IO_WRITE);
	struct nvp_cpl cpl;

	nvp_buf_fill_pattern(s->row, nvp_t_rand(t, "write", index));
	nvp_buf_fill(s->room, 0xee);
	gather(s, nvp_buf_data(s->row), false, false);
	if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) || !CASE_SUCCEEDS(t, &cpl) ||
	    !case_read(t, &s->region, 0, s->region.lbas, s->seen))
		return false;
	return nvp_check_bytes(t, nvp_buf_data(s->seen), nvp_buf_data(s->row), s->bytes);
}

/* Pieces of nearly equal size, each `shift` bytes into a page; in opposite order in memory. */
static void cut(struct sgl *s, unsigned nr, uint32_t shift, uint32_t unit)
{
	uint32_t left = s->bytes, part = s->bytes / nr / unit * unit;

	s->nr = 0;
	for (unsigned i = 0; i < nr; i++) {
		uint32_t bytes = i + 1 == nr ? left : part + (i % 2 ? unit : 0);
		size_t pages = (size_t)(s->bytes / nr / 4096 + 2);

		add(s, NVP_SGL_DATA_BLOCK, (nr - 1 - i) * pages * 4096 + shift, bytes);
		left -= bytes;
	}
}

/*
 * PRP-07. One piece, two, three and 32, at even and odd addresses; the list in the command, in one
 * last segment, and over three segments.
 */
static void pieces_move_the_data(struct nvp_t *t)
{
	static const struct { unsigned nr, descriptors; uint32_t shift; } shapes[] = {
		{ 1, 0, 0 }, { 1, 0, 512 }, { 1, 2, 4 }, { 2, 2, 0 }, { 3, 64, 8 }, { 32, 64, 16 },
		{ 32, 16, 4 }, { 5, 3, 4092 }, { 1, 0, 1 }, { 3, 2, 3 }, { 32, 16, 13 },
	};
	struct sgl s;

	if (!sgl_new(t, &s, 16))
		return;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		if (shapes[i].shift % 4 && dwords_only(t))
			continue;
		cut(&s, shapes[i].nr, shapes[i].shift, shapes[i].shift % 4 ? 3 : 4);
		build(&s, shapes[i].descriptors);
		if (!reads_through(t, &s) || !writes_through(t, &s, i))
			return;
	}
}

/*
 * PRP-07. A bit bucket throws away its length of what is read: what follows goes on behind it. In
 * a write it takes nothing.
 */
static void bit_buckets_discard(struct nvp_t *t)
{
	struct sgl s;

	if (!sgl_new(t, &s, 4))
		return;
	if (!(nvp_t_facts(t)->ctrl.sgls >> 16 & 1))
		nvp_skip(t, "SGLS bit 16 is 0: the drive takes no bit buckets");
	add(&s, NVP_SGL_DATA_BLOCK, 4096, 100);
	add(&s, NVP_SGL_BIT_BUCKET, 0, 512);
	add(&s, NVP_SGL_DATA_BLOCK, 8192, s.bytes - 1000);
	add(&s, NVP_SGL_BIT_BUCKET, 0, 388);
	build(&s, 4);
	if (!reads_through(t, &s))
		return;
	s.nr = 0;
	add(&s, NVP_SGL_BIT_BUCKET, 0, 512);
	add(&s, NVP_SGL_DATA_BLOCK, 4096, s.bytes / 2);
	add(&s, NVP_SGL_BIT_BUCKET, 0, 256);
	add(&s, NVP_SGL_DATA_BLOCK, 2 * 4096 + s.bytes, s.bytes - s.bytes / 2);
	build(&s, 4);
	writes_through(t, &s, 0);
}

/* PRP-07. A data block of no bytes is valid and moves none; the list goes on behind it. */
static void empty_pieces_move_nothing(struct nvp_t *t)
{
	struct sgl s;

	if (!sgl_new(t, &s, 2))
		return;
	add(&s, NVP_SGL_DATA_BLOCK, 0, 0);
	add(&s, NVP_SGL_DATA_BLOCK, 4096, s.bytes / 2);
	add(&s, NVP_SGL_DATA_BLOCK, 128, 0);
	add(&s, NVP_SGL_DATA_BLOCK, 4096 + s.bytes, s.bytes - s.bytes / 2);
	add(&s, NVP_SGL_DATA_BLOCK, 256, 0);
	build(&s, 8);
	if (reads_through(t, &s))
		writes_through(t, &s, 0);
}

/* A read and a write through this list are refused, and the blocks stay as they were. */
static bool refused(struct nvp_t *t, struct sgl *s, const struct nvp_expect *any, unsigned nr)
{
	static const uint8_t opcodes[] = { NVP_IO_READ, NVP_IO_WRITE };
	struct nvp_cpl cpl;

	nvp_buf_fill(s->room, 0xee);
	for (unsigned i = 0; i < 2; i++) {
		struct nvp_cmd cmd = command(s, opcodes[i]);

		if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)))
			return false;
		nvp_check_status(t, &cpl, any, nr);
	}
	return case_read(t, &s->region, 0, s->region.lbas, s->seen) &&
	       nvp_check_bytes(t, nvp_buf_data(s->seen), nvp_buf_data(s->row), s->bytes);
}

#define LENGTH_INVALID NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_SGL_DATA_LENGTH })
#define SEGMENT_INVALID NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_SGL_SEGMENT })
#define COUNT_INVALID NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_SGL_COUNT })
#define TYPE_INVALID NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_SGL_TYPE })

/*
 * PRP-08. A list that describes less than the command moves, and one that describes more (unless
 * SGLS bit 18 says that this is taken, and then nothing but the data moves).
 */
static void lengths_must_fit(struct nvp_t *t)
{
	bool longer_ok = nvp_t_facts(t)->ctrl.sgls >> 18 & 1;
	struct sgl s;

	if (!sgl_new(t, &s, 4))
		return;
	add(&s, NVP_SGL_DATA_BLOCK, 4096, s.bytes - 4);
	build(&s, 0);
	if (!refused(t, &s, LENGTH_INVALID))
		return;
	add(&s, NVP_SGL_DATA_BLOCK, 0, 0);
	build(&s, 4);
	if (!refused(t, &s, LENGTH_INVALID))
		return;
	s.nr = 1;
	add(&s, NVP_SGL_DATA_BLOCK, 8192 + s.bytes, longer_ok ? 4 : 516);
	build(&s, 4);
	if (longer_ok)
		reads_through(t, &s);
	else
		refused(t, &s, LENGTH_INVALID);
}

/* PRP-08. Types and sub types that are reserved, and the reserved PSDT. */
static void reserved_types_are_refused(struct nvp_t *t)
{
	static const uint8_t identifiers[] = { 0x60, 0xe0, 0x0b };
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct sgl s;

	if (!sgl_new(t, &s, 1))
		return;
	for (unsigned i = 0; i < sizeof(identifiers); i++) {
		s.nr = 0;
		add(&s, NVP_SGL_DATA_BLOCK, 4096, s.bytes / 2);
		add(&s, NVP_SGL_DATA_BLOCK, 8192, s.bytes - s.bytes / 2);
		s.piece[1].identifier = identifiers[i];
		build(&s, 4);
		if (!refused(t, &s, TYPE_INVALID))
			return;
	}
	s.nr = 0;
	add(&s, NVP_SGL_DATA_BLOCK, 4096, s.bytes);
	build(&s, 0);
	cmd = command(&s, NVP_IO_READ);
	nvp_cmd_set_psdt(&cmd, 3);
	nvp_io(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
}

/* PRP-08. Segment descriptors where there must be none, and segments of an impossible length. */
static void segments_are_checked(struct nvp_t *t)
{
	uint8_t *second;
	uint64_t second_iova;
	struct sgl s;

	if (!sgl_new(t, &s, 1))
		return;
	second = nvp_buf_data(s.lists) + 512;
	second_iova = nvp_buf_iova(s.lists, 512);
	nvp_build_sgl(second, NVP_SGL_DATA_BLOCK, nvp_buf_iova(s.room, 8192), s.bytes / 2);

	/* a last segment that ends with a segment descriptor */
	add(&s, NVP_SGL_DATA_BLOCK, 4096, s.bytes - s.bytes / 2);
	s.piece[s.nr++] = (struct nvp_sgl_piece){ .identifier = NVP_SGL_LAST_SEGMENT,
						  .address = second_iova, .bytes = 16 };
	build(&s, 4);
	if (!refused(t, &s, SEGMENT_INVALID))
		return;
	/* a segment descriptor with others behind it */
	add(&s, NVP_SGL_DATA_BLOCK, 0, 0);
	build(&s, 4);
	if (!refused(t, &s, COUNT_INVALID))
		return;
	for (uint32_t bytes = 0; bytes <= 24; bytes += 24) {
		nvp_build_sgl(second, NVP_SGL_DATA_BLOCK, nvp_buf_iova(s.room, 8192), s.bytes);
		nvp_build_sgl(s.sgl1, NVP_SGL_LAST_SEGMENT, second_iova, bytes);
		if (!refused(t, &s, SEGMENT_INVALID))
			return;
	}
}

/* PRP-08. A drive without SGLs does not take the bytes of one for PRPs. */
static void none_are_taken_where_there_are_none(struct nvp_t *t)
{
	struct case_region region;
	struct nvp_buf *buf;
	uint8_t sgl1[NVP_SGL_BYTES];
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (has_sgls(t))
		nvp_skip(t, "SGLS bits 1:0 are not 00b: the drive takes SGLs");
	if (!case_region(t, 1, &region))
		return;
	buf = nvp_t_buf(t, region.lba_bytes);
	if (!buf)
		return;
	nvp_build_sgl(sgl1, NVP_SGL_DATA_BLOCK, nvp_buf_iova(buf, 0), region.lba_bytes);
	cmd = case_transfer(NVP_IO_READ, &region, 0, 1, NULL);
	nvp_cmd_set_sgl(&cmd, sgl1);
	nvp_io(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
}

#define SGL_NEEDS (NVP_NEED_QUEUES | NVP_NEED_DMA | NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)
#define SGL_SPEC(field) { "NVMe Base", "2.0", "4.1.2", field }

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "dptr.sgl-pieces-move-the-data",
		.title = "SGLs of one to 32 data blocks, anywhere, in one to three segments, move "
			 "the data",
		.spec = SGL_SPEC(NULL),
		.rows = NVP_LIST("PRP-07"),
		.needs = SGL_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("sgl-chain-lost", "sgl-many-descriptors-lost",
				    "sgl-address-bits-dropped"),
		.run = pieces_move_the_data,
	}, {
		NVP_CASE,
		.id = "dptr.sgl-bit-buckets-discard",
		.title = "A bit bucket discards its part of a read and takes nothing of a write",
		.spec = SGL_SPEC("SGL Bit Bucket descriptor"),
		.rows = NVP_LIST("PRP-07"),
		.needs = SGL_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("sgl-bit-bucket-shifts-data", "sgl-bit-bucket-counts-in-write"),
		.run = bit_buckets_discard,
	}, {
		NVP_CASE,
		.id = "dptr.sgl-empty-blocks-move-nothing",
		.title = "A data block of no bytes is valid, and the list goes on behind it",
		.spec = SGL_SPEC("SGL Data Block descriptor"),
		.rows = NVP_LIST("PRP-07"),
		.needs = SGL_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("sgl-empty-descriptor-ends-list"),
		.run = empty_pieces_move_nothing,
	}, {
		NVP_CASE,
		.id = "dptr.sgl-lengths-must-fit",
		.title = "An SGL shorter than the data is refused; a longer one unless SGLS permits "
			 "it",
		.spec = SGL_SPEC("Data SGL Length Invalid"),
		.rows = NVP_LIST("PRP-08"),
		.needs = SGL_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("sgl-short-accepted", "sgl-long-accepted",
				    "sgl-length-wrong-status"),
		.run = lengths_must_fit,
	}, {
		NVP_CASE,
		.id = "dptr.sgl-reserved-types-are-refused",
		.title = "Reserved descriptor types and the reserved PSDT are refused",
		.spec = SGL_SPEC("SGL Descriptor Type Invalid"),
		.rows = NVP_LIST("PRP-08"),
		.needs = SGL_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("sgl-type-unchecked", "sgl-subtype-unchecked",
				    "psdt-reserved-accepted"),
		.run = reserved_types_are_refused,
	}, {
		NVP_CASE,
		.id = "dptr.sgl-segments-are-checked",
		.title = "Segment descriptors in the wrong place or of the wrong length are refused",
		.spec = SGL_SPEC("SGL Segment descriptor"),
		.rows = NVP_LIST("PRP-08"),
		.needs = SGL_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("sgl-last-segment-unchecked", "sgl-segment-place-unchecked",
				    "sgl-segment-length-unchecked"),
		.run = segments_are_checked,
	}, {
		NVP_CASE,
		.id = "dptr.sgl-is-refused-where-there-are-none",
		.title = "A drive that takes no SGLs refuses a command with one",
		.spec = { "NVMe Base", "2.0", "3.3.3.1", "PSDT" },
		.rows = NVP_LIST("PRP-08"),
		.needs = SGL_NEEDS,
		.catches = NVP_LIST("sgl-unsupported-accepted"),
		.run = none_are_taken_where_there_are_none,
	},
};

NVP_SUITE(dptr_sgl, cases);
