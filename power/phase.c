// SPDX-License-Identifier: GPL-2.0-or-later
// What the cycles are about: phases, workloads, and where in them the cut falls.

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "power/engine.h"

#define DEFAULT_OPS	64u
#define FIRST_GUESS_NS	(100 * NVP_NS_PER_US) /* of a command's time, until one was seen */
#define IDLE_NS		(12 * NVP_NS_PER_MS) /* virtual; real: IDLE_REAL_NS */
#define IDLE_REAL_NS	(10 * NVP_NS_PER_S)
#define LATER		0.3 /* of an overwrite in passes */
#define KIND(k)		(1u << (k))

static const struct phase {
	const char *name;
	uint32_t kinds; /* the drive has to have all of these */
	bool triggered; /* a command of this kind is what it is about */
	enum nvp_oracle_kind trigger;
	bool by_default;
} phases[NVP_NR_PHASES] = {
	[NVP_PHASE_WRITES] = { "writes", 0, false, 0, true },
	[NVP_PHASE_FLUSH] = { "flush", 0, true, NVP_ORACLE_FLUSH, true },
	[NVP_PHASE_TRIM] = { "trim", KIND(NVP_ORACLE_DEALLOCATE), true, NVP_ORACLE_DEALLOCATE,
			     true },
	[NVP_PHASE_ZEROES] = { "zeroes", KIND(NVP_ORACLE_WRITE_ZEROES), true,
			       NVP_ORACLE_WRITE_ZEROES, true },
	[NVP_PHASE_IDLE] = { "idle", 0, false, 0, true },
	[NVP_PHASE_POWER_ON] = { "power-on", 0, false, 0, true },
	[NVP_PHASE_SHUTDOWN] = { "shutdown", 0, false, 0, true },
	[NVP_PHASE_RESET] = { "reset", 0, false, 0, true },
	[NVP_PHASE_FORMAT] = { "format", 0, false, 0, false },
	[NVP_PHASE_SANITIZE] = { "sanitize", 0, false, 0, false },
	[NVP_PHASE_FIRMWARE] = { "firmware", 0, false, 0, false },
	[NVP_PHASE_NAMESPACE] = { "namespace", 0, false, 0, false },
	[NVP_PHASE_SELF_TEST] = { "self-test", 0, false, 0, false },
};

const char *nvp_phase_name(enum nvp_phase phase)
{
	return (unsigned)phase < NVP_NR_PHASES ? phases[phase].name : NULL;
}

/* Of those asked for, or of the usual ones: what this drive can. */
uint32_t nvp_camp_phases(struct nvp_camp *c)
{
	const uint32_t admin = 1u << NVP_PHASE_FORMAT | 1u << NVP_PHASE_SANITIZE |
			       1u << NVP_PHASE_FIRMWARE | 1u << NVP_PHASE_NAMESPACE |
			       1u << NVP_PHASE_SELF_TEST;
	uint32_t can = 0, can_admin = 0;

	if (c->options->phases & admin)
		can_admin = nvp_camp_admin_phases(c);

	for (unsigned p = 0; p < NVP_NR_PHASES; p++) {
		bool asked = c->options->phases ? c->options->phases >> p & 1 :
						  phases[p].by_default;

		if (admin >> p & 1 && !(can_admin >> p & 1))
			continue;
		if (asked && (phases[p].kinds & c->kinds) == phases[p].kinds)
			can |= 1u << p;
	}
	return can;
}

/* ---- low discrepancy: cuts spread evenly over a phase, however many there are ---- */

static double van_der_corput(uint64_t n, unsigned base)
{
	double value = 0, digit = 1;

	for (; n; n /= base) {
		digit /= base;
		value += digit * (double)(n % base);
	}
	return value;
}

static double jitter(const struct nvp_camp *c, const char *what)
{
	uint64_t bits = nvp_rand(c->seed, what, c->cycle, 0) >> 11;

	return (double)bits / (double)(1ULL << 53);
}

