// SPDX-License-Identifier: GPL-2.0-or-later
// 4 KiB reads a second through our driver and the simulated drive on one core, beside two yardsticks;
// by wall time, and by processor time for a machine that is busy with other things.

#include <nvproof/build.h>
#include <nvproof/drive_ops.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/rand.h"
#include "core/base/uring.h"

#define DEPTH	    32
#define READ_BYTES  4096u
#define NR_READS    2000000u
#define SPAN_BLOCKS 4096u /* of 4 KiB: what was written before */

/* Seconds; as a difference, what something took. Below 0: it went wrong. */
struct took {
	double wall_s, cpu_s;
};

static const struct took failed = { -1, -1 };

static double seconds(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static struct took since(struct took begin)
{
	return (struct took){
		.wall_s = seconds(CLOCK_MONOTONIC) - begin.wall_s,
		.cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin.cpu_s,
	};
}

#define NOW since((struct took){ 0, 0 })

static int prepare_data(struct nvp_drive *drive, struct nvp_buf *buf, uint32_t lba_bytes)
{
	unsigned per = READ_BYTES / lba_bytes;

	for (unsigned i = 0; i < SPAN_BLOCKS; i++) {
		struct nvp_cmd cmd =
			nvp_build_write(1, (uint64_t)i * per, (uint16_t)(per - 1), lba_bytes);
		struct nvp_cpl cpl;

		nvp_buf_fill_pattern(buf, i);
		cmd.data = buf;
		if (nvp_exec_io(drive, &cmd, &cpl) || !nvp_cpl_ok(&cpl))
			return -1;
	}
	return 0;
}

static struct took read_all(struct nvp_drive *drive, struct nvp_buf *const *buf, uint32_t lba_bytes,
			    unsigned nr)
{
	unsigned per = READ_BYTES / lba_bytes, given = 0, taken = 0;
	struct nvp_sq *sq = nvp_io_sq(drive);
	struct nvp_cq *cq = nvp_io_cq(drive);
	struct took begin = NOW;

	while (taken < nr) {
		struct nvp_cpl cpl;
		int rc;

		for (; given < nr && given - taken < DEPTH; given++) {
			uint64_t block = nvp_rand_mix(given) % SPAN_BLOCKS;
			struct nvp_cmd cmd =
				nvp_build_read(1, block * per, (uint16_t)(per - 1), lba_bytes);

			cmd.data = buf[given % DEPTH];
			if (nvp_submit(sq, &cmd, NULL))
				return failed;
		}
		if (nvp_ring_tail(sq))
			return failed;
		rc = nvp_reap_until(cq, nvp_clock_deadline_ns(nvp_drive_clock(drive), NVP_NS_PER_S),
				    &cpl);
		if (rc != 1 || !nvp_cpl_ok(&cpl))
			return failed;
		taken++;
		while (nvp_reap(cq, &cpl) == 1) {
			if (!nvp_cpl_ok(&cpl))
				return failed;
			taken++;
		}
	}
	return since(begin);
}

static struct took copy_all(unsigned nr)
{
	uint8_t *from = malloc((size_t)SPAN_BLOCKS * READ_BYTES);
	uint8_t *to = malloc((size_t)DEPTH * READ_BYTES);
	struct took begin, took = failed;

	if (from && to) {
		memset(from, 0x5a, (size_t)SPAN_BLOCKS * READ_BYTES);
		memset(to, 0, (size_t)DEPTH * READ_BYTES);
		begin = NOW;
		for (unsigned i = 0; i < nr; i++) {
			memcpy(to + i % DEPTH * READ_BYTES,
			       from + nvp_rand_mix(i) % SPAN_BLOCKS * READ_BYTES, READ_BYTES);
			__asm__ volatile("" : : "r"(to) : "memory");
		}
		took = since(begin);
	}
	free(from);
	free(to);
	return took;
}

static struct took nop_all(unsigned nr)
{
	uint64_t user_data[DEPTH];
	int32_t result[DEPTH];
	unsigned given = 0, taken = 0;
	struct nvp_uring *ring;
	struct took begin;
	int error;

	ring = nvp_uring_new(2 * DEPTH, &error);
	if (!ring) {
		fprintf(stderr, "io_uring: %s\n", strerror(-error));
		return failed;
	}
	begin = NOW;
	while (taken < nr) {
		for (; given < nr && given - taken < DEPTH; given++)
			nvp_uring_nop(ring, given);
		if (nvp_uring_submit(ring, 1) < 0)
			break;
		taken += nvp_uring_reap(ring, user_data, result, DEPTH);
	}
	nvp_uring_free(ring);
	return taken < nr ? failed : since(begin);
}

static void print(const char *name, struct took took, unsigned nr)
{
	if (took.wall_s <= 0)
		printf("%-44s not measured\n", name);
	else
		printf("%-44s %10.0f /s  %6.3f us each  %10.0f per cpu second\n", name,
		       nr / took.wall_s, took.wall_s * 1e6 / nr, nr / took.cpu_s);
}

static struct took measure_sim(const char *address, bool with_trace)
{
	struct nvp_trace *trace = with_trace ? nvp_trace_new(65536) : NULL;
	struct nvp_err err = { 0 };
	struct nvp_prepared *prepared = nvp_drive_prepare(address, 1, 0, &err);
	struct nvp_drive *drive = prepared ? nvp_drive_open(prepared, trace, 1, &err) : NULL;
	struct nvp_buf *buf[DEPTH];
	uint32_t lba_bytes;
	struct took took = failed;
	char text[400];

	if (!drive || !nvp_drive_facts(drive)->nr_ns) {
		fprintf(stderr, "%s: %s\n", address, nvp_err_text(&err, text, sizeof(text)));
	} else {
		lba_bytes = nvp_drive_facts(drive)->ns[0].id.lba_bytes;
		for (unsigned i = 0; i < DEPTH; i++)
			buf[i] = nvp_buf_new(drive, READ_BYTES);
		if (!prepare_data(drive, buf[0], lba_bytes))
			took = read_all(drive, buf, lba_bytes, NR_READS);
	}
	nvp_drive_close(drive);
	nvp_drive_discard(prepared);
	nvp_trace_free(trace);
	return took;
}

int main(void)
{
	struct took large = measure_sim("sim:lba=4096", false);
	struct took small = measure_sim("sim:lba=512", false);
	struct took traced = measure_sim("sim:lba=4096", true);

	print("4 KiB reads, depth 32, sim:lba=4096", large, NR_READS);
	print("4 KiB reads, depth 32, sim:lba=512", small, NR_READS);
	print("4 KiB reads, depth 32, sim:lba=4096, trace", traced, NR_READS);
	print("memcpy of the same bytes", copy_all(NR_READS), NR_READS);
	print("io_uring no-ops, depth 32", nop_all(NR_READS), NR_READS);
	return large.wall_s > 0 && small.wall_s > 0 && traced.wall_s > 0 ? 0 : 3;
}
