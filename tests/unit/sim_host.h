/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The smallest host there is: one admin and one I/O queue pair over the simulated drive's registers. */
#ifndef NVP_TESTS_SIM_HOST_H
#define NVP_TESTS_SIM_HOST_H

#include <nvproof/cmd.h>

#include "core/sim/sim.h"

#define SIM_HOST_DATA_BYTES (1u << 20)
#define SIM_HOST_DEPTH 16

struct sim_host_queue {
	uint16_t qid;
	uint8_t *sq, *cq;
	uint64_t sq_iova, cq_iova;
	unsigned tail, head, phase;
};

struct sim_host {
	struct nvp_sim_arena *arena;
	struct nvp_sim *sim;
	uint8_t *memory;		/* one mapped area; data starts on a page */
	uint64_t iova;
	uint8_t *data;			/* SIM_HOST_DATA_BYTES, 4 KiB of 5Ah before and behind it */
	uint64_t data_iova;
	uint64_t list_iova;
	uint8_t *list;
	struct sim_host_queue admin, io;
	uint16_t next_cid;
	bool quiet;			/* a command that does not complete is no failed assertion */
};

/* Opens, powers on, enables, creates I/O queue pair 1. False after a failed assertion. */
bool sim_host_open(struct sim_host *h, const char *address);
/* The same for a drive that is there already: h->arena, which sim_host_close then frees. */
bool sim_host_power_on(struct sim_host *h);
void sim_host_close(struct sim_host *h);

/* CC.EN 1, queues empty, no I/O queue yet. */
bool sim_host_enable(struct sim_host *h);
bool sim_host_disable(struct sim_host *h);
bool sim_host_create_queues(struct sim_host *h);
/* Disable, enable, create: what a driver does. */
bool sim_host_reset(struct sim_host *h);
/* Power off until it is dead, and on again; enabled with queues. */
bool sim_host_power_cycle(struct sim_host *h);

/* Without waiting; the CID is returned. Data pointers are set to h->data unless cmd->raw_dptr. */
uint16_t sim_host_post(struct sim_host *h, struct sim_host_queue *q, const struct nvp_cmd *cmd);
/* The next completion within 30 s of drive time; false: none came. */
bool sim_host_reap(struct sim_host *h, struct sim_host_queue *q, struct nvp_cpl *cpl);
/* True if a completion is there at this moment. */
bool sim_host_has_completion(struct sim_host *h, const struct sim_host_queue *q);
void sim_host_pass(struct sim_host *h, uint64_t ns);

/* Post and reap; a missing completion is a failed assertion and gives status 7/FFh. */
struct nvp_cpl sim_host_admin(struct sim_host *h, struct nvp_cmd cmd);
struct nvp_cpl sim_host_io(struct sim_host *h, struct nvp_cmd cmd);

void sim_host_fill(struct sim_host *h, uint8_t value);	/* all of h->data */

/* The status as 100h * type + code, which an assertion can print. */
static inline unsigned sim_host_status(struct nvp_cpl cpl)
{
	return cpl.status.sct * 0x100u + cpl.status.sc;
}

#endif
