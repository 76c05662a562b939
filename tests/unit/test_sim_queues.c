// SPDX-License-Identifier: GPL-2.0-or-later
// Queues of the simulated drive: creation, deletion, room, phase, doorbells, interrupts.

#include <errno.h>
#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/sim/mechanism.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define MSIX_CONTROL 0x52
#define QUEUE_2_SQ 0x10000	/* in the data area, which is not used for data here */
#define QUEUE_2_CQ 0x20000

static unsigned create_cq(struct sim_host *h, uint16_t qid, uint16_t qsize_z, uint64_t prp1,
			  bool contiguous, bool interrupts, uint16_t vector)
{
	struct nvp_cmd cmd = nvp_build_create_cq(qid, qsize_z, prp1, contiguous, interrupts,
						 vector);

	cmd.raw_dptr = true;
	return sim_host_status(sim_host_admin(h, cmd));
}

static unsigned create_sq(struct sim_host *h, uint16_t qid, uint16_t qsize_z, uint64_t prp1,
			  bool contiguous, uint16_t cqid)
{
	struct nvp_cmd cmd = nvp_build_create_sq(qid, qsize_z, prp1, contiguous, 0, cqid);

	cmd.raw_dptr = true;
	return sim_host_status(sim_host_admin(h, cmd));
}

static unsigned delete_sq(struct sim_host *h, uint16_t qid)
{
	return sim_host_status(sim_host_admin(h, nvp_build_delete_sq(qid)));
}

static unsigned delete_cq(struct sim_host *h, uint16_t qid)
{
	return sim_host_status(sim_host_admin(h, nvp_build_delete_cq(qid)));
}

static void creation_refuses_with_the_right_status(void)
{
	struct sim_host h = { 0 };
	uint64_t at;

	if (sim_host_open(&h, "sim:")) {
		at = h.data_iova + QUEUE_2_CQ;
		CU_ASSERT_EQUAL(create_cq(&h, 0, 15, at, true, false, 0), 0x101);
		CU_ASSERT_EQUAL(create_cq(&h, 33, 15, at, true, false, 0), 0x101);
		CU_ASSERT_EQUAL(create_cq(&h, 0xffff, 15, at, true, false, 0), 0x101);
		CU_ASSERT_EQUAL(create_cq(&h, 1, 15, at, true, false, 0), 0x101);
		CU_ASSERT_EQUAL(create_cq(&h, 2, 0, at, true, false, 0), 0x102);
		CU_ASSERT_EQUAL(create_cq(&h, 2, 1024, at, true, false, 0), 0x102);
		CU_ASSERT_EQUAL(create_cq(&h, 2, 0xffff, at, true, false, 0), 0x102);
		CU_ASSERT_EQUAL(create_cq(&h, 2, 15, at, false, false, 0), 0x002);
		CU_ASSERT_EQUAL(create_cq(&h, 2, 15, at + 8, true, false, 0), 0x013);
		CU_ASSERT_EQUAL(create_cq(&h, 2, 15, at, true, true, 33), 0x108);
		CU_ASSERT_EQUAL(create_cq(&h, 2, 15, at, true, true, 0xffff), 0x108);
		CU_ASSERT_EQUAL(create_cq(&h, 2, 15, at, true, false, 0xffff), 0);

		at = h.data_iova + QUEUE_2_SQ;
		CU_ASSERT_EQUAL(create_sq(&h, 0, 15, at, true, 2), 0x101);
		CU_ASSERT_EQUAL(create_sq(&h, 33, 15, at, true, 2), 0x101);
		CU_ASSERT_EQUAL(create_sq(&h, 1, 15, at, true, 2), 0x101);
		CU_ASSERT_EQUAL(create_sq(&h, 2, 15, at, true, 0), 0x101);
		CU_ASSERT_EQUAL(create_sq(&h, 2, 15, at, true, 33), 0x101);
		CU_ASSERT_EQUAL(create_sq(&h, 2, 15, at, true, 3), 0x100);
		CU_ASSERT_EQUAL(create_sq(&h, 2, 0, at, true, 2), 0x102);
		CU_ASSERT_EQUAL(create_sq(&h, 2, 15, at, false, 2), 0x002);
		CU_ASSERT_EQUAL(create_sq(&h, 2, 15, at + 16, true, 2), 0x013);
		CU_ASSERT_EQUAL(create_sq(&h, 2, 1023, at, true, 2), 0);
	}
	sim_host_close(&h);
}

