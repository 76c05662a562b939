// SPDX-License-Identifier: GPL-2.0-or-later
// The failure classes: names, where their rules stand, and those that need no history.

#include "power/judge.h"

static const struct {
	const char *name, *source;
} classes[NVP_NR_CLASSES] = {
	[NVP_CLASS_OK] = { "OK", "" },
	[NVP_CLASS_OK_VOLATILE_LOSS] = { "OK_VOLATILE_LOSS", "NVM Command Set 1.0, 2.1.4.2.1" },
	[NVP_CLASS_MIX] = { "MIX", "NVM Command Set 1.0, 2.1.4.2" },
	[NVP_CLASS_PARTIAL_CACHED] = { "PARTIAL_CACHED",
				       "policy: atomic units hold in the cache too" },
	[NVP_CLASS_LATE_UNMAP] = { "LATE_UNMAP", "NVM Command Set 1.0, 3.2.3.2" },
	[NVP_CLASS_DEAD] = { "DEAD", "NVM Express Base 2.0, 3.5.1 and 3.1.3.6" },
	[NVP_CLASS_METADATA] = { "METADATA", "NVM Express Base 2.0, 5.17.2" },
	[NVP_CLASS_UNREADABLE] = { "UNREADABLE", "NVM Command Set 1.0, 2.1.4.2 and 3.2.4" },
	[NVP_CLASS_BITROT] = { "BITROT", "NVM Command Set 1.0, 2.1.4.2.1" },
	[NVP_CLASS_TORN_SUBLB] = { "TORN_SUBLB", "NVM Command Set 1.0, 2.1.4.2" },
	[NVP_CLASS_TORN_ATOMIC] = { "TORN_ATOMIC", "NVM Command Set 1.0, 2.1.4.1 and 2.1.4.2" },
	[NVP_CLASS_FLYING] = { "FLYING", "NVM Command Set 1.0, 2.1.4.2.1" },
	[NVP_CLASS_LOST_ACKED] = { "LOST_ACKED", "NVM Command Set 1.0, 2.1.4.2.1" },
	[NVP_CLASS_LOST_FUA] = { "LOST_FUA", "NVM Command Set 1.0, 3.2.4 and 3.2.6, FUA" },
	[NVP_CLASS_LOST_FLUSHED] = { "LOST_FLUSHED", "NVM Express Base 2.0, 7.1" },
	[NVP_CLASS_LOST_SHUTDOWN] = { "LOST_SHUTDOWN", "NVM Express Base 2.0, 3.6" },
	[NVP_CLASS_PHANTOM] = { "PHANTOM", "NVM Command Set 1.0, 2.1.4.2.1" },
	[NVP_CLASS_REFUSED_BUT_WRITTEN] = { "REFUSED_BUT_WRITTEN",
					    "NVM Command Set 1.0, 2.1.4 and 3.2.1" },
	[NVP_CLASS_STALE_RESURRECT] = { "STALE_RESURRECT", "NVM Command Set 1.0, 2.1.4.2.1" },
	[NVP_CLASS_LOST_TO_UNMAP] = { "LOST_TO_UNMAP", "NVM Command Set 1.0, 3.2.3.2" },
	[NVP_CLASS_UNSTABLE_UNMAP] = { "UNSTABLE_UNMAP", "NVM Command Set 1.0, 3.2.3.2.1" },
	[NVP_CLASS_CROSS_NS] = { "CROSS_NS", "NVM Express Base 2.0, 3.2.1" },
	[NVP_CLASS_PI_TORN] = { "PI_TORN", "NVM Command Set 1.0, 2.1.6" },
	[NVP_CLASS_UNSTABLE] = { "UNSTABLE", "NVM Command Set 1.0, 2.1.4.2.1" },
	[NVP_CLASS_REGRESSED] = { "REGRESSED", "NVM Command Set 1.0, 2.1.4.2.1" },
	[NVP_CLASS_COLLATERAL] = { "COLLATERAL", "NVM Command Set 1.0, 2.1.4.2.1" },
	[NVP_CLASS_SLOW_READY] = { "SLOW_READY", "NVM Express Base 2.0, 3.1.3.1 and 3.5.1" },
	[NVP_CLASS_ACCOUNTING] = { "ACCOUNTING", "NVM Express Base 2.0, 5.16.1.3" },
	[NVP_CLASS_RIG_INVALID] = { "RIG_INVALID",
				    "policy: a cut that nothing confirms says nothing" },
	[NVP_CLASS_JOURNAL_INVALID] = { "JOURNAL_INVALID",
					"policy: a damaged journal says nothing" },
};

