// SPDX-License-Identifier: GPL-2.0-or-later
// Power loss: rules with a short history of their own.

#include "cases/powerloss.h"

#define LBAS 16u

static bool exec(struct nvp_t *t, const struct nvp_cmd *cmd)
{
	struct nvp_cpl cpl;

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), cmd, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

/* Other data for the same blocks. */
static bool write_next(struct nvp_t *t, struct case_written *w)
{
	w->key++;
	nvp_buf_fill_pattern(w->data, w->key);
	return case_written_write(t, w);
}

/* Base 7.1: a Flush covers every write that was completed before it was submitted, the last too. */
static void flush_covers_newest_write(struct nvp_t *t)
{
	struct case_written w;

	if (!case_written_new(t, LBAS, &w) || !powerloss_flush(t, w.region.nsid) ||
	    !write_next(t, &w) || !powerloss_flush(t, w.region.nsid) || !powerloss_cut(t))
		return;
	case_written_holds(t, &w, 0, LBAS);
}

/* NVM 3.2.4: with FUA what a read returns is committed to the media before it is returned. */
static void fua_read_commits(struct nvp_t *t)
{
	struct case_written w;
	struct nvp_cmd cmd;

	if (!case_written_new(t, LBAS, &w) || !powerloss_flush(t, w.region.nsid) ||
	    !write_next(t, &w))
		return;
	cmd = case_transfer(NVP_IO_READ, &w.region, 0, LBAS, w.seen);
	nvp_cmd_set_fua(&cmd);
	if (!exec(t, &cmd) || !powerloss_cut(t))
		return;
	case_written_holds(t, &w, 0, LBAS);
}

/* NVM 3.2.7: a marked block cannot be read until it is written. Its mark is durable by a Flush. */
static void marks_survive(struct nvp_t *t)
{
	struct case_written w;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (!case_written_new(t, LBAS, &w) || !case_written_at_end(t, &w))
		return;
	cmd = nvp_build_write_uncorrectable(w.region.nsid, w.region.slba, 3);
	if (!exec(t, &cmd) || !powerloss_flush(t, w.region.nsid) || !powerloss_cut(t))
		return;
	for (uint32_t i = 0; i < 4; i++) {
		cmd = case_transfer(NVP_IO_READ, &w.region, i, 1, w.seen);
		nvp_done(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl));
		nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_MEDIA, NVP_SC_UNRECOVERED_READ }));
	}
	case_written_holds(t, &w, 4, LBAS - 4);
}

/* All of its bytes are this one. */
static bool is_all(const uint8_t *block, uint32_t bytes, uint8_t value)
{
	return block[0] == value && !memcmp(block, block + 1, bytes - 1);
}

/*
 * NVM 3.2.3.2.1: what a deallocated block reads as is the same until it is written; and it is a
 * value for deallocated blocks or the last data, never anything older.
 */
static void deallocated_is_stable(struct nvp_t *t)
{
	struct case_written w;
	struct nvp_buf *again, *range;
	uint32_t bytes;
	struct nvp_cmd cmd;

	if (!case_written_new(t, LBAS, &w) || !powerloss_flush(t, w.region.nsid) ||
	    !write_next(t, &w) || !powerloss_flush(t, w.region.nsid))
		return;
	bytes = w.region.lba_bytes;
	again = nvp_t_buf(t, (size_t)LBAS * bytes);
	range = nvp_t_buf(t, 4096);
	if (!again || !range)
		return;
	nvp_build_dsm_range(nvp_buf_data(range), 0, LBAS, w.region.slba);
	cmd = case_with_data(nvp_build_dsm(w.region.nsid, 0, true, false, false), range);
	if (!exec(t, &cmd) || !powerloss_flush(t, w.region.nsid) || !powerloss_cut(t))
		return;
	for (uint32_t i = 0; i < LBAS; i++) {
		const uint8_t *seen = (const uint8_t *)nvp_buf_data(w.seen) + (size_t)i * bytes;
		const uint8_t *data = (const uint8_t *)nvp_buf_data(w.data) + (size_t)i * bytes;

		if (!case_read(t, &w.region, i, 1, w.seen) ||
		    !case_read(t, &w.region, i, 1, again))
			return;
		nvp_check(t, is_all(seen, bytes, 0) || is_all(seen, bytes, 0xff) ||
			  !memcmp(seen, data, bytes), "block %u is older than its last data", i);
		nvp_check(t, !memcmp(seen, (const uint8_t *)nvp_buf_data(again) +
				     (size_t)i * bytes, bytes),
			  "block %u was read twice, and not as the same", i);
	}
}

