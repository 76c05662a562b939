// SPDX-License-Identifier: GPL-2.0-or-later
// The ring: what fits into it, and what the kernel gives back.

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/uring.h"
#include "tests/unit/unit.h"

/* Needs io_uring with entries of 128 bytes (Linux 5.19): without it there is nothing to look at. */
static struct nvp_uring *wide(void)
{
	int error;

	return nvp_uring_new_wide(4, &error);
}

/* A file that takes no commands of a driver says so for each, under its own number. */
static void wide_ring_gives_each_command_back(void)
{
	struct nvp_uring *u = wide();
	char payload[NVP_URING_PAYLOAD_BYTES] = { 0 };
	struct nvp_uring_end end;
	unsigned seen = 0;
	int fd[2];

	CU_ASSERT_EQUAL_FATAL(pipe2(fd, O_CLOEXEC), 0);
	if (u) {
		for (uint64_t i = 0; i < 3; i++)
			CU_ASSERT_EQUAL(nvp_uring_command(u, fd[0], 1, payload, 80, 1 << i), 0);
		CU_ASSERT_EQUAL(nvp_uring_submit(u, 0), 3);
		for (unsigned i = 0; i < 3; i++) {
			CU_ASSERT_EQUAL(nvp_uring_wait(u, 10000000000), 1);
			CU_ASSERT_EQUAL_FATAL(nvp_uring_take(u, &end), 1);
			CU_ASSERT_TRUE(end.result < 0);
			seen |= (unsigned)end.user_data;
		}
		CU_ASSERT_EQUAL(seen, 7);
		CU_ASSERT_EQUAL(nvp_uring_take(u, &end), 0);
		CU_ASSERT_EQUAL(nvp_uring_wait(u, 1000), 0);
	}
	nvp_uring_free(u);
	close(fd[0]);
	close(fd[1]);
}

static void wide_ring_refuses_what_does_not_fit(void)
{
	struct nvp_uring *u = wide();
	char payload[NVP_URING_PAYLOAD_BYTES + 1] = { 0 };

	if (u) {
		CU_ASSERT_EQUAL(nvp_uring_command(u, -1, 1, payload, sizeof(payload), 0), -E2BIG);
		for (unsigned i = 0; i < 4; i++)
			CU_ASSERT_EQUAL(nvp_uring_command(u, -1, 1, payload, 80, 0), 0);
		CU_ASSERT_EQUAL(nvp_uring_command(u, -1, 1, payload, 80, 0), -EAGAIN);
	}
	nvp_uring_free(u);
}

extern CU_TestInfo nvp_unit_uring[];
CU_TestInfo nvp_unit_uring[] = {
	{ "wide_ring_gives_each_command_back", wide_ring_gives_each_command_back },
	{ "wide_ring_refuses_what_does_not_fit", wide_ring_refuses_what_does_not_fit },
	CU_TEST_INFO_NULL,
};
