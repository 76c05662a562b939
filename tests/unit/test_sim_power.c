// SPDX-License-Identifier: GPL-2.0-or-later
// The supply of the simulated drive: its times, stored energy, and what is left of a cache.

#include <stdio.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/sim/sim.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define UNIT 8u		/* blocks that the enterprise profile keeps together */
#define NR_WRITES 64u

/* Units that hold their data after acknowledged writes and a loss of power at once; bit by bit. */
static uint64_t survivors(const char *address)
{
	struct sim_host h = { 0 };
	uint64_t kept = 0;

	if (sim_host_open(&h, address)) {
		for (unsigned i = 0; i < NR_WRITES; i++) {
			memset(h.data, (int)i + 1, UNIT * 512);
			CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_write(1, i * UNIT,
					UNIT - 1, 512))), 0);
		}
		CU_ASSERT_TRUE(sim_host_power_cycle(&h));
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
		for (unsigned i = 0; i < NR_WRITES; i++) {
			bool whole = true;

			CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(1, i * UNIT,
					UNIT - 1, 512))), 0);
			for (unsigned b = 1; b < UNIT * 512; b++)
				whole &= h.data[b] == h.data[0];
			CU_ASSERT_TRUE(whole);	/* old or new, never a part */
			kept |= (uint64_t)(h.data[0] == i + 1) << i;
		}
	}
	sim_host_close(&h);
	return kept;
}

static void energy_that_lasts_saves_all(void)
{
	CU_ASSERT_EQUAL(survivors("sim:size=16M,plp=on"), UINT64_MAX);
	CU_ASSERT_EQUAL(survivors("sim:size=16M,plp=on,profile=minimal"), UINT64_MAX);
}

/* Written in the order of acknowledgement: what is missing are the newest. */
static void energy_that_ends_early_saves_the_oldest(void)
{
	uint64_t some = survivors("sim:size=16M,plp=on,hold-up-us=100");

	CU_ASSERT_EQUAL(survivors("sim:size=16M,plp=on,hold-up-us=0"), 0);
	CU_ASSERT_NOT_EQUAL(some, 0);
	CU_ASSERT_NOT_EQUAL(some, UINT64_MAX);
	CU_ASSERT_EQUAL(some & (some + 1), 0);
}

static void losses_of_a_cache(void)
{
	unsigned between = 0;

	CU_ASSERT_EQUAL(survivors("sim:size=16M,cache-loss=all"), 0);
	for (unsigned seed = 1; seed <= 6; seed++) {
		char address[80];
		uint64_t kept;

		snprintf(address, sizeof(address), "sim:size=16M,cache-loss=newest,seed=%u", seed);
		kept = survivors(address);
		CU_ASSERT_EQUAL(kept & (kept + 1), 0);	/* a prefix */
		between += kept && kept != UINT64_MAX;
	}
	CU_ASSERT_TRUE(between > 0);
}

static bool answers(struct sim_host *h)
{
	return nvp_sim_config_read(h->sim, 0, 4) != UINT32_MAX;
}

static void times_are_those_of_the_address(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:size=16M,link-down-us=700,dead-us=900,power-on-us=3000,"
			      "train-us=2000")) {
		nvp_sim_power(h.sim, false);
		sim_host_pass(&h, 690 * NVP_NS_PER_US);
		CU_ASSERT_TRUE(answers(&h));
		sim_host_pass(&h, 20 * NVP_NS_PER_US);
		CU_ASSERT_FALSE(answers(&h));
		sim_host_pass(&h, NVP_NS_PER_MS);
		nvp_sim_power(h.sim, true);
		sim_host_pass(&h, 4900 * NVP_NS_PER_US);
		CU_ASSERT_FALSE(answers(&h));
		sim_host_pass(&h, 110 * NVP_NS_PER_US);
		CU_ASSERT_TRUE(answers(&h));
	}
	sim_host_close(&h);
}

/* Power that is back while the energy lasts: nothing is lost. */
static void power_back_within_the_energy(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:size=16M,plp=on")) {
		memset(h.data, 0x77, UNIT * 512);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_write(1, 0, UNIT - 1,
				512))), 0);
		nvp_sim_power(h.sim, false);
		sim_host_pass(&h, 210 * NVP_NS_PER_US);
		nvp_sim_power(h.sim, true);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_TRUE(sim_host_enable(&h) && sim_host_create_queues(&h));
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(1, 0, UNIT - 1,
				512))), 0);
		CU_ASSERT_EQUAL(h.data[0], 0x77);
	}
	sim_host_close(&h);
}

/* Each defect of power says as which failure class it shows. */
static void classes_are_named(void)
{
	unsigned nr = 0;

	for (const struct nvp_sim_defect *d = nvp_sim_defects(); d->name; d++) {
		if (strcmp(d->area, "powerloss"))
			continue;
		nr++;
		CU_ASSERT_PTR_NOT_NULL(d->class_words);
		if (d->class_words)
			CU_ASSERT_EQUAL(strspn(d->class_words, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_|"),
					strlen(d->class_words));
	}
	CU_ASSERT_TRUE(nr >= 50);
}

CU_TestInfo nvp_unit_sim_power[] = {
	{ "energy that lasts saves all", energy_that_lasts_saves_all },
	{ "energy that ends early saves the oldest", energy_that_ends_early_saves_the_oldest },
	{ "losses of a cache", losses_of_a_cache },
	{ "times are those of the address", times_are_those_of_the_address },
	{ "power back within the energy", power_back_within_the_energy },
	{ "classes are named", classes_are_named },
	CU_TEST_INFO_NULL
};
