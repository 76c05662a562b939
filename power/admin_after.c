// SPDX-License-Identifier: GPL-2.0-or-later
// After a cut in an admin command: what a Format, a self-test, a new namespace left behind.

#include "power/admin.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"

#define CNS_ALLOCATED	0x10
#define LOG_SELF_TEST	0x06
#define SELF_TEST_SHORT 1u
#define SELF_TEST_RESET 2u /* a result: ended by a controller level reset */
#define POLL_NS		(5 * NVP_NS_PER_MS)

/* ---- what they say ---- */

__attribute__((format(printf, 3, 0)))
static void say(struct nvp_camp *c, const struct nvp_finding *finding, const char *format,
		va_list args)
{
	char text[300];

	vsnprintf(text, sizeof(text), format, args);
	c->record.classes[finding->class]++;
	nvp_camp_say(c, finding, c->nsid, UINT64_MAX, 1, "%s", text);
}

void nvp_camp_admin_broken(struct nvp_camp *c, const char *source, const char *format, ...)
{
	const struct nvp_finding finding = {
		.class = NVP_CLASS_METADATA, .severity = NVP_SEVERITY_FAIL,
		.said_by = NVP_SAID_BY_SPEC, .source = source,
	};
	va_list args;

	va_start(args, format);
	say(c, &finding, format, args);
	va_end(args);
}

void nvp_camp_admin_unwise(struct nvp_camp *c, enum nvp_class class, const char *format, ...)
{
	bool asked = c->facts.policy != NVP_ORACLE_SPEC;
	const struct nvp_finding finding = {
		.class = class,
		.severity = asked ? NVP_SEVERITY_FAIL : NVP_SEVERITY_WARN,
		.said_by = NVP_SAID_BY_POLICY,
	};
	va_list args;

	va_start(args, format);
	say(c, &finding, format, args);
	va_end(args);
}

void nvp_camp_admin_stale(struct nvp_camp *c, const char *source, uint32_t nr, uint64_t first,
			  const char *text)
{
	const struct nvp_finding finding = {
		.class = NVP_CLASS_STALE_RESURRECT,
		.severity = NVP_SEVERITY_FAIL,
		.said_by = NVP_SAID_BY_SPEC,
		.source = source,
	};

	c->record.classes[finding.class] += nr;
	nvp_camp_say(c, &finding, c->nsid, first, nr, "%s", text);
}

int nvp_camp_still_there(struct nvp_camp *c, uint32_t *nr, uint64_t *first)
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

/* ---- Format NVM (Base 2.0, 5.14) ---- */

struct nvp_cmd nvp_camp_format_cmd(const struct nvp_camp *c, uint8_t ses)
{
	uint8_t lbaf = (uint8_t)((c->identity.flbas & 15) | (c->identity.flbas >> 5 & 3) << 4);

	return nvp_build_format(c->nsid, lbaf, c->format.extended, c->format.pi.type,
				c->format.pi.first, ses);
}

/*
 * No sentence says that another Format is taken at once after one that a cut ended, so a drive may
 * need its time; that it takes one at all is ours to ask.
 */
static int format_again(struct nvp_camp *c)
{
	struct nvp_cmd cmd = nvp_camp_format_cmd(c, 0);
	uint64_t from_ns = nvp_camp_now(c), poll_ns = POLL_NS;
	uint64_t until_ns = nvp_clock_deadline_ns(c->clock,
						  nvp_drive_budget_ns(c->drive, NVP_TIME_FORMAT));
	struct nvp_status refused = { 0 };
	bool was_refused = false;
	struct nvp_cpl cpl;
	int rc;

	for (;;) {
		rc = nvp_exec_admin(c->drive, &cmd, &cpl);
		if (rc)
			return nvp_camp_door(c, rc, "a Format after the cut");
		if (nvp_cpl_ok(&cpl))
			break;
		if (!was_refused)
			refused = cpl.status;
		was_refused = true;
		if (cpl.status.dnr || nvp_camp_now(c) >= until_ns)
			break;
		nvp_clock_pass(c->clock, poll_ns);
		poll_ns = nvp_min_u64(2 * poll_ns, NVP_NS_PER_S);
	}
	if (was_refused)
		nvp_camp_admin_unwise(c, NVP_CLASS_METADATA,
				      "after a cut while it was formatted the drive refuses "
				      "another Format with %u/%02xh, %s%llu ms",
				      refused.sct, refused.sc,
				      nvp_cpl_ok(&cpl) ? "and takes one after " : "for all of ",
				      (unsigned long long)((nvp_camp_now(c) - from_ns) /
							   NVP_NS_PER_MS));
	return 0;
}