/* NVM 3.2.3: Deallocate is for the data that were there, not for what is written after it. */
static void write_after_deallocate_survives(struct nvp_t *t)
{
	struct case_written w;
	struct nvp_buf *range = nvp_t_buf(t, 4096);
	struct nvp_cmd cmd;

	if (!range || !case_written_new(t, LBAS, &w) || !powerloss_flush(t, w.region.nsid))
		return;
	nvp_build_dsm_range(nvp_buf_data(range), 0, LBAS, w.region.slba);
	cmd = case_with_data(nvp_build_dsm(w.region.nsid, 0, true, false, false), range);
	if (!exec(t, &cmd) || !powerloss_flush(t, w.region.nsid) || !write_next(t, &w) ||
	    !powerloss_flush(t, w.region.nsid) || !powerloss_cut(t))
		return;
	case_written_holds(t, &w, 0, LBAS);
}

/*
 * NVM 2.1.4.1: a write within the atomic unit is there as a whole or not at all. One that passes
 * the end of the namespace is refused; so nothing of it is there.
 */
static void refused_write_leaves_no_trace(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	uint32_t unit = nvp_t_facts(t)->ctrl.awupf_z + 1u, half = unit / 2;
	struct case_written w = { .region = {
		.nsid = ns->nsid, .lba_bytes = ns->id.lba_bytes,
		.slba = ns->id.nsze_lbas - half, .lbas = half,
	} };
	struct nvp_buf *refused;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (unit < 2)
		nvp_skip(t, "the atomic unit is one block");
	w.data = nvp_t_buf(t, (size_t)half * w.region.lba_bytes);
	w.seen = nvp_t_buf(t, (size_t)half * w.region.lba_bytes);
	refused = nvp_t_buf(t, (size_t)unit * w.region.lba_bytes);
	if (!w.data || !w.seen || !refused)
		return;
	nvp_buf_fill_pattern(w.data, nvp_t_rand(t, "key", 0));
	nvp_buf_fill_pattern(refused, nvp_t_rand(t, "key", 1));
	if (!case_written_write(t, &w) || !powerloss_flush(t, w.region.nsid))
		return;
	cmd = case_with_data(nvp_build_write(w.region.nsid, w.region.slba, (uint16_t)(unit - 1),
					     w.region.lba_bytes), refused);
	nvp_done(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl));
	nvp_check_status(t, &cpl, CASE_LBA_RANGE);
	if (!powerloss_flush(t, w.region.nsid) || !powerloss_cut(t))
		return;
	case_written_holds(t, &w, 0, half);
}

#define MANY 1024u	/* blocks, in commands of one block: more than a drive writes at once */

/* Base 3.6.1: CSTS.SHST = 10b says that the shutdown is complete; the power may go at once. */
static void shutdown_writes_all(struct nvp_t *t)
{
	struct nvp_relay *relay = powerloss_relay(t);
	struct case_written w;

	/* Asked first: a drive that was told to shut down needs the cut to come back. */
	if (!relay)
		return;
	nvp_relay_close(relay);
	if (!case_written_new(t, MANY, &w) || !powerloss_flush(t, w.region.nsid))
		return;
	w.key++;
	nvp_buf_fill_pattern(w.data, w.key);
	for (uint32_t i = 0; i < MANY; i++)
		if (!case_write(t, &w.region, i, 1, w.data))
			return;
	nvp_done(t, nvp_ctrl_shutdown(nvp_t_drive(t), false, NULL));
	if (!powerloss_cut(t))
		return;
	case_written_holds(t, &w, 0, MANY);
}

