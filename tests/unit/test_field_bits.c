// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the bit rows of field tables: each against libnvme's mask, or in the short list.

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <libnvme.h>

#include "core/base/bits.h"
#include "core/nvme/features.h"
#include "core/nvme/fields.h"
#include "tests/unit/unit.h"

struct mask_row {
	const char *key;
	uint64_t mask;
	const char *section;	/* only where libnvme has no name for these bits, or a wrong one */
};

static const struct mask_row id_ctrl[] = {
	{ "cmic_multi_port", NVME_CTRL_CMIC_MULTI_PORT, NULL },
	{ "cmic_multi_controller", NVME_CTRL_CMIC_MULTI_CTRL, NULL },
	{ "cmic_virtual_function", NVME_CTRL_CMIC_MULTI_SRIOV, NULL },
	{ "cmic_ana", NVME_CTRL_CMIC_MULTI_ANA_REPORTING, NULL },
	{ "oaes_ns_attribute", NVME_CTRL_OAES_NA, NULL },
	{ "oaes_firmware_activation", NVME_CTRL_OAES_FA, NULL },
	{ "oaes_ana_change", NVME_CTRL_OAES_ANA, NULL },
	{ "oaes_predictable_latency", NVME_CTRL_OAES_PLEA, NULL },
	{ "oaes_lba_status", NVME_CTRL_OAES_LBAS, NULL },
	{ "oaes_endurance_group", NVME_CTRL_OAES_EGE, NULL },
	{ "oaes_normal_shutdown", NVME_CTRL_OAES_NS, NULL },
	{ "oaes_zone_change", NVME_CTRL_OAES_ZD, NULL },
	{ "oaes_discovery_change", (uint32_t)NVME_CTRL_OAES_DL, NULL },
	{ "ctratt_host_id_128", NVME_CTRL_CTRATT_128_ID, NULL },
	{ "ctratt_nopspm", NVME_CTRL_CTRATT_NON_OP_PSP, NULL },
	{ "ctratt_nvm_sets", NVME_CTRL_CTRATT_NVM_SETS, NULL },
	{ "ctratt_read_recovery", NVME_CTRL_CTRATT_READ_RECV_LVLS, NULL },
	{ "ctratt_endurance_groups", NVME_CTRL_CTRATT_ENDURANCE_GROUPS, NULL },
	{ "ctratt_predictable_latency", NVME_CTRL_CTRATT_PREDICTABLE_LAT, NULL },
	{ "ctratt_tbkas", NVME_CTRL_CTRATT_TBKAS, NULL },
	{ "ctratt_ns_granularity", NVME_CTRL_CTRATT_NAMESPACE_GRANULARITY, NULL },
	{ "ctratt_sq_associations", NVME_CTRL_CTRATT_SQ_ASSOCIATIONS, NULL },
	{ "ctratt_uuid_list", NVME_CTRL_CTRATT_UUID_LIST, NULL },
	{ "ctratt_multi_domain", NVME_CTRL_CTRATT_MDS, NULL },
	{ "ctratt_fixed_capacity", NVME_CTRL_CTRATT_FIXED_CAP, NULL },
	{ "ctratt_variable_capacity", NVME_CTRL_CTRATT_VARIABLE_CAP, NULL },
	{ "ctratt_delete_endurance_group", NVME_CTRL_CTRATT_DEL_ENDURANCE_GROUPS, NULL },
	{ "ctratt_delete_nvm_set", NVME_CTRL_CTRATT_DEL_NVM_SETS, NULL },
	{ "ctratt_elbas", NVME_CTRL_CTRATT_ELBAS, NULL },
	{ "nvmsr_device", NVME_CTRL_NVMSR_NVMESD, NULL },
	{ "nvmsr_enclosure", NVME_CTRL_NVMSR_NVMEE, NULL },
	{ "vwci_remaining", NVME_CTRL_VWCI_VWCR, NULL },
	{ "vwci_valid", NVME_CTRL_VWCI_VWCRV, NULL },
	{ "mec_smbus", NVME_CTRL_MEC_SMBUSME, NULL },
	{ "mec_pcie", NVME_CTRL_MEC_PCIEME, NULL },
	{ "oacs_security", NVME_CTRL_OACS_SECURITY, NULL },
	{ "oacs_format", NVME_CTRL_OACS_FORMAT, NULL },
	{ "oacs_firmware", NVME_CTRL_OACS_FW, NULL },
	{ "oacs_ns_management", NVME_CTRL_OACS_NS_MGMT, NULL },
	{ "oacs_self_test", NVME_CTRL_OACS_SELF_TEST, NULL },
	{ "oacs_directives", NVME_CTRL_OACS_DIRECTIVES, NULL },
	{ "oacs_nvme_mi", NVME_CTRL_OACS_NVME_MI, NULL },
	{ "oacs_virtualization", NVME_CTRL_OACS_VIRT_MGMT, NULL },
	{ "oacs_doorbell_buffer", NVME_CTRL_OACS_DBBUF_CFG, NULL },
	{ "oacs_get_lba_status", NVME_CTRL_OACS_LBA_STATUS, NULL },
	{ "oacs_lockdown", NVME_CTRL_OACS_CMD_FEAT_LD, NULL },
	{ "frmw_slot1_read_only", NVME_CTRL_FRMW_1ST_RO, NULL },
	{ "frmw_slots", 7 << 1, "5.17.2.1: bits 3:1; libnvme's mask has two bits" },
	{ "frmw_no_reset", NVME_CTRL_FRMW_FW_ACT_NO_RESET, NULL },
	{ "frmw_multiple_detection", NVME_CTRL_FRMW_MP_UP_DETECTION, NULL },
	{ "lpa_smart_per_ns", NVME_CTRL_LPA_SMART_PER_NS, NULL },
	{ "lpa_effects", NVME_CTRL_LPA_CMD_EFFECTS, NULL },
	{ "lpa_extended", NVME_CTRL_LPA_EXTENDED, NULL },
	{ "lpa_telemetry", NVME_CTRL_LPA_TELEMETRY, NULL },
	{ "lpa_persistent_event", NVME_CTRL_LPA_PERSETENT_EVENT, NULL },
	{ "lpa_supported_logs", NVME_CTRL_LPA_LI0_LI5_LI12_LI13, NULL },
	{ "lpa_telemetry_area4", NVME_CTRL_LPA_DA4_TELEMETRY, NULL },
	{ "avscc_standard_format", 1 << 0, "5.17.2.1: no name in libnvme" },
	{ "apsta_supported", NVME_CTRL_APSTA_APST, NULL },
	{ "rpmbs_units", NVME_CTRL_RPMBS_NR_UNITS, NULL },
	{ "rpmbs_authentication", NVME_CTRL_RPMBS_AUTH_METHOD, NULL },
	{ "rpmbs_total", NVME_CTRL_RPMBS_TOTAL_SIZE, NULL },
	{ "rpmbs_access", (uint32_t)NVME_CTRL_RPMBS_ACCESS_SIZE, NULL },
	{ "dsto_one_at_a_time", NVME_CTRL_DSTO_ONE_DST, NULL },
	{ "hctma_supported", 1 << 0, "5.17.2.1: no name in libnvme" },
	{ "sanicap_crypto_erase", NVME_CTRL_SANICAP_CES, NULL },
	{ "sanicap_block_erase", NVME_CTRL_SANICAP_BES, NULL },
	{ "sanicap_overwrite", NVME_CTRL_SANICAP_OWS, NULL },
	{ "sanicap_ndi", NVME_CTRL_SANICAP_NDI, NULL },
	{ "sanicap_nodmmas", (uint32_t)NVME_CTRL_SANICAP_NODMMAS, NULL },
	{ "anacap_optimized", NVME_CTRL_ANACAP_OPT, NULL },
	{ "anacap_non_optimized", NVME_CTRL_ANACAP_NON_OPT, NULL },
	{ "anacap_inaccessible", NVME_CTRL_ANACAP_INACCESSIBLE, NULL },
	{ "anacap_persistent_loss", NVME_CTRL_ANACAP_PERSISTENT_LOSS, NULL },
	{ "anacap_change", NVME_CTRL_ANACAP_CHANGE, NULL },
	{ "anacap_group_fixed", NVME_CTRL_ANACAP_GRPID_NO_CHG, NULL },
	{ "anacap_group_nonzero", NVME_CTRL_ANACAP_GRPID_MGMT, NULL },
	{ "sqes_required", NVME_CTRL_SQES_MIN, NULL },
	{ "sqes_maximum", NVME_CTRL_SQES_MAX, NULL },
	{ "cqes_required", NVME_CTRL_CQES_MIN, NULL },
	{ "cqes_maximum", NVME_CTRL_CQES_MAX, NULL },
	{ "oncs_compare", NVME_CTRL_ONCS_COMPARE, NULL },
	{ "oncs_write_uncorrectable", NVME_CTRL_ONCS_WRITE_UNCORRECTABLE, NULL },
	{ "oncs_dsm", NVME_CTRL_ONCS_DSM, NULL },
	{ "oncs_write_zeroes", NVME_CTRL_ONCS_WRITE_ZEROES, NULL },
	{ "oncs_save_select", NVME_CTRL_ONCS_SAVE_FEATURES, NULL },
	{ "oncs_reservations", NVME_CTRL_ONCS_RESERVATIONS, NULL },
	{ "oncs_timestamp", NVME_CTRL_ONCS_TIMESTAMP, NULL },
	{ "oncs_verify", NVME_CTRL_ONCS_VERIFY, NULL },
	{ "oncs_copy", NVME_CTRL_ONCS_COPY, NULL },
	{ "fuses_compare_write", NVME_CTRL_FUSES_COMPARE_AND_WRITE, NULL },
	{ "fna_format_all", NVME_CTRL_FNA_FMT_ALL_NAMESPACES, NULL },
	{ "fna_erase_all", NVME_CTRL_FNA_SEC_ALL_NAMESPACES, NULL },
	{ "fna_crypto_erase", NVME_CTRL_FNA_CRYPTO_ERASE, NULL },
	{ "fna_no_broadcast", NVME_CTRL_FNA_NSID_FFFFFFFF, NULL },
	{ "vwc_present", NVME_CTRL_VWC_PRESENT, NULL },
	{ "vwc_flush_all", NVME_CTRL_VWC_FLUSH, NULL },
	{ "icsvscc_standard_format", 1 << 0, "5.17.2.1: no name in libnvme" },
	{ "nwpc_write_protect", NVME_CTRL_NWPC_WRITE_PROTECT, NULL },
	{ "nwpc_until_power_cycle", NVME_CTRL_NWPC_WRITE_PROTECT_POWER_CYCLE, NULL },
	{ "nwpc_permanent", NVME_CTRL_NWPC_WRITE_PROTECT_PERMANENT, NULL },
	{ "ocfs_format0", 1 << 0, "5.17.2.1: no name in libnvme" },
	{ "ocfs_format1", 1 << 1, "5.17.2.1: no name in libnvme" },
	{ "sgls_supported", NVME_CTRL_SGLS_SUPPORTED, NULL },
	{ "sgls_keyed", NVME_CTRL_SGLS_KEYED, NULL },
	{ "sgls_threshold", 0xff << 8, "5.17.2.1: no name in libnvme" },
	{ "sgls_bit_bucket", NVME_CTRL_SGLS_BIT_BUCKET, NULL },
	{ "sgls_metadata_aligned", NVME_CTRL_SGLS_MPTR_BYTE_ALIGNED, NULL },
	{ "sgls_longer", NVME_CTRL_SGLS_OVERSIZE, NULL },
	{ "sgls_metadata_sgl", NVME_CTRL_SGLS_MPTR_SGL, NULL },
	{ "sgls_offset_address", NVME_CTRL_SGLS_OFFSET, NULL },
	{ "sgls_transport", NVME_CTRL_SGLS_TPORT, NULL },
	{ "fcatt_static", NVME_CTRL_FCATT_DYNAMIC, NULL },	/* set means static, says its comment */
	{ "ofcs_disconnect", NVME_CTRL_OFCS_DISCONNECT, NULL },
};

