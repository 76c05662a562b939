// SPDX-License-Identifier: GPL-2.0-or-later
// Persistent events of the simulated drive: over power, resets and cuts, in a full log, once a day.

#include <stdio.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/sim/arena.h"
#include "core/sim/persistent_event.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define MOST_EVENTS 1100

/* The log in a context of its own, by type, newest first. */
struct seen {
	struct nvp_persistent_log log;
	unsigned nr;
	struct { uint8_t type; uint32_t bytes; uint8_t data[44]; } event[MOST_EVENTS];
};

static struct nvp_cpl get(struct sim_host *h, uint8_t action, uint64_t offset, uint32_t bytes)
{
	return sim_host_admin(h, nvp_build_get_log(0x0d, NVP_NSID_ALL, bytes, offset, true,
						   action));
}

static void look(struct sim_host *h, struct seen *seen)
{
	static uint8_t page[640 << 10];
	struct nvp_persistent_event event;
	uint64_t at;

	memset(seen, 0, sizeof(*seen));
	get(h, 2, 0, 512);
	CU_ASSERT_EQUAL(sim_host_status(get(h, 1, 0, 512)), 0);
	nvp_decode_persistent_log(h->data, 512, &seen->log);
	CU_ASSERT_FATAL(seen->log.bytes >= 512 && seen->log.bytes <= sizeof(page));
	for (at = 0; at < seen->log.bytes; at += 65536) {
		uint64_t left = seen->log.bytes - at;
		uint32_t bytes = left < 65536 ? (uint32_t)left : 65536;

		CU_ASSERT_EQUAL(sim_host_status(get(h, 0, at, (bytes + 3) & ~3u)), 0);
		memcpy(page + at, h->data, bytes);
	}
	for (at = 512; at < seen->log.bytes; at += event.bytes) {
		CU_ASSERT_EQUAL_FATAL(nvp_decode_persistent_event(page + at, seen->log.bytes - at,
								  &event), 0);
		CU_ASSERT_FATAL(seen->nr < MOST_EVENTS);
		seen->event[seen->nr].type = event.type;
		seen->event[seen->nr].bytes = event.bytes;
		memcpy(seen->event[seen->nr++].data, event.data,
		       nvp_min_u64(event.data_bytes, sizeof(seen->event[0].data)));
	}
	CU_ASSERT_EQUAL(seen->nr, seen->log.nr_events);
	get(h, 2, 0, 512);
}

static unsigned count(const struct seen *seen, uint8_t type)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < seen->nr; i++)
		nr += seen->event[i].type == type;
	return nr;
}

static struct seen seen;

static void power_and_resets_are_recorded(void)
{
	struct sim_host h = { 0 };

	CU_ASSERT_TRUE_FATAL(sim_host_open(&h, "sim:size=16M"));
	look(&h, &seen);
	CU_ASSERT_EQUAL(seen.log.nr_events, 2);
	CU_ASSERT_EQUAL(seen.event[0].type, NVP_PEL_SNAPSHOT);
	CU_ASSERT_EQUAL(seen.event[1].type, NVP_PEL_RESET);
	CU_ASSERT_EQUAL(seen.log.power_cycles, 1);
	CU_ASSERT_TRUE(sim_host_reset(&h));
	look(&h, &seen);
	CU_ASSERT_EQUAL(seen.nr, 3);
	CU_ASSERT_EQUAL(seen.event[0].type, NVP_PEL_RESET);
	/* power goes without a shutdown: an error of the hardware, and the count of such losses */
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	look(&h, &seen);
	CU_ASSERT_EQUAL(seen.nr, 6);
	CU_ASSERT_EQUAL(seen.event[2].type, NVP_PEL_HARDWARE_ERROR);
	CU_ASSERT_EQUAL(nvp_le16(seen.event[2].data), NVP_PEL_POWER_LOST);
	CU_ASSERT_EQUAL(nvp_le64(seen.event[2].data + 4), 1);
	CU_ASSERT_EQUAL(seen.log.power_cycles, 2);
	/* .. and with one: none */
	nvp_sim_bar_write(h.sim, 0x14, 4, 0x00464001);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	look(&h, &seen);
	CU_ASSERT_EQUAL(seen.nr, 8);
	CU_ASSERT_EQUAL(count(&seen, NVP_PEL_HARDWARE_ERROR), 1);
	sim_host_close(&h);
}

