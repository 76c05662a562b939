// SPDX-License-Identifier: GPL-2.0-or-later
// Create and Delete of I/O queues: what has to be refused, and the sizes that have to work.

#include "cases/common.h"

/*
 * Requests that must not make a queue. One thing is wrong in each. Where the specification says
 * that the controller should refuse it, but not that it shall, the check is a policy.
 */
struct bad_create {
	const char *what;
	uint16_t qid;
	uint32_t size_z;	/* LEFT_OUT or above 65535: not sent */
	uint16_t cqid;		/* submission queues */
	uint16_t offset_bytes;
	uint16_t vector;	/* completion queues */
	bool discontiguous;
	struct nvp_expect expect[2];
	unsigned nr_expect;
	bool should;
};

#define LEFT_OUT UINT32_MAX
#define EXPECT(...) .expect = { __VA_ARGS__ }, \
	.nr_expect = sizeof((struct nvp_expect[]){ __VA_ARGS__ }) / sizeof(struct nvp_expect)
#define QID { NVP_SCT_COMMAND, NVP_SC_QUEUE_ID }
#define SIZE { NVP_SCT_COMMAND, NVP_SC_QUEUE_SIZE }
#define NO_CQ { NVP_SCT_COMMAND, NVP_SC_CQ_INVALID }
#define VECTOR { NVP_SCT_COMMAND, NVP_SC_INTERRUPT_VECTOR }
#define FIELD { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD }
#define OFFSET { NVP_SCT_GENERIC, NVP_SC_PRP_OFFSET }

static void bad_creates(struct nvp_t *t, bool is_cq, uint64_t iova, const struct bad_create *bad,
			size_t nr)
{
	nvp_defer(t, case_reset_at_end, NULL);
	for (size_t i = 0; i < nr; i++, bad++) {
		struct nvp_cmd cmd;
		struct nvp_cpl cpl;

		if (bad->size_z > 0xffff)
			continue;
		cmd = is_cq ? nvp_build_create_cq(bad->qid, (uint16_t)bad->size_z,
						  iova + bad->offset_bytes, !bad->discontiguous,
						  bad->vector != 0, bad->vector)
			    : nvp_build_create_sq(bad->qid, (uint16_t)bad->size_z,
						  iova + bad->offset_bytes, !bad->discontiguous, 0,
						  bad->cqid);
		cmd.raw_dptr = true;
		nvp_admin(t, &cmd, &cpl);
		nvp_check_by(t, bad->should ? CASE_SHOULD : NULL, !nvp_cpl_ok(&cpl), "%s: accepted",
			     bad->what);
		if (!nvp_cpl_ok(&cpl))
			nvp_check_status_at(t, __FILE__, __LINE__, false, &cpl, bad->expect,
					    bad->nr_expect, bad->should ? CASE_SHOULD : NULL);
	}
}

/*
 * QUE-01, QUE-05, QUE-06, QUE-08, QUE-09. Create I/O Completion Queue with a wrong identifier,
 * size, vector, layout or address. Vectors: FFFFh is beyond MSI-X's largest table.
 */
static void bad_completion_queues_are_refused(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	uint16_t above = (uint16_t)(facts->nr_io_cq + 1), free_qid = 2;
	struct nvp_cq *cq = nvp_cq_new(nvp_t_drive(t), free_qid, 64, -1);
	const struct bad_create bad[] = {
		{ .what = "QID 0", .qid = 0, .size_z = 15, EXPECT(QID) },
		{ .what = "QID above the number allocated", .qid = above, .size_z = 15,
		  EXPECT(QID) },
		{ .what = "QID FFFFh", .qid = 0xffff, .size_z = 15, EXPECT(QID) },
		{ .what = "QID 1, which exists", .qid = 1, .size_z = 15, EXPECT(QID) },
		{ .what = "one entry", .qid = free_qid, .size_z = 0, EXPECT(SIZE) },
		{ .what = "one entry more than MQES", .qid = free_qid,
		  .size_z = facts->cap.mqes_z + 1, EXPECT(SIZE) },
		{ .what = "vector FFFFh", .qid = free_qid, .size_z = 15, .vector = 0xffff,
		  EXPECT(VECTOR) },
		{ .what = "PC = 0 although CAP.CQR is 1", .qid = free_qid,
		  .size_z = facts->cap.cqr ? 15 : LEFT_OUT, .discontiguous = true, EXPECT(FIELD) },
		{ .what = "PRP1 with an offset", .qid = free_qid, .size_z = 15, .offset_bytes = 64,
		  EXPECT(OFFSET, FIELD), .should = true },
	};

	if (!cq)
		nvp_broken(t, "no memory for a queue");
	if (facts->nr_io_cq < 2)
		nvp_skip(t, "the drive has one I/O completion queue");
	bad_creates(t, true, nvp_cq_iova(cq), bad, sizeof(bad) / sizeof(bad[0]));
}

