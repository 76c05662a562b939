// SPDX-License-Identifier: GPL-2.0-or-later
// Memory that is freed all at once.

#include "core/report/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 16384

struct nvp_pool_chunk {
	struct nvp_pool_chunk *next;
	size_t used, bytes;
	max_align_t memory[];
};

void *nvp_pool_alloc(struct nvp_pool *pool, size_t bytes)
{
	struct nvp_pool_chunk *chunk = pool->chunks;
	size_t size;
	char *at;

	if (!bytes || bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	if (!chunk || chunk->bytes - chunk->used < bytes) {
		size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
		chunk = calloc(1, sizeof(*chunk) + size);
		if (!chunk) {
			pool->failed = true;
			return NULL;
		}
		chunk->bytes = size;
		chunk->next = pool->chunks;
		pool->chunks = chunk;
	}
	at = (char *)chunk->memory + chunk->used;
	chunk->used += bytes;
	return at;
}

const char *nvp_pool_text(struct nvp_pool *pool, const char *text)
{
	size_t bytes = text ? strlen(text) + 1 : 0;
	char *copy = nvp_pool_alloc(pool, bytes);

	if (copy)
		memcpy(copy, text, bytes);
	return copy;
}

void nvp_pool_free(struct nvp_pool *pool)
{
	while (pool->chunks) {
		struct nvp_pool_chunk *next = pool->chunks->next;

		free(pool->chunks);
		pool->chunks = next;
	}
	pool->failed = false;
}
