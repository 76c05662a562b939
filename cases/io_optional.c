// SPDX-License-Identifier: GPL-2.0-or-later
// Optional I/O commands: Compare, Write Zeroes, Dataset Management.

#include "cases/common.h"

/* Blocks of the region and their data, already written. */
struct written {
	struct case_region region;
	uint64_t key;
	struct nvp_buf *data, *seen;
};

/* 16 blocks where a command can hold that many, at an even place, with a pattern. */
static bool write_region(struct nvp_t *t, struct written *w)
{
	uint32_t lbas = case_max_lbas(t) < 16 ? case_max_lbas(t) : 16;

	if (lbas < 4) {
		nvp_skip_at(t, __FILE__, __LINE__, "a command moves %u blocks at most", lbas);
		return false;
	}
	if (!case_region_aligned(t, lbas, 16, &w->region))
		return false;
	w->key = nvp_t_rand(t, "key", 0);
	w->data = nvp_t_buf(t, (size_t)lbas * w->region.lba_bytes);
	w->seen = nvp_t_buf(t, (size_t)lbas * w->region.lba_bytes);
	if (!w->data || !w->seen)
		return false;
	nvp_buf_fill_pattern(w->data, w->key);
	return case_write(t, &w->region, 0, lbas, w->data);
}

/* Read the region; blocks outside first .. first+lbas-1 have to be as written. */
static bool others_unchanged(struct nvp_t *t, struct written *w, uint32_t first, uint32_t lbas)
{
	uint32_t bytes = w->region.lba_bytes;

	nvp_buf_fill(w->seen, 0xee);
	if (!case_read(t, &w->region, 0, w->region.lbas, w->seen))
		return false;
	for (uint32_t i = 0; i < w->region.lbas; i++) {
		if (i >= first && i < first + lbas)
			continue;
		nvp_check(t, nvp_buf_pattern_mismatch(w->seen, w->key, (size_t)i * bytes,
						      bytes) < 0,
			  "block %u of the region is outside %u to %u and changed", i, first,
			  first + lbas - 1);
	}
	return true;
}

/*
 * IOC-09. Compare of equal data succeeds, one byte off in the first or the last block gives
 * Compare Failure, past the end LBA Out of Range; none changes the blocks.
 */
static void compare_finds_one_byte(struct nvp_t *t)
{
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct written w;
	size_t off[3];

	if (!write_region(t, &w))
		return;
	cmd = case_transfer(NVP_IO_COMPARE, &w.region, 0, w.region.lbas, w.data);
	nvp_io(t, &cmd, &cpl);
	CASE_OK(t, &cpl);
	off[0] = 0;
	off[1] = nvp_buf_bytes(w.data) - 1;
	off[2] = nvp_t_rand(t, "byte", 0) % nvp_buf_bytes(w.data);
	for (int i = 0; i < 3; i++) {
		nvp_buf_data(w.data)[off[i]] ^= 0x10;
		nvp_io(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_MEDIA, NVP_SC_COMPARE_FAILURE }));
		nvp_buf_data(w.data)[off[i]] ^= 0x10;
	}
	cmd = case_with_data(nvp_build_compare(w.region.nsid, nvp_t_ns(t)->id.nsze_lbas, 0,
					       w.region.lba_bytes), w.data);
	nvp_io(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, CASE_LBA_RANGE);
	others_unchanged(t, &w, 0, 0);
}

/*
 * IOC-10. After Write Zeroes its blocks read as zeroes and no other block changed. With DEAC the
 * blocks may be deallocated, and then read as DLFEAT says.
 */
static void write_zeroes_clears_its_range(struct nvp_t *t)
{
	unsigned dlfeat = nvp_t_ns(t)->id.dlfeat & 7;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct written w;

	for (int deac = 0; deac < 2; deac++) {
		uint32_t first, lbas;
		size_t at, bytes;

		if (!write_region(t, &w))
			return;
		first = w.region.lbas / 4;
		lbas = w.region.lbas / 2;
		at = (size_t)first * w.region.lba_bytes;
		bytes = (size_t)lbas * w.region.lba_bytes;
		cmd = nvp_build_write_zeroes(w.region.nsid, w.region.slba + first,
					     (uint16_t)(lbas - 1), deac);
		nvp_io(t, &cmd, &cpl);
		CASE_OK(t, &cpl);
		if (!others_unchanged(t, &w, first, lbas))
			return;
		nvp_check(t, nvp_buf_find_not(w.seen, at, bytes, 0) < 0 ||
			  (deac && dlfeat != 1 && nvp_buf_find_not(w.seen, at, bytes, 0xff) < 0),
			  "DEAC %d, DLFEAT %u: byte %lld of the range is not 0", deac, dlfeat,
			  (long long)nvp_buf_find_not(w.seen, at, bytes, 0) - (long long)at);
	}
	cmd = nvp_build_write_zeroes(w.region.nsid, nvp_t_ns(t)->id.nsze_lbas, 0, false);
	nvp_io(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, CASE_LBA_RANGE);
}

