// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the journal: what was written is read, in its order; tails and damage cost no more
// than they must; and how many bytes an operation takes.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/base/text.h"
#include "power/journal_format.h"
#include "tests/unit/unit.h"

/* ---- a journal that is read, as lines ---- */

static void log_begin(void *context, const struct nvp_journal_begin *b)
{
	nvp_text_addf(context, "begin %llx %llx %u %u %llu %s %s %s %s %u %u %u %u %llu %u %d%d %u\n",
		      (unsigned long long)b->run, (unsigned long long)b->seed, b->nsid,
		      b->lba_bytes, (unsigned long long)b->first_lba, b->serial, b->model,
		      b->firmware, b->version ? b->version : "-", b->facts.nr_blocks,
		      b->facts.awupf_z, b->facts.policy, b->first_cycle,
		      (unsigned long long)b->nsze_lbas, b->format.metadata_bytes,
		      b->format.extended, b->format.pi_first, b->format.pi_type);
}

static void log_cycle(void *context, const struct nvp_journal_cycle *c)
{
	nvp_text_addf(context, "cycle %u %llu %llu %d %llx %d %d %u %u %u %d\n", c->cycle,
		      (unsigned long long)c->seq, (unsigned long long)c->first_lba, c->wce,
		      (unsigned long long)c->plan.key, (int)c->plan.workload, (int)c->plan.phase,
		      c->plan.nr_blocks, c->plan.kinds, c->plan.trigger_at,
		      (int)c->plan.trigger_kind);
}

static void log_ring(void *context, uint32_t nr)
{
	nvp_text_addf(context, "ring %u\n", nr);
}

static void log_ack(void *context, uint32_t op, uint8_t sct, uint8_t sc)
{
	nvp_text_addf(context, "ack %u %u/%02x\n", op, sct, sc);
}

static void log_event(void *context, enum nvp_journal_event event, uint64_t value)
{
	nvp_text_addf(context, "event %d %llu\n", (int)event, (unsigned long long)value);
}

static void log_settled(void *context, const struct nvp_journal_settled *settled, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		nvp_text_addf(context, "settled %u %llx\n", settled[i].block,
			      (unsigned long long)settled[i].version);
}

static void log_damaged(void *context, uint64_t offset)
{
	(void)offset;
	nvp_text_add(context, "damaged\n");
}

static struct nvp_journal_reader reader_into(struct nvp_text *text)
{
	return (struct nvp_journal_reader){ .context = text, .begin = log_begin,
		.cycle = log_cycle, .ring = log_ring, .ack = log_ack, .event = log_event,
		.settled = log_settled, .damaged = log_damaged };
}

/* ---- a journal that is written, and the lines that it should give ---- */

struct made {
	char path[64];
	struct nvp_journal *journal;
	struct nvp_text lines;
	uint64_t seed;
	uint32_t draws;
	struct nvp_journal_slots slots;
	uint32_t op[NVP_JOURNAL_SLOTS];
	bool busy[NVP_JOURNAL_SLOTS];
	uint32_t outstanding, rung;
};

static uint32_t draw(struct made *m, uint32_t bound)
{
	return (uint32_t)nvp_rand_below(m->seed, "test", m->draws++, 0, bound);
}

static const struct nvp_journal_begin sample_begin = {
	.run = 0xfedcba9876543210, .seed = 7, .nsid = 2, .lba_bytes = 4096, .first_lba = 1234567,
	.first_cycle = 17,
	.facts = { .first_lba = 1234567, .nr_blocks = 4096, .awupf_z = 7,
		   .policy = NVP_ORACLE_STRICT },
	.serial = "S1", .model = "a drive", .firmware = "1.0", .version = "0.1",
	.nsze_lbas = 1 << 30,
	.format = { .metadata_bytes = 64, .extended = true, .pi_first = true, .pi_type = 2 },
};

static void open_made(struct made *m, uint64_t seed)
{
	struct nvp_err err = { 0 };

	*m = (struct made){ .seed = seed };
	snprintf(m->path, sizeof(m->path), "/tmp/nvproof-journal-%d", (int)getpid());
	unlink(m->path);
	m->journal = nvp_journal_new(m->path, &sample_begin, false, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m->journal);
	log_begin(&m->lines, &sample_begin);
}

