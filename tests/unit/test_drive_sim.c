// SPDX-License-Identifier: GPL-2.0-or-later
// The door and our own driver on the simulated drive: from open to close, one rule after the other.

#include <nvproof/build.h>
#include <nvproof/drive_ops.h>

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "tests/unit/unit.h"

#define OPENS(s, address)                \
	if (!open_drive((s), (address))) \
	return

/* A drive and what its observer heard. */
struct seen {
	struct nvp_prepared *prepared;
	struct nvp_trace *trace;
	struct nvp_drive *drive;
	unsigned broken[NVP_NR_INVARIANTS];
	unsigned nr_broken, heartbeats;
	char site[64];
};

static void on_broken(void *context, enum nvp_invariant invariant, const char *site,
		      const char *expected, const char *what)
{
	struct seen *s = context;

	(void)expected;
	(void)what;
	s->broken[invariant]++;
	s->nr_broken++;
	strncpy(s->site, site, sizeof(s->site) - 1);
}

static void on_heartbeat(void *context)
{
	((struct seen *)context)->heartbeats++;
}

static void close_drive(struct seen *s)
{
	nvp_drive_close(s->drive);
	nvp_drive_discard(s->prepared);
	nvp_trace_free(s->trace);
}

static bool open_drive(struct seen *s, const char *address)
{
	struct nvp_observer observer = {
		.context = s,
		.broken = on_broken,
		.heartbeat = on_heartbeat,
	};
	struct nvp_err err = { 0 };
	char text[400];

	memset(s, 0, sizeof(*s));
	s->trace = nvp_trace_new(4096);
	s->prepared = nvp_drive_prepare(address, 1, 0, &err);
	if (s->prepared)
		s->drive = nvp_drive_open(s->prepared, s->trace, 1, &err);
	if (!s->drive) {
		printf("%s\n", nvp_err_text(&err, text, sizeof(text)));
		CU_FAIL("open");
		nvp_drive_discard(s->prepared);
		nvp_trace_free(s->trace);
		return false;
	}
	nvp_drive_observe(s->drive, &observer);
	return true;
}

static unsigned status_of(const struct nvp_cpl *cpl)
{
	return cpl->status.sct * 0x100u + cpl->status.sc;
}

static void opens_at_the_baseline_with_facts(void)
{
	const struct nvp_facts *facts;
	struct seen s;

	OPENS(&s, "sim:ns=2,serial=ABC");
	facts = nvp_drive_facts(s.drive);
	CU_ASSERT_TRUE(nvp_at_baseline(s.drive));
	CU_ASSERT_EQUAL(facts->version, NVP_VERSION(2, 0, 0));
	CU_ASSERT_STRING_EQUAL(facts->ctrl.sn, "ABC");
	CU_ASSERT_STRING_EQUAL(nvp_prepared_serial(s.prepared), "ABC");
	CU_ASSERT_EQUAL_FATAL(facts->nr_ns, 2);
	CU_ASSERT_EQUAL(facts->ns[0].nsid, 1);
	CU_ASSERT_EQUAL(facts->ns[1].nsid, 2);
	CU_ASSERT_TRUE(facts->ns[0].id.lba_bytes == 512 || facts->ns[0].id.lba_bytes == 4096);
	CU_ASSERT_TRUE(facts->has_cap && facts->has_ctrl_nvm);
	CU_ASSERT_TRUE(facts->nr_io_sq >= 1 && facts->nr_io_cq >= 1 && facts->nr_vectors >= 1);
	CU_ASSERT_TRUE(nvp_drive_path(s.drive) & NVP_PATH_SIMULATED);
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	close_drive(&s);
}

