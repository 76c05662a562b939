// SPDX-License-Identifier: GPL-2.0-or-later
// Power states, timestamp and write protection of the simulated drive over time and loss of power.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

static struct nvp_cpl get(struct sim_host *h, uint8_t fid, uint32_t nsid)
{
	return sim_host_admin(h, nvp_build_get_features(fid, nsid, 0, 0));
}

static unsigned set(struct sim_host *h, uint8_t fid, uint32_t nsid, uint32_t dw11)
{
	return sim_host_status(sim_host_admin(h, nvp_build_set_features(fid, nsid, false, dw11)));
}

static void put_entry(struct sim_host *h, unsigned ps, unsigned to, uint32_t ms)
{
	nvp_put_le64(h->data + 8 * ps, (uint64_t)ms << 8 | to << 3);
}

/* From 0 to 3 after 100 ms, on to 4 after 2 s; a read leads back, and it takes its time. */
static void idle_transitions(void)
{
	struct sim_host h = { 0 };
	uint64_t before_ns;

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	memset(h.data, 0, 256);
	put_entry(&h, 0, 3, 100);
	put_entry(&h, 3, 4, 2000);
	CU_ASSERT_EQUAL(set(&h, 0x0c, 0, 1), 0);
	sim_host_pass(&h, 50 * NVP_NS_PER_MS);
	CU_ASSERT_EQUAL(get(&h, 2, 0).dw0, 0);
	sim_host_pass(&h, 150 * NVP_NS_PER_MS);
	CU_ASSERT_EQUAL(get(&h, 2, 0).dw0, 3);
	sim_host_pass(&h, 3 * NVP_NS_PER_S);
	CU_ASSERT_EQUAL(get(&h, 2, 0).dw0, 4);
	before_ns = nvp_clock_now_ns(nvp_sim_clock(h.sim));
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(1, 0, 0, 512))), 0);
	CU_ASSERT(nvp_clock_now_ns(nvp_sim_clock(h.sim)) - before_ns > 25 * NVP_NS_PER_MS);
	CU_ASSERT_EQUAL(get(&h, 2, 0).dw0, 0);
	CU_ASSERT_TRUE(sim_host_reset(&h));
	CU_ASSERT_EQUAL(get(&h, 0x0c, 0).dw0, 0);
	sim_host_pass(&h, 10 * NVP_NS_PER_S);
	CU_ASSERT_EQUAL(get(&h, 2, 0).dw0, 0);
	memset(h.data, 0, 256);
	put_entry(&h, 0, 2, 100);	/* operational */
	CU_ASSERT_EQUAL(set(&h, 0x0c, 0, 1), 0x02);
	put_entry(&h, 0, 5, 100);
	CU_ASSERT_EQUAL(set(&h, 0x0c, 0, 1), 0x02);
	sim_host_close(&h);
}

static struct nvp_timestamp timestamp(struct sim_host *h)
{
	struct nvp_timestamp time;

	CU_ASSERT_EQUAL(sim_host_status(get(h, 0x0e, 0)), 0);
	CU_ASSERT_EQUAL(nvp_decode_timestamp(h->data, 8, &time), 0);
	return time;
}

static void time_over_power(void)
{
	struct nvp_timestamp time;
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	CU_ASSERT_EQUAL(timestamp(&h).origin, 0);
	memset(h.data, 0xff, 8);
	CU_ASSERT_EQUAL(set(&h, 0x0e, 0, 0), 0);	/* 48 bits: it wraps */
	sim_host_pass(&h, NVP_NS_PER_S);
	time = timestamp(&h);
	CU_ASSERT(time.ms >= 999 && time.ms < 1100);
	CU_ASSERT_EQUAL(time.origin, 1);
	CU_ASSERT_TRUE(sim_host_reset(&h));
	CU_ASSERT_EQUAL(timestamp(&h).origin, 1);
	CU_ASSERT(timestamp(&h).ms > time.ms);
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	CU_ASSERT_EQUAL(timestamp(&h).origin, 0);
	sim_host_close(&h);
}

/* State 1 outlives the power, state 2 does not, and cannot be left before. */
static void protection_over_power(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd write = nvp_build_write(1, 0, 0, 512);

	if (!sim_host_open(&h, "sim:size=16M,ns=2"))
		return;
	CU_ASSERT_EQUAL(set(&h, 0x84, 1, 1), 0);
	CU_ASSERT_EQUAL(set(&h, 0x84, 2, 2), 0);
	CU_ASSERT_EQUAL(set(&h, 0x84, 2, 0), 0x10e);
	CU_ASSERT_EQUAL(set(&h, 0x84, 1, 3), 0x02);
	CU_ASSERT_EQUAL(set(&h, 0x84, 3, 1), 0x02);	/* inactive */
	CU_ASSERT_EQUAL(set(&h, 0x84, 0, 1), 0x0b);
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, write)), 0x20);
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	CU_ASSERT_EQUAL(get(&h, 0x84, 1).dw0, 1);
	CU_ASSERT_EQUAL(get(&h, 0x84, 2).dw0, 0);
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, write)), 0x20);
	CU_ASSERT_EQUAL(set(&h, 0x84, 1, 0), 0);
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, write)), 0);
	sim_host_close(&h);
}

/* What is in the cache is on the media when Set Features completes. */
static void protection_flushes(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	memset(h.data, 0x77, 512);
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_write(1, 9, 0, 512))), 0);
	CU_ASSERT_EQUAL(set(&h, 0x84, 1, 1), 0);
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(1, 9, 0, 512))), 0);
	CU_ASSERT_EQUAL(h.data[0], 0x77);
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_manage[] = {
	{ "idle_transitions", idle_transitions },
	{ "time_over_power", time_over_power },
	{ "protection_over_power", protection_over_power },
	{ "protection_flushes", protection_flushes },
	CU_TEST_INFO_NULL
};
