// SPDX-License-Identifier: GPL-2.0-or-later
// Campaigns on the simulated drive: honest ones find nothing, wrong ones are caught.

#include <nvproof/build.h>
#include <nvproof/drive_ops.h>
#include <nvproof/power.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "power/judge.h"
#include "tests/unit/unit.h"

#define MOST 256u

/* What a campaign told. */
struct told {
	struct nvp_campaign_result result;
	struct nvp_err err;
	int rc;
	struct nvp_campaign_cycle cycle[MOST];
	unsigned nr_cycles;
	uint32_t failed; /* bit: class with a fail */
	unsigned nr_findings;
	char first[300]; /* finding */
	char text[NVP_NR_CLASSES][300]; /* the first fail of each class */
};

static void on_finding(void *context, const struct nvp_campaign_finding *f)
{
	struct told *t = context;

	if (f->severity == NVP_SEVERITY_FAIL) {
		char *text = t->text[f->class_id];

		t->failed |= 1u << f->class_id;
		if (!text[0])
			snprintf(text, sizeof(t->text[0]), "%s", f->text);
	}
	if (!t->nr_findings++)
		snprintf(t->first, sizeof(t->first), "cycle %u: %s: %.200s", f->cycle,
			 f->class_name, f->text);
}

static void on_cycle(void *context, const struct nvp_campaign_cycle *cycle)
{
	struct told *t = context;

	if (t->nr_cycles < MOST)
		t->cycle[t->nr_cycles++] = *cycle;
}

/* setup (may be NULL): a command before it. *after (may be NULL): Error Recovery at its end. */
static void campaign_after(const char *address, struct nvp_cmd *setup,
			   const struct nvp_campaign_options *options, struct told *told,
			   uint32_t *after)
{
	struct nvp_cmd get = nvp_build_get_features(5, 1, 0, 0);
	struct nvp_cpl cpl;
	const struct nvp_campaign_out out = {
		.context = told, .finding = on_finding, .cycle = on_cycle,
	};
	struct nvp_prepared *prepared;
	struct nvp_drive *drive;

	memset(told, 0, sizeof(*told));
	prepared = nvp_drive_prepare(address, 1, 0, &told->err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(prepared);
	drive = nvp_drive_open(prepared, NULL, 1, &told->err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(drive);
	nvp_drive_permit(drive, NVP_IMPACT_ALL);
	if (setup) {
		CU_ASSERT_EQUAL(nvp_baseline(drive), 0);
		CU_ASSERT(!nvp_exec_admin(drive, setup, &cpl) && nvp_cpl_ok(&cpl));
	}
	told->rc = nvp_campaign_run(drive, options, &out, &told->result, &told->err);
	if (after) {
		CU_ASSERT(!nvp_exec_admin(drive, &get, &cpl) && nvp_cpl_ok(&cpl));
		*after = cpl.dw0;
	}
	nvp_drive_close(drive);
	nvp_drive_discard(prepared);
}

static void campaign(const char *address, const struct nvp_campaign_options *options,
		     struct told *told)
{
	campaign_after(address, NULL, options, told, NULL);
}

static void honest_drives_are_never_accused(void)
{
	static const char *const addresses[] = {
		"sim:", "sim:lba=4096", "sim:vwc=off", "sim:profile=minimal", "sim:profile=client",
		"sim:profile=ocp", "sim:plp=on", "sim:ns=2,dead-us=15,link-down-us=15",
		"sim:pi=1", "sim:pi=2,mset=on,ns=2", "sim:pi=3,meta=64,lba=4096,pil=on,vwc=off",
		"sim:meta=64,lba=4096,mset=on", "sim:meta=8",
	};
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	for (unsigned i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		const struct nvp_campaign_options options = { .seed = 11 + i, .cycles = 24 };

		campaign(addresses[i], &options, t);
		CU_ASSERT_EQUAL(t->rc, 0);
		CU_ASSERT_STRING_EQUAL(t->first, "");
		CU_ASSERT_EQUAL(t->result.end, NVP_CAMPAIGN_DONE);
		CU_ASSERT_EQUAL(t->result.cycles, 24);
		CU_ASSERT_EQUAL(t->result.confirmed, 24);
		CU_ASSERT(t->result.issued > t->result.acked && t->result.acked > 200);
		CU_ASSERT_EQUAL(t->result.clean_lost, 0);
	}
	free(t);
}

/* The positive control: a cache without protection loses what was not flushed. */
static void volatile_data_is_lost_and_is_no_fault(void)
{
	const struct nvp_campaign_options options = { .seed = 3, .cycles = 16 };
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	campaign("sim:", &options, t);
	CU_ASSERT(t->result.could_lose > 4);
	CU_ASSERT(t->result.lost > 2);
	CU_ASSERT(t->result.classes[NVP_CLASS_OK_VOLATILE_LOSS] > 10);
	CU_ASSERT_EQUAL(t->result.fails, 0);
	campaign("sim:vwc=off", &options, t);
	CU_ASSERT_EQUAL(t->result.could_lose, 0);
	CU_ASSERT_EQUAL(t->result.classes[NVP_CLASS_OK_VOLATILE_LOSS], 0);
	free(t);
}

static void one_seed_gives_one_campaign(void)
{
	const struct nvp_campaign_options options = { .seed = 5, .cycles = 10 };
	struct told *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));

	CU_ASSERT_FATAL(a && b);
	campaign("sim:", &options, a);
	campaign("sim:", &options, b);
	CU_ASSERT_EQUAL(a->nr_cycles, 10);
	CU_ASSERT_EQUAL(memcmp(a->cycle, b->cycle, a->nr_cycles * sizeof(a->cycle[0])), 0);
	CU_ASSERT_EQUAL(memcmp(&a->result, &b->result, sizeof(a->result)), 0);
	free(a);
	free(b);
}

