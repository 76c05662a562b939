// SPDX-License-Identifier: GPL-2.0-or-later
// The door over a backend that has its own queues, as the kernel has: one command at a time.

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/prepare.h"
#include "tests/unit/unit.h"

/* A drive with NSIDs 3 and 9 that answers everything else with `status`. */
struct whole {
	uint32_t only_nsid;
	uint16_t status;
	int rc;
	int64_t stray;		/* write one byte there, counted from the data; 0: none */
	struct nvp_sqe sqe;	/* the last command */
	struct nvp_exec seen;	/* of it; its sqe is borrowed no more */
	unsigned nr, broken[NVP_NR_INVARIANTS], nr_broken, heartbeats;
	struct nvp_prepared *prepared;
	struct nvp_trace *trace;
	struct nvp_drive *drive;
};

static void *whole_open(const struct nvp_drive_open *open, struct nvp_err *err)
{
	(void)err;
	return open->prepared;
}

static void whole_close(void *backend)
{
	(void)backend;
}

static uint32_t whole_path(void *backend)
{
	(void)backend;
	return 0;
}

static const struct nvp_clock *whole_clock(void *backend)
{
	(void)backend;
	return nvp_clock_real();
}

static void *whole_alloc(void *backend, size_t bytes, uint64_t *iova)
{
	(void)backend;
	*iova = 0;
	return aligned_alloc(4096, bytes);
}

static void whole_free(void *backend, void *memory, size_t bytes)
{
	(void)backend;
	(void)bytes;
	free(memory);
}

static bool identify(const struct nvp_sqe *sqe, uint8_t *data)
{
	static const uint32_t nsids[] = { 3, 9 };

	if (nvp_sqe_opcode(sqe) != NVP_ADMIN_IDENTIFY)
		return false;
	memset(data, 0, 4096);
	switch (nvp_sqe_dw(sqe, 10) & 0xff) {
	case 0x00:
		nvp_put_le64(data, 100 * nvp_sqe_dw(sqe, 1));
		data[130] = 12;
		break;
	case 0x01:
		nvp_put_le32(data + 80, NVP_VERSION(1, 3, 0));
		data[77] = 5;	/* MDTS */
		nvp_put_le32(data + 516, 16);
		break;
	case 0x02:
		for (unsigned i = 0; i < 2; i++)
			nvp_put_le32(data + 4 * i, nsids[i]);
		break;
	}
	return true;
}

static int whole_exec(void *backend, const struct nvp_exec *exec, struct nvp_cpl *cpl,
		      struct nvp_err *err)
{
	struct whole *w = backend;

	w->sqe = *exec->sqe;
	w->seen = *exec;
	w->nr++;
	if (w->rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, w->rc, "made up");
	if (exec->admin && identify(exec->sqe, exec->data))
		return 0;
	if (w->stray)
		((uint8_t *)exec->data)[w->stray] ^= 0x5a;
	cpl->status = nvp_status_from_field(w->status);
	cpl->dw0 = 0x12345678;
	return 0;
}

static uint32_t whole_only_nsid(void *backend)
{
	return ((struct whole *)backend)->only_nsid;
}

static const struct nvp_drive_ops whole_ops = {
	.name = "whole",
	.help = "answers whole commands",
	.open = whole_open,
	.close = whole_close,
	.path = whole_path,
	.clock = whole_clock,
	.buf_alloc = whole_alloc,
	.buf_free = whole_free,
	.exec = whole_exec,
	.only_nsid = whole_only_nsid,
};

static void on_broken(void *context, enum nvp_invariant invariant, const char *site,
		      const char *expected, const char *seen)
{
	struct whole *w = context;

	(void)site;
	(void)expected;
	(void)seen;
	w->broken[invariant]++;
	w->nr_broken++;
}

static void on_heartbeat(void *context)
{
	((struct whole *)context)->heartbeats++;
}

static void open_whole(struct whole *w)
{
	struct nvp_observer observer = {
		.context = w, .broken = on_broken, .heartbeat = on_heartbeat,
	};
	struct nvp_err err = { 0 };

	w->trace = nvp_trace_new(256);
	w->prepared = nvp_prepared_of(&whole_ops, w, "whole:", "W");
	w->drive = nvp_drive_open(w->prepared, w->trace, 3, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w->drive);
	nvp_drive_observe(w->drive, &observer);
}

static void close_whole(struct whole *w)
{
	nvp_drive_close(w->drive);
	nvp_drive_discard(w->prepared);
	nvp_trace_free(w->trace);
}

