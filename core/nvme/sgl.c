// SPDX-License-Identifier: GPL-2.0-or-later
// Scatter gather lists: descriptors, and segments that are chained (NVMe Base 2.0 section 4.1.2).

#include <nvproof/build.h>

#include <errno.h>

#include "core/base/bits.h"

void nvp_build_sgl(void *descriptor, uint8_t identifier, uint64_t address, uint32_t bytes)
{
	uint8_t *d = descriptor;

	nvp_put_le64(d, address);
	nvp_put_le32(d + 8, bytes);
	nvp_put_le32(d + 12, (uint32_t)identifier << 24);
}

/* How many of the pieces that are left go into this segment: all, or all but a pointer's room. */
static unsigned here(const struct nvp_sgl_segment *segment, unsigned left)
{
	return left <= segment->nr ? left : segment->nr - 1;
}

int nvp_build_sgl_list(const struct nvp_sgl_piece *piece, unsigned nr,
		       const struct nvp_sgl_segment *segment, unsigned nr_segments, void *sgl1)
{
	uint8_t *pointer = sgl1;
	unsigned used = 0;

	if (!nr)
		return -EINVAL;
	for (unsigned left = nr; left && nr_segments; used++) {
		if (used == nr_segments)
			return -ENOSPC;
		if (segment[used].nr < 2)
			return -EINVAL;
		left -= here(&segment[used], left);
	}
	if (!used && nr > 1)
		return -ENOSPC;
	if (!used)
		nvp_build_sgl(sgl1, piece->identifier, piece->address, piece->bytes);
	for (unsigned s = 0; s < used; s++) {
		unsigned part = here(&segment[s], nr);
		bool last = s + 1 == used;
		uint8_t *entry = segment[s].entries;

		nvp_build_sgl(pointer, last ? NVP_SGL_LAST_SEGMENT : NVP_SGL_SEGMENT,
			      segment[s].iova, (part + !last) * NVP_SGL_BYTES);
		for (unsigned i = 0; i < part; i++, piece++, entry += NVP_SGL_BYTES)
			nvp_build_sgl(entry, piece->identifier, piece->address, piece->bytes);
		nr -= part;
		pointer = entry;
	}
	return 0;
}
