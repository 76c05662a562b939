// SPDX-License-Identifier: GPL-2.0-or-later
// Firmware Image Download and Firmware Commit: what has to be refused, leaving the drive as it is.

#include "cases/firmware.h"

/* The log of before, the one of now, and Identify agree that nothing changed. */
static bool nothing_changed(struct nvp_t *t, const struct nvp_firmware_slots *before)
{
	struct nvp_firmware_slots now;

	if (!case_firmware_log(t, &now))
		return false;
	nvp_check(t, !memcmp(&now, before, sizeof(now)),
		  "slots before: active %u, next %u, \"%s\" \"%s\" \"%s\"; now: active %u, next %u, "
		  "\"%s\" \"%s\" \"%s\"", before->active_slot, before->next_slot,
		  before->revision[0], before->revision[1], before->revision[2], now.active_slot,
		  now.next_slot, now.revision[0], now.revision[1], now.revision[2]);
	return true;
}

/*
 * FWU-04. A slot above the number that FRMW gives is an invalid slot. To activate is asked for, of
 * what cannot be there, so that nothing would be written.
 */
static void slots_end_at_frmw(struct nvp_t *t)
{
	unsigned nr = case_firmware_slots(t);
	struct nvp_cpl cpl;

	if (!case_has_firmware(t))
		return;
	if (nr >= 7)
		nvp_skip(t, "all seven slots exist");
	if (!case_firmware_commit(t, CASE_ACTIVATE, nr + 1, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_FIRMWARE_SLOT);
}

/* FWU-07. Commit Actions 100b and 101b are reserved. */
static void reserved_actions_are_refused(struct nvp_t *t)
{
	struct nvp_firmware_slots before;
	struct nvp_cpl cpl;

	if (!case_has_firmware(t) || !case_firmware_log(t, &before))
		return;
	for (unsigned action = 4; action <= 5; action++) {
		struct nvp_cmd cmd = nvp_build_firmware_commit((uint8_t)action, before.active_slot,
							       false);

		nvp_admin(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

/* A slot without an image cannot be activated: what is there is no valid image. */
static void empty_slots_are_not_activated(struct nvp_t *t)
{
	struct nvp_firmware_slots before;
	unsigned slot;
	struct nvp_cpl cpl;

	if (!case_has_firmware(t) || !case_firmware_log(t, &before))
		return;
	for (slot = case_firmware_slots(t); slot; slot--)
		if (!before.revision[slot - 1][0])
			break;
	if (!slot)
		nvp_skip(t, "every slot has an image");
	if (!case_firmware_commit(t, CASE_ACTIVATE, slot, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, 0x07 }, { NVP_SCT_COMMAND, 0x06 }));
}

/* Without a download there is no image that could be put into the slot. */
static void nothing_cannot_be_committed(struct nvp_t *t)
{
	struct nvp_firmware_slots before;
	struct nvp_cpl cpl;
	unsigned slot;

	if (!case_has_firmware(t) || !case_firmware_spare_slot(t, &before, &slot) ||
	    !case_firmware_commit(t, CASE_STORE, slot, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_FIRMWARE_IMAGE);
	nothing_changed(t, &before);
}

/*
 * FWU-03. What is no image at all is refused, at the latest by the commit. A drive may look at
 * the first piece already.
 */
static void garbage_is_refused(struct nvp_t *t)
{
	struct nvp_buf *image = nvp_t_buf(t, CASE_IMAGE_BYTES);
	uint32_t granule = case_firmware_granule(t);
	struct nvp_firmware_slots before;
	struct nvp_cpl cpl;
	unsigned slot;

	if (!image || !case_has_firmware(t) || !case_firmware_spare_slot(t, &before, &slot))
		return;
	nvp_buf_fill_pattern(image, nvp_t_rand(t, "garbage", 0));
	for (uint32_t at = 0; at + granule <= CASE_IMAGE_BYTES; at += granule) {
		if (!case_firmware_piece(t, image, at, granule, &cpl))
			return;
		if (!nvp_cpl_ok(&cpl))
			break;
	}
	if (!case_firmware_commit(t, CASE_STORE, slot, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_FIRMWARE_IMAGE);
	nothing_changed(t, &before);
}

/* FWU-03, FWU-07. Images that are nearly good: one bit wrong, another product's, prohibited. */
static void spoilt_images_are_refused(struct nvp_t *t)
{
	static const struct {
		const char *name;
		enum nvp_image kind;
	} images[] = {
		{ "damaged", NVP_IMAGE_DAMAGED },
		{ "other-product", NVP_IMAGE_OTHER_PRODUCT },
		{ "prohibited", NVP_IMAGE_PROHIBITED },
	};
	enum nvp_image kind = NVP_IMAGE_DAMAGED;
	struct nvp_firmware_slots before;
	struct nvp_buf *image;
	struct nvp_cpl cpl;
	unsigned slot;

	for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++)
		if (!strcmp(images[i].name, nvp_t_variant(t)))
			kind = images[i].kind;
	if (!case_has_firmware(t) || !case_firmware_spare_slot(t, &before, &slot))
		return;
	image = nvp_t_firmware_image(t, CASE_IMAGE_BYTES, "SPOILT", kind);
	if (!image || !case_firmware_at_end(t, &before) ||
	    !case_firmware_download(t, image, 0, CASE_IMAGE_BYTES) ||
	    !case_firmware_commit(t, CASE_STORE_ACTIVATE, slot, &cpl))
		return;
	if (kind == NVP_IMAGE_PROHIBITED)
		nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, 0x13 },
						  { NVP_SCT_COMMAND, 0x07 }));
	else
		nvp_check_status(t, &cpl, CASE_FIRMWARE_IMAGE);
	nothing_changed(t, &before);
}

/* FWU-02. An image with a piece missing is no valid image. */
static void missing_pieces_are_found(struct nvp_t *t)
{
	uint32_t granule = case_firmware_granule(t);
	struct nvp_firmware_slots before;
	struct nvp_buf *image;
	struct nvp_cpl cpl;
	unsigned slot;

	if (!case_has_firmware(t) || !case_firmware_spare_slot(t, &before, &slot))
		return;
	image = nvp_t_firmware_image(t, CASE_IMAGE_BYTES, "GAP", NVP_IMAGE_GOOD);
	if (!image || !case_firmware_at_end(t, &before) ||
	    !case_firmware_download(t, image, 0, granule) ||
	    !case_firmware_download(t, image, 2 * granule, CASE_IMAGE_BYTES) ||
	    !case_firmware_commit(t, CASE_STORE, slot, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_FIRMWARE_IMAGE);
	nothing_changed(t, &before);
}

/*
 * FWU-02. The host shall not send ranges that overlap; a drive that sees it says Overlapping
 * Range, to the download or to the commit. That it has to see it is not written, so it should.
 */
static void overlaps_are_found(struct nvp_t *t)
{
	uint32_t granule = case_firmware_granule(t);
	struct nvp_firmware_slots before;
	struct nvp_buf *image;
	struct nvp_cpl cpl;
	unsigned slot;

	if (!case_has_firmware(t) || !case_firmware_spare_slot(t, &before, &slot))
		return;
	image = nvp_t_firmware_image(t, CASE_IMAGE_BYTES, "OVERLAP", NVP_IMAGE_GOOD);
	if (!image || !case_firmware_at_end(t, &before) ||
	    !case_firmware_download(t, image, 0, CASE_IMAGE_BYTES) ||
	    !case_firmware_piece(t, image, granule, granule, &cpl))
		return;
	if (nvp_cpl_ok(&cpl) && !case_firmware_commit(t, CASE_STORE, slot, &cpl))
		return;
	nvp_check_status_by(t, CASE_SHOULD, &cpl,
			    NVP_ANY({ NVP_SCT_COMMAND, 0x14 }, { NVP_SCT_COMMAND, 0x07 }));
}

/* FWU-01. Pieces that do not conform to FWUG may fail the update; a drive should say so at once. */
static void granularity_is_looked_at(struct nvp_t *t)
{
	uint32_t granule = case_firmware_granule(t);
	uint8_t fwug = nvp_t_facts(t)->ctrl.fwug;
	struct nvp_buf *buf = nvp_t_buf(t, 2 * (size_t)granule);
	const struct {
		uint32_t offset, bytes;
	} odd[] = { { 0, granule - 4 }, { 4, granule }, { granule / 2, granule / 2 } };

	if (!buf || !case_has_firmware(t))
		return;
	if (!fwug || fwug == 0xff)
		nvp_skip(t, "the drive states no granularity (FWUG %02Xh)", fwug);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct nvp_cpl cpl;

		if (!case_firmware_piece(t, buf, odd[i].offset, odd[i].bytes, &cpl))
			return;
		nvp_check_status_by(t, CASE_SHOULD, &cpl,
				    NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD },
					    { NVP_SCT_COMMAND, 0x14 }, { NVP_SCT_COMMAND, 0x07 }));
	}
	nvp_defer(t, case_reset_at_end, NULL);	/* which throws away what was taken */
}

