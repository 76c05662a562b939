// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof powerloss`: the campaign of the options, as the one case of a run.

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <nvproof/clock.h>
#include <nvproof/power.h>
#include <nvproof/power_replay.h>

#include "core/base/parse.h"
#include "core/cli/output.h"
#include "core/cli/run_with.h"

#define CASE_ID	      "powerloss.campaign"
#define CASE_ID_ADMIN "powerloss.campaign-admin" /* the same, and may erase and change firmware */
#define ADMIN_PHASES                                                                    \
	(1u << NVP_PHASE_FORMAT | 1u << NVP_PHASE_SANITIZE | 1u << NVP_PHASE_FIRMWARE | \
	 1u << NVP_PHASE_NAMESPACE | 1u << NVP_PHASE_SELF_TEST)

/* Bits of the names in a list like "writes,flush"; name gives them by number until NULL. */
static int take_bits(struct nvp_program *p, const struct nvp_words *words, const char *option,
		     const char *(*name)(unsigned), uint32_t *bits)
{
	for (size_t i = 0; i < words->nr; i++) {
		const char *word = words->word[i];

		while (*word) {
			size_t length = strcspn(word, ",");
			unsigned n = 0;

			while (name(n) &&
			       (strlen(name(n)) != length || strncmp(name(n), word, length)))
				n++;
			if (!name(n)) {
				char list[300] = "";

				for (unsigned k = 0; name(k); k++)
					snprintf(list + strlen(list), sizeof(list) - strlen(list),
						 "%s%s", k ? ", " : "", name(k));
				nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "--%s %.*s", option,
					    (int)length, word);
				nvp_err_expected(&p->err, "names parted by commas");
				nvp_err_advice(&p->err, "one of %s", list);
				return -EINVAL;
			}
			*bits |= 1u << n;
			word += length + (word[length] == ',');
		}
	}
	return 0;
}

static const char *phase_name(unsigned n)
{
	return nvp_phase_name((enum nvp_phase)n);
}

static const char *workload_name(unsigned n)
{
	return nvp_workload_name((enum nvp_workload)n);
}

static int take_range(struct nvp_program *p, struct nvp_campaign_options *c)
{
	const char *text = p->options.range;
	const char *colon = text ? strchr(text, ':') : NULL;
	char first[32];

	if (!text)
		return 0;
	if (colon && (size_t)(colon - text) < sizeof(first)) {
		snprintf(first, sizeof(first), "%.*s", (int)(colon - text), text);
		if (!nvp_parse_u64(first, &c->first_lba) &&
		    !nvp_parse_u64_range(colon + 1, 1, UINT64_MAX, &c->nr_lbas))
			return 0;
	}
	nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "--range %s", text);
	nvp_err_expected(&p->err, "LBA:COUNT, like 0:1000000");
	return -EINVAL;
}

/*
 * A range or a namespace that the drive does not have, or that was formatted since the journal, is
 * said before there is a run directory.
 */
static int check_places(struct nvp_program *p, struct nvp_prepared *prepared,
			const struct nvp_campaign_options *c)
{
	const struct nvp_facts *facts;
	const struct nvp_ns *ns = NULL;
	struct nvp_drive *drive;
	uint64_t nr;

	if (!c->nr_lbas && !c->nsid && !c->resume)
		return 0;
	drive = nvp_drive_open(prepared, NULL, (unsigned)p->options.timeout_scale, &p->err);
	if (!drive)
		return -EIO;
	facts = nvp_drive_facts(drive);
	for (unsigned i = 0; i < facts->nr_ns && !ns; i++)
		if (!c->nsid || facts->ns[i].nsid == c->nsid)
			ns = &facts->ns[i];
	nr = ns ? ns->id.nsze_lbas : UINT64_MAX;
	if (ns && c->resume)
		nvp_campaign_resume_check(c, nvp_prepared_serial(prepared), ns, &p->err);
	nvp_drive_close(drive);
	if (p->err.code)
		return p->err.code;
	if (!ns && c->nsid) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "--nsid %" PRIu32, c->nsid);
		nvp_err_expected(&p->err, "an active namespace of the drive");
	} else if (c->nr_lbas && (c->first_lba > nr || c->nr_lbas > nr - c->first_lba)) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "--range %s", p->options.range);
		nvp_err_expected(&p->err, "blocks below LBA %" PRIu64, nr);
	}
	return p->err.code;
}

/* The journal tells of a drive that loses its power: it cannot lie there. */
static int check_journal_place(struct nvp_program *p, const struct nvp_prepared *prepared)
{
	char folder[PATH_MAX], where[400];
	char *slash;

	snprintf(folder, sizeof(folder), "%s", p->options.output ? p->options.output : ".");
	while (access(folder, F_OK)) { /* it is made later: what it is made in counts */
		slash = strrchr(folder, '/');
		if (slash == folder)
			folder[1] = '\0';
		else if (slash)
			*slash = '\0';
		else
			strcpy(folder, ".");
	}
	if (!nvp_prepared_holds(prepared, folder, where, sizeof(where)))
		return 0;
	nvp_err_set(&p->err, NVP_ERR_REFUSED, -EPERM,
		    "refused: the journal would lie on the drive under test: %.200s", where);
	nvp_err_advice(&p->err, "give -o DIR on another drive");
	return -EPERM;
}