static const struct mask_row id_ns[] = {
	{ "nsfeat_thin", NVME_NS_FEAT_THIN, NULL },
	{ "nsfeat_ns_atomics", NVME_NS_FEAT_NATOMIC, NULL },
	{ "nsfeat_dulbe", NVME_NS_FEAT_DULBE, NULL },
	{ "nsfeat_no_uid_reuse", NVME_NS_FEAT_ID_REUSE, NULL },
	{ "nsfeat_optperf", NVME_NS_FEAT_IO_OPT, NULL },
	{ "flbas_index", NVME_NS_FLBAS_LOWER_MASK, NULL },
	{ "flbas_extended", NVME_NS_FLBAS_META_EXT, NULL },
	{ "flbas_index_high", NVME_NS_FLBAS_HIGHER_MASK, NULL },
	{ "mc_extended", NVME_NS_MC_EXTENDED, NULL },
	{ "mc_separate", NVME_NS_MC_SEPARATE, NULL },
	{ "dpc_type1", NVME_NS_DPC_PI_TYPE1, NULL },
	{ "dpc_type2", NVME_NS_DPC_PI_TYPE2, NULL },
	{ "dpc_type3", NVME_NS_DPC_PI_TYPE3, NULL },
	{ "dpc_first", NVME_NS_DPC_PI_FIRST, NULL },
	{ "dpc_last", NVME_NS_DPC_PI_LAST, NULL },
	{ "dps_type", NVME_NS_DPS_PI_MASK, NULL },
	{ "dps_first", NVME_NS_DPS_PI_FIRST, NULL },
	{ "nmic_shared", NVME_NS_NMIC_SHARED, NULL },
	{ "rescap_persist", NVME_NS_RESCAP_PTPL, NULL },
	{ "rescap_write_exclusive", NVME_NS_RESCAP_WE, NULL },
	{ "rescap_exclusive_access", NVME_NS_RESCAP_EA, NULL },
	{ "rescap_write_exclusive_registrants", NVME_NS_RESCAP_WERO, NULL },
	{ "rescap_exclusive_access_registrants", NVME_NS_RESCAP_EARO, NULL },
	{ "rescap_write_exclusive_all", NVME_NS_RESCAP_WEAR, NULL },
	{ "rescap_exclusive_access_all", NVME_NS_RESCAP_EAAR, NULL },
	{ "rescap_ignore_existing_key", NVME_NS_RESCAP_IEK_13, NULL },
	{ "fpi_remaining", NVME_NS_FPI_REMAINING, NULL },
	{ "fpi_supported", NVME_NS_FPI_SUPPORTED, NULL },
	{ "dlfeat_read", NVME_NS_DLFEAT_RB, NULL },
	{ "dlfeat_write_zeroes", NVME_NS_DLFEAT_WRITE_ZEROES, NULL },
	{ "dlfeat_guard_crc", NVME_NS_DLFEAT_CRC_GUARD, NULL },
	{ "nsattr_write_protected", NVME_NS_NSATTR_WRITE_PROTECTED, NULL },
};

