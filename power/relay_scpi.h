/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bench power supply that speaks SCPI (SCPI-1999, IEEE 488.2): its answers, and its deadline. */
#ifndef NVP_POWER_RELAY_SCPI_H
#define NVP_POWER_RELAY_SCPI_H

#include <stdint.h>

#include "power/relay.h"

struct nvp_scpi;

/* As nvp_relay_scpi.open; deadline_ms of each exchange, 0: the usual one. */
struct nvp_scpi *nvp_scpi_open(const char *address, uint32_t deadline_ms, struct nvp_err *err);
/* Of each exchange from now on. */
void nvp_scpi_deadline(struct nvp_scpi *s, uint32_t deadline_ms);

/* <Boolean> response (SCPI-1999 vol. 1, 7.3): "1", "0"; ON and OFF too. 1, 0 or -EPROTO. */
int nvp_scpi_bool(const char *answer);
/* Volts as <NRf>: millivolts, -EPROTO (no number), -ERANGE (9.91E37 is SCPI's "not a number"). */
int nvp_scpi_millivolts(const char *answer);
/* SYSTem:ERRor? (SCPI-1999 vol. 2, 21.8): the code before the comma. 0 or -EPROTO. */
int nvp_scpi_error(const char *answer, int *code);

#endif
