// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the stamp: each byte counts, no other place passes, damage gets its name.

#include <string.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/base/stamp.h"
#include "tests/unit/unit.h"

static const struct nvp_stamp sample = {
	.run = 0xfedcba9876543210,
	.lba = 0x123456789a,
	.seq = 0x5ffffffff,
	.t_sub_ns = 987654321,
	.nsid = 3,
	.cycle = 17,
	.flush_epoch = 99,
	.index = 2,
	.op_nlb_z = 7,
	.queue = 4,
	.kind = 1,
	.flags = 2,
};

static void what_was_filled_is_found(void)
{
	uint8_t block[4096];
	struct nvp_stamp_found found;

	for (uint32_t bytes = 512; bytes <= sizeof(block); bytes *= 2) {
		nvp_stamp_fill(block, bytes, &sample);
		CU_ASSERT_EQUAL(nvp_stamp_check(block, bytes, &sample, &found), NVP_STAMP_GOOD);
		CU_ASSERT_EQUAL(found.stamp.run, sample.run);
		CU_ASSERT_EQUAL(found.stamp.lba, sample.lba);
		CU_ASSERT_EQUAL(found.stamp.seq, sample.seq);
		CU_ASSERT_EQUAL(found.stamp.t_sub_ns, sample.t_sub_ns);
		CU_ASSERT_EQUAL(found.stamp.nsid, sample.nsid);
		CU_ASSERT_EQUAL(found.stamp.cycle, sample.cycle);
		CU_ASSERT_EQUAL(found.stamp.flush_epoch, sample.flush_epoch);
		CU_ASSERT_EQUAL(found.stamp.index, sample.index);
		CU_ASSERT_EQUAL(found.stamp.op_nlb_z, sample.op_nlb_z);
		CU_ASSERT_EQUAL(found.stamp.queue, sample.queue);
		CU_ASSERT_EQUAL(found.stamp.kind, sample.kind);
		CU_ASSERT_EQUAL(found.stamp.flags, sample.flags);
		CU_ASSERT(nvp_stamp_equal(block, bytes, &sample));
	}
}

static void each_byte_counts(void)
{
	uint8_t block[4096];
	struct nvp_stamp_found found;

	for (uint32_t bytes = 512; bytes <= sizeof(block); bytes *= 8) {
		nvp_stamp_fill(block, bytes, &sample);
		for (uint32_t at = 0; at < bytes; at++) {
			block[at] ^= (uint8_t)(1u << at % 8);
			CU_ASSERT_EQUAL(nvp_stamp_check(block, bytes, &sample, &found),
					NVP_STAMP_DAMAGED);
			CU_ASSERT(!nvp_stamp_equal(block, bytes, &sample));
			if (at >= NVP_STAMP_HEAD_BYTES) {
				CU_ASSERT_EQUAL(found.bad_bits, 1);
				CU_ASSERT_EQUAL(found.bad_first, at);
				CU_ASSERT_EQUAL(found.bad_last, at);
			}
			block[at] ^= (uint8_t)(1u << at % 8);
		}
		CU_ASSERT_EQUAL(nvp_stamp_check(block, bytes, &sample, &found), NVP_STAMP_GOOD);
	}
}

static void another_place_is_named(void)
{
	uint8_t block[4096];
	struct nvp_stamp_found found;

	nvp_stamp_fill(block, sizeof(block), &sample);
	for (unsigned bit = 0; bit < 64; bit++) {
		struct nvp_stamp want = sample;

		want.lba ^= UINT64_C(1) << bit;
		CU_ASSERT_EQUAL(nvp_stamp_check(block, sizeof(block), &want, &found),
				NVP_STAMP_OTHER_LBA);
		CU_ASSERT_EQUAL(found.stamp.lba, sample.lba);
		want = sample;
		want.run ^= UINT64_C(1) << bit;
		CU_ASSERT_EQUAL(nvp_stamp_check(block, sizeof(block), &want, &found),
				NVP_STAMP_OTHER_RUN);
		want = sample;
		want.nsid ^= 1u << bit % 32;
		CU_ASSERT_EQUAL(nvp_stamp_check(block, sizeof(block), &want, &found),
				NVP_STAMP_OTHER_NS);
	}
}

