// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of the telemetry logs.

#include "core/sim/defects.h"

#define ROW(hook_, name_, sentence_, section_, field_)				\
	{									\
		.hook = hook_,							\
		.shown = {							\
			.name = name_,						\
			.sentence = sentence_,					\
			.section = "NVMe Base 2.0, " section_ " (" field_ ")",	\
			.area = "telemetry",					\
		},								\
	}

#define TELEMETRY(hook, name, sentence, field) ROW(hook, name, sentence, "5.16.1.8", field)
#define CONTROLLER(hook, name, sentence, field) ROW(hook, name, sentence, "5.16.1.9", field)

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

	/* captures of the controller */
	CONTROLLER(NVP_HOOK_TEL_AVAILABLE_NEVER, "telemetry-available-never",
		   "a capture of the controller is made, and not said to be available",
		   "Telemetry Controller-Initiated Data Available"),
	CONTROLLER(NVP_HOOK_TEL_AVAILABLE_LOST, "telemetry-available-lost",
		   "after power-on a capture that nobody has read is no longer available",
		   "Telemetry Controller-Initiated Data Available"),
	CONTROLLER(NVP_HOOK_TEL_AVAILABLE_STUCK, "telemetry-available-stuck",
		   "a capture stays available when its log was read with RAE cleared to 0",
		   "Telemetry Controller-Initiated Data Available"),
	CONTROLLER(NVP_HOOK_TEL_RAE, "telemetry-rae-ignored",
		   "a read with RAE set to 1 acknowledges a capture of the controller",
		   "Retain Asynchronous Event"),
	CONTROLLER(NVP_HOOK_TEL_HEADERS_DIFFER, "telemetry-headers-differ",
		   "log 07h has another Data Available field of the controller than log 08h",
		   "Telemetry Controller-Initiated Data Available"),
	CONTROLLER(NVP_HOOK_TEL_CONTROLLER_GENERATION, "telemetry-controller-generation-stuck",
		   "a capture of the controller has the generation number of the one before",
		   "Telemetry Controller-Initiated Data Generation Number"),
	CONTROLLER(NVP_HOOK_TEL_NOTICE_MISSING, "telemetry-notice-missing",
		   "no event tells of a capture of the controller", "Telemetry Log Changed"),
	CONTROLLER(NVP_HOOK_TEL_NOTICE_INFO, "telemetry-notice-wrong",
		   "the event of a capture says that a namespace changed",
		   "Telemetry Log Changed"),
	CONTROLLER(NVP_HOOK_TEL_DATA_LOST, "telemetry-capture-lost",
		   "the data of a capture of the controller are gone after power-on",
		   "persistence"),
	CONTROLLER(NVP_HOOK_TEL_EMPTY, "telemetry-capture-empty",
		   "a capture of the controller has no data areas",
		   "Telemetry Controller-Initiated Data Area 3 Last Block"),
	CONTROLLER(NVP_HOOK_TEL_REPLACED, "telemetry-unread-replaced",
		   "a new capture takes the place of one that no host has read",
		   "Telemetry Controller-Initiated Data Available"),
	{ .hook = NVP_HOOK_NONE }
};
