// SPDX-License-Identifier: GPL-2.0-or-later
// Devices in the hands of the keeper: power is back when their user is killed, and when an off that
// was reported as failed has switched all the same.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvproof/power.h>

#include "tests/unit/relay_far.h"
#include "tests/unit/unit.h"

#define LONG_MS 20000 /* far longer than anything here takes: then it never comes */

static const struct nvp_power_when now_ = { .kind = NVP_POWER_NOW };

struct kept {
	struct far far;
	struct far_device device;
	struct nvp_keeper *keeper;
	int fd;
};

static void begin(struct kept *k, const char *scheme, int tty)
{
	char address[96];
	const char *addresses[] = { address };
	struct nvp_err err = { 0 };

	k->far.model = &k->device;
	k->far.take = strcmp(scheme, "scpi") ? far_quarch : far_scpi;
	if (tty)
		far_tty(&k->far);
	else
		far_tcp(&k->far);
	snprintf(address, sizeof(address), "%s:%s", scheme, k->far.address);
	k->keeper = nvp_keeper_start(addresses, 1, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(k->keeper);
	k->fd = nvp_keeper_client(k->keeper, 0);
	CU_ASSERT_TRUE_FATAL(k->fd >= 0);
}

static void end(struct kept *k)
{
	CU_ASSERT_EQUAL(nvp_keeper_stop(k->keeper), 0);
	far_stop(&k->far);
}

static bool comes(struct kept *k, unsigned on)
{
	for (unsigned ms = 0; ms < LONG_MS; ms++) {
		if (__atomic_load_n(&k->device.on, __ATOMIC_ACQUIRE) == on)
			return true;
		usleep(1000);
	}
	return false;
}

static struct nvp_relay *client(const struct kept *k)
{
	char address[24];

	snprintf(address, sizeof(address), "keeper:%d", k->fd);
	return nvp_relay_open(address, NULL, NULL);
}

/* The user of the relay: it switches off, and waits to be killed. */
static pid_t user(struct kept *k)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	close(nvp_keeper_control(k->keeper));
	nvp_power_arm(client(k), NVP_POWER_OFF, &now_, NULL);
	for (;;)
		pause();
}

static void killed(const char *scheme, int tty)
{
	struct kept k = { .device = { .on = 0 } };
	pid_t pid;

	begin(&k, scheme, tty);
	CU_ASSERT_EQUAL(k.device.on, 1); /* from the beginning */
	pid = user(&k);
	close(k.fd);
	CU_ASSERT_TRUE(comes(&k, 0));
	CU_ASSERT_EQUAL(kill(pid, SIGKILL), 0);
	CU_ASSERT_EQUAL(waitpid(pid, NULL, 0), pid);
	CU_ASSERT_TRUE(comes(&k, 1));
	end(&k);
}

static void its_user_is_killed(void)
{
	killed("scpi", 0);
	killed("quarch", 1);
}

static enum nvp_power_step next(struct nvp_relay *relay)
{
	enum nvp_power_step step = NVP_POWER_NOTHING;

	for (unsigned ms = 0; ms < LONG_MS && step == NVP_POWER_NOTHING; ms++) {
		step = nvp_power_poll(relay, NULL);
		if (step == NVP_POWER_NOTHING)
			usleep(1000);
	}
	return step;
}

/* The supply went off and did not say so in time. Nobody may take it for on. */
static void an_off_that_failed_and_happened(void)
{
	struct kept k = { .device = { .on = 0 } };
	struct nvp_relay *relay;
	char line[700];

	begin(&k, "scpi", 0);
	relay = client(&k);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	k.device.about = "SYST:ERR?";
	k.device.fault = FAR_LATE;
	CU_ASSERT_EQUAL(nvp_power_arm(relay, NVP_POWER_OFF, &now_, NULL), 0);
	CU_ASSERT_EQUAL(next(relay), NVP_POWER_COMMANDED);
	CU_ASSERT_TRUE(comes(&k, 0));
	CU_ASSERT_EQUAL(next(relay), NVP_POWER_FAILED);
	CU_ASSERT_EQUAL(nvp_relay_err(relay)->code, -ETIMEDOUT);
	nvp_err_text(nvp_relay_err(relay), line, sizeof(line));
	CU_ASSERT_PTR_NOT_NULL(strstr(line, "\"SYST:ERR?\" was not answered"));
	k.device.fault = FAR_HEALTHY;
	CU_ASSERT_TRUE(comes(&k, 1));
	nvp_relay_close(relay);
	close(k.fd);
	end(&k);
}

CU_TestInfo nvp_unit_relay_kept[] = {
	{ "its user is killed", its_user_is_killed },
	{ "an off that failed and happened", an_off_that_failed_and_happened },
	CU_TEST_INFO_NULL,
};
