// SPDX-License-Identifier: GPL-2.0-or-later
// Reports from events alone: totals, exit codes, torn and missing lines, documents from hostile text.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/report/console.h"
#include "core/report/model.h"
#include "tests/unit/unit.h"

/* A growing events.jsonl. */
struct log {
	struct nvp_text text;
	unsigned seq;
};

static void add(struct log *log, const char *type, const char *rest)
{
	nvp_text_addf(&log->text,
		      "{\"v\":1,\"seq\":%u,\"wall_utc\":\"2026-11-30T17:41:49.000000000Z\","
		      "\"t_ns\":%u,\"type\":\"%s\",%s}\n", log->seq, log->seq * 10, type, rest);
	log->seq++;
}

static void add_case(struct log *log, const char *id, const char *verdict, const char *reason)
{
	char rest[600];

	snprintf(rest, sizeof(rest), "\"case\":\"%s\",\"number\":%u,\"title\":\"t\",\"impact\":[],"
		 "\"spec\":{\"document\":\"NVMe Base\",\"revision\":\"2.0\",\"section\":\"5.1\"}",
		 id, log->seq);
	add(log, "case.begin", rest);
	snprintf(rest, sizeof(rest), "\"case\":\"%s\",\"site\":\"f.c:1\",\"ok\":%s,"
		 "\"authority\":\"spec\",\"expected\":\"1\",\"seen\":\"2\",\"trace\":[1,\"10\"]", id,
		 strcmp(verdict, "fail") ? "true" : "false");
	add(log, "check", rest);
	for (unsigned tick = 1; tick < 20; tick++) {
		snprintf(rest, sizeof(rest), "\"case\":\"%s\",\"tick\":\"%u\",\"text\":\"line %u\"",
			 id, tick, tick);
		add(log, "trace", rest);
	}
	snprintf(rest, sizeof(rest), "\"case\":\"%s\",\"verdict\":\"%s\",\"reason\":\"%s\","
		 "\"checks\":1,\"checks_failed\":0,\"warnings\":0,\"duration_ns\":\"5\",\"wall_ms\":3",
		 id, verdict, reason);
	add(log, "case.end", rest);
}

static void begin(struct log *log, unsigned nr_cases)
{
	char rest[200];

	memset(log, 0, sizeof(*log));
	snprintf(rest, sizeof(rest), "\"version\":\"0\",\"seed\":\"1\",\"nr_cases\":%u,"
		 "\"nr_drives\":1,\"shuffle\":false,\"host\":{\"argv\":[]}", nr_cases);
	add(log, "run.begin", rest);
	add(log, "drive", "\"drive\":\"S1\",\"serial\":\"S1\",\"model\":\"M\",\"firmware\":\"F\","
	    "\"address\":\"sim:\",\"path\":[],\"nvme_version\":\"2.0\",\"nr_ns\":1,\"allow\":[],"
	    "\"facts\":{}");
}

static void end(struct log *log, int exit_code)
{
	char rest[200];

	snprintf(rest, sizeof(rest), "\"pass\":0,\"fail\":0,\"skip\":0,\"broken\":0,\"warned\":0,"
		 "\"waived\":0,\"not_run\":0,\"exit_code\":%d,\"wall_ms\":12", exit_code);
	add(log, "run.end", rest);
}

/* The report of these bytes as a file. */
static struct nvp_report *report_of(const char *bytes, size_t nr, struct nvp_err *err, int *rc)
{
	struct nvp_report *report = nvp_report_new();
	char dir[] = "/tmp/nvp-report-XXXXXX", path[64];
	FILE *file;

	CU_ASSERT_PTR_NOT_NULL_FATAL(report);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/events.jsonl", dir);
	file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, nr, file), nr);
	fclose(file);
	memset(err, 0, sizeof(*err));
	*rc = nvp_report_read(report, dir, err);
	unlink(path);
	rmdir(dir);
	return report;
}

