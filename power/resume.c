// SPDX-License-Identifier: GPL-2.0-or-later
// Going on with a campaign from its journal and the drive alone: what the end left behind is proven
// first, as after any other cut.

#include "power/resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"

/* ---- the last cycle, again ---- */

static int submit(struct nvp_camp *c, const struct nvp_resume *r, uint32_t nr)
{
	if (c->nr_ops + nr > c->room_ops) {
		void *grown = reallocarray(c->ops, c->nr_ops + nr, sizeof(*c->ops));

		if (!grown)
			return -ENOMEM;
		c->ops = grown;
		c->room_ops = c->nr_ops + nr;
	}
	c->tick++;
	for (; nr; nr--) {
		struct nvp_history_op *h = &c->ops[c->nr_ops];
		struct nvp_oracle_cmd cmd;
		int64_t number;

		*h = (struct nvp_history_op){ .sub = c->tick, .posted = true };
		nvp_workload_op(&r->cycle.plan, c->nr_ops, &h->op);
		cmd = (struct nvp_oracle_cmd){ .kind = h->op.kind, .fua = h->op.fua,
					       .nlb_z = h->op.nlb_z, .block = h->op.block,
					       .source = h->op.source };
		number = nvp_oracle_submit(c->oracle, c->tick, &cmd);
		if (number < 0)
			return (int)number;
		h->oracle_op = (uint32_t)number;
		c->nr_ops++;
	}
	return 0;
}

static int acknowledge(struct nvp_camp *c, const struct nvp_resume_entry *e)
{
	struct nvp_history_op *h = &c->ops[e->arg];

	h->ack = ++c->tick;
	h->sct = e->sct;
	h->sc = e->sc;
	return nvp_oracle_complete(c->oracle, h->ack, h->oracle_op, h->sct, h->sc);
}

static int happen(struct nvp_camp *c, enum nvp_journal_event event, int64_t *pending)
{
	static const struct {
		enum nvp_journal_event begun, done;
		enum nvp_oracle_kind kind;
	} pairs[] = {
		{ NVP_JOURNAL_CACHE_OFF_SUBMITTED, NVP_JOURNAL_CACHE_OFF_DONE,
		  NVP_ORACLE_CACHE_OFF },
		{ NVP_JOURNAL_CACHE_ON_SUBMITTED, NVP_JOURNAL_CACHE_ON_DONE, NVP_ORACLE_CACHE_ON },
		{ NVP_JOURNAL_SHUTDOWN_BEGUN, NVP_JOURNAL_SHUTDOWN_DONE, NVP_ORACLE_SHUTDOWN },
	};

	if (event == NVP_JOURNAL_RESET)
		return nvp_oracle_reset(c->oracle, ++c->tick);
	for (size_t i = 0; i < NVP_ARRAY_SIZE(pairs); i++) {
		const struct nvp_oracle_cmd cmd = { .kind = pairs[i].kind };

		if (event == pairs[i].begun) {
			*pending = nvp_oracle_submit(c->oracle, ++c->tick, &cmd);
			return *pending < 0 ? (int)*pending : 0;
		}
		if (event == pairs[i].done && *pending >= 0)
			return nvp_oracle_complete(c->oracle, ++c->tick, (uint32_t)*pending, 0, 0);
	}
	return 0;
}

int64_t nvp_resume_play(const struct nvp_resume *r, struct nvp_camp *c)
{
	int64_t pending = -1;
	uint32_t open = 0;
	int rc = 0;

	for (uint32_t b = 0; b < r->nr_blocks; b++)
		c->initial[b] = (uint8_t)nvp_version_initial(c->ledger[b]);
	c->oracle = nvp_oracle_new(&c->facts, c->initial);
	if (!c->oracle)
		return -ENOMEM;
	c->tick = 0;
	c->nr_ops = 0;
	for (size_t i = 0; !rc && !r->verified && i < r->nr_entries; i++) {
		const struct nvp_resume_entry *e = &r->entry[i];

		if (e->what == NVP_RESUME_RING)
			rc = submit(c, r, e->arg);
		else if (e->what == NVP_RESUME_ACK)
			rc = acknowledge(c, e);
		else
			rc = happen(c, (enum nvp_journal_event)e->arg, &pending);
	}
	c->nr_rung = c->nr_ops;
	/* what was credited and never told may have been given after all that was told */
	if (!rc && !r->verified && r->end.credit > c->nr_ops && !r->was_reset)
		rc = submit(c, r, r->end.credit - c->nr_ops);
	if (!rc)
		rc = nvp_oracle_cut(c->oracle, ++c->tick);
	for (uint32_t i = 0; i < c->nr_ops; i++)
		open += !c->ops[i].ack;
	return rc ? rc : (int64_t)open;
}

