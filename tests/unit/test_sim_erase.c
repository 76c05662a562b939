// SPDX-License-Identifier: GPL-2.0-or-later
// Format NVM and Sanitize while power is lost: after each event that they have.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define DRIVE "sim:size=1M,ns=1"
#define OLD_LBAS 2048u		/* of 512 bytes */
#define NEW_LBAS 256u		/* of 4096 bytes */
#define PROBE 8u		/* blocks at either end that have data */

struct cut {
	uint64_t after;		/* events */
	bool completed;		/* the host saw success */
};

static struct nvp_id_ns identify(struct sim_host *h)
{
	struct nvp_id_ns id;

	CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(h, nvp_build_identify(0, 1, 0, 0, 0))), 0);
	nvp_decode_id_ns(h->data, NVP_IDENTIFY_BYTES, &id);
	return id;
}

static struct nvp_sanitize_log sanitize_log(struct sim_host *h)
{
	struct nvp_sanitize_log log;

	CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(h, nvp_build_get_log(
		0x81, NVP_NSID_ALL, 512, 0, false, 0))), 0);
	nvp_decode_sanitize_log(h->data, 512, &log);
	return log;
}

/* Data at both ends of the namespace that are on the media. */
static bool open_with_data(struct sim_host *h)
{
	if (!sim_host_open(h, DRIVE))
		return false;
	for (unsigned end = 0; end < 2; end++) {
		nvp_rand_fill(h->data, PROBE * 512, 1 + end);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(h, nvp_build_write(
			1, end * (OLD_LBAS - PROBE), PROBE - 1, 512))), 0);
	}
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(h, nvp_build_flush(1))), 0);
	return true;
}

/* How many of the blocks are as they were written; the others have to be zeroes. */
static unsigned old_blocks(struct sim_host *h)
{
	static const uint8_t zeroes[512];
	uint8_t was[PROBE * 512];
	unsigned nr = 0;

	for (unsigned end = 0; end < 2; end++) {
		nvp_rand_fill(was, sizeof(was), 1 + end);
		sim_host_fill(h, 0xa5);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(h, nvp_build_read(
			1, end * (OLD_LBAS - PROBE), PROBE - 1, 512))), 0);
		for (unsigned i = 0; i < PROBE; i++) {
			if (!memcmp(h->data + 512 * i, was + 512 * i, 512))
				nr++;
			else
				CU_ASSERT_EQUAL(memcmp(h->data + 512 * i, zeroes, 512), 0);
		}
	}
	return nr;
}

static void all_is_zero(struct sim_host *h, unsigned nr_lbas, unsigned lba_bytes)
{
	static const uint8_t zeroes[4096];

	for (unsigned end = 0; end < 2; end++) {
		sim_host_fill(h, 0xa5);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(h, nvp_build_read(
			1, end * (nr_lbas - PROBE), PROBE - 1, lba_bytes))), 0);
		for (unsigned i = 0; i < PROBE; i++)
			CU_ASSERT_EQUAL(memcmp(h->data + lba_bytes * i, zeroes, lba_bytes), 0);
	}
}

/* How many events cmd and the next 20 s have when nothing happens to them. */
static uint64_t events_of(const struct nvp_cmd *cmd)
{
	struct sim_host h = { 0 };
	uint64_t before, after = 0;

	if (open_with_data(&h)) {
		before = nvp_sim_events(h.sim);
		sim_host_post(&h, &h.admin, cmd);
		sim_host_pass(&h, 20 * NVP_NS_PER_S);
		CU_ASSERT_TRUE(sim_host_has_completion(&h, &h.admin));
		after = nvp_sim_events(h.sim) - before;
	}
	sim_host_close(&h);
	return after;
}

/* Posts cmd, loses power after so many events, and is on again. */
static bool cut_once(struct sim_host *h, const struct nvp_cmd *cmd, struct cut *cut)
{
	bool done;

	if (!open_with_data(h))
		return false;
	nvp_sim_cut_after_event(h->sim, cut->after);
	sim_host_post(h, &h->admin, cmd);
	sim_host_pass(h, 20 * NVP_NS_PER_S);
	done = sim_host_has_completion(h, &h->admin);
	cut->completed = done && !(h->admin.cq[16 * h->admin.head + 14] >> 1 |
				   h->admin.cq[16 * h->admin.head + 15]);
	CU_ASSERT_EQUAL(cut->completed, done);
	CU_ASSERT_EQUAL(nvp_sim_arena_check(h->arena, NULL), 0);
	CU_ASSERT_TRUE(sim_host_power_cycle(h));
	return true;
}

