// SPDX-License-Identifier: GPL-2.0-or-later
// Get Features (NVMe Base 2.0 section 5.15).

#include "core/sim/commands.h"

#include "core/base/bits.h"
#include "core/sim/manage.h"
#include "core/sim/ocp.h"

enum select { SELECT_CURRENT = 0, SELECT_DEFAULT = 1, SELECT_SAVED = 2, SELECT_CAPABILITIES = 3 };

static enum nvp_step invalid_field(struct nvp_sim_cmd *c, unsigned dword, unsigned bit)
{
	return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, dword, bit);
}

/*
 * The slot that the command is about; which instance Dword 11 and NSID say. False: c has the
 * status. *echo are the bits of Dword 0 that name the instance.
 */
static bool slot_of(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct nvp_sim_feature *f,
		    unsigned *slot, uint32_t *echo)
{
	uint32_t dw11 = nvp_le32(c->sqe + 44);
	unsigned sensor = dw11 >> 16 & 15, threshold = dw11 >> 20 & 3;

	*echo = 0;
	*slot = f->first_slot;
	switch (f->fid) {
	case NVP_FID_TEMPERATURE:
		if (sensor > nvp_sim_nr_sensors(w) || threshold > 1) {
			if (nvp_defect(w, NVP_HOOK_FEA_TMPSEL_OK))
				return true;
			invalid_field(c, 11, 16);
			return false;
		}
		*slot = nvp_temperature_slot(sensor, threshold);
		*echo = dw11 & 0x3f0000;
		return true;
	case NVP_FID_ERROR_RECOVERY:
		if (!nvp_sim_take_ns(w, c))
			return false;
		*slot += c->nsid - 1;
		return true;
	case NVP_FID_WRITE_PROTECT:
		return nvp_sim_take_ns(w, c);
	case NVP_FID_VECTOR:
		if ((dw11 & 0xffff) >= nvp_sim_nr_vectors(w)) {
			if (nvp_defect(w, NVP_HOOK_FEA_VECTOR_OK))
				return true;
			invalid_field(c, 11, 0);
			return false;
		}
		*slot += dw11 & 0xffff;
		*echo = dw11 & 0xffff;
		return true;
	default:
		return true;
	}
}

static uint32_t capabilities(const struct nvp_sim *w, const struct nvp_sim_feature *f)
{
	bool changeable = nvp_feature_changeable(w, f) && !nvp_defect(w, NVP_HOOK_FEA_CAPS);

	return (uint32_t)(nvp_feature_saveable(w, f) | f->ns_specific << 1 | changeable << 2);
}

enum nvp_step nvp_sim_get_features(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint8_t fid = c->sqe[40];
	unsigned select = nvp_le32(c->sqe + 40) >> 8 & 7;
	const struct nvp_sim_feature *f = nvp_feature_find(w, fid);
	uint32_t echo;
	unsigned slot;

	if (fid == NVP_FID_COALESCING && nvp_defect(w, NVP_HOOK_FEA_MISSING))
		return invalid_field(c, 10, 0);
	if (!f) {
		enum nvp_hook hook = fid == NVP_FID_WRITE_CACHE ? NVP_HOOK_FEA_VWC_OK :
				     NVP_HOOK_FEA_FID_OK;

		return nvp_defect(w, hook) ? NVP_STEP_COMPLETE : invalid_field(c, 10, 0);
	}
	if (select > SELECT_CAPABILITIES || (select && !w->profile->optional_commands)) {
		if (!nvp_defect(w, NVP_HOOK_FEA_SEL_OK))
			return invalid_field(c, 10, 8);
		select = SELECT_CURRENT;
	}
	if (fid >= NVP_FID_VENDOR && nvp_ocp_bad_uuid_index(w, c))
		return invalid_field(c, 14, 0);
	if (!slot_of(w, c, f, &slot, &echo))
		return NVP_STEP_COMPLETE;
	if (fid == NVP_FID_TIMESTAMP && select != SELECT_CAPABILITIES)
		return nvp_time_get(w, c, select == SELECT_CURRENT);
	switch ((enum select)select) {
	case SELECT_CAPABILITIES:
		c->dw0 = capabilities(w, f);
		return NVP_STEP_COMPLETE;
	case SELECT_DEFAULT:
		c->dw0 = nvp_feature_default(w, f, slot);
		break;
	case SELECT_SAVED:
		c->dw0 = nvp_feature_saved(w, f, slot);
		break;
	case SELECT_CURRENT:
		c->dw0 = w->commands->features.value[slot];
		if (fid == NVP_FID_QUEUES && nvp_defect(w, NVP_HOOK_FEA_QUEUES_DIFFER))
			c->dw0 ^= 0x00010001;
		break;
	}
	c->dw0 |= echo;
	if (fid == NVP_FID_WRITE_PROTECT)
		c->dw0 = select == SELECT_CURRENT ? nvp_protect_state(w, c->nsid) : 0;
	if (fid == NVP_FID_APST)
		return nvp_power_get_apst(w, c, select == SELECT_CURRENT);
	return NVP_STEP_COMPLETE;
}