static double place(const struct nvp_camp *c, uint64_t n, unsigned base, const char *what)
{
	double at = van_der_corput(n + 1, base) + jitter(c, what) / 16;

	return at < 1 ? at : at - 1;
}

/* ---- which ---- */

static unsigned nth_bit(uint32_t bits, unsigned n)
{
	for (unsigned i = 0; i < 32; i++)
		if (bits >> i & 1 && !n--)
			return i;
	return 0;
}

static uint32_t workloads_for(const struct nvp_camp *c, enum nvp_phase phase)
{
	const uint32_t pairs = 1u << NVP_WORKLOAD_COMPARE | 1u << NVP_WORKLOAD_COPY |
			       1u << NVP_WORKLOAD_FUA_READS;
	uint32_t some = c->workloads;

	/* a command in the middle of a pair would part it */
	if (phases[phase].triggered && some & ~pairs)
		some &= ~pairs;
	return some;
}

static enum nvp_reset pick_reset(const struct nvp_camp *c)
{
	uint32_t can = nvp_resets(c->drive) & ~(1u << NVP_RESET_SUBSYSTEM);

	return (enum nvp_reset)nth_bit(can, c->cycle % (unsigned)__builtin_popcount(can));
}

/* ---- when ---- */

static uint64_t length_ns(const struct nvp_camp *c, enum nvp_phase phase)
{
	uint64_t longest = FIRST_GUESS_NS;

	switch (phase) {
	case NVP_PHASE_IDLE:
		return c->clock->virtual_time ? IDLE_NS : IDLE_REAL_NS;
	case NVP_PHASE_SHUTDOWN:
		return nvp_max_u64(c->shutdown_ns, FIRST_GUESS_NS * 20);
	case NVP_PHASE_RESET:
		return nvp_max_u64(c->reset_ns, FIRST_GUESS_NS * 10);
	case NVP_PHASE_FORMAT:
	case NVP_PHASE_SANITIZE:
	case NVP_PHASE_FIRMWARE:
	case NVP_PHASE_NAMESPACE:
	case NVP_PHASE_SELF_TEST:
		return nvp_camp_admin_length_ns(c);
	default:
		break;
	}
	if (phases[phase].triggered)
		return nvp_max_u64(longest / 4, c->longest_ns[phases[phase].trigger]);
	for (unsigned k = 0; k <= NVP_ORACLE_COPY; k++)
		longest = nvp_max_u64(longest, c->longest_ns[k]);
	return longest;
}

static void plan_work(struct nvp_camp *c, struct nvp_workload_plan *w)
{
	uint32_t unit = c->facts.awupf_z + 1u, boundary = 0;

	if (c->facts.nsabp && c->facts.nawupf_z)
		unit = c->facts.nawupf_z + 1u;
	if (c->facts.nabspf_z)
		boundary = c->facts.nabspf_z + 1u;
	w->key = nvp_rand(c->seed, "cycle", c->cycle, 0);
	w->nr_blocks = c->facts.nr_blocks;
	w->most_blocks = (uint16_t)c->most_blocks;
	w->slot_blocks = c->most_blocks;
	w->atomic_blocks = (uint16_t)nvp_min_u64(unit, c->most_blocks);
	w->boundary_blocks = (uint16_t)nvp_min_u64(boundary, UINT16_MAX);
	if (boundary)
		w->boundary_at =
			(uint32_t)((c->facts.nabo + boundary - c->first_lba % boundary) % boundary);
	w->copy_blocks = c->copy_blocks;
	w->pair_blocks = (uint16_t)(c->facts.nsabp && c->facts.nacwu_z ? c->facts.nacwu_z + 1u :
									 c->facts.acwu_z + 1u);
	w->queues = c->plan.queues;
	w->max_volatile = c->options->max_volatile;
	w->kinds = c->kinds;
	w->trigger_at = UINT32_MAX;
}

