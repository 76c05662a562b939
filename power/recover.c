// SPDX-License-Identifier: GPL-2.0-or-later
// After a cut: is it the same drive, and what did it count.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "power/engine.h"

#define FEATURE_ERRORS	0x05
#define ERRORS_DULBE	(1u << 16)
#define FEATURE_CACHE	0x06
#define LOG_SMART	0x02
#define LOG_BYTES	512u
#define BACKUP_FAILED	(1u << 4) /* Critical Warning: volatile memory backup (5.16.1.3) */

/* ---- what the drive says of itself ---- */

void nvp_camp_identity_take(const struct nvp_camp *c, struct nvp_camp_identity *identity)
{
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);

	memset(identity, 0, sizeof(*identity));
	memcpy(identity->sn, facts->ctrl.sn, sizeof(identity->sn));
	memcpy(identity->mn, facts->ctrl.mn, sizeof(identity->mn));
	memcpy(identity->fr, facts->ctrl.fr, sizeof(identity->fr));
	identity->nn = facts->ctrl.nn;
	for (unsigned i = 0; i < facts->nr_ns; i++) {
		const struct nvp_ns *ns = &facts->ns[i];

		if (ns->nsid != c->nsid)
			continue;
		identity->nsid = ns->nsid;
		identity->nsze_lbas = ns->id.nsze_lbas;
		identity->ncap_lbas = ns->id.ncap_lbas;
		identity->lba_bytes = ns->id.lba_bytes;
		identity->metadata_bytes = ns->id.metadata_bytes;
		identity->flbas = ns->id.flbas;
		memcpy(identity->eui64, ns->id.eui64, sizeof(identity->eui64));
		memcpy(identity->nguid, ns->id.nguid, sizeof(identity->nguid));
	}
}

int nvp_camp_counters_take(struct nvp_camp *c, struct nvp_camp_counters *counters)
{
	struct nvp_cmd cmd = nvp_build_get_log(LOG_SMART, NVP_NSID_ALL, LOG_BYTES, 0, false, 0);
	struct nvp_smart smart;
	struct nvp_cpl cpl;
	int rc;

	*counters = (struct nvp_camp_counters){ 0 };
	cmd.data = c->page;
	rc = nvp_exec_admin(c->drive, &cmd, &cpl);
	if (rc || !nvp_cpl_ok(&cpl) ||
	    nvp_decode_smart(nvp_buf_data(c->page), LOG_BYTES, &smart))
		return rc;
	*counters = (struct nvp_camp_counters){
		.known = true,
		.unsafe_shutdowns = smart.unsafe_shutdowns.low,
		.power_cycles = smart.power_cycles.low,
		.media_errors = smart.media_errors.low,
		.data_units_written = smart.data_units_written.low,
		.critical_warning = smart.critical_warning,
	};
	return 0;
}

int nvp_camp_cache_state(struct nvp_camp *c)
{
	struct nvp_cmd cmd = nvp_build_get_features(FEATURE_CACHE, 0, 0, 0);
	struct nvp_cpl cpl;
	int rc;

	if (!c->facts.vwc)
		return 0;
	rc = nvp_exec_admin(c->drive, &cmd, &cpl);
	/* without an answer it counts as on: nothing is demanded that was not promised */
	if (!rc)
		c->facts.wce = !nvp_cpl_ok(&cpl) || (cpl.dw0 & 1);
	return rc;
}

/*
 * Whether deallocated blocks answer with an error (NVM Command Set 1.0, 4.1.3.2). A value that was
 * not saved is gone with each reset, and what was read under one may not be judged by the other.
 */
static int error_recovery(struct nvp_camp *c, uint32_t *value)
{
	struct nvp_cmd cmd = nvp_build_get_features(FEATURE_ERRORS, c->nsid, 0, 0);
	struct nvp_cpl cpl;
	int rc = nvp_exec_admin(c->drive, &cmd, &cpl);

	*value = cpl.dw0;
	return rc ? rc : nvp_cpl_ok(&cpl) ? 0 : -EOPNOTSUPP;
}

bool nvp_camp_dulbe(struct nvp_camp *c)
{
	uint32_t value;

	return !error_recovery(c, &value) && value & ERRORS_DULBE;
}