static void close_made(struct made *m)
{
	nvp_journal_close(m->journal);
	nvp_text_free(&m->lines);
	unlink(m->path);
}

static void make_cycle(struct made *m, uint32_t number)
{
	struct nvp_journal_cycle cycle = {
		.cycle = number, .seq = number * 1000, .first_lba = 64, .wce = number & 1,
		.plan = { .key = 99 + number, .workload = NVP_WORKLOAD_TRIM,
			  .phase = NVP_PHASE_RESET, .nr_blocks = 4096, .slot_blocks = 16,
			  .most_blocks = 8, .queues = 2, .kinds = 0x123, .trigger_at = UINT32_MAX,
			  .trigger_kind = NVP_ORACLE_FLUSH } };

	m->slots = (struct nvp_journal_slots){ 0 };
	memset(m->busy, 0, sizeof(m->busy));
	m->outstanding = m->rung = 0;
	CU_ASSERT_EQUAL(nvp_journal_cycle(m->journal, &cycle), 0);
	log_cycle(&m->lines, &cycle);
}

static void make_ring(struct made *m, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		int slot = nvp_journal_slot_take(&m->slots);

		CU_ASSERT_FATAL(slot >= 0);
		m->op[slot] = m->rung++;
		m->busy[slot] = true;
	}
	m->outstanding += nr;
	CU_ASSERT_EQUAL(nvp_journal_ring(m->journal, nr), 0);
	log_ring(&m->lines, nr);
}

static void make_ack(struct made *m, uint8_t sct, uint8_t sc)
{
	uint32_t slot = draw(m, NVP_JOURNAL_SLOTS);

	while (!m->busy[slot])
		slot = (slot + 1) % NVP_JOURNAL_SLOTS;
	m->busy[slot] = false;
	m->outstanding--;
	nvp_journal_slot_give(&m->slots, (uint8_t)slot);
	CU_ASSERT_EQUAL(sct || sc ? nvp_journal_error(m->journal, (uint8_t)slot, sct, sc) :
				    nvp_journal_ack(m->journal, (uint8_t)slot), 0);
	log_ack(&m->lines, m->op[slot], sct, sc);
}

static void make_event(struct made *m, enum nvp_journal_event event, uint64_t value)
{
	CU_ASSERT_EQUAL(nvp_journal_event(m->journal, event, value), 0);
	log_event(&m->lines, event, value);
}

/* Anything that can be, in any order. */
static void make_traffic(struct made *m, uint32_t steps)
{
	for (uint32_t i = 0; i < steps; i++) {
		uint32_t room = NVP_JOURNAL_SLOTS - m->outstanding;

		switch (draw(m, 8)) {
		case 0:
		case 1:
			if (room)
				make_ring(m, 1);
			break;
		case 2:
			if (room)
				make_ring(m, 1 + draw(m, room));
			break;
		case 3:
			if (m->outstanding)
				make_ack(m, draw(m, 4) & 3, 1 + (uint8_t)draw(m, 200));
			break;
		case 4:
			if (!draw(m, 20))
				make_event(m, NVP_JOURNAL_CACHE_ON_DONE, draw(m, 1000));
			break;
		default:
			if (m->outstanding)
				make_ack(m, 0, 0);
		}
	}
}

static void make_settled(struct made *m, uint32_t nr)
{
	struct nvp_journal_settled *settled = calloc(nr, sizeof(*settled));

	CU_ASSERT_PTR_NOT_NULL_FATAL(settled);
	for (uint32_t i = 0; i < nr; i++) {
		settled[i].block = i * 3 % NVP_WORKLOAD_MOST_BLOCKS;
		settled[i].version = 0x123456789abcdef0 + i;
	}
	CU_ASSERT_EQUAL(nvp_journal_settled(m->journal, settled, nr), 0);
	log_settled(&m->lines, settled, nr);
	free(settled);
}

static void finish(struct made *m)
{
	CU_ASSERT_EQUAL(nvp_journal_close(m->journal), 0);
	m->journal = NULL;
}

static uint8_t *slurp(const struct made *m, size_t *nr_bytes)
{
	FILE *file = fopen(m->path, "rb");
	uint8_t *bytes;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fseek(file, 0, SEEK_END);
	*nr_bytes = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*nr_bytes + 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	CU_ASSERT_EQUAL_FATAL(fread(bytes, 1, *nr_bytes, file), *nr_bytes);
	fclose(file);
	return bytes;
}

