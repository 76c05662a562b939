// SPDX-License-Identifier: GPL-2.0-or-later
// Our own driver for a controller: memory, rings, doorbells and registers over the BAR contract.

#include "core/drive/controller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <nvproof/decode.h>

#include "core/drive/ring.h"

#define PAGE_BYTES 4096u

/* Memory that the function can reach. */
struct mapping {
	void *memory;
	size_t bytes;
	uint64_t iova;
};

struct controller {
	const struct nvp_bar_ops *bar_ops;
	void *bar;
	uint32_t extra;
	uint64_t doorbell_stride; /* bytes from one doorbell to the next, CAP.DSTRD */
	struct mapping *map;
	size_t nr_map, map_capacity;
};

static void learn_stride(struct controller *c)
{
	struct nvp_cap cap;
	uint64_t raw = c->bar_ops->read(c->bar, NVP_REG_CAP, 8);

	if (raw == UINT64_MAX)
		return;
	nvp_decode_cap(raw, &cap);
	c->doorbell_stride = 4ULL << cap.dstrd;
}

void *nvp_controller_open(const struct nvp_bar_ops *bar_ops, const struct nvp_drive_open *open,
			  uint32_t extra, struct nvp_err *err)
{
	struct nvp_bar_open bar_open = { .address = open->address, .prepared = open->prepared };
	struct controller *c = calloc(1, sizeof(*c));

	if (!c) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "open %s: out of memory", open->address);
		return NULL;
	}
	c->bar_ops = bar_ops;
	c->extra = extra;
	c->doorbell_stride = 4;
	c->bar = bar_ops->open(&bar_open, err);
	if (!c->bar) {
		free(c);
		return NULL;
	}
	learn_stride(c);
	return c;
}

void nvp_controller_close(void *backend)
{
	struct controller *c = backend;

	c->bar_ops->close(c->bar);
	for (size_t i = 0; i < c->nr_map; i++)
		munmap(c->map[i].memory, c->map[i].bytes);
	free(c->map);
	free(c);
}

uint32_t nvp_controller_path(void *backend)
{
	struct controller *c = backend;

	return NVP_PATH_REGISTERS | NVP_PATH_QUEUES | NVP_PATH_CONFIG | NVP_PATH_RESETS |
	       NVP_PATH_DMA | NVP_PATH_DEPTH |
	       (c->bar_ops->nr_vectors(c->bar) ? NVP_PATH_INTERRUPTS : 0u) |
	       (c->bar_ops->power ? NVP_PATH_POWER : 0u) | c->extra;
}

const struct nvp_clock *nvp_controller_clock(void *backend)
{
	struct controller *c = backend;

	return c->bar_ops->clock(c->bar);
}

/* --- memory ------------------------------------------------------------------------------- */

static struct mapping *new_mapping(struct controller *c)
{
	if (c->nr_map == c->map_capacity) {
		size_t capacity = c->map_capacity ? 2 * c->map_capacity : 64;
		struct mapping *more = realloc(c->map, capacity * sizeof(*more));

		if (!more)
			return NULL;
		c->map = more;
		c->map_capacity = capacity;
	}
	return &c->map[c->nr_map];
}

void *nvp_controller_buf_alloc(void *backend, size_t bytes, uint64_t *iova)
{
	struct controller *c = backend;
	struct mapping *m = new_mapping(c);

	if (!m)
		return NULL;
	m->bytes = (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
	m->memory =
		mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m->memory == MAP_FAILED)
		return NULL;
	if (c->bar_ops->dma_map(c->bar, m->memory, m->bytes, &m->iova)) {
		munmap(m->memory, m->bytes);
		return NULL;
	}
	*iova = m->iova;
	c->nr_map++;
	return m->memory;
}

void nvp_controller_buf_free(void *backend, void *memory, size_t bytes)
{
	struct controller *c = backend;

	(void)bytes;
	for (size_t i = c->nr_map; i > 0; i--) {
		struct mapping m = c->map[i - 1];

		if (m.memory != memory)
			continue;
		c->map[i - 1] = c->map[--c->nr_map];
		c->bar_ops->dma_unmap(c->bar, m.iova);
		munmap(m.memory, m.bytes);
		return;
	}
}

/* --- registers ---------------------------------------------------------------------------- */

int nvp_controller_reg_read(void *backend, uint64_t offset, unsigned bytes, uint64_t *value)
{
	struct controller *c = backend;

	*value = c->bar_ops->read(c->bar, offset, bytes);
	return 0;
}

int nvp_controller_reg_write(void *backend, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct controller *c = backend;

	c->bar_ops->write(c->bar, offset, bytes, value);
	return 0;
}

int nvp_controller_config_read(void *backend, unsigned offset, unsigned bytes, uint32_t *value)
{
	struct controller *c = backend;

	return c->bar_ops->config_read(c->bar, offset, bytes, value);
}

int nvp_controller_config_write(void *backend, unsigned offset, unsigned bytes, uint32_t value)
{
	struct controller *c = backend;

	return c->bar_ops->config_write(c->bar, offset, bytes, value);
}

int nvp_controller_doorbell(void *backend, uint16_t qid, bool head, uint32_t value)
{
	struct controller *c = backend;
	uint64_t number = 2ULL * qid + head;

	/* The entries before the doorbell that exposes them (PCIe Transport 1.0, 3.1.2). */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	c->bar_ops->write(c->bar, NVP_REG_DOORBELLS + number * c->doorbell_stride, 4, value);
	return 0;
}

unsigned nvp_controller_nr_vectors(void *backend)
{
	struct controller *c = backend;

	return c->bar_ops->nr_vectors(c->bar);
}

bool nvp_controller_vector_take(void *backend, unsigned vector)
{
	struct controller *c = backend;

	return c->bar_ops->vector_take(c->bar, vector);
}

/* --- resets, power ------------------------------------------------------------------------ */

uint32_t nvp_controller_resets(void *backend)
{
	struct controller *c = backend;

	return c->bar_ops->resets(c->bar);
}

int nvp_controller_reset(void *backend, enum nvp_reset kind, struct nvp_err *err)
{
	struct controller *c = backend;

	return c->bar_ops->reset(c->bar, kind, err);
}

int nvp_controller_reattach(void *backend, uint64_t until_ns, struct nvp_err *err)
{
	struct controller *c = backend;
	int rc = c->bar_ops->reattach(c->bar, until_ns, err);

	if (!rc)
		learn_stride(c);
	return rc;
}

int nvp_controller_power(void *backend, bool on)
{
	struct controller *c = backend;

	return c->bar_ops->power ? c->bar_ops->power(c->bar, on) : -EOPNOTSUPP;
}

const char *nvp_controller_came_back(void *backend)
{
	struct controller *c = backend;

	return c->bar_ops->came_back ? c->bar_ops->came_back(c->bar) : NULL;
}

uint64_t nvp_controller_dma_faults(void *backend, struct nvp_dma_fault *last)
{
	struct controller *c = backend;

	return c->bar_ops->dma_faults ? c->bar_ops->dma_faults(c->bar, last) : 0;
}
