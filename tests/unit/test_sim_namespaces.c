// SPDX-License-Identifier: GPL-2.0-or-later
// Namespace Management of the simulated drive: capacity, identifiers, and power lost at any event.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

static unsigned create(struct sim_host *h, uint64_t lbas, uint8_t flbas, bool shared, uint32_t *nsid)
{
	struct nvp_cpl cpl;

	memset(h->data, 0, 4096);
	nvp_put_le64(h->data, lbas);
	nvp_put_le64(h->data + 8, lbas);
	h->data[26] = flbas;
	h->data[30] = shared;
	cpl = sim_host_admin(h, nvp_build_ns_create(0));
	*nsid = cpl.dw0;
	return sim_host_status(cpl);
}

static unsigned attach(struct sim_host *h, uint32_t nsid, bool detach, uint16_t controller)
{
	memset(h->data, 0, 4096);
	nvp_put_le16(h->data, 1);
	nvp_put_le16(h->data + 2, controller);
	return sim_host_status(sim_host_admin(h, nvp_build_ns_attachment(nsid, detach)));
}

static unsigned delete(struct sim_host *h, uint32_t nsid)
{
	return sim_host_status(sim_host_admin(h, nvp_build_ns_delete(nsid)));
}

static unsigned write_byte(struct sim_host *h, uint32_t nsid, uint64_t slba, uint16_t nlb_z,
			   uint8_t value)
{
	memset(h->data, value, (nlb_z + 1u) * 512);
	return sim_host_status(sim_host_io(h, nvp_build_write(nsid, slba, nlb_z, 512)));
}

static unsigned listed(struct sim_host *h, uint8_t cns)
{
	struct nvp_nsid_list list;

	sim_host_admin(h, nvp_build_identify(cns, 0, 0, 0, 0));
	nvp_decode_nsid_list(h->data, 4096, &list);
	return list.nr;
}

static uint64_t unallocated(struct sim_host *h)
{
	sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0));
	return nvp_le64(h->data + 296);
}

static void check_arena(struct sim_host *h)
{
	struct nvp_err err = { 0 };
	char text[200];

	if (nvp_sim_arena_check(h->arena, &err)) {
		nvp_err_text(&err, text, sizeof(text));
		printf("\n    %s\n", text);
		CU_FAIL("the arena is valid");
	}
}

static void capacity_adds_up(void)
{
	struct sim_host h = { 0 };
	uint32_t nsid[3];
	uint64_t free_bytes;

	if (!sim_host_open(&h, "sim:size=64M"))
		return;
	free_bytes = unallocated(&h);
	CU_ASSERT(free_bytes > 0);
	CU_ASSERT_EQUAL(nvp_le64(h.data + 280), (64u << 20) + free_bytes);
	CU_ASSERT_EQUAL(create(&h, 4096, 0, false, &nsid[0]), 0);
	CU_ASSERT_EQUAL(create(&h, 512, 1, false, &nsid[1]), 0);
	CU_ASSERT_EQUAL(unallocated(&h), free_bytes - 4096 * 512 - 512 * 4096);
	CU_ASSERT_EQUAL(create(&h, free_bytes / 512, 0, false, &nsid[2]), 0x115);
	CU_ASSERT_EQUAL(create(&h, UINT64_MAX, 0, false, &nsid[2]), 0x115);
	CU_ASSERT_EQUAL(delete(&h, nsid[0]), 0);
	CU_ASSERT_EQUAL(delete(&h, 1), 0);
	CU_ASSERT_EQUAL(unallocated(&h), (64u << 20) + free_bytes - 512 * 4096);
	CU_ASSERT_EQUAL(create(&h, ((64u << 20) + free_bytes - 512 * 4096) / 512, 0, false,
			       &nsid[2]), 0);
	CU_ASSERT_EQUAL(unallocated(&h), 0);
	check_arena(&h);
	sim_host_close(&h);
}

static void all_are_deleted_together(void)
{
	struct sim_host h = { 0 };
	uint32_t nsid;

	if (!sim_host_open(&h, "sim:size=16M,ns=4"))
		return;
	for (uint32_t i = 1; i <= 4; i++)
		CU_ASSERT_EQUAL(write_byte(&h, i, 8, 7, (uint8_t)i), 0);
	CU_ASSERT_EQUAL(delete(&h, NVP_NSID_ALL), 0);
	CU_ASSERT_EQUAL(listed(&h, 2), 0);
	CU_ASSERT_EQUAL(listed(&h, 0x10), 0);
	check_arena(&h);
	CU_ASSERT_EQUAL(delete(&h, NVP_NSID_ALL), 0);
	CU_ASSERT_EQUAL(create(&h, 2048, 0, false, &nsid), 0);
	CU_ASSERT_EQUAL(attach(&h, nsid, false, 1), 0);
	CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(nsid, 8, 7, 512))), 0);
	CU_ASSERT_TRUE(nvp_all_zero(h.data, 4096));
	sim_host_close(&h);
}

