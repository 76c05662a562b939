// SPDX-License-Identifier: GPL-2.0-or-later
// NVM I/O commands as bytes (NVM Command Set 1.0 section 3.2; Flush: NVMe Base 2.0 section 7.1).

#include <nvproof/build.h>

#include "core/base/bits.h"

static struct nvp_cmd build_range(uint8_t opcode, uint32_t nsid, uint64_t slba, uint16_t nlb_z)
{
	struct nvp_cmd cmd = nvp_build_raw(opcode, nsid);

	nvp_sqe_set_qw(&cmd.sqe, 10, slba);
	nvp_sqe_set_dw(&cmd.sqe, 12, nlb_z);
	return cmd;
}

static struct nvp_cmd build_transfer(uint8_t opcode, enum nvp_dir dir, uint32_t nsid,
				     uint64_t slba, uint16_t nlb_z, uint32_t lba_bytes)
{
	struct nvp_cmd cmd = build_range(opcode, nsid, slba, nlb_z);

	cmd.dir = dir;
	cmd.data_bytes = ((size_t)nlb_z + 1) * lba_bytes;
	return cmd;
}

struct nvp_cmd nvp_build_flush(uint32_t nsid)
{
	return nvp_build_raw(NVP_IO_FLUSH, nsid);
}

struct nvp_cmd nvp_build_read(uint32_t nsid, uint64_t slba, uint16_t nlb_z, uint32_t lba_bytes)
{
	return build_transfer(NVP_IO_READ, NVP_DIR_FROM_DRIVE, nsid, slba, nlb_z, lba_bytes);
}

struct nvp_cmd nvp_build_write(uint32_t nsid, uint64_t slba, uint16_t nlb_z, uint32_t lba_bytes)
{
	return build_transfer(NVP_IO_WRITE, NVP_DIR_TO_DRIVE, nsid, slba, nlb_z, lba_bytes);
}

struct nvp_cmd nvp_build_compare(uint32_t nsid, uint64_t slba, uint16_t nlb_z, uint32_t lba_bytes)
{
	return build_transfer(NVP_IO_COMPARE, NVP_DIR_TO_DRIVE, nsid, slba, nlb_z, lba_bytes);
}

struct nvp_cmd nvp_build_write_zeroes(uint32_t nsid, uint64_t slba, uint16_t nlb_z, bool deac)
{
	struct nvp_cmd cmd = build_range(NVP_IO_WRITE_ZEROES, nsid, slba, nlb_z);

	nvp_sqe_set_dw(&cmd.sqe, 12, (uint32_t)deac << 25 | nlb_z);
	return cmd;
}

struct nvp_cmd nvp_build_verify(uint32_t nsid, uint64_t slba, uint16_t nlb_z)
{
	return build_range(NVP_IO_VERIFY, nsid, slba, nlb_z);
}

struct nvp_cmd nvp_build_write_uncorrectable(uint32_t nsid, uint64_t slba, uint16_t nlb_z)
{
	return build_range(NVP_IO_WRITE_UNCORRECTABLE, nsid, slba, nlb_z);
}

struct nvp_cmd nvp_build_dsm(uint32_t nsid, uint8_t nr_ranges_z, bool deallocate, bool idw,
			     bool idr)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_IO_DSM, nsid);

	nvp_sqe_set_dw(&cmd.sqe, 10, nr_ranges_z);
	nvp_sqe_set_dw(&cmd.sqe, 11, (uint32_t)deallocate << 2 | (uint32_t)idw << 1 |
		       (uint32_t)idr);
	cmd.dir = NVP_DIR_TO_DRIVE;
	cmd.data_bytes = ((size_t)nr_ranges_z + 1) * 16;
	return cmd;
}

void nvp_build_dsm_range(void *range, uint32_t context, uint32_t length_lbas, uint64_t slba)
{
	uint8_t *b = range;

	nvp_put_le32(b, context);
	nvp_put_le32(b + 4, length_lbas);
	nvp_put_le64(b + 8, slba);
}