/* ---- tests ---- */

static void what_was_written_is_read(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct nvp_text got = { 0 };
		struct nvp_journal_reader reader = reader_into(&got);
		struct nvp_journal_end end;
		struct nvp_err err = { 0 };
		struct made m;

		open_made(&m, seed);
		for (uint32_t cycle = 0; cycle < 3; cycle++) {
			make_cycle(&m, cycle);
			make_traffic(&m, 1 + draw(&m, 4000));
			make_event(&m, NVP_JOURNAL_CUT, 5);
			make_event(&m, NVP_JOURNAL_CUT_CONFIRMED, 6);
			make_event(&m, NVP_JOURNAL_BACK, 7);
			make_settled(&m, 1 + draw(&m, 9000));
			make_event(&m, NVP_JOURNAL_VERIFIED, UINT64_MAX);
		}
		finish(&m);
		CU_ASSERT_EQUAL(nvp_journal_read(m.path, &reader, &end, &err), 0);
		CU_ASSERT_STRING_EQUAL(nvp_text_str(&got), nvp_text_str(&m.lines));
		CU_ASSERT_EQUAL(end.cycles, 3);
		CU_ASSERT(!end.torn);
		CU_ASSERT_EQUAL(end.damaged, 0);
		CU_ASSERT(end.credit >= m.rung);
		nvp_text_free(&got);
		close_made(&m);
	}
}

/* Issue 4: at most 2 bytes an operation at depth 256, in the long run. */
static void an_operation_takes_two_bytes_at_most(void)
{
	const uint32_t nr_ops = 200000;

	for (uint32_t batch = 1; batch <= 64; batch = batch < 4 ? batch + 1 : batch * 4) {
		struct made m;
		size_t nr_bytes;
		uint8_t *bytes;

		open_made(&m, batch);
		make_cycle(&m, 0);
		while (m.rung < nr_ops) {
			if (NVP_JOURNAL_SLOTS - m.outstanding >= batch)
				make_ring(&m, batch);
			else
				make_ack(&m, 0, 0);
		}
		finish(&m);
		bytes = slurp(&m, &nr_bytes);
		CU_ASSERT(nr_bytes <= 2 * (size_t)nr_ops);
		free(bytes);
		close_made(&m);
	}
}

static bool is_prefix(const char *of, const char *text)
{
	return !strncmp(of, text, strlen(text));
}

/*
 * The file as it was when the process died, at any length: what is read is the beginning of what
 * happened, and what was exposed by then is inside the credit.
 */
static void a_torn_tail_is_left_away(void)
{
	struct made m;
	size_t nr_bytes, size_at_ring[64], nr_rings = 0;
	uint32_t rung_at[64];
	uint8_t *bytes;

	open_made(&m, 3);
	make_cycle(&m, 0);
	make_traffic(&m, 50);
	make_event(&m, NVP_JOURNAL_VERIFIED, 0);
	make_cycle(&m, 1);
	while (nr_rings < 64) {
		make_ring(&m, 1 + draw(&m, 40));
		rung_at[nr_rings] = m.rung;
		free(slurp(&m, &size_at_ring[nr_rings++]));
		while (m.outstanding > 200 || (m.outstanding && draw(&m, 30)))
			make_ack(&m, 0, 0);
	}
	finish(&m);
	bytes = slurp(&m, &nr_bytes);
	for (size_t length = 0; length <= nr_bytes; length++) {
		struct nvp_text got = { 0 };
		struct nvp_journal_reader reader = reader_into(&got);
		struct nvp_journal_end end;
		struct nvp_err err = { 0 };
		int rc = nvp_journal_read_bytes(bytes, length, &reader, &end, &err);

		CU_ASSERT(rc == 0 || rc == -EBADMSG);
		CU_ASSERT(is_prefix(nvp_text_str(&m.lines), nvp_text_str(&got)));
		CU_ASSERT_EQUAL(end.damaged, 0);
		for (size_t i = 0; i < nr_rings; i++) {
			CU_ASSERT(length < size_at_ring[i] ||
				  (!rc && end.cycles == 2 && end.credit >= rung_at[i]));
		}
		nvp_text_free(&got);
	}
	free(bytes);
	close_made(&m);
}

