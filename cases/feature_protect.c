// SPDX-License-Identifier: GPL-2.0-or-later
// Namespace Write Protection: what it refuses, what it leaves, and how long it lasts.

#include "cases/common.h"

#define FID 0x84
#define PROTECTED NVP_ANY({ NVP_SCT_GENERIC, 0x20 })
#define LBAS 8

static bool supported(struct nvp_t *t)
{
	if (nvp_t_facts(t)->ctrl.nwpc & 1)
		return true;
	nvp_skip_at(t, __FILE__, __LINE__, "the drive has no write protection (NWPC bit 0)");
	return false;
}

static bool protect(struct nvp_t *t, uint32_t nsid)
{
	struct nvp_cpl cpl;

	return nvp_change_feature(t, FID, nsid, 1, &cpl) && CASE_SUCCEEDS(t, &cpl);
}

/* Blocks with a pattern, in a namespace that is then protected. */
static bool begin(struct nvp_t *t, struct case_written *w)
{
	return supported(t) && case_written_new(t, LBAS, w) && protect(t, w->region.nsid);
}

/* IOC-25. A write is refused and the blocks keep their data, which can be read. */
static void writes_are_refused(struct nvp_t *t)
{
	struct case_written w;
	struct nvp_buf *other;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (!begin(t, &w))
		return;
	other = nvp_t_buf(t, (size_t)LBAS * w.region.lba_bytes);
	if (!other)
		return;
	nvp_buf_fill_pattern(other, ~w.key);
	cmd = case_transfer(NVP_IO_WRITE, &w.region, 0, LBAS, other);
	nvp_io(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, PROTECTED);
	case_written_holds(t, &w, 0, LBAS);
}

/* IOC-25. So are Write Zeroes and Dataset Management with Deallocate, where the drive has them. */
static void other_changes_are_refused(struct nvp_t *t)
{
	uint16_t oncs = nvp_t_facts(t)->ctrl.oncs;
	struct case_written w;
	struct nvp_buf *range = nvp_t_buf(t, 4096);
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (!(oncs & (1 << 2 | 1 << 3)))
		nvp_skip(t, "neither Write Zeroes nor Dataset Management is there (ONCS)");
	if (!range || !begin(t, &w))
		return;
	if (oncs & 1 << 3) {
		cmd = nvp_build_write_zeroes(w.region.nsid, w.region.slba, LBAS - 1, false);
		nvp_io(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, PROTECTED);
	}
	if (oncs & 1 << 2) {
		nvp_build_dsm_range(nvp_buf_data(range), 0, LBAS, w.region.slba);
		cmd = case_with_data(nvp_build_dsm(w.region.nsid, 0, true, false, false), range);
		nvp_io(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, PROTECTED);
	}
	case_written_holds(t, &w, 0, LBAS);
}

/* And Format NVM: the namespace keeps its data. */
static void format_is_refused(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_cmd cmd = nvp_build_format(ns->nsid, (uint8_t)ns->id.format_index,
					      ns->id.flbas >> 4 & 1, ns->id.dps & 7,
					      ns->id.dps >> 3 & 1, 0);
	struct case_written w;
	struct nvp_cpl cpl;

	if (!(nvp_t_facts(t)->ctrl.oacs & 1 << 1))
		nvp_skip(t, "the drive has no Format NVM (OACS bit 1)");
	if (!begin(t, &w))
		return;
	nvp_admin(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, PROTECTED);
	case_written_holds(t, &w, 0, LBAS);
}

