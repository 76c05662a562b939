// SPDX-License-Identifier: GPL-2.0-or-later
// Features: which there are, their default and saved values, and what the drive does by them.

#include "core/sim/commands.h"

#include <nvproof/ocp.h>

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/cut.h"

/* First slot of each feature in struct nvp_feature_values. */
enum {
	SLOT_ARBITRATION = 0, SLOT_POWER = 1, SLOT_TEMPERATURE = 2, SLOT_WRITE_CACHE = 20,
	SLOT_QUEUES = 21, SLOT_COALESCING = 22, SLOT_ATOMICITY = 23, SLOT_EVENTS = 24,
	SLOT_COMMAND_SETS = 25, SLOT_APST = 26, SLOT_TIMESTAMP = 27, SLOT_THERMAL = 28,
	SLOT_WRITE_PROTECT = 29, SLOT_ERROR_RECOVERY = 32,
	SLOT_VECTOR = SLOT_ERROR_RECOVERY + NVP_MAX_NAMESPACES,
	SLOT_OCP = SLOT_VECTOR + NVP_MAX_VECTORS,
};

/* NVMe Base 2.0, 5.27.1; 05h and 0Ah NVM Command Set 1.0, 4.1.3. */
static const struct nvp_sim_feature features[] = {
	{ NVP_FID_ARBITRATION, true, false, true, SLOT_ARBITRATION, 1, 0xffffff07 },
	{ NVP_FID_POWER, true, false, true, SLOT_POWER, 1, 0xff },
	{ NVP_FID_TEMPERATURE, true, false, true, SLOT_TEMPERATURE, 18, 0xffff },
	{ NVP_FID_ERROR_RECOVERY, true, true, true, SLOT_ERROR_RECOVERY, NVP_MAX_NAMESPACES,
	  0x1ffff },
	{ NVP_FID_WRITE_CACHE, true, false, true, SLOT_WRITE_CACHE, 1, 1 },
	{ NVP_FID_QUEUES, false, false, true, SLOT_QUEUES, 1, 0xffffffff },
	{ NVP_FID_COALESCING, true, false, true, SLOT_COALESCING, 1, 0xffff },
	{ NVP_FID_VECTOR, false, false, true, SLOT_VECTOR, NVP_MAX_VECTORS, 0x10000 },
	{ NVP_FID_ATOMICITY, true, false, true, SLOT_ATOMICITY, 1, 1 },
	{ NVP_FID_EVENTS, false, false, true, SLOT_EVENTS, 1, 0xffffffff },
	{ NVP_FID_APST, false, false, true, SLOT_APST, 1, 1 },
	{ NVP_FID_TIMESTAMP, false, false, true, SLOT_TIMESTAMP, 1, 0 },
	{ NVP_FID_THERMAL, true, false, true, SLOT_THERMAL, 1, 0xffffffff },
	{ NVP_FID_WRITE_PROTECT, false, true, true, SLOT_WRITE_PROTECT, 1, 7 },
	{ NVP_FID_COMMAND_SETS, false, false, true, SLOT_COMMAND_SETS, 1, 0x1ff },
	{ NVP_FID_OCP_PLP_MODE, true, false, true, SLOT_OCP, 1, 0xffffffff },
	{ NVP_FID_OCP_CLEAR_PCIE, false, false, true, SLOT_OCP + 1, 1, 0xffffffff },
	{ NVP_FID_OCP_PLP_CHECK, true, false, true, SLOT_OCP + 2, 1, 0xffffffff },
};

_Static_assert(SLOT_OCP + 3 <= NVP_FEATURE_SLOTS, "slots of features");
_Static_assert(sizeof(struct nvp_saved_features) <= NVP_NV_BYTES, "saved features");

const struct nvp_sim_feature *nvp_feature_find(const struct nvp_sim *w, uint8_t fid)
{
	if (fid == NVP_FID_WRITE_CACHE && w->config->vwc == NVP_VWC_ABSENT)
		return NULL;
	if (fid >= NVP_FID_VENDOR && !w->profile->ocp)
		return NULL;
	if ((fid == NVP_FID_APST || fid == NVP_FID_TIMESTAMP || fid == NVP_FID_THERMAL ||
	     fid == NVP_FID_WRITE_PROTECT) && !w->profile->optional_commands)
		return NULL;
	for (size_t i = 0; i < NVP_ARRAY_SIZE(features); i++)
		if (features[i].fid == fid)
			return &features[i];
	return NULL;
}

bool nvp_feature_saveable(const struct nvp_sim *w, const struct nvp_sim_feature *f)
{
	return f->saveable && w->profile->optional_commands;
}

bool nvp_feature_changeable(const struct nvp_sim *w, const struct nvp_sim_feature *f)
{
	return f->changeable && !(f->fid == NVP_FID_COALESCING && w->profile->fixed_coalescing);
}

unsigned nvp_temperature_slot(unsigned sensor, bool under)
{
	return SLOT_TEMPERATURE + 2 * sensor + under;
}

