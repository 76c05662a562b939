/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that is freed all at once: what a report keeps of its events. */
#ifndef NVP_REPORT_POOL_H
#define NVP_REPORT_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/grow.h"

struct nvp_pool_chunk;

/* Zero-initialised is empty. `failed` stays set once memory ran out. */
struct nvp_pool {
	struct nvp_pool_chunk *chunks;
	bool failed;
};

/* Zeroed, aligned for anything; NULL when memory ran out (or bytes is 0). */
void *nvp_pool_alloc(struct nvp_pool *pool, size_t bytes);
/* A copy of the text; NULL for NULL or without memory. */
const char *nvp_pool_text(struct nvp_pool *pool, const char *text);
void nvp_pool_free(struct nvp_pool *pool);

#endif
