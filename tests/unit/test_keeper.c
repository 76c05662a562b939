// SPDX-License-Identifier: GPL-2.0-or-later
// The keeper: who wants what, the least time off, and power back whatever ends its clients.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvproof/clock.h>
#include <nvproof/power.h>

#include "core/base/rand.h"
#include "tests/unit/unit.h"

#define LONG_MS 20000 /* far longer than anything here takes: then it never comes */

static const struct nvp_power_when now_ = { .kind = NVP_POWER_NOW };

/* A relay of the kind exec: a folder, a program in it, and the file that is its contact. */
struct board {
	char folder[40], address[80], state[64], log[64];
};

static void begin(struct board *b, const char *settings, const char *special)
{
	char path[64];
	FILE *program;

	snprintf(b->folder, sizeof(b->folder), "/tmp/nvproof-keeper-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(b->folder));
	snprintf(path, sizeof(path), "%s/relay", b->folder);
	snprintf(b->state, sizeof(b->state), "%s/state", b->folder);
	snprintf(b->log, sizeof(b->log), "%s/log", b->folder);
	snprintf(b->address, sizeof(b->address), "exec:%s%s", path, settings);
	program = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(program);
	fprintf(program,
		"#!/bin/sh\ncd %s\n%s\n"
		"case $1 in state) cat state;;\n"
		"*) echo $1 > new && mv new state && echo $1 >> log;; esac\n", b->folder, special);
	fclose(program);
	chmod(path, 0700);
}

static void end(struct board *b)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", b->folder);
	CU_ASSERT_EQUAL(system(command), 0);
}

static void read_line(const char *path, char line[64])
{
	FILE *file = fopen(path, "r");
	size_t nr = file ? fread(line, 1, 63, file) : 0;

	line[nr] = '\0';
	if (file)
		fclose(file);
}

static bool is(const struct board *b, const char *word)
{
	char line[64];

	read_line(b->state, line);
	line[strcspn(line, "\n")] = '\0';
	return !strcmp(line, word);
}

static bool comes(const struct board *b, const char *word)
{
	for (unsigned ms = 0; ms < LONG_MS; ms++) {
		if (is(b, word))
			return true;
		usleep(1000);
	}
	return false;
}

static struct nvp_keeper *start(const struct board *b, struct nvp_err *err)
{
	const char *addresses[] = { b->address };

	return nvp_keeper_start(addresses, 1, err);
}

static struct nvp_relay *client(struct nvp_keeper *keeper, int *fd)
{
	char address[24];

	*fd = nvp_keeper_client(keeper, 0);
	snprintf(address, sizeof(address), "keeper:%d", *fd);
	return *fd < 0 ? NULL : nvp_relay_open(address, NULL, NULL);
}

static enum nvp_power_step next(struct nvp_relay *relay, uint64_t *at_ns)
{
	enum nvp_power_step step = NVP_POWER_NOTHING;

	for (unsigned ms = 0; ms < LONG_MS && step == NVP_POWER_NOTHING; ms++) {
		step = nvp_power_poll(relay, at_ns);
		if (step == NVP_POWER_NOTHING)
			usleep(1000);
	}
	return step;
}

static void switched(struct nvp_relay *relay, enum nvp_power_action action, uint64_t *done_ns)
{
	uint64_t at_ns = 0;

	CU_ASSERT_EQUAL(nvp_power_arm(relay, action, &now_, NULL), 0);
	CU_ASSERT_EQUAL(next(relay, &at_ns), NVP_POWER_COMMANDED);
	CU_ASSERT_EQUAL(next(relay, &at_ns), NVP_POWER_DONE);
	*done_ns = at_ns;
	CU_ASSERT_EQUAL(next(relay, &at_ns), NVP_POWER_READ_BACK);
}

