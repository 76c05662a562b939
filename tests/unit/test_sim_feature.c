// SPDX-License-Identifier: GPL-2.0-or-later
// Get and Set Features of the simulated drive against NVMe Base 2.0 sections 4.2, 5.15 and 5.27.

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

enum { CURRENT = 0, DEFAULT = 1, SAVED = 2, CAPABILITIES = 3 };

static unsigned get(struct sim_host *h, uint8_t fid, uint8_t sel, uint32_t dw11, uint32_t *value)
{
	struct nvp_cpl cpl = sim_host_admin(h, nvp_build_get_features(fid, fid == 5 || fid == 0x84,
								       sel, dw11));

	*value = cpl.dw0;
	return sim_host_status(cpl);
}

static uint32_t value_of(struct sim_host *h, uint8_t fid, uint8_t sel, uint32_t dw11)
{
	uint32_t value;

	CU_ASSERT_EQUAL(get(h, fid, sel, dw11, &value), 0);
	return value;
}

static unsigned set(struct sim_host *h, uint8_t fid, uint32_t nsid, bool sv, uint32_t dw11)
{
	return sim_host_status(sim_host_admin(h, nvp_build_set_features(fid, nsid, sv, dw11)));
}

static void supported(void)
{
	static const uint8_t mandatory[] = { 1, 2, 4, 5, 7, 8, 9, 0xa, 0xb };
	static const char *const addresses[] = { "sim:", "sim:vwc=absent", "sim:profile=minimal" };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		struct sim_host h = { 0 };
		struct nvp_feature_effects effects;
		uint32_t value;

		if (!sim_host_open(&h, addresses[i]))
			continue;
		for (size_t m = 0; m < sizeof(mandatory); m++)
			CU_ASSERT_EQUAL(get(&h, mandatory[m], CURRENT, 0, &value), 0);
		sim_host_admin(&h, nvp_build_get_log(0x12, 0, 1024, 0, true, 0));
		nvp_decode_feature_effects(h.data, 1024, &effects);
		for (unsigned fid = 0; fid < 256; fid++)
			CU_ASSERT_EQUAL(get(&h, (uint8_t)fid, CURRENT, 0, &value),
					effects.fid[fid] & 1 ? 0u : 0x02u);
		CU_ASSERT_EQUAL(effects.fid[6] & 1, i == 0);
		CU_ASSERT_EQUAL(set(&h, 6, 0, false, 1), i ? 0x02 : 0);
		CU_ASSERT_EQUAL(set(&h, 0x2f, 0, false, 0), 0x02);
		sim_host_close(&h);
	}
}

static void selects(void)
{
	struct sim_host h = { 0 };
	uint32_t value;

	if (!sim_host_open(&h, "sim:"))
		return;
	CU_ASSERT_EQUAL(value_of(&h, 0x0a, DEFAULT, 0), 0);
	CU_ASSERT_EQUAL(set(&h, 0x0a, 0, false, 1), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x0a, CURRENT, 0), 1);
	CU_ASSERT_EQUAL(value_of(&h, 0x0a, DEFAULT, 0), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x0a, SAVED, 0), 0);
	CU_ASSERT_EQUAL(set(&h, 0x0a, 0, true, 1), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x0a, SAVED, 0), 1);
	CU_ASSERT_EQUAL(value_of(&h, 0x0a, CAPABILITIES, 0), 5);
	CU_ASSERT_EQUAL(value_of(&h, 0x05, CAPABILITIES, 0), 7);
	CU_ASSERT_EQUAL(value_of(&h, 0x07, CAPABILITIES, 0), 4);
	for (uint8_t sel = 4; sel < 8; sel++)
		CU_ASSERT_EQUAL(get(&h, 0x0a, sel, 0, &value), 0x02);
	sim_host_close(&h);
}

static void statuses(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:"))
		return;
	CU_ASSERT_EQUAL(set(&h, 0x0b, 0, true, 0), 0x10d);	/* not saveable */
	CU_ASSERT_EQUAL(set(&h, 0x09, 0, true, 0), 0x10d);
	CU_ASSERT_EQUAL(set(&h, 0x01, 1, false, 0), 0x10f);	/* not for one namespace */
	CU_ASSERT_EQUAL(set(&h, 0x01, NVP_NSID_ALL, false, 3), 0);
	CU_ASSERT_EQUAL(set(&h, 0x01, 0x1000, false, 3), 0x0b);
	CU_ASSERT_EQUAL(set(&h, 0x02, 0, false, 4), 0);
	CU_ASSERT_EQUAL(set(&h, 0x02, 0, false, 5), 0x02);	/* NPSS is 4 */
	CU_ASSERT_EQUAL(set(&h, 0x07, 0, false, 0x0000ffff), 0x02);
	CU_ASSERT_EQUAL(set(&h, 0x07, 0, false, 0xffff0000), 0x02);
	CU_ASSERT_EQUAL(set(&h, 0x07, 0, false, 0x00010001), 0x0c);	/* queues exist */
	CU_ASSERT_EQUAL(set(&h, 0x09, 0, false, 0x1f000), 0x02);	/* no such vector */
	CU_ASSERT_EQUAL(set(&h, 0x0b, 0, false, 0x800), 0x02);	/* OAES bit 11 is 0 */
	CU_ASSERT_EQUAL(set(&h, 0x05, 0, false, 0), 0x0b);
	CU_ASSERT_EQUAL(set(&h, 0x05, 2, false, 0), 0x02);	/* inactive */
	CU_ASSERT_EQUAL(set(&h, 0x19, 0, false, 1), 0x12b);
	sim_host_close(&h);
	if (!sim_host_open(&h, "sim:profile=minimal"))
		return;
	CU_ASSERT_EQUAL(set(&h, 0x0a, 0, true, 1), 0x10d);	/* ONCS bit 4 is 0 */
	CU_ASSERT_EQUAL(set(&h, 0x05, 1, false, 0x10000), 0x02);	/* NSFEAT bit 2 is 0 */
	CU_ASSERT_EQUAL(set(&h, 0x02, 0, false, 1), 0x02);
	sim_host_close(&h);
}