const char *nvp_class_name(enum nvp_class class)
{
	return class < NVP_NR_CLASSES ? classes[class].name : "?";
}

const char *nvp_class_source(enum nvp_class class)
{
	return class < NVP_NR_CLASSES ? classes[class].source : "";
}

static struct nvp_finding fail(enum nvp_class class, enum nvp_said_by said_by)
{
	return (struct nvp_finding){
		.class = class,
		.severity = NVP_SEVERITY_FAIL,
		.said_by = said_by,
		.op = UINT32_MAX,
	};
}

/* What no sentence orders is a warning until the user asks for the policy. */
static struct nvp_finding warn(enum nvp_class class, enum nvp_said_by said_by)
{
	struct nvp_finding f = fail(class, said_by);

	f.severity = NVP_SEVERITY_WARN;
	return f;
}

/*
 * P1: two reads of a block give the same; for a deallocated one 3.2.3.2.1 says so, until it is
 * written. P2: what a cut left is left by the next cut too; for data that was never acknowledged
 * that is ours to ask. P3: a block that nobody wrote keeps its value.
 */
struct nvp_finding nvp_judge_again(enum nvp_judge_when when, bool acked, bool was_deallocated,
				   bool is_deallocated)
{
	if (when == NVP_JUDGE_COLD)
		return fail(NVP_CLASS_COLLATERAL, NVP_SAID_BY_SPEC);
	if (was_deallocated)
		return fail(NVP_CLASS_UNSTABLE_UNMAP, NVP_SAID_BY_SPEC);
	if (is_deallocated) /* Deallocate is a hint that may be taken late */
		return warn(NVP_CLASS_LATE_UNMAP, NVP_SAID_BY_SPEC);
	if (when == NVP_JUDGE_NEXT_READ)
		return fail(NVP_CLASS_UNSTABLE, NVP_SAID_BY_SPEC);
	return acked ? fail(NVP_CLASS_REGRESSED, NVP_SAID_BY_SPEC)
		     : warn(NVP_CLASS_REGRESSED, NVP_SAID_BY_POLICY);
}

/*
 * Unsafe Shutdowns counts a loss of power with no shutdown before it, Power Cycles each: 5.16.1.3.
 * Media errors are ours to ask about (P5); critical warning bit 4 is the drive's own alarm.
 */
static bool accounting(const struct nvp_drive_after *d, struct nvp_finding *out)
{
	bool counters = d->power_cycles != 1 || d->unsafe_shutdowns != (d->clean_shutdown ? 0 : 1);

	if (counters || d->backup_failed)
		*out = fail(NVP_CLASS_ACCOUNTING, NVP_SAID_BY_SPEC);
	else if (d->media_errors > 0)
		*out = warn(NVP_CLASS_ACCOUNTING, NVP_SAID_BY_POLICY);
	else
		return false;
	return true;
}

uint32_t nvp_judge_drive(const struct nvp_drive_after *d, struct nvp_finding *out)
{
	uint32_t nr = 0;

	if (!d->cut_confirmed) {
		out[nr] = fail(NVP_CLASS_RIG_INVALID, NVP_SAID_BY_POLICY);
		out[nr++].severity = NVP_SEVERITY_INVALID;
		return nr;
	}
	if (!d->came_back) {
		out[nr++] = fail(NVP_CLASS_DEAD, NVP_SAID_BY_SPEC);
		return nr;
	}
	if (!d->identity_same || !d->canaries_good)
		out[nr++] = fail(NVP_CLASS_METADATA, NVP_SAID_BY_SPEC);
	if (d->ready_ms > d->ready_limit_ms)
		out[nr++] = fail(NVP_CLASS_SLOW_READY, NVP_SAID_BY_SPEC);
	nr += accounting(d, &out[nr]);
	return nr;
}
