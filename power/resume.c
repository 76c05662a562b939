// SPDX-License-Identifier: GPL-2.0-or-later
// Going on with a campaign from its journal and the drive alone: what the end left behind is proven
// first, as after any other cut.

#include "power/resume.h"

#include <errno.h>
#include <stdio.h>
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

static void format_text(const struct nvp_lb_format *f, uint64_t nsze_lbas, char text[120])
{
	int at = snprintf(text, 120, "%llu blocks of %u bytes", (unsigned long long)nsze_lbas,
			  f->lba_bytes);

	if (f->pi.meta_bytes)
		at += snprintf(text + at, 120 - (size_t)at, " with %u of metadata %s",
			       f->pi.meta_bytes, f->extended ? "behind them" : "apart");
	if (f->pi.type)
		snprintf(text + at, 120 - (size_t)at, ", protection type %u in the %s bytes",
			 f->pi.type, f->pi.first ? "first" : "last");
}

/* What a journal tells of blocks that a format took away is nothing to hold the drive to. */
static int same_format(const struct nvp_journal_begin *b, const struct nvp_ns *ns,
		       struct nvp_err *err)
{
	struct nvp_lb_format now = nvp_lb_format_of(ns), then = {
		.lba_bytes = b->lba_bytes,
		.pi = { .type = b->format.pi_type, .first = b->format.pi_first,
			.meta_bytes = b->format.metadata_bytes },
		.extended = b->format.extended,
	};
	char text[120];

	if (!b->nsze_lbas || ns->nsid != b->nsid ||
	    (b->nsze_lbas == ns->id.nsze_lbas && nvp_lb_same_format(&now, &then)))
		return 0;
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "namespace %u was formatted since the journal",
		    ns->nsid);
	format_text(&then, b->nsze_lbas, text);
	nvp_err_expected(err, "%s", text);
	format_text(&now, ns->id.nsze_lbas, text);
	nvp_err_seen(err, "%s", text);
	nvp_err_advice(err, "begin a new campaign, without --resume");
	return -EINVAL;
}

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
	if (b->nsid != c->nsid || b->lba_bytes != c->format.lba_bytes ||
	    r->nr_blocks != c->facts.nr_blocks)
		return nvp_err_set(c->err, NVP_ERR_USAGE, -EINVAL,
				   "the journal is of namespace %u, %u bytes a block, %u blocks: give "
				   "the same range and namespace again",
				   b->nsid, b->lba_bytes, r->nr_blocks);
	return 0;
}

static void keep_begin(void *context, const struct nvp_journal_begin *begin)
{
	struct nvp_journal_begin *kept = context;

	*kept = *begin;
	kept->version = NULL;
}

int nvp_campaign_resume_check(const struct nvp_campaign_options *o, const char *serial,
			      const struct nvp_ns *ns, struct nvp_err *err)
{
	struct nvp_journal_begin b = { 0 };
	const struct nvp_journal_reader reader = { .context = &b, .begin = keep_begin };
	struct nvp_journal_end end;
	int rc = nvp_journal_read(o->resume, &reader, &end, err);

	if (rc)
		return rc;
	if (*serial && strcmp(b.serial, serial)) {
		nvp_err_set(err, NVP_ERR_REFUSED, -EXDEV,
			    "refused: the journal is of another drive");
		nvp_err_expected(err, "serial %s", b.serial);
		nvp_err_seen(err, "%s", serial);
		return -EXDEV;
	}
	if (b.seed != o->seed)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "the journal is of seed %llu, not %llu: give --seed %llu",
				   (unsigned long long)b.seed, (unsigned long long)o->seed,
				   (unsigned long long)b.seed);
	if (b.facts.rules != nvp_camp_rules(o->rules) || b.facts.policy != nvp_camp_policy(o))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "the journal's campaign was held to "
				   "other rules: give the same --rules and --policy again");
	if (o->nsid && b.nsid != o->nsid)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "the journal is of namespace %u, not %u: give --nsid %u", b.nsid,
				   o->nsid, b.nsid);
	if (o->nr_lbas && (b.first_lba < o->first_lba || b.first_lba - o->first_lba >= o->nr_lbas))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "the journal's window begins at LBA %llu: give the same --range "
				   "again", (unsigned long long)b.first_lba);
	return ns ? same_format(&b, ns, err) : 0;
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

