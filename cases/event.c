// SPDX-License-Identifier: GPL-2.0-or-later
// Asynchronous events: how many requests wait, what completes one, when the next may come.

#include "cases/common.h"

/* How long nothing has to come before it counts as not coming. */
#define QUIET_NS (500 * NVP_NS_PER_MS)

/* An event has to come, and to be the temperature threshold's (SMART / Health log). */
static bool expect_temperature_event(struct nvp_t *t, const char *when)
{
	struct nvp_async_event event;
	struct nvp_cpl cpl;
	bool came;

	if (!case_next_event(t, nvp_drive_budget_ns(nvp_t_drive(t), NVP_TIME_ADMIN), &came, &cpl))
		return false;
	if (!nvp_check(t, came, "%s: no event came", when))
		return false;
	if (!CASE_SUCCEEDS(t, &cpl))
		return false;
	event = nvp_decode_async_event(cpl.dw0);
	nvp_check(t, event.type == 1 && event.info == 1 && event.lid == 2,
		  "%s: Dword 0 is %08Xh: type %u, information %02Xh, log %02Xh", when, cpl.dw0,
		  event.type, event.info, event.lid);
	return true;
}

/* No SMART / Health event may come; one of another type is the drive's own affair. */
static bool expect_quiet(struct nvp_t *t, const char *when)
{
	struct nvp_cpl cpl;
	bool came;

	if (!case_next_event(t, QUIET_NS, &came, &cpl))
		return false;
	if (came && nvp_cpl_ok(&cpl) && nvp_decode_async_event(cpl.dw0).type != 1) {
		nvp_skip_at(t, __FILE__, __LINE__, "%s: an event of another type came (%08Xh)",
			    when, cpl.dw0);
		return false;
	}
	return nvp_check(t, !came, "%s: a request completed, Dword 0 %08Xh, status %u/%02Xh", when,
			 came ? cpl.dw0 : 0, came ? cpl.status.sct : 0, came ? cpl.status.sc : 0);
}

/* Read the SMART log; with RAE = 0 that clears its events. */
static bool read_smart(struct nvp_t *t, bool retain, struct nvp_smart *smart)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_cmd cmd = nvp_build_get_log(0x02, NVP_NSID_ALL, 512, 0, retain, 0);
	struct nvp_cpl cpl;

	if (!buf)
		return false;
	cmd.data = buf;
	if (!CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	nvp_decode_smart(nvp_buf_data(buf), 512, smart);
	return true;
}

/* Over temperature threshold: far away, or below the temperature, which is an event. */
static bool set_threshold(struct nvp_t *t, uint16_t kelvin)
{
	struct nvp_cpl cpl;

	return nvp_change_feature(t, 0x04, 0, kelvin, &cpl) && CASE_SUCCEEDS(t, &cpl);
}

#define FAR_AWAY 0xffff

/*
 * Threshold far away, temperature events on or off, nothing pending. *below is a threshold that
 * the temperature is above. Requests are ended by a reset at the end of the case.
 */
