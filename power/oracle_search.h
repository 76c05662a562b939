/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The oracle's search over several blocks: what is chosen, and whether it can be ordered. */
#ifndef NVP_POWER_ORACLE_SEARCH_H
#define NVP_POWER_ORACLE_SEARCH_H

#include "power/oracle_impl.h"

#define NVP_ORACLE_NONE UINT32_MAX

/* A block that was read. */
struct nvp_oracle_node {
	uint32_t reading;
	uint32_t live, nr_live; /* its operations, in the order of their submission */
	uint32_t parent;	/* of its component */
	uint32_t chosen;	/* the live one that it holds; NONE: not chosen, or initial */
	bool chosen_initial;	/* it holds what it held at first */
	bool can_initial;
	bool busy; /* some of its operations are concurrent */
	uint32_t nr_options;
};

/* The earliest and the latest moment that a serial operation can have been ordered at. */
struct nvp_oracle_moment {
	uint32_t low, high;
};

struct nvp_oracle_search {
	struct nvp_oracle *o;
	struct nvp_oracle_lives lives;
	struct nvp_oracle_node *nodes;
	uint32_t nr;
	bool mixed;			   /* some concurrent operations are not serial */
	uint8_t *unit_on;		   /* by unit number */
	uint32_t *live_op;		   /* number of the operation among those here, by live */
	uint32_t *op_of;		   /* and back to the oracle's */
	uint8_t *serial;		   /* by number here */
	struct nvp_oracle_moment *moments; /* by number here */
	uint32_t *pairs;		   /* arrows: from, to */
	uint32_t *edge;			   /* the same by where they start: to */
	uint32_t *queue;
	uint32_t *count; /* two words for each point of the graph */
	size_t max_pairs;
	uint32_t graph; /* points of the graph, at most */
	uint32_t positions;
	uint32_t nr_here, nr_units;
	uint32_t tries;
	uint32_t *members; /* nodes of the component */
	uint32_t nr_members;
	uint32_t blame; /* a node that shows what is wrong */
};

/* oracle_order.c */
/* Can what is chosen so far in this component be? */
bool nvp_oracle_feasible(struct nvp_oracle_search *s);

#endif
