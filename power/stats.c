// SPDX-License-Identifier: GPL-2.0-or-later
// Counting cycles by phase, and what can be said of a probability after so many of them.

#include "power/stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "power/judge.h"

#define FIRST_AGE_NS 10000u
#define SURE 0.05	/* that the true value lies above the bound */

_Static_assert(NVP_NR_CLASSES <= NVP_CAMPAIGN_CLASSES, "a class has no place in the counts");

const char *const nvp_stats_age_words[NVP_STATS_AGES] = {
	"< 10 us", "< 100 us", "< 1 ms", "< 10 ms", "< 100 ms", "< 1 s", ">= 1 s",
};

struct nvp_stats *nvp_stats_new(void)
{
	return calloc(1, sizeof(struct nvp_stats));
}

static void free_phase(struct nvp_stats_phase *p)
{
	for (unsigned i = 0; i < NVP_STATS_NR_TIMES; i++)
		free(p->times[i].values);
}

void nvp_stats_free(struct nvp_stats *stats)
{
	if (!stats)
		return;
	for (unsigned i = 0; i < NVP_NR_PHASES; i++)
		free_phase(&stats->phase[i]);
	free_phase(&stats->all);
	free(stats);
}

/* ---- counting ---- */

static int add_time(struct nvp_stats_times *t, uint64_t value)
{
	if (!value) /* not measured */
		return 0;
	if (t->nr == t->room) {
		uint32_t room = t->room ? t->room * 2 : 64;
		uint64_t *grown = reallocarray(t->values, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		t->values = grown;
		t->room = room;
	}
	t->values[t->nr++] = value;
	t->sorted = false;
	return 0;
}

static unsigned age_place(uint64_t age_ns)
{
	uint64_t limit_ns = FIRST_AGE_NS;
	unsigned place = 0;

	for (; place < NVP_STATS_AGES - 1 && age_ns >= limit_ns; place++)
		limit_ns *= 10;
	return place;
}

static int add_to(struct nvp_stats_phase *p, const struct nvp_campaign_cycle *c)
{
	const uint64_t times[NVP_STATS_NR_TIMES] = {
		[NVP_STATS_LINK] = c->link_ns,
		[NVP_STATS_READY] = c->ready_ns,
		[NVP_STATS_FIRST_READ] = c->first_read_ns,
	};
	bool lost = c->classes[NVP_CLASS_OK_VOLATILE_LOSS];
	int rc = 0;

	p->cuts++;
	if (!c->confirmed) /* says nothing of the drive */
		return 0;
	p->confirmed++;
	p->failed += c->fails > 0;
	p->late_acks += c->late_acks;
	p->in_flight += c->in_flight;
	p->issued += c->issued;
	p->acked += c->acked;
	p->nr_read += c->nr_read;
	for (unsigned i = 0; i < NVP_CAMPAIGN_CLASSES; i++)
		p->classes[i] += c->classes[i];
	if (c->clean) {
		p->clean++;
		p->clean_lost += lost || c->classes[NVP_CLASS_LOST_SHUTDOWN];
	} else if (c->can_lose) {
		p->could_lose++;
		p->lost += lost;
	}
	if (c->lost_age_ns)
		p->ages[age_place(c->lost_age_ns)]++;
	for (unsigned i = 0; !rc && i < NVP_STATS_NR_TIMES; i++)
		rc = add_time(&p->times[i], times[i]);
	return rc;
}

int nvp_stats_add(struct nvp_stats *stats, const struct nvp_campaign_cycle *cycle)
{
	int rc = 0;

	if ((unsigned)cycle->phase < NVP_NR_PHASES)
		rc = add_to(&stats->phase[cycle->phase], cycle);
	return rc ? rc : add_to(&stats->all, cycle);
}

/* ---- what follows ---- */

/* The probability of at most k failures in n cuts, each with probability p; 0 < p < 1. */
static double at_most(uint32_t k, uint32_t n, double p)
{
	double sum = 0, hit = log(p), miss = log1p(-p), ways = 0;

	for (uint32_t i = 0; i <= k; i++) {
		sum += exp(ways + i * hit + (double)(n - i) * miss);
		ways += log((double)(n - i)) - log((double)i + 1);
	}
	return sum;
}

double nvp_stats_bound(uint32_t cuts, uint32_t failed)
{
	double low = 0, high = 1;

	if (!cuts || failed >= cuts)
		return 1;
	if (!failed)
		return -expm1(log(SURE) / cuts);
	for (unsigned i = 0; i < 200; i++) {
		double middle = (low + high) / 2;

		if (middle <= low || middle >= high)
			break;
		if (at_most(failed, cuts, middle) > SURE)
			low = middle;
		else
			high = middle;
	}
	return high;
}

uint64_t nvp_stats_percentile(const uint64_t *values, uint32_t nr, double percent)
{
	double rank = ceil(percent / 100 * nr);

	if (!nr)
		return 0;
	if (rank < 1)
		rank = 1;
	return values[(uint32_t)nvp_min_u64((uint64_t)rank, nr) - 1];
}