/* The host goes on while the supply falls: what is in flight then is where the trouble is. */
static void cuts_fall_into_the_work(void)
{
	const struct nvp_campaign_options options = {
		.seed = 8, .cycles = 32, .phases = 1u << NVP_PHASE_WRITES,
	};
	struct told *t = malloc(sizeof(*t));
	unsigned in_flight = 0, different = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	campaign("sim:", &options, t);
	for (unsigned i = 0; i < t->nr_cycles; i++) {
		in_flight += t->cycle[i].in_flight > 0;
		different += i && t->cycle[i].offset_ns != t->cycle[i - 1].offset_ns;
		CU_ASSERT_EQUAL(t->cycle[i].phase, NVP_PHASE_WRITES);
		CU_ASSERT(t->cycle[i].confirmed);
		CU_ASSERT(t->cycle[i].link_ns && t->cycle[i].ready_ns);
	}
	CU_ASSERT(in_flight > 24);
	CU_ASSERT(different > 24);
	free(t);
}

/* Seconds of a Format and microseconds of a namespace's creation: many cuts end them half-way. */
static void cuts_fall_into_admin_commands(void)
{
	static const char *const addresses[] = {
		"sim:size=64M", "sim:size=64M,detect-us=2000,dead-us=15,link-down-us=15",
	};
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	for (unsigned a = 0; a < sizeof(addresses) / sizeof(addresses[0]); a++) {
		for (unsigned p = NVP_PHASE_FORMAT; p <= NVP_PHASE_SELF_TEST; p++) {
			const struct nvp_campaign_options options = {
				.seed = 20 + p, .cycles = 40, .phases = 1u << p,
			};

			campaign(addresses[a], &options, t);
			CU_ASSERT_EQUAL(t->rc, 0);
			CU_ASSERT_STRING_EQUAL(t->first, "");
			CU_ASSERT(t->result.admin > 15);
			/* one that lives for 15 us gives little room for commands of 4 us */
			CU_ASSERT(t->result.admin_inside > (a ? 0 : t->result.admin / 4));
			CU_ASSERT_EQUAL(t->cycle[0].inside, p == NVP_PHASE_FORMAT ||
								    p == NVP_PHASE_SANITIZE ||
								    p == NVP_PHASE_SELF_TEST);
		}
	}
	free(t);
}

