/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A Quarch breaker or power module: its answers, and its deadline. */
#ifndef NVP_POWER_RELAY_QUARCH_H
#define NVP_POWER_RELAY_QUARCH_H

#include <stdint.h>

#include "power/relay.h"

struct nvp_quarch;

/* As nvp_relay_quarch.open; deadline_ms of each exchange, 0: the usual one. */
struct nvp_quarch *nvp_quarch_open(const char *address, uint32_t deadline_ms, struct nvp_err *err);
/* Of each exchange from now on. */
void nvp_quarch_deadline(struct nvp_quarch *q, uint32_t deadline_ms);

/* The answer to run:power?: PLUGGED or ON is 1, PULLED or OFF is 0, -EPROTO for any other. */
int nvp_quarch_power(const char *answer);
/* Is the line, with the prompt that may stand before it, the echo of the command? */
bool nvp_quarch_is_echo(char *line, const char *command);

#endif
