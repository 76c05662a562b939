// SPDX-License-Identifier: GPL-2.0-or-later
// Abort: what it says about commands that wait, that run, and that do not exist.

#include "cases/common.h"

/* Dword 0 bit 0 of Abort: 1 when the command was not aborted. */
#define NOT_ABORTED(cpl) ((cpl)->dw0 & 1)

/*
 * AER-10. Abort of a command that does not exist succeeds and says that nothing was aborted.
 */
static void missing_commands_are_not_aborted(struct nvp_t *t)
{
	static const struct {
		uint16_t sqid, cid;
	} missing[] = { { 0, 0xfff0 }, { 1, 0xfff0 } };

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		struct nvp_cmd cmd = nvp_build_abort(missing[i].sqid, missing[i].cid);
		struct nvp_cpl cpl;

		nvp_admin(t, &cmd, &cpl);
		CASE_OK(t, &cpl);
		nvp_check_eq(t, NOT_ABORTED(&cpl), 1);
	}
}

/*
 * AER-09. Of two waiting Asynchronous Event Requests one is aborted. Abort is best effort:
 * either it says "not aborted" and both go on waiting, or it says "aborted" and that request, no
 * other, has completed with Command Abort Requested.
 */
static void a_waiting_request_is_aborted_or_waits(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_sq *sq = nvp_admin_sq(drive);
	struct nvp_cmd aer = nvp_build_async_event(), abort_cmd;
	struct nvp_cpl cpl, ended;
	uint64_t until_ns;
	uint16_t cid[2];
	int rc;

	if (!nvp_t_facts(t)->ctrl.aerl_z)
		nvp_skip(t, "the drive takes a single request");
	nvp_defer(t, case_reset_at_end, NULL);
	for (int i = 0; i < 2; i++)
		nvp_done(t, nvp_submit(sq, &aer, &cid[i]));
	nvp_done(t, nvp_ring_tail(sq));
	abort_cmd = nvp_build_abort(0, cid[0]);
	nvp_admin(t, &abort_cmd, &cpl);
	CASE_OK(t, &cpl);
	until_ns = nvp_clock_deadline_ns(nvp_drive_clock(drive), NVP_NS_PER_S);
	rc = nvp_reap_until(nvp_admin_cq(drive), until_ns, &ended);
	nvp_done(t, rc);
	if (NOT_ABORTED(&cpl)) {
		nvp_check(t, rc == 0 || nvp_cpl_ok(&ended),
			  "Abort said \"not aborted\", command %04Xh ended with %u/%02Xh",
			  ended.cid, ended.status.sct, ended.status.sc);
		return;
	}
	nvp_require(t, rc == 1, "Abort said \"aborted\", command %04Xh has no completion", cid[0]);
	nvp_check_eq(t, ended.cid, cid[0]);
	nvp_check_status(t, &ended, NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_ABORT_REQUESTED }));
}

#define NR_READS 8

/*
 * AER-11. One of several reads is aborted while they run. It completes once, with Command Abort
 * Requested if and only if Abort says that it was aborted; the others succeed.
 */
static void a_running_read_is_aborted_or_completes(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_sq *sq = nvp_io_sq(drive);
	struct nvp_cpl abort_cpl, cpl;
	struct nvp_cmd abort_cmd;
	struct case_region region;
	uint16_t cid[NR_READS];
	uint32_t lbas = case_max_lbas(t);

	if (!case_region(t, lbas, &region))
		return;
	for (int i = 0; i < NR_READS; i++) {
		struct nvp_buf *buf = nvp_t_buf(t, (size_t)lbas * region.lba_bytes);
		struct nvp_cmd cmd = case_with_data(nvp_build_read(region.nsid, region.slba,
						    (uint16_t)(lbas - 1), region.lba_bytes), buf);

		if (!buf)
			return;
		nvp_done(t, nvp_submit(sq, &cmd, &cid[i]));
	}
	nvp_done(t, nvp_ring_tail(sq));
	abort_cmd = nvp_build_abort(nvp_sq_id(sq), cid[NR_READS - 2]);
	nvp_admin(t, &abort_cmd, &abort_cpl);
	for (int i = 0; i < NR_READS; i++) {
		nvp_done(t, nvp_wait_cid(sq, cid[i], &cpl));
		if (i == NR_READS - 2 && !NOT_ABORTED(&abort_cpl))
			nvp_check_status(t, &cpl,
					 NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_ABORT_REQUESTED }));
		else
			nvp_check_ok(t, &cpl);
	}
	CASE_OK(t, &abort_cpl);
	nvp_note(t, "the read was %saborted", NOT_ABORTED(&abort_cpl) ? "not " : "");
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "abort.missing-commands-are-not-aborted",
		.title = "Abort of a command that does not exist says that nothing was aborted",
		.spec = { "NVMe Base", "2.0", "5.1.1", NULL },
		.rows = NVP_LIST("AER-10"),
		.needs = NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("abort-result-inverted"),
		.run = missing_commands_are_not_aborted,
	}, {
		NVP_CASE,
		.id = "abort.waiting-request-is-aborted-or-waits",
		.title = "An aborted event request completes with Command Abort Requested, "
			 "others wait on",
		.spec = { "NVMe Base", "2.0", "5.1", NULL },
		.rows = NVP_LIST("AER-09"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("abort-loses-command", "abort-status-success",
				    "abort-hits-neighbour", "abort-denied-but-done"),
		.run = a_waiting_request_is_aborted_or_waits,
	}, {
		NVP_CASE,
		.id = "abort.running-read-is-aborted-or-completes",
		.title = "A read that Abort names completes once, as Abort says",
		.spec = { "NVMe Base", "2.0", "5.1", NULL },
		.rows = NVP_LIST("AER-11"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("abort-loses-command", "abort-status-success",
				    "abort-hits-neighbour"),
		.run = a_running_read_is_aborted_or_completes,
	},
};

NVP_SUITE(abort, cases);
