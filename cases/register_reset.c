// SPDX-License-Identifier: GPL-2.0-or-later
// Controller registers: enable, disable, shutdown, and what a controller reset ends.

#include <string.h>

#include "cases/common.h"

#define CSTS_RDY (1u << 0)
#define CSTS_CFS (1u << 1)
#define CSTS_SHST(csts) ((csts) >> 2 & 3)

/* The longest time that the drive states for CSTS.RDY to follow CC.EN; 0 when it states none. */
static bool stated_ready_time_ns(struct nvp_t *t, uint64_t *stated_ns)
{
	const struct nvp_cap *cap = &nvp_t_facts(t)->cap;
	uint32_t units = cap->to_500ms, crto;

	if (cap->crwms || cap->crims) {
		if (!CASE_TRAVELS(t, nvp_reg_read32(nvp_t_drive(t), NVP_REG_CRTO, &crto)))
			return false;
		if ((crto & 0xffff) > units)
			units = crto & 0xffff;
		if (crto >> 16 > units)
			units = crto >> 16;
	}
	*stated_ns = units * 500 * NVP_NS_PER_MS;
	return true;
}

static void check_ready_time(struct nvp_t *t, const char *what, uint64_t ready_ns,
			     uint64_t stated_ns)
{
	nvp_measure(t, what, (double)ready_ns / 1e6, "ms");
	nvp_check(t, !stated_ns || ready_ns <= stated_ns, "%s: %llu ms, the drive states %llu",
		  what, (unsigned long long)(ready_ns / NVP_NS_PER_MS),
		  (unsigned long long)(stated_ns / NVP_NS_PER_MS));
}

/*
 * REG-06, REG-07. CSTS.RDY follows CC.EN within the time that the drive itself states (CAP.TO, or
 * CRTO where CAP.CRMS says so), both ways, and a correct enable is no fatal error. The times are
 * measures too; the bound is no figure of ours.
 */
static void ready_follows_enable(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_enable enable;
	uint64_t ready_ns, stated_ns;
	uint32_t csts;
	int rc;

	if (!stated_ready_time_ns(t, &stated_ns))
		return;
	nvp_defer(t, case_reset_at_end, NULL);
	rc = nvp_ctrl_disable(drive, &ready_ns);
	nvp_done(t, nvp_reg_read32(drive, NVP_REG_CSTS, &csts));
	nvp_require(t, !(csts & CSTS_RDY), "CSTS %08Xh after CC.EN went to 0", csts);
	nvp_done(t, rc);
	check_ready_time(t, "not ready after disable", ready_ns, stated_ns);

	nvp_enable_defaults(drive, &enable);
	rc = nvp_ctrl_enable(drive, &enable, &ready_ns);
	nvp_done(t, nvp_reg_read32(drive, NVP_REG_CSTS, &csts));
	nvp_require(t, (csts & (CSTS_RDY | CSTS_CFS)) == CSTS_RDY,
		    "CSTS %08Xh after a correct enable", csts);
	nvp_done(t, rc);
	check_ready_time(t, "ready after enable", ready_ns, stated_ns);
}

/*
 * REG-16, REG-17. A shutdown that the host asks for is reported and completes: CSTS.SHST comes to
 * 10b. How long it took is a measure; without RTD3E the power class budget bounds it.
 */
static void shutdown_completes(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	bool abrupt = !strcmp(nvp_t_variant(t), "abrupt");
	uint64_t done_ns;
	uint32_t csts;
	int rc;

	nvp_defer(t, case_reset_at_end, NULL);
	rc = nvp_ctrl_shutdown(drive, abrupt, &done_ns);
	nvp_done(t, nvp_reg_read32(drive, NVP_REG_CSTS, &csts));
	nvp_require_eq(t, CSTS_SHST(csts), 2);
	nvp_done(t, rc);
	nvp_measure(t, "shutdown", (double)done_ns / 1e6, "ms");
}

/*
 * REG-11. I/O queues are gone after a controller reset: their identifiers can be used again at
 * once, and the new queues carry commands.
 */
