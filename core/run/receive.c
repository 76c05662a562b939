// SPDX-License-Identifier: GPL-2.0-or-later
// What the supervisor does with the messages of a worker: events, verdicts, undos.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/klog.h"
#include "core/run/slot.h"

/* ---- events ---- */

static const char *running_id(const struct nvp_slot *slot)
{
	return slot->in_case ? slot->run->plan.items[slot->number - 1].id : NULL;
}

static void tell_sink(struct nvp_slot *slot)
{
	const struct nvp_run_sink *sink = slot->run->sink;

	if (sink && sink->event)
		sink->event(sink->context, slot->position, slot->dir, slot->log.line.text);
}

void nvp_slot_event(struct nvp_slot *slot, enum nvp_event_type type, uint64_t t_ns,
		    const char *members)
{
	bool was_good = !slot->log.error;

	if (t_ns)
		slot->last_t_ns = t_ns;
	if (!nvp_log_add(&slot->log, type, t_ns, nvp_prepared_serial(slot->prepared),
			 running_id(slot), members)) {
		tell_sink(slot);
		return;
	}
	slot->stop = true;
	if (was_good) {
		snprintf(slot->why, sizeof(slot->why), "write %.400s/events.jsonl: %s",
			 slot->dir, strerror(-slot->log.error));
		nvp_err_set(slot->run->err, NVP_ERR_BROKEN, slot->log.error,
			    "write %.150s/events.jsonl: %s", slot->dir,
			    strerror(-slot->log.error));
	}
}

void nvp_slot_tell(struct nvp_slot *slot, const char *text)
{
	struct nvp_text members = { 0 };

	nvp_json_string(&members, "level", "note");
	nvp_json_string(&members, "text", text);
	nvp_json_bool(&members, "now", true);
	nvp_slot_event(slot, NVP_EVENT_NOTE, slot->last_t_ns, nvp_text_str(&members));
	nvp_text_free(&members);
}

void nvp_slot_note(struct nvp_slot *slot, const char *level, const char *format, ...)
{
	struct nvp_text members = { 0 }, text = { 0 };
	va_list args;

	va_start(args, format);
	nvp_text_addv(&text, format, args);
	va_end(args);
	nvp_json_string(&members, "level", level);
	nvp_json_string(&members, "text", nvp_text_str(&text));
	nvp_slot_event(slot, NVP_EVENT_NOTE, slot->last_t_ns, nvp_text_str(&members));
	nvp_text_free(&members);
	nvp_text_free(&text);
}

/* ---- the end of a case ---- */

/* The waiver that covers this fail, or NULL; notes for the end what waivers met. */
static const struct nvp_waiver *use_waivers(struct nvp_slot *slot, const char *id,
					    enum nvp_verdict verdict)
{
	const struct nvp_run *run = slot->run;
	const struct nvp_waiver_drive drive = {
		.model = slot->model, .firmware = slot->firmware, .path = slot->path,
		.today = run->today,
	};
	const struct nvp_waiver *covers = NULL;

	if (verdict != NVP_FAIL && verdict != NVP_PASS)
		return NULL;
	for (size_t i = 0; i < run->waivers.nr; i++) {
		const struct nvp_waiver *w = &run->waivers.list[i];
		enum nvp_waiver_match match = nvp_waiver_match(w, id, &drive);
		struct nvp_waiver_use *use = &slot->waiver_use[i];

		use->expired = use->expired || match == NVP_WAIVER_EXPIRED;
		use->firmware_changed = use->firmware_changed ||
					match == NVP_WAIVER_FIRMWARE_CHANGED;
		if (match != NVP_WAIVER_COUNTS)
			continue;
		if (verdict == NVP_PASS) {
			use->passed = true;
		} else {
			use->waived = true;
			covers = covers ? covers : w;
		}
	}
	return covers;
}

static void count(struct nvp_slot *slot, const struct nvp_case_result *result, bool waived)
{
	if (waived)
		slot->counts.waived++;
	else
		slot->counts.verdict[result->verdict]++;
	if (result->verdict == NVP_PASS && result->warnings)
		slot->counts.warned++;
}

/* What the rounds of a case say together; called once for each of them. */
static void add_rounds(struct nvp_text *members, struct nvp_slot *slot,
		       const struct nvp_case_result *result)
{
	const struct nvp_plan_item *item = &slot->run->plan.items[slot->number - 1];

	if (item->rounds < 2)
		return;
	if (item->round == 1)
		slot->rounds_passed = slot->rounds_wrong = 0;
	slot->rounds_passed += result->verdict == NVP_PASS;
	slot->rounds_wrong += result->verdict == NVP_FAIL || result->verdict == NVP_BROKEN;
	nvp_json_u64(members, "rounds_passed", slot->rounds_passed);
	nvp_json_bool(members, "flaky", slot->rounds_passed && slot->rounds_wrong);
}

/*
 * A controller that was reset or taken off while the kernel's driver has it has lost what the case
 * had made of it: what was seen then is not held against the drive.
 */