/* The contents say nothing now; but what was erased must not be there. */
static int after_format(struct nvp_camp *c)
{
	uint64_t first = 0;
	uint32_t nr = 0;
	int rc = 0;

	if (c->admin_refused)
		return 0;
	if (c->admin_acked)
		rc = nvp_camp_still_there(c, &nr, &first);
	if (nr)
		nvp_camp_admin_stale(c, NVP_CAMP_BASE("5.14"), nr, first,
				     "user data that an acknowledged Format erased are there again");
	if (!rc)
		rc = format_again(c);
	if (rc)
		return rc;
	rc = nvp_baseline(c->drive);
	return rc ? nvp_camp_door(c, rc, "after a Format") : 1;
}

/* ---- Device Self-test ---- */

/* Any controller level reset ends a short one, and the loss of power is one (Base 2.0, 8.6.1). */
static int after_self_test(struct nvp_camp *c)
{
	const uint8_t *log = nvp_buf_data(c->page);
	int rc = nvp_camp_get_log(c, LOG_SELF_TEST);

	if (rc)
		return nvp_camp_door(c, rc, "the Device Self-test log");
	c->record.inside |= c->admin_acked && (log[4] & 0xf) == SELF_TEST_RESET;
	if ((log[0] & 0xf) == SELF_TEST_SHORT)
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("8.6.1"),
				      "a short self-test that a cut interrupted is said to go on");
	return 0;
}

/* ---- Namespace Management (Base 2.0, 5.23) ---- */

int nvp_camp_allocated(struct nvp_camp *c, uint32_t *nsids, unsigned *nr)
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
	int rc = nvp_camp_allocated(c, now, &nr);

	for (unsigned i = 0; !rc && i < nr; i++) {
		struct nvp_cmd cmd = nvp_build_ns_delete(now[i]);
		struct nvp_cpl cpl;

		if (was_there(c, now[i]))
			continue;
		nr_new++;
		rc = nvp_exec_admin(c->drive, &cmd, &cpl);
		if (!rc && !nvp_cpl_ok(&cpl))
			nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.23"),
					      "a namespace whose creation was cut is listed and "
					      "cannot be deleted");
	}
	if (rc)
		return nvp_camp_door(c, rc, "the list of namespaces");
	if (nr_new > 1 || nr - nr_new < c->nr_nsids)
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.23"),
				      "the list of namespaces is neither the old nor the new one");
	if (c->admin_acked && !nr_new)
		nvp_camp_admin_broken(c, NVP_CAMP_BASE("5.23"),
				      "a namespace whose creation was acknowledged is not there");
	return 0;
}

/* ---- all of them ---- */

/* 0: the blocks are judged as always; 1: what they held is gone, the window is filled anew. */
int nvp_camp_admin_after(struct nvp_camp *c)
{
	switch (c->plan.work.phase) {
	case NVP_PHASE_FORMAT:
		return after_format(c);
	case NVP_PHASE_SANITIZE:
		return nvp_camp_after_sanitize(c);
	case NVP_PHASE_FIRMWARE:
		return nvp_camp_after_firmware(c);
	case NVP_PHASE_NAMESPACE:
		return after_namespace(c);
	case NVP_PHASE_SELF_TEST:
		return after_self_test(c);
	default:
		return 0;
	}
}
