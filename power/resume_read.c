// SPDX-License-Identifier: GPL-2.0-or-later
// From a journal to the state of its campaign: what each block held, and what the last cycle did.

#include "power/resume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/grow.h"

static void on_begin(void *context, const struct nvp_journal_begin *begin)
{
	struct nvp_resume *r = context;

	r->begin = *begin;
	r->begin.version = NULL;
	r->nr_blocks = begin->facts.nr_blocks;
	if (r->has_begin || !r->nr_blocks || r->nr_blocks > NVP_WORKLOAD_MOST_BLOCKS)
		return;
	r->has_begin = true;
	r->unknown = r->nr_blocks;
	r->known = calloc(r->nr_blocks, 1);
	r->before = calloc(r->nr_blocks, sizeof(*r->before));
	r->after = calloc(r->nr_blocks, sizeof(*r->after));
	r->moved = calloc(r->nr_blocks, sizeof(*r->moved));
	r->flags = calloc(r->nr_blocks, 1);
	r->failed = !r->known || !r->before || !r->after || !r->moved || !r->flags;
}

static bool good(const struct nvp_resume *r)
{
	return r->has_begin && !r->failed;
}

static void forget(struct nvp_resume *r)
{
	if (!good(r))
		return;
	memset(r->known, 0, r->nr_blocks);
	r->unknown = r->nr_blocks;
}

static void holds(struct nvp_resume *r, uint32_t block, uint64_t version)
{
	r->after[block] = version;
	r->unknown -= !r->known[block];
	r->known[block] = 1;
}

/* What was told behind the end of a cycle is of the window that this one has. */
static void take_moved(struct nvp_resume *r)
{
	for (uint32_t b = 0; b < r->nr_blocks; b++)
		if (r->moved[b])
			holds(r, b, r->moved[b]);
	memset(r->moved, 0, r->nr_blocks * sizeof(*r->moved));
}

static void on_cycle(void *context, const struct nvp_journal_cycle *cycle)
{
	struct nvp_resume *r = context;

	if (!good(r))
		return;
	/* a cycle that was not judged, and still another follows: nothing is known of its blocks */
	if (r->has_cycle && !r->verified)
		forget(r);
	if (r->has_cycle && cycle->first_lba != r->cycle.first_lba)
		memset(r->flags, 0, r->nr_blocks);
	take_moved(r);
	memcpy(r->before, r->after, r->nr_blocks * sizeof(*r->before));
	r->cycle = *cycle;
	r->failed |= cycle->plan.nr_blocks != r->nr_blocks;
	r->has_cycle = true;
	r->verified = false;
	r->was_reset = false;
	r->nr_entries = 0;
}

static void add(struct nvp_resume *r, struct nvp_resume_entry entry)
{
	if (!good(r) || !r->has_cycle)
		return;
	if (!nvp_grow((void **)&r->entry, r->nr_entries, &r->room, sizeof(*r->entry))) {
		r->failed = true;
		return;
	}
	r->entry[r->nr_entries++] = entry;
}

static void on_ring(void *context, uint32_t nr)
{
	add(context, (struct nvp_resume_entry){ .what = NVP_RESUME_RING, .arg = nr });
}

static void on_ack(void *context, uint32_t op, uint8_t sct, uint8_t sc)
{
	add(context, (struct nvp_resume_entry){ .what = NVP_RESUME_ACK, .arg = op, .sct = sct,
						.sc = sc });
}

/* ---- the end of a cycle: what verify.c knows of its blocks ---- */

static void mark(struct nvp_resume *r, uint32_t nr_ops, const uint8_t *acked)
{
	struct nvp_op op;

	for (uint32_t b = 0; b < r->nr_blocks; b++)
		r->flags[b] &= (uint8_t)~NVP_CAMP_FLAG_RECENT;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < nr_ops; i++) {
			nvp_workload_op(&r->cycle.plan, i, &op);
			if (op.kind > NVP_ORACLE_COPY ||
			    (pass && op.kind != NVP_ORACLE_DEALLOCATE))
				continue;
			for (uint32_t b = op.block; b <= op.block + op.nlb_z && b < r->nr_blocks;
			     b++)
				r->flags[b] = pass ? r->flags[b] | NVP_CAMP_FLAG_TRIMMED :
						     NVP_CAMP_FLAG_RECENT | NVP_CAMP_FLAG_ACKED;
		}
	}
	for (uint32_t b = 0; b < r->nr_blocks; b++) {
		uint64_t i = nvp_version_seq(r->after[b]) - r->cycle.seq;

		if (r->flags[b] & NVP_CAMP_FLAG_RECENT &&
		    nvp_version_what(r->after[b]) == NVP_VERSION_STAMP && i < nr_ops && !acked[i])
			r->flags[b] &= (uint8_t)~NVP_CAMP_FLAG_ACKED;
	}
}

