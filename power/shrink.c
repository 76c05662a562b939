// SPDX-License-Identifier: GPL-2.0-or-later
// A history that fails is made smaller as long as it fails: fewer operations, then smaller ones,
// then an earlier cut. Each try is a new simulated drive, and what it draws is keyed: what is left
// out changes nothing else.

#include "power/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/text.h"

#define MOST_RUNS 400u
#define SEEDS_TRIED 12u
#define LEAST_BLOCKS 128u /* of a range: a campaign cuts it in slots of 32 */

/* ---- one run ---- */

struct listener {
	uint8_t class_id;
	bool failed;
	struct nvp_text *story; /* NULL: not wanted */
};

static void on_finding(void *context, const struct nvp_campaign_finding *finding)
{
	struct listener *l = context;

	l->failed |= finding->severity == NVP_SEVERITY_FAIL && finding->class_id == l->class_id;
}

static void on_failed(void *context, const struct nvp_failed_cycle *failed)
{
	struct listener *l = context;

	if (l->failed && l->story && !l->story->length)
		nvp_replay_story(failed, l->class_id, l->story);
}

int nvp_replay_fails(const struct nvp_replay_file *file, const char *address, uint64_t seed,
		     struct nvp_text *story, struct nvp_err *err)
{
	struct listener l = { .class_id = file->class_id, .story = story };
	const struct nvp_campaign_out out = { .context = &l, .finding = on_finding,
					      .failed = on_failed };
	struct nvp_prepared *prepared = nvp_drive_prepare(address, seed, 0, err);
	struct nvp_drive *drive = prepared ? nvp_drive_open(prepared, NULL, 1, err) : NULL;
	struct nvp_campaign_options options = { 0 };
	struct nvp_campaign_result result;

	if (drive) {
		nvp_drive_permit(drive, UINT32_MAX);
		nvp_replay_apply(file, &options);
		nvp_campaign_run(drive, &options, &out, &result, err);
	}
	nvp_drive_close(drive);
	nvp_drive_discard(prepared);
	return l.failed ? 1 : err->code;
}

/* ---- the search ---- */

struct search {
	struct nvp_replay_file *best;
	struct nvp_shrink *s;
	const char *address;
	uint64_t seed;
	int rc; /* no memory */
};

static bool fails(struct search *x, const struct nvp_replay_file *file)
{
	struct nvp_err err = { 0 };

	if (x->rc || x->s->runs >= x->s->most_runs)
		return false;
	x->s->runs++;
	if (x->s->heartbeat)
		x->s->heartbeat(x->s->context);
	return nvp_replay_fails(file, x->address, x->seed, NULL, &err) == 1;
}

/* If the changed copy fails it is the best one; it is ours or gone after this. */
static bool keep_if_fails(struct search *x, struct nvp_replay_file *changed)
{
	if (!fails(x, changed)) {
		nvp_replay_free(changed);
		return false;
	}
	nvp_replay_free(x->best);
	x->best = changed;
	return true;
}

static struct nvp_replay_file *copy(struct search *x)
{
	struct nvp_replay_file *file = nvp_replay_copy(x->best);

	if (!file)
		x->rc = -ENOMEM;
	return file;
}

/* Delta debugging: parts are left out, smaller and smaller ones, until none can be missed. */
static void fewer_ops(struct search *x)
{
	uint32_t part = x->best->replay.nr_ops / 2;

	while (part && !x->rc) {
		bool any = false;

		for (uint32_t at = x->best->replay.nr_ops; at > 0 && !x->rc;) {
			uint32_t nr = (uint32_t)nvp_min_u64(part, at);
			struct nvp_replay_file *less;

			at -= nr;
			if (nr >= x->best->replay.nr_ops || !(less = copy(x)))
				continue;
			nvp_replay_remove(less, at, nr);
			any |= keep_if_fails(x, less);
		}
		if (part > 1)
			part /= 2;
		else if (!any)
			break;
	}
}

