/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands, completions and status as plain values; no I/O. */
#ifndef NVPROOF_CMD_H
#define NVPROOF_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NVP_SQE_BYTES 64
#define NVP_CQE_BYTES 16
#define NVP_NSID_ALL 0xffffffffu

/* Admin opcodes (NVMe Base 2.0, figure "Opcodes for Admin Commands"). */
enum nvp_admin_opcode {
	NVP_ADMIN_DELETE_SQ = 0x00,
	NVP_ADMIN_CREATE_SQ = 0x01,
	NVP_ADMIN_GET_LOG_PAGE = 0x02,
	NVP_ADMIN_DELETE_CQ = 0x04,
	NVP_ADMIN_CREATE_CQ = 0x05,
	NVP_ADMIN_IDENTIFY = 0x06,
	NVP_ADMIN_ABORT = 0x08,
	NVP_ADMIN_SET_FEATURES = 0x09,
	NVP_ADMIN_GET_FEATURES = 0x0a,
	NVP_ADMIN_ASYNC_EVENT = 0x0c,
	NVP_ADMIN_NS_MANAGEMENT = 0x0d,
	NVP_ADMIN_FIRMWARE_COMMIT = 0x10,
	NVP_ADMIN_FIRMWARE_DOWNLOAD = 0x11,
	NVP_ADMIN_SELF_TEST = 0x14,
	NVP_ADMIN_NS_ATTACHMENT = 0x15,
	NVP_ADMIN_KEEP_ALIVE = 0x18,
	NVP_ADMIN_DIRECTIVE_SEND = 0x19,
	NVP_ADMIN_DIRECTIVE_RECEIVE = 0x1a,
	NVP_ADMIN_VIRTUALIZATION = 0x1c,
	NVP_ADMIN_LOCKDOWN = 0x24,
	NVP_ADMIN_DOORBELL_BUFFER = 0x7c,
	NVP_ADMIN_FABRICS = 0x7f,
	NVP_ADMIN_FORMAT = 0x80,
	NVP_ADMIN_SECURITY_SEND = 0x81,
	NVP_ADMIN_SECURITY_RECEIVE = 0x82,
	NVP_ADMIN_SANITIZE = 0x84,
	NVP_ADMIN_GET_LBA_STATUS = 0x86,
};

/* I/O opcodes (NVM Command Set 1.0, figure "Opcodes for NVM Commands"). */
enum nvp_io_opcode {
	NVP_IO_FLUSH = 0x00,
	NVP_IO_WRITE = 0x01,
	NVP_IO_READ = 0x02,
	NVP_IO_WRITE_UNCORRECTABLE = 0x04,
	NVP_IO_COMPARE = 0x05,
	NVP_IO_WRITE_ZEROES = 0x08,
	NVP_IO_DSM = 0x09,
	NVP_IO_VERIFY = 0x0c,
	NVP_IO_COPY = 0x19,
};

/* Status code types and the codes that code names; all others by number (decode.h has the words). */
enum nvp_sct { NVP_SCT_GENERIC = 0, NVP_SCT_COMMAND = 1, NVP_SCT_MEDIA = 2, NVP_SCT_PATH = 3,
	       NVP_SCT_VENDOR = 7 };

enum nvp_sc_generic {
	NVP_SC_SUCCESS = 0x00,
	NVP_SC_INVALID_OPCODE = 0x01,
	NVP_SC_INVALID_FIELD = 0x02,
	NVP_SC_CID_CONFLICT = 0x03,
	NVP_SC_DATA_TRANSFER_ERROR = 0x04,
	NVP_SC_POWER_LOSS_ABORT = 0x05,
	NVP_SC_INTERNAL = 0x06,
	NVP_SC_ABORT_REQUESTED = 0x07,
	NVP_SC_SQ_DELETION = 0x08,
	NVP_SC_FUSED_FAILED = 0x09,
	NVP_SC_FUSED_MISSING = 0x0a,
	NVP_SC_INVALID_NS_OR_FORMAT = 0x0b,
	NVP_SC_COMMAND_SEQUENCE = 0x0c,
	NVP_SC_SGL_SEGMENT = 0x0d,
	NVP_SC_SGL_COUNT = 0x0e,
	NVP_SC_SGL_DATA_LENGTH = 0x0f,
	NVP_SC_SGL_METADATA_LENGTH = 0x10,
	NVP_SC_SGL_TYPE = 0x11,
	NVP_SC_PRP_OFFSET = 0x13,
	NVP_SC_ATOMIC_UNIT = 0x14,
	NVP_SC_SANITIZE_FAILED = 0x1c,
	NVP_SC_SANITIZE_IN_PROGRESS = 0x1d,
	NVP_SC_LBA_RANGE = 0x80,
	NVP_SC_CAPACITY = 0x81,
	NVP_SC_NS_NOT_READY = 0x82,
	NVP_SC_FORMAT_IN_PROGRESS = 0x84,
};

