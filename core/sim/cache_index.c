// SPDX-License-Identifier: GPL-2.0-or-later
// Which unit of the cache holds a block, and which units survive a loss of power.

#include <stdio.h>
#include <stdlib.h>

#include "core/base/checksum.h"
#include "core/base/rand.h"
#include "core/sim/cache.h"

/* Open addressing with linear probing; at most half of the places are taken. */
static uint32_t home(uint64_t map_index)
{
	return (uint32_t)(map_index * 0x9e3779b97f4a7c15ULL >> 32) & (NVP_CACHE_INDEX - 1);
}

static uint32_t find(const struct nvp_cache_state *s, uint64_t map_index)
{
	uint32_t i = home(map_index);

	while (s->index[i].key && s->index[i].key != map_index + 1)
		i = (i + 1) & (NVP_CACHE_INDEX - 1);
	return i;
}

uint32_t nvp_cache_index_get(const struct nvp_cache_state *s, uint64_t map_index)
{
	uint32_t i = find(s, map_index);

	return s->index[i].key ? s->index[i].unit : NVP_NO_UNIT;
}

void nvp_cache_index_set(struct nvp_cache_state *s, uint64_t map_index, uint32_t unit)
{
	uint32_t i = find(s, map_index);

	s->index[i].key = map_index + 1;
	s->index[i].unit = unit;
}

void nvp_cache_index_remove(struct nvp_cache_state *s, uint64_t map_index, uint32_t unit)
{
	uint32_t hole = find(s, map_index), i;

	if (!s->index[hole].key || s->index[hole].unit != unit)
		return;
	s->index[hole].key = 0;
	/* those behind it that were pushed past the hole move into it */
	for (i = (hole + 1) & (NVP_CACHE_INDEX - 1); s->index[i].key;
	     i = (i + 1) & (NVP_CACHE_INDEX - 1)) {
		uint32_t wanted = home(s->index[i].key - 1);

		if (((i - wanted) & (NVP_CACHE_INDEX - 1)) < ((i - hole) & (NVP_CACHE_INDEX - 1)))
			continue;
		s->index[hole] = s->index[i];
		s->index[i].key = 0;
		hole = i;
	}
}

/* All units up to one that is chosen for each cut. */
static bool is_before_the_end(const struct nvp_sim *w, const struct nvp_unit *u, uint64_t cycle)
{
	const struct nvp_cache_state *s = w->cache;
	uint64_t first = s->first_at_loss, nr = s->next_sequence - first + 1;

	return u->sequence < first + nvp_rand_below(w->config->seed, "cut.end", cycle, 0, nr + 1);
}

/*
 * Any subset may survive, with no protection against power loss. How much is chosen for each cut,
 * which units by what they hold and where: the same history shrunk by a command keeps the rest.
 */
bool nvp_cache_survives(const struct nvp_sim *w, const struct nvp_unit *u)
{
	uint64_t cycle = w->arena->header->counter[NVP_COUNT_POWER_CYCLES].count;
	uint64_t quarters = nvp_rand_below(w->config->seed, "cut.share", cycle, 0, 5);
	uint64_t content = u->kind == NVP_MAP_DATA ?
			   nvp_crc32c(u->bytes, (size_t)u->nr * u->lba_bytes) :
			   u->kind;

	if (w->config->cache_loss == NVP_LOSS_ALL)
		return false;
	if (w->config->cache_loss == NVP_LOSS_NEWEST)
		return is_before_the_end(w, u, cycle);
	return nvp_rand_below(w->config->seed, "cut.keep", u->first, cycle << 32 | content, 4) <
	       quarters;
}

void *nvp_cache_must(void *memory)
{
	if (!memory) {
		fputs("nvproof: out of memory in the simulated drive\n", stderr);
		abort();
	}
	return memory;
}
