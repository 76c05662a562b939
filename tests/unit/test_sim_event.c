// SPDX-License-Identifier: GPL-2.0-or-later
// Asynchronous events and Abort of the simulated drive against NVMe Base 2.0 sections 5.1 and 5.2.

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define SMART_EVENT 0x00020101u
#define BAD_DOORBELL 0x00010100u

static uint16_t request(struct sim_host *h)
{
	struct nvp_cmd cmd = nvp_build_async_event();

	return sim_host_post(h, &h->admin, &cmd);
}

static void set(struct sim_host *h, uint8_t fid, uint32_t dw11)
{
	struct nvp_cpl cpl = sim_host_admin(h, nvp_build_set_features(fid, 0, false, dw11));

	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
}

static void read_log(struct sim_host *h, uint8_t lid, bool rae)
{
	CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(h, nvp_build_get_log(lid, 0, 64, 0, rae,
									    0))), 0);
}

/* A value that no queue of 16 entries can have. */
static void bad_doorbell(struct sim_host *h)
{
	nvp_sim_bar_write(h->sim, NVP_REG_DOORBELLS + 8, 4, 500);
}

static void limit(void)
{
	static const struct { const char *address; unsigned aerl_z; } drives[] = {
		{ "sim:", 7 }, { "sim:profile=minimal", 3 },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(drives); i++) {
		struct sim_host h = { 0 };
		struct nvp_cpl cpl;
		uint16_t extra;

		if (!sim_host_open(&h, drives[i].address))
			continue;
		for (unsigned n = 0; n <= drives[i].aerl_z; n++)
			request(&h);
		sim_host_pass(&h, 20 * NVP_NS_PER_S);
		CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
		extra = request(&h);
		CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl));
		CU_ASSERT_EQUAL(cpl.cid, extra);
		CU_ASSERT_EQUAL(sim_host_status(cpl), 0x105);
		/* a reset ends them without a completion, and room is there again */
		sim_host_reset(&h);
		CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
		request(&h);
		sim_host_pass(&h, NVP_NS_PER_S);
		CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
		sim_host_close(&h);
	}
}

static void masked_until_read(void)
{
	struct sim_host h = { 0 };
	struct nvp_cpl cpl;
	uint16_t first;

	if (!sim_host_open(&h, "sim:"))
		return;
	first = request(&h);
	request(&h);
	bad_doorbell(&h);
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl));
	CU_ASSERT_EQUAL(cpl.cid, first);
	CU_ASSERT_EQUAL(cpl.dw0, BAD_DOORBELL);
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	bad_doorbell(&h);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
	read_log(&h, 0x01, true);	/* retained */
	bad_doorbell(&h);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
	read_log(&h, 0x02, false);	/* another log */
	bad_doorbell(&h);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
	read_log(&h, 0x01, false);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
	bad_doorbell(&h);
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl));
	CU_ASSERT_EQUAL(cpl.dw0, BAD_DOORBELL);
	sim_host_close(&h);
}

/* An event with no request waiting is kept, once, unless the log is read first (5.2). */
static void kept(void)
{
	struct sim_host h = { 0 };
	struct nvp_cpl cpl;

	if (!sim_host_open(&h, "sim:"))
		return;
	bad_doorbell(&h);
	bad_doorbell(&h);
	request(&h);
	request(&h);
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl));
	CU_ASSERT_EQUAL(cpl.dw0, BAD_DOORBELL);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
	sim_host_reset(&h);
	bad_doorbell(&h);
	read_log(&h, 0x01, false);
	request(&h);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
	sim_host_close(&h);
}

static uint8_t warning(struct sim_host *h)
{
	sim_host_admin(h, nvp_build_get_log(0x02, 0, 512, 0, true, 0));
	return h->data[0];
}

static void temperature(void)
{
	struct sim_host h = { 0 };
	struct nvp_cpl cpl;

	if (!sim_host_open(&h, "sim:"))
		return;
	request(&h);
	request(&h);
	set(&h, 0x04, 300);		/* not enabled: the warning alone */
	CU_ASSERT_EQUAL(warning(&h), 2);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
	set(&h, 0x04, 343);
	CU_ASSERT_EQUAL(warning(&h), 0);
	set(&h, 0x0b, 0x02);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.admin));
	set(&h, 0x04, 311);		/* at the threshold counts */
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl));
	CU_ASSERT_EQUAL(cpl.dw0, SMART_EVENT);
	set(&h, 0x04, 343);
	read_log(&h, 0x02, false);
	set(&h, 0x04, 0x00100000 + 320);	/* below the lower threshold */
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl));
	CU_ASSERT_EQUAL(cpl.dw0, SMART_EVENT);
	sim_host_close(&h);
}

