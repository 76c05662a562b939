// SPDX-License-Identifier: GPL-2.0-or-later
// Several blocks at once: is there one outcome that gives all that was read?

#include <stdlib.h>
#include <string.h>

#include "power/oracle_search.h"

#define NONE	  NVP_ORACLE_NONE
#define MAX_TRIES 20000u

static uint32_t root(struct nvp_oracle_node *nodes, uint32_t i)
{
	while (nodes[i].parent != i)
		i = nodes[i].parent = nodes[nodes[i].parent].parent;
	return i;
}

static void search_free(struct nvp_oracle_search *s)
{
	free(s->lives.v);
	free(s->nodes);
	free(s->unit_on);
	free(s->live_op);
	free(s->op_of);
	free(s->serial);
	free(s->moments);
	free(s->edge);
	free(s->pairs);
	free(s->queue);
	free(s->count);
	free(s->members);
}

/* What can the block hold, given what was read? false: nothing that is allowed. */
static bool options(struct nvp_oracle_search *s, struct nvp_oracle_node *n,
		    const struct nvp_oracle_reading *r)
{
	bool any_must = false;

	n->nr_options = 0;
	for (uint32_t i = n->live; i < n->live + n->nr_live; i++) {
		struct nvp_oracle_live *l = &s->lives.v[i];

		any_must |= l->must;
		l->last = nvp_oracle_gives(s->o, l->op, r->block, &r->content);
		n->nr_options += l->last;
	}
	n->can_initial = !any_must && nvp_oracle_initial_is(s->o, r->block, &r->content);
	n->nr_options += n->can_initial;
	return n->nr_options > 0;
}

