/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The definition of an outcome by enumeration: slow, small, and to be believed by reading. */
#ifndef NVP_TESTS_ORACLE_SLOW_H
#define NVP_TESTS_ORACLE_SLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "power/oracle.h"

#define NVP_SLOW_MAX_OPS    6
#define NVP_SLOW_MAX_BLOCKS 3
#define NVP_SLOW_NEVER	    1000
#define NVP_SLOW_RESET	    NVP_ORACLE_NR_KINDS /* a kind of its own: sub == ack */

enum nvp_slow_end { NVP_SLOW_OK = 0, NVP_SLOW_ERROR, NVP_SLOW_REFUSED };

struct nvp_slow_op {
	uint8_t kind; /* enum nvp_oracle_kind or NVP_SLOW_RESET */
	uint8_t block, nr, source;
	bool fua;
	uint8_t end;	   /* enum nvp_slow_end, when ack is not NEVER */
	uint16_t sub, ack; /* moments; a reset ends what is outstanding then */
};

struct nvp_slow_history {
	struct nvp_slow_op op[NVP_SLOW_MAX_OPS];
	unsigned nr;
	unsigned nr_blocks;
	bool cut; /* else the last thing was a reset */
	/* facts in the plainest form */
	unsigned u, awu, acwu; /* blocks: power fail, order, fused */
	unsigned boundary;     /* every so many blocks, for all three; 0: none */
	bool vwc, wce, strict, plp, raw, dulbe, multiple;
	unsigned dlfeat;
};

/* A content as a small number, and how many there are. */
enum { NVP_SLOW_CODES = 4 + NVP_SLOW_MAX_BLOCKS * (NVP_SLOW_MAX_OPS + 1) };
unsigned nvp_slow_code(const struct nvp_oracle_content *content);
struct nvp_oracle_content nvp_slow_content(unsigned code);

/* One bit for each tuple of contents: code of block 0 + 32 * that of block 1 + 1024 * that of 2. */
struct nvp_slow_set {
	uint64_t bit[512];
	uint32_t each[NVP_SLOW_MAX_BLOCKS]; /* the codes that a block has in any tuple */
	/* a copy read a block that no order makes readable: it cannot have run */
	bool senseless;
};

void nvp_slow_allowed(const struct nvp_slow_history *h, struct nvp_slow_set *set);

static inline bool nvp_slow_has(const struct nvp_slow_set *s, unsigned tuple)
{
	return s->bit[tuple / 64] >> tuple % 64 & 1;
}

#endif
