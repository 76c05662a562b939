// SPDX-License-Identifier: GPL-2.0-or-later
// One cycle: work, a cut or a reset while it goes on, recovery, and what is left on the media.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "power/engine.h"

#define CC_EN		   1u
#define CC_SHN_SHIFT	   14
#define CSTS_SHST	   0xcu
#define CSTS_SHST_DONE	   0x8u
#define CUT_LIMIT_NS	   (10 * NVP_NS_PER_S)
#define GONE_STEP_NS	   (20 * NVP_NS_PER_US)
#define LOOKS		   4096u /* at most, while an operation of seconds goes on by itself */

/* ---- the cut ---- */

static int note_event(struct nvp_camp *c, enum nvp_journal_event event)
{
	return nvp_journal_event(c->journal, event, nvp_camp_now(c));
}

static int64_t oracle_note(struct nvp_camp *c, enum nvp_oracle_kind kind)
{
	const struct nvp_oracle_cmd cmd = { .kind = kind };

	return nvp_oracle_submit(c->oracle, ++c->tick, &cmd);
}

/* Has the shutdown been seen complete? -ENODEV when the drive is gone. */
static int shutdown_state(struct nvp_camp *c)
{
	uint32_t csts;
	int rc = nvp_reg_read32(c->drive, NVP_REG_CSTS, &csts);

	if (rc || csts == UINT32_MAX)
		return -ENODEV;
	return (csts & CSTS_SHST) == CSTS_SHST_DONE;
}

static int begin_shutdown(struct nvp_camp *c, int64_t *number)
{
	uint32_t cc;
	int rc = nvp_reg_read32(c->drive, NVP_REG_CC, &cc);

	if (rc)
		return rc;
	*number = oracle_note(c, NVP_ORACLE_SHUTDOWN);
	rc = note_event(c, NVP_JOURNAL_SHUTDOWN_BEGUN);
	if (*number < 0 || rc)
		return rc ? rc : (int)*number;
	c->may_count_unsafe = true;
	cc = (cc & ~(3u << CC_SHN_SHIFT)) | (c->plan.abrupt ? 2u : 1u) << CC_SHN_SHIFT;
	return nvp_reg_write32(c->drive, NVP_REG_CC, cc);
}

static int shutdown_complete(struct nvp_camp *c, int64_t number)
{
	c->record.clean = true;
	c->may_count_unsafe = false;
	note_event(c, NVP_JOURNAL_SHUTDOWN_DONE);
	return nvp_oracle_complete(c->oracle, ++c->tick, (uint32_t)number, 0, 0);
}

/* What happens between the load and the cut: drained, shut down, being reset. */
struct moment {
	bool post; /* go on submitting */
	bool reap;
	int64_t shutdown; /* its number in the oracle; -1: none */
	uint64_t from_ns;
	uint64_t step_ns; /* between two looks, when nothing is posted */
	uint64_t give_ns; /* the admin command, then; UINT64_MAX: none, or given */
};

static int before_cut(struct nvp_camp *c, struct moment *m)
{
	uint32_t cc;
	int rc = 0;

	*m = (struct moment){
		.post = true, .reap = true, .shutdown = -1, .give_ns = UINT64_MAX,
	};
	switch (c->plan.work.phase) {
	case NVP_PHASE_IDLE:
		m->post = false;
		rc = nvp_camp_drain(c);
		break;
	case NVP_PHASE_SHUTDOWN:
		m->post = false;
		rc = nvp_camp_drain(c);
		if (!rc)
			rc = begin_shutdown(c, &m->shutdown);
		break;
	case NVP_PHASE_RESET:
		m->post = m->reap = false;
		rc = nvp_camp_reap(c);
		if (rc >= 0)
			rc = nvp_reg_read32(c->drive, NVP_REG_CC, &cc);
		if (!rc)
			rc = nvp_reg_write32(c->drive, NVP_REG_CC, cc & ~CC_EN);
		break;
	case NVP_PHASE_FORMAT:
	case NVP_PHASE_SANITIZE:
		m->post = false; /* I/O has no place beside these */
		rc = nvp_camp_drain(c);
		break;
	default:
		break;
	}
	if (!rc && nvp_camp_is_admin(c->plan.work.phase))
		rc = nvp_camp_admin_prepare(c);
	m->from_ns = nvp_camp_now(c);
	return rc;
}

bool nvp_camp_gone(struct nvp_camp *c)
{
	uint32_t csts;

	return nvp_reg_read32(c->drive, NVP_REG_CSTS, &csts) || csts == UINT32_MAX;
}

