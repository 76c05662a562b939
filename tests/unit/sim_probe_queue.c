// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts over registers, queues, completion entries, doorbells and data pointers.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/rand.h"
#include "tests/unit/sim_probe.h"

#define PAGE 4096u
#define AREA 0x80000u		/* of the data: queues and PRP lists of these scripts */

static uint64_t reg(struct sim_host *h, uint64_t offset, unsigned bytes)
{
	return nvp_sim_bar_read(h->sim, offset, bytes);
}

static void set_reg(struct sim_host *h, uint64_t offset, unsigned bytes, uint64_t value)
{
	nvp_sim_bar_write(h->sim, offset, bytes, value);
}

static uint64_t area(const struct sim_host *h, unsigned page)
{
	return h->data_iova + AREA + page * PAGE;
}

/* ---- registers ---- */

static void probe_registers(struct sim_host *h, struct nvp_text *out)
{
	uint64_t cap = reg(h, NVP_REG_CAP, 8);

	sim_probe_value(out, "mqes", cap & 0xffff);
	sim_probe_value(out, "mps", cap >> 48 & 0xff);
	sim_probe_value(out, "cap-rest", cap & ~UINT64_C(0x00ff00000000ffff));
	sim_probe_value(out, "vs", reg(h, NVP_REG_VS, 4));
	set_reg(h, NVP_REG_VS, 4, 0x12345678);
	sim_probe_value(out, "vs-written", reg(h, NVP_REG_VS, 4) == 0x12345678);
	set_reg(h, NVP_REG_CSTS, 4, 0);
	sim_probe_value(out, "csts", reg(h, NVP_REG_CSTS, 4));
	set_reg(h, NVP_REG_CC, 4, 0x00460000);
	sim_host_pass(h, 15 * NVP_NS_PER_S);
	sim_probe_value(out, "disabled", reg(h, NVP_REG_CSTS, 4));
	sim_probe_value(out, "aqa", reg(h, NVP_REG_AQA, 4));
	sim_probe_value(out, "asq", reg(h, NVP_REG_ASQ, 8) == h->admin.sq_iova);
	sim_probe_value(out, "acq", reg(h, NVP_REG_ACQ, 8) == h->admin.cq_iova);
	set_reg(h, NVP_REG_ASQ, 8, h->admin.sq_iova | 0xfff);
	sim_probe_value(out, "asq-low", reg(h, NVP_REG_ASQ, 4) & 0xfff);
}

/* The longest that CAP.TO allows (3.1.3.1), and a little, for RDY to follow. */
static void probe_enable(struct sim_host *h, struct nvp_text *out)
{
	uint64_t to_ns = (reg(h, NVP_REG_CAP, 8) >> 24 & 0xff) * 500 * NVP_NS_PER_MS;

	set_reg(h, NVP_REG_CC, 4, 0x00460000);
	sim_host_pass(h, to_ns);
	sim_probe_value(out, "disabled", reg(h, NVP_REG_CSTS, 4) & 1);
	sim_host_pass(h, 60 * NVP_NS_PER_S);
	set_reg(h, NVP_REG_CC, 4, 0x00460001);
	sim_host_pass(h, to_ns);
	sim_probe_value(out, "enabled", reg(h, NVP_REG_CSTS, 4) & 1);
	sim_probe_value(out, "fatal", reg(h, NVP_REG_CSTS, 4) & 2);
}

static void probe_shutdown(struct sim_host *h, struct nvp_text *out)
{
	set_reg(h, NVP_REG_CC, 4, 0x00464001);
	sim_host_pass(h, 10 * NVP_NS_PER_S);
	sim_probe_value(out, "shst", reg(h, NVP_REG_CSTS, 4) >> 2 & 3);
}

static void probe_controller_reset(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = nvp_build_async_event();

	sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0));
	sim_host_post(h, &h->admin, &cmd);
	cmd = nvp_build_read(1, 0, 7, 512);
	sim_host_post(h, &h->io, &cmd);
	sim_host_disable(h);
	sim_host_enable(h);
	sim_host_pass(h, NVP_NS_PER_S);
	sim_probe_value(out, "old-completion", sim_host_has_completion(h, &h->admin));
	cmd = nvp_build_get_features(2, 0, 0, 0);
	sim_probe_line(h, out, "first-command", sim_host_admin(h, cmd), 0);
	cmd = nvp_build_create_cq(1, 15, h->io.cq_iova, true, false, 0);
	cmd.raw_dptr = true;
	sim_probe_line(h, out, "create", sim_host_admin(h, cmd), 0);
}

