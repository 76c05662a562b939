// SPDX-License-Identifier: GPL-2.0-or-later
// The rules that hold for every completion, each one a check site.

#include <nvproof/decode.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/door.h"

#define OUTSTANDING (1u << NVP_FLIGHT_EXPOSED)

static const struct {
	const char *name, *section;
} invariants[NVP_NR_INVARIANTS] = {
	[NVP_INVARIANT_SQID] = { "sqid", "NVMe Base 2.0, 3.3.3.2" },
	[NVP_INVARIANT_CID] = { "cid", "NVMe Base 2.0, 3.3.3.2" },
	[NVP_INVARIANT_ONCE] = { "once", "NVMe Base 2.0, 3.3.3.2" },
	[NVP_INVARIANT_SQHD] = { "sqhd", "NVMe Base 2.0, 3.3.3.2" },
	[NVP_INVARIANT_PHASE] = { "phase", "NVMe Base 2.0, 3.3.3.2.2" },
	[NVP_INVARIANT_STATUS] = { "status", "NVMe Base 2.0, 3.3.3.2.1" },
	[NVP_INVARIANT_GUARD] = { "guard", "NVMe Base 2.0, 4.1.1" },
	[NVP_INVARIANT_DMA] = { "dma", "NVMe Base 2.0, 4.1.1" },
	[NVP_INVARIANT_LATE] = { "late", "NVMe Base 2.0, 3.7.2" },
};

const char *nvp_invariant_name(enum nvp_invariant invariant)
{
	return (unsigned)invariant < NVP_NR_INVARIANTS ? invariants[invariant].name : "unknown";
}

const char *nvp_invariant_section(enum nvp_invariant invariant)
{
	return (unsigned)invariant < NVP_NR_INVARIANTS ? invariants[invariant].section : "";
}

void nvp_invariant_broken(struct nvp_drive *drive, enum nvp_invariant invariant, const char *site,
			  const char *expected, const char *seen_format, ...)
{
	struct nvp_unseen broken = { .invariant = invariant };
	va_list args;

	va_start(args, seen_format);
	vsnprintf(broken.seen, sizeof(broken.seen), seen_format, args);
	va_end(args);
	if (drive->observed && drive->observer.broken) {
		drive->observer.broken(drive->observer.context, invariant, site, expected,
				       broken.seen);
		return;
	}
	if (drive->nr_unseen < NVP_MAX_UNSEEN) {
		snprintf(broken.site, sizeof(broken.site), "%s", site);
		snprintf(broken.expected, sizeof(broken.expected), "%s", expected);
		drive->unseen[drive->nr_unseen++] = broken;
	}
}

/* --- whose completion is it? -------------------------------------------------------------- */

static struct nvp_sq *sq_of(struct nvp_cq *cq, uint16_t sqid)
{
	struct nvp_sq *sq = cq->last_sq;

	if (sq && sq->qid == sqid && sq->state == NVP_QUEUE_LIVE)
		return sq;
	sq = NULL;
	for (struct nvp_sq *s = cq->drive->sqs; s; s = s->next)
		if (s->cq == cq && s->qid == sqid && (!sq || s->state == NVP_QUEUE_LIVE))
			sq = s;
	cq->last_sq = sq;
	return sq;
}

struct nvp_flight *nvp_check_identity(struct nvp_cq *cq, const struct nvp_cpl *cpl,
				      struct nvp_sq **out)
{
	struct nvp_drive *drive = cq->drive;
	struct nvp_sq *sq = sq_of(cq, cpl->sqid);
	struct nvp_flight *flight;

