// SPDX-License-Identifier: GPL-2.0-or-later
// The trace: ring, order, what a crashed writer leaves, and the line for people.

#include <nvproof/build.h>
#include <nvproof/drive_ops.h>

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "tests/unit/unit.h"

static struct nvp_trace_record made(uint16_t kind, uint16_t qid, uint64_t a, uint64_t b)
{
	struct nvp_trace_record record = { .kind = kind, .qid = qid, .a = a, .b = b };

	return record;
}

static void ring_keeps_the_newest(void)
{
	struct nvp_trace *trace = nvp_trace_new(8);
	struct nvp_trace_record record;

	CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
	CU_ASSERT_EQUAL(nvp_trace_last_tick(trace), 0);
	CU_ASSERT_FALSE(nvp_trace_get(trace, 0, &record));
	CU_ASSERT_FALSE(nvp_trace_get(trace, 1, &record));
	for (uint64_t i = 1; i <= 20; i++) {
		record = made(NVP_TRACE_REG_READ, 0, i, 2 * i);
		CU_ASSERT_EQUAL(nvp_trace_put(trace, &record), i);
		CU_ASSERT_EQUAL(record.tick, i);
	}
	CU_ASSERT_EQUAL(nvp_trace_last_tick(trace), 20);
	for (uint64_t i = 0; i <= 21; i++) {
		bool kept = i >= 13 && i <= 20;

		CU_ASSERT_EQUAL(nvp_trace_get(trace, i, &record), kept);
		if (kept) {
			CU_ASSERT_EQUAL(record.tick, i);
			CU_ASSERT_EQUAL(record.a, i);
			CU_ASSERT_TRUE(record.wall_ns > 0);
		}
	}
	nvp_trace_free(trace);
}

static void trace_of_a_killed_writer_survives(void)
{
	struct nvp_trace *trace = nvp_trace_new(64);
	struct nvp_trace_record record;
	int status;
	pid_t pid;

	CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
	pid = fork();
	if (pid == 0) {
		for (uint64_t i = 1; i <= 10; i++) {
			record = made(NVP_TRACE_DOORBELL, 1, 1, i);
			nvp_trace_put(trace, &record);
		}
		_exit(9);
	}
	CU_ASSERT_TRUE(pid > 0 && waitpid(pid, &status, 0) == pid);
	CU_ASSERT_EQUAL(nvp_trace_last_tick(trace), 10);
	CU_ASSERT_TRUE(nvp_trace_get(trace, 10, &record));
	CU_ASSERT_EQUAL(record.b, 10);
	/* The next writer goes on with the order. */
	record = made(NVP_TRACE_POWER, 0, 1, 0);
	CU_ASSERT_EQUAL(nvp_trace_put(trace, &record), 11);
	nvp_trace_free(trace);
}

static const char *text_of(struct nvp_trace_record record, char *text)
{
	record.tick = 7;
	record.drive_ns = 1234567;
	return nvp_trace_text(&record, text);
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		printf("\"%s\" is not in \"%s\"\n", part, text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
}

static void lines_say_what_passed(void)
{
	struct nvp_cmd cmd = nvp_build_set_features(0x06, 3, false, 1);
	struct nvp_trace_record record = made(NVP_TRACE_SQE, 0, 0, 0);
	char text[NVP_TRACE_TEXT_BYTES];

	nvp_sqe_set_cid(&cmd.sqe, 99);
	memcpy(record.payload, cmd.sqe.bytes, 64);
	record.bytes = 64;
	text_of(record, text);
	has(text, "7         1234.567 us  SQ 0 -> CID 99 Set Features (Volatile Write Cache)");
	has(text, "nsid 3h");

	record = made(NVP_TRACE_CQE, 2, 0, 0);
	record.bytes = 16;
	nvp_put_le16(record.payload + 8, 5);
	nvp_put_le16(record.payload + 10, 2);
	nvp_put_le16(record.payload + 12, 99);
	nvp_put_le16(record.payload + 14, 0x8004 | 1);
	text_of(record, text);
	has(text, "CQ 2 <- SQ 2 CID 99 SQHD 5 P1");
	has(text, "Invalid Field in Command");

	has(text_of(made(NVP_TRACE_DOORBELL, 1, 1, 5), text), "SQ 1 doorbell = 5");
	has(text_of(made(NVP_TRACE_DOORBELL, 1, 1 | 1 << 16, 5), text), "CQ 1 doorbell = 5");
	has(text_of(made(NVP_TRACE_REG_WRITE, 0, 0x14, 0x460001), text),
	    "write CC (14h) = 460001h");
	has(text_of(made(NVP_TRACE_REG_READ, 0, 0x1c, 1), text), "read CSTS (1ch) = 1h");
	has(text_of(made(NVP_TRACE_CONFIG_WRITE, 0, 4, 6), text), "config write 4h = 6h");
	has(text_of(made(NVP_TRACE_RESET, 0, NVP_RESET_FUNCTION, 0), text), "reset: function");
	has(text_of(made(NVP_TRACE_POWER, 0, 0, 0), text), "power off");
	has(text_of(made(NVP_TRACE_SENT, 1, 0, 0), text), "SQ 1 handed to the kernel");
	has(text_of(made(NVP_TRACE_REFUSED, 0, 0x14, 0), text), "refused: write of 0h to 14h");
	record = made(NVP_TRACE_REFUSED, 1, 0, 0);
	record.bytes = 64;
	record.payload[0] = NVP_IO_WRITE;
	record.payload[4] = 2;
	has(text_of(record, text), "refused: SQ 1 Write nsid 2h");
	record = made(NVP_TRACE_CQE, 0, 0, 0);
	record.result = -5;
	has(text_of(record, text), "CQ 0 <- no answer (-5)");
	has(text_of(made(999, 0, 0, 0), text), "unknown kind 999");
}

CU_TestInfo nvp_unit_drive_trace[] = {
	{ "ring_keeps_the_newest", ring_keeps_the_newest },
	{ "trace_of_a_killed_writer_survives", trace_of_a_killed_writer_survives },
	{ "lines_say_what_passed", lines_say_what_passed },
	CU_TEST_INFO_NULL,
};
