// SPDX-License-Identifier: GPL-2.0-or-later
// A history that fails is made smaller as long as it fails: fewer operations, then smaller ones,
// then an earlier cut. Each try is a new simulated drive, and what it draws is keyed: what is left
// out changes nothing else.

#include "power/shrink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "power/ledger.h"

#define MOST_RUNS 400u
#define MOST_BLOCKS 200000u /* filled in all runs together */
#define SEEDS_TRIED 8u
#define MANY_OPS 8u
#define ROOM_FOR_KEY 48u /* cache-loss, detect-us and dead-us */

/* ---- the search ---- */

static bool fails(struct nvp_shrink_search *x, const struct nvp_replay_file *file)
{
	struct nvp_shrink_listener l = { .class_id = file->class_id };
	struct nvp_err err = { 0 };

	if (x->rc || x->s->runs >= x->s->most_runs || x->blocks > MOST_BLOCKS)
		return false;
	x->s->runs++;
	x->blocks += file->nr_lbas;
	if (x->s->heartbeat)
		x->s->heartbeat(x->s->context);
	if (nvp_shrink_run(file, x->address, x->seed, &l, &err) != 1)
		return false;
	memcpy(x->block, l.block, sizeof(x->block));
	x->nr_blocks = l.nr_blocks;
	return true;
}

bool nvp_shrink_keep(struct nvp_shrink_search *x, struct nvp_replay_file *changed)
{
	if (!fails(x, changed)) {
		nvp_replay_free(changed);
		return false;
	}
	nvp_replay_free(x->best);
	x->best = changed;
	return true;
}

struct nvp_replay_file *nvp_shrink_copy(struct nvp_shrink_search *x)
{
	struct nvp_replay_file *file = nvp_replay_copy(x->best);

	if (!file)
		x->rc = -ENOMEM;
	return file;
}

/* Delta debugging: parts are left out, smaller and smaller ones, until none can be missed. */
static void fewer_ops(struct nvp_shrink_search *x)
{
	uint32_t part = x->best->replay.nr_ops / 2;

	while (part && !x->rc) {
		bool any = false;

		if (x->best->replay.nr_ops > MANY_OPS && nvp_shrink_of_one_block(x))
			part = (x->best->replay.nr_ops + 1) / 2;
		for (uint32_t at = x->best->replay.nr_ops; at > 0 && !x->rc;) {
			uint32_t nr = (uint32_t)nvp_min_u64(part, at);
			struct nvp_replay_file *less;

			at -= nr;
			if (nr >= x->best->replay.nr_ops || !(less = nvp_shrink_copy(x)))
				continue;
			nvp_replay_remove(less, at, nr);
			any |= nvp_shrink_keep(x, less);
		}
		if (part > 1)
			part /= 2;
		else if (!any)
			break;
	}
}

/* Everything behind the last operation that was exposed before the cut can often go at once. */
static void fewer_behind_cut(struct nvp_shrink_search *x)
{
	const struct nvp_replay *r = &x->best->replay;
	uint32_t behind = nvp_replay_last(r) + r->cut.after_ops;
	struct nvp_replay_file *less;

	if (!r->cut.after_ops || r->nr_ops <= behind || !(less = nvp_shrink_copy(x)))
		return;
	nvp_replay_remove(less, behind, r->nr_ops - behind);
	nvp_shrink_keep(x, less);
}

static void smaller_range(struct nvp_shrink_search *x)
{
	struct nvp_replay_file *less = nvp_shrink_copy(x);

	if (!less)
		return;
	nvp_shrink_compact(less);
	if (less->nr_lbas < x->best->nr_lbas)
		nvp_shrink_keep(x, less);
	else
		nvp_replay_free(less);
}

/* As it is, with a cache that loses all; or with other seeds of the drive. */
static bool find_with(struct nvp_shrink_search *x, unsigned seeds)
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
	for (unsigned i = 0; i < seeds && !x->rc; i++) {
		x->seed = x->s->seed + i;
		if (fails(x, x->best))
			return true;
	}
	return false;
}

