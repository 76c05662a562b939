// SPDX-License-Identifier: GPL-2.0-or-later
// Cases that try the runner: they crash, hang, leave a mess, break rules, and say what they expect.

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <nvproof/nvproof.h>

#define SPEC { .document = "nvproof", .revision = "1", .section = "runner" }
#define FID_TEMPERATURE 0x04
#define FID_NUMBER_OF_QUEUES 0x07
#define FID_WRITE_ATOMICITY 0x0a

/* A command, so that a trace has something to show. */
static void identify(struct nvp_t *t)
{
	struct nvp_cmd cmd = nvp_build_identify(0x01, 0, 0, 0, 0);
	struct nvp_cpl cpl;

	cmd.data = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	if (cmd.data)
		nvp_admin(t, &cmd, &cpl);
}

/* ---- ordinary ends ---- */

static void passes(struct nvp_t *t)
{
	identify(t);
	nvp_check(t, !nvp_t_ended(t), "the command did not travel");
}

static void fails(struct nvp_t *t)
{
	uint64_t answer = 41;

	identify(t);
	nvp_check_eq(t, answer, 42);
}

/* Nothing can be written any more: the evidence of this fail cannot be kept. */
static void fails_with_a_full_disk(struct nvp_t *t)
{
	const struct rlimit none = { 0, RLIM_INFINITY };

	if (setrlimit(RLIMIT_FSIZE, &none))
		nvp_broken(t, "the limit cannot be set");
	nvp_check(t, false, "it fails");
}

/* And the first byte of it ends the process. */
static void fails_and_dies_of_its_evidence(struct nvp_t *t)
{
	signal(SIGXFSZ, SIG_DFL);
	fails_with_a_full_disk(t);
}

static void skips(struct nvp_t *t)
{
	nvp_skip(t, "nothing to see here");
}

static void checks_nothing(struct nvp_t *t)
{
	identify(t);
}

static void warns(struct nvp_t *t)
{
	nvp_check(t, true, "fine");
	nvp_warn(t, "this is a warning");
}

static void breaks_a_policy(struct nvp_t *t)
{
	nvp_check(t, true, "fine");
	nvp_check_by(t, NVP_POLICY("sane"), nvp_t_ns(t) == NULL, "it is odd");
}

/* The guard of a case that only reads lets no Set Features through. */
static void is_stopped_by_the_guard(struct nvp_t *t)
{
	struct nvp_cmd cmd = nvp_build_set_features(FID_TEMPERATURE, 0, false, 300);
	struct nvp_cpl cpl;

	nvp_admin(t, &cmd, &cpl);
	nvp_check(t, false, "the command went out");
}

/* ---- ends that the case does not survive ---- */

static void crashes_by_abort(struct nvp_t *t)
{
	identify(t);
	abort();
}

static void crashes_by_signal(struct nvp_t *t)
{
	identify(t);
	kill(getpid(), SIGUSR2);
	for (;;)
		pause();
}

static void exits(struct nvp_t *t)
{
	identify(t);
	_exit(0);
}

/* The child keeps the socket to the supervisor open; the test ends it. */
static void leaves_a_child(struct nvp_t *t)
{
	pid_t child;

	identify(t);
	child = fork();
	if (!child) {
		alarm(300);
		for (;;)
			pause();
	}
	nvp_note(t, "child %d", (int)child);
	kill(getpid(), SIGUSR2);
}

static void hangs_in_a_loop(struct nvp_t *t)
{
	volatile unsigned long turns = 0;

	identify(t);
	for (;;)
		turns++;
}

/* An Asynchronous Event Request without an event never completes: the drive's clock ends this. */
static void waits_for_what_never_comes(struct nvp_t *t)
{
	struct nvp_sq *sq = nvp_admin_sq(nvp_t_drive(t));
	struct nvp_cmd cmd = nvp_build_async_event();
	struct nvp_cpl cpl;
	uint16_t cid;

	nvp_done(t, nvp_submit(sq, &cmd, &cid));
	nvp_done(t, nvp_ring_tail(sq));
	nvp_done(t, nvp_wait_cid(sq, cid, &cpl));
	nvp_check(t, false, "an event came");
}

