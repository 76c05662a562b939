// SPDX-License-Identifier: GPL-2.0-or-later
// Device Self-test: start, progress, abort, what a reset does to it, and the log of results.

#include "cases/common.h"

#define SHORT 1
#define EXTENDED 2
#define STOP 0xf

#define RESULT_GOOD 0
#define RESULT_ABORTED 1
#define RESULT_RESET 2
#define RESULT_FORMAT 4
#define RESULT_UNUSED 0xf

#define IN_PROGRESS NVP_ANY({ NVP_SCT_COMMAND, 0x1d })

#define LOG_BYTES 564
#define LOOK_NS (1 * NVP_NS_PER_S)
#define SHORT_LIMIT_NS (120 * NVP_NS_PER_S)	/* "should complete in two minutes or less", 8.6.1 */
#define LONGEST_MIN 10		/* an extended self-test that takes longer is not waited for */

static bool read_log(struct nvp_t *t, struct nvp_self_test_log *log)
{
	struct nvp_buf *buf = nvp_t_buf(t, LOG_BYTES);

	if (!buf || !case_log(t, 0x06, LOG_BYTES, buf))
		return false;
	nvp_decode_self_test_log(nvp_buf_data(buf), LOG_BYTES, log);
	return true;
}

static bool command(struct nvp_t *t, uint32_t nsid, uint8_t code, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = nvp_build_self_test(nsid, code);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

static bool start(struct nvp_t *t, uint32_t nsid, uint8_t code)
{
	struct nvp_cpl cpl;

	return command(t, nsid, code, &cpl) && CASE_SUCCEEDS(t, &cpl);
}

static bool stop(struct nvp_t *t)
{
	return start(t, 0, STOP);
}

/* Deferred: whatever was left in progress is ended. */
static void stop_at_end(struct nvp_t *t, void *context)
{
	struct nvp_cmd cmd = nvp_build_self_test(0, STOP);
	struct nvp_cpl cpl;

	(void)context;
	(void)nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl);
}

/* The drive has self-tests, none is in progress, and none will be when the case ends. */
static bool begin(struct nvp_t *t, struct nvp_self_test_log *before)
{
	if (!(nvp_t_facts(t)->ctrl.oacs & 1 << 4)) {
		nvp_skip_at(t, __FILE__, __LINE__, "the drive has no self-test (OACS bit 4)");
		return false;
	}
	if (!read_log(t, before))
		return false;
	if (before->current) {
		nvp_skip_at(t, __FILE__, __LINE__, "a self-test of somebody else is in progress");
		return false;
	}
	nvp_defer(t, stop_at_end, NULL);
	return true;
}

static bool same_result(const struct nvp_self_test_result *a, const struct nvp_self_test_result *b)
{
	return a->result == b->result && a->code == b->code && a->nsid == b->nsid &&
	       a->power_on_hours == b->power_on_hours;
}

/* The newest result is of this operation, and the one that was newest before stands behind it. */
static bool check_newest(struct nvp_t *t, const struct nvp_self_test_log *before, uint8_t code,
			 uint8_t result, struct nvp_self_test_log *now)
{
	if (!read_log(t, now))
		return false;
	nvp_check(t, !now->current, "operation %u is still in progress", now->current);
	nvp_check(t, now->result[0].code == code && now->result[0].result == result,
		  "the newest result is %Xh of code %u, not %Xh of code %u", now->result[0].result,
		  now->result[0].code, result, code);
	nvp_check(t, same_result(&now->result[1], &before->result[0]),
		  "the second result is %Xh of code %u, the newest was %Xh of code %u",
		  now->result[1].result, now->result[1].code, before->result[0].result,
		  before->result[0].code);
	return true;
}

/*
 * Look at the operation until it ends or the time is over; the percentage never goes down and the
 * log names the operation. *took_ns is when it was seen to have ended.
 */
