// SPDX-License-Identifier: GPL-2.0-or-later
// Power loss: short campaigns, each over one phase or one kind of command.

#include "cases/powerloss.h"

#define BIT(n) (1u << (n))

/* Every finding of the campaign becomes a check of the case. */
static void run(struct nvp_t *t, uint32_t phases, uint32_t workloads, uint32_t cycles)
{
	const struct nvp_campaign_options options = {
		.phases = phases,
		.workloads = workloads,
		.cycles = cycles,
	};
	struct nvp_campaign_result result;

	nvp_check_powerloss(t, &options, &result);
}

static void writes(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_WRITES) | BIT(NVP_PHASE_IDLE),
	    BIT(NVP_WORKLOAD_RANDOM) | BIT(NVP_WORKLOAD_MIXED) | BIT(NVP_WORKLOAD_SEQUENTIAL), 16);
}

static void force_unit_access(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_WRITES), BIT(NVP_WORKLOAD_FUA), 8);
}

static void flushes(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_FLUSH) | BIT(NVP_PHASE_WRITES),
	    BIT(NVP_WORKLOAD_FLUSH) | BIT(NVP_WORKLOAD_QUEUES), 12);
}

static void deallocations(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_TRIM), BIT(NVP_WORKLOAD_TRIM), 12);
}

static void zeroes(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_ZEROES), BIT(NVP_WORKLOAD_ZEROES), 12);
}

static void shutdowns(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_SHUTDOWN), 0, 16);
}

static void atomic_units(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_WRITES), BIT(NVP_WORKLOAD_ATOMIC) | BIT(NVP_WORKLOAD_FUA), 16);
}

static void power_on(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_POWER_ON), 0, 12);
}

static void resets(struct nvp_t *t)
{
	const struct nvp_campaign_options options = { .resets = true, .cycles = 24 };
	struct nvp_campaign_result result;

	nvp_check_powerloss(t, &options, &result);
}

static void formats(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_FORMAT), 0, 12);
}

static void sanitizes(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_SANITIZE), 0, 8);
}

static void firmware(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_FIRMWARE), 0, 40);
}

static void self_tests(struct nvp_t *t)
{
	run(t, BIT(NVP_PHASE_SELF_TEST), 0, 16);
}