static void write_read_and_compare_agree(void)
{
	struct nvp_buf *out, *in;
	struct nvp_cpl cpl;
	struct nvp_cmd cmd;
	uint32_t lba_bytes;
	struct seen s;

	OPENS(&s, "sim:");
	lba_bytes = nvp_drive_facts(s.drive)->ns[0].id.lba_bytes;
	out = nvp_buf_new(s.drive, 64 * lba_bytes);
	in = nvp_buf_new(s.drive, 64 * lba_bytes);
	nvp_buf_fill_pattern(out, 7);
	for (unsigned blocks = 1; blocks <= 64; blocks = blocks * 3 + 1) {
		cmd = nvp_build_write(1, 5, (uint16_t)(blocks - 1), lba_bytes);
		cmd.data = out;
		CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &cmd, &cpl), 0);
		CU_ASSERT_EQUAL(status_of(&cpl), 0);
		cmd = nvp_build_read(1, 5, (uint16_t)(blocks - 1), lba_bytes);
		cmd.data = in;
		nvp_buf_fill(in, 0xee);
		CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &cmd, &cpl), 0);
		CU_ASSERT_EQUAL(nvp_buf_pattern_mismatch(in, 7, 0, blocks * lba_bytes), -1);
		CU_ASSERT_EQUAL(nvp_buf_find_not(in, blocks * lba_bytes, SIZE_MAX / 2, 0xee), -1);
		CU_ASSERT_TRUE(cpl.sub_tick && cpl.ack_tick > cpl.sub_tick && cpl.latency_ns);
	}
	cmd = nvp_build_compare(1, 5, 0, lba_bytes);
	cmd.data = out;
	CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(status_of(&cpl), 0);
	nvp_buf_data(out)[lba_bytes - 1] ^= 1;
	CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &cmd, &cpl), 0);
	CU_ASSERT_EQUAL(status_of(&cpl), 0x285);
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	CU_ASSERT_TRUE(nvp_at_baseline(s.drive));
	close_drive(&s);
}

static void many_in_flight_all_come_back_once(void)
{
	enum { NR = 2000, DEPTH = 60 };
	unsigned given = 0, taken = 0, wrong = 0;
	struct nvp_buf *buf[DEPTH];
	uint32_t lba_bytes;
	struct nvp_cpl cpl;
	struct seen s;

	OPENS(&s, "sim:");
	lba_bytes = nvp_drive_facts(s.drive)->ns[0].id.lba_bytes;
	for (unsigned i = 0; i < DEPTH; i++) {
		buf[i] = nvp_buf_new(s.drive, 8 * lba_bytes);
		nvp_buf_fill_pattern(buf[i], i);
	}
	while (taken < NR) {
		for (; given < NR && given - taken < DEPTH; given++) {
			struct nvp_cmd cmd = nvp_build_write(1, 8ull * (given % 500), 7, lba_bytes);

			cmd.data = buf[given % DEPTH];
			CU_ASSERT_EQUAL_FATAL(nvp_submit(nvp_io_sq(s.drive), &cmd, NULL), 0);
		}
		CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(s.drive)), 0);
		if (nvp_reap_until(nvp_io_cq(s.drive),
				   nvp_clock_deadline_ns(nvp_drive_clock(s.drive), NVP_NS_PER_S),
				   &cpl) != 1) {
			CU_FAIL("no completion");
			break;
		}
		do {
			wrong += !nvp_cpl_ok(&cpl);
			taken++;
		} while (nvp_reap(nvp_io_cq(s.drive), &cpl) == 1);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(s.drive), 0);
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	CU_ASSERT_TRUE(nvp_at_baseline(s.drive));
	close_drive(&s);
}

