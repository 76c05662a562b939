// SPDX-License-Identifier: GPL-2.0-or-later
// Arbitration: who is served when several submission queues have something to do.

#include "cases/queues.h"

#define QUEUES 4u
#define FIRST_QID 2u

struct seen {
	unsigned first, last;	/* places in the order of completions, from 1; 0: none */
	unsigned nr;
};

/* Four submission queues of one completion queue; priority i for queue i where it is asked for. */
static bool queues_new(struct nvp_t *t, uint32_t entries, bool priorities,
		       struct nvp_sq *sq[QUEUES], struct nvp_cq **cq)
{
	if (!queue_cq(t, FIRST_QID, QUEUES * entries, -1, cq))
		return false;
	for (unsigned i = 0; i < QUEUES; i++)
		if (!queue_sq_of(t, (uint16_t)(FIRST_QID + i), entries,
				 priorities ? (uint8_t)i : 0, *cq, &sq[i]))
			return false;
	return true;
}

static bool queues_delete(struct nvp_t *t, struct nvp_sq *sq[QUEUES], struct nvp_cq *cq)
{
	for (unsigned i = 0; i < QUEUES; i++)
		if (!queue_delete(t, sq[i], i + 1 < QUEUES ? NULL : cq))
			return false;
	return true;
}

/* Entries that four queues of one completion queue can have; 0: too few, the case has ended. */
static uint32_t entries_of_each(struct nvp_t *t, uint32_t most)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	uint32_t entries = (facts->cap.mqes_z + 1u) / QUEUES;

	if (!queue_needs(t, FIRST_QID + QUEUES - 1, FIRST_QID))
		return 0;
	if (entries >= 16)
		return entries < most ? entries : most;
	nvp_skip_at(t, __FILE__, __LINE__, "queues have %u entries at most",
		    facts->cap.mqes_z + 1u);
	return 0;
}

/* All queues full of Flush commands, exposed one after the other. */
static bool fill(struct nvp_t *t, uint32_t entries, bool last_first, struct nvp_sq *sq[QUEUES])
{
	struct nvp_cmd cmd = nvp_build_flush(nvp_t_ns(t)->nsid);

	for (unsigned i = 0; i < QUEUES; i++)
		for (uint32_t k = 0; k + 1 < entries; k++)
			if (!CASE_TRAVELS(t, nvp_submit(sq[i], &cmd, NULL)))
				return false;
	for (unsigned i = 0; i < QUEUES; i++)
		if (!CASE_TRAVELS(t, nvp_ring_tail(sq[last_first ? QUEUES - 1 - i : i])))
			return false;
	return true;
}

static bool collect(struct nvp_t *t, struct nvp_cq *cq, unsigned nr, struct seen seen[QUEUES])
{
	struct nvp_drive *drive = nvp_t_drive(t);
	uint64_t until_ns = nvp_clock_deadline_ns(nvp_drive_clock(drive),
						  nvp_drive_budget_ns(drive, NVP_TIME_IO));

	for (unsigned i = 1; i <= nr; i++) {
		struct nvp_cpl cpl;
		int rc = nvp_reap_until(cq, until_ns, &cpl);
		struct seen *s;

		if (!CASE_TRAVELS(t, rc) ||
		    !nvp_check(t, rc == 1, "%u of %u completions came", i - 1, nr) ||
		    !CASE_SUCCEEDS(t, &cpl))
			return false;
		if (cpl.sqid < FIRST_QID || cpl.sqid >= FIRST_QID + QUEUES)
			continue;	/* a standing invariant has said so */
		s = &seen[cpl.sqid - FIRST_QID];
		s->first = s->first ? s->first : i;
		s->last = i;
		s->nr++;
	}
	return true;
}

/*
 * ARB-01. Round robin: with four queues full, each has had something done before any other is
 * through. How evenly is a measure.
 */
static void no_queue_waits_for_the_end_of_another(struct nvp_t *t)
{
	uint32_t entries = entries_of_each(t, 128);
	struct seen seen[QUEUES] = { { 0 } };
	unsigned earliest_last = UINT32_MAX, latest_first = 0;
	struct nvp_sq *sq[QUEUES];
	struct nvp_cq *cq;

	if (!entries || !queues_new(t, entries, false, sq, &cq) ||
	    !fill(t, entries, false, sq) ||
	    !collect(t, cq, QUEUES * (entries - 1), seen))
		return;
	for (unsigned i = 0; i < QUEUES; i++) {
		nvp_check_eq(t, seen[i].nr, entries - 1);
		latest_first = seen[i].first > latest_first ? seen[i].first : latest_first;
		earliest_last = seen[i].last < earliest_last ? seen[i].last : earliest_last;
	}
	nvp_measure(t, "latest_first_completion", latest_first, "commands");
	nvp_check_by(t, CASE_SHOULD, latest_first < earliest_last,
		     "a queue was served for the first time when another was through");
	queues_delete(t, sq, cq);
}

