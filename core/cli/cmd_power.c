// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof power`: a relay by hand, before a campaign is trusted to it.

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <nvproof/clock.h>
#include <nvproof/power.h>

#include "core/cli/command.h"

#define LIMIT_S	   90 /* longer than off-ms can be, and than any device takes */
#define STEP_NS	   NVP_NS_PER_MS

enum { UNKNOWN = -1 };

struct switched {
	const char *action, *relay;
	int on;			/* 1, 0 or UNKNOWN: read back from the device */
	uint64_t off_ns, on_ns;	/* cycle: from the command until the device had switched */
	uint64_t away_ns;	/* cycle: from switched off to switched on */
};

static int put(struct nvp_program *p, const struct switched *s)
{
	const char *state = s->on < 0 ? "unknown" : s->on ? "on" : "off";
	bool cycle = !strcmp(s->action, "cycle");
	struct nvp_text out = { 0 };
	int rc;

	if (p->options.json) {
		nvp_json_begin(&out, NULL, '{');
		nvp_json_string(&out, "schema", "nvproof.power/1");
		nvp_json_string(&out, "action", s->action);
		nvp_json_string(&out, "relay", s->relay);
		nvp_json_string(&out, "state", state);
		if (cycle) {
			nvp_json_u64(&out, "off_ns", s->off_ns);
			nvp_json_u64(&out, "away_ns", s->away_ns);
			nvp_json_u64(&out, "on_ns", s->on_ns);
		}
		nvp_json_end(&out, '}');
		rc = nvp_put_json(p, &out);
	} else {
		nvp_text_addf(&out, "%s: %s%s\n", s->relay, state,
			      s->on < 0 ? ", it cannot be read back" : "");
		if (cycle)
			nvp_text_addf(&out, "off after %.1f ms, away %.1f ms, on after %.1f ms\n",
				      (double)s->off_ns / 1e6, (double)s->away_ns / 1e6,
				      (double)s->on_ns / 1e6);
		rc = nvp_put_result(p, &out);
	}
	nvp_text_free(&out);
	return rc;
}

static uint64_t now_ns(void)
{
	return nvp_clock_now_ns(nvp_clock_real());
}

/* Ask, and wait until it is done. *took_ns: from the command. */
static int switch_it(struct nvp_relay *relay, enum nvp_power_action action, uint64_t *took_ns,
		     struct nvp_err *err)
{
	const struct nvp_power_when now = { .kind = NVP_POWER_NOW };
	uint64_t until_ns = now_ns() + LIMIT_S * NVP_NS_PER_S, from_ns = 0, at_ns = 0;
	enum nvp_power_step step = NVP_POWER_NOTHING;
	int rc = nvp_power_arm(relay, action, &now, err);

	while (!rc && step != NVP_POWER_DONE && now_ns() < until_ns) {
		step = nvp_power_poll(relay, &at_ns);
		if (step == NVP_POWER_COMMANDED)
			from_ns = at_ns;
		if (step == NVP_POWER_NOTHING)
			nvp_clock_pass(nvp_clock_real(), STEP_NS);
		if (step != NVP_POWER_FAILED)
			continue;
		if (!err->code)
			*err = *nvp_relay_err(relay);
		return err->code;
	}
	if (!rc && step != NVP_POWER_DONE)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ETIMEDOUT,
				   "the relay did not switch in %d s", LIMIT_S);
	*took_ns = at_ns - from_ns;
	return rc;
}

/* Over a keeper: whatever ends this process, power comes back. */
static int cycle(struct nvp_program *p, struct switched *s)
{
	struct nvp_keeper *keeper = nvp_keeper_start(&s->relay, 1, &p->err);
	int fd = keeper ? nvp_keeper_client(keeper, 0) : -1;
	struct nvp_relay *relay = NULL;
	uint64_t off_at_ns;
	char address[24];
	int rc = -EIO;

	snprintf(address, sizeof(address), "keeper:%d", fd);
	if (fd >= 0)
		relay = nvp_relay_open(address, NULL, &p->err);
	if (relay)
		rc = switch_it(relay, NVP_POWER_OFF, &s->off_ns, &p->err);
	off_at_ns = now_ns();
	if (!rc)
		nvp_clock_pass(nvp_clock_real(), p->options.off_ms * NVP_NS_PER_MS);
	if (!rc)
		rc = switch_it(relay, NVP_POWER_ON, &s->on_ns, &p->err);
	s->away_ns = now_ns() - off_at_ns;
	s->on = !rc ? nvp_relay_state(relay, NULL) : UNKNOWN;
	nvp_relay_close(relay);
	if (fd >= 0)
		close(fd);
	if (nvp_keeper_stop(keeper))
		rc = nvp_err_set(&p->err, NVP_ERR_BROKEN, -ETIMEDOUT,
				 "the relay does not give power back: it is tried on");
	return rc;
}

/* The device by itself: it is as it was left when this ends. */
static int direct(struct nvp_program *p, struct switched *s)
{
	struct nvp_relay *relay;
	uint64_t took_ns;
	int rc = 0;

	if (strcmp(s->action, "on") && !nvp_relay_keeps(s->relay)) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL,
			    "power %s %.80s: the line is held only as long as somebody has it, and "
			    "taking it gives power", s->action, s->relay);
		nvp_err_advice(&p->err, "power cycle, or power on");
		return -EINVAL;
	}
	relay = nvp_relay_open(s->relay, NULL, &p->err);
	if (!relay)
		return p->err.code;
	if (strcmp(s->action, "state"))
		rc = switch_it(relay, strcmp(s->action, "on") ? NVP_POWER_OFF : NVP_POWER_ON,
			       &took_ns, &p->err);
	if (!rc)
		s->on = nvp_relay_state(relay, &p->err);
	/* what was done is done, also where it cannot be read back */
	if (!rc && s->on < 0 && (s->on == -EOPNOTSUPP || strcmp(s->action, "state")))
		p->err = (struct nvp_err){ 0 };
	nvp_relay_close(relay);
	return rc ? rc : p->err.code;
}

int nvp_cmd_power(struct nvp_program *p)
{
	static const char *const actions[] = { "on", "off", "cycle", "state", NULL };
	struct switched s = { .action = p->operand[0], .relay = p->operand[1], .on = UNKNOWN };
	unsigned at = 0;

	while (actions[at] && strcmp(actions[at], s.action))
		at++;
	if (!actions[at]) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "power %.40s", s.action);
		nvp_err_expected(&p->err, "on, off, cycle or state");
	} else if (!strcmp(s.relay, "sim")) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "power %s sim: the rail of a simulated "
			    "drive is there while a run has the drive", s.action);
	} else if (!nvp_relay_check(s.relay, &p->err)) {
		if (!(at == 2 ? cycle(p, &s) : direct(p, &s)))
			return put(p, &s);
	}
	return nvp_err_exit_code(p->err.kind);
}
