// SPDX-License-Identifier: GPL-2.0-or-later
// Loss of power of the simulated drive after every event: it comes back, and shows old or new.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/sim/mechanism.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define UNIT 8		/* blocks that the enterprise profile keeps together */
#define NR_UNITS 6
#define NR_BLOCKS (NR_UNITS * UNIT)
#define NR_COMMANDS 6

/* What a command does, one value in all of its blocks; an unmapped block reads as 0. */
struct step {
	enum { WRITE, FUA_WRITE, ZEROES, FLUSH, READ, DEALLOCATE } kind;
	unsigned first, nr;	/* blocks */
	uint8_t value;
};

static const struct step history[NR_COMMANDS] = {
	{ WRITE, 0, 16, 0x11 },
	{ FUA_WRITE, 16, 8, 0x22 },
	{ FLUSH, 0, 0, 0 },
	{ WRITE, 8, 8, 0x33 },
	{ ZEROES, 24, 8, 0 },
	{ DEALLOCATE, 32, 8, 0 },
};

/* Another order, with what must be seen in between and an overlap that no unit is aligned to. */
static const struct step second_history[NR_COMMANDS] = {
	{ FUA_WRITE, 4, 8, 0x44 },
	{ WRITE, 8, 8, 0x55 },
	{ READ, 0, 24, 0 },
	{ FUA_WRITE, 10, 4, 0x66 },
	{ FLUSH, 0, 0, 0 },
	{ WRITE, 0, 24, 0x77 },
};

#define OLD_VALUE(block) ((uint8_t)(0xa0 + (block) / UNIT))

static struct nvp_cmd command(struct sim_host *h, const struct step *s)
{
	struct nvp_cmd cmd;

	switch (s->kind) {
	case WRITE:
	case FUA_WRITE:
		memset(h->data, s->value, s->nr * 512);
		cmd = nvp_build_write(1, s->first, (uint16_t)(s->nr - 1), 512);
		if (s->kind == FUA_WRITE)
			cmd.sqe.bytes[51] |= 0x40;
		return cmd;
	case ZEROES:
		return nvp_build_write_zeroes(1, s->first, (uint16_t)(s->nr - 1), false);
	case FLUSH:
		return nvp_build_flush(1);
	case READ:
		return nvp_build_read(1, s->first, (uint16_t)(s->nr - 1), 512);
	default:
		memset(h->data, 0, 16);
		nvp_build_dsm_range(h->data, 0, s->nr, s->first);
		return nvp_build_dsm(1, 0, true, false, false);
	}
}

/* Each unit has a known, flushed content before the history begins. */
static bool prepare(struct sim_host *h)
{
	for (unsigned u = 0; u < NR_UNITS; u++) {
		struct step fill = { WRITE, u * UNIT, UNIT, OLD_VALUE(u * UNIT) };

		if (sim_host_status(sim_host_io(h, command(h, &fill))))
			return false;
	}
	return !sim_host_status(sim_host_io(h, nvp_build_flush(1)));
}

/* Issue the history one by one until the drive no longer answers; returns how many it answered. */
static unsigned play(struct sim_host *h, const struct step *steps)
{
	for (unsigned i = 0; i < NR_COMMANDS; i++) {
		struct nvp_cpl cpl = sim_host_io(h, command(h, &steps[i]));

		if (cpl.status.sct == 7)
			return i;
		CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	}
	return NR_COMMANDS;
}

static bool changes(const struct step *s, unsigned block)
{
	return s->kind != FLUSH && s->kind != READ && block >= s->first && block < s->first + s->nr;
}

/*
 * Was step i, answered, on the media for good when the drive stopped after `answered` answers?
 * No cache, FUA, or a Flush that was begun after its answer and was answered itself.
 */
static bool is_durable(const struct step *steps, unsigned i, unsigned answered, bool cache)
{
	if (i >= answered)
		return false;
	if (!cache || steps[i].kind == FUA_WRITE)
		return true;
	for (unsigned f = i + 1; f < answered; f++)
		if (steps[f].kind == FLUSH)
			return true;
	return false;
}

/* The values that a block may have: the last durable one and all that came after it. */
static bool is_allowed(const struct step *steps, unsigned answered, bool cache, unsigned block,
		       uint8_t value)
{
	bool allowed = value == OLD_VALUE(block);

	for (unsigned i = 0; i <= answered && i < NR_COMMANDS; i++) {
		if (!changes(&steps[i], block))
			continue;
		if (is_durable(steps, i, answered, cache))
			allowed = false;
		allowed |= value == steps[i].value;
	}
	return allowed;
}

