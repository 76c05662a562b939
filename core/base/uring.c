// SPDX-License-Identifier: GPL-2.0-or-later
// io_uring through liburing, and nowhere else.

#include "core/base/uring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <liburing.h>

/* A command's payload begins at byte 48 of its entry and runs to the end of the second half. */
_Static_assert(offsetof(struct io_uring_sqe, cmd) + NVP_URING_PAYLOAD_BYTES == 128,
	       "the payload fills a wide entry");

struct nvp_uring {
	struct io_uring ring;
};

static struct nvp_uring *new_ring(unsigned entries, unsigned flags, int *error)
{
	struct nvp_uring *u = calloc(1, sizeof(*u));

	*error = u ? io_uring_queue_init(entries, &u->ring, flags) : -ENOMEM;
	if (*error) {
		free(u);
		return NULL;
	}
	return u;
}

struct nvp_uring *nvp_uring_new(unsigned entries, int *error)
{
	return new_ring(entries, 0, error);
}

struct nvp_uring *nvp_uring_new_wide(unsigned entries, int *error)
{
	return new_ring(entries, IORING_SETUP_SQE128 | IORING_SETUP_CQE32, error);
}

void nvp_uring_free(struct nvp_uring *u)
{
	if (!u)
		return;
	io_uring_queue_exit(&u->ring);
	free(u);
}

int nvp_uring_nop(struct nvp_uring *u, uint64_t user_data)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);

	if (!sqe)
		return -EAGAIN;
	io_uring_prep_nop(sqe);
	io_uring_sqe_set_data64(sqe, user_data);
	return 0;
}

int nvp_uring_submit(struct nvp_uring *u, unsigned wait)
{
	return io_uring_submit_and_wait(&u->ring, wait);
}

unsigned nvp_uring_reap(struct nvp_uring *u, uint64_t *user_data, int32_t *result, unsigned max)
{
	struct io_uring_cqe *cqe;
	unsigned head, nr = 0;

	io_uring_for_each_cqe(&u->ring, head, cqe) {
		if (nr == max)
			break;
		user_data[nr] = io_uring_cqe_get_data64(cqe);
		result[nr++] = cqe->res;
	}
	io_uring_cq_advance(&u->ring, nr);
	return nr;
}

int nvp_uring_command(struct nvp_uring *u, int fd, uint32_t op, const void *payload, size_t bytes,
		      uint64_t user_data)
{
	struct io_uring_sqe *sqe;

	if (bytes > NVP_URING_PAYLOAD_BYTES)
		return -E2BIG;
	sqe = io_uring_get_sqe(&u->ring);
	if (!sqe)
		return -EAGAIN;
	/* By hand: liburing 2.3 has no call for it, and its own clear the first half only. */
	memset(sqe, 0, 2 * sizeof(*sqe));
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->fd = fd;
	sqe->cmd_op = op;
	memcpy((uint8_t *)sqe + offsetof(struct io_uring_sqe, cmd), payload, bytes);
	io_uring_sqe_set_data64(sqe, user_data);
	return 0;
}

int nvp_uring_wait(struct nvp_uring *u, uint64_t ns)
{
	struct __kernel_timespec time = {
		.tv_sec = (int64_t)(ns / 1000000000u), .tv_nsec = (long long)(ns % 1000000000u),
	};
	struct io_uring_cqe *cqe;
	int rc = io_uring_wait_cqe_timeout(&u->ring, &cqe, &time);

	/* A signal is no completion: the caller looks at the time again. */
	return !rc ? 1 : rc == -ETIME || rc == -EINTR ? 0 : rc;
}

int nvp_uring_take(struct nvp_uring *u, struct nvp_uring_end *end)
{
	struct io_uring_cqe *cqe;

	if (io_uring_peek_cqe(&u->ring, &cqe))
		return 0;
	*end = (struct nvp_uring_end){
		.user_data = io_uring_cqe_get_data64(cqe),
		.result = cqe->res,
		.extra = cqe->big_cqe[0],
	};
	io_uring_cqe_seen(&u->ring, cqe);
	return 1;
}
