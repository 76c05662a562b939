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
static void taken(const char *const *records, struct nvp_text *members)
{
	int pair[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
	for (; *records; records++)
		CU_ASSERT_FATAL(write(pair[1], *records, strlen(*records)) > 0);
	nvp_klog_take(pair[0], members);
	close(pair[0]);
	close(pair[1]);
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

	nvp_klog_skip(-EPERM);
	nvp_klog_take(-EPERM, &members);
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

CU_TestInfo nvp_unit_klog[] = {
	{ "lines_have_time_and_text", lines_have_time_and_text },
	{ "no_lines_is_an_empty_list", no_lines_is_an_empty_list },
	{ "a_log_that_cannot_be_read_says_why", a_log_that_cannot_be_read_says_why },
	{ "too_many_lines_are_counted", too_many_lines_are_counted },
	CU_TEST_INFO_NULL,
};
