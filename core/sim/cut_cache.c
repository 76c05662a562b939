// SPDX-License-Identifier: GPL-2.0-or-later
// Wrong ideas of what may stay in the cache, and of what a flush has to write.

#include "core/sim/cut.h"

#include <nvproof/cmd.h>

#include "core/base/bits.h"
#include "core/sim/cache.h"

/* plp=on: the stored energy is not there for this write. */
bool nvp_cut_unprotected(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	const struct nvp_cut_state *s = w->cut;
	uint64_t ms = nvp_defect_value(w, NVP_HOOK_PLP_NOT_CHARGED, "ms", 500);

	if (nvp_defect(w, NVP_HOOK_PLP_WEAK))
		return true;
	if (!s)
		return false;
	if (nvp_defect(w, NVP_HOOK_PLP_NOT_CHARGED) &&
	    w->now_ns < s->power_on_ns + ms * NVP_NS_PER_MS)
		return true;
	if (nvp_defect(w, NVP_HOOK_PLP_TRIMMING) && s->nr_trims)
		return true;
	return nvp_defect(w, NVP_HOOK_PLP_LARGE) &&
	       c->nr_lbas >= nvp_defect_value(w, NVP_HOOK_PLP_LARGE, "blocks", 8);
}

/* Force Unit Access is overlooked. */
static bool forgets_fua(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	if (nvp_defect(w, NVP_HOOK_FUA_IGNORED))
		return true;
	if (nvp_defect(w, NVP_HOOK_FUA_ZEROES) && c->opcode == NVP_IO_WRITE_ZEROES)
		return true;
	if (nvp_defect(w, NVP_HOOK_FUA_LARGE) &&
	    c->nr_lbas >= nvp_defect_value(w, NVP_HOOK_FUA_LARGE, "blocks", 8))
		return true;
	return nvp_defect(w, NVP_HOOK_FUA_FALLING) && w->cut && w->cut->falling;
}

bool nvp_cut_cached(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	bool on = w->live.write_cache || nvp_defect(w, NVP_HOOK_CACHE_OFF_IGNORED) ||
		  (nvp_defect(w, NVP_HOOK_CACHE_ON_AFTER_CUT) && w->cut && w->cut->after_cut);

	return on && (!c->fua || forgets_fua(w, c));
}

/* ---- flush ---- */

static bool lies(struct nvp_sim *w)
{
	const struct nvp_cut_state *s = w->cut;
	uint64_t ms = nvp_defect_value(w, NVP_HOOK_FLUSH_LIES_EARLY, "ms", 100);

	if (nvp_defect_nth(w, NVP_HOOK_FLUSH_LIES))
		return true;
	if (!s)
		return false;
	if (nvp_defect(w, NVP_HOOK_FLUSH_LIES_EARLY) &&
	    w->now_ns < s->power_on_ns + ms * NVP_NS_PER_MS)
		return true;
	return nvp_defect(w, NVP_HOOK_FLUSH_LIES_TRIMMING) && s->nr_trims;
}

uint64_t nvp_cut_flush_upto(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	const struct nvp_cache_state *s = w->cache;

	if (c->opcode != NVP_IO_FLUSH)
		return s->next_sequence;
	if (lies(w))
		return 0;
	if (nvp_defect(w, NVP_HOOK_FLUSH_ALL_BUT_LAST) && s->newest != NVP_NO_UNIT)
		return s->unit[s->newest].sequence - 1;
	return s->next_sequence;
}

bool nvp_cut_flush_is_partial(const struct nvp_sim *w)
{
	return nvp_defect(w, NVP_HOOK_FLUSH_OWN_QUEUE) || nvp_defect(w, NVP_HOOK_FLUSH_FIRST_NS) ||
	       nvp_defect(w, NVP_HOOK_FLUSH_DATA_ONLY);
}

bool nvp_cut_flush_covers(const struct nvp_sim *w, const struct nvp_sim_cmd *c,
			  const struct nvp_unit *u)
{
	if (c->opcode != NVP_IO_FLUSH)
		return true;
	if (nvp_defect(w, NVP_HOOK_FLUSH_OWN_QUEUE) && u->sqid != c->sqid)
		return false;
	if (nvp_defect(w, NVP_HOOK_FLUSH_FIRST_NS) && u->nsid != 1)
		return false;
	return !nvp_defect(w, NVP_HOOK_FLUSH_DATA_ONLY) || u->kind == NVP_MAP_DATA;
}
