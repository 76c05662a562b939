// SPDX-License-Identifier: GPL-2.0-or-later
// A run from its request to its exit code: drives, safety, directories, then the supervisor.

#include "core/run/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include <nvproof/power.h>

#include "core/run/estimate.h"
#include "core/run/klog.h"
#include "core/run/slot.h"

#define RING_RECORDS 16384		/* a failing case shows 4096 of them */
#define RING_RECORDS_FOLLOWED 262144	/* room while trace.bin is written */

/* ---- what was asked ---- */

static int check_request(const struct nvp_run_request *request, struct nvp_err *err)
{
	if (!request->nr_drives)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "no drive is named");
	if (request->policy && strcmp(request->policy, "sane") && strcmp(request->policy, "strict")) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "--policy: '%.60s' is no policy",
			    request->policy);
		nvp_err_expected(err, "sane or strict");
		return -EINVAL;
	}
	return 0;
}

static int read_golden(struct nvp_run *run, struct nvp_err *err)
{
	if (!run->request->golden)
		return 0;
	run->golden = nvp_golden_read(run->request->golden, err);
	return run->golden ? 0 : -EINVAL;
}

static void set_today(struct nvp_run *run)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(run->today, sizeof(run->today), "%Y-%m-%d", &utc);
}

/* ---- the slots ---- */

static const char *path_word(const struct nvp_slot *slot)
{
	if (slot->simulated)
		return "sim";
	return strncmp(nvp_prepared_address(slot->prepared), "pci:", 4) ? "kernel" : "pci";
}

static int no_memory(struct nvp_err *err)
{
	return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the run");
}

/* What has to exist before the first fork. */
static int prepare_slot(struct nvp_slot *slot, struct nvp_err *err)
{
	const struct nvp_run_request *request = slot->run->request;
	void *shared;

	slot->fd = slot->trace_fd = slot->log.fd = -1;
	slot->klog_fd = nvp_klog_open();
	slot->prepared = nvp_drive_prepare(request->addresses[slot->position], request->seed,
					   slot->position, err);
	if (!slot->prepared)
		return err && err->code ? err->code : -EIO;
	slot->simulated = nvp_prepared_is_simulated(slot->prepared);
	slot->path = path_word(slot);
	slot->waiver_use = calloc(slot->run->waivers.nr + 1, sizeof(*slot->waiver_use));
	shared = mmap(NULL, sizeof(struct nvp_shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared != MAP_FAILED)
		slot->shared = shared;
	if (!slot->waiver_use || !slot->shared)
		return no_memory(err);
	if (request->trace == NVP_TRACE_NONE)
		return 0;
	slot->trace = nvp_trace_new(request->trace == NVP_TRACE_ALL ? RING_RECORDS_FOLLOWED :
								      RING_RECORDS);
	return slot->trace ? 0 : no_memory(err);
}

static void free_slot(struct nvp_slot *slot)
{
	nvp_log_close(&slot->log);
	if (slot->trace_fd >= 0)
		close(slot->trace_fd);
	if (slot->klog_fd >= 0)
		close(slot->klog_fd);
	if (slot->trace)
		nvp_trace_free(slot->trace);
	if (slot->shared)
		munmap(slot->shared, sizeof(*slot->shared));
	if (slot->prepared)
		nvp_drive_discard(slot->prepared);
	free(slot->waiver_use);
	free(slot->undos);
}

static int check_serials(const struct nvp_run *run, struct nvp_err *err)
{
	const char *expected = run->request->expected_serial;

	if (expected && strcmp(expected, nvp_prepared_serial(run->slots[0].prepared))) {
		nvp_err_set(err, NVP_ERR_USAGE, -ENODEV, "%.100s is not the drive of the earlier run",
			    nvp_prepared_address(run->slots[0].prepared));
		nvp_err_expected(err, "serial %s", expected);
		nvp_err_seen(err, "%s", nvp_prepared_serial(run->slots[0].prepared));
		return -ENODEV;
	}
	for (size_t i = 0; i < run->nr_slots; i++) {
		const char *a = nvp_prepared_serial(run->slots[i].prepared);

		for (size_t k = i + 1; k < run->nr_slots; k++) {
			const char *b = nvp_prepared_serial(run->slots[k].prepared);

			if (!strcmp(a, b))
				return nvp_err_set(err, NVP_ERR_USAGE, -EEXIST,
						   "%.70s and %.70s have the same serial number %s",
						   nvp_prepared_address(run->slots[i].prepared),
						   nvp_prepared_address(run->slots[k].prepared), a);
		}
	}
	return 0;
}

/* A golden file of another model says nothing of this one. */
static int check_golden(const struct nvp_run *run, struct nvp_err *err)
{
	for (size_t i = 0; run->golden && i < run->nr_slots; i++) {
		const char *model = nvp_prepared_model(run->slots[i].prepared);

		if (!model[0] || !strcmp(model, nvp_golden_model(run->golden)))
			continue;
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "%s is the golden file of another model",
			    run->request->golden);
		nvp_err_expected(err, "%s", nvp_golden_model(run->golden));
		nvp_err_seen(err, "%s", model);
		return -EINVAL;
	}
	return 0;
}

