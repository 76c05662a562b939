// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of shrinking: a long history that fails becomes the few operations that it takes.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/rand.h"
#include "core/base/text.h"
#include "power/replay.h"
#include "tests/unit/unit.h"

#define ADDRESS "sim:defect=reset-drops-cache"

/* Writes of all sizes on three queues, then a reset; nothing of it is flushed. */
static struct nvp_replay_file *long_history(uint32_t nr_ops, uint8_t class_id)
{
	struct nvp_text text = { 0 };
	struct nvp_err err = { 0 };
	struct nvp_replay_file *file;

	nvp_text_addf(&text, "nvproof-replay 1\nnsid 1\nrange 8192 1024\nseed 5\nphase writes\n"
		      "queues 3\ndepth 8\nreset controller %u 20000\n", nr_ops - 4);
	for (uint32_t i = 0; i < nr_ops; i++)
		nvp_text_addf(&text, "write %u %u%s queue %u\n",
			      (unsigned)nvp_rand_below(5, "block", i, 0, 1000),
			      (unsigned)nvp_rand_below(5, "blocks", i, 0, 16) + 1,
			      i % 5 ? "" : " fua", i % 3);
	file = nvp_replay_parse(nvp_text_str(&text), &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	file->has_class = true;
	file->class_id = class_id;
	nvp_text_free(&text);
	return file;
}

static void count(void *context)
{
	++*(uint32_t *)context;
}

static void a_long_history_becomes_one_operation(void)
{
	struct nvp_replay_file *file = long_history(40, NVP_CLASS_LOST_ACKED);
	uint32_t beats = 0;
	struct nvp_shrink s = { .address = ADDRESS, .seed = 1, .heartbeat = count,
				.context = &beats };
	struct nvp_text story = { 0 };
	struct nvp_err err = { 0 };
	unsigned lines = 0;

	CU_ASSERT_EQUAL_FATAL(nvp_replay_shrink(file, &s, &story, &err), 0);
	CU_ASSERT_EQUAL(s.ops_before, 40);
	CU_ASSERT_EQUAL(s.ops, 1);
	CU_ASSERT_EQUAL(beats, s.runs);
	CU_ASSERT_EQUAL(file->replay.nr_ops, 1);
	CU_ASSERT_EQUAL(file->op[0].kind, NVP_ORACLE_WRITE);
	CU_ASSERT_EQUAL(file->op[0].nlb_z, 0);
	CU_ASSERT(!file->op[0].fua);
	CU_ASSERT_EQUAL(file->replay.queues, 1);
	CU_ASSERT_EQUAL(file->replay.depth, 1);
	CU_ASSERT_EQUAL(file->replay.cut.delay_ns, 0);
	CU_ASSERT_EQUAL(file->nr_lbas, 128);
	CU_ASSERT_EQUAL(nvp_replay_fails(file, file->drive, 99, NULL, &err), 1);
	for (const char *at = nvp_text_str(&story); *at; at++)
		lines += *at == '\n';
	CU_ASSERT(lines >= 5 && lines <= 12);
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&story), "LOST_ACKED in 1 operation\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&story), "holds what it held before\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&story), "allowed data of operation 1\n"));
	nvp_text_free(&story);
	nvp_replay_free(file);
}

/* Twice the same: the search draws nothing. */
static void shrinking_is_deterministic(void)
{
	struct nvp_text text[2] = { { 0 }, { 0 } };
	uint32_t runs[2];

	for (unsigned i = 0; i < 2; i++) {
		struct nvp_replay_file *file = long_history(12, NVP_CLASS_LOST_ACKED);
		struct nvp_shrink s = { .address = ADDRESS, .seed = 1 };
		struct nvp_text story = { 0 };
		struct nvp_err err = { 0 };

		CU_ASSERT_EQUAL(nvp_replay_shrink(file, &s, &story, &err), 0);
		runs[i] = s.runs;
		nvp_replay_text(file, &text[i]);
		nvp_text_add(&text[i], nvp_text_str(&story));
		nvp_text_free(&story);
		nvp_replay_free(file);
	}
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&text[0]), nvp_text_str(&text[1]));
	CU_ASSERT_EQUAL(runs[0], runs[1]);
	nvp_text_free(&text[0]);
	nvp_text_free(&text[1]);
}

