// SPDX-License-Identifier: GPL-2.0-or-later
// Evidence over a backend without registers, as the kernel's: what is asked, kept, told, and left alone.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/drive/prepare.h"
#include "core/run/evidence.h"
#include "tests/unit/unit.h"

#define ELPE_Z 2

/* Answers every log with bytes that are its LID, unless told otherwise. */
struct fixture {
	uint8_t silent_lid, refused_lid;
	struct nvp_sqe log[8];
	uint32_t bytes[8];
	unsigned nr_logs;
	struct nvp_prepared *prepared;
	struct nvp_shared shared;
	struct nvp_slot slot;
	struct nvp_worker w;
	int fd;
	char told[4096];	/* bodies of the messages, a line each */
};

static void *open_it(const struct nvp_drive_open *open, struct nvp_err *err)
{
	(void)err;
	return open->prepared;
}

static void close_it(void *backend)
{
	(void)backend;
}

static uint32_t no_path(void *backend)
{
	(void)backend;
	return 0;
}

static const struct nvp_clock *clock_of(void *backend)
{
	(void)backend;
	return nvp_clock_real();
}

static void *alloc(void *backend, size_t bytes, uint64_t *iova)
{
	(void)backend;
	*iova = 0;
	return aligned_alloc(4096, bytes);
}

static void free_it(void *backend, void *memory, size_t bytes)
{
	(void)backend;
	(void)bytes;
	free(memory);
}

static int answer(void *backend, const struct nvp_exec *exec, struct nvp_cpl *cpl,
		  struct nvp_err *err)
{
	struct fixture *f = backend;
	uint8_t lid = (uint8_t)nvp_sqe_dw(exec->sqe, 10);

	if (nvp_sqe_opcode(exec->sqe) != NVP_ADMIN_GET_LOG_PAGE) {
		memset(exec->data, 0, exec->data_bytes);
		if (lid == 0x01) {	/* Identify Controller */
			nvp_put_le32((uint8_t *)exec->data + 80, NVP_VERSION(1, 4, 0));
			((uint8_t *)exec->data)[262] = ELPE_Z;
		}
		return 0;
	}
	f->log[f->nr_logs] = *exec->sqe;
	f->bytes[f->nr_logs++] = (uint32_t)exec->data_bytes;
	if (lid == f->silent_lid)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ETIMEDOUT, "made up");
	if (lid == f->refused_lid)
		cpl->status.sc = NVP_SC_INVALID_FIELD;
	else
		memset(exec->data, lid, exec->data_bytes);
	return 0;
}

static uint32_t any_nsid(void *backend)
{
	(void)backend;
	return 0;
}

static const struct nvp_drive_ops ops = {
	.name = "logs", .help = "answers logs", .open = open_it, .close = close_it,
	.path = no_path, .clock = clock_of, .buf_alloc = alloc, .buf_free = free_it,
	.exec = answer, .only_nsid = any_nsid,
};

static void send_event(void *context, enum nvp_event_type type, uint64_t t_ns, const char *members,
		       bool counts_failed)
{
	struct nvp_worker *w = context;
	struct nvp_message message = {
		.kind = NVP_MSG_EVENT, .type = type, .t_ns = t_ns, .counts_failed = counts_failed,
	};

	CU_ASSERT_EQUAL(nvp_wire_send(w->fd, &message, members), 0);
}