static const struct wrong {
	const char *address;
	struct nvp_campaign_options options;
	enum nvp_class class;
} wrong_drives[] = {
	{ "sim:defect=flush-lies", { .cycles = 4 }, NVP_CLASS_LOST_FLUSHED },
	{ "sim:defect=fua-ignored", { .cycles = 20, .workloads = 1u << NVP_WORKLOAD_FUA },
	  NVP_CLASS_LOST_FUA },
	{ "sim:defect=fua-read-does-not-commit",
	  { .cycles = 10, .workloads = 1u << NVP_WORKLOAD_FUA_READS }, NVP_CLASS_LOST_FUA },
	{ "sim:defect=shutdown-loses-cache",
	  { .cycles = 12, .phases = 1u << NVP_PHASE_SHUTDOWN }, NVP_CLASS_LOST_SHUTDOWN },
	{ "sim:defect=reset-drops-cache", { .cycles = 10, .resets = true }, NVP_CLASS_LOST_ACKED },
	{ "sim:defect=reset-write-lands-late", { .cycles = 30, .resets = true },
	  NVP_CLASS_STALE_RESURRECT },
	{ "sim:defect=cut-flips-bits", { .cycles = 6 }, NVP_CLASS_BITROT },
	{ "sim:defect=cut-unreadable", { .cycles = 6 }, NVP_CLASS_UNREADABLE },
	{ "sim:defect=cut-tears-durable-block", { .cycles = 6 }, NVP_CLASS_TORN_SUBLB },
	{ "sim:dead-us=15,link-down-us=15,defect=cut-tears-unit",
	  { .cycles = 20, .workloads = 1u << NVP_WORKLOAD_FUA | 1u << NVP_WORKLOAD_ATOMIC },
	  NVP_CLASS_TORN_ATOMIC },
	{ "sim:defect=cut-duplicates-write", { .cycles = 6 }, NVP_CLASS_FLYING },
	{ "sim:ns=2,defect=cut-crosses-namespaces", { .cycles = 6 }, NVP_CLASS_CROSS_NS },
	{ "sim:defect=cut-unstable", { .cycles = 6 }, NVP_CLASS_UNSTABLE },
	{ "sim:defect=cut-unstable-deallocated",
	  { .cycles = 12, .workloads = 1u << NVP_WORKLOAD_TRIM }, NVP_CLASS_UNSTABLE_UNMAP },
	{ "sim:pi=1,defect=cut-tears-metadata", { .cycles = 6 }, NVP_CLASS_PI_TORN },
	{ "sim:pi=3,meta=64,lba=4096,mset=on,defect=cut-tears-metadata", { .cycles = 6 },
	  NVP_CLASS_PI_TORN },
	{ "sim:pi=0,meta=8,mset=on,defect=cut-tears-metadata", { .cycles = 6 },
	  NVP_CLASS_PI_TORN },
	{ "sim:pi=2,mset=on,defect=cut-tears-metadata-in-flight", { .cycles = 6 },
	  NVP_CLASS_PI_TORN },
	{ "sim:pi=2,defect=cut-unmaps-metadata", { .cycles = 6 }, NVP_CLASS_PI_TORN },
	{ "sim:pi=1,defect=protection-missing-of-zeroes",
	  { .cycles = 6, .workloads = 1u << NVP_WORKLOAD_ZEROES }, NVP_CLASS_PI_TORN },
	{ "sim:pi=1,defect=protection-of-deallocated-zero",
	  { .cycles = 6, .workloads = 1u << NVP_WORKLOAD_TRIM }, NVP_CLASS_PI_TORN },
	{ "sim:pi=1,defect=flush-lies", { .cycles = 10 }, NVP_CLASS_LOST_FLUSHED },
	{ "sim:defect=cut-zeroes-block", { .cycles = 6 }, NVP_CLASS_LOST_TO_UNMAP },
	{ "sim:defect=cut-slows-ready", { .cycles = 6 }, NVP_CLASS_SLOW_READY },
	{ "sim:defect=cut-not-counted", { .cycles = 6 }, NVP_CLASS_ACCOUNTING },
	{ "sim:defect=cut-changes-capacity", { .cycles = 6 }, NVP_CLASS_METADATA },
	{ "sim:defect=selftest-short-survives-reset",
	  { .cycles = 4, .phases = 1u << NVP_PHASE_SELF_TEST }, NVP_CLASS_METADATA },
	{ "sim:defect=log-firmware-revision-differs",
	  { .cycles = 2, .phases = 1u << NVP_PHASE_FIRMWARE }, NVP_CLASS_METADATA },
	{ "sim:defect=sanitize-keeps-data",
	  { .cycles = 4, .phases = 1u << NVP_PHASE_SANITIZE }, NVP_CLASS_STALE_RESURRECT },
};

