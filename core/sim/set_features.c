// SPDX-License-Identifier: GPL-2.0-or-later
// Set Features (NVMe Base 2.0 section 5.27): what is checked, and what a new value changes.

#include "core/sim/commands.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/logs.h"
#include "core/sim/manage.h"
#include "core/sim/ocp.h"

#define SUPPORTED_WARNINGS 0x3fu	/* Critical Warning bits 5:0 */

static enum nvp_step invalid_field(struct nvp_sim_cmd *c, unsigned dword, unsigned bit)
{
	return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, dword, bit);
}

/* Save (SV) is asked for, of a feature that can be saved. */
static bool saves(const struct nvp_sim *w, const struct nvp_sim_cmd *c,
		  const struct nvp_sim_feature *f)
{
	return c->sqe[43] >> 7 && nvp_feature_saveable(w, f);
}

static void store(struct nvp_sim *w, const struct nvp_sim_cmd *c, const struct nvp_sim_feature *f,
		  unsigned slot, uint32_t value)
{
	struct nvp_saved_features *saved = &w->commands->saved;

	if (nvp_defect(w, NVP_HOOK_FEA_SET_IGNORED))
		return;
	w->commands->features.value[slot] = value;
	if (saves(w, c, f)) {
		saved->value[slot] = value;
		saved->is_saved[slot] = 1;
	}
}

/* What was stored begins to count. */
static enum nvp_step stored(struct nvp_sim *w, struct nvp_sim_cmd *c,
			    const struct nvp_sim_feature *f)
{
	if (saves(w, c, f))
		nvp_nv_commit(w, NVP_NV_FEATURES, &w->commands->saved,
			      sizeof(w->commands->saved));
	nvp_features_apply(w);
	return NVP_STEP_COMPLETE;
}

static enum nvp_step set_temperature(struct nvp_sim *w, struct nvp_sim_cmd *c,
				     const struct nvp_sim_feature *f, uint32_t dw11)
{
	unsigned sensor = dw11 >> 16 & 15, threshold = dw11 >> 20 & 3;
	unsigned first = sensor == 15 ? 0 : sensor;
	unsigned last = sensor == 15 ? nvp_sim_nr_sensors(w) : sensor;

	if (last > nvp_sim_nr_sensors(w) || threshold > 1) {
		if (nvp_defect(w, NVP_HOOK_FEA_TMPSEL_OK))
			return NVP_STEP_COMPLETE;
		return invalid_field(c, 11, threshold > 1 ? 20 : 16);
	}
	for (unsigned i = first; i <= last; i++)
		store(w, c, f, nvp_temperature_slot(i, threshold), dw11 & f->mask);
	stored(w, c, f);
	nvp_smart_look(w);
	return NVP_STEP_COMPLETE;
}

static enum nvp_step set_error_recovery(struct nvp_sim *w, struct nvp_sim_cmd *c,
					const struct nvp_sim_feature *f, uint32_t dw11)
{
	if (dw11 >> 16 & 1 && !w->profile->optional_commands)
		return invalid_field(c, 11, 16);	/* NSFEAT bit 2 is 0 */
	if (c->nsid == NVP_NSID_ALL) {
		for (uint32_t i = 0; i < w->nr_ns; i++)
			store(w, c, f, f->first_slot + i, dw11 & f->mask);
		return stored(w, c, f);
	}
	if (!nvp_sim_take_ns(w, c))
		return NVP_STEP_COMPLETE;
	store(w, c, f, f->first_slot + c->nsid - 1, dw11 & f->mask);
	return stored(w, c, f);
}

/* What is in the cache is written out before the command completes. */
static enum nvp_step set_write_cache(struct nvp_sim *w, struct nvp_sim_cmd *c,
				     const struct nvp_sim_feature *f, uint32_t dw11)
{
	bool was_on = w->live.write_cache;

	store(w, c, f, f->first_slot, dw11 & f->mask);
	stored(w, c, f);
	if (!was_on || w->live.write_cache)
		return NVP_STEP_COMPLETE;
	c->ns = NULL;
	c->then = NULL;
	return NVP_STEP_FLUSH;
}

