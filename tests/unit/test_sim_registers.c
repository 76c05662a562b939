// SPDX-License-Identifier: GPL-2.0-or-later
// Registers of the simulated drive: values, read-only bits, enable, reset, shutdown, config space.

#include <errno.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define CAP 0x00
#define VS 0x08
#define CC 0x14
#define CSTS 0x1c
#define NSSR 0x20
#define AQA 0x24
#define ASQ 0x28
#define ACQ 0x30
#define CRTO 0x68

static uint64_t rd(struct sim_host *h, uint64_t offset, unsigned bytes)
{
	return nvp_sim_bar_read(h->sim, offset, bytes);
}

static void wr(struct sim_host *h, uint64_t offset, unsigned bytes, uint64_t value)
{
	nvp_sim_bar_write(h->sim, offset, bytes, value);
}

static void capabilities_are_those_of_the_profile(void)
{
	struct sim_host h = { 0 };
	uint64_t cap;

	if (sim_host_open(&h, "sim:")) {
		cap = rd(&h, CAP, 8);
		CU_ASSERT_EQUAL(nvp_bits(cap, 0, 16), 1023);
		CU_ASSERT_TRUE(nvp_bit(cap, 16));		/* CQR */
		CU_ASSERT_EQUAL(nvp_bits(cap, 32, 4), 0);	/* DSTRD */
		CU_ASSERT_TRUE(nvp_bit(cap, 36));		/* NSSRS */
		CU_ASSERT_EQUAL(nvp_bits(cap, 37, 8), 0x41);	/* CSS */
		CU_ASSERT_TRUE(nvp_bits(cap, 48, 4) <= nvp_bits(cap, 52, 4));
		CU_ASSERT_EQUAL(cap, rd(&h, CAP, 4) | rd(&h, CAP + 4, 4) << 32);
		CU_ASSERT_EQUAL(rd(&h, VS, 4), 0x00020000);
		CU_ASSERT_EQUAL(rd(&h, CRTO, 4) & 0xffff, nvp_bits(cap, 24, 8));
	}
	sim_host_close(&h);
}

static void read_only_registers_keep_their_value(void)
{
	static const uint64_t offsets[] = { CAP, CAP + 4, VS, NSSR, 0x38, 0x3c, 0x40, CRTO, 0x18 };
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		for (size_t i = 0; i < NVP_ARRAY_SIZE(offsets); i++) {
			uint64_t before = rd(&h, offsets[i], 4);

			wr(&h, offsets[i], 4, 0xffffffff);
			CU_ASSERT_EQUAL(rd(&h, offsets[i], 4), before);
			wr(&h, offsets[i], 4, 0);
			CU_ASSERT_EQUAL(rd(&h, offsets[i], 4), before);
		}
		wr(&h, CSTS, 4, 0xffffffff);
		CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 1);
	}
	sim_host_close(&h);
}

static void reset_keeps_the_admin_queue_registers_and_nothing_else(void)
{
	struct sim_host h = { 0 };
	uint64_t aqa, asq, acq;

	if (sim_host_open(&h, "sim:")) {
		aqa = rd(&h, AQA, 4);
		asq = rd(&h, ASQ, 8);
		acq = rd(&h, ACQ, 8);
		CU_ASSERT_NOT_EQUAL(asq, 0);
		sim_host_disable(&h);
		CU_ASSERT_EQUAL(rd(&h, CC, 4), 0);
		CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 0);
		CU_ASSERT_EQUAL(rd(&h, AQA, 4), aqa);
		CU_ASSERT_EQUAL(rd(&h, ASQ, 8), asq);
		CU_ASSERT_EQUAL(rd(&h, ACQ, 8), acq);
		wr(&h, ASQ, 8, 0x123456789abcdefULL);
		CU_ASSERT_EQUAL(rd(&h, ASQ, 8), 0x123456789abc000ULL);
		wr(&h, AQA, 4, 0xffffffff);
		CU_ASSERT_EQUAL(rd(&h, AQA, 4), 0x0fff0fff);
		CU_ASSERT_EQUAL(nvp_sim_reset(h.sim, NVP_RESET_FUNCTION), 0);
		CU_ASSERT_EQUAL(rd(&h, AQA, 4), 0xffffffff);	/* memory decoding went with it */
		nvp_sim_config_write(h.sim, 4, 2, 6);
		CU_ASSERT_EQUAL(rd(&h, AQA, 4), 0);
		CU_ASSERT_EQUAL(rd(&h, ASQ, 8), 0);
	}
	sim_host_close(&h);
}

