// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of Sanitize.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_sanitize[] = {
	{
		.hook = NVP_HOOK_SAN_STALE,
		.shown = {
			.name = "sanitize-keeps-data",
			.sentence = "a sanitize operation succeeds and leaves the data on "
				    "the media",
			.section = "NVMe Base 2.0, 8.21",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_CRYPTO,
		.shown = {
			.name = "sanitize-crypto-keeps-data",
			.sentence = "a crypto erase succeeds and leaves the data",
			.section = "NVMe Base 2.0, 8.21",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_BLOCK_SURVIVES,
		.shown = {
			.name = "sanitize-last-block-survives",
			.sentence = "the last block of each namespace keeps its data",
			.section = "NVMe Base 2.0, 8.21",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_CACHE,
		.shown = {
			.name = "sanitize-keeps-cache",
			.sentence = "what the volatile cache held is written to the media "
				    "after the sanitize",
			.section = "NVMe Base 2.0, 8.21",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_FAILS,
		.shown = {
			.name = "sanitize-never-succeeds",
			.sentence = "every sanitize operation ends with the status of a failure",
			.section = "NVMe Base 2.0, 5.24",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_STATUS,
		.shown = {
			.name = "sanitize-status-missing",
			.sentence = "the log says that the drive was never sanitized, "
				    "whatever was done",
			.section = "NVMe Base 2.0, 5.16.1.25 (SSTAT)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_PROGRESS_STUCK,
		.shown = {
			.name = "sanitize-progress-not-idle",
			.sentence = "SPROG is not FFFFh when no operation is in progress",
			.section = "NVMe Base 2.0, 5.16.1.25 (SPROG)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_PROGRESS_DOWN,
		.shown = {
			.name = "sanitize-progress-counts-down",
			.sentence = "SPROG counts what remains, not what is done",
			.section = "NVMe Base 2.0, 5.16.1.25 (SPROG)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_CDW10,
		.shown = {
			.name = "sanitize-log-command-wrong",
			.sentence = "SCDW10 is not Command Dword 10 of the operation",
			.section = "NVMe Base 2.0, 5.16.1.25 (SCDW10)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_ND_STATUS,
		.shown = {
			.name = "sanitize-no-deallocate-status",
			.sentence = "SSTAT does not tell that blocks were not deallocated",
			.section = "NVMe Base 2.0, 5.16.1.25 (SSTAT 100b)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_PATTERN,
		.shown = {
			.name = "sanitize-overwrite-pattern-wrong",
			.sentence = "blocks hold another pattern than the overwrite was "
				    "asked for",
			.section = "NVMe Base 2.0, 5.24 (OVRPAT)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_EVENT_MISSING,
		.shown = {
			.name = "sanitize-event-missing",
			.sentence = "the end of an operation is not announced",
			.section = "NVMe Base 2.0, 5.2.1; 8.21",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_EVENT_INFO,
		.shown = {
			.name = "sanitize-event-wrong",
			.sentence = "the event at the end of an operation has the "
				    "information of another one",
			.section = "NVMe Base 2.0, 5.2.1",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_ACTION_OK,
		.shown = {
			.name = "sanitize-action-unchecked",
			.sentence = "reserved and missing sanitize actions succeed, and do "
				    "nothing",
			.section = "NVMe Base 2.0, 5.24 (SANACT)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_EXIT,
		.shown = {
			.name = "sanitize-exit-refused",
			.sentence = "Exit Failure Mode without a failure is refused",
			.section = "NVMe Base 2.0, 5.24 (SANACT 001b)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_IO,
		.shown = {
			.name = "sanitize-lets-io-through",
			.sentence = "I/O commands are carried out while an operation is in "
				    "progress",
			.section = "NVMe Base 2.0, 8.21",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_IO_STATUS,
		.shown = {
			.name = "sanitize-io-wrong-status",
			.sentence = "commands are refused with Internal Error while an "
				    "operation is in progress",
			.section = "NVMe Base 2.0, 8.21",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_SECOND_OK,
		.shown = {
			.name = "sanitize-second-accepted",
			.sentence = "a Sanitize command succeeds while an operation is in "
				    "progress",
			.section = "NVMe Base 2.0, 5.24",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_IDENTIFY,
		.shown = {
			.name = "sanitize-refuses-identify",
			.sentence = "Identify is refused while an operation is in progress",
			.section = "NVMe Base 2.0, 5.24",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_RESET,
		.shown = {
			.name = "sanitize-ended-by-reset",
			.sentence = "a controller reset ends the operation before it is done",
			.section = "NVMe Base 2.0, 8.21",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_GDE_STUCK,
		.shown = {
			.name = "sanitize-erased-bit-stuck",
			.sentence = "Global Data Erased stays set when data are written",
			.section = "NVMe Base 2.0, 5.16.1.25 (GDE)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_GDE_NEVER,
		.shown = {
			.name = "sanitize-erased-bit-missing",
			.sentence = "Global Data Erased is clear after a successful operation",
			.section = "NVMe Base 2.0, 5.16.1.25 (GDE)",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_EFFECTS,
		.shown = {
			.name = "sanitize-not-in-effects-log",
			.sentence = "the Commands Supported and Effects log does not list "
				    "Sanitize",
			.section = "NVMe Base 2.0, 5.16.1.6",
			.area = "sanitize",
		},
	},
	{
		.hook = NVP_HOOK_SAN_FIRMWARE_OK,
		.shown = {
			.name = "sanitize-before-activation-accepted",
			.sentence = "a sanitize begins while firmware waits for a reset that activates it",
			.section = "NVMe Base 2.0, 5.24",
			.area = "sanitize",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
