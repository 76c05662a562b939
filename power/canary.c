// SPDX-License-Identifier: GPL-2.0-or-later
// Canaries: blocks far from the window, and in other namespaces, that nobody writes in a campaign.

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "power/engine.h"

#define OF_OTHER_NS 4u /* in each of at most so many */
#define OTHER_NS    3u

static void add(struct nvp_camp *c, uint32_t nsid, uint64_t lba)
{
	bool inside = nsid == c->nsid && lba >= c->range_first &&
		      lba - c->range_first < c->range_lbas && c->options->nr_lbas;
	bool in_window = nsid == c->nsid && lba - c->first_lba < c->facts.nr_blocks;

	if (inside || in_window || c->nr_canaries == NVP_CAMP_CANARIES)
		return;
	for (unsigned i = 0; i < c->nr_canaries; i++)
		if (c->canary[i].nsid == nsid && c->canary[i].lba == lba)
			return;
	c->canary[c->nr_canaries++] = (struct nvp_camp_canary){ .nsid = nsid, .lba = lba };
}

/* The ends of a namespace and places between. */
static void spread(struct nvp_camp *c, uint32_t nsid, uint64_t nr_lbas, unsigned nr)
{
	for (unsigned i = 0; i < nr && nr_lbas; i++)
		add(c, nsid, i ? (nr_lbas - 1) / (nr - 1) * i : 0);
	if (nr_lbas)
		add(c, nsid, nr_lbas - 1);
}

static int write_one(struct nvp_camp *c, const struct nvp_camp_canary *canary)
{
	struct nvp_lb_buf *buf = nvp_camp_slot_buf(c, 0);
	const struct nvp_stamp stamp = {
		.run = c->run, .lba = canary->lba, .nsid = canary->nsid, .seq = c->seq,
	};
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	int rc;

	if (!buf)
		return -ENOMEM;
	nvp_lb_stamp(&c->format, buf, 0, &stamp);
	cmd = nvp_lb_command(&c->format, NVP_IO_WRITE, canary->nsid, canary->lba, 0, buf, 0);
	rc = nvp_exec_io(c->drive, &cmd, &cpl);
	return rc ? rc : nvp_cpl_ok(&cpl) ? 0 : -EPROTO;
}

static int read_one(struct nvp_camp *c, const struct nvp_camp_canary *canary,
		    struct nvp_camp_read *read)
{
	*read = (struct nvp_camp_read){ .lba = canary->lba };
	return nvp_camp_read(c, canary->nsid, read, 1);
}

/* Of another format nothing is written or read: the buffers are of ours. */
static void choose(struct nvp_camp *c)
{
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);
	unsigned others = 0;

	for (unsigned i = 0; i < facts->nr_ns; i++) {
		const struct nvp_ns *ns = &facts->ns[i];
		struct nvp_lb_format format = nvp_lb_format_of(ns);

		if (ns->nsid == c->nsid)
			spread(c, ns->nsid, ns->id.nsze_lbas, NVP_CAMP_CANARIES / 3);
		else if (nvp_lb_same_format(&format, &c->format) && others++ < OTHER_NS)
			spread(c, ns->nsid, ns->id.nsze_lbas, OF_OTHER_NS);
	}
}

/* With a range given, nothing outside of it is written: what is there is what has to stay. */
int nvp_camp_canaries_learn(struct nvp_camp *c)
{
	struct nvp_camp_read read;
	struct nvp_cpl cpl;
	int rc = nvp_camp_dulbe_keep(c);

	c->nr_canaries = 0;
	choose(c);
	for (unsigned i = 0; !rc && !c->options->nr_lbas && i < c->nr_canaries; i++)
		rc = write_one(c, &c->canary[i]);
	c->seq++;
	for (unsigned i = 0; !rc && !c->options->nr_lbas && i < c->nr_canaries; i++) {
		struct nvp_cmd cmd = nvp_build_flush(c->canary[i].nsid);

		if (!i || c->canary[i].nsid != c->canary[i - 1].nsid)
			rc = nvp_exec_io(c->drive, &cmd, &cpl);
	}
	if (rc)
		return nvp_camp_door(c, rc, "writing the canaries");
	for (unsigned i = 0; !rc && i < c->nr_canaries; i++) {
		rc = read_one(c, &c->canary[i], &read);
		c->canary[i].version = read.version;
	}
	return rc;
}

