// SPDX-License-Identifier: GPL-2.0-or-later
// Asynchronous Event Request (NVMe Base 2.0, 5.2): requests that wait, events that mask themselves.

#include "core/sim/commands.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/manage.h"
#include "core/sim/mechanism.h"

#define LOOK_NS 20000		/* the temperature is looked at after the command that asked */
#define TIMES_OUT_NS 10000000000ULL	/* of the defect; a real request never does */

uint32_t nvp_sim_notices(const struct nvp_sim *w)
{
	return (nvp_sim_has_firmware(w) ? NVP_EVENTS_FIRMWARE : 0) |
	       (nvp_sim_has_ns_management(w) ? NVP_EVENTS_NS_ATTRIBUTE : 0);
}

static void forget(struct nvp_aer_state *aer, unsigned i)
{
	aer->nr_waiting--;
	memmove(&aer->waiting[i], &aer->waiting[i + 1],
		(aer->nr_waiting - i) * sizeof(aer->waiting[0]));
}

/* The oldest request gets the event. False: none waits. */
static bool report(struct nvp_sim *w, enum nvp_event_type type, uint8_t info, uint8_t lid)
{
	struct nvp_aer_state *aer = &w->commands->aer;
	struct nvp_sim_cmd *c;

	if (!aer->nr_waiting)
		return false;
	c = nvp_engine_cmd(w, aer->waiting[0]);
	forget(aer, 0);
	if (nvp_defect(w, NVP_HOOK_EVT_LID))
		lid ^= 0x03;
	c->dw0 = (uint32_t)type | (uint32_t)info << 8 | (uint32_t)lid << 16;
	nvp_sim_cmd_complete(w, c);
	return true;
}

void nvp_event_occurred(struct nvp_sim *w, enum nvp_event_type type, uint8_t info, uint8_t lid)
{
	struct nvp_aer_state *aer = &w->commands->aer;

	if (aer->type[type].masked)
		return;		/* the log that the host has still to read says it */
	if (!aer->type[type].pending)
		aer->type[type].lid = lid;
	if (aer->nr_waiting && report(w, type, info, lid)) {
		if (nvp_defect(w, NVP_HOOK_EVT_TWICE))
			report(w, type, info, lid);
		aer->type[type].masked = !nvp_defect(w, NVP_HOOK_EVT_UNMASKED);
		return;
	}
	if (aer->type[type].pending || nvp_defect(w, NVP_HOOK_EVT_LOST))
		return;		/* one notification of a type (5.2) */
	aer->type[type].pending = true;
	aer->type[type].info = info;
	aer->type[type].lid = lid;
}

void nvp_event_log_read(struct nvp_sim *w, uint8_t lid)
{
	struct nvp_aer_state *aer = &w->commands->aer;
	static const uint8_t log_of[NVP_NR_EVENT_TYPES] = {
		[NVP_EVENT_ERROR] = 0x01, [NVP_EVENT_SMART] = 0x02,
	};

	for (unsigned type = 0; type < NVP_NR_EVENT_TYPES; type++) {
		/* which log a notice is about depends on the notice */
		if (log_of[type] == lid ||
		    (type >= NVP_EVENT_NOTICE && aer->type[type].lid == lid)) {
			aer->type[type].masked = false;
			aer->type[type].pending = false;
		}
	}
}

static void time_out(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);

	if (c->sqid || c->opcode != NVP_ADMIN_ASYNC_EVENT ||
	    nvp_sim_now(w) < c->fetched_ns + TIMES_OUT_NS)
		return;
	nvp_aer_done(w, c);
	nvp_sim_cmd_complete(w, c);
}

/* Called after the request is held: events that came before it. */
static void report_pending(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_aer_state *aer = &w->commands->aer;

	(void)argument;
	for (unsigned type = 0; type < NVP_NR_EVENT_TYPES && aer->nr_waiting; type++) {
		if (!aer->type[type].pending)
			continue;
		aer->type[type].pending = false;
		nvp_event_occurred(w, (enum nvp_event_type)type, aer->type[type].info,
				   aer->type[type].lid);
	}
}

enum nvp_step nvp_sim_async_event(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_aer_state *aer = &w->commands->aer;
	unsigned limit = w->profile->aerl_z + 1u;

	if (nvp_defect(w, NVP_HOOK_AER_LIMIT))
		limit--;
	if (nvp_defect(w, NVP_HOOK_AER_UNLIMITED))
		limit = NVP_ARRAY_SIZE(aer->waiting);
	if (aer->nr_waiting >= limit)
		return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_AER_LIMIT);
	aer->waiting[aer->nr_waiting++] = c->slot;
	if (nvp_defect(w, NVP_HOOK_AER_TIMES_OUT))
		nvp_event_add(w, NVP_SCOPE_CONTROLLER, TIMES_OUT_NS, time_out, c->slot);
	nvp_event_add(w, NVP_SCOPE_CONTROLLER, 0, report_pending, 0);
	return NVP_STEP_HELD;
}

void nvp_aer_done(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	struct nvp_aer_state *aer = &w->commands->aer;

	if (c->sqid || c->opcode != NVP_ADMIN_ASYNC_EVENT)
		return;
	for (unsigned i = 0; i < aer->nr_waiting; i++) {
		if (aer->waiting[i] == c->slot) {
			forget(aer, i);
			return;
		}
	}
}

/* Bits of Critical Warning that are true and shall be told (5.27.1.8). */
static uint8_t told_warnings(const struct nvp_sim *w)
{
	uint8_t enabled = (uint8_t)nvp_feature_value(w, NVP_FID_EVENTS);

	if (nvp_defect(w, NVP_HOOK_EVT_CONFIG))
		enabled = 0xff;
	return nvp_sim_critical_warning(w) & enabled;
}

/* What came up, or was up when the host enabled it. The lowest new bit names the event. */
static void look(struct nvp_sim *w, uint64_t argument)
{
	static const uint8_t info_of[8] = {
		2, 1, 0, 0, 0, 0, 0, 0	/* spare; temperature; all others: reliability */
	};
	uint8_t now = told_warnings(w);
	uint8_t news = now & (uint8_t)~w->commands->warnings_reported;

	(void)argument;
	w->commands->warnings_reported = now;
	for (unsigned bit = 0; bit < 8; bit++) {
		if (news >> bit & 1) {
			nvp_event_occurred(w, NVP_EVENT_SMART, info_of[bit], 0x02);
			return;
		}
	}
}

void nvp_smart_look(struct nvp_sim *w)
{
	w->commands->warnings_reported &= told_warnings(w);
	nvp_event_add(w, NVP_SCOPE_CONTROLLER, LOOK_NS, look, 0);
}

void nvp_aer_reset(struct nvp_sim *w)
{
	memset(&w->commands->aer, 0, sizeof(w->commands->aer));
	w->commands->warnings_reported = 0;
}
