// SPDX-License-Identifier: GPL-2.0-or-later
// Firmware slots: download, commit, and what a reset of which kind activates.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/nvme/fields.h"
#include "core/sim/arena.h"
#include "core/sim/commands.h"
#include "core/sim/manage.h"
#include "core/sim/mechanism.h"

#define SC_SLOT 0x06
#define SC_IMAGE 0x07
#define SC_NEEDS_CONVENTIONAL 0x0b
#define SC_NEEDS_SUBSYSTEM 0x10
#define SC_NEEDS_CONTROLLER 0x11
#define SC_PROHIBITED 0x13
#define SC_OVERLAP 0x14

#define PIECE NVP_FIRMWARE_PIECE_BYTES
#define STORE_STEP_BYTES 16384u		/* of an image, written to its area in one event */
#define STORE_STEP_NS (4 * NVP_NS_PER_MS)	/* longer than what is left of power */
#define PAUSE_NS (300 * NVP_NS_PER_MS)	/* of activation without a reset; within MTFA */

enum action { STORE = 0, STORE_ACTIVATE = 1, ACTIVATE = 2, ACTIVATE_NOW = 3 };

/* Uses of nvp_sim_cmd.scratch by Firmware Commit. */
enum { S_ACTION, S_SLOT, S_AREA, S_DONE, S_BYTES, S_NEEDS, S_REVISION };

static struct nvp_firmware_state *state(const struct nvp_sim *w)
{
	return &w->commands->manage->firmware;
}

bool nvp_sim_has_firmware(const struct nvp_sim *w)
{
	return w->profile->optional_commands;
}

/* With more than one slot the first keeps the image that the drive was made with. */
bool nvp_sim_slot1_read_only(const struct nvp_sim *w)
{
	return !nvp_sim_has_firmware(w) || w->profile->nr_firmware_slots > 1;
}

/* ---- life ---- */

static void shipped(const struct nvp_sim *w, struct nvp_firmware_record *r)
{
	size_t length = strlen(w->profile->firmware);

	memset(r, 0, sizeof(*r));
	r->active = 1;
	r->slot[0].present = 1;
	r->slot[0].area = NVP_FIRMWARE_SHIPPED;
	memset(r->slot[0].revision, ' ', 8);
	memcpy(r->slot[0].revision, w->profile->firmware, length < 8 ? length : 8);
}

static void commit_record(struct nvp_sim *w)
{
	nvp_nv_commit(w, NVP_NV_FIRMWARE, &state(w)->record, sizeof(state(w)->record));
}

static void start_running(struct nvp_sim *w)
{
	struct nvp_firmware_state *s = state(w);

	if (s->running[0] && nvp_defect(w, NVP_HOOK_FW_FR_STALE))
		return;
	memcpy(s->running, s->record.slot[s->record.active - 1].revision, 8);
	s->running[8] = 0;
}

static void activate(struct nvp_sim *w, unsigned slot)
{
	struct nvp_firmware_record *r = &state(w)->record;

	r->active = (uint8_t)slot;
	r->next = 0;
	r->next_needs = 0;
	state(w)->activated = true;
	commit_record(w);
}

/* Losing power is as thorough as any reset. */
static bool is_enough(const struct nvp_sim *w, unsigned needs)
{
	switch (w->reset_kind) {
	case NVP_RESET_SUBSYSTEM:
		return true;
	case NVP_RESET_HOT:
	case NVP_RESET_LINK:
		return needs <= NVP_FIRMWARE_NEEDS_CONVENTIONAL_RESET;
	default:
		return needs <= NVP_FIRMWARE_NEEDS_CONTROLLER_RESET ||
		       nvp_defect(w, NVP_HOOK_FW_RESET_KIND);
	}
}

static void drop_download(struct nvp_firmware_state *s)
{
	free(s->download);
	s->download = NULL;
	memset(s->pieces, 0, sizeof(s->pieces));
}

static void started(struct nvp_sim *w, bool enough)
{
	struct nvp_firmware_record *r = &state(w)->record;

	if (r->next && enough && !nvp_defect(w, NVP_HOOK_FW_NOT_ACTIVATED))
		activate(w, r->next);
	start_running(w);
}

