// SPDX-License-Identifier: GPL-2.0-or-later
// Firmware under a cut: commits of what runs; where an image is known, its download and commits.

#include "power/admin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/firmware_image.h"
#include "core/base/rand.h"

#define LOG_FIRMWARE	0x03
#define IMAGE_BYTES	65536u
#define PAGE_BYTES	4096u
#define SC_NEEDS_CONVENTIONAL 0x0b /* of a commit: the image is in its slot and waits */
#define SC_OVERLAP	0x14
#define SC_NEEDS_SUBSYSTEM 0x10
#define SC_NEEDS_CONTROLLER 0x11

/* What the phase is about in turn; the last three where an image and a slot for it are known. */
enum { COMMIT_RUNNING = 0, DOWNLOAD, STORE, STORE_AND_ACTIVATE, NR_VARIANTS };
_Static_assert(NR_VARIANTS <= NVP_CUT_VARIANTS, "a cut names each");

/* Commit Action (Base 2.0, 5.12) */
enum { CA_STORE = 0, CA_STORE_ACTIVATE = 1, CA_ACTIVATE = 2 };

static int slots(struct nvp_camp *c, struct nvp_firmware_slots *log)
{
	int rc = nvp_camp_get_log(c, LOG_FIRMWARE);

	if (!rc)
		rc = nvp_decode_firmware_slots(nvp_buf_data(c->page), NVP_CAMP_LOG_BYTES, log);
	return rc ? nvp_camp_door(c, rc, "the Firmware Slot Information log") : 0;
}

static int exec(struct nvp_camp *c, struct nvp_cmd cmd, struct nvp_status *status)
{
	struct nvp_cpl cpl;
	int rc = nvp_exec_admin(c->drive, &cmd, &cpl);

	if (rc)
		return nvp_camp_door(c, rc, "a firmware command");
	*status = cpl.status;
	return 0;
}

/* ---- what there is ---- */

/* A slot that is not in use and can be written; an image is known for simulated drives alone. */
void nvp_camp_firmware_look(struct nvp_camp *c)
{
	const struct nvp_id_ctrl *ctrl = &nvp_drive_facts(c->drive)->ctrl;
	unsigned nr = ctrl->frmw >> 1 & 7, first = ctrl->frmw & 1 ? 2 : 1;
	uint8_t fwug = ctrl->fwug == 0xff ? 0 : ctrl->fwug;
	struct nvp_camp_firmware *fw = &c->firmware;

	fw->slot = 0;
	fw->piece_bytes = fwug ? fwug * PAGE_BYTES : PAGE_BYTES;
	if (!(nvp_drive_path(c->drive) & NVP_PATH_SIMULATED) || slots(c, &fw->before))
		return;
	for (unsigned slot = nr; slot >= first; slot--)
		if (slot != fw->before.active_slot)
			fw->slot = (uint8_t)slot;
	if (fw->slot && !fw->image)
		fw->image = nvp_buf_new(c->drive, IMAGE_BYTES);
	if (!fw->image)
		fw->slot = 0;
}

unsigned nvp_camp_firmware_variants(const struct nvp_camp *c)
{
	return c->firmware.slot ? NR_VARIANTS : 1;
}

/* ---- before the cut ---- */

static struct nvp_cmd piece(const struct nvp_camp *c, uint32_t number)
{
	const struct nvp_camp_firmware *fw = &c->firmware;
	uint32_t at = number * fw->piece_bytes;
	uint32_t bytes = (uint32_t)nvp_min_u64(fw->piece_bytes, IMAGE_BYTES - at);
	struct nvp_cmd cmd = nvp_build_firmware_download(bytes, at);

	cmd.data = fw->image;
	cmd.data_offset = at;
	return cmd;
}

static uint32_t nr_pieces(const struct nvp_camp *c)
{
	return (IMAGE_BYTES + c->firmware.piece_bytes - 1) / c->firmware.piece_bytes;
}

