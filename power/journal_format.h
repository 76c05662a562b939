/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of a journal, for the two that write and read it. */
#ifndef NVP_POWER_JOURNAL_FORMAT_H
#define NVP_POWER_JOURNAL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "power/journal.h"

/*
 * The file: NVP_JOURNAL_MAGIC, then frames, the first of them a begin. A frame, little-endian:
 *   +0 4E4Ah, +2 type, +3 zero, +4 bytes of the payload, +8 number of the frame in the file,
 *   +12 payload, then CRC-32C of all before it in the frame
 * A payload that is longer than is known is of a later program: the rest is left alone. One that
 * is shorter is of an earlier one: what is missing is zero.
 *
 * A stream holds rings and acknowledgements in their order: u32 credit, u16 tokens, u16 bytes of
 * the codes, the codes, the operands. Codes, from the lowest bit of the first byte on, are
 *   0    an acknowledgement; operand: the slot
 *   10   a ring of one
 *   110  a ring of more; operand: how many less two
 *   111  an acknowledgement with an error; operands: the slot, status type, status code
 * so an operation that is rung alone takes 11 bits. Operations below `credit` may have been issued
 * when a stream is the last that was written.
 */
#define NVP_JOURNAL_MAGIC "NVPJRNL1"
#define NVP_JOURNAL_MAGIC_BYTES 8u
#define NVP_FRAME_MARK 0x4e4au
#define NVP_FRAME_HEAD_BYTES 12u
#define NVP_FRAME_TAIL_BYTES 4u
#define NVP_FRAME_MOST_BYTES 0x10000u /* of a payload */
#define NVP_STREAM_HEAD_BYTES 8u
#define NVP_STREAM_TOKENS 512u	/* at most in a frame */
#define NVP_JOURNAL_BATCH 512u	/* operations of a credit */
#define NVP_SETTLED_BYTES 12u
#define NVP_SETTLED_MOST 4096u	/* in a frame */

enum nvp_frame_type {
	NVP_FRAME_BEGIN = 1,
	NVP_FRAME_CYCLE,
	NVP_FRAME_STREAM,
	NVP_FRAME_EVENT,   /* u8 event, u64 value */
	NVP_FRAME_SETTLED, /* u32 how many, then u32 block and u64 version each */
};

/* The lowest free slot is taken, and given back: the same on both sides. */
struct nvp_journal_slots {
	uint64_t used[NVP_JOURNAL_SLOTS / 64];
};

int nvp_journal_slot_take(struct nvp_journal_slots *slots);	/* -ENOSPC: none is free */
bool nvp_journal_slot_give(struct nvp_journal_slots *slots, uint8_t slot); /* false: not taken */

/* Fields one after the other; the same list writes and reads. */
struct nvp_fields_at {
	uint8_t *out;	   /* writing; NULL: reading */
	const uint8_t *in;
	size_t at, bytes;  /* past the end nothing is written, and zero is read */
};

void nvp_journal_begin_fields(struct nvp_fields_at *f, struct nvp_journal_begin *begin,
			      char version[40]);
void nvp_journal_cycle_fields(struct nvp_fields_at *f, struct nvp_journal_cycle *cycle);

/* Reading from memory; all else as nvp_journal_read. */
int nvp_journal_read_bytes(const uint8_t *bytes, size_t nr_bytes,
			   const struct nvp_journal_reader *reader, struct nvp_journal_end *end,
			   struct nvp_err *err);

#endif
