// SPDX-License-Identifier: GPL-2.0-or-later
// Power loss: metadata and protection information stay with the data that they were written with.

#include "cases/powerloss.h"
#include "cases/protection.h"

#define LBAS 8u

static bool flushed(struct nvp_t *t, const struct prot *p, const struct prot_blocks *b)
{
	return prot_all(t, p, b, NVP_IO_WRITE, 0) && powerloss_flush(t, p->region.nsid);
}

/*
 * NVM 2.1.4, 5.2: a block and its metadata are written as one, and a Flush makes both durable. So
 * after a cut it is the last metadata that lies beside the last data, byte by byte.
 */
static void metadata_survives(struct nvp_t *t)
{
	struct prot_blocks old, new, seen;
	struct prot p;

	if (!prot_new(t, &p, LBAS, false) || !prot_blocks_new(t, &p, &old) ||
	    !prot_blocks_new(t, &p, &new) || !prot_blocks_new(t, &p, &seen))
		return;
	prot_fill(t, &p, &old, "old");
	prot_fill(t, &p, &new, "new");
	if (!flushed(t, &p, &old) || !flushed(t, &p, &new) || !powerloss_cut(t) ||
	    !prot_all(t, &p, &seen, NVP_IO_READ, 0))
		return;
	prot_equal(t, &p, &seen, &new);
}

/* The same while blocks are being written: each has both of one version. */
static void metadata_is_not_torn(struct nvp_t *t)
{
	const struct nvp_campaign_options options = {
		.cycles = 24,
		.phases = 1u << NVP_PHASE_WRITES,
		.workloads = 1u << NVP_WORKLOAD_MIXED | 1u << NVP_WORKLOAD_ATOMIC |
			     1u << NVP_WORKLOAD_FUA,
	};
	struct nvp_campaign_result result;

	if (!nvp_t_ns(t)->id.metadata_bytes)
		nvp_skip(t, "the namespace under test has no metadata");
	nvp_check_powerloss(t, &options, &result);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "powerloss.metadata-survives",
		.title = "After a power cut durable blocks have the metadata of their last write",
		.spec = { "NVM Command Set", "1.0", "2.1.4", NULL },
		.needs = POWERLOSS_NEEDS,
		.impact = POWERLOSS_IMPACT,
		.time_class = NVP_TIME_POWER,
		.catches = NVP_LIST("cut-tears-metadata", "cut-unmaps-metadata"),
		.run = metadata_survives,
	}, {
		NVP_CASE,
		.id = "powerloss.metadata-is-not-torn",
		.title = "Power cut while blocks are written: data and metadata of one version",
		.spec = { "NVM Command Set", "1.0", "2.1.4", NULL },
		.needs = POWERLOSS_NEEDS,
		.impact = POWERLOSS_IMPACT,
		.time_class = NVP_TIME_POWER,
		.wall_budget_s = 120,
		.catches = NVP_LIST("cut-tears-metadata", "cut-tears-metadata-in-flight",
				    "cut-unmaps-metadata"),
		.run = metadata_is_not_torn,
	},
};

NVP_SUITE(powerloss_metadata, cases);
