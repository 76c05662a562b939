// SPDX-License-Identifier: GPL-2.0-or-later
// Metadata and protection information in Write Zeroes, deallocation, Compare, Verify and Copy.

#include <string.h>

#include "cases/protection.h"

#define LBAS 8
#define GUARD NVP_ANY({ NVP_SCT_MEDIA, NVP_SC_GUARD })

static unsigned checks_of(const struct prot *p)
{
	return p->type == 3 ? NVP_PRCHK_GUARD | NVP_PRCHK_APP : PROT_CHECK_ALL;
}

/* Blocks with a wrong guard in the last one, which nothing has checked. */
static bool write_spoilt(struct nvp_t *t, const struct prot *p, const struct prot_blocks *b)
{
	struct nvp_pi pi;

	prot_fill(t, p, b, "spoilt");
	pi = nvp_pi_get(&p->layout, prot_meta(p, b, LBAS - 1));
	pi.guard ^= 1;
	nvp_pi_put(&p->layout, prot_meta(p, b, LBAS - 1), &pi);
	return prot_all(t, p, b, NVP_IO_WRITE, 0);
}

static bool write_good(struct nvp_t *t, const struct prot *p, const struct prot_blocks *b)
{
	prot_fill(t, p, b, "good");
	return prot_all(t, p, b, NVP_IO_WRITE, checks_of(p));
}

/* A command without data over all blocks, with the tags that are right. */
static struct nvp_cmd over_all(const struct prot *p, struct nvp_cmd cmd, unsigned prinfo)
{
	struct prot_tags tags = prot_tags(p, 0);

	nvp_cmd_set_prinfo(&cmd, prinfo);
	nvp_cmd_set_tags(&cmd, tags.reference, tags.application, tags.mask);
	return cmd;
}

/* PIM-06. Write Zeroes with PRACT: zeroes, and the information that belongs to them. */
static void zeroes_get_information(struct nvp_t *t)
{
	struct prot_blocks b, seen;
	struct prot_tags tags;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b) ||
	    !prot_blocks_new(t, &p, &seen) || !write_good(t, &p, &b))
		return;
	tags = prot_tags(&p, 0);
	cmd = over_all(&p, nvp_build_write_zeroes(p.region.nsid, p.region.slba, LBAS - 1, false),
		       NVP_PRACT);
	nvp_io(t, &cmd, &cpl);
	CASE_OK(t, &cpl);
	nvp_buf_fill(b.data, 0);
	nvp_buf_fill(b.meta, 0);
	for (uint32_t i = 0; i < LBAS; i++) {
		struct nvp_pi pi = prot_expected(&p, &b, &tags, i);

		nvp_pi_put(&p.layout, prot_meta(&p, &b, i), &pi);
	}
	if (prot_all(t, &p, &seen, NVP_IO_READ, checks_of(&p)))
		prot_equal(t, &p, &seen, &b);
}

/* PIM-06. A deallocated block has information that stops the checks, so it can be read. */
static void deallocated_blocks_can_be_read(struct nvp_t *t)
{
	struct prot_blocks b, seen;
	struct nvp_buf *range;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b) ||
	    !prot_blocks_new(t, &p, &seen) || !write_good(t, &p, &b))
		return;
	range = nvp_t_buf(t, 16);
	if (!range)
		return;
	nvp_build_dsm_range(nvp_buf_data(range), 0, LBAS, p.region.slba);
	cmd = case_with_data(nvp_build_dsm(p.region.nsid, 0, true, false, false), range);
	nvp_io(t, &cmd, &cpl);
	CASE_OK(t, &cpl);
	prot_all(t, &p, &seen, NVP_IO_READ, checks_of(&p));
}

/* PIM-06. Compare looks at metadata as well, except protection information. */
static void metadata_is_compared(struct nvp_t *t)
{
	struct prot_blocks b;
	struct prot_tags tags;
	struct nvp_cpl cpl;
	struct prot p;
	size_t other;

	if (!prot_new(t, &p, LBAS, false) || !prot_blocks_new(t, &p, &b))
		return;
	if (p.type && p.layout.meta_bytes == NVP_PI_BYTES)
		nvp_skip(t, "all the metadata is protection information");
	prot_fill(t, &p, &b, "compare");
	if (!prot_all(t, &p, &b, NVP_IO_WRITE, 0) || !prot_all(t, &p, &b, NVP_IO_COMPARE, 0))
		return;
	tags = prot_tags(&p, 0);
	other = p.type && p.layout.first ? NVP_PI_BYTES : 0;
	prot_meta(&p, &b, LBAS - 1)[other] ^= 0x04;
	if (!prot_move(t, &p, &b, NVP_IO_COMPARE, 0, LBAS, 0, &tags, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_MEDIA, NVP_SC_COMPARE_FAILURE }));
}

/* PIM-06. Verify checks what is on the media as a read would, and moves nothing. */
static void verify_checks_information(struct nvp_t *t)
{
	struct prot_blocks b;
	struct nvp_cmd verify;
	struct nvp_cpl cpl;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b) || !write_good(t, &p, &b))
		return;
	verify = over_all(&p, nvp_build_verify(p.region.nsid, p.region.slba, LBAS - 1),
			  checks_of(&p));
	nvp_io(t, &verify, &cpl);
	CASE_OK(t, &cpl);
	if (!write_spoilt(t, &p, &b))
		return;
	nvp_io(t, &verify, &cpl);
	nvp_check_status(t, &cpl, GUARD);
	nvp_cmd_set_prinfo(&verify, checks_of(&p) & ~(unsigned)NVP_PRCHK_GUARD);
	nvp_io(t, &verify, &cpl);
	nvp_check_ok(t, &cpl);
	write_good(t, &p, &b);
}

