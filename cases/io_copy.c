// SPDX-License-Identifier: GPL-2.0-or-later
// Copy: ranges in their order, the limits of Identify Namespace, sources that cannot be read.

#include "cases/common.h"

#define REGION 48
#define TARGET 24	/* first block of the destination in the region */
#define NR_RANGES 4

#define CASE_SIZE_LIMIT NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_SIZE_LIMIT })

struct copy {
	struct case_written w;
	struct nvp_buf *ranges;
};

/* ONCS bit 8 and limits that are of use; a region, and a buffer for 256 ranges. */
static bool copy_new(struct nvp_t *t, struct copy *c)
{
	const struct nvp_id_ns *id = &nvp_t_ns(t)->id;

	if (!(nvp_t_facts(t)->ctrl.oncs & 1 << 8)) {
		nvp_skip_at(t, __FILE__, __LINE__, "ONCS does not claim Copy");
		return false;
	}
	if (!id->mssrl_lbas || !id->mcl_lbas) {
		nvp_skip_at(t, __FILE__, __LINE__, "MSSRL %u, MCL %u: no copy is possible",
			    id->mssrl_lbas, id->mcl_lbas);
		return false;
	}
	c->ranges = nvp_t_buf(t, 256 * 32);
	return c->ranges && case_written_new(t, REGION, &c->w);
}

static void set_range(struct copy *c, unsigned i, uint64_t slba, uint32_t lbas)
{
	nvp_build_copy_range(nvp_buf_data(c->ranges) + 32 * i, slba, (uint16_t)(lbas - 1));
}

static bool send_copy(struct nvp_t *t, struct copy *c, uint64_t to, unsigned nr, uint8_t format,
		      struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_copy(c->w.region.nsid, to, (uint8_t)(nr - 1),
							   format), c->ranges);

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, cpl));
}

/* In the buffer of what has to be there: what a good copy does. */
static void model_copy(struct copy *c, uint32_t from, uint32_t to, uint32_t lbas)
{
	size_t bytes = c->w.region.lba_bytes;
	uint8_t *data = nvp_buf_data(c->w.data);

	memmove(data + to * bytes, data + from * bytes, lbas * bytes);
}

/* IOC-18. A drive with Copy says how much it can copy: MSSRL, MCL at least that, format 0h. */
static void copy_limits_are_stated(struct nvp_t *t)
{
	const struct nvp_id_ns *id = &nvp_t_ns(t)->id;

	if (!(nvp_t_facts(t)->ctrl.oncs & 1 << 8))
		nvp_skip(t, "ONCS does not claim Copy");
	nvp_check(t, id->mssrl_lbas && id->mcl_lbas >= id->mssrl_lbas, "MSSRL %u, MCL %u",
		  id->mssrl_lbas, id->mcl_lbas);
}

/*
 * IOC-18. Several source ranges, of different lengths and not in the order of their addresses,
 * follow each other in the destination; sources and the blocks around stay as they are.
 */
static void copy_keeps_the_order_of_ranges(struct nvp_t *t)
{
	static const struct {
		uint32_t first, lbas;
	} sources[NR_RANGES] = { { 12, 4 }, { 2, 3 }, { 7, 1 }, { 0, 2 } };
	const struct nvp_id_ns *id = &nvp_t_ns(t)->id;
	uint32_t to = TARGET;
	struct nvp_cpl cpl;
	unsigned nr = 0;
	struct copy c;

	if (!copy_new(t, &c))
		return;
	for (; nr < NR_RANGES && nr <= id->msrc_z; nr++) {
		uint32_t lbas = sources[nr].lbas;

		lbas = lbas > id->mssrl_lbas ? id->mssrl_lbas : lbas;
		if (to - TARGET + lbas > id->mcl_lbas)
			break;
		set_range(&c, nr, c.w.region.slba + sources[nr].first, lbas);
		model_copy(&c, sources[nr].first, to, lbas);
		to += lbas;
	}
	if (!send_copy(t, &c, c.w.region.slba + TARGET, nr, 0, &cpl))
		return;
	CASE_OK(t, &cpl);
	case_written_holds(t, &c.w, 0, REGION);
}