/* The cycles before the last one are there for what they leave: cut when all is still. */
static void plan_replay(struct nvp_camp *c, const struct nvp_replay *replay)
{
	uint32_t n = c->cycle - c->options->first_cycle;
	bool is_last = n + 1 >= nvp_replay_cycles(replay);
	struct nvp_camp_plan *p = &c->plan;

	c->replay_first = nvp_replay_cycle(replay, n, &c->replay_end);
	p->queues = replay->queues;
	p->depth = replay->depth;
	p->work.trigger_at = UINT32_MAX;
	p->work.phase = is_last ? replay->phase : NVP_PHASE_WRITES;
	p->cut = is_last ? replay->cut : (struct nvp_cut){
		.after_ops = c->replay_end - c->replay_first, .delay_ns = NVP_REPLAY_STILL_NS,
		.is_reset = replay->cut.is_reset, .reset = replay->cut.reset,
	};
	p->clean = p->cut.clean;
	p->abrupt = p->cut.abrupt;
	p->more_cuts = p->cut.more_cuts;
	p->reset = p->cut.is_reset ? (enum nvp_reset)p->cut.reset : NVP_NR_RESETS;
}

void nvp_camp_plan_cycle(struct nvp_camp *c)
{
	unsigned nr_phases = (unsigned)__builtin_popcount(c->phases);
	struct nvp_camp_plan *p = &c->plan;
	enum nvp_phase phase = (enum nvp_phase)nth_bit(c->phases, c->cycle % nr_phases);
	uint32_t some = workloads_for(c, phase), of_phase = c->cycle / nr_phases, nth = of_phase;
	uint32_t ops = c->options->ops ? c->options->ops : DEFAULT_OPS;
	double at;

	*p = (struct nvp_camp_plan){ .reset = NVP_NR_RESETS };
	p->work.phase = phase;
	p->work.workload = (enum nvp_workload)nth_bit(
		some, of_phase % (unsigned)__builtin_popcount(some));
	nvp_workload_shape(p->work.workload, &p->queues, &p->depth);
	if (c->options->queues)
		p->queues = c->options->queues;
	if (c->options->depth)
		p->depth = c->options->depth;
	plan_work(c, &p->work);
	if (nvp_camp_is_admin(phase)) {
		p->cut.variant = (uint8_t)(of_phase % nvp_camp_admin_variants(c));
		nth = of_phase / nvp_camp_admin_variants(c);
	}
	at = place(c, nth, 2, "cut");
	p->fraction = at;
	p->cut.after_ops = 1 + (uint32_t)(place(c, of_phase, 3, "ops") * ops);
	if (phase == NVP_PHASE_SANITIZE && p->cut.variant) /* not in the first of its passes */
		at = LATER + (1 - LATER) * at;
	p->cut.delay_ns = (uint64_t)(at * 1.2 * (double)length_ns(c, phase));
	if (nvp_camp_is_admin(phase)) {
		uint64_t alive_ns = nvp_camp_admin_alive_ns(c);
		uint64_t before_ns = nvp_min_u64(alive_ns, p->cut.delay_ns);

		p->cut.command_ns = alive_ns - before_ns;
		p->cut.delay_ns -= before_ns;
	}
	if (phases[phase].triggered) {
		p->work.trigger_at = p->cut.after_ops - 1;
		p->work.trigger_kind = phases[phase].trigger;
	}
	p->clean = phase == NVP_PHASE_SHUTDOWN && of_phase % 2;
	p->abrupt = phase == NVP_PHASE_SHUTDOWN && of_phase / 2 % 2;
	p->more_cuts = phase == NVP_PHASE_POWER_ON ? 1 + of_phase % 2 : 0;
	if (c->options->resets)
		p->reset = pick_reset(c);
	if (c->options->replay)
		plan_replay(c, c->options->replay);
	p->cut.clean = p->clean;
	/* half of these fall at the moment that SHST = 10b is seen */
	if (p->cut.clean && at < 0.5 && !c->options->replay)
		p->cut.delay_ns = 0;
	p->cut.abrupt = p->abrupt;
	p->cut.more_cuts = (uint8_t)p->more_cuts;
	p->cut.is_reset = p->reset != NVP_NR_RESETS;
	p->cut.reset = (uint8_t)p->reset;
	c->record.phase = p->work.phase;
	c->record.workload = p->work.workload;
}
