// SPDX-License-Identifier: GPL-2.0-or-later
// A campaign: what is needed for it, its cycles, and when it stops.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "power/engine.h"

#define DEFAULT_CYCLES	   20u
#define DEFAULT_OFF_NS	   (100 * NVP_NS_PER_MS)
#define DEFAULT_SCRUB	   100u
#define DEFAULT_VOLATILE   1000000u
#define RIG_FAILURES	   3u

/* ---- to begin with ---- */

/* Unique for each campaign on a drive, and the same again for the same drive and seed. */
static int name_run(struct nvp_camp *c)
{
	int rc = nvp_camp_counters_take(c, &c->counters);

	c->run = nvp_rand(c->seed, c->identity.sn, c->counters.power_cycles,
			  c->counters.data_units_written);
	return rc ? nvp_camp_door(c, rc, "the SMART log") : 0;
}

static int get_relay(struct nvp_camp *c)
{
	const char *address = c->options->relay;

	if (c->options->resets)
		return 0;
	if (!address && nvp_drive_path(c->drive) & NVP_PATH_SIMULATED)
		address = "sim";
	if (!address) {
		nvp_err_set(c->err, NVP_ERR_USAGE, -EINVAL,
			    "cutting the supply of a real drive needs a relay");
		nvp_err_advice(c->err, "give the one that its supply hangs on: --relay ADDR");
		return -EINVAL;
	}
	c->relay = nvp_relay_open(address, c->drive, c->err);
	return c->relay ? 0 : -EINVAL;
}

static int get_journal(struct nvp_camp *c)
{
	struct nvp_journal_begin begin = {
		.run = c->run, .seed = c->seed, .nsid = c->nsid, .lba_bytes = c->format.lba_bytes,
		.first_lba = c->first_lba, .facts = c->facts,
		.first_cycle = c->first_after, .first_seq = c->seq,
		.nsze_lbas = c->identity.nsze_lbas,
		.format = {
			.metadata_bytes = c->format.pi.meta_bytes, .extended = c->format.extended,
			.pi_type = c->format.pi.type, .pi_first = c->format.pi.first,
		},
	};

	if (!c->options->journal)
		return 0;
	memcpy(begin.serial, c->identity.sn, sizeof(begin.serial));
	memcpy(begin.model, c->identity.mn, sizeof(begin.model));
	memcpy(begin.firmware, c->identity.fr, sizeof(begin.firmware));
	c->journal = nvp_journal_new(c->options->journal, &begin, c->options->journal_sync, c->err);
	return c->journal ? 0 : -EIO;
}

/* ---- the window, filled and known ---- */

/* A history of its own, which nobody asks. */
static int fill(struct nvp_camp *c)
{
	struct nvp_op op = { .kind = NVP_ORACLE_WRITE };
	uint32_t block = 0;
	int rc = 0;

	while (!rc && block < c->facts.nr_blocks) {
		uint32_t nr = (uint32_t)nvp_min_u64(c->most_blocks, c->facts.nr_blocks - block);

		op.block = block;
		op.nlb_z = (uint16_t)(nr - 1);
		rc = nvp_camp_post(c, &op);
		if (!rc)
			block += nr;
		if (!rc || rc == -ENOSPC)
			rc = nvp_camp_ring(c, 0);
		if (!rc && c->nr_busy >= c->queue[0].depth)
			rc = nvp_camp_drain(c);
	}
	op = (struct nvp_op){ .kind = NVP_ORACLE_FLUSH };
	if (!rc)
		rc = nvp_camp_drain(c);
	if (!rc)
		rc = nvp_camp_post(c, &op);
	if (!rc)
		rc = nvp_camp_ring(c, 0);
	return rc ? rc : nvp_camp_drain(c);
}

static int check_filled(struct nvp_camp *c)
{
	for (uint32_t i = 0; i < c->nr_ops; i++) {
		const struct nvp_history_op *h = &c->ops[i];

		if (h->op.kind != NVP_ORACLE_WRITE)
			continue;
		for (uint32_t b = h->op.block; b <= h->op.block + h->op.nlb_z; b++)
			if (c->ledger[b] != nvp_version(NVP_VERSION_STAMP, c->seq + i))
				return nvp_err_set(
					c->err, NVP_ERR_BROKEN, -EILSEQ,
					"LBA %llu does not hold what was written before any cut",
					(unsigned long long)(c->first_lba + b));
	}
	return 0;
}