static void is_interrupted(struct nvp_t *t)
{
	struct nvp_cpl cpl;

	if (!nvp_change_feature(t, FID_TEMPERATURE, 0, 321, &cpl))
		return;
	kill(getppid(), SIGINT);
	for (;;)
		pause();
}

static void is_terminated(struct nvp_t *t)
{
	identify(t);
	kill(getppid(), SIGTERM);
	for (;;)
		pause();
}

static void kills_the_supervisor(struct nvp_t *t)
{
	struct nvp_cpl cpl;

	if (!nvp_change_feature(t, FID_TEMPERATURE, 0, 322, &cpl))
		return;
	kill(getppid(), SIGKILL);
	for (;;)
		pause();
}

/* From here on the supervisor's files cannot grow: as on a disk that is full. */
static void fills_the_disk(struct nvp_t *t)
{
	const struct rlimit full = { .rlim_cur = 1, .rlim_max = RLIM_INFINITY };

	if (prlimit(getppid(), RLIMIT_FSIZE, &full, NULL))
		nvp_broken(t, "the limit cannot be set");
	nvp_check(t, true, "fine");
}

/*
 * Leaves the supervisor one descriptor, that of our socket once we are gone: enough to read a
 * file, one too few for the socket pair of another worker.
 */
static void takes_the_descriptors(struct nvp_t *t)
{
	struct rlimit limit;
	char path[64];

	if (getrlimit(RLIMIT_NOFILE, &limit))
		nvp_broken(t, "the limit cannot be read");
	for (limit.rlim_cur = 0;; limit.rlim_cur++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%u", getppid(), (unsigned)limit.rlim_cur);
		if (access(path, F_OK))
			break;
	}
	if (prlimit(getppid(), RLIMIT_NOFILE, &limit, NULL))
		nvp_broken(t, "the limit cannot be set");
	abort();
}

/* ---- a mess ---- */

static void leaves_a_queue(struct nvp_t *t)
{
	struct nvp_cq *cq = nvp_cq_new(nvp_t_drive(t), 2, 16, -1);
	struct nvp_cpl cpl;

	nvp_require(t, cq != NULL, "no memory");
	nvp_done(t, nvp_cq_create(cq, &cpl));
	nvp_check_ok(t, &cpl);
}

static void set_threshold(struct nvp_t *t, bool save)
{
	struct nvp_cmd cmd = nvp_build_set_features(FID_TEMPERATURE, 0, save, 333);
	struct nvp_cpl cpl;

	nvp_admin(t, &cmd, &cpl);
	nvp_check_ok(t, &cpl);
}

static void leaves_a_feature(struct nvp_t *t)
{
	set_threshold(t, false);
}

static void leaves_a_saved_feature(struct nvp_t *t)
{
	set_threshold(t, true);
}

static void leaves_an_event_request(struct nvp_t *t)
{
	struct nvp_sq *sq = nvp_admin_sq(nvp_t_drive(t));
	struct nvp_cmd cmd = nvp_build_async_event();

	nvp_done(t, nvp_submit(sq, &cmd, NULL));
	nvp_done(t, nvp_ring_tail(sq));
	nvp_check(t, true, "fine");
}

static void submit_reads(struct nvp_t *t)
{
	struct nvp_sq *sq = nvp_io_sq(nvp_t_drive(t));
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_cmd cmd = nvp_build_read(ns->nsid, 0, 0, ns->id.lba_bytes);

	for (unsigned i = 0; i < 3; i++) {
		cmd.data = nvp_t_buf(t, ns->id.lba_bytes);
		if (!cmd.data)
			return;
		nvp_done(t, nvp_submit(sq, &cmd, NULL));
	}
	nvp_done(t, nvp_ring_tail(sq));
}

static void leaves_commands(struct nvp_t *t)
{
	submit_reads(t);
	nvp_check(t, true, "fine");
}

static void fails_and_leaves_commands(struct nvp_t *t)
{
	submit_reads(t);
	nvp_require(t, nvp_t_ns(t) == NULL, "this ends the case early");
}