/* Pieces of one image each: a new revision for each cycle, so that it is known which is there. */
static int download(struct nvp_camp *c, uint32_t nr)
{
	struct nvp_camp_firmware *fw = &c->firmware;
	struct nvp_status status;

	snprintf(fw->new, sizeof(fw->new), "PL%05u", c->cycle % 100000u);
	nvp_firmware_image_make(nvp_buf_data(fw->image), IMAGE_BYTES, fw->new,
				NVP_FIRMWARE_NEEDS_CONTROLLER_RESET,
				nvp_rand(c->seed, "firmware", c->cycle, 0));
	for (uint32_t i = 0; i < nr; i++) {
		int rc = exec(c, piece(c, i), &status);

		if (rc)
			return rc;
		if (status.sct == NVP_SCT_COMMAND && status.sc == SC_OVERLAP)
			nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.13"),
					      "a piece of an image overlaps one that was downloaded "
					      "before a cut");
		if (status.sct || status.sc)
			return nvp_err_set(c->err, NVP_ERR_BROKEN, -EPROTO,
					   "cycle %u: a piece of firmware is refused with %u/%02xh",
					   c->cycle, status.sct, status.sc);
	}
	return 0;
}

int nvp_camp_firmware_prepare(struct nvp_camp *c)
{
	struct nvp_camp_firmware *fw = &c->firmware;
	int rc = slots(c, &fw->before);

	if (rc)
		return rc;
	switch (c->plan.cut.variant) {
	case DOWNLOAD:
		fw->nr_pieces = 1 + (uint32_t)nvp_rand_below(c->seed, "pieces", c->cycle, 0,
							     nr_pieces(c) - 1);
		rc = download(c, fw->nr_pieces);
		if (fw->nr_pieces == nr_pieces(c))
			fw->nr_pieces--;
		c->admin_cmd = piece(c, fw->nr_pieces);
		return rc;
	case STORE:
	case STORE_AND_ACTIVATE:
		c->admin_cmd = nvp_build_firmware_commit(
			c->plan.cut.variant == STORE ? CA_STORE : CA_STORE_ACTIVATE, fw->slot, false);
		return download(c, nr_pieces(c));
	default:
		c->admin_cmd = nvp_build_firmware_commit(
			CA_ACTIVATE, fw->before.active_slot ? fw->before.active_slot : 1, false);
		return 0;
	}
}

bool nvp_camp_firmware_taken(const struct nvp_camp *c, const struct nvp_status *status)
{
	return c->plan.work.phase == NVP_PHASE_FIRMWARE && status->sct == NVP_SCT_COMMAND &&
	       (status->sc == SC_NEEDS_CONVENTIONAL || status->sc == SC_NEEDS_SUBSYSTEM ||
		status->sc == SC_NEEDS_CONTROLLER);
}

/* ---- afterwards ---- */

bool nvp_camp_firmware_may_run(const struct nvp_camp *c, const char *revision)
{
	return c->plan.work.phase == NVP_PHASE_FIRMWARE && c->record.of_admin &&
	       c->plan.cut.variant == STORE_AND_ACTIVATE && !strcmp(revision, c->firmware.new);
}

/* The active slot holds the revision that Identify gives (Base 2.0, 5.16.1.4). */
static void check_active(struct nvp_camp *c, const struct nvp_firmware_slots *now)
{
	const char *fr = nvp_drive_facts(c->drive)->ctrl.fr;
	unsigned active = now->active_slot;

	if (strchr(fr, '?')) /* not to be compared: it holds what is no printable character */
		return;
	if (!active || strcmp(now->revision[active - 1], fr))
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.16.1.4"),
				      "the slot that is active after a cut while firmware was "
				      "committed does not hold the revision that runs");
}

/*
 * The slot that was written: the old image or the new one, and the new one once that was
 * acknowledged (5.12, CA). That it is empty, since the old one had to go first, is no wish of ours.
 */
