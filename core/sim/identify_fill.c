// SPDX-License-Identifier: GPL-2.0-or-later
// What Identify Controller and Identify Namespace say of this drive, by profile and address.

#include "core/sim/identify.h"

#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/rand.h"
#include "core/nvme/fields.h"
#include "core/sim/commands.h"
#include "core/sim/cut.h"
#include "core/sim/manage.h"
#include "core/sim/erase.h"
#include "core/sim/logs.h"
#include "core/sim/mechanism.h"

#define VENDOR_OFFSET 3072	/* of Identify Controller (5.17.2.1) */
#define CTRL(key, value) nvp_field_put(&nvp_fields_id_ctrl, data, key, value)
#define NS(key, value) nvp_field_put(&nvp_fields_id_ns, data, key, value)

/* SN and MN are ASCII, padded with spaces (1.4.2). */
static void put_names(const struct nvp_sim *w, uint8_t *data)
{
	nvp_field_put_text(&nvp_fields_id_ctrl, data, "sn", w->config->serial);
	nvp_field_put_text(&nvp_fields_id_ctrl, data, "mn", w->profile->model);
	nvp_field_put_text(&nvp_fields_id_ctrl, data, "fr", nvp_firmware_running(w));
	if (nvp_defect(w, NVP_HOOK_CUT_SERIAL) && w->cut->after_cut)
		data[nvp_field_find(&nvp_fields_id_ctrl, "sn")->offset] ^= 1;
	if (nvp_defect(w, NVP_HOOK_IDY_TEXT_NUL)) {
		const struct nvp_field *sn = nvp_field_find(&nvp_fields_id_ctrl, "sn");
		const struct nvp_field *mn = nvp_field_find(&nvp_fields_id_ctrl, "mn");
		size_t sn_length = strlen(w->config->serial), mn_length = strlen(w->profile->model);

		memset(data + sn->offset + sn_length, 0, sn->bytes - sn_length);
		memset(data + mn->offset + mn_length, 0, mn->bytes - mn_length);
	}
}

/* A qualified name of the UUID form, of this serial number (4.5). */
static void put_subnqn(const struct nvp_sim *w, uint8_t *data)
{
	uint64_t key = nvp_crc32c(w->config->serial, strlen(w->config->serial));
	uint64_t high = nvp_rand(key, "subnqn", 0, 0), low = nvp_rand(key, "subnqn", 1, 0);
	char nqn[80];

	snprintf(nqn, sizeof(nqn), "nqn.2014-08.org.nvmexpress:uuid:%08x-%04x-4%03x-%04x-%012llx",
		 (unsigned)(high >> 32), (unsigned)(high >> 16 & 0xffff), (unsigned)(high & 0xfff),
		 (unsigned)(0x8000 | (low >> 48 & 0x3fff)),
		 (unsigned long long)(low & 0xffffffffffffULL));
	nvp_field_put_text(&nvp_fields_id_ctrl, data, "subnqn", nqn);
	if (nvp_defect(w, NVP_HOOK_IDY_SUBNQN))
		memset(data + nvp_field_find(&nvp_fields_id_ctrl, "subnqn")->offset, ' ', 256);
}

/* With no Firmware Commit no slot can be written. */
static void put_firmware(const struct nvp_sim *w, uint8_t *data)
{
	CTRL("frmw_slot1_read_only", nvp_sim_slot1_read_only(w));
	CTRL("frmw_slots", w->profile->nr_firmware_slots);
	if (!nvp_sim_has_firmware(w))
		return;
	CTRL("oacs_firmware", 1);
	CTRL("frmw_no_reset", 1);
	CTRL("mtfa", NVP_SIM_MTFA_100MS);
	CTRL("fwug", NVP_FIRMWARE_PIECE_BYTES / 4096);
}

/* Self-test: one at a time in the subsystem. */
static void put_management(const struct nvp_sim *w, uint8_t *data)
{
	if (nvp_sim_has_self_test(w)) {
		CTRL("oacs_self_test", 1);
		CTRL("edstt", NVP_SIM_EDSTT_MIN);
		CTRL("dsto_one_at_a_time", 1);
	}
	if (!w->profile->optional_commands)
		return;
	CTRL("apsta_supported", 1);
	CTRL("hctma_supported", 1);
	CTRL("mntmt", NVP_SIM_MNTMT_K);
	CTRL("mxtmt", NVP_SIM_MXTMT_K);
	CTRL("nwpc_write_protect", 1);
	CTRL("nwpc_until_power_cycle", 1);
	CTRL("oncs_timestamp", 1);
}

