// SPDX-License-Identifier: GPL-2.0-or-later
// Workloads as pure functions: what operation i of a cycle is, with no state between operations.

#include "power/workload.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/base/rand.h"

#define BIT(kind) (1u << (kind))
#define OVERLAP_BLOCKS 64u
#define TOGGLE_EVERY 9u
#define PAIR_BLOCKS 8u /* longest of a pair that reads what it wrote */

/* Out of 256 data operations so many are FUA, and so many of the other kind; the rest is writes. */
static const struct shape {
	const char *name;
	uint32_t needs;
	uint16_t queues, depth;
	uint16_t flush_every; /* operations; 0: none */
	uint8_t fua, other;
	enum nvp_oracle_kind kind;
	bool mixed_sizes;
} shapes[NVP_NR_WORKLOADS] = {
	[NVP_WORKLOAD_SEQUENTIAL] = { "sequential", 0, 1, 16, 32, 0, 0, 0, false },
	[NVP_WORKLOAD_RANDOM] = { "random", 0, 1, 16, 24, 0, 0, 0, false },
	[NVP_WORKLOAD_MIXED] = { "mixed", 0, 2, 16, 16, 32, 0, 0, true },
	[NVP_WORKLOAD_QUEUES] = { "queues", 0, 8, 8, 20, 24, 0, 0, true },
	[NVP_WORKLOAD_FUA] = { "fua", 0, 2, 8, 0, 255, 0, 0, true },
	[NVP_WORKLOAD_FLUSH] = { "flush", 0, 2, 8, 4, 0, 0, 0, true },
	[NVP_WORKLOAD_TRIM] = { "trim", BIT(NVP_ORACLE_DEALLOCATE), 2, 16, 12, 16, 96,
				NVP_ORACLE_DEALLOCATE, true },
	[NVP_WORKLOAD_ZEROES] = { "zeroes", BIT(NVP_ORACLE_WRITE_ZEROES), 2, 16, 16, 32, 96,
				  NVP_ORACLE_WRITE_ZEROES, true },
	[NVP_WORKLOAD_ATOMIC] = { "atomic", 0, 2, 8, 16, 48, 0, 0, false },
	[NVP_WORKLOAD_BOUNDARY] = { "boundary", 0, 2, 8, 16, 48, 0, 0, false },
	[NVP_WORKLOAD_COMPARE] = { "compare", BIT(NVP_ORACLE_COMPARE_WRITE), 1, 8, 12, 48, 255,
				   NVP_ORACLE_COMPARE_WRITE, true },
	[NVP_WORKLOAD_COPY] = { "copy", BIT(NVP_ORACLE_COPY), 1, 8, 12, 16, 255, NVP_ORACLE_COPY,
				true },
	[NVP_WORKLOAD_OVERLAP] = { "overlap", 0, 2, 16, 0, 16, 0, 0, true },
	[NVP_WORKLOAD_UNCORRECTABLE] = { "uncorrectable", BIT(NVP_ORACLE_WRITE_UNCORRECTABLE), 1,
					 8, 12, 16, 64, NVP_ORACLE_WRITE_UNCORRECTABLE, true },
	[NVP_WORKLOAD_FUA_READS] = { "fua-reads", BIT(NVP_ORACLE_READ_FUA), 1, 8, 0, 0, 255,
				     NVP_ORACLE_READ_FUA, true },
	[NVP_WORKLOAD_TOGGLE] = { "toggle", BIT(NVP_ORACLE_CACHE_OFF), 2, 8, 40, 16, 0, 0, true },
	[NVP_WORKLOAD_REFUSED] = { "refused", 0, 2, 8, 16, 32, 64, NVP_ORACLE_WRITE, true },
};

const char *nvp_workload_name(enum nvp_workload workload)
{
	return (unsigned)workload < NVP_NR_WORKLOADS ? shapes[workload].name : NULL;
}

uint32_t nvp_workload_needs(enum nvp_workload workload)
{
	return shapes[workload].needs;
}

void nvp_workload_shape(enum nvp_workload workload, uint16_t *queues, uint16_t *depth)
{
	*queues = shapes[workload].queues;
	*depth = shapes[workload].depth;
}

