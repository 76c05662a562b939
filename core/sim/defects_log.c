// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of Get Log Page, asynchronous events and Abort.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_log[] = {
	{
		.hook = NVP_HOOK_LOG_NUMD,
		.shown = {
			.name = "log-numd-ignored",
			.sentence = "Get Log Page transfers 4096 bytes whatever NUMD asks",
			.section = "NVMe Base 2.0, 5.16 (NUMD)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_BEYOND_REFUSED,
		.shown = {
			.name = "log-numd-beyond-refused",
			.sentence = "Get Log Page refuses a NUMD of more than the log has",
			.section = "NVMe Base 2.0, 5.16 (NUMD)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_BEYOND_EMPTY,
		.shown = {
			.name = "log-numd-beyond-empty",
			.sentence = "Get Log Page gives zeroes for a NUMD of more than the log has",
			.section = "NVMe Base 2.0, 5.16 (NUMD)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_LPO_IGNORED,
		.shown = {
			.name = "log-lpo-ignored",
			.sentence = "Get Log Page starts at 0 whatever the Log Page Offset says",
			.section = "NVMe Base 2.0, 5.16 (LPO)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_LPO_UNALIGNED_OK,
		.shown = {
			.name = "log-lpo-unaligned-accepted",
			.sentence = "a Log Page Offset that is no multiple of 4 is accepted",
			.section = "NVMe Base 2.0, 5.16 (LPOL)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_LPO_END_OK,
		.shown = {
			.name = "log-lpo-beyond-end-accepted",
			.sentence = "a Log Page Offset beyond the end of the log is accepted",
			.section = "NVMe Base 2.0, 5.16 (LPOL)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_LID_OK,
		.shown = {
			.name = "log-reserved-accepted",
			.sentence = "a reserved Log Page Identifier succeeds",
			.section = "NVMe Base 2.0, 5.16 (Invalid Log Page)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_NSID_OK,
		.shown = {
			.name = "log-nsid-unchecked",
			.sentence = "a log of the controller is given for one namespace",
			.section = "NVMe Base 2.0, 5.16 (scope)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_SUPPORTED,
		.shown = {
			.name = "log-supported-incomplete",
			.sentence = "Supported Log Pages does not list SMART / Health Information, which is "
				    "there",
			.section = "NVMe Base 2.0, 5.16.1.1",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_FID,
		.shown = {
			.name = "log-feature-effects-incomplete",
			.sentence = "Feature Identifiers Supported and Effects does not list Power "
				    "Management, which is there",
			.section = "NVMe Base 2.0, 5.16.1.18",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_EFFECTS,
		.shown = {
			.name = "log-effects-incomplete",
			.sentence = "Commands Supported and Effects does not list Flush, which is there",
			.section = "NVMe Base 2.0, 5.16.1.6",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_LOG_FIRMWARE,
		.shown = {
			.name = "log-firmware-revision-differs",
			.sentence = "the active slot of the Firmware Slot log names another revision than FR",
			.section = "NVMe Base 2.0, 5.16.1.4",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_ERR_ORDER,
		.shown = {
			.name = "error-log-oldest-first",
			.sentence = "the Error Information log has its oldest entry first",
			.section = "NVMe Base 2.0, 5.16.1.2",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_ERR_CID,
		.shown = {
			.name = "error-log-cid-wrong",
			.sentence = "an Error Information entry carries another CID than the failed command's",
			.section = "NVMe Base 2.0, 5.16.1.2 (CID)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_ERR_NSID,
		.shown = {
			.name = "error-log-nsid-wrong",
			.sentence = "an Error Information entry carries another NSID than the failed command's",
			.section = "NVMe Base 2.0, 5.16.1.2 (Namespace)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_ERR_STATUS,
		.shown = {
			.name = "error-log-status-shifted",
			.sentence = "the status of an Error Information entry is shifted down by the phase "
				    "bit",
			.section = "NVMe Base 2.0, 5.16.1.2 (Status Field)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_ERR_COUNT,
		.shown = {
			.name = "error-log-count-repeats",
			.sentence = "Error Information entries all carry the same Error Count",
			.section = "NVMe Base 2.0, 5.16.1.2 (Error Count)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_ERR_SMART,
		.shown = {
			.name = "smart-error-entries-stuck",
			.sentence = "Number of Error Information Log Entries does not count new entries",
			.section = "NVMe Base 2.0, 5.16.1.3",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_SMART_DOWN,
		.shown = {
			.name = "smart-counter-goes-down",
			.sentence = "Data Units Read is lower at each reading",
			.section = "NVMe Base 2.0, 5.16.1.3 (Data Units Read)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_SMART_UNITS,
		.shown = {
			.name = "smart-data-units-in-sectors",
			.sentence = "data units are counted in 512 bytes in place of thousands of them",
			.section = "NVMe Base 2.0, 5.16.1.3 (Data Units Read, Data Units Written)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_SMART_WRITES,
		.shown = {
			.name = "smart-host-writes-stuck",
			.sentence = "Host Write Commands does not count",
			.section = "NVMe Base 2.0, 5.16.1.3 (Host Write Commands)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_SMART_NO_WARNING,
		.shown = {
			.name = "smart-temperature-warning-missing",
			.sentence = "Critical Warning bit 1 stays 0 while the temperature is at or above its "
				    "threshold",
			.section = "NVMe Base 2.0, 5.16.1.3 (Critical Warning)",
			.area = "log",
		},
	},
	{
		.hook = NVP_HOOK_AER_LIMIT,
		.shown = {
			.name = "aer-limit-off-by-one",
			.sentence = "one Asynchronous Event Request fewer than AERL + 1 can wait",
			.section = "NVMe Base 2.0, 5.2 (Asynchronous Event Request Limit Exceeded)",
			.area = "event",
		},
	},
	{
		.hook = NVP_HOOK_AER_UNLIMITED,
		.shown = {
			.name = "aer-limit-unchecked",
			.sentence = "more than AERL + 1 Asynchronous Event Requests can wait",
			.section = "NVMe Base 2.0, 5.2 (Asynchronous Event Request Limit Exceeded)",
			.area = "event",
		},
	},
	{
		.hook = NVP_HOOK_AER_TIMES_OUT,
		.shown = {
			.name = "aer-times-out",
			.sentence = "a waiting Asynchronous Event Request completes after 10 s with no event",
			.section = "NVMe Base 2.0, 5.2",
			.area = "event",
		},
	},
	{
		.hook = NVP_HOOK_EVT_TWICE,
		.shown = {
			.name = "event-sent-twice",
			.sentence = "one event completes two Asynchronous Event Requests",
			.section = "NVMe Base 2.0, 5.2",
			.area = "event",
		},
	},
	{
		.hook = NVP_HOOK_EVT_UNMASKED,
		.shown = {
			.name = "event-sent-before-log-read",
			.sentence = "an event type is reported again before the host read its log",
			.section = "NVMe Base 2.0, 5.2",
			.area = "event",
		},
	},
	{
		.hook = NVP_HOOK_EVT_RAE,
		.shown = {
			.name = "event-cleared-by-rae",
			.sentence = "a log read with Retain Asynchronous Event set to 1 clears the event",
			.section = "NVMe Base 2.0, 5.16 (RAE)",
			.area = "event",
		},
	},
	{
		.hook = NVP_HOOK_EVT_CONFIG,
		.shown = {
			.name = "event-config-ignored",
			.sentence = "an event that Asynchronous Event Configuration switched off is sent",
			.section = "NVMe Base 2.0, 5.27.1.8",
			.area = "event",
		},
	},
	{
		.hook = NVP_HOOK_EVT_LID,
		.shown = {
			.name = "event-log-page-wrong",
			.sentence = "Dword 0 of an event names another log page",
			.section = "NVMe Base 2.0, 5.2.1",
			.area = "event",
		},
	},
	{
		.hook = NVP_HOOK_EVT_LOST,
		.shown = {
			.name = "event-lost-when-none-waits",
			.sentence = "an event is forgotten when no Asynchronous Event Request waits",
			.section = "NVMe Base 2.0, 5.2",
			.area = "event",
		},
	},
	{
		.hook = NVP_HOOK_ABT_RESULT,
		.shown = {
			.name = "abort-result-inverted",
			.sentence = "Abort of a command that does not exist says that it was aborted",
			.section = "NVMe Base 2.0, 5.1.1",
			.area = "abort",
		},
	},
	{
		.hook = NVP_HOOK_ABT_DENIED,
		.shown = {
			.name = "abort-denied-but-done",
			.sentence = "Abort of a command that it aborts says that it was not aborted",
			.section = "NVMe Base 2.0, 5.1.1",
			.area = "abort",
		},
	},
	{
		.hook = NVP_HOOK_ABT_NEIGHBOUR,
		.shown = {
			.name = "abort-hits-neighbour",
			.sentence = "Abort stops another waiting command of the queue than the one it names",
			.section = "NVMe Base 2.0, 5.1",
			.area = "abort",
		},
	},
	{
		.hook = NVP_HOOK_ABT_LOST,
		.shown = {
			.name = "abort-loses-command",
			.sentence = "an aborted command gets no completion",
			.section = "NVMe Base 2.0, 5.1",
			.area = "abort",
		},
	},
	{
		.hook = NVP_HOOK_ABT_STATUS,
		.shown = {
			.name = "abort-status-success",
			.sentence = "an aborted command completes with success in place of Command Abort "
				    "Requested",
			.section = "NVMe Base 2.0, 5.1",
			.area = "abort",
		},
	},
	{
		.hook = NVP_HOOK_SMART_MINUTES_DOWN,
		.shown = {
			.name = "smart-temperature-minutes-fall",
			.sentence = "Warning and Critical Composite Temperature Time are less at each reading",
			.section = "NVMe Base 2.0, 5.16.1.3",
			.area = "log",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
