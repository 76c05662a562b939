// SPDX-License-Identifier: GPL-2.0-or-later
// Profiles client and ocp: what makes them what they are, and the counters of OCP's logs.

#include <nvproof/build.h>
#include <nvproof/decode.h>
#include <nvproof/ocp.h>

#include <string.h>

#include "core/base/bits.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

static bool id_ctrl(struct sim_host *h, const char *address, struct nvp_id_ctrl *id)
{
	memset(h, 0, sizeof(*h));
	if (!sim_host_open(h, address))
		return false;
	sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0));
	nvp_decode_id_ctrl(h->data, 4096, id);
	return true;
}

static void client_has_a_cache_and_small_atomic_units(void)
{
	struct nvp_id_ctrl id;
	struct sim_host h;

	if (!id_ctrl(&h, "sim:profile=client", &id))
		return;
	CU_ASSERT_EQUAL(id.vwc & 1, 1);
	CU_ASSERT_EQUAL(id.awupf_z, 0);
	CU_ASSERT(id.awun_z >= id.awupf_z);
	CU_ASSERT(id.oncs & 1);
	CU_ASSERT_EQUAL(id.sn[3], 'C');
	sim_host_close(&h);
}

static void ocp_has_protection_instead_of_a_cache(void)
{
	struct nvp_id_ctrl id;
	struct sim_host h;

	if (!id_ctrl(&h, "sim:profile=ocp", &id))
		return;
	CU_ASSERT_EQUAL(id.vwc & 1, 0);
	CU_ASSERT_EQUAL(id.awupf_z, 7);
	CU_ASSERT(id.ctratt & 1 << 9);
	sim_host_close(&h);
}

static void flush_of_a_client_is_slower(void)
{
	uint64_t took[2];

	for (unsigned i = 0; i < 2; i++) {
		struct sim_host h = { 0 };
		uint64_t start;

		if (!sim_host_open(&h, i ? "sim:profile=client" : "sim:"))
			return;
		sim_host_io(&h, nvp_build_write(1, 0, 7, 512));
		start = nvp_clock_now_ns(nvp_sim_clock(h.sim));
		sim_host_io(&h, nvp_build_flush(1));
		took[i] = nvp_clock_now_ns(nvp_sim_clock(h.sim)) - start;
		sim_host_close(&h);
	}
	CU_ASSERT(took[1] > 5 * took[0]);
}

static bool get_log(struct sim_host *h, uint8_t lid, struct nvp_ocp_smart *smart)
{
	uint32_t bytes = nvp_ocp_log_bytes(lid);
	struct nvp_cpl cpl = sim_host_admin(h, nvp_build_get_log(lid, 0, bytes, 0, true, 0));

	if (smart)
		nvp_decode_ocp_smart(h->data, bytes, smart);
	return nvp_cpl_ok(&cpl) && nvp_ocp_is(lid, h->data, bytes) &&
	       nvp_ocp_version(lid, h->data, bytes) > 0;
}

static void only_ocp_has_its_logs(void)
{
	static const char *const addresses[] = { "sim:profile=ocp", "sim:", "sim:profile=client" };
	static const uint8_t lids[] = { 0xc0, 0xc1, 0xc4, 0xc5 };

	for (size_t a = 0; a < NVP_ARRAY_SIZE(addresses); a++) {
		struct sim_host h = { 0 };

		if (!sim_host_open(&h, addresses[a]))
			return;
		for (size_t i = 0; i < sizeof(lids); i++)
			CU_ASSERT_EQUAL(get_log(&h, lids[i], NULL), a == 0);
		sim_host_close(&h);
	}
}

static void counters_of_ocp_count(void)
{
	struct nvp_ocp_smart before, after;
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:profile=ocp"))
		return;
	CU_ASSERT(get_log(&h, 0xc0, &before));
	for (unsigned i = 0; i < 4; i++)
		sim_host_io(&h, nvp_build_write(1, 8 * i, 7, 512));
	sim_host_io(&h, nvp_build_flush(1));
	sim_host_admin(&h, nvp_build_set_features(2, 0, false, 1));
	sim_host_admin(&h, nvp_build_set_features(2, 0, false, 1));
	CU_ASSERT(sim_host_power_cycle(&h));
	CU_ASSERT(get_log(&h, 0xc0, &after));
	CU_ASSERT_EQUAL(after.media_bytes_written.low - before.media_bytes_written.low, 32 * 512);
	CU_ASSERT_EQUAL(after.nuse_lbas - before.nuse_lbas, 32);
	CU_ASSERT_EQUAL(after.power_state_changes - before.power_state_changes, 1);
	CU_ASSERT_EQUAL(after.plp_starts.low - before.plp_starts.low, 1);
	CU_ASSERT_EQUAL(after.incomplete_shutdowns, before.incomplete_shutdowns);
	CU_ASSERT_EQUAL(after.capacitor_health_pct, 100);
	sim_host_close(&h);
}

static void short_bytes_are_refused(void)
{
	uint8_t bytes[4096] = { 0 };
	struct nvp_ocp_smart smart;
	struct nvp_uuid_list list;

	CU_ASSERT_NOT_EQUAL(nvp_decode_ocp_smart(bytes, 511, &smart), 0);
	CU_ASSERT_NOT_EQUAL(nvp_decode_uuid_list(bytes, 4095, &list), 0);
	CU_ASSERT_FALSE(nvp_ocp_is(0xc0, bytes, 511));
	CU_ASSERT_FALSE(nvp_ocp_is(0x02, bytes, 4096));
	CU_ASSERT_EQUAL(nvp_ocp_version(0xc4, bytes, 512), 0);
	CU_ASSERT_PTR_NULL(nvp_ocp_guid(0x02));
	memset(bytes, 0xff, sizeof(bytes));
	CU_ASSERT_EQUAL(nvp_decode_uuid_list(bytes, 4096, &list), 0);
	CU_ASSERT_EQUAL(list.nr, 127);
}

CU_TestInfo nvp_unit_sim_ocp[] = {
	{ "client_has_a_cache_and_small_atomic_units", client_has_a_cache_and_small_atomic_units },
	{ "ocp_has_protection_instead_of_a_cache", ocp_has_protection_instead_of_a_cache },
	{ "flush_of_a_client_is_slower", flush_of_a_client_is_slower },
	{ "only_ocp_has_its_logs", only_ocp_has_its_logs },
	{ "counters_of_ocp_count", counters_of_ocp_count },
	{ "short_bytes_are_refused", short_bytes_are_refused },
	CU_TEST_INFO_NULL
};