static void fatal_status_is_recorded(void)
{
	struct sim_host h = { 0 };

	CU_ASSERT_TRUE_FATAL(sim_host_open(&h, "sim:size=16M"));
	CU_ASSERT_TRUE(sim_host_disable(&h));
	nvp_sim_bar_write(h.sim, 0x24, 4, 0);		/* AQA without entries */
	nvp_sim_bar_write(h.sim, 0x14, 4, 0x00460001);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, 0x1c, 4) & 2, 2);
	CU_ASSERT_TRUE(sim_host_disable(&h));
	CU_ASSERT_TRUE(sim_host_enable(&h));
	look(&h, &seen);
	CU_ASSERT_EQUAL(count(&seen, NVP_PEL_HARDWARE_ERROR), 1);
	CU_ASSERT_EQUAL(nvp_le16(seen.event[1].data), NVP_PEL_FATAL_STATUS);
	CU_ASSERT_EQUAL(seen.event[1].bytes, 24 + 4);
	sim_host_close(&h);
}

static void a_snapshot_each_day(void)
{
	struct sim_host h = { 0 };

	CU_ASSERT_TRUE_FATAL(sim_host_open(&h, "sim:size=16M"));
	for (unsigned hour = 0; hour < 73; hour++)
		sim_host_pass(&h, 3600 * NVP_NS_PER_S);
	look(&h, &seen);
	CU_ASSERT_EQUAL(count(&seen, NVP_PEL_SNAPSHOT), 4);
	CU_ASSERT_EQUAL(seen.log.power_on_hours.low, 73);
	sim_host_close(&h);
}

/* The oldest make room, PELS holds, and the arena stays valid over the end of the ring. */
static void a_full_log_keeps_the_newest(void)
{
	struct nvp_err err = { 0 };
	struct sim_host h = { 0 };

	CU_ASSERT_TRUE_FATAL(sim_host_open(&h, "sim:size=16M"));
	for (unsigned i = 0; i < 2 * NVP_PEL_SLOTS + 7; i++) {
		sim_host_admin(&h, nvp_build_set_features(0x04, 0, false, 400 + i % 2));
		if (i % 211 == 0) {
			CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
		}
	}
	look(&h, &seen);
	CU_ASSERT_EQUAL(seen.nr, NVP_PEL_SLOTS - 1);
	CU_ASSERT_EQUAL(count(&seen, NVP_PEL_SET_FEATURE), NVP_PEL_SLOTS - 1);
	for (unsigned i = 0; i + 1 < seen.nr; i++)
		CU_ASSERT_NOT_EQUAL(nvp_le32(seen.event[i].data + 8),
				    nvp_le32(seen.event[i + 1].data + 8));
	CU_ASSERT_EQUAL(nvp_le32(seen.event[0].data + 8), 400 + (2 * NVP_PEL_SLOTS + 6) % 2);
	sim_host_admin(&h, nvp_build_identify(1, 0, 0, 0, 0));
	CU_ASSERT_TRUE(seen.log.bytes <= nvp_le32(h.data + 352) * 65536);
	sim_host_close(&h);
}

/* What a cut leaves of a Format NVM and a sanitize: events that are whole, never more than were. */
static void cut_anywhere(void)
{
	struct nvp_err err = { 0 };

	for (unsigned n = 1; n <= 400; n += 3) {
		struct sim_host h = { 0 };
		struct nvp_cmd cmd = n % 2 ? nvp_build_format(1, 0, false, 0, false, 0) :
					     nvp_build_sanitize(4, true, 1, false, false, 0);
		unsigned starts, ends;

		CU_ASSERT_TRUE_FATAL(sim_host_open(&h, "sim:size=16M"));
		nvp_sim_cut_after_event(h.sim, n);
		sim_host_post(&h, &h.admin, &cmd);
		sim_host_pass(&h, 10 * NVP_NS_PER_S);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
		CU_ASSERT_TRUE(sim_host_power_cycle(&h));
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
		sim_host_pass(&h, 10 * NVP_NS_PER_S);
		look(&h, &seen);
		starts = count(&seen, n % 2 ? NVP_PEL_FORMAT_START : NVP_PEL_SANITIZE_START);
		ends = count(&seen, n % 2 ? NVP_PEL_FORMAT_DONE : NVP_PEL_SANITIZE_DONE);
		CU_ASSERT_TRUE(starts <= 1 && ends <= starts);
		CU_ASSERT_TRUE(n % 2 || ends == starts);	/* a sanitize goes on to its end */
		sim_host_close(&h);
	}
}

