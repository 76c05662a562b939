// SPDX-License-Identifier: GPL-2.0-or-later
// Commands through the kernel's NVMe driver. The one file that calls libnvme.

#include "core/drive/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libnvme.h>

#include "core/drive/controller.h"
#include "core/drive/kernel_depth.h"

#define PAGE_BYTES	4096u
/* From here on memory comes in huge pages: the kernel limits the number of segments. */
#define HUGE_FROM_BYTES (128u << 10)
#define HUGE_BYTES	(2u << 20)
/* Below what a worker may be silent for. */
#define LIVE_NS		(20 * NVP_NS_PER_S)
#define LIVE_POLL_NS	(50 * NVP_NS_PER_MS)

struct nvp_kernel_prepared {
	struct nvp_kernel_drive drive;
	char *root;
	int fd; /* of the controller; holds the lock */
};

struct kernel {
	const struct nvp_kernel_prepared *prepared;
	int *ns_fd; /* by place in prepared->drive.ns */
	struct nvp_kernel_depth *depth;	/* NULL: one command at a time */
};

const char *nvp_kernel_library(void)
{
	return nvme_get_version(NVME_VERSION_PROJECT);
}

static int check_library(struct nvp_err *err)
{
	if (nvp_kernel_library_fits(nvp_kernel_library()))
		return 0;
	nvp_err_set(err, NVP_ERR_BROKEN, -ELIBBAD,
		    "libnvme %s cannot be used: its calls are not those of version 1",
		    nvp_kernel_library());
	nvp_err_advice(err, "apt-get install --reinstall libnvme1");
	return -ELIBBAD;
}

/* --- before the fork ---------------------------------------------------------------------- */

static int open_device(const char *root, const char *name, struct nvp_err *err)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/%s", root, name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return nvp_err_set(err, NVP_ERR_USAGE, -errno, "drive \"/dev/%s\": %s", name,
				   errno == EACCES || errno == EPERM ? "no permission to open it"
								     : strerror(errno));
	return fd;
}

/* One lock for a controller and all its namespaces, whichever of them was named. */
static int lock(int fd, const char *name, struct nvp_err *err)
{
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno == EWOULDBLOCK)
		return nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY,
				   "drive \"/dev/%s\": another nvproof works on it", name);
	return nvp_err_set(err, NVP_ERR_BROKEN, -errno, "lock /dev/%s: %s", name, strerror(errno));
}

struct nvp_kernel_prepared *nvp_kernel_prepare(const char *root, const char *path,
					       struct nvp_err *err)
{
	struct nvp_kernel_prepared *p = calloc(1, sizeof(*p));

	if (!p) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "open %s: out of memory", path);
		return NULL;
	}
	p->fd = -1;
	p->root = strdup(root);
	if (!p->root) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "open %s: out of memory", path);
		goto fail;
	}
	if (check_library(err) || nvp_kernel_find(root, path, &p->drive, err))
		goto fail;
	p->fd = open_device(root, p->drive.controller, err);
	if (p->fd < 0 || lock(p->fd, p->drive.controller, err))
		goto fail;
	return p;

fail:
	nvp_kernel_discard(p);
	return NULL;
}

void nvp_kernel_discard(struct nvp_kernel_prepared *p)
{
	if (!p)
		return;
	if (p->fd >= 0)
		close(p->fd);
	nvp_kernel_forget(&p->drive);
	free(p->root);
	free(p);
}

const char *nvp_kernel_serial(const struct nvp_kernel_prepared *p)
{
	return p->drive.serial;
}

const char *nvp_kernel_model(const struct nvp_kernel_prepared *p)
{
	return p->drive.model;
}

const char *nvp_kernel_controller(const struct nvp_kernel_prepared *p)
{
	return p->drive.controller;
}

int nvp_kernel_in_use(const struct nvp_kernel_prepared *p, char *text, size_t bytes)
{
	return nvp_in_use(p->root, &p->drive, text, bytes);
}

bool nvp_kernel_holds(const struct nvp_kernel_prepared *p, unsigned major, unsigned minor, char *text,
		      size_t bytes)
{
	return nvp_lies_on(p->root, &p->drive, major, minor, text, bytes);
}

/*
 * While somebody resets the controller the kernel fails what it is given at once, with a status of
 * its own: a worker that opens the drive again after such a case waits until that is over.
 */