static uint64_t draw(const struct nvp_workload_plan *p, const char *what, uint64_t i,
		     uint64_t bound)
{
	return nvp_rand_below(p->key, what, i, 0, bound);
}

static bool is_flush(const struct nvp_workload_plan *p, uint64_t i, uint64_t every)
{
	if (p->max_volatile && (!every || p->max_volatile < every))
		every = p->max_volatile;
	return p->cache && every && i % every == every - 1;
}

/* How many data operations stand before operation i. */
static uint64_t data_before(const struct nvp_workload_plan *p, uint64_t i, uint64_t every)
{
	if (p->max_volatile && (!every || p->max_volatile < every))
		every = p->max_volatile;
	return p->cache && every ? i - i / every : i;
}

static uint16_t pick_length(const struct nvp_workload_plan *p, const struct shape *s, uint64_t i)
{
	uint32_t most = nvp_max_u64(1, p->most_blocks);
	uint32_t unit = nvp_max_u64(1, p->atomic_blocks);

	switch (p->workload) {
	case NVP_WORKLOAD_ATOMIC: /* the unit, below it, one more */
		unit = (uint32_t)nvp_max_u64(1, unit + draw(p, "atomic", i, 3) - 1);
		return (uint16_t)nvp_min_u64(unit, most);
	case NVP_WORKLOAD_BOUNDARY:
		return (uint16_t)nvp_min_u64(most, nvp_max_u64(2, unit));
	default:
		break;
	}
	if (!s->mixed_sizes)
		return (uint16_t)nvp_min_u64(most, nvp_max_u64(unit, 1));
	/* half are as small as the unit: what must stay whole is met often */
	if (draw(p, "small", i, 2))
		most = (uint32_t)nvp_min_u64(most, unit);
	return (uint16_t)(1 + draw(p, "length", i, most));
}

/* Inside its slot; a boundary is crossed where the slot has one and the workload asks for it. */
static uint32_t pick_offset(const struct nvp_workload_plan *p, uint64_t i, uint32_t slot,
			    uint32_t nr)
{
	uint32_t room = p->slot_blocks - nr;
	uint32_t start = slot * p->slot_blocks, to_boundary;

	if (p->workload == NVP_WORKLOAD_SEQUENTIAL)
		return 0;
	if (p->workload == NVP_WORKLOAD_BOUNDARY && p->boundary_blocks && nr > 1) {
		to_boundary = (p->boundary_at % p->boundary_blocks + p->boundary_blocks -
			       start % p->boundary_blocks) %
			      p->boundary_blocks;
		if (to_boundary && to_boundary < p->slot_blocks) {
			uint32_t before = (uint32_t)(1 + draw(p, "cross", i, nr - 1));
			uint32_t at = to_boundary > before ? to_boundary - before : 0;

			return at < room ? at : room;
		}
	}
	return (uint32_t)draw(p, "offset", i, room + 1u);
}

static uint32_t slot_of(const struct nvp_workload_plan *p, uint64_t number, uint32_t nr_slots)
{
	uint64_t epoch = number / nr_slots, place = number % nr_slots;

	if (p->workload == NVP_WORKLOAD_SEQUENTIAL)
		return (uint32_t)((place + p->key % nr_slots) % nr_slots);
	return (uint32_t)nvp_rand_permute(p->key ^ nvp_rand_mix(epoch + 1), place, nr_slots);
}

/* Two operations make one: a write, then what needs to know what it wrote. */
static void make_pair(const struct nvp_workload_plan *p, const struct shape *s, uint64_t number,
		      struct nvp_op *op)
{
	uint32_t most = (uint32_t)nvp_min_u64(PAIR_BLOCKS, nvp_min_u64(p->most_blocks,
								      p->slot_blocks));
	/* a copy goes from a slot of the lower half to the same of the upper */
	uint32_t nr_slots = p->nr_blocks / p->slot_blocks, half = nr_slots / 2;
	uint64_t pair = number / 2;
	uint32_t slot;

