// SPDX-License-Identifier: GPL-2.0-or-later
// Commands of the NVMe driver's character devices through io_uring, many under way.

#include "core/drive/kernel_depth.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/nvme_ioctl.h>

#include "core/base/bits.h"
#include "core/base/uring.h"

_Static_assert(sizeof(struct nvme_uring_cmd) <= NVP_URING_PAYLOAD_BYTES,
	       "a command fits into a wide entry");

struct place {
	bool used;
	uint16_t cid;
	uint64_t tag, begin_ns, timeout_ns;
};

struct nvp_kernel_depth {
	struct nvp_uring *ring;
	const struct nvp_kernel_drive *drive;
	int *fd;	/* by place in drive->ns; -1 where I/O may not go */
	unsigned nr_ready;
	struct place place[NVP_KERNEL_DEPTH];
};

/* The generic device of a block device: "ng0n1" of "nvme0n1". */
static int open_generic(const char *root, const char *name)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/dev/ng%s", root, name + strlen("nvme")) >=
	    sizeof(path))
		return -1;
	return open(path, O_RDWR | O_CLOEXEC);
}

static bool open_all(struct nvp_kernel_depth *d, const char *root)
{
	for (unsigned i = 0; i < d->drive->nr_ns; i++) {
		if (d->drive->only_nsid && d->drive->ns[i].nsid != d->drive->only_nsid)
			continue;
		d->fd[i] = open_generic(root, d->drive->ns[i].name);
		if (d->fd[i] < 0)
			return false;
	}
	return true;
}

struct nvp_kernel_depth *nvp_kernel_depth_new(const char *root,
					      const struct nvp_kernel_drive *drive,
					      const char **why)
{
	struct nvp_kernel_depth *d = calloc(1, sizeof(*d));
	int error = 0;

	*why = "out of memory";
	if (!d)
		return NULL;
	d->drive = drive;
	d->fd = malloc((drive->nr_ns ? drive->nr_ns : 1) * sizeof(*d->fd));
	if (!d->fd)
		goto fail;
	for (unsigned i = 0; i < drive->nr_ns; i++)
		d->fd[i] = -1;
	d->ring = nvp_uring_new_wide(64, &error);
	if (!d->ring) {
		*why = error == -EINVAL ? "io_uring commands need Linux 5.19" :
		       error == -ENOSYS ? "this kernel has no io_uring" :
		       error == -EPERM ? "io_uring is not permitted (kernel.io_uring_disabled)" :
					 "io_uring cannot be set up";
		goto fail;
	}
	if (!open_all(d, root)) {
		*why = "a namespace has no generic character device (/dev/ngXnY)";
		goto fail;
	}
	return d;

fail:
	nvp_kernel_depth_free(d);
	return NULL;
}

void nvp_kernel_depth_free(struct nvp_kernel_depth *d)
{
	if (!d)
		return;
	/* The door has drained it, or leaves the memory of what is still under way where it is. */
	nvp_uring_free(d->ring);
	for (unsigned i = 0; d->fd && i < d->drive->nr_ns; i++)
		if (d->fd[i] >= 0)
			close(d->fd[i]);
	free(d->fd);
	free(d);
}

static int target(const struct nvp_kernel_depth *d, uint32_t nsid)
{
	for (unsigned i = 0; i < d->drive->nr_ns; i++)
		if (d->drive->ns[i].nsid == nsid && d->fd[i] >= 0)
			return d->fd[i];
	return -1;
}

static struct nvme_uring_cmd command(const struct nvp_exec *exec)
{
	const struct nvp_sqe *sqe = exec->sqe;
	uint64_t timeout_ms = exec->timeout_ns / NVP_NS_PER_MS;

