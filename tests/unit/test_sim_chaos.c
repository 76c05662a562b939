// SPDX-License-Identifier: GPL-2.0-or-later
// A host that does anything at all: the simulated drive neither breaks nor loses its arena.

#include <stdio.h>
#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/sim/mechanism.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define NR_STEPS 4000

struct chaos {
	struct sim_host h;
	uint64_t seed, step, nth;
};

static uint64_t draw(struct chaos *c, uint64_t bound)
{
	return nvp_rand_below(c->seed, "chaos", c->step, c->nth++, bound);
}

/* An address in the host's memory, near its edges, or anywhere. */
static uint64_t any_address(struct chaos *c)
{
	switch (draw(c, 8)) {
	case 0:
		return draw(c, UINT64_MAX);
	case 1:
		return c->h.iova + (4u << 20) - draw(c, 3) * 4096;
	case 2:
		return c->h.data_iova + draw(c, 1u << 19);
	default:
		return c->h.data_iova + draw(c, 128) * 4096;
	}
}

/* Mostly commands that exist, with fields that mostly make sense. */
static struct nvp_cmd any_command(struct chaos *c, bool io)
{
	static const uint8_t io_opcodes[] = { 0, 1, 1, 1, 2, 2, 4, 5, 8, 9, 0x0c, 0x19 };
	static const uint8_t admin_opcodes[] = { 0, 1, 2, 4, 5, 6, 8, 9, 0x0a, 0x0c };
	uint8_t opcode = draw(c, 16) == 0 ? (uint8_t)draw(c, 256) :
			 io ? io_opcodes[draw(c, sizeof(io_opcodes))] :
			 admin_opcodes[draw(c, sizeof(admin_opcodes))];
	struct nvp_cmd cmd = nvp_build_raw(opcode, (uint32_t)draw(c, 4));

	cmd.raw_dptr = true;
	if (draw(c, 32) == 0)
		cmd.sqe.bytes[1] = (uint8_t)draw(c, 256);
	nvp_sqe_set_qw(&cmd.sqe, 6, any_address(c));
	nvp_sqe_set_qw(&cmd.sqe, 8, any_address(c));
	if (io) {
		nvp_sqe_set_qw(&cmd.sqe, 10, draw(c, 16) ? draw(c, 2048) : draw(c, UINT64_MAX));
		nvp_sqe_set_dw(&cmd.sqe, 12, (uint32_t)(draw(c, 2) << 30 | draw(c, 64)));
	} else {
		nvp_sqe_set_dw(&cmd.sqe, 10, (uint32_t)(draw(c, 32) << 16 | draw(c, 40)));
		nvp_sqe_set_dw(&cmd.sqe, 11, (uint32_t)(draw(c, 36) << 16 | draw(c, 4)));
	}
	for (unsigned dw = 13; dw < 16; dw++)
		if (draw(c, 8) == 0)
			nvp_sqe_set_dw(&cmd.sqe, dw, (uint32_t)draw(c, 1u << 31));
	return cmd;
}

/* Takes completions away without looking at them, as far as there are some. */
static void reap_all(struct chaos *c, struct sim_host_queue *q)
{
	struct nvp_cpl cpl;

	for (unsigned i = 0; i < 64 && sim_host_has_completion(&c->h, q); i++)
		sim_host_reap(&c->h, q, &cpl);
}

static void start_again(struct chaos *c)
{
	nvp_sim_power(c->h.sim, true);
	sim_host_pass(&c->h, NVP_NS_PER_S);
	nvp_sim_config_write(c->h.sim, 0x44, 2, 0);	/* D0 */
	nvp_sim_config_write(c->h.sim, 4, 2, 6);
	if (sim_host_disable(&c->h) && sim_host_enable(&c->h))
		sim_host_create_queues(&c->h);
}