/* A clean cut waits until SHST = 10b was seen; others fall when they fall. */
static int arm(struct nvp_camp *c, struct moment *m)
{
	struct nvp_power_when when = { .kind = NVP_POWER_AT };
	uint64_t until_ns = nvp_clock_deadline_ns(c->clock, CUT_LIMIT_NS);
	int rc = 0;

	while (c->plan.clean && m->shutdown >= 0 && !c->record.clean) {
		rc = shutdown_state(c);
		if (rc < 0)
			return rc;
		if (rc)
			rc = shutdown_complete(c, m->shutdown);
		else if (nvp_camp_now(c) > until_ns)
			return -ETIMEDOUT;
		else
			nvp_camp_wait(c, nvp_camp_now(c) + GONE_STEP_NS);
		c->shutdown_ns = nvp_max_u64(c->shutdown_ns, nvp_camp_now(c) - m->from_ns);
	}
	if (rc)
		return rc;
	if (nvp_camp_is_admin(c->plan.work.phase) && !c->plan.cut.command_ns)
		rc = nvp_camp_admin_give(c);
	if (!rc)
		rc = note_event(c, NVP_JOURNAL_CUT);
	when.at_ns = nvp_camp_now(c) + c->plan.cut.delay_ns;
	m->from_ns = nvp_camp_now(c);
	if (c->plan.cut.command_ns)
		m->give_ns = when.at_ns + c->plan.cut.command_ns;
	m->step_ns = nvp_max_u64(GONE_STEP_NS, c->plan.cut.delay_ns / LOOKS);
	return rc ? rc : nvp_power_arm(c->relay, NVP_POWER_OFF, &when, c->err);
}

/*
 * While the supply goes the host works on, until nothing answers any more. A relay can be slow to say
 * that it has switched, and the drive be gone by then: its time to vanish begins with that word.
 */
static int go_on_until_gone(struct nvp_camp *c, struct moment *m)
{
	uint64_t budget_ns = nvp_drive_budget_ns(c->drive, NVP_TIME_POWER);
	uint64_t until_ns = nvp_clock_deadline_ns(c->clock, budget_ns + c->plan.cut.delay_ns);
	bool commanded = false, off = false;
	int rc = 0;

	while (nvp_camp_now(c) < until_ns) {
		uint64_t step_ns = m->post ? NVP_CAMP_STEP_NS : m->step_ns, at_ns;
		enum nvp_power_step step = nvp_power_poll(c->relay, &at_ns);

		if (step == NVP_POWER_FAILED)
			return nvp_camp_relay_failed(c);
		if (step == NVP_POWER_COMMANDED) {
			commanded = true;
			c->cut_ns = at_ns;
			c->record.offset_ns = c->cut_ns - m->from_ns;
		}
		if (step == NVP_POWER_DONE) {
			off = true;
			until_ns = nvp_clock_deadline_ns(c->clock, CUT_LIMIT_NS);
		}
		if (off && nvp_camp_gone(c)) {
			uint64_t gone_ns = nvp_camp_now(c) - c->cut_ns;

			c->gone_ns = c->gone_ns ? nvp_min_u64(c->gone_ns, gone_ns) : gone_ns;
			c->record.confirmed = true;
			return 0;
		}
		if (m->shutdown >= 0 && !c->record.clean && shutdown_state(c) == 1)
			rc = shutdown_complete(c, m->shutdown);
		if (nvp_camp_now(c) >= m->give_ns) {
			m->give_ns = UINT64_MAX;
			rc = nvp_camp_admin_give(c);
		}
		nvp_camp_admin_poll(c);
		if (!rc && m->post)
			rc = nvp_camp_post_some(c, UINT32_MAX);
		if (rc >= 0 && m->reap)
			rc = nvp_camp_reap(c);
		if (rc < 0 && !commanded)
			return rc; /* before the cut it is no excuse */
		if (rc <= 0)
			nvp_camp_wait(c, nvp_min_u64(nvp_camp_now(c) + step_ns, m->give_ns));
		rc = 0;
	}
	return off ? 0 : nvp_err_set(c->err, NVP_ERR_BROKEN, -ETIMEDOUT,
				     "cycle %u: the relay did not switch", c->cycle);
}

/* What is in ring memory was sent before the end: it counts, and is marked. */
static int end_of_history(struct nvp_camp *c)
{
	int rc;

	c->cut_done = true;
	nvp_camp_admin_cut(c);
	rc = nvp_camp_reap(c);
	c->record.late_acks = rc > 0 ? (uint32_t)rc : 0;
	c->record.in_flight = c->nr_busy;
	nvp_camp_forget(c);
	rc = note_event(c, NVP_JOURNAL_CUT_CONFIRMED);
	return rc ? rc : nvp_oracle_cut(c->oracle, ++c->tick);
}

static int cut(struct nvp_camp *c)
{
	struct moment m;
	int rc = before_cut(c, &m);

	if (!rc)
		rc = arm(c, &m);
	if (!rc)
		rc = go_on_until_gone(c, &m);
	if (rc)
		return rc;
	c->power_losses = 1;
	return end_of_history(c);
}

/* ---- a reset instead: everything acknowledged stays, whatever is cached ---- */

