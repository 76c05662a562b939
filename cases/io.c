// SPDX-License-Identifier: GPL-2.0-or-later
// Read and Write: what is written is there, nothing else changes, at the ends of the namespace too.

#include "cases/common.h"

#define REGION_MAX 64

/*
 * What each block of a region has to hold: the pattern of a key, at the block's place in the
 * buffer.
 */
struct model {
	struct case_region region;
	uint64_t key[REGION_MAX];
	struct nvp_buf *data, *seen;
};

static bool model_new(struct nvp_t *t, struct model *model)
{
	uint32_t lbas = case_max_lbas(t);

	if (lbas > REGION_MAX)
		lbas = REGION_MAX;
	if (!case_region(t, lbas, &model->region))
		return false;
	model->data = nvp_t_buf(t, (size_t)lbas * model->region.lba_bytes);
	model->seen = nvp_t_buf(t, (size_t)lbas * model->region.lba_bytes);
	return model->data && model->seen;
}

/* Write the pattern of key to some blocks of the region; bits of Command Dword 12 are added. */
static bool model_write(struct nvp_t *t, struct model *model, uint64_t key, uint32_t first,
			uint32_t lbas, uint32_t dw12_bits)
{
	struct nvp_cmd cmd = case_transfer(NVP_IO_WRITE, &model->region, first, lbas, model->data);
	struct nvp_cpl cpl;

	nvp_sqe_set_dw(&cmd.sqe, 12, nvp_sqe_dw(&cmd.sqe, 12) | dw12_bits);
	nvp_buf_fill_pattern(model->data, key);
	if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	for (uint32_t i = first; i < first + lbas; i++)
		model->key[i] = key;
	return true;
}

/*
 * Read the whole region with two commands, the second one into the middle of a buffer that holds
 * something else before, and compare block by block.
 */
static bool model_matches(struct nvp_t *t, struct model *model, uint32_t dw12_bits)
{
	uint32_t bytes = model->region.lba_bytes, half = (model->region.lbas + 1) / 2;
	bool good = true;

	nvp_buf_fill(model->seen, 0xee);
	for (uint32_t first = 0; first < model->region.lbas; first += half) {
		uint32_t rest = model->region.lbas - first;
		struct nvp_cmd cmd = case_transfer(NVP_IO_READ, &model->region, first,
						   rest < half ? rest : half, model->seen);
		struct nvp_cpl cpl;

		nvp_sqe_set_dw(&cmd.sqe, 12, nvp_sqe_dw(&cmd.sqe, 12) | dw12_bits);
		if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) ||
		    !CASE_SUCCEEDS(t, &cpl))
			return false;
	}
	for (uint32_t i = 0; i < model->region.lbas && good; i++) {
		int64_t at = nvp_buf_pattern_mismatch(model->seen, model->key[i],
						      (size_t)i * bytes, bytes);

		good = nvp_check(t, at < 0,
				 "block %llu (%u of %u): byte %lld is not what was written",
				 (unsigned long long)(model->region.slba + i), i,
				 model->region.lbas,
				 at < 0 ? -1LL : (long long)(at - (int64_t)i * bytes));
	}
	return good;
}

/*
 * IOC-01. Writes of all sizes up to MDTS (and 64 KiB) at random places of a region: after each,
 * every block of the region reads what was written to it last. The data has to be in memory when
 * the completion is.
 */
static void writes_read_back(struct nvp_t *t)
{
	struct model model;
	uint32_t lbas;

	if (!model_new(t, &model) ||
	    !model_write(t, &model, nvp_t_rand(t, "key", 0), 0, model.region.lbas, 0) ||
	    !model_matches(t, &model, 0))
		return;
	lbas = model.region.lbas;
	for (uint32_t i = 1; i <= 40; i++) {
		uint32_t first = (uint32_t)(nvp_t_rand(t, "first", i) % lbas);
		uint32_t count = 1 + (uint32_t)(nvp_t_rand(t, "count", i) % (lbas - first));

		/* not to the end of the region, so that a block behind the range is looked at */
		if (first + count == lbas && count > 1)
			count--;
		if (!model_write(t, &model, nvp_t_rand(t, "key", i), first, count, 0) ||
		    !model_matches(t, &model, 0))
			return;
	}
}

