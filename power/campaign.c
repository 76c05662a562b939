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
#define HOT_BLOCKS	   4096u
#define MOST_BYTES	   65536u /* of an operation */
#define MOST_OP_BLOCKS	   32u
#define RIG_FAILURES	   3u
#define FUSES_COMPARE_WRITE 1u
#define FEATURE_ATOMICITY  0x0a
#define MOVE_EVERY	   10u /* cycles of a span: then the window goes elsewhere */

/* ---- what the drive can ---- */

static uint32_t kinds_of(const struct nvp_camp *c, const struct nvp_facts *facts)
{
	uint32_t kinds = 1u << NVP_ORACLE_WRITE | 1u << NVP_ORACLE_FLUSH |
			 1u << NVP_ORACLE_READ_FUA;
	uint16_t oncs = facts->ctrl.oncs;

	if (c->facts.vwc)
		kinds |= 1u << NVP_ORACLE_CACHE_OFF;
	if (oncs & 1u << 0 && facts->ctrl.fuses & FUSES_COMPARE_WRITE)
		kinds |= 1u << NVP_ORACLE_COMPARE_WRITE;
	if (oncs & 1u << 1)
		kinds |= 1u << NVP_ORACLE_WRITE_UNCORRECTABLE;
	if (oncs & 1u << 2)
		kinds |= 1u << NVP_ORACLE_DEALLOCATE;
	if (oncs & 1u << 3)
		kinds |= 1u << NVP_ORACLE_WRITE_ZEROES;
	if (oncs & 1u << 8 && c->copy_blocks)
		kinds |= 1u << NVP_ORACLE_COPY;
	return kinds;
}

static uint32_t workloads_of(const struct nvp_camp *c)
{
	uint32_t asked = c->options->workloads, can = 0;

	for (unsigned w = 0; w < NVP_NR_WORKLOADS; w++) {
		uint32_t needs = nvp_workload_needs((enum nvp_workload)w);

		if (asked && !(asked >> w & 1))
			continue;
		if ((needs & c->kinds) != needs)
			continue;
		if (w == NVP_WORKLOAD_BOUNDARY && !(c->facts.nsabp && c->facts.nabspf_z))
			continue;
		can |= 1u << w;
	}
	return can;
}

static const struct nvp_ns *find_ns(const struct nvp_facts *facts, uint32_t nsid)
{
	for (unsigned i = 0; i < facts->nr_ns; i++)
		if (!nsid || facts->ns[i].nsid == nsid)
			return &facts->ns[i];
	return NULL;
}

static enum nvp_oracle_rules rules_of(const char *word)
{
	static const char *const words[] = { "client-vwc", "enterprise-plp", "ocp", "raw-spec" };

	for (unsigned i = 0; word && i < NVP_ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i]))
			return (enum nvp_oracle_rules)i;
	return NVP_ORACLE_CLIENT_VWC;
}

/* Choosing a rule set of the data centre asks for strict, unless a policy is named. */
static enum nvp_oracle_policy policy_of(const struct nvp_campaign_options *o)
{
	enum nvp_oracle_rules rules = rules_of(o->rules);

	if (o->policy)
		return !strcmp(o->policy, "strict") ? NVP_ORACLE_STRICT :
		       !strcmp(o->policy, "sane")   ? NVP_ORACLE_SANE :
						      NVP_ORACLE_SPEC;
	return rules == NVP_ORACLE_ENTERPRISE_PLP || rules == NVP_ORACLE_OCP ?
		       NVP_ORACLE_STRICT :
		       NVP_ORACLE_SPEC;
}

static bool atomicity_off(struct nvp_camp *c)
{
	struct nvp_cmd cmd = nvp_build_get_features(FEATURE_ATOMICITY, 0, 0, 0);
	struct nvp_cpl cpl;

	return !nvp_exec_admin(c->drive, &cmd, &cpl) && nvp_cpl_ok(&cpl) && cpl.dw0 & 1;
}

static void take_facts(struct nvp_camp *c, const struct nvp_facts *facts, const struct nvp_ns *ns)
{
	c->facts = (struct nvp_oracle_facts){
		.awun_z = facts->ctrl.awun_z,
		.awupf_z = facts->ctrl.awupf_z,
		.acwu_z = facts->ctrl.acwu_z,
		.nawun_z = ns->id.nawun_z,
		.nawupf_z = ns->id.nawupf_z,
		.nacwu_z = ns->id.nacwu_z,
		.nabsn_z = ns->id.nabsn_z,
		.nabo = ns->id.nabo,
		.nabspf_z = ns->id.nabspf_z,
		.nsabp = ns->id.nsfeat >> 1 & 1,
		.vwc = facts->ctrl.vwc & 1,
		.wce = facts->ctrl.vwc & 1,
		.dlfeat = ns->id.dlfeat,
		.rules = rules_of(c->options->rules),
		.policy = policy_of(c->options),
	};
	c->facts.write_atomicity_off = atomicity_off(c);
}

/* ---- where ---- */

static uint64_t align_to(const struct nvp_camp *c)
{
	uint64_t boundary = c->facts.nsabp && c->facts.nabspf_z ? c->facts.nabspf_z + 1u : 1;

	return nvp_max_u64(boundary, c->most_blocks);
}

