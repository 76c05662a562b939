// SPDX-License-Identifier: GPL-2.0-or-later
// Protection information that is wrong: found where it is checked, and only there.

#include <string.h>

#include "cases/protection.h"

#define LBAS 4
#define GUARD { NVP_SCT_MEDIA, NVP_SC_GUARD }
#define APPLICATION { NVP_SCT_MEDIA, NVP_SC_APPLICATION_TAG }
#define REFERENCE { NVP_SCT_MEDIA, NVP_SC_REFERENCE_TAG }

/* What is done to one block's information, which check sees it, and what that says. */
static const struct wrong {
	const char *what;
	uint16_t guard, application;
	uint32_t reference;		/* all three: bits that are inverted */
	unsigned seen_by;
	struct nvp_expect status;
} wrongs[] = {
	{ "guard", 0x0100, 0, 0, NVP_PRCHK_GUARD, GUARD },
	{ "application tag", 0, 0x0001, 0, NVP_PRCHK_APP, APPLICATION },
	{ "bit 0 of the reference tag", 0, 0, 0x00000001, NVP_PRCHK_REF, REFERENCE },
	{ "bit 31 of the reference tag", 0, 0, 0x80000000, NVP_PRCHK_REF, REFERENCE },
};

static unsigned checks_of(const struct prot *p)
{
	return p->type == 3 ? NVP_PRCHK_GUARD | NVP_PRCHK_APP : PROT_CHECK_ALL;
}

/* Block i with its right information, or with a wrong one. */
static void spoil(const struct prot *p, const struct prot_blocks *b, uint32_t i,
		  const struct wrong *wrong)
{
	struct prot_tags tags = prot_tags(p, 0);
	struct nvp_pi pi = prot_expected(p, b, &tags, i);

	pi.guard ^= wrong->guard;
	pi.application ^= wrong->application;
	pi.reference ^= wrong->reference;
	nvp_pi_put(&p->layout, prot_meta(p, b, i), &pi);
}

/*
 * A command over all blocks, of which one is spoilt, with these checks: refused if one of them
 * sees it, else carried out.
 */
static bool judged(struct nvp_t *t, const struct prot *p, const struct prot_blocks *b,
		   uint8_t opcode, const struct wrong *wrong, unsigned checks)
{
	struct prot_tags tags = prot_tags(p, 0);
	struct nvp_cpl cpl;

	if (!prot_move(t, p, b, opcode, 0, LBAS, checks, &tags, &cpl))
		return false;
	if (checks & wrong->seen_by)
		nvp_check_status(t, &cpl, &wrong->status, 1);
	else
		nvp_check(t, nvp_cpl_ok(&cpl), "wrong %s, PRCHK %u: status %u/%02Xh", wrong->what,
			  checks, cpl.status.sct, cpl.status.sc);
	return true;
}

/* PIM-02, writes. A block that is refused is not written, nor are those beside it. */
static void writes_find_wrong_information(struct nvp_t *t)
{
	struct prot_blocks b, good, seen;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b) ||
	    !prot_blocks_new(t, &p, &good) || !prot_blocks_new(t, &p, &seen))
		return;
	prot_fill(t, &p, &good, "good");
	if (!prot_all(t, &p, &good, NVP_IO_WRITE, 0))
		return;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		const struct wrong *wrong = &wrongs[i];

		if (!(wrong->seen_by & checks_of(&p)))
			continue;
		prot_fill(t, &p, &b, "spoilt");
		spoil(&p, &b, LBAS - 1 - i % 2, wrong);
		if (!judged(t, &p, &b, NVP_IO_WRITE, wrong, checks_of(&p)) ||
		    !judged(t, &p, &b, NVP_IO_WRITE, wrong, wrong->seen_by) ||
		    !prot_all(t, &p, &seen, NVP_IO_READ, 0))
			return;
		prot_equal(t, &p, &seen, &good);
		if (!judged(t, &p, &b, NVP_IO_WRITE, wrong, checks_of(&p) & ~wrong->seen_by) ||
		    !prot_all(t, &p, &good, NVP_IO_WRITE, checks_of(&p)))
			return;
	}
}

/* PIM-02, reads. What was written unchecked is found when it is read. */
static void reads_find_wrong_information(struct nvp_t *t)
{
	struct prot_blocks b, seen;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b) ||
	    !prot_blocks_new(t, &p, &seen))
		return;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		const struct wrong *wrong = &wrongs[i];

		if (!(wrong->seen_by & checks_of(&p)))
			continue;
		prot_fill(t, &p, &b, "spoilt");
		spoil(&p, &b, 1 + i % 3, wrong);
		if (!prot_all(t, &p, &b, NVP_IO_WRITE, 0))
			return;
		if (!judged(t, &p, &seen, NVP_IO_READ, wrong, checks_of(&p)) ||
		    !judged(t, &p, &seen, NVP_IO_READ, wrong, wrong->seen_by) ||
		    !judged(t, &p, &seen, NVP_IO_READ, wrong, checks_of(&p) & ~wrong->seen_by))
			return;
		prot_equal(t, &p, &seen, &b);
	}
	prot_fill(t, &p, &b, "good");
	prot_all(t, &p, &b, NVP_IO_WRITE, checks_of(&p));
}

