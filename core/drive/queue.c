// SPDX-License-Identifier: GPL-2.0-or-later
// Rings of our own driver: memory that the function reads entries from and writes entries to.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/drive/controller.h"
#include "core/drive/ring.h"

struct nvp_ring *nvp_controller_ring_new(void *backend, uint32_t entries, unsigned entry_bytes,
					 uint64_t *iova)
{
	struct nvp_ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->entries = entries;
	ring->entry_bytes = entry_bytes;
	ring->bytes = (size_t)entries * entry_bytes;
	ring->memory = nvp_controller_buf_alloc(backend, ring->bytes, &ring->iova);
	if (!ring->memory) {
		free(ring);
		return NULL;
	}
	*iova = ring->iova;
	return ring;
}

void nvp_controller_ring_free(void *backend, struct nvp_ring *ring)
{
	nvp_controller_buf_free(backend, ring->memory, ring->bytes);
	free(ring);
}

void nvp_controller_ring_clear(void *backend, struct nvp_ring *ring)
{
	(void)backend;
	memset(ring->memory, 0, ring->bytes);
}

int nvp_controller_post(void *backend, struct nvp_ring *sq, uint32_t slot,
			const struct nvp_sqe *sqe)
{
	(void)backend;
	memcpy(sq->memory + (size_t)slot * NVP_SQE_BYTES, sqe, NVP_SQE_BYTES);
	return 0;
}

void nvp_controller_peek(void *backend, struct nvp_ring *cq, uint32_t slot, void *cqe)
{
	(void)backend;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	memcpy(cqe, cq->memory + (size_t)slot * NVP_CQE_BYTES, NVP_CQE_BYTES);
}

const volatile uint8_t *nvp_controller_phase_byte(void *backend, struct nvp_ring *cq, uint32_t slot)
{
	(void)backend;
	return cq->memory + (size_t)slot * NVP_CQE_BYTES + 14;
}
