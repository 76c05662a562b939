// SPDX-License-Identifier: GPL-2.0-or-later
// The door to relays: the moment of a request, its steps, and addresses that are none.

#include <nvproof/drive_ops.h>
#include <nvproof/power.h>

#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"

struct rig {
	struct nvp_prepared *prepared;
	struct nvp_drive *drive;
	struct nvp_relay *relay;
	const struct nvp_clock *clock;
	struct nvp_err err;
};

static bool begin(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	r->prepared = nvp_drive_prepare("sim:", 1, 0, &r->err);
	if (r->prepared)
		r->drive = nvp_drive_open(r->prepared, NULL, 1, &r->err);
	if (r->drive) {
		nvp_drive_permit(r->drive, NVP_IMPACT_ALL);
		r->clock = nvp_drive_clock(r->drive);
		r->relay = nvp_relay_open("sim", r->drive, &r->err);
	}
	CU_ASSERT_PTR_NOT_NULL(r->relay);
	return r->relay;
}

static void end(struct rig *r)
{
	nvp_relay_close(r->relay);
	nvp_drive_close(r->drive);
	nvp_drive_discard(r->prepared);
}

static bool gone(struct rig *r)
{
	uint32_t csts;

	nvp_clock_pass(r->clock, 20 * NVP_NS_PER_MS);
	return nvp_reg_read32(r->drive, NVP_REG_CSTS, &csts) || csts == UINT32_MAX;
}

static void now_means_at_once(void)
{
	const struct nvp_power_when now = { .kind = NVP_POWER_NOW };
	struct rig r;
	uint64_t at_ns = 0;

	if (!begin(&r))
		return;
	CU_ASSERT_EQUAL(nvp_power_poll(r.relay, &at_ns), NVP_POWER_NOTHING);
	CU_ASSERT_EQUAL(nvp_power_arm(r.relay, NVP_POWER_OFF, &now, &r.err), 0);
	CU_ASSERT_EQUAL(nvp_power_arm(r.relay, NVP_POWER_ON, &now, NULL), -EBUSY);
	CU_ASSERT_EQUAL(nvp_power_poll(r.relay, &at_ns), NVP_POWER_COMMANDED);
	CU_ASSERT_EQUAL(nvp_power_poll(r.relay, &at_ns), NVP_POWER_DONE);
	CU_ASSERT_EQUAL(nvp_power_poll(r.relay, &at_ns), NVP_POWER_NOTHING);
	CU_ASSERT(at_ns <= nvp_clock_now_ns(r.clock));
	CU_ASSERT(gone(&r));
	end(&r);
}

static void a_time_is_waited_for(void)
{
	struct nvp_power_when when = { .kind = NVP_POWER_AT };
	struct rig r;

	if (!begin(&r))
		return;
	when.at_ns = nvp_clock_now_ns(r.clock) + 50 * NVP_NS_PER_MS;
	CU_ASSERT_EQUAL(nvp_power_arm(r.relay, NVP_POWER_OFF, &when, &r.err), 0);
	CU_ASSERT_EQUAL(nvp_power_poll(r.relay, NULL), NVP_POWER_NOTHING);
	CU_ASSERT_FALSE(gone(&r));
	CU_ASSERT_EQUAL(nvp_power_poll(r.relay, NULL), NVP_POWER_NOTHING);
	nvp_clock_pass(r.clock, 31 * NVP_NS_PER_MS);
	CU_ASSERT_EQUAL(nvp_power_poll(r.relay, NULL), NVP_POWER_COMMANDED);
	CU_ASSERT(gone(&r));
	end(&r);
}

static void the_nth_command_is_counted(void)
{
	const struct nvp_power_when when = {
		.kind = NVP_POWER_ON_COMMAND, .opcode = NVP_IO_FLUSH, .nth = 2,
	};
	struct rig r;

	if (!begin(&r))
		return;
	nvp_relay_exposed(r.relay, NVP_IO_FLUSH); /* before it was armed */
	CU_ASSERT_EQUAL(nvp_power_arm(r.relay, NVP_POWER_OFF, &when, &r.err), 0);
	nvp_relay_exposed(r.relay, NVP_IO_FLUSH);
	nvp_relay_exposed(r.relay, NVP_IO_WRITE);
	CU_ASSERT_EQUAL(nvp_power_poll(r.relay, NULL), NVP_POWER_NOTHING);
	CU_ASSERT_FALSE(gone(&r));
	nvp_relay_exposed(r.relay, NVP_IO_FLUSH);
	CU_ASSERT_EQUAL(nvp_power_poll(r.relay, NULL), NVP_POWER_COMMANDED);
	CU_ASSERT(gone(&r));
	end(&r);
}

static void an_address_that_is_none_is_told(void)
{
	struct nvp_err err = { 0 };
	struct rig r;

	if (!begin(&r))
		return;
	CU_ASSERT_PTR_NULL(nvp_relay_open("sim:3", r.drive, &err));
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	err = (struct nvp_err){ 0 };
	CU_ASSERT_PTR_NULL(nvp_relay_open("smi", r.drive, &err));
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.expected, "sim"));
	CU_ASSERT_EQUAL(nvp_relay_check("sim", NULL), 0);
	CU_ASSERT_EQUAL(nvp_relay_check("", NULL), -EINVAL);
	end(&r);
}

CU_TestInfo nvp_unit_relay[] = {
	{ "now_means_at_once", now_means_at_once },
	{ "a_time_is_waited_for", a_time_is_waited_for },
	{ "the_nth_command_is_counted", the_nth_command_is_counted },
	{ "an_address_that_is_none_is_told", an_address_that_is_none_is_told },
	CU_TEST_INFO_NULL,
};