static struct fixture *begin(enum nvp_verdict verdict)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct nvp_err err = { 0 };
	int pair[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
	f->fd = pair[0];
	snprintf(f->slot.dir, sizeof(f->slot.dir), "/tmp/nvproof-evidence-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(f->slot.dir));
	f->slot.shared = &f->shared;
	f->prepared = nvp_prepared_of(&ops, f, "logs:", "L");
	f->w = (struct nvp_worker){ .slot = &f->slot, .fd = pair[1], .in_case = true };
	f->w.out = (struct nvp_t_out){ .context = &f->w, .event = send_event };
	f->w.drive = nvp_drive_open(f->prepared, NULL, 1, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f->w.drive);
	f->w.t = (struct nvp_t){
		.out = &f->w.out, .rig.drive = f->w.drive, .id = "a.case",
		.decided = verdict == NVP_FAIL || verdict == NVP_BROKEN, .result.verdict = verdict,
	};
	return f;
}

static const char *hear(struct fixture *f)
{
	static struct nvp_received received;
	size_t length = 0;

	f->told[0] = '\0';
	while (nvp_wire_receive(f->fd, &received) == 1)
		length += (size_t)snprintf(f->told + length, sizeof(f->told) - length, "%.300s\n",
					   received.body);
	return f->told;
}

/* The bytes of a file of the run directory, which is removed; -1: there is none. */
static int take_file(const struct fixture *f, const char *name, uint8_t *value)
{
	char path[PATH_MAX + 64];
	uint8_t bytes[8192];
	ssize_t nr;
	int fd;

	snprintf(path, sizeof(path), "%s/evidence/%s", f->slot.dir, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	nr = read(fd, bytes, sizeof(bytes));
	close(fd);
	unlink(path);
	*value = nr > 0 ? bytes[nr - 1] : 0;
	return (int)nr;
}

static void end(struct fixture *f)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/evidence", f->slot.dir);
	rmdir(path);
	CU_ASSERT_EQUAL(rmdir(f->slot.dir), 0);		/* nothing else was left there */
	CU_ASSERT_EQUAL(f->shared.decided_number, 0);
	CU_ASSERT_TRUE(f->w.in_case);
	nvp_drive_close(f->w.drive);
	nvp_drive_discard(f->prepared);
	close(f->fd);
	close(f->w.fd);
	free(f);
}

static void take(struct fixture *f, uint32_t number, uint32_t round)
{
	const struct nvp_plan_item item = { .id = "a.case", .round = round, .rounds = 3 };
	struct nvp_evidence evidence;

	nvp_evidence_at_fail(&f->w, &item, number, &evidence);
	CU_ASSERT_FALSE(evidence.logs_wait);
	nvp_evidence_settled(&f->w, &evidence, 0);
}

static void logs_are_asked_for_with_rae_and_kept_whole(void)
{
	struct fixture *f = begin(NVP_FAIL);
	static const uint32_t nsid[] = { 0, NVP_NSID_ALL, 0 };
	static const uint32_t bytes[] = { (ELPE_Z + 1) * 64, 512, 512 };
	uint8_t value = 0;

	take(f, 7, 1);
	CU_ASSERT_EQUAL_FATAL(f->nr_logs, 3);
	for (unsigned i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(nvp_sqe_dw(&f->log[i], 1), nsid[i]);
		/* LID, RAE (bit 15), NUMDL (NVMe Base 2.0, 5.16) */
		CU_ASSERT_EQUAL(nvp_sqe_dw(&f->log[i], 10), (bytes[i] / 4 - 1) << 16 | 1u << 15 | (i + 1));
		CU_ASSERT_EQUAL(f->bytes[i], bytes[i]);
	}
	CU_ASSERT_EQUAL(take_file(f, "7-error-log.bin", &value), 192);
	CU_ASSERT_EQUAL(value, 1);
	CU_ASSERT_EQUAL(take_file(f, "7-smart-log.bin", &value), 512);
	CU_ASSERT_EQUAL(value, 2);
	CU_ASSERT_EQUAL(take_file(f, "7-firmware-log.bin", &value), 512);
	CU_ASSERT_EQUAL(value, 3);
	CU_ASSERT_STRING_EQUAL(hear(f),
		"\"name\":\"registers\",\"text\":\"not to be read on this path\"\n"
		"\"name\":\"error-log\",\"file\":\"evidence/7-error-log.bin\",\"text\":\"log page 01h, 192 bytes\"\n"
		"\"name\":\"smart-log\",\"file\":\"evidence/7-smart-log.bin\",\"text\":\"log page 02h, 512 bytes\"\n"
		"\"name\":\"firmware-log\",\"file\":\"evidence/7-firmware-log.bin\",\"text\":\"log page 03h, 512 bytes\"\n");
	end(f);
}

static void only_a_fail_and_only_its_first_round(void)
{
	static const enum nvp_verdict others[] = { NVP_PASS, NVP_SKIP, NVP_BROKEN };
	static const char *const names[] = { "error-log", "smart-log", "firmware-log" };
	struct fixture *f;
	uint8_t value;
	char name[64];

	for (size_t i = 0; i < NVP_ARRAY_SIZE(others); i++) {
		f = begin(others[i]);
		take(f, 1, 1);
		CU_ASSERT_EQUAL(f->nr_logs, 0);
		CU_ASSERT_STRING_EQUAL(hear(f), "");
		end(f);
	}
	f = begin(NVP_FAIL);
	take(f, 5, 2);		/* rounds 1 to 3 are numbers 4 to 6 */
	CU_ASSERT_EQUAL(f->nr_logs, 3);
	take(f, 6, 3);
	CU_ASSERT_EQUAL(f->nr_logs, 3);
	take(f, 7, 1);
	CU_ASSERT_EQUAL(f->nr_logs, 6);
	for (unsigned i = 0; i < 6; i++) {
		snprintf(name, sizeof(name), "%u-%s.bin", i < 3 ? 5 : 7, names[i % 3]);
		CU_ASSERT_TRUE(take_file(f, name, &value) > 0);
	}
	end(f);
}

static void a_drive_that_is_silent_is_not_asked_again(void)
{
	struct fixture *f = begin(NVP_FAIL);
	uint8_t value = 0;

	f->refused_lid = 1;
	f->silent_lid = 2;
	take(f, 1, 1);
	CU_ASSERT_EQUAL(f->nr_logs, 2);
	CU_ASSERT_EQUAL(f->w.t.result.verdict, NVP_FAIL);
	CU_ASSERT_EQUAL(take_file(f, "1-error-log.bin", &value), -1);
	CU_ASSERT_EQUAL(take_file(f, "1-smart-log.bin", &value), -1);
	hear(f);
	CU_ASSERT_PTR_NOT_NULL(strstr(f->told, "\"level\":\"note\",\"text\":\"evidence without error-log: 0/02h"));
	CU_ASSERT_PTR_NOT_NULL(strstr(f->told, "\"level\":\"note\",\"text\":\"evidence without smart-log: "));
	CU_ASSERT_PTR_NULL(strstr(f->told, "firmware-log"));
	end(f);
}

CU_TestInfo nvp_unit_evidence[] = {
	{ "logs_are_asked_for_with_rae_and_kept_whole", logs_are_asked_for_with_rae_and_kept_whole },
	{ "only_a_fail_and_only_its_first_round", only_a_fail_and_only_its_first_round },
	{ "a_drive_that_is_silent_is_not_asked_again", a_drive_that_is_silent_is_not_asked_again },
	CU_TEST_INFO_NULL,
};