/* ---- creation and deletion ---- */

static struct nvp_cpl create(struct sim_host *h, struct nvp_cmd cmd)
{
	cmd.raw_dptr = true;
	return sim_host_admin(h, cmd);
}

static void probe_create(struct sim_host *h, struct nvp_text *out)
{
	uint64_t cq = area(h, 0), sq = area(h, 1);
	static const struct {
		const char *label;
		uint16_t qid, qsize_z, vector;
		unsigned offset;
		bool split, interrupts;
	} rows[] = {
		{ "id-0", 0, 15, 0, 0, false, false },
		{ "id-above", 40, 15, 0, 0, false, false },
		{ "duplicate", 1, 15, 0, 0, false, false },
		{ "size-1", 2, 0, 0, 0, false, false },
		{ "split", 3, 15, 0, 0, true, false },
		{ "offset", 4, 15, 0, 64, false, false },
		{ "vector", 5, 15, 999, 0, false, true },
		{ "good", 6, 15, 0, 0, false, false },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++)
		sim_probe_line(h, out, rows[i].label,
			       create(h, nvp_build_create_cq(rows[i].qid, rows[i].qsize_z,
							     cq + rows[i].offset, !rows[i].split,
							     rows[i].interrupts, rows[i].vector)),
			       0);
	sim_probe_line(h, out, "missing-cq",
		       create(h, nvp_build_create_sq(8, 15, sq, true, 0, 9)), 0);
	sim_probe_line(h, out, "sq", create(h, nvp_build_create_sq(6, 15, sq, true, 0, 6)), 0);
	sim_probe_line(h, out, "delete-busy", sim_host_admin(h, nvp_build_delete_cq(6)), 0);
	sim_probe_line(h, out, "delete-missing", sim_host_admin(h, nvp_build_delete_sq(12)), 0);
	sim_probe_line(h, out, "delete", sim_host_admin(h, nvp_build_delete_sq(6)), 0);
	set_reg(h, NVP_REG_CC, 4, 0x00060001);	/* IOCQES 0 */
	sim_probe_line(h, out, "entry-size",
		       create(h, nvp_build_create_cq(19, 15, cq, true, false, 0)), 0);
	set_reg(h, NVP_REG_CC, 4, 0x00460001);
}

/* What completes after Delete did. */
static void probe_delete_busy(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = nvp_build_read(1, 0, 7, 512);
	struct nvp_cpl cpl;
	unsigned nr = 0;

	for (unsigned i = 0; i < 5; i++)
		sim_host_post(h, &h->io, &cmd);
	sim_probe_line(h, out, "delete", sim_host_admin(h, nvp_build_delete_sq(1)), 0);
	while (sim_host_has_completion(h, &h->io))
		sim_host_reap(h, &h->io, &cpl);
	sim_host_pass(h, NVP_NS_PER_S);
	for (; sim_host_has_completion(h, &h->io) && nr < 10; nr++)
		sim_host_reap(h, &h->io, &cpl);
	sim_probe_value(out, "late", nr);
	sim_probe_line(h, out, "delete-cq", sim_host_admin(h, nvp_build_delete_cq(1)), 0);
	memset(h->io.cq, 0, SIM_HOST_DEPTH * NVP_CQE_BYTES);
	sim_host_pass(h, NVP_NS_PER_S);
	sim_probe_value(out, "dead", !nvp_all_zero(h->io.cq, SIM_HOST_DEPTH * NVP_CQE_BYTES));
}

/* ---- completions ---- */

/* Forty reads, one at a time, everything of each entry. */
static void probe_entries(struct sim_host *h, struct nvp_text *out)
{
	unsigned sqid = 0, cid = 0, sqhd = 0, status = 0, dnr = 0, missing = 0, extra = 0;

	h->next_cid = 0x1ff0;
	for (unsigned i = 0; i < 40; i++) {
		struct nvp_cmd cmd = nvp_build_read(1, i, 0, 512);
		uint16_t posted = sim_host_post(h, &h->io, &cmd);
		struct nvp_cpl cpl;

		if (!sim_host_reap(h, &h->io, &cpl)) {
			missing++;
			continue;
		}
		sqid += cpl.sqid != 1;
		cid += cpl.cid != posted;
		sqhd += cpl.sqhd != h->io.tail;
		status += !nvp_cpl_ok(&cpl);
		dnr += cpl.status.dnr;
		sim_host_pass(h, NVP_NS_PER_MS);
		extra += sim_host_has_completion(h, &h->io);
	}
	sim_probe_value(out, "missing", missing);
	sim_probe_value(out, "sqid", sqid);
	sim_probe_value(out, "cid", cid);
	sim_probe_value(out, "sqhd", sqhd);
	sim_probe_value(out, "status", status);
	sim_probe_value(out, "dnr", dnr);
	sim_probe_value(out, "extra", extra);
}

