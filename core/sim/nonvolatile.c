// SPDX-License-Identifier: GPL-2.0-or-later
// Small records and counters that survive power loss.

#include <assert.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/sim/arena.h"

void nvp_nv_load(const struct nvp_sim *w, enum nvp_nv_region region, void *bytes, size_t nr_bytes)
{
	const struct nvp_arena_record *r = &w->arena->record[region];
	uint64_t selector = nvp_arena_load(&r->selector);
	const struct nvp_arena_copy *copy = &r->copy[selector & 1];
	size_t have = selector ? copy->nr_bytes : 0;

	memset(bytes, 0, nr_bytes);
	memcpy(bytes, copy->bytes, have < nr_bytes ? have : nr_bytes);
}

void nvp_nv_commit(struct nvp_sim *w, enum nvp_nv_region region, const void *bytes, size_t nr_bytes)
{
	struct nvp_arena_record *r = &w->arena->record[region];
	uint64_t generation = (r->selector >> 1) + 1;
	unsigned other = !(r->selector & 1);
	struct nvp_arena_copy *copy = &r->copy[other];

	assert(nr_bytes <= NVP_NV_BYTES);
	memcpy(copy->bytes, bytes, nr_bytes);
	copy->nr_bytes = (uint32_t)nr_bytes;
	copy->crc32c = nvp_crc32c(bytes, nr_bytes);
	copy->generation = generation;
	nvp_arena_store(&r->selector, generation << 1 | other);
}

/* Power-on time is not an event: what has passed is added whenever somebody looks or power goes. */
static void sync_power_on_time(struct nvp_sim *w)
{
	uint64_t *count = &w->arena->header->counter[NVP_COUNT_POWER_ON_NS].count;

	nvp_arena_store(count, *count + (w->now_ns - w->counted_until_ns));
	w->counted_until_ns = w->now_ns;
}

void nvp_count(struct nvp_sim *w, enum nvp_counter counter, uint64_t by)
{
	uint64_t *count = &w->arena->header->counter[counter].count;

	if (counter == NVP_COUNT_POWER_ON_NS)
		sync_power_on_time(w);
	nvp_arena_store(count, *count + by);
}

uint64_t nvp_counted(struct nvp_sim *w, enum nvp_counter counter)
{
	const struct nvp_arena_counter *c = &w->arena->header->counter[counter];

	if (counter == NVP_COUNT_POWER_ON_NS)
		sync_power_on_time(w);
	return c->base_low + c->count;
}

void nvp_counter_get(struct nvp_sim *w, enum nvp_counter counter, uint8_t le128[16])
{
	const struct nvp_arena_counter *c = &w->arena->header->counter[counter];
	uint64_t low = nvp_counted(w, counter);

	nvp_put_le64(le128, low);
	nvp_put_le64(le128 + 8, c->base_high + (low < c->base_low));
}