static void spoilt_by_reset(struct nvp_case_result *result, const char *line)
{
	char was[sizeof(result->reason)];

	snprintf(was, sizeof(was), "%s", result->reason);
	result->verdict = NVP_BROKEN;
	snprintf(result->reason, sizeof(result->reason),
		 "the controller was reset meanwhile, by the kernel or somebody (%.120s): %.300s",
		 line, was);
}

/*
 * What the kernel said while the case ran: of each case on a real drive, where trouble of the
 * kernel is a warning; on a simulated one for the first of its rounds that fails or is broken.
 * There is one event whether it said something or not: two runs of one seed are equal.
 */
static void tell_klog(struct nvp_slot *slot, struct nvp_case_result *result, uint64_t t_ns)
{
	const struct nvp_plan_item *item = &slot->run->plan.items[slot->number - 1];
	uint32_t first = slot->number - (item->round ? item->round - 1 : 0);
	bool wrong = result->verdict == NVP_FAIL || result->verdict == NVP_BROKEN;
	struct nvp_text members = { 0 };
	struct nvp_klog_alarm alarm;

	if (slot->simulated && (!wrong || slot->klog_of == first))
		return;
	slot->klog_of = first;
	nvp_klog_take(slot->klog_fd, nvp_prepared_controller(slot->prepared), &members, &alarm);
	nvp_slot_event(slot, NVP_EVENT_KLOG, t_ns, nvp_text_str(&members));
	nvp_text_free(&members);
	if (alarm.reset[0] && wrong)
		spoilt_by_reset(result, alarm.reset);
	if (slot->simulated || !alarm.nr)
		return;
	nvp_slot_note(slot, "warning", "the kernel is in trouble, %u line%s of its log: %s", alarm.nr,
		      alarm.nr > 1 ? "s" : "", alarm.first);
	result->warnings++;
}

/* With several rounds of a case, for the first of them that fails. */
static void call_on_fail(struct nvp_slot *slot)
{
	const struct nvp_plan_item *item = &slot->run->plan.items[slot->number - 1];
	uint32_t first = slot->number - (item->round ? item->round - 1 : 0);

	if (!slot->run->request->on_fail || slot->on_fail_of == first)
		return;
	slot->on_fail_of = first;
	nvp_on_fail(slot, item->id);
}

void nvp_slot_case_end(struct nvp_slot *slot, struct nvp_case_result *result, uint64_t t_ns)
{
	const struct nvp_waiver *waiver;
	struct nvp_text members = { 0 };
	bool good;

	if (result->verdict >= NVP_NR_VERDICTS)
		result->verdict = NVP_BROKEN;
	if (result->verdict == NVP_FAIL || result->verdict == NVP_BROKEN) {
		/* whoever ended it knows why */
		if (result->checks_failed || !slot->shared->end_asked)
			nvp_trace_out_tell(slot, slot->number);
	}
	tell_klog(slot, result, t_ns);
	waiver = use_waivers(slot, running_id(slot), result->verdict);
	nvp_json_string(&members, "verdict", nvp_verdict_name(result->verdict));
	nvp_json_string(&members, "reason", result->reason);
	if (result->site[0])
		nvp_json_string(&members, "site", result->site);
	nvp_json_u64(&members, "checks", result->checks);
	nvp_json_u64(&members, "checks_failed", result->checks_failed);
	nvp_json_u64(&members, "warnings", result->warnings);
	nvp_json_big(&members, "duration_ns", result->duration_ns);
	nvp_json_u64(&members, "wall_ms", (nvp_wall_ns() - slot->begin_wall_ns) / NVP_NS_PER_MS);
	if (waiver)
		nvp_json_string(&members, "waiver", waiver->name);
	add_rounds(&members, slot, result);
	if (slot->fate == NVP_FATE_INTERRUPTED)
		nvp_json_bool(&members, "interrupted", true);
	nvp_slot_event(slot, NVP_EVENT_CASE_END, t_ns, nvp_text_str(&members));
	nvp_text_free(&members);
	good = !slot->log.error;
	slot->in_case = false;
	if (!good)	/* a verdict that is not in the file was not given */
		return;
	count(slot, result, waiver != NULL);
	if (result->verdict == NVP_FAIL && !waiver)
		call_on_fail(slot);
	if (slot->run->request->stop_on_fail && result->verdict == NVP_FAIL && !waiver) {
		for (size_t i = 0; i < slot->run->nr_slots; i++)
			slot->run->slots[i].stop = true;
	}
}

/* ---- undos ---- */

