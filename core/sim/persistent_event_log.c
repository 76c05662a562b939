// SPDX-License-Identifier: GPL-2.0-or-later
// The Persistent Event log page: the reporting context that a host reads, and the log's header.

#include "core/sim/persistent_event.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/commands.h"
#include "core/sim/identify.h"
#include "core/sim/logs.h"
#include "core/sim/manage.h"

enum action { READ = 0, ESTABLISH = 1, RELEASE = 2, ESTABLISH_HEADER = 3 };

#define CONTEXT_EXISTS (1u << 18)	/* of Reporting Context Information */

/* What survives of contexts: the Generation Number, and the event that it is up to. */
struct reported {
	uint64_t next;
	uint16_t generation;
};

static struct nvp_pel_context *context_of(const struct nvp_sim *w)
{
	return &w->commands->manage->events;
}

static enum action action_of(const struct nvp_sim_cmd *c)
{
	return (enum action)(c->sqe[41] & 3);
}

void nvp_pel_release(struct nvp_sim *w)
{
	free(context_of(w)->page);
	context_of(w)->page = NULL;
	context_of(w)->bytes = 0;
}

/* ---- the page ---- */

#define PUT(key, value) nvp_field_put(&nvp_fields_persistent_log, page, key, value)

/* Fields that have the same bytes in another structure. */
static void copy_field(uint8_t *page, const char *key, const struct nvp_field_table *from_table,
		       const uint8_t *from, const char *from_key)
{
	const struct nvp_field *to = nvp_field_find(&nvp_fields_persistent_log, key);

	memcpy(page + to->offset, from + nvp_field_find(from_table, from_key)->offset, to->bytes);
}

static void put_identity(struct nvp_sim *w, uint8_t *page)
{
	static const char *const same[] = { "vid", "ssvid", "sn", "mn", "subnqn" };
	uint8_t identify[4096] = { 0 }, smart[512] = { 0 };

	nvp_identify_controller_fill(w, identify);
	nvp_log_fill_smart(w, smart);
	for (size_t i = 0; i < NVP_ARRAY_SIZE(same); i++)
		copy_field(page, same[i], &nvp_fields_id_ctrl, identify, same[i]);
	copy_field(page, "poh", &nvp_fields_smart, smart, "power_on_hours");
	copy_field(page, "pcc", &nvp_fields_smart, smart, "power_cycles");
	if (nvp_defect(w, NVP_HOOK_PEL_IDENTITY))
		page[nvp_field_find(&nvp_fields_persistent_log, "sn")->offset] ^= 1;
}

static void put_supported(struct nvp_sim *w, uint8_t *page)
{
	uint8_t *bitmap = page + nvp_field_find(&nvp_fields_persistent_log, "seb")->offset;
	unsigned types = 0x1ffe;	/* 01h to 0Ch */

	if (!nvp_sim_has_ns_management(w))
		types &= ~(1u << NVP_PEL_NAMESPACE);
	if (!(w->profile->sanicap & 7))
		types &= ~(1u << NVP_PEL_SANITIZE_START | 1u << NVP_PEL_SANITIZE_DONE);
	if (nvp_defect(w, NVP_HOOK_PEL_BITMAP))
		types &= ~(1u << NVP_PEL_RESET);
	nvp_put_le16(bitmap, (uint16_t)types);
}

static void put_header(struct nvp_sim *w, uint8_t *page, uint32_t nr, uint32_t bytes)
{
	PUT("lid", NVP_LOG_PERSISTENT_EVENT);
	PUT("tnev", nr + (nvp_defect(w, NVP_HOOK_PEL_COUNT) ? 1 : 0));
	PUT("tll", bytes - (nvp_defect(w, NVP_HOOK_PEL_LENGTH) ? 4 : 0));
	PUT("rv", 2);
	PUT("lhl", nvp_defect(w, NVP_HOOK_PEL_HEADER) ? 0 : NVP_PEL_HEADER_BYTES - 20);
	nvp_time_fill(w, page + nvp_field_find(&nvp_fields_persistent_log, "ts")->offset);
	put_identity(w, page);
	put_supported(w, page);
}