/* PIM-02. Bits of the application tag that the mask leaves out are not compared. */
static void the_mask_selects_bits(struct nvp_t *t)
{
	static const struct { uint16_t flips, mask; bool good; } rows[] = {
		{ 0x0ff0, 0xf00f, true }, { 0xffff, 0x0000, true }, { 0x0010, 0x0010, false },
		{ 0x8000, 0x7fff, true }, { 0x8000, 0x8000, false },
	};
	struct prot_blocks b;
	struct nvp_cpl cpl;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b))
		return;
	prot_fill(t, &p, &b, "mask");
	if (!prot_all(t, &p, &b, NVP_IO_WRITE, 0))
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct prot_tags tags = prot_tags(&p, 0);

		tags.application ^= rows[i].flips;
		tags.mask = rows[i].mask;
		if (!prot_move(t, &p, &b, NVP_IO_READ, 0, LBAS, NVP_PRCHK_APP, &tags, &cpl))
			return;
		if (rows[i].good)
			CASE_OK(t, &cpl);
		else
			nvp_check_status(t, &cpl, NVP_ANY(APPLICATION));
	}
}

/*
 * PIM-03. Application tag FFFFh stops all checks of a block for types 1 and 2; for type 3 the
 * reference tag has to be FFFFFFFFh as well.
 */
static void escape_values_stop_checks(struct nvp_t *t)
{
	struct nvp_pi pi = { 0x1234, 0xffff, 0x87654321 };
	struct prot_tags tags;
	struct prot_blocks b;
	struct nvp_cpl cpl;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b))
		return;
	tags = prot_tags(&p, 0);
	prot_fill(t, &p, &b, "escape");
	if (p.type == 3) {
		nvp_pi_put(&p.layout, prot_meta(&p, &b, 2), &pi);
		if (!prot_move(t, &p, &b, NVP_IO_WRITE, 0, LBAS, NVP_PRCHK_GUARD, &tags, &cpl))
			return;
		nvp_check_status(t, &cpl, NVP_ANY(GUARD));
		pi.reference = 0xffffffff;
	}
	nvp_pi_put(&p.layout, prot_meta(&p, &b, 2), &pi);
	if (!prot_all(t, &p, &b, NVP_IO_WRITE, checks_of(&p)) ||
	    !prot_all(t, &p, &b, NVP_IO_READ, checks_of(&p)))
		return;
	prot_fill(t, &p, &b, "good");
	prot_all(t, &p, &b, NVP_IO_WRITE, checks_of(&p));
}

/*
 * PIM-04. Type 1: the initial reference tag is the low half of the LBA, or the check of it makes
 * no sense. Type 3 has no reference tag that could be checked.
 */
static void impossible_checks_are_refused(struct nvp_t *t)
{
	static const uint8_t opcodes[] = { NVP_IO_READ, NVP_IO_WRITE };
	struct prot_tags tags;
	struct prot_blocks b;
	struct nvp_cpl cpl;
	struct prot p;

	if (!prot_new(t, &p, LBAS, true) || !prot_blocks_new(t, &p, &b))
		return;
	if (p.type == 2)
		nvp_skip(t, "type 2 takes any reference tag");
	prot_fill(t, &p, &b, "refused");
	if (!prot_all(t, &p, &b, NVP_IO_WRITE, 0))
		return;
	tags = prot_tags(&p, 0);
	tags.reference ^= 0x100;
	for (unsigned i = 0; i < 2; i++) {
		if (!prot_move(t, &p, &b, opcodes[i], 0, 1, NVP_PRCHK_REF, &tags, &cpl))
			return;
		if (p.type == 1)
			nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND,
							    NVP_SC_PROTECTION_INVALID }));
		else
			nvp_check_status_by(t, CASE_SHOULD, &cpl,
					    NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_PROTECTION_INVALID },
						    { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD }));
	}
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "protection.writes-find-wrong-information",
		.title = "A write with a wrong guard or tag is refused by the check of it alone",
		.spec = PROT_SPEC("5.2.3", "PRCHK"),
		.rows = NVP_LIST("PIM-02"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-guard-unchecked",
				    "protection-application-tag-unchecked",
				    "protection-reference-tag-unchecked",
				    "protection-reference-tag-16-bits", "protection-wrong-status",
				    "protection-first-block-only", "protection-write-unchecked",
				    "protection-always-checked"),
		.run = writes_find_wrong_information,
	}, {
		NVP_CASE,
		.id = "protection.reads-find-wrong-information",
		.title = "A read of a wrong guard or tag is refused by the check of it alone",
		.spec = PROT_SPEC("5.2.3", "PRCHK"),
		.rows = NVP_LIST("PIM-02"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-guard-unchecked",
				    "protection-reference-tag-16-bits",
				    "protection-first-block-only", "protection-read-unchecked",
				    "protection-always-checked"),
		.run = reads_find_wrong_information,
	}, {
		NVP_CASE,
		.id = "protection.the-mask-selects-bits",
		.title = "Only bits of the application tag that the mask names are compared",
		.spec = PROT_SPEC("5.2.3", "ELBATM"),
		.rows = NVP_LIST("PIM-02"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-mask-ignored",
				    "protection-application-tag-unchecked"),
		.run = the_mask_selects_bits,
	}, {
		NVP_CASE,
		.id = "protection.escape-values-stop-checks",
		.title = "Tags of all ones stop the checks of a block",
		.spec = PROT_SPEC("5.2.1", "Application Tag"),
		.rows = NVP_LIST("PIM-03"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-escape-ignored", "protection-escape-type-3"),
		.run = escape_values_stop_checks,
	}, {
		NVP_CASE,
		.id = "protection.impossible-checks-are-refused",
		.title = "Type 1 with another reference tag than the LBA, and type 3 with any, "
			 "are refused",
		.spec = PROT_SPEC("5.2.3", "PRCHK"),
		.rows = NVP_LIST("PIM-04"),
		.needs = PROT_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("protection-type-1-tag-unchecked",
				    "protection-type-3-tag-accepted"),
		.run = impossible_checks_are_refused,
	},
};

NVP_SUITE(protection_wrong, cases);