static void put_capabilities(const struct nvp_sim *w, uint8_t *data)
{
	const struct nvp_profile *profile = w->profile;

	CTRL("acl", profile->acl_z);
	CTRL("aerl", nvp_defect(w, NVP_HOOK_OCP_AERL) ? 1 : profile->aerl_z);
	CTRL("ctratt_uuid_list", profile->ocp);
	put_firmware(w, data);
	put_management(w, data);
	CTRL("lpa_effects", 1);
	CTRL("lpa_extended", 1);
	CTRL("lpa_telemetry", nvp_sim_has_telemetry(w));
	CTRL("lpa_persistent_event", nvp_sim_has_persistent_events(w));
	CTRL("pels", nvp_sim_has_persistent_events(w) && !nvp_defect(w, NVP_HOOK_PEL_SIZE) ?
	     NVP_PEL_64K : 0);
	CTRL("lpa_supported_logs", 1);
	CTRL("elpe", profile->elpe_z);
	CTRL("npss", nvp_sim_npss(w));
	CTRL("wctemp", NVP_SIM_WARNING_TEMP_K);
	CTRL("cctemp", NVP_SIM_CRITICAL_TEMP_K);
}

static void put_nvm(const struct nvp_sim *w, uint8_t *data)
{
	const struct nvp_profile *profile = w->profile;

	CTRL("sqes", nvp_defect(w, NVP_HOOK_IDY_SQES) ? 0x77 : 0x66);
	CTRL("cqes", 0x44);
	CTRL("nn", profile->max_namespaces);
	if (profile->optional_commands) {
		CTRL("oncs_compare", 1);
		CTRL("oncs_dsm", 1);
		CTRL("oncs_write_zeroes", 1);
		CTRL("oncs_save_select", 1);
		CTRL("oncs_write_uncorrectable", 1);
		CTRL("oncs_verify", !nvp_defect(w, NVP_HOOK_SIZE_LIMIT_OK));
		CTRL("oncs_copy", 1);
		CTRL("ocfs_format0", 1);
		CTRL("oacs_format", 1);
		CTRL("fna", profile->fna);
		CTRL("sanicap", profile->sanicap);
		CTRL("sgls_supported", !nvp_defect(w, NVP_HOOK_SGL_UNSUPPORTED_OK));
		CTRL("sgls_bit_bucket", !nvp_defect(w, NVP_HOOK_SGL_UNSUPPORTED_OK));
		CTRL("sgls_metadata_aligned", !nvp_defect(w, NVP_HOOK_SGL_UNSUPPORTED_OK));
		CTRL("sgls_metadata_sgl", !nvp_defect(w, NVP_HOOK_SGL_UNSUPPORTED_OK));
	}
	if (nvp_sim_has_fused(w)) {
		CTRL("fuses_compare_write", 1);
		CTRL("acwu", profile->awupf_z);
	}
	if (nvp_defect(w, NVP_HOOK_IDY_ONCS))
		CTRL("oncs_verify", 1);
	CTRL("vwc_present", w->config->vwc != NVP_VWC_ABSENT);
	CTRL("vwc_flush_all", 3);
	CTRL("awun", profile->awun_z);
	CTRL("awupf", profile->awupf_z);
}

void nvp_identify_controller_fill(const struct nvp_sim *w, uint8_t *data)
{
	const struct nvp_profile *profile = w->profile;
	CTRL("vid", NVP_SIM_VENDOR_ID);
	CTRL("ssvid", NVP_SIM_VENDOR_ID);
	put_names(w, data);
	put_subnqn(w, data);
	CTRL("rab", nvp_defect(w, NVP_HOOK_IDY_RAB) ? 4 : 3);
	if (nvp_defect(w, NVP_HOOK_IDY_VENDOR))
		data[VENDOR_OFFSET + 1] = 0x5a;
	CTRL("ieee", NVP_SIM_OUI);
	CTRL("mdts", profile->mdts);
	CTRL("cntlid", w->cntlid);
	CTRL("ver", nvp_defect(w, NVP_HOOK_IDY_VER) ? 0x00010400u : NVP_SIM_VERSION);
	/* Twice what an idle drive needs; a full cache is written out well within the rest. */
	CTRL("rtd3r", nvp_max_u64(2 * profile->enable_ns / 1000, 1000000));
	CTRL("rtd3e", nvp_max_u64(2 * profile->shutdown_ns / 1000, 5000000));
	CTRL("oaes", nvp_sim_notices(w));
	CTRL("cntrltype", 1);
	CTRL("nvmsr_device", 1);
	put_capabilities(w, data);
	nvp_put_le64(data + nvp_field_find(&nvp_fields_id_ctrl, "tnvmcap")->offset,
		     nvp_sim_total_bytes(w));
	nvp_put_le64(data + nvp_field_find(&nvp_fields_id_ctrl, "unvmcap")->offset,
		     nvp_sim_unallocated_bytes(w));
	CTRL("oacs_ns_management", nvp_sim_has_ns_management(w));
	CTRL("cmic_multi_controller", w->config->nr_controllers > 1);
	put_nvm(w, data);
	nvp_power_states_fill(w, data);
}

