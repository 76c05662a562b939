// SPDX-License-Identifier: GPL-2.0-or-later
// A campaign inside a case: findings become checks and events, its end becomes the verdict.

#include <nvproof/power.h>
#include <nvproof/power_stats.h>

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/run/powerloss.h"

#define TOLD_MOST 200u	 /* findings that are checks; the rest is counted */
#define EVENTS_MOST 2000u /* cycles that are events, if nothing is found in them */
#define SURE_LOSSES 10u	 /* cycles where loss was possible: then it ought to have been seen */

struct teller {
	struct nvp_t *t;
	const char *file;
	int line;
	const struct nvp_campaign_options *options;
	unsigned told, warned, events;
	struct nvp_stats *stats; /* NULL: no memory for it */
	bool any; /* fail so far */
	uint8_t class_id; /* of the first fail of the latest cycle with one */
	uint32_t kept; /* bit n: a cycle of class n was kept */
	uint32_t cycle; /* that one */
};

/* ---- where a rule stands: "NVM Command Set 1.0, 2.1.4.2.1" in its parts ---- */

struct source {
	char text[120];
	struct nvp_basis basis;
};

static const struct nvp_basis *basis_of(const struct teller *teller,
					const struct nvp_campaign_finding *f, struct source *s)
{
	char *comma, *space;

	s->basis = (struct nvp_basis){ .authority = NVP_BY_SPEC };
	if (f->said_by == 1) {
		s->basis.authority = NVP_BY_CLAIM;
		s->basis.words = teller->options->rules ? teller->options->rules : "the user's";
		return &s->basis;
	}
	if (f->said_by == 2) {
		/* a rule set of the data centre asks for strict without naming a policy */
		s->basis.authority = teller->t->policy ? NVP_BY_POLICY : NVP_BY_CLAIM;
		s->basis.words = teller->t->policy ? teller->t->policy : teller->options->rules;
		if (!s->basis.words)
			s->basis.words = teller->options->policy;
		return &s->basis;
	}
	snprintf(s->text, sizeof(s->text), "%s", f->source);
	comma = strchr(s->text, ',');
	if (!comma)
		return NULL;
	*comma = '\0';
	space = strrchr(s->text, ' ');
	s->basis.spec.document = s->text;
	s->basis.spec.revision = space ? space + 1 : "";
	if (space)
		*space = '\0';
	s->basis.spec.section = comma + 1 + (comma[1] == ' ');
	return &s->basis;
}

/* ---- events ---- */

static void send(struct teller *teller, enum nvp_event_type type, struct nvp_text *members)
{
	struct nvp_t *t = teller->t;

	t->out->event(t->out->context, type, nvp_t_now_ns(t), nvp_text_str(members), false);
	nvp_text_free(members);
}

static void finding_event(struct teller *teller, const struct nvp_campaign_finding *f)
{
	static const char *const severities[] = { "none", "note", "warning", "fail", "invalid" };
	struct nvp_text members = { 0 };

	nvp_json_string(&members, "class", f->class_name);
	nvp_json_string(&members, "text", f->text);
	nvp_json_u64(&members, "count", f->count);
	if (f->lba != UINT64_MAX)
		nvp_json_big(&members, "lba", f->lba);
	nvp_json_u64(&members, "nsid", f->nsid);
	nvp_json_u64(&members, "cycle", f->cycle);
	nvp_json_string(&members, "phase", nvp_phase_name(f->phase));
	nvp_json_string(&members, "workload", nvp_workload_name(f->workload));
	nvp_json_string(&members, "severity", severities[f->severity < 5 ? f->severity : 0]);
	nvp_json_string(&members, "source", f->source);
	send(teller, NVP_EVENT_FINDING, &members);
}

