// SPDX-License-Identifier: GPL-2.0-or-later
// Identify Namespace, CNS 00h and 08h, and the LBA format (NVM Command Set 1.0, NVMe Base 2.0).

#include "core/nvme/fields.h"

#define SECTION "NVM Command Set 1.0, 4.1.5.1"
#include "core/nvme/rows.h"

static const struct nvp_field id_ns_rows[] = {
	ROW(0, 8, "nsze", DEC, "Namespace Size", UNIT("blocks")),
	ROW(8, 8, "ncap", DEC, "Namespace Capacity", UNIT("blocks")),
	ROW(16, 8, "nuse", DEC, "Namespace Utilization", UNIT("blocks")),
	ROW(24, 1, "nsfeat", HEX, "Namespace Features"),
	FLAG(24, 1, 0, "nsfeat_thin", "Thin provisioning"),
	FLAG(24, 1, 1, "nsfeat_ns_atomics", "NAWUN, NAWUPF and NACWU are in use"),
	FLAG(24, 1, 2, "nsfeat_dulbe", "Deallocated or Unwritten Logical Block error"),
	FLAG(24, 1, 3, "nsfeat_no_uid_reuse", "NGUID and EUI64 are never reused"),
	FLAG(24, 1, 4, "nsfeat_optperf", "NPWG, NPWA, NPDG, NPDA and NOWS are in use"),
	ROW(25, 1, "nlbaf", DEC, "Number of LBA Formats", UNIT("(0-based)")),
	ROW(26, 1, "flbas", HEX, "Formatted LBA Size"),
	BITS(26, 1, 0, 4, "flbas_index", DEC, "Format Index, low four bits"),
	FLAG(26, 1, 4, "flbas_extended", "Metadata at the end of the data block"),
	BITS(26, 1, 5, 2, "flbas_index_high", DEC, "Format Index, high two bits"),
	ROW(27, 1, "mc", HEX, "Metadata Capabilities"),
	FLAG(27, 1, 0, "mc_extended", "Metadata as part of an extended block"),
	FLAG(27, 1, 1, "mc_separate", "Metadata as a separate buffer"),
	ROW(28, 1, "dpc", HEX, "End-to-end Data Protection Capabilities"),
	FLAG(28, 1, 0, "dpc_type1", "Protection Information Type 1"),
	FLAG(28, 1, 1, "dpc_type2", "Protection Information Type 2"),
	FLAG(28, 1, 2, "dpc_type3", "Protection Information Type 3"),
	FLAG(28, 1, 3, "dpc_first", "In the first bytes of metadata"),
	FLAG(28, 1, 4, "dpc_last", "In the last bytes of metadata"),
	ROW(29, 1, "dps", HEX, "End-to-end Data Protection Type Settings"),
	BITS(29, 1, 0, 3, "dps_type", DEC, "Protection Information Type"),
	FLAG(29, 1, 3, "dps_first", "In the first bytes of metadata"),
	ROW(30, 1, "nmic", HEX, "Namespace Multi-path I/O and Namespace Sharing Capabilities"),
	FLAG(30, 1, 0, "nmic_shared", "May be attached to two or more controllers"),
	ROW(31, 1, "rescap", HEX, "Reservation Capabilities"),
	FLAG(31, 1, 0, "rescap_persist", "Persist Through Power Loss"),
	FLAG(31, 1, 1, "rescap_write_exclusive", "Write Exclusive"),
	FLAG(31, 1, 2, "rescap_exclusive_access", "Exclusive Access"),
	FLAG(31, 1, 3, "rescap_write_exclusive_registrants", "Write Exclusive - Registrants Only"),
	FLAG(31, 1, 4, "rescap_exclusive_access_registrants",
	     "Exclusive Access - Registrants Only"),
	FLAG(31, 1, 5, "rescap_write_exclusive_all", "Write Exclusive - All Registrants"),
	FLAG(31, 1, 6, "rescap_exclusive_access_all", "Exclusive Access - All Registrants"),
	FLAG(31, 1, 7, "rescap_ignore_existing_key", "Ignore Existing Key as in revision 1.3"),
	ROW(32, 1, "fpi", HEX, "Format Progress Indicator"),
	BITS(32, 1, 0, 7, "fpi_remaining", DEC, "Remaining to be formatted", UNIT("percent")),
	FLAG(32, 1, 7, "fpi_supported", "Format progress is reported"),
	ROW(33, 1, "dlfeat", HEX, "Deallocate Logical Block Features"),
	BITS(33, 1, 0, 3, "dlfeat_read", DEC, "Deallocated blocks read as",
	     UNIT("(0: not said, 1: 00h, 2: FFh)")),
	FLAG(33, 1, 3, "dlfeat_write_zeroes", "Deallocate bit of Write Zeroes"),
	FLAG(33, 1, 4, "dlfeat_guard_crc", "Guard of deallocated blocks is the CRC"),
	ROW(34, 2, "nawun", DEC, "Namespace Atomic Write Unit Normal", UNIT("blocks (0-based)")),
	ROW(36, 2, "nawupf", DEC, "Namespace Atomic Write Unit Power Fail",
	    UNIT("blocks (0-based)")),
	ROW(38, 2, "nacwu", DEC, "Namespace Atomic Compare and Write Unit",
	    UNIT("blocks (0-based)")),
	ROW(40, 2, "nabsn", DEC, "Namespace Atomic Boundary Size Normal", UNIT("blocks (0-based)")),
	ROW(42, 2, "nabo", DEC, "Namespace Atomic Boundary Offset", UNIT("blocks")),
	ROW(44, 2, "nabspf", DEC, "Namespace Atomic Boundary Size Power Fail",
	    UNIT("blocks (0-based)")),
	ROW(46, 2, "noiob", DEC, "Namespace Optimal I/O Boundary", ABSENT, UNIT("blocks")),
	ROW(48, 16, "nvmcap", U128, "NVM Capacity", UNIT("bytes")),
	ROW(64, 2, "npwg", DEC, "Namespace Preferred Write Granularity", UNIT("blocks (0-based)")),
	ROW(66, 2, "npwa", DEC, "Namespace Preferred Write Alignment", UNIT("blocks (0-based)")),
	ROW(68, 2, "npdg", DEC, "Namespace Preferred Deallocate Granularity",
	    UNIT("blocks (0-based)")),
	ROW(70, 2, "npda", DEC, "Namespace Preferred Deallocate Alignment",
	    UNIT("blocks (0-based)")),
	ROW(72, 2, "nows", DEC, "Namespace Optimal Write Size", UNIT("blocks (0-based)")),
	ROW(74, 2, "mssrl", DEC, "Maximum Single Source Range Length", UNIT("blocks")),
	ROW(76, 4, "mcl", DEC, "Maximum Copy Length", UNIT("blocks")),
	ROW(80, 1, "msrc", DEC, "Maximum Source Range Count", UNIT("(0-based)")),
	ROW(82, 1, "nulbaf", DEC, "Number of Unique Capability LBA Formats"),
	ROW(92, 4, "anagrpid", DEC, "ANA Group Identifier", ABSENT),
	ROW(99, 1, "nsattr", HEX, "Namespace Attributes"),
	FLAG(99, 1, 0, "nsattr_write_protected", "Write protected"),
	ROW(100, 2, "nvmsetid", DEC, "NVM Set Identifier", ABSENT),
	ROW(102, 2, "endgid", DEC, "Endurance Group Identifier", ABSENT),
	ROW(104, 16, "nguid", BYTES, "Namespace Globally Unique Identifier", ABSENT),
	ROW(120, 8, "eui64", BYTES, "IEEE Extended Unique Identifier", ABSENT),
};
const struct nvp_field_table nvp_fields_id_ns = TABLE(id_ns_rows, "identify-namespace", 4096);

