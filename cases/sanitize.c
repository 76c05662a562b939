// SPDX-License-Identifier: GPL-2.0-or-later
// Sanitize: what it leaves of the data, and how its log tells what it does.

#include "cases/sanitize.h"

/* SAN-01, SAN-08: also what only the cache held when it began is gone. */
static void nothing_of_before_is_read(struct nvp_t *t)
{
	const char *variant = nvp_t_variant(t);
	uint8_t action = !strcmp(variant, "block") ? 2 : !strcmp(variant, "overwrite") ? 3 : 4;
	struct nvp_cmd sanitize = nvp_build_sanitize(action, true, 1, false, false, 0);
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_sanitize_log log;
	struct case_region middle;
	struct erase_marks m;

	if (!sanitize_can(t, action) || !buf || !erase_mark(t, nvp_t_ns(t), &m))
		return;
	middle = erase_place(&m, 1);
	if (!case_write(t, &middle, 0, ERASE_LBAS, m.data) ||	/* not flushed */
	    !sanitize_start(t, &sanitize, buf) || !sanitize_wait(t, buf, &log))
		return;
	nvp_check(t, log.status == 1 || log.status == 4, "SSTAT says %u at the end", log.status);
	nvp_check_eq(t, log.progress, 0xffff);
	if (!erase_all_gone(t, &m))
		return;
	nvp_clock_pass(nvp_drive_clock(nvp_t_drive(t)), 100 * NVP_NS_PER_MS);
	erase_all_gone(t, &m);
}

/* SAN-01: SSTAT 2, SPROG never falls, SCDW10 is the command's. */
static void progress_rises(struct nvp_t *t)
{
	struct nvp_cmd sanitize = sanitize_any(t, false);
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_sanitize_log log = { 0 };
	unsigned last = 0, nr_seen = 0;

	if (!buf || !sanitize_start(t, &sanitize, buf))
		return;
	for (;;) {
		if (!sanitize_log(t, buf, &log))
			return;
		if (log.status != 2)
			break;
		nr_seen++;
		nvp_check(t, log.progress >= last, "SPROG went from %u to %u", last, log.progress);
		last = log.progress;
		nvp_clock_pass(nvp_drive_clock(nvp_t_drive(t)), 50 * NVP_NS_PER_MS);
	}
	nvp_measure(t, "progress seen", nr_seen, "times");
	nvp_check_by(t, NVP_SPEC("NVMe Base", "2.0", "5.16.1.25", "SCDW10"),
		     log.cdw10 == nvp_sqe_dw(&sanitize.sqe, 10), "SCDW10 is 0x%x, the command had 0x%x",
		     log.cdw10, nvp_sqe_dw(&sanitize.sqe, 10));
}

/* SAN-08: with No-Deallocate the blocks hold the pattern, and SSTAT says so. */
static void overwrite_pattern_is_read(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	uint32_t pattern = (uint32_t)nvp_t_rand(t, "pattern", 0) | 1;
	struct nvp_cmd sanitize = nvp_build_sanitize(3, true, 1, false, true, pattern);
	struct case_region region = { .nsid = ns->nsid, .lba_bytes = ns->id.lba_bytes, .lbas = 1 };
	struct nvp_buf *buf = nvp_t_buf(t, 512), *want = nvp_t_buf(t, ns->id.lba_bytes);
	struct nvp_buf *seen = nvp_t_buf(t, ns->id.lba_bytes);
	struct nvp_sanitize_log log;

	if (!sanitize_can(t, 3) || !buf || !want || !seen)
		return;
	if (nvp_t_facts(t)->ctrl.sanicap >> 29 & 1)
		nvp_skip(t, "SANICAP bit 29 is set: blocks are deallocated whatever is asked for");
	for (uint32_t at = 0; at < ns->id.lba_bytes; at += 4)
		for (unsigned i = 0; i < 4; i++)
			nvp_buf_data(want)[at + i] = (uint8_t)(pattern >> 8 * i);
	if (!sanitize_start(t, &sanitize, buf) || !sanitize_wait(t, buf, &log))
		return;
	nvp_check_by(t, NVP_SPEC("NVMe Base", "2.0", "5.16.1.25", "SSTAT"), log.status == 4,
		     "SSTAT says %u after No-Deallocate", log.status);
	for (unsigned i = 0; i < 3; i++) {
		region.slba = i * (ns->id.nsze_lbas - 1) / 2;
		if (!case_read(t, &region, 0, 1, seen))
			return;
		nvp_check_bytes(t, nvp_buf_data(seen), nvp_buf_data(want), ns->id.lba_bytes);
	}
}

