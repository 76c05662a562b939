// SPDX-License-Identifier: GPL-2.0-or-later
// Commands in flight: many at once, shared and full queues, deleted queues, interrupts.

#include <string.h>

#include "cases/queues.h"

/*
 * QUE-17, QUE-18, ADQ-12. Batches of every size from 1 to the depth, each exposed by one doorbell
 * write, over many passes of a shorter completion queue: every command completes once and well.
 * Identifiers, SQHD, phase and status are standing invariants.
 */
static void batches_complete_over_many_passes(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, nvp_t_ns(t)->id.lba_bytes);
	uint64_t nsze = nvp_t_ns(t)->id.nsze_lbas;
	struct nvp_sq *sq;
	struct nvp_cq *cq;

	if (!buf || !queue_needs(t, 2, 2) || !queue_cq(t, 2, 17, -1, &cq) ||
	    !queue_sq(t, 2, 16, cq, &sq))
		return;
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned batch = 1; batch < 16; batch++) {
			for (unsigned i = 0; i < batch; i++)
				if (!queue_post_read(t, sq, nvp_t_rand(t, "slba", batch * 16 + i) % nsze,
					       buf, NULL))
					return;
			nvp_done(t, nvp_ring_tail(sq));
			if (!queue_take(t, cq, batch))
				return;
		}
	}
	queue_delete(t, sq, cq);
}

/*
 * ADQ-12. Of commands that run together every other one is out of range: the right identifiers
 * come back with the errors.
 */
static void completions_name_their_command(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_buf *buf = nvp_t_buf(t, ns->id.lba_bytes);
	struct nvp_sq *sq = nvp_io_sq(nvp_t_drive(t));
	uint16_t cid[8];

	if (!buf)
		return;
	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < 8; i++)
			if (!queue_post_read(t, sq, i % 2 ? ns->id.nsze_lbas : 0, buf, &cid[i]))
				return;
		nvp_done(t, nvp_ring_tail(sq));
		for (unsigned i = 0; i < 8; i++) {
			struct nvp_cpl cpl;

			nvp_done(t, nvp_wait_cid(sq, cid[i], &cpl));
			if (i % 2)
				nvp_check_status(t, &cpl, CASE_LBA_RANGE);
			else
				nvp_check(t, nvp_cpl_ok(&cpl), "status %u/%02Xh of a good read",
					  cpl.status.sct, cpl.status.sc);
		}
	}
}

#define NR_SHARED 3

/*
 * QUE-13. Several submission queues share one completion queue: each completion carries the
 * queue of its command (a standing invariant, and no other would end the wait for it), and the
 * completion queue goes last.
 */
static void shared_completion_queue_names_each(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, nvp_t_ns(t)->id.lba_bytes);
	struct nvp_sq *sq[NR_SHARED];
	uint16_t cid[NR_SHARED][4];
	struct nvp_cpl cpl;
	struct nvp_cq *cq;

	if (!buf || !queue_needs(t, 1 + NR_SHARED, 2) || !queue_cq(t, 2, 32, -1, &cq))
		return;
	for (unsigned q = 0; q < NR_SHARED; q++)
		if (!queue_sq(t, (uint16_t)(2 + q), 8, cq, &sq[q]))
			return;
	for (unsigned i = 0; i < 4; i++)
		for (unsigned q = 0; q < NR_SHARED; q++)
			if (!queue_post_read(t, sq[q], i, buf, &cid[q][i]))
				return;
	for (unsigned q = 0; q < NR_SHARED; q++)
		nvp_done(t, nvp_ring_tail(sq[q]));
	for (unsigned q = 0; q < NR_SHARED; q++) {
		for (unsigned i = 0; i < 4; i++) {
			nvp_done(t, nvp_wait_cid(sq[q], cid[q][i], &cpl));
			CASE_OK(t, &cpl);
		}
	}
	for (unsigned q = NR_SHARED; q-- > 0;) {
		nvp_done(t, nvp_cq_delete(cq, &cpl));
		nvp_require_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_QUEUE_DELETION }));
		if (!queue_delete(t, sq[q], NULL))
			return;
	}
	queue_delete(t, NULL, cq);
}