/* Batches that go over the end of the queue, each behind one doorbell write. */
static void probe_batches(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = nvp_build_flush(1);
	unsigned nr = 0;

	for (unsigned round = 0; round < 4; round++) {
		struct nvp_cpl cpl;

		for (unsigned i = 0; i < 12; i++)
			memcpy(h->io.sq + (h->io.tail + i) % SIM_HOST_DEPTH * 64, cmd.sqe.bytes,
			       64);
		h->io.tail = (h->io.tail + 12) % SIM_HOST_DEPTH;
		set_reg(h, NVP_REG_DOORBELLS + 8, 4, h->io.tail);
		for (unsigned i = 0; i < 12 && sim_host_reap(h, &h->io, &cpl); i++)
			nr++;
	}
	sim_probe_value(out, "completed", nr);
}

/* A good and a bad command at once: which CID gets which status. */
static void probe_two(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd good = nvp_build_read(1, 0, 7, 512);
	struct nvp_cmd bad = nvp_build_read(1, UINT64_MAX - 9, 0, 512);
	uint16_t first = sim_host_post(h, &h->io, &good);
	struct nvp_cpl cpl;

	sim_host_post(h, &h->io, &bad);
	for (unsigned i = 0; i < 2 && sim_host_reap(h, &h->io, &cpl); i++)
		sim_probe_value(out, cpl.cid == first ? "good" : "bad", sim_host_status(cpl));
}

/* Queue pair 2 in the area: an SQ of 16 and a CQ of cq_size, or the CQ of pair 1. */
static void make_pair_2(struct sim_host *h, unsigned cq_size)
{
	memset(h->data + AREA, 0, 2 * PAGE);
	if (cq_size)
		create(h, nvp_build_create_cq(2, (uint16_t)(cq_size - 1), area(h, 0), true, false,
					      0));
	create(h, nvp_build_create_sq(2, 15, area(h, 1), true, 0, cq_size ? 2 : 1));
}

static void post_reads_2(struct sim_host *h, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++) {
		struct nvp_cmd cmd = nvp_build_read(1, i, 0, 512);

		nvp_sqe_set_cid(&cmd.sqe, (uint16_t)(0x100 + i));
		nvp_sqe_set_qw(&cmd.sqe, 6, h->data_iova);
		memcpy(h->data + AREA + PAGE + 64 * i, cmd.sqe.bytes, 64);
	}
	set_reg(h, NVP_REG_DOORBELLS + 16, 4, nr);
	sim_host_pass(h, 10 * NVP_NS_PER_MS);
}

static void probe_full(struct sim_host *h, struct nvp_text *out)
{
	make_pair_2(h, 4);
	post_reads_2(h, 10);
	nvp_text_add(out, "entries:");
	for (unsigned i = 0; i < 4; i++)
		nvp_text_addf(out, " %x/%u", nvp_le16(h->data + AREA + 16 * i + 12),
			      h->data[AREA + 16 * i + 14] & 1u);
	nvp_text_add(out, "\n");
}

static void probe_shared(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cpl cpl = { .sqid = 0 };

	make_pair_2(h, 0);
	post_reads_2(h, 1);
	sim_host_reap(h, &h->io, &cpl);
	sim_probe_value(out, "sqid", cpl.sqid);
}

/* Interrupts of 16 commands, one at a time, on a queue of its own vector. */
static void probe_interrupt(struct sim_host *h, struct nvp_text *out)
{
	unsigned fired = 0;

	nvp_sim_config_write(h->sim, 0x52, 2, 0x8000);	/* MSI-X enable */
	for (unsigned i = 0; i < 4; i++)
		set_reg(h, 0x2000 + 16 + 4 * i, 4, i ? 0 : 0xfee00000);
	memset(h->data + AREA, 0, 2 * PAGE);
	create(h, nvp_build_create_cq(2, 31, area(h, 0), true, true, 1));
	create(h, nvp_build_create_sq(2, 31, area(h, 1), true, 0, 2));
	for (unsigned i = 0; i < 16; i++) {
		struct nvp_cmd cmd = nvp_build_flush(1);

		memcpy(h->data + AREA + PAGE + 64 * i, cmd.sqe.bytes, 64);
		set_reg(h, NVP_REG_DOORBELLS + 16, 4, i + 1);
		sim_host_pass(h, 10 * NVP_NS_PER_MS);
		fired += nvp_sim_vector_take(h->sim, 1);
	}
	sim_probe_value(out, "fired", fired);
}

