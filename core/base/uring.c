// SPDX-License-Identifier: GPL-2.0-or-later
// io_uring through liburing, and nowhere else.

#include "core/base/uring.h"

#include <errno.h>
#include <stdlib.h>

#include <liburing.h>

struct nvp_uring {
	struct io_uring ring;
};

struct nvp_uring *nvp_uring_new(unsigned entries, int *error)
{
	struct nvp_uring *u = calloc(1, sizeof(*u));

	*error = u ? io_uring_queue_init(entries, &u->ring, 0) : -ENOMEM;
	if (*error) {
		free(u);
		return NULL;
	}
	return u;
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