/* A chunk of a neighbour, of an older version or of another chunk's place never passes. */
static void a_chunk_from_elsewhere_does_not_pass(void)
{
	uint8_t block[4096], other[4096];
	struct nvp_stamp_found found;

	for (unsigned from = 0; from < 8; from++) {
		struct nvp_stamp s = sample;

		s.lba++;
		nvp_stamp_fill(block, sizeof(block), &sample);
		nvp_stamp_fill(other, sizeof(other), &s);
		memcpy(block + from * 512, other + from * 512, 512);
		CU_ASSERT_NOT_EQUAL(nvp_stamp_check(block, sizeof(block), &sample, &found),
				    NVP_STAMP_GOOD);
		nvp_stamp_fill(block, sizeof(block), &sample);
		nvp_stamp_fill(other, sizeof(other), &sample);
		memcpy(block + from * 512, other + (from ^ 1) * 512, 512);
		CU_ASSERT_NOT_EQUAL(nvp_stamp_check(block, sizeof(block), &sample, &found),
				    NVP_STAMP_GOOD);
	}
}

static void a_tear_is_found_at_its_byte(void)
{
	uint8_t block[4096], older[4096];
	struct nvp_stamp old = sample;
	struct nvp_stamp_found found;

	old.seq = sample.seq - 5;
	nvp_stamp_fill(older, sizeof(older), &old);
	for (uint32_t split = 64; split <= 4080; split += 56) {
		nvp_stamp_fill(block, sizeof(block), &sample);
		memcpy(block + split, older + split, sizeof(block) - split);
		CU_ASSERT_EQUAL(nvp_stamp_check(block, sizeof(block), &sample, &found),
				NVP_STAMP_TORN);
		CU_ASSERT_EQUAL(found.stamp.seq, sample.seq);
		CU_ASSERT_EQUAL(found.tail_seq, old.seq);
		/* two versions may have a byte in common where they meet */
		CU_ASSERT(found.split_bytes >= split && found.split_bytes < split + 16);
	}
}

static void a_tear_into_zeroes_is_damage(void)
{
	uint8_t block[4096];
	struct nvp_stamp_found found;

	nvp_stamp_fill(block, sizeof(block), &sample);
	memset(block + 2048, 0, 2048);
	CU_ASSERT_EQUAL(nvp_stamp_check(block, sizeof(block), &sample, &found), NVP_STAMP_DAMAGED);
	CU_ASSERT(found.bad_first >= 2048 && found.bad_first < 2064);
	memset(block, 0, 2048);
	CU_ASSERT_EQUAL(nvp_stamp_check(block, sizeof(block), &sample, &found), NVP_STAMP_ZEROES);
	memset(block, 0xff, sizeof(block));
	CU_ASSERT_EQUAL(nvp_stamp_check(block, sizeof(block), &sample, &found), NVP_STAMP_ONES);
	nvp_rand_fill(block, sizeof(block), 5);
	CU_ASSERT_EQUAL(nvp_stamp_check(block, sizeof(block), &sample, &found), NVP_STAMP_FOREIGN);
}

/* No 8-byte word of the body comes twice in a thousand blocks, and its bits are balanced. */
static void the_body_does_not_compress(void)
{
	enum { NR = 256 };
	static uint64_t seen[1 << 17];
	struct nvp_stamp s = sample;
	uint8_t block[4096];
	uint64_t ones = 0, words = 0, twice = 0;

	memset(seen, 0, sizeof(seen));
	for (unsigned n = 0; n < NR; n++) {
		s.lba = sample.lba + n % 16;
		s.seq = n / 16;
		nvp_stamp_fill(block, sizeof(block), &s);
		for (unsigned at = 64; at < sizeof(block); at += 8) {
			uint64_t word = nvp_le64(block + at), slot = nvp_rand_mix(word) >> 47;

			if (at % 512 >= 496)
				continue;
			for (; seen[slot] && seen[slot] != word;
			     slot = (slot + 1) % NVP_ARRAY_SIZE(seen))
				;
			twice += seen[slot] == word;
			seen[slot] = word;
			ones += (uint64_t)__builtin_popcountll(word);
			if (++words == NVP_ARRAY_SIZE(seen) / 2)
				goto full;
		}
	}
full:
	CU_ASSERT_EQUAL(words, NVP_ARRAY_SIZE(seen) / 2);
	CU_ASSERT_EQUAL(twice, 0);
	CU_ASSERT(ones > words * 32 * 99 / 100 && ones < words * 32 * 101 / 100);
	s.body = NVP_STAMP_COMPRESSIBLE;
	nvp_stamp_fill(block, sizeof(block), &s);
	CU_ASSERT(!memcmp(block + 128, block + 136, 56));
	CU_ASSERT(memcmp(block + 128, block + 192, 8));
}

