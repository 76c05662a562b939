// SPDX-License-Identifier: GPL-2.0-or-later
// Fuzzes the reader of journals: any bytes behind a good beginning; frames are given a right checksum too.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "power/journal_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes);

/* What a reader may rely on, whatever stands in the file. */
struct seen {
	uint32_t cycles, damaged, rung, acked;
	bool in_cycle;
};

static void on_cycle(void *context, const struct nvp_journal_cycle *cycle)
{
	struct seen *s = context;
	struct nvp_op op;

	s->cycles++;
	s->rung = s->acked = 0;
	s->in_cycle = true;
	if (!cycle->plan.nr_blocks || cycle->plan.nr_blocks > NVP_WORKLOAD_MOST_BLOCKS)
		abort();
	nvp_workload_op(&cycle->plan, 3, &op);
}

static void on_ring(void *context, uint32_t nr)
{
	struct seen *s = context;

	s->rung += nr;
	if (!s->in_cycle || !nr || nr > NVP_JOURNAL_SLOTS)
		abort();
}

static void on_ack(void *context, uint32_t op, uint8_t sct, uint8_t sc)
{
	struct seen *s = context;

	(void)sct;
	(void)sc;
	if (!s->in_cycle || op >= s->rung || ++s->acked > s->rung)
		abort();
}

static void on_event(void *context, enum nvp_journal_event event, uint64_t value)
{
	(void)context;
	(void)value;
	if ((unsigned)event >= NVP_JOURNAL_NR_EVENTS)
		abort();
}

static void on_settled(void *context, const struct nvp_journal_settled *settled, uint32_t nr)
{
	(void)context;
	for (uint32_t i = 0; i < nr; i++) {
		if (settled[i].block >= NVP_WORKLOAD_MOST_BLOCKS)
			abort();
	}
}

static void on_damaged(void *context, uint64_t offset)
{
	struct seen *s = context;

	(void)offset;
	s->damaged++;
	s->in_cycle = false;
}

static void read_them(const uint8_t *bytes, size_t nr_bytes)
{
	struct seen seen = { 0 };
	const struct nvp_journal_reader reader = {
		.context = &seen, .cycle = on_cycle, .ring = on_ring, .ack = on_ack,
		.event = on_event, .settled = on_settled, .damaged = on_damaged };
	struct nvp_journal_end end;
	struct nvp_err err = { 0 };
	int rc = nvp_journal_read_bytes(bytes, nr_bytes, &reader, &end, &err);

	if (rc ? !err.code : end.cycles != seen.cycles || end.damaged != seen.damaged)
		abort();
}

static size_t put_frame(uint8_t *out, uint32_t number, uint8_t type, const uint8_t *payload,
			size_t nr_bytes)
{
	size_t all = NVP_FRAME_HEAD_BYTES + nr_bytes;

	nvp_put_le16(out, NVP_FRAME_MARK);
	out[2] = type;
	out[3] = 0;
	nvp_put_le32(out + 4, (uint32_t)nr_bytes);
	nvp_put_le32(out + 8, number);
	memcpy(out + NVP_FRAME_HEAD_BYTES, payload, nr_bytes);
	nvp_put_le32(out + all, nvp_crc32c(out, all));
	return all + NVP_FRAME_TAIL_BYTES;
}

/* The input cut in frames: one byte type, one byte length, then the payload; each whole. */
static void read_as_frames(const uint8_t *input, size_t nr_bytes)
{
	const size_t most = 64 + nr_bytes * (NVP_FRAME_HEAD_BYTES + NVP_FRAME_TAIL_BYTES + 2);
	uint8_t *file = malloc(most);
	size_t at = NVP_JOURNAL_MAGIC_BYTES;
	uint32_t number = 0;

	if (!file)
		abort();
	memcpy(file, NVP_JOURNAL_MAGIC, at);
	at += put_frame(file + at, number++, NVP_FRAME_BEGIN, input, 0);
	while (nr_bytes >= 2) {
		size_t take = nvp_min_u64(input[1], nr_bytes - 2);

		at += put_frame(file + at, number++, input[0] % 8, input + 2, take);
		input += 2 + take;
		nr_bytes -= 2 + take;
	}
	read_them(file, at);
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes)
{
	read_them(input, nr_bytes);
	read_as_frames(input, nr_bytes);
	return 0;
}
