// SPDX-License-Identifier: GPL-2.0-or-later
// The values of features that fit into Dword 11 (NVMe Base 2.0 section 5.27.1).

#include "core/nvme/features.h"

#define SECTION "5.27.1.1"
#include "core/nvme/rows.h"

static const struct nvp_field arbitration_rows[] = {
	BITS(0, 4, 0, 3, "ab", DEC, "Arbitration Burst", UNIT("(power of two, 7: no limit)")),
	BITS(0, 4, 8, 8, "lpw", DEC, "Low Priority Weight", UNIT("(0-based)")),
	BITS(0, 4, 16, 8, "mpw", DEC, "Medium Priority Weight", UNIT("(0-based)")),
	BITS(0, 4, 24, 8, "hpw", DEC, "High Priority Weight", UNIT("(0-based)")),
};
static const struct nvp_field_table arbitration = TABLE(arbitration_rows, "arbitration", 4);

#undef SECTION
#define SECTION "5.27.1.2"
static const struct nvp_field power_rows[] = {
	BITS(0, 4, 0, 5, "ps", DEC, "Power State"),
	BITS(0, 4, 5, 3, "wh", DEC, "Workload Hint"),
};
static const struct nvp_field_table power = TABLE(power_rows, "power-management", 4);

#undef SECTION
#define SECTION "5.27.1.3"
static const struct nvp_field temperature_rows[] = {
	BITS(0, 4, 0, 16, "tmpth", KELVIN, "Temperature Threshold"),
	BITS(0, 4, 16, 4, "tmpsel", DEC, "Threshold Temperature Select",
	     UNIT("(0: composite, 1 to 8: sensor)")),
	BITS(0, 4, 20, 2, "thsel", DEC, "Threshold Type Select", UNIT("(0: over, 1: under)")),
};
static const struct nvp_field_table temperature =
	TABLE(temperature_rows, "temperature-threshold", 4);

#undef SECTION
#define SECTION "NVM Command Set 1.0, 4.1.3"
static const struct nvp_field recovery_rows[] = {
	BITS(0, 4, 0, 16, "tler", DEC, "Time Limited Error Recovery", ABSENT, UNIT("100 ms")),
	FLAG(0, 4, 16, "dulbe", "Deallocated or Unwritten Logical Block Error Enable"),
};
static const struct nvp_field_table recovery = TABLE(recovery_rows, "error-recovery", 4);

#undef SECTION
#define SECTION "5.27.1.4"
static const struct nvp_field write_cache_rows[] = {
	FLAG(0, 4, 0, "wce", "Volatile Write Cache Enable"),
};
static const struct nvp_field_table write_cache =
	TABLE(write_cache_rows, "volatile-write-cache", 4);

#undef SECTION
#define SECTION "5.27.1.5"
static const struct nvp_field queues_rows[] = {
	BITS(0, 4, 0, 16, "nsq", DEC, "Number of I/O Submission Queues", UNIT("(0-based)")),
	BITS(0, 4, 16, 16, "ncq", DEC, "Number of I/O Completion Queues", UNIT("(0-based)")),
};
static const struct nvp_field_table queues = TABLE(queues_rows, "number-of-queues", 4);

#undef SECTION
#define SECTION "5.27.1.6"
static const struct nvp_field coalescing_rows[] = {
	BITS(0, 4, 0, 8, "thr", DEC, "Aggregation Threshold", UNIT("entries (0-based)")),
	BITS(0, 4, 8, 8, "time", DEC, "Aggregation Time", UNIT("100 us")),
};
static const struct nvp_field_table coalescing =
	TABLE(coalescing_rows, "interrupt-coalescing", 4);

#undef SECTION
#define SECTION "5.27.1.7"
static const struct nvp_field vector_rows[] = {
	BITS(0, 4, 0, 16, "iv", DEC, "Interrupt Vector"),
	FLAG(0, 4, 16, "cd", "Coalescing Disable"),
};
static const struct nvp_field_table vector = TABLE(vector_rows, "interrupt-vector", 4);

#undef SECTION
#define SECTION "NVM Command Set 1.0, 4.1.3"
static const struct nvp_field atomicity_rows[] = {
	FLAG(0, 4, 0, "dn", "Disable Normal"),
};
static const struct nvp_field_table atomicity = TABLE(atomicity_rows, "write-atomicity", 4);

#undef SECTION
#define SECTION "5.27.1.8"
static const struct nvp_field async_event_rows[] = {
	BITS(0, 4, 0, 8, "smart", HEX, "SMART / Health Critical Warnings"),
	FLAG(0, 4, 8, "ns_attribute", "Namespace Attribute Notices"),
	FLAG(0, 4, 9, "firmware_activation", "Firmware Activation Notices"),
	FLAG(0, 4, 10, "telemetry", "Telemetry Log Notices"),
	FLAG(0, 4, 11, "ana_change", "Asymmetric Namespace Access Change Notices"),
	FLAG(0, 4, 12, "predictable_latency", "Predictable Latency Event Aggregate Notices"),
	FLAG(0, 4, 13, "lba_status", "LBA Status Information Alert Notices"),
	FLAG(0, 4, 14, "endurance_group", "Endurance Group Event Aggregate Notices"),
	FLAG(0, 4, 15, "normal_shutdown", "Normal NVM Subsystem Shutdown"),
	FLAG(0, 4, 27, "zone_change", "Zone Descriptor Changed Notices"),
	FLAG(0, 4, 31, "discovery_change", "Discovery Log Page Change Notices"),
};
static const struct nvp_field_table async_event =
	TABLE(async_event_rows, "asynchronous-event-configuration", 4);

