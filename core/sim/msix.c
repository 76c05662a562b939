// SPDX-License-Identifier: GPL-2.0-or-later
// The MSI-X table and pending bits in BAR0, and which vectors the host has not seen yet.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/mechanism.h"

#define ENTRY_BYTES 16
#define VECTOR_CONTROL 12	/* byte offset in an entry; bit 0: masked */

struct nvp_msix_state {
	uint8_t table[NVP_MAX_VECTORS * ENTRY_BYTES];
	uint64_t pending[(NVP_MAX_VECTORS + 63) / 64];
};

int nvp_msix_new(struct nvp_sim *w)
{
	w->msix = calloc(1, sizeof(*w->msix));
	if (!w->msix)
		return -ENOMEM;
	nvp_msix_reset(w);
	return 0;
}

void nvp_msix_free(struct nvp_sim *w)
{
	free(w->msix);
	w->msix = NULL;
}

unsigned nvp_sim_nr_vectors(const struct nvp_sim *sim)
{
	return sim->profile->nr_io_queues + 1U;
}

static bool is_masked(const struct nvp_sim *w, unsigned vector)
{
	return w->msix->table[vector * ENTRY_BYTES + VECTOR_CONTROL] & 1;
}

static void set_bit(uint64_t *words, unsigned bit, bool on)
{
	uint64_t mask = UINT64_C(1) << (bit % 64);

	words[bit / 64] = on ? words[bit / 64] | mask : words[bit / 64] & ~mask;
}

void nvp_msix_reset(struct nvp_sim *w)
{
	memset(w->msix, 0, sizeof(*w->msix));
	for (unsigned v = 0; v < NVP_MAX_VECTORS; v++)
		w->msix->table[v * ENTRY_BYTES + VECTOR_CONTROL] = 1;
	memset(w->fired, 0, sizeof(w->fired));
}

/* The message of a vector goes out, or waits as a pending bit (PCI Express Base, 6.1.4). */
void nvp_msix_fire(struct nvp_sim *w, unsigned vector)
{
	bool function_masked;

	if (!nvp_config_msix(w, &function_masked) || !nvp_config_master(w))
		return;
	if (nvp_defect(w, NVP_HOOK_INT_MASK))
		function_masked = false;
	if (function_masked || is_masked(w, vector))
		set_bit(w->msix->pending, vector, true);
	else
		set_bit(w->fired, vector, true);
}

/* A wrong drive sends once more what it has sent. */
static void send_again(struct nvp_sim *w, uint64_t vector)
{
	set_bit(w->fired, (unsigned)vector, true);
}

static void send_pending(struct nvp_sim *w, unsigned vector)
{
	if (!nvp_defect(w, NVP_HOOK_INT_PENDING_STAYS))
		set_bit(w->msix->pending, vector, false);
	if (nvp_defect(w, NVP_HOOK_INT_MASK_LOSES))
		return;
	set_bit(w->fired, vector, true);
	if (nvp_defect(w, NVP_HOOK_INT_PENDING_TWICE))
		nvp_event_add(w, NVP_SCOPE_CONTROLLER, 100 * NVP_NS_PER_US, send_again, vector);
}

void nvp_msix_unmasked(struct nvp_sim *w)
{
	bool function_masked;

	if (!nvp_config_msix(w, &function_masked) || function_masked)
		return;
	for (unsigned v = 0; v < nvp_sim_nr_vectors(w); v++) {
		if (!(w->msix->pending[v / 64] >> (v % 64) & 1) || is_masked(w, v))
			continue;
		send_pending(w, v);
	}
}

bool nvp_sim_vector_take(struct nvp_sim *sim, unsigned vector)
{
	bool fired;

	if (vector >= nvp_sim_nr_vectors(sim))
		return false;
	fired = sim->fired[vector / 64] >> (vector % 64) & 1;
	set_bit(sim->fired, vector, false);
	return fired;
}

uint64_t nvp_msix_read(struct nvp_sim *w, uint64_t offset, unsigned bytes)
{
	uint64_t table_bytes = (uint64_t)nvp_sim_nr_vectors(w) * ENTRY_BYTES;

	if (offset >= NVP_BAR_MSIX_PBA) {
		uint8_t pending[sizeof(w->msix->pending)];

		for (unsigned i = 0; i < NVP_ARRAY_SIZE(w->msix->pending); i++)
			nvp_put_le64(pending + 8 * i, w->msix->pending[i]);
		offset -= NVP_BAR_MSIX_PBA;
		if (nvp_defect(w, NVP_HOOK_INT_PENDING_HIDDEN))
			return 0;
		return offset + bytes <= sizeof(pending) ? nvp_le_n(pending + offset, bytes) : 0;
	}
	offset -= NVP_BAR_MSIX_TABLE;
	return offset + bytes <= table_bytes ? nvp_le_n(w->msix->table + offset, bytes) : 0;
}

void nvp_msix_write(struct nvp_sim *w, uint64_t offset, unsigned bytes, uint64_t value)
{
	uint64_t table_bytes = (uint64_t)nvp_sim_nr_vectors(w) * ENTRY_BYTES;

	if (offset >= NVP_BAR_MSIX_PBA)
		return;
	offset -= NVP_BAR_MSIX_TABLE;
	if (offset % bytes || offset + bytes > table_bytes)
		return;
	nvp_put_le_n(w->msix->table + offset, bytes, value);
	for (uint64_t at = offset & ~15ULL; at < offset + bytes; at += ENTRY_BYTES) {
		w->msix->table[at] &= 0xfc;
		memset(w->msix->table + at + VECTOR_CONTROL + 1, 0, 3);
		w->msix->table[at + VECTOR_CONTROL] &= 1;
	}
	nvp_msix_unmasked(w);
}