/*
 * QUE-02 to QUE-06, QUE-08. Create I/O Submission Queue with a wrong identifier, completion
 * queue, size, layout or address. For a completion queue that does not exist revisions and
 * drives differ in which of two codes says so.
 */
static void bad_submission_queues_are_refused(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	uint16_t above = (uint16_t)(facts->nr_io_sq + 1), free_qid = 2;
	struct nvp_sq *sq = nvp_sq_new(nvp_t_drive(t), free_qid, 64, nvp_io_cq(nvp_t_drive(t)));
	const struct bad_create bad[] = {
		{ .what = "QID 0", .qid = 0, .size_z = 15, .cqid = 1, EXPECT(QID) },
		{ .what = "QID above the number allocated", .qid = above, .size_z = 15, .cqid = 1,
		  EXPECT(QID) },
		{ .what = "QID FFFFh", .qid = 0xffff, .size_z = 15, .cqid = 1, EXPECT(QID) },
		{ .what = "QID 1, which exists", .qid = 1, .size_z = 15, .cqid = 1, EXPECT(QID) },
		{ .what = "one entry", .qid = free_qid, .size_z = 0, .cqid = 1, EXPECT(SIZE) },
		{ .what = "one entry more than MQES", .qid = free_qid,
		  .size_z = facts->cap.mqes_z + 1, .cqid = 1, EXPECT(SIZE) },
		{ .what = "CQID 0", .qid = free_qid, .size_z = 15, .cqid = 0, EXPECT(QID, NO_CQ) },
		{ .what = "CQID of no queue", .qid = free_qid, .size_z = 15, .cqid = 2,
		  EXPECT(NO_CQ, QID) },
		{ .what = "CQID FFFFh", .qid = free_qid, .size_z = 15, .cqid = 0xffff,
		  EXPECT(QID, NO_CQ) },
		{ .what = "PC = 0 although CAP.CQR is 1", .qid = free_qid, .cqid = 1,
		  .size_z = facts->cap.cqr ? 15 : LEFT_OUT, .discontiguous = true, EXPECT(FIELD),
		  .should = true },
		{ .what = "PRP1 with an offset", .qid = free_qid, .size_z = 15, .cqid = 1,
		  .offset_bytes = 64, EXPECT(OFFSET, FIELD), .should = true },
	};

	if (!sq)
		nvp_broken(t, "no memory for a queue");
	if (facts->nr_io_sq < 2)
		nvp_skip(t, "the drive has one I/O submission queue");
	bad_creates(t, false, nvp_sq_iova(sq), bad, sizeof(bad) / sizeof(bad[0]));
}

