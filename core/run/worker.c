// SPDX-License-Identifier: GPL-2.0-or-later
// The worker: one process for one drive, which opens it and runs its cases one after the other.

#include "core/run/worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/run/evidence.h"

/* ---- to the supervisor ---- */

/* Without a supervisor there is nobody to work for. */
static void send_message(struct nvp_worker *w, const struct nvp_message *message, const char *body)
{
	int rc = nvp_wire_send(w->fd, message, body);

	if (rc == -EMSGSIZE)
		rc = nvp_wire_send(w->fd, message, NULL);
	if (rc)
		_exit(3);
}

static bool answered_go(struct nvp_worker *w)
{
	int answer = nvp_wire_wait_answer(w->fd);

	if (answer < 0)
		_exit(3);
	return answer == NVP_ANSWER_GO;
}

uint64_t nvp_worker_now_ns(const struct nvp_worker *w)
{
	return w->drive ? nvp_clock_now_ns(nvp_drive_clock(w->drive)) : 0;
}

_Noreturn static void leave(struct nvp_worker *w, enum nvp_msg_kind kind, const char *why)
{
	struct nvp_message message = { .kind = kind, .t_ns = nvp_worker_now_ns(w) };

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
	struct nvp_worker *w = context;
	struct nvp_message message = {
		.kind = NVP_MSG_EVENT, .type = type, .t_ns = t_ns, .counts_failed = counts_failed,
	};

	send_message(w, &message, members);
}

