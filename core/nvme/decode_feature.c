// SPDX-License-Identifier: GPL-2.0-or-later
// Features and events: names, capabilities, data lengths (NVMe Base 2.0, 5.2, 5.15, 5.27).

#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/nvme/features.h"
#include "core/nvme/names.h"

struct nvp_async_event nvp_decode_async_event(uint32_t dw0)
{
	return (struct nvp_async_event) {
		.type = (uint8_t)nvp_bits(dw0, 0, 3),
		.info = (uint8_t)nvp_bits(dw0, 8, 8),
		.lid = (uint8_t)nvp_bits(dw0, 16, 8),
	};
}

struct nvp_feature_caps nvp_decode_feature_caps(uint32_t dw0)
{
	return (struct nvp_feature_caps) {
		.saveable = nvp_bit(dw0, 0),
		.ns_specific = nvp_bit(dw0, 1),
		.changeable = nvp_bit(dw0, 2),
	};
}

size_t nvp_feature_data_bytes(uint8_t fid, uint32_t dw11, bool set)
{
	switch (fid) {
	case 0x03:	/* LBA Range Type: 64 entries of 64 bytes */
	case 0x7d:	/* host metadata, three kinds */
	case 0x7e:
	case 0x7f:
		return 4096;
	case 0x0c:	/* Autonomous Power State Transition: 32 entries of 8 bytes */
		return 256;
	case 0x0d:	/* Host Memory Buffer: only Get has a structure, Set has dwords */
		return set ? 0 : 4096;
	case 0x0e:	/* Timestamp */
		return 8;
	case 0x13:	/* Predictable Latency Mode Config */
	case 0x16:	/* Host Behavior Support */
		return 512;
	case 0x81:	/* Host Identifier: EXHID chooses 128 or 64 bits */
		return nvp_bit(dw11, 0) ? 16 : 8;
	default:
		return 0;
	}
}

static const char *const feature_names[256] = {
	[0x01] = "Arbitration",
	[0x02] = "Power Management",
	[0x03] = "LBA Range Type",
	[0x04] = "Temperature Threshold",
	[0x05] = "Error Recovery",
	[0x06] = "Volatile Write Cache",
	[0x07] = "Number of Queues",
	[0x08] = "Interrupt Coalescing",
	[0x09] = "Interrupt Vector Configuration",
	[0x0a] = "Write Atomicity Normal",
	[0x0b] = "Asynchronous Event Configuration",
	[0x0c] = "Autonomous Power State Transition",
	[0x0d] = "Host Memory Buffer",
	[0x0e] = "Timestamp",
	[0x0f] = "Keep Alive Timer",
	[0x10] = "Host Controlled Thermal Management",
	[0x11] = "Non-Operational Power State Config",
	[0x12] = "Read Recovery Level Config",
	[0x13] = "Predictable Latency Mode Config",
	[0x14] = "Predictable Latency Mode Window",
	[0x15] = "LBA Status Information Report Interval",
	[0x16] = "Host Behavior Support",
	[0x17] = "Sanitize Config",
	[0x18] = "Endurance Group Event Configuration",
	[0x19] = "I/O Command Set Profile",
	[0x1a] = "Spinup Control",
	[0x1d] = "Flexible Data Placement",
	[0x1e] = "Flexible Data Placement Events",
	[0x7d] = "Enhanced Controller Metadata",
	[0x7e] = "Controller Metadata",
	[0x7f] = "Namespace Metadata",
	[0x80] = "Software Progress Marker",
	[0x81] = "Host Identifier",
	[0x82] = "Reservation Notification Mask",
	[0x83] = "Reservation Persistence",
	[0x84] = "Namespace Write Protection Config",
};

static const char *const numbered[256] = { NVP_NAMES_256("feature ") };

const char *nvp_feature_name(uint8_t fid)
{
	return feature_names[fid] ? feature_names[fid] : numbered[fid];
}