static void wrong_drives_are_caught_with_their_class(void)
{
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	for (unsigned i = 0; i < sizeof(wrong_drives) / sizeof(wrong_drives[0]); i++) {
		struct nvp_campaign_options options = wrong_drives[i].options;

		options.seed = 1;
		campaign(wrong_drives[i].address, &options, t);
		if (!(t->failed >> wrong_drives[i].class & 1))
			fprintf(stderr, "%s: no %s, but: %s\n", wrong_drives[i].address,
				nvp_class_name(wrong_drives[i].class), t->first);
		CU_ASSERT(t->failed >> wrong_drives[i].class & 1);
		CU_ASSERT(t->result.fails > 0);
	}
	free(t);
}

/* What no sentence of the specification orders is a fail for those who ask for more. */
static void what_a_cut_may_do_to_an_admin_command_is_policy(void)
{
	static const struct {
		const char *address, *words;
		enum nvp_phase phase;
	} unwise[] = {
		{ "sim:size=64M,defect=cut-fails-sanitize", "ended as failed", NVP_PHASE_SANITIZE },
		{ "sim:defect=cut-leaves-format-stuck", "0/84h, for all of 3600", NVP_PHASE_FORMAT },
		{ "sim:defect=cut-leaves-format-stuck:ms=600", "0/84h, and takes one after ",
		  NVP_PHASE_FORMAT },
	};
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	for (unsigned i = 0; i < sizeof(unwise) / sizeof(unwise[0]); i++) {
		struct nvp_campaign_options options = {
			.seed = 1, .cycles = 6, .phases = 1u << unwise[i].phase,
		};

		campaign(unwise[i].address, &options, t);
		CU_ASSERT_EQUAL(t->result.end, NVP_CAMPAIGN_DONE);
		CU_ASSERT_EQUAL(t->result.fails, 0);
		CU_ASSERT(t->result.warnings > 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(t->first, unwise[i].words));
		options.policy = "sane";
		campaign(unwise[i].address, &options, t);
		CU_ASSERT(t->failed >> NVP_CLASS_METADATA & 1);
	}
	free(t);
}

/* One that needs more than power to come back is no dead one, and not in time. */
static void a_drive_that_comes_back_late_is_not_dead(void)
{
	const struct nvp_campaign_options options = { .seed = 1, .cycles = 8 };
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	campaign("sim:defect=cut-kills-drive-once", &options, t);
	CU_ASSERT_EQUAL(t->result.end, NVP_CAMPAIGN_DONE);
	CU_ASSERT_EQUAL(t->failed, 1u << NVP_CLASS_SLOW_READY);
	CU_ASSERT_PTR_NOT_NULL(strstr(t->text[NVP_CLASS_SLOW_READY],
				      "only after the supply was switched again"));
	campaign("sim:defect=cut-leaves-fatal-status:enables=1", &options, t);
	CU_ASSERT_EQUAL(t->result.end, NVP_CAMPAIGN_DONE);
	CU_ASSERT_EQUAL(t->failed, 1u << NVP_CLASS_SLOW_READY);
	CU_ASSERT_PTR_NOT_NULL(strstr(t->text[NVP_CLASS_SLOW_READY],
				      "only after a rescan and a second enable"));
	free(t);
}

/* A drive that is wrong with what it keeps about itself, and words of the finding. */
struct misstated {
	const char *address, *words;
};

static void expect_metadata(const struct misstated *wrong, size_t nr,
			    const struct nvp_campaign_options *options, struct told *t)
{
	for (size_t i = 0; i < nr; i++) {
		campaign(wrong[i].address, options, t);
		CU_ASSERT(t->failed >> NVP_CLASS_METADATA & 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(t->text[NVP_CLASS_METADATA], wrong[i].words));
	}
}

