// SPDX-License-Identifier: GPL-2.0-or-later
// Self-tests and the subsystem reset of the simulated drive over time, resets and loss of power.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/sim/manage.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

static unsigned self_test(struct sim_host *h, uint32_t nsid, uint8_t code)
{
	return sim_host_status(sim_host_admin(h, nvp_build_self_test(nsid, code)));
}

static struct nvp_self_test_log read_log(struct sim_host *h)
{
	struct nvp_self_test_log log;

	sim_host_admin(h, nvp_build_get_log(6, NVP_NSID_ALL, 564, 0, true, 0));
	CU_ASSERT_EQUAL(nvp_decode_self_test_log(h->data, 564, &log), 0);
	return log;
}

static void progress(void)
{
	struct nvp_self_test_log log;
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	CU_ASSERT_EQUAL(self_test(&h, NVP_NSID_ALL, 2), 0);
	for (unsigned percent = 0; percent < 100; percent += 10) {
		log = read_log(&h);
		CU_ASSERT_EQUAL(log.current, 2);
		CU_ASSERT_EQUAL(log.percent_done, percent);
		sim_host_pass(&h, 24 * NVP_NS_PER_S);
	}
	log = read_log(&h);
	CU_ASSERT_EQUAL(log.current, 0);
	CU_ASSERT_EQUAL(log.result[0].result, 0);
	CU_ASSERT_EQUAL(log.result[0].code, 2);
	CU_ASSERT_EQUAL(log.result[0].nsid, NVP_NSID_ALL);
	CU_ASSERT_EQUAL(log.result[1].result, 0xf);
	sim_host_close(&h);
}

/* The extended one goes on with what was done; the short one is over. */
static void power(void)
{
	struct nvp_self_test_log log;
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	CU_ASSERT_EQUAL(self_test(&h, 1, 2), 0);
	sim_host_pass(&h, 130 * NVP_NS_PER_S);
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	log = read_log(&h);
	CU_ASSERT_EQUAL(log.current, 2);
	CU_ASSERT(log.percent_done >= 50 && log.percent_done < 60);
	sim_host_pass(&h, 130 * NVP_NS_PER_S);
	log = read_log(&h);
	CU_ASSERT_EQUAL(log.current, 0);
	CU_ASSERT_EQUAL(log.result[0].result, 0);
	CU_ASSERT_EQUAL(self_test(&h, 1, 1), 0);
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	log = read_log(&h);
	CU_ASSERT_EQUAL(log.current, 0);
	CU_ASSERT_EQUAL(log.result[0].result, 2);
	CU_ASSERT_EQUAL(log.result[0].code, 1);
	CU_ASSERT_EQUAL(log.result[1].result, 0);
	sim_host_close(&h);
}

static void statuses(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	CU_ASSERT_EQUAL(self_test(&h, 2, 1), 0x02);	/* inactive */
	CU_ASSERT_EQUAL(self_test(&h, 17, 1), 0x0b);
	for (uint8_t code = 0; code < 15; code++)
		if (code != 1 && code != 2)
			CU_ASSERT_EQUAL(self_test(&h, 0, code), 0x02);
	CU_ASSERT_EQUAL(self_test(&h, 0, 15), 0);
	CU_ASSERT_EQUAL(self_test(&h, 0, 1), 0);
	CU_ASSERT_EQUAL(self_test(&h, 0, 1), 0x11d);
	CU_ASSERT_EQUAL(self_test(&h, 0, 2), 0x11d);
	sim_host_close(&h);
	if (!sim_host_open(&h, "sim:size=16M,profile=minimal"))
		return;
	CU_ASSERT_EQUAL(self_test(&h, 0, 1), 0x01);
	sim_host_close(&h);
}

/* What format, sanitize and namespace management call. */
static void stopped_from_inside(void)
{
	struct nvp_self_test_log log;
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M,ns=2"))
		return;
	CU_ASSERT_EQUAL(self_test(&h, 1, 2), 0);
	nvp_self_test_stop(h.sim, 2, NVP_SELF_TEST_FORMAT);
	CU_ASSERT_EQUAL(read_log(&h).current, 2);
	nvp_self_test_stop(h.sim, 1, NVP_SELF_TEST_FORMAT);
	log = read_log(&h);
	CU_ASSERT_EQUAL(log.current, 0);
	CU_ASSERT_EQUAL(log.result[0].result, 4);
	CU_ASSERT_EQUAL(self_test(&h, NVP_NSID_ALL, 1), 0);
	nvp_self_test_stop(h.sim, 2, NVP_SELF_TEST_NS_REMOVED);
	CU_ASSERT_EQUAL(read_log(&h).result[0].result, 3);
	CU_ASSERT_EQUAL(self_test(&h, 0, 1), 0);
	nvp_self_test_stop(h.sim, NVP_NSID_ALL, NVP_SELF_TEST_SANITIZE);
	CU_ASSERT_EQUAL(read_log(&h).result[0].result, 9);
	sim_host_close(&h);
}

static void ring_of_twenty(void)
{
	struct nvp_self_test_log log;
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	for (unsigned i = 0; i < 25; i++) {
		CU_ASSERT_EQUAL(self_test(&h, i % 2, 1 + i / 2 % 2), 0);
		CU_ASSERT_EQUAL(self_test(&h, 0, 15), 0);
	}
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	log = read_log(&h);
	for (unsigned i = 0; i < 20; i++) {
		unsigned n = 24 - i;

		CU_ASSERT_EQUAL(log.result[i].nsid, n % 2);
		CU_ASSERT_EQUAL(log.result[i].code, 1 + n / 2 % 2);
		CU_ASSERT_EQUAL(log.result[i].result, 1);
	}
	sim_host_close(&h);
}

/* NSSRO outlives other resets and is gone with the power. */
static void subsystem_reset(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_REG_CAP, 8) >> 36 & 1, 1);
	nvp_sim_bar_write(h.sim, NVP_REG_NSSR, 4, 0x4e564d65);
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_REG_CSTS, 4), UINT32_MAX);
	CU_ASSERT_TRUE(sim_host_enable(&h));
	CU_ASSERT_TRUE(sim_host_create_queues(&h));
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_REG_CSTS, 4), 0x11);
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_REG_NSSR, 4), 0);
	CU_ASSERT_TRUE(sim_host_reset(&h));
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_REG_CSTS, 4), 0x11);
	nvp_sim_reset(h.sim, NVP_RESET_FUNCTION);
	CU_ASSERT_TRUE(sim_host_enable(&h));
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_REG_CSTS, 4), 0x11);
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_REG_CSTS, 4), 0x01);
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_self_test[] = {
	{ "progress", progress },
	{ "power", power },
	{ "statuses", statuses },
	{ "stopped_from_inside", stopped_from_inside },
	{ "ring_of_twenty", ring_of_twenty },
	{ "subsystem_reset", subsystem_reset },
	CU_TEST_INFO_NULL
};
