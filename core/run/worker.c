// SPDX-License-Identifier: GPL-2.0-or-later
// The worker: one process for one drive, which opens it and runs its cases one after the other.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/run/slot.h"

struct worker {
	struct nvp_slot *slot;		/* a copy: what is changed here the supervisor does not see */
	int fd;
	struct nvp_drive *drive;
	struct nvp_t t;
	struct nvp_t_out out;
	struct nvp_observer observer;
	uint64_t beats;
	bool in_case;
};

/* ---- to the supervisor ---- */

/* Without a supervisor there is nobody to work for. */
static void send_message(struct worker *w, const struct nvp_message *message, const char *body)
{
	int rc = nvp_wire_send(w->fd, message, body);

	if (rc == -EMSGSIZE)
		rc = nvp_wire_send(w->fd, message, NULL);
	if (rc)
		_exit(3);
}

static bool answered_go(struct worker *w)
{
	int answer = nvp_wire_wait_answer(w->fd);

	if (answer < 0)
		_exit(3);
	return answer == NVP_ANSWER_GO;
}

static uint64_t now_ns(const struct worker *w)
{
	return w->drive ? nvp_clock_now_ns(nvp_drive_clock(w->drive)) : 0;
}

_Noreturn static void leave(struct worker *w, enum nvp_msg_kind kind, const char *why)
{
	struct nvp_message message = { .kind = kind, .t_ns = now_ns(w) };

	/* The drive first: the goodbye says that nothing is left to do. */
	if (w->drive)
		nvp_drive_close(w->drive);
	w->drive = NULL;
	send_message(w, &message, why);
	_exit(0);
}

static void out_event(void *context, enum nvp_event_type type, uint64_t t_ns, const char *members,
		      bool counts_failed)
{
	struct worker *w = context;
	struct nvp_message message = {
		.kind = NVP_MSG_EVENT, .type = type, .t_ns = t_ns, .counts_failed = counts_failed,
	};

	send_message(w, &message, members);
}

/* Undos are kept in the copy of the slot, as the supervisor keeps them in its own. */
static int out_undo(void *context, uint64_t t_ns, struct nvp_undo *undo)
{
	struct worker *w = context;
	struct nvp_slot *slot = w->slot;
	struct nvp_message message = { .kind = NVP_MSG_UNDO, .t_ns = t_ns };

	if (slot->nr_undos == slot->room_undos) {
		size_t room = slot->room_undos ? slot->room_undos * 2 : 8;
		struct nvp_undo *grown = realloc(slot->undos, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		slot->undos = grown;
		slot->room_undos = room;
	}
	undo->id = ++slot->shared->next_undo_id;
	message.undo = *undo;
	send_message(w, &message, NULL);
	if (!answered_go(w))
		return -EIO;
	slot->undos[slot->nr_undos++] = *undo;
	return 0;
}

static void out_undone(void *context, uint64_t t_ns, const struct nvp_undo *undo, bool ok,
		       const char *text)
{
	struct worker *w = context;
	struct nvp_slot *slot = w->slot;
	struct nvp_message message = { .kind = NVP_MSG_UNDONE, .t_ns = t_ns, .ok = ok, .undo = *undo };

	for (size_t i = 0; ok && i < slot->nr_undos; i++) {
		if (slot->undos[i].id != undo->id)
			continue;
		memmove(&slot->undos[i], &slot->undos[i + 1],
			(slot->nr_undos - i - 1) * sizeof(slot->undos[0]));
		slot->nr_undos--;
		break;
	}
	send_message(w, &message, text);
}

static void note(struct worker *w, const char *level, const char *text)
{
	nvp_t_event_note(&w->t, level, text);
}

/* ---- from the door ---- */

static void seen_broken(void *context, enum nvp_invariant invariant, const char *site,
			const char *expected, const char *seen)
{
	struct worker *w = context;
	char text[NVP_REASON_BYTES];

	if (w->in_case) {
		nvp_t_broken_invariant(&w->t, invariant, site, expected, seen);
		return;
	}
	snprintf(text, sizeof(text), "outside of the cases, invariant %s at %s: expected %s, seen %s",
		 nvp_invariant_name(invariant), site, expected, seen);
	note(w, "warning", text);
}

static void seen_note(void *context, const char *text)
{
	note(context, "note", text);
}

static void beat(void *context)
{
	struct worker *w = context;

	atomic_store_explicit(&w->slot->shared->beats, ++w->beats, memory_order_relaxed);
}

/* ---- the boundary ---- */

/* Nothing outstanding, queues at baseline; else reset. 0 or a negative errno of the door. */
static int settle_host_side(struct worker *w, struct nvp_text *left, bool *was_reset)
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
	out_event(w, NVP_EVENT_RESET, now_ns(w), nvp_text_str(&members), false);
	nvp_text_free(&members);
	if (nvp_resets(w->drive) & 1u << NVP_RESET_CONTROLLER)
		return nvp_reset(w->drive, NVP_RESET_CONTROLLER);
	return nvp_baseline(w->drive);
}

