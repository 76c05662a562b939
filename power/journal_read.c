// SPDX-License-Identifier: GPL-2.0-or-later
// Reading a journal back: a torn tail is left away, damage in the middle costs its cycle alone.

#include "power/journal_format.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"

#define NOT_OUT UINT32_MAX

struct reading {
	const uint8_t *bytes;
	size_t nr_bytes, at;
	const struct nvp_journal_reader *reader;
	struct nvp_journal_end *end;
	uint32_t next; /* number of the frame that should follow */
	bool lost; /* until the next cycle */
	bool in_cycle;
	uint32_t rung;
	struct nvp_journal_slots slots;
	uint32_t op[NVP_JOURNAL_SLOTS]; /* that took the slot */
};

struct frame {
	enum nvp_frame_type type;
	const uint8_t *payload;
	size_t nr_bytes;
	uint32_t number;
};

/* A whole frame that begins here. */
static bool frame_at(const struct reading *r, size_t at, struct frame *frame)
{
	const uint8_t *p = r->bytes + at;
	size_t room = r->nr_bytes - at, all;

	if (room < NVP_FRAME_HEAD_BYTES + NVP_FRAME_TAIL_BYTES || nvp_le16(p) != NVP_FRAME_MARK)
		return false;
	frame->nr_bytes = nvp_le32(p + 4);
	if (frame->nr_bytes > NVP_FRAME_MOST_BYTES)
		return false;
	all = NVP_FRAME_HEAD_BYTES + frame->nr_bytes;
	if (all + NVP_FRAME_TAIL_BYTES > room || nvp_le32(p + all) != nvp_crc32c(p, all))
		return false;
	frame->type = (enum nvp_frame_type)p[2];
	frame->number = nvp_le32(p + 8);
	frame->payload = p + NVP_FRAME_HEAD_BYTES;
	return true;
}

static void damaged(struct reading *r, size_t at)
{
	if (r->lost)
		return;
	r->lost = true;
	r->end->damaged++;
	if (r->reader->damaged)
		r->reader->damaged(r->reader->context, at);
}

/* ---- the frames ---- */

static bool begin_frame(struct reading *r, const struct frame *frame)
{
	struct nvp_fields_at f = { .in = frame->payload, .bytes = frame->nr_bytes };
	struct nvp_journal_begin begin = { 0 };
	char version[40] = "";

	nvp_journal_begin_fields(&f, &begin, version);
	if (r->reader->begin)
		r->reader->begin(r->reader->context, &begin);
	return true;
}

static bool plan_can_be(const struct nvp_workload_plan *plan)
{
	return (unsigned)plan->workload < NVP_NR_WORKLOADS &&
	       (unsigned)plan->phase < NVP_NR_PHASES &&
	       (unsigned)plan->trigger_kind < NVP_ORACLE_NR_KINDS && plan->queues &&
	       plan->nr_blocks && plan->nr_blocks <= NVP_WORKLOAD_MOST_BLOCKS &&
	       plan->most_blocks && plan->slot_blocks >= plan->most_blocks &&
	       plan->slot_blocks <= plan->nr_blocks;
}

static bool cycle_frame(struct reading *r, const struct frame *frame)
{
	struct nvp_fields_at f = { .in = frame->payload, .bytes = frame->nr_bytes };
	struct nvp_journal_cycle cycle = { 0 };

	nvp_journal_cycle_fields(&f, &cycle);
	if (!plan_can_be(&cycle.plan))
		return false;
	r->lost = false;
	r->in_cycle = true;
	r->rung = 0;
	r->slots = (struct nvp_journal_slots){ 0 };
	r->end->cycles++;
	r->end->credit = 0;
	if (r->reader->cycle)
		r->reader->cycle(r->reader->context, &cycle);
	return true;
}

static bool ring(struct reading *r, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		int slot = nvp_journal_slot_take(&r->slots);

		if (slot < 0 || r->rung == NOT_OUT)
			return false;
		r->op[slot] = r->rung++;
	}
	if (r->rung > r->end->credit)
		return false;
	if (r->reader->ring)
		r->reader->ring(r->reader->context, nr);
	return true;
}

static bool ack(struct reading *r, uint8_t slot, uint8_t sct, uint8_t sc)
{
	if (!nvp_journal_slot_give(&r->slots, slot))
		return false;
	if (r->reader->ack)
		r->reader->ack(r->reader->context, r->op[slot], sct, sc);
	return true;
}

/* Codes from the lowest bit on; how many ones stand before the zero, three at most. */
struct codes {
	const uint8_t *bytes;
	uint32_t at, nr_bits;
};

static int next_code(struct codes *c)
{
	int ones = 0;

	while (ones < 3) {
		if (c->at == c->nr_bits)
			return -1;
		if (!(c->bytes[c->at / 8] >> c->at % 8 & 1)) {
			c->at++;
			break;
		}
		c->at++;
		ones++;
	}
	return ones;
}

static bool token(struct reading *r, int code, const uint8_t *operands)
{
	switch (code) {
	case 0:
		return ack(r, operands[0], 0, 0);
	case 1:
		return ring(r, 1);
	case 2:
		return ring(r, operands[0] + 2u);
	default:
		/* an error with the status of success cannot be */
		return (operands[1] || operands[2]) &&
		       ack(r, operands[0], operands[1], operands[2]);
	}
}

