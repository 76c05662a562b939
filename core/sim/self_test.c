// SPDX-License-Identifier: GPL-2.0-or-later
// Device Self-test (NVMe Base 2.0, 5.9, 8.6) and its log (5.16.1.7): one operation at a time.

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/commands.h"
#include "core/sim/logs.h"
#include "core/sim/manage.h"

#define SC_IN_PROGRESS 0x1d
#define STEPS 10u		/* an operation goes on in steps, each of which survives power loss */
#define SHORT_NS (60 * NVP_NS_PER_S)
#define EXTENDED_NS (240 * NVP_NS_PER_S)
#define NS_PER_HOUR (3600 * NVP_NS_PER_S)
#define UNUSED 0x0f

enum code { SHORT = 1, EXTENDED = 2, ABORT = 0x0f };

static struct nvp_self_test_state *state(const struct nvp_sim *w)
{
	return &w->commands->manage->self_test;
}

bool nvp_sim_has_self_test(const struct nvp_sim *w)
{
	return w->profile->optional_commands;
}

static void commit(struct nvp_sim *w)
{
	nvp_nv_commit(w, NVP_NV_SELF_TEST, &state(w)->record, sizeof(state(w)->record));
}

/* The newest is in front. */
static void add_result(struct nvp_sim *w, uint8_t result)
{
	struct nvp_self_test_record *r = &state(w)->record;
	uint8_t *entry = r->entry[0];
	uint64_t hours = nvp_counted(w, NVP_COUNT_POWER_ON_NS) / NS_PER_HOUR;

	if (nvp_defect(w, NVP_HOOK_DST_NO_RESULT))
		return;
	if (nvp_defect(w, NVP_HOOK_DST_RESULT_ZERO))
		result = 0;
	memmove(r->entry[1], r->entry[0], sizeof(r->entry) - sizeof(r->entry[0]));
	memset(entry, 0, sizeof(r->entry[0]));
	entry[0] = (uint8_t)(result | r->code << 4);
	entry[2] = 0x01;		/* NSID is valid */
	nvp_put_le64(entry + 4, hours + (nvp_defect(w, NVP_HOOK_DST_HOURS) ? 1000u - r->nr : 0));
	nvp_put_le32(entry + 12, r->nsid ^ (nvp_defect(w, NVP_HOOK_DST_RESULT_NSID) ? 7 : 0));
	if (r->nr < NVP_SELF_TEST_RESULTS)
		r->nr++;
}

static void end(struct nvp_sim *w, uint8_t result)
{
	struct nvp_self_test_record *r = &state(w)->record;

	add_result(w, result);
	r->code = 0;
	r->step = 0;
	state(w)->run++;		/* the step that is on its way is of no operation any more */
	commit(w);
}

static uint64_t step_ns(const struct nvp_self_test_record *r)
{
	return (r->code == SHORT ? SHORT_NS : EXTENDED_NS) / STEPS;
}

static void step_over(struct nvp_sim *w, uint64_t run);

static void next_step(struct nvp_sim *w)
{
	struct nvp_self_test_state *s = state(w);

	s->step_began_ns = nvp_sim_now(w);
	nvp_event_add(w, NVP_SCOPE_DEVICE, step_ns(&s->record), step_over, s->run);
}

static void step_over(struct nvp_sim *w, uint64_t run)
{
	struct nvp_self_test_state *s = state(w);

	if (run != s->run || !s->record.code)
		return;
	if (s->record.step == STEPS / 2 && nvp_defect(w, NVP_HOOK_DST_STUCK))
		return;
	if (++s->record.step < STEPS) {
		commit(w);
		next_step(w);
	} else {
		end(w, 0);
	}
}

void nvp_self_test_power_on(struct nvp_sim *w)
{
	struct nvp_self_test_state *s = state(w);

	nvp_nv_load(w, NVP_NV_SELF_TEST, &s->record, sizeof(s->record));
	if (s->record.code == SHORT && !nvp_defect(w, NVP_HOOK_DST_SHORT_SURVIVES))
		end(w, NVP_SELF_TEST_RESET);
	else if (s->record.code)
		next_step(w);		/* resumes where it was (5.9) */
}