static void touch_registers(struct chaos *c)
{
	struct nvp_sim *sim = c->h.sim;

	switch (draw(c, 8)) {
	case 0:
		nvp_sim_bar_write(sim, draw(c, 0x50), draw(c, 2) ? 4 : 8, draw(c, UINT64_MAX));
		break;
	case 1:
		nvp_sim_bar_write(sim, 0x1000 + draw(c, 64) * 4, 4, draw(c, 40));
		break;
	case 2:
		nvp_sim_bar_write(sim, draw(c, 0x4100), draw(c, 2) ? 4 : 8, draw(c, UINT64_MAX));
		break;
	case 3:
		nvp_sim_config_write(sim, (unsigned)draw(c, 256), 1u << draw(c, 3),
				     (uint32_t)draw(c, UINT32_MAX));
		break;
	case 4:
		nvp_sim_bar_write(sim, 0x14, 4, 0x00460000 | draw(c, 2) | draw(c, 4) << 14);
		break;
	default:
		nvp_sim_bar_read(sim, draw(c, 0x4100), draw(c, 2) ? 4 : 8);
		nvp_sim_config_read(sim, (unsigned)draw(c, 4200), 1u << draw(c, 3));
	}
}

static void one_step(struct chaos *c)
{
	struct sim_host *h = &c->h;
	struct nvp_cmd cmd;

	switch (draw(c, 64)) {
	case 0:
		nvp_sim_power(h->sim, draw(c, 2));
		break;
	case 1:
		nvp_sim_cut_after_event(h->sim, 1 + draw(c, 40));
		break;
	case 2:
		nvp_sim_reset(h->sim, (enum nvp_reset)draw(c, NVP_NR_RESETS));
		break;
	case 3: case 4: case 5: case 6:
		start_again(c);
		break;
	case 7: case 8: case 9:
		touch_registers(c);
		break;
	case 10:
		sim_host_pass(h, draw(c, 20 * NVP_NS_PER_MS));
		break;
	case 11: case 12: case 13: case 14:
		cmd = any_command(c, false);
		sim_host_post(h, &h->admin, &cmd);
		break;
	case 15: case 16: case 17: case 18: case 19: case 20:
		sim_host_pass(h, draw(c, 200) * NVP_NS_PER_US);
		reap_all(c, &h->io);
		reap_all(c, &h->admin);
		break;
	default:
		cmd = any_command(c, true);
		sim_host_post(h, &h->io, &cmd);
	}
}

static void run(const char *address, uint64_t seed)
{
	struct chaos c = { .h = { .quiet = true }, .seed = seed };
	struct nvp_err err = { 0 };
	struct nvp_cpl cpl;

	if (sim_host_open(&c.h, address)) {
		for (; c.step < NR_STEPS; c.step++) {
			c.nth = 0;
			one_step(&c);
			if (c.step % 64 == 0 && nvp_sim_arena_check(c.h.arena, &err))
				break;
		}
		/* whatever happened, it can be used again */
		nvp_sim_power(c.h.sim, false);
		sim_host_pass(&c.h, NVP_NS_PER_S);
		CU_ASSERT_EQUAL(nvp_event_next_ns(c.h.sim), NVP_NEVER_NS);
		start_again(&c);
		c.h.quiet = false;
		cpl = sim_host_io(&c.h, nvp_build_read(1, 0, 7, 512));
		CU_ASSERT_TRUE(sim_host_status(cpl) < 0x700);
		nvp_sim_arena_check(c.h.arena, &err);
	}
	if (err.code)
		printf("%s, seed %u, step %u: %s, %s\n", address, (unsigned)seed,
		       (unsigned)c.step, err.what, err.seen);
	CU_ASSERT_EQUAL(err.code, 0);
	sim_host_close(&c.h);
}

static void anything_goes(void)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		run("sim:size=1M", seed);
		run("sim:size=1M,vwc=off,ns=2", seed);
		run("sim:size=1M,plp=on", seed);
		run("sim:size=1M,profile=minimal", seed);
	}
}

CU_TestInfo nvp_unit_sim_chaos[] = {
	{ "anything goes", anything_goes },
	CU_TEST_INFO_NULL,
};