static void read_back(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:"))
		return;
	CU_ASSERT_EQUAL(set(&h, 0x01, 0, false, 0x30201005), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x01, CURRENT, 0), 0x30201005);
	CU_ASSERT_EQUAL(set(&h, 0x08, 0, false, 0x1234), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x08, CURRENT, 0), 0x1234);
	CU_ASSERT_EQUAL(set(&h, 0x09, 0, false, 0x10002), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x09, CURRENT, 2), 0x10002);
	CU_ASSERT_EQUAL(value_of(&h, 0x09, CURRENT, 1), 0x00001);
	CU_ASSERT_EQUAL(set(&h, 0x05, NVP_NSID_ALL, false, 0x10064), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x05, CURRENT, 0), 0x10064);
	sim_host_close(&h);
}

static void resets(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:"))
		return;
	CU_ASSERT_EQUAL(value_of(&h, 0x06, CURRENT, 0), 1);
	CU_ASSERT_EQUAL(set(&h, 0x06, 0, true, 0), 0);
	CU_ASSERT_EQUAL(set(&h, 0x02, 0, false, 1), 0);
	CU_ASSERT_EQUAL(set(&h, 0x04, 0, true, 0x00100020), 0);	/* composite, lower threshold */
	sim_host_reset(&h);
	CU_ASSERT_EQUAL(value_of(&h, 0x06, CURRENT, 0), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x06, DEFAULT, 0), 1);
	CU_ASSERT_EQUAL(value_of(&h, 0x02, CURRENT, 0), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x04, CURRENT, 0x100000) & 0xffff, 0x20);
	CU_ASSERT_EQUAL(value_of(&h, 0x04, CURRENT, 0) & 0xffff, 343);
	sim_host_power_cycle(&h);
	CU_ASSERT_EQUAL(value_of(&h, 0x06, CURRENT, 0), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x02, CURRENT, 0), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x04, CURRENT, 0x100000) & 0xffff, 0x20);
	sim_host_close(&h);
	if (!sim_host_open(&h, "sim:vwc=off"))
		return;
	CU_ASSERT_EQUAL(value_of(&h, 0x06, CURRENT, 0), 0);
	CU_ASSERT_EQUAL(value_of(&h, 0x06, DEFAULT, 0), 0);
	sim_host_close(&h);
}

static void temperature(void)
{
	struct sim_host h = { 0 };
	uint32_t value;

	if (!sim_host_open(&h, "sim:"))
		return;
	CU_ASSERT_EQUAL(value_of(&h, 0x04, CURRENT, 0x010000) & 0xffff, 0xffff);
	CU_ASSERT_EQUAL(value_of(&h, 0x04, CURRENT, 0x110000) & 0xffff, 0);
	CU_ASSERT_EQUAL(get(&h, 0x04, CURRENT, 0x030000, &value), 0x02);	/* two sensors */
	CU_ASSERT_EQUAL(get(&h, 0x04, CURRENT, 0x200000, &value), 0x02);	/* THSEL 10b */
	CU_ASSERT_EQUAL(get(&h, 0x04, CURRENT, 0x0f0000, &value), 0x02);
	CU_ASSERT_EQUAL(set(&h, 0x04, 0, false, 0x090000), 0x02);
	CU_ASSERT_EQUAL(set(&h, 0x04, 0, false, 0x0f0170), 0);	/* all sensors */
	CU_ASSERT_EQUAL(value_of(&h, 0x04, CURRENT, 0) & 0xffff, 0x170);
	CU_ASSERT_EQUAL(value_of(&h, 0x04, CURRENT, 0x020000) & 0xffff, 0x170);
	sim_host_close(&h);
}

static void queues(void)
{
	struct sim_host h = { 0 };
	struct nvp_cpl cpl;

	if (!sim_host_open(&h, "sim:") || !sim_host_disable(&h) || !sim_host_enable(&h))
		return;
	cpl = sim_host_admin(&h, nvp_build_set_features(0x07, 0, false, 0x00020001));
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	CU_ASSERT_EQUAL(cpl.dw0, 0x00020001);
	CU_ASSERT_EQUAL(value_of(&h, 0x07, CURRENT, 0), 0x00020001);
	/* does not change until the next reset */
	cpl = sim_host_admin(&h, nvp_build_set_features(0x07, 0, false, 0xfffefffe));
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	CU_ASSERT_EQUAL(cpl.dw0, 0x00020001);
	sim_host_disable(&h);
	sim_host_enable(&h);
	cpl = sim_host_admin(&h, nvp_build_set_features(0x07, 0, false, 0xfffefffe));
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	CU_ASSERT_EQUAL(cpl.dw0, 0x001f001f);
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_feature[] = {
	{ "supported", supported },
	{ "selects", selects },
	{ "statuses", statuses },
	{ "read_back", read_back },
	{ "resets", resets },
	{ "temperature", temperature },
	{ "queues", queues },
	CU_TEST_INFO_NULL
};
