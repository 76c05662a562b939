// SPDX-License-Identifier: GPL-2.0-or-later
// The supply: off and gone, on and ready; and what is tried before a drive is called dead.

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "power/engine.h"

#define EXTRA_CYCLES 3u /* before a drive is called dead */
#define STEP_NS	     (100 * NVP_NS_PER_US)

int nvp_camp_relay_failed(struct nvp_camp *c)
{
	const struct nvp_err *err = nvp_relay_err(c->relay);

	if (!c->err->code)
		*c->err = *err;
	return err->code;
}

int nvp_camp_power(struct nvp_camp *c, enum nvp_power_action action)
{
	const struct nvp_power_when now = { .kind = NVP_POWER_NOW };
	uint64_t until_ns = nvp_clock_deadline_ns(c->clock,
						  nvp_drive_budget_ns(c->drive, NVP_TIME_POWER));
	enum nvp_power_step step;
	int rc;

	while (nvp_power_poll(c->relay, NULL) != NVP_POWER_NOTHING)
		;
	rc = nvp_power_arm(c->relay, action, &now, c->err);
	if (rc)
		return rc;
	while ((step = nvp_power_poll(c->relay, NULL)) != NVP_POWER_DONE) {
		if (step == NVP_POWER_FAILED)
			return nvp_camp_relay_failed(c);
		if (nvp_camp_now(c) >= until_ns)
			return nvp_err_set(c->err, NVP_ERR_BROKEN, -ETIMEDOUT,
					   "cycle %u: the relay did not switch", c->cycle);
		nvp_camp_wait(c, nvp_camp_now(c) + STEP_NS);
	}
	return 0;
}

/* Off and gone, and off for long enough. */
static int off_again(struct nvp_camp *c)
{
	uint64_t until_ns = nvp_clock_deadline_ns(c->clock, 10 * NVP_NS_PER_S);
	int rc = nvp_camp_power(c, NVP_POWER_OFF);

	while (!rc && !nvp_camp_gone(c)) {
		if (nvp_camp_now(c) >= until_ns)
			return nvp_err_set(c->err, NVP_ERR_BROKEN, -ETIMEDOUT,
					   "cycle %u: the supply did not go a second time",
					   c->cycle);
		nvp_camp_wait(c, nvp_camp_now(c) + STEP_NS);
	}
	c->power_losses++;
	return rc ? rc : nvp_clock_pass(c->clock, c->options->off_ns);
}

/* Power on, configuration space, controller ready. Negative errno of the door when not. */
static int on_and_ready(struct nvp_camp *c)
{
	uint64_t budget_ns = nvp_drive_budget_ns(c->drive, NVP_TIME_POWER);
	uint64_t from_ns = nvp_camp_now(c);
	int rc = nvp_camp_power(c, NVP_POWER_ON);

	if (!rc)
		rc = nvp_drive_reattach(c->drive, nvp_clock_deadline_ns(c->clock, budget_ns));
	if (rc)
		return rc;
	c->record.link_ns = nvp_camp_now(c) - from_ns;
	rc = nvp_baseline(c->drive);
	c->record.ready_ns = nvp_drive_ready_ns(c->drive);
	c->ready_ns = nvp_max_u64(c->ready_ns, nvp_camp_now(c) - from_ns);
	return rc;
}

/* A cut that falls while it comes up: before it is ready, or just after. */
static int cut_while_coming_up(struct nvp_camp *c, bool *was_ready)
{
	double at = c->plan.fraction;
	int rc;

	*was_ready = at >= 0.5;
	if (*was_ready) {
		rc = on_and_ready(c);
	} else {
		uint64_t whole_ns = c->ready_ns ? c->ready_ns : 20 * NVP_NS_PER_MS;

		rc = nvp_camp_power(c, NVP_POWER_ON);
		if (!rc)
			rc = nvp_clock_pass(c->clock, (uint64_t)(2 * at * (double)whole_ns));
	}
	return rc ? rc : off_again(c);
}

int nvp_camp_power_cycle(struct nvp_camp *c)
{
	int rc = off_again(c);

	return rc ? rc : on_and_ready(c);
}

/* ---- a drive that does not come back ---- */

/* Waited for twice as long as it was, and looked for anew where it has its place. */
static int look_again(struct nvp_camp *c)
{
	uint64_t budget_ns = 2 * nvp_drive_budget_ns(c->drive, NVP_TIME_POWER);
	int rc = nvp_drive_reattach(c->drive, nvp_clock_deadline_ns(c->clock, budget_ns));

	return rc ? rc : nvp_baseline(c->drive);
}

static int dead(struct nvp_camp *c, int why, uint64_t waited_ns)
{
	const struct nvp_drive_after after = { .cut_confirmed = true };
	struct nvp_finding found[4];
	char text[200];

	nvp_err_text(nvp_drive_err(c->drive), text, sizeof(text));
	nvp_judge_drive(&after, found);
	c->record.classes[found[0].class]++;
	nvp_camp_say(c, &found[0], c->nsid, UINT64_MAX, 1,
		     "not ready after the cut; tried: a longer wait, a rescan, %u more power "
		     "cycles, %llu s in all: %s", EXTRA_CYCLES,
		     (unsigned long long)(waited_ns / NVP_NS_PER_S),
		     text[0] ? text : strerror(-why));
	return -ENODEV;
}

static void late(struct nvp_camp *c, unsigned cycles)
{
	const struct nvp_finding finding = {
		.class = NVP_CLASS_SLOW_READY,
		.severity = NVP_SEVERITY_FAIL,
		.said_by = NVP_SAID_BY_SPEC,
	};

	c->record.classes[finding.class]++;
	if (cycles)
		nvp_camp_say(c, &finding, c->nsid, UINT64_MAX, 1,
			     "not ready after the cut, and ready only after the supply was "
			     "switched again");
	else
		nvp_camp_say(c, &finding, c->nsid, UINT64_MAX, 1,
			     "not ready after the cut, and ready only after a rescan and a second "
			     "enable");
}

int nvp_camp_revive(struct nvp_camp *c, unsigned *sure_losses, uint64_t *on_ns)
{
	bool was_ready = false, again = false;
	unsigned extra = 0;
	int rc = 0;

	nvp_clock_pass(c->clock, c->options->off_ns);
	for (unsigned i = 0; !rc && i < c->plan.more_cuts; i++) {
		rc = cut_while_coming_up(c, &was_ready);
		*sure_losses += was_ready;
	}
	*on_ns = nvp_camp_now(c);
	if (!rc)
		rc = on_and_ready(c);
	if (rc && !c->err->code) {
		again = true;
		rc = look_again(c);
	}
	for (; rc && !c->err->code && extra < EXTRA_CYCLES; extra++) {
		*sure_losses = 1; /* how a drive counts that does not come up nobody says */
		rc = nvp_camp_power_cycle(c);
	}
	if (rc && c->err->code)
		return rc;
	if (rc)
		return dead(c, rc, nvp_camp_now(c) - *on_ns);
	if (again)
		late(c, extra);
	return 0;
}
