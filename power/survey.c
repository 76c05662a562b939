// SPDX-License-Identifier: GPL-2.0-or-later
// What a campaign has to know of the drive: its commands, its atomic units, where to write.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "power/engine.h"

#define HOT_BLOCKS	   4096u
#define MOST_BYTES	   65536u /* of an operation */
#define MOST_OP_BLOCKS	   32u
#define FUSES_COMPARE_WRITE 1u
#define FEATURE_ATOMICITY  0x0a
#define CNS_NVM_NS	   0x05 /* Identify Namespace of the NVM Command Set */
#define ELBAF_AT	   12u	/* in it: an entry of 4 bytes for each format */
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

static bool asks_for_the_end(const struct nvp_camp *c)
{
	return c->options->workloads >> NVP_WORKLOAD_REFUSED & 1 &&
	       c->options->working_set == NVP_SET_HOT;
}

/* Is what follows the window no block of the namespace, for as long as the campaign goes on? */
static bool is_at_the_end(const struct nvp_camp *c)
{
	return asks_for_the_end(c) &&
	       c->first_lba + c->facts.nr_blocks == c->identity.nsze_lbas;
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
		if (w == NVP_WORKLOAD_REFUSED && !is_at_the_end(c))
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

enum nvp_oracle_rules nvp_camp_rules(const char *word)
{
	static const char *const words[] = { "client-vwc", "enterprise-plp", "ocp", "raw-spec" };

	for (unsigned i = 0; word && i < NVP_ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i]))
			return (enum nvp_oracle_rules)i;
	return NVP_ORACLE_CLIENT_VWC;
}

/* Choosing a rule set of the data centre asks for strict, unless a policy is named. */
enum nvp_oracle_policy nvp_camp_policy(const struct nvp_campaign_options *o)
{
	enum nvp_oracle_rules rules = nvp_camp_rules(o->rules);

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

/* Guards of 32 or 64 bits, or storage tags (NVM Command Set 1.0, 4.1.5.3; CTRATT bit 15). */
static bool other_guard(struct nvp_camp *c, const struct nvp_facts *facts, const struct nvp_ns *ns)
{
	struct nvp_cmd cmd = nvp_build_identify(CNS_NVM_NS, ns->nsid, 0, 0, 0);
	const uint8_t *format = (const uint8_t *)nvp_buf_data(c->page) + ELBAF_AT +
				4 * ns->id.format_index;
	struct nvp_cpl cpl;

	if (!(facts->ctrl.ctratt >> 15 & 1))
		return false;
	cmd.data = c->page;
	return !nvp_exec_admin(c->drive, &cmd, &cpl) && nvp_cpl_ok(&cpl) &&
	       (format[0] || format[1]);
}

static int take_format(struct nvp_camp *c, const struct nvp_facts *facts, const struct nvp_ns *ns)
{
	c->format = nvp_lb_format_of(ns);
	c->page = nvp_buf_new(c->drive, NVP_IDENTIFY_BYTES);
	if (!c->page)
		return nvp_err_set(c->err, NVP_ERR_BROKEN, -ENOMEM, "memory for a campaign");
	if (!ns->id.lba_bytes || ns->id.metadata_bytes > NVP_LB_META_BYTES)
		return nvp_err_set(c->err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
				   "namespace %u has blocks of %u bytes with %u of metadata: "
				   "a campaign takes up to %u",
				   ns->nsid, ns->id.lba_bytes, ns->id.metadata_bytes,
				   NVP_LB_META_BYTES);
	if (c->format.pi.type && other_guard(c, facts, ns))
		return nvp_err_set(c->err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
				   "namespace %u has protection information of another kind than "
				   "with 16-bit guards", ns->nsid);
	return 0;
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
		.rules = nvp_camp_rules(c->options->rules),
		.policy = nvp_camp_policy(c->options),
	};
	c->facts.write_atomicity_off = atomicity_off(c);
	c->has_dulbe = ns->id.nsfeat >> 2 & 1;
	c->facts.dulbe = c->has_dulbe && nvp_camp_dulbe(c);
}

/* ---- where ---- */

static uint64_t align_to(const struct nvp_camp *c)
{
	uint64_t boundary = c->facts.nsabp && c->facts.nabspf_z ? c->facts.nabspf_z + 1u : 1;

	return nvp_max_u64(boundary, c->most_blocks);
}

/* Hot stays where it is; span and full go over the range in an order that the seed decides. */
void nvp_camp_place_window(struct nvp_camp *c)
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
	if (asks_for_the_end(c))
		c->first_lba = c->range_first + c->range_lbas - c->facts.nr_blocks;
	c->facts.first_lba = c->first_lba;
}

static int choose_window(struct nvp_camp *c, const struct nvp_ns *ns)
{
	const struct nvp_campaign_options *o = c->options;
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);
	uint64_t most = MOST_BYTES;

	if (facts->mdts_bytes)
		most = nvp_min_u64(most, facts->mdts_bytes);
	c->most_blocks = (uint32_t)nvp_min_u64(MOST_OP_BLOCKS, most / nvp_lb_row_bytes(&c->format));
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
	nvp_camp_place_window(c);
	return 0;
}

/* ---- to begin with ---- */

static int get_memory(struct nvp_camp *c)
{
	c->ledger = calloc(c->facts.nr_blocks, sizeof(*c->ledger));
	c->initial = calloc(c->facts.nr_blocks, 1);
	c->flags = calloc(c->facts.nr_blocks, 1);
	c->blocks = calloc(c->facts.nr_blocks, sizeof(*c->blocks));
	if (c->ledger && c->initial && c->flags && c->blocks)
		return 0;
	return nvp_err_set(c->err, NVP_ERR_BROKEN, -ENOMEM, "memory for a campaign");
}

int nvp_camp_look_at_drive(struct nvp_camp *c)
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
	c->nsid = ns->nsid;
	rc = take_format(c, facts, ns);
	if (rc)
		return rc;
	take_facts(c, facts, ns);
	nvp_camp_identity_take(c, &c->identity);
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
	if (c->phases && c->workloads)
		return 0;
	nvp_err_set(c->err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
		    "the drive has not the commands of any %s asked for",
		    c->phases ? "workload" : "phase");
	if (c->options->workloads >> NVP_WORKLOAD_REFUSED & 1)
		nvp_err_advice(c->err, "workload refused needs a range that ends with the namespace, "
				       "and --set hot");
	return -EOPNOTSUPP;
}