static const struct mask_row lba_format[] = {
	{ "rp", 3, "NVM Command Set 1.0, 4.1.5.1: bits 25:24; libnvme has values only" },
};

static const struct mask_row power_state[] = {
	{ "mxps", NVME_PSD_FLAGS_MXPS, NULL },
	{ "nops", NVME_PSD_FLAGS_NOPS, NULL },
	{ "rrt", 0x1f, "5.17.2.1: bits 100:96; no name in libnvme" },
	{ "rrl", 0x1f, "5.17.2.1: bits 108:104; no name in libnvme" },
	{ "rwt", 0x1f, "5.17.2.1: bits 116:112; no name in libnvme" },
	{ "rwl", 0x1f, "5.17.2.1: bits 124:120; no name in libnvme" },
	{ "ips", 3 << 6, "5.17.2.1: bits 151:150; no mask in libnvme" },
	{ "apw", 7, "5.17.2.1: bits 178:176; no mask in libnvme" },
	{ "aps", 3 << 6, "5.17.2.1: bits 183:182; no mask in libnvme" },
};

static const struct mask_row id_ns_independent[] = {
	{ "nsfeat_no_uid_reuse", NVME_NS_FEAT_ID_REUSE, NULL },
	{ "nsfeat_rotational", 1 << 4, "5.17.2.8: no name in libnvme" },
	{ "nmic_shared", NVME_NS_NMIC_SHARED, NULL },
	{ "fpi_remaining", NVME_NS_FPI_REMAINING, NULL },
	{ "fpi_supported", NVME_NS_FPI_SUPPORTED, NULL },
	{ "nsattr_write_protected", NVME_NS_NSATTR_WRITE_PROTECTED, NULL },
	{ "nstat_ready", 1 << 0, "5.17.2.8: no name in libnvme" },
};