/* Undos are kept in the copy of the slot, as the supervisor keeps them in its own. */
static int out_undo(void *context, uint64_t t_ns, struct nvp_undo *undo)
{
	struct nvp_worker *w = context;
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
	struct nvp_worker *w = context;
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

void nvp_worker_note(struct nvp_worker *w, const char *level, const char *text)
{
	nvp_t_event_note(&w->t, level, text);
}

void nvp_worker_event(struct nvp_worker *w, enum nvp_event_type type, const char *members)
{
	out_event(w, type, nvp_worker_now_ns(w), members, false);
}

void nvp_worker_undone(struct nvp_worker *w, const struct nvp_undo *undo, bool ok, const char *text)
{
	out_undone(w, nvp_worker_now_ns(w), undo, ok, text);
}

/* ---- from the door ---- */

static void seen_broken(void *context, enum nvp_invariant invariant, const char *site,
			const char *expected, const char *seen)
{
	struct nvp_worker *w = context;
	char text[NVP_REASON_BYTES];

	if (w->in_case) {
		nvp_t_broken_invariant(&w->t, invariant, site, expected, seen);
		return;
	}
	snprintf(text, sizeof(text), "outside of the cases, invariant %s at %s: expected %s, seen %s",
		 nvp_invariant_name(invariant), site, expected, seen);
	nvp_worker_note(w, "warning", text);
}

static void seen_note(void *context, const char *text)
{
	nvp_worker_note(context, "note", text);
}

static void beat(void *context)
{
	struct nvp_worker *w = context;

	atomic_store_explicit(&w->slot->shared->beats, ++w->beats, memory_order_relaxed);
}

/* ---- one case ---- */

static void send_begin(struct nvp_worker *w, const struct nvp_plan_item *item, uint32_t number)
{
	struct nvp_message message = {
		.kind = NVP_MSG_CASE_BEGIN, .t_ns = nvp_worker_now_ns(w), .number = number,
	};
	struct nvp_text members = { 0 };

	nvp_describe_case(&members, item, number);
	send_message(w, &message, nvp_text_str(&members));
	nvp_text_free(&members);
}

/* True: go on with the next case. */
static bool send_end(struct nvp_worker *w)
{
	struct nvp_message message = {
		.kind = NVP_MSG_CASE_END, .t_ns = nvp_worker_now_ns(w), .result = w->t.result,
	};

	w->in_case = false;
	send_message(w, &message, NULL);
	return answered_go(w);
}

static void execute(struct nvp_worker *w, const struct nvp_plan_item *item, uint32_t number)
{
	uint64_t begin_ns = nvp_worker_now_ns(w);

	nvp_drive_set_case(w->drive, number);
	nvp_drive_permit(w->drive, item->record->impact);
	item->record->run(&w->t);
	beat(w);	/* it returned */
	nvp_t_unwind(&w->t);
	w->t.result.duration_ns = nvp_worker_now_ns(w) - begin_ns;
	nvp_t_settle_checks(&w->t);
}

/* Of a drive that is not at its baseline little is known: not even what it lacks. */
static bool limp_fit(const struct nvp_worker *w, const struct nvp_case *record)
{
	char reason[NVP_REASON_BYTES];

	return (record->needs & NVP_NEED_REGISTERS) &&
	       nvp_case_applies(record, nvp_drive_facts(w->drive), w->t.spec_version,
				nvp_drive_path(w->drive), w->slot->allow, reason, sizeof(reason));
}

static int execute_and_settle(struct nvp_worker *w, const struct nvp_plan_item *item, uint32_t number,
			      char *why, size_t bytes)
{
	struct nvp_evidence evidence;
	int rc;

	execute(w, item, number);
	nvp_evidence_at_fail(w, item, number, &evidence);
	if (w->limp) {
		nvp_worker_try_baseline(w);
		nvp_t_settle_announced(&w->t);
		nvp_evidence_settled(w, &evidence, 0);
		if (nvp_drive_outstanding(w->drive))
			nvp_worker_try_baseline(w);
		return 0;
	}
	rc = nvp_worker_settle(w, item->record->impact, why, bytes);
	if (!evidence.logs_wait)
		return rc;
	nvp_evidence_settled(w, &evidence, rc);
	return rc ? rc : nvp_worker_settle_again(w, why, bytes);
}

static bool run_case(struct nvp_worker *w, const struct nvp_plan_item *item, uint32_t number)
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
	if (w->limp && !limp_fit(w, record)) {
		nvp_t_decide(&w->t, NVP_BROKEN, "", "the drive does not come to its baseline: %s",
			     w->limp_why);
	} else if (nvp_case_applies(record, nvp_drive_facts(w->drive), w->t.spec_version,
				    nvp_drive_path(w->drive), w->slot->allow, reason,
				    sizeof(reason))) {
		rc = execute_and_settle(w, item, number, reason, sizeof(reason));
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

static bool same_drive(const struct nvp_worker *w, char *why, size_t bytes)
{
	const char *was = nvp_prepared_serial(w->slot->prepared);
	const char *is = nvp_drive_facts(w->drive)->ctrl.sn;

	/* A simulated drive may be told to answer with another serial. */
	if (w->slot->simulated || !strcmp(was, is))
		return true;
	snprintf(why, bytes, "another drive answers: serial %s instead of %s", is, was);
	return false;
}

static void open_drive(struct nvp_worker *w)
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
	message.t_ns = nvp_worker_now_ns(w);
	memcpy(message.model, facts->ctrl.mn, sizeof(message.model));
	memcpy(message.firmware, facts->ctrl.fr, sizeof(message.firmware));
	nvp_describe_drive(&members, w->slot, w->drive);
	send_message(w, &message, nvp_text_str(&members));
	nvp_text_free(&members);
}

/* What destroys data wears. A worker that only gives back what was changed is let through. */
static void check_wear(struct nvp_worker *w)
{
	const struct nvp_slot *slot = w->slot;
	const struct nvp_run_request *request = slot->run->request;
	char why[NVP_REASON_BYTES];

	if (slot->simulated || slot->recovery || request->force || slot->nr_undos ||
	    !(slot->allow & (NVP_IMPACT_DATA | NVP_IMPACT_ERASE)) || !nvp_at_baseline(w->drive))
		return;
	nvp_drive_permit(w->drive, NVP_IMPACT_READ);
	if (nvp_safety_worn(w->drive, request->wear_limit_percent, why, sizeof(why)))
		leave(w, NVP_MSG_REFUSED, why);
}

static void recover(struct nvp_worker *w)
{
	char why[NVP_REASON_BYTES];
	int rc;

	nvp_drive_permit(w->drive, NVP_IMPACT_STATE | NVP_IMPACT_RESET);
	if (!nvp_at_baseline(w->drive)) {
		w->limp = true;
		nvp_worker_door_text(w, -EPROTO, w->limp_why, sizeof(w->limp_why));
		return;
	}
	rc = nvp_worker_recover(w, why, sizeof(why));
	if (rc)
		leave(w, rc == -ENOTRECOVERABLE ? NVP_MSG_GIVE_UP : NVP_MSG_OPEN_FAILED, why);
}

_Noreturn void nvp_worker_main(struct nvp_slot *slot, int fd)
{
	const struct nvp_run *run = slot->run;
	struct nvp_worker w = { .slot = slot, .fd = fd };

	if (run->request->campaign)
		w.campaign = *run->request->campaign;
	if (slot->relay_fd >= 0) {
		snprintf(w.relay, sizeof(w.relay), "keeper:%d", slot->relay_fd);
		w.campaign.relay = w.relay;
	}
	w.beats = atomic_load_explicit(&slot->shared->beats, memory_order_relaxed);
	w.out = (struct nvp_t_out){
		.context = &w, .event = out_event, .undo = out_undo, .undone = out_undone,
	};
	w.observer = (struct nvp_observer){
		.context = &w, .broken = seen_broken, .note = seen_note, .heartbeat = beat,
	};
	w.t = (struct nvp_t){
		.out = &w.out, .trace = slot->trace, .dir = slot->dir,
		.address = nvp_prepared_address(slot->prepared), .policy = run->request->policy,
		.spec_version = run->request->spec_version, .golden = run->golden,
		.rig = { .seed = run->request->seed,
			 .campaign = run->request->campaign ? &w.campaign : NULL,
			 .end_asked = &slot->shared->end_asked },
		.id = "",
	};
	open_drive(&w);
	check_wear(&w);
	recover(&w);
	for (size_t i = slot->next; !slot->recovery && i < run->plan.nr; i++) {
		if (!run_case(&w, &run->plan.items[i], (uint32_t)i + 1))
			break;
	}
	leave(&w, NVP_MSG_GOODBYE, NULL);
}
