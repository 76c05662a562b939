// SPDX-License-Identifier: GPL-2.0-or-later
// Firmware images of the simulated drive: made and checked.

#include "core/base/firmware_image.h"

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/rand.h"

#define AT_FAMILY 8
#define AT_REVISION 16
#define AT_BYTES 24
#define AT_NEEDS 28
#define AT_CRC 32

static const uint8_t magic[8] = { 'n', 'v', 'p', 'f', 'w', 0, 0, 1 };
static const char family[8] = "nvproof";

/* Over all bytes, those of the checksum itself taken as zero: the checksum of two checksums. */
static uint32_t checksum(const uint8_t *bytes, uint32_t nr_bytes)
{
	uint32_t parts[2] = { nvp_crc32c(bytes, AT_CRC),
			      nvp_crc32c(bytes + AT_CRC + 4, nr_bytes - AT_CRC - 4) };
	uint8_t le[8];

	nvp_put_le32(le, parts[0]);
	nvp_put_le32(le + 4, parts[1]);
	return nvp_crc32c(le, sizeof(le));
}

void nvp_firmware_image_make(void *bytes, uint32_t nr_bytes, const char *revision,
			     enum nvp_firmware_needs needs, uint64_t seed)
{
	uint8_t *b = bytes;
	size_t length = strlen(revision);

	memset(b, 0, NVP_FIRMWARE_HEADER_BYTES);
	memcpy(b, magic, sizeof(magic));
	memcpy(b + AT_FAMILY, family, sizeof(family));
	memset(b + AT_REVISION, ' ', 8);
	memcpy(b + AT_REVISION, revision, length < 8 ? length : 8);
	nvp_put_le32(b + AT_BYTES, nr_bytes);
	nvp_put_le32(b + AT_NEEDS, needs);
	nvp_rand_fill(b + NVP_FIRMWARE_HEADER_BYTES, nr_bytes - NVP_FIRMWARE_HEADER_BYTES, seed);
	nvp_put_le32(b + AT_CRC, checksum(b, nr_bytes));
}

void nvp_firmware_image_other_family(void *bytes, uint32_t nr_bytes)
{
	uint8_t *b = bytes;

	b[AT_FAMILY] ^= 0x20;
	nvp_put_le32(b + AT_CRC, checksum(b, nr_bytes));
}

int nvp_firmware_image_check(const void *bytes, size_t nr_bytes, struct nvp_firmware_image *image)
{
	const uint8_t *b = bytes;
	uint32_t needs, length;

	memset(image, 0, sizeof(*image));
	if (nr_bytes < NVP_FIRMWARE_HEADER_BYTES || memcmp(b, magic, sizeof(magic)))
		return -EBADMSG;
	length = nvp_le32(b + AT_BYTES);
	needs = nvp_le32(b + AT_NEEDS);
	if (length < NVP_FIRMWARE_HEADER_BYTES || length > nr_bytes ||
	    needs >= NVP_NR_FIRMWARE_NEEDS)
		return -EBADMSG;
	image->bytes = length;
	image->needs = (enum nvp_firmware_needs)needs;
	memcpy(image->revision, b + AT_REVISION, 8);
	for (unsigned i = 8; i > 0 && image->revision[i - 1] == ' '; i--)
		image->revision[i - 1] = 0;
	if (checksum(b, length) != nvp_le32(b + AT_CRC))
		return -EBADMSG;
	return memcmp(b + AT_FAMILY, family, sizeof(family)) ? -EXDEV : 0;
}
