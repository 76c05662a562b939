// SPDX-License-Identifier: GPL-2.0-or-later
// Get Log Page of the simulated drive against NVMe Base 2.0 section 5.16.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

static unsigned get_log(struct sim_host *h, uint8_t lid, uint32_t bytes, uint64_t lpo)
{
	sim_host_fill(h, 0xa5);
	return sim_host_status(sim_host_admin(h, nvp_build_get_log(lid, NVP_NSID_ALL, bytes, lpo,
								   true, 0)));
}

static struct nvp_smart smart(struct sim_host *h)
{
	struct nvp_smart s;

	CU_ASSERT_EQUAL(get_log(h, 0x02, 512, 0), 0);
	CU_ASSERT_EQUAL(nvp_decode_smart(h->data, 512, &s), 0);
	return s;
}

static struct nvp_error_entry newest_error(struct sim_host *h)
{
	struct nvp_error_entry entry;

	CU_ASSERT_EQUAL(get_log(h, 0x01, 64, 0), 0);
	nvp_decode_error_entry(h->data, 64, &entry);
	return entry;
}

/* The log says which logs there are, and those are there (5.16.1.1). */
static void supported(void)
{
	static const char *const addresses[] = { "sim:", "sim:profile=minimal" };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		struct sim_host h = { 0 };
		struct nvp_supported_logs logs;

		if (!sim_host_open(&h, addresses[i]))
			continue;
		CU_ASSERT_EQUAL(get_log(&h, 0x00, 1024, 0), 0);
		nvp_decode_supported_logs(h.data, 1024, &logs);
		for (unsigned lid = 0; lid < 256; lid++) {
			bool mandatory = lid <= 0x03 || lid == 0x05 || lid == 0x12;

			CU_ASSERT(logs.lid[lid] == mandatory || (i == 0 && !mandatory));
			if (lid != 0x0d)	/* which needs a context first */
				CU_ASSERT_EQUAL(get_log(&h, (uint8_t)lid, 64, 0),
						logs.lid[lid] & 1 ? 0u : 0x109u);
		}
		sim_host_close(&h);
	}
}

static void lengths_and_offsets(void)
{
	struct sim_host h = { 0 };
	uint8_t whole[4096];

	if (!sim_host_open(&h, "sim:"))
		return;
	CU_ASSERT_EQUAL(get_log(&h, 0x05, 4096, 0), 0);
	memcpy(whole, h.data, 4096);
	CU_ASSERT_EQUAL(get_log(&h, 0x05, 256, 1024), 0);
	CU_ASSERT_EQUAL(memcmp(h.data, whole + 1024, 256), 0);
	CU_ASSERT_EQUAL(h.data[256], 0xa5);
	CU_ASSERT_EQUAL(get_log(&h, 0x05, 4, 1026), 0x02);	/* not a multiple of 4 */
	CU_ASSERT_EQUAL(get_log(&h, 0x05, 4, 4100), 0x02);	/* beyond the end */
	CU_ASSERT_EQUAL(get_log(&h, 0x05, 4, UINT64_C(0x100000000)), 0x02);
	CU_ASSERT_EQUAL(get_log(&h, 0x02, 8192, 0), 0);		/* longer than the log */
	CU_ASSERT_EQUAL(h.data[8192], 0xa5);
	CU_ASSERT_EQUAL(get_log(&h, 0x02, 131072, 0), 0);	/* MDTS */
	CU_ASSERT_EQUAL(get_log(&h, 0x02, 131076, 0), 0x02);
	sim_host_close(&h);
}

static void namespace_of_a_log(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:"))
		return;
	for (unsigned lid = 1; lid <= 3; lid++) {
		struct nvp_cmd cmd = nvp_build_get_log((uint8_t)lid, 0, 512, 0, true, 0);

		CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h, cmd)), 0);
		cmd = nvp_build_get_log((uint8_t)lid, 1, 512, 0, true, 0);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h, cmd)), 0x02);
	}
	sim_host_close(&h);
}

