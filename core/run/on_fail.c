// SPDX-License-Identifier: GPL-2.0-or-later
// The program of --on-fail: once for each case that fails, while the drive stands still.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/run/slot.h"

#define FOLLOW_MS 5		/* as long as trace.bin has to follow the rings of other drives */
#define GRACE_MS 2000		/* from SIGTERM to SIGKILL */

extern char **environ;

/* Signals are blocked in here and two are ignored: the program gets them as anybody else does. */
static int set_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, usual;
	int rc;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	rc = posix_spawnattr_setsigmask(attributes, &none);
	if (!rc)
		rc = posix_spawnattr_setsigdefault(attributes, &usual);
	if (!rc)
		rc = posix_spawnattr_setflags(attributes,
					      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	return rc;
}

/* Standard output is ours, and may be one JSON document: what the program says goes to the other. */
static int start(const struct nvp_slot *slot, const char *id, pid_t *pid)
{
	const char *program = slot->run->request->on_fail;
	char *argv[] = { (char *)program, (char *)slot->dir, (char *)id, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int rc = posix_spawn_file_actions_init(&files);

	if (rc)
		return rc;
	rc = posix_spawnattr_init(&attributes);
	if (!rc) {
		rc = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
		if (!rc)
			rc = posix_spawn_file_actions_adddup2(&files, 2, 1);
		if (!rc)
			rc = set_signals(&attributes);
		if (!rc)
			rc = posix_spawnp(pid, program, &files, &attributes, argv, environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

static void follow_traces(struct nvp_run *run)
{
	for (size_t i = 0; i < run->nr_slots; i++)
		nvp_trace_out_follow(&run->slots[i]);
}

/* Until it ends, however long that takes; a signal that ends the run ends it too. */
static int wait_for(struct nvp_run *run, pid_t pid)
{
	int fd = pidfd_open(pid, 0);
	int wait_ms = run->request->trace == NVP_TRACE_ALL ? FOLLOW_MS : -1;
	int status = 0;

	for (bool ended = fd < 0; !ended;) {
		struct pollfd polled[2] = {
			{ .fd = fd, .events = POLLIN }, { .fd = run->signal_fd, .events = POLLIN },
		};

		if (poll(polled, 2, wait_ms) < 0 && errno != EINTR)
			break;
		follow_traces(run);
		ended = polled[0].revents != 0;
		if (ended || !polled[1].revents)
			continue;
		kill(pid, SIGTERM);
		if (poll(polled, 1, GRACE_MS) == 0)
			kill(pid, SIGKILL);
		break;
	}
	if (fd >= 0)
		close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

void nvp_on_fail(struct nvp_slot *slot, const char *id)
{
	const char *program = slot->run->request->on_fail;
	pid_t pid;
	int status, rc = start(slot, id, &pid);

	if (rc) {
		nvp_slot_note(slot, "warning", "--on-fail %s for %s: %s", program, id, strerror(rc));
		return;
	}
	status = wait_for(slot->run, pid);
	nvp_take_signal(slot->run);	/* before another case begins */
	if (WIFSIGNALED(status))
		nvp_slot_note(slot, "warning", "--on-fail %s for %s: ended by SIG%s", program, id,
			      sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "?");
	else if (WEXITSTATUS(status))
		nvp_slot_note(slot, "warning", "--on-fail %s for %s: exit code %d", program, id,
			      WEXITSTATUS(status));
}
