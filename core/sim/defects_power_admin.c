// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of a sudden loss of power during or after an admin command; and data of nobody.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_power_admin[] = {
	{
		.hook = NVP_HOOK_CUT_FORMAT_STUCK,
		.shown = {
			.name = "cut-leaves-format-stuck",
			.sentence = "after a sudden loss of power during a Format every other one is "
				    "told that it is in progress (ms=0: for ever)",
			.section = "policy: a Format that power ended is in nobody's way (NVMe "
				   "Base 2.0, 5.14)",
			.area = "powerloss",
			.parameters = "ms=0",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_FORGETS_SANITIZE,
		.shown = {
			.name = "cut-forgets-sanitize",
			.sentence = "a sanitize operation that a loss of power interrupts is forgotten: "
				    "the drive was never sanitized, it says",
			.section = "NVMe Base 2.0, 5.16.1.25 (SSTAT) and 8.21",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_SANITIZE_FAILS,
		.shown = {
			.name = "cut-fails-sanitize",
			.sentence = "a sanitize operation that a loss of power interrupts has failed",
			.section = "policy: what was interrupted succeeds in the end (NVMe Base 2.0, "
				   "8.21)",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_SKIPS_PASSES,
		.shown = {
			.name = "cut-skips-overwrite-passes",
			.sentence = "an overwrite that a loss of power interrupts is done with the "
				    "passes that it has (told=1: and says so)",
			.section = "NVMe Base 2.0, 5.16.1.25 (SSTAT bits 7:3) and 8.21",
			.area = "powerloss",
			.parameters = "told=0",
			.class_words = "METADATA|STALE_RESURRECT",
		},
	},
	{
		.hook = NVP_HOOK_CUT_HALF_DOWNLOAD,
		.shown = {
			.name = "cut-keeps-half-download",
			.sentence = "pieces of an image that were downloaded when power went are the "
				    "image of a slot",
			.section = "NVMe Base 2.0, 5.13 (discarded by a Controller Level Reset)",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_DOWNLOAD_STAYS,
		.shown = {
			.name = "cut-keeps-download",
			.sentence = "pieces of an image that were downloaded when power went are there "
				    "after it",
			.section = "NVMe Base 2.0, 5.13 (discarded by a Controller Level Reset)",
			.area = "powerloss",
			.class_words = "METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_TEARS_SLOT,
		.shown = {
			.name = "cut-tears-firmware-slot",
			.sentence = "a firmware slot that is written when power goes has half of each "
				    "revision",
			.section = "NVMe Base 2.0, 5.16.1.4 (FRS)",
			.area = "powerloss",
			.class_words = "METADATA",
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
