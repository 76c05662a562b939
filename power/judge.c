// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle's no, and what was read, turned into a failure class.

#include "power/judge.h"

#include <errno.h>
#include <stdlib.h>

#include "power/oracle_impl.h"

#define NEAR_BLOCKS 64u /* of an operation in flight: a read error there is the cut's */

struct bench {
	struct nvp_oracle *o;
	const struct nvp_oracle_seen *seen;
	uint32_t nr;
	struct nvp_finding *findings;
	struct nvp_oracle_lives lives;
	uint32_t transient; /* read errors that did not recur */
	struct nvp_oracle_reading *readings;
	uint32_t *which;
};

static void say(struct nvp_finding *f, enum nvp_class class, enum nvp_severity severity,
		enum nvp_said_by said_by)
{
	f->class = class;
	f->severity = severity;
	f->said_by = said_by;
}

static void spec(struct nvp_finding *f, enum nvp_class class)
{
	say(f, class, NVP_SEVERITY_FAIL, NVP_SAID_BY_SPEC);
}

/* What only a policy forbids: a failure when the user asked for the policy. */
static void policy(const struct bench *b, struct nvp_finding *f, enum nvp_class class)
{
	say(f, class, b->o->facts.policy == NVP_ORACLE_SPEC ? NVP_SEVERITY_WARN : NVP_SEVERITY_FAIL,
	    NVP_SAID_BY_POLICY);
}

/* What was in flight at the cut, or failed, and touches the block or lies near it. */
struct pending {
	bool whole, parts, near;
};

static bool within(const struct nvp_oracle_op *op, uint32_t block, uint32_t distance)
{
	uint64_t last = (uint64_t)op->block + op->nlb_z;

	return block + (uint64_t)distance >= op->block && block <= last + distance;
}

static struct pending pending_at(const struct nvp_oracle *o, uint32_t block)
{
	struct pending p = { 0 };

	for (uint32_t i = 0; i < o->nr_ops; i++) {
		const struct nvp_oracle_op *op = &o->ops[i];

		if (!nvp_op_is_data(op) || op->flags & (NVP_OP_ACKED | NVP_OP_REFUSED) ||
		    !within(op, block, NEAR_BLOCKS))
			continue;
		p.near = true;
		if (!nvp_op_touches(op, block))
			continue;
		if (nvp_oracle_op_whole(&o->facts, op))
			p.whole = true;
		else
			p.parts = true;
	}
	return p;
}

/* The durable operation submitted last; NULL: none. */
static const struct nvp_oracle_live *newest_durable(const struct bench *b)
{
	const struct nvp_oracle_live *newest = NULL;

	for (uint32_t i = 0; i < b->lives.nr; i++)
		if (b->lives.v[i].must && (!newest || b->lives.v[i].op > newest->op))
			newest = &b->lives.v[i];
	return newest;
}

/* A read error is never data that was lost: it has a class of its own. */
static void unreadable(struct bench *b, const struct nvp_oracle_seen *s, struct nvp_finding *f)
{
	struct pending p = pending_at(b->o, s->block);

	if (p.parts && !p.whole && !newest_durable(b)) {
		policy(b, f, NVP_CLASS_UNREADABLE);
		if (b->o->facts.rules == NVP_ORACLE_ENTERPRISE_PLP ||
		    b->o->facts.rules == NVP_ORACLE_OCP)
			f->severity = NVP_SEVERITY_FAIL;
	} else if (p.whole || p.near || newest_durable(b) || s->recurs || b->transient++) {
		spec(f, NVP_CLASS_UNREADABLE);
	} else {
		say(f, NVP_CLASS_UNREADABLE, NVP_SEVERITY_WARN, NVP_SAID_BY_SPEC);
	}
}