static void error_entries(void)
{
	struct sim_host h = { 0 };
	struct nvp_error_entry e, older;
	struct nvp_cpl cpl;
	uint64_t count;

	if (!sim_host_open(&h, "sim:"))
		return;
	count = smart(&h).error_log_entries.low;
	cpl = sim_host_admin(&h, nvp_build_identify(0xee, 0, 0, 0, 0));
	CU_ASSERT_TRUE(cpl.status.more);
	CU_ASSERT_TRUE(cpl.status.dnr);
	e = newest_error(&h);
	CU_ASSERT_EQUAL(e.count, count + 1);
	CU_ASSERT_EQUAL(e.sqid, 0);
	CU_ASSERT_EQUAL(e.cid, cpl.cid);
	CU_ASSERT_EQUAL(e.status.sct, 0);
	CU_ASSERT_EQUAL(e.status.sc, 0x02);
	CU_ASSERT_EQUAL(e.location, 40);	/* CNS is byte 40, bit 0 */
	cpl = sim_host_io(&h, nvp_build_read(1, UINT64_C(0x1234567890), 0, 512));
	e = newest_error(&h);
	CU_ASSERT_EQUAL(e.sqid, 1);
	CU_ASSERT_EQUAL(e.cid, cpl.cid);
	CU_ASSERT_EQUAL(e.status.sc, 0x80);
	CU_ASSERT_EQUAL(e.lba, UINT64_C(0x1234567890));
	CU_ASSERT_EQUAL(e.nsid, 1);
	nvp_decode_error_entry(h.data, 64, &e);
	get_log(&h, 0x01, 192, 0);
	nvp_decode_error_entry(h.data, 64, &e);
	nvp_decode_error_entry(h.data + 64, 64, &older);
	CU_ASSERT_EQUAL(e.count, count + 2);
	CU_ASSERT_EQUAL(older.count, count + 1);
	CU_ASSERT_TRUE(nvp_all_zero(h.data + 128, 64));
	CU_ASSERT_EQUAL(smart(&h).error_log_entries.low, count + 2);
	/* the count outlives the entries (5.16.1.2) */
	sim_host_reset(&h);
	CU_ASSERT_EQUAL(newest_error(&h).count, 0);
	sim_host_power_cycle(&h);
	sim_host_admin(&h, nvp_build_identify(0xee, 0, 0, 0, 0));
	CU_ASSERT_EQUAL(newest_error(&h).count, count + 3);
	sim_host_close(&h);
}

/* More errors than entries: the ring keeps the newest. */
static void error_ring(void)
{
	struct sim_host h = { 0 };
	uint64_t last = 0;

	if (!sim_host_open(&h, "sim:"))
		return;
	for (unsigned i = 0; i < 70; i++)
		sim_host_admin(&h, nvp_build_identify(0xee, 0, 0, 0, 0));
	CU_ASSERT_EQUAL(get_log(&h, 0x01, 64 * 64, 0), 0);
	for (unsigned i = 0; i < 64; i++) {
		uint64_t count = nvp_le64(h.data + 64 * i);

		CU_ASSERT(count > 0);
		if (i)
			CU_ASSERT_EQUAL(count, last - 1);
		last = count;
	}
	sim_host_close(&h);
}

