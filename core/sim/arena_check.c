// SPDX-License-Identifier: GPL-2.0-or-later
// What a valid arena is, whatever moment the drive died at.

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/sim/arena.h"
#include "core/sim/manage.h"

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
	for (unsigned pool = 0; pool < NVP_ARENA_POOLS; pool++) {
		if (h->slots_used[pool] < seen[NVP_NR_COUNTERS + 1 + pool])
			return bad(err, "slots stay handed out", "slots", h->slots_used[pool]);
		seen[NVP_NR_COUNTERS + 1 + pool] = h->slots_used[pool];
	}
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

/* What the check of the map works with. */
struct map_check {
	struct nvp_ns_table table;
	uint64_t *mapped[NVP_ARENA_POOLS];	/* bit n: slot n belongs to a block */
};

static int check_data(const struct nvp_sim_arena *arena, uint64_t index, uint64_t slot,
		      struct map_check *check, struct nvp_err *err)
{
	const struct nvp_arena_slot *s = nvp_arena_slot(arena, slot);
	uint64_t number = NVP_SLOT_NUMBER(slot);
	unsigned pool = NVP_SLOT_POOL(slot);

	if (number >= arena->header->slots_used[pool])
		return bad(err, "no block points to a slot never handed out", "map entry", index);
	if (check->mapped[pool][number / 64] >> (number % 64) & 1)
		return bad(err, "no slot belongs to two blocks", "slot", number);
	check->mapped[pool][number / 64] |= UINT64_C(1) << (number % 64);
	if (s->owner != index + 1)
		return bad(err, "a slot knows its block", "slot", number);
	if (s->meta_bytes > NVP_ARENA_META_BYTES || nvp_arena_slot_crc(arena, slot) != s->crc32c)
		return bad(err, "a block's checksum holds", "block", index);
	return 0;
}

/* A block is inside its namespace, and of its format. */
static int check_place(const struct nvp_sim_arena *arena, uint64_t index, uint64_t entry,
		       const struct map_check *check, struct nvp_err *err)
{
	uint64_t stride = arena->header->map_stride;
	const struct nvp_ns_record *ns = &check->table.ns[index / stride];
	const struct nvp_sim_lba_format *format = nvp_sim_format(&arena->config, ns->format);

	if (!ns->size_lbas)	/* deleted: given back at the latest by the next power-on */
		return 0;
	if (index % stride >= ns->size_lbas)
		return bad(err, "a namespace ends where its size says", "map entry", index);
	if (!format || (NVP_MAP_KIND(entry) == NVP_MAP_DATA &&
			(NVP_SLOT_POOL(entry) != (format->lba_shift == 12) ||
			 nvp_arena_slot(arena, NVP_MAP_SLOT(entry))->meta_bytes !=
			 format->meta_bytes)))
		return bad(err, "a block is of its namespace's format", "map entry", index);
	return 0;
}

static int check_entry(const struct nvp_sim_arena *arena, uint64_t index, struct map_check *check,
		       struct nvp_err *err)
{
	uint64_t entry = entry_at(arena, index);
	uint64_t slot = NVP_MAP_SLOT(entry);
	int rc;

	switch (NVP_MAP_KIND(entry)) {
	case NVP_MAP_UNWRITTEN:
	case NVP_MAP_ZERO:
	case NVP_MAP_MARKED:
	case NVP_MAP_PATTERN:
	case NVP_MAP_DATA:
		break;
	default:
		return bad(err, "a map entry is of a known kind", "map entry", index);
	}
	if (NVP_MAP_KIND(entry) != NVP_MAP_DATA) {
		if (slot && NVP_MAP_KIND(entry) != NVP_MAP_PATTERN)
			return bad(err, "a block without data has no slot", "map entry", index);
	} else {
		rc = check_data(arena, index, slot, check, err);
		if (rc)
			return rc;
	}
	return entry ? check_place(arena, index, entry, check, err) : 0;
}

static int check_map(const struct nvp_sim_arena *arena, struct map_check *check,
		     struct nvp_err *err)
{
	uint64_t first = 0, end;

	for (; nvp_arena_next_extent(arena, &first, &end); first = end) {
		for (uint64_t i = first; i < end; i++) {
			int rc = check_entry(arena, i, check, err);

			if (rc)
				return rc;
		}
	}
	return 0;
}

int nvp_sim_arena_check(const struct nvp_sim_arena *arena, struct nvp_err *err)
{
	const struct nvp_arena_header *h = arena->header;
	struct map_check *check;
	int rc;

	if (memcmp(h->magic, NVP_ARENA_MAGIC, sizeof(h->magic)) ||
	    h->version != NVP_ARENA_VERSION || h->ready != 1)
		return bad(err, "the header is whole", "version", h->version);
	for (unsigned pool = 0; pool < NVP_ARENA_POOLS; pool++)
		if (h->slots_used[pool] > h->nr_slots[pool])
			return bad(err, "no more slots than there are", "slots",
				   h->slots_used[pool]);
	if (nvp_arena_load(&arena->redo->count) > NVP_ARENA_REDO_MAX)
		return bad(err, "a publish fits its record", "rows", arena->redo->count);
	for (uint64_t i = 0; i < arena->redo->count; i++)
		if (arena->redo->row[i].index >= h->nr_map)
			return bad(err, "a publish names blocks of the drive", "row", i);
	rc = check_records(arena, err);
	if (!rc)
		rc = check_counters(arena, err);
	if (!rc)
		rc = nvp_firmware_arena_check(arena, err);
	if (!rc)
		rc = nvp_pel_arena_check(arena, err);
	if (rc)
		return rc;
	check = calloc(1, sizeof(*check));
	for (unsigned pool = 0; check && pool < NVP_ARENA_POOLS; pool++)
		check->mapped[pool] = calloc(h->slots_used[pool] / 64 + 1, sizeof(uint64_t));
	if (!check || !check->mapped[0] || !check->mapped[1]) {
		rc = nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "arena check");
	} else {
		nvp_arena_namespaces(arena, &check->table);
		rc = check_map(arena, check, err);
	}
	for (unsigned pool = 0; check && pool < NVP_ARENA_POOLS; pool++)
		free(check->mapped[pool]);
	free(check);
	return rc;
}
