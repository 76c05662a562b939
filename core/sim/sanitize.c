// SPDX-License-Identifier: GPL-2.0-or-later
// Sanitize (NVMe Base 2.0 sections 5.24 and 8.21): goes on over resets and power loss until done.

#include "core/sim/erase.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/nvme/fields.h"
#include "core/sim/commands.h"
#include "core/sim/manage.h"
#include "core/sim/logs.h"
#include "core/sim/mechanism.h"

#define SLICES 64		/* of one pass over all namespaces */
#define WAIT_NS (20 * NVP_NS_PER_US)
#define BATCH_NS (10 * NVP_NS_PER_US)

enum { ACTION_EXIT_FAILURE = 1, ACTION_BLOCK = 2, ACTION_OVERWRITE = 3, ACTION_CRYPTO = 4 };

static uint8_t action_of(uint32_t dw10)
{
	return dw10 & 7;
}

static bool keeps_allocation(uint32_t dw10)
{
	return dw10 >> 9 & 1;		/* NDAS */
}

static unsigned passes_of(uint32_t dw10)
{
	unsigned owpass = dw10 >> 4 & 0xf;

	if (action_of(dw10) != ACTION_OVERWRITE)
		return 1;
	return owpass ? owpass : 16;
}

static uint64_t slice_ns(uint32_t dw10)
{
	static const uint64_t ns[8] = {
		[ACTION_BLOCK] = 30 * NVP_NS_PER_MS,
		[ACTION_OVERWRITE] = 60 * NVP_NS_PER_MS,
		[ACTION_CRYPTO] = 15 * NVP_NS_PER_MS,
	};

	return ns[action_of(dw10)];
}

static struct nvp_sanitize_record *record_of(const struct nvp_sim *w)
{
	return &w->commands->sanitize.record;
}

static void commit(struct nvp_sim *w)
{
	nvp_nv_commit(w, NVP_NV_SANITIZE, record_of(w), sizeof(*record_of(w)));
}

/* ---- the work ---- */

static nvp_event_fn step;

/* Inverted from pass to pass on request; the last pass is as asked for (8.21). */
static uint32_t pattern_of(const struct nvp_sim *w)
{
	const struct nvp_sanitize_record *r = record_of(w);
	bool invert = r->cdw10 >> 8 & 1 && (passes_of(r->cdw10) - 1 - r->passes) & 1;

	if (nvp_defect(w, NVP_HOOK_SAN_PATTERN))
		return r->pattern ^ 0xff;
	return invert ? ~r->pattern : r->pattern;
}

/* What a block of this operation becomes. */
static uint64_t entry_of(const struct nvp_sim *w)
{
	const struct nvp_sanitize_record *r = record_of(w);

	if (!keeps_allocation(r->cdw10))
		return NVP_MAP_ENTRY(NVP_MAP_UNWRITTEN, 0);
	if (action_of(r->cdw10) == ACTION_OVERWRITE)
		return NVP_MAP_ENTRY(NVP_MAP_PATTERN, pattern_of(w));
	return NVP_MAP_ENTRY(NVP_MAP_ZERO, 0);
}

static bool keeps_data(const struct nvp_sim *w)
{
	return nvp_defect(w, NVP_HOOK_SAN_STALE) ||
	       (action_of(record_of(w)->cdw10) == ACTION_CRYPTO &&
		nvp_defect(w, NVP_HOOK_SAN_CRYPTO));
}

/* One slice of one namespace, as far as one publish goes. False: there is more of it. */
static bool erase_part(struct nvp_sim *w, struct nvp_sim_ns *ns)
{
	struct nvp_sanitize_state *s = &w->commands->sanitize;
	uint64_t first = ns->map_first + ns->nr_lbas * s->record.slice / SLICES;
	uint64_t end = ns->map_first + ns->nr_lbas * (s->record.slice + 1) / SLICES;
	uint64_t entry = entry_of(w);

	if (nvp_defect(w, NVP_HOOK_SAN_BLOCK_SURVIVES) && s->record.slice == SLICES - 1)
		end--;
	if (s->position < first)
		s->position = first;
	if (keeps_data(w) || s->position >= end)
		return true;
	s->position = NVP_MAP_KIND(entry) == NVP_MAP_PATTERN ?
		      nvp_media_fill(w, s->position, end, entry) :
		      nvp_media_purge(w, s->position, end, entry, NVP_MAP_UNWRITTEN);
	return s->position >= end;
}

static void finish(struct nvp_sim *w)
{
	struct nvp_sanitize_record *r = record_of(w);

	r->status = keeps_allocation(r->cdw10) && !nvp_defect(w, NVP_HOOK_SAN_ND_STATUS) ? 4 : 1;
	if (nvp_defect(w, NVP_HOOK_SAN_FAILS))
		r->status = 3;
	r->written = nvp_counted(w, NVP_COUNT_SECTORS_WRITTEN);
	commit(w);
	nvp_pel_sanitize_done(w);
	if (!nvp_defect(w, NVP_HOOK_SAN_EVENT_MISSING))
		nvp_event_occurred(w, NVP_EVENT_IO, nvp_defect(w, NVP_HOOK_SAN_EVENT_INFO) ? 0 : 1,
				   0x81);
}