static bool watch(struct nvp_t *t, uint8_t code, uint64_t limit_ns, bool *ended, uint64_t *took_ns)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	uint64_t began_ns = nvp_clock_now_ns(clock);
	struct nvp_self_test_log log;
	unsigned percent = 0;

	for (;;) {
		if (!read_log(t, &log))
			return false;
		*took_ns = nvp_clock_now_ns(clock) - began_ns;
		*ended = !log.current;
		if (*ended || *took_ns > limit_ns)
			return true;
		nvp_check(t, log.current == code, "the log says operation %u, code %u was started",
			  log.current, code);
		nvp_check(t, log.percent_done >= percent, "%u %% after %u %%", log.percent_done,
			  percent);
		percent = log.percent_done;
		if (!CASE_TRAVELS(t, nvp_clock_pass(clock, LOOK_NS)))
			return false;
	}
}

/* Power On Hours of a result are not later than those of the SMART log. */
static bool check_hours(struct nvp_t *t, const struct nvp_self_test_result *result)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_smart smart;

	if (!buf || !case_smart(t, buf, &smart))
		return false;
	return nvp_check(t, smart.power_on_hours.high ||
			 result->power_on_hours <= smart.power_on_hours.low,
			 "the result is of hour %llu, it is hour %llu now",
			 (unsigned long long)result->power_on_hours,
			 (unsigned long long)smart.power_on_hours.low);
}

/* A self-test to its end, and its entry in the log. */
static void run_to_end(struct nvp_t *t, uint32_t nsid, uint8_t code, uint64_t limit_ns)
{
	struct nvp_self_test_log before, after;
	uint64_t took_ns;
	bool ended;

	if (!begin(t, &before) || !start(t, nsid, code) ||
	    !watch(t, code, limit_ns, &ended, &took_ns))
		return;
	nvp_measure(t, "self-test", (double)took_ns / 1e9, "s");
	nvp_check_by(t, code == SHORT ? CASE_SHOULD : NULL, ended,
		     "the self-test has not ended after %llu s",
		     (unsigned long long)(took_ns / NVP_NS_PER_S));
	if (!ended || !check_newest(t, &before, code, RESULT_GOOD, &after))
		return;
	nvp_check(t, !(after.result[0].valid & 1) || after.result[0].nsid == nsid,
		  "the result names NSID %08Xh, tested was %08Xh", after.result[0].nsid, nsid);
	check_hours(t, &after.result[0]);
}

/* DST-01. A short self-test of the controller, of one namespace, of all. */
static void short_one_is_recorded(struct nvp_t *t)
{
	const char *variant = nvp_t_variant(t);
	uint32_t nsid = !strcmp(variant, "all") ? NVP_NSID_ALL :
			!strcmp(variant, "namespace") ? nvp_t_ns(t)->nsid : 0;

	run_to_end(t, nsid, SHORT, SHORT_LIMIT_NS);
}

/* DST-01. An extended one, within the time that the drive states (EDSTT). */
static void extended_one_is_recorded(struct nvp_t *t)
{
	uint16_t minutes = nvp_t_facts(t)->ctrl.edstt_min;

	if (minutes > LONGEST_MIN)
		nvp_skip(t, "an extended self-test takes %u minutes here", minutes);
	run_to_end(t, 0, EXTENDED, (minutes ? minutes : LONGEST_MIN) * 60 * NVP_NS_PER_S);
}

/* DST-02. Namespaces that do not exist. */
static void bad_namespaces_are_refused(struct nvp_t *t)
{
	struct nvp_self_test_log before;
	struct nvp_cpl cpl;

	if (!begin(t, &before) || !command(t, 0xfffffffe, SHORT, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT },
					  { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD }));
}