static void deletion_refuses_with_the_right_status(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		CU_ASSERT_EQUAL(delete_cq(&h, 0), 0x101);
		CU_ASSERT_EQUAL(delete_sq(&h, 0), 0x101);
		CU_ASSERT_EQUAL(delete_cq(&h, 7), 0x101);
		CU_ASSERT_EQUAL(delete_sq(&h, 0xffff), 0x101);
		CU_ASSERT_EQUAL(delete_cq(&h, 1), 0x10c);
		CU_ASSERT_EQUAL(delete_sq(&h, 1), 0);
		CU_ASSERT_EQUAL(delete_sq(&h, 1), 0x101);
		CU_ASSERT_EQUAL(delete_cq(&h, 1), 0);
		CU_ASSERT_EQUAL(delete_cq(&h, 1), 0x101);
		CU_ASSERT_TRUE(sim_host_reset(&h));	/* makes both again */
	}
	sim_host_close(&h);
}

static void entry_sizes_are_those_of_cc(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		nvp_sim_bar_write(h.sim, 0x14, 4, 0x00560001);	/* IOCQES 5 */
		CU_ASSERT_EQUAL(create_cq(&h, 2, 15, h.data_iova, true, false, 0), 0x102);
		nvp_sim_bar_write(h.sim, 0x14, 4, 0x00470001);	/* IOSQES 7 */
		CU_ASSERT_EQUAL(create_cq(&h, 2, 15, h.data_iova, true, false, 0), 0);
		CU_ASSERT_EQUAL(create_sq(&h, 2, 15, h.data_iova, true, 2), 0x102);
	}
	sim_host_close(&h);
}

static void all_queues_at_once_and_not_one_more(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		for (uint16_t q = 2; q <= 32; q++) {
			uint64_t at = h.data_iova + q * 8192;

			CU_ASSERT_EQUAL(create_cq(&h, q, 1, at, true, false, 0), 0);
			CU_ASSERT_EQUAL(create_sq(&h, q, 1, at + 4096, true, q), 0);
		}
		CU_ASSERT_EQUAL(create_cq(&h, 33, 1, h.data_iova, true, false, 0), 0x101);
	}
	sim_host_close(&h);
}

static void phase_inverts_on_each_pass(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		for (unsigned i = 0; i < 5 * SIM_HOST_DEPTH; i++) {
			struct nvp_cpl cpl = sim_host_io(&h, nvp_build_read(1, 0, 0, 512));

			CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
			CU_ASSERT_EQUAL(cpl.sqid, 1);
			CU_ASSERT_EQUAL(cpl.sqhd, (i + 1) % SIM_HOST_DEPTH);
		}
	}
	sim_host_close(&h);
}

/* A second SQ on CQ 1, whose commands are posted by hand. */
static void post_on_second(struct sim_host *h, uint16_t cid, unsigned tail)
{
	struct nvp_cmd cmd = nvp_build_flush(1);

	nvp_sqe_set_cid(&cmd.sqe, cid);
	memcpy(h->data + QUEUE_2_SQ + ((tail + 255) % 256) * 64, cmd.sqe.bytes, 64);
	nvp_sim_bar_write(h->sim, 0x1010, 4, tail);
}

static void a_full_completion_queue_is_never_overrun(void)
{
	struct sim_host h = { 0 };
	struct nvp_cpl cpl;
	bool seen[40] = { false };

	if (sim_host_open(&h, "sim:")) {
		CU_ASSERT_EQUAL(create_sq(&h, 2, 255, h.data_iova + QUEUE_2_SQ, true, 1), 0);
		for (uint16_t i = 0; i < 40; i++)
			post_on_second(&h, i, i + 1u);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(h.sim->queues->cq[1].used, SIM_HOST_DEPTH - 1);
		CU_ASSERT_EQUAL(h.sim->queues->sq[2].nr_commands, 40 - (SIM_HOST_DEPTH - 1));
		for (unsigned i = 0; i < 40; i++) {
			CU_ASSERT_TRUE_FATAL(sim_host_reap(&h, &h.io, &cpl));
			CU_ASSERT_EQUAL(cpl.sqid, 2);
			CU_ASSERT_FALSE(cpl.cid >= 40 || seen[cpl.cid]);
			seen[cpl.cid % 40] = true;
		}
		CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.io));
		CU_ASSERT_EQUAL(delete_cq(&h, 1), 0x10c);
		CU_ASSERT_EQUAL(delete_sq(&h, 1), 0);
		CU_ASSERT_EQUAL(delete_cq(&h, 1), 0x10c);
		CU_ASSERT_EQUAL(delete_sq(&h, 2), 0);
		CU_ASSERT_EQUAL(delete_cq(&h, 1), 0);
	}
	sim_host_close(&h);
}