static int prepare_slots(struct nvp_run *run, struct nvp_err *err)
{
	const struct nvp_run_request *request = run->request;
	int rc = 0;

	run->slots = calloc(request->nr_drives, sizeof(*run->slots));
	if (!run->slots)
		return no_memory(err);
	for (size_t i = 0; !rc && i < request->nr_drives; i++) {
		run->slots[i].run = run;
		run->slots[i].position = (unsigned)i;
		run->nr_slots++;
		rc = prepare_slot(&run->slots[i], err);
	}
	if (!rc)
		rc = check_serials(run, err);
	if (!rc)
		rc = check_golden(run, err);
	for (size_t i = 0; !rc && i < run->nr_slots; i++)
		rc = nvp_safety_check(&run->slots[i], request, err);
	return rc;
}

/* ---- the beginning of the file ---- */

static void tell_permission(struct nvp_slot *slot)
{
	char words[80], text[NVP_ESTIMATE_TEXT_BYTES];
	struct nvp_estimate estimate;

	if (slot->in_use[0])
		nvp_slot_note(slot, "warning", "the drive is in use: %s", slot->in_use);
	if (slot->simulated || !slot->allow)
		return;
	nvp_impact_text(slot->allow, words, sizeof(words));
	estimate = nvp_estimate(&slot->run->plan, slot->allow, slot->run->request->campaign);
	nvp_slot_note(slot, "warning", "allowed on serial %s: %s%s%s",
		      nvp_prepared_serial(slot->prepared), words,
		      estimate.nr_data ? "; what is stored on it will be lost: " : "",
		      estimate.nr_data ? nvp_estimate_text(&estimate, text) : "");
}

static int begin_slots(struct nvp_run *run, struct nvp_err *err)
{
	struct nvp_text members = { 0 };
	int rc = nvp_out_dirs(run, err);

	nvp_describe_run(&members, run);
	for (size_t i = 0; !rc && i < run->nr_slots; i++) {
		struct nvp_slot *slot = &run->slots[i];

		rc = nvp_log_open(&slot->log, slot->dir, err);
		if (!rc && run->request->trace == NVP_TRACE_ALL)
			rc = nvp_trace_out_open(slot, err);
		if (rc)
			break;
		nvp_slot_event(slot, NVP_EVENT_RUN_BEGIN, 0, nvp_text_str(&members));
		tell_permission(slot);
		rc = slot->log.error;
	}
	nvp_text_free(&members);
	return rc;
}

/* ---- signals ---- */

struct signals {
	sigset_t mask;
	struct sigaction pipe, file_size;
};

