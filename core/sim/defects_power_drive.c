// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of a sudden loss of power: what becomes of the drive.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_power_drive[] = {
	{
		.hook = NVP_HOOK_CUT_DEAD,
		.shown = {
			.name = "cut-kills-drive",
			.sentence = "after so many sudden losses of power the link does not come "
				    "up any more",
			.section = "NVMe Base 2.0, 3.5.1",
			.area = "powerloss",
			.parameters = "cuts=3",
			.class_words = "DEAD",
		},
	},
	{
		.hook = NVP_HOOK_CUT_DEAD_ONCE,
		.shown = {
			.name = "cut-kills-drive-once",
			.sentence = "after this sudden loss of power the link comes up at the "
				    "second power-on only",
			.section = "NVMe Base 2.0, 3.5.1",
			.area = "powerloss",
			.parameters = "cuts=2",
			.class_words = "DEAD|SLOW_READY|METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_FATAL,
		.shown = {
			.name = "cut-leaves-fatal-status",
			.sentence = "after a sudden loss of power an enable ends with CFS (enables=0: "
				    "each; else so many)",
			.section = "NVMe Base 2.0, 3.1.3.6 (CFS)",
			.area = "powerloss",
			.parameters = "enables=0",
			.class_words = "DEAD|SLOW_READY",
		},
	},
	{
		.hook = NVP_HOOK_CUT_SLOW_READY,
		.shown = {
			.name = "cut-slows-ready",
			.sentence = "after a sudden loss of power RDY comes so much later than "
				    "CAP.TO",
			.section = "NVMe Base 2.0, 3.1.3.1 (TO) and 3.5.1",
			.area = "powerloss",
			.parameters = "ms=1000",
			.class_words = "SLOW_READY",
		},
	},
	{
		.hook = NVP_HOOK_CUT_SERIAL,
		.shown = {
			.name = "cut-changes-serial",
			.sentence = "after a sudden loss of power Identify gives another serial "
				    "number",
			.section = "NVMe Base 2.0, 5.17.2.1 (SN)",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_CAPACITY,
		.shown = {
			.name = "cut-changes-capacity",
			.sentence = "after a sudden loss of power a namespace has half its size",
			.section = "NVMe Base 2.0, 5.17.2 and NVM Command Set 1.0, 4.1.5.1 (NSZE)",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_EUI,
		.shown = {
			.name = "cut-changes-identifiers",
			.sentence = "after a sudden loss of power a namespace has other "
				    "identifiers",
			.section = "NVMe Base 2.0, 5.17.2.3",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_READ_ONLY,
		.shown = {
			.name = "cut-leaves-read-only",
			.sentence = "after a sudden loss of power every write is refused",
			.section = "NVMe Base 2.0, 5.16.1.3",
			.area = "powerloss",
			.class_words = "METADATA|UNREADABLE|DEAD",
		},
	},
	{
		.hook = NVP_HOOK_UNSAFE_MISSING,
		.shown = {
			.name = "cut-not-counted",
			.sentence = "a sudden loss of power is not counted",
			.section = "NVMe Base 2.0, 5.16.1.3 (Unsafe Shutdowns)",
			.area = "powerloss",
			.class_words = "ACCOUNTING",
		},
	},
	{
		.hook = NVP_HOOK_UNSAFE_TWICE,
		.shown = {
			.name = "cut-counted-twice",
			.sentence = "a sudden loss of power is counted twice",
			.section = "NVMe Base 2.0, 5.16.1.3 (Unsafe Shutdowns)",
			.area = "powerloss",
			.class_words = "ACCOUNTING",
		},
	},
	{
		.hook = NVP_HOOK_UNSAFE_COUNT_WRONG,
		.shown = {
			.name = "shutdown-counted-as-cut",
			.sentence = "a loss of power after a shutdown counts as unsafe",
			.section = "NVMe Base 2.0, 5.16.1.3 (Unsafe Shutdowns)",
			.area = "powerloss",
			.class_words = "ACCOUNTING",
		},
	},
	{
		.hook = NVP_HOOK_CYCLES_STUCK,
		.shown = {
			.name = "power-cycles-stuck",
			.sentence = "a power cycle is not counted",
			.section = "NVMe Base 2.0, 5.16.1.3 (Power Cycles)",
			.area = "powerloss",
			.class_words = "ACCOUNTING",
		},
	},
	{
		.hook = NVP_HOOK_COUNTERS_LOST,
		.shown = {
			.name = "cut-forgets-counters",
			.sentence = "a sudden loss of power sets Host Write Commands and Data "
				    "Units Written back",
			.section = "NVMe Base 2.0, 5.16.1.3",
			.area = "powerloss",
			.class_words = "ACCOUNTING",
		},
	},
	{
		.hook = NVP_HOOK_BACKUP_FAILED,
		.shown = {
			.name = "cut-fails-backup",
			.sentence = "after a sudden loss of power the memory backup is reported "
				    "failed",
			.section = "NVMe Base 2.0, 5.16.1.3 (Critical Warning bit 4)",
			.area = "powerloss",
			.class_words = "ACCOUNTING",
		},
	},
	{
		.hook = NVP_HOOK_POWER_OFF_IGNORED,
		.shown = {
			.name = "power-off-ignored",
			.sentence = "the supply cannot be switched off",
			.section = "policy: a cut that nothing confirms says nothing (NVMe Base "
				   "2.0, 3.5.1)",
			.area = "powerloss",
			.class_words = "RIG_INVALID",
		},
	},
	{
		.hook = NVP_HOOK_CUT_SAVED_LOST,
		.shown = {
			.name = "cut-loses-saved-features",
			.sentence = "after a sudden loss of power saved feature values are gone",
			.section = "NVMe Base 2.0, 4.2 (saved value)",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_SAVED_BLENDED,
		.shown = {
			.name = "cut-blends-saved-features",
			.sentence = "after a sudden loss of power saved feature values are half "
				    "default",
			.section = "NVMe Base 2.0, 4.2 (saved value)",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_FORMAT_HALF,
		.shown = {
			.name = "cut-leaves-half-format",
			.sentence = "a format is complete when the erasing has begun; the rest "
				    "follows, unless power goes",
			.section = "NVMe Base 2.0, 5.14 (Format NVM, User Data Erase)",
			.area = "powerloss",
			.class_words = "STALE_RESURRECT",
		},
	},
	{
		.hook = NVP_HOOK_CUT_SANITIZE_DONE,
		.shown = {
			.name = "cut-ends-sanitize",
			.sentence = "a sanitize operation that was in progress when power went "
				    "is said to be done, with data of users there",
			.section = "NVMe Base 2.0, 8.21 (continues after power loss)",
			.area = "powerloss",
			.class_words = "STALE_RESURRECT",
		},
	},
	{
		.hook = NVP_HOOK_CUT_SANITIZE_STUCK,
		.shown = {
			.name = "cut-stops-sanitize",
			.sentence = "a sanitize operation that was in progress when power went "
				    "says so for ever",
			.section = "NVMe Base 2.0, 8.21 (continues after power loss)",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_FIRMWARE_BRICKS,
		.shown = {
			.name = "cut-bricks-firmware",
			.sentence = "when power goes while a committed image waits for a reset, "
				    "no image runs any more",
			.section = "NVMe Base 2.0, 3.11 (Firmware Update Process)",
			.area = "powerloss",
			.class_words = "DEAD",
		},
	},
	{
		.hook = NVP_HOOK_CUT_REVERTS_IN_TEST,
		.shown = {
			.name = "cut-write-reverts-in-self-test",
			.sentence = "a durable write is lost, if power goes during a self-test",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED|LOST_FUA|LOST_ACKED",
		},
	},
	{ .hook = NVP_HOOK_NONE },
};
