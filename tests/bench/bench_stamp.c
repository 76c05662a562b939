// SPDX-License-Identifier: GPL-2.0-or-later
// GB/s at which blocks are stamped and checked on one core, by processor time; aims: 5 and 10.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/stamp.h"

#define BUFFER_BYTES (256u << 10) /* stays in the second-level cache, as a queue's buffers do */
#define TOTAL_BYTES  (UINT64_C(2) << 30)

static double cpu_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static int measure(uint8_t *buf, uint32_t lba_bytes)
{
	uint32_t per = BUFFER_BYTES / lba_bytes;
	uint64_t rounds = TOTAL_BYTES / BUFFER_BYTES, bad = 0;
	struct nvp_stamp stamp = { .run = 0x1234567890abcdef, .nsid = 1 };
	struct nvp_stamp_found found;
	double begin, fill_s, check_s;

	begin = cpu_s();
	for (uint64_t r = 0; r < rounds; r++) {
		stamp.seq = r;
		for (uint32_t i = 0; i < per; i++) {
			stamp.lba = i;
			nvp_stamp_fill(buf + (size_t)i * lba_bytes, lba_bytes, &stamp);
		}
	}
	fill_s = cpu_s() - begin;
	begin = cpu_s();
	for (uint64_t r = 0; r < rounds; r++)
		for (uint32_t i = 0; i < per; i++) {
			stamp.lba = i;
			bad += nvp_stamp_check(buf + (size_t)i * lba_bytes, lba_bytes, &stamp,
					       &found) != NVP_STAMP_GOOD;
		}
	check_s = cpu_s() - begin;
	printf("stamp, blocks of %4u bytes: fill %5.2f GB/s (aim 5), check %5.2f GB/s (aim 10)\n",
	       lba_bytes, (double)TOTAL_BYTES / fill_s / 1e9, (double)TOTAL_BYTES / check_s / 1e9);
	return bad ? 1 : 0;
}

int main(void)
{
	uint8_t *buf = aligned_alloc(4096, BUFFER_BYTES);
	int rc;

	if (!buf)
		return 1;
	rc = measure(buf, 512) | measure(buf, 4096);
	free(buf);
	return rc;
}