static void check_written(struct nvp_camp *c, const char *was, const char *is)
{
	unsigned slot = c->firmware.slot;

	if (!strcmp(is, c->firmware.new))
		return;
	if (c->admin_acked)
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.12"),
				      "firmware slot %u holds \"%s\" after a cut, and the commit of "
				      "\"%s\" was acknowledged", slot, is, c->firmware.new);
	else if (!is[0] && was[0])
		nvp_camp_admin_unwise(c, NVP_CLASS_METADATA,
				      "firmware slot %u is empty after a cut while \"%s\" was to "
				      "replace \"%s\"", slot, c->firmware.new, was);
	else if (strcmp(is, was))
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.12"),
				      "firmware slot %u holds \"%s\" after a cut while \"%s\" was to "
				      "replace \"%s\"", slot, is, c->firmware.new, was);
}

static void check_slots(struct nvp_camp *c, const struct nvp_firmware_slots *now)
{
	bool commits = c->plan.cut.variant >= STORE && !c->admin_refused;

	for (unsigned i = 0; i < NVP_ARRAY_SIZE(now->revision); i++) {
		const char *was = c->firmware.before.revision[i], *is = now->revision[i];

		if (commits && i + 1 == c->firmware.slot)
			check_written(c, was, is);
		else if (strcmp(was, is))
			nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.12"),
					      "firmware slot %u holds \"%s\" after a cut while %s, it "
					      "held \"%s\"", i + 1, is,
					      c->plan.cut.variant == DOWNLOAD ?
					      "pieces of an image were downloaded" :
					      "another one was written", was);
	}
}

static int reset(struct nvp_camp *c)
{
	int rc = nvp_reset(c->drive, NVP_RESET_CONTROLLER);

	if (!rc)
		rc = nvp_baseline(c->drive);
	return rc ? nvp_camp_door(c, rc, "a reset after firmware commands") : 0;
}

/*
 * A controller level reset discards what was downloaded (5.13), and so does the loss of power: with
 * the other pieces it is no image. What is here now goes with a reset.
 */
static int check_forgotten(struct nvp_camp *c)
{
	struct nvp_status status = { 0 };
	int rc = 0;

	for (uint32_t i = c->firmware.nr_pieces; !rc && i < nr_pieces(c); i++)
		rc = exec(c, piece(c, i), &status); /* the first of them may be there already */
	if (!rc)
		rc = exec(c, nvp_build_firmware_commit(CA_STORE, c->firmware.slot, false), &status);
	if (rc)
		return rc;
	if (!status.sct && !status.sc)
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.13"),
				      "the pieces of an image that were downloaded before a cut are "
				      "there after it: with the others it can be committed");
	return reset(c);
}

/* The image that ran before runs again; nothing waits for the next cut. */
static int give_back(struct nvp_camp *c, const struct nvp_firmware_slots *now)
{
	const struct nvp_firmware_slots *before = &c->firmware.before;
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);
	bool is_new = strcmp(facts->ctrl.fr, c->identity.fr);
	struct nvp_status status;
	int rc;

	if (c->admin_acked && !is_new)
		nvp_camp_admin_unwise(c, NVP_CLASS_METADATA,
				      "the commit of an image to be activated was acknowledged, and "
				      "after a loss of power the old one runs");
	if (!is_new && !now->next_slot)
		return 0;
	rc = exec(c, nvp_build_firmware_commit(CA_ACTIVATE, before->active_slot, false), &status);
	if (!rc)
		rc = reset(c);
	if (!rc && strcmp(facts->ctrl.fr, c->identity.fr)) {
		rc = nvp_camp_power_cycle(c);
		if (!rc)
			rc = nvp_camp_counters_take(c, &c->counters);
	}
	if (!rc && strcmp(facts->ctrl.fr, c->identity.fr))
		rc = nvp_err_set(c->err, NVP_ERR_BROKEN, -EPROTO,
				 "cycle %u: firmware %s runs, and slot %u with %s cannot be made "
				 "active again", c->cycle, facts->ctrl.fr, before->active_slot,
				 c->identity.fr);
	return rc;
}

int nvp_camp_after_firmware(struct nvp_camp *c)
{
	struct nvp_firmware_slots now;
	int rc = slots(c, &now);

	if (rc)
		return rc;
	check_active(c, &now);
	check_slots(c, &now);
	if (c->plan.cut.variant == DOWNLOAD)
		return check_forgotten(c);
	return c->plan.cut.variant == STORE_AND_ACTIVATE ? give_back(c, &now) : 0;
}