static void leaves_the_controller_disabled(struct nvp_t *t)
{
	nvp_done(t, nvp_ctrl_disable(nvp_t_drive(t), NULL));
	nvp_check(t, true, "fine");
}

/* ---- what is changed is given back ---- */

static void changes_a_feature(struct nvp_t *t)
{
	struct nvp_cpl cpl;

	if (nvp_change_feature(t, FID_TEMPERATURE, 0, 320, &cpl))
		nvp_check_ok(t, &cpl);
}

/* Number of Queues cannot be set while I/O queues exist: the change and its way back are refused. */
static void changes_what_cannot_change(struct nvp_t *t)
{
	struct nvp_cpl cpl;

	if (nvp_change_feature(t, FID_NUMBER_OF_QUEUES, 0, 0x00010001, &cpl))
		nvp_check(t, !nvp_cpl_ok(&cpl), "the number of queues was changed");
}

static void changes_features_and_crashes(struct nvp_t *t)
{
	struct nvp_cpl cpl;

	if (!nvp_change_feature(t, FID_TEMPERATURE, 0, 320, &cpl) ||
	    !nvp_change_feature(t, FID_TEMPERATURE, 0, 325, &cpl) ||
	    !nvp_change_feature(t, FID_WRITE_ATOMICITY, 0, 1, &cpl))
		return;
	abort();
}

/* The undo comes when the controller is off: it has to wait for the boundary. */
static void changes_a_feature_and_disables(struct nvp_t *t)
{
	struct nvp_cpl cpl;

	if (!nvp_change_feature(t, FID_TEMPERATURE, 0, 320, &cpl))
		return;
	nvp_check_ok(t, &cpl);
	nvp_done(t, nvp_ctrl_disable(nvp_t_drive(t), NULL));
}

/* Sorted behind all of the above: current and saved value are the default of the drive. */
static void threshold(struct nvp_t *t, uint8_t select, uint64_t *value)
{
	struct nvp_cmd cmd = nvp_build_get_features(FID_TEMPERATURE, 0, select, 0);
	struct nvp_cpl cpl;

	nvp_admin(t, &cmd, &cpl);
	nvp_check_ok(t, &cpl);
	*value = cpl.dw0;
}

static void threshold_is_the_default(struct nvp_t *t)
{
	uint64_t current = 0, by_default = 1, saved = 2;

	threshold(t, 0, &current);
	threshold(t, 1, &by_default);
	threshold(t, 2, &saved);
	nvp_check_eq(t, current, by_default);
	nvp_check_eq(t, saved, by_default);
}

/* ---- invariants ---- */

/* A data pointer to where nothing is mapped. */
static void read_to_nowhere(struct nvp_t *t)
{
	struct nvp_cmd cmd = nvp_build_identify(0x01, 0, 0, 0, 0);
	struct nvp_cpl cpl;

	cmd.raw_dptr = true;
	nvp_sqe_set_qw(&cmd.sqe, 6, UINT64_C(0x7ffffffff000));
	nvp_admin(t, &cmd, &cpl);
	nvp_check(t, !nvp_cpl_ok(&cpl), "data went nowhere, and all is well");
}

static void breaks_an_invariant(struct nvp_t *t)
{
	read_to_nowhere(t);
}

static void breaks_what_it_announced(struct nvp_t *t)
{
	nvp_announce(t, NVP_INVARIANT_DMA, 1);
	read_to_nowhere(t);
}

static void breaks_more_than_it_announced(struct nvp_t *t)
{
	nvp_announce(t, NVP_INVARIANT_DMA, 1);
	read_to_nowhere(t);
	read_to_nowhere(t);
}

static void announces_for_nothing(struct nvp_t *t)
{
	nvp_announce(t, NVP_INVARIANT_SQHD, 2);
	nvp_check(t, true, "fine");
}

#define ONE(name, function, words) \
	{ NVP_CASE, .id = "runner." name, .title = words, .spec = SPEC, .run = function, \
	  .needs = NVP_NEED_SIMULATED | NVP_NEED_NAMESPACE, .impact = NVP_IMPACT_STATE }
