/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small history given to the oracle, and both checkers compared on it. */
#ifndef NVP_TESTS_ORACLE_REPLAY_H
#define NVP_TESTS_ORACLE_REPLAY_H

#include "tests/unit/oracle_slow.h"

/* The oracle after that history; NULL: it refused an event. */
struct nvp_oracle *nvp_slow_replay(const struct nvp_slow_history *h);
/* true when both allow the same, block by block and together; else it prints the history. */
bool nvp_slow_agree(const struct nvp_slow_history *h);
void nvp_slow_print(const struct nvp_slow_history *h);

#endif