static bool shown(struct nvp_t *t, uint32_t nsid, bool *is_protected)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cpl cpl;

	if (!buf || !case_identify(t, 0x00, nsid, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	*is_protected = nvp_buf_data(buf)[99] & 1;	/* NSATTR bit 0 */
	return true;
}

/*
 * FEA-27. The protection lasts over a controller reset and Identify Namespace shows it; when it is
 * taken away the blocks can be written again.
 */
static void protection_lasts_until_it_is_taken_away(struct nvp_t *t)
{
	struct case_written w;
	struct nvp_cpl cpl;
	uint32_t value;
	bool is_protected;

	if (!begin(t, &w))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!case_feature_value(t, FID, w.region.nsid, &value) ||
	    !shown(t, w.region.nsid, &is_protected))
		return;
	nvp_check(t, (value & 7) == 1, "state %u after a reset", value & 7);
	nvp_check(t, is_protected == ((value & 7) != 0),
		  "Identify Namespace shows %sprotection in state %u", is_protected ? "" : "no ",
		  value & 7);
	if (!nvp_change_feature(t, FID, w.region.nsid, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	case_written_write(t, &w);
}

/* The protection is that of one namespace: another one can be written. */
static void other_namespaces_stay_open(struct nvp_t *t)
{
	const struct nvp_ns *other = &nvp_t_facts(t)->ns[1];
	struct nvp_buf *buf;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (!supported(t))
		return;
	if (!other->id.lba_bytes || other->id.metadata_bytes)
		nvp_skip(t, "the second namespace has no plain format");
	buf = nvp_t_buf(t, other->id.lba_bytes);
	if (!buf || !protect(t, nvp_t_ns(t)->nsid))
		return;
	nvp_buf_fill_pattern(buf, nvp_t_rand(t, "data", 0));
	cmd = case_with_data(nvp_build_write(other->nsid, 0, 0, other->id.lba_bytes), buf);
	nvp_io(t, &cmd, &cpl);
	nvp_check_ok(t, &cpl);
}

#define NEEDS (NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)
#define IMPACT (NVP_IMPACT_DATA | NVP_IMPACT_STATE)
#define CHAPTER { "NVMe Base", "2.0", "8.12", NULL }

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "feature.protected-namespace-refuses-writes",
		.title = "A namespace that is write protected refuses writes and can be read",
		.spec = CHAPTER,
		.rows = NVP_LIST("IOC-25", "FEA-27"),
		.needs = NEEDS,
		.impact = IMPACT,
		.catches = NVP_LIST("protect-ignored", "protect-refuses-reads",
				    "protect-wrong-status"),
		.run = writes_are_refused,
	}, {
		NVP_CASE,
		.id = "feature.protected-namespace-refuses-other-changes",
		.title = "A namespace that is write protected refuses Write Zeroes and Deallocate",
		.spec = CHAPTER,
		.rows = NVP_LIST("IOC-25"),
		.needs = NEEDS,
		.impact = IMPACT,
		.catches = NVP_LIST("protect-misses-write-zeroes", "protect-misses-deallocate"),
		.run = other_changes_are_refused,
	}, {
		NVP_CASE,
		.id = "feature.protected-namespace-refuses-format",
		.title = "A namespace that is write protected refuses Format NVM",
		.spec = CHAPTER,
		.rows = NVP_LIST("IOC-25", "FEA-27"),
		.needs = NEEDS,
		.impact = IMPACT | NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_FORMAT,
		.wall_budget_s = 600,
		.catches = NVP_LIST("protect-misses-format"),
		.run = format_is_refused,
	}, {
		NVP_CASE,
		.id = "feature.protection-lasts-until-it-is-taken-away",
		.title = "Write protection lasts over a reset, is shown, and can be taken away",
		.spec = CHAPTER,
		.rows = NVP_LIST("FEA-27"),
		.needs = NEEDS | NVP_NEED_RESETS,
		.impact = IMPACT | NVP_IMPACT_RESET,
		.catches = NVP_LIST("protect-ends-with-reset", "protect-not-shown"),
		.run = protection_lasts_until_it_is_taken_away,
	}, {
		NVP_CASE,
		.id = "feature.protection-is-of-one-namespace",
		.title = "A namespace beside a write protected one can be written",
		.spec = CHAPTER,
		.rows = NVP_LIST("FEA-27"),
		.needs = NEEDS | NVP_NEED_TWO_NAMESPACES,
		.impact = IMPACT,
		.catches = NVP_LIST("protect-other-namespace"),
		.run = other_namespaces_stay_open,
	},
};

NVP_SUITE(feature_protect, cases);
