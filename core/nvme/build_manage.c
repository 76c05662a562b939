// SPDX-License-Identifier: GPL-2.0-or-later
// Commands that manage the drive's contents, firmware and namespaces, and Copy, as bytes.

#include <nvproof/build.h>

#include <string.h>

#include "core/base/bits.h"

struct nvp_cmd nvp_build_format(uint32_t nsid, uint8_t lbaf, bool mset, uint8_t pi, bool pil,
				uint8_t ses)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_FORMAT, nsid);

	nvp_sqe_set_dw(&cmd.sqe, 10, (lbaf & 0xfu) | (uint32_t)mset << 4 | (pi & 7u) << 5 |
		       (uint32_t)pil << 8 | (ses & 7u) << 9 | (lbaf >> 4 & 3u) << 12);
	cmd.time_class = NVP_TIME_FORMAT;
	return cmd;
}

struct nvp_cmd nvp_build_sanitize(uint8_t sanact, bool ause, uint8_t owpass, bool oipbp, bool ndas,
				  uint32_t overwrite_pattern)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_SANITIZE, 0);

	nvp_sqe_set_dw(&cmd.sqe, 10, (sanact & 7u) | (uint32_t)ause << 3 | (owpass & 0xfu) << 4 |
		       (uint32_t)oipbp << 8 | (uint32_t)ndas << 9);
	nvp_sqe_set_dw(&cmd.sqe, 11, overwrite_pattern);
	return cmd;
}

struct nvp_cmd nvp_build_self_test(uint32_t nsid, uint8_t stc)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_SELF_TEST, nsid);

	nvp_sqe_set_dw(&cmd.sqe, 10, stc & 0xf);
	return cmd;
}

struct nvp_cmd nvp_build_firmware_download(uint32_t bytes, uint32_t offset_bytes)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_FIRMWARE_DOWNLOAD, 0);

	nvp_sqe_set_dw(&cmd.sqe, 10, bytes / 4 - 1);
	nvp_sqe_set_dw(&cmd.sqe, 11, offset_bytes / 4);
	cmd.dir = NVP_DIR_TO_DRIVE;
	cmd.data_bytes = bytes;
	return cmd;
}

struct nvp_cmd nvp_build_firmware_commit(uint8_t action, uint8_t slot, bool boot_partition)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_FIRMWARE_COMMIT, 0);

	nvp_sqe_set_dw(&cmd.sqe, 10, (slot & 7u) | (action & 7u) << 3 |
		       (uint32_t)boot_partition << 31);
	return cmd;
}

struct nvp_cmd nvp_build_ns_create(uint8_t csi)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_NS_MANAGEMENT, 0);

	nvp_sqe_set_dw(&cmd.sqe, 11, (uint32_t)csi << 24);
	cmd.dir = NVP_DIR_TO_DRIVE;
	cmd.data_bytes = 4096;
	return cmd;
}

struct nvp_cmd nvp_build_ns_delete(uint32_t nsid)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_NS_MANAGEMENT, nsid);

	nvp_sqe_set_dw(&cmd.sqe, 10, 1);
	return cmd;
}

struct nvp_cmd nvp_build_ns_attachment(uint32_t nsid, bool detach)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_ADMIN_NS_ATTACHMENT, nsid);

	nvp_sqe_set_dw(&cmd.sqe, 10, detach);
	cmd.dir = NVP_DIR_TO_DRIVE;
	cmd.data_bytes = 4096;
	return cmd;
}

struct nvp_cmd nvp_build_copy(uint32_t nsid, uint64_t sdlba, uint8_t nr_ranges_z, uint8_t format)
{
	struct nvp_cmd cmd = nvp_build_raw(NVP_IO_COPY, nsid);

	nvp_sqe_set_qw(&cmd.sqe, 10, sdlba);
	nvp_sqe_set_dw(&cmd.sqe, 12, nr_ranges_z | (format & 0xfu) << 8);
	cmd.dir = NVP_DIR_TO_DRIVE;
	cmd.data_bytes = (nr_ranges_z + 1u) * (format == 1 ? 40 : 32);
	return cmd;
}

void nvp_build_copy_range(void *range, uint64_t slba, uint16_t nlb_z)
{
	uint8_t *b = range;

	memset(b, 0, 32);
	nvp_put_le64(b + 8, slba);
	nvp_put_le16(b + 16, nlb_z);
}