/* The status field stands one bit higher in the log than in libnvme's masks: the phase is below. */
static const struct mask_row error_entry[] = {
	{ "phase", 1 << 0, "5.16.1.2: no name in libnvme" },
	{ "sc", NVME_SC_MASK << 1, NULL },
	{ "sct", NVME_SCT_MASK << NVME_SCT_SHIFT << 1, NULL },
	{ "crd", NVME_SC_CRD << 1, NULL },
	{ "more", NVME_SC_MORE << 1, NULL },
	{ "dnr", NVME_SC_DNR << 1, NULL },
	{ "error_byte", 0xff, "5.16.1.2: bits 7:0; libnvme's mask has four bits" },
	{ "error_bit", 7 << 8, "5.16.1.2: bits 10:8; libnvme's mask lies elsewhere" },
};

static const struct mask_row smart[] = {
	{ "warning_spare", NVME_SMART_CRIT_SPARE, NULL },
	{ "warning_temperature", NVME_SMART_CRIT_TEMPERATURE, NULL },
	{ "warning_reliability", NVME_SMART_CRIT_DEGRADED, NULL },
	{ "warning_read_only", NVME_SMART_CRIT_MEDIA, NULL },
	{ "warning_backup", NVME_SMART_CRIT_VOLATILE_MEMORY, NULL },
	{ "warning_pmr", NVME_SMART_CRIT_PMR_RO, NULL },
};