/* All that comes of a deleted queue comes before the completion of Delete, each at most once. */
static void deletion_with_commands_outstanding(void)
{
	for (unsigned delay_us = 0; delay_us < 120; delay_us += 7) {
		struct sim_host h = { 0 };
		struct nvp_cpl cpl;
		unsigned posted = 0;

		if (sim_host_open(&h, "sim:")) {
			struct nvp_cmd read = nvp_build_read(1, 0, 7, 512);

			for (unsigned i = 0; i < 10; i++)
				sim_host_post(&h, &h.io, &read);
			sim_host_pass(&h, delay_us * NVP_NS_PER_US);
			CU_ASSERT_EQUAL(delete_sq(&h, 1), 0);
			while (sim_host_has_completion(&h, &h.io) &&
			       sim_host_reap(&h, &h.io, &cpl)) {
				posted++;
				CU_ASSERT_TRUE(sim_host_status(cpl) == 0 ||
					       sim_host_status(cpl) == 0x008);
			}
			CU_ASSERT_TRUE(posted <= 10);
			sim_host_pass(&h, NVP_NS_PER_S);
			CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.io));
			CU_ASSERT_EQUAL(delete_cq(&h, 1), 0);
		}
		sim_host_close(&h);
	}
}

static void deletion_of_a_queue_whose_completions_have_no_room(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		CU_ASSERT_EQUAL(create_sq(&h, 2, 255, h.data_iova + QUEUE_2_SQ, true, 1), 0);
		for (uint16_t i = 0; i < 40; i++)
			post_on_second(&h, i, i + 1u);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(delete_sq(&h, 2), 0);
		CU_ASSERT_EQUAL(delete_sq(&h, 1), 0);
		CU_ASSERT_EQUAL(delete_cq(&h, 1), 0);
	}
	sim_host_close(&h);
}

static unsigned event_after(const char *address, uint64_t doorbell, uint32_t value)
{
	struct sim_host h = { 0 };
	struct nvp_cpl cpl = { .dw0 = 0xffffffff };
	struct nvp_cmd event = nvp_build_async_event();

	if (sim_host_open(&h, address)) {
		sim_host_post(&h, &h.admin, &event);
		sim_host_pass(&h, NVP_NS_PER_MS);
		nvp_sim_bar_write(h.sim, doorbell, 4, value);
		sim_host_pass(&h, NVP_NS_PER_MS);
		if (sim_host_has_completion(&h, &h.admin))
			sim_host_reap(&h, &h.admin, &cpl);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
	}
	sim_host_close(&h);
	return cpl.dw0;
}

static void wrong_doorbells_are_events_and_harm_nobody(void)
{
	CU_ASSERT_EQUAL(event_after("sim:", 0x1008, SIM_HOST_DEPTH), 0x00010100);
	CU_ASSERT_EQUAL(event_after("sim:", 0x1008, 0xffff), 0x00010100);
	CU_ASSERT_EQUAL(event_after("sim:", 0x100c, 1), 0x00010100);	/* nothing posted */
	CU_ASSERT_EQUAL(event_after("sim:", 0x100c, SIM_HOST_DEPTH), 0x00010100);
	CU_ASSERT_EQUAL(event_after("sim:", 0x1010, 1), 0x00010000);	/* no such queue */
	CU_ASSERT_EQUAL(event_after("sim:", 0x1ff8, 1), 0x00010000);
	CU_ASSERT_EQUAL(event_after("sim:", 0x1008, 0), 0xffffffff);	/* where it is */
	CU_ASSERT_EQUAL(event_after("sim:", 0x1008, 0x10000), 0xffffffff);
}