/* Base 3.2.1: what is done to one namespace leaves the others alone; each Flush covers its own. */
static void namespaces_stay_apart(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	struct case_written w[2];
	uint32_t nr = 0;

	for (uint32_t i = 0; i < facts->nr_ns && nr < 2; i++) {
		const struct nvp_ns *ns = &facts->ns[i];

		if (ns->id.metadata_bytes || ns->id.lba_bytes != nvp_t_ns(t)->id.lba_bytes)
			continue;
		if (!case_written_new(t, LBAS, &w[nr]))	/* of each the same blocks */
			return;
		if (w[nr].region.slba + LBAS > ns->id.nsze_lbas)
			continue;
		w[nr++].region.nsid = ns->nsid;
	}
	if (nr < 2)
		nvp_skip(t, "no two namespaces of one format");
	for (uint32_t round = 0; round < 4; round++) {	/* in the last the second is idle */
		for (uint32_t i = 0; i < (round < 3 ? 2 : 1); i++) {
			w[i].key += 2;
			nvp_buf_fill_pattern(w[i].data, w[i].key + i);
			if (!case_written_write(t, &w[i]) ||
			    !powerloss_flush(t, w[i].region.nsid))
				return;
		}
		if (!powerloss_cut(t))
			return;
		for (uint32_t i = 0; i < 2; i++)
			if (!case_written_holds(t, &w[i], 0, LBAS))
				return;
	}
}

#define DIRECT(more)								\
	.needs = POWERLOSS_PLAIN_NEEDS | (more),					\
	.impact = POWERLOSS_IMPACT,						\
	.time_class = NVP_TIME_POWER

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "powerloss.flush-covers-newest-write",
		.title = "A Flush covers the last write before it: it is there after a power cut",
		.spec = { "NVMe Base", "2.0", "7.1", NULL },
		DIRECT(0),
		.catches = NVP_LIST("flush-misses-last-write"),
		.run = flush_covers_newest_write,
	}, {
		NVP_CASE,
		.id = "powerloss.fua-read-commits",
		.title = "What a read with FUA returned is there after a power cut",
		.spec = { "NVM Command Set", "1.0", "3.2.4", "FUA" },
		DIRECT(0),
		.catches = NVP_LIST("fua-read-does-not-commit"),
		.run = fua_read_commits,
	}, {
		NVP_CASE,
		.id = "powerloss.uncorrectable-survives",
		.title = "Blocks that were marked uncorrectable are so after a power cut",
		.spec = { "NVM Command Set", "1.0", "3.2.7", NULL },
		DIRECT(NVP_NEED_WRITE_UNCORRECTABLE),
		.catches = NVP_LIST("cut-uncorrectable-forgotten"),
		.run = marks_survive,
	}, {
		NVP_CASE,
		.id = "powerloss.deallocated-is-stable",
		.title = "After a power cut deallocated blocks read the same twice, and nothing older",
		.spec = { "NVM Command Set", "1.0", "3.2.3.2.1", NULL },
		DIRECT(NVP_NEED_DSM),
		.catches = NVP_LIST("cut-trim-shows-older", "cut-unstable-deallocated"),
		.run = deallocated_is_stable,
	}, {
		NVP_CASE,
		.id = "powerloss.write-after-deallocate-survives",
		.title = "What was written after a Deallocate is there after a power cut",
		.spec = { "NVM Command Set", "1.0", "3.2.3", NULL },
		DIRECT(NVP_NEED_DSM),
		.catches = NVP_LIST("cut-replays-trims"),
		.run = write_after_deallocate_survives,
	}, {
		NVP_CASE,
		.id = "powerloss.refused-write-leaves-no-trace",
		.title = "A write that was refused for its range is nowhere after a power cut",
		.spec = { "NVM Command Set", "1.0", "2.1.4.1", NULL },
		DIRECT(0),
		.catches = NVP_LIST("refused-range-written", "lba-range-wrong-status"),
		.run = refused_write_leaves_no_trace,
	}, {
		NVP_CASE,
		.id = "powerloss.shutdown-writes-all",
		.title = "A shutdown is complete when all is written: a cut right after it loses nothing",
		.spec = { "NVMe Base", "2.0", "3.6.1", NULL },
		DIRECT(0),
		.catches = NVP_LIST("shutdown-completes-early"),
		.run = shutdown_writes_all,
	}, {
		NVP_CASE,
		.id = "powerloss.namespaces-stay-apart",
		.title = "A power cut during work on one namespace leaves the others alone",
		.spec = { "NVMe Base", "2.0", "3.2.1", NULL },
		DIRECT(NVP_NEED_TWO_NAMESPACES),
		.catches = NVP_LIST("cut-crosses-namespaces", "cut-loses-other-namespace",
				    "flush-misses-other-namespaces"),
		.run = namespaces_stay_apart,
	},
};

NVP_SUITE(powerloss_data, cases);
