// SPDX-License-Identifier: GPL-2.0-or-later
// The front door: what a drive object is, its errors, its time, and what the runner asks of it.

#include <nvproof/drive_ops.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/drive/door.h"
#include "core/drive/prepare.h"

/* Real waits are cut in slices of this length, so that a long command is not taken for a hang. */
#define HEARTBEAT_NS NVP_NS_PER_S

int nvp_drive_fail_at(struct nvp_drive *drive, enum nvp_err_kind kind, int code, const char *file,
		      int line, const char *format, ...)
{
	char text[sizeof(drive->err.what)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	drive->err = (struct nvp_err){ 0 };
	return nvp_err_at(&drive->err, kind, code, file, line, "%s", text);
}

const struct nvp_err *nvp_drive_err(const struct nvp_drive *drive)
{
	return &drive->err;
}

const struct nvp_clock *nvp_drive_clock(struct nvp_drive *drive)
{
	return drive->clock;
}

uint32_t nvp_drive_path(const struct nvp_drive *drive)
{
	return drive->path;
}

const struct nvp_facts *nvp_drive_facts(const struct nvp_drive *drive)
{
	return &drive->facts;
}

uint64_t nvp_drive_now_ns(const struct nvp_drive *drive)
{
	return nvp_clock_now_ns(drive->clock);
}

uint64_t nvp_drive_budget_ns(const struct nvp_drive *drive, enum nvp_time_class time_class)
{
	/* Admin and I/O as the Linux driver has them: a slower drive does not work there either. */
	static const uint64_t budget_ns[NVP_NR_TIME_CLASSES] = {
		[NVP_TIME_DEFAULT] = 30 * NVP_NS_PER_S,
		[NVP_TIME_REGISTER] = 1 * NVP_NS_PER_S,
		[NVP_TIME_ADMIN] = 60 * NVP_NS_PER_S,
		[NVP_TIME_IO] = 30 * NVP_NS_PER_S,
		[NVP_TIME_FORMAT] = 3600 * NVP_NS_PER_S,
		[NVP_TIME_SANITIZE] = 24 * 3600 * NVP_NS_PER_S,
		[NVP_TIME_POWER] = 60 * NVP_NS_PER_S,
	};

	if ((unsigned)time_class >= NVP_NR_TIME_CLASSES)
		time_class = NVP_TIME_DEFAULT;
	return budget_ns[time_class] * drive->timeout_scale;
}

void nvp_drive_heartbeat(struct nvp_drive *drive)
{
	if (drive->observed && drive->observer.heartbeat)
		drive->observer.heartbeat(drive->observer.context);
}

void nvp_drive_note(struct nvp_drive *drive, const char *format, ...)
{
	char text[256];
	va_list args;

	if (!drive->observed || !drive->observer.note)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	drive->observer.note(drive->observer.context, text);
}

void nvp_drive_observe(struct nvp_drive *drive, const struct nvp_observer *observer)
{
	drive->observed = observer != NULL;
	if (!observer)
		return;
	drive->observer = *observer;
	for (unsigned i = 0; i < drive->nr_unseen && observer->broken; i++)
		observer->broken(observer->context, drive->unseen[i].invariant,
				 drive->unseen[i].site, drive->unseen[i].expected,
				 drive->unseen[i].seen);
	drive->nr_unseen = 0;
}

uint64_t nvp_drive_take_tick(struct nvp_drive *drive)
{
	return drive->trace ? 0 : ++drive->tick;
}

uint64_t nvp_drive_last_tick(const struct nvp_drive *drive)
{
	return drive->trace ? nvp_trace_last_tick(drive->trace) : drive->tick;
}

int nvp_drive_need(struct nvp_drive *drive, uint32_t path, const char *what)
{
	if ((drive->path & path) == path)
		return 0;
	return nvp_drive_fail(drive, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
			      "%s cannot be done through the path \"%s\"", what, drive->base->name);
}

int nvp_drive_wait(struct nvp_drive *drive, const struct nvp_wait *wait)
{
	struct nvp_wait slice = *wait;

	for (;;) {
		uint64_t now_ns = nvp_drive_now_ns(drive);
		int woken;

		slice.until_ns = wait->until_ns;
		if (!drive->clock->virtual_time && now_ns < wait->until_ns &&
		    wait->until_ns - now_ns > HEARTBEAT_NS)
			slice.until_ns = now_ns + HEARTBEAT_NS;
		woken = drive->clock->wait(drive->clock->context, &slice);
		nvp_drive_heartbeat(drive);
		if (woken != NVP_WOKEN_TIME || slice.until_ns == wait->until_ns)
			return woken;
	}
}

void nvp_drive_permit(struct nvp_drive *drive, uint32_t impacts)
{
	drive->guard.permitted = impacts;
}

void nvp_drive_set_case(struct nvp_drive *drive, uint32_t case_number)
{
	drive->came_back = NULL;
	drive->guard.case_number = case_number;
	drive->tracer.case_number = case_number;
}

unsigned nvp_drive_outstanding(const struct nvp_drive *drive)
{
	return drive->nr_outstanding;
}

void nvp_forget_cancelled(struct nvp_drive *drive)
{
	for (struct nvp_sq *sq = drive->sqs; sq; sq = sq->next)
		nvp_flights_forget(sq);
}

void nvp_drive_free_case_memory(struct nvp_drive *drive)
{
	for (struct nvp_cq *cq = drive->cqs; cq; cq = cq->next)
		nvp_cq_drain(cq);
	nvp_check_dma(drive);
	nvp_drive_check_late(drive);
	nvp_drive_free_queues(drive, false);
	nvp_drive_free_bufs(drive, false);
	nvp_forget_cancelled(drive);
	for (struct nvp_cq *cq = drive->cqs; cq; cq = cq->next) {
		cq->hold_head = false;
		if (cq->state == NVP_QUEUE_LIVE && cq->unrung)
			nvp_ring_head(cq);
	}
}

static void stack_wrappers(struct nvp_drive *drive, struct nvp_trace *trace)
{
	drive->ops = drive->base;
	drive->backend = drive->base_backend;
	if (trace) {
		drive->tracer = (struct nvp_wrap){
			.next = drive->ops,
			.next_backend = drive->backend,
			.trace = trace,
			.clock = drive->clock,
		};
		drive->ops = &nvp_wrap_trace_ops;
		drive->backend = &drive->tracer;
	}
	drive->guard = (struct nvp_wrap){
		.next = drive->ops,
		.next_backend = drive->backend,
		.trace = trace,
		.clock = drive->clock,
	};
	drive->ops = &nvp_wrap_guard_ops;
	drive->backend = &drive->guard;
}

/* Until the runner says otherwise: everything on a simulated drive, reads on a real one. */
static uint32_t first_permission(const struct nvp_drive *drive)
{
	return drive->path & NVP_PATH_SIMULATED ? NVP_IMPACT_ALL | NVP_IMPACT_PERMANENT
						: NVP_IMPACT_READ;
}

static int bring_up(struct nvp_drive *drive, struct nvp_err *err)
{
	int rc = nvp_baseline(drive);

	/*
	 * A drive that does not become ready or refuses its first commands stays open: the cases
	 * that test this must be able to say so. It is just not at its baseline.
	 */
	if (rc == 0 || rc == -ETIMEDOUT || rc == -EPROTO)
		return 0;
	if (err && !err->code)
		*err = drive->err;
	return rc;
}

struct nvp_drive *nvp_drive_open(struct nvp_prepared *prepared, struct nvp_trace *trace,
				 unsigned timeout_scale, struct nvp_err *err)
{
	struct nvp_drive *drive = calloc(1, sizeof(*drive));
	struct nvp_drive_open open = {
		.address = nvp_prepared_address(prepared),
		.prepared = nvp_prepared_backend(prepared),
		.timeout_scale = timeout_scale ? timeout_scale : 1,
	};

	if (!drive) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "open %s: out of memory", open.address);
		return NULL;
	}
	drive->base = nvp_prepared_ops(prepared);
	drive->timeout_scale = open.timeout_scale;
	drive->trace = trace;
	drive->base_backend = drive->base->open(&open, err);
	if (!drive->base_backend) {
		nvp_err_set(err, NVP_ERR_BROKEN, -EIO, "open %s", open.address);
		free(drive);
		return NULL;
	}
	drive->clock = drive->base->clock(drive->base_backend);
	drive->path = drive->base->path(drive->base_backend);
	stack_wrappers(drive, trace);
	drive->guard.permitted = first_permission(drive);
	nvp_rand_fill(drive->guard_page, sizeof(drive->guard_page), UINT64_C(0x6e767067));
	drive->scratch = nvp_buf_make(drive, NVP_IDENTIFY_BYTES, true);
	if (!drive->scratch || nvp_depth_open(drive)) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM,
			    "open %s: no memory that the drive can reach", open.address);
		nvp_drive_close(drive);
		return NULL;
	}
	if (bring_up(drive, err)) {
		nvp_drive_close(drive);
		return NULL;
	}
	return drive;
}

void nvp_drive_close(struct nvp_drive *drive)
{
	if (!drive)
		return;
	/* Memory may go only once the controller has let go of it: stop it first, and cleanly. */
	if (drive->path & NVP_PATH_RESETS && !nvp_drive_gone(drive)) {
		nvp_drive_baseline_begin(drive);
		if (drive->cc & 1)
			nvp_ctrl_shutdown(drive, false, NULL);
		nvp_ctrl_disable(drive, NULL);
		nvp_drive_baseline_end(drive);
		nvp_drive_check_late(drive);
	}
	/* Commands that the kernel keeps may still write into their buffers: those stay. */
	if (nvp_depth_drain(drive)) {
		drive->base->close(drive->base_backend);
		return;
	}
	nvp_drive_free_queues(drive, true);
	nvp_drive_free_bufs(drive, true);
	for (unsigned i = 0; i < drive->nr_buried; i++)
		drive->base->ring_free(drive->base_backend, drive->buried[i]);
	drive->base->close(drive->base_backend);
	free(drive->ns);
	free(drive);
}