static void arbitration_lets_every_queue_have_its_turn(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd flush = nvp_build_flush(1);
	struct nvp_cpl cpl;
	unsigned run = 0, longest = 0, last = 0;

	if (sim_host_open(&h, "sim:")) {
		CU_ASSERT_EQUAL(create_sq(&h, 2, 255, h.data_iova + QUEUE_2_SQ, true, 1), 0);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h,
				nvp_build_set_features(0x01, 0, false, 1))), 0);	/* AB: 2 */
		for (uint16_t i = 0; i < 7; i++) {
			struct nvp_cmd again = nvp_build_flush(1);

			nvp_sqe_set_cid(&again.sqe, (uint16_t)(100 + i));
			memcpy(h.data + QUEUE_2_SQ + i * 64, again.sqe.bytes, 64);
			memcpy(h.io.sq + i * 64, flush.sqe.bytes, 64);
		}
		/* one access, so that both doorbells are there before anything is fetched */
		nvp_queues_doorbell(h.sim, 1, false, 7);
		nvp_queues_doorbell(h.sim, 2, false, 7);
		for (unsigned i = 0; i < 14; i++) {
			CU_ASSERT_TRUE_FATAL(sim_host_reap(&h, &h.io, &cpl));
			run = cpl.sqid == last ? run + 1 : 1;
			last = cpl.sqid;
			longest = i < 12 && run > longest ? run : longest;
		}
		CU_ASSERT_EQUAL(longest, 2);
	}
	sim_host_close(&h);
}

/* ---- interrupts ---- */

static void unmask(struct sim_host *h, unsigned vector, bool masked)
{
	nvp_sim_bar_write(h->sim, NVP_BAR_MSIX_TABLE + vector * 16 + 12, 4, masked);
}

static void interrupts_come_by_msix(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		nvp_sim_config_write(h.sim, MSIX_CONTROL, 2, 0x8000);
		CU_ASSERT_EQUAL(delete_sq(&h, 1) | delete_cq(&h, 1), 0);
		h.io.head = h.io.tail = 0;
		h.io.phase = 1;
		memset(h.io.cq, 0, 4096);
		CU_ASSERT_EQUAL(create_cq(&h, 1, 15, h.io.cq_iova, true, true, 3), 0);
		CU_ASSERT_EQUAL(create_sq(&h, 1, 15, h.io.sq_iova, true, 1), 0);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
		sim_host_pass(&h, NVP_NS_PER_MS);
		CU_ASSERT_FALSE(nvp_sim_vector_take(h.sim, 3));		/* masked: pending */
		CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_BAR_MSIX_PBA, 4) & 8, 8);
		unmask(&h, 3, false);
		CU_ASSERT_TRUE(nvp_sim_vector_take(h.sim, 3));
		CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_BAR_MSIX_PBA, 4) & 8, 0);
		CU_ASSERT_FALSE(nvp_sim_vector_take(h.sim, 3));
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
		sim_host_pass(&h, NVP_NS_PER_MS);
		CU_ASSERT_TRUE(nvp_sim_vector_take(h.sim, 3));
		nvp_sim_config_write(h.sim, MSIX_CONTROL, 2, 0xc000);	/* function mask */
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
		sim_host_pass(&h, NVP_NS_PER_MS);
		CU_ASSERT_FALSE(nvp_sim_vector_take(h.sim, 3));
		nvp_sim_config_write(h.sim, MSIX_CONTROL, 2, 0x8000);
		CU_ASSERT_TRUE(nvp_sim_vector_take(h.sim, 3));
	}
	sim_host_close(&h);
}

