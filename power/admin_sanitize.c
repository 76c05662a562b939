// SPDX-License-Identifier: GPL-2.0-or-later
// Sanitize under a cut: it goes on by itself, ends, and leaves nothing (NVMe Base 2.0, 8.21).

#include "power/admin.h"

#include <errno.h>

#include "core/base/bits.h"
#include "core/base/rand.h"

#define LOG_SANITIZE	0x81
#define ACTION_EXIT	1u
#define ACTION_BLOCK	2u
#define ACTION_OVERWRITE 3u
#define ACTION_CRYPTO	4u
#define CAP_CRYPTO	1u
#define CAP_BLOCK	2u
#define CAP_OVERWRITE	4u
#define CAP_NDI		(1u << 29) /* blocks are deallocated whatever is asked for */
#define PASSES		3u
#define SAMPLE		16u /* blocks whose pattern is looked at */
#define SSTAT_NEVER	0u
#define SSTAT_RUNNING	2u
#define SSTAT_FAILED	3u
#define SSTAT_KEPT	4u /* done, and nothing deallocated */
#define MOST_KEPT_BYTES (UINT64_C(4) << 30)
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

/*
 * The quickest operation, and in turn with it an overwrite in passes: that takes a real drive
 * hours, and one of simulated time none.
 */
unsigned nvp_camp_sanitize_variants(const struct nvp_camp *c)
{
	return c->clock->virtual_time && sanicap(c) & CAP_OVERWRITE ? 2 : 1;
}

/*
 * How long it will take, by what the drive itself says (5.16.1.25; of an overwrite in 16 passes): a
 * first guess, until one was seen to its end.
 */
void nvp_camp_sanitize_guess(struct nvp_camp *c)
{
	struct nvp_camp_length *length = c->admin_length[NVP_PHASE_SANITIZE];
	struct nvp_sanitize_log log = { 0 };
	uint32_t once_s, overwrite_s;

	if (nvp_camp_get_log(c, LOG_SANITIZE) ||
	    nvp_decode_sanitize_log(nvp_buf_data(c->page), NVP_CAMP_LOG_BYTES, &log))
		return;
	once_s = sanicap(c) & CAP_BLOCK ? log.block_erase_s : log.crypto_erase_s;
	overwrite_s = sanicap(c) & CAP_NDI ? log.overwrite_s : log.overwrite_nd_s;
	if (once_s != UINT32_MAX)
		length[0].least_ns = once_s * NVP_NS_PER_S / 2;
	if (overwrite_s != UINT32_MAX)
		length[1].least_ns = overwrite_s * NVP_NS_PER_S / 2 * PASSES / 16;
}

static uint32_t pattern_of(const struct nvp_camp *c)
{
	return (uint32_t)nvp_rand(c->seed, "overwrite pattern", c->cycle, 0) | 1;
}

/*
 * With no deallocation, so that the pattern can be read: without metadata, which no sentence gives
 * a value, and if the drive is not so large that a simulated one keeps too much of it.
 */
static bool keeps(const struct nvp_camp *c)
{
	return !(sanicap(c) & CAP_NDI) && !c->format.pi.meta_bytes &&
	       c->identity.nsze_lbas <= MOST_KEPT_BYTES / c->format.lba_bytes;
}

/* AUSE is set: a failure can be left again. */
struct nvp_cmd nvp_camp_sanitize_cmd(const struct nvp_camp *c)
{
	uint8_t action = sanicap(c) & CAP_BLOCK ? ACTION_BLOCK : ACTION_CRYPTO;

	if (c->plan.cut.variant)
		return nvp_build_sanitize(ACTION_OVERWRITE, true, PASSES, true, keeps(c),
					  pattern_of(c));
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
	uint64_t *seen = &nvp_camp_length(c)->seen_ns;
	uint64_t from_ns = nvp_camp_now(c);
	uint64_t poll_ns = POLL_NS;
	unsigned progress;
	int rc = get_log(c, log);
	bool goes_on = !rc && log->status == SSTAT_RUNNING;

