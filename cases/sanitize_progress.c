// SPDX-License-Identifier: GPL-2.0-or-later
// Sanitize: what goes on while it runs, what ends it and what does not.

#include "cases/sanitize.h"

#define IN_PROGRESS NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_SANITIZE_IN_PROGRESS })
#define EVENT_COMPLETED 0x810106u	/* I/O command set specific, 01h, log 81h */
#define EVENT_UNEXPECTED 0x810206u	/* completed with unexpected deallocation */

/* SAN-02. */
static void end_is_announced(struct nvp_t *t)
{
	struct nvp_cmd sanitize = sanitize_any(t, false);
	struct nvp_cmd clear = nvp_build_get_log(SANITIZE_LID, NVP_NSID_ALL, 512, 0, false, 0);
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_cpl cpl;
	bool came;

	clear.data = buf;
	if (!buf)
		return;
	nvp_admin(t, &clear, &cpl);	/* an event of before is not this one's */
	CASE_OK(t, &cpl);
	if (!sanitize_start(t, &sanitize, buf) || !case_post_event_request(t))
		return;
	nvp_defer(t, case_reset_at_end, NULL);
	if (!case_next_event(t, nvp_drive_budget_ns(nvp_t_drive(t), NVP_TIME_SANITIZE), &came, &cpl))
		return;
	nvp_require(t, came, "no event came at the end of the operation");
	nvp_check(t, (cpl.dw0 & 0xffffff) == EVENT_COMPLETED || (cpl.dw0 & 0xffffff) == EVENT_UNEXPECTED,
		  "the event's Dword 0 is 0x%08x", cpl.dw0);
}