/* The outcome of an enable with this CC and these admin queues: CSTS when something changed. */
static uint32_t try_enable(struct sim_host *h, uint32_t cc, uint32_t aqa, uint64_t asq)
{
	uint32_t csts;

	sim_host_disable(h);
	wr(h, AQA, 4, aqa);
	wr(h, ASQ, 8, asq);
	wr(h, CC, 4, cc);
	sim_host_pass(h, NVP_NS_PER_S);
	csts = (uint32_t)rd(h, CSTS, 4);
	wr(h, CC, 4, 0);
	sim_host_pass(h, NVP_NS_PER_S);
	CU_ASSERT_EQUAL(rd(h, CSTS, 4), 0);
	return csts;
}

static void check_enable(struct sim_host *h, uint32_t cc, uint32_t aqa, uint64_t asq, uint32_t csts)
{
	CU_ASSERT_EQUAL(try_enable(h, cc, aqa, asq), csts);
}

static void bad_enable_is_a_fatal_status(void)
{
	struct sim_host h = { 0 };
	uint64_t asq;

	if (sim_host_open(&h, "sim:")) {
		asq = rd(&h, ASQ, 8);
		check_enable(&h, 0x00460001, 0x000f000f, asq, 1);
		check_enable(&h, 0x00460061, 0x000f000f, asq, 1);	/* CSS 110b */
		check_enable(&h, 0x00460011, 0x000f000f, asq, 2);	/* CSS 001b */
		check_enable(&h, 0x00460781, 0x000f000f, asq, 2);	/* MPS 15 */
		check_enable(&h, 0x00460801, 0x000f000f, asq, 1);	/* AMS 001b */
		check_enable(&h, 0x00461001, 0x000f000f, asq, 2);	/* AMS 010b */
		check_enable(&h, 0x00460001, 0x000f0000, asq, 2);	/* one entry */
		check_enable(&h, 0x00460001, 0x000f000f, 0, 2);
		check_enable(&h, 0x01460001, 0x000f000f, asq, 2);	/* CRIME */
	}
	sim_host_close(&h);
}

static void ready_follows_enable_in_time(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		wr(&h, CC, 4, 0x00460000);
		CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 1);
		wr(&h, CC, 4, 0x00460001);	/* without waiting for RDY to fall */
		CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 0);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 1);
	}
	sim_host_close(&h);
}

static void shutdown_is_reported_step_by_step(void)
{
	struct sim_host h = { 0 };

	for (uint32_t shn = 1; shn <= 2; shn++) {
		if (sim_host_open(&h, "sim:")) {
			wr(&h, CC, 4, 0x00460001 | shn << 14);
			CU_ASSERT_EQUAL(rd(&h, CSTS, 4) >> 2 & 3, 1);
			sim_host_pass(&h, NVP_NS_PER_S);
			CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 0x9);
			sim_host_disable(&h);
			CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 0);
		}
		sim_host_close(&h);
		h = (struct sim_host){ 0 };
	}
}

static void no_power_reads_all_ones(void)
{
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		nvp_sim_power(h.sim, false);
		CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 1);	/* it lives on for some milliseconds */
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 0xffffffff);
		CU_ASSERT_EQUAL(rd(&h, CAP, 8), UINT64_MAX);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 0, 4), 0xffffffff);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 0, 2), 0xffff);
		wr(&h, CC, 4, 1);
		CU_ASSERT_EQUAL(nvp_sim_reset(h.sim, NVP_RESET_HOT), -ENODEV);
		nvp_sim_power(h.sim, true);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 0, 4), 0xffffffff);	/* link trains */
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 0, 4), 0x4e561234);
		CU_ASSERT_TRUE(sim_host_enable(&h));
	}
	sim_host_close(&h);
}

/* ---- configuration space ---- */

static unsigned find_capability(struct sim_host *h, unsigned id)
{
	unsigned at = nvp_sim_config_read(h->sim, 0x34, 1);

	for (unsigned i = 0; at && i < 48; i++) {
		if (nvp_sim_config_read(h->sim, at, 1) == id)
			return at;
		at = nvp_sim_config_read(h->sim, at + 1, 1);
	}
	return 0;
}

static unsigned find_extended(struct sim_host *h, unsigned id)
{
	unsigned at = 0x100;

	for (unsigned i = 0; at && i < 96; i++) {
		uint32_t head = nvp_sim_config_read(h->sim, at, 4);

		if ((head & 0xffff) == id)
			return at;
		at = head >> 20;
	}
	return 0;
}

