// SPDX-License-Identifier: GPL-2.0-or-later
// Protection information of a block (NVM Command Set 1.0 section 5.2.1, 16-bit guard).

#include <nvproof/pi.h>

#include "core/base/checksum.h"

static size_t offset_of(const struct nvp_pi_layout *layout)
{
	return layout->first ? 0 : layout->meta_bytes - (size_t)NVP_PI_BYTES;
}

uint16_t nvp_pi_guard(const struct nvp_pi_layout *layout, const void *block, const void *meta)
{
	uint16_t crc = nvp_crc16_t10dif(block, layout->lba_bytes);

	return nvp_crc16_t10dif_go_on(crc, meta, offset_of(layout));
}

void nvp_pi_put(const struct nvp_pi_layout *layout, void *meta, const struct nvp_pi *pi)
{
	uint8_t *b = (uint8_t *)meta + offset_of(layout);

	b[0] = (uint8_t)(pi->guard >> 8);
	b[1] = (uint8_t)pi->guard;
	b[2] = (uint8_t)(pi->application >> 8);
	b[3] = (uint8_t)pi->application;
	for (unsigned i = 0; i < 4; i++)
		b[4 + i] = (uint8_t)(pi->reference >> (24 - 8 * i));
}

struct nvp_pi nvp_pi_get(const struct nvp_pi_layout *layout, const void *meta)
{
	const uint8_t *b = (const uint8_t *)meta + offset_of(layout);
	struct nvp_pi pi = {
		.guard = (uint16_t)(b[0] << 8 | b[1]),
		.application = (uint16_t)(b[2] << 8 | b[3]),
	};

	for (unsigned i = 0; i < 4; i++)
		pi.reference = pi.reference << 8 | b[4 + i];
	return pi;
}
