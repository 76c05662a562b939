// SPDX-License-Identifier: GPL-2.0-or-later
// Firmware Commit of good images: which slot gets it, what runs after which reset, and the log.

#include "cases/firmware.h"
#include "cases/sanitize.h"

/* A firmware log and Identify have to say this: active slot, next slot, revision that runs. */
static bool check_state(struct nvp_t *t, const char *when, unsigned active, unsigned next,
			const char *running)
{
	struct nvp_firmware_slots now;
	char revision[9];

	if (!case_firmware_log(t, &now) || !case_firmware_revision(t, revision))
		return false;
	nvp_check(t, now.active_slot == active, "%s: the active slot is %u, not %u", when,
		  now.active_slot, active);
	nvp_check(t, now.next_slot == next, "%s: the next slot is %u, not %u", when, now.next_slot,
		  next);
	nvp_check(t, !strcmp(revision, running), "%s: \"%s\" runs, not \"%s\"", when, revision,
		  running);
	return true;
}

/* The log has this revision in this slot, and all others as they were. */
static bool check_slots(struct nvp_t *t, const struct nvp_firmware_slots *before, unsigned slot,
			const char *revision)
{
	struct nvp_firmware_slots now;

	if (!case_firmware_log(t, &now))
		return false;
	nvp_check(t, !strcmp(now.revision[slot - 1], revision), "slot %u has \"%s\", not \"%s\"",
		  slot, now.revision[slot - 1], revision);
	for (unsigned i = 0; i < 7; i++)
		nvp_check(t, i == slot - 1 || !strcmp(now.revision[i], before->revision[i]),
			  "slot %u had \"%s\", now it has \"%s\"", i + 1, before->revision[i],
			  now.revision[i]);
	return true;
}

/*
 * What each case here begins with: the slots, the revision that runs, a slot to write, an image
 * with another revision than any slot has, and the way back.
 */
struct update {
	struct nvp_firmware_slots before;
	unsigned slot;
	char old[9], new[9];
	struct nvp_buf *image;
};

static bool begin(struct nvp_t *t, enum nvp_image kind, struct update *u)
{
	if (!case_has_firmware(t) || !case_firmware_spare_slot(t, &u->before, &u->slot) ||
	    !case_firmware_revision(t, u->old))
		return false;
	memcpy(u->new, "NEW-A", 6);
	for (unsigned i = 0; i < 7; i++)
		if (!strcmp(u->before.revision[i], u->new))
			memcpy(u->new, "NEW-B", 6);
	u->image = nvp_t_firmware_image(t, CASE_IMAGE_BYTES, u->new, kind);
	return u->image && case_firmware_at_end(t, &u->before);
}

/*
 * FWU-05, FWU-09. Commit Action 001b: the image is in its slot at once, runs after the next
 * controller reset and not before it, and the log says so at each step.
 */
static void reset_activates(struct nvp_t *t)
{
	struct update u;

	if (!begin(t, NVP_IMAGE_NEEDS_RESET, &u) ||
	    !case_firmware_store(t, u.image, CASE_STORE_ACTIVATE, u.slot) ||
	    !check_state(t, "after the commit", u.before.active_slot, u.slot, u.old) ||
	    !check_slots(t, &u.before, u.slot, u.new))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!check_state(t, "after the reset", u.slot, 0, u.new))
		return;
	check_slots(t, &u.before, u.slot, u.new);
}

/* FWU-05. Commit Action 010b: an image that is in a slot already runs after the next reset. */
static void stored_images_are_activated(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	struct update u;

	if (!begin(t, NVP_IMAGE_GOOD, &u) ||
	    !case_firmware_store(t, u.image, CASE_STORE, u.slot) ||
	    !case_firmware_commit(t, CASE_ACTIVATE, u.slot, &cpl))
		return;
	nvp_require_ok(t, &cpl);
	if (!check_state(t, "after the commit", u.before.active_slot, u.slot, u.old))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	check_state(t, "after the reset", u.slot, 0, u.new);
}