enum nvp_sc_command {
	NVP_SC_CQ_INVALID = 0x00,
	NVP_SC_QUEUE_ID = 0x01,
	NVP_SC_QUEUE_SIZE = 0x02,
	NVP_SC_ABORT_LIMIT = 0x03,
	NVP_SC_AER_LIMIT = 0x05,
	NVP_SC_INTERRUPT_VECTOR = 0x08,
	NVP_SC_LOG_PAGE = 0x09,
	NVP_SC_INVALID_FORMAT = 0x0a,
	NVP_SC_QUEUE_DELETION = 0x0c,
	NVP_SC_NOT_SAVEABLE = 0x0d,
	NVP_SC_NOT_CHANGEABLE = 0x0e,
	NVP_SC_NOT_NS_SPECIFIC = 0x0f,
	NVP_SC_NS_CAPACITY = 0x15,
	NVP_SC_NSID_UNAVAILABLE = 0x16,
	NVP_SC_NS_ATTACHED = 0x18,
	NVP_SC_NS_PRIVATE = 0x19,
	NVP_SC_NS_NOT_ATTACHED = 0x1a,
	NVP_SC_THIN_NOT_SUPPORTED = 0x1b,
	NVP_SC_CONTROLLER_LIST = 0x1c,
	NVP_SC_COMMAND_SET = 0x29,
	NVP_SC_PROTECTION_INVALID = 0x81,
	NVP_SC_ACTIVATION_NEEDS_RESET = 0x11,
	NVP_SC_SIZE_LIMIT = 0x83,
};

enum nvp_sc_media {
	NVP_SC_WRITE_FAULT = 0x80,
	NVP_SC_UNRECOVERED_READ = 0x81,
	NVP_SC_GUARD = 0x82,
	NVP_SC_APPLICATION_TAG = 0x83,
	NVP_SC_REFERENCE_TAG = 0x84,
	NVP_SC_COMPARE_FAILURE = 0x85,
	NVP_SC_DEALLOCATED = 0x87,
};

/* A submission queue entry: 64 bytes, little-endian, exactly as they go to the drive. */
struct nvp_sqe {
	uint8_t bytes[NVP_SQE_BYTES];
};

