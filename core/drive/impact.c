// SPDX-License-Identifier: GPL-2.0-or-later
// What a command or a write may do to a drive, judged by its bytes alone.

#include <nvproof/decode.h>

#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/wrap.h"

#define READ NVP_IMPACT_READ
#define STATE NVP_IMPACT_STATE
#define DATA NVP_IMPACT_DATA
#define ERASE NVP_IMPACT_ERASE
#define RESET NVP_IMPACT_RESET
#define FIRMWARE NVP_IMPACT_FIRMWARE
#define PERMANENT NVP_IMPACT_PERMANENT
/* Whoever does not know what it does must have allowed the worst that can be given back. */
#define UNKNOWN (ERASE | FIRMWARE)

#define KNOWN 0x8000u	/* an entry of 0 in a table means unknown */

/*
 * Queues made and deleted are state of our own controller, nobody else's. Abort and Asynchronous
 * Event Request touch commands of ours alone. Management commands through NVMe-MI can do all that
 * the others can.
 */
static const uint16_t admin_impact[256] = {
	[NVP_ADMIN_DELETE_SQ] = KNOWN | STATE,
	[NVP_ADMIN_CREATE_SQ] = KNOWN | STATE,
	[NVP_ADMIN_GET_LOG_PAGE] = KNOWN | READ,
	[NVP_ADMIN_DELETE_CQ] = KNOWN | STATE,
	[NVP_ADMIN_CREATE_CQ] = KNOWN | STATE,
	[NVP_ADMIN_IDENTIFY] = KNOWN | READ,
	[NVP_ADMIN_ABORT] = KNOWN | READ,
	[NVP_ADMIN_SET_FEATURES] = KNOWN | STATE,
	[NVP_ADMIN_GET_FEATURES] = KNOWN | READ,
	[NVP_ADMIN_ASYNC_EVENT] = KNOWN | READ,
	[NVP_ADMIN_NS_MANAGEMENT] = KNOWN | ERASE,
	[NVP_ADMIN_FIRMWARE_COMMIT] = KNOWN | FIRMWARE,
	[NVP_ADMIN_FIRMWARE_DOWNLOAD] = KNOWN | FIRMWARE,
	[NVP_ADMIN_SELF_TEST] = KNOWN | STATE,
	[NVP_ADMIN_NS_ATTACHMENT] = KNOWN | ERASE,
	[NVP_ADMIN_KEEP_ALIVE] = KNOWN | STATE,
	[NVP_ADMIN_DIRECTIVE_SEND] = KNOWN | STATE,
	[NVP_ADMIN_DIRECTIVE_RECEIVE] = KNOWN | STATE,
	[NVP_ADMIN_VIRTUALIZATION] = KNOWN | RESET,
	[0x1d] = KNOWN | ERASE | FIRMWARE | RESET,	/* NVMe-MI Send */
	[0x1e] = KNOWN | STATE,				/* NVMe-MI Receive */
	[0x20] = KNOWN | ERASE,				/* Capacity Management */
	[NVP_ADMIN_LOCKDOWN] = KNOWN | PERMANENT,
	[NVP_ADMIN_DOORBELL_BUFFER] = KNOWN | STATE | RESET,
	[NVP_ADMIN_FABRICS] = KNOWN | STATE,
	[NVP_ADMIN_FORMAT] = KNOWN | ERASE,
	[NVP_ADMIN_SECURITY_SEND] = KNOWN | ERASE | FIRMWARE,
	[NVP_ADMIN_SECURITY_RECEIVE] = KNOWN | READ,
	[NVP_ADMIN_SANITIZE] = KNOWN | ERASE,
	[NVP_ADMIN_GET_LBA_STATUS] = KNOWN | READ,
};

static const uint16_t io_impact[256] = {
	[NVP_IO_FLUSH] = KNOWN | READ,
	[NVP_IO_WRITE] = KNOWN | DATA,
	[NVP_IO_READ] = KNOWN | READ,
	[NVP_IO_WRITE_UNCORRECTABLE] = KNOWN | DATA,
	[NVP_IO_COMPARE] = KNOWN | READ,
	[NVP_IO_WRITE_ZEROES] = KNOWN | DATA,
	[NVP_IO_DSM] = KNOWN | DATA,
	[NVP_IO_VERIFY] = KNOWN | READ,
	[0x0d] = KNOWN | STATE,		/* Reservation Register */
	[0x0e] = KNOWN | READ,		/* Reservation Report */
	[0x11] = KNOWN | STATE,		/* Reservation Acquire */
	[0x12] = KNOWN | READ,		/* I/O Management Receive */
	[0x15] = KNOWN | STATE,		/* Reservation Release */
	[0x18] = KNOWN | READ,		/* Cancel: commands of ours */
	[NVP_IO_COPY] = KNOWN | DATA,
	[0x1d] = KNOWN | DATA,		/* I/O Management Send */
	[0x79] = KNOWN | DATA,		/* Zone Management Send */
	[0x7a] = KNOWN | READ,		/* Zone Management Receive */
	[0x7d] = KNOWN | DATA,		/* Zone Append */
};

