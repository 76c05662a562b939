// SPDX-License-Identifier: GPL-2.0-or-later
// The stamp of a block: made, checked, and, when it is not what it should be, named.

#include "core/base/stamp.h"

#include <endian.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/rand.h"

#define MAGIC	0x5376704eu /* "NpvS" */
#define VERSION 2
#define GOLDEN	UINT64_C(0x9e3779b97f4a7c15)
#define FACTOR	UINT64_C(0xd6e8feb86659fd93)
#define WORDS	(NVP_STAMP_CHUNK_BYTES / 8)

#define CRC_AT	(NVP_STAMP_CHUNK_BYTES - 4)
#define CRC_OF_ZERO 0x48674bc7u /* of four zero bytes */
#define TAIL_AT (NVP_STAMP_CHUNK_BYTES - NVP_STAMP_TAIL_BYTES)

/* What all chunks of one block share. */
struct keys {
	uint64_t a, b;	/* of the body: only where it is made */
	uint64_t place; /* of {run, namespace, LBA}: the sequence is not yet in it */
	uint32_t run_word;
};

static struct keys keys_of_place(uint64_t run, uint32_t nsid, uint64_t lba)
{
	/* no mixing: what is made of it is mixed, and LBA and sequence stand there as they are */
	return (struct keys){
		.place = run + nsid * GOLDEN + lba * FACTOR,
		.run_word = (uint32_t)(run ^ run >> 32),
	};
}

static struct keys keys_of(const struct nvp_stamp *s)
{
	struct keys k = keys_of_place(s->run, s->nsid, s->lba);

	k.a = nvp_rand_mix(k.place + s->seq * GOLDEN);
	k.b = (k.a << 32 | k.a >> 32) + GOLDEN;
	return k;
}

/* Spread over the checksum, so that the right bytes in the wrong place do not verify. */
static uint32_t identity(const struct keys *k, uint32_t seq_low, uint32_t chunk)
{
	return (uint32_t)(nvp_rand_mix(k->place ^ ((uint64_t)chunk << 32 | seq_low)) >> 32);
}

static uint64_t body_word(const struct keys *k, uint64_t i)
{
	unsigned __int128 p = (unsigned __int128)(k->a ^ i) * (k->b + i * GOLDEN);

	return (uint64_t)(p >> 64) ^ (uint64_t)p;
}

/* Between the head, in the first chunk, and the sub-stamp. */
static void fill_words(uint8_t *at, const struct keys *k, uint32_t chunk, uint8_t body)
{
	unsigned begin = chunk ? 0 : NVP_STAMP_HEAD_BYTES / 8;
	uint64_t first = (uint64_t)chunk * WORDS, n = first + begin, b = k->b + n * GOLDEN;

	if (body == NVP_STAMP_COMPRESSIBLE) {
		for (unsigned i = begin; i < TAIL_AT / 8; i++)
			nvp_put_le64(at + i * 8, body_word(k, (first + i) / 8));
		return;
	}
	for (unsigned i = begin; i < TAIL_AT / 8; i += 2, n += 2, b += 2 * GOLDEN) {
		unsigned __int128 p = (unsigned __int128)(k->a ^ n) * b;
		uint64_t high = (uint64_t)(p >> 64);
		/* two words of one product: its low half alone has short periods in its low bits */
		uint64_t pair[2] = { htole64((uint64_t)p ^ (high << 32 | high >> 32)),
				     htole64(high ^ k->a) };

		memcpy(at + i * 8, pair, sizeof(pair));
	}
}

static void put_head(uint8_t *h, const struct nvp_stamp *s)
{
	/* whole words: a checksum over bytes that were stored one by one waits for each of them */
	uint64_t word[NVP_STAMP_HEAD_BYTES / 8] = {
		htole64(MAGIC | (uint64_t)VERSION << 32 | (uint64_t)s->kind << 40 |
			(uint64_t)s->flags << 48 | (uint64_t)s->body << 56),
		htole64(s->run),
		htole64(s->lba),
		htole64(s->seq),
		htole64(s->nsid | (uint64_t)s->cycle << 32),
		htole64(s->index | (uint64_t)s->op_nlb_z << 16 | (uint64_t)s->flush_epoch << 32),
		htole64(s->queue | s->t_sub_ns << 32),
		htole64(s->t_sub_ns >> 32),
	};

	word[7] |= htole64((uint64_t)nvp_crc32c(word, 60) << 32);
	memcpy(h, word, sizeof(word));
}