static void a_broken_event_is_seen(void)
{
	struct nvp_err err = { 0 };
	struct sim_host h = { 0 };
	struct nvp_pel_ring *ring;

	CU_ASSERT_TRUE_FATAL(sim_host_open(&h, "sim:size=16M"));
	ring = (void *)((uint8_t *)h.arena->header + h.arena->header->reserve_offset);
	CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
	ring->slot[0].event[5] ^= 1;
	CU_ASSERT_NOT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
	ring->slot[0].event[5] ^= 1;
	ring->slot[1].number++;
	CU_ASSERT_NOT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
	ring->slot[1].number--;
	ring->first = ring->next + 1;
	CU_ASSERT_NOT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
	ring->first = 0;
	ring->slot[1].bytes = sizeof(ring->slot[1].event) + 1;
	CU_ASSERT_NOT_EQUAL(nvp_sim_arena_check(h.arena, &err), 0);
	sim_host_close(&h);
}

/* A log that the drive has not is refused, and nothing is recorded. */
static void a_drive_without_it(void)
{
	struct sim_host h = { 0 };

	CU_ASSERT_TRUE_FATAL(sim_host_open(&h, "sim:size=16M,profile=minimal"));
	CU_ASSERT_EQUAL(sim_host_status(get(&h, 1, 0, 512)), 0x109);
	sim_host_admin(&h, nvp_build_identify(1, 0, 0, 0, 0));
	CU_ASSERT_EQUAL(h.data[261] & 1 << 4, 0);
	CU_ASSERT_EQUAL(nvp_le32(h.data + 352), 0);
	CU_ASSERT_EQUAL(((struct nvp_pel_ring *)((uint8_t *)h.arena->header +
						 h.arena->header->reserve_offset))->next, 0);
	sim_host_close(&h);
}

/* Offsets into a context, behind it, and that a refused Establish leaves none. */
static void offsets(void)
{
	struct sim_host h = { 0 };

	CU_ASSERT_TRUE_FATAL(sim_host_open(&h, "sim:size=16M"));
	CU_ASSERT_EQUAL(sim_host_status(get(&h, 1, 1 << 20, 512)), 0x002);
	CU_ASSERT_EQUAL(sim_host_status(get(&h, 0, 0, 512)), 0x00c);
	CU_ASSERT_EQUAL(sim_host_status(get(&h, 1, 512, 24)), 0);
	CU_ASSERT_EQUAL(h.data[0], NVP_PEL_SNAPSHOT);
	CU_ASSERT_EQUAL(sim_host_status(get(&h, 0, 2, 24)), 0x002);
	CU_ASSERT_EQUAL(sim_host_status(get(&h, 3, 512, 512)), 0);	/* the header all the same */
	CU_ASSERT_EQUAL(h.data[0], 0x0d);
	CU_ASSERT_EQUAL(sim_host_status(get(&h, 2, 0, 512)), 0);
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_persistent[] = {
	{ "power_and_resets_are_recorded", power_and_resets_are_recorded },
	{ "fatal_status_is_recorded", fatal_status_is_recorded },
	{ "a_snapshot_each_day", a_snapshot_each_day },
	{ "a_full_log_keeps_the_newest", a_full_log_keeps_the_newest },
	{ "cut_anywhere", cut_anywhere },
	{ "a_broken_event_is_seen", a_broken_event_is_seen },
	{ "a_drive_without_it", a_drive_without_it },
	{ "offsets", offsets },
	CU_TEST_INFO_NULL
};
