/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Firmware images of the simulated drive: a format of our own, made and checked here. */
#ifndef NVP_BASE_FIRMWARE_IMAGE_H
#define NVP_BASE_FIRMWARE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Little-endian. Bytes 0-7 "nvpfw\0\0\1", 8-15 family ("nvproof" padded with NULs), 16-23
 * revision (padded with spaces), 24-27 bytes of the whole image, 28-31 what activation needs
 * (enum below), 32-35 CRC-32C of everything with these four bytes zero; then the payload.
 */
#define NVP_FIRMWARE_HEADER_BYTES 64u
#define NVP_FIRMWARE_MOST_BYTES (1u << 20)	/* of one image */
#define NVP_FIRMWARE_PIECE_BYTES 4096u		/* Identify FWUG 1: images are whole pieces */

enum nvp_firmware_needs {
	NVP_FIRMWARE_NEEDS_NOTHING = 0,		/* can be activated with no reset */
	NVP_FIRMWARE_NEEDS_CONTROLLER_RESET,
	NVP_FIRMWARE_NEEDS_CONVENTIONAL_RESET,
	NVP_FIRMWARE_NEEDS_SUBSYSTEM_RESET,
	NVP_FIRMWARE_IS_PROHIBITED,		/* an image that must not be activated */
	NVP_NR_FIRMWARE_NEEDS
};

struct nvp_firmware_image {
	char revision[9];
	uint32_t bytes;
	enum nvp_firmware_needs needs;
};

/* nr_bytes at least the header; revision at most 8 characters; seed decides the payload. */
void nvp_firmware_image_make(void *bytes, uint32_t nr_bytes, const char *revision,
			     enum nvp_firmware_needs needs, uint64_t seed);
/* 0, -EBADMSG (no image, damaged, or cut short), -EXDEV (a whole image of another family). */
int nvp_firmware_image_check(const void *bytes, size_t nr_bytes, struct nvp_firmware_image *image);
/* Make the image one of another family, whole all the same. */
void nvp_firmware_image_other_family(void *bytes, uint32_t nr_bytes);

#endif