static void next_slice(struct nvp_sim *w)
{
	struct nvp_sanitize_record *r = record_of(w);

	w->commands->sanitize.nsid = 0;
	w->commands->sanitize.position = 0;
	if (++r->slice == SLICES) {
		r->slice = 0;
		r->passes++;
	}
	if (r->passes < passes_of(r->cdw10)) {
		commit(w);
		nvp_event_add(w, NVP_SCOPE_DEVICE, slice_ns(r->cdw10), step, 0);
	} else {
		finish(w);
	}
}

/* Every event does one publish at most: a cut may come between any two. */
static void step(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_sanitize_state *s = &w->commands->sanitize;

	(void)argument;
	if (s->record.status != 2)
		return;
	while (s->nsid < w->nr_ns) {
		struct nvp_sim_ns *ns = &w->ns[s->nsid];

		if (ns->allocated && !erase_part(w, ns)) {
			nvp_event_add(w, NVP_SCOPE_DEVICE, BATCH_NS, step, 0);
			return;
		}
		s->nsid++;
		s->position = 0;
	}
	next_slice(w);
}

/* Commands that came before end first; what they left in the cache goes with all the rest. */
static void begin(struct nvp_sim *w, uint64_t argument)
{
	if (record_of(w)->status != 2)
		return;
	if (nvp_engine_uses(w, NULL)) {
		nvp_event_add(w, NVP_SCOPE_DEVICE, WAIT_NS, begin, argument);
		return;
	}
	if (!nvp_defect(w, NVP_HOOK_SAN_CACHE))
		nvp_cache_drop_all(w);
	nvp_event_add(w, NVP_SCOPE_DEVICE, slice_ns(record_of(w)->cdw10), step, 0);
}

/* ---- the command ---- */

static bool is_supported(const struct nvp_sim *w, uint8_t action)
{
	switch (action) {
	case ACTION_EXIT_FAILURE:
		return true;
	case ACTION_BLOCK:
		return w->profile->sanicap >> 1 & 1;
	case ACTION_OVERWRITE:
		return w->profile->sanicap >> 2 & 1;
	case ACTION_CRYPTO:
		return w->profile->sanicap & 1;
	default:
		return false;
	}
}

static enum nvp_step exit_failure(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_sanitize_record *r = record_of(w);

	if (nvp_defect(w, NVP_HOOK_SAN_EXIT))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 0);
	if (r->status != 3)
		return NVP_STEP_COMPLETE;	/* not in a failure mode: nothing to do */
	if (!(r->cdw10 >> 3 & 1))		/* AUSE was 0: only a sanitize helps */
		return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_SANITIZE_FAILED);
	r->failure_left = 1;
	commit(w);
	return NVP_STEP_COMPLETE;
}

enum nvp_step nvp_sim_sanitize(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_sanitize_state *s = &w->commands->sanitize;
	uint32_t dw10 = nvp_le32(c->sqe + 40);

	if (!is_supported(w, action_of(dw10))) {
		if (nvp_defect(w, NVP_HOOK_SAN_ACTION_OK))
			return NVP_STEP_COMPLETE;
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 0);
	}
	if (action_of(dw10) == ACTION_EXIT_FAILURE)
		return exit_failure(w, c);
	if (nvp_engine_formats(w))
		return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_FORMAT_IN_PROGRESS);
	/* In restricted failure mode the next one has to be restricted too (8.21). */
	if (s->record.status == 3 && !(s->record.cdw10 >> 3 & 1) && dw10 >> 3 & 1)
		return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_SANITIZE_FAILED);
	if (w->commands->manage->firmware.record.next && !nvp_defect(w, NVP_HOOK_SAN_FIRMWARE_OK))
		return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_ACTIVATION_NEEDS_RESET);
	nvp_self_test_stop(w, NVP_NSID_ALL, NVP_SELF_TEST_SANITIZE);
	memset(s, 0, sizeof(*s));
	s->record = (struct nvp_sanitize_record){
		.status = 2,
		.cdw10 = dw10 & 0x3ff,
		.pattern = nvp_le32(c->sqe + 44),
	};
	commit(w);
	nvp_pel_sanitize_start(w, dw10, s->record.pattern);
	begin(w, 0);
	return NVP_STEP_COMPLETE;
}

/* ---- what the rest of the drive asks ---- */

