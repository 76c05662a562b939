// SPDX-License-Identifier: GPL-2.0-or-later
// I/O commands that have to be refused: ranges, namespaces, lengths, fused; and Flush.

#include "cases/common.h"

/* Read `lbas` blocks from slba, whatever the drive answers. */
static bool read_at(struct nvp_t *t, uint64_t slba, uint32_t lbas, struct nvp_buf *buf,
		    struct nvp_cpl *cpl)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_cmd cmd = case_with_data(nvp_build_read(ns->nsid, slba, (uint16_t)(lbas - 1),
							   ns->id.lba_bytes), buf);

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, cpl));
}

/*
 * IOC-02, IOC-03. Reads that begin behind the last block, or begin in the namespace and pass its
 * end, or whose end does not fit in 64 bits, give LBA Out of Range.
 */
static void reads_past_the_end_are_refused(struct nvp_t *t)
{
	uint64_t nsze = nvp_t_ns(t)->id.nsze_lbas;
	const struct {
		uint64_t slba;
		uint32_t lbas;
	} reads[] = {
		{ nsze, 1 }, { nsze + 1, 1 }, { nsze - 1, 2 }, { nsze - 1, 8 },
		{ 0xffffffff00000000ull, 1 }, { 1ull << 63, 1 },
		{ nsze < 1ull << 32 ? 1ull << 32 : nsze, 1 },
		{ UINT64_MAX, 1 }, { UINT64_MAX, 2 }, { UINT64_MAX - 3, 8 },
	};
	struct nvp_buf *buf = nvp_t_buf(t, 8 * (size_t)nvp_t_ns(t)->id.lba_bytes);
	struct nvp_cpl cpl;

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		if (reads[i].lbas > case_max_lbas(t))
			continue;
		if (!read_at(t, reads[i].slba, reads[i].lbas, buf, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_LBA_RANGE);
	}
}

/* IOC-02. The same for a write that begins behind the last block. */
static void writes_past_the_end_are_refused(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	uint64_t slbas[] = { ns->id.nsze_lbas, ns->id.nsze_lbas + 7, 0xffffffff00000000ull };
	struct nvp_buf *buf = nvp_t_buf(t, ns->id.lba_bytes);

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(slbas) / sizeof(slbas[0]); i++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_write(ns->nsid, slbas[i], 0,
								    ns->id.lba_bytes), buf);
		struct nvp_cpl cpl;

		nvp_io(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_LBA_RANGE },
						  { NVP_SCT_GENERIC, NVP_SC_CAPACITY }));
	}
}

/*
 * IOC-05. Reads of NSID 0 and of NSIDs above NN give Invalid Namespace or Format. FFFFFFFFh is no
 * namespace for a Read; revisions differ in which of two codes says so.
 */
static void invalid_namespaces_are_refused(struct nvp_t *t)
{
	uint32_t nn = nvp_t_facts(t)->ctrl.nn, bytes = nvp_t_ns(t)->id.lba_bytes;
	static const struct nvp_expect right[] = { { NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT },
						   { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD } };
	uint32_t nsids[] = { 0, nn + 1, 0xfffffffe, NVP_NSID_ALL };
	struct nvp_buf *buf = nvp_t_buf(t, bytes);

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(nsids) / sizeof(nsids[0]); i++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_read(nsids[i], 0, 0, bytes), buf);
		struct nvp_cpl cpl;

		if (nsids[i] && nsids[i] <= nn)
			continue;
		nvp_io(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, right, nsids[i] == NVP_NSID_ALL ? 2 : 1);
	}
}

/*
 * IOC-08. With an enabled write cache Flush of an invalid NSID is refused; of FFFFFFFFh it is
 * what VWC bits 2:1 say. Without a cache Flush shall succeed and do nothing, so nothing is asked
 * then.
 */