/*
 * Write protection that ends with a power cycle or never: Namespace Write Protection Config
 * (section 5.27.1.23) states 2 and 3, Boot Partition Write Protection Config states 2 and 3 of
 * either partition. Vendor features may do anything.
 */
static uint32_t feature_impact(const struct nvp_sqe *sqe)
{
	uint8_t fid = (uint8_t)nvp_sqe_dw(sqe, 10);
	uint32_t dw11 = nvp_sqe_dw(sqe, 11);

	if (fid == 0x84 && (dw11 & 7) >= 2)
		return STATE | PERMANENT;
	if (fid == 0x85 && ((dw11 & 7) >= 2 || (dw11 >> 3 & 7) >= 2))
		return STATE | PERMANENT;
	if (fid >= 0xc0)
		return STATE | UNKNOWN;
	return STATE;
}

/* Reading some logs changes them: a telemetry capture, a context of the persistent event log. */
static uint32_t log_impact(const struct nvp_sqe *sqe)
{
	uint32_t dw10 = nvp_sqe_dw(sqe, 10);
	uint8_t lid = (uint8_t)dw10, lsp = dw10 >> 8 & 0x7f;

	if (lid == 0x07 && lsp & 1)
		return STATE;
	if (lid == 0x0d && lsp & 3)
		return STATE;
	return READ;
}

uint32_t nvp_impact_admin(const struct nvp_sqe *sqe)
{
	uint8_t opcode = nvp_sqe_opcode(sqe);

	if (opcode == NVP_ADMIN_SET_FEATURES)
		return feature_impact(sqe);
	if (opcode == NVP_ADMIN_GET_LOG_PAGE)
		return log_impact(sqe);
	return admin_impact[opcode] & KNOWN ? admin_impact[opcode] & ~KNOWN : UNKNOWN;
}

uint32_t nvp_impact_io(const struct nvp_sqe *sqe)
{
	uint8_t opcode = nvp_sqe_opcode(sqe);

	return io_impact[opcode] & KNOWN ? io_impact[opcode] & ~KNOWN : UNKNOWN;
}

/* --- registers and configuration space ---------------------------------------------------- */

/* First and last byte of a register or a block of them, and what writing there may do. */
static const struct {
	uint32_t first, last;
	uint32_t impact;
} registers[] = {
	{ 0x00, 0x0b, STATE },			/* CAP, VS: read only */
	{ 0x0c, 0x13, STATE },			/* INTMS, INTMC */
	{ 0x14, 0x17, RESET },			/* CC */
	{ 0x18, 0x1b, STATE },			/* reserved */
	{ 0x1c, 0x1f, STATE },			/* CSTS: NSSRO and PP are cleared by writing */
	{ 0x20, 0x23, RESET },			/* NSSR */
	{ 0x24, 0x37, RESET },			/* AQA, ASQ, ACQ: count from the next enable on */
	{ 0x38, 0x63, STATE },			/* memory buffer, boot partition reading */
	{ 0x64, 0x67, RESET },			/* NSSD shuts the whole subsystem down */
	{ 0x68, 0x6b, STATE },			/* CRTO */
	{ 0xe00, 0xe1b, STATE | DATA },		/* persistent memory region */
	{ NVP_REG_DOORBELLS, 0x7ffff + NVP_REG_DOORBELLS, STATE },
};

uint32_t nvp_impact_register(uint64_t offset, unsigned bytes)
{
	uint32_t impacts = 0;

	for (unsigned i = 0; i < bytes; i++) {
		uint32_t here = UNKNOWN | RESET;

		for (size_t r = 0; r < NVP_ARRAY_SIZE(registers); r++)
			if (offset + i >= registers[r].first && offset + i <= registers[r].last)
				here = registers[r].impact;
		impacts |= here;
	}
	return impacts;
}

/* Command, BARs, power state, FLR, link: any of it can take the function away from its host. */
uint32_t nvp_impact_config(unsigned offset, unsigned bytes)
{
	(void)offset;
	(void)bytes;
	return RESET;
}

const char *nvp_impact_words(uint32_t impacts, char *text, size_t bytes)
{
	static const struct {
		uint32_t bit;
		const char *word;
	} words[] = {
		{ STATE, "state" }, { DATA, "data" }, { ERASE, "erase" }, { RESET, "reset" },
		{ NVP_IMPACT_POWER, "power" }, { FIRMWARE, "firmware" },
		{ PERMANENT, "permanent" },
	};
	size_t used = 0;

	if (!bytes)
		return text;
	snprintf(text, bytes, "read");
	for (size_t i = 0; i < NVP_ARRAY_SIZE(words); i++) {
		int n;

		if (!(impacts & words[i].bit))
			continue;
		n = snprintf(text + used, bytes - used, "%s%s", used ? "," : "", words[i].word);
		if (n < 0 || (size_t)n >= bytes - used)
			break;
		used += (size_t)n;
	}
	return text;
}
