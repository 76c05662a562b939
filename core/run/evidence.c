// SPDX-License-Identifier: GPL-2.0-or-later
// What is kept of a drive when a case fails on it: registers at once, logs once it can be asked.

#include "core/run/evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"

#define ERROR_ENTRY_BYTES 64
#define MOST_BYTES 4096		/* what every MDTS lets through */

/* Log pages (NVMe Base 2.0 section 5.16.1.2 to 5.16.1.4). */
static const struct {
	const char *name;
	uint8_t lid;
	uint32_t nsid;
	uint32_t bytes;		/* 0: as many error entries as ELPE says */
} logs[] = {
	{ "error-log", 0x01, 0, 0 },
	{ "smart-log", 0x02, NVP_NSID_ALL, 512 },
	{ "firmware-log", 0x03, 0, 512 },
};

/* ---- telling ---- */

static void tell(struct nvp_worker *w, const char *name, const char *file, const char *text)
{
	struct nvp_text members = { 0 };

	nvp_json_string(&members, "name", name);
	if (file)
		nvp_json_string(&members, "file", file);
	nvp_json_string(&members, "text", text);
	nvp_worker_event(w, NVP_EVENT_SNAPSHOT, nvp_text_str(&members));
	nvp_text_free(&members);
}

static void not_taken(struct nvp_worker *w, const char *name, const char *why)
{
	char text[400];

	snprintf(text, sizeof(text), "evidence without %s: %.300s", name, why);
	nvp_worker_note(w, "note", text);
}

/* ---- registers ---- */

static void add_register(struct nvp_worker *w, struct nvp_text *text, const char *name,
			 uint64_t offset, bool wide)
{
	char why[300];
	uint64_t value = 0;
	uint32_t low = 0;
	int rc = wide ? nvp_reg_read64(w->drive, offset, &value) :
			nvp_reg_read32(w->drive, offset, &low);

	nvp_text_add(text, text->length ? ", " : "");
	if (rc)
		nvp_text_addf(text, "%s not read (%s)", name,
			      nvp_worker_door_text(w, rc, why, sizeof(why)));
	else
		nvp_text_addf(text, "%s 0x%llx", name,
			      (unsigned long long)(wide ? value : low));
}

static void take_registers(struct nvp_worker *w)
{
	struct nvp_text text = { 0 };

	if (nvp_drive_path(w->drive) & NVP_PATH_REGISTERS) {
		add_register(w, &text, "CAP", NVP_REG_CAP, true);
		add_register(w, &text, "CC", NVP_REG_CC, false);
		add_register(w, &text, "CSTS", NVP_REG_CSTS, false);
	} else {
		nvp_text_add(&text, "not to be read on this path");
	}
	tell(w, "registers", NULL, nvp_text_str(&text));
	nvp_text_free(&text);
}

/* ---- logs ---- */

static int write_whole(const char *path, const uint8_t *bytes, size_t nr_bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	int rc = 0;

	if (fd < 0)
		return -errno;
	while (!rc && nr_bytes > 0) {
		ssize_t wrote = write(fd, bytes, nr_bytes);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			rc = wrote < 0 ? -errno : -ENOSPC;
			break;
		}
		bytes += wrote;
		nr_bytes -= (size_t)wrote;
	}
	if (close(fd) && !rc)
		rc = -errno;
	if (rc)
		unlink(path);	/* half a log would be read as a whole one */
	return rc;
}

/* Into evidence/NUMBER-NAME.bin of the run directory; its name there goes to file. */
static int keep(const struct nvp_worker *w, const struct nvp_evidence *e, const char *name,
		const uint8_t *bytes, size_t nr_bytes, char file[64])
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/evidence", w->slot->dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	if (mkdir(path, 0777) && errno != EEXIST)
		return -errno;
	snprintf(file, 64, "evidence/%u-%s.bin", e->number, name);
	if (snprintf(path, sizeof(path), "%s/%s", w->slot->dir, file) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return write_whole(path, bytes, nr_bytes);
}