/* The condition is true when its notice is enabled: an event (5.27.1.8). */
static void enabled_late(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd cmd = nvp_build_set_features(0x0b, 0, false, 0x3f);
	struct nvp_cpl cpl[2];
	uint16_t aer, set_cid;

	if (!sim_host_open(&h, "sim:"))
		return;
	aer = request(&h);
	set(&h, 0x04, 300);
	set_cid = sim_host_post(&h, &h.admin, &cmd);
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl[0]));
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl[1]));
	CU_ASSERT_TRUE((cpl[0].cid == aer && cpl[1].cid == set_cid) ||
		       (cpl[1].cid == aer && cpl[0].cid == set_cid));
	CU_ASSERT_EQUAL(cpl[cpl[1].cid == aer].dw0, SMART_EVENT);
	sim_host_close(&h);
}

static void abort_request(void)
{
	struct sim_host h = { 0 };
	struct nvp_cpl cpl[2];
	struct nvp_cmd cmd;
	uint16_t aer, other, abort_cid;

	if (!sim_host_open(&h, "sim:"))
		return;
	other = request(&h);
	aer = request(&h);
	cmd = nvp_build_abort(0, aer);
	abort_cid = sim_host_post(&h, &h.admin, &cmd);
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl[0]));
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl[1]));
	CU_ASSERT_EQUAL(cpl[0].cid, aer);
	CU_ASSERT_EQUAL(sim_host_status(cpl[0]), 0x07);
	CU_ASSERT_EQUAL(cpl[1].cid, abort_cid);
	CU_ASSERT_EQUAL(cpl[1].dw0 & 1, 0);
	/* the other one still takes an event */
	bad_doorbell(&h);
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl[0]));
	CU_ASSERT_EQUAL(cpl[0].cid, other);
	CU_ASSERT_EQUAL(cpl[0].dw0, BAD_DOORBELL);
	sim_host_close(&h);
}

static void abort_missing(void)
{
	struct sim_host h = { 0 };
	struct nvp_cpl cpl;

	if (!sim_host_open(&h, "sim:"))
		return;
	cpl = sim_host_admin(&h, nvp_build_abort(0, 0x7777));
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	CU_ASSERT_EQUAL(cpl.dw0, 1);
	cpl = sim_host_admin(&h, nvp_build_abort(99, 1));
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	CU_ASSERT_EQUAL(cpl.dw0, 1);
	cpl = sim_host_admin(&h, nvp_build_abort(0, h.next_cid));	/* itself */
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	CU_ASSERT_EQUAL(cpl.dw0, 1);
	sim_host_close(&h);
}

/* At most ACL + 1 at once; every one completes, whatever they abort. */
static void abort_limit(void)
{
	struct sim_host h = { 0 };
	struct nvp_cpl cpl;
	unsigned nr_limit = 0;

	if (!sim_host_open(&h, "sim:"))
		return;
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < 10; i++) {
			struct nvp_cmd cmd = nvp_build_abort(0, (uint16_t)(h.next_cid - 1));

			sim_host_post(&h, &h.admin, &cmd);
		}
		for (unsigned i = 0; i < 10; i++) {
			CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl));
			CU_ASSERT(sim_host_status(cpl) == 0 || sim_host_status(cpl) == 0x07 ||
				  sim_host_status(cpl) == 0x103);
			nr_limit += sim_host_status(cpl) == 0x103;
		}
	}
	CU_ASSERT(nr_limit <= 12);
	cpl = sim_host_admin(&h, nvp_build_abort(0, 0x7777));
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	sim_host_close(&h);
}

static void abort_io(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd read, cmd;
	struct nvp_cpl cpl, of_abort;

	if (!sim_host_open(&h, "sim:"))
		return;
	read = nvp_build_read(1, 0, 7, 512);
	cmd = nvp_build_abort(1, sim_host_post(&h, &h.io, &read));
	of_abort = sim_host_admin(&h, cmd);
	CU_ASSERT_EQUAL(sim_host_status(of_abort), 0);
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.io, &cpl));
	CU_ASSERT_EQUAL(sim_host_status(cpl), of_abort.dw0 & 1 ? 0u : 0x07u);
	sim_host_pass(&h, NVP_NS_PER_S);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.io));
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_event[] = {
	{ "limit", limit },
	{ "masked_until_read", masked_until_read },
	{ "kept", kept },
	{ "temperature", temperature },
	{ "enabled_late", enabled_late },
	{ "abort_request", abort_request },
	{ "abort_missing", abort_missing },
	{ "abort_limit", abort_limit },
	{ "abort_io", abort_io },
	CU_TEST_INFO_NULL
};
