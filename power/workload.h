/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads: operation i of a cycle is a pure function of the seed, the cycle and i. */
#ifndef NVP_POWER_WORKLOAD_H
#define NVP_POWER_WORKLOAD_H

#include <nvproof/power.h>

#include "power/oracle.h"

#define NVP_WORKLOAD_MOST_BLOCKS 65536u	/* of a window */
#define NVP_WORKLOAD_MOST_RANGES 1u	/* of a Deallocate */
#define NVP_WORKLOAD_MOST_BEYOND 8u	/* blocks behind the end of the namespace, of one write */
#define NVP_SWITCH_OFF 1u
#define NVP_SWITCH_ON  2u

/* One operation; block numbers count from the window's first LBA. */
struct nvp_op {
	enum nvp_oracle_kind kind;
	bool fua;
	bool wrong_compare;	/* Compare and Write: compared with what is not there */
	uint16_t nlb_z;
	uint32_t block;
	uint32_t source;	/* copy */
	uint16_t queue;		/* 0 to queues - 1 */
	bool barrier;		/* all before it are complete before it is given */
	uint8_t cache;		/* before it the write cache is switched: NVP_SWITCH_* */
	uint16_t beyond;	/* write: so many blocks more, behind the end of the namespace */
	bool next;		/* of a replay: it is the first of a cycle after another one */
};

/* What decides the operations of a cycle: plain values, as the journal keeps them. */
struct nvp_workload_plan {
	uint64_t key;		/* of seed and cycle */
	enum nvp_workload workload;
	enum nvp_phase phase;
	uint32_t nr_blocks;	/* of the window */
	uint32_t slot_blocks;	/* a slot takes the largest operation */
	uint16_t most_blocks;	/* the largest operation */
	uint16_t atomic_blocks;	/* U: the unit that survives a loss of power whole; 0: none */
	uint16_t boundary_blocks;	/* 0: none */
	uint32_t boundary_at;	/* block that lies on a boundary */
	uint16_t copy_blocks;	/* most of a Copy */
	uint16_t pair_blocks;	/* most of a Compare and Write (ACWU) */
	uint16_t queues;
	uint32_t max_volatile;	/* a flush at least every so many; 0: never asked for */
	uint32_t kinds;		/* bit n: the drive has what enum nvp_oracle_kind n needs */
	bool cache;		/* flushes make sense */
	uint32_t trigger_at;	/* operation that the phase is about; UINT32_MAX: none */
	enum nvp_oracle_kind trigger_kind;
};

/* Operation i, from 0. */
void nvp_workload_op(const struct nvp_workload_plan *plan, uint64_t i, struct nvp_op *op);
/* Bits of enum nvp_oracle_kind that a workload cannot do without. */
uint32_t nvp_workload_needs(enum nvp_workload workload);
/* How many queues and how deep it wants to be. */
void nvp_workload_shape(enum nvp_workload workload, uint16_t *queues, uint16_t *depth);

#endif