/* What could not be given back when the case was unwound, last first. */
static int replay_open(struct worker *w, struct nvp_text *left)
{
	char text[200];

	while (w->slot->nr_undos > 0) {
		struct nvp_undo undo = w->slot->undos[w->slot->nr_undos - 1];
		int rc = nvp_undo_replay(w->drive, &undo, text, sizeof(text));

		out_undone(w, now_ns(w), &undo, !rc, rc ? text : NULL);
		if (rc) {
			nvp_left_add(left, "%s failed: %s", undo.what, text);
			return rc == -EIO ? -ENOTRECOVERABLE : rc;
		}
	}
	return 0;
}

/*
 * Back to where the next case may begin (DESIGN section 3, "Case boundary"). A case that only
 * reads cannot have changed features: the guard let no such command through.
 */
static int boundary(struct worker *w, uint32_t impact, struct nvp_text *left)
{
	bool was_reset = false;
	int rc;

	nvp_drive_set_case(w->drive, 0);
	nvp_drive_permit(w->drive, NVP_IMPACT_STATE | NVP_IMPACT_RESET);
	rc = settle_host_side(w, left, &was_reset);
	if (!rc)
		rc = replay_open(w, left);
	if (!rc && (impact || was_reset))
		rc = nvp_snapshot_restore(&w->slot->shared->snapshot, w->drive,
					  impact & ~(uint32_t)(NVP_IMPACT_STATE | NVP_IMPACT_DATA),
					  left);
	if (rc && rc != -ENOTRECOVERABLE) {
		char why[300];

		nvp_err_text(nvp_drive_err(w->drive), why, sizeof(why));
		nvp_left_add(left, "the drive did not come back: %s", why[0] ? why : strerror(-rc));
	}
	if (!rc)
		nvp_drive_free_case_memory(w->drive);
	return rc;
}

/* ---- one case ---- */

static void send_begin(struct worker *w, const struct nvp_plan_item *item, uint32_t number)
{
	struct nvp_message message = {
		.kind = NVP_MSG_CASE_BEGIN, .t_ns = now_ns(w), .number = number,
	};
	struct nvp_text members = { 0 };

	nvp_describe_case(&members, item, number);
	send_message(w, &message, nvp_text_str(&members));
	nvp_text_free(&members);
}

/* True: go on with the next case. */
static bool send_end(struct worker *w)
{
	struct nvp_message message = {
		.kind = NVP_MSG_CASE_END, .t_ns = now_ns(w), .result = w->t.result,
	};

	w->in_case = false;
	send_message(w, &message, NULL);
	return answered_go(w);
}

static void execute(struct worker *w, const struct nvp_plan_item *item, uint32_t number)
{
	uint64_t begin_ns = now_ns(w);

	nvp_drive_set_case(w->drive, number);
	nvp_drive_permit(w->drive, item->record->impact);
	item->record->run(&w->t);
	beat(w);	/* it returned */
	nvp_t_unwind(&w->t);
	w->t.result.duration_ns = now_ns(w) - begin_ns;
	nvp_t_settle_checks(&w->t);
}

/* 0 or a negative errno when the drive is not fit for another case; why says it. */
static int settle(struct worker *w, uint32_t impact, char *why, size_t bytes)
{
	struct nvp_text left = { 0 };
	int rc = boundary(w, impact, &left);

	nvp_t_settle_announced(&w->t);
	if (left.length && w->t.decided) {
		struct nvp_text text = { 0 };

		nvp_text_addf(&text, "left behind: %s", nvp_text_str(&left));
		note(w, "note", nvp_text_str(&text));
		nvp_text_free(&text);
	} else if (left.length) {
		nvp_t_decide(&w->t, NVP_BROKEN, "", "left-behind: %s", nvp_text_str(&left));
	}
	snprintf(why, bytes, "%s", nvp_text_str(&left));
	nvp_text_free(&left);
	return rc;
}