static uint32_t log_bytes(const struct nvp_worker *w, size_t i)
{
	uint32_t entries = nvp_drive_facts(w->drive)->ctrl.elpe_z + UINT32_C(1);

	if (logs[i].bytes)
		return logs[i].bytes;
	return entries < MOST_BYTES / ERROR_ENTRY_BYTES ? entries * ERROR_ENTRY_BYTES : MOST_BYTES;
}

/* RAE set: an event that waits for its log to be read must still wait afterwards. */
static int ask(struct nvp_worker *w, const struct nvp_evidence *e, size_t i, struct nvp_buf *buf)
{
	uint32_t bytes = log_bytes(w, i);
	struct nvp_cmd cmd = nvp_build_get_log(logs[i].lid, logs[i].nsid, bytes, 0, true, 0);
	char why[300], file[64], text[NVP_STATUS_TEXT_BYTES + 64];
	struct nvp_cpl cpl;
	int rc;

	cmd.data = buf;
	/* Where the kernel waits, a deadline that passes makes it reset the drive: rather not soon. */
	cmd.time_class = nvp_drive_path(w->drive) & NVP_PATH_QUEUES ? NVP_TIME_REGISTER :
								      NVP_TIME_IO;
	nvp_buf_fill(buf, 0);
	rc = nvp_exec_admin(w->drive, &cmd, &cpl);
	if (rc) {
		not_taken(w, logs[i].name, nvp_worker_door_text(w, rc, why, sizeof(why)));
		return rc;
	}
	if (!nvp_cpl_ok(&cpl)) {
		nvp_status_text(&cpl.status, text);
		not_taken(w, logs[i].name, text);
		return 0;
	}
	rc = keep(w, e, logs[i].name, nvp_buf_data(buf), bytes, file);
	if (rc) {
		not_taken(w, logs[i].name, strerror(-rc));
		return 0;
	}
	snprintf(text, sizeof(text), "log page %02xh, %u bytes", logs[i].lid, bytes);
	tell(w, logs[i].name, file, text);
	return 0;
}

static void take_logs(struct nvp_worker *w, const struct nvp_evidence *e)
{
	struct nvp_buf *buf = nvp_buf_new(w->drive, MOST_BYTES);

	if (!buf) {
		not_taken(w, "logs", "out of memory");
		return;
	}
	/* A drive that left one question without an answer is not asked the next. */
	for (size_t i = 0; i < NVP_ARRAY_SIZE(logs); i++) {
		if (ask(w, e, i, buf))
			break;
	}
	nvp_buf_free(buf);
}

/* ---- when ---- */

static bool stands_still(const struct nvp_worker *w)
{
	return !w->limp && !nvp_drive_outstanding(w->drive) && nvp_at_baseline(w->drive);
}

/*
 * What is seen from here on is not the case's. If this process does not live to tell the verdict,
 * the supervisor still has it.
 */
static void enter(struct nvp_worker *w, const struct nvp_evidence *e)
{
	w->in_case = false;
	nvp_drive_set_case(w->drive, 0);
	nvp_drive_permit(w->drive, 0);
	w->slot->shared->decided = w->t.result;
	atomic_store(&w->slot->shared->decided_number, e->number);
}

static void leave(struct nvp_worker *w)
{
	atomic_store(&w->slot->shared->decided_number, 0);
	w->in_case = true;
}

void nvp_evidence_at_fail(struct nvp_worker *w, const struct nvp_plan_item *item, uint32_t number,
			  struct nvp_evidence *e)
{
	struct nvp_shared *shared = w->slot->shared;
	uint32_t first = number - (item->round ? item->round - 1 : 0);

	*e = (struct nvp_evidence){ .number = number };
	if (!w->t.decided || w->t.result.verdict != NVP_FAIL || shared->evidence_of == first)
		return;
	shared->evidence_of = first;
	enter(w, e);
	take_registers(w);
	if (stands_still(w))
		take_logs(w, e);
	else
		e->logs_wait = true;
	leave(w);
}

void nvp_evidence_settled(struct nvp_worker *w, struct nvp_evidence *e, int rc)
{
	if (!e->logs_wait)
		return;
	e->logs_wait = false;
	if (rc || !stands_still(w)) {
		not_taken(w, "logs", "the drive did not come back");
		return;
	}
	enter(w, e);
	take_logs(w, e);
	leave(w);
}