static void facts_come_from_identify_alone(void)
{
	struct whole w = { 0 };
	const struct nvp_facts *facts;

	open_whole(&w);
	facts = nvp_drive_facts(w.drive);
	CU_ASSERT_TRUE(nvp_at_baseline(w.drive));
	CU_ASSERT_FALSE(facts->has_cap);
	CU_ASSERT_EQUAL(facts->version, NVP_VERSION(1, 3, 0));
	CU_ASSERT_EQUAL(facts->page_bytes, 4096);
	CU_ASSERT_EQUAL(facts->mdts_bytes, 131072);
	CU_ASSERT_EQUAL(facts->nr_io_sq, 0);
	CU_ASSERT_EQUAL_FATAL(facts->nr_ns, 2);
	CU_ASSERT_EQUAL(facts->ns[1].nsid, 9);
	CU_ASSERT_EQUAL(facts->ns[1].id.nsze_lbas, 900);
	CU_ASSERT_EQUAL(nvp_drive_path(w.drive), 0);
	CU_ASSERT_PTR_NULL(nvp_io_sq(w.drive));
	CU_ASSERT_EQUAL(nvp_resets(w.drive), 0);
	close_whole(&w);
}

static void one_namespace_may_be_all_there_is(void)
{
	struct whole w = { .only_nsid = 9 };

	open_whole(&w);
	CU_ASSERT_EQUAL_FATAL(nvp_drive_facts(w.drive)->nr_ns, 1);
	CU_ASSERT_EQUAL(nvp_drive_facts(w.drive)->ns[0].nsid, 9);
	close_whole(&w);
}

static void command_and_answer_pass_unchanged(void)
{
	struct whole w = { .status = 0x4281 };
	struct nvp_cmd cmd = nvp_build_read(3, 77, 7, 4096);
	struct nvp_trace_record record;
	struct nvp_cpl cpl;

	open_whole(&w);
	cmd.data = nvp_buf_new(w.drive, 40960);
	cmd.data_offset = 8192;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(memcmp(&w.sqe, &cmd.sqe, 64), 0);
	CU_ASSERT_FALSE(w.seen.admin);
	CU_ASSERT_EQUAL(w.seen.dir, NVP_DIR_FROM_DRIVE);
	CU_ASSERT_PTR_EQUAL(w.seen.data, nvp_buf_data(cmd.data) + 8192);
	CU_ASSERT_EQUAL(w.seen.data_bytes, 32768);
	CU_ASSERT_EQUAL(w.seen.timeout_ns, nvp_drive_budget_ns(w.drive, NVP_TIME_IO));
	CU_ASSERT_EQUAL(w.seen.timeout_ns, 90 * NVP_NS_PER_S);	/* timeout scale 3 */
	CU_ASSERT_EQUAL(cpl.status.sct, 2);
	CU_ASSERT_EQUAL(cpl.status.sc, 0x81);
	CU_ASSERT_EQUAL(cpl.dw0, 0x12345678);
	CU_ASSERT_FALSE(cpl.has_queue_fields);
	CU_ASSERT_TRUE(nvp_trace_get(w.trace, cpl.sub_tick, &record));
	CU_ASSERT_EQUAL(record.kind, NVP_TRACE_SQE);
	CU_ASSERT_EQUAL(record.qid, 1);
	CU_ASSERT_TRUE(nvp_trace_get(w.trace, cpl.ack_tick, &record));
	CU_ASSERT_EQUAL(record.kind, NVP_TRACE_CQE);
	CU_ASSERT_EQUAL(nvp_le32(record.payload), 0x12345678);
	CU_ASSERT_EQUAL(nvp_le16(record.payload + 14), 0x4281 << 1);
	CU_ASSERT_TRUE(w.heartbeats >= 1);
	CU_ASSERT_EQUAL(w.nr_broken, 0);
	/* The whole buffer, and one byte more than it has. */
	cmd.data_offset = 0;
	cmd.data_bytes = 40960;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), 0);
	cmd.data_bytes = 40961;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), -EINVAL);
	cmd.data_offset = 4096;
	cmd.data_bytes = 40000;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), -EINVAL);
	close_whole(&w);
}

/* Metadata apart from its data has a buffer of its own, and lies in it. */
static void metadata_goes_beside_the_data(void)
{
	struct whole w = { 0 };
	struct nvp_cmd cmd = nvp_build_read(1, 0, 7, 512);
	struct nvp_cpl cpl;

	open_whole(&w);
	cmd.data = nvp_buf_new(w.drive, 4096);
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), 0);
	CU_ASSERT_PTR_NULL(w.seen.meta);
	CU_ASSERT_EQUAL(w.seen.meta_bytes, 0);
	cmd.meta = nvp_buf_new(w.drive, 4096);
	cmd.meta_offset = 16;
	cmd.meta_bytes = 64;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), 0);
	CU_ASSERT_PTR_EQUAL(w.seen.meta, nvp_buf_data(cmd.meta) + 16);
	CU_ASSERT_EQUAL(w.seen.meta_bytes, 64);
	cmd.meta_bytes = 4096;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), -EINVAL);
	close_whole(&w);
}