/* FWU-09. Commit Action 000b puts the image into its slot and activates nothing. */
static void storing_does_not_activate(struct nvp_t *t)
{
	struct update u;

	if (!begin(t, NVP_IMAGE_GOOD, &u) ||
	    !case_firmware_store(t, u.image, CASE_STORE, u.slot) ||
	    !check_state(t, "after the commit", u.before.active_slot, u.before.next_slot, u.old) ||
	    !check_slots(t, &u.before, u.slot, u.new))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	check_state(t, "after a reset", u.before.active_slot, 0, u.old);
}

/*
 * FWU-06. Commit Action 011b: the image runs when the command has completed, with no reset. How
 * long it took is a measure; MTFA is what the drive states.
 */
static void activation_needs_no_reset(struct nvp_t *t)
{
	uint16_t mtfa = nvp_t_facts(t)->ctrl.mtfa_100ms;
	struct nvp_cpl cpl;
	struct update u;

	if (!case_has_firmware(t))
		return;
	if (!(nvp_t_facts(t)->ctrl.frmw & 1 << 4))
		nvp_skip(t, "the drive cannot activate without a reset (FRMW bit 4)");
	if (!begin(t, NVP_IMAGE_GOOD, &u) ||
	    !case_firmware_download(t, u.image, 0, CASE_IMAGE_BYTES) ||
	    !case_firmware_commit(t, CASE_ACTIVATE_NOW, u.slot, &cpl))
		return;
	nvp_check_ok(t, &cpl);
	nvp_measure(t, "activation", (double)cpl.latency_ns / 1e6, "ms");
	if (mtfa && cpl.latency_ns > mtfa * 100 * NVP_NS_PER_MS)
		nvp_warn(t, "activation took longer than MTFA, %u ms", mtfa * 100);
	if (!check_state(t, "after the commit", u.slot, 0, u.new))
		return;
	check_slots(t, &u.before, u.slot, u.new);
}

/* Firmware Commit while event requests wait on the admin queue, whose completion may come first. */
static bool commit_beside_events(struct nvp_t *t, enum case_commit action, unsigned slot,
				 struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = nvp_build_firmware_commit((uint8_t)action, (uint8_t)slot, false);
	struct nvp_sq *sq = nvp_admin_sq(nvp_t_drive(t));
	uint16_t cid;

	return CASE_TRAVELS(t, nvp_submit(sq, &cmd, &cid)) &&
	       CASE_TRAVELS(t, nvp_ring_tail(sq)) &&
	       CASE_TRAVELS(t, nvp_wait_cid(sq, cid, cpl));
}

