/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builders: one per command, pure, they cannot fail and they never correct what they are given. */
#ifndef NVPROOF_BUILD_H
#define NVPROOF_BUILD_H

#include <nvproof/cmd.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Each returns a command with opcode, NSID and its own dwords set, everything else 0, and dir
 * and data_bytes as these fields define them; .data is left NULL for the caller. Values wider
 * than their field lose their upper bits, on purpose: any 64 bytes can be had through sqe.
 * Arguments that end in _z are zero-based as in the command.
 */

/* Any opcode; data_bytes 0 and no direction. */
struct nvp_cmd nvp_build_raw(uint8_t opcode, uint32_t nsid);

/* Admin (NVMe Base 2.0 section 5). */
struct nvp_cmd nvp_build_identify(uint8_t cns, uint32_t nsid, uint16_t cntid, uint8_t csi,
				  uint16_t cns_specific_id);			/* 5.17, 4096 bytes */
/* NUMD from bytes (a multiple of 4; bytes 0 gives NUMD FFFFFFFFh as the field wraps). lpo is in bytes. */
struct nvp_cmd nvp_build_get_log(uint8_t lid, uint32_t nsid, uint32_t bytes, uint64_t lpo,
				 bool rae, uint8_t lsp);			/* 5.16 */
struct nvp_cmd nvp_build_get_features(uint8_t fid, uint32_t nsid, uint8_t sel, uint32_t dw11); /* 5.15 */
struct nvp_cmd nvp_build_set_features(uint8_t fid, uint32_t nsid, bool sv, uint32_t dw11);	/* 5.27 */
struct nvp_cmd nvp_build_create_cq(uint16_t qid, uint16_t qsize_z, uint64_t prp1, bool contiguous,
				   bool interrupts, uint16_t vector);		/* 5.4 (PCIe) */
struct nvp_cmd nvp_build_create_sq(uint16_t qid, uint16_t qsize_z, uint64_t prp1, bool contiguous,
				   uint8_t priority, uint16_t cqid);		/* 5.5 (PCIe) */
struct nvp_cmd nvp_build_delete_cq(uint16_t qid);				/* 5.6 */
struct nvp_cmd nvp_build_delete_sq(uint16_t qid);				/* 5.7 */
struct nvp_cmd nvp_build_abort(uint16_t sqid, uint16_t cid);			/* 5.1 */
struct nvp_cmd nvp_build_async_event(void);					/* 5.2 */

/* lbaf 0 to 63 (upper two bits in LBAFU); mset: metadata as extended blocks; pi 0 to 3; pil: PI first. */
struct nvp_cmd nvp_build_format(uint32_t nsid, uint8_t lbaf, bool mset, uint8_t pi, bool pil,
				uint8_t ses);					/* 5.14 */
/* sanact: 1 exit failure mode, 2 block erase, 3 overwrite, 4 crypto erase. */
struct nvp_cmd nvp_build_sanitize(uint8_t sanact, bool ause, uint8_t owpass, bool oipbp, bool ndas,
				  uint32_t overwrite_pattern);			/* 5.24 */
/* stc: 1 short, 2 extended, Fh abort. */
struct nvp_cmd nvp_build_self_test(uint32_t nsid, uint8_t stc);			/* 5.9 */
/* bytes and offset multiples of 4; the fields are dwords, NUMD zero-based. */
struct nvp_cmd nvp_build_firmware_download(uint32_t bytes, uint32_t offset_bytes);	/* 5.13 */
struct nvp_cmd nvp_build_firmware_commit(uint8_t action, uint8_t slot, bool boot_partition); /* 5.12 */
/* Create: the caller's buffer holds the 4096-byte structure; delete has no data. */
struct nvp_cmd nvp_build_ns_create(uint8_t csi);				/* 5.23 */
struct nvp_cmd nvp_build_ns_delete(uint32_t nsid);
/* The caller's buffer holds a controller list of 4096 bytes. */
struct nvp_cmd nvp_build_ns_attachment(uint32_t nsid, bool detach);		/* 5.22 */

/* I/O (NVM Command Set 1.0 section 3.2). lba_bytes gives data_bytes = (nlb_z + 1) * lba_bytes. */
struct nvp_cmd nvp_build_flush(uint32_t nsid);
struct nvp_cmd nvp_build_read(uint32_t nsid, uint64_t slba, uint16_t nlb_z, uint32_t lba_bytes);
struct nvp_cmd nvp_build_write(uint32_t nsid, uint64_t slba, uint16_t nlb_z, uint32_t lba_bytes);
struct nvp_cmd nvp_build_compare(uint32_t nsid, uint64_t slba, uint16_t nlb_z, uint32_t lba_bytes);
struct nvp_cmd nvp_build_write_zeroes(uint32_t nsid, uint64_t slba, uint16_t nlb_z, bool deac);
struct nvp_cmd nvp_build_verify(uint32_t nsid, uint64_t slba, uint16_t nlb_z);
struct nvp_cmd nvp_build_write_uncorrectable(uint32_t nsid, uint64_t slba, uint16_t nlb_z);
/* nr_ranges_z zero-based; the range list (16 bytes each) is the caller's buffer. */
struct nvp_cmd nvp_build_dsm(uint32_t nsid, uint8_t nr_ranges_z, bool deallocate, bool idw, bool idr);

/*
 * Copy with nr_ranges_z source ranges (zero-based) of descriptor format 0 or 1 (32 or 40 bytes
 * each) in the caller's buffer, to sdlba.
 */
