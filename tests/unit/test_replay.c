// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of replay files: what is written is read, what is wrong is said with its line; and the
// replays that are kept in tests/power fail on their drive and on no healthy one.

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "power/replay.h"
#include "tests/unit/unit.h"

static const char whole[] = "nvproof-replay 1\n"
			    "drive sim:defect=x,seed=3\n"
			    "class TORN_ATOMIC\n"
			    "rules ocp\n"
			    "policy sane\n"
			    "nsid 2\n"
			    "range 4096 256\n"
			    "seed 18446744073709551615\n"
			    "phase power-on\n"
			    "queues 3\n"
			    "depth 16\n"
			    "cut 6 12345 clean abrupt twice command 678 variant 2\n"
			    "write 0 8 fua queue 2\n"
			    "compare-write 8 1 fua wrong\n"
			    "zeroes 100 20 barrier\n"
			    "uncorrectable 255 1\n"
			    "deallocate 0 256 queue 1\n"
			    "copy 64 4 0\n"
			    "write 250 6 beyond 3\n"
			    "flush barrier\n";

static void what_is_written_is_read(void)
{
	struct nvp_err err = { 0 };
	struct nvp_replay_file *file = nvp_replay_parse(whole, &err);
	struct nvp_campaign_options options = { 0 };
	struct nvp_text text = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	nvp_replay_text(file, &text);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&text), whole);
	CU_ASSERT_STRING_EQUAL(nvp_replay_class(file), "TORN_ATOMIC");
	CU_ASSERT_STRING_EQUAL(nvp_replay_drive(file), "sim:defect=x,seed=3");
	CU_ASSERT_EQUAL(file->replay.nr_ops, 8);
	CU_ASSERT(file->op[6].beyond == 3 && !file->op[0].beyond);
	CU_ASSERT(file->op[1].wrong_compare && file->op[1].fua && !file->op[0].wrong_compare);
	CU_ASSERT_EQUAL(file->op[5].source, 0);
	CU_ASSERT_EQUAL(file->replay.cut.more_cuts, 1);
	CU_ASSERT_EQUAL(file->replay.cut.command_ns, 678);
	CU_ASSERT_EQUAL(file->replay.cut.variant, 2);
	nvp_replay_apply(file, &options);
	CU_ASSERT_EQUAL(options.nr_lbas, 256);
	CU_ASSERT_STRING_EQUAL(options.rules, "ocp");
	CU_ASSERT_STRING_EQUAL(options.policy, "sane");
	CU_ASSERT_PTR_EQUAL(options.replay->ops, file->op);
	nvp_text_free(&text);
	nvp_replay_free(file);
}

static void a_reset_is_written_and_read(void)
{
	static const char reset[] = "nvproof-replay 1\nnsid 1\nrange 0 128\nseed 0\nphase writes\n"
				    "queues 1\ndepth 1\nreset function 1 7\nwrite 5 1\n";
	struct nvp_err err = { 0 };
	struct nvp_replay_file *file = nvp_replay_parse(reset, &err);
	struct nvp_text text = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT(file->replay.cut.is_reset);
	CU_ASSERT_EQUAL(file->replay.cut.reset, NVP_RESET_FUNCTION);
	nvp_replay_text(file, &text);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&text), reset);
	nvp_text_free(&text);
	nvp_replay_free(file);
}

static void comments_and_blanks_are_nothing(void)
{
	struct nvp_err err = { 0 };
	struct nvp_replay_file *file = nvp_replay_parse("# a tale\n\nnvproof-replay 1 # yes\n"
							"range 0 128\r\nqueues 1\ndepth 1\n"
							"cut 0 0\n  flush   # last", &err);

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(file->replay.nr_ops, 1);
	CU_ASSERT_STRING_EQUAL(nvp_replay_class(file), "");
	nvp_replay_free(file);
}

