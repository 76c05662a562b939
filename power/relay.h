/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of relay, one const table of calls each. */
#ifndef NVP_POWER_RELAY_H
#define NVP_POWER_RELAY_H

#include <nvproof/power.h>

extern const struct nvp_relay_ops nvp_relay_exec;
extern const struct nvp_relay_ops nvp_relay_gpiod;
extern const struct nvp_relay_ops nvp_relay_keeper;
extern const struct nvp_relay_ops nvp_relay_lcus;
extern const struct nvp_relay_ops nvp_relay_quarch;
extern const struct nvp_relay_ops nvp_relay_scpi;
extern const struct nvp_relay_ops nvp_relay_sim;
extern const struct nvp_relay_ops nvp_relay_slot;
extern const struct nvp_relay_ops nvp_relay_usbhid;

/* All that are built, NULL-ended. */
const struct nvp_relay_ops *const *nvp_relay_kinds(void);

#endif