static uint32_t shipped_default(const struct nvp_sim *w, const struct nvp_sim_feature *f,
				unsigned slot)
{
	uint32_t queues_z = w->nr_io_queues - 1u;

	switch (f->fid) {
	case NVP_FID_ARBITRATION:
		return 3;
	case NVP_FID_TEMPERATURE:	/* over: WCTEMP, sensors none; under: none (5.27.1.3) */
		if (slot == nvp_temperature_slot(0, false))
			return NVP_SIM_WARNING_TEMP_K;
		return (slot - SLOT_TEMPERATURE) % 2 ? 0 : 0xffff;
	case NVP_FID_WRITE_CACHE:
		return w->config->vwc == NVP_VWC_ON;
	case NVP_FID_QUEUES:
		return queues_z << 16 | queues_z;
	case NVP_FID_OCP_PLP_MODE:
		return NVP_OCP_PLP_NORMAL;
	case NVP_FID_OCP_PLP_CHECK:
		return 15;	/* minutes */
	default:
		return 0;
	}
}

uint32_t nvp_feature_default(const struct nvp_sim *w, const struct nvp_sim_feature *f,
			     unsigned slot)
{
	if (nvp_defect(w, NVP_HOOK_FEA_DEFAULT))
		return w->commands->features.value[slot];
	return shipped_default(w, f, slot);
}

/* What was never saved is the default (5.15, SEL 010b). */
uint32_t nvp_feature_saved(const struct nvp_sim *w, const struct nvp_sim_feature *f,
			   unsigned slot)
{
	const struct nvp_saved_features *saved = &w->commands->saved;

	return saved->is_saved[slot] ? saved->value[slot] : shipped_default(w, f, slot);
}

uint32_t nvp_feature_value(const struct nvp_sim *w, enum nvp_feature_id fid)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(features); i++)
		if (features[i].fid == fid)
			return w->commands->features.value[features[i].first_slot];
	return 0;
}

void nvp_feature_put(struct nvp_sim *w, enum nvp_feature_id fid, uint32_t value)
{
	const struct nvp_sim_feature *f = nvp_feature_find(w, (uint8_t)fid);

	if (!f)
		return;
	w->commands->features.value[f->first_slot] = value;
	nvp_features_apply(w);
}

uint32_t nvp_feature_error_recovery(const struct nvp_sim *w, uint32_t nsid)
{
	return w->commands->features.value[SLOT_ERROR_RECOVERY + nsid - 1];
}

void nvp_features_apply(struct nvp_sim *w)
{
	const uint32_t *value = w->commands->features.value;
	struct nvp_live_features *live = &w->live;

	live->arbitration_burst = value[SLOT_ARBITRATION] & 7;
	for (unsigned priority = 1; priority < 4; priority++)
		live->weight_z[priority] = (uint8_t)(value[SLOT_ARBITRATION] >> (32 - 8 * priority));
	live->write_cache = w->config->vwc != NVP_VWC_ABSENT && value[SLOT_WRITE_CACHE];
	live->nr_sqs = (uint16_t)((value[SLOT_QUEUES] & 0xffff) + 1);
	live->nr_cqs = (uint16_t)((value[SLOT_QUEUES] >> 16) + 1);
	live->coalescing_threshold_z = (uint8_t)value[SLOT_COALESCING];
	live->coalescing_time_100us = (uint8_t)(value[SLOT_COALESCING] >> 8);
	live->power_state = value[SLOT_POWER] & 0x1f;
	memset(live->coalescing_off, 0, sizeof(live->coalescing_off));
	for (unsigned v = 0; v < NVP_MAX_VECTORS; v++)
		if (value[SLOT_VECTOR + v])
			live->coalescing_off[v / 64] |= UINT64_C(1) << (v % 64);
}

/* Current values are the saved ones, or the defaults of what was not saved (4.2). */
static void values_at_start(struct nvp_sim *w, bool with_saved)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(features); i++) {
		const struct nvp_sim_feature *f = &features[i];

		for (unsigned slot = f->first_slot; slot < f->first_slot + f->nr_slots; slot++)
			w->commands->features.value[slot] = with_saved ?
				nvp_feature_saved(w, f, slot) : shipped_default(w, f, slot);
	}
	nvp_features_apply(w);
}

void nvp_features_power_on(struct nvp_sim *w)
{
	struct nvp_saved_features *saved = &w->commands->saved;

	nvp_nv_load(w, NVP_NV_FEATURES, saved, sizeof(*saved));
	if (nvp_defect(w, NVP_HOOK_CUT_SAVED_LOST) && w->cut->after_cut)
		memset(saved, 0, sizeof(*saved));
	for (unsigned slot = 0; slot < NVP_FEATURE_SLOTS; slot++)
		if (nvp_defect(w, NVP_HOOK_CUT_SAVED_BLENDED) && w->cut->after_cut)
			saved->value[slot] &= 0xffff00ff;
	values_at_start(w, true);
}

void nvp_features_reset(struct nvp_sim *w)
{
	if (!nvp_defect(w, NVP_HOOK_FEA_UNSAVED_KEPT))
		values_at_start(w, !nvp_defect(w, NVP_HOOK_FEA_SAVED_LOST));
}

unsigned nvp_sim_nr_sensors(const struct nvp_sim *w)
{
	return w->profile->optional_commands ? 2 : 0;
}

uint16_t nvp_sim_sensor_k(const struct nvp_sim *w, unsigned sensor)
{
	static const uint16_t above_k[NVP_SIM_MAX_SENSORS + 1] = { 0, 4, 1 };

	(void)w;
	return (uint16_t)(NVP_SIM_TEMPERATURE_K + above_k[sensor]);
}
