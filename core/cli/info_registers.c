// SPDX-License-Identifier: GPL-2.0-or-later
// Controller registers through a field table (NVMe Base 2.0, section 3.1.3).

#include "core/cli/info.h"

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"

#define REG(register, bit, bits)					\
	.offset = NVP_REG_##register, .low_bit = (bit), .width_bits = (bits)
#define CAP_ROW(bit, bits) .bytes = 8, REG(CAP, bit, bits), .section = "3.1.3.1"
#define CC_ROW(bit, bits) .bytes = 4, REG(CC, bit, bits), .section = "3.1.3.5"
#define CSTS_ROW(bit, bits) .bytes = 4, REG(CSTS, bit, bits), .section = "3.1.3.6"
#define WHOLE(register, size) .offset = NVP_REG_##register, .bytes = (size)

static const struct nvp_field rows[] = {
	{ "cap", "Controller Capabilities (CAP)", WHOLE(CAP, 8), .format = NVP_FIELD_HEX,
	  .section = "3.1.3.1" },
	{ "mqes", "Maximum Queue Entries Supported", CAP_ROW(0, 16), .unit = "(0-based)" },
	{ "cqr", "Contiguous Queues Required", CAP_ROW(16, 1), .format = NVP_FIELD_FLAG },
	{ "ams_supported", "Arbitration Mechanism Supported", CAP_ROW(17, 2),
	  .format = NVP_FIELD_HEX },
	{ "to", "Timeout", CAP_ROW(24, 8), .unit = "500 ms" },
	{ "dstrd", "Doorbell Stride", CAP_ROW(32, 4), .unit = "(4 << n bytes)" },
	{ "nssrs", "NVM Subsystem Reset Supported", CAP_ROW(36, 1), .format = NVP_FIELD_FLAG },
	{ "css_supported", "Command Sets Supported", CAP_ROW(37, 8), .format = NVP_FIELD_HEX },
	{ "bps", "Boot Partition Support", CAP_ROW(45, 1), .format = NVP_FIELD_FLAG },
	{ "cps", "Controller Power Scope", CAP_ROW(46, 2), .format = NVP_FIELD_HEX },
	{ "mpsmin", "Memory Page Size Minimum", CAP_ROW(48, 4), .unit = "(4096 << n bytes)" },
	{ "mpsmax", "Memory Page Size Maximum", CAP_ROW(52, 4), .unit = "(4096 << n bytes)" },
	{ "pmrs", "Persistent Memory Region Supported", CAP_ROW(56, 1),
	  .format = NVP_FIELD_FLAG },
	{ "cmbs", "Controller Memory Buffer Supported", CAP_ROW(57, 1),
	  .format = NVP_FIELD_FLAG },
	{ "nsss", "NVM Subsystem Shutdown Supported", CAP_ROW(58, 1), .format = NVP_FIELD_FLAG },
	{ "crwms", "Controller Ready With Media Support", CAP_ROW(59, 1),
	  .format = NVP_FIELD_FLAG },
	{ "crims", "Controller Ready Independent of Media Support", CAP_ROW(60, 1),
	  .format = NVP_FIELD_FLAG },
	{ "vs", "Version (VS)", WHOLE(VS, 4), .format = NVP_FIELD_VERSION, .section = "3.1.3.2" },
	{ "intms", "Interrupt Mask Set (INTMS)", WHOLE(INTMS, 4), .format = NVP_FIELD_HEX,
	  .section = "3.1.3.3" },
	{ "cc", "Controller Configuration (CC)", WHOLE(CC, 4), .format = NVP_FIELD_HEX,
	  .section = "3.1.3.5" },
	{ "en", "Enable", CC_ROW(0, 1), .format = NVP_FIELD_FLAG },
	{ "css", "I/O Command Set Selected", CC_ROW(4, 3) },
	{ "mps", "Memory Page Size", CC_ROW(7, 4), .unit = "(4096 << n bytes)" },
	{ "ams", "Arbitration Mechanism Selected", CC_ROW(11, 3) },
	{ "shn", "Shutdown Notification", CC_ROW(14, 2) },
	{ "iosqes", "I/O Submission Queue Entry Size", CC_ROW(16, 4), .unit = "(1 << n bytes)" },
	{ "iocqes", "I/O Completion Queue Entry Size", CC_ROW(20, 4), .unit = "(1 << n bytes)" },
	{ "crime", "Controller Ready Independent of Media Enable", CC_ROW(24, 1),
	  .format = NVP_FIELD_FLAG },
	{ "csts", "Controller Status (CSTS)", WHOLE(CSTS, 4), .format = NVP_FIELD_HEX,
	  .section = "3.1.3.6" },
	{ "rdy", "Ready", CSTS_ROW(0, 1), .format = NVP_FIELD_FLAG },
	{ "cfs", "Controller Fatal Status", CSTS_ROW(1, 1), .format = NVP_FIELD_FLAG },
	{ "shst", "Shutdown Status", CSTS_ROW(2, 2) },
	{ "nssro", "NVM Subsystem Reset Occurred", CSTS_ROW(4, 1), .format = NVP_FIELD_FLAG },
	{ "pp", "Processing Paused", CSTS_ROW(5, 1), .format = NVP_FIELD_FLAG },
	{ "st", "Shutdown Type", CSTS_ROW(6, 1), .format = NVP_FIELD_FLAG },
	{ "aqa", "Admin Queue Attributes (AQA)", WHOLE(AQA, 4), .format = NVP_FIELD_HEX,
	  .section = "3.1.3.8" },
	{ "asqs", "Admin Submission Queue Size", .bytes = 4, REG(AQA, 0, 12),
	  .section = "3.1.3.8", .unit = "(0-based)" },
	{ "acqs", "Admin Completion Queue Size", .bytes = 4, REG(AQA, 16, 12),
	  .section = "3.1.3.8", .unit = "(0-based)" },
	{ "asq", "Admin Submission Queue Base Address (ASQ)", WHOLE(ASQ, 8),
	  .format = NVP_FIELD_HEX, .section = "3.1.3.9" },
	{ "acq", "Admin Completion Queue Base Address (ACQ)", WHOLE(ACQ, 8),
	  .format = NVP_FIELD_HEX, .section = "3.1.3.10" },
	{ "crto", "Controller Ready Timeouts (CRTO)", WHOLE(CRTO, 4), .format = NVP_FIELD_HEX,
	  .section = "3.1.3.20" },
	{ "crwmt", "Ready With Media Timeout", .bytes = 4, REG(CRTO, 0, 16),
	  .section = "3.1.3.20", .unit = "500 ms" },
	{ "crimt", "Ready Independent of Media Timeout", .bytes = 4, REG(CRTO, 16, 16),
	  .section = "3.1.3.20", .unit = "500 ms" },
};

const struct nvp_field_table nvp_fields_registers = {
	.name = "registers",
	.bytes = NVP_REGISTER_IMAGE_BYTES,
	.rows = rows,
	.nr_rows = NVP_ARRAY_SIZE(rows),
};

int nvp_read_registers(struct nvp_drive *drive, unsigned char image[NVP_REGISTER_IMAGE_BYTES])
{
	memset(image, 0, NVP_REGISTER_IMAGE_BYTES);
	if (!(nvp_drive_path(drive) & NVP_PATH_REGISTERS))
		return -EOPNOTSUPP;
	for (unsigned offset = 0; offset < NVP_REGISTER_IMAGE_BYTES; offset += 4) {
		uint32_t value;
		int rc = nvp_reg_read32(drive, offset, &value);

		if (rc)
			return rc;
		nvp_put_le32(image + offset, value);
	}
	return 0;
}