	if (s->kind == NVP_ORACLE_COPY) {
		most = (uint32_t)nvp_min_u64(most, nvp_max_u64(1, p->copy_blocks));
		nr_slots = half ? half : 1;
	} else {
		most = (uint32_t)nvp_min_u64(most, nvp_max_u64(1, p->pair_blocks));
	}
	slot = slot_of(p, pair, nr_slots);
	op->nlb_z = (uint16_t)draw(p, "pair.length", pair, most);
	op->block = slot * p->slot_blocks +
		    (uint32_t)draw(p, "pair.offset", pair, p->slot_blocks - op->nlb_z);
	op->barrier = number % 2 || pair % nr_slots == 0;
	if (!(number % 2))
		return;
	op->kind = s->kind;
	op->fua = draw(p, "fua", number, 256) < s->fua;
	if (s->kind == NVP_ORACLE_READ_FUA)
		return;
	if (s->kind == NVP_ORACLE_COPY) {
		op->source = op->block;
		op->block += half * p->slot_blocks;
	} else {
		op->wrong_compare = draw(p, "wrong", pair, 4) == 0;
	}
}

/* The window's last blocks, and more than there are: no part of it may be written. */
static void cross_the_end(const struct nvp_workload_plan *p, uint64_t number, struct nvp_op *op)
{
	uint32_t most = (uint32_t)nvp_max_u64(2, p->most_blocks);

	op->beyond = (uint16_t)(1 + draw(p, "beyond", number,
					 nvp_min_u64(NVP_WORKLOAD_MOST_BEYOND, most - 1)));
	op->nlb_z = (uint16_t)draw(p, "inside", number, most - op->beyond);
	op->block = p->nr_blocks - 1 - op->nlb_z;
}

static void make_data(const struct nvp_workload_plan *p, const struct shape *s, uint64_t number,
		      struct nvp_op *op)
{
	uint32_t nr_slots = p->nr_blocks / p->slot_blocks;
	uint16_t nr;

	if (s->other == 255 && s->needs) {
		make_pair(p, s, number, op);
		return;
	}
	op->fua = draw(p, "fua", number, 256) < s->fua;
	if (s->other && draw(p, "kind", number, 256) < s->other) {
		op->kind = s->kind;
		if (p->workload == NVP_WORKLOAD_REFUSED) {
			cross_the_end(p, number, op);
			op->barrier = number && number % nr_slots == 0;
			return;
		}
	}
	if (op->kind == NVP_ORACLE_DEALLOCATE || op->kind == NVP_ORACLE_WRITE_UNCORRECTABLE)
		op->fua = false;
	nr = pick_length(p, s, number);
	op->nlb_z = (uint16_t)(nr - 1);
	if (p->workload == NVP_WORKLOAD_OVERLAP) {
		uint32_t room = (uint32_t)nvp_min_u64(p->nr_blocks, OVERLAP_BLOCKS);

		op->block = (uint32_t)draw(p, "place", number, room - op->nlb_z);
		return;
	}
	op->block = slot_of(p, number, nr_slots);
	op->block = op->block * p->slot_blocks + pick_offset(p, number, op->block, nr);
	op->barrier = number && number % nr_slots == 0;
}

void nvp_workload_op(const struct nvp_workload_plan *p, uint64_t i, struct nvp_op *op)
{
	const struct shape *s = &shapes[p->workload];

	*op = (struct nvp_op){ .kind = NVP_ORACLE_WRITE };
	/* a few in a row on one queue: they are exposed by one ring */
	op->queue = (uint16_t)nvp_rand_below(p->key, "queue", i / 3, 0, p->queues);
	if (p->workload == NVP_WORKLOAD_TOGGLE && i % TOGGLE_EVERY == TOGGLE_EVERY - 1)
		op->cache = i / TOGGLE_EVERY % 2 ? NVP_SWITCH_ON : NVP_SWITCH_OFF;
	if (i == p->trigger_at && p->trigger_kind == NVP_ORACLE_FLUSH) {
		op->kind = NVP_ORACLE_FLUSH;
		return;
	}
	if (i != p->trigger_at && is_flush(p, i, s->flush_every)) {
		op->kind = NVP_ORACLE_FLUSH;
		return;
	}
	make_data(p, s, data_before(p, i, s->flush_every), op);
	if (i == p->trigger_at) {
		op->kind = p->trigger_kind;
		op->fua = false;
		op->beyond = 0;
	}
}
