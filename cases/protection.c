// SPDX-License-Identifier: GPL-2.0-or-later
// Metadata on its way, and protection information that is right: inserted, stripped, passed on.

#include <string.h>

#include "cases/protection.h"

#define LBAS 8

/*
 * Metadata is written with its block and comes back with it, by any number of blocks at a time. The
 * second pass overwrites the first.
 */
static void metadata_comes_back(struct nvp_t *t)
{
	static const char *const passes[] = { "first", "second" };
	struct prot_blocks b, seen;
	struct prot p;

	if (!prot_new(t, &p, LBAS, false) || !prot_blocks_new(t, &p, &b) ||
	    !prot_blocks_new(t, &p, &seen))
		return;
	for (unsigned pass = 0; pass < 2; pass++) {
		prot_fill(t, &p, &b, passes[pass]);
		if (!prot_all(t, &p, &b, NVP_IO_WRITE, 0) ||
		    !prot_all(t, &p, &seen, NVP_IO_READ, 0))
			return;
		prot_equal(t, &p, &seen, &b);
		nvp_buf_fill(seen.data, 0xee);
		nvp_buf_fill(seen.meta, 0xee);
		for (uint32_t i = 0; i < LBAS; i++) {
			struct prot_tags tags = prot_tags(&p, i);
			struct nvp_cpl cpl;

			if (!prot_move(t, &p, &seen, NVP_IO_READ, i, 1, 0, &tags, &cpl))
				return;
			CASE_OK(t, &cpl);
		}
		prot_equal(t, &p, &seen, &b);
	}
}

/* The Metadata Pointer is any dword: metadata lies anywhere in a page, and over its end. */
static bool moves_at(struct nvp_t *t, const struct prot *p, const struct prot_blocks *b,
		     struct nvp_buf *room, size_t at)
{
	static const uint8_t opcodes[] = { NVP_IO_WRITE, NVP_IO_READ };
	size_t bytes = (size_t)p->region.lbas * p->layout.meta_bytes;
	struct prot_tags tags = prot_tags(p, 0);
	struct nvp_cpl cpl;

	for (unsigned i = 0; i < 2; i++) {
		struct nvp_cmd cmd = prot_command(p, b, opcodes[i], 0, p->region.lbas, 0, &tags);

		nvp_cmd_set_mptr(&cmd, nvp_buf_iova(room, at));
		if (i)
			nvp_buf_fill(room, 0xee);
		else
			memcpy(nvp_buf_data(room) + at, nvp_buf_data(b->meta), bytes);
		if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) ||
		    !CASE_SUCCEEDS(t, &cpl))
			return false;
	}
	nvp_check(t, nvp_buf_find_not(room, 0, at, 0xee) < 0 &&
		  nvp_buf_find_not(room, at + bytes, nvp_buf_bytes(room) - at - bytes, 0xee) < 0,
		  "bytes beside the metadata were written");
	return nvp_check_bytes(t, nvp_buf_data(room) + at, nvp_buf_data(b->meta), bytes);
}

static void metadata_lies_anywhere(struct nvp_t *t)
{
	const size_t places[] = { 0, 4, 2048, 4096 - 4, 4096 - 12 };
	struct nvp_buf *room = nvp_t_buf(t, 3 * (size_t)4096);
	struct prot_blocks b;
	struct prot p;

	if (!room || !prot_new(t, &p, LBAS, false) || !prot_blocks_new(t, &p, &b))
		return;
	if (p.extended)
		nvp_skip(t, "metadata is part of the data: there is no Metadata Pointer");
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		prot_fill(t, &p, &b, i % 2 ? "odd" : "even");
		if (!moves_at(t, &p, &b, room, places[i]))
			return;
	}
}

/* ---- PRP-09: the Metadata Pointer with an SGL ---- */

struct meta_sgl {
	struct nvp_buf *list;		/* of MPTR; page 2: further descriptors */
	struct nvp_buf *room;		/* metadata in two pieces */
	struct nvp_sgl_piece piece[2];
	size_t at[2];
};