int nvp_camp_dulbe_keep(struct nvp_camp *c)
{
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	uint32_t value;
	int rc;

	if (!c->has_dulbe)
		return 0;
	rc = error_recovery(c, &value);
	if (!rc && !(value & ERRORS_DULBE) != !c->facts.dulbe) {
		cmd = nvp_build_set_features(FEATURE_ERRORS, c->nsid, false, value ^ ERRORS_DULBE);
		rc = nvp_exec_admin(c->drive, &cmd, &cpl);
		if (!rc && !nvp_cpl_ok(&cpl))
			rc = -EPROTO;
	}
	return rc ? nvp_camp_door(c, rc, "Error Recovery, feature 05h") : 0;
}

/* ---- the same drive? ---- */

static bool same(struct nvp_camp *c, struct nvp_finding *what, char *text, size_t bytes)
{
	struct nvp_camp_identity is;
	const struct nvp_camp_identity *was = &c->identity;

	nvp_camp_identity_take(c, &is);
	if (nvp_camp_firmware_may_run(c, is.fr))
		memcpy(is.fr, was->fr, sizeof(is.fr));
	if (!memcmp(&is, was, sizeof(is)))
		return true;
	*what = (struct nvp_finding){
		.class = NVP_CLASS_METADATA,
		.severity = NVP_SEVERITY_FAIL,
		.said_by = NVP_SAID_BY_SPEC,
	};
	if (!is.nsid)
		snprintf(text, bytes, "namespace %u is gone", was->nsid);
	else if (is.nsze_lbas != was->nsze_lbas || is.lba_bytes != was->lba_bytes)
		snprintf(text, bytes, "namespace %u: %llu blocks of %u bytes, were %llu of %u",
			 is.nsid, (unsigned long long)is.nsze_lbas, is.lba_bytes,
			 (unsigned long long)was->nsze_lbas, was->lba_bytes);
	else if (strcmp(is.fr, was->fr))
		snprintf(text, bytes, "firmware %s, was %s", is.fr, was->fr);
	else if (strcmp(is.mn, was->mn))
		snprintf(text, bytes, "model %s, was %s", is.mn, was->mn);
	else
		snprintf(text, bytes, "Identify is not what it was before the cut: %s",
			 memcmp(is.eui64, was->eui64, sizeof(is.eui64)) ? "EUI-64" :
			 memcmp(is.nguid, was->nguid, sizeof(is.nguid)) ? "NGUID" :
									  "capacity or format");
	return false;
}

static void say(struct nvp_camp *c, enum nvp_class class, const char *text)
{
	const struct nvp_finding finding = {
		.class = class,
		.severity = NVP_SEVERITY_FAIL,
		.said_by = NVP_SAID_BY_SPEC,
	};

	c->record.classes[class]++;
	nvp_camp_say(c, &finding, c->nsid, UINT64_MAX, 1, "%s", text);
}

static int compare_identity(struct nvp_camp *c)
{
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);
	struct nvp_finding finding;
	char text[200];
	bool usable = false;

	if (strcmp(facts->ctrl.sn, c->identity.sn)) {
		/* of a simulated drive there is no other that could have come */
		if (nvp_drive_path(c->drive) & NVP_PATH_SIMULATED)
			say(c, NVP_CLASS_METADATA, "another serial number than before the cut");
		nvp_err_set(c->err, NVP_ERR_REFUSED, -EXDEV,
			    "cycle %u: another drive came back: serial %s", c->cycle,
			    facts->ctrl.sn);
		nvp_err_expected(c->err, "serial %s", c->identity.sn);
		return -EXDEV;
	}
	if (same(c, &finding, text, sizeof(text)))
		return 0;
	nvp_camp_say(c, &finding, c->nsid, UINT64_MAX, 1, "%s", text);
	c->record.classes[finding.class]++;
	for (unsigned i = 0; i < facts->nr_ns; i++)
		if (facts->ns[i].nsid == c->nsid &&
		    facts->ns[i].id.nsze_lbas == c->identity.nsze_lbas &&
		    facts->ns[i].id.lba_bytes == c->identity.lba_bytes)
			usable = true;
	if (usable) /* what it says now is what the next cycle compares with */
		nvp_camp_identity_take(c, &c->identity);
	return usable ? 0 : -ENODEV;
}