/* Can the last cycle have left this in the block? What is of before can always be there. */
static bool is_of_before(const struct nvp_camp *c, const struct nvp_resume *r, uint32_t block,
			 uint64_t end)
{
	enum nvp_version_what what = nvp_version_what(c->ledger[block]);
	uint64_t seq = nvp_version_seq(c->ledger[block]);
	uint32_t home = what == NVP_VERSION_MOVED ? nvp_version_home(c->ledger[block]) : block;
	struct nvp_op op;

	if ((what != NVP_VERSION_STAMP && what != NVP_VERSION_MOVED) || seq < c->seq)
		return true;
	if (seq >= end)
		return false;
	nvp_workload_op(&r->cycle.plan, seq - c->seq, &op);
	return home >= op.block && home - op.block <= op.nlb_z;
}

/*
 * No drive makes a stamp of an operation that was never given: then it is the journal that is older
 * than the drive. Its end was lost, or somebody went on from it before. 1: so it is.
 */
static int is_older_than_drive(struct nvp_camp *c, const struct nvp_resume *r)
{
	uint64_t end = c->seq + r->end.credit, rung = 0, newest = 0;
	uint32_t later = 0;
	int rc = nvp_camp_learn(c);

	if (rc)
		return nvp_camp_door(c, rc, "reading the window");
	for (size_t i = 0; i < r->nr_entries; i++)
		rung += r->entry[i].what == NVP_RESUME_RING ? r->entry[i].arg : 0;
	if (r->verified || r->was_reset)
		end = c->seq + rung;
	for (uint32_t b = 0; b < c->facts.nr_blocks; b++) {
		if (is_of_before(c, r, b, end))
			continue;
		later++;
		newest = nvp_max_u64(newest, nvp_version_seq(c->ledger[b]));
	}
	if (!later)
		return 0;
	nvp_camp_note(c, true, "cycle %u: no verdict: %u blocks hold what was written after the "
		      "journal ends, up to operation %llu: it lost its end, or the campaign went on "
		      "from it already", c->cycle, later, (unsigned long long)newest);
	c->seq = nvp_max_u64(c->seq, newest + 1);
	return 1;
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

/* A journal that went on itself, and ended before its first cycle: it filled the range at most. */
static void go_on_behind(struct nvp_camp *c, const struct nvp_journal_begin *begin)
{
	if (!begin->first_cycle)
		return;
	c->run = begin->run;
	c->seed = begin->seed;
	c->seq = begin->first_seq + NVP_WORKLOAD_MOST_BLOCKS + 1;
	c->cycle = c->first_after = begin->first_cycle;
}

int nvp_camp_resume(struct nvp_camp *c)
{
	struct nvp_resume r;
	char stands[200];
	const char *why;
	int rc = nvp_resume_read(&r, c->options->resume, c->err);

	if (!rc)
		rc = compare(c, &r);
	if (!rc && !r.has_cycle) {
		go_on_behind(c, &r.begin);
	} else if (!rc) {
		why = why_unknown(&r);
		c->run = r.begin.run;
		c->seed = r.begin.seed;
		c->first_lba = c->facts.first_lba = r.cycle.first_lba;
		c->seq = r.cycle.seq;
		c->cycle = r.cycle.cycle;
		c->record = (struct nvp_campaign_cycle){ .cycle = c->cycle };
		c->first_after = c->cycle + 1;
		if (r.end.damaged)
			nvp_camp_note(c, true, "the journal is damaged in %u places: no verdict on what "
				      "they cover; judged cycles that stand: %s", r.end.damaged,
				      nvp_resume_stands(&r, stands));
		if (why)
			nvp_camp_note(c, true, "cycle %u: no verdict: %s", c->cycle, why);
		else
			rc = is_older_than_drive(c, &r);
		if (!why && !rc)
			rc = prove(c, &r);
		if (rc > 0)
			rc = 0;
		c->seq += nvp_max_u64(c->nr_ops, r.end.credit);
		c->nr_ops = c->nr_rung = 0;
		c->cycle = c->first_after;
	}
	nvp_resume_free(&r);
	return rc;
}