static void flush_checks_the_namespace(struct nvp_t *t)
{
	uint32_t nn = nvp_t_facts(t)->ctrl.nn, wce;
	static const struct nvp_expect right[] = {
		{ NVP_SCT_GENERIC, NVP_SC_SUCCESS },
		{ NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT },
	};
	unsigned all = nvp_t_facts(t)->ctrl.vwc >> 1 & 3;
	uint32_t nsids[] = { nn + 1, NVP_NSID_ALL };

	if (!case_feature_value(t, 0x06, 0, &wce))
		return;
	if (!(wce & 1))
		nvp_skip(t, "the write cache is switched off");
	for (unsigned i = 0; i < 2; i++) {
		struct nvp_cmd cmd = nvp_build_flush(nsids[i]);
		struct nvp_cpl cpl;

		if (nn >= 0xfffffffe && !i)
			continue;
		nvp_io(t, &cmd, &cpl);
		if (i && all < 2)
			nvp_note(t, "Flush of FFFFFFFFh gave %u/%02Xh, VWC does not say what",
				 cpl.status.sct, cpl.status.sc);
		else
			nvp_check_status(t, &cpl, right + (!i || all == 2), 1);
	}
}

/* IOC-08. Flush of a namespace succeeds, and what was written before it is there afterwards. */
static void flush_keeps_the_data(struct nvp_t *t)
{
	uint32_t lbas = case_max_lbas(t) < 8 ? case_max_lbas(t) : 8;
	struct case_region region;
	struct nvp_buf *buf;

	if (!case_region(t, lbas, &region))
		return;
	buf = nvp_t_buf(t, (size_t)lbas * region.lba_bytes);
	if (!buf)
		return;
	for (unsigned i = 0; i < 8; i++) {
		struct nvp_cmd cmd = nvp_build_flush(region.nsid);
		uint64_t key = nvp_t_rand(t, "key", i);
		struct nvp_cpl cpl;

		nvp_buf_fill_pattern(buf, key);
		if (!case_write(t, &region, 0, lbas, buf))
			return;
		nvp_io(t, &cmd, &cpl);
		CASE_OK(t, &cpl);
		nvp_buf_fill(buf, 0xee);
		if (!case_read(t, &region, 0, lbas, buf))
			return;
		nvp_check(t, nvp_buf_pattern_mismatch(buf, key, 0, nvp_buf_bytes(buf)) < 0,
			  "blocks from %llu on are not what was written and flushed",
			  (unsigned long long)region.slba);
	}
}

/*
 * IOC-04, LOG-16. A transfer of exactly MDTS works; one block, or one dword of a log, more is
 * refused with Invalid Field.
 */
