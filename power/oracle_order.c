// SPDX-License-Identifier: GPL-2.0-or-later
// Can what each block is thought to hold be, in one order of all operations?

#include <string.h>

#include "power/oracle_search.h"

/*
 * Chosen is, for each block, which operation it holds (or none). The smallest effect sets are then
 * the best: what must be in effect, and the units of what was chosen. Each operation in effect at a
 * block stands before the chosen one there: r before w.
 * - Both serial: r before w at every block. An order of serial ones that extends "acknowledged
 *   before submitted" is a choice of one moment for each, between submission and acknowledgement.
 * - r not serial: what was acknowledged before r was submitted stands before w.
 * - w not serial: r stands before what was submitted after w was acknowledged.
 * - Neither: what was acknowledged before r was submitted stands before what was submitted after w
 *   was acknowledged.
 * Nothing else is asked of one that is not serial: it has its own place at each block. So there is
 * an outcome when the arrows between serial operations make no circle. "What was acknowledged by
 * position p" and "what was submitted from position p on" are points of the graph, in two chains.
 */

/* The smallest effect sets of what is chosen so far, in this component. */
static void switch_units(struct nvp_oracle_search *s)
{
	for (uint32_t m = 0; m < s->nr_members; m++) {
		const struct nvp_oracle_node *n = &s->nodes[s->members[m]];

		for (uint32_t i = n->live; i < n->live + n->nr_live; i++) {
			const struct nvp_oracle_op *op = &s->o->ops[s->lives.v[i].op];

			s->unit_on[s->lives.v[i].unit] = 0;
			s->moments[s->live_op[i]] = (struct nvp_oracle_moment){ op->sub, op->ack };
		}
	}
	for (uint32_t m = 0; m < s->nr_members; m++) {
		const struct nvp_oracle_node *n = &s->nodes[s->members[m]];

		for (uint32_t i = n->live; i < n->live + n->nr_live; i++)
			if (s->lives.v[i].must)
				s->unit_on[s->lives.v[i].unit] = 1;
		if (n->chosen != NVP_ORACLE_NONE)
			s->unit_on[s->lives.v[n->chosen].unit] = 1;
	}
}

/* Points: acknowledged by p, submitted from p on, an operation (numbers here, or the oracle's). */
static uint32_t acked_by(const struct nvp_oracle_search *s, uint32_t p)
{
	return p < s->positions ? p : s->positions - 1;
}

static uint32_t submitted_from(const struct nvp_oracle_search *s, uint32_t p)
{
	return s->positions + (p < s->positions ? p : s->positions - 1);
}

static uint32_t point(const struct nvp_oracle_search *s, uint32_t here)
{
	return s->mixed ? 2 * s->positions + s->op_of[here] : here;
}

static void arrow(struct nvp_oracle_search *s, uint32_t *nr, uint32_t from, uint32_t to)
{
	s->pairs[2 * *nr] = from;
	s->pairs[2 * *nr + 1] = to;
	++*nr;
}

/* What one block asks of the order; false: it asks for what cannot be. */
static bool ask(struct nvp_oracle_search *s, const struct nvp_oracle_node *n, uint32_t *nr)
{
	uint32_t w = n->chosen;

	for (uint32_t i = n->live; i < n->live + n->nr_live; i++) {
		const struct nvp_oracle_op *r = &s->o->ops[s->lives.v[i].op], *last;
		uint32_t from = s->live_op[i], to;

		if (i == w || !s->unit_on[s->lives.v[i].unit])
			continue;
		if (w == NVP_ORACLE_NONE)
			return false; /* something is in effect, yet the block holds the old */
		last = &s->o->ops[s->lives.v[w].op];
		if (nvp_op_before(last, r))
			return false;
		if (nvp_op_before(r, last))
			continue;
		to = s->live_op[w];
		arrow(s, nr, s->serial[from] ? point(s, from) : acked_by(s, r->sub - 1),
		      s->serial[to] ? point(s, to) : submitted_from(s, last->ack + 1));
	}
	return true;
}

/* The two chains, and where each serial operation hangs on them. */
static void chains(struct nvp_oracle_search *s, uint32_t *nr)
{
	for (uint32_t p = 0; p + 1 < s->positions; p++) {
		arrow(s, nr, acked_by(s, p), acked_by(s, p + 1));
		arrow(s, nr, submitted_from(s, p), submitted_from(s, p + 1));
	}
	for (uint32_t i = 0; i < s->o->nr_ops; i++) {
		const struct nvp_oracle_op *op = &s->o->ops[i];
		uint32_t me = 2 * s->positions + i;

		if (!nvp_op_is_data(op) || op->flags & NVP_OP_REFUSED ||
		    !nvp_oracle_op_serial(&s->o->facts, op))
			continue;
		arrow(s, nr, acked_by(s, op->sub - 1), me);
		arrow(s, nr, submitted_from(s, op->sub), me);
		if (op->ack < s->positions - 1)
			arrow(s, nr, me, acked_by(s, op->ack));
	}
}

/* Along an arrow the earliest moment is handed on; false: none is left. */
static bool hand_on(struct nvp_oracle_search *s, uint32_t from, uint32_t to)
{
	struct nvp_oracle_moment *t = &s->moments[to];

	if (s->mixed)
		return true; /* the chains say it */
	if (t->low < s->moments[from].low)
		t->low = s->moments[from].low;
	return t->low <= t->high;
}

/* No circle: take away, again and again, what nothing points at. */
static bool orderable(struct nvp_oracle_search *s, uint32_t nr)
{
	uint32_t *start = s->count, *in = s->count + s->graph + 1, ready = 0;

	memset(s->count, 0, ((size_t)s->graph + 1) * 2 * sizeof(*s->count));
	for (uint32_t p = 0; p < nr; p++) {
		start[s->pairs[2 * p] + 1]++;
		in[s->pairs[2 * p + 1]]++;
	}
	for (uint32_t v = 0; v < s->graph; v++) {
		start[v + 1] += start[v];
		if (!in[v])
			s->queue[ready++] = v;
	}
	/* filled from the end of each, so that `start` is right afterwards */
	for (uint32_t p = 0; p < nr; p++)
		s->edge[--start[s->pairs[2 * p] + 1]] = s->pairs[2 * p + 1];
	for (uint32_t done = 0; done < ready; done++) {
		uint32_t v = s->queue[done];
		uint32_t end = v + 1 < s->graph ? start[v + 2] : nr;

		for (uint32_t e = start[v + 1]; e < end; e++) {
			if (!hand_on(s, v, s->edge[e]))
				return false;
			if (!--in[s->edge[e]])
				s->queue[ready++] = s->edge[e];
		}
	}
	return ready == s->graph;
}

bool nvp_oracle_feasible(struct nvp_oracle_search *s)
{
	uint32_t nr = 0;

	switch_units(s);
	for (uint32_t m = 0; m < s->nr_members; m++) {
		const struct nvp_oracle_node *n = &s->nodes[s->members[m]];

		if ((n->chosen != NVP_ORACLE_NONE || n->chosen_initial) && !ask(s, n, &nr)) {
			s->blame = s->members[m];
			return false;
		}
	}
	if (!nr)
		return true;
	if (s->mixed)
		chains(s, &nr);
	return orderable(s, nr);
}
