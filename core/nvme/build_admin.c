// SPDX-License-Identifier: GPL-2.0-or-later
// Admin commands as bytes (NVMe Base 2.0 section 5).

#include <nvproof/build.h>

#include "core/nvme/features.h"

struct nvp_cmd nvp_build_raw(uint8_t opcode, uint32_t nsid)
{
	struct nvp_cmd cmd = { .dir = NVP_DIR_NONE };

	cmd.sqe.bytes[0] = opcode;
	nvp_sqe_set_dw(&cmd.sqe, 1, nsid);
	return cmd;
}

struct nvp_cmd nvp_build_identify(uint8_t cns, uint32_t nsid, uint16_t cntid, uint8_t csi,
				  uint16_t cns_specific_id)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_IDENTIFY, nsid);

	nvp_sqe_set_dw(&cmd.sqe, 10, (uint32_t)cntid << 16 | cns);
	nvp_sqe_set_dw(&cmd.sqe, 11, (uint32_t)csi << 24 | cns_specific_id);
	cmd.dir = NVP_DIR_FROM_DRIVE;
	cmd.data_bytes = 4096;
	return cmd;
}

struct nvp_cmd nvp_build_get_log(uint8_t lid, uint32_t nsid, uint32_t bytes, uint64_t lpo,
				 bool rae, uint8_t lsp)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_GET_LOG_PAGE, nsid);
	uint32_t numd_z = bytes / 4 - 1;

	nvp_sqe_set_dw(&cmd.sqe, 10, (numd_z & 0xffff) << 16 | (uint32_t)rae << 15 |
		       (uint32_t)(lsp & 0x7f) << 8 | lid);
	nvp_sqe_set_dw(&cmd.sqe, 11, numd_z >> 16);
	nvp_sqe_set_qw(&cmd.sqe, 12, lpo);
	cmd.dir = NVP_DIR_FROM_DRIVE;
	cmd.data_bytes = bytes;
	return cmd;
}

struct nvp_cmd nvp_build_get_features(uint8_t fid, uint32_t nsid, uint8_t sel, uint32_t dw11)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_GET_FEATURES, nsid);

	nvp_sqe_set_dw(&cmd.sqe, 10, (uint32_t)(sel & 7) << 8 | fid);
	nvp_sqe_set_dw(&cmd.sqe, 11, dw11);
	/* SEL 011b asks for capabilities, which come in Dword 0 alone (5.15.1). */
	if ((sel & 7) != 3)
		cmd.data_bytes = nvp_feature_data_bytes(fid, dw11, false);
	if (cmd.data_bytes)
		cmd.dir = NVP_DIR_FROM_DRIVE;
	return cmd;
}

struct nvp_cmd nvp_build_set_features(uint8_t fid, uint32_t nsid, bool sv, uint32_t dw11)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_SET_FEATURES, nsid);

	nvp_sqe_set_dw(&cmd.sqe, 10, (uint32_t)sv << 31 | fid);
	nvp_sqe_set_dw(&cmd.sqe, 11, dw11);
	cmd.data_bytes = nvp_feature_data_bytes(fid, dw11, true);
	if (cmd.data_bytes)
		cmd.dir = NVP_DIR_TO_DRIVE;
	return cmd;
}

/* The queue's memory stays in PRP1 as given: it is no data buffer for the front door to place. */
static struct nvp_cmd build_create_queue(uint8_t opcode, uint16_t qid, uint16_t qsize_z,
					 uint64_t prp1)
{
	struct nvp_cmd cmd = nvp_build_raw(opcode, 0);

	nvp_sqe_set_qw(&cmd.sqe, 6, prp1);
	nvp_sqe_set_dw(&cmd.sqe, 10, (uint32_t)qsize_z << 16 | qid);
	cmd.raw_dptr = true;
	return cmd;
}

struct nvp_cmd nvp_build_create_cq(uint16_t qid, uint16_t qsize_z, uint64_t prp1, bool contiguous,
				   bool interrupts, uint16_t vector)
{
	struct nvp_cmd cmd = build_create_queue(NVP_ADMIN_CREATE_CQ, qid, qsize_z, prp1);

	nvp_sqe_set_dw(&cmd.sqe, 11, (uint32_t)vector << 16 | (uint32_t)interrupts << 1 |
		       (uint32_t)contiguous);
	return cmd;
}

struct nvp_cmd nvp_build_create_sq(uint16_t qid, uint16_t qsize_z, uint64_t prp1, bool contiguous,
				   uint8_t priority, uint16_t cqid)
{
	struct nvp_cmd cmd = build_create_queue(NVP_ADMIN_CREATE_SQ, qid, qsize_z, prp1);

	nvp_sqe_set_dw(&cmd.sqe, 11, (uint32_t)cqid << 16 | (uint32_t)(priority & 3) << 1 |
		       (uint32_t)contiguous);
	return cmd;
}

struct nvp_cmd nvp_build_delete_cq(uint16_t qid)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_DELETE_CQ, 0);

	nvp_sqe_set_dw(&cmd.sqe, 10, qid);
	return cmd;
}

struct nvp_cmd nvp_build_delete_sq(uint16_t qid)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_DELETE_SQ, 0);

	nvp_sqe_set_dw(&cmd.sqe, 10, qid);
	return cmd;
}

struct nvp_cmd nvp_build_abort(uint16_t sqid, uint16_t cid)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_ABORT, 0);

	nvp_sqe_set_dw(&cmd.sqe, 10, (uint32_t)cid << 16 | sqid);
	return cmd;
}

struct nvp_cmd nvp_build_async_event(void)
{
	return nvp_build_raw(NVP_ADMIN_ASYNC_EVENT, 0);
}