/* Data by one data block, metadata by PSDT 10b. */
static bool sgl_move(struct nvp_t *t, const struct prot *p, const struct prot_blocks *b,
		     const struct meta_sgl *s, uint8_t opcode, struct nvp_cpl *cpl)
{
	struct prot_tags tags = prot_tags(p, 0);
	struct nvp_cmd cmd = prot_command(p, b, opcode, 0, p->region.lbas, 0, &tags);
	uint8_t sgl1[NVP_SGL_BYTES];

	nvp_build_sgl(sgl1, NVP_SGL_DATA_BLOCK, nvp_buf_iova(b->data, 0),
		      (uint32_t)nvp_buf_bytes(b->data));
	nvp_cmd_set_sgl(&cmd, sgl1);
	nvp_cmd_set_psdt(&cmd, 2);
	nvp_cmd_set_mptr(&cmd, nvp_buf_iova(s->list, 0));
	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, cpl));
}

static void sgl_pieces(struct meta_sgl *s, uint32_t bytes)
{
	struct nvp_sgl_segment segment = { nvp_buf_data(s->list) + 4096,
					   nvp_buf_iova(s->list, 4096), 4 };
	uint32_t first = bytes / 2 & ~3u;

	for (unsigned i = 0; i < 2; i++)
		s->piece[i] = (struct nvp_sgl_piece){ NVP_SGL_DATA_BLOCK,
						      nvp_buf_iova(s->room, s->at[i]),
						      i ? bytes - first : first };
	(void)nvp_build_sgl_list(s->piece, 2, &segment, 1, nvp_buf_data(s->list));
}

static void sgl_copy(const struct meta_sgl *s, uint8_t *row, bool from_room)
{
	for (unsigned i = 0; i < 2; row += s->piece[i++].bytes) {
		uint8_t *piece = nvp_buf_data(s->room) + s->at[i];

		memcpy(from_room ? row : piece, from_room ? piece : row, s->piece[i].bytes);
	}
}

static void metadata_moves_by_sgl(struct nvp_t *t)
{
	struct meta_sgl s = { .at = { 4096 + 64, 20 } };
	struct prot_blocks b, seen;
	uint32_t bytes;
	struct nvp_cpl cpl;
	struct prot p;

	if (!prot_new(t, &p, LBAS, false) || !prot_blocks_new(t, &p, &b) ||
	    !prot_blocks_new(t, &p, &seen))
		return;
	if (p.extended)
		nvp_skip(t, "metadata is part of the data: there is no Metadata Pointer");
	if (!(nvp_t_facts(t)->ctrl.sgls & 3) || !(nvp_t_facts(t)->ctrl.sgls >> 19 & 1))
		nvp_skip(t, "SGLS bit 19 is 0: no SGL for metadata");
	s.list = nvp_t_buf(t, 2 * (size_t)4096);
	s.room = nvp_t_buf(t, 3 * (size_t)4096);
	if (!s.list || !s.room)
		return;
	bytes = (uint32_t)nvp_buf_bytes(b.meta);
	prot_fill(t, &p, &b, "sgl");
	sgl_pieces(&s, bytes);
	sgl_copy(&s, nvp_buf_data(b.meta), false);
	if (!sgl_move(t, &p, &b, &s, NVP_IO_WRITE, &cpl))
		return;
	CASE_OK(t, &cpl);
	nvp_buf_fill(s.room, 0xee);
	if (!sgl_move(t, &p, &seen, &s, NVP_IO_READ, &cpl))
		return;
	CASE_OK(t, &cpl);
	sgl_copy(&s, nvp_buf_data(seen.meta), true);
	prot_equal(t, &p, &seen, &b);

	/* one dword short, and one too long unless SGLS bit 18 permits that */
	sgl_pieces(&s, bytes - 4);
	if (!sgl_move(t, &p, &seen, &s, NVP_IO_READ, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_SGL_METADATA_LENGTH }));
	if (nvp_t_facts(t)->ctrl.sgls >> 18 & 1)
		return;
	sgl_pieces(&s, bytes + 4);
	if (!sgl_move(t, &p, &seen, &s, NVP_IO_READ, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_SGL_METADATA_LENGTH }));
}

/* ---- protection information that is right ---- */

