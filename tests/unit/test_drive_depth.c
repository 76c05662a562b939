// SPDX-License-Identifier: GPL-2.0-or-later
// The door over a backend with queues of its own that takes several I/O commands at once.

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/prepare.h"
#include "tests/unit/unit.h"

#define DEPTH 5

/* Gives back the last command first, unless `held`; the answer of each is in its Dword 14. */
struct deep {
	struct { struct nvp_exec exec; struct nvp_sqe sqe; uint64_t tag; } command[DEPTH];
	unsigned nr, nr_sent, nr_waits;
	bool held;
	int error;
	uint64_t now_ns;
	struct nvp_clock clock;
	struct nvp_prepared *prepared;
	struct nvp_trace *trace;
	struct nvp_drive *drive;
};

static void *deep_open(const struct nvp_drive_open *open, struct nvp_err *err)
{
	(void)err;
	return open->prepared;
}

static void deep_close(void *backend)
{
	(void)backend;
}

static uint32_t deep_path(void *backend)
{
	(void)backend;
	return NVP_PATH_DEPTH;
}

static uint64_t deep_now(void *context)
{
	return ((struct deep *)context)->now_ns;
}

static const struct nvp_clock *deep_clock(void *backend)
{
	return &((struct deep *)backend)->clock;
}

static void *deep_alloc(void *backend, size_t bytes, uint64_t *iova)
{
	(void)backend;
	*iova = 0;
	return aligned_alloc(4096, bytes);
}

static void deep_free(void *backend, void *memory, size_t bytes)
{
	(void)backend;
	(void)bytes;
	free(memory);
}

static int deep_exec(void *backend, const struct nvp_exec *exec, struct nvp_cpl *cpl,
		     struct nvp_err *err)
{
	(void)backend;
	(void)err;
	memset(exec->data, 0, exec->data_bytes);
	*cpl = (struct nvp_cpl){ 0 };
	return 0;
}

static unsigned deep_depth(void *backend)
{
	(void)backend;
	return DEPTH;
}

static int deep_post(void *backend, const struct nvp_exec *exec, uint64_t tag, struct nvp_err *err)
{
	struct deep *d = backend;

	(void)err;
	CU_ASSERT_FATAL(d->nr < DEPTH);
	d->command[d->nr].exec = *exec;
	d->command[d->nr].sqe = *exec->sqe;
	d->command[d->nr++].tag = tag;
	return 0;
}

static int deep_send(void *backend, struct nvp_err *err)
{
	struct deep *d = backend;

	(void)err;
	d->nr_sent = d->nr;
	return 0;
}

static int deep_take(void *backend, struct nvp_exec_end *end)
{
	struct deep *d = backend;

	if (d->held || !d->nr_sent)
		return 0;
	d->nr_sent--;
	d->nr--;
	*end = (struct nvp_exec_end){
		.tag = d->command[d->nr].tag, .error = d->error, .reason = "made up",
		.cid = nvp_sqe_cid(&d->command[d->nr].sqe),
		.cpl.dw0 = nvp_sqe_dw(&d->command[d->nr].sqe, 14),
	};
	return 1;
}

static int deep_wait(void *backend, uint64_t until_ns)
{
	struct deep *d = backend;

	d->nr_waits++;
	if (!d->held && d->nr_sent)
		return 1;
	d->now_ns = until_ns;
	return 0;
}

static const struct nvp_drive_ops deep_ops = {
	.name = "deep", .help = "takes several commands", .open = deep_open, .close = deep_close,
	.path = deep_path, .clock = deep_clock, .buf_alloc = deep_alloc, .buf_free = deep_free,
	.exec = deep_exec, .depth = deep_depth, .exec_post = deep_post, .exec_send = deep_send,
	.exec_take = deep_take, .exec_wait = deep_wait,
};

