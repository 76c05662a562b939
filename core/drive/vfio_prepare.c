// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of a drive behind VFIO before a worker opens it: lock, serial, what is on it.

#include <nvproof/build.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "core/drive/kernel.h"
#include "core/drive/vfio.h"

#define LOOK_BYTES (1u << 20)	/* from each end of a namespace: where signatures are */

struct nvp_vfio_prepared *nvp_vfio_prepare(const char *root, const char *address,
					   struct nvp_err *err)
{
	struct nvp_vfio_prepared *p = calloc(1, sizeof(*p));

	if (!p) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "open %s: out of memory", address);
		return NULL;
	}
	p->lock_fd = -1;
	snprintf(p->serial, sizeof(p->serial), "unknown");
	if (!nvp_vfio_find(root, address, &p->place, err))
		p->lock_fd = nvp_vfio_lock(root, &p->place, err);
	/* Who has it is asked under the lock: another of us may just have handed it back. */
	if (p->lock_fd >= 0) {
		nvp_vfio_driver(root, p->place.bdf, p->place.driver, sizeof(p->place.driver));
		if (!nvp_vfio_ready(root, &p->place, err))
			return p;
	}
	nvp_vfio_discard(p);
	return NULL;
}

void nvp_vfio_discard(struct nvp_vfio_prepared *p)
{
	if (!p)
		return;
	if (p->lock_fd >= 0)
		close(p->lock_fd);
	free(p);
}

/* --- signatures --------------------------------------------------------------------------- */

struct look {
	struct nvp_drive *drive;
	const struct nvp_ns *ns;
	uint32_t lba_bytes;
	int fd;		/* a sparse file of the namespace's size */
};

/* Copy bytes at offset from the drive into the file. 0, or what the drive or the file would not. */
static int copy(const struct look *l, uint64_t offset, uint64_t bytes)
{
	const struct nvp_facts *facts = nvp_drive_facts(l->drive);
	uint64_t step = nvp_min_u64(facts->mdts_bytes ? facts->mdts_bytes : 131072, 131072);
	struct nvp_buf *buf;
	int rc = 0;

	step = nvp_max_u64(step, l->lba_bytes);
	buf = nvp_buf_new(l->drive, step);
	if (!buf)
		return -ENOMEM;
	for (uint64_t done = 0; !rc && done < bytes; done += step) {
		uint64_t now = nvp_min_u64(step, bytes - done);
		struct nvp_cmd cmd = nvp_build_read(l->ns->nsid, (offset + done) / l->lba_bytes,
						    (uint16_t)(now / l->lba_bytes - 1),
						    l->lba_bytes);
		struct nvp_cpl cpl;

		cmd.data = buf;
		rc = nvp_exec_io(l->drive, &cmd, &cpl);
		if (!rc && !nvp_cpl_ok(&cpl))
			rc = -EIO;
		if (!rc && pwrite(l->fd, nvp_buf_data(buf), now, (off_t)(offset + done)) < 0)
			rc = -errno;
	}
	nvp_buf_free(buf);
	return rc;
}

static int copy_ends(const struct look *l)
{
	uint64_t total = l->ns->id.nsze_lbas * l->lba_bytes;
	uint64_t ends = nvp_min_u64(total, LOOK_BYTES) / l->lba_bytes * l->lba_bytes;
	int rc = ftruncate(l->fd, (off_t)total) ? -errno : 0;

	if (!rc)
		rc = copy(l, 0, ends);
	return rc || total <= ends ? rc : copy(l, total - ends, ends);
}

/* As nvp_signature, through a file that holds both ends of the namespace. */
static int look_at(struct look *l, char *what, size_t bytes)
{
	char path[40];
	int rc;

	l->fd = memfd_create("nvproof-ends", MFD_CLOEXEC);
	if (l->fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", l->fd);
	rc = copy_ends(l);
	if (!rc)
		rc = nvp_signature(path, what, bytes);
	close(l->fd);
	return rc;
}

/* Blocks that carry metadata inside, or protection: reads of them are not what a host sees. */
static bool plain(const struct nvp_ns *ns)
{
	return ns->id.lba_bytes && !ns->id.metadata_bytes;
}

static void find_signatures(struct nvp_vfio_prepared *p, struct nvp_drive *drive)
{
	const struct nvp_facts *facts = nvp_drive_facts(drive);

	for (unsigned i = 0; i < facts->nr_all_ns && !p->in_use; i++) {
		struct look l = { .drive = drive, .ns = &facts->ns[i],
				  .lba_bytes = facts->ns[i].id.lba_bytes };
		char what[64];
		int rc;

		if (!facts->ns[i].id.nsze_lbas || !plain(l.ns))
			continue;
		rc = look_at(&l, what, sizeof(what));
		if (rc < 0)
			snprintf(what, sizeof(what), "something that cannot be read (%s)",
				 strerror(-rc));
		if (rc)
			snprintf(p->in_use_text, sizeof(p->in_use_text), "namespace %u carries %s",
				 l.ns->nsid, what);
		p->in_use = rc != 0;
	}
}

int nvp_vfio_other_port(const char *root, const char *subnqn, char *text, size_t bytes)
{
	char path[PATH_MAX], nqn[257];
	struct dirent *entry;
	int in_use = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/class/nvme", root);
	dir = subnqn[0] ? opendir(path) : NULL;
	while (dir && !in_use && (entry = readdir(dir))) {
		struct nvp_kernel_drive kernel;
		struct nvp_err err = { 0 };

		if (entry->d_name[0] == '.' || strlen(entry->d_name) > 31)
			continue;
		snprintf(path, sizeof(path), "/sys/class/nvme/%s/subsysnqn", entry->d_name);
		if (nvp_read_line(root, path, nqn, sizeof(nqn)) || strcmp(nqn, subnqn))
			continue;
		snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
		if (nvp_kernel_find(root, path, &kernel, &err))
			continue;
		in_use = nvp_in_use(root, &kernel, text, bytes);
		nvp_kernel_forget(&kernel);
	}
	if (dir)
		closedir(dir);
	return in_use;
}

void nvp_vfio_learn(struct nvp_vfio_prepared *p, struct nvp_drive *drive)
{
	const struct nvp_facts *facts = nvp_drive_facts(drive);

	/* A drive that does not become ready is still opened: its cases say so. */
	if (!nvp_at_baseline(drive))
		return;
	snprintf(p->serial, sizeof(p->serial), "%s", facts->ctrl.sn);
	snprintf(p->model, sizeof(p->model), "%s", facts->ctrl.mn);
	p->in_use = nvp_vfio_other_port("", facts->ctrl.subnqn, p->in_use_text,
					sizeof(p->in_use_text));
	if (!p->in_use)
		find_signatures(p, drive);
}