/* IOC-06. Force Unit Access and Limited Retry change nothing of what is written and read. */
static void fua_and_lr_move_the_same_data(struct nvp_t *t)
{
	static const uint32_t bits[] = { 1u << 30, 1u << 31, 3u << 30 };
	struct model model;

	if (!model_new(t, &model))
		return;
	for (uint32_t i = 0; i < 12; i++)
		if (!model_write(t, &model, nvp_t_rand(t, "key", i), 0, model.region.lbas,
				 bits[i % 3]) ||
		    !model_matches(t, &model, bits[i % 3]) || !model_matches(t, &model, 0))
			return;
}

/*
 * FEA-13, IOC-01. What was written is read back before and after the write cache is switched off
 * and on: a cache is no place where reads do not look.
 */
static void cached_data_is_read(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	struct model model;
	bool changes;

	if (!model_new(t, &model) || !case_feature_changes(t, 0x06, &changes))
		return;
	if (!changes)
		nvp_skip(t, "the write cache cannot be switched on this drive");
	for (uint32_t i = 0; i < 4; i++) {
		if (!nvp_change_feature(t, 0x06, 0, i & 1, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
		if (i && !model_matches(t, &model, 0))
			return;
		if (!model_write(t, &model, nvp_t_rand(t, "key", i), 0, model.region.lbas, 0) ||
		    !model_matches(t, &model, 0))
			return;
	}
}

/* One block of the namespace, written back at the end: the buffer holds its data. */
static void write_back(struct nvp_t *t, struct nvp_buf *old, uint64_t slba)
{
	struct nvp_cmd cmd = nvp_build_write(nvp_t_ns(t)->nsid, slba, 0, nvp_t_ns(t)->id.lba_bytes);
	struct nvp_cpl cpl;

	cmd.data = old;
	(void)nvp_exec_io(nvp_t_drive(t), &cmd, &cpl);
}

static void write_back_first(struct nvp_t *t, void *old)
{
	write_back(t, old, 0);
}

static void write_back_last(struct nvp_t *t, void *old)
{
	write_back(t, old, nvp_t_ns(t)->id.nsze_lbas - 1);
}

/*
 * IOC-01. The first and the last block of the namespace can be written and read. Their old data is
 * written back at the end.
 */
static void first_and_last_block_work(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	uint32_t bytes = ns->id.lba_bytes;

	for (unsigned i = 0; i < 2; i++) {
		struct case_region region = {
			.nsid = ns->nsid, .lba_bytes = bytes, .lbas = 1,
			.slba = i ? ns->id.nsze_lbas - 1 : 0,
		};
		struct nvp_buf *old = nvp_t_buf(t, bytes), *data = nvp_t_buf(t, bytes);
		uint64_t key = nvp_t_rand(t, "key", i);
		int64_t at;

		if (!old || !data || !case_read(t, &region, 0, 1, old))
			return;
		nvp_defer(t, i ? write_back_last : write_back_first, old);
		nvp_buf_fill_pattern(data, key);
		if (!case_write(t, &region, 0, 1, data))
			return;
		nvp_buf_fill(data, 0xee);
		if (!case_read(t, &region, 0, 1, data))
			return;
		at = nvp_buf_pattern_mismatch(data, key, 0, bytes);
		nvp_check(t, at < 0, "block %llu differs from what was written at byte %lld",
			  (unsigned long long)region.slba, (long long)at);
	}
}

/*
 * IOC-01 with several namespaces: the same block of two namespaces are two blocks.
 */
static void namespaces_are_separate(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	uint64_t slba = nvp_t_rand(t, "slba", 0);
	struct nvp_buf *buf[2];
	struct nvp_cpl cpl;

	for (unsigned i = 0; i < 2; i++) {
		if (!facts->ns[i].id.lba_bytes || facts->ns[i].id.metadata_bytes)
			nvp_skip(t, "namespace %u has a format with metadata", facts->ns[i].nsid);
		buf[i] = nvp_t_buf(t, facts->ns[i].id.lba_bytes);
		if (!buf[i])
			return;
		slba %= facts->ns[i].id.nsze_lbas;
	}
	for (unsigned i = 0; i < 2; i++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_write(facts->ns[i].nsid, slba, 0,
						    facts->ns[i].id.lba_bytes), buf[i]);

		nvp_buf_fill_pattern(buf[i], nvp_t_rand(t, "key", i));
		nvp_io(t, &cmd, &cpl);
		CASE_OK(t, &cpl);
	}
	for (unsigned i = 0; i < 2; i++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_read(facts->ns[i].nsid, slba, 0,
						    facts->ns[i].id.lba_bytes), buf[i]);

		nvp_buf_fill(buf[i], 0xee);
		nvp_io(t, &cmd, &cpl);
		CASE_OK(t, &cpl);
		nvp_check(t, nvp_buf_pattern_mismatch(buf[i], nvp_t_rand(t, "key", i), 0,
						      facts->ns[i].id.lba_bytes) < 0,
			  "block %llu of namespace %u does not hold its own data",
			  (unsigned long long)slba, facts->ns[i].nsid);
	}
}