/* A queue pair under one identifier, created. */
static bool create_pair(struct nvp_t *t, uint16_t qid, uint32_t sq_entries, uint32_t cq_entries,
			struct nvp_sq **sq, struct nvp_cq **cq)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_cpl cpl;

	*cq = nvp_cq_new(drive, qid, cq_entries, -1);
	*sq = *cq ? nvp_sq_new(drive, qid, sq_entries, *cq) : NULL;
	if (!*sq) {
		nvp_broken_at(t, __FILE__, __LINE__, "no memory for a queue pair");
		return false;
	}
	return CASE_TRAVELS(t, nvp_cq_create(*cq, &cpl)) && CASE_SUCCEEDS(t, &cpl) &&
	       CASE_TRAVELS(t, nvp_sq_create(*sq, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

static bool delete_pair(struct nvp_t *t, struct nvp_sq *sq, struct nvp_cq *cq)
{
	struct nvp_cpl cpl;

	return CASE_TRAVELS(t, nvp_sq_delete(sq, &cpl)) && CASE_SUCCEEDS(t, &cpl) &&
	       CASE_TRAVELS(t, nvp_cq_delete(cq, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

/*
 * QUE-05. Queues of 2 entries up to the most that the drive allows work: each slot of the
 * submission queue carries a command, more than one pass for the short ones.
 */
static void queues_of_any_size_work(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	uint32_t most = nvp_t_facts(t)->cap.mqes_z + 1;
	const struct {
		uint32_t sq_entries, cq_entries, commands;
	} sizes[] = { { 2, 2, 9 }, { 3, 2, 10 }, { 2, 5, 12 }, { 17, 11, 40 }, { most, most, 3 } };
	struct nvp_buf *buf = nvp_t_buf(t, ns->id.lba_bytes);

	if (!buf)
		return;
	if (nvp_t_facts(t)->nr_io_sq < 2 || nvp_t_facts(t)->nr_io_cq < 2)
		nvp_skip(t, "the drive has one I/O queue pair");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct nvp_sq *sq;
		struct nvp_cq *cq;

		if (sizes[i].sq_entries > most || sizes[i].cq_entries > most)
			continue;
		if (!create_pair(t, 2, sizes[i].sq_entries, sizes[i].cq_entries, &sq, &cq))
			return;
		for (uint32_t n = 1; n <= sizes[i].commands; n++) {
			struct nvp_cmd cmd = case_with_data(nvp_build_read(ns->nsid, 0, 0,
						ns->id.lba_bytes), buf);
			struct nvp_cpl cpl;

			nvp_done(t, nvp_exec(sq, &cmd, &cpl));
			CASE_OK(t, &cpl);
			nvp_require_eq(t, cpl.sqhd, n % sizes[i].sq_entries);
		}
		if (!delete_pair(t, sq, cq))
			return;
	}
}

/*
 * QUE-11, QUE-12. Delete of queue 0, of a queue that never was, and (second round) of one that
 * was deleted is refused; a completion queue cannot go while a submission queue uses it, and can
 * afterwards.
 */
static void bad_deletes_are_refused(struct nvp_t *t)
{
	const struct nvp_cmd never[] = { nvp_build_delete_sq(0), nvp_build_delete_cq(0),
					 nvp_build_delete_sq(2), nvp_build_delete_cq(2),
					 nvp_build_delete_sq(0xffff), nvp_build_delete_cq(0xffff) };
	const struct nvp_cmd early = nvp_build_delete_cq(2);
	struct nvp_cpl cpl;
	struct nvp_sq *sq;
	struct nvp_cq *cq;

	if (nvp_t_facts(t)->nr_io_sq < 2 || nvp_t_facts(t)->nr_io_cq < 2)
		nvp_skip(t, "the drive has one I/O queue pair");
	nvp_defer(t, case_reset_at_end, NULL);
	for (unsigned round = 0; round < 2; round++) {
		for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
			nvp_admin(t, &never[i], &cpl);
			nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_QUEUE_ID }));
		}
		if (round || !create_pair(t, 2, 4, 4, &sq, &cq))
			return;
		nvp_admin(t, &early, &cpl);
		nvp_require_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_QUEUE_DELETION }));
		if (!delete_pair(t, sq, cq))
			return;
	}
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "queue.bad-completion-queues-are-refused",
		.title = "Create I/O Completion Queue refuses wrong identifiers, sizes, "
			 "vectors and layouts",
		.spec = { "NVMe Base", "2.0", "5.4", NULL },
		.rows = NVP_LIST("QUE-01", "QUE-05", "QUE-06", "QUE-08", "QUE-09"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("create-queue-id-zero-accepted",
				    "create-queue-duplicate-accepted",
				    "create-queue-size-unchecked", "create-cq-vector-unchecked",
				    "create-queue-noncontiguous-accepted",
				    "create-queue-offset-accepted"),
		.run = bad_completion_queues_are_refused,
	}, {
		NVP_CASE,
		.id = "queue.bad-submission-queues-are-refused",
		.title = "Create I/O Submission Queue refuses wrong identifiers, sizes and "
			 "completion queues",
		.spec = { "NVMe Base", "2.0", "5.5", NULL },
		.rows = NVP_LIST("QUE-02", "QUE-03", "QUE-04", "QUE-05", "QUE-06", "QUE-08"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("create-queue-id-zero-accepted",
				    "create-queue-duplicate-accepted",
				    "create-queue-size-unchecked", "create-sq-missing-cq-accepted"),
		.run = bad_submission_queues_are_refused,
	}, {
		NVP_CASE,
		.id = "queue.any-size-works",
		.title = "Queues from 2 entries to the most allowed carry commands in every slot",
		.spec = { "NVMe Base", "2.0", "3.3.1.2", NULL },
		.rows = NVP_LIST("QUE-05", "QUE-18"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("sq-last-slot-skipped", "cqe-sqhd-stuck",
				    "cqe-sqhd-outside-queue"),
		.run = queues_of_any_size_work,
	}, {
		NVP_CASE,
		.id = "queue.bad-deletes-are-refused",
		.title = "Delete refuses queues that do not exist and completion queues in use",
		.spec = { "NVMe Base", "2.0", "5.6", "Invalid Queue Deletion" },
		.rows = NVP_LIST("QUE-11", "QUE-12"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("delete-missing-queue-accepted", "delete-cq-with-sq-accepted"),
		.run = bad_deletes_are_refused,
	},
};

NVP_SUITE(queue, cases);