/* A drive that has no options has just its own format. */
static void put_formats(const struct nvp_sim *w, const struct nvp_sim_ns *ns, uint8_t *data)
{
	uint8_t *formats = data + 128;
	unsigned nr = 0;

	for (const struct nvp_sim_lba_format *f; (f = nvp_sim_format(w->config, nr)); nr++) {
		uint8_t *format = formats + 4 * nr;

		nvp_field_put(&nvp_fields_lba_format, format, "lbads", f->lba_shift);
		nvp_field_put(&nvp_fields_lba_format, format, "ms", f->meta_bytes);
		nvp_field_put(&nvp_fields_lba_format, format, "rp", f->performance);
	}
	NS("nlbaf", nr - 1);
	NS("flbas", ns->format | ns->meta_extended << 4);
	if (nvp_defect(w, NVP_HOOK_IDY_LBADS))
		nvp_field_put(&nvp_fields_lba_format, formats + 4 * ns->format, "lbads", 8);
	if (nvp_defect(w, NVP_HOOK_IDY_FLBAS))
		NS("flbas", 9);
}

/* Flash pages of 4 KiB, four of them at a time; the fields are zero-based. */
static void put_preferred(const struct nvp_sim *w, const struct nvp_sim_ns *ns, uint8_t *data)
{
	static const char *const granularities[] = { "npwg", "npwa", "npdg", "npda" };
	uint32_t lbas = ns->lba_bytes ? 4096 / ns->lba_bytes : 1;

	if (!w->profile->optional_commands)
		return;
	NS("nsfeat_optperf", 1);
	for (size_t i = 0; i < NVP_ARRAY_SIZE(granularities); i++)
		NS(granularities[i], lbas - 1);
	if (nvp_defect(w, NVP_HOOK_IDY_NOWS_MDTS))
		lbas <<= w->profile->mdts;
	NS("nows", 4 * lbas - (nvp_defect(w, NVP_HOOK_IDY_NOWS) ? 0 : 1));
}

/* What formats with metadata can be used for, and what this one is used for. */
static void put_protection(const struct nvp_sim *w, const struct nvp_sim_ns *ns, uint8_t *data)
{
	bool offered = w->profile->nr_lba_formats > 2;

	NS("mc_extended", offered && !nvp_defect(w, NVP_HOOK_META_MC));
	NS("mc_separate", offered && !nvp_defect(w, NVP_HOOK_META_MC));
	NS("dpc_type1", offered);
	NS("dpc_type2", offered);
	NS("dpc_type3", offered && !nvp_defect(w, NVP_HOOK_PI_DPC));
	NS("dpc_first", offered);
	NS("dpc_last", offered && !nvp_defect(w, NVP_HOOK_PI_DPC));
	NS("dps_type", nvp_defect(w, NVP_HOOK_PI_DPC) ? 3 :
		       nvp_defect(w, NVP_HOOK_PI_DPS_RESERVED) ? 5 : ns->pi_type);
	NS("dps_first", ns->pi_first);
}

void nvp_identify_ns_fill(const struct nvp_sim *w, const struct nvp_sim_ns *ns, uint8_t *data)
{
	NS("nsze", ns->nr_lbas);
	NS("ncap", ns->capacity_lbas + (nvp_defect(w, NVP_HOOK_IDY_NCAP) ? 1 : 0));
	NS("nuse", nvp_defect(w, NVP_HOOK_IDY_NUSE) ? ns->nr_lbas + 1 : ns->nr_used);
	NS("nsfeat_dulbe", w->profile->optional_commands);
	put_formats(w, ns, data);
	put_protection(w, ns, data);
	put_preferred(w, ns, data);
	NS("nmic_shared", ns->shared);
	if (w->profile->optional_commands) {
		NS("mssrl", nvp_defect(w, NVP_HOOK_COPY_LIMITS) ? 0 : NVP_SIM_MSSRL);
		NS("mcl", NVP_SIM_MCL);
		NS("msrc", NVP_SIM_MSRC_Z);
	}
	if (nvp_defect(w, NVP_HOOK_IDY_NOIOB))
		NS("noiob", 256);
	if (w->profile->optional_commands)
		NS("fpi", nvp_format_progress(w, ns));
	NS("nsattr_write_protected", nvp_protect_state(w, ns->nsid) &&
	   !nvp_defect(w, NVP_HOOK_WP_NSATTR));
	NS("dlfeat_read", 1);
	NS("dlfeat_write_zeroes", w->profile->optional_commands);
	nvp_put_le64(data + nvp_field_find(&nvp_fields_id_ns, "nvmcap")->offset, ns->bytes);
	if (nvp_defect(w, NVP_HOOK_IDY_NO_ID))
		return;
	memcpy(data + nvp_field_find(&nvp_fields_id_ns, "nguid")->offset, ns->nguid, 16);
	memcpy(data + nvp_field_find(&nvp_fields_id_ns, "eui64")->offset, ns->eui64, 8);
}

/* What all namespaces have in common (NVM Command Set 1.0, 4.1.5.1): nothing of any one of them. */
void nvp_identify_common_fill(const struct nvp_sim *w, uint8_t *data)
{
	const struct nvp_sim_ns none = { .nsid = NVP_NSID_ALL };

	nvp_identify_ns_fill(w, &none, data);
}
