// SPDX-License-Identifier: GPL-2.0-or-later
// Format NVM: what it does to the namespace that it names.

#include "cases/erase.h"

#define TNVMCAP_OFFSET 280	/* of Identify Controller; 0: not told */
#define FORMAT_NEEDS (NVP_NEED_FORMAT | NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)

/* Formats in succession: each available one without metadata, then the way back. */
static bool take_format(struct nvp_t *t, uint32_t nsid, unsigned index, uint64_t total,
			struct nvp_buf *buf)
{
	struct nvp_cmd format = nvp_build_format(nsid, (uint8_t)index, false, 0, false, 0);
	struct nvp_id_ns id;
	struct nvp_cpl cpl;

	if (!nvp_change_format(t, &format, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
	    !erase_identify(t, nsid, buf, &id))
		return false;
	nvp_check_eq(t, id.format_index, index);
	nvp_check_by(t, NVP_SPEC("NVM Command Set", "1.0", "4.1.5.1", "FPI"),
		     !(id.fpi & 0x7f), "FPI says that %u percent remain after the format", id.fpi & 0x7f);
	nvp_check_by(t, NVP_SPEC("NVMe Base", "2.0", "5.17.2.1", "TNVMCAP"),
		     !total || id.nsfeat & 1 || id.nsze_lbas <= total / (id.lba_bytes ? id.lba_bytes : 1),
		     "%llu blocks of %u bytes are more than the %llu bytes of the drive",
		     (unsigned long long)id.nsze_lbas, id.lba_bytes, (unsigned long long)total);
	return id.metadata_bytes || erase_usable(t, nsid, &id);
}

/* FMT-01. */
static void each_lba_format_is_applied(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cpl cpl;
	uint64_t total;

	if (!buf || !case_identify(t, 0x01, 0, 0, buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	memcpy(&total, nvp_buf_data(buf) + TNVMCAP_OFFSET, sizeof(total));
	for (unsigned i = 0; i < erase_nr_formats(&ns->id); i++)
		if (ns->id.lbaf[i].lbads && !take_format(t, ns->nsid, i, total, buf))
			return;
}

/* FMT-01: whatever SES says, no user data of before is returned (5.14). */
static void nothing_of_before_is_read(struct nvp_t *t)
{
	const char *variant = nvp_t_variant(t);
	uint8_t ses = !strcmp(variant, "crypto") ? 2 : !strcmp(variant, "user-data");
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cmd format = erase_same_format(ns->nsid, &ns->id, ses);
	struct nvp_id_ns id;
	struct erase_marks m;
	struct nvp_cpl cpl;

	if (ses == 2 && !(nvp_t_facts(t)->ctrl.fna & 4))
		nvp_skip(t, "FNA bit 2 is clear: the drive has no cryptographic erase");
	if (!buf || !erase_mark(t, ns, &m) || !nvp_change_format(t, &format, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!erase_all_gone(t, &m) || !erase_identify(t, ns->nsid, buf, &id))
		return;
	/* A drive that does not count (NUSE equal to NCAP at all times) is allowed. */
	nvp_check_by(t, CASE_SHOULD, id.nuse_lbas == 0 || ns->id.nuse_lbas == ns->id.ncap_lbas,
		     "NUSE is %llu just after the format", (unsigned long long)id.nuse_lbas);
}

/* FMT-01: a block that could not be read is an ordinary one again. */
static void marked_blocks_are_readable(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_cmd format = erase_same_format(ns->nsid, &ns->id, 0);
	struct nvp_cmd mark, read;
	struct case_written w;
	struct nvp_cpl cpl;

	if (!case_written_new(t, 2, &w) || !case_written_at_end(t, &w))
		return;
	mark = nvp_build_write_uncorrectable(ns->nsid, w.region.slba, 1);
	nvp_io(t, &mark, &cpl);
	CASE_OK(t, &cpl);
	if (!nvp_change_format(t, &format, &cpl))
		return;
	CASE_OK(t, &cpl);
	read = case_transfer(NVP_IO_READ, &w.region, 0, 2, w.seen);
	nvp_io(t, &read, &cpl);
	nvp_check_ok(t, &cpl);
}

/* The first format with room for protection information, or -1. */
static int protected_format(const struct nvp_id_ns *id)
{
	for (unsigned i = 0; i < erase_nr_formats(id); i++)
		if (id->lbaf[i].lbads && id->lbaf[i].ms_bytes >= 8)
			return (int)i;
	return -1;
}

/* FMT-01: DPS says what was asked for. */
static void protection_is_shown(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	int index = protected_format(&ns->id);

	if (!buf)
		return;
	if (index < 0 || !(ns->id.dpc & 7))
		nvp_skip(t, "no LBA format of the drive takes protection information");
	for (uint8_t type = 1; type <= 3; type++) {
		bool first = !(ns->id.dpc & 0x10);
		struct nvp_cmd format = nvp_build_format(ns->nsid, (uint8_t)index, false, type,
							 first, 0);
		struct nvp_id_ns id;
		struct nvp_cpl cpl;

		if (!(ns->id.dpc >> (type - 1) & 1))
			continue;
		if (!nvp_change_format(t, &format, &cpl))
			return;
		CASE_OK(t, &cpl);
		if (!erase_identify(t, ns->nsid, buf, &id))
			return;
		nvp_check_eq(t, id.dps & 0xfu, type | (unsigned)first << 3);
	}
}

/* FMT-05: FFFFFFFFh names all of them. */
static void broadcast_formats_all(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	struct nvp_cmd format = erase_same_format(NVP_NSID_ALL, &facts->ns[0].id, 0);
	struct erase_marks m[2];
	struct nvp_cpl cpl;

	if (facts->ctrl.fna & 8)
		nvp_skip(t, "FNA bit 3 is set: Format NVM does not take NSID FFFFFFFFh");
	if (facts->ns[1].id.metadata_bytes)
		nvp_skip(t, "the second namespace has metadata");
	for (unsigned i = 0; i < 2; i++)
		if (!erase_mark(t, &facts->ns[i], &m[i]))
			return;
	if (!nvp_change_format(t, &format, &cpl))
		return;
	CASE_OK(t, &cpl);
	for (unsigned i = 0; i < 2; i++)
		if (!erase_all_gone(t, &m[i]))
			return;
}

/* FMT-05: with FNA bits 0 and 1 clear a format is of one namespace. */
static void others_keep_their_data(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	struct nvp_cmd format = erase_same_format(facts->ns[0].nsid, &facts->ns[0].id, 0);
	struct erase_marks mine, other;
	struct nvp_cpl cpl;

	if (facts->ctrl.fna & 1)
		nvp_skip(t, "FNA bit 0 is set: a format is one of all namespaces");
	if (facts->ns[1].id.metadata_bytes)
		nvp_skip(t, "the second namespace has metadata");
	if (!erase_mark(t, &facts->ns[0], &mine) || !erase_mark(t, &facts->ns[1], &other) ||
	    !nvp_change_format(t, &format, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (erase_all_gone(t, &mine))
		erase_all_kept(t, &other);
}

/* What a reset leaves of a finished format: all of it. */
static void format_outlives_a_reset(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	unsigned other = ns->id.format_index;
	struct nvp_id_ns before, after;
	struct nvp_cmd format;
	struct nvp_cpl cpl;

	if (!buf)
		return;
	for (unsigned i = 0; i < erase_nr_formats(&ns->id) && other == ns->id.format_index; i++)
		if (i != other && ns->id.lbaf[i].lbads)
			other = i;
	format = nvp_build_format(ns->nsid, (uint8_t)other, false, 0, false, 0);
	if (!nvp_change_format(t, &format, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!erase_identify(t, ns->nsid, buf, &before))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!erase_identify(t, ns->nsid, buf, &after))
		return;
	nvp_check_eq(t, after.format_index, before.format_index);
	nvp_check_eq(t, after.nsze_lbas, before.nsze_lbas);
}

/* Log 05h: the command is there, and may change contents (LBCC). */
static void effects_are_told(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	uint32_t effects;

	if (!buf || !case_log(t, 0x05, 4096, buf))
		return;
	memcpy(&effects, nvp_buf_data(buf) + 4 * NVP_ADMIN_FORMAT, sizeof(effects));
	nvp_check(t, (effects & 3) == 3, "the row of opcode 80h is 0x%08x: CSUPP or LBCC is clear",
		  effects);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "format.each-lba-format-is-applied",
		.title = "Each LBA format can be taken, Identify shows it, and it can be used",
		.spec = { "NVMe Base", "2.0", "5.14", "LBAFL" },
		.rows = NVP_LIST("FMT-01", "FMT-08"),
		.needs = FORMAT_NEEDS,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-lba-format-ignored", "format-size-not-adjusted",
				    "format-progress-stuck"),
		.run = each_lba_format_is_applied,
	}, {
		NVP_CASE,
		.id = "format.nothing-of-before-is-read",
		.title = "After a format no block holds what was written before",
		.spec = { "NVMe Base", "2.0", "5.14", NULL },
		.rows = NVP_LIST("FMT-01"),
		.needs = FORMAT_NEEDS,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_FORMAT,
		.variants = NVP_LIST("none", "user-data", "crypto"),
		.catches = NVP_LIST("format-keeps-data", "format-secure-erase-ignored",
				    "format-crypto-erase-ignored", "format-last-block-survives",
				    "format-utilization-full"),
		.run = nothing_of_before_is_read,
	}, {
		NVP_CASE,
		.id = "format.uncorrectable-blocks-are-readable-again",
		.title = "Blocks marked by Write Uncorrectable can be read after a format",
		.spec = { "NVMe Base", "2.0", "5.14", NULL },
		.rows = NVP_LIST("FMT-01"),
		.needs = FORMAT_NEEDS | NVP_NEED_WRITE_UNCORRECTABLE,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-keeps-uncorrectable"),
		.run = marked_blocks_are_readable,
	}, {
		NVP_CASE,
		.id = "format.protection-type-is-shown",
		.title = "Identify shows the protection information that a format set up",
		.spec = { "NVMe Base", "2.0", "5.14", "PI, PIL" },
		.rows = NVP_LIST("FMT-01"),
		.needs = NVP_NEED_FORMAT | NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-protection-ignored"),
		.run = protection_is_shown,
	}, {
		NVP_CASE,
		.id = "format.broadcast-formats-all-namespaces",
		.title = "A format with NSID FFFFFFFFh is one of every namespace",
		.spec = { "NVMe Base", "2.0", "5.14", "NSID" },
		.rows = NVP_LIST("FMT-05"),
		.needs = FORMAT_NEEDS | NVP_NEED_TWO_NAMESPACES,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-broadcast-formats-first-only"),
		.run = broadcast_formats_all,
	}, {
		NVP_CASE,
		.id = "format.other-namespaces-keep-their-data",
		.title = "A format touches no other namespace than the one it names",
		.spec = { "NVMe Base", "2.0", "5.14", "NSID" },
		.rows = NVP_LIST("FMT-05"),
		.needs = FORMAT_NEEDS | NVP_NEED_TWO_NAMESPACES,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-hits-other-namespace", "format-clears-other-namespaces"),
		.run = others_keep_their_data,
	}, {
		NVP_CASE,
		.id = "format.outlives-a-reset",
		.title = "The LBA format is the same after a controller reset",
		.spec = { "NVMe Base", "2.0", "5.14", NULL },
		.rows = NVP_LIST("FMT-07"),
		.needs = NVP_NEED_FORMAT | NVP_NEED_NAMESPACE | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_RESET,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-lost-on-reset"),
		.run = format_outlives_a_reset,
	}, {
		NVP_CASE,
		.id = "format.effects-log-tells-it",
		.title = "The Commands Supported and Effects log has Format NVM, which changes contents",
		.spec = { "NVMe Base", "2.0", "5.16.1.6", "CSUPP, LBCC" },
		.rows = NVP_LIST("FMT-01"),
		.needs = NVP_NEED_FORMAT | NVP_NEED_EFFECTS_LOG,
		.catches = NVP_LIST("format-not-in-effects-log"),
		.run = effects_are_told,
	},
};

NVP_SUITE(format, cases);