void nvp_firmware_power_on(struct nvp_sim *w)
{
	struct nvp_firmware_record *r = &state(w)->record;

	nvp_nv_load(w, NVP_NV_FIRMWARE, r, sizeof(*r));
	if (!r->active)
		shipped(w, r);
	state(w)->bricked = r->next && nvp_defect(w, NVP_HOOK_CUT_FIRMWARE_BRICKS);
	if (!state(w)->bricked)
		started(w, true);
	nvp_firmware_cut_returns(w);
}

bool nvp_firmware_runs(const struct nvp_sim *w)
{
	return !state(w)->bricked;
}

void nvp_firmware_reset(struct nvp_sim *w)
{
	struct nvp_firmware_state *s = state(w);

	if (s->bricked)
		return;
	s->storing = 0;
	if (!nvp_defect(w, NVP_HOOK_FW_DOWNLOAD_KEPT))
		drop_download(s);
	started(w, is_enough(w, s->record.next_needs));
}

void nvp_firmware_free(struct nvp_sim *w)
{
	drop_download(state(w));
}

const char *nvp_firmware_running(const struct nvp_sim *w)
{
	return state(w)->running;
}

const char *nvp_firmware_wanted(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	uint64_t slot = c->scratch[S_SLOT];	/* 0: the command was refused before it had one */

	return slot && slot <= NVP_FIRMWARE_SLOTS ? state(w)->record.slot[slot - 1].revision :
						   state(w)->before;
}

void nvp_log_fill_firmware(struct nvp_sim *w, uint8_t *data)
{
	const struct nvp_firmware_record *r = &state(w)->record;
	uint8_t *revision = data + nvp_field_find(&nvp_fields_firmware_slot, "frs1")->offset;
	unsigned next = nvp_defect(w, NVP_HOOK_FW_NEXT_HIDDEN) ? 0 : r->next;

	nvp_field_put(&nvp_fields_firmware_slot, data, "active_slot", r->active);
	nvp_field_put(&nvp_fields_firmware_slot, data, "next_slot", next);
	for (unsigned i = 0; i < w->profile->nr_firmware_slots; i++)
		if (r->slot[i].present && !(i == 0 && nvp_defect(w, NVP_HOOK_FW_OTHER_LOST) &&
					    (r->slot[1].present || r->slot[2].present)))
			memcpy(revision + 8 * i, r->slot[i].revision, 8);
	if (nvp_defect(w, NVP_HOOK_LOG_FIRMWARE))
		memcpy(revision + 8 * (r->active - 1), "OTHER1.0", 8);
}

int nvp_firmware_arena_check(const struct nvp_sim_arena *arena, struct nvp_err *err)
{
	const struct nvp_arena_record *record = &arena->record[NVP_NV_FIRMWARE];
	const uint8_t *areas = (const uint8_t *)arena->header + arena->header->firmware_offset;
	const struct nvp_firmware_record *r;

	if (!nvp_arena_load(&record->selector))
		return 0;
	r = (const void *)record->copy[record->selector & 1].bytes;
	for (unsigned i = 0; i < NVP_FIRMWARE_SLOTS; i++) {
		const struct nvp_firmware_slot *slot = &r->slot[i];
		bool wanted = i + 1u == r->active || i + 1u == r->next;

		if (slot->present && (slot->area == NVP_FIRMWARE_SHIPPED ||
				      (slot->area < NVP_FIRMWARE_AREAS &&
				       slot->bytes <= NVP_FIRMWARE_MOST_BYTES &&
				       nvp_crc32c(areas + (size_t)slot->area *
						  NVP_FIRMWARE_MOST_BYTES, slot->bytes) ==
				       slot->crc32c)))
			continue;
		if (slot->present || wanted) {
			nvp_err_set(err, NVP_ERR_BROKEN, -EUCLEAN, "arena check");
			nvp_err_expected(err, "each firmware slot has its image");
			nvp_err_seen(err, "slot %u", i + 1);
			return -EUCLEAN;
		}
	}
	return 0;
}

/* ---- Firmware Image Download (5.13) ---- */

static bool has_piece(const struct nvp_firmware_state *s, uint32_t piece)
{
	return s->pieces[piece / 64] >> (piece % 64) & 1;
}

static uint32_t download_offset(const struct nvp_sim_cmd *c)
{
	return nvp_le32(c->sqe + 44) * 4;
}

