// SPDX-License-Identifier: GPL-2.0-or-later
// Log pages 01h, 02h, 03h, and the dwords of 00h, 05h and 12h (NVMe Base 2.0 section 5.16.1).

#include "core/nvme/fields.h"

#define SECTION "5.16.1.2"
#include "core/nvme/rows.h"

static const struct nvp_field error_entry_rows[] = {
	ROW(0, 8, "error_count", DEC, "Error Count"),
	ROW(8, 2, "sqid", HEX, "Submission Queue ID"),
	ROW(10, 2, "cid", HEX, "Command ID"),
	ROW(12, 2, "status_field", HEX, "Status Field, with the Phase Tag in bit 0"),
	FLAG(12, 2, 0, "phase", "Phase Tag"),
	BITS(12, 2, 1, 8, "sc", HEX, "Status Code"),
	BITS(12, 2, 9, 3, "sct", HEX, "Status Code Type"),
	BITS(12, 2, 12, 2, "crd", DEC, "Command Retry Delay"),
	FLAG(12, 2, 14, "more", "More"),
	FLAG(12, 2, 15, "dnr", "Do Not Retry"),
	ROW(14, 2, "parameter_error_location", HEX, "Parameter Error Location"),
	BITS(14, 2, 0, 8, "error_byte", DEC, "Byte in the command"),
	BITS(14, 2, 8, 3, "error_bit", DEC, "Bit in that byte"),
	ROW(16, 8, "lba", DEC, "LBA"),
	ROW(24, 4, "nsid", HEX, "Namespace"),
	ROW(28, 1, "vendor_log", HEX, "Vendor Specific Information Available (log identifier)",
	    ABSENT),
	ROW(29, 1, "trtype", DEC, "Transport Type"),
	ROW(32, 8, "command_specific", HEX, "Command Specific Information"),
	ROW(40, 2, "transport_specific", HEX, "Transport Type Specific Information"),
};
const struct nvp_field_table nvp_fields_error_entry =
	TABLE(error_entry_rows, "error-information-entry", 64);

#undef SECTION
#define SECTION "5.16.1.3"

static const struct nvp_field smart_rows[] = {
	ROW(0, 1, "critical_warning", HEX, "Critical Warning"),
	FLAG(0, 1, 0, "warning_spare", "Available spare below threshold"),
	FLAG(0, 1, 1, "warning_temperature", "Temperature beyond a threshold"),
	FLAG(0, 1, 2, "warning_reliability", "Reliability degraded"),
	FLAG(0, 1, 3, "warning_read_only", "Media in read only mode"),
	FLAG(0, 1, 4, "warning_backup", "Volatile memory backup device failed"),
	FLAG(0, 1, 5, "warning_pmr", "Persistent Memory Region read only or unreliable"),
	ROW(1, 2, "composite_temperature", KELVIN, "Composite Temperature"),
	ROW(3, 1, "available_spare", DEC, "Available Spare", UNIT("percent")),
	ROW(4, 1, "spare_threshold", DEC, "Available Spare Threshold", UNIT("percent")),
	ROW(5, 1, "percentage_used", DEC, "Percentage Used", UNIT("percent")),
	ROW(6, 1, "egcws", HEX, "Endurance Group Critical Warning Summary"),
	ROW(32, 16, "data_units_read", U128, "Data Units Read", UNIT("512000 bytes")),
	ROW(48, 16, "data_units_written", U128, "Data Units Written", UNIT("512000 bytes")),
	ROW(64, 16, "host_reads", U128, "Host Read Commands"),
	ROW(80, 16, "host_writes", U128, "Host Write Commands"),
	ROW(96, 16, "busy_minutes", U128, "Controller Busy Time", UNIT("minutes")),
	ROW(112, 16, "power_cycles", U128, "Power Cycles"),
	ROW(128, 16, "power_on_hours", U128, "Power On Hours"),
	ROW(144, 16, "unsafe_shutdowns", U128, "Unsafe Shutdowns"),
	ROW(160, 16, "media_errors", U128, "Media and Data Integrity Errors"),
	ROW(176, 16, "error_log_entries", U128, "Number of Error Information Log Entries"),
	ROW(192, 4, "warning_temp_minutes", DEC, "Warning Composite Temperature Time",
	    UNIT("minutes")),
	ROW(196, 4, "critical_temp_minutes", DEC, "Critical Composite Temperature Time",
	    UNIT("minutes")),
	ROW(200, 2, "sensor1", KELVIN, "Temperature Sensor 1", ABSENT),
	ROW(202, 2, "sensor2", KELVIN, "Temperature Sensor 2", ABSENT),
	ROW(204, 2, "sensor3", KELVIN, "Temperature Sensor 3", ABSENT),
	ROW(206, 2, "sensor4", KELVIN, "Temperature Sensor 4", ABSENT),
	ROW(208, 2, "sensor5", KELVIN, "Temperature Sensor 5", ABSENT),
	ROW(210, 2, "sensor6", KELVIN, "Temperature Sensor 6", ABSENT),
	ROW(212, 2, "sensor7", KELVIN, "Temperature Sensor 7", ABSENT),
	ROW(214, 2, "sensor8", KELVIN, "Temperature Sensor 8", ABSENT),
	ROW(216, 4, "thermal1_count", DEC, "Thermal Management Temperature 1 Transition Count"),
	ROW(220, 4, "thermal2_count", DEC, "Thermal Management Temperature 2 Transition Count"),
	ROW(224, 4, "thermal1_seconds", DEC, "Total Time For Thermal Management Temperature 1",
	    UNIT("s")),
	ROW(228, 4, "thermal2_seconds", DEC, "Total Time For Thermal Management Temperature 2",
	    UNIT("s")),
};
const struct nvp_field_table nvp_fields_smart = TABLE(smart_rows, "smart", 512);

