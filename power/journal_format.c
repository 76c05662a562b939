// SPDX-License-Identifier: GPL-2.0-or-later
// Fields of a journal's frames in the order in which they stand there, and its slots.

#include "power/journal_format.h"

#include <errno.h>

#include "core/base/bits.h"

/* One field of so many bytes: value is written, or what stands there is given back. */
static uint64_t number(struct nvp_fields_at *f, size_t bytes, uint64_t value)
{
	if (f->at + bytes > f->bytes) {
		f->at = f->bytes;
		return 0;
	}
	if (f->out)
		nvp_put_le_n(f->out + f->at, bytes, value);
	else
		value = nvp_le_n(f->in + f->at, bytes);
	f->at += bytes;
	return value;
}

/* A text of a fixed array, its last byte always NUL. */
static void text(struct nvp_fields_at *f, char *array, size_t bytes)
{
	if (f->at + bytes > f->bytes) {
		f->at = f->bytes;
		array[0] = '\0';
		return;
	}
	if (f->out)
		memcpy(f->out + f->at, array, bytes);
	else
		memcpy(array, f->in + f->at, bytes);
	array[bytes - 1] = '\0';
	f->at += bytes;
}

#define FIELD(f, field, bytes) ((field) = (typeof(field))number((f), (bytes), (uint64_t)(field)))

static void facts_fields(struct nvp_fields_at *f, struct nvp_oracle_facts *facts)
{
	FIELD(f, facts->first_lba, 8);
	FIELD(f, facts->nr_blocks, 4);
	FIELD(f, facts->awun_z, 2);
	FIELD(f, facts->awupf_z, 2);
	FIELD(f, facts->acwu_z, 2);
	FIELD(f, facts->nawun_z, 2);
	FIELD(f, facts->nawupf_z, 2);
	FIELD(f, facts->nacwu_z, 2);
	FIELD(f, facts->nabsn_z, 2);
	FIELD(f, facts->nabo, 2);
	FIELD(f, facts->nabspf_z, 2);
	FIELD(f, facts->nsabp, 1);
	FIELD(f, facts->multiple_atomicity, 1);
	FIELD(f, facts->write_atomicity_off, 1);
	FIELD(f, facts->vwc, 1);
	FIELD(f, facts->wce, 1);
	FIELD(f, facts->dulbe, 1);
	FIELD(f, facts->dlfeat, 1);
	FIELD(f, facts->rules, 1);
	FIELD(f, facts->policy, 1);
}

void nvp_journal_begin_fields(struct nvp_fields_at *f, struct nvp_journal_begin *begin,
			      char version[40])
{
	FIELD(f, begin->run, 8);
	FIELD(f, begin->seed, 8);
	FIELD(f, begin->nsid, 4);
	FIELD(f, begin->lba_bytes, 4);
	FIELD(f, begin->first_lba, 8);
	text(f, begin->serial, sizeof(begin->serial));
	text(f, begin->model, sizeof(begin->model));
	text(f, begin->firmware, sizeof(begin->firmware));
	text(f, version, 40);
	facts_fields(f, &begin->facts);
	FIELD(f, begin->first_cycle, 4);
	FIELD(f, begin->first_seq, 8);
	FIELD(f, begin->nsze_lbas, 8);
	FIELD(f, begin->format.metadata_bytes, 2);
	FIELD(f, begin->format.extended, 1);
	FIELD(f, begin->format.pi_first, 1);
	FIELD(f, begin->format.pi_type, 1);
	if (!f->out)
		begin->version = version[0] ? version : NULL;
}

void nvp_journal_cycle_fields(struct nvp_fields_at *f, struct nvp_journal_cycle *cycle)
{
	struct nvp_workload_plan *plan = &cycle->plan;

	FIELD(f, cycle->cycle, 4);
	FIELD(f, cycle->seq, 8);
	FIELD(f, cycle->first_lba, 8);
	FIELD(f, cycle->wce, 1);
	FIELD(f, plan->key, 8);
	FIELD(f, plan->workload, 1);
	FIELD(f, plan->phase, 1);
	FIELD(f, plan->nr_blocks, 4);
	FIELD(f, plan->slot_blocks, 4);
	FIELD(f, plan->most_blocks, 2);
	FIELD(f, plan->atomic_blocks, 2);
	FIELD(f, plan->boundary_blocks, 2);
	FIELD(f, plan->boundary_at, 4);
	FIELD(f, plan->copy_blocks, 2);
	FIELD(f, plan->pair_blocks, 2);
	FIELD(f, plan->queues, 2);
	FIELD(f, plan->max_volatile, 4);
	FIELD(f, plan->kinds, 4);
	FIELD(f, plan->cache, 1);
	FIELD(f, plan->trigger_at, 4);
	FIELD(f, plan->trigger_kind, 1);
}

int nvp_journal_slot_take(struct nvp_journal_slots *slots)
{
	for (unsigned i = 0; i < NVP_ARRAY_SIZE(slots->used); i++) {
		int bit = __builtin_ffsll((long long)~slots->used[i]) - 1;

		if (bit < 0)
			continue;
		slots->used[i] |= UINT64_C(1) << bit;
		return (int)(i * 64) + bit;
	}
	return -ENOSPC;
}

bool nvp_journal_slot_give(struct nvp_journal_slots *slots, uint8_t slot)
{
	uint64_t bit = UINT64_C(1) << slot % 64;

	if (!(slots->used[slot / 64] & bit))
		return false;
	slots->used[slot / 64] &= ~bit;
	return true;
}
