/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in a logical block that we wrote: by whom, when in the order, for which place. */
#ifndef NVP_BASE_STAMP_H
#define NVP_BASE_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A block is cut in chunks of 512 bytes. Each ends with a sub-stamp of 16 bytes, all little-endian:
 *   +0 tag: magic + chunk number, xor the high half of the LBA
 *   +4 low half of the sequence number
 *   +8 low half of the LBA, xor a word of the run
 *   +12 CRC-32C over the chunk with this field zero, xor a hash of {run, namespace, LBA, sequence,
 *       chunk}: whole 512 bytes go through a checksum at twice the speed of 508
 * So each byte is covered, a tear between chunks is seen, and a chunk verifies in one place alone:
 * LBA and sequence are compared as they are, never only through a checksum.
 * The first chunk begins with the head stamp of 64 bytes:
 *   +0 magic, +4 version, +5 kind, +6 flags, +7 body, +8 run, +16 LBA, +24 sequence,
 *   +32 namespace, +36 cycle, +40 index in the operation, +42 blocks of the operation less one,
 *   +44 flush epoch, +48 queue, +50 zero, +52 submission in ns since the run began,
 *   +60 CRC-32C of the 60 bytes before
 * The body between is made of {run, namespace, LBA, sequence} alone, so that what should stand
 * there can be made again with nothing stored.
 */
#define NVP_STAMP_CHUNK_BYTES 512u
#define NVP_STAMP_HEAD_BYTES  64u
#define NVP_STAMP_TAIL_BYTES  16u

enum nvp_stamp_body {
	NVP_STAMP_RANDOM = 0,	/* does not compress */
	NVP_STAMP_COMPRESSIBLE, /* each group of 64 bytes repeats one word: about 8 to 1 */
};

struct nvp_stamp {
	uint64_t run; /* random, one for each run */
	uint64_t lba;
	uint64_t seq;	   /* number of the operation in the run; 0 is the prefill */
	uint64_t t_sub_ns; /* for people: no verdict reads it */
	uint32_t nsid;
	uint32_t cycle;	      /* power cycles of the run so far */
	uint32_t flush_epoch; /* flushes acknowledged before the operation was made */
	uint16_t index;	      /* of this block in its operation */
	uint16_t op_nlb_z;    /* blocks of the operation, zero-based; its first is lba - index */
	uint16_t queue;
	uint8_t kind;  /* the caller's */
	uint8_t flags; /* the caller's */
	uint8_t body;  /* enum nvp_stamp_body */
};

enum nvp_stamp_state {
	NVP_STAMP_GOOD = 0,  /* whole, and of the run, namespace and LBA that were expected */
	NVP_STAMP_ZEROES,    /* every byte 00h */
	NVP_STAMP_ONES,	     /* every byte FFh */
	NVP_STAMP_OTHER_LBA, /* whole, but of another LBA of this run and namespace */
	NVP_STAMP_OTHER_NS,  /* whole, but of another namespace of this run */
	NVP_STAMP_OTHER_RUN, /* whole, but of another run */
	NVP_STAMP_TORN,	     /* begins as one version of this block and ends as another */
	NVP_STAMP_DAMAGED,   /* a version of this block with some bits wrong */
	NVP_STAMP_FOREIGN,   /* nothing of ours */
};

/* What a block was found to be. */
struct nvp_stamp_found {
	enum nvp_stamp_state state;
	struct nvp_stamp stamp; /* of the head; ZEROES, ONES, FOREIGN: all zero */
	uint64_t tail_seq;	/* TORN: the version that the block ends with */
	uint32_t split_bytes;	/* TORN: where that version begins */
	uint32_t bad_bits;	/* DAMAGED: bits that differ from what should stand there */
	uint32_t bad_first;	/* DAMAGED: first and last byte that differ */
	uint32_t bad_last;
};

/* Fill one block. lba_bytes: a multiple of 512, 512 to 65536. */
void nvp_stamp_fill(void *block, uint32_t lba_bytes, const struct nvp_stamp *stamp);

/*
 * Say what a block is. Of `want` run, nsid and lba are read: where it was read from. `found` is
 * always filled. The sequence is not judged: a GOOD block can be too old, the oracle knows.
 */
enum nvp_stamp_state nvp_stamp_check(const void *block, uint32_t lba_bytes,
				     const struct nvp_stamp *want, struct nvp_stamp_found *found);

/* true when the block holds exactly that stamp, body included, byte by byte. */
bool nvp_stamp_equal(const void *block, uint32_t lba_bytes, const struct nvp_stamp *stamp);

/*
 * Protection information of 8 bytes with a 16-bit guard (NVM Command Set 1.0, 5.2.1 and 5.2.2).
 * Metadata that is not protection information is filled from the stamp.
 */
struct nvp_stamp_pi {
	uint8_t type;	     /* 0 (none) to 3 */
	bool first;	     /* in the first 8 bytes of the metadata, not the last (DPS bit 3) */
	uint16_t meta_bytes; /* metadata of a block; at least 8 with a type */
};

enum nvp_stamp_meta_state {
	NVP_STAMP_META_GOOD = 0,
	NVP_STAMP_META_GUARD,	    /* the guard does not fit the data */
	NVP_STAMP_META_APP,	    /* the application tag is of another version */
	NVP_STAMP_META_REF,	    /* the reference tag is of another block */
	NVP_STAMP_META_BYTES,	    /* other metadata is not what was written */
	NVP_STAMP_META_DEALLOCATED, /* tags all ones, guard all ones or right: 3.2.3.2.1 */
};

/* Metadata for a block filled with `stamp`; types 1 and 2 carry the low half of the LBA. */
void nvp_stamp_meta_fill(void *meta, const struct nvp_stamp_pi *pi, const void *block,
			 uint32_t lba_bytes, const struct nvp_stamp *stamp);

/* Compare metadata with what belongs there; DEALLOCATED is right only where that is allowed. */
enum nvp_stamp_meta_state nvp_stamp_meta_check(const void *meta, const struct nvp_stamp_pi *pi,
					       const void *block, uint32_t lba_bytes,
					       const struct nvp_stamp *stamp);

#endif