/* FWU-04. With FRMW bit 0 slot 1 is read only. */
static void read_only_slot_is_kept(struct nvp_t *t)
{
	struct nvp_firmware_slots before;
	struct nvp_buf *image;
	struct nvp_cpl cpl;

	if (!case_has_firmware(t) || !case_firmware_log(t, &before))
		return;
	if (!(nvp_t_facts(t)->ctrl.frmw & 1))
		nvp_skip(t, "slot 1 can be written (FRMW bit 0)");
	image = nvp_t_firmware_image(t, CASE_IMAGE_BYTES, "SLOT1", NVP_IMAGE_GOOD);
	if (!image || !case_firmware_download(t, image, 0, CASE_IMAGE_BYTES) ||
	    !case_firmware_commit(t, CASE_STORE, 1, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_FIRMWARE_SLOT);
	nothing_changed(t, &before);
	nvp_defer(t, case_reset_at_end, NULL);
}

/*
 * FWU-08. A controller-level reset throws away what was downloaded: the pieces that come after it
 * do not complete the ones of before.
 */
static void reset_discards_the_download(struct nvp_t *t)
{
	struct nvp_firmware_slots before;
	struct nvp_buf *image;
	struct nvp_cpl cpl;
	unsigned slot;

	if (!case_has_firmware(t) || !case_firmware_spare_slot(t, &before, &slot))
		return;
	image = nvp_t_firmware_image(t, CASE_IMAGE_BYTES, "HALF", NVP_IMAGE_GOOD);
	if (!image || !case_firmware_at_end(t, &before) ||
	    !case_firmware_download(t, image, 0, CASE_IMAGE_BYTES / 2))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!case_firmware_download(t, image, CASE_IMAGE_BYTES / 2, CASE_IMAGE_BYTES) ||
	    !case_firmware_commit(t, CASE_STORE, slot, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_FIRMWARE_IMAGE);
	nothing_changed(t, &before);
}

#define COMMIT { "NVMe Base", "2.0", "5.12.1", NULL }

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "firmware.slots-end-at-frmw",
		.title = "A firmware slot above the number of slots is refused",
		.spec = COMMIT,
		.rows = NVP_LIST("FWU-04"),
		.impact = NVP_IMPACT_FIRMWARE,
		.catches = NVP_LIST("firmware-slot-above-accepted"),
		.run = slots_end_at_frmw,
	}, {
		NVP_CASE,
		.id = "firmware.reserved-actions-are-refused",
		.title = "Reserved values of Commit Action are refused",
		.spec = { "NVMe Base", "2.0", "5.12", "CA" },
		.rows = NVP_LIST("FWU-07"),
		.impact = NVP_IMPACT_FIRMWARE,
		.catches = NVP_LIST("firmware-reserved-action-accepted"),
		.run = reserved_actions_are_refused,
	}, {
		NVP_CASE,
		.id = "firmware.empty-slots-are-not-activated",
		.title = "A firmware slot that has no image cannot be activated",
		.spec = COMMIT,
		.rows = NVP_LIST("FWU-04"),
		.impact = NVP_IMPACT_FIRMWARE,
		.catches = NVP_LIST("firmware-empty-slot-activated"),
		.run = empty_slots_are_not_activated,
	}, {
		NVP_CASE,
		.id = "firmware.nothing-cannot-be-committed",
		.title = "Firmware Commit of a download is refused when nothing was downloaded",
		.spec = COMMIT,
		.rows = NVP_LIST("FWU-03"),
		.impact = NVP_IMPACT_FIRMWARE,
		.catches = NVP_LIST("firmware-commit-of-nothing-succeeds"),
		.run = nothing_cannot_be_committed,
	}, {
		NVP_CASE,
		.id = "firmware.garbage-is-refused",
		.title = "What is no firmware image is not committed",
		.spec = COMMIT,
		.rows = NVP_LIST("FWU-03"),
		.impact = NVP_IMPACT_FIRMWARE,
		.catches = NVP_LIST("firmware-garbage-accepted"),
		.run = garbage_is_refused,
	}, {
		NVP_CASE,
		.id = "firmware.spoilt-images-are-refused",
		.title = "An image that is damaged, of another product or prohibited is not committed",
		.spec = COMMIT,
		.rows = NVP_LIST("FWU-03", "FWU-07"),
		.impact = NVP_IMPACT_FIRMWARE | NVP_IMPACT_RESET,
		.variants = NVP_LIST("damaged", "other-product", "prohibited"),
		.catches = NVP_LIST("firmware-damaged-image-accepted",
				    "firmware-other-product-accepted",
				    "firmware-prohibited-accepted"),
		.run = spoilt_images_are_refused,
	}, {
		NVP_CASE,
		.id = "firmware.missing-pieces-are-found",
		.title = "An image with a piece missing is not committed",
		.spec = COMMIT,
		.rows = NVP_LIST("FWU-02"),
		.impact = NVP_IMPACT_FIRMWARE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("firmware-gap-accepted"),
		.run = missing_pieces_are_found,
	}, {
		NVP_CASE,
		.id = "firmware.overlaps-are-found",
		.title = "Pieces of an image whose ranges overlap give Overlapping Range",
		.spec = { "NVMe Base", "2.0", "5.13.1", "Overlapping Range" },
		.rows = NVP_LIST("FWU-02"),
		.impact = NVP_IMPACT_FIRMWARE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("firmware-overlap-accepted"),
		.run = overlaps_are_found,
	}, {
		NVP_CASE,
		.id = "firmware.granularity-is-looked-at",
		.title = "Pieces that do not conform to FWUG are refused",
		.spec = { "NVMe Base", "2.0", "5.17.2.1", "FWUG" },
		.rows = NVP_LIST("FWU-01"),
		.impact = NVP_IMPACT_FIRMWARE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("firmware-granularity-unchecked"),
		.run = granularity_is_looked_at,
	}, {
		NVP_CASE,
		.id = "firmware.read-only-slot-is-kept",
		.title = "Slot 1 takes no image when FRMW says that it is read only",
		.spec = COMMIT,
		.rows = NVP_LIST("FWU-04"),
		.impact = NVP_IMPACT_FIRMWARE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("firmware-read-only-slot-written"),
		.run = read_only_slot_is_kept,
	}, {
		NVP_CASE,
		.id = "firmware.reset-discards-the-download",
		.title = "A controller reset throws away the pieces that were downloaded",
		.spec = { "NVMe Base", "2.0", "5.13", NULL },
		.rows = NVP_LIST("FWU-08"),
		.needs = NVP_NEED_RESETS,
		.impact = NVP_IMPACT_FIRMWARE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("firmware-download-survives-reset"),
		.run = reset_discards_the_download,
	},
};

NVP_SUITE(firmware, cases);