static enum nvp_step downloaded(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_firmware_state *s = state(w);
	uint32_t offset = download_offset(c);

	c->then = NULL;
	if (!s->download) {
		s->download = calloc(1, NVP_FIRMWARE_MOST_BYTES);
		if (!s->download)
			return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_INTERNAL);
	}
	memcpy(s->download + offset, c->data, c->data_bytes);
	for (uint32_t i = offset / PIECE; i < (offset + c->data_bytes + PIECE - 1) / PIECE; i++)
		s->pieces[i / 64] |= UINT64_C(1) << (i % 64);
	return NVP_STEP_COMPLETE;
}

enum nvp_step nvp_sim_firmware_download(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	const struct nvp_firmware_state *s = state(w);
	uint64_t bytes = ((uint64_t)nvp_le32(c->sqe + 40) + 1) * 4;
	uint64_t offset = (uint64_t)nvp_le32(c->sqe + 44) * 4;

	if (nvp_sim_above_mdts(w, bytes))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 0);
	if (offset + bytes > NVP_FIRMWARE_MOST_BYTES)
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 11, 0);
	if ((bytes % PIECE || offset % PIECE) && !nvp_defect(w, NVP_HOOK_FW_GRANULARITY_OK))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD,
				       bytes % PIECE ? 10 : 11, 0);
	for (uint64_t i = offset / PIECE; i < (offset + bytes + PIECE - 1) / PIECE; i++)
		if (has_piece(s, (uint32_t)i) && !nvp_defect(w, NVP_HOOK_FW_OVERLAP_OK))
			return nvp_sim_fail_at(c, NVP_SCT_COMMAND, SC_OVERLAP, 11, 0);
	nvp_sim_cmd_data(w, c, (uint32_t)bytes);
	c->then = downloaded;
	return NVP_STEP_FROM_HOST;
}

/* ---- Firmware Commit (5.12) ---- */

/* The answer to an image that is in its slot and waits for a reset of this kind. */
static enum nvp_step waits_for_reset(const struct nvp_sim *w, struct nvp_sim_cmd *c,
				     unsigned needs, bool now)
{
	static const uint8_t sc[NVP_NR_FIRMWARE_NEEDS] = {
		[NVP_FIRMWARE_NEEDS_CONVENTIONAL_RESET] = SC_NEEDS_CONVENTIONAL,
		[NVP_FIRMWARE_NEEDS_SUBSYSTEM_RESET] = SC_NEEDS_SUBSYSTEM,
	};

	if (nvp_defect(w, NVP_HOOK_FW_NEEDS_STATUS))
		return NVP_STEP_COMPLETE;
	c->sct = sc[needs] ? NVP_SCT_COMMAND : 0;
	c->sc = sc[needs];
	if (now && !c->sc) {
		c->sct = NVP_SCT_COMMAND;
		c->sc = SC_NEEDS_CONTROLLER;
	}
	return NVP_STEP_COMPLETE;
}

static enum nvp_step activated(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	c->then = NULL;
	activate(w, (unsigned)c->scratch[S_SLOT]);
	start_running(w);
	nvp_registers_pause(w, false);
	return NVP_STEP_COMPLETE;
}

/* The host is told, no other command is taken meanwhile, and the new image runs. */
static enum nvp_step activate_now(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (!nvp_defect(w, NVP_HOOK_FW_EVENT_MISSING) &&
	    nvp_feature_value(w, NVP_FID_EVENTS) & NVP_EVENTS_FIRMWARE)
		nvp_event_occurred(w, NVP_EVENT_NOTICE,
				   nvp_defect(w, NVP_HOOK_FW_EVENT_INFO) ? 0x00 : 0x01, 0x03);
	nvp_registers_pause(w, true);
	c->delay_ns = PAUSE_NS;
	c->then = activated;
	return NVP_STEP_DELAY;
}