/* AER-08. With Firmware Activation Notices on, the event comes: type 2, information 01h, log 03h. */
static void activation_is_announced(struct nvp_t *t)
{
	const struct nvp_id_ctrl *ctrl = &nvp_t_facts(t)->ctrl;
	struct nvp_async_event event;
	struct nvp_cpl cpl;
	struct update u;
	uint32_t aec;
	bool came = false;

	if (!case_has_firmware(t))
		return;
	if (!(ctrl->frmw & 1 << 4) || !(ctrl->oaes & 1 << 9))
		nvp_skip(t, "the drive does not announce an activation (FRMW bit 4, OAES bit 9)");
	if (!begin(t, NVP_IMAGE_GOOD, &u) || !case_feature_value(t, 0x0b, 0, &aec) ||
	    !nvp_change_feature(t, 0x0b, 0, aec | 1u << 9, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
	    !case_firmware_download(t, u.image, 0, CASE_IMAGE_BYTES))
		return;
	nvp_defer(t, case_reset_at_end, NULL);
	if (!case_post_event_request(t))
		return;
	if (!commit_beside_events(t, CASE_ACTIVATE_NOW, u.slot, &cpl))
		return;
	nvp_require_ok(t, &cpl);
	if (!case_next_event(t, nvp_drive_budget_ns(nvp_t_drive(t), NVP_TIME_ADMIN), &came, &cpl))
		return;
	nvp_require(t, came, "no event came");
	event = nvp_decode_async_event(cpl.dw0);
	nvp_check(t, event.type == 2 && event.info == 1 && event.lid == 3,
		  "Dword 0 is %08Xh: type %u, information %02Xh, log %02Xh", cpl.dw0, event.type,
		  event.info, event.lid);
}

/*
 * FWU-05. An image that needs a reset of the subsystem is committed with that status, and a
 * controller reset does not activate it.
 */
static void kind_of_reset_is_obeyed(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	struct update u;

	if (!begin(t, NVP_IMAGE_NEEDS_SUBSYSTEM_RESET, &u) ||
	    !case_firmware_download(t, u.image, 0, CASE_IMAGE_BYTES) ||
	    !case_firmware_commit(t, CASE_STORE_ACTIVATE, u.slot, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, 0x10 }));
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!check_state(t, "after a controller reset", u.before.active_slot, u.slot, u.old) ||
	    !(nvp_resets(nvp_t_drive(t)) >> NVP_RESET_SUBSYSTEM & 1))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_SUBSYSTEM));
	check_state(t, "after a subsystem reset", u.slot, 0, u.new);
}

/*
 * Commit Action 011b of an image that needs a reset: Firmware Activation Requires Controller Level
 * Reset, and that reset activates it.
 */
static void activation_waits_for_its_reset(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	struct update u;

	if (!case_has_firmware(t))
		return;
	if (!(nvp_t_facts(t)->ctrl.frmw & 1 << 4))
		nvp_skip(t, "the drive cannot activate without a reset (FRMW bit 4)");
	if (!begin(t, NVP_IMAGE_NEEDS_RESET, &u) ||
	    !case_firmware_download(t, u.image, 0, CASE_IMAGE_BYTES) ||
	    !case_firmware_commit(t, CASE_ACTIVATE_NOW, u.slot, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, 0x11 }));
	if (!check_state(t, "after the commit", u.before.active_slot, u.slot, u.old))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	check_state(t, "after the reset", u.slot, 0, u.new);
}

#define NEEDS (NVP_NEED_RESETS)
#define IMPACT (NVP_IMPACT_FIRMWARE | NVP_IMPACT_RESET | NVP_IMPACT_STATE)

/*
 * SAN-07. While an image waits for the reset that activates it no sanitize begins; which reset it
 * waits for is told by the status.
 */