static bool prepare(struct nvp_t *t, bool enabled, uint16_t *below)
{
	struct nvp_smart smart;
	struct nvp_cpl cpl;
	uint32_t aec;

	nvp_defer(t, case_reset_at_end, NULL);
	if (!case_feature_value(t, 0x0b, 0, &aec))
		return false;
	if (!set_threshold(t, FAR_AWAY))
		return false;
	aec = enabled ? aec | 2 : aec & ~2u;
	if (!nvp_change_feature(t, 0x0b, 0, aec, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	if (!read_smart(t, false, &smart))
		return false;
	if (smart.composite_temperature_k <= 20) {
		nvp_skip_at(t, __FILE__, __LINE__, "the drive reports no temperature");
		return false;
	}
	*below = (uint16_t)(smart.composite_temperature_k - 20);
	return true;
}

/*
 * AER-01. AERL + 1 requests wait; one more ends with Asynchronous Event Request Limit Exceeded,
 * and none of the others ends with an error.
 */
static void requests_wait_up_to_the_limit(struct nvp_t *t)
{
	unsigned limit = nvp_t_facts(t)->ctrl.aerl_z + 1u;
	uint32_t value;
	struct nvp_cpl cpl;
	bool came;

	nvp_defer(t, case_reset_at_end, NULL);
	for (unsigned i = 0; i < limit; i++) {
		/* an ordinary command behind each tells the queue's head and gives it time */
		if (!case_post_event_request(t) || !case_feature_value(t, 0x01, 0, &value))
			return;
		if (!case_next_event(t, NVP_NS_PER_MS, &came, &cpl))
			return;
		if (came && nvp_cpl_ok(&cpl))
			nvp_skip(t, "an event came in between (Dword 0 %08Xh)", cpl.dw0);
		nvp_require(t, !came, "request %u of %u ended with status %u/%02Xh", i + 1, limit,
			    cpl.status.sct, cpl.status.sc);
	}
	if (!case_post_event_request(t) ||
	    !case_next_event(t, nvp_drive_budget_ns(nvp_t_drive(t), NVP_TIME_ADMIN), &came, &cpl))
		return;
	if (came && nvp_cpl_ok(&cpl))
		nvp_skip(t, "an event came in between (Dword 0 %08Xh)", cpl.dw0);
	nvp_check(t, came && nvp_status_is(&cpl.status, NVP_SCT_COMMAND, NVP_SC_AER_LIMIT),
		  "request %u of %u: %s, status %u/%02Xh", limit + 1, limit,
		  came ? "completed" : "waits", came ? cpl.status.sct : 0,
		  came ? cpl.status.sc : 0);
}

/* AER-02. A request has no timeout: 15 s without an event, and it still waits. */
static void requests_wait_without_timeout(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	bool came = false;

	nvp_defer(t, case_reset_at_end, NULL);
	if (!case_post_event_request(t))
		return;
	for (int second = 0; second < 15 && !came; second++)
		if (!case_next_event(t, NVP_NS_PER_S, &came, &cpl))
			return;
	/* a real event may come: it names the log that tells more, which is never log 00h */
	nvp_check(t, !came || (nvp_cpl_ok(&cpl) && cpl.dw0 >> 16 & 0xff),
		  "the request ended with status %u/%02Xh, Dword 0 %08Xh",
		  came ? cpl.status.sct : 0, came ? cpl.status.sc : 0, came ? cpl.dw0 : 0);
}

/*
 * AER-04, FEA-11. One event completes one request of several, and Dword 0 says what it was and
 * which log tells more.
 */
static void an_event_completes_one_request(struct nvp_t *t)
{
	uint16_t below;

	if (!nvp_t_facts(t)->ctrl.aerl_z)
		nvp_skip(t, "the drive takes a single request");
	if (!prepare(t, true, &below) || !case_post_event_request(t) || !case_post_event_request(t))
		return;
	if (!expect_quiet(t, "before the threshold was moved") || !set_threshold(t, below) ||
	    !expect_temperature_event(t, "threshold below the temperature"))
		return;
	expect_quiet(t, "after the one event");
}

/*
 * AER-05. After an event was reported, no other of its type is until the host has read its log,
 * even when the condition goes and comes again; afterwards it is reported again.
 */
static void events_are_masked_until_the_log_is_read(struct nvp_t *t)
{
	struct nvp_smart smart;
	uint16_t below;

	if (!prepare(t, true, &below) || !case_post_event_request(t) || !set_threshold(t, below) ||
	    !expect_temperature_event(t, "first crossing"))
		return;
	if (!case_post_event_request(t) || !set_threshold(t, FAR_AWAY) ||
	    !set_threshold(t, below) || !expect_quiet(t, "second crossing, log not read"))
		return;
	if (!set_threshold(t, FAR_AWAY) || !read_smart(t, false, &smart) ||
	    !set_threshold(t, below))
		return;
	expect_temperature_event(t, "third crossing, log read");
}

/* LOG-19. A read of the log with Retain Asynchronous Event = 1 does not count as having read it. */
static void retained_events_stay_masked(struct nvp_t *t)
{
	struct nvp_smart smart;
	uint16_t below;

	if (!prepare(t, true, &below) || !case_post_event_request(t) || !set_threshold(t, below) ||
	    !expect_temperature_event(t, "first crossing"))
		return;
	if (!case_post_event_request(t) || !read_smart(t, true, &smart) ||
	    !set_threshold(t, FAR_AWAY) || !set_threshold(t, below))
		return;
	expect_quiet(t, "second crossing, log read with RAE = 1");
}

/* AER-04. An event that finds no request is kept and completes the next one. */
static void events_wait_for_a_request(struct nvp_t *t)
{
	uint16_t below;

	if (!prepare(t, true, &below) || !set_threshold(t, below))
		return;
	nvp_done(t, nvp_clock_pass(nvp_drive_clock(nvp_t_drive(t)), QUIET_NS));
	if (!case_post_event_request(t))
		return;
	expect_temperature_event(t, "request after the crossing");
}

/* AER-06. An event that Asynchronous Event Configuration switches off is not sent. */
static void disabled_events_are_not_sent(struct nvp_t *t)
{
	uint16_t below;

	if (!prepare(t, false, &below) || !case_post_event_request(t) || !set_threshold(t, below))
		return;
	expect_quiet(t, "temperature events switched off");
}

#define EVENT_NEEDS (NVP_NEED_QUEUES | NVP_NEED_RESETS)
#define EVENT_IMPACT (NVP_IMPACT_STATE | NVP_IMPACT_RESET)

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "event.requests-wait-up-to-the-limit",
		.title = "AERL + 1 Asynchronous Event Requests wait, one more is refused",
		.spec = { "NVMe Base", "2.0", "5.2", "Asynchronous Event Request Limit Exceeded" },
		.rows = NVP_LIST("AER-01"),
		.needs = EVENT_NEEDS,
		.impact = EVENT_IMPACT,
		.catches = NVP_LIST("aer-limit-off-by-one", "aer-limit-unchecked"),
		.run = requests_wait_up_to_the_limit,
	}, {
		NVP_CASE,
		.id = "event.requests-wait-without-timeout",
		.title = "An Asynchronous Event Request waits for as long as there is no event",
		.spec = { "NVMe Base", "2.0", "5.2", NULL },
		.rows = NVP_LIST("AER-02"),
		.needs = EVENT_NEEDS,
		.impact = EVENT_IMPACT,
		.catches = NVP_LIST("aer-times-out"),
		.run = requests_wait_without_timeout,
	}, {
		NVP_CASE,
		.id = "event.one-event-completes-one-request",
		.title = "A temperature event completes one request and names the SMART log",
		.spec = { "NVMe Base", "2.0", "5.2.1", NULL },
		.rows = NVP_LIST("AER-04", "FEA-11"),
		.needs = EVENT_NEEDS,
		.impact = EVENT_IMPACT,
		.catches = NVP_LIST("event-log-page-wrong", "event-sent-twice"),
		.run = an_event_completes_one_request,
	}, {
		NVP_CASE,
		.id = "event.masked-until-the-log-is-read",
		.title = "An event type is not reported again before its log was read",
		.spec = { "NVMe Base", "2.0", "5.2", NULL },
		.rows = NVP_LIST("AER-05"),
		.needs = EVENT_NEEDS,
		.impact = EVENT_IMPACT,
		.catches = NVP_LIST("event-sent-before-log-read"),
		.run = events_are_masked_until_the_log_is_read,
	}, {
		NVP_CASE,
		.id = "event.retained-events-stay-masked",
		.title = "Reading the log with RAE = 1 leaves its events masked",
		.spec = { "NVMe Base", "2.0", "5.16", "RAE" },
		.rows = NVP_LIST("LOG-19"),
		.since = NVP_VERSION(1, 3, 0),
		.needs = EVENT_NEEDS,
		.impact = EVENT_IMPACT,
		.catches = NVP_LIST("event-cleared-by-rae"),
		.run = retained_events_stay_masked,
	}, {
		NVP_CASE,
		.id = "event.events-wait-for-a-request",
		.title = "An event that finds no request completes the next one",
		.spec = { "NVMe Base", "2.0", "5.2", NULL },
		.rows = NVP_LIST("AER-04"),
		.needs = EVENT_NEEDS,
		.impact = EVENT_IMPACT,
		.catches = NVP_LIST("event-lost-when-none-waits"),
		.run = events_wait_for_a_request,
	}, {
		NVP_CASE,
		.id = "event.disabled-events-are-not-sent",
		.title = "An event that is switched off completes no request",
		.spec = { "NVMe Base", "2.0", "5.27.1.8", NULL },
		.rows = NVP_LIST("AER-06"),
		.needs = EVENT_NEEDS,
		.impact = EVENT_IMPACT,
		.catches = NVP_LIST("event-config-ignored"),
		.run = disabled_events_are_not_sent,
	},
};

NVP_SUITE(event, cases);