	*out = NULL;
	if ((!sq || sq->state == NVP_QUEUE_DELETED) &&
	    !NVP_INVARIANT(drive, NVP_INVARIANT_LATE, !nvp_bitmap_get(drive->dead_sq, cpl->sqid),
			   "no completion of a deleted submission queue",
			   "CQ %u: SQID %u, which was deleted, CID %u", cq->qid, cpl->sqid,
			   cpl->cid))
		return NULL;
	if (!NVP_INVARIANT(drive, NVP_INVARIANT_SQID, sq, "a submission queue of this CQ",
			   "CQ %u: SQID %u, CID %u", cq->qid, cpl->sqid, cpl->cid))
		return NULL;
	*out = sq;
	flight = nvp_flight_find(sq, cpl->cid, OUTSTANDING);
	if (flight)
		return flight;
	if (!NVP_INVARIANT(drive, NVP_INVARIANT_LATE,
			   !nvp_flight_find(sq, cpl->cid, 1u << NVP_FLIGHT_CANCELLED),
			   "no completion of a command from before the reset",
			   "SQ %u: CID %u, given up with the reset", sq->qid, cpl->cid))
		return NULL;
	if (!NVP_INVARIANT(drive, NVP_INVARIANT_ONCE, !nvp_bitmap_get(sq->completed, cpl->cid),
			   "one completion for each command", "SQ %u: CID %u completed again",
			   sq->qid, cpl->cid))
		return NULL;
	NVP_INVARIANT(drive, NVP_INVARIANT_CID, flight, "CID of an outstanding command",
		      "SQ %u: CID %u, which %s", sq->qid, cpl->cid,
		      nvp_flight_find(sq, cpl->cid, 1u << NVP_FLIGHT_POSTED)
			      ? "no doorbell has exposed yet"
			      : "was never given");
	return NULL;
}

void nvp_check_sqhd(struct nvp_sq *sq, const struct nvp_cpl *cpl)
{
	uint32_t to_tail, moved;

	if (!NVP_INVARIANT(sq->drive, NVP_INVARIANT_SQHD, cpl->sqhd < sq->entries,
			   "SQHD inside the queue", "SQ %u of %u entries: SQHD %u", sq->qid,
			   sq->entries, cpl->sqhd))
		return;
	to_tail = (sq->tail_rung + sq->entries - sq->head) % sq->entries;
	moved = (cpl->sqhd + sq->entries - sq->head) % sq->entries;
	if (!NVP_INVARIANT(sq->drive, NVP_INVARIANT_SQHD, moved <= to_tail,
			   "SQHD from the last head on up to the tail",
			   "SQ %u: SQHD %u, last head %u, tail %u", sq->qid, cpl->sqhd, sq->head,
			   sq->tail_rung))
		return;
	sq->head = cpl->sqhd;
}

void nvp_check_status(struct nvp_drive *drive, const struct nvp_sqe *sqe, const struct nvp_cpl *cpl)
{
	const struct nvp_status *s = &cpl->status;

	NVP_INVARIANT(
		drive, NVP_INVARIANT_STATUS, s->sct <= NVP_SCT_PATH || s->sct == NVP_SCT_VENDOR,
		"a Status Code Type that is not reserved", "type %Xh code %02Xh, opcode %02Xh",
		s->sct, s->sc, sqe ? nvp_sqe_opcode(sqe) : 0);
	/* 70h to 7Fh are what a host makes when it gives up (figure "Path Related Status"). */
	NVP_INVARIANT(drive, NVP_INVARIANT_STATUS,
		      s->sct != NVP_SCT_PATH || s->sc < 0x70 || s->sc > 0x7f,
		      "no status that only a host makes", "type %Xh code %02Xh, opcode %02Xh",
		      s->sct, s->sc, sqe ? nvp_sqe_opcode(sqe) : 0);
	/* "Should be cleared": a recommendation, so a note and not a broken rule. */
	if (!s->sct && !s->sc && s->dnr)
		nvp_drive_note(drive, "opcode %02Xh succeeded with Do Not Retry set",
			       sqe ? nvp_sqe_opcode(sqe) : 0);
}

/* --- memory ------------------------------------------------------------------------------- */

static long first_difference(const uint8_t *page, const uint8_t *expected)
{
	for (long i = 0; i < NVP_PAGE_BYTES; i++)
		if (page[i] != expected[i])
			return i;
	return -1;
}

