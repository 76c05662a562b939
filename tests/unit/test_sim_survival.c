// SPDX-License-Identifier: GPL-2.0-or-later
// What survives in the simulated drive: cached data by its rules, the arena of a killed process.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvproof/build.h>

#include "core/sim/mechanism.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define UNIT 8		/* blocks that the enterprise profile keeps together */

/* All of the unit's bytes are value; returns the status. */
static unsigned write_unit(struct sim_host *h, unsigned slba, uint8_t value, bool fua)
{
	struct nvp_cmd cmd = nvp_build_write(1, slba, UNIT - 1, 512);

	memset(h->data, value, UNIT * 512);
	if (fua)
		cmd.sqe.bytes[51] |= 0x40;
	return sim_host_status(sim_host_io(h, cmd));
}

#define NR_WRITES 64

/* Units that kept their new content over a cut right after 64 acknowledged writes. */
static unsigned nr_survivors(const char *address, const char *then, uint8_t *kept)
{
	struct sim_host h = { 0 };
	unsigned survivors = 0;

	if (!sim_host_open(&h, address)) {
		sim_host_close(&h);
		return 0;
	}
	for (unsigned i = 0; i < NR_WRITES; i++) {
		CU_ASSERT_EQUAL(write_unit(&h, i * UNIT, (uint8_t)(i + 1), false), 0);
	}
	if (!strcmp(then, "flush"))
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(1))), 0);
	if (!strcmp(then, "reset"))
		CU_ASSERT_TRUE(sim_host_reset(&h));
	if (!strcmp(then, "shutdown")) {
		nvp_sim_bar_write(h.sim, 0x14, 4, 0x00464001);
		sim_host_pass(&h, NVP_NS_PER_S);
	}
	if (strcmp(then, "reset")) {
		nvp_sim_cut_after_event(h.sim, 1);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	}
	for (unsigned i = 0; i < NR_WRITES; i++) {
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(1, i * UNIT,
				UNIT - 1, 512))), 0);
		kept[i] = h.data[0];
		survivors += h.data[0] == i + 1;
	}
	sim_host_close(&h);
	return survivors;
}

static void acknowledged_writes_follow_their_rules(void)
{
	uint8_t kept[NR_WRITES];
	unsigned least = NR_WRITES, most = 0;

	for (unsigned seed = 1; seed <= 12; seed++) {
		char address[64];
		unsigned nr;

		snprintf(address, sizeof(address), "sim:size=16M,seed=%u", seed);
		nr = nr_survivors(address, "nothing", kept);
		least = nr < least ? nr : least;
		most = nr > most ? nr : most;
	}
	CU_ASSERT_TRUE(least < NR_WRITES);	/* the cache is volatile */
	CU_ASSERT_TRUE(most > least);		/* and what it loses differs */
	CU_ASSERT_EQUAL(nr_survivors("sim:size=16M", "flush", kept), NR_WRITES);
	CU_ASSERT_EQUAL(nr_survivors("sim:size=16M", "reset", kept), NR_WRITES);
	CU_ASSERT_EQUAL(nr_survivors("sim:size=16M", "shutdown", kept), NR_WRITES);
	CU_ASSERT_EQUAL(nr_survivors("sim:size=16M,vwc=off", "nothing", kept), NR_WRITES);
	CU_ASSERT_EQUAL(nr_survivors("sim:size=16M,vwc=absent", "nothing", kept), NR_WRITES);
	CU_ASSERT_EQUAL(nr_survivors("sim:size=16M,plp=on", "nothing", kept), NR_WRITES);
}

static void the_seed_decides_what_survives(void)
{
	uint8_t first[NR_WRITES], again[NR_WRITES], other[NR_WRITES];
	bool differs = false;

	nr_survivors("sim:size=16M,seed=4", "nothing", first);
	nr_survivors("sim:size=16M,seed=4", "nothing", again);
	CU_ASSERT_EQUAL(memcmp(first, again, sizeof(first)), 0);
	for (unsigned seed = 5; seed < 12 && !differs; seed++) {
		char address[64];

		snprintf(address, sizeof(address), "sim:size=16M,seed=%u", seed);
		nr_survivors(address, "nothing", other);
		differs = memcmp(first, other, sizeof(first)) != 0;
	}
	CU_ASSERT_TRUE(differs);
}

/* ---- a process that dies ---- */