static const struct mask_row firmware_slot[] = {
	{ "active_slot", 7, "5.16.1.4: bits 2:0; no mask in libnvme" },
	{ "next_slot", 7 << 4, "5.16.1.4: bits 6:4; no mask in libnvme" },
};

static const struct mask_row supported_log[] = {
	{ "lsupp", 1 << 0, "5.16.1.1: no name in libnvme" },
	{ "ios", 1 << 1, "5.16.1.1: no name in libnvme" },
	{ "lid_specific", 0xffff0000, "5.16.1.1: no name in libnvme" },
};

static const struct mask_row command_effects[] = {
	{ "csupp", NVME_CMD_EFFECTS_CSUPP, NULL },
	{ "lbcc", NVME_CMD_EFFECTS_LBCC, NULL },
	{ "ncc", NVME_CMD_EFFECTS_NCC, NULL },
	{ "nic", NVME_CMD_EFFECTS_NIC, NULL },
	{ "ccc", NVME_CMD_EFFECTS_CCC, NULL },
	{ "cse", 7 << 16, "5.16.1.6: bits 18:16; libnvme's mask has two bits" },
	{ "uuid_selection", NVME_CMD_EFFECTS_UUID_SEL, NULL },
	{ "scope", 0xfff00000, "5.16.1.6: bits 31:20; no name in libnvme" },
};

static const struct mask_row feature_effects[] = {
	{ "fsupp", NVME_FID_SUPPORTED_EFFECTS_FSUPP, NULL },
	{ "udcc", NVME_FID_SUPPORTED_EFFECTS_UDCC, NULL },
	{ "ncc", NVME_FID_SUPPORTED_EFFECTS_NCC, NULL },
	{ "nic", NVME_FID_SUPPORTED_EFFECTS_NIC, NULL },
	{ "ccc", NVME_FID_SUPPORTED_EFFECTS_CCC, NULL },
	{ "uuid_selection", NVME_FID_SUPPORTED_EFFECTS_UUID_SEL, NULL },
	{ "scope", (uint32_t)NVME_FID_SUPPORTED_EFFECTS_SCOPE_MASK
		   << NVME_FID_SUPPORTED_EFFECTS_SCOPE_SHIFT, NULL },
};

#define SET(table_, masks_) { .table = &table_, .masks = masks_, .nr = NVP_ARRAY_SIZE(masks_) }

static const struct {
	const struct nvp_field_table *table;
	const struct mask_row *masks;
	size_t nr;
} sets[] = {
	SET(nvp_fields_id_ctrl, id_ctrl),
	SET(nvp_fields_id_ns, id_ns),
	SET(nvp_fields_lba_format, lba_format),
	SET(nvp_fields_power_state, power_state),
	SET(nvp_fields_id_ns_independent, id_ns_independent),
	SET(nvp_fields_error_entry, error_entry),
	SET(nvp_fields_smart, smart),
	SET(nvp_fields_firmware_slot, firmware_slot),
	SET(nvp_fields_supported_log, supported_log),
	SET(nvp_fields_command_effects, command_effects),
	SET(nvp_fields_feature_effects, feature_effects),
};

/* Rows and masks in the same order, one for one, so that neither list can have more. */
static void every_bit_row_has_its_mask(void)
{
	for (size_t s = 0; s < NVP_ARRAY_SIZE(sets); s++) {
		size_t m = 0;

		for (size_t r = 0; r < sets[s].table->nr_rows; r++) {
			const struct nvp_field *row = &sets[s].table->rows[r];
			uint64_t mask = nvp_bits(UINT64_MAX, 0, row->width_bits) << row->low_bit;

			if (!row->width_bits)
				continue;
			CU_ASSERT_FATAL(m < sets[s].nr);
			if (strcmp(sets[s].masks[m].key, row->key) || sets[s].masks[m].mask != mask) {
				printf("\n    %s: %s is %llx\n", sets[s].table->name, row->key,
				       (unsigned long long)mask);
				CU_FAIL("bits differ from libnvme");
			}
			m++;
		}
		CU_ASSERT_EQUAL(m, sets[s].nr);
	}
}