static void lost(struct bench *b, const struct nvp_oracle_seen *s, struct nvp_finding *f)
{
	static const enum nvp_class by_rule[] = {
		[NVP_ORACLE_D1] = NVP_CLASS_LOST_ACKED,
		[NVP_ORACLE_D2] = NVP_CLASS_LOST_FUA,
		[NVP_ORACLE_D3] = NVP_CLASS_LOST_FLUSHED,
		[NVP_ORACLE_D4] = NVP_CLASS_LOST_SHUTDOWN,
		[NVP_ORACLE_D5] = NVP_CLASS_LOST_ACKED,
		[NVP_ORACLE_D6] = NVP_CLASS_LOST_ACKED,
		[NVP_ORACLE_D7] = NVP_CLASS_LOST_FUA,
		[NVP_ORACLE_NO_LOSS] = NVP_CLASS_LOST_ACKED,
	};
	const struct nvp_oracle_live *q = newest_durable(b);

	if (!q) {
		spec(f, NVP_CLASS_PHANTOM);
		return;
	}
	f->op = q->op;
	f->rule = nvp_oracle_durable(b->o, &b->o->ops[q->op], s->block);
	spec(f, f->rule ? by_rule[f->rule] : NVP_CLASS_TORN_ATOMIC);
	if (f->rule == NVP_ORACLE_D6)
		f->said_by = NVP_SAID_BY_CLAIM;
	if (f->rule == NVP_ORACLE_D5)
		policy(b, f, NVP_CLASS_LOST_ACKED);
}

static void wrong_data(struct bench *b, const struct nvp_oracle_seen *s, struct nvp_finding *f)
{
	const struct nvp_oracle_op *op;
	bool alive = false;

	if (s->content.op >= b->o->nr_ops || !nvp_op_is_data(&b->o->ops[s->content.op])) {
		spec(f, NVP_CLASS_PHANTOM);
		return;
	}
	op = &b->o->ops[s->content.op];
	f->op = s->content.op;
	for (uint32_t i = 0; i < b->lives.nr; i++)
		alive |= b->lives.v[i].op == s->content.op;
	if (op->flags & NVP_OP_REFUSED) {
		/* for Compare and Write it stands in 3.2.1: not equal, nothing written */
		policy(b, f, NVP_CLASS_REFUSED_BUT_WRITTEN);
		if (op->kind == NVP_ORACLE_COMPARE_WRITE)
			spec(f, NVP_CLASS_REFUSED_BUT_WRITTEN);
	} else if (s->content.block != s->block) {
		spec(f, NVP_CLASS_FLYING);
	} else if (!nvp_op_touches(op, s->block)) {
		spec(f, NVP_CLASS_PHANTOM);
	} else if (!alive && !(op->flags & NVP_OP_ACKED) && !newest_durable(b)) {
		spec(f, NVP_CLASS_STALE_RESURRECT); /* settled: it was not there before */
	} else {
		lost(b, s, f);
	}
}

/* Zeroes or the like where nothing in the history can have put them. */
static bool from_nowhere(const struct bench *b, const struct nvp_oracle_seen *s)
{
	if (nvp_oracle_initial_is(b->o, s->block, &s->content))
		return false;
	for (uint32_t i = 0; i < b->o->nr_ops; i++)
		if (nvp_op_is_data(&b->o->ops[i]) && nvp_op_touches(&b->o->ops[i], s->block) &&
		    nvp_oracle_gives(b->o, i, s->block, &s->content))
			return false;
	return true;
}

static void not_allowed(struct bench *b, const struct nvp_oracle_seen *s, struct nvp_finding *f)
{
	switch (s->content.what) {
	case NVP_ORACLE_UNC:
		if (from_nowhere(b, s))
			unreadable(b, s, f);
		else
			lost(b, s, f);
		break;
	case NVP_ORACLE_ZEROES:
	case NVP_ORACLE_ONES:
	case NVP_ORACLE_UNMAPPED:
		if (from_nowhere(b, s))
			spec(f, NVP_CLASS_LOST_TO_UNMAP);
		else
			lost(b, s, f);
		break;
	case NVP_ORACLE_OLD:
		if (s->content.block != s->block)
			spec(f, NVP_CLASS_FLYING);
		else
			lost(b, s, f);
		break;
	default:
		wrong_data(b, s, f);
	}
}