/* The checks that make sense for the type: type 3 has no reference tag to check. */
static unsigned checks_of(const struct prot *p, unsigned checks)
{
	return p->type == 3 ? checks & ~(unsigned)NVP_PRCHK_REF : checks;
}

/* PIM-01. Right information passes every combination of checks, in and out. */
static void right_information_passes(struct nvp_t *t)
{
	struct prot_blocks b, seen;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b) ||
	    !prot_blocks_new(t, &p, &seen))
		return;
	for (unsigned checks = 0; checks <= PROT_CHECK_ALL; checks++) {
		prot_fill(t, &p, &b, checks % 2 ? "odd" : "even");
		nvp_buf_fill(seen.meta, 0xee);
		if (!prot_all(t, &p, &b, NVP_IO_WRITE, checks_of(&p, checks)) ||
		    !prot_all(t, &p, &seen, NVP_IO_READ, checks_of(&p, checks)))
			return;
		prot_equal(t, &p, &seen, &b);
	}
}

/*
 * PIM-01. A reference tag has 32 bits: the block after the one with FFFFFFFFh has 0h, in what the
 * drive is given, in what it inserts, and in what it checks.
 */
static void reference_tags_pass_zero(struct nvp_t *t)
{
	struct prot_blocks b, seen;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true))
		return;
	if (p.type != 2)
		nvp_skip(t, "only with type 2 protection does a tag begin anywhere");
	p.first_reference = 0xfffffffd;
	if (!prot_blocks_new(t, &p, &b) || !prot_blocks_new(t, &p, &seen))
		return;
	prot_fill(t, &p, &b, "wrap");
	if (!prot_all(t, &p, &b, NVP_IO_WRITE, PROT_CHECK_ALL) ||
	    !prot_all(t, &p, &seen, NVP_IO_READ, PROT_CHECK_ALL))
		return;
	prot_equal(t, &p, &seen, &b);
	if (!prot_all(t, &p, &b, NVP_IO_WRITE, NVP_PRACT) ||
	    !prot_all(t, &p, &seen, NVP_IO_READ, PROT_CHECK_ALL))
		return;
	prot_equal(t, &p, &seen, &b);
}

/*
 * PIM-01. With PRACT a write gets its information from the drive, which a read without PRACT shows,
 * and a read with PRACT leaves out where it is all the metadata there is.
 */
static void information_is_inserted_and_stripped(struct nvp_t *t)
{
	struct prot_blocks b, seen;
	struct prot_tags tags;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b) ||
	    !prot_blocks_new(t, &p, &seen))
		return;
	tags = prot_tags(&p, 0);
	prot_fill(t, &p, &b, "insert");
	for (uint32_t i = 0; i < LBAS; i++) {	/* of no use, and not to be used */
		struct nvp_pi junk = { 0x1111, 0x2222, 0x33333333 };

		nvp_pi_put(&p.layout, prot_meta(&p, &b, i), &junk);
	}
	if (!prot_all(t, &p, &b, NVP_IO_WRITE, NVP_PRACT))
		return;
	for (uint32_t i = 0; i < LBAS; i++) {
		struct nvp_pi pi = prot_expected(&p, &b, &tags, i);

		nvp_pi_put(&p.layout, prot_meta(&p, &b, i), &pi);
	}
	if (!prot_all(t, &p, &seen, NVP_IO_READ, 0))
		return;
	prot_equal(t, &p, &seen, &b);

	nvp_buf_fill(seen.data, 0xee);
	nvp_buf_fill(seen.meta, 0xee);
	nvp_buf_fill(seen.wire, 0xee);
	if (!prot_all(t, &p, &seen, NVP_IO_READ, NVP_PRACT | checks_of(&p, PROT_CHECK_ALL)))
		return;
	nvp_check_bytes(t, nvp_buf_data(seen.data), nvp_buf_data(b.data), nvp_buf_bytes(b.data));
	if (!prot_bare(&p, NVP_PRACT))		/* more metadata: all of it comes, as it is */
		prot_equal(t, &p, &seen, &b);
}