/* The newest first (5.16.1.14). */
static uint32_t put_events(struct nvp_sim *w, uint8_t *at, uint64_t first, uint64_t next)
{
	uint8_t *start = at, *event = at;

	for (uint64_t i = 0; i < next - first; i++) {
		bool oldest = nvp_defect(w, NVP_HOOK_PEL_OLDEST_FIRST);
		const struct nvp_pel_slot *slot = nvp_pel_slot(w, oldest ? first + i : next - 1 - i);

		event = at;
		memcpy(at, slot->event, slot->bytes);
		at += slot->bytes;
	}
	if (nvp_defect(w, NVP_HOOK_PEL_PAST_END) && at != start)
		nvp_field_put(&nvp_fields_persistent_event, event, "el", 0x200);
	return (uint32_t)(at - start);
}

/* It goes on by one with each context that has something new to tell. */
static uint16_t next_generation(struct nvp_sim *w, uint64_t next)
{
	struct reported reported;

	nvp_nv_load(w, NVP_NV_PERSISTENT_LOG, &reported, sizeof(reported));
	if (reported.next != next) {
		reported.next = next;
		reported.generation++;
		if (nvp_defect(w, NVP_HOOK_PEL_GENERATION))
			reported.generation = 1;
		nvp_nv_commit(w, NVP_NV_PERSISTENT_LOG, &reported, sizeof(reported));
	}
	return reported.generation;
}

static bool establish(struct nvp_sim *w)
{
	struct nvp_pel_context *context = context_of(w);
	uint64_t first, next;
	uint8_t *page;

	nvp_pel_range(w, &first, &next);
	page = calloc(1, NVP_PEL_HEADER_BYTES + (next - first) * sizeof(struct nvp_pel_slot));
	if (!page)
		return false;
	nvp_pel_release(w);
	context->page = page;
	context->bytes = NVP_PEL_HEADER_BYTES +
			 put_events(w, page + NVP_PEL_HEADER_BYTES, first, next);
	put_header(w, page, (uint32_t)(next - first), context->bytes);
	PUT("gen_number", next_generation(w, next));
	return true;
}

/* ---- the actions ---- */

static bool sequence_error(struct nvp_sim_cmd *c)
{
	nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_COMMAND_SEQUENCE);
	return false;
}

bool nvp_pel_begin(struct nvp_sim *w, struct nvp_sim_cmd *c, bool *fresh)
{
	bool exists = context_of(w)->page;

	*fresh = false;
	switch (action_of(c)) {
	case READ:
		if (!exists && !nvp_defect(w, NVP_HOOK_PEL_NO_CONTEXT_OK))
			return sequence_error(c);
		*fresh = !exists || nvp_defect(w, NVP_HOOK_PEL_NOT_FROZEN);
		break;
	case ESTABLISH:
		if (exists && !nvp_defect(w, NVP_HOOK_PEL_SECOND_OK))
			return sequence_error(c);
		*fresh = true;
		break;
	case RELEASE:
		if (nvp_defect(w, NVP_HOOK_PEL_RELEASE_REFUSED))
			return sequence_error(c);
		if (!nvp_defect(w, NVP_HOOK_PEL_NOT_RELEASED))
			nvp_pel_release(w);
		return false;
	case ESTABLISH_HEADER:
		*fresh = !exists;
		break;
	}
	if (*fresh && !establish(w)) {
		nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_INTERNAL);
		return false;
	}
	nvp_field_put(&nvp_fields_persistent_log, context_of(w)->page, "rci",
		      exists && !nvp_defect(w, NVP_HOOK_PEL_EXISTS) ? CONTEXT_EXISTS : 0);
	return true;
}

bool nvp_pel_header_only(const struct nvp_sim_cmd *c)
{
	return c->sqe[40] == NVP_LOG_PERSISTENT_EVENT && action_of(c) == ESTABLISH_HEADER;
}

uint32_t nvp_pel_bytes(const struct nvp_sim *w)
{
	return context_of(w)->page ? context_of(w)->bytes : NVP_PEL_HEADER_BYTES;
}

void nvp_log_fill_persistent(struct nvp_sim *w, uint8_t *data)
{
	memcpy(data, context_of(w)->page, context_of(w)->bytes);
}
