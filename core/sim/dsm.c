// SPDX-License-Identifier: GPL-2.0-or-later
// Dataset Management (NVM Command Set 1.0 section 3.2.3): hints, and ranges that are deallocated.

#include "core/sim/commands.h"

#include "core/base/bits.h"

#define RANGE_BYTES 16
#define ATTRIBUTE_DEALLOCATE 4u		/* Dword 11 bit 2 */

static uint32_t nr_ranges(const struct nvp_sim_cmd *c)
{
	return c->sqe[40] + 1u;
}

static bool inside(const struct nvp_sim_ns *ns, uint64_t slba, uint32_t lbas)
{
	return slba <= ns->nr_lbas && lbas <= ns->nr_lbas - slba;
}

/* Deallocate the next range, in the order of the list; scratch[0] is its index. */
static enum nvp_step next_range(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	while (c->scratch[0] < nr_ranges(c)) {
		const uint8_t *range = c->data + RANGE_BYTES * c->scratch[0]++;
		uint32_t lbas = nvp_le32(range + 4);
		uint64_t slba = nvp_le64(range + 8);

		if (!lbas || !inside(c->ns, slba, lbas))
			continue;	/* the latter only when they were not checked */
		if (nvp_defect(w, NVP_HOOK_DSM_NEIGHBOUR) && inside(c->ns, slba, lbas + 1))
			lbas++;
		c->slba = slba;
		c->nr_lbas = lbas;
		c->deallocate = true;
		c->then = next_range;
		return NVP_STEP_ZERO;
	}
	c->then = NULL;
	return NVP_STEP_COMPLETE;
}

static enum nvp_step check_ranges(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	bool deallocate = nvp_le32(c->sqe + 44) & ATTRIBUTE_DEALLOCATE;

	for (uint32_t i = 0; i < nr_ranges(c); i++) {
		const uint8_t *range = c->data + RANGE_BYTES * i;

		if (inside(c->ns, nvp_le64(range + 8), nvp_le32(range + 4)) ||
		    nvp_defect(w, NVP_HOOK_DSM_RANGE_OK))
			continue;
		c->slba = nvp_le64(range + 8);
		return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_LBA_RANGE);
	}
	if (!deallocate && !nvp_defect(w, NVP_HOOK_DSM_ALWAYS))
		return NVP_STEP_COMPLETE;	/* hints change nothing here */
	c->scratch[0] = 0;
	return next_range(w, c);
}

enum nvp_step nvp_sim_dsm(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (!nvp_sim_take_io_ns(w, c))
		return NVP_STEP_COMPLETE;
	nvp_sim_cmd_data(w, c, nr_ranges(c) * RANGE_BYTES);
	c->then = check_ranges;
	return NVP_STEP_FROM_HOST;
}
