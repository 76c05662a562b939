// SPDX-License-Identifier: GPL-2.0-or-later
// The real clock, and what every clock offers on top of its two calls.

#include <nvproof/clock.h>

#include <errno.h>
#include <stddef.h>
#include <time.h>

/* A watched entry is polled without a pause this long, then with pauses of POLL_PAUSE_NS. */
#define POLL_SPIN_NS (20 * NVP_NS_PER_US)
#define POLL_PAUSE_NS (50 * NVP_NS_PER_US)

static uint64_t real_now_ns(void *context)
{
	struct timespec ts;

	(void)context;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NVP_NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void sleep_until(uint64_t until_ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(until_ns / NVP_NS_PER_S),
		.tv_nsec = (long)(until_ns % NVP_NS_PER_S),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

bool nvp_clock_watch_changed(const struct nvp_wait *wait)
{
	for (unsigned i = 0; i < wait->nr_watch; i++) {
		/* Acquire: the rest of the entry is read after its phase. */
		uint8_t byte = __atomic_load_n(wait->watch[i].phase_byte, __ATOMIC_ACQUIRE);

		if ((byte & 1) == (wait->watch[i].expected_phase & 1))
			return true;
	}
	return false;
}

static int real_wait(void *context, const struct nvp_wait *wait)
{
	uint64_t begin_ns = real_now_ns(context);
	uint64_t now_ns = begin_ns;

	if (wait->until_ns == NVP_NEVER_NS || wait->vectors)
		return -EINVAL;
	if (!wait->nr_watch) {
		sleep_until(wait->until_ns);
		return NVP_WOKEN_TIME;
	}
	for (;;) {
		if (nvp_clock_watch_changed(wait))
			return NVP_WOKEN_PHASE;
		if (now_ns >= wait->until_ns)
			return NVP_WOKEN_TIME;
		if (now_ns - begin_ns >= POLL_SPIN_NS) {
			uint64_t next_ns = now_ns + POLL_PAUSE_NS;

			sleep_until(next_ns < wait->until_ns ? next_ns : wait->until_ns);
		}
		now_ns = real_now_ns(context);
	}
}

static const struct nvp_clock real_clock = {
	.now_ns = real_now_ns,
	.wait = real_wait,
};

const struct nvp_clock *nvp_clock_real(void)
{
	return &real_clock;
}

uint64_t nvp_clock_deadline_ns(const struct nvp_clock *clock, uint64_t duration_ns)
{
	uint64_t now_ns = nvp_clock_now_ns(clock);

	if (duration_ns >= NVP_NEVER_NS - 1 - now_ns)
		return NVP_NEVER_NS - 1;
	return now_ns + duration_ns;
}

int nvp_clock_pass(const struct nvp_clock *clock, uint64_t duration_ns)
{
	struct nvp_wait wait = { .until_ns = nvp_clock_deadline_ns(clock, duration_ns) };
	int woken = clock->wait(clock->context, &wait);

	return woken < 0 ? woken : 0;
}