static bool run_case(struct worker *w, const struct nvp_plan_item *item, uint32_t number)
{
	const struct nvp_case *record = item->record;
	char reason[NVP_REASON_BYTES];
	bool go_on;
	int rc = 0;

	w->t.record = record;
	w->t.id = item->id;
	nvp_t_begin(&w->t);
	w->in_case = true;
	send_begin(w, item, number);
	if (nvp_case_applies(record, nvp_drive_facts(w->drive), nvp_drive_path(w->drive),
			     w->slot->allow, reason, sizeof(reason))) {
		execute(w, item, number);
		rc = settle(w, record->impact, reason, sizeof(reason));
	} else {
		nvp_t_decide(&w->t, NVP_SKIP, "", "%s", reason);
	}
	go_on = send_end(w);
	if (rc == -ENOTRECOVERABLE)
		leave(w, NVP_MSG_GIVE_UP, reason);
	if (rc)
		leave(w, go_on ? NVP_MSG_REOPEN : NVP_MSG_GOODBYE, reason);
	return go_on;
}

/* ---- life ---- */

static bool same_drive(const struct worker *w, char *why, size_t bytes)
{
	const char *was = nvp_prepared_serial(w->slot->prepared);
	const char *is = nvp_drive_facts(w->drive)->ctrl.sn;

	/* A simulated drive may be told to answer with another serial. */
	if (w->slot->simulated || !strcmp(was, is))
		return true;
	snprintf(why, bytes, "another drive answers: serial %s instead of %s", is, was);
	return false;
}

static void open_drive(struct worker *w)
{
	const struct nvp_run_request *request = w->slot->run->request;
	struct nvp_message message = { .kind = NVP_MSG_DRIVE };
	struct nvp_err err = { 0 };
	struct nvp_text members = { 0 };
	const struct nvp_facts *facts;
	char why[NVP_REASON_BYTES];

	w->drive = nvp_drive_open(w->slot->prepared, w->slot->trace,
				  request->timeout_scale ? request->timeout_scale : 1, &err);
	if (!w->drive)
		leave(w, NVP_MSG_OPEN_FAILED, nvp_err_text(&err, why, sizeof(why)));
	if (!same_drive(w, why, sizeof(why)))
		leave(w, NVP_MSG_OPEN_FAILED, why);
	w->t.rig.drive = w->drive;
	nvp_drive_observe(w->drive, &w->observer);
	beat(w);
	facts = nvp_drive_facts(w->drive);
	message.t_ns = now_ns(w);
	memcpy(message.model, facts->ctrl.mn, sizeof(message.model));
	memcpy(message.firmware, facts->ctrl.fr, sizeof(message.firmware));
	nvp_describe_drive(&members, w->slot, w->drive);
	send_message(w, &message, nvp_text_str(&members));
	nvp_text_free(&members);
}

/* Open undos of a worker that died, then the snapshot: taken, or compared and given back. */
static void recover(struct worker *w)
{
	struct nvp_snapshot *snapshot = &w->slot->shared->snapshot;
	struct nvp_text left = { 0 };
	char why[NVP_REASON_BYTES];
	int rc;

	nvp_drive_permit(w->drive, NVP_IMPACT_STATE);
	rc = replay_open(w, &left);
	if (!rc && snapshot->taken)
		rc = nvp_snapshot_restore(snapshot, w->drive, true, &left);
	else if (!rc)
		rc = nvp_snapshot_take(snapshot, w->drive);
	if (left.length) {
		snprintf(why, sizeof(why), "found when the drive was opened again: %s",
			 nvp_text_str(&left));
		note(w, "warning", why);
	}
	if (rc == -ENOTRECOVERABLE)
		leave(w, NVP_MSG_GIVE_UP, nvp_text_str(&left));
	nvp_text_free(&left);
	if (rc) {
		nvp_err_text(nvp_drive_err(w->drive), why, sizeof(why));
		leave(w, NVP_MSG_OPEN_FAILED, why[0] ? why : strerror(-rc));
	}
}

_Noreturn void nvp_worker_main(struct nvp_slot *slot, int fd)
{
	const struct nvp_run *run = slot->run;
	struct worker w = { .slot = slot, .fd = fd };

	w.beats = atomic_load_explicit(&slot->shared->beats, memory_order_relaxed);
	w.out = (struct nvp_t_out){
		.context = &w, .event = out_event, .undo = out_undo, .undone = out_undone,
	};
	w.observer = (struct nvp_observer){
		.context = &w, .broken = seen_broken, .note = seen_note, .heartbeat = beat,
	};
	w.t = (struct nvp_t){
		.out = &w.out, .trace = slot->trace, .policy = run->request->policy,
		.rig = { .seed = run->request->seed }, .id = "",
	};
	open_drive(&w);
	recover(&w);
	for (size_t i = slot->next; !slot->recovery && i < run->plan.nr; i++) {
		if (!run_case(&w, &run->plan.items[i], (uint32_t)i + 1))
			break;
	}
	leave(&w, NVP_MSG_GOODBYE, NULL);
}