static void stand(struct nvp_resume *r, uint32_t cycle)
{
	unsigned last = r->nr_spans - 1;

	if (r->nr_spans && last < NVP_RESUME_SPANS && r->stands[last][1] + 1 == cycle) {
		r->stands[last][1] = cycle;
		return;
	}
	if (r->nr_spans++ < NVP_RESUME_SPANS)
		r->stands[last + 1][0] = r->stands[last + 1][1] = cycle;
}

const char *nvp_resume_stands(const struct nvp_resume *r, char text[200])
{
	size_t at = 0;

	snprintf(text, 200, "none");
	for (unsigned i = 0; i < r->nr_spans && i < NVP_RESUME_SPANS; i++) {
		at += (size_t)snprintf(text + at, 200 - at, "%s%u", i ? ", " : "", r->stands[i][0]);
		if (r->stands[i][1] != r->stands[i][0])
			at += (size_t)snprintf(text + at, 200 - at, "-%u", r->stands[i][1]);
	}
	if (r->nr_spans > NVP_RESUME_SPANS)
		snprintf(text + at, 200 - at, " and more");
	return text;
}

static void end_cycle(struct nvp_resume *r)
{
	uint32_t nr_ops = 0;
	uint8_t *acked;

	for (size_t i = 0; i < r->nr_entries; i++)
		if (r->entry[i].what == NVP_RESUME_RING)
			nr_ops += r->entry[i].arg;
	acked = calloc(nr_ops + 1u, 1);
	if (!acked) {
		r->failed = true;
		return;
	}
	for (size_t i = 0; i < r->nr_entries; i++)
		if (r->entry[i].what == NVP_RESUME_ACK && r->entry[i].arg < nr_ops)
			acked[r->entry[i].arg] = 1;
	mark(r, nr_ops, acked);
	free(acked);
	r->verified = true;
	stand(r, r->cycle.cycle);
}

static void on_event(void *context, enum nvp_journal_event event, uint64_t value)
{
	struct nvp_resume *r = context;

	(void)value;
	if (!good(r) || !r->has_cycle)
		return;
	if (event == NVP_JOURNAL_RESET)
		r->was_reset = true;
	if (event == NVP_JOURNAL_VERIFIED)
		end_cycle(r);
	else
		add(r, (struct nvp_resume_entry){ .what = NVP_RESUME_EVENT, .arg = event });
}

static void on_settled(void *context, const struct nvp_journal_settled *settled, uint32_t nr)
{
	struct nvp_resume *r = context;

	for (uint32_t i = 0; good(r) && i < nr; i++) {
		if (settled[i].block >= r->nr_blocks)
			continue;
		if (r->verified)
			r->moved[settled[i].block] = settled[i].version;
		else
			holds(r, settled[i].block, settled[i].version);
	}
}

static void on_damaged(void *context, uint64_t offset)
{
	struct nvp_resume *r = context;

	(void)offset;
	forget(r);
	r->verified = false;
}

int nvp_resume_read(struct nvp_resume *r, const char *path, struct nvp_err *err)
{
	const struct nvp_journal_reader reader = {
		.context = r, .begin = on_begin, .cycle = on_cycle, .ring = on_ring,
		.ack = on_ack, .event = on_event, .settled = on_settled, .damaged = on_damaged };
	int rc;

	*r = (struct nvp_resume){ 0 };
	rc = nvp_journal_read(path, &reader, &r->end, err);
	if (!rc && (!r->has_begin || r->failed))
		rc = nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG, "journal %s: it cannot be used",
				 path);
	return rc;
}

void nvp_resume_free(struct nvp_resume *r)
{
	free(r->known);
	free(r->before);
	free(r->after);
	free(r->moved);
	free(r->flags);
	free(r->entry);
}
