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
#include "power/ledger.h"

#define MOST_RUNS 400u
#define MOST_BLOCKS 200000u /* filled in all runs together */
#define SEEDS_TRIED 12u
#define PLACES 16u
#define MANY_OPS 8u
#define SLOT 32u /* blocks of a slot of a campaign */
#define ROOM_FOR_KEY 24u /* cache-loss */
#define STILL_NS (2 * NVP_NS_PER_MS)
#define LEAST_BLOCKS 128u /* of a range: a campaign cuts it in slots of 32 */

/* ---- one run ---- */

struct listener {
	uint8_t class_id;
	bool failed;
	uint32_t block[PLACES]; /* that failed, one of each slot */
	unsigned nr_blocks;
	struct nvp_text *story; /* NULL: not wanted */
};

static void on_finding(void *context, const struct nvp_campaign_finding *finding)
{
	struct listener *l = context;

	l->failed |= finding->severity == NVP_SEVERITY_FAIL && finding->class_id == l->class_id;
}

/* First those whose whole history is in the cycle: what they hold was written in it. */
static void take_places(struct listener *l, const struct nvp_failed_cycle *failed, bool whole)
{
	for (uint32_t i = 0; i < failed->nr_blocks && l->nr_blocks < PLACES; i++) {
		const struct nvp_history_block *b = &failed->blocks[i];
		bool of_cycle = nvp_version_what(b->is) == NVP_VERSION_STAMP &&
				nvp_version_seq(b->is) >= failed->seq;

		if (b->finding.class == l->class_id &&
		    b->finding.severity == NVP_SEVERITY_FAIL && of_cycle == whole &&
		    (!l->nr_blocks || l->block[l->nr_blocks - 1] / SLOT != b->seen.block / SLOT))
			l->block[l->nr_blocks++] = b->seen.block;
	}
}

static void on_failed(void *context, const struct nvp_failed_cycle *failed)
{
	struct listener *l = context;

	take_places(l, failed, true);
	take_places(l, failed, false);
	if (l->failed && l->story && !l->story->length)
		nvp_replay_story(failed, l->class_id, l->story);
}

static int run_once(const struct nvp_replay_file *file, const char *address, uint64_t seed,
		    struct listener *l, struct nvp_err *err)
{
	const struct nvp_campaign_out out = { .context = l, .finding = on_finding,
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
	return l->failed ? 1 : err->code;
}

int nvp_replay_fails(const struct nvp_replay_file *file, const char *address, uint64_t seed,
		     struct nvp_text *story, struct nvp_err *err)
{
	struct listener l = { .class_id = file->class_id, .story = story };

