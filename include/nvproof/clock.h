/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time as an object of the rig: real on hardware, virtual on the simulated drive. */
#ifndef NVPROOF_CLOCK_H
#define NVPROOF_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NVP_NEVER_NS UINT64_MAX
#define NVP_NS_PER_US 1000ULL
#define NVP_NS_PER_MS 1000000ULL
#define NVP_NS_PER_S 1000000000ULL

/*
 * One completion-queue entry being watched: the wait ends when bit 0 of *phase_byte (byte 14 of
 * the entry; the Phase Tag, NVMe Base 2.0 section 3.3.3.2) equals expected_phase.
 */
struct nvp_watch {
	const volatile uint8_t *phase_byte;
	uint8_t expected_phase;		/* 0 or 1 */
};

/*
 * What one call of wait() waits for. It ends at the first of: a vector of `vectors` is pending
 * (bit n = vector n; vectors 64 and up can only be polled through the pending call of bar.h), a
 * watched entry changed phase, until_ns is reached. With all empty it just waits until until_ns.
 */
struct nvp_wait {
	uint64_t vectors;
	const struct nvp_watch *watch;	/* borrowed for the call; may be NULL */
	unsigned nr_watch;
	uint64_t until_ns;		/* absolute, on this clock; NVP_NEVER_NS is refused (-EINVAL) */
};

enum nvp_woken { NVP_WOKEN_TIME = 0, NVP_WOKEN_VECTOR = 1, NVP_WOKEN_PHASE = 2 };

/*
 * A clock is borrowed from whoever made it (a drive backend, or nvp_clock_real()) and lives as
 * long as that. now_ns counts from an arbitrary start and never goes back. wait returns an
 * enum nvp_woken, or a negative errno (-ENODEV: the device is gone; -EINTR is never returned).
 * There is no other way to let time pass.
 */
struct nvp_clock {
	uint64_t (*now_ns)(void *context);
	int (*wait)(void *context, const struct nvp_wait *wait);
	void *context;
	bool virtual_time;	/* true: waiting costs no wall time */
};

/* CLOCK_MONOTONIC; its wait sleeps, and polls watched entries; it knows no vectors. */
const struct nvp_clock *nvp_clock_real(void);

static inline uint64_t nvp_clock_now_ns(const struct nvp_clock *clock)
{
	return clock->now_ns(clock->context);
}

/* now + duration, saturating one below NVP_NEVER_NS. */
uint64_t nvp_clock_deadline_ns(const struct nvp_clock *clock, uint64_t duration_ns);

/* Has one of the watched entries the phase that is waited for? What it holds may be read then. */
bool nvp_clock_watch_changed(const struct nvp_wait *wait);

/* Let duration_ns pass. 0 or a negative errno as wait. */
int nvp_clock_pass(const struct nvp_clock *clock, uint64_t duration_ns);

#ifdef __cplusplus
}
#endif
#endif
