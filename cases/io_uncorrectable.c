// SPDX-License-Identifier: GPL-2.0-or-later
// Write Uncorrectable and Verify: blocks that cannot be read, until they are written again.

#include "cases/common.h"

#define REGION 16
#define FIRST 5		/* of the marked blocks in the region */
#define MARKED 3

#define CASE_UNRECOVERED NVP_ANY({ NVP_SCT_MEDIA, NVP_SC_UNRECOVERED_READ })

static bool mark(struct nvp_t *t, struct case_written *w)
{
	struct nvp_cpl cpl;
	struct nvp_cmd cmd;

	if (!case_written_new(t, REGION, w) || !case_written_at_end(t, w))
		return false;
	cmd = nvp_build_write_uncorrectable(w->region.nsid, w->region.slba + FIRST, MARKED - 1);
	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

/* A command on blocks of the region, whatever the drive answers. */
static bool send(struct nvp_t *t, uint8_t opcode, const struct case_written *w, uint32_t first,
		 uint32_t lbas, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_transfer(opcode, &w->region, first, lbas, w->seen);

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, cpl));
}

static bool marked_cannot_be_read(struct nvp_t *t, struct case_written *w)
{
	struct nvp_cpl cpl;

	for (uint32_t i = FIRST; i < FIRST + MARKED; i++) {
		if (!send(t, NVP_IO_READ, w, i, 1, &cpl))
			return false;
		nvp_check_status(t, &cpl, CASE_UNRECOVERED);
	}
	return true;
}

/*
 * IOC-11, IOC-12. Marked blocks give Unrecovered Read Error, alone and in the middle of a larger
 * read, for Compare too; their neighbours read as before; a range past the end is refused.
 */
