// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of Get Features and Set Features.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_feature[] = {
	{
		.hook = NVP_HOOK_FEA_SET_IGNORED,
		.shown = {
			.name = "feature-set-ignored",
			.sentence = "Set Features succeeds and changes nothing",
			.section = "NVMe Base 2.0, 5.27 and 4.2",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_DEFAULT,
		.shown = {
			.name = "feature-default-overwritten",
			.sentence = "Set Features changes the default value too",
			.section = "NVMe Base 2.0, 4.2 (default value)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_SAVED_LOST,
		.shown = {
			.name = "feature-saved-lost-on-reset",
			.sentence = "a saved value is gone after a controller reset",
			.section = "NVMe Base 2.0, 4.2 (saved value)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_UNSAVED_KEPT,
		.shown = {
			.name = "feature-unsaved-survives-reset",
			.sentence = "a value that was not saved is still there after a controller reset",
			.section = "NVMe Base 2.0, 4.2 (current value)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_MISSING,
		.shown = {
			.name = "feature-mandatory-missing",
			.sentence = "Get Features of Interrupt Coalescing gives Invalid Field in Command",
			.section = "NVMe Base 2.0, 3.1.2.1.3 and 5.27.1.6",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_SEL_OK,
		.shown = {
			.name = "feature-sel-reserved-accepted",
			.sentence = "Get Features with a reserved SEL succeeds",
			.section = "NVMe Base 2.0, 5.15 (SEL)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_FID_OK,
		.shown = {
			.name = "feature-fid-reserved-accepted",
			.sentence = "Get Features and Set Features of a reserved Feature Identifier succeed",
			.section = "NVMe Base 2.0, 5.15 and 5.27 (FID)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_SV_OK,
		.shown = {
			.name = "feature-not-saveable-accepted",
			.sentence = "Set Features with SV=1 of a feature that cannot be saved succeeds",
			.section = "NVMe Base 2.0, 5.27 (Feature Identifier Not Saveable)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_SV_STATUS,
		.shown = {
			.name = "feature-not-saveable-wrong-status",
			.sentence = "Set Features with SV=1 of a feature that cannot be saved gives Feature "
				    "Not Changeable",
			.section = "NVMe Base 2.0, 5.27 (Feature Identifier Not Saveable)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_CAPS,
		.shown = {
			.name = "feature-capabilities-wrong",
			.sentence = "SEL 011b says that a changeable feature is not changeable",
			.section = "NVMe Base 2.0, 5.15.1 (capabilities)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_NSID_OK,
		.shown = {
			.name = "feature-nsid-accepted",
			.sentence = "Set Features of a controller feature for one namespace succeeds",
			.section = "NVMe Base 2.0, 5.27 (Feature Not Namespace Specific)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_QUEUES_ONES_OK,
		.shown = {
			.name = "feature-queues-ffff-accepted",
			.sentence = "Number of Queues with NCQR or NSQR FFFFh succeeds",
			.section = "NVMe Base 2.0, 5.27.1.5",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_QUEUES_LATE_OK,
		.shown = {
			.name = "feature-queues-late-accepted",
			.sentence = "Number of Queues succeeds although I/O queues were created",
			.section = "NVMe Base 2.0, 5.27.1.5 (Command Sequence Error)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_QUEUES_DIFFER,
		.shown = {
			.name = "feature-queues-differ",
			.sentence = "Get Features gives another number of queues than Set Features allocated",
			.section = "NVMe Base 2.0, 5.27.1.5",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_PS_OK,
		.shown = {
			.name = "feature-power-state-unchecked",
			.sentence = "Power Management accepts a power state above NPSS",
			.section = "NVMe Base 2.0, 5.27.1.2",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_TMPSEL_OK,
		.shown = {
			.name = "feature-tmpsel-reserved-accepted",
			.sentence = "Temperature Threshold accepts a reserved TMPSEL",
			.section = "NVMe Base 2.0, 5.27.1.3",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_VECTOR_OK,
		.shown = {
			.name = "feature-vector-unchecked",
			.sentence = "Interrupt Vector Configuration accepts a vector that no queue can have",
			.section = "NVMe Base 2.0, 5.27.1.7",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_VWC_OK,
		.shown = {
			.name = "feature-vwc-without-cache",
			.sentence = "Volatile Write Cache succeeds on a controller that has none",
			.section = "NVMe Base 2.0, 5.27.1.4",
			.area = "feature",
			.shape = "vwc=absent",
		},
	},
	{
		.hook = NVP_HOOK_FEA_ARB_TRUNCATED,
		.shown = {
			.name = "feature-arbitration-truncated",
			.sentence = "Arbitration loses its High Priority Weight",
			.section = "NVMe Base 2.0, 5.27.1.1",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_ATOMICITY_STUCK,
		.shown = {
			.name = "feature-write-atomicity-stuck",
			.sentence = "Set Features of Write Atomicity Normal succeeds and changes nothing",
			.section = "NVM Command Set 1.0, 4.1.3.3",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_FEA_EVENTS_TRUNCATED,
		.shown = {
			.name = "feature-events-truncated",
			.sentence = "of the Asynchronous Event Configuration only the first byte is kept",
			.section = "NVMe Base 2.0, 5.27.1.8",
			.area = "feature",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
