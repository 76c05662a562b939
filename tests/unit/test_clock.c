// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the clock and of what every clock offers. No duration is asserted but the least.

#include <errno.h>

#include <nvproof/clock.h>

#include "tests/unit/unit.h"

struct fake {
	uint64_t now_ns;
	struct nvp_wait last;
	int answer;
};

static uint64_t fake_now(void *context)
{
	return ((struct fake *)context)->now_ns;
}

static int fake_wait(void *context, const struct nvp_wait *wait)
{
	struct fake *fake = context;

	fake->last = *wait;
	if (fake->answer >= 0)
		fake->now_ns = wait->until_ns;
	return fake->answer;
}

static void deadline_saturates_below_never(void)
{
	struct fake fake = { .now_ns = 1000 };
	struct nvp_clock clock = { .now_ns = fake_now, .wait = fake_wait, .context = &fake };

	CU_ASSERT_EQUAL(nvp_clock_deadline_ns(&clock, 0), 1000);
	CU_ASSERT_EQUAL(nvp_clock_deadline_ns(&clock, 5), 1005);
	CU_ASSERT_EQUAL(nvp_clock_deadline_ns(&clock, UINT64_MAX - 1002), UINT64_MAX - 2);
	CU_ASSERT_EQUAL(nvp_clock_deadline_ns(&clock, UINT64_MAX - 1001), UINT64_MAX - 1);
	CU_ASSERT_EQUAL(nvp_clock_deadline_ns(&clock, UINT64_MAX - 1000), UINT64_MAX - 1);
	CU_ASSERT_EQUAL(nvp_clock_deadline_ns(&clock, NVP_NEVER_NS), UINT64_MAX - 1);
}

static void pass_waits_for_nothing_but_time(void)
{
	struct fake fake = { .now_ns = 1000 };
	struct nvp_clock clock = { .now_ns = fake_now, .wait = fake_wait, .context = &fake };

	CU_ASSERT_EQUAL(nvp_clock_pass(&clock, 500), 0);
	CU_ASSERT_EQUAL(nvp_clock_now_ns(&clock), 1500);
	CU_ASSERT_EQUAL(fake.last.until_ns, 1500);
	CU_ASSERT_EQUAL(fake.last.vectors, 0);
	CU_ASSERT_EQUAL(fake.last.nr_watch, 0);
	fake.answer = NVP_WOKEN_PHASE;		/* no error, whatever it means */
	CU_ASSERT_EQUAL(nvp_clock_pass(&clock, 500), 0);
	fake.answer = -ENODEV;
	CU_ASSERT_EQUAL(nvp_clock_pass(&clock, 500), -ENODEV);
}

static void real_clock_reaches_the_time(void)
{
	const struct nvp_clock *clock = nvp_clock_real();
	uint64_t begin_ns = nvp_clock_now_ns(clock);

	CU_ASSERT_FALSE(clock->virtual_time);
	CU_ASSERT_EQUAL(nvp_clock_pass(clock, NVP_NS_PER_MS), 0);
	CU_ASSERT_TRUE(nvp_clock_now_ns(clock) - begin_ns >= NVP_NS_PER_MS);
	/* A time that is over already. */
	CU_ASSERT_EQUAL(clock->wait(clock->context, &(struct nvp_wait) { .until_ns = begin_ns }),
			NVP_WOKEN_TIME);
}

static void real_clock_refuses_never_and_vectors(void)
{
	const struct nvp_clock *clock = nvp_clock_real();
	struct nvp_wait never = { .until_ns = NVP_NEVER_NS };
	struct nvp_wait vector = { .until_ns = 1, .vectors = 1 };

	CU_ASSERT_EQUAL(clock->wait(clock->context, &never), -EINVAL);
	CU_ASSERT_EQUAL(clock->wait(clock->context, &vector), -EINVAL);
}

static void real_clock_sees_phases(void)
{
	const struct nvp_clock *clock = nvp_clock_real();
	uint8_t phase[2] = { 0xfe, 0x01 };
	struct nvp_watch watch[2] = {
		{ .phase_byte = &phase[0], .expected_phase = 1 },
		{ .phase_byte = &phase[1], .expected_phase = 0 },
	};
	struct nvp_wait wait = { .watch = watch, .nr_watch = 2 };

	wait.until_ns = nvp_clock_deadline_ns(clock, NVP_NS_PER_MS);
	CU_ASSERT_EQUAL(clock->wait(clock->context, &wait), NVP_WOKEN_TIME);
	CU_ASSERT_TRUE(nvp_clock_now_ns(clock) >= wait.until_ns);
	phase[1] = 0x80;
	CU_ASSERT_EQUAL(clock->wait(clock->context, &wait), NVP_WOKEN_PHASE);
	phase[1] = 1;
	phase[0] = 0xff;
	CU_ASSERT_EQUAL(clock->wait(clock->context, &wait), NVP_WOKEN_PHASE);
}

CU_TestInfo nvp_unit_clock[] = {
	{ "deadline_saturates_below_never", deadline_saturates_below_never },
	{ "pass_waits_for_nothing_but_time", pass_waits_for_nothing_but_time },
	{ "real_clock_reaches_the_time", real_clock_reaches_the_time },
	{ "real_clock_refuses_never_and_vectors", real_clock_refuses_never_and_vectors },
	{ "real_clock_sees_phases", real_clock_sees_phases },
	CU_TEST_INFO_NULL,
};