static const struct nvp_field lba_format_rows[] = {
	ROW(0, 2, "ms", DEC, "Metadata Size", UNIT("bytes")),
	ROW(2, 1, "lbads", DEC, "LBA Data Size", ABSENT, UNIT("(power of two, bytes)")),
	BITS(3, 1, 0, 2, "rp", DEC, "Relative Performance", UNIT("(0: best, 3: degraded)")),
};
const struct nvp_field_table nvp_fields_lba_format = TABLE(lba_format_rows, "lba-format", 4);

#undef SECTION
#define SECTION "5.17.2.8"

static const struct nvp_field id_ns_independent_rows[] = {
	ROW(0, 1, "nsfeat", HEX, "Common Namespace Features"),
	FLAG(0, 1, 3, "nsfeat_no_uid_reuse", "NGUID and EUI64 are never reused"),
	FLAG(0, 1, 4, "nsfeat_rotational", "Stored on rotational media"),
	ROW(1, 1, "nmic", HEX, "Namespace Multi-path I/O and Namespace Sharing Capabilities"),
	FLAG(1, 1, 0, "nmic_shared", "May be attached to two or more controllers"),
	ROW(2, 1, "rescap", HEX, "Reservation Capabilities"),
	ROW(3, 1, "fpi", HEX, "Format Progress Indicator"),
	BITS(3, 1, 0, 7, "fpi_remaining", DEC, "Remaining to be formatted", UNIT("percent")),
	FLAG(3, 1, 7, "fpi_supported", "Format progress is reported"),
	ROW(4, 4, "anagrpid", DEC, "ANA Group Identifier", ABSENT),
	ROW(8, 1, "nsattr", HEX, "Namespace Attributes"),
	FLAG(8, 1, 0, "nsattr_write_protected", "Write protected"),
	ROW(10, 2, "nvmsetid", DEC, "NVM Set Identifier", ABSENT),
	ROW(12, 2, "endgid", DEC, "Endurance Group Identifier", ABSENT),
	ROW(14, 1, "nstat", HEX, "Namespace Status"),
	FLAG(14, 1, 0, "nstat_ready", "Namespace ready"),
};
const struct nvp_field_table nvp_fields_id_ns_independent =
	TABLE(id_ns_independent_rows, "identify-namespace-independent", 4096);