/* A write of one unit is there as a whole or not at all, unless a later step wrote over it. */
static bool units_are_whole(const struct step *steps, unsigned answered, const uint8_t *blocks)
{
	for (unsigned i = 0; i <= answered && i < NR_COMMANDS; i++) {
		unsigned is_new = 0, could_be = 0;

		if ((steps[i].kind != WRITE && steps[i].kind != FUA_WRITE) || steps[i].nr > UNIT)
			continue;
		for (unsigned b = steps[i].first; b < steps[i].first + steps[i].nr; b++) {
			bool covered = false;

			for (unsigned j = i + 1; j <= answered && j < NR_COMMANDS; j++)
				covered |= changes(&steps[j], b);
			could_be += !covered;
			is_new += !covered && blocks[b * 512] == steps[i].value;
		}
		if (is_new && is_new != could_be)
			return false;
	}
	return true;
}

static bool judge(struct sim_host *h, const struct step *steps, unsigned answered, bool cache,
		  uint64_t cut)
{
	struct nvp_cpl cpl;

	cpl = sim_host_io(h, nvp_build_read(1, 0, NR_BLOCKS - 1, 512));
	if (sim_host_status(cpl))
		return false;
	for (unsigned b = 0; b < NR_BLOCKS; b++) {
		const uint8_t *block = h->data + b * 512;

		if (is_allowed(steps, answered, cache, b, block[0]) &&
		    !memcmp(block, block + 1, 511))
			continue;
		printf("cut %" PRIu64 ", answered %u, block %u: %02x\n", cut, answered, b,
		       block[0]);
		return false;
	}
	if (units_are_whole(steps, answered, h->data))
		return true;
	printf("cut %" PRIu64 ", answered %u: a unit is torn\n", cut, answered);
	return false;
}

/* One cut; false when the history (and what goes on behind it) ended before the cut came. */
static bool cut_once(const char *address, const struct step *steps, uint64_t cut, bool cache)
{
	struct sim_host h = { 0 };
	struct nvp_err err = { 0 };
	unsigned answered = 0;
	bool was_cut = false;

	if (!sim_host_open(&h, address) || !prepare(&h)) {
		CU_FAIL("cannot prepare");
		sim_host_close(&h);
		return false;
	}
	h.quiet = true;
	nvp_sim_cut_after_event(h.sim, cut);
	answered = play(&h, steps);
	sim_host_pass(&h, NVP_NS_PER_S);	/* what is cached is written out behind it */
	was_cut = !nvp_sim_powered(h.sim);
	h.quiet = false;
	nvp_sim_power(h.sim, false);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
	nvp_sim_power(h.sim, true);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_TRUE(sim_host_enable(&h) && sim_host_create_queues(&h));
	CU_ASSERT_TRUE(judge(&h, steps, answered, cache, cut));
	CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
	if (err.code)
		printf("cut %" PRIu64 ": %s: %s\n", cut, err.what, err.seen);
	sim_host_close(&h);
	return was_cut;
}

/* With several seeds, for they decide how much of a cache is lost; returns the cuts of one. */
static uint64_t cut_everywhere(const char *keys, const struct step *steps, bool cache)
{
	uint64_t cut = 1;

	for (unsigned seed = 1; seed <= 5; seed++) {
		char address[80];

		snprintf(address, sizeof(address), "sim:size=16M,seed=%u%s", seed, keys);
		for (cut = 1; cut < 5000 && cut_once(address, steps, cut, cache);)
			cut++;
		CU_ASSERT_TRUE(cut < 5000);
	}
	return cut - 1;
}

static void cut_after_every_event_with_cache(void)
{
	CU_ASSERT_TRUE(cut_everywhere("", history, true) > 60);
	CU_ASSERT_TRUE(cut_everywhere("", second_history, true) > 60);
}

static void cut_after_every_event_without_cache(void)
{
	CU_ASSERT_TRUE(cut_everywhere(",vwc=off", history, false) > 60);
	CU_ASSERT_TRUE(cut_everywhere(",vwc=absent", second_history, false) > 60);
}

static void cut_after_every_event_with_protection(void)
{
	CU_ASSERT_TRUE(cut_everywhere(",plp=on", history, false) > 25);
	CU_ASSERT_TRUE(cut_everywhere(",plp=on,vwc=absent", second_history, false) > 25);
}

/* ---- reset and abort between any two events ---- */

