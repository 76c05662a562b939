// SPDX-License-Identifier: GPL-2.0-or-later
// One cycle of a journal in words, for a bundle.

#include <nvproof/power_bundle.h>

#include <errno.h>
#include <inttypes.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "power/journal.h"
#include "power/replay.h"

struct slice {
	struct nvp_text *out;
	uint32_t cycle;
	bool inside, found, damaged;
	uint64_t first_lba;
	struct nvp_workload_plan plan;
	uint32_t rung;
};

static void on_begin(void *context, const struct nvp_journal_begin *b)
{
	struct slice *s = context;

	nvp_text_addf(s->out, "journal of nvproof %s: serial %s, model %s, firmware %s, namespace %"
		      PRIu32 ", seed %" PRIu64 "\n", b->version ? b->version : "?", b->serial,
		      b->model, b->firmware, b->nsid, b->seed);
}

static void on_cycle(void *context, const struct nvp_journal_cycle *c)
{
	struct slice *s = context;

	s->inside = c->cycle == s->cycle;
	if (!s->inside)
		return;
	s->found = true;
	s->first_lba = c->first_lba;
	s->plan = c->plan;
	s->rung = 0;
	nvp_text_addf(s->out, "cycle %" PRIu32 ", phase %s, workload %s, cache %s, operation 1 has "
		      "sequence number %" PRIu64 "\n", c->cycle, nvp_phase_name(c->plan.phase),
		      nvp_workload_name(c->plan.workload), c->wce ? "on" : "off", c->seq);
}

static void on_ring(void *context, uint32_t nr)
{
	struct slice *s = context;
	struct nvp_op op;

	if (!s->inside)
		return;
	nvp_text_addf(s->out, "ring of %" PRIu32 "\n", nr);
	for (; nr; nr--, s->rung++) {
		nvp_workload_op(&s->plan, s->rung, &op);
		nvp_text_addf(s->out, "  %" PRIu32 " %s", s->rung + 1,
			      nvp_replay_op_word(op.kind) ? nvp_replay_op_word(op.kind) : "other");
		if (op.kind <= NVP_ORACLE_COPY)
			nvp_text_addf(s->out, " LBA %" PRIu64 " blocks %u%s",
				      s->first_lba + op.block, op.nlb_z + 1u, op.fua ? " fua" : "");
		nvp_text_add(s->out, "\n");
	}
}

static void on_ack(void *context, uint32_t op, uint8_t sct, uint8_t sc)
{
	struct slice *s = context;

	if (!s->inside)
		return;
	if (sct || sc)
		nvp_text_addf(s->out, "refused %" PRIu32 " with %u/%02xh\n", op + 1, sct, sc);
	else
		nvp_text_addf(s->out, "acknowledged %" PRIu32 "\n", op + 1);
}

static void on_event(void *context, enum nvp_journal_event event, uint64_t value)
{
	static const char *const words[NVP_JOURNAL_NR_EVENTS] = {
		[NVP_JOURNAL_CACHE_OFF_SUBMITTED] = "cache off, given",
		[NVP_JOURNAL_CACHE_OFF_DONE] = "cache off, done",
		[NVP_JOURNAL_CACHE_ON_SUBMITTED] = "cache on, given",
		[NVP_JOURNAL_CACHE_ON_DONE] = "cache on, done",
		[NVP_JOURNAL_SHUTDOWN_BEGUN] = "shutdown begun",
		[NVP_JOURNAL_SHUTDOWN_DONE] = "shutdown seen complete",
		[NVP_JOURNAL_RESET] = "reset complete",
		[NVP_JOURNAL_CUT] = "the relay is told to cut",
		[NVP_JOURNAL_CUT_CONFIRMED] = "the drive is gone",
		[NVP_JOURNAL_BACK] = "the drive is back",
		[NVP_JOURNAL_VERIFIED] = "judged; fails",
	};
	struct slice *s = context;

	if (s->inside)
		nvp_text_addf(s->out, "%s: %" PRIu64 "\n", words[event], value);
}

static void on_settled(void *context, const struct nvp_journal_settled *settled, uint32_t nr)
{
	struct slice *s = context;

	(void)settled;
	if (s->inside)
		nvp_text_addf(s->out, "settled %" PRIu32 " blocks\n", nr);
}

static void on_damaged(void *context, uint64_t offset)
{
	struct slice *s = context;

	if (s->inside) {
		nvp_text_addf(s->out, "damaged at byte %" PRIu64 ": the rest cannot be read\n",
			      offset);
		s->damaged = true;
	}
	s->inside = false;
}

int nvp_bundle_journal(const char *path, uint32_t cycle, struct nvp_text *out,
		       struct nvp_err *err)
{
	struct slice slice = { .out = out, .cycle = cycle };
	const struct nvp_journal_reader reader = {
		.context = &slice, .begin = on_begin, .cycle = on_cycle, .ring = on_ring,
		.ack = on_ack, .event = on_event, .settled = on_settled, .damaged = on_damaged };
	struct nvp_journal_end end;
	int rc = nvp_journal_read(path, &reader, &end, err);

	return rc ? rc : slice.found && !slice.damaged ? 0 : -ENOENT;
}