/* The image that runs is the old one or the new one, and a part of one is none. */
static void firmware_is_old_or_new(void)
{
	static const struct misstated wrong[] = {
		{ "sim:defect=cut-keeps-half-download", "pieces of an image were downloaded" },
		{ "sim:defect=cut-keeps-download", "with the others it can be committed" },
		{ "sim:defect=cut-tears-firmware-slot", "was to replace" },
		{ "sim:defect=firmware-store-activates", "firmware PL000" },
		{ "sim:defect=log-firmware-revision-differs", "the revision that runs" },
		{ "sim:defect=firmware-wrong-slot-written", "firmware slot" },
	};
	struct nvp_campaign_options options = {
		.seed = 1, .cycles = 60, .phases = 1u << NVP_PHASE_FIRMWARE,
	};
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	expect_metadata(wrong, sizeof(wrong) / sizeof(wrong[0]), &options, t);
	/* a drive may go back to the image that it knows */
	campaign("sim:defect=firmware-never-activated", &options, t);
	CU_ASSERT_EQUAL(t->result.fails, 0);
	CU_ASSERT(t->result.warnings > 0);
	options.policy = "strict";
	campaign("sim:defect=firmware-never-activated", &options, t);
	CU_ASSERT(t->failed >> NVP_CLASS_METADATA & 1);
	/* with one slot there is no place for an image: what runs is committed, as ever */
	options.policy = NULL;
	campaign("sim:profile=client", &options, t);
	CU_ASSERT_STRING_EQUAL(t->first, "");
	CU_ASSERT_EQUAL(t->result.admin, 60);
	free(t);
}

/* What was started goes on, and can be left when it failed: that is written. */
static void what_is_written_of_an_admin_command_is_no_policy(void)
{
	static const struct misstated wrong[] = {
		{ "sim:size=64M,defect=cut-forgets-sanitize", "never sanitized" },
		{ "sim:size=64M,defect=cut-stops-sanitize", "does not go on" },
		{ "sim:size=64M,defect=sanitize-log-command-wrong", "another command" },
		{ "sim:size=64M,defect=sanitize-never-succeeds,defect=sanitize-exit-refused",
		  "Exit Failure Mode" },
		{ "sim:size=64M,defect=cut-skips-overwrite-passes", "hold the pattern" },
		{ "sim:size=64M,defect=cut-skips-overwrite-passes:told=1", "ended well after" },
	};
	const struct nvp_campaign_options options = {
		.seed = 1, .cycles = 10, .phases = 1u << NVP_PHASE_SANITIZE,
	};
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	expect_metadata(wrong, sizeof(wrong) / sizeof(wrong[0]), &options, t);
	free(t);
}

static void a_campaign_ends_when_it_has_to(void)
{
	struct nvp_campaign_options options = { .seed = 1, .cycles = 20 };
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	campaign("sim:defect=power-off-ignored", &options, t);
	CU_ASSERT_EQUAL(t->result.end, NVP_CAMPAIGN_RIG);
	CU_ASSERT_EQUAL(t->result.cycles, 3);
	CU_ASSERT_EQUAL(t->result.confirmed, 0);
	campaign("sim:defect=cut-kills-drive", &options, t);
	CU_ASSERT_EQUAL(t->result.end, NVP_CAMPAIGN_DEAD);
	CU_ASSERT(t->failed >> NVP_CLASS_DEAD & 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(t->text[NVP_CLASS_DEAD], "not ready after the cut; tried: a "
				      "longer wait, a rescan, 3 more power cycles, "));
	campaign("sim:defect=cut-changes-serial", &options, t);
	CU_ASSERT_EQUAL(t->result.end, NVP_CAMPAIGN_OTHER_DRIVE);
	CU_ASSERT_EQUAL(t->err.kind, NVP_ERR_REFUSED);
	options.stop_on_fail = true;
	campaign("sim:defect=flush-lies", &options, t);
	CU_ASSERT_EQUAL(t->result.end, NVP_CAMPAIGN_STOPPED);
	CU_ASSERT(t->result.cycles < 20);
	free(t);
}

static void what_cannot_be_is_said(void)
{
	struct nvp_campaign_options options = { .seed = 1, .cycles = 2, .relay = "gpoid:0/1" };
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	campaign("sim:", &options, t);
	CU_ASSERT_EQUAL(t->rc, -EINVAL);
	CU_ASSERT_EQUAL(t->err.kind, NVP_ERR_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(t->err.expected, "sim"));
	options = (struct nvp_campaign_options){
		.seed = 1, .cycles = 2, .first_lba = UINT64_MAX - 5, .nr_lbas = 100,
	};
	campaign("sim:", &options, t);
	CU_ASSERT_EQUAL(t->err.kind, NVP_ERR_USAGE);
	options = (struct nvp_campaign_options){
		.seed = 1, .cycles = 2, .workloads = 1u << NVP_WORKLOAD_COPY,
	};
	campaign("sim:profile=minimal", &options, t);
	CU_ASSERT_EQUAL(t->err.kind, NVP_ERR_UNSUPPORTED);
	CU_ASSERT_EQUAL(t->result.skipped_workloads, 1u << NVP_WORKLOAD_COPY);
	free(t);
}

