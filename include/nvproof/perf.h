/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Performance: the engine contract and the state that every result carries. */
#ifndef NVPROOF_PERF_H
#define NVPROOF_PERF_H

#include <stdbool.h>
#include <stdint.h>

#include <nvproof/err.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The state of the drive while a figure was measured (DESIGN section 5). */
enum nvp_perf_state {
	NVP_PERF_EMPTY = 0,
	NVP_PERF_FILLED_SEQUENTIAL,
	NVP_PERF_FILLED_RANDOM,
	NVP_PERF_FILLED_DATA,	/* from a file that is named beside it */
	NVP_PERF_STEADY_RANDOM,
};

/* One operation for an engine; offset and length in bytes, multiples of the block. */
struct nvp_perf_op {
	uint64_t offset_bytes;
	uint32_t length_bytes;
	bool write;
	uint64_t intended_ns;	/* when the workload wanted it to start */
	uint64_t submitted_ns;
	uint64_t token;		/* the job's; returned untouched */
};

/*
 * An engine: null, nop, uring, passthru, drive. A queue of it belongs to one lane. submit gives
 * how many of nr were taken (0: full), reap how many came back, or a negative errno.
 */
struct nvp_perf_ops {
	const char *name;
	const char *help;
	void *(*open)(const char *address, unsigned depth, struct nvp_err *err);
	void (*close)(void *queue);
	uint64_t (*now_ns)(void *queue);
	int (*submit)(void *queue, struct nvp_perf_op *const *ops, unsigned nr);
	int (*reap)(void *queue, struct nvp_perf_op **done, unsigned nr);
	int (*wait_until)(void *queue, uint64_t until_ns);
};

#ifdef __cplusplus
}
#endif
#endif
