// SPDX-License-Identifier: GPL-2.0-or-later
// Log C0h of OCP drives, SMART / Health Information Extended (OCP Datacenter NVMe SSD 2.0).

#include "core/nvme/fields.h"

#define SECTION "OCP Datacenter NVMe SSD 2.0, log C0h"
#include "core/nvme/rows.h"

static const struct nvp_field ocp_smart_rows[] = {
	ROW(0, 16, "media_bytes_written", U128, "Physical Media Units Written", UNIT("bytes")),
	ROW(16, 16, "media_bytes_read", U128, "Physical Media Units Read", UNIT("bytes")),
	BITS(32, 8, 0, 48, "bad_user_blocks", DEC, "Bad User NAND Blocks"),
	ROW(38, 2, "bad_user_normalized", DEC, "Bad User NAND Blocks, normalized",
	    UNIT("percent")),
	BITS(40, 8, 0, 48, "bad_system_blocks", DEC, "Bad System NAND Blocks"),
	ROW(46, 2, "bad_system_normalized", DEC, "Bad System NAND Blocks, normalized",
	    UNIT("percent")),
	ROW(48, 8, "xor_recoveries", DEC, "XOR Recovery Count"),
	ROW(56, 8, "unrecoverable_reads", DEC, "Uncorrectable Read Error Count"),
	ROW(64, 8, "soft_ecc_errors", DEC, "Soft ECC Error Count"),
	ROW(72, 4, "end_to_end_detected", DEC, "End to End Errors, detected"),
	ROW(76, 4, "end_to_end_corrected", DEC, "End to End Errors, corrected"),
	ROW(80, 1, "system_data_used", DEC, "System Data Percent Used", UNIT("percent")),
	BITS(80, 8, 8, 56, "refreshes", DEC, "Refresh Count"),
	ROW(88, 4, "erase_count_max", DEC, "User Data Erase Count, highest"),
	ROW(92, 4, "erase_count_min", DEC, "User Data Erase Count, lowest"),
	ROW(96, 1, "throttling_events", DEC, "Thermal Throttling Events"),
	ROW(97, 1, "throttling_level", HEX, "Thermal Throttling Status"),
	ROW(98, 1, "dssd_errata", DEC, "OCP Specification Errata"),
	ROW(99, 2, "dssd_point", DEC, "OCP Specification Point Version"),
	ROW(101, 2, "dssd_minor", DEC, "OCP Specification Minor Version"),
	ROW(103, 1, "dssd_major", DEC, "OCP Specification Major Version"),
	ROW(104, 8, "pcie_correctable_errors", DEC, "PCIe Correctable Error Count"),
	ROW(112, 4, "incomplete_shutdowns", DEC, "Incomplete Shutdowns"),
	ROW(120, 1, "free_blocks", DEC, "Percent Free Blocks", UNIT("percent")),
	ROW(128, 2, "capacitor_health", DEC, "Capacitor Health", UNIT("percent")),
	ROW(130, 1, "nvme_base_errata", HEX, "NVMe Base Specification Errata"),
	ROW(136, 8, "unaligned_io", DEC, "Unaligned I/O"),
	ROW(144, 8, "security_version", DEC, "Security Version Number"),
	ROW(152, 8, "nuse", DEC, "Total NUSE", UNIT("blocks")),
	ROW(160, 16, "plp_starts", U128, "PLP Start Count"),
	ROW(176, 16, "endurance_bytes", U128, "Endurance Estimate", UNIT("bytes")),
	ROW(192, 8, "link_retrainings", DEC, "PCIe Link Retraining Count"),
	ROW(200, 8, "power_state_changes", DEC, "Power State Change Count"),
	ROW(494, 2, "version", DEC, "Log Page Version"),
	ROW(496, 16, "guid", BYTES, "Log Page GUID"),
};
const struct nvp_field_table nvp_fields_ocp_smart = TABLE(ocp_smart_rows, "ocp-smart", 512);
