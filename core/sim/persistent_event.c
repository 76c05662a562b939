// SPDX-License-Identifier: GPL-2.0-or-later
// Persistent events in the arena: a ring in which each event counts by one store.

#include "core/sim/persistent_event.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/sim/arena.h"
#include "core/sim/manage.h"

_Static_assert(sizeof(struct nvp_pel_ring) <= NVP_ARENA_RESERVE_BYTES, "events fit the reserve");
_Static_assert(NVP_PEL_HEADER_BYTES +
	       (NVP_PEL_SLOTS - 1) * (NVP_PEL_EVENT_HEADER_BYTES + NVP_PEL_DATA_BYTES) <=
	       NVP_PEL_64K * 65536, "PELS");

static struct nvp_pel_ring *ring_of(const struct nvp_sim_arena *arena)
{
	return (void *)((uint8_t *)arena->header + arena->header->reserve_offset);
}

static uint32_t checksum(const struct nvp_pel_slot *slot)
{
	uint8_t number[8];

	nvp_put_le64(number, slot->number);
	return nvp_crc32c(slot->event, slot->bytes) ^ nvp_crc32c(number, sizeof(number));
}

bool nvp_sim_has_persistent_events(const struct nvp_sim *w)
{
	return w->profile->optional_commands;
}

/* One slot is never of an event that is there: the next one is written to it. */
static void range(const struct nvp_pel_ring *ring, uint64_t *first, uint64_t *next)
{
	*next = nvp_arena_load(&ring->next);
	*first = *next >= NVP_PEL_SLOTS ? *next - (NVP_PEL_SLOTS - 1) : 0;
	*first = nvp_max_u64(*first, nvp_arena_load(&ring->first));
}

void nvp_pel_range(const struct nvp_sim *w, uint64_t *first, uint64_t *next)
{
	range(ring_of(w->arena), first, next);
}

const struct nvp_pel_slot *nvp_pel_slot(const struct nvp_sim *w, uint64_t number)
{
	return &ring_of(w->arena)->slot[number % NVP_PEL_SLOTS];
}

void nvp_pel_forget(struct nvp_sim *w)
{
	struct nvp_pel_ring *ring = ring_of(w->arena);

	nvp_arena_store(&ring->first, ring->next);
}

/* Revisions of the types' data: those of NVMe Base 2.0 and 2.1 where they differ from 01h. */
static uint8_t revision_of(enum nvp_pel_type type)
{
	return type == NVP_PEL_NAMESPACE || type == NVP_PEL_HARDWARE_ERROR ? 2 : 1;
}

static void add_once(struct nvp_sim *w, enum nvp_pel_type type, const void *data,
		     uint32_t nr_bytes)
{
	struct nvp_pel_ring *ring = ring_of(w->arena);
	uint64_t number = ring->next;
	struct nvp_pel_slot *slot = &ring->slot[number % NVP_PEL_SLOTS];
	uint8_t *event = slot->event;

#define PUT(key, value) nvp_field_put(&nvp_fields_persistent_event, event, key, value)
	memset(event, 0, NVP_PEL_EVENT_HEADER_BYTES);
	PUT("etype", type);
	PUT("etype_rev", revision_of(type));
	PUT("ehl", NVP_PEL_EVENT_HEADER_BYTES - 3);
	PUT("cntlid", w->cntlid);
	nvp_time_fill(w, event + nvp_field_find(&nvp_fields_persistent_event, "ets")->offset);
	PUT("el", nr_bytes);
#undef PUT
	memcpy(event + NVP_PEL_EVENT_HEADER_BYTES, data, nr_bytes);
	slot->bytes = NVP_PEL_EVENT_HEADER_BYTES + nr_bytes;
	slot->number = number + 1;
	slot->crc32c = checksum(slot);
	nvp_arena_store(&ring->next, number + 1);
}

void nvp_pel_add(struct nvp_sim *w, enum nvp_pel_type type, const void *data, uint32_t nr_bytes)
{
	assert(nr_bytes <= NVP_PEL_DATA_BYTES);
	if (!nvp_sim_has_persistent_events(w) ||
	    (nvp_defect(w, NVP_HOOK_PEL_MISSING) &&
	     nvp_defect_value(w, NVP_HOOK_PEL_MISSING, "type", type) == type))
		return;
	if (nvp_defect(w, NVP_HOOK_PEL_CUT_SHORT) &&
	    nvp_defect_value(w, NVP_HOOK_PEL_CUT_SHORT, "type", type) == type)
		nr_bytes /= 2;
	add_once(w, type, data, nr_bytes);
	if (nvp_defect(w, NVP_HOOK_PEL_TWICE))
		add_once(w, type, data, nr_bytes);
}

int nvp_pel_arena_check(const struct nvp_sim_arena *arena, struct nvp_err *err)
{
	const struct nvp_pel_ring *ring = ring_of(arena);
	uint64_t first, next;

	range(ring, &first, &next);
	for (uint64_t number = first; number < next; number++) {
		const struct nvp_pel_slot *slot = &ring->slot[number % NVP_PEL_SLOTS];

		if (slot->number == number + 1 && slot->bytes >= NVP_PEL_EVENT_HEADER_BYTES &&
		    slot->bytes <= sizeof(slot->event) && checksum(slot) == slot->crc32c)
			continue;
		nvp_err_set(err, NVP_ERR_BROKEN, -EUCLEAN, "arena check");
		nvp_err_expected(err, "each persistent event is whole");
		nvp_err_seen(err, "event %" PRIu64 " of %" PRIu64, number, next);
		return -EUCLEAN;
	}
	if (first > next) {
		nvp_err_set(err, NVP_ERR_BROKEN, -EUCLEAN, "arena check");
		nvp_err_expected(err, "persistent events end behind their beginning");
		return -EUCLEAN;
	}
	return 0;
}
