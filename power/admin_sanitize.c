// SPDX-License-Identifier: GPL-2.0-or-later
// Sanitize under a cut: it goes on by itself, ends, and leaves nothing (NVMe Base 2.0, 5.24 and 8.21).

#include "power/admin.h"

#include <errno.h>

#include "core/base/bits.h"

#define LOG_SANITIZE	0x81
#define ACTION_EXIT	1u
#define ACTION_BLOCK	2u
#define ACTION_CRYPTO	4u
#define CAP_CRYPTO	1u
#define CAP_BLOCK	2u
#define SSTAT_NEVER	0u
#define SSTAT_RUNNING	2u
#define SSTAT_FAILED	3u
#define POLL_NS		(5 * NVP_NS_PER_MS)

/* Base 2.0, 5.17.2.1, SANICAP. */
static uint32_t sanicap(const struct nvp_camp *c)
{
	return nvp_drive_facts(c->drive)->ctrl.sanicap;
}

bool nvp_camp_can_sanitize(const struct nvp_camp *c)
{
	return sanicap(c) & (CAP_CRYPTO | CAP_BLOCK);
}

/* AUSE is set: a failure can be left again. */
struct nvp_cmd nvp_camp_sanitize_cmd(const struct nvp_camp *c)
{
	uint8_t action = sanicap(c) & CAP_BLOCK ? ACTION_BLOCK : ACTION_CRYPTO;

	return nvp_build_sanitize(action, true, 0, false, false, 0);
}

static int get_log(struct nvp_camp *c, struct nvp_sanitize_log *log)
{
	int rc = nvp_camp_get_log(c, LOG_SANITIZE);

	if (!rc)
		rc = nvp_decode_sanitize_log(nvp_buf_data(c->page), NVP_CAMP_LOG_BYTES, log);
	return rc ? nvp_camp_door(c, rc, "the Sanitize Status log") : 0;
}

/* Until it is over, or the budget is; *moved: its progress was seen to rise. */
static int wait_until_over(struct nvp_camp *c, struct nvp_sanitize_log *log, bool *moved)
{
	uint64_t until_ns = nvp_clock_deadline_ns(
		c->clock, nvp_drive_budget_ns(c->drive, NVP_TIME_SANITIZE));
	uint64_t *seen = &c->admin_ns_seen[NVP_PHASE_SANITIZE];
	uint64_t from_ns = nvp_camp_now(c);
	uint64_t poll_ns = POLL_NS;
	unsigned progress;
	int rc = get_log(c, log);

	*moved = false;
	progress = log->progress;
	c->record.inside |= !rc && log->status == SSTAT_RUNNING;
	while (!rc && log->status == SSTAT_RUNNING && nvp_camp_now(c) < until_ns) {
		nvp_clock_pass(c->clock, poll_ns);
		poll_ns = nvp_min_u64(2 * poll_ns, NVP_NS_PER_S);
		rc = get_log(c, log);
		*moved |= log->progress > progress;
	}
	/* the command itself is over at once: the next cuts fall into all of what it began */
	*seen = nvp_max_u64(*seen, nvp_camp_now(c) - from_ns);
	return rc;
}

/* Once started it cannot be aborted, and goes on over a loss of power (8.21). */
static int not_over(struct nvp_camp *c, const struct nvp_sanitize_log *log, bool moved)
{
	if (moved) {
		nvp_err_set(c->err, NVP_ERR_BROKEN, -ETIMEDOUT,
			    "cycle %u: a sanitize operation is in progress still, SPROG %u",
			    c->cycle, log->progress);
		nvp_err_advice(c->err, "give it more time: --timeout-scale");
		return -ETIMEDOUT;
	}
	nvp_camp_admin_broken(c, NVP_CLASS_METADATA,
			      "a sanitize operation that a cut interrupted does not go on: SPROG "
			      "stays %u", log->progress);
	return -ENODEV;
}

/* That it succeeds in the end no sentence says: a sanitize operation may fail. */
static int exit_failure(struct nvp_camp *c)
{
	struct nvp_cmd cmd = nvp_build_sanitize(ACTION_EXIT, false, 0, false, false, 0);
	struct nvp_cpl cpl;
	int rc;

	nvp_camp_admin_unwise(c, NVP_CLASS_METADATA,
			      "a sanitize operation that a cut interrupted ended as failed");
	rc = nvp_exec_admin(c->drive, &cmd, &cpl);
	if (rc)
		return nvp_camp_door(c, rc, "Exit Failure Mode");
	if (nvp_cpl_ok(&cpl))
		return 0;
	nvp_camp_admin_broken(c, NVP_CLASS_METADATA,
			      "Exit Failure Mode after an unrestricted sanitize operation that "
			      "failed is refused with %u/%02xh", cpl.status.sct, cpl.status.sc);
	return -ENODEV;
}

/* What the log says of an operation that was accepted. */
static void check_log(struct nvp_camp *c, const struct nvp_sanitize_log *log)
{
	uint32_t dw10 = nvp_sqe_dw(&c->admin_cmd.sqe, 10);

	if (log->status == SSTAT_NEVER)
		nvp_camp_admin_broken(c, NVP_CLASS_METADATA,
				      "a sanitize operation that was accepted is forgotten after "
				      "the cut: the drive was never sanitized, it says");
	else if (log->cdw10 != dw10)
		nvp_camp_admin_broken(c, NVP_CLASS_METADATA,
				      "after the cut the Sanitize Status log is about another "
				      "command: SCDW10 %xh, it was %xh", log->cdw10, dw10);
}

int nvp_camp_after_sanitize(struct nvp_camp *c)
{
	struct nvp_sanitize_log log = { 0 };
	uint64_t first = 0;
	uint32_t nr = 0;
	bool moved;
	int rc = wait_until_over(c, &log, &moved);

	if (rc)
		return rc;
	if (log.status == SSTAT_RUNNING)
		return not_over(c, &log, moved);
	if (c->admin_acked)
		check_log(c, &log);
	if (log.status == SSTAT_FAILED)
		rc = exit_failure(c);
	if (!rc)
		rc = nvp_camp_still_there(c, &nr, &first);
	if (rc)
		return rc;
	if (nr && c->admin_acked && log.status != SSTAT_FAILED)
		nvp_camp_admin_stale(c, nr, first,
				     "user data are there after a sanitize operation that was "
				     "accepted");
	/* not accepted, and nothing gone: it never began */
	return nr && !c->admin_acked ? 0 : 1;
}