/* ---- what it counted ---- */

/*
 * Which counts are right (2.8 of the rules): a loss of power while a shutdown is under way may
 * count or not below version 2.1; losses with no RDY=1 between them may count as one.
 */
static int64_t as_expected(int64_t seen, int64_t least, int64_t most, int64_t when_right)
{
	return seen >= least && seen <= most ? when_right : seen;
}

static void judge_drive(struct nvp_camp *c, unsigned sure_losses)
{
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);
	struct nvp_camp_counters now = { 0 };
	struct nvp_drive_after after = {
		.cut_confirmed = true, .came_back = true, .identity_same = true,
		.canaries_good = true, .clean_shutdown = c->record.clean,
		.ready_ms = c->record.ready_ns / NVP_NS_PER_MS,
		.ready_limit_ms = nvp_max_u64(1, facts->cap.to_500ms) * 500,
		.power_cycles = 1, .unsafe_shutdowns = c->record.clean ? 0 : 1,
	};
	struct nvp_finding found[4];
	int64_t unsafe = 0, cycles = 0, losses = c->power_losses, least;
	uint32_t nr;

	if (!nvp_camp_counters_take(c, &now) && now.known && c->counters.known && losses) {
		unsafe = (int64_t)(now.unsafe_shutdowns - c->counters.unsafe_shutdowns);
		cycles = (int64_t)(now.power_cycles - c->counters.power_cycles);
		least = c->record.clean ? (int64_t)sure_losses - 1 : (int64_t)sure_losses;
		if (c->may_count_unsafe && facts->version < NVP_VERSION(2, 1, 0))
			least--;
		after.power_cycles = as_expected(cycles, sure_losses, losses, 1);
		after.unsafe_shutdowns =
			as_expected(unsafe, least, c->record.clean ? losses - 1 : losses,
				    c->record.clean ? 0 : 1);
		after.media_errors = (int64_t)(now.media_errors - c->counters.media_errors);
		after.backup_failed = now.critical_warning & ~c->counters.critical_warning &
				      BACKUP_FAILED;
	}
	nr = nvp_judge_drive(&after, found);
	for (uint32_t i = 0; i < nr; i++) {
		c->record.classes[found[i].class]++;
		/* what only a policy asks for is a fail when the user asked for the policy */
		if (found[i].said_by == NVP_SAID_BY_POLICY &&
		    found[i].severity == NVP_SEVERITY_WARN && c->facts.policy != NVP_ORACLE_SPEC)
			found[i].severity = NVP_SEVERITY_FAIL;
		if (found[i].class == NVP_CLASS_SLOW_READY)
			nvp_camp_say(c, &found[i], c->nsid, UINT64_MAX, 1,
				     "ready after %llu ms, CAP.TO allows %llu",
				     (unsigned long long)after.ready_ms,
				     (unsigned long long)after.ready_limit_ms);
		else
			nvp_camp_say(c, &found[i], c->nsid, UINT64_MAX, 1,
				     "%s after %u %s: Unsafe Shutdowns %+lld, Power Cycles %+lld, "
				     "Media Errors %+lld, Critical Warning %02xh",
				     facts->ctrl.sn, c->power_losses,
				     c->record.clean ? "clean power-off" : "loss of power",
				     (long long)unsafe, (long long)cycles,
				     (long long)after.media_errors, now.critical_warning);
	}
	c->counters = now;
}

/* ---- all of it ---- */

int nvp_camp_recover(struct nvp_camp *c)
{
	unsigned sure_losses = c->power_losses;
	uint64_t on_ns;
	int rc;

	if (c->plan.reset != NVP_NR_RESETS) {
		rc = compare_identity(c);
		if (!rc)
			judge_drive(c, 0);
		return rc;
	}
	rc = nvp_camp_revive(c, &sure_losses, &on_ns);
	if (rc)
		return rc;
	nvp_camp_forget(c);
	c->record.first_read_ns = nvp_camp_now(c) - on_ns;
	rc = compare_identity(c);
	if (rc)
		return rc;
	judge_drive(c, sure_losses);
	return nvp_journal_event(c->journal, NVP_JOURNAL_BACK, c->record.ready_ns);
}