static void every_reset_gives_up_what_is_outstanding(void)
{
	struct seen s;

	OPENS(&s, "sim:");
	for (int kind = 0; kind < NVP_NR_RESETS; kind++) {
		struct nvp_buf *buf = nvp_buf_new(s.drive, 4096);
		struct nvp_cmd cmd = nvp_build_read(1, 0, 0, 512);
		unsigned cancelled = 0, completed = 0;
		struct nvp_cpl cpl;
		uint16_t cid[8];

		if (!(nvp_resets(s.drive) >> kind & 1))
			continue;
		cmd.data = buf;
		for (unsigned i = 0; i < 8; i++)
			CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(s.drive), &cmd, &cid[i]), 0);
		CU_ASSERT_EQUAL(nvp_ring_tail(nvp_io_sq(s.drive)), 0);
		CU_ASSERT_EQUAL(nvp_reset(s.drive, (enum nvp_reset)kind), 0);
		CU_ASSERT_TRUE(nvp_at_baseline(s.drive));
		for (unsigned i = 0; i < 8; i++) {
			int rc = nvp_wait_cid(nvp_io_sq(s.drive), cid[i], &cpl);

			cancelled += rc == -ECANCELED;
			completed += rc == 0;
		}
		CU_ASSERT_EQUAL(cancelled + completed, 8);
		CU_ASSERT_TRUE(cancelled > 0);
		CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &cmd, &cpl), 0);
		CU_ASSERT_TRUE(nvp_cpl_ok(&cpl));
		nvp_drive_free_case_memory(s.drive);
	}
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	close_drive(&s);
}

static void raw_entries_and_doorbells_work(void)
{
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	struct seen s;

	OPENS(&s, "sim:");
	for (unsigned i = 1; i <= 3; i++) {
		nvp_sqe_set_cid(&cmd.sqe, (uint16_t)(0xfff0 + i));
		CU_ASSERT_EQUAL(nvp_post_raw(nvp_io_sq(s.drive), &cmd.sqe), 0);
	}
	CU_ASSERT_EQUAL(nvp_ring_tail_raw(nvp_io_sq(s.drive), 3), 0);
	for (unsigned i = 3; i >= 1; i--) {
		CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(s.drive), (uint16_t)(0xfff0 + i), &cpl), 0);
		CU_ASSERT_EQUAL(status_of(&cpl), 0);
		CU_ASSERT_EQUAL(cpl.cid, 0xfff0 + i);
	}
	CU_ASSERT_TRUE(nvp_at_baseline(s.drive));
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	close_drive(&s);
}

static void queue_with_interrupts_of_its_own(void)
{
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_cpl cpl;
	struct nvp_cq *cq;
	struct nvp_sq *sq;
	struct seen s;

	OPENS(&s, "sim:");
	cq = nvp_cq_new(s.drive, 2, 16, 1);
	sq = nvp_sq_new(s.drive, 2, 8, cq);
	CU_ASSERT_EQUAL(nvp_cq_create(cq, &cpl), 0);
	CU_ASSERT_EQUAL(status_of(&cpl), 0);
	CU_ASSERT_EQUAL(nvp_sq_create(sq, &cpl), 0);
	CU_ASSERT_EQUAL(status_of(&cpl), 0);
	CU_ASSERT_FALSE(nvp_vector_take(s.drive, 1));
	for (unsigned i = 0; i < 50; i++) {
		CU_ASSERT_EQUAL(nvp_exec(sq, &cmd, &cpl), 0);
		CU_ASSERT_EQUAL(cpl.sqid, 2);
	}
	nvp_clock_pass(nvp_drive_clock(s.drive), NVP_NS_PER_MS);
	CU_ASSERT_TRUE(nvp_vector_take(s.drive, 1));
	CU_ASSERT_EQUAL(nvp_sq_delete(sq, &cpl), 0);
	CU_ASSERT_EQUAL(nvp_cq_delete(cq, &cpl), 0);
	CU_ASSERT_EQUAL(status_of(&cpl), 0);
	nvp_sq_free(sq);
	nvp_cq_free(cq);
	CU_ASSERT_TRUE(nvp_at_baseline(s.drive));
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	close_drive(&s);
}

