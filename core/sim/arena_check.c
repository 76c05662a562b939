// SPDX-License-Identifier: GPL-2.0-or-later
// What a valid arena is, whatever moment the drive died at.

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/sim/arena.h"

static int bad(struct nvp_err *err, const char *rule, const char *what, uint64_t number)
{
	nvp_err_set(err, NVP_ERR_BROKEN, -EUCLEAN, "arena: %s", rule);
	nvp_err_seen(err, "%s %" PRIu64, what, number);
	return -EUCLEAN;
}

static int check_records(const struct nvp_sim_arena *arena, struct nvp_err *err)
{
	for (unsigned i = 0; i < NVP_NR_NV_REGIONS; i++) {
		const struct nvp_arena_record *r = &arena->record[i];
		uint64_t selector = nvp_arena_load(&r->selector);
		const struct nvp_arena_copy *copy = &r->copy[selector & 1];

		if (!selector)
			continue;
		if (copy->generation != selector >> 1)
			return bad(err, "a copy is of its selector's generation", "record", i);
		if (copy->nr_bytes > NVP_NV_BYTES ||
		    nvp_crc32c(copy->bytes, copy->nr_bytes) != copy->crc32c)
			return bad(err, "a record's checksum holds", "record", i);
	}
	return 0;
}

static int check_counters(const struct nvp_sim_arena *arena, struct nvp_err *err)
{
	const struct nvp_arena_header *h = arena->header;
	uint64_t *seen = arena->seen;

	for (unsigned i = 0; i < NVP_NR_COUNTERS; i++) {
		uint64_t count = nvp_arena_load(&h->counter[i].count);

		if (count < seen[i])
			return bad(err, "counters only grow", "counter", i);
		seen[i] = count;
	}
	if (h->now_ns < seen[NVP_NR_COUNTERS])
		return bad(err, "the clock only grows", "nanoseconds", h->now_ns);
	seen[NVP_NR_COUNTERS] = h->now_ns;
	if (h->slots_used < seen[NVP_NR_COUNTERS + 1])
		return bad(err, "slots stay handed out", "slots", h->slots_used);
	seen[NVP_NR_COUNTERS + 1] = h->slots_used;
	return 0;
}

/* The map entry as it will be when a publish that counts was copied to the map. */
static uint64_t entry_at(const struct nvp_sim_arena *arena, uint64_t index)
{
	uint64_t count = nvp_arena_load(&arena->redo->count);

	for (uint64_t i = count; i > 0; i--)
		if (arena->redo->row[i - 1].index == index)
			return arena->redo->row[i - 1].entry;
	return arena->map[index];
}

static int check_entry(const struct nvp_sim_arena *arena, uint64_t index, uint64_t *mapped,
		       struct nvp_err *err)
{
	const struct nvp_arena_header *h = arena->header;
	uint64_t entry = entry_at(arena, index);
	uint64_t slot = NVP_MAP_SLOT(entry);

	switch (NVP_MAP_KIND(entry)) {
	case NVP_MAP_UNWRITTEN:
	case NVP_MAP_ZERO:
	case NVP_MAP_MARKED:
		return slot ? bad(err, "a block without data has no slot", "map entry", index) : 0;
	case NVP_MAP_DATA:
		break;
	default:
		return bad(err, "a map entry is of a known kind", "map entry", index);
	}
	if (slot >= h->slots_used)
		return bad(err, "no block points to a slot never handed out", "map entry", index);
	if (mapped[slot / 64] >> (slot % 64) & 1)
		return bad(err, "no slot belongs to two blocks", "slot", slot);
	mapped[slot / 64] |= UINT64_C(1) << (slot % 64);
	if (arena->slot[slot].owner != index + 1)
		return bad(err, "a slot knows its block", "slot", slot);
	if (nvp_crc32c(arena->data + slot * h->lba_bytes, h->lba_bytes) !=
	    arena->slot[slot].crc32c)
		return bad(err, "a block's checksum holds", "block", index);
	return 0;
}

static int check_map(const struct nvp_sim_arena *arena, uint64_t *mapped, struct nvp_err *err)
{
	uint64_t first = 0, end;

	for (; nvp_arena_next_extent(arena, &first, &end); first = end) {
		for (uint64_t i = first; i < end; i++) {
			int rc = check_entry(arena, i, mapped, err);

			if (rc)
				return rc;
		}
	}
	return 0;
}

int nvp_sim_arena_check(const struct nvp_sim_arena *arena, struct nvp_err *err)
{
	const struct nvp_arena_header *h = arena->header;
	uint64_t *mapped;
	int rc;

	if (memcmp(h->magic, NVP_ARENA_MAGIC, sizeof(h->magic)) ||
	    h->version != NVP_ARENA_VERSION || h->ready != 1)
		return bad(err, "the header is whole", "version", h->version);
	if (h->slots_used > h->nr_slots)
		return bad(err, "no more slots than there are", "slots", h->slots_used);
	if (nvp_arena_load(&arena->redo->count) > NVP_ARENA_REDO_MAX)
		return bad(err, "a publish fits its record", "rows", arena->redo->count);
	for (uint64_t i = 0; i < arena->redo->count; i++)
		if (arena->redo->row[i].index >= h->nr_map)
			return bad(err, "a publish names blocks of the drive", "row", i);
	rc = check_records(arena, err);
	if (!rc)
		rc = check_counters(arena, err);
	if (rc)
		return rc;
	mapped = calloc(h->slots_used / 64 + 1, sizeof(*mapped));
	if (!mapped)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "arena check");
	rc = check_map(arena, mapped, err);
	free(mapped);
	return rc;
}