/* The slot holds its image; what the action says about activation. */
static enum nvp_step in_slot(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_firmware_record *r = &state(w)->record;
	enum action action = (enum action)c->scratch[S_ACTION];
	unsigned slot = (unsigned)c->scratch[S_SLOT];
	unsigned needs = r->slot[slot - 1].needs;

	if (action == STORE && !nvp_defect(w, NVP_HOOK_FW_STORE_ACTIVATES)) {
		commit_record(w);
		return NVP_STEP_COMPLETE;
	}
	if (action == ACTIVATE_NOW && needs == NVP_FIRMWARE_NEEDS_NOTHING &&
	    !nvp_defect(w, NVP_HOOK_FW_NOW_REFUSED)) {
		commit_record(w);
		return activate_now(w, c);
	}
	r->next = (uint8_t)slot;
	r->next_needs = (uint8_t)needs;
	commit_record(w);
	if (action == STORE)
		return NVP_STEP_COMPLETE;
	if (nvp_defect(w, NVP_HOOK_FW_EARLY)) {
		activate(w, slot);
		start_running(w);
	}
	return waits_for_reset(w, c, needs, action == ACTIVATE_NOW);
}

static void fill_slot(struct nvp_sim *w, const struct nvp_sim_cmd *c, const uint8_t *area)
{
	struct nvp_firmware_record *r = &state(w)->record;
	struct nvp_firmware_slot *slot = &r->slot[c->scratch[S_SLOT] - 1];

	memset(slot, 0, sizeof(*slot));
	slot->present = 1;
	slot->area = (uint8_t)c->scratch[S_AREA];
	slot->needs = (uint8_t)c->scratch[S_NEEDS];
	slot->bytes = (uint32_t)c->scratch[S_BYTES];
	slot->crc32c = nvp_crc32c(area, slot->bytes);
	memcpy(slot->revision, &c->scratch[S_REVISION], 8);
}

/* One part of the image to its area; the record that makes it count comes after the last. */
static enum nvp_step store_more(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_firmware_state *s = state(w);
	uint8_t *area = (uint8_t *)w->arena->header + w->arena->header->firmware_offset +
			c->scratch[S_AREA] * NVP_FIRMWARE_MOST_BYTES;
	uint64_t done = c->scratch[S_DONE];
	uint64_t part = nvp_min_u64(STORE_STEP_BYTES, c->scratch[S_BYTES] - done);

	if (!s->download)	/* two commits at a time: the other one took it */
		return nvp_sim_fail(c, NVP_SCT_COMMAND, SC_IMAGE);
	s->storing = (uint8_t)c->scratch[S_SLOT];
	memcpy(s->storing_revision, &c->scratch[S_REVISION], 8);
	memcpy(area + done, s->download + done, part);
	c->scratch[S_DONE] += part;
	if (c->scratch[S_DONE] < c->scratch[S_BYTES]) {
		c->delay_ns = STORE_STEP_NS;
		c->then = store_more;
		return NVP_STEP_DELAY;
	}
	c->then = NULL;
	s->storing = 0;
	fill_slot(w, c, area);
	drop_download(s);
	return in_slot(w, c);
}

unsigned nvp_firmware_free_area(const struct nvp_firmware_record *r)
{
	unsigned area = 0;

	for (unsigned i = 0; i < NVP_FIRMWARE_SLOTS; i++) {
		if (r->slot[i].present && r->slot[i].area == area) {
			area++;
			i = UINT32_MAX;		/* from the start: areas are in no order */
		}
	}
	return area;
}

/* Bytes without a gap from 0 on. */
static uint32_t downloaded_bytes(const struct nvp_sim *w, const struct nvp_firmware_state *s)
{
	uint32_t nr = 0, most = NVP_FIRMWARE_MOST_BYTES / PIECE;

	while (nr < most && has_piece(s, nr))
		nr++;
	return nvp_defect(w, NVP_HOOK_FW_GAP_OK) && s->download ? NVP_FIRMWARE_MOST_BYTES :
	       nr * PIECE;
}

