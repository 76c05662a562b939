// SPDX-License-Identifier: GPL-2.0-or-later
// The world of the simulated drive: order of events, determinism, the supply, the write path.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/rand.h"
#include "core/sim/cache.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

static void ok(struct sim_host *h, struct nvp_cmd cmd)
{
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(h, cmd)), 0);
}

/* ---- events ---- */

#define NR_EVENTS 3000

static uint64_t seen[NR_EVENTS];
static unsigned nr_seen;

static void note(struct nvp_sim *w, uint64_t argument)
{
	(void)w;
	if (nr_seen < NR_EVENTS)
		seen[nr_seen++] = argument;
}

static void events_run_by_time_then_by_sequence(void)
{
	struct nvp_sim_arena *a = nvp_sim_arena_new("sim:size=1M", 1, 0, NULL);
	struct nvp_sim *w = nvp_sim_new(a, NULL);
	uint64_t before;

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	nr_seen = 0;
	/* the argument carries the time and the place in the order of making */
	for (unsigned i = 0; i < NR_EVENTS; i++) {
		uint64_t delay = nvp_rand_below(3, "delay", i, 0, 50);

		nvp_event_add(w, NVP_SCOPE_DEVICE, delay, note, delay << 32 | i);
	}
	before = nvp_sim_events(w);
	nvp_event_run_until(w, w->now_ns + 100);
	CU_ASSERT_EQUAL(nr_seen, NR_EVENTS);
	CU_ASSERT_EQUAL(nvp_sim_events(w) - before, NR_EVENTS);
	for (unsigned i = 1; i < NR_EVENTS; i++)
		CU_ASSERT_TRUE(seen[i] > seen[i - 1]);
	nvp_event_run_until(w, w->now_ns + NVP_NS_PER_S); /* the drive's own come much later */
	CU_ASSERT_EQUAL(nvp_sim_events(w) - before, NR_EVENTS);
	nvp_sim_free(w);
	nvp_sim_arena_free(a);
}

