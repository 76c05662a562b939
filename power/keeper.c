// SPDX-License-Identifier: GPL-2.0-or-later
// The keeper from outside: it is started before the workers, and each of them gets a socket to it.

#include "power/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "power/relay_device.h"

#define OPEN_MS 30000	/* devices of a network or a bus need some of it */
#define END_MS 70000	/* of all that off-ms can be, and some */

struct nvp_keeper {
	int control;
	pid_t pid;
};

/* ---- the child ---- */

/* Nothing that a terminal or a supervisor does to its own ends it; it holds nothing of theirs. */
_Noreturn static void be_keeper(int control, const char *const *addresses, size_t nr)
{
	const int deaf[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU,
			     SIGUSR1, SIGUSR2 };
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	setsid();
	for (size_t i = 0; i < sizeof(deaf) / sizeof(deaf[0]); i++)
		signal(deaf[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_NAME, "nvproof-keeper");
	for (int fd = 0; fd < 3; fd++)
		dup2(nothing, fd);
	if (control != 3)
		control = dup3(control, 3, O_CLOEXEC);
	syscall(SYS_close_range, 4u, ~0u, 0u);
	nvp_keeper_serve(control, addresses, nr);
	_exit(0);
}

/* ---- the parent ---- */

/* Are all relays open? What is wrong with one comes as an error. */
static int hear(struct nvp_keeper *keeper, struct nvp_err *err)
{
	struct pollfd ready = { .fd = keeper->control, .events = POLLIN };
	struct nvp_keeper_answer answer;

	if (poll(&ready, 1, OPEN_MS) != 1 ||
	    recv(keeper->control, &answer, sizeof(answer), 0) != (ssize_t)sizeof(answer))
		return nvp_err_set(err, NVP_ERR_BROKEN, -EIO,
				   "the process that holds the relays says nothing");
	if (answer.step != NVP_POWER_FAILED)
		return 0;
	answer.err.file = __FILE__;
	if (err && !err->code)
		*err = answer.err;
	return answer.err.code;
}

struct nvp_keeper *nvp_keeper_start(const char *const *addresses, size_t nr, struct nvp_err *err)
{
	struct nvp_keeper *keeper = calloc(1, sizeof(*keeper));
	int pair[2];

	if (!keeper || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		nvp_err_set(err, NVP_ERR_BROKEN, keeper ? -errno : -ENOMEM,
			    "a process that holds the relays: %s", strerror(errno));
		free(keeper);
		return NULL;
	}
	keeper->control = pair[0];
	keeper->pid = fork();
	if (keeper->pid == 0) {
		close(pair[0]);
		be_keeper(pair[1], addresses, nr);
	}
	close(pair[1]);
	if (keeper->pid < 0)
		nvp_err_set(err, NVP_ERR_BROKEN, -errno, "a process that holds the relays: %s",
			    strerror(errno));
	if (keeper->pid < 0 || hear(keeper, err)) {
		nvp_keeper_stop(keeper);
		return NULL;
	}
	return keeper;
}

int nvp_keeper_client(struct nvp_keeper *keeper, uint32_t relay)
{
	struct nvp_keeper_request request = { .word = NVP_KEEPER_CLIENT, .relay = relay };
	struct iovec part = { .iov_base = &request, .iov_len = sizeof(request) };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes,
				  .msg_controllen = sizeof(room.bytes) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);
	int pair[2], rc = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &pair[1], sizeof(int));
	if (sendmsg(keeper->control, &message, MSG_NOSIGNAL) != (ssize_t)sizeof(request))
		rc = errno ? -errno : -EIO;
	close(pair[1]);
	if (rc)
		close(pair[0]);
	return rc ? rc : pair[0];
}

int nvp_keeper_control(const struct nvp_keeper *keeper)
{
	return keeper->control;
}

/* It gives power back and ends by itself; it is waited for, and never killed: it holds the power. */
int nvp_keeper_stop(struct nvp_keeper *keeper)
{
	struct pollfd ended = { .fd = -1, .events = POLLIN };
	int rc = 0;

	if (!keeper)
		return 0;
	close(keeper->control);
	if (keeper->pid > 0) {
		ended.fd = (int)syscall(SYS_pidfd_open, keeper->pid, 0);
		rc = ended.fd >= 0 && poll(&ended, 1, END_MS) != 1 ? -ETIMEDOUT : 0;
		if (ended.fd >= 0)
			close(ended.fd);
		if (!rc)
			waitpid(keeper->pid, NULL, 0);
	}
	free(keeper);
	return rc;
}