/*
 * 5.27.1.5: as many as asked for, or as there are. The first command after a reset allocates; the
 * number does not change until the next reset.
 */
static enum nvp_step set_queues(struct nvp_sim *w, struct nvp_sim_cmd *c,
				const struct nvp_sim_feature *f, uint32_t dw11)
{
	uint32_t sqs_z = dw11 & 0xffff, cqs_z = dw11 >> 16, most_z = w->nr_io_queues - 1u;

	if ((sqs_z == 0xffff || cqs_z == 0xffff) && !nvp_defect(w, NVP_HOOK_FEA_QUEUES_ONES_OK))
		return invalid_field(c, 11, sqs_z == 0xffff ? 0 : 16);
	if (nvp_sim_has_io_queues(w) && !nvp_defect(w, NVP_HOOK_FEA_QUEUES_LATE_OK))
		return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_COMMAND_SEQUENCE);
	sqs_z = sqs_z < most_z ? sqs_z : most_z;
	cqs_z = cqs_z < most_z ? cqs_z : most_z;
	if (!w->commands->queues_allocated || nvp_sim_has_io_queues(w)) {
		store(w, c, f, f->first_slot, cqs_z << 16 | sqs_z);
		w->commands->queues_allocated = true;
		c->dw0 = cqs_z << 16 | sqs_z;
	} else {
		c->dw0 = nvp_feature_value(w, NVP_FID_QUEUES);
	}
	return stored(w, c, f);
}

static enum nvp_step set_vector(struct nvp_sim *w, struct nvp_sim_cmd *c,
				const struct nvp_sim_feature *f, uint32_t dw11)
{
	uint32_t vector = dw11 & 0xffff;

	if (vector >= nvp_sim_nr_vectors(w)) {
		if (nvp_defect(w, NVP_HOOK_FEA_VECTOR_OK))
			return NVP_STEP_COMPLETE;
		return invalid_field(c, 11, 0);
	}
	store(w, c, f, f->first_slot + vector, dw11 & f->mask);
	return stored(w, c, f);
}

static enum nvp_step set_events(struct nvp_sim *w, struct nvp_sim_cmd *c,
				const struct nvp_sim_feature *f, uint32_t dw11)
{
	uint32_t notices = nvp_sim_notices(w) |
			   (nvp_sim_has_telemetry(w) ? NVP_EVENTS_TELEMETRY : 0);

	for (unsigned bit = 8; bit < 32; bit++)	/* notices that OAES and LPA do not have */
		if ((dw11 & ~notices) >> bit & 1)
			return invalid_field(c, 11, bit);
	if (nvp_defect(w, NVP_HOOK_FEA_EVENTS_TRUNCATED))
		notices = 0;
	store(w, c, f, f->first_slot, dw11 & (SUPPORTED_WARNINGS | notices));
	stored(w, c, f);
	nvp_smart_look(w);
	return NVP_STEP_COMPLETE;
}