void nvp_check_buf_guards(struct nvp_buf *buf)
{
	struct nvp_drive *drive = buf->drive;
	uint8_t *front = buf->memory;
	uint8_t *behind = buf->memory + buf->memory_bytes - NVP_PAGE_BYTES;
	uint8_t *slack = buf->data + buf->bytes;

	if (!NVP_INVARIANT(drive, NVP_INVARIANT_GUARD,
			   !memcmp(front, drive->guard_page, NVP_PAGE_BYTES),
			   "nothing written in front of the buffer",
			   "byte %ld in front of a buffer of %zu bytes changed",
			   NVP_PAGE_BYTES - first_difference(front, drive->guard_page), buf->bytes))
		memcpy(front, drive->guard_page, NVP_PAGE_BYTES);
	if (!NVP_INVARIANT(drive, NVP_INVARIANT_GUARD,
			   !memcmp(behind, drive->guard_page, NVP_PAGE_BYTES) &&
				   nvp_all_zero(slack, (size_t)(behind - slack)),
			   "nothing written behind the buffer",
			   "bytes behind a buffer of %zu bytes changed", buf->bytes)) {
		memcpy(behind, drive->guard_page, NVP_PAGE_BYTES);
		memset(slack, 0, (size_t)(behind - slack));
	}
}

void nvp_check_memory(struct nvp_drive *drive, const struct nvp_flight *flight)
{
	uint32_t before_crc, behind_crc;

	if (!flight->buf || flight->dir != NVP_DIR_FROM_DRIVE)
		return;
	nvp_check_buf_guards(flight->buf);
	if (flight->meta)
		nvp_check_buf_guards(flight->meta);
	if (!flight->snapshot)
		return;
	nvp_buf_snapshot(flight->buf, flight->data_offset, flight->data_bytes, &before_crc,
			 &behind_crc);
	NVP_INVARIANT(drive, NVP_INVARIANT_GUARD, behind_crc == flight->behind_crc,
		      "nothing written behind the length of the command",
		      "opcode %02Xh, %zu bytes at offset %zu: the buffer changed behind them",
		      nvp_sqe_opcode(&flight->sqe), flight->data_bytes, flight->data_offset);
	NVP_INVARIANT(drive, NVP_INVARIANT_GUARD, before_crc == flight->before_crc,
		      "nothing written in front of the data of the command",
		      "opcode %02Xh, %zu bytes at offset %zu: the buffer changed in front of them",
		      nvp_sqe_opcode(&flight->sqe), flight->data_bytes, flight->data_offset);
}

void nvp_check_dma(struct nvp_drive *drive)
{
	struct nvp_dma_fault last = { 0 };
	uint64_t faults;

	if (!drive->base->dma_faults)
		return;
	faults = drive->base->dma_faults(drive->base_backend, &last);
	NVP_INVARIANT(drive, NVP_INVARIANT_DMA, faults == drive->dma_faults,
		      "no access outside of mapped memory", "%s of %u bytes at address 0x%llx",
		      last.write ? "write" : "read", last.bytes, (unsigned long long)last.iova);
	drive->dma_faults = faults;
}

/* --- entries where or as none may be ------------------------------------------------------ */

void nvp_check_late_entry(struct nvp_drive *drive, uint16_t qid, uint32_t slot, const void *cqe)
{
	const uint8_t *b = cqe;

	NVP_INVARIANT(drive, NVP_INVARIANT_LATE, nvp_all_zero(cqe, NVP_CQE_BYTES),
		      "nothing written to a completion queue that is gone",
		      "CQ %u slot %u: SQID %u, CID %u", qid, slot, nvp_le16(b + 10),
		      nvp_le16(b + 12));
}

/* The slot was seen before with taken[]; it changed and yet does not carry the phase it must. */
void nvp_check_phase_slot(struct nvp_cq *cq, uint32_t slot, const uint8_t *cqe)
{
	const uint8_t *old = cq->taken + (size_t)slot * NVP_CQE_BYTES;
	uint8_t phase = slot >= cq->head ? cq->phase : cq->phase ^ 1;
	bool changed = memcmp(old, cqe, NVP_CQE_BYTES) != 0;

	NVP_INVARIANT(
		cq->drive, NVP_INVARIANT_PHASE, !changed || (cqe[14] & 1) == phase,
		"Phase Tag inverted on each pass",
		"CQ %u slot %u: a new entry (SQID %u, CID %u) with the phase of the last pass",
		cq->qid, slot, nvp_le16(cqe + 10), nvp_le16(cqe + 12));
	NVP_INVARIANT(cq->drive, NVP_INVARIANT_PHASE, !changed || slot == cq->head,
		      "entries posted one slot after the other",
		      "CQ %u slot %u: written while slot %u is the next", cq->qid, slot, cq->head);
	if (changed)
		memcpy(cq->taken + (size_t)slot * NVP_CQE_BYTES, cqe, NVP_CQE_BYTES);
}