static void hex_text(char *text, const uint8_t *bytes, size_t nr_bytes)
{
	for (size_t i = 0; i < nr_bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

/* True when the undo stands in the file, where it outlives this process too. */
static bool take_undo(struct nvp_slot *slot, const struct nvp_message *m)
{
	char sqe[2 * NVP_SQE_BYTES + 1];
	struct nvp_text members = { 0 };

	if (slot->nr_undos == slot->room_undos) {
		size_t room = slot->room_undos ? slot->room_undos * 2 : 8;
		struct nvp_undo *grown = realloc(slot->undos, room * sizeof(*grown));

		if (!grown)
			return false;
		slot->undos = grown;
		slot->room_undos = room;
	}
	hex_text(sqe, m->undo.sqe.bytes, NVP_SQE_BYTES);
	nvp_json_u64(&members, "id", m->undo.id);
	nvp_json_string(&members, "what", m->undo.what);
	nvp_json_string(&members, "sqe", sqe);
	nvp_slot_event(slot, NVP_EVENT_UNDO, m->t_ns, nvp_text_str(&members));
	nvp_text_free(&members);
	/* A simulated drive ends with this machine's memory: only a real one needs the disk. */
	if (slot->log.error || (!slot->simulated && nvp_log_sync(&slot->log)))
		return false;
	slot->undos[slot->nr_undos++] = m->undo;
	return true;
}

static void take_undone(struct nvp_slot *slot, const struct nvp_message *m, const char *text)
{
	struct nvp_text members = { 0 };

	nvp_json_u64(&members, "id", m->undo.id);
	nvp_json_bool(&members, "ok", m->ok);
	if (*text)
		nvp_json_string(&members, "text", text);
	nvp_slot_event(slot, NVP_EVENT_UNDONE, m->t_ns, nvp_text_str(&members));
	nvp_text_free(&members);
	for (size_t i = 0; m->ok && i < slot->nr_undos; i++) {
		if (slot->undos[i].id != m->undo.id)
			continue;
		memmove(&slot->undos[i], &slot->undos[i + 1],
			(slot->nr_undos - i - 1) * sizeof(slot->undos[0]));
		slot->nr_undos--;
		return;
	}
}

/* ---- messages ---- */

static void take_drive(struct nvp_slot *slot, const struct nvp_message *m, const char *body)
{
	snprintf(slot->model, sizeof(slot->model), "%.40s", m->model);
	snprintf(slot->firmware, sizeof(slot->firmware), "%.8s", m->firmware);
	if (!slot->told)
		nvp_slot_event(slot, NVP_EVENT_DRIVE, m->t_ns, body);
	slot->told = true;
}

static void take_begin(struct nvp_slot *slot, const struct nvp_message *m, const char *body)
{
	const struct nvp_run *run = slot->run;
	unsigned scale = run->request->timeout_scale ? run->request->timeout_scale : 1;
	unsigned budget_s;

	if (!m->number || m->number > run->plan.nr)
		return;
	budget_s = run->plan.items[m->number - 1].record->wall_budget_s;
	slot->number = m->number;
	slot->next = m->number;
	slot->in_case = true;
	slot->fruitless = 0;
	slot->begin_t_ns = m->t_ns;
	slot->begin_wall_ns = nvp_wall_ns();
	nvp_klog_skip(slot->klog_fd);
	slot->checks = slot->checks_failed = slot->warnings = 0;
	slot->budget_ns = (uint64_t)(budget_s ? budget_s : 30) * scale * NVP_NS_PER_S;
	slot->quiet_ns = 0;
	nvp_slot_event(slot, NVP_EVENT_CASE_BEGIN, m->t_ns, body);
}

static void answer(struct nvp_slot *slot, bool go)
{
	/* A worker that is gone by now is noticed by the end of its socket. */
	(void)nvp_wire_answer(slot->fd, go ? NVP_ANSWER_GO : NVP_ANSWER_STOP);
}

void nvp_slot_receive(struct nvp_slot *slot, const struct nvp_received *received)
{
	const struct nvp_message *m = &received->message;
	struct nvp_case_result result;

	switch ((enum nvp_msg_kind)m->kind) {
	case NVP_MSG_DRIVE:
		take_drive(slot, m, received->body);
		break;
	case NVP_MSG_EVENT:
		slot->checks += m->type == NVP_EVENT_CHECK;
		slot->checks_failed += m->counts_failed;
		if (m->type < NVP_NR_EVENT_TYPES)
			nvp_slot_event(slot, m->type, m->t_ns, received->body);
		break;
	case NVP_MSG_CASE_BEGIN:
		take_begin(slot, m, received->body);
		break;
	case NVP_MSG_CASE_END:
		result = m->result;
		if (slot->in_case)
			nvp_slot_case_end(slot, &result, m->t_ns);
		answer(slot, !slot->stop);
		break;
	case NVP_MSG_UNDO:
		answer(slot, take_undo(slot, m));
		break;
	case NVP_MSG_UNDONE:
		take_undone(slot, m, received->body);
		break;
	case NVP_MSG_OPEN_FAILED:
		snprintf(slot->why, sizeof(slot->why), "%.600s", received->body);
		break;
	case NVP_MSG_REOPEN:
		slot->asked_anew = true;
		nvp_slot_note(slot, "warning", "the drive is opened again: %s", received->body);
		break;
	case NVP_MSG_GIVE_UP:
		snprintf(slot->why, sizeof(slot->why), "the drive could not be given back as it was: %.500s",
			 received->body);
		slot->goodbye = slot->stop = true;
		break;
	case NVP_MSG_REFUSED:
		snprintf(slot->why, sizeof(slot->why), "%.600s", received->body);
		slot->refused = slot->goodbye = slot->stop = true;
		break;
	case NVP_MSG_GOODBYE:
		slot->goodbye = true;
		break;
	}
}