/* Everything behind the last operation that was exposed before the cut can often go at once. */
static void fewer_behind_cut(struct search *x)
{
	const struct nvp_replay *r = &x->best->replay;
	struct nvp_replay_file *less;

	if (!r->cut.after_ops || r->nr_ops <= r->cut.after_ops || !(less = copy(x)))
		return;
	nvp_replay_remove(less, r->cut.after_ops, r->nr_ops - r->cut.after_ops);
	keep_if_fails(x, less);
}

static void set_length(struct nvp_op *op, uint32_t from, uint32_t nr)
{
	op->block += from;
	op->source += from;
	op->nlb_z = (uint16_t)(nr - 1);
}

/* Each operation: one block of it, half of it, no FUA, no barrier, the first queue. */
static void simpler_op(struct search *x, uint32_t i)
{
	const struct {
		bool one, second_half, half, fua, barrier, queue;
	} changes[] = {
		{ .one = true }, { .half = true }, { .second_half = true }, { .fua = true },
		{ .barrier = true }, { .queue = true },
	};

	for (size_t k = 0; k < NVP_ARRAY_SIZE(changes) && !x->rc; k++) {
		const struct nvp_op *now = &x->best->op[i];
		uint32_t nr = now->nlb_z + 1u;
		struct nvp_replay_file *less;

		if ((changes[k].fua && !now->fua) || (changes[k].barrier && !now->barrier) ||
		    (changes[k].queue && !now->queue) || (k < 3 && nr == 1) ||
		    (changes[k].half && nr == 2))
			continue;
		less = copy(x);
		if (!less)
			return;
		if (changes[k].one)
			set_length(&less->op[i], 0, 1);
		if (changes[k].half)
			set_length(&less->op[i], 0, nr / 2);
		if (changes[k].second_half)
			set_length(&less->op[i], nr / 2, nr - nr / 2);
		less->op[i].fua &= !changes[k].fua;
		less->op[i].barrier &= !changes[k].barrier;
		if (changes[k].queue)
			less->op[i].queue = 0;
		/* halves again, as long as it helps */
		if (keep_if_fails(x, less) && (changes[k].half || changes[k].second_half))
			k--;
	}
}

static void simpler_ops(struct search *x)
{
	for (uint32_t i = 0; i < x->best->replay.nr_ops && !x->rc; i++)
		simpler_op(x, i);
}

static void simpler_shape(struct search *x)
{
	struct nvp_replay_file *less;

	if (x->best->replay.queues > 1 && (less = copy(x))) {
		less->replay.queues = 1;
		for (uint32_t i = 0; i < less->replay.nr_ops; i++)
			less->op[i].queue = 0;
		keep_if_fails(x, less);
	}
	if (x->best->replay.depth > 1 && (less = copy(x))) {
		less->replay.depth = 1;
		keep_if_fails(x, less);
	}
	if (x->best->replay.cut.more_cuts && (less = copy(x))) {
		less->replay.cut.more_cuts = 0;
		keep_if_fails(x, less);
	}
	if (x->best->replay.phase != NVP_PHASE_WRITES && !x->best->replay.cut.clean &&
	    (less = copy(x))) {
		less->replay.phase = NVP_PHASE_WRITES;
		keep_if_fails(x, less);
	}
}

static void earlier_cut(struct search *x)
{
	for (bool again = true; again && x->best->replay.cut.delay_ns && !x->rc;) {
		struct nvp_replay_file *less = copy(x);

		if (!less)
			return;
		less->replay.cut.delay_ns = 0;
		if (keep_if_fails(x, less))
			return;
		less = copy(x);
		if (!less)
			return;
		less->replay.cut.delay_ns /= 2;
		again = keep_if_fails(x, less);
	}
}