static void steps_come_in_order_and_off_lasts(void)
{
	struct nvp_err err = { 0 };
	struct nvp_keeper *keeper;
	struct nvp_relay *relay;
	uint64_t off_ns, on_ns;
	struct board b;
	int fd;

	begin(&b, "?off-ms=300", "");
	keeper = start(&b, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(keeper);
	CU_ASSERT(is(&b, "on")); /* from the beginning */
	relay = client(keeper, &fd);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(nvp_relay_state(relay, NULL), 1);
	switched(relay, NVP_POWER_OFF, &off_ns);
	CU_ASSERT(is(&b, "off"));
	CU_ASSERT_EQUAL(nvp_relay_state(relay, NULL), 0);
	switched(relay, NVP_POWER_ON, &on_ns);
	CU_ASSERT(on_ns - off_ns >= 300 * NVP_NS_PER_MS);
	/* on though it is on: done at once, and nothing is sent to the device */
	switched(relay, NVP_POWER_ON, &on_ns);
	nvp_relay_close(relay);
	close(fd);
	CU_ASSERT_EQUAL(nvp_keeper_stop(keeper), 0);
	CU_ASSERT(is(&b, "on"));
	end(&b);
}

static void a_second_request_waits_for_the_first(void)
{
	struct nvp_keeper *keeper;
	struct nvp_relay *relay;
	struct board b;
	int fd;

	begin(&b, "?settle-ms=200", "");
	keeper = start(&b, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(keeper);
	relay = client(keeper, &fd);
	CU_ASSERT_EQUAL(nvp_power_arm(relay, NVP_POWER_OFF, &now_, NULL), 0);
	CU_ASSERT_EQUAL(nvp_power_arm(relay, NVP_POWER_ON, &now_, NULL), -EBUSY);
	nvp_relay_close(relay);
	close(fd);
	nvp_keeper_stop(keeper);
	CU_ASSERT(is(&b, "on"));
	end(&b);
}

static void who_leaves_wants_nothing(void)
{
	struct nvp_keeper *keeper;
	struct nvp_relay *relay;
	struct board b;
	uint64_t at_ns;
	int fd;

	begin(&b, "?off-ms=0", "");
	keeper = start(&b, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(keeper);
	relay = client(keeper, &fd);
	switched(relay, NVP_POWER_OFF, &at_ns);
	close(fd); /* what the death of a process does */
	CU_ASSERT(comes(&b, "on"));
	/* the next of them finds it on */
	nvp_relay_close(relay);
	relay = client(keeper, &fd);
	CU_ASSERT_EQUAL(nvp_relay_state(relay, NULL), 1);
	switched(relay, NVP_POWER_OFF, &at_ns);
	nvp_keeper_stop(NULL);
	nvp_relay_close(relay); /* the door closed, not the socket: on too */
	CU_ASSERT(comes(&b, "on"));
	close(fd);
	CU_ASSERT_EQUAL(nvp_keeper_stop(keeper), 0);
	end(&b);
}

static void off_needs_all_who_hang_on_it(void)
{
	struct nvp_relay *one, *other;
	struct nvp_keeper *keeper;
	struct board b;
	uint64_t at_ns;
	int fd, fd2;
	char log[64];

	begin(&b, "?off-ms=0", "");
	keeper = start(&b, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(keeper);
	one = client(keeper, &fd);
	other = client(keeper, &fd2);
	CU_ASSERT_EQUAL(nvp_relay_state(other, NULL), 1); /* both have joined */
	CU_ASSERT_EQUAL(nvp_power_arm(one, NVP_POWER_OFF, &now_, NULL), 0);
	CU_ASSERT_EQUAL(nvp_relay_state(other, NULL), 1);
	CU_ASSERT_EQUAL(nvp_power_poll(one, &at_ns), NVP_POWER_NOTHING);
	switched(other, NVP_POWER_OFF, &at_ns);
	CU_ASSERT_EQUAL(next(one, &at_ns), NVP_POWER_COMMANDED);
	CU_ASSERT_EQUAL(next(one, &at_ns), NVP_POWER_DONE);
	CU_ASSERT(is(&b, "off"));
	switched(one, NVP_POWER_ON, &at_ns);
	switched(other, NVP_POWER_ON, &at_ns);
	nvp_relay_close(one);
	nvp_relay_close(other);
	close(fd);
	close(fd2);
	nvp_keeper_stop(keeper);
	read_line(b.log, log);
	CU_ASSERT_STRING_EQUAL(log, "on\noff\non\n");
	end(&b);
}

static void what_fails_is_told(void)
{
	struct nvp_err err = { 0 };
	struct nvp_keeper *keeper;
	struct nvp_relay *relay;
	struct board b;
	uint64_t at_ns;
	int fd;

	begin(&b, "", "[ $1 != off ] || { echo 'contact is welded'; exit 5; }");
	keeper = start(&b, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(keeper);
	relay = client(keeper, &fd);
	CU_ASSERT_EQUAL(nvp_power_arm(relay, NVP_POWER_OFF, &now_, NULL), 0);
	CU_ASSERT_EQUAL(next(relay, &at_ns), NVP_POWER_COMMANDED);
	CU_ASSERT_EQUAL(next(relay, &at_ns), NVP_POWER_FAILED);
	CU_ASSERT_STRING_EQUAL(nvp_relay_err(relay)->seen, "contact is welded");
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_relay_err(relay)->what, "exit code 5"));
	CU_ASSERT(is(&b, "on"));
	nvp_relay_close(relay);
	close(fd);
	CU_ASSERT_EQUAL(nvp_keeper_stop(keeper), 0);
	end(&b);
	begin(&b, "", "exit 1");
	CU_ASSERT_PTR_NULL(start(&b, &err));
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_BROKEN);
	end(&b);
}

/* Power that does not come back at once is asked for again. */
static void on_is_tried_until_it_is(void)
{
	struct nvp_keeper *keeper;
	struct nvp_relay *relay;
	struct board b;
	uint64_t at_ns;
	int fd;

	begin(&b, "?off-ms=0",
	      "[ $1 = on ] && [ -e state ] && [ ! -e tried ] && { touch tried; exit 1; }");
	keeper = start(&b, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(keeper);
	relay = client(keeper, &fd);
	switched(relay, NVP_POWER_OFF, &at_ns);
	nvp_relay_close(relay);
	close(fd);
	CU_ASSERT_EQUAL(nvp_keeper_stop(keeper), 0);
	CU_ASSERT(is(&b, "on"));
	end(&b);
}

static void active_low_is_the_other_way_round(void)
{
	struct nvp_keeper *keeper;
	struct nvp_relay *relay;
	struct board b;
	uint64_t at_ns;
	int fd;

	begin(&b, "?active-low=1&off-ms=0", "");
	keeper = start(&b, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(keeper);
	CU_ASSERT(is(&b, "off"));
	relay = client(keeper, &fd);
	CU_ASSERT_EQUAL(nvp_relay_state(relay, NULL), 1);
	switched(relay, NVP_POWER_OFF, &at_ns);
	CU_ASSERT(is(&b, "on"));
	nvp_relay_close(relay);
	close(fd);
	nvp_keeper_stop(keeper);
	CU_ASSERT(is(&b, "off"));
	end(&b);
}

/* ---- whoever dies, power comes back ---- */

_Noreturn static void toggle_for_ever(struct nvp_keeper *keeper)
{
	struct nvp_relay *relay;
	int fd;

	relay = client(keeper, &fd);
	close(nvp_keeper_control(keeper));
	for (;;) {
		uint64_t at_ns;

		nvp_power_arm(relay, NVP_POWER_OFF, &now_, NULL);
		while (next(relay, &at_ns) != NVP_POWER_READ_BACK)
			;
		nvp_power_arm(relay, NVP_POWER_ON, &now_, NULL);
		while (next(relay, &at_ns) != NVP_POWER_READ_BACK)
			;
	}
}

/* A supervisor with a worker; tells the worker's pid once it may be killed. */
_Noreturn static void supervise(const struct board *b, int tell)
{
	struct nvp_keeper *keeper = start(b, NULL);
	pid_t worker = keeper ? fork() : -1;

	if (worker == 0)
		toggle_for_ever(keeper);
	if (write(tell, &worker, sizeof(worker)) == sizeof(worker))
		pause();
	_exit(1);
}

static unsigned entries(const struct board *b)
{
	FILE *file = fopen(b->log, "r");
	unsigned nr = 0;
	int c;

	while (file && (c = fgetc(file)) != EOF)
		nr += c == '\n';
	if (file)
		fclose(file);
	return nr;
}

/* On, and nobody switches any more: the log stands still for far longer than a switch takes. */
static bool rests_on(const struct board *b)
{
	for (unsigned round = 0; round < 200; round++) {
		unsigned before = entries(b);

		usleep(100000);
		if (entries(b) == before && is(b, "on"))
			return true;
	}
	return false;
}

static void killed_at_any_moment_power_comes_back(void)
{
	unsigned rounds = getenv("NVP_KILLS") ? (unsigned)atoi(getenv("NVP_KILLS")) : 9;

	for (unsigned i = 0; i < rounds; i++) {
		pid_t supervisor, worker = 0;
		struct board b;
		int tell[2];

		begin(&b, "?off-ms=2", "");
		CU_ASSERT_EQUAL_FATAL(pipe(tell), 0);
		supervisor = fork();
		if (supervisor == 0)
			supervise(&b, tell[1]);
		CU_ASSERT_EQUAL(read(tell[0], &worker, sizeof(worker)), sizeof(worker));
		CU_ASSERT_FATAL(worker > 0);
		CU_ASSERT(comes(&b, "off"));
		usleep((useconds_t)nvp_rand_below(7, "moment", i, 0, 30000));
		/* the supervisor, the worker, both: a real worker dies with its supervisor */
		if (i % 3 != 1)
			kill(supervisor, SIGKILL);
		if (i % 3 != 0)
			kill(worker, SIGKILL);
		CU_ASSERT(rests_on(&b));
		kill(worker, SIGKILL);
		kill(supervisor, SIGKILL);
		waitpid(supervisor, NULL, 0);
		close(tell[0]);
		close(tell[1]);
		CU_ASSERT(rests_on(&b));
		end(&b);
	}
}

CU_TestInfo nvp_unit_keeper[] = {
	{ "steps come in order, and off lasts", steps_come_in_order_and_off_lasts },
	{ "a second request waits for the first", a_second_request_waits_for_the_first },
	{ "who leaves wants nothing", who_leaves_wants_nothing },
	{ "off needs all who hang on it", off_needs_all_who_hang_on_it },
	{ "what fails is told", what_fails_is_told },
	{ "on is tried until it is", on_is_tried_until_it_is },
	{ "active low is the other way round", active_low_is_the_other_way_round },
	{ "killed at any moment, power comes back", killed_at_any_moment_power_comes_back },
	CU_TEST_INFO_NULL,
};