/* What fails with another class, or not at all, is left as it is. */
static void what_does_not_fail_again_stays(void)
{
	struct nvp_replay_file *file = long_history(6, NVP_CLASS_FLYING);
	struct nvp_shrink s = { .address = ADDRESS, .seed = 1 };
	struct nvp_text before = { 0 }, after = { 0 }, story = { 0 };
	struct nvp_err err = { 0 };

	nvp_replay_text(file, &before);
	CU_ASSERT_EQUAL(nvp_replay_shrink(file, &s, &story, &err), -ENOENT);
	nvp_replay_text(file, &after);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&before), nvp_text_str(&after));
	CU_ASSERT_EQUAL(story.length, 0);
	nvp_text_free(&before);
	nvp_text_free(&after);
	nvp_replay_free(file);
}

/* A budget of runs is kept, and what was found by then still fails. */
static void a_budget_is_kept(void)
{
	struct nvp_replay_file *file = long_history(30, NVP_CLASS_LOST_ACKED);
	struct nvp_shrink s = { .address = ADDRESS, .seed = 1, .most_runs = 2 };
	struct nvp_text story = { 0 };
	struct nvp_err err = { 0 };

	CU_ASSERT_EQUAL(nvp_replay_shrink(file, &s, &story, &err), 0);
	CU_ASSERT_EQUAL(s.runs, 2);
	CU_ASSERT(s.ops <= 30);
	CU_ASSERT_EQUAL(nvp_replay_fails(file, file->drive, 99, NULL, &err), 1);
	nvp_text_free(&story);
	nvp_replay_free(file);
}

/* What goes wrong where the drive's end falls, long after the off command, under 64 writes. */
static void what_was_under_way_at_the_end_becomes_two_operations(void)
{
	struct nvp_shrink s = { .address = "sim:pi=1,defect=cut-tears-metadata-in-flight",
				.seed = 1 };
	struct nvp_text text = { 0 }, story = { 0 };
	struct nvp_err err = { 0 };
	struct nvp_replay_file *file;

	nvp_text_add(&text, "nvproof-replay 1\nnsid 1\nrange 696320 4096\nseed 1\nphase writes\n"
		     "queues 1\ndepth 16\ncut 22 63301\n");
	for (uint32_t i = 0; i < 64; i++)
		nvp_text_addf(&text, "%swrite %u 8\n%s", i == 31 ? "flush\n" : "", i * 32u,
			      i == 61 ? "flush\n" : "");
	file = nvp_replay_parse(nvp_text_str(&text), &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	file->has_class = true;
	file->class_id = NVP_CLASS_PI_TORN;
	CU_ASSERT_EQUAL_FATAL(nvp_replay_shrink(file, &s, &story, &err), 0);
	CU_ASSERT_EQUAL(s.ops, 2);
	CU_ASSERT(s.runs < 200);
	CU_ASSERT_EQUAL(file->op[0].kind, NVP_ORACLE_WRITE);
	CU_ASSERT_EQUAL(file->op[1].kind, NVP_ORACLE_FLUSH);
	CU_ASSERT_EQUAL(nvp_replay_fails(file, file->drive, 99, NULL, &err), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(file->drive, "detect-us=0"));
	nvp_text_free(&text);
	nvp_text_free(&story);
	nvp_replay_free(file);
}

CU_TestInfo nvp_unit_shrink[] = {
	{ "a long history becomes one operation", a_long_history_becomes_one_operation },
	{ "shrinking is deterministic", shrinking_is_deterministic },
	{ "what does not fail again stays", what_does_not_fail_again_stays },
	{ "a budget is kept", a_budget_is_kept },
	{ "what was under way at the end becomes two operations",
	  what_was_under_way_at_the_end_becomes_two_operations },
	CU_TEST_INFO_NULL,
};