static enum nvp_step set_value(struct nvp_sim *w, struct nvp_sim_cmd *c,
			       const struct nvp_sim_feature *f)
{
	uint32_t dw11 = nvp_le32(c->sqe + 44);

	switch (f->fid) {
	case NVP_FID_TEMPERATURE:
		return set_temperature(w, c, f, dw11);
	case NVP_FID_ERROR_RECOVERY:
		return set_error_recovery(w, c, f, dw11);
	case NVP_FID_WRITE_CACHE:
		return set_write_cache(w, c, f, dw11);
	case NVP_FID_QUEUES:
		return set_queues(w, c, f, dw11);
	case NVP_FID_VECTOR:
		return set_vector(w, c, f, dw11);
	case NVP_FID_EVENTS:
		return set_events(w, c, f, dw11);
	case NVP_FID_APST:
		return nvp_power_set_apst(w, c);
	case NVP_FID_TIMESTAMP:
		return nvp_time_set(w, c);
	case NVP_FID_WRITE_PROTECT:
		return nvp_protect_set(w, c);
	case NVP_FID_THERMAL:
		if (!nvp_power_thermal_valid(w, dw11))
			return invalid_field(c, 11, 0);
		break;
	case NVP_FID_POWER:
		if ((dw11 & 0x1f) > nvp_sim_npss(w)) {
			if (nvp_defect(w, NVP_HOOK_FEA_PS_OK))
				return NVP_STEP_COMPLETE;
			return invalid_field(c, 11, 0);
		}
		nvp_power_set(w, dw11 & 0x1f);
		nvp_count(w, NVP_COUNT_POWER_STATES, w->live.power_state != (dw11 & 0x1f));
		break;
	case NVP_FID_ATOMICITY:
		if (nvp_defect(w, NVP_HOOK_FEA_ATOMICITY_STUCK))
			return NVP_STEP_COMPLETE;
		break;
	case NVP_FID_ARBITRATION:
		if (nvp_defect(w, NVP_HOOK_FEA_ARB_TRUNCATED))
			dw11 &= 0x00ffffff;
		break;
	case NVP_FID_OCP_PLP_MODE:
	case NVP_FID_OCP_CLEAR_PCIE:
	case NVP_FID_OCP_PLP_CHECK:
		if (nvp_defect(w, NVP_HOOK_OCP_SET_IGNORED))
			return NVP_STEP_COMPLETE;
		if (!nvp_ocp_take_value(w, f->fid, dw11, &dw11))
			return invalid_field(c, 11, 30);
		break;
	case NVP_FID_COMMAND_SETS:
		if (dw11 & f->mask)	/* I/O Command Set Combination Rejected: there is one */
			return nvp_sim_fail_at(c, NVP_SCT_COMMAND, 0x2b, 11, 0);
		break;
	default:
		break;
	}
	store(w, c, f, f->first_slot, dw11 & f->mask);
	return stored(w, c, f);
}

/* A controller feature is not set for one namespace (5.27). False: c has the status. */
static bool check_scope(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct nvp_sim_feature *f)
{
	if (f->ns_specific || !c->nsid || c->nsid == NVP_NSID_ALL ||
	    nvp_defect(w, NVP_HOOK_FEA_NSID_OK))
		return true;
	if (!nvp_sim_nsid_valid(w, c->nsid))
		nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT, 1, 0);
	else
		nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_NOT_NS_SPECIFIC, 1, 0);
	return false;
}

/* Those that are recorded when they change: all that is to be known of them is in Dword 11. */
static bool is_recorded(uint8_t fid)
{
	return fid == NVP_FID_TEMPERATURE || fid == NVP_FID_WRITE_CACHE ||
	       fid == NVP_FID_COALESCING || fid == NVP_FID_THERMAL;
}

enum nvp_step nvp_sim_set_features(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint8_t fid = c->sqe[40];
	bool save = c->sqe[43] >> 7;
	const struct nvp_sim_feature *f = nvp_feature_find(w, fid);
	struct nvp_feature_values before;
	enum nvp_step step;

	if (!f) {
		enum nvp_hook hook = fid == NVP_FID_WRITE_CACHE ? NVP_HOOK_FEA_VWC_OK :
				     NVP_HOOK_FEA_FID_OK;

		return nvp_defect(w, hook) ? NVP_STEP_COMPLETE : invalid_field(c, 10, 0);
	}
	if (fid >= NVP_FID_VENDOR && nvp_ocp_bad_uuid_index(w, c))
		return invalid_field(c, 14, 0);
	if (save && !nvp_feature_saveable(w, f)) {
		if (nvp_defect(w, NVP_HOOK_FEA_SV_STATUS))
			return nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_NOT_CHANGEABLE, 10, 31);
		if (!nvp_defect(w, NVP_HOOK_FEA_SV_OK))
			return nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_NOT_SAVEABLE, 10, 31);
	}
	if (!check_scope(w, c, f))
		return NVP_STEP_COMPLETE;
	if (!nvp_feature_changeable(w, f))
		return nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_NOT_CHANGEABLE, 10, 0);
	before = w->commands->features;
	step = set_value(w, c, f);
	if (is_recorded(fid) && memcmp(&before, &w->commands->features, sizeof(before)))
		nvp_pel_set_feature(w, c);
	return step;
}
