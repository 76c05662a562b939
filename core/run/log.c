// SPDX-License-Identifier: GPL-2.0-or-later
// The event file of one drive.

#include "core/run/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int open_file(struct nvp_log *log, const char *dir, int flags, const char *verb,
		     struct nvp_err *err)
{
	char path[4096];

	*log = (struct nvp_log){ .fd = -1 };
	if (snprintf(path, sizeof(path), "%s/events.jsonl", dir) >= (int)sizeof(path))
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENAMETOOLONG, "%s events.jsonl", verb);
	log->fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0644);
	if (log->fd < 0)
		return nvp_err_set(err, NVP_ERR_BROKEN, -errno, "%s %s: %s", verb, path,
				   strerror(errno));
	return 0;
}

int nvp_log_open(struct nvp_log *log, const char *dir, struct nvp_err *err)
{
	return open_file(log, dir, O_CREAT | O_EXCL, "create", err);
}

int nvp_log_continue(struct nvp_log *log, const char *dir, uint64_t lines, uint64_t bytes,
		     struct nvp_err *err)
{
	int rc = open_file(log, dir, O_APPEND, "go on with", err);

	if (rc)
		return rc;
	log->seq = lines;
	log->bytes = bytes;
	if (ftruncate(log->fd, (off_t)bytes))
		return nvp_err_set(err, NVP_ERR_BROKEN, -errno, "cut the torn end off %s/events.jsonl: %s",
				   dir, strerror(errno));
	return 0;
}

void nvp_log_close(struct nvp_log *log)
{
	if (log->fd >= 0)
		close(log->fd);
	log->fd = -1;
	nvp_text_free(&log->line);
}

static int write_all(int fd, const char *bytes, size_t nr_bytes)
{
	while (nr_bytes > 0) {
		ssize_t wrote = write(fd, bytes, nr_bytes);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return wrote < 0 ? -errno : -ENOSPC;
		bytes += wrote;
		nr_bytes -= (size_t)wrote;
	}
	return 0;
}

/* 2026-11-30T17:41:49.123456789Z */
static void wall_text(char text[48])
{
	struct timespec now;
	struct tm utc;
	size_t length;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	length = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(text + length, 48 - length, ".%09ldZ", now.tv_nsec);
}

int nvp_log_add(struct nvp_log *log, enum nvp_event_type type, uint64_t t_ns, const char *drive,
		const char *id, const char *members)
{
	struct nvp_text *line = &log->line;
	char wall[48];

	if (log->error)
		return log->error;
	wall_text(wall);
	nvp_text_clear(line);
	nvp_json_begin(line, NULL, '{');
	nvp_json_u64(line, "v", 1);
	nvp_json_u64(line, "seq", log->seq);
	nvp_json_string(line, "wall_utc", wall);
	nvp_json_u64(line, "t_ns", t_ns);
	nvp_json_string(line, "type", nvp_event_name(type));
	if (drive)
		nvp_json_string(line, "drive", drive);
	if (id)
		nvp_json_string(line, "case", id);
	if (*members) {
		nvp_text_add(line, ",");
		nvp_text_add(line, members);
	}
	nvp_text_add(line, "}\n");
	log->error = line->failed ? -ENOMEM : write_all(log->fd, line->text, line->length);
	if (log->error) {
		/* What stands of the torn line is taken back where that is possible. */
		if (ftruncate(log->fd, (off_t)log->bytes))
			return log->error;
		return log->error;
	}
	log->bytes += line->length;
	log->seq++;
	line->text[--line->length] = '\0';
	return 0;
}

int nvp_log_sync(struct nvp_log *log)
{
	if (!log->error && fdatasync(log->fd))
		log->error = -errno;
	return log->error;
}
