// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel lines: records as /dev/kmsg gives them, one a read, and why there are none.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/run/klog.h"
#include "tests/unit/unit.h"

/* What is made of these records; ended by NULL. A packet socket keeps them apart, as kmsg does. */
static struct nvp_klog_alarm taken(const char *const *records, struct nvp_text *members)
{
	struct nvp_klog_alarm alarm;
	int pair[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
	for (; *records; records++)
		CU_ASSERT_FATAL(write(pair[1], *records, strlen(*records)) > 0);
	nvp_klog_take(pair[0], "nvme0", members, &alarm);
	close(pair[0]);
	close(pair[1]);
	return alarm;
}

static void lines_have_time_and_text(void)
{
	static const char *const records[] = {
		"4,1205,12345678,-;nvme nvme0: I/O 5 QID 1 timeout, aborting\n SUBSYSTEM=nvme\n"
		" DEVICE=c240:0\n",
		"6,1206,99000001,c;\"quoted\" \\x09 text\n",
		"no record\n",
		"30,1207;short\n",
		NULL,
	};
	struct nvp_text members = { 0 };

	taken(records, &members);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&members),
			       "\"host\":{\"lines\":["
			       "\"[   12.345678] nvme nvme0: I/O 5 QID 1 timeout, aborting\","
			       "\"[   99.000001] \\\"quoted\\\" \\\\x09 text\","
			       "\"[    0.000000] short\"]}");
	nvp_text_free(&members);
}

static void no_lines_is_an_empty_list(void)
{
	static const char *const none[] = { NULL };
	struct nvp_text members = { 0 };

	taken(none, &members);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&members), "\"host\":{\"lines\":[]}");
	nvp_text_free(&members);
}

static void a_log_that_cannot_be_read_says_why(void)
{
	struct nvp_text members = { 0 };
	struct nvp_klog_alarm alarm;

	nvp_klog_skip(-EPERM);
	nvp_klog_take(-EPERM, NULL, &members, &alarm);
	CU_ASSERT_EQUAL(alarm.nr, 0);
	CU_ASSERT_STRING_EQUAL(nvp_text_str(&members),
			       "\"host\":{\"lines\":[],\"unavailable\":\"Operation not permitted\"}");
	nvp_text_free(&members);
}

static void too_many_lines_are_counted(void)
{
	static const char *records[NVP_KLOG_LINES + 4];
	struct nvp_text members = { 0 };
	const char *text;
	unsigned nr = 0;

	for (unsigned i = 0; i < NVP_KLOG_LINES + 3; i++)
		records[i] = "6,1,1,-;line\n";
	taken(records, &members);
	for (text = nvp_text_str(&members); (text = strstr(text, "] line")); text++)
		nr++;
	CU_ASSERT_EQUAL(nr, NVP_KLOG_LINES);
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&members), "\"left_out\":3"));
	nvp_text_free(&members);
}

/* Counted also where the lines that are kept have ended. */
static void a_kernel_in_trouble_alarms(void)
{
	static const char *records[NVP_KLOG_LINES + 4];
	struct nvp_text members = { 0 };
	struct nvp_klog_alarm alarm;

	for (unsigned i = 0; i < NVP_KLOG_LINES + 3; i++)
		records[i] = "6,1,1,-;nvme nvme0: 4/0/0 default/read/poll queues\n";
	records[1] = "3,2,2,-;pcieport 0000:00:04.0: AER: Corrected error received: 0000:01:00.0\n";
	records[NVP_KLOG_LINES + 2] =
		"3,3,3,-;INFO: task nvproof:77 blocked for more than 120 seconds.\n";
	alarm = taken(records, &members);
	CU_ASSERT_EQUAL(alarm.nr, 2);
	CU_ASSERT_STRING_EQUAL(alarm.first, "pcieport 0000:00:04.0: AER: Corrected error received: "
			       "0000:01:00.0");
	nvp_text_free(&members);
	CU_ASSERT_TRUE(nvp_klog_alarms("BUG: unable to handle page fault for address: 0"));
	CU_ASSERT_TRUE(nvp_klog_alarms("Oops: 0000 [#1] PREEMPT SMP"));
	CU_ASSERT_FALSE(nvp_klog_alarms("nvme nvme0: I/O 5 QID 1 timeout, aborting"));
	CU_ASSERT_FALSE(nvp_klog_alarms(""));
}

/* Of the controller under test alone, and not what is said when one is merely slow. */
static void a_reset_by_others_is_told(void)
{
	static const char *const records[] = {
		"6,1,1,-;nvme nvme1: 4/0/0 default/read/poll queues\n",
		"4,2,2,-;nvme nvme0: I/O 5 QID 1 timeout, aborting\n",
		"6,3,3,-;nvme nvme0: 2/0/0 default/read/poll queues\n",
		"4,4,4,-;nvme nvme0: Removing after probe failure status: -19\n",
		NULL,
	};
	struct nvp_text members = { 0 };
	struct nvp_klog_alarm alarm = taken(records, &members);

	CU_ASSERT_STRING_EQUAL(alarm.reset, "nvme nvme0: 2/0/0 default/read/poll queues");
	nvp_text_free(&members);
	alarm = taken(records + 4, &members);
	CU_ASSERT_STRING_EQUAL(alarm.reset, "");
	nvp_text_free(&members);
	CU_ASSERT_TRUE(nvp_klog_resets("nvme nvme0: I/O 1 timeout, reset controller", "nvme0"));
	CU_ASSERT_TRUE(nvp_klog_resets("nvme nvme10: resetting controller", "nvme10"));
	CU_ASSERT_FALSE(nvp_klog_resets("nvme nvme10: resetting controller", "nvme1"));
	CU_ASSERT_FALSE(nvp_klog_resets("nvme nvme0: resetting controller", ""));
	CU_ASSERT_FALSE(nvp_klog_resets("nvme nvme0: resetting controller", NULL));
}

CU_TestInfo nvp_unit_klog[] = {
	{ "lines_have_time_and_text", lines_have_time_and_text },
	{ "no_lines_is_an_empty_list", no_lines_is_an_empty_list },
	{ "a_log_that_cannot_be_read_says_why", a_log_that_cannot_be_read_says_why },
	{ "too_many_lines_are_counted", too_many_lines_are_counted },
	{ "a_kernel_in_trouble_alarms", a_kernel_in_trouble_alarms },
	{ "a_reset_by_others_is_told", a_reset_by_others_is_told },
	CU_TEST_INFO_NULL,
};
