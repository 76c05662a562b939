/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histories for the oracle in the making: each call is one event, one tick later. */
#ifndef NVP_TESTS_ORACLE_STORY_H
#define NVP_TESTS_ORACLE_STORY_H

#include "power/oracle.h"
#include "tests/unit/unit.h"

struct story {
	struct nvp_oracle *o;
	uint64_t tick;
};

/* U = 2, cache on. */
static inline struct nvp_oracle_facts story_facts(uint32_t nr_blocks)
{
	return (struct nvp_oracle_facts){
		.nr_blocks = nr_blocks,
		.awun_z = 1,
		.awupf_z = 1,
		.acwu_z = 1,
		.vwc = true,
		.wce = true,
		.dlfeat = 1,
	};
}

static inline struct story begin(const struct nvp_oracle_facts *f)
{
	return (struct story){ .o = nvp_oracle_new(f, NULL) };
}

static inline uint32_t sub(struct story *s, enum nvp_oracle_kind kind, uint32_t block, uint16_t nr,
		    bool fua)
{
	struct nvp_oracle_cmd cmd = {
		.kind = kind,
		.block = block,
		.nlb_z = (uint16_t)(nr ? nr - 1 : 0),
		.fua = fua,
	};
	int64_t n = nvp_oracle_submit(s->o, ++s->tick, &cmd);

	CU_ASSERT_FATAL(n >= 0);
	return (uint32_t)n;
}

static inline void ack(struct story *s, uint32_t op)
{
	CU_ASSERT_EQUAL(nvp_oracle_complete(s->o, ++s->tick, op, 0, 0), 0);
}

static inline uint32_t done(struct story *s, enum nvp_oracle_kind kind, uint32_t block, uint16_t nr,
		     bool fua)
{
	uint32_t n = sub(s, kind, block, nr, fua);

	ack(s, n);
	return n;
}

#endif