/* The last so many cycles; idle: behind one in which nothing is done. */
static bool take_cycles(struct nvp_shrink_search *x, const struct nvp_replay_file *file,
			uint32_t kept, bool idle)
{
	uint32_t end, cycles = nvp_replay_cycles(&file->replay);

	nvp_replay_free(x->best);
	x->best = nvp_replay_copy(file);
	if (!x->best || (idle && !nvp_replay_add(x->best))) {
		x->rc = -ENOMEM;
		return false;
	}
	if (idle) {
		memmove(x->best->op + 1, x->best->op,
			(x->best->replay.nr_ops - 1) * sizeof(*x->best->op));
		x->best->op[1].next = true;
		x->best->op[0] = (struct nvp_op){ .kind = NVP_ORACLE_FLUSH };
	}
	nvp_replay_remove(x->best, idle, nvp_replay_cycle(&file->replay, cycles - kept, &end));
	return true;
}

/*
 * A new drive is in its first power cycle, where the failing one was not: what its cache loses is
 * drawn anew. So it is made to lose all, or else other seeds of the drive are tried, until one
 * fails as the first did. A cycle with nothing done lets it forget how the range was filled; what
 * goes wrong over several cycles needs those before it.
 */
static bool find_again(struct nvp_shrink_search *x, const struct nvp_replay_file *file)
{
	uint32_t cycles = nvp_replay_cycles(&file->replay);

	if (take_cycles(x, file, 1, false) && find_with(x, 1))
		return true;
	if (take_cycles(x, file, 1, true) && find_with(x, 1))
		return true;
	for (uint32_t kept = 2; kept <= cycles && !x->rc; kept++)
		if (take_cycles(x, file, kept, false) && find_with(x, 1))
			return true;
	return take_cycles(x, file, 1, false) && find_with(x, SEEDS_TRIED);
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

static int tell(struct nvp_shrink_search *x, struct nvp_text *story, struct nvp_err *err)
{
	struct nvp_replay_file *file = x->best;
	size_t length = strlen(x->address);
	int rc;

	snprintf(file->drive, sizeof(file->drive), "%s%sseed=%llu", x->address,
		 x->address[length - 1] == ':' ? "" : ",", (unsigned long long)x->seed);
	rc = nvp_replay_fails(file, x->address, x->seed, story, err);
	return rc < 0 ? rc : 0;
}

/* From what was found again to the smallest. */
static void shrink(struct nvp_shrink_search *x)
{
	uint32_t before;

	smaller_range(x);
	fewer_behind_cut(x);
	do {
		before = x->best->replay.nr_ops;
		fewer_ops(x);
		nvp_shrink_simpler_shape(x);
		smaller_range(x);
		nvp_shrink_simpler_ops(x);
		nvp_shrink_simpler_cut(x);
	} while (x->best->replay.nr_ops < before && !x->rc);
}

/* One that stays long is often short behind an idle cycle. The shorter one is kept. */
static void shrink_behind_idle(struct nvp_shrink_search *x, const struct nvp_replay_file *file)
{
	struct nvp_shrink_search y = *x;
	bool found;

	y.best = NULL;
	y.blocks = 0;
	plain_address(x->s->address, y.address, sizeof(y.address) - ROOM_FOR_KEY);
	found = take_cycles(&y, file, nvp_replay_cycles(&x->best->replay), true) && find_with(&y, 1);
	if (found)
		shrink(&y);
	if (found && y.best->replay.nr_ops < x->best->replay.nr_ops) {
		nvp_replay_free(x->best);
		*x = y;
	} else {
		nvp_replay_free(y.best);
	}
}

int nvp_replay_shrink(struct nvp_replay_file *file, struct nvp_shrink *s, struct nvp_text *story,
		      struct nvp_err *err)
{
	struct nvp_shrink_search x = { .s = s };
	int rc = -ENOENT;

	if (!s->most_runs)
		s->most_runs = MOST_RUNS;
	s->runs = 0;
	s->ops_before = s->ops = file->replay.nr_ops - nvp_replay_last(&file->replay);
	plain_address(s->address, x.address, sizeof(x.address) - ROOM_FOR_KEY);
	if (find_again(&x, file)) {
		shrink(&x);
		if (x.best->replay.nr_ops > MANY_OPS)
			shrink_behind_idle(&x, file);
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