static void child(struct nvp_sim_arena *arena, int fd)
{
	struct sim_host h = { .arena = arena, .quiet = true };
	unsigned i = 0;

	if (!sim_host_power_on(&h))
		_exit(1);
	if (write(fd, "x", 1) != 1)
		_exit(1);
	for (;; i++) {
		write_unit(&h, i * 5 % 1000, (uint8_t)(i | 1), i % 3 == 0);
		if (i % 16 == 15)
			sim_host_io(&h, nvp_build_flush(1));
	}
}

static void a_killed_process_leaves_a_valid_arena(void)
{
	struct nvp_err err = { 0 };
	struct nvp_sim_arena *arena = nvp_sim_arena_new("sim:size=16M", 1, 0, &err);
	struct sim_host h = { 0 };
	uint64_t unsafe;

	CU_ASSERT_PTR_NOT_NULL_FATAL(arena);
	for (unsigned i = 0; i < 20; i++) {
		int fd[2];
		char byte;
		pid_t pid;

		if (pipe(fd)) {
			CU_FAIL("pipe");
			break;
		}
		fflush(NULL);
		pid = fork();
		if (!pid)
			child(arena, fd[1]);
		close(fd[1]);
		CU_ASSERT_EQUAL(read(fd[0], &byte, 1), 1);
		usleep(2000 + 700 * i);		/* only where the kill lands depends on it */
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		close(fd[0]);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(arena, &err), 0);
	}
	unsafe = arena->header->counter[NVP_COUNT_UNSAFE_SHUTDOWNS].count;
	CU_ASSERT_EQUAL(unsafe, 19);
	h.arena = arena;
	CU_ASSERT_TRUE(sim_host_power_on(&h));
	CU_ASSERT_EQUAL(arena->header->counter[NVP_COUNT_UNSAFE_SHUTDOWNS].count, 20);
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(1, 0, 7, 512))), 0);
	sim_host_close(&h);
}

static void a_broken_arena_is_seen(void)
{
	struct sim_host h = { 0 };
	struct nvp_err err = { 0 };

	if (sim_host_open(&h, "sim:size=16M")) {
		uint64_t entry;

		CU_ASSERT_EQUAL(write_unit(&h, 0, 0x31, true), 0);
		entry = h.arena->map[3];
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
		h.arena->map[3] = h.arena->map[4];	/* one slot in two places */
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, &err), -EUCLEAN);
		h.arena->map[3] = entry;
		nvp_arena_data(h.arena, NVP_MAP_SLOT(entry))[7] ^= 1;
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), -EUCLEAN);
		nvp_arena_data(h.arena, NVP_MAP_SLOT(entry))[7] ^= 1;
		h.arena->map[3] = NVP_MAP_ENTRY(NVP_MAP_DATA, h.arena->header->slots_used[0]);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), -EUCLEAN);
		h.arena->map[3] = entry;
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
		h.arena->header->counter[NVP_COUNT_HOST_WRITES].count--;
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), -EUCLEAN);
		h.arena->header->counter[NVP_COUNT_HOST_WRITES].count++;
	}
	sim_host_close(&h);
}

static void a_torn_unit_is_a_defect(void)
{
	struct sim_host h = { 0 };
	bool torn = false;

	for (uint64_t cut = 1; cut < 60 && !torn; cut++) {
		unsigned is_new = 0;

		h = (struct sim_host){ .quiet = true };
		if (sim_host_open(&h, "sim:size=16M")) {
			h.arena->config.defects.mask[NVP_HOOK_MEDIA_TORN / 64] |=
				UINT64_C(1) << (NVP_HOOK_MEDIA_TORN % 64);
			nvp_sim_cut_after_event(h.sim, cut);
			write_unit(&h, 0, 0x99, true);
			sim_host_pass(&h, NVP_NS_PER_S);
			sim_host_power_cycle(&h);
			CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
			sim_host_io(&h, nvp_build_read(1, 0, UNIT - 1, 512));
			for (unsigned b = 0; b < UNIT; b++)
				is_new += h.data[b * 512] == 0x99;
			torn = is_new > 0 && is_new < UNIT;
		}
		sim_host_close(&h);
	}
	CU_ASSERT_TRUE(torn);
}

CU_TestInfo nvp_unit_sim_survival[] = {
	{ "acknowledged writes follow their rules", acknowledged_writes_follow_their_rules },
	{ "the seed decides what survives", the_seed_decides_what_survives },
	{ "a killed process leaves a valid arena", a_killed_process_leaves_a_valid_arena },
	{ "a broken arena is seen", a_broken_arena_is_seen },
	{ "a torn unit is a defect", a_torn_unit_is_a_defect },
	CU_TEST_INFO_NULL,
};