static void reset_deletes_io_queues(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_buf *buf = nvp_t_buf(t, ns->id.lba_bytes);
	struct nvp_enable enable;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct nvp_cq *cq;
	struct nvp_sq *sq;

	if (!buf)
		return;
	nvp_defer(t, case_reset_at_end, NULL);
	nvp_done(t, nvp_ctrl_disable(drive, NULL));
	nvp_enable_defaults(drive, &enable);
	nvp_done(t, nvp_ctrl_enable(drive, &enable, NULL));
	if (!case_set_feature(t, 0x07, 0, false, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;

	cq = nvp_cq_new(drive, 1, 8, -1);
	sq = cq ? nvp_sq_new(drive, 1, 8, cq) : NULL;
	if (!sq)
		nvp_broken(t, "no memory for a queue pair");
	nvp_done(t, nvp_cq_create(cq, &cpl));
	CASE_OK(t, &cpl);
	nvp_done(t, nvp_sq_create(sq, &cpl));
	CASE_OK(t, &cpl);
	cmd = case_with_data(nvp_build_read(ns->nsid, 0, 0, ns->id.lba_bytes), buf);
	nvp_done(t, nvp_exec(sq, &cmd, &cpl));
	CASE_OK(t, &cpl);
}

/* One write per block: which are known to be done when the reset comes. */
#define OUTSTANDING_MAX 16

struct writes {
	struct case_region region;
	struct nvp_buf *buf;
	uint16_t cid[OUTSTANDING_MAX];
	bool acked[OUTSTANDING_MAX];
};

/* Send all of them with one doorbell and take what completes until a quarter is done. */
static bool start_writes(struct nvp_t *t, struct writes *w)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_sq *sq = nvp_io_sq(drive);
	uint64_t until_ns = nvp_clock_deadline_ns(nvp_drive_clock(drive),
						  nvp_drive_budget_ns(drive, NVP_TIME_IO));
	struct nvp_cpl cpl;

	for (uint32_t i = 0; i < w->region.lbas; i++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_write(w->region.nsid,
			w->region.slba + i, 0, w->region.lba_bytes), w->buf);

		cmd.data_offset = (size_t)i * w->region.lba_bytes;
		if (!CASE_TRAVELS(t, nvp_submit(sq, &cmd, &w->cid[i])))
			return false;
	}
	if (!CASE_TRAVELS(t, nvp_ring_tail(sq)))
		return false;
	for (uint32_t taken = 0; taken < w->region.lbas / 4; taken++) {
		if (!CASE_TRAVELS(t, nvp_reap_until(nvp_io_cq(drive), until_ns, &cpl)))
			return false;
		for (uint32_t i = 0; i < w->region.lbas; i++)
			if (w->cid[i] == cpl.cid)
				w->acked[i] = nvp_cpl_ok(&cpl);
	}
	return true;
}

/*
 * REG-19, AER-03. A controller reset with writes and an Asynchronous Event Request outstanding:
 * none of them completes afterwards (standing invariants), a write that was acknowledged is there,
 * cache or no cache, since no power was lost; each other block is old or new as a whole.
 */
static void reset_ends_outstanding_commands(struct nvp_t *t)
{
	uint64_t old_key = nvp_t_rand(t, "old", 0), new_key = nvp_t_rand(t, "new", 0);
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_cmd aer = nvp_build_async_event();
	struct writes w = { 0 };
	uint32_t lbas = case_max_lbas(t), bytes;

	if (lbas > OUTSTANDING_MAX)
		lbas = OUTSTANDING_MAX;
	if (!case_region(t, lbas, &w.region))
		return;
	bytes = w.region.lba_bytes;
	w.buf = nvp_t_buf(t, (size_t)lbas * bytes);
	if (!w.buf)
		return;
	nvp_buf_fill_pattern(w.buf, old_key);
	if (!case_write(t, &w.region, 0, lbas, w.buf))
		return;
	nvp_buf_fill_pattern(w.buf, new_key);
	nvp_done(t, nvp_submit(nvp_admin_sq(drive), &aer, NULL));
	nvp_done(t, nvp_ring_tail(nvp_admin_sq(drive)));
	nvp_defer(t, case_reset_at_end, NULL);
	if (!start_writes(t, &w))
		return;
	nvp_done(t, nvp_reset(drive, NVP_RESET_CONTROLLER));
	nvp_done(t, nvp_clock_pass(nvp_drive_clock(drive), 20 * NVP_NS_PER_MS));

	nvp_buf_fill(w.buf, 0);
	if (!case_read(t, &w.region, 0, lbas, w.buf))
		return;
	for (uint32_t i = 0; i < lbas; i++) {
		size_t at = (size_t)i * bytes;
		bool is_new = nvp_buf_pattern_mismatch(w.buf, new_key, at, bytes) < 0;
		bool is_old = nvp_buf_pattern_mismatch(w.buf, old_key, at, bytes) < 0;

		if (w.acked[i])
			nvp_check(t, is_new, "block %llu: acknowledged before the reset, reads %s",
				  (unsigned long long)(w.region.slba + i),
				  is_new ? "the new data" : is_old ? "the old data" : "neither");
		else
			nvp_check(t, is_new || is_old, "block %llu: reads %s",
				  (unsigned long long)(w.region.slba + i),
				  is_new ? "the new data" : is_old ? "the old data" : "neither");
	}
}