static void what_is_wrong_is_said_with_its_line(void)
{
#define HEAD "nvproof-replay 1\nrange 0 128\nqueues 1\ndepth 1\n"
	static const struct {
		const char *text, *said;
	} wrong[] = {
		{ "", "range, queues" },
		{ "nvproof-replay 2\n", "line 1" },
		{ "write 0 1\n", "line 1" },
		{ "nvproof-replay 1\nqueues 1\ndepth 1\nwrite 0 1\n", "range, queues" },
		{ HEAD, "an operation" },
		{ HEAD "rite 0 1\n", "line 5: rite" },
		{ HEAD "write 0\n", "line 5: write" },
		{ HEAD "write 0 0\n", "line 5: write" },
		{ HEAD "write -1 1\n", "line 5: write" },
		{ HEAD "write 0 1 fu\n", "line 5: write" },
		{ HEAD "write 0 1 queue\n", "line 5: write" },
		{ HEAD "copy 0 1\n", "line 5: copy" },
		{ HEAD "class NONE\n", "line 5: class" },
		{ HEAD "class OK\n", "line 5: class" },
		{ HEAD "phase never\n", "line 5: phase" },
		{ HEAD "cut 1\n", "line 5: cut" },
		{ HEAD "reset cold 1 1\n", "line 5: reset" },
		{ HEAD "queues 0\n", "line 5: queues" },
		{ HEAD "flush\ncut 2 0\n", "outside" },
		{ HEAD "write 128 1\n", "outside" },
		{ HEAD "write 127 2\n", "outside" },
		{ HEAD "copy 0 1 128\n", "outside" },
		{ HEAD "flush a b c d e f g h i j k l m\n", "line 5" },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(wrong); i++) {
		struct nvp_err err = { 0 };
		struct nvp_replay_file *file = nvp_replay_parse(wrong[i].text, &err);

		CU_ASSERT_PTR_NULL(file);
		CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
		CU_ASSERT_PTR_NOT_NULL(strstr(err.what, wrong[i].said));
		if (!strstr(err.what, wrong[i].said))
			printf("%s: %s\n", wrong[i].text, err.what);
		nvp_replay_free(file);
	}
}

/* The cut stays between the same operations. */
static void what_is_removed_moves_the_cut(void)
{
	static const struct {
		uint32_t first, nr, after;
	} moves[] = { { 0, 2, 1 }, { 2, 2, 2 }, { 3, 2, 3 }, { 0, 5, 0 }, { 1, 1, 2 } };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(moves); i++) {
		struct nvp_err err = { 0 };
		struct nvp_replay_file *file = nvp_replay_parse(HEAD
			"cut 3 0\nwrite 0 1\nwrite 1 1\nwrite 2 1\nwrite 3 1\nwrite 4 1\n", &err);

		CU_ASSERT_PTR_NOT_NULL_FATAL(file);
		nvp_replay_remove(file, moves[i].first, moves[i].nr);
		CU_ASSERT_EQUAL(file->replay.nr_ops, 5 - moves[i].nr);
		CU_ASSERT_EQUAL(file->replay.cut.after_ops, moves[i].after);
		nvp_replay_free(file);
	}
}

/* Which operations are of which cycle, and where the cut is among those of the last. */
static void a_replay_may_have_several_cycles(void)
{
	static const char three[] = "nvproof-replay 1\nnsid 1\nrange 0 128\nseed 0\nphase writes\n"
				    "queues 1\ndepth 1\ncut 2 0\nwrite 0 1\nwrite 1 1\n"
				    "flush next\nwrite 2 1 next\nwrite 3 1\nflush\n";
	static const uint32_t first[] = { 0, 2, 3 }, behind[] = { 2, 3, 6 };
	struct nvp_err err = { 0 };
	struct nvp_replay_file *file = nvp_replay_parse(three, &err);
	struct nvp_text text = { 0 };
	uint32_t end;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	nvp_replay_text(file, &text);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&text), three);
	CU_ASSERT_EQUAL(nvp_replay_cycles(&file->replay), 3);
	for (uint32_t n = 0; n < 3; n++) {
		CU_ASSERT_EQUAL(nvp_replay_cycle(&file->replay, n, &end), first[n]);
		CU_ASSERT_EQUAL(end, behind[n]);
	}
	nvp_replay_remove(file, 1, 1);	/* of an earlier cycle: the cut stays */
	CU_ASSERT_EQUAL(file->replay.cut.after_ops, 2);
	nvp_replay_remove(file, 2, 1);	/* write 2: write 3 is the first of its cycle now */
	CU_ASSERT_EQUAL(file->replay.cut.after_ops, 1);
	CU_ASSERT_EQUAL(nvp_replay_cycles(&file->replay), 3);
	nvp_replay_remove(file, 0, 2);	/* two cycles are gone */
	CU_ASSERT_EQUAL(nvp_replay_cycles(&file->replay), 1);
	CU_ASSERT_EQUAL(file->replay.cut.after_ops, 1);
	nvp_text_free(&text);
	nvp_replay_free(file);
}

/* ---- those that are kept ---- */