static void open_deep(struct deep *d)
{
	struct nvp_err err = { 0 };

	d->clock = (struct nvp_clock){ .now_ns = deep_now, .context = d };
	d->trace = nvp_trace_new(256);
	d->prepared = nvp_prepared_of(&deep_ops, d, "deep:", "D");
	d->drive = nvp_drive_open(d->prepared, d->trace, 1, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(d->drive);
}

static void close_deep(struct deep *d)
{
	nvp_drive_close(d->drive);
	nvp_drive_discard(d->prepared);
	nvp_trace_free(d->trace);
}

static bool says(const struct deep *d, const char *words)
{
	char text[300];

	return strstr(nvp_err_text(nvp_drive_err(d->drive), text, sizeof(text)), words) != NULL;
}

/* A read with `mark` as its answer. */
static int submit(struct deep *d, uint32_t mark, struct nvp_buf *buf, uint16_t *cid)
{
	struct nvp_cmd cmd = nvp_build_read(1, mark, 0, 512);

	cmd.data = buf;
	cmd.data_offset = 512 * (size_t)mark;
	nvp_sqe_set_dw(&cmd.sqe, 14, mark);
	return nvp_submit(nvp_io_sq(d->drive), &cmd, cid);
}

static void commands_travel_together_and_come_back_in_any_order(void)
{
	struct deep d = { 0 };
	struct nvp_trace_record record;
	struct nvp_buf *buf;
	struct nvp_cpl cpl;
	unsigned sent = 0;
	uint16_t cid[3];

	open_deep(&d);
	buf = nvp_buf_new(d.drive, 4096);
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(submit(&d, i, buf, &cid[i]), 0);
	CU_ASSERT_EQUAL(d.nr_sent, 0);
	CU_ASSERT_FALSE(nvp_at_baseline(d.drive));
	CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(d.drive)), 0);
	CU_ASSERT_EQUAL(d.nr_sent, 3);
	CU_ASSERT_PTR_EQUAL(d.command[1].exec.data, nvp_buf_data(buf) + 512);
	CU_ASSERT_EQUAL(d.command[1].exec.data_bytes, 512);
	CU_ASSERT_EQUAL(d.command[1].exec.timeout_ns, 30 * NVP_NS_PER_S);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(d.drive), cid[1], &cpl), 0);
	CU_ASSERT_EQUAL(cpl.dw0, 1);
	CU_ASSERT_EQUAL(cpl.cid, cid[1]);
	CU_ASSERT_FALSE(cpl.has_queue_fields);
	CU_ASSERT_TRUE(cpl.sub_tick < cpl.ack_tick);
	CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(d.drive), &cpl), 1); /* came while we waited */
	CU_ASSERT_EQUAL(cpl.dw0, 2);
	CU_ASSERT_EQUAL(nvp_reap_until(nvp_io_cq(d.drive), d.now_ns + 1, &cpl), 1);
	CU_ASSERT_EQUAL(cpl.dw0, 0);
	CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(d.drive), &cpl), 0);
	CU_ASSERT_TRUE(nvp_at_baseline(d.drive));
	for (uint64_t tick = 1; nvp_trace_get(d.trace, tick, &record); tick++)
		sent += record.kind == NVP_TRACE_SENT;
	CU_ASSERT_EQUAL(sent, 1);
	close_deep(&d);
}

static void no_more_than_the_depth_at_once(void)
{
	struct deep d = { 0 };
	struct nvp_buf *buf;
	struct nvp_cpl cpl;

	open_deep(&d);
	buf = nvp_buf_new(d.drive, 4096);
	for (unsigned turn = 0; turn < 3; turn++) {
		for (uint32_t i = 0; i < DEPTH; i++)
			CU_ASSERT_EQUAL(submit(&d, i, buf, NULL), 0);
		CU_ASSERT_EQUAL(submit(&d, 0, buf, NULL), -ENOSPC);
		CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(d.drive)), 0);
		for (uint32_t i = 0; i < DEPTH; i++)
			CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(d.drive), &cpl), 1);
	}
	close_deep(&d);
}

