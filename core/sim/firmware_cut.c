// SPDX-License-Identifier: GPL-2.0-or-later
// Wrong drives that a loss of power hits while firmware is downloaded or committed.

#include <stdlib.h>
#include <string.h>

#include "core/base/checksum.h"
#include "core/sim/arena.h"
#include "core/sim/commands.h"
#include "core/sim/cut.h"
#include "core/sim/manage.h"
#include "core/sim/mechanism.h"

#define REVISION_AT 16u	/* in an image */

static void commit_record(struct nvp_sim *w, const struct nvp_firmware_record *record)
{
	nvp_nv_commit(w, NVP_NV_FIRMWARE, record, sizeof(*record));
}

/* What is there from the beginning on becomes the image of the last slot, unless that one runs. */
void nvp_firmware_cut_half_download(struct nvp_sim *w)
{
	struct nvp_firmware_state *s = &w->commands->manage->firmware;
	unsigned last = w->profile->nr_firmware_slots, area = nvp_firmware_free_area(&s->record);
	uint8_t *to = (uint8_t *)w->arena->header + w->arena->header->firmware_offset +
		      (size_t)area * NVP_FIRMWARE_MOST_BYTES;
	struct nvp_firmware_slot *slot = &s->record.slot[last - 1];

	if (!s->download || !(s->pieces[0] & 1) || s->storing || last == s->record.active)
		return;
	memcpy(to, s->download, NVP_FIRMWARE_PIECE_BYTES);
	*slot = (struct nvp_firmware_slot){
		.present = 1,
		.area = (uint8_t)area,
		.bytes = NVP_FIRMWARE_PIECE_BYTES,
		.crc32c = nvp_crc32c(to, NVP_FIRMWARE_PIECE_BYTES),
	};
	memcpy(slot->revision, to + REVISION_AT, sizeof(slot->revision));
	commit_record(w, &s->record);
}

void nvp_firmware_cut_keeps_download(struct nvp_sim *w)
{
	struct nvp_firmware_state *s = &w->commands->manage->firmware;

	free(w->cut->download);
	w->cut->download = s->download;
	memcpy(w->cut->pieces, s->pieces, sizeof(w->cut->pieces));
	s->download = NULL;
}

void nvp_firmware_cut_tears_slot(struct nvp_sim *w)
{
	struct nvp_firmware_state *s = &w->commands->manage->firmware;
	struct nvp_firmware_slot *slot;

	if (!s->storing)
		return;
	slot = &s->record.slot[s->storing - 1u];
	if (!slot->present) {
		*slot = (struct nvp_firmware_slot){
			.present = 1,
			.area = (uint8_t)nvp_firmware_free_area(&s->record),
			.crc32c = nvp_crc32c("", 0),
		};
		memset(slot->revision, ' ', sizeof(slot->revision));
	}
	slot->revision[0] = '-';
	memcpy(slot->revision + 4, s->storing_revision + 4, 4);
	commit_record(w, &s->record);
}

/* Power is back. */
void nvp_firmware_cut_returns(struct nvp_sim *w)
{
	struct nvp_firmware_state *s = &w->commands->manage->firmware;

	if (!w->cut || !w->cut->download)
		return;
	s->download = w->cut->download;
	memcpy(s->pieces, w->cut->pieces, sizeof(s->pieces));
	w->cut->download = NULL;
}