/* The next controller reset ends it; so does the end of the case. */
static bool enable_weighted(struct nvp_t *t, uint32_t weights)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	const struct nvp_facts *facts = nvp_t_facts(t);
	uint32_t queues = (facts->nr_io_cq - 1) << 16 | (facts->nr_io_sq - 1);
	struct nvp_enable enable;
	struct nvp_cpl cpl;

	nvp_defer(t, case_reset_at_end, NULL);
	nvp_enable_defaults(drive, &enable);
	enable.ams = 1;
	return CASE_TRAVELS(t, nvp_ctrl_disable(drive, NULL)) &&
	       CASE_TRAVELS(t, nvp_ctrl_enable(drive, &enable, NULL)) &&
	       case_set_feature(t, 0x07, 0, false, queues, &cpl) && CASE_SUCCEEDS(t, &cpl) &&
	       case_set_feature(t, 0x01, 0, false, weights, &cpl) && CASE_SUCCEEDS(t, &cpl);
}

/*
 * ARB-02. Weighted round robin with weights 8, 4 and 2: the urgent queue, exposed last, is through
 * before the others have done most of their work, and of those the heavier are through first. How
 * exactly is a measure.
 */
static void weights_decide_who_is_served(struct nvp_t *t)
{
	uint32_t entries = entries_of_each(t, 256);
	struct seen seen[QUEUES] = { { 0 } };
	struct nvp_sq *sq[QUEUES];
	unsigned others;
	struct nvp_cq *cq;

	if (!entries)
		return;
	if (!(nvp_t_facts(t)->cap.ams & 1))
		nvp_skip(t, "CAP.AMS: there is no weighted round robin");
	if (!enable_weighted(t, 7u << 24 | 3u << 16 | 1u << 8) ||
	    !queues_new(t, entries, true, sq, &cq) || !fill(t, entries, true, sq) ||
	    !collect(t, cq, QUEUES * (entries - 1), seen))
		return;
	others = seen[0].last - (entries - 1);
	nvp_measure(t, "others_before_urgent", others, "commands");
	nvp_check_by(t, CASE_SHOULD, others < 3 * (entries - 1) / 2,
		     "%u of %u other commands were done before the urgent ones", others,
		     3 * (entries - 1));
	nvp_check_by(t, CASE_SHOULD,
		     seen[1].last + entries / 4 < seen[2].last &&
		     seen[2].last + entries / 4 < seen[3].last,
		     "high, medium and low ended at completions %u, %u and %u", seen[1].last,
		     seen[2].last, seen[3].last);
}

/* ARB-03. With four I/O queues full an admin command does not wait until they are empty. */
static void admin_commands_pass_full_queues(struct nvp_t *t)
{
	uint32_t entries = entries_of_each(t, 128);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct seen seen[QUEUES] = { { 0 } };
	struct nvp_sq *sq[QUEUES];
	unsigned done = 0;
	struct nvp_cq *cq;
	struct nvp_cpl cpl;
	int rc = 1;

	if (!buf || !entries || !queues_new(t, entries, false, sq, &cq) ||
	    !fill(t, entries, false, sq) ||
	    !case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	nvp_cq_hold_head(cq, true);	/* what is there now: no access that takes time */
	while (rc == 1) {
		rc = nvp_reap(cq, &cpl);
		nvp_done(t, rc);
		done += rc == 1;
	}
	nvp_cq_hold_head(cq, false);
	nvp_measure(t, "completions_before_admin", done, "commands");
	nvp_check_by(t, CASE_SHOULD, done < QUEUES * (entries - 1),
		     "all %u I/O commands were done before the admin command", done);
	if (collect(t, cq, QUEUES * (entries - 1) - done, seen))
		queues_delete(t, sq, cq);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "arbitration.no-queue-waits-for-the-end-of-another",
		.title = "With several queues full each is served before another is through",
		.spec = { "NVMe Base", "2.0", "3.4.4.1", "Round Robin Arbitration" },
		.rows = NVP_LIST("ARB-01"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("arbitration-starves-queues", "io-command-lost",
				    "shared-cq-sqid-wrong"),
		.run = no_queue_waits_for_the_end_of_another,
	}, {
		NVP_CASE,
		.id = "arbitration.weights-decide-who-is-served",
		.title = "With weighted round robin urgent queues come first, then the heavier ones",
		.spec = { "NVMe Base", "2.0", "3.4.4.2", "Weighted Round Robin with Urgent" },
		.rows = NVP_LIST("ARB-02"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_NAMESPACE | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("arbitration-urgent-ignored", "arbitration-weights-ignored"),
		.run = weights_decide_who_is_served,
	}, {
		NVP_CASE,
		.id = "arbitration.admin-commands-pass-full-queues",
		.title = "An admin command does not wait for full I/O queues to become empty",
		.spec = { "NVMe Base", "2.0", "3.4.4.1", "Round Robin Arbitration" },
		.rows = NVP_LIST("ARB-03"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("arbitration-starves-admin"),
		.run = admin_commands_pass_full_queues,
	},
};

NVP_SUITE(arbitration, cases);