static void totals_and_exit_code_come_from_the_events(void)
{
	struct nvp_report *report;
	struct nvp_totals t;
	struct nvp_err err;
	struct log log;
	int rc;

	begin(&log, 5);
	add_case(&log, "a.pass", "pass", "");
	add_case(&log, "a.fail", "fail", "bad");
	add_case(&log, "a.skip", "skip", "not there");
	add_case(&log, "a.broken", "broken", "hung");
	end(&log, 1);
	report = report_of(log.text.text, log.text.length, &err, &rc);
	CU_ASSERT_EQUAL(rc, 0);
	CU_ASSERT_EQUAL(err.code, 0);
	nvp_report_totals(report, &t);
	CU_ASSERT_TRUE(t.pass == 1 && t.fail == 1 && t.skip == 1 && t.broken == 1);
	CU_ASSERT_TRUE(t.ended);
	CU_ASSERT_EQUAL(t.exit_code, 1);
	CU_ASSERT_EQUAL(report->wall_ms, 12);
	CU_ASSERT_STRING_EQUAL(report->cases[1].spec, "NVMe Base 2.0, 5.1");
	/* What led to the failed check (it names 1 and 10), not the last lines; a pass keeps none. */
	CU_ASSERT_EQUAL_FATAL(report->cases[1].nr_trace, 7);
	CU_ASSERT_STRING_EQUAL(report->cases[1].trace[0].text, "line 1");
	CU_ASSERT_STRING_EQUAL(report->cases[1].trace[1].text, "line 5");
	CU_ASSERT_STRING_EQUAL(report->cases[1].trace[6].text, "line 10");
	CU_ASSERT_EQUAL(report->cases[0].nr_trace, 0);
	/* Nothing failed in the broken one: its last lines. */
	CU_ASSERT_EQUAL_FATAL(report->cases[3].nr_trace, NVP_TRACE_LINES_SHOWN);
	CU_ASSERT_STRING_EQUAL(report->cases[3].trace[NVP_TRACE_LINES_SHOWN - 1].text, "line 19");
	nvp_report_free(report);
	nvp_text_free(&log.text);
}

/* Every cut of a log: what came before is reported, and the line is named. */
static void a_log_cut_anywhere_tells_the_line_and_what_came_before(void)
{
	struct log log;

	begin(&log, 2);
	add_case(&log, "a.one", "pass", "");
	add_case(&log, "a.two", "pass", "");
	end(&log, 0);
	for (size_t cut = 0; cut <= log.text.length; cut++) {
		bool whole = cut == 0 || log.text.text[cut - 1] == '\n';
		struct nvp_report *report;
		struct nvp_totals t;
		struct nvp_err err;
		unsigned lines = 0;
		char words[40];
		int rc;

		for (size_t i = 0; i < cut; i++)
			lines += log.text.text[i] == '\n';
		report = report_of(log.text.text, cut, &err, &rc);
		CU_ASSERT_EQUAL(rc, 0);
		CU_ASSERT_EQUAL(err.code, whole ? 0 : -EBADMSG);
		snprintf(words, sizeof(words), "events.jsonl line %u:", lines + 1);
		CU_ASSERT_TRUE(whole || strstr(err.what, words));
		CU_ASSERT_EQUAL(report->next_seq, lines);
		nvp_report_totals(report, &t);
		CU_ASSERT_EQUAL(t.ended, lines == log.seq);
		CU_ASSERT_EQUAL(t.exit_code, lines == log.seq ? 0 : 3);
		CU_ASSERT_EQUAL(t.pass + t.broken, report->nr_results);
		nvp_report_free(report);
	}
	nvp_text_free(&log.text);
}

static void a_missing_line_is_noticed(void)
{
	struct nvp_report *report;
	struct nvp_totals t;
	struct nvp_err err;
	struct log log;
	int rc;

	begin(&log, 1);
	log.seq++;
	add_case(&log, "a.one", "pass", "");
	end(&log, 0);
	report = report_of(log.text.text, log.text.length, &err, &rc);
	CU_ASSERT_EQUAL(rc, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "line 3: expected seq 2, seen 3"));
	nvp_report_totals(report, &t);
	CU_ASSERT_EQUAL(t.exit_code, 3);
	CU_ASSERT_EQUAL(t.not_run, 1);
	nvp_report_free(report);
	nvp_text_free(&log.text);
}

static void an_overlong_line_is_refused(void)
{
	size_t nr = (2u << 20) + 1;
	char *bytes = malloc(nr);
	struct nvp_report *report;
	struct nvp_err err;
	int rc;

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	memset(bytes, 'x', nr);
	report = report_of(bytes, nr, &err, &rc);
	CU_ASSERT_EQUAL(rc, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "line 1: longer than 1 MiB"));
	nvp_report_free(report);
	free(bytes);
}

