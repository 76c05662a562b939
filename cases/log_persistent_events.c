// SPDX-License-Identifier: GPL-2.0-or-later
// Persistent events that a case causes: each is recorded once, with what was asked for.

#include "cases/firmware.h"
#include "cases/ns_manage.h"
#include "cases/persistent.h"
#include "cases/sanitize.h"
#include "cases/timestamp.h"

enum { FIRMWARE_COMMIT = 0x02, TIMESTAMP = 0x03, RESET = 0x04, NAMESPACE = 0x06,
       FORMAT_START = 0x07, FORMAT_DONE = 0x08, SANITIZE_START = 0x09, SANITIZE_DONE = 0x0a,
       SET_FEATURE = 0x0b };

static uint64_t le(const uint8_t *bytes, unsigned nr)
{
	uint64_t value = 0;

	while (nr--)
		value = value << 8 | bytes[nr];
	return value;
}

/*
 * Events of this type that came in between: as many as were caused, each with as much data as its
 * figure has. False: *event is none that can be looked at.
 */
static bool recorded(struct nvp_t *t, const struct persistent *before,
		     const struct persistent *after, uint8_t type, unsigned caused, uint32_t bytes,
		     struct nvp_persistent_event *event)
{
	unsigned nr = persistent_new(before, after, type, event);

	if (!nvp_check(t, nr == caused, "%u events %02Xh (%s), %u were caused", nr, type,
		       nvp_persistent_event_name(type), caused) && !nr)
		return false;
	return nvp_check(t, event->data_bytes >= bytes, "%s has %u bytes of data, at least %u",
			 nvp_persistent_event_name(type), event->data_bytes, bytes);
}

/* The new time stands in the event's header, the one of before in its data. */
static void timestamp_change(struct nvp_t *t)
{
	const uint64_t next_ms = TIMESTAMP_SOME_DAY_MS + 3600000, hour_ms = 3600000;
	struct nvp_persistent_event event;
	struct persistent before, after;
	uint64_t previous_ms;

	if (!timestamp_begin(t) || !persistent_now(t, &before) || !timestamp_set(t, next_ms) ||
	    !persistent_now(t, &after) ||
	    !recorded(t, &before, &after, TIMESTAMP, 1, 16, &event))
		return;
	previous_ms = le(event.data, 6);
	nvp_check(t, previous_ms >= TIMESTAMP_SOME_DAY_MS &&
		  previous_ms < TIMESTAMP_SOME_DAY_MS + hour_ms,
		  "previous timestamp %llu; set was %llu, then %llu",
		  (unsigned long long)previous_ms, TIMESTAMP_SOME_DAY_MS,
		  (unsigned long long)next_ms);
}

/* A commit to a slot that there is not changes nothing, and is recorded with its status. */
static void firmware_commit(struct nvp_t *t)
{
	unsigned slot = case_firmware_slots(t) + 1;
	struct nvp_cmd cmd = nvp_build_firmware_commit(CASE_ACTIVATE, (uint8_t)slot, false);
	struct nvp_persistent_event event;
	struct persistent before, after;
	struct nvp_cpl cpl;

	if (slot > 7)
		nvp_skip(t, "the drive has all seven slots: none can be refused");
	if (!persistent_now(t, &before))
		return;
	nvp_admin(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, CASE_FIRMWARE_SLOT);
	if (!persistent_now(t, &after) ||
	    !recorded(t, &before, &after, FIRMWARE_COMMIT, 1, 22, &event))
		return;
	nvp_check(t, event.data[16] == CASE_ACTIVATE && event.data[17] == slot &&
		  event.data[18] == cpl.status.sct && event.data[19] == cpl.status.sc,
		  "action %u, slot %u, status %u/%02Xh; the event says %u, %u, %u/%02Xh",
		  CASE_ACTIVATE, slot, cpl.status.sct, cpl.status.sc, event.data[16],
		  event.data[17], event.data[18], event.data[19]);
}

/* Resets are many: that a drive records each is sane, that it invents none is the rule. */
static void reset(struct nvp_t *t)
{
	struct nvp_persistent_event event = { .type = 0 };
	struct persistent before, after;
	char revision[9];
	unsigned nr;

	if (!persistent_now(t, &before))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!persistent_now(t, &after) || !case_firmware_revision(t, revision))
		return;
	nr = persistent_new(&before, &after, RESET, &event);
	nvp_check(t, nr <= 1, "%u events Power-on or Reset for one reset", nr);
	if (!nvp_check_by(t, CASE_SHOULD, nr, "no event Power-on or Reset after a reset"))
		return;
	nvp_require(t, event.data_bytes >= 8 + 36, "%u bytes of data", event.data_bytes);
	nvp_check(t, !strncmp((const char *)event.data, revision, strlen(revision)),
		  "firmware '%.8s' runs since the reset, says the event; Identify says '%s'",
		  (const char *)event.data, revision);
}