static int fill_and_learn(struct nvp_camp *c)
{
	struct nvp_journal *journal = c->journal;
	int rc;

	c->journal = NULL;
	c->plan = (struct nvp_camp_plan){ .queues = 1, .depth = 32, .reset = NVP_NR_RESETS };
	c->tick = 0;
	c->nr_ops = c->nr_rung = 0;
	c->cut_done = false;
	c->cut_ns = UINT64_MAX;
	c->oracle = nvp_oracle_new(&c->facts, NULL);
	rc = c->oracle ? nvp_camp_queues_make(c) : -ENOMEM;
	if (!rc)
		rc = fill(c);
	if (rc && !c->err->code)
		nvp_camp_door(c, rc, "filling the range");
	nvp_oracle_free(c->oracle);
	c->oracle = NULL;
	if (!rc)
		rc = nvp_camp_learn(c);
	if (!rc)
		rc = check_filled(c);
	c->seq += c->nr_ops;
	c->nr_ops = c->nr_rung = 0;
	c->journal = journal;
	return rc;
}

/* What the window holds, for those who go on from the journal alone. */
int nvp_camp_journal_window(struct nvp_camp *c)
{
	struct nvp_journal_settled *all;
	int rc;

	if (!c->journal)
		return 0;
	all = malloc(c->facts.nr_blocks * sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (uint32_t b = 0; b < c->facts.nr_blocks; b++)
		all[b] = (struct nvp_journal_settled){ b, c->ledger[b] };
	rc = nvp_journal_settled(c->journal, all, c->facts.nr_blocks);
	free(all);
	return rc;
}

static int set_up(struct nvp_camp *c)
{
	int rc = nvp_camp_look_at_drive(c);

	if (!rc)
		rc = get_relay(c);
	if (!rc)
		rc = name_run(c);
	if (!rc && c->options->resume)
		rc = nvp_camp_resume(c);
	if (!rc && c->first_after)
		nvp_camp_place_window(c);
	if (!rc)
		rc = get_journal(c);
	if (!rc)
		rc = nvp_camp_canaries_learn(c);
	if (!rc)
		rc = fill_and_learn(c);
	return rc ? rc : nvp_camp_journal_window(c);
}

static void tear_down(struct nvp_camp *c)
{
	nvp_camp_queues_drop(c);
	for (unsigned i = 0; i < NVP_CAMP_SLOTS; i++)
		nvp_lb_buf_free(&c->slot[i].buf);
	nvp_buf_free(c->page);
	nvp_buf_free(c->firmware.image);
	nvp_relay_close(c->relay);
	nvp_journal_close(c->journal);
	nvp_camp_past_forget(c);
	free(c->ledger);
	free(c->initial);
	free(c->flags);
	free(c->blocks);
	free(c->ops);
}

/* ---- the cycles ---- */

static void add_up(struct nvp_camp *c)
{
	struct nvp_campaign_result *r = c->result;
	bool lost = c->record.classes[NVP_CLASS_OK_VOLATILE_LOSS];

	r->cycles++;
	r->confirmed += c->record.confirmed;
	r->admin += c->record.of_admin;
	r->admin_inside += c->record.inside;
	for (unsigned i = 0; i < NVP_CAMPAIGN_CLASSES; i++)
		r->classes[i] += c->record.classes[i];
	if (!c->record.confirmed)
		return;
	if (c->record.clean) {
		r->clean++;
		r->clean_lost += lost || c->record.classes[NVP_CLASS_LOST_SHUTDOWN];
	} else if (c->record.can_lose) {
		r->could_lose++;
		r->lost += lost;
	}
}

static bool end_asked(const struct nvp_camp *c)
{
	return c->options->end_asked && __atomic_load_n(c->options->end_asked, __ATOMIC_RELAXED);
}

/* True: the campaign ends here. */
static bool stop(struct nvp_camp *c, int rc)
{
	struct nvp_campaign_result *r = c->result;

	if (rc == -EXDEV)
		r->end = NVP_CAMPAIGN_OTHER_DRIVE;
	else if (rc && c->err->code)
		r->end = NVP_CAMPAIGN_ERROR;
	else if (rc)
		r->end = NVP_CAMPAIGN_DEAD;
	else if (c->rig_failures >= RIG_FAILURES)
		r->end = NVP_CAMPAIGN_RIG;
	else if (r->fails && c->options->stop_on_fail)
		r->end = NVP_CAMPAIGN_STOPPED;
	else if (end_asked(c) && c->cycle + 1 - c->options->first_cycle < c->options->cycles)
		r->end = NVP_CAMPAIGN_ASKED;
	else
		return false;
	return true;
}

/* What was formatted or sanitized is filled as at the beginning. */
static int prepare(struct nvp_camp *c)
{
	uint64_t before = c->first_lba;
	int rc = 0;

	if (c->options->working_set != NVP_SET_HOT)
		nvp_camp_place_window(c);
	if (c->first_lba == before && !c->refill)
		return 0;
	nvp_camp_past_forget(c);
	if (c->refill)
		rc = nvp_camp_canaries_learn(c);
	else
		rc = nvp_camp_canaries_left(c, before);
	c->refill = false;
	if (!rc)
		rc = fill_and_learn(c);
	return rc ? rc : nvp_camp_journal_window(c);
}

static void count(struct nvp_camp *c)
{
	add_up(c);
	if (c->out && c->out->cycle)
		c->out->cycle(c->out->context, &c->record);
}

static void cycles(struct nvp_camp *c)
{
	const struct nvp_campaign_options *o = c->options;
	int rc = 0;

	if (c->resumed) {
		count(c);
		if (stop(c, 0))
			return;
	}
	for (uint32_t i = 0; i < o->cycles; i++) {
		c->cycle = o->first_cycle + i;
		if (c->cycle < c->first_after) /* proven already */
			continue;
		c->record = (struct nvp_campaign_cycle){ .cycle = c->cycle };
		if (i && c->cycle > c->first_after)
			rc = prepare(c);
		nvp_camp_plan_cycle(c);
		if (!rc)
			rc = nvp_camp_cycle(c);
		count(c);
		if (stop(c, rc))
			return;
	}
}

static struct nvp_campaign_options with_defaults(const struct nvp_campaign_options *options)
{
	struct nvp_campaign_options o = *options;

	if (!o.cycles)
		o.cycles = DEFAULT_CYCLES;
	if (!o.off_ns)
		o.off_ns = DEFAULT_OFF_NS;
	if (!o.scrub)
		o.scrub = DEFAULT_SCRUB;
	if (!o.max_volatile)
		o.max_volatile = DEFAULT_VOLATILE;
	if (o.replay)
		o.cycles = nvp_replay_cycles(o.replay);
	return o;
}

int nvp_campaign_run(struct nvp_drive *drive, const struct nvp_campaign_options *options,
		     const struct nvp_campaign_out *out, struct nvp_campaign_result *result,
		     struct nvp_err *err)
{
	const struct nvp_campaign_options o = with_defaults(options);
	struct nvp_camp *c = calloc(1, sizeof(*c));
	uint64_t begin_ns;
	int rc;

	*result = (struct nvp_campaign_result){ .end = NVP_CAMPAIGN_ERROR };
	if (!c)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "memory for a campaign");
	c->drive = drive;
	c->clock = nvp_drive_clock(drive);
	c->options = &o;
	c->out = out;
	c->result = result;
	c->err = err;
	c->seed = o.seed;
	c->seq = 1;
	c->cycle = o.first_cycle;
	begin_ns = nvp_camp_now(c);
	rc = set_up(c);
	if (!rc) {
		result->end = NVP_CAMPAIGN_DONE;
		cycles(c);
	}
	result->drive_ns = nvp_camp_now(c) - begin_ns;
	tear_down(c);
	free(c);
	return err->code;
}
