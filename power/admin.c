// SPDX-License-Identifier: GPL-2.0-or-later
// Phases about admin commands: one is under way when the supply goes; what holds afterwards.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "power/engine.h"

#define CNS_ALLOCATED	0x10
#define LOG_FIRMWARE	0x03
#define LOG_SELF_TEST	0x06
#define LOG_SANITIZE	0x81
#define LOG_BYTES	512u
#define FR_BYTES	8u
#define PAGE_BYTES	4096u
#define ACTIVATE_NEXT_RESET 2u
#define SES_USER_DATA	1u
#define SANITIZE_BLOCK	2u
#define SANITIZE_CRYPTO 4u
#define SANITIZE_EXIT	1u
#define SANICAP_AT	328u
#define SSTAT_FAILED	3u
#define SSTAT_RUNNING	2u
#define SELF_TEST_SHORT 1u
#define SELF_TEST_RESET 2u /* a result: ended by a controller level reset */
#define NEW_NS_BLOCKS	4096u
#define POLL_NS		(5 * NVP_NS_PER_MS)
#define FIRST_GUESS_NS	(2 * NVP_NS_PER_MS)
#define SHORT_NS	(10 * NVP_NS_PER_US)
#define LONGEST_NS	(60 * NVP_NS_PER_S) /* cuts come no later into an operation */

/* ---- what the drive can (Identify OACS, SANICAP) ---- */

static uint32_t sanicap(struct nvp_camp *c)
{
	struct nvp_cmd cmd = nvp_build_identify(1, 0, 0, 0, 0);
	struct nvp_cpl cpl;

	cmd.data = c->page;
	if (nvp_exec_admin(c->drive, &cmd, &cpl) || !nvp_cpl_ok(&cpl))
		return 0;
	return nvp_le32(nvp_buf_data(c->page) + SANICAP_AT);
}

uint32_t nvp_camp_admin_phases(struct nvp_camp *c)
{
	uint16_t oacs = nvp_drive_facts(c->drive)->ctrl.oacs;
	uint32_t can = 0;

	if (oacs & 1u << 1)
		can |= 1u << NVP_PHASE_FORMAT;
	if (oacs & 1u << 2)
		can |= 1u << NVP_PHASE_FIRMWARE;
	if (oacs & 1u << 3)
		can |= 1u << NVP_PHASE_NAMESPACE;
	if (oacs & 1u << 4)
		can |= 1u << NVP_PHASE_SELF_TEST;
	c->sanicap = sanicap(c);
	if (c->sanicap & 3)
		can |= 1u << NVP_PHASE_SANITIZE;
	return can;
}

/* ---- logs ---- */

static int get_log(struct nvp_camp *c, uint8_t lid)
{
	struct nvp_cmd cmd = nvp_build_get_log(lid, NVP_NSID_ALL, LOG_BYTES, 0, false, 0);
	struct nvp_cpl cpl;
	int rc;

	cmd.data = c->page;
	rc = nvp_exec_admin(c->drive, &cmd, &cpl);
	return rc ? rc : nvp_cpl_ok(&cpl) ? 0 : -EPROTO;
}

static uint8_t active_slot(struct nvp_camp *c)
{
	uint8_t slot = 0;

	if (!get_log(c, LOG_FIRMWARE))
		slot = nvp_buf_data(c->page)[0] & 7;
	return slot ? slot : 1;
}

/* Status of the most recent sanitize operation: SSTAT bits 2:0 (Base 2.0, 5.16.1.25). */
static int sanitize_status(struct nvp_camp *c)
{
	int rc = get_log(c, LOG_SANITIZE);

	return rc ? rc : nvp_le16(nvp_buf_data(c->page) + 2) & 7;
}

static int allocated(struct nvp_camp *c, uint32_t *nsids, unsigned *nr)
{
	struct nvp_cmd cmd = nvp_build_identify(CNS_ALLOCATED, 0, 0, 0, 0);
	struct nvp_cpl cpl;
	int rc;

	*nr = 0;
	cmd.data = c->page;
	rc = nvp_exec_admin(c->drive, &cmd, &cpl);
	if (rc || !nvp_cpl_ok(&cpl))
		return rc ? rc : -EPROTO;
	for (; *nr < NVP_CAMP_NSIDS; (*nr)++) {
		nsids[*nr] = nvp_le32(nvp_buf_data(c->page) + *nr * 4u);
		if (!nsids[*nr])
			break;
	}
	return 0;
}

/* ---- the command ---- */