/* DST-02. Self-test Codes 0h and 4h to Dh are reserved (3h is a later revision's). */
static void reserved_codes_are_refused(struct nvp_t *t)
{
	static const uint8_t codes[] = { 0x0, 0x4, 0x9, 0xd };
	struct nvp_self_test_log before;
	struct nvp_cpl cpl;

	if (!begin(t, &before))
		return;
	for (size_t i = 0; i < sizeof(codes); i++) {
		if (!command(t, 0, codes[i], &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

/* DST-03. While one is in progress no other starts, short or extended, and the first goes on. */
static void second_one_is_refused(struct nvp_t *t)
{
	struct nvp_self_test_log log;
	struct nvp_cpl cpl;

	if (!begin(t, &log) || !start(t, 0, EXTENDED))
		return;
	for (uint8_t code = SHORT; code <= EXTENDED; code++) {
		if (!command(t, 0, code, &cpl))
			return;
		nvp_check_status(t, &cpl, IN_PROGRESS);
	}
	if (!read_log(t, &log))
		return;
	nvp_check(t, log.current == EXTENDED, "the log says operation %u", log.current);
}

/* DST-04. Code Fh ends an operation; the log says that a command did it. */
static void abort_is_recorded(struct nvp_t *t)
{
	struct nvp_self_test_log before, after;

	if (!begin(t, &before) || !start(t, 0, EXTENDED) || !stop(t))
		return;
	check_newest(t, &before, EXTENDED, RESULT_ABORTED, &after);
}

/* DST-04. With none in progress code Fh succeeds and changes nothing. */
static void abort_of_nothing_is_quiet(struct nvp_t *t)
{
	struct nvp_self_test_log before, after;

	if (!begin(t, &before) || !stop(t) || !read_log(t, &after))
		return;
	for (unsigned i = 0; i < 20; i++)
		nvp_check(t, same_result(&before.result[i], &after.result[i]),
			  "result %u was %Xh of code %u, now it is %Xh of code %u", i,
			  before.result[i].result, before.result[i].code, after.result[i].result,
			  after.result[i].code);
}

/* DST-05. A controller-level reset ends a short self-test: result 2h. */
static void short_one_ends_with_reset(struct nvp_t *t)
{
	struct nvp_self_test_log before, after;

	if (!begin(t, &before) || !start(t, 0, SHORT))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	check_newest(t, &before, SHORT, RESULT_RESET, &after);
}

/* DST-05. An extended one goes on over it. */
static void extended_one_survives_reset(struct nvp_t *t)
{
	struct nvp_self_test_log before, after;

	if (!begin(t, &before) || !start(t, 0, EXTENDED))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!read_log(t, &after))
		return;
	nvp_check(t, after.current == EXTENDED, "operation %u is in progress, newest result %Xh",
		  after.current, after.result[0].result);
}

/* DST-06. Format NVM of the namespace under test ends its self-test: result 4h. */
static void format_ends_it(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_cmd cmd = nvp_build_format(ns->nsid, (uint8_t)ns->id.format_index,
					      ns->id.flbas >> 4 & 1, ns->id.dps & 7,
					      ns->id.dps >> 3 & 1, 0);
	struct nvp_self_test_log before, after;
	struct nvp_cpl cpl;

	if (!(nvp_t_facts(t)->ctrl.oacs & 1 << 1))
		nvp_skip(t, "the drive has no Format NVM (OACS bit 1)");
	if (!begin(t, &before) || !start(t, ns->nsid, EXTENDED))
		return;
	nvp_admin(t, &cmd, &cpl);
	CASE_OK(t, &cpl);
	check_newest(t, &before, EXTENDED, RESULT_FORMAT, &after);
}

/*
 * DST-07. Three operations of two kinds: the log has them newest first; unused entries have
 * result Fh, and stand behind the used ones.
 */
static void newest_result_is_first(struct nvp_t *t)
{
	static const uint8_t codes[] = { SHORT, EXTENDED, EXTENDED };
	struct nvp_self_test_log log;
	bool unused = false;

	if (!begin(t, &log))
		return;
	for (size_t i = 0; i < sizeof(codes); i++)
		if (!start(t, 0, codes[i]) || !stop(t))
			return;
	if (!read_log(t, &log))
		return;
	for (size_t i = 0; i < sizeof(codes); i++)
		nvp_check(t, log.result[i].code == codes[sizeof(codes) - 1 - i],
			  "result %zu is of code %u", i, log.result[i].code);
	for (unsigned i = 0; i < 20; i++) {
		bool here = log.result[i].result == RESULT_UNUSED;

		nvp_check(t, here || (!unused && log.result[i].code),
			  "result %u is %Xh of code %u%s", i, log.result[i].result,
			  log.result[i].code, unused ? ", behind unused ones" : "");
		nvp_check(t, here || !i ||
			  log.result[i].power_on_hours <= log.result[i - 1].power_on_hours,
			  "result %u is of a later hour than the one before it", i);
		unused |= here;
	}
}

#define TEST(field_) { "NVMe Base", "2.0", "5.9", field_ }
#define LOG(field_) { "NVMe Base", "2.0", "5.16.1.7", field_ }

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "selftest.short-one-is-recorded",
		.title = "A short self-test runs to its end and leaves its result in the log",
		.spec = LOG(NULL),
		.rows = NVP_LIST("DST-01"),
		.needs = NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_STATE,
		.wall_budget_s = 240,
		.variants = NVP_LIST("controller", "namespace", "all"),
		.catches = NVP_LIST("selftest-result-missing", "selftest-never-ends",
				    "selftest-oldest-first",
				    "selftest-progress-falls", "selftest-hours-ahead",
				    "selftest-result-nsid-wrong"),
		.run = short_one_is_recorded,
	}, {
		NVP_CASE,
		.id = "selftest.extended-one-is-recorded",
		.title = "An extended self-test ends within the stated time and leaves its result",
		.spec = LOG(NULL),
		.rows = NVP_LIST("DST-01"),
		.impact = NVP_IMPACT_STATE,
		.wall_budget_s = 900,
		.catches = NVP_LIST("selftest-never-ends", "selftest-current-wrong"),
		.run = extended_one_is_recorded,
	}, {
		NVP_CASE,
		.id = "selftest.bad-namespaces-are-refused",
		.title = "A self-test of a namespace that cannot exist is refused",
		.spec = TEST("NSID"),
		.rows = NVP_LIST("DST-02"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("selftest-nsid-unchecked"),
		.run = bad_namespaces_are_refused,
	}, {
		NVP_CASE,
		.id = "selftest.reserved-codes-are-refused",
		.title = "Reserved Self-test Codes are refused",
		.spec = TEST("STC"),
		.rows = NVP_LIST("DST-02"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("selftest-reserved-code-accepted"),
		.run = reserved_codes_are_refused,
	}, {
		NVP_CASE,
		.id = "selftest.second-one-is-refused",
		.title = "No self-test starts while another one is in progress",
		.spec = TEST(NULL),
		.rows = NVP_LIST("DST-03"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("selftest-second-accepted", "selftest-current-wrong"),
		.run = second_one_is_refused,
	}, {
		NVP_CASE,
		.id = "selftest.abort-is-recorded",
		.title = "Self-test Code Fh ends a self-test, and the log says so",
		.spec = TEST("STC"),
		.rows = NVP_LIST("DST-04"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("selftest-abort-ignored", "selftest-result-always-good",
				    "selftest-result-missing"),
		.run = abort_is_recorded,
	}, {
		NVP_CASE,
		.id = "selftest.abort-of-nothing-is-quiet",
		.title = "Self-test Code Fh succeeds and changes nothing when there is none",
		.spec = TEST("STC"),
		.rows = NVP_LIST("DST-04"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("selftest-idle-abort-logged"),
		.run = abort_of_nothing_is_quiet,
	}, {
		NVP_CASE,
		.id = "selftest.short-one-ends-with-reset",
		.title = "A controller reset ends a short self-test",
		.spec = { "NVMe Base", "2.0", "8.6.1", NULL },
		.rows = NVP_LIST("DST-05"),
		.needs = NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("selftest-short-survives-reset",
				    "selftest-result-always-good"),
		.run = short_one_ends_with_reset,
	}, {
		NVP_CASE,
		.id = "selftest.extended-one-survives-reset",
		.title = "An extended self-test goes on over a controller reset",
		.spec = { "NVMe Base", "2.0", "8.6.2", NULL },
		.rows = NVP_LIST("DST-05"),
		.needs = NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("selftest-extended-ends-with-reset"),
		.run = extended_one_survives_reset,
	}, {
		NVP_CASE,
		.id = "selftest.format-ends-it",
		.title = "Formatting the namespace under test ends its self-test",
		.spec = LOG("Device Self-test Status"),
		.rows = NVP_LIST("DST-06"),
		.needs = NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_FORMAT,
		.wall_budget_s = 600,
		.catches = NVP_LIST("selftest-survives-format"),
		.run = format_ends_it,
	}, {
		NVP_CASE,
		.id = "selftest.newest-result-is-first",
		.title = "The Device Self-test log has the newest result first, unused entries last",
		.spec = LOG(NULL),
		.rows = NVP_LIST("DST-07"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("selftest-oldest-first", "selftest-unused-results-good",
				    "selftest-result-missing", "selftest-hours-ahead"),
		.run = newest_result_is_first,
	},
};

NVP_SUITE(selftest, cases);