/* Where the lines of a cycle stand. */
static void cycle_lines(const char *lines, uint32_t cycle, const char **from, size_t *length)
{
	char head[32];
	const char *end;

	snprintf(head, sizeof(head), "cycle %u ", cycle);
	*from = strstr(lines, head);
	CU_ASSERT_PTR_NOT_NULL_FATAL(*from);
	end = strstr(*from + 1, "cycle ");
	*length = end ? (size_t)(end - *from) : strlen(*from);
}

/* Of three cycles one is damaged: the others are told in full, and it is said. */
static void damage_in_the_middle_costs_its_cycle(void)
{
	struct made m;
	size_t nr_bytes, start[4];
	uint8_t *bytes;

	open_made(&m, 5);
	for (uint32_t cycle = 0; cycle < 3; cycle++) {
		free(slurp(&m, &start[cycle]));
		make_cycle(&m, cycle);
		make_traffic(&m, 40);
		make_event(&m, NVP_JOURNAL_CUT, cycle);
		make_settled(&m, 5);
		make_event(&m, NVP_JOURNAL_VERIFIED, 0);
	}
	finish(&m);
	bytes = slurp(&m, &nr_bytes);
	start[3] = nr_bytes;
	for (size_t at = 0; at < start[2]; at++) {
		uint32_t hit = at < start[1] ? 0 : 1;
		struct nvp_text got = { 0 };
		struct nvp_journal_reader reader = reader_into(&got);
		struct nvp_journal_end end;
		struct nvp_err err = { 0 };
		int rc;

		bytes[at] ^= (uint8_t)(1u << at % 8);
		rc = nvp_journal_read_bytes(bytes, nr_bytes, &reader, &end, &err);
		bytes[at] ^= (uint8_t)(1u << at % 8);
		if (at < start[0]) {
			CU_ASSERT_EQUAL(rc, -EBADMSG);
			nvp_text_free(&got);
			continue;
		}
		CU_ASSERT_EQUAL(rc, 0);
		CU_ASSERT_EQUAL(end.damaged, 1);
		CU_ASSERT(!end.torn);
		for (uint32_t cycle = 0; cycle < 3; cycle++) {
			const char *from, *found;
			size_t length;

			cycle_lines(nvp_text_str(&m.lines), cycle, &from, &length);
			if (cycle == hit)
				continue;
			found = nvp_text_str(&got);
			while (found && strncmp(found, from, length))
				found = strchr(found + 1, 'c');
			CU_ASSERT_PTR_NOT_NULL(found);
		}
		nvp_text_free(&got);
	}
	free(bytes);
	close_made(&m);
}

/* A frame that is not there at all: its number is missing. */
static void a_frame_that_is_missing_is_damage(void)
{
	struct nvp_text got = { 0 };
	struct nvp_journal_reader reader = reader_into(&got);
	struct nvp_journal_end end;
	struct nvp_err err = { 0 };
	size_t before, after, nr_bytes;
	uint8_t *bytes;
	struct made m;

	open_made(&m, 9);
	make_cycle(&m, 0);
	free(slurp(&m, &before));
	make_event(&m, NVP_JOURNAL_CACHE_OFF_DONE, 1);
	free(slurp(&m, &after));
	make_event(&m, NVP_JOURNAL_CUT, 2);
	make_cycle(&m, 1);
	finish(&m);
	bytes = slurp(&m, &nr_bytes);
	memmove(bytes + before, bytes + after, nr_bytes - after);
	CU_ASSERT_EQUAL(nvp_journal_read_bytes(bytes, nr_bytes - (after - before), &reader, &end,
					       &err), 0);
	CU_ASSERT_EQUAL(end.damaged, 1);
	CU_ASSERT_EQUAL(end.cycles, 2);
	CU_ASSERT_PTR_NULL(strstr(nvp_text_str(&got), "event"));
	free(bytes);
	nvp_text_free(&got);
	close_made(&m);
}