/*
 * QUE-15. A completion queue of 4 entries takes 3 completions while its head does not move,
 * however many commands there are; the others follow when it does, none lost and none twice.
 */
static void full_completion_queue_holds_back(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, nvp_t_ns(t)->id.lba_bytes);
	struct nvp_drive *drive = nvp_t_drive(t);
	unsigned taken = 0;
	struct nvp_cpl cpl;
	struct nvp_sq *sq;
	struct nvp_cq *cq;
	int rc = 1;

	if (!buf || !queue_needs(t, 2, 2) || !queue_cq(t, 2, 4, -1, &cq) ||
	    !queue_sq(t, 2, 16, cq, &sq))
		return;
	nvp_cq_hold_head(cq, true);
	for (unsigned i = 0; i < 12; i++)
		if (!queue_post_read(t, sq, i, buf, NULL))
			return;
	nvp_done(t, nvp_ring_tail(sq));
	nvp_done(t, nvp_clock_pass(nvp_drive_clock(drive), NVP_NS_PER_S));
	while (rc == 1) {
		rc = nvp_reap(cq, &cpl);
		nvp_done(t, rc);
		taken += rc == 1;
		if (rc == 1)
			CASE_OK(t, &cpl);
	}
	nvp_check(t, taken <= 3, "%u completions were posted into 3 free entries", taken);
	nvp_cq_hold_head(cq, false);
	nvp_done(t, nvp_ring_head(cq));
	if (!queue_take(t, cq, 12 - taken))
		return;
	queue_delete(t, sq, cq);
}

/* A pair under identifier 2 with 24 reads exposed in it, and the submission queue deleted at once. */
static bool delete_under_way(struct nvp_t *t, struct nvp_buf *buf, struct nvp_cq **cq)
{
	struct nvp_cpl deleted;
	struct nvp_sq *sq;

	if (!queue_cq(t, 2, 33, -1, cq) || !queue_sq(t, 2, 32, *cq, &sq))
		return false;
	for (unsigned i = 0; i < 24; i++)
		if (!queue_post_read(t, sq, i, buf, NULL))
			return false;
	return CASE_TRAVELS(t, nvp_ring_tail(sq)) && CASE_TRAVELS(t, nvp_sq_delete(sq, &deleted)) &&
	       CASE_SUCCEEDS(t, &deleted);
}

/*
 * QUE-16. A submission queue is deleted while its commands run. Each completes once or not at all;
 * nothing comes after the completion of Delete (standing invariants), for which 100 ms are waited:
 * once with the completion queue there, once with it deleted as well.
 */
static void deleted_queue_stays_silent(struct nvp_t *t)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	struct nvp_buf *buf = nvp_t_buf(t, nvp_t_ns(t)->id.lba_bytes);
	struct nvp_cpl cpl;
	unsigned came = 0;
	struct nvp_cq *cq;
	int rc = 1;

	if (!buf || !queue_needs(t, 2, 2) || !delete_under_way(t, buf, &cq))
		return;
	while (rc == 1) {
		rc = nvp_reap_until(cq, nvp_clock_deadline_ns(clock, 100 * NVP_NS_PER_MS), &cpl);
		nvp_done(t, rc);
		came += rc == 1;
	}
	nvp_note(t, "%u of 24 commands completed before the queue was gone", came);
	if (!queue_delete(t, NULL, cq) || !delete_under_way(t, buf, &cq) ||
	    !queue_delete(t, NULL, cq))
		return;
	nvp_done(t, nvp_clock_pass(clock, 100 * NVP_NS_PER_MS));
}

/*
 * ARB-04. With one command at a time, and nothing that joins interrupts, every completion raises
 * the interrupt of its queue.
 */