static void an_ended_scope_takes_its_events_with_it(void)
{
	struct nvp_sim_arena *a = nvp_sim_arena_new("sim:size=1M", 1, 0, NULL);
	struct nvp_sim *w = nvp_sim_new(a, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	nr_seen = 0;
	nvp_event_add(w, NVP_SCOPE_CONTROLLER, 10, note, 1);
	nvp_event_add(w, NVP_SCOPE_DEVICE, 5, note, 2);
	nvp_event_add(w, NVP_SCOPE_RAIL, 20, note, 3);
	nvp_event_end_scope(w, NVP_SCOPE_CONTROLLER);
	nvp_event_add(w, NVP_SCOPE_CONTROLLER, 12, note, 4);
	CU_ASSERT_EQUAL(nvp_event_next_ns(w), w->now_ns + 5);
	nvp_event_run_until(w, w->now_ns + 100);
	CU_ASSERT_EQUAL(nr_seen, 3);
	CU_ASSERT_TRUE(seen[0] == 2 && seen[1] == 4 && seen[2] == 3);
	nvp_sim_free(w);
	nvp_sim_arena_free(a);
}

/* ---- determinism ---- */

/* A checksum over all completions, their times, and what is read in a mixed workload with a cut. */
static uint32_t fingerprint(const char *address)
{
	struct sim_host h = { 0 };
	uint32_t sum = 0;

	if (sim_host_open(&h, address)) {
		for (unsigned i = 0; i < 300; i++) {
			uint64_t slba = nvp_rand_below(5, "slba", i, 0, 1000);
			uint16_t nlb_z = (uint16_t)nvp_rand_below(5, "nlb", i, 0, 32);
			struct { struct nvp_cpl cpl; uint64_t now; uint32_t data; } record;

			memset(&record, 0, sizeof(record));
			if (i == 150)
				CU_ASSERT_TRUE(sim_host_power_cycle(&h));
			if (i % 3)
				nvp_rand_fill(h.data, (nlb_z + 1u) * 512, i);
			record.cpl = sim_host_io(&h, i % 3 ?
						 nvp_build_write(1, slba, nlb_z, 512) :
						 nvp_build_read(1, slba, nlb_z, 512));
			record.cpl.cid = 0;
			record.now = nvp_clock_now_ns(nvp_sim_clock(h.sim));
			record.data = nvp_crc32c(h.data, (nlb_z + 1u) * 512);
			sum = sum * 31 + nvp_crc32c(&record, sizeof(record));
		}
	}
	sim_host_close(&h);
	return sum;
}

static void the_same_seed_gives_the_same_drive(void)
{
	CU_ASSERT_EQUAL(fingerprint("sim:size=1M,seed=3"), fingerprint("sim:size=1M,seed=3"));
	CU_ASSERT_NOT_EQUAL(fingerprint("sim:size=1M,seed=3"),
			    fingerprint("sim:size=1M,seed=4"));
}

/* ---- the supply ---- */

static uint64_t count(struct sim_host *h, enum nvp_counter counter)
{
	return h->arena->header->counter[counter].count;
}

static void power_cycles_and_unsafe_shutdowns_are_counted(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:size=1M")) {
		CU_ASSERT_EQUAL(count(&h, NVP_COUNT_POWER_CYCLES), 1);
		CU_ASSERT_EQUAL(count(&h, NVP_COUNT_UNSAFE_SHUTDOWNS), 0);
		sim_host_power_cycle(&h);
		CU_ASSERT_EQUAL(count(&h, NVP_COUNT_POWER_CYCLES), 2);
		CU_ASSERT_EQUAL(count(&h, NVP_COUNT_UNSAFE_SHUTDOWNS), 1);
		nvp_sim_bar_write(h.sim, 0x14, 4, 0x00464001);
		sim_host_pass(&h, NVP_NS_PER_S);
		sim_host_power_cycle(&h);
		CU_ASSERT_EQUAL(count(&h, NVP_COUNT_UNSAFE_SHUTDOWNS), 1);
		/* shut down, but enabled again afterwards */
		nvp_sim_bar_write(h.sim, 0x14, 4, 0x00464001);
		sim_host_pass(&h, NVP_NS_PER_S);
		sim_host_reset(&h);
		sim_host_power_cycle(&h);
		CU_ASSERT_EQUAL(count(&h, NVP_COUNT_UNSAFE_SHUTDOWNS), 2);
		CU_ASSERT_TRUE(nvp_counted(h.sim, NVP_COUNT_POWER_ON_NS) > 2 * NVP_NS_PER_S);
		CU_ASSERT_TRUE(nvp_counted(h.sim, NVP_COUNT_POWER_ON_NS) < h.sim->now_ns);
	}
	sim_host_close(&h);
}

/* Between detection and death: no fetch, but what runs may still complete until the link goes. */
static void losing_power_takes_its_time(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd flush = nvp_build_flush(1);
	struct nvp_cpl cpl;

	if (sim_host_open(&h, "sim:size=1M")) {
		nvp_sim_power(h.sim, false);
		CU_ASSERT_FALSE(nvp_sim_powered(h.sim));
		sim_host_post(&h, &h.io, &flush);
		CU_ASSERT_TRUE(sim_host_reap(&h, &h.io, &cpl));	/* not detected yet */
		sim_host_pass(&h, h.sim->config->rail_ns[NVP_RAIL_DETECT]);
		sim_host_post(&h, &h.io, &flush);
		sim_host_pass(&h, 2 * NVP_NS_PER_MS);
		CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.io));
		CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, 0x1c, 4), 1);
		sim_host_pass(&h, h.sim->config->rail_ns[NVP_RAIL_LINK_DOWN]);
		CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, 0x1c, 4), 0xffffffff);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(nvp_event_next_ns(h.sim), NVP_NEVER_NS);	/* dead */
		nvp_sim_power(h.sim, true);
		CU_ASSERT_TRUE(nvp_sim_powered(h.sim));
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_TRUE(sim_host_enable(&h) && sim_host_create_queues(&h));
	}
	sim_host_close(&h);
}