/* Slots that nothing uses are closed up, so that the range can be short: a try is cheap then. */
static void smaller_range(struct search *x)
{
	uint32_t to[NVP_WORKLOAD_MOST_BLOCKS / 32] = { 0 }, nr = 0;
	struct nvp_replay_file *less = x->best->nr_lbas <= NVP_WORKLOAD_MOST_BLOCKS ? copy(x) : NULL;

	if (!less)
		return;
	for (uint32_t i = 0; i < less->replay.nr_ops; i++) {
		const struct nvp_op *op = &less->op[i];

		for (uint32_t b = op->block / 32; b <= (op->block + op->nlb_z) / 32; b++)
			to[b] = 1;
		if (op->kind == NVP_ORACLE_COPY)
			for (uint32_t b = op->source / 32; b <= (op->source + op->nlb_z) / 32; b++)
				to[b] = 1;
	}
	for (uint32_t b = 0; b < NVP_ARRAY_SIZE(to); b++)
		to[b] = to[b] ? nr++ * 32 : 0;
	for (uint32_t i = 0; i < less->replay.nr_ops; i++) {
		struct nvp_op *op = &less->op[i];

		op->block = to[op->block / 32] + op->block % 32;
		op->source = to[op->source / 32] + op->source % 32;
	}
	less->nr_lbas = nvp_max_u64(LEAST_BLOCKS, nr * 32u);
	if (less->nr_lbas < x->best->nr_lbas)
		keep_if_fails(x, less);
	else
		nvp_replay_free(less);
}

/*
 * A new drive is in its first power cycle, where the failing one was not: what its cache loses is
 * drawn anew. So other seeds of the drive are tried until one fails as the first did.
 */
static bool find_again(struct search *x)
{
	for (unsigned i = 0; i < SEEDS_TRIED && !x->rc; i++) {
		x->seed = x->s->seed + i;
		if (fails(x, x->best))
			return true;
	}
	return false;
}

/* The address without what belongs to that one run: its image, its seed; the clock is virtual. */
static void plain_address(const char *address, char *out, size_t bytes)
{
	const char *at = strchr(address, ':');
	size_t length = at ? (size_t)(at - address) + 1 : 0;
	char copied[NVP_REPLAY_ADDRESS_BYTES], *save = NULL;
	bool first = true;

	snprintf(out, bytes, "%.*s", (int)length, address);
	snprintf(copied, sizeof(copied), "%s", address + length);
	for (char *key = strtok_r(copied, ",", &save); key; key = strtok_r(NULL, ",", &save)) {
		if (!strncmp(key, "image=", 6) || !strncmp(key, "seed=", 5) ||
		    !strncmp(key, "clock=", 6))
			continue;
		snprintf(out + strlen(out), bytes - strlen(out), "%s%s", first ? "" : ",", key);
		first = false;
	}
}

static int tell(struct search *x, struct nvp_text *story, struct nvp_err *err)
{
	struct nvp_replay_file *file = x->best;
	size_t length = strlen(x->address);
	int rc;

	snprintf(file->drive, sizeof(file->drive), "%s%sseed=%llu", x->address,
		 x->address[length - 1] == ':' ? "" : ",", (unsigned long long)x->seed);
	rc = nvp_replay_fails(file, x->address, x->seed, story, err);
	return rc < 0 ? rc : 0;
}

int nvp_replay_shrink(struct nvp_replay_file *file, struct nvp_shrink *s, struct nvp_text *story,
		      struct nvp_err *err)
{
	char address[NVP_REPLAY_ADDRESS_BYTES - 32];
	struct search x = { .s = s, .address = address };
	uint32_t before;
	int rc = -ENOENT;

	if (!s->most_runs)
		s->most_runs = MOST_RUNS;
	s->runs = 0;
	s->ops_before = s->ops = file->replay.nr_ops;
	plain_address(s->address, address, sizeof(address));
	x.best = nvp_replay_copy(file);
	if (!x.best)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "shrinking");
	if (find_again(&x)) {
		smaller_range(&x);
		fewer_behind_cut(&x);
		do {
			before = x.best->replay.nr_ops;
			fewer_ops(&x);
			simpler_shape(&x);
			smaller_range(&x);
			simpler_ops(&x);
			earlier_cut(&x);
		} while (x.best->replay.nr_ops < before && !x.rc);
		rc = tell(&x, story, err);
		s->ops = x.best->replay.nr_ops;
	}
	if (!rc && !x.rc) {
		struct nvp_replay_file was = *file;

		*file = *x.best;
		*x.best = was;
	}
	nvp_replay_free(x.best);
	return x.rc ? nvp_err_set(err, NVP_ERR_BROKEN, x.rc, "shrinking") : rc;
}