	return (struct nvme_uring_cmd){
		.opcode = nvp_sqe_opcode(sqe),
		.flags = sqe->bytes[1],
		.nsid = nvp_sqe_dw(sqe, 1),
		.cdw2 = nvp_sqe_dw(sqe, 2),
		.cdw3 = nvp_sqe_dw(sqe, 3),
		.addr = (uint64_t)(uintptr_t)exec->data,
		.data_len = (uint32_t)exec->data_bytes,
		.metadata = (uint64_t)(uintptr_t)exec->meta,
		.metadata_len = (uint32_t)exec->meta_bytes,
		.cdw10 = nvp_sqe_dw(sqe, 10),
		.cdw11 = nvp_sqe_dw(sqe, 11),
		.cdw12 = nvp_sqe_dw(sqe, 12),
		.cdw13 = nvp_sqe_dw(sqe, 13),
		.cdw14 = nvp_sqe_dw(sqe, 14),
		.cdw15 = nvp_sqe_dw(sqe, 15),
		.timeout_ms = timeout_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)timeout_ms,
	};
}

int nvp_kernel_depth_post(struct nvp_kernel_depth *d, const struct nvp_exec *exec, uint64_t tag,
			  struct nvp_err *err)
{
	struct nvme_uring_cmd cmd = command(exec);
	int fd = target(d, cmd.nsid), rc;
	unsigned i = 0;

	if (fd < 0)
		return nvp_err_set(err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
				   "the kernel sends I/O to a namespace that is open, and NSID %u "
				   "is not", cmd.nsid);
	while (i < NVP_ARRAY_SIZE(d->place) && d->place[i].used)
		i++;
	if (i == NVP_ARRAY_SIZE(d->place))
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOSPC, "%u commands are under way",
				   NVP_KERNEL_DEPTH);
	rc = nvp_uring_command(d->ring, fd, NVME_URING_CMD_IO, &cmd, sizeof(cmd), i);
	if (rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "the ring takes no command");
	d->place[i] = (struct place){
		.used = true, .tag = tag, .timeout_ns = exec->timeout_ns,
		.cid = nvp_sqe_cid(exec->sqe),
	};
	d->nr_ready++;
	return 0;
}

int nvp_kernel_depth_send(struct nvp_kernel_depth *d, struct nvp_err *err)
{
	uint64_t now_ns = nvp_clock_now_ns(nvp_clock_real());

	for (unsigned i = 0; i < NVP_ARRAY_SIZE(d->place); i++)
		if (d->place[i].used && !d->place[i].begin_ns)
			d->place[i].begin_ns = now_ns;
	while (d->nr_ready) {
		int rc = nvp_uring_submit(d->ring, 0);

		if (rc == -EINTR)
			continue;
		if (rc <= 0)
			return nvp_err_set(err, NVP_ERR_BROKEN, rc ? rc : -EIO,
					   "the kernel took %u commands less than it was given",
					   d->nr_ready);
		d->nr_ready -= nvp_min_u64((unsigned)rc, d->nr_ready);
	}
	return 0;
}

int nvp_kernel_depth_take(struct nvp_kernel_depth *d, struct nvp_exec_end *end)
{
	struct nvp_uring_end got;
	struct place *place;
	int rc;

	if (!nvp_uring_take(d->ring, &got) || got.user_data >= NVP_ARRAY_SIZE(d->place))
		return 0;
	place = &d->place[got.user_data];
	place->used = false;
	*end = (struct nvp_exec_end){ .tag = place->tag, .cid = place->cid };
	rc = nvp_kernel_answer(got.result,
			       nvp_clock_now_ns(nvp_clock_real()) - place->begin_ns,
			       place->timeout_ns, &end->cpl.status, &end->reason);
	end->error = rc;
	if (!rc)
		end->cpl.dw0 = (uint32_t)got.extra;
	return 1;
}

int nvp_kernel_depth_wait(struct nvp_kernel_depth *d, uint64_t until_ns)
{
	uint64_t now_ns = nvp_clock_now_ns(nvp_clock_real());
	int rc = nvp_uring_wait(d->ring, until_ns > now_ns ? until_ns - now_ns : 0);

	return rc < 0 ? -EIO : rc;
}