/* The severity is the oracle's: what is a fail there fails the case, whoever says it. */
static void take_finding(void *context, const struct nvp_campaign_finding *f)
{
	struct teller *teller = context;
	struct source source;

	if (f->severity == 3 && (!teller->any || f->cycle != teller->cycle)) {
		teller->any = true;
		teller->class_id = f->class_id;
		teller->cycle = f->cycle;
	}
	if (f->severity == 3 && teller->told++ < TOLD_MOST) {
		finding_event(teller, f);
		nvp_check_at(teller->t, teller->file, teller->line, false, false,
			     basis_of(teller, f, &source), "every block holds what it may hold",
			     "cycle %u, %s, %s: %s: %s", f->cycle, nvp_phase_name(f->phase),
			     nvp_workload_name(f->workload), f->class_name, f->text);
	} else if (f->severity != 3 && teller->warned++ < TOLD_MOST) {
		finding_event(teller, f);
		nvp_warn(teller->t, "cycle %u, %s, %s: %s: %s", f->cycle,
			 nvp_phase_name(f->phase), nvp_workload_name(f->workload), f->class_name,
			 f->text);
	}
}

static void take_cycle(void *context, const struct nvp_campaign_cycle *cycle)
{
	struct teller *teller = context;
	struct nvp_text members = { 0 };

	if (teller->stats)
		nvp_stats_add(teller->stats, cycle);
	if (!cycle->fails && cycle->confirmed && teller->events++ >= EVENTS_MOST)
		return;
	nvp_json_string(&members, "action", teller->options->resets ? "reset" : "cut");
	nvp_json_string(&members, "state", cycle->confirmed ? "confirmed" : "not confirmed");
	nvp_json_u64(&members, "cycle", cycle->cycle);
	nvp_json_string(&members, "phase", nvp_phase_name(cycle->phase));
	nvp_json_string(&members, "workload", nvp_workload_name(cycle->workload));
	nvp_json_big(&members, "offset_ns", cycle->offset_ns);
	nvp_json_u64(&members, "late_acks", cycle->late_acks);
	nvp_json_u64(&members, "fails", cycle->fails);
	send(teller, NVP_EVENT_POWER, &members);
}

/* The first cycle of each class is kept. */
static void take_failed(void *context, const struct nvp_failed_cycle *failed)
{
	struct teller *teller = context;

	if (teller->kept >> teller->class_id & 1)
		return;
	teller->kept |= 1u << teller->class_id;
	nvp_powerloss_keep(teller->t, teller->options, failed, teller->cycle, teller->class_id);
}

static void take_note(void *context, bool warning, const char *text)
{
	struct teller *teller = context;

	nvp_t_event_note(teller->t, warning ? "warning" : "note", text);
}

/* ---- the verdict ---- */

static void measures(struct nvp_t *t, const struct nvp_campaign_result *r)
{
	nvp_measure(t, "cycles", r->cycles, "cycles");
	nvp_measure(t, "confirmed", r->confirmed, "cycles");
	nvp_measure(t, "late acknowledgements", r->late_acks, "operations");
	nvp_measure(t, "operations", (double)r->issued, "operations");
	nvp_measure(t, "blocks read", (double)r->blocks_read, "blocks");
	nvp_measure(t, "loss possible", r->could_lose, "cycles");
	nvp_measure(t, "loss seen", r->lost, "cycles");
	if (r->admin)
		nvp_measure(t, "cuts inside an admin command", r->admin_inside, "cycles");
}

static void table(struct teller *teller)
{
	struct nvp_text text = { 0 }, data = { 0 };

	if (!teller->stats)
		return;
	nvp_stats_text(teller->stats, &text);
	nvp_json_begin(&data, NULL, '{');
	nvp_stats_json(teller->stats, &data);
	nvp_json_end(&data, '}');
	if (text.length)
		nvp_t_event_table(teller->t, "power loss", nvp_text_str(&text),
				  nvp_text_str(&data));
	nvp_text_free(&text);
	nvp_text_free(&data);
}

/* Where unflushed data could be lost often and never was, the rig is too slow or the drive kind. */
static void controls(const struct teller *teller, const struct nvp_campaign_result *r)
{
	static const struct nvp_basis complete = {
		.authority = NVP_BY_SPEC,
		.spec = { .document = "NVMe Base", .revision = "2.0", .section = "3.6" },
	};

	if (r->clean)
		nvp_check_at(teller->t, teller->file, teller->line, false, !r->clean_lost,
			     &complete, "nothing is lost after a complete shutdown",
			     "%u of %u clean power-offs lost something", r->clean_lost, r->clean);
	if (r->could_lose >= SURE_LOSSES && !r->lost)
		nvp_note(teller->t,
			 "positive control: in %u cycles unflushed data could be lost, and none "
			 "was: the drive protects its cache, or its supply goes too slowly",
			 r->could_lose);
}

