// SPDX-License-Identifier: GPL-2.0-or-later
// The metadata of a stamped block: protection information and, around it, bytes of the stamp.

#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/rand.h"
#include "core/base/stamp.h"

#define PI_BYTES      8u
#define META_LIMIT    4096u
#define MAX_LBA_BYTES 65536u

/* An application tag of all ones turns checking off (NVM Command Set 1.0, 5.2.1.3): never ours. */
static uint16_t app_tag(const struct nvp_stamp *s)
{
	return (uint16_t)(s->seq % 0xffff);
}

/* Type 3 gives the reference tag to the host, so it carries more of the sequence. */
static uint32_t ref_tag(const struct nvp_stamp_pi *pi, const struct nvp_stamp *s)
{
	return pi->type == 3 ? (uint32_t)(s->lba ^ nvp_rand_mix(s->seq)) : (uint32_t)s->lba;
}

static uint32_t pi_at(const struct nvp_stamp_pi *pi)
{
	return pi->first || pi->meta_bytes < PI_BYTES ? 0 : pi->meta_bytes - PI_BYTES;
}

static bool has_pi(const struct nvp_stamp_pi *pi)
{
	return pi->type && pi->meta_bytes >= PI_BYTES;
}

/*
 * The guard covers the data and, when the protection information comes last, the metadata in
 * front of it (NVM Command Set 1.0, 5.2.1.1). A CRC of two pieces: both are put together first.
 */
static uint16_t guard(const uint8_t *meta, const struct nvp_stamp_pi *pi, const void *block,
		      uint32_t lba_bytes)
{
	uint8_t whole[MAX_LBA_BYTES + META_LIMIT];
	uint32_t before = pi->first ? 0 : pi_at(pi);

	if (!before)
		return nvp_crc16_t10dif(block, lba_bytes);
	memcpy(whole, block, lba_bytes);
	memcpy(whole + lba_bytes, meta, before);
	return nvp_crc16_t10dif(whole, lba_bytes + before);
}

static uint64_t meta_key(const struct nvp_stamp *s)
{
	return nvp_rand_mix(nvp_rand_mix(s->run + s->nsid) ^ s->lba) ^ nvp_rand_mix(~s->seq);
}

static void put_be(uint8_t *at, uint32_t value, unsigned bytes)
{
	for (unsigned i = bytes; i > 0; i--, value >>= 8)
		at[i - 1] = (uint8_t)value;
}

void nvp_stamp_meta_fill(void *meta, const struct nvp_stamp_pi *pi, const void *block,
			 uint32_t lba_bytes, const struct nvp_stamp *stamp)
{
	uint8_t *m = meta;
	uint8_t *p = m + pi_at(pi);

	nvp_rand_fill(m, pi->meta_bytes, meta_key(stamp));
	if (!has_pi(pi))
		return;
	put_be(p + 2, app_tag(stamp), 2);
	put_be(p + 4, ref_tag(pi, stamp), 4);
	put_be(p, guard(m, pi, block, lba_bytes), 2);
}

/* Guard, then the tags; the bytes beside the protection information were looked at before. */
static enum nvp_stamp_meta_state check_pi(const uint8_t *meta, const uint8_t *want,
					  const struct nvp_stamp_pi *pi, const void *block,
					  uint32_t lba_bytes)
{
	uint32_t at = pi_at(pi);
	uint8_t right[2];

	put_be(right, guard(meta, pi, block, lba_bytes), 2);
	if (memcmp(meta + at, right, 2))
		return NVP_STAMP_META_GUARD;
	if (memcmp(meta + at + 2, want + at + 2, 2))
		return NVP_STAMP_META_APP;
	if (memcmp(meta + at + 4, want + at + 4, 4))
		return NVP_STAMP_META_REF;
	return NVP_STAMP_META_GOOD;
}

static bool deallocated(const uint8_t *p, uint16_t right_guard)
{
	static const uint8_t ones[PI_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	uint16_t seen = (uint16_t)(p[0] << 8 | p[1]);

	return !memcmp(p + 2, ones, 6) && (seen == 0xffff || seen == right_guard);
}

enum nvp_stamp_meta_state nvp_stamp_meta_check(const void *meta, const struct nvp_stamp_pi *pi,
					       const void *block, uint32_t lba_bytes,
					       const struct nvp_stamp *stamp)
{
	const uint8_t *m = meta;
	uint8_t want[META_LIMIT];
	uint32_t at = pi_at(pi), end = at + (has_pi(pi) ? PI_BYTES : 0);
	enum nvp_stamp_meta_state state;

	if (has_pi(pi) && deallocated(m + at, guard(m, pi, block, lba_bytes)))
		return NVP_STAMP_META_DEALLOCATED;
	nvp_stamp_meta_fill(want, pi, block, lba_bytes, stamp);
	state = has_pi(pi) ? check_pi(m, want, pi, block, lba_bytes) : NVP_STAMP_META_GOOD;
	if (state)
		return state;
	if (memcmp(m, want, at) || memcmp(m + end, want + end, pi->meta_bytes - end))
		return NVP_STAMP_META_BYTES;
	return NVP_STAMP_META_GOOD;
}