static struct nvp_cmd ns_create(struct nvp_camp *c)
{
	struct nvp_cmd cmd = nvp_build_ns_create(0);
	uint8_t *data = nvp_buf_data(c->page);

	memset(data, 0, PAGE_BYTES);
	nvp_put_le64(data, NEW_NS_BLOCKS);
	nvp_put_le64(data + 8, NEW_NS_BLOCKS);
	data[26] = c->identity.flbas;
	cmd.data = c->page;
	return cmd;
}

static struct nvp_cmd format(const struct nvp_camp *c, uint8_t ses)
{
	uint8_t lbaf = (uint8_t)((c->identity.flbas & 15) | (c->identity.flbas >> 5 & 3) << 4);

	return nvp_build_format(c->nsid, lbaf, c->identity.flbas >> 4 & 1, 0, false, ses);
}

static struct nvp_cmd sanitize(const struct nvp_camp *c)
{
	uint8_t action = c->sanicap & 2 ? SANITIZE_BLOCK : SANITIZE_CRYPTO;

	return nvp_build_sanitize(action, true, 0, false, false, 0);
}

bool nvp_camp_is_admin(enum nvp_phase phase)
{
	return phase >= NVP_PHASE_FORMAT && phase <= NVP_PHASE_SELF_TEST;
}

int nvp_camp_admin_prepare(struct nvp_camp *c)
{
	switch (c->plan.work.phase) {
	case NVP_PHASE_FORMAT:
		c->admin_cmd = format(c, SES_USER_DATA);
		return 0;
	case NVP_PHASE_SANITIZE:
		c->admin_cmd = sanitize(c);
		return 0;
	case NVP_PHASE_FIRMWARE:
		c->admin_cmd =
			nvp_build_firmware_commit(ACTIVATE_NEXT_RESET, active_slot(c), false);
		return 0;
	case NVP_PHASE_NAMESPACE:
		c->nr_nsids = 0;
		if (allocated(c, c->nsids, &c->nr_nsids))
			return nvp_camp_door(c, -EPROTO, "the list of namespaces");
		c->admin_cmd = ns_create(c);
		return 0;
	default:
		c->admin_cmd = nvp_build_self_test(NVP_NSID_ALL, SELF_TEST_SHORT);
		return 0;
	}
}

int nvp_camp_admin_give(struct nvp_camp *c)
{
	struct nvp_sq *sq = nvp_admin_sq(c->drive);
	int rc = nvp_submit(sq, &c->admin_cmd, &c->admin_cid);

	c->admin_ns = nvp_camp_now(c);
	if (!rc)
		rc = nvp_ring_tail(sq);
	c->admin_sent = c->record.of_admin = !rc;
	return rc;
}

void nvp_camp_admin_poll(struct nvp_camp *c)
{
	uint64_t *seen = &c->admin_ns_seen[c->plan.work.phase];
	struct nvp_cpl cpl;

	while (c->admin_sent && nvp_reap(nvp_admin_cq(c->drive), &cpl) > 0) {
		if (cpl.cid != c->admin_cid)
			continue;
		c->admin_acked = nvp_cpl_ok(&cpl);
		c->admin_refused = !c->admin_acked;
		c->admin_sent = false;
		*seen = nvp_max_u64(*seen, cpl.latency_ns);
	}
}

/*
 * From the off command to the end of a drive that lives on for a while: commands that are shorter
 * than that have to be given in it, so that the end falls into them.
 */
uint64_t nvp_camp_admin_alive_ns(const struct nvp_camp *c, enum nvp_phase phase)
{
	uint64_t short_ns = nvp_min_u64(nvp_camp_admin_length_ns(c, phase), SHORT_NS);

	return c->alive_ns ? nvp_min_u64(c->alive_ns + short_ns, c->gone_ns) : 0;
}

/* Not complete at the cut: it lasts longer than that. One given to a dead drive is no such. */
void nvp_camp_admin_cut(struct nvp_camp *c)
{
	uint64_t *least = &c->admin_ns_least[c->plan.work.phase];
	uint64_t end_ns = c->cut_ns + nvp_camp_admin_alive_ns(c, c->plan.work.phase);

	nvp_camp_admin_poll(c);
	c->record.inside = c->admin_sent && c->admin_ns <= end_ns;
	if (c->record.inside)
		*least = nvp_max_u64(*least, end_ns - c->admin_ns);
	c->admin_sent = false;
}

uint64_t nvp_camp_admin_length_ns(const struct nvp_camp *c, enum nvp_phase phase)
{
	uint64_t length = c->admin_ns_seen[phase];

	if (!length)
		length = nvp_max_u64(FIRST_GUESS_NS, 2 * c->admin_ns_least[phase]);
	return nvp_min_u64(length, LONGEST_NS);
}