static void marked_blocks_cannot_be_read(struct nvp_t *t)
{
	uint32_t most = case_max_lbas(t);
	struct nvp_cpl cpl;
	struct nvp_cmd cmd;
	struct case_written w;

	if (!mark(t, &w) || !marked_cannot_be_read(t, &w) ||
	    !case_written_holds(t, &w, 0, FIRST) ||
	    !case_written_holds(t, &w, FIRST + MARKED, REGION - FIRST - MARKED))
		return;
	if (most >= MARKED + 2) {
		if (!send(t, NVP_IO_READ, &w, FIRST - 1, MARKED + 2, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_UNRECOVERED);
	}
	if (nvp_t_facts(t)->ctrl.oncs & 1) {
		nvp_buf_fill(w.seen, 0);
		if (!send(t, NVP_IO_COMPARE, &w, FIRST, 1, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_UNRECOVERED);
	}
	cmd = nvp_build_write_uncorrectable(w.region.nsid, nvp_t_ns(t)->id.nsze_lbas - 1, 1);
	nvp_io(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, CASE_LBA_RANGE);
}

/* IOC-11. A write of one of the blocks makes it readable, and it alone; so does Write Zeroes. */
static void writing_cures_marked_blocks(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	struct nvp_cmd cmd;
	struct case_written w;

	if (!mark(t, &w) || !case_write(t, &w.region, FIRST, 1, w.data) ||
	    !case_written_holds(t, &w, FIRST, 1))
		return;
	if (!send(t, NVP_IO_READ, &w, FIRST + 1, 1, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_UNRECOVERED);
	if (nvp_t_facts(t)->ctrl.oncs & 1 << 3) {
		cmd = nvp_build_write_zeroes(w.region.nsid, w.region.slba + FIRST + 1, 0, false);
		nvp_io(t, &cmd, &cpl);
		CASE_OK(t, &cpl);
		if (!case_read(t, &w.region, FIRST + 1, 1, w.seen))
			return;
	}
	if (!case_written_write(t, &w))
		return;
	case_written_holds(t, &w, 0, REGION);
}

/* IOC-17. Verify of good blocks succeeds and changes nothing; past the end it is refused. */
static void verify_reads_all_of_its_range(struct nvp_t *t)
{
	struct case_written w;
	struct nvp_cpl cpl;
	struct nvp_cmd cmd;

	if (!case_written_new(t, REGION, &w))
		return;
	cmd = nvp_build_verify(w.region.nsid, w.region.slba, REGION - 1);
	nvp_io(t, &cmd, &cpl);
	CASE_OK(t, &cpl);
	if (!case_written_holds(t, &w, 0, REGION))
		return;
	cmd = nvp_build_verify(w.region.nsid, nvp_t_ns(t)->id.nsze_lbas - 1, 1);
	nvp_io(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, CASE_LBA_RANGE);
}

/* IOC-11, IOC-17. Verify of a range with a marked block gives Unrecovered Read Error. */
static void verify_finds_marked_blocks(struct nvp_t *t)
{
	struct case_written w;
	struct nvp_cpl cpl;
	struct nvp_cmd cmd;

	if (!mark(t, &w))
		return;
	for (uint32_t lbas = 1; lbas <= REGION; lbas += REGION - 1) {
		uint32_t first = lbas == 1 ? FIRST : 0;

		cmd = nvp_build_verify(w.region.nsid, w.region.slba + first, (uint16_t)(lbas - 1));
		nvp_io(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, CASE_UNRECOVERED);
	}
}

/*
 * IOC-17. VSL is a recommendation where ONCS claims Verify: a larger command had better succeed.
 * Where ONCS does not claim it, VSL alone says that the command is there, and is a limit.
 */
static void verify_above_its_limit(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	uint32_t bytes = nvp_t_ns(t)->id.lba_bytes;
	uint64_t limit = 0, lbas;
	struct nvp_cpl cpl;
	struct nvp_cmd cmd;

	if (facts->has_ctrl_nvm && facts->ctrl_nvm.vsl && facts->ctrl_nvm.vsl < 32)
		limit = UINT64_C(4096) << (facts->cap.mpsmin + facts->ctrl_nvm.vsl);
	if (!limit)
		nvp_skip(t, "the drive states no Verify Size Limit");
	lbas = limit / bytes + 1;
	if (lbas > 65536 || lbas > nvp_t_ns(t)->id.nsze_lbas)
		nvp_skip(t, "no command of this namespace is larger than the limit");
	cmd = nvp_build_verify(nvp_t_ns(t)->nsid, 0, (uint16_t)(lbas - 1));
	nvp_io(t, &cmd, &cpl);
	if (facts->ctrl.oncs & 1 << 7)
		nvp_check_status_by(t, CASE_SHOULD, &cpl, NVP_OK);
	else
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
}

#define IO_NEEDS (NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "io.marked-blocks-cannot-be-read",
		.title = "Blocks that Write Uncorrectable marked give Unrecovered Read Error, and "
			 "no other block does",
		.spec = { "NVM Command Set", "1.0", "3.2.7", NULL },
		.rows = NVP_LIST("IOC-11", "IOC-12"),
		.needs = IO_NEEDS | NVP_NEED_WRITE_UNCORRECTABLE,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("uncorrectable-reads-fine", "uncorrectable-marks-neighbour",
				    "uncorrectable-one-block-short", "uncorrectable-wrong-status",
				    "uncorrectable-missed-in-large-read",
				    "uncorrectable-past-end-accepted",
				    "compare-ignores-uncorrectable"),
		.run = marked_blocks_cannot_be_read,
	}, {
		NVP_CASE,
		.id = "io.writing-cures-marked-blocks",
		.title = "A marked block can be read again once it was written",
		.spec = { "NVM Command Set", "1.0", "3.2.7", NULL },
		.rows = NVP_LIST("IOC-11"),
		.needs = IO_NEEDS | NVP_NEED_WRITE_UNCORRECTABLE,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("uncorrectable-not-cured", "uncorrectable-reads-fine",
				    "write-zeroes-skips-marked"),
		.run = writing_cures_marked_blocks,
	}, {
		NVP_CASE,
		.id = "io.verify-reads-all-of-its-range",
		.title = "Verify of good blocks succeeds and changes none; past the end it is "
			 "refused",
		.spec = { "NVM Command Set", "1.0", "3.2.5", NULL },
		.rows = NVP_LIST("IOC-17"),
		.needs = IO_NEEDS | NVP_NEED_VERIFY,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("verify-changes-data", "verify-past-end-accepted"),
		.run = verify_reads_all_of_its_range,
	}, {
		NVP_CASE,
		.id = "io.verify-finds-marked-blocks",
		.title = "Verify of a range with a marked block gives Unrecovered Read Error",
		.spec = { "NVM Command Set", "1.0", "3.2.5", "Unrecovered Read Error" },
		.rows = NVP_LIST("IOC-11", "IOC-17"),
		.needs = IO_NEEDS | NVP_NEED_VERIFY | NVP_NEED_WRITE_UNCORRECTABLE,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("verify-ignores-uncorrectable"),
		.run = verify_finds_marked_blocks,
	}, {
		NVP_CASE,
		.id = "io.verify-above-its-limit",
		.title = "Verify above VSL is done where ONCS claims Verify, and refused where VSL "
			 "alone does",
		.spec = { "NVM Command Set", "1.0", "4.1.5.2", "VSL" },
		.rows = NVP_LIST("IOC-17"),
		.since = NVP_VERSION(2, 0, 0),
		.needs = NVP_NEED_NAMESPACE,
		.catches = NVP_LIST("size-limits-refused", "verify-limit-unchecked"),
		.run = verify_above_its_limit,
	},
};

NVP_SUITE(io_uncorrectable, cases);