void nvp_sanitize_power_on(struct nvp_sim *w)
{
	nvp_nv_load(w, NVP_NV_SANITIZE, record_of(w), sizeof(*record_of(w)));
	if (record_of(w)->status == 2 && nvp_defect(w, NVP_HOOK_CUT_FORGETS_SANITIZE)) {
		memset(record_of(w), 0, sizeof(*record_of(w)));
		commit(w);
	}
	if (record_of(w)->status == 2 && action_of(record_of(w)->cdw10) == ACTION_OVERWRITE &&
	    nvp_defect(w, NVP_HOOK_CUT_SKIPS_PASSES)) {
		if (!nvp_defect_value(w, NVP_HOOK_CUT_SKIPS_PASSES, "told", 0))
			record_of(w)->passes = (uint8_t)passes_of(record_of(w)->cdw10);
		finish(w);
	}
	if (record_of(w)->status != 2)
		return;
	if (nvp_defect(w, NVP_HOOK_CUT_SANITIZE_DONE) ||
	    nvp_defect(w, NVP_HOOK_CUT_SANITIZE_FAILS)) {
		record_of(w)->status = nvp_defect(w, NVP_HOOK_CUT_SANITIZE_DONE) ? 1 : 3;
		commit(w);
	} else if (!nvp_defect(w, NVP_HOOK_CUT_SANITIZE_STUCK)) {
		begin(w, 0);
	}
}

/* A reset changes nothing, on a drive that is right. */
void nvp_sanitize_reset(struct nvp_sim *w)
{
	if (record_of(w)->status != 2 || !nvp_defect(w, NVP_HOOK_SAN_RESET))
		return;
	memset(record_of(w), 0, sizeof(*record_of(w)));
	commit(w);
}

bool nvp_sanitize_holds_cache(const struct nvp_sim *w)
{
	return nvp_defect(w, NVP_HOOK_SAN_CACHE) && w->commands && record_of(w)->status == 2;
}

/* Admin commands that go on (5.24, figure "Sanitize Operations - Admin Commands Allowed"). */
static bool is_allowed(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	switch (c->opcode) {
	case NVP_ADMIN_FORMAT:
	case NVP_ADMIN_NS_MANAGEMENT:
	case NVP_ADMIN_NS_ATTACHMENT:
	case NVP_ADMIN_FIRMWARE_COMMIT:
	case NVP_ADMIN_FIRMWARE_DOWNLOAD:
	case NVP_ADMIN_SELF_TEST:
		return false;
	case NVP_ADMIN_SANITIZE:	/* but one that leaves or repeats a failed one is */
		return record_of(w)->status == 3 || nvp_defect(w, NVP_HOOK_SAN_SECOND_OK);
	case NVP_ADMIN_IDENTIFY:
		return !nvp_defect(w, NVP_HOOK_SAN_IDENTIFY);
	default:
		return true;
	}
}

bool nvp_sanitize_refuses(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	const struct nvp_sanitize_record *r = record_of(w);
	bool failed = r->status == 3 && !r->failure_left;

	if (r->status != 2 && !failed)
		return false;
	if (c->sqid ? nvp_defect(w, NVP_HOOK_SAN_IO) : is_allowed(w, c))
		return false;
	nvp_sim_fail(c, NVP_SCT_GENERIC, failed ? NVP_SC_SANITIZE_FAILED :
		     nvp_defect(w, NVP_HOOK_SAN_IO_STATUS) ? NVP_SC_INTERNAL :
		     NVP_SC_SANITIZE_IN_PROGRESS);
	c->dnr = failed;
	return true;
}

static bool all_erased(struct nvp_sim *w, const struct nvp_sanitize_record *r)
{
	bool untouched = nvp_counted(w, NVP_COUNT_SECTORS_WRITTEN) == r->written;

	if (nvp_defect(w, NVP_HOOK_SAN_GDE_STUCK))
		return r->status == 1 || r->status == 4;
	if (nvp_defect(w, NVP_HOOK_SAN_GDE_NEVER))
		return false;
	return untouched && r->status != 2 && r->status != 3;
}

/* Log 81h (5.16.1.25). */
void nvp_log_fill_sanitize(struct nvp_sim *w, uint8_t *data)
{
	const struct nvp_sanitize_record *r = record_of(w);
	uint32_t done = r->passes * SLICES + r->slice;
	uint32_t progress = 65536u * done / (passes_of(r->cdw10) * SLICES);

	if (nvp_defect(w, NVP_HOOK_SAN_PROGRESS_DOWN))
		progress = 65535 - progress;
	if (r->status != 2 && !nvp_defect(w, NVP_HOOK_SAN_PROGRESS_STUCK))
		progress = 0xffff;
	nvp_put_le16(data, (uint16_t)(progress > 0xffff ? 0x8000 : progress));
	nvp_put_le16(data + 2, (uint16_t)((nvp_defect(w, NVP_HOOK_SAN_STATUS) ? 0 : r->status) |
					  (action_of(r->cdw10) == ACTION_OVERWRITE ? r->passes & 31 : 0)
					  << 3 | all_erased(w, r) << 8));
	nvp_put_le32(data + 4, nvp_defect(w, NVP_HOOK_SAN_CDW10) ? r->cdw10 ^ 8 : r->cdw10);
	for (unsigned at = 8; at < 32; at += 4)		/* overwrite, block, crypto; with NDAS */
		nvp_put_le32(data + at, at == 8 || at == 20 ? 16 * 4 : 2);
}
