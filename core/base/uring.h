/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The little of io_uring that nvproof uses; the one file behind it calls liburing. */
#ifndef NVP_BASE_URING_H
#define NVP_BASE_URING_H

#include <stddef.h>
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

/*
 * Commands of a driver (IORING_OP_URING_CMD). A wide ring has entries of 128 and completions of 32
 * bytes, which they need: Linux 5.19. As nvp_uring_new; nop, submit and free work on it, too.
 */
struct nvp_uring *nvp_uring_new_wide(unsigned entries, int *error);
#define NVP_URING_PAYLOAD_BYTES 80
/*
 * Put a command into a wide ring: op as the driver's header numbers it, its payload (copied, at
 * most NVP_URING_PAYLOAD_BYTES). 0, -EAGAIN when the ring is full, -E2BIG. Does not submit.
 */
int nvp_uring_command(struct nvp_uring *ring, int fd, uint32_t op, const void *payload,
		      size_t bytes, uint64_t user_data);
/* Of a command: result is the driver's or a negative errno, extra what it gives beside it. */
struct nvp_uring_end {
	uint64_t user_data;
	int32_t result;
	uint64_t extra;
};
/* Wait until one completion is there: 1; 0 when ns nanoseconds are over; or a negative errno. */
int nvp_uring_wait(struct nvp_uring *ring, uint64_t ns);
/* Take one completion of a wide ring: 1, or 0 when there is none. */
int nvp_uring_take(struct nvp_uring *ring, struct nvp_uring_end *end);

#endif