static void power_back_before_it_was_dead_is_a_restart(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:size=1M")) {
		nvp_sim_power(h.sim, false);
		sim_host_pass(&h, NVP_NS_PER_MS);
		nvp_sim_power(h.sim, true);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(count(&h, NVP_COUNT_POWER_CYCLES), 2);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 4, 2) & 6, 0);
		CU_ASSERT_TRUE(sim_host_enable(&h) && sim_host_create_queues(&h));
		ok(&h, nvp_build_flush(1));
	}
	sim_host_close(&h);
}

/* ---- the write path against a plain array ---- */

#define MODEL_BLOCKS 600

static void check_all(struct sim_host *h, const uint8_t *model)
{
	for (unsigned at = 0; at < MODEL_BLOCKS; at += 200) {
		ok(h, nvp_build_read(1, at, 199, 512));
		CU_ASSERT_EQUAL(memcmp(h->data, model + at * 512, 200 * 512), 0);
	}
}

static void random_step(struct sim_host *h, uint8_t *model, unsigned i)
{
	unsigned slba = (unsigned)nvp_rand_below(11, "slba", i, 0, MODEL_BLOCKS - 64);
	unsigned nr = 1 + (unsigned)nvp_rand_below(11, "nr", i, 0, 64);
	struct nvp_cmd cmd;

	switch (nvp_rand_below(11, "kind", i, 0, 16)) {
	case 0:
		cmd = nvp_build_write_zeroes(1, slba, (uint16_t)(nr - 1), i & 1);
		memset(model + slba * 512, 0, nr * 512);
		break;
	case 1:
		nvp_build_dsm_range(h->data, 0, nr, slba);
		cmd = nvp_build_dsm(1, 0, true, false, false);
		memset(model + slba * 512, 0, nr * 512);
		break;
	case 2:
		cmd = nvp_build_flush(1);
		break;
	case 3:
		cmd = nvp_build_read(1, slba, (uint16_t)(nr - 1), 512);
		ok(h, cmd);
		CU_ASSERT_EQUAL(memcmp(h->data, model + slba * 512, nr * 512), 0);
		return;
	default:
		nvp_rand_fill(h->data, nr * 512, i);
		memcpy(model + slba * 512, h->data, nr * 512);
		cmd = nvp_build_write(1, slba, (uint16_t)(nr - 1), 512);
		if (nvp_rand_below(11, "fua", i, 0, 4) == 0)
			cmd.sqe.bytes[51] |= 0x40;
	}
	ok(h, cmd);
}

static void run_model(const char *address)
{
	uint8_t *model = calloc(MODEL_BLOCKS, 512);
	struct sim_host h = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	if (sim_host_open(&h, address)) {
		for (unsigned i = 0; i < 3000; i++) {
			random_step(&h, model, i);
			if (i % 500 == 250)
				sim_host_reset(&h);
			if (i % 700 == 350)
				sim_host_pass(&h, 20 * NVP_NS_PER_MS);
			if (i % 1000 == 999)
				check_all(&h, model);
		}
		nvp_sim_bar_write(h.sim, 0x14, 4, 0x00464001);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_TRUE(nvp_cache_empty(h.sim));
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
		CU_ASSERT_TRUE(sim_host_power_cycle(&h));
		check_all(&h, model);
		/* slots are used again: never more than what is mapped and what was in flight */
		CU_ASSERT_TRUE(h.arena->header->slots_used[0] <
			       MODEL_BLOCKS + 8u * h.sim->cache->nr_units);
	}
	sim_host_close(&h);
	free(model);
}

static void reads_see_the_last_write(void)
{
	run_model("sim:size=1M");
	run_model("sim:size=1M,vwc=off");
	run_model("sim:size=1M,plp=on");
}