static bool get_head(const uint8_t *h, struct nvp_stamp *s)
{
	*s = (struct nvp_stamp){ 0 };
	if (nvp_le32(h) != MAGIC || h[4] != VERSION)
		return false;
	*s = (struct nvp_stamp){
		.run = nvp_le64(h + 8),
		.lba = nvp_le64(h + 16),
		.seq = nvp_le64(h + 24),
		.t_sub_ns = nvp_le64(h + 52),
		.nsid = nvp_le32(h + 32),
		.cycle = nvp_le32(h + 36),
		.flush_epoch = nvp_le32(h + 44),
		.index = nvp_le16(h + 40),
		.op_nlb_z = nvp_le16(h + 42),
		.queue = nvp_le16(h + 48),
		.kind = h[5],
		.flags = h[6],
		.body = h[7],
	};
	return true;
}

static bool head_ok(const uint8_t *h)
{
	return nvp_le32(h + 60) == nvp_crc32c(h, 60);
}

static void put_chunk(uint8_t *at, uint32_t chunk, const struct keys *k, const struct nvp_stamp *s)
{
	fill_words(at, k, chunk, s->body);
	if (!chunk)
		put_head(at, s);
	nvp_put_le64(at + TAIL_AT, ((MAGIC + chunk) ^ (uint32_t)(s->lba >> 32)) | s->seq << 32);
	nvp_put_le64(at + TAIL_AT + 8, (uint32_t)s->lba ^ k->run_word);
	nvp_put_le32(at + CRC_AT, nvp_crc32c(at, NVP_STAMP_CHUNK_BYTES) ^
					  identity(k, (uint32_t)s->seq, chunk));
}

void nvp_stamp_fill(void *block, uint32_t lba_bytes, const struct nvp_stamp *stamp)
{
	struct keys k = keys_of(stamp);
	uint8_t *b = block;

	for (uint32_t i = 0; i < lba_bytes / NVP_STAMP_CHUNK_BYTES; i++)
		put_chunk(b + i * NVP_STAMP_CHUNK_BYTES, i, &k, stamp);
}

/* Of the chunk with its own field zero: what these four bytes add is known, a CRC is linear. */
static uint32_t crc_without(const uint8_t *at)
{
	return nvp_crc32c(at, NVP_STAMP_CHUNK_BYTES) ^ nvp_crc32c(at + CRC_AT, 4) ^ CRC_OF_ZERO;
}

/* Whole by itself, in this place of this block, of whatever version. */
static bool chunk_ok(const uint8_t *at, uint32_t chunk, const struct keys *k, uint64_t lba)
{
	uint32_t seq_low = nvp_le32(at + TAIL_AT + 4);

	return nvp_le32(at + TAIL_AT) == ((MAGIC + chunk) ^ (uint32_t)(lba >> 32)) &&
	       nvp_le32(at + TAIL_AT + 8) == ((uint32_t)lba ^ k->run_word) &&
	       nvp_le32(at + CRC_AT) == (crc_without(at) ^ identity(k, seq_low, chunk));
}

/* Chunks from the first that are whole and of the version of the head. */
static uint32_t chunks_ok(const uint8_t *b, uint32_t nr, const struct keys *k,
			  const struct nvp_stamp *s)
{
	uint32_t i = 0;

	while (i < nr &&
	       nvp_le32(b + i * NVP_STAMP_CHUNK_BYTES + TAIL_AT + 4) == (uint32_t)s->seq &&
	       chunk_ok(b + i * NVP_STAMP_CHUNK_BYTES, i, k, s->lba))
		i++;
	return i;
}

static bool all_bytes(const uint8_t *b, uint32_t n, uint8_t value)
{
	return b[0] == value && !memcmp(b, b + 1, n - 1);
}

bool nvp_stamp_equal(const void *block, uint32_t lba_bytes, const struct nvp_stamp *stamp)
{
	struct keys k = keys_of(stamp);
	uint8_t chunk[NVP_STAMP_CHUNK_BYTES];
	const uint8_t *b = block;

	for (uint32_t i = 0; i < lba_bytes / NVP_STAMP_CHUNK_BYTES; i++) {
		put_chunk(chunk, i, &k, stamp);
		if (memcmp(b + i * NVP_STAMP_CHUNK_BYTES, chunk, sizeof(chunk)))
			return false;
	}
	return true;
}

/* Bits of the block that differ from the stamp, and where. */
static void differences(const uint8_t *b, uint32_t lba_bytes, const struct nvp_stamp *stamp,
			struct nvp_stamp_found *found)
{
	struct keys k = keys_of(stamp);
	uint8_t chunk[NVP_STAMP_CHUNK_BYTES];

	found->bad_bits = 0;
	for (uint32_t at = 0; at < lba_bytes; at++) {
		uint32_t in = at % NVP_STAMP_CHUNK_BYTES;

		if (!in)
			put_chunk(chunk, at / NVP_STAMP_CHUNK_BYTES, &k, stamp);
		if (b[at] == chunk[in])
			continue;
		if (!found->bad_bits)
			found->bad_first = at;
		found->bad_last = at;
		found->bad_bits += (uint32_t)__builtin_popcount((unsigned)(b[at] ^ chunk[in]));
	}
}

