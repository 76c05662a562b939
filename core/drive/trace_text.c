// SPDX-License-Identifier: GPL-2.0-or-later
// One line for people from a trace record.

#include <nvproof/decode.h>
#include <nvproof/drive_ops.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"

static const char *register_name(uint64_t offset)
{
	static const struct {
		uint32_t offset;
		const char *name;
	} names[] = {
		{ NVP_REG_CAP, "CAP" },	      { NVP_REG_CAP + 4, "CAP+4" },
		{ NVP_REG_VS, "VS" },	      { NVP_REG_INTMS, "INTMS" },
		{ NVP_REG_INTMC, "INTMC" },   { NVP_REG_CC, "CC" },
		{ NVP_REG_CSTS, "CSTS" },     { NVP_REG_NSSR, "NSSR" },
		{ NVP_REG_AQA, "AQA" },	      { NVP_REG_ASQ, "ASQ" },
		{ NVP_REG_ASQ + 4, "ASQ+4" }, { NVP_REG_ACQ, "ACQ" },
		{ NVP_REG_ACQ + 4, "ACQ+4" }, { NVP_REG_CMBLOC, "CMBLOC" },
		{ NVP_REG_CMBSZ, "CMBSZ" },   { NVP_REG_BPINFO, "BPINFO" },
		{ NVP_REG_CRTO, "CRTO" },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(names); i++)
		if (names[i].offset == offset)
			return names[i].name;
	return offset >= NVP_REG_DOORBELLS ? "doorbell" : "register";
}

static const char *reset_name(uint64_t reset)
{
	static const char *const names[NVP_NR_RESETS] = {
		"controller", "function", "hot", "link", "D3", "subsystem",
	};

	return reset < NVP_NR_RESETS ? names[reset] : "unknown";
}

static int sqe_text(const struct nvp_trace_record *r, char *text, size_t bytes)
{
	struct nvp_sqe sqe;
	const char *detail = "", *name;

	memcpy(sqe.bytes, r->payload, sizeof(sqe.bytes));
	name = nvp_opcode_name(r->qid == 0, nvp_sqe_opcode(&sqe));
	if (r->qid == 0 && (nvp_sqe_opcode(&sqe) == NVP_ADMIN_SET_FEATURES ||
			    nvp_sqe_opcode(&sqe) == NVP_ADMIN_GET_FEATURES))
		detail = nvp_feature_name((uint8_t)nvp_sqe_dw(&sqe, 10));
	else if (r->qid == 0 && nvp_sqe_opcode(&sqe) == NVP_ADMIN_GET_LOG_PAGE)
		detail = nvp_log_name((uint8_t)nvp_sqe_dw(&sqe, 10));
	return snprintf(
		text, bytes,
		"SQ %u -> CID %u %s%s%s%s nsid %" PRIx32 "h prp %" PRIx64 "h %" PRIx64
		"h dw10-15 %" PRIx32 " %" PRIx32 " %" PRIx32 " %" PRIx32 " %" PRIx32 " %" PRIx32,
		r->qid, nvp_sqe_cid(&sqe), name, *detail ? " (" : "", detail, *detail ? ")" : "",
		nvp_sqe_dw(&sqe, 1), nvp_sqe_qw(&sqe, 6), nvp_sqe_qw(&sqe, 8), nvp_sqe_dw(&sqe, 10),
		nvp_sqe_dw(&sqe, 11), nvp_sqe_dw(&sqe, 12), nvp_sqe_dw(&sqe, 13),
		nvp_sqe_dw(&sqe, 14), nvp_sqe_dw(&sqe, 15));
}

static int cqe_text(const struct nvp_trace_record *r, char *text, size_t bytes)
{
	char status[NVP_STATUS_TEXT_BYTES];
	struct nvp_cpl cpl;

	if (!r->bytes)
		return snprintf(text, bytes, "CQ %u <- no answer (%" PRId32 ")", r->qid, r->result);
	nvp_decode_cqe(r->payload, &cpl);
	nvp_status_text(&cpl.status, status);
	return snprintf(text, bytes, "CQ %u <- SQ %u CID %u SQHD %u P%d dw0 %" PRIx32 "h %s",
			r->qid, cpl.sqid, cpl.cid, cpl.sqhd, cpl.phase, cpl.dw0, status);
}

static int refused_text(const struct nvp_trace_record *r, char *text, size_t bytes)
{
	struct nvp_sqe sqe;

	if (!r->bytes)
		return snprintf(text, bytes, "refused: write of %" PRIx64 "h to %" PRIx64 "h", r->b,
				r->a);
	memcpy(sqe.bytes, r->payload, sizeof(sqe.bytes));
	return snprintf(text, bytes, "refused: SQ %u %s nsid %" PRIx32 "h dw10 %" PRIx32 "h",
			r->qid, nvp_opcode_name(r->qid == 0, nvp_sqe_opcode(&sqe)),
			nvp_sqe_dw(&sqe, 1), nvp_sqe_dw(&sqe, 10));
}

static int body_text(const struct nvp_trace_record *r, char *text, size_t bytes)
{
	switch (r->kind) {
	case NVP_TRACE_SQE:
		return sqe_text(r, text, bytes);
	case NVP_TRACE_CQE:
		return cqe_text(r, text, bytes);
	case NVP_TRACE_DOORBELL:
		return snprintf(text, bytes, "%s %u doorbell = %" PRIu64,
				r->a >> 16 & 1 ? "CQ" : "SQ", r->qid, r->b);
	case NVP_TRACE_REG_READ:
		return snprintf(text, bytes, "read %s (%" PRIx64 "h) = %" PRIx64 "h",
				register_name(r->a), r->a, r->b);
	case NVP_TRACE_REG_WRITE:
		return snprintf(text, bytes, "write %s (%" PRIx64 "h) = %" PRIx64 "h",
				register_name(r->a), r->a, r->b);
	case NVP_TRACE_CONFIG_READ:
		return snprintf(text, bytes, "config read %" PRIx64 "h = %" PRIx64 "h", r->a, r->b);
	case NVP_TRACE_CONFIG_WRITE:
		return snprintf(text, bytes, "config write %" PRIx64 "h = %" PRIx64 "h", r->a,
				r->b);
	case NVP_TRACE_RESET:
		return snprintf(text, bytes, "reset: %s", reset_name(r->a));
	case NVP_TRACE_POWER:
		return snprintf(text, bytes, "power %s", r->a ? "on" : "off");
	case NVP_TRACE_REFUSED:
		return refused_text(r, text, bytes);
	case NVP_TRACE_SENT:
		return snprintf(text, bytes, "SQ %u handed to the kernel", r->qid);
	}
	return snprintf(text, bytes, "record of unknown kind %u", r->kind);
}

const char *nvp_trace_text(const struct nvp_trace_record *record, char *text)
{
	int used = snprintf(text, NVP_TRACE_TEXT_BYTES,
			    "%8" PRIu64 " %12" PRIu64 ".%03" PRIu64 " us  ", record->tick,
			    record->drive_ns / 1000, record->drive_ns % 1000);

	if (used > 0 && used < NVP_TRACE_TEXT_BYTES)
		body_text(record, text + used, (size_t)(NVP_TRACE_TEXT_BYTES - used));
	return text;
}
