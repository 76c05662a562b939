// SPDX-License-Identifier: GPL-2.0-or-later
// A function behind VFIO as the BAR contract has it: our own driver on real hardware.

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/drive/bar_vfio_device.h"
#include "core/drive/controller.h"

#define SPIN_NS	    (20 * NVP_NS_PER_US)	/* an entry is polled without pause so long */
#define PAUSE_NS    (50 * NVP_NS_PER_US)	/* then with pauses of this length */
#define MOST_WAITED 64u

/* --- time --------------------------------------------------------------------------------- */

static uint64_t vfio_now_ns(void *context)
{
	(void)context;
	return nvp_clock_now_ns(nvp_clock_real());
}

/* The kernel waits for the function: give it back at once. What is read from here on is gone. */
static bool wanted_back(struct nvp_vfio *v)
{
	struct pollfd request = { .fd = v->request_fd, .events = POLLIN };

	if (v->device < 0)
		return true;
	if (poll(&request, 1, 0) <= 0)
		return false;
	v->taken = true;
	nvp_vfio_close_device(v);
	return true;
}

static unsigned poll_set(const struct nvp_vfio *v, const struct nvp_wait *wait, struct pollfd *fds)
{
	unsigned nr = 0;

	fds[nr++] = (struct pollfd){ .fd = v->request_fd, .events = POLLIN };
	for (unsigned i = 0; i < v->nr_vectors && i < MOST_WAITED; i++)
		if (wait->vectors >> i & 1)
			fds[nr++] = (struct pollfd){ .fd = v->vector_fd[i], .events = POLLIN };
	return nr;
}

/* Sleep until a file has something, an entry may have come, or the time is over. */
static int doze(struct nvp_vfio *v, const struct nvp_wait *wait, uint64_t now_ns, bool spin)
{
	struct pollfd fds[MOST_WAITED + 1];
	unsigned nr = poll_set(v, wait, fds);
	uint64_t pause_ns = now_ns < wait->until_ns ? wait->until_ns - now_ns : 0;
	struct timespec ts;

	if (wait->nr_watch && pause_ns > PAUSE_NS)
		pause_ns = PAUSE_NS;
	if (spin)
		pause_ns = 0;
	ts = (struct timespec){ .tv_sec = (time_t)(pause_ns / NVP_NS_PER_S),
				.tv_nsec = (long)(pause_ns % NVP_NS_PER_S) };
	if (ppoll(fds, nr, &ts, NULL) <= 0)
		return NVP_WOKEN_TIME;
	if (fds[0].revents && wanted_back(v))
		return -ENODEV;
	for (unsigned i = 1; i < nr; i++)
		if (fds[i].revents & POLLIN)
			return NVP_WOKEN_VECTOR;
	return NVP_WOKEN_TIME;
}

static int vfio_wait(void *context, const struct nvp_wait *wait)
{
	struct nvp_vfio *v = context;
	uint64_t begin_ns = vfio_now_ns(v);
	bool asked = false;

	if (wait->until_ns == NVP_NEVER_NS)
		return -EINVAL;
	for (;;) {
		uint64_t now_ns;
		bool spin;
		int woken;

		if (nvp_clock_watch_changed(wait))
			return NVP_WOKEN_PHASE;
		now_ns = vfio_now_ns(v);
		spin = wait->nr_watch && now_ns - begin_ns < SPIN_NS;
		/* Spinning asks the files once, so that a vector already pending is seen. */
		if (!spin || (wait->vectors && !asked)) {
			woken = doze(v, wait, now_ns, spin);
			asked = true;
			if (woken != NVP_WOKEN_TIME)
				return woken;
		}
		if (now_ns >= wait->until_ns)
			return nvp_clock_watch_changed(wait) ? NVP_WOKEN_PHASE : NVP_WOKEN_TIME;
	}
}

static const struct nvp_clock *vfio_clock(void *bar)
{
	return &((struct nvp_vfio *)bar)->clock;
}

/* --- open and close ----------------------------------------------------------------------- */

static void vfio_close(void *bar)
{
	struct nvp_vfio *v = bar;

	nvp_vfio_close_device(v);
	nvp_vfio_close_group(v);
	if (v->sysfs_config >= 0)
		close(v->sysfs_config);
	for (unsigned i = 0; i < v->nr_vectors; i++)
		close(v->vector_fd[i]);
	if (v->request_fd >= 0)
		close(v->request_fd);
	free(v->vector_fd);
	nvp_iova_clear(&v->iova);
	nvp_vfio_release_sigbus(&v->before);
	free(v);
}

static void *vfio_open(const struct nvp_bar_open *open, struct nvp_err *err)
{
	const struct nvp_vfio_prepared *prepared = open->prepared;
	struct nvp_vfio *v = calloc(1, sizeof(*v));

	if (!v) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "open %s: out of memory", open->address);
		return NULL;
	}
	v->place = prepared->place;
	v->container = v->group = v->device = v->sysfs_config = v->request_fd = -1;
	v->clock = (struct nvp_clock){ .now_ns = vfio_now_ns, .wait = vfio_wait, .context = v };
	nvp_vfio_catch_sigbus(&v->before);
	if (nvp_vfio_open_group(v, err) || nvp_vfio_open_device(v, err)) {
		vfio_close(v);
		return NULL;
	}
	v->id = nvp_vfio_config_real(v, NVP_PCI_ID, 4);
	return v;
}

