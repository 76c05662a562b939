// SPDX-License-Identifier: GPL-2.0-or-later
// Between two cases, in the worker: baseline, open undos, snapshot, and a drive that comes to none.

#include "core/run/worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *nvp_worker_door_text(const struct nvp_worker *w, int rc, char *text, size_t bytes)
{
	nvp_err_text(nvp_drive_err(w->drive), text, bytes);
	if (!text[0])
		snprintf(text, bytes, "%s", strerror(-rc));
	return text;
}

/* Take the snapshot; a drive that leaves a question without an answer is remembered without it. */
static int take_snapshot(struct nvp_worker *w)
{
	struct nvp_snapshot *snapshot = &w->slot->shared->snapshot;
	char why[300], text[400];
	int rc = nvp_snapshot_take(snapshot, w->drive);

	if (rc != -ETIMEDOUT)
		return rc;
	snprintf(text, sizeof(text), "what cases leave changed is not all known: %s",
		 nvp_worker_door_text(w, rc, why, sizeof(why)));
	nvp_worker_note(w, "warning", text);
	snapshot->taken = true;
	return nvp_baseline(w->drive);
}

/* Nothing outstanding, queues at baseline; else reset. 0 or a negative errno of the door. */
static int settle_host_side(struct nvp_worker *w, struct nvp_text *left, bool *was_reset)
{
	unsigned outstanding = nvp_drive_outstanding(w->drive);
	struct nvp_text members = { 0 };
	bool at_baseline = nvp_at_baseline(w->drive);

	if (outstanding)
		nvp_left_add(left, "%u command%s outstanding", outstanding,
			     outstanding == 1 ? "" : "s");
	else if (!at_baseline)
		nvp_left_add(left, "controller or queues not at the baseline");
	*was_reset = outstanding || !at_baseline;
	if (!*was_reset)
		return 0;
	nvp_json_string(&members, "kind", "controller");
	nvp_json_string(&members, "reason", nvp_text_str(left));
	nvp_worker_event(w, NVP_EVENT_RESET, nvp_text_str(&members));
	nvp_text_free(&members);
	if (nvp_resets(w->drive) & 1u << NVP_RESET_CONTROLLER)
		return nvp_reset(w->drive, NVP_RESET_CONTROLLER);
	return nvp_baseline(w->drive);
}

/* What could not be given back when the case was unwound, last first. */
static int replay_open(struct nvp_worker *w, struct nvp_text *left)
{
	char text[200];

	while (w->slot->nr_undos > 0) {
		struct nvp_undo undo = w->slot->undos[w->slot->nr_undos - 1];
		int rc;

		/* What the case was allowed to do may be undone in the same way. */
		if (nvp_sqe_opcode(&undo.sqe) == NVP_ADMIN_FORMAT)
			nvp_drive_permit(w->drive, NVP_IMPACT_STATE | NVP_IMPACT_RESET |
					 NVP_IMPACT_ERASE);
		rc = nvp_undo_replay(w->drive, &undo, text, sizeof(text));
		nvp_drive_permit(w->drive, NVP_IMPACT_STATE | NVP_IMPACT_RESET);
		nvp_worker_undone(w, &undo, !rc, rc ? text : NULL);
		if (rc) {
			nvp_left_add(left, "%s failed: %s", undo.what, text);
			return rc == -EPROTO ? -ENOTRECOVERABLE : rc;
		}
	}
	return 0;
}

int nvp_worker_recover(struct nvp_worker *w, char *why, size_t bytes)
{
	struct nvp_snapshot *snapshot = &w->slot->shared->snapshot;
	struct nvp_text left = { 0 };
	char text[NVP_REASON_BYTES];
	int rc = replay_open(w, &left);

	if (!rc && snapshot->taken)
		rc = nvp_snapshot_restore(snapshot, w->drive, true, &left);
	else if (!rc)
		rc = take_snapshot(w);
	if (left.length) {
		snprintf(text, sizeof(text), "found when the drive was brought back: %s",
			 nvp_text_str(&left));
		nvp_worker_note(w, "warning", text);
	}
	if (rc == -ENOTRECOVERABLE)
		snprintf(why, bytes, "%s", nvp_text_str(&left));
	else if (rc)
		nvp_worker_door_text(w, rc, why, bytes);
	nvp_text_free(&left);
	return rc;
}

