/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of the oracle, shared by its files. */
#ifndef NVP_POWER_ORACLE_IMPL_H
#define NVP_POWER_ORACLE_IMPL_H

#include "power/oracle.h"

#define NVP_ORACLE_NEVER UINT32_MAX /* not acknowledged */

enum {
	NVP_OP_FUA = 1,
	NVP_OP_ACKED = 2,     /* with success */
	NVP_OP_REFUSED = 4,   /* with a status that is given before anything is executed */
	NVP_OP_CACHE_OFF = 8, /* the cache was off from submission to acknowledgement */
	NVP_OP_RETIRED = 16,  /* ended by a reset, a cut, or an error */
	NVP_OP_SOURCE = 32,   /* not an operation: the slot behind a copy, block is its source */
};

/* sub and ack are positions: ticks, numbered without gaps. */
struct nvp_oracle_op {
	uint32_t block;
	uint16_t nlb_z;
	uint8_t kind;
	uint8_t flags;
	uint32_t sub;
	uint32_t ack;
};
_Static_assert(sizeof(struct nvp_oracle_op) == 16, "a campaign may hold millions of them");

struct nvp_oracle_settled {
	uint32_t block;
	uint32_t pos;
	struct nvp_oracle_content content;
};

struct nvp_oracle {
	struct nvp_oracle_facts facts;
	uint8_t *initial; /* NULL: data everywhere */
	struct nvp_oracle_op *ops;
	uint32_t nr_ops, max_ops;
	uint32_t *by_block; /* numbers of the data operations by first block, built when asked */
	uint32_t nr_by_block;
	uint32_t longest; /* blocks of the longest of them */
	struct nvp_oracle_settled *settled;
	uint32_t nr_settled, max_settled;
	uint64_t tick;
	uint32_t pos; /* of the latest tick; 0 before the first */
	/* highest submission of one that succeeded, 0: none */
	uint32_t flush_sub, shutdown_sub, cache_off_sub;
	bool cache_off; /* certainly off now */
	uint32_t off_since;
	uint32_t on_activity,
		nr_on;	   /* last submission or completion of a switch-on; outstanding ones */
	uint32_t nr_reads; /* with FUA, in the history */
	bool cut;
	bool sorted;
	/* how the question is asked: the judge asks more than one */
	bool strict_units; /* acknowledged operations are whole too */
	bool use_d5;
	bool no_units; /* not even unacknowledged ones */
};

static inline bool nvp_op_before(const struct nvp_oracle_op *p, const struct nvp_oracle_op *q)
{
	return p->ack < q->sub;
}

static inline bool nvp_op_touches(const struct nvp_oracle_op *op, uint32_t block)
{
	return block >= op->block && block - op->block <= op->nlb_z;
}

static inline bool nvp_op_is_data(const struct nvp_oracle_op *op)
{
	return op->kind <= NVP_ORACLE_COPY && !(op->flags & NVP_OP_SOURCE);
}

/* oracle_atomic.c */
/* Ordered alike at all blocks against others that are (AWUN, NAWUN, ACWU; O1). */
bool nvp_oracle_op_serial(const struct nvp_oracle_facts *facts, const struct nvp_oracle_op *op);
/* The blocks that take effect together with this one; first == last: it alone. */
void nvp_oracle_unit(const struct nvp_oracle *o, const struct nvp_oracle_op *op, uint32_t block,
		     uint32_t *first, uint32_t *last);
/* Survives a loss of power in one piece, or in the pieces of a unit: A1, A3. */
bool nvp_oracle_op_whole(const struct nvp_oracle_facts *facts, const struct nvp_oracle_op *op);

/* oracle_live.c */
int nvp_oracle_sort(struct nvp_oracle *o);
enum nvp_oracle_rule nvp_oracle_durable(const struct nvp_oracle *o, const struct nvp_oracle_op *op,
					uint32_t block);
bool nvp_oracle_gives(const struct nvp_oracle *o, uint32_t op, uint32_t block,
		      const struct nvp_oracle_content *content);
bool nvp_oracle_initial_is(const struct nvp_oracle *o, uint32_t block,
			   const struct nvp_oracle_content *content);

struct nvp_oracle_live {
	uint32_t op;
	uint32_t node; /* whose block it is */
	uint32_t unit; /* first block of the unit; later its number */
	bool must;     /* took effect here in every outcome */
	bool last;     /* can be what the block holds */
};

struct nvp_oracle_lives {
	struct nvp_oracle_live *v;
	uint32_t nr, max;
};

/* Adds the operations that can matter at the block, superseded ones left out; false: no memory. */
bool nvp_oracle_collect(const struct nvp_oracle *o, uint32_t block, uint32_t node,
			struct nvp_oracle_lives *lives);
#endif
