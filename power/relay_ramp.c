// SPDX-License-Identifier: GPL-2.0-or-later
// A supply's voltage along a straight line, each step at its own time.

#include "power/relay_ramp.h"

#include <errno.h>

static uint32_t voltage_at(const struct nvp_relay_ramp *ramp, uint32_t step)
{
	int64_t whole = (int64_t)ramp->to_mv - ramp->from_mv;

	return (uint32_t)(ramp->from_mv + whole * step / ramp->steps);
}

static int check(const struct nvp_relay_ops *ops, const struct nvp_relay_ramp *ramp,
		 struct nvp_err *err)
{
	if (!ops->set_millivolts) {
		nvp_err_set(err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
			    "relay %s: its voltage cannot be set", ops->scheme);
		nvp_err_advice(err, "a brown-out needs a supply that can: scpi:HOST:PORT");
		return -EOPNOTSUPP;
	}
	if (ramp->steps && ramp->steps <= NVP_RAMP_MOST_STEPS)
		return 0;
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "a ramp of %u steps", ramp->steps);
	nvp_err_expected(err, "1 to %u", NVP_RAMP_MOST_STEPS);
	return -EINVAL;
}

int nvp_relay_ramp(const struct nvp_relay_ops *ops, void *device,
		   const struct nvp_relay_ramp *ramp, const struct nvp_clock *clock,
		   struct nvp_relay_ramp_result *result, struct nvp_err *err)
{
	uint64_t begin = nvp_clock_now_ns(clock);
	int rc = check(ops, ramp, err);

	*result = (struct nvp_relay_ramp_result){ 0 };
	for (uint32_t step = 0; !rc && step <= ramp->steps; step++) {
		uint64_t due = begin + ramp->duration_ns * step / ramp->steps;
		uint64_t next = begin + ramp->duration_ns * (step + 1) / ramp->steps;
		uint64_t now = nvp_clock_now_ns(clock);

		if (now < due) {
			nvp_clock_pass(clock, due - now);
			now = nvp_clock_now_ns(clock);
		}
		if (now > due && now >= next && step < ramp->steps) {
			result->skipped++;
			continue;
		}
		if (now - due > result->late_ns)
			result->late_ns = now - due;
		rc = ops->set_millivolts(device, voltage_at(ramp, step), err);
		result->set += !rc;
		result->end_ns = nvp_clock_now_ns(clock);
	}
	return rc;
}