static void waiting_image_keeps_sanitize_out(struct nvp_t *t)
{
	struct nvp_cmd sanitize = sanitize_any(t, false);
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_cpl cpl;
	struct update u;

	if (!buf || !begin(t, NVP_IMAGE_NEEDS_RESET, &u) ||
	    !case_firmware_store(t, u.image, CASE_STORE_ACTIVATE, u.slot))
		return;
	nvp_defer(t, sanitize_settle, buf);
	nvp_admin(t, &sanitize, &cpl);
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, 0x0b }, { NVP_SCT_COMMAND, 0x10 },
					  { NVP_SCT_COMMAND, 0x11 }));
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "firmware.reset-activates",
		.title = "An image committed for the next reset runs after it, and not before",
		.spec = { "NVMe Base", "2.0", "5.12", "CA" },
		.rows = NVP_LIST("FWU-05", "FWU-09"),
		.needs = NEEDS,
		.impact = IMPACT,
		.catches = NVP_LIST("firmware-never-activated", "firmware-activated-too-early",
				    "firmware-revision-stale", "firmware-next-slot-missing",
				    "firmware-other-slot-lost", "firmware-wrong-slot-written"),
		.run = reset_activates,
	}, {
		NVP_CASE,
		.id = "firmware.stored-images-are-activated",
		.title = "An image that is in a slot already can be activated by a reset",
		.spec = { "NVMe Base", "2.0", "5.12", "CA" },
		.rows = NVP_LIST("FWU-05"),
		.needs = NEEDS,
		.impact = IMPACT,
		.catches = NVP_LIST("firmware-never-activated", "firmware-revision-stale",
				    "firmware-activation-refused"),
		.run = stored_images_are_activated,
	}, {
		NVP_CASE,
		.id = "firmware.storing-does-not-activate",
		.title = "An image that is only stored does not run after a reset",
		.spec = { "NVMe Base", "2.0", "5.12", "CA" },
		.rows = NVP_LIST("FWU-09"),
		.needs = NEEDS,
		.impact = IMPACT,
		.catches = NVP_LIST("firmware-store-activates"),
		.run = storing_does_not_activate,
	}, {
		NVP_CASE,
		.id = "firmware.activation-needs-no-reset",
		.title = "Commit Action 011b activates the image without a reset",
		.spec = { "NVMe Base", "2.0", "5.12", "CA" },
		.rows = NVP_LIST("FWU-06"),
		.needs = NEEDS,
		.impact = IMPACT,
		.catches = NVP_LIST("firmware-revision-stale", "firmware-wrong-slot-written",
				    "firmware-immediate-activation-refused"),
		.run = activation_needs_no_reset,
	}, {
		NVP_CASE,
		.id = "firmware.activation-is-announced",
		.title = "Activation without a reset raises Firmware Activation Starting",
		.spec = { "NVMe Base", "2.0", "5.2.1", "Firmware Activation Starting" },
		.rows = NVP_LIST("AER-08", "FWU-06"),
		.needs = NEEDS | NVP_NEED_QUEUES,
		.impact = IMPACT,
		.catches = NVP_LIST("firmware-activation-event-missing",
				    "firmware-activation-event-wrong", "event-log-page-wrong",
				    "firmware-immediate-activation-refused"),
		.run = activation_is_announced,
	}, {
		NVP_CASE,
		.id = "firmware.kind-of-reset-is-obeyed",
		.title = "An image that needs a reset of the subsystem is activated by no less",
		.spec = { "NVMe Base", "2.0", "5.12.1", NULL },
		.rows = NVP_LIST("FWU-05"),
		.needs = NEEDS,
		.impact = IMPACT,
		.catches = NVP_LIST("firmware-reset-kind-ignored",
				    "firmware-needed-reset-not-named"),
		.run = kind_of_reset_is_obeyed,
	}, {
		NVP_CASE,
		.id = "firmware.activation-waits-for-its-reset",
		.title = "Immediate activation of an image that needs a reset says so, and the reset "
			 "activates it",
		.spec = { "NVMe Base", "2.0", "5.12.1", NULL },
		.rows = NVP_LIST("FWU-05", "FWU-06"),
		.needs = NEEDS,
		.impact = IMPACT,
		.catches = NVP_LIST("firmware-never-activated", "firmware-needed-reset-not-named"),
		.run = activation_waits_for_its_reset,
	}, {
		NVP_CASE,
		.id = "firmware.waiting-image-keeps-sanitize-out",
		.title = "No sanitize begins while firmware waits for the reset that activates it",
		.spec = { "NVMe Base", "2.0", "5.24", "Firmware Activation Requires Reset" },
		.rows = NVP_LIST("SAN-07"),
		.needs = SANITIZE_NEEDS,
		.impact = NVP_IMPACT_FIRMWARE | NVP_IMPACT_ERASE | NVP_IMPACT_RESET,
		.time_class = NVP_TIME_SANITIZE,
		.catches = NVP_LIST("sanitize-before-activation-accepted"),
		.run = waiting_image_keeps_sanitize_out,
	},
};

NVP_SUITE(firmware_activation, cases);