/* A cache that is full makes writes wait, and loses none. */
static void more_writes_than_the_cache_holds(void)
{
	struct sim_host h = { 0 };
	unsigned nr;

	if (sim_host_open(&h, "sim:size=64M")) {
		nr = h.sim->cache->nr_cached_max + 500;
		for (unsigned i = 0; i < nr; i++) {
			nvp_put_le32(h.data, i);
			ok(&h, nvp_build_write(1, i * 8ULL, 7, 512));
		}
		for (unsigned i = 0; i < nr; i += 37) {
			ok(&h, nvp_build_read(1, i * 8ULL, 7, 512));
			CU_ASSERT_EQUAL(nvp_le32(h.data), i);
		}
		ok(&h, nvp_build_flush(1));
		CU_ASSERT_TRUE(nvp_cache_empty(h.sim));
		CU_ASSERT_EQUAL(nvp_sim_ns(h.sim, 1)->nr_used, nr * 8);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
	}
	sim_host_close(&h);
}

/* All of a large drive, some blocks of which were written: on the media and in the cache. */
static void a_large_range_is_deallocated(void)
{
	static const uint64_t written[] = { 0, 8, 5000000, 5000010, 300000000, 2147483640 };
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:size=1T")) {
		for (size_t i = 0; i < NVP_ARRAY_SIZE(written); i++) {
			memset(h.data, 0x5c, 4096);
			ok(&h, nvp_build_write(1, written[i], 7, 512));
			if (i == 2)
				ok(&h, nvp_build_flush(1));
		}
		nvp_build_dsm_range(h.data, 0, UINT32_MAX / 2 + 1, 0);
		ok(&h, nvp_build_dsm(1, 0, true, false, false));
		for (size_t i = 0; i < NVP_ARRAY_SIZE(written); i++) {
			memset(h.data, 1, 4096);
			ok(&h, nvp_build_read(1, written[i], 7, 512));
			CU_ASSERT_TRUE(nvp_all_zero(h.data, 4096));
		}
		ok(&h, nvp_build_flush(1));
		CU_ASSERT_EQUAL(nvp_sim_ns(h.sim, 1)->nr_used, 0);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
	}
	sim_host_close(&h);
}

static void the_real_clock_runs_by_itself(void)
{
	struct sim_host h = { 0 };
	const struct nvp_clock *clock;
	uint64_t now;

	if (sim_host_open(&h, "sim:size=1M,clock=real")) {
		clock = nvp_sim_clock(h.sim);
		CU_ASSERT_FALSE(clock->virtual_time);
		now = nvp_clock_now_ns(clock);
		memset(h.data, 0x61, 4096);
		ok(&h, nvp_build_write(1, 0, 7, 512));
		ok(&h, nvp_build_flush(1));
		CU_ASSERT_TRUE(nvp_clock_now_ns(clock) > now);
		now = nvp_clock_now_ns(clock);
		sim_host_pass(&h, 3 * NVP_NS_PER_MS);
		CU_ASSERT_TRUE(nvp_clock_now_ns(clock) >= now + 3 * NVP_NS_PER_MS);
	}
	sim_host_close(&h);
}

static void the_index_of_the_cache_finds_and_forgets(void)
{
	struct nvp_cache_state s = { 0 };
	const unsigned nr = NVP_CACHE_INDEX / 2;

	s.index = calloc(NVP_CACHE_INDEX, sizeof(*s.index));
	CU_ASSERT_PTR_NOT_NULL_FATAL(s.index);
	for (unsigned i = 0; i < nr; i++)
		nvp_cache_index_set(&s, i * 7, i);
	for (unsigned i = 0; i < nr; i += 3)
		nvp_cache_index_remove(&s, i * 7, i);
	for (unsigned i = 1; i < nr; i += 3)
		nvp_cache_index_remove(&s, i * 7, i + 1);	/* of another unit: stays */
	for (unsigned i = 0; i < nr; i++)
		CU_ASSERT_TRUE(nvp_cache_index_get(&s, i * 7) == (i % 3 ? i : NVP_NO_UNIT));
	CU_ASSERT_EQUAL(nvp_cache_index_get(&s, 1), NVP_NO_UNIT);
	free(s.index);
}

