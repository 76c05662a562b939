// SPDX-License-Identifier: GPL-2.0-or-later
// Namespace Write Protection (NVMe Base 2.0, 5.27.1.23, 8.12): states, and what they refuse.

#include "core/base/bits.h"
#include "core/sim/commands.h"
#include "core/sim/manage.h"

#define DSM_DEALLOCATE 0x4

enum { FREE = 0, PROTECTED = 1, UNTIL_POWER_CYCLE = 2 };

static struct nvp_protect_record *record(const struct nvp_sim *w)
{
	return &w->commands->manage->protect;
}

bool nvp_sim_has_protection(const struct nvp_sim *w)
{
	return w->profile->optional_commands;
}

static void commit(struct nvp_sim *w)
{
	nvp_nv_commit(w, NVP_NV_MISC, record(w), sizeof(*record(w)));
}

void nvp_protect_power_on(struct nvp_sim *w)
{
	struct nvp_protect_record *r = record(w);
	bool changed = false;

	nvp_nv_load(w, NVP_NV_MISC, r, sizeof(*r));
	for (unsigned i = 0; i < NVP_MAX_NAMESPACES; i++) {
		if (r->state[i] != UNTIL_POWER_CYCLE)
			continue;
		r->state[i] = FREE;
		changed = true;
	}
	if (changed)
		commit(w);
}

void nvp_protect_reset(struct nvp_sim *w)
{
	if (nvp_defect(w, NVP_HOOK_WP_RESET))
		for (unsigned i = 0; i < NVP_MAX_NAMESPACES; i++)
			record(w)->state[i] = FREE;
}

uint8_t nvp_protect_state(const struct nvp_sim *w, uint32_t nsid)
{
	return nsid >= 1 && nsid <= NVP_MAX_NAMESPACES ? record(w)->state[nsid - 1] : FREE;
}

void nvp_protect_forget(struct nvp_sim *w, uint32_t nsid)
{
	if (nvp_protect_state(w, nsid) == FREE)
		return;
	record(w)->state[nsid - 1] = FREE;
	commit(w);
}

/* What is in the cache comes before the protection. */
enum nvp_step nvp_protect_set(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	unsigned to = nvp_le32(c->sqe + 44) & 7;

	if (!nvp_sim_take_ns(w, c))
		return NVP_STEP_COMPLETE;
	if (to > UNTIL_POWER_CYCLE)
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 11, 0);
	if (nvp_protect_state(w, c->nsid) == UNTIL_POWER_CYCLE)
		return nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_NOT_CHANGEABLE, 10, 0);
	record(w)->state[c->nsid - 1] = (uint8_t)to;
	commit(w);
	c->then = NULL;
	return NVP_STEP_FLUSH;
}

static bool changes_blocks(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	switch (c->opcode) {
	case NVP_IO_WRITE:
	case NVP_IO_WRITE_UNCORRECTABLE:
	case NVP_IO_COPY:
		return true;
	case NVP_IO_WRITE_ZEROES:
		return !nvp_defect(w, NVP_HOOK_WP_ZEROES);
	case NVP_IO_DSM:
		return c->sqe[44] & DSM_DEALLOCATE && !nvp_defect(w, NVP_HOOK_WP_DSM);
	case NVP_IO_READ:
		return nvp_defect(w, NVP_HOOK_WP_READ);
	default:
		return false;
	}
}

bool nvp_protect_refuses(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t nsid = nvp_defect(w, NVP_HOOK_WP_OTHER) ? 1 : c->nsid;

	if (nvp_protect_state(w, nsid) == FREE || nvp_defect(w, NVP_HOOK_WP_IGNORED) ||
	    !changes_blocks(w, c))
		return false;
	nvp_sim_fail(c, NVP_SCT_GENERIC, nvp_defect(w, NVP_HOOK_WP_STATUS) ?
		     NVP_SC_INVALID_FIELD : NVP_SIM_SC_PROTECTED);
	return true;
}
