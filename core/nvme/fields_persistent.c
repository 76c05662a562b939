// SPDX-License-Identifier: GPL-2.0-or-later
// Log page 0Dh: the header of the Persistent Event log, and that of each event.

#include "core/nvme/fields.h"

#define SECTION "5.16.1.14"
#include "core/nvme/rows.h"

static const struct nvp_field persistent_log_rows[] = {
	ROW(0, 1, "lid", HEX, "Log Identifier"),
	ROW(4, 4, "tnev", DEC, "Total Number of Events"),
	ROW(8, 8, "tll", DEC, "Total Log Length", UNIT("bytes")),
	ROW(16, 1, "rv", DEC, "Log Revision"),
	ROW(18, 2, "lhl", DEC, "Log Header Length, without its first 20 bytes", UNIT("bytes")),
	ROW(20, 8, "ts", HEX, "Timestamp"),
	ROW(28, 16, "poh", U128, "Power on Hours"),
	ROW(44, 8, "pcc", DEC, "Power Cycle Count"),
	ROW(52, 2, "vid", HEX, "PCI Vendor ID"),
	ROW(54, 2, "ssvid", HEX, "PCI Subsystem Vendor ID"),
	ROW(56, 20, "sn", ASCII, "Serial Number"),
	ROW(76, 40, "mn", ASCII, "Model Number"),
	ROW(116, 256, "subnqn", NUL, "NVM Subsystem NVMe Qualified Name"),
	ROW(372, 2, "gen_number", DEC, "Generation Number", ABSENT),
	ROW(374, 4, "rci", HEX, "Reporting Context Information"),
	BITS(374, 4, 0, 16, "rci_port", HEX, "Reporting Context Port Identifier"),
	BITS(374, 4, 16, 2, "rci_port_type", DEC, "Reporting Context Port Identifier Type"),
	FLAG(374, 4, 18, "rci_exists", "Reporting context existed"),
	ROW(480, 32, "seb", BYTES, "Supported Events Bitmap"),
};
const struct nvp_field_table nvp_fields_persistent_log =
	TABLE(persistent_log_rows, "persistent-event-log", 512);

static const struct nvp_field persistent_event_rows[] = {
	ROW(0, 1, "etype", HEX, "Event Type"),
	ROW(1, 1, "etype_rev", DEC, "Event Type Revision"),
	ROW(2, 1, "ehl", DEC, "Event Header Length, without its first 3 bytes", UNIT("bytes")),
	ROW(3, 1, "ehai", HEX, "Event Header Additional Info"),
	BITS(3, 1, 0, 2, "port_type", DEC, "Port Identifier Type"),
	ROW(4, 2, "cntlid", HEX, "Controller Identifier"),
	ROW(6, 8, "ets", HEX, "Event Timestamp"),
	ROW(14, 2, "pelpid", HEX, "Port Identifier"),
	ROW(20, 2, "vsil", DEC, "Vendor Specific Information Length", UNIT("bytes")),
	ROW(22, 2, "el", DEC, "Event Length, with vendor specific information",
	    UNIT("bytes")),
};
const struct nvp_field_table nvp_fields_persistent_event =
	TABLE(persistent_event_rows, "persistent-event", 24);