static void each_class_has_its_timeout(void)
{
	struct whole w = { 0 };
	struct nvp_cmd cmd = nvp_build_get_features(1, 0, 0, 0);
	struct nvp_cpl cpl;

	open_whole(&w);
	CU_ASSERT_EQUAL(nvp_exec_admin(w.drive, &cmd, &cpl), 0);
	CU_ASSERT_TRUE(w.seen.admin);
	CU_ASSERT_EQUAL(w.seen.timeout_ns, 180 * NVP_NS_PER_S);
	CU_ASSERT_TRUE(cpl.latency_ns < 60 * NVP_NS_PER_S);
	cmd.time_class = NVP_TIME_FORMAT;
	CU_ASSERT_EQUAL(nvp_exec_admin(w.drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(w.seen.timeout_ns, 3 * 3600 * NVP_NS_PER_S);
	close_whole(&w);
}

static void what_the_kernel_chooses_cannot_be_given(void)
{
	struct whole w = { 0 };
	struct nvp_cmd cmd = nvp_build_flush(3);
	struct nvp_cpl cpl;
	unsigned nr;

	open_whole(&w);
	nr = w.nr;
	cmd.raw_cid = true;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), -EOPNOTSUPP);
	cmd.raw_cid = false;
	cmd.raw_dptr = true;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_drive_err(w.drive)->kind, NVP_ERR_UNSUPPORTED);
	CU_ASSERT_PTR_NULL(nvp_cq_new(w.drive, 2, 8, -1));
	CU_ASSERT_EQUAL(nvp_drive_err(w.drive)->code, -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_ctrl_disable(w.drive, NULL), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_ring_any(w.drive, 1, false, 0), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_reg_write32(w.drive, 0x14, 0), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_config_write(w.drive, 4, 2, 0), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_drive_power(w.drive, false), -EOPNOTSUPP);
	CU_ASSERT_FALSE(nvp_vector_take(w.drive, 0));
	CU_ASSERT_EQUAL(w.nr, nr);
	close_whole(&w);
}

static void failures_are_told_apart(void)
{
	struct whole w = { 0 };
	struct nvp_cmd cmd = nvp_build_write_zeroes(3, 0, 0, false);
	struct nvp_trace_record record;
	struct nvp_cpl cpl;
	char text[400];

	open_whole(&w);
	/* A drive that is real takes nothing but reads until the runner says more. */
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), -EPERM);
	nvp_drive_permit(w.drive, NVP_IMPACT_DATA);
	w.rc = -EIO;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), -EIO);
	nvp_err_text(nvp_drive_err(w.drive), text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "Write Zeroes: made up");
	CU_ASSERT_TRUE(nvp_trace_get(w.trace, nvp_trace_last_tick(w.trace), &record));
	CU_ASSERT_EQUAL(record.kind, NVP_TRACE_CQE);
	CU_ASSERT_EQUAL(record.bytes, 0);
	CU_ASSERT_EQUAL(record.result, -EIO);
	w.rc = -EOPNOTSUPP;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(nvp_drive_err(w.drive)->kind, NVP_ERR_UNSUPPORTED);
	close_whole(&w);
}

static void status_and_guard_bytes_are_watched_here_too(void)
{
	struct whole w = { .status = 0x0500 };
	struct nvp_cmd cmd = nvp_build_read(3, 0, 0, 4096);
	struct nvp_cpl cpl;

	open_whole(&w);
	cmd.data = nvp_buf_new(w.drive, 8192);
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(w.broken[NVP_INVARIANT_STATUS], 1);
	w.status = 0;
	w.stray = 4096;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(w.broken[NVP_INVARIANT_GUARD], 1);
	w.stray = 8192;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(w.broken[NVP_INVARIANT_GUARD], 2);
	w.stray = -1;
	CU_ASSERT_EQUAL(nvp_exec_io(w.drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(w.broken[NVP_INVARIANT_GUARD], 3);
	CU_ASSERT_EQUAL(w.nr_broken, 4);
	close_whole(&w);
}

static void drive_whose_identify_fails_does_not_open(void)
{
	struct whole w = { .rc = -ENODEV };
	struct nvp_err err = { 0 };
	struct nvp_prepared *prepared = nvp_prepared_of(&whole_ops, &w, "whole:", "W");

	CU_ASSERT_PTR_NULL(nvp_drive_open(prepared, NULL, 1, &err));
	CU_ASSERT_EQUAL(err.code, -ENODEV);
	nvp_drive_discard(prepared);
}

CU_TestInfo nvp_unit_drive_exec[] = {
	{ "facts_come_from_identify_alone", facts_come_from_identify_alone },
	{ "one_namespace_may_be_all_there_is", one_namespace_may_be_all_there_is },
	{ "command_and_answer_pass_unchanged", command_and_answer_pass_unchanged },
	{ "metadata_goes_beside_the_data", metadata_goes_beside_the_data },
	{ "each_class_has_its_timeout", each_class_has_its_timeout },
	{ "what_the_kernel_chooses_cannot_be_given", what_the_kernel_chooses_cannot_be_given },
	{ "failures_are_told_apart", failures_are_told_apart },
	{ "status_and_guard_bytes_are_watched_here_too",
	  status_and_guard_bytes_are_watched_here_too },
	{ "drive_whose_identify_fails_does_not_open", drive_whose_identify_fails_does_not_open },
	CU_TEST_INFO_NULL,
};