/*
 * A drive that does not become ready, or refuses what the baseline needs, is still open: cases
 * that need no more than its registers can say what is wrong with it. The others have nothing to
 * stand on. Tried again after each case that did something.
 */
void nvp_worker_try_baseline(struct nvp_worker *w)
{
	char why[NVP_REASON_BYTES];
	int rc;

	nvp_drive_set_case(w->drive, 0);
	nvp_drive_permit(w->drive, NVP_IMPACT_STATE | NVP_IMPACT_RESET);
	rc = nvp_baseline(w->drive);
	if (rc)
		nvp_worker_door_text(w, rc, why, sizeof(why));
	else
		rc = nvp_worker_recover(w, why, sizeof(why));
	w->limp = rc < 0;
	if (rc)
		snprintf(w->limp_why, sizeof(w->limp_why), "%.299s", why);
	if (!nvp_drive_outstanding(w->drive))
		nvp_drive_free_case_memory(w->drive);
}

/*
 * Back to where the next case may begin (DESIGN section 3, "Case boundary"). A case that only
 * reads cannot have changed features: the guard let no such command through.
 */
static int boundary(struct nvp_worker *w, uint32_t impact, struct nvp_text *left)
{
	bool was_reset = false;
	int rc;

	nvp_drive_set_case(w->drive, 0);
	nvp_drive_permit(w->drive, NVP_IMPACT_STATE | NVP_IMPACT_RESET);
	rc = settle_host_side(w, left, &was_reset);
	if (!rc)
		rc = replay_open(w, left);
	nvp_drive_permit(w->drive, NVP_IMPACT_STATE | NVP_IMPACT_RESET |
			 (impact & NVP_IMPACT_ERASE));
	if (!rc && (impact || was_reset))
		rc = nvp_snapshot_restore(&w->slot->shared->snapshot, w->drive,
					  impact & ~(uint32_t)(NVP_IMPACT_STATE | NVP_IMPACT_DATA),
					  left);
	if (!rc && (impact & NVP_IMPACT_ERASE))
		rc = nvp_learn(w->drive);
	if (rc && rc != -ENOTRECOVERABLE) {
		char why[300];

		nvp_left_add(left, "the drive did not come back: %s",
			     nvp_worker_door_text(w, rc, why, sizeof(why)));
	}
	if (!rc)
		nvp_drive_free_case_memory(w->drive);
	return rc;
}

/* 0 or a negative errno when the drive is not fit for another case; why says it. */
int nvp_worker_settle(struct nvp_worker *w, uint32_t impact, char *why, size_t bytes)
{
	struct nvp_text left = { 0 };
	int rc = boundary(w, impact, &left);

	nvp_t_settle_announced(&w->t);
	if (left.length && w->t.decided) {
		struct nvp_text text = { 0 };

		nvp_text_addf(&text, "left behind: %s", nvp_text_str(&left));
		nvp_worker_note(w, "note", nvp_text_str(&text));
		nvp_text_free(&text);
	} else if (left.length) {
		nvp_t_decide(&w->t, NVP_BROKEN, "", "left-behind: %s", nvp_text_str(&left));
	}
	snprintf(why, bytes, "%s", nvp_text_str(&left));
	nvp_text_free(&left);
	return rc;
}

int nvp_worker_settle_again(struct nvp_worker *w, char *why, size_t bytes)
{
	struct nvp_text left = { 0 };
	int rc;

	if (!nvp_drive_outstanding(w->drive) && nvp_at_baseline(w->drive))
		return 0;
	rc = boundary(w, 0, &left);
	snprintf(why, bytes, "%s", nvp_text_str(&left));
	nvp_text_free(&left);
	return rc;
}