static void transfers_end_at_mdts(struct nvp_t *t)
{
	uint64_t mdts = nvp_t_facts(t)->mdts_bytes, nsze = nvp_t_ns(t)->id.nsze_lbas;
	uint32_t bytes = nvp_t_ns(t)->id.lba_bytes;
	uint64_t most = mdts / bytes;
	struct nvp_buf *buf;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (!mdts)
		nvp_skip(t, "MDTS is 0: the drive has no limit");
	if (most < 1 || most >= 65536 || most + 1 > nsze)
		nvp_skip(t, "MDTS is %llu blocks: no command or namespace here exceeds that",
			 (unsigned long long)most);
	buf = nvp_t_buf(t, mdts + bytes + 4096);
	if (!buf || !read_at(t, 0, (uint32_t)most, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	if (!read_at(t, 0, (uint32_t)most + 1, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	cmd = case_with_data(nvp_build_get_log(0x02, NVP_NSID_ALL, (uint32_t)mdts + 4, 0, true, 0),
			     buf);
	nvp_admin(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
}

/*
 * IOC-23, ADQ-07. A command that says it is fused is refused where fused operations are not
 * supported (FUSES), and FUSE = 11b, which is reserved, everywhere.
 */
static void fused_reads_are_refused(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	bool supported = nvp_t_facts(t)->ctrl.fuses & 1;
	struct nvp_buf *buf = nvp_t_buf(t, ns->id.lba_bytes);

	if (!buf)
		return;
	for (unsigned fuse = supported ? 3 : 1; fuse < 4; fuse++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_read(ns->nsid, 0, 0,
								   ns->id.lba_bytes), buf);
		struct nvp_cpl cpl;

		nvp_cmd_set_fuse(&cmd, fuse);
		nvp_io(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

#define IO_NEEDS (NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "io.reads-past-the-end-are-refused",
		.title = "A read that leaves the namespace gives LBA Out of Range",
		.spec = { "NVM Command Set", "1.0", "2.1.1", "LBA Out of Range" },
		.rows = NVP_LIST("IOC-02", "IOC-03"),
		.needs = IO_NEEDS,
		.catches = NVP_LIST("lba-range-off-by-one", "lba-range-wraps",
				    "lba-range-wrong-status", "read-upper-lba-ignored"),
		.run = reads_past_the_end_are_refused,
	}, {
		NVP_CASE,
		.id = "io.writes-past-the-end-are-refused",
		.title = "A write behind the last block is refused",
		.spec = { "NVM Command Set", "1.0", "2.1.1", "LBA Out of Range" },
		.rows = NVP_LIST("IOC-02"),
		.needs = IO_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("lba-range-off-by-one", "lba-range-wrong-status"),
		.run = writes_past_the_end_are_refused,
	}, {
		NVP_CASE,
		.id = "io.invalid-namespaces-are-refused",
		.title = "A read of NSID 0 or above NN gives Invalid Namespace or Format",
		.spec = { "NVMe Base", "2.0", "3.2.1", NULL },
		.rows = NVP_LIST("IOC-05"),
		.needs = IO_NEEDS | NVP_NEED_QUEUES,
		.catches = NVP_LIST("nsid-zero-accepted", "nsid-above-nn-accepted"),
		.run = invalid_namespaces_are_refused,
	}, {
		NVP_CASE,
		.id = "io.flush-checks-the-namespace",
		.title = "Flush of an invalid NSID is refused, of all namespaces as VWC says",
		.spec = { "NVMe Base", "2.0", "7.1", NULL },
		.rows = NVP_LIST("IOC-08"),
		.needs = NVP_NEED_NAMESPACE | NVP_NEED_VWC | NVP_NEED_QUEUES,
		.catches = NVP_LIST("flush-nsid-unchecked"),
		.run = flush_checks_the_namespace,
	}, {
		NVP_CASE,
		.id = "io.flush-keeps-the-data",
		.title = "Flush succeeds and leaves what was written",
		.spec = { "NVMe Base", "2.0", "7.1", NULL },
		.rows = NVP_LIST("IOC-08"),
		.needs = IO_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("flush-refused", "write-lost"),
		.run = flush_keeps_the_data,
	}, {
		NVP_CASE,
		.id = "io.transfers-end-at-mdts",
		.title = "A transfer of MDTS works, a longer one gives Invalid Field in Command",
		.spec = { "NVMe Base", "2.0", "5.17.2.1", "MDTS" },
		.rows = NVP_LIST("IOC-04", "LOG-16"),
		.needs = IO_NEEDS | NVP_NEED_MDTS | NVP_NEED_QUEUES,
		.catches = NVP_LIST("mdts-unchecked"),
		.run = transfers_end_at_mdts,
	}, {
		NVP_CASE,
		.id = "io.fused-reads-are-refused",
		.title = "A fused command is refused where there are no fused operations",
		.spec = { "NVMe Base", "2.0", "3.4.2", "FUSE" },
		.rows = NVP_LIST("IOC-23", "ADQ-07"),
		.needs = IO_NEEDS | NVP_NEED_QUEUES,
		.catches = NVP_LIST("io-fuse-accepted"),
		.run = fused_reads_are_refused,
	},
};

NVP_SUITE(io_range, cases);