/* Allowed, but older than what was acknowledged: the loss that a cache is allowed. */
static void volatile_loss(struct bench *b, const struct nvp_oracle_seen *s, struct nvp_finding *f)
{
	const struct nvp_oracle_op *holds = NULL;

	for (uint32_t i = 0; i < b->lives.nr; i++)
		if (nvp_oracle_gives(b->o, b->lives.v[i].op, s->block, &s->content))
			holds = &b->o->ops[b->lives.v[i].op];
	for (uint32_t i = 0; i < b->lives.nr; i++) {
		const struct nvp_oracle_op *op = &b->o->ops[b->lives.v[i].op];

		if (!(op->flags & NVP_OP_ACKED) || op->kind == NVP_ORACLE_DEALLOCATE ||
		    (holds ? !nvp_op_before(holds, op) : false))
			continue;
		say(f, NVP_CLASS_OK_VOLATILE_LOSS, NVP_SEVERITY_INFO, NVP_SAID_BY_SPEC);
		f->op = b->lives.v[i].op;
	}
}

/* D5 is no sentence of the specification: without policy strict a loss against it is a warning. */
static void against_d5(struct bench *b, const struct nvp_oracle_reading *r, struct nvp_finding *f)
{
	struct nvp_oracle *o = b->o;

	if (o->use_d5 || o->facts.rules == NVP_ORACLE_RAW_SPEC)
		return;
	o->use_d5 = true;
	if (!nvp_oracle_allows(o, r)) {
		say(f, NVP_CLASS_LOST_ACKED, NVP_SEVERITY_WARN, NVP_SAID_BY_POLICY);
		f->rule = NVP_ORACLE_D5;
	}
	o->use_d5 = false;
}

/* true: the block can take part in the question about all of them. */
static bool alone(struct bench *b, const struct nvp_oracle_seen *s, struct nvp_finding *f)
{
	static const enum nvp_class by_form[] = {
		[NVP_ORACLE_OTHER_LBA] = NVP_CLASS_FLYING,
		[NVP_ORACLE_OTHER_NS] = NVP_CLASS_CROSS_NS,
		[NVP_ORACLE_OTHER_RUN] = NVP_CLASS_STALE_RESURRECT,
		[NVP_ORACLE_UNKNOWN_SEQ] = NVP_CLASS_PHANTOM,
		[NVP_ORACLE_TORN] = NVP_CLASS_TORN_SUBLB,
		[NVP_ORACLE_DAMAGED] = NVP_CLASS_BITROT,
	};
	const struct nvp_oracle_reading r = { s->block, s->content };
	struct pending p;

	if (s->form == NVP_ORACLE_UNKNOWN_SEQ && s->journal_damaged) {
		say(f, NVP_CLASS_JOURNAL_INVALID, NVP_SEVERITY_INVALID, NVP_SAID_BY_POLICY);
	} else if (s->form == NVP_ORACLE_TORN || s->form == NVP_ORACLE_DAMAGED) {
		/* above the atomic unit nothing is promised of the data (2.1.4.2) */
		p = pending_at(b->o, s->block);
		if (p.parts && !p.whole)
			policy(b, f, by_form[s->form]);
		else
			spec(f, by_form[s->form]);
	} else if (s->form) {
		spec(f, by_form[s->form]);
	} else if (!nvp_oracle_allows(b->o, &r)) {
		not_allowed(b, s, f);
	} else if (s->reread_differs) {
		spec(f, s->content.what >= NVP_ORACLE_ZEROES ? NVP_CLASS_UNSTABLE_UNMAP
							     : NVP_CLASS_UNSTABLE);
	} else if (s->pi_bad) {
		/*
		 * 2.1.6: metadata is written atomically with its logical block, in each write. That
		 * has no size, as the atomic units of commands have (2.1.4.2), and asks for no
		 * completion. These data are whole, and the metadata beside them is of others.
		 */
		spec(f, NVP_CLASS_PI_TORN);
	} else {
		volatile_loss(b, s, f);
		against_d5(b, &r, f);
		return true;
	}
	return false;
}

