// SPDX-License-Identifier: GPL-2.0-or-later
// Write Uncorrectable and Verify (NVM Command Set 1.0 sections 3.2.7 and 3.2.5).

#include "core/sim/commands.h"

#include "core/base/bits.h"
#include "core/sim/protection.h"

/* A wrong drive answers a range that passes the end with success, and does nothing. */
static enum nvp_step refused(const struct nvp_sim *w, struct nvp_sim_cmd *c,
			     enum nvp_hook lets_pass)
{
	bool range = c->sct == NVP_SCT_GENERIC && c->sc == NVP_SC_LBA_RANGE;

	if (range && nvp_defect(w, lets_pass)) {
		c->sc = NVP_SC_SUCCESS;
		c->dnr = false;
		c->location_1 = 0;
	}
	return NVP_STEP_COMPLETE;
}

/*
 * Sizes above VSL and WUSL are carried out: ONCS says that the commands are there whatever the
 * size, and the limits are what is recommended then (4.1.5.2).
 */
static bool above_limit(const struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint64_t bytes = (uint64_t)c->nr_lbas * c->ns->lba_bytes;

	if (bytes <= (uint64_t)NVP_SIM_PAGE_BYTES << NVP_SIM_SIZE_LIMIT ||
	    !nvp_defect(w, NVP_HOOK_SIZE_LIMIT))
		return false;
	nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 12, 0);
	return true;
}

enum nvp_step nvp_sim_write_uncorrectable(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t bytes;

	if (!nvp_sim_take_lbas(w, c, false, &bytes))
		return refused(w, c, NVP_HOOK_WU_RANGE_OK);
	if (above_limit(w, c) || nvp_defect(w, NVP_HOOK_WU_IGNORED))
		return NVP_STEP_COMPLETE;
	c->fua = false;		/* the command has no such bit */
	if (nvp_defect(w, NVP_HOOK_WU_NEIGHBOUR) && c->slba + c->nr_lbas < c->ns->nr_lbas)
		c->nr_lbas++;
	if (nvp_defect(w, NVP_HOOK_WU_SHORT) && c->nr_lbas)
		c->nr_lbas--;
	c->mark = true;
	return c->nr_lbas ? NVP_STEP_ZERO : NVP_STEP_COMPLETE;
}

/* ---- Verify ---- */

#define VERIFY_LBAS 256u	/* read at a time; scratch[0] is where the range ends */

static enum nvp_step verify_done(struct nvp_sim *w, struct nvp_sim_cmd *c);

static enum nvp_step verify_next(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint64_t left = c->scratch[0] - c->slba;

	if (!left)
		return NVP_STEP_COMPLETE;
	c->nr_lbas = left < VERIFY_LBAS ? (uint32_t)left : VERIFY_LBAS;
	c->media = nvp_sim_cmd_data(w, c, c->nr_lbas * c->ns->lba_bytes);
	if (c->ns->pi_type)
		c->meta = nvp_sim_cmd_buffer(c, NVP_BUFFER_META, c->nr_lbas * c->ns->meta_bytes);
	c->then = verify_done;
	return NVP_STEP_READ;
}

/* The arguments are of the first block of the command. */
static bool protection_good(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args a = nvp_pi_args(c);

	if (!c->meta || nvp_defect(w, NVP_HOOK_PI_VERIFY_UNCHECKED))
		return true;
	if (nvp_defect(w, NVP_HOOK_PI_VERIFY_ALWAYS))
		a.check = 7;
	if (c->ns->pi_type != 3)
		a.reference += (uint32_t)(c->slba - nvp_le64(c->sqe + 40));
	return nvp_pi_check(w, c, &a, c->media, c->meta, c->nr_lbas);
}

static enum nvp_step verify_done(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (nvp_defect(w, NVP_HOOK_VERIFY_IGNORES))
		c->nr_marked = 0;
	if (nvp_sim_unreadable(w, c) || !protection_good(w, c))
		return NVP_STEP_COMPLETE;
	if (nvp_defect(w, NVP_HOOK_VERIFY_WRITES)) {
		c->nr_lbas = 1;
		return NVP_STEP_ZERO;
	}
	c->slba += c->nr_lbas;
	return verify_next(w, c);
}

enum nvp_step nvp_sim_verify(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args a = nvp_pi_args(c);
	uint32_t bytes;

	if (!nvp_sim_take_lbas(w, c, false, &bytes))
		return refused(w, c, NVP_HOOK_VERIFY_RANGE_OK);
	if (above_limit(w, c))
		return NVP_STEP_COMPLETE;
	if (c->ns->pi_type && a.act)
		return nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_PROTECTION_INVALID, 12, 29);
	if (c->ns->pi_type && !nvp_pi_valid(w, c, &a, c->slba))
		return NVP_STEP_COMPLETE;
	c->scratch[0] = c->slba + c->nr_lbas;
	return verify_next(w, c);
}
