// SPDX-License-Identifier: GPL-2.0-or-later
// What the scripts over interrupts say of the healthy drive.

#include <stdio.h>
#include <string.h>

#include "tests/unit/sim_probe.h"
#include "tests/unit/unit.h"

static void says(const char *name, const char *expected)
{
	for (const struct sim_probe *p = sim_probes_interrupt; p->name; p++) {
		struct sim_host h = { 0 };
		struct nvp_text out = { 0 };

		if (strcmp(p->name, name))
			continue;
		if (sim_host_open(&h, p->address))
			p->run(&h, &out);
		if (strcmp(nvp_text_str(&out), expected))
			printf("\n%s\n", nvp_text_str(&out));
		CU_ASSERT_STRING_EQUAL(nvp_text_str(&out), expected);
		sim_host_close(&h);
		nvp_text_free(&out);
	}
}

static void vectors_fire_for_their_queues(void)
{
	says("vectors", "own: 32\nmore: 32\nshared: 32\nnone: 0\n");
}

static void masked_vectors_are_pending(void)
{
	says("mask", "masked: 0\npending: 32\nunmasked: 32\nagain: 0\nsent: 0\n");
}

static void coalescing_waits_for_time_or_threshold(void)
{
	says("coalescing", "one-early: 0\none-late: 32\nfour: 32\nadmin: 1\nexempt: 32\n");
}

static void queues_take_turns(void)
{
	says("order", "low-is-through-first: 0\n");
}

CU_TestInfo nvp_unit_sim_interrupt[] = {
	{ "vectors fire for their queues", vectors_fire_for_their_queues },
	{ "masked vectors are pending", masked_vectors_are_pending },
	{ "coalescing waits for time or threshold", coalescing_waits_for_time_or_threshold },
	{ "queues take turns", queues_take_turns },
	CU_TEST_INFO_NULL,
};