static void configuration_space_is_that_of_an_nvme_function(void)
{
	struct sim_host h = { 0 };
	unsigned msix, pcie;

	if (sim_host_open(&h, "sim:")) {
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 8, 4) >> 8, 0x010802);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 0x0e, 1), 0);
		nvp_sim_config_write(h.sim, 0x10, 4, 0xffffffff);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 0x10, 4),
				(uint32_t)~(nvp_sim_bar_bytes(h.sim) - 1) | 4);
		msix = find_capability(&h, 0x11);
		pcie = find_capability(&h, 0x10);
		CU_ASSERT_TRUE(msix && pcie && find_capability(&h, 0x01));
		CU_ASSERT_EQUAL((nvp_sim_config_read(h.sim, msix + 2, 2) & 0x7ff) + 1,
				nvp_sim_nr_vectors(h.sim));
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, pcie + 0x12, 2) & 0x3ff, 0x44);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, pcie + 0x0c, 4) & 0x3ff, 0x44);
		CU_ASSERT_TRUE(nvp_sim_config_read(h.sim, pcie + 4, 4) & 1u << 28);
		CU_ASSERT_TRUE(find_extended(&h, 0x0001));
	}
	sim_host_close(&h);
}

static void function_level_reset_by_its_register(void)
{
	struct sim_host h = { 0 };
	unsigned pcie;

	if (sim_host_open(&h, "sim:")) {
		pcie = find_capability(&h, 0x10);
		nvp_sim_config_write(h.sim, pcie + 8, 2,
				     nvp_sim_config_read(h.sim, pcie + 8, 2) | 0x8000);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 4, 2) & 6, 0);
		CU_ASSERT_FALSE(nvp_sim_config_read(h.sim, pcie + 8, 2) & 0x8000);
		nvp_sim_config_write(h.sim, 4, 2, 6);
		CU_ASSERT_EQUAL(rd(&h, CC, 4), 0);
		CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 0);
	}
	sim_host_close(&h);
}

static void each_reset_of_pcie_ends_the_controller(void)
{
	static const enum nvp_reset kinds[] = { NVP_RESET_FUNCTION, NVP_RESET_HOT, NVP_RESET_LINK,
						NVP_RESET_D3 };
	struct sim_host h = { 0 };

	if (sim_host_open(&h, "sim:")) {
		for (size_t i = 0; i < NVP_ARRAY_SIZE(kinds); i++) {
			CU_ASSERT_EQUAL(nvp_sim_reset(h.sim, kinds[i]), 0);
			CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 0xffffffff);
			nvp_sim_config_write(h.sim, 4, 2, 6);
			CU_ASSERT_EQUAL(rd(&h, CC, 4), 0);
			CU_ASSERT_EQUAL(rd(&h, ASQ, 8), 0);
			CU_ASSERT_TRUE(sim_host_enable(&h) && sim_host_create_queues(&h));
		}
		CU_ASSERT_EQUAL(nvp_sim_reset(h.sim, NVP_RESET_CONTROLLER), -EOPNOTSUPP);
	}
	sim_host_close(&h);
}

static void d3hot_hides_the_registers(void)
{
	struct sim_host h = { 0 };
	unsigned pm;

	if (sim_host_open(&h, "sim:")) {
		pm = find_capability(&h, 0x01);
		nvp_sim_config_write(h.sim, pm + 4, 2, 3);
		CU_ASSERT_EQUAL(rd(&h, CSTS, 4), 0xffffffff);
		CU_ASSERT_EQUAL(nvp_sim_config_read(h.sim, 0, 4), 0x4e561234);
		nvp_sim_config_write(h.sim, pm + 4, 2, 0);
		nvp_sim_config_write(h.sim, 4, 2, 6);
		CU_ASSERT_EQUAL(rd(&h, CC, 4), 0);	/* No_Soft_Reset is 0: it was reset */
	}
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_registers[] = {
	{ "capabilities are those of the profile", capabilities_are_those_of_the_profile },
	{ "read-only registers keep their value", read_only_registers_keep_their_value },
	{ "reset keeps the admin queue registers and nothing else",
	  reset_keeps_the_admin_queue_registers_and_nothing_else },
	{ "bad enable is a fatal status", bad_enable_is_a_fatal_status },
	{ "ready follows enable in time", ready_follows_enable_in_time },
	{ "shutdown is reported step by step", shutdown_is_reported_step_by_step },
	{ "no power reads all-ones", no_power_reads_all_ones },
	{ "configuration space is that of an NVMe function",
	  configuration_space_is_that_of_an_nvme_function },
	{ "function level reset by its register", function_level_reset_by_its_register },
	{ "each reset of PCIe ends the controller", each_reset_of_pcie_ends_the_controller },
	{ "D3hot hides the registers", d3hot_hides_the_registers },
	CU_TEST_INFO_NULL,
};
