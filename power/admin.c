// SPDX-License-Identifier: GPL-2.0-or-later
// Phases about admin commands: which one, given when, and was it under way when the supply went.

#include "power/admin.h"

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"

#define PAGE_BYTES	4096u
#define SES_USER_DATA	1u
#define SELF_TEST_SHORT 1u
#define NEW_NS_BLOCKS	4096u
#define FIRST_GUESS_NS	(2 * NVP_NS_PER_MS)
#define SHORT_NS	(10 * NVP_NS_PER_US)
#define LONGEST_NS	(60 * NVP_NS_PER_S) /* cuts come no later into an operation */

/* ---- what the drive can (Identify OACS, SANICAP) ---- */

uint32_t nvp_camp_admin_phases(struct nvp_camp *c)
{
	uint16_t oacs = nvp_drive_facts(c->drive)->ctrl.oacs;
	uint32_t can = 0;

	if (oacs & 1u << 1)
		can |= 1u << NVP_PHASE_FORMAT;
	if (oacs & 1u << 2) {
		can |= 1u << NVP_PHASE_FIRMWARE;
		nvp_camp_firmware_look(c);
	}
	if (oacs & 1u << 3)
		can |= 1u << NVP_PHASE_NAMESPACE;
	if (oacs & 1u << 4)
		can |= 1u << NVP_PHASE_SELF_TEST;
	if (nvp_camp_can_sanitize(c)) {
		can |= 1u << NVP_PHASE_SANITIZE;
		nvp_camp_sanitize_guess(c);
	}
	return can;
}

/* ---- logs ---- */

int nvp_camp_get_log(struct nvp_camp *c, uint8_t lid)
{
	struct nvp_cmd cmd =
		nvp_build_get_log(lid, NVP_NSID_ALL, NVP_CAMP_LOG_BYTES, 0, false, 0);
	struct nvp_cpl cpl;
	int rc;

	cmd.data = c->page;
	rc = nvp_exec_admin(c->drive, &cmd, &cpl);
	return rc ? rc : nvp_cpl_ok(&cpl) ? 0 : -EPROTO;
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
	data[29] = (uint8_t)(c->format.pi.type | c->format.pi.first << 3); /* DPS */
	cmd.data = c->page;
	return cmd;
}

unsigned nvp_camp_admin_variants(const struct nvp_camp *c)
{
	switch (c->plan.work.phase) {
	case NVP_PHASE_SANITIZE:
		return nvp_camp_sanitize_variants(c);
	case NVP_PHASE_FIRMWARE:
		return nvp_camp_firmware_variants(c);
	default:
		return 1;
	}
}

bool nvp_camp_is_admin(enum nvp_phase phase)
{
	return phase >= NVP_PHASE_FORMAT && phase <= NVP_PHASE_SELF_TEST;
}

int nvp_camp_admin_prepare(struct nvp_camp *c)
{
	switch (c->plan.work.phase) {
	case NVP_PHASE_FORMAT:
		c->admin_cmd = nvp_camp_format_cmd(c, SES_USER_DATA);
		return 0;
	case NVP_PHASE_SANITIZE:
		c->admin_cmd = nvp_camp_sanitize_cmd(c);
		return 0;
	case NVP_PHASE_FIRMWARE:
		return nvp_camp_firmware_prepare(c);
	case NVP_PHASE_NAMESPACE:
		c->nr_nsids = 0;
		if (nvp_camp_allocated(c, c->nsids, &c->nr_nsids))
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
	uint64_t *seen = &nvp_camp_length(c)->seen_ns;
	struct nvp_cpl cpl;

	while (c->admin_sent && nvp_reap(nvp_admin_cq(c->drive), &cpl) > 0) {
		if (cpl.cid != c->admin_cid)
			continue;
		c->admin_acked = nvp_cpl_ok(&cpl) || nvp_camp_firmware_taken(c, &cpl.status);
		c->admin_refused = !c->admin_acked;
		c->admin_sent = false;
		/* what a Sanitize begins goes on behind its completion */
		if (c->plan.work.phase != NVP_PHASE_SANITIZE)
			*seen = nvp_max_u64(*seen, cpl.latency_ns);
	}
}

/*
 * From the off command to the end of a drive that lives on for a while: commands that are shorter
 * than that have to be given in it, so that the end falls into them.
 */
uint64_t nvp_camp_admin_alive_ns(const struct nvp_camp *c)
{
	uint64_t short_ns = nvp_min_u64(nvp_camp_admin_length_ns(c), SHORT_NS);

	return c->alive_ns ? nvp_min_u64(c->alive_ns + short_ns, c->gone_ns) : 0;
}

/* Not complete at the cut: it lasts longer than that. One given to a dead drive is no such. */
void nvp_camp_admin_cut(struct nvp_camp *c)
{
	uint64_t *least = &nvp_camp_length(c)->least_ns;
	uint64_t end_ns = c->cut_ns + nvp_camp_admin_alive_ns(c);

	nvp_camp_admin_poll(c);
	c->record.inside = c->admin_sent && c->admin_ns <= end_ns;
	if (c->record.inside)
		*least = nvp_max_u64(*least, end_ns - c->admin_ns);
	c->admin_sent = false;
}

uint64_t nvp_camp_admin_length_ns(const struct nvp_camp *c)
{
	const struct nvp_camp_length *known =
		&c->admin_length[c->plan.work.phase][c->plan.cut.variant];
	uint64_t length = known->seen_ns;

	if (!length)
		length = nvp_max_u64(FIRST_GUESS_NS, 2 * known->least_ns);
	return nvp_min_u64(length, LONGEST_NS);
}