static void probe_stray_doorbell(struct sim_host *h, struct nvp_text *out)
{
	set_reg(h, NVP_REG_DOORBELLS + 8 * 20, 4, 1);
	sim_probe_line(h, out, "read", sim_host_io(h, nvp_build_read(1, 0, 0, 512)), 0);
	sim_probe_value(out, "stray", nvp_sim_dma_faults(h->sim, NULL));
}

/* ---- data pointers ---- */

/* Read 8 KiB or more with PRPs of the script's own, then a checksum of 32 pages. */
static void prp_read(struct sim_host *h, struct nvp_text *out, const char *label, unsigned pages,
		     uint64_t prp1, uint64_t prp2)
{
	struct nvp_cmd cmd = nvp_build_read(1, 0, (uint16_t)(pages * 8 - 1), 512);

	cmd.raw_dptr = true;
	nvp_sqe_set_qw(&cmd.sqe, 6, prp1);
	nvp_sqe_set_qw(&cmd.sqe, 8, prp2);
	memset(h->data, 0, 64 * PAGE);
	sim_probe_line(h, out, label, sim_host_io(h, cmd), 64 * PAGE);
}

/* A write from memory that is not there. */
static void write_unmapped(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = nvp_build_write(1, 0, 0, 512);

	cmd.raw_dptr = true;
	nvp_sqe_set_qw(&cmd.sqe, 6, 0x10000);
	sim_probe_line(h, out, "unmapped", sim_host_io(h, cmd), 0);
}

static void probe_prp(struct sim_host *h, struct nvp_text *out)
{
	uint8_t *list = h->data + AREA;

	nvp_rand_fill(h->data, 32 * PAGE, 77);
	sim_host_io(h, nvp_build_write(1, 0, 255, 512));
	prp_read(h, out, "one", 1, h->data_iova, 0);
	prp_read(h, out, "far", 2, h->data_iova, h->data_iova + 8 * PAGE);
	prp_read(h, out, "offset-1", 1, h->data_iova + 512, h->data_iova + 8 * PAGE);
	prp_read(h, out, "offset-2", 2, h->data_iova, h->data_iova + 8 * PAGE + 256);
	for (unsigned i = 0; i < 8; i++)
		nvp_put_le64(list + 8 * i, h->data_iova + (8 + 2 * i) * PAGE);
	prp_read(h, out, "list", 5, h->data_iova, area(h, 0));
	prp_read(h, out, "list-offset", 3, h->data_iova, area(h, 0) + 16);
	nvp_put_le64(list + 8, h->data_iova + 9 * PAGE + 8);
	prp_read(h, out, "bad-entry", 4, h->data_iova, area(h, 0));
	nvp_put_le64(list + PAGE - 8, area(h, 1));
	for (unsigned i = 0; i < 8; i++)
		nvp_put_le64(list + PAGE + 8 * i, h->data_iova + (20 + 2 * i) * PAGE);
	nvp_put_le64(list + PAGE - 16, h->data_iova + 10 * PAGE);
	prp_read(h, out, "chain", 5, h->data_iova, area(h, 0) + PAGE - 16);
	prp_read(h, out, "low-bits", 1, h->data_iova + 2, h->data_iova + 8 * PAGE);
	sim_probe_value(out, "stray", nvp_sim_dma_faults(h->sim, NULL));
	sim_probe_value(out, "in-front", nvp_crc32c(h->data - 64, 64));
	write_unmapped(h, out);
}

