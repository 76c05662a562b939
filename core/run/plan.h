/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which cases run on a drive, in what order, and why one does not. */
#ifndef NVP_RUN_PLAN_H
#define NVP_RUN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/run/run.h"

/* One case to run; both borrowed from the registry. */
struct nvp_plan_item {
	const struct nvp_case *record;
	const char *id;		/* with variant */
	uint32_t round, rounds;	/* this is the so-many-th of so many runs in a row, from 1 */
};

/* So many begins of cases in one run at most: what a report believes. */
#define NVP_PLAN_MOST 100000

struct nvp_plan {
	struct nvp_plan_item *items;
	size_t nr;
};

/*
 * The cases that any of the globs matches (none given: all), ascending by id or, with shuffle,
 * in an order that the seed decides for each case by itself. A glob matches the id, or the id
 * without its variant. With repeat every case stands there so often, in a row. -EINVAL when a
 * glob matches nothing: *err names it and the nearest id; and when the plan is too long.
 */
int nvp_plan_make(struct nvp_plan *plan, const struct nvp_registry *registry,
		  const struct nvp_run_request *request, struct nvp_err *err);
void nvp_plan_free(struct nvp_plan *plan);

/* The registry's id that is nearest to a word, or NULL. */
const char *nvp_registry_nearest(const struct nvp_registry *registry, const char *word);
/* Does a glob match this id, or this id without its variant? */
bool nvp_id_match(const char *glob, const char *id);

/* Variant of an id: what follows '@', or NULL. */
const char *nvp_id_variant(const char *id);

/*
 * Can the case run here? False, and the reason in text, when not. spec_version: NVP_VERSION that
 * the user asked for, 0: the drive's own; path: enum nvp_path bits; allow: NVP_IMPACT_* bits that
 * are permitted on this drive.
 */
bool nvp_case_applies(const struct nvp_case *record, const struct nvp_facts *facts,
		      uint32_t spec_version, uint32_t path, uint32_t allow, char *reason,
		      size_t bytes);

/* The word of one impact bit ("state"), or NULL; for lists: bits 0 and up until NULL. */
const char *nvp_impact_word(unsigned bit);

#endif