static int by_op_and_unit(const void *a, const void *b, void *lives)
{
	const struct nvp_oracle_live *v = lives;
	const struct nvp_oracle_live *x = &v[*(const uint32_t *)a], *y = &v[*(const uint32_t *)b];

	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Number operations and units from 0, and join the blocks that one of them ties together. */
static bool number(struct nvp_oracle_search *s)
{
	uint32_t nr = s->lives.nr, *order = malloc((nr + 1) * sizeof(*order));
	const struct nvp_oracle_live *before = NULL;
	uint32_t unit_before = 0;

	s->live_op = malloc((nr + 1) * sizeof(*s->live_op));
	s->op_of = malloc((nr + 1) * sizeof(*s->op_of));
	s->serial = malloc(nr + 1);
	if (!order || !s->live_op || !s->op_of || !s->serial) {
		free(order);
		return false;
	}
	for (uint32_t i = 0; i < nr; i++)
		order[i] = i;
	qsort_r(order, nr, sizeof(*order), by_op_and_unit, s->lives.v);
	for (uint32_t i = 0; i < nr; i++) {
		struct nvp_oracle_live *l = &s->lives.v[order[i]];
		uint32_t unit = l->unit;
		bool same_op = before && before->op == l->op;
		bool same_unit = same_op && unit_before == unit;

		if (!same_op) {
			s->op_of[s->nr_here] = l->op;
			s->serial[s->nr_here++] =
				nvp_oracle_op_serial(&s->o->facts, &s->o->ops[l->op]);
		}
		s->nr_units += !same_unit;
		if (same_unit || (same_op && s->serial[s->nr_here - 1]))
			s->nodes[root(s->nodes, l->node)].parent = root(s->nodes, before->node);
		s->live_op[order[i]] = s->nr_here - 1;
		l->unit = s->nr_units - 1;
		unit_before = unit;
		before = l;
	}
	free(order);
	return true;
}

static int by_number(const void *a, const void *b)
{
	const struct nvp_oracle_live *x = a, *y = b;

	return x->op < y->op ? -1 : x->op > y->op;
}

/* Are operations of this block concurrent, and is one of such a pair not serial? */
static void look_for_concurrent(struct nvp_oracle_search *s, struct nvp_oracle_node *n)
{
	uint32_t latest = 0, latest_free = 0;

	for (uint32_t i = n->live; i < n->live + n->nr_live; i++) {
		const struct nvp_oracle_op *op = &s->o->ops[s->lives.v[i].op];
		bool serial = nvp_oracle_op_serial(&s->o->facts, op);

		n->busy |= latest >= op->sub;
		s->mixed |= serial ? latest_free >= op->sub : latest >= op->sub;
		if (op->ack > latest)
			latest = op->ack;
		if (!serial && op->ack > latest_free)
			latest_free = op->ack;
	}
}

/* One that is not serial ties the order of the others: all blocks with a choice go together. */
static void join_busy(struct nvp_oracle_search *s)
{
	uint32_t first = NONE;

	for (uint32_t i = 0; s->mixed && i < s->nr; i++) {
		if (!s->nodes[i].busy)
			continue;
		if (first == NONE)
			first = i;
		s->nodes[root(s->nodes, i)].parent = root(s->nodes, first);
	}
}

static bool reserve(struct nvp_oracle_search *s)
{
	size_t lives = s->lives.nr + 1u, graph = s->nr_here + 1u;

	s->positions = s->o->pos + 2;
	if (s->mixed)
		graph = 2 * (size_t)s->positions + s->o->nr_ops + 1;
	s->max_pairs = lives + (s->mixed ? 2 * (size_t)s->positions + 3 * (size_t)s->o->nr_ops : 0);
	s->unit_on = malloc(s->nr_units + 1u);
	s->moments = malloc((s->nr_here + 1u) * sizeof(*s->moments));
	s->edge = malloc(s->max_pairs * sizeof(*s->edge));
	s->pairs = malloc(s->max_pairs * 2 * sizeof(*s->pairs));
	s->queue = malloc(graph * sizeof(*s->queue));
	s->count = malloc((graph + 1) * 2 * sizeof(*s->count));
	s->members = malloc((s->nr + 1u) * sizeof(*s->members));
	s->graph = (uint32_t)graph;
	return s->unit_on && s->moments && s->edge && s->pairs && s->queue && s->count &&
	       s->members;
}

static bool descend(struct nvp_oracle_search *s, uint32_t m);

static bool choose(struct nvp_oracle_search *s, uint32_t m, uint32_t live, bool initial)
{
	struct nvp_oracle_node *n = &s->nodes[s->members[m]];
	bool good;

	n->chosen = live;
	n->chosen_initial = initial;
	good = ++s->tries > MAX_TRIES || (nvp_oracle_feasible(s) && descend(s, m + 1));
	if (!good) {
		n->chosen = NONE;
		n->chosen_initial = false;
	}
	return good;
}

/* Try the options of the m-th block and of those behind it. */
static bool descend(struct nvp_oracle_search *s, uint32_t m)
{
	struct nvp_oracle_node *n;

	while (m < s->nr_members && s->nodes[s->members[m]].nr_options == 1)
		m++;
	if (m == s->nr_members || s->tries > MAX_TRIES)
		return true;
	n = &s->nodes[s->members[m]];
	for (uint32_t i = n->live; i < n->live + n->nr_live; i++)
		if (s->lives.v[i].last && choose(s, m, i, false))
			return true;
	return n->can_initial && choose(s, m, NONE, true);
}

/* Blocks with one option first, all at once. */
static bool solve(struct nvp_oracle_search *s)
{
	s->tries = 0;
	s->blame = s->members[0];
	for (uint32_t m = 0; m < s->nr_members; m++) {
		struct nvp_oracle_node *n = &s->nodes[s->members[m]];

		n->chosen = NONE;
		n->chosen_initial = n->nr_options == 1 && n->can_initial;
		for (uint32_t i = n->live; i < n->live + n->nr_live && n->nr_options == 1; i++)
			if (s->lives.v[i].last)
				n->chosen = i;
	}
	return nvp_oracle_feasible(s) && descend(s, 0);
}

static int by_component(const void *a, const void *b, void *nodes)
{
	struct nvp_oracle_node *n = nodes;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	if (n[i].parent != n[j].parent)
		return n[i].parent < n[j].parent ? -1 : 1;
	return i < j ? -1 : i > j;
}

/* One component after another; a block alone in its own needs no search. */
static enum nvp_oracle_answer solve_all(struct nvp_oracle_search *s, uint32_t *bad)
{
	enum nvp_oracle_answer answer = NVP_ORACLE_ALLOWED;
	uint32_t *all = malloc((s->nr + 1u) * sizeof(*all));

	if (!all)
		return NVP_ORACLE_NO_MEMORY;
	for (uint32_t i = 0; i < s->nr; i++) {
		s->nodes[i].parent = root(s->nodes, i);
		all[i] = i;
	}
	qsort_r(all, s->nr, sizeof(*all), by_component, s->nodes);
	for (uint32_t i = 0, end; i < s->nr; i = end) {
		for (end = i + 1;
		     end < s->nr && s->nodes[all[end]].parent == s->nodes[all[i]].parent;)
			end++;
		if (end - i == 1 && !(s->mixed && s->nodes[all[i]].busy))
			continue;
		s->nr_members = end - i;
		memcpy(s->members, all + i, (end - i) * sizeof(*all));
		if (!solve(s)) {
			*bad = s->nodes[s->blame].reading;
			answer = NVP_ORACLE_REJECTED;
			break;
		}
		if (s->tries > MAX_TRIES)
			answer = NVP_ORACLE_TOO_HARD;
	}
	free(all);
	return answer;
}

/* Block by block first; false: *answer says why. */
static bool single(struct nvp_oracle_search *s, const struct nvp_oracle_reading *readings,
		   uint32_t *bad, enum nvp_oracle_answer *answer)
{
	for (uint32_t i = 0; i < s->nr; i++) {
		struct nvp_oracle_node *n = &s->nodes[i];

		*n = (struct nvp_oracle_node){ .reading = i, .live = s->lives.nr, .parent = i };
		*answer = NVP_ORACLE_NO_MEMORY;
		if (!nvp_oracle_collect(s->o, readings[i].block, i, &s->lives))
			return false;
		n->nr_live = s->lives.nr - n->live;
		if (n->nr_live > 1)
			qsort(s->lives.v + n->live, n->nr_live, sizeof(*s->lives.v), by_number);
		look_for_concurrent(s, n);
		*answer = NVP_ORACLE_REJECTED;
		*bad = i;
		if (!options(s, n, &readings[i]))
			return false;
	}
	*answer = NVP_ORACLE_ALLOWED;
	return true;
}

enum nvp_oracle_answer nvp_oracle_check(struct nvp_oracle *o,
					const struct nvp_oracle_reading *readings, uint32_t nr,
					uint32_t *bad)
{
	struct nvp_oracle_search s = { .o = o, .nr = nr };
	enum nvp_oracle_answer answer = NVP_ORACLE_NO_MEMORY;
	uint32_t ignored;

	bad = bad ? bad : &ignored;
	s.nodes = malloc((nr + 1u) * sizeof(*s.nodes));
	if (s.nodes && !nvp_oracle_sort(o) && single(&s, readings, bad, &answer)) {
		answer = NVP_ORACLE_NO_MEMORY;
		if (number(&s) && reserve(&s)) {
			join_busy(&s);
			answer = solve_all(&s, bad);
		}
	}
	search_free(&s);
	return answer;
}

bool nvp_oracle_allows(struct nvp_oracle *o, const struct nvp_oracle_reading *reading)
{
	return nvp_oracle_check(o, reading, 1, NULL) != NVP_ORACLE_REJECTED;
}