/* Hot stays where it is; span and full go over the range in an order that the seed decides. */
static void place_window(struct nvp_camp *c)
{
	uint64_t step = (c->facts.nr_blocks + align_to(c) - 1) / align_to(c) * align_to(c);
	uint64_t nr = c->range_lbas / step, every = MOVE_EVERY, at = 0;

	if (c->options->working_set == NVP_SET_FULL)
		every = 1;
	if (c->options->working_set != NVP_SET_HOT && nr > 1)
		at = nvp_rand_permute(c->seed, c->cycle / every % nr, nr);
	else if (!c->options->nr_lbas && nr > 3)
		at = nr / 3; /* room for canaries on both sides */
	c->first_lba = c->range_first + at * step;
	c->facts.first_lba = c->first_lba;
}

static int choose_window(struct nvp_camp *c, const struct nvp_ns *ns)
{
	const struct nvp_campaign_options *o = c->options;
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);
	uint64_t most = MOST_BYTES;

	if (facts->mdts_bytes)
		most = nvp_min_u64(most, facts->mdts_bytes);
	c->most_blocks = (uint32_t)nvp_min_u64(MOST_OP_BLOCKS, most / c->lba_bytes);
	c->range_first = o->nr_lbas ? o->first_lba : 0;
	c->range_lbas = o->nr_lbas ? o->nr_lbas : ns->id.nsze_lbas;
	if (c->range_first > ns->id.nsze_lbas ||
	    c->range_lbas > ns->id.nsze_lbas - c->range_first)
		return nvp_err_set(c->err, NVP_ERR_USAGE, -EINVAL,
				   "range of %llu blocks from LBA %llu: namespace %u has %llu",
				   (unsigned long long)c->range_lbas,
				   (unsigned long long)c->range_first, ns->nsid,
				   (unsigned long long)ns->id.nsze_lbas);
	c->facts.nr_blocks = (uint32_t)nvp_min_u64(HOT_BLOCKS, c->range_lbas);
	if (!o->nr_lbas && c->range_lbas / 2 < c->facts.nr_blocks)
		c->facts.nr_blocks = (uint32_t)(c->range_lbas / 2);
	if (c->most_blocks > c->facts.nr_blocks / 4)
		c->most_blocks = c->facts.nr_blocks / 4;
	if (!c->most_blocks)
		return nvp_err_set(c->err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
				   "a range of %u blocks is too small", c->facts.nr_blocks);
	c->copy_blocks = ns->id.mssrl_lbas;
	if (ns->id.mcl_lbas < c->copy_blocks)
		c->copy_blocks = (uint16_t)ns->id.mcl_lbas;
	place_window(c);
	return 0;
}

/* ---- to begin with ---- */

static int get_memory(struct nvp_camp *c)
{
	c->ledger = calloc(c->facts.nr_blocks, sizeof(*c->ledger));
	c->initial = calloc(c->facts.nr_blocks, 1);
	c->flags = calloc(c->facts.nr_blocks, 1);
	c->blocks = calloc(c->facts.nr_blocks, sizeof(*c->blocks));
	c->page = nvp_buf_new(c->drive, nvp_max_u64(c->lba_bytes, 4096));
	if (c->ledger && c->initial && c->flags && c->blocks && c->page)
		return 0;
	return nvp_err_set(c->err, NVP_ERR_BROKEN, -ENOMEM, "memory for a campaign");
}

static int look_at_drive(struct nvp_camp *c)
{
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);
	const struct nvp_ns *ns = find_ns(facts, c->options->nsid);
	int rc;

	if (!ns)
		return nvp_err_set(c->err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
				   "the drive has no such namespace");
	if (!(nvp_drive_path(c->drive) & NVP_PATH_QUEUES))
		return nvp_err_set(c->err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
				   "this way to the drive has no queues of our own");
	if (!ns->id.lba_bytes || ns->id.metadata_bytes)
		return nvp_err_set(c->err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
				   "namespace %u has %u bytes of metadata with each block: "
				   "a campaign wants none",
				   ns->nsid, ns->id.metadata_bytes);
	c->nsid = ns->nsid;
	c->lba_bytes = ns->id.lba_bytes;
	take_facts(c, facts, ns);
	rc = choose_window(c, ns);
	if (rc)
		return rc;
	rc = get_memory(c);
	if (rc)
		return rc;
	c->kinds = kinds_of(c, facts);
	c->phases = nvp_camp_phases(c);
	c->workloads = workloads_of(c);
	c->result->skipped_phases = c->options->phases & ~c->phases;
	c->result->skipped_workloads = c->options->workloads & ~c->workloads;
	nvp_camp_identity_take(c, &c->identity);
	if (!c->phases || !c->workloads)
		return nvp_err_set(c->err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
				   "the drive has not the commands of any %s asked for",
				   c->phases ? "workload" : "phase");
	return 0;
}

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
		.run = c->run, .seed = c->seed, .nsid = c->nsid, .lba_bytes = c->lba_bytes,
		.first_lba = c->first_lba, .facts = c->facts,
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
	int rc = look_at_drive(c);

	if (!rc)
		rc = get_relay(c);
	if (!rc)
		rc = name_run(c);
	if (!rc && c->options->resume)
		rc = nvp_camp_resume(c);
	if (!rc && c->first_after)
		place_window(c);
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
		nvp_buf_free(c->slot[i].data);
	nvp_buf_free(c->page);
	nvp_relay_close(c->relay);
	nvp_journal_close(c->journal);
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
		place_window(c);
	if (c->first_lba == before && !c->refill)
		return 0;
	if (c->refill)
		rc = nvp_camp_canaries_learn(c);
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
		o.cycles = 1;
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
