// SPDX-License-Identifier: GPL-2.0-or-later
// The event queue and the virtual clock: one order of (time, sequence) for all that happens.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/sim/mechanism.h"

struct nvp_sim_event {
	uint64_t time_ns;
	uint64_t sequence;
	nvp_event_fn *fn;
	uint64_t argument;
	uint32_t slot;			/* NVP_NO_COMMAND: of no command */
	uint32_t generation;		/* of the command, else of the scope */
	enum nvp_scope scope;
};

/*
 * Most events are due at once or in the order they were made in; those go through a ring, the
 * others through a binary heap. The next event is the lesser of the two heads.
 */
struct nvp_event_state {
	struct nvp_sim_event *heap;
	uint32_t nr_heap, heap_room;
	struct nvp_sim_event *ring;
	uint32_t ring_first, nr_ring, ring_room;	/* room is a power of two */
	uint64_t next_sequence;
	uint32_t generation[NVP_NR_SCOPES];
	uint64_t nr_run;
	uint64_t cut_after;		/* events still to run before the cut; 0: no cut */
};

int nvp_events_new(struct nvp_sim *w)
{
	struct nvp_event_state *e = calloc(1, sizeof(*e));

	if (!e)
		return -ENOMEM;
	w->events = e;
	e->heap_room = e->ring_room = 256;
	e->heap = malloc(e->heap_room * sizeof(*e->heap));
	e->ring = malloc(e->ring_room * sizeof(*e->ring));
	return e->heap && e->ring ? 0 : -ENOMEM;
}

void nvp_events_free(struct nvp_sim *w)
{
	if (!w->events)
		return;
	free(w->events->heap);
	free(w->events->ring);
	free(w->events);
	w->events = NULL;
}

/* A drive whose memory ran out has no honest way on: the worker ends, which is a power loss. */
static void *must(void *memory)
{
	if (!memory) {
		fputs("nvproof: out of memory in the simulated drive\n", stderr);
		abort();
	}
	return memory;
}

static bool before(const struct nvp_sim_event *a, const struct nvp_sim_event *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns;
	return a->sequence < b->sequence;
}

static void heap_push(struct nvp_event_state *e, const struct nvp_sim_event *event)
{
	uint32_t i;

	if (e->nr_heap == e->heap_room) {
		e->heap_room *= 2;
		e->heap = must(realloc(e->heap, e->heap_room * sizeof(*e->heap)));
	}
	for (i = e->nr_heap++; i > 0; i = (i - 1) / 2) {
		if (!before(event, &e->heap[(i - 1) / 2]))
			break;
		e->heap[i] = e->heap[(i - 1) / 2];
	}
	e->heap[i] = *event;
}

static void heap_pop(struct nvp_event_state *e)
{
	struct nvp_sim_event last = e->heap[--e->nr_heap];
	uint32_t i = 0;

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child >= e->nr_heap)
			break;
		if (child + 1 < e->nr_heap && before(&e->heap[child + 1], &e->heap[child]))
			child++;
		if (!before(&e->heap[child], &last))
			break;
		e->heap[i] = e->heap[child];
		i = child;
	}
	if (e->nr_heap)
		e->heap[i] = last;
}

static void ring_grow(struct nvp_event_state *e)
{
	struct nvp_sim_event *ring = must(malloc(2 * e->ring_room * sizeof(*ring)));

	for (uint32_t i = 0; i < e->nr_ring; i++)
		ring[i] = e->ring[(e->ring_first + i) & (e->ring_room - 1)];
	free(e->ring);
	e->ring = ring;
	e->ring_first = 0;
	e->ring_room *= 2;
}

static void push(struct nvp_event_state *e, const struct nvp_sim_event *event)
{
	const struct nvp_sim_event *last =
		&e->ring[(e->ring_first + e->nr_ring - 1) & (e->ring_room - 1)];

	if (e->nr_ring && event->time_ns < last->time_ns) {
		heap_push(e, event);
		return;
	}
	if (e->nr_ring == e->ring_room)
		ring_grow(e);
	e->ring[(e->ring_first + e->nr_ring++) & (e->ring_room - 1)] = *event;
}