/* Is this block what was written, or what a deallocated block reads as? */
static bool kept_or_deallocated(const struct written *w, uint32_t block, unsigned dlfeat)
{
	size_t bytes = w->region.lba_bytes, at = block * bytes;

	if (nvp_buf_pattern_mismatch(w->seen, w->key, at, bytes) < 0)
		return true;
	if (dlfeat == 1)
		return nvp_buf_find_not(w->seen, at, bytes, 0) < 0;
	if (dlfeat == 2)
		return nvp_buf_find_not(w->seen, at, bytes, 0xff) < 0;
	return nvp_buf_find_not(w->seen, at, bytes, 0) < 0 ||
	       nvp_buf_find_not(w->seen, at, bytes, 0xff) < 0;
}

static bool send_dsm(struct nvp_t *t, uint64_t slba, uint32_t lbas, bool deallocate, bool hints,
		     uint32_t nsid, struct nvp_cpl *cpl)
{
	struct nvp_buf *range = nvp_t_buf(t, 4096);
	struct nvp_cmd cmd = nvp_build_dsm(nsid, 0, deallocate, hints, hints);

	if (!range)
		return false;
	nvp_build_dsm_range(nvp_buf_data(range), 0, lbas, slba);
	cmd.data = range;
	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, cpl));
}

/*
 * IOC-13, IOC-19. Deallocate is a hint: each block of its range afterwards reads what was
 * written or what DLFEAT says for deallocated blocks, the same at each read; no other block
 * changes. A range past the end need not be looked at, but a careful drive refuses it.
 */
static void deallocate_touches_its_range_only(struct nvp_t *t)
{
	unsigned dlfeat = nvp_t_ns(t)->id.dlfeat & 7, changed = 0;
	uint32_t first, lbas;
	struct nvp_cpl cpl;
	struct written w;

	if (!write_region(t, &w))
		return;
	first = w.region.lbas / 4;
	lbas = w.region.lbas / 2;
	if (!send_dsm(t, w.region.slba + first, lbas, true, false, w.region.nsid, &cpl) ||
	    !CASE_SUCCEEDS(t, &cpl))
		return;
	if (!others_unchanged(t, &w, first, lbas))
		return;
	for (uint32_t i = first; i < first + lbas; i++) {
		nvp_check(t, kept_or_deallocated(&w, i, dlfeat),
			  "block %u of the region: neither the old data nor what DLFEAT %u says", i,
			  dlfeat);
		changed += nvp_buf_pattern_mismatch(w.seen, w.key, (size_t)i * w.region.lba_bytes,
						    w.region.lba_bytes) >= 0;
	}
	nvp_note(t, "%u of %u blocks were deallocated", changed, lbas);
	if (!case_read(t, &w.region, 0, w.region.lbas, w.data))
		return;
	nvp_check_bytes(t, nvp_buf_data(w.data), nvp_buf_data(w.seen), nvp_buf_bytes(w.seen));
	if (!send_dsm(t, nvp_t_ns(t)->id.nsze_lbas, 1, true, false, w.region.nsid, &cpl))
		return;
	nvp_check_status_by(t, CASE_SHOULD, &cpl, CASE_LBA_RANGE);
}

/* IOC-14. Hints about how data is used, without Deallocate, succeed and change no data. */
static void hints_change_no_data(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	struct written w;

	if (!write_region(t, &w))
		return;
	if (!send_dsm(t, w.region.slba, w.region.lbas, false, true, w.region.nsid, &cpl))
		return;
	CASE_OK(t, &cpl);
	others_unchanged(t, &w, 0, 0);
}

#define IO_NEEDS (NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "io.compare-finds-one-byte",
		.title = "Compare succeeds for equal data and finds a single byte in any block",
		.spec = { "NVM Command Set", "1.0", "3.2.1", "Compare Failure" },
		.rows = NVP_LIST("IOC-09"),
		.needs = IO_NEEDS | NVP_NEED_COMPARE,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("compare-always-equal", "compare-first-block-only",
				    "compare-wrong-status", "lba-range-wrong-status"),
		.run = compare_finds_one_byte,
	}, {
		NVP_CASE,
		.id = "io.write-zeroes-clears-its-range",
		.title = "Write Zeroes clears all of its range and nothing else",
		.spec = { "NVM Command Set", "1.0", "3.2.8", NULL },
		.rows = NVP_LIST("IOC-10"),
		.needs = IO_NEEDS | NVP_NEED_WRITE_ZEROES,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("write-zeroes-keeps-data", "write-zeroes-one-block-short",
				    "lba-range-wrong-status"),
		.run = write_zeroes_clears_its_range,
	}, {
		NVP_CASE,
		.id = "io.deallocate-touches-its-range-only",
		.title = "Deallocated blocks read as DLFEAT says, and no other block changes",
		.spec = { "NVM Command Set", "1.0", "3.2.3.2.1", NULL },
		.rows = NVP_LIST("IOC-13", "IOC-19"),
		.needs = IO_NEEDS | NVP_NEED_DSM,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("deallocated-read-not-zero", "dsm-changes-neighbour",
				    "dsm-range-unchecked", "deallocated-read-varies"),
		.run = deallocate_touches_its_range_only,
	}, {
		NVP_CASE,
		.id = "io.hints-change-no-data",
		.title = "Dataset Management without Deallocate changes no data",
		.spec = { "NVM Command Set", "1.0", "3.2.3", "AD, IDW, IDR" },
		.rows = NVP_LIST("IOC-14"),
		.needs = IO_NEEDS | NVP_NEED_DSM,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("dsm-hints-deallocate"),
		.run = hints_change_no_data,
	},
};

NVP_SUITE(io_optional, cases);