/* The version whose sub-stamp ends the block, if that is readable; the high half is the head's. */
static bool last_version(const uint8_t *b, uint32_t nr, const struct keys *k,
			 const struct nvp_stamp *head, uint64_t *seq)
{
	const uint8_t *tail = b + (size_t)nr * NVP_STAMP_CHUNK_BYTES - NVP_STAMP_TAIL_BYTES;

	*seq = (head->seq & ~(uint64_t)UINT32_MAX) | nvp_le32(tail + 4);
	return nvp_le32(tail) == ((MAGIC + nr - 1) ^ (uint32_t)(head->lba >> 32)) &&
	       nvp_le32(tail + 8) == ((uint32_t)head->lba ^ k->run_word);
}

/*
 * The head is of this place, the rest is not all of the head's version. Torn when there is a byte
 * before which all is of the head and from which all is of the last sub-stamp's version.
 */
static enum nvp_stamp_state torn_or_damaged(const uint8_t *b, uint32_t lba_bytes,
					    const struct nvp_stamp *head, const struct keys *k,
					    struct nvp_stamp_found *found)
{
	struct nvp_stamp tail = *head;
	struct nvp_stamp_found of_tail = { 0 };

	differences(b, lba_bytes, head, found);
	found->stamp = *head;
	if (last_version(b, lba_bytes / NVP_STAMP_CHUNK_BYTES, k, head, &tail.seq) &&
	    tail.seq != head->seq) {
		differences(b, lba_bytes, &tail, &of_tail);
		/* the head's fields of the other version are not known, its body is */
		if (of_tail.bad_last < found->bad_first && of_tail.bad_bits) {
			found->split_bytes = found->bad_first;
			found->tail_seq = tail.seq;
			found->bad_bits = 0;
			found->bad_first = 0;
			found->bad_last = 0;
			return NVP_STAMP_TORN;
		}
	}
	/* a chunk of zeroes or of nothing is damage too */
	return NVP_STAMP_DAMAGED;
}

/* No head that can be read: a block whose other chunks are whole is a damaged one of ours. */
static enum nvp_stamp_state without_head(const uint8_t *b, uint32_t nr, const struct keys *k,
					 const struct nvp_stamp *want,
					 struct nvp_stamp_found *found)
{
	for (uint32_t i = 0; i < nr; i++) {
		const uint8_t *at = b + (size_t)i * NVP_STAMP_CHUNK_BYTES;
		const uint8_t *tail = at + TAIL_AT;

		if (!chunk_ok(at, i, k, want->lba) &&
		    (i || nvp_le32(tail) != (MAGIC ^ (uint32_t)(want->lba >> 32)) ||
		     nvp_le32(tail + 8) != ((uint32_t)want->lba ^ k->run_word)))
			continue;
		found->stamp.run = want->run;
		found->stamp.nsid = want->nsid;
		found->stamp.lba = want->lba;
		found->stamp.seq = nvp_le32(tail + 4);
		differences(b, nr * NVP_STAMP_CHUNK_BYTES, &found->stamp, found);
		return NVP_STAMP_DAMAGED;
	}
	return NVP_STAMP_FOREIGN;
}

static enum nvp_stamp_state name_it(const uint8_t *b, uint32_t lba_bytes,
				    const struct nvp_stamp *want, struct nvp_stamp_found *found)
{
	uint32_t nr = lba_bytes / NVP_STAMP_CHUNK_BYTES;
	struct nvp_stamp head;
	struct keys k = { 0 };
	bool readable = get_head(b, &head), whole;

	if (readable)
		k = keys_of_place(head.run, head.nsid, head.lba);
	whole = readable && chunks_ok(b, nr, &k, &head) == nr;
	/* the first chunk's checksum covers the head: its own is for a block that is not whole */
	if (!whole && !(readable && head_ok(b))) {
		if (all_bytes(b, lba_bytes, 0))
			return NVP_STAMP_ZEROES;
		if (all_bytes(b, lba_bytes, 0xff))
			return NVP_STAMP_ONES;
		k = keys_of_place(want->run, want->nsid, want->lba);
		return without_head(b, nr, &k, want, found);
	}
	if (!whole)
		return torn_or_damaged(b, lba_bytes, &head, &k, found);
	found->stamp = head;
	if (head.run != want->run)
		return NVP_STAMP_OTHER_RUN;
	if (head.nsid != want->nsid)
		return NVP_STAMP_OTHER_NS;
	return head.lba == want->lba ? NVP_STAMP_GOOD : NVP_STAMP_OTHER_LBA;
}

enum nvp_stamp_state nvp_stamp_check(const void *block, uint32_t lba_bytes,
				     const struct nvp_stamp *want, struct nvp_stamp_found *found)
{
	*found = (struct nvp_stamp_found){ 0 };
	found->state = name_it(block, lba_bytes, want, found);
	return found->state;
}