/* All that are allowed alone, until no more are to blame. Returns false without memory. */
static bool together(struct bench *b, uint32_t nr, bool strict)
{
	struct nvp_oracle *o = b->o;
	enum nvp_oracle_answer answer = NVP_ORACLE_ALLOWED;
	uint32_t bad = 0;

	o->strict_units = strict;
	for (; nr; b->readings[bad] = b->readings[--nr], b->which[bad] = b->which[nr]) {
		struct nvp_finding *f;

		answer = nvp_oracle_check(o, b->readings, nr, &bad);
		if (answer != NVP_ORACLE_REJECTED)
			break;
		f = &b->findings[b->which[bad]];
		if (!strict)
			spec(f, NVP_CLASS_TORN_ATOMIC);
		else if (o->facts.policy == NVP_ORACLE_STRICT)
			policy(b, f, NVP_CLASS_PARTIAL_CACHED);
		else
			say(f, NVP_CLASS_PARTIAL_CACHED,
			    o->facts.policy == NVP_ORACLE_SANE ? NVP_SEVERITY_WARN
							       : NVP_SEVERITY_INFO,
			    NVP_SAID_BY_POLICY);
	}
	o->strict_units = false;
	return answer != NVP_ORACLE_NO_MEMORY;
}

/* Readings that are good so far. */
static uint32_t gather(struct bench *b)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < b->nr; i++) {
		if (b->findings[i].class > NVP_CLASS_OK_VOLATILE_LOSS)
			continue;
		b->readings[nr] =
			(struct nvp_oracle_reading){ b->seen[i].block, b->seen[i].content };
		b->which[nr++] = i;
	}
	return nr;
}

/* Operations above the unit that came in part; and what survived something older. */
static void remarks(struct bench *b)
{
	const struct nvp_oracle *o = b->o;
	uint32_t survived = 0;

	for (uint32_t i = 0; i < b->nr; i++) {
		const struct nvp_oracle_seen *s = &b->seen[i];
		const struct nvp_oracle_op *op;

		if (b->findings[i].class > NVP_CLASS_OK_VOLATILE_LOSS ||
		    s->content.what != NVP_ORACLE_DATA)
			continue;
		op = &o->ops[s->content.op];
		if (op->flags & NVP_OP_ACKED && !nvp_oracle_durable(o, op, s->block) &&
		    op->sub > survived)
			survived = op->sub;
		if (op->flags & NVP_OP_ACKED || !op->nlb_z || nvp_oracle_op_whole(&o->facts, op))
			continue;
		for (uint32_t j = 0; j < b->nr; j++)
			if (!b->findings[j].class && nvp_op_touches(op, b->seen[j].block) &&
			    !(b->seen[j].content.what == NVP_ORACLE_DATA &&
			      b->seen[j].content.op >= s->content.op))
				say(&b->findings[j], NVP_CLASS_MIX, NVP_SEVERITY_INFO,
				    NVP_SAID_BY_SPEC);
	}
	for (uint32_t i = 0; i < b->nr; i++)
		if (b->findings[i].class == NVP_CLASS_OK_VOLATILE_LOSS)
			b->findings[i].reordered = o->ops[b->findings[i].op].ack < survived;
}

int nvp_judge(struct nvp_oracle *o, const struct nvp_oracle_seen *seen, uint32_t nr,
	      struct nvp_finding *findings)
{
	struct bench b = { .o = o, .seen = seen, .nr = nr, .findings = findings };
	bool strict = o->strict_units;
	int fails = -ENOMEM;

	b.readings = malloc((nr + 1u) * sizeof(*b.readings));
	b.which = malloc((nr + 1u) * sizeof(*b.which));
	o->strict_units = false;
	if (!b.readings || !b.which || nvp_oracle_sort(o))
		goto out;
	for (uint32_t i = 0; i < nr; i++) {
		findings[i] = (struct nvp_finding){ .op = UINT32_MAX };
		b.lives.nr = 0;
		if (!nvp_oracle_collect(o, seen[i].block, 0, &b.lives))
			goto out;
		alone(&b, &seen[i], &findings[i]);
	}
	if (!together(&b, gather(&b), false) || !together(&b, gather(&b), true))
		goto out;
	remarks(&b);
	fails = 0;
	for (uint32_t i = 0; i < nr; i++)
		fails += findings[i].severity == NVP_SEVERITY_FAIL;
out:
	o->strict_units = strict;
	free(b.readings);
	free(b.which);
	free(b.lives.v);
	return fails;
}
