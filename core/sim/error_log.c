// SPDX-License-Identifier: GPL-2.0-or-later
// The Error Information log (NVMe Base 2.0, 5.16.1.2): entries go with a reset, the count never.

#include "core/sim/logs.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/commands.h"

#define PUT(key, value) nvp_field_put(&nvp_fields_error_entry, entry, key, value)

/* Errors over the life of the controller, so the number of the newest. */
static uint64_t error_count(struct nvp_sim *w)
{
	uint8_t counter[16];

	nvp_counter_get(w, NVP_COUNT_ERROR_ENTRIES, counter);
	return nvp_le64(counter);
}

static unsigned ring_size(const struct nvp_sim *w)
{
	return w->profile->elpe_z + 1u;
}

void nvp_error_add(struct nvp_sim *w, const struct nvp_sim_error *error)
{
	struct nvp_error_ring *ring = &w->commands->errors;
	uint8_t *entry;

	nvp_count(w, NVP_COUNT_ERROR_ENTRIES, 1);
	ring->newest = (ring->newest + 1) % ring_size(w);
	if (ring->nr < ring_size(w))
		ring->nr++;
	entry = ring->entry[ring->newest];
	memset(entry, 0, sizeof(ring->entry[0]));
	PUT("error_count", nvp_defect(w, NVP_HOOK_ERR_COUNT) ? 1 : error_count(w));
	PUT("sqid", error->sqid);
	PUT("cid", nvp_defect(w, NVP_HOOK_ERR_CID) ? error->cid ^ 1u : error->cid);
	PUT("status_field", nvp_defect(w, NVP_HOOK_ERR_STATUS) ? error->status_field >> 1 :
	    error->status_field);
	PUT("parameter_error_location", error->location);
	PUT("lba", error->lba);
	PUT("nsid", nvp_defect(w, NVP_HOOK_ERR_NSID) ? error->nsid ^ 3u : error->nsid);
}

void nvp_errors_reset(struct nvp_sim *w)
{
	memset(&w->commands->errors, 0, sizeof(w->commands->errors));
}

void nvp_log_fill_errors(struct nvp_sim *w, uint8_t *data)
{
	const struct nvp_error_ring *ring = &w->commands->errors;

	for (unsigned i = 0; i < ring->nr; i++) {
		unsigned age = nvp_defect(w, NVP_HOOK_ERR_ORDER) ? ring->nr - 1 - i : i;
		unsigned at = (ring->newest + ring_size(w) - age) % ring_size(w);

		memcpy(data + 64 * i, ring->entry[at], 64);
	}
}