/* THR 3 (0-based: four) and TIME 25.5 ms on vector 3; then that vector is taken out of it. */
static void coalescing_holds_interrupts_back(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		nvp_sim_config_write(h.sim, MSIX_CONTROL, 2, 0x8000);
		unmask(&h, 3, false);
		CU_ASSERT_EQUAL(delete_sq(&h, 1) | delete_cq(&h, 1), 0);
		h.io.head = h.io.tail = 0;
		h.io.phase = 1;
		memset(h.io.cq, 0, 4096);
		CU_ASSERT_EQUAL(create_cq(&h, 1, 15, h.io.cq_iova, true, true, 3), 0);
		CU_ASSERT_EQUAL(create_sq(&h, 1, 15, h.io.sq_iova, true, 1), 0);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h,
				nvp_build_set_features(0x08, 0, false, 0xff03))), 0);
		for (unsigned i = 1; i <= 4; i++) {
			CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
			sim_host_pass(&h, NVP_NS_PER_MS);
			CU_ASSERT_EQUAL(nvp_sim_vector_take(h.sim, 3), i == 4);
		}
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
		sim_host_pass(&h, 10 * NVP_NS_PER_MS);
		CU_ASSERT_FALSE(nvp_sim_vector_take(h.sim, 3));
		sim_host_pass(&h, 20 * NVP_NS_PER_MS);
		CU_ASSERT_TRUE(nvp_sim_vector_take(h.sim, 3));		/* its time was up */
		CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h,
				nvp_build_set_features(0x09, 0, false, 0x10003))), 0);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
		sim_host_pass(&h, NVP_NS_PER_MS);
		CU_ASSERT_TRUE(nvp_sim_vector_take(h.sim, 3));
	}
	sim_host_close(&h);
}

static void a_wait_ends_with_its_vector(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd identify = nvp_build_identify(1, 0, 0, 0, 0);
	const struct nvp_clock *clock;
	struct nvp_wait wait = { .vectors = 1 };

	if (sim_host_open(&h, "sim:")) {
		clock = nvp_sim_clock(h.sim);
		nvp_sim_config_write(h.sim, MSIX_CONTROL, 2, 0x8000);
		unmask(&h, 0, false);
		nvp_sim_vector_take(h.sim, 0);
		wait.until_ns = nvp_clock_now_ns(clock) + NVP_NS_PER_S;
		CU_ASSERT_EQUAL(clock->wait(clock->context, &wait), NVP_WOKEN_TIME);
		CU_ASSERT_EQUAL(nvp_clock_now_ns(clock), wait.until_ns);
		sim_host_post(&h, &h.admin, &identify);
		wait.until_ns = nvp_clock_now_ns(clock) + NVP_NS_PER_S;
		CU_ASSERT_EQUAL(clock->wait(clock->context, &wait), NVP_WOKEN_VECTOR);
		CU_ASSERT_TRUE(sim_host_has_completion(&h, &h.admin));
		CU_ASSERT_TRUE(nvp_clock_now_ns(clock) < wait.until_ns);
		wait.until_ns = NVP_NEVER_NS;
		CU_ASSERT_EQUAL(clock->wait(clock->context, &wait), -EINVAL);
	}
	sim_host_close(&h);
}

/* A reset forgets what runs: nothing of before it is ever answered, and ids are free again. */
static void reset_forgets_outstanding_commands(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd read = nvp_build_read(1, 0, 7, 512);
	struct nvp_cmd event = nvp_build_async_event();

	if (sim_host_open(&h, "sim:")) {
		for (unsigned i = 0; i < 10; i++)
			sim_host_post(&h, &h.io, &read);
		sim_host_post(&h, &h.admin, &event);
		sim_host_pass(&h, 20 * NVP_NS_PER_US);
		CU_ASSERT_TRUE(sim_host_reset(&h));
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.io));
		CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, read)), 0);
	}
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_queues[] = {
	{ "creation refuses with the right status", creation_refuses_with_the_right_status },
	{ "deletion refuses with the right status", deletion_refuses_with_the_right_status },
	{ "entry sizes are those of CC", entry_sizes_are_those_of_cc },
	{ "all queues at once and not one more", all_queues_at_once_and_not_one_more },
	{ "phase inverts on each pass", phase_inverts_on_each_pass },
	{ "a full completion queue is never overrun", a_full_completion_queue_is_never_overrun },
	{ "deletion with commands outstanding", deletion_with_commands_outstanding },
	{ "deletion of a queue whose completions have no room",
	  deletion_of_a_queue_whose_completions_have_no_room },
	{ "wrong doorbells are events and harm nobody",
	  wrong_doorbells_are_events_and_harm_nobody },
	{ "arbitration lets every queue have its turn",
	  arbitration_lets_every_queue_have_its_turn },
	{ "interrupts come by MSI-X", interrupts_come_by_msix },
	{ "coalescing holds interrupts back", coalescing_holds_interrupts_back },
	{ "a wait ends with its vector", a_wait_ends_with_its_vector },
	{ "reset forgets outstanding commands", reset_forgets_outstanding_commands },
	CU_TEST_INFO_NULL,
};