static int wait_live(const struct nvp_kernel_prepared *p, struct nvp_err *err)
{
	const struct nvp_clock *clock = nvp_clock_real();
	uint64_t until_ns = nvp_clock_deadline_ns(clock, LIVE_NS);
	char path[128], state[32] = "";

	snprintf(path, sizeof(path), "/sys/class/nvme/%.30s/state", p->drive.controller);
	for (;;) {
		struct nvp_wait wait = { .until_ns = nvp_clock_deadline_ns(clock, LIVE_POLL_NS) };

		/* No such file: a kernel that does not say. */
		if (nvp_read_line(p->root, path, state, sizeof(state)) || !strcmp(state, "live"))
			return 0;
		if (!strcmp(state, "dead") || !strncmp(state, "deleting", 8) ||
		    nvp_clock_now_ns(clock) >= until_ns)
			return nvp_err_set(err, NVP_ERR_BROKEN, -ENODEV,
					   "drive \"/dev/%s\": the kernel says that it is %s",
					   p->drive.controller, state);
		clock->wait(clock->context, &wait);
	}
}

/* --- the backend -------------------------------------------------------------------------- */

static void kernel_close(void *backend)
{
	struct kernel *k = backend;

	nvp_kernel_depth_free(k->depth);
	for (unsigned i = 0; k->ns_fd && i < k->prepared->drive.nr_ns; i++)
		if (k->ns_fd[i] >= 0)
			close(k->ns_fd[i]);
	free(k->ns_fd);
	free(k);
}

static void *kernel_open(const struct nvp_drive_open *open_args, struct nvp_err *err)
{
	const struct nvp_kernel_prepared *p = open_args->prepared;
	struct kernel *k = calloc(1, sizeof(*k));
	unsigned nr = p->drive.nr_ns;
	const char *why;

	if (k) {
		k->prepared = p;
		k->ns_fd = malloc((nr ? nr : 1) * sizeof(*k->ns_fd));
	}
	if (!k || !k->ns_fd) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "open %s: out of memory",
			    open_args->address);
		free(k);
		return NULL;
	}
	for (unsigned i = 0; i < nr; i++)
		k->ns_fd[i] = -1;
	if (wait_live(p, err)) {
		kernel_close(k);
		return NULL;
	}
	for (unsigned i = 0; i < nr; i++) {
		if (p->drive.only_nsid && p->drive.ns[i].nsid != p->drive.only_nsid)
			continue;
		k->ns_fd[i] = open_device(p->root, p->drive.ns[i].name, err);
		if (k->ns_fd[i] < 0) {
			kernel_close(k);
			return NULL;
		}
	}
	k->depth = nvp_kernel_depth_new(p->root, &p->drive, &why);
	return k;
}

static uint32_t kernel_path(void *backend)
{
	const struct kernel *k = backend;

	return k->depth ? NVP_PATH_DEPTH : 0;
}

static const struct nvp_clock *kernel_clock(void *backend)
{
	(void)backend;
	return nvp_clock_real();
}

static void *kernel_buf_alloc(void *backend, size_t bytes, uint64_t *iova)
{
	void *memory = NULL;

	(void)backend;
	*iova = 0;
	if (posix_memalign(&memory, bytes >= HUGE_FROM_BYTES ? HUGE_BYTES : PAGE_BYTES, bytes))
		return NULL;
	if (bytes >= HUGE_FROM_BYTES)
		madvise(memory, bytes, MADV_HUGEPAGE);
	return memory;
}

static void kernel_buf_free(void *backend, void *memory, size_t bytes)
{
	(void)backend;
	(void)bytes;
	free(memory);
}

/* The descriptor that the command goes to; I/O goes to the namespace that it names. */
static int target(const struct kernel *k, bool admin, const struct nvp_sqe *sqe,
		  struct nvp_err *err)
{
	const struct nvp_kernel_drive *drive = &k->prepared->drive;
	uint32_t nsid = nvp_sqe_dw(sqe, 1);

	if (admin)
		return k->prepared->fd;
	for (unsigned i = 0; i < drive->nr_ns; i++)
		if (drive->ns[i].nsid == nsid && k->ns_fd[i] >= 0)
			return k->ns_fd[i];
	return nvp_err_set(err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
			   "the kernel sends I/O to a namespace that is open, and NSID %u is not",
			   nsid);
}