static void what_cannot_be_is_refused(void)
{
	struct nvp_journal_end end;
	struct nvp_journal_reader none = { 0 };
	struct nvp_err err = { 0 };
	struct made m;

	open_made(&m, 11);
	CU_ASSERT_PTR_NULL(nvp_journal_new(m.path, &sample_begin, false, &err));
	CU_ASSERT_EQUAL(err.code, -EEXIST);
	make_cycle(&m, 0);
	make_ring(&m, 200);
	CU_ASSERT_EQUAL(nvp_journal_ring(m.journal, 57), -ENOSPC);
	CU_ASSERT_EQUAL(nvp_journal_ring(m.journal, 257), -EINVAL);
	CU_ASSERT_EQUAL(nvp_journal_ack(m.journal, 3), 0);
	CU_ASSERT_EQUAL(nvp_journal_ack(m.journal, 3), -EINVAL);
	CU_ASSERT_EQUAL(nvp_journal_error(m.journal, 3, 2, 0x81), -EINVAL);
	CU_ASSERT_EQUAL(nvp_journal_event(m.journal, NVP_JOURNAL_NR_EVENTS, 0), -EINVAL);
	finish(&m);
	close_made(&m);
	err = (struct nvp_err){ 0 };
	CU_ASSERT_EQUAL(nvp_journal_read("/tmp/nvproof-no-such-journal", &none, &end, &err),
			-ENOENT);
	CU_ASSERT_EQUAL(nvp_journal_read_bytes((const uint8_t *)"something else", 14, &none, &end,
					       &err), -EBADMSG);
	CU_ASSERT_EQUAL(nvp_journal_ring(NULL, 1), 0);
	CU_ASSERT_EQUAL(nvp_journal_close(NULL), 0);
}

/* A reset retires what was outstanding: its slots are free again, on both sides. */
static void a_reset_frees_the_slots(void)
{
	struct nvp_text got = { 0 };
	struct nvp_journal_reader reader = reader_into(&got);
	struct nvp_journal_end end;
	struct nvp_err err = { 0 };
	struct made m;

	open_made(&m, 13);
	make_cycle(&m, 0);
	make_ring(&m, 256);
	make_event(&m, NVP_JOURNAL_RESET, 0);
	m.slots = (struct nvp_journal_slots){ 0 };
	memset(m.busy, 0, sizeof(m.busy));
	m.outstanding = 0;
	make_ring(&m, 2);
	make_ack(&m, 0, 0);
	make_ack(&m, 0, 0);
	finish(&m);
	CU_ASSERT_EQUAL(nvp_journal_read(m.path, &reader, &end, &err), 0);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&got), nvp_text_str(&m.lines));
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&got), "ack 256 "));
	nvp_text_free(&got);
	close_made(&m);
}

/* Writer and reader count alike, so a file of another version tells only if the rule is the same. */
static void the_lowest_free_slot_is_taken(void)
{
	struct nvp_journal_slots slots = { 0 };

	for (int i = 0; i < (int)NVP_JOURNAL_SLOTS; i++)
		CU_ASSERT_EQUAL(nvp_journal_slot_take(&slots), i);
	CU_ASSERT_EQUAL(nvp_journal_slot_take(&slots), -ENOSPC);
	CU_ASSERT_TRUE(nvp_journal_slot_give(&slots, 200));
	CU_ASSERT_TRUE(nvp_journal_slot_give(&slots, 70));
	CU_ASSERT_TRUE(nvp_journal_slot_give(&slots, 65));
	CU_ASSERT_FALSE(nvp_journal_slot_give(&slots, 65));
	CU_ASSERT_EQUAL(nvp_journal_slot_take(&slots), 65);
	CU_ASSERT_EQUAL(nvp_journal_slot_take(&slots), 70);
	CU_ASSERT_EQUAL(nvp_journal_slot_take(&slots), 200);
}

CU_TestInfo nvp_unit_journal[] = {
	{ "what was written is read", what_was_written_is_read },
	{ "an operation takes two bytes at most", an_operation_takes_two_bytes_at_most },
	{ "a torn tail is left away", a_torn_tail_is_left_away },
	{ "damage in the middle costs its cycle", damage_in_the_middle_costs_its_cycle },
	{ "a frame that is missing is damage", a_frame_that_is_missing_is_damage },
	{ "what cannot be is refused", what_cannot_be_is_refused },
	{ "a reset frees the slots", a_reset_frees_the_slots },
	{ "the lowest free slot is taken", the_lowest_free_slot_is_taken },
	CU_TEST_INFO_NULL,
};