/*
 * Signals that end the run arrive in the poll loop; a broken pipe or a limit of the file size
 * are errors of write, told as such.
 */
static int take_signals(struct nvp_run *run, struct signals *before, struct nvp_err *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, &before->mask);
	sigaction(SIGPIPE, &ignore, &before->pipe);
	sigaction(SIGXFSZ, &ignore, &before->file_size);
	run->signal_fd = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
	return run->signal_fd < 0 ? nvp_err_set(err, NVP_ERR_BROKEN, -errno, "signalfd") : 0;
}

static void give_signals_back(struct nvp_run *run, const struct signals *before)
{
	struct signalfd_siginfo info;

	/* More of them after the first two would kill us as soon as they are not blocked. */
	while (run->signal_fd >= 0 &&
	       read(run->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		;
	if (run->signal_fd >= 0)
		close(run->signal_fd);
	sigaction(SIGPIPE, &before->pipe, NULL);
	sigaction(SIGXFSZ, &before->file_size, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* ---- the relay ---- */

/* A real relay is held by a process that outlives all of us; the simulated one is in the worker. */
static int start_keeper(struct nvp_run *run)
{
	const struct nvp_campaign_options *campaign = run->request->campaign;
	const char *relay = campaign && !campaign->resets ? campaign->relay : NULL;

	if (!relay || !strcmp(relay, "sim"))
		return 0;
	run->keeper = nvp_keeper_start(&relay, 1, run->err);
	return run->keeper ? 0 : run->err->code ? run->err->code : -EIO;
}

/* Without power at the end nobody could do anything with the drive: that is said, whatever else was. */
static int stop_keeper(struct nvp_run *run, int code)
{
	if (!nvp_keeper_stop(run->keeper))
		return code;
	nvp_err_set(run->err, NVP_ERR_BROKEN, -ETIMEDOUT,
		    "the relay %.80s does not give power back: it is tried on, look at the device",
		    run->request->campaign->relay);
	return nvp_worse_exit(code, 3);
}

/* ---- all of it ---- */

static int run_slots(struct nvp_run *run, struct nvp_err *err)
{
	const struct nvp_run_sink *sink = run->sink;
	struct signals before;
	int code = 0;

	if (take_signals(run, &before, err) || begin_slots(run, err)) {
		give_signals_back(run, &before);
		return nvp_err_exit_code(err->kind);
	}
	nvp_supervise(run);
	for (size_t i = 0; i < run->nr_slots; i++)
		code = nvp_worse_exit(code, run->slots[i].done ? run->slots[i].exit_code : 3);
	if (sink && sink->all_done && sink->all_done(sink->context, run->top))
		code = nvp_worse_exit(code, 3);
	give_signals_back(run, &before);
	return code;
}

int nvp_run(const struct nvp_registry *registry, const struct nvp_run_request *request,
	    const struct nvp_run_sink *sink, struct nvp_err *err)
{
	struct nvp_err own = { 0 };
	struct nvp_run run = {
		.request = request, .sink = sink, .signal_fd = -1, .err = err ? err : &own,
		.begin_wall_ns = nvp_wall_ns(),
	};
	int code;

	set_today(&run);
	if (check_request(request, run.err) ||
	    nvp_plan_make(&run.plan, registry, request, run.err) ||
	    nvp_waivers_read(&run.waivers, request->waive_files, request->nr_waive_files, registry,
			     run.err) ||
	    read_golden(&run, run.err) || start_keeper(&run) || prepare_slots(&run, run.err))
		code = nvp_err_exit_code(run.err->kind);
	else
		code = run_slots(&run, run.err);
	code = stop_keeper(&run, code);
	for (size_t i = 0; i < run.nr_slots; i++)
		free_slot(&run.slots[i]);
	free(run.slots);
	nvp_waivers_free(&run.waivers);
	nvp_golden_free(run.golden);
	nvp_plan_free(&run.plan);
	return code;
}