/* ---- is it this drive, and this campaign? ---- */

static int compare(struct nvp_camp *c, const struct nvp_resume *r)
{
	const struct nvp_journal_begin *b = &r->begin;

	if (strcmp(b->serial, c->identity.sn)) {
		c->result->end = NVP_CAMPAIGN_OTHER_DRIVE;
		nvp_err_set(c->err, NVP_ERR_REFUSED, -EXDEV, "the journal is of another drive");
		nvp_err_expected(c->err, "serial %s", b->serial);
		nvp_err_seen(c->err, "%s", c->identity.sn);
		return -EXDEV;
	}
	if (b->nsid != c->nsid || b->lba_bytes != c->lba_bytes || r->nr_blocks != c->facts.nr_blocks)
		return nvp_err_set(c->err, NVP_ERR_USAGE, -EINVAL,
				   "the journal is of namespace %u, %u bytes a block, %u blocks: give "
				   "the same range and namespace again",
				   b->nsid, b->lba_bytes, r->nr_blocks);
	return 0;
}

/* Why nothing can be said of what lies there; NULL: it can. */
static const char *why_unknown(const struct nvp_resume *r)
{
	enum nvp_phase phase = r->cycle.plan.phase;

	if (r->unknown)
		return "the journal is damaged, or a cycle in it was not judged";
	if (phase >= NVP_PHASE_FORMAT && phase < NVP_NR_PHASES && phase != NVP_PHASE_SELF_TEST)
		return "the last cycle was about a command that erases";
	if (r->was_reset && r->verified)
		return "after a reset the cache may hold what the end of the process lost";
	return NULL;
}

static int prove(struct nvp_camp *c, const struct nvp_resume *r)
{
	int64_t open;
	int rc;

	nvp_camp_plan_cycle(c);
	c->plan.work = r->cycle.plan;
	c->record.phase = r->cycle.plan.phase;
	c->record.workload = r->cycle.plan.workload;
	c->record.confirmed = true;
	c->facts.wce = r->cycle.wce;
	memcpy(c->ledger, r->verified ? r->after : r->before, r->nr_blocks * sizeof(*c->ledger));
	memcpy(c->flags, r->flags, r->nr_blocks);
	open = nvp_resume_play(r, c);
	if (open < 0)
		return nvp_err_set(c->err, NVP_ERR_BROKEN, (int)open, "the journal's last cycle");
	nvp_camp_note(c, false, "cycle %u%s: the journal tells of %u operations, %u more may have been "
		      "issued, %lld in all have no acknowledgement there%s",
		      c->cycle, r->verified ? ", judged to its end" : "", c->nr_rung,
		      c->nr_ops - c->nr_rung, (long long)open,
		      r->end.torn ? "; its tail is torn" : "");
	rc = nvp_camp_verify(c, true);
	c->record.issued = c->nr_ops;
	c->record.acked = c->nr_ops - (uint32_t)open;
	c->result->issued += c->record.issued;
	c->result->acked += c->record.acked;
	c->resumed = !rc;
	nvp_oracle_free(c->oracle);
	c->oracle = NULL;
	return rc;
}

int nvp_camp_resume(struct nvp_camp *c)
{
	struct nvp_resume r;
	const char *why;
	int rc = nvp_resume_read(&r, c->options->resume, c->err);

	if (!rc)
		rc = compare(c, &r);
	if (!rc && r.has_cycle) {
		why = why_unknown(&r);
		c->run = r.begin.run;
		c->seed = r.begin.seed;
		c->first_lba = c->facts.first_lba = r.cycle.first_lba;
		c->seq = r.cycle.seq;
		c->cycle = r.cycle.cycle;
		c->record = (struct nvp_campaign_cycle){ .cycle = c->cycle };
		c->first_after = c->cycle + 1;
		if (r.end.damaged)
			nvp_camp_note(c, true, "the journal is damaged in %u places: there is no verdict "
				      "on those cycles, the others stand", r.end.damaged);
		if (why)
			nvp_camp_note(c, true, "cycle %u: no verdict: %s", c->cycle, why);
		else
			rc = prove(c, &r);
		c->seq += nvp_max_u64(c->nr_ops, r.end.credit);
		c->nr_ops = c->nr_rung = 0;
		c->cycle = c->first_after;
	}
	nvp_resume_free(&r);
	return rc;
}