static void enable_with_the_registers_of_before(void)
{
	struct nvp_cmd cmd = nvp_build_get_features(0x04, 0, 0, 0);
	struct nvp_enable enable;
	uint64_t ready_ns = 0;
	struct nvp_cpl cpl;
	struct seen s;

	OPENS(&s, "sim:");
	CU_ASSERT_EQUAL(nvp_ctrl_disable(s.drive, &ready_ns), 0);
	CU_ASSERT_TRUE(ready_ns > 0);
	nvp_enable_defaults(s.drive, &enable);
	enable.keep_admin_registers = true;
	CU_ASSERT_EQUAL(nvp_ctrl_enable(s.drive, &enable, &ready_ns), 0);
	for (unsigned i = 0; i < 200; i++) {
		CU_ASSERT_EQUAL(nvp_exec_admin(s.drive, &cmd, &cpl), 0);
		CU_ASSERT_EQUAL(status_of(&cpl), 0);
	}
	CU_ASSERT_EQUAL(nvp_baseline(s.drive), 0);
	CU_ASSERT_EQUAL(nvp_ctrl_shutdown(s.drive, false, &ready_ns), 0);
	CU_ASSERT_FALSE(nvp_at_baseline(s.drive));
	CU_ASSERT_EQUAL(nvp_baseline(s.drive), 0);
	CU_ASSERT_TRUE(nvp_at_baseline(s.drive));
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	close_drive(&s);
}

static void data_of_any_length_and_offset_arrives(void)
{
	struct nvp_buf *out, *in;
	uint32_t lba_bytes;
	struct seen s;

	OPENS(&s, "sim:");
	lba_bytes = nvp_drive_facts(s.drive)->ns[0].id.lba_bytes;
	out = nvp_buf_new(s.drive, 1 << 20);
	in = nvp_buf_new(s.drive, 1 << 20);
	nvp_buf_fill_pattern(out, 3);
	for (unsigned i = 0; i < 60; i++) {
		unsigned blocks = 1 + i * 5 % (131072 / lba_bytes);
		struct nvp_cmd write = nvp_build_write(1, i, (uint16_t)(blocks - 1), lba_bytes);
		struct nvp_cmd read = nvp_build_read(1, i, (uint16_t)(blocks - 1), lba_bytes);
		struct nvp_cpl cpl;

		write.data = out;
		write.data_offset = i * 1028;
		read.data = in;
		read.data_offset = i * 516;
		CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &write, &cpl), 0);
		CU_ASSERT_EQUAL(status_of(&cpl), 0);
		CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &read, &cpl), 0);
		CU_ASSERT_EQUAL(status_of(&cpl), 0);
		CU_ASSERT_EQUAL(memcmp(nvp_buf_data(out) + i * 1028, nvp_buf_data(in) + i * 516,
				       blocks * lba_bytes),
				0);
	}
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	close_drive(&s);
}

/* Some work of every kind; what a broken completion shows in it is up to the invariants. */
static void work(struct seen *s)
{
	struct nvp_buf *buf = nvp_buf_new(s->drive, 8192);
	struct nvp_cmd read = nvp_build_read(1, 0, 7, 512), flush = nvp_build_flush(1);
	struct nvp_cpl cpl;

	read.data = buf;
	for (unsigned i = 0; i < 20; i++) {
		for (unsigned j = 0; j < 8; j++)
			nvp_submit(nvp_io_sq(s->drive), j & 1 ? &flush : &read, NULL);
		nvp_ring_tail(nvp_io_sq(s->drive));
		while (nvp_drive_outstanding(s->drive) &&
		       nvp_reap_until(
			       nvp_io_cq(s->drive),
			       nvp_clock_deadline_ns(nvp_drive_clock(s->drive), NVP_NS_PER_S),
			       &cpl) == 1)
			;
		if (!nvp_at_baseline(s->drive))
			nvp_baseline(s->drive);
	}
	nvp_drive_free_case_memory(s->drive);
}