static void judge_one(struct nvp_camp *c, struct nvp_camp_canary *canary,
		      const struct nvp_camp_read *read)
{
	struct nvp_finding finding = nvp_judge_again(NVP_JUDGE_COLD, true, false, false);
	char was[48], is[48];

	if (read->meta_bad)
		finding.class = NVP_CLASS_PI_TORN;
	else if (read->form == NVP_ORACLE_OTHER_NS)
		finding.class = NVP_CLASS_CROSS_NS;
	else if (read->form == NVP_ORACLE_OTHER_LBA)
		finding.class = NVP_CLASS_FLYING;
	else if (nvp_version_what(read->version) == NVP_VERSION_UNC)
		finding.class = NVP_CLASS_UNREADABLE;
	else if (read->form == NVP_ORACLE_TORN)
		finding.class = NVP_CLASS_TORN_SUBLB;
	else if (read->form == NVP_ORACLE_DAMAGED &&
		 nvp_version_what(canary->version) == NVP_VERSION_STAMP)
		finding.class = NVP_CLASS_BITROT;
	c->record.classes[finding.class]++;
	nvp_camp_say(c, &finding, canary->nsid, canary->lba, 1,
		     "namespace %u LBA %llu, which nothing writes, holds %s%s, was %s",
		     canary->nsid, (unsigned long long)canary->lba,
		     nvp_version_text(read->data, is),
		     read->meta_bad ? nvp_lb_meta_text(read->meta) : "",
		     nvp_version_text(canary->version, was));
}

/* Erased by right: a sanitize operation takes all, a Format what Identify FNA says. */
static bool went_too(const struct nvp_camp *c, uint32_t nsid)
{
	return nsid == c->nsid || c->plan.work.phase == NVP_PHASE_SANITIZE ||
	       nvp_drive_facts(c->drive)->ctrl.fna & 3;
}

static bool in_window(const struct nvp_camp *c, const struct nvp_camp_canary *canary,
		      uint64_t first_lba)
{
	return canary->nsid == c->nsid && canary->lba - first_lba < c->facts.nr_blocks;
}

/* The window has moved: what it left on canaries is what they hold from now on. */
int nvp_camp_canaries_left(struct nvp_camp *c, uint64_t old_first_lba)
{
	struct nvp_camp_read read;
	int rc = 0;

	for (unsigned i = 0; !rc && i < c->nr_canaries; i++) {
		if (!in_window(c, &c->canary[i], old_first_lba))
			continue;
		rc = read_one(c, &c->canary[i], &read);
		c->canary[i].version = read.version;
	}
	return rc;
}

int nvp_camp_canaries_check(struct nvp_camp *c)
{
	struct nvp_camp_read read;
	unsigned bad = 0;
	int rc = 0;

	for (unsigned i = 0; !rc && i < c->nr_canaries; i++) {
		if (in_window(c, &c->canary[i], c->first_lba) ||
		    (c->refill && went_too(c, c->canary[i].nsid)))
			continue;
		rc = read_one(c, &c->canary[i], &read);
		if (rc || read.version == c->canary[i].version)
			continue;
		bad++;
		judge_one(c, &c->canary[i], &read);
		c->canary[i].version = read.version;
	}
	if (!rc && c->nr_canaries > 3 && bad * 2 > c->nr_canaries) {
		const struct nvp_finding finding = {
			.class = NVP_CLASS_METADATA,
			.severity = NVP_SEVERITY_FAIL,
			.said_by = NVP_SAID_BY_SPEC,
		};

		c->record.classes[finding.class]++;
		nvp_camp_say(c, &finding, c->nsid, UINT64_MAX, bad,
			     "%u of %u blocks that nothing writes are not what they were", bad,
			     c->nr_canaries);
	}
	return rc;
}
