// SPDX-License-Identifier: GPL-2.0-or-later
// Wrong drives that a loss of power hits during or shortly after an admin command.

#include "core/sim/cut_damage.h"

#include <nvproof/cmd.h>

#include "core/base/bits.h"

void nvp_cut_admin_done(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	if (c->opcode == NVP_ADMIN_FIRMWARE_COMMIT)
		w->cut->commit_ns = w->now_ns;
}

void nvp_cut_sticks_format(struct nvp_sim *w)
{
	for (uint32_t i = 0; i < w->nr_ns; i++)
		if (w->ns[i].format_slot)
			w->cut->stuck_nsid = w->ns[i].nsid;
	w->cut->stuck_ns = w->now_ns;
}

bool nvp_cut_format_stuck(const struct nvp_sim *w, uint32_t nsid)
{
	uint64_t ms = nvp_defect_value(w, NVP_HOOK_CUT_FORMAT_STUCK, "ms", 0);

	if (!w->cut || !w->cut->stuck_nsid || w->cut->stuck_nsid != nsid)
		return false;
	return !ms || w->now_ns - w->cut->stuck_ns < ms * NVP_NS_PER_MS;
}

bool nvp_cut_after_commit(const struct nvp_sim *w)
{
	uint64_t ms = nvp_defect_value(w, NVP_HOOK_CUT_LOSES_COMMIT, "ms", 50);

	return w->cut->commit_ns && w->now_ns - w->cut->commit_ns < ms * NVP_NS_PER_MS;
}