/* --- registers ---------------------------------------------------------------------------- */

/*
 * What a root port makes of a read that nobody answers is its own affair (PCI Express Base 5.0,
 * 2.3.2): most say all-ones, QEMU's says 0. Then configuration space tells who it was.
 */
static bool unanswered(struct nvp_vfio *v, uint64_t value)
{
	return !value && nvp_vfio_config_real(v, NVP_PCI_ID, 4) == UINT32_MAX;
}

static uint64_t vfio_read(void *bar, uint64_t offset, unsigned bytes)
{
	struct nvp_vfio *v = bar;
	uint64_t gone = UINT64_MAX >> (64 - 8 * bytes), value;

	if (!v->regs || offset >= v->regs_bytes || bytes > v->regs_bytes - offset)
		return gone;
	if (!nvp_vfio_load(v->regs + offset, bytes, &value) || unanswered(v, value))
		return gone;
	return value;
}

static void vfio_write(void *bar, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct nvp_vfio *v = bar;

	if (v->regs && offset < v->regs_bytes && bytes <= v->regs_bytes - offset)
		nvp_vfio_store(v->regs + offset, bytes, value);
}

static uint64_t vfio_bar_bytes(void *bar)
{
	return ((struct nvp_vfio *)bar)->regs_bytes;
}

/* What the hardware says, where that can be read: VFIO answers some of it from memory. */
static int vfio_config_read(void *bar, unsigned offset, unsigned bytes, uint32_t *value)
{
	*value = nvp_vfio_config_real(bar, offset, bytes);
	return 0;
}

/* A function that is gone takes writes like one that is there, and keeps nothing. */
static int vfio_config_write(void *bar, unsigned offset, unsigned bytes, uint32_t value)
{
	nvp_vfio_config_write(bar, offset, bytes, value);
	return 0;
}

/* --- memory ------------------------------------------------------------------------------- */

static int vfio_dma_map(void *bar, void *va, size_t bytes, uint64_t *iova)
{
	struct nvp_vfio *v = bar;
	struct nvp_iova_map map = { .va = va, .bytes = bytes };
	int rc = nvp_iova_take(&v->iova, va, bytes, &map.iova);

	if (rc)
		return rc;
	rc = nvp_vfio_map(v, &map);
	if (rc)
		nvp_iova_give(&v->iova, map.iova, &map);
	else
		*iova = map.iova;
	return rc;
}

static int vfio_dma_unmap(void *bar, uint64_t iova)
{
	struct nvp_vfio *v = bar;
	struct nvp_iova_map map;
	int rc = nvp_iova_give(&v->iova, iova, &map);

	return rc ? rc : nvp_vfio_unmap(v, &map);
}

/* --- interrupts --------------------------------------------------------------------------- */

static unsigned vfio_nr_vectors(void *bar)
{
	return ((struct nvp_vfio *)bar)->nr_vectors;
}

static bool vfio_vector_take(void *bar, unsigned vector)
{
	struct nvp_vfio *v = bar;
	uint64_t fired;

	return vector < v->nr_vectors &&
	       read(v->vector_fd[vector], &fired, sizeof(fired)) == sizeof(fired);
}

/* --- resets ------------------------------------------------------------------------------- */

static uint32_t vfio_resets(void *bar)
{
	return nvp_vfio_resets(bar);
}

static int vfio_reset(void *bar, enum nvp_reset kind, struct nvp_err *err)
{
	return nvp_vfio_reset(bar, kind, err);
}

static int vfio_reattach(void *bar, uint64_t until_ns, struct nvp_err *err)
{
	return nvp_vfio_reattach(bar, until_ns, err);
}

static const char *vfio_came_back(void *bar)
{
	return ((struct nvp_vfio *)bar)->came_back;
}

#define PCI_HELP "pci:0000:01:00.0   a drive through VFIO, by our own driver (nvproof bind)"

const struct nvp_bar_ops nvp_bar_vfio = {
	.scheme = "pci",
	.help = PCI_HELP,
	.open = vfio_open,
	.close = vfio_close,
	.read = vfio_read,
	.write = vfio_write,
	.bar_bytes = vfio_bar_bytes,
	.config_read = vfio_config_read,
	.config_write = vfio_config_write,
	.dma_map = vfio_dma_map,
	.dma_unmap = vfio_dma_unmap,
	.nr_vectors = vfio_nr_vectors,
	.vector_take = vfio_vector_take,
	.resets = vfio_resets,
	.reset = vfio_reset,
	.reattach = vfio_reattach,
	.clock = vfio_clock,
	.came_back = vfio_came_back,
};

static void *drive_open(const struct nvp_drive_open *open, struct nvp_err *err)
{
	return nvp_controller_open(&nvp_bar_vfio, open, 0, err);
}

const struct nvp_drive_ops nvp_drive_pci = {
	.name = "pci",
	.help = PCI_HELP,
	.open = drive_open,
	NVP_CONTROLLER_SLOTS,
};