/* The other controller of the subsystem has it alone: inactive here, and allocated. */
static void other_controller_has_it_alone(void)
{
	struct sim_host h = { 0 };
	uint32_t nsid;

	if (!sim_host_open(&h, "sim:size=16M,controllers=2"))
		return;
	CU_ASSERT_EQUAL(create(&h, 2048, 0, false, &nsid), 0);
	CU_ASSERT_EQUAL(attach(&h, nsid, false, 2), 0);
	CU_ASSERT_EQUAL(listed(&h, 2), 1);
	CU_ASSERT_EQUAL(listed(&h, 0x10), 2);
	CU_ASSERT_EQUAL(attach(&h, nsid, false, 1), 0x119);
	CU_ASSERT_EQUAL(attach(&h, nsid, false, 3), 0x11c);
	CU_ASSERT_EQUAL(write_byte(&h, nsid, 0, 0, 1), 0x02);
	sim_host_admin(&h, nvp_build_identify(1, 0, 0, 0, 0));
	CU_ASSERT_EQUAL(h.data[76] & 2, 2);
	CU_ASSERT(sim_host_power_cycle(&h));
	CU_ASSERT_EQUAL(listed(&h, 2), 1);
	CU_ASSERT_EQUAL(listed(&h, 0x10), 2);
	sim_host_close(&h);
}

/* Writes on their way to a namespace that is deleted: each completes, none leaves anything. */
static void delete_under_writes(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd cmd = nvp_build_write(2, 0, 7, 512), gone = nvp_build_ns_delete(2);
	struct nvp_cpl cpl;

	if (!sim_host_open(&h, "sim:size=16M,ns=2"))
		return;
	for (unsigned i = 0; i < 8; i++) {
		cmd = nvp_build_write(2, 8 * i, 7, 512);
		sim_host_post(&h, &h.io, &cmd);
	}
	sim_host_post(&h, &h.admin, &gone);
	CU_ASSERT(sim_host_reap(&h, &h.admin, &cpl));
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	for (unsigned i = 0; i < 8; i++)
		CU_ASSERT(sim_host_reap(&h, &h.io, &cpl));
	check_arena(&h);
	CU_ASSERT_EQUAL(write_byte(&h, 2, 0, 0, 1), 0x02);
	CU_ASSERT(sim_host_power_cycle(&h));
	check_arena(&h);
	CU_ASSERT_EQUAL(listed(&h, 0x10), 1);
	sim_host_close(&h);
}

/* A reset between the steps of Delete: the namespace is whole, or gone. */
static void reset_during_delete(void)
{
	struct nvp_cmd gone = nvp_build_ns_delete(2);

	for (uint64_t us = 0; us < 120; us += 3) {
		struct sim_host h = { 0 };
		unsigned nr;

		if (!sim_host_open(&h, "sim:size=16M,ns=2"))
			return;
		write_byte(&h, 2, 0, 99, 0x77);
		sim_host_post(&h, &h.admin, &gone);
		sim_host_pass(&h, us * 1000);
		CU_ASSERT(sim_host_reset(&h));
		nr = listed(&h, 0x10);
		CU_ASSERT(nr == 1 || nr == 2);
		CU_ASSERT_EQUAL(listed(&h, 2), nr);
		if (nr == 2) {
			sim_host_io(&h, nvp_build_read(2, 99, 0, 512));
			CU_ASSERT_EQUAL(h.data[0], 0x77);
		}
		check_arena(&h);
		sim_host_close(&h);
	}
}

/* Power lost after each event of Create, Attach and Delete: old or new, and a valid arena. */
static void power_lost_at_any_event(void)
{
	unsigned seen[4] = { 0 };

	for (unsigned step = 0; step < 2; step++) {
		for (uint64_t n = 1; n < 120; n += 1 + n / 40) {
			struct nvp_cmd cmd = step ? nvp_build_ns_delete(2) : nvp_build_ns_create(0);
			struct sim_host h = { 0 };
			unsigned nr;

			if (!sim_host_open(&h, step ? "sim:size=16M,ns=2" : "sim:size=16M"))
				return;
			if (step)
				write_byte(&h, 2, 0, 7, 0x77);
			memset(h.data, 0, 4096);
			nvp_put_le64(h.data, 2048);
			nvp_put_le64(h.data + 8, 2048);
			nvp_sim_cut_after_event(h.sim, n);
			sim_host_post(&h, &h.admin, &cmd);
			sim_host_pass(&h, NVP_NS_PER_MS);
			CU_ASSERT(sim_host_power_cycle(&h));
			nr = listed(&h, 0x10);
			CU_ASSERT(nr == 1 || nr == 2);
			if (nr == 1 || nr == 2)
				seen[2 * step + nr - 1]++;
			check_arena(&h);
			sim_host_close(&h);
		}
	}
	for (unsigned i = 0; i < 4; i++)
		CU_ASSERT(seen[i] > 0);
}

CU_TestInfo nvp_unit_sim_namespaces[] = {
	{ "capacity_adds_up", capacity_adds_up },
	{ "all_are_deleted_together", all_are_deleted_together },
	{ "other_controller_has_it_alone", other_controller_has_it_alone },
	{ "delete_under_writes", delete_under_writes },
	{ "reset_during_delete", reset_during_delete },
	{ "power_lost_at_any_event", power_lost_at_any_event },
	CU_TEST_INFO_NULL
};