/* ---- afterwards ---- */

static void say(struct nvp_camp *c, enum nvp_class class, uint64_t lba, uint32_t count,
		const char *text)
{
	const struct nvp_finding finding = {
		.class = class,
		.severity = NVP_SEVERITY_FAIL,
		.said_by = NVP_SAID_BY_SPEC,
	};

	c->record.classes[class] += count;
	nvp_camp_say(c, &finding, c->nsid, lba, count, "%s", text);
}

/* Blocks that hold what was there before; *first: one of them. */
static int still_there(struct nvp_camp *c, uint32_t *nr, uint64_t *first)
{
	struct nvp_camp_read *reads = calloc(c->facts.nr_blocks, sizeof(*reads));
	int rc = reads ? 0 : -ENOMEM;

	*nr = 0;
	for (uint32_t b = 0; !rc && b < c->facts.nr_blocks; b++)
		reads[b].lba = c->first_lba + b;
	if (!rc)
		rc = nvp_camp_read(c, c->nsid, reads, c->facts.nr_blocks);
	for (uint32_t b = 0; !rc && b < c->facts.nr_blocks; b++) {
		enum nvp_version_what what = nvp_version_what(reads[b].version);

		if (what != NVP_VERSION_STAMP && what != NVP_VERSION_MOVED)
			continue;
		if (!(*nr)++)
			*first = reads[b].lba;
	}
	free(reads);
	return rc;
}

/* The contents say nothing now; but what was erased must not be there, and a new Format must do. */
static int after_format(struct nvp_camp *c)
{
	struct nvp_cmd cmd = format(c, 0);
	struct nvp_cpl cpl;
	uint64_t first = 0;
	uint32_t nr = 0;
	int rc = 0;

	if (c->admin_refused)
		return 0;
	if (c->admin_acked)
		rc = still_there(c, &nr, &first);
	if (nr)
		say(c, NVP_CLASS_STALE_RESURRECT, first, nr,
		    "user data that an acknowledged Format erased are there again");
	if (!rc)
		rc = nvp_exec_admin(c->drive, &cmd, &cpl);
	if (rc)
		return nvp_camp_door(c, rc, "a Format after the cut");
	if (!nvp_cpl_ok(&cpl))
		say(c, NVP_CLASS_METADATA, UINT64_MAX, 1,
		    "after a cut while it was formatted the drive refuses another Format");
	rc = nvp_baseline(c->drive);
	return rc ? nvp_camp_door(c, rc, "after a Format") : 1;
}

/* It goes on by itself (Base 2.0, 5.24 and 8.21); 1 when it ended well. */
static int wait_sanitized(struct nvp_camp *c)
{
	uint64_t until_ns = nvp_clock_deadline_ns(
		c->clock, nvp_drive_budget_ns(c->drive, NVP_TIME_SANITIZE));
	uint64_t *seen = &c->admin_ns_seen[NVP_PHASE_SANITIZE];
	uint64_t from_ns = nvp_camp_now(c);
	uint64_t poll_ns = POLL_NS;
	int status = sanitize_status(c);

	c->record.inside |= status == SSTAT_RUNNING;
	while (status == SSTAT_RUNNING && nvp_camp_now(c) < until_ns) {
		nvp_clock_pass(c->clock, poll_ns);
		poll_ns = nvp_min_u64(2 * poll_ns, NVP_NS_PER_S);
		status = sanitize_status(c);
	}
	/* the command itself is over at once: the next cuts fall into all of what it began */
	*seen = nvp_max_u64(*seen, nvp_camp_now(c) - from_ns);
	return status;
}

static int exit_failure(struct nvp_camp *c)
{
	struct nvp_cmd cmd = nvp_build_sanitize(SANITIZE_EXIT, false, 0, false, false, 0);
	struct nvp_cpl cpl;

	say(c, NVP_CLASS_METADATA, UINT64_MAX, 1,
	    "a sanitize operation that a cut interrupted ended as failed");
	return nvp_exec_admin(c->drive, &cmd, &cpl);
}