static bool stream_frame(struct reading *r, const struct frame *frame)
{
	static const uint8_t nr_operands[] = { 1, 0, 1, 3 };
	const uint8_t *operands, *end = frame->payload + frame->nr_bytes;
	struct codes codes;
	uint32_t tokens, nr_codes;

	if (frame->nr_bytes < NVP_STREAM_HEAD_BYTES)
		return false;
	tokens = nvp_le16(frame->payload + 4);
	nr_codes = nvp_le16(frame->payload + 6);
	if (nr_codes > frame->nr_bytes - NVP_STREAM_HEAD_BYTES)
		return false;
	codes = (struct codes){ .bytes = frame->payload + NVP_STREAM_HEAD_BYTES,
				.nr_bits = nr_codes * 8 };
	operands = codes.bytes + nr_codes;
	r->end->credit = (uint32_t)nvp_max_u64(r->end->credit, nvp_le32(frame->payload));
	for (; tokens; tokens--) {
		int code = next_code(&codes);

		if (code < 0 || end - operands < nr_operands[code] || !token(r, code, operands))
			return false;
		operands += nr_operands[code];
	}
	return true;
}

static bool event_frame(struct reading *r, const struct frame *frame)
{
	enum nvp_journal_event event;

	if (frame->nr_bytes < 9 || frame->payload[0] >= NVP_JOURNAL_NR_EVENTS)
		return false;
	event = (enum nvp_journal_event)frame->payload[0];
	if (event == NVP_JOURNAL_RESET || event == NVP_JOURNAL_BACK)
		r->slots = (struct nvp_journal_slots){ 0 };
	if (r->reader->event)
		r->reader->event(r->reader->context, event, nvp_le64(frame->payload + 1));
	return true;
}

static bool settled_frame(struct reading *r, const struct frame *frame)
{
	struct nvp_journal_settled settled[64];
	const uint8_t *at = frame->payload + 4;
	uint32_t left;

	if (frame->nr_bytes < 4)
		return false;
	left = nvp_le32(frame->payload);
	if ((frame->nr_bytes - 4) / NVP_SETTLED_BYTES < left)
		return false;
	while (left) {
		uint32_t now = (uint32_t)nvp_min_u64(left, NVP_ARRAY_SIZE(settled));

		for (uint32_t i = 0; i < now; i++, at += NVP_SETTLED_BYTES) {
			settled[i].block = nvp_le32(at);
			settled[i].version = nvp_le64(at + 4);
			if (settled[i].block >= NVP_WORKLOAD_MOST_BLOCKS)
				return false;
		}
		if (r->reader->settled)
			r->reader->settled(r->reader->context, settled, now);
		left -= now;
	}
	return true;
}

/* false: a frame that is whole says what cannot be. Unknown types are of a later program. */
static bool take(struct reading *r, const struct frame *frame)
{
	if (frame->type == NVP_FRAME_CYCLE)
		return cycle_frame(r, frame);
	if (r->lost)
		return true;
	switch (frame->type) {
	case NVP_FRAME_BEGIN:
		return !frame->number && begin_frame(r, frame);
	case NVP_FRAME_STREAM:
		return r->in_cycle && stream_frame(r, frame);
	case NVP_FRAME_EVENT:
		return event_frame(r, frame);
	case NVP_FRAME_SETTLED:
		return settled_frame(r, frame);
	default:
		return true;
	}
}

/* The next whole frame that is later than what was read; the place of it, or nr_bytes. */
static size_t find(const struct reading *r, size_t at, struct frame *frame)
{
	for (; at < r->nr_bytes; at++) {
		if (r->bytes[at] == (NVP_FRAME_MARK & 0xff) && frame_at(r, at, frame) &&
		    frame->number >= r->next)
			return at;
	}
	return r->nr_bytes;
}

int nvp_journal_read_bytes(const uint8_t *bytes, size_t nr_bytes,
			   const struct nvp_journal_reader *reader, struct nvp_journal_end *end,
			   struct nvp_err *err)
{
	struct reading r = { .bytes = bytes, .nr_bytes = nr_bytes, .reader = reader, .end = end,
			     .at = NVP_JOURNAL_MAGIC_BYTES };
	struct frame frame;

	*end = (struct nvp_journal_end){ 0 };
	if (nr_bytes < r.at || memcmp(bytes, NVP_JOURNAL_MAGIC, r.at))
		return nvp_err_set(err, NVP_ERR_USAGE, -EBADMSG, "this is no journal");
	if (!frame_at(&r, r.at, &frame) || frame.type != NVP_FRAME_BEGIN || frame.number)
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG,
				   "the first frame of the journal is damaged: it says whose it is");
	while (r.at < nr_bytes) {
		size_t at = r.at;

		if (!frame_at(&r, at, &frame) || frame.number != r.next) {
			at = find(&r, at, &frame);
			if (at == nr_bytes) {
				end->torn = true;
				break;
			}
			damaged(&r, r.at);
		}
		if (!take(&r, &frame))
			damaged(&r, at);
		r.next = frame.number + 1;
		r.at = at + NVP_FRAME_HEAD_BYTES + frame.nr_bytes + NVP_FRAME_TAIL_BYTES;
	}
	return 0;
}

int nvp_journal_read(const char *path, const struct nvp_journal_reader *reader,
		     struct nvp_journal_end *end, struct nvp_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;
	struct stat st;
	void *bytes;

	*end = (struct nvp_journal_end){ 0 };
	if (fd < 0)
		return nvp_err_set(err, NVP_ERR_USAGE, -errno, "journal %s: %s", path,
				   strerror(errno));
	rc = fstat(fd, &st) ? -errno : st.st_size ? 0 : -EBADMSG;
	bytes = rc ? MAP_FAILED : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (!rc && bytes == MAP_FAILED)
		rc = -errno;
	close(fd);
	if (rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "journal %s: %s", path,
				   rc == -EBADMSG ? "empty" : strerror(-rc));
	rc = nvp_journal_read_bytes(bytes, (size_t)st.st_size, reader, end, err);
	munmap(bytes, (size_t)st.st_size);
	return rc;
}
