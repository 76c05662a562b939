// SPDX-License-Identifier: GPL-2.0-or-later
// Scatter gather lists as the drive follows them (NVMe Base 2.0 section 4.1.2).

#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/sim/dma.h"

#define DESCRIPTORS_MAX 65536u	/* of one command: lists of empty blocks need not end by themselves */
#define FEW 16u			/* what a wrong drive follows */

struct walk {
	const struct nvp_sgl_data *data;
	uint32_t left;		/* bytes */
	uint32_t nr;		/* descriptors seen */
	bool ended;		/* by a defect, although bytes are left */
};

bool nvp_sgl_psdt_ok(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	unsigned psdt = c->sqe[1] >> 6;

	if (!psdt)
		return true;
	if (!w->profile->optional_commands)
		return false;
	return psdt != 3 || nvp_defect(w, NVP_HOOK_PSDT_RESERVED_OK);
}

static bool fail(struct nvp_sim_cmd *c, uint8_t sc)
{
	nvp_sim_fail(c, NVP_SCT_GENERIC, sc);
	return false;
}

static bool length_invalid(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct walk *s)
{
	return fail(c, nvp_defect(w, NVP_HOOK_SGL_LENGTH_STATUS) ? NVP_SC_INVALID_FIELD :
								    s->data->length_sc);
}

static bool takes_any_length(const struct nvp_sim *w, const struct walk *s, enum nvp_hook of_data)
{
	return nvp_defect(w, s->data->length_sc == NVP_SC_SGL_METADATA_LENGTH ?
			     NVP_HOOK_META_SGL_LENGTH_OK : of_data);
}

static bool is_segment(uint8_t identifier)
{
	return (identifier & 0xf0) == NVP_SGL_SEGMENT || (identifier & 0xf0) == NVP_SGL_LAST_SEGMENT;
}

/* A descriptor of data. A bit bucket counts for data that go to the host only. */
static bool take(struct nvp_sim *w, struct nvp_sim_cmd *c, struct walk *s, const uint8_t *d)
{
	uint64_t address = nvp_le64(d);
	uint32_t bytes = nvp_le32(d + 8);
	bool bucket = (d[15] & 0xf0) == NVP_SGL_BIT_BUCKET;

	if (d[15] & 0x0f && !nvp_defect(w, NVP_HOOK_SGL_SUBTYPE_OK))
		return fail(c, NVP_SC_SGL_TYPE);
	if (!bucket && d[15] & 0xf0 && !nvp_defect(w, NVP_HOOK_SGL_TYPE_OK))
		return fail(c, NVP_SC_SGL_TYPE);
	if (bucket && !s->data->to_host && !nvp_defect(w, NVP_HOOK_SGL_BUCKET_IN_WRITE))
		return true;
	if (!bytes) {
		s->ended = nvp_defect(w, NVP_HOOK_SGL_ZERO_ENDS);
		return true;
	}
	if (bytes > s->left) {
		if (!takes_any_length(w, s, NVP_HOOK_SGL_LONG_OK))
			return length_invalid(w, c, s);
		bytes = s->left;
	}
	if (nvp_defect(w, NVP_HOOK_SGL_LOW_BITS))
		address &= ~UINT64_C(3);
	s->left -= bytes;
	if (bucket && nvp_defect(w, NVP_HOOK_SGL_BUCKET_SHIFTS)) {
		s->ended = !s->left;
		return true;
	}
	return nvp_dma_add_piece(w, address, bytes, bucket) || fail(c, NVP_SC_INTERNAL);
}

/* May a (last) segment descriptor stand here? */
static bool pointer_ok(struct nvp_sim *w, struct nvp_sim_cmd *c, bool at_end, bool in_last)
{
	if (!at_end && !nvp_defect(w, NVP_HOOK_SGL_PLACE_UNCHECKED))
		return fail(c, NVP_SC_SGL_COUNT);
	if (at_end && in_last && !nvp_defect(w, NVP_HOOK_SGL_LAST_UNCHECKED))
		return fail(c, NVP_SC_SGL_SEGMENT);
	return true;
}

/* One segment; d is its descriptor, and then that of the next one, if *more. */
static bool walk_segment(struct nvp_sim *w, struct nvp_sim_cmd *c, struct walk *s, uint8_t d[16],
			 bool *more)
{
	uint64_t at = nvp_le64(d);
	uint32_t bytes = nvp_le32(d + 8), nr = bytes / NVP_SGL_BYTES;
	bool last = (d[15] & 0xf0) == NVP_SGL_LAST_SEGMENT;
	uint8_t entry[NVP_SGL_BYTES];

	*more = false;
	if (!bytes || bytes % NVP_SGL_BYTES) {
		if (!nvp_defect(w, NVP_HOOK_SGL_SEGMENT_LENGTH_OK))
			return fail(c, NVP_SC_SGL_SEGMENT);
		s->ended = true;
	}
	if (nr > FEW && nvp_defect(w, NVP_HOOK_SGL_FEW)) {
		nr = FEW;
		s->ended = true;
	}
	for (uint32_t i = 0; i < nr; i++, at += NVP_SGL_BYTES) {
		if (++s->nr > DESCRIPTORS_MAX)
			return fail(c, NVP_SC_SGL_COUNT);
		if (!nvp_dma_read(w, at, entry, sizeof(entry)))
			return fail(c, NVP_SC_DATA_TRANSFER_ERROR);
		if (is_segment(entry[15])) {
			if (!pointer_ok(w, c, i + 1 == nr, last))
				return false;
			memcpy(d, entry, sizeof(entry));
			*more = !nvp_defect(w, NVP_HOOK_SGL_CHAIN_LOST);
			s->ended |= !*more;
			return true;
		}
		if (!take(w, c, s, entry))
			return false;
		if (s->ended && nvp_defect(w, NVP_HOOK_SGL_ZERO_ENDS))
			return true;
	}
	return true;
}

bool nvp_sgl_walk(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct nvp_sgl_data *data)
{
	struct walk s = { .data = data, .left = data->bytes };
	uint8_t d[NVP_SGL_BYTES];
	bool more;

	memcpy(d, data->sgl1, sizeof(d));
	more = is_segment(d[15]);
	if (!more && !take(w, c, &s, d))
		return false;
	while (more)
		if (!walk_segment(w, c, &s, d, &more))
			return false;
	if (s.left && !s.ended && !takes_any_length(w, &s, NVP_HOOK_SGL_SHORT_OK))
		return length_invalid(w, c, &s);
	return true;
}