/* A queue deleted and a controller reset while commands are under way. */
static void end_with_work_outstanding(struct seen *s)
{
	struct nvp_cmd flush = nvp_build_flush(1);
	struct nvp_cq *cq = nvp_cq_new(s->drive, 2, 16, -1);
	struct nvp_sq *sq = nvp_sq_new(s->drive, 2, 16, cq);
	struct nvp_cpl cpl;

	nvp_cq_create(cq, &cpl);
	nvp_sq_create(sq, &cpl);
	nvp_submit(sq, &flush, NULL);
	nvp_ring_tail(sq);
	nvp_sq_delete(sq, &cpl);
	nvp_clock_pass(nvp_drive_clock(s->drive), NVP_NS_PER_S);
	while (nvp_reap(cq, &cpl) == 1)
		;
	nvp_submit(nvp_io_sq(s->drive), &flush, NULL);
	nvp_ring_tail(nvp_io_sq(s->drive));
	nvp_reset(s->drive, NVP_RESET_CONTROLLER);
	nvp_clock_pass(nvp_drive_clock(s->drive), NVP_NS_PER_S);
	nvp_drive_free_case_memory(s->drive);
}

static void broken_completions_are_noticed(void)
{
	static const struct {
		const char *defect;
		enum nvp_invariant invariant;
	} rows[] = {
		{ "cqe-cid-unknown", NVP_INVARIANT_CID },
		{ "cqe-sqid-wrong", NVP_INVARIANT_SQID },
		{ "cqe-sqhd-outside-queue", NVP_INVARIANT_SQHD },
		{ "cqe-posted-twice", NVP_INVARIANT_ONCE },
		{ "cqe-phase-stuck-after-wrap", NVP_INVARIANT_PHASE },
		{ "cqe-status-type-reserved", NVP_INVARIANT_STATUS },
		{ "data-overruns-buffer", NVP_INVARIANT_GUARD },
		{ "dma-stray-address", NVP_INVARIANT_DMA },
		{ "delete-sq-completes-late", NVP_INVARIANT_LATE },
		/* It comes on the new admin queue, where nobody gave that CID. */
		{ "cc-reset-completes-old-commands", NVP_INVARIANT_CID },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		char address[80];
		struct seen s;

		snprintf(address, sizeof(address), "sim:lba=512,defect=%s", rows[i].defect);
		OPENS(&s, address);
		work(&s);
		end_with_work_outstanding(&s);
		if (!s.broken[rows[i].invariant])
			printf("%s was not noticed (%u others)\n", rows[i].defect, s.nr_broken);
		CU_ASSERT_TRUE(s.broken[rows[i].invariant] > 0);
		close_drive(&s);
	}
}

static void configuration_space_is_reached(void)
{
	uint32_t id, command, again;
	struct seen s;

	OPENS(&s, "sim:");
	CU_ASSERT_EQUAL(nvp_config_read(s.drive, 0, 4, &id), 0);
	CU_ASSERT_TRUE(id != 0 && id != UINT32_MAX);
	CU_ASSERT_EQUAL(nvp_config_read(s.drive, 4, 2, &command), 0);
	CU_ASSERT_EQUAL(command & 6, 6);	/* memory space and bus master, turned on at open */
	CU_ASSERT_EQUAL(nvp_config_write(s.drive, 4, 2, command & ~4u), 0);
	CU_ASSERT_EQUAL(nvp_config_read(s.drive, 4, 2, &again), 0);
	CU_ASSERT_EQUAL(again, command & ~4u);
	CU_ASSERT_FALSE(nvp_at_baseline(s.drive));
	CU_ASSERT_EQUAL(nvp_config_write(s.drive, 4, 2, command), 0);
	CU_ASSERT_EQUAL(nvp_baseline(s.drive), 0);
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	close_drive(&s);
}