/*
 * The namespace has its old format, and each block of it is the old one or gone; or it has the new
 * one and nothing of what was. When the host saw the end, it is the new one.
 */
static void format_is_cut_anywhere(void)
{
	const struct nvp_cmd format = nvp_build_format(1, 1, false, 0, false, 0);
	uint64_t nr = events_of(&format);
	bool partly = false, untouched = false, done = false;

	CU_ASSERT(nr > 100);		/* a slice for each percent */
	for (struct cut cut = { .after = 1 }; cut.after <= nr; cut.after++) {
		struct sim_host h = { 0 };
		struct nvp_id_ns id;

		if (!cut_once(&h, &format, &cut))
			return;
		id = identify(&h);
		CU_ASSERT_EQUAL(id.fpi & 0x7f, 0);
		if (id.flbas & 0xf) {
			CU_ASSERT_EQUAL(id.flbas & 0xf, 1);
			CU_ASSERT_EQUAL(id.nsze_lbas, NEW_LBAS);
			all_is_zero(&h, NEW_LBAS, 4096);
			done = true;
		} else {
			unsigned old = old_blocks(&h);

			CU_ASSERT_FALSE(cut.completed);
			CU_ASSERT_EQUAL(id.nsze_lbas, OLD_LBAS);
			untouched |= old == 2 * PROBE;
			partly |= old && old < 2 * PROBE;
		}
		CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h, format)), 0);
		CU_ASSERT_EQUAL(identify(&h).nsze_lbas, NEW_LBAS);
		all_is_zero(&h, NEW_LBAS, 4096);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
		sim_host_close(&h);
	}
	CU_ASSERT_TRUE(untouched);
	CU_ASSERT_TRUE(partly);
	CU_ASSERT_TRUE(done);
}

/*
 * Either it never began and all is as it was; or it goes on by itself with the next power, even if
 * that is lost again as soon, and nothing is left (NVMe Base 2.0, 8.21).
 */
static void sanitize_is_cut_anywhere(void)
{
	static const uint8_t actions[] = { 2, 4 };	/* block erase, crypto erase */
	bool began = false, never = false, refused = false;

	for (unsigned i = 0; i < NVP_ARRAY_SIZE(actions); i++) {
		const struct nvp_cmd cmd = nvp_build_sanitize(actions[i], true, 1, false, false, 0);
		uint64_t nr = events_of(&cmd);

		CU_ASSERT(nr > 64);		/* a slice for each 64th */
		for (struct cut cut = { .after = 1 }; cut.after <= nr; cut.after++) {
			struct sim_host h = { 0 };

			if (!cut_once(&h, &cmd, &cut))
				return;
			if (!(sanitize_log(&h).status & 7)) {
				CU_ASSERT_FALSE(cut.completed);
				CU_ASSERT_EQUAL(old_blocks(&h), 2 * PROBE);
				never = true;
				sim_host_close(&h);
				continue;
			}
			began = true;
			if ((sanitize_log(&h).status & 7) == 2) {
				CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(
					1, 0, 0, 512))), NVP_SC_SANITIZE_IN_PROGRESS);
				refused = true;
			}
			nvp_sim_cut_after_event(h.sim, 1 + cut.after / 2);
			sim_host_pass(&h, 20 * NVP_NS_PER_S);
			CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
			CU_ASSERT_TRUE(sim_host_power_cycle(&h));
			sim_host_pass(&h, 20 * NVP_NS_PER_S);
			CU_ASSERT_EQUAL(sanitize_log(&h).status & 7, 1);
			CU_ASSERT_EQUAL(sanitize_log(&h).progress, 0xffff);
			CU_ASSERT_TRUE(sanitize_log(&h).global_data_erased);
			all_is_zero(&h, OLD_LBAS, 512);
			sim_host_close(&h);
		}
	}
	CU_ASSERT_TRUE(began);
	CU_ASSERT_TRUE(never);
	CU_ASSERT_TRUE(refused);
}

CU_TestInfo nvp_unit_sim_erase[] = {
	{ "format_is_cut_anywhere", format_is_cut_anywhere },
	{ "sanitize_is_cut_anywhere", sanitize_is_cut_anywhere },
	CU_TEST_INFO_NULL
};