static int reset(struct nvp_camp *c)
{
	uint64_t until_ns = nvp_camp_now(c) + c->plan.cut.delay_ns;
	uint64_t from_ns;
	int rc = 0;

	while (rc >= 0 && nvp_camp_now(c) < until_ns) {
		rc = nvp_camp_post_some(c, UINT32_MAX);
		if (!rc)
			rc = nvp_camp_reap(c);
		if (!rc)
			nvp_camp_wait(c, nvp_camp_now(c) + NVP_CAMP_STEP_NS);
	}
	if (rc >= 0)
		rc = nvp_camp_reap(c);
	if (rc < 0)
		return rc;
	from_ns = nvp_camp_now(c);
	c->record.in_flight = c->nr_busy;
	rc = nvp_reset(c->drive, c->plan.reset);
	if (rc)
		return rc;
	rc = nvp_camp_reap(c); /* posted before the reset, and kept by the door */
	if (rc < 0)
		return rc;
	nvp_camp_forget(c);
	c->reset_ns = nvp_max_u64(c->reset_ns, nvp_camp_now(c) - from_ns);
	c->record.ready_ns = nvp_drive_ready_ns(c->drive);
	c->record.confirmed = true;
	c->power_losses = 0;
	rc = note_event(c, NVP_JOURNAL_RESET);
	return rc ? rc : nvp_oracle_reset(c->oracle, ++c->tick);
}

/* ---- all of it ---- */

static int begin(struct nvp_camp *c)
{
	struct nvp_journal_cycle journal = {
		.cycle = c->cycle, .first_lba = c->first_lba,
	};
	int rc;

	nvp_forget_cancelled(c->drive);
	rc = nvp_camp_cache_state(c);
	if (rc)
		return nvp_camp_door(c, rc, "the state of the write cache");
	c->plan.work.cache = c->facts.vwc && c->facts.wce;
	for (uint32_t i = 0; i < c->facts.nr_blocks; i++)
		c->initial[i] = (uint8_t)nvp_version_initial(c->ledger[i]);
	c->oracle = nvp_oracle_new(&c->facts, c->initial);
	if (!c->oracle)
		return nvp_err_set(c->err, NVP_ERR_BROKEN, -ENOMEM, "the history of a cycle");
	c->tick = 0;
	c->nr_ops = c->nr_rung = 0;
	c->cut_done = false;
	c->may_count_unsafe = false;
	c->toggled = UINT32_MAX;
	c->cut_ns = UINT64_MAX;
	c->admin_sent = c->admin_acked = c->admin_refused = false;
	c->nr_said = 0;
	c->power_losses = 0;
	c->record.planned_ns = c->plan.cut.delay_ns;
	journal.seq = c->seq;
	journal.plan = c->plan.work;
	journal.wce = c->facts.wce;
	rc = nvp_journal_cycle(c->journal, &journal);
	return rc ? rc : nvp_camp_queues_make(c);
}

/* The supply did not go: what the cycle did is not known, so it is read anew and not judged. */
static int unconfirmed(struct nvp_camp *c)
{
	const struct nvp_finding finding = {
		.class = NVP_CLASS_RIG_INVALID,
		.severity = NVP_SEVERITY_INVALID,
		.said_by = NVP_SAID_BY_POLICY,
	};
	int rc = nvp_camp_power(c, NVP_POWER_ON);

	c->rig_failures++;
	nvp_camp_say(c, &finding, c->nsid, UINT64_MAX, 1,
		     "the supply was switched off, and the drive still answers after 10 s");
	if (!rc)
		rc = nvp_drive_reattach(c->drive, nvp_clock_deadline_ns(c->clock, CUT_LIMIT_NS));
	if (!rc)
		rc = nvp_baseline(c->drive);
	if (!rc)
		rc = nvp_camp_counters_take(c, &c->counters);
	if (rc)
		return nvp_camp_door(c, rc, "after a cut that was none");
	rc = nvp_camp_learn(c);
	return rc ? rc : nvp_camp_journal_window(c);
}

static int work_and_cut(struct nvp_camp *c)
{
	int rc = nvp_camp_load(c);

	if (!rc)
		rc = c->plan.reset == NVP_NR_RESETS ? cut(c) : reset(c);
	if (rc && !c->err->code)
		nvp_camp_door(c, rc, "under work");
	nvp_camp_count_ops(c);
	if (!rc)
		nvp_camp_check_writable(c);
	return rc;
}

/* After the cut. Without blocks to be judged, what failed is handed on here, else by verify. */
static int look(struct nvp_camp *c, bool scrub)
{
	int rc;

	c->nr_blocks = 0;
	c->refill = false;
	rc = nvp_camp_recover(c);
	if (!rc)
		rc = nvp_camp_admin_after(c);
	if (!rc)
		return nvp_camp_verify(c, scrub);
	if (rc == 1) {
		c->refill = true;
		rc = nvp_camp_canaries_check(c);
	}
	nvp_camp_hand_over(c);
	return rc;
}

int nvp_camp_cycle(struct nvp_camp *c)
{
	bool scrub = (c->cycle + 1) % c->options->scrub == 0;
	int rc = begin(c);

	if (!rc)
		rc = work_and_cut(c);
	if (!rc && !c->record.confirmed) {
		rc = unconfirmed(c);
	} else if (!rc) {
		rc = look(c, scrub);
		if (!rc)
			nvp_journal_event(c->journal, NVP_JOURNAL_VERIFIED, c->record.fails);
	}
	c->seq += c->nr_ops;
	nvp_camp_past_keep(c);
	nvp_oracle_free(c->oracle);
	c->oracle = NULL;
	return rc;
}