struct feature_row {
	uint8_t fid;
	const char *key;
	unsigned shift, mask;	/* as libnvme has them: the mask counts after the shift */
};

#define FEAT(fid_, key_, name) \
	{ fid_, key_, NVME_FEAT_ ## name ## _SHIFT, NVME_FEAT_ ## name ## _MASK }

static const struct feature_row features[] = {
	FEAT(0x01, "ab", ARBITRATION_BURST),
	FEAT(0x01, "lpw", ARBITRATION_LPW),
	FEAT(0x01, "mpw", ARBITRATION_MPW),
	FEAT(0x01, "hpw", ARBITRATION_HPW),
	FEAT(0x02, "ps", PWRMGMT_PS),
	FEAT(0x02, "wh", PWRMGMT_WH),
	FEAT(0x04, "tmpth", TT_TMPTH),
	FEAT(0x04, "tmpsel", TT_TMPSEL),
	FEAT(0x04, "thsel", TT_THSEL),
	FEAT(0x05, "tler", ERROR_RECOVERY_TLER),
	FEAT(0x05, "dulbe", ERROR_RECOVERY_DULBE),
	FEAT(0x06, "wce", VWC_WCE),
	FEAT(0x07, "nsq", NRQS_NSQR),
	FEAT(0x07, "ncq", NRQS_NCQR),
	FEAT(0x08, "thr", IRQC_THR),
	FEAT(0x08, "time", IRQC_TIME),
	FEAT(0x09, "iv", ICFG_IV),
	FEAT(0x09, "cd", ICFG_CD),
	FEAT(0x0a, "dn", WA_DN),
	FEAT(0x0b, "smart", AE_SMART),
	FEAT(0x0b, "ns_attribute", AE_NAN),
	FEAT(0x0b, "firmware_activation", AE_FW),
	FEAT(0x0b, "telemetry", AE_TELEM),
	FEAT(0x0b, "ana_change", AE_ANA),
	FEAT(0x0b, "predictable_latency", AE_PLA),
	FEAT(0x0b, "lba_status", AE_LBAS),
	FEAT(0x0b, "endurance_group", AE_EGA),
	FEAT(0x0c, "apste", APST_APSTE),
	FEAT(0x0d, "ehm", HMEM_EHM),
	FEAT(0x10, "tmt2", HCTM_TMT2),
	FEAT(0x10, "tmt1", HCTM_TMT1),
	FEAT(0x11, "noppme", NOPS_NOPPME),
	FEAT(0x15, "lsiri", LBAS_LSIRI),
	FEAT(0x15, "lsipi", LBAS_LSIPI),
	FEAT(0x17, "nodrm", SC_NODRM),
	{ 0x19, "iocsci", 0, 0x1ff },	/* 5.27.1.21: an index to 512 entries; libnvme has eight bits */
	FEAT(0x80, "pbslc", SPM_PBSLC),
	FEAT(0x82, "regpre", RM_REGPRE),
	FEAT(0x82, "resrel", RM_RESREL),
	FEAT(0x82, "respre", RM_RESPRE),
	FEAT(0x83, "ptpl", RP_PTPL),
	FEAT(0x84, "wps", WP_WPS),
};

static void features_agree_with_libnvme(void)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(features); i++) {
		const struct feature_row *f = &features[i];
		const struct nvp_field_table *t = nvp_fields_feature(f->fid);
		uint8_t dword[4] = { 0 };

		CU_ASSERT_PTR_NOT_NULL_FATAL(t);
		nvp_field_put(t, dword, f->key, UINT64_MAX);
		if (nvp_le32(dword) != (uint32_t)f->mask << f->shift) {
			printf("\n    feature %02x: %s is %08x\n", f->fid, f->key, nvp_le32(dword));
			CU_FAIL("bits differ from libnvme");
		}
	}
}

CU_TestInfo nvp_unit_field_bits[] = {
	{ "every_bit_row_has_its_mask", every_bit_row_has_its_mask },
	{ "features_agree_with_libnvme", features_agree_with_libnvme },
	CU_TEST_INFO_NULL,
};