/* Classes that have no replay, and why. */
static const struct {
	enum nvp_class class;
	const char *why;
} without[] = {
	{ NVP_CLASS_OK, "no failure" },
	{ NVP_CLASS_OK_VOLATILE_LOSS, "what a cache may lose" },
	{ NVP_CLASS_MIX, "what may be above the atomic unit" },
	{ NVP_CLASS_LATE_UNMAP, "what a Deallocate may do" },
	{ NVP_CLASS_RIG_INVALID, "of the supply, not of the drive" },
	{ NVP_CLASS_JOURNAL_INVALID, "of the journal, which a replay does not need" },
};

static bool may_be_without(unsigned class)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(without); i++)
		if (without[i].class == class)
			return true;
	return false;
}

/* The drive without its defects; what else the address says stays. */
static void healthy(const char *address, char *out, size_t bytes)
{
	char copied[NVP_REPLAY_ADDRESS_BYTES], *save = NULL;
	bool skip = false;

	snprintf(copied, sizeof(copied), "%s", strchr(address, ':') + 1);
	snprintf(out, bytes, "sim:");
	for (char *key = strtok_r(copied, ",", &save); key; key = strtok_r(NULL, ",", &save)) {
		skip = !strncmp(key, "defect=", 7);
		if (skip)
			continue;
		snprintf(out + strlen(out), bytes - strlen(out), "%s%s",
			 out[strlen(out) - 1] == ':' ? "" : ",", key);
	}
}

/* The line of the tale that names the section stands at the head of the file. */
static bool same_source(const char *path, const char *story)
{
	const char *source = strstr(story, "\n  source ");
	char line[400] = "";
	FILE *in = fopen(path, "re");
	bool same = false;

	while (in && source && !same && fgets(line, sizeof(line), in))
		same = !strncmp(line, "# ", 2) && !strcmp(line + 2, source + 1);
	if (in)
		fclose(in);
	return same;
}

static void kept_replays_fail_on_their_drive_alone(void)
{
	glob_t found;
	bool seen[NVP_NR_CLASSES] = { false };
	unsigned nr = 0;

	CU_ASSERT_EQUAL_FATAL(glob("tests/power/*.replay", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct nvp_err err = { 0 };
		struct nvp_replay_file *file = nvp_replay_read(found.gl_pathv[i], &err);
		char address[NVP_REPLAY_ADDRESS_BYTES];
		struct nvp_text story = { 0 };
		int rc;

		CU_ASSERT_PTR_NOT_NULL_FATAL(file);
		CU_ASSERT_FATAL(file->has_class && file->drive[0]);
		rc = nvp_replay_fails(file, file->drive, 1, &story, &err);
		CU_ASSERT_EQUAL(rc, 1);
		if (rc != 1)
			printf("%s: %d %s\n", found.gl_pathv[i], rc, err.what);
		healthy(file->drive, address, sizeof(address));
		err = (struct nvp_err){ 0 };
		rc = nvp_replay_fails(file, address, 1, NULL, &err);
		CU_ASSERT_EQUAL(rc, 0);
		if (rc)
			printf("%s on %s: %d %s\n", found.gl_pathv[i], address, rc, err.what);
		CU_ASSERT(nvp_replay_cycles(&file->replay) + 12 > file->replay.nr_ops);
		CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&story), nvp_replay_class(file)));
		CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&story), "\n  after  "));
		CU_ASSERT(same_source(found.gl_pathv[i], nvp_text_str(&story)));
		CU_ASSERT_EQUAL(file->replay.phase >= NVP_PHASE_FORMAT &&
					file->replay.phase <= NVP_PHASE_SELF_TEST,
				strstr(nvp_text_str(&story), "\n  admin  ") != NULL);
		nr += !seen[file->class_id];
		seen[file->class_id] = true;
		nvp_text_free(&story);
		nvp_replay_free(file);
	}
	for (unsigned class = 0; class < NVP_NR_CLASSES; class++) {
		CU_ASSERT(seen[class] != may_be_without(class));
		if (seen[class] == may_be_without(class))
			printf("%s: no replay, or a reason and one\n",
			       nvp_class_name((enum nvp_class)class));
	}
	printf("%zu replays, %u classes ", found.gl_pathc, nr);
	globfree(&found);
}

CU_TestInfo nvp_unit_replay[] = {
	{ "what is written is read", what_is_written_is_read },
	{ "a reset is written and read", a_reset_is_written_and_read },
	{ "comments and blanks are nothing", comments_and_blanks_are_nothing },
	{ "what is wrong is said with its line", what_is_wrong_is_said_with_its_line },
	{ "what is removed moves the cut", what_is_removed_moves_the_cut },
	{ "a replay may have several cycles", a_replay_may_have_several_cycles },
	{ "kept replays fail on their drive alone", kept_replays_fail_on_their_drive_alone },
	CU_TEST_INFO_NULL,
};