/* Priorities and the last queue, then a queue that becomes full: 15 of 16 entries. */
static void probe_last(struct sim_host *h, struct nvp_text *out)
{
	uint32_t nr = 0;

	memset(h->data + AREA, 0, 2 * PAGE);
	create(h, nvp_build_create_cq(32, 31, area(h, 0), true, false, 0));
	sim_probe_line(h, out, "priority",
		       create(h, nvp_build_create_sq(31, 15, area(h, 2), true, 2, 32)), 0);
	create(h, nvp_build_create_sq(32, 15, area(h, 1), true, 0, 32));
	set_reg(h, NVP_REG_DOORBELLS + 8 * 32, 4, 1);
	sim_host_pass(h, 10 * NVP_NS_PER_MS);
	sim_probe_value(out, "last", h->data[AREA + 14] & 1);
	make_pair_2(h, 32);
	post_reads_2(h, 15);
	for (unsigned i = 0; i < 32; i++)
		nr += h->data[AREA + 16 * i + 14] & 1u;
	sim_probe_value(out, "filled", nr);
}

/*
 * Queues 2 to 5, urgent to low, of one completion queue and full of flushes, exposed while the drive
 * reads nothing: in which order they are served. Then an admin command behind them.
 */
static void serve(struct sim_host *h, struct nvp_text *out, const char *label)
{
	struct nvp_cmd cmd = nvp_build_flush(1);

	memset(h->data + AREA, 0, 6 * PAGE);
	create(h, nvp_build_create_cq(2, 127, area(h, 0), true, false, 0));
	for (unsigned q = 0; q < 4; q++) {
		create(h, nvp_build_create_sq((uint16_t)(2 + q), 16, area(h, 1 + q), true,
					      (uint8_t)q, 2));
		for (unsigned i = 0; i < 16; i++)
			memcpy(h->data + AREA + (1 + q) * PAGE + 64 * i, cmd.sqe.bytes, 64);
	}
	nvp_sim_config_write(h->sim, 4, 2, 0x0002);	/* no bus master */
	for (unsigned q = 0; q < 4; q++)
		set_reg(h, NVP_REG_DOORBELLS + 8 * (2 + q), 4, 16);
	nvp_sim_config_write(h->sim, 4, 2, 0x0006);
	set_reg(h, NVP_REG_DOORBELLS + 8 * 2, 4, 16);
	sim_host_admin(h, nvp_build_get_features(2, 0, 0, 0));
	sim_probe_value(out, "before-admin", h->data[AREA + 16 * 63 + 14] & 1);
	sim_host_pass(h, 10 * NVP_NS_PER_MS);
	nvp_text_addf(out, "%s:", label);
	for (unsigned i = 0; i < 64; i++)
		nvp_text_addf(out, " %u", nvp_le16(h->data + AREA + 16 * i + 10));
	nvp_text_add(out, "\n");
}

static void probe_served(struct sim_host *h, struct nvp_text *out)
{
	serve(h, out, "round-robin");
}

static void probe_weighted(struct sim_host *h, struct nvp_text *out)
{
	set_reg(h, NVP_REG_CC, 4, 0x00460000);
	sim_host_pass(h, 60 * NVP_NS_PER_S);
	memset(h->admin.cq, 0, SIM_HOST_DEPTH * 16);
	h->admin.tail = h->admin.head = 0;
	h->admin.phase = 1;
	set_reg(h, NVP_REG_CC, 4, 0x00460801);
	sim_host_pass(h, 60 * NVP_NS_PER_S);
	sim_host_admin(h, nvp_build_set_features(1, 0, false, 7u << 24 | 3u << 16 | 1u << 8));
	serve(h, out, "weighted");
}

const struct sim_probe sim_probes_queue[] = {
	{ "last", "sim:size=16M", probe_last },
	{ "served", "sim:size=16M", probe_served },
	{ "weighted", "sim:size=16M", probe_weighted },
	{ "registers", "sim:size=16M", probe_registers },
	{ "enable", "sim:size=16M", probe_enable },
	{ "shutdown", "sim:size=16M", probe_shutdown },
	{ "controller-reset", "sim:size=16M", probe_controller_reset },
	{ "create", "sim:size=16M", probe_create },
	{ "delete-busy", "sim:size=16M", probe_delete_busy },
	{ "entries", "sim:size=16M", probe_entries },
	{ "batches", "sim:size=16M", probe_batches },
	{ "two", "sim:size=16M", probe_two },
	{ "full", "sim:size=16M", probe_full },
	{ "shared", "sim:size=16M", probe_shared },
	{ "interrupt", "sim:size=16M", probe_interrupt },
	{ "stray-doorbell", "sim:size=16M", probe_stray_doorbell },
	{ "prp", "sim:size=16M", probe_prp },
	{ NULL, NULL, NULL }
};
