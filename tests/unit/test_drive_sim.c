// SPDX-License-Identifier: GPL-2.0-or-later
// The door and our own driver on the simulated drive: from open to close, one rule after the other.

#include <nvproof/build.h>
#include <nvproof/drive_ops.h>

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "tests/unit/unit.h"

#define OPENS(s, address) if (!open_drive((s), (address))) return

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
		.context = s, .broken = on_broken, .heartbeat = on_heartbeat,
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

CU_TestInfo nvp_unit_drive_sim[] = {
	{ "opens_at_the_baseline_with_facts", opens_at_the_baseline_with_facts },
	{ "write_read_and_compare_agree", write_read_and_compare_agree },
	CU_TEST_INFO_NULL,
};