static int check_resume(struct nvp_program *p, const struct nvp_prepared *prepared,
			const struct nvp_campaign_options *c)
{
	if (!c->resume)
		return 0;
	if (access(c->resume, R_OK))
		return nvp_err_set(&p->err, NVP_ERR_USAGE, -errno,
				   "--resume %.120s: journal.bin: %s", p->options.resume,
				   strerror(errno));
	return nvp_campaign_resume_check(c, nvp_prepared_serial(prepared), NULL, &p->err);
}

/* What can be known before anything is done. */
static int check_drive(struct nvp_program *p, const struct nvp_campaign_options *c)
{
	struct nvp_prepared *prepared = nvp_drive_prepare(p->operand[0], c->seed, 0, &p->err);
	int rc;

	if (!prepared)
		return -ENODEV;
	rc = check_journal_place(p, prepared);
	if (!rc)
		rc = check_resume(p, prepared, c);
	if (!rc)
		rc = check_places(p, prepared, c);
	nvp_drive_discard(prepared);
	return rc;
}

/* What cannot be right on any drive is said before one is opened. */
static int check_relay(struct nvp_program *p, const struct nvp_campaign_options *c)
{
	if (c->resets)
		return 0;
	if (c->relay)
		return nvp_relay_check(c->relay, &p->err);
	if (!strncmp(p->operand[0], "sim:", 4))
		return 0;
	nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "powerloss %s: no relay was given",
		    p->operand[0]);
	nvp_err_advice(&p->err, "give what its supply hangs on: --relay ADDR, or --resets for "
				"resets instead of cuts");
	return -EINVAL;
}

static int make_campaign(struct nvp_program *p, struct nvp_campaign_options *c)
{
	const struct nvp_options *o = &p->options;

	*c = (struct nvp_campaign_options){
		.seed = o->seed,
		.cycles = (uint32_t)o->cycles,
		.working_set = !strcmp(o->working_set, "full") ? NVP_SET_FULL :
			       !strcmp(o->working_set, "span") ? NVP_SET_SPAN :
								 NVP_SET_HOT,
		.policy = o->policy,
		.rules = o->rules,
		.ops = (uint32_t)o->ops,
		.max_volatile = (uint32_t)o->max_volatile,
		.queues = (uint16_t)o->queues,
		.depth = (uint16_t)o->depth,
		.off_ns = o->off_ms * NVP_NS_PER_MS,
		.nsid = (uint32_t)o->nsid,
		.scrub = (uint32_t)o->scrub,
		.stop_on_fail = o->stop_on_fail,
		.resets = o->resets,
		.relay = o->relay,
		.journal = "",
		.journal_sync = o->journal_sync,
		.first_cycle = (uint32_t)o->first_cycle,
	};
	if (take_bits(p, &o->phases, "phase", phase_name, &c->phases) ||
	    take_bits(p, &o->workloads, "workload", workload_name, &c->workloads) ||
	    take_range(p, c) || check_relay(p, c))
		return -EINVAL;
	return 0;
}

int nvp_cmd_powerloss(struct nvp_program *p)
{
	static const char *const id = CASE_ID, *const id_admin = CASE_ID_ADMIN;
	struct nvp_campaign_options campaign;
	struct nvp_campaign_result *shared;
	struct nvp_run_request request;
	struct nvp_replay_file *replay = NULL;
	struct nvp_registry *registry;
	char journal[PATH_MAX];
	int code;

	if (make_campaign(p, &campaign) || nvp_run_request_of(p, &request))
		return nvp_err_exit_code(p->err.kind);
	if (p->options.resume) {
		snprintf(journal, sizeof(journal), "%s/journal.bin", p->options.resume);
		campaign.resume = journal;
	}
	if (check_drive(p, &campaign))
		return nvp_err_exit_code(p->err.kind);
	if (p->options.replay) {
		replay = nvp_replay_read(p->options.replay, &p->err);
		if (!replay)
			return nvp_err_exit_code(p->err.kind);
		nvp_replay_apply(replay, &campaign);
	}
	/* the worker tells how it ended: another drive is a refusal, whatever was found */
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	campaign.shared = shared == MAP_FAILED ? NULL : shared;
	request.ids = campaign.phases & ADMIN_PHASES ? &id_admin : &id;
	request.nr_ids = 1;
	request.campaign = &campaign;
	registry = nvp_registry_new(p->suites, &p->err);
	code = registry ? nvp_run_with(p, registry, &request) : nvp_err_exit_code(p->err.kind);
	if (campaign.shared) {
		if (shared->end == NVP_CAMPAIGN_OTHER_DRIVE)
			code = nvp_worse_exit_code(code, 4);
		munmap(shared, sizeof(*shared));
	}
	nvp_registry_free(registry);
	nvp_replay_free(replay);
	return code;
}