#undef SECTION
#define SECTION "5.16.1.4"

static const struct nvp_field firmware_slot_rows[] = {
	ROW(0, 1, "afi", HEX, "Active Firmware Info"),
	BITS(0, 1, 0, 3, "active_slot", DEC, "Active slot"),
	BITS(0, 1, 4, 3, "next_slot", DEC, "Slot to be activated at the next reset", ABSENT),
	ROW(8, 8, "frs1", ASCII, "Firmware Revision for Slot 1", ABSENT),
	ROW(16, 8, "frs2", ASCII, "Firmware Revision for Slot 2", ABSENT),
	ROW(24, 8, "frs3", ASCII, "Firmware Revision for Slot 3", ABSENT),
	ROW(32, 8, "frs4", ASCII, "Firmware Revision for Slot 4", ABSENT),
	ROW(40, 8, "frs5", ASCII, "Firmware Revision for Slot 5", ABSENT),
	ROW(48, 8, "frs6", ASCII, "Firmware Revision for Slot 6", ABSENT),
	ROW(56, 8, "frs7", ASCII, "Firmware Revision for Slot 7", ABSENT),
};
const struct nvp_field_table nvp_fields_firmware_slot =
	TABLE(firmware_slot_rows, "firmware-slot-information", 512);

#undef SECTION
#define SECTION "5.16.1.1"

static const struct nvp_field supported_log_rows[] = {
	FLAG(0, 4, 0, "lsupp", "Log page supported"),
	FLAG(0, 4, 1, "ios", "Index offset supported"),
	BITS(0, 4, 16, 16, "lid_specific", HEX, "LID specific parameter"),
};
const struct nvp_field_table nvp_fields_supported_log =
	TABLE(supported_log_rows, "lid-supported-and-effects", 4);

#undef SECTION
#define SECTION "5.16.1.6"

static const struct nvp_field command_effects_rows[] = {
	FLAG(0, 4, 0, "csupp", "Command supported"),
	FLAG(0, 4, 1, "lbcc", "Logical block content change"),
	FLAG(0, 4, 2, "ncc", "Namespace capability change"),
	FLAG(0, 4, 3, "nic", "Namespace inventory change"),
	FLAG(0, 4, 4, "ccc", "Controller capability change"),
	BITS(0, 4, 16, 3, "cse", DEC, "Command submission and execution"),
	FLAG(0, 4, 19, "uuid_selection", "UUID selection supported"),
	BITS(0, 4, 20, 12, "scope", HEX, "Command scope"),
};
const struct nvp_field_table nvp_fields_command_effects =
	TABLE(command_effects_rows, "command-supported-and-effects", 4);

#undef SECTION
#define SECTION "5.16.1.18"

static const struct nvp_field feature_effects_rows[] = {
	FLAG(0, 4, 0, "fsupp", "Feature supported"),
	FLAG(0, 4, 1, "udcc", "User data content change"),
	FLAG(0, 4, 2, "ncc", "Namespace capability change"),
	FLAG(0, 4, 3, "nic", "Namespace inventory change"),
	FLAG(0, 4, 4, "ccc", "Controller capability change"),
	FLAG(0, 4, 19, "uuid_selection", "UUID selection supported"),
	BITS(0, 4, 20, 12, "scope", HEX, "Feature scope"),
};
const struct nvp_field_table nvp_fields_feature_effects =
	TABLE(feature_effects_rows, "feature-supported-and-effects", 4);
