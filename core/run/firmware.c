// SPDX-License-Identifier: GPL-2.0-or-later
// Firmware images that a case can use on the drive under test.

#include <nvproof/check.h>

#include "core/base/firmware_image.h"

struct nvp_buf *nvp_t_firmware_image(struct nvp_t *t, size_t nr_bytes, const char *revision,
				     enum nvp_image kind)
{
	static const enum nvp_firmware_needs needs[] = {
		[NVP_IMAGE_GOOD] = NVP_FIRMWARE_NEEDS_NOTHING,
		[NVP_IMAGE_NEEDS_RESET] = NVP_FIRMWARE_NEEDS_CONTROLLER_RESET,
		[NVP_IMAGE_NEEDS_SUBSYSTEM_RESET] = NVP_FIRMWARE_NEEDS_SUBSYSTEM_RESET,
		[NVP_IMAGE_DAMAGED] = NVP_FIRMWARE_NEEDS_NOTHING,
		[NVP_IMAGE_OTHER_PRODUCT] = NVP_FIRMWARE_NEEDS_NOTHING,
		[NVP_IMAGE_PROHIBITED] = NVP_FIRMWARE_IS_PROHIBITED,
	};
	struct nvp_buf *buf;
	uint8_t *bytes;

	if (!(nvp_drive_path(nvp_t_drive(t)) & NVP_PATH_SIMULATED)) {
		nvp_skip_at(t, __FILE__, __LINE__, "no firmware image is known for this drive");
		return NULL;
	}
	buf = nvp_t_buf(t, nr_bytes);
	if (!buf)
		return NULL;
	bytes = nvp_buf_data(buf);
	nvp_firmware_image_make(bytes, (uint32_t)nr_bytes, revision, needs[kind],
				nvp_t_rand(t, "firmware", (uint64_t)kind));
	if (kind == NVP_IMAGE_OTHER_PRODUCT)
		nvp_firmware_image_other_family(bytes, (uint32_t)nr_bytes);
	if (kind == NVP_IMAGE_DAMAGED)
		bytes[nr_bytes - 1] ^= 0x10;
	return buf;
}
