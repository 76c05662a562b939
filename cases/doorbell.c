// SPDX-License-Identifier: GPL-2.0-or-later
// Doorbells: values that a queue cannot have, and doorbells of no queue.

#include <string.h>

#include "cases/common.h"

#define CSTS_CFS (1u << 1)

/* A pair of queues with 8 entries each under identifier 2. */
static bool make_pair(struct nvp_t *t, struct nvp_sq **sq, struct nvp_cq **cq)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_cpl cpl;

	if (nvp_t_facts(t)->nr_io_sq < 2 || nvp_t_facts(t)->nr_io_cq < 2) {
		nvp_skip_at(t, __FILE__, __LINE__, "the drive has one I/O queue pair");
		return false;
	}
	*cq = nvp_cq_new(drive, 2, 8, -1);
	*sq = *cq ? nvp_sq_new(drive, 2, 8, *cq) : NULL;
	if (!*sq) {
		nvp_broken_at(t, __FILE__, __LINE__, "no memory for a queue pair");
		return false;
	}
	return CASE_TRAVELS(t, nvp_cq_create(*cq, &cpl)) && CASE_SUCCEEDS(t, &cpl) &&
	       CASE_TRAVELS(t, nvp_sq_create(*sq, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

/*
 * DBL-02, DBL-03. With a request waiting, a value outside the queue is reported as an Error
 * event, Invalid Doorbell Write Value, of the Error Information log. The text names the event and
 * its causes and nowhere says "shall": silence is a warning, another event than this a fail. The
 * queue is of no use afterwards: it goes with the reset at the end.
 */
static void invalid_values_raise_an_event(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	const char *variant = nvp_t_variant(t);
	struct nvp_async_event event;
	struct nvp_cpl cpl;
	struct nvp_sq *sq;
	struct nvp_cq *cq;
	bool came;

	nvp_defer(t, case_reset_at_end, NULL);
	if (!make_pair(t, &sq, &cq) || !case_post_event_request(t))
		return;
	if (!strcmp(variant, "tail-is-size"))
		nvp_done(t, nvp_ring_tail_raw(sq, nvp_sq_entries(sq)));
	else if (!strcmp(variant, "tail-is-ffff"))
		nvp_done(t, nvp_ring_tail_raw(sq, 0xffff));
	else if (!strcmp(variant, "head-is-size"))
		nvp_done(t, nvp_ring_head_raw(cq, nvp_cq_entries(cq)));
	else
		nvp_done(t, nvp_ring_head_raw(cq, 0xffff));
	if (!case_next_event(t, nvp_drive_budget_ns(drive, NVP_TIME_ADMIN), &came, &cpl))
		return;
	if (!came) {
		nvp_check_by(t, CASE_SHOULD, came, "no event came");
		return;
	}
	CASE_OK(t, &cpl);
	event = nvp_decode_async_event(cpl.dw0);
	nvp_check(t, event.type == 0 && event.info == 1 && event.lid == 1,
		  "Dword 0 is %08Xh: type %u, information %02Xh, log %02Xh", cpl.dw0, event.type,
		  event.info, event.lid);
}

/* Reads on queue 1, all of which have to complete well. */
static bool queue_1_works(struct nvp_t *t, struct nvp_buf *buf)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_sq *sq = nvp_io_sq(nvp_t_drive(t));
	struct nvp_cmd cmd = case_with_data(nvp_build_read(ns->nsid, 0, 0, ns->id.lba_bytes), buf);
	uint16_t cid[8];
	struct nvp_cpl cpl;

	for (unsigned i = 0; i < 8; i++)
		if (!CASE_TRAVELS(t, nvp_submit(sq, &cmd, &cid[i])))
			return false;
	if (!CASE_TRAVELS(t, nvp_ring_tail(sq)))
		return false;
	for (unsigned i = 0; i < 8; i++)
		if (!CASE_TRAVELS(t, nvp_wait_cid(sq, cid[i], &cpl)) || !CASE_SUCCEEDS(t, &cpl))
			return false;
	return true;
}

/*
 * DBL-01. What a write to the doorbell of no queue does is undefined: nothing, an event or a fatal
 * error, and which is noted. But no other queue may lose, repeat or spoil a command by it.
 */
static void stray_doorbells_leave_queues_alone(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_buf *buf = nvp_t_buf(t, nvp_t_ns(t)->id.lba_bytes);
	struct nvp_cpl cpl;
	uint32_t csts;
	bool came;

	if (nvp_t_facts(t)->nr_io_sq < 2)
		nvp_skip(t, "the drive has one I/O queue pair");
	nvp_defer(t, case_reset_at_end, NULL);
	if (!buf || !queue_1_works(t, buf) || !case_post_event_request(t))
		return;
	nvp_done(t, nvp_ring_any(drive, 2, false, 3));
	nvp_done(t, nvp_ring_any(drive, 2, true, 1));
	if (!case_next_event(t, 100 * NVP_NS_PER_MS, &came, &cpl))
		return;
	nvp_done(t, nvp_reg_read32(drive, NVP_REG_CSTS, &csts));
	if (csts & CSTS_CFS)
		nvp_skip(t, "the drive took it for a fatal error (CSTS %08Xh), which it may", csts);
	if (came)
		nvp_note(t, "an event was sent: Dword 0 %08Xh", cpl.dw0);
	else
		nvp_note(t, "no event was sent");
	queue_1_works(t, buf);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "doorbell.invalid-values-raise-an-event",
		.title = "A doorbell value outside the queue is reported as Invalid Doorbell "
			 "Write Value",
		.spec = { "NVMe Base", "2.0", "5.2.1", "Invalid Doorbell Write Value" },
		.rows = NVP_LIST("DBL-02", "DBL-03"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.variants = NVP_LIST("tail-is-size", "tail-is-ffff", "head-is-size",
				     "head-is-ffff"),
		.catches = NVP_LIST("doorbell-invalid-ignored", "doorbell-wrong-event"),
		.run = invalid_values_raise_an_event,
	}, {
		NVP_CASE,
		.id = "doorbell.stray-writes-leave-queues-alone",
		.title = "A write to the doorbell of no queue harms no other queue",
		.spec = { "PCIe Transport", "1.0", "3.1.2.1", NULL },
		.rows = NVP_LIST("DBL-01"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS | NVP_NEED_NAMESPACE |
			 NVP_NEED_NO_METADATA | NVP_NEED_REGISTERS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("doorbell-stray-stops-queue"),
		.run = stray_doorbells_leave_queues_alone,
	},
};

NVP_SUITE(doorbell, cases);