/* What all of these records have: what it needs beside a drive under a relay, and what it does. */
#define CAMPAIGN(NEEDS, IMPACT, CLASS)						\
	.needs = POWERLOSS_NEEDS | (NEEDS),					\
	.impact = (IMPACT),							\
	.time_class = (CLASS),							\
	.wall_budget_s = 120

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "powerloss.writes-survive",
		.title = "Power cut during and after writes: what was durable is there, each block",
		.spec = { "NVM Command Set", "1.0", "2.1.4.2.1", NULL },
		.rows = NVP_LIST("LOG-08"),	/* Power Cycles and Unsafe Shutdowns at each cut */
		CAMPAIGN(0, POWERLOSS_IMPACT, NVP_TIME_POWER),
		.catches = NVP_LIST("cut-write-reverts", "cut-zeroes-block", "cut-unmaps-block",
				    "cut-fills-block-with-ones", "cut-flips-bits",
				    "cut-garbles-block", "cut-invents-data", "cut-unreadable",
				    "cut-tears-durable-block", "cut-duplicates-write",
				    "cut-misdirects-write", "cut-unstable", "cut-loses-cold-block",
				    "cut-flips-cold-bits", "cut-loses-third", "cut-loses-extent",
				    "cut-loses-last-moments", "cut-loses-large-writes",
				    "cut-loses-tail", "cut-resurrects", "cut-regresses-later",
				    "cache-off-ignored", "cache-on-after-cut", "cut-counted-twice",
				    "cut-not-counted", "power-cycles-stuck", "cut-fails-backup",
				    "cut-slows-ready", "cut-leaves-fatal-status",
				    "cut-kills-drive", "cut-changes-capacity",
				    "cut-changes-identifiers"),
		.run = writes,
	}, {
		NVP_CASE,
		.id = "powerloss.force-unit-access-survives",
		.title = "Power cut among writes with FUA: each that was acknowledged is there",
		.spec = { "NVM Command Set", "1.0", "3.2.6", "FUA" },
		CAMPAIGN(0, POWERLOSS_IMPACT, NVP_TIME_POWER),
		.catches = NVP_LIST("fua-ignored", "fua-ignored-when-large",
				    "fua-ignored-while-power-falls", "plp-weak",
				    "plp-hold-up-short", "plp-fails-large-writes",
				    "plp-not-charged"),
		.run = force_unit_access,
	}, {
		NVP_CASE,
		.id = "powerloss.flush-covers-what-came-before",
		.title = "Power cut among flushes: what was acknowledged before one is there",
		.spec = { "NVMe Base", "2.0", "7.1", NULL },
		CAMPAIGN(0, POWERLOSS_IMPACT, NVP_TIME_POWER),
		.catches = NVP_LIST("flush-lies", "flush-misses-other-queues",
				    "flush-completes-early"),
		.run = flushes,
	}, {
		NVP_CASE,
		.id = "powerloss.deallocate-takes-its-range",
		.title = "Power cut among Deallocate: its blocks alone, and no older data",
		.spec = { "NVM Command Set", "1.0", "3.2.3", NULL },
		CAMPAIGN(NVP_NEED_DSM, POWERLOSS_IMPACT, NVP_TIME_POWER),
		.catches = NVP_LIST("flush-lies-while-trimming", "cut-trims-neighbour",
				    "plp-fails-while-trimming"),
		.run = deallocations,
	}, {
		NVP_CASE,
		.id = "powerloss.write-zeroes-survives",
		.title = "Power cut among Write Zeroes: durable zeroes are there",
		.spec = { "NVM Command Set", "1.0", "3.2.8", NULL },
		CAMPAIGN(NVP_NEED_WRITE_ZEROES, POWERLOSS_IMPACT, NVP_TIME_POWER),
		.catches = NVP_LIST("flush-misses-zeroes", "cut-zeroes-revert",
				    "fua-ignored-by-zeroes"),
		.run = zeroes,
	}, {
		NVP_CASE,
		.id = "powerloss.shutdown-loses-nothing",
		.title = "Power cut around a shutdown: once it is complete nothing is lost",
		.spec = { "NVMe Base", "2.0", "3.6.1", NULL },
		.rows = NVP_LIST("LOG-08"),
		CAMPAIGN(0, POWERLOSS_IMPACT, NVP_TIME_POWER),
		.catches = NVP_LIST("shutdown-loses-cache", "abrupt-shutdown-loses-cache",
				    "shutdown-counted-as-cut"),
		.run = shutdowns,
	}, {
		NVP_CASE,
		.id = "powerloss.atomic-units-stay-whole",
		.title = "Power cut while atomic units are written: each is old or new as a whole",
		.spec = { "NVM Command Set", "1.0", "2.1.4.1", NULL },
		CAMPAIGN(0, POWERLOSS_IMPACT, NVP_TIME_POWER),
		.catches = NVP_LIST("cut-tears-unit", "cut-tears-unit-backwards",
				    "cut-tears-block", "cut-loses-page-neighbours",
				    "write-unit-torn"),
		.run = atomic_units,
	}, {
		NVP_CASE,
		.id = "powerloss.power-on-is-no-exception",
		.title = "Power cut right after power-on: the same promises hold",
		.spec = { "NVM Command Set", "1.0", "2.1.4.2.1", NULL },
		CAMPAIGN(0, POWERLOSS_IMPACT, NVP_TIME_POWER),
		.catches = NVP_LIST("flush-lies-after-power-on"),
		.run = power_on,
	}, {
		NVP_CASE,
		.id = "powerloss.reset-loses-nothing",
		.title = "No reset loses what was acknowledged, or brings back what it ended",
		.spec = { "NVM Command Set", "1.0", "2.1.4.2.1", NULL },
		CAMPAIGN(0, NVP_IMPACT_STATE | NVP_IMPACT_DATA | NVP_IMPACT_RESET, NVP_TIME_POWER),
		.catches = NVP_LIST("reset-drops-cache", "function-reset-drops-cache",
				    "reset-write-lands-late"),
		.run = resets,
	}, {
		NVP_CASE,
		.id = "powerloss.format-leaves-no-half",
		.title = "Power cut during Format: what was complete is erased, and Format works again",
		.spec = { "NVMe Base", "2.0", "5.14", NULL },
		CAMPAIGN(NVP_NEED_FORMAT, POWERLOSS_IMPACT | NVP_IMPACT_ERASE, NVP_TIME_POWER),
		.catches = NVP_LIST("cut-leaves-half-format", "cut-leaves-format-stuck"),
		.run = formats,
	}, {
		NVP_CASE,
		.id = "powerloss.sanitize-goes-on",
		.title = "Power cut during Sanitize: it goes on, ends, and leaves no user data",
		.spec = { "NVMe Base", "2.0", "8.21", NULL },
		CAMPAIGN(NVP_NEED_SANITIZE, POWERLOSS_IMPACT | NVP_IMPACT_ERASE, NVP_TIME_SANITIZE),
		.catches = NVP_LIST("cut-ends-sanitize", "cut-stops-sanitize", "cut-forgets-sanitize",
				    "cut-fails-sanitize", "cut-skips-overwrite-passes",
				    "cut-skips-overwrite-passes:told=1"),
		.run = sanitizes,
	}, {
		NVP_CASE,
		.id = "powerloss.firmware-commit-leaves-an-image",
		.title = "Power cut around Firmware Commit: the drive comes back with an image that runs",
		.spec = { "NVMe Base", "2.0", "3.11", NULL },
		CAMPAIGN(NVP_NEED_FIRMWARE, POWERLOSS_IMPACT | NVP_IMPACT_FIRMWARE,
			 NVP_TIME_POWER),
		.catches = NVP_LIST("cut-bricks-firmware", "cut-loses-write-during-commit",
				    "cut-keeps-half-download", "cut-keeps-download",
				    "cut-tears-firmware-slot", "firmware-store-activates",
				    "firmware-never-activated"),
		.run = firmware,
	}, {
		NVP_CASE,
		.id = "powerloss.self-test-harms-nothing",
		.title = "Power cut during a self-test: the same promises hold",
		.spec = { "NVM Command Set", "1.0", "2.1.4.2.1", NULL },
		CAMPAIGN(NVP_NEED_SELF_TEST, POWERLOSS_IMPACT, NVP_TIME_POWER),
		.catches = NVP_LIST("cut-write-reverts-in-self-test"),
		.run = self_tests,
	},
};

NVP_SUITE(powerloss_phases, cases);
