// SPDX-License-Identifier: GPL-2.0-or-later
// Status in all its raw forms, and the names of commands (NVMe Base 2.0 section 3.3.3.2.1).

#include <nvproof/decode.h>

#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/nvme/names.h"
#include "core/nvme/status_table.h"

struct nvp_status nvp_status_from_field(uint16_t field)
{
	return (struct nvp_status) {
		.sc = (uint8_t)nvp_bits(field, 0, 8),
		.sct = (uint8_t)nvp_bits(field, 8, 3),
		.crd = (uint8_t)nvp_bits(field, 11, 2),
		.more = nvp_bit(field, 13),
		.dnr = nvp_bit(field, 14),
	};
}

struct nvp_status nvp_status_from_cqe(uint16_t word)
{
	return nvp_status_from_field((uint16_t)(word >> 1));
}

uint16_t nvp_status_to_field(const struct nvp_status *status)
{
	return (uint16_t)(status->sc | (status->sct & 7) << 8 | (status->crd & 3) << 11 |
			  status->more << 13 | status->dnr << 14);
}

static const struct nvp_status_row *find(unsigned sct, unsigned sc)
{
	for (size_t i = 0; i < nvp_nr_status_rows; i++)
		if (nvp_status_rows[i].sct == sct && nvp_status_rows[i].sc == sc)
			return &nvp_status_rows[i];
	return NULL;
}

/* Type 7 is the vendor's altogether, and so is the last quarter of every other type. */
static bool is_vendor(unsigned sct, unsigned sc)
{
	return sct == NVP_SCT_VENDOR || (sct <= NVP_SCT_PATH && sc >= 0xc0 && sc <= 0xff);
}

const char *nvp_status_name(unsigned sct, unsigned sc)
{
	const struct nvp_status_row *row = find(sct, sc);

	if (row)
		return row->name;
	return is_vendor(sct, sc) ? "Vendor Specific" : "unknown";
}

const char *nvp_status_sentence(unsigned sct, unsigned sc)
{
	const struct nvp_status_row *row = find(sct, sc);

	if (row)
		return row->sentence;
	return is_vendor(sct, sc) ? "Only the vendor's documents say what this means." : "";
}

const char *nvp_status_text(const struct nvp_status *status, char text[NVP_STATUS_TEXT_BYTES])
{
	unsigned field = nvp_status_to_field(status);
	char crd[12] = "";

	if (status->crd)
		snprintf(crd, sizeof(crd), ", CRD=%u", status->crd & 3u);
	snprintf(text, NVP_STATUS_TEXT_BYTES, 
		 "%X/%02Xh %s%s%s, DNR=%u, field 0x%04x, CQE word 0x%04x",
		 status->sct, status->sc, nvp_status_name(status->sct, status->sc), crd,
		 status->more ? ", M=1" : "", (unsigned)status->dnr, field, field << 1 & 0xffff);
	return text;
}

const char *nvp_expect_text(const struct nvp_expect_set *set, char text[NVP_STATUS_TEXT_BYTES])
{
	size_t used = 0;

	snprintf(text, NVP_STATUS_TEXT_BYTES, "nothing");
	for (unsigned i = 0; i < set->nr; i++) {
		char one[16];
		size_t length = (size_t)snprintf(one, sizeof(one), "%s%X/%02Xh", i ? " or " : "",
						 set->any[i].sct, set->any[i].sc);

		if (used + length + sizeof(" ..") > NVP_STATUS_TEXT_BYTES) {
			memcpy(text + used, " ..", sizeof(" .."));
			break;
		}
		memcpy(text + used, one, length + 1);
		used += length;
	}
	return text;
}

static const char *const admin_names[256] = {
	[0x00] = "Delete I/O Submission Queue",
	[0x01] = "Create I/O Submission Queue",
	[0x02] = "Get Log Page",
	[0x04] = "Delete I/O Completion Queue",
	[0x05] = "Create I/O Completion Queue",
	[0x06] = "Identify",
	[0x08] = "Abort",
	[0x09] = "Set Features",
	[0x0a] = "Get Features",
	[0x0c] = "Asynchronous Event Request",
	[0x0d] = "Namespace Management",
	[0x10] = "Firmware Commit",
	[0x11] = "Firmware Image Download",
	[0x14] = "Device Self-test",
	[0x15] = "Namespace Attachment",
	[0x18] = "Keep Alive",
	[0x19] = "Directive Send",
	[0x1a] = "Directive Receive",
	[0x1c] = "Virtualization Management",
	[0x1d] = "NVMe-MI Send",
	[0x1e] = "NVMe-MI Receive",
	[0x20] = "Capacity Management",
	[0x24] = "Lockdown",
	[0x7c] = "Doorbell Buffer Config",
	[0x7f] = "Fabrics Commands",
	[0x80] = "Format NVM",
	[0x81] = "Security Send",
	[0x82] = "Security Receive",
	[0x84] = "Sanitize",
	[0x86] = "Get LBA Status",
};

static const char *const io_names[256] = {
	[0x00] = "Flush",
	[0x01] = "Write",
	[0x02] = "Read",
	[0x04] = "Write Uncorrectable",
	[0x05] = "Compare",
	[0x08] = "Write Zeroes",
	[0x09] = "Dataset Management",
	[0x0c] = "Verify",
	[0x0d] = "Reservation Register",
	[0x0e] = "Reservation Report",
	[0x11] = "Reservation Acquire",
	[0x12] = "I/O Management Receive",
	[0x15] = "Reservation Release",
	[0x18] = "Cancel",
	[0x19] = "Copy",
	[0x1d] = "I/O Management Send",
	[0x79] = "Zone Management Send",
	[0x7a] = "Zone Management Receive",
	[0x7d] = "Zone Append",
	[0x7f] = "Fabrics Commands",
};

static const char *const numbered[256] = { NVP_NAMES_256("opcode ") };

const char *nvp_opcode_name(bool admin, uint8_t opcode)
{
	const char *name = admin ? admin_names[opcode] : io_names[opcode];

	return name ? name : numbered[opcode];
}