/* A refused copy wrote nothing, so Dword 0 is 0 (3.2.2.1). */
static bool nothing_copied(struct nvp_t *t, struct copy *c, const struct nvp_cpl *cpl)
{
	if (!nvp_cpl_ok(cpl))
		nvp_check_eq_by(t, NVP_SPEC("NVM Command Set", "1.0", "3.2.2.1", "Dword 0"),
				cpl->dw0, 0);
	return case_written_holds(t, &c->w, TARGET, 2);
}

/* IOC-18. A range longer than MSSRL, ranges longer than MCL, more than MSRC: Command Size Limit. */
static void copy_limits_are_kept(struct nvp_t *t)
{
	const struct nvp_id_ns *id = &nvp_t_ns(t)->id;
	uint32_t full = id->mssrl_lbas ? id->mcl_lbas / id->mssrl_lbas : 0;
	uint64_t to, source = 0;
	struct nvp_cpl cpl;
	struct copy c;

	if (!copy_new(t, &c))
		return;
	to = c.w.region.slba + TARGET;
	if (id->mssrl_lbas < id->nsze_lbas) {
		set_range(&c, 0, source, id->mssrl_lbas + 1u);
		if (!send_copy(t, &c, to, 1, 0, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_SIZE_LIMIT);
		if (!nothing_copied(t, &c, &cpl))
			return;
	}
	if (full + 1 <= id->msrc_z + 1u && id->mcl_lbas < id->nsze_lbas - to) {
		for (unsigned i = 0; i < full; i++)
			set_range(&c, i, source, id->mssrl_lbas);
		set_range(&c, full, source, id->mcl_lbas - full * id->mssrl_lbas + 1);
		if (!send_copy(t, &c, to, full + 1, 0, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_SIZE_LIMIT);
		if (!nothing_copied(t, &c, &cpl))
			return;
	}
	if (id->msrc_z < 255) {
		for (unsigned i = 0; i < id->msrc_z + 2u; i++)
			set_range(&c, i, source, 1);
		if (!send_copy(t, &c, to, id->msrc_z + 2u, 0, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_SIZE_LIMIT);
		nothing_copied(t, &c, &cpl);
	}
}

/* IOC-18. Sources and destinations past the end, and a format that OCFS does not have. */
static void bad_copies_are_refused(struct nvp_t *t)
{
	uint64_t nsze = nvp_t_ns(t)->id.nsze_lbas;
	uint16_t ocfs = nvp_t_facts(t)->ctrl.ocfs;
	struct nvp_cpl cpl;
	unsigned format;
	struct copy c;

	if (!copy_new(t, &c))
		return;
	set_range(&c, 0, nsze, 1);
	if (!send_copy(t, &c, c.w.region.slba + TARGET, 1, 0, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_LBA_RANGE);
	set_range(&c, 0, c.w.region.slba, 1);
	if (!send_copy(t, &c, nsze, 1, 0, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_LBA_RANGE);
	for (format = 0; format < 15 && (ocfs | 0x0f) >> format & 1;)
		format++;
	if (!send_copy(t, &c, c.w.region.slba + TARGET, 1, (uint8_t)format, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	case_written_holds(t, &c.w, 0, REGION);
}

/* IOC-18, IOC-11. What cannot be read cannot be copied: Unrecovered Read Error. */
static void unreadable_sources_are_not_copied(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	struct nvp_cmd cmd;
	struct copy c;

	if (!copy_new(t, &c) || !case_written_at_end(t, &c.w))
		return;
	cmd = nvp_build_write_uncorrectable(c.w.region.nsid, c.w.region.slba, 0);
	nvp_io(t, &cmd, &cpl);
	CASE_OK(t, &cpl);
	set_range(&c, 0, c.w.region.slba, 1);
	if (!send_copy(t, &c, c.w.region.slba + TARGET, 1, 0, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_MEDIA, NVP_SC_UNRECOVERED_READ }));
	nothing_copied(t, &c, &cpl);
}

/*
 * IOC-18. A destination that overlaps its source: no section says what is read when, but a careful
 * drive moves the blocks as they were. Blocks outside the destination stay as they are.
 */
static void an_overlapping_copy_moves(struct nvp_t *t)
{
	uint32_t lbas = nvp_t_ns(t)->id.mssrl_lbas < 8 ? nvp_t_ns(t)->id.mssrl_lbas : 8;
	size_t bytes = nvp_t_ns(t)->id.lba_bytes;
	struct nvp_cpl cpl;
	struct copy c;

	if (!copy_new(t, &c))
		return;
	if (lbas > nvp_t_ns(t)->id.mcl_lbas)
		lbas = nvp_t_ns(t)->id.mcl_lbas;
	set_range(&c, 0, c.w.region.slba + 4, lbas);
	if (!send_copy(t, &c, c.w.region.slba + 5, 1, 0, &cpl))
		return;
	if (!nvp_cpl_ok(&cpl)) {
		nvp_check_status_by(t, CASE_SHOULD, &cpl, NVP_OK);
		return;
	}
	model_copy(&c, 4, 5, lbas);
	if (!case_written_holds(t, &c.w, 0, 5) ||
	    !case_written_holds(t, &c.w, 5 + lbas, REGION - 5 - lbas))
		return;
	for (uint32_t i = 5; i < 5 + lbas; i++)
		if (!case_read(t, &c.w.region, i, 1, c.w.seen))
			return;
	nvp_check_bytes_by(t, CASE_SHOULD, nvp_buf_data(c.w.seen) + 5 * bytes,
			   nvp_buf_data(c.w.data) + 5 * bytes, lbas * bytes);
}

#define IO_NEEDS (NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "io.copy-limits-are-stated",
		.title = "A drive with Copy states limits that let something be copied",
		.spec = { "NVM Command Set", "1.0", "4.1.5.1", "MSSRL, MCL" },
		.rows = NVP_LIST("IOC-18"),
		.needs = NVP_NEED_NAMESPACE,
		.catches = NVP_LIST("copy-limits-zero"),
		.run = copy_limits_are_stated,
	}, {
		NVP_CASE,
		.id = "io.copy-keeps-the-order-of-ranges",
		.title = "Source ranges follow each other in the destination, and nothing else "
			 "changes",
		.spec = { "NVM Command Set", "1.0", "3.2.2", NULL },
		.rows = NVP_LIST("IOC-18"),
		.needs = IO_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("copy-wrong-order", "copy-last-range-missing",
				    "copy-destination-off-by-one", "copy-ranges-one-block-short",
				    "copy-clears-source"),
		.run = copy_keeps_the_order_of_ranges,
	}, {
		NVP_CASE,
		.id = "io.copy-limits-are-kept",
		.title = "More than MSSRL, MCL or MSRC permit gives Command Size Limit Exceeded",
		.spec = { "NVM Command Set", "1.0", "3.2.2", "Command Size Limit Exceeded" },
		.rows = NVP_LIST("IOC-18"),
		.needs = IO_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("copy-mssrl-unchecked", "copy-mcl-unchecked",
				    "copy-msrc-unchecked", "copy-result-wrong"),
		.run = copy_limits_are_kept,
	}, {
		NVP_CASE,
		.id = "io.bad-copies-are-refused",
		.title = "Ranges past the end and unknown descriptor formats are refused",
		.spec = { "NVM Command Set", "1.0", "3.2.2", NULL },
		.rows = NVP_LIST("IOC-18"),
		.needs = IO_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("copy-source-past-end-accepted",
				    "copy-destination-past-end-accepted", "copy-format-unchecked"),
		.run = bad_copies_are_refused,
	}, {
		NVP_CASE,
		.id = "io.unreadable-sources-are-not-copied",
		.title = "Copy of a block that cannot be read gives Unrecovered Read Error",
		.spec = { "NVM Command Set", "1.0", "3.2.7", NULL },
		.rows = NVP_LIST("IOC-11", "IOC-18"),
		.needs = IO_NEEDS | NVP_NEED_WRITE_UNCORRECTABLE,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("copy-ignores-uncorrectable"),
		.run = unreadable_sources_are_not_copied,
	}, {
		NVP_CASE,
		.id = "io.an-overlapping-copy-moves",
		.title = "A copy over a part of its own source moves the blocks as they were",
		.spec = { "NVM Command Set", "1.0", "3.2.2", NULL },
		.rows = NVP_LIST("IOC-18"),
		.needs = IO_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("copy-overlap-corrupts", "copy-overlap-refused"),
		.run = an_overlapping_copy_moves,
	},
};

NVP_SUITE(io_copy, cases);