static void an_exit_code_that_is_none_counts_as_broken(void)
{
	struct nvp_report *report;
	struct nvp_totals t;
	struct nvp_err err;
	struct log log;
	int rc;

	begin(&log, 0);
	end(&log, 77);
	report = report_of(log.text.text, log.text.length, &err, &rc);
	nvp_report_totals(report, &t);
	CU_ASSERT_EQUAL(t.exit_code, 3);
	nvp_report_free(report);
	nvp_text_free(&log.text);
}

static void a_waived_fail_is_no_fail(void)
{
	struct nvp_report *report;
	struct nvp_text xml = { 0 };
	struct nvp_totals t;
	struct nvp_err err;
	struct log log;
	int rc;

	begin(&log, 1);
	add(&log, "case.end", "\"case\":\"a.b\",\"verdict\":\"fail\",\"reason\":\"r\",\"checks\":1,"
	    "\"checks_failed\":1,\"warnings\":0,\"duration_ns\":\"5\",\"wall_ms\":3,"
	    "\"waiver\":\"known\"");
	end(&log, 0);
	report = report_of(log.text.text, log.text.length, &err, &rc);
	nvp_report_totals(report, &t);
	CU_ASSERT_TRUE(t.fail == 0 && t.waived == 1 && t.exit_code == 0);
	CU_ASSERT_STRING_EQUAL(nvp_case_verdict_text(&report->cases[0]), "fail (waived)");
	CU_ASSERT_EQUAL(nvp_junit_add((const struct nvp_report *const *)&report, 1, &xml), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&xml), "failures=\"0\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&xml),
				      "<skipped message=\"fail (waived by known): r\"/>"));
	nvp_text_free(&xml);
	nvp_report_free(report);
	nvp_text_free(&log.text);
}

static void hostile_text_stays_text(void)
{
	static const char reason[] = "<b> & ]]> \\\" \\u001b[31m \\u0001 \\ud800 \\uffff \\n x";
	struct nvp_text xml = { 0 }, json = { 0 };
	struct nvp_report *report;
	struct nvp_err err;
	struct log log;
	unsigned lines = 0;
	int rc;

	begin(&log, 1);
	add_case(&log, "a.b", "fail", reason);
	end(&log, 1);
	report = report_of(log.text.text, log.text.length, &err, &rc);
	CU_ASSERT_EQUAL(err.code, 0);
	CU_ASSERT_EQUAL(nvp_junit_add((const struct nvp_report *const *)&report, 1, &xml), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&xml),
				      "message=\"&lt;b&gt; &amp; ]]&gt; &quot; \xef\xbf\xbd[31m "
				      "\xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd &#10; x\""));
	/* One element a line: every line begins with one. */
	for (const char *at = nvp_text_str(&xml); at && *at; at = strchr(at, '\n') + 1, lines++)
		CU_ASSERT_EQUAL(*at, '<');
	CU_ASSERT_TRUE(lines > 10);
	CU_ASSERT_EQUAL(nvp_run_json_add((const struct nvp_report *const *)&report, 1, &json), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_text_str(&json), "\\u001b[31m"));
	nvp_text_free(&xml);
	nvp_text_free(&json);
	nvp_report_free(report);
	nvp_text_free(&log.text);
}