static void by_end(const struct teller *teller, const struct nvp_campaign_result *r,
		   const struct nvp_err *err)
{
	char text[400];

	switch (r->end) {
	case NVP_CAMPAIGN_OTHER_DRIVE:
		nvp_broken_at(teller->t, teller->file, teller->line, "refused: %s",
			      nvp_err_text(err, text, sizeof(text)));
		return;
	case NVP_CAMPAIGN_RIG:
		nvp_broken_at(teller->t, teller->file, teller->line,
			      "the supply did not go in 3 cycles: the relay switches nothing");
		return;
	case NVP_CAMPAIGN_ERROR:
		nvp_err_text(err, text, sizeof(text));
		if (err->kind == NVP_ERR_UNSUPPORTED || err->kind == NVP_ERR_DENIED)
			nvp_skip_at(teller->t, teller->file, teller->line, "%s", text);
		else
			nvp_broken_at(teller->t, teller->file, teller->line, "%s", text);
		return;
	case NVP_CAMPAIGN_ASKED:
		snprintf(text, sizeof(text),
			 "interrupted after %u of %u cycles: go on with --resume %s", r->cycles,
			 teller->options->cycles, teller->t->dir ? teller->t->dir : "DIR");
		if (r->fails)
			nvp_note(teller->t, "%s", text);
		else
			nvp_broken_at(teller->t, teller->file, teller->line, "%s", text);
		return;
	default:
		break;
	}
	if (r->confirmed * 2 < r->cycles)
		nvp_broken_at(teller->t, teller->file, teller->line,
			      "%u of %u cuts were confirmed: fewer than half", r->confirmed,
			      r->cycles);
}

/* A real drive in a run without a relay: nothing is wrong, there is only nothing to cut with. */
static bool can_cut(const struct nvp_t *t, const struct nvp_campaign_options *options)
{
	return options->resets || options->relay ||
	       nvp_drive_path(t->rig.drive) & NVP_PATH_SIMULATED;
}

void nvp_powerloss_at(struct nvp_t *t, const char *file, int line,
		      const struct nvp_campaign_options *options,
		      struct nvp_campaign_result *result)
{
	struct teller teller = { .t = t, .file = file, .line = line };
	struct nvp_campaign_options o = *options;
	const struct nvp_campaign_out out = {
		.context = &teller, .finding = take_finding, .cycle = take_cycle,
		.note = take_note, .failed = take_failed,
	};
	struct nvp_campaign_result here;
	struct nvp_err err = { 0 };
	char journal[PATH_MAX + 32];

	if (!can_cut(t, options)) {
		nvp_skip_at(t, file, line, "no relay switches the supply of this drive");
		return;
	}
	if (o.journal && !o.journal[0]) {
		snprintf(journal, sizeof(journal), "%s/journal.bin", t->dir ? t->dir : ".");
		o.journal = journal;
	}
	if (!result)
		result = &here;
	if (!o.seed)
		o.seed = t->rig.seed;
	if (!o.policy)
		o.policy = t->policy;
	o.end_asked = nvp_t_rig(t)->end_asked;
	teller.options = &o;
	teller.stats = nvp_stats_new();
	nvp_campaign_run(t->rig.drive, &o, &out, result, &err);
	measures(t, result);
	table(&teller);
	nvp_stats_free(teller.stats);
	if (result->cycles && !result->fails)
		nvp_check_at(t, file, line, false, true, NULL,
			     "every block holds what it may hold",
			     "%u cycles, %u confirmed, %" PRIu64 " blocks read", result->cycles,
			     result->confirmed, result->blocks_read);
	controls(&teller, result);
	by_end(&teller, result, &err);
	if (o.shared)
		*o.shared = *result;
}
