// SPDX-License-Identifier: GPL-2.0-or-later
// The supervisor: a worker for each drive, all at once; deadlines, deaths, Ctrl-C.

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <nvproof/power.h>

#include "core/run/slot.h"

#define TICK_MS 200		/* how often heartbeats are looked at */
#define FOLLOW_MS 5		/* the same while trace.bin follows the ring */
#define OPEN_BUDGET_S 300	/* CAP.TO goes to 127.5 s, and the door needs some of them */
#define FRUITLESS_MAX 3
#define DYING_S 10		/* a process that SIGKILL does not end by then waits inside the kernel */

uint64_t nvp_wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NVP_NS_PER_S + (uint64_t)now.tv_nsec;
}

/* ---- a worker is started ---- */

/* In the child: nothing of the supervisor's but this drive. Signals stay blocked: they are its. */
_Noreturn static void be_worker(struct nvp_slot *slot, int fd, pid_t parent)
{
	const struct nvp_run *run = slot->run;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(3);
	close(run->signal_fd);
	if (run->keeper)
		close(nvp_keeper_control(run->keeper));
	for (size_t i = 0; i < run->nr_slots; i++) {
		if (run->slots[i].fd >= 0)
			close(run->slots[i].fd);
	}
	nvp_worker_main(slot, fd);
}

static int start_worker(struct nvp_slot *slot)
{
	struct nvp_keeper *keeper = slot->run->keeper;
	pid_t parent = getpid();
	int pair[2], rc;

	slot->relay_fd = keeper ? nvp_keeper_client(keeper, 0) : -1;
	if (keeper && slot->relay_fd < 0)
		return slot->relay_fd;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		rc = -errno;
		close(slot->relay_fd);
		return rc;
	}
	slot->fd = pair[0];
	slot->fate = NVP_FATE_NONE;
	slot->goodbye = slot->asked_anew = false;
	slot->quiet_ns = slot->dying_ns = 0;
	slot->budget_ns = OPEN_BUDGET_S * NVP_NS_PER_S;
	slot->fruitless++;
	slot->why[0] = '\0';
	slot->pid = fork();
	if (slot->pid == 0)
		be_worker(slot, pair[1], parent);
	rc = slot->pid < 0 ? -errno : 0;
	close(pair[1]);
	if (slot->relay_fd >= 0)
		close(slot->relay_fd);
	if (rc) {
		close(slot->fd);
		slot->fd = -1;
		slot->pid = 0;
	}
	return rc;
}

/* Start the next worker when there is work for one; else this drive is done. */
static void go_on(struct nvp_slot *slot)
{
	struct nvp_run *run = slot->run;
	bool left = slot->next < run->plan.nr && !slot->stop && !run->signal;
	int rc;

	slot->recovery = !left;
	if (!left && (!slot->nr_undos || run->abandon || slot->goodbye)) {
		slot->done = true;
		return;
	}
	if (slot->fruitless >= FRUITLESS_MAX) {
		slot->done = true;
		return;
	}
	rc = start_worker(slot);
	if (rc) {
		snprintf(slot->why, sizeof(slot->why), "start a worker: %s", strerror(-rc));
		slot->done = true;
	}
}

/* ---- a worker is gone ---- */

static void death_text(const struct nvp_slot *slot, int status, char *text, size_t bytes)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (slot->fate == NVP_FATE_HANG)
		snprintf(text, bytes, "hang: no call to the drive came back for %llu s",
			 (unsigned long long)(slot->budget_ns / NVP_NS_PER_S));
	else if (slot->fate == NVP_FATE_INTERRUPTED)
		snprintf(text, bytes, "interrupted by SIG%s", sigabbrev_np(slot->run->signal));
	else if (number)
		snprintf(text, bytes, "crash: the worker was ended by SIG%s (%s)",
			 sigabbrev_np(number) ? sigabbrev_np(number) : "?",
			 sigdescr_np(number) ? sigdescr_np(number) : "unknown signal");
	else
		snprintf(text, bytes, "crash: the worker ended by itself with exit code %d",
			 WEXITSTATUS(status));
}

/* A worker that died said nothing of its last commands, but its trace does. */
static uint64_t last_seen_ns(const struct nvp_slot *slot)
{
	struct nvp_trace_record record;

	if (slot->trace &&
	    nvp_trace_get(slot->trace, nvp_trace_last_tick(slot->trace), &record) &&
	    record.drive_ns > slot->last_t_ns)
		return record.drive_ns;
	return slot->last_t_ns;
}