static void records_outlive_power_and_are_whole(void)
{
	struct nvp_sim_arena *a = nvp_sim_arena_new("sim:size=1M", 1, 0, NULL);
	struct nvp_sim *w = nvp_sim_new(a, NULL);
	uint8_t out[300], in[300];

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	nvp_nv_load(w, NVP_NV_MISC, out, sizeof(out));
	CU_ASSERT_TRUE(nvp_all_zero(out, sizeof(out)));
	for (unsigned i = 1; i <= 3; i++) {
		memset(in, (int)i, sizeof(in));
		nvp_nv_commit(w, NVP_NV_MISC, in, sizeof(in));
		nvp_nv_load(w, NVP_NV_MISC, out, sizeof(out));
		CU_ASSERT_EQUAL(memcmp(in, out, sizeof(in)), 0);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(a, NULL), 0);
	}
	nvp_sim_free(w);
	w = nvp_sim_new(a, NULL);
	nvp_nv_load(w, NVP_NV_MISC, out, sizeof(out));
	CU_ASSERT_EQUAL(memcmp(in, out, sizeof(in)), 0);
	nvp_nv_load(w, NVP_NV_SPARE_4, out, sizeof(out));
	CU_ASSERT_TRUE(nvp_all_zero(out, sizeof(out)));
	a->record[NVP_NV_MISC].copy[a->record[NVP_NV_MISC].selector & 1].bytes[5] ^= 1;
	CU_ASSERT_NOT_EQUAL(nvp_sim_arena_check(a, NULL), 0);
	nvp_sim_free(w);
	nvp_sim_arena_free(a);
}

static void counters_carry_into_the_upper_half(void)
{
	struct nvp_sim_arena *a = nvp_sim_arena_new("sim:size=1M", 1, 0, NULL);
	struct nvp_sim *w = nvp_sim_new(a, NULL);
	uint8_t value[16];

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	a->header->counter[NVP_COUNT_HOST_READS].base_low = UINT64_MAX - 2;
	a->header->counter[NVP_COUNT_HOST_READS].base_high = 7;
	nvp_count(w, NVP_COUNT_HOST_READS, 2);
	nvp_counter_get(w, NVP_COUNT_HOST_READS, value);
	CU_ASSERT_EQUAL(nvp_le64(value), UINT64_MAX);
	CU_ASSERT_EQUAL(nvp_le64(value + 8), 7);
	nvp_count(w, NVP_COUNT_HOST_READS, 5);
	nvp_counter_get(w, NVP_COUNT_HOST_READS, value);
	CU_ASSERT_EQUAL(nvp_le64(value), 4);
	CU_ASSERT_EQUAL(nvp_le64(value + 8), 8);
	nvp_sim_free(w);
	nvp_sim_arena_free(a);
}

CU_TestInfo nvp_unit_sim_world[] = {
	{ "events run by time, then by sequence", events_run_by_time_then_by_sequence },
	{ "an ended scope takes its events with it", an_ended_scope_takes_its_events_with_it },
	{ "the same seed gives the same drive", the_same_seed_gives_the_same_drive },
	{ "power cycles and unsafe shutdowns are counted",
	  power_cycles_and_unsafe_shutdowns_are_counted },
	{ "losing power takes its time", losing_power_takes_its_time },
	{ "power back before it was dead is a restart",
	  power_back_before_it_was_dead_is_a_restart },
	{ "reads see the last write", reads_see_the_last_write },
	{ "more writes than the cache holds", more_writes_than_the_cache_holds },
	{ "a large range is deallocated", a_large_range_is_deallocated },
	{ "the real clock runs by itself", the_real_clock_runs_by_itself },
	{ "the index of the cache finds and forgets", the_index_of_the_cache_finds_and_forgets },
	{ "records outlive power and are whole", records_outlive_power_and_are_whole },
	{ "counters carry into the upper half", counters_carry_into_the_upper_half },
	CU_TEST_INFO_NULL,
};
