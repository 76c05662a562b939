// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of a sudden loss of power during or after an admin command; and data of nobody.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_power_admin[] = {
	{
		.hook = NVP_HOOK_CUT_FORMAT_STUCK,
		.shown = {
			.name = "cut-leaves-format-stuck",
			.sentence = "after a sudden loss of power during a Format every other one is "
				    "told that it is in progress",
			.section = "NVMe Base 2.0, 5.14",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_FORGETS_SANITIZE,
		.shown = {
			.name = "cut-forgets-sanitize",
			.sentence = "a sanitize operation that a loss of power interrupts is forgotten, "
				    "and the data are there",
			.section = "NVMe Base 2.0, 8.21",
			.area = "powerloss",
			.class_words = "STALE_RESURRECT",
		},
	},
	{
		.hook = NVP_HOOK_CUT_LOSES_COMMIT,
		.shown = {
			.name = "cut-loses-write-during-commit",
			.sentence = "a durable write is gone when the power is lost so shortly after a "
				    "Firmware Commit, and only then",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.parameters = "ms=50",
			.class_words = "LOST_FLUSHED|LOST_FUA|LOST_ACKED",
		},
	},
	{
		.hook = NVP_HOOK_CUT_INVENTS,
		.shown = {
			.name = "cut-invents-data",
			.sentence = "a block holds data of no command, whole and with a good checksum",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "PHANTOM",
		},
	},
	{ .hook = NVP_HOOK_NONE },
};