/*
 * REG-09. As long as CC gives no size of the entries of a kind, no queue of that kind is created:
 * Invalid Queue Size. With its size given the completion queue is made.
 */
static void queues_need_their_entry_size(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_enable enable;
	struct nvp_cpl cpl;
	struct nvp_sq *sq;
	struct nvp_cq *cq;

	nvp_defer(t, case_reset_at_end, NULL);
	for (unsigned with_cq = 0; with_cq < 2; with_cq++) {
		nvp_enable_defaults(drive, &enable);
		enable.iosqes = 0;
		enable.iocqes = with_cq ? enable.iocqes : 0;
		nvp_done(t, nvp_ctrl_disable(drive, NULL));
		if (nvp_ctrl_enable(drive, &enable, NULL))
			nvp_skip(t, "the drive does not become ready with an entry size of 0");
		cq = nvp_cq_new(drive, 1, 8, -1);
		sq = cq ? nvp_sq_new(drive, 1, 8, cq) : NULL;
		if (!sq)
			nvp_broken(t, "no memory for a queue");
		nvp_done(t, nvp_cq_create(cq, &cpl));
		if (with_cq) {
			CASE_OK(t, &cpl);
			nvp_done(t, nvp_sq_create(sq, &cpl));
		}
		nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_QUEUE_SIZE }));
	}
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "register.ready-follows-enable",
		.title = "CSTS.RDY follows CC.EN within the time that the drive states",
		.spec = { "NVMe Base", "2.0", "3.1.3.6", "RDY" },
		.rows = NVP_LIST("REG-06", "REG-07"),
		.needs = NVP_NEED_REGISTERS | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_RESET,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("csts-rdy-stuck-after-disable", "csts-rdy-late",
				    "csts-cfs-on-enable"),
		.run = ready_follows_enable,
	}, {
		NVP_CASE,
		.id = "register.shutdown-completes",
		.title = "A normal and an abrupt shutdown come to CSTS.SHST = 10b",
		.spec = { "NVMe Base", "2.0", "3.6.1", "SHST" },
		.rows = NVP_LIST("REG-16", "REG-17"),
		.needs = NVP_NEED_REGISTERS | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_RESET,
		.time_class = NVP_TIME_POWER,
		.variants = NVP_LIST("normal", "abrupt"),
		.catches = NVP_LIST("shutdown-never-completes", "shutdown-not-reported"),
		.run = shutdown_completes,
	}, {
		NVP_CASE,
		.id = "register.reset-deletes-io-queues",
		.title = "After a controller reset the identifiers of the I/O queues are free",
		.spec = { "NVMe Base", "2.0", "3.7.2", NULL },
		.rows = NVP_LIST("REG-11"),
		.needs = NVP_NEED_RESETS | NVP_NEED_QUEUES | NVP_NEED_NAMESPACE |
			 NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_RESET | NVP_IMPACT_STATE,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("cc-reset-keeps-queues"),
		.run = reset_deletes_io_queues,
	}, {
		NVP_CASE,
		.id = "register.reset-ends-outstanding-commands",
		.title = "After a controller reset nothing old completes and acknowledged data "
			 "is there",
		.spec = { "NVMe Base", "2.0", "3.7.2", NULL },
		.rows = NVP_LIST("REG-19", "AER-03"),
		.needs = NVP_NEED_RESETS | NVP_NEED_QUEUES | NVP_NEED_NAMESPACE |
			 NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_RESET | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("cc-reset-completes-old-commands", "reset-drops-cache"),
		.run = reset_ends_outstanding_commands,
	}, {
		NVP_CASE,
		.id = "register.queues-need-their-entry-size",
		.title = "No I/O queue is created before CC gives the size of its entries",
		.spec = { "NVMe Base", "2.0", "5.4", "Invalid Queue Size" },
		.rows = NVP_LIST("REG-09"),
		.since = NVP_VERSION(1, 4, 0),
		.needs = NVP_NEED_RESETS | NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_RESET | NVP_IMPACT_STATE,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("create-queue-entry-size-unchecked"),
		.run = queues_need_their_entry_size,
	},
};

NVP_SUITE(register_reset, cases);