/* Run `events` events of the history, command after command; returns how many were answered. */
static unsigned play_events(struct sim_host *h, const struct step *steps, uint64_t events,
			    uint16_t *cid)
{
	for (unsigned i = 0; i < NR_COMMANDS; i++) {
		struct nvp_cmd cmd = command(h, &steps[i]);
		struct nvp_cpl cpl;

		*cid = sim_host_post(h, &h->io, &cmd);
		while (!sim_host_has_completion(h, &h->io))
			if (!events-- || !nvp_event_run_one(h->sim))
				return i;
		sim_host_reap(h, &h->io, &cpl);
		CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	}
	return NR_COMMANDS;
}

/* No power was lost: all that was answered is there, and nothing of before happens afterwards. */
static bool reset_once(const char *address, const struct step *steps, uint64_t events)
{
	struct sim_host h = { 0 };
	unsigned answered = NR_COMMANDS;
	static uint8_t before[NR_BLOCKS * 512];
	uint16_t cid;

	if (sim_host_open(&h, address) && prepare(&h)) {
		answered = play_events(&h, steps, events, &cid);
		CU_ASSERT_TRUE(sim_host_reset(&h));
		CU_ASSERT_TRUE(judge(&h, steps, answered, false, events));
		memcpy(before, h.data, sizeof(before));
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.io));
		CU_ASSERT_TRUE(judge(&h, steps, answered, false, events));
		CU_ASSERT_EQUAL(memcmp(before, h.data, sizeof(before)), 0);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
	}
	sim_host_close(&h);
	return answered < NR_COMMANDS;
}

static void reset_after_every_event(void)
{
	static const char *const addresses[] = { "sim:size=16M", "sim:size=16M,vwc=off",
						 "sim:size=16M,plp=on" };
	const struct step *const histories[] = { history, second_history };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		for (size_t j = 0; j < 2; j++) {
			uint64_t events = 0;

			while (events < 5000 && reset_once(addresses[i], histories[j], events))
				events++;
			CU_ASSERT_TRUE(events > 20 && events < 5000);
		}
	}
}

/* Abort the command that runs: one answer for each of the two, and the contents fit the answer. */
static bool abort_once(const char *address, const struct step *steps, uint64_t events,
		       unsigned *nr_aborted)
{
	struct sim_host h = { 0 };
	unsigned running = NR_COMMANDS;
	struct step done[NR_COMMANDS];
	struct nvp_cpl cpl, abort;
	uint16_t cid;

	if (sim_host_open(&h, address) && prepare(&h)) {
		running = play_events(&h, steps, events, &cid);
		if (running < NR_COMMANDS) {
			bool stopped;

			abort = sim_host_admin(&h, nvp_build_abort(1, cid));
			CU_ASSERT_EQUAL(sim_host_status(abort), 0);
			CU_ASSERT_TRUE(sim_host_reap(&h, &h.io, &cpl));
			stopped = sim_host_status(cpl) == 0x007;
			CU_ASSERT_EQUAL(cpl.cid, cid);
			CU_ASSERT_TRUE(stopped || sim_host_status(cpl) == 0);
			CU_ASSERT_EQUAL(abort.dw0 & 1, !stopped);
			*nr_aborted += stopped;
			sim_host_pass(&h, NVP_NS_PER_S);
			CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.io));
			memcpy(done, steps, sizeof(done));
			if (stopped)
				done[running].kind = FLUSH;	/* it did nothing */
			CU_ASSERT_TRUE(judge(&h, done, running + 1, false, events));
		}
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
	}
	sim_host_close(&h);
	return running < NR_COMMANDS;
}

static void abort_after_every_event(void)
{
	static const char *const addresses[] = { "sim:size=16M", "sim:size=16M,vwc=off" };
	unsigned nr_aborted = 0;

	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		uint64_t events = 0;

		while (events < 5000 &&
		       abort_once(addresses[i], history, events, &nr_aborted))
			events++;
		CU_ASSERT_TRUE(events > 20 && events < 5000);
	}
	CU_ASSERT_TRUE(nr_aborted > 0);
}

CU_TestInfo nvp_unit_sim_cut[] = {
	{ "cut after every event, with cache", cut_after_every_event_with_cache },
	{ "cut after every event, without cache", cut_after_every_event_without_cache },
	{ "cut after every event, with protection", cut_after_every_event_with_protection },
	{ "reset after every event", reset_after_every_event },
	{ "abort after every event", abort_after_every_event },
	CU_TEST_INFO_NULL,
};
