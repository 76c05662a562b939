/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The little of io_uring that nvproof uses; the one file behind it calls liburing. */
#ifndef NVP_BASE_URING_H
#define NVP_BASE_URING_H

#include <stdint.h>

struct nvp_uring;

/* A ring of so many entries (a power of two, up to 32768); NULL and *error, a negative errno. */
struct nvp_uring *nvp_uring_new(unsigned entries, int *error);
void nvp_uring_free(struct nvp_uring *ring);

/* Put a no-op into the ring: 0, or -EAGAIN when it is full (submit first). Does not submit. */
int nvp_uring_nop(struct nvp_uring *ring, uint64_t user_data);
/* Submit, and wait for at least `wait` completions: how many went in, or a negative errno. */
int nvp_uring_submit(struct nvp_uring *ring, unsigned wait);
/* Take up to max completions: their user_data and results; how many. */
unsigned nvp_uring_reap(struct nvp_uring *ring, uint64_t *user_data, int32_t *result, unsigned max);

#endif