/* The case that ran, and this worker, come to their end: text says how. */
static void end_case(struct nvp_slot *slot, const char *text)
{
	uint64_t last_ns = last_seen_ns(slot);
	struct nvp_case_result result = {
		.verdict = NVP_BROKEN, .checks = slot->checks, .checks_failed = slot->checks_failed,
		.duration_ns = last_ns - slot->begin_t_ns,
	};
	bool decided;

	close(slot->fd);
	slot->fd = -1;
	slot->pid = 0;
	nvp_trace_out_follow(slot);
	decided = slot->in_case && atomic_exchange(&slot->shared->decided_number, 0) == slot->number;
	if (decided) {
		result = slot->shared->decided;
		nvp_slot_note(slot, "warning", "while evidence was taken: %s", text);
		nvp_slot_case_end(slot, &result, last_ns);
	} else if (slot->in_case) {
		snprintf(result.reason, sizeof(result.reason), "%s", text);
		nvp_slot_case_end(slot, &result, last_ns);
	} else if (!slot->goodbye && !slot->asked_anew && !slot->why[0] && !slot->log.error) {
		snprintf(slot->why, sizeof(slot->why), "%s", text);
	}
}

static void worker_gone(struct nvp_slot *slot, int status)
{
	char text[200];

	death_text(slot, status, text, sizeof(text));
	end_case(slot, text);
	go_on(slot);
}

/* The kernel function that a process waits in, where it may be read. */
static void waits_in(pid_t pid, char *text, size_t bytes)
{
	char path[40];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/wchan", (int)pid);
	file = fopen(path, "re");
	if (!file || !fgets(text, (int)bytes, file) || !strcmp(text, "0"))
		snprintf(text, bytes, "the kernel");
	if (file)
		fclose(file);
}

/* No other worker may touch this drive while one is still inside the kernel with it. */
static void give_up(struct nvp_slot *slot)
{
	char where[60], text[200];

	waits_in(slot->pid, where, sizeof(where));
	snprintf(text, sizeof(text),
		 "hang: the worker (process %d) cannot be ended, not even by SIGKILL: it waits in %s",
		 (int)slot->pid, where);
	nvp_slot_note(slot, "warning", "%s", text);
	end_case(slot, text);
	snprintf(slot->why, sizeof(slot->why), "%s", text);
	slot->done = true;
}

/* What it said before it ended. */
static void hear_out(struct nvp_slot *slot)
{
	struct pollfd ready = { .fd = slot->fd, .events = POLLIN };

	while (slot->fd >= 0 && poll(&ready, 1, 0) == 1 &&
	       nvp_wire_receive(slot->fd, slot->run->received) > 0)
		nvp_slot_receive(slot, slot->run->received);
}

/*
 * Has the worker ended? A child that it left behind may hold the socket open, so the end of the
 * socket is not waited for.
 */
static bool reap(struct nvp_slot *slot)
{
	int status = 0;
	pid_t pid = waitpid(slot->pid, &status, WNOHANG);

	if (pid != slot->pid && (pid >= 0 || errno != ECHILD))
		return false;
	hear_out(slot);
	worker_gone(slot, status);
	return true;
}

/* Its end of the socket is closed: it ends, mostly at once. */
static void worker_ends(struct nvp_slot *slot)
{
	int fd = (int)syscall(SYS_pidfd_open, slot->pid, 0);
	struct pollfd ended = { .fd = fd, .events = POLLIN };

	if (fd >= 0) {
		poll(&ended, 1, TICK_MS);
		close(fd);
	}
	if (!reap(slot) && slot->fate == NVP_FATE_NONE) {
		slot->fate = NVP_FATE_ENDS;
		kill(slot->pid, SIGKILL);
	}
}

/* ---- deadlines ---- */

/*
 * Only time that the supervisor itself saw pass counts: a terminal that stopped its output, or a
 * machine that slept, must not look like a hang of the case.
 */
static void watch(struct nvp_slot *slot, uint64_t passed_ns)
{
	uint64_t beats = atomic_load_explicit(&slot->shared->beats, memory_order_relaxed);

	if (!slot->pid || reap(slot))
		return;
	if (slot->fate != NVP_FATE_NONE) {
		slot->dying_ns += passed_ns;
		if (slot->dying_ns >= DYING_S * NVP_NS_PER_S)
			give_up(slot);
		return;
	}
	if (beats != slot->last_beats) {
		slot->last_beats = beats;
		slot->quiet_ns = 0;
		return;
	}
	slot->quiet_ns += passed_ns;
	if (slot->quiet_ns < slot->budget_ns)
		return;
	slot->fate = NVP_FATE_HANG;
	kill(slot->pid, SIGKILL);
}

/* ---- signals ---- */