/* What Identify Namespace says of protection and metadata can be (4.1.5.1). */
static void settings_are_among_the_capabilities(struct nvp_t *t)
{
	const struct nvp_id_ns *id = &nvp_t_ns(t)->id;
	unsigned type = id->dps & 7;

	nvp_check(t, type <= 3, "DPS bits 2:0 are %u, which is reserved", type);
	nvp_check(t, !type || type > 3 || id->dpc >> (type - 1) & 1,
		  "DPS says type %u, DPC (%02Xh) does not", type, id->dpc);
	nvp_check(t, !type || id->metadata_bytes >= NVP_PI_BYTES,
		  "DPS says type %u, a block has %u bytes of metadata", type, id->metadata_bytes);
	nvp_check(t, !type || id->dpc >> (id->dps >> 3 & 1 ? 3 : 4) & 1,
		  "DPS (%02Xh) says an end of the metadata that DPC (%02Xh) does not", id->dps,
		  id->dpc);
	nvp_check(t, !id->metadata_bytes || id->mc >> (id->flbas >> 4 & 1 ? 0 : 1) & 1,
		  "FLBAS (%02Xh) says a way of the metadata that MC (%02Xh) does not", id->flbas,
		  id->mc);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "protection.metadata-comes-back",
		.title = "Metadata comes back with its block, whatever the number of blocks",
		.spec = PROT_SPEC("2.1.6", "Metadata Region"),
		.rows = NVP_LIST("PIM-01", "PRP-09"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("metadata-of-last-block-lost", "metadata-of-next-block"),
		.run = metadata_comes_back,
	}, {
		NVP_CASE,
		.id = "protection.metadata-lies-anywhere",
		.title = "The Metadata Pointer is any dword of memory",
		.spec = { "NVMe Base", "2.0", "3.3.3.1", "MPTR" },
		.rows = NVP_LIST("PRP-09"),
		.needs = PROT_NEEDS | NVP_NEED_QUEUES | NVP_NEED_DMA,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("metadata-pointer-offset-ignored"),
		.run = metadata_lies_anywhere,
	}, {
		NVP_CASE,
		.id = "protection.metadata-moves-by-sgl",
		.title = "Metadata moves through an SGL, the length of which has to fit",
		.spec = { "NVMe Base", "2.0", "3.3.3.1", "MPTR" },
		.rows = NVP_LIST("PRP-09"),
		.needs = PROT_NEEDS | NVP_NEED_QUEUES | NVP_NEED_DMA,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("metadata-sgl-length-unchecked"),
		.run = metadata_moves_by_sgl,
	}, {
		NVP_CASE,
		.id = "protection.right-information-passes",
		.title = "Right protection information passes all combinations of checks",
		.spec = PROT_SPEC("5.2.3", "PRCHK"),
		.rows = NVP_LIST("PIM-01"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-reference-tag-stuck", "protection-at-wrong-end",
				    "protection-guard-of-data-only",
				    "metadata-before-extended-data"),
		.run = right_information_passes,
	}, {
		NVP_CASE,
		.id = "protection.reference-tags-pass-zero",
		.title = "The reference tag of type 2 goes on with 0h after FFFFFFFFh",
		.spec = PROT_SPEC("5.2.1", "Reference Tag"),
		.rows = NVP_LIST("PIM-01"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-reference-tag-64-bits"),
		.run = reference_tags_pass_zero,
	}, {
		NVP_CASE,
		.id = "protection.information-is-inserted-and-stripped",
		.title = "With PRACT a write gets protection information and a read loses it",
		.spec = PROT_SPEC("5.2.2", "PRACT"),
		.rows = NVP_LIST("PIM-01"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-not-inserted", "protection-not-stripped",
				    "protection-not-stripped-extended",
				    "protection-reference-tag-stuck"),
		.run = information_is_inserted_and_stripped,
	}, {
		NVP_CASE,
		.id = "protection.settings-are-among-the-capabilities",
		.title = "Type, place and way of the metadata are such that DPC and MC offer",
		.spec = PROT_SPEC("4.1.5.1", "DPS"),
		.rows = NVP_LIST("PIM-01"),
		.needs = PROT_NEEDS,
		.catches = NVP_LIST("protection-type-not-offered", "protection-type-reserved",
				    "metadata-way-not-offered"),
		.run = settings_are_among_the_capabilities,
	},
};

NVP_SUITE(protection, cases);