	return run_once(file, address, seed, &l, err);
}

/* ---- the search ---- */

struct search {
	struct nvp_replay_file *best;
	struct nvp_shrink *s;
	char address[NVP_REPLAY_ADDRESS_BYTES - 32]; /* room for the seed */
	uint64_t seed;
	uint32_t block[PLACES]; /* that failed in the best one */
	unsigned nr_blocks;
	uint64_t blocks; /* of the ranges of all runs: what they cost */
	int rc; /* no memory */
};

static bool fails(struct search *x, const struct nvp_replay_file *file)
{
	struct listener l = { .class_id = file->class_id };
	struct nvp_err err = { 0 };

	if (x->rc || x->s->runs >= x->s->most_runs || x->blocks > MOST_BLOCKS)
		return false;
	x->s->runs++;
	x->blocks += file->nr_lbas;
	if (x->s->heartbeat)
		x->s->heartbeat(x->s->context);
	if (run_once(file, x->address, x->seed, &l, &err) != 1)
		return false;
	memcpy(x->block, l.block, sizeof(x->block));
	x->nr_blocks = l.nr_blocks;
	return true;
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

static bool touches(const struct nvp_op *op, uint32_t block)
{
	if (op->kind == NVP_ORACLE_FLUSH)
		return true;
	return op->kind <= NVP_ORACLE_COPY &&
	       ((block >= op->block && block - op->block <= op->nlb_z) ||
		(op->kind == NVP_ORACLE_COPY && block >= op->source &&
		 block - op->source <= op->nlb_z));
}

/* Slots that nothing uses are closed up, so that the range can be short: a try is cheap then. */
static void compact(struct nvp_replay_file *less)
{
	uint32_t to[2 * NVP_WORKLOAD_MOST_BLOCKS / SLOT] = { 0 }, nr = 0;

	for (uint32_t i = 0; i < less->replay.nr_ops; i++) {
		const struct nvp_op *op = &less->op[i];

		for (uint32_t b = op->block / SLOT; b <= (op->block + op->nlb_z) / SLOT; b++)
			to[b] = 1;
		for (uint32_t b = op->source / SLOT;
		     op->kind == NVP_ORACLE_COPY && b <= (op->source + op->nlb_z) / SLOT; b++)
			to[b] = 1;
	}
	for (uint32_t b = 0; b < NVP_ARRAY_SIZE(to); b++)
		to[b] = to[b] ? nr++ * SLOT : 0;
	for (uint32_t i = 0; i < less->replay.nr_ops; i++) {
		struct nvp_op *op = &less->op[i];

		op->block = to[op->block / SLOT] + op->block % SLOT;
		op->source = to[op->source / SLOT] + op->source % SLOT;
	}
	less->nr_lbas = nvp_min_u64(less->nr_lbas, nvp_max_u64(LEAST_BLOCKS, nr * SLOT));
}

/* A leap: only what has to do with one block that failed; one after the other if it must be. */
static struct nvp_replay_file *leap(struct search *x, uint32_t block, unsigned how)
{
	struct nvp_replay_file *less = copy(x);

	for (uint32_t at = less ? less->replay.nr_ops : 0; at > 0; at--)
		if (!touches(&less->op[at - 1], block))
			nvp_replay_remove(less, at - 1, 1);
	if (!less || !less->replay.nr_ops || less->replay.nr_ops == x->best->replay.nr_ops) {
		nvp_replay_free(less);
		return NULL;
	}
	if (how)
		less->replay.cut.after_ops = less->replay.nr_ops;
	if (how == 1)
		less->replay.cut.delay_ns = STILL_NS;
	if (how == 2) {
		less->replay.cut.delay_ns = 0;
		less->replay.depth = less->replay.queues = 1;
	}
	compact(less);
	return less;
}

static bool of_one_block(struct search *x)
{
	uint32_t block[PLACES];
	unsigned nr = x->nr_blocks;

	memcpy(block, x->block, sizeof(block));
	for (unsigned how = 3; how > 0 && !x->rc; how--) {
		for (unsigned i = 0; i < nr && !x->rc; i++) {
			struct nvp_replay_file *less = leap(x, block[i], how - 1);

			if (less && keep_if_fails(x, less))
				return true;
		}
	}
	return false;
}

/* Delta debugging: parts are left out, smaller and smaller ones, until none can be missed. */
static void fewer_ops(struct search *x)
{
	uint32_t part = x->best->replay.nr_ops / 2;

	while (part && !x->rc) {
		bool any = false;

		if (x->best->replay.nr_ops > MANY_OPS && of_one_block(x))
			part = (x->best->replay.nr_ops + 1) / 2;
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

/* The cut armed behind the last operation, so many ns later. */
static bool cut_behind(struct search *x, uint64_t delay_ns)
{
	const struct nvp_cut *now = &x->best->replay.cut;
	uint32_t nr = x->best->replay.nr_ops;
	struct nvp_replay_file *last;

	if (now->after_ops == nr && now->delay_ns == delay_ns)
		return true;
	last = copy(x);
	if (!last)
		return false;
	last->replay.cut.after_ops = nr;
	last->replay.cut.delay_ns = delay_ns;
	return keep_if_fails(x, last);
}

/* Simplest is a cut behind all that is done, at once or when all is still; else the earliest. */
static void simpler_cut(struct search *x)
{
	if (cut_behind(x, 0) || cut_behind(x, STILL_NS))
		return;
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

static void smaller_range(struct search *x)
{
	struct nvp_replay_file *less = copy(x);

	if (!less)
		return;
	compact(less);
	if (less->nr_lbas < x->best->nr_lbas)
		keep_if_fails(x, less);
	else
		nvp_replay_free(less);
}

/*
 * A new drive is in its first power cycle, where the failing one was not: what its cache loses is
 * drawn anew. So it is made to lose all, or else other seeds of the drive are tried, until one
 * fails as the first did.
 */
static bool find_again(struct search *x)
{
	size_t length = strlen(x->address);

	x->seed = x->s->seed;
	if (!strstr(x->address, "cache-loss=")) {
		snprintf(x->address + length, sizeof(x->address) - length, "%scache-loss=all",
			 x->address[length - 1] == ':' ? "" : ",");
		if (fails(x, x->best))
			return true;
		x->address[length] = '\0';
	}
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
	struct search x = { .s = s };
	uint32_t before;
	int rc = -ENOENT;

	if (!s->most_runs)
		s->most_runs = MOST_RUNS;
	s->runs = 0;
	s->ops_before = s->ops = file->replay.nr_ops;
	plain_address(s->address, x.address, sizeof(x.address) - ROOM_FOR_KEY);
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
			simpler_cut(&x);
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
