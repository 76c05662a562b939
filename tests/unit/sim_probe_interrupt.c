// SPDX-License-Identifier: GPL-2.0-or-later
// A script over interrupts: vectors, masks, coalescing; and the order in which queues are served.

#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "tests/unit/sim_probe.h"

#define AREA 0x80000u
#define MASK_CONTROL 0x52u	/* Message Control of the MSI-X capability */
#define PENDING 0x3000u

/* Queue pair qid with 16 entries; vector -1: no interrupts. */
static void create(struct sim_host *h, struct sim_host_queue *q, uint16_t qid, int vector)
{
	unsigned offset = AREA + 8192 * qid;
	struct nvp_cmd cmd;

	*q = (struct sim_host_queue){
		.qid = qid,
		.sq = h->data + offset,
		.sq_iova = h->data_iova + offset,
		.cq = h->data + offset + 4096,
		.cq_iova = h->data_iova + offset + 4096,
		.phase = 1,
	};
	memset(q->sq, 0, 8192);
	cmd = nvp_build_create_cq(qid, SIM_HOST_DEPTH - 1, q->cq_iova, true, vector >= 0,
				  (uint16_t)(vector < 0 ? 0 : vector));
	cmd.raw_dptr = true;
	sim_host_admin(h, cmd);
	cmd = nvp_build_create_sq(qid, SIM_HOST_DEPTH - 1, q->sq_iova, true, 0, qid);
	cmd.raw_dptr = true;
	sim_host_admin(h, cmd);
}

/* MSI-X on, no vector masked. */
static void enable(struct sim_host *h)
{
	for (unsigned v = 0; v < nvp_sim_nr_vectors(h->sim); v++)
		nvp_sim_bar_write(h->sim, 0x2000 + 16 * v + 12, 4, 0);
	nvp_sim_config_write(h->sim, MASK_CONTROL, 2,
			     nvp_sim_config_read(h->sim, MASK_CONTROL, 2) | 0x8000);
}

static void quiet(struct sim_host *h)
{
	sim_host_pass(h, 100 * NVP_NS_PER_MS);
	for (unsigned v = 0; v < nvp_sim_nr_vectors(h->sim); v++)
		(void)nvp_sim_vector_take(h->sim, v);
}

/* Which of the first 16 vectors fired within so long, bit by bit. */
static void fired_line(struct sim_host *h, struct nvp_text *out, const char *label, uint64_t ns)
{
	uint64_t bits = 0;

	sim_host_pass(h, ns);
	for (unsigned v = 0; v < 16; v++)
		bits |= (uint64_t)nvp_sim_vector_take(h->sim, v) << v;
	sim_probe_value(out, label, bits);
}

static void send(struct sim_host *h, struct sim_host_queue *q, unsigned nr)
{
	struct nvp_cmd flush = nvp_build_flush(1);

	for (unsigned i = 0; i < nr; i++)
		sim_host_post(h, q, &flush);
}

static void take(struct sim_host *h, struct sim_host_queue *q, unsigned nr)
{
	struct nvp_cpl cpl;

	for (unsigned i = 0; i < nr; i++)
		sim_host_reap(h, q, &cpl);
}

static void probe_vectors(struct sim_host *h, struct nvp_text *out)
{
	struct sim_host_queue own, shared, none;

	enable(h);
	create(h, &own, 2, 5);
	create(h, &shared, 3, 5);
	create(h, &none, 4, -1);
	quiet(h);
	send(h, &own, 1);
	fired_line(h, out, "own", NVP_NS_PER_MS);
	send(h, &own, 1);
	fired_line(h, out, "more", NVP_NS_PER_MS);
	take(h, &own, 2);
	send(h, &shared, 1);
	fired_line(h, out, "shared", NVP_NS_PER_MS);
	take(h, &shared, 1);
	send(h, &none, 1);
	fired_line(h, out, "none", NVP_NS_PER_MS);
}

static void probe_mask(struct sim_host *h, struct nvp_text *out)
{
	struct sim_host_queue q;
	uint32_t control;

	enable(h);
	control = nvp_sim_config_read(h->sim, MASK_CONTROL, 2);
	create(h, &q, 2, 5);
	quiet(h);
	nvp_sim_config_write(h->sim, MASK_CONTROL, 2, control | 0x4000);
	send(h, &q, 1);
	fired_line(h, out, "masked", NVP_NS_PER_MS);
	sim_probe_value(out, "pending", nvp_sim_bar_read(h->sim, PENDING, 4));
	nvp_sim_config_write(h->sim, MASK_CONTROL, 2, control);
	fired_line(h, out, "unmasked", 10 * NVP_NS_PER_US);
	fired_line(h, out, "again", NVP_NS_PER_MS);
	sim_probe_value(out, "sent", nvp_sim_bar_read(h->sim, PENDING, 4));
}

static void probe_coalescing(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = nvp_build_get_features(2, 0, 0, 0);
	struct sim_host_queue q;

	enable(h);
	create(h, &q, 2, 5);
	sim_host_admin(h, nvp_build_set_features(8, 0, false, 200 << 8 | 3));
	quiet(h);
	send(h, &q, 1);
	fired_line(h, out, "one-early", 10 * NVP_NS_PER_MS);
	fired_line(h, out, "one-late", 20 * NVP_NS_PER_MS);
	take(h, &q, 1);
	quiet(h);
	send(h, &q, 4);
	fired_line(h, out, "four", 10 * NVP_NS_PER_MS);
	take(h, &q, 4);
	quiet(h);
	sim_host_post(h, &h->admin, &cmd);
	fired_line(h, out, "admin", 10 * NVP_NS_PER_MS);
	take(h, &h->admin, 1);
	sim_host_admin(h, nvp_build_set_features(9, 0, false, 1u << 16 | 5));
	quiet(h);
	send(h, &q, 1);
	fired_line(h, out, "exempt", 10 * NVP_NS_PER_MS);
}

/* Entries written by hand and exposed together: whose completion comes last. */
static void probe_order(struct sim_host *h, struct nvp_text *out)
{
	struct sim_host_queue low, high;
	struct nvp_cmd flush = nvp_build_flush(1);
	unsigned both = 0;

	create(h, &low, 2, -1);
	create(h, &high, 3, -1);
	for (unsigned i = 0; i < 12; i++) {
		memcpy(low.sq + 64 * i, flush.sqe.bytes, 64);
		memcpy(high.sq + 64 * i, flush.sqe.bytes, 64);
	}
	nvp_sim_config_write(h->sim, 4, 2, 2);		/* no bus mastering: nothing is fetched */
	nvp_sim_bar_write(h->sim, 0x1000 + 8 * 3, 4, 12);
	nvp_sim_bar_write(h->sim, 0x1000 + 8 * 2, 4, 12);
	nvp_sim_config_write(h->sim, 4, 2, 6);
	for (unsigned i = 0; i < 2000 && !both; i++) {
		sim_host_pass(h, 100);
		both = sim_host_has_completion(h, &high) ? 1 + (low.cq[16 * 11 + 14] & 1) : 0;
	}
	sim_probe_value(out, "low-is-through-first", both == 2);
}

const struct sim_probe sim_probes_interrupt[] = {
	{ "vectors", "sim:size=16M", probe_vectors },
	{ "mask", "sim:size=16M", probe_mask },
	{ "coalescing", "sim:size=16M", probe_coalescing },
	{ "order", "sim:size=16M", probe_order },
	{ NULL, NULL, NULL }
};
