// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of Device Self-test and its log.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_selftest[] = {
	{
		.hook = NVP_HOOK_DST_NO_RESULT,
		.shown = {
			.name = "selftest-result-missing",
			.sentence = "a self-test that ended leaves no entry in the log",
			.section = "NVMe Base 2.0, 5.16.1.7",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_RESULT_ZERO,
		.shown = {
			.name = "selftest-result-always-good",
			.sentence = "a self-test that was aborted has the result of one that found "
				    "no error",
			.section = "NVMe Base 2.0, 5.16.1.7 (Device Self-test Status)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_HOURS,
		.shown = {
			.name = "selftest-hours-ahead",
			.sentence = "results have Power On Hours beyond those of the SMART log",
			.section = "NVMe Base 2.0, 5.16.1.7 (Power On Hours)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_RESULT_NSID,
		.shown = {
			.name = "selftest-result-nsid-wrong",
			.sentence = "results name another namespace than the one tested",
			.section = "NVMe Base 2.0, 5.16.1.7 (NSID)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_STUCK,
		.shown = {
			.name = "selftest-never-ends",
			.sentence = "a self-test stays at half of its way",
			.section = "NVMe Base 2.0, 5.9 and 8.6",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_SHORT_SURVIVES,
		.shown = {
			.name = "selftest-short-survives-reset",
			.sentence = "a short self-test goes on over a controller reset",
			.section = "NVMe Base 2.0, 8.6.1",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_EXTENDED_DIES,
		.shown = {
			.name = "selftest-extended-ends-with-reset",
			.sentence = "a controller reset ends an extended self-test",
			.section = "NVMe Base 2.0, 8.6.2",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_NSID_OK,
		.shown = {
			.name = "selftest-nsid-unchecked",
			.sentence = "a self-test of an invalid namespace starts",
			.section = "NVMe Base 2.0, 5.9 (NSID)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_CODE_OK,
		.shown = {
			.name = "selftest-reserved-code-accepted",
			.sentence = "reserved Self-test Codes succeed",
			.section = "NVMe Base 2.0, 5.9 (STC)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_ABORT_IGNORED,
		.shown = {
			.name = "selftest-abort-ignored",
			.sentence = "code Fh succeeds, and the self-test goes on",
			.section = "NVMe Base 2.0, 5.9 (STC Fh)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_IDLE_LOGGED,
		.shown = {
			.name = "selftest-idle-abort-logged",
			.sentence = "code Fh with no self-test in progress adds a result to the "
				    "log",
			.section = "NVMe Base 2.0, 5.9 (STC Fh)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_SECOND_OK,
		.shown = {
			.name = "selftest-second-accepted",
			.sentence = "a self-test starts although another one is in progress",
			.section = "NVMe Base 2.0, 5.9 (Device Self-test in Progress)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_PROGRESS_FALLS,
		.shown = {
			.name = "selftest-progress-falls",
			.sentence = "the completion percentage goes down",
			.section = "NVMe Base 2.0, 5.16.1.7 (Current Device Self-Test Completion)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_CURRENT_WRONG,
		.shown = {
			.name = "selftest-current-wrong",
			.sentence = "the log shows an extended self-test as a short one",
			.section = "NVMe Base 2.0, 5.16.1.7 (Current Device Self-Test Operation)",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_OLDEST_FIRST,
		.shown = {
			.name = "selftest-oldest-first",
			.sentence = "the log has the oldest result first",
			.section = "NVMe Base 2.0, 5.16.1.7",
			.area = "selftest",
		},
	},
	{
		.hook = NVP_HOOK_DST_UNUSED_ZERO,
		.shown = {
			.name = "selftest-unused-results-good",
			.sentence = "entries that were never written look like self-tests with no "
				    "error",
			.section = "NVMe Base 2.0, 5.16.1.7 (Device Self-test Status)",
			.area = "selftest",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