static void what_the_kernel_builds_is_refused(void)
{
	struct nvp_cmd write = nvp_build_write(1, 0, 0, 512), flush = nvp_build_flush(1);
	struct deep d = { 0 };
	struct nvp_cmd raw = flush;

	open_deep(&d);
	raw.raw_cid = true;
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(d.drive), &raw, NULL), -EOPNOTSUPP);
	raw = flush;
	raw.raw_dptr = true;
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(d.drive), &raw, NULL), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_post_raw(nvp_io_sq(d.drive), &flush.sqe), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_ring_tail_raw(nvp_io_sq(d.drive), 1), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_ring_head_raw(nvp_io_cq(d.drive), 1), -EOPNOTSUPP);
	/* not allowed: at once, as everywhere */
	write.data = nvp_buf_new(d.drive, 512);
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(d.drive), &write, NULL), -EPERM);
	CU_ASSERT_TRUE(says(&d, "Write needs --allow data"));
	CU_ASSERT_EQUAL(d.nr, 0);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(d.drive), 0);
	close_deep(&d);
}

static void errors_of_the_kernel_are_not_the_drives(void)
{
	struct deep d = { .error = -ENODEV };
	struct nvp_buf *buf;
	struct nvp_cpl cpl;
	uint16_t cid;

	open_deep(&d);
	buf = nvp_buf_new(d.drive, 4096);
	CU_ASSERT_EQUAL(submit(&d, 1, buf, &cid), 0);
	CU_ASSERT_EQUAL(submit(&d, 2, buf, NULL), 0);
	CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(d.drive)), 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(d.drive), cid, &cpl), -ENODEV);
	CU_ASSERT_TRUE(says(&d, "Read: made up"));
	CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(d.drive), &cpl), -ENODEV);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(d.drive), 0);
	/* and the next one is good again */
	d.error = 0;
	CU_ASSERT_EQUAL(submit(&d, 1, buf, &cid), 0);
	CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(d.drive)), 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(d.drive), cid, &cpl), 0);
	close_deep(&d);
}

/* The kernel has its own timeout: one that keeps a command beyond it is no drive that failed. */
static void kept_command_is_broken_and_waited_for(void)
{
	struct deep d = { .held = true };
	struct nvp_buf *buf;
	struct nvp_cpl cpl;
	uint16_t cid;

	open_deep(&d);
	buf = nvp_buf_new(d.drive, 4096);
	CU_ASSERT_EQUAL(submit(&d, 1, buf, &cid), 0);
	CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(d.drive)), 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(d.drive), cid, &cpl), -EIO);
	CU_ASSERT_TRUE(says(&d, "the kernel did not give Read"));
	CU_ASSERT_EQUAL(d.now_ns, 90 * NVP_NS_PER_S);
	CU_ASSERT_TRUE(d.nr_waits >= 90); /* in slices, each with a heartbeat */
	CU_ASSERT_EQUAL(nvp_baseline(d.drive), -EIO);
	CU_ASSERT_FALSE(nvp_at_baseline(d.drive));
	d.held = false;
	CU_ASSERT_EQUAL(nvp_baseline(d.drive), 0);
	CU_ASSERT_TRUE(nvp_at_baseline(d.drive));
	/* posted and never handed over: the end of a case takes care of it */
	CU_ASSERT_EQUAL(submit(&d, 1, buf, &cid), 0);
	CU_ASSERT_EQUAL(nvp_baseline(d.drive), 0);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(d.drive), 0);
	close_deep(&d);
}

extern CU_TestInfo nvp_unit_drive_depth[];
CU_TestInfo nvp_unit_drive_depth[] = {
	{ "commands_travel_together_and_come_back_in_any_order",
	  commands_travel_together_and_come_back_in_any_order },
	{ "no_more_than_the_depth_at_once", no_more_than_the_depth_at_once },
	{ "what_the_kernel_builds_is_refused", what_the_kernel_builds_is_refused },
	{ "errors_of_the_kernel_are_not_the_drives", errors_of_the_kernel_are_not_the_drives },
	{ "kept_command_is_broken_and_waited_for", kept_command_is_broken_and_waited_for },
	CU_TEST_INFO_NULL,
};