static void completions_raise_interrupts(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_buf *buf = nvp_t_buf(t, nvp_t_ns(t)->id.lba_bytes);
	struct nvp_wait wait = { .vectors = 1ull << 1 };
	uint32_t coalescing;
	struct nvp_sq *sq;
	struct nvp_cq *cq;

	if (!buf || !queue_needs(t, 2, 2))
		return;
	if (nvp_t_facts(t)->nr_vectors < 2)
		nvp_skip(t, "the drive has one interrupt vector");
	if (!case_feature_value(t, 0x08, 0, &coalescing))
		return;
	if (coalescing & 0xffff)
		nvp_skip(t, "interrupts are coalesced (%08Xh)", coalescing);
	if (!queue_cq(t, 2, 8, 1, &cq) || !queue_sq(t, 2, 8, cq, &sq))
		return;
	(void)nvp_vector_take(drive, 1);
	for (unsigned i = 0; i < 24; i++) {
		int rc;

		if (!queue_post_read(t, sq, i, buf, NULL))
			return;
		nvp_done(t, nvp_ring_tail(sq));
		wait.until_ns = queue_deadline_ns(t);
		rc = nvp_drive_clock(drive)->wait(nvp_drive_clock(drive)->context, &wait);
		nvp_done(t, rc);
		nvp_require(t, rc == NVP_WOKEN_VECTOR && nvp_vector_take(drive, 1),
			    "command %u: no interrupt on vector 1", i);
		if (!queue_take(t, cq, 1))
			return;
	}
	queue_delete(t, sq, cq);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "queue.batches-complete-over-many-passes",
		.title = "Batches of any size complete, each command once, over many passes of "
			 "the rings",
		.spec = { "NVMe Base", "2.0", "3.3.1", NULL },
		.rows = NVP_LIST("QUE-17", "QUE-18", "ADQ-12"),
		.needs = QUEUE_NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("cqe-cid-unknown", "cqe-posted-twice",
				    "cqe-sqhd-outside-queue", "cqe-sqid-wrong",
				    "cqe-phase-stuck-after-wrap", "cqe-status-type-reserved",
				    "cqe-dnr-on-success", "io-command-lost", "cqe-status-host-made",
				    "doorbell-write-swallowed", "dma-stray-address"),
		.run = batches_complete_over_many_passes,
	}, {
		NVP_CASE,
		.id = "queue.completions-name-their-command",
		.title = "Errors among commands in flight come back under the right identifiers",
		.spec = { "NVMe Base", "2.0", "3.3.3.2", "CID" },
		.rows = NVP_LIST("ADQ-12"),
		.needs = NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA | NVP_NEED_DEPTH,
		.catches = NVP_LIST("cqe-cids-swapped"),
		.run = completions_name_their_command,
	}, {
		NVP_CASE,
		.id = "queue.shared-completion-queue-names-each",
		.title = "Completions on a shared queue carry the submission queue of their "
			 "command",
		.spec = { "NVMe Base", "2.0", "3.3.3.2", "SQID" },
		.rows = NVP_LIST("QUE-13"),
		.needs = QUEUE_NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("shared-cq-sqid-wrong", "cqe-sqid-wrong",
				    "delete-cq-with-sq-accepted"),
		.run = shared_completion_queue_names_each,
	}, {
		NVP_CASE,
		.id = "queue.full-completion-queue-holds-back",
		.title = "A full completion queue is not written to until its head moves",
		.spec = { "NVMe Base", "2.0", "3.3.1.2.2", NULL },
		.rows = NVP_LIST("QUE-15"),
		.needs = QUEUE_NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("cq-full-overwrites"),
		.run = full_completion_queue_holds_back,
	}, {
		NVP_CASE,
		.id = "queue.deleted-queue-stays-silent",
		.title = "No command of a deleted submission queue completes after the Delete",
		.spec = { "NVMe Base", "2.0", "5.7", NULL },
		.rows = NVP_LIST("QUE-16"),
		.needs = QUEUE_NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("delete-sq-completes-late", "deleted-cq-written"),
		.run = deleted_queue_stays_silent,
	}, {
		NVP_CASE,
		.id = "queue.completions-raise-interrupts",
		.title = "Each completion raises the interrupt of its queue",
		.spec = { "PCIe Transport", "1.0", "3.5.1", NULL },
		.rows = NVP_LIST("ARB-04"),
		.needs = QUEUE_NEEDS | NVP_NEED_INTERRUPTS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("cqe-interrupt-lost"),
		.run = completions_raise_interrupts,
	},
};

NVP_SUITE(queue_flow, cases);