/* ---- Copy: the first half of the region to the second half ---- */

#define HALF (LBAS / 2)

static bool copy_half(struct nvp_t *t, const struct prot *p, struct nvp_buf *range, unsigned read,
		      unsigned write, struct nvp_cpl *cpl)
{
	struct prot_tags from = prot_tags(p, 0), to = prot_tags(p, HALF);
	struct nvp_cmd cmd = nvp_build_copy(p->region.nsid, p->region.slba + HALF, 0, 0);
	uint8_t *r = nvp_buf_data(range);

	nvp_build_copy_range(r, p->region.slba, HALF - 1);
	for (unsigned i = 0; i < 4; i++)
		r[24 + i] = (uint8_t)(from.reference >> 8 * i);
	for (unsigned i = 0; i < 2; i++) {
		r[28 + i] = (uint8_t)(from.application >> 8 * i);
		r[30 + i] = (uint8_t)(from.mask >> 8 * i);
	}
	nvp_cmd_set_prinfo(&cmd, write);
	nvp_sqe_set_dw(&cmd.sqe, 12, nvp_sqe_dw(&cmd.sqe, 12) | read << 12);	/* PRINFOR */
	nvp_cmd_set_tags(&cmd, to.reference, to.application, to.mask);
	cmd.data = range;
	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, cpl));
}

/*
 * PIM-06. With PRACT in both fields what is read is checked and what is written gets information
 * of its new place; a source that fails the check is not copied.
 */
static void copies_get_information(struct nvp_t *t)
{
	struct prot_blocks b, seen;
	struct nvp_buf *range;
	struct nvp_cpl cpl;
	struct prot_tags to;
	struct prot p;

	if (!(nvp_t_facts(t)->ctrl.oncs >> 8 & 1))
		nvp_skip(t, "ONCS bit 8 is clear: the drive has no Copy");
	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b) ||
	    !prot_blocks_new(t, &p, &seen) || !write_good(t, &p, &b))
		return;
	range = nvp_t_buf(t, 32);
	if (!range || !copy_half(t, &p, range, NVP_PRACT | checks_of(&p), NVP_PRACT, &cpl))
		return;
	CASE_OK(t, &cpl);
	to = prot_tags(&p, HALF);
	for (uint32_t i = 0; i < HALF; i++) {
		struct nvp_pi pi;

		memcpy(prot_data(&p, &b, HALF + i), prot_data(&p, &b, i), p.layout.lba_bytes);
		memcpy(prot_meta(&p, &b, HALF + i), prot_meta(&p, &b, i), p.layout.meta_bytes);
		pi = nvp_pi_get(&p.layout, prot_meta(&p, &b, i));
		pi.reference = prot_reference(&p, &to, i);
		nvp_pi_put(&p.layout, prot_meta(&p, &b, HALF + i), &pi);
	}
	if (!prot_all(t, &p, &seen, NVP_IO_READ, 0))
		return;
	prot_equal(t, &p, &seen, &b);

	nvp_buf_data(b.data)[7] ^= 0x10;		/* block 0 no longer fits its guard */
	if (!prot_all(t, &p, &b, NVP_IO_WRITE, 0) ||
	    !copy_half(t, &p, range, NVP_PRACT | NVP_PRCHK_GUARD, NVP_PRACT, &cpl))
		return;
	nvp_check_status(t, &cpl, GUARD);
	if (prot_all(t, &p, &seen, NVP_IO_READ, 0))
		prot_equal(t, &p, &seen, &b);
	write_good(t, &p, &b);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "protection.zeroes-get-information",
		.title = "Write Zeroes with PRACT writes protection information of zeroes",
		.spec = PROT_SPEC("3.2.8", "PRINFO"),
		.rows = NVP_LIST("PIM-06"),
		.needs = PROT_NEEDS | NVP_NEED_WRITE_ZEROES,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-missing-of-zeroes"),
		.run = zeroes_get_information,
	}, {
		NVP_CASE,
		.id = "protection.deallocated-blocks-can-be-read",
		.title = "Deallocated blocks pass all checks",
		.spec = PROT_SPEC("3.2.3.2.1", NULL),
		.rows = NVP_LIST("PIM-06"),
		.needs = PROT_NEEDS | NVP_NEED_DSM,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-of-deallocated-zero"),
		.run = deallocated_blocks_can_be_read,
	}, {
		NVP_CASE,
		.id = "protection.metadata-is-compared",
		.title = "Compare looks at metadata that is not protection information",
		.spec = PROT_SPEC("3.2.1", NULL),
		.rows = NVP_LIST("PIM-06"),
		.needs = PROT_NEEDS | NVP_NEED_COMPARE,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("compare-ignores-metadata"),
		.run = metadata_is_compared,
	}, {
		NVP_CASE,
		.id = "protection.verify-checks-information",
		.title = "Verify checks protection information as PRCHK says",
		.spec = PROT_SPEC("3.2.5", "PRINFO"),
		.rows = NVP_LIST("PIM-06"),
		.needs = PROT_NEEDS | NVP_NEED_VERIFY,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-verify-unchecked",
				    "protection-verify-always-checked"),
		.run = verify_checks_information,
	}, {
		NVP_CASE,
		.id = "protection.copies-get-information",
		.title = "Copy checks the information of its sources and makes that of its "
			 "destination",
		.spec = PROT_SPEC("3.2.2", "PRINFOR, PRINFOW"),
		.rows = NVP_LIST("PIM-06"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-copy-unchecked", "protection-copy-keeps-tags"),
		.run = copies_get_information,
	},
};

NVP_SUITE(protection_commands, cases);
