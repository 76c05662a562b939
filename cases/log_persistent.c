// SPDX-License-Identifier: GPL-2.0-or-later
// The Persistent Event log: its contexts, its form, and that what is in it stays.

#include "cases/persistent.h"
#include "cases/timestamp.h"

#define CASE_SEQUENCE NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_COMMAND_SEQUENCE })
#define DAY_HOURS 24

static bool action(struct nvp_t *t, enum persistent_action action, struct nvp_buf *buf,
		   struct nvp_cpl *cpl)
{
	return persistent_get(t, action, 0, 512, buf, cpl);
}

/*
 * TEL-05. A read needs a context, Establish makes one where there is none, Release gives it back
 * and is no error where there is none.
 */
static void contexts_follow_their_order(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_cpl cpl;

	if (!persistent_begin(t, buf) || !action(t, PERSISTENT_RELEASE, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_OK);
	if (!action(t, PERSISTENT_READ, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_SEQUENCE);
	if (!action(t, PERSISTENT_ESTABLISH, buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!action(t, PERSISTENT_ESTABLISH, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_SEQUENCE);
	if (!action(t, PERSISTENT_READ, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_OK);
	if (!action(t, PERSISTENT_RELEASE, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_OK);
	if (!action(t, PERSISTENT_READ, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_SEQUENCE);
}

/*
 * TEL-05. Action 11b, where log 00h offers it, gives the header with or without a context, says
 * which it was, and leaves one that can be read.
 */
static void header_tells_of_a_context(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 1024);
	struct nvp_supported_logs logs;
	struct nvp_persistent_log log;
	struct nvp_cpl cpl;

	if (!persistent_begin(t, buf))
		return;
	if (!(nvp_t_facts(t)->ctrl.lpa & 1 << 5) || !case_log(t, 0x00, 1024, buf))
		nvp_skip(t, "LPA bit 5 is clear: nothing says whether action 11b is there");
	nvp_decode_supported_logs(nvp_buf_data(buf), 1024, &logs);
	if (!(logs.lid[PERSISTENT_LID] >> 16 & 1))
		nvp_skip(t, "log 00h does not offer action 11b (ECRH)");
	for (unsigned i = 0; i < 2; i++) {
		if (!action(t, PERSISTENT_HEADER, buf, &cpl))
			return;
		CASE_OK(t, &cpl);
		nvp_decode_persistent_log(nvp_buf_data(buf), 512, &log);
		nvp_check_eq(t, log.existed, i);
	}
	if (!action(t, PERSISTENT_READ, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_OK);
}

/* The header names the drive as Identify does. */
static void check_identity(struct nvp_t *t, const struct nvp_persistent_log *log)
{
	const struct nvp_id_ctrl *ctrl = &nvp_t_facts(t)->ctrl;

	nvp_check(t, log->lid == PERSISTENT_LID && log->vid == ctrl->vid &&
		  log->ssvid == ctrl->ssvid && !strcmp(log->sn, ctrl->sn) &&
		  !strcmp(log->mn, ctrl->mn) && !strcmp(log->subnqn, ctrl->subnqn),
		  "log %02Xh of %04x:%04x, '%s', '%s', '%s'; Identify says %04x:%04x, '%s', '%s', '%s'",
		  log->lid, log->vid, log->ssvid, log->sn, log->mn, log->subnqn, ctrl->vid,
		  ctrl->ssvid, ctrl->sn, ctrl->mn, ctrl->subnqn);
}

/*
 * TEL-06. Header and events are as long as the header says, there are as many, each is of a type
 * that the drive says it records, and all fit PELS.
 */
static void events_add_up(struct nvp_t *t)
{
	uint64_t most = (uint64_t)nvp_t_facts(t)->ctrl.pels_64k * 65536;
	struct nvp_persistent_event event;
	struct persistent log;
	uint64_t at = 0, nr = 0;

	if (!persistent_now(t, &log))
		return;
	check_identity(t, &log.header);
	nvp_check(t, log.header.header_bytes >= 512, "the header has %u bytes",
		  log.header.header_bytes);
	nvp_check_by(t, NVP_SPEC("NVMe Base", "2.0", "5.17.2.1", "PELS"), log.header.bytes <= most,
		     "%llu bytes, PELS says at most %llu", (unsigned long long)log.header.bytes,
		     (unsigned long long)most);
	for (; persistent_next(&log, &at, &event); nr++)
		nvp_check(t, persistent_supports(&log, event.type),
			  "event %llu has type %02Xh (%s), which the drive does not record",
			  (unsigned long long)nr, event.type,
			  nvp_persistent_event_name(event.type));
	nvp_check(t, at == log.header.bytes, "header and %llu events end at byte %llu of %llu",
		  (unsigned long long)nr, (unsigned long long)at,
		  (unsigned long long)log.header.bytes);
	nvp_check_eq(t, nr, log.header.nr_events);
}

/*
 * TEL-06. A drive that is on for longer than a day has a SMART / Health snapshot of the last 24
 * power-on hours (5.16.1.14.1.1). Where the clock is virtual a day passes for nothing.
 */
static void snapshots_come_daily(struct nvp_t *t)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	const struct nvp_u128 *hours;
	struct nvp_persistent_event event;
	struct nvp_smart smart = { 0 };
	struct persistent log;
	bool found = false;
	uint64_t at = 0;

	if (clock->virtual_time &&
	    !CASE_TRAVELS(t, nvp_clock_pass(clock, (DAY_HOURS + 1) * 3600 * NVP_NS_PER_S)))
		return;
	if (!persistent_now(t, &log))
		return;
	hours = &log.header.power_on_hours;
	if (!hours->high && hours->low <= DAY_HOURS)
		nvp_skip(t, "the drive has been on for %llu hours",
			 (unsigned long long)hours->low);
	while (!found && persistent_next(&log, &at, &event))
		found = event.type == 0x01 && event.data_bytes >= 512;
	if (found)
		nvp_decode_smart(event.data, 512, &smart);
	nvp_check(t, found && smart.power_on_hours.low + DAY_HOURS + 1 >= hours->low,
		  "%llu power-on hours, the first snapshot in the log %s %llu",
		  (unsigned long long)hours->low, found ? "is of" : "is missing,",
		  (unsigned long long)smart.power_on_hours.low);
}

/*
 * TEL-05. What a context gives does not change while it exists, although events occur; the next
 * context has them, and another Generation Number.
 */
static void context_is_frozen(struct nvp_t *t)
{
	struct persistent first, again, next;
	struct nvp_persistent_event event;
	uint64_t same;

	if (!timestamp_begin(t) || !persistent_now(t, &first) ||
	    !timestamp_set(t, TIMESTAMP_SOME_DAY_MS + 1000) ||
	    !persistent_read(t, PERSISTENT_READ, &again))
		return;
	same = first.header.bytes < again.header.bytes ? first.header.bytes : again.header.bytes;
	nvp_check(t, again.header.bytes == first.header.bytes,
		  "the context had %llu bytes, then %llu", (unsigned long long)first.header.bytes,
		  (unsigned long long)again.header.bytes);
	/* events alone: the header's Reporting Context Information may differ */
	nvp_check_bytes(t, nvp_buf_data(again.buf) + 512, nvp_buf_data(first.buf) + 512,
			same - 512);
	nvp_check(t, again.header.generation == first.header.generation,
		  "generation %u of a context became %u", first.header.generation,
		  again.header.generation);
	if (!persistent_now(t, &next))
		return;
	nvp_check(t, persistent_new(&first, &next, 0x03, &event),
		  "the timestamp was changed, and the next context does not tell of it");
	if (!next.header.generation && !first.header.generation)
		nvp_skip(t, "the drive has no Generation Number");
	nvp_check(t, next.header.generation != first.header.generation,
		  "generation %u, with an event more still %u", first.header.generation,
		  next.header.generation);
}

#define LOOKED_AT 16	/* newest events that a reset must leave */

/* TEL-07. The log is retained across resets; what is old may go when it is full. */
static void events_survive_a_reset(struct nvp_t *t)
{
	struct persistent before, after;
	struct nvp_persistent_event event;
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	uint64_t at = 0;
	struct nvp_cpl cpl;

	if (!persistent_now(t, &before))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!buf || !action(t, PERSISTENT_READ, buf, &cpl))
		return;
	nvp_check_by(t, CASE_SHOULD, !nvp_cpl_ok(&cpl), "the context outlived a controller reset");
	if (!persistent_now(t, &after))
		return;
	for (unsigned i = 0; i < LOOKED_AT && persistent_next(&before, &at, &event); i++)
		nvp_check(t, persistent_has(&after, persistent_bytes(&before, at, &event),
					    event.bytes),
			  "event %u (%s) is gone after a reset", i,
			  nvp_persistent_event_name(event.type));
}

#define PERSISTENT(id_, title_, field_)						\
	NVP_CASE,								\
	.id = "log.persistent-" id_,						\
	.title = title_,							\
	.spec = { "NVMe Base", "2.0", "5.16.1.14", field_ },			\
	.since = NVP_VERSION(1, 4, 0)

static const struct nvp_case cases[] = {
	{
		PERSISTENT("contexts-follow-their-order", "Persistent events are read in a context "
			   "that is established once and released", "Action"),
		.rows = NVP_LIST("TEL-05"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("persistent-read-without-context-accepted",
				    "persistent-second-context-accepted",
				    "persistent-release-refused", "persistent-context-not-kept",
				    "persistent-context-not-released"),
		.run = contexts_follow_their_order,
	}, {
		NVP_CASE,
		.id = "log.persistent-header-tells-of-a-context",
		.title = "Establish Context and Read 512 Bytes of Header says whether a context "
			 "existed",
		.spec = { "NVMe Base", "2.1", "5.1.12.1.14", "Reporting Context Exists" },
		.rows = NVP_LIST("TEL-05"),
		.since = NVP_VERSION(2, 0, 0),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("persistent-context-existed-wrong",
				    "persistent-context-not-kept"),
		.run = header_tells_of_a_context,
	}, {
		PERSISTENT("events-add-up", "Persistent events are as many and as long as their log "
			   "says", "Total Log Length"),
		.rows = NVP_LIST("TEL-06"),
		.needs = NVP_NEED_LOG_OFFSET,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("persistent-count-wrong", "persistent-length-wrong",
				    "persistent-event-past-end", "persistent-header-length-zero",
				    "persistent-bitmap-wrong", "persistent-identity-wrong",
				    "persistent-size-zero"),
		.run = events_add_up,
	}, {
		PERSISTENT("snapshots-come-daily", "The persistent event log has a SMART / Health "
			   "snapshot of the last day", "SMART / Health Log Snapshot Event"),
		.rows = NVP_LIST("TEL-06"),
		.needs = NVP_NEED_LOG_OFFSET,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("persistent-snapshots-missing"),
		.run = snapshots_come_daily,
	}, {
		PERSISTENT("context-is-frozen", "A context of persistent events does not change "
			   "while it exists", "Establish Context and Read Log Data"),
		.rows = NVP_LIST("TEL-05"),
		.needs = NVP_NEED_LOG_OFFSET,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("persistent-context-not-frozen",
				    "persistent-generation-stuck",
				    "persistent-event-missing:type=3"),
		.run = context_is_frozen,
	}, {
		PERSISTENT("events-survive-a-reset", "Persistent events are there after a controller "
			   "reset, their context is not", NULL),
		.rows = NVP_LIST("TEL-07"),
		.needs = NVP_NEED_LOG_OFFSET | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("persistent-events-lost-by-reset",
				    "persistent-context-survives-reset"),
		.run = events_survive_a_reset,
	},
};

NVP_SUITE(log_persistent, cases);