static int after_sanitize(struct nvp_camp *c)
{
	uint64_t first = 0;
	uint32_t nr = 0;
	int status = wait_sanitized(c), rc;

	if (status < 0)
		return nvp_camp_door(c, status, "the Sanitize Status log");
	if (status == SSTAT_RUNNING) {
		say(c, NVP_CLASS_METADATA, UINT64_MAX, 1,
		    "a sanitize operation that a cut interrupted does not end");
		return -ENODEV;
	}
	if (status == SSTAT_FAILED)
		exit_failure(c);
	rc = still_there(c, &nr, &first);
	if (rc)
		return rc;
	if (nr && c->admin_acked && status != SSTAT_FAILED)
		say(c, NVP_CLASS_STALE_RESURRECT, first, nr,
		    "user data are there after a sanitize operation that was accepted");
	/* not accepted, and nothing gone: it never began */
	return nr && !c->admin_acked ? 0 : 1;
}

/*
 * A commit of the image that runs, or none: the slot that the log calls active is one that it
 * has, and holds the revision that Identify gives (Base 2.0, 5.16.1.4).
 */
static int after_firmware(struct nvp_camp *c)
{
	const char *fr = nvp_drive_facts(c->drive)->ctrl.fr;
	const uint8_t *log = nvp_buf_data(c->page), *slot_fr;
	size_t bytes = FR_BYTES;
	int rc = get_log(c, LOG_FIRMWARE);

	if (rc)
		return nvp_camp_door(c, rc, "the Firmware Slot Information log");
	slot_fr = log + FR_BYTES * (log[0] & 7u);
	while (bytes && (!slot_fr[bytes - 1] || slot_fr[bytes - 1] == ' '))
		bytes--;
	if (strchr(fr, '?')) /* not to be compared: it holds what is no printable character */
		return 0;
	if (slot_fr == log || bytes != strlen(fr) || memcmp(slot_fr, fr, bytes))
		say(c, NVP_CLASS_METADATA, UINT64_MAX, 1,
		    "the slot that is active after a cut while firmware was committed does not "
		    "hold the revision that runs");
	return 0;
}

/* Any controller level reset ends a short one, and the loss of power is one (Base 2.0, 8.6.1). */
static int after_self_test(struct nvp_camp *c)
{
	const uint8_t *log = nvp_buf_data(c->page);
	int rc = get_log(c, LOG_SELF_TEST);

	if (rc)
		return nvp_camp_door(c, rc, "the Device Self-test log");
	c->record.inside |= c->admin_acked && (log[4] & 0xf) == SELF_TEST_RESET;
	if ((log[0] & 0xf) == SELF_TEST_SHORT)
		say(c, NVP_CLASS_METADATA, UINT64_MAX, 1,
		    "a short self-test that a cut interrupted is said to go on");
	return 0;
}

static bool was_there(const struct nvp_camp *c, uint32_t nsid)
{
	for (unsigned i = 0; i < c->nr_nsids; i++)
		if (c->nsids[i] == nsid)
			return true;
	return false;
}

/* Created or not, never a part of it; what was there is there. */
static int after_namespace(struct nvp_camp *c)
{
	uint32_t now[NVP_CAMP_NSIDS];
	unsigned nr, nr_new = 0;
	int rc = allocated(c, now, &nr);

	for (unsigned i = 0; !rc && i < nr; i++) {
		struct nvp_cmd cmd = nvp_build_ns_delete(now[i]);
		struct nvp_cpl cpl;

		if (was_there(c, now[i]))
			continue;
		nr_new++;
		rc = nvp_exec_admin(c->drive, &cmd, &cpl);
		if (!rc && !nvp_cpl_ok(&cpl))
			say(c, NVP_CLASS_METADATA, UINT64_MAX, 1,
			    "a namespace whose creation was cut is listed and cannot be deleted");
	}
	if (rc)
		return nvp_camp_door(c, rc, "the list of namespaces");
	if (nr_new > 1 || nr - nr_new < c->nr_nsids)
		say(c, NVP_CLASS_METADATA, UINT64_MAX, 1,
		    "the list of namespaces is neither the old nor the new one");
	if (c->admin_acked && !nr_new)
		say(c, NVP_CLASS_METADATA, UINT64_MAX, 1,
		    "a namespace whose creation was acknowledged is not there");
	return 0;
}

/* 0: the blocks are judged as always; 1: what they held is gone, the window is filled anew. */
int nvp_camp_admin_after(struct nvp_camp *c)
{
	switch (c->plan.work.phase) {
	case NVP_PHASE_FORMAT:
		return after_format(c);
	case NVP_PHASE_SANITIZE:
		return after_sanitize(c);
	case NVP_PHASE_FIRMWARE:
		return after_firmware(c);
	case NVP_PHASE_NAMESPACE:
		return after_namespace(c);
	case NVP_PHASE_SELF_TEST:
		return after_self_test(c);
	default:
		return 0;
	}
}