static const struct nvp_sim_event *first(const struct nvp_event_state *e)
{
	const struct nvp_sim_event *ring = e->nr_ring ? &e->ring[e->ring_first] : NULL;
	const struct nvp_sim_event *heap = e->nr_heap ? &e->heap[0] : NULL;

	if (!ring || !heap)
		return ring ? ring : heap;
	return before(ring, heap) ? ring : heap;
}

static void drop_first(struct nvp_event_state *e, const struct nvp_sim_event *event)
{
	if (event == &e->heap[0] && e->nr_heap) {
		heap_pop(e);
		return;
	}
	e->ring_first = (e->ring_first + 1) & (e->ring_room - 1);
	e->nr_ring--;
}

void nvp_event_add(struct nvp_sim *w, enum nvp_scope scope, uint64_t delay_ns, nvp_event_fn *fn,
		   uint64_t argument)
{
	struct nvp_event_state *e = w->events;
	struct nvp_sim_event event = {
		.time_ns = w->now_ns + delay_ns,
		.sequence = e->next_sequence++,
		.fn = fn,
		.argument = argument,
		.slot = NVP_NO_COMMAND,
		.generation = e->generation[scope],
		.scope = scope,
	};

	push(e, &event);
}

void nvp_event_add_cmd(struct nvp_sim *w, struct nvp_sim_cmd *c, uint64_t delay_ns,
		       nvp_event_fn *fn)
{
	struct nvp_event_state *e = w->events;
	struct nvp_sim_event event = {
		.time_ns = w->now_ns + delay_ns,
		.sequence = e->next_sequence++,
		.fn = fn,
		.argument = c->slot,
		.slot = c->slot,
		.generation = c->generation,
		.scope = NVP_SCOPE_CONTROLLER,
	};

	push(e, &event);
}

void nvp_event_end_scope(struct nvp_sim *w, enum nvp_scope scope)
{
	w->events->generation[scope]++;
}

static bool wanted(struct nvp_sim *w, const struct nvp_sim_event *event)
{
	if (event->slot != NVP_NO_COMMAND)
		return nvp_engine_cmd(w, event->slot)->generation == event->generation;
	return w->events->generation[event->scope] == event->generation;
}

static const struct nvp_sim_event *first_wanted(struct nvp_sim *w)
{
	struct nvp_event_state *e = w->events;
	const struct nvp_sim_event *event;

	while ((event = first(e)) && !wanted(w, event))
		drop_first(e, event);
	return event;
}

uint64_t nvp_event_next_ns(struct nvp_sim *w)
{
	const struct nvp_sim_event *event = first_wanted(w);

	return event ? event->time_ns : NVP_NEVER_NS;
}

void nvp_sim_set_now(struct nvp_sim *w, uint64_t now_ns)
{
	if (now_ns <= w->now_ns)
		return;
	w->now_ns = now_ns;
	nvp_arena_store(&w->arena->header->now_ns, now_ns);
}

bool nvp_event_run_one(struct nvp_sim *w)
{
	struct nvp_event_state *e = w->events;
	const struct nvp_sim_event *next = first_wanted(w);
	struct nvp_sim_event event;

	if (!next)
		return false;
	event = *next;
	drop_first(e, next);
	nvp_sim_set_now(w, event.time_ns);
	event.fn(w, event.argument);
	e->nr_run++;
	if (e->cut_after && !--e->cut_after)
		nvp_rail_kill(w);
	return true;
}

void nvp_event_run_until(struct nvp_sim *w, uint64_t until_ns)
{
	while (nvp_event_next_ns(w) <= until_ns)
		nvp_event_run_one(w);
	nvp_sim_set_now(w, until_ns);
}

void nvp_events_restart(struct nvp_sim *w)
{
	w->events->nr_run = 0;
	w->events->cut_after = 0;
}

void nvp_sim_cut_after_event(struct nvp_sim *sim, uint64_t n)
{
	sim->events->cut_after = n;
}

uint64_t nvp_sim_events(const struct nvp_sim *sim)
{
	return sim->events->nr_run;
}