/* GDE: set by a success, cleared by the first write. */
static void erased_bit_follows_the_data(struct nvp_t *t)
{
	struct nvp_cmd sanitize = sanitize_any(t, false);
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_sanitize_log log;
	struct case_written w;

	if (!buf || !sanitize_start(t, &sanitize, buf) || !sanitize_wait(t, buf, &log))
		return;
	nvp_check(t, log.global_data_erased, "Global Data Erased is clear after a success");
	if (!case_written_new(t, 1, &w) || !sanitize_log(t, buf, &log))
		return;
	nvp_check(t, !log.global_data_erased, "Global Data Erased is set after a write");
}

static void effects_are_told(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	uint32_t effects;

	if (!buf || !case_log(t, 0x05, 4096, buf))
		return;
	memcpy(&effects, nvp_buf_data(buf) + 4 * NVP_ADMIN_SANITIZE, sizeof(effects));
	nvp_check(t, (effects & 3) == 3, "the row of opcode 84h is 0x%08x: CSUPP or LBCC is clear",
		  effects);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "sanitize.nothing-of-before-is-read",
		.title = "After a sanitize no block holds what was written before, flushed or not",
		.spec = { "NVMe Base", "2.0", "8.21", NULL },
		.rows = NVP_LIST("SAN-01", "SAN-08"),
		.needs = SANITIZE_NEEDS | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_SANITIZE,
		.variants = NVP_LIST("block", "overwrite", "crypto"),
		.catches = NVP_LIST("sanitize-keeps-data", "sanitize-crypto-keeps-data",
				    "sanitize-last-block-survives", "sanitize-keeps-cache",
				    "sanitize-never-succeeds", "sanitize-status-missing",
				    "sanitize-progress-not-idle"),
		.run = nothing_of_before_is_read,
	}, {
		NVP_CASE,
		.id = "sanitize.progress-rises",
		.title = "The log tells the command, and a progress that never falls",
		.spec = { "NVMe Base", "2.0", "5.16.1.25", "SPROG" },
		.rows = NVP_LIST("LOG-13", "SAN-01"),
		.needs = SANITIZE_NEEDS,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_SANITIZE,
		.catches = NVP_LIST("sanitize-progress-counts-down", "sanitize-log-command-wrong"),
		.run = progress_rises,
	}, {
		NVP_CASE,
		.id = "sanitize.overwrite-pattern-is-read",
		.title = "Blocks that were not deallocated hold the pattern of the overwrite",
		.spec = { "NVMe Base", "2.0", "5.24", "OVRPAT, NDAS" },
		.rows = NVP_LIST("SAN-08"),
		.needs = SANITIZE_NEEDS | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_SANITIZE,
		.catches = NVP_LIST("sanitize-overwrite-pattern-wrong",
				    "sanitize-no-deallocate-status"),
		.run = overwrite_pattern_is_read,
	}, {
		NVP_CASE,
		.id = "sanitize.erased-bit-follows-the-data",
		.title = "Global Data Erased is set by a sanitize and cleared by a write",
		.spec = { "NVMe Base", "2.0", "5.16.1.25", "SSTAT bit 8" },
		.rows = NVP_LIST("SAN-01"),
		.needs = SANITIZE_NEEDS | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_SANITIZE,
		.catches = NVP_LIST("sanitize-erased-bit-stuck", "sanitize-erased-bit-missing"),
		.run = erased_bit_follows_the_data,
	}, {
		NVP_CASE,
		.id = "sanitize.effects-log-tells-it",
		.title = "The Commands Supported and Effects log has Sanitize, which changes contents",
		.spec = { "NVMe Base", "2.0", "5.16.1.6", "CSUPP, LBCC" },
		.rows = NVP_LIST("SAN-01"),
		.needs = NVP_NEED_SANITIZE | NVP_NEED_EFFECTS_LOG,
		.catches = NVP_LIST("sanitize-not-in-effects-log"),
		.run = effects_are_told,
	},
};

NVP_SUITE(sanitize, cases);