static void power_goes_and_comes_back(void)
{
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_trace_record record;
	const struct nvp_clock *clock;
	struct nvp_cpl cpl;
	uint32_t value;
	uint16_t cid;
	struct seen s;

	OPENS(&s, "sim:");
	clock = nvp_drive_clock(s.drive);
	CU_ASSERT_TRUE(nvp_drive_path(s.drive) & NVP_PATH_POWER);
	nvp_drive_permit(s.drive, NVP_IMPACT_ALL & ~NVP_IMPACT_POWER);
	CU_ASSERT_EQUAL(nvp_drive_power(s.drive, false), -EPERM);
	nvp_drive_permit(s.drive, NVP_IMPACT_ALL);
	CU_ASSERT_EQUAL(nvp_submit(nvp_io_sq(s.drive), &cmd, &cid), 0);
	CU_ASSERT_EQUAL(nvp_drive_power(s.drive, false), 0);
	CU_ASSERT_FALSE(nvp_at_baseline(s.drive));
	nvp_clock_pass(clock, 5 * NVP_NS_PER_S);
	CU_ASSERT_EQUAL(nvp_reg_read32(s.drive, NVP_REG_CSTS, &value), 0);
	CU_ASSERT_EQUAL(value, UINT32_MAX);
	CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &cmd, &cpl), -ENODEV);
	CU_ASSERT_EQUAL(nvp_baseline(s.drive), -ENODEV);
	CU_ASSERT_EQUAL(nvp_drive_outstanding(s.drive), 2);
	CU_ASSERT_EQUAL(nvp_drive_power(s.drive, true), 0);
	CU_ASSERT_TRUE(nvp_trace_get(s.trace, nvp_trace_last_tick(s.trace), &record));
	CU_ASSERT_EQUAL(record.kind, NVP_TRACE_POWER);
	CU_ASSERT_EQUAL(record.a, 1);
	CU_ASSERT_EQUAL(nvp_drive_reattach(s.drive,
					   nvp_clock_deadline_ns(clock, 10 * NVP_NS_PER_S)), 0);
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(s.drive), cid, &cpl), -ECANCELED);
	CU_ASSERT_EQUAL(nvp_baseline(s.drive), 0);
	CU_ASSERT_TRUE(nvp_at_baseline(s.drive));
	CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &cmd, &cpl), 0);
	CU_ASSERT_TRUE(nvp_cpl_ok(&cpl));
	CU_ASSERT_EQUAL(s.nr_broken, 0);
	close_drive(&s);
}

/* The trace's order is the order of things: a command, its doorbell, its completion. */
static void trace_has_both_directions_in_order(void)
{
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_trace_record record;
	uint64_t begin;
	struct nvp_cpl cpl;
	struct seen s;

	OPENS(&s, "sim:");
	nvp_drive_set_case(s.drive, 77);
	begin = nvp_trace_last_tick(s.trace);
	CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &cmd, &cpl), 0);
	CU_ASSERT_TRUE(nvp_trace_get(s.trace, begin + 1, &record));
	CU_ASSERT_EQUAL(record.kind, NVP_TRACE_SQE);
	CU_ASSERT_EQUAL(record.qid, 1);
	CU_ASSERT_EQUAL(record.case_number, 77);
	CU_ASSERT_EQUAL(record.payload[2] | record.payload[3] << 8, cpl.cid);
	CU_ASSERT_TRUE(nvp_trace_get(s.trace, cpl.sub_tick, &record));
	CU_ASSERT_EQUAL(cpl.sub_tick, begin + 2);
	CU_ASSERT_EQUAL(record.kind, NVP_TRACE_DOORBELL);
	CU_ASSERT_TRUE(nvp_trace_get(s.trace, cpl.ack_tick, &record));
	CU_ASSERT_EQUAL(record.kind, NVP_TRACE_CQE);
	CU_ASSERT_EQUAL(record.bytes, 16);
	close_drive(&s);
}

static void worker_that_died_leaves_a_drive_that_opens_again(void)
{
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_err err = { 0 };
	struct nvp_cpl cpl;
	struct seen s;

	OPENS(&s, "sim:");
	nvp_drive_close(s.drive);
	for (unsigned i = 0; i < 5; i++) {
		s.drive = nvp_drive_open(s.prepared, s.trace, 1, &err);
		CU_ASSERT_PTR_NOT_NULL_FATAL(s.drive);
		CU_ASSERT_EQUAL(nvp_exec_io(s.drive, &cmd, &cpl), 0);
		CU_ASSERT_TRUE(nvp_cpl_ok(&cpl));
		if (i < 4)
			nvp_drive_close(s.drive);
	}
	close_drive(&s);
}