static void metadata_of_each_type(void)
{
	uint8_t block[4096], meta[64], keep[64];
	struct nvp_stamp old = sample;

	old.seq--;
	nvp_stamp_fill(block, sizeof(block), &sample);
	for (unsigned n = 0; n < 24; n++) {
		struct nvp_stamp_pi pi = {
			.type = (uint8_t)(n % 4),
			.first = n / 4 % 2,
			.meta_bytes = (uint16_t[]){ 8, 16, 64 }[n / 8],
		};

		nvp_stamp_meta_fill(meta, &pi, block, sizeof(block), &sample);
		CU_ASSERT_EQUAL(nvp_stamp_meta_check(meta, &pi, block, sizeof(block), &sample),
				NVP_STAMP_META_GOOD);
		memcpy(keep, meta, sizeof(meta));
		for (unsigned at = 0; at < pi.meta_bytes; at++) {
			meta[at] ^= 0x10;
			CU_ASSERT_NOT_EQUAL(
				nvp_stamp_meta_check(meta, &pi, block, sizeof(block), &sample),
				NVP_STAMP_META_GOOD);
			meta[at] ^= 0x10;
		}
		nvp_stamp_meta_fill(meta, &pi, block, sizeof(block), &old);
		CU_ASSERT_NOT_EQUAL(nvp_stamp_meta_check(meta, &pi, block, sizeof(block), &sample),
				    NVP_STAMP_META_GOOD);
	}
}

static void each_tag_has_its_name(void)
{
	const struct nvp_stamp_pi pi = { .type = 1, .first = false, .meta_bytes = 16 };
	uint8_t block[4096], meta[16];

	nvp_stamp_fill(block, sizeof(block), &sample);
	nvp_stamp_meta_fill(meta, &pi, block, sizeof(block), &sample);
	/* big-endian, low half of the LBA */
	CU_ASSERT(!memcmp(meta + 12, "\x34\x56\x78\x9a", 4));
	meta[15] ^= 1;
	CU_ASSERT_EQUAL(nvp_stamp_meta_check(meta, &pi, block, 4096, &sample), NVP_STAMP_META_REF);
	meta[15] ^= 1;
	meta[11] ^= 1;
	CU_ASSERT_EQUAL(nvp_stamp_meta_check(meta, &pi, block, 4096, &sample), NVP_STAMP_META_APP);
	meta[11] ^= 1;
	/* the guard covers the metadata in front of it */
	meta[0] ^= 1;
	CU_ASSERT_EQUAL(nvp_stamp_meta_check(meta, &pi, block, 4096, &sample),
			NVP_STAMP_META_GUARD);
	meta[0] ^= 1;
	memset(meta + 8, 0xff, 8);
	CU_ASSERT_EQUAL(nvp_stamp_meta_check(meta, &pi, block, 4096, &sample),
			NVP_STAMP_META_DEALLOCATED);
}

CU_TestInfo nvp_unit_stamp[] = {
	{ "what_was_filled_is_found", what_was_filled_is_found },
	{ "each_byte_counts", each_byte_counts },
	{ "another_place_is_named", another_place_is_named },
	{ "a_chunk_from_elsewhere_does_not_pass", a_chunk_from_elsewhere_does_not_pass },
	{ "a_tear_is_found_at_its_byte", a_tear_is_found_at_its_byte },
	{ "a_tear_into_zeroes_is_damage", a_tear_into_zeroes_is_damage },
	{ "the_body_does_not_compress", the_body_does_not_compress },
	{ "metadata_of_each_type", metadata_of_each_type },
	{ "each_tag_has_its_name", each_tag_has_its_name },
	CU_TEST_INFO_NULL,
};