/* Command Dword n (0 to 15) in host order. */
static inline uint32_t nvp_sqe_dw(const struct nvp_sqe *sqe, unsigned n)
{
	const uint8_t *b = sqe->bytes + 4 * (n & 15);

	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline void nvp_sqe_set_dw(struct nvp_sqe *sqe, unsigned n, uint32_t value)
{
	uint8_t *b = sqe->bytes + 4 * (n & 15);

	b[0] = (uint8_t)value;
	b[1] = (uint8_t)(value >> 8);
	b[2] = (uint8_t)(value >> 16);
	b[3] = (uint8_t)(value >> 24);
}

/* Dwords n and n + 1 as one 64-bit value, low dword first. */
static inline uint64_t nvp_sqe_qw(const struct nvp_sqe *sqe, unsigned n)
{
	return (uint64_t)nvp_sqe_dw(sqe, n) | (uint64_t)nvp_sqe_dw(sqe, n + 1) << 32;
}

static inline void nvp_sqe_set_qw(struct nvp_sqe *sqe, unsigned n, uint64_t value)
{
	nvp_sqe_set_dw(sqe, n, (uint32_t)value);
	nvp_sqe_set_dw(sqe, n + 1, (uint32_t)(value >> 32));
}

static inline uint8_t nvp_sqe_opcode(const struct nvp_sqe *sqe)
{
	return sqe->bytes[0];
}

static inline uint16_t nvp_sqe_cid(const struct nvp_sqe *sqe)
{
	return (uint16_t)(sqe->bytes[2] | sqe->bytes[3] << 8);
}

static inline void nvp_sqe_set_cid(struct nvp_sqe *sqe, uint16_t cid)
{
	sqe->bytes[2] = (uint8_t)cid;
	sqe->bytes[3] = (uint8_t)(cid >> 8);
}

/* Which way the data of a command goes, seen from the host (NVMe Base 2.0: opcode bits 1:0). */
enum nvp_dir { NVP_DIR_NONE = 0, NVP_DIR_TO_DRIVE = 1, NVP_DIR_FROM_DRIVE = 2 };

/* Deadline classes on the drive's clock; the budgets stand in drive.h (nvp_deadline_ns). */
enum nvp_time_class {
	NVP_TIME_DEFAULT = 0,	/* admin or I/O, by the queue */
	NVP_TIME_REGISTER,
	NVP_TIME_ADMIN,
	NVP_TIME_IO,
	NVP_TIME_FORMAT,
	NVP_TIME_SANITIZE,
	NVP_TIME_POWER,
	NVP_NR_TIME_CLASSES
};

struct nvp_buf;

/*
 * A command as a case states it. A builder fills sqe and dir and the length that the command's
 * own fields say; the caller adds the buffer. The front door fills in CID and DPTR (PRP1, PRP2)
 * when it executes the command, unless raw_dptr or raw_cid says that the bytes stay as they are;
 * and with a metadata buffer the Metadata Pointer, for metadata apart from its data.
 */
struct nvp_cmd {
	struct nvp_sqe sqe;
	enum nvp_dir dir;
	struct nvp_buf *data;		/* borrowed until the command completed; NULL: no data */
	size_t data_offset;		/* first byte of the buffer to use */
	size_t data_bytes;		/* bytes that the command may move; 0: none */
	enum nvp_time_class time_class;
	bool raw_dptr;
	bool raw_cid;
	struct nvp_buf *meta;		/* as data; NULL: none, or nvp_cmd_set_mptr has set where */
	size_t meta_offset, meta_bytes;
};

/* Status as the drive gave it (NVMe Base 2.0 section 3.3.3.2.1). */
struct nvp_status {
	uint8_t sct;		/* Status Code Type, 0 to 7 */
	uint8_t sc;		/* Status Code */
	uint8_t crd;		/* Command Retry Delay, 0 to 3 */
	bool more;		/* more information is in the Error Information log */
	bool dnr;		/* Do Not Retry */
};

/*
 * A completion. sub and ack order everything of one drive (DESIGN section 4): sub is taken before
 * the doorbell write that exposed the command, ack after the entry was read. On the kernel path
 * sqhd, sqid, phase and dw1 are not known: has_queue_fields is false.
 */
struct nvp_cpl {
	uint32_t dw0;
	uint32_t dw1;
	uint16_t sqhd;
	uint16_t sqid;
	uint16_t cid;
	bool phase;
	bool has_queue_fields;
	struct nvp_status status;
	uint64_t sub_tick;
	uint64_t ack_tick;
	uint64_t latency_ns;	/* drive clock, from the doorbell to the entry seen */
};

static inline bool nvp_status_is(const struct nvp_status *s, unsigned sct, unsigned sc)
{
	return s->sct == sct && s->sc == sc;
}

static inline bool nvp_cpl_ok(const struct nvp_cpl *cpl)
{
	return nvp_status_is(&cpl->status, NVP_SCT_GENERIC, NVP_SC_SUCCESS);
}

/* A status that would be right; CRD, M and DNR are never matched. */
struct nvp_expect {
	uint8_t sct;
	uint8_t sc;
};

/* A set of right answers; nr 0 matches nothing. Made by NVP_STATUS_SET in check.h. */
struct nvp_expect_set {
	const struct nvp_expect *any;
	unsigned nr;
};

#ifdef __cplusplus
}
#endif
#endif