/* What a first signal does, told once however many drives there are. */
static void tell_of_signal(struct nvp_run *run)
{
	for (size_t i = 0; i < run->nr_slots; i++) {
		struct nvp_slot *slot = &run->slots[i];

		if (!slot->pid || slot->recovery)
			continue;
		nvp_slot_tell(slot, run->request->campaign && slot->in_case ?
				    "ending after this cycle; again: end at once" :
				    "ending when what was changed is given back; again: end at once");
		return;
	}
}

void nvp_take_signal(struct nvp_run *run)
{
	struct signalfd_siginfo info;

	if (read(run->signal_fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	run->abandon = run->signal != 0;
	if (!run->signal)
		run->signal = (int)info.ssi_signo;
	if (!run->abandon)
		tell_of_signal(run);
	for (size_t i = 0; i < run->nr_slots; i++) {
		struct nvp_slot *slot = &run->slots[i];

		if (!slot->pid || (slot->recovery && !run->abandon))
			continue;
		if (run->request->campaign && slot->in_case && !run->abandon) {
			__atomic_store_n(&slot->shared->end_asked, 1, __ATOMIC_RELAXED);
			nvp_slot_note(slot, "note", "SIG%s: the campaign ends after this cycle",
				      sigabbrev_np(run->signal));
			continue;
		}
		slot->fate = NVP_FATE_INTERRUPTED;
		kill(slot->pid, SIGKILL);
	}
}

/* ---- the time that the run may take ---- */

/* The cases that run come to their end; no other begins. */
static void watch_time(struct nvp_run *run, uint64_t now_ns)
{
	uint64_t most_ns = run->request->max_wall_ns;

	if (!most_ns || now_ns - run->begin_wall_ns < most_ns)
		return;
	for (size_t i = 0; i < run->nr_slots; i++) {
		struct nvp_slot *slot = &run->slots[i];

		run->time_is_up |= !slot->done && slot->next < run->plan.nr;
		slot->stop = true;
	}
}

/* ---- the loop ---- */

/* Take what is there, at most so much that the other drives get their turn. */
static void drain(struct nvp_slot *slot)
{
	struct nvp_received *received = slot->run->received;

	for (unsigned n = 0; n < 256; n++) {
		struct pollfd ready = { .fd = slot->fd, .events = POLLIN };
		int rc;

		if (poll(&ready, 1, 0) != 1)
			return;
		rc = nvp_wire_receive(slot->fd, received);
		if (rc == 0) {
			worker_ends(slot);
			return;
		}
		if (rc > 0)
			nvp_slot_receive(slot, received);
	}
}

static void wait_once(struct nvp_run *run, struct pollfd *polled)
{
	bool follows = run->request->trace == NVP_TRACE_ALL;

	polled[0] = (struct pollfd){ .fd = run->signal_fd, .events = POLLIN };
	for (size_t i = 0; i < run->nr_slots; i++)
		polled[i + 1] = (struct pollfd){ .fd = run->slots[i].fd, .events = POLLIN };
	if (poll(polled, run->nr_slots + 1, follows ? FOLLOW_MS : TICK_MS) < 0)
		return;
	if (polled[0].revents)
		nvp_take_signal(run);
	for (size_t i = 0; i < run->nr_slots; i++) {
		if (polled[i + 1].revents && run->slots[i].fd >= 0)
			drain(&run->slots[i]);
	}
}

static bool finish_those_done(struct nvp_run *run, bool *finished)
{
	bool all = true;

	for (size_t i = 0; i < run->nr_slots; i++) {
		if (run->slots[i].done && !finished[i]) {
			finished[i] = true;
			nvp_slot_finish(&run->slots[i]);
		}
		all = all && finished[i];
	}
	return all;
}

void nvp_supervise(struct nvp_run *run)
{
	struct pollfd *polled = calloc(run->nr_slots + 1, sizeof(*polled));
	bool *finished = calloc(run->nr_slots + 1, sizeof(*finished));
	uint64_t before = nvp_wall_ns();

	run->received = malloc(sizeof(*run->received));
	if (!polled || !finished || !run->received) {
		nvp_err_set(run->err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the supervisor");
		goto out;
	}
	for (size_t i = 0; i < run->nr_slots; i++)
		go_on(&run->slots[i]);
	while (!finish_those_done(run, finished)) {
		uint64_t now, passed;

		wait_once(run, polled);
		now = nvp_wall_ns();
		passed = now - before < 2 * TICK_MS * NVP_NS_PER_MS ? now - before :
								      2 * TICK_MS * NVP_NS_PER_MS;
		before = now;
		watch_time(run, now);
		for (size_t i = 0; i < run->nr_slots; i++) {
			nvp_trace_out_follow(&run->slots[i]);
			watch(&run->slots[i], passed);
		}
	}
out:
	free(polled);
	free(finished);
	free(run->received);
}