/* SAN-03. */
static void unknown_action_is_refused(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);

	if (!buf)
		return;
	nvp_defer(t, sanitize_settle, buf);
	for (uint8_t action = 0; action < 8; action++) {
		struct nvp_cmd cmd = nvp_build_sanitize(action, true, 1, false, false, 0);
		struct nvp_cpl cpl;

		if (action == 1 || (action >= 2 && action <= 4 && sanitize_has(t, action)))
			continue;
		nvp_admin(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

/* SAN-06. */
static void exit_without_failure(struct nvp_t *t)
{
	struct nvp_cmd leave = nvp_build_sanitize(1, false, 0, false, false, 0);
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_sanitize_log log;
	struct nvp_cpl cpl;

	if (!buf || !sanitize_log(t, buf, &log))
		return;
	if (log.status == 3)
		nvp_skip(t, "the drive is in a failure mode");
	nvp_admin(t, &leave, &cpl);
	nvp_check_ok(t, &cpl);
}

/* SAN-04: is it still running after what was asked meanwhile? */
static bool runs(struct nvp_t *t, struct nvp_buf *buf)
{
	struct nvp_sanitize_log log;

	if (!sanitize_log(t, buf, &log))
		return false;
	if (log.status == 2)
		return true;
	nvp_skip_at(t, __FILE__, __LINE__, "the operation was over before this could be asked");
	return false;
}

/* SAN-04. */
static void commands_during_it(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_buf *buf = nvp_t_buf(t, 512), *page = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cmd sanitize = sanitize_any(t, false);
	struct case_region region = { .nsid = ns->nsid, .lba_bytes = ns->id.lba_bytes, .lbas = 1 };
	struct nvp_cmd read = case_transfer(NVP_IO_READ, &region, 0, 1, page);
	struct nvp_cmd write = case_transfer(NVP_IO_WRITE, &region, 0, 1, page);
	struct nvp_cpl done[3], identify;

	if (!buf || !page || !sanitize_start(t, &sanitize, buf))
		return;
	nvp_done(t, nvp_exec_io(drive, &read, &done[0]));
	nvp_done(t, nvp_exec_io(drive, &write, &done[1]));
	nvp_done(t, nvp_exec_admin(drive, &sanitize, &done[2]));
	if (!case_identify(t, 0x01, 0, 0, page, &identify) || !runs(t, buf))
		return;
	nvp_check_status(t, &done[0], IN_PROGRESS);
	nvp_check_status(t, &done[1], IN_PROGRESS);
	nvp_check_status(t, &done[2], IN_PROGRESS);
	nvp_check_by(t, NVP_SPEC("NVMe Base", "2.0", "5.24", "Admin Commands Allowed"),
		     nvp_cpl_ok(&identify), "Identify was refused");
}

/* SAN-05. */
static void goes_on_after_a_reset(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_cmd sanitize = sanitize_any(t, false);
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_sanitize_log log;
	struct erase_marks m;

	if (!buf || !erase_mark(t, nvp_t_ns(t), &m) || !sanitize_start(t, &sanitize, buf))
		return;
	nvp_clock_pass(nvp_drive_clock(drive), 200 * NVP_NS_PER_MS);
	nvp_done(t, nvp_reset(drive, NVP_RESET_CONTROLLER));
	if (!sanitize_wait(t, buf, &log))
		return;
	nvp_check(t, log.status == 1 || log.status == 4, "SSTAT says %u at the end", log.status);
	erase_all_gone(t, &m);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "sanitize.end-is-announced",
		.title = "The end of a sanitize operation is an asynchronous event",
		.spec = { "NVMe Base", "2.0", "8.21", NULL },
		.rows = NVP_LIST("SAN-02"),
		.needs = SANITIZE_NEEDS | NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_RESET,
		.time_class = NVP_TIME_SANITIZE,
		.catches = NVP_LIST("sanitize-event-missing", "sanitize-event-wrong"),
		.run = end_is_announced,
	}, {
		NVP_CASE,
		.id = "sanitize.unknown-action-is-refused",
		.title = "A reserved or missing sanitize action gives Invalid Field in Command",
		.spec = { "NVMe Base", "2.0", "5.24", "SANACT" },
		.rows = NVP_LIST("SAN-03"),
		.needs = SANITIZE_NEEDS,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_SANITIZE,
		.catches = NVP_LIST("sanitize-action-unchecked"),
		.run = unknown_action_is_refused,
	}, {
		NVP_CASE,
		.id = "sanitize.exit-without-failure-succeeds",
		.title = "Exit Failure Mode succeeds when there was no failure",
		.spec = { "NVMe Base", "2.0", "5.24", "SANACT" },
		.rows = NVP_LIST("SAN-06"),
		.needs = SANITIZE_NEEDS,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_ADMIN,
		.catches = NVP_LIST("sanitize-exit-refused"),
		.run = exit_without_failure,
	}, {
		NVP_CASE,
		.id = "sanitize.commands-during-it-are-refused",
		.title = "I/O and a second sanitize get Sanitize In Progress, Identify is carried out",
		.spec = { "NVMe Base", "2.0", "8.21", NULL },
		.rows = NVP_LIST("SAN-04"),
		.needs = SANITIZE_NEEDS | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_SANITIZE,
		.catches = NVP_LIST("sanitize-lets-io-through", "sanitize-io-wrong-status",
				    "sanitize-second-accepted", "sanitize-refuses-identify"),
		.run = commands_during_it,
	}, {
		NVP_CASE,
		.id = "sanitize.goes-on-after-a-reset",
		.title = "A controller reset does not end a sanitize operation",
		.spec = { "NVMe Base", "2.0", "8.21", NULL },
		.rows = NVP_LIST("SAN-05"),
		.needs = SANITIZE_NEEDS | NVP_NEED_RESETS | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA | NVP_IMPACT_RESET,
		.time_class = NVP_TIME_SANITIZE,
		.catches = NVP_LIST("sanitize-ended-by-reset"),
		.run = goes_on_after_a_reset,
	},
};

NVP_SUITE(sanitize_progress, cases);
