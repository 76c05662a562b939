// SPDX-License-Identifier: GPL-2.0-or-later
// The end of a run on one drive: what waivers met, counts, exit code, run.end.

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/run/slot.h"

int nvp_worse_exit(int a, int b)
{
	static const int order[] = { 4, 2, 130, 143, 1, 3, 0 };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(order); i++) {
		if (a == order[i] || b == order[i])
			return order[i];
	}
	return 3;
}

/* A waiver that has had its day, or that nothing needs any more, should go. */
static void tell_waivers(struct nvp_slot *slot)
{
	for (size_t i = 0; i < slot->run->waivers.nr; i++) {
		const struct nvp_waiver *w = &slot->run->waivers.list[i];
		const struct nvp_waiver_use *use = &slot->waiver_use[i];

		if (use->expired)
			nvp_slot_note(slot, "warning", "waiver '%s' has expired on %s and counts no more",
				      w->name, w->expires);
		if (use->firmware_changed)
			nvp_slot_note(slot, "warning",
				      "waiver '%s' has ended: it was for firmware %s, this is %s",
				      w->name, w->firmware, slot->firmware);
		if (use->passed && !use->waived)
			nvp_slot_note(slot, "warning",
				      "waiver '%s' is not needed: what it matches passes now",
				      w->name);
	}
}

static unsigned nr_not_run(const struct nvp_slot *slot)
{
	return (unsigned)(slot->run->plan.nr - slot->next);
}

/* The exit code of this drive's run; reason says why it is not what the verdicts alone give. */
static int exit_code(const struct nvp_slot *slot, char *reason, size_t bytes)
{
	const unsigned *n = slot->counts.verdict;
	int code = n[NVP_FAIL] ? 1 : n[NVP_BROKEN] ? 3 : 0;

	reason[0] = '\0';
	if (slot->run->signal) {
		snprintf(reason, bytes, "interrupted by SIG%s", sigabbrev_np(slot->run->signal));
		return slot->run->signal == SIGINT ? 130 : 143;
	}
	if (slot->why[0]) {
		snprintf(reason, bytes, "%s", slot->why);
		return nvp_worse_exit(code, slot->refused ? 4 : 3);
	}
	if (slot->log.error || slot->nr_undos)
		return nvp_worse_exit(code, 3);
	if (slot->run->time_is_up && nr_not_run(slot))
		snprintf(reason, bytes, "the time of --max-time is up");
	if (!code && !n[NVP_PASS]) {
		snprintf(reason, bytes, "nothing was tested");
		return 3;
	}
	return code;
}

void nvp_slot_finish(struct nvp_slot *slot)
{
	const struct nvp_run_sink *sink = slot->run->sink;
	struct nvp_text members = { 0 };
	char reason[NVP_REASON_BYTES];

	nvp_trace_out_close(slot);
	tell_waivers(slot);
	for (size_t i = 0; i < slot->nr_undos; i++)
		nvp_slot_note(slot, "warning", "not given back: %s; nvproof restore tries again",
			      slot->undos[i].what);
	slot->exit_code = exit_code(slot, reason, sizeof(reason));
	nvp_json_u64(&members, "pass", slot->counts.verdict[NVP_PASS]);
	nvp_json_u64(&members, "fail", slot->counts.verdict[NVP_FAIL]);
	nvp_json_u64(&members, "skip", slot->counts.verdict[NVP_SKIP]);
	nvp_json_u64(&members, "broken", slot->counts.verdict[NVP_BROKEN]);
	nvp_json_u64(&members, "warned", slot->counts.warned);
	nvp_json_u64(&members, "waived", slot->counts.waived);
	nvp_json_u64(&members, "not_run", nr_not_run(slot));
	nvp_json_u64(&members, "exit_code", (unsigned)slot->exit_code);
	if (reason[0])
		nvp_json_string(&members, "reason", reason);
	nvp_json_u64(&members, "wall_ms",
		     (nvp_wall_ns() - slot->run->begin_wall_ns) / NVP_NS_PER_MS);
	nvp_slot_event(slot, NVP_EVENT_RUN_END, slot->last_t_ns, nvp_text_str(&members));
	nvp_text_free(&members);
	if (slot->log.error)
		slot->exit_code = nvp_worse_exit(slot->exit_code, 3);
	if (sink && sink->drive_done &&
	    sink->drive_done(sink->context, slot->position, slot->dir))
		slot->exit_code = nvp_worse_exit(slot->exit_code, 3);
}