/* Create, then Delete; the newer of them should stand in front. */
static void namespace_change(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_persistent_event first, created;
	struct persistent before, middle, after;
	struct case_new_ns ns;
	uint32_t lba_bytes, nsid;
	struct nvp_cpl cpl;

	/* First of all: a drive without the log is skipped before room is made on it. */
	if (!buf || !persistent_now(t, &before) || !case_room(t, buf, 1, &ns, &lba_bytes) ||
	    !persistent_now(t, &before) || !case_ns_made(t, &ns, buf, &nsid) ||
	    !persistent_now(t, &middle) || !case_ns_delete(t, nsid, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!persistent_now(t, &after) ||
	    !recorded(t, &before, &middle, NAMESPACE, 1, 48, &created) ||
	    !recorded(t, &before, &after, NAMESPACE, 2, 48, &first))
		return;
	nvp_check(t, !(created.data[0] & 0xf) && le(created.data + 8, 8) == ns.nsze_lbas &&
		  le(created.data + 44, 4) == nsid,
		  "namespace %u of %llu blocks was created; the event says selection %u, NSID %llu, "
		  "%llu blocks", nsid, (unsigned long long)ns.nsze_lbas, created.data[0] & 0xf,
		  (unsigned long long)le(created.data + 44, 4),
		  (unsigned long long)le(created.data + 8, 8));
	nvp_check_by(t, CASE_SHOULD, (first.data[0] & 0xf) == 1,
		     "the Create that was before stands in front of the Delete");
}

/* Start has what was asked for, completion what the command ended with. */
static void format(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_cmd cmd = erase_same_format(ns->nsid, &ns->id, 0);
	struct nvp_persistent_event start, done;
	struct persistent before, after;
	struct nvp_cpl cpl;

	if (!persistent_now(t, &before) || !nvp_change_format(t, &cmd, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!persistent_now(t, &after))
		return;
	if (recorded(t, &before, &after, FORMAT_START, 1, 12, &start))
		nvp_check(t, le(start.data, 4) == ns->nsid &&
			  le(start.data + 8, 4) == nvp_sqe_dw(&cmd.sqe, 10),
			  "namespace %u, Dword 10 %08Xh; the event says %u, %08Xh", ns->nsid,
			  nvp_sqe_dw(&cmd.sqe, 10), (unsigned)le(start.data, 4),
			  (unsigned)le(start.data + 8, 4));
	if (recorded(t, &before, &after, FORMAT_DONE, 1, 12, &done))
		nvp_check(t, le(done.data, 4) == ns->nsid && !(le(done.data + 8, 2) >> 1),
			  "a format of namespace %u succeeded; the event says %u, status field %04Xh",
			  ns->nsid, (unsigned)le(done.data, 4), (unsigned)le(done.data + 8, 2));
}

static void sanitize(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_cmd cmd = sanitize_any(t, false);
	struct nvp_persistent_event start, done;
	struct persistent before, after;
	struct nvp_sanitize_log log;

	if (!buf || !persistent_now(t, &before) || !sanitize_start(t, &cmd, buf) ||
	    !sanitize_wait(t, buf, &log) || !persistent_now(t, &after))
		return;
	if (recorded(t, &before, &after, SANITIZE_START, 1, 12, &start))
		nvp_check(t, le(start.data, 4) == nvp_t_facts(t)->ctrl.sanicap &&
			  le(start.data + 4, 4) == nvp_sqe_dw(&cmd.sqe, 10),
			  "SANICAP %08Xh, Dword 10 %08Xh; the event says %08Xh, %08Xh",
			  nvp_t_facts(t)->ctrl.sanicap, nvp_sqe_dw(&cmd.sqe, 10),
			  (unsigned)le(start.data, 4), (unsigned)le(start.data + 4, 4));
	if (recorded(t, &before, &after, SANITIZE_DONE, 1, 8, &done))
		nvp_check(t, (done.data[2] & 7) == log.status,
			  "the sanitize ended with status %u, says its log; the event says %u",
			  log.status, done.data[2] & 7);
}

/* Which features are recorded the drive chooses; what it records is what was set. */
static void set_feature(struct nvp_t *t)
{
	struct nvp_persistent_event event;
	struct persistent before, after;
	struct nvp_cpl cpl;
	uint32_t kelvin;
	unsigned dwords;

	if (!case_feature_value(t, 0x04, 0, &kelvin) || !persistent_now(t, &before))
		return;
	kelvin = (kelvin & 0xffff) == 0xffff ? 0xfffe : (kelvin & 0xffff) + 1;
	if (!nvp_change_feature(t, 0x04, 0, kelvin, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!persistent_now(t, &after))
		return;
	if (!persistent_new(&before, &after, SET_FEATURE, &event))
		nvp_skip(t, "the drive does not record Temperature Threshold");
	if (!recorded(t, &before, &after, SET_FEATURE, 1, 12, &event))
		return;
	dwords = event.data[0] & 7;
	nvp_require(t, dwords >= 2, "%u dwords are recorded, from Dword 10 on", dwords);
	nvp_check(t, event.data[4] == 0x04 && le(event.data + 8, 4) == kelvin,
		  "feature 04h was set to %08Xh; the event says %02Xh, %08Xh", kelvin,
		  event.data[4], (unsigned)le(event.data + 8, 4));
}

#define RECORDED(id_, title_, section_, needs_, impact_)				\
	NVP_CASE,								\
	.id = "log.persistent-event-of-" id_,					\
	.title = title_,							\
	.spec = { "NVMe Base", "2.0", "5.16.1.14.1" section_, NULL },		\
	.rows = NVP_LIST("TEL-07"),						\
	.since = NVP_VERSION(1, 4, 0),						\
	.needs = NVP_NEED_LOG_OFFSET | (needs_),				\
	.impact = NVP_IMPACT_STATE | (impact_)

static const struct nvp_case cases[] = {
	{
		RECORDED("a-timestamp", "A change of the timestamp is recorded once, with the time of "
			 "before", ".3", 0, 0),
		.catches = NVP_LIST("persistent-event-missing:type=3", "persistent-event-twice",
				    "persistent-timestamp-wrong",
				    "persistent-event-cut-short:type=3"),
		.run = timestamp_change,
	}, {
		RECORDED("a-commit", "A Firmware Commit that is refused is recorded once, with its "
			 "status", ".2", NVP_NEED_FIRMWARE, NVP_IMPACT_FIRMWARE),
		.catches = NVP_LIST("persistent-event-missing:type=2", "persistent-event-twice",
				    "persistent-firmware-status-wrong",
				    "firmware-slot-above-accepted"),
		.run = firmware_commit,
	}, {
		RECORDED("a-reset", "A controller reset is recorded once, with the firmware that runs",
			 ".4", NVP_NEED_RESETS | NVP_NEED_QUEUES, NVP_IMPACT_RESET),
		.catches = NVP_LIST("persistent-event-missing", "persistent-event-twice",
				    "persistent-reset-firmware-wrong",
				    "persistent-event-cut-short:type=4"),
		.run = reset,
	}, {
		RECORDED("a-namespace", "Create and Delete are recorded once each, the newer in front",
			 ".6", NVP_NEED_NS_MANAGEMENT, NVP_IMPACT_ERASE),
		.catches = NVP_LIST("persistent-event-missing:type=6", "persistent-event-twice",
				    "persistent-namespace-wrong", "persistent-oldest-first"),
		.run = namespace_change,
	}, {
		RECORDED("a-format", "A Format NVM is recorded when it starts and when it ends", ".7",
			 NVP_NEED_FORMAT | NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA,
			 NVP_IMPACT_ERASE),
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("persistent-event-missing:type=7",
				    "persistent-event-missing:type=8", "persistent-event-twice",
				    "persistent-format-wrong", "persistent-format-status-wrong"),
		.run = format,
	}, {
		RECORDED("a-sanitize", "A sanitize is recorded when it starts and when it ends", ".9",
			 SANITIZE_NEEDS, NVP_IMPACT_ERASE),
		.time_class = NVP_TIME_SANITIZE,
		.catches = NVP_LIST("persistent-event-missing:type=9",
				    "persistent-event-missing:type=10", "persistent-event-twice",
				    "persistent-sanitize-wrong",
				    "persistent-sanitize-status-wrong"),
		.run = sanitize,
	}, {
		RECORDED("a-feature", "A changed feature is recorded once, with the value that was "
			 "set", ".11", 0, 0),
		.catches = NVP_LIST("persistent-event-twice", "persistent-feature-wrong",
				    "persistent-feature-without-value"),
		.run = set_feature,
	},
};

NVP_SUITE(log_persistent_events, cases);