#define RESETTING(name, function, words) \
	{ NVP_CASE, .id = "runner." name, .title = words, .spec = SPEC, .run = function, \
	  .needs = NVP_NEED_SIMULATED, .impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET }
#define READING(name, function, words) \
	{ NVP_CASE, .id = "runner." name, .title = words, .spec = SPEC, .run = function, \
	  .needs = NVP_NEED_SIMULATED | NVP_NEED_NAMESPACE, .wall_budget_s = 1 }

static const struct nvp_case cases[] = {
	READING("passes", passes, "A case that passes"),
	READING("fails", fails, "A case that fails"),
	READING("skips", skips, "A case that skips itself"),
	READING("checks-nothing", checks_nothing, "A case that makes no check is broken"),
	READING("warns", warns, "A case that passes with a warning"),
	READING("breaks-a-policy", breaks_a_policy, "A broken policy is a warning or a fail"),
	READING("is-stopped-by-the-guard", is_stopped_by_the_guard,
		"A case that only reads cannot set a feature"),
	READING("crashes-by-abort", crashes_by_abort, "A case that aborts is broken"),
	READING("crashes-by-signal", crashes_by_signal, "A case that a signal kills is broken"),
	READING("exits", exits, "A case that ends its process is broken"),
	READING("leaves-a-child", leaves_a_child, "A child of a dead worker holds up nobody"),
	READING("hangs-in-a-loop", hangs_in_a_loop, "A case that loops without a call is broken"),
	ONE("waits-for-what-never-comes", waits_for_what_never_comes,
	    "A command that never completes fails the case"),
	ONE("is-interrupted", is_interrupted, "A case that Ctrl-C meets is broken"),
	ONE("is-terminated", is_terminated, "A case that SIGTERM meets is broken"),
	ONE("kills-the-supervisor", kills_the_supervisor, "What is open stands in the file"),
	READING("fills-the-disk", fills_the_disk, "No verdict is printed that is not in the file"),
	READING("takes-the-descriptors", takes_the_descriptors,
		"A worker that cannot be started ends the run"),
	READING("fails-with-a-full-disk", fails_with_a_full_disk,
		"Evidence that cannot be kept changes no verdict"),
	READING("fails-and-dies-of-its-evidence", fails_and_dies_of_its_evidence,
		"A worker that dies while it takes evidence has given its verdict"),
	ONE("leaves-a-queue", leaves_a_queue, "A queue that is left behind is found"),
	ONE("leaves-a-feature", leaves_a_feature, "A feature that is left changed is found"),
	ONE("leaves-a-saved-feature", leaves_a_saved_feature,
	    "A saved value that is left changed is found"),
	ONE("leaves-an-event-request", leaves_an_event_request,
	    "An event request that is left behind is found"),
	ONE("leaves-commands", leaves_commands, "Commands that are left behind are found"),
	ONE("fails-and-leaves-commands", fails_and_leaves_commands,
	    "A fail stays a fail, whatever it left behind"),
	RESETTING("leaves-the-controller-disabled", leaves_the_controller_disabled,
		  "A controller that is left disabled is found"),
	ONE("changes-a-feature", changes_a_feature, "A changed feature is given back"),
	ONE("changes-what-cannot-change", changes_what_cannot_change,
	    "A change that was refused needs no way back"),
	ONE("changes-features-and-crashes", changes_features_and_crashes,
	    "Changed features are given back after a crash"),
	RESETTING("changes-a-feature-and-disables", changes_a_feature_and_disables,
		  "A changed feature is given back after the reset of the boundary"),
	READING("threshold-is-the-default", threshold_is_the_default,
		"The cases before have left the temperature threshold as it was"),
	ONE("breaks-an-invariant", breaks_an_invariant, "A broken invariant fails the case"),
	ONE("breaks-what-it-announced", breaks_what_it_announced,
	    "An announced break does not fail the case"),
	ONE("breaks-more-than-it-announced", breaks_more_than_it_announced,
	    "One break more than announced fails the case"),
	READING("announces-for-nothing", announces_for_nothing,
		"An announcement that does not come true is a note"),
};

NVP_SUITE(runner, cases);
