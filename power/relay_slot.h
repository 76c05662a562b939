/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slot of a port, below a root of the tests' own. */
#ifndef NVP_POWER_RELAY_SLOT_H
#define NVP_POWER_RELAY_SLOT_H

#include <nvproof/err.h>

/* root: "" on a real system; all files are read and written below it. For nvp_relay_slot's calls. */
void *nvp_relay_slot_open(const char *root, const char *address, struct nvp_err *err);

#endif