/* The downloaded image is good for this drive; false: c has the status, and it is thrown away. */
static bool take_image(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_firmware_state *s = state(w);
	struct nvp_firmware_image image = { .bytes = 0 };
	int rc = -EBADMSG;

	if (s->download)
		rc = nvp_firmware_image_check(s->download, downloaded_bytes(w, s), &image);
	if (rc == -EBADMSG && image.bytes && (nvp_defect(w, NVP_HOOK_FW_CRC_OK) ||
					      nvp_defect(w, NVP_HOOK_FW_GAP_OK)))
		rc = 0;
	if (rc == -EBADMSG && s->download && !image.bytes &&
	    nvp_defect(w, NVP_HOOK_FW_GARBAGE_OK)) {
		image = (struct nvp_firmware_image){ .revision = "GARBAGE", .bytes = PIECE };
		rc = 0;
	}
	if (rc == -EXDEV && nvp_defect(w, NVP_HOOK_FW_FAMILY_OK))
		rc = 0;
	if (!rc && image.needs == NVP_FIRMWARE_IS_PROHIBITED &&
	    !nvp_defect(w, NVP_HOOK_FW_PROHIBITED_OK))
		rc = -EACCES;
	if (rc) {
		drop_download(s);
		nvp_sim_fail(c, NVP_SCT_COMMAND, rc == -EACCES ? SC_PROHIBITED : SC_IMAGE);
		return false;
	}
	c->scratch[S_BYTES] = image.bytes;
	c->scratch[S_NEEDS] = image.needs == NVP_FIRMWARE_IS_PROHIBITED ?
			      NVP_FIRMWARE_NEEDS_NOTHING : image.needs;
	memset(&c->scratch[S_REVISION], ' ', 8);
	memcpy(&c->scratch[S_REVISION], image.revision, strlen(image.revision));
	return true;
}

/* FS 0: the drive chooses one that is neither in use nor to be used (5.12, FS). */
static unsigned choose_slot(const struct nvp_sim *w, bool stores)
{
	const struct nvp_firmware_record *r = &state(w)->record;

	for (unsigned slot = 1; slot <= w->profile->nr_firmware_slots; slot++) {
		if (slot == r->active || slot == r->next)
			continue;
		if (stores ? slot > 1 || !nvp_sim_slot1_read_only(w) : r->slot[slot - 1].present)
			return slot;
	}
	return stores && nvp_sim_slot1_read_only(w) ? w->profile->nr_firmware_slots : r->active;
}

/* False: c has the status. */
static bool take_slot(struct nvp_sim *w, struct nvp_sim_cmd *c, bool stores)
{
	unsigned slot = nvp_le32(c->sqe + 40) & 7, nr = w->profile->nr_firmware_slots;

	slot = slot ? slot : choose_slot(w, stores);
	if (slot > nr && nvp_defect(w, NVP_HOOK_FW_SLOT_OK))
		slot = nr;
	if (slot > nr || (stores && slot == 1 && nvp_sim_slot1_read_only(w) &&
			  !nvp_defect(w, NVP_HOOK_FW_SLOT1_WRITTEN))) {
		nvp_sim_fail_at(c, NVP_SCT_COMMAND, SC_SLOT, 10, 0);
		return false;
	}
	if (stores && nvp_defect(w, NVP_HOOK_FW_WRONG_SLOT))
		slot = slot % nr + 1;
	c->scratch[S_SLOT] = slot;
	return true;
}

enum nvp_step nvp_sim_firmware_commit(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_firmware_state *s = state(w);
	unsigned action = nvp_le32(c->sqe + 40) >> 3 & 7;
	bool stores = action != ACTIVATE && (action != ACTIVATE_NOW || s->download);

	memcpy(s->before, s->running, sizeof(s->before));
	c->scratch[S_SLOT] = 0;
	if (action > ACTIVATE_NOW) {	/* 6 and 7 are of boot partitions, of which there are none */
		if (nvp_defect(w, NVP_HOOK_FW_ACTION_OK))
			return NVP_STEP_COMPLETE;
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 3);
	}
	if (!take_slot(w, c, stores))
		return NVP_STEP_COMPLETE;
	c->scratch[S_ACTION] = action;
	if (stores) {
		if (!s->download && nvp_defect(w, NVP_HOOK_FW_NO_IMAGE_OK))
			return NVP_STEP_COMPLETE;
		if (!take_image(w, c))
			return NVP_STEP_COMPLETE;
		c->scratch[S_AREA] = nvp_firmware_free_area(&s->record);
		return store_more(w, c);
	}
	if (!s->record.slot[c->scratch[S_SLOT] - 1].present ||
	    nvp_defect(w, NVP_HOOK_FW_ACTIVATE_REFUSED)) {
		if (nvp_defect(w, NVP_HOOK_FW_EMPTY_OK))
			return NVP_STEP_COMPLETE;
		return nvp_sim_fail_at(c, NVP_SCT_COMMAND, SC_IMAGE, 10, 0);
	}
	return in_slot(w, c);
}