	*moved = false;
	progress = log->progress;
	c->record.inside |= goes_on;
	while (!rc && log->status == SSTAT_RUNNING && nvp_camp_now(c) < until_ns) {
		nvp_clock_pass(c->clock, poll_ns);
		poll_ns = nvp_min_u64(2 * poll_ns, NVP_NS_PER_S);
		rc = get_log(c, log);
		*moved |= log->progress > progress;
	}
	/* the command itself is over at once: the next cuts fall into all of what it began */
	if (goes_on && c->cut_ns > c->admin_ns)
		*seen = nvp_max_u64(*seen, c->cut_ns - c->admin_ns + nvp_camp_now(c) - from_ns);
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
	nvp_camp_admin_broken(c, NVP_CAMP_BASE("8.21"),
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
	nvp_camp_admin_broken(c, NVP_CAMP_BASE("8.21"),
			      "Exit Failure Mode after an unrestricted sanitize operation that "
			      "failed is refused with %u/%02xh", cpl.status.sct, cpl.status.sc);
	return -ENODEV;
}

/* What the log says of an operation that was accepted. */
static void check_log(struct nvp_camp *c, const struct nvp_sanitize_log *log)
{
	uint32_t dw10 = nvp_sqe_dw(&c->admin_cmd.sqe, 10);

	if (log->status == SSTAT_NEVER)
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.16.1.25 and 8.21"),
				      "a sanitize operation that was accepted is forgotten after "
				      "the cut: the drive was never sanitized, it says");
	else if (log->cdw10 != dw10)
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.16.1.25"),
				      "after the cut the Sanitize Status log is about another "
				      "command: SCDW10 %xh, it was %xh", log->cdw10, dw10);
}

/* Blocks hold the pattern of the last pass, and that is the one asked for (5.24, OIPBP). */
static int check_pattern(struct nvp_camp *c)
{
	struct nvp_buf *buf = nvp_buf_new(c->drive, c->format.lba_bytes);
	uint32_t pattern = pattern_of(c), step = c->facts.nr_blocks / SAMPLE + 1;
	int rc = buf ? 0 : -ENOMEM;

	for (uint32_t block = 0; !rc && block < c->facts.nr_blocks; block += step) {
		uint64_t lba = c->first_lba + block;
		struct nvp_cmd cmd = nvp_build_read(c->nsid, lba, 0, c->format.lba_bytes);
		struct nvp_cpl cpl;
		size_t at = 0;

		cmd.data = buf;
		rc = nvp_exec_io(c->drive, &cmd, &cpl);
		if (rc)
			rc = nvp_camp_door(c, rc, "reading what was overwritten");
		while (!rc && nvp_cpl_ok(&cpl) && at < c->format.lba_bytes &&
		       nvp_le32(nvp_buf_data(buf) + at) == pattern)
			at += 4;
		if (rc || at == c->format.lba_bytes)
			continue;
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.24"),
				      "after an overwrite in %u passes LBA %llu does not hold the "
				      "pattern %08xh", PASSES, (unsigned long long)lba, pattern);
		break;
	}
	nvp_buf_free(buf);
	return rc;
}

/* Completed Overwrite Passes: of a success all that were asked for (5.16.1.25, SSTAT bits 7:3). */
static int check_overwritten(struct nvp_camp *c, const struct nvp_sanitize_log *log)
{
	if (log->passes != PASSES)
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.16.1.25"),
				      "an overwrite in %u passes that a cut interrupted ended well "
				      "after %u", PASSES, log->passes);
	return log->status == SSTAT_KEPT ? check_pattern(c) : 0;
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
		nvp_camp_admin_stale(c, NVP_CAMP_BASE("8.21"), nr, first,
				     "user data are there after a sanitize operation that was "
				     "accepted");
	else if (c->plan.cut.variant && c->admin_acked && log.status != SSTAT_FAILED)
		rc = check_overwritten(c, &log);
	if (rc)
		return rc;
	/* not accepted, and nothing gone: it never began */
	return nr && !c->admin_acked ? 0 : 1;
}