static void smart_counters(void)
{
	struct sim_host h = { 0 };
	struct nvp_smart before, after;

	if (!sim_host_open(&h, "sim:lba=4096"))
		return;
	before = smart(&h);
	CU_ASSERT(before.power_cycles.low >= 1);
	CU_ASSERT_EQUAL(before.critical_warning, 0);
	CU_ASSERT_EQUAL(before.composite_temperature_k, 311);
	CU_ASSERT_NOT_EQUAL(before.sensor_k[0], 0);
	CU_ASSERT_EQUAL(before.sensor_k[2], 0);
	for (unsigned i = 0; i < 125; i++)	/* 125 * 8 blocks of 8 sectors: 8000 sectors */
		sim_host_io(&h, nvp_build_write(1, i, 7, 4096));
	sim_host_io(&h, nvp_build_read(1, 0, 0, 4096));
	sim_host_io(&h, nvp_build_compare(1, 0, 0, 4096));
	sim_host_io(&h, nvp_build_write_zeroes(1, 0, 7, false));
	sim_host_io(&h, nvp_build_flush(1));
	after = smart(&h);
	CU_ASSERT_EQUAL(after.host_writes.low - before.host_writes.low, 125);
	CU_ASSERT_EQUAL(after.host_reads.low - before.host_reads.low, 2);
	CU_ASSERT_EQUAL(after.data_units_written.low - before.data_units_written.low, 8);
	CU_ASSERT(after.data_units_read.low - before.data_units_read.low <= 1);
	sim_host_power_cycle(&h);
	after = smart(&h);
	CU_ASSERT_EQUAL(after.power_cycles.low, before.power_cycles.low + 1);
	CU_ASSERT_EQUAL(after.unsafe_shutdowns.low, before.unsafe_shutdowns.low + 1);
	CU_ASSERT_EQUAL(after.data_units_written.low - before.data_units_written.low, 8);
	sim_host_close(&h);
}

static void firmware(void)
{
	struct sim_host h = { 0 };
	struct nvp_firmware_slots slots;

	if (!sim_host_open(&h, "sim:"))
		return;
	CU_ASSERT_EQUAL(get_log(&h, 0x03, 512, 0), 0);
	nvp_decode_firmware_slots(h.data, 512, &slots);
	CU_ASSERT_EQUAL(slots.active_slot, 1);
	CU_ASSERT_EQUAL(slots.next_slot, 0);
	sim_host_admin(&h, nvp_build_identify(1, 0, 0, 0, 0));
	CU_ASSERT_EQUAL(memcmp(h.data + 64, slots.revision[0], strlen(slots.revision[0])), 0);
	CU_ASSERT_EQUAL(slots.revision[1][0], 0);
	sim_host_close(&h);
}

/* The effects log and what opcodes do agree, on both queues (5.16.1.6). */
static void effects(void)
{
	static const char *const addresses[] = { "sim:", "sim:profile=minimal" };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		struct sim_host h = { 0 };
		struct nvp_effects log;

		if (!sim_host_open(&h, addresses[i]))
			continue;
		CU_ASSERT_EQUAL(get_log(&h, 0x05, 4096, 0), 0);
		nvp_decode_effects(h.data, 4096, &log);
		for (unsigned opcode = 0; opcode < 256; opcode++) {
			struct nvp_cmd cmd = nvp_build_raw((uint8_t)opcode, 0xf0000000);

			if (opcode != NVP_ADMIN_ASYNC_EVENT)
				CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h, cmd)) != 0x01,
						log.admin[opcode] & 1);
			CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, cmd)) != 0x01,
					log.io[opcode] & 1);
		}
		CU_ASSERT_EQUAL(log.io[NVP_IO_COMPARE] & 1, i == 0);
		CU_ASSERT_EQUAL(log.io[NVP_IO_WRITE] & 2, 2);
		CU_ASSERT_EQUAL(log.io[NVP_IO_READ] & 2, 0);
		sim_host_close(&h);
	}
}

CU_TestInfo nvp_unit_sim_log[] = {
	{ "supported", supported },
	{ "lengths_and_offsets", lengths_and_offsets },
	{ "namespace_of_a_log", namespace_of_a_log },
	{ "error_entries", error_entries },
	{ "error_ring", error_ring },
	{ "smart_counters", smart_counters },
	{ "firmware", firmware },
	{ "effects", effects },
	CU_TEST_INFO_NULL
};