static struct nvme_passthru_cmd64 passthru(const struct nvp_exec *exec)
{
	const struct nvp_sqe *sqe = exec->sqe;
	uint64_t timeout_ms = exec->timeout_ns / NVP_NS_PER_MS;

	return (struct nvme_passthru_cmd64){
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

/*
 * The kernel takes the direction from opcode bits 1:0 (section 3.3.3.1): a command that moves data
 * another way would lose it or leave the buffer as it was, without an error.
 */
static bool direction_lost(const struct nvp_sqe *sqe, enum nvp_dir dir, size_t data_bytes)
{
	bool write = nvp_sqe_opcode(sqe) & 1;

	return data_bytes && write != (dir == NVP_DIR_TO_DRIVE);
}

/* 0, or an error with what the kernel would make another command of, or not take. */
static int refuse(const struct nvp_exec *exec, struct nvp_err *err)
{
	const char *reason = nvp_kernel_refusal(!exec->admin, exec->sqe);

	if (!reason && direction_lost(exec->sqe, exec->dir, exec->data_bytes))
		reason = "the kernel takes the direction of data from the opcode";
	if (!reason && (exec->data_bytes > UINT32_MAX || exec->meta_bytes > UINT32_MAX))
		reason = "more data than the kernel takes in one command";
	return reason ? nvp_err_set(err, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP, "%s", reason) : 0;
}

static int kernel_exec(void *backend, const struct nvp_exec *exec, struct nvp_cpl *cpl,
		       struct nvp_err *err)
{
	struct kernel *k = backend;
	struct nvme_passthru_cmd64 cmd = passthru(exec);
	int fd, rc = refuse(exec, err);
	uint64_t begin_ns, result = 0;
	const char *reason;

	if (rc)
		return rc;
	fd = target(k, exec->admin, exec->sqe, err);
	if (fd < 0)
		return fd;
	begin_ns = nvp_clock_now_ns(nvp_clock_real());
	errno = 0;
	rc = exec->admin ? nvme_submit_admin_passthru64(fd, &cmd, (__u64 *)&result)
		   : nvme_submit_io_passthru64(fd, &cmd, (__u64 *)&result);
	if (rc < 0)
		rc = errno ? -errno : -EIO;
	rc = nvp_kernel_answer(rc, nvp_clock_now_ns(nvp_clock_real()) - begin_ns, exec->timeout_ns,
			       &cpl->status, &reason);
	if (rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "%s", reason);
	cpl->dw0 = (uint32_t)result;
	return 0;
}

/* --- several at once -------------------------------------------------------------------------- */

static unsigned kernel_depth(void *backend)
{
	const struct kernel *k = backend;

	return k->depth ? NVP_KERNEL_DEPTH : 0;
}

static int kernel_exec_post(void *backend, const struct nvp_exec *exec, uint64_t tag,
			    struct nvp_err *err)
{
	struct kernel *k = backend;
	int rc = refuse(exec, err);

	return rc ? rc : nvp_kernel_depth_post(k->depth, exec, tag, err);
}

static int kernel_exec_send(void *backend, struct nvp_err *err)
{
	struct kernel *k = backend;

	return nvp_kernel_depth_send(k->depth, err);
}

static int kernel_exec_take(void *backend, struct nvp_exec_end *end)
{
	struct kernel *k = backend;

	return nvp_kernel_depth_take(k->depth, end);
}

static int kernel_exec_wait(void *backend, uint64_t until_ns)
{
	struct kernel *k = backend;

	return nvp_kernel_depth_wait(k->depth, until_ns);
}

static uint32_t kernel_only_nsid(void *backend)
{
	const struct kernel *k = backend;

	return k->prepared->drive.only_nsid;
}

const struct nvp_drive_ops nvp_drive_kernel = {
	.name = "kernel",
	.help = "/dev/nvme0 or /dev/nvme0n1   a drive of the kernel's driver",
	.open = kernel_open,
	.close = kernel_close,
	.path = kernel_path,
	.clock = kernel_clock,
	.buf_alloc = kernel_buf_alloc,
	.buf_free = kernel_buf_free,
	.exec = kernel_exec,
	.depth = kernel_depth,
	.exec_post = kernel_exec_post,
	.exec_send = kernel_exec_send,
	.exec_take = kernel_exec_take,
	.exec_wait = kernel_exec_wait,
	.only_nsid = kernel_only_nsid,
};
