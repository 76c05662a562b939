// SPDX-License-Identifier: GPL-2.0-or-later
// The trace on its way out of the shared ring: into trace.bin, or as events of a case that failed.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/run/slot.h"
#include "core/run/trace_file.h"

#define TELL_RECORDS 4096
#define COPY_RECORDS 256

static int write_all(int fd, const void *bytes, size_t nr_bytes)
{
	const char *at = bytes;

	while (nr_bytes > 0) {
		ssize_t wrote = write(fd, at, nr_bytes);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return wrote < 0 ? -errno : -ENOSPC;
		at += wrote;
		nr_bytes -= (size_t)wrote;
	}
	return 0;
}

int nvp_trace_out_open(struct nvp_slot *slot, struct nvp_err *err)
{
	struct nvp_trace_file_header header = {
		.version = NVP_TRACE_FILE_VERSION, .record_bytes = sizeof(struct nvp_trace_record),
	};
	char path[PATH_MAX];
	int rc;

	memcpy(header.magic, NVP_TRACE_FILE_MAGIC, sizeof(header.magic));
	if (snprintf(path, sizeof(path), "%s/trace.bin", slot->dir) >= (int)sizeof(path))
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENAMETOOLONG, "create trace.bin");
	slot->trace_fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	rc = slot->trace_fd < 0 ? -errno : write_all(slot->trace_fd, &header, sizeof(header));
	if (rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "create %s: %s", path, strerror(-rc));
	slot->trace_next = 1;
	return 0;
}

/* Copy a batch from trace_next on; returns how many ticks it went forward. */
static uint64_t copy_batch(struct nvp_slot *slot, uint64_t last)
{
	struct nvp_trace_record records[COPY_RECORDS];
	uint64_t passed = 0;
	size_t nr = 0;
	int rc;

	while (nr < COPY_RECORDS && slot->trace_next + passed <= last) {
		if (nvp_trace_get(slot->trace, slot->trace_next + passed, &records[nr]))
			nr++;
		else
			slot->trace_lost++;
		passed++;
	}
	rc = write_all(slot->trace_fd, records, nr * sizeof(records[0]));
	if (rc) {
		nvp_slot_note(slot, "warning", "trace.bin ends at tick %llu: %s",
			      (unsigned long long)slot->trace_next, strerror(-rc));
		close(slot->trace_fd);
		slot->trace_fd = -1;
	}
	slot->trace_next += passed;
	return passed;
}

void nvp_trace_out_follow(struct nvp_slot *slot)
{
	uint64_t last;

	if (slot->trace_fd < 0)
		return;
	last = nvp_trace_last_tick(slot->trace);
	while (slot->trace_fd >= 0 && slot->trace_next <= last)
		copy_batch(slot, last);
}

void nvp_trace_out_close(struct nvp_slot *slot)
{
	nvp_trace_out_follow(slot);
	if (slot->trace_lost)
		nvp_slot_note(slot, "warning",
			      "trace.bin lacks %llu records that came faster than they were copied",
			      (unsigned long long)slot->trace_lost);
	if (slot->trace_fd >= 0)
		close(slot->trace_fd);
	slot->trace_fd = -1;
}

void nvp_trace_out_tell(struct nvp_slot *slot, uint32_t number)
{
	struct nvp_trace_record record;
	uint64_t last, first;
	char line[NVP_TRACE_TEXT_BYTES];

	if (!slot->trace || slot->run->request->trace == NVP_TRACE_NONE)
		return;
	last = nvp_trace_last_tick(slot->trace);
	/* What the boundary did behind the case is not the case's. */
	while (last && nvp_trace_get(slot->trace, last, &record) && record.case_number != number)
		last--;
	first = last;
	while (first && last - first < TELL_RECORDS &&
	       nvp_trace_get(slot->trace, first, &record) && record.case_number == number)
		first--;
	for (uint64_t tick = first + 1; tick <= last; tick++) {
		struct nvp_text members = { 0 };

		if (!nvp_trace_get(slot->trace, tick, &record))
			continue;
		nvp_json_big(&members, "tick", tick);
		nvp_json_string(&members, "text", nvp_trace_text(&record, line));
		nvp_slot_event(slot, NVP_EVENT_TRACE, record.drive_ns, nvp_text_str(&members));
		nvp_text_free(&members);
	}
}