/* With DULBE = 1 a deallocated block answers with an error, after each cut as before it. */
static void reads_of_deallocated_blocks_may_be_errors(void)
{
	const struct nvp_campaign_options options = {
		.seed = 6, .cycles = 40, .scrub = 5, .workloads = 1u << NVP_WORKLOAD_TRIM,
	};
	struct told *t = malloc(sizeof(*t));

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	for (int saved = 0; saved < 2; saved++) {
		struct nvp_cmd set = nvp_build_set_features(5, 1, saved, 1u << 16 | 7);
		uint32_t after = 0;

		campaign_after("sim:", &set, &options, t, &after);
		CU_ASSERT_EQUAL(t->rc, 0);
		CU_ASSERT_STRING_EQUAL(t->first, "");
		CU_ASSERT_EQUAL(t->result.fails, 0);
		CU_ASSERT_EQUAL(after & 1u << 16, 1u << 16);
	}
	free(t);
}

/* Outside of a range that was given nothing is written. */
static void a_range_is_kept_to(void)
{
	const struct nvp_campaign_options options = {
		.seed = 1, .cycles = 6, .first_lba = 1000, .nr_lbas = 600,
	};
	struct told *t = malloc(sizeof(*t));
	struct nvp_prepared *prepared;
	struct nvp_drive *drive;
	struct nvp_cpl cpl;
	struct nvp_buf *buf;

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	memset(t, 0, sizeof(*t));
	prepared = nvp_drive_prepare("sim:", 1, 0, &t->err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(prepared);
	drive = nvp_drive_open(prepared, NULL, 1, &t->err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(drive);
	nvp_drive_permit(drive, NVP_IMPACT_ALL);
	t->rc = nvp_campaign_run(drive, &options, NULL, &t->result, &t->err);
	CU_ASSERT_EQUAL(t->rc, 0);
	CU_ASSERT_EQUAL(t->result.fails, 0);
	buf = nvp_buf_new(drive, 512 * 128);
	CU_ASSERT_PTR_NOT_NULL_FATAL(buf);
	for (unsigned i = 0; i < 2; i++) {
		struct nvp_cmd cmd = nvp_build_read(1, i ? 1600 : 1000 - 128, 127, 512);

		cmd.data = buf;
		CU_ASSERT_EQUAL(nvp_exec_io(drive, &cmd, &cpl), 0);
		CU_ASSERT_EQUAL(nvp_buf_find_not(buf, 0, 512 * 128, 0), -1);
	}
	nvp_drive_close(drive);
	nvp_drive_discard(prepared);
	free(t);
}

CU_TestInfo nvp_unit_campaign[] = {
	{ "honest_drives_are_never_accused", honest_drives_are_never_accused },
	{ "volatile_data_is_lost_and_is_no_fault", volatile_data_is_lost_and_is_no_fault },
	{ "one_seed_gives_one_campaign", one_seed_gives_one_campaign },
	{ "cuts_fall_into_the_work", cuts_fall_into_the_work },
	{ "cuts_fall_into_admin_commands", cuts_fall_into_admin_commands },
	{ "wrong_drives_are_caught_with_their_class", wrong_drives_are_caught_with_their_class },
	{ "what_a_cut_may_do_to_an_admin_command_is_policy",
	  what_a_cut_may_do_to_an_admin_command_is_policy },
	{ "what_is_written_of_an_admin_command_is_no_policy",
	  what_is_written_of_an_admin_command_is_no_policy },
	{ "a_drive_that_comes_back_late_is_not_dead", a_drive_that_comes_back_late_is_not_dead },
	{ "firmware_is_old_or_new", firmware_is_old_or_new },
	{ "a_campaign_ends_when_it_has_to", a_campaign_ends_when_it_has_to },
	{ "what_cannot_be_is_said", what_cannot_be_is_said },
	{ "a_range_is_kept_to", a_range_is_kept_to },
	{ "reads_of_deallocated_blocks_may_be_errors", reads_of_deallocated_blocks_may_be_errors },
	CU_TEST_INFO_NULL,
};
