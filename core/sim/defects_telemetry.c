// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of the telemetry logs.

#include "core/sim/defects.h"

#define TELEMETRY(hook_, name_, sentence_, field_)				\
	{									\
		.hook = hook_,							\
		.shown = {							\
			.name = name_,						\
			.sentence = sentence_,					\
			.section = "NVMe Base 2.0, 5.16.1.8 (" field_ ")",	\
			.area = "telemetry",					\
		},								\
	}

const struct nvp_defect_row nvp_defects_telemetry[] = {
	TELEMETRY(NVP_HOOK_TEL_LID, "telemetry-header-wrong",
		  "the headers of the telemetry logs begin with 00h", "Log Identifier"),
	TELEMETRY(NVP_HOOK_TEL_AREAS, "telemetry-areas-going-down",
		  "the last block of data area 2 is before that of area 1",
		  "Data Area 2 Last Block"),
	TELEMETRY(NVP_HOOK_TEL_GENERATION, "telemetry-generation-stuck",
		  "a new capture has the generation number of the one before",
		  "Telemetry Host-Initiated Data Generation Number"),
	TELEMETRY(NVP_HOOK_TEL_MOVES, "telemetry-changes-when-read",
		  "telemetry data change between reads without a new capture",
		  "Create Telemetry Host-Initiated Data"),
	TELEMETRY(NVP_HOOK_TEL_OFFSET_OK, "telemetry-offset-unaligned-accepted",
		  "an offset into a telemetry log that is no multiple of 512 is accepted",
		  "Log Page Offset Lower"),
	{ .hook = NVP_HOOK_NONE }
};