struct nvp_cmd nvp_build_copy(uint32_t nsid, uint64_t sdlba, uint8_t nr_ranges_z, uint8_t format);
/* Source range of format 0 (32 bytes) with no protection information: NVM Command Set 1.0, 3.2.2. */
void nvp_build_copy_range(void *range, uint64_t slba, uint16_t nlb_z);

/* One Dataset Management range (16 bytes, NVM Command Set 1.0 figure "Range Definition"). */
void nvp_build_dsm_range(void *range, uint32_t context, uint32_t length_lbas, uint64_t slba);

/* Bits of read, write, compare and write zeroes, Command Dword 12. */
static inline void nvp_cmd_set_fua(struct nvp_cmd *cmd)
{
	nvp_sqe_set_dw(&cmd->sqe, 12, nvp_sqe_dw(&cmd->sqe, 12) | 1u << 30);
}

static inline void nvp_cmd_set_lr(struct nvp_cmd *cmd)
{
	nvp_sqe_set_dw(&cmd->sqe, 12, nvp_sqe_dw(&cmd->sqe, 12) | 1u << 31);
}

/* Command Dword 0: FUSE (bits 9:8) and PSDT (bits 15:14). */
static inline void nvp_cmd_set_fuse(struct nvp_cmd *cmd, unsigned fuse)
{
	cmd->sqe.bytes[1] = (uint8_t)((cmd->sqe.bytes[1] & ~0x03u) | (fuse & 3));
}

static inline void nvp_cmd_set_psdt(struct nvp_cmd *cmd, unsigned psdt)
{
	cmd->sqe.bytes[1] = (uint8_t)((cmd->sqe.bytes[1] & ~0xc0u) | (psdt & 3) << 6);
}

/* PRINFO (bits 29:26 of Command Dword 12): PRACT, then check guard, application tag, reference tag. */
enum nvp_prinfo { NVP_PRCHK_REF = 1, NVP_PRCHK_APP = 2, NVP_PRCHK_GUARD = 4, NVP_PRACT = 8 };

static inline void nvp_cmd_set_prinfo(struct nvp_cmd *cmd, unsigned prinfo)
{
	nvp_sqe_set_dw(&cmd->sqe, 12,
		       (nvp_sqe_dw(&cmd->sqe, 12) & ~(15u << 26)) | (prinfo & 15) << 26);
}

/* Initial (or expected) reference tag, and application tag with its mask: Dwords 14 and 15. */
static inline void nvp_cmd_set_tags(struct nvp_cmd *cmd, uint32_t reference, uint16_t application,
				    uint16_t mask)
{
	nvp_sqe_set_dw(&cmd->sqe, 14, reference);
	nvp_sqe_set_dw(&cmd->sqe, 15, (uint32_t)mask << 16 | application);
}

/*
 * SGL descriptors (NVMe Base 2.0 section 4.1.2): 16 bytes, the last of which is the SGL Identifier,
 * type in bits 7:4 and sub type in bits 3:0. The names are of sub type 0h, where the address is one.
 */
enum nvp_sgl_identifier {
	NVP_SGL_DATA_BLOCK = 0x00,
	NVP_SGL_BIT_BUCKET = 0x10,
	NVP_SGL_SEGMENT = 0x20,
	NVP_SGL_LAST_SEGMENT = 0x30,
	NVP_SGL_KEYED = 0x40,
	NVP_SGL_TRANSPORT = 0x50,
	NVP_SGL_VENDOR = 0xf0,
};
#define NVP_SGL_BYTES 16

void nvp_build_sgl(void *descriptor, uint8_t identifier, uint64_t address, uint32_t bytes);

struct nvp_sgl_piece {
	uint8_t identifier;
	uint64_t address;
	uint32_t bytes;
};

/* Memory for descriptors: where we write it and where the controller reads it. */
struct nvp_sgl_segment {
	void *entries;		/* nr * NVP_SGL_BYTES bytes */
	uint64_t iova;
	unsigned nr;		/* descriptors that there is room for */
};

/*
 * The SGL of these pieces, in their order, to sgl1 (16 bytes, what goes into the command) and the
 * segments. One piece stands in sgl1 itself when there is no segment. Else each segment but the
 * last that is needed ends with a descriptor of the next one. 0; -EINVAL for no pieces, or a
 * segment that has room for less than two descriptors; -ENOSPC when the segments are too few.
 */
int nvp_build_sgl_list(const struct nvp_sgl_piece *piece, unsigned nr,
		       const struct nvp_sgl_segment *segment, unsigned nr_segments, void *sgl1);

/* Dwords 6 to 9, and PSDT 01b; the front door then leaves the data pointer as it is. */
static inline void nvp_cmd_set_sgl(struct nvp_cmd *cmd, const void *sgl1)
{
	const uint8_t *from = (const uint8_t *)sgl1;

	for (unsigned i = 0; i < NVP_SGL_BYTES; i++)
		cmd->sqe.bytes[24 + i] = from[i];
	nvp_cmd_set_psdt(cmd, 1);
	cmd->raw_dptr = true;
}

/*
 * Metadata Pointer (Dwords 4 and 5): a physical address when PSDT is 00b. It takes the place of a
 * metadata buffer; the kernel's driver builds its own and is not given this one.
 */
static inline void nvp_cmd_set_mptr(struct nvp_cmd *cmd, uint64_t address)
{
	cmd->meta = NULL;
	nvp_sqe_set_qw(&cmd->sqe, 4, address);
}

#ifdef __cplusplus
}
#endif
#endif