#undef SECTION
#define SECTION "5.27.1.9"
static const struct nvp_field apst_rows[] = {
	FLAG(0, 4, 0, "apste", "Autonomous Power State Transition Enable"),
};
static const struct nvp_field_table apst =
	TABLE(apst_rows, "autonomous-power-state-transition", 4);

#undef SECTION
#define SECTION "5.27.1.10"
static const struct nvp_field host_memory_rows[] = {
	FLAG(0, 4, 0, "ehm", "Enable Host Memory"),
	FLAG(0, 4, 1, "mr", "Memory Return"),
};
static const struct nvp_field_table host_memory =
	TABLE(host_memory_rows, "host-memory-buffer", 4);

#undef SECTION
#define SECTION "5.27.1.12"
static const struct nvp_field keep_alive_rows[] = {
	ROW(0, 4, "kato", DEC, "Keep Alive Timeout", ABSENT, UNIT("ms")),
};
static const struct nvp_field_table keep_alive = TABLE(keep_alive_rows, "keep-alive-timer", 4);

#undef SECTION
#define SECTION "5.27.1.13"
static const struct nvp_field thermal_rows[] = {
	BITS(0, 4, 0, 16, "tmt2", KELVIN, "Thermal Management Temperature 2", ABSENT),
	BITS(0, 4, 16, 16, "tmt1", KELVIN, "Thermal Management Temperature 1", ABSENT),
};
static const struct nvp_field_table thermal =
	TABLE(thermal_rows, "host-controlled-thermal-management", 4);

#undef SECTION
#define SECTION "5.27.1.14"
static const struct nvp_field non_operational_rows[] = {
	FLAG(0, 4, 0, "noppme", "Non-Operational Power State Permissive Mode Enable"),
};
static const struct nvp_field_table non_operational =
	TABLE(non_operational_rows, "non-operational-power-state", 4);

#undef SECTION
#define SECTION "NVM Command Set 1.0, 4.1.3"
static const struct nvp_field lba_status_rows[] = {
	BITS(0, 4, 0, 16, "lsiri", DEC, "LBA Status Information Report Interval", UNIT("100 ms")),
	BITS(0, 4, 16, 16, "lsipi", DEC, "LBA Status Information Poll Interval", UNIT("100 ms")),
};
static const struct nvp_field_table lba_status =
	TABLE(lba_status_rows, "lba-status-information", 4);

#undef SECTION
#define SECTION "5.27.1.19"
static const struct nvp_field sanitize_rows[] = {
	FLAG(0, 4, 0, "nodrm", "No-Deallocate Response Mode"),
};
static const struct nvp_field_table sanitize = TABLE(sanitize_rows, "sanitize-config", 4);

#undef SECTION
#define SECTION "5.27.1.21"
static const struct nvp_field command_set_rows[] = {
	BITS(0, 4, 0, 9, "iocsci", DEC, "I/O Command Set Combination Index"),
};
static const struct nvp_field_table command_set =
	TABLE(command_set_rows, "io-command-set-profile", 4);

#undef SECTION
#define SECTION "5.27.1.22"
static const struct nvp_field spinup_rows[] = {
	FLAG(0, 4, 0, "spinup", "Spinup Control"),
};
static const struct nvp_field_table spinup = TABLE(spinup_rows, "spinup-control", 4);

#undef SECTION
#define SECTION "5.27.1.24"
static const struct nvp_field progress_rows[] = {
	BITS(0, 4, 0, 8, "pbslc", DEC, "Pre-boot Software Load Count"),
};
static const struct nvp_field_table progress =
	TABLE(progress_rows, "software-progress-marker", 4);

#undef SECTION
#define SECTION "5.27.1.26"
static const struct nvp_field reservation_mask_rows[] = {
	FLAG(0, 4, 1, "regpre", "Mask Registration Preempted Notification"),
	FLAG(0, 4, 2, "resrel", "Mask Reservation Released Notification"),
	FLAG(0, 4, 3, "respre", "Mask Reservation Preempted Notification"),
};
static const struct nvp_field_table reservation_mask =
	TABLE(reservation_mask_rows, "reservation-notification-mask", 4);

#undef SECTION
#define SECTION "5.27.1.27"
static const struct nvp_field reservation_persist_rows[] = {
	FLAG(0, 4, 0, "ptpl", "Persist Through Power Loss"),
};
static const struct nvp_field_table reservation_persist =
	TABLE(reservation_persist_rows, "reservation-persistence", 4);

#undef SECTION
#define SECTION "5.27.1.28"
static const struct nvp_field write_protect_rows[] = {
	BITS(0, 4, 0, 3, "wps", DEC, "Write Protection State"),
};
static const struct nvp_field_table write_protect =
	TABLE(write_protect_rows, "namespace-write-protection", 4);

static const struct nvp_field_table *const by_fid[256] = {
	[0x01] = &arbitration,
	[0x02] = &power,
	[0x04] = &temperature,
	[0x05] = &recovery,
	[0x06] = &write_cache,
	[0x07] = &queues,
	[0x08] = &coalescing,
	[0x09] = &vector,
	[0x0a] = &atomicity,
	[0x0b] = &async_event,
	[0x0c] = &apst,
	[0x0d] = &host_memory,
	[0x0f] = &keep_alive,
	[0x10] = &thermal,
	[0x11] = &non_operational,
	[0x15] = &lba_status,
	[0x17] = &sanitize,
	[0x19] = &command_set,
	[0x1a] = &spinup,
	[0x80] = &progress,
	[0x82] = &reservation_mask,
	[0x83] = &reservation_persist,
	[0x84] = &write_protect,
};

const struct nvp_field_table *nvp_fields_feature(uint8_t fid)
{
	return by_fid[fid];
}