/* A failing case with a line of the kernel's, on a drive of this path; its result is printed. */
static void print_with_kernel_line(const char *path, char *text, size_t bytes)
{
	struct nvp_style style = { 0 };
	struct nvp_report *report;
	struct nvp_err err;
	struct log log;
	char rest[300];
	FILE *out;
	int rc;

	memset(&log, 0, sizeof(log));
	add(&log, "run.begin", "\"version\":\"0\",\"seed\":\"1\",\"nr_cases\":1,\"nr_drives\":1,"
	    "\"shuffle\":false,\"host\":{}");
	snprintf(rest, sizeof(rest), "\"drive\":\"S1\",\"serial\":\"S1\",\"model\":\"M\","
		 "\"firmware\":\"F\",\"address\":\"x\",\"path\":[\"queues\",\"%s\"],"
		 "\"nvme_version\":\"2.0\",\"nr_ns\":1,\"allow\":[],\"facts\":{}", path);
	add(&log, "drive", rest);
	add(&log, "case.begin", "\"case\":\"a.b\",\"number\":1,\"title\":\"t\",\"impact\":[],"
	    "\"spec\":{}");
	add(&log, "klog", "\"case\":\"a.b\",\"host\":{\"lines\":[\"[ 1.0] nvme \\u001b[2J\"]}");
	add(&log, "case.end", "\"case\":\"a.b\",\"verdict\":\"broken\",\"reason\":\"gone\","
	    "\"checks\":0,\"checks_failed\":0,\"warnings\":0,\"duration_ns\":\"5\",\"wall_ms\":3");
	report = report_of(log.text.text, log.text.length, &err, &rc);
	CU_ASSERT_EQUAL_FATAL(report->nr_results, 1);
	out = fmemopen(text, bytes, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	nvp_print_case(out, &style, &report->cases[0]);
	fclose(out);
	nvp_report_free(report);
	nvp_text_free(&log.text);
}

static void kernel_lines_stand_beside_a_real_drive_only(void)
{
	char text[2000] = "";

	print_with_kernel_line("registers", text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "kernel log\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "[ 1.0] nvme ?[2J\n"));
	memset(text, 0, sizeof(text));
	print_with_kernel_line("simulated", text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "broken"));
	CU_ASSERT_PTR_NULL(strstr(text, "nvme"));
}

static void the_stronger_exit_code_wins(void)
{
	static const int order[] = { 4, 2, 130, 143, 1, 3, 0 };
	struct nvp_totals sum = { .ended = true }, one = { .ended = true, .exit_code = 3 };

	for (unsigned i = 0; i < 7; i++) {
		for (unsigned k = i; k < 7; k++) {
			CU_ASSERT_EQUAL(nvp_worse_exit_code(order[i], order[k]), order[i]);
			CU_ASSERT_EQUAL(nvp_worse_exit_code(order[k], order[i]), order[i]);
		}
	}
	nvp_totals_add(&sum, &one);
	CU_ASSERT_TRUE(sum.ended && sum.exit_code == 3);
	one.ended = false;
	one.exit_code = 1;
	nvp_totals_add(&sum, &one);
	CU_ASSERT_TRUE(!sum.ended && sum.exit_code == 1);
}

static void a_result_stream_that_is_full_is_said_once(void)
{
	struct nvp_console_options options = { .result = fopen("/dev/full", "w") };
	struct nvp_console *console = nvp_console_new(&options);
	struct log log;
	int errors = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(options.result);
	CU_ASSERT_PTR_NOT_NULL_FATAL(console);
	begin(&log, 2);
	add_case(&log, "a.one", "pass", "");
	add_case(&log, "a.two", "pass", "");
	for (char *at = log.text.text, *next; *at; at = next + 1) {
		next = strchr(at, '\n');
		*next = '\0';
		errors += nvp_console_feed(console, 0, at) == -ENOSPC;
	}
	CU_ASSERT_EQUAL(errors, 1);
	CU_ASSERT_EQUAL(nvp_console_end(console, NULL), 0);
	nvp_console_free(console);
	fclose(options.result);
	nvp_text_free(&log.text);
}

extern CU_TestInfo nvp_unit_report[];
CU_TestInfo nvp_unit_report[] = {
	{ "totals_and_exit_code_come_from_the_events", totals_and_exit_code_come_from_the_events },
	{ "a_log_cut_anywhere_tells_the_line_and_what_came_before",
	  a_log_cut_anywhere_tells_the_line_and_what_came_before },
	{ "a_missing_line_is_noticed", a_missing_line_is_noticed },
	{ "an_overlong_line_is_refused", an_overlong_line_is_refused },
	{ "an_exit_code_that_is_none_counts_as_broken",
	  an_exit_code_that_is_none_counts_as_broken },
	{ "a_waived_fail_is_no_fail", a_waived_fail_is_no_fail },
	{ "hostile_text_stays_text", hostile_text_stays_text },
	{ "kernel_lines_stand_beside_a_real_drive_only",
	  kernel_lines_stand_beside_a_real_drive_only },
	{ "the_stronger_exit_code_wins", the_stronger_exit_code_wins },
	{ "a_result_stream_that_is_full_is_said_once", a_result_stream_that_is_full_is_said_once },
	CU_TEST_INFO_NULL
};