#define IO_NEEDS (NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "io.writes-read-back",
		.title = "What was written is read back, whatever the size, and no other block "
			 "changes",
		.spec = { "NVM Command Set", "1.0", "3.2.6", NULL },
		.rows = NVP_LIST("IOC-01"),
		.needs = IO_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("write-lost", "write-misdirected", "write-last-block-missing",
				    "write-changes-next-block", "cqe-before-data", "data-short",
				    "data-overruns-buffer", "data-before-buffer"),
		.run = writes_read_back,
	}, {
		NVP_CASE,
		.id = "io.fua-and-lr-move-the-same-data",
		.title = "Force Unit Access and Limited Retry do not change the data",
		.spec = { "NVM Command Set", "1.0", "3.2.6", "FUA, LR" },
		.rows = NVP_LIST("IOC-06"),
		.needs = IO_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("write-lost", "write-last-block-missing"),
		.run = fua_and_lr_move_the_same_data,
	}, {
		NVP_CASE,
		.id = "io.cached-data-is-read",
		.title = "Reads see what is in the write cache, before and after it is switched",
		.spec = { "NVM Command Set", "1.0", "2.1.4.2.1", NULL },
		.rows = NVP_LIST("IOC-01", "FEA-13"),
		.needs = IO_NEEDS | NVP_NEED_VWC,
		.impact = NVP_IMPACT_DATA | NVP_IMPACT_STATE,
		.catches = NVP_LIST("read-misses-cache"),
		.run = cached_data_is_read,
	}, {
		NVP_CASE,
		.id = "io.first-and-last-block-work",
		.title = "The first and the last block of the namespace can be written and read",
		.spec = { "NVM Command Set", "1.0", "3.2.6", "SLBA" },
		.rows = NVP_LIST("IOC-01"),
		.needs = IO_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("read-bit-flipped"),
		.run = first_and_last_block_work,
	}, {
		NVP_CASE,
		.id = "io.namespaces-are-separate",
		.title = "The same block of two namespaces are two blocks",
		.spec = { "NVMe Base", "2.0", "3.2.1", NULL },
		.rows = NVP_LIST("IOC-01"),
		.needs = IO_NEEDS | NVP_NEED_TWO_NAMESPACES,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("namespaces-share-blocks"),
		.run = namespaces_are_separate,
	},
};

NVP_SUITE(io, cases);