static void drive_without_a_trace_counts_for_itself(void)
{
	struct nvp_cmd cmd = nvp_build_flush(1);
	struct nvp_err err = { 0 };
	struct nvp_prepared *prepared = nvp_drive_prepare("sim:profile=minimal", 1, 0, &err);
	struct nvp_drive *drive;
	struct nvp_cpl first, second;

	CU_ASSERT_PTR_NOT_NULL_FATAL(prepared);
	drive = nvp_drive_open(prepared, NULL, 0, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(drive);
	CU_ASSERT_TRUE(nvp_at_baseline(drive));
	CU_ASSERT_EQUAL(nvp_exec_io(drive, &cmd, &first), 0);
	CU_ASSERT_EQUAL(nvp_exec_io(drive, &cmd, &second), 0);
	CU_ASSERT_TRUE(first.sub_tick < first.ack_tick && first.ack_tick < second.sub_tick &&
		       second.sub_tick < second.ack_tick);
	nvp_drive_close(drive);
	nvp_drive_discard(prepared);
}

static void completion_that_did_not_come_is_zero(void)
{
	static const struct nvp_cpl zero;
	struct nvp_cpl cpl;
	struct seen s;

	OPENS(&s, "sim:");
	memset(&cpl, 0xee, sizeof(cpl));
	CU_ASSERT_EQUAL(nvp_reap(nvp_io_cq(s.drive), &cpl), 0);
	CU_ASSERT_EQUAL(memcmp(&cpl, &zero, sizeof(cpl)), 0);
	memset(&cpl, 0xee, sizeof(cpl));
	CU_ASSERT_EQUAL(nvp_reap_until(nvp_io_cq(s.drive), 0, &cpl), 0);
	CU_ASSERT_EQUAL(memcmp(&cpl, &zero, sizeof(cpl)), 0);
	memset(&cpl, 0xee, sizeof(cpl));
	CU_ASSERT_EQUAL(nvp_wait_cid(nvp_io_sq(s.drive), 1234, &cpl), -EINVAL);
	CU_ASSERT_EQUAL(memcmp(&cpl, &zero, sizeof(cpl)), 0);
	close_drive(&s);
}

CU_TestInfo nvp_unit_drive_sim[] = {
	{ "a completion that did not come is all zero", completion_that_did_not_come_is_zero },
	{ "opens_at_the_baseline_with_facts", opens_at_the_baseline_with_facts },
	{ "write_read_and_compare_agree", write_read_and_compare_agree },
	{ "many_in_flight_all_come_back_once", many_in_flight_all_come_back_once },
	{ "every_reset_gives_up_what_is_outstanding", every_reset_gives_up_what_is_outstanding },
	{ "raw_entries_and_doorbells_work", raw_entries_and_doorbells_work },
	{ "queue_with_interrupts_of_its_own", queue_with_interrupts_of_its_own },
	{ "enable_with_the_registers_of_before", enable_with_the_registers_of_before },
	{ "data_of_any_length_and_offset_arrives", data_of_any_length_and_offset_arrives },
	{ "broken_completions_are_noticed", broken_completions_are_noticed },
	{ "configuration_space_is_reached", configuration_space_is_reached },
	{ "power_goes_and_comes_back", power_goes_and_comes_back },
	{ "trace_has_both_directions_in_order", trace_has_both_directions_in_order },
	{ "worker_that_died_leaves_a_drive_that_opens_again",
	  worker_that_died_leaves_a_drive_that_opens_again },
	{ "drive_without_a_trace_counts_for_itself", drive_without_a_trace_counts_for_itself },
	CU_TEST_INFO_NULL,
};
