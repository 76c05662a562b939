// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of the subsystem reset, power states, time, protection and persistent events.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_manage[] = {
	{
		.hook = NVP_HOOK_NSSR_IGNORED,
		.shown = {
			.name = "nssr-ignored",
			.sentence = "writing 4E564D65h to NSSR does nothing",
			.section = "NVMe Base 2.0, 3.1.3.8 and 3.7.1",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_NSSR_ANY,
		.shown = {
			.name = "nssr-any-value-resets",
			.sentence = "every value written to NSSR resets the subsystem",
			.section = "NVMe Base 2.0, 3.1.3.8",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_NSSRO_MISSING,
		.shown = {
			.name = "nssr-not-noted",
			.sentence = "CSTS.NSSRO is 0 after a reset of the subsystem",
			.section = "NVMe Base 2.0, 3.1.3.6 (NSSRO)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_NSSRO_STUCK,
		.shown = {
			.name = "nssro-not-cleared",
			.sentence = "CSTS.NSSRO stays 1 when 1 is written to it",
			.section = "NVMe Base 2.0, 3.1.3.6 (NSSRO)",
			.area = "register",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
