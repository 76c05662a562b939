// SPDX-License-Identifier: GPL-2.0-or-later
// Abort (NVMe Base 2.0 section 5.1): best effort, and its answer says what became of it.

#include "core/sim/commands.h"

#include "core/base/bits.h"
#include "core/sim/mechanism.h"

#define SEARCH_NS 2000		/* an Abort takes a while: several can run at once */
#define NOT_ABORTED 1u		/* Dword 0 bit 0 */

/* Another command of the queue than the named one, for a drive that picks the wrong one. */
static struct nvp_sim_cmd *neighbour(struct nvp_sim *w, struct nvp_sim_cmd *target,
				     const struct nvp_sim_cmd *c)
{
	for (uint32_t cid = 0; cid <= 0xffff; cid++) {
		struct nvp_sim_cmd *other = nvp_sim_cmd_find(w, target->sqid, (uint16_t)cid);

		if (other && other != target && other != c)
			return other;
	}
	return target;
}

static enum nvp_step search(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t dw10 = nvp_le32(c->sqe + 40);
	struct nvp_sim_cmd *target = nvp_sim_cmd_find(w, dw10 & 0xffff, (uint16_t)(dw10 >> 16));

	c->then = NULL;
	c->dw0 = NOT_ABORTED;
	if (!target || target == c) {
		if (nvp_defect(w, NVP_HOOK_ABT_RESULT))
			c->dw0 = 0;
		return NVP_STEP_COMPLETE;
	}
	if (nvp_defect(w, NVP_HOOK_ABT_NEIGHBOUR))
		target = neighbour(w, target, c);
	if (!nvp_sim_cmd_abort(w, target, NVP_SCT_GENERIC, nvp_defect(w, NVP_HOOK_ABT_STATUS) ?
			       NVP_SC_SUCCESS : NVP_SC_ABORT_REQUESTED))
		return NVP_STEP_COMPLETE;
	c->dw0 = nvp_defect(w, NVP_HOOK_ABT_DENIED) ? NOT_ABORTED : 0;
	nvp_aer_done(w, target);	/* no event may pick it any more */
	if (nvp_defect(w, NVP_HOOK_ABT_LOST))
		nvp_engine_release(w, target);
	return NVP_STEP_COMPLETE;
}

enum nvp_step nvp_sim_abort(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (w->commands->nr_aborts > w->profile->acl_z)
		return nvp_sim_fail(c, NVP_SCT_COMMAND, NVP_SC_ABORT_LIMIT);
	w->commands->nr_aborts++;
	c->scratch[0] = 1;	/* counted: nvp_abort_done takes it back */
	c->delay_ns = SEARCH_NS;
	c->then = search;
	return NVP_STEP_DELAY;
}

void nvp_abort_done(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	if (!c->sqid && c->opcode == NVP_ADMIN_ABORT && c->scratch[0])
		w->commands->nr_aborts--;
}
