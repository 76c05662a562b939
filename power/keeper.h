/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keeper: a process that holds the relays, and what its clients and it say to each other. */
#ifndef NVP_POWER_KEEPER_H
#define NVP_POWER_KEEPER_H

#include <nvproof/power.h>

/* One message each, over SOCK_SEQPACKET. Times are of CLOCK_MONOTONIC. */
enum nvp_keeper_word {
	NVP_KEEPER_CLIENT = 1,	/* supervisor: with a descriptor, the other end of a client of `relay` */
	NVP_KEEPER_SET,		/* client: `action` */
	NVP_KEEPER_STATE,	/* client: ask the device */
};

struct nvp_keeper_request {
	uint32_t word;		/* enum nvp_keeper_word */
	uint32_t relay;		/* from 0; CLIENT */
	uint32_t action;	/* enum nvp_power_action; SET */
	uint32_t id;		/* comes back with each answer */
};

struct nvp_keeper_answer {
	uint32_t id;
	uint32_t step;		/* enum nvp_power_step; FAILED: .err. STATE: READ_BACK */
	int32_t state;		/* READ_BACK: 1 on, 0 off; STATE: or a negative errno */
	uint64_t at_ns;
	struct nvp_err err;	/* .file is of no use to the reader */
};

/*
 * The life of the process: serves `control` (the supervisor's) and the clients that come through
 * it. Opens the relays, answers with one nvp_keeper_answer (COMMANDED, or FAILED), and returns when
 * control and all clients are closed and every relay is on again, or cannot be switched.
 */
void nvp_keeper_serve(int control, const char *const *addresses, size_t nr);

#endif
