// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's log through /dev/kmsg: one record a read, without waiting for the next.

#include "core/run/klog.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bits.h"

#define RECORD_BYTES 8192	/* a shorter buffer than the record is refused by the kernel */

int nvp_klog_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	nvp_klog_skip(fd);
	return fd;
}

void nvp_klog_skip(int fd)
{
	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
}

bool nvp_klog_alarms(const char *text)
{
	/* As Linux 5.10 to 6.12 write them: kernel/hung_task.c, watchdog.c, panic.c, pcie/aer.c, dpc.c. */
	static const char *const words[] = {
		"Oops", "BUG:", "kernel BUG at", "WARNING: CPU:", "Kernel panic", "Call Trace:",
		"general protection fault", "blocked for more than", "soft lockup", "hard LOCKUP",
		"detected stall", "AER:", "PCIe Bus Error", "DPC:", "Hardware Error",
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

bool nvp_klog_resets(const char *text, const char *controller)
{
	/* As Linux 5.10 to 6.12 write them: nvme/host/pci.c, core.c, tcp.c. */
	static const char *const words[] = {
		"default/read/poll queues", "resetting controller", "reset controller",
		"will reset", "controller is down", "Removing after", "Device not ready", "Device shutdown",
		"starting error recovery", "Reconnecting in", "Removing controller", "frozen state",
	};
	size_t length = controller ? strlen(controller) : 0;

	if (!length || strncmp(text, "nvme ", 5) || strncmp(text + 5, controller, length) ||
	    text[5 + length] != ':')
		return false;
	for (size_t i = 0; i < NVP_ARRAY_SIZE(words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

/* "[   12.345678] text" as dmesg has it; without the keys that may follow in further lines. */
static void add_line(struct nvp_text *members, bool keep, char *record, const char *controller,
		     struct nvp_klog_alarm *alarm)
{
	char *text = strchr(record, ';'), *at = record, *end;
	char line[1100];
	uint64_t us = 0;

	if (!text)
		return;
	*text++ = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (nvp_klog_alarms(text) && !alarm->nr++)
		snprintf(alarm->first, sizeof(alarm->first), "%.*s", NVP_KLOG_ALARM_BYTES - 1,
			 text);
	if (!alarm->reset[0] && nvp_klog_resets(text, controller))
		snprintf(alarm->reset, sizeof(alarm->reset), "%.*s", NVP_KLOG_ALARM_BYTES - 1,
			 text);
	if (!keep)
		return;
	for (unsigned field = 0; field < 2 && at; field++) {
		at = strchr(at, ',');
		at = at ? at + 1 : NULL;
	}
	if (at)
		us = strtoull(at, &end, 10);
	snprintf(line, sizeof(line), "[%5" PRIu64 ".%06" PRIu64 "] %.1000s", us / 1000000,
		 us % 1000000, text);
	nvp_json_string(members, NULL, line);
}

static uint64_t add_lines(int fd, const char *controller, struct nvp_text *members,
			  struct nvp_klog_alarm *alarm)
{
	char record[RECORD_BYTES + 1];
	uint64_t nr = 0;

	for (;;) {
		ssize_t got = read(fd, record, RECORD_BYTES);

		/* EPIPE: the kernel overwrote what was not read yet; reading goes on behind it. */
		if (got < 0 && (errno == EINTR || errno == EPIPE))
			continue;
		if (got <= 0)
			return nr;
		record[got] = '\0';
		add_line(members, nr++ < NVP_KLOG_LINES, record, controller, alarm);
	}
}

void nvp_klog_take(int fd, const char *controller, struct nvp_text *members,
		   struct nvp_klog_alarm *alarm)
{
	uint64_t nr = 0;

	*alarm = (struct nvp_klog_alarm){ 0 };
	nvp_json_begin(members, "host", '{');
	nvp_json_begin(members, "lines", '[');
	if (fd >= 0)
		nr = add_lines(fd, controller, members, alarm);
	nvp_json_end(members, ']');
	if (fd < 0)
		nvp_json_string(members, "unavailable", strerror(-fd));
	if (nr > NVP_KLOG_LINES)
		nvp_json_u64(members, "left_out", nr - NVP_KLOG_LINES);
	nvp_json_end(members, '}');
}
