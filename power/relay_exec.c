// SPDX-License-Identifier: GPL-2.0-or-later
// A program of the user's: PROGRAM on, PROGRAM off, PROGRAM state. Whatever switches power can be one.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvproof/clock.h>

#include "power/relay.h"

#define LIMIT_MS 10000 /* one call; then it is ended */
#define LINE_BYTES 120u

extern char **environ;

static void *open_it(const char *address, struct nvp_err *err)
{
	char *program = address[0] ? strdup(address) : NULL;

	if (!program) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay exec:");
		nvp_err_expected(err, "exec:PROGRAM, which is called with on, off or state");
	} else if (strchr(program, '/') && access(program, X_OK)) {
		nvp_err_set(err, NVP_ERR_USAGE, -errno, "relay exec:%s: %s", program,
			    strerror(errno));
		nvp_err_advice(err, "give a program that may be run, with its path");
		free(program);
		program = NULL;
	}
	return program;
}

static void close_it(void *device)
{
	free(device);
}

/* Both of its outputs go to out; it hears the signals that we do not. */
static int start(const char *program, const char *word, int out, pid_t *pid)
{
	char *argv[] = { (char *)program, (char *)word, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t usual, none;
	int rc = posix_spawn_file_actions_init(&files);

	if (rc)
		return -rc;
	rc = posix_spawnattr_init(&attributes);
	if (rc) {
		posix_spawn_file_actions_destroy(&files);
		return -rc;
	}
	sigfillset(&usual);
	sigemptyset(&none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	rc = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&files, out, 1);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&files, out, 2);
	if (!rc)
		rc = posix_spawnp(pid, program, &files, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return -rc;
}

/* Its first line, cut to the room; what it says beyond that is read and dropped. */
static void listen_to(int in, char line[LINE_BYTES], size_t *length)
{
	char part[256];
	ssize_t nr = read(in, part, sizeof(part));

	for (ssize_t i = 0; i < nr && *length + 1 < LINE_BYTES; i++)
		line[(*length)++] = part[i];
	line[*length] = '\0';
}

/* Until it has ended, or is ended. Its status as waitpid gives it, or a negative errno. */
static int wait_for(pid_t pid, int in, char line[LINE_BYTES])
{
	uint64_t until_ns = nvp_clock_deadline_ns(nvp_clock_real(), LIMIT_MS * NVP_NS_PER_MS);
	struct pollfd ready[2] = {
		{ .fd = pidfd_open(pid, 0), .events = POLLIN }, { .fd = in, .events = POLLIN },
	};
	bool late = false;
	size_t length = 0;
	int status = 0;

	while (!ready[0].revents && !late) {
		uint64_t now_ns = nvp_clock_now_ns(nvp_clock_real());

		late = now_ns >= until_ns;
		if (late || poll(ready, 2, (int)((until_ns - now_ns) / NVP_NS_PER_MS) + 1) < 0)
			continue;
		if (ready[1].revents & POLLIN)
			listen_to(in, line, &length);
		else if (ready[1].revents)
			ready[1].fd = -1; /* it closed its output and goes on */
	}
	if (late)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	if (fcntl(in, F_SETFL, O_NONBLOCK) == 0)
		listen_to(in, line, &length);
	line[strcspn(line, "\r\n")] = '\0';
	if (ready[0].fd >= 0)
		close(ready[0].fd);
	return late ? -ETIMEDOUT : status;
}

static int call(const char *program, const char *word, char line[LINE_BYTES], struct nvp_err *err)
{
	int pipe[2], rc;
	pid_t pid;

	line[0] = '\0';
	if (pipe2(pipe, O_CLOEXEC))
		return nvp_err_set(err, NVP_ERR_BROKEN, -errno, "relay exec:%s %s: %s", program,
				   word, strerror(errno));
	rc = start(program, word, pipe[1], &pid);
	close(pipe[1]);
	if (rc)
		nvp_err_set(err, NVP_ERR_BROKEN, rc, "relay exec:%s %s: %s", program, word,
			    strerror(-rc));
	else
		rc = wait_for(pid, pipe[0], line);
	close(pipe[0]);
	if (rc == -ETIMEDOUT)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "relay exec:%s %s: not ended after %d s",
				   program, word, LIMIT_MS / 1000);
	if (rc <= 0)
		return rc;
	nvp_err_set(err, NVP_ERR_BROKEN, -EIO, "relay exec:%s %s: %s %d", program, word,
		    WIFSIGNALED(rc) ? "ended by signal" : "exit code",
		    WIFSIGNALED(rc) ? WTERMSIG(rc) : WEXITSTATUS(rc));
	if (line[0])
		nvp_err_seen(err, "%s", line);
	return -EIO;
}

static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	char line[LINE_BYTES];

	return call(device, action == NVP_POWER_ON ? "on" : "off", line, err);
}

/* The word on or off in its first line; anything else is no state. */
static int state(void *device, struct nvp_err *err)
{
	char line[LINE_BYTES];
	int rc = call(device, "state", line, err);

	if (rc)
		return rc;
	if (!strcmp(line, "on") || !strcmp(line, "off"))
		return line[1] == 'n';
	nvp_err_set(err, NVP_ERR_BROKEN, -EPROTO, "relay exec:%s state", (const char *)device);
	nvp_err_expected(err, "the line on or off");
	nvp_err_seen(err, "'%s'", line);
	return -EPROTO;
}

const struct nvp_relay_ops nvp_relay_exec = {
	.scheme = "exec",
	.help = "exec:PROGRAM   called with on, off or state",
	.open = open_it,
	.close = close_it,
	.set = set,
	.state = state,
};
