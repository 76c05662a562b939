// SPDX-License-Identifier: GPL-2.0-or-later
// Features that belong to whoever owns the queues: Number of Queues, interrupt vectors.

#include "cases/common.h"

/* Enabled, and no I/O queue yet: where Number of Queues may be set. Reset again at the end. */
static bool enable_without_queues(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_enable enable;

	nvp_defer(t, case_reset_at_end, NULL);
	nvp_enable_defaults(drive, &enable);
	return CASE_TRAVELS(t, nvp_ctrl_disable(drive, NULL)) &&
	       CASE_TRAVELS(t, nvp_ctrl_enable(drive, &enable, NULL));
}

/*
 * FEA-14. FFFFh queues of a kind are not a valid request; 2.0 says that the controller should
 * refuse it.
 */
static void too_many_queues_are_refused(struct nvp_t *t)
{
	static const uint32_t requests[] = { 0x0000ffff, 0xffff0000, 0xffffffff };

	if (!enable_without_queues(t))
		return;
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct nvp_cpl cpl;

		if (!case_set_feature(t, 0x07, 0, false, requests[i], &cpl))
			return;
		nvp_check_status_by(t, CASE_SHOULD, &cpl, CASE_INVALID_FIELD);
	}
}

/*
 * FEA-16. What Set Features says it allocated is what Get Features says afterwards, and at least
 * one queue of each kind. A queue up to that number can be made, one more has no valid
 * identifier.
 */
static void allocated_queues_are_reported(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_cpl set, get, cpl;
	uint32_t last;
	struct nvp_cq *cq;

	if (!enable_without_queues(t))
		return;
	if (!case_set_feature(t, 0x07, 0, false, 2u << 16 | 2, &set) || !CASE_SUCCEEDS(t, &set))
		return;
	if (!case_get_feature(t, 0x07, 0, 0, 0, &get) || !CASE_SUCCEEDS(t, &get))
		return;
	nvp_check_eq(t, get.dw0, set.dw0);

	last = (set.dw0 >> 16) + 1;
	cq = nvp_cq_new(drive, (uint16_t)last, 2, -1);
	if (!cq)
		nvp_broken(t, "no memory for a queue");
	nvp_done(t, nvp_cq_create(cq, &cpl));
	CASE_OK(t, &cpl);
	if (last == 0xffff)
		return;
	cq = nvp_cq_new(drive, (uint16_t)(last + 1), 2, -1);
	if (!cq)
		nvp_broken(t, "no memory for a queue");
	nvp_done(t, nvp_cq_create(cq, &cpl));
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_QUEUE_ID }));
}

/*
 * FEA-15. Once an I/O queue exists, Set Features of Number of Queues is out of sequence. At the
 * baseline queue pair 1 exists.
 */
static void queue_number_is_fixed_by_the_first_queue(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	uint32_t number;

	if (!case_feature_value(t, 0x07, 0, &number) ||
	    !case_set_feature(t, 0x07, 0, false, number, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_COMMAND_SEQUENCE }));
}

/*
 * FEA-18. Interrupt Vector Configuration of a vector that no completion queue uses: 2.0 says
 * that the controller should refuse it. The last vector of MSI-X's largest table is far above
 * what is in use.
 */
static void unused_vectors_are_refused(struct nvp_t *t)
{
	struct nvp_cpl cpl;

	if (case_set_feature(t, 0x09, 0, false, 0xffff, &cpl))
		nvp_check_status_by(t, CASE_SHOULD, &cpl, CASE_INVALID_FIELD);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "feature.too-many-queues-are-refused",
		.title = "A request for FFFFh queues is refused",
		.spec = { "NVMe Base", "2.0", "5.27.1.5", "NCQR, NSQR" },
		.rows = NVP_LIST("FEA-14"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_RESET | NVP_IMPACT_STATE,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("feature-queues-ffff-accepted"),
		.run = too_many_queues_are_refused,
	}, {
		NVP_CASE,
		.id = "feature.allocated-queues-are-reported",
		.title = "Number of Queues reads back what was allocated, and that is the last "
			 "identifier",
		.spec = { "NVMe Base", "2.0", "5.27.1.5", NULL },
		.rows = NVP_LIST("FEA-16", "QUE-01"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_RESET | NVP_IMPACT_STATE,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("feature-queues-differ", "create-queue-id-above-accepted"),
		.run = allocated_queues_are_reported,
	}, {
		NVP_CASE,
		.id = "feature.queue-number-is-fixed-by-the-first-queue",
		.title = "Number of Queues is out of sequence once an I/O queue exists",
		.spec = { "NVMe Base", "2.0", "5.27.1.5", NULL },
		.rows = NVP_LIST("FEA-15"),
		.since = NVP_VERSION(1, 3, 0),
		.needs = NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-queues-late-accepted"),
		.run = queue_number_is_fixed_by_the_first_queue,
	}, {
		NVP_CASE,
		.id = "feature.unused-vectors-are-refused",
		.title = "Interrupt Vector Configuration of a vector that no queue has is refused",
		.spec = { "NVMe Base", "2.0", "5.27.1.7", "IV" },
		.rows = NVP_LIST("FEA-18"),
		.needs = NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-vector-unchecked"),
		.run = unused_vectors_are_refused,
	},
};

NVP_SUITE(feature_queues, cases);
