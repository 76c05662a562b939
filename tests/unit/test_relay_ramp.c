// SPDX-License-Identifier: GPL-2.0-or-later
// Ramps: which voltage at which time, with a supply that is quick, slow, or fails.

#include <errno.h>
#include <string.h>

#include "power/relay_ramp.h"
#include "tests/unit/unit.h"

struct supply {
	uint64_t now_ns, takes_ns;	/* one setting */
	unsigned nr, fail_at;		/* the n-th setting fails; 0: none */
	struct {
		uint32_t mv;
		uint64_t at_ns;
	} set[32];
};

static uint64_t now_ns(void *context)
{
	return ((struct supply *)context)->now_ns;
}

static int wait_it(void *context, const struct nvp_wait *wait)
{
	((struct supply *)context)->now_ns = wait->until_ns;
	return NVP_WOKEN_TIME;
}

static int set_millivolts(void *device, uint32_t mv, struct nvp_err *err)
{
	struct supply *s = device;

	s->now_ns += s->takes_ns;
	if (s->nr + 1 == s->fail_at)
		return nvp_err_set(err, NVP_ERR_BROKEN, -EREMOTEIO, "the supply");
	s->set[s->nr].mv = mv;
	s->set[s->nr++].at_ns = s->now_ns;
	return 0;
}

static const struct nvp_relay_ops ops = { .scheme = "test", .set_millivolts = set_millivolts };

static int run(struct supply *s, struct nvp_relay_ramp ramp, struct nvp_relay_ramp_result *result,
	       struct nvp_err *err)
{
	const struct nvp_clock clock = { .now_ns = now_ns, .wait = wait_it, .context = s,
					 .virtual_time = true };

	return nvp_relay_ramp(&ops, s, &ramp, &clock, result, err);
}

static void a_straight_line_down_and_up(void)
{
	struct supply s = { .now_ns = 1000 };
	struct nvp_relay_ramp_result r;
	struct nvp_err err = { 0 };

	CU_ASSERT_EQUAL(run(&s, (struct nvp_relay_ramp){ 12000, 7000, 100, 4 }, &r, &err), 0);
	CU_ASSERT_EQUAL_FATAL(s.nr, 5);
	for (unsigned i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(s.set[i].mv, 12000 - 1250 * i);
		CU_ASSERT_EQUAL(s.set[i].at_ns, 1000 + 25 * i);
	}
	CU_ASSERT_EQUAL(r.set, 5);
	CU_ASSERT_EQUAL(r.skipped, 0);
	CU_ASSERT_EQUAL(r.late_ns, 0);
	CU_ASSERT_EQUAL(r.end_ns, 1100);
	s.nr = 0;
	CU_ASSERT_EQUAL(run(&s, (struct nvp_relay_ramp){ 0, 3300, 0, 1 }, &r, &err), 0);
	CU_ASSERT_EQUAL(s.nr, 2);	/* no time at all: where it begins, where it ends */
	CU_ASSERT_EQUAL(s.set[0].mv, 0);
	CU_ASSERT_EQUAL(s.set[1].mv, 3300);
	CU_ASSERT_EQUAL(err.code, 0);
}

/* 30 for each setting, a step every 20: coarser, and over when it was to be. */
static void a_slow_supply(void)
{
	struct supply s = { .takes_ns = 30 };
	struct nvp_relay_ramp_result r;
	struct nvp_err err = { 0 };

	CU_ASSERT_EQUAL(run(&s, (struct nvp_relay_ramp){ 1000, 2000, 200, 10 }, &r, &err), 0);
	CU_ASSERT_EQUAL(r.set + r.skipped, 11);
	CU_ASSERT_TRUE(r.skipped > 0);
	CU_ASSERT_EQUAL(s.set[0].mv, 1000);
	CU_ASSERT_EQUAL(s.set[s.nr - 1].mv, 2000);
	CU_ASSERT_TRUE(r.end_ns <= 200 + 2 * 30);
	CU_ASSERT_TRUE(r.late_ns > 0 && r.late_ns < 30);
	for (unsigned i = 1; i < s.nr; i++)
		CU_ASSERT_TRUE(s.set[i].mv > s.set[i - 1].mv);
	CU_ASSERT_EQUAL(s.set[1].mv, 1100);	/* was due at 20, begun at 30 */
	/* Slower than the whole ramp: where it leads is set all the same. */
	s = (struct supply){ .takes_ns = 5000 };
	CU_ASSERT_EQUAL(run(&s, (struct nvp_relay_ramp){ 1000, 2000, 200, 10 }, &r, &err), 0);
	CU_ASSERT_EQUAL(s.nr, 2);
	CU_ASSERT_EQUAL(s.set[1].mv, 2000);
	CU_ASSERT_EQUAL(r.skipped, 9);
}

static void what_cannot_be_done(void)
{
	static const struct nvp_relay_ops contact = { .scheme = "lcus" };
	struct nvp_relay_ramp ramp = { 1000, 2000, 200, 10 };
	struct supply s = { .fail_at = 3 };
	struct nvp_relay_ramp_result r;
	struct nvp_err err = { 0 };

	CU_ASSERT_EQUAL(run(&s, ramp, &r, &err), -EREMOTEIO);
	CU_ASSERT_EQUAL(r.set, 2);
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_BROKEN);
	memset(&err, 0, sizeof(err));
	ramp.steps = 0;
	CU_ASSERT_EQUAL(run(&s, ramp, &r, &err), -EINVAL);
	ramp.steps = NVP_RAMP_MOST_STEPS + 1;
	CU_ASSERT_EQUAL(run(&s, ramp, &r, NULL), -EINVAL);
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	memset(&err, 0, sizeof(err));
	CU_ASSERT_EQUAL(nvp_relay_ramp(&contact, &s, &ramp, nvp_clock_real(), &r, &err),
			-EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(err.what, "relay lcus: its voltage cannot be set");
}

CU_TestInfo nvp_unit_relay_ramp[] = {
	{ "a straight line down and up", a_straight_line_down_and_up },
	{ "a slow supply", a_slow_supply },
	{ "what cannot be done", what_cannot_be_done },
	CU_TEST_INFO_NULL,
};