void nvp_self_test_reset(struct nvp_sim *w)
{
	const struct nvp_self_test_record *r = &state(w)->record;
	bool ends = r->code == SHORT ? !nvp_defect(w, NVP_HOOK_DST_SHORT_SURVIVES) :
		    r->code == EXTENDED && nvp_defect(w, NVP_HOOK_DST_EXTENDED_DIES);

	if (ends)
		end(w, NVP_SELF_TEST_RESET);
}

bool nvp_self_test_runs(const struct nvp_sim *w)
{
	return state(w)->record.code != 0;
}

void nvp_self_test_stop(struct nvp_sim *w, uint32_t nsid, enum nvp_self_test_end result)
{
	const struct nvp_self_test_record *r = &state(w)->record;

	if (r->code && (nsid == NVP_NSID_ALL || r->nsid == NVP_NSID_ALL || r->nsid == nsid) &&
	    !nvp_defect(w, NVP_HOOK_DST_NOT_STOPPED))
		end(w, (uint8_t)result);
}

static bool take_nsid(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (!c->nsid || c->nsid == NVP_NSID_ALL || nvp_defect(w, NVP_HOOK_DST_NSID_OK))
		return true;
	return nvp_sim_take_ns(w, c);
}

enum nvp_step nvp_sim_self_test(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_self_test_state *s = state(w);
	unsigned code = nvp_le32(c->sqe + 40) & 15;

	if (code != SHORT && code != EXTENDED && code != ABORT) {
		if (nvp_defect(w, NVP_HOOK_DST_CODE_OK))
			return NVP_STEP_COMPLETE;
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 0);
	}
	if (code == ABORT) {
		if (s->record.code && !nvp_defect(w, NVP_HOOK_DST_ABORT_IGNORED))
			end(w, NVP_SELF_TEST_COMMAND);
		else if (nvp_defect(w, NVP_HOOK_DST_IDLE_LOGGED))
			add_result(w, NVP_SELF_TEST_COMMAND);
		return NVP_STEP_COMPLETE;
	}
	if (!take_nsid(w, c))
		return NVP_STEP_COMPLETE;
	if (s->record.code && !nvp_defect(w, NVP_HOOK_DST_SECOND_OK))
		return nvp_sim_fail(c, NVP_SCT_COMMAND, SC_IN_PROGRESS);
	s->run++;
	s->record.code = (uint8_t)code;
	s->record.step = 0;
	s->record.nsid = c->nsid;
	commit(w);
	next_step(w);
	return NVP_STEP_COMPLETE;
}

/* Percent from whole steps and what has passed of the one that runs; 100 is never in progress. */
static unsigned percent(const struct nvp_sim *w)
{
	const struct nvp_self_test_state *s = state(w);
	uint64_t passed = nvp_sim_now(w) - s->step_began_ns;
	unsigned done = s->record.step * 100 / STEPS;

	done += (unsigned)nvp_min_u64(passed * (100 / STEPS) / step_ns(&s->record),
				      100 / STEPS - 1);
	return nvp_defect(w, NVP_HOOK_DST_PROGRESS_FALLS) ? 99 - done : done;
}

void nvp_log_fill_self_test(struct nvp_sim *w, uint8_t *data)
{
	const struct nvp_self_test_record *r = &state(w)->record;
	bool oldest_first = nvp_defect(w, NVP_HOOK_DST_OLDEST_FIRST);

	data[0] = r->code;
	if (r->code == EXTENDED && nvp_defect(w, NVP_HOOK_DST_CURRENT_WRONG))
		data[0] = SHORT;
	if (r->code)
		data[1] = (uint8_t)percent(w);
	for (unsigned i = 0; i < NVP_SELF_TEST_RESULTS; i++) {
		uint8_t *to = data + 4 + 28 * i;

		if (i < r->nr)
			memcpy(to, r->entry[oldest_first ? r->nr - 1u - i : i], 28);
		else
			to[0] = nvp_defect(w, NVP_HOOK_DST_UNUSED_ZERO) ? 0 : UNUSED;
	}
}
